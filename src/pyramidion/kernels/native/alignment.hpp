// What is kept of the tables of longest common subsequences, and the paths back through them;
// ../subsequences.py has the tables themselves.
//
// Rows are words of a sentence of the model, columns words of the peer. Sentences of the peer
// lie side by side in a row of bits, as many as 64 bits hold or one that is longer, each
// followed by a bit that stays empty: a handful of operations serves a row of all their tables.
// Two bits are kept of each cell:
//   meets  the words are the same: the path goes up and to the left;
//   left   they are not, and it goes to the left. Where neither is set, it goes up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "bits.hpp"
#include "texts.hpp"

namespace pyramidion {

// The length of a row in words of 64 bits: one in most cases, and then the compiler knows.
using OneWord = std::integral_constant<std::size_t, 1>;

// A row of bits to work with; a single word stays in a register.
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

// Sentences of a peer side by side.
class Columns {
public:
    struct Sentence {
        std::size_t start;
        std::size_t end;
        const std::int32_t* ids;
    };

    std::vector<Sentence> sentences;  // none is empty
    std::vector<Bits> used;           // bits that stand for words
    std::vector<Bits> last;           // those of the sentences' last words

    std::size_t bits() const { return bits_; }
    std::size_t words() const { return words_for(bits_); }

    // Takes sentences from one on; gives the first that is not taken.
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
    const Bits* of_words;          // where each word meets the peer
    const std::int32_t* words;     // the sentence, in numbers of these rows
    std::size_t size;
    Bits* left;

    const Bits* meets(std::size_t row, std::size_t length) const {
        return of_words + static_cast<std::size_t>(words[row]) * length;
    }
};

// Paths back through the tables of all sentences of the peer at a time.
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
    // Moves a path on from a cell that does not go up; tells whether it met a word. A path
    // never leaves a sentence's first column to the left, for nothing is less than 0.
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
