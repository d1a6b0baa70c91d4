// Skip-bigrams that two texts share, see ../overlap.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "texts.hpp"

namespace pyramidion {

// A text's skip-bigrams, with which other texts are compared: one first word at a time, so that only
// a table of second words is needed.
class SkipOverlap {
public:
    SkipOverlap(std::size_t vocabulary, std::int64_t gap, bool unigrams)
        : numbers_(vocabulary, kAbsent), gap_(gap), unigrams_(unigrams) {}

    void prepare(const Words& text) {
        for (const std::int32_t id : words_) numbers_[static_cast<std::size_t>(id)] = kAbsent;
        words_.clear();
        for (const std::int32_t id : text) {
            std::int32_t& number = numbers_[static_cast<std::size_t>(id)];
            if (number != kAbsent) continue;
            words_.push_back(id);
            number = static_cast<std::int32_t>(words_.size());
        }
        prepared_.read(text, numbers_, words_.size());
        seconds_.assign(words_.size() + 1, 0);
    }

    std::int64_t hits(const Words& other) {
        other_.read(other, numbers_, words_.size());
        std::int64_t hits = 0;
        for (std::size_t word = 1; word <= words_.size(); ++word) {
            if (prepared_.first[word] == kNowhere || other_.first[word] == kNowhere) continue;
            if (unigrams_) hits += std::min(prepared_.occurrences(word), other_.occurrences(word));
            prepared_.for_each_second(word, gap_, [&](std::int32_t second, std::int64_t times) {
                seconds_[second] += times;
            });
            // kAbsent is not a word of the prepared text; its entry stays empty.
            other_.for_each_second(word, gap_, [&](std::int32_t second, std::int64_t times) {
                const std::int64_t taken = std::min(seconds_[second], times);
                seconds_[second] -= taken;
                hits += taken;
            });
            prepared_.for_each_second(word, gap_, [&](std::int32_t second, std::int64_t) {
                seconds_[second] = 0;
            });
        }
        return hits;
    }

private:
    static constexpr std::int32_t kAbsent = 0;
    static constexpr std::int32_t kNowhere = -1;

    // A text as numbers of the prepared text's words (from 1 in order of appearance), and the
    // positions of each word as a chain from the last one back; the text's last word is excluded.
    struct Chained {
        std::vector<std::int32_t> text;
        std::vector<std::int32_t> first;
        std::vector<std::int32_t> next;

        void read(const Words& words, const std::vector<std::int32_t>& numbers, std::size_t distinct) {
            text.resize(words.size);
            next.resize(words.size);
            first.assign(distinct + 1, kNowhere);
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

        // Passes the second words of all pairs to `sink(second, times)`.
        template <class Sink>
        void for_each_second(std::size_t word, std::int64_t gap, Sink&& sink) const {
            const auto size = static_cast<std::int64_t>(text.size());
            const std::int64_t reach = gap < 0 || gap >= size ? size : gap + 1;
            if (occurrences(word) > size / reach) {
                return slide(static_cast<std::int32_t>(word), reach, sink);
            }
            for (std::int32_t at = first[word]; at != kNowhere; at = next[at]) {
                const std::int64_t end = std::min(size, at + reach + 1);
                for (std::int64_t i = at + 1; i < end; ++i) sink(text[i], 1);
            }
        }

        // For very frequent words: one pass over the text that counts the occurrences in reach.
        template <class Sink>
        void slide(std::int32_t word, std::int64_t reach, Sink&& sink) const {
            std::int64_t near = 0;
            for (std::int64_t i = 1; i < static_cast<std::int64_t>(text.size()); ++i) {
                near += text[i - 1] == word;
                if (i > reach) near -= text[i - 1 - reach] == word;
                if (near > 0) sink(text[i], near);
            }
        }
    };

    std::vector<std::int32_t> numbers_;
    std::vector<std::int32_t> words_;
    std::vector<std::int64_t> seconds_;
    Chained prepared_;
    Chained other_;
    std::int64_t gap_;
    bool unigrams_;
};

}  // namespace pyramidion
