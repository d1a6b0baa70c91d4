"""How often the input expresses the content units that people agree on (Figure 4.1).

What the input expresses is known where somebody annotated it:

- an annotated peer called ``documents`` (``T1-A-documents.pan``), whose text is the documents;
- a pyramid among whose texts are documents, under the documents' own ids.

Elsewhere it is estimated: each document is annotated by similarity with the units' *labels*. One
wording a unit it must be, for a unit that four people word differently would be found more easily
than one that a single person has, whatever the input says.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion._types import Ints
from pyramidion.collection import Collection, Pyramid
from pyramidion.collection.problems import address_name
from pyramidion.collection.pyramids import PeerAnnotation
from pyramidion.errors import InputError
from pyramidion.evaluation.study._places import require_ids
from pyramidion.evaluation.study.frequent import TOPS, top_weights
from pyramidion.pyramid.similar.annotate import SimilarAnnotator
from pyramidion.pyramid.units import TopicUnits
from pyramidion.stats.correlation import Correlation, pearson

__all__ = ["DOCUMENTS", "UnitClass", "UnitStudy", "UnitTopic", "gather_units", "study_units"]

How = Literal["annotated", "similarity"]

#: The system under whose name annotated documents stand.
DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True, eq=False)
class UnitTopic:
    """The content units of a topic.

    Parameters
    ----------
    name
        The topic and task in words.
    input
        How often the documents express each unit; by similarity, in how many documents it is.
    weights
        How many references express it.
    references
        How many references there are.
    how
        Whether people ``annotated`` the input, or ``similarity`` estimates it.

    Examples
    --------
    >>> UnitTopic("T1", np.array([3, 0]), np.array([2, 1]), 2, "annotated").how
    'annotated'
    """

    name: str
    input: Ints
    weights: Ints
    references: int
    how: How


@dataclass(frozen=True, slots=True)
class UnitClass:
    """The units that so many references express.

    Parameters
    ----------
    references
        How many do.
    units
        How many units there are.
    mean, median
        How often the input expresses one of them; NaN if there is none.
    quartiles
        Between which half of them lie.

    Examples
    --------
    >>> UnitClass(4, 27, 5.1, 5.0, (3.0, 7.0)).units
    27
    """

    references: int
    units: int
    mean: float
    median: float
    quartiles: tuple[float, float]


@dataclass(frozen=True, slots=True)
class UnitStudy:
    """Content units by how many people express them.

    Parameters
    ----------
    how
        Where the input's counts come from.
    topics
        How many topics there are.
    classes
        One a number of references, 0 first.
    correlation
        Pearson's, of how often the input and how many references express a unit.
    tops, shares
        Of so many most frequent units of the input, the share that a reference expresses, the
        mean over topics. NaN where nobody looked for units that no reference has: all are in one.

    Examples
    --------
    >>> topic = UnitTopic("T1", np.array([3, 1, 1]), np.array([2, 0, 1]), 2, "annotated")
    >>> study = study_units([topic], tops=(1, 2))
    >>> [row.mean for row in study.classes], study.shares
    ([1.0, 1.0, 3.0], (1.0, 0.75))
    """

    how: How
    topics: int
    classes: tuple[UnitClass, ...]
    correlation: Correlation
    tops: tuple[int, ...]
    shares: tuple[float, ...]


def gather_units(
    collection: Collection, *, topics: Sequence[str] = (), tasks: Sequence[str] = ()
) -> tuple[list[UnitTopic], list[str]]:
    """Count how often input and references express the units of each pyramid.

    Where the input of any topic is annotated, only annotated ones are taken.

    Parameters
    ----------
    collection, topics, tasks
        What holds pyramids, documents and annotations, and of which topics and tasks; see
        `gather_places`, also for what is given back.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "d1": "Ice melts, and more ice melts."},
    ...     [("Ice melts", {"A": ["Ice melts"], "d1": ["Ice melts"]}), ("More", {"d1": ["more"]})])
    >>> from pyramidion.collection import Document, Topic
    >>> topic = Topic("T1", documents=(Document("d1", "Ice melts, and more ice melts."),))
    >>> [found], _ = gather_units(Collection("c", topics=(topic,), pyramids={("", "T1"): pyramid}))
    >>> found.how, found.input.tolist(), found.weights.tolist()
    ('annotated', [1, 1], [1, 0])
    """
    require_ids(collection, topics=topics, tasks=tasks)
    chosen = {
        (task, topic): pyramid
        for (task, topic), pyramid in _pyramids(collection).items()
        if topic in (topics or (topic,)) and task in (tasks or (task,))
    }
    annotated = list(_annotated(collection, chosen))
    names = {topic.name for topic in annotated}
    others = {key: pyramid for key, pyramid in chosen.items() if address_name(*key) not in names}
    if annotated:
        return annotated, [f"{address_name(*key)}: its input is not annotated" for key in others]
    return _estimated(collection, others)


def study_units(topics: Sequence[UnitTopic], *, tops: Sequence[int] = TOPS) -> UnitStudy:
    """Compare how often the input and how many references express content units.

    Parameters
    ----------
    topics
        Topics, all annotated or all estimated.
    tops
        How many most frequent units are looked for in the references.

    Examples
    --------
    >>> topic = UnitTopic("T1", np.array([3, 1]), np.array([2, 1]), 2, "annotated")
    >>> study_units([topic]).correlation.value
    1.0
    """
    counts = np.concatenate([topic.input for topic in topics])
    weights = np.concatenate([topic.weights for topic in topics])
    most = max(topic.references for topic in topics)
    least = 0 if (weights == 0).any() else 1
    classes = [_class(number, counts[weights == number]) for number in range(least, most + 1)]
    return UnitStudy(
        topics[0].how,
        len(topics),
        tuple(classes),
        _correlation(counts, weights),
        tuple(tops),
        tuple(_share(topics, top) if not least else float("nan") for top in tops),
    )


def _pyramids(collection: Collection) -> dict[tuple[str, str], Pyramid]:
    """Give the pyramids; where the documents are annotated, the one they were annotated with."""
    pyramids = dict(collection.pyramids)
    for (task, topic, system), peer in collection.peer_annotations.items():
        if system == DOCUMENTS:
            pyramids[task, topic] = peer.pyramid
    if not pyramids:
        raise InputError(
            f"there are no pyramids in {collection.name}",
            hint="add .pyr files, or make some with `pyramidion pyramid auto build`",
        )
    return pyramids


def _annotated(
    collection: Collection, pyramids: Mapping[tuple[str, str], Pyramid]
) -> Iterator[UnitTopic]:
    for (task, topic), pyramid in pyramids.items():
        peer = collection.peer_annotations.get((task, topic, DOCUMENTS))
        ids = {document.id for document in collection.documents(topic, task)}
        column = np.array([r.name in ids for r in pyramid.references], dtype=np.bool_)
        people = pyramid.membership[:, ~column]
        if peer is not None:
            counts = _expressed(peer)
        elif column.any():
            counts = pyramid.contributions[:, column].sum(axis=1)
        else:
            continue
        name, references = address_name(task, topic), people.shape[1]
        if references and len(counts):
            yield UnitTopic(name, counts, people.sum(axis=1), references, "annotated")


def _expressed(peer: PeerAnnotation) -> Ints:
    """Count how often a text expresses each unit of its pyramid."""
    counts = np.zeros(len(peer.pyramid.scus), dtype=np.int64)
    known = {scu.uid for scu in peer.pyramid.scus}
    for scu in peer.scus:
        if scu.uid in known:
            counts[peer.pyramid.row(scu.uid)] += len(scu.contributors)
    return counts


def _estimated(
    collection: Collection, pyramids: Mapping[tuple[str, str], Pyramid]
) -> tuple[list[UnitTopic], list[str]]:
    found, left_out = [], []
    for (task, topic), pyramid in pyramids.items():
        name = address_name(task, topic)
        texts = [d.text for d in collection.documents(topic, task) if d.text.strip()]
        if not texts:
            left_out.append(f"{name}: it has no documents")
        elif not pyramid.membership.any():
            left_out.append(f"{name}: the pyramid has no content unit that a reference expresses")
        else:
            found.append(_by_similarity(name, pyramid, texts))
    if not found:
        raise InputError(
            f"no topic of {collection.name} has both a pyramid and documents",
            hint="this study compares content units with the input: add it to topics.jsonl",
        )
    return found, left_out


def _by_similarity(name: str, pyramid: Pyramid, texts: Iterable[str]) -> UnitTopic:
    references = {r.name: pyramid.text[r.start : r.end] for r in pyramid.references}
    annotator = SimilarAnnotator(TopicUnits.of(pyramid), references)
    counts = np.zeros(len(pyramid.scus), dtype=np.int64)
    for text in texts:
        found = annotator.annotate(text).annotation
        # The last entry is what is not in the pyramid.
        counts += [bool(scu.contributors) for scu in found.scus[:-1]]
    return UnitTopic(name, counts, pyramid.weights, len(pyramid.references), "similarity")


def _class(number: int, counts: Ints) -> UnitClass:
    if not len(counts):
        return UnitClass(number, 0, np.nan, np.nan, (np.nan, np.nan))
    low, median, high = np.quantile(counts, (0.25, 0.5, 0.75)).tolist()
    return UnitClass(number, len(counts), float(counts.mean()), median, (low, high))


def _correlation(counts: Ints, weights: Ints) -> Correlation:
    if len(counts) < 2:
        return Correlation(np.nan, np.nan, np.nan, len(counts), "t", "one content unit only")
    return pearson(counts, weights)


def _share(topics: Sequence[UnitTopic], top: int) -> float:
    """Give the share of the most frequent units that a reference expresses, mean over topics."""
    weighed = [(top_weights(topic.input, top), topic.weights > 0) for topic in topics]
    shares = [float(own @ there / own.sum()) for own, there in weighed if own.any()]
    return float(np.mean(shares)) if shares else float("nan")
