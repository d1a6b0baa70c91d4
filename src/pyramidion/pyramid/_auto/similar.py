"""Summaries annotated by similarity, beside what people annotated where they did."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.collection import Collection, Judgment
from pyramidion.collection.ids import natural_order
from pyramidion.collection.questions import Options, option, question
from pyramidion.errors import InputError
from pyramidion.pyramid._auto.found import AutoResult, Found, grouped_notes, read_texts
from pyramidion.pyramid._auto.units import UnitsToFind, gather_units
from pyramidion.pyramid._cases import gather_cases
from pyramidion.pyramid._scores import content_of_peer, score_weighed
from pyramidion.pyramid._source import PyramidSource, source_notes, without_tasks
from pyramidion.pyramid.similar.annotate import SimilarAnnotation, SimilarAnnotator
from pyramidion.pyramid.similar.model import SimilarityModel, default_model
from pyramidion.report.result import signed
from pyramidion.report.table import Cell, Table

#: The measures under which scores by similarity stand in tables of scores.
EXPECTED, ANNOTATED = "pyramid-similar", "pyramid-similar-annotated"

_NOTE = (
    "Modified pyramid scores, means over topics. Expected: each content unit counts with the "
    "probability that the summary expresses it. Annotated: the most probable units, as many as "
    "are expected, count whole."
)


@dataclass(frozen=True, slots=True)
class Similarity(Options):
    """Which model of similarity."""

    model: Path | None = option(None, "A model of similarity instead of the one shipped.")

    def loaded(self) -> SimilarityModel:
        """Give the model."""
        return default_model() if self.model is None else SimilarityModel.load(self.model)


@dataclass(frozen=True, slots=True)
class _Scored:
    """A summary with its scores; the manual one is NaN where nobody annotated it."""

    place: UnitsToFind
    system: str
    kind: str
    found: SimilarAnnotation
    expected: float
    annotated: float
    manual: float


@question
def annotate_by_similarity(
    source: PyramidSource, similarity: Similarity
) -> AutoResult[dict[str, Any]]:
    """Annotate each summary by the similarity of its words to the content units.

    No annotated peer is needed, and a list of content units serves as well as a pyramid.

    Examples
    --------
    >>> from pyramidion import Collection, Pyramid, Summary
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("It melts", {"A": ["melts"]})])
    >>> mine = Collection("mine", summaries=(Summary("T1", "7", "Ice is melting."),),
    ...                   pyramids={("", "T1"): pyramid})
    >>> result = annotate_by_similarity(mine)
    >>> result[0]["system"], result[0]["annotated"]
    ('7', 1.0)
    """
    model = similarity.loaded()
    collection = read_texts(source)
    places = gather_units(collection, topics=source.topic, tasks=source.task)
    scored, left_out = _scored(collection, places, model)
    groups = _by_system(scored)
    return AutoResult(
        command="pyramid auto similar",
        signature=signed(EXPECTED, collection.data_hash, model=model_digest(model)),
        values=[_record(*item) for item in groups.items()],
        tables=[_table(groups)],
        left_out=(*source_notes(collection, but=("empty pyramid",)), *left_out),
        found=_found(collection, scored),
    )


def _scored(
    collection: Collection, places: Sequence[UnitsToFind], model: SimilarityModel
) -> tuple[list[_Scored], list[str]]:
    manual = {
        (case.task, case.topic, case.system): case.scores().modified
        for case in gather_cases(collection, references=False).cases
    }
    scored: list[_Scored] = []
    notes: list[tuple[str, str]] = []
    for place in (place for place in places if place.texts):
        annotator = SimilarAnnotator(
            place.units if place.pyramid is None else place.pyramid,
            dict(place.references),
            model=model,
        )
        # Annotations with a list are shown to nobody, so their uids do not matter.
        renamed = () if place.pyramid is None else annotator.renamed
        notes += [(place.name, note) for note in (*renamed, *annotator.unworded)]
        scored += _scored_topic(collection, place, annotator, manual)
    if not scored:
        raise InputError(
            f"there is no peer in {collection.name} to annotate",
            hint="add summaries that are not references of the pyramids",
        )
    left_out = (line for place in places for line in place.left_out)
    return scored, [*left_out, *grouped_notes(notes)]


def _scored_topic(
    collection: Collection,
    place: UnitsToFind,
    annotator: SimilarAnnotator,
    manual: Mapping[tuple[str, str, str], float],
) -> Iterator[_Scored]:
    for system, text in place.texts.items():
        found = annotator.annotate(text)
        yield _Scored(
            place,
            system,
            collection.systems.get(system, "machine"),
            found,
            found.expected_weight / place.most,
            score_weighed(content_of_peer(found.annotation), place.units.weighing).modified,
            manual.get((place.task, place.topic, system), float("nan")),
        )


def _found(collection: Collection, scored: Sequence[_Scored]) -> Found:
    pyramids = {(s.place.task, s.place.topic): s.found.annotation.pyramid for s in scored}
    peers = {(s.place.task, s.place.topic, s.system): s.found.annotation for s in scored}
    judgments = [
        Judgment(s.place.topic, s.system, measure, value, s.place.task, s.kind)
        for s in scored
        for measure, value in ((EXPECTED, s.expected), (ANNOTATED, s.annotated))
    ]
    lists = tuple(dict.fromkeys(s.place.name for s in scored if s.place.pyramid is None))
    return Found(collection, pyramids, peers, judgments, lists=lists)


def _by_system(scored: Sequence[_Scored]) -> dict[tuple[str, str], list[_Scored]]:
    groups: dict[tuple[str, str], list[_Scored]] = {}
    for item in scored:
        groups.setdefault((item.place.task, item.system), []).append(item)
    means = {key: _mean([item.expected for item in own]) for key, own in groups.items()}

    def place(key: tuple[str, str]) -> tuple[object, ...]:
        task, system = key
        return natural_order(task), -means[key], natural_order(system)

    return {key: groups[key] for key in sorted(groups, key=place)}


def _mean(values: Sequence[float]) -> float:
    """Average what there is; NaN if there is nothing."""
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _means(own: Sequence[_Scored]) -> dict[str, float]:
    names = ("expected", "annotated", "manual")
    return {name: _mean([getattr(item, name) for item in own]) for name in names}


def _table(groups: Mapping[tuple[str, str], Sequence[_Scored]]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (task, system, own[0].kind, len(own), *_means(own).values())
        for (task, system), own in groups.items()
    ]
    columns: tuple[str, ...] = ("task", "system", "kind", "n", "expected", "annotated", "manual")
    if all(np.isnan(item.manual) for own in groups.values() for item in own):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    title = "Pyramid scores by similarity"
    return without_tasks(Table(columns, tuple(rows), title=title, note=_NOTE, name="systems"))


def _record(key: tuple[str, str], own: Sequence[_Scored]) -> dict[str, Any]:
    task, system = key
    return {
        "task": task,
        "system": system,
        "kind": own[0].kind,
        "n": len(own),
        **_means(own),
        "summaries": [_summary_record(item) for item in own],
    }


def _summary_record(item: _Scored) -> dict[str, Any]:
    # In the annotation a unit may have another uid, but the order is the same.
    units = zip(item.place.units.uids, item.found.annotation.scus, strict=False)
    return {
        "topic": item.place.topic,
        "expected": item.expected,
        "annotated": item.annotated,
        "manual": item.manual,
        "expected_weight": item.found.expected_weight,
        "expected_units": item.found.expected_units,
        "max": item.place.most,
        "scus": [uid for uid, found in units if found.contributors],
    }


def model_digest(model: SimilarityModel) -> str:
    """Name a model by its numbers, in eight hexadecimal digits."""
    return hashlib.sha256(repr(model).encode()).hexdigest()[:8]
