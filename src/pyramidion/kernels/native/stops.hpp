// Sentence splitting, see ../stops.py: most full stops are decided here.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interner.hpp"

namespace pyramidion {

// The first position at which `holds` is true, or `end`. Blocks of characters are tested at once,
// without branches, as long as it holds for none of them.
template <class Unit, class Holds>
std::size_t first_of(const Unit* text, std::size_t position, std::size_t end, Holds holds) {
    constexpr std::size_t many = 32;
    for (; position + many <= end; position += many) {
        Unit any = 0;
        for (std::size_t i = 0; i < many; ++i) any |= static_cast<Unit>(holds(text[position + i]));
        if (any != 0) break;
    }
    while (position < end && !holds(text[position])) ++position;
    return position;
}

class Stops {
public:
    using Span = std::pair<std::size_t, std::size_t>;
    enum class Kind { kOther, kTitle, kStreetOrName };

    explicit Stops(const std::u32string& marks) : wide_(marks) {
        for (const char32_t mark : marks) {
            if (mark < narrow_.size()) narrow_[mark] = true;
            if (mark >= 128) continue;
            if (ascii_marks_ < ascii_.size()) ascii_[ascii_marks_] = static_cast<unsigned char>(mark);
            ++ascii_marks_;
        }
    }

    void add(std::string_view abbreviation, Kind kind) {
        if (static_cast<std::size_t>(forms_.add(abbreviation)) == kinds_.size()) kinds_.push_back(kind);
        if (abbreviation.size() >= kTail) tails_.add(abbreviation.substr(abbreviation.size() - kTail));
    }

    // Adds the sentences of a paragraph. `judge(begin, mark, end)` returns where reading continues
    // after an unclear mark, negated if no sentence ends; `space` detects white space.
    template <class Unit, class Judge, class Space>
    void split(const Unit* text, std::size_t length, Span paragraph, bool caseless, Judge judge,
               Space space, std::vector<Span>& sentences) const {
        auto [begin, end] = paragraph;
        for (std::size_t position = begin; (position = next_mark(text, position, end)) + 1 < end; ++position) {
            if (is_within_word(text[position], text[position + 1])) continue;
            const Stop stop = text[position] == '.' ? plain(text, length, begin, position, caseless) : Stop{};
            std::size_t read = stop.read;
            bool ends = stop.verdict == Verdict::kEnds;
            if (stop.verdict == Verdict::kUnknown) {
                const auto judged = judge(begin, position, end);
                ends = judged > 0;
                read = std::min(static_cast<std::size_t>(ends ? judged : -judged), end);
            } else if (ends) {
                ends = !inside_brackets(text, begin, read, end);
            }
            if (ends && read > begin) {
                sentences.emplace_back(begin, read);
                for (begin = read; begin < end && space(text[begin]);) ++begin;
            }
            position = std::max(position, read - (read > 0));
        }
        sentences.emplace_back(begin, end);
    }

private:
    enum class Verdict { kUnknown, kEnds, kGoesOn };
    struct Stop {
        Verdict verdict = Verdict::kUnknown;
        std::size_t read = 0;
    };

    static constexpr std::size_t kLongestBracket = 400;
    static constexpr std::size_t kLongestForm = 32;
    static constexpr std::size_t kTail = 3;
    static constexpr char32_t kOpens = U'\u201C', kCloses = U'\u201D';

    template <class Unit>
    std::size_t next_mark(const Unit* text, std::size_t position, std::size_t end) const {
        const auto [a, b, c, d] = ascii_;
        const auto may_be = [=](Unit u) { return u == a || u == b || u == c || u == d || u > 127; };
        const bool few = ascii_marks_ <= ascii_.size();
        for (;; ++position) {
            if (few) position = first_of(text, position, end, may_be);
            if (position >= end || is_mark(text[position])) return position;
        }
    }

    template <class Unit>
    bool is_mark(Unit c) const {
        return c < narrow_.size() ? narrow_[c] : wide_.find(static_cast<char32_t>(c)) != wide_.npos;
    }

    // A mark before a letter or a comma: in `3.5`, or `p.m.,`
    static bool is_within_word(char32_t mark, char32_t next) {
        return mark < 128 && (is_small(next) || is_capital(next) || is_digit(next) || next == ',');
    }

    static bool is_small(char32_t c) { return c >= 'a' && c <= 'z'; }
    static bool is_capital(char32_t c) { return c >= 'A' && c <= 'Z'; }
    static bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }

    // Decides by the word before a full stop and the letter after it.
    template <class Unit>
    Stop plain(const Unit* text, std::size_t length, std::size_t begin, std::size_t position,
               bool caseless) const {
        const auto at = [&](std::size_t i) { return i < length ? char32_t{text[i]} : U'\0'; };
        std::size_t read = position + 1;
        if (at(read) == '"' || at(read) == kCloses) ++read;
        if (at(read) != ' ') return {};
        if (read == position + 1 && ends_apart(text, length, begin, position, caseless)) return {Verdict::kEnds, read};
        const bool quoted = at(read + 1) == '"' || at(read + 1) == kOpens;
        if (is_capital(at(read + 1 + quoted))) return before_capital(text, begin, position, read);
        const char32_t next = at(position + 2), then = at(position + 3);
        const bool no_item = is_digit(next) || (is_small(next) && then != '.' && then != ')');
        if (caseless || read > position + 1 || !no_item) return {};
        return find(Word(text, begin, position)) == Interner::kAbsent ? Stop{} : Stop{Verdict::kGoesOn, read};
    }

    // A full stop between blanks, as in tokenized text, or before several blanks, or in a text
    // without capitals: it ends a sentence if a word follows and no abbreviation precedes it.
    template <class Unit>
    bool ends_apart(const Unit* text, std::size_t length, std::size_t begin, std::size_t position,
                    bool caseless) const {
        const bool alone = position > begin + 1 && text[position - 1] == ' ';
        std::size_t next = position + 2;
        while (next < length && text[next] == ' ') ++next;
        if (!(alone || caseless || next > position + 2) || next + 1 >= length) return false;
        const bool small = is_small(text[next]), item = text[next + 1] == '.' || text[next + 1] == ')';
        if (small && !caseless) return alone && !item;
        if (!small && !is_capital(text[next])) return false;
        Word word(text, begin, position - alone);
        if (word.digits) return word.size > 2;
        if (!word.plain || find(word) != Interner::kAbsent) return false;
        if (caseless) word.bytes[0] = static_cast<char>(word.bytes[0] - 'a' + 'A');
        return !caseless || find(word) == Interner::kAbsent;
    }

    template <class Unit>
    Stop before_capital(const Unit* text, std::size_t begin, std::size_t position, std::size_t read) const {
        if (position >= begin + kTail && is_plain(text + position - kTail)) {
            const std::array<char, kTail> tail{char(text[position - 3]), char(text[position - 2]), char(text[position - 1])};
            if (tails_.find({tail.data(), kTail}) == Interner::kAbsent) return {Verdict::kEnds, read};
        }
        const Word word(text, begin, position);
        const std::int32_t form = find(word);
        if (form == Interner::kAbsent) return word.plain ? Stop{Verdict::kEnds, read} : Stop{};
        const Kind kind = kinds_[static_cast<std::size_t>(form)];
        const bool is_name = kind == Kind::kStreetOrName && is_name_in(text, begin, position - word.size);
        return is_name || kind == Kind::kTitle ? Stop{Verdict::kGoesOn, read} : Stop{};
    }

    // Whether the word that begins here opens the sentence, or follows one without a capital.
    template <class Unit>
    static bool is_name_in(const Unit* text, std::size_t begin, std::size_t word) {
        if (word <= begin + 1) return true;
        std::size_t before = word - 1;
        while (before > begin && text[before - 1] != ' ') --before;
        return is_small(text[before]);
    }

    // Letters and digits that do not end in a capital.
    template <class Unit>
    static bool is_plain(const Unit* tail) {
        const auto is_word = [](char32_t c) { return is_small(c) || is_capital(c) || is_digit(c); };
        return is_word(tail[0]) && is_word(tail[1]) && (is_small(tail[2]) || is_digit(tail[2]));
    }

    // The characters between a blank and a full stop; empty if any is not ASCII.
    struct Word {
        std::array<char, kLongestForm> bytes;
        std::size_t size = 0;
        bool plain = false;  // letters, and small ones among them
        bool digits = false;

        template <class Unit>
        Word(const Unit* text, std::size_t begin, std::size_t position) {
            bool letters = true, small = false, all_digits = true;
            std::size_t from = position;
            for (; from > begin && text[from - 1] != ' '; --from) {
                const char32_t c = text[from - 1];
                if (c > 127 || position - from == kLongestForm) return;
                letters = letters && (is_small(c) || is_capital(c));
                small = small || is_small(c);
                all_digits = all_digits && is_digit(c);
            }
            size = position - from;
            plain = letters && small && size > 1;
            digits = all_digits && size > 0;
            std::copy(text + from, text + position, bytes.begin());
        }
    };

    std::int32_t find(const Word& word) const { return forms_.find({word.bytes.data(), word.size}); }

    // Whether a bracket opened within this sentence is closed only later.
    template <class Unit>
    static bool inside_brackets(const Unit* text, std::size_t begin, std::size_t position, std::size_t end) {
        const std::size_t first = std::max(begin + 1, position - std::min(position, kLongestBracket));
        for (std::size_t i = position; i > first; --i) {
            if (text[i - 1] == ')') return false;
            if (text[i - 1] != '(') continue;
            const Unit* last = text + std::min(end, position + kLongestBracket);
            return std::find(text + position, last, Unit{')'}) != last;
        }
        return false;
    }

    std::array<bool, 256> narrow_{};
    std::array<unsigned char, 4> ascii_{};  // the first marks of ASCII
    std::size_t ascii_marks_ = 0;
    std::u32string wide_;
    Interner forms_;
    Interner tails_;
    std::vector<Kind> kinds_;
};

}  // namespace pyramidion
