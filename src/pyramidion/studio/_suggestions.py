"""Suggestions for people who build pyramids or annotate peers.

For a peer, words that people marked elsewhere come first: nine of ten such matches are right.
Similarity follows only if its probabilities are calibrated on the references of the pyramid.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from pyramidion.collection import SCU, Collection, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.errors import InputError
from pyramidion.pyramid import Annotator, Calibration, Matcher, MatchRules, build_pyramid
from pyramidion.pyramid._auto.fit import similarity_examples
from pyramidion.pyramid.similarity import default_similarity

Source = Literal["builder", "match", "similarity"]

# Single words match everywhere.
_RULES = MatchRules(min_words=2)

# Less probable suggestions cost more time than they save.
_LEAST_PROBABLE = 0.5


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
        built = _built(tuple(texts))
    except InputError:  # the references have no words
        return []
    covered = _Stretches(_parts(pyramid.scus))
    starts = _starts(pyramid, texts)
    suggestions = []
    for unit in built:
        placed = (_moved(c, starts[reference]) for reference, c in unit.contributors)
        free = tuple(c for c in placed if not covered.has_most(c))
        if free:
            suggestions.append(Suggestion("builder", None, "", unit.label, free))
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
        return reference, _moved(contributor, -starts[reference])

    return tuple(_BuiltUnit(u.label, tuple(map(local, u.contributors))) for u in pyramid.scus)


def _starts(pyramid: Pyramid, texts: Sequence[str]) -> list[int]:
    pairs = zip(texts, pyramid.references, strict=True)
    return [pyramid.text.index(text, reference.start) for text, reference in pairs]


def _moved(contributor: Contributor, by: int) -> Contributor:
    return Contributor(tuple(Part(p.start + by, p.end + by, p.label) for p in contributor.parts))


class _Stretches:
    """The characters covered by some parts."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.offsets = {offset for part in parts for offset in range(part.start, part.end)}

    def has_most(self, contributor: Contributor) -> bool:
        """Return whether at least half of a contributor is covered."""
        offsets = [offset for part in contributor.parts for offset in range(part.start, part.end)]
        return 2 * sum(offset in self.offsets for offset in offsets) >= len(offsets)


def for_peer(peer: PeerAnnotation, annotated: Mapping[str, PeerAnnotation]) -> list[Suggestion]:
    """Suggest marks of a peer; `annotated` are peers that the same person annotated."""
    if not peer.pyramid.membership.any():
        return []
    matched = list(_matches(peer, annotated))
    covered_uids = {suggestion.uid for suggestion in matched} | {
        unit.uid for unit in peer.scus if unit.contributors
    }
    similar = (suggestion for suggestion in _similar(peer) if suggestion.uid not in covered_uids)
    return [*matched, *sorted(similar, key=lambda suggestion: -(suggestion.probability or 0))]


def _matches(peer: PeerAnnotation, annotated: Mapping[str, PeerAnnotation]) -> Iterator[Suggestion]:
    annotation = Matcher(peer.pyramid, annotated, rules=_RULES).annotate(peer.text)
    marked = default_similarity().marked
    for unit in annotation.scus:
        for contributor in unit.contributors:
            if _is_new(peer, unit.uid, contributor):
                yield Suggestion("match", marked, unit.uid, "", (contributor,))


def _similar(peer: PeerAnnotation) -> Iterator[Suggestion]:
    if not is_calibrated(peer.pyramid):
        return
    annotated = Annotator(peer.pyramid, by="similarity").annotate(peer.text)
    for unit in annotated.annotation.scus:
        probability = round(annotated.probabilities.get(unit.uid, 0.0), 3)
        for contributor in unit.contributors:
            if probability >= _LEAST_PROBABLE and _is_new(peer, unit.uid, contributor):
                yield Suggestion("similarity", probability, unit.uid, "", (contributor,))


def _is_new(peer: PeerAnnotation, uid: str, contributor: Contributor) -> bool:
    """Return whether the text is not marked for the unit or as outside the pyramid."""
    units = (unit for unit in peer.scus if unit.uid in (uid, NOT_IN_PYRAMID))
    return not _Stretches(_parts(units)).has_most(contributor)


def _parts(units: Iterable[SCU]) -> Iterator[Part]:
    return (part for unit in units for mark in unit.contributors for part in mark.parts)


_CALIBRATED: dict[str, bool] = {}


def is_calibrated(pyramid: Pyramid) -> bool:
    """Return whether similarity predicts a pyramid's references better than the base rate."""
    if pyramid.digest not in _CALIBRATED:
        if len(_CALIBRATED) > 1000:
            _CALIBRATED.clear()
        examples = similarity_examples(Collection("", pyramids={("", ""): pyramid}))
        scored_pairs = [example for _, example in examples]
        fits = Calibration.of(scored_pairs, default_similarity()) if scored_pairs else None
        _CALIBRATED[pyramid.digest] = fits is not None and fits.brier < fits.base_rate
    return _CALIBRATED[pyramid.digest]
