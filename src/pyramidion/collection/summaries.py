"""Summaries, and who wrote them for what."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from pyramidion.collection.aspects import AspectSpan
from pyramidion.collection.records import Record, json_line
from pyramidion.errors import InputError
from pyramidion.text._tokens import count_words, truncate_sentences, truncate_words

__all__ = ["KINDS", "ROLES", "Kind", "Role", "Summary"]

Kind = Literal["human", "machine"]
Role = Literal["peer", "reference", "both"]

KINDS: tuple[Kind, ...] = ("human", "machine")
ROLES: tuple[Role, ...] = ("peer", "reference", "both")

# Stands for "the role that goes with the kind" until a summary is made.
_BY_KIND = cast("Role", "")


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of a topic for a task, by a person or a machine.

    Parameters
    ----------
    topic, system, task
        Together the address of the summary; the task may be empty.
    text
        The summary as one text, or as a tuple of sentences.
    kind
        Who wrote it.
    role
        ``peer``: it is scored; ``reference``: others are scored against it; ``both``. By
        default a person's summary is both (scored against the other people's), a machine's
        is a peer.
    aspects
        The stretches that tell the category's aspects, as offsets into `plain`.
    extra
        Fields of the file that mean nothing to this package, kept as they are.

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
    role: Role = _BY_KIND
    aspects: tuple[AspectSpan, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            object.__setattr__(self, "text", tuple(self.text))
        if self.role is _BY_KIND:
            object.__setattr__(self, "role", default_role(self.kind))
        self._require_sound()

    def _require_sound(self) -> None:
        if not (self.topic and self.system):
            raise InputError(f"{self.name} has no address", hint="give it a topic and a system")
        for field_name, value, allowed in (("kind", self.kind, KINDS), ("role", self.role, ROLES)):
            if value not in allowed:
                raise InputError(
                    f"the {field_name} of {self.name} is {value!r}",
                    hint=f"use one of: {', '.join(allowed)}",
                )
        for span in self.aspects:
            if not 0 <= span.start < span.end <= len(self.plain):
                raise InputError(
                    f"aspect {span.aspect} of {self.name} spans {span.start} to {span.end}",
                    hint=f"the summary has {len(self.plain)} characters",
                )

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
        """The text as one string; sentences are joined with a blank."""
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
        """The number of words, as NIST counted them: between blanks."""
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
        kept = (replace(s, end=min(s.end, length)) for s in self.aspects if s.start < length)
        return replace(self, text=text, aspects=tuple(kept))

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
            aspects=tuple(_aspect_span(span) for span in record.records("aspects")),
            extra=record.rest(),
        )

    def to_line(self) -> str:
        """Write the summary as one line of JSON."""
        spans = [{"aspect": s.aspect, "start": s.start, "end": s.end} for s in self.aspects]
        text = self.text if isinstance(self.text, str) else list(self.text)
        fields = [
            ("task", self.task),
            ("topic", self.topic),
            ("system", self.system),
            ("kind", self.kind),
            ("role", self.role),
            ("aspects", spans),
        ]
        return json_line(fields, {"text": text, **self.extra})


def default_role(kind: Kind) -> Role:
    """Give the role of a summary whose file does not say it.

    Examples
    --------
    >>> default_role("human")
    'both'
    """
    return "both" if kind == "human" else "peer"


def _aspect_span(record: Record) -> AspectSpan:
    return AspectSpan(
        start=record.whole_number("start"),
        end=record.whole_number("end"),
        aspect=record.identifier("aspect"),
    )
