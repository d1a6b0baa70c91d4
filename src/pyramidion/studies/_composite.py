"""Principal components of measures, and how well they separate systems."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.comparison.common import known_means
from pyramidion.comparison.measure_tables import MeasureInput, MetaTables, meta_tables, scope_name
from pyramidion.errors import InputError
from pyramidion.meta_evaluation import VerdictOptions
from pyramidion.meta_evaluation._agreement import judge_pairs
from pyramidion.meta_evaluation._result import named_metric
from pyramidion.questions import Options, option, question
from pyramidion.questions.common import resamples_option
from pyramidion.rendering.charts.bars import BarPart, bars_picture
from pyramidion.rendering.charts.layout import LABEL_GAP, label_size, row_pitch, text_width
from pyramidion.rendering.charts.picture import Picture, Text, Tiles, row_names
from pyramidion.rendering.charts.tiles import tile_marks
from pyramidion.rendering.labels import short_names
from pyramidion.rendering.result import Chart, Result, signed
from pyramidion.rendering.saving import FIGURE_FOLDER, SCORE_FILE
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import View, columns, shown
from pyramidion.stats import two_way_anova


@dataclass(frozen=True, slots=True)
class Separation:
    """How well a measure separates systems: significant pairs, and F in the additive model."""

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

    The squares of the weights add up to 1.
    """

    name: str
    share: float  # of the variance of all measures
    loadings: Floats  # correlation of each measure with the component
    weights: Floats
    scores: ScoreMatrix


@dataclass(frozen=True, slots=True, eq=False)
class MeasureCorrelations:
    """Pearson's correlation of every two measures over the means of machines or all systems."""

    peers: str  #: ``machines`` or ``all``
    systems: int
    values: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Composite:
    """All principal components of the measures of one task, by decreasing variance.

    `separations` say how well components, then measures, separate the systems on the same
    summaries. Measures for which lower is better (`negated`) were multiplied by -1.
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
    correlations: tuple[MeasureCorrelations, ...] = ()

    def title(self, what: str) -> str:
        """Return a title with the collection and task."""
        scope = scope_name("", self.task, self.collection)
        return f"{what}: {scope}" if scope else what


def compose(
    tables: MetaTables,
    component_options: "CompositeOptions | None" = None,
    options: VerdictOptions | None = None,
) -> Composite:
    """Find the principal components of measures at summary level (Hotelling, 1933).

    A component's sign is arbitrary; it is chosen so that the sum of its weights is positive.
    """
    component_options, options = (
        component_options or CompositeOptions(),
        options or VerdictOptions(),
    )
    measures = {tables.human: tables.truth, **tables.metrics}
    is_complete = np.logical_and.reduce([~np.isnan(table) for table in measures.values()])
    scope = scope_name("", tables.task, tables.collection)
    complete_tables = {
        name: np.where(is_complete, table, np.nan) for name, table in measures.items()
    }
    if component_options.within_topics:
        complete_tables = {
            name: table - known_means(table, axis=1)[:, None]
            for name, table in complete_tables.items()
        }
    summaries, prefix = int(is_complete.sum()), f"{scope}: " if scope else ""
    if summaries < 3:
        message = f"{prefix}{summaries} summaries have all {len(measures)} measures"
        raise InputError(message, hint="leave out measures that few summaries have")
    values = {name: table[is_complete] for name, table in complete_tables.items()}
    names = [n for n, column in values.items() if np.ptp(column) > 1e-12 * np.abs(column).max()]
    if len(names) < 2:
        hint = "a composite needs two or more measures"
        raise InputError(f"{prefix}{len(names)} of {len(measures)} measures vary", hint=hint)
    all_components = _components(tables, np.stack([values[n] for n in names], axis=1), is_complete)
    components = all_components[: component_options.components]
    matrices = [component.scores for component in components]
    matrices += [
        _score_matrix(tables, n, np.where(is_complete, measures[n], np.nan)) for n in names
    ]
    correlations: tuple[MeasureCorrelations, ...] = ()
    if component_options.correlations:
        scores = [np.where(is_complete, measures[name], np.nan) for name in names]
        correlations = tuple(_correlations(scores, tables.people))
    left_out = tuple(f"{prefix}{line}" for line in _left_out_notes(measures, is_complete, names))
    return Composite(
        tuple(names), tuple(name for name in tables.negated if name in names), tables.task,
        tables.collection, components, tuple(separation(matrix, options) for matrix in matrices),
        summaries, options, left_out, correlations,
    )  # fmt: skip


def _correlations(measures: Sequence[Floats], people: Bools) -> Iterator[MeasureCorrelations]:
    """Correlate measures over machines, then over all systems if there are people."""
    means = np.stack([known_means(values) for values in measures])
    has_means = ~np.isnan(means[0])
    for peers, is_included in (("machines", has_means & ~people), ("all", has_means)):
        if is_included.any() and (peers == "machines" or people[has_means].any()):
            with np.errstate(invalid="ignore"):
                centered_means = means[:, is_included] - means[:, is_included].mean(
                    axis=1, keepdims=True
                )
                unit_means = centered_means / np.linalg.norm(centered_means, axis=1, keepdims=True)
            yield MeasureCorrelations(peers, int(is_included.sum()), unit_means @ unit_means.T)


def _components(tables: MetaTables, values: Floats, is_complete: Bools) -> tuple[Component, ...]:
    z = (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)
    eigenvalues, eigenvectors = np.linalg.eigh(z.T @ z / (len(z) - 1))
    variances, vectors = np.maximum(eigenvalues[::-1], 0.0), eigenvectors.T[::-1]
    loadings = vectors * np.sqrt(variances)[:, None]
    # The sum of the weights is positive or, where it is 0, the first weight.
    first_entries = (vector[np.flatnonzero(np.abs(vector) > 1e-9)[0]] for vector in vectors)
    sums = vectors.sum(axis=1)
    signs = np.copysign(1.0, np.where(np.abs(sums) > 1e-9, sums, list(first_entries)))[:, None]
    vectors, loadings = vectors * signs, loadings * signs
    shares = variances / float(variances.sum())
    components = []
    # Beyond the rank of the measures there is only rounding noise.
    for index, vector in enumerate(vectors[variances > 1e-12 * variances[0]]):
        scores = np.full(is_complete.shape, np.nan)
        scores[is_complete] = z @ vector
        name = f"pc{index + 1}"
        matrix = _score_matrix(tables, name, scores)
        components.append(Component(name, float(shares[index]), loadings[index], vector, matrix))
    return tuple(components)


def _score_matrix(tables: MetaTables, name: str, values: Floats) -> ScoreMatrix:
    return ScoreMatrix(
        values, tables.topics, tables.systems, tables.people, measure=name, task=tables.task
    )


def _left_out_notes(
    measures: dict[str, Floats], is_complete: Bools, used_names: Sequence[str]
) -> Iterator[str]:
    has_measure = {name: ~np.isnan(table) for name, table in measures.items()}
    has_any_score = np.logical_or.reduce(list(has_measure.values()))
    if n_incomplete := int((has_any_score & ~is_complete).sum()):
        rarest_measure = min(has_measure, key=lambda name: int(has_measure[name].sum()))
        share = f"{n_incomplete} of {int(has_any_score.sum())} summaries"
        yield f"{share}, which lack a measure, most often {rarest_measure}"
    for name in measures:
        if name not in used_names:
            yield f"{name}: the same for all summaries"


def separation(matrix: ScoreMatrix, options: VerdictOptions | None = None) -> Separation:
    """Return how well a measure separates systems."""
    scored_systems = np.flatnonzero(matrix.counts() > 0)
    values, human = matrix.values[:, scored_systems], matrix.human[scored_systems]
    pairs = np.stack(np.triu_indices(len(scored_systems), 1), axis=1)
    verdicts = judge_pairs(values, pairs, options or VerdictOptions())
    is_mixed_pair = human[pairs[:, 0]] != human[pairs[:, 1]]
    is_decided, differs = verdicts.defined, verdicts.signs != 0
    return Separation(
        matrix.measure, int(is_decided.sum()), int(differs.sum()),
        int((is_decided & is_mixed_pair).sum()),
        int((differs & is_mixed_pair).sum()), *_variance_test(values), int((~is_decided).sum()),
    )  # fmt: skip


def _variance_test(values: Floats) -> tuple[float, int, int, float]:
    """Test the systems in the additive model; NaN where it cannot be fitted."""
    try:
        anova = two_way_anova(values[~np.isnan(values).all(axis=1)])
    except InputError:
        # Systems that share no topics with the others cannot be compared with them.
        return math.nan, 0, 0, math.nan
    return anova.first.f, anova.first.df, anova.residual_df, anova.first.p


_CELL_INCHES, _MAX_DRAWN_COMPONENTS, _MAX_BARS = 0.55, 8, 40
_LOADING_COLORS = ("l3", "l2", "l1", "l0", "tint", "h0", "h1", "h2", "h3")
_SEPARATION_PARTS = (BarPart("component", "h2", "on"), BarPart("measure", "h1", "ink"))


def loadings_picture(composite: Composite) -> Picture:
    """Draw how each measure correlates with the first components."""
    components = composite.components[:_MAX_DRAWN_COMPONENTS]
    names = short_names(named_metric(name, composite.negated) for name in composite.measures)
    pitch, top_space = row_pitch(len(names)), 0.42
    size = label_size(pitch)
    left = text_width(names, size=size) + 2 * LABEL_GAP
    loadings = np.stack([component.loadings for component in components], axis=1)
    codes = np.clip(np.rint(4 * np.nan_to_num(loadings)), -4, 4).astype(np.int64) + 4
    cells = np.ndenumerate(loadings)
    texts = {(i, j): f"{v:.2f}".replace("0.", ".").replace("-", "−") for (i, j), v in cells}
    inks = dict.fromkeys(("l3", "l2", "h2", "h3"), "on")
    tiles = Tiles(left, top_space, (_CELL_INCHES, pitch), codes, _LOADING_COLORS)
    marks = [
        *tile_marks(tiles, (), texts, inks, size=min(size - 1, 7), is_rotated=False),
        *row_names(names, left - LABEL_GAP, top_space, pitch),
        *(
            Text(left + (column + 0.5) * _CELL_INCHES, y, text, 8, anchor="middle")
            for column, component in enumerate(components)
            for y, text in ((0.15, component.name), (0.31, f"{component.share:.0%}"))
        ),
    ]
    return Picture(
        composite.title("Principal components"),
        f"correlation of each measure with each component; {composite.summaries:,} summaries",
        marks,
        (left + len(components) * _CELL_INCHES, top_space + len(names) * pitch),
    )


def separation_picture(composite: Composite) -> Picture:
    """Draw how many pairs of systems each component and each measure separates."""
    sorted_separations = sorted(
        composite.separations, key=lambda row: (-row.significant, row.measure)
    )
    rows, options = sorted_separations[:_MAX_BARS], composite.options
    components, max_pairs = {c.name for c in composite.components}, max(row.pairs for row in rows)
    counts = np.zeros((len(rows), 2), np.int64)
    for index, row in enumerate(rows):
        counts[index, int(row.measure not in components)] = row.significant
    return bars_picture(
        short_names(named_metric(row.measure, composite.negated) for row in rows),
        counts, _SEPARATION_PARTS,
        title=composite.title("How well systems are separated"),
        note=f"{options.label}, α = {options.alpha:g}, correction: {options.effective_correction}; "
        f"{max_pairs:,} pairs; right: F of systems",
        label="pairs of systems that differ significantly", scale_end=max(1, max_pairs),
        columns=[("F", ["–" if np.isnan(row.f) else f"{row.f:.1f}" for row in rows])],
    )  # fmt: skip


_MAX_TABLE_COMPONENTS = 8
_MIXED_PAIR_COLUMNS = ("significant (h-m)", "pairs (h-m)")


@dataclass(frozen=True, slots=True)
class CompositeOptions(Options):
    """How measures are combined."""

    components: int | None = option(
        None, "Number of principal components to keep; all by default.", min=1
    )
    within_topics: bool = option(
        False, "Subtract each topic's mean from the measures first.", flags=("--within-topics",)
    )
    correlations: bool = option(
        False, "Also show the correlation of every pair of measures over the means of systems "
        "(Nenkova's Table 3.5).", flags=("--correlations",),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SeparationTest(VerdictOptions):
    """When two systems count as different."""

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
        """The component scores of every summary, for `compare`, `meta` and others."""
        tables = []
        for composite in self.values:
            for table in (component.scores.to_scores() for component in composite.components):
                collection_column = np.full(len(table), composite.collection, dtype=object)
                tables.append(
                    Scores({**table.columns, "collection": collection_column}, table.value)
                )
        return Scores.concatenate(tables)

    def to_scores(self) -> Scores:
        """Return `scores`, as for other results."""
        return self.scores


class _SeparationRow(NamedTuple):
    """A measure or component, its share of the variance, and how well it separates systems."""

    name: str
    share: float | None
    separation: Separation


SEPARATION_VIEW: View[_SeparationRow] = View(
    "separation",
    (
        shown("measure", attrgetter("name")),
        shown("share of the variance", attrgetter("share")),
        *columns(
            "significant", "pairs", of="separation", human_machine_significant="significant (h-m)",
            human_machine_pairs="pairs (h-m)", f="F", df="df", residual_df="residual df",
        ),
    ),
    digits=3,
)  # fmt: skip


@question
def composite(
    source: MeasureInput, options: CompositeOptions, test: SeparationTest
) -> CompositeResult:
    """Combine measures into principal components, and test how well they separate systems.

    The measures are standardized over all summaries that have every one of them. Components and
    single measures are compared by how many pairs of systems they separate.

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
        raise InputError(f"the only measure is {names[0]}", hint="name another as well")
    tables = meta_tables(
        collection.scores, names[0], metrics=names[1:], tasks=source.tasks,
        lower_is_better=source.lower_is_better, declared=collection.measures,
    )  # fmt: skip
    composites = [compose(table, options, test) for table in tables]
    absent_lines = (
        line for table in tables for line in table.left_out if "no scores there" in line
    )
    signature = signed(
        "composite(pca)", collection.data_hash, test.seed, measures=len(composites[0].measures),
        centered="topics" if options.within_topics else "", test=test.label,
        correction=test.effective_correction, alpha=f"{test.alpha:g}",
    )  # fmt: skip
    return CompositeResult(
        command="composite",
        signature=signature,
        values=composites,
        record=_record,
        tables=[table for pca in composites for table in _tables(pca)],
        left_out=(*left_out, *absent_lines, *(line for pca in composites for line in pca.left_out)),
        charts=[chart for pca in composites for chart in _charts(pca)],
    )


def _tables(composite: Composite) -> Iterator[Table]:
    yield loadings_table(composite)
    yield separation_table(composite)
    for correlations in composite.correlations:
        yield correlations_table(composite, correlations)


def correlations_table(composite: Composite, correlations: MeasureCorrelations) -> Table:
    """Show the correlation of every two measures as a square."""
    names = [named_metric(name, composite.negated) for name in composite.measures]
    named_rows = zip(names, correlations.values.tolist(), strict=True)
    rows = tuple((name, *row) for name, row in named_rows)
    peers = "machines" if correlations.peers == "machines" else "people and machines"
    title = composite.title(f"Correlation of measures, {correlations.systems} {peers}")
    note = f"Pearson's correlation of system means, on {composite.summaries:,} summaries."
    key = (*_key(composite), ("peers", correlations.peers))
    return Table(("measure", *names), rows, title, note, digits=2, key=key, name="correlations")


def loadings_table(composite: Composite) -> Table:
    """Show how each measure correlates with the first components."""
    shown_components = composite.components[:_MAX_TABLE_COMPONENTS]
    loadings = np.stack([component.loadings for component in shown_components], axis=1)
    shares: tuple[Cell, ...] = (
        "share of the variance",
        *(shown_component.share for shown_component in shown_components),
    )
    names = (named_metric(name, composite.negated) for name in composite.measures)
    rows = (shares, *((name, *row) for name, row in zip(names, loadings.tolist(), strict=True)))
    n_hidden = len(composite.components) - len(shown_components)
    note = "Correlation of each measure with each component."
    note += f" {n_hidden} more components are in the JSON." if n_hidden > 0 else ""
    columns = ("measure", *(shown_component.name for shown_component in shown_components))
    title = composite.title("Principal components")
    return Table(columns, rows, title, note, digits=3, key=_key(composite), name="loadings")


def separation_table(composite: Composite) -> Table:
    """Show how many pairs of systems each component and measure separates, the most first."""
    options = composite.options
    note = (
        f"On {composite.summaries:,} summaries that have all measures. Pairs of systems that "
        f"differ at {options.alpha:g} under {options.label}, correction: "
        f"{options.effective_correction}. F of systems, with topics as blocks."
    )
    sorted_separations = sorted(composite.separations, key=lambda row: -row.significant)
    exclude = (
        () if any(row.human_machine_pairs for row in sorted_separations) else _MIXED_PAIR_COLUMNS
    )
    shares = {part.name: part.share for part in composite.components}
    rows = [
        _SeparationRow(named_metric(row.measure, composite.negated), shares.get(row.measure), row)
        for row in sorted_separations
    ]
    title = composite.title("How well systems are separated")
    return SEPARATION_VIEW.table(rows, title, note, exclude=exclude, key=_key(composite))


def _key(composite: Composite) -> tuple[tuple[str, str], ...]:
    return (("collection", composite.collection), ("task", composite.task))


def _record(composite: Composite) -> dict[str, Any]:
    def by_measure(values: Floats) -> dict[str, float]:
        return dict(zip(composite.measures, values.tolist(), strict=True))

    record: dict[str, Any] = {
        "task": composite.task, "collection": composite.collection, "measures": composite.measures,
        "lower_is_better": composite.negated, "summaries": composite.summaries,
        **composite.options.record(),
        "components": [
            {
                "name": part.name, "share": part.share, "loadings": by_measure(part.loadings),
                "weights": by_measure(part.weights),
            }
            for part in composite.components
        ],
        "separations": [asdict(row) for row in composite.separations],
    }  # fmt: skip
    if composite.correlations:
        record["correlations"] = [
            {"peers": part.peers, "systems": part.systems}
            | dict(zip(composite.measures, map(by_measure, part.values), strict=True))
            for part in composite.correlations
        ]
    return record


def _charts(composite: Composite) -> Iterator[Chart]:
    key = (composite.collection, composite.task)
    caption = "Correlation of each measure with each component."
    yield Chart("loadings", partial(loadings_picture, composite), caption, key)
    caption = "Pairs of systems that each component and each measure separates."
    yield Chart("separation", partial(separation_picture, composite), caption, key)
