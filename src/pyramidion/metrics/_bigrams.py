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
    """Shared bigrams of stemmed words, which may cross the end of a sentence, as in ROUGE-2."""

    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "length"
    #: Whether a bigram counts as often as both texts have it, or once.
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
        peers, models, places = cases.compared

        def counted() -> tuple[Floats, Floats]:
            table = cases.texts.counts(self.reading, 2)
            least = table[peers].minimum(table[models])
            # No count is stored that is 0, so stored ones are different bigrams.
            return np.diff(least.indptr).astype(np.float64), least.sum(axis=1).astype(np.float64)

        key = ("bigrams", self.reading, peers.tobytes(), models.tobytes())
        shared = cases.texts.memo(key, counted)[self.repeated]
        if self.models == "best":
            return cases.greatest_over_references(shared[places])[:, None]
        mean = cases.mean_over_references(shared[places])
        return (mean * cases.references.sizes if self.models == "sum" else mean)[:, None]


class BigramCoverage(BigramCounts):
    r"""Different bigrams of the summary, each credited by the share of references that have it.

    .. math:: \sum_{b \in S} \frac{i_b}{n}

    over the different bigrams b of the summary S, where :math:`i_b` of n references have b: the
    number of different bigrams shared with a reference, on average. How often a bigram occurs
    does not matter, and nothing is divided by a length: the published models give this feature
    about 0.1 to 0.4 where ROUGE-2 has 48, so that it must be of the order of 10 for summaries of
    100 words.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.
    """

    name: ClassVar[str] = "bigram-coverage"
    title: ClassVar[str] = "Coverage"
    summary: ClassVar[str] = "different bigrams shared, by the share of references with them"


class BigramUnnormalized(BigramCounts):
    r"""ROUGE-2 before it is divided by a length.

    .. math:: \frac{1}{n} \sum_j \sum_b \min(S(b), M_j(b))

    where S(b) and :math:`M_j(b)` count a bigram in the summary and in reference j of n: the
    matches of ROUGE-2 with a reference, on average. ``models=sum`` adds them up, as ROUGE-1.5.5
    does before it divides; in the published models that would rank people below machines (see the
    readings).

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.
    """

    name: ClassVar[str] = "bigram-unnormalized"
    title: ClassVar[str] = "Bigrams"
    summary: ClassVar[str] = "bigrams shared with a reference on average, not divided by a length"
    repeated: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class BigramCoverageP2P(BigramCounts):
    r"""Different bigrams shared with one reference: point to point.

    .. math:: \max_j |S \cap M_j|

    over the sets of different bigrams of the summary and of each reference j. The papers say
    that the summary is compared with each reference on its own, but not how the comparisons are
    combined. Their mean would be `BigramCoverage` again, and that of `BigramP2P`
    `BigramUnnormalized`; but the published models have all four, with different coefficients. So
    the best reference counts, as the papers say of ROUGE; ``models=average`` gives the mean.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.
    """

    name: ClassVar[str] = "bigram-coverage-p2p"
    title: ClassVar[str] = "Coverage P2P"
    summary: ClassVar[str] = "different bigrams shared with the reference that shares most"

    models: str = _models_option("best")


class BigramP2P(BigramCoverageP2P):
    r"""Bigrams shared with one reference, however long the texts are: point to point.

    .. math:: \max_j \sum_b \min(S(b), M_j(b))

    As `BigramCoverageP2P`, with a bigram counted as often as both texts have it.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.
    """

    name: ClassVar[str] = "bigram-p2p"
    title: ClassVar[str] = "Bigrams P2P"
    summary: ClassVar[str] = "bigrams shared with the reference that shares most"
    repeated: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Vert(Metric):
    r"""VERT-F: chi-square, precision, recall and F of bigrams in one number.

    The papers name the four parts without saying how they are combined; this is the reading used
    here. For a summary and one reference, with a and b the counts of each bigram, A and B their
    sums and :math:`h = \sum \min(a, b)` the bigrams they share:

    - precision :math:`P = h/A`, recall :math:`R = h/B`, and :math:`F = \sqrt{PR}`, their
      geometric mean;
    - :math:`\chi^2` of the table with the two rows a and b, which is at most A + B, as
      :math:`C = 1 - \chi^2 / (A + B) = \frac{A + B}{AB} \sum \frac{ab}{a + b}`: 1 for
      proportional counts, 0 where nothing is shared.

    The score is the mean of C, P, R and F, averaged over references; ``part`` chooses one of the
    four.

    References
    ----------
    de Oliveira, Torrens, Cidral, Schossland and Bittencourt (2008). Evaluating summaries
    automatically, a system proposal. LREC.
    """

    name: ClassVar[str] = "vert-f"
    title: ClassVar[str] = "VERT-F"
    summary: ClassVar[str] = "mean of chi-square likeness, precision, recall and F of bigrams"
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
        peers, models, places = cases.compared
        sizes = counts.sum(axis=1).astype(np.float64)
        own, other = counts[peers], counts[models]
        shared = own.minimum(other).sum(axis=1).astype(np.float64)
        sums = own + other
        sums.data = 1 / sums.data
        likeness = own.multiply(other).multiply(sums).sum(axis=1) * (sizes[peers] + sizes[models])
        chi = np.nan_to_num(share(likeness, sizes[peers] * sizes[models]))
        precision = np.nan_to_num(share(shared, sizes[peers]))
        recall = np.nan_to_num(share(shared, sizes[models]))
        columns = (chi, precision, recall, np.sqrt(precision * recall))
        return np.stack([cases.mean_over_references(one[places]) for one in columns], axis=1)

    def score(self, statistics: Floats) -> Floats:
        """Average the four parts, or take one."""
        if self.part == "all":
            return np.asarray(statistics.mean(axis=-1))
        return statistics[..., ("chi", "precision", "recall", "f").index(self.part)]
