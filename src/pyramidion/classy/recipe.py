"""How models are trained, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pyramidion.classy.feature_sets import FeatureSet
from pyramidion.classy.features import FeatureGroup
from pyramidion.classy.learners import Choice
from pyramidion.classy.model import LinearModel
from pyramidion.classy.search import Criterion, SelectionLevel, SubsetSearch
from pyramidion.classy.versions import human_measures
from pyramidion.collection.questions import Options, option
from pyramidion.errors import InputError
from pyramidion.stats.robust import RobustScale

__all__ = ["LEARNERS", "Method", "Recipe", "TrainedModel", "Training"]

Method = Literal["robust", "nonneg", "canon", "regularised", "ranking"]

#: Methods that learn from all topics of both years, instead of searching subsets.
LEARNERS: tuple[Method, ...] = ("regularised", "ranking")


@dataclass(frozen=True, slots=True)
class Recipe(Options):
    """How to train.

    Without a criterion and a level a search goes by Pearson's correlation over all summaries,
    a learner by Kendall's within topics.

    Examples
    --------
    >>> Recipe().selection, Recipe(method="ranking").selection
    (('pearson', 'summary'), ('kendall', 'input'))
    """

    features: FeatureSet | None = option(
        None, "Features to learn from: the 13 of CLASSY (classy), Nouveau-ROUGE's (nouveau), "
        "ROSE's (rose), or the whole family of metrics (family), for the learners.",
        metavar="classy|nouveau|rose|family",
    )  # fmt: skip
    method: Method | None = option(
        None, "Fit by one method; the best of the version's by default. The last two are learners "
        "without a search of subsets.",
        metavar="robust|nonneg|canon|regularised|ranking",
    )  # fmt: skip
    criterion: Criterion | None = option(
        None, "Correlation that is to be high; pearson by default, kendall for the learners.",
        metavar="pearson|spearman|kendall",
    )  # fmt: skip
    level: SelectionLevel | None = option(
        None, "Correlate over all summaries, over systems' means, or within topics; summary by "
        "default, input for the learners.",
        metavar="summary|system|input",
    )  # fmt: skip
    human: tuple[str, ...] = option(
        (), "What the judgments are called, such as pyramid=scu-recall, with commas."
    )
    without_features: tuple[str, ...] = option((), "Features not to be used, with commas.")
    without_assessors: tuple[str, ...] = option(
        (), "Leave out the topics that these assessors judged, with commas."
    )
    exact: bool = option(
        False, "R2 and SU4 by the papers' formula: the best reference.", flags=("--exact",)
    )
    scale: RobustScale = option(
        "matlab", "How robust regression measures the spread of residuals.", metavar="matlab|text"
    )
    seed: int = option(0, "Seed of the random numbers; the same seed repeats the result.", least=0)

    def check(self) -> None:
        """Refuse names of no human measure, and a search among too many features."""
        human_measures(self.human)
        if self.features == "family" and not self.learns:
            raise InputError(
                "the family has too many features to try every subset",
                hint="use the method regularised or ranking",
            )

    @property
    def measures(self) -> Mapping[str, tuple[str, ...]]:
        """What may hold the judgments, by what is judged."""
        return human_measures(self.human)

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
