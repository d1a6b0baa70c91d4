"""Suggestions for people who build pyramids or annotate peers.

For a peer, words that people marked elsewhere come first, then similar words. Probabilities are
calibrated on annotated peers of the topic and on suggestions that were accepted or refused;
suggestions that are right too rarely are not shown.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from pyramidion.collection import SCU, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.errors import InputError
from pyramidion.pyramid import Annotator, Matcher, build_pyramid
from pyramidion.pyramid._auto.annotate import MARK_RULES
from pyramidion.pyramid.similarity import default_similarity
from pyramidion.pyramid.topics import locate_words
from pyramidion.text import is_stop_word

Source = Literal["builder", "match", "similarity"]

#: Numbers of suggestions that were right and wrong, by source.
Rates = Mapping[str, tuple[int, int]]

# A source, or a suggestion, that is right less often costs more time than it saves.
_MIN_RATE = 0.7
# Similar words are suggested only after this many have been checked; marks are mostly right.
_BEFORE: Rates = {"match": (9, 1), "similarity": (0, 0)}
_MIN_CHECKED = 10


class Suggestion(NamedTuple):
    """Contributors of an existing content unit (`uid`) or of a new one (`label`)."""

    source: Source
    probability: float | None
    uid: str
    label: str
    contributors: tuple[Contributor, ...]

    @property
    def id(self) -> str:
        """A stable id, to recognize refused suggestions."""
        parts = [[p.start, p.end] for c in self.contributors for p in c.parts]
        identity = json.dumps([self.source, self.uid, parts])
        return hashlib.sha256(identity.encode()).hexdigest()[:24]


def for_pyramid(pyramid: Pyramid) -> list[Suggestion]:
    """Suggest content units for uncovered text."""
    texts = [pyramid.text[r.start : r.end].strip() for r in pyramid.references]
    try:
        built_pyramid = _built(tuple(texts))
    except InputError:  # the references have no words
        return []
    covered_stretches = _Stretches(_parts(pyramid.scus))
    starts = _starts(pyramid, texts)
    suggestions = []
    for unit in built_pyramid:
        placed_contributors = (
            _move_contributor(c, starts[reference]) for reference, c in unit.contributors
        )
        uncovered_contributors = tuple(
            c for c in placed_contributors if not covered_stretches.has_most(c)
        )
        if uncovered_contributors:
            suggestions.append(Suggestion("builder", None, "", unit.label, uncovered_contributors))
    return suggestions


class _BuiltUnit(NamedTuple):
    """A content unit whose contributors have a text number and offsets in that text."""

    label: str
    contributors: tuple[tuple[int, Contributor], ...]


@lru_cache(maxsize=32)
def _built(texts: tuple[str, ...]) -> tuple[_BuiltUnit, ...]:
    pyramid = build_pyramid({str(number): text for number, text in enumerate(texts)})
    names = [reference.name for reference in pyramid.references]
    starts = _starts(pyramid, texts)

    def local(contributor: Contributor) -> tuple[int, Contributor]:
        reference = names.index(pyramid.reference_of(contributor) or "")
        return reference, _move_contributor(contributor, -starts[reference])

    return tuple(_BuiltUnit(u.label, tuple(map(local, u.contributors))) for u in pyramid.scus)


def _starts(pyramid: Pyramid, texts: Sequence[str]) -> list[int]:
    pairs = zip(texts, pyramid.references, strict=True)
    return [pyramid.text.index(text, reference.start) for text, reference in pairs]


def _move_contributor(contributor: Contributor, distance: int) -> Contributor:
    return Contributor(
        tuple(Part(p.start + distance, p.end + distance, p.label) for p in contributor.parts)
    )


class _Stretches:
    """The characters covered by some parts."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.offsets = {offset for part in parts for offset in range(part.start, part.end)}

    def has_most(self, contributor: Contributor) -> bool:
        """Return whether at least half of a contributor is covered."""
        offsets = [offset for part in contributor.parts for offset in range(part.start, part.end)]
        return 2 * sum(offset in self.offsets for offset in offsets) >= len(offsets)


def for_peer(
    peer: PeerAnnotation,
    annotated_peers: Mapping[str, PeerAnnotation],
    finished_peers: Mapping[str, PeerAnnotation] | None = None,
    mark_counts: Rates | None = None,
) -> list[Suggestion]:
    """Suggest marks of a peer.

    `annotated_peers` are peers that the same person annotated, whose marks may be shown;
    `finished_peers` are those of anybody, on which probabilities are calibrated, and `mark_counts`
    the numbers of suggestions that were accepted and refused.
    """
    if not peer.pyramid.membership.any():
        return []
    answers = {
        name: (other.text, np.array([uid in uids for uid in _uids(peer.pyramid.scus)], float))
        for name, other in (finished_peers or {}).items()
        if (uids := set(_uids(unit for unit in other.scus if unit.contributors)))
    }
    annotator = Annotator(peer.pyramid, peers=annotated_peers, answers=answers)
    annotation, mark_counts = annotator.annotate(peer.text), mark_counts or {}
    observed_counts = annotator.observed(_MIN_RATE)
    matched_annotation = Matcher(peer.pyramid, annotated_peers, rules=MARK_RULES).annotate(
        peer.text
    )
    marked_uids = {unit.uid for unit in matched_annotation.scus if unit.contributors}
    of_peer = {unit.uid for unit in peer.scus if unit.contributors}
    unmarked_units = sorted(
        (unit for unit in annotation.annotation.scus if unit.uid not in marked_uids | of_peer),
        key=lambda unit: -annotation.probabilities.get(unit.uid, 0.0),
    )
    suggestions: list[Suggestion] = []
    sources: dict[Literal["match", "similarity"], Iterable[SCU]] = {
        "match": matched_annotation.scus, "similarity": unmarked_units,
    }  # fmt: skip
    for source, units in sources.items():
        n_accepted, n_refused = mark_counts.get(source, (0, 0))
        n_right, n_wrong = np.sum(
            [_BEFORE[source], observed_counts[source], (n_accepted, n_refused)], axis=0
        )
        if n_right + n_wrong < _MIN_CHECKED or n_right < _MIN_RATE * (n_right + n_wrong):
            continue
        for unit in units:
            stated_probability = annotation.probabilities.get(unit.uid, 0.0)
            # Without annotated peers, only the rate of marks has been checked.
            stated_probability = (
                stated_probability
                if answers
                else min(stated_probability, default_similarity().marked)
            )
            weighted_count = _MIN_CHECKED * stated_probability + n_accepted
            probability = round(weighted_count / (_MIN_CHECKED + n_accepted + n_refused), 3)
            suggestions += [
                Suggestion(source, probability, unit.uid, "", (contributor,))
                for contributor in unit.contributors
                if probability >= _MIN_RATE and _is_new(peer, unit.uid, contributor)
                and _has_content(contributor)
            ]  # fmt: skip
    return suggestions


def _uids(units: Iterable[SCU]) -> list[str]:
    return [unit.uid for unit in units]


def _has_content(contributor: Contributor) -> bool:
    """Return whether a contributor has at least two content words."""
    words = {word.text for part in contributor.parts for word in locate_words(part.label)}
    return sum(not is_stop_word(word) for word in words) >= MARK_RULES.min_content


def _is_new(peer: PeerAnnotation, uid: str, contributor: Contributor) -> bool:
    """Return whether the text is not marked for the unit or as outside the pyramid."""
    units = (unit for unit in peer.scus if unit.uid in (uid, NOT_IN_PYRAMID))
    return not _Stretches(_parts(units)).has_most(contributor)


def _parts(units: Iterable[SCU]) -> Iterator[Part]:
    return (part for unit in units for mark in unit.contributors for part in mark.parts)
