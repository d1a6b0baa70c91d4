"""Content units of other projects, as lists of units and answers about summaries.

PyrEval's pyramids, the files of Lite2-3Pyramid and LitePyramids, RoSE's ACUs, and the answer keys
of question answering, in which nuggets are vital or okay.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection
from pyramidion.collection.formats.base import first_bytes
from pyramidion.collection.formats.nist_names import parse_summary_name
from pyramidion.collection.formats.table_files import read_columns
from pyramidion.collection.formats.xml import read_xml
from pyramidion.collection.ids import brief_list, natural_order
from pyramidion.collection.summaries import Document, Summary, Topic
from pyramidion.datasets._sets import (
    JudgedSet,
    read_marks,
    unit_names,
    unknown_fields,
)
from pyramidion.errors import Where
from pyramidion.files.reading import Record, read_lines, read_records

UnitFields = dict[str, Any]


def _topic_of_units(
    topic: str, units: Sequence[UnitFields], documents: tuple[Document, ...] = ()
) -> Topic:
    return Topic(topic, documents=documents, extra={"scus": list(units)} if units else {})


def _number_texts(texts: Sequence[str]) -> list[UnitFields]:
    return [{"id": number, "text": text, "weight": 1} for number, text in enumerate(texts)]


def _add_answers(
    judged_set: JudgedSet, summary: Summary, answers: Sequence[float], n_units: int, where: Where
) -> None:
    """Add one answer for each unit of a topic."""
    if len(answers) != n_units:
        message = f"{len(answers)} labels for the {n_units} units of topic {summary.topic}"
        raise where.error(message, "give one for each unit, in the same order")
    judged_set.rows.add(summary, ["scu"] * n_units, answers, units=unit_names(n_units))


def read_pyreval(path: Path) -> Collection:
    """Read the units of PyrEval's XML, which has no texts; contributors count as weight."""
    root = read_xml(path)
    if root.tag != "Pyramid":
        raise Where(path).error(f"the root element is <{root.tag}>", "PyrEval writes <Pyramid>")
    units: list[UnitFields] = []
    for number, scu in enumerate(root.iterfind("scu"), start=1):
        labels = [contributor.get("label", "") for contributor in scu.iterfind("contributor")]
        uid = scu.get("uid")
        if uid is None or not labels:
            message = "it has no uid, or no contributor"
            raise Where(path, element=f"scu no. {number}").error(message, "fetch the file again")
        text = scu.get("label") or labels[0]
        units.append({"id": uid, "text": text, "weight": len(labels), "contributors": labels})
    if not units:
        raise Where(path).error("there are no content units", "fetch the file again")
    name = path.name.split(".")[0]
    return Collection(name, topics=(_topic_of_units(name, units),))


_UNITS_FILE = "SCUs.txt"
_LITE_FILES = (_UNITS_FILE, "ids.txt", "references.txt", "documents.txt")
_LITE_FOLDERS = {"labels": ".label", "summaries": ".summary"}


def read_lite(path: Path) -> Collection:
    """Read Lite2-3Pyramid's folder, whose files have one line per example."""
    judged_set = JudgedSet(path.resolve().name)
    units = [_split_units(line) for line in _read_lines(path / _UNITS_FILE)]
    n_examples = len(units)
    ids = _read_lines(path / "ids.txt", n_examples) or [
        str(number) for number in range(1, n_examples + 1)
    ]
    articles = _read_lines(path / "documents.txt", n_examples) or [""] * n_examples
    references = _read_lines(path / "references.txt", n_examples) or [""] * n_examples
    for id, texts, article in zip(ids, units, articles, strict=True):
        documents = (Document("d1", article),) if article else ()
        judged_set.add_topic(_topic_of_units(id, _number_texts(texts), documents))
    expected_files = (
        file for name, suffix in _LITE_FOLDERS.items() for file in (path / name).glob(f"*{suffix}")
    )
    for system in sorted({file.stem for file in expected_files}, key=natural_order):
        summaries = (
            _read_lines(path / "summaries" / f"{system}.summary", n_examples) or [""] * n_examples
        )
        labels_file = path / "labels" / f"{system}.label"
        labels = _read_lines(labels_file, n_examples)
        for index, (id, text, reference) in enumerate(zip(ids, summaries, references, strict=True)):
            where = Where(labels_file, line=index + 1)
            summary = Summary(id, system, text)
            judged_set.add_peer(summary, (reference,) if reference else (), where)
            if labels:
                answers = _split_units(labels[index])
                for answer in answers:
                    if answer not in ("0", "1"):
                        message = f"the label {answer!r} is neither 0 nor 1"
                        raise where.error(message, "separate labels by tabs")
                _add_answers(judged_set, summary, [*map(float, answers)], len(units[index]), where)
    expected_names = {*_LITE_FILES, *_LITE_FOLDERS, "README.md"}
    if unread_names := sorted(
        item.name for item in path.iterdir() if item.name not in expected_names
    ):
        judged_set.left_out[f"files or folders that were not read: {brief_list(unread_names)}"] = (
            len(unread_names)
        )
    return judged_set.collection()


def _read_lines(file: Path, n_expected: int | None = None) -> list[str]:
    """Read all lines; none if the file is missing."""
    if not file.exists():
        return []
    lines = [line for _, line in read_lines(file)]
    if n_expected is not None and len(lines) != n_expected:
        hint = "all files must have one line per example"
        raise Where(file).error(f"{len(lines)} lines, {_UNITS_FILE} has {n_expected}", hint)
    return lines


def _split_units(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("\t") if cell.strip()]


_LITE_COLUMNS = ("eventId", "questionId", "questionText", "answer", "author", "sourceSummaryId")


def read_litepyramids(path: Path) -> Collection:
    """Read LitePyramids' list of units, with their authors and references."""
    columns, line_numbers = read_columns(path)
    for name in (*_LITE_COLUMNS, "forUse"):
        if name not in columns:
            raise Where(path, line=1).error(f"column `{name}` is missing", "fetch it again")
    units: dict[str, list[UnitFields]] = {}
    n_irrelevant = 0
    rows = zip(*(columns[name] for name in (*_LITE_COLUMNS, "forUse")), strict=True)
    for line, (topic, id, text, answer, author, source, for_use) in zip(
        line_numbers, rows, strict=True
    ):
        if answer not in ("Y", "N") or for_use not in ("0", "1") or not topic:
            message = f"`answer` is {answer!r}, `forUse` {for_use!r}, `eventId` {topic!r}"
            raise Where(path, line=line).error(message, "they are Y or N, 1 or 0, and a topic")
        unit = {"id": id, "text": text, "weight": 1, "author": author, "source": source}
        units.setdefault(topic, [])
        if answer == "Y":
            units[topic].append({**unit, "for_use": for_use == "1"})
        n_irrelevant += answer == "N"
    return Collection(
        path.name.split(".")[0],
        topics=tuple(_topic_of_units(topic, topic_units) for topic, topic_units in units.items()),
        left_out=(f"{n_irrelevant} units that were found irrelevant",) * bool(n_irrelevant),
    )


def is_litepyramids(path: Path) -> bool:
    """Recognize the list by its columns and the name of a NIST reference."""
    header, _, body = first_bytes(path).decode("utf-8", "replace").partition("\n")
    if not {*_LITE_COLUMNS} <= {name.strip(' "\r') for name in header.split(",")}:
        return False
    sources = (cell.strip('"') for cell in body.split("\n")[0].split(","))
    return any(parse_summary_name(source) for source in sources)


def read_rose(path: Path) -> Collection:
    """Read RoSE: ACUs, labels and both published scores of each system's summary."""
    judged_set = JudgedSet(path.name.split(".")[0])
    for record in read_records(path):
        _add_example(record, judged_set)
    return judged_set.collection()


def _add_example(record: Record, judged_set: JudgedSet) -> None:
    topic = record.identifier("example_id" if "example_id" in record.data else "count_id")
    record.take("count_id")
    units = record.texts("reference_acus")
    source, reference = record.text("source", ""), record.text("reference")
    hint = "write a value for each system"
    outputs = record.inner("system_outputs", hint).data
    annotations = record.inner("annotations", hint).data
    extra_fields = unknown_fields(record, judged_set)
    documents = (Document("d1", source),) if source else ()
    unit_topic = _topic_of_units(topic, _number_texts(units), documents)
    judged_set.add_topic(replace(unit_topic, extra={**extra_fields, **unit_topic.extra}))
    for system, text in outputs.items():
        if not isinstance(text, str):
            raise record.error(f"the output of {system} is not a text", "fetch the file again")
        summary = Summary(topic, system, text)
        judged_set.add_peer(summary, (reference,), record.where)
        if system in annotations:
            _add_annotation(
                Record(annotations[system], record.where), summary, len(units), judged_set
            )
    if unknown_names := annotations.keys() - outputs.keys():
        raise record.error(f"{sorted(unknown_names)[0]} is annotated but has no output", "add it")


def _add_annotation(record: Record, summary: Summary, n_units: int, judged_set: JudgedSet) -> None:
    if not isinstance(record.data, dict):
        raise record.error("an annotation is not an object", 'write {"acu_labels": [...], ...}')
    labels = read_marks(record, "acu_labels", record.data.get("acu_labels"), "fetch the file again")
    _add_answers(judged_set, summary, labels, n_units, record.where)
    for name in ("acu", "normalized_acu"):
        if name in record.data:
            measure = f"published-{name.replace('_', '-')}"
            judged_set.rows.add(summary, [measure], [record.number(name)])


_NUGGET_LINE = re.compile(r"(\S+)[ \t]+(?:(\d+)[ \t]+)?(vital|okay)[ \t]+(\S.*)", re.IGNORECASE)


def read_nuggets(path: Path) -> Collection:
    """Read an answer key of question answering, with a vital or okay nugget per line."""
    units: dict[str, list[UnitFields]] = {}
    for number, line in read_lines(path):
        if not line.strip():
            continue
        match = _NUGGET_LINE.fullmatch(line.strip())
        if not match:
            hint = "write: QUESTION NUMBER vital|okay TEXT"
            raise Where(path, line=number).error(f"{line.strip()[:40]!r} is not a nugget", hint)
        topic, id, importance, text = match.groups()
        nuggets = units.setdefault(topic, [])
        is_vital = importance.lower() == "vital"
        nuggets.append({"id": id or str(len(nuggets) + 1), "text": text, "vital": is_vital})
    topics = tuple(_topic_of_units(topic, topic_units) for topic, topic_units in units.items())
    return Collection(path.name.split(".")[0], topics=topics)


def are_nuggets(path: Path) -> bool:
    """Check the first complete lines of a file."""
    lines = first_bytes(path).decode("utf-8", "replace").split("\n")
    complete_lines = [line.strip() for line in lines[: max(1, len(lines) - 1)] if line.strip()]
    return bool(complete_lines) and all(map(_NUGGET_LINE.fullmatch, complete_lines))
