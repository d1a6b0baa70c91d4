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

_NO_VALUE = "nil"
_WORD_CHARACTER = re.compile(r"[A-Za-z0-9]")
_BLANKS_PATTERN = re.compile(r"\s+", re.ASCII)
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


def stem_element(element: BasicElement, stemmer: kernels.Lexicon | None = None) -> BasicElement:
    """Stem the head and the modifier, never the relation."""
    stemmer = stemmer or lexicon()

    def stem_words(text: str) -> str:
        if len(text) <= 3:
            return text
        words = _BLANKS_PATTERN.split(text)
        return " ".join(
            stemmer.stem(word, 0) if _WORD_CHARACTER.search(word) else word for word in words
        )

    return BasicElement(stem_words(element.head), stem_words(element.modifier), element.relation)


def _head_and_modifier(element: BasicElement) -> str:
    return f"{element.head}|{element.modifier}"


def _all_parts(element: BasicElement) -> str:
    return f"{element.head}|{element.modifier}|{element.relation}"


_UNIT_BY_MODE: Mapping[str, Callable[[BasicElement], str | None]] = {
    "H": lambda element: element.head if element.modifier == _NO_VALUE else None,
    "HM": lambda element: _head_and_modifier(element) if element.modifier != _NO_VALUE else None,
    "HMR": lambda element: _all_parts(element) if element.relation != _NO_VALUE else None,
    "HM1": _head_and_modifier,
    "HMR1": lambda element: _all_parts(element) if element.modifier != _NO_VALUE else None,
    "HMR2": _all_parts,
}


def count_basic_elements(
    texts: Sequence[Iterable[BasicElement]] | Mapping[int, Iterable[BasicElement]],
    pairs: Pairs,
    mode: str,
) -> Counts:
    """Count the basic elements of peers and models, and those they share."""
    text_indices = np.union1d(pairs.peers, pairs.models).tolist()
    # Like the script, count nothing if the mode is unknown.
    unit_of = _UNIT_BY_MODE.get(mode, lambda element: None)
    units = {
        index: Counter(unit for unit in map(unit_of, texts[index]) if unit is not None)
        for index in text_indices
    }
    rows = [
        (
            _total_count(units[model]),
            _total_count(units[peer]),
            _shared_count(units[peer] & units[model]),
        )
        for peer, model in zip(pairs.peers.tolist(), pairs.models.tolist(), strict=True)
    ]
    return Counts(*np.array(rows, dtype=np.float64).reshape(-1, 3).T)


# The script stores the total number of units under this key, so a unit of this name is counted
# twice and never matched.
_TOTAL_KEY = "_cn_"


def _total_count(units: Counter[str]) -> int:
    return units.total() + units[_TOTAL_KEY]


def _shared_count(shared_units: Counter[str]) -> int:
    return shared_units.total() - shared_units[_TOTAL_KEY]
