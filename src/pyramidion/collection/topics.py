"""What is summarized: topics and their documents."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pyramidion.collection.records import Record, json_line
from pyramidion.errors import InputError

__all__ = ["Document", "DocumentSet", "Topic"]

DocumentSet = Literal["base", "update"]


@dataclass(frozen=True, slots=True)
class Document:
    """An article.

    Parameters
    ----------
    id
        Its name, unique within the topic (NIST's ``DOCNO``).
    text
        The article; paragraphs are separated by an empty line.
    set
        ``base`` for what an initial summary covers, ``update`` for what came later.
    date, source, headline
        As far as they are known.
    extra
        Fields of the file that mean nothing to this package, kept as they are.

    Examples
    --------
    >>> Document("APW20310412.0031", "Rain fell.", set="update").set
    'update'
    """

    id: str
    text: str
    set: DocumentSet = "base"
    date: str = ""
    source: str = ""
    headline: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _require_id(self.id, "document")

    @classmethod
    def from_record(cls, record: Record) -> "Document":
        """Read a document from a JSON object."""
        return cls(
            id=record.identifier("id"),
            text=record.text("text", ""),
            set="update"
            if record.choice("set", ("base", "update"), "base") == "update"
            else "base",
            date=record.identifier("date", ""),
            source=record.text("source", ""),
            headline=record.text("headline", ""),
            extra=record.rest(),
        )

    def to_dict(self) -> dict[str, Any]:
        """Give the fields that are written to a file."""
        fields = {
            "id": self.id,
            "set": self.set,
            "date": self.date,
            "source": self.source,
            "headline": self.headline,
            "text": self.text,
        }
        return {name: value for name, value in fields.items() if value} | dict(self.extra)


@dataclass(frozen=True, slots=True)
class Topic:
    """What a summary is about: an information need and the documents that answer it.

    Parameters
    ----------
    id
        Its name, unique within the collection.
    title, narrative
        The statement of the need, short and long.
    category
        The number of a category (see `TAC_CATEGORIES`), or empty.
    assessor
        Who judged all summaries of this topic, where one person did.
    documents
        The input, in its own order.
    extra
        Fields of the file that mean nothing to this package, kept as they are.

    Examples
    --------
    >>> topic = Topic("T1", documents=(Document("a", "Rain."), Document("b", "Sun.", "update")))
    >>> [document.id for document in topic.documents_of("base")]
    ['a']
    """

    id: str
    title: str = ""
    narrative: str = ""
    category: str = ""
    assessor: str = ""
    documents: tuple[Document, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _require_id(self.id, "topic")

    def documents_of(self, which: DocumentSet) -> tuple[Document, ...]:
        """Give the base or the update documents."""
        return tuple(document for document in self.documents if document.set == which)

    @classmethod
    def from_record(cls, record: Record) -> "Topic":
        """Read a topic from a JSON object."""
        return cls(
            id=record.identifier("id"),
            title=record.text("title", ""),
            narrative=record.text("narrative", ""),
            category=record.identifier("category", ""),
            assessor=record.identifier("assessor", ""),
            documents=tuple(map(Document.from_record, record.records("documents"))),
            extra=record.rest(),
        )

    def to_line(self) -> str:
        """Write the topic as one line of JSON."""
        fields = [
            ("id", self.id),
            ("title", self.title),
            ("narrative", self.narrative),
            ("category", self.category),
            ("assessor", self.assessor),
            ("documents", [document.to_dict() for document in self.documents]),
        ]
        return json_line(fields, self.extra)


def _require_id(id: str, kind: str) -> None:
    if not id:
        raise InputError(f"a {kind} has no id", hint="give it one")
