"""Agreement of metrics and people on which systems differ: the question `verdicts`."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.collection import full_measure_name
from pyramidion.comparison.common import joined, known_mean
from pyramidion.comparison.measure_tables import (
    EXACTLY_HELP,
    MetaInput,
    MetaTables,
    Peers,
    scope_name,
)
from pyramidion.comparison.procedures import RESAMPLING_TESTS
from pyramidion.errors import InputError
from pyramidion.meta_evaluation._agreement import (
    Agreement,
    Costs,
    VerdictOptions,
    silent_utility,
    verdict_utility,
)
from pyramidion.meta_evaluation._significance import (
    Combination,
    CombineBy,
    SignificanceStudy,
    agreement_intervals,
    combine,
    pooled_agreements,
    require_pairs,
    study_significance,
    top_systems,
)
from pyramidion.questions import Options, Presets, option, question
from pyramidion.questions.common import resamples_option
from pyramidion.questions.options import split_names
from pyramidion.rendering.charts.bars import BarPart, bars_picture
from pyramidion.rendering.charts.curves import Panel, Series, panels_figure
from pyramidion.rendering.charts.layout import PAD, Space, text_width
from pyramidion.rendering.charts.picture import Picture
from pyramidion.rendering.charts.style import (
    BLUE,
    GRAY,
    INK,
    VERMILLION,
)
from pyramidion.rendering.labels import counted, short_name, short_names
from pyramidion.rendering.result import Chart, FiguresResult, signed
from pyramidion.rendering.table import Cell, Table
from pyramidion.rendering.view import Column, View, columns, data, shown
from pyramidion.stats.inputs import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL_INCHES = 3.8
_MAX_LABELED_METRICS, _MAX_LINKED_POINTS = 8, 300
_COMBINED_STYLE: dict[str, Any] = {"linestyle": "", "markersize": 5}

#: Kinds of verdicts: names, and colors of bars and of the numbers in them.
_VERDICT_PARTS = (
    BarPart("difference found", "h2", "on"),
    BarPart("no difference, rightly", "u", "ink"),
    BarPart("missed", "l1", "ink"),
    BarPart("false", "l2", "on"),
    BarPart("reversed", "l3", "on"),
)


def verdict_kinds_picture(
    agreements: Mapping[str, Agreement], *, human: str, note: str = ""
) -> Picture:
    """Draw the kinds of verdicts of each metric as bars: right ones first, then errors."""
    if not agreements:
        raise InputError("there are no metrics to draw", hint="judge at least one")
    rows = list(agreements.values())
    counts = [(a.tp - a.direction_conflicts, a.tn, a.fn, a.fp, a.direction_conflicts) for a in rows]
    accuracies = {
        "accuracy": [row.accuracy for row in rows],
        "balanced": [row.balanced_accuracy for row in rows],
    }
    return bars_picture(
        short_names(agreements), np.array(counts), _VERDICT_PARTS,
        title=f"Verdicts on pairs of systems compared with those by {human}", note=note,
        label="pairs of systems",
        columns=[
            (heading, ["–" if np.isnan(value) else f"{value:.2f}" for value in values])
            for heading, values in accuracies.items()
        ],
    )  # fmt: skip


def combination_figure(
    combinations: Sequence[Combination], *, human: str, note: str = ""
) -> "Figure":
    """Draw precision against recall of combined metrics, linked to those with one metric fewer."""
    drawn_combinations = [c for c in combinations if not np.isnan(c.point).any()]
    if n_undefined := len(combinations) - len(drawn_combinations):
        note += f"; {counted(n_undefined, 'combination')} find nothing and are not drawn"
    if not drawn_combinations:
        hint = "there may be no significant differences at all"
        raise InputError("precision or recall is undefined for every combination", hint=hint)
    single_metrics = [c for c in drawn_combinations if len(c.metrics) == 1]
    combined_metrics = [c for c in drawn_combinations if len(c.metrics) > 1]
    labeled_points = (
        {c.metrics[0]: c.point for c in single_metrics}
        if len(single_metrics) <= _MAX_LABELED_METRICS
        else {}
    )
    styles = [
        {**_COMBINED_STYLE, "color": VERMILLION, "marker": "D", "label": "one metric"},
        {**_COMBINED_STYLE, "color": BLUE, "marker": "o", "label": "a combination"},
    ]
    lines: list[Series] = []
    if len(drawn_combinations) <= _MAX_LINKED_POINTS:
        styles.append({"color": GRAY, "linewidth": 0.6, "label": "one metric more"})
        lines += _link_lines(drawn_combinations)
    for marked_combinations, style in (
        (combined_metrics, {**styles[1], "markersize": 4}),
        (single_metrics, styles[0]),
    ):
        if marked_combinations:
            recall, precision = zip(*(c.point for c in marked_combinations), strict=True)
            lines.append(Series(recall, precision, {**style, "alpha": 0.85}))
    panel = Panel(
        lines,
        scale={"xlabel": "recall", "ylabel": "precision"},
        margins={"x": 0.08, "y": 0.08},
        more=partial(_write_names, points=labeled_points),
    )
    return panels_figure(
        [panel],
        title=f"Metrics that must all agree, compared with {human}",
        note=note.removeprefix("; "),
        side=(_PANEL_INCHES, _PANEL_INCHES),
        space=Space(
            left=PAD + 0.55,
            right=PAD + text_width(map(short_name, labeled_points), size=8),
            above=0.12,
        ),
        legend=styles,
    )


def _link_lines(combinations: Sequence[Combination]) -> Iterator[Series]:
    style = {"color": GRAY, "linewidth": 0.4, "alpha": 0.5, "zorder": 1}
    points = {frozenset(c.metrics): c.point for c in combinations}
    for members, point in points.items():
        for member in members:
            if smaller_point := points.get(members - {member}):
                recall, precision = zip(point, smaller_point, strict=True)
                yield Series(recall, precision, style)


def _write_names(axes: "Axes", points: Mapping[str, tuple[float, float]]) -> None:
    for name, point in points.items():
        axes.annotate(
            short_name(name), point, (6, 0), textcoords="offset points", va="center",
            size=8, color=INK, annotation_clip=False, zorder=5,
            bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.5},
        )  # fmt: skip


#: Explains the columns of an agreement.
AGREEMENT_NOTE = (
    "Without significance: how often the means agree on the better system. Balanced accuracy is "
    "(recall + specificity) / 2; the dissertation's Tables 7.4 and 7.5 print the mean predictive "
    "value instead. Conflicts: significant for both in opposite directions, also counted in tp."
)

#: The ratios of an agreement, and their headings.
RATIO_TITLES: Mapping[str, str] = {
    "accuracy": "accuracy",
    "order_accuracy": "without significance",
    "precision": "precision",
    "recall": "recall",
    "balanced_accuracy": "balanced accuracy",
    "mean_predictive_value": "mean predictive value",
}


@dataclass(frozen=True, slots=True)
class AgreementOptions(Options):
    """Which verdicts are compared, on which pairs of systems."""

    top: tuple[int | str, ...] = option(
        ("30", "all"), "Number of best systems by human mean to include, or all; several numbers "
        "comma-separated. Ties with the last one are included.", metavar="NUMBERS",
    )  # fmt: skip
    exactly: bool = option(False, EXACTLY_HELP, flags=("--exactly",))
    peers: Peers = option("machines", "Systems to include: machines, or all (people as well).")
    combine: tuple[str, ...] = option(
        (), "Also evaluate every subset of these metrics, comma-separated; a subset finds a "
        "difference if all its metrics do.", metavar="METRICS",
    )  # fmt: skip
    combine_by: CombineBy = option(
        "direction", "What combined metrics must agree on: the direction of a significant "
        "difference, or its significance alone.",
    )  # fmt: skip
    costs: Costs | str = option(
        "missed=1,false=1,reversed=2", "Cost of each kind of verdict; found and neither cost 0 "
        "unless they are listed.", metavar="TEXT",
    )  # fmt: skip
    n_resamples: int = resamples_option(
        1000,
        "Number of bootstrap resamples of systems for the intervals; 0 for no intervals.",
        min=0,
    )

    def check(self) -> None:
        """Check the numbers of systems and the costs."""
        _ = self.tops, self.price

    @property
    def tops(self) -> tuple[int | None, ...]:
        """The distinct numbers of systems; None for all."""
        words = [word for part in self.top for word in split_names(str(part))] or ["all"]
        for word in words:
            if word != "all" and not (word.isdecimal() and int(word)):
                raise InputError(f"the number of top systems is {word!r}", hint="try --top 30,all")
        return tuple(dict.fromkeys(None if word == "all" else int(word) for word in words))

    @property
    def price(self) -> Costs:
        """The costs as numbers."""
        return self.costs if isinstance(self.costs, Costs) else Costs.parse(self.costs)


@dataclass(frozen=True, slots=True, eq=False)
class VerdictGroup:
    """Verdicts for one manual measure and choice of systems, over tasks and years."""

    human: str
    top: int | None
    studies: tuple[SignificanceStudy, ...]
    combined: tuple[Combination, ...] = ()
    intervals: Mapping[str, Mapping[str, Interval]] = field(default_factory=dict)
    options: AgreementOptions = field(default_factory=AgreementOptions)

    @property
    def agreements(self) -> dict[str, Agreement]:
        """Each metric's agreement over all tasks and years."""
        return pooled_agreements(self.studies)

    @property
    def part(self) -> str:
        """The choice of systems, and the task if there is only one."""
        rules = list(dict.fromkeys(study.chosen.rule for study in self.studies))
        if len(self.studies) > 1:
            rule_text = rules[0] if len(rules) == 1 else f"{rules[0]} and the like"
            return f"{len(self.studies)} tasks together, {rule_text}"
        (study,) = self.studies
        scope = scope_name("", study.task, study.collection)
        return ", ".join(part for part in (scope, *rules) if part)

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """The key of its tables."""
        return (("human", self.human), ("part", self.part))

    @property
    def pooled(self) -> "list[MetricVerdicts]":
        """Each metric over all tasks and years."""
        return [
            MetricVerdicts(self, (name,), agreement) for name, agreement in self.agreements.items()
        ]

    @property
    def ranked(self) -> "list[MetricVerdicts]":
        """Each metric over all tasks and years, the best first."""
        return sorted(self.pooled, key=balanced_accuracy_key)


@dataclass(frozen=True, slots=True, eq=False)
class MetricVerdicts:
    """Agreement of a metric, or a combination, with a manual measure.

    `study` is the task and year, or None for all together.
    """

    group: VerdictGroup
    metrics: tuple[str, ...]
    agreement: Agreement
    study: SignificanceStudy | None = None

    @property
    def metric(self) -> str:
        """The metrics joined by plus signs."""
        return " + ".join(self.metrics)

    @property
    def test(self) -> VerdictOptions:
        """The test of pairs."""
        return self.group.studies[0].options

    @property
    def intervals(self) -> Mapping[str, Interval]:
        """Intervals of the ratios; none for one of several tasks."""
        is_single = self.study is None or len(self.group.studies) == 1
        return self.group.intervals.get(self.metric, {}) if is_single else {}

    @property
    def utility(self) -> float:
        """The mean utility of a pair's verdict."""
        return verdict_utility(self.agreement, self.group.options.price)


VERDICTS_VIEW: View[MetricVerdicts] = View(
    "verdicts",
    (
        *columns(human="", of="group"),
        *columns(metric="", metrics=""),
        *columns(top="", of="group"),
        data("task", lambda row: row.study.task if row.study else ""),
        data("collection", lambda row: row.study.collection if row.study else ""),
        data("pooled", lambda row: row.study is None),
        data("systems", lambda row: row.study.chosen.systems),
        data("rule", lambda row: row.study.chosen.rule if row.study else row.group.part),
        data("test", attrgetter("test.label")),
        data("correction", attrgetter("test.effective_correction")),
        *columns(alpha="", of="test"),
        data("agreement", lambda row: row.agreement.record()),
        data("intervals", lambda row: {n: [i.low, i.high] for n, i in row.intervals.items()}),
        data("utility"),
    ),
)

SIGNIFICANCE_VIEW: View[SignificanceStudy] = View(
    "significance",
    (
        Column("human", "human", lambda study: study.manual.measure),
        Column("collection", "collection", lambda study: study.collection or "–"),
        Column("task", "task", lambda study: study.task or "–"),
        Column("systems", "systems", lambda study: study.chosen.rule),
        *columns("topics", "pairs", "significant"),
    ),
)


_METRIC_COLUMN: Column[MetricVerdicts] = Column("metric", "metric")
_PAIRS_COLUMNS = columns(of="agreement", n="pairs")
_RATIO_COLUMNS = columns(of="agreement", **RATIO_TITLES)
_CONFLICT_COLUMNS = columns(of="agreement", direction_conflicts="conflicts")

AGREEMENT_VIEW: View[MetricVerdicts] = View(
    "agreement",
    (
        _METRIC_COLUMN,
        *_PAIRS_COLUMNS,
        *_RATIO_COLUMNS,
        *columns("tp", "fp", "fn", "tn", of="agreement"),
        *_CONFLICT_COLUMNS,
    ),
    digits=2,
)
COMBINATIONS_VIEW: View[MetricVerdicts] = View(
    "combinations",
    (Column("metric", "all of"), *_PAIRS_COLUMNS, *_RATIO_COLUMNS, *_CONFLICT_COLUMNS),
    digits=2,
)
KINDS_VIEW: View[MetricVerdicts] = View(
    "kinds",
    (
        _METRIC_COLUMN,
        shown("found", lambda row: row.agreement.tp - row.agreement.direction_conflicts),
        *columns(of="agreement", direction_conflicts="reversed", fn="missed", fp="false"),
        *columns(of="agreement", tn="neither"),
        Column("utility", "utility"),
    ),
    digits=3,
)


@question
def verdicts(
    source: MetaInput, options: AgreementOptions, test: VerdictOptions, presets: Presets
) -> FiguresResult[MetricVerdicts]:
    """Show how well metrics and people agree on which systems differ significantly.

    Every pair of the best systems is tested twice, on the human scores and on the metric's. The
    defaults are those of the dissertation's chapter 7. If the table has a column `collection` (a
    year), results are for each year and task, and for all together.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> rng = np.random.default_rng(1)
    >>> rows = [
    ...     (f"T{topic}", system, "machine", measure, system + 3 * rng.normal())
    ...     for topic in range(20) for system in range(8) for measure in ("overall", "metric")
    ... ]
    >>> frame = pd.DataFrame(rows, columns=["topic", "system", "kind", "measure", "value"])
    >>> result = verdicts(frame, human="overall")
    >>> agreement = result[0].agreement
    >>> agreement.n, round(agreement.precision, 2), round(agreement.recall, 2)
    (28, 0.78, 0.88)
    """
    collection, tables = source.read()
    tables, skipped_notes = _testable_groups(tables, options.peers)
    groups = verdict_groups(tables, options, test)
    study_notes = (note for group in groups for study in group.studies for note in study.left_out)
    missing_metric_notes = (
        note for table in tables for note in table.left_out if "no scores there" in note
    )
    signature = signed(
        f"verdicts({test.label})", collection.data_hash, test.seed,
        human=joined(group.human for group in groups), exclude=joined(source.exclude),
        metrics=len({name for group in groups for name in group.agreements}),
        top=joined(str(group.top or "all") for group in groups),
        exactly="yes" * options.exactly,
        peers=options.peers, correction=test.effective_correction, alpha=f"{test.alpha:g}",
        costs=options.price, n=test.n_test_resamples if test.test in RESAMPLING_TESTS else "",
        resamples=options.n_resamples or "",
        combine_by=options.combine_by if options.combine_by != "direction" else "",
        **presets.details,
    )  # fmt: skip
    return FiguresResult(
        command="verdicts",
        signature=signature,
        values=[row for group in groups for row in _verdict_rows(group)],
        record=lambda row: VERDICTS_VIEW.record(row, exclude=() if row.study else ("systems",)),
        tables=list(_tables(groups)),
        left_out=(
            *collection.left_out,
            *skipped_notes,
            *dict.fromkeys((*missing_metric_notes, *study_notes)),
        ),
        charts=[chart for group in groups for chart in _charts(group)],
    )


def _testable_groups(
    tables: Sequence[MetaTables], peers: Peers
) -> tuple[list[MetaTables], tuple[str, ...]]:
    """Skip tasks with fewer than two judged systems, unless there is no other; list them."""
    testable_tables, skipped_notes = list[MetaTables](), list[str]()
    for table in tables:
        try:
            require_pairs(table, top_systems(table, peers=peers), peers)
            testable_tables.append(table)
        except InputError as error:
            skipped_notes.append(f"verdicts of {error.what}")
    # With nothing to test, the first study reports the error.
    return (testable_tables, tuple(skipped_notes)) if testable_tables else (list(tables), ())


def verdict_groups(
    tables: Sequence[MetaTables], options: AgreementOptions, test: VerdictOptions
) -> list[VerdictGroup]:
    """Study the pairs of the top systems, for each manual measure and choice of systems."""
    groups: list[VerdictGroup] = []
    for human in dict.fromkeys(table.human for table in tables):
        human_tables = [table for table in tables if table.human == human]
        seen_system_sets: list[list[tuple[str, ...]]] = []
        for n_top in options.tops:
            studies = [
                study_significance(
                    table, options=test, top=n_top, peers=options.peers, exactly=options.exactly
                )
                for table in human_tables
            ]
            system_sets = [study.chosen.systems for study in studies]
            if system_sets in seen_system_sets:
                continue
            seen_system_sets.append(system_sets)
            metrics = {name for study in studies for name in study.metrics}
            names = [full_measure_name(name, metrics) for name in options.combine]
            combined_studies = (
                combine(studies, names, combine_by=options.combine_by) if names else ()
            )
            n_resamples = options.n_resamples
            intervals = (
                agreement_intervals(studies, n_resamples=n_resamples, seed=test.seed)
                if n_resamples
                else {}
            )
            includes_all = all(study.chosen.rule.startswith("all") for study in studies)
            shown_top = None if includes_all else n_top
            groups.append(
                VerdictGroup(human, shown_top, tuple(studies), combined_studies, intervals, options)
            )
    return groups


def _verdict_rows(group: VerdictGroup) -> Iterator[MetricVerdicts]:
    """Yield a row for each metric and task, then for all tasks, then for combinations."""
    for study in group.studies:
        for metric, agreement in study.agreements.items():
            yield MetricVerdicts(group, (metric,), agreement, study)
    if len(group.studies) > 1:
        yield from group.pooled
    yield from (
        MetricVerdicts(group, c.metrics, c.agreement) for c in group.combined if len(c.metrics) > 1
    )


def _tables(groups: Sequence[VerdictGroup]) -> Iterator[Table]:
    yield significance_table([study for group in groups for study in group.studies])
    for group in groups:
        if len(group.studies) > 1:
            yield from block_tables(group)
        yield agreement_table(group, note=AGREEMENT_NOTE if group is groups[0] else "")
        yield kinds_table(group)
        if group.intervals:
            yield interval_table(group)
        if group.combined:
            yield combination_table(group)


def significance_table(studies: Sequence[SignificanceStudy]) -> Table:
    """Count significant differences by the manual measure, as Table 7.1 does."""
    options = studies[0].options
    correction = options.effective_correction
    method = "uncorrected" if correction == "none" else f"corrected by {correction}"
    note = f"Pairs significantly different at {options.alpha:g} under {options.label}, {method}."
    return SIGNIFICANCE_VIEW.table(studies, "Significant differences by people", note)


def balanced_accuracy_key(row: MetricVerdicts) -> tuple[bool, float]:
    """Return a sort key: the best balanced accuracy first, undefined ones last."""
    value = row.agreement.balanced_accuracy
    return math.isnan(value), -value


def agreement_table(group: VerdictGroup, note: str = "") -> Table:
    """Show each metric's agreement with a manual measure, as Table 7.3 does."""
    title = f"Agreement with {group.human}: {group.part}"
    return AGREEMENT_VIEW.table(group.ranked, title, note, key=group.key)


def block_tables(group: VerdictGroup) -> Iterator[Table]:
    """Show each ratio of every metric (rows) in every task and year (columns), as in Table 7.5."""
    agreements_by_study = [study.agreements for study in group.studies]
    names = [study.block or "–" for study in group.studies]
    for ratio, title in RATIO_TITLES.items():
        rows = []
        for row in group.ranked:
            study_agreements = (
                agreement_by_metric.get(row.metric) for agreement_by_metric in agreements_by_study
            )
            ratios = [float(getattr(agreement, ratio, math.nan)) for agreement in study_agreements]
            rows.append((row.metric, *ratios, known_mean(ratios), getattr(row.agreement, ratio)))
        yield Table(
            ("metric", *names, "mean", "pooled"), tuple(rows),
            f"{title.capitalize()} with {group.human}: {group.part}",
            "Mean: over the tasks in which it is defined. Pooled: of all pairs together.",
            2, (("human", group.human), ("ratio", ratio)), "tasks",
        )  # fmt: skip


def kinds_table(group: VerdictGroup) -> Table:
    """Show the kinds of verdicts, and their utility, the best first."""
    rows = sorted(group.pooled, key=lambda row: (math.isnan(row.utility), -row.utility))
    costs = group.options.price
    utility = silent_utility(rows[0].agreement, costs)
    note = (
        f"Utility of a pair at costs {costs}; that of never finding a difference is {utility:.3f}."
    )
    title = f"Kinds of verdicts compared with {group.human}: {group.part}"
    return KINDS_VIEW.table(rows, title, note, key=group.key)


def combination_table(group: VerdictGroup) -> Table:
    """Show combinations of metrics, as Table 7.4 does."""
    rows = (MetricVerdicts(group, c.metrics, c.agreement) for c in group.combined)
    heading = "Combinations of metrics that must all agree with each other"
    note = "A difference counts if every metric finds it in the same direction."
    if group.options.combine_by == "significance":
        note = (
            "A difference counts if every metric finds it, in whichever direction; if the "
            "directions differ and people find one, it is a conflict."
        )
    table_rows, title = (
        sorted(rows, key=balanced_accuracy_key),
        f"{heading}, {group.human}: {group.part}",
    )
    exclude = (RATIO_TITLES["order_accuracy"],)
    return COMBINATIONS_VIEW.table(table_rows, title, note, exclude=exclude, key=group.key)


def interval_table(group: VerdictGroup) -> Table:
    """Show intervals of the ratios, over draws of systems."""
    intervals = {
        metric: [row[name] for name in RATIO_TITLES] for metric, row in group.intervals.items()
    }
    column_names = tuple(
        f"{title} {end}" for title in RATIO_TITLES.values() for end in ("low", "high")
    )
    interval_rows: tuple[tuple[Cell, ...], ...] = tuple(
        (metric, *(end for i in row for end in (i.low, i.high)))
        for metric, row in intervals.items()
    )
    level = next(iter(intervals.values()))[0].confidence_level
    title = f"{level:.0%} intervals of the agreement with {group.human}: {group.part}"
    note = "Systems are resampled; topics, and therefore verdicts, are not."
    file_table = Table(
        ("metric", *column_names), interval_rows, title, note, key=group.key, name="intervals"
    )
    rows = tuple(
        (metric, *(None if math.isnan(i.low) else f"[{i.low:.2f}, {i.high:.2f}]" for i in row))
        for metric, row in intervals.items()
    )
    return file_table.with_variants(columns=("metric", *RATIO_TITLES.values()), rows=rows, heads=1)


def kinds_chart(group: VerdictGroup, *key: str) -> Chart:
    """Draw the kinds of verdicts of each metric."""
    agreement_by_metric = {row.metric: row.agreement for row in group.ranked}
    draw = partial(
        verdict_kinds_picture, agreement_by_metric, human=group.human, note=_chart_note(group)
    )
    caption = "Pairs of systems by what the metric says and what people say."
    return Chart("verdicts", draw, caption, key)


def _charts(group: VerdictGroup) -> Iterator[Chart]:
    key = (group.human, "all" if group.top is None else f"top{group.top}")
    yield kinds_chart(group, *key)
    if any(combination.agreement.tp for combination in group.combined):
        caption = "Precision and recall when several metrics must find a difference."
        note = _chart_note(group)
        draw = partial(combination_figure, group.combined, human=group.human, note=note)
        yield Chart("combinations", draw, caption, key)


def _chart_note(group: VerdictGroup) -> str:
    options = group.studies[0].options
    note = f"{group.part}; {options.label}, α = {options.alpha:g}"
    if options.effective_correction != "none":
        note += f", corrected by {options.effective_correction}"
    return note
