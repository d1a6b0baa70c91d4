// Words as small numbers, see ../vocabulary.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "interner.hpp"
#include "lexicon.hpp"
#include "tokens.hpp"

namespace pyramidion {

// Numbers of words, with where each sentence and each text begins and where the last ends.
struct Encoded {
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> sentences{0};
    std::vector<std::int64_t> texts{0};

    void end_sentence() { sentences.push_back(static_cast<std::int64_t>(ids.size())); }
    void end_text() { texts.push_back(static_cast<std::int64_t>(sentences.size()) - 1); }
};

// A text whose lines are its sentences, or one whose sentences are given.
struct Document {
    std::vector<TextView> parts;
    bool lines = false;
};

class Vocabulary {
public:
    Vocabulary(const Lexicon& lexicon, bool stem, bool stop_words)
        : lexicon_(lexicon), stem_(stem), drop_stop_words_(stop_words) {}

    std::size_t size() const {
        const std::lock_guard<std::mutex> lock(mutex_);
        return words_.size();
    }

    std::vector<std::string> words() const {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::vector<std::string> words;
        words.reserve(words_.size());
        for (std::size_t i = 0; i < words_.size(); ++i) {
            words.emplace_back(words_[static_cast<std::int32_t>(i)]);
        }
        return words;
    }

    Encoded encode(const std::vector<Document>& documents) {
        const std::lock_guard<std::mutex> lock(mutex_);
        Encoded encoded;
        encoded.ids.reserve(length_of(documents) / kCharactersPerWord);
        const auto sink = [&](std::string_view form) { append(form, encoded.ids); };
        const auto end_sentence = [&] { encoded.end_sentence(); };
        for (const Document& document : documents) {
            for (const TextView& part : document.parts) {
                if (document.lines) {
                    scanner_.scan_lines(part, sink, end_sentence);
                } else {
                    scanner_.scan(part, sink);
                    end_sentence();
                }
            }
            encoded.end_text();
        }
        return encoded;
    }

    std::vector<std::int32_t> encode_words(const std::vector<std::string>& words) {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::vector<std::int32_t> ids;
        ids.reserve(words.size());
        for (const std::string& word : words) append(word, ids);
        return ids;
    }

private:
    static constexpr std::int32_t kDropped = -1;
    static constexpr std::size_t kCharactersPerWord = 5;  // in English, with the blank

    static std::size_t length_of(const std::vector<Document>& documents) {
        std::size_t length = 0;
        for (const Document& document : documents) {
            for (const TextView& part : document.parts) length += part.length;
        }
        return length;
    }

    void append(std::string_view form, std::vector<std::int32_t>& ids) {
        const std::int32_t id = id_of(form);
        if (id != kDropped) ids.push_back(id);
    }

    std::int32_t id_of(std::string_view form) {
        const std::int32_t number = forms_.find(form);
        if (number != Interner::kAbsent) return id_of_form_[static_cast<std::size_t>(number)];
        return add_form(form);
    }

    // A form is stemmed and looked up in the stop list once, when it is first met.
    std::int32_t add_form(std::string_view form) {
        id_of_form_.resize(forms_.size());  // an addition that ran out of memory left one more
        id_of_form_.push_back(new_form(form));
        forms_.add(form);
        return id_of_form_.back();
    }

    std::int32_t new_form(std::string_view form) {
        if (drop_stop_words_ && lexicon_.is_stop_word(form)) return kDropped;
        return stem_ ? words_.add(lexicon_.stem(form)) : words_.add(form);
    }

    const Lexicon& lexicon_;
    const bool stem_;
    const bool drop_stop_words_;
    Scanner scanner_;
    Interner forms_;
    std::vector<std::int32_t> id_of_form_;
    Interner words_;
    mutable std::mutex mutex_;
};

}  // namespace pyramidion
