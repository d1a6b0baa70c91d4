"""Read and write DUCView's pyramids (``.pyr``) and annotated peers (``.pan``)."""

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar
from xml.etree.ElementTree import Element

from pyramidion.collection.formats.xml import (
    ILLEGAL_CHARACTER,
    escape_attribute,
    escape_text,
    parse_xml,
)
from pyramidion.collection.pyramids import SCU, Contributor, Original, Part, PeerAnnotation, Pyramid
from pyramidion.errors import FormatError, Where
from pyramidion.files.reading import MAX_XML_BYTES, read_bytes
from pyramidion.files.writing import write_bytes

Annotation = TypeVar("Annotation", Pyramid, PeerAnnotation)

_ENCODING_DECLARATION = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)""")
_CHARACTER_REFERENCE = re.compile(r"&#(?:(\d{1,7})|[xX]([0-9a-fA-F]{1,6}));")
_LATIN_ENCODINGS = {"iso8859-1", "cp1252", "iso8859-15"}
_ENCODING_OF_BEGINNING = (
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)


_CONTROL_BYTES = bytes({*range(32)} - {*b"\t\n\r"})


def decode_ducview(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Decode XML in its actual encoding, and replace characters that XML forbids by spaces."""
    text, encoding, notes = _decode(data)
    # Most files are UTF-8 without forbidden characters or references to them.
    has_escapes = any(mark in data for mark in (b"&#", b"\xef\xbf\xbe", b"\xef\xbf\xbf"))
    if (
        encoding == "utf-8"
        and not has_escapes
        and len(data.translate(None, _CONTROL_BYTES)) == len(data)
    ):
        return text, notes
    text, n_replaced = ILLEGAL_CHARACTER.subn(" ", text)
    illegal_references = {
        match[0] for match in _CHARACTER_REFERENCE.finditer(text) if _is_illegal(match)
    }
    for reference in illegal_references:
        n_replaced += text.count(reference)
        text = text.replace(reference, " ")
    return text, (
        *notes,
        *([f"{n_replaced} control characters were read as blanks"] * bool(n_replaced)),
    )


def _decode(data: bytes) -> tuple[str, str, tuple[str, ...]]:
    """Return the text, its encoding (UTF-8, as declared, or Windows-1252), and notes."""
    for beginning, encoding in _ENCODING_OF_BEGINNING:
        if data.startswith(beginning):
            return data.decode(encoding, "replace"), encoding, ()
    has_bom = data.startswith(codecs.BOM_UTF8)
    data = data.removeprefix(codecs.BOM_UTF8)
    declared_encoding = _declared_encoding(data)
    for encoding_name in (
        "utf-8",
        *([declared_encoding] if declared_encoding not in _LATIN_ENCODINGS else []),
    ):
        try:
            return data.decode(encoding_name), "utf-8-sig" if has_bom else encoding_name, ()
        except UnicodeError:
            continue
    text = data.decode("utf-8", "surrogateescape")
    n_windows = sum(map(text.count, map(chr, _WINDOWS_1252_CHARACTERS)))
    note = f"{n_windows} bytes that are not UTF-8 were read as Windows-1252"
    return (
        text.translate(_WINDOWS_1252_CHARACTERS),
        "cp1252",
        () if declared_encoding in _LATIN_ENCODINGS else (note,),
    )


def _declared_encoding(data: bytes) -> str:
    match = _ENCODING_DECLARATION.match(data)
    try:
        codec = codecs.lookup(match[1].decode()) if match else codecs.lookup("utf-8")
        b" ".decode(codec.name)
    except (LookupError, UnicodeError):  # no such encoding, or one that is not of text
        return "utf-8"
    return codec.name


# A byte that is not UTF-8 is escaped as the surrogate 0xDC00 + byte.
_WINDOWS_1252_CHARACTERS = {
    0xDC00 + byte: bytes([byte]).decode("cp1252", "ignore") or chr(byte)
    for byte in range(0x80, 0x100)
}


def _is_illegal(reference: re.Match[str]) -> bool:
    number = int(reference[1]) if reference[1] else int(reference[2], 16)
    return number > 0x10FFFF or ILLEGAL_CHARACTER.match(chr(number)) is not None


class AnnotatedText:
    """A text in which parts of contributors are located."""

    def __init__(self, text: str) -> None:
        self.text = text

    def locate(self, part: Part, uid: str) -> tuple[Part, str | None]:
        """Return a part at its correct position in the text, with a note if it moved."""
        if 0 <= part.start <= part.end <= len(self.text):
            span = self.text[part.start : part.end]
            if span == part.label or _without_space(span) == _without_space(part.label):
                return part, None
        short_label = part.label if len(part.label) <= 40 else f"{part.label[:39]}…"
        problem = f"SCU {uid}: {short_label!r} is not at {part.start} to {part.end}"
        nearest_span = self._nearest(part)
        if nearest_span is None:
            return part, f"{problem} nor anywhere else in the text"
        start, end = nearest_span
        return Part(start, end, part.label), f"{problem} but at {start} to {end}, which is used"

    def _nearest(self, part: Part) -> tuple[int, int] | None:
        """Find the nearest span with the part's label, ignoring white space."""
        label = _without_space(part.label)
        if not label:
            return None
        starts = (
            match.start()
            for match in re.finditer(f"(?={re.escape(label)})", _without_space(self.text))
        )
        positions = self._positions
        spans = ((positions[index], positions[index + len(label) - 1] + 1) for index in starts)
        return min(spans, key=lambda span: abs(span[0] - part.start), default=None)

    @cached_property
    def _positions(self) -> list[int]:
        """The offset of each character that is not white space."""
        return [index for index, letter in enumerate(self.text) if not letter.isspace()]


def _without_space(text: str) -> str:
    """Remove white space, since DUCView's labels lack line ends."""
    return "".join(text.split())


@dataclass(frozen=True, slots=True)
class SharedPyramids:
    """The different pyramids that were read so far."""

    #: Pyramids by their XML, which is parsed once.
    by_xml: dict[str, Pyramid] = field(default_factory=dict)
    _by_text: dict[tuple[str, str], list[Pyramid]] = field(default_factory=dict)
    _bytes: dict[bytes, bytes] = field(default_factory=dict)

    def split(self, data: bytes) -> tuple[bytes, ...]:
        """Split an annotation's file, so that the pyramid of several peers is stored once."""
        text_before, tag, tail = data.partition(b"<pyramid>")
        inner_xml, end, text_after = tail.partition(b"</pyramid>")
        return text_before, tag, self._bytes.setdefault(inner_xml, inner_xml), end, text_after

    def first_equal(self, pyramid: Pyramid) -> Pyramid:
        """Return the first equal pyramid, which may be the same object."""
        # The content units are compared, since hashing them would take longer.
        candidates = self._by_text.setdefault((pyramid.text, pyramid.start_document_regex), [])
        for candidate in candidates:
            if candidate.scus == pyramid.scus:
                return candidate
        candidates.append(pyramid)
        return pyramid

    def share_pyramid(self, peer: PeerAnnotation) -> PeerAnnotation:
        """Return a peer with the shared pyramid, whose notes are not repeated."""
        pyramid = self.first_equal(peer.pyramid)
        if pyramid is peer.pyramid:
            return peer
        new_notes = tuple(note for note in peer.notes if note not in pyramid.notes)
        return replace(peer, pyramid=pyramid, notes=new_notes)


# The elements that DUCView writes, with their attributes and children.
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
_TEXT_ELEMENTS = {"line", "startDocumentRegEx"}
_UNIQUE_ELEMENTS = {"pyramid", "annotation", "startDocumentRegEx", "text"}


def read_ducview(
    path: str | Path, *, shared_pyramids: SharedPyramids | None = None
) -> Pyramid | PeerAnnotation:
    """Read a file with a pyramid or an annotated peer."""
    data = read_bytes(path, limit=MAX_XML_BYTES)
    shared_pyramids = shared_pyramids or SharedPyramids()
    annotation = _read_sharing(path, *decode_ducview(data), shared_pyramids)
    annotation = replace(
        annotation, original=Original(shared_pyramids.split(data), annotation.content)
    )
    if isinstance(annotation, Pyramid):
        shared_pyramids.first_equal(annotation)
    return annotation


def _read_sharing(
    path: str | Path, text: str, notes: tuple[str, ...], shared_pyramids: SharedPyramids
) -> Pyramid | PeerAnnotation:
    """Read a file; the pyramid of an annotated peer is parsed once for all peers."""
    start, end = text.find("<pyramid>"), text.find("</pyramid>") + len("</pyramid>")
    is_single = text.count("<pyramid>") == 1 == text.count("</pyramid>")
    pyramid_text = text[start:end] if is_single else ""
    if pyramid := shared_pyramids.by_xml.get(pyramid_text):
        try:
            return _read(path, text.replace(pyramid_text, "<pyramid/>"), notes, pyramid)
        except FormatError:
            pass  # Reading the whole file names the correct line.
    annotation = _read(path, text, notes)
    if isinstance(annotation, PeerAnnotation):
        annotation = shared_pyramids.share_pyramid(annotation)
        if pyramid_text:
            shared_pyramids.by_xml[pyramid_text] = annotation.pyramid
    return annotation


def _read(
    path: str | Path, text: str, notes: Iterable[str], pyramid: Pyramid | None = None
) -> Pyramid | PeerAnnotation:
    root = parse_xml(text, Where(path))
    reader = _XmlReader(Path(path), [*notes, *_unknown_markup(root)])
    if root.tag == "pyramid":
        return reader.pyramid(root)
    if root.tag == "peerAnnotation":
        return reader.peer_annotation(root, pyramid)
    message = f"the root element is <{root.tag}>"
    hint = "DUCView's files begin with <pyramid> or <peerAnnotation>"
    if root.tag == "Pyramid":
        message = "this is a pyramid of PyrEval, which has no text"
        hint = "read it separately (--from pyreval), or export it as DUCView's `.pyr`"
    raise Where(path).error(message, hint)


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
    annotation = read_ducview(path, shared_pyramids=shared)
    if isinstance(annotation, PeerAnnotation):
        raise Where(path).error("this is an annotated peer, not a pyramid", "name a `.pyr`")
    return annotation


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
    annotation = read_ducview(path, shared_pyramids=shared)
    if isinstance(annotation, Pyramid):
        raise Where(path).error("this is a pyramid, not an annotated peer", "name a `.pan`")
    return annotation


def _unknown_markup(root: Element) -> Iterator[str]:
    """Count markup that DUCView does not write, and that is not kept."""
    counts: Counter[str] = Counter()
    for element in root.iter():
        tag = element.tag
        if tag not in _GRAMMAR:
            continue
        attributes, children = _GRAMMAR[tag]
        if not attributes.issuperset(element.keys()):
            counts.update(f"attribute {name} of <{tag}>" for name in {*element.keys()} - attributes)
        texts = [] if tag in _TEXT_ELEMENTS else [element.text]
        seen_tags: set[str] = set()
        for child in element:
            if child.tag not in children or child.tag in seen_tags:
                counts[f"element <{child.tag}> in <{tag}>"] += 1
            if child.tag in _UNIQUE_ELEMENTS:
                seen_tags.add(child.tag)
            texts.append(child.tail)
        if stray_texts := [text for text in texts if text and not text.isspace()]:
            counts[f"text in <{tag}>"] += len(stray_texts)
    for description, count in counts.items():
        yield f"not kept: {description}" + (f" ({count} times)" if count > 1 else "")


@dataclass(frozen=True, slots=True)
class _XmlReader:
    """Reads the elements of a file, and notes what was left out or moved."""

    path: Path
    notes: list[str] = field(default_factory=list)

    def pyramid(self, element: Element) -> Pyramid:
        text = self._text(element)
        regex = element.findtext("startDocumentRegEx") or ""
        scus = self._scus(element.iterfind("scu"), AnnotatedText(text))
        return Pyramid(text, scus, regex, tuple(self.notes))

    def peer_annotation(self, element: Element, shared_pyramid: Pyramid | None) -> PeerAnnotation:
        pyramid = shared_pyramid or self.pyramid(self._child(element, "pyramid"))
        annotation = self._child(element, "annotation")
        text = self._text(annotation)
        scus = self._scus(annotation.iterfind("peerscu"), AnnotatedText(text))
        return PeerAnnotation(pyramid, text, scus, tuple(self.notes))

    def _child(self, element: Element, tag: str) -> Element:
        child = element.find(tag)
        if child is None:
            hint = "fetch the file again, or export it again from DUCView"
            raise Where(self.path).error(f"<{element.tag}> has no <{tag}>", hint)
        return child

    def _text(self, element: Element) -> str:
        lines = self._child(element, "text").iterfind("line")
        return "\n".join(line.text or "" for line in lines)

    def _scus(self, elements: Iterable[Element], text: AnnotatedText) -> tuple[SCU, ...]:
        scus = []
        for number, element in enumerate(elements, start=1):
            uid = self._attribute(element, "uid", f"{element.tag} no. {number}")
            scu_name = f"{element.tag} {uid}"
            contributor_elements = element.iterfind("contributor")
            contributors = tuple(
                self._contributor(child, text, uid, scu_name) for child in contributor_elements
            )
            label = self._attribute(element, "label", scu_name)
            scus.append(SCU(uid, label, contributors, element.get("comment", "")))
        return tuple(scus)

    def _contributor(
        self, element: Element, text: AnnotatedText, uid: str, scu_name: str
    ) -> Contributor:
        parts = tuple(self._part(part, text, uid, scu_name) for part in element.iterfind("part"))
        label = self._attribute(element, "label", scu_name)
        if not parts:
            self.notes.append(f"SCU {uid}: contributor {label!r} has no parts")
        return Contributor(parts, label, element.get("comment", ""))

    def _part(self, element: Element, text: AnnotatedText, uid: str, scu_name: str) -> Part:
        start, end = (self._offset(element, name, scu_name) for name in ("start", "end"))
        part = Part(start, end, self._attribute(element, "label", scu_name))
        part, note = text.locate(part, uid)
        if note:
            self.notes.append(note)
        return part

    def _attribute(self, element: Element, name: str, scu_name: str) -> str:
        value = element.get(name)
        if value is None:
            message = f"<{element.tag}> has no {name}"
            raise Where(self.path, element=scu_name).error(message, "add it")
        return value

    def _offset(self, element: Element, name: str, scu_name: str) -> int:
        value = self._attribute(element, name, scu_name).strip()
        if not (value.isascii() and value.removeprefix("-").isdigit() and len(value) < 19):
            message = f"{name}={value[:20]!r} is not a whole number"
            raise Where(self.path, element=scu_name).error(
                message, "write the offset of a character"
            )
        return int(value)


_PYRAMID_DTD = """\
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT startDocumentRegEx (#PCDATA)>
 <!ELEMENT text (line*)>
 <!ELEMENT line (#PCDATA)>
 <!ELEMENT scu (contributor)+>
 <!ATTLIST scu uid CDATA #REQUIRED
               label CDATA #REQUIRED
               comment CDATA #IMPLIED>
 <!ELEMENT contributor (part)+>
 <!ATTLIST contributor label CDATA #REQUIRED
                       comment CDATA #IMPLIED>
 <!ELEMENT part EMPTY>
 <!ATTLIST part label CDATA #REQUIRED
                start CDATA #REQUIRED
                end   CDATA #REQUIRED>
"""

_PEER_DTD = """\
 <!ELEMENT peerAnnotation (pyramid,annotation)>
 <!ELEMENT annotation (text,peerscu+)>
 <!ELEMENT peerscu (contributor)*>
 <!ATTLIST peerscu uid CDATA #REQUIRED
                   label CDATA #REQUIRED
                   comment CDATA #IMPLIED>
"""


def pyramid_bytes(pyramid: Pyramid) -> bytes:
    """Write a pyramid in the form of the file it was read from, or else like DUCView, in UTF-8."""
    return _original_bytes(pyramid, _pyramid, _PYRAMID_DTD)


def peer_annotation_bytes(peer: PeerAnnotation) -> bytes:
    """Write an annotated peer with its pyramid, in the form of its file or else like DUCView."""
    return _original_bytes(peer, _peer, _PEER_DTD + _PYRAMID_DTD)


def _original_bytes(
    annotation: Annotation, write_xml: Callable[[Annotation], str], dtd: str
) -> bytes:
    """Return the bytes of the original file; if the content changed, write it in the same form."""
    original = annotation.original
    if original is not None and original.content == annotation.content:
        return bytes(original)
    xml = write_xml(annotation)
    root_tag = xml[1 : xml.index(">")]
    formatted_bytes = f'<?xml version="1.0"?>\n<!DOCTYPE {root_tag} [\n{dtd}\n]>\n\n{xml}'.encode()
    if original is None:
        return formatted_bytes
    data = _formatted_like(xml, *_decode(bytes(original))[:2])
    try:
        # The standard form is used if the old encoding or head cannot express the content.
        return data if _read("", *decode_ducview(data)) == annotation else formatted_bytes
    except FormatError:
        return formatted_bytes


_TAG_PATTERN = re.compile(r"(\s*)<(/?[A-Za-z]+)")
_ROOT_PATTERN = re.compile(r"<(?:pyramid|peerAnnotation)\b")


def _formatted_like(xml: str, template: str, encoding: str) -> bytes:
    """Format XML with the head, indentation, line ends and encoding of another file."""
    newline = next((end for end in ("\r\n", "\n", "\r") if end in template), "\n")
    template = template.replace("\r\n", "\n").replace("\r", "\n")
    start = match.start() if (match := _ROOT_PATTERN.search(template)) else 0
    head, body = template[:start], template[start:]
    space_before = {
        f"<{tag_match}": blanks for blanks, tag_match in reversed(_TAG_PATTERN.findall(body))
    }
    xml = re.sub(
        r"\n *(</?[A-Za-z]+)",
        lambda tag_match: space_before.get(tag_match[1], "\n") + tag_match[1],
        xml,
    )
    text = head + xml.removesuffix("\n") + body[body.rindex(">") + 1 :]
    return text.replace("\n", newline).encode(encoding, "xmlcharrefreplace")


def write_pyramid(pyramid: Pyramid, path: str | Path) -> None:
    """Write a ``.pyr`` file atomically (see `read_pyramid`).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_pyramid(Pyramid("Ice melts."), Path(folder) / "T1.pyr")
    """
    write_bytes(path, pyramid_bytes(pyramid))


def write_peer_annotation(peer: PeerAnnotation, path: str | Path) -> None:
    """Write a ``.pan`` file atomically (see `read_peer_annotation`).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_peer_annotation(PeerAnnotation(Pyramid(""), "Ice."), Path(folder) / "T1-A-17.pan")
    """
    write_bytes(path, peer_annotation_bytes(peer))


def _peer(peer: PeerAnnotation) -> str:
    scu_elements = "".join(_scu("peerscu", scu) for scu in peer.scus)
    annotation = f"<annotation>\n{_text(peer.text)}{scu_elements}</annotation>\n"
    return f"<peerAnnotation>\n{_pyramid(peer.pyramid)}{annotation}</peerAnnotation>\n"


def _pyramid(pyramid: Pyramid) -> str:
    scu_elements = "".join(_scu("scu", scu) for scu in pyramid.scus)
    regex = _regex(pyramid.start_document_regex)
    return f"<pyramid>\n{regex}{_text(pyramid.text)}{scu_elements}</pyramid>\n"


def _regex(regex: str) -> str:
    if not regex:
        return ""
    escaped_regex = escape_text(regex)
    if "\r" not in regex:  # which a CDATA section cannot hold
        escaped_regex = f"<![CDATA[{regex.replace(']]>', ']]]]><![CDATA[>')}]]>"
    return f"<startDocumentRegEx>{escaped_regex}</startDocumentRegEx>\n"


def _text(text: str) -> str:
    lines = "".join(f"  <line>{escape_text(line)}</line>\n" for line in text.split("\n"))
    return f" <text>\n{lines} </text>\n"


def _scu(tag: str, scu: SCU) -> str:
    attributes = _attributes(uid=scu.uid, label=scu.label, comment=scu.comment or None)
    contributors = "".join(map(_contributor, scu.contributors))
    return f" <{tag}{attributes}>\n{contributors} </{tag}>\n"


def _contributor(contributor: Contributor) -> str:
    attributes = _attributes(label=contributor.label, comment=contributor.comment or None)
    parts = "".join(map(_part, contributor.parts))
    return f"  <contributor{attributes}>\n{parts}  </contributor>\n"


def _part(part: Part) -> str:
    return f"   <part{_attributes(label=part.label, start=str(part.start), end=str(part.end))}/>\n"


def _attributes(**values: str | None) -> str:
    filled_attributes = ((name, value) for name, value in values.items() if value is not None)
    return "".join(f' {name}="{escape_attribute(value)}"' for name, value in filled_attributes)
