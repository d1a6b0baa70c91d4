"""Building a pyramid from references alone.

Each reference is divided into clauses, and clauses of different references that say much the same
become one content unit. The sum over all pairs in a unit of their similarity less `threshold` is
to be as great as possible, a unit having one clause of a reference at most. Reference by
reference, the clauses are assigned anew to the units of the others, which is solved exactly
(`scipy.optimize.linear_sum_assignment`), until no reference can do better. The sum never falls,
and the result depends on nothing but the texts and their order.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection._pyramids import SCU, Contributor, Part, Pyramid
from pyramidion.errors import InputError
from pyramidion.pyramid._similar.annotate import clauses_of
from pyramidion.pyramid._similar.model import (
    Floats,
    SimilarityModel,
    WordFinder,
    Wordings,
    default_model,
)
from pyramidion.pyramid._topics import placed_words
from pyramidion.text import is_stop_word

# Each round is an improvement, and a handful is enough; this only bounds the time.
_MOST_ROUNDS = 50


class _Segment(NamedTuple):
    """A clause of a reference."""

    reference: int
    part: Part


def build_pyramid(
    references: Mapping[str, str],
    *,
    threshold: float = 0.1,
    model: SimilarityModel | None = None,
) -> Pyramid:
    """Build a pyramid from references alone.

    Parameters
    ----------
    references
        Texts by name.
    threshold
        How similar two clauses must be to speak for one unit: the share of weight they have in
        common. Chosen on the pyramids of the demo collection, see ``make bench-pyramids``.
    model
        What words weigh, if not what the model that comes with the package says.

    Returns
    -------
    Pyramid
        The units, the heaviest first, then in the order of the text. Each is labeled with the
        contributor that is most similar to its others. Clauses of function words alone are in
        no unit.

    Raises
    ------
    InputError
        There is no reference, or none has a word.

    Examples
    --------
    >>> pyramid = build_pyramid({
    ...     "A": "The ferry caught fire in the strait, and ten people died.",
    ...     "B": "Ten people were killed. The sister ship stays in port."})
    >>> [(pyramid.weight(scu), scu.label) for scu in pyramid.scus]
    [(2, 'and ten people died'), (1, 'The ferry caught fire in the strait'),
     (1, 'The sister ship stays in port')]
    """
    empty = Pyramid.from_references(references, ())
    segments = list(_segments(empty))
    if not segments:
        raise InputError("the references have no words", hint="give their texts by name")
    wordings = Wordings.of([[segment.part.label] for segment in segments])
    alike = segment_similarity(wordings, model or default_model())
    owners = np.array([segment.reference for segment in segments])
    groups = group_segments(alike, owners, threshold=threshold)
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    members.sort(key=lambda own: (-len(own), int(own[0])))
    scus = (_unit(number, own, segments, alike) for number, own in enumerate(members, start=1))
    return replace(empty, scus=tuple(scus))


def _segments(pyramid: Pyramid) -> Iterable[_Segment]:
    for number, reference in enumerate(pyramid.references):
        text = pyramid.text[reference.start : reference.end]
        words = placed_words(text)
        for clause in clauses_of(text, words):
            own = words[clause.first : clause.last]
            if not all(is_stop_word(word.text) for word in own):
                start, end = own[0].start, own[-1].end
                offset = reference.start
                yield _Segment(number, Part(offset + start, offset + end, text[start:end]))


def _unit(number: int, own: NDArray[np.int64], segments: Sequence[_Segment], alike: Floats) -> SCU:
    central = own[np.round(alike[np.ix_(own, own)].sum(axis=1), 9).argmax()]
    contributors = tuple(Contributor((segments[member].part,)) for member in own)
    return SCU(str(number), " ".join(segments[central].part.label.split()), contributors)


def segment_similarity(wordings: Wordings, model: SimilarityModel) -> Floats:
    """Give the share of weight that segments have in common, the mean of both directions."""
    # How far each stem is each other.
    finder = WordFinder(wordings, likeness=model.likeness)
    alike = np.column_stack([finder.hits([stem])[:, 0] for stem in wordings.columns])
    found = np.stack([alike[:, uses].max(axis=1) for uses in wordings.uses])
    shares = model.shares(wordings) @ found.T
    similar: Floats = (shares + shares.T) / 2
    return similar


def group_segments(
    alike: Floats, owners: NDArray[np.int64], *, threshold: float
) -> NDArray[np.int64]:
    """Group segments, each group having one of an owner at most."""
    gains = np.round(alike - threshold, 9)
    groups = np.arange(len(owners))
    for _ in range(_MOST_ROUNDS):
        before = _total(gains, groups)
        for owner in np.unique(owners):
            groups = _assigned(gains, groups, owners == owner)
        if _total(gains, groups) <= before + 1e-9:
            break
    return np.unique(groups, return_inverse=True)[1]


def _total(gains: Floats, groups: NDArray[np.int64]) -> float:
    together = groups[:, None] == groups
    return float(np.triu(gains * together, 1).sum())


def _assigned(
    gains: Floats, groups: NDArray[np.int64], own: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Assign one reference's segments to the groups of the others, or each to one of its own."""
    from scipy.optimize import linear_sum_assignment

    others, places = np.unique(groups[~own], return_inverse=True)
    member = places[:, None] == np.arange(len(others))
    worth = np.maximum(np.round(gains[np.ix_(own, ~own)] @ member, 9), 0)
    changed = groups.copy()
    mine = np.flatnonzero(own)
    changed[mine] = groups.max() + 1 + np.arange(len(mine))
    for row, column in zip(*linear_sum_assignment(worth, maximize=True), strict=True):
        if worth[row, column] > 0:
            changed[mine[row]] = others[column]
    return changed
