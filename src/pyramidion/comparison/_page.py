"""The report page of a comparison: conclusion, ranking, figures, tables, method."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from pyramidion.collection import Collection, ScoreMatrix
from pyramidion.comparison._charts import (
    OUTCOME_PARTS,
    method_note,
    outcome_counts,
    pair_arrays,
    score_matrix_picture,
    significance_picture,
    topics_picture,
)
from pyramidion.comparison._compare import CompareOptions
from pyramidion.comparison._conclusion import NOT_EQUAL, UNDECIDED
from pyramidion.comparison._gate import GateOptions
from pyramidion.comparison._result import ComparisonResult
from pyramidion.comparison._robustness import RobustnessOptions
from pyramidion.comparison._sequential import SequentialOptions
from pyramidion.comparison._view import (
    CompareInput,
    Comparisons,
    WithJudge,
    can_rank_topics,
    compare,
    comparison_name,
    counts_table,
    pairs_table,
    ranking_table,
    signature_of,
)
from pyramidion.comparison.procedures import CORRECTION_TEXTS, describe_test
from pyramidion.engine.engines import EngineOptions
from pyramidion.questions import Options, Presets, load_plugins, option, question
from pyramidion.rendering.assets import read_page_file
from pyramidion.rendering.charts.bars import bar_marks
from pyramidion.rendering.charts.picture import MAX_TILES, NumberLine, Picture, interval_marks
from pyramidion.rendering.charts.rows import KIND_STYLES
from pyramidion.rendering.charts.tiles import PairArrays
from pyramidion.rendering.labels import counted, escape
from pyramidion.rendering.page import (
    HtmlPage,
    Section,
    folded_block,
    paragraph,
    picture_block,
    table_block,
)
from pyramidion.rendering.table import Table
from pyramidion.stats import kendall
from pyramidion.stats.mean_intervals import MeanMethod

V = TypeVar("V")

# Further rankings are folded; more topics are not drawn.
_MAX_OPEN_MEASURES, _MAX_TOPICS = 3, 500
_TOO_MANY_NOTE = "There are too many to draw here; `pyramidion compare --figures` draws them."
#: The outcomes of a system's pairs, in the order of `OUTCOME_PARTS`.
_OUTCOME_NAMES = ("beats", "equivalent", "undecided", "loses to", "p undefined")
# Width and height of the pictures in the ranking, in inches.
_INTERVAL_SIZE, _BAR_SIZE = (1.25, 0.15), (1.0, 0.15)

_OUTER_INTERVAL_TEXT = (
    "Intervals of means treat topics as a sample; each end is the outer one of the t interval and "
)
_INTERVAL_TEXTS: dict[MeanMethod, str] = {
    "t": "Intervals of means are t intervals.",
    "wilson": "Intervals of shares are Wilson's score intervals (Wilson 1927).",
    "rating": f"{_OUTER_INTERVAL_TEXT}that of half a further score at the end of the scale "
    "(beta quantiles).",
    "scale": f"{_OUTER_INTERVAL_TEXT}Wilson's interval (Wilson 1927), generalized to the scale.",
    "skewness": f"{_OUTER_INTERVAL_TEXT}the t interval adjusted for skewness (Johnson 1978).",
}


@dataclass(frozen=True, slots=True)
class PageOptions(Options):
    """Title and further sections of the page."""

    title: str = option("", "Title of the report; by default, it describes the comparison.")
    human: tuple[str, ...] = option(
        (), "Human measures, comma-separated; adds a section that compares the metrics with them.",
        metavar="MEASURE",
    )  # fmt: skip
    metrics: tuple[str, ...] = option(
        (), "Metrics to judge, comma-separated; every other measure by default.",
        flags=("--metric",), metavar="MEASURE", code=True,
    )  # fmt: skip
    assessors: bool = option(
        False, "Add a section that checks the assessors.", flags=("--assessors",)
    )


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """The input and options of a report page, for packages that add sections to it."""

    collection: Collection
    source: CompareInput
    options: CompareOptions
    page: PageOptions


@question
def report(source: CompareInput, options: CompareOptions, page: PageOptions) -> HtmlPage:
    """Write a self-contained HTML report: conclusion, ranking, figures, tables, methods.

    Metrics named with -m that are not in the table are computed. --human adds a section that
    evaluates them as `pyramidion meta` does, and --assessors one that checks the assessors as
    `pyramidion assessors` does.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> page = report(load_demo(), measures="readability", tasks="A")
    >>> page.title
    'The Pyramidion demonstration collection: 8 systems by readability, task A'
    >>> page.to_html().count("<figure")
    3
    """
    groups = {
        "judging": WithJudge(), "sequential": SequentialOptions(), "gating": GateOptions(),
        "robustness": RobustnessOptions(), "options": options, "engine": EngineOptions(),
        "presets": Presets(),
    }  # fmt: skip
    if source.other is not None or (isinstance(source.source, ScoreMatrix) and not page.human):
        comparison = compare.run(source=source, **groups)
        return comparison_page(comparison, name="", title=page.title)
    names = (*source.measures, *page.human, *page.metrics)
    collection = source.scored(*names, requested_only=bool(source.measures))
    if page.human and source.measures:
        # Measures named with -m are both evaluated against the human ones and compared.
        page = replace(page, metrics=page.metrics or source.measures)
        source = replace(source, measures=tuple(dict.fromkeys((*page.human, *source.measures))))
    source = replace(source, source=collection, exclude=())
    request = ReportRequest(collection, source, options, page)
    sections = [section for _, add in load_plugins("report_sections") for section in add(request)]
    comparison = compare.run(source=source, **groups)
    human_names = (name for name in collection.human_measures if name not in page.metrics)
    human_measures = tuple(dict.fromkeys((*page.human, *human_names)))
    return comparison_page(
        _human_measures_first(comparison, human_measures), name=collection.name, title=page.title,
        added_sections=sections, human_measures=human_measures,
    )  # fmt: skip


def _human_measures_first(comparisons: Comparisons, human_measures: Sequence[str]) -> Comparisons:
    """Put the comparisons by human measures before those by metrics."""
    rank_by_measure = {measure: index for index, measure in enumerate(human_measures)}
    order = sorted(
        range(len(comparisons)),
        key=lambda n: rank_by_measure.get(comparisons[n].measure, len(rank_by_measure)),
    )
    values = [comparisons[index] for index in order]
    return replace(comparisons, values=values, matrices=[comparisons.matrices[n] for n in order])


def comparison_page(
    comparisons: Comparisons,
    *,
    name: str,
    title: str = "",
    added_sections: Sequence[Section] = (),
    human_measures: Sequence[str] = (),
) -> HtmlPage:
    """Make the page of a comparison; rankings by metrics are folded if people judged."""
    results = comparisons.values
    is_only, blocks_by_result = (
        len(results) == 1,
        (tuple(_result_blocks(comparisons, n)) for n in range(len(results))),
    )
    is_judged = any(result.measure in human_measures for result in results)
    rankings = [
        Section(
            _heading(result, results), content,
            index >= _MAX_OPEN_MEASURES or (is_judged and result.measure not in human_measures),
                is_only,
        )
        for index, (result, content) in enumerate(zip(results, blocks_by_result, strict=True))
    ]  # fmt: skip
    left_out = (paragraph(f"Left out: {line}.", soft=True) for line in comparisons.left_out)
    counts = table_block(replace(counts_table(results), note=""))
    method_section = Section("Method", (*map(paragraph, method_text(results)), *left_out))
    n_topics = max(len(matrix.topics) for matrix in comparisons.matrices)
    return HtmlPage(
        title or page_title(name, results),
        (*rankings, Section("Which systems differ", (counts,)), *added_sections, method_section),
        lead="; ".join(dict.fromkeys((counted(n_topics, "topic"), *map(method_note, results))))
        + ".",
        signature=str(comparisons.signature),
        opening=_conclusions(results, human_measures),
    )


def page_title(name: str, results: Sequence[ComparisonResult]) -> str:
    """Describe what is compared: the data, how many systems, by which measures."""
    n_systems = max(len(result.systems) for result in results)
    measures = list(dict.fromkeys(result.measure for result in results if result.measure))
    tasks = list(dict.fromkeys(result.task for result in results if result.task))
    measure_names = " and ".join(measures) if len(measures) < 3 else f"{len(measures)} measures"
    task = f", task{'s' if len(tasks) > 1 else ''} {' and '.join(tasks)}" if tasks else ""
    prefix = f"{name}: " if name else ""
    suffix = task if len(tasks) < 3 else ""
    return f"{prefix}{counted(n_systems, 'system')} by {measure_names or 'score'}{suffix}"


def _heading(result: ComparisonResult, results: Sequence[ComparisonResult]) -> str:
    """Name a comparison, with its test if there are several."""
    name = comparison_name(result)
    return (
        name if len({any_result.test for any_result in results}) > 1 else name.rpartition(": ")[0]
    )


def _conclusions(results: Sequence[ComparisonResult], human_measures: Sequence[str] = ()) -> str:
    """Summarize the comparisons: those by people, what metrics would have shown, and the others."""
    if len(results) == 1:
        return f"<div class=conclusion>{_sentence_html(results[0].conclusion)}</div>"
    entries = [
        f'<dt><a href="#s{number}">{escape(_heading(result, results))}</a>'
        f"<dd>{_sentence_html(result.conclusion.replace(f'{UNDECIDED}, {NOT_EQUAL}', UNDECIDED))}"
        for number, result in enumerate(results)
    ]
    n_human = sum(result.measure in human_measures for result in results)
    human_html, metric_html = (
        f"<dl>{''.join(part_entries)}</dl>" if part_entries else ""
        for part_entries in (entries[:n_human], entries[n_human:])
    )
    if human_html and metric_html:
        # Readers who trust people's scores can skip the metrics.
        metric_sentence = compare_metric_conclusions(results, human_measures)
        human_html += _sentence_html(metric_sentence) if metric_sentence else ""
        metric_html = folded_block("Conclusions by metrics", metric_html)
    first_ranks = _count_winners(results[: n_human or None])
    footnote = f"{UNDECIDED.capitalize()} {NOT_EQUAL.removeprefix('which ')}."
    parts = (first_ranks, human_html, metric_html, _sentence_html(footnote))
    return f"<div class=conclusion>{''.join(parts)}</div>"


def compare_metric_conclusions(
    results: Sequence[ComparisonResult], human_measures: Sequence[str]
) -> str:
    """Say whether the metric closest to people finds their winner and their significant pairs.

    The metric is the one whose ranking has the highest mean Kendall correlation with those by
    people, over all human measures and tasks.
    """
    human_results = [result for result in results if result.measure in human_measures]
    pairs_by_metric: dict[str, list[tuple[ComparisonResult, ComparisonResult]]] = {}
    for metric_result in results:
        if metric_result.measure not in human_measures:
            pairs = [
                (human_result, metric_result)
                for human_result in human_results
                if _is_same_test(human_result, metric_result)
            ]
            pairs_by_metric.setdefault(metric_result.measure, []).extend(pairs)
    taus = {
        name: np.mean([*map(_rank_correlation, pairs)])
        for name, pairs in pairs_by_metric.items()
        if pairs
    }
    defined_taus = {name: float(tau) for name, tau in taus.items() if not math.isnan(tau)}
    if not defined_taus:
        return ""
    best_metric = max(defined_taus, key=lambda name: defined_taus[name])
    human_winners, metric_winners = (
        {
            (n, *sorted(pair)): winner
            for n, r in enumerate(side_results)
            for pair, winner in _winners(r).items()
        }
        for side_results in zip(*pairs_by_metric[best_metric], strict=True)
    )
    shared_pairs = human_winners.keys() & metric_winners.keys()
    n_agreed = sum(human_winners[pair] == metric_winners[pair] for pair in shared_pairs)
    opposite_text = (
        f", {len(shared_pairs) - n_agreed} the other way around"
        if n_agreed < len(shared_pairs)
        else ""
    )
    n_invented = len(metric_winners.keys() - shared_pairs)
    pairs_text = (
        f"It finds {n_agreed} of people's {counted(len(human_winners), 'significant pair')}"
        f"{opposite_text}, "
        f"and {n_invented} that people do not find."
    )
    if not human_winners:
        pairs_text = f"People find no significant pair, and it finds {n_invented}."
    return (
        f"Would a metric have given the same answer? {best_metric} ranks systems most like "
        f"people do (Kendall's tau {defined_taus[best_metric]:.2f}). "
        f"{_first_systems_sentence(pairs_by_metric[best_metric])}{pairs_text}"
    )


def _first_systems_sentence(pairs: Sequence[tuple[ComparisonResult, ComparisonResult]]) -> str:
    """Compare the best machines, or systems if there are none, unless these cannot be ranked."""
    first_systems = [
        tuple(_first_machine(result) for result in pair)
        for pair in pairs
        if max(system.part for result in pair for system in result.systems) == 1
    ]
    n_same = sum(human == metric for human, metric in first_systems)
    if not first_systems:
        return ""
    if len(first_systems) > 1:
        return f"It puts the same system first in {n_same} of {len(first_systems)} comparisons. "
    (human, metric), *_ = first_systems
    return f"It puts {metric} first, {'as people do' if n_same else f'and people {human}'}. "


def _first_machine(result: ComparisonResult) -> str:
    machines = [system for system in result.systems if system.kind != "human"]
    return _system_name((machines or result.systems)[0].system)


def _system_name(system: str) -> str:
    return f"system {system}" if system.isdigit() else system


def _is_same_test(human: ComparisonResult, metric: ComparisonResult) -> bool:
    return (human.task, human.test) == (metric.task, metric.test)


def _rank_correlation(pair: tuple[ComparisonResult, ComparisonResult]) -> float:
    """Correlate the values of the systems that two comparisons share, the better the higher."""
    human, metric = (
        {s.system: s.adjusted * (-1 if r.direction == "lower" else 1) for s in r.systems}
        for r in pair
    )
    names = [name for name in human if name in metric]
    if len(names) < 2:
        return math.nan
    return kendall([human[name] for name in names], [metric[name] for name in names]).value


def _winners(result: ComparisonResult) -> dict[frozenset[str], str]:
    """Return the better system of each significant pair."""
    pairs = filter(result.decided, result.comparisons)
    return {frozenset((pair.a, pair.b)): result.favors(pair) for pair in pairs}


def _count_winners(results: Sequence[ComparisonResult]) -> str:
    """Count which systems rank first, if there are at least three comparisons."""
    n_results = len(results)
    (winner, wins), *runners_up = Counter(r.systems[0].system for r in results).most_common(4)
    if n_results < 3 or wins == 1:
        return ""
    share_text = f"all {n_results}" if wins == n_results else f"{wins} of {n_results}"
    runners_text = "".join(f", {name} in {count}" for name, count in runners_up)
    name = f"System {winner}" if winner.isdigit() else winner
    return _sentence_html(f"{name} ranks first in {share_text} comparisons{runners_text}.")


def _sentence_html(text: str) -> str:
    """Make a paragraph without line breaks between p and its value."""
    return paragraph(re.sub(r"p ([=<≤≥]) ", "p\u00a0\\1\u00a0", text))


def _result_blocks(comparisons: Comparisons, index: int) -> Iterator[str]:
    result, matrix = comparisons[index], comparisons.matrices[index]
    pairs = pair_arrays(result)
    yield table_block(
        _ranking_columns_table(result), drawings=_draw_columns(result, pairs), n_leading_columns=3
    )
    many_pairs = pairs.baseline is None and pairs.p.size > MAX_TILES
    caption = "Is the row better than the column? P-values after correction."
    yield folded_block(
        "Every pair at a glance",
        _picture_or_note(significance_picture, result, many_pairs, caption),
    )
    if comparisons.shown != "none":
        table = replace(pairs_table(result, comparisons.shown, hint=False), title="")
        yield folded_block("Pairs in numbers", table_block(table))
    yield folded_block("All scores", scores_block(matrix))
    if can_rank_topics(matrix):
        caption = "Mean ranks of topics with comparison intervals (Tukey)."
        many_topics = len(matrix.topics) > _MAX_TOPICS
        yield folded_block(
            "How hard each topic is", _picture_or_note(topics_picture, matrix, many_topics, caption)
        )
    yield paragraph(f"Signature: {signature_of(comparisons, result)}", soft=True)


def _ranking_columns_table(result: ComparisonResult) -> Table:
    """Return the ranking with the most important columns first, where a phone shows them."""
    table = replace(ranking_table(result), title="")
    trailing_columns = [
        name for name in ("kind", "low", "high", "mean", "n") if name in table.columns
    ]
    leading_columns = [name for name in table.columns if name not in trailing_columns]
    return table.take([table.columns.index(name) for name in (*leading_columns, *trailing_columns)])


def _draw_columns(result: ComparisonResult, pairs: PairArrays) -> dict[str, list[str]]:
    """Draw each system's interval, and how many others it beats and loses to."""
    systems = result.systems
    values = [v for s in systems for v in (s.adjusted, s.low, s.high) if not math.isnan(v)]
    value_range = min(values), max(values)
    level_text = (
        f"{result.confidence_level * 100:g}% interval, {value_range[0]:.3g} to {value_range[1]:.3g}"
    )
    width, height = _INTERVAL_SIZE
    scale = NumberLine(*value_range, 0.04, width - 0.08)
    columns: dict[str, list[str]] = {level_text: []}
    for system in systems:
        values_of_system = system.adjusted, system.low, system.high
        marks = interval_marks(values_of_system, scale, height / 2, KIND_STYLES[system.kind])
        columns[level_text].append(Picture("", "", [*marks], _INTERVAL_SIZE).to_inline())
    if pairs.baseline is None:
        counts = outcome_counts(pairs)
        outcome_names = [
            word for word, total in zip(_OUTCOME_NAMES, counts.sum(axis=0), strict=True) if total
        ]
        columns[", ".join(outcome_names)] = [_draw_outcome_bar(row) for row in counts.tolist()]
    return columns


def _draw_outcome_bar(counts: list[int]) -> str:
    description = ", ".join(f"{word} {n}" for word, n in zip(_OUTCOME_NAMES, counts, strict=True))
    width, height = _BAR_SIZE
    scale = NumberLine(0, sum(counts) or 1, 0, width)
    marks = [*bar_marks(counts, OUTCOME_PARTS, scale, height / 2, height, size=8)]
    return Picture(description, "", marks, _BAR_SIZE).to_inline()


def _picture_or_note(
    draw: Callable[[V], Picture], value: V, is_too_large: bool, caption: str
) -> str:
    return paragraph(_TOO_MANY_NOTE) if is_too_large else picture_block(draw(value), caption)


def scores_block(matrix: ScoreMatrix) -> str:
    """Draw all scores, topics down by difficulty, systems in the order of the ranking."""
    caption = "Scores: topics by difficulty, systems by their means, people separately."
    return _picture_or_note(score_matrix_picture, matrix, matrix.values.size > MAX_TILES, caption)


def method_text(results: Sequence[ComparisonResult]) -> Iterator[str]:
    """Describe how systems were compared, with references."""
    first_result = results[0]
    pairing_text = (
        "Each pair of systems was compared on the topics for which both have a score; a topic is "
        "a block. Scores of several assessors of a summary were averaged. "
    )
    intervals = dict.fromkeys(_INTERVAL_TEXTS[result.interval_method] for result in results)
    paragraphs = [("" if first_result.model else pairing_text) + " ".join(intervals)]
    if first_result.clusters:
        cluster_text = "signs were changed, topics resampled and variances estimated by cluster"
        random_text = "clusters and their interactions with systems are random effects"
        paragraphs[0] += (
            f" Topics belong to {first_result.clusters} clusters: "
            f"{random_text if first_result.model else cluster_text}."
        )
    for test in dict.fromkeys(result.test for result in results):
        paragraphs.append(f"{test}: {describe_test(test).method}.")
    if any(result.continuity for result in results):
        paragraphs[-1] += " W was moved half a unit towards its mean (continuity correction)."
    n_resamples = max(result.n_resamples for result in results)
    resampling_text = f" Resampled p-values use {n_resamples:,} resamples." if n_resamples else ""
    correction_text = CORRECTION_TEXTS[first_result.correction].method
    if first_result.family == "measures":
        correction_text += ", over all measures and tasks together"
    paragraphs.append(
        f"{correction_text[0].upper()}{correction_text[1:]}; alpha = {first_result.alpha:g}."
        f"{resampling_text} Uncorrected counts are also given, for comparison with older work."
    )
    if first_result.margin is not None:
        holm_text = (
            "" if first_result.correction in ("bh", "none") else ", corrected by Holm's procedure"
        )
        paragraphs.append(
            f"Two systems are called equivalent if two one-sided tests{holm_text} show that their "
            f"difference is within {first_result.margin:g}{first_result.unit} (Schuirmann 1987). "
            "Pairs that are neither different nor equivalent are undecided."
        )
    yield from paragraphs
    text = " ".join(paragraphs)
    citation_lines = (line.split("\t") for line in read_page_file("citations.txt").splitlines())
    yield from (source for name, source in citation_lines if name in text)
