"""Exports of annotation tools: Label Studio, Argilla and Potato."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pyramidion.collection import Collection, Finding, Judgment, Preference, Preferences, Scores
from pyramidion.collection.formats.base import first_bytes, first_record, nonzero_counts
from pyramidion.errors import InputError, Where, known_names
from pyramidion.logs._files import (
    expecting_format,
    first_item_fields,
    parse_json,
    read_json,
    read_json_lines,
    read_objects,
    table_header,
)

_SIDE_OF_ANSWER = {
    **dict.fromkeys(("left", "a", "first", "model_a", "system_a"), "first"),
    **dict.fromkeys(("right", "b", "second", "model_b", "system_b"), "second"),
    **dict.fromkeys(("tie", "neither", "equal", "both", "same"), "tie"),
}
_PAIR_FIELDS = (("model_a", "model_b"), ("system_a", "system_b"), ("model_1", "model_2"))
_SYSTEM_FIELDS, _ITEM_FIELDS = ("system", "model", "generator"), ("item", "topic", "item_id", "id")


class ItemFields(NamedTuple):
    """The fields of an item that name it and its systems: as requested, or with usual names."""

    topic: str = ""
    system: str = ""
    first: str = ""
    second: str = ""

    @classmethod
    def of(cls, requested_fields: Mapping[str, str], answers: Sequence["Answer"]) -> "ItemFields":
        """Check requested fields, and find the usual ones in the items."""
        names = dict.fromkeys(name for answer in answers for name in answer.fields)
        for part, name in requested_fields.items():
            if part not in cls._fields:
                hint = f"an export of annotations has: {', '.join(cls._fields)}"
                raise InputError(f"there is no part {part!r}", hint)
            if all(_field(answer.fields, name) is None for answer in answers):
                raise InputError(f"no item has the field {name!r}", known_names(name, names))
        if ("first" in requested_fields) != ("second" in requested_fields):
            raise InputError("`first` and `second` must be used together", "name both fields")
        pairs = (
            []
            if "system" in requested_fields
            else [pair for pair in _PAIR_FIELDS if {*pair} <= names.keys()]
        )
        usual_fields = dict(zip(("first", "second"), pairs[0], strict=True)) if pairs else {}
        for part, usual_names in (("topic", _ITEM_FIELDS), ("system", _SYSTEM_FIELDS)):
            if usual_name := next((name for name in usual_names if name in names), ""):
                usual_fields[part] = usual_name
        return cls(**{**usual_fields, **requested_fields})

    def pair(self, fields: Mapping[str, Any]) -> tuple[str, str] | None:
        """Return the two systems that an item names, if any."""
        first, second = _field(fields, self.first), _field(fields, self.second)
        return (str(first), str(second)) if first and second and first != second else None


def _field(fields: Mapping[str, Any], name: str) -> Any:
    """Return a field, whose name may begin with those of its objects: ``data.model``."""
    if not name or name in fields:
        return fields.get(name)
    first_name, _, other_names = name.partition(".")
    inner_fields = fields.get(first_name)
    return _field(inner_fields if isinstance(inner_fields, dict) else fields, other_names)


class Answer(NamedTuple):
    """An annotator's answer to a question about an item."""

    item: str
    fields: Mapping[str, Any]
    question: str
    value: Any
    assessor: str
    about: str = ""
    is_model: bool = False
    time: str = ""


def is_annotation_export(path: Path) -> bool:
    """Recognize an export by its fields."""
    return bool(_recognize_tool(path))


def _recognize_tool(path: Path) -> str:
    if path.is_dir():
        # A folder of users, or the project that contains it; deeper folders may hold other logs.
        state_files = (path.glob(f"{users}user_state.json") for users in ("", "*/", "*/*/"))
        return "potato" if any(map(any, state_files)) else ""
    if path.name == "user_state.json":
        return "potato"
    keys = {*(first_record(path).keys() or first_item_fields(path))}
    if not keys and path.name.endswith((".csv", ".csv.gz")):
        keys = {*table_header(first_bytes(path))}
    if ("annotations" in keys and "data" in keys) or {"annotation_id", "annotator"} <= keys:
        return "label-studio"
    if {"fields", "responses"} <= keys or any(key.endswith(".responses.users") for key in keys):
        return "argilla"
    is_potato = {"instance_id", "user_id"} <= keys
    return "potato" if is_potato and ("labels" in keys or any("." in key for key in keys)) else ""


def read_annotations(path: Path) -> Collection:
    """Read an export as ratings, and as choices between two systems."""
    return read_annotation_fields(path, {})[0]


def read_annotation_fields(
    path: Path, requested_fields: Mapping[str, str]
) -> tuple[Collection, tuple[tuple[str, str], ...]]:
    """Read an export with the fields that users name; return what each field was read as."""
    counts, findings = Counter[str](), list[Finding]()
    readers = {"label-studio": _read_label_studio, "argilla": _read_argilla, "potato": _read_potato}
    tool = _recognize_tool(path)
    with expecting_format(tool, path):
        answers = list(readers[tool](path, counts, findings))
    item_fields = ItemFields.of(requested_fields, answers)
    judgments, choices = list[Judgment](), list[Preference]()
    occasions = Counter[tuple[str, ...]]()
    unclear_fields = set[str]()
    for answer in answers:
        pair = item_fields.pair(answer.fields)
        side = _SIDE_OF_ANSWER.get(str(answer.value).lower()) if pair else None
        item, kind = _item_name(answer, item_fields.topic), "model" if answer.is_model else ""
        if pair and side and not isinstance(answer.value, int | float):
            choices.append(
                Preference(item, *pair, side, measure=answer.question, assessor=answer.assessor)
            )
            continue
        try:
            value = float(answer.value)
        except (TypeError, ValueError):
            counts[f"answers to {answer.question} that are neither numbers nor sides"] += 1
            continue
        system, is_clear = _judged_system(answer, pair, item_fields.system)
        if not is_clear:
            unclear_fields.add(answer.question)
        occasions[item, system, answer.question, answer.assessor] += 1
        occasion = occasions[item, system, answer.question, answer.assessor]
        judgments.append(
            Judgment(
                item, system, answer.question, value, assessor=answer.assessor,
                assessor_kind=kind, occasion=str(occasion) if occasion > 1 else "",
            )
        )  # fmt: skip
    for question in sorted(unclear_fields):
        message = "the export names no system: its answers are read as being about the whole item"
        findings.append(Finding("judged item", question, message, severity="note"))
    collection = Collection(
        path.name,
        scores=Scores.from_judgments(judgments),
        preferences=Preferences.from_records(choices),
        left_out=nonzero_counts(counts),
        doubts=tuple(findings),
    )
    fields = dict.fromkeys(name for answer in answers for name in answer.fields)
    used_fields = [(part, name) for part, name in item_fields._asdict().items() if name]
    unused_names = [name for name in fields if name not in dict(used_fields).values()]
    return collection, (*used_fields, *(("not used", name) for name in unused_names))


def _item_name(answer: Answer, name: str) -> str:
    value = _field(answer.fields, name)
    return str(value) if isinstance(value, str | int) else answer.item


def _judged_system(answer: Answer, pair: tuple[str, str] | None, name: str) -> tuple[str, bool]:
    """Return the system that an answer is about, and whether the export names it."""
    if pair:
        side = _SIDE_OF_ANSWER.get(answer.about.lower().rpartition("_")[2])
        return (pair[0 if side == "first" else 1], True) if side else ("item", False)
    system = _field(answer.fields, name)
    return (str(system), True) if system else ("item", False)


def _read_label_studio(
    path: Path, counts: Counter[str], findings: list[Finding]
) -> Iterator[Answer]:
    for record in read_objects(path):
        if "annotations" not in record:
            yield from _read_flat_label_studio(record)
            continue
        fields, item = record.get("data") or {}, str(record.get("id", ""))
        for annotation in record["annotations"] or ():
            if annotation.get("was_cancelled"):
                counts["skipped annotations"] += 1
            elif annotation.get("ground_truth"):
                counts["annotations that are the answer key"] += 1
            else:
                yield from _annotation_answers(annotation, item, fields, False)
        for prediction in record.get("predictions") or ():
            yield from _annotation_answers(prediction, item, fields, True)


def _annotation_answers(
    annotation: Mapping[str, Any], item: str, fields: Mapping[str, Any], is_model: bool
) -> Iterator[Answer]:
    """Return the answers of one annotation."""
    annotator = annotation.get("model_version") if is_model else annotation.get("completed_by")
    if isinstance(annotator, dict):
        annotator = annotator.get("id")
    for result in annotation.get("result") or ():
        value = _label_value(result.get("value"))
        if value is not None:
            yield Answer(
                item, fields, str(result.get("from_name")), value, str(annotator),
                str(result.get("to_name") or ""), is_model, str(annotation.get("created_at") or ""),
            )  # fmt: skip


def _label_value(value: Any) -> Any:
    """Return the rating, side or single choice in a result."""
    if not isinstance(value, dict):
        return value
    for name in ("rating", "number", "selected"):
        if name in value:
            return value[name]
    choices = value.get("choices") or []
    return choices[0] if len(choices) == 1 else None


def _read_flat_label_studio(record: dict[str, Any]) -> Iterator[Answer]:
    """Return the answers of a line of JSON_MIN or CSV, where values are lists of objects."""
    ignored_fields = {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"}
    for name, cell in record.items():
        value = cell
        if isinstance(cell, str) and cell.startswith("[{"):
            value = parse_json(cell, Where("Label Studio", element=name))
        if name not in ignored_fields and isinstance(value, list) and value:
            suffix = "a" if isinstance(value[0], dict) and "rating" in value[0] else ""
            yield Answer(
                str(record.get("id")), record, name, _label_value(value[0]),
                str(record.get("annotator")), suffix,
            )  # fmt: skip
        elif (
            name not in ignored_fields and isinstance(cell, str) and cell.lower() in _SIDE_OF_ANSWER
        ):
            yield Answer(str(record.get("id")), record, name, cell, str(record.get("annotator")))


def _read_argilla(path: Path, counts: Counter[str], findings: list[Finding]) -> Iterator[Answer]:
    records = read_objects(path)
    if records and "responses" in records[0]:
        message = "this export has no status: drafts and discarded answers are included; "
        message += "use to_list(flatten=True)"
        findings.append(Finding("answers without a status", path.name, message))
    for record in records:
        item = str(record.get("id", ""))
        if "responses" in record:
            fields = {**(record.get("fields") or {}), **(record.get("metadata") or {})}
            for question, responses in record["responses"].items():
                for response in responses:
                    user = str(response.get("user_id"))
                    yield Answer(item, fields, question, response.get("value"), user)
            for question, suggestion in (record.get("suggestions") or {}).items():
                agent = str(suggestion.get("agent") or "model")
                yield Answer(item, fields, question, suggestion["value"], agent, is_model=True)
        else:
            yield from _read_flat_argilla(record, item, counts)


def _read_flat_argilla(
    record: Mapping[str, Any], item: str, counts: Counter[str]
) -> Iterator[Answer]:
    """Return the submitted answers of a record with parallel lists."""
    for name, values in record.items():
        question, _, part = name.rpartition(".")
        if part == "responses":
            users = record.get(f"{name}.users") or []
            statuses = record.get(f"{name}.status") or ["submitted"] * len(users)
            for value, user, status in zip(values or (), users, statuses, strict=True):
                if status == "submitted":
                    yield Answer(item, record, question, value, str(user))
                else:
                    counts[f"answers with the status {status}"] += 1
        elif part == "suggestion" and values is not None:
            agent = str(record.get(f"{name}.agent") or "model")
            yield Answer(item, record, question, values, agent, is_model=True)


def _read_potato(path: Path, counts: Counter[str], findings: list[Finding]) -> Iterator[Answer]:
    state_files = sorted(path.rglob("user_state.json")) if path.is_dir() else []
    state_files = state_files or ([path] if path.name == "user_state.json" else [])
    folder = path if path.is_dir() else path.parent
    labels = _state_labels(state_files) if state_files else _exported_labels(read_objects(path))
    answers = list(labels)
    items = _potato_items(folder, {item for item, *_ in answers})
    if not items:
        message = "no data file was found next to it, so the systems A and B are unknown"
        findings.append(Finding("missing data file", path.name, message))
    for item, user, question, value in answers:
        yield Answer(item, items.get(item, {}), question, value, user)


def _state_labels(state_files: Iterable[Path]) -> Iterator[tuple[str, str, str, Any]]:
    for state_file in state_files:
        data = read_json(state_file)
        for item, labels in (data.get("instance_id_to_label_to_value") or {}).items():
            for label, value in labels:
                name, user = (
                    str(label.get("name")),
                    str(data.get("user_id", state_file.parent.name)),
                )
                yield item, user, str(label.get("schema")), _potato_value(name, value)


def _exported_labels(records: list[dict[str, Any]]) -> Iterator[tuple[str, str, str, Any]]:
    """Return the labels of an export: objects in JSONL, a column per label in CSV."""
    for record in records:
        labels = record.get("labels")
        if not isinstance(labels, dict):
            labels = {}
            for name, cell in record.items():
                question, _, label = name.partition(".")
                if label and cell not in ("", None):
                    labels.setdefault(question, {})[label] = cell
        for question, answers in labels.items():
            for label, value in answers.items():
                user, item = str(record["user_id"]), str(record["instance_id"])
                yield item, user, question, _potato_value(label, value)


def _potato_value(label: str, value: Any) -> Any:
    """Return the chosen label of a scale, or the value of a field."""
    return label if label.lstrip("-").isdigit() else value


def _potato_items(folder: Path, ids: set[str]) -> dict[str, dict[str, Any]]:
    """Find the data file: JSONL whose records have the ids of the annotated items."""
    for candidate in sorted([*folder.glob("*.jsonl"), *folder.parent.glob("*.jsonl")]):
        if "id" in first_record(candidate):
            records = {str(record.get("id")): record for record in read_json_lines(candidate)}
            if ids <= records.keys():
                return records
    return {}
