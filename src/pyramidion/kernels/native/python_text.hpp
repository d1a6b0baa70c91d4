// From Python's str, bytes and lists to views of their characters, and back.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tokens.hpp"
#include "utf8.hpp"
#include "vocabulary.hpp"

namespace pyramidion {

namespace nb = nanobind;

inline std::string name_of_type(nb::handle value) {
    return nb::str(value.type().attr("__name__")).c_str();
}

[[noreturn]] inline void raise_type_error(const std::string& message) {
    throw nb::type_error(message.c_str());
}

inline bool is_text(nb::handle value) {
    return PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr());
}

inline TextView view_str(nb::handle text) {
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(text.ptr()) < 0) throw nb::python_error();
#endif
    return {PyUnicode_DATA(text.ptr()), static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.ptr())),
            static_cast<int>(PyUnicode_KIND(text.ptr()))};
}

// The caller has checked is_text().
inline TextView view(nb::handle text) {
    if (PyUnicode_Check(text.ptr())) return view_str(text);
    return {PyBytes_AS_STRING(text.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(text.ptr())), 1};
}

// Calls a function with the characters of a text, whatever their width.
template <class Function>
auto with_units(const TextView& text, Function function) {
    if (text.width == 1) return function(static_cast<const std::uint8_t*>(text.data));
    if (text.width == 2) return function(static_cast<const std::uint16_t*>(text.data));
    return function(static_cast<const std::uint32_t*>(text.data));
}

inline nb::object fast_sequence(nb::handle values, const char* message) {
    PyObject* sequence = PySequence_Fast(values.ptr(), message);
    if (sequence == nullptr) throw nb::python_error();
    return nb::steal(sequence);
}

// Views of many texts, with references that keep them alive while the GIL is released.
class Documents {
public:
    explicit Documents(nb::handle texts) {
        if (is_text(texts)) {
            raise_type_error("texts must be a sequence of texts, not one " + name_of_type(texts));
        }
        const nb::object sequence = fast_sequence(texts, "texts must be a sequence of texts");
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.ptr()); ++i) {
            add(nb::borrow(PySequence_Fast_GET_ITEM(sequence.ptr(), i)), i);
        }
    }

    const std::vector<Document>& get() const { return documents_; }

private:
    void add(nb::object text, Py_ssize_t position) {
        Document& document = documents_.emplace_back();
        if (is_text(text)) {
            document.lines = true;
            keep(document, std::move(text));
            return;
        }
        if (!PyList_Check(text.ptr()) && !PyTuple_Check(text.ptr())) refuse(text, position);
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(text.ptr()); ++i) {
            nb::object sentence = nb::borrow(PySequence_Fast_GET_ITEM(text.ptr(), i));
            if (!is_text(sentence)) refuse(sentence, position);
            keep(document, std::move(sentence));
        }
    }

    void keep(Document& document, nb::object text) {
        document.parts.push_back(view(text));
        alive_.push_back(std::move(text));
    }

    [[noreturn]] static void refuse(nb::handle value, Py_ssize_t position) {
        raise_type_error("texts[" + std::to_string(position) +
                         "] must be str, bytes or a list of these, not " + name_of_type(value));
    }

    std::vector<Document> documents_;
    std::vector<nb::object> alive_;
};

inline std::string utf8_of(nb::handle word) {
    const TextView text = view_str(word);
    if (PyUnicode_IS_ASCII(word.ptr())) return {static_cast<const char*>(text.data), text.length};
    std::string utf8;
    for (std::size_t i = 0; i < text.length; ++i) {
        append_utf8(utf8, PyUnicode_READ(text.width, text.data, i));
    }
    return utf8;
}

inline std::vector<std::string> utf8_of_each(nb::handle words) {
    if (is_text(words)) {
        raise_type_error("words must be a sequence of str, not " + name_of_type(words));
    }
    const nb::object sequence = fast_sequence(words, "words must be a sequence of str");
    std::vector<std::string> all;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.ptr()); ++i) {
        const nb::handle word = PySequence_Fast_GET_ITEM(sequence.ptr(), i);
        if (!PyUnicode_Check(word.ptr())) {
            raise_type_error("words[" + std::to_string(i) + "] must be str, not " + name_of_type(word));
        }
        all.push_back(utf8_of(word));
    }
    return all;
}

inline nb::object str_of(std::string_view utf8) {
    PyObject* text = PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()),
                                          "surrogatepass");
    if (text == nullptr) throw nb::python_error();
    return nb::steal(text);
}

}  // namespace pyramidion
