"""The pyramid scores of a summary.

With D the weight of what a summary expresses and Max(X) the most that X content units can weigh:
the original score is D / Max(its own number of units), the modified score D / Max(the mean number
of units in a reference). DUCView calls them quality and coverage, and their harmonic mean
comprehensive.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyramidion.collection.pyramids import PeerAnnotation, Pyramid
from pyramidion.errors import InputError
from pyramidion.pyramid.content import Content, content_of_peer, content_of_reference

__all__ = [
    "PyramidScores",
    "max_weight",
    "mean_units",
    "score_content",
    "score_peer",
    "score_reference",
]


@dataclass(frozen=True, slots=True)
class PyramidScores:
    """The scores of one summary; NaN where one is undefined.

    Parameters
    ----------
    weight
        D, the total weight of the different content units it expresses.
    scus
        How many different units it has, those outside the pyramid included.
    in_pyramid, outside
        The two kinds of these.
    repeated
        How often it says again what it has said.
    average
        The mean number of content units in a reference, before rounding.
    max_original, max
        Max for its own number of units, and Max for the average rounded half up.
    original, modified
        D over these; DUCView's quality and coverage.
    comprehensive
        Their harmonic mean.
    precision, recall
        Without weights: the share of its units that the pyramid has, and the share of the
        pyramid's units that it has (equations 3.4 and 3.3 of the thesis).

    Examples
    --------
    >>> scores = score_content(Content(np.array([1, 0, 2]), outside=1), [[1, 1], [1, 0], [0, 1]])
    >>> scores.weight, scores.max, scores.modified
    (3, 3, 1.0)
    """

    weight: int
    scus: int
    in_pyramid: int
    outside: int
    repeated: int
    average: float
    max_original: int
    max: int
    original: float
    modified: float
    comprehensive: float
    precision: float
    recall: float

    @property
    def quality(self) -> float:
        """DUCView's name of the original score."""
        return self.original

    @property
    def coverage(self) -> float:
        """DUCView's name of the modified score."""
        return self.modified


def max_weight(weights: ArrayLike, units: int) -> int:
    """Give the most that so many content units can weigh (equation 3.1 of the thesis).

    Parameters
    ----------
    weights
        The weight of each content unit of the pyramid.
    units
        How many are taken; those beyond the pyramid weigh nothing.

    Examples
    --------
    >>> max_weight([1, 3, 2, 2], 2), max_weight([1, 3, 2, 2], 9)
    (5, 8)
    """
    if units < 0:
        raise InputError(f"a summary cannot have {units} content units", hint="give 0 or more")
    return int(np.sort(np.asarray(weights))[::-1][:units].sum())


def mean_units(membership: ArrayLike) -> float:
    """Give the mean number of content units in a reference (equation 3.2).

    Parameters
    ----------
    membership
        Content units x references, see `Pyramid.membership`.

    Examples
    --------
    >>> mean_units([[1, 1], [1, 0], [1, 0]])
    2.0
    """
    table = np.asarray(membership)
    return float(table.sum() / table.shape[1]) if table.shape[1] else float("nan")


def score_content(content: Content, membership: ArrayLike) -> PyramidScores:
    """Score a summary's content against references.

    Parameters
    ----------
    content
        What the summary expresses.
    membership
        Which content units (rows) which references (columns) express.

    Examples
    --------
    >>> score_content(Content(np.array([1, 0])), [[True, False], [True, True]]).original
    0.5
    """
    table = np.asarray(membership, dtype=np.bool_)
    _require_references(table)
    weights = np.count_nonzero(table, axis=1)
    # A unit that none of these references has is outside their pyramid, whoever else wrote it.
    inside = content.expressed & (weights > 0)
    in_pyramid = int(np.count_nonzero(inside))
    weight = int(weights[inside].sum())
    average = mean_units(table)
    most = np.concatenate(([0], np.cumsum(np.sort(weights)[::-1])))
    max_original = int(most[min(content.units, len(weights))])
    max_modified = int(most[min(_rounded(average), len(weights))])
    original, modified = _share(weight, max_original), _share(weight, max_modified)
    return PyramidScores(
        weight=weight,
        scus=content.units,
        in_pyramid=in_pyramid,
        outside=content.units - in_pyramid,
        repeated=content.repeated,
        average=average,
        max_original=max_original,
        max=max_modified,
        original=original,
        modified=modified,
        comprehensive=_harmonic_mean(original, modified),
        precision=_share(in_pyramid, content.units),
        recall=_share(in_pyramid, int(np.count_nonzero(weights))),
    )


def score_peer(annotation: PeerAnnotation) -> PyramidScores:
    """Score an annotated peer against its pyramid.

    Parameters
    ----------
    annotation
        The peer.

    Examples
    --------
    >>> from pyramidion.collection import SCU, Contributor, Part
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    >>> said = Contributor((Part(0, 3, "Ice"),))
    >>> score_peer(PeerAnnotation(pyramid, "Ice.", (SCU("1", "", (said,)),))).modified
    1.0
    """
    return score_content(content_of_peer(annotation), annotation.pyramid.membership)


def score_reference(pyramid: Pyramid, name: str) -> PyramidScores:
    """Score one of a pyramid's references against the pyramid of the others.

    Parameters
    ----------
    pyramid
        The pyramid.
    name
        The reference that is taken out and scored.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> score_reference(pyramid, "A").modified, score_reference(pyramid, "B").precision
    (0.5, 0.5)
    """
    content = content_of_reference(pyramid, name)
    others = [reference.name != name for reference in pyramid.references]
    return score_content(content, pyramid.membership[:, others])


def _require_references(membership: NDArray[np.bool_]) -> None:
    if not membership.any():
        raise InputError(
            "the pyramid has no content unit that a reference expresses",
            hint="annotate its references first",
        )


def _rounded(average: float) -> int:
    """Round half up: the rule that gives the official scores of DUC 2006 and 2007."""
    return int(np.floor(average + 0.5))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _harmonic_mean(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b > 0 else a + b
