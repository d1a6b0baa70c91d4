r"""NIST's and LDC's articles in SGML.

::

    <DOC>                                        <DOC id="APW_ENG_20310412.0031" type="story">
    <DOCNO> APW20310412.0031 </DOCNO>            <HEADLINE> Rain </HEADLINE>
    <DATE_TIME> 2031-04-12 10:15 </DATE_TIME>    <DATELINE> OSLO (AP) </DATELINE>
    <HEADLINE> Rain </HEADLINE>                  <TEXT>
    <TEXT> Rain fell. </TEXT>                    <P> Rain fell.
    </DOC>                                       </TEXT></DOC>
"""

import re

from pyramidion.collection.dates import iso_date
from pyramidion.collection.formats.duc.sgml import (
    Tag,
    collapse,
    escape,
    parse_tags,
    split_paragraphs,
)
from pyramidion.collection.topics import Document
from pyramidion.errors import FormatError, Where

__all__ = ["format_document", "looks_like_documents", "parse_documents"]

_BEGINNING = re.compile(rb"\s*(?:<\?xml[^>]*>\s*|<!DOCTYPE[^>]*>\s*)*<DOC[\s>]", re.IGNORECASE)
_ID_WITH_DATE = re.compile(r"([A-Za-z]{2,5})(?:_[A-Za-z]{3}_?)?((?:19|20)\d{6})\b", re.ASCII)
_ID_WITH_SHORT_DATE = re.compile(r"(AP|WSJ)(\d{6})-", re.ASCII)
_AMERICAN_DATE = re.compile(r"(\d\d)/(\d\d)/(\d{4})\b", re.ASCII)
_FIELD_NAME = re.compile(r"[a-z][a-z0-9_.-]*")

_TEXT_TAGS = ("text", "lp", "leadpara")
_HEADLINE_TAGS = ("headline", "hl", "head")
_DATE_TAGS = ("date_time", "datetime", "date")
_FIELDS = {
    *("docno", "docid", "doctype", "txttype", "source", "slug", "dateline", "byline", "trailer"),
    *("annotation", *_HEADLINE_TAGS, *_DATE_TAGS),
}
# Names that mean something else in a `Document`.
_TAKEN = ("id", "text", "set", "date", "source", "headline")


def looks_like_documents(head: bytes) -> bool:
    """Tell from a file's beginning whether it holds articles.

    Examples
    --------
    >>> looks_like_documents(b"<DOC><DOCNO> A1 </DOCNO>"), looks_like_documents(b"Rain fell.")
    (True, False)
    """
    return _BEGINNING.match(head) is not None


def parse_documents(text: str, where: Where, *, default_id: str = "") -> list[Document]:
    """Read all articles of a file.

    Parameters
    ----------
    text
        The file.
    where
        Its path, for messages.
    default_id
        The id of an article that has none itself.

    Examples
    --------
    >>> [article] = parse_documents('''<doc><docno> APW20310412.0031 </docno>
    ... <headline> Rain </headline><text><p>Rain fell.<p>Roads closed.</text></doc>''', Where("a"))
    >>> article.id, article.date, article.source, article.headline
    ('APW20310412.0031', '2031-04-12', 'APW', 'Rain')
    >>> article.text.split()
    ['Rain', 'fell.', 'Roads', 'closed.']
    """
    documents = []
    current: _Article | None = None
    for tag in parse_tags(text, where):
        if tag.name == "doc":
            if current:
                documents.append(current.document(where, default_id))
            current = None if tag.closing else _Article(tag)
        elif current:
            current.take(tag)
    if current:
        raise FormatError(
            "the last document is not closed",
            where=Where(where.path, line=current.line),
            hint="the file may be cut off: fetch it again, or add </DOC>",
        )
    return documents


class _Article:
    """An article whose tags are being read: a field holds the text behind its tags."""

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
        """Tell fields from marks inside a field, which are passed over."""
        nested = self.in_text or self.field in _FIELDS
        return name != "body" and (name in _FIELDS or not nested)

    def _add(self, text: str) -> None:
        if self.field:
            self.fields.setdefault(self.field, []).append(text)

    def document(self, where: Where, default_id: str) -> Document:
        text = split_paragraphs(
            "".join(self.fields.pop("text", ())), indented=not self.has_paragraphs
        )
        values = {name: collapse("".join(parts)) for name, parts in self.fields.items()}
        values = {**values, **{name: collapse(v) for name, v in self.attributes.items()}}
        id = _first(values, ("docno", "id", "docid")) or default_id
        if not id:
            raise FormatError(
                "a document has no DOCNO",
                where=Where(where.path, line=self.line),
                hint="add <DOCNO> ... </DOCNO>",
            )
        source, date = _source_and_date(id)
        written = _first(values, _DATE_TAGS)
        if written[:1].isalpha() and _iso_date(written) != written:
            # Weekdays, editions and the like are not lost.
            values["date_written"] = written
        return Document(
            id=id,
            text=text,
            date=_iso_date(written) or date,
            source=_first(values, ("source",)) or source,
            headline=_first(values, _HEADLINE_TAGS),
            extra={
                f"doc_{name}" if name in _TAKEN else name: value
                for name, value in values.items()
                if value
            },
        )


def _first(values: dict[str, str], names: tuple[str, ...]) -> str:
    """Take the first value that is there out of the values."""
    return next((values.pop(name) for name in names if values.get(name)), "")


def _source_and_date(id: str) -> tuple[str, str]:
    """Read ``APW19981016.0240``, ``APW_ENG_20050412.0031`` and ``AP880911-0016``."""
    if found := _ID_WITH_DATE.match(id):
        source, digits = found.groups()
    elif found := _ID_WITH_SHORT_DATE.match(id):
        source, digits = found[1], f"19{found[2]}"
    else:
        return "", ""
    year, month, day = digits[:4], digits[4:6], digits[6:]
    real = 1 <= int(month) <= 12 and 1 <= int(day) <= 31
    return (source, f"{year}-{month}-{day}") if real else ("", "")


def _iso_date(date: str) -> str:
    """Write ``08/18/1998 15:32:00`` or ``August 18, 1998, Tuesday`` with the year first."""
    date = _AMERICAN_DATE.sub(r"\3-\1-\2", date, count=1)
    return date if date[:4].isdigit() else iso_date(date)


def format_document(document: Document) -> str:
    """Write an article, the inverse of `parse_documents`.

    Examples
    --------
    >>> print(format_document(Document("A1", "Rain fell.", headline="Rain")), end="")
    <DOC>
    <DOCNO> A1 </DOCNO>
    <HEADLINE> Rain </HEADLINE>
    <TEXT>
    <P>
    Rain fell.
    </P>
    </TEXT>
    </DOC>
    """
    fields = {
        "docno": document.id,
        "date_time": document.date,
        "source": document.source,
        "headline": document.headline,
        **document.extra,
    }
    lines = [
        f"<{name.upper()}> {escape(value)} </{name.upper()}>"
        for name, value in fields.items()
        if isinstance(value, str) and value and _FIELD_NAME.fullmatch(name)
    ]
    paragraphs = [f"<P>\n{escape(part)}\n</P>" for part in document.text.split("\n\n") if part]
    return "\n".join(["<DOC>", *lines, "<TEXT>", *paragraphs, "</TEXT>", "</DOC>", ""])
