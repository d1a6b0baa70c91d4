// Maps strings to dense numbers 0, 1, 2, ...: an open-addressing table over one arena.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pyramidion {

// Random per process, so that no text can be crafted whose words all collide.
inline const std::array<std::uint64_t, 2>& hash_seeds() {
    static const std::array<std::uint64_t, 2> seeds = [] {
        std::random_device device;
        const auto random = [&] { return std::uint64_t{device()} << 32 | device(); };
        return std::array<std::uint64_t, 2>{random(), random()};
    }();
    return seeds;
}

class Interner {
public:
    static constexpr std::int32_t kAbsent = -1;

    static std::uint64_t hash_of(std::string_view text) { return Key(text).hash; }

    std::size_t size() const { return entries_.size(); }

    std::string_view operator[](std::int32_t number) const {
        const Entry& entry = entries_[static_cast<std::size_t>(number)];
        return {arena_.data() + entry.start, entry.length};
    }

    std::int32_t find(std::string_view text) const { return slots_[locate(Key(text))].number; }

    // The text's number; a new text gets the next one.
    std::int32_t add(std::string_view text) {
        const Key key(text);
        const std::int32_t number = slots_[locate(key)].number;
        return number != kAbsent ? number : insert(key);
    }

private:
    // A text with its first and last eight bytes, which usually cover it. In shorter texts they
    // overlap, so that no loop over bytes is needed.
    struct Key {
        std::string_view text;
        std::uint64_t head = 0;
        std::uint64_t tail = 0;
        std::uint64_t hash;

        explicit Key(std::string_view characters) : text(characters) {
            const char* bytes = text.data();
            const std::size_t length = text.size();
            if (length >= 8) {
                head = read<std::uint64_t>(bytes);
                tail = read<std::uint64_t>(bytes + length - 8);
            } else if (length >= 4) {
                head = read<std::uint32_t>(bytes);
                tail = read<std::uint32_t>(bytes + length - 4);
            } else if (length > 0) {
                head = read<std::uint8_t>(bytes) << 8 | read<std::uint8_t>(bytes + length / 2);
                tail = read<std::uint8_t>(bytes + length - 1);
            }
            hash = mix(mix(hash_seeds()[0] ^ 0xD6E8FEB86659FD93u * (length + 1), head), tail);
            for (std::size_t i = 8; i + 8 < length; i += 8) {
                hash = mix(hash, read<std::uint64_t>(bytes + i));
            }
            hash *= 0xBF58476D1CE4E5B9u;
            hash ^= hash >> 32;
        }

        bool is_whole() const { return text.size() <= 16; }
    };

    struct Slot {
        std::uint64_t head;
        std::uint64_t tail;
        std::uint32_t length;  // of longer texts, the lower half
        std::int32_t number;
    };
    struct Entry {
        std::size_t start;
        std::size_t length;
        std::uint64_t hash;
    };

    static constexpr Slot kFree{0, 0, 0, kAbsent};
    static constexpr std::size_t kFirstSlots = 256;

    template <class Number>
    static std::uint64_t read(const char* bytes) {
        Number number;
        std::memcpy(&number, bytes, sizeof(number));
        return number;
    }

    static std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        return hash ^ (hash >> 29);
    }

    // The key's slot, or the free slot where it belongs.
    std::size_t locate(const Key& key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot_index = static_cast<std::size_t>(key.hash) & mask;
        while (slots_[slot_index].number != kAbsent && !holds(slots_[slot_index], key)) {
            slot_index = (slot_index + 1) & mask;
        }
        return slot_index;
    }

    bool holds(const Slot& slot, const Key& key) const {
        return slot.head == key.head && slot.tail == key.tail &&
               slot.length == static_cast<std::uint32_t>(key.text.size()) &&
               (key.is_whole() || (*this)[slot.number] == key.text);
    }

    // If memory runs out here, the table is left unchanged.
    std::int32_t insert(const Key& key) {
        if (entries_.size() >= std::numeric_limits<std::int32_t>::max()) {
            throw std::length_error("a vocabulary holds at most 2,147,483,647 words");
        }
        if (2 * (entries_.size() + 1) > slots_.size()) grow();
        const auto number = static_cast<std::int32_t>(entries_.size());
        const std::size_t start = arena_.size();
        arena_.append(key.text);
        entries_.push_back({start, key.text.size(), key.hash});
        slots_[locate(key)] = {key.head, key.tail, static_cast<std::uint32_t>(key.text.size()),
                               number};
        return number;
    }

    void grow() {
        std::vector<Slot> slots(2 * slots_.size(), kFree);
        const std::size_t mask = slots.size() - 1;
        for (const Slot& slot : slots_) {
            if (slot.number == kAbsent) continue;
            const std::uint64_t hash = entries_[static_cast<std::size_t>(slot.number)].hash;
            std::size_t slot_index = static_cast<std::size_t>(hash) & mask;
            while (slots[slot_index].number != kAbsent) slot_index = (slot_index + 1) & mask;
            slots[slot_index] = slot;
        }
        slots_.swap(slots);
    }

    std::vector<Slot> slots_ = std::vector<Slot>(kFirstSlots, kFree);
    std::vector<Entry> entries_;
    std::string arena_;
};

}  // namespace pyramidion
