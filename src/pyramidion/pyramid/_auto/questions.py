"""Pyramids, annotations and scores without annotators."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

import pyramidion
from pyramidion.collection import Collection, Judgment, PeerAnnotation, Pyramid
from pyramidion.collection.findings import address_name
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.collection.sources import Source
from pyramidion.collection.stream import StreamItem
from pyramidion.engine.engines import map_topics
from pyramidion.engine.jobs import PartsOptions, StreamJob, refuse_ineffective
from pyramidion.engine.parts import in_parts
from pyramidion.errors import InputError
from pyramidion.pyramid._auto.annotate import Annotation, Annotator, Answers, EvidenceChoice, Judge
from pyramidion.pyramid._auto.build import build_if_possible
from pyramidion.pyramid._auto.fit import (
    Calibration,
    cross_fit,
    fit_similarity,
    similarity_examples,
)
from pyramidion.pyramid._auto.match import MatchOptions, match_summaries
from pyramidion.pyramid._auto.results import (
    FOLDER,
    NO_PEER,
    AnnotationSet,
    AutoResult,
    grouped_notes,
    read_texts,
)
from pyramidion.pyramid.cases import (
    PyramidSource,
    first_annotations,
    gather_cases,
    reader_notes,
    source_notes,
    without_tasks,
)
from pyramidion.pyramid.content_units import (
    Case,
    TopicUnits,
    Weighing,
    all_units,
    content_of_peer,
    reference_writers,
    score_weighed,
    weighed_units,
)
from pyramidion.pyramid.similarity import SimilarityModel, default_similarity
from pyramidion.pyramid.topics import (
    chosen_addresses,
    every_pyramid,
    note_wordless,
    summary_texts,
    unknown_unit,
)
from pyramidion.questions import Options, Signature, argument, option, question
from pyramidion.rendering.result import Result, signed
from pyramidion.rendering.saving import Savable
from pyramidion.rendering.table import Cell, Table
from pyramidion.rouge.items import TextInput


class _Topic(NamedTuple):
    """The content units of a topic, unless they must be built, and the summaries to score."""

    address: tuple[str, str]
    units: TopicUnits | None
    pyramid: Pyramid | None
    references: Mapping[str, str]
    texts: Mapping[str, str]
    peers: Mapping[str, PeerAnnotation]
    #: Scores by hand, by system.
    manual: Mapping[str, float]
    #: What people found in summaries, if the topic has a list of units.
    answers: Mapping[str, Answers] | None = None

    @property
    def name(self) -> str:
        """Topic and task, for messages."""
        return address_name(*self.address)


#: Where content units come from: a topic's pyramid or list, or its references alone.
UnitSource = Literal["given", "references"]


@dataclass(frozen=True, slots=True)
class Similarity(Options):
    """The similarity model."""

    model: Path | None = option(
        None, "Model file to use instead of the built-in one, as `pyramid auto fit` writes it."
    )

    def load_model(self) -> SimilarityModel:
        """Return the model."""
        return default_similarity() if self.model is None else SimilarityModel.load(self.model)


@dataclass(frozen=True, slots=True)
class Building(Similarity):
    """How pyramids are built."""

    parser: str = option(
        "light",
        "Parser that splits references into statements: light, or the name or folder of a spaCy "
        "pipeline.",
    )

    def build(self, texts: Mapping[str, str]) -> Pyramid | None:
        """Build a pyramid; None if the references have no words."""
        return build_if_possible(texts, model=self.load_model(), parser=self.parser)


@dataclass(frozen=True, slots=True)
class AutoOptions(Building):
    """The content units, and what decides whether a summary expresses them."""

    units: UnitSource = option(
        "given",
        "Content units to find: given (the topic's pyramid or list of units; if there is "
        "neither, a pyramid built from its references) or references (always built).",
    )
    by: EvidenceChoice = option(
        "both",
        "How expressed units are found: both (by words that annotators marked in other summaries, "
        "then by similarity), marks or similarity.",
    )
    entailment: Path | None = option(
        None,
        "Folder of an entailment model for transformers, which is used instead of similarity.",
        metavar="FOLDER",
    )

    @property
    def judge(self) -> Judge | None:
        """The entailment model, if one was chosen."""
        if self.entailment is None:
            return None
        from pyramidion.pyramid._auto.entailment import Entailment

        return Entailment(self.entailment)


def _topics(
    collection: Collection,
    source: PyramidSource,
    options: AutoOptions,
    cases: Sequence[Case],
) -> list[_Topic]:
    """Return the content units and the peers of each topic."""
    pyramids, units, weights = {}, {}, source.weights
    if options.units == "given":
        pyramids = every_pyramid(collection)
        units = all_units(collection, weights)
        units |= {
            key: weighed_units(collection, key[1], pyramid, weights)
            for key, pyramid in pyramids.items()
        }
    references, texts = _references(collection), summary_texts(collection)
    peers_by_topic: dict[tuple[str, ...], dict[str, PeerAnnotation]] = {}
    # The annotated text of a peer takes precedence over its summary.
    for (task, topic, system, *_), peer in collection.peer_annotations.items():
        texts.setdefault((task, topic), {})[system] = peer.text
        pyramid = pyramids.get((task, topic))
        if pyramid is not None and not unknown_unit(peer, pyramid):
            peers_by_topic.setdefault((task, topic), {}).setdefault(system, peer)
    addresses = {*units, *(references.keys() & texts.keys())}
    if not addresses:
        message = f"there are no pyramids, content units or references in {collection.name}"
        raise InputError(message, "add references, .pyr files, or a list of content units")
    cases_by_topic = grouped(((case.task, case.topic), case) for case in cases)

    def answers(key: tuple[str, str]) -> Mapping[str, Answers] | None:
        if key in pyramids or key not in units:
            return None
        return {
            case.system: (texts[key][case.system], case.content.expressed.astype(np.float64))
            for case in cases_by_topic.get(key, ())
            if case.system in texts.get(key, {}) and case.units.uids == units[key].uids
            and not case.missing
        }  # fmt: skip

    return [
        _Topic(key, units.get(key), pyramids.get(key), references.get(key, {}), texts.get(key, {}),
               peers_by_topic.get(key, {}),
               {case.system: case.scores().modified for case in cases_by_topic.get(key, ())},
               answers(key))
        for key in chosen_addresses(addresses, source.topic, source.task)
    ]  # fmt: skip


#: The measures of expected and annotated scores in tables of scores, by what decides.
MEASURES: Mapping[EvidenceChoice, tuple[str, str]] = {
    "both": ("auto-pyramid", "auto-pyramid-annotated"),
    "similarity": ("pyramid-similar", "pyramid-similar-annotated"),
    "marks": ("pyramid-match", "pyramid-match-annotated"),
}

_NOTE = (
    "Modified pyramid scores, means over topics. Expected: each content unit counts with the "
    "probability that the summary expresses it (calibrated on the topic's annotated summaries, if "
    "any) or, if it was built from references, with the share of its words that occurs. "
    "Annotated: the most probable units, as many as are expected, count fully."
)

_TITLE = "Pyramid scores without annotators"
_COLUMNS = ("task", "system", "kind", "n", "expected", "annotated")


class ScoredPeer(NamedTuple):
    """A summary with its scores; the manual score is NaN if nobody annotated it."""

    address: tuple[str, str]
    #: The topic's units; a unit may have another uid in the annotation, but the order is the same.
    uids: Sequence[str]
    #: Whether the topic has a list of content units rather than a pyramid.
    is_list: bool
    system: str
    kind: str
    annotation: Annotation
    expected: float
    annotated: float
    manual: float
    max_weight: float


def _score(
    annotator: Annotator, weighing: Weighing, text: str, system: str | None = None
) -> tuple[Annotation, float, float]:
    """Annotate a text, and return its expected and annotated scores."""
    annotation = annotator.annotate(text, leave_out=system)
    annotated_score = score_weighed(content_of_peer(annotation.annotation), weighing).modified
    max_weight = annotator.most(weighing)  # 0 if units have no content words
    return (
        annotation,
        annotation.expected_weight / max_weight if max_weight else float("nan"),
        annotated_score,
    )


@dataclass(frozen=True)
class AutoJob(StreamJob):
    """Scores records of a stream, each by units of its references."""

    options: AutoOptions

    @property
    def label(self) -> str:
        """Everything the scores depend on."""
        model, judge = model_digest(self.options.load_model()), self.options.judge
        options = replace(self.options, model=None, entailment=None)
        return f"{options}|model:{model}|by:{judge and judge.name}|v{pyramidion.__version__}"

    @property
    def measures(self) -> tuple[str, str]:
        """The names of the scores."""
        return MEASURES[self.options.by]

    def of_items(self, items: Sequence[StreamItem]) -> list[dict[str, Any]]:
        """Score each item; items with the same references share a pyramid."""
        annotator_for = cache(self._annotator_for)
        return [self._score_item(item, *annotator_for(item.references)) for item in items]

    def _annotator_for(self, references: Sequence[TextInput]) -> tuple[Annotator, TopicUnits]:
        texts = {
            f"R{number}": _plain_text(reference) for number, reference in enumerate(references)
        }
        pyramid = self.options.build(texts) or Pyramid("")
        annotator = Annotator(
            pyramid, texts, by=self.options.by, model=self.options.load_model(),
            judge=self.options.judge, built=True,
        )  # fmt: skip
        return annotator, TopicUnits.of(pyramid)

    def _score_item(
        self, item: StreamItem, annotator: Annotator, units: TopicUnits
    ) -> dict[str, Any]:
        weighing = units.weighing
        scores: tuple[float | None, float | None] = (None, None)
        if weighing.units and weighing.size:
            _, expected_score, annotated_score = _score(annotator, weighing, _plain_text(item.peer))
            scores = (None if np.isnan(expected_score) else expected_score, annotated_score)
        return item.address | dict(zip(self.measures, scores, strict=True))


def _plain_text(text: TextInput) -> str:
    return text if isinstance(text, str) else " ".join(map(str, text))


def _with_absolute_paths(options: AutoOptions) -> AutoOptions:
    """Make paths absolute: workers may have been started in another folder."""
    model, judge = (path and path.absolute() for path in (options.model, options.entailment))
    return replace(options, model=model, entailment=judge)


def _auto_parts(folder: str, options: AutoOptions, engine: PartsOptions) -> AutoResult:
    """Score a folder of parts, each into a part of the same name."""
    job = AutoJob(_with_absolute_paths(options))
    report = engine.run(job, folder)
    columns = ("task", "system", "kind")
    means = grouped(
        (tuple(row[name] for name in columns), row) for row in report.means(job.measures)
    )
    records = [
        dict(zip(columns, key, strict=True))
        | {
            "n": expected["n"],
            "expected": expected["mean"],
            "annotated": annotated["mean"],
        }
        for key, (expected, annotated) in means.items()
    ]
    return AutoResult(
        command="pyramid auto",
        signature=_signature(options, f"{report.digest:016x}"),
        values=records,
        tables=[_scores_table(records)],
        left_out=engine.left_out(report),
        annotations=AnnotationSet(Collection(folder), {}),
        in_parts=True,
    )


@dataclass(frozen=True, slots=True)
class Matching(MatchOptions):
    """Whether summaries are matched with each other, and how."""

    match: bool = option(
        False,
        "Annotate each summary, references included, using exactly the words that annotators "
        "marked in the topic's other summaries, and compare manual and automatic scores by topic "
        "and assessor.",
        flags=("--match",),
    )


@question
def auto(
    source: PyramidSource, options: AutoOptions, matching: Matching, engine: PartsOptions
) -> AutoResult:
    """Score and annotate each summary with a pyramid, without annotators.

    Content units are those of the topic's pyramid or list; without either, they are built from its
    references, of which one is enough. A unit counts as found where a summary has words that
    annotators marked for it elsewhere; other units get a probability from similarity or an
    entailment model. A folder of parts (streams, as for `score`) is scored part by part into the
    folder that --output names. With --engine, workers share the parts of a folder, or the topics of
    a file.

    Examples
    --------
    >>> from pyramidion import Collection, Summary
    >>> texts = {"A": "Ten people died. The ferry burned.", "7": "Ten people have died."}
    >>> mine = Collection("mine", summaries=(
    ...     Summary("T1", "A", texts["A"], kind="human"), Summary("T1", "7", texts["7"])))
    >>> [result] = auto(mine)
    >>> result["system"], result["annotated"]
    ('7', 0.5)
    """
    if matching.match:
        refuse_ineffective(
            options, "units", "by", "entailment", "model", "parser", source="--match"
        )
        engine.report_ineffective()
        return match_summaries(source, matching)
    rules = "gap", "skip", "min_words", "min_content", "nested", "which"
    refuse_ineffective(matching, *rules, source="pyramid auto without --match")
    if source.source_format is None and in_parts(source.source):
        refuse_ineffective(source, "task", "topic", "weights", "assessor")
        return _auto_parts(str(source.source), options, engine)
    return _auto(source, options, engine)


def _auto(source: PyramidSource, options: AutoOptions, engine: PartsOptions) -> AutoResult:
    collection = read_texts(source)
    cases = gather_cases(collection, references=False, weights=source.weights).cases
    first_cases, repeat_notes = first_annotations(cases)
    topics = _topics(collection, source, options, first_cases)
    score = _ScoreTopic(_with_absolute_paths(options), collection.systems)
    scored_peers: list[ScoredPeer] = []
    notes: list[tuple[str, str]] = []
    left_out: list[str] = []
    with engine.opened() as workers:
        named_topics = ((f"topic {topic.name}", topic) for topic in topics)
        results = map_topics(workers, score, named_topics, len(topics))
        for topic, (topic_scores, topic_notes, topic_left_out) in zip(topics, results, strict=True):
            scored_peers += topic_scores
            notes += [(topic.name, note) for note in topic_notes]
            left_out += topic_left_out
    if not scored_peers:
        raise InputError(f"there is no peer in {collection.name} to annotate", NO_PEER)
    by_system = grouped(((peer.address[0], peer.system), peer) for peer in scored_peers)
    records = [_record(*key, peers) for key, peers in by_system.items()]
    records.sort(
        key=lambda record: (
            natural_order(record["task"]),
            -record["expected"],
            natural_order(record["system"]),
        )
    )
    left_out = [*left_out, *repeat_notes, *grouped_notes(notes)]
    return AutoResult(
        command="pyramid auto",
        signature=_signature(options, collection.data_hash),
        values=records,
        tables=[_scores_table(records)],
        left_out=(*source_notes(collection, exclude=("empty pyramid",)), *left_out),
        annotations=_annotation_set(collection, scored_peers, MEASURES[options.by]),
    )


def _annotation_set(
    collection: Collection, scored_peers: Sequence[ScoredPeer], measures: tuple[str, str]
) -> AnnotationSet:
    pyramids, judgments = {}, []
    peers: dict[tuple[str, ...], PeerAnnotation] = {}
    for peer in scored_peers:
        task, topic = address = peer.address
        pyramids[address] = peer.annotation.annotation.pyramid
        peers[*address, peer.system] = peer.annotation.annotation
        for measure, value in zip(measures, (peer.expected, peer.annotated), strict=True):
            judgments.append(Judgment(topic, peer.system, measure, value, task, peer.kind))
    list_addresses = dict.fromkeys(
        address_name(*peer.address) for peer in scored_peers if peer.is_list
    )
    return AnnotationSet(collection, pyramids, peers, judgments, lists=tuple(list_addresses))


def _signature(options: AutoOptions, data: str) -> Signature:
    judge = options.judge
    return signed(
        MEASURES[options.by][0],
        data,
        model=model_digest(options.load_model()),
        units="references" if options.units == "references" else "",
        parser="" if options.parser == "light" else options.parser,
        entailment=judge.name if judge is not None else "",
    )


@dataclass(frozen=True)
class _ScoreTopic:
    """Scores the summaries of a topic, in this process or on a worker."""

    options: AutoOptions
    kinds: Mapping[str, str]

    @cached_property
    def _annotator(self) -> Callable[..., Annotator]:
        options = self.options
        return partial(Annotator, by=options.by, model=options.load_model(), judge=options.judge)

    def __call__(self, topic: _Topic) -> tuple[list[ScoredPeer], list[str], list[str]]:
        """Return the scores, notes on the units, and what is left out."""
        units, pyramid, is_built = topic.units, topic.pyramid, topic.units is None
        if units is None:
            pyramid = self.options.build(topic.references) or Pyramid("")
            units = TopicUnits.of(pyramid)
        # The units are taken from the references, whose writers are therefore not scored.
        writers = {*topic.references, *(reference_writers(pyramid) if pyramid else ())}
        texts = {name: text for name, text in topic.texts.items() if name not in writers}
        left_out, weighing = list(note_wordless(topic.name, texts)), units.weighing
        if not (weighing.units and weighing.most(weighing.size)):
            return [], [], [f"{topic.name}: too few content units to score by", *left_out]
        if not texts:
            return [], [], left_out
        annotator = self._annotator(
            units if pyramid is None else pyramid, topic.references, peers=topic.peers,
            answers=topic.answers, weights=weighing.weights, built=is_built,
        )  # fmt: skip
        max_weight, scored_peers = annotator.most(weighing), []
        for system, text in texts.items():
            scores = _score(annotator, weighing, text, system)
            scored_peers.append(ScoredPeer(
                topic.address, units.uids, pyramid is None, system,
                self.kinds.get(system, "machine"), *scores,
                topic.manual.get(system, float("nan")), max_weight,
            ))  # fmt: skip
        # Annotations with a list are not written, so renamed uids need no note.
        renamed_units = () if pyramid is None else annotator.renamed
        return scored_peers, [*renamed_units, *annotator.unworded], left_out


def _scores_table(records: Sequence[Mapping[str, Any]]) -> Table:
    has_no_manual_scores = all(np.isnan(record.get("manual", np.nan)) for record in records)
    columns = _COLUMNS if has_no_manual_scores else (*_COLUMNS, "manual")
    rows = tuple(tuple(record[name] for name in columns) for record in records)
    return without_tasks(Table(columns, rows, title=_TITLE, note=_NOTE, name="systems"))


def _record(task: str, system: str, peers: Sequence[ScoredPeer]) -> dict[str, Any]:
    fields = {"task": task, "system": system, "kind": peers[0].kind, "n": len(peers)}
    scores = ("expected", "annotated", "manual")
    means = {name: _mean([getattr(peer, name) for peer in peers]) for name in scores}
    return fields | means | {"summaries": list(map(_summary_record, peers))}


def _mean(values: Sequence[float]) -> float:
    """Average the numbers that are not NaN; NaN if there are none."""
    numbers = [value for value in values if not np.isnan(value)]
    return float(np.mean(numbers)) if numbers else float("nan")


def _summary_record(peer: ScoredPeer) -> dict[str, Any]:
    units = zip(peer.uids, peer.annotation.annotation.scus, strict=False)
    return {
        "topic": peer.address[1],
        "expected": peer.expected,
        "annotated": peer.annotated,
        "manual": peer.manual,
        "expected_weight": peer.annotation.expected_weight,
        "expected_units": peer.annotation.expected_units,
        "max": peer.max_weight,
        "scus": [uid for uid, scu in units if scu.contributors],
    }


def model_digest(model: SimilarityModel) -> str:
    """Hash the numbers of a model to eight hexadecimal digits."""
    return hashlib.sha256(repr(model).encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class BuiltPyramid:
    """A pyramid that was built from a topic's references."""

    task: str
    topic: str
    references: int
    pyramid: Pyramid

    @property
    def tiers(self) -> dict[int, int]:
        """Number of content units of each weight, the heaviest first."""
        counts = {weight: len(scus) for weight, scus in self.pyramid.tiers().items()}
        return {weight: counts.get(weight, 0) for weight in range(self.references, 0, -1)}


@dataclass(frozen=True, slots=True)
class ReferenceSource(PyramidSource):
    """The source of references."""

    source: Source | Pyramid = argument("References: a collection in any format, or .pyr files.")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BuildResult(Result[BuiltPyramid]):
    """A result with the pyramids that were built."""

    saves = (
        replace(
            FOLDER, help="Write the pyramids as .pyr files to this new folder.", settings=Options,
        ),
    )  # fmt: skip

    annotations: AnnotationSet


@question
def build_pyramids(source: ReferenceSource, building: Building) -> BuildResult:
    """Build pyramids from references alone, by grouping similar statements.

    From a single reference, every content unit has weight 1.

    Examples
    --------
    >>> from pyramidion import Collection, Summary
    >>> texts = {"A": "Ten people died.", "B": "Ten people have died."}
    >>> mine = Collection("mine", summaries=tuple(
    ...     Summary("T1", writer, text, kind="human") for writer, text in texts.items()))
    >>> build_pyramids(mine)[0].tiers
    {2: 1, 1: 0}
    """
    collection = read_texts(source)
    references_by_topic = _references(collection)
    references = {
        key: references_by_topic[key]
        for key in chosen_addresses(references_by_topic, source.topic, source.task)
    }
    built_pyramids, left_out = [], list(reader_notes(collection))
    for address, texts in references.items():
        pyramid = building.build(texts)
        if pyramid is None:
            left_out.append(f"{address_name(*address)}: no words")
        else:
            built_pyramids.append(BuiltPyramid(*address, len(texts), pyramid))
    if not built_pyramids:
        hint = "add references (role reference or both) to its summaries"
        raise InputError(f"no topic in {collection.name} has a reference with words", hint=hint)
    pyramids = {(item.task, item.topic): item.pyramid for item in built_pyramids}
    model = model_digest(building.load_model())
    return BuildResult(
        command="pyramid auto build",
        signature=signed(
            "pyramid-build", collection.data_hash, model=model, parser=building.parser
        ),
        values=built_pyramids,
        record=_built_record,
        tables=[_built_table(built_pyramids)],
        left_out=tuple(left_out),
        annotations=AnnotationSet(collection, pyramids, pyramids_alone=True),
    )


def _references(collection: Collection) -> dict[tuple[str, str], dict[str, str]]:
    """Return references by topic and writer, from the collection or else from its pyramids."""
    references = summary_texts(collection, references=True)
    for address, pyramid in collection.pyramids.items():
        writers = zip(reference_writers(pyramid), pyramid.references, strict=True)
        texts = {
            name: pyramid.text[reference.start : reference.end].strip()
            for name, reference in writers
        }
        references.setdefault(address, texts)
    return references


def _built_table(built_pyramids: Sequence[BuiltPyramid]) -> Table:
    weights = range(max(item.references for item in built_pyramids), 0, -1)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            built.task,
            built.topic,
            built.references,
            len(built.pyramid.scus),
            *map(built.tiers.get, weights),
        )
        for built in built_pyramids
    )
    weight_headings = (f"weight {weight}" for weight in weights)
    columns = ("task", "topic", "references", "content units", *weight_headings)
    title = "Pyramids built from references: content units by weight"
    return without_tasks(Table(columns, rows, title=title, name="tiers"))


def _built_record(item: BuiltPyramid) -> dict[str, Any]:
    weighted_units = zip(item.pyramid.scus, item.pyramid.weights.tolist(), strict=True)
    scus = [
        {"uid": scu.uid, "label": scu.label, "weight": weight} for scu, weight in weighted_units
    ]
    names = ("task", "topic", "references", "tiers")
    return {name: getattr(item, name) for name in names} | {"scus": scus}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FitResult(Result[dict[str, Any]]):
    """The calibration of models, and the model that was fitted."""

    saves = (
        Savable(
            "write_model", "Write the fitted model to this file, for `pyramid auto SRC --model`.",
            lambda result: result.model.save, flags=("--output", "-o"), metavar="FILE",
        ),
    )  # fmt: skip

    model: SimilarityModel


_FIT_NOTE = (
    "Found: share of units that people found. Expected: mean probability. Brier: mean squared "
    "difference between the two per unit, and that of always predicting the share found; lower is "
    "better. The fitted model is tested on topics that it was not fitted on."
)


@question
def fit_auto(source: PyramidSource, similarity: Similarity) -> FitResult:
    """Fit the probabilities of `pyramid auto` to your own annotated data.

    Uses answers to lists of content units, annotated peers and the references of pyramids. With
    little data the numbers stay near those of the built-in model.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> result = fit_auto(load_demo(), topic="P01")
    >>> [row["model"] for row in result]
    ['built-in', 'fitted, same topics']
    >>> result[1]["brier"] < result[0]["brier"] < result[0]["base_rate"]
    True
    """
    start, collection = similarity.load_model(), source.read()
    examples = grouped(
        (topic, example)
        for topic, example in similarity_examples(collection)
        if source.takes(example.task, topic)
    )
    all_examples = [example for topic_examples in examples.values() for example in topic_examples]
    if not all_examples:
        message = f"there is nothing in {collection.name} to fit to"
        hint = "it needs pyramids of two or more references, or annotated peers or answers"
        raise InputError(message, hint, where=source.where)
    card = {"data": collection.name, "topics": len(examples), "summaries": len(all_examples)}
    model = fit_similarity(all_examples, start=start, card=card)
    has_several_topics = len(examples) > 1
    calibrations = {
        "built-in" if similarity.model is None else "given": Calibration.of(all_examples, start),
        "fitted, other topics" if has_several_topics else "fitted, same topics": (
            cross_fit(examples, start)
            if has_several_topics
            else Calibration.of(all_examples, model)
        ),
    }
    records: list[dict[str, Any]] = [
        {
            "model": name,
            "answers": len(calibration.answers),
            "found": float(calibration.answers.mean()),
            "expected": float(calibration.probable.mean()),
            "brier": calibration.brier,
            "base_rate": calibration.base_rate,
        }
        for name, calibration in calibrations.items()
    ]
    columns = ("model", "answers", "found", "expected", "Brier", "Brier of the base rate")
    rows: tuple[tuple[Cell, ...], ...] = tuple(tuple(record.values()) for record in records)
    title = "Probabilities compared with human answers"
    return FitResult(
        command="pyramid auto fit",
        signature=signed("pyramid-fit", collection.data_hash, model=model_digest(model)),
        values=records,
        tables=[Table(columns, rows, title=title, note=_FIT_NOTE, name="calibration")],
        left_out=source_notes(collection, exclude=("empty pyramid",)),
        model=model,
    )
