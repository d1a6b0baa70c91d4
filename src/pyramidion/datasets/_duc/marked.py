"""SCU-marked corpora (``.scu``): sentences of documents with the units they match."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree.ElementTree import Element

from pyramidion.collection.formats.ducview.files import decode_ducview
from pyramidion.collection.formats.xml import parse_xml
from pyramidion.collection.ids import grouped
from pyramidion.collection.pyramids import (
    NOT_IN_PYRAMID,
    SCU,
    Contributor,
    Part,
    PeerAnnotation,
    Pyramid,
    joined_references,
)
from pyramidion.collection.summaries import Document
from pyramidion.datasets._duc.names import parse_docset
from pyramidion.errors import FormatError, Where
from pyramidion.files.reading import MAX_XML_BYTES, read_bytes

# An ampersand that does not begin a reference, as in newswire.
_BARE_AMPERSAND = re.compile(r"&(?!#?\w{1,9};)")


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """A sentence of a document, the units it matches and the summaries that use it."""

    document: str
    text: str
    units: tuple[tuple[str, str, str], ...]
    summaries: str


@dataclass(frozen=True, slots=True)
class MarkedCorpus:
    """The documents of a topic, sentence by sentence."""

    topic: str
    task: str
    lines: tuple[MarkedLine, ...]

    def documents(self) -> Iterator[Document]:
        """Return the documents' texts."""
        for name, lines in self._by_document().items():
            yield Document(name, "\n".join(line.text for line in lines))

    def _by_document(self) -> dict[str, list[MarkedLine]]:
        return grouped((line.document, line) for line in self.lines)

    def annotation(self, pyramid: Pyramid | None) -> PeerAnnotation:
        """Return the documents as an annotated peer."""
        text = joined_references({document.id: document.text for document in self.documents()})
        units = {scu.uid: SCU(scu.uid, scu.label) for scu in (pyramid.scus if pyramid else ())}
        contributors: dict[str, list[Contributor]] = {}
        weights: dict[str, str] = {}
        for part, line in self._located_lines(text):
            comment = f"summaries {line.summaries}" if line.summaries else ""
            for uid, label, weight in line.units:
                units.setdefault(uid, SCU(uid, label))
                weights[uid] = f"({weight}) " if weight else ""
                contributors.setdefault(uid, []).append(Contributor((part,), comment=comment))
        annotated_units = (
            SCU(uid, weights.get(uid, "") + unit.label, tuple(contributors.get(uid, ())))
            for uid, unit in units.items()
        )
        outside_unit = SCU(NOT_IN_PYRAMID, "All non-matching SCUs go here")
        # Units that only documents have are added to the pyramid without contributors.
        completed_pyramid = pyramid or Pyramid("")
        uids = {scu.uid for scu in completed_pyramid.scus}
        if missing_units := tuple(unit for unit in units.values() if unit.uid not in uids):
            completed_pyramid = replace(
                completed_pyramid, scus=(*completed_pyramid.scus, *missing_units)
            )
        return PeerAnnotation(completed_pyramid, text, (*annotated_units, outside_unit))

    def _located_lines(self, text: str) -> Iterator[tuple[Part, MarkedLine]]:
        """Return each line with its position in the text of all documents."""
        end = 0
        for name, lines in self._by_document().items():
            header = joined_references({name: ""}).rstrip("\n") + "\n"
            end = text.index(header, end) + len(header)
            for line in lines:
                start, end = end + 1, end + 1 + len(line.text)
                yield Part(start, end, line.text), line


def read_marked_corpus(path: Path) -> tuple[MarkedCorpus, tuple[str, ...]]:
    """Read a ``.scu`` file, and list what was repaired."""
    where = Where(path)
    text, notes = decode_ducview(read_bytes(path, limit=MAX_XML_BYTES))
    try:
        root = parse_xml(text, where)
    except FormatError:
        fixed_text, n_ampersands = _BARE_AMPERSAND.subn("&amp;", text)
        if not n_ampersands:
            raise
        root = parse_xml(fixed_text, where)
        notes = (
            *notes,
            f"{n_ampersands} ampersands that do not begin an entity were read as plain ampersands",
        )
    topic, task = parse_docset(root.get("name", "")) or parse_docset(path.stem) or ("", "")
    lines = tuple(_read_lines(root, where))
    if not topic or not lines:
        raise where.error("there is no marked line, or no topic", "fetch the file again")
    return MarkedCorpus(topic, task, lines), notes


def _read_lines(root: Element, where: Where) -> Iterator[MarkedLine]:
    for number, document in enumerate(root.iter("document"), start=1):
        name = document.get("name")
        if not name:
            raise where.error(f"document no. {number} has no name", "add it")
        for line in document.iter("line"):
            annotation = line.find("annotation")
            marks = [] if annotation is None else annotation.findall("scu")
            units = tuple(
                (mark.get("uid", ""), mark.get("label", ""), mark.get("weight", ""))
                for mark in marks
            )
            if not all(uid for uid, _, _ in units):
                raise where.error(f"a <scu> of document {name} has no uid", "add it")
            summaries = "" if annotation is None else annotation.get("sums", "")
            text = " ".join((line.text or "").split())
            if text:
                yield MarkedLine(name, text, units, summaries)
