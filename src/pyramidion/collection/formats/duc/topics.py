"""Topic statements: title, narrative, category and the documents of each topic.

TAC writes attributes, DUC elements::

    <topic id="D0901A" category="3">        <topic>
    <title> Rain in Oslo </title>           <num> D0701A </num>
    <narrative> What fell? </narrative>     <title> Rain in Oslo </title>
    <docsetA id="D0901A-A">                 <narr> What fell? </narr>
    <doc id="APW20310412.0031"/>            <docs> APW20310412.0031 </docs>
    </docsetA></topic>                      </topic>
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pyramidion.collection.formats.duc.names import parse_docset
from pyramidion.collection.formats.duc.sgml import (
    Tag,
    collapse,
    escape,
    parse_tags,
    split_paragraphs,
)
from pyramidion.collection.topics import Document, Topic
from pyramidion.errors import FormatError, Where

__all__ = [
    "Statement",
    "format_statements",
    "looks_like_statements",
    "parse_statements",
    "set_letter",
]

# README files speak of <topic> in the middle of a line, without an id or <num> in it.
_BEGINNING = re.compile(
    rb"^[ \t]*(?:<topics>\s*)?<topic(?:\s[^<>]*\bid\s*=|\s*>\s*<)", re.IGNORECASE | re.MULTILINE
)
_FIELD_NAME = re.compile(r"[a-z][a-z0-9_.-]*")
_NARRATIVES = ("narrative", "narr")
_OWN_NAMES = {"num", "title", "docs", "doc", "topic", "topics", *_NARRATIVES}
# Names that mean something else in a `Topic`.
_TAKEN = {"id", "category", "assessor", "documents", "selector"}


@dataclass(frozen=True, slots=True)
class Statement:
    """A topic as its statement has it.

    Parameters
    ----------
    topic
        The topic, without documents.
    documents
        The documents that belong to it, each with the letter of its set (empty if it has none).

    Examples
    --------
    >>> Statement(Topic("D0901A"), (("A", "APW20310412.0031"),)).topic.id
    'D0901A'
    """

    topic: Topic
    documents: tuple[tuple[str, str], ...] = ()


def looks_like_statements(head: bytes) -> bool:
    """Tell from a file's beginning whether it holds topic statements.

    Examples
    --------
    >>> looks_like_statements(b'<topics><topic id="D0901A">')
    True
    """
    return _BEGINNING.search(head) is not None


def parse_statements(text: str, where: Where) -> list[Statement]:
    """Read all topic statements of a file.

    Examples
    --------
    >>> [statement] = parse_statements('''<topic id="D0901A" category="3"><title> Rain </title>
    ... <docsetB id="D0901A-B"><doc id="A1"/></docsetB></topic>''', Where("topics.xml"))
    >>> statement.topic.title, statement.topic.category, statement.documents
    ('Rain', '3', (('B', 'A1'),))
    """
    statements = []
    current: _Reading | None = None
    for tag in parse_tags(text, where):
        if tag.name == "topic":
            if current:
                statements.append(current.statement(where))
            current = None if tag.closing else _Reading(tag.line, tag.attributes)
        elif current:
            current.take(tag)
    if current:
        raise FormatError(
            "the last topic is not closed",
            where=Where(where.path, line=current.line),
            hint="the file may be cut off: fetch it again, or add </topic>",
        )
    return statements


@dataclass(slots=True)
class _Reading:
    """A statement whose tags are being read."""

    line: int
    attributes: dict[str, str]
    fields: dict[str, list[str]] = field(default_factory=dict)
    documents: list[tuple[str, str]] = field(default_factory=list)
    place: str = ""
    letter: str = ""

    def take(self, tag: Tag) -> None:
        if tag.name == "doc":
            if not tag.closing:
                self.documents.append((self.letter, tag.attribute("id")))
            return
        if tag.name.startswith("docset"):
            self.letter = "" if tag.closing else _letter_of(tag)
            self.place = ""
        else:
            self.place = "" if tag.closing else tag.name
        if self.place:
            self.fields.setdefault(self.place, []).append(tag.text)

    def statement(self, where: Where) -> Statement:
        name = collapse(self.attributes.pop("id", "") or self._field("num"))
        docset = parse_docset(name)
        if docset is None:
            raise FormatError(
                f"the topic's id is {name!r}" if name else "a topic has no id",
                where=Where(where.path, line=self.line),
                hint='write <topic id="D0901A"> with letters, digits and underscores',
            )
        topic = Topic(
            id=docset[0],
            title=collapse(self._field("title")),
            narrative=split_paragraphs(self._field(*_NARRATIVES)),
            category=self.attributes.pop("category", "").strip(),
            assessor=self.attributes.pop("assessor", "").strip(),
        )
        listed = (("", id) for id in self._field("docs").split())
        return Statement(replace(topic, extra=self._rest()), (*self.documents, *listed))

    def _field(self, *names: str) -> str:
        """Take out the first of some fields that is there."""
        found = next((self.fields.pop(name) for name in names if name in self.fields), [])
        return "".join(found)

    def _rest(self) -> dict[str, str]:
        """Give what nobody asked for, under names that mean nothing else in a `Topic`."""
        fields = {name: "".join(parts) for name, parts in self.fields.items()} | self.attributes
        values = {name: collapse(value) for name, value in fields.items()}
        return {f"topic_{n}" if n in _TAKEN else n: value for n, value in values.items() if value}


def _letter_of(tag: Tag) -> str:
    """Read the letter of ``<docsetA>`` or of ``<docset id="D0901A-A">``."""
    docset = parse_docset(tag.attribute("id"))
    return tag.name.removeprefix("docset").upper() or (docset[1] if docset else "")


def format_statements(topics: Iterable[Topic]) -> str:
    """Write topic statements with the lists of their documents.

    Examples
    --------
    >>> print(format_statements([Topic("D0901", "Rain", category="1")]), end="")
    <topics>
    <topic id="D0901" category="1">
    <title> Rain </title>
    </topic>
    </topics>
    """
    return "\n".join(["<topics>", *(line for t in topics for line in _lines(t)), "</topics>", ""])


def _lines(topic: Topic) -> Iterable[str]:
    attributes = {"id": topic.id, "category": topic.category, "assessor": topic.assessor}
    written = (f' {name}="{_quoted(value)}"' for name, value in attributes.items() if value)
    yield f"<topic{''.join(written)}>"
    fields = {"title": topic.title, "narrative": topic.narrative, **topic.extra}
    for name, value in fields.items():
        if isinstance(value, str) and value and _is_field(name, topic):
            yield f"<{name}> {escape(value)} </{name}>"
    yield from _document_lines(topic)
    yield "</topic>"


def _is_field(name: str, topic: Topic) -> bool:
    if name not in topic.extra:
        return True
    plain = _FIELD_NAME.fullmatch(name) and not name.startswith("docset")
    return bool(plain) and name not in _OWN_NAMES | _TAKEN


def _document_lines(topic: Topic) -> Iterable[str]:
    sets: dict[str, list[str]] = {}
    for document in topic.documents:
        sets.setdefault(set_letter(document), []).append(document.id)
    for letter, ids in sorted(sets.items()):
        yield f'<docset{letter} id="{topic.id}-{letter}">'
        yield from (f'<doc id="{_quoted(id)}" />' for id in ids)
        yield f"</docset{letter}>"


def set_letter(document: Document) -> str:
    """Give the letter of a document's set: A for base, B for update, others as they were read.

    Examples
    --------
    >>> set_letter(Document("A1", "Rain fell.", set="update"))
    'B'
    """
    return str(document.extra.get("docset", "A" if document.set == "base" else "B"))


def _quoted(text: str) -> str:
    return escape(text).replace('"', "&quot;")
