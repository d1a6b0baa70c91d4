"""How difficult an input is, predicted from the input alone and checked against scores.

Section 8.2 of the dissertation proposes it: agreement on one task in one year cannot be compared
with agreement elsewhere while nobody knows how hard the inputs were.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.evaluation._difficulty.leave_one_out import predicted
from pyramidion.evaluation._difficulty.result import (
    Difficulty,
    DifficultyCoefficient,
    DifficultyOptions,
    FeatureCorrelation,
    TopicScore,
)
from pyramidion.evaluation._judged import place_name
from pyramidion.stats.adjust import adjust_p
from pyramidion.stats.correlation import Correlation, kendall, pearson, spearman, undefined_reason
from pyramidion.stats.correlation_intervals import correlation_interval

__all__ = ["difficulty"]

_FEWEST = 4

_COEFFICIENTS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}


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
    means = _TopicMeans.of(matrix)
    scores = means.scores
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
        TopicScore(topic, scores[topic], means.counts[topic], guess, dict(features[topic]))
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
        left_out=tuple(_left_out(matrix, means, features, names, usable, where)),
    )


@dataclass(frozen=True, slots=True)
class _TopicMeans:
    """Each topic's mean over systems, and how many there were; why they are plain, if so."""

    scores: dict[str, float]
    counts: dict[str, int]
    note: str

    @classmethod
    def of(cls, matrix: ScoreMatrix) -> "_TopicMeans":
        present = ~np.isnan(matrix.values)
        rows, columns = (np.flatnonzero(present.any(axis=axis)) for axis in (1, 0))
        if not len(rows):
            raise InputError(f"{matrix.measure} has no scores", hint="add some")
        values, there = matrix.values[np.ix_(rows, columns)], present[np.ix_(rows, columns)]
        means, note = np.where(there, values, 0.0).sum(axis=1) / there.sum(axis=1), ""
        if not there.all():
            from pyramidion.stats import two_way_anova

            try:
                means = two_way_anova(values).second.means
            except InputError:
                note = "groups of systems share no topics, so that topics have plain means"
        names = [matrix.topics[row] for row in rows]
        counts = there.sum(axis=1).tolist()
        return cls(
            dict(zip(names, means.tolist(), strict=True)),
            dict(zip(names, counts, strict=True)),
            note,
        )


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
    feature: Floats, target: Floats, coefficient: DifficultyCoefficient, options: DifficultyOptions
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
    means: _TopicMeans,
    features: Mapping[str, object],
    names: Sequence[str],
    usable: Sequence[bool],
    where: str,
) -> Iterator[str]:
    scores = means.scores
    if means.note:
        yield f"{where}: {means.note}"
    without = [topic for topic in scores if topic not in features]
    if without:
        yield f"{where}: {len(without)} topics without documents, such as {without[0]}"
    if len(scores) < len(matrix.topics):
        yield f"{where}: {len(matrix.topics) - len(scores)} topics without a score"
    idle = [name for name, ok in zip(names, usable, strict=True) if not ok]
    if idle:
        yield f"{where}: features that are the same for all topics or missing: {', '.join(idle)}"
