// Peers with their references as Python gives them, read and compared in one go: what two texts
// share is counted while their words are still in the cache, and no array is made in between.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "python_text.hpp"
#include "shared_units.hpp"
#include "texts.hpp"
#include "vocabulary.hpp"

namespace pyramidion {

// A kind of units: its family and its number, an n, a gap or a weight.
struct Unit {
    char family;  // n, s, u (skip-bigrams and single words), l, w
    double number;
};

// Views of texts, with references that keep them alive. Only str, which cannot change, in lists
// and tuples is taken; whatever else there is, is left to Python.
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
    bool prose = false;  // a text without line breaks within
    bool shared = false;  // a text that stands in several places

    // Tells whether all is plain.
    bool take(nb::handle all_peers, nb::handle references) {
        if (!is_listed(all_peers) || !is_listed(references)) return false;
        const Py_ssize_t size = PySequence_Fast_GET_SIZE(all_peers.ptr());
        if (PySequence_Fast_GET_SIZE(references.ptr()) != size) return false;
        const auto few = static_cast<std::size_t>(size);
        make_places(4 * few + 16);
        for (auto* numbers : {&peers, &models, &starts}) numbers->reserve(4 * few);
        for (auto* held : {&objects_, &alive_}) held->reserve(4 * few);
        texts.reserve(4 * few);
        parts.reserve(4 * few);
        for (Py_ssize_t i = 0; i < size; ++i) {
            const nb::handle own = PySequence_Fast_GET_ITEM(references.ptr(), i);
            if (!add(PySequence_Fast_GET_ITEM(all_peers.ptr(), i), peers) || !take_references(own)) return false;
            starts.push_back(models.size());
        }
        return true;
    }

private:
    static constexpr std::size_t kNowhere = ~std::size_t{0};

    static bool is_listed(nb::handle value) {
        return PyList_CheckExact(value.ptr()) || PyTuple_CheckExact(value.ptr());
    }

    bool take_references(nb::handle own) {
        if (PyUnicode_Check(own.ptr())) return add(own, models);
        if (!is_listed(own) || PySequence_Fast_GET_SIZE(own.ptr()) == 0) return false;
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(own.ptr()); ++i) {
            if (!add(PySequence_Fast_GET_ITEM(own.ptr(), i), models)) return false;
        }
        return true;
    }

    bool add(nb::handle text, std::vector<std::size_t>& numbers) {
        std::size_t& place = place_of(text);
        if (place != kNowhere) {
            shared = true;
            numbers.push_back(place);
            return true;
        }
        const std::size_t first = parts.size();
        const bool lines = PyUnicode_Check(text.ptr());
        if (lines) {
            add_part(text);  // `objects_` holds it
            prose |= !has_lines(text, parts.back());
        } else if (is_listed(text)) {
            for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(text.ptr()); ++i) {
                const nb::handle sentence = PySequence_Fast_GET_ITEM(text.ptr(), i);
                if (!PyUnicode_Check(sentence.ptr())) return false;
                add_part(sentence);
                // A list may lose what it holds.
                alive_.push_back(nb::borrow(sentence));
            }
        } else {
            return false;
        }
        place = texts.size();
        numbers.push_back(place);
        texts.push_back({first, parts.size(), lines});
        objects_.push_back(nb::borrow(text));
        if (2 * texts.size() > places_.size()) make_places(2 * texts.size());
        return true;
    }

    void add_part(nb::handle sentence) {
        parts.push_back(view_str(sentence));
        ascii &= PyUnicode_IS_ASCII(sentence.ptr()) != 0;
    }

    static bool has_lines(nb::handle text, const TextView& view) {
        const auto is_space = [&](std::size_t i) {
            return Py_UNICODE_ISSPACE(PyUnicode_READ(view.width, view.data, i)) != 0;
        };
        std::size_t start = 0, end = view.length;
        while (start < end && is_space(start)) ++start;
        while (end > start && is_space(end - 1)) --end;
        return PyUnicode_FindChar(text.ptr(), '\n', static_cast<Py_ssize_t>(start),
                                  static_cast<Py_ssize_t>(end), 1) >= 0;
    }

    // Where a text was met, by its address.
    std::size_t& place_of(nb::handle text) {
        const std::size_t mask = places_.size() - 1;
        std::size_t place = (reinterpret_cast<std::uintptr_t>(text.ptr()) >> 4) * 0x9E3779B1u & mask;
        while (places_[place] != kNowhere && objects_[places_[place]].ptr() != text.ptr()) {
            place = (place + 1) & mask;
        }
        return places_[place];
    }

    // A table with room for twice as many texts.
    void make_places(std::size_t most) {
        std::size_t size = 16;
        while (size < 2 * most) size *= 2;
        places_.assign(size, kNowhere);
        for (std::size_t i = 0; i < objects_.size(); ++i) place_of(objects_[i]) = i;
    }

    std::vector<nb::object> objects_, alive_;
    std::vector<std::size_t> places_;
};

// One thread's work on given texts.
class GivenUnits {
public:
    // For each kind of units and each pair: those of the model, of the peer, and those they share.
    using Counts = std::vector<double>;

    GivenUnits(const GivenTexts& given, const std::vector<Unit>& units, bool whole, Vocabulary& vocabulary,
               Counts& counts, std::atomic<bool>& failed)
        : given_(given), units_(units), whole_(whole), vocabulary_(vocabulary), counts_(counts),
          failed_(failed), wanted_(wanted_of(units)), hits_(wanted_, 1), shared_(all_, wanted_, hits_) {}

    GivenUnits(const GivenUnits&) = delete;  // its parts refer to each other

    // The items of a block.
    void operator()(std::size_t block) {
        if (failed_) return;
        const std::size_t first = block * kItems, end = std::min(first + kItems, given_.peers.size());
        // What is met again is not read again.
        if (!given_.shared) forget();
        for (std::size_t item = first; item < end; ++item) {
            read(given_.peers[item]);
            for (std::size_t p = given_.starts[item]; p < given_.starts[item + 1]; ++p) read(given_.models[p]);
        }
        if (!make_ready()) {
            failed_ = true;
            return;
        }
        for (std::size_t item = first; item < end; ++item) {
            for (std::size_t p = given_.starts[item]; p < given_.starts[item + 1]; ++p) {
                count(p, place_of_[given_.peers[item]], place_of_[given_.models[p]]);
            }
        }
    }

    static std::size_t blocks(const GivenTexts& given) { return (given.peers.size() + kItems - 1) / kItems; }

private:
    static constexpr std::size_t kItems = 4;
    static constexpr std::int64_t kUnread = -1;
    static constexpr std::int64_t kMostWords = 65'536;  // see ../checks.py

    static Wanted wanted_of(const std::vector<Unit>& units) {
        Wanted wanted;
        for (const auto& [family, number] : units) {
            switch (family) {
                case 'n': wanted.ngrams.push_back(static_cast<std::int64_t>(number)); break;
                case 's': wanted.skips.push_back({static_cast<std::int64_t>(number), false}); break;
                case 'u': wanted.skips.push_back({static_cast<std::int64_t>(number), true}); break;
                case 'l': wanted.lcs = true; break;
                default: wanted.power = {0.0, 1.0};
            }
        }
        return wanted;
    }

    void forget() {
        for (const std::size_t text : read_) place_of_[text] = kUnread;
        read_.clear();
        encoded_.ids.clear();
        for (auto* starts : {&encoded_.sentences, &encoded_.texts, &starts_}) starts->assign(1, 0);
    }

    void read(std::size_t number) {
        place_of_.resize(given_.texts.size(), kUnread);
        if (place_of_[number] != kUnread) return;
        place_of_[number] = static_cast<std::int64_t>(read_.size());
        read_.push_back(number);
        const GivenTexts::Text& text = given_.texts[number];
        vocabulary_.encode(given_.parts.data() + text.first_part, given_.parts.data() + text.end_part,
                           whole_ ? Vocabulary::Ends::text : text.lines ? Vocabulary::Ends::lines : Vocabulary::Ends::parts,
                           encoded_);
        starts_.push_back(static_cast<std::int64_t>(encoded_.ids.size()));
    }

    // Tells whether the texts are not too long.
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
            while (wanted_.power.size() <= most) {
                wanted_.power.push_back(std::pow(static_cast<double>(wanted_.power.size()), number));
            }
            if (!std::isfinite(wanted_.power.back())) return false;
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

    // The units of a text.
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

    // One sentence after the other: the last bit depends on it.
    double weight_of(std::int64_t text) const {
        double weight = 0.0;
        for (std::int64_t s = all_.texts[text]; s < all_.texts[text + 1]; ++s) {
            weight += wanted_.power[all_.sentences[s].size];
        }
        return weight;
    }

    static std::int64_t skip_units(std::int64_t words, std::int64_t gap, bool single) {
        const std::int64_t reach = std::max<std::int64_t>(words - 1, 0);
        // The first words reach gap + 1 partners each, the last ones fewer.
        const std::int64_t near = gap < 0 ? reach : std::min(reach, gap + 1);
        return near * (near + 1) / 2 + (reach - near) * near + (single ? reach : 0);
    }

    const GivenTexts& given_;
    const std::vector<Unit>& units_;
    const bool whole_;
    Vocabulary& vocabulary_;
    Counts& counts_;
    std::atomic<bool>& failed_;
    Wanted wanted_;
    Hits hits_;
    Summaries all_;
    SharedUnits shared_;

    Encoded encoded_;
    std::vector<std::int64_t> starts_{0};
    std::vector<std::size_t> read_;
    std::vector<std::int64_t> place_of_;
};

}  // namespace pyramidion
