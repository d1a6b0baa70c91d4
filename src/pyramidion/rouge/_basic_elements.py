"""ROUGE-BE: basic elements, that is, a head, its modifier and their relation.

A file in the format SIMPLE has one basic element per line, ``head|modifier|relation``; the last
two are ``nil`` if there is none. The mode selects which parts count:

========  ===========================================  =========================
mode      counted parts                                for which elements
========  ===========================================  =========================
``H``     the head                                     those without a modifier
``HM``    head and modifier                            those with a modifier
``HMR``   all three                                    those with a relation
``HM1``   head and modifier                            all
``HMR1``  all three                                    those with a modifier
``HMR2``  all three                                    all
========  ===========================================  =========================
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion import kernels
from pyramidion.errors import FormatError, Where
from pyramidion.rouge.counting import Counts, Pairs
from pyramidion.text.tokens import lexicon

_NIL = "nil"
_WORD_CHARACTER = re.compile(r"[A-Za-z0-9]")
_BLANKS = re.compile(r"\s+", re.ASCII)
_UPPER_TO_LOWER = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True, slots=True)
class BasicElement:
    """A head, its modifier and their relation."""

    head: str
    modifier: str
    relation: str


def parse_basic_elements(data: bytes, where: Where) -> list[BasicElement]:
    """Parse basic elements; only ASCII letters are lower-cased."""
    elements = []
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n") if data else (), start=1):
        fields = line.translate(_UPPER_TO_LOWER).decode("latin-1").split("|")
        while fields and not fields[-1]:
            fields.pop()
        if len(fields) != 3:
            message = f"{len(fields)} fields instead of head|modifier|relation"
            hint = "write one basic element per line"
            raise FormatError(message, where=Where(where.path, line=number), hint=hint)
        elements.append(BasicElement(*fields))
    return elements


def stemmed(element: BasicElement, stemmer: kernels.Lexicon | None = None) -> BasicElement:
    """Stem the head and the modifier, never the relation."""
    stemmer = stemmer or lexicon()

    def stem_words(text: str) -> str:
        if len(text) <= 3:
            return text
        words = _BLANKS.split(text)
        return " ".join(
            stemmer.stem(word, 0) if _WORD_CHARACTER.search(word) else word for word in words
        )

    return BasicElement(stem_words(element.head), stem_words(element.modifier), element.relation)


def _whole(element: BasicElement) -> str:
    return f"{element.head}|{element.modifier}|{element.relation}"


_UNITS: Mapping[str, Callable[[BasicElement], str | None]] = {
    "H": lambda e: e.head if e.modifier == _NIL else None,
    "HM": lambda e: f"{e.head}|{e.modifier}" if e.modifier != _NIL else None,
    "HMR": lambda e: _whole(e) if e.relation != _NIL else None,
    "HM1": lambda e: f"{e.head}|{e.modifier}",
    "HMR1": lambda e: _whole(e) if e.modifier != _NIL else None,
    "HMR2": _whole,
}


def count_basic_elements(
    texts: Sequence[Iterable[BasicElement]] | Mapping[int, Iterable[BasicElement]],
    pairs: Pairs,
    mode: str,
) -> Counts:
    """Count basic elements that peers share with their models."""
    text_numbers = np.union1d(pairs.peers, pairs.models).tolist()
    # With an unknown mode, the script counts nothing.
    unit = _UNITS.get(mode, lambda element: None)
    units = {t: Counter(u for u in map(unit, texts[t]) if u is not None) for t in text_numbers}
    rows = [
        (_total_count(units[model]), _total_count(units[peer]), _hits(units[peer] & units[model]))
        for peer, model in zip(pairs.peers.tolist(), pairs.models.tolist(), strict=True)
    ]
    return Counts(*np.array(rows, dtype=np.float64).reshape(-1, 3).T)


# The script stores the total number of units under this key, so a unit of this name is counted
# twice and never matched.
_COUNTER = "_cn_"


def _total_count(units: Counter[str]) -> int:
    return units.total() + units[_COUNTER]


def _hits(shared_units: Counter[str]) -> int:
    return shared_units.total() - shared_units[_COUNTER]
