"""Building a pyramid from references alone.

A parser divides each reference into statements, and similar statements of different references
become one content unit. The similarity of two statements is the geometric mean of their own and
that of their sentences, so that a shared name is not enough. The objective is the sum, over all
pairs in a unit, of similarity minus `threshold`; a unit has at most one statement of a reference.
Reference by reference, the statements are reassigned to the units of the others
(`scipy.optimize.linear_sum_assignment`) until the objective no longer grows. The result depends
only on the texts and their order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import SCU, Contributor, Part, Pyramid
from pyramidion.errors import InputError
from pyramidion.pyramid._auto.statements import statements_of
from pyramidion.pyramid.similarity import SimilarityModel, WordFinder, Wordings, default_similarity
from pyramidion.text import load_parser
from pyramidion.text.parsing import Parser

#: The minimum average similarity of the statements of a unit.
MIN_SIMILARITY = 0.15

# A few rounds suffice; this limits the time.
_MAX_ROUNDS = 50


class Segment(NamedTuple):
    """A statement of a reference, with its label and its sentence."""

    reference: int
    contributor: Contributor
    label: str
    sentence: str


class Segmentation(NamedTuple):
    """A pyramid without units, the statements of its references, and their similarity."""

    pyramid: Pyramid
    segments: list[Segment]
    similarity: Floats
    #: Which reference each statement is from.
    references: Ints


def build_pyramid(
    references: Mapping[str, str],
    *,
    threshold: float = MIN_SIMILARITY,
    model: SimilarityModel | None = None,
    parser: str = "light",
) -> Pyramid:
    """Build a pyramid from references alone; from a single one, every unit has weight 1.

    Parameters
    ----------
    references
        Texts by name.
    threshold
        How similar two statements must be to support one unit. The default was chosen on
        answers of people about REALSumm's references, see ``make bench AREA=pyramids``.
    model
        The weights of words; the built-in model by default.
    parser
        ``light``, or the name or folder of a spaCy pipeline.

    Returns
    -------
    Pyramid
        The units, the heaviest first, then in the order of the text. The label is that of the
        most central contributor. Statements of function words alone are left out.

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
    [(2, 'Ten people died'), (1, 'The ferry caught fire in the strait'),
     (1, 'The sister ship stays in port')]
    """
    pyramid = build_if_possible(references, threshold=threshold, model=model, parser=parser)
    if pyramid is None:
        raise InputError("the references have no words", hint="give their texts by name")
    return pyramid


def build_if_possible(
    references: Mapping[str, str],
    *,
    threshold: float = MIN_SIMILARITY,
    model: SimilarityModel | None = None,
    parser: str = "light",
) -> Pyramid | None:
    """Build a pyramid; None if the references have no words."""
    empty_pyramid, segments, similarity, reference_numbers = segment_references(
        references, model=model, parser=parser
    )
    if not segments:
        return None
    groups = group_segments(similarity, reference_numbers, threshold=threshold)
    unit_members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    unit_members.sort(key=lambda group: (-len(group), int(group[0])))
    scus = []
    for number, group in enumerate(unit_members, start=1):
        central_segment = group[np.round(similarity[np.ix_(group, group)].sum(axis=1), 9).argmax()]
        contributors = tuple(segments[member].contributor for member in group)
        scus.append(SCU(str(number), segments[central_segment].label, contributors))
    return replace(empty_pyramid, scus=tuple(scus))


def segment_references(
    references: Mapping[str, str], *, model: SimilarityModel | None = None, parser: str = "light"
) -> Segmentation:
    """Divide references into statements, and compare these."""
    model = model or default_similarity()
    empty_pyramid = Pyramid.from_references(references, ())
    all_segments = list(_reference_segments(empty_pyramid, load_parser(parser)))
    texts = (" ".join(part.label for part in segment.contributor.parts) for segment in all_segments)
    wordings = Wordings.of([[text] for text in texts])
    segments = [all_segments[unit] for unit in wordings.unit]
    reference_numbers = np.array([segment.reference for segment in segments], dtype=np.int64)
    if not segments:
        return Segmentation(empty_pyramid, [], np.empty((0, 0)), reference_numbers)
    sentences = list(dict.fromkeys(segment.sentence for segment in segments))
    sentence_indices = [sentences.index(segment.sentence) for segment in segments]
    sentence_similarity = segment_similarity(
        Wordings.of([[sentence] for sentence in sentences]), model
    )
    similarity = np.sqrt(
        segment_similarity(wordings, model)
        * sentence_similarity[np.ix_(sentence_indices, sentence_indices)]
    )
    return Segmentation(empty_pyramid, segments, similarity, reference_numbers)


def _reference_segments(pyramid: Pyramid, parser: Parser) -> Iterator[Segment]:
    for number, reference in enumerate(pyramid.references):
        text = pyramid.text[reference.start : reference.end]
        for statement in statements_of(text, parser):
            parts = (
                Part(reference.start + start, reference.start + end, text[start:end])
                for start, end in statement.parts
            )
            sentence = text[slice(*statement.sentence)]
            yield Segment(number, Contributor(tuple(parts)), statement.label, sentence)


def segment_similarity(wordings: Wordings, model: SimilarityModel) -> Floats:
    """Return the share of weight that segments have in common, the mean of both directions."""
    # The likeness of each pair of stems.
    finder = WordFinder(wordings, likeness=model.likeness)
    stem_similarity = np.column_stack([finder.hits([stem])[:, 0] for stem in wordings.columns])
    best_similarity = np.stack([stem_similarity[:, uses].max(axis=1) for uses in wordings.uses])
    shares = model.shares(wordings) @ best_similarity.T
    similarity: Floats = (shares + shares.T) / 2
    return similarity


def group_segments(similarity: Floats, reference_numbers: Ints, *, threshold: float) -> Ints:
    """Group segments, at most one of an owner in each group."""
    gains = np.round(similarity - threshold, 9)
    groups = np.arange(len(reference_numbers))
    for _ in range(_MAX_ROUNDS):
        previous_total = _total_gain(gains, groups)
        for reference_number in np.unique(reference_numbers):
            groups = _assign_segments(gains, groups, reference_numbers == reference_number)
        if _total_gain(gains, groups) <= previous_total + 1e-9:
            break
    return np.unique(groups, return_inverse=True)[1]


def _total_gain(gains: Floats, groups: Ints) -> float:
    is_same_group = groups[:, None] == groups
    return float(np.triu(gains * is_same_group, 1).sum())


def _assign_segments(gains: Floats, groups: Ints, in_reference: Bools) -> Ints:
    """Assign a reference's segments to the groups of the others, or to new groups."""
    from scipy.optimize import linear_sum_assignment

    other_groups, group_indices = np.unique(groups[~in_reference], return_inverse=True)
    is_member = group_indices[:, None] == np.arange(len(other_groups))
    group_gains = np.maximum(np.round(gains[np.ix_(in_reference, ~in_reference)] @ is_member, 9), 0)
    new_groups = groups.copy()
    rows = np.flatnonzero(in_reference)
    new_groups[rows] = groups.max() + 1 + np.arange(len(rows))
    for row, column in zip(*linear_sum_assignment(group_gains, maximize=True), strict=True):
        if group_gains[row, column] > 0:
            new_groups[rows[row]] = other_groups[column]
    return new_groups
