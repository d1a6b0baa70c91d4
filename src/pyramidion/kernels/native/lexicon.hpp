// Irregular forms and stop words, see ../lexicon.py. Logically immutable once built, so that threads
// may share one.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "forms.hpp"
#include "interner.hpp"
#include "porter.hpp"
#include "utf8.hpp"

namespace pyramidion {

inline constexpr std::size_t kShortestStemmed = 4;

class Lexicon {
public:
    explicit Lexicon(bool nltk = false) : nltk_(nltk) {}

    void add_exception(std::string_view form, std::string_view base) {
        const auto number = static_cast<std::size_t>(forms_.add(form));
        if (number == bases_.size()) bases_.emplace_back();
        bases_[number] = base;
    }

    void add_stop_word(std::string_view word) { stop_words_.add(word); }

    bool is_stop_word(std::string_view word) const {
        return stop_words_.find(word) != Interner::kAbsent;
    }

    // The stem of a word in UTF-8; lengths are counted in characters.
    std::string stem(std::string_view word, std::size_t shortest = kShortestStemmed) const {
        const bool ascii = is_ascii(word);
        std::u32string characters;
        if (!ascii) characters = decode_utf8(word);
        if ((ascii ? word.size() : characters.size()) < shortest) return std::string(word);
        const std::int32_t irregular = forms_.find(word);
        if (irregular != Interner::kAbsent) return bases_[static_cast<std::size_t>(irregular)];
        if (!ascii) {
            Porter<char32_t>::stem(characters, nltk_);
            return encode_utf8(characters);
        }
        std::string stem(word);
        Porter<char>::stem(stem, nltk_);
        return stem;
    }

    // The same for a lower-cased ASCII word, with a cache of stems.
    std::string stem(const Form& form, std::string_view word) const {
        const std::lock_guard<std::mutex> lock(remembered_->mutex);
        const std::int32_t number = remembered_->forms.find(form, remembered_->forms.hash(form));
        if (number != FormTable::kAbsent) return remembered_->stems[static_cast<std::size_t>(number)];
        std::string stemmed = stem(word);
        if (remembered_->stems.size() == kMostRemembered) remembered_->forget();
        remembered_->stems.push_back(stemmed);
        remembered_->forms.add(form, static_cast<std::int32_t>(remembered_->stems.size()) - 1);
        return stemmed;
    }

private:
    static constexpr std::size_t kMostRemembered = 1 << 17;

    struct Remembered {
        std::mutex mutex;
        FormTable forms;
        std::vector<std::string> stems;

        void forget() {
            forms = {};
            stems.clear();
        }
    };

    std::unique_ptr<Remembered> remembered_ = std::make_unique<Remembered>();
    bool nltk_;
    Interner forms_;
    std::vector<std::string> bases_;
    Interner stop_words_;
};

}  // namespace pyramidion
