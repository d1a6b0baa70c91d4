// Python bindings of the kernels that compare texts. Arguments are copied before the GIL is
// released, and the copies are checked: whatever Python does to its arrays meanwhile, no index is
// out of bounds. Arguments that fail the fast checks are passed to ../checks.py, which raises an
// error or returns contiguous arrays.
#include "comparing.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "parallel.hpp"
#include "python_text.hpp"
#include "shared_units.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace pyramidion {
namespace {

nb::object check(const char* name) {
    return nb::module_::import_("pyramidion.kernels.checks").attr(name);
}

// The product of shorter texts is within the limits of ../checks.py.
constexpr std::int64_t kPlain = 65'536;

template <class Number>
bool copy(nb::handle array, std::vector<Number>& values) {
    nb::ndarray<const Number, nb::ndim<1>, nb::c_contig> input;
    if (!nb::try_cast(array, input, false)) return false;
    values.assign(input.data(), input.data() + input.size());
    return true;
}

template <class Number>
Span<Number> span_of(const std::vector<Number>& values) {
    return {values.data(), values.size()};
}

// Copies of texts and pairs. Movable but not copyable: moved vectors keep their memory, so that the
// spans stay valid.
class Arguments {
public:
    Arguments(Arguments&&) = default;
    Arguments(const Arguments&) = delete;

    Summaries all;
    Pairs pairs;
    std::size_t vocabulary = 0;
    std::int64_t longest = 0;  // words in a text
    std::int64_t threads = 1;

    // Word ids, and the starts of texts.
    static Arguments of_texts(nb::handle ids, nb::handle starts, nb::handle peers, nb::handle models,
                              nb::handle threads) {
        Arguments arguments;
        if (arguments.take_texts(ids, starts) && arguments.take_pairs(peers, models) && arguments.take_threads(threads)) {
            return arguments;
        }
        const nb::object checked = check("checked_overlap")(ids, starts, peers, models, threads);
        arguments.require(arguments.take_texts(checked[0], checked[1]) && arguments.take_pairs(checked[2], checked[3]) &&
                     arguments.take_threads(checked[4]));
        return arguments;
    }

    static Arguments of_summaries(nb::handle summaries, nb::handle peers, nb::handle models,
                                  nb::handle threads) {
        Arguments arguments;
        const nb::object known = nb::module_::import_("pyramidion.kernels.summaries").attr("Summaries");
        if (nb::isinstance(summaries, known) && arguments.take_summaries(summaries) && arguments.longest <= kPlain &&
            arguments.take_pairs(peers, models) && arguments.take_threads(threads)) {
            return arguments;
        }
        const nb::object checked = check("checked_subsequences")(summaries, peers, models, threads);
        arguments.require(arguments.take_summaries(checked[0]) && arguments.take_pairs(checked[1], checked[2]) &&
                     arguments.take_threads(checked[3]));
        return arguments;
    }

    std::int64_t longest_sentence() const {
        std::int64_t longest = 0;
        for (std::size_t s = 1; s < sentences_.size(); ++s) {
            longest = std::max(longest, sentences_[s] - sentences_[s - 1]);
        }
        return longest;
    }

    // The checks of ../checks.py, on the copies.
    nb::object checked_gap(nb::handle gap) const {
        const auto array = [](const std::vector<std::int64_t>& values) {
            return nb::cast(to_array(std::vector<std::int64_t>(values)));
        };
        return check("checked_gap")(gap, array(starts_), array(peers_), array(models_));
    }

private:
    Arguments() = default;

    static void require(bool holds) {
        if (!holds) throw nb::value_error("the arrays were changed while they were read");
    }

    bool take_texts(nb::handle ids, nb::handle starts) {
        vocabulary = 0;
        if (!copy(ids, ids_) || !copy(starts, starts_) || !rises(starts_, ids_.size())) return false;
        longest = longest_of(starts_, nullptr);
        all.flat = {span_of(ids_), span_of(starts_)};
        return take_vocabulary(ids_, ids_.size());
    }

    bool take_summaries(nb::handle summaries) {
        vocabulary = 0;
        const nb::object flat = summaries.attr("ids"), listed = summaries.attr("sentence_ids");
        if (!copy(flat, ids_) || !copy(summaries.attr("starts"), starts_)) return false;
        // Texts that are the same flat and in sentences share an array, which is copied once.
        const bool same = flat.is(listed);
        if (!same && !copy(listed, listed_)) return false;
        const std::vector<std::int32_t>& words = same ? ids_ : listed_;
        if (!copy(summaries.attr("sentences"), sentences_) || !copy(summaries.attr("texts"), texts_)) return false;
        if (!rises(starts_, ids_.size()) || !rises(sentences_, words.size())) return false;
        if (!rises(texts_, sentences_.size() - 1) || texts_.size() != starts_.size()) return false;
        longest = std::max(longest_of(starts_, nullptr), longest_of(texts_, &sentences_));
        all = {{span_of(ids_), span_of(starts_)}, {span_of(words), span_of(sentences_)}, span_of(texts_)};
        const std::size_t size = same ? 2 * ids_.size() : ids_.size() + listed_.size();
        return take_vocabulary(ids_, size) && (same || take_vocabulary(listed_, size));
    }

    bool take_pairs(nb::handle peers, nb::handle models) {
        const auto texts = static_cast<std::int64_t>(starts_.size()) - 1;
        const auto within = [&](std::int64_t text) { return 0 <= text && text < texts; };
        if (!copy(peers, peers_) || !copy(models, models_) || peers_.size() != models_.size()) return false;
        pairs = {span_of(peers_), span_of(models_)};
        return std::all_of(peers_.begin(), peers_.end(), within) &&
               std::all_of(models_.begin(), models_.end(), within);
    }

    bool take_threads(nb::handle number) { return nb::try_cast(number, threads, false) && threads >= 1; }

    // Tables have an entry for each id.
    bool take_vocabulary(const std::vector<std::int32_t>& ids, std::size_t size) {
        std::uint32_t greatest = 0;
        for (const std::int32_t id : ids) greatest = std::max(greatest, static_cast<std::uint32_t>(id));
        vocabulary = std::max<std::size_t>(vocabulary, greatest + std::size_t{1});
        const auto most = std::max<std::uint64_t>(std::uint64_t{4} * size + 1024, 1 << 16);
        return greatest <= most && size <= std::uint64_t{0x7FFFFFFF};
    }

    static bool rises(const std::vector<std::int64_t>& starts, std::size_t end) {
        return !starts.empty() && starts.front() >= 0 && std::is_sorted(starts.begin(), starts.end()) &&
               starts.back() <= static_cast<std::int64_t>(end);
    }

    static std::int64_t longest_of(const std::vector<std::int64_t>& starts,
                                   const std::vector<std::int64_t>* within) {
        const auto start_of = [&](std::size_t i) {
            return within == nullptr ? starts[i] : (*within)[static_cast<std::size_t>(starts[i])];
        };
        std::int64_t longest = 0;
        for (std::size_t i = 1; i < starts.size(); ++i) longest = std::max(longest, start_of(i) - start_of(i - 1));
        return longest;
    }

    std::vector<std::int32_t> ids_, listed_;
    std::vector<std::int64_t> starts_, sentences_, texts_, peers_, models_;
};

Hits count(const Arguments& arguments, const UnitRequest& request) {
    Hits hits(request, arguments.pairs.size());
    nb::gil_scoped_release unlocked;
    const Pairs& pairs = arguments.pairs;
    for_each_index(pairs.size(), arguments.threads, [&] {
        SharedUnits units(arguments.all, request, hits);
        units.restart(arguments.vocabulary);
        return [&pairs, units = std::move(units)](std::size_t pair) mutable {
            units.count(pair, pairs.peers[pair], pairs.models[pair]);
        };
    });
    return hits;
}

std::int64_t n_of(nb::handle number) {
    std::int64_t n;
    if (nb::try_cast(number, n, false) && n >= 1) return n;
    return nb::cast<std::int64_t>(check("whole_number")("n", number, "least"_a = 1));
}

SkipRule skips_of(const Arguments& arguments, nb::handle gap, bool unigrams) {
    std::int64_t most;
    if (!nb::try_cast(gap, most, false) || arguments.longest > kPlain) {
        most = nb::cast<std::int64_t>(arguments.checked_gap(gap));
    }
    return {most, unigrams};
}

std::vector<double> powers_of(const Arguments& arguments, nb::handle weight) {
    const std::int64_t longest = arguments.longest_sentence();
    const auto exponent = nb::cast<double>(check("checked_weight")(weight, longest));
    std::vector<double> power;
    power.reserve(static_cast<std::size_t>(longest) + 1);
    for (std::int64_t k = 0; k <= longest; ++k) power.push_back(std::pow(static_cast<double>(k), exponent));
    return power;
}

Array<std::int64_t> ngram_hits(nb::handle ids, nb::handle starts, nb::handle peers, nb::handle models,
                               nb::handle n, nb::handle threads) {
    const Arguments arguments = Arguments::of_texts(ids, starts, peers, models, threads);
    UnitRequest request;
    request.ngrams.push_back(n_of(n));
    return to_array(std::move(count(arguments, request).ngrams[0]));
}

Array<std::int64_t> skip_hits(nb::handle ids, nb::handle starts, nb::handle peers, nb::handle models,
                              nb::handle gap, bool unigrams, nb::handle threads) {
    const Arguments arguments = Arguments::of_texts(ids, starts, peers, models, threads);
    UnitRequest request;
    request.skips.push_back(skips_of(arguments, gap, unigrams));
    return to_array(std::move(count(arguments, request).skips[0]));
}

Array<std::int64_t> lcs_hits(nb::handle summaries, nb::handle peers, nb::handle models,
                             nb::handle threads) {
    const Arguments arguments = Arguments::of_summaries(summaries, peers, models, threads);
    UnitRequest request;
    request.lcs = true;
    return to_array(std::move(count(arguments, request).lcs));
}

Array<double> weighted_lcs_hits(nb::handle summaries, nb::handle peers, nb::handle models,
                                nb::handle weight, nb::handle threads) {
    const Arguments arguments = Arguments::of_summaries(summaries, peers, models, threads);
    UnitRequest request;
    request.power = powers_of(arguments, weight);
    return to_array(std::move(count(arguments, request).weighted));
}

nb::list shared_units(nb::handle summaries, nb::handle peers, nb::handle models, nb::handle units,
                      nb::handle threads) {
    // Checked pairs of a family and a number; and whether sentences matter.
    const nb::object checked = check("checked_units")(units), requested = checked[0];
    const Arguments arguments =
        nb::cast<bool>(checked[1])
            ? Arguments::of_summaries(summaries, peers, models, threads)
            : Arguments::of_texts(summaries.attr("ids"), summaries.attr("starts"), peers, models, threads);
    UnitRequest request;
    std::vector<char> families;
    for (nb::handle unit : requested) {
        const nb::object family = unit[0], number = unit[1];
        const std::string_view name = nb::borrow<nb::str>(family).c_str();
        families.push_back(name == "su" ? 's' : name[0]);
        switch (families.back()) {
            case 'n': request.ngrams.push_back(n_of(number)); break;
            case 's': request.skips.push_back(skips_of(arguments, number, name == "su")); break;
            case 'l': request.lcs = true; break;
            default: request.power = powers_of(arguments, number);
        }
    }
    Hits hits = count(arguments, request);
    nb::list results;
    std::size_t ngrams = 0, skips = 0;
    for (const char family : families) {
        switch (family) {
            case 'n': results.append(to_array(std::move(hits.ngrams[ngrams++]))); break;
            case 's': results.append(to_array(std::move(hits.skips[skips++]))); break;
            case 'l': results.append(to_array(std::move(hits.lcs))); break;
            default: results.append(to_array(std::move(hits.weighted)));
        }
    }
    return results;
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
    module.def("shared_units", &shared_units, "summaries"_a.none(), "peers"_a.none(), "models"_a.none(),
               "units"_a.none(), "threads"_a.none() = 1,
               "Count several kinds of units that each peer shares with its model.");
}

}  // namespace pyramidion
