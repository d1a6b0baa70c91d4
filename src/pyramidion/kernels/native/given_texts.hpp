// Peers with their references, read and compared in one pass over Python's objects: shared units
// are counted while the words are still in the cache, and no array is made in between.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "python_text.hpp"
#include "shared_units.hpp"
#include "stops.hpp"
#include "texts.hpp"
#include "vocabulary.hpp"

namespace pyramidion {

// A kind of units: its family and its parameter (an n, a gap or a weight).
struct Unit {
    char family;  // n, s, u (skip-bigrams and single words), l, w
    double number;
};

// Views of texts, with references that keep them alive. Only lists and tuples of str, which is
// immutable, are accepted; everything else is left to Python.
class GivenTexts {
public:
    struct Text {
        std::size_t first_part, end_part;
        bool lines;  // one str, whose lines are its sentences
    };

    std::vector<TextView> parts;
    std::vector<Text> texts;
    std::vector<std::size_t> peers;   // a text for each item
    std::vector<std::size_t> models;  // a text for each pair
    std::vector<std::size_t> starts{0};  // the first pair of each item, and the end
    bool ascii = true;
    bool prose = false;  // whether a text has no line breaks inside
    bool shared = false;  // whether a text occurs more than once

    // Returns whether all texts are accepted.
    bool take(nb::handle all_peers, nb::handle references) {
        if (!is_listed(all_peers) || !is_listed(references)) return false;
        const Py_ssize_t size = PySequence_Fast_GET_SIZE(all_peers.ptr());
        if (PySequence_Fast_GET_SIZE(references.ptr()) != size) return false;
        const auto few = static_cast<std::size_t>(size);
        resize_table(4 * few + 16);
        // Unused capacity costs nothing, and more is rarely needed.
        for (auto* numbers : {&peers, &models, &starts}) numbers->reserve(8 * few);
        for (auto* held : {&objects_, &alive_}) held->reserve(8 * few);
        texts.reserve(8 * few);
        parts.reserve(8 * few);
        for (Py_ssize_t i = 0; i < size; ++i) {
            const nb::handle listed = PySequence_Fast_GET_ITEM(references.ptr(), i);
            if (!add(PySequence_Fast_GET_ITEM(all_peers.ptr(), i), peers) || !take_references(listed)) return false;
            starts.push_back(models.size());
        }
        return true;
    }

    // Not prose to split, prose that is split, or prose with marks that need Python's judgment.
    enum class Split { kNot, kDone, kUnresolved };

    // Rules for splitting prose, and the sentences of texts that Python judged.
    struct Splitting {
        const Stops* stops = nullptr;
        std::unordered_map<std::size_t, std::vector<TextView>> judged;
    };

    // Adds the sentences of a text; needs no GIL.
    Split split(std::size_t number, const Splitting& by, std::vector<TextView>& sentences) const {
        if (by.stops == nullptr || !texts[number].lines) return Split::kNot;
        const auto resolved = by.judged.find(number);
        if (resolved != by.judged.end()) {
            sentences.insert(sentences.end(), resolved->second.begin(), resolved->second.end());
            return Split::kDone;
        }
        bool unresolved = false;
        const bool done = split(number, *by.stops, sentences, [&](std::size_t, std::size_t, std::size_t end) {
            unresolved = true;
            return -static_cast<std::ptrdiff_t>(end);
        });
        return unresolved ? Split::kUnresolved : done ? Split::kDone : Split::kNot;
    }

    // Splits a text, calling Python for unclear marks.
    void resolve(std::size_t number, nb::handle judge_of, Splitting& by) const {
        const nb::object judge = judge_of(objects_[number]);
        split(number, *by.stops, by.judged[number], [&](std::size_t begin, std::size_t mark, std::size_t end) {
            return nb::cast<std::ptrdiff_t>(judge(begin, mark, end));
        });
    }

private:
    // Returns whether a text is prose.
    template <class Judge>
    bool split(std::size_t number, const Stops& stops, std::vector<TextView>& sentences,
               const Judge& judge) const {
        const TextView& all = parts[texts[number].first_part];
        return with_units(all, [&](const auto* units) {
            const Stops::Span trimmed = trim(units, {0, all.length});
            if (has_line_break(units, trimmed)) return false;
            const bool caseless = is_caseless(units, trimmed);
            std::vector<Stops::Span> spans;
            for (std::size_t begin = trimmed.first; begin < trimmed.second;) {
                const std::size_t end =
                    first_of(units, begin, trimmed.second, [](Py_UCS4 c) { return c == kParagraphEnds; });
                const Stops::Span paragraph = trim(units, {begin, end});
                if (paragraph.first < paragraph.second) {
                    stops.split(units, all.length, paragraph, caseless, judge, is_space, spans);
                }
                begin = end + 1;
            }
            for (const auto& [from, to] : spans) sentences.push_back({units + from, to - from, all.width});
            return true;
        });
    }

    static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

    static constexpr Py_UCS4 kParagraphEnds = 0x2029;

    static bool is_space(Py_UCS4 c) { return Py_UNICODE_ISSPACE(c) != 0; }

    template <class Unit>
    static Stops::Span trim(const Unit* units, Stops::Span span) {
        auto [start, end] = span;
        while (start < end && is_space(units[start])) ++start;
        while (end > start && is_space(units[end - 1])) --end;
        return {start, end};
    }

    template <class Unit>
    static bool has_line_break(const Unit* units, Stops::Span span) {
        const std::size_t size = span.second - span.first;
        if constexpr (sizeof(Unit) == 1) return size > 0 && std::memchr(units + span.first, '\n', size) != nullptr;
        return std::find(units + span.first, units + span.second, Unit{'\n'}) != units + span.second;
    }

    // Same result as str.islower(); fast, since most texts begin with a capital.
    template <class Unit>
    static bool is_caseless(const Unit* units, Stops::Span span) {
        const auto [begin, end] = span;
        const auto is_capital = [](Unit c) { return static_cast<Unit>(c - 'A') < 26 || c > 127; };
        const auto is_small = [](Unit c) { return static_cast<Unit>(c - 'a') < 26; };
        bool small = false;
        for (std::size_t i = begin; (i = first_of(units, i, end, is_capital)) < end; ++i) {
            if (Py_UNICODE_ISUPPER(units[i]) || Py_UNICODE_ISTITLE(units[i])) return false;
            small = small || Py_UNICODE_ISLOWER(units[i]);
        }
        return small || first_of(units, begin, end, is_small) < end;
    }

    static bool is_listed(nb::handle value) {
        return PyList_CheckExact(value.ptr()) || PyTuple_CheckExact(value.ptr());
    }

    bool take_references(nb::handle listed) {
        if (PyUnicode_Check(listed.ptr())) return add(listed, models);
        if (!is_listed(listed) || PySequence_Fast_GET_SIZE(listed.ptr()) == 0) return false;
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(listed.ptr()); ++i) {
            if (!add(PySequence_Fast_GET_ITEM(listed.ptr(), i), models)) return false;
        }
        return true;
    }

    bool add(nb::handle text, std::vector<std::size_t>& numbers) {
        std::uint32_t& index = index_of(text);
        if (index != kAbsent) {
            shared = true;
            numbers.push_back(index);
            return true;
        }
        const std::size_t first = parts.size();
        const bool lines = PyUnicode_Check(text.ptr());
        if (lines) {
            add_part(text);  // `objects_` holds it
            prose = prose || !has_lines(parts.back());
        } else if (is_listed(text)) {
            for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(text.ptr()); ++i) {
                const nb::handle sentence = PySequence_Fast_GET_ITEM(text.ptr(), i);
                if (!PyUnicode_Check(sentence.ptr())) return false;
                add_part(sentence);
                // The list may be changed meanwhile.
                alive_.push_back(nb::borrow(sentence));
            }
        } else {
            return false;
        }
        if (texts.size() >= kAbsent) return false;
        index = static_cast<std::uint32_t>(texts.size());
        numbers.push_back(index);
        texts.push_back({first, parts.size(), lines});
        objects_.push_back(nb::borrow(text));
        if (2 * texts.size() > table_.size()) resize_table(2 * texts.size());
        return true;
    }

    void add_part(nb::handle sentence) {
        parts.push_back(view_str(sentence));
        ascii &= PyUnicode_IS_ASCII(sentence.ptr()) != 0;
    }

    static bool has_lines(const TextView& text) {
        return with_units(text, [&](const auto* units) {
            return has_line_break(units, trim(units, {0, text.length}));
        });
    }

    // The index of a text, looked up by its address.
    std::uint32_t& index_of(nb::handle text) {
        const std::size_t mask = table_.size() - 1;
        std::size_t slot = (reinterpret_cast<std::uintptr_t>(text.ptr()) >> 4) * 0x9E3779B1u & mask;
        while (table_[slot] != kAbsent && objects_[table_[slot]].ptr() != text.ptr()) {
            slot = (slot + 1) & mask;
        }
        return table_[slot];
    }

    // Rebuilds the table with capacity for twice this many texts.
    void resize_table(std::size_t most) {
        std::size_t size = 16;
        while (size < 2 * most) size *= 2;
        table_.assign(size, kAbsent);
        for (std::size_t i = 0; i < objects_.size(); ++i) index_of(objects_[i]) = static_cast<std::uint32_t>(i);
    }

    std::vector<nb::object> objects_, alive_;
    std::vector<std::uint32_t> table_;
};

// The work of one thread.
class GivenUnits {
public:
    // For each kind of units and each pair: units of the model, of the peer, and shared units.
    using Counts = std::vector<double>;
    // For each text, whether it needs Python's judgment; its block is then postponed.
    using Unresolved = std::vector<unsigned char>;

    GivenUnits(const GivenTexts& given, const GivenTexts::Splitting& splitting, const std::vector<Unit>& units,
               bool whole, Vocabulary& vocabulary, Counts& counts, Unresolved& unresolved, std::atomic<bool>& failed)
        : given_(given), splitting_(splitting), units_(units), whole_(whole), vocabulary_(vocabulary),
          counts_(counts), unresolved_(unresolved), failed_(failed), request_(request_of(units)), hits_(request_, 1), shared_(all_, request_, hits_) {}

    GivenUnits(const GivenUnits&) = delete;  // its parts refer to each other

    // The items of a block.
    void operator()(std::size_t block) {
        if (failed_) return;
        const std::size_t first = block * kItems, end = std::min(first + kItems, given_.peers.size());
        // Repeated texts are read once.
        if (!given_.shared) forget();
        if (!split_all(first, end)) return;
        for (const Unread& text : unread_) read(text);
        if (!make_ready()) {
            failed_ = true;
            return;
        }
        for (std::size_t item = first; item < end; ++item) {
            for (std::size_t p = given_.starts[item]; p < given_.starts[item + 1]; ++p) {
                count(p, index_of_[given_.peers[item]], index_of_[given_.models[p]]);
            }
        }
    }

    // The blocks with unresolved texts, or all blocks before the first attempt.
    static std::vector<std::size_t> blocks(const GivenTexts& given, const Unresolved& unresolved) {
        std::vector<std::size_t> result;
        const auto is_unresolved = [&](std::size_t text) { return unresolved[text] != 0; };
        for (std::size_t first = 0; first < given.peers.size(); first += kItems) {
            const std::size_t end = std::min(first + kItems, given.peers.size());
            const auto* models = given.models.data();
            if (unresolved.empty() || std::any_of(&given.peers[first], given.peers.data() + end, is_unresolved) ||
                std::any_of(models + given.starts[first], models + given.starts[end], is_unresolved)) {
                result.push_back(first / kItems);
            }
        }
        return result;
    }

private:
    static constexpr std::size_t kItems = 4;
    static constexpr std::int64_t kUnread = -1;
    static constexpr std::int64_t kMostWords = 65'536;  // see ../checks.py

    struct Unread {
        std::size_t number;
        GivenTexts::Split split;
        std::size_t from, to;  // among the sentences
    };

    static UnitRequest request_of(const std::vector<Unit>& units) {
        UnitRequest request;
        for (const auto& [family, number] : units) {
            switch (family) {
                case 'n': request.ngrams.push_back(static_cast<std::int64_t>(number)); break;
                case 's': request.skips.push_back({static_cast<std::int64_t>(number), false}); break;
                case 'u': request.skips.push_back({static_cast<std::int64_t>(number), true}); break;
                case 'l': request.lcs = true; break;
                default: request.power = {0.0, 1.0};
            }
        }
        return request;
    }

    void forget() {
        for (const std::size_t text : read_) index_of_[text] = kUnread;
        read_.clear();
        encoded_.ids.clear();
        for (auto* starts : {&encoded_.sentences, &encoded_.texts, &starts_}) starts->assign(1, 0);
    }

    // Lists the texts to read for some items and splits them; returns whether all are resolved.
    bool split_all(std::size_t first, std::size_t end) {
        unread_.clear();
        sentences_.clear();
        bool plain = true;
        index_of_.resize(given_.texts.size(), kUnread);
        const auto add = [&](std::size_t number) {
            if (index_of_[number] != kUnread) return;
            index_of_[number] = static_cast<std::int64_t>(read_.size());
            read_.push_back(number);
            const std::size_t from = sentences_.size();
            const auto split = given_.split(number, splitting_, sentences_);
            unread_.push_back({number, split, from, sentences_.size()});
            if (split == GivenTexts::Split::kUnresolved) plain = !(unresolved_[number] = true);
        };
        for (std::size_t item = first; item < end; ++item) {
            add(given_.peers[item]);
            for (std::size_t p = given_.starts[item]; p < given_.starts[item + 1]; ++p) add(given_.models[p]);
        }
        if (plain) return true;
        for (const Unread& text : unread_) index_of_[text.number] = kUnread;
        read_.resize(read_.size() - unread_.size());
        return false;
    }

    void read(const Unread& unread) {
        const GivenTexts::Text& text = given_.texts[unread.number];
        if (unread.split == GivenTexts::Split::kDone) {
            const TextView* parts = sentences_.data();
            vocabulary_.encode(parts + unread.from, parts + unread.to, Vocabulary::Ends::parts, encoded_);
        } else {
            const TextView* parts = given_.parts.data();
            const auto ends = whole_       ? Vocabulary::Ends::text
                              : text.lines ? Vocabulary::Ends::lines
                                           : Vocabulary::Ends::parts;
            vocabulary_.encode(parts + text.first_part, parts + text.end_part, ends, encoded_);
        }
        starts_.push_back(static_cast<std::int64_t>(encoded_.ids.size()));
    }

    // Returns whether the texts are short enough.
    bool make_ready() {
        const auto span = [](const auto& values) {
            return Span<std::decay_t<decltype(values[0])>>{values.data(), values.size()};
        };
        all_ = {{span(encoded_.ids), span(starts_)}, {span(encoded_.ids), span(encoded_.sentences)}, span(encoded_.texts)};
        shared_.restart(vocabulary_.size());
        const auto longest = [](const std::vector<std::int64_t>& starts) {
            std::int64_t most = 0;
            for (std::size_t i = 1; i < starts.size(); ++i) most = std::max(most, starts[i] - starts[i - 1]);
            return most;
        };
        if (longest(starts_) > kMostWords) return false;
        for (const auto& [family, number] : units_) {
            if (family != 'w') continue;
            const auto most = static_cast<std::size_t>(longest(encoded_.sentences));
            while (request_.power.size() <= most) {
                request_.power.push_back(std::pow(static_cast<double>(request_.power.size()), number));
            }
            if (!std::isfinite(request_.power.back())) return false;
        }
        return true;
    }

    void count(std::size_t pair, std::int64_t peer, std::int64_t model) {
        shared_.count(0, peer, model);
        const std::size_t pairs = given_.models.size();
        std::size_t ngrams = 0, skips = 0;
        double* out = counts_.data() + pair;
        for (const Unit& unit : units_) {
            out[0] = total(unit, model);
            out[pairs] = total(unit, peer);
            out[2 * pairs] = unit.family == 'n'   ? static_cast<double>(hits_.ngrams[ngrams++][0])
                             : unit.family == 'l' ? static_cast<double>(hits_.lcs[0])
                             : unit.family == 'w' ? hits_.weighted[0]
                                                  : static_cast<double>(hits_.skips[skips++][0]);
            out += 3 * pairs;
        }
    }

    // The number of units of a text.
    double total(const Unit& unit, std::int64_t text) const {
        const auto words = static_cast<std::int64_t>(all_.flat[text].size);
        const auto number = static_cast<std::int64_t>(unit.number);
        switch (unit.family) {
            case 'n': return static_cast<double>(std::max<std::int64_t>(words - (number - 1), 0));
            case 'l': return static_cast<double>(words);
            case 'w': return weight_of(text);
            default: return static_cast<double>(skip_units(words, number, unit.family == 'u'));
        }
    }

    // Summed in order of sentences: the last bit depends on it.
    double weight_of(std::int64_t text) const {
        double weight = 0.0;
        for (std::int64_t s = all_.texts[text]; s < all_.texts[text + 1]; ++s) {
            weight += request_.power[all_.sentences[s].size];
        }
        return weight;
    }

    static std::int64_t skip_units(std::int64_t words, std::int64_t gap, bool single) {
        const std::int64_t reach = std::max<std::int64_t>(words - 1, 0);
        // Each word pairs with the next gap + 1 words; the last words have fewer.
        const std::int64_t near = gap < 0 ? reach : std::min(reach, gap + 1);
        return near * (near + 1) / 2 + (reach - near) * near + (single ? reach : 0);
    }

    const GivenTexts& given_;
    const GivenTexts::Splitting& splitting_;
    const std::vector<Unit>& units_;
    const bool whole_;
    Vocabulary& vocabulary_;
    Counts& counts_;
    Unresolved& unresolved_;
    std::atomic<bool>& failed_;
    UnitRequest request_;
    Hits hits_;
    Summaries all_;
    SharedUnits shared_;

    Encoded encoded_;
    std::vector<Unread> unread_;
    std::vector<TextView> sentences_;
    std::vector<std::int64_t> starts_{0};
    std::vector<std::size_t> read_;
    std::vector<std::int64_t> index_of_;
};

}  // namespace pyramidion
