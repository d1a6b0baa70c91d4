"""BLEU."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection._options import option
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import Metric, Need, tokenizer_option
from pyramidion.text import Tokenizer
from pyramidion.text._encoding import Reading


@dataclass(frozen=True, slots=True)
class Bleu(Metric):
    r"""BLEU: the geometric mean of n-gram precisions, times a penalty for brevity.

    An n-gram of the summary counts at most as often as the reference that has it most often
    has it. With c words in the summary and r in the reference of the nearest length (the
    shorter of two equally near), the penalty is :math:`\min(1, e^{1 - r/c})`. Precisions of an
    order that has no match are smoothed as in method 2 of Chen and Cherry (2014): 1 is added to
    matches and totals of n > 1, because a single summary often has no common 4-gram.

    References
    ----------
    Papineni, Roukos, Ward and Zhu (2002). BLEU: a method for automatic evaluation of machine
    translation. ACL.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["the rain fell"], [["the rain fell today"]])
    >>> Bleu(n=1).score(Bleu(n=1).statistics(cases)).round(4).tolist()
    [0.7165]
    """

    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "BLEU"
    summary: ClassVar[str] = "precision of n-grams, with a penalty for brevity"
    bounds: ClassVar[str] = "0 to 1"
    citation: ClassVar[str] = "Papineni et al. 2002"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    n: int = option(4, "the longest n-grams", min=1, max=9)
    stem: bool = option(False, "stem words")
    smooth: bool = option(True, "add 1 to matches and totals of n-grams with n > 1")
    tokenizer: Tokenizer | None = tokenizer_option()

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return lengths of the summary and its nearest reference, then matches and totals."""
        reading = self.reading
        lengths = cases.texts.encoded(reading).lengths
        columns = [lengths[cases.peers], _nearest(cases, lengths)]
        for n in range(1, self.n + 1):
            columns += [_matches(cases, reading, n), np.maximum(lengths[cases.peers] - n + 1, 0)]
        return np.stack(columns, axis=1).astype(np.float64)

    def score(self, statistics: Floats) -> Floats:
        """Combine precisions and the penalty."""
        own, nearest = statistics[..., 0], statistics[..., 1]
        matches, totals = statistics[..., 2::2], statistics[..., 3::2]
        if self.smooth:
            added = np.arange(self.n) > 0
            matches, totals = matches + added, totals + added
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = np.where(totals > 0, matches / totals, 0.0)
            logs = np.log(precisions).mean(axis=-1)
            penalty = np.minimum(0.0, 1 - nearest / own)
        scores = np.where(own > 0, np.exp(logs + penalty), 0.0)
        return np.where(np.isnan(nearest), np.nan, scores)


def _nearest(cases: ScoringBatch, lengths: Ints) -> Floats:
    """Return the length of the reference nearest in length to each summary; NaN if none."""
    rows, references = cases.pairs
    own, other = lengths[cases.peers[rows]], lengths[references]
    order = np.lexsort((other, np.abs(other - own), rows))
    first = order[np.flatnonzero(np.diff(rows[order], prepend=-1))]
    nearest = np.full(len(cases), np.nan)
    nearest[rows[first]] = other[first]
    return nearest


def _matches(cases: ScoringBatch, reading: Reading, n: int) -> Floats:
    """Count a summary's n-grams, each at most as often as in the reference that has it most."""
    counts = cases.texts.counts(reading, n)
    most = cases.references.greatest(counts)
    clipped = counts[cases.peers].minimum(most[cases.references.of])
    return np.asarray(clipped.sum(axis=1), dtype=np.float64)
