// N-grams that two texts share, see ../overlap.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "texts.hpp"

namespace pyramidion {

// An exact map from pairs of numbers to one number, emptied and filled anew for every text.
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

    // Makes room for `size` pairs.
    void clear(std::size_t size) {
        shift_ = 64 - kFewestBits;
        while ((std::size_t{1} << (64 - shift_)) < 2 * size) --shift_;
        mask_ = (std::size_t{1} << (64 - shift_)) - 1;
        if (slots_.size() <= mask_) slots_.resize(mask_ + 1);
        std::fill_n(slots_.begin(), mask_ + 1, Slot{kFree, 0});
    }

    // The pair's slot; a new one holds 0.
    Slot& add(std::uint64_t key) {
        Slot& slot = locate(key);
        slot.key = key;
        return slot;
    }

    Slot* find(std::uint64_t key) {
        Slot& slot = locate(key);
        return slot.key == key ? &slot : nullptr;
    }

private:
    static constexpr unsigned kFewestBits = 5;
    static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // numbers are never negative

    Slot& locate(std::uint64_t key) {
        std::size_t place = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> shift_);
        while (slots_[place].key != key && slots_[place].key != kFree) place = (place + 1) & mask_;
        return slots_[place];
    }

    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    unsigned shift_ = 0;
};

// A peer's n-grams, against which models are held. An n-gram is a pair of shorter ones that
// overlap, and these are pairs of halves: so there are log n tables of pairs, and no n-gram is
// ever hashed or compared as a whole.
class NgramOverlap {
public:
    explicit NgramOverlap(std::int64_t n) : n_(static_cast<std::size_t>(n)) {
        std::size_t levels = 0;
        for (std::size_t width = 1; width < n_ - width; width *= 2) ++levels;
        tables_.resize(levels);
    }

    void set_peer(const Words& peer) {
        peer_size_ = peer.size;
        if (peer_size_ < n_) return;
        for (PairTable& table : tables_) table.clear(peer_size_);
        counts_.clear(peer_size_);
        std::int32_t last = 0;
        const auto name = [&](PairTable& table, std::uint64_t key) {
            PairTable::Slot& slot = table.add(key);
            if (slot.value == 0) slot.value = ++last;
            return slot.value;
        };
        for_each_ngram(peer, name, [&](std::uint64_t key) { ++counts_.add(key).value; });
    }

    std::int64_t hits(const Words& model) {
        if (peer_size_ < n_ || model.size < n_) return 0;
        const auto name = [](PairTable& table, std::uint64_t key) {
            const PairTable::Slot* slot = table.find(key);
            return slot == nullptr ? kUnknown : slot->value;
        };
        used_.clear();
        for_each_ngram(model, name, [&](std::uint64_t key) {
            PairTable::Slot* slot = counts_.find(key);
            if (slot == nullptr || slot->value == 0) return;
            --slot->value;
            used_.push_back(slot);
        });
        for (PairTable::Slot* slot : used_) ++slot->value;
        return static_cast<std::int64_t>(used_.size());
    }

private:
    static constexpr std::int32_t kUnknown = -1;

    // Numbers the text's 2-grams, 4-grams, ... with `name(table, key)`, as far as n needs them,
    // and hands every n-gram that may be known to `sink(key)`.
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
    std::size_t peer_size_ = 0;
    std::vector<PairTable> tables_;
    PairTable counts_;
    std::vector<std::int32_t> names_;
    std::vector<PairTable::Slot*> used_;
};

}  // namespace pyramidion
