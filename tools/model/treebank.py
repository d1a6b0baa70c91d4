"""Read sentences of Universal Dependencies' treebanks, with GUM's mentions of entities."""

import gzip
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Name", "Sentence", "Word", "read_treebank"]

#: Types of GUM's entities that become names.
TYPES = ("person", "place", "organization")
_MENTION = re.compile(r"\((\w+)-(\w+)-[^()]*?\)|\((\w+)-(\w+)-[^()]*|(\w+)\)")


@dataclass(frozen=True, slots=True)
class Word:
    """A word; ``head`` is the place of the word it depends on, its own if it is the root."""

    text: str
    lemma: str
    upos: str
    fine: str
    head: int
    relation: str
    space: bool


@dataclass(frozen=True, slots=True)
class Name:
    """A name: words from ``first`` to before ``last``."""

    first: int
    last: int
    type: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; ``names`` is nothing where nobody marked names."""

    id: str
    words: tuple[Word, ...]
    mentions: tuple[Name, ...] = field(default=())
    names: tuple[Name, ...] | None = None

    @property
    def text(self) -> str:
        """The sentence as it was written."""
        return "".join(word.text + " " * word.space for word in self.words).rstrip()


def read_treebank(path: Path) -> Iterator[Sentence]:
    """Read the sentences of a gzipped file in the CoNLL-U format."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for block in file.read().strip().split("\n\n"):
            yield _sentence(block.splitlines())


def _sentence(lines: list[str]) -> Sentence:
    rows = [line.split("\t") for line in lines if line[0] != "#"]
    spaces = _spaces(rows)
    rows = [row for row in rows if row[0].isdigit()]
    words = tuple(_word(number, row, spaces) for number, row in enumerate(rows))
    id = next(line.partition(" = ")[2] for line in lines if line.startswith("# sent_id"))
    return Sentence(id, words, tuple(_mentions(rows)))


def _spaces(rows: list[list[str]]) -> Mapping[int, bool]:
    """Tell after which words there is a space; parts of a written word have none between."""
    spaces: dict[int, bool] = {}
    for row in rows:
        space = "SpaceAfter=No" not in row[9].split("|")
        if "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            spaces |= dict.fromkeys(range(first, last), False) | {last: space}
        elif row[0].isdigit():
            spaces.setdefault(int(row[0]), space)
    return spaces


def _word(number: int, row: list[str], spaces: Mapping[int, bool]) -> Word:
    head = int(row[6]) - 1 if row[6] != "0" else number
    return Word(row[1], row[2], row[3], row[4], head, row[7], spaces[int(row[0])])


def _mentions(rows: list[list[str]]) -> Iterator[Name]:
    """Read GUM's brackets: a mention opens with its number and type and closes with its number."""
    opened: list[tuple[str, str, int]] = []
    for row_index, row in enumerate(rows):
        values = [v.removeprefix("Entity=") for v in row[9].split("|") if v.startswith("Entity=")]
        for match in _MENTION.finditer(values[0] if values else ""):
            whole, whole_type, first, first_type, closed = match.groups()
            if whole:
                yield Name(row_index, row_index + 1, whole_type)
            elif first:
                opened.append((first, first_type, row_index))
            else:
                index = max(i for i, entry in enumerate(opened) if entry[0] == closed)
                _, type, begin = opened.pop(index)
                yield Name(begin, row_index + 1, type)
