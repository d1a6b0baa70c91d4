// Words of ROUGE-1.5.5, see ../tokens.py: maximal runs of a-z and 0-9, A-Z lowered.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

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

// Finds words and hands each one, lowered, to `sink(std::string_view)`; the view lives
// until the next word.
class Scanner {
public:
    template <class Unit, class Sink>
    void scan(const Unit* position, const Unit* end, Sink&& sink) {
        while (position != end) {
            char c = word_character(*position++);
            if (c == 0) continue;
            std::size_t length = 0;
            do {
                if (length == buffer_.size()) buffer_.resize(2 * length);
                buffer_[length++] = c;
                if (position == end) break;
                c = word_character(*position++);
            } while (c != 0);
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
