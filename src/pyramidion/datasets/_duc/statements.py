"""Topic statements in SGML, read and written."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape

from pyramidion.collection import Document, Topic
from pyramidion.collection.ids import grouped
from pyramidion.datasets._duc.names import parse_docset
from pyramidion.errors import Where
from pyramidion.summarizers.sgml import (
    Tag,
    collapse,
    field_values,
    parse_elements,
    rename_taken,
    split_paragraphs,
)

_FIELD_NAME = re.compile(r"[a-z][a-z0-9_.-]*")
_escape = partial(escape, quote=False)
# README files mention <topic> in the middle of a line, without an id or <num>.
_STATEMENT_START = re.compile(
    rb"^[ \t]*(?:<topics>\s*)?<topic(?:\s[^<>]*\bid\s*=|\s*>\s*<)", re.IGNORECASE | re.MULTILINE
)
_NARRATIVE_FIELDS = ("narrative", "narr")
_STATEMENT_TAGS = {"num", "title", "docs", "doc", "topic", "topics", *_NARRATIVE_FIELDS}
# Names that have another meaning in a `Topic`.
_TOPIC_FIELDS = {"id", "category", "assessor", "documents", "selector"}


def format_document(document: Document) -> str:
    """Write an article, the inverse of `parse_documents`."""
    head = {"docno": document.id, "date_time": document.date, "source": document.source}
    fields = {**head, "headline": document.headline, **document.extra}
    known_fields = (
        (name.upper(), value) for name, value in fields.items() if _FIELD_NAME.fullmatch(name)
    )
    lines = [
        f"<{name}> {_escape(value)} </{name}>"
        for name, value in known_fields
        if value and isinstance(value, str)
    ]
    paragraphs = [f"<P>\n{_escape(part)}\n</P>" for part in document.text.split("\n\n") if part]
    return "\n".join(["<DOC>", *lines, "<TEXT>", *paragraphs, "</TEXT>", "</DOC>", ""])


@dataclass(frozen=True, slots=True)
class Statement:
    """A topic statement, and its documents with set letters."""

    topic: Topic
    documents: tuple[tuple[str, str], ...] = ()


def looks_like_statements(beginning: bytes) -> bool:
    """Check by its first bytes whether a file holds topic statements."""
    return _STATEMENT_START.search(beginning) is not None


def parse_statements(text: str, where: Where) -> list[Statement]:
    """Read all topic statements of a file."""
    readings = parse_elements(
        text, where, "topic", "topic", lambda tag: _StatementReading(tag.line, tag.attributes)
    )
    return [reading.statement(where) for reading in readings]


@dataclass(slots=True)
class _StatementReading:
    """A statement whose tags are being read."""

    line: int
    attributes: dict[str, str]
    fields: dict[str, list[str]] = field(default_factory=dict)
    documents: list[tuple[str, str]] = field(default_factory=list)
    current_field: str = ""
    set_letter: str = ""

    def take(self, tag: Tag) -> None:
        if tag.name == "doc":
            if not tag.closing:
                self.documents.append((self.set_letter, tag.attribute("id")))
            return
        if tag.name.startswith("docset"):
            # <docsetA> or <docset id="D0901A-A">
            _, task = parse_docset(tag.attribute("id")) or ("", "")
            letter = tag.name.removeprefix("docset").upper() or task
            self.set_letter = "" if tag.closing else letter
            self.current_field = ""
        else:
            self.current_field = "" if tag.closing else tag.name
        if self.current_field:
            self.fields.setdefault(self.current_field, []).append(tag.text)

    def statement(self, where: Where) -> Statement:
        name = collapse(self.attributes.pop("id", "") or self._field("num"))
        docset = parse_docset(name)
        if docset is None:
            raise Where(where.path, line=self.line).error(
                f"the topic's id is {name!r}" if name else "a topic has no id",
                'write <topic id="D0901A"> with letters, digits and underscores',
            )
        topic = Topic(
            id=docset[0],
            title=collapse(self._field("title")),
            narrative=split_paragraphs(self._field(*_NARRATIVE_FIELDS)),
            category=self.attributes.pop("category", "").strip(),
            assessor=self.attributes.pop("assessor", "").strip(),
        )
        listed_documents = (("", id) for id in self._field("docs").split())
        extra_fields = rename_taken(
            field_values(self.fields, self.attributes), "topic", _TOPIC_FIELDS
        )
        return Statement(replace(topic, extra=extra_fields), (*self.documents, *listed_documents))

    def _field(self, *names: str) -> str:
        """Remove and return the first of some fields."""
        texts = next((self.fields.pop(name) for name in names if name in self.fields), [])
        return "".join(texts)


def format_statements(topics: Iterable[Topic]) -> str:
    """Write topic statements with the lists of their documents."""
    return "\n".join(
        [
            "<topics>",
            *(line for topic in topics for line in _statement_lines(topic)),
            "</topics>",
            "",
        ]
    )


def _statement_lines(topic: Topic) -> Iterable[str]:
    attributes = {"id": topic.id, "category": topic.category, "assessor": topic.assessor}
    attribute_texts = (
        f' {name}="{_quote_attribute(value)}"' for name, value in attributes.items() if value
    )
    yield f"<topic{''.join(attribute_texts)}>"
    fields = {"title": topic.title, "narrative": topic.narrative, **topic.extra}
    reserved_names = _STATEMENT_TAGS | _TOPIC_FIELDS
    for name, value in fields.items():
        is_writable_name = _FIELD_NAME.fullmatch(name) and not name.startswith("docset")
        is_field = name not in topic.extra or (is_writable_name and name not in reserved_names)
        if is_field and value and isinstance(value, str):
            yield f"<{name}> {_escape(value)} </{name}>"
    sets = grouped((set_letter(document), document.id) for document in topic.documents)
    for letter, ids in sorted(sets.items()):
        yield f'<docset{letter} id="{topic.id}-{letter}">'
        yield from (f'<doc id="{_quote_attribute(id)}" />' for id in ids)
        yield f"</docset{letter}>"
    yield "</topic>"


def set_letter(document: Document) -> str:
    """Return the letter of a document's set: A for base, B for update, otherwise its name."""
    return {"base": "A", "update": "B", "main": "M"}.get(document.set, document.set)


def letter_set(letter: str) -> str:
    """Return the set of documents for a letter, the inverse of `set_letter`."""
    return {"": "base", "A": "base", "B": "update", "M": "main"}.get(letter, letter)


def _quote_attribute(text: str) -> str:
    return _escape(text).replace('"', "&quot;")
