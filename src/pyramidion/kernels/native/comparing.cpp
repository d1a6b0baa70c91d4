// What Python sees of the kernels that compare texts. Arguments are checked by ../checks.py,
// which hands back arrays that are in one piece and whose numbers are within their bounds.
#include "comparing.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "lcs.hpp"
#include "ngrams.hpp"
#include "parallel.hpp"
#include "skips.hpp"
#include "summary_lcs.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace pyramidion {
namespace {

template <class Number>
using Input = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig>;

template <class Number>
Span<Number> span_of(nb::handle array) {
    // The caller holds the array.
    const auto input = nb::cast<Input<Number>>(array, false);
    return {input.data(), input.size()};
}

nb::object check(const char* name) {
    return nb::module_::import_("pyramidion.kernels.checks").attr(name);
}

// Checked texts and pairs. The tuple keeps the arrays alive.
struct OverlapArguments {
    nb::object checked;
    Texts texts;
    Pairs pairs;
    std::int64_t threads;

    OverlapArguments(nb::handle ids, nb::handle starts, nb::handle peers, nb::handle models,
                     nb::handle number)
        : checked(check("checked_overlap")(ids, starts, peers, models, number)),
          texts{span_of<std::int32_t>(checked[0]), span_of<std::int64_t>(checked[1])},
          pairs{span_of<std::int64_t>(checked[2]), span_of<std::int64_t>(checked[3])},
          threads(nb::cast<std::int64_t>(checked[4])) {}
};

// Beyond this many words what is prepared is that of the shorter text.
constexpr std::size_t kLong = 4096;

// What is prepared for a peer serves all its pairs that follow each other.
template <class MakeOverlap>
std::vector<std::int64_t> count(const OverlapArguments& arguments, MakeOverlap&& make_overlap) {
    const Pairs& pairs = arguments.pairs;
    std::vector<std::int64_t> hits(pairs.size());
    for_each_index(pairs.size(), arguments.threads, [&] {
        return [&, overlap = make_overlap(), prepared = std::int64_t{-1}](std::size_t i) mutable {
            std::int64_t one = pairs.peers[i], other = pairs.models[i];
            if (arguments.texts[one].size > kLong &&
                arguments.texts[other].size < arguments.texts[one].size) {
                std::swap(one, other);
            }
            if (one != prepared) overlap.prepare(arguments.texts[one]);
            prepared = one;
            hits[i] = overlap.hits(arguments.texts[other]);
        };
    });
    return hits;
}

Array<std::int64_t> ngram_hits(nb::handle ids, nb::handle starts, nb::handle peers,
                               nb::handle models, nb::handle n, nb::handle threads) {
    const OverlapArguments arguments(ids, starts, peers, models, threads);
    const auto size = nb::cast<std::int64_t>(check("whole_number")("n", n, "least"_a = 1));
    std::vector<std::int64_t> hits;
    {
        nb::gil_scoped_release unlocked;
        hits = count(arguments, [&] { return NgramOverlap(size); });
    }
    return to_array(std::move(hits));
}

Array<std::int64_t> skip_hits(nb::handle ids, nb::handle starts, nb::handle peers,
                              nb::handle models, nb::handle gap, bool unigrams,
                              nb::handle threads) {
    const OverlapArguments arguments(ids, starts, peers, models, threads);
    const nb::object& checked = arguments.checked;
    const auto most =
        nb::cast<std::int64_t>(check("checked_gap")(gap, checked[1], checked[2], checked[3]));
    std::vector<std::int64_t> hits;
    {
        nb::gil_scoped_release unlocked;
        const std::size_t vocabulary = vocabulary_size(arguments.texts.ids);
        hits = count(arguments, [&] { return SkipOverlap(vocabulary, most, unigrams); });
    }
    return to_array(std::move(hits));
}

struct SubsequenceArguments {
    nb::object checked;
    nb::object summaries;
    Summaries all;
    Pairs pairs;
    std::int64_t threads;

    SubsequenceArguments(nb::handle given, nb::handle peers, nb::handle models, nb::handle number)
        : checked(check("checked_subsequences")(given, peers, models, number)),
          summaries(checked[0]),
          all{texts("ids", "starts"), texts("sentence_ids", "sentences"),
              span_of<std::int64_t>(summaries.attr("texts"))},
          pairs{span_of<std::int64_t>(checked[1]), span_of<std::int64_t>(checked[2])},
          threads(nb::cast<std::int64_t>(checked[3])) {}

    // The numbers of words that need a place in a table.
    std::size_t vocabulary() const {
        return std::max(vocabulary_size(all.flat.ids), vocabulary_size(all.sentences.ids));
    }

    std::int64_t longest_sentence() const {
        std::int64_t longest = 0;
        const Span<std::int64_t>& starts = all.sentences.starts;
        for (std::size_t s = 1; s < starts.size; ++s) {
            longest = std::max(longest, starts[s] - starts[s - 1]);
        }
        return longest;
    }

private:
    Texts texts(const char* ids, const char* starts) const {
        return {span_of<std::int32_t>(summaries.attr(ids)),
                span_of<std::int64_t>(summaries.attr(starts))};
    }
};

Array<std::int64_t> lcs_hits(nb::handle summaries, nb::handle peers, nb::handle models,
                             nb::handle threads) {
    const SubsequenceArguments arguments(summaries, peers, models, threads);
    const Pairs& pairs = arguments.pairs;
    std::vector<std::int64_t> hits(pairs.size());
    {
        nb::gil_scoped_release unlocked;
        const std::size_t vocabulary = arguments.vocabulary();
        for_each_index(pairs.size(), arguments.threads, [&] {
            LcsOverlap<Lcs> made(arguments.all, vocabulary, Lcs());
            return [&, overlap = std::move(made)](std::size_t i) mutable {
                hits[i] = overlap.hits(pairs.peers[i], pairs.models[i]);
            };
        });
    }
    return to_array(std::move(hits));
}

Array<double> weighted_lcs_hits(nb::handle summaries, nb::handle peers, nb::handle models,
                                nb::handle weight, nb::handle threads) {
    const SubsequenceArguments arguments(summaries, peers, models, threads);
    const Pairs& pairs = arguments.pairs;
    const std::int64_t longest = arguments.longest_sentence();
    const auto exponent = nb::cast<double>(check("checked_weight")(weight, longest));
    std::vector<double> hits(pairs.size());
    {
        nb::gil_scoped_release unlocked;
        std::vector<double> power;
        power.reserve(static_cast<std::size_t>(longest) + 1);
        for (std::int64_t k = 0; k <= longest; ++k) {
            power.push_back(std::pow(static_cast<double>(k), exponent));
        }
        const std::size_t vocabulary = arguments.vocabulary();
        for_each_index(pairs.size(), arguments.threads, [&] {
            LcsOverlap<WeightedLcs> made(arguments.all, vocabulary, WeightedLcs(power));
            return [&, overlap = std::move(made)](std::size_t i) mutable {
                hits[i] = overlap.weight_of_hits(pairs.peers[i], pairs.models[i], power);
            };
        });
    }
    return to_array(std::move(hits));
}

}  // namespace

void define_comparing(nb::module_& module) {
    module.def("ngram_hits", &ngram_hits, "ids"_a.none(), "starts"_a.none(), "peers"_a.none(),
               "models"_a.none(), "n"_a.none(), "threads"_a.none() = 1,
               "Count the n-grams that each peer shares with its model.");
    module.def("skip_hits", &skip_hits, "ids"_a.none(), "starts"_a.none(), "peers"_a.none(),
               "models"_a.none(), "gap"_a.none(), "unigrams"_a, "threads"_a.none() = 1,
               "Count the skip-bigrams that each peer shares with its model.");
    module.def("lcs_hits", &lcs_hits, "summaries"_a.none(), "peers"_a.none(), "models"_a.none(),
               "threads"_a.none() = 1,
               "Count the words of each model on its longest common subsequences with the peer.");
    module.def("weighted_lcs_hits", &weighted_lcs_hits, "summaries"_a.none(), "peers"_a.none(),
               "models"_a.none(), "weight"_a.none(), "threads"_a.none() = 1,
               "Weigh the runs of hits on weighted longest common subsequences.");
}

}  // namespace pyramidion
