"""More kinds of judging: pairs of summaries, content units, and statements against the source.

Their items are assigned, judged and stored like summaries with scores. What is asked about an item
are its *questions*, which take the place of the measures of the evaluation. The second part of an
item, a system or a content unit, follows its system after a tab.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations
from math import isnan
from random import Random
from statistics import fmean
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from pyramidion.collection import (
    Collection,
    Judgment,
    Preference,
    Preferences,
    Pyramid,
    Scores,
)
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.comparison import checklists, preferences
from pyramidion.faithfulness import summary_statements
from pyramidion.rendering.result import Result
from pyramidion.rendering.table import Table
from pyramidion.studio._boards import board_state, find_board
from pyramidion.studio._evaluations import imported_collection
from pyramidion.studio._plan import Item
from pyramidion.studio._scales import JudgedMeasure
from pyramidion.studio._sheets import counted_items, sheets_of
from pyramidion.studio._store import Assignment, Evaluation

_CANNOT_TELL = "cannot tell"
_ANSWERS = ("yes", "no", _CANNOT_TELL)
_LABELS = ("supported", "unsupported", _CANNOT_TELL)  # those that `faithful` reads
_PREFERENCE = JudgedMeasure(
    "preference", -2, 2,
    labels=("left much better", "left better", "no difference", "right better",
            "right much better"),
)  # fmt: skip
# Pairs of a topic with more systems are drawn so that each system is in four.
_ALL_PAIRS: Final = 5


@dataclass(frozen=True)
class Mode:
    """A kind of judging: what it asks, and how its answers are exported."""

    title: str
    task: str
    unit: tuple[str, str]
    question: str
    file: str
    columns: tuple[str, ...]


_CHECKLIST_COLUMNS = ("task", "topic", "system", "unit", "label", "answer", "assessor", "time")
MODES: dict[str, Mode] = {
    "prefer": Mode(
        "Comparing two summaries", "Compare summaries", ("pair", "pairs"),
        "Which summary is better?", "preferences.csv",
        ("task", "topic", "first", "second", "choice", "strength", "assessor", "time"),
    ),
    "checklist": Mode(
        "Checking the units of a summary", "Check units", ("summary", "summaries"),
        "Does the summary say this?", "checklists.csv", _CHECKLIST_COLUMNS,
    ),
    "unit": Mode(
        "Checking a unit in all summaries", "Check units across summaries", ("unit", "units"),
        "Which summaries say this?", "checklists.csv", _CHECKLIST_COLUMNS,
    ),
    "statements": Mode(
        "Checking statements against the documents", "Check statements", ("summary", "summaries"),
        "Do the documents support these statements?", "statements.csv",
        ("task", "topic", "system", "statement", "annotator", "label", "time"),
    ),
}  # fmt: skip
#: The kinds of assignments that the judging page shows.
JUDGED_KINDS = ("judge", *MODES)


def count_items(kind: str, number: int) -> str:
    """Return a number of items with the name of what they are."""
    singular, plural = MODES[kind].unit if kind in MODES else ("summary", "summaries")
    return f"{number:,} {singular if number == 1 else plural}"


@dataclass(frozen=True)
class ModeQuestion:
    """A question about an item; its id does not reveal what it is about."""

    id: str
    text: str
    measure: JudgedMeasure
    #: What the answer is about, for exports: a unit and its label, a system, or a statement.
    subject: tuple[str, ...] = ()


def _choices(labels: tuple[str, ...]) -> JudgedMeasure:
    return JudgedMeasure("answer", 1, len(labels), 1, labels, ordered=False)


def mode_items(collection: Collection, kind: str, summaries: Sequence[Item]) -> list[Item]:
    """Return the items of a mode, from those of the chosen summaries."""
    by_topic = grouped((item.pair, item) for item in summaries)
    if kind == "prefer":
        return [pair for items in by_topic.values() for pair in _pairs(items)]
    if kind == "unit":
        return [
            Item(*pair, f"\t{unit.uid}", items[0].category)
            for pair, items in by_topic.items()
            if pair in collection.pyramids
            for unit in collection.pyramids[pair].scus
        ]
    if kind == "checklist":
        return [item for item in summaries if item.pair in collection.pyramids]
    # A summary without statements cannot be checked.
    peers = {(s.task, s.topic, s.system): s.plain for s in collection.summaries if s.is_peer}
    return [item for item in summaries if _statements(peers[(*item.pair, item.system)])]


def _pairs(items: Sequence[Item]) -> Iterator[Item]:
    """Pair the systems of a topic: all, or neighbors on a circle in random order."""
    systems = sorted({item.system for item in items}, key=natural_order)
    if len(systems) <= _ALL_PAIRS:
        pairs = list(combinations(systems, 2))
    else:
        Random(f"pairs {items[0].pair}").shuffle(systems)  # noqa: S311
        circle = (*systems, *systems[:2])
        pairs = [
            (circle[i], circle[i + distance]) for i in range(len(systems)) for distance in (1, 2)
        ]
    for pair in pairs:
        first, second = sorted(pair, key=natural_order)
        yield replace(items[0], system=f"{first}\t{second}", content=None)


def with_pyramids(session: Session, evaluation: Evaluation, *topics: tuple[str, str]) -> Collection:
    """Return the imported collection with the current pyramids of topics; of all by default."""
    collection = imported_collection(session, evaluation)
    keys = topics or tuple(dict.fromkeys((s.task, s.topic) for s in collection.summaries))
    pyramids = {key: _pyramid(session, evaluation, key) for key in keys}
    current_pyramids = {
        key: pyramid for key, pyramid in pyramids.items() if pyramid and pyramid.scus
    }
    return replace(collection, pyramids={**collection.pyramids, **current_pyramids})


def _pyramid(session: Session, evaluation: Evaluation, key: tuple[str, str]) -> Pyramid | None:
    board = find_board(session, evaluation.id, *key)
    return board_state(session, board).board.pyramid if board else None


def parts_of(item: Assignment) -> tuple[str, str]:
    """Return the system of an item, and its second system or unit.

    Which of two summaries is on the left depends on the random token of the assignment, if any.
    """
    first, _, second = item.system.partition("\t")
    digest = hashlib.sha256(item.token.encode()).digest()
    is_swapped = item.kind == "prefer" and item.token and digest[0] % 2
    return (second, first) if is_swapped else (first, second)


def text_of(collection: Collection, item: Assignment, system: str) -> str:
    """Return the summary of a system."""
    peers = collection.peers(item.topic, item.task)
    return next((peer.plain for peer in peers if peer.system == system), "")


@lru_cache(maxsize=4096)
def _statements(summary: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(statement.text for statement in summary_statements(summary)))


def questions_of(
    collection: Collection, item: Assignment, measures: Iterable[JudgedMeasure] = ()
) -> list[ModeQuestion]:
    """Return the questions about an item; scores have those of the evaluation's measures."""
    system, part_name = parts_of(item)
    if item.kind == "judge":
        return [ModeQuestion(measure.name, measure.title, measure) for measure in measures]
    pyramid = collection.pyramids.get((item.task, item.topic))
    if item.kind == "prefer":
        return [ModeQuestion("preference", MODES["prefer"].question, _PREFERENCE)]
    if item.kind == "statements":
        texts = _statements(text_of(collection, item, system))
        return [
            ModeQuestion(
                _id(text), text, _choices(("supported", "not supported", _CANNOT_TELL)), (text,)
            )
            for text in texts
        ]
    if item.kind == "checklist" and pyramid:
        return [
            ModeQuestion(unit.uid, unit.label, _choices(_ANSWERS), (system, unit.uid, unit.label))
            for unit in pyramid.scus
        ]
    if item.kind == "unit" and pyramid and part_name in {unit.uid for unit in pyramid.scus}:
        return list(_across(collection, item, part_name, pyramid))
    return []


def _id(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _across(
    collection: Collection, item: Assignment, uid: str, pyramid: Pyramid
) -> Iterator[ModeQuestion]:
    """Ask about each summary of a topic, in an order of the person's own."""
    label = pyramid.scus[pyramid.row(uid)].label
    peers = [s for s in collection.peers(item.topic, item.task) if s.is_peer]
    Random(item.token).shuffle(peers)  # noqa: S311
    for peer in peers:
        key = _id(f"{item.token} {peer.system}")
        yield ModeQuestion(key, peer.plain, _choices(_ANSWERS), (peer.system, uid, label))


def label_of(collection: Collection, item: Assignment) -> str:
    """Return the label of the unit of an item."""
    pyramid, uid = collection.pyramids.get((item.task, item.topic)), parts_of(item)[1]
    labels = {unit.uid: unit.label for unit in pyramid.scus} if pyramid else {}
    return labels.get(uid, uid)


def known_answer(item: Assignment, question: ModeQuestion, value: float) -> tuple[str, float]:
    """Return the name and value of an answer without what is random about the item.

    Sides of pairs are exchanged, and questions about a unit have names of their own for everybody.
    The same function converts back.
    """
    if item.kind == "prefer" and parts_of(item)[0] != item.system.partition("\t")[0]:
        value = -value
    return question.subject[0] if item.kind == "unit" else question.id, value


def mode_rows(
    session: Session, evaluation: Evaluation, file: str, number: int | None = None
) -> list[dict[str, Any]]:
    """Return the answers that count as rows of an exported file: all, or those of a round."""
    kinds = [kind for kind, mode in MODES.items() if mode.file == file]
    conditions = counted_items(evaluation, kinds, number)
    items = session.scalars(
        select(Assignment)
        .options(joinedload(Assignment.account))
        .where(*conditions)
        .order_by(Assignment.id)
    ).all()
    sheets = sheets_of(session, *conditions)
    submitted_items = [item for item in items if sheets[item.id].is_submitted]
    topics = {(item.task, item.topic) for item in submitted_items}
    collection = with_pyramids(session, evaluation, *topics) if topics else None
    rows = []
    for item in submitted_items:
        assert collection is not None
        questions = {question.id: question for question in questions_of(collection, item)}
        for id, value in sheets[item.id].values.items():
            fields = _fields(item, id, questions.get(id), value)
            answered_at = sheets[item.id].scores[id].at
            rows.append(
                {"task": item.task, "topic": item.topic, **fields, "time": str(answered_at)}
            )
    return rows


def _fields(
    item: Assignment, id: str, question: ModeQuestion | None, value: float
) -> dict[str, Any]:
    """Return the columns of an answer; those of a question that no longer exists have its id."""
    system, part_name = parts_of(item)
    name = item.account.name
    if item.kind == "prefer":
        choice = "tie" if not value else "first" if value < 0 else "second"
        strength = max(abs(value), 1)
        return {"first": system, "second": part_name, "choice": choice, "strength": strength,
                "assessor": name}  # fmt: skip
    labels = _LABELS if item.kind == "statements" else _ANSWERS
    answer = labels[int(value) - 1]
    if item.kind == "statements":
        (statement,) = question.subject if question else (id,)
        return {"system": system, "statement": statement, "annotator": name, "label": answer}
    no_answer = (system, id, "") if item.kind == "checklist" else ("", part_name, "")
    system, uid, label = question.subject if question else no_answer
    return {"system": system, "unit": uid, "label": label, "answer": answer, "assessor": name}


#: The rows of each exported file.
ModeRows = Mapping[str, Sequence[dict[str, Any]]]


def mode_results(files: ModeRows) -> Iterator[tuple[str, Callable[[], Result[Any] | Table]]]:
    """Yield a title and how to compute the result of each exported file that has answers."""
    if preference_rows := files["preferences.csv"]:
        records = Preferences.from_records(Preference(**row) for row in preference_rows)
        yield "Preferences", partial(preferences, Collection("", preferences=records))
    if checklist_rows := files["checklists.csv"]:
        scores = Scores.from_judgments(map(_judgment, checklist_rows))
        yield "Checklists", partial(checklists, Collection("", scores=scores))
    if labelled := files["statements.csv"]:
        yield "Statements", partial(_shares, labelled)


def mode_scores(files: ModeRows) -> Iterator[tuple[str, tuple[str, ...], Callable[[], Scores]]]:
    """Yield a title, kinds of work, and how to score topics, of each file that has answers.

    Scores lie between 0 and 1, and a topic has arrived when its last answer has. The two systems of
    a pair share a row of their own: each gets the share of people who preferred it.
    """
    for title, kinds, scores in (
        ("Preferences", ("prefer",), partial(_shares_by_topic, "Preferences")),
        ("Checklists", ("checklist", "unit"), _checklist_scores),
        ("Statements", ("statements",), partial(_shares_by_topic, "Statements")),
    ):
        if rows := files[MODES[kinds[0]].file]:
            yield title, kinds, partial(scores, rows)


def _shares_by_topic(measure: str, rows: Iterable[dict[str, Any]]) -> Scores:
    """Average preferences by pair, and labels of statements by summary."""
    values: dict[tuple[str, str, str], list[tuple[float, str]]] = defaultdict(list)
    for row in rows:
        task, topic, time = row["task"], row["topic"], row["time"]
        if "choice" not in row:
            values[task, topic, row["system"]].append((row["label"] == _LABELS[0], time))
            continue
        pair = (row["first"], row["second"])
        gain = {"first": 1.0, "tie": 0.5, "second": 0.0}[row["choice"]]
        row_name = "\t".join((topic, *sorted(pair, key=natural_order)))
        for system, value in zip(pair, (gain, 1 - gain), strict=True):
            values[task, row_name, system].append((value, time))
    return Scores.from_judgments(
        Judgment(topic, system, measure, fmean(v for v, _ in cell), task=task, kind="machine",
                 time=max(time for _, time in cell))
        for (task, topic, system), cell in values.items()
    )  # fmt: skip


def _checklist_scores(rows: Iterable[dict[str, Any]]) -> Scores:
    """Return the shares of units that the ranking of checklists shows, by topic."""
    answers = Scores.from_judgments(map(_judgment, rows))
    times: dict[tuple[str, str, str], str] = defaultdict(str)
    for row in rows:
        key = (row["task"], row["topic"], row["system"])
        times[key] = max(times[key], row["time"])
    return Scores.from_judgments(
        Judgment(topic, system, "Checklists", value, task=checklist.task, kind="machine",
                 time=times[checklist.task, topic, system])
        for checklist in checklists(Collection("", scores=answers))
        for topic, values in zip(
            checklist.matrix.topics, checklist.matrix.values.tolist(), strict=True
        )
        for system, value in zip(checklist.matrix.systems, values, strict=True)
        if not isnan(value)
    )  # fmt: skip


def _judgment(row: dict[str, Any]) -> Judgment:
    value = {"yes": 1.0, "no": 0.0, _CANNOT_TELL: 0.5}[row["answer"]]
    names = ("task", "topic", "system", "unit", "assessor")
    return Judgment(measure="scu-answer", value=value, **{name: row[name] for name in names})


def _shares(rows: Iterable[dict[str, Any]]) -> Table:
    """Count the labels of statements by system."""
    counts = Counter((row["system"], row["label"]) for row in rows)
    systems = sorted({system for system, _ in counts}, key=natural_order)
    lines = [(system, *(counts[system, label] for label in _LABELS)) for system in systems]
    shares = [(*line, line[1] / sum(line[1:])) for line in lines]
    note = "Each label of each person counts; the share is that of supported statements."
    return Table(("system", *_LABELS, "share"), tuple(shares), "Labels of statements", note)
