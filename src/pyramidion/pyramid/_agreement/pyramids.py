"""Agreement of two pyramids of the same references, and disagreement of peer annotations.

A decision is whether two words, each in a content unit of either pyramid, are in the same unit.
Pairs in different references determine the weights; pairs within one reference show how texts
are divided into units.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from pyramidion._types import Bools
from pyramidion.collection import PeerAnnotation, Pyramid
from pyramidion.collection.findings import address_name
from pyramidion.collection.ids import grouped
from pyramidion.collection.pyramids import NOT_IN_PYRAMID, WeightPolicy
from pyramidion.errors import InputError
from pyramidion.pyramid._agreement.peers import ScoreAgreement, UnitAgreement, compare_scores
from pyramidion.pyramid.content_units import reference_writers, score_peer, score_reference
from pyramidion.pyramid.topics import locate_words

#: The minimum length of reported phrases: shorter ones often express several units.
MIN_MARKED_WORDS = 3


def _marked_words(pyramid: Pyramid) -> tuple[list[tuple[str, str]], Bools]:
    """Return each writer's words, and the content units (columns) that each is marked for."""
    words = [
        (writer, word.text, word.start + reference.start, word.end + reference.start)
        for writer, reference in zip(reference_writers(pyramid), pyramid.references, strict=True)
        for word in locate_words(pyramid.text[reference.start : reference.end])
    ]
    starts, ends = (np.array([word[part] for word in words], np.int64) for part in (2, 3))
    units = np.zeros((len(words), len(pyramid.scus)), dtype=np.bool_)
    for column, scu in enumerate(pyramid.scus):
        for part in (part for contributor in scu.contributors for part in contributor.parts):
            first_word, last_word = (
                ends.searchsorted(part.start, "right"),
                starts.searchsorted(part.end),
            )
            units[first_word:last_word, column] = True
    # The order of references may differ between pyramids.
    order = sorted(range(len(words)), key=lambda index: words[index][0])
    return [words[index][:2] for index in order], units[order]


def same_references(first: Pyramid, second: Pyramid) -> bool:
    """Return whether two pyramids are of the same references, word for word."""
    words = _marked_words(first)[0]
    return bool(words) and words == _marked_words(second)[0]


@dataclass(frozen=True, slots=True)
class PyramidAgreement:
    """Two pyramids of the same references: which words share a unit, and scores by either."""

    name: str
    first: str
    second: str
    units: tuple[int, int]
    across: UnitAgreement
    within: UnitAgreement
    references: ScoreAgreement
    peers: ScoreAgreement


def compare_pyramids(
    first: Pyramid,
    second: Pyramid,
    *,
    labels: tuple[str, str, str] = ("", "", ""),
    peers: Sequence[tuple[PeerAnnotation, PeerAnnotation]] = (),
    weights: WeightPolicy = "contributors",
) -> PyramidAgreement:
    """Compare two pyramids of the same references, and modified scores by either."""
    (words, first_units), (_, second_units) = _marked_words(first), _marked_words(second)
    is_in_unit = first_units.any(axis=1) | second_units.any(axis=1)
    # Which words are in the same unit.
    tables = (units[is_in_unit].astype(np.float32) for units in (first_units, second_units))
    same_unit_in_first, same_unit_in_second = (table @ table.T > 0 for table in tables)
    writers = np.array([writer for writer, _ in words], dtype=object)[is_in_unit]
    is_later = np.triu(np.ones((len(writers), len(writers)), dtype=np.bool_), 1)
    is_other_writer = writers[:, None] != writers[None]
    across, within = (
        UnitAgreement.of(same_unit_in_first[pairs], same_unit_in_second[pairs])
        for pairs in (is_later & is_other_writer, is_later & ~is_other_writer)
    )
    reference_scores = [_reference_scores(pyramid, weights) for pyramid in (first, second)]
    peer_scores = [
        [score_peer(pair[index], weights=weights).modified for pair in peers] for index in (0, 1)
    ]
    units = len(first.scus), len(second.scus)
    scores = compare_scores(*reference_scores), compare_scores(*peer_scores)
    return PyramidAgreement(*labels, units, across, within, *scores)


def _reference_scores(pyramid: Pyramid, weights: WeightPolicy) -> list[float]:
    """Score each reference by the others, in the order of their writers."""
    scores = []
    writers = zip(reference_writers(pyramid), pyramid.references, strict=True)
    for _, reference in sorted(writers, key=itemgetter(0)):
        try:
            scores.append(score_reference(pyramid, reference.name, weights=weights).modified)
        except InputError:
            # The other references express nothing.
            scores.append(float("nan"))
    return scores


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Words that are marked for a content unit in one annotation but not in another."""

    topic: str
    scu: str
    label: str
    words: str
    marked: str
    unmarked: str


def find_disagreements(annotations: Mapping[tuple[str, ...], PeerAnnotation]) -> list[Disagreement]:
    """Find the same words marked in one peer and not in another, the longest first."""
    groups = grouped(
        ((*key[:2], peer.pyramid.digest), (key, peer)) for key, peer in annotations.items()
    )
    rows = [row for group in groups.values() for row in _disagreements(dict(group))]
    return sorted(rows, key=lambda row: -len(row.words.split()))


def _disagreements(annotations: Mapping[tuple[str, ...], PeerAnnotation]) -> Iterator[Disagreement]:
    texts = {key: _spaced_words(peer.text) for key, peer in annotations.items()}
    units = {key: {s.uid for s in peer.scus if s.contributors} for key, peer in annotations.items()}
    labels = {s.uid: s.label for peer in annotations.values() for s in peer.pyramid.scus}
    phrases: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
    for key, peer in annotations.items():
        for scu in peer.scus:
            for contributor in scu.contributors if scu.uid != NOT_IN_PYRAMID else ():
                parts = (
                    _spaced_words(peer.text[part.start : part.end]) for part in contributor.parts
                )
                phrase = tuple(part for part in parts if part.strip())
                if len(" ".join(phrase).split()) >= MIN_MARKED_WORDS:
                    phrases.setdefault((scu.uid, phrase), key)
    for (uid, phrase), key in phrases.items():
        for other_key in annotations:
            if uid not in units[other_key] and all(part in texts[other_key] for part in phrase):
                words = " ... ".join(part.strip() for part in phrase)
                peers = (address_name(*key), address_name(*other_key))
                yield Disagreement(address_name(*key[:2]), uid, labels.get(uid, ""), words, *peers)


def _spaced_words(text: str) -> str:
    """Return the lower-case words of a text with a space around each."""
    return f" {' '.join(word.text for word in locate_words(text))} "
