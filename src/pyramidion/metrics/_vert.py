"""VERT: bigrams of a summary and its references as two rows of a contingency table."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection._options import option
from pyramidion.metrics._cases import ScoringBatch, Sparse
from pyramidion.metrics._metric import Metric, Need, share


@dataclass(frozen=True, slots=True)
class Vert(Metric):
    r"""VERT-F: chi-square, precision, recall and F of bigrams in one number.

    The papers name the four ingredients without saying how they are put together; this is the
    reading used here. For a summary and one reference, with a and b the counts of each bigram,
    A and B their sums and :math:`h = \sum \min(a, b)` the bigrams they share:

    - precision :math:`P = h/A`, recall :math:`R = h/B`, and :math:`F = \sqrt{PR}`, their
      geometric mean;
    - :math:`\chi^2` of the table with the two rows a and b, which is at most A + B, as
      :math:`C = 1 - \chi^2 / (A + B) = \frac{A + B}{AB} \sum \frac{ab}{a + b}`: 1 for
      proportional counts, 0 where nothing is shared.

    The score is the mean of C, P, R and F, averaged over references, from 0 to 1; ``part``
    gives one of the four alone.

    References
    ----------
    de Oliveira, Torrens, Cidral, Schossland and Bittencourt (2008). Evaluating summaries
    automatically, a system proposal. LREC.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["rain fell today", "snow fell"], [["rain fell today"]] * 2)
    >>> Vert().score(Vert().statistics(cases)).tolist()
    [1.0, 0.0]
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
        """Return C, P, R and F."""
        counts = cases.texts.counts(self.reading, 2)
        peers, models, places = cases.compared
        sizes = np.asarray(counts.sum(axis=1), dtype=np.float64)
        own, other = counts[peers], counts[models]
        shared = np.asarray(own.minimum(other).sum(axis=1), dtype=np.float64)
        precision = _zero(share(shared, sizes[peers]))
        recall = _zero(share(shared, sizes[models]))
        both = sizes[peers] + sizes[models]
        chi = _zero(share(_likeness(own, other) * both, sizes[peers] * sizes[models]))
        columns = (chi, precision, recall, np.sqrt(precision * recall))
        means = [cases.mean_over_references(column[places]) for column in columns]
        return np.stack(means, axis=1)

    def score(self, statistics: Floats) -> Floats:
        """Average the four parts, or take one."""
        if self.part == "all":
            return np.asarray(statistics.mean(axis=-1))
        return statistics[..., ("chi", "precision", "recall", "f").index(self.part)]


def _zero(values: Floats) -> Floats:
    """Take what cannot be divided, because a text has no bigrams, as nothing shared."""
    return np.nan_to_num(values, nan=0.0)


def _likeness(own: Sparse, other: Sparse) -> Floats:
    r"""Give :math:`\sum ab / (a + b)`, row by row."""
    totals: Sparse = own + other
    totals.data = 1 / totals.data
    return np.asarray(own.multiply(other).multiply(totals).sum(axis=1), dtype=np.float64)
