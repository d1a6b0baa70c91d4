"""What is known of how difficult inputs are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pyramidion.errors import InputError
from pyramidion.evaluation._difficulty.leave_one_out import Prediction
from pyramidion.stats.correlation_intervals import IntervalMethod

__all__ = [
    "Difficulty",
    "DifficultyCoefficient",
    "DifficultyOptions",
    "FeatureCorrelation",
    "TopicScore",
]

DifficultyCoefficient = Literal["pearson", "spearman", "kendall"]


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

    coefficients: tuple[DifficultyCoefficient, ...] = ("pearson", "spearman")
    method: IntervalMethod = "percentile"
    confidence_level: float = 0.95
    n_resamples: int = 9999
    seed: int = 0

    def __post_init__(self) -> None:
        there = get_args(DifficultyCoefficient)
        for name in self.coefficients:
            if name not in there:
                hint = f"there are: {', '.join(there)}"
                raise InputError(f"there is no coefficient {name!r}", hint=hint)
        if not self.coefficients:
            raise InputError("no coefficient is named", hint="try pearson,spearman")


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
