// Tables of longest common subsequences, plain and weighted, see ../subsequences.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "alignment.hpp"
#include "bits.hpp"

namespace pyramidion {

// The plain one, 64 cells at a time (Hyyro, "Bit-parallel LCS-length computation revisited",
// 2004). A bit of `flat` says that a cell is not greater than its left neighbour.
class Lcs {
public:
    template <class Size>
    void fill(Size words, const Columns& columns, const Rows& rows) {
        auto flat = working_copy(words, columns.used);
        for (std::size_t i = 0; i < rows.size; ++i) {
            const Bits* meets = rows.meets(i, words);
            Bits* left = rows.left + i * words;
            Bits carry = 0;
            for (std::size_t k = 0; k < words; ++k) {
                const Bits met = flat[k] & meets[k];
                const Bits part = flat[k] + carry;
                const Bits sum = part + met;
                // A carry out of a cell says that it is greater than the one above; it ends in
                // the empty bit behind the sentence.
                carry = (part < carry) | (sum < met);
                left[k] = flat[k] & ~(sum | meets[k]);
                flat[k] = (sum & columns.used[k]) | (flat[k] & ~meets[k]);
            }
        }
    }
};

// The weighted one: floating-point numbers, cell by cell, in the order of operations of the
// Python version, but only where a row differs from the one above.
class WeightedLcs {
public:
    explicit WeightedLcs(const std::vector<double>& power) : power_(power) {}

    template <class Size>
    void fill(Size words, const Columns& columns, const Rows& rows) {
        std::fill_n(rows.left, rows.size * words, 0);
        nowhere_.assign(words, 0);
        sums_.assign(columns.bits() + 1, 0.0);
        runs_.resize(columns.bits());
        runs_above_.resize(columns.bits());
        uneven_.assign(columns.sentences.size(), false);
        uneven_sentences_ = 0;
        met_above_ = nowhere_.data();
        for (std::size_t i = 0; i < rows.size; ++i) {
            const Bits* meets = rows.meets(i, words);
            row(columns, meets, rows.left + i * words);
            met_above_ = meets;
            std::swap(runs_, runs_above_);
        }
    }

private:
    // A sentence that is even and meets nothing has the row above once more.
    void row(const Columns& columns, const Bits* meets, Bits* left) {
        const std::size_t bits = columns.bits();
        std::size_t met = next_bit(meets, 0, bits);
        for (std::size_t s = 0; met != bits || uneven_sentences_ > 0; ++s) {
            if (s == columns.sentences.size()) break;
            const auto [start, end, _] = columns.sentences[s];
            if (met >= end && !uneven_[s]) continue;
            const bool uneven = update(uneven_[s] ? start : met, end, !uneven_[s], meets, left);
            uneven_sentences_ += uneven - uneven_[s];
            uneven_[s] = uneven;
            if (met < end) met = next_bit(meets, end, bits);
        }
    }

    // Goes on from a row to the next one, between two columns; tells whether the new row falls
    // anywhere. `even`: the old one does not, so it is repeated from where a cell is the same
    // as the one above up to the next meeting.
    bool update(std::size_t place, std::size_t end, bool even, const Bits* meets, Bits* left) {
        double* const sums = sums_.data() + 1;  // the one before a sentence's first is 0
        double above_left = sums_[place], to_left = sums_[place];
        bool falls = false;
        while (place < end) {
            const double above = sums[place];
            double sum = above;
            if (test(meets, place)) {
                sum = meeting(place, above_left);
                falls |= sum < to_left;
            } else if (above < to_left) {
                sum = to_left;
                left[word_of(place)] |= bit_of(place);
            } else if (even) {
                place = next_bit(meets, place, end);
                above_left = to_left = sums_[place];
                continue;
            }
            above_left = above;
            sums[place] = to_left = sum;
            ++place;
        }
        return falls;
    }

    double meeting(std::size_t place, double above_left) {
        const bool goes_on = place > 0 && test(met_above_, place - 1);
        const std::size_t run = goes_on ? runs_above_[place - 1] : 0;
        runs_[place] = static_cast<std::uint32_t>(run + 1);
        return (above_left + power_[run + 1]) - power_[run];
    }

    const std::vector<double>& power_;
    std::vector<Bits> nowhere_;
    std::vector<double> sums_;
    std::vector<std::uint32_t> runs_;
    std::vector<std::uint32_t> runs_above_;
    std::vector<unsigned char> uneven_;
    int uneven_sentences_ = 0;
    const Bits* met_above_ = nullptr;
};

}  // namespace pyramidion
