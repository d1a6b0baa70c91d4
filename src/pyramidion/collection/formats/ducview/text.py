"""Getting at the text of DUCView files, whose encodings and offsets are not to be trusted."""

import codecs
import re
from functools import cached_property

from pyramidion.collection.formats.xml import ILLEGAL_CHARACTER
from pyramidion.collection.pyramids import Part

__all__ = ["AnnotatedText", "decode_ducview"]

_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)""")
_REFERENCE = re.compile(r"&#(?:(\d{1,7})|[xX]([0-9a-fA-F]{1,6}));")
_LATIN = {"iso8859-1", "cp1252", "iso8859-15"}
_WIDE = (
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)


def decode_ducview(data: bytes) -> tuple[str, tuple[str, ...]]:
    r"""Decode XML in the encoding it has, whatever it declares.

    UTF-8 is tried first, then the encoding that is declared; otherwise bytes that are not
    UTF-8 are taken for Windows-1252 (of which Latin-1 is a part). Characters XML forbids
    become blanks, so that offsets stay.

    Returns
    -------
    tuple
        The text, and what is worth knowing about it, one line each.

    Examples
    --------
    >>> decode_ducview(b"<line>Z\xfcrich</line>")
    ('<line>Zürich</line>', ('1 bytes that are not UTF-8 were read as Windows-1252',))
    """
    for mark, encoding in _WIDE:
        if data.startswith(mark):
            return _without_illegal(data.decode(encoding, "replace"), ())
    data = data.removeprefix(codecs.BOM_UTF8)
    declared = _declared_encoding(data)
    for name in ("utf-8", *([declared] if declared not in _LATIN else [])):
        try:
            return _without_illegal(data.decode(name), ())
        except UnicodeError:
            continue
    text, odd = _decode_mixed(data)
    note = f"{odd} bytes that are not UTF-8 were read as Windows-1252"
    return _without_illegal(text, () if declared in _LATIN else (note,))


def _declared_encoding(data: bytes) -> str:
    found = _DECLARED.match(data)
    try:
        codec = codecs.lookup(found[1].decode()) if found else codecs.lookup("utf-8")
        b" ".decode(codec.name)
    except (LookupError, UnicodeError):  # no such encoding, or one that is not of text
        return "utf-8"
    return codec.name


def _decode_mixed(data: bytes) -> tuple[str, int]:
    """Decode UTF-8, each other byte as Windows-1252; count those."""
    text = data.decode("utf-8", "surrogateescape")
    return text.translate(_WINDOWS_1252), sum(map(text.count, map(chr, _WINDOWS_1252)))


def _windows_1252(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


# A byte that is not UTF-8 is escaped as the surrogate 0xDC00 + byte.
_WINDOWS_1252 = {0xDC00 + byte: _windows_1252(byte) for byte in range(0x80, 0x100)}


def _without_illegal(text: str, notes: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    text, characters = ILLEGAL_CHARACTER.subn(" ", text)
    illegal = [found for found in _REFERENCE.finditer(text) if _is_illegal(found)]
    if illegal:
        text = _REFERENCE.sub(lambda found: " " if _is_illegal(found) else found[0], text)
    number = characters + len(illegal)
    return text, (*notes, *([f"{number} control characters were read as blanks"] * bool(number)))


def _is_illegal(reference: re.Match[str]) -> bool:
    number = int(reference[1]) if reference[1] else int(reference[2], 16)
    return number > 0x10FFFF or ILLEGAL_CHARACTER.match(chr(number)) is not None


class AnnotatedText:
    r"""A text in which parts of contributors are looked up.

    Parameters
    ----------
    text
        The text that offsets count in.

    Examples
    --------
    >>> text = AnnotatedText("Ice melts.\nIt melts fast.")
    >>> text.place(Part(4, 9, "melts"), "1")
    (Part(start=4, end=9, label='melts'), None)
    >>> part, note = text.place(Part(3, 8, "melts"), "1")
    >>> part, note
    (Part(start=4, end=9, label='melts'),
     "SCU 1: 'melts' is not at 3 to 8 but at 4 to 9, which is used")
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def place(self, part: Part, uid: str) -> tuple[Part, str | None]:
        """Check a part against the text; give it its right place, or say that it has none.

        Parameters
        ----------
        part
            The part as a file gives it.
        uid
            The content unit, for messages.

        Returns
        -------
        tuple
            The part, and a note if its offsets were wrong. A part whose text is found
            nowhere keeps its offsets.
        """
        if self._has(part):
            return part, None
        wrong = f"SCU {uid}: {_shortened(part.label)!r} is not at {part.start} to {part.end}"
        found = self._nearest(part)
        if found is None:
            return part, f"{wrong} nor anywhere else in the text"
        start, end = found
        return Part(start, end, part.label), f"{wrong} but at {start} to {end}, which is used"

    def _has(self, part: Part) -> bool:
        if not 0 <= part.start <= part.end <= len(self.text):
            return False
        span = self.text[part.start : part.end]
        return span == part.label or _folded(span) == _folded(part.label)

    def _nearest(self, part: Part) -> tuple[int, int] | None:
        """Find the place nearest to the part's that has its label, whatever the white space."""
        label = _folded(part.label)
        if not label:
            return None
        folded, positions = self._without_space
        best: tuple[int, int] | None = None
        index = folded.find(label)
        while index >= 0:
            span = positions[index], positions[index + len(label) - 1] + 1
            if best is None or abs(span[0] - part.start) < abs(best[0] - part.start):
                best = span
            index = folded.find(label, index + 1)
        return best

    @cached_property
    def _without_space(self) -> tuple[str, list[int]]:
        positions = [index for index, letter in enumerate(self.text) if not letter.isspace()]
        return "".join(self.text[index] for index in positions), positions


def _folded(text: str) -> str:
    """Take all white space out: DUCView leaves the line ends out of its labels."""
    return "".join(text.split())


def _shortened(label: str) -> str:
    return label if len(label) <= 40 else f"{label[:39]}…"
