// Words of ROUGE-1.5.5, see ../tokens.py: maximal runs of a-z and 0-9, A-Z lowered.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "bits.hpp"

namespace pyramidion {

// Characters of a Python str or bytes, in place. A character beyond ASCII separates words
// whatever its width, as all bytes of its UTF-8 form do; so nothing has to be encoded.
struct TextView {
    const void* data;
    std::size_t length;
    int width;  // bytes per character: 1, 2 or 4
};

constexpr std::array<char, 256> make_word_characters() {
    std::array<char, 256> table{};
    for (int c = '0'; c <= '9'; ++c) table[c] = static_cast<char>(c);
    for (int c = 'a'; c <= 'z'; ++c) {
        table[c] = static_cast<char>(c);
        table[c - 'a' + 'A'] = static_cast<char>(c);
    }
    return table;
}

// The lower-cased character, or 0 for what separates.
inline constexpr std::array<char, 256> kWordCharacters = make_word_characters();

template <class Unit>
inline char word_character(Unit unit) {
    if constexpr (sizeof(Unit) > 1) {
        if (unit > 127) return 0;
    }
    return kWordCharacters[static_cast<unsigned char>(unit)];
}

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) && \
    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
inline constexpr bool kLittleEndian = false;
#else
inline constexpr bool kLittleEndian = true;
#endif

// Lowers eight bytes at a time, on a little-endian machine; tells how many of them, from the
// first on, are characters of words.
inline unsigned take_eight(const std::uint8_t* from, char* to) {
    constexpr std::uint64_t each = 0x0101010101010101u;
    constexpr std::uint64_t high = 0x80 * each;
    std::uint64_t bytes;
    std::memcpy(&bytes, from, sizeof(bytes));
    // The high bit of each byte says whether it lies in a range; no sum passes 8 bits.
    const auto within = [&](std::uint64_t low, char first, char last) {
        return (low + (128 - first) * each) & ~(low + (127 - last) * each) & ~bytes & high;
    };
    const std::uint64_t digits = within(bytes & ~high, '0', '9');
    const std::uint64_t letters = within((bytes | 0x20 * each) & ~high, 'a', 'z');
    const std::uint64_t lowered = bytes | letters >> 2;
    std::memcpy(to, &lowered, sizeof(lowered));
    const Bits others = (digits | letters) ^ high;
    return others == 0 ? 8 : lowest_bit(others) / 8;
}

// Finds words and hands each one, lowered, to `sink(std::string_view)`; the view lives
// until the next word.
class Scanner {
public:
    template <class Unit, class Sink>
    void scan(const Unit* position, const Unit* end, Sink&& sink) {
        while (position != end) {
            if (word_character(*position) == 0) {
                ++position;
                continue;
            }
            std::size_t length = 0;
            if constexpr (sizeof(Unit) == 1 && kLittleEndian) {
                for (unsigned taken = 8; taken == 8 && end - position >= 8; position += taken) {
                    make_room(length + 8);
                    taken = take_eight(position, buffer_.data() + length);
                    length += taken;
                }
            }
            for (char c; position != end && (c = word_character(*position)) != 0; ++position) {
                make_room(length + 1);
                buffer_[length++] = c;
            }
            sink(std::string_view(buffer_.data(), length));
        }
    }

    template <class Sink>
    void scan(const TextView& text, Sink&& sink) {
        visit(text, [&](auto* begin, auto* end) { scan(begin, end, sink); });
    }

    // Scans line by line and calls `line_end()` after each, the last one too.
    template <class Sink, class LineEnd>
    void scan_lines(const TextView& text, Sink&& sink, LineEnd&& line_end) {
        visit(text, [&](auto* begin, auto* end) {
            while (true) {
                auto* line = std::find(begin, end, '\n');
                scan(begin, line, sink);
                line_end();
                if (line == end) break;
                begin = line + 1;
            }
        });
    }

private:
    void make_room(std::size_t length) {
        if (length > buffer_.size()) buffer_.resize(2 * length);
    }

    template <class Visitor>
    static void visit(const TextView& text, Visitor&& visitor) {
        switch (text.width) {
            case 1: visit_as<std::uint8_t>(text, visitor); break;
            case 2: visit_as<std::uint16_t>(text, visitor); break;
            default: visit_as<std::uint32_t>(text, visitor);
        }
    }

    template <class Unit, class Visitor>
    static void visit_as(const TextView& text, Visitor&& visitor) {
        auto* begin = static_cast<const Unit*>(text.data);
        visitor(begin, begin + text.length);
    }

    std::vector<char> buffer_ = std::vector<char>(128);
};

}  // namespace pyramidion
