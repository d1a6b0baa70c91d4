"""Topics, their documents, and the summaries that people and machines wrote."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from pyramidion.errors import FormatError, InputError, Where
from pyramidion.files.reading import Record, json_line
from pyramidion.text import count_words, truncate_sentences, truncate_words


@dataclass(frozen=True, slots=True)
class Aspect:
    """Something that summaries in a category should cover.

    Examples
    --------
    >>> Aspect("4.3", "THREATS", "threats to the resource").id
    '4.3'
    """

    id: str
    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of topic, with the aspects its summaries should cover.

    Examples
    --------
    >>> [aspect.name for aspect in TAC_CATEGORIES[3].aspects]
    ['WHAT', 'IMPORTANCE', 'THREATS', 'COUNTERMEASURES']
    """

    id: str
    title: str
    aspects: tuple[Aspect, ...] = ()


def _category(id: str, title: str, *aspects: tuple[str, str]) -> Category:
    numbered_aspects = (
        Aspect(f"{id}.{number}", *aspect) for number, aspect in enumerate(aspects, start=1)
    )
    return Category(id, title, tuple(numbered_aspects))


_WHEN = ("WHEN", "date, time, other indications of time")
_WHERE = ("WHERE", "place")
_AFFECTED = ("WHO_AFFECTED", "casualties and others affected")
_DAMAGES = ("DAMAGES", "damage done")

#: The five categories of TAC 2010 and 2011 with the aspects and numbers of 2011.
TAC_CATEGORIES: tuple[Category, ...] = (
    _category(
        "1", "Accidents and Natural Disasters", ("WHAT", "what happened"), _WHEN, _WHERE,
        ("WHY", "reasons"), _AFFECTED, _DAMAGES,
        ("COUNTERMEASURES", "rescue, prevention, other reactions"),
    ),
    _category(
        "2", "Attacks", ("WHAT", "what happened"), _WHEN, _WHERE, ("PERPETRATORS", "who did it"),
        ("WHY", "reasons"), _AFFECTED, _DAMAGES,
        ("COUNTERMEASURES", "rescue, prevention, investigation, other reactions"),
    ),
    _category(
        "3", "Health and Safety", ("WHAT", "the issue"), ("WHO_AFFECTED", "who is affected"),
        ("HOW", "how they are affected"), ("WHY", "why it happens"),
        ("COUNTERMEASURES", "countermeasures, prevention"),
    ),
    _category(
        "4", "Endangered Resources", ("WHAT", "the resource"), ("IMPORTANCE", "why it matters"),
        ("THREATS", "threats to the resource"), ("COUNTERMEASURES", "countermeasures, prevention"),
    ),
    _category(
        "5", "Investigations and Trials", ("WHO", "defendant or subject of the investigation"),
        ("WHO_INV", "who investigates, prosecutes or judges"), ("WHY", "general reasons"),
        ("CHARGES", "specific charges"), ("PLEAD", "reaction to the charges"),
        ("SENTENCE", "sentence or other consequences"),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class AspectSpan:
    """A span of a summary that covers an aspect.

    Parameters
    ----------
    start, end
        Character offsets in the summary's text, the end exclusive.
    aspect
        The aspect's number, such as ``4.1``.

    Examples
    --------
    >>> AspectSpan(0, 3, "4.1").aspect
    '4.1'
    """

    start: int
    end: int
    aspect: str


# TAC's annotators wrote <aid="4.1">Ice</aid="4.1">, the number in both marks.
_ASPECT_MARK = re.compile(r'<(/?)aid\s*=\s*"([^"<>]+)"\s*>')
_DAMAGED_MARK = re.compile(r"</?aid\b[^>]{0,20}>?")


def parse_aspects(marked: str, where: Where | None = None) -> tuple[str, tuple[AspectSpan, ...]]:
    """Separate a summary from TAC's aspect marks.

    Parameters
    ----------
    marked
        Text with marks such as ``<aid="4.1">Ice</aid="4.1">``; marks may be nested.
    where
        The location, for messages.

    Returns
    -------
    tuple
        The plain text, and the spans in order.

    Examples
    --------
    >>> parse_aspects('<aid="4.1">Ice</aid="4.1"> melts.')
    ('Ice melts.', (AspectSpan(start=0, end=3, aspect='4.1'),))
    """
    plain_pieces: list[str] = []
    plain_length = position = 0
    open_marks: list[tuple[str, int]] = []
    spans: list[AspectSpan] = []
    for mark in _ASPECT_MARK.finditer(marked):
        plain_pieces.append(marked[position : mark.start()])
        plain_length += mark.start() - position
        position = mark.end()
        slash, aspect = mark.groups()
        if slash:
            spans.append(
                AspectSpan(_start_of(aspect, open_marks, plain_length, where), plain_length, aspect)
            )
        else:
            open_marks.append((aspect, plain_length))
    for aspect, _ in open_marks:
        hint = f'add </aid="{aspect}"> where it ends'
        raise FormatError(f"aspect {aspect} is not closed", hint, where=where)
    text = "".join((*plain_pieces, marked[position:]))
    if damaged_match := _DAMAGED_MARK.search(text):
        hint = 'write <aid="4.1">...</aid="4.1">'
        raise FormatError(f"{damaged_match.group()!r} is not an aspect's mark", hint, where=where)
    return text, tuple(sorted(spans))


def _start_of(aspect: str, open_marks: list[tuple[str, int]], end: int, where: Where | None) -> int:
    """Remove the last open mark of an aspect, and return where it starts."""
    for index in reversed(range(len(open_marks))):
        if open_marks[index][0] == aspect:
            start = open_marks.pop(index)[1]
            if start < end:
                return start
            raise FormatError(f"aspect {aspect} marks no text", "remove both marks", where=where)
    hint = f'add <aid="{aspect}"> where it begins'
    raise FormatError(f"aspect {aspect} is closed but not open", hint, where=where)


def mark_aspects(text: str, spans: Iterable[AspectSpan]) -> str:
    """Put TAC's aspect marks into a summary, the inverse of `parse_aspects`.

    Examples
    --------
    >>> mark_aspects("Ice melts.", [AspectSpan(0, 3, "4.1")])
    '<aid="4.1">Ice</aid="4.1"> melts.'
    """
    outer_first = sorted(spans, key=lambda span: (span.start, -span.end, span.aspect))
    marks: list[tuple[int, int, str]] = []
    for number, span in enumerate(outer_first):
        # At one offset: first close (the inner mark first), then open (the outer mark first).
        marks.append((span.start, number, f'<aid="{span.aspect}">'))
        marks.append((span.end, -number, f'</aid="{span.aspect}">'))
    pieces: list[str] = []
    position = 0
    for offset, _, mark in sorted(marks):
        pieces += (text[position:offset], mark)
        position = offset
    marked_text = "".join((*pieces, text[position:]))
    _require_readable(marked_text, text, outer_first)
    return marked_text


def _require_readable(marked_text: str, text: str, spans: list[AspectSpan]) -> None:
    """Refuse spans that marks cannot express, such as two crossing spans of one aspect."""
    try:
        is_readable = parse_aspects(marked_text) == (text, tuple(sorted(spans)))
    except FormatError:
        is_readable = False
    if not is_readable:
        hint = (
            "spans must be inside the text, must not be empty, and must not cross another span "
            "of the same aspect"
        )
        raise InputError(f"the spans of {text[:40]!r} cannot be written as marks", hint)


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
        The set it belongs to: ``base`` for an initial summary, ``update`` for an update, or any
        other name that tasks use.
    extra
        Other fields of the file, unchanged.

    Examples
    --------
    >>> Document("APW20310412.0031", "Rain fell.", set="update").set
    'update'
    """

    id: str
    text: str
    set: str = "base"
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
            set=record.identifier("set", "base"),
            date=record.identifier("date", ""),
            source=record.text("source", ""),
            headline=record.text("headline", ""),
            extra=record.rest(),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields to write."""
        names = ("id", "set", "date", "source", "headline", "text")
        return {name: value for name in names if (value := getattr(self, name))} | dict(self.extra)


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
        Who judged all summaries of this topic, if it was one person.
    documents
        The input, in order.
    extra
        Other fields of the file, unchanged.

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

    def documents_of(self, set_name: str) -> tuple[Document, ...]:
        """Return the documents of a set."""
        return tuple(document for document in self.documents if document.set == set_name)

    @classmethod
    def from_record(
        cls, record: Record, id: str = "", documents: Iterable[Document] | None = None
    ) -> "Topic":
        """Read a topic from a JSON object; an id or documents that are passed take precedence."""
        documents_in_record = map(Document.from_record, record.records("documents"))
        return cls(
            id=id or record.identifier("id"),
            title=record.text("title", ""),
            narrative=record.text("narrative", ""),
            category=record.identifier("category", ""),
            assessor=record.identifier("assessor", ""),
            documents=tuple(documents_in_record if documents is None else documents),
            extra=record.rest(),
        )

    def to_line(self) -> str:
        """Write the topic as one line of JSON."""
        names = ("id", "title", "narrative", "category", "assessor")
        documents = [document.to_dict() for document in self.documents]
        fields = [*((name, getattr(self, name)) for name in names), ("documents", documents)]
        return json_line(fields, self.extra)


def documents_of(record: Record) -> Iterator[Document]:
    """Read documents that are plain texts (named ``d1`` and so on) or objects."""
    documents = record.take("documents")
    if isinstance(documents, list) and any(isinstance(item, dict) for item in documents):
        yield from map(Document.from_record, record.records("documents"))
    else:
        for number, text in enumerate(record.texts("documents"), start=1):
            yield Document(f"d{number}", text)


def _require_id(id: str, kind: str) -> None:
    if not id:
        raise InputError(f"a {kind} has no id", "give it one")


Kind = Literal["human", "machine"]
Role = Literal["peer", "reference", "both"]

KINDS: tuple[Kind, ...] = ("human", "machine")
ROLES: tuple[Role, ...] = ("peer", "reference", "both")

# A placeholder: `Summary` replaces it by the default role for its kind.
_ROLE_BY_KIND = cast("Role", "")


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of a topic for a task, by a person or a machine.

    Parameters
    ----------
    topic, system, task
        The address of the summary; the task may be empty.
    text
        The summary as one text, or as a tuple of sentences.
    role
        ``peer``: it is scored; ``reference``: others are scored against it; ``both``. By
        default, a person's summary is both (scored against those of other people), and a
        machine's is a peer.
    aspects
        The spans that cover the category's aspects, as offsets into `plain`.
    extra
        Other fields of the file, unchanged.

    Examples
    --------
    >>> summary = Summary("T1", "17", ("Rain fell.", "Roads closed."))
    >>> summary.plain
    'Rain fell. Roads closed.'
    >>> summary.is_peer, summary.is_reference
    (True, False)
    """

    topic: str
    system: str
    text: str | tuple[str, ...]
    task: str = ""
    kind: Kind = "machine"
    role: Role = _ROLE_BY_KIND
    aspects: tuple[AspectSpan, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            object.__setattr__(self, "text", tuple(self.text))
        if self.role is _ROLE_BY_KIND:
            object.__setattr__(self, "role", default_role(self.kind))
        if not (self.topic and self.system):
            message = f"{self.name} has no topic or no system"
            raise InputError(message, "give it a topic and a system")
        if self.kind not in KINDS or self.role not in ROLES:
            wrong_field, choices = ("kind", KINDS) if self.kind not in KINDS else ("role", ROLES)
            hint = f"use one of: {', '.join(choices)}"
            raise InputError(
                f"the {wrong_field} of {self.name} is {getattr(self, wrong_field)!r}", hint
            )
        for span in self.aspects:
            if not 0 <= span.start < span.end <= len(self.plain):
                message = f"aspect {span.aspect} of {self.name} spans {span.start} to {span.end}"
                raise InputError(message, f"the summary has {len(self.plain)} characters")

    @property
    def key(self) -> tuple[str, str, str]:
        """The address: task, topic and system."""
        return self.task, self.topic, self.system

    @property
    def name(self) -> str:
        """The address in words, for messages."""
        task = f", task {self.task}" if self.task else ""
        return f"the summary of topic {self.topic}{task} by {self.system}"

    @property
    def plain(self) -> str:
        """The text as one string; sentences are joined by spaces."""
        return self.text if isinstance(self.text, str) else " ".join(self.text)

    @property
    def is_peer(self) -> bool:
        """Whether the summary is to be scored."""
        return self.role != "reference"

    @property
    def is_reference(self) -> bool:
        """Whether other summaries are scored against this one."""
        return self.role != "peer"

    @property
    def words(self) -> int:
        """The number of space-delimited words, as NIST counted them."""
        return count_words(self.plain)

    def truncated(self, limit: int = 100) -> "Summary":
        """Cut the summary after `limit` space-delimited words, as NIST did before judging.

        Examples
        --------
        >>> Summary("T1", "17", "Rain fell on Oslo.").truncated(2).text
        'Rain fell'
        """
        if isinstance(self.text, str):
            text: str | tuple[str, ...] = truncate_words(self.text, limit)
        else:
            text = tuple(truncate_sentences(self.text, limit))
        length = len(text if isinstance(text, str) else " ".join(text))
        spans = (replace(s, end=min(s.end, length)) for s in self.aspects if s.start < length)
        return replace(self, text=text, aspects=tuple(spans))

    @classmethod
    def from_record(cls, record: Record) -> "Summary":
        """Read a summary from a JSON object."""
        role = record.choice("role", ROLES, "")
        kind = record.choice("kind", KINDS, "human" if role == "reference" else "machine")
        text: str | tuple[str, ...]
        if isinstance(record.data.get("text"), list):
            text = record.texts("text")
        else:
            text = record.text("text") if record.data.get("text") != "" else ""
            record.take("text")
        return cls(
            topic=record.identifier("topic"),
            system=record.identifier("system"),
            task=record.identifier("task", ""),
            kind=cast("Kind", kind),
            role=cast("Role", role),
            text=text,
            aspects=tuple(
                AspectSpan(
                    span.whole_number("start"), span.whole_number("end"), span.identifier("aspect")
                )
                for span in record.records("aspects")
            ),
            extra=record.rest(),
        )

    def to_line(self) -> str:
        """Write the summary as one line of JSON."""
        spans = [{"aspect": s.aspect, "start": s.start, "end": s.end} for s in self.aspects]
        text = self.text if isinstance(self.text, str) else list(self.text)
        names = ("task", "topic", "system", "kind", "role")
        fields = [*((name, getattr(self, name)) for name in names), ("aspects", spans)]
        return json_line(fields, {"text": text, **self.extra})


def default_role(kind: Kind) -> Role:
    """Return the role of a summary whose file does not name one."""
    return "both" if kind == "human" else "peer"
