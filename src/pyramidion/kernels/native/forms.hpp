// Maps word forms to numbers: an open-addressing table of words of up to 16 bytes, which covers
// nearly all words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "interner.hpp"
#include "tokens.hpp"

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace pyramidion {

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) && \
    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
inline constexpr bool kLittleEndian = false;
#else
inline constexpr bool kLittleEndian = true;
#endif

// The bytes of a word, padded with zeros. No byte of a word is zero, so that padding is unambiguous.
struct Form {
    static constexpr std::size_t kLongest = 16;

    std::uint64_t head = 0;
    std::uint64_t tail = 0;

    // The form of a word in a text that ends at `end`, lower-cased.
    static Form lowered(const unsigned char* start, std::size_t length, const unsigned char* end) {
        constexpr std::uint64_t small = 0x0101010101010101u * kSmall;
        Form form;
        if (kLittleEndian && end - start >= static_cast<std::ptrdiff_t>(kLongest)) {
            std::memcpy(&form.head, start, 8);
            std::memcpy(&form.tail, start + 8, 8);
        } else {
            form = of(start, length);
        }
        form.head = (form.head | small) & kFirstBytes[length + 8];
        form.tail = (form.tail | small) & kFirstBytes[length];
        return form;
    }

    static Form of(const void* bytes, std::size_t length) {
        std::array<unsigned char, kLongest> padded{};
        std::memcpy(padded.data(), bytes, length);
        Form form;
        std::memcpy(&form.head, padded.data(), 8);
        std::memcpy(&form.tail, padded.data() + 8, 8);
        return form;
    }

    bool operator==(const Form& other) const { return head == other.head && tail == other.tail; }

    // Both halves of a product of 128 bits.
    std::uint64_t hash(const std::array<std::uint64_t, 2>& seeds) const {
        const std::uint64_t a = head ^ seeds[0], b = tail ^ seeds[1];
#if defined(__SIZEOF_INT128__)
        const auto product = static_cast<unsigned __int128>(a) * b;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#elif defined(_M_X64)
        std::uint64_t high;
        const std::uint64_t low = _umul128(a, b, &high);
        return low ^ high;
#else
        std::uint64_t hash = (a ^ a >> 29) * 0xBF58476D1CE4E5B9u ^ b;
        hash = (hash ^ hash >> 32) * 0x9E3779B97F4A7C15u;
        return hash ^ hash >> 29;
#endif
    }

private:
    // A lookup table, since word lengths are unpredictable. Entry 8 + n masks the first n bytes, at
    // most 8.
    static constexpr std::array<std::uint64_t, 25> make_first_bytes() {
        std::array<std::uint64_t, 25> masks{};
        for (std::size_t i = 9; i < masks.size(); ++i) {
            const std::uint64_t low = i < 16 ? (std::uint64_t{1} << 8 * (i - 8)) - 1 : ~std::uint64_t{0};
            masks[i] = kLittleEndian || i >= 16 ? low : ~(~std::uint64_t{0} >> 8 * (i - 8));
        }
        return masks;
    }

    static const std::array<std::uint64_t, 25> kFirstBytes;
};

inline constexpr std::array<std::uint64_t, 25> Form::kFirstBytes = Form::make_first_bytes();

class FormTable {
public:
    static constexpr std::int32_t kAbsent = -2;

    std::uint64_t hash(const Form& form) const { return form.hash(seeds_); }

    // The number of a form, or kAbsent.
    std::int32_t find(const Form& form, std::uint64_t hash) const {
        return slots_[locate(form, hash)].number;
    }

    void prefetch(std::uint64_t hash) const {
#if defined(__GNUC__)
        __builtin_prefetch(&slots_[static_cast<std::size_t>(hash) & mask_]);
#else
        static_cast<void>(hash);
#endif
    }

    void add(const Form& form, std::int32_t number) {
        if (4 * (size_ + 1) > slots_.size()) grow();
        slots_[locate(form, hash(form))] = {form, number};
        ++size_;
    }

private:
    struct Slot {
        Form form;
        std::int32_t number = kAbsent;
    };

    std::size_t locate(const Form& form, std::uint64_t hash) const {
        std::size_t slot = static_cast<std::size_t>(hash) & mask_;
        while (!(slots_[slot].form == form) && slots_[slot].number != kAbsent) {
            slot = (slot + 1) & mask_;
        }
        // The empty word, a form of zeros, matches a free slot, which is harmless.
        return slot;
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        slots_.swap(old);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.number != kAbsent) slots_[locate(slot.form, hash(slot.form))] = slot;
        }
    }

    std::array<std::uint64_t, 2> seeds_ = hash_seeds();
    std::vector<Slot> slots_ = std::vector<Slot>(1024);
    std::size_t mask_ = slots_.size() - 1;
    std::size_t size_ = 0;
};

}  // namespace pyramidion
