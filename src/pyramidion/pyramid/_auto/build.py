"""Pyramids built from references alone, and their tiers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyramidion.collection import Collection, Pyramid
from pyramidion.collection.ids import natural_order
from pyramidion.collection.problems import address_name
from pyramidion.collection.questions import argument, question
from pyramidion.collection.sources import Source
from pyramidion.errors import InputError
from pyramidion.pyramid._auto.found import AutoResult, Found, read_texts
from pyramidion.pyramid._auto.similar import Similarity, model_digest
from pyramidion.pyramid._source import PyramidSource, reader_notes, without_tasks
from pyramidion.pyramid._topics import placed_words, require_known
from pyramidion.pyramid._units import reference_writers
from pyramidion.pyramid.similar import build_pyramid
from pyramidion.report.result import signed
from pyramidion.report.table import Cell, Table

#: Task, topic.
_Address = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Built:
    """A topic's references, and the pyramid made of them."""

    task: str
    topic: str
    references: int
    pyramid: Pyramid

    @property
    def tiers(self) -> dict[int, int]:
        """How many content units have each weight, the heaviest first."""
        found = {weight: len(scus) for weight, scus in self.pyramid.tiers().items()}
        return {weight: found.get(weight, 0) for weight in range(self.references, 0, -1)}


@dataclass(frozen=True, slots=True)
class ReferenceSource(PyramidSource):
    """What holds references."""

    source: Source | Pyramid = argument(
        "What holds references: a collection in any format, .pyr files."
    )


@question
def build_pyramids(source: ReferenceSource, similarity: Similarity) -> AutoResult[_Built]:
    """Build pyramids from references alone, by grouping similar statements.

    Examples
    --------
    >>> from pyramidion import Collection, Summary
    >>> texts = {"A": "Ten people died.", "B": "Ten people have died."}
    >>> mine = Collection("mine", summaries=tuple(
    ...     Summary("T1", writer, text, kind="human") for writer, text in texts.items()))
    >>> build_pyramids(mine)[0].tiers
    {2: 1, 1: 0}
    """
    model = similarity.loaded()
    collection = read_texts(source)
    references = _wanted(_references(collection), source)
    built = [
        _Built(*address, len(texts), build_pyramid(texts, model=model))
        for address, texts in references.items()
        if _enough(texts)
    ]
    if not built:
        raise InputError(
            f"no topic in {collection.name} has two references with words",
            hint="a pyramid is built of two or more",
        )
    pyramids = {(item.task, item.topic): item.pyramid for item in built}
    return AutoResult(
        command="pyramid auto build",
        signature=signed("pyramid-build", collection.data_hash, model=model_digest(model)),
        values=built,
        record=_record,
        tables=[_table(built)],
        left_out=(*reader_notes(collection), *_too_few(references)),
        found=Found(collection, pyramids, pyramids_alone=True),
    )


def _references(collection: Collection) -> dict[_Address, dict[str, str]]:
    """Give references by topic and writer: the collection's, else those in its pyramids."""
    found: dict[_Address, dict[str, str]] = {}
    for summary in collection.summaries:
        if summary.is_reference:
            here = found.setdefault((summary.task, summary.topic), {})
            here[summary.system] = summary.plain
    for address, pyramid in collection.pyramids.items():
        writers = zip(reference_writers(pyramid), pyramid.references, strict=True)
        texts = {name: pyramid.text[r.start : r.end].strip() for name, r in writers}
        found.setdefault(address, texts)
    return found


def _wanted(
    references: Mapping[_Address, dict[str, str]], source: PyramidSource
) -> dict[_Address, dict[str, str]]:
    require_known("topic", source.topic, {topic for _, topic in references})
    require_known("task", source.task, {task for task, _ in references})
    order = sorted(references, key=lambda key: tuple(map(natural_order, reversed(key))))
    return {
        (task, topic): references[task, topic]
        for task, topic in order
        if topic in (source.topic or (topic,)) and task in (source.task or (task,))
    }


def _enough(texts: Mapping[str, str]) -> bool:
    return sum(bool(placed_words(text)) for text in texts.values()) > 1


def _too_few(references: Mapping[_Address, Mapping[str, str]]) -> Iterator[str]:
    for address, texts in references.items():
        if not _enough(texts):
            yield f"{address_name(*address)}: a pyramid is built of two references with words"


def _table(built: Sequence[_Built]) -> Table:
    heaviest = max(item.references for item in built)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            item.task,
            item.topic,
            item.references,
            len(item.pyramid.scus),
            *(item.tiers.get(weight) for weight in range(heaviest, 0, -1)),
        )
        for item in built
    )
    weights = (f"weight {weight}" for weight in range(heaviest, 0, -1))
    columns = ("task", "topic", "references", "content units", *weights)
    title = "Pyramids built of references: content units by weight"
    return without_tasks(Table(columns, rows, title=title, name="tiers"))


def _record(item: _Built) -> dict[str, Any]:
    weights = item.pyramid.weights.tolist()
    return {
        "task": item.task,
        "topic": item.topic,
        "references": item.references,
        "tiers": item.tiers,
        "scus": [
            {"uid": scu.uid, "label": scu.label, "weight": weight}
            for scu, weight in zip(item.pyramid.scus, weights, strict=True)
        ],
    }
