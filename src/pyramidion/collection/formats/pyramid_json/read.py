"""Reading pyramids, annotated peers and answers from JSON objects."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pyramidion.collection.formats.pyramid_json.places import (
    Window,
    read_contributor,
    reference_windows,
)
from pyramidion.collection.pyramids import PeerAnnotation, Pyramid, joined_references
from pyramidion.collection.records import Record
from pyramidion.collection.scus import SCU, unexpressed

__all__ = ["read_answers", "read_list", "read_peer", "read_pyramid"]


def read_pyramid(record: Record) -> Pyramid:
    """Read a pyramid: ``references`` or ``text``, and ``scus``.

    Examples
    --------
    >>> from pyramidion.errors import Where
    >>> data = {"references": {"A": "Ice melts."}, "scus": [
    ...     {"id": 1, "label": "Ice", "contributors": [{"reference": "A", "parts": ["Ice"]}]}]}
    >>> read_pyramid(Record(data, Where("a.jsonl"))).weights.tolist()
    [1]
    """
    references = record.take("references")
    windows: dict[str, Window] = {}
    if references is None:
        regex = record.text("start_document_regex", "")
        pyramid = Pyramid(record.text("text", ""), start_document_regex=regex)
    else:
        pyramid = Pyramid(joined_references(_texts(record, references)))
        if tuple(reference.name for reference in pyramid.references) != tuple(references):
            raise record.error(
                f"the references {', '.join(references)} cannot be told apart in one text",
                "names are one line, and no reference has a line of dashes",
            )
        windows = reference_windows(pyramid)
    notes: list[str] = []
    whole = Window(pyramid.text, 0, len(pyramid.text))
    scus = tuple(_scu(item, whole, windows, notes) for item in record.records("scus"))
    return replace(pyramid, scus=scus, notes=tuple(notes))


def _texts(record: Record, references: Any) -> Mapping[str, str]:
    if not isinstance(references, dict) or not all(isinstance(t, str) for t in references.values()):
        raise record.error("`references` is not an object of texts", 'write {"name": "text", ...}')
    return references


def _scu(record: Record, whole: Window, windows: dict[str, Window], notes: list[str]) -> SCU:
    uid = record.identifier("id", "" if record.data.get("id") == "" else None)
    contributors = tuple(
        read_contributor(item, whole, windows, uid, notes)
        for item in record.records("contributors")
    )
    scu = SCU(uid, record.text("label", ""), contributors, record.text("comment", ""))
    notes.extend(f"SCU {uid}: `{name}` is not kept" for name in record.rest())
    return scu


def read_peer(record: Record, pyramid: Pyramid | None) -> PeerAnnotation:
    """Read an annotated peer: ``text`` and ``scus``, and its own ``pyramid`` if it has one.

    Where a unit has no ``label``, only what was found is written down: labels and the other
    units are filled in from the pyramid, as DUCView wants them.

    Parameters
    ----------
    record
        The object.
    pyramid
        The topic's pyramid.

    Examples
    --------
    >>> from pyramidion.errors import Where
    >>> data = {"text": "Ice.", "scus": [{"id": 1, "contributors": [{"parts": ["Ice"]}]}]}
    >>> read_peer(Record(data, Where("a.jsonl")), Pyramid("", (SCU("1", "It is ice"),))).scus
    (SCU(uid='1', label='(0) It is ice', contributors=(Contributor(...label='Ice'...),)...),
     SCU(uid='0', label='All non-matching SCUs go here', contributors=(), comment=''))
    """
    own = record.take("pyramid")
    if own is not None:
        if not isinstance(own, dict):
            raise record.error("`pyramid` is not an object", "write {...}")
        pyramid = read_pyramid(Record(own, record.where))
    if pyramid is None:
        raise record.error("its topic has no pyramid", "add a line with its references and scus")
    text = record.text("text", "")
    notes = list(pyramid.notes) if own is not None else []
    whole = Window(text, 0, len(text))
    items = list(record.records("scus"))
    scus = tuple(_scu(item, whole, {}, notes) for item in items)
    if any("label" not in item.data for item in items):
        scus = tuple(_completed(scus, pyramid))
    return PeerAnnotation(pyramid, text, scus, tuple(notes))


def _completed(found: tuple[SCU, ...], pyramid: Pyramid) -> Iterator[SCU]:
    """Give an entry for each unit of the pyramid, then what is not in it; drop none."""
    entries: dict[str, SCU] = {}
    for entry in unexpressed(pyramid.scus, pyramid.weights.tolist()):
        entries.setdefault(entry.uid, entry)
    for uid, entry in entries.items():
        own = [scu for scu in found if scu.uid == uid]
        yield from (replace(scu, label=scu.label or entry.label) for scu in own or [entry])
    yield from (scu for scu in found if scu.uid not in entries)


def read_list(record: Record) -> list[dict[str, Any]]:
    """Read a list of content units without references: ``id``, ``label``, ``weight``.

    Examples
    --------
    >>> from pyramidion.errors import Where
    >>> read_list(Record({"scus": [{"id": "a", "label": "Ice melts"}]}, Where("a.jsonl")))
    [{'id': 'a', 'text': 'Ice melts'}]
    """
    found = []
    for item in record.records("scus"):
        unit: dict[str, Any] = {"id": item.identifier("id"), "text": item.text("label", "")}
        if "weight" in item.data:
            unit["weight"] = item.whole_number("weight")
        found.append({**unit, **item.rest()})
    return found


def read_answers(record: Record, ids: list[str]) -> dict[str, float]:
    """Read ``answers``: an object of 0 and 1 by content unit, or a list in the units' order.

    Parameters
    ----------
    record
        The object.
    ids
        The topic's content units.

    Examples
    --------
    >>> from pyramidion.errors import Where
    >>> read_answers(Record({"answers": [1, 0]}, Where("a.jsonl")), ["a", "b"])
    {'a': 1.0, 'b': 0.0}
    """
    answers = record.take("answers")
    if isinstance(answers, list):
        if len(answers) != len(ids):
            raise record.error(
                f"{len(answers)} answers for {len(ids)} content units", "give one for each"
            )
        answers = dict(zip(ids, answers, strict=True))
    if not isinstance(answers, dict):
        raise record.error("`answers` is no object and no list", 'write {"id": 1, ...}')
    return dict(_answers(record, answers, ids))


def _answers(
    record: Record, answers: dict[str, Any], ids: list[str]
) -> Iterator[tuple[str, float]]:
    for uid, answer in answers.items():
        if ids and uid not in ids:
            raise record.error(f"SCU {uid} is none of the topic's", f"there are: {', '.join(ids)}")
        if not isinstance(answer, int | float) or not 0 <= answer <= 1:
            raise record.error(f"SCU {uid}: the answer is {answer!r}", "write 1 or 0")
        yield uid, float(answer)
