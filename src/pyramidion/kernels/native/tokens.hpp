// The tokenizer of ROUGE-1.5.5, see ../tokens.py: maximal runs of a-z and 0-9, A-Z lower-cased.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bits.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#define PYRAMIDION_SSE2
#include <emmintrin.h>
#endif

namespace pyramidion {

// Characters of a Python str or bytes, in place. A non-ASCII character separates words whatever its
// width, as do all bytes of its UTF-8 form; so nothing has to be encoded.
struct TextView {
    const void* data;
    std::size_t length;
    int width;  // bytes per character: 1, 2 or 4
};

// Setting this bit lower-cases a letter; lower-case letters and digits already have it.
inline constexpr unsigned char kSmall = 0x20;

// Counts the letters A-Z and a-z.
template <class Unit>
std::size_t count_letters(const Unit* units, std::size_t length) {
    constexpr std::size_t few = 255;  // the range of a byte counter, so that the loop vectorizes
    std::size_t letters = 0;
    for (std::size_t from = 0; from < length; from += few) {
        const std::size_t end = std::min(from + few, length);
        unsigned char here = 0;
        for (std::size_t i = from; i < end; ++i) {
            here = static_cast<unsigned char>(here + (static_cast<Unit>((units[i] | kSmall) - 'a') < 26));
        }
        letters += here;
    }
    return letters;
}

// Which of 64 bytes are characters of words, and which end lines.
struct Classes {
    Bits words = 0;
    Bits line_ends = 0;
};

#ifdef PYRAMIDION_SSE2
inline Classes classify(const unsigned char* bytes) {
    const auto within = [](__m128i value, char first, char range) {
        const __m128i past = _mm_sub_epi8(value, _mm_set1_epi8(first));
        return _mm_cmpeq_epi8(_mm_min_epu8(past, _mm_set1_epi8(range)), past);
    };
    Classes classes;
    for (unsigned i = 0; i < kWordBits; i += 16) {
        const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
        const __m128i letters = within(_mm_or_si128(part, _mm_set1_epi8(kSmall)), 'a', 25);
        const __m128i words = _mm_or_si128(letters, within(part, '0', 9));
        const __m128i line_ends = _mm_cmpeq_epi8(part, _mm_set1_epi8('\n'));
        classes.words |= static_cast<Bits>(_mm_movemask_epi8(words)) << i;
        classes.line_ends |= static_cast<Bits>(_mm_movemask_epi8(line_ends)) << i;
    }
    return classes;
}
#else
inline Classes classify(const unsigned char* bytes) {
    Classes classes;
    for (unsigned i = 0; i < kWordBits; ++i) {
        const auto letter = static_cast<unsigned char>((bytes[i] | kSmall) - 'a');
        const auto digit = static_cast<unsigned char>(bytes[i] - '0');
        classes.words |= static_cast<Bits>(letter < 26 || digit < 10) << i;
        classes.line_ends |= static_cast<Bits>(bytes[i] == '\n') << i;
    }
    return classes;
}
#endif

// A word in a text, in its original case.
struct Piece {
    const unsigned char* start;
    std::size_t length;
};

// Finds the words of a text, and where its lines end.
class Scanner {
public:
    // The words of the last text; where it ends in memory.
    const Piece* begin() const { return pieces_.data(); }
    std::size_t size() const { return size_; }
    const unsigned char* end_of_text() const { return end_; }

    // Number of words before the end of each line but the last.
    const std::vector<std::size_t>& lines() const { return lines_; }

    void scan(const TextView& text) {
        const unsigned char* bytes = in_bytes(text);
        end_ = bytes + text.length;
        if (pieces_.size() < text.length / 2 + 1) pieces_.resize(text.length / 2 + 1);
        lines_.clear();
        Piece* next = pieces_.data();
        const unsigned char* start = nullptr;  // of an unfinished word
        Bits before = 0;                       // whether the last byte belongs to a word
        for (std::size_t base = 0; base < text.length; base += kWordBits) {
            const Classes classes = block(bytes + base, text.length - base);
            const Bits shifted = classes.words << 1 | before;
            before = classes.words >> (kWordBits - 1);
            Bits starts = classes.words & ~shifted, ends = shifted & ~classes.words;
            const auto first = static_cast<std::size_t>(next - pieces_.data());
            for (Bits rest = classes.line_ends; rest != 0; rest &= rest - 1) {
                lines_.push_back(first + count_bits(ends & (rest ^ (rest - 1))));
            }
            if (start != nullptr && ends != 0) {
                *next++ = {start, static_cast<std::size_t>(bytes + base + lowest_bit(ends) - start)};
                start = nullptr;
                ends &= ends - 1;
            }
            for (; ends != 0; ends &= ends - 1, starts &= starts - 1) {
                const unsigned from = lowest_bit(starts);
                *next++ = {bytes + base + from, lowest_bit(ends) - from};
            }
            if (starts != 0) start = bytes + base + lowest_bit(starts);
        }
        if (start != nullptr) *next++ = {start, static_cast<std::size_t>(end_ - start)};
        size_ = static_cast<std::size_t>(next - pieces_.data());
    }

private:
    static Classes block(const unsigned char* bytes, std::size_t left) {
        if (left >= kWordBits) return classify(bytes);
        std::array<unsigned char, kWordBits> padded{};
        std::memcpy(padded.data(), bytes, left);
        return classify(padded.data());
    }

    // A wide text as bytes: non-ASCII characters become separators.
    const unsigned char* in_bytes(const TextView& text) {
        if (text.width == 1) return static_cast<const unsigned char*>(text.data);
        if (narrow_.size() < text.length) narrow_.resize(text.length);
        if (text.width == 2) {
            narrow(static_cast<const std::uint16_t*>(text.data), text.length);
        } else {
            narrow(static_cast<const std::uint32_t*>(text.data), text.length);
        }
        return narrow_.data();
    }

    template <class Unit>
    void narrow(const Unit* units, std::size_t length) {
        for (std::size_t i = 0; i < length; ++i) {
            narrow_[i] = static_cast<unsigned char>(std::min<Unit>(units[i], 0x80));
        }
    }

    std::vector<Piece> pieces_;
    std::size_t size_ = 0;
    std::vector<std::size_t> lines_;
    std::vector<unsigned char> narrow_;
    const unsigned char* end_ = nullptr;
};

}  // namespace pyramidion
