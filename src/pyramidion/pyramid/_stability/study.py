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
from pyramidion.collection.questions import Options, option
from pyramidion.errors import InputError
from pyramidion.pyramid._stability.growth import (
    MOST_OF_ONE_ORDER,
    Contenders,
    GrowingScores,
    Spread,
    Which,
    gather_contenders,
    score_growth,
    spread_by_order,
)
from pyramidion.pyramid._stability.pairs import (
    DivergingPair,
    OrderErrors,
    divergence_points,
    ranking_errors,
)
from pyramidion.pyramid._stability.ranks import (
    MOST_SPLITS,
    OrderCorrelation,
    can_rank,
    rank_correlations,
    resampled_correlations,
)

StudyScore = Literal["original", "modified"]

_CONTAINED = "every sub-pyramid contains one of each pair of summaries"
_UNRANKED = "no rank correlations: no two summaries and a reference that is neither of them"


@dataclass(frozen=True, slots=True)
class StabilitySettings(Options):
    """What is studied; the defaults are the thesis'.

    Examples
    --------
    >>> StabilitySettings().equal_within
    0.06
    """

    score: StudyScore = option("original", "Score that is studied: original or modified.")
    which: Which = option(
        "all",
        "Whose scores are studied: all, references or peers (annotated ones).",
        flags=("--of",),
    )
    equal_within: float = option(
        0.06,
        "Largest difference of scores that count as equal.",
        flags=("--equal",),
        metavar="D",
        least=0,
    )
    apart: float = option(
        0.1, "Look for the divergence of pairs that differ by more than this.", metavar="D", least=0
    )
    held_out: int | None = option(
        None, "Number of references ranked by pyramids of the others; half of them by default.",
        flags=("--ranked",), least=1,
    )  # fmt: skip
    # The thesis tries one.
    splits: int = option(
        MOST_SPLITS, "Largest number of splits into ranked references and models.", least=1
    )
    repetition: int = option(
        0, "Number of times models are also drawn with repetition, as in factoid studies.", least=0
    )
    most: int = option(
        MOST_OF_ONE_ORDER, "Largest number of pyramids of one size; of more a sample is taken.",
        least=1, most=1_000_000,
    )  # fmt: skip
    seed: int = option(0, "Seed of the random numbers; the same seed repeats the result.", least=0)

    def check(self) -> None:
        """Refuse a single draw."""
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
