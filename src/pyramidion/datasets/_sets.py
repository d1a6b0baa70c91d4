"""Code shared by the formats of judged summaries."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from pyramidion.collection import Collection
from pyramidion.collection.formats.base import ScoreRows, fresh_names, nonzero_counts
from pyramidion.collection.measures import Scale
from pyramidion.collection.summaries import Summary, Topic
from pyramidion.errors import Where
from pyramidion.files.reading import Record

_ASSESSOR_GROUPS = ("expert", "turker")
_SCORE_GROUPS = (*_ASSESSOR_GROUPS, "published", "auto")
_SCORE_PREFIXES = ("human_", *(f"{mark}_" for mark in _SCORE_GROUPS))
_NUMBERED_NAME = re.compile(r"([^0-9]*)[0-9]*")


def group_of(assessor: str) -> str:
    """Return the group of an assessor; empty if there is none."""
    match = _NUMBERED_NAME.fullmatch(assessor)
    return match.group(1) if match and match.group(1) in _ASSESSOR_GROUPS else ""


def measure_of(name: str, assessor: str = "") -> str:
    """Return the measure for a score's name."""
    if not name.startswith(_SCORE_PREFIXES) and (group := group_of(assessor)):
        name = f"{group}_{name}"
    return name.removeprefix("human_").replace("_", "-")


def score_name(measure: str, *, human: bool = False) -> str:
    """Return the name of a measure in ``scores``."""
    group, dash, name = measure.partition("-")
    if dash and name and group in _SCORE_GROUPS:
        return f"{group}_{name}"
    return f"human_{measure}" if human else measure


def judgment_name(measure: str, assessor: str) -> str:
    """Return the name of a measure in ``assessor_scores``."""
    group = group_of(assessor)
    if not group:
        return measure
    prefix, dash, name = measure.partition("-")
    return name if prefix == group and dash and name else score_name(measure, human=True)


@cache
def unit_names(n_units: int) -> list[str]:
    """Name units by their numbers from 0, as in lists of SCUs."""
    return [str(number) for number in range(n_units)]


# Names with another meaning in the files of summaries and topics.
_RESERVED_FIELDS = {"text", "aspects", "id"}


@dataclass(frozen=True, slots=True)
class _ReferenceLine:
    """References as one line lists them, and the summary on that line."""

    texts: tuple[str, ...]
    summary_text: str
    where: Where


@dataclass
class JudgedSet:
    """A collection that is built line by line; data that is left out is counted."""

    name: str
    scales: dict[str, Scale] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    rows: ScoreRows = field(default_factory=ScoreRows)
    _peers: list[tuple[Summary, str, bool]] = field(default_factory=list)
    _topics: dict[str, Topic] = field(default_factory=dict)
    _repeated_topics: list[Topic] = field(default_factory=list)
    _reference_lines: dict[tuple[str | None, str], list[_ReferenceLine]] = field(
        default_factory=dict
    )
    _units: dict[tuple[str | None, str], tuple[int, Where]] = field(default_factory=dict)

    def add_peer(
        self,
        summary: Summary,
        references: tuple[str, ...],
        where: Where,
        *,
        text: str | None = None,
        role_is_given: bool = True,
    ) -> None:
        """Add a summary that was judged, with the references its line lists."""
        summary_text = summary.plain if text is None else text
        self._topics.setdefault(summary.topic, Topic(summary.topic))
        self._peers.append((summary, summary_text, role_is_given))
        self.add_references(summary.task, summary.topic, references, where, summary_text)

    def add_references(
        self, task: str | None, topic: str, texts: tuple[str, ...], where: Where, summary: str = ""
    ) -> None:
        """Add the references in a line, for all tasks if `task` is None."""
        if texts:
            self._reference_lines.setdefault((task, topic), []).append(
                _ReferenceLine(texts, summary, where)
            )

    def add_topic(self, topic: Topic) -> None:
        """Merge the fields of a topic; if an earlier line has one of them, it is a duplicate."""
        earlier_topic = self._topics.setdefault(topic.id, Topic(topic.id))
        names = ("title", "narrative", "category", "assessor", "documents")
        values = {name: value for name in names if (value := getattr(topic, name))}
        shared_fields = earlier_topic.extra.keys() & topic.extra.keys()
        if shared_fields or any(getattr(earlier_topic, name) for name in values):
            self._repeated_topics.append(topic)
        else:
            extra_fields = {**earlier_topic.extra, **topic.extra}
            self._topics[topic.id] = replace(earlier_topic, **values, extra=extra_fields)

    def topic(self, id: str) -> Topic:
        """Return a topic as it was read so far."""
        return self._topics.get(id, Topic(id))

    def expect_units(self, task: str | None, topic: str, n_units: int, where: Where) -> None:
        """Refuse a line with another number of SCUs than earlier lines of the topic."""
        _require_size(
            n_units, where, *self._units.setdefault((task, topic), (n_units, where)), topic
        )

    def collection(self) -> Collection:
        """Return the finished collection, and refuse references that differ within a topic."""
        for (_, topic), (n_units, where) in self._units.items():
            _require_size(n_units, where, *self._units.get((None, topic), (n_units, where)), topic)
        references_by_topic = {
            key: _merge_references(key[1], reference_lists)
            for key, reference_lists in self._lines_by_task().items()
        }
        peers = []
        for summary, text, role_is_given in self._peers:
            references = references_by_topic.get((summary.task, summary.topic), (text,))
            is_peer_only = summary.kind == "human" and text not in references and not role_is_given
            peers.append((replace(summary, role="peer") if is_peer_only else summary, text))
        return Collection(
            name=self.name,
            description=" ".join(self.notes),
            scales=self.scales,
            topics=(*self._topics.values(), *self._repeated_topics),
            summaries=(
                *(summary for summary, _ in peers),
                *_unnamed_references(references_by_topic, peers),
            ),
            scores=self.rows.scores(),
            left_out=nonzero_counts(self.left_out),
        )

    def _lines_by_task(self) -> dict[tuple[str, str], list[_ReferenceLine]]:
        """List references by task and topic; those without a task are added to every task."""
        tasks_of_topic: dict[str, dict[str, None]] = {}
        for summary, _, _ in self._peers:
            tasks_of_topic.setdefault(summary.topic, {})[summary.task] = None
        lines: dict[tuple[str, str], list[_ReferenceLine]] = {}
        for (task, topic), topic_lines in self._reference_lines.items():
            for task_id in tasks_of_topic.get(topic, {"": None}) if task is None else (task,):
                lines.setdefault((task_id, topic), []).extend(topic_lines)
        return lines


def read_marks(record: Record, name: str, marks: Any, hint: str) -> list[float]:
    """Return a list of marks for SCUs; refuse anything but 0 and 1."""
    if not isinstance(marks, list) or any(mark not in (0, 1) for mark in marks):
        raise record.error(f"`{name}` is not a list of 0 and 1", hint)
    return marks


def unknown_fields(record: Record, judged_set: JudgedSet) -> dict[str, Any]:
    """Return the fields that were not read, except those with a reserved name."""
    unread_fields = record.rest()
    for name in sorted(_RESERVED_FIELDS & unread_fields.keys()):
        del unread_fields[name]
        judged_set.left_out[f"fields `{name}`"] += 1
    return unread_fields


def _require_size(
    n_units: int, where: Where, n_expected: int, expected_where: Where, topic: str
) -> None:
    if n_units != n_expected:
        hint = "give one mark for each SCU of the topic, in the same order"
        raise where.error(
            f"{n_units} SCUs for topic {topic}, but {n_expected} in {expected_where}", hint
        )


def _merge_references(topic: str, lines: list[_ReferenceLine]) -> tuple[str, ...]:
    """Return a topic's references; each line must list all of them except its own summary."""
    all_references: Counter[str] = Counter()
    for texts in dict.fromkeys(line.texts for line in lines):
        all_references |= Counter(texts)
    for line in lines:
        if Counter(line.texts) not in (
            all_references,
            all_references - Counter([line.summary_text]),
        ):
            first_line = lines[0]
            differing_line = next(
                (line for line in lines if line.texts != first_line.texts),
                first_line,
            )
            message = f"the references of topic {topic} differ from those in {first_line.where}"
            raise differing_line.where.error(
                message, "list the same references on every line of a topic"
            )
    longest_texts = max((line.texts for line in lines), key=len)
    return (*longest_texts, *(all_references - Counter(longest_texts)).elements())


def _unnamed_references(
    references_by_topic: Mapping[tuple[str, str], tuple[str, ...]], peers: list[tuple[Summary, str]]
) -> Iterator[Summary]:
    """Create summaries from references whose writers are not named."""
    used_names = {summary.system for summary, _ in peers}
    counts: Counter[tuple[str, str, str]] = Counter(
        (summary.task, summary.topic, text) for summary, text in peers if summary.is_reference
    )
    for (task, topic), texts in references_by_topic.items():
        names = fresh_names(used_names)
        for text in texts:
            if counts[task, topic, text]:
                counts[task, topic, text] -= 1
            else:
                yield Summary(topic, next(names), text, task=task, kind="human", role="reference")
