"""SummEval's release: ``model_annotations.aligned.jsonl``, one annotated summary per line.

A line has ``id, decoded, expert_annotations, turker_annotations, references, model_id,
filepath``; the scored release adds ``metric_scores_1``, ``_6`` and ``_11`` (by the number
of references), and the release's pairing script adds the article as ``text``. It becomes the same
collection as a file of judged summaries: measures ``expert-coherence``, ``turker-coherence``, ...
and ``auto-<metric>-refs<n>``.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection
from pyramidion.collection.measures import Scale
from pyramidion.collection.summaries import Document, Summary, Topic
from pyramidion.datasets._sets import JudgedSet, measure_of, unknown_fields
from pyramidion.files.reading import Record, read_records

_METRIC_PREFIX = "metric_scores_"


def read_summeval(path: str | Path) -> Collection:
    """Read SummEval's annotations."""
    judged_set = JudgedSet("summeval")
    for record in read_records(path):
        _read_line(record, judged_set)
    return judged_set.collection()


def _read_line(record: Record, judged_set: JudgedSet) -> None:
    topic = record.identifier("id")
    decoded_text = record.take("decoded")
    # Input files of SummEval's toolkit have a single reference.
    if "references" in record.data or not isinstance(record.data.get("reference"), str):
        references = record.texts("references") or record.texts("reference")
    else:
        references = (record.text("reference"),)
    judgments = [*_annotations(record, "expert"), *_annotations(record, "turker")]
    metrics = list(_metrics(record, judged_set))
    extra_fields = _add_topic(record, topic, judged_set)
    summary = Summary(
        topic=topic,
        system=record.identifier("model_id"),
        text=decoded_text if decoded_text == "" else record.text("decoded"),
        extra={**extra_fields, **unknown_fields(record, judged_set)},
    )
    judged_set.add_peer(summary, references, record.where)
    measures = [measure for measure, _, _ in judgments]
    judged_set.scales.update((measure, Scale(1, 5, 1)) for measure in measures)
    judged_set.rows.add(
        summary,
        measures,
        [value for _, _, value in judgments],
        [assessor for _, assessor, _ in judgments],
    )
    judged_set.rows.add(summary, [name for name, _ in metrics], [value for _, value in metrics])


def _annotations(record: Record, group: str) -> Iterator[tuple[str, str, float]]:
    """Return measure, assessor and value; annotators are numbered in the order of the list."""
    for number, annotation in enumerate(record.records(f"{group}_annotations"), start=1):
        for name in annotation.data:
            yield measure_of(f"{group}_{name}"), f"{group}{number}", annotation.number(name)


def _metrics(record: Record, judged_set: JudgedSet) -> Iterator[tuple[str, float]]:
    for field in [name for name in record.data if name.startswith(_METRIC_PREFIX)]:
        for name, value in _flatten(record.inner(field, "fetch the file again").data):
            number = _read_number(value)
            if math.isfinite(number):
                yield measure_of(f"auto_{name}_refs{field.removeprefix(_METRIC_PREFIX)}"), number
            else:
                judged_set.left_out[f"values of {name} that are not numbers"] += 1


def _read_number(value: object) -> float:
    try:
        return float(value) if isinstance(value, int | float) else math.nan
    except OverflowError:
        return math.inf


def _flatten(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Flatten groups of metrics and lists of one; skip the repeated id."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value)
        elif isinstance(value, list) and len(value) == 1:
            yield name, value[0]
        elif name != "id":
            yield name, value


def _add_topic(record: Record, id: str, judged_set: JudgedSet) -> dict[str, Any]:
    """Add the article and its file to the topic; return the file if it differs."""
    text, path = record.text("text", ""), record.text("filepath", "")
    earlier_topic = judged_set.topic(id)
    if text and not earlier_topic.documents:
        judged_set.add_topic(Topic(id, documents=(Document("d1", text),)))
    elif text and text != earlier_topic.documents[0].text:
        raise record.error(f"the article of {id} differs from an earlier line", "fix one")
    if path and not earlier_topic.extra:
        judged_set.add_topic(Topic(id, extra={"filepath": path}))
    return {"filepath": path} if path and path != judged_set.topic(id).extra["filepath"] else {}
