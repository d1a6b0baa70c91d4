"""Which metrics can stand in for people: the question, its tables, records and page."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from pyramidion.collection.ids import file_stem
from pyramidion.comparison import ReportRequest
from pyramidion.comparison.common import joined
from pyramidion.comparison.measure_tables import (
    PEERS,
    BestMetaInput,
    MetaTables,
    place_name,
    with_lengths,
)
from pyramidion.comparison.procedures import CORRECTION_TEXTS, META_TEST_TEXTS
from pyramidion.engine.engines import EngineOptions
from pyramidion.errors import InputError
from pyramidion.meta_evaluation._agreement import VerdictOptions
from pyramidion.meta_evaluation._gap import GAP, GapOptions, gap_charts, gap_table, gaps_of
from pyramidion.meta_evaluation._measure import (
    correlations_of_metrics,
    correlations_with_length,
    metric_matrices,
)
from pyramidion.meta_evaluation._result import (
    COEFFICIENT_NAMES,
    OVER_NAMES,
    PEER_NAMES,
    MetaEvaluation,
    MetaOptions,
    MetaPart,
    MetricCorrelation,
    MetricMatrix,
    MetricPair,
    MetricRank,
    What,
    correlation_name,
    human_name,
    interval_note,
    length_notes,
    matrix_note,
    named_metric,
    negated_note,
    shown_peers,
)
from pyramidion.meta_evaluation._significance import study_significance
from pyramidion.meta_evaluation._verdicts import ABOUT, VerdictGroup, agreement_table, kinds_chart
from pyramidion.questions import question
from pyramidion.rendering.labels import shown_p
from pyramidion.rendering.page import (
    Section,
    chart_blocks,
    closing_section,
    paragraph,
    render_page,
    table_block,
)
from pyramidion.rendering.result import Chart, LazySequence, Result, signed
from pyramidion.rendering.saving import FIGURE_FOLDER, PAGE_FILE
from pyramidion.rendering.table import Cell, Table, WideTable
from pyramidion.stats.pairs import Mapper

_CORRELATION = tuple(field.name for field in fields(MetricCorrelation))
_PAIR = tuple(field.name for field in fields(MetricPair))
_MATRIX = ("level", "coefficient", "peers", "test", "correction")

# What the record of a metric says already, or what would make it too long.
_GAP_SAID = ("human", "metric", "task", "collection", "systems")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MetaResult(Result[MetaEvaluation]):
    """Metrics judged against each human measure, in each task and collection."""

    brief: ClassVar[bool] = True
    saves = (FIGURE_FOLDER, PAGE_FILE)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as the object that JSON has, with one result for each metric."""
        every = super().to_dict()
        records = chain.from_iterable(one["metrics"] for one in every["results"])
        humans = chain.from_iterable(one["humans"] for one in every["results"])
        return {**every, "results": list(records), "humans": list(humans)}


@question
def meta_evaluate(source: BestMetaInput, options: MetaOptions, engine: EngineOptions) -> MetaResult:
    """Correlate metrics with human judgments, with intervals and tests between metrics.

    JSON and CSV hold Pearson, Spearman, Kendall and tau AP at system, input and global level, for
    all peers and for machines only. The table shows those that are tested.

    References
    ----------
    D. Deutsch, R. Dror and D. Roth. A statistical analysis of summarization evaluation metrics
    using resampling methods. TACL 9, 2021: BOOT-BOTH and PERM-BOTH.

    Examples
    --------
    >>> import numpy as np
    >>> from pyramidion import ScoreMatrix, Scores
    >>> rng = np.random.default_rng(2)
    >>> quality = np.arange(8.0) + rng.normal(size=(12, 8))
    >>> topics, systems = [f"T{i}" for i in range(12)], [str(i) for i in range(8)]
    >>> measures = {"responsiveness": quality, "good": quality + rng.normal(size=(12, 8)),
    ...             "bad": rng.normal(size=(12, 8))}
    >>> scores = Scores.concatenate(ScoreMatrix(values, topics, systems, measure=name).to_scores()
    ...                             for name, values in measures.items())
    >>> (found,) = meta_evaluate(scores, human="responsiveness")
    >>> good = found.correlation("good", level="system", coefficient="pearson")
    >>> good.low < good.value < good.high
    True
    >>> [(m.metric, m.group) for m in found.matrices[0].metrics]
    [('good', 'a'), ('bad', 'b')]
    """
    collection, tables = source.read()
    tables = [with_lengths(collection, one) for one in tables]
    if options.control and any(one.lengths is None for one in tables):
        what = "no length to hold constant: there are no texts, and no measure is called words"
        raise InputError(what, hint="name a collection with summaries, or add a measure `words`")
    with engine.opened() as opened:
        judged = [judge_tables(one, options, opened.map) for one in tables]
    found = [
        replace(one, parts=(agreement_part(one.tables), gap_part(one.tables))) for one in judged
    ]
    lines = [*(one.left_out for one in found), *(p.left_out for one in found for p in one.parts)]
    tests = options.tests
    tested = (f"{level}-{coefficient}" for level, coefficient in options.shown)
    # Everything that decides the numbers.
    signature = signed(
        f"meta({joined(tests)})", collection.data_hash, options.seed,
        human=joined(one.human for one in found), metric=joined(source.metrics),
        task=joined(one.task for one in found if one.task),
        lower=joined(source.lower_is_better), control=joined(options.control),
        exclude=joined(source.exclude), top=source.top or "", peers=joined(options.peers),
        interval=f"{options.method}-{options.confidence_level:g}", over=options.over,
        tested=joined(tested) if tests else "", correction=options.correction if tests else "",
        alpha=f"{options.alpha:g}", n=options.n_resamples,
    )  # fmt: skip
    result = MetaResult(
        command="meta",
        signature=signature,
        values=found,
        record=lambda one: {"metrics": list(meta_records(one)), "humans": list(human_records(one))},
        tables=LazySequence(chain.from_iterable(map(_tables, found))),
        # A line may hold for several studies of the same scores.
        left_out=tuple(dict.fromkeys(chain(collection.left_out, *lines))),
        charts=[
            chart
            for one in found
            for chart in chain(metric_charts(one), *(part.charts for part in one.parts))
        ],
        page=lambda: meta_page(result, title=collection.name),
    )
    return result


def judge_tables(tables: MetaTables, options: MetaOptions, mapper: Mapper = map) -> MetaEvaluation:
    """Judge the metrics of one table."""
    correlations = correlations_of_metrics(tables, options, mapper)
    matrices = metric_matrices(tables, correlations, options, mapper)
    humans = correlations_of_metrics(replace(tables, metrics=tables.humans), options, mapper)
    return MetaEvaluation(
        tables, options, correlations, matrices, tables.left_out,
        humans=humans, lengths=correlations_with_length(tables, options),
    )  # fmt: skip


def agreement_part(tables: MetaTables) -> MetaPart:
    """Count where metric and people agree on which machines differ significantly (chapter 7)."""
    try:
        study = study_significance(tables)
    except InputError as error:
        # One machine has no pairs; the correlations with people among the peers remain.
        return MetaPart(
            {name: {"agreement": None} for name in tables.metrics},
            left_out=(f"agreement on significance: {error.what}",),
        )
    test, group = study.options, VerdictGroup(tables.human, None, (study,))
    correction = test.effective_correction
    how = f"correction: {correction}"
    if correction == "none":
        how = "not corrected for their number; `verdicts --correction` corrects"
    note = f"Pairs of systems tested by {test.label}, α = {test.alpha:g}, {how}. {ABOUT}"
    about = {**test.record(), "systems": len(study.chosen.systems)}
    return MetaPart(
        {name: {"agreement": {**a.record(), **about}} for name, a in study.agreements.items()},
        tables=(agreement_table(group, note),),
        left_out=study.left_out,
        charts=(kinds_chart(group, tables.human, tables.collection, tables.task),),
    )


def gap_part(tables: MetaTables) -> MetaPart:
    """Measure how far people are above the machines' line, where there are people (5.6)."""
    if not tables.people.any() or tables.people.all():
        return MetaPart({})
    gaps = gaps_of(tables, GapOptions(), VerdictOptions())
    return MetaPart(
        {gap.metric: {"gap": GAP.record(gap, exclude=_GAP_SAID)} for gap in gaps},
        tables=(gap_table(gaps),),
        left_out=tuple(
            f"gap of {place_name(gap.metric, gap.task, gap.collection)}: {gap.undefined}"
            for gap in gaps
            if gap.undefined
        ),
        charts=tuple(gap_charts(gaps)),
    )


def metric_charts(one: MetaEvaluation) -> Iterator[Chart]:
    """Draw judged metrics: bars, system means, and which metrics differ."""
    from pyramidion.meta_evaluation._charts import (
        metric_bars_picture,
        metric_matrix_picture,
        metric_scatter_figure,
    )

    about = (one.human, one.tables.collection, one.task)
    for level, coefficient in one.options.shown:
        caption = f"{correlation_name(level, coefficient)}: the best metrics, with intervals."
        draw = partial(metric_bars_picture, one, level=level, coefficient=coefficient)
        yield Chart("bars", draw, caption, (*about, level, coefficient))
    caption = "Each system's means by the metrics that correlate best; people are marked."
    yield Chart("scatter", partial(metric_scatter_figure, one), caption, about)
    for matrix in shown_matrices(one):
        caption = (
            f"{correlation_name(matrix.level, matrix.coefficient)}, {PEER_NAMES[matrix.peers]}: "
            "which metrics differ, and how surely."
        )
        what = (*about, matrix.level, matrix.coefficient, matrix.peers, matrix.test)
        yield Chart(
            "matrix", partial(metric_matrix_picture, one, matrix), caption, what, file_stem(*what)
        )


def shown_matrices(one: MetaEvaluation) -> Iterator[MetricMatrix]:
    """Return the tests of the peer sets that differ."""
    return (matrix for matrix in one.matrices if matrix.peers in shown_peers(one))


def _tables(one: MetaEvaluation) -> Iterator[Callable[[], Table]]:
    yield partial(correlation_table, one)
    if one.humans:
        yield partial(correlation_table, one, humans=True)
    for matrix in shown_matrices(one):
        yield partial(matrix_table, one, matrix)
    for part in one.parts:
        yield from (lambda own=table: own for table in part.tables)


def correlation_table(one: MetaEvaluation, *, humans: bool = False) -> WideTable:
    """Show metrics down and the chosen correlations across; files get all correlations.

    With `humans`, the other human measures take the place of metrics (thesis Table 3.5).
    """
    shown: list[What] = [
        (level, coefficient, peers)
        for peers in shown_peers(one)
        for level, coefficient in one.options.shown
    ]
    level, coefficient, peers = shown[0]
    ranked = one.ranked(level=level, coefficient=coefficient, peers=peers)
    names = list(one.humans) if humans else [name for name, _ in ranked]
    held = ", length held constant" if one.options.control and not humans else ""
    title = f"{'Human measures: c' if humans else 'C'}orrelation with {human_name(one)}{held}"
    notes = [interval_note(one.options)] if humans else _notes(one, names, shown)
    note = " ".join(f"{part[0].upper()}{part[1:]}." for part in notes if part)
    negated = () if humans else one.tables.negated

    def rows(*, brief: bool) -> tuple[tuple[str, ...], ...]:
        cells = ((_shown(one, name, column, brief=brief) for column in shown) for name in names)
        heads = (named_metric(name, negated) for name in names)
        return tuple((head, *own) for head, own in zip(heads, cells, strict=True))

    numbers = tuple(
        (name, *(getattr(found, field) for field in _fields(one)))
        for name, own in (one.humans if humans else one.correlations).items()
        for found in own
    )
    several = len(shown_peers(one)) > 1
    columns = (
        "human measure" if humans else "metric",
        *(
            f"{level} {COEFFICIENT_NAMES[coefficient]}" + f", {PEER_NAMES[peers]}" * several
            for level, coefficient, peers in shown
        ),
    )
    return WideTable(
        columns, rows(brief=False), title, note, heads=1,
        name="humans" if humans else "correlations",
        numbers=Table(("metric", *_fields(one)), numbers, key=_key(one)),
        narrow=None if humans else Table(columns, rows(brief=True), title, note),
    )  # fmt: skip


def _shown(one: MetaEvaluation, metric: str, column: What, *, brief: bool) -> str:
    level, coefficient, peers = column
    found = one.correlation(metric, level=level, coefficient=coefficient, peers=peers)
    if math.isnan(found.value):
        return "undefined"
    plain = f" (plain {found.plain:.3f})" if one.options.control and not brief else ""
    interval = "" if brief or math.isnan(found.low) else f" [{found.low:.3f}, {found.high:.3f}]"
    group = one.letters(level=level, coefficient=coefficient, peers=peers).get(metric, "")
    return f"{found.value:.3f}{interval}{plain}{f' {group}' if group else ''}"


def _notes(one: MetaEvaluation, metrics: Sequence[str], columns: Sequence[What]) -> Iterator[str]:
    yield interval_note(one.options)
    yield from length_notes(one, columns)
    if one.matrices:
        how = matrix_note(one.matrices[0], one.options)
        yield f"no difference was shown between metrics that share a letter ({how})"
    yield negated_note(one, metrics)
    undefined: dict[str, None] = {}
    for level, coefficient, peers in columns:
        for name, found in one.ranked(level=level, coefficient=coefficient, peers=peers):
            lost = found.undefined_inputs
            if found.undefined:
                undefined[f"{name}, {level} level: {found.undefined}"] = None
            elif lost:
                where = f"{name}, {PEER_NAMES[peers]}: undefined within {lost} of {lost + found.n}"
                what = "topics, where all scores of one of the two are equal"
                undefined[f"{where} {what}"] = None
    yield from undefined


def _key(one: MetaEvaluation) -> tuple[tuple[str, str], ...]:
    collection = one.tables.collection
    where = (("collection", collection),) if collection else ()
    return (*where, ("task", one.task), ("human", one.human))


def _fields(one: MetaEvaluation) -> tuple[str, ...]:
    return _CORRELATION if one.options.control else _CORRELATION[:-1]


def matrix_table(one: MetaEvaluation, matrix: MetricMatrix) -> WideTable:
    """Show the adjusted p-value of every pair of metrics; files get all pairs, one a row."""
    adjusted = {frozenset((pair.a, pair.b)): pair.p_adjusted for pair in matrix.pairs}
    names = [rank.metric for rank in matrix.metrics]

    def shown(metric: str) -> Iterator[str]:
        pairs = (frozenset((metric, other)) for other in names)
        return (shown_p(adjusted[pair]) if len(pair) > 1 else "" for pair in pairs)

    def placed(rank: MetricRank) -> tuple[Cell, ...]:
        # An undefined correlation has neither letters nor a tier.
        if math.isnan(rank.value):
            return "undefined", None, None
        return f"{rank.value:.3f}", rank.group, rank.cluster

    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (n, named_metric(own.metric, one.tables.negated), *placed(own), *shown(own.metric))
        for n, own in enumerate(matrix.metrics, start=1)
    )
    head = ("", "metric", "correlation", "group", "tier", *map(str, range(1, len(names) + 1)))
    peers = f", {PEER_NAMES[matrix.peers]}" if len(shown_peers(one)) > 1 else ""
    what = f"{correlation_name(matrix.level, matrix.coefficient)} with {human_name(one)}{peers}"
    found = sum(map(matrix.significant, matrix.pairs))
    note = f"Adjusted p-values: {matrix_note(matrix, one.options)}. "
    note += f"{found} of {len(matrix.pairs)} pairs differ significantly."
    pairs = tuple(tuple(getattr(pair, field) for field in _PAIR) for pair in matrix.pairs)
    key = (*_key(one), *((name, str(getattr(matrix, name))) for name in _MATRIX))
    numbers, note = Table(_PAIR, pairs, key=key), " ".join((note, *matrix.notes))
    return WideTable(head, rows, f"Metrics by {what}", note, name="pairs", numbers=numbers, heads=2)


def meta_records(one: MetaEvaluation) -> Iterator[dict[str, Any]]:
    """Return one record for each metric, with the keys that scripts rely on."""
    for metric, correlations in one.correlations.items():
        record: dict[str, Any] = {
            "human": one.human,
            "metric": metric,
            "task": one.task,
            "collection": one.tables.collection,
            "turned": metric in one.tables.negated,
            "correlations": _records(one, correlations),
            "standings": [_standing(metric, matrix) for matrix in one.matrices],
        }
        if one.lengths:
            human = one.lengths[one.human]
            record["length"] = [
                {"level": what[0], "coefficient": what[1], "peers": what[2], "metric": value,
                 "human": human[what]}
                for what, value in one.lengths[metric].items()
            ]  # fmt: skip
        for part in one.parts:
            record |= part.records.get(metric, {})
        yield record


def human_records(one: MetaEvaluation) -> Iterator[dict[str, Any]]:
    """Return one record for each other human measure."""
    for other, correlations in one.humans.items():
        where = {"human": one.human, "other": other, "task": one.task}
        where["collection"] = one.tables.collection
        yield {**where, "correlations": _records(one, correlations)}


def _records(one: MetaEvaluation, found: Iterable[MetricCorrelation]) -> list[dict[str, Any]]:
    return [{name: getattr(row, name) for name in _fields(one)} for row in found]


def _standing(metric: str, matrix: MetricMatrix) -> dict[str, Any]:
    """Return a metric's place among the others, and its differences from each of them."""
    own = next(rank for rank in matrix.metrics if rank.metric == metric)
    return {
        **{name: getattr(matrix, name) for name in (*_MATRIX, "alpha")},
        **{name: getattr(own, name) for name in ("rank", "group", "cluster")},
        "against": [_against(metric, pair) for pair in matrix.pairs if metric in (pair.a, pair.b)],
    }


def _against(metric: str, pair: MetricPair) -> dict[str, Any]:
    """Turn a pair so that the metric comes first."""
    sign, other = (1, pair.b) if pair.a == metric else (-1, pair.a)
    low, high = sorted((sign * pair.low, sign * pair.high))
    return {
        "metric": other, "difference": sign * pair.difference, "low": low, "high": high,
        "statistic": sign * pair.statistic,
        **{name: getattr(pair, name) for name in ("p", "p_adjusted", "n_resamples", "note")},
    }  # fmt: skip


_INTERVALS = {
    "percentile": "Intervals are percentiles of {n:,} resamples in which {over} were drawn with "
    "replacement, the same draws for all metrics (Deutsch et al. 2021).",
    "bca": "Intervals are bias-corrected and accelerated (BCa), from {n:,} resamples in which "
    "{over} were drawn with replacement, the same draws for all metrics (Deutsch et al. 2021).",
    "fisher": "Intervals are Fisher's, with Bonett and Wright's errors for rank correlations.",
}
_SOURCE = (
    "D. Deutsch, R. Dror and D. Roth. A statistical analysis of summarization evaluation metrics "
    "using resampling methods. TACL 9, 2021."
)


def meta_page(result: MetaResult, *, title: str) -> str:
    """Put correlations, tests, figures and method text on one page."""
    metrics = len({name for one in result for name in one.correlations})
    humans = ", ".join(dict.fromkeys(one.human for one in result))
    lead, signature = f"{metrics} metrics judged against {humans}.", str(result.signature)
    return render_page(title, list(meta_sections(result)), lead=lead, signature=signature)


def meta_sections(result: MetaResult) -> Iterator[Section]:
    """Return a section for each human measure and task, and one for the method."""
    for one in result:
        blocks = [table_block(correlation_table(one))]
        if one.humans:
            blocks.append(table_block(correlation_table(one, humans=True)))
        blocks += chart_blocks(metric_charts(one))
        blocks += [table_block(matrix_table(one, matrix)) for matrix in shown_matrices(one)]
        for part in one.parts:
            blocks += [*map(table_block, part.tables), *chart_blocks(part.charts)]
        yield Section(f"Metrics against {human_name(one)}", tuple(blocks))
    method = map(paragraph, _method(result[0].options))
    yield closing_section("How metrics were judged", result, *method)


def _method(options: MetaOptions) -> Iterator[str]:
    over = OVER_NAMES[options.over]
    yield (
        "Several assessors of a summary were averaged. At system level the systems' means over "
        "topics are correlated; at input level systems are correlated within each topic and the "
        "defined correlations averaged; at global level all summaries are correlated at once. "
        "Only summaries that have both scores count."
    )
    yield _INTERVALS[options.method].format(over=over, n=options.n_resamples)
    for test in options.tests:
        yield META_TEST_TEXTS[test].method.format(over=over)
    if options.tests:
        yield f"{CORRECTION_TEXTS[options.correction].metric_method}; alpha = {options.alpha:g}."
    yield _SOURCE


def report_sections(request: ReportRequest) -> Iterator[Section]:
    """Judge the metrics of the report's tasks, if human measures are named."""
    collection, source, page = request.collection, request.source, request.page
    if not page.human:
        return
    if source.assessor:
        rows = np.isin(collection.scores.columns["assessor"], [source.assessor, ""])
        collection = replace(collection, scores=collection.scores.rows(rows))
    judged = BestMetaInput(
        collection, source.tasks, source.exclude, lower_is_better=source.lower_is_better,
        human=page.human, metrics=page.metrics, top=source.top,
    )  # fmt: skip
    peers = PEERS if source.peers == "all" else (source.peers,)
    options = MetaOptions(peers=peers, alpha=request.options.alpha, seed=request.options.seed)
    yield from meta_sections(meta_evaluate.run(judged, options, EngineOptions()))
