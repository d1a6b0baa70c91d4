// Hits on unions of longest common subsequences between summaries, see ../subsequences.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "alignment.hpp"
#include "bits.hpp"
#include "lcs.hpp"
#include "texts.hpp"

namespace pyramidion {

// `Rule` is Lcs or WeightedLcs.
template <class Rule>
class LcsOverlap {
public:
    LcsOverlap(const Summaries& all, Rule rule) : all_(all), rule_(std::move(rule)) {}

    // Word ids are below this.
    void make_room(std::size_t vocabulary) {
        if (number_of_word_.size() < vocabulary) number_of_word_.resize(vocabulary, kNotInModel);
    }

    std::int64_t hits(std::int64_t peer, std::int64_t model) {
        mark(peer, model);
        std::int64_t hits = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if (marks_[i]) hits += take(words_[i]);
        }
        return hits;
    }

    double weight_of_hits(std::int64_t peer, std::int64_t model, const std::vector<double>& power) {
        mark(peer, model);
        double total = 0.0;
        std::size_t start = 0;
        for (std::int64_t s = all_.texts[model]; s < all_.texts[model + 1]; ++s) {
            const std::size_t end = start + all_.sentences[s].size;
            add_runs(start, end, power, total);
            start = end;
        }
        return total;
    }

private:
    static constexpr std::int32_t kNotInModel = 0;

    // Marks the words of the model on the longest common subsequence of their sentence with any
    // sentence of the peer, and counts the occurrences of each word in both flat texts.
    void mark(std::int64_t peer, std::int64_t model) {
        const Words listed = all_.listed(model);
        number_words(listed);
        left_.assign(numbers_, {});
        for (const std::int32_t id : all_.flat[peer]) ++left_[number_of_word_[id]].in_peer;
        for (const std::int32_t id : all_.flat[model]) ++left_[number_of_word_[id]].in_model;
        marks_.assign(listed.size, 0);
        for (std::int64_t s = all_.texts[peer]; s < all_.texts[peer + 1];) {
            s = columns_.take(all_.sentences, s, all_.texts[peer + 1]);
            if (columns_.words() == 1) {
                mark_sentences(OneWord(), model);
            } else if (columns_.words() > 1) {
                mark_sentences(columns_.words(), model);
            }
        }
        for (const std::int32_t id : listed) number_of_word_[id] = kNotInModel;
    }

    // Numbers the model's words from 1 in order of appearance.
    void number_words(const Words& listed) {
        words_.resize(listed.size);
        numbers_ = 1;
        for (std::size_t i = 0; i < listed.size; ++i) {
            std::int32_t& number = number_of_word_[listed[i]];
            if (number == kNotInModel) number = static_cast<std::int32_t>(numbers_++);
            words_[i] = number;
        }
    }

    template <class Size>
    void mark_sentences(Size words, std::int64_t model) {
        find_meetings(words);
        std::size_t start = 0;
        for (std::int64_t s = all_.texts[model]; s < all_.texts[model + 1]; ++s) {
            const std::size_t size = all_.sentences[s].size;
            if (rows_left_.size() < size * words) rows_left_.resize(size * words);
            const Rows rows{meetings_.data(), words_.data() + start, size, rows_left_.data()};
            rule_.fill(words, columns_, rows);
            Paths<Size>(words, columns_).trace(rows, marks_.data() + start);
            start += size;
        }
    }

    // A row of bits for each word of the model. The first is for words that the model lacks.
    template <class Size>
    void find_meetings(Size words) {
        meetings_.assign(numbers_ * words, 0);
        for (const Columns::Sentence& sentence : columns_.sentences) {
            const std::int32_t* id = sentence.ids;
            for (std::size_t position = sentence.start; position < sentence.end; ++position) {
                const auto number = static_cast<std::size_t>(number_of_word_[*id++]);
                meetings_[number * words + word_of(position)] |= bit_of(position);
            }
        }
    }

    // One running total over all sentences: the last bit depends on the order.
    void add_runs(std::size_t start, std::size_t end, const std::vector<double>& power,
                  double& total) {
        std::size_t run = 0;
        for (std::size_t i = start; i < end; ++i) {
            if (!marks_[i] || !take(words_[i])) continue;
            ++run;
            if (i + 1 < end && marks_[i + 1]) continue;
            total += power[run];
            run = 0;
        }
    }

    // Consumes an occurrence of a word; returns false if none is left.
    bool take(std::int32_t word) {
        Left& left = left_[word];
        if (left.in_peer == 0 || left.in_model == 0) return false;
        --left.in_peer;
        --left.in_model;
        return true;
    }

    struct Left {
        std::int32_t in_peer = 0;
        std::int32_t in_model = 0;
    };

    const Summaries& all_;
    std::vector<std::int32_t> number_of_word_;
    Rule rule_;
    Columns columns_;
    std::size_t numbers_ = 0;
    std::vector<std::int32_t> words_;  // of the model, as numbers
    std::vector<Left> left_;           // by number
    std::vector<Bits> meetings_;       // by number
    std::vector<Bits> rows_left_;
    std::vector<unsigned char> marks_;
};

}  // namespace pyramidion
