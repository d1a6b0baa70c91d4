"""NIST's tables of scores, with one row per summary.

The tables of TAC 2008-2011 (``manual.peer``, ``manual.model``) and of DUC 2004-2007
(``content.table``, ``linguistic_quality.table``, ``2006_modified_scores.txt``) have no header: they
are recognized by the columns that NIST's README files describe. A table with a header is read by
its names.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from pyramidion.collection import Judgment
from pyramidion.collection.measures import QUALITY_QUESTIONS, Scale
from pyramidion.datasets._duc.names import kind_of_writer, parse_docset
from pyramidion.errors import Where

_NAMES_OF_ROLE = {
    "topic": ("topic", "docset", "docsetid", "set", "setid", "cluster"),
    "task": ("task",),
    "system": (
        *("system", "systemid", "peer", "peerid", "model", "modelid"),
        *("summarizer", "summarizerid"),
    ),
    "assessor": ("assessor", "assessorid", "annotator", "annotatorid"),
    "pyramid-modified": ("modifiedscore", "modifiedpyramidscore"),
    "pyramid-scus": ("numscus", "scus"),
    "pyramid-repetitions": ("numrepetitions", "repetitions"),
    "readability": ("linguisticquality", "overallreadability"),
    "responsiveness": ("overall", "overallresponsiveness"),
    "content-responsiveness": ("content",),
    **{name: (f"lingqual{n}",) for n, name in enumerate(QUALITY_QUESTIONS, start=1)},
}
_ROLE_OF_NAME = {name: role for role, names in _NAMES_OF_ROLE.items() for name in names}


def column_roles(header: Sequence[str]) -> list[str] | None:
    """Return the roles of columns; None if this is not the header of a table of scores."""
    lowercase_names = [name.lower() for name in header]
    roles = [
        _ROLE_OF_NAME.get(re.sub(r"[\W_]+", "", name)) or re.sub(r"[\s_]+", "-", name)
        for name in lowercase_names
    ]
    is_header = {"topic", "system"} < set(roles) and len(set(roles)) == len(roles) and all(roles)
    return roles if is_header else None


# The maximum number of lines above the first row of DUC's tables.
_MAX_PREFACE_LINES = 40

_NUMBER_PATTERN = r"\d+(?:\.\d*)?|\.\d+|nan"
_CELL_PATTERNS = {
    "topic": re.compile(r"D?\d{3,5}[A-Z]?(?:-[A-Z])?", re.IGNORECASE | re.ASCII),
    "system": re.compile(r"[A-Z]|\d{1,3}", re.ASCII),
    "assessor": re.compile(r"[A-Z]"),
    "person": re.compile(r"[A-Z]"),
    "selector": re.compile(r"[A-Z]"),
    "annotator": re.compile(r"\S+"),
    "creator": re.compile(r"\S+"),
    "question": re.compile(r"[1-5]"),
}
_SCORE_PATTERN = re.compile(_NUMBER_PATTERN, re.IGNORECASE | re.ASCII)

_SCALED_MEASURES = {"responsiveness", "readability", "content-responsiveness", *QUALITY_QUESTIONS}
_TOPIC_FROM_2005 = re.compile(r"D(?:[3-7]\d\d|\d{4})[A-Z]?", re.ASCII)
_TOPIC_OF_2009 = re.compile(r"D09\d\d[A-Z]?", re.ASCII)

# Columns that are not scores.
_ADDRESS_ROLES = {"", "task", *_CELL_PATTERNS}

NumberedRow = tuple[int, list[str]]


@dataclass(frozen=True, slots=True)
class _Layout:
    """The columns of a table; those without a role are not read."""

    roles: tuple[str, ...]
    row_lengths: tuple[int, ...]

    def fits(self, fields: Sequence[str]) -> bool:
        pairs = zip(self.roles, fields, strict=False)
        return len(fields) in self.row_lengths and all(
            _CELL_PATTERNS.get(role, _SCORE_PATTERN).fullmatch(field) for role, field in pairs
        )


def _make_layout(roles: str, *sizes: int) -> _Layout:
    names = tuple(roles.split())
    return _Layout(names, sizes or (len(names),))


_PYRAMID_COLUMNS = "topic system pyramid-modified pyramid-scus pyramid-repetitions"
_QUALITY_COLUMNS = " ".join((*QUALITY_QUESTIONS, "content-responsiveness"))
_JUDGMENT_COLUMNS = "pyramid-modified-3 readability responsiveness"
_LAYOUTS = (
    _make_layout(f"{_PYRAMID_COLUMNS} assessor person {_JUDGMENT_COLUMNS}"),  # TAC 2009-2011, peers
    _make_layout(f"{_PYRAMID_COLUMNS} assessor {_JUDGMENT_COLUMNS}"),  # TAC 2008, peers
    _make_layout(
        f"topic system pyramid-scus-3 assessor person {_JUDGMENT_COLUMNS}"
    ),  # TAC 2009-2011, models
    _make_layout(f"topic system pyramid-scus-3 assessor {_JUDGMENT_COLUMNS}"),  # TAC 2008, models
    _make_layout("topic selector assessor system score"),  # DUC 2004-2007, responsiveness
    _make_layout("topic selector assessor system question score"),  # DUC 2005-2007, quality
    # The pyramid tables of DUC end in copies of the two tables above.
    _make_layout(
        f"{_PYRAMID_COLUMNS.replace('system', 'system pyramid')} annotator", 14, 15
    ),  # DUC 2005
    _make_layout(f"{_PYRAMID_COLUMNS} annotator creator {_QUALITY_COLUMNS}"),  # DUC 2006
    _make_layout(f"{_PYRAMID_COLUMNS} {_QUALITY_COLUMNS}"),  # DUC 2007
    _make_layout(
        f"{_PYRAMID_COLUMNS} annotator creator content-responsiveness"
    ),  # DUC 2007, update
    _make_layout(_PYRAMID_COLUMNS, 7),
)


class People(NamedTuple):
    """Who made a pyramid and who annotated a peer, or all peers where no system is named."""

    task: str
    topic: str
    system: str
    annotator: str
    creator: str


@dataclass(frozen=True, slots=True)
class NistTable:
    """The content of a table."""

    judgments: tuple[Judgment, ...]
    left_out: tuple[str, ...] = ()
    has_assessors: bool = False
    copies: tuple[Judgment, ...] = ()
    people: tuple["People", ...] = ()


def read_nist_table(text: str, where: Where) -> NistTable | None:
    """Read a table of scores; `None` if the text is something else."""
    lines = [
        (number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()
    ]
    return _read_with_header(lines, where) or _read_without_header(lines, where)


def _read_with_header(lines: list[tuple[int, str]], where: Where) -> NistTable | None:
    if len(lines) < 2:
        return None
    delimiter = "\t" if "\t" in lines[0][1] else None
    header, *rows = (
        (number, [text.strip() for text in line.split(delimiter)]) for number, line in lines
    )
    roles = column_roles(header[1])
    header_fields = rows[0][1]
    # The first row must have a score; otherwise it is the second line of a text.
    if roles is None or len(header_fields) != len(roles):
        return None
    if not any(
        _is_number(text)
        for role, text in zip(roles, header_fields, strict=True)
        if role not in _ADDRESS_ROLES
    ):
        return None
    roles = _with_measure(tuple(roles), where, []) or roles
    _require_rectangle(rows, where)
    left_out = []
    for index, name in enumerate(header[1]):
        if roles[index] not in _ADDRESS_ROLES and not any(
            _is_number(row[index]) for _, row in rows
        ):
            roles[index] = ""
            left_out.append(f"column `{name}` of {_file_name(where)}")
    return _make_table(roles, rows, where, left_out)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _read_without_header(lines: list[tuple[int, str]], where: Where) -> NistTable | None:
    for index, (_, preface_line) in enumerate(lines[:_MAX_PREFACE_LINES]):
        fields = preface_line.split()
        layout = next((layout for layout in _LAYOUTS if layout.fits(fields)), None)
        if layout:
            roles = _with_measure(layout.roles, where, lines[:index])
            rows = [(number, line.split()) for number, line in lines[index:]]
            return _table_of_layout(layout, roles, rows, where) if roles else None
    return None


def _with_measure(
    roles: tuple[str, ...], where: Where, preface: list[tuple[int, str]]
) -> list[str] | None:
    """Replace the role `score` by the measure in the file name or in the preface."""
    if "score" not in roles or "question" in roles:
        return list(roles)
    for text in (_file_name(where), *(line for _, line in preface)):
        for word in ("content", "overall", "responsiveness"):
            if word in text.lower():
                measure = "content-responsiveness" if word == "content" else "responsiveness"
                return [measure if role == "score" else role for role in roles]
    return None


def _table_of_layout(
    layout: _Layout, roles: list[str], rows: list[NumberedRow], where: Where
) -> NistTable:
    _require_rectangle(rows, where)
    for number, fields in rows:
        for role, field in zip(layout.roles, fields, strict=False):
            if not _CELL_PATTERNS.get(role, _SCORE_PATTERN).fullmatch(field):
                row_where = Where(where.path, line=number)
                raise row_where.error(f"`{role}` is {field!r}", "fix the row")
    n_copied_columns = len(rows[0][1]) - len(roles)
    left_out = [f"{n_copied_columns} columns of {_file_name(where)} that copy other tables"] * bool(
        n_copied_columns
    )
    if "person" in roles:
        assessor_field, person_field = roles.index("assessor"), roles.index("person")
        if n_second_people := sum(
            fields[assessor_field] != fields[person_field] for _, fields in rows
        ):
            left_out.append(
                f"{n_second_people} rows of {_file_name(where)} that name a second person"
            )
    expanded_rows = [(number, _complete_ids(layout.roles, fields)) for number, fields in rows]
    return _make_table(roles + [""] * n_copied_columns, expanded_rows, where, left_out)


def _complete_ids(roles: Sequence[str], fields: list[str]) -> list[str]:
    """Write topic 301 as D301 and system 07 as 7: DUC's tables of pyramids use both forms."""
    fields = list(fields)
    topic_index, system_index = roles.index("topic"), roles.index("system")
    if fields[topic_index][0].isdecimal():
        fields[topic_index] = f"D{fields[topic_index]}"
    if fields[system_index].isdecimal():
        fields[system_index] = str(int(fields[system_index]))
    return fields


def _require_rectangle(rows: list[NumberedRow], where: Where) -> None:
    n_columns = len(rows[0][1])
    for number, fields in rows:
        if len(fields) != n_columns:
            message = f"the row has {len(fields)} columns, but the first row has {n_columns}"
            raise Where(where.path, line=number).error(message, "the file may be cut off")


def _make_table(
    roles: list[str], rows: list[NumberedRow], where: Where, left_out: list[str]
) -> NistTable:
    located_rows = ((fields, Where(where.path, line=number)) for number, fields in rows)
    judgments = [judgment for row in located_rows for judgment in _row_judgments(roles, *row)]
    copied_measures = {*_QUALITY_COLUMNS.split()} if "pyramid-modified" in roles else set()
    people = []
    for _, fields in rows if "annotator" in roles else ():
        fields_by_role = dict(zip(roles, fields, strict=True))
        topic, task = parse_docset(fields_by_role["topic"]) or (fields_by_role["topic"], "")
        people.append(
            People(
                task,
                topic,
                fields_by_role["system"],
                fields_by_role["annotator"],
                fields_by_role.get("creator", ""),
            )
        )
    return NistTable(
        tuple(judgment for judgment in judgments if judgment.measure not in copied_measures),
        tuple(left_out),
        bool({"assessor", "annotator"} & {*roles}),
        # The annotator of a peer did not answer NIST's questions about it.
        tuple(
            replace(judgment, assessor="")
            for judgment in judgments
            if judgment.measure in copied_measures
        ),
        tuple(people),
    )


_PEOPLE_LINE = re.compile(
    r"\s*([Dd]?\d{3,5}[A-Za-z]?(?:-[A-Z])?)\s+(\S+)(?:\s+(\S+))?\s*", re.ASCII
)


def read_people(text: str) -> NistTable | None:
    """Read a table of topics, the creators of their pyramids, and annotators of peers."""
    matches = [(_PEOPLE_LINE.fullmatch(line), line) for line in text.split("\n") if line.strip()]
    rows = [match.groups(default="") for match, _ in matches if match]
    # At most two lines, which name the columns, may have another form.
    if not rows or len(matches) - len(rows) > 2:
        return None
    docsets = ((parse_docset(docset) or (docset, ""), writers) for docset, *writers in rows)
    people = (People(task, topic, "", writers[1], writers[0]) for (topic, task), writers in docsets)
    return NistTable((), people=tuple(people))


def _row_judgments(roles: list[str], fields: list[str], where: Where) -> Iterator[Judgment]:
    fields_by_role = dict(zip(roles, fields, strict=True))
    if not fields_by_role["topic"] or not fields_by_role["system"]:
        raise where.error("the row names no summary", "add topic and system")
    topic, task = parse_docset(fields_by_role["topic"]) or (fields_by_role["topic"], "")
    for role, field in fields_by_role.items():
        if role in _ADDRESS_ROLES or not field:
            continue
        measure = (
            QUALITY_QUESTIONS[int(fields_by_role["question"]) - 1]
            if "question" in fields_by_role
            else role
        )
        yield Judgment(
            topic=topic,
            task=fields_by_role.get("task") or task,
            system=fields_by_role["system"],
            kind=kind_of_writer(fields_by_role["system"]),
            measure=measure,
            assessor=fields_by_role.get("assessor", fields_by_role.get("annotator", "")),
            value=_read_number(field, measure, where),
        )


def _read_number(text: str, measure: str, where: Where) -> float:
    value = float(text) if _is_number(text) else math.nan
    if not math.isfinite(value):
        raise where.error(f"`{measure}` is {text!r}, not a number", "fix or remove the row")
    return value


def _file_name(where: Where) -> str:
    return Path(where.path).name


def nist_scales(judgments: Iterable[Judgment]) -> dict[str, Scale]:
    """Return the scales of NIST's judgments: 1 to 5, or 1 to 10 in 2009."""
    scale_ends: dict[str, int] = {}
    for topic, measure in {(judgment.topic, judgment.measure) for judgment in judgments}:
        if measure in _SCALED_MEASURES and _TOPIC_FROM_2005.fullmatch(topic):
            scale_end = 10 if _TOPIC_OF_2009.fullmatch(topic) else 5
            scale_ends[measure] = max(scale_end, scale_ends.get(measure, 0))
    return {measure: Scale(1, scale_end, 1) for measure, scale_end in sorted(scale_ends.items())}
