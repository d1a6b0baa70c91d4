"""How far two pyramids of the same references agree, and where annotations of peers do not.

The question two people answer who make a pyramid of the same references is which words say the
same. So a decision is a pair of words, each in a content unit of either pyramid, and its categories
are one unit and different units: of pairs in different references, which is what weights come
from, and of pairs within one reference, which is how texts are cut into units.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection._checks import address_name
from pyramidion.collection._ids import grouped
from pyramidion.collection._pyramids import NOT_IN_PYRAMID, PeerAnnotation, Pyramid, WeightPolicy
from pyramidion.errors import InputError
from pyramidion.pyramid._agreement_measures import ScoreAgreement, UnitAgreement, compare_scores
from pyramidion.pyramid._scores import score_peer, score_reference
from pyramidion.pyramid._topics import placed_words
from pyramidion.pyramid._units import reference_writers
from pyramidion.stats._verdicts import ratio

#: Fewer words than these are often marked for one unit here and for another there.
FEWEST_WORDS = 3


class _Marked(NamedTuple):
    """The words of references, by writer, and the content units (columns) each is marked for."""

    writers: tuple[str, ...]
    texts: tuple[str, ...]
    units: NDArray[np.bool_]


def _marked(pyramid: Pyramid) -> _Marked:
    owners, words = [], []
    for writer, own in zip(reference_writers(pyramid), pyramid.references, strict=True):
        found = placed_words(pyramid.text[own.start : own.end])
        words += [(word.text, word.start + own.start, word.end + own.start) for word in found]
        owners += [writer] * len(found)
    starts, ends = (np.array([word[place] for word in words], dtype=np.int64) for place in (1, 2))
    units = np.zeros((len(words), len(pyramid.scus)), dtype=np.bool_)
    for column, scu in enumerate(pyramid.scus):
        for part in (part for contributor in scu.contributors for part in contributor.parts):
            begin, end = ends.searchsorted(part.start, "right"), starts.searchsorted(part.end)
            units[begin:end, column] = True
    # References may stand in another order in another pyramid.
    order = sorted(range(len(words)), key=lambda place: (owners[place], place))
    return _Marked(
        tuple(owners[place] for place in order),
        tuple(words[place][0] for place in order),
        units[order],
    )


def same_references(first: Pyramid, second: Pyramid) -> bool:
    """Return whether two pyramids are of the same references, word for word."""
    one, two = _marked(first), _marked(second)
    return bool(one.texts) and one[:2] == two[:2]


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Whether pairs of words are in one unit, by either pyramid."""

    pairs: UnitAgreement

    @property
    def precision(self) -> float:
        """The share of the second pyramid's pairs that the first has, too."""
        return ratio(self.pairs.both, self.pairs.both + self.pairs.only_second)

    @property
    def recall(self) -> float:
        """The share of the first pyramid's pairs that the second has, too."""
        return ratio(self.pairs.both, self.pairs.both + self.pairs.only_first)

    @property
    def f(self) -> float:
        """Their harmonic mean, which is the same whichever pyramid is first."""
        one = self.pairs.only_first + self.pairs.only_second
        return ratio(2 * self.pairs.both, 2 * self.pairs.both + one)


@dataclass(frozen=True, slots=True)
class PyramidAgreement:
    """Two pyramids of the same references: what they take for one unit, and scores by either."""

    name: str
    first: str
    second: str
    units: tuple[int, int]
    across: PairAgreement
    within: PairAgreement
    references: ScoreAgreement
    peers: ScoreAgreement


def compare_pyramids(
    first: Pyramid,
    second: Pyramid,
    *,
    about: tuple[str, str, str] = ("", "", ""),
    peers: Sequence[tuple[PeerAnnotation, PeerAnnotation]] = (),
    weights: WeightPolicy = "contributors",
) -> PyramidAgreement:
    """Compare two pyramids of the same references, and modified scores by either."""
    one, two = _marked(first), _marked(second)
    kept = one.units.any(axis=1) | two.units.any(axis=1)
    here, there = (_joined(own.units[kept]) for own in (one, two))
    writers = np.array(one.writers, dtype=object)[kept]
    later = np.triu(np.ones((len(writers), len(writers)), dtype=np.bool_), 1)
    foreign = writers[:, None] != writers[None]
    by_references = [_of_references(pyramid, weights) for pyramid in (first, second)]
    by_peers = [[score_peer(two[n], weights=weights).modified for two in peers] for n in (0, 1)]
    across, within = (
        PairAgreement(UnitAgreement.of(here[asked], there[asked]))
        for asked in (later & foreign, later & ~foreign)
    )
    units = len(first.scus), len(second.scus)
    scores = compare_scores(*by_references), compare_scores(*by_peers)
    return PyramidAgreement(*about, units, across, within, *scores)


def _joined(units: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which words are in one unit."""
    table = units.astype(np.float32)
    return table @ table.T > 0


def _of_references(pyramid: Pyramid, weights: WeightPolicy) -> list[float]:
    """Score each reference by the others, in the order of their writers."""
    writers = reference_writers(pyramid)
    scores = []
    for place in sorted(range(len(writers)), key=writers.__getitem__):
        try:
            name = pyramid.references[place].name
            scores.append(score_reference(pyramid, name, weights=weights).modified)
        except InputError:
            # The others express nothing, so that they measure nothing.
            scores.append(float("nan"))
    return scores


@dataclass(frozen=True, slots=True)
class Place:
    """Words that are marked for a content unit in one annotation and for none of it in another."""

    topic: str
    scu: str
    label: str
    words: str
    marked: str
    unmarked: str


def find_places(annotations: Mapping[tuple[str, ...], PeerAnnotation]) -> list[Place]:
    """Find the same words marked in one peer and not in another, the longest first."""
    groups = grouped(((*key[:2], peer.pyramid.digest), key) for key, peer in annotations.items())
    found = [
        place
        for keys in groups.values()
        for place in _places({key: annotations[key] for key in keys})
    ]
    return sorted(found, key=lambda place: -len(place.words.split()))


def _places(annotations: Mapping[tuple[str, ...], PeerAnnotation]) -> Iterator[Place]:
    said = {key: _spaced(peer.text) for key, peer in annotations.items()}
    units = {key: {s.uid for s in peer.scus if s.contributors} for key, peer in annotations.items()}
    phrases: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
    for key, peer in annotations.items():
        for uid, phrase in _phrases(peer):
            phrases.setdefault((uid, phrase), key)
    labels = {s.uid: s.label for peer in annotations.values() for s in peer.pyramid.scus}
    for (uid, phrase), key in phrases.items():
        for other in annotations:
            if uid not in units[other] and all(part in said[other] for part in phrase):
                words = " ... ".join(part.strip() for part in phrase)
                who = (address_name(*key), address_name(*other))
                yield Place(address_name(*key[:2]), uid, labels.get(uid, ""), words, *who)


def _phrases(peer: PeerAnnotation) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the words of each contributor that has enough of them, part by part."""
    for scu in peer.scus:
        for contributor in scu.contributors if scu.uid != NOT_IN_PYRAMID else ():
            parts = (_spaced(peer.text[part.start : part.end]) for part in contributor.parts)
            phrase = tuple(part for part in parts if part.strip())
            if len(" ".join(phrase).split()) >= FEWEST_WORDS:
                yield scu.uid, phrase


def _spaced(text: str) -> str:
    """Return a text's words, folded, with blanks around each."""
    return f" {' '.join(word.text for word in placed_words(text))} "
