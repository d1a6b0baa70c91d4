// Where the words of a model's sentence meet those of a peer, and the path back through the
// table of a longest common subsequence; see ../subsequences.py for the table itself.
//
// Columns of the table are words of the peer. All sentences of a peer are laid side by side in
// one row of bits, each followed by a bit that stays empty, so that a handful of operations
// treats a row of all their tables. Of a table only this is kept, a bit for each cell:
//   meets  the model's word is the peer's: the path goes diagonally;
//   left   it is not, and the path goes left; where neither bit is set, it goes up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "texts.hpp"

namespace pyramidion {

// Some sentences of a peer, as bits.
struct Columns {
    struct Sentence {
        std::size_t start;
        std::size_t end;
    };

    std::vector<Sentence> sentences;  // none is empty
    std::vector<Bits> used;           // the bits that stand for words
    std::vector<Bits> last;           // those of the last words
    std::size_t words = 0;            // in a row of bits

    void clear() {
        sentences.clear();
        bits_ = 0;
    }

    std::size_t add(std::size_t size) {
        const std::size_t start = bits_;
        sentences.push_back({start, start + size});
        bits_ += size + 1;
        return start;
    }

    void close() {
        words = words_for(bits_);
        used.assign(words, 0);
        last.assign(words, 0);
        for (std::size_t k = 0; k < words; ++k) used[k] = ~Bits{0};
        for (const Sentence& sentence : sentences) {
            used[word_of(sentence.end)] &= ~bit_of(sentence.end);
            last[word_of(sentence.end - 1)] |= bit_of(sentence.end - 1);
        }
        if (bits_ % kWordBits != 0) used[words - 1] &= bit_of(bits_) - 1;
    }

private:
    std::size_t bits_ = 0;
};
