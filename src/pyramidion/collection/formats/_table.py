"""Any table as a collection: CSV, TSV, JSONL, Parquet or a data frame.

Each column is mapped to a part of a collection (topic, system, text, reference, ...) or to a
measure. Columns with usual names are recognized; users name the others.
"""

import ast
import json
import math
import re
import shlex
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection._collection import Collection
from pyramidion.collection._raw import RawTable, convert_each, id_text, read_number
from pyramidion.collection._scores import Scores, TextColumn
from pyramidion.collection.findings import UNREAD_COLUMN, Finding, Repair
from pyramidion.collection.formats._unread import (
    ID_COLUMN,
    LIKELY_NAMES,
    advice_on,
    first_repeated_rows,
    holds_grades,
    likely_columns,
    likely_system_columns,
    unread_reason,
)
from pyramidion.collection.formats.base import Format, first_bytes, first_record, fresh_names
from pyramidion.collection.formats.table_files import flatten, parts_of, read_raw
from pyramidion.collection.ids import brief_list, grouped
from pyramidion.collection.measures import find_measure
from pyramidion.collection.summaries import KINDS, ROLES, Document, Kind, Role, Summary, Topic
from pyramidion.errors import DataNote, InputError, known_names
from pyramidion.files.inputs import is_readable

#: The parts of a collection that a column can hold, and the usual names of such columns.
PARTS: Mapping[str, tuple[str, ...]] = {
    "topic": (
        "topic", "topic_id", "id", "doc_id", "docid", "document_id", "article_id", "dialogue_id",
        "dialog_id", "example_id", "item", "item_id", "instance_id", "prompt_id", "question_id",
        "source_id", "input_id", "cluster_id", "uid", "qid", "idx",
    ),
    "task": ("task", "task_id"),
    "system": (
        "system", "system_id", "system_name", "model", "model_id", "model_name", "team", "method",
        "peer", "peer_id", "summarizer", "generator",
    ),
    "kind": ("kind",),
    "role": ("role",),
    "text": (
        "text", "summary", "summary_text", "system_summary", "generated_summary", "generated",
        "prediction", "predictions", "predicted", "pred", "output", "output_text", "model_output",
        "candidate", "hypothesis", "hyp", "response", "completion", "decoded",
    ),
    "reference": (
        "reference", "references", "reference_summary", "reference_summaries", "ref", "refs",
        "target", "targets", "gold", "gold_summary", "ground_truth", "human_summary", "highlights",
    ),
    "document": (
        "document", "documents", "article", "articles", "source", "source_text", "input",
        "input_text", "doc", "docs", "context", "passage", "dialogue", "transcript",
    ),
    "assessor": (
        "assessor", "assessor_id", "annotator", "annotator_id", "worker", "worker_id", "judge",
        "judge_id", "rater", "rater_id", "evaluator",
    ),
    "assessor_kind": ("assessor_kind",),
    "occasion": ("occasion",),
    "run": ("run", "run_id", "seed"),
    "unit": ("unit", "unit_id"),
    "time": ("time", "timestamp"),
    "measure": ("measure", "metric", "dimension", "criterion", "aspect"),
    "value": ("value", "score", "rating", "judgment", "judgement"),
    "answer": ("answer",),
}  # fmt: skip
# Usual names of columns that group topics or rows: numbers in them are not scores.
_GROUP_COLUMN = re.compile(
    r"(cluster|group|domain|source|year|split|fold|subset|category|batch|genre|language|run|seed|"
    r"occasion)(_?(id|no|number|name))?"
)
# Parts that may have several columns; without a column of systems, each is a system.
_REPEATABLE_PARTS = ("text", "reference", "document", "value")
# In a column of scores, at most this share of the cells are texts.
MAX_TEXTS = 0.7
# Longer texts are not names.
_MAX_NAME_LENGTH = 100
# A metric has the same value in this share of the rows that only differ in the assessor.
_MIN_REPEATED_SHARE = 0.9
# Texts about a topic, which no system wrote.
_DESCRIBING_COLUMN = re.compile(
    r"(title|headline|narrative|description|question|query|prompt|instruction|notes?|comments?|"
    r"rationale|explanation|url|link|date|author|publisher|file|filename|path|keywords|tags|"
    r"reference|document|source|dataset|split|license)(_.*)?"
)
# Parts that identify a score, and those that identify a row.
_SCORE_PARTS = (
    "task", "topic", "system", "kind", "assessor", "assessor_kind", "occasion", "unit", "time",
    "run",
)  # fmt: skip
_ID_PARTS = (*_SCORE_PARTS, "role")
# How pandas names an index that was written with the table.
_INDEX_COLUMN = re.compile(r"unnamed: ?\d+|index|", re.IGNORECASE)
_NUMBERED_NAME = re.compile(r"(.+?)[ _.-]?\d+")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of each part of a collection and of each measure."""

    parts: Mapping[str, tuple[str, ...]]
    #: The column of each measure in a wide table.
    measures: Mapping[str, str] = field(default_factory=dict)
    unused: tuple[str, ...] = ()
    #: Columns that group topics, which become fields of the topics.
    groups: tuple[str, ...] = ()
    #: Columns of texts that are systems, next to the references.
    systems: tuple[str, ...] = ()
    #: Unused columns that would be measures except for a few cells.
    partly_numeric: tuple[str, ...] = ()

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Return pairs of a part and its column."""
        for part, names in self.parts.items():
            yield from ((part, name) for name in names)

    def flags(self) -> str:
        """Write the options for this mapping."""
        flags = []
        for flag, pairs in (("--columns", self.pairs()), ("--measures", self.measures.items())):
            if mapping := ",".join("=".join(map(_escape_name, pair)) for pair in pairs):
                flags.append(f"{flag} {shlex.quote(mapping)}")
        return " ".join(flags)

    def first(self, part: str) -> str | None:
        """Return the first column of a part, if it has one."""
        return next(iter(self.parts.get(part, ())), None)


def _is_measure(raw_table: RawTable, name: str) -> bool:
    """Return whether a column holds numbers, and is not the index of another table."""
    folded_name = plain_name(name)
    if (
        _INDEX_COLUMN.fullmatch(name.strip())
        or _GROUP_COLUMN.fullmatch(folded_name)
        or ID_COLUMN.fullmatch(folded_name)
    ):
        return False
    numbers, cells = raw_table.numbers(name), raw_table.columns[name]
    if None in numbers and any(isinstance(cell, list | tuple) for cell in cells):
        numbers = [read_number(value) for cell in cells for value in _cells(cell)]
    return None not in numbers and not all(map(math.isnan, numbers))  # type: ignore[arg-type]


def _is_partly_numeric(raw_table: RawTable, name: str) -> bool:
    """Return whether a column holds numbers, but texts in some cells."""
    numbers = [
        number for number in raw_table.numbers(name) if number is None or not math.isnan(number)
    ]
    n_texts = numbers.count(None)
    if n_texts > 0.2 * len(numbers):
        folded_name = plain_name(name)
        patterns = (ID_COLUMN, _GROUP_COLUMN, _DESCRIBING_COLUMN)
        if len(set(numbers)) < 4 or any(pattern.fullmatch(folded_name) for pattern in patterns):
            return False
    return 0 < n_texts <= MAX_TEXTS * len(numbers)


def _candidates(raw_table: RawTable, part: str, names: list[str]) -> list[str]:
    """Leave out columns whose cells show that they do not hold a part, whatever their names."""
    if part == "document":
        return [name for name in names if not _is_group(raw_table, name)]
    if part == "assessor":  # A `judge` column may hold the scores given by a judge model.
        return [name for name in names if not _has_fractions(raw_table, name)]
    return names


def _has_fractions(raw_table: RawTable, name: str) -> bool:
    """Return whether a column holds numbers, some of them fractions."""
    numbers = raw_table.numbers(name)
    return None not in numbers and any(number and number % 1 > 0 for number in numbers)


def _holds_summaries(raw_table: RawTable, name: str) -> bool:
    """Return whether a column holds texts of several words that are not about the topic."""
    cells = [cell for cell in raw_table.columns[name] if cell is not None and cell != ""]
    if _DESCRIBING_COLUMN.fullmatch(plain_name(name)) or not all(
        isinstance(cell, str) for cell in cells
    ):
        return False
    return sum(len(cell.split()) for cell in cells) > 2 * len(cells) > 0


def _is_group(raw_table: RawTable, name: str) -> bool:
    """Return whether a column is named like a group of topics, and holds short names."""
    are_short = (len(str(value).split()) <= 3 for value in raw_table.columns[name])
    return bool(_GROUP_COLUMN.fullmatch(plain_name(name))) and all(are_short)


def parse_pairs(mapping: Iterable[str] | Mapping[str, Any], flag: str) -> list[tuple[str, str]]:
    """Parse ``part=column`` from options, or flatten a mapping."""
    if isinstance(mapping, Mapping):
        items = ((k, [v] if isinstance(v, str) else v) for k, v in mapping.items())
        return [(part, column) for part, columns in items for column in columns]
    pairs = []
    for text in mapping:
        name, *values = (
            part.replace("\\=", "=") for part in re.split(r"(?<!\\)=", text, maxsplit=1)
        )
        column = values[0] if values else name if flag == "--measures" else ""
        if not (name.strip() and column.strip()):
            hint = f"write {flag} name=column,name=column"
            raise InputError(f"{flag} {text!r} names no column", hint)
        pairs.append((name.strip(), column.strip()))
    return pairs


def _escape_name(name: str) -> str:
    return name.replace(",", "\\,").replace("=", "\\=")


def find_columns(
    raw_table: RawTable,
    columns: Iterable[str] | Mapping[str, Any] = (),
    measures: Iterable[str] | Mapping[str, str] = (),
) -> Columns:
    """Map the columns of a table: as requested, otherwise by their usual names."""
    parts = _requested_parts(raw_table, columns)
    measure_columns = dict(parse_pairs(measures, "--measures"))
    for column in measure_columns.values():
        _require_column(raw_table, column)
    has_measures = bool(measure_columns)
    used_columns = {*measure_columns.values()}.union(*parts.values())
    unused_columns = [name for name in raw_table.columns if name not in used_columns]
    for part in PARTS:
        # A wide table of measures has no use for a long table's two columns.
        if part not in parts and not (measure_columns and part in ("measure", "value")):
            free_columns = _candidates(
                raw_table,
                part,
                [name for name in unused_columns if name not in used_columns],
            )
            matches = _find_usual_columns(part, free_columns)
            parts.update({part: matches} if matches else {})
            used_columns.update(matches)
    _add_likely_columns(raw_table, parts, used_columns)
    systems: list[str] = []
    if "reference" in parts and not (measure_columns or {"text", "system", "value"} & parts.keys()):
        # Next to references, each further column of texts is a system.
        systems = [
            name
            for name in unused_columns
            if name not in used_columns and _holds_summaries(raw_table, name)
        ]
        parts.update({"text": systems} if systems else {})
        used_columns.update(systems)
    if "answer" in parts and not _holds_answers(raw_table, parts, columns):
        used_columns.difference_update(parts.pop("answer"))
    if not measure_columns and not {"value", "answer"} & parts.keys():
        used_columns.difference_update(parts.pop("measure", ()))
        numbers = [
            name
            for name in unused_columns
            if name not in used_columns and _is_measure(raw_table, name)
        ]
        if {"system", "text"} & parts.keys():
            measure_columns = {name: name for name in numbers}
        elif len(numbers) > 1 and all(
            name in used_columns or name in numbers or _INDEX_COLUMN.fullmatch(name.strip())
            for name in raw_table.columns
        ):
            # If there are only topics, each other column is a system.
            _require_scores(raw_table, () if "topic" in parts else numbers)
            parts["value"] = numbers
    used_columns.update(*parts.values(), measure_columns.values())
    groups = tuple(
        name
        for name in raw_table.columns
        if name not in used_columns and _is_group(raw_table, name)
    )
    unused_names = tuple(
        name for name in raw_table.columns if name not in used_columns and name not in groups
    )
    ordered_parts = {part: tuple(parts[part]) for part in PARTS if part in parts}
    checked_columns = () if has_measures or "value" in parts else [
        name for name in unused_names if plain_name(name) not in LIKELY_NAMES["system"]
    ]  # fmt: skip
    partly_numeric = tuple(
        n
        for n in checked_columns
        if _is_partly_numeric(raw_table, n) or unread_reason(raw_table, n)
    )
    return Columns(
        ordered_parts, measure_columns, unused_names, groups, tuple(systems), partly_numeric
    )


def _add_likely_columns(
    raw_table: RawTable, parts: dict[str, list[str]], used_names: set[str]
) -> None:
    """Add columns with less usual names to parts that are still missing."""
    for part in LIKELY_NAMES:
        if part in parts or ("topic" not in parts and part == "assessor"):
            continue
        free_names = {
            name: plain_name(name) for name in raw_table.columns if name not in used_names
        }
        if part == "topic":
            # A column of documents may hold their names.
            document_columns = parts.get("document", ())
            free_names |= {
                name: plain_name(name) for name in document_columns if name not in free_names
            }
            if not ({"system", "assessor"} & parts.keys() or "value" in parts):
                continue
        matches = likely_columns(raw_table, part, free_names)
        # People who take part are assessors or, in a shared task, systems.
        if part == "assessor" and "system" not in parts:
            matches = [name for name in matches if "participant" not in free_names[name]]
        if matches:
            parts[part] = matches[:1]
            used_names.add(matches[0])
            if matches[0] in parts.get("document", ()):
                parts["document"].remove(matches[0])
                if not parts["document"]:
                    del parts["document"]


#: Answers to a checklist, and their scores.
ANSWER_SCORES: Mapping[str, float] = {
    **dict.fromkeys(("yes", "y", "true", "1"), 1.0),
    **dict.fromkeys(("no", "n", "false", "0"), 0.0),
    **dict.fromkeys(("cannot tell", "can't tell", "cannot_tell", "unsure", "unknown"), 0.5),
}


def _holds_answers(
    raw_table: RawTable,
    parts: Mapping[str, Sequence[str]],
    requested_columns: Iterable[str] | Mapping[str, Any],
) -> bool:
    """Return whether a column holds answers about units, or was requested for them."""
    if any(part == "answer" for part, _ in parse_pairs(requested_columns, "--columns")):
        return True
    values = {id_text(value).lower() for value in raw_table.columns[parts["answer"][0]]}
    return "unit" in parts and "value" not in parts and bool(values & ANSWER_SCORES.keys())


def _answers_to_numbers(raw_table: RawTable, column: str) -> RawTable:
    """Convert a column of answers to numbers."""
    words = [id_text(value).lower() for value in raw_table.columns[column]]
    for row, word in enumerate(words):
        if word and word not in ANSWER_SCORES:
            message = f"`{column}` is {raw_table.columns[column][row]!r}"
            raise raw_table.row_error(row, message, "write yes, no or cannot tell")
    values = [ANSWER_SCORES.get(word) for word in words]
    return replace(raw_table, columns={**raw_table.columns, column: values}, _numbers={})


def _requested_parts(
    raw_table: RawTable, requested_columns: Iterable[str] | Mapping[str, Any]
) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    for part, column in parse_pairs(requested_columns, "--columns"):
        if part not in PARTS:
            raise InputError(f"there is no part {part!r}", f"use one of: {', '.join(PARTS)}")
        _require_column(raw_table, column)
        parts.setdefault(part, []).append(column)
        if len(parts[part]) > 1 and part not in _REPEATABLE_PARTS:
            raise InputError(f"two columns for {part}: {', '.join(parts[part])}", "name one")
    return parts


def _require_column(raw_table: RawTable, column: str) -> None:
    if column not in raw_table.columns:
        raise raw_table.table_error(
            f"there is no column {column!r}", known_names(column, raw_table.columns)
        )


def _require_scores(raw_table: RawTable, names: Sequence[str]) -> None:
    """Refuse a column that numbers the rows, which would become a system."""
    for name in names:
        if len(raw_table.row_numbers) > 2 and set(np.diff(np.array(raw_table.numbers(name)))) == {
            1.0
        }:
            raise raw_table.table_error(
                f"the column {name!r} numbers the rows", "call it topic, or drop it"
            )


def plain_name(name: str) -> str:
    """Normalize the name of a column."""
    return re.sub(r"[\s.-]+", "_", name.strip().lower())


def _find_usual_columns(part: str, free_columns: Sequence[str]) -> list[str]:
    """Find the columns with a usual name of a part, the likeliest name first."""
    folded_names = {name: plain_name(name) for name in free_columns}
    is_list = part in ("reference", "document")
    for usual_name in PARTS[part]:
        matches = [name for name in free_columns if folded_names[name] == usual_name]
        if is_list:
            matches += [
                column
                for column in free_columns
                if (match := _NUMBERED_NAME.fullmatch(folded_names[column]))
                and match[1] == usual_name
            ]
        if matches:
            return matches if is_list else matches[:1]
    return []


def _suggested_number(value: Any) -> str:
    """Suggest how to write a cell as a number."""
    text = str(value).strip()
    for wrong_mark, replacement in ((",", "."), ("%", "")):
        if (
            text.count(wrong_mark) == 1
            and read_number(text.replace(wrong_mark, replacement)) is not None
        ):
            return text.replace(wrong_mark, replacement)
    return "a number"


def _cells(cell: Any) -> Sequence[Any]:
    return cell if isinstance(cell, list | tuple) else (cell,)


def collection_of(raw_table: RawTable, columns: Columns) -> Collection:
    """Create a collection from the rows."""
    if answers := columns.first("answer"):
        parts = {
            part: names
            for part, names in columns.parts.items()
            if part not in ("answer", "measure")
        }
        columns = replace(columns, parts=parts, measures={"scu-answer": answers})
        raw_table = _answers_to_numbers(raw_table, answers)
    return _Reader(raw_table, columns).collection()


class _Reader:
    """Converts rows into summaries, references, documents and scores."""

    def __init__(self, raw_table: RawTable, columns: Columns) -> None:
        self.raw, self.columns = raw_table, columns
        self.n_rows = len(raw_table.row_numbers)
        _require_usable_columns(raw_table, columns)
        self.ids = {part: self._id_texts(part) for part in _ID_PARTS}
        self.left_out: list[str] = []
        self.doubts: list[Finding] = []
        for name in columns.partly_numeric:
            self.doubts.append(
                Finding(UNREAD_COLUMN, f"column {name}", _why_unread(raw_table, name))
            )
        self._set_default_ids()
        for part, choices in (("kind", KINDS), ("role", (*ROLES, ""))):
            for value in dict.fromkeys(self.ids[part]):
                if value not in choices:
                    words = ", ".join(filter(None, choices))
                    row = self.ids[part].index(value)
                    raise raw_table.row_error(
                        row, f"`{part}` is {value!r}", f"write one of: {words}"
                    )

    def _id_texts(self, part: str) -> list[str]:
        """Return a column of ids as texts; they are empty if there is none."""
        column = self.columns.first(part)
        if column is None:
            return [""] * self.n_rows
        texts = convert_each(self.raw.columns[column], id_text)
        if part in ("topic", "system") and "" in texts:
            row = texts.index("")
            is_last = row > 0 and not any(texts[row:])
            hint = "fill it in" + ", or remove the line if it is a footer or a total" * is_last
            raise self.raw.row_error(row, f"`{column}` is empty", hint)
        for text in {text for text in set(texts) if "\n" in text or "\r" in text}:
            hint = "remove it; a quotation mark may be open"
            raise self.raw.row_error(texts.index(text), f"`{column}` has a line break", hint)
        return texts

    def _set_default_ids(self) -> None:
        """Fill in missing ids: a single system is named after its file, and topics are numbered."""
        if self.columns.first("topic") is None:
            self.ids["topic"] = [str(number) for number in range(1, self.n_rows + 1)]
        if self.columns.first("system") is None:
            self.ids["system"] = [self.raw.name or "system"] * self.n_rows
            self._doubt_system()
        if self.columns.first("kind") is None:
            kinds = {"reference": "human"}
            self.ids["kind"] = [kinds.get(role, "machine") for role in self.ids["role"]]

    def _doubt_system(self) -> None:
        """Ask whether an unused column names systems, if there seems to be only one."""
        parts, score_columns = (
            self.columns.parts,
            self.columns.measures or self.columns.first("value"),
        )
        if not score_columns or any(len(parts.get(part, ())) > 1 for part in ("text", "value")):
            return
        for name in likely_system_columns(self.raw, self.columns.unused)[:1]:
            values = list(dict.fromkeys(map(id_text, self.raw.columns[name])))
            message = (
                f"no column of systems was recognized, so all {self.n_rows} rows are one system; "
            )
            message += f"{name} has {len(values)} values ({brief_list(values)}): if these are the "
            message += f"systems, add --columns system={name}"
            repairs = (Repair("columns", f"system={_escape_name(name)}"),)
            self.doubts.append(Finding(
                "systems merged into one", f"column {name}", message, severity="severe",
                effect="systems are averaged instead of compared", repairs=repairs,
            ))  # fmt: skip

    def collection(self) -> Collection:
        summaries = self._summaries()
        references = self._texts_by_topic("reference")
        topics = tuple(self._topics(self._texts_by_topic("document")))
        used_names = {summary.system for summary in summaries}
        summaries += [
            Summary(topic, name, text, task=task, kind="human", role="reference")
            for (task, topic), texts in references.items()
            for name, text in zip(fresh_names(used_names), texts, strict=False)
        ]
        scores = self._scores()
        self._require_once(scores)
        return Collection(
            self.raw.name,
            topics=topics,
            summaries=tuple(summaries),
            scores=scores,
            left_out=tuple(self.left_out),
            doubts=tuple(self.doubts),
        )

    def _topics(self, documents: Mapping[tuple[str, str], Sequence[str]]) -> Iterator[Topic]:
        """Create topics if there are documents, or columns that group topics."""
        texts: dict[str, dict[str, None]] = {topic: {} for topic in self.ids["topic"]}
        for (_, topic), topic_texts in documents.items():
            texts[topic].update(dict.fromkeys(topic_texts))
        groups: dict[str, dict[str, str]] = {}
        for name in self.columns.groups:
            pairs = dict.fromkeys(zip(self.ids["topic"], self.raw.columns[name], strict=True))
            if len(pairs) > len(texts):
                self.left_out.append(f"column {name}: it differs within topics")
            else:
                groups[name] = {topic: id_text(value) for topic, value in pairs}
        for id in texts if documents or groups else ():
            topic_documents = tuple(
                Document(f"d{number}", text) for number, text in enumerate(texts[id], 1)
            )
            yield Topic(
                id,
                documents=topic_documents,
                extra={name: by_topic[id] for name, by_topic in groups.items()},
            )

    def _summaries(self) -> list[Summary]:
        """Create summaries; a summary in several rows must have the same text."""
        summaries: dict[tuple[str, str, str], tuple[Summary, int]] = {}
        missing_texts: dict[tuple[str, str, str], None] = {}
        ids = self.ids
        for column in self.columns.parts.get("text", ()):
            column_system = self._column_as_system("text", column)
            systems = [column_system] * self.n_rows if column_system else ids["system"]
            keys = zip(ids["task"], ids["topic"], systems, strict=True)
            for row, (key, value) in enumerate(zip(keys, self.raw.columns[column], strict=True)):
                if value is None or (isinstance(value, float) and math.isnan(value)):
                    missing_texts[key] = None
                    continue
                text = tuple(map(str, value)) if isinstance(value, list | tuple) else str(value)
                if key not in summaries:
                    kind, role = cast("Kind", ids["kind"][row]), cast("Role", ids["role"][row])
                    role_field: Any = {"role": role} if role else {}
                    summary = Summary(key[1], key[2], text, task=key[0], kind=kind, **role_field)
                    summaries[key] = (summary, row)
                elif summaries[key][0].text != text:
                    earlier_row_name = (
                        f"{self.raw.row_noun} {self.raw.row_numbers[summaries[key][1]]}"
                    )
                    message = (
                        f"system {key[2]} has another text for topic {key[1]} in {earlier_row_name}"
                    )
                    hint = "is another column the topic? Name it: --columns topic=..."
                    raise self.raw.row_error(row, message, hint)
        if lost_keys := [key for key in missing_texts if key not in summaries]:
            names = brief_list([f"{topic}, {system}" for _, topic, system in lost_keys])
            self.left_out.append(f"{len(lost_keys)} without a text: {names}")
        return [summary for summary, _ in summaries.values()]

    def _texts_by_topic(self, part: str) -> dict[tuple[str, str], list[str]]:
        """List the different references or documents of each topic."""
        texts_by_key: dict[tuple[str, str], list[str]] = {}
        first_listings: dict[tuple[str, str], tuple[tuple[str, ...], int]] = {}
        differences = []
        cells = [self.raw.columns[name] for name in self.columns.parts.get(part, ())]
        for row, values in enumerate(zip(*cells, strict=True)):
            texts = tuple(text for value in values for text in _texts_in(value))
            key = (self.ids["task"][row], self.ids["topic"][row])
            if not texts:
                continue
            first_texts, earlier_row = first_listings.setdefault(key, (texts, row))
            if first_texts == texts and earlier_row != row:
                continue
            if first_texts != texts:
                differences.append((key[1], earlier_row, row))
            unique_texts = texts_by_key.setdefault(key, [])
            unique_texts += [text for text in dict.fromkeys(texts) if text not in unique_texts]
        if differences:
            topic, *rows = differences[0]
            row_numbers = " and ".join(str(self.raw.row_numbers[row]) for row in rows)
            message = f"they differ between {self.raw.row_noun}s {row_numbers} ("
            message += (
                f"{len({topic_id for topic_id, *_ in differences})} topics in all); all are kept"
            )
            summary_texts = self.raw.columns.get(
                self.columns.first("text") or "", [None] * self.n_rows
            )
            if part == "reference" and all(
                summary_texts[first] == summary_texts[row] is not None
                for _, first, row in differences
            ):
                message += "; the summaries are the same: were the two columns exchanged?"
            self.doubts.append(Finding(f"differing {part}s", f"topic {topic}", message))
        return texts_by_key

    def _scores(self) -> Scores:
        ids = {name: _objects(self.ids[name]) for name in _SCORE_PARTS}
        extra = {name: _objects(texts) for name, texts in self._other_columns().items()}
        tables = [Scores({}, [], extra=dict.fromkeys(extra, ()))]
        n_missing = 0
        for measures, system, column in self._scored_columns():
            rows, judges, numbers = self._numbers(column)
            has_value = ~np.isnan(numbers)
            n_missing += int((~has_value).sum())
            rows = rows[has_value]
            columns = {name: texts[rows] for name, texts in ids.items()}
            columns["measure"] = _objects(measures)[rows]
            if system:
                columns["system"] = _objects([system] * len(rows))
            if judges:
                columns["assessor"] = _objects(judges)[has_value]
            extra_columns = {name: texts[rows] for name, texts in extra.items()}
            tables.append(Scores(columns, numbers[has_value], extra=extra_columns))
        if n_missing:
            self.left_out.append(f"{n_missing} cells without a score")
            systems = {*self.ids["system"]} - {
                name for p in tables for name in p.distinct("system")
            }
            if systems and "text" not in self.columns.parts and not self.columns.first("value"):
                message = "every cell of its scores is empty, so it is left out"
                self.doubts.append(
                    Finding(
                        "system without scores", f"system {brief_list(sorted(systems))}", message
                    )
                )
        return self._without_repeats(Scores.concatenate(tables))

    def _other_columns(self) -> dict[str, list[str]]:
        """Return columns that are neither texts nor scores, and may name clusters of topics."""
        parts = self.columns.parts
        used_columns = {name for part in _REPEATABLE_PARTS for name in parts.get(part, ())}
        used_columns.update(self.columns.measures.values())
        # A column of documents may hold their names, judging by its first texts.
        for name in parts.get("document", ()):
            if all(len(str(value)) <= _MAX_NAME_LENGTH for value in self.raw.columns[name][:100]):
                used_columns.discard(name)
        extra_columns = (
            (name, cells) for name, cells in self.raw.columns.items() if name not in used_columns
        )
        return {name: convert_each(values, id_text) for name, values in extra_columns}

    def _scored_columns(self) -> Iterator[tuple[Sequence[str], str, str]]:
        """Return the measure of each row, the system if there is one, and the column of scores."""
        for measure, column in self.columns.measures.items():
            yield [measure] * self.n_rows, "", column
        names = ["score"] * self.n_rows
        if measure_column := self.columns.first("measure"):
            names = convert_each(self.raw.columns[measure_column], id_text)
        for column in self.columns.parts.get("value", ()):
            yield names, self._column_as_system("value", column), column

    def _column_as_system(self, part: str, column: str) -> str:
        """Return the column as a system if there are several, but no column of systems."""
        is_system_column = (
            len(self.columns.parts.get(part, ())) > 1 or column in self.columns.systems
        )
        return column if is_system_column and self.columns.first("system") is None else ""

    def _numbers(self, column: str) -> tuple[Ints, list[str], Floats]:
        """Return the row, judge and value (or NaN) of each score; lists have a score per judge."""
        cells, numbers = self.raw.columns[column], self.raw.numbers(column)
        rows, judges = list(range(self.n_rows)), []
        if any(isinstance(cell, list | tuple) for cell in cells):
            cell_lists = list(map(_cells, cells))
            numbers = [read_number(value) for cell in cell_lists for value in cell]
            rows = [row for row, cell in enumerate(cell_lists) for _ in cell]
            judges = [
                f"{column}-{number}" for cell in cell_lists for number in range(1, len(cell) + 1)
            ]
        if None in numbers:
            row = rows[numbers.index(None)]
            message = f"`{column}` is {cells[row]!r}, not a number"
            raise self.raw.row_error(
                row, message, f"write {_suggested_number(cells[row])}, or leave it empty"
            )
        return np.array(rows, np.int64), judges, np.array(numbers, np.float64)

    def _without_repeats(self, scores: Scores) -> Scores:
        """Drop repeated scores of a metric in the rows of several judges, and their assessors."""
        measures = scores.columns["measure"]
        definitions = {name: find_measure(name) for name in set(measures)}
        metrics = {name for name, measure in definitions.items() if measure and not measure.human}
        if self.columns.first("assessor") is None or not metrics:
            return scores
        repeated_rows = [
            (measures[row], row, bool(scores.value[earlier_row] == scores.value[row]))
            for earlier_row, row in _without_assessors(scores, metrics).repeated_keys()
            if measures[row] in metrics
        ]
        # A column with different values by different assessors, such as ranks, is not a metric.
        equal_by_measure = grouped((measure, is_equal) for measure, _, is_equal in repeated_rows)
        metrics -= {
            name
            for name, equalities in equal_by_measure.items()
            if sum(equalities) < _MIN_REPEATED_SHARE * len(equalities)
        }
        dropped_rows = [
            row for measure, row, is_equal in repeated_rows if is_equal and measure in metrics
        ]
        cleared_scores = _without_assessors(scores, metrics)
        return cleared_scores.rows(np.delete(np.arange(len(scores)), dropped_rows))

    def _require_once(self, scores: Scores) -> None:
        for earlier_row, row in scores.repeated_keys():
            score_key = {name: scores.columns[name][row] for name in ("measure", "system", "topic")}
            values_text = f"{scores.value[earlier_row]:g} and {scores.value[row]:g}"
            rounding_hint, assessor_hint, judge = "", "", scores.columns["assessor"][row]
            if re.fullmatch(r"\d[.,]\d+E\+\d+", topic := score_key["topic"]):
                rounding_hint = (
                    f"topic {topic} is a rounded number in scientific notation: export the "
                )
                rounding_hint += "ids as text, since different ones may have become equal"
            if not judge and any(self.ids["assessor"]):
                assessor_hint = (
                    f"{self.ids['assessor'].count('')} of {self.n_rows} rows name no assessor; "
                )
                assessor_hint += f"fill in the column `{self.columns.first('assessor')}`"
            if equal_rows := first_repeated_rows(self.raw):
                message = f"{self.raw.row_noun}s {equal_rows[0]} and {equal_rows[1]} are the same"
                hint = "remove repeated rows, or, if they are of different topics, use complete ids"
                raise self.raw.table_error(message, rounding_hint or assessor_hint or hint)
            unused_text = ", ".join(self.columns.unused)
            message = f"two scores ({values_text}) of {score_key['measure']} for system "
            message += f"{score_key['system']}, topic {score_key['topic']}"
            if rounding_hint or assessor_hint:
                raise self.raw.table_error(message, rounding_hint or assessor_hint)
            if judge and not unused_text:
                hint = "if that was on two occasions, add a column occasion; otherwise, remove one"
                raise self.raw.table_error(f"{message}, both by assessor {judge}", hint)
            raise self.raw.table_error(
                message,
                "name the column that distinguishes them, as in --columns assessor=...; "
                + (f"not used so far: {unused_text}" if unused_text else "every column is used"),
            )


def _why_unread(raw_table: RawTable, name: str) -> str:
    """Say which cell keeps a column from being read as scores, and what to write there."""
    row, hint = _unread_cell(raw_table, name)
    cell = raw_table.columns[name][row]
    shown_cell = f"{cell[:37]}..." if isinstance(cell, str) and len(cell) > 40 else cell
    message = f"{raw_table.row_noun} {raw_table.row_numbers[row]} has {shown_cell!r}, not a number"
    return f"{message}; the column is not used; {hint}"


def why_no_measure(path: Path, name: str) -> str:
    """Say why a column of a table is not a measure; nothing if there is no such column of texts."""
    with suppress(InputError):
        raw_table = read_raw(path)
        if name in raw_table.columns and None in raw_table.numbers(name):
            return _why_unread(raw_table, name)
    return ""


def _unread_cell(raw_table: RawTable, name: str) -> tuple[int, str]:
    """Return a row that keeps a column from being read, and what to write there."""
    row = raw_table.numbers(name).index(None)
    if raw_table.columns[name][row] == name:
        return row, "the names of columns are repeated here; remove the line"
    if holds_grades(raw_table, name):
        return row, "write numbers instead of letters"
    return unread_reason(raw_table, name) or (row, advice_on(raw_table, name))


def _without_assessors(scores: Scores, metrics: Iterable[str]) -> Scores:
    """Remove the assessors from the scores of metrics."""
    is_metric = np.isin(scores.columns["measure"], [*metrics])
    assessors = np.where(is_metric, "", scores.columns["assessor"])
    return Scores({**scores.columns, "assessor": assessors}, scores.value, extra=scores.extra)


def _objects(texts: Sequence[str]) -> TextColumn:
    return np.fromiter(texts, dtype=object, count=len(texts))


def _require_usable_columns(raw_table: RawTable, columns: Columns) -> None:
    """Refuse a mapping without texts and scores, or with systems but no topics."""
    listing = f"the columns are: {', '.join(raw_table.columns)}"
    example = 'Collection.from_frame(frame, columns={"topic": ..., "system": ..., "text": ...})'
    if raw_table.where:
        column_options = "--columns topic=...,system=...,text=..."
        example = f"pyramidion convert {raw_table.where.path} mine {column_options}"
    if not (columns.measures or {"text", "value"} & columns.parts.keys()):
        if (
            answers := _find_usual_columns("answer", list(raw_table.columns))
        ) and "unit" in columns.parts:
            words = brief_list([*dict.fromkeys(map(id_text, raw_table.columns[answers[0]]))])
            message = f"the only answers in the column `{answers[0]}` are {words}"
            raise raw_table.table_error(message, "write yes, no or cannot tell")
        grades = (name for name in columns.unused if holds_grades(raw_table, name))
        for name in (*columns.partly_numeric, *grades):
            row, hint = _unread_cell(raw_table, name)
            raise raw_table.row_error(
                row, f"`{name}` is {raw_table.columns[name][row]!r}, not a number", hint
            )
        from pyramidion.collection.formats._preferences import missing_part

        if missing_column := missing_part(raw_table.columns):
            hint = f"{listing}; add it, or name it: --columns {missing_column}=..."
            raise raw_table.table_error(
                f"a table of preferences needs a column `{missing_column}`", hint
            )
        if any(read_number(name) is not None for name in raw_table.columns if name.strip()):
            message = (
                "the first line seems to be data, not names of columns: "
                f"{', '.join(raw_table.columns)}"
            )
            raise raw_table.table_error(
                message, "add a line of names before it, such as topic,system,score"
            )
        text_columns = [name for name in columns.unused if _holds_summaries(raw_table, name)]
        if len(text_columns) > 1 and "reference" not in columns.parts:
            hint = "say which texts are the references: --columns reference=..."
            raise raw_table.table_error(
                f"the columns {', '.join(text_columns)} hold texts, but no references", hint
            )
        _require_systems(raw_table, columns, listing)
        hint = f"{listing}; name them: {example}"
        raise raw_table.table_error("no column of summaries or scores is recognized", hint)
    if columns.first("topic") is None and columns.first("system") is not None:
        _require_full_topics(raw_table)
        raise raw_table.table_error(
            "no column of topics is recognized", f"{listing}; name it: {example}"
        )


def _require_systems(raw_table: RawTable, columns: Columns, listing: str) -> None:
    """Refuse scores without systems, and name the column that may hold them."""
    if not any(_is_measure(raw_table, name) for name in columns.unused):
        return
    for name in likely_system_columns(raw_table, columns.unused)[:1]:
        hint = (
            f"{listing}; if {name} names them, add --columns system={_escape_name(name)},topic=..."
        )
        raise raw_table.table_error("no column of systems is recognized", hint)
    for name in columns.unused:
        n_names = len(set(map(id_text, raw_table.columns[name])))
        if plain_name(name) in LIKELY_NAMES["system"] and n_names == 1:
            hint = f"by the column {name}, all rows are of one system; if so, name it: --columns "
            hint += f"system={name}"
            raise raw_table.table_error("no column of summaries or scores is recognized", hint)
        if plain_name(name) in LIKELY_NAMES["system"]:
            hint = f"column {name} has another name in nearly each row, so these are not systems; "
            hint += f"name the column: --columns system=...; {listing}"
            raise raw_table.table_error("no column of summaries or scores is recognized", hint)


def _require_full_topics(raw_table: RawTable) -> None:
    """Refuse a column with a usual name of topics that has empty cells."""
    usual_names = {*PARTS["topic"], *LIKELY_NAMES["topic"]}
    for name in (name for name in raw_table.columns if plain_name(name) in usual_names):
        if n_empty := sum(not id_text(cell) for cell in raw_table.columns[name]):
            problem = f"`{name}` is empty in {n_empty:,} of {len(raw_table.columns[name]):,} rows"
            raise raw_table.table_error(
                problem, "write the topic in every row, including rows with merged cells"
            )


def _texts_in(value: Any) -> Iterator[str]:
    """Return the texts in a cell: one, a list, or a list in quotes."""
    if isinstance(value, list | tuple):
        texts = (item.get("text", "") if isinstance(item, dict) else item for item in value)
        yield from (str(text) for text in texts if str(text).strip())
    elif isinstance(value, str) and value.strip():
        list_items = _parse_list(value)
        yield from list_items if list_items is not None else (value,)


def _parse_list(value: str) -> list[str] | None:
    """Parse a list of texts in JSON or Python; None for any other text."""
    text = value.strip()
    if not (text.startswith(("['", '["')) and text.endswith("]")):
        return None
    for parse in (json.loads, ast.literal_eval):
        try:
            parsed_list = parse(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(parsed_list, list) and all(isinstance(text, str) for text in parsed_list):
            return parsed_list
    return None


def read_table_as(
    path: Path,
    columns: Iterable[str] | Mapping[str, Any] = (),
    measures: Iterable[str] | Mapping[str, str] = (),
) -> tuple[Collection, Columns]:
    """Read a file by its columns; return the collection and the mapping used."""
    raw_table = read_raw(path)
    mapping = find_columns(raw_table, columns, measures)
    return collection_of(raw_table, mapping), mapping


def _read(path: Path) -> Collection:
    collection, columns = read_table_as(path)
    suffix = f"; groups of topics: {', '.join(columns.groups)}" if columns.groups else ""
    suffix += f"; not used: {', '.join(columns.unused)}" if columns.unused else ""
    if columns.systems:
        references = ", ".join(columns.parts["reference"])
        suffix += f"; references: {references}; systems: {', '.join(columns.systems)}"
    message = f"{path}: read as {columns.flags()}{suffix}; --columns changes this"
    warnings.warn(message, DataNote, stacklevel=2)
    return collection


def _matches(path: Path) -> bool:
    """Recognize any table with a header, and JSON lines with texts or scores."""
    if path.is_dir():
        return any(map(_matches, parts_of(path)[:1]))
    if not is_readable(path):
        return False
    if record := first_record(path):
        raw_table = RawTable({name: [value] for name, value in flatten(record).items()}, [1])
        columns = find_columns(raw_table)
        return bool(columns.measures or {"text", "value", "answer"} & columns.parts.keys())
    has_table_ending = path.name.lower().removesuffix(".gz").endswith((".csv", ".tsv", ".parquet"))
    beginning = first_bytes(path)
    # JSON may be one list of objects.
    is_list = b"".join(beginning.removeprefix(b"\xef\xbb\xbf").split(maxsplit=1))[:2] == b"[{"
    return has_table_ending or beginning.startswith(b"PAR1") or is_list


FORMAT = Format(
    name="table",
    title="any table with a summary or judgment per row and columns that you name (CSV, TSV, "
    "JSONL, Parquet, or a folder of such parts)",
    matches=_matches,
    read=_read,
)
