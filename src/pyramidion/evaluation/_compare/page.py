"""The page about a comparison: conclusion, ranking, figures, tables, method."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pyramidion.collection import Collection, ScoreMatrix
from pyramidion.collection._options import option
from pyramidion.collection._questions import Options, question
from pyramidion.engine._engines import EngineOptions
from pyramidion.evaluation._compare.charts import (
    method_note,
    ordered_topics,
    outcome_counts,
    pair_arrays,
    ranked_topics,
    score_limits,
    tukey_rows,
)
from pyramidion.evaluation._compare.compare import CompareOptions
from pyramidion.evaluation._compare.conclusion import NOT_EQUAL, UNDECIDED
from pyramidion.evaluation._compare.result import ComparisonResult
from pyramidion.evaluation._compare.view import (
    Compared,
    Comparisons,
    WithJudge,
    can_rank_topics,
    compare,
    counts_table,
    name_of,
    pairs_table,
    ranking_table,
    signature_of,
)
from pyramidion.evaluation._procedures import CORRECTION_TEXTS, TEST_TEXTS
from pyramidion.report.charts.tiles import PairArrays, pair_codes
from pyramidion.report.labels import counted, escape, shown_p
from pyramidion.report.page import (
    HtmlPage,
    Section,
    figure_block,
    fold,
    page_file,
    paragraph,
    table_block,
)
from pyramidion.report.svg import interval_mark, key, parts_bar, rows_picture, tiles_picture
from pyramidion.report.table import Table
from pyramidion.stats._mean_intervals import MeanMethod

# More rankings than these are folded, and more tiles than these are not drawn.
_MOST_OPEN, _MOST_TILES, _MOST_TOPICS, _MOST_WITH_NUMBERS = 3, 20_000, 500, 14
_TOO_MANY = "There are too many to draw here; `pyramidion compare --figures` draws them."
#: Colors of a pair's code: better by level, worse by level, equal means, not tested, equivalent.
_PAIR_COLORS = ("h0", "h1", "h2", "h3", "l0", "l1", "l2", "l3", "u", "q", "e")
#: What may come of a system's pairs, and its color.
_OUTCOMES = {
    "beats": "h2", "equivalent": "e", "undecided": "u", "loses to": "l2", "not tested": "q",
}  # fmt: skip

_BY_T = "Intervals of means are by t, topics being a sample of more; at each end the farther of "
_INTERVAL_TEXTS: dict[MeanMethod, str] = {
    "t": "Intervals of means are by t.",
    "wilson": "Intervals of shares are Wilson's score intervals (Wilson 1927).",
    "scale": f"{_BY_T}it and Wilson's interval (Wilson 1927), generalized to the scale, was taken.",
    "skewness": f"{_BY_T}it and t adjusted for skewness (Johnson 1978) was taken.",
}


@dataclass(frozen=True, slots=True)
class PageOptions(Options):
    """What else is on the page."""

    title: str = option("", "Title of the report; what is compared by default.")
    human: tuple[str, ...] = option(
        (), "Human measures, comma-separated; adds a section that judges the metrics by them.",
        metavar="MEASURE",
    )  # fmt: skip
    metrics: tuple[str, ...] = option(
        (), "Metrics to judge, comma-separated; every other measure by default.",
        flags=("--metric",), metavar="MEASURE",
    )  # fmt: skip
    assessors: bool = option(
        False, "Add a section that checks the assessors.", flags=("--assessors",)
    )


@question
def report_page(source: Compared, options: CompareOptions, page: PageOptions) -> HtmlPage:
    """Write a self-contained HTML report: conclusion, ranking, figures, tables, methods.

    Metrics that are named with -m but not in the table are computed. With --human they are judged
    on the page as well, as `pyramidion meta` does, and with --assessors those who judged, as
    `pyramidion assessors` does.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> page = report_page(load_demo(), measures="readability", tasks="A")
    >>> page.title
    'The Pyramidion demonstration collection: 8 systems by readability, task A'
    >>> page.to_html().count("<figure")
    3
    """
    if source.other is not None or (isinstance(source.source, ScoreMatrix) and not page.human):
        compared = compare.run(source, WithJudge(), options, EngineOptions())
        return comparison_page(compared, name="", title=page.title)
    collection = source.scored(*source.measures, *page.human, *page.metrics)
    if page.human and source.measures:
        # What is named with -m is judged by the human measures, and compared as they are.
        page = replace(page, metrics=page.metrics or source.measures)
        source = replace(source, measures=tuple(dict.fromkeys((*page.human, *source.measures))))
    source = replace(source, source=collection, exclude=())
    more = _judged(collection, source, options, page) if page.human else []
    more += _assessed(collection, source, options) if page.assessors else []
    compared = compare.run(source, WithJudge(), options, EngineOptions())
    return comparison_page(compared, name=collection.name, title=page.title, more=more)


def comparison_page(
    compared: Comparisons, *, name: str, title: str = "", more: Sequence[Section] = ()
) -> HtmlPage:
    """Put conclusion, ranking, figures, tables and method text on one page."""
    results = compared.values
    listed, blocks = len(results) == 1, (tuple(_blocks(compared, n)) for n in range(len(results)))
    rankings = [
        Section(_heading(result, results), own, number >= _MOST_OPEN, listed)
        for number, (result, own) in enumerate(zip(results, blocks, strict=True))
    ]
    left_out = (paragraph(f"Left out: {line}.", soft=True) for line in compared.left_out)
    counts = table_block(replace(counts_table(results), note=""))
    method = Section("Method", (*map(paragraph, method_text(results)), *left_out))
    topics = max(len(matrix.topics) for matrix in compared.matrices)
    folded = (replace(section, folded=True) for section in more)
    return HtmlPage(
        title or page_title(name, results),
        (*rankings, Section("Which systems differ", (counts,)), *folded, method),
        lead="; ".join(dict.fromkeys((counted(topics, "topic"), *map(method_note, results)))) + ".",
        signature=str(compared.signature),
        first=_conclusions(results),
    )


def page_title(name: str, results: Sequence[ComparisonResult]) -> str:
    """Say what is compared: the name of the data, how many systems, by which measures."""
    systems = max(len(result.systems) for result in results)
    measures = list(dict.fromkeys(result.measure for result in results if result.measure))
    tasks = list(dict.fromkeys(result.task for result in results if result.task))
    by = " and ".join(measures) if len(measures) < 3 else f"{len(measures)} measures"
    task = f", task{'s' if len(tasks) > 1 else ''} {' and '.join(tasks)}" if tasks else ""
    named = f"{name}: " if name else ""
    return f"{named}{counted(systems, 'system')} by {by or 'score'}{task if len(tasks) < 3 else ''}"


def _heading(result: ComparisonResult, results: Sequence[ComparisonResult]) -> str:
    """Name a comparison by its test only where there are several."""
    name = name_of(result)
    return name if len({own.test for own in results}) > 1 else name.rpartition(": ")[0]


def _conclusions(results: Sequence[ComparisonResult]) -> str:
    if len(results) == 1:
        return f"<div class=conclusion>{_said(results[0].conclusion)}</div>"
    # What all have in common is said once, below.
    said = "".join(
        f'<dt><a href="#s{number}">{escape(_heading(result, results))}</a>'
        f"<dd>{_said(result.conclusion.replace(f'{UNDECIDED}, {NOT_EQUAL}', UNDECIDED))}"
        for number, result in enumerate(results)
    )
    foot = f"{UNDECIDED.capitalize()} {NOT_EQUAL.removeprefix('which ')}."
    return f"<div class=conclusion>{_firsts(results)}<dl>{said}</dl>{_said(foot)}</div>"


def _firsts(results: Sequence[ComparisonResult]) -> str:
    """Count who is first, where there are enough comparisons for that."""
    every = len(results)
    (first, most), *others = Counter(r.systems[0].system for r in results).most_common(4)
    if every < 3 or most == 1:
        return ""
    of = f"all {every}" if most == every else f"{most} of {every}"
    more = "".join(f", {name} in {count}" for name, count in others)
    name = f"System {first}" if first.isdigit() else first
    return _said(f"{name} ranks first in {of} comparisons{more}.")


def _said(text: str) -> str:
    """Make a paragraph in which no line ends between p and its value."""
    return paragraph(re.sub(r"p ([=<≤≥]) ", "p\u00a0\\1\u00a0", text))


def _blocks(compared: Comparisons, number: int) -> Iterator[str]:
    result, matrix = compared[number], compared.matrices[number]
    pairs = pair_arrays(result)
    yield table_block(_ranking(result), drawn=_drawn(result, pairs), place=3)
    yield fold("Every pair at a glance", *_pairs_picture(result, pairs))
    if compared.shown != "none":
        table = replace(pairs_table(result, compared.shown, hint=False), title="")
        yield fold("Pairs in numbers", table_block(table))
    yield fold("All scores", *scores_blocks(result, matrix))
    if can_rank_topics(matrix):
        yield fold("How hard each topic is", *_topics_picture(matrix))
    yield paragraph(f"Signature: {signature_of(compared, result)}", soft=True)


def _ranking(result: ComparisonResult) -> Table:
    """Return the ranking with what matters most at the left, where a phone shows it."""
    table = replace(ranking_table(result), title="")
    ends = [name for name in ("kind", "low", "high", "mean", "n") if name in table.columns]
    first = [name for name in table.columns if name not in ends]
    return table.take([table.columns.index(name) for name in (*first, *ends)])


def _drawn(result: ComparisonResult, pairs: PairArrays) -> dict[str, list[str]]:
    """Draw each system's interval, and how many others it beats and loses to."""
    systems = result.systems
    known = [v for s in systems for v in (s.adjusted, s.low, s.high) if not math.isnan(v)]
    ends = min(known), max(known)
    level = f"{result.confidence_level * 100:g}% interval, {ends[0]:.3g} to {ends[1]:.3g}"
    colors = {"human": "l2", "machine": "h2"}
    marks = (interval_mark(s.adjusted, s.low, s.high, ends, colors[s.kind]) for s in systems)
    drawn = {level: list(marks)}
    if pairs.baseline is None:
        counts = outcome_counts(pairs)
        words = [word for word, total in zip(_OUTCOMES, counts.sum(axis=0), strict=True) if total]
        drawn[", ".join(words)] = bars = []
        for own in counts.tolist():
            said = ", ".join(f"{word} {n}" for word, n in zip(_OUTCOMES, own, strict=True))
            bars.append(parts_bar(list(zip(_OUTCOMES.values(), own, strict=True)), said))
    return drawn


def _pairs_picture(result: ComparisonResult, pairs: PairArrays) -> Iterator[str]:
    across = [pairs.baseline] if pairs.baseline is not None else list(range(len(pairs.p)))
    codes = pair_codes(pairs, result.alpha)
    codes[~pairs.compared] = -1
    codes = codes[:, across]
    if codes.size > _MOST_TILES:
        yield paragraph(_TOO_MANY)
        return
    names = [system.system for system in result.systems]
    people = [system.kind == "human" for system in result.systems]
    few, every = len(across) <= _MOST_WITH_NUMBERS, np.ndenumerate(pairs.p[:, across])
    texts = {(row, column): shown_p(p) for (row, column), p in every if codes[row, column] >= 0}
    drawn = tiles_picture(
        codes, (names, [names[column] for column in across]), _PAIR_COLORS,
        about="p-value of every pair", cell=(38, 20) if few else (16, 16),
        texts=texts if few else None, bold=(people, [people[column] for column in across]),
    )  # fmt: skip
    yield figure_block(drawn, "Is the row better than the column? P-values after correction.")
    levels = [f"p ≤ {result.alpha / part:.3g}" for part in (50, 5, 1)]
    said = [f"{word}, {level}" for word in ("better", "worse") for level in (*levels, "undecided")]
    colors = ("h3", "h2", "h1", "h0", "l3", "l2", "l1", "l0")
    more = [("q", "not tested")] if pairs.undefined.any() else []
    within = f"equivalent within {result.margin}{result.unit}"
    more += [("e", within)] if pairs.equivalent.any() else []
    yield key([*zip(colors, said, strict=True), *more])


def scores_blocks(result: ComparisonResult, matrix: ScoreMatrix) -> Iterator[str]:
    """Draw all scores, topics down by difficulty, systems in the order of the ranking."""
    if matrix.values.size > _MOST_TILES:
        yield paragraph(_TOO_MANY)
        return
    systems = [system.system for system in result.systems]
    ordered = matrix.take(topics=ordered_topics(matrix), systems=systems)
    low, high = score_limits(matrix)
    shades = np.nan_to_num((ordered.values - low) / (high - low) * 10, nan=0.0)
    codes = np.where(np.isnan(ordered.values), 10, np.clip(shades.astype(np.int64), 0, 9))
    drawn = tiles_picture(
        codes, (ordered.topics, systems), (*(f"s{shade}" for shade in range(10)), "z"),
        about="score of every system on every topic", cell=(20, 14),
        bold=((), [system.kind == "human" for system in result.systems]),
    )  # fmt: skip
    yield figure_block(drawn, "Scores: topics down by difficulty, systems as they are ranked.")
    ends = [("s0", f"{low:.4g}"), ("s5", f"{(low + high) / 2:.4g}"), ("s9", f"{high:.4g}")]
    yield key([*ends, *([("z", "no score")] if matrix.missing else [])])


def _topics_picture(matrix: ScoreMatrix) -> Iterator[str]:
    if len(matrix.topics) > _MOST_TOPICS:
        yield paragraph(_TOO_MANY)
        return
    rows = tukey_rows(ranked_topics(matrix), matrix.topics)
    colors = {"chosen": "h2", "apart": "l2", "near": "q"}
    drawn = rows_picture(rows, colors, label="mean rank")
    yield figure_block(drawn, "Mean ranks of topics with comparison intervals (Tukey).")
    there = [kind for kind in rows.looks if kind in rows.kinds]
    yield key((colors[kind], rows.looks[kind].label) for kind in there)


def method_text(results: Sequence[ComparisonResult]) -> Iterator[str]:
    """Describe how systems were compared, and cite what that rests on."""
    first = results[0]
    paired = (
        "Each pair of systems was compared on the topics that both have a score on; a topic is "
        "a block. Several assessors of one summary were averaged. "
    )
    intervals = dict.fromkeys(_INTERVAL_TEXTS[result.interval_method] for result in results)
    paragraphs = [("" if first.model else paired) + " ".join(intervals)]
    if first.clusters:
        by_cluster = "signs were changed, topics resampled and variances estimated by cluster"
        random = "clusters and what each system makes of a cluster are random effects"
        paragraphs[0] += (
            f" Topics belong to {first.clusters} clusters: {random if first.model else by_cluster}."
        )
    for test in dict.fromkeys(result.test for result in results):
        paragraphs.append(f"{test}: {TEST_TEXTS[test].method}.")
    if any(result.continuity for result in results):
        paragraphs[-1] += " W was moved half a unit towards its mean (continuity correction)."
    resamples = max(result.n_resamples for result in results)
    drawn = f" P-values of resampling rest on {resamples:,} resamples." if resamples else ""
    correction = CORRECTION_TEXTS[first.correction].method
    if first.family == "measures":
        correction += ", over all measures and tasks together"
    paragraphs.append(
        f"{correction[0].upper()}{correction[1:]}; alpha = {first.alpha:g}.{drawn} Counts without "
        "correction are given as well, for comparison with older work."
    )
    if first.margin is not None:
        holm = "" if first.correction in ("bh", "none") else ", corrected by Holm's procedure"
        paragraphs.append(
            f"Two systems are called equivalent if two one-sided tests{holm} show that their "
            f"difference is within {first.margin:g}{first.unit} (Schuirmann 1987). What is neither "
            "different nor equivalent is undecided."
        )
    yield from paragraphs
    text = " ".join(paragraphs)
    cited = (line.split("\t") for line in page_file("citations.txt").splitlines())
    yield from (source for name, source in cited if name in text)


def _judged(
    collection: Collection, source: Compared, options: CompareOptions, page: PageOptions
) -> list[Section]:
    """Judge the metrics of the page's tasks."""
    from pyramidion.evaluation._judged import PEERS, BestJudged
    from pyramidion.evaluation._meta.result import MetaOptions
    from pyramidion.evaluation._meta.view import meta_evaluate, meta_sections

    if source.assessor:
        own = np.isin(collection.scores.columns["assessor"], [source.assessor, ""])
        collection = replace(collection, scores=collection.scores.rows(own))
    asked = BestJudged(
        collection, source.tasks, source.exclude, lower_is_better=source.lower_is_better,
        human=page.human, metrics=page.metrics, top=source.top,
    )  # fmt: skip
    peers = PEERS if source.peers == "all" else (source.peers,)
    judging = MetaOptions(peers=peers, alpha=options.alpha, seed=options.seed)
    return list(meta_sections(meta_evaluate.run(asked, judging, EngineOptions())))


def _assessed(collection: Collection, source: Compared, options: CompareOptions) -> list[Section]:
    """Judge the assessors of the page's tasks."""
    from pyramidion.evaluation._assessors.view import assessor_sections, assessors

    return list(assessor_sections(assessors(collection, task=source.tasks, seed=options.seed)))
