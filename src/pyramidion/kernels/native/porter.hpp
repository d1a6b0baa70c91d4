// The Porter stemmer of ROUGE-1.5.5 and of NLTK; see ../porter.py for the rules.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pyramidion {

struct SuffixRule {
    std::string_view suffix;
    std::string_view replacement;
    std::size_t retained = 0;  // characters of the suffix that belong to the measured stem
};

// Longest first: only the first that matches is tried.
inline constexpr SuffixRule kStep2[] = {
    {"ational", "ate"}, {"ization", "ize"}, {"iveness", "ive"}, {"fulness", "ful"},
    {"ousness", "ous"}, {"tional", "tion"}, {"biliti", "ble"},  {"entli", "ent"},
    {"ousli", "ous"},   {"ation", "ate"},   {"alism", "al"},    {"aliti", "al"},
    {"iviti", "ive"},   {"enci", "ence"},   {"anci", "ance"},   {"izer", "ize"},
    {"alli", "al"},     {"ator", "ate"},    {"logi", "log"},    {"bli", "ble"},
    {"eli", "e"},
};
inline constexpr SuffixRule kStep3[] = {
    {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
    {"ical", "ic"},  {"ness", ""},  {"ful", ""},
};
inline constexpr SuffixRule kStep4a[] = {
    {"ement", ""}, {"ance", ""}, {"ence", ""}, {"able", ""}, {"ible", ""}, {"ant", ""},
    {"ism", ""},   {"ate", ""},  {"iti", ""},  {"ous", ""},  {"ive", ""},  {"ize", ""},
    {"al", ""},    {"er", ""},   {"ic", ""},   {"ou", ""},
};
inline constexpr SuffixRule kStep4b[] = {{"ment", ""}};
inline constexpr SuffixRule kStep4c[] = {{"ent", ""}, {"sion", "s", 1}, {"tion", "t", 1}};

// The l of logi belongs to its stem.
inline constexpr SuffixRule kNltkStep2[] = {{"fulli", "ful"}, {"logi", "log", 1}};

// `Character` is char for ASCII words and char32_t for all others.
template <class Character>
class Porter {
public:
    using Word = std::basic_string<Character>;

    static void stem(Word& word, bool nltk = false) {
        if (word.size() < 3) return;
        Porter porter(word, nltk);
        porter.plural();
        porter.past();
        porter.final_y();
        if (nltk) {
            porter.replace_nltk();
        } else {
            porter.replace(kStep2, 1);
            porter.replace(kStep3, 1);
            porter.replace(kStep4a, 2);
            porter.replace(kStep4b, 2);
            porter.replace(kStep4c, 2);
        }
        porter.final_e();
        porter.final_ll();
    }

private:
    Porter(Word& word, bool nltk) : word_(word), nltk_(nltk) {}

    static bool is_plain_vowel(Character c) {
        return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
    }

    // The shape of the first `length` characters.
    struct Shape {
        std::size_t measure = 0;
        bool has_vowel = false;
        bool short_end = false;  // consonant, vowel, consonant that is not w, x or y
    };

    Shape shape(std::size_t length) const {
        Shape result;
        unsigned last_three = 0;  // a bit for each character, set for a vowel
        bool after_consonant = false;
        for (std::size_t i = 0; i < length; ++i) {
            const Character c = word_[i];
            const bool vowel = is_plain_vowel(c) || (c == 'y' && after_consonant);
            result.has_vowel |= vowel;
            result.measure += !vowel && (last_three & 1);
            last_three = (last_three << 1 | vowel) & 7;
            after_consonant = !vowel;
        }
        const Character last = length > 0 ? word_[length - 1] : 0;
        result.short_end = length > 2 && last_three == 2 && last != 'w' && last != 'x' && last != 'y';
        result.short_end |= nltk_ && length == 2 && last_three == 2;
        return result;
    }

    bool ends(std::string_view suffix) const {
        if (word_.size() < suffix.size()) return false;
        const std::size_t start = word_.size() - suffix.size();
        for (std::size_t i = suffix.size(); i-- > 0;) {
            if (word_[start + i] != static_cast<Character>(suffix[i])) return false;
        }
        return true;
    }

    std::size_t size_without(std::size_t count) const { return word_.size() - count; }
    void drop(std::size_t count) { word_.resize(word_.size() - count); }

    // Returns whether a suffix matched, whatever its stem.
    template <std::size_t Count>
    bool replace(const SuffixRule (&rules)[Count], std::size_t least) {
        for (const SuffixRule& rule : rules) {
            if (!ends(rule.suffix)) continue;
            if (shape(size_without(rule.suffix.size() - rule.retained)).measure >= least) {
                drop(rule.suffix.size());
                word_.append(rule.replacement.begin(), rule.replacement.end());
            }
            return true;
        }
        return false;
    }

    // NLTK's steps 2 to 4.
    void replace_nltk() {
        if (ends("alli") && shape(size_without(4)).measure > 0) drop(2);
        if (!replace(kNltkStep2, 1)) replace(kStep2, 1);
        replace(kStep3, 1);
        if (!replace(kStep4a, 2) && !replace(kStep4b, 2)) replace(kStep4c, 2);
    }

    void plural() {
        if (nltk_ && word_.size() == 4 && ends("ies")) {
            drop(1);
        } else if (ends("sses") || ends("ies")) {
            drop(2);
        } else if (ends("s") && !ends("ss")) {
            drop(1);
        }
    }

    void past() {
        if (nltk_ && ends("ied")) {
            drop(word_.size() == 4 ? 1 : 2);
            return;
        }
        if (ends("eed")) {
            if (shape(size_without(3)).measure > 0) drop(1);
            return;
        }
        const std::size_t suffix = ends("ed") ? 2 : ends("ing") ? 3 : 0;
        if (suffix == 0) return;
        const Shape stem = shape(size_without(suffix));
        if (!stem.has_vowel) return;
        drop(suffix);
        if (ends("at") || ends("bl") || ends("iz")) {
            word_ += 'e';
        } else if (ends_double()) {
            drop(1);
        } else if (stem.measure == 1 && stem.short_end) {
            word_ += 'e';
        }
    }

    bool ends_double() const {
        if (word_.size() < 2) return false;
        const Character last = word_.back();
        if (last != word_[word_.size() - 2]) return false;
        if (last == 'y') return nltk_ && ends_in_consonant(word_.size());
        return !is_plain_vowel(last) && last != 'l' && last != 's' && last != 'z';
    }

    // A y is a consonant unless it follows one.
    bool ends_in_consonant(std::size_t length) const {
        std::size_t start = length;
        while (start > 1 && word_[start - 1] == 'y') --start;
        const bool first = !is_plain_vowel(word_[start - 1]);
        return first == ((length - start) % 2 == 0);
    }

    void final_y() {
        if (!ends("y")) return;
        const std::size_t before = size_without(1);
        if (nltk_ ? before > 1 && ends_in_consonant(before) : shape(before).has_vowel) {
            word_.back() = 'i';
        }
    }

    void final_e() {
        if (!ends("e")) return;
        const Shape stem = shape(size_without(1));
        if (stem.measure > 1 || (stem.measure == 1 && !stem.short_end)) drop(1);
    }

    void final_ll() {
        if (ends("ll") && shape(word_.size()).measure > 1) drop(1);
    }

    Word& word_;
    const bool nltk_;
};

}  // namespace pyramidion
