// N-grams that two texts share, see ../overlap.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "texts.hpp"

namespace pyramidion {

// An exact map from pairs of numbers to a number, refilled for every text.
class PairTable {
public:
    struct Slot {
        std::uint64_t key;
        std::int32_t value;
    };

    static std::uint64_t key_of(std::int32_t first, std::int32_t second) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32 |
               static_cast<std::uint32_t>(second);
    }

    // Reserves capacity for `size` pairs. A small table is kept nearly empty, so that nearly every
    // search ends at the first slot.
    void clear(std::size_t size) {
        const std::size_t least = size <= kFew ? 8 * size : size + size / 2;
        shift_ = 64 - kFewestBits;
        while ((std::size_t{1} << (64 - shift_)) < least) --shift_;
        mask_ = (std::size_t{1} << (64 - shift_)) - 1;
        if (slots_.size() <= mask_) slots_.resize(mask_ + 1);
        std::fill_n(slots_.begin(), mask_ + 1, Slot{kFree, 0});
        numbers_ = 0;
    }

    // The pair's slot; a new one holds 0.
    Slot& add(std::uint64_t key) {
        Slot& slot = locate(key);
        slot.key = key;
        return slot;
    }

    // Numbers pairs from 1 in order of appearance.
    std::int32_t number(std::uint64_t key) {
        Slot& slot = add(key);
        if (slot.value == 0) slot.value = ++numbers_;
        return slot.value;
    }

    // The pair's slot, or the free slot where it belongs, which holds 0.
    Slot& locate(std::uint64_t key) {
        std::size_t slot = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> shift_);
        // One branch, not two: whether a pair is known is unpredictable.
        while ((slots_[slot].key != key) & (slots_[slot].key != kFree)) {
            slot = (slot + 1) & mask_;
        }
        return slots_[slot];
    }

private:
    static constexpr unsigned kFewestBits = 5;
    static constexpr std::size_t kFew = 4096;
    static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // numbers are never negative

    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    std::int32_t numbers_ = 0;
    unsigned shift_ = 0;
};

// A text's n-grams, with which other texts are compared. An n-gram is a pair of overlapping shorter
// ones, and these are pairs of halves: there are log n tables of pairs, and no n-gram is ever hashed
// or compared as a whole.
class NgramOverlap {
public:
    explicit NgramOverlap(std::int64_t n) : n_(static_cast<std::size_t>(n)) {
        std::size_t levels = 0;
        for (std::size_t width = 1; width < n_ - width; width *= 2) ++levels;
        tables_.resize(levels);
    }

    void prepare(const Words& text) {
        prepared_size_ = text.size;
        if (text.size < n_) return;
        for (PairTable& table : tables_) table.clear(text.size);
        counts_.clear(text.size);
        const auto name = [](PairTable& table, std::uint64_t key) { return table.number(key); };
        for_each_ngram(text, name, [&](std::uint64_t key) { ++counts_.add(key).value; });
    }

    std::int64_t hits(const Words& other) {
        if (prepared_size_ < n_ || other.size < n_) return 0;
        const auto name = [](PairTable& table, std::uint64_t key) {
            const std::int32_t number = table.locate(key).value;
            return number > 0 ? number : kUnknown;
        };
        used_.resize(other.size);
        std::size_t hits = 0;
        for_each_ngram(other, name, [&](std::uint64_t key) {
            PairTable::Slot& slot = counts_.locate(key);
            // A free slot holds 0. Branch-free, since hits are unpredictable.
            const bool hit = slot.value > 0;
            slot.value -= hit;
            used_[hits] = &slot;
            hits += hit;
        });
        for (std::size_t i = 0; i < hits; ++i) ++used_[i]->value;
        return static_cast<std::int64_t>(hits);
    }

private:
    static constexpr std::int32_t kUnknown = -1;

    // Numbers the text's 2-grams, 4-grams, ... with `name(table, key)`, as far as n needs them, and
    // passes every n-gram that may be known to `sink(key)`.
    template <class Name, class Sink>
    void for_each_ngram(const Words& text, Name&& name, Sink&& sink) {
        const std::int32_t* names = text.data;
        std::size_t width = 1;
        std::size_t size = text.size;
        for (PairTable& table : tables_) {
            size -= width;
            names_.resize(std::max(names_.size(), size));
            for (std::size_t i = 0; i < size; ++i) {
                const std::int32_t first = names[i], second = names[i + width];
                const bool known = (first | second) >= 0;
                names_[i] = known ? name(table, PairTable::key_of(first, second)) : kUnknown;
            }
            names = names_.data();
            width *= 2;
        }
        for (std::size_t i = 0; i + n_ <= text.size; ++i) {
            const std::int32_t first = names[i], second = names[i + n_ - width];
            if ((first | second) >= 0) sink(PairTable::key_of(first, second));
        }
    }

    std::size_t n_;
    std::size_t prepared_size_ = 0;
    std::vector<PairTable> tables_;
    PairTable counts_;
    std::vector<std::int32_t> names_;
    std::vector<PairTable::Slot*> used_;
};

}  // namespace pyramidion
