"""What a summary expresses, and its scores by the weights of content units."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyramidion.collection import PeerAnnotation, Pyramid
from pyramidion.collection.pyramids import NOT_IN_PYRAMID, WeightPolicy
from pyramidion.errors import InputError, NotFoundError

NO_UNITS = "the pyramid has no content unit that a reference expresses"


@dataclass(frozen=True, slots=True)
class Content:
    """How often a summary expresses each content unit of a pyramid.

    Parameters
    ----------
    counts
        One number per content unit, in the pyramid's order.
    outside
        How many units of content it has that are not in the pyramid.
    complete
        Whether these were looked for; answers to a list of content units do not say.

    Examples
    --------
    >>> content = Content(np.array([2, 0, 1]), outside=1)
    >>> content.expressed.tolist(), content.units, content.repeated
    ([True, False, True], 3, 1)
    """

    counts: NDArray[np.int64]
    outside: int = 0
    complete: bool = True

    @property
    def expressed(self) -> NDArray[np.bool_]:
        """Which content units it expresses at least once."""
        return self.counts > 0

    @property
    def units(self) -> int:
        """How many different units it has, those outside the pyramid included."""
        return int(np.count_nonzero(self.counts)) + self.outside

    @property
    def repeated(self) -> int:
        """How often it says again what it has said."""
        return int(self.counts.sum()) - int(np.count_nonzero(self.counts))


def content_of_peer(annotation: PeerAnnotation) -> Content:
    """Count what an annotated peer expresses."""
    counts = [0] * len(annotation.pyramid.scus)
    outside = 0
    for scu in annotation.scus:
        if scu.uid == NOT_IN_PYRAMID:
            outside += len(scu.contributors)
        elif scu.contributors:
            counts[annotation.pyramid.row(scu.uid)] += len(scu.contributors)
    return Content(np.array(counts, dtype=np.int64), outside)


def content_of_reference(pyramid: Pyramid, name: str) -> Content:
    """Count what one of a pyramid's own references expresses."""
    names = [reference.name for reference in pyramid.references]
    if name not in names:
        hint = f"there are: {', '.join(names)}"
        raise NotFoundError(f"the pyramid has no reference {name}", hint)
    return Content(pyramid.contributions[:, names.index(name)])


@dataclass(frozen=True, slots=True)
class PyramidScores:
    """The scores of one summary; NaN where one is undefined.

    A summary without any content scores 0. What takes a summary's other content into account
    (`original`, `comprehensive`, `precision`) is undefined where nobody looked for it.

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


@dataclass(frozen=True)
class Weighing:
    """What content units weigh, and what a summary of a certain size could reach."""

    weights: NDArray[np.int64]
    order: int
    #: How often the references express units; what the units weigh where nothing is said.
    expressed: int | None = None

    @classmethod
    def of(cls, counted: ArrayLike, given: NDArray[np.int64] | None = None) -> "Weighing":
        """Weigh content units (rows) by how often references (columns) express them.

        Of a table of yes and no, a unit weighs as much as references express it; given weights
        come before either. The mean number of units in a reference counts as the weights do:
        DUCView divides all contributors by the references.
        """
        table = np.asarray(counted, dtype=np.int64)
        weights: NDArray[np.int64] = table.sum(axis=1) if given is None else given
        return cls(weights, table.shape[1], int(table.sum()))

    @cached_property
    def average(self) -> float:
        """The mean number of content units in a reference (equation 3.2)."""
        total = int(self.weights.sum()) if self.expressed is None else self.expressed
        return float(total / self.order) if self.order else float("nan")

    @cached_property
    def size(self) -> int:
        """The average rounded half up, the rule that gives the official scores of DUC."""
        return int(np.floor(self.average + 0.5))

    @cached_property
    def units(self) -> int:
        """How many content units weigh anything."""
        return int(np.count_nonzero(self.weights))

    @cached_property
    def _most(self) -> list[int]:
        heaviest = np.sort(self.weights)[::-1]
        return [0, *np.cumsum(heaviest).tolist()]

    def most(self, units: int) -> int:
        """Return the most that so many content units can weigh (equation 3.1)."""
        if units < 0:
            raise InputError(f"a summary cannot have {units} content units", hint="give 0 or more")
        return self._most[min(units, len(self.weights))]


def score_content(content: Content, counted: ArrayLike) -> PyramidScores:
    """Score a summary's content against references.

    Parameters
    ----------
    content
        What the summary expresses.
    counted
        How often references (columns) express content units (rows), or whether they do.

    Examples
    --------
    >>> score_content(Content(np.array([1, 0])), [[True, False], [True, True]]).original
    0.5
    """
    return score_weighed(content, Weighing.of(counted))


def score_weighed(content: Content, weighing: Weighing) -> PyramidScores:
    """Score a summary's content against content units that are weighed already."""
    if not weighing.units:
        raise InputError(NO_UNITS, "annotate its references first")
    weights = weighing.weights
    # A unit that none of these references has is outside their pyramid, whoever else wrote it.
    inside = (content.counts > 0) & (weights > 0)
    in_pyramid, weight = int(np.count_nonzero(inside)), int(weights[inside].sum())
    units = content.units
    max_original, max_modified = weighing.most(units), weighing.most(weighing.size)
    original = _share(weight, max_original) if content.complete else float("nan")
    modified = weight / max_modified if max_modified else float("nan")
    both = original + modified
    return PyramidScores(
        weight=weight,
        scus=units,
        in_pyramid=in_pyramid,
        outside=units - in_pyramid,
        repeated=content.repeated,
        average=weighing.average,
        max_original=max_original,
        max=max_modified,
        original=original,
        modified=modified,
        comprehensive=2 * original * modified / both if both > 0 else both,
        precision=_share(in_pyramid, units) if content.complete else float("nan"),
        recall=in_pyramid / weighing.units,
    )


def score_peer(
    annotation: PeerAnnotation, *, weights: WeightPolicy = "contributors"
) -> PyramidScores:
    """Score an annotated peer against its pyramid.

    Parameters
    ----------
    annotation
        The peer.
    weights
        What content units weigh: their contributors, or the different references among them.

    Examples
    --------
    >>> from pyramidion.collection import SCU, Contributor, Part
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    >>> said = Contributor((Part(0, 3, "Ice"),))
    >>> score_peer(PeerAnnotation(pyramid, "Ice.", (SCU("1", "", (said,)),))).modified
    1.0
    """
    return score_content(content_of_peer(annotation), annotation.pyramid.counted(weights))


def score_reference(
    pyramid: Pyramid, name: str, *, weights: WeightPolicy = "contributors"
) -> PyramidScores:
    """Score one of a pyramid's references against the pyramid of the others.

    Parameters
    ----------
    pyramid
        The pyramid.
    name
        The reference that is taken out and scored.
    weights
        What content units weigh, see `score_peer`.

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
    return score_content(content, pyramid.counted(weights)[:, others])


def _share(part: int, whole: int) -> float:
    """Divide; a summary without content has no share of anything."""
    return part / whole if whole else 0.0
