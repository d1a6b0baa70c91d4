"""CLASSY trained with and without the topics of the worst assessors (Table 6.5)."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.collection import Collection, ScoreMatrix, Scores
from pyramidion.errors import InputError, PyramidionError
from pyramidion.evaluation.assessors.rankings import JudgedCells
from pyramidion.evaluation.assessors.worst import Criterion, WorstFirst
from pyramidion.stats.correlation import pearson, spearman

if TYPE_CHECKING:
    from pyramidion.classy.model import LinearModel
    from pyramidion.classy.recipe import Recipe
    from pyramidion.classy.versions import Version

__all__ = ["ClassyImpact", "classy_impact", "system_correlations"]


@dataclass(frozen=True, slots=True)
class ClassyImpact:
    """How well a trained model predicts a later year.

    Parameters
    ----------
    version, measure
        Which model, and the human measure it predicts.
    task, peers
        For which task, and whose summaries: ``all`` or ``no-models``.
    criterion, left_out
        By what assessors are the worst, and whose topics were not learned from; nothing and
        nobody for the model that learned from all.
    systems, pearson, spearman
        Of systems' means in the later year; NaN where undefined.
    method, features
        What the training chose.

    Examples
    --------
    >>> ClassyImpact("8", "pyramid", "A", "all", None, (), 59, 0.945, 0.93, "canon", ()).pearson
    0.945
    """

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
    """Train models on two years, with and without some topics, and try them on a later year.

    Parameters
    ----------
    years
        What to learn from.
    later
        What to predict.
    worst
        For each human measure, the orders in which assessors are the worst; every version is
        trained once more for each of its measure's.
    versions
        Which models; the papers' four if none is named.
    tasks
        Which tasks; all that both years have if none is named.
    number
        How many of the worst to leave out.
    recipe
        How to train.
    progress
        Is told how much is done, and of how much.

    Returns
    -------
    found
        For each model, trained on everything and then without the worst.
    left_out
        What could not be trained or tried.
    """
    from pyramidion.classy.recipe import Recipe
    from pyramidion.classy.versions import VERSIONS

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
        from pyramidion.classy.trainer import train

        training = train(*self.years, versions=[self.version], tasks=self.tasks, recipe=self.recipe)
        tried = [self._tried(trained.model, criterion) for trained in training.models]
        return tried, training.left_out

    def _tried(self, model: "LinearModel", criterion: Criterion | None) -> ClassyImpact:
        from pyramidion.classy.predictor import predict
        from pyramidion.classy.years import Year

        prediction = predict(model, self.later, task=model.task)
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
    """Correlate systems' means by two measures, over the summaries that have both.

    Parameters
    ----------
    predicted, judged
        Scores of one measure and task each.

    Returns
    -------
    n, pearson, spearman
        How many systems, and the correlations; NaN where undefined.

    Examples
    --------
    >>> rows = {"topic": ["T1"] * 3, "system": list("789"), "kind": ["machine"] * 3,
    ...         "measure": ["m"] * 3}
    >>> system_correlations(Scores(rows, [1, 2, 3]), Scores(rows, [10, 20, 30]))
    (3, 1.0, 1.0)
    """
    if not (len(predicted) and len(judged)):
        raise InputError("no summary has both a prediction and a judgment", hint="add judgments")
    first, second = (ScoreMatrix.from_scores(s, s.measures[0]) for s in (predicted, judged))
    topics = [topic for topic in first.topics if topic in second.topics]
    systems = [system for system in first.systems if system in second.systems]
    tables = [matrix.take(topics=topics, systems=systems) for matrix in (first, second)]
    both = ~np.isnan(tables[0].values) & ~np.isnan(tables[1].values)
    means = [JudgedCells.means(np.where(both, table.values, np.nan)) for table in tables]
    known = both.any(axis=0)
    n = int(known.sum())
    if n < 2:
        return n, math.nan, math.nan
    a, b = (own[known] for own in means)
    return n, pearson(a, b).value, spearman(a, b).value
