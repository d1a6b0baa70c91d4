"""How many references a pyramid needs: the study of section 3.1.1 for one topic.

>>> from pyramidion.collection import Pyramid
>>> pyramid = Pyramid.from_references(
...     {"A": "One. Two.", "B": "One. Two. Six.", "C": "One. Three.", "D": "Three. Six."},
...     [("1", {"A": ["One"], "B": ["One"], "C": ["One"]}), ("2", {"A": ["Two"], "B": ["Two"]}),
...      ("3", {"C": ["Three"], "D": ["Three"]}), ("6", {"B": ["Six"], "D": ["Six"]})])
>>> study = study_stability(pyramid)
>>> [(row.order, row.points, round(row.p, 2)) for row in study.errors]
[(1, 12, 0.58), (2, 6, 0.17)]
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pyramidion.collection.pyramids import PeerAnnotation, Pyramid
from pyramidion.errors import InputError
from pyramidion.pyramid.stability.contenders import Contenders, Which, gather_contenders
from pyramidion.pyramid.stability.divergence import DivergingPair, divergence_points
from pyramidion.pyramid.stability.errors import OrderErrors, ranking_errors
from pyramidion.pyramid.stability.growth import GrowingScores, Spread, score_growth, spread_by_order
from pyramidion.pyramid.stability.ranks import (
    MOST_SPLITS,
    OrderCorrelation,
    can_rank,
    rank_correlations,
)
from pyramidion.pyramid.stability.resampling import resampled_correlations
from pyramidion.pyramid.stability.subpyramids import MOST_OF_ONE_ORDER
from pyramidion.stats.inputs import choice

__all__ = ["Stability", "StabilitySettings", "StudyScore", "study_stability"]

StudyScore = Literal["original", "modified"]

_CONTAINED = "every sub-pyramid contains one of each pair of summaries"
_UNRANKED = "no rank correlations: no two summaries and a reference that is neither of them"


@dataclass(frozen=True, slots=True)
class StabilitySettings:
    """What is studied; the defaults are the thesis'.

    Parameters
    ----------
    score
        ``original`` or ``modified``.
    which
        Whether the references, annotated peers, or all are scored.
    equal_within
        Up to which difference two scores are equal, for the errors.
    apart
        How far apart at the highest order pairs are that must diverge.
    held_out, splits
        How many references are ranked by pyramids of the others, half of them if it is not
        given, and how many such splits are tried. (The thesis tries one.)
    repetition
        How many times models are also drawn with repetition, in each split, as in the factoid
        studies; 0 for not at all.
    most
        How many sub-pyramids of one order are looked at.
    seed
        Where chance begins.

    Examples
    --------
    >>> StabilitySettings().equal_within
    0.06
    """

    score: StudyScore = "original"
    which: Which = "all"
    equal_within: float = 0.06
    apart: float = 0.1
    held_out: int | None = None
    splits: int = MOST_SPLITS
    repetition: int = 0
    most: int = MOST_OF_ONE_ORDER
    seed: int = 0

    def __post_init__(self) -> None:
        choice(self.score, "score", StudyScore)
        choice(self.which, "which", Which)
        for name in ("equal_within", "apart", "repetition"):
            if not getattr(self, name) >= 0:
                raise InputError(f"`{name}` is {getattr(self, name)}", hint="give 0 or more")
        if self.repetition == 1:
            raise InputError("`repetition` is 1", hint="rankings are compared from 2 on")


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """What was found about one topic.

    Parameters
    ----------
    scores
        The scores by all sub-pyramids.
    spread
        The least, mean and greatest of them, by order (Figure 3.2).
    diverging
        The pairs that are apart, and where they diverge.
    errors
        What small pyramids get wrong, by order (Table 3.1).
    correlations
        How they rank summaries, beside the whole one, by order (Table 3.2).
    resampled
        How alike models drawn with repetition rank them, by their number (section 3.4).
    notes
        What is undefined, and why; what was sampled.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice.", "B": "Ice."}, [("Ice", {"A": ["Ice"], "B": ["Ice"]})])
    >>> study_stability(pyramid).notes[0]
    'no errors: every sub-pyramid contains one of each pair of summaries'
    """

    scores: GrowingScores
    spread: Spread
    diverging: tuple[DivergingPair, ...]
    errors: tuple[OrderErrors, ...]
    correlations: tuple[OrderCorrelation, ...]
    resampled: tuple[OrderCorrelation, ...] = ()
    notes: tuple[str, ...] = ()


def study_stability(
    pyramid: Pyramid,
    peers: Mapping[str, PeerAnnotation] | None = None,
    *,
    settings: StabilitySettings | None = None,
) -> Stability:
    """Study how scores settle as a pyramid grows.

    Parameters
    ----------
    pyramid
        The pyramid, of two references at least.
    peers
        Annotated peers by name.
    settings
        What to study.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice.", "B": "Ice.", "C": "Ice. Sea."},
    ...     [("Ice", {"A": ["Ice"], "B": ["Ice"], "C": ["Ice"]}), ("Sea", {"C": ["Sea"]})])
    >>> study_stability(pyramid).spread.mean.round(2).tolist()
    [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [nan, nan, nan]]
    """
    asked = settings or StabilitySettings()
    contenders = gather_contenders(pyramid, peers, which=asked.which)
    scores = score_growth(contenders, score=asked.score, most=asked.most, rng=asked.seed)
    errors = ranking_errors(scores, equal_within=asked.equal_within)
    ranked = asked.held_out is not None or can_rank(contenders)
    correlations = _correlations(contenders, asked) if ranked else ()
    return Stability(
        scores=scores,
        spread=spread_by_order(scores),
        diverging=divergence_points(scores, apart=asked.apart),
        errors=errors,
        correlations=correlations,
        resampled=_resampled(contenders, asked) if ranked else (),
        notes=(*_notes(scores, errors), *_rank_notes(ranked, correlations)),
    )


def _correlations(contenders: Contenders, asked: StabilitySettings) -> tuple[OrderCorrelation, ...]:
    return rank_correlations(
        contenders,
        score=asked.score,
        held_out=asked.held_out,
        splits=asked.splits,
        most=asked.most,
        rng=asked.seed,
    )


def _resampled(contenders: Contenders, asked: StabilitySettings) -> tuple[OrderCorrelation, ...]:
    if not asked.repetition:
        return ()
    return resampled_correlations(
        contenders,
        samples=asked.repetition,
        held_out=asked.held_out,
        splits=asked.splits,
        rng=asked.seed,
    )


def _rank_notes(ranked: bool, correlations: tuple[OrderCorrelation, ...]) -> list[str]:
    if not ranked:
        return [_UNRANKED]
    undefined = sum(row.undefined for row in correlations)
    same = "rankings without a correlation, as all scores are the same"
    return [f"{same}: {undefined}"] if undefined else []


def _notes(scores: GrowingScores, errors: tuple[OrderErrors, ...]) -> list[str]:
    notes = []
    if not errors:
        lonely = len(scores.names) < 2
        why = "there is one summary" if lonely else _CONTAINED
        notes.append(f"no errors: {why}")
    if scores.undefined:
        notes.append(f"undefined scores, as models have no content units: {scores.undefined}")
    if scores.sub_pyramids.sampled:
        low, high = scores.sub_pyramids.sampled[0], scores.sub_pyramids.sampled[-1]
        notes.append(f"sub-pyramids of the orders {low} to {high} are a random sample")
    return notes
