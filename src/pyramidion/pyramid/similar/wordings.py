"""The ways in which content units are worded, as sets of stems.

A unit is worded by its label and by each of its contributors. Four things are known of a stem:
how rare it is in general English, how many units of the pyramid use it (a word of every unit
tells none from the others), whether it is a number, and whether a reference uses it at all (if
not, it is the annotator's own word).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection.pyramids import Pyramid
from pyramidion.pyramid._topics import placed_words
from pyramidion.pyramid._units import TopicUnits
from pyramidion.text._encoding import default_background
from pyramidion.text._tokens import lexicon

__all__ = ["FACTORS", "Wordings", "stem_of", "stems_of"]

Floats = NDArray[np.float64]

#: What is known of a stem, in the order of the columns of `Wordings.factors`.
FACTORS = ("rarity", "spread", "number", "quoted")

# The commonest words have an inverse document frequency near 0, which has no logarithm.
_LEAST_RARITY = 0.1


@dataclass(frozen=True, slots=True)
class Wordings:
    """The wordings of all content units of a pyramid; each is a set of stems.

    Parameters
    ----------
    columns
        The column of each stem.
    uses
        Which wording (row) uses which stem (column); the wordings of a unit follow each other.
    unit
        The unit each wording belongs to, by its place in the pyramid.
    units
        How many units there are, those without any word included.
    factors
        What is known of each stem (row), see `FACTORS`.

    Examples
    --------
    >>> wordings = Wordings.of([["Ice melts"], ["The ice is old", "Old ice"]], ["Old ice melts."])
    >>> list(wordings.columns)
    ['ice', 'melt', 'the', 'is', 'old']
    >>> wordings.unit.tolist(), wordings.uses.sum(axis=1).tolist()
    ([0, 1, 1], [2, 4, 2])
    """

    columns: Mapping[str, int]
    uses: NDArray[np.bool_]
    unit: NDArray[np.int64]
    units: int
    factors: Floats

    @classmethod
    def of(cls, texts: Sequence[Iterable[str]], references: Iterable[str] = ()) -> "Wordings":
        """Take the wordings of each unit, and the references they come from.

        Parameters
        ----------
        texts
            For each unit, its label and its contributors.
        references
            The references' texts; without them no word counts as the annotator's own.
        """
        found = [
            (unit, tuple(dict.fromkeys(stems_of(text))))
            for unit, of_unit in enumerate(texts)
            for text in of_unit
        ]
        worded = list(dict.fromkeys((unit, stems) for unit, stems in found if stems))
        columns: dict[str, int] = {}
        for _, stems in worded:
            for stem in stems:
                columns.setdefault(stem, len(columns))
        uses = np.zeros((len(worded), len(columns)), dtype=np.bool_)
        for row, (_, stems) in enumerate(worded):
            uses[row, [columns[stem] for stem in stems]] = True
        unit = np.array([unit for unit, _ in worded], dtype=np.int64)
        quoted = {stem for reference in references for stem in stems_of(reference)}
        return cls(columns, uses, unit, len(texts), _factors(columns, uses, unit, quoted))

    @classmethod
    def of_pyramid(cls, pyramid: Pyramid) -> "Wordings":
        """Take a pyramid's labels and contributors."""
        texts = [
            [scu.label, *(" ".join(part.label for part in c.parts) for c in scu.contributors)]
            for scu in pyramid.scus
        ]
        references = (pyramid.text[r.start : r.end] for r in pyramid.references)
        return cls.of(texts, references)

    @classmethod
    def of_list(cls, units: TopicUnits, references: Iterable[str] = ()) -> "Wordings":
        """Take the labels of a list of units, as REALSumm has them."""
        return cls.of([[label] for label in units.labels], references)


def _factors(
    columns: Mapping[str, int],
    uses: NDArray[np.bool_],
    unit: NDArray[np.int64],
    quoted: set[str],
) -> Floats:
    stems = list(columns)
    by_unit = {(int(unit[row]), int(column)) for row, column in zip(*np.nonzero(uses), strict=True)}
    spread = np.bincount([column for _, column in by_unit], minlength=len(stems))
    rarity = np.maximum(default_background(stem=True).idf(stems), _LEAST_RARITY)
    number = [any(map(str.isdigit, stem)) for stem in stems]
    return np.column_stack(
        [np.log(rarity), np.log(spread), number, [stem in quoted for stem in stems]]
    ).astype(np.float64)


def stems_of(text: str) -> list[str]:
    """Give the stems of a text's words in their order.

    Examples
    --------
    >>> stems_of("Melting, Zürich's glaciers melt.")
    ['melt', 'zürich', 's', 'glacier', 'melt']
    """
    return [stem_of(word.text) for word in placed_words(text)]


@cache
def stem_of(word: str) -> str:
    """Stem one word, which is folded already.

    Examples
    --------
    >>> stem_of("melting")
    'melt'
    """
    return lexicon().stem(word)
