"""People of the treebanks: gold trees and entities as the package's own sentences and people."""

import gzip
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pyramidion.rewriting import Articles, Mention
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import RELATIONS, ParsedWord

#: Types of GUM's entities that are names to the package's parsers.
TYPES = ("person", "place", "organization")
_BRACKET = re.compile(r"\(([^()]+)(\))?|([^()]+)\)")
_NAME_PARTS = ("flat", "goeswith")


@dataclass(frozen=True, slots=True)
class Entity:
    """A mention of an entity: words from ``first`` to ``last``, and what GUM says of it."""

    id: str
    type: str
    status: str
    salience: str
    first: int
    last: int


@dataclass
class Treebanked:
    """A document: its sentences, GUM's mentions in each, and its summaries."""

    id: str
    sentences: list[ParsedSentence] = field(default_factory=list)
    entities: list[list[Entity]] = field(default_factory=list)
    summaries: list[tuple[str, str]] = field(default_factory=list)

    @property
    def articles(self) -> Articles:
        """The document as the package reads it."""
        return Articles(tuple(self.sentences), "gold")

    def entity_of(self, mentions: Sequence[Mention]) -> str | None:
        """Return the entity that most mentions of a person stand for."""
        counts = Counter(id for mention in mentions if (id := self._entity_at(mention)))
        return counts.most_common(1)[0][0] if counts else None

    def _entity_at(self, mention: Mention) -> str | None:
        around = [
            entity
            for entity in self.entities[mention.sentence.index]
            if entity.type == "person"
            and entity.first <= mention.first
            and mention.last <= entity.last
        ]
        return min(around, key=lambda entity: entity.last - entity.first).id if around else None

    def first_of(self, id: str) -> Entity:
        """Return an entity's first mention, whatever its form."""
        return next(entity for sentence in self.entities for entity in sentence if entity.id == id)


def read_documents(path: Path) -> Iterator[Treebanked]:
    """Read the documents of a gzipped treebank."""
    document: Treebanked | None = None
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for block in file.read().strip().split("\n\n"):
            lines = block.splitlines()
            comments = dict(line[2:].partition(" = ")[::2] for line in lines if line[0] == "#")
            if "newdoc id" in comments or document is None:
                if document is not None:
                    yield document
                document = Treebanked(comments.get("newdoc id", path.name))
                document.summaries = list(_summaries(comments))
            rows = [line.split("\t") for line in lines if line[0] != "#"]
            entities = _entities([row for row in rows if row[0].isdigit()])
            document.sentences.append(
                _sentence(comments["text"], rows, entities, document.id, len(document.sentences))
            )
            document.entities.append(entities)
    if document is not None:
        yield document


def _summaries(comments: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in comments.items():
        if name.startswith("meta::summary"):
            writer, _, text = value.removeprefix("(").partition(") ")
            yield writer, text


def _entities(rows: Sequence[Sequence[str]]) -> list[Entity]:
    """Read brackets: a mention opens with everything that is said of it, and closes with its id."""
    opened: list[tuple[list[str], int]] = []
    entities = []
    for index, row in enumerate(rows):
        values = [v.removeprefix("Entity=") for v in row[9].split("|") if v.startswith("Entity=")]
        for match in _BRACKET.finditer(values[0] if values else ""):
            begins, ends, closes = match.groups()
            if begins:
                opened.append((begins.split("-"), index))
            if ends or closes:
                id = closes or opened[-1][0][0]
                last = max(n for n, (opening, _) in enumerate(opened) if opening[0] == id)
                parts, first = opened.pop(last)
                entities.append(Entity(*parts[:4], first, index))
    return sorted(entities, key=lambda entity: (entity.first, -entity.last))


def _sentence(
    text: str, rows: list[list[str]], entities: Sequence[Entity], document: str, index: int
) -> ParsedSentence:
    words = [row for row in rows if row[0].isdigit()]
    starts = _starts(text, words)
    names = _entity_names(words, entities) if entities else _tree_names(words)
    parsed = tuple(
        ParsedWord(
            row[1],
            row[2].lower(),
            row[3],
            int(row[6]) - 1 if row[6] != "0" else index,
            _relation(row[7]),
            starts[index],
            row[4],
            names.get(index, ("", False))[0],
            names.get(index, ("", False))[1],
        )
        for index, row in enumerate(words)
    )
    return ParsedSentence(text, parsed, document, index)


def _relation(label: str) -> str:
    return RELATIONS.get(label) or RELATIONS.get(label.partition(":")[0]) or label


def _starts(text: str, words: Sequence[Sequence[str]]) -> list[int]:
    starts, at = [], 0
    for row in words:
        start = text.find(row[1], at)
        starts.append(at if start < 0 else start)
        at = starts[-1] + (len(row[1]) if start >= 0 else 0)
    return starts


Names = dict[int, tuple[str, bool]]


def _entity_names(words: Sequence[Sequence[str]], entities: Sequence[Entity]) -> Names:
    """Mark the proper nouns that head mentions of people, places and organizations."""
    names: Names = {}
    for entity in sorted(entities, key=lambda entity: entity.first - entity.last):
        inside = range(entity.first, entity.last + 1)
        head = next((i for i in inside if int(words[i][6]) - 1 not in inside), None)
        if entity.type in TYPES and head is not None and words[head][3] == "PROPN":
            _mark(names, _name_around(words, head, entity.type), entity.type)
    return names


def _tree_names(words: Sequence[Sequence[str]]) -> Names:
    """Mark people where nobody marked entities: proper nouns with a title or further names."""
    names: Names = {}
    for head, row in enumerate(words):
        below = {other[7] for other in words if int(other[6]) - 1 == head and other[3] == "PROPN"}
        if row[3] == "PROPN" and row[7] != "flat" and below & {"flat", "nmod:desc"}:
            _mark(names, _name_around(words, head, "person"), "person")
    return names


def _name_around(words: Sequence[Sequence[str]], head: int, type: str) -> range:
    links = _NAME_PARTS if type == "person" else (*_NAME_PARTS, "compound")
    first = last = head

    def belongs(index: int) -> bool:
        row = words[index]
        return int(row[6]) - 1 == head and row[7] in links and row[3] != "PUNCT"

    while first > 0 and belongs(first - 1):
        first -= 1
    while last + 1 < len(words):
        step = 2 if words[last + 1][1] == "-" else 1
        if last + step >= len(words) or not belongs(last + step):
            break
        last += step
    return range(first, last + 1)


def _mark(names: Names, places: range, type: str) -> None:
    if not any(index in names for index in places):
        names.update({index: (type, index == places[0]) for index in places})
