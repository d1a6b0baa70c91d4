"""Scoring streams: one summary with its references per record."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from pyramidion.collection.summaries import KINDS
from pyramidion.errors import Where
from pyramidion.files.reading import Record

#: A summary or reference of a stream: one text, or its sentences.
StreamText = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StreamItem:
    """A peer with its references."""

    task: str
    topic: str
    system: str
    kind: str
    peer: StreamText
    references: tuple[StreamText, ...]
    where: Where | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """The address in words, for messages."""
        parts = {"task": self.task, "topic": self.topic, "system": self.system}
        return ", ".join(f"{part} {value}" for part, value in parts.items() if value)

    @property
    def address(self) -> dict[str, Any]:
        """The task, topic, system and kind that are not empty."""
        names = ("task", "topic", "system", "kind")
        return {name: value for name in names if (value := str(getattr(self, name)))}

    @classmethod
    def from_record(cls, record: Record) -> "StreamItem":
        """Read an item from a JSON object."""
        references = record.take("references")
        if not isinstance(references, list) or not references:
            raise record.error("`references` is not a list of texts", "give at least one reference")
        return cls(
            task=record.identifier("task", ""),
            topic=record.identifier("topic"),
            system=record.identifier("system"),
            kind=record.choice("kind", KINDS, "machine"),
            peer=_text(record, record.take("peer"), "peer"),
            references=tuple(_text(record, text, "references") for text in references),
            where=record.where,
        )


def _text(record: Record, text: object, name: str) -> StreamText:
    if isinstance(text, str):
        return text
    if isinstance(text, list) and all(isinstance(sentence, str) for sentence in text):
        return tuple(text)
    value_text = "missing" if text is None else f"{text!r:.40}, which is not text"
    raise record.error(f"`{name}` is {value_text}", "write a text or a list of sentences")


def plain_text(text: StreamText) -> str:
    """Return a text as one string; sentences are joined by spaces."""
    return text if isinstance(text, str) else " ".join(text)


def items_digest(items: Iterable[StreamItem]) -> int:
    """Return the sum of the hashes of items, which does not depend on their order."""
    total = 0
    for item in items:
        try:
            texts = "\0".join((item.peer, *item.references))  # type: ignore[arg-type]
        except TypeError:  # sentences are hashed as Python writes a tuple
            texts = "\0".join(map(str, (item.peer, *item.references)))
        address = f"{item.task}\0{item.topic}\0{item.system}".encode()
        content = blake2b(address, digest_size=16).digest() + texts.encode()
        total += int.from_bytes(blake2b(content, digest_size=8).digest(), "big")
    return total
