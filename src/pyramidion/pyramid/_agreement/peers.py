"""Agreement of two people who annotated the same peers with the same pyramid (3.3.2).

A decision is whether a peer expresses a content unit of the pyramid; content outside the pyramid
does not count (thesis, Table 3.3). "Kappa" there assumes one distribution for both annotators:
Scott's pi.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from pyramidion._types import Bools, Floats
from pyramidion.collection import PeerAnnotation, Pyramid
from pyramidion.collection.pyramids import WeightPolicy
from pyramidion.errors import ShapeError
from pyramidion.pyramid.content_units import PyramidScores, content_of_peer, score_peer
from pyramidion.stats.inputs import ratio

Measure = Literal["original", "modified"]

_NAN = float("nan")

# The exact distribution of the signed ranks takes n³ steps.
_MAX_EXACT = 200


@dataclass(frozen=True)
class AnnotatedTwice:
    """A peer that two people annotated with the same pyramid.

    Units, the references that express them and the text must be the same; labels, offsets and
    the order of units may differ.
    """

    first: PeerAnnotation
    second: PeerAnnotation
    name: str = "the peer"
    weights: WeightPolicy = "contributors"

    def __post_init__(self) -> None:
        if self.first.text.split() != self.second.text.split():
            message = f"the two annotations of {self.name} are of different texts"
            raise ShapeError(message, "compare annotations of the same summary")
        uid = other_unit(self.first.pyramid, self.second.pyramid)
        if uid is not None:
            message = f"the two annotations of {self.name} use different pyramids: content unit "
            hint = "compare annotations made with one pyramid"
            raise ShapeError(f"{message}{uid} is not the same", hint)

    @cached_property
    def scores(self) -> tuple[PyramidScores, PyramidScores]:
        """The scores by either annotation."""
        first, second = self.first, self.second
        return score_peer(first, weights=self.weights), score_peer(second, weights=self.weights)


@dataclass(frozen=True, slots=True)
class UnitAgreement:
    """Agreement of two people on yes-no decisions, such as which content units peers express."""

    both: int
    only_first: int
    only_second: int
    neither: int
    percent: float = _NAN
    pi: float = _NAN
    kappa: float = _NAN
    alpha: float = _NAN
    undefined: str = ""
    unanimous: bool = False

    @property
    def decisions(self) -> int:
        """Number of decisions."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def precision(self) -> float:
        """Share of the second person's yes answers that the first confirms."""
        return ratio(self.both, self.both + self.only_second)

    @property
    def recall(self) -> float:
        """Share of the first person's yes answers that the second confirms."""
        return ratio(self.both, self.both + self.only_first)

    @property
    def f(self) -> float:
        """The harmonic mean of both, which is symmetric."""
        return ratio(2 * self.both, 2 * self.both + self.only_first + self.only_second)

    @classmethod
    def of(cls, first: Bools, second: Bools) -> "UnitAgreement":
        """Measure the agreement of two people's decisions."""
        cells = (first & second, first & ~second, ~first & second, ~first & ~second)
        n_both, only_first, only_second, n_neither = (int(np.count_nonzero(c)) for c in cells)
        agreement = cls(n_both, only_first, only_second, n_neither)
        if not len(first):
            return replace(agreement, undefined="no content unit is left to decide on")
        from pyramidion.stats import cohen_kappa, krippendorff_alpha, scott_pi

        kappa, pi = cohen_kappa(first, second), scott_pi(first, second).value
        alpha = krippendorff_alpha(np.array([first, second]), level="nominal").value
        agreement = replace(agreement, percent=kappa.observed, unanimous=kappa.unanimous)
        return replace(agreement, pi=pi, kappa=kappa.value, alpha=alpha)


def decisions(pair: AnnotatedTwice, *, min_weight: int = 1) -> tuple[Bools, Bools]:
    """Return both people's answers for the content units of at least this weight.

    A minimum weight of 2 is the thesis's "without weight 1". Units that no reference expresses
    are in no tier and do not count.
    """
    pyramid, other = pair.first.pyramid, pair.second.pyramid
    has_weight = pyramid.membership.sum(axis=1) >= min_weight
    rows = np.array([other.row(scu.uid) for scu in pyramid.scus], dtype=np.int64)
    first, second = (content_of_peer(peer).expressed for peer in (pair.first, pair.second))
    return first[has_weight], second[rows][has_weight]


def agreement_on_units(pairs: Sequence[AnnotatedTwice], *, min_weight: int = 1) -> UnitAgreement:
    """Measure agreement over the pooled decisions of some peers."""
    answers = [decisions(pair, min_weight=min_weight) for pair in pairs]
    first, second = np.concatenate([np.zeros((2, 0), dtype=np.bool_), *answers], axis=1)
    return UnitAgreement.of(first, second)


def other_unit(first: Pyramid, second: Pyramid) -> str | None:
    """Return the first content unit that the two pyramids do not share, if any."""
    if first is second:
        return None
    unit, other = (
        {scu.uid: pyramid.references_of(scu) for scu in pyramid.scus} for pyramid in (first, second)
    )
    return next((uid for uid in (*unit, *other) if unit.get(uid) != other.get(uid)), None)


@dataclass(frozen=True, slots=True)
class ScoreAgreement:
    """Difference between two people's scores of the same peers."""

    n: int
    undefined: int
    mean_first: float = _NAN
    mean_second: float = _NAN
    difference: float = _NAN
    absolute: float = _NAN
    largest: float = _NAN
    p_t: float = _NAN
    p_wilcoxon: float = _NAN
    correlation: float = _NAN
    note: str = ""


@dataclass(frozen=True, slots=True)
class AnnotationAgreement:
    """Agreement of two people on some peers: on all units, on units above weight 1, on scores."""

    peers: int
    units: UnitAgreement
    shared_units: UnitAgreement
    original: ScoreAgreement
    modified: ScoreAgreement


def agreement_of_annotations(pairs: Sequence[AnnotatedTwice]) -> AnnotationAgreement:
    """Measure how far two people agree on content units and on scores."""
    return AnnotationAgreement(
        len(pairs),
        agreement_on_units(pairs),
        agreement_on_units(pairs, min_weight=2),
        compare_scores(*both_scores(pairs, "original")),
        compare_scores(*both_scores(pairs, "modified")),
    )


def both_scores(pairs: Sequence[AnnotatedTwice], measure: Measure) -> Floats:
    """Return the scores of peers (columns) by each annotation (rows)."""
    values = [[getattr(scores, measure) for scores in pair.scores] for pair in pairs]
    return np.array(values, dtype=np.float64).reshape(-1, 2).T


def compare_scores(first: ArrayLike, second: ArrayLike) -> ScoreAgreement:
    """Compare two people's scores of the same peers; NaN where there is none."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    both_scored = ~(np.isnan(a) | np.isnan(b))
    a, b = a[both_scored], b[both_scored]
    n_missing = int(np.count_nonzero(~both_scored))
    if not len(a):
        return ScoreAgreement(0, n_missing, note="no peer has both scores")
    distance = np.abs(a - b)
    means = float(a.mean()), float(b.mean()), float((a - b).mean()), float(distance.mean())
    scores = ScoreAgreement(len(a), n_missing, *means, float(distance.max()))
    if len(a) < 2:
        return replace(scores, note="one peer cannot be tested")
    from pyramidion.stats import paired_t, wilcoxon

    t = paired_t(a, b)
    ranks = wilcoxon(a, b, method="exact" if len(a) <= _MAX_EXACT else "normal")
    scores = replace(scores, p_t=t.p, p_wilcoxon=ranks.p, note=t.note)
    if len(a) < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return scores
    return replace(scores, correlation=float(np.corrcoef(a, b)[0, 1]))
