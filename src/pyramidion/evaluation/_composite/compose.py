"""Composite scores: the principal components of all measures, and how well they separate systems.

Section 4.5 of the dissertation proposes to look at all scores of a summary together.
"""

import math
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.evaluation._judged import MetaTables, place_name
from pyramidion.evaluation._pair_verdicts import VerdictOptions, judge_pairs
from pyramidion.stats._pairs import noise_level


@dataclass(frozen=True, slots=True)
class Separation:
    """How well a measure tells systems apart: significant pairs, and the F test of systems.

    F is that of the additive model of systems and topics, NaN where undefined.
    """

    measure: str
    pairs: int
    significant: int
    human_machine_pairs: int
    human_machine_significant: int
    f: float
    df: int
    residual_df: int
    p: float
    undefined: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """A principal component (``pc1`` is the first): a weighted sum of standardised measures.

    `loadings` are the correlations of each measure with the component; the squares of `weights`
    add up to 1; `share` is of the variance of all measures.
    """

    name: str
    share: float
    loadings: Floats
    weights: Floats
    scores: ScoreMatrix


@dataclass(frozen=True, slots=True, eq=False)
class Composite:
    """All principal components of the measures of one task, that with most variance first.

    `separations` tell how well components, then measures, separate the systems, on the same
    summaries; measures in `negated`, of which lower is better, were multiplied by -1.
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

    def title(self, what: str) -> str:
        """Say what is shown, and of which collection and task."""
        where = place_name("", self.task, self.collection)
        return f"{what}: {where}" if where else what


def compose(
    tables: MetaTables,
    *,
    options: VerdictOptions | None = None,
    components: int | None = None,
    within_topics: bool = False,
    exclude: Container[str] = (),
) -> Composite:
    r"""Find the principal components of measures at summary level.

    Each measure is standardised over all summaries that have every measure,
    :math:`z = (x - \bar x) / s`; the components are the eigenvectors of the correlation
    matrix. A component's sign is arbitrary: it is chosen so that its weights add up to
    something positive, that is, more is better as far as the measures say so.

    With `within_topics`, each topic's mean is taken out first, so that components show what
    differs between summaries of one topic rather than between topics. The method is Hotelling's
    (Journal of Educational Psychology 24, 1933).
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


def separation(matrix: ScoreMatrix, options: VerdictOptions | None = None) -> Separation:
    """Tell how well a measure separates systems."""
    there = np.flatnonzero(matrix.counts() > 0)
    values, human = matrix.values[:, there], matrix.human[there]
    pairs = np.stack(np.triu_indices(len(there), 1), axis=1)
    verdicts = judge_pairs(values, pairs, options or VerdictOptions())
    mixed = human[pairs[:, 0]] != human[pairs[:, 1]]
    different = verdicts.signs != 0
    f, df, residual_df, p = _variance_test(values)
    return Separation(
        measure=matrix.measure,
        pairs=int(verdicts.known.sum()),
        significant=int(different.sum()),
        human_machine_pairs=int((verdicts.known & mixed).sum()),
        human_machine_significant=int((different & mixed).sum()),
        f=f,
        df=df,
        residual_df=residual_df,
        p=p,
        undefined=int((~verdicts.known).sum()),
    )


def _variance_test(values: Floats) -> tuple[float, int, int, float]:
    """Test the systems in the additive model; NaN where it cannot be fitted."""
    from pyramidion.stats import two_way_anova

    filled = values[~np.isnan(values).all(axis=1)]
    topics, systems = filled.shape
    if not np.isnan(filled).any() and topics > 1 and systems > 1:
        return _complete_test(filled)
    try:
        found = two_way_anova(filled)
    except InputError:
        # Systems that share no topics with the others cannot be compared with them.
        return math.nan, 0, 0, math.nan
    return found.first.f, found.first.df, found.residual_df, found.first.p


def _complete_test(values: Floats) -> tuple[float, int, int, float]:
    """Do what `two_way_anova` does where nothing is missing, and no equations need solving."""
    from scipy.special import fdtrc

    topics, systems = values.shape
    effects = values.mean(axis=0) - values.mean()
    rest = values - values.mean(axis=1, keepdims=True) - effects
    squares, left = topics * float(effects @ effects), float(np.sum(rest * rest))
    df, residual_df = systems - 1, (systems - 1) * (topics - 1)
    floor = values.size * noise_level(values) ** 2
    if squares <= floor:
        return 0.0, df, residual_df, 1.0
    if left <= floor:
        return math.nan, df, residual_df, math.nan
    f = squares / df / (left / residual_df)
    return f, df, residual_df, float(fdtrc(df, residual_df, f))
