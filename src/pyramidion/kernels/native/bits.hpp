// Rows of bits, 64 to a word.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace pyramidion {

using Bits = std::uint64_t;

inline constexpr std::size_t kWordBits = 64;

inline std::size_t word_of(std::size_t position) { return position / kWordBits; }
inline Bits bit_of(std::size_t position) { return Bits{1} << position % kWordBits; }
inline std::size_t words_for(std::size_t bits) { return (bits + kWordBits - 1) / kWordBits; }

// Neither may be called with an empty word.
#if defined(_MSC_VER) && !defined(__clang__)
inline unsigned lowest_bit(Bits word) {
    unsigned long index;
    _BitScanForward64(&index, word);
    return index;
}
inline unsigned highest_bit(Bits word) {
    unsigned long index;
    _BitScanReverse64(&index, word);
    return index;
}
#else
inline unsigned lowest_bit(Bits word) { return static_cast<unsigned>(__builtin_ctzll(word)); }
inline unsigned highest_bit(Bits word) { return 63 - static_cast<unsigned>(__builtin_clzll(word)); }
#endif

inline unsigned count_bits(Bits word) {
    unsigned count = 0;
    for (; word != 0; word &= word - 1) ++count;
    return count;
}

inline bool test(const Bits* row, std::size_t position) {
    return (row[word_of(position)] & bit_of(position)) != 0;
}

// The first set bit from `position` on, or `end`.
inline std::size_t next_bit(const Bits* row, std::size_t position, std::size_t end) {
    if (position >= end) return end;
    std::size_t word = word_of(position);
    Bits rest = row[word] & ~(bit_of(position) - 1);
    while (rest == 0) {
        if (++word * kWordBits >= end) return end;
        rest = row[word];
    }
    const std::size_t next = word * kWordBits + lowest_bit(rest);
    return next < end ? next : end;
}

}  // namespace pyramidion
