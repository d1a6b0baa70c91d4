// pyramidion.kernels._native: what Python sees. ../_native.pyi has the types, the Python
// modules beside it the documentation.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "comparing.hpp"
#include "given_texts.hpp"
#include "json_items.hpp"
#include "lexicon.hpp"
#include "python_text.hpp"
#include "resampling.hpp"
#include "stops.hpp"
#include "tokens.hpp"
#include "vocabulary.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace pyramidion {
namespace {

nb::object ascii_str(std::string_view word) {
    PyObject* text = PyUnicode_New(static_cast<Py_ssize_t>(word.size()), 127);
    if (text == nullptr) throw nb::python_error();
    std::memcpy(PyUnicode_DATA(text), word.data(), word.size());
    return nb::steal(text);
}

nb::list rouge_tokens(nb::handle text) {
    if (!is_text(text)) raise_type_error("text must be str or bytes, not " + name_of_type(text));
    nb::list tokens;
    Scanner scanner;
    scanner.scan(view(text));
    std::string lowered;
    for (std::size_t i = 0; i < scanner.size(); ++i) {
        const Piece& piece = scanner.begin()[i];
        lowered.assign(reinterpret_cast<const char*>(piece.start), piece.length);
        for (char& c : lowered) c = static_cast<char>(c | kSmall);
        tokens.append(ascii_str(lowered));
    }
    return tokens;
}

std::size_t ascii_letters(nb::handle texts) {
    const nb::object sequence = fast_sequence(texts, "texts must be a sequence of str");
    std::size_t letters = 0;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.ptr()); ++i) {
        const nb::handle text = PySequence_Fast_GET_ITEM(sequence.ptr(), i);
        if (!PyUnicode_Check(text.ptr())) raise_type_error("a text must be str, not " + name_of_type(text));
        const TextView all = view_str(text);
        letters += with_units(all, [&](const auto* units) { return count_letters(units, all.length); });
    }
    return letters;
}

nb::object porter_stem(nb::str word, bool nltk) {
    std::string text = utf8_of(word);
    if (is_ascii(text)) {
        Porter<char>::stem(text, nltk);
        return ascii_str(text);
    }
    std::u32string characters = decode_utf8(text);
    Porter<char32_t>::stem(characters, nltk);
    return str_of(encode_utf8(characters));
}

std::string checked_utf8(nb::handle word) {
    if (!PyUnicode_Check(word.ptr())) {
        raise_type_error("a word must be str, not " + name_of_type(word));
    }
    return utf8_of(word);
}

void make_lexicon(Lexicon* self, nb::dict exceptions, nb::iterable stop_words, bool nltk) {
    Lexicon lexicon(nltk);
    for (const auto& [form, base] : exceptions) {
        lexicon.add_exception(checked_utf8(form), checked_utf8(base));
    }
    for (nb::handle word : stop_words) lexicon.add_stop_word(checked_utf8(word));
    new (self) Lexicon(std::move(lexicon));
}

nb::tuple encode(Vocabulary& vocabulary, nb::handle texts) {
    const Documents documents(texts);
    Encoded encoded;
    {
        nb::gil_scoped_release unlocked;
        encoded = vocabulary.encode(documents.get());
    }
    return nb::make_tuple(to_array(std::move(encoded.ids)), to_array(std::move(encoded.sentences)),
                          to_array(std::move(encoded.texts)));
}

Array<std::int32_t> encode_words(Vocabulary& vocabulary, nb::handle words) {
    const std::vector<std::string> all = utf8_of_each(words);
    std::vector<std::int32_t> ids;
    {
        nb::gil_scoped_release unlocked;
        ids = vocabulary.encode_words(all);
    }
    return to_array(std::move(ids));
}

nb::list words_of(const Vocabulary& vocabulary) {
    nb::list words;
    for (const std::string& word : vocabulary.words()) words.append(str_of(word));
    return words;
}

// The hashes of a short word, for those who ask whether they can be foreseen.
nb::tuple hashes_of(nb::str word) {
    const std::string text = utf8_of(word);
    const Form form = Form::of(text.data(), std::min(text.size(), Form::kLongest));
    return nb::make_tuple(form.hash(hash_seeds()), Interner::hash_of(text));
}

// Topic, system, peer and references of a line; None if there is anything else in it.
nb::object json_item(nb::bytes line) {
    static constexpr std::array<std::string_view, 4> names{"topic", "system", "peer", "references"};
    return JsonItem({line.c_str(), line.size()}).read(names, "references");
}

nb::object given_texts(nb::handle peers, nb::handle references) {
    GivenTexts given;
    if (!given.take(peers, references)) return nb::none();
    return nb::cast(std::move(given));
}

// Numbers of units are checked by those who call; None where texts are too long to be compared so.
// Prose is split by stops, and by what `judge_of(text)` is asked where a mark is not plain.
nb::object units_of(const GivenTexts& given, nb::list vocabularies, nb::list units, bool whole,
                    const Stops* stops, nb::object judge_of) {
    std::vector<Vocabulary*> own;
    for (nb::handle vocabulary : vocabularies) own.push_back(nb::cast<Vocabulary*>(vocabulary));
    if (own.empty()) throw nb::value_error("there must be a vocabulary");
    std::vector<Unit> asked;
    for (nb::handle unit : units) {
        const std::string_view family = nb::cast<const char*>(unit[0]);
        asked.push_back({family == "su" ? 'u' : family[0], nb::cast<double>(unit[1])});
    }
    std::vector<double> counts(3 * asked.size() * given.models.size());
    std::atomic<bool> failed{false};
    GivenUnits::Asked to_ask;
    GivenTexts::Splitting splitting{whole ? nullptr : stops, {}};
    const auto count = [&](const std::vector<std::size_t>& blocks) {
        nb::gil_scoped_release unlocked;
        to_ask.assign(given.texts.size(), 0);
        std::atomic<std::size_t> next{0};
        for_each_index(
            blocks.size(), static_cast<std::int64_t>(own.size()),
            [&] {
                auto work = std::make_unique<GivenUnits>(given, splitting, asked, whole, *own[next++], counts,
                                                         to_ask, failed);
                return [&blocks, work = std::move(work)](std::size_t i) { (*work)(blocks[i]); };
            },
            1);
    };
    count(GivenUnits::blocks(given, to_ask));
    // What must be asked is asked in one go: threads would wait for each other.
    const std::vector<std::size_t> left = GivenUnits::blocks(given, to_ask);
    for (std::size_t text = 0; text < to_ask.size(); ++text) {
        if (to_ask[text]) given.ask(text, judge_of, splitting);
    }
    if (!left.empty()) count(left);
    return failed ? nb::none() : nb::cast(to_array(std::move(counts)));
}

nb::object pairs_of(const GivenTexts& given) {
    std::vector<std::int64_t> items;
    items.reserve(given.models.size());
    for (std::size_t i = 0; i < given.peers.size(); ++i) {
        items.insert(items.end(), given.starts[i + 1] - given.starts[i], static_cast<std::int64_t>(i));
    }
    return nb::cast(to_array(std::move(items)));
}

using Cells = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::object sums_of_resamples(const Cells& columns, std::size_t resamples) {
    const std::size_t width = columns.shape(1);
    std::vector<double> sums;
    {
        nb::gil_scoped_release unlocked;
        sums = bootstrap_sums(columns.data(), columns.shape(0), width, resamples);
    }
    return nb::cast(to_array(std::move(sums))).attr("reshape")(resamples, width);
}

nb::object stem(const Lexicon& lexicon, nb::str word, Py_ssize_t shortest) {
    return str_of(lexicon.stem(utf8_of(word), shortest > 0 ? static_cast<std::size_t>(shortest) : 0));
}

bool is_stop_word(const Lexicon& lexicon, nb::str word) {
    return lexicon.is_stop_word(utf8_of(word));
}

void make_stops(Stops* self, nb::dict abbreviations, nb::str marks) {
    Stops stops(decode_utf8(utf8_of(marks)));
    for (const auto& [form, kind] : abbreviations) {
        stops.add(checked_utf8(form), static_cast<Stops::Kind>(nb::cast<int>(kind)));
    }
    new (self) Stops(std::move(stops));
}

std::vector<Stops::Span> split(const Stops& stops, nb::str text,
                               const std::vector<Stops::Span>& paragraphs, bool caseless,
                               nb::callable judge) {
    const TextView given = view_str(text);
    const auto asked = [&](std::size_t begin, std::size_t place, std::size_t last) {
        return nb::cast<std::ptrdiff_t>(judge(begin, place, last));
    };
    std::vector<Stops::Span> found;
    for (const Stops::Span& paragraph : paragraphs) {
        if (paragraph.first > paragraph.second || paragraph.second > given.length) {
            throw nb::index_error("a paragraph is outside of its text");
        }
        with_units(given, [&](const auto* units) {
            stops.split(units, given.length, paragraph, caseless, asked,
                        [](Py_UCS4 c) { return Py_UNICODE_ISSPACE(c) != 0; }, found);
        });
    }
    return found;
}

}  // namespace

NB_MODULE(_native, module) {
    // What a cache still holds when Python ends is no leak, and nobody at a terminal asked.
    nb::set_leak_warnings(false);
    module.doc() = "Compiled kernels; the Python modules beside them are their specification.";
    module.def("rouge_tokens", &rouge_tokens, "text"_a.none(),
               "Split a text into words exactly as ROUGE-1.5.5 does.");
    module.def("ascii_letters", &ascii_letters, "texts"_a, "Count the letters A-Z and a-z of texts.");
    module.def("bootstrap_sums", &sums_of_resamples, "columns"_a, "resamples"_a,
               "Add up resampled rows, drawn with Perl's random numbers.");
    module.def("porter_stem", &porter_stem, "word"_a, "nltk"_a = false, "Stem a lower-cased word.");

    nb::class_<Lexicon>(module, "Lexicon", "A table of irregular forms, and a stop list.")
        .def("__init__", &make_lexicon, "exceptions"_a, "stop_words"_a, "nltk"_a = false)
        .def("stem", &stem, "word"_a, "shortest"_a = kShortestStemmed, "Stem a lower-cased word.")
        .def("is_stop_word", &is_stop_word, "word"_a,
             "Tell whether a lower-cased word is on the stop list.");

    nb::class_<Vocabulary>(module, "Vocabulary",
                           "Numbers words from 0 in the order of their first appearance.")
        .def(nb::init<const Lexicon&, bool, bool>(), "lexicon"_a, nb::kw_only(), "stem"_a = false,
             "stop_words"_a = false, nb::keep_alive<1, 2>())
        .def_prop_ro("words", &words_of, "The words, in the order of their numbers.")
        .def("__len__", &Vocabulary::size)
        .def("encode", &encode, "texts"_a.none(), "Tokenize many texts and number their words.")
        .def("encode_words", &encode_words, "words"_a.none(), "Number words that are already found.");

    nb::class_<Stops>(module, "Stops", "The abbreviations and the marks of a language.")
        .def("__init__", &make_stops, "abbreviations"_a, "marks"_a)
        .def("split", &split, "text"_a, "paragraphs"_a, nb::kw_only(), "caseless"_a, "judge"_a,
             "Give the sentences of paragraphs.");

    module.def("hashes_of", &hashes_of, "word"_a, "Give where tables put a word, other places in every process.");
    module.def("json_item", &json_item, "line"_a, "Read a usual line of a stream of summaries, or None.");

    nb::class_<GivenTexts>(module, "GivenTexts", "Peers with their references, held as they are.")
        .def_static("of", &given_texts, "peers"_a.none(), "references"_a.none(),
                    "Hold texts in lists and tuples; None if there is anything else.")
        .def_ro("ascii", &GivenTexts::ascii, "Whether there is no character beyond ASCII.")
        .def_ro("prose", &GivenTexts::prose, "Whether a text has no line breaks within.")
        .def_prop_ro_static("splits", [](nb::handle) { return true; }, "Whether `units` splits prose.")
        .def_prop_ro("items", &pairs_of, "The item of each pair.")
        .def("units", &units_of, "vocabularies"_a, "units"_a, "whole"_a = false,
             "stops"_a = nb::none(), "judge_of"_a = nb::none(),
             "Count units of the model, of the peer and shared ones, kind by kind, pair by pair.");

    define_comparing(module);
}

}  // namespace pyramidion
