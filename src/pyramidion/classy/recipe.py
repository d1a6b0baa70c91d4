"""How models are trained, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pyramidion.classy.feature_sets import FEATURE_SETS, FeatureSet
from pyramidion.classy.features import FeatureGroup
from pyramidion.classy.fits import METHODS
from pyramidion.classy.learners import Choice
from pyramidion.classy.model import LinearModel
from pyramidion.classy.search import Criterion, SelectionLevel, SubsetSearch
from pyramidion.classy.versions import HUMAN_MEASURES
from pyramidion.errors import InputError, NotFoundError
from pyramidion.stats.robust import RobustScale

__all__ = ["LEARNERS", "Method", "Recipe", "TrainedModel", "Training"]

Method = Literal["robust", "nonneg", "canon", "regularised", "ranking"]

#: Methods that learn from all topics of both years, instead of searching subsets.
LEARNERS: tuple[Method, ...] = ("regularised", "ranking")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train.

    Parameters
    ----------
    features
        See `feature_set`; CLASSY's, and the family for the learners, if not given.
    method
        One method for all versions, instead of their own: ``robust``, ``nonneg`` or ``canon``
        with a search for the best subset; ``regularised`` or ``ranking`` without.
    criterion, level
        By which to choose, see `search_subsets`. If not given Pearson's correlation over all
        summaries; for the learners Kendall's within topics.
    exact, scale
        See `feature_groups` and `robust_regression`.
    measures
        What holds the judgments, see `HUMAN_MEASURES`.
    without_features, without_assessors
        Features not to be used, and assessors whose topics are left out.
    seed
        Cuts the topics for the learners.

    Examples
    --------
    >>> Recipe().selection, Recipe(method="ranking").selection
    (('pearson', 'summary'), ('kendall', 'input'))
    """

    features: FeatureSet | None = None
    method: Method | None = None
    criterion: Criterion | None = None
    level: SelectionLevel | None = None
    exact: bool = False
    scale: RobustScale = "matlab"
    measures: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: HUMAN_MEASURES)
    without_features: tuple[str, ...] = ()
    without_assessors: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        known: dict[str, tuple[str, ...]] = {
            "features": FEATURE_SETS,
            "method": (*METHODS, *LEARNERS),
            "criterion": ("pearson", "spearman", "kendall"),
            "level": ("summary", "system", "input"),
            "scale": ("matlab", "text"),
        }
        for name, values in known.items():
            value = getattr(self, name)
            if value is not None and value not in values:
                raise NotFoundError(
                    f"there is no {name} {value!r}", hint=f"use {', '.join(values)}"
                )
        if self.features == "family" and not self.learns:
            raise InputError(
                "the family has too many features to try every subset",
                hint="use the method regularised or ranking",
            )

    @property
    def learns(self) -> bool:
        """Whether there is a learner in place of the search."""
        return self.method in LEARNERS

    @property
    def feature_set(self) -> FeatureSet:
        """The set that is meant."""
        return self.features or ("family" if self.learns else "classy")

    @property
    def selection(self) -> tuple[Criterion, SelectionLevel]:
        """The criterion and the level that are meant."""
        usual: tuple[Criterion, SelectionLevel] = ("pearson", "summary")
        if self.learns:
            usual = ("kendall", "input")
        return self.criterion or usual[0], self.level or usual[1]


@dataclass(frozen=True, slots=True, eq=False)
class TrainedModel:
    """A model, and the choice that led to it.

    Parameters
    ----------
    model
        The model.
    groups
        The features it was chosen from.
    search, target
        The search, and the number of the target in it; none if it was learned.
    choice
        What the learner chose.

    Examples
    --------
    >>> TrainedModel(LinearModel("mine", (), ()), ()).search is None
    True
    """

    model: LinearModel
    groups: tuple[FeatureGroup, ...]
    search: SubsetSearch | None = None
    target: int = 0
    choice: Choice | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """All models that were trained.

    Parameters
    ----------
    models
        The models.
    left_out
        What could not be trained, or not be learned from, in words.

    Examples
    --------
    >>> Training(()).left_out
    ()
    """

    models: tuple[TrainedModel, ...]
    left_out: tuple[str, ...] = ()
