"""What happens to the evaluation when the least consistent assessors are left out.

Their judgments are taken away, and with them the topics that nobody else judged. Then systems are
ranked again, and metrics are correlated again with what is left (Owczarzak et al. 2012,
Tables 2 to 4; Tables 6.2 to 6.4 of the dissertation).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pyramidion._types import Floats
from pyramidion.evaluation._judged import Peers
from pyramidion.evaluation.assessors.impact_metrics import MetricStep, MetricTables
from pyramidion.evaluation.assessors.panel import Panel
from pyramidion.evaluation.assessors.rankings import JudgedCells
from pyramidion.evaluation.assessors.worst import WorstFirst
from pyramidion.stats.correlation import pearson, spearman

__all__ = ["Chance", "Impact", "ImpactStep", "assessor_impact"]

# Of so many choices of assessors some are drawn.
_MOST_CHOICES = 500


@dataclass(frozen=True, slots=True)
class Chance:
    """What leaving out as many assessors does, whichever they are.

    Parameters
    ----------
    choices
        How many choices of assessors were tried: all there are, or 500 of them.
    pearson, spearman
        Mean correlations with the full ranking.
    lower
        The share of choices after which Pearson's correlation is no higher than it is without
        the worst: small means that the worst matter more than others.

    Examples
    --------
    >>> Chance(28, 0.99, 0.97, 0.25).lower
    0.25
    """

    choices: int
    pearson: float
    spearman: float
    lower: float


@dataclass(frozen=True, slots=True)
class ImpactStep:
    """The evaluation without some assessors.

    Parameters
    ----------
    left_out
        Who; nobody in the first step.
    topics, systems
        How many topics are left, and how many systems have a mean before and after.
    pearson, spearman
        Of systems' means with those by all assessors; NaN where undefined.
    chance
        What leaving out as many others does.
    metrics
        Correlations of metrics with what is left.
    undefined
        Why there is no correlation; empty where there is one.

    Examples
    --------
    >>> ImpactStep(("E",), 38, 50, 0.995, 0.988).left_out
    ('E',)
    """

    left_out: tuple[str, ...]
    topics: int
    systems: int
    pearson: float
    spearman: float
    chance: Chance | None = None
    metrics: tuple[MetricStep, ...] = ()
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Impact:
    """What leaving out the worst assessors changes, one after the other.

    Parameters
    ----------
    collection, task, peers, measure
        Which ranking: of a year, a task (`None` for all together), all peers or machines only,
        and a measure.
    worst
        The order in which assessors are left out.
    steps
        Beginning with nobody left out.

    Examples
    --------
    >>> Impact("2011", "A", "machines", "readability", WorstFirst("alpha", (), ()), ()).steps
    ()
    """

    collection: str
    task: str | None
    peers: Peers
    measure: str
    worst: WorstFirst
    steps: tuple[ImpactStep, ...]


def assessor_impact(
    panel: Panel,
    collection: str,
    measure: str,
    worst: WorstFirst,
    *,
    task: str | None = None,
    peers: Peers = "machines",
    metrics: Sequence[str] = (),
    most: int | None = None,
    seed: int = 0,
) -> Impact:
    """Leave out the worst assessor, the two worst, and so on, and rank systems again each time.

    Parameters
    ----------
    panel
        The judgments, and the metrics' scores.
    collection, measure
        Which year and measure.
    worst
        The order in which assessors are left out; one of them stays.
    task
        Which task; `None` ranks systems by the topics of all tasks together.
    peers
        All summaries, or machines' only.
    metrics
        Metrics to correlate with what is left.
    most
        Leave out so many at most.
    seed
        For the choice of choices where there are too many.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Judgment, Scores
    >>> from pyramidion.evaluation.assessors.panel import gather_panel
    >>> given = {"K": (1.0, 2.0, 4.0), "L": (2.0, 2.0, 3.0), "M": (3.0, 1.0, 2.0)}
    >>> rows = [Judgment(f"T{who}", str(system), "readability", value, assessor=who)
    ...         for who, values in given.items() for system, value in enumerate(values)]
    >>> panel = gather_panel([Collection("", scores=Scores.from_judgments(rows))])
    >>> worst = WorstFirst("alpha", ("M", "L", "K"), (0.1, 0.5, 0.9))
    >>> found = assessor_impact(panel, "", "readability", worst)
    >>> [(step.left_out, step.topics, round(step.pearson, 3)) for step in found.steps]
    [((), 3, 1.0), (('M',), 2, 0.885), (('M', 'L'), 1, 0.839)]
    """
    rows = panel.of(collection, measure)
    rows = rows if task is None else rows.select(task=task)
    cells = JudgedCells.of(rows, peers=peers)
    scores = panel.metrics.select(collection=collection)
    scores = scores if task is None else scores.select(task=task)
    tables = MetricTables.of(cells, scores, metrics, panel.declared)
    present = [name for name in worst.assessors if name in cells.assessors]
    last = min(len(present), len(cells.assessors) - 1, len(present) if most is None else most)
    full = cells.means(cells.by(cells.assessors))
    rng = np.random.default_rng(seed)
    steps = [_step(cells, tables, full, tuple(present[:number]), rng) for number in range(last + 1)]
    return Impact(collection, task, peers, measure, worst, tuple(steps))


def _step(
    cells: JudgedCells,
    tables: MetricTables,
    full: Floats,
    left_out: tuple[str, ...],
    rng: np.random.Generator,
) -> ImpactStep:
    kept = [name for name in cells.assessors if name not in left_out]
    table = cells.by(kept)
    means = cells.means(table)
    ranked = _compared(full, means)
    return ImpactStep(
        left_out=left_out,
        topics=int((~np.isnan(table)).any(axis=1).sum()),
        systems=ranked.systems,
        pearson=ranked.pearson,
        spearman=ranked.spearman,
        chance=_chance(cells, full, len(left_out), ranked.pearson, rng) if left_out else None,
        metrics=tables.step(table, kept),
        undefined=ranked.undefined,
    )


@dataclass(frozen=True, slots=True)
class _Compared:
    systems: int
    pearson: float
    spearman: float
    undefined: str = ""


def _compared(before: Floats, after: Floats) -> _Compared:
    both = ~np.isnan(before) & ~np.isnan(after)
    n = int(both.sum())
    if n < 2:
        return _Compared(n, math.nan, math.nan, f"{n} systems have means before and after")
    first = pearson(before[both], after[both])
    second = spearman(before[both], after[both])
    why = "all systems have the same mean" if first.undefined else ""
    return _Compared(n, first.value, second.value, why)


def _chance(
    cells: JudgedCells, full: Floats, size: int, own: float, rng: np.random.Generator
) -> Chance:
    """Leave out every choice of as many assessors, or some of the choices if they are many."""
    count = len(cells.assessors)
    if math.comb(count, size) <= _MOST_CHOICES:
        choices = [set(choice) for choice in combinations(range(count), size)]
    else:
        choices = [set(rng.permutation(count)[:size].tolist()) for _ in range(_MOST_CHOICES)]
    found = [
        _compared(
            full,
            cells.means(
                cells.by([name for n, name in enumerate(cells.assessors) if n not in choice])
            ),
        )
        for choice in choices
    ]
    known = np.array([(one.pearson, one.spearman) for one in found if not one.undefined])
    if not len(known) or math.isnan(own):
        return Chance(len(choices), math.nan, math.nan, math.nan)
    r, rho = known.mean(axis=0).tolist()
    return Chance(len(choices), r, rho, float(np.mean(known[:, 0] <= own + 1e-12)))
