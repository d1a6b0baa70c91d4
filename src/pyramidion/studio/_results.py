"""Results while people judge, computed in the background by the functions of the command line.

A result is cached until there are newer events; while a newer one is computed, the older result is
shown.
"""

import json
import logging
import re
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from typing import Annotated, Any, cast
from urllib.parse import urlencode

import numpy as np
from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pyramidion import pyramid, studies
from pyramidion.checks.plausibility import implausible_data
from pyramidion.checks.structure import doubtful_data
from pyramidion.collection import Collection, Measure, Scale, Scores
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.comparison import Comparisons, compare, report
from pyramidion.comparison._page import comparison_page, scores_block
from pyramidion.errors import InputError, MissingExtraError, PyramidionError
from pyramidion.judges import assessors
from pyramidion.rendering.labels import escape
from pyramidion.rendering.page import chart_blocks, folded_block, paragraph, table_block
from pyramidion.rendering.result import Result
from pyramidion.rendering.table import Table
from pyramidion.studio._app import Reader, StoreDep, evaluation_of, or_404, page
from pyramidion.studio._decisions import Decidable, decisions, linked_table
from pyramidion.studio._evaluations import Settings, imported_collection, topic_names
from pyramidion.studio._exports import Origin, current_collection
from pyramidion.studio._items import FAR_APART, item_path
from pyramidion.studio._modes import MODES, ModeRows, mode_results, mode_rows, mode_scores
from pyramidion.studio._progress import KINDS, steps_of
from pyramidion.studio._scales import JudgedMeasure
from pyramidion.studio._sheets import judgment_records
from pyramidion.studio._store import (
    Assignment,
    BoardChange,
    BoardRow,
    Evaluation,
    Event,
    Round,
    Store,
)

router = APIRouter(include_in_schema=False)

#: Seconds that a page waits for its result before it shows an older one.
PATIENCE = 2.0

# The score of annotated peers.
_BY_UNITS = "pyramid-modified"
_MAX_SHOWN = 50
# Pages of results that are kept.
_MAX_CACHED = 64

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class ComputedResult:
    """A result as HTML, with the version of the data."""

    version: str
    html: str


@dataclass
class ResultCache:
    """Computes results one at a time, and caches the last one of each kind."""

    _results: dict[tuple[int, str], ComputedResult] = field(default_factory=dict)
    _running: dict[tuple[int, str], threading.Event] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def ask(
        self,
        key: tuple[int, str],
        version: str,
        compute: Callable[[], ComputedResult],
        patience: float,
    ) -> ComputedResult | None:
        """Return the result of a version, or an older one after `patience` seconds."""
        with self._lock:
            cached_result = self._results.get(key)
            if cached_result and cached_result.version == version:
                return cached_result
            finished_event = self._running.get(key)
            if finished_event is None:
                finished_event = self._running[key] = threading.Event()
                # A daemon, so that the studio can end at any time.
                threading.Thread(
                    target=self._make, args=(key, compute, finished_event), daemon=True
                ).start()
        finished_event.wait(patience)
        with self._lock:
            return self._results.get(key)

    def _make(
        self,
        key: tuple[int, str],
        compute: Callable[[], ComputedResult],
        finished_event: threading.Event,
    ) -> None:
        try:
            with self._turn:
                result = compute()
            with self._lock:
                self._results.pop(key, None)
                self._results[key] = result
                while len(self._results) > _MAX_CACHED:
                    del self._results[next(iter(self._results))]
        finally:
            with self._lock:
                del self._running[key]
            finished_event.set()


def version_of(session: Session, evaluation: Evaluation) -> str:
    """Return a key of everything that results depend on."""
    # With concurrent writers, the highest id alone may miss an event.
    last_judgment = (
        select(func.max(Event.id), func.count())
        .join(Event.assignment)
        .where(
            Assignment.evaluation_id == evaluation.id, Event.kind.in_(("submit", "reopen"))
        )
    )  # fmt: skip
    edit_times = (
        select(func.max(BoardChange.id), func.count())
        .join(BoardRow, BoardRow.id == BoardChange.board_id)
        .where(
            BoardRow.evaluation_id == evaluation.id, BoardChange.action.in_(("do", "undo", "redo"))
        )
    )  # fmt: skip
    last_ids = "-".join(
        str(n or 0) for query in (last_judgment, edit_times) for n in session.execute(query).one()
    )
    settings = json.dumps(evaluation.settings, sort_keys=True)
    return f"{last_ids}-{evaluation.digest[:12]}-{zlib.crc32(settings.encode()):x}"


@dataclass(frozen=True)
class JudgedData:
    """The data behind the results: a collection, and the judged measures."""

    collection: Collection
    measures: tuple[str, ...]
    #: Measures whose categories have no order: they are counted, not ranked.
    categories: tuple[JudgedMeasure, ...] = ()
    #: The number of imported and of new judgments, and which of them these are.
    imported: int = 0
    new: int = 0
    origin: Origin = ""
    #: The measure that is shown, and the rounds by number.
    chosen: str = ""
    rounds: Mapping[int, str] = field(default_factory=dict)
    #: The address and the settings of the evaluation, and the times of items by kind of work.
    address: str = ""
    seconds: Mapping[str, Sequence[float]] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    modes: ModeRows = field(default_factory=dict)
    #: The rounds of other judging than by scores.
    mode_rounds: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, session: Session, evaluation: Evaluation, origin: Origin = "", shown_measure: str = ""
    ) -> "JudgedData":
        """Read the current collection, with pyramid scores of annotated peers."""
        collection = current_collection(session, evaluation, origin)
        imported_data = imported_collection(session, evaluation)
        settings = Settings.of(evaluation)
        ever_judged = settings.ever
        categories = tuple(measure for measure in ever_judged if not measure.ordered)
        names = [measure.name for measure in ever_judged if measure.ordered]
        number = int(origin.partition("-")[2] or 0) or None
        by_people = np.isin(imported_data.scores.columns["measure"], imported_data.human_measures)
        n_new = sum(1 for _ in judgment_records(session, evaluation))
        rounds = session.scalars(select(Round).where(Round.evaluation_id == evaluation.id)).all()
        training = {row.id for row in rounds if row.purpose == "training"}
        seconds = grouped(
            (step.kind, step.seconds)
            for step in steps_of(session, evaluation)
            if step.submitted and step.round_id not in training
        )
        data = cls(
            collection, tuple(dict.fromkeys([*names, *imported_data.human_measures])), categories,
            int(by_people.sum()), n_new, origin, shown_measure,
            {row.number: row.title for row in rounds if row.number and row.kind == "judge"},
            f"/evaluations/{evaluation.token}", seconds, settings,
            {
                file: mode_rows(session, evaluation, file, number)
                for file in dict.fromkeys(mode.file for mode in MODES.values())
            },
            {row.number: f"{row.title}: {KINDS[row.kind]}" for row in rounds if row.kind in MODES},
        )  # fmt: skip
        return data._with_units() if collection.peer_annotations else data

    @property
    def shown(self) -> tuple[str, ...]:
        """The measure that is shown: the chosen one, or the first with judgments."""
        if self.chosen:
            return tuple(name for name in self.measures if name == self.chosen)
        scored_measures = [
            name for name in self.measures if name in self.collection.scores.measures
        ]
        return (*scored_measures, *self.measures)[:1]

    def pace(self, kind: str) -> float | None:
        """Return the median time of an item, if any was timed."""
        times = [seconds for seconds in self.seconds.get(kind, ()) if seconds]
        return median(times) if times else None

    def link(self, **changes: str) -> str:
        """Return the query of a page that differs in some choices."""
        fields = {"origin": self.origin, "measure": self.chosen, **changes}
        return escape("?" + urlencode({name: value for name, value in fields.items() if value}))

    def _with_units(self) -> "JudgedData":
        """Add the pyramid scores of annotated peers."""
        scores = self.collection.scores
        judged_scores = scores.rows(scores.columns["measure"] != _BY_UNITS)
        unit_scores = pyramid.score(self.collection).to_scores().select(measure=_BY_UNITS)
        collection = replace(
            self.collection, scores=Scores.concatenate([judged_scores, unit_scores])
        )
        measures = tuple(dict.fromkeys((*self.measures, _BY_UNITS)))
        return replace(self, collection=collection, measures=measures)

    @property
    def present(self) -> list[str]:
        """The measures that have judgments; there must be one."""
        scored_measures = [
            name for name in self.measures if name in self.collection.scores.measures
        ]
        self.require(scored_measures[0] if scored_measures else self.measures[0])
        return scored_measures

    def only(self, *measures: str) -> Collection:
        """Keep the scores of some measures; their names are data and never looked up as metrics."""
        scores = self.collection.scores
        of_measures = np.isin(scores.columns["measure"], measures)
        return replace(self.collection, scores=scores.rows(of_measures))

    def require(self, measure: str) -> None:
        """Refuse a measure without judgments."""
        if measure not in self.collection.scores.measures:
            hint = "results appear with the first one"
            raise InputError(f"nobody has submitted a judgment of {measure} yet", hint)


def origins(results: JudgedData) -> str:
    """Offer all judgments, imported ones, new ones, and those of each round, if they differ."""
    choices = {"": f"All {results.imported + results.new:,} judgments"}
    if results.imported and results.new:
        choices |= {"imported": f"{results.imported:,} imported", "new": f"{results.new:,} new"}
    if len(results.rounds) > 1 or (results.rounds and results.imported):
        choices |= {f"round-{number}": title for number, title in results.rounds.items()}
    links = {results.link(origin=name): (text, name) for name, text in choices.items()}
    return _choice(links, results.origin, "Judgments") if len(choices) > 1 else ""


def mode_origins(results: JudgedData) -> str:
    """Offer all answers other than scores, and those of each round."""
    titles = {"": "All answers"} | {f"round-{n}": t for n, t in results.mode_rounds.items()}
    links = {results.link(origin=name): (text, name) for name, text in titles.items()}
    return _choice(links, results.origin, "Answers") if len(results.mode_rounds) > 1 else ""


def measures_offered(results: JudgedData, names: Sequence[str] = (), shown_name: str = "") -> str:
    """Offer the measures, one of which is shown at a time."""
    offered = dict.fromkeys(names or results.measures)
    links = {results.link(measure=name): (_title(name), name) for name in offered}
    shown_name = shown_name or "".join(results.shown)
    return _choice(links, shown_name, "Measure") if len(links) > 1 else ""


def _title(measure: str) -> str:
    return measure[:1].upper() + measure[1:]


def _choice(links: Mapping[str, tuple[str, str]], current_name: str, label: str) -> str:
    items = (
        f'<a href="{address}"{" aria-current=page" * (name == current_name)}>{escape(text)}</a>'
        for address, (text, name) in links.items()
    )
    return f'<nav class="parts" aria-label="{label}">{"".join(items)}</nav>'


def _count_categories(results: JudgedData, measure: JudgedMeasure) -> str:
    """Count how often each system got each category."""
    scores = results.collection.scores.select(measure=measure.name)
    counts = Counter(zip(scores.columns["system"], scores.value.tolist(), strict=True))
    rows = tuple(
        (system, *(counts[system, point] for point in measure.points))
        for system in sorted({system for system, _ in counts}, key=natural_order)
    )
    return _list_rows(Table(("system", *measure.labels), rows), "There are no judgments yet.")


def ranking(results: JudgedData) -> Iterator[str]:
    """Rank the systems by each measure, with intervals and all pairs."""
    yield origins(results) + measures_offered(results)
    for category_table in results.categories:
        yield f"<h2>{escape(category_table.title)}</h2>{_count_categories(results, category_table)}"
    for number, (measure, comparison) in enumerate(_comparisons(results)):
        yield f"<h2>{escape(_title(measure))}</h2>"
        if isinstance(comparison, str):
            yield comparison
            continue
        page = comparison_page(comparison, name="")
        *rankings, _, method = page.sections
        # Several reports are on one page, so ids of sections are prefixed.
        yield page.opening.replace('href="#s', f'href="#m{number}s')
        for index, section in enumerate(rankings):
            head = f'<h3 id="m{number}s{index}">{escape(section.title)}</h3>'
            yield f"{head}{''.join(section.blocks)}"
        yield folded_block(method.title, *method.blocks)


def scores(results: JudgedData) -> Iterator[str]:
    """Show all scores, topics by systems, as a figure and a table."""
    yield origins(results) + measures_offered(results)
    for measure, comparison in _comparisons(results):
        yield f"<h2>{escape(_title(measure))}</h2>"
        if isinstance(comparison, str):
            yield comparison
            continue
        for matrix in comparison.matrices:
            yield f"<h3>Task {escape(matrix.task)}</h3>" if matrix.task else ""
            yield scores_block(matrix)
            values = np.where(np.isnan(matrix.values), cast("Any", None), matrix.values).tolist()
            names = map(topic_names(results.collection).__getitem__, matrix.topics)
            rows = tuple((name, *row) for name, row in zip(names, values, strict=True))
            yield folded_block("In numbers", table_block(Table(("topic", *matrix.systems), rows)))


def _comparisons(results: JudgedData) -> Iterator[tuple[str, Comparisons | str]]:
    """Compare systems by each measure, or explain why not."""
    for measure in results.shown:
        try:
            results.require(measure)
            yield measure, compare(results.only(measure))
        except PyramidionError as error:
            yield measure, missing(error)


def missing(error: PyramidionError) -> str:
    """Explain in a line why there is no result yet."""
    text = f"{error.what}; {error.hint}" if isinstance(error, InputError) else str(error)
    return paragraph(f"{text[:1].upper()}{text[1:]}.", soft=True)


def judges(results: JudgedData) -> Iterator[str]:
    """Check the assessors, and list doubtful judgments."""
    yield origins(results)
    try:
        measures = results.present
        result = assessors(results.collection, measures=measures)
        # Counts of identical summaries come last.
        tables = sorted(result.tables, key=lambda table: table.name == "years")
        yield from _show_result(replace(result, tables=tables))
    except PyramidionError as error:
        yield missing(error)
        return
    yield "<h2>To review</h2>"
    far_apart = tuple(_disputed_summaries(results, measures))
    doubts = (*doubtful_data(results.collection), *implausible_data(results.collection))
    doubt_rows = tuple((doubt.kind, doubt.subject, doubt.message) for doubt in doubts)
    if far_apart:
        yield "<h3>Judgments of one summary that are far apart</h3>"
        yield linked_table(_FAR_COLUMNS, [_far_row(results, row) for row in far_apart[:_MAX_SHOWN]])
        yield paragraph("Half the scale or more, largest difference first.", soft=True)
        yield f'<p><a href="{results.address}/items?flag=far">All in the table of items</a></p>'
    else:
        yield paragraph("No two judgments of one summary are half the scale apart.")
    table = Table(("what", "where", "why"), doubt_rows[:_MAX_SHOWN], "Implausible values")
    yield _list_rows(table, "Nothing is implausible.")


_FAR_COLUMNS = ("summary", "measure", "lowest", "highest", "by")


def _far_row(results: JudgedData, row: tuple[Any, ...]) -> tuple[str, ...]:
    measure, task, topic, system, low, high, people = row
    address = item_path(results.address.rpartition("/")[2], task, topic, system)
    name = " ".join(filter(None, (topic, task, system)))
    link = f'<a href="{escape(address)}">{escape(name)}</a>'
    return link, measure, f"{low:g}", f"{high:g}", people


def _disputed_summaries(results: JudgedData, measures: Sequence[str]) -> list[tuple[Any, ...]]:
    """List summaries whose judgments differ by half the scale, largest difference first."""
    rows = (row for row in results.collection.scores if row.assessor and row.measure in measures)
    items = grouped(((row.measure, row.task, row.topic, row.system), row) for row in rows)
    distant_items = []
    for key, judgments in items.items():
        scale = results.collection.scales.get(key[0])
        low, high = (
            min(judgments, key=lambda row: row.value),
            max(judgments, key=lambda row: row.value),
        )
        if scale and high.value - low.value >= FAR_APART * (scale.high - scale.low):
            assessor_names = f"{low.assessor}, {high.assessor}"
            distant_items.append((*key, low.value, high.value, assessor_names))
    return sorted(distant_items, key=lambda row: (row[4] - row[5], row[:4]))


def _list_rows(table: Table, empty_text: str) -> str:
    return table_block(table) if table.rows else paragraph(empty_text)


def decided(results: JudgedData) -> Iterator[str]:
    """List decided and undecided pairs, and offer to assign what would decide them."""
    modes = {title: (kinds, scores) for title, kinds, scores in mode_scores(results.modes)}
    scored = [name for name in results.measures if name in results.collection.scores.measures]
    name = results.chosen or next(iter((*scored, *modes, *results.measures)), "")
    yield mode_origins(results) if name in modes else origins(results)
    yield measures_offered(results, (*results.measures, *modes), name)
    yield f"<h2>{escape(_title(name))}</h2>"
    try:
        source = (
            _decidable(results, name, *modes[name]) if name in modes else _scored(results, name)
        )
        seed = results.settings.seed
        yield from decisions(source, address=f"{results.address}/assign", seed=seed)
    except PyramidionError as error:
        yield missing(error)


def _scored(results: JudgedData, measure: str) -> Decidable:
    results.require(measure)
    return Decidable(
        results.only(measure), measure, results.collection, "judge", results.pace("judge"),
        results.settings.trained("judge"),
    )  # fmt: skip


_WIN_RATES = "A topic counts with the share of people who preferred a summary, ties as half. "


def _decidable(
    results: JudgedData, name: str, kinds: Sequence[str], compute_scores: Callable[[], Scores]
) -> Decidable:
    """Return the scores of topics by preferences, checklists or labels of statements."""
    kind = max(kinds, key=lambda kind: len(results.seconds.get(kind, ())))
    shares = Measure(human=True, scale=Scale(0, 1))
    scored = Collection("", scores=compute_scores(), measures={name: shares})
    note = _WIN_RATES if kind == "prefer" else ""
    return Decidable(
        scored, name, results.collection, kind, results.pace(kind),
        results.settings.trained(kind), note,
    )  # fmt: skip


def reliability(results: JudgedData) -> Iterator[str]:
    """Show scores, agreement and stability of pyramids."""
    collection = results.collection
    # Missing marks can be found even with one annotator.
    has_annotations = bool(collection.peer_annotations)
    questions: dict[str, Callable[[], Result[Any]]] = {
        "Scores": partial(pyramid.score, collection),
        "Agreement of annotators": partial(pyramid.agreement, collection, places=has_annotations),
        "Are there enough references?": partial(studies.stability, collection),
    }
    if not collection.pyramids:
        link = f'<a class="assign button" href="{results.address}/pyramids">Build a pyramid</a>'
        yield f'<div class="empty"><p>There is no pyramid yet.</p><p>{link}</p></div>'
        return
    for title, ask in questions.items():
        yield f"<h2>{title}</h2>"
        try:
            yield from _show_result(ask())
        except PyramidionError as error:
            yield missing(error)


def _show_result(result: Result[Any]) -> Iterator[str]:
    """Show the tables and charts of a result, and what was left out."""
    yield from (table_block(table) for table in result.tables if table.columns)
    last_charts = {chart.kind: chart for chart in reversed(result.charts)}
    try:
        yield from chart_blocks(reversed(last_charts.values()))
    except MissingExtraError as error:
        yield missing(error)
    lines = (paragraph(f"Left out: {line}.", soft=True) for line in result.left_out)
    yield folded_block("How it was computed", *lines, paragraph(f"Signature: {result.signature}"))


def comparisons(judged_data: JudgedData) -> Iterator[str]:
    """Show preferences, checklists and labels of statements, of all rounds or of one."""
    yield mode_origins(judged_data)
    results = list(mode_results(judged_data.modes))
    if not results:
        hint = "assign pairs, units or statements on the page Assign"
        yield missing(InputError("nobody has submitted any judgments other than scores yet", hint))
    for title, compute in results:
        yield f"<h2>{title}</h2>"
        try:
            result = compute()
            yield from (
                [table_block(result)] if isinstance(result, Table) else list(_show_result(result))
            )
        except PyramidionError as error:  # the other results are still shown
            yield missing(error)


def full_report(results: JudgedData) -> str:
    """Write the self-contained report on all judged measures."""
    return report(results.only(*results.present)).to_html()


@dataclass(frozen=True)
class ResultPart:
    """A page of results: its title, and the function that renders it."""

    title: str
    blocks: Callable[[JudgedData], Iterable[str]]


PARTS = {
    "": ResultPart("Ranking", ranking),
    "scores": ResultPart("Scores", scores),
    "comparisons": ResultPart("Pairs, units, statements", comparisons),
    "decisions": ResultPart("Decisions", decided),
    "assessors": ResultPart("Assessors", judges),
    "pyramids": ResultPart("Pyramids", reliability),
}
_REPORT = "report.html"
Measured = Annotated[str, Query(max_length=200)]


def _compute_result(
    store: Store, evaluation_id: int, part: str, origin: Origin, measure: str
) -> ComputedResult:
    """Compute a result of the current data."""
    with store.read() as session:
        evaluation = session.get_one(Evaluation, evaluation_id)
        version = version_of(session, evaluation)
        results = JudgedData.of(session, evaluation, origin, measure)
    try:
        html = full_report(results) if part == _REPORT else "".join(PARTS[part].blocks(results))
    except PyramidionError as error:
        html = missing(error)
    except Exception:
        _LOG.exception("results could not be computed")
        html = paragraph("This result could not be computed; see the studio's log.")
    if part != _REPORT:  # wide figures and lines are scrolled by keys
        html = html.replace("<figure><div>", "<figure><div tabindex=0>")
        html = html.replace("<pre>", "<pre tabindex=0>")
    return ComputedResult(version, html)


def _cache_of(request: Request) -> ResultCache:
    """Return the application's cache of results."""
    if not hasattr(request.app.state, "results"):
        request.app.state.results = ResultCache()
    cache: ResultCache = request.app.state.results
    return cache


def _latest_result(
    request: Request, store: Store, token: str, part: str, origin: Origin = "", measure: str = ""
) -> tuple[Evaluation, ComputedResult | None, bool]:
    """Return the evaluation, its result, and whether that is up to date."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        version = version_of(session, evaluation)
    compute = partial(_compute_result, store, evaluation.id, part, origin, measure)
    key = (evaluation.id, f"{token}/{part}?{origin}&{measure}")  # a new evaluation may reuse an id
    result = _cache_of(request).ask(key, version, compute, PATIENCE)
    return evaluation, result, result is not None and result.version == version


@router.get("/evaluations/{token}/results")
def show_ranking(
    request: Request, user: Reader, store: StoreDep, token: str, origin: Origin = "",
    measure: Measured = "",
) -> HTMLResponse:  # fmt: skip
    """Show the ranking."""
    return show_part(request, user, store, token, "", origin, measure)


@router.get(f"/evaluations/{{token}}/results/{_REPORT}")
def show_report(request: Request, user: Reader, store: StoreDep, token: str) -> Response:
    """Show the report, sandboxed: it runs only its own script and cannot reach the studio."""
    evaluation, result, is_current = _latest_result(request, store, token, _REPORT)
    if result is None or not result.html.startswith("<!doctype"):
        return _page(request, evaluation, _REPORT, result, is_current=is_current)
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', result.html)
    report_policy = policy[1] if policy else "default-src 'none'"
    headers = {
        "Content-Security-Policy": f"{report_policy}; frame-ancestors 'none'; sandbox allow-scripts"
    }
    return HTMLResponse(result.html, headers=headers)


@router.get("/evaluations/{token}/results/{part}")
def show_part(
    request: Request, user: Reader, store: StoreDep, token: str, part: str, origin: Origin = "",
    measure: Measured = "",
) -> HTMLResponse:  # fmt: skip
    """Show another part of the results."""
    or_404(PARTS.get(part))
    evaluation, result, is_current = _latest_result(request, store, token, part, origin, measure)
    return _page(request, evaluation, part, result, is_current=is_current)


def _page(
    request: Request,
    evaluation: Evaluation,
    part: str,
    result: ComputedResult | None,
    *,
    is_current: bool,
) -> HTMLResponse:
    titles = {name: result_part.title for name, result_part in PARTS.items()} | {_REPORT: "Report"}
    result = result or ComputedResult("", "")
    return page(
        request, "results.html", evaluation=evaluation, titles=titles, part=part, result=result,
        current=is_current,
    )  # fmt: skip
