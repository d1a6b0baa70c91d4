"""Choosing among fits honestly: by topics that they were not fitted on."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.classy.fits import LinearFit
from pyramidion.classy.learners.within_topics import one_target, some_rows, topic_numbers
from pyramidion.classy.search.criteria import Agreement, Criterion, SelectionLevel
from pyramidion.classy.training import TrainingData
from pyramidion.errors import InputError
from pyramidion.stats.inputs import Rng, generator

__all__ = ["Choice", "Learner", "choose_by_topics"]

#: Gives fits by name, the simplest first, for data with one target.
Learner = Callable[[TrainingData], Mapping[str, LinearFit]]

# Scores that differ by no more than this are tied.
_TIED = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The fit that was chosen, and how it and the others did on topics left out.

    Attributes
    ----------
    name
        Which one it is.
    fit
        Fitted on all rows.
    values
        The mean score of each on topics left out; NaN where it has none. The highest of several
        is a little too good to be true.

    Examples
    --------
    >>> Choice("ridge 1", LinearFit(np.array([1.0]), 0.0), {"ridge 1": 0.25}).value
    0.25
    """

    name: str
    fit: LinearFit
    values: Mapping[str, float]

    @property
    def value(self) -> float:
        """The mean score of the one that was chosen."""
        return self.values[self.name]


def choose_by_topics(
    learner: Learner,
    data: TrainingData,
    target: int = 0,
    *,
    criterion: Criterion = "kendall",
    level: SelectionLevel = "input",
    folds: int = 5,
    rng: Rng | None = 0,
) -> Choice:
    """Fit on most topics, score on the others, in turn; refit the best on all.

    Nothing but the given data is looked at: topics to test on must not be among them. Of tied
    fits the simplest wins.

    Parameters
    ----------
    learner
        What gives the fits.
    data
        With topics.
    target
        The number of the target.
    criterion, level
        What is to be high, see :func:`~pyramidion.classy.search.search_subsets`.
    folds
        In how many parts the topics are cut; as many as there are topics, if those are fewer.
    rng
        Shuffles the topics before they are cut.

    Examples
    --------
    >>> from pyramidion.classy.learners import regularised_fits
    >>> rng = np.random.default_rng(0)
    >>> quality = rng.normal(size=120)
    >>> features = np.column_stack([quality + rng.normal(size=120) / 2, rng.normal(size=(120, 3))])
    >>> data = TrainingData(features, quality, topics=np.arange(120) // 6)
    >>> choice = choose_by_topics(regularised_fits, data)
    >>> choice.name, round(choice.value, 2)
    ('one metric', 0.71)
    """
    data = one_target(data, target)
    totals: dict[str, float] = {}
    weights: dict[str, float] = {}
    for train, test in _folds(data, folds, rng):
        scores = _scores(learner, train, test, criterion, level)
        size = len(np.unique(test.topics))
        for name, score in scores.items():
            totals[name] = totals.get(name, 0.0) + size * score
            weights[name] = weights.get(name, 0.0) + size
    if not totals:
        raise InputError(
            f"{data.name}: target {data.target_names[0]} varies within too few topics",
            hint="nothing can be chosen by it; add topics, or use another level",
        )
    fits = learner(data)
    values = {name: totals[name] / weights[name] if name in totals else np.nan for name in fits}
    highest = np.nanmax(list(values.values()))
    best = next(name for name, value in values.items() if value >= highest - _TIED)
    return Choice(best, fits[best], values)


def _folds(
    data: TrainingData, folds: int, rng: Rng | None
) -> Iterator[tuple[TrainingData, TrainingData]]:
    topics = topic_numbers(data)
    count = int(topics.max()) + 1
    if count < 2 or folds < 2:
        raise InputError(
            f"{data.name}: {count} topic cannot be cut into parts to choose by"
            if count < 2
            else f"`folds` is {folds}",
            hint="give at least two",
        )
    part_of = np.empty(count, dtype=np.int64)
    part_of[generator(rng).permutation(count)] = np.arange(count) % min(folds, count)
    for part in range(int(part_of.max()) + 1):
        inside: Bools = part_of[topics] == part
        yield some_rows(data, ~inside), some_rows(data, inside)


def _scores(
    learner: Learner,
    train: TrainingData,
    test: TrainingData,
    criterion: Criterion,
    level: SelectionLevel,
) -> dict[str, float]:
    """Score fits on topics left out; nothing where the target is constant there."""
    try:
        agreement = Agreement(test, criterion, level)
        fits = learner(train)
    except InputError:
        return {}
    coefficients: Floats = np.stack([fit.coefficients for fit in fits.values()])
    constants = np.array([fit.intercept for fit in fits.values()])
    scores = agreement.scores(coefficients, constants, [0])[:, 0].tolist()
    return {name: score for name, score in zip(fits, scores, strict=True) if not np.isnan(score)}
