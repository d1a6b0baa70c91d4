// Python bindings of pyramidion.kernels._native. ../_native.pyi has the types, and the Python
// modules next to it have the documentation.
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

// The hashes of a short word, for tests that they are unpredictable.
nb::tuple hashes_of(nb::str word) {
    const std::string text = utf8_of(word);
    const Form form = Form::of(text.data(), std::min(text.size(), Form::kLongest));
    return nb::make_tuple(form.hash(hash_seeds()), Interner::hash_of(text));
}

// Topic, system, peer and references of a line; None if the line has anything else.
nb::object json_item(nb::bytes line) {
    static constexpr std::array<std::string_view, 4> names{"topic", "system", "peer", "references"};
    return JsonItem({line.c_str(), line.size()}).read(names, "references");
}

nb::object given_texts(nb::handle peers, nb::handle references) {
    GivenTexts texts;
    if (!texts.take(peers, references)) return nb::none();
    return nb::cast(std::move(texts));
}

// The caller checks the parameters of units. Returns None if texts are too long. Prose is split by
// `stops`, and by the judge `judge_of(text)` at unclear marks.
nb::object units_of(const GivenTexts& texts, nb::list vocabularies, nb::list units, bool whole,
                    const Stops* stops, nb::object judge_of) {
    std::vector<Vocabulary*> pointers;
    for (nb::handle vocabulary : vocabularies) pointers.push_back(nb::cast<Vocabulary*>(vocabulary));
    if (pointers.empty()) throw nb::value_error("vocabularies must not be empty");
    std::vector<Unit> requested;
    for (nb::handle unit : units) {
        const std::string_view family = nb::cast<const char*>(unit[0]);
        requested.push_back({family == "su" ? 'u' : family[0], nb::cast<double>(unit[1])});
    }
    std::vector<double> counts(3 * requested.size() * texts.models.size());
    std::atomic<bool> failed{false};
    GivenUnits::Unresolved unresolved;
    GivenTexts::Splitting splitting{whole ? nullptr : stops, {}};
    const auto count = [&](const std::vector<std::size_t>& blocks) {
        nb::gil_scoped_release unlocked;
        unresolved.assign(texts.texts.size(), 0);
        std::atomic<std::size_t> next{0};
        for_each_index(
            blocks.size(), static_cast<std::int64_t>(pointers.size()),
            [&] {
                auto work = std::make_unique<GivenUnits>(texts, splitting, requested, whole, *pointers[next++], counts,
                                                         unresolved, failed);
                return [&blocks, work = std::move(work)](std::size_t i) { (*work)(blocks[i]); };
            },
            1);
    };
    count(GivenUnits::blocks(texts, unresolved));
    // Python's judgments are collected at once, since threads would wait for each other.
    const std::vector<std::size_t> left = GivenUnits::blocks(texts, unresolved);
    for (std::size_t text = 0; text < unresolved.size(); ++text) {
        if (unresolved[text]) texts.resolve(text, judge_of, splitting);
    }
    if (!left.empty()) count(left);
    return failed ? nb::none() : nb::cast(to_array(std::move(counts)));
}

nb::object pairs_of(const GivenTexts& texts) {
    std::vector<std::int64_t> items;
    items.reserve(texts.models.size());
    for (std::size_t i = 0; i < texts.peers.size(); ++i) {
        items.insert(items.end(), texts.starts[i + 1] - texts.starts[i], static_cast<std::int64_t>(i));
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
    const TextView view = view_str(text);
    const auto judge_mark = [&](std::size_t begin, std::size_t position, std::size_t last) {
        return nb::cast<std::ptrdiff_t>(judge(begin, position, last));
    };
    std::vector<Stops::Span> sentences;
    for (const Stops::Span& paragraph : paragraphs) {
        if (paragraph.first > paragraph.second || paragraph.second > view.length) {
            throw nb::index_error("a paragraph is outside of its text");
        }
        with_units(view, [&](const auto* units) {
            stops.split(units, view.length, paragraph, caseless, judge_mark,
                        [](Py_UCS4 c) { return Py_UNICODE_ISSPACE(c) != 0; }, sentences);
        });
    }
    return sentences;
}

}  // namespace

NB_MODULE(_native, module) {
    // Objects that caches still hold at exit are not leaks; do not print warnings about them.
    nb::set_leak_warnings(false);
    module.doc() = "Compiled kernels, specified by the Python modules of the package.";
    module.def("rouge_tokens", &rouge_tokens, "text"_a.none(),
               "Split a text into words exactly as ROUGE-1.5.5 does.");
    module.def("ascii_letters", &ascii_letters, "texts"_a, "Count the letters A-Z and a-z of texts.");
    module.def("bootstrap_sums", &sums_of_resamples, "columns"_a, "resamples"_a,
               "Sum resampled rows, drawn with Perl's random numbers.");
    module.def("porter_stem", &porter_stem, "word"_a, "nltk"_a = false, "Stem a lower-cased word.");

    nb::class_<Lexicon>(module, "Lexicon", "A table of irregular forms, and a stop list.")
        .def("__init__", &make_lexicon, "exceptions"_a, "stop_words"_a, "nltk"_a = false)
        .def("stem", &stem, "word"_a, "shortest"_a = kShortestStemmed, "Stem a lower-cased word.")
        .def("is_stop_word", &is_stop_word, "word"_a,
             "Return whether a lower-cased word is on the stop list.");

    nb::class_<Vocabulary>(module, "Vocabulary",
                           "Numbers words from 0 in the order of their first appearance.")
        .def(nb::init<const Lexicon&, bool, bool>(), "lexicon"_a, nb::kw_only(), "stem"_a = false,
             "stop_words"_a = false, nb::keep_alive<1, 2>())
        .def_prop_ro("words", &words_of, "The words, in the order of their numbers.")
        .def("__len__", &Vocabulary::size)
        .def("encode", &encode, "texts"_a.none(), "Tokenize many texts and number their words.")
        .def("encode_words", &encode_words, "words"_a.none(), "Encode words from another tokenizer.");

    nb::class_<Stops>(module, "Stops", "The abbreviations and the marks of a language.")
        .def("__init__", &make_stops, "abbreviations"_a, "marks"_a)
        .def("split", &split, "text"_a, "paragraphs"_a, nb::kw_only(), "caseless"_a, "judge"_a,
             "Return the sentences of paragraphs.");

    module.def("hashes_of", &hashes_of, "word"_a, "Return the hashes of a word, which differ in every process.");
    module.def("json_item", &json_item, "line"_a, "Read a usual line of a stream of summaries, or None.");

    nb::class_<GivenTexts>(module, "GivenTexts", "Peers with their references, without copies.")
        .def_static("of", &given_texts, "peers"_a.none(), "references"_a.none(),
                    "Wrap lists and tuples of texts; None if there is anything else.")
        .def_ro("ascii", &GivenTexts::ascii, "Whether all characters are ASCII.")
        .def_ro("prose", &GivenTexts::prose, "Whether a text has no line breaks inside.")
        .def_prop_ro_static("splits", [](nb::handle) { return true; }, "Whether `units` splits prose.")
        .def_prop_ro("items", &pairs_of, "The item of each pair.")
        .def("units", &units_of, "vocabularies"_a, "units"_a, "whole"_a = false,
             "stops"_a = nb::none(), "judge_of"_a = nb::none(),
             "Count units of the model, of the peer and shared ones, for each kind and pair.");

    define_comparing(module);
}

}  // namespace pyramidion
