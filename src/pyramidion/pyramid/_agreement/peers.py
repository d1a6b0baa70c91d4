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

# With more pairs, the exact distribution of signed ranks, which takes n³ steps, is not used.
_MAX_EXACT_PAIRS = 200


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
        uid = first_different_unit(self.first.pyramid, self.second.pyramid)
        if uid is not None:
            message = f"the two annotations of {self.name} use different pyramids: content unit "
            hint = "compare annotations made with one pyramid"
            raise ShapeError(f"{message}{uid} is not the same", hint)

    @cached_property
    def scores(self) -> tuple[PyramidScores, PyramidScores]:
        """The scores from each annotation."""
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
        decision_tables = (first & second, first & ~second, ~first & second, ~first & ~second)
        n_both, only_first, only_second, n_neither = (
            int(np.count_nonzero(table)) for table in decision_tables
        )
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
    first_pyramid, second_pyramid = pair.first.pyramid, pair.second.pyramid
    has_weight = first_pyramid.membership.sum(axis=1) >= min_weight
    rows = np.array([second_pyramid.row(scu.uid) for scu in first_pyramid.scus], dtype=np.int64)
    first, second = (content_of_peer(peer).expressed for peer in (pair.first, pair.second))
    return first[has_weight], second[rows][has_weight]


def agreement_on_units(pairs: Sequence[AnnotatedTwice], *, min_weight: int = 1) -> UnitAgreement:
    """Measure agreement over the pooled decisions of some peers."""
    answers = [decisions(pair, min_weight=min_weight) for pair in pairs]
    first, second = np.concatenate([np.zeros((2, 0), dtype=np.bool_), *answers], axis=1)
    return UnitAgreement.of(first, second)


def first_different_unit(first: Pyramid, second: Pyramid) -> str | None:
    """Return the first content unit that the two pyramids do not share, if any."""
    if first is second:
        return None
    first_units, second_units = (
        {scu.uid: pyramid.references_of(scu) for scu in pyramid.scus} for pyramid in (first, second)
    )
    return next(
        (
            uid
            for uid in (*first_units, *second_units)
            if first_units.get(uid) != second_units.get(uid)
        ),
        None,
    )


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
    """Compare two people's scores of the same peers; peers with a NaN are left out."""
    first_scores, second_scores = (
        np.asarray(first, dtype=np.float64),
        np.asarray(second, dtype=np.float64),
    )
    has_both_scores = ~(np.isnan(first_scores) | np.isnan(second_scores))
    first_scores, second_scores = first_scores[has_both_scores], second_scores[has_both_scores]
    n_missing = int(np.count_nonzero(~has_both_scores))
    if not len(first_scores):
        return ScoreAgreement(0, n_missing, note="no peer has both scores")
    distances = np.abs(first_scores - second_scores)
    means = (
        float(first_scores.mean()),
        float(second_scores.mean()),
        float((first_scores - second_scores).mean()),
        float(distances.mean()),
    )
    agreement = ScoreAgreement(len(first_scores), n_missing, *means, float(distances.max()))
    if len(first_scores) < 2:
        return replace(agreement, note="one peer cannot be tested")
    from pyramidion.stats import paired_t, wilcoxon

    t_test = paired_t(first_scores, second_scores)
    rank_test = wilcoxon(
        first_scores,
        second_scores,
        method="exact" if len(first_scores) <= _MAX_EXACT_PAIRS else "normal",
    )
    agreement = replace(agreement, p_t=t_test.p, p_wilcoxon=rank_test.p, note=t_test.note)
    if len(first_scores) < 3 or np.ptp(first_scores) == 0 or np.ptp(second_scores) == 0:
        return agreement
    return replace(agreement, correlation=float(np.corrcoef(first_scores, second_scores)[0, 1]))
