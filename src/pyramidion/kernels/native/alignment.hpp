// Compact tables of longest common subsequences, and the paths back through them; see
// ../subsequences.py for the full tables.
//
// Rows are words of a sentence of the model, columns are words of the peer. Sentences of the peer
// are packed side by side into a row of bits, as many as fit into 64 bits or a single longer one,
// each followed by an empty bit: a few operations compute a row of all their tables.
// Two bits are stored for each cell:
//   meets  the words are equal: the path goes up and to the left;
//   left   they differ, and the path goes left. If neither is set, it goes up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "bits.hpp"
#include "texts.hpp"

namespace pyramidion {

// The length of a row in 64-bit words: usually one, which is then a compile-time constant.
using OneWord = std::integral_constant<std::size_t, 1>;

// A mutable row of bits; a single word stays in a register.
template <class Size>
using WorkingRow =
    std::conditional_t<std::is_same_v<Size, OneWord>, std::array<Bits, 1>, std::vector<Bits>>;

template <class Size>
WorkingRow<Size> working_copy(Size words, const std::vector<Bits>& row) {
    if constexpr (std::is_same_v<Size, OneWord>) {
        return {row[0]};
    } else {
        return {row.begin(), row.begin() + words};
    }
}

// Sentences of a peer, packed side by side.
class Columns {
public:
    struct Sentence {
        std::size_t start;
        std::size_t end;
        const std::int32_t* ids;
    };

    std::vector<Sentence> sentences;  // none is empty
    std::vector<Bits> used;           // bits that represent words
    std::vector<Bits> last;           // bits of the sentences' last words

    std::size_t bits() const { return bits_; }
    std::size_t words() const { return words_for(bits_); }

    // Packs the sentences of a range; returns the first that does not fit.
    std::int64_t take(const Texts& all, std::int64_t from, std::int64_t to) {
        sentences.clear();
        bits_ = 0;
        for (; from < to; ++from) {
            const Words sentence = all[from];
            if (sentence.size == 0) continue;
            if (bits_ > 0 && bits_ + sentence.size >= kWordBits) break;
            sentences.push_back({bits_, bits_ + sentence.size, sentence.data});
            bits_ += sentence.size + 1;
        }
        used.assign(words(), ~Bits{0});
        last.assign(words(), 0);
        for (const Sentence& sentence : sentences) {
            used[word_of(sentence.end)] &= ~bit_of(sentence.end);
            last[word_of(sentence.end - 1)] |= bit_of(sentence.end - 1);
        }
        if (bits_ % kWordBits != 0) used.back() &= bit_of(bits_) - 1;
        return from;
    }

private:
    std::size_t bits_ = 0;
};

// The rows of one sentence of the model.
struct Rows {
    const Bits* of_words;          // where each word occurs in the peer
    const std::int32_t* words;     // the sentence, as indices of these rows
    std::size_t size;
    Bits* left;

    const Bits* meets(std::size_t row, std::size_t length) const {
        return of_words + static_cast<std::size_t>(words[row]) * length;
    }
};

// Paths back through the tables of all sentences of the peer at once.
template <class Size>
class Paths {
public:
    Paths(Size words, const Columns& columns)
        : words_(words), used_(columns.used.data()), paths_(working_copy(words, columns.last)) {}

    // Marks the words of the model's sentence on any of the paths.
    void trace(const Rows& rows, unsigned char* marks) {
        for (std::size_t i = rows.size; i-- > 0;) {
            const Bits* meets = rows.meets(i, words_);
            const Bits* left = rows.left + i * words_;
            bool met = false;
            for (std::size_t k = 0; k < words_; ++k) {
                Bits turning = paths_[k] & (meets[k] | left[k]);
                paths_[k] ^= turning;
                for (; turning != 0; turning &= turning - 1) {
                    met |= turn(meets, left, k, turning & (~turning + 1));
                }
            }
            marks[i] |= met;
        }
    }

private:
    // Advances a path from a cell that does not go up; returns whether it met a word. A path never
    // leaves a sentence's first column to the left, since no value is below 0.
    bool turn(const Bits* meets, const Bits* left, std::size_t k, Bits cell) {
        Bits stops = ~left[k] & (cell | (cell - 1));
        if constexpr (!std::is_same_v<Size, OneWord>) {
            while (stops == 0) stops = ~left[--k];
        }
        const Bits stop = Bits{1} << highest_bit(stops);
        if ((meets[k] & stop) == 0) {
            paths_[k] |= stop;
            return false;
        }
        if (stop > 1) {
            paths_[k] |= stop >> 1 & used_[k];
        } else if (k > 0) {
            paths_[k - 1] |= bit_of(kWordBits - 1) & used_[k - 1];
        }
        return true;
    }

    Size words_;
    const Bits* used_;
    WorkingRow<Size> paths_;
};

}  // namespace pyramidion
