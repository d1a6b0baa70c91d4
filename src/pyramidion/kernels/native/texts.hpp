// Non-owning views of encoded texts; see ../summaries.py.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pyramidion {

template <class Number>
struct Span {
    const Number* data = nullptr;
    std::size_t size = 0;

    const Number* begin() const { return data; }
    const Number* end() const { return data + size; }
    const Number& operator[](std::size_t i) const { return data[i]; }

    Span part(std::int64_t start, std::int64_t stop) const {
        return {data + start, static_cast<std::size_t>(stop - start)};
    }
};

using Words = Span<std::int32_t>;

struct Texts {
    Words ids;
    Span<std::int64_t> starts;

    Words operator[](std::int64_t text) const { return ids.part(starts[text], starts[text + 1]); }
};

struct Summaries {
    Texts flat;
    Texts sentences;
    Span<std::int64_t> texts;

    // The words of all sentences of a text.
    Words listed(std::int64_t text) const {
        const Span<std::int64_t>& starts = sentences.starts;
        return sentences.ids.part(starts[texts[text]], starts[texts[text + 1]]);
    }

    // Whether a text is the same flat and sentence by sentence.
    bool reads_alike(std::int64_t text) const {
        const Words one = flat[text], other = listed(text);
        return one.data == other.data && one.size == other.size;
    }
};

struct Pairs {
    Span<std::int64_t> peers;
    Span<std::int64_t> models;

    std::size_t size() const { return peers.size; }
};

}  // namespace pyramidion
