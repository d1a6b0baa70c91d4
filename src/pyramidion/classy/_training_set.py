"""How models are trained, and what there is to learn from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from pyramidion._types import Bools
from pyramidion.classy._features import (
    FeatureGroup,
    FeatureSet,
    FeatureTable,
    Peers,
    feature_set,
    feature_table,
)
from pyramidion.classy._fits import TrainingData, varies
from pyramidion.classy._learners import Choice
from pyramidion.classy._models import LinearModel
from pyramidion.classy._search import Criterion, SelectionLevel, SubsetSearch
from pyramidion.classy._years import Year, human_measures, of_task
from pyramidion.collection import Summary
from pyramidion.collection._options import option
from pyramidion.collection._questions import Options
from pyramidion.errors import InputError, NotFoundError
from pyramidion.metrics._cases import others_of
from pyramidion.stats._regression import RobustScale

# How models are trained, and what comes of it.

Method = Literal["robust", "nonneg", "canon", "regularized", "ranking"]

#: Methods that learn from all topics of both years, instead of searching subsets.
LEARNERS: tuple[Method, ...] = ("regularized", "ranking")


@dataclass(frozen=True, slots=True)
class Recipe(Options):
    """How to train.

    Without a criterion and a level a search goes by Pearson's correlation over all summaries,
    a learner by Kendall's within topics.
    """

    features: FeatureSet | None = option(
        None, "Features to learn from: classy (the 13 of CLASSY), nouveau (Nouveau-ROUGE), rose "
        "(ROSE) or family (all metrics, for the methods regularized and ranking).",
    )  # fmt: skip
    method: Method | None = option(
        None, "Learning method: robust, nonneg or canon, with a search for features (by default "
        "the best of the version's methods); or regularized or ranking, without a search.",
    )  # fmt: skip
    criterion: Criterion | None = option(
        None, "Correlation to maximize: pearson (the default), spearman or kendall (the default "
        "of regularized and ranking).",
    )  # fmt: skip
    level: SelectionLevel | None = option(
        None, "Level of the correlation: summary (over all summaries, the default), system (over "
        "systems' means) or input (within topics, the default of regularized and ranking).",
    )  # fmt: skip
    human: tuple[str, ...] = option(
        (), "Names of human measures in the data, comma-separated, such as pyramid=scu-recall."
    )
    without_features: tuple[str, ...] = option((), "Features to leave out, comma-separated.")
    without_assessors: tuple[str, ...] = option(
        (), "Assessors whose topics are left out, comma-separated."
    )
    exact: bool = option(
        False,
        "Compute ROUGE-2 and ROUGE-SU4 as the papers' formula says: against the best reference.",
        flags=("--exact",),
    )
    scale: RobustScale = option(
        "matlab",
        "Residual scale of robust regression: matlab (as MATLAB computes it) or text (as the "
        "dissertation describes it).",
    )
    seed: int = option(0, "Random seed; the same seed gives the same result.", least=0)

    def check(self) -> None:
        """Refuse names of no human measure, and a search among too many features."""
        human_measures(self.human)
        if self.features == "family" and not self.learns:
            raise InputError(
                "the family has too many features to try every subset",
                hint="use the method regularized or ranking",
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
    """A model, and the choice that led to it."""

    model: LinearModel
    groups: tuple[FeatureGroup, ...]
    search: SubsetSearch | None = None
    target: int = 0
    choice: Choice | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """All models that were trained."""

    models: tuple[TrainedModel, ...]
    left_out: tuple[str, ...] = ()


# What there is to learn from for a task and its peers: features and judgments of two years.

Rows = Bools

# A metric of the family that is undefined for a larger share of a year's summaries is left out.
_MOST_UNDEFINED = 0.01


@dataclass(frozen=True, eq=False)
class Syllabus:
    """What is to be learned from, before anything is computed."""

    years: tuple[Year, Year]
    task: str
    peers: Peers
    recipe: Recipe

    @cached_property
    def groups(self) -> tuple[FeatureGroup, ...]:
        """The features that may be used."""
        collections = [year.collection for year in self.years]
        groups = feature_set(
            self.recipe.feature_set,
            update=all(own.task(self.task).documents == "update" for own in collections),
            documents=all(
                any(own.documents(topic.id, self.task) for topic in own.topics)
                for own in collections
            ),
            exact=self.recipe.exact,
        )
        names = [group.name for group in groups]
        for name in self.recipe.without_features:
            if name not in names:
                raise NotFoundError(
                    f"there is no feature {name!r}", hint=f"there are: {', '.join(names)}"
                )
        kept = tuple(g for g in groups if g.name not in self.recipe.without_features)
        if not kept:
            raise InputError("no feature is left", hint="leave out fewer")
        return kept

    @property
    def columns(self) -> int:
        """How many columns the features have."""
        return sum(len(group.metrics) for group in self.groups)

    def require(self, target: str) -> None:
        """Refuse a target that cannot be learned."""
        least = 3 if self.recipe.learns else self.columns + 2
        for year in self.years:
            summaries = year.peers(self.task, self.peers)
            self._require_compared(year, summaries)
            values = year.values(summaries, target)
            judged, measure = values[~np.isnan(values)], year.measure(target, self.task)
            if len(judged) < least:
                raise InputError(
                    f"{year.name}: {len(judged)} of {len(summaries)} summaries have {measure}, "
                    f"too few for {self.columns} columns of features",
                    hint=f"give at least {least}, or leave features out",
                )
            if not varies(judged[:, None])[0]:
                raise InputError(
                    f"{year.name}: {measure} has the same value in all {len(judged)} summaries",
                    hint="nothing can be learned from it; take another target",
                )

    def _require_compared(self, year: Year, summaries: Sequence[Summary]) -> None:
        """Refuse a year that lacks what all features of a kind are compared with."""
        needs = {need for g in self.groups for metric in g.metrics for need in metric.requirements}
        own = year.collection
        if "references" in needs and not any(others_of(own, summary) for summary in summaries):
            raise InputError(
                f"{year.name} has no references to compare with{of_task(self.task)}",
                hint="add references (role reference or both) to its summaries",
            )
        topics = dict.fromkeys(summary.topic for summary in summaries)
        if "earlier references" in needs and not any(
            own.earlier_references(topic, self.task) for topic in topics
        ):
            raise InputError(
                f"{year.name} has no earlier references to compare with{of_task(self.task)}",
                hint="declare a task with documents = base before the one with update, and add "
                "its references",
            )

    def computed(self, told: Callable[[], None] = lambda: None) -> "Lessons":
        """Compute the features of both years."""
        first, second = (
            feature_table(
                year.collection,
                task=self.task,
                peers=self.peers,
                groups=self.groups,
                progress=lambda name, column, left: told(),
            )
            for year in self.years
        )
        lessons = Lessons(self, (first, second))
        return lessons.mostly_defined() if self.recipe.feature_set == "family" else lessons

    def said(self, year: Year | None = None) -> str:
        """Say what it is, for messages."""
        parts = (year.name if year else "", f"task {self.task}" if self.task else "", self.peers)
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """The features of two years, with their judgments."""

    syllabus: Syllabus
    tables: tuple[FeatureTable, FeatureTable]
    without: tuple[str, ...] = ()

    def mostly_defined(self) -> "Lessons":
        """Leave out metrics that many summaries have no score of."""
        first, second = self.tables
        shares = np.max(
            [(~np.isfinite(table.values)).mean(axis=0) for table in self.tables], axis=0
        )
        keep = shares <= _MOST_UNDEFINED
        without = tuple(
            f"{self.syllabus.said()}: {first.columns[column]} as a feature, undefined for "
            f"{shares[column]:.1%} of the summaries"
            for column in np.flatnonzero(~keep)
        )
        groups = tuple(group for group, kept in zip(first.groups, keep, strict=True) if kept)
        first, second = (
            replace(table, values=table.values[:, keep], groups=groups) for table in self.tables
        )
        return Lessons(self.syllabus, (first, second), without)

    def data(self, target: str, others: Sequence[str] = ()) -> tuple[TrainingData, TrainingData]:
        """Give the rows of both years that have a target."""
        beside = [other for other in others if other != target and self._fits(other, target)]
        first, second = (
            self._rows(year, table, (target, *beside)) for year, table in self._pairs()
        )
        return first, second

    def left_out(self, target: str) -> Iterator[str]:
        """Count the summaries that cannot be learned from."""
        for year, table in self._pairs():
            known = ~np.isnan(year.values(table.summaries, target))
            undefined, missing = int((known & ~table.complete).sum()), int((~known).sum())
            if undefined:
                yield f"{self.syllabus.said(year)}: {undefined} summaries with an undefined feature"
            if missing:
                yield f"{self.syllabus.said(year)}: {missing} summaries without {target}"

    def _pairs(self) -> Iterator[tuple[Year, FeatureTable]]:
        return zip(self.syllabus.years, self.tables, strict=True)

    def _fits(self, other: str, target: str) -> bool:
        """Tell whether a further measure is there for all rows of both years."""
        for year, table in self._pairs():
            try:
                values = year.values(table.summaries, other)[_learned(year, table, target)]
            except NotFoundError:
                return False
            if np.isnan(values).any() or not varies(values[:, None])[0]:
                return False
        return True

    def _rows(self, year: Year, table: FeatureTable, targets: Sequence[str]) -> TrainingData:
        chosen = table.only(_learned(year, table, targets[0]))
        task = self.syllabus.task
        return TrainingData(
            chosen.values,
            np.column_stack([year.values(chosen.summaries, target) for target in targets]),
            systems=[summary.system for summary in chosen.summaries],
            topics=[summary.topic for summary in chosen.summaries],
            name=year.name,
            feature_names=table.columns,
            target_names=[year.measure(target, task) for target in targets],
        )


def _learned(year: Year, table: FeatureTable, target: str) -> Rows:
    return table.complete & ~np.isnan(year.values(table.summaries, target))
