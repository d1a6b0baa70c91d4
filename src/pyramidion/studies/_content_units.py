"""Show how often the input expresses the content units that people agree on (Figure 4.1).

The input is annotated if

- a peer called ``documents`` is annotated (``T1-A-documents.pan``), or
- documents are among the texts of the pyramid, under their own ids.

Otherwise each document is annotated by similarity with the units' *labels*. One wording per unit
is used, since a unit with four wordings would be found more easily than one with a single wording.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pyramidion._types import Bools, Ints
from pyramidion.collection import Collection, Pyramid
from pyramidion.collection.findings import address_name
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.collection.pyramids import DOCUMENTS
from pyramidion.comparison.common import known_mean
from pyramidion.errors import InputError
from pyramidion.pyramid import Annotator, Weighing
from pyramidion.pyramid.content_units import TopicUnits, content_of_peer
from pyramidion.pyramid.topics import note_several_annotations
from pyramidion.questions import question
from pyramidion.rendering.labels import counted, p_in_sentence
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, data, shown
from pyramidion.stats import pearson, spearman
from pyramidion.stats.correlation import Correlation
from pyramidion.stats.inputs import ratio
from pyramidion.studies._source import (
    EVERYTHING,
    MostFrequent,
    SourceAndPeers,
    StudyPart,
    StudyResult,
    correlation_of,
    top_weights,
)
from pyramidion.studies._words import AgreedClass, agreement_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AnnotationSource = Literal["annotated", "similarity"]


@dataclass(frozen=True, slots=True, eq=False)
class UnitTopic:
    """The content units of a topic."""

    name: str
    input: Ints
    weights: Ints
    references: int
    how: AnnotationSource
    #: Which units each machine's summary expresses.
    summaries: Mapping[str, Bools] = field(default_factory=dict)

    def scores(self, is_expressed: Bools) -> tuple[float, float]:
        """Score a summary by the references and by the input (section 6.2).

        The weight of its units is divided by the maximum weight of an average number of units.
        """
        mean_size = Weighing(self.weights, self.references).size
        people_score, input_score = (
            ratio(float(weights @ is_expressed), Weighing(weights, self.references).most(mean_size))
            for weights in (self.weights, self.input)
        )
        return people_score, input_score


@dataclass(frozen=True, slots=True)
class PyramidPair:
    """Mean scores of a machine's summaries by the references' and by the input's pyramid.

    The correlations of both scores are over summaries; `system` may be ``all``.
    """

    system: str
    summaries: int
    people: float
    documents: float
    pearson: Correlation
    spearman: Correlation


@dataclass(frozen=True, slots=True)
class UnitStudy:
    """Content units by how many people express them.

    `shares` are the shares of the most frequent units of the input (`tops`) that a reference
    expresses, means over topics; NaN if only units of references were annotated.
    """

    how: AnnotationSource
    topics: int
    classes: tuple[AgreedClass, ...]  #: by the number of references
    correlation: Correlation  #: between how often the input and how many references express a unit
    tops: tuple[int, ...]
    shares: tuple[float, ...]
    pyramids: tuple[PyramidPair, ...] = ()


def gather_units(
    collection: Collection, part: StudyPart = EVERYTHING
) -> tuple[list[UnitTopic], list[str]]:
    """Count how often input and references express the units of each pyramid.

    If the input of any topic is annotated, the other topics are left out.
    """
    part.require_in(collection)
    pyramids = {
        key: pyramid for key, pyramid in _pyramids(collection).items() if part.includes(*key)
    }
    if not (annotated_topics := list(_annotated_counts(collection, pyramids))):
        return _estimated_counts(collection, pyramids)
    names = {topic.name for topic in annotated_topics}
    unannotated_names = (name for key in pyramids if (name := address_name(*key)) not in names)
    repeat_notes = note_several_annotations(
        key for key in collection.peer_annotations if key[:2] in pyramids
    )
    return annotated_topics, [
        *(f"{name}: its input is not annotated" for name in unannotated_names),
        *repeat_notes,
    ]


def study_units(topics: Sequence[UnitTopic], *, top_sizes: Sequence[int] = (5, 8, 12)) -> UnitStudy:
    """Compare how often the input and how many references express content units."""
    counts = np.concatenate([topic.input for topic in topics])
    weights = np.concatenate([topic.weights for topic in topics])
    min_weight = 0 if (weights == 0).any() else 1
    weight_range = range(min_weight, 1 + max(topic.references for topic in topics))
    classes = tuple(_agreed_class(weight, counts[weights == weight]) for weight in weight_range)
    correlation = correlation_of(pearson, counts, weights, 2, "one content unit only")
    shares = []
    for weight in top_sizes:
        frequent_units = [(top_weights(topic.input, weight), topic.weights > 0) for topic in topics]
        topic_shares = (
            float(is_top @ is_shared / is_top.sum())
            for is_top, is_shared in frequent_units
            if is_top.any()
        )
        shares.append(np.nan if min_weight else known_mean(topic_shares))
    return UnitStudy(
        topics[0].how, len(topics), classes, correlation, tuple(top_sizes), tuple(shares),
        tuple(_pyramid_pairs(topics)),
    )  # fmt: skip


def _agreed_class(references: int, counts: Ints) -> AgreedClass:
    if not len(counts):
        return AgreedClass(references, 0, np.nan, np.nan, np.nan, np.nan)
    low, median, high = np.quantile(counts, (0.25, 0.5, 0.75)).tolist()
    return AgreedClass(references, len(counts), float(counts.mean()), median, low, high)


def _pyramid_pairs(topics: Iterable[UnitTopic]) -> Iterator[PyramidPair]:
    """Compare both pyramids over the summaries of each machine, and over all summaries."""
    summaries = (
        (topic, *name_and_units) for topic in topics for name_and_units in topic.summaries.items()
    )
    named_scores = [(name, topic.scores(is_expressed)) for topic, name, is_expressed in summaries]
    defined_pairs = [(name, pair) for name, pair in named_scores if not np.isnan(pair).any()]
    systems = sorted(grouped(defined_pairs).items(), key=lambda item: natural_order(item[0]))
    overall_pairs = [("all", [pair for _, pair in defined_pairs])] if len(systems) > 1 else []
    for name, pairs in (*systems, *overall_pairs):
        people, documents = np.array(pairs).T
        # Two summaries always correlate.
        correlations = (
            correlation_of(correlation_function, people, documents, 3, "fewer than three summaries")
            for correlation_function in (pearson, spearman)
        )
        means = float(people.mean()), float(documents.mean())
        yield PyramidPair(name, len(pairs), *means, *correlations)


def _pyramids(collection: Collection) -> dict[tuple[str, str], Pyramid]:
    """Return the pyramids; for annotated documents, the one used for the annotation."""
    pyramids = dict(collection.pyramids)
    for (task, topic, system, *_), peer in collection.peer_annotations.items():
        if system == DOCUMENTS:
            pyramids[task, topic] = peer.pyramid
    if not pyramids:
        hint = "add .pyr files, or make some with `pyramidion pyramid auto build`"
        raise InputError(f"there are no pyramids in {collection.name}", hint=hint)
    return pyramids


def _annotated_counts(
    collection: Collection, pyramids: Mapping[tuple[str, str], Pyramid]
) -> Iterator[UnitTopic]:
    for (task, topic), pyramid in pyramids.items():
        peer = collection.annotation(task, topic, DOCUMENTS)
        ids = {document.id for document in collection.documents(topic, task)}
        is_document = np.array([r.name in ids for r in pyramid.references], dtype=np.bool_)
        membership = pyramid.membership[:, ~is_document]
        if peer is not None:
            counts = content_of_peer(peer).counts
        elif is_document.any():
            counts = pyramid.contributions[:, is_document].sum(axis=1)
        else:
            continue
        if membership.shape[1] and len(counts):
            yield UnitTopic(
                address_name(task, topic), counts, membership.sum(axis=1), membership.shape[1],
                "annotated", _hand_annotated_units(collection, task, topic, pyramid),
            )  # fmt: skip


def _hand_annotated_units(
    collection: Collection, task: str, topic: str, pyramid: Pyramid
) -> dict[str, Bools]:
    """Return the units that machines' summaries express, if annotated with this pyramid."""
    uids = [scu.uid for scu in pyramid.scus]
    return {
        peer.system: content_of_peer(annotation).expressed
        for peer in collection.peers(topic, task)
        if peer.kind == "machine"
        if (annotation := collection.annotation(task, topic, peer.system))
        if [scu.uid for scu in annotation.pyramid.scus] == uids
    }


def _estimated_counts(
    collection: Collection, pyramids: Mapping[tuple[str, str], Pyramid]
) -> tuple[list[UnitTopic], list[str]]:
    topics, left_out = [], []
    for (task, topic), pyramid in pyramids.items():
        name = address_name(task, topic)
        if not (texts := [d.text for d in collection.documents(topic, task) if d.text.strip()]):
            left_out.append(f"{name}: it has no documents")
        elif not pyramid.membership.any():
            left_out.append(f"{name}: the pyramid has no content unit that a reference expresses")
        else:
            references = {r.name: pyramid.text[r.start : r.end] for r in pyramid.references}
            annotator = Annotator(TopicUnits.of(pyramid), references)
            counts: Ints = np.sum([_expressed_units(annotator, text) for text in texts], axis=0)
            expressed_by_system = _hand_annotated_units(collection, task, topic, pyramid)
            for peer in collection.peers(topic, task):
                if peer.kind == "machine" and peer.system not in expressed_by_system:
                    expressed_by_system[peer.system] = _expressed_units(annotator, peer.plain)
            weights, n_references = pyramid.membership.sum(axis=1), len(references)
            topics.append(
                UnitTopic(name, counts, weights, n_references, "similarity", expressed_by_system)
            )
    if not topics:
        raise InputError(
            f"no topic of {collection.name} has both a pyramid and documents",
            hint="this study compares content units with the input: add it to topics.jsonl",
        )
    return topics, left_out


def _expressed_units(annotator: Annotator, text: str) -> Bools:
    # The last entry collects what is not in the pyramid.
    scus = annotator.annotate(text).annotation.scus[:-1]
    return np.array([bool(scu.contributors) for scu in scus], dtype=np.bool_)


_CLASS_VIEW: View[AgreedClass] = View(
    "classes",
    (
        *columns("references"),
        Column("units", "units", attrgetter("size")),
        *columns("mean", "median"),
        data("quartiles", attrgetter("low", "high")),
        shown("lower quartile", attrgetter("low")),
        shown("upper quartile", attrgetter("high")),
    ),
    digits=2,
)
_METHOD_TEXTS = {
    "annotated": "The documents were annotated: how often they express a unit.",
    "similarity": (
        "The documents are not annotated by hand, but by similarity with the units' labels; what "
        "counts is the number of documents in which a unit was found."
    ),
}
_TOP_UNITS_NOTE = (
    "Percentage of these units that at least one reference expresses; means over topics; units "
    "that are tied for the last places share them."
)


_PAIR_VIEW: View[PyramidPair] = View(
    "pyramids",
    (
        *columns("system", "summaries", people="by references", documents="by the input"),
        Column("pearson", "Pearson", attrgetter("pearson.value")),
        Column("pearson_p", "p (Pearson)", attrgetter("pearson.p")),
        Column("spearman", "Spearman", attrgetter("spearman.value")),
        Column("spearman_p", "p (Spearman)", attrgetter("spearman.p")),
    ),
)
_PAIRS_NOTE = (
    "Units that a summary expresses, weighted by the references or by how often the input "
    "expresses them, as a share of the weight of the best units, up to the number in a "
    "reference. Thesis: Pearson 0.83, Spearman 0.81 over 11 summaries, too low to replace human "
    "summaries."
)


@question
def content_units(source: SourceAndPeers, options: MostFrequent) -> StudyResult[UnitStudy]:
    """Show how often the input expresses content units that people agree on (Figure 4.1, 6.2).

    Machines' summaries are scored by the pyramid of the references, and by one of the input.

    Annotated documents are a peer called documents, or texts of a pyramid under the documents' ids.
    Without them, the documents are annotated by similarity, which the answer reports.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Pyramid, Topic
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It snows."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It snows", {"B": ["It snows"]})])
    >>> topic = Topic("T1", documents=(Document("d1", "The ice melts."), Document("d2", "Rain.")))
    >>> mine = Collection("c", topics=(topic,), pyramids={("", "T1"): pyramid})
    >>> [study] = content_units(mine)
    >>> study.how, [(agreed.references, agreed.mean) for agreed in study.classes]
    ('similarity', [(1, 0.0), (2, 1.0)])
    """
    collection = source.read()
    topics, left_out = gather_units(collection, source)
    study = study_units(topics, top_sizes=options.top)
    title = f"How often the input expresses content units: {counted(study.topics, 'topic')}"
    tables = [
        _CLASS_VIEW.table(
            study.classes, title, f"{_METHOD_TEXTS[study.how]} {_correlation_sentence(study)}"
        )
    ]
    if np.isnan(study.shares).all():
        left_out.append("the most frequent units: units that only the input has are not annotated")
    else:
        shares = zip(study.tops, (100 * share for share in study.shares), strict=True)
        title = "The most frequent units of the input in references, percent"
        column_names = ("most frequent", "in a reference")
        tables.append(
            Table(
                column_names, tuple(shares), title, _TOP_UNITS_NOTE, digits=1, name="most-frequent"
            )
        )
    if study.pyramids:
        title = "Scores by the pyramid of the references and by the input's (section 6.2)"
        tables.append(_PAIR_VIEW.table(study.pyramids, title, _PAIRS_NOTE))
    return source.result(
        "content-units", collection, [study], _record, tables,
        [Chart("units", partial(_figure, study))],
        scope=study.how, details=options.changed("top"), left_out=left_out,
    )  # fmt: skip


def _correlation_sentence(study: UnitStudy) -> str:
    correlation = study.correlation
    if correlation.undefined:
        return f"No correlation of input and references: {correlation.undefined}."
    statistics_text = (
        f"{correlation.value:.2f} ({p_in_sentence(correlation.p)}, {correlation.n} units)"
    )
    return f"Pearson's correlation of input and references: {statistics_text}."


def _record(study: UnitStudy) -> dict[str, Any]:
    return {
        "input": study.how,
        "topics": study.topics,
        "classes": _CLASS_VIEW.records(study.classes),
        "pearson": study.correlation.value,
        **{name: getattr(study.correlation, name) for name in ("p", "n")},
        "shares": dict(zip(study.tops, study.shares, strict=True)),
        "pyramids": _PAIR_VIEW.records(study.pyramids),
    }


def _figure(study: UnitStudy) -> "Figure":
    method = "annotated by hand" if study.how == "annotated" else "annotated by similarity"
    return agreement_figure(
        study.classes,
        title="How often the input expresses what people agree on",
        note=f"content units of {counted(study.topics, 'topic')}; documents {method}; "
        + _correlation_sentence(study).removesuffix("."),
        label="times in the input" if study.how == "annotated" else "documents that express it",
        bars="the middle half of the units",
    )
