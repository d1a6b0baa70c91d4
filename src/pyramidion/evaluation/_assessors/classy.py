"""CLASSY trained with and without the topics of the worst assessors (Table 6.5)."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.collection import Collection, ScoreMatrix, Scores
from pyramidion.collection.sources import Source, read_source
from pyramidion.errors import InputError, PyramidionError
from pyramidion.evaluation._assessors.impact import (
    Criterion,
    WorstFirst,
    worst_by_alpha,
    worst_by_difference,
    worst_of_years,
)
from pyramidion.evaluation._assessors.study import AssessorStudy
from pyramidion.evaluation._verdicts.study import system_means
from pyramidion.report.table import Table
from pyramidion.stats._correlation import pearson, spearman

if TYPE_CHECKING:
    from pyramidion.classy._models import LinearModel
    from pyramidion.classy._training_set import Recipe
    from pyramidion.classy._years import Version


@dataclass(frozen=True, slots=True)
class ClassyImpact:
    """How well a trained model predicts a later year."""

    version: str
    measure: str
    task: str
    peers: str
    criterion: Criterion | None
    left_out: tuple[str, ...]
    systems: int
    pearson: float
    spearman: float
    method: str
    features: tuple[str, ...]


def classy_impact(
    years: tuple[Collection, Collection],
    later: Collection,
    worst: Mapping[str, Sequence[WorstFirst]],
    *,
    versions: "Sequence[Version]" = (),
    tasks: Sequence[str] = (),
    number: int = 1,
    recipe: "Recipe | None" = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[ClassyImpact], list[str]]:
    """Train models on two years, with and without some topics, and try them on a later year."""
    from pyramidion.classy._training_set import Recipe
    from pyramidion.classy._years import VERSIONS

    asked = recipe or Recipe()
    found: list[ClassyImpact] = []
    left_out: list[str] = []
    plans = [
        (version, order)
        for version in (versions or VERSIONS)
        for order in (None, *_orders(version.target, worst, asked))
    ]
    for done, (version, order) in enumerate(plans):
        unwanted = () if order is None else order.assessors[:number]
        if order is not None and not unwanted:
            left_out.append(f"version {version.label}: no assessor is known to be the worst")
            continue
        own = replace(asked, without_assessors=unwanted)
        try:
            trial = _Trial(years, later, version, own, tuple(tasks))
            tried, notes = trial.run(None if order is None else order.criterion)
            found += tried
            left_out += notes
        except PyramidionError as problem:
            without = f" without {', '.join(unwanted)}" if unwanted else ""
            left_out.append(f"version {version.label}{without}: {problem.what}")
        if progress is not None:
            progress(done + 1, len(plans))
    return found, list(dict.fromkeys(left_out))


def _orders(
    target: str, worst: Mapping[str, Sequence[WorstFirst]], recipe: "Recipe"
) -> Sequence[WorstFirst]:
    for name in recipe.measures.get(target, (target,)):
        if name in worst:
            return worst[name]
    return ()


@dataclass(frozen=True, slots=True)
class _Trial:
    """One version trained in one way, and tried on the later year."""

    years: tuple[Collection, Collection]
    later: Collection
    version: "Version"
    recipe: "Recipe"
    tasks: tuple[str, ...]

    def run(self, criterion: Criterion | None) -> tuple[list[ClassyImpact], tuple[str, ...]]:
        from pyramidion.classy._trainer import train_models

        training = train_models(
            *self.years, versions=[self.version], tasks=self.tasks, recipe=self.recipe
        )
        tried = [self._tried(trained.model, criterion) for trained in training.models]
        return tried, training.left_out

    def _tried(self, model: "LinearModel", criterion: Criterion | None) -> ClassyImpact:
        from pyramidion.classy._models import predict_summaries
        from pyramidion.classy._years import Year

        prediction = predict_summaries(model, self.later, task=model.task)
        year = Year(self.later.name, self.later, self.recipe.measures)
        measure = year.measure(self.version.target, model.task)
        judged = self.later.scores.select(measure=measure, task=model.task)
        n, r, rho = system_correlations(prediction.scores, judged)
        return ClassyImpact(
            version=self.version.label,
            measure=measure,
            task=model.task,
            peers=model.peers,
            criterion=criterion,
            left_out=self.recipe.without_assessors,
            systems=n,
            pearson=r,
            spearman=rho,
            method=model.method,
            features=model.columns,
        )


def system_correlations(predicted: Scores, judged: Scores) -> tuple[int, float, float]:
    """Correlate systems' means by two measures, over the summaries that have both."""
    if not (len(predicted) and len(judged)):
        raise InputError("no summary has both a prediction and a judgment", hint="add judgments")
    first, second = (ScoreMatrix.from_scores(s, s.measures[0]) for s in (predicted, judged))
    topics = [topic for topic in first.topics if topic in second.topics]
    systems = [system for system in first.systems if system in second.systems]
    tables = [matrix.take(topics=topics, systems=systems) for matrix in (first, second)]
    both = ~np.isnan(tables[0].values) & ~np.isnan(tables[1].values)
    means = [system_means(np.where(both, table.values, np.nan)) for table in tables]
    known = both.any(axis=0)
    n = int(known.sum())
    if n < 2:
        return n, math.nan, math.nan
    a, b = (own[known] for own in means)
    return n, pearson(a, b).value, spearman(a, b).value


@dataclass(frozen=True, slots=True)
class ClassyTrial:
    """Models with what they predict of a later year, and what could not be trained or tried."""

    found: tuple[ClassyImpact, ...] = ()
    later: tuple[Collection, ...] = ()
    left_out: tuple[str, ...] = ()

    def record(self, own: ClassyImpact) -> dict[str, Any]:
        """Give a model as data."""
        return {"classy": own.version, "later": self.later[0].name} | asdict(own)

    def tables(self) -> Iterator[Table]:
        """Lay out correlations before and after, one model a row."""
        if not self.found:
            return
        key = attrgetter("version", "measure", "task", "peers")
        before = {key(own): own.pearson for own in reversed(self.found) if own.criterion is None}
        rows = tuple(
            (own.measure, own.version, own.task, own.peers, own.criterion or "–",
             ", ".join(own.left_out) or "nobody", own.method, own.systems, own.pearson,
             own.spearman, own.pearson - before.get(key(own), math.nan) if own.criterion else None)
            for own in self.found
        )  # fmt: skip
        columns = (
            *("measure", "version", "task", "peers", "worst by", "without", "method"),
            *("systems", "Pearson", "Spearman", "change"),
        )
        note = (
            "Correlations of systems' means with people's. Change: of Pearson's correlation, from "
            "the model that learned from all topics."
        )
        title = f"CLASSY trained without the worst assessors, tried on {self.later[0].name}"
        yield Table(columns, rows, title=title, note=note, digits=3, name="classy")


def try_classy(
    study: AssessorStudy,
    years: Sequence[Collection],
    later: Source,
    *,
    format: str | None = None,
    versions: Sequence[str] = (),
    targets: Sequence[str] = (),
    number: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ClassyTrial:
    """Train models on two years with and without the worst assessors' topics, and try them."""
    from pyramidion.classy._years import chosen_versions

    tried = read_source(later, format=format)
    found, left_out = classy_impact(
        (years[0], years[1]),
        tried,
        _worst_of(study),
        versions=chosen_versions(versions, targets),
        tasks=study.options.task,
        number=number,
        progress=progress,
    )
    if not found:
        raise InputError(
            f"nothing could be trained: {left_out[0] if left_out else 'no models were asked for'}",
            hint="name --versions or --targets that all three years judge",
        )
    return ClassyTrial(tuple(found), (tried,), tuple(left_out))


def _worst_of(study: AssessorStudy) -> Mapping[str, list[WorstFirst]]:
    """Order the assessors of each measure over both years, by each criterion."""
    orders: dict[str, list[WorstFirst]] = {}
    spans = study.panel.spans()
    for measure in study.panel.measures:
        if study.panel.same_scale(measure):
            own = [worst_by_alpha(study.consistency, spans[-1], measure)]
        else:
            years = [worst_by_alpha(study.consistency, year, measure) for year in spans[:-1]]
            own = [worst_of_years(years)]
        if measure == study.manual:
            own.append(worst_by_difference(study.differences, spans[-1]))
        orders[measure] = own
    return orders
