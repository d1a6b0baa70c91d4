"""Annotating summaries with the units that they probably express."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import pairwise
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection._pyramids import (
    SCU,
    Contributor,
    Part,
    PeerAnnotation,
    Pyramid,
    joined_references,
    unexpressed,
)
from pyramidion.errors import InputError
from pyramidion.pyramid._similar.model import (
    Floats,
    SimilarityModel,
    WordFinder,
    Wordings,
    default_model,
    stem_of,
    stems_of,
)
from pyramidion.pyramid._topics import PlacedWord, placed_words, with_free_zero
from pyramidion.pyramid._units import TopicUnits
from pyramidion.text import sentence_spans

_OPENERS: Final = frozenset(
    re.findall(
        r"\w+",
        "after although and as because before but despite even for if including once or since so"
        " that though to unless until what when where whereas whether which while who whom whose"
        " with without yet",
    )
)
_LEAST_WORDS: Final = 3

# A comma inside a number or a hyphen inside a word divides nothing.
_DIVIDES: Final = re.compile(r"[,;:]\s|[()\[\]{}“”\"«»—–]|\s-+\s|\.\.+|…")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause, by the words it has."""

    first: int
    last: int
    sentence: int


def clauses_of(text: str, words: list[PlacedWord] | None = None) -> list[Clause]:
    """Divide a text into clauses; every word is in one of them."""
    words = placed_words(text) if words is None else words
    numbers = sentence_numbers(text, words)
    cuts = np.flatnonzero(np.diff(numbers, prepend=-1)).tolist()
    return [
        clause
        for first, last in pairwise([*cuts, len(words)])
        for clause in _divided(text, words, first, last, int(numbers[first]))
    ]


def sentence_numbers(text: str, words: list[PlacedWord]) -> NDArray[np.int64]:
    """Tell the sentence that each word is in, counted from 0."""
    ends = [end for _, end in sentence_spans(text)]
    return np.searchsorted(ends, [word.start for word in words], side="right")


def _divided(
    text: str, words: list[PlacedWord], first: int, last: int, sentence: int
) -> list[Clause]:
    cuts = [first]
    for place in range(first + 1, last):
        between = text[words[place - 1].end : words[place].start]
        opens = words[place].text in _OPENERS or _DIVIDES.search(between)
        if opens and place - cuts[-1] >= _LEAST_WORDS:
            cuts.append(place)
    if len(cuts) > 1 and last - cuts[-1] < _LEAST_WORDS:
        cuts.pop()
    ends = [*cuts[1:], last]
    return [Clause(begin, end, sentence) for begin, end in zip(cuts, ends, strict=True)]


#: The places of the first word, and of the word after the last.
Stretch = tuple[int, int]

# A stretch must bring at least this much more of the unit for each further word.
_FOR_LENGTH = 0.01
_LONGEST = 40


def stretches_for(
    hits: Floats, shares: Floats, sentences: NDArray[np.int64]
) -> Iterator[tuple[Stretch, float]]:
    """List the stretches that could express a unit, with what speaks for each.

    A stretch begins and ends with a word of the unit that weighs in it, and stays within a
    sentence. For it speaks the share of the unit that it has, less a little for its length.
    """
    used = np.flatnonzero(shares)
    weighed = hits[used] * shares[used, None]
    # Function words make no stretch longer, unless nothing else is there.
    heavy = shares[used] >= shares.max() / 4
    own = np.flatnonzero(weighed[heavy].any(axis=0))
    if not len(own):
        own = np.flatnonzero(weighed.any(axis=0))
    for place, first in enumerate(own):
        later = own[place : place + _LONGEST]
        last = later[(later < first + _LONGEST) & (sentences[later] == sentences[first])]
        reached = np.maximum.accumulate(weighed[:, first : last[-1] + 1], axis=1).sum(axis=0)
        for end in last:
            gain = reached[end - first] - _FOR_LENGTH * (end - first + 1)
            yield (int(first), int(end) + 1), round(float(gain), 9)


def assigned_stretches(
    hits: Floats, shares: Floats, probable: Floats, sentences: NDArray[np.int64]
) -> dict[int, Stretch]:
    """Give units the stretches that speak most for them, no stretch to two units.

    The sum over units of probability times what speaks for the stretch is as great as it can be
    (`scipy.optimize.linear_sum_assignment`).
    """
    from scipy.optimize import linear_sum_assignment

    columns: dict[Stretch, int] = {}
    found = []
    for unit, of_unit in enumerate(shares):
        possible = stretches_for(hits, of_unit, sentences)
        # The others can take all but one of as many stretches as there are units.
        for stretch, gain in nlargest(len(shares), possible, key=itemgetter(1)):
            found.append((unit, columns.setdefault(stretch, len(columns)), gain))
    gains = np.zeros((len(shares), len(columns)))
    for unit, column, gain in found:
        gains[unit, column] = max(gain * probable[unit], 1e-6)
    stretches = list(columns)
    rows, chosen = linear_sum_assignment(gains, maximize=True)
    pairs = zip(rows.tolist(), chosen.tolist(), strict=True)
    return {unit: stretches[column] for unit, column in pairs if gains[unit, column] > 0}


_JOINS = frozenset(["", "-", "'", "’", ".", ",", "/"])


@dataclass(frozen=True, slots=True)
class SimilarAnnotation:
    """What a summary is taken to express.

    Parameters
    ----------
    annotation
        The annotated peer; it can be scored and written like one made by hand.
    probabilities
        For each content unit, by uid, the probability that the summary expresses it.
    expected_weight
        The sum of weight times probability: the total weight D that is to be expected. It tells
        summaries apart that express equally many units.
    """

    annotation: PeerAnnotation
    probabilities: dict[str, float]
    expected_weight: float

    @property
    def expected_units(self) -> float:
        """How many units are to be expected: the sum of the probabilities."""
        return sum(self.probabilities.values())


class SimilarAnnotator:
    """A pyramid, or a list of content units, ready to annotate summaries by.

    Parameters
    ----------
    units
        The pyramid or the list.
    references
        The texts of the references a list was made from, by name; a pyramid has its own.
    model
        The model, if not the one that comes with the package.

    Raises
    ------
    InputError
        No unit has a word, or two have one uid.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "The ferry burned and ten people died.", "B": "Ten died on the ferry."},
    ...     [("Ten people died", {"A": ["ten people died"], "B": ["Ten died"]}),
    ...      ("The ferry burned", {"A": ["The ferry burned"]})])
    >>> found = SimilarAnnotator(pyramid).annotate("A fire on a ferry killed ten people.")
    >>> [(scu.label, [c.label for c in scu.contributors]) for scu in found.annotation.scus]
    [('(2) Ten people died', ['ten people']), ('(1) The ferry burned', []),
     ('All non-matching SCUs go here', [])]
    """

    def __init__(
        self,
        units: Pyramid | TopicUnits,
        references: dict[str, str] | None = None,
        *,
        model: SimilarityModel | None = None,
        weights: NDArray[np.int64] | None = None,
    ) -> None:
        self.model = model or default_model()
        if isinstance(units, Pyramid):
            self.wordings = Wordings.of_pyramid(units)
            self.uids = tuple(scu.uid for scu in units.scus)
            self.weights = units.weights if weights is None else weights
            pyramid = units
        else:
            references = references or {}
            self.wordings = Wordings.of_list(units, references.values())
            self.uids, self.weights = units.uids, units.weighing.weights
            scus = tuple(map(SCU, units.uids, units.labels))
            pyramid = Pyramid(joined_references(references), scus)
        self.pyramid, self.renamed = with_free_zero(pyramid)
        _require_usable(self.uids, self.wordings)
        unworded = sorted(set(range(self.wordings.units)) - set(self.wordings.unit.tolist()))
        self.unworded = tuple(
            f"SCU {self.uids[unit]} has no words and is never found" for unit in unworded
        )
        self._finder = WordFinder(self.wordings, likeness=self.model.likeness)
        self._shares = self.model.shares(self.wordings)
        self._sizes = self.wordings.uses.sum(axis=1)
        self._unexpressed = unexpressed(self.pyramid.scus, self.weights.tolist())

    def annotate(self, text: str) -> SimilarAnnotation:
        """Annotate a summary.

        Parameters
        ----------
        text
            The summary; the annotation's offsets count its characters.
        """
        words = placed_words(text)
        hits = self._finder.hits([stem_of(word.text) for word in words])
        odds, wording = self._best(hits)
        probable = 1 / (1 + np.exp(-odds))
        number = int(np.floor(probable.sum() + 0.5))
        chosen = np.argsort(-np.round(probable, 9), kind="stable")[:number]
        sentences = sentence_numbers(text, words)
        stretches = assigned_stretches(
            hits, self._shares[wording[chosen]], probable[chosen], sentences
        )
        scus = list(self._unexpressed)
        for row, stretch in stretches.items():
            unit, said = int(chosen[row]), _contributor(text, words, stretch)
            scus[unit] = replace(scus[unit], contributors=(said,))
        notes = (*self.renamed, *self.unworded)
        return SimilarAnnotation(
            PeerAnnotation(self.pyramid, text, tuple(scus), notes),
            dict(zip(self.uids, probable.tolist(), strict=True)),
            float(self.weights @ probable),
        )

    def probabilities(self, text: str) -> Floats:
        """Give each unit's probability only, in the order of the units."""
        odds, _ = self._best(self._finder.hits(stems_of(text)))
        probable: Floats = 1 / (1 + np.exp(-odds))
        return probable

    def _best(self, hits: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """Give each unit's greatest log-odds, and the wording that has them."""
        found = self.model.log_odds(self.model.evidence(hits, self._shares), self._sizes)
        odds = np.full(self.wordings.units, -np.inf)
        wording = np.zeros(self.wordings.units, dtype=np.int64)
        for row, (unit, value) in enumerate(zip(self.wordings.unit, found, strict=True)):
            if value > odds[unit]:
                odds[unit], wording[unit] = value, row
        return odds, wording


def _require_usable(uids: Sequence[str], wordings: Wordings) -> None:
    if not len(wordings.unit):
        raise InputError("the pyramid has no content unit with words", hint="give it labels")
    for uid, number in Counter(uids).items():
        if number > 1:
            raise InputError(f"{number} content units are SCU {uid}", hint="give each its own uid")


def _contributor(text: str, words: Sequence[PlacedWord], stretch: Stretch) -> Contributor:
    first, last = stretch
    # Half of a hyphenated word is no word.
    while first > 0 and text[words[first - 1].end : words[first].start] in _JOINS:
        first -= 1
    while last < len(words) and text[words[last - 1].end : words[last].start] in _JOINS:
        last += 1
    start, end = words[first].start, words[last - 1].end
    return Contributor((Part(start, end, text[start:end]),))
