"""How far the scores of two annotations of the same peers differ (Table 3.4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from pyramidion._types import Floats
from pyramidion.pyramid.agreement import AnnotatedTwice, UnitAgreement, agreement_on_units
from pyramidion.pyramid.scores import PyramidScores, score_peer

__all__ = [
    "AnnotationAgreement",
    "ScoreAgreement",
    "TwiceScored",
    "agreement_of_annotations",
    "compare_scores",
    "score_twice",
]

Measure = Literal["original", "modified"]

_NAN = float("nan")
_NOTHING = (_NAN, _NAN, _NAN, _NAN, _NAN, _NAN, _NAN)

# The exact distribution of the signed ranks takes n³ steps.
_MOST_EXACT = 200


@dataclass(frozen=True, slots=True)
class TwiceScored:
    """The scores of a peer by two annotations.

    Parameters
    ----------
    pair
        The peer.
    first, second
        Its scores by either annotation.

    Examples
    --------
    >>> from pyramidion.collection import SCU, PeerAnnotation, Pyramid
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    >>> peer = PeerAnnotation(pyramid, "Ice.", (SCU("1", ""),))
    >>> score_twice([AnnotatedTwice(peer, peer)])[0].second.modified
    0.0
    """

    pair: AnnotatedTwice
    first: PyramidScores
    second: PyramidScores


@dataclass(frozen=True, slots=True)
class ScoreAgreement:
    """How far two people's scores of the same peers differ.

    Parameters
    ----------
    n
        How many peers both people's annotations give a score.
    undefined
        How many they do not: the modified score of a pyramid whose references have less than
        half a content unit each.
    mean_first, mean_second
        The mean scores.
    difference
        The mean of first less second, with its sign as in Table 3.4.
    absolute
        The mean of the differences without their signs.
    largest
        The largest of these.
    p_t, p_wilcoxon
        Of the paired t test and the signed-rank test that neither scores higher; NaN where
        they are undefined.
    note
        Why a test is undefined, or empty.

    Examples
    --------
    >>> compare_scores([0.5, 0.25], [0.25, 0.5]).absolute
    0.25
    """

    n: int
    undefined: int
    mean_first: float
    mean_second: float
    difference: float
    absolute: float
    largest: float
    p_t: float
    p_wilcoxon: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class AnnotationAgreement:
    """Agreement of two people on some peers.

    Parameters
    ----------
    peers
        How many peers.
    units
        Agreement on all content units.
    shared_units
        Agreement without those of weight 1.
    original, modified
        How far the scores differ.

    Examples
    --------
    >>> agreement_of_annotations([]).peers
    0
    """

    peers: int
    units: UnitAgreement
    shared_units: UnitAgreement
    original: ScoreAgreement
    modified: ScoreAgreement


def score_twice(pairs: Sequence[AnnotatedTwice]) -> tuple[TwiceScored, ...]:
    """Score peers by both of their annotations.

    Parameters
    ----------
    pairs
        Peers that were annotated twice.

    Examples
    --------
    >>> score_twice([])
    ()
    """
    return tuple(
        TwiceScored(pair, score_peer(pair.first), score_peer(pair.second)) for pair in pairs
    )


def agreement_of_annotations(scored: Sequence[TwiceScored]) -> AnnotationAgreement:
    """Measure how two people agree on content units and on scores.

    Parameters
    ----------
    scored
        What `score_twice` gives.

    Examples
    --------
    >>> from pyramidion.collection import SCU, PeerAnnotation, Pyramid
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    >>> peer = PeerAnnotation(pyramid, "Ice.", (SCU("1", ""),))
    >>> found = agreement_of_annotations(score_twice([AnnotatedTwice(peer, peer)]))
    >>> found.units.percent, found.shared_units.undefined
    (1.0, 'no content unit is left to decide on')
    """
    pairs = [item.pair for item in scored]
    return AnnotationAgreement(
        peers=len(pairs),
        units=agreement_on_units(pairs),
        shared_units=agreement_on_units(pairs, least_weight=2),
        original=_scores(scored, "original"),
        modified=_scores(scored, "modified"),
    )


def compare_scores(first: ArrayLike, second: ArrayLike) -> ScoreAgreement:
    """Compare two people's scores of the same peers.

    Parameters
    ----------
    first, second
        The scores in the same order, NaN where there is none.

    Examples
    --------
    >>> found = compare_scores([0.5, 0.25, 0.75], [0.25, 0.5, float("nan")])
    >>> found.n, found.undefined, found.difference
    (2, 1, 0.0)
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    both = ~(np.isnan(a) | np.isnan(b))
    a, b = a[both], b[both]
    missing = int(np.count_nonzero(~both))
    if not len(a):
        return ScoreAgreement(0, missing, *_NOTHING, note="no peer has both scores")
    p_t, p_wilcoxon, note = _tests(a, b)
    return ScoreAgreement(
        n=len(a),
        undefined=missing,
        mean_first=float(a.mean()),
        mean_second=float(b.mean()),
        difference=float((a - b).mean()),
        absolute=float(np.abs(a - b).mean()),
        largest=float(np.abs(a - b).max()),
        p_t=p_t,
        p_wilcoxon=p_wilcoxon,
        note=note,
    )


def _scores(scored: Sequence[TwiceScored], measure: Measure) -> ScoreAgreement:
    return compare_scores(
        [getattr(item.first, measure) for item in scored],
        [getattr(item.second, measure) for item in scored],
    )


def _tests(a: Floats, b: Floats) -> tuple[float, float, str]:
    if len(a) < 2:
        return float("nan"), float("nan"), "one peer cannot be tested"
    from pyramidion.stats import paired_t, wilcoxon

    t = paired_t(a, b)
    ranks = wilcoxon(a, b, method="exact" if len(a) <= _MOST_EXACT else "normal")
    return t.p, ranks.p, t.note
