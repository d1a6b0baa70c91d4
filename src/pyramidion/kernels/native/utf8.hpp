// UTF-8 of non-ASCII words. Lone surrogates, which a Python str may contain, are preserved.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pyramidion {

inline bool is_ascii(std::string_view text) {
    for (const char c : text) {
        if (static_cast<unsigned char>(c) > 127) return false;
    }
    return true;
}

inline void append_utf8(std::string& text, char32_t c) {
    const auto continuation = [&](int shift) {
        text += static_cast<char>(0x80 | (c >> shift & 0x3F));
    };
    if (c < 0x80) {
        text += static_cast<char>(c);
    } else if (c < 0x800) {
        text += static_cast<char>(0xC0 | c >> 6);
        continuation(0);
    } else if (c < 0x10000) {
        text += static_cast<char>(0xE0 | c >> 12);
        continuation(6);
        continuation(0);
    } else {
        text += static_cast<char>(0xF0 | c >> 18);
        continuation(12);
        continuation(6);
        continuation(0);
    }
}

inline std::string encode_utf8(std::u32string_view characters) {
    std::string text;
    text.reserve(characters.size() + 8);
    for (const char32_t c : characters) append_utf8(text, c);
    return text;
}

// Only for output of append_utf8: checks the number of bytes, not their form.
inline std::u32string decode_utf8(std::string_view text) {
    std::u32string characters;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i++]);
        const int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        char32_t c = more == 0 ? lead : lead & (0x3F >> more);
        for (int k = 0; k < more && i < text.size(); ++k) {
            c = c << 6 | (static_cast<unsigned char>(text[i++]) & 0x3F);
        }
        characters += c;
    }
    return characters;
}

}  // namespace pyramidion
