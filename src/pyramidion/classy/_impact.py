"""Retrain CLASSY without the worst assessors: an extension of `assessors --impact`."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any

from pyramidion.classy._models import predict_summaries
from pyramidion.classy._training import (
    VERSIONS,
    Recipe,
    Version,
    choose_versions,
    plan_training,
)
from pyramidion.collection import Collection, ScoreMatrix, Scores
from pyramidion.collection.sources import Source, read_source
from pyramidion.comparison.common import correlate_pairs, means_of_both
from pyramidion.errors import InputError, PyramidionError
from pyramidion.judges import Retraining, RetrainingOptions, WorstFirst
from pyramidion.questions import Progress, option
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import View, columns, shown


@dataclass(frozen=True, slots=True)
class ClassyRetraining(RetrainingOptions):
    """Train CLASSY with and without the worst assessors."""

    classy: Source | None = option(
        None, "Train CLASSY on two years, with and without the worst assessors, and test it on "
        "this later collection.", metavar="LATER",
    )  # fmt: skip
    versions: tuple[str, ...] = option(
        (), "CLASSY versions to train, comma-separated: 8, 25, 23 or 6; all by default."
    )
    targets: tuple[str, ...] = option(
        (), "Human measures to train CLASSY for, comma-separated, instead of --versions."
    )
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)

    @property
    def is_requested(self) -> bool:
        """Whether a later collection is named."""
        return self.classy is not None

    def check_years(self, years: Sequence[Collection]) -> None:
        """Require exactly two years to train on."""
        if self.classy is not None and len(years) != 2:
            hint = "name the two years before the one to test on"
            raise InputError(f"{len(years)} years to train on", hint=hint)

    def retrain(
        self,
        years: Sequence[Collection],
        worst_first: Mapping[str, Sequence[WorstFirst]],
        *,
        source_format: str | None,
        tasks: Sequence[str],
        number: int,
    ) -> Retraining:
        """Train with all assessors, and again without the worst `number` of them."""
        if self.classy is None:
            return Retraining()
        later_collection = read_source(self.classy, format=source_format)
        models, left_out = classy_impact(
            (years[0], years[1]), later_collection, worst_first, tasks=tasks, n_left_out=number,
            versions=choose_versions(self.versions, self.targets), progress=self.progress.advance,
        )  # fmt: skip
        if not models:
            reason = left_out[0] if left_out else "no models were requested"
            hint = "choose --versions or --targets that were judged in all three years"
            raise InputError(f"nothing could be trained: {reason}", hint=hint)
        table = _classy_table(models, later_collection.name)
        return Retraining(
            models, partial(_record, later_collection.name), [table], left_out, [later_collection]
        )


def _record(later_name: str, model: "ClassyImpact") -> dict[str, Any]:
    return {"classy": model.version, "later": later_name, **asdict(model)}


@dataclass(frozen=True, slots=True)
class ClassyImpact:
    """How well a trained model predicts a later year."""

    version: str
    measure: str
    task: str
    peers: str
    criterion: str | None
    left_out: tuple[str, ...]
    systems: int
    pearson: float
    spearman: float
    method: str
    features: tuple[str, ...]


def classy_impact(
    years: tuple[Collection, Collection],
    later_collection: Collection,
    worst_first: Mapping[str, Sequence[WorstFirst]],
    *,
    versions: Sequence[Version] = (),
    tasks: Sequence[str] = (),
    n_left_out: int = 1,
    recipe: Recipe | None = None,
    progress: Callable[[int, int], None] = lambda n_done, total: None,
) -> tuple[list[ClassyImpact], list[str]]:
    """Train models on two years, with and without some topics, and test them on a later year."""
    recipe = recipe or Recipe()
    impacts: list[ClassyImpact] = []
    left_out: dict[str, None] = {}
    plans: list[tuple[Version, WorstFirst | None]] = []
    for version in versions or VERSIONS:
        judged_measures = (
            measure
            for measure in recipe.measures.get(version.target, (version.target,))
            if measure in worst_first
        )
        plans += [
            (version, criterion)
            for criterion in (None, *worst_first.get(next(judged_measures, ""), ()))
        ]
    for n_done, (version, criterion_order) in enumerate(plans, start=1):
        left_out_assessors = (
            () if criterion_order is None else criterion_order.assessors[:n_left_out]
        )
        if criterion_order is not None and not left_out_assessors:
            left_out[f"version {version.label}: assessors could not be ranked"] = None
            continue
        try:
            reduced_recipe = replace(recipe, without_assessors=left_out_assessors)
            tested_impacts, notes = _train_and_test(
                years, later_collection, version, reduced_recipe, tasks
            )
            criterion = None if criterion_order is None else criterion_order.criterion
            impacts += [replace(impact, criterion=criterion) for impact in tested_impacts]
            left_out |= dict.fromkeys(notes)
        except PyramidionError as problem:
            suffix = f" without {', '.join(left_out_assessors)}" if left_out_assessors else ""
            left_out[f"version {version.label}{suffix}: {problem.what}"] = None
        progress(n_done, len(plans))
    return impacts, list(left_out)


def _train_and_test(
    years: tuple[Collection, Collection],
    later_collection: Collection,
    version: Version,
    recipe: Recipe,
    tasks: Sequence[str],
) -> tuple[list[ClassyImpact], tuple[str, ...]]:
    """Train one version with one recipe, and test it on the later year."""
    training = plan_training(*years, versions=[version], tasks=tasks, recipe=recipe).run()
    impacts = []
    for model in (trained_model.model for trained_model in training.models):
        prediction = predict_summaries(model, later_collection, task=model.task)
        measure = recipe.measure(later_collection, version.target, model.task)
        human_scores = later_collection.scores.select(measure=measure, task=model.task)
        impacts.append(
            ClassyImpact(
                version.label, measure, model.task, model.peers, None, recipe.without_assessors,
                *system_correlations(prediction.scores, human_scores), model.method, model.columns,
            )
        )  # fmt: skip
    return impacts, training.left_out


def system_correlations(predicted_scores: Scores, human_scores: Scores) -> tuple[int, float, float]:
    """Correlate two measures' system means, over the summaries that have both."""
    if not (len(predicted_scores) and len(human_scores)):
        raise InputError("no summary has both a prediction and a judgment", hint="add judgments")
    predicted_matrix, human_matrix = (
        ScoreMatrix.from_scores(scores, scores.measures[0])
        for scores in (predicted_scores, human_scores)
    )
    topics = [topic for topic in predicted_matrix.topics if topic in human_matrix.topics]
    systems = [system for system in predicted_matrix.systems if system in human_matrix.systems]
    tables = (
        matrix.take(topics=topics, systems=systems).values
        for matrix in (predicted_matrix, human_matrix)
    )
    return correlate_pairs(*means_of_both(*tables))


def _classy_table(models: Sequence[ClassyImpact], later_name: str) -> Table:
    """Show correlations before and after, one model per row."""
    key = attrgetter("version", "measure", "task", "peers")
    pearson_of_all = {
        key(impact): impact.pearson for impact in reversed(models) if impact.criterion is None
    }

    def change(impact: ClassyImpact) -> float | None:
        return (
            impact.pearson - pearson_of_all.get(key(impact), math.nan) if impact.criterion else None
        )

    view: View[ClassyImpact] = View(
        "classy",
        (
            *columns("measure", "version", "task", "peers"),
            shown("worst by", lambda impact: impact.criterion or "–"),
            shown("without", lambda impact: ", ".join(impact.left_out) or "nobody"),
            *columns("method", "systems", pearson="Pearson", spearman="Spearman"),
            shown("change", change),
        ),
        digits=3,
    )
    note = (
        "Correlations of predicted with human system means. Change: in Pearson's correlation, "
        "compared with the model trained on all topics."
    )
    return view.table(
        models, f"CLASSY trained without the worst assessors, tested on {later_name}", note
    )
