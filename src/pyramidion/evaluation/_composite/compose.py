"""Composite scores: the principal components of all measures, and how well they separate systems.

Section 4.5 of the dissertation proposes to look at all scores of a summary together.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.evaluation._composite.separation import Separation, separation
from pyramidion.evaluation._judged import MetaTables, place_name
from pyramidion.evaluation._pair_verdicts import VerdictOptions

__all__ = ["Component", "Composite", "compose"]


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """A principal component: a weighted sum of standardised measures.

    Parameters
    ----------
    name
        ``pc1`` for the first.
    share
        Of the variance of all measures.
    loadings
        The correlation of each measure with the component.
    weights
        Of each standardised measure in the sum; their squares add up to 1.
    scores
        Topics x systems.
    """

    name: str
    share: float
    loadings: Floats
    weights: Floats
    scores: ScoreMatrix


@dataclass(frozen=True, slots=True, eq=False)
class Composite:
    """All principal components of the measures of one task.

    Parameters
    ----------
    measures
        Which went into it.
    turned
        Those of which lower is better, multiplied by -1.
    task, collection
        Where the scores are from.
    components
        The one with the greatest variance first.
    separations
        How well components, then measures, separate the systems, on the same summaries.
    summaries
        How many summaries have all measures.
    options
        The test that separates.
    left_out
        What was not considered, counted.
    """

    measures: tuple[str, ...]
    negated: tuple[str, ...]
    task: str
    collection: str
    components: tuple[Component, ...]
    separations: tuple[Separation, ...]
    summaries: int
    options: VerdictOptions
    left_out: tuple[str, ...] = ()


def compose(
    tables: MetaTables,
    *,
    options: VerdictOptions | None = None,
    components: int | None = None,
    within_topics: bool = False,
    exclude: Collection[str] = (),
) -> Composite:
    r"""Find the principal components of measures at summary level.

    Each measure is standardised over all summaries that have every measure,
    :math:`z = (x - \bar x) / s`; the components are the eigenvectors of the correlation
    matrix. A component's sign is arbitrary: it is chosen so that its weights add up to
    something positive, that is, more is better as far as the measures say so.

    Parameters
    ----------
    tables
        Measures side by side; the human one is a measure like any other here.
    options
        The test under which pairs of systems are separated.
    components
        How many to keep; all by default.
    within_topics
        Whether to take each topic's mean out first, so that components show what differs
        between summaries of one topic rather than between topics.
    exclude
        Measures that stay outside.

    Returns
    -------
    Composite
        Components, and how well each separates the systems beside the single measures.

    References
    ----------
    H. Hotelling. Analysis of a complex of statistical variables into principal components.
    Journal of Educational Psychology 24, 1933.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> quality = rng.normal(size=(20, 6)) + np.arange(6)
    >>> noisy = {name: quality + rng.normal(size=(20, 6)) for name in "bc"}
    >>> tables = MetaTables("a", "", tuple(map(str, range(20))), tuple("uvwxyz"),
    ...                     np.zeros(6, bool), quality, noisy)
    >>> found = compose(tables)
    >>> [round(one.share, 2) for one in found.components]
    [0.89, 0.09, 0.03]
    >>> [(one.measure, one.significant) for one in found.separations][0]
    ('pc1', 13)
    """
    options = options or VerdictOptions()
    everything = {tables.human: tables.truth, **tables.metrics}
    chosen = {name: table for name, table in everything.items() if name not in exclude}
    complete = np.logical_and.reduce([~np.isnan(table) for table in chosen.values()])
    where = place_name("", tables.task, tables.collection)
    raw = {n: _centred(t, complete) if within_topics else t for n, t in chosen.items()}
    flat = [name for name, table in raw.items() if _is_flat(table[complete])]
    names = [name for name in chosen if name not in flat]
    _require_enough(len(chosen), len(names), int(complete.sum()), where)
    parts = _components(tables, np.stack([raw[n][complete] for n in names], axis=1), complete)
    kept = parts[:components]
    matrices = [part.scores for part in kept]
    matrices += [_matrix(tables, n, np.where(complete, chosen[n], np.nan)) for n in names]
    return Composite(
        measures=tuple(names),
        negated=tuple(name for name in tables.negated if name in names),
        task=tables.task,
        collection=tables.collection,
        components=kept,
        separations=tuple(separation(matrix, options) for matrix in matrices),
        summaries=int(complete.sum()),
        options=options,
        left_out=tuple(_left_out(chosen, complete, flat, where)),
    )


def _require_enough(asked: int, varying: int, summaries: int, where: str) -> None:
    at = f"{where}: " if where else ""
    if summaries < 3:
        raise InputError(
            f"{at}{summaries} summaries have all {asked} measures",
            hint="leave out measures that few summaries have",
        )
    if varying < 2:
        raise InputError(
            f"{at}{varying} of {asked} measures vary", hint="a composite takes two or more"
        )


def _is_flat(values: Floats) -> bool:
    return not len(values) or bool(np.ptp(values) <= 1e-12 * np.abs(values).max())


def _centred(table: Floats, complete: Bools) -> Floats:
    """Take out each topic's mean over the summaries that have all measures."""
    kept = np.where(complete, table, 0.0)
    means: Floats = kept.sum(axis=1) / np.maximum(complete.sum(axis=1), 1)
    return table - means[:, None]


def _components(tables: MetaTables, values: Floats, complete: Bools) -> tuple[Component, ...]:
    z = (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)
    rising, columns = np.linalg.eigh(z.T @ z / (len(z) - 1))
    variances, vectors = np.maximum(rising[::-1], 0.0), columns.T[::-1]
    loadings = vectors * np.sqrt(variances)[:, None]
    turn = np.array([_direction(own) for own in vectors])[:, None]
    vectors, loadings = vectors * turn, loadings * turn
    shares = variances / float(variances.sum())
    found = []
    # What is left once measures depend on each other is rounding noise.
    for number, vector in enumerate(vectors[variances > 1e-12 * variances[0]]):
        scores = np.full(complete.shape, np.nan)
        scores[complete] = z @ vector
        name = f"pc{number + 1}"
        matrix = _matrix(tables, name, scores)
        found.append(Component(name, float(shares[number]), loadings[number], vector, matrix))
    return tuple(found)


def _direction(weights: Floats) -> float:
    """Give the sign that makes the sum positive or, where it is 0, the first weight."""
    total = float(weights.sum())
    if abs(total) > 1e-9:
        return math.copysign(1.0, total)
    return math.copysign(1.0, float(weights[np.flatnonzero(np.abs(weights) > 1e-9)[0]]))


def _matrix(tables: MetaTables, name: str, values: Floats) -> ScoreMatrix:
    return ScoreMatrix(
        values, tables.topics, tables.systems, tables.people, measure=name, task=tables.task
    )


def _left_out(
    chosen: dict[str, Floats], complete: Bools, flat: Sequence[str], where: str
) -> Iterator[str]:
    at = f"{where}: " if where else ""
    some = np.logical_or.reduce([~np.isnan(table) for table in chosen.values()])
    lacking = int((some & ~complete).sum())
    if lacking:
        fewest = min(chosen, key=lambda name: int((~np.isnan(chosen[name])).sum()))
        share = f"{lacking} of {int(some.sum())} summaries"
        yield f"{at}{share}, which lack a measure, most often {fewest}"
    for name in flat:
        yield f"{at}{name}: the same for all summaries"
