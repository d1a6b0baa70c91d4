"""A tolerant parser for the SGML of newswires.

Tags may be in any case and need not be closed, and ``&`` and ``<`` may occur unescaped. Only
single characters are expanded, and a file that defines entities is refused. The time is linear in
the length of the file.
"""

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from html import unescape
from html.entities import html5
from typing import Protocol, TypeVar

from pyramidion.collection.summaries import Document
from pyramidion.errors import Where
from pyramidion.summarizers._dates import iso_date

_TAG_PATTERN = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9_.-]*+)((?:[\s/][^<>]*)?)>")
_ATTRIBUTE_PATTERN = re.compile(
    r"""(?<![\w.-])([\w.-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))"""
)
_ENTITY_PATTERN = re.compile(r"&(#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")
_BLANKS_PATTERN = re.compile(r"[ \t\r\n\f\v]+")


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag and the text after it, up to the next tag."""

    name: str
    closing: bool
    inside: str
    text: str
    line: int

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes, their names in lower case."""
        groups = (match.groups(default="") for match in _ATTRIBUTE_PATTERN.finditer(self.inside))
        return {name.lower(): decode_entities(a or b or c) for name, a, b, c in groups}

    def attribute(self, name: str) -> str:
        """Return a stripped attribute; empty if it is missing."""
        return self.attributes.get(name, "").strip()


def parse_tags(text: str, where: Where) -> Iterator[Tag]:
    """Stream the tags of a file; skip comments, refuse entity definitions."""
    entity_start = text.find("<!ENTITY")
    if entity_start >= 0:
        raise Where(where.path, line=text.count("\n", 0, entity_start) + 1).error(
            "the file defines entities, which is refused for safety",
            "replace them with their text and remove the definitions",
        )
    text = _without_comments(text)
    line, line_position = 1, 0
    match = _TAG_PATTERN.search(text)
    while match:
        line += text.count("\n", line_position, match.start())
        line_position = match.start()
        next_tag = _TAG_PATTERN.search(text, match.end())
        text_after = text[match.end() : next_tag.start() if next_tag else len(text)]
        yield Tag(match[2].lower(), bool(match[1]), match[3], text_after, line)
        match = next_tag


def _without_comments(text: str) -> str:
    text_before, *comments = text.split("<!--")
    pieces = [text_before]
    for part in comments:
        comment, _, text_after = part.partition("-->")
        pieces += ("\n" * comment.count("\n"), text_after)
    return "".join(pieces)


def decode_entities(text: str) -> str:
    """Replace entities by characters, and remove typesetting marks."""
    return _ENTITY_PATTERN.sub(_character, text)


def _character(entity: re.Match[str]) -> str:
    name = entity[1]
    if name.startswith("#") or f"{name};" in html5:
        return unescape(entity[0])
    # &UR; &LR; &QL; &QC; &HT; and the like are typesetting marks; the end of "R&D;" is not.
    return "" if name.isupper() and len(name) == 2 else entity[0]


def collapse(text: str) -> str:
    """Decode a text and collapse its white space."""
    return _BLANKS_PATTERN.sub(" ", decode_entities(text)).strip(" ")


def split_paragraphs(text: str, *, indented: bool = False) -> str:
    """Decode a text and write each paragraph on one line, separated by empty lines."""
    paragraphs: list[list[str]] = [[]]
    for line in decode_entities(text).split("\n"):
        words = _BLANKS_PATTERN.sub(" ", line).strip(" ")
        if not words or (indented and line.startswith(("  ", "\t"))):
            paragraphs.append([])
        if words:
            paragraphs[-1].append(words)
    return "\n\n".join(" ".join(lines) for lines in paragraphs if lines)


_BEGINNING_PATTERN = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*|<!DOCTYPE[^>]*>\s*)*<DOC[\s>]", re.IGNORECASE
)
_ID_WITH_DATE = re.compile(r"([A-Za-z]{2,5})(?:_[A-Za-z]{3}_?)?((?:19|20)\d{6})\b", re.ASCII)
_ID_WITH_SHORT_DATE = re.compile(r"(AP|WSJ)(\d{6})-", re.ASCII)
_AMERICAN_DATE = re.compile(r"(\d\d)/(\d\d)/(\d{4})\b", re.ASCII)

_TEXT_TAGS = ("text", "lp", "leadpara")
_HEADLINE_TAGS = ("headline", "hl", "head")
_DATE_TAGS = ("date_time", "datetime", "date")
_KNOWN_FIELDS = {
    *("docno", "docid", "doctype", "txttype", "source", "slug", "dateline", "byline", "trailer"),
    *("annotation", *_HEADLINE_TAGS, *_DATE_TAGS),
}
# Names that mean something else in a `Document`.
_RESERVED_FIELDS = ("id", "text", "set", "date", "source", "headline")


def looks_like_documents(head: bytes) -> bool:
    """Check by its first bytes whether a file holds articles."""
    return _BEGINNING_PATTERN.match(head) is not None


def parse_documents(text: str, where: Where, *, default_id: str = "") -> list[Document]:
    """Read all articles of a file."""
    articles = parse_elements(text, where, "DOC", "document", _Article)
    return [article.document(where, default_id) for article in articles]


class _ElementReader(Protocol):
    """An element whose tags are being read."""

    line: int

    def take(self, tag: Tag) -> None: ...


Element = TypeVar("Element", bound=_ElementReader)


def parse_elements(
    text: str, where: Where, name: str, element_name: str, begin: Callable[[Tag], Element]
) -> Iterator[Element]:
    """Read the elements with a given name; the last one must be closed."""
    current_element: Element | None = None
    for tag in parse_tags(text, where):
        if tag.name == name.lower():
            if current_element:
                yield current_element
            current_element = None if tag.closing else begin(tag)
        elif current_element:
            current_element.take(tag)
    if current_element:
        hint = f"the file may be cut off: fetch it again, or add </{name}>"
        raise Where(where.path, line=current_element.line).error(
            f"the last {element_name} is not closed", hint
        )


class _Article:
    """An article whose tags are being read: a field holds the text after its tags."""

    def __init__(self, opening: Tag) -> None:
        self.line = opening.line
        self.attributes = opening.attributes
        self.fields: dict[str, list[str]] = {}
        self.field = ""
        self.in_text = False
        self.has_paragraphs = False

    def take(self, tag: Tag) -> None:
        if tag.name in _TEXT_TAGS:
            self.in_text = not tag.closing
            self.field = "text" if self.in_text else ""
            self._add("\n\n")
        elif tag.name == "p":
            self.has_paragraphs |= self.in_text
            self._add("\n\n")
        elif tag.closing:
            if tag.name == self.field:
                self.field = "text" if self.in_text else ""
        elif self._begins_field(tag.name):
            self.field = tag.name
        self._add(tag.text)

    def _begins_field(self, name: str) -> bool:
        """Check whether a tag begins a field; marks inside a field are skipped."""
        nested = self.in_text or self.field in _KNOWN_FIELDS
        return name != "body" and (name in _KNOWN_FIELDS or not nested)

    def _add(self, text: str) -> None:
        if self.field:
            self.fields.setdefault(self.field, []).append(text)

    def document(self, where: Where, default_id: str) -> Document:
        body = "".join(self.fields.pop("text", ()))
        values = field_values(self.fields, self.attributes)
        id = _take_first(values, ("docno", "id", "docid")) or default_id
        if not id:
            start = Where(where.path, line=self.line)
            raise start.error("a document has no DOCNO", "add <DOCNO> ... </DOCNO>")
        source, date = _source_and_date(id)
        date_text = _take_first(values, _DATE_TAGS)
        if date_text[:1].isalpha() and _iso_date(date_text) != date_text:
            # Keep dates as written, which may have weekdays, editions and the like.
            values["date_written"] = date_text
        return Document(
            id=id,
            text=split_paragraphs(body, indented=not self.has_paragraphs),
            date=_iso_date(date_text) or date,
            source=_take_first(values, ("source",)) or source,
            headline=_take_first(values, _HEADLINE_TAGS),
            extra=rename_taken(values, "doc", _RESERVED_FIELDS),
        )


def field_values(fields: dict[str, list[str]], attributes: dict[str, str]) -> dict[str, str]:
    """Return the texts of fields and attributes by name, each on one line."""
    texts = {name: "".join(parts) for name, parts in fields.items()} | attributes
    return {name: collapse(text) for name, text in texts.items()}


def rename_taken(values: dict[str, str], prefix: str, reserved: Container[str]) -> dict[str, str]:
    """Return values that are not empty, with a prefix if the name is taken."""
    return {
        f"{prefix}_{name}" if name in reserved else name: value
        for name, value in values.items()
        if value
    }


def _take_first(values: dict[str, str], names: tuple[str, ...]) -> str:
    """Remove and return the first value that is not empty."""
    return next((values.pop(name) for name in names if values.get(name)), "")


def _source_and_date(id: str) -> tuple[str, str]:
    """Read ``APW19981016.0240``, ``APW_ENG_20050412.0031`` and ``AP880911-0016``."""
    if match := _ID_WITH_DATE.match(id):
        source, digits = match.groups()
    elif match := _ID_WITH_SHORT_DATE.match(id):
        source, digits = match[1], f"19{match[2]}"
    else:
        return "", ""
    year, month, day = digits[:4], digits[4:6], digits[6:]
    is_valid_date = 1 <= int(month) <= 12 and 1 <= int(day) <= 31
    return (source, f"{year}-{month}-{day}") if is_valid_date else ("", "")


def _iso_date(date: str) -> str:
    """Write ``08/18/1998 15:32:00`` or ``August 18, 1998, Tuesday`` with the year first."""
    date = _AMERICAN_DATE.sub(r"\3-\1-\2", date, count=1)
    return date if date[:4].isdigit() else iso_date(date)
