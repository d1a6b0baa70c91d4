"""How many topics an evaluation needs, from a pilot's scores."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from pyramidion.collection import ScoreMatrix, Signature
from pyramidion.collection.files import writing_folder
from pyramidion.collection.sources import read_scored
from pyramidion.errors import InputError
from pyramidion.evaluation._matrices import read_matrices
from pyramidion.report.answer import Answer
from pyramidion.report.old_figures import require_figures
from pyramidion.report.table import Cell, Table
from pyramidion.stats.distributions import frequencies
from pyramidion.stats.planning import PlannedTest, RequiredTopics, required_topics
from pyramidion.stats.power import power_curve

__all__ = ["PlanRequest", "plan_answer"]

_SHARES = (0.25, 0.5, 0.75, 0.9, 1.0)

# Power curves are for judgments on a scale; a metric's scores are nearly all different.
_MOST_VALUES = 50


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What to plan for; see `required_topics`.

    Examples
    --------
    >>> PlanRequest().power
    0.8
    """

    measures: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    test: str = "paired-t"
    power: float = 0.8
    alpha: float = 0.05
    most: int = 1000
    n_resamples: int = 1000
    seed: int = 0


def plan_answer(
    source: str | Path,
    request: PlanRequest,
    *,
    source_format: str | None = None,
    figures: str | Path | None = None,
) -> Answer:
    """Tell how many topics it takes to tell a pilot's systems apart.

    Parameters
    ----------
    source
        A table of scores, or a collection in any format.
    request
        What to plan for.
    source_format
        The source's format; guessed if it is not given.
    figures
        A folder for power curves of measures that both people and machines have: how often each
        test tells a blend of machine and human scores from machines' (dissertation 3.7).
    """
    if figures is not None:
        require_figures(figures, "svg")
    collection = read_scored(source, format=source_format)
    matrices, skipped = read_matrices(collection, request.measures, request.tasks)
    planned = [(matrix, _plan(matrix, request)) for matrix in matrices]
    curves_left_out = [] if figures is None else _write_curves(planned, request, Path(figures))
    return Answer(
        command="power",
        signature=Signature(
            f"power({request.test})",
            data=collection.data_hash,
            seed=request.seed,
            details=(
                ("power", f"{request.power:g}"),
                ("alpha", f"{request.alpha:g}"),
                ("most", str(request.most)),
                ("n", str(request.n_resamples)),
            ),
        ),
        results=[_record(matrix, plan) for matrix, plan in planned],
        tables=(_shares_table(planned), *(_pairs_table(*item) for item in planned)),
        left_out=(*collection.left_out, *skipped, *_left_out(planned), *curves_left_out),
    )


def _plan(matrix: ScoreMatrix, request: PlanRequest) -> RequiredTopics:
    if len(matrix.systems) < 2 or len(matrix.topics) < 2:
        raise InputError(
            f"{matrix.measure} has {len(matrix.topics)} topics and {len(matrix.systems)} systems",
            hint="a pilot needs two of each",
        )
    return required_topics(
        matrix.values,
        power=request.power,
        alpha=request.alpha,
        test=cast("PlannedTest", request.test),
        most=request.most,
        n_resamples=request.n_resamples,
        rng=request.seed,
    )


def _topics(plan: RequiredTopics, topics: float) -> str | int | None:
    if np.isnan(topics):
        return None
    return f"over {plan.most:,}" if np.isinf(topics) else int(topics)


def _shares_table(planned: list[tuple[ScoreMatrix, RequiredTopics]]) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            matrix.task or "–",
            matrix.measure,
            len(matrix.topics),
            len(plan.pairs),
            *(str(_topics(plan, plan.for_share(part)) or "–") for part in _SHARES),
        )
        for matrix, plan in planned
    )
    columns = ("task", "measure", "pilot topics", "pairs", *(f"{p:.0%} of pairs" for p in _SHARES))
    note = (
        "Topics with which that share of the pairs would be told apart with the wanted power, if "
        "the pilot's differences are the true ones; those of a small pilot are rough."
    )
    return Table(columns, rows, title="Topics needed", note=note)


def _pairs_table(matrix: ScoreMatrix, plan: RequiredTopics) -> Table:
    rows = tuple(
        (
            matrix.systems[a],
            matrix.systems[b],
            int(plan.pilot[row]),
            float(plan.difference[row]),
            float(plan.pilot_power[row]),
            str(_topics(plan, float(plan.topics[row])) or "–"),
        )
        for row, (a, b) in enumerate(plan.pairs.tolist())
    )
    columns = ("a", "b", "pilot topics", "difference", "power of the pilot", "topics needed")
    task = f", task {matrix.task}" if matrix.task else ""
    return Table(columns, rows, title=f"Pairs by {matrix.measure}{task}", digits=3)


def _record(matrix: ScoreMatrix, plan: RequiredTopics) -> dict[str, Any]:
    comparisons = [
        {
            "a": matrix.systems[a],
            "b": matrix.systems[b],
            "n": int(plan.pilot[row]),
            "difference": float(plan.difference[row]),
            "pilot_power": float(plan.pilot_power[row]),
            "topics": float(plan.topics[row]),
            "beyond_most": bool(np.isinf(plan.topics[row])),
        }
        for row, (a, b) in enumerate(plan.pairs.tolist())
    ]
    return {
        "measure": matrix.measure,
        "task": matrix.task,
        "test": plan.test,
        "power": plan.power,
        "alpha": plan.alpha,
        "most": plan.most,
        "topics": {f"{part:g}": plan.for_share(part) for part in _SHARES},
        "comparisons": comparisons,
    }


def _left_out(planned: list[tuple[ScoreMatrix, RequiredTopics]]) -> Iterator[str]:
    for matrix, plan in planned:
        unknown = int(np.isnan(plan.topics).sum())
        if unknown:
            yield f"{matrix.measure}: {unknown} pairs that share fewer than two topics"


def _write_curves(
    planned: list[tuple[ScoreMatrix, RequiredTopics]], request: PlanRequest, folder: Path
) -> list[str]:
    """Draw power curves; say of which measures there are none."""
    from pyramidion.report.figures import power_figure, save

    left_out = []
    with writing_folder(folder) as new:
        for matrix, _ in planned:
            name = "-".join(
                part.replace("/", "_") for part in (matrix.measure, matrix.task) if part
            )
            values = np.unique(matrix.values[~np.isnan(matrix.values)])
            if not matrix.human.any() or matrix.human.all() or not 2 <= len(values) <= _MOST_VALUES:
                left_out.append(f"power curve of {name}: it needs people, machines and few values")
                continue
            curve = power_curve(
                frequencies(matrix.machines().values, values),
                frequencies(matrix.values[:, matrix.human], values),
                values=values,
                confidence_level=1 - request.alpha,
                rng=request.seed,
            )
            figure = power_figure(
                curve, alpha=request.alpha, measure=matrix.measure, task=matrix.task
            )
            save(figure, new / f"{name}-power.svg")
    return left_out
