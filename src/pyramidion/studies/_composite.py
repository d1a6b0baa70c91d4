"""Principal components of measures: what they are made of, and how well they separate systems."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.comparison.common import known_means
from pyramidion.comparison.measure_tables import Measured, MetaTables, meta_tables, place_name
from pyramidion.errors import InputError
from pyramidion.meta_evaluation import VerdictOptions
from pyramidion.meta_evaluation._agreement import judge_pairs
from pyramidion.meta_evaluation._result import named_metric
from pyramidion.questions import Options, option, question
from pyramidion.questions.common import resamples_option
from pyramidion.rendering.charts.bars import BarPart, bars_picture
from pyramidion.rendering.charts.layout import LABEL_GAP, fitting_pitch, label_size, text_width
from pyramidion.rendering.charts.picture import Picture, Text, Tiles, row_names
from pyramidion.rendering.charts.tiles import tile_marks
from pyramidion.rendering.labels import short_names
from pyramidion.rendering.result import Chart, Result, signed
from pyramidion.rendering.saving import FIGURE_FOLDER, SCORE_FILE
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import View, columns, shown
from pyramidion.stats.pairs import noise_level

if TYPE_CHECKING:
    pass


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
    """A principal component (``pc1`` is the first): a weighted sum of standardized measures.

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

    `separations` are how well components, then measures, separate the systems on the same
    summaries. Measures in `negated`, for which lower is better, were multiplied by -1.
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
        """Return a title with the collection and task."""
        where = place_name("", self.task, self.collection)
        return f"{what}: {where}" if where else what


def compose(
    tables: MetaTables,
    asked: "CompositeOptions | None" = None,
    options: VerdictOptions | None = None,
) -> Composite:
    r"""Find the principal components of measures at summary level.

    Each measure is standardized over all summaries that have every measure,
    :math:`z = (x - \bar x) / s`; the components are the eigenvectors of the correlation
    matrix. A component's sign is arbitrary: it is chosen so that its weights add up to
    something positive, that is, more is better as far as the measures say so.

    With `within_topics`, each topic's mean is taken out first, so that components show what
    differs between summaries of one topic rather than between topics. The method is Hotelling's
    (Journal of Educational Psychology 24, 1933).
    """
    asked, options = asked or CompositeOptions(), options or VerdictOptions()
    chosen = {tables.human: tables.truth, **tables.metrics}
    complete = np.logical_and.reduce([~np.isnan(table) for table in chosen.values()])
    where = place_name("", tables.task, tables.collection)
    raw = chosen
    if asked.within_topics:
        # Without each topic's mean over the summaries that have all measures.
        own = {name: np.where(complete, table, np.nan) for name, table in chosen.items()}
        raw = {name: table - known_means(table, axis=1)[:, None] for name, table in own.items()}
    summaries, at = int(complete.sum()), f"{where}: " if where else ""
    if summaries < 3:
        hint = "leave out measures that few summaries have"
        raise InputError(f"{at}{summaries} summaries have all {len(chosen)} measures", hint=hint)
    values = {name: table[complete] for name, table in raw.items()}
    names = [n for n, own in values.items() if np.ptp(own) > 1e-12 * np.abs(own).max()]
    if len(names) < 2:
        hint = "a composite takes two or more"
        raise InputError(f"{at}{len(names)} of {len(chosen)} measures vary", hint=hint)
    parts = _components(tables, np.stack([values[n] for n in names], axis=1), complete)
    kept = parts[: asked.components]
    matrices = [part.scores for part in kept]
    matrices += [_matrix(tables, n, np.where(complete, chosen[n], np.nan)) for n in names]
    return Composite(
        tuple(names), tuple(name for name in tables.negated if name in names), tables.task,
        tables.collection, kept, tuple(separation(matrix, options) for matrix in matrices),
        summaries, options, tuple(f"{at}{line}" for line in _left_out(chosen, complete, names)),
    )  # fmt: skip


def _components(tables: MetaTables, values: Floats, complete: Bools) -> tuple[Component, ...]:
    z = (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)
    rising, columns = np.linalg.eigh(z.T @ z / (len(z) - 1))
    variances, vectors = np.maximum(rising[::-1], 0.0), columns.T[::-1]
    loadings = vectors * np.sqrt(variances)[:, None]
    # The sum of the weights is positive or, where it is 0, the first weight.
    first = (own[np.flatnonzero(np.abs(own) > 1e-9)[0]] for own in vectors)
    sums = vectors.sum(axis=1)
    turn = np.copysign(1.0, np.where(np.abs(sums) > 1e-9, sums, list(first)))[:, None]
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


def _matrix(tables: MetaTables, name: str, values: Floats) -> ScoreMatrix:
    return ScoreMatrix(
        values, tables.topics, tables.systems, tables.people, measure=name, task=tables.task
    )


def _left_out(chosen: dict[str, Floats], complete: Bools, varying: Sequence[str]) -> Iterator[str]:
    there = {name: ~np.isnan(table) for name, table in chosen.items()}
    some = np.logical_or.reduce(list(there.values()))
    if lacking := int((some & ~complete).sum()):
        fewest = min(there, key=lambda name: int(there[name].sum()))
        share = f"{lacking} of {int(some.sum())} summaries"
        yield f"{share}, which lack a measure, most often {fewest}"
    for name in chosen:
        if name not in varying:
            yield f"{name}: the same for all summaries"


def separation(matrix: ScoreMatrix, options: VerdictOptions | None = None) -> Separation:
    """Return how well a measure separates systems."""
    there = np.flatnonzero(matrix.counts() > 0)
    values, human = matrix.values[:, there], matrix.human[there]
    pairs = np.stack(np.triu_indices(len(there), 1), axis=1)
    verdicts = judge_pairs(values, pairs, options or VerdictOptions())
    mixed = human[pairs[:, 0]] != human[pairs[:, 1]]
    known, different = verdicts.defined, verdicts.signs != 0
    return Separation(
        matrix.measure, int(known.sum()), int(different.sum()), int((known & mixed).sum()),
        int((different & mixed).sum()), *_variance_test(values), int((~known).sum()),
    )  # fmt: skip


def _variance_test(values: Floats) -> tuple[float, int, int, float]:
    """Test the systems in the additive model; NaN where it cannot be fitted."""
    from scipy.special import fdtrc

    from pyramidion.stats import two_way_anova

    filled = values[~np.isnan(values).all(axis=1)]
    topics, systems = filled.shape
    if np.isnan(filled).any() or topics < 2 or systems < 2:
        try:
            found = two_way_anova(filled)
        except InputError:
            # Systems that share no topics with the others cannot be compared with them.
            return math.nan, 0, 0, math.nan
        return found.first.f, found.first.df, found.residual_df, found.first.p
    # The same where nothing is missing, and no equations need solving.
    effects = filled.mean(axis=0) - filled.mean()
    rest = filled - filled.mean(axis=1, keepdims=True) - effects
    squares, left = topics * float(effects @ effects), float(np.sum(rest * rest))
    df, residual_df = systems - 1, (systems - 1) * (topics - 1)
    floor = filled.size * noise_level(filled) ** 2
    if squares <= floor:
        return 0.0, df, residual_df, 1.0
    if left <= floor:
        return math.nan, df, residual_df, math.nan
    f = squares / df / (left / residual_df)
    return f, df, residual_df, float(fdtrc(df, residual_df, f))


_CELL, _MOST_COMPONENTS, _MOST_BARS = 0.55, 8, 40
_LOADING_COLORS = ("l3", "l2", "l1", "l0", "tint", "h0", "h1", "h2", "h3")
_SEPARATION_PARTS = (BarPart("component", "h2", "on"), BarPart("measure", "h1", "ink"))


def loadings_picture(composite: Composite) -> Picture:
    """Draw how each measure correlates with the first components."""
    components = composite.components[:_MOST_COMPONENTS]
    names = short_names(named_metric(name, composite.negated) for name in composite.measures)
    pitch, top = fitting_pitch(len(names)), 0.42
    size = label_size(pitch)
    left = text_width(names, size=size) + 2 * LABEL_GAP
    loadings = np.stack([component.loadings for component in components], axis=1)
    codes = np.clip(np.rint(4 * np.nan_to_num(loadings)), -4, 4).astype(np.int64) + 4
    cells = np.ndenumerate(loadings)
    texts = {(i, j): f"{v:.2f}".replace("0.", ".").replace("-", "−") for (i, j), v in cells}
    inks = dict.fromkeys(("l3", "l2", "h2", "h3"), "on")
    tiles = Tiles(left, top, (_CELL, pitch), codes, _LOADING_COLORS)
    marks = [
        *tile_marks(tiles, (), texts, inks, size=min(size - 1, 7), turned=False),
        *row_names(names, left - LABEL_GAP, top, pitch),
        *(
            Text(left + (column + 0.5) * _CELL, y, text, 8, anchor="middle")
            for column, component in enumerate(components)
            for y, text in ((0.15, component.name), (0.31, f"{component.share:.0%}"))
        ),
    ]
    return Picture(
        composite.title("Principal components"),
        f"correlation of each measure with each component; {composite.summaries:,} summaries",
        marks,
        (left + len(components) * _CELL, top + len(names) * pitch),
    )


def separation_picture(composite: Composite) -> Picture:
    """Draw how many pairs of systems each component and each measure tells apart."""
    ordered = sorted(composite.separations, key=lambda one: (-one.significant, one.measure))
    rows, options = ordered[:_MOST_BARS], composite.options
    components, pairs = {c.name for c in composite.components}, max(row.pairs for row in rows)
    counts = np.zeros((len(rows), 2), np.int64)
    for number, row in enumerate(rows):
        counts[number, int(row.measure not in components)] = row.significant
    return bars_picture(
        short_names(named_metric(row.measure, composite.negated) for row in rows),
        counts, _SEPARATION_PARTS,
        title=composite.title("How well systems are separated"),
        note=f"{options.label}, α = {options.alpha:g}, correction: {options.effective_correction}; "
        f"{pairs:,} pairs; F of systems at the right",
        label="pairs of systems that differ significantly", longest=max(1, pairs),
        columns=[("F", ["–" if np.isnan(row.f) else f"{row.f:.1f}" for row in rows])],
    )  # fmt: skip


_MOST_SHOWN = 8
_WITH_PEOPLE = ("significant (h-m)", "pairs (h-m)")


@dataclass(frozen=True, slots=True)
class CompositeOptions(Options):
    """How measures are composed."""

    components: int | None = option(
        None, "Number of principal components to keep; all by default.", min=1
    )
    within_topics: bool = option(
        False, "Subtract each topic's mean from the measures first.", flags=("--within-topics",)
    )


@dataclass(frozen=True, slots=True)
class SeparationTest(VerdictOptions):
    """When two systems count as different; nothing else is resampled here."""

    n_test_resamples: int = resamples_option(
        9999, "Number of resamples for the tests permutation, mc and hb.", max=10_000_000
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CompositeResult(Result[Composite]):
    """The components of each task, and their scores."""

    saves = (
        FIGURE_FOLDER,
        replace(
            SCORE_FILE, name="scores", flags=(), help="Write the component scores of every summary "
            "to this file (.csv, .tsv, .jsonl or .parquet).",
        ),
    )  # fmt: skip

    @property
    def scores(self) -> Scores:
        """The components' scores of every summary, for `compare`, `meta_evaluate` and others."""
        tables = []
        for one in self.values:
            for table in (component.scores.to_scores() for component in one.components):
                where = np.full(len(table), one.collection, dtype=object)
                tables.append(Scores({**table.columns, "collection": where}, table.value))
        return Scores.concatenate(tables)

    def to_scores(self) -> Scores:
        """Return the same, as other results do."""
        return self.scores


class _Row(NamedTuple):
    """A measure or component, its share of the variance, and how well it separates systems."""

    name: str
    share: float | None
    own: Separation


SEPARATION: View[_Row] = View(
    "separation",
    (
        shown("measure", attrgetter("name")),
        shown("share of the variance", attrgetter("share")),
        *columns(
            "significant", "pairs", of="own", human_machine_significant="significant (h-m)",
            human_machine_pairs="pairs (h-m)", f="F", df="df", residual_df="residual df",
        ),
    ),
    digits=3,
)  # fmt: skip


@question
def composite(source: Measured, options: CompositeOptions, test: SeparationTest) -> CompositeResult:
    """Combine measures into principal components, and test how well they separate systems.

    The measures are standardized over all summaries that have every one of them. Components and
    single measures are compared by how many pairs of systems they tell apart.

    Examples
    --------
    >>> import numpy as np
    >>> from pyramidion import ScoreMatrix, Scores
    >>> rng = np.random.default_rng(0)
    >>> quality = rng.normal(size=(20, 6)) + np.arange(6)
    >>> scores = Scores.concatenate(
    ...     ScoreMatrix(quality + rng.normal(size=(20, 6)), [f"T{i}" for i in range(20)],
    ...                 list("uvwxyz"), measure=name).to_scores()
    ...     for name in ("content", "form")
    ... )
    >>> result = composite(scores)
    >>> [round(part.share, 2) for part in result[0].components]
    [0.87, 0.13]
    >>> result.scores.measures
    ('pc1', 'pc2')
    """
    collection, matrices, left_out = source.read()
    names = list(dict.fromkeys(matrix.measure for matrix in matrices))
    if len(names) < 2:
        raise InputError(f"there is one measure, {names[0]}", hint="a composite takes two or more")
    tables = meta_tables(
        collection.scores, names[0], metrics=names[1:], tasks=source.tasks,
        lower_is_better=source.lower_is_better, declared=collection.measures,
    )  # fmt: skip
    found = [compose(one, options, test) for one in tables]
    absent = (line for one in tables for line in one.left_out if "no scores there" in line)
    signature = signed(
        "composite(pca)", collection.data_hash, test.seed, measures=len(found[0].measures),
        centered="topics" if options.within_topics else "", test=test.label,
        correction=test.effective_correction, alpha=f"{test.alpha:g}",
    )  # fmt: skip
    return CompositeResult(
        command="composite",
        signature=signature,
        values=found,
        record=_record,
        tables=[show(one) for one in found for show in (loadings_table, separation_table)],
        left_out=(*left_out, *absent, *(line for one in found for line in one.left_out)),
        charts=[chart for one in found for chart in _charts(one)],
    )


def loadings_table(one: Composite) -> Table:
    """Show how each measure correlates with the first components."""
    parts = one.components[:_MOST_SHOWN]
    loadings = np.stack([component.loadings for component in parts], axis=1)
    shares: tuple[Cell, ...] = ("share of the variance", *(part.share for part in parts))
    names = (named_metric(name, one.negated) for name in one.measures)
    rows = (shares, *((name, *row) for name, row in zip(names, loadings.tolist(), strict=True)))
    hidden = len(one.components) - len(parts)
    note = "Correlation of each measure with each component."
    note += f" {hidden} more components are in the JSON." if hidden > 0 else ""
    columns = ("measure", *(part.name for part in parts))
    title = one.title("Principal components")
    return Table(columns, rows, title, note, digits=3, key=_key(one), name="loadings")


def separation_table(one: Composite) -> Table:
    """Show how many pairs of systems each component and measure tells apart, the most first."""
    options = one.options
    note = (
        f"On {one.summaries:,} summaries that have all measures. Pairs of systems that differ at "
        f"{options.alpha:g} under {options.label}, correction: {options.effective_correction}. "
        "F of systems, with topics as blocks."
    )
    ordered = sorted(one.separations, key=lambda own: -own.significant)
    exclude = () if any(own.human_machine_pairs for own in ordered) else _WITH_PEOPLE
    shares = {part.name: part.share for part in one.components}
    rows = [
        _Row(named_metric(own.measure, one.negated), shares.get(own.measure), own)
        for own in ordered
    ]
    title = one.title("How well systems are separated")
    return SEPARATION.table(rows, title, note, exclude=exclude, key=_key(one))


def _key(one: Composite) -> tuple[tuple[str, str], ...]:
    return (("collection", one.collection), ("task", one.task))


def _record(one: Composite) -> dict[str, Any]:
    def named(values: Floats) -> dict[str, float]:
        return dict(zip(one.measures, values.tolist(), strict=True))

    return {
        "task": one.task, "collection": one.collection, "measures": one.measures,
        "lower_is_better": one.negated, "summaries": one.summaries, **one.options.record(),
        "components": [
            {
                "name": part.name, "share": part.share, "loadings": named(part.loadings),
                "weights": named(part.weights),
            }
            for part in one.components
        ],
        "separations": [asdict(own) for own in one.separations],
    }  # fmt: skip


def _charts(one: Composite) -> Iterator[Chart]:
    about = (one.collection, one.task)
    caption = "Correlation of each measure with each component."
    yield Chart("loadings", partial(loadings_picture, one), caption, about)
    caption = "Pairs of systems that each component and each measure separates."
    yield Chart("separation", partial(separation_picture, one), caption, about)
