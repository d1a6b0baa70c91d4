"""Annotating a summary by similarity, without any annotated peer.

1. Each content unit gets the probability that the summary expresses it
   (:class:`~pyramidion.pyramid.similar.model.SimilarityModel`).
2. As many units are annotated as are expected, the sum of the probabilities rounded half up: the
   most probable ones. So the number of units is right on the whole, where a threshold of one
   half would find too few of those that are worded freely.
3. They are given stretches of the summary, each stretch to one unit at most
   (:func:`~pyramidion.pyramid.similar.places.assigned_stretches`).

Nothing is said of content outside the pyramid, so of the scores the modified one is meant.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection.pyramids import PeerAnnotation, Pyramid, joined_references
from pyramidion.collection.scus import SCU, Contributor, Part, unexpressed
from pyramidion.errors import InputError
from pyramidion.pyramid._topics import PlacedWord, placed_words, with_free_zero
from pyramidion.pyramid._units import TopicUnits
from pyramidion.pyramid.similar.clauses import sentence_numbers
from pyramidion.pyramid.similar.evidence import WordFinder
from pyramidion.pyramid.similar.model import SimilarityModel, default_model
from pyramidion.pyramid.similar.places import Stretch, assigned_stretches
from pyramidion.pyramid.similar.wordings import Floats, Wordings, stem_of

__all__ = ["SimilarAnnotation", "SimilarAnnotator", "annotate_similar"]

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

    Examples
    --------
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("It melts", {"A": ["melts"]})])
    >>> annotate_similar("Ice melted.", pyramid).annotation.scus[0].contributors[0].label
    'melted'
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
    ) -> None:
        self.model = model or default_model()
        if isinstance(units, Pyramid):
            self.wordings = Wordings.of_pyramid(units)
            self.uids = tuple(scu.uid for scu in units.scus)
            self.weights = units.weights
            pyramid = units
        else:
            references = references or {}
            self.wordings = Wordings.of_list(units, references.values())
            self.uids, self.weights = units.uids, units.weighing.weights
            scus = tuple(map(SCU, units.uids, units.labels))
            pyramid = Pyramid(joined_references(references), scus)
        self.pyramid, self.renamed = with_free_zero(pyramid)
        _require_usable(self.uids, self.wordings)
        self.unworded = tuple(self._unworded())
        self._finder = WordFinder(self.wordings, likeness=self.model.likeness)
        self._shares = self.model.shares(self.wordings)
        self._sizes = self.wordings.uses.sum(axis=1)
        self._unexpressed = unexpressed(self.pyramid.scus, self.weights.tolist())

    def _unworded(self) -> Iterable[str]:
        for unit in sorted(set(range(self.wordings.units)) - set(self.wordings.unit.tolist())):
            yield f"SCU {self.uids[unit]} has no words and is never found"

    def annotate(self, text: str) -> SimilarAnnotation:
        """Annotate a summary.

        Parameters
        ----------
        text
            The summary; the annotation's offsets count its characters.
        """
        words = placed_words(text)
        hits = self._hits(words)
        odds, wording = self._best(hits)
        probable = 1 / (1 + np.exp(-odds))
        number = int(np.floor(probable.sum() + 0.5))
        chosen = np.argsort(-np.round(probable, 9), kind="stable")[:number]
        sentences = sentence_numbers(text, words)
        stretches = assigned_stretches(
            hits, self._shares[wording[chosen]], probable[chosen], sentences
        )
        found = {int(chosen[row]): stretch for row, stretch in stretches.items()}
        return SimilarAnnotation(
            self._annotation(text, words, found),
            dict(zip(self.uids, probable.tolist(), strict=True)),
            float(self.weights @ probable),
        )

    def probabilities(self, text: str) -> Floats:
        """Give each unit's probability only, in the order of the units."""
        odds, _ = self._best(self._hits(placed_words(text)))
        probable: Floats = 1 / (1 + np.exp(-odds))
        return probable

    def _hits(self, words: Sequence[PlacedWord]) -> Floats:
        stems = [stem_of(word.text) for word in words]
        return self._finder.hits(stems)

    def _best(self, hits: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """Give each unit's greatest log-odds, and the wording that has them."""
        found = self.model.log_odds(self.model.evidence(hits, self._shares), self._sizes)
        odds = np.full(self.wordings.units, -np.inf)
        wording = np.zeros(self.wordings.units, dtype=np.int64)
        for row, (unit, value) in enumerate(zip(self.wordings.unit, found, strict=True)):
            if value > odds[unit]:
                odds[unit], wording[unit] = value, row
        return odds, wording

    def _annotation(
        self,
        text: str,
        words: Sequence[PlacedWord],
        found: dict[int, Stretch],
    ) -> PeerAnnotation:
        scus = list(self._unexpressed)
        for unit, stretch in found.items():
            scus[unit] = replace(scus[unit], contributors=(_contributor(text, words, stretch),))
        return PeerAnnotation(self.pyramid, text, tuple(scus), (*self.renamed, *self.unworded))


def annotate_similar(
    text: str, pyramid: Pyramid, *, model: SimilarityModel | None = None
) -> SimilarAnnotation:
    """Annotate one summary; for several of a topic make one `SimilarAnnotator`.

    Parameters
    ----------
    text
        The summary.
    pyramid, model
        See `SimilarAnnotator`.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts. Ships sink."},
    ...     [("Ice melts", {"A": ["Ice melts"]}), ("Ships sink", {"A": ["Ships sink"]})])
    >>> found = annotate_similar("They say that the ice is melting.", pyramid)
    >>> {uid: round(value, 2) for uid, value in found.probabilities.items()}
    {'1': 0.92, '2': 0.0}
    """
    return SimilarAnnotator(pyramid, model=model).annotate(text)


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
