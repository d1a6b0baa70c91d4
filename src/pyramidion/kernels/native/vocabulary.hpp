// Words as small integers, see ../vocabulary.py.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "forms.hpp"
#include "interner.hpp"
#include "lexicon.hpp"
#include "tokens.hpp"

namespace pyramidion {

// Word ids, with the starts of sentences and texts and the end of the last.
struct Encoded {
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> sentences{0};
    std::vector<std::int64_t> texts{0};

    void end_sentence() { sentences.push_back(static_cast<std::int64_t>(ids.size())); }
    void end_text() { texts.push_back(static_cast<std::int64_t>(sentences.size()) - 1); }
};

// A text whose lines are its sentences, or a list of sentences.
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
        Encoded encoded;
        encoded.ids.reserve(length_of(documents) / kCharactersPerWord);
        for (const Document& document : documents) {
            const TextView* parts = document.parts.data();
            encode(parts, parts + document.parts.size(), document.lines ? Ends::lines : Ends::parts, encoded);
        }
        return encoded;
    }

    // What ends a sentence.
    enum class Ends { lines, parts, text };

    // Adds one more text.
    void encode(const TextView* part, const TextView* end, Ends ends, Encoded& encoded) {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (; part != end; ++part) {
            scanner_.scan(*part);
            append_pieces(ends == Ends::lines, encoded);
            if (ends != Ends::text) encoded.end_sentence();
        }
        if (ends == Ends::text) encoded.end_sentence();
        encoded.end_text();
    }

    std::vector<std::int32_t> encode_words(const std::vector<std::string>& words) {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::vector<std::int32_t> ids;
        ids.reserve(words.size());
        for (const std::string& word : words) {
            if (word.size() > Form::kLongest || word.find('\0') != std::string::npos) {
                append_long(word, ids);
            } else {
                const Form form = Form::of(word.data(), word.size());
                append(form, forms_.hash(form), word.size(), ids);
            }
        }
        return ids;
    }

private:
    static constexpr std::int32_t kDropped = -1;
    static constexpr std::size_t kCharactersPerWord = 5;  // in English, including the blank

    static std::size_t length_of(const std::vector<Document>& documents) {
        std::size_t length = 0;
        for (const Document& document : documents) {
            for (const TextView& part : document.parts) length += part.length;
        }
        return length;
    }

    static std::string lowered(const unsigned char* start, std::size_t length) {
        std::string word(reinterpret_cast<const char*>(start), length);
        for (char& c : word) c = static_cast<char>(c | kSmall);
        return word;
    }

    // A few words at a time, so that their table entries are prefetched.
    void append_pieces(bool lines, Encoded& encoded) {
        constexpr std::size_t few = 16;
        std::array<Form, few> forms;
        std::array<std::uint64_t, few> hashes;
        const std::vector<std::size_t>& ends = scanner_.lines();
        std::size_t line = lines ? 0 : ends.size();
        for (std::size_t from = 0; from < scanner_.size(); from += few) {
            const Piece* pieces = scanner_.begin() + from;
            const std::size_t size = std::min(few, scanner_.size() - from);
            for (std::size_t i = 0; i < size; ++i) {
                const std::size_t length = std::min(pieces[i].length, Form::kLongest);
                forms[i] = Form::lowered(pieces[i].start, length, scanner_.end_of_text());
                hashes[i] = forms_.hash(forms[i]);
                forms_.prefetch(hashes[i]);
            }
            for (std::size_t i = 0; i < size; ++i) {
                for (; line < ends.size() && ends[line] == from + i; ++line) encoded.end_sentence();
                if (pieces[i].length <= Form::kLongest) {
                    append(forms[i], hashes[i], pieces[i].length, encoded.ids);
                } else {
                    append_long(lowered(pieces[i].start, pieces[i].length), encoded.ids);
                }
            }
        }
        for (; line < ends.size(); ++line) encoded.end_sentence();
    }

    void append(const Form& form, std::uint64_t hash, std::size_t length, std::vector<std::int32_t>& ids) {
        std::int32_t id = forms_.find(form, hash);
        if (id == FormTable::kAbsent) id = add(form, length);
        if (id != kDropped) ids.push_back(id);
    }

    // A form is stemmed and looked up in the stop list once, when it first occurs.
    std::int32_t add(const Form& form, std::size_t length) {
        std::array<char, Form::kLongest> bytes;
        std::memcpy(bytes.data(), &form.head, 8);
        std::memcpy(bytes.data() + 8, &form.tail, 8);
        const std::string_view word(bytes.data(), length);
        const bool ascii = ((form.head | form.tail) & 0x8080808080808080u) == 0;
        const std::int32_t id = !stem_ || !ascii ? new_form(word)
                                : is_dropped(word) ? kDropped
                                                   : words_.add(lexicon_.stem(form, word));
        forms_.add(form, id);
        return id;
    }

    void append_long(std::string_view form, std::vector<std::int32_t>& ids) {
        const std::int32_t number = long_forms_.find(form);
        const std::int32_t id =
            number != Interner::kAbsent ? id_of_form_[static_cast<std::size_t>(number)] : add_long(form);
        if (id != kDropped) ids.push_back(id);
    }

    std::int32_t add_long(std::string_view form) {
        id_of_form_.resize(long_forms_.size());  // one larger if an earlier insertion ran out of memory
        id_of_form_.push_back(new_form(form));
        long_forms_.add(form);
        return id_of_form_.back();
    }

    bool is_dropped(std::string_view form) const {
        return drop_stop_words_ && lexicon_.is_stop_word(form);
    }

    std::int32_t new_form(std::string_view form) {
        if (is_dropped(form)) return kDropped;
        return stem_ ? words_.add(lexicon_.stem(form)) : words_.add(form);
    }

    const Lexicon& lexicon_;
    const bool stem_;
    const bool drop_stop_words_;
    Scanner scanner_;
    FormTable forms_;
    Interner long_forms_;
    std::vector<std::int32_t> id_of_form_;
    Interner words_;
    mutable std::mutex mutex_;
};

}  // namespace pyramidion
