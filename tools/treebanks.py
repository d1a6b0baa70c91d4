"""Trees of the treebanks, as CoNLL-U files have them."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_ENTITY = re.compile(r"\((\d+)-(\w+)-[^()]*(\))?|(\d+)\)")


class TreeWord(NamedTuple):
    """A word of a tree; the head is a place in the sentence, its own one for the root."""

    text: str
    lemma: str
    tag: str
    fine: str
    head: int
    relation: str
    entity: str


class Tree(NamedTuple):
    """A sentence."""

    text: str
    words: list[TreeWord]


def read_treebank(folder: Path, name: str) -> Iterator[Tree]:
    """Read a treebank's trees."""
    text, rows = "", []
    with gzip.open(folder / f"{name}.conllu.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if line.startswith("# text = "):
                text = line.removeprefix("# text = ").rstrip("\n")
            elif len(fields) > 1 and fields[0].isdigit():
                rows.append(fields)
            elif not line.strip() and rows:
                yield Tree(text, [_word(row) for row in rows])
                rows = []


def _word(fields: list[str]) -> TreeWord:
    number, text, lemma, tag, fine, _, head, relation, _, misc = fields
    head_index = (int(head) or int(number)) - 1
    entity = next((field[7:] for field in misc.split("|") if field.startswith("Entity=")), "")
    return TreeWord(text, lemma, tag, fine, head_index, relation, entity)


def mentions(tree: Tree) -> Iterator[tuple[int, int, str]]:
    """Return the first and last place and the type of what GUM marks as mentioned."""
    open_: dict[str, list[tuple[int, str]]] = {}
    for index, word in enumerate(tree.words):
        for number, kind, closed, ended in _ENTITY.findall(word.entity):
            if closed:
                yield index, index, kind
            elif number:
                open_.setdefault(number, []).append((index, kind))
            elif open_.get(ended):
                yield open_[ended][-1][0], index, open_[ended].pop()[1]


def head_of(tree: Tree, first: int, last: int) -> int:
    """Return the place of the head of some words."""
    inside = range(first, last + 1)
    outer = (
        index
        for index in inside
        if tree.words[index].head not in inside or tree.words[index].head == index
    )
    return next(outer, last)
