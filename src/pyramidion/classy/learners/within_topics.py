"""Training data without what whole topics have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.classy.fits import LinearFit
from pyramidion.classy.training import TrainingData
from pyramidion.errors import InputError

__all__ = ["TopicRows", "joined", "one_target", "some_rows", "topic_numbers"]

# A column whose spread is this small beside its values is constant within topics.
_NOISE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class TopicRows:
    """Rows minus their topics' means, columns divided by their spread.

    How hard a topic is says nothing about which of its summaries is better.

    Attributes
    ----------
    features, target
        Centred within topics; features have spread 1, or are 0 where nothing varies within topics.
    spreads
        What the features were divided by; infinite for those.
    topics
        The number of each row's topic.
    feature_means, target_mean
        Over all rows, for the constant.

    Examples
    --------
    >>> data = TrainingData([[1, 5], [3, 5], [7, 6], [9, 6]], [1, 2, 4, 5], topics=list("aabb"))
    >>> rows = TopicRows.of(data)
    >>> rows.features.tolist(), rows.target.tolist()
    ([[-1.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [1.0, 0.0]], [-0.5, 0.5, -0.5, 0.5])
    >>> rows.fit(np.array([0.5, 0.0])).predict([[3, 5]]).tolist()
    [2.0]
    """

    features: Floats
    target: Floats
    spreads: Floats
    topics: Ints
    feature_means: Floats
    target_mean: float

    @classmethod
    def of(cls, data: TrainingData, target: int = 0) -> "TopicRows":
        """Centre and scale a target and all features.

        Parameters
        ----------
        data
            With topics.
        target
            The number of the target.
        """
        topics = topic_numbers(data)
        features = _centred(data.features, topics)
        values = _centred(data.targets[:, [target]], topics)[:, 0]
        if np.abs(values).max(initial=0.0) <= _NOISE:
            raise InputError(
                f"{data.name}: target {data.target_names[target]} has the same value in all rows "
                "of each topic",
                hint="nothing can be learned from it; take another target",
            )
        spreads = features.std(axis=0)
        varies = spreads > _NOISE * np.maximum(np.abs(data.features).max(axis=0), 1e-300)
        spreads = np.where(varies, spreads, np.inf)
        return cls(
            features=features / spreads,
            target=values,
            spreads=spreads,
            topics=topics,
            feature_means=data.features.mean(axis=0),
            target_mean=float(data.targets[:, target].mean()),
        )

    def fit(self, weights: Floats) -> LinearFit:
        """Turn weights of these columns into coefficients of the features as they were.

        The constant makes the mean prediction the mean target.

        Parameters
        ----------
        weights
            One a column.
        """
        coefficients = weights / self.spreads
        constant = self.target_mean - float(self.feature_means @ coefficients)
        return LinearFit(coefficients, constant)

    def calibrated(self, weights: Floats) -> LinearFit:
        """Stretch weights so that predictions have the target's units, then see `fit`.

        The order of predictions stays as it is.

        Parameters
        ----------
        weights
            One a column.

        Examples
        --------
        >>> rows = TopicRows.of(TrainingData([[1], [3]], [1, 2], topics=["a", "a"]))
        >>> rows.calibrated(np.array([700.0])).coefficients.tolist()
        [0.5]
        """
        predicted = self.features @ weights
        length = float(predicted @ predicted)
        slope = float(predicted @ self.target) / length if length > 0 else 1.0
        return self.fit(weights * (slope if slope > 0 else 1.0))


def topic_numbers(data: TrainingData) -> Ints:
    """Give the topics of the rows numbers; refuse data without topics.

    Examples
    --------
    >>> topic_numbers(TrainingData([[1], [2]], [1, 2], topics=["b", "a"])).tolist()
    [1, 0]
    """
    if not len(data.topics):
        raise InputError(f"{data.name}: the rows have no topics", hint="give them")
    return np.unique(data.topics, return_inverse=True)[1].astype(np.int64)


def _centred(columns: Floats, topics: Ints) -> Floats:
    sums = np.zeros((int(topics.max()) + 1, columns.shape[1]))
    np.add.at(sums, topics, columns)
    means: Floats = sums / np.bincount(topics)[:, None]
    return columns - means[topics]


def some_rows(data: TrainingData, rows: npt.NDArray[Any]) -> TrainingData:
    """Take some rows.

    Parameters
    ----------
    data
        The data.
    rows
        A mask, or numbers.

    Examples
    --------
    >>> some_rows(TrainingData([[1], [2]], [3, 4], topics=["a", "b"]), np.array([1])).topics
    array(['b'], dtype='<U1')
    """
    return TrainingData(
        data.features[rows],
        data.targets[rows],
        systems=data.systems[rows] if len(data.systems) else (),
        topics=data.topics[rows] if len(data.topics) else (),
        name=data.name,
        feature_names=data.feature_names,
        target_names=data.target_names,
    )


def one_target(data: TrainingData, target: int) -> TrainingData:
    """Take one target and leave the others out.

    Parameters
    ----------
    data
        The data.
    target
        Its number.

    Examples
    --------
    >>> one_target(TrainingData([[1], [2]], [[3, 5], [4, 6]]), 1).targets.tolist()
    [[5.0], [6.0]]
    """
    return TrainingData(
        data.features,
        data.targets[:, [target]],
        systems=data.systems,
        topics=data.topics,
        name=data.name,
        feature_names=data.feature_names,
        target_names=(data.target_names[target],),
    )


def joined(years: Sequence[TrainingData]) -> TrainingData:
    """Put years under each other; topics of the same name in two years stay two.

    Parameters
    ----------
    years
        With the same columns.

    Examples
    --------
    >>> year = TrainingData([[1], [2]], [3, 4], topics=["a", "b"], systems=["7", "8"])
    >>> joined([year, year]).topics.tolist()
    ['1/a', '1/b', '2/a', '2/b']
    """
    first = years[0]
    for year in years[1:]:
        first.require_same_columns(year)
    return TrainingData(
        np.concatenate([year.features for year in years]),
        np.concatenate([year.targets for year in years]),
        systems=np.concatenate([year.systems for year in years]),
        topics=[f"{n}/{topic}" for n, year in enumerate(years, start=1) for topic in year.topics],
        name=" and ".join(year.name for year in years),
        feature_names=first.feature_names,
        target_names=first.target_names,
    )
