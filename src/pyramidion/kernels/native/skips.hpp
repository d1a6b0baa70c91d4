// Skip-bigrams that two texts share, see ../overlap.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "texts.hpp"

namespace pyramidion {

// A peer's skip-bigrams, against which models are held: first word by first word, so that a
// table of second words is all that is needed at a time.
class SkipOverlap {
public:
    SkipOverlap(std::size_t vocabulary, std::int64_t gap, bool unigrams)
        : numbers_(vocabulary, kAbsent), gap_(gap), unigrams_(unigrams) {}

    void set_peer(const Words& peer) {
        for (const std::int32_t id : peer_words_) numbers_[static_cast<std::size_t>(id)] = kAbsent;
        peer_words_.clear();
        for (const std::int32_t id : peer) {
            std::int32_t& number = numbers_[static_cast<std::size_t>(id)];
            if (number != kAbsent) continue;
            peer_words_.push_back(id);
            number = static_cast<std::int32_t>(peer_words_.size());
        }
        peer_.read(peer, numbers_, peer_words_.size());
        seconds_.assign(peer_words_.size() + 1, 0);
    }

    std::int64_t hits(const Words& model) {
        model_.read(model, numbers_, peer_words_.size());
        std::int64_t hits = 0;
        for (std::size_t word = 1; word <= peer_words_.size(); ++word) {
            if (peer_.first[word] == kNowhere || model_.first[word] == kNowhere) continue;
            if (unigrams_) hits += std::min(peer_.occurrences(word), model_.occurrences(word));
            peer_.for_each_second(word, gap_, [&](std::int32_t second) { ++seconds_[second]; });
            // kAbsent is never the peer's: its place stays empty.
            model_.for_each_second(word, gap_, [&](std::int32_t second) {
                if (seconds_[second] == 0) return;
                --seconds_[second];
                ++hits;
            });
            peer_.for_each_second(word, gap_, [&](std::int32_t second) { seconds_[second] = 0; });
        }
        return hits;
    }

private:
    static constexpr std::int32_t kAbsent = 0;
    static constexpr std::int32_t kNowhere = -1;

    // A text in numbers of the peer's words, from 1 in their order, and the places of each
    // word, as a chain that starts at the last of them; the text's end is no place.
    struct Chained {
        std::vector<std::int32_t> text;
        std::vector<std::int32_t> first;
        std::vector<std::int32_t> next;

        void read(const Words& words, const std::vector<std::int32_t>& numbers, std::size_t known) {
            text.resize(words.size);
            next.resize(words.size);
            first.assign(known + 1, kNowhere);
            for (std::size_t i = 0; i < words.size; ++i) {
                text[i] = numbers[static_cast<std::size_t>(words[i])];
            }
            for (std::size_t i = 0; i + 1 < words.size; ++i) {
                std::int32_t& last = first[static_cast<std::size_t>(text[i])];
                next[i] = last;
                last = static_cast<std::int32_t>(i);
            }
        }

        std::int64_t occurrences(std::size_t word) const {
            std::int64_t count = 0;
            for (std::int32_t at = first[word]; at != kNowhere; at = next[at]) ++count;
            return count;
        }

        template <class Sink>
        void for_each_second(std::size_t word, std::int64_t gap, Sink&& sink) const {
            const auto size = static_cast<std::int64_t>(text.size());
            for (std::int32_t at = first[word]; at != kNowhere; at = next[at]) {
                const bool limited = gap >= 0 && gap < size - at - 2;
                const std::int64_t end = limited ? at + gap + 2 : size;
                for (std::int64_t i = at + 1; i < end; ++i) sink(text[i]);
            }
        }
    };

    std::vector<std::int32_t> numbers_;
    std::vector<std::int32_t> peer_words_;
    std::vector<std::int64_t> seconds_;
    Chained peer_;
    Chained model_;
    std::int64_t gap_;
    bool unigrams_;
};

}  // namespace pyramidion
