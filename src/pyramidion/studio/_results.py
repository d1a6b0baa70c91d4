"""Results while people judge: by the functions of the command line, computed beside the requests.

A result rests on the events that were there when it was computed. It is kept until there are
others; while newer ones are computed, which may take long, the older result is shown.
"""

import json
import logging
import re
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pyramidion import pyramid, studies
from pyramidion.collection import Collection, Scores
from pyramidion.collection.checks import doubtful
from pyramidion.collection.ids import grouped
from pyramidion.collection.plausibility import implausible
from pyramidion.comparison import Comparisons, compare, report_page
from pyramidion.comparison._page import comparison_page, scores_block
from pyramidion.errors import InputError, MissingExtraError, PyramidionError
from pyramidion.judges import assessors
from pyramidion.rendering.labels import escape
from pyramidion.rendering.page import chart_blocks, fold, paragraph, table_block
from pyramidion.rendering.result import Result
from pyramidion.rendering.table import Table
from pyramidion.studio._app import AStore, Organizer, evaluation_of, found, page
from pyramidion.studio._evaluations import Settings
from pyramidion.studio._exports import current_collection
from pyramidion.studio._store import Assignment, BoardChange, BoardRow, Evaluation, Event, Store

router = APIRouter(include_in_schema=False)

#: How long a page waits for its result before it shows an older one, in seconds.
PATIENCE = 2.0

# The score of annotated peers, beside the measures that are judged.
_BY_UNITS = "pyramid-modified"
# Judgments of one summary that are so far apart, as a share of the scale, are to be looked at.
_FAR_APART = 0.5
_MOST_SHOWN = 50

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Found:
    """A result as HTML, with what it rests on."""

    version: str
    html: str


@dataclass
class Desk:
    """Computes results, one at a time for all, and keeps the last one of each kind."""

    _kept: dict[tuple[int, str], Found] = field(default_factory=dict)
    _running: dict[tuple[int, str], threading.Event] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def ask(
        self, place: tuple[int, str], version: str, make: Callable[[], Found], patience: float
    ) -> Found | None:
        """Return the result of a version, or an older one if it takes longer than one waits."""
        with self._lock:
            kept = self._kept.get(place)
            if kept and kept.version == version:
                return kept
            done = self._running.get(place)
            if done is None:
                done = self._running[place] = threading.Event()
                # Nobody waits for it when the studio ends.
                threading.Thread(target=self._make, args=(place, make, done), daemon=True).start()
        done.wait(patience)
        with self._lock:
            return self._kept.get(place)

    def _make(
        self, place: tuple[int, str], make: Callable[[], Found], done: threading.Event
    ) -> None:
        try:
            with self._turn:
                made = make()
            with self._lock:
                self._kept[place] = made
        finally:
            with self._lock:
                del self._running[place]
            done.set()


def version_of(session: Session, evaluation: Evaluation) -> str:
    """Name what results rest on: what was imported, what was submitted, what boards look like."""
    # Where writers do not wait for each other, the last number may not be the last one seen.
    judged = (
        select(func.max(Event.id), func.count())
        .join(Event.assignment)
        .where(
            Assignment.evaluation_id == evaluation.id, Event.kind.in_(("submit", "reopen"))
        )
    )  # fmt: skip
    drawn = (
        select(func.max(BoardChange.id), func.count())
        .join(BoardRow, BoardRow.id == BoardChange.board_id)
        .where(
            BoardRow.evaluation_id == evaluation.id, BoardChange.action.in_(("do", "undo", "redo"))
        )
    )  # fmt: skip
    last = "-".join(str(n or 0) for one in (judged, drawn) for n in session.execute(one).one())
    settings = json.dumps(evaluation.settings, sort_keys=True)
    return f"{last}-{evaluation.digest[:12]}-{zlib.crc32(settings.encode()):x}"


@dataclass(frozen=True)
class Judged:
    """What there is to compute results of: a collection, and the measures it was judged by."""

    collection: Collection
    measures: tuple[str, ...]

    @classmethod
    def of(cls, session: Session, evaluation: Evaluation) -> "Judged":
        """Take what is there now; peers are scored by the content units that were matched."""
        collection = current_collection(session, evaluation)
        known = tuple(one.name for one in Settings.of(evaluation).ever)
        return cls(collection, known).scored()

    def scored(self) -> "Judged":
        """Add the scores of annotated peers."""
        if not self.collection.peer_annotations:
            return self
        scores = self.collection.scores
        others = scores.rows(scores.columns["measure"] != _BY_UNITS)
        added = pyramid.score(self.collection).to_scores().select(measure=_BY_UNITS)
        together = Scores.concatenate([others, added])
        return Judged(replace(self.collection, scores=together), (*self.measures, _BY_UNITS))

    def only(self, *measures: str) -> Collection:
        """Keep the scores of some measures, whose names are data: nothing is looked up by them."""
        scores = self.collection.scores
        chosen = np.isin(scores.columns["measure"], measures)
        return replace(self.collection, scores=scores.rows(chosen))

    def require(self, measure: str) -> None:
        """Say what is missing."""
        if measure not in self.collection.scores.measures:
            hint = "results come with the first ones"
            raise InputError(f"nobody has submitted a judgment of {measure} yet", hint)


def ranking(judged: Judged) -> Iterator[str]:
    """Rank the systems by each measure: means, intervals, letters, every pair."""
    for number, (measure, compared) in enumerate(_comparisons(judged)):
        yield f"<h2>{escape(measure[:1].upper() + measure[1:])}</h2>"
        if isinstance(compared, str):
            yield compared
            continue
        made = comparison_page(compared, name="")
        *rankings, _, method = made.sections
        # The report names its sections; here it is one of several.
        yield made.first.replace('href="#s', f'href="#m{number}s')
        for place, section in enumerate(rankings):
            head = f'<h3 id="m{number}s{place}">{escape(section.title)}</h3>'
            yield f"{head}{''.join(section.blocks)}"
        yield fold(method.title, *method.blocks)


def scores(judged: Judged) -> Iterator[str]:
    """Show all scores, topics by systems, as a picture and in numbers."""
    for measure, compared in _comparisons(judged):
        yield f"<h2>{escape(measure[:1].upper() + measure[1:])}</h2>"
        if isinstance(compared, str):
            yield compared
            continue
        for matrix in compared.matrices:
            yield f"<h3>Task {escape(matrix.task)}</h3>" if matrix.task else ""
            yield scores_block(matrix)
            values = np.where(np.isnan(matrix.values), cast("Any", None), matrix.values).tolist()
            rows = tuple((topic, *row) for topic, row in zip(matrix.topics, values, strict=True))
            yield fold("In numbers", table_block(Table(("topic", *matrix.systems), rows)))


def _comparisons(judged: Judged) -> Iterator[tuple[str, Comparisons | str]]:
    """Compare systems by each measure, or say why that cannot be done."""
    for measure in judged.measures:
        try:
            judged.require(measure)
            yield measure, compare(judged.only(measure))
        except PyramidionError as error:
            yield measure, missing(error)


def missing(error: PyramidionError) -> str:
    """Say in a line why there is no result yet."""
    said = f"{error.what}; {error.hint}" if isinstance(error, InputError) else str(error)
    return paragraph(f"{said[:1].upper()}{said[1:]}.", soft=True)


def judges(judged: Judged) -> Iterator[str]:
    """Judge the assessors: consistency, severity, agreement, drift, and what to look at."""
    there = [name for name in judged.measures if name in judged.collection.scores.measures]
    try:
        judged.require(judged.measures[0] if not there else there[0])
        result = assessors(judged.collection, measures=there)
        # How many summaries are identical explains the rest, and comes last.
        tables = sorted(result.tables, key=lambda table: table.name == "years")
        yield from _shown(replace(result, tables=tables))
    except PyramidionError as error:
        yield missing(error)
        return
    yield "<h2>To be looked at</h2>"
    apart = tuple(_far_apart(judged, there))
    doubts = (*doubtful(judged.collection), *implausible(judged.collection))
    said = tuple((one.kind, one.subject, one.message) for one in doubts)
    yield _listed(
        Table(
            ("measure", "task", "topic", "system", "lowest", "highest", "by"), apart[:_MOST_SHOWN],
            "Judgments of one summary that are far apart",
            f"Half the scale or more, the farthest first; {len(apart)} in all.",
        ),
        "No two judgments of one summary are half the scale apart.",
    )  # fmt: skip
    table = Table(("what", "where", "why"), said[:_MOST_SHOWN], "What is implausible")
    yield _listed(table, "Nothing is implausible.")


def _far_apart(judged: Judged, measures: Sequence[str]) -> list[tuple[Any, ...]]:
    """List summaries whose judgments differ by half the scale, the farthest first."""
    rows = (row for row in judged.collection.scores if row.assessor and row.measure in measures)
    items = grouped(((row.measure, row.task, row.topic, row.system), row) for row in rows)
    far = []
    for key, own in items.items():
        scale = judged.collection.scales.get(key[0])
        low, high = min(own, key=lambda row: row.value), max(own, key=lambda row: row.value)
        if scale and high.value - low.value >= _FAR_APART * (scale.high - scale.low):
            by = f"{low.assessor}, {high.assessor}"
            far.append((*key, low.value, high.value, by))
    return sorted(far, key=lambda row: (row[4] - row[5], row[:4]))


def _listed(table: Table, otherwise: str) -> str:
    return table_block(table) if table.rows else paragraph(otherwise)


def reliability(judged: Judged) -> Iterator[str]:
    """Return how far pyramids and annotations can be relied on."""
    own = judged.collection
    # Of what one person annotated it can still be told where marks are missing.
    places = bool(own.peer_annotations)
    questions: dict[str, Callable[[], Result[Any]]] = {
        "Scores": partial(pyramid.score, own),
        "Agreement of annotators": partial(pyramid.agreement, own, places=places),
        "Are there enough references?": partial(studies.stability, own),
    }
    for title, ask in questions.items():
        yield f"<h2>{title}</h2>"
        try:
            if not judged.collection.pyramids:
                hint = "build one on the page of pyramids"
                raise InputError("there is no pyramid yet", hint)
            yield from _shown(ask())
        except PyramidionError as error:
            yield missing(error)


def _shown(result: Result[Any]) -> Iterator[str]:
    """Show the tables and pictures of a result, and what was left out."""
    yield from (table_block(table) for table in result.tables if table.columns)
    first = {chart.kind: chart for chart in reversed(result.charts)}
    try:
        yield from chart_blocks(reversed(first.values()))
    except MissingExtraError as error:
        yield missing(error)
    lines = (paragraph(f"Left out: {line}.", soft=True) for line in result.left_out)
    yield fold("How it was computed", *lines, paragraph(f"Signature: {result.signature}"))


def report(judged: Judged) -> str:
    """Write the self-contained report on all that was judged."""
    there = [name for name in judged.measures if name in judged.collection.scores.measures]
    judged.require(judged.measures[0] if not there else there[0])
    return report_page(judged.only(*there)).to_html()


@dataclass(frozen=True)
class ResultPart:
    """A page of results: its title, and what it shows."""

    title: str
    blocks: Callable[[Judged], Iterable[str]]


PARTS = {
    "": ResultPart("Ranking", ranking),
    "scores": ResultPart("Scores", scores),
    "assessors": ResultPart("Assessors", judges),
    "pyramids": ResultPart("Pyramids", reliability),
}
_REPORT = "report.html"


def _computed(store: Store, evaluation_id: int, part: str) -> Found:
    """Compute a result of what is there now."""
    with store.read() as session:
        evaluation = session.get_one(Evaluation, evaluation_id)
        version = version_of(session, evaluation)
        judged = Judged.of(session, evaluation)
    try:
        html = report(judged) if part == _REPORT else "".join(PARTS[part].blocks(judged))
    except PyramidionError as error:
        html = missing(error)
    except Exception:
        _LOG.exception("results could not be computed")
        html = paragraph("This could not be computed; the studio's output says why.")
    return Found(version, html)


def _desk(request: Request) -> Desk:
    """Return the desk of the application."""
    if not hasattr(request.app.state, "desk"):
        request.app.state.desk = Desk()
    desk: Desk = request.app.state.desk
    return desk


def _asked(
    request: Request, store: Store, token: str, part: str
) -> tuple[Evaluation, Found | None, bool]:
    """Find the evaluation and its result, and tell whether that is of the last events."""
    with store.read() as session:
        evaluation = evaluation_of(session, token)
        version = version_of(session, evaluation)
    make = partial(_computed, store, evaluation.id, part)
    made = _desk(request).ask((evaluation.id, part), version, make, PATIENCE)
    return evaluation, made, made is not None and made.version == version


@router.get("/evaluations/{token}/results")
def show_ranking(request: Request, who: Organizer, store: AStore, token: str) -> HTMLResponse:
    """Show the ranking."""
    return show_part(request, who, store, token, "")


@router.get(f"/evaluations/{{token}}/results/{_REPORT}")
def show_report(request: Request, who: Organizer, store: AStore, token: str) -> Response:
    """Show the report, which may run the one script it has and reaches nothing of the studio."""
    evaluation, made, current = _asked(request, store, token, _REPORT)
    if made is None or not made.html.startswith("<!doctype"):
        return _page(request, evaluation, _REPORT, made, current=current)
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', made.html)
    own = policy[1] if policy else "default-src 'none'"
    headers = {"Content-Security-Policy": f"{own}; frame-ancestors 'none'; sandbox allow-scripts"}
    return HTMLResponse(made.html, headers=headers)


@router.get("/evaluations/{token}/results/{part}")
def show_part(
    request: Request, who: Organizer, store: AStore, token: str, part: str
) -> HTMLResponse:
    """Show another part of the results."""
    found(PARTS.get(part))
    evaluation, made, current = _asked(request, store, token, part)
    return _page(request, evaluation, part, made, current=current)


def _page(
    request: Request, evaluation: Evaluation, part: str, made: Found | None, *, current: bool
) -> HTMLResponse:
    titles = {name: one.title for name, one in PARTS.items()} | {_REPORT: "Report"}
    made = made or Found("", "")
    return page(
        request, "results.html", evaluation=evaluation, titles=titles, part=part, made=made,
        current=current,
    )  # fmt: skip
