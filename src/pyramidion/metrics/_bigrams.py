"""Bigrams shared with references, counted without regard to length: four features of CLASSY."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection._options import option
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import Metric, Need, tokenizer_option
from pyramidion.metrics._rouge import against_option
from pyramidion.text import Tokenizer
from pyramidion.text._encoding import Reading


def _models_option(default: str) -> Any:
    choices = ("average", "best", "sum")
    return option(default, "how references are combined", choices=choices)


@dataclass(frozen=True, slots=True)
class BigramCounts(Metric):
    """Bigrams of stemmed words that go on over the end of a sentence, as ROUGE-2 reads them."""

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
        key = ("bigrams", self.reading, peers.tobytes(), models.tobytes())
        shared = cases.texts.memo(key, lambda: _count(cases, self.reading))[self.repeated]
        if self.models == "best":
            return cases.greatest_over_references(shared[places])[:, None]
        mean = cases.mean_over_references(shared[places])
        return (mean * cases.references.sizes if self.models == "sum" else mean)[:, None]


@dataclass(frozen=True, slots=True)
class BigramCoverage(BigramCounts):
    r"""Different bigrams of the summary, each credited by the share of references that have it.

    .. math:: \sum_{b \in S} \frac{i_b}{n}

    over the different bigrams b of the summary S, of which :math:`i_b` of n references have b.
    How often a bigram occurs plays no part, and nothing is divided by a length: the models
    printed for this feature give it about 0.1 to 0.4 where ROUGE-2 has 48, so that it must be
    of the order of 10 for summaries of 100 words. That is the number of different bigrams shared
    with a reference, on average. It is 0 if nothing is shared.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["a b c a b"], [["a b c", "b c d"]])
    >>> BigramCoverage().statistics(cases).tolist()
    [[1.5]]
    """

    name: ClassVar[str] = "bigram-coverage"
    title: ClassVar[str] = "Coverage"
    summary: ClassVar[str] = "different bigrams shared, by the share of references with them"


@dataclass(frozen=True, slots=True)
class BigramUnnormalized(BigramCounts):
    r"""ROUGE-2 before it is divided by a length.

    .. math:: \frac{1}{n} \sum_j \sum_b \min(S(b), M_j(b))

    where S(b) and :math:`M_j(b)` count a bigram in the summary and in reference j of n: the
    matches of ROUGE-2, a reference on average, as `BigramCoverage` credits a bigram by the share
    of references that have it. ``models=sum`` adds them up, as ROUGE-1.5.5 does before it
    divides; in the published models that would rank people below machines (see the readings).

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["a b c a b"], [["a b a b", "b c d"]])
    >>> BigramUnnormalized().statistics(cases).tolist()
    [[1.5]]
    >>> BigramUnnormalized(models="sum").statistics(cases).tolist()
    [[3.0]]
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
    that the summary is compared with each reference on its own, but not how the comparisons
    come together. Their mean is `BigramCoverage` again, number for number, and that of
    `BigramP2P` is `BigramUnnormalized`; models that hold all four with coefficients of their own
    cannot have been fitted to copies. So the best reference counts, which is how the papers say
    that ROUGE compares with each reference; ``models=average`` gives the mean.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["a b c a b"], [["a b c", "b c d"]])
    >>> BigramCoverageP2P().statistics(cases).tolist()
    [[2.0]]
    >>> BigramCoverageP2P(models="average").statistics(cases).tolist()
    [[1.5]]
    """

    name: ClassVar[str] = "bigram-coverage-p2p"
    title: ClassVar[str] = "Coverage P2P"
    summary: ClassVar[str] = "different bigrams shared with the reference that shares most"

    models: str = _models_option("best")


@dataclass(frozen=True, slots=True)
class BigramP2P(BigramCoverageP2P):
    r"""Bigrams shared with one reference, however long the texts are: point to point.

    .. math:: \max_j \sum_b \min(S(b), M_j(b))

    As `BigramCoverageP2P`, with a bigram counted as often as both texts have it.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["a b c a b"], [["a b a b", "b c d"]])
    >>> BigramP2P().statistics(cases).tolist()
    [[2.0]]
    """

    name: ClassVar[str] = "bigram-p2p"
    title: ClassVar[str] = "Bigrams P2P"
    summary: ClassVar[str] = "bigrams shared with the reference that shares most"
    repeated: ClassVar[bool] = True


def _count(cases: ScoringBatch, reading: Reading) -> tuple[Floats, Floats]:
    """Count the bigrams of each different pair of texts: different ones, and all."""
    peers, models, _ = cases.compared
    table = cases.texts.counts(reading, 2)
    least = table[peers].minimum(table[models])
    # No count is stored that is 0, so stored ones are different bigrams.
    return np.diff(least.indptr).astype(np.float64), least.sum(axis=1).astype(np.float64)
