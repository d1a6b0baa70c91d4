// Parses a line of a JSONL stream into its texts, without the objects of a full JSON parser. Only
// the common form is read: an object of texts and lists of texts with distinct names. Every other
// line is left to Python, which reads it or reports the error.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "utf8.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#include "bits.hpp"
#endif

namespace pyramidion {

namespace nb = nanobind;

class JsonItem {
public:
    explicit JsonItem(std::string_view line) : next_(line.data()), end_(line.data() + line.size()) {}

    // The values of these names, each a str or a tuple of str; null if the line has another form.
    template <std::size_t Size>
    nb::object read(const std::array<std::string_view, Size>& names, std::string_view listed) {
        std::array<nb::object, Size> values;
        if (!take('{')) return nb::none();
        for (std::size_t i = 0; i < Size; ++i) {
            if (i > 0 && !take(',')) return nb::none();
            if (!take_text() || !plain() || !take(':')) return nb::none();
            std::size_t name = 0;
            while (name < Size && names[name] != text_) ++name;
            if (name == Size || values[name].is_valid()) return nb::none();
            values[name] = names[name] == listed ? list() : text();
            if (!values[name].is_valid()) return nb::none();
        }
        if (!take('}')) return nb::none();
        skip_blanks();
        if (next_ != end_) return nb::none();
        nb::object result = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(Size)));
        if (!result.is_valid()) throw nb::python_error();
        for (std::size_t i = 0; i < Size; ++i) {
            PyTuple_SET_ITEM(result.ptr(), static_cast<Py_ssize_t>(i), values[i].release().ptr());
        }
        return result;
    }

private:
    void skip_blanks() {
        while (next_ != end_ && (*next_ == ' ' || *next_ == '\n' || *next_ == '\r' || *next_ == '\t')) ++next_;
    }

    bool take(char sign) {
        skip_blanks();
        if (next_ == end_ || *next_ != sign) return false;
        ++next_;
        return true;
    }

    // Whether the last text has no escapes.
    bool plain() const { return !escaped_; }

    // Reads a quoted text into `text_`: a view of the line, or unescaped in a buffer.
    bool take_text() {
        if (!take('"')) return false;
        const char* start = next_;
        escaped_ = false;
        ascii_ = true;
        for (;;) {
            const char* stop = plain_end();
            if (stop == end_) return false;
            const char sign = *stop;
            if (sign == '"') {
                if (!escaped_) {
                    text_ = {start, static_cast<std::size_t>(stop - start)};
                } else {
                    buffer_.append(next_, stop);
                    text_ = buffer_;
                }
                next_ = stop + 1;
                return true;
            }
            if (sign != '\\') return false;  // a control character
            if (!escaped_) {
                buffer_.assign(start, stop);
                escaped_ = true;
            } else {
                buffer_.append(next_, stop);
            }
            next_ = stop + 1;
            if (!take_escape()) return false;
        }
    }

    // The next quote, backslash or control character.
    const char* plain_end() {
        const char* at = next_;
#if defined(__SSE2__) || defined(_M_X64)
        const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), last = _mm_set1_epi8(0x1F);
        for (; end_ - at >= 16; at += 16) {
            const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
            const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(part, last), part);
            const __m128i either = _mm_or_si128(_mm_cmpeq_epi8(part, quote), _mm_cmpeq_epi8(part, slash));
            const auto result = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(either, control)));
            const auto high = static_cast<unsigned>(_mm_movemask_epi8(part));
            if (result != 0) {
                const unsigned index = lowest_bit(result);
                ascii_ &= (high & ((1u << index) - 1)) == 0;
                return at + index;
            }
            ascii_ &= high == 0;
        }
#endif
        for (; at != end_; ++at) {
            const auto byte = static_cast<unsigned char>(*at);
            if (byte == '"' || byte == '\\' || byte < 0x20) return at;
            ascii_ &= byte < 0x80;
        }
        return at;
    }

    bool take_escape() {
        if (next_ == end_) return false;
        const char sign = *next_++;
        switch (sign) {
            case 'n': buffer_ += '\n'; return true;
            case '"':
            case '\\':
            case '/': buffer_ += sign; return true;
            case 't': buffer_ += '\t'; return true;
            case 'r': buffer_ += '\r'; return true;
            case 'b': buffer_ += '\b'; return true;
            case 'f': buffer_ += '\f'; return true;
            case 'u': return take_number();
            default: return false;
        }
    }

    // Lone surrogates are left to Python.
    bool take_number() {
        char32_t number;
        if (!take_digits(number)) return false;
        if (number >= 0xD800 && number < 0xE000) {
            char32_t low;
            if (number >= 0xDC00 || end_ - next_ < 2 || next_[0] != '\\' || next_[1] != 'u') return false;
            next_ += 2;
            if (!take_digits(low) || low < 0xDC00 || low >= 0xE000) return false;
            number = 0x10000 + ((number - 0xD800) << 10 | (low - 0xDC00));
        }
        ascii_ &= number < 0x80;
        append_utf8(buffer_, number);
        return true;
    }

    bool take_digits(char32_t& number) {
        if (end_ - next_ < 4) return false;
        number = 0;
        for (int i = 0; i < 4; ++i) {
            const char digit = *next_++;
            const int value = '0' <= digit && digit <= '9'   ? digit - '0'
                              : 'a' <= digit && digit <= 'f' ? digit - 'a' + 10
                              : 'A' <= digit && digit <= 'F' ? digit - 'A' + 10
                                                             : -1;
            if (value < 0) return false;
            number = number << 4 | static_cast<char32_t>(value);
        }
        return true;
    }

    // The last text as a str; null if it is not UTF-8.
    nb::object str() const {
        const auto size = static_cast<Py_ssize_t>(text_.size());
        if (ascii_) {
            PyObject* object = PyUnicode_New(size, 127);
            if (object == nullptr) throw nb::python_error();
            std::memcpy(PyUnicode_DATA(object), text_.data(), text_.size());
            return nb::steal(object);
        }
        PyObject* object = PyUnicode_DecodeUTF8(text_.data(), size, "strict");
        if (object == nullptr) PyErr_Clear();
        return nb::steal(object);
    }

    nb::object text() { return take_text() ? str() : nb::object(); }

    nb::object list() {
        if (!take('[')) return {};
        nb::list result;
        do {
            nb::object item = text();
            if (!item.is_valid()) return {};
            result.append(item);
        } while (take(','));
        if (!take(']')) return {};
        return nb::steal(PyList_AsTuple(result.ptr()));
    }

    const char* next_;
    const char* end_;
    std::string buffer_;
    std::string_view text_;
    bool escaped_ = false;
    bool ascii_ = true;
};

}  // namespace pyramidion
