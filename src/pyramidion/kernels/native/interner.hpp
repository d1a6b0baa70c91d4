// Strings as dense numbers 0, 1, 2, ...: an open-addressing table over one arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pyramidion {

class Interner {
public:
    static constexpr std::int32_t kAbsent = -1;

    std::size_t size() const { return entries_.size(); }

    std::string_view operator[](std::int32_t number) const {
        const Entry& entry = entries_[static_cast<std::size_t>(number)];
        return {arena_.data() + entry.start, entry.length};
    }

    std::int32_t find(std::string_view key) const {
        return slots_[locate(key, hash_of(key))].number;
    }

    // The key's number; a new key gets the next one.
    std::int32_t add(std::string_view key) {
        const std::uint64_t hash = hash_of(key);
        const std::size_t place = locate(key, hash);
        return slots_[place].number != kAbsent ? slots_[place].number : insert(key, hash);
    }

private:
    struct Slot {
        std::uint32_t tag;  // upper half of the hash: spares most comparisons of bytes
        std::int32_t number;
    };
    struct Entry {
        std::size_t start;
        std::size_t length;
        std::uint64_t hash;
    };

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

    // Whole words are read from both ends, overlapping, so that no byte loop is needed.
    static std::uint64_t hash_of(std::string_view key) {
        const char* bytes = key.data();
        const std::size_t length = key.size();
        std::uint64_t hash = 0xD6E8FEB86659FD93u * (length + 1);
        if (length >= 8) {
            for (std::size_t i = 0; i + 8 < length; i += 8) {
                hash = mix(hash, read<std::uint64_t>(bytes + i));
            }
            hash = mix(hash, read<std::uint64_t>(bytes + length - 8));
        } else if (length >= 4) {
            hash = mix(hash, read<std::uint32_t>(bytes) << 32 |
                                 read<std::uint32_t>(bytes + length - 4));
        } else if (length > 0) {
            hash = mix(hash, read<std::uint8_t>(bytes) << 16 |
                                 read<std::uint8_t>(bytes + length / 2) << 8 |
                                 read<std::uint8_t>(bytes + length - 1));
        }
        hash *= 0xBF58476D1CE4E5B9u;
        return hash ^ (hash >> 32);
    }

    // As hash_of reads; words are so short that a call of memcmp costs more.
    static bool same(std::string_view left, std::string_view right) {
        if (left.size() != right.size()) return false;
        const char* a = left.data();
        const char* b = right.data();
        const std::size_t length = left.size();
        if (length > 16) return std::memcmp(a, b, length) == 0;
        if (length >= 8) return same_ends<std::uint64_t>(a, b, length);
        if (length >= 4) return same_ends<std::uint32_t>(a, b, length);
        if (length >= 2) return same_ends<std::uint16_t>(a, b, length);
        return length == 0 || *a == *b;
    }

    template <class Number>
    static bool same_ends(const char* a, const char* b, std::size_t length) {
        const std::size_t last = length - sizeof(Number);
        return ((read<Number>(a) ^ read<Number>(b)) |
                (read<Number>(a + last) ^ read<Number>(b + last))) == 0;
    }

    static std::uint32_t tag_of(std::uint64_t hash) {
        return static_cast<std::uint32_t>(hash >> 32);
    }

    // The key's slot, or the free one where it belongs.
    std::size_t locate(std::string_view key, std::uint64_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = static_cast<std::size_t>(hash) & mask;
        while (slots_[place].number != kAbsent && !holds(slots_[place], key, hash)) {
            place = (place + 1) & mask;
        }
        return place;
    }

    bool holds(const Slot& slot, std::string_view key, std::uint64_t hash) const {
        return slot.tag == tag_of(hash) && same((*this)[slot.number], key);
    }

    // Whatever runs out of memory here leaves the table as it was.
    std::int32_t insert(std::string_view key, std::uint64_t hash) {
        if (entries_.size() >= std::numeric_limits<std::int32_t>::max()) {
            throw std::length_error("a vocabulary holds at most 2,147,483,647 words");
        }
        if (2 * (entries_.size() + 1) > slots_.size()) grow();
        const auto number = static_cast<std::int32_t>(entries_.size());
        const std::size_t start = arena_.size();
        arena_.append(key);
        entries_.push_back({start, key.size(), hash});
        slots_[locate(key, hash)] = {tag_of(hash), number};
        return number;
    }

    void grow() {
        std::vector<Slot> slots(2 * slots_.size(), Slot{0, kAbsent});
        const std::size_t mask = slots.size() - 1;
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            std::size_t place = static_cast<std::size_t>(entries_[i].hash) & mask;
            while (slots[place].number != kAbsent) place = (place + 1) & mask;
            slots[place] = {tag_of(entries_[i].hash), static_cast<std::int32_t>(i)};
        }
        slots_.swap(slots);
    }

    std::vector<Slot> slots_ = std::vector<Slot>(kFirstSlots, Slot{0, kAbsent});
    std::vector<Entry> entries_;
    std::string arena_;
};

}  // namespace pyramidion
