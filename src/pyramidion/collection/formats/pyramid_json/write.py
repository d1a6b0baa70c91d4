"""Writing pyramids, annotated peers and answers as JSON objects."""

from collections.abc import Iterator, Mapping
from typing import Any

from pyramidion.collection.collection import Collection
from pyramidion.collection.formats.pyramid_json.places import (
    Window,
    reference_windows,
    written_contributor,
)
from pyramidion.collection.pyramids import PeerAnnotation, Pyramid, joined_references
from pyramidion.collection.records import json_line
from pyramidion.collection.scus import SCU

__all__ = ["ANSWERS", "answer_lines", "list_lines", "peer_lines", "pyramid_fields", "pyramid_lines"]

#: The measures of answers for content units: what was settled, and what single people said.
ANSWERS = ("scu", "scu-answer")


def pyramid_fields(pyramid: Pyramid) -> dict[str, Any]:
    """Give a pyramid's fields: its references where they make up the text, else the text.

    Examples
    --------
    >>> pyramid_fields(Pyramid.from_references({"A": "Ice."}, [("Ice", {"A": ["Ice"]})]))
    {'references': {'A': 'Ice.'}, 'scus': [{'id': '1', 'label': 'Ice',
     'contributors': [{'reference': 'A', 'parts': ['Ice']}]}]}
    """
    references = _references(pyramid)
    windows = reference_windows(pyramid) if references is not None else {}
    fields: dict[str, Any] = (
        {"text": pyramid.text} if references is None else {"references": references}
    )
    if pyramid.start_document_regex:
        fields["start_document_regex"] = pyramid.start_document_regex
    whole = Window(pyramid.text, 0, len(pyramid.text))
    return {**fields, "scus": [_scu(scu, whole, windows) for scu in pyramid.scus]}


def _references(pyramid: Pyramid) -> dict[str, str] | None:
    """Give the references' texts, if they alone give the pyramid's text again."""
    if pyramid.start_document_regex or not pyramid.references:
        return None
    windows = reference_windows(pyramid)
    texts = {name: pyramid.text[w.start : w.end] for name, w in windows.items()}
    same = joined_references(texts) == pyramid.text
    return texts if same and len(texts) == len(pyramid.references) else None


def _scu(scu: SCU, whole: Window, windows: dict[str, Window]) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": scu.uid, "label": scu.label}
    if scu.comment:
        fields["comment"] = scu.comment
    contributors = [written_contributor(one, whole, windows) for one in scu.contributors]
    return {**fields, "contributors": contributors}


def pyramid_lines(pyramids: Mapping[tuple[str, str], Pyramid]) -> Iterator[str]:
    r"""Write a line for each pyramid.

    Examples
    --------
    >>> list(pyramid_lines({("A", "T1"): Pyramid("Ice.")}))
    ['{"topic": "T1", "task": "A", "text": "Ice.", "scus": []}\n']
    """
    for (task, topic), pyramid in pyramids.items():
        yield json_line([("topic", topic), ("task", task)], pyramid_fields(pyramid))


def list_lines(collection: Collection) -> Iterator[str]:
    r"""Write a line for each topic that has a list of content units.

    Examples
    --------
    >>> from pyramidion.collection.topics import Topic
    >>> topic = Topic("T1", extra={"scus": [{"id": 0, "text": "Ice melts"}]})
    >>> list(list_lines(Collection("", topics=(topic,))))
    ['{"topic": "T1", "scus": [{"id": "0", "label": "Ice melts"}]}\n']
    """
    for topic in collection.topics:
        if scus := topic.extra.get("scus"):
            units = [_listed(place, scu) for place, scu in enumerate(scus)]
            yield json_line([("topic", topic.id)], {"scus": units})


def _listed(place: int, scu: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in scu.items() if name not in ("id", "text", "label")}
    label = scu.get("text", scu.get("label", ""))
    return {"id": str(scu.get("id", place)), "label": label, **rest}


def peer_lines(collection: Collection) -> Iterator[str]:
    r"""Write a line for each annotated peer, with its pyramid where it is not the topic's.

    Examples
    --------
    >>> peer = PeerAnnotation(Pyramid("Ice."), "Rain.")
    >>> list(peer_lines(Collection("", pyramids={("", "T1"): peer.pyramid},
    ...                            peer_annotations={("", "T1", "7"): peer})))
    ['{"topic": "T1", "system": "7", "text": "Rain.", "scus": []}\n']
    """
    for (task, topic, system), peer in collection.peer_annotations.items():
        about = [("topic", topic), ("task", task), ("system", system)]
        kind = collection.systems.get(system, "")
        yield json_line([*about, ("kind", kind)], _peer_fields(peer, collection, (task, topic)))


def _peer_fields(
    peer: PeerAnnotation, collection: Collection, address: tuple[str, str]
) -> dict[str, Any]:
    whole = Window(peer.text, 0, len(peer.text))
    fields = {"text": peer.text, "scus": [_scu(scu, whole, {}) for scu in peer.scus]}
    same = peer.pyramid == collection.pyramids.get(address)
    return fields if same else {**fields, "pyramid": pyramid_fields(peer.pyramid)}


def answer_lines(collection: Collection) -> Iterator[str]:
    """Write a line for the answers of each person about each summary.

    Examples
    --------
    >>> from pyramidion.collection.scores import Judgment, Scores
    >>> rows = [Judgment("T1", "7", "scu", 1, unit=unit) for unit in "ab"]
    >>> print(*answer_lines(Collection("", scores=Scores.from_judgments(rows))), end="")
    {"topic": "T1", "system": "7", "kind": "machine", "measure": "scu", "answers": {"a": 1, "b": 1}}
    """
    columns = ("task", "topic", "system", "kind", "measure", "assessor", "unit", "occasion")
    lines: dict[tuple[str, ...], dict[str, float]] = {}
    for measure in ANSWERS:
        rows = collection.scores.select(measure=measure)
        values = (int(v) if v in (0, 1) else v for v in rows.value.tolist())
        for *key, unit, occasion, value in zip(
            *(rows.columns[name] for name in columns), values, strict=True
        ):
            if unit and not occasion:
                lines.setdefault(tuple(key), {})[unit] = value
    for address, answers in lines.items():
        about = list(zip(columns[:-2], address, strict=True))
        yield json_line(about, {"answers": answers})
