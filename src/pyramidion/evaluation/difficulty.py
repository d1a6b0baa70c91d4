"""How difficult an input is, predicted from the input alone and checked against scores.

Section 8.2 of the dissertation proposes it: agreement on one task in one year cannot be compared
with agreement elsewhere while nobody knows how hard the inputs were.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.evaluation.left_one_out import Prediction, predicted
from pyramidion.evaluation.meta.tables import place_name
from pyramidion.stats.adjust import adjust_p
from pyramidion.stats.correlation import Correlation, kendall, pearson, spearman, undefined_reason
from pyramidion.stats.correlation_intervals import IntervalMethod, correlation_interval
from pyramidion.stats.weighted import Coefficient

__all__ = ["Difficulty", "DifficultyOptions", "FeatureCorrelation", "TopicScore", "difficulty"]

Floats = npt.NDArray[np.float64]

_FEWEST = 4

_COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}


@dataclass(frozen=True, slots=True)
class DifficultyOptions:
    """How features are held against scores.

    Parameters
    ----------
    coefficients
        ``pearson``, ``spearman``, ``kendall``.
    method, confidence_level, n_resamples, seed
        Of the intervals, over draws of topics.

    Examples
    --------
    >>> DifficultyOptions().coefficients
    ('pearson', 'spearman')
    """

    coefficients: tuple[Coefficient, ...] = ("pearson", "spearman")
    method: IntervalMethod = "percentile"
    confidence_level: float = 0.95
    n_resamples: int = 9999
    seed: int = 0

    def __post_init__(self) -> None:
        for name in self.coefficients:
            if name not in _COEFFICIENTS:
                there = ", ".join(_COEFFICIENTS)
                raise InputError(f"there is no coefficient {name!r}", hint=f"there are: {there}")


@dataclass(frozen=True, slots=True)
class TopicScore:
    """A topic, how well it was summarized, and how well that was predicted.

    Parameters
    ----------
    topic
        Its id.
    score
        The mean over systems; where systems are missing, what it would be with all of them
        (least-squares mean).
    n
        How many systems have a score.
    predicted
        By all features, from the other topics.
    features
        Of its input.

    Examples
    --------
    >>> TopicScore("T1", 2.5, 40, 2.4, {"words": 3000.0}).n
    40
    """

    topic: str
    score: float
    n: int
    predicted: float
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FeatureCorrelation:
    """A feature of inputs against their mean scores.

    Parameters
    ----------
    feature, coefficient
        Which.
    value, low, high
        The correlation and its interval; positive where more of the feature goes with higher
        scores, that is with easier inputs.
    p, p_adjusted
        Of no association; the second corrected for the number of features (Holm).
    n
        How many topics have the feature.
    undefined
        Why there is no value; empty where there is one.

    Examples
    --------
    >>> FeatureCorrelation("words", "pearson", -0.3, -0.5, -0.1, 0.01, 0.1, 46).n
    46
    """

    feature: str
    coefficient: str
    value: float
    low: float
    high: float
    p: float
    p_adjusted: float
    n: int
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How difficult the inputs of one task were by one measure.

    Parameters
    ----------
    measure, task, collection
        Which scores.
    systems
        How many systems the means are over.
    topics
        The hardest first.
    correlations
        For each coefficient, every feature.
    predictions
        Of the scores from the other topics: by their mean, by each feature alone, by all.
    options
        What was asked.
    left_out
        What was not considered, counted.
    """

    measure: str
    task: str
    collection: str
    systems: int
    topics: tuple[TopicScore, ...]
    correlations: tuple[FeatureCorrelation, ...]
    predictions: tuple[Prediction, ...]
    options: DifficultyOptions
    left_out: tuple[str, ...] = ()


def difficulty(
    matrix: ScoreMatrix,
    features: Mapping[str, Mapping[str, float]],
    *,
    options: DifficultyOptions | None = None,
    collection: str = "",
) -> Difficulty:
    """Hold what inputs look like against how well they were summarized.

    Parameters
    ----------
    matrix
        The scores of the systems that are to count.
    features
        Of each topic's input, by name (`input_features`).
    options
        Which coefficients and intervals.
    collection
        Where the scores are from.

    Examples
    --------
    >>> words = {f"T{i}": {"words": 100.0 * i, "entropy": float(i % 3)} for i in range(8)}
    >>> values = [[5 - i / 2, 4.5 - i / 2] for i in range(8)]
    >>> found = difficulty(ScoreMatrix(values, list(words), ["x", "y"], measure="m"), words)
    >>> found.topics[0].topic, round(found.correlations[0].value, 3)
    ('T7', -1.0)
    >>> [(one.by, round(one.explained, 2)) for one in found.predictions][1]
    ('words', 1.0)
    """
    options = options or DifficultyOptions()
    scores, counts = _topic_means(matrix)
    there = [t for t in matrix.topics if t in scores and t in features]
    where = place_name(matrix.measure, matrix.task, collection)
    if len(there) < _FEWEST:
        raise InputError(
            f"{where}: {len(there)} topics have scores and documents", hint="four at least will do"
        )
    names = list(dict.fromkeys(name for topic in there for name in features[topic]))
    table = np.array([[features[topic].get(n, np.nan) for n in names] for topic in there])
    target = np.array([scores[topic] for topic in there])
    usable = _usable(table)
    all_of_them, predictions = predicted(
        table[:, usable], target, [n for n, ok in zip(names, usable, strict=True) if ok]
    )
    topics = [
        TopicScore(topic, scores[topic], counts[topic], guess, dict(features[topic]))
        for topic, guess in zip(there, all_of_them.tolist(), strict=True)
    ]
    return Difficulty(
        measure=matrix.measure,
        task=matrix.task,
        collection=collection,
        systems=int((matrix.counts() > 0).sum()),
        topics=tuple(sorted(topics, key=lambda one: one.score)),
        correlations=tuple(_correlations(table, target, names, options)),
        predictions=predictions,
        options=options,
        left_out=tuple(_left_out(matrix, scores, features, names, usable, where)),
    )


def _topic_means(matrix: ScoreMatrix) -> tuple[dict[str, float], dict[str, int]]:
    """Give each topic's mean over systems, as if none were missing."""
    present = ~np.isnan(matrix.values)
    rows, columns = (np.flatnonzero(present.any(axis=axis)) for axis in (1, 0))
    values = matrix.values[np.ix_(rows, columns)]
    if not len(rows):
        raise InputError(f"{matrix.measure} has no scores", hint="add some")
    if present[np.ix_(rows, columns)].all():
        means = values.mean(axis=1)
    else:
        from pyramidion.stats import two_way_anova

        means = two_way_anova(values).second.means
    names = [matrix.topics[row] for row in rows]
    counts = present.sum(axis=1)[rows].tolist()
    return dict(zip(names, means.tolist(), strict=True)), dict(zip(names, counts, strict=True))


def _usable(table: Floats) -> list[bool]:
    """Tell which features every topic has, not all of them the same."""
    return [not np.isnan(column).any() and bool(np.ptp(column) > 0) for column in table.T]


def _correlations(
    table: Floats, target: Floats, names: Sequence[str], options: DifficultyOptions
) -> Iterator[FeatureCorrelation]:
    for coefficient in options.coefficients:
        found = [_correlated(column, target, coefficient, options) for column in table.T]
        adjusted = adjust_p([one.p for one, _, _, _ in found], method="holm")
        for name, (one, low, high, n), p in zip(names, found, adjusted.tolist(), strict=True):
            yield FeatureCorrelation(
                name, coefficient, one.value, low, high, one.p, p, n, one.undefined
            )


def _correlated(
    feature: Floats, target: Floats, coefficient: Coefficient, options: DifficultyOptions
) -> tuple[Correlation, float, float, int]:
    known = ~np.isnan(feature)
    x, y = feature[known], target[known]
    reason = "fewer than four topics have it" if len(x) < _FEWEST else undefined_reason(x, y)
    if reason:
        reason = reason.replace("`x`", "the feature").replace("`y`", "the score")
        nothing = Correlation(np.nan, np.nan, np.nan, len(x), "", reason)
        return nothing, np.nan, np.nan, len(x)
    interval = correlation_interval(
        x,
        y,
        coefficient=coefficient,
        method=options.method,
        confidence_level=options.confidence_level,
        n_resamples=options.n_resamples,
        rng=options.seed,
    ).interval
    return _COEFFICIENTS[coefficient](x, y), interval.low, interval.high, len(x)


def _left_out(
    matrix: ScoreMatrix,
    scores: Mapping[str, float],
    features: Mapping[str, object],
    names: Sequence[str],
    usable: Sequence[bool],
    where: str,
) -> Iterator[str]:
    without = [topic for topic in scores if topic not in features]
    if without:
        yield f"{where}: {len(without)} topics without documents, such as {without[0]}"
    if len(scores) < len(matrix.topics):
        yield f"{where}: {len(matrix.topics) - len(scores)} topics without a score"
    idle = [name for name, ok in zip(names, usable, strict=True) if not ok]
    if idle:
        yield f"{where}: features that are the same for all topics or missing: {', '.join(idle)}"
