"""How far two people agree who annotated the same peers with the same pyramid (3.3.2).

The question each answers for every content unit of the pyramid is whether it appears in the
peer. So a decision is a peer and a content unit, its categories are yes and no, and what a peer
says beyond the pyramid is no part of it (thesis, Table 3.3). "Kappa" there has one distribution
for both annotators, which is Scott's pi.
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
    the order of units need not be.
    """

    first: PeerAnnotation
    second: PeerAnnotation
    name: str = "the peer"
    weights: WeightPolicy = "contributors"

    def __post_init__(self) -> None:
        if self.first.text.split() != self.second.text.split():
            what = f"the two annotations of {self.name} are of different texts"
            raise ShapeError(what, "compare annotations of the same summary")
        uid = other_unit(self.first.pyramid, self.second.pyramid)
        if uid is not None:
            what = f"the two annotations of {self.name} are by different pyramids: content unit "
            hint = "compare annotations made with one pyramid"
            raise ShapeError(f"{what}{uid} is not the same", hint)

    @cached_property
    def scores(self) -> tuple[PyramidScores, PyramidScores]:
        """The scores by either annotation."""
        first, second = (score_peer(p, weights=self.weights) for p in (self.first, self.second))
        return first, second


@dataclass(frozen=True, slots=True)
class UnitAgreement:
    """Agreement of two people's yes and no, such as on which content units peers express."""

    both: int
    only_first: int
    only_second: int
    neither: int
    percent: float
    pi: float
    kappa: float
    alpha: float
    undefined: str = ""
    unanimous: bool = False

    @property
    def decisions(self) -> int:
        """How many decisions there are."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def precision(self) -> float:
        """The share of the second person's yes that the first confirms."""
        return ratio(self.both, self.both + self.only_second)

    @property
    def recall(self) -> float:
        """The share of the first person's yes that the second confirms."""
        return ratio(self.both, self.both + self.only_first)

    @property
    def f(self) -> float:
        """Their harmonic mean, which is the same whoever is first."""
        return ratio(2 * self.both, 2 * self.both + self.only_first + self.only_second)

    @classmethod
    def of(cls, first: Bools, second: Bools) -> "UnitAgreement":
        """Measure the agreement of two people's decisions."""
        cells = (first & second, first & ~second, ~first & second, ~first & ~second)
        return cls.counted(*(int(np.count_nonzero(cell)) for cell in cells))

    @classmethod
    def counted(cls, both: int, only_first: int, only_second: int, neither: int) -> "UnitAgreement":
        """Measure the agreement from the counts of the four kinds of decisions."""
        counts = (both, only_first, only_second, neither)
        if not sum(counts):
            undefined = "no content unit is left to decide on"
            return cls(*counts, _NAN, _NAN, _NAN, _NAN, undefined)
        from pyramidion.stats import cohen_kappa, krippendorff_alpha, scott_pi

        first = np.repeat([1, 1, 0, 0], counts)
        second = np.repeat([1, 0, 1, 0], counts)
        kappa, pi = cohen_kappa(first, second), scott_pi(first, second).value
        alpha = krippendorff_alpha(np.array([first, second]), level="nominal").value
        coefficients = kappa.observed, pi, kappa.value, alpha
        return cls(*counts, *coefficients, unanimous=kappa.unanimous)


def decisions(pair: AnnotatedTwice, *, min_weight: int = 1) -> tuple[Bools, Bools]:
    """Return both people's answers for the content units of a pyramid, from a weight on.

    A minimum weight of 2 is the thesis' "without weight 1". Units that no reference expresses are
    in no tier, and never asked about.
    """
    pyramid, other = pair.first.pyramid, pair.second.pyramid
    weighed = pyramid.membership.sum(axis=1) >= min_weight
    rows = np.array([other.row(scu.uid) for scu in pyramid.scus], dtype=np.int64)
    first, second = (content_of_peer(peer).expressed for peer in (pair.first, pair.second))
    return first[weighed], second[rows][weighed]


def agreement_on_units(pairs: Sequence[AnnotatedTwice], *, min_weight: int = 1) -> UnitAgreement:
    """Measure agreement over all decisions of one peer, of a set of peers, or of all sets.

    Decisions are pooled: the coefficients are of all of them together, not means over peers.
    """
    answers = [decisions(pair, min_weight=min_weight) for pair in pairs]
    first, second = np.concatenate([np.zeros((2, 0), dtype=np.bool_), *answers], axis=1)
    return UnitAgreement.of(first, second)


def other_unit(first: Pyramid, second: Pyramid) -> str | None:
    """Return the first content unit that other references express in another pyramid."""
    if first is second:
        return None
    by_first, two = (
        {scu.uid: pyramid.references_of(scu) for scu in pyramid.scus} for pyramid in (first, second)
    )
    return next((uid for uid in (*by_first, *two) if by_first.get(uid) != two.get(uid)), None)


@dataclass(frozen=True, slots=True)
class ScoreAgreement:
    """How far two people's scores of the same peers differ."""

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
    """Agreement of two people on some peers: on all units, on those above weight 1, on scores."""

    peers: int
    units: UnitAgreement
    shared_units: UnitAgreement
    original: ScoreAgreement
    modified: ScoreAgreement


def agreement_of_annotations(pairs: Sequence[AnnotatedTwice]) -> AnnotationAgreement:
    """Measure how two people agree on content units and on scores."""
    return AnnotationAgreement(
        len(pairs),
        agreement_on_units(pairs),
        agreement_on_units(pairs, min_weight=2),
        compare_scores(*both_scores(pairs, "original")),
        compare_scores(*both_scores(pairs, "modified")),
    )


def both_scores(pairs: Sequence[AnnotatedTwice], measure: Measure) -> Floats:
    """Return the scores of peers by either annotation, one row each."""
    values = [[getattr(scores, measure) for scores in pair.scores] for pair in pairs]
    return np.array(values, dtype=np.float64).reshape(-1, 2).T


def compare_scores(first: ArrayLike, second: ArrayLike) -> ScoreAgreement:
    """Compare two people's scores of the same peers, in one order and NaN where there is none."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    both_scored = ~(np.isnan(a) | np.isnan(b))
    a, b = a[both_scored], b[both_scored]
    missing = int(np.count_nonzero(~both_scored))
    if not len(a):
        return ScoreAgreement(0, missing, note="no peer has both scores")
    distance = np.abs(a - b)
    means = float(a.mean()), float(b.mean()), float((a - b).mean()), float(distance.mean())
    scores = ScoreAgreement(len(a), missing, *means, float(distance.max()))
    if len(a) < 2:
        return replace(scores, note="one peer cannot be tested")
    from pyramidion.stats import paired_t, wilcoxon

    t = paired_t(a, b)
    ranks = wilcoxon(a, b, method="exact" if len(a) <= _MAX_EXACT else "normal")
    scores = replace(scores, p_t=t.p, p_wilcoxon=ranks.p, note=t.note)
    if len(a) < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return scores
    return replace(scores, correlation=float(np.corrcoef(a, b)[0, 1]))
