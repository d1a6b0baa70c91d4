"""The content of summaries, the weights of content units, and scores computed from both."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyramidion.collection import SCU, Collection, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.findings import address_name
from pyramidion.collection.formats.ducview.format import writer_of
from pyramidion.collection.ids import grouped, natural_order
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
        Number of units of content that are not in the pyramid.
    complete
        Whether such content was looked for; answers to a list of content units do not say.

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
        """Which content units it expresses."""
        return self.counts > 0

    @property
    def units(self) -> int:
        """Number of different units, including those outside the pyramid."""
        return int(np.count_nonzero(self.counts)) + self.outside

    @property
    def repeated(self) -> int:
        """Number of repetitions."""
        return int(self.counts.sum()) - int(np.count_nonzero(self.counts))


def content_of_peer(annotation: PeerAnnotation) -> Content:
    """Count the content units that an annotated peer expresses."""
    counts = [0] * len(annotation.pyramid.scus)
    n_outside = 0
    for scu in annotation.scus:
        if scu.uid == NOT_IN_PYRAMID:
            n_outside += len(scu.contributors)
        elif scu.contributors:
            counts[annotation.pyramid.row(scu.uid)] += len(scu.contributors)
    return Content(np.array(counts, dtype=np.int64), n_outside)


@dataclass(frozen=True, slots=True)
class PyramidScores:
    """The scores of one summary; NaN where one is undefined.

    A summary without content scores 0. Scores that depend on content outside the pyramid
    (`original`, `comprehensive`, `precision`) are undefined if nobody looked for it.

    Parameters
    ----------
    weight
        D, the total weight of the different content units it expresses.
    scus
        Number of its different units: those `in_pyramid` and those `outside`.
    repeated
        Number of repetitions.
    average
        Mean number of content units in a reference, before rounding.
    max_original, max
        The most that its own number of units can weigh, and the most for the average, rounded
        half up.
    original, modified
        D divided by these; DUCView's quality and coverage.
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


@dataclass(frozen=True)
class Weighing:
    """The weights of content units, and the maximum weight of a summary of a given size."""

    weights: NDArray[np.int64]
    order: int
    #: How often the references express units; the sum of the weights by default.
    expressed: int | None = None

    @classmethod
    def of(cls, counted: ArrayLike, given_weights: NDArray[np.int64] | None = None) -> "Weighing":
        """Weight content units (rows) by how often references (columns) express them.

        Given weights take precedence. The mean number of units in a reference follows the counts,
        as in DUCView, which divides the number of contributors by the number of references.
        """
        table = np.asarray(counted, dtype=np.int64)
        weights: NDArray[np.int64] = table.sum(axis=1) if given_weights is None else given_weights
        return cls(weights, table.shape[1], int(table.sum()))

    @cached_property
    def average(self) -> float:
        """Mean number of content units in a reference (equation 3.2)."""
        total = int(self.weights.sum()) if self.expressed is None else self.expressed
        return float(total / self.order) if self.order else float("nan")

    @cached_property
    def size(self) -> int:
        """The average rounded half up, which reproduces the official scores of DUC."""
        return int(np.floor(self.average + 0.5))

    @cached_property
    def units(self) -> int:
        """Number of content units with a weight above 0."""
        return int(np.count_nonzero(self.weights))

    @cached_property
    def _max_weights(self) -> list[int]:
        sorted_weights = np.sort(self.weights)[::-1]
        return [0, *np.cumsum(sorted_weights).tolist()]

    def most(self, units: int) -> int:
        """Return the maximum weight of this number of content units (equation 3.1)."""
        if units < 0:
            raise InputError(f"a summary cannot have {units} content units", hint="give 0 or more")
        return self._max_weights[min(units, len(self.weights))]


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
    """Score a summary's content by weights of content units."""
    if not weighing.units:
        raise InputError(NO_UNITS, "annotate its references first")
    weights = weighing.weights
    # A unit that none of these references expresses is outside their pyramid.
    is_expressed = (content.counts > 0) & (weights > 0)
    n_in_pyramid, weight = int(np.count_nonzero(is_expressed)), int(weights[is_expressed].sum())
    units = content.units
    max_original, max_modified = weighing.most(units), weighing.most(weighing.size)
    original_score = _share(weight, max_original) if content.complete else float("nan")
    modified_score = weight / max_modified if max_modified else float("nan")
    total = original_score + modified_score
    return PyramidScores(
        weight=weight,
        scus=units,
        in_pyramid=n_in_pyramid,
        outside=units - n_in_pyramid,
        repeated=content.repeated,
        average=weighing.average,
        max_original=max_original,
        max=max_modified,
        original=original_score,
        modified=modified_score,
        comprehensive=2 * original_score * modified_score / total if total > 0 else total,
        precision=_share(n_in_pyramid, units) if content.complete else float("nan"),
        recall=n_in_pyramid / weighing.units,
    )


def score_peer(
    annotation: PeerAnnotation, *, weights: WeightPolicy = "contributors"
) -> PyramidScores:
    """Score an annotated peer against its pyramid.

    The weight of a content unit is the number of its contributors or, if `weights` is
    ``references``, as the different references among them.

    Examples
    --------
    >>> from pyramidion.collection import SCU, Contributor, Part
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    >>> ice = Contributor((Part(0, 3, "Ice"),))
    >>> score_peer(PeerAnnotation(pyramid, "Ice.", (SCU("1", "", (ice,)),))).modified
    1.0
    """
    return score_content(content_of_peer(annotation), annotation.pyramid.counted(weights))


def score_reference(
    pyramid: Pyramid, name: str, *, weights: WeightPolicy = "contributors"
) -> PyramidScores:
    """Score one of a pyramid's references against the pyramid of the others; see `score_peer`.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> score_reference(pyramid, "A").modified, score_reference(pyramid, "B").precision
    (0.5, 0.5)
    """
    names = [reference.name for reference in pyramid.references]
    if name not in names:
        hint = f"available: {', '.join(names)}"
        raise NotFoundError(f"the pyramid has no reference {name}", hint)
    column = names.index(name)
    other_weights = np.delete(pyramid.counted(weights), column, axis=1)
    return score_content(Content(pyramid.contributions[:, column]), other_weights)


def _share(part: int, total: int) -> float:
    """Divide; a summary without content has a share of 0."""
    return part / total if total else 0.0


@dataclass(frozen=True, slots=True)
class TopicUnits:
    """Content units with their weights; all fields are in the same order."""

    uids: tuple[str, ...]
    labels: tuple[str, ...]
    weighing: Weighing
    #: The weights in the whole pyramid, if `weighing` is by some of its references.
    whole: NDArray[np.int64] | None = None

    @classmethod
    def of(
        cls,
        pyramid: Pyramid,
        *,
        without: int | None = None,
        weights: WeightPolicy | Mapping[str, int] = "contributors",
    ) -> "TopicUnits":
        """Take a pyramid's units, weighted by all its references or by all but one."""
        uids, labels = (tuple(getattr(s, name) for s in pyramid.scus) for name in ("uid", "label"))
        if isinstance(weights, str):
            table, given_weights = pyramid.counted(weights), None
        else:
            table = pyramid.contributions
            given_weights = np.array([weights.get(uid, 0) for uid in uids], np.int64)
        weighing = Weighing.of(table, given_weights)
        if without is None:
            return cls(uids, labels, weighing)
        other_weighing = Weighing.of(np.delete(table, without, axis=1), given_weights)
        return cls(uids, labels, other_weighing, weighing.weights)

    def tiers(self) -> dict[int, tuple[int, ...]]:
        """Return the rows of the units by weight, the heaviest first; tiers may be empty."""
        weights = self.weighing.weights.tolist()
        rows = grouped((weight, row) for row, weight in enumerate(weights))
        max_weight = max(self.weighing.order, *weights, 0)
        return {tier: tuple(rows.get(tier, ())) for tier in range(max_weight, 0, -1)}

    def heaviest(self, rows: Iterable[int]) -> list[int]:
        """Sort rows by descending weight, then by row."""
        weights = self.weighing.weights
        return sorted(rows, key=lambda row: (-int(weights[row]), row))


def reference_writers(pyramid: Pyramid) -> tuple[str, ...]:
    """Name a pyramid's references as collections do: by their writers, if these differ."""
    names = tuple(reference.name for reference in pyramid.references)
    writers = tuple(map(writer_of, names))
    return writers if len(set(writers)) == len(writers) else names


def pyramid_of(pyramid: Pyramid, names: Container[str]) -> Pyramid:
    """Return the pyramid of some of its references, without units that only others express."""
    text, position, reference_starts = "", 0, {}
    for reference in pyramid.references:
        if reference.name in names:
            reference_starts[reference.name] = len(text) - position
            text += pyramid.text[position : reference.end]
        position = reference.end

    def remaining(scu: SCU) -> Iterator[Contributor]:
        for contributor in scu.contributors:
            name = pyramid.reference_of(contributor)
            if name in reference_starts:
                shift = reference_starts[name]
                parts = (
                    Part(part.start + shift, part.end + shift, part.label)
                    for part in contributor.parts
                )
                yield replace(contributor, parts=tuple(parts))

    scus = (replace(scu, contributors=tuple(remaining(scu))) for scu in pyramid.scus)
    return replace(pyramid, text=text, scus=tuple(scu for scu in scus if scu.contributors))


def listed_units(
    collection: Collection,
    task: str,
    topic: str,
    uids: Iterable[str] = (),
    *,
    weights: WeightPolicy = "contributors",
) -> TopicUnits:
    """Return the units that a topic's summaries were judged by: its pyramid's, or its list.

    A topic's list is called ``scus``; its objects have ``id``, ``text`` and perhaps ``weight``.
    Without one, the units in `uids` have no labels and weigh 1. A list in which all units weigh 1
    has no tiers, and counts as one reference.
    """
    units = list(uids)
    pyramid = collection.pyramids.get((task, topic))
    if pyramid is not None and set(units) <= {scu.uid for scu in pyramid.scus}:
        return weighed_units(collection, topic, pyramid, weights)
    scus = _unit_list(collection, topic)
    if not scus:
        unit_ids = tuple(dict.fromkeys(units))
        return TopicUnits(
            unit_ids, ("",) * len(unit_ids), Weighing(np.ones(len(unit_ids), np.int64), 1)
        )
    is_declared = task in collection.task_ids and topic in collection.topic_ids
    n_references = len(collection.references(topic, task)) if is_declared else 0
    return _units_from_list(scus, topic, set(units), n_references)


def weighed_units(
    collection: Collection,
    topic: str,
    pyramid: Pyramid,
    weights: WeightPolicy,
    excluded_reference: int | None = None,
) -> TopicUnits:
    """Weigh a pyramid's units; ``given`` weights come from the topic's list."""
    if weights != "given":
        return TopicUnits.of(pyramid, without=excluded_reference, weights=weights)
    scus = _unit_list(collection, topic)
    if not scus:
        hint = "list them in topics.jsonl (scus, with id and weight), or choose other weights"
        raise InputError(f"topic {topic} has no weights of content units", hint)
    units_of_list = _units_from_list(scus, topic, set(), 0)
    given_weights = dict(
        zip(units_of_list.uids, units_of_list.weighing.weights.tolist(), strict=True)
    )
    return TopicUnits.of(pyramid, without=excluded_reference, weights=given_weights)


def all_units(
    collection: Collection, weights: WeightPolicy = "contributors"
) -> dict[tuple[str, str], TopicUnits]:
    """Return the content units of every task and topic that has any, pyramids and lists."""
    tasks = grouped((summary.topic, summary.task) for summary in collection.summaries)
    addresses = dict.fromkeys(collection.pyramids)
    for topic in collection.topics:
        if topic.extra.get("scus"):
            task_ids = sorted(set(tasks.get(topic.id, [""])), key=natural_order)
            addresses.update(dict.fromkeys((task, topic.id) for task in task_ids))
    return {key: listed_units(collection, *key, weights=weights) for key in addresses}


def _unit_list(collection: Collection, topic: str) -> Any:
    return next(
        (candidate.extra.get("scus") for candidate in collection.topics if candidate.id == topic),
        None,
    )


def _units_from_list(scus: Any, topic: str, judged_uids: set[str], n_references: int) -> TopicUnits:
    if not isinstance(scus, list) or not all(isinstance(scu, Mapping) for scu in scus):
        raise InputError(f"the content units of topic {topic} are not a list of objects")
    uids = tuple(str(scu.get("id", index)) for index, scu in enumerate(scus))
    if not judged_uids <= set(uids) or len(set(uids)) < len(uids):
        uids = tuple(map(str, range(len(scus))))
    if unknown_uids := sorted(judged_uids - set(uids)):
        message = (
            f"topic {topic} has no content unit {unknown_uids[0]}, for which there is an answer"
        )
        raise NotFoundError(message, "number units from 0 or name them by their ids")
    labels = tuple(str(scu.get("text", scu.get("label", ""))) for scu in scus)
    weights = np.array([_read_weight(scu, topic) for scu in scus], dtype=np.int64)
    max_weight = int(weights.max(initial=1))
    order = max(n_references, max_weight) if max_weight > 1 else 1
    return TopicUnits(uids, labels, Weighing(weights, order))


def _read_weight(scu: Mapping[str, Any], topic: str) -> int:
    weight = scu.get("weight", 1)
    if isinstance(weight, bool) or not isinstance(weight, int) or not 0 <= weight < 10**6:
        message = f"content unit {scu.get('id', '')} of topic {topic} weighs {weight!r}"
        raise InputError(message, hint="write a whole number of at least 0")
    return weight


#: How the answers of several people are used: combined, or separately.
Workers = Literal["majority", "each"]

# Task, topic, system, kind, assessor.
_Address = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """A summary, what it expresses, and the content units it is scored by.

    Parameters
    ----------
    task, topic, system, kind
        The summary.
    units
        The content units; for the writer of a reference, weighted by the other references.
    content
        What the summary expresses.
    assessor, occasion
        Who annotated it or answered, and on which occasion.
    jackknifed
        Whether the summary is itself a reference of the pyramid.
    missing
        Number of units without an answer.

    Examples
    --------
    >>> units = TopicUnits(("1", "2"), ("Ice melts", "It is old"), Weighing(np.array([1, 2]), 2))
    >>> case = Case("", "T1", "7", "machine", units, Content(np.array([1, 0])))
    >>> case.name, case.scores().weight
    ('T1, 7', 1)
    """

    task: str
    topic: str
    system: str
    kind: str
    units: TopicUnits
    content: Content
    assessor: str = ""
    jackknifed: bool = False
    missing: int = 0
    occasion: str = ""

    @property
    def name(self) -> str:
        """Its topic, task, system, assessor and occasion, for messages."""
        return address_name(self.task, self.topic, self.system, self.assessor, self.occasion)

    @property
    def key(self) -> tuple[str, ...]:
        """Task, topic, system, assessor and occasion."""
        return self.task, self.topic, self.system, self.assessor, self.occasion

    def scores(self) -> PyramidScores:
        """Score the summary."""
        return score_weighed(self.content, self.units.weighing)


def answered_units(
    collection: Collection, *, workers: Workers = "majority", weights: WeightPolicy = "contributors"
) -> Iterator[Case]:
    """Derive what summaries express from answers about single content units.

    Rows with measure ``scu`` are final answers; without them, rows with ``scu-answer`` are those
    of single people.
    """
    answers = _votes(collection, "scu-answer", workers) | _votes(collection, "scu", workers)
    uids_by_topic = grouped((key[:2], uid) for key, votes in answers.items() for uid in votes)
    units = {
        key: listed_units(collection, *key, sorted(set(uids), key=natural_order), weights=weights)
        for key, uids in uids_by_topic.items()
    }
    for (task, topic, system, kind, assessor), votes in answers.items():
        topic_units = units[task, topic]
        # A unit is expressed if more than half of the answers affirm it.
        unit_votes = (votes.get(uid, ()) for uid in topic_units.uids)
        is_expressed = [sum(values) > 0.5 * len(values) for values in unit_votes]
        content = Content(np.array(is_expressed, dtype=np.int64), complete=False)
        n_missing = sum(uid not in votes for uid in topic_units.uids)
        yield Case(task, topic, system, kind, topic_units, content, assessor, missing=n_missing)


def _votes(
    collection: Collection, measure: str, workers: Workers
) -> dict[_Address, dict[str, list[float]]]:
    """Return the answers about each summary by unit."""
    rows = collection.scores.select(measure=measure)
    names = ("task", "topic", "system", "kind", "assessor", "unit")
    votes: dict[_Address, dict[str, list[float]]] = {}
    for *address, assessor, unit, value in zip(
        *(rows.columns[name] for name in names), rows.value.tolist(), strict=True
    ):
        if not 0 <= value <= 1:
            summary = ", ".join(filter(None, address[:3]))
            message = f"the answer for content unit {unit} of {summary} is {value:g}"
            raise InputError(message, "write 1 where it is expressed, else 0")
        if unit and (assessor or workers == "majority"):
            key = (*address, assessor if workers == "each" else "")
            votes.setdefault(key, {}).setdefault(unit, []).append(value)
    return votes
