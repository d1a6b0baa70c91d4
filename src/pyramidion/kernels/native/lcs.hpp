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

// The plain LCS, 64 cells at a time (Hyyro, "Bit-parallel LCS-length computation revisited",
// 2004). A bit of `flat` is set if a cell is not greater than its left neighbor.
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
                // A carry out of a cell means that it is greater than the one above; it ends in the
                // empty bit after the sentence.
                carry = (part < carry) | (sum < met);
                left[k] = flat[k] & ~(sum | meets[k]);
                flat[k] = (sum & columns.used[k]) | (flat[k] & ~meets[k]);
            }
        }
    }
};

// The weighted LCS: floating-point numbers, cell by cell, with the Python version's order of
// operations, but only where a row differs from the one above.
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
    // The row of an even sentence without matches is the same as the row above.
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

    // Computes the next row between two columns; returns whether it decreases anywhere. `even`:
    // the previous row does not, so it can be copied from a cell that equals the one above up to
    // the next match.
    bool update(std::size_t column, std::size_t end, bool even, const Bits* meets, Bits* left) {
        double* const sums = sums_.data() + 1;  // the entry before a sentence's first is 0
        double above_left = sums_[column], to_left = sums_[column];
        bool falls = false;
        while (column < end) {
            const double above = sums[column];
            double sum = above;
            if (test(meets, column)) {
                sum = meeting(column, above_left);
                falls |= sum < to_left;
            } else if (above < to_left) {
                sum = to_left;
                left[word_of(column)] |= bit_of(column);
            } else if (even) {
                column = next_bit(meets, column, end);
                above_left = to_left = sums_[column];
                continue;
            }
            above_left = above;
            sums[column] = to_left = sum;
            ++column;
        }
        return falls;
    }

    double meeting(std::size_t column, double above_left) {
        const bool goes_on = column > 0 && test(met_above_, column - 1);
        const std::size_t run = goes_on ? runs_above_[column - 1] : 0;
        runs_[column] = static_cast<std::uint32_t>(run + 1);
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
