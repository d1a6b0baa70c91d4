"""Reading DUCView's XML: pyramids (``.pyr``) and annotated peers (``.pan``)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element

from pyramidion.collection.files import MAX_XML_BYTES, read_bytes
from pyramidion.collection.formats.ducview.sharing import SharedPyramids
from pyramidion.collection.formats.ducview.text import AnnotatedText, decode_ducview
from pyramidion.collection.formats.xml import parse_xml
from pyramidion.collection.pyramids import SCU, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.errors import FormatError, Where

__all__ = ["read_ducview", "read_peer_annotation", "read_pyramid"]

# What DUCView writes: the attributes and the children of every element.
_GRAMMAR: dict[str, tuple[set[str], set[str]]] = {
    "peerAnnotation": (set(), {"pyramid", "annotation"}),
    "annotation": (set(), {"text", "peerscu"}),
    "pyramid": (set(), {"startDocumentRegEx", "text", "scu"}),
    "startDocumentRegEx": (set(), set()),
    "text": (set(), {"line"}),
    "line": (set(), set()),
    "scu": ({"uid", "label", "comment"}, {"contributor"}),
    "peerscu": ({"uid", "label", "comment"}, {"contributor"}),
    "contributor": ({"label", "comment"}, {"part"}),
    "part": ({"label", "start", "end"}, set()),
}
_WITH_TEXT = {"line", "startDocumentRegEx"}
_ONLY_ONE = {"pyramid", "annotation", "startDocumentRegEx", "text"}


def read_ducview(
    path: str | Path, *, shared: SharedPyramids | None = None
) -> Pyramid | PeerAnnotation:
    """Read a pyramid or an annotated peer, whichever the file holds.

    Parameters
    ----------
    path
        The file, in whatever encoding.
    shared
        The pyramids met so far, if equal ones are to be one object.

    Returns
    -------
    Pyramid or PeerAnnotation
        Its `notes` say what was mended or left out, with the content unit's uid: offsets
        that do not fit the text, bytes that could not be decoded, unknown elements.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "T1.pyr"
    ...     _ = file.write_text("<pyramid><text><line>Ice melts.</line></text></pyramid>")
    ...     read_ducview(file)
    Pyramid(text='Ice melts.', scus=(), start_document_regex='')
    """
    text, notes = decode_ducview(read_bytes(path, limit=MAX_XML_BYTES))
    if shared is None:
        return _read(path, text, notes)
    written = _written_pyramid(text)
    known = shared.written(written)
    if known is not None:
        try:
            return _read(path, text.replace(written, "<pyramid/>"), notes, known)
        except FormatError:
            # Reading the whole file names the right line.
            pass
    found = _read(path, text, notes)
    if isinstance(found, Pyramid):
        return shared.pyramid(found)
    found = shared.peer(found)
    shared.remember(written, found.pyramid)
    return found


def _written_pyramid(text: str) -> str:
    """Find the pyramid in an annotated peer's file, where it can be told by its tags."""
    if text.count("<pyramid>") != 1 or text.count("</pyramid>") != 1:
        return ""
    start, end = text.index("<pyramid>"), text.index("</pyramid>")
    return text[start : end + len("</pyramid>")]


def _read(
    path: str | Path, text: str, notes: Iterable[str], known: Pyramid | None = None
) -> Pyramid | PeerAnnotation:
    root = parse_xml(text, Where(path))
    reader = _Reader(Path(path), [*notes, *_strange(root)])
    if root.tag == "pyramid":
        return reader.pyramid(root)
    if root.tag == "peerAnnotation":
        return reader.peer_annotation(root, known)
    if root.tag == "Pyramid":
        raise FormatError(
            "this is PyrEval's form of a pyramid, which has no text",
            where=Where(path),
            hint="export it as DUCView's `.pyr`",
        )
    raise FormatError(
        f"the root element is <{root.tag}>",
        where=Where(path),
        hint="DUCView's files begin with <pyramid> or <peerAnnotation>",
    )


def read_pyramid(path: str | Path, *, shared: SharedPyramids | None = None) -> Pyramid:
    """Read a ``.pyr`` file (see `read_ducview`).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "T1.pyr"
    ...     _ = file.write_text("<pyramid><text><line>Ice melts.</line></text></pyramid>")
    ...     read_pyramid(file).text
    'Ice melts.'
    """
    found = read_ducview(path, shared=shared)
    if isinstance(found, PeerAnnotation):
        raise FormatError(
            "this is an annotated peer, not a pyramid", where=Where(path), hint="name a `.pyr`"
        )
    return found


def read_peer_annotation(
    path: str | Path, *, shared: SharedPyramids | None = None
) -> PeerAnnotation:
    """Read a ``.pan`` file (see `read_ducview`).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "T1-A-17.pan"
    ...     _ = file.write_text("<peerAnnotation><pyramid><text/></pyramid><annotation>"
    ...                         "<text><line>Ice.</line></text></annotation></peerAnnotation>")
    ...     read_peer_annotation(file).text
    'Ice.'
    """
    found = read_ducview(path, shared=shared)
    if isinstance(found, Pyramid):
        raise FormatError(
            "this is a pyramid, not an annotated peer", where=Where(path), hint="name a `.pan`"
        )
    return found


def _strange(root: Element) -> Iterator[str]:
    """Count what DUCView does not write, and what is therefore not kept."""
    found: Counter[str] = Counter()
    for element in root.iter():
        if element.tag in _GRAMMAR:
            found.update(_strange_inside(element))
    for what, number in found.items():
        yield f"not kept: {what}" + (f" ({number} times)" if number > 1 else "")


def _strange_inside(element: Element) -> Iterator[str]:
    tag = element.tag
    attributes, children = _GRAMMAR[tag]
    for name in set(element.keys()) - attributes:
        yield f"attribute {name} of <{tag}>"
    seen = set()
    for child in element:
        if child.tag not in children or child.tag in seen:
            yield f"element <{child.tag}> in <{tag}>"
        seen |= {child.tag} & _ONLY_ONE
    texts = [child.tail for child in element]
    if tag not in _WITH_TEXT:
        texts.append(element.text)
    for text in texts:
        if text and text.strip():
            yield f"text in <{tag}>"


@dataclass(frozen=True, slots=True)
class _Reader:
    """A file that is being read, and what is to be said about it."""

    path: Path
    notes: list[str] = field(default_factory=list)

    def pyramid(self, element: Element) -> Pyramid:
        text = self._text(element)
        regex = element.findtext("startDocumentRegEx") or ""
        scus = self._scus(element.iterfind("scu"), AnnotatedText(text))
        return Pyramid(text, scus, regex, tuple(self.notes))

    def peer_annotation(self, element: Element, known: Pyramid | None) -> PeerAnnotation:
        pyramid = known or self.pyramid(self._child(element, "pyramid"))
        annotation = self._child(element, "annotation")
        text = self._text(annotation)
        scus = self._scus(annotation.iterfind("peerscu"), AnnotatedText(text))
        return PeerAnnotation(pyramid, text, scus, tuple(self.notes))

    def _child(self, element: Element, tag: str) -> Element:
        child = element.find(tag)
        if child is None:
            raise FormatError(
                f"<{element.tag}> has no <{tag}>",
                where=Where(self.path),
                hint="fetch the file again, or export it again from DUCView",
            )
        return child

    def _text(self, element: Element) -> str:
        lines = self._child(element, "text").iterfind("line")
        return "\n".join(line.text or "" for line in lines)

    def _scus(self, elements: Iterable[Element], text: AnnotatedText) -> tuple[SCU, ...]:
        return tuple(self._scu(number, scu, text) for number, scu in enumerate(elements, start=1))

    def _scu(self, number: int, element: Element, text: AnnotatedText) -> SCU:
        uid = self._attribute(element, "uid", f"{element.tag} no. {number}")
        place = f"{element.tag} {uid}"
        contributors = tuple(
            self._contributor(contributor, text, uid, place)
            for contributor in element.iterfind("contributor")
        )
        label = self._attribute(element, "label", place)
        return SCU(uid, label, contributors, element.get("comment", ""))

    def _contributor(
        self, element: Element, text: AnnotatedText, uid: str, place: str
    ) -> Contributor:
        parts = tuple(self._part(part, text, uid, place) for part in element.iterfind("part"))
        label = self._attribute(element, "label", place)
        if not parts:
            self.notes.append(f"SCU {uid}: contributor {label!r} has no parts")
        return Contributor(parts, label, element.get("comment", ""))

    def _part(self, element: Element, text: AnnotatedText, uid: str, place: str) -> Part:
        start, end = (self._offset(element, name, place) for name in ("start", "end"))
        part = Part(start, end, self._attribute(element, "label", place))
        part, note = text.place(part, uid)
        if note:
            self.notes.append(note)
        return part

    def _attribute(self, element: Element, name: str, place: str) -> str:
        value = element.get(name)
        if value is None:
            raise FormatError(
                f"<{element.tag}> has no {name}",
                where=Where(self.path, element=place),
                hint="add it",
            )
        return value

    def _offset(self, element: Element, name: str, place: str) -> int:
        value = self._attribute(element, name, place).strip()
        if not (value.isascii() and value.removeprefix("-").isdigit() and len(value) < 19):
            raise FormatError(
                f"{name}={value[:20]!r} is not a whole number",
                where=Where(self.path, element=place),
                hint="write the offset of a character",
            )
        return int(value)
