"""Which metrics agree with people: the question `meta`, its tables, records and page."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from pyramidion.collection import Finding
from pyramidion.collection.checking import warn_findings
from pyramidion.collection.findings import Repair
from pyramidion.collection.ids import file_stem
from pyramidion.collection.measures import assumed_direction, find_measure
from pyramidion.comparison import ReportRequest
from pyramidion.comparison.common import joined
from pyramidion.comparison.measure_tables import (
    PEERS,
    BestMetaInput,
    MetaTables,
    scope_name,
    with_lengths,
)
from pyramidion.comparison.procedures import CORRECTION_TEXTS, META_TEST_TEXTS
from pyramidion.engine.engines import EngineOptions
from pyramidion.errors import InputError
from pyramidion.meta_evaluation._agreement import VerdictOptions
from pyramidion.meta_evaluation._gap import (
    GAP_VIEW,
    GapOptions,
    gap_charts,
    gap_table,
    measure_gaps,
)
from pyramidion.meta_evaluation._measure import (
    correlations_of_metrics,
    correlations_with_length,
    metric_matrices,
)
from pyramidion.meta_evaluation._noise import noise_part
from pyramidion.meta_evaluation._result import (
    COEFFICIENT_NAMES,
    OVER_NAMES,
    PEER_NAMES,
    CorrelationKind,
    MetaEvaluation,
    MetaOptions,
    MetaPart,
    MetricCorrelation,
    MetricMatrix,
    MetricPair,
    MetricRank,
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
from pyramidion.meta_evaluation._verdicts import (
    AGREEMENT_NOTE,
    VerdictGroup,
    agreement_table,
    kinds_chart,
)
from pyramidion.questions import question
from pyramidion.rendering.labels import format_p
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

_CORRELATION_FIELDS = tuple(field.name for field in fields(MetricCorrelation))
_PAIR_FIELDS = tuple(field.name for field in fields(MetricPair))
_MATRIX_FIELDS = ("level", "coefficient", "peers", "test", "correction")

# Fields that the record of a metric has already, or that would make it too long.
_GAP_EXCLUDED = ("human", "metric", "task", "collection", "systems")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MetaResult(Result[MetaEvaluation]):
    """Metrics compared with each human measure, in each task and collection."""

    brief: ClassVar[bool] = True
    saves = (FIGURE_FOLDER, PAGE_FILE)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object, with one result for each metric."""
        content = super().to_dict()
        records = chain.from_iterable(record["metrics"] for record in content["results"])
        humans = chain.from_iterable(record["humans"] for record in content["results"])
        return {**content, "results": list(records), "humans": list(humans)}


@question
def meta(source: BestMetaInput, options: MetaOptions, engine: EngineOptions) -> MetaResult:
    """Correlate metrics with human judgments, with intervals and tests between metrics.

    JSON and CSV contain Pearson, Spearman, Kendall and tau AP at system, input and global level,
    for all peers and for machines only. The table shows those that are tested.

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
    >>> (result,) = meta(scores, human="responsiveness")
    >>> good = result.correlation("good", level="system", coefficient="pearson")
    >>> good.low < good.value < good.high
    True
    >>> [(m.metric, m.group) for m in result.matrices[0].metrics]
    [('good', 'a'), ('bad', 'b')]
    """
    # Correlations are those of the means, which need no wider deviations.
    collection, tables = source.read(widened=False)
    tables = [with_lengths(collection, table) for table in tables]
    if options.control and any(table.lengths is None for table in tables):
        message = "lengths are unknown: there are no texts and no measure `words`"
        raise InputError(message, hint="use a collection with summaries, or add a measure `words`")
    with engine.opened() as opened_engine:
        judged_tables = [judge_tables(table, options, opened_engine.map) for table in tables]
    # Once the length is held constant, a correlation may well be negative.
    if not options.control:
        warn_findings(_reversed_metric_findings(judged_tables))
    evaluations = [
        replace(e, parts=(noise_part(e), agreement_part(e.tables), gap_part(e.tables)))
        for e in judged_tables
    ]
    parts = [part for evaluation in evaluations for part in evaluation.parts]
    notes = (*(e.left_out for e in evaluations), *(part.left_out for part in parts))
    tests = options.tests
    matrices = (f"{level}-{coefficient}" for level, coefficient in options.shown)
    signature = signed(
        f"meta({joined(tests)})", collection.data_hash, options.seed,
        human=joined(evaluation.human for evaluation in evaluations), metric=joined(source.metrics),
        task=joined(evaluation.task for evaluation in evaluations if evaluation.task),
        lower=joined(source.lower_is_better), control=joined(options.control),
        exclude=joined(source.exclude), top=source.top or "", peers=joined(options.peers),
        interval=f"{options.method}-{options.confidence_level:g}", over=options.over,
        tested=joined(matrices) if tests else "", correction=options.correction if tests else "",
        alpha=f"{options.alpha:g}", n=options.n_resamples,
    )  # fmt: skip
    result = MetaResult(
        command="meta",
        signature=signature,
        values=evaluations,
        record=lambda evaluation: {
            "metrics": list(meta_records(evaluation)),
            "humans": list(human_records(evaluation)),
        },
        tables=LazySequence(chain.from_iterable(map(_tables, evaluations))),
        left_out=tuple(dict.fromkeys(chain(collection.left_out, *notes))),
        charts=list(chain.from_iterable(map(_charts, evaluations))),
        page=lambda: meta_page(result, title=collection.name),
    )
    return result


#: The same by its former name, which scripts use.
meta_evaluate = meta


# Chosen on SummEval and REALSumm: the lowest of 188 correlations are -.35 over systems and 0 over
# all summaries, where directions are right.
_REVERSED_LIMITS = {"system": (-0.7, 10), "global": (-0.15, 50)}
# A metric without any relation to people, on few summaries, is as far from 0 by chance.
_MIN_STANDARD_ERRORS = 3
# A metric whose direction is stated may rank some systems the other way round.
_SURELY_REVERSED_LIMITS = {"global": (-0.35, 50)}


def _reversed_metric_findings(evaluations: Sequence[MetaEvaluation]) -> Iterator[Finding]:
    """Ask about the direction of a metric that correlates negatively with people."""
    for evaluation in evaluations:
        for metric, rows in evaluation.correlations.items():
            is_stated = find_measure(metric) is not None and assumed_direction(metric) is None
            limits = _SURELY_REVERSED_LIMITS if is_stated else _REVERSED_LIMITS
            negative_correlations = [
                row
                for row in rows
                if row.coefficient == "pearson" and row.peers == "all" and row.level in limits
                if row.value <= limits[row.level][0] and row.n >= limits[row.level][1]
                if row.level == "system" or _errors_below(row.value, row.n) >= _MIN_STANDARD_ERRORS
            ]
            if negative_correlations:
                is_lower = metric in evaluation.tables.negated
                option = f"{'higher' if is_lower else 'lower'}-is-better"
                repair = Repair(option, metric)
                message = (
                    f"it correlates {negative_correlations[0].value:.2f} with {evaluation.human} "
                )
                level = negative_correlations[0].level
                message += f"({level} level); is the direction of one of them reversed? "
                message += repair.flag
                kind, effect = "metric that runs against people", "it ranks systems upside down"
                yield Finding(kind, metric, message, effect=effect, repairs=(repair,))


def _errors_below(correlation: float, n: int) -> float:
    """Return how many standard errors a correlation is below 0, by Fisher's transformation."""
    return -math.atanh(max(correlation, -0.9999)) * math.sqrt(n - 3)


def judge_tables(tables: MetaTables, options: MetaOptions, mapper: Mapper = map) -> MetaEvaluation:
    """Evaluate the metrics of one table."""
    correlations = correlations_of_metrics(tables, options, mapper)
    return MetaEvaluation(
        tables, options, correlations,
        metric_matrices(tables, correlations, options, mapper),
        left_out=tables.left_out,
        humans=correlations_of_metrics(replace(tables, metrics=tables.humans), options, mapper),
        lengths=correlations_with_length(tables, options),
    )  # fmt: skip


def _charts(result: MetaEvaluation) -> Iterator[Chart]:
    yield from metric_charts(result)
    for part in result.parts:
        yield from part.charts


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
    description = f"correction: {correction}"
    if correction == "none":
        description = "not corrected for their number; `verdicts --correction` corrects"
    heading = f"Pairs of systems tested by {test.label}, α = {test.alpha:g}, {description}."
    note = f"{heading} {AGREEMENT_NOTE}"
    record = {**test.record(), "systems": len(study.chosen.systems)}
    return MetaPart(
        {name: {"agreement": {**a.record(), **record}} for name, a in study.agreements.items()},
        tables=(agreement_table(group, note),),
        left_out=study.left_out,
        charts=(kinds_chart(group, tables.human, tables.collection, tables.task),),
    )


def gap_part(tables: MetaTables) -> MetaPart:
    """Measure how far people are above the machines' line, if there are people (5.6)."""
    if not tables.people.any() or tables.people.all():
        return MetaPart({})
    gaps = measure_gaps(tables, GapOptions(), VerdictOptions())
    return MetaPart(
        {gap.metric: {"gap": GAP_VIEW.record(gap, exclude=_GAP_EXCLUDED)} for gap in gaps},
        tables=(gap_table(gaps),),
        left_out=tuple(
            f"gap of {scope_name(gap.metric, gap.task, gap.collection)}: {gap.undefined}"
            for gap in gaps
            if gap.undefined
        ),
        charts=tuple(gap_charts(gaps)),
    )


def metric_charts(result: MetaEvaluation) -> Iterator[Chart]:
    """Yield the charts: bars, system means, and which metrics differ."""
    from pyramidion.meta_evaluation._charts import (
        metric_bars_picture,
        metric_matrix_picture,
        metric_scatter_picture,
    )

    key = (result.human, result.tables.collection, result.task)
    for level, coefficient in result.options.shown:
        caption = f"{correlation_name(level, coefficient)}: the best metrics, with intervals."
        draw = partial(metric_bars_picture, result, level=level, coefficient=coefficient)
        yield Chart("bars", draw, caption, (*key, level, coefficient))
    caption = "Each system's means by the metrics that correlate best; people are marked."
    yield Chart("scatter", partial(metric_scatter_picture, result), caption, key)
    for matrix in shown_matrices(result):
        caption = (
            f"{correlation_name(matrix.level, matrix.coefficient)}, {PEER_NAMES[matrix.peers]}: "
            "which metrics differ, with p-values."
        )
        matrix_key = (*key, matrix.level, matrix.coefficient, matrix.peers, matrix.test)
        yield Chart(
            "matrix",
            partial(metric_matrix_picture, result, matrix),
            caption,
            matrix_key,
            file_stem(*matrix_key),
        )


def shown_matrices(result: MetaEvaluation) -> Iterator[MetricMatrix]:
    """Yield the tests of the distinct peer sets."""
    return (matrix for matrix in result.matrices if matrix.peers in shown_peers(result))


def _tables(result: MetaEvaluation) -> Iterator[Callable[[], Table]]:
    yield partial(correlation_table, result)
    if result.humans:
        yield partial(correlation_table, result, humans=True)
    for matrix in shown_matrices(result):
        yield partial(matrix_table, result, matrix)
    for part in result.parts:
        yield from (lambda default=table: default for table in part.tables)


def correlation_table(result: MetaEvaluation, *, humans: bool = False) -> WideTable:
    """Show metrics down and the chosen correlations across; files get all correlations.

    With `humans`, other human measures replace the metrics (thesis Table 3.5).
    """
    correlation_keys: list[CorrelationKind] = [
        (level, coefficient, peers)
        for peers in shown_peers(result)
        for level, coefficient in result.options.shown
    ]
    level, coefficient, peers = correlation_keys[0]
    ranked_rows = result.ranked(level=level, coefficient=coefficient, peers=peers)
    names = list(result.humans) if humans else [name for name, _ in ranked_rows]
    control_note = ", length held constant" if result.options.control and not humans else ""
    prefix = "Human measures: correlation" if humans else "Correlation"
    title = f"{prefix} with {human_name(result)}{control_note}"
    notes = (
        [interval_note(result.options)]
        if humans
        else _correlation_notes(result, names, correlation_keys)
    )
    note = " ".join(f"{part[0].upper()}{part[1:]}." for part in notes if part)
    negated_metrics = () if humans else result.tables.negated

    def make_rows(*, is_brief: bool) -> tuple[tuple[str, ...], ...]:
        cells = (
            (
                _format_correlation(result, name, column, is_brief=is_brief)
                for column in correlation_keys
            )
            for name in names
        )
        row_names = (named_metric(name, negated_metrics) for name in names)
        return tuple((head, *values) for head, values in zip(row_names, cells, strict=True))

    all_rows = tuple(
        (name, *(getattr(row, field) for field in _correlation_fields(result)))
        for name, correlations in (result.humans if humans else result.correlations).items()
        for row in correlations
    )
    has_several = len(shown_peers(result)) > 1
    columns = (
        "human measure" if humans else "metric",
        *(
            f"{level} {COEFFICIENT_NAMES[coefficient]}" + f", {PEER_NAMES[peers]}" * has_several
            for level, coefficient, peers in correlation_keys
        ),
    )
    return WideTable(
        columns, make_rows(is_brief=False), title, note, heads=1,
        name="humans" if humans else "correlations",
        numbers=Table(("metric", *_correlation_fields(result)), all_rows, key=_table_key(result)),
        narrow=None if humans else Table(columns, make_rows(is_brief=True), title, note),
    )  # fmt: skip


def _format_correlation(
    result: MetaEvaluation, metric: str, column: CorrelationKind, *, is_brief: bool
) -> str:
    level, coefficient, peers = column
    row = result.correlation(metric, level=level, coefficient=coefficient, peers=peers)
    if math.isnan(row.value):
        return "undefined"
    uncontrolled_text = (
        f" (plain {row.plain:.3f})" if result.options.control and not is_brief else ""
    )
    interval = "" if is_brief or math.isnan(row.low) else f" [{row.low:.3f}, {row.high:.3f}]"
    group = result.letters(level=level, coefficient=coefficient, peers=peers).get(metric, "")
    return f"{row.value:.3f}{interval}{uncontrolled_text}{f' {group}' if group else ''}"


def _correlation_notes(
    result: MetaEvaluation, metrics: Sequence[str], columns: Sequence[CorrelationKind]
) -> Iterator[str]:
    yield interval_note(result.options)
    yield from length_notes(result, columns)
    if result.matrices:
        description = matrix_note(result.matrices[0], result.options)
        yield f"no difference was shown between metrics that share a letter ({description})"
    yield negated_note(result, metrics)
    undefined_notes: dict[str, None] = {}
    for level, coefficient, peers in columns:
        for name, row in result.ranked(level=level, coefficient=coefficient, peers=peers):
            n_undefined = row.undefined_inputs
            if row.undefined:
                undefined_notes[f"{name}, {level} level: {row.undefined}"] = None
            elif n_undefined:
                n_topics = n_undefined + row.n
                scope = f"{name}, {PEER_NAMES[peers]}: undefined within {n_undefined} of {n_topics}"
                unit = "topics, where all scores of one of the two are equal"
                undefined_notes[f"{scope} {unit}"] = None
    yield from undefined_notes


def _table_key(result: MetaEvaluation) -> tuple[tuple[str, str], ...]:
    collection = result.tables.collection
    scope_key = (("collection", collection),) if collection else ()
    return (*scope_key, ("task", result.task), ("human", result.human))


def _correlation_fields(result: MetaEvaluation) -> tuple[str, ...]:
    return _CORRELATION_FIELDS if result.options.control else _CORRELATION_FIELDS[:-1]


def matrix_table(result: MetaEvaluation, matrix: MetricMatrix) -> WideTable:
    """Show the adjusted p-value of every pair of metrics; files get a row for each pair."""
    p_by_pair = {frozenset((pair.a, pair.b)): pair.p_adjusted for pair in matrix.pairs}
    names = [rank.metric for rank in matrix.metrics]

    def p_cells(metric: str) -> Iterator[str]:
        pairs = (frozenset((metric, other)) for other in names)
        return (format_p(p_by_pair[pair]) if len(pair) > 1 else "" for pair in pairs)

    def rank_cells(rank: MetricRank) -> tuple[Cell, ...]:
        # An undefined correlation has neither letters nor a tier.
        if math.isnan(rank.value):
            return "undefined", None, None
        return f"{rank.value:.3f}", rank.group, rank.cluster

    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            n,
            named_metric(rank.metric, result.tables.negated),
            *rank_cells(rank),
            *p_cells(rank.metric),
        )
        for n, rank in enumerate(matrix.metrics, start=1)
    )
    columns = ("", "metric", "correlation", "group", "tier", *map(str, range(1, len(names) + 1)))
    peers_text = f", {PEER_NAMES[matrix.peers]}" if len(shown_peers(result)) > 1 else ""
    correlation = correlation_name(matrix.level, matrix.coefficient)
    title = f"{correlation} with {human_name(result)}{peers_text}"
    n_significant = sum(map(matrix.significant, matrix.pairs))
    note = f"Adjusted p-values: {matrix_note(matrix, result.options)}. "
    note += f"{n_significant} of {len(matrix.pairs)} pairs differ significantly."
    pairs = tuple(tuple(getattr(pair, field) for field in _PAIR_FIELDS) for pair in matrix.pairs)
    key = (*_table_key(result), *((name, str(getattr(matrix, name))) for name in _MATRIX_FIELDS))
    numbers, note = Table(_PAIR_FIELDS, pairs, key=key), " ".join((note, *matrix.notes))
    return WideTable(
        columns, rows, f"Metrics by {title}", note, name="pairs", numbers=numbers, heads=2
    )


def meta_records(result: MetaEvaluation) -> Iterator[dict[str, Any]]:
    """Yield the JSON record of each metric."""
    for metric, correlations in result.correlations.items():
        record: dict[str, Any] = {
            "human": result.human,
            "metric": metric,
            "task": result.task,
            "collection": result.tables.collection,
            "turned": metric in result.tables.negated,
            "correlations": _records(result, correlations),
            "standings": [_rank_and_differences(metric, matrix) for matrix in result.matrices],
        }
        if result.lengths:
            human = result.lengths[result.human]
            record["length"] = [
                {"level": kind[0], "coefficient": kind[1], "peers": kind[2], "metric": value,
                 "human": human[kind]}
                for kind, value in result.lengths[metric].items()
            ]  # fmt: skip
        for part in result.parts:
            record |= part.records.get(metric, {})
        yield record


def human_records(result: MetaEvaluation) -> Iterator[dict[str, Any]]:
    """Yield the JSON record of each other human measure."""
    for other_human, correlations in result.humans.items():
        address = {"human": result.human, "other": other_human, "task": result.task}
        address["collection"] = result.tables.collection
        yield {**address, "correlations": _records(result, correlations)}


def _records(
    result: MetaEvaluation, correlations: Iterable[MetricCorrelation]
) -> list[dict[str, Any]]:
    return [
        {name: getattr(row, name) for name in _correlation_fields(result)} for row in correlations
    ]


def _rank_and_differences(metric: str, matrix: MetricMatrix) -> dict[str, Any]:
    """Return a metric's rank, and its differences from the others."""
    rank = next(rank for rank in matrix.metrics if rank.metric == metric)
    return {
        **{name: getattr(matrix, name) for name in (*_MATRIX_FIELDS, "alpha")},
        **{name: getattr(rank, name) for name in ("rank", "group", "cluster")},
        "against": [
            _difference_from(metric, pair) for pair in matrix.pairs if metric in (pair.a, pair.b)
        ],
    }


def _difference_from(metric: str, pair: MetricPair) -> dict[str, Any]:
    """Return a pair with the metric first."""
    sign, other = (1, pair.b) if pair.a == metric else (-1, pair.a)
    low, high = sorted((sign * pair.low, sign * pair.high))
    return {
        "metric": other, "difference": sign * pair.difference, "low": low, "high": high,
        "statistic": sign * pair.statistic,
        **{name: getattr(pair, name) for name in ("p", "p_adjusted", "n_resamples", "note")},
    }  # fmt: skip


_INTERVAL_TEXTS = {
    "jackknife": "Intervals are Fisher's, with jackknife errors: correlations are computed again, "
    "leaving out one of the {over} at a time.",
    "percentile": "Intervals are percentiles of {n:,} resamples in which {over} were drawn with "
    "replacement, the same draws for all metrics (Deutsch et al. 2021).",
    "bca": "Intervals are bias-corrected and accelerated (BCa), from {n:,} resamples in which "
    "{over} were drawn with replacement, the same draws for all metrics (Deutsch et al. 2021).",
    "fisher": "Intervals are Fisher's, with Bonett and Wright's errors for rank correlations.",
}
_CITATION = (
    "D. Deutsch, R. Dror and D. Roth. A statistical analysis of summarization evaluation metrics "
    "using resampling methods. TACL 9, 2021."
)


def meta_page(result: MetaResult, *, title: str) -> str:
    """Make the page of a meta-evaluation."""
    n_metrics = len({name for evaluation in result for name in evaluation.correlations})
    humans_text = ", ".join(dict.fromkeys(evaluation.human for evaluation in result))
    introduction, signature = (
        f"{n_metrics} metrics judged against {humans_text}.",
        str(result.signature),
    )
    return render_page(title, list(meta_sections(result)), lead=introduction, signature=signature)


def meta_sections(result: MetaResult) -> Iterator[Section]:
    """Yield a section for each human measure and task, and one for the method."""
    for evaluation in result:
        blocks = [table_block(correlation_table(evaluation))]
        if evaluation.humans:
            blocks.append(table_block(correlation_table(evaluation, humans=True)))
        blocks += chart_blocks(metric_charts(evaluation))
        blocks += [
            table_block(matrix_table(evaluation, matrix)) for matrix in shown_matrices(evaluation)
        ]
        for part in evaluation.parts:
            blocks += [*map(table_block, part.tables), *chart_blocks(part.charts)]
        yield Section(f"Metrics against {human_name(evaluation)}", tuple(blocks))
    method_paragraphs = map(paragraph, _method_paragraphs(result[0].options))
    yield closing_section("How metrics were evaluated", result, *method_paragraphs)


def _method_paragraphs(options: MetaOptions) -> Iterator[str]:
    sampled_text = OVER_NAMES[options.over]
    yield (
        "Scores of several assessors of a summary were averaged. At system level, the systems' "
        "means over topics are correlated; at input level, systems are correlated within a topic "
        "and the defined correlations averaged; at global level, all summaries are correlated at "
        "once. Only summaries with both scores count."
    )
    yield _INTERVAL_TEXTS[options.method].format(over=sampled_text, n=options.n_resamples)
    for test in options.tests:
        yield META_TEST_TEXTS[test].method.format(over=sampled_text)
    if options.tests:
        yield f"{CORRECTION_TEXTS[options.correction].metric_method}; alpha = {options.alpha:g}."
    yield _CITATION


def report_sections(request: ReportRequest) -> Iterator[Section]:
    """Evaluate the metrics of the report's tasks, if human measures are named."""
    collection, source, page = request.collection, request.source, request.page
    if not page.human:
        return
    if source.assessor:
        is_included = np.isin(collection.scores.columns["assessor"], [source.assessor, ""])
        collection = replace(collection, scores=collection.scores.rows(is_included))
    meta_input = BestMetaInput(
        collection, source.tasks, lower_is_better=source.lower_is_better,
        higher_is_better=source.higher_is_better, human=page.human, metrics=page.metrics,
        top=source.top,
    )  # fmt: skip
    peers = PEERS if source.peers == "all" else (source.peers,)
    options = MetaOptions(peers=peers, alpha=request.options.alpha, seed=request.options.seed)
    *sections, method_section = meta_sections(meta.run(meta_input, options, EngineOptions()))
    yield from (*sections, replace(method_section, folded=True))
