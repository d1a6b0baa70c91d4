"""Bigrams shared with references: four features of CLASSY, and VERT."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import Metric, Need, share, tokenizer_option
from pyramidion.metrics._rouge import against_option
from pyramidion.questions import option
from pyramidion.text import Tokenizer


def _models_option(default: str) -> Any:
    choices = ("average", "best", "sum")
    return option(default, "how references are combined", choices=choices)


@dataclass(frozen=True, slots=True)
class BigramCounts(Metric):
    """Shared bigrams of stemmed words; as in ROUGE-2, they may cross sentence boundaries."""

    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "affected by length"
    #: Whether repeated bigrams count (as often as both texts have them).
    repeated: ClassVar[bool] = False
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    stem: bool = option(True, "stem words")
    stop_words: bool = option(False, "leave stop words out")
    tokenizer: Tokenizer | None = tokenizer_option()
    against: str = against_option()
    models: str = _models_option("average")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the score itself."""
        cases = cases.against(self.against)
        peers, models, indices = cases.compared

        def counted() -> tuple[Floats, Floats]:
            table = cases.texts.counts(self.reading, 2)
            shared = table[peers].minimum(table[models])
            # Zeros are not stored, so stored counts are distinct bigrams.
            return np.diff(shared.indptr).astype(np.float64), shared.sum(axis=1).astype(np.float64)

        key = ("bigrams", self.reading, peers.tobytes(), models.tobytes())
        shared_counts = cases.texts.memo(key, counted)[self.repeated]
        if self.models == "best":
            return cases.greatest_over_references(shared_counts[indices])[:, None]
        means = cases.mean_over_references(shared_counts[indices])
        return (means * cases.references.sizes if self.models == "sum" else means)[:, None]


class BigramCoverage(BigramCounts):
    r"""Distinct bigrams of the summary, each weighted by the share of references that have it.

    .. math:: \sum_{b \in S} \frac{i_b}{n}

    over the distinct bigrams b of the summary S, where :math:`i_b` of n references have b: the mean
    number of distinct bigrams shared with a reference. Repetitions do not count and nothing is
    divided by a length: the published models give this feature coefficients of 0.1 to 0.4, and
    ROUGE-2 48, so it must be on the order of 10 for summaries of 100 words.

    Source: Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the
    quality of a text summary. Algorithms 5.
    """

    name: ClassVar[str] = "bigram-coverage"
    title: ClassVar[str] = "Coverage"
    summary: ClassVar[str] = "distinct bigrams, weighted by the share of references with them"


class BigramUnnormalized(BigramCounts):
    r"""ROUGE-2 before it is divided by a length.

    .. math:: \frac{1}{n} \sum_j \sum_b \min(S(b), M_j(b))

    where S(b) and :math:`M_j(b)` count a bigram in the summary and in reference j of n: the mean
    number of ROUGE-2 matches with a reference. ``models=sum`` adds them up, as ROUGE-1.5.5 does
    before it divides; in the published models that would rank people below machines. See
    `BigramCoverage` for the paper.
    """

    name: ClassVar[str] = "bigram-unnormalized"
    title: ClassVar[str] = "Bigrams"
    summary: ClassVar[str] = "mean number of bigrams shared with a reference, not normalized"
    repeated: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class BigramCoverageP2P(BigramCounts):
    r"""Distinct bigrams shared with one reference: point to point.

    .. math:: \max_j |S \cap M_j|

    over the sets of distinct bigrams of the summary and of each reference j. The papers compare the
    summary with each reference separately, but do not say how the comparisons are combined. The
    mean would give `BigramCoverage` again (and `BigramUnnormalized` for `BigramP2P`), but the
    published models have all four, with different coefficients. So the best reference counts, as
    the papers say of ROUGE; ``models=average`` gives the mean. See `BigramCoverage` for the paper.
    """

    name: ClassVar[str] = "bigram-coverage-p2p"
    title: ClassVar[str] = "Coverage P2P"
    summary: ClassVar[str] = "distinct bigrams shared with the reference that shares the most"

    models: str = _models_option("best")


class BigramP2P(BigramCoverageP2P):
    r"""Bigrams shared with one reference, not normalized by length: point to point.

    .. math:: \max_j \sum_b \min(S(b), M_j(b))

    Like `BigramCoverageP2P`, but a bigram counts as often as both texts have it.
    """

    name: ClassVar[str] = "bigram-p2p"
    title: ClassVar[str] = "Bigrams P2P"
    summary: ClassVar[str] = "bigrams shared with the reference that shares the most"
    repeated: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Vert(Metric):
    r"""VERT-F: chi-square, precision, recall and F of bigrams in one number.

    The papers name the four parts but not how they are combined; we combine them as follows. For a
    summary and one reference, with a and b the counts of each bigram, A and B their sums and
    :math:`h = \sum \min(a, b)` the bigrams they share:

    - precision :math:`P = h/A`, recall :math:`R = h/B`, and :math:`F = \sqrt{PR}`, their
      geometric mean;
    - :math:`\chi^2` of the table with the two rows a and b, which is at most A + B, as
      :math:`C = 1 - \chi^2 / (A + B) = \frac{A + B}{AB} \sum \frac{ab}{a + b}`: 1 for
      proportional counts, 0 where nothing is shared.

    The score is the mean of C, P, R and F, averaged over references; ``part`` selects one of them.

    Source: de Oliveira, Torrens, Cidral, Schossland and Bittencourt (2008). Evaluating summaries
    automatically, a system proposal. LREC.
    """

    name: ClassVar[str] = "vert-f"
    title: ClassVar[str] = "VERT-F"
    summary: ClassVar[str] = "mean of chi-square similarity, precision, recall and F of bigrams"
    bounds: ClassVar[str] = "0 to 1"
    citation: ClassVar[str] = "de Oliveira et al. 2008"
    ascii_only: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    part: str = option("all", "which part", choices=("all", "chi", "precision", "recall", "f"))
    stem: bool = option(True, "stem words")
    stop_words: bool = option(False, "leave stop words out")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return C, P, R and F; 0 where a text has no bigrams to divide by."""
        counts = cases.texts.counts(self.reading, 2)
        peers, models, indices = cases.compared
        sizes = counts.sum(axis=1).astype(np.float64)
        peer_counts, model_counts = counts[peers], counts[models]
        n_shared = peer_counts.minimum(model_counts).sum(axis=1).astype(np.float64)
        sums = peer_counts + model_counts
        sums.data = 1 / sums.data
        similarity = peer_counts.multiply(model_counts).multiply(sums).sum(axis=1) * (
            sizes[peers] + sizes[models]
        )
        chi = np.nan_to_num(share(similarity, sizes[peers] * sizes[models]))
        precision, recall = (
            np.nan_to_num(share(n_shared, sizes[texts])) for texts in (peers, models)
        )
        columns = (chi, precision, recall, np.sqrt(precision * recall))
        return np.stack([cases.mean_over_references(column[indices]) for column in columns], axis=1)

    def score(self, statistics: Floats) -> Floats:
        """Average the four parts, or take one."""
        if self.part == "all":
            return np.asarray(statistics.mean(axis=-1))
        return statistics[..., ("chi", "precision", "recall", "f").index(self.part)]
