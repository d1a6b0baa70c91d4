"""Collections: the data of one evaluation."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from pyramidion.collection._preferences import Preferences
from pyramidion.collection._scores import Scores
from pyramidion.collection.findings import Finding
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.collection.measures import Measure, Scale, find_measure, merge_scales
from pyramidion.collection.pyramids import PeerAnnotation, Pyramid
from pyramidion.collection.summaries import Category, Document, Summary, Topic
from pyramidion.errors import InputError, NotFoundError, Where, known_names

#: A placeholder: `Task` replaces it by the default for its documents.
BY_DOCUMENTS: tuple[str, ...] = ("",)


@dataclass(frozen=True, slots=True)
class Task:
    """A summarization task.

    Parameters
    ----------
    id
        Its name; ``A`` is TAC's initial summary and ``B`` its update summary.
    title
        The task in words.
    documents
        The set of documents to summarize (see `Document.set`), several sets, or ``all``.
    word_limit
        The maximum number of space-delimited words, if there is one.
    known
        The sets of documents that the reader has read before; by default ``base`` for a task that
        summarizes ``update``, none for others.

    Examples
    --------
    >>> Task("B", "update", documents="update", word_limit=100).known
    ('base',)
    >>> Task("C", "second update", documents="C", known=("base", "update")).is_update
    True
    """

    id: str
    title: str = ""
    documents: str | tuple[str, ...] = "all"
    word_limit: int | None = None
    known: tuple[str, ...] = BY_DOCUMENTS

    def __post_init__(self) -> None:
        if not isinstance(self.documents, str):
            sets = tuple(self.documents)
            object.__setattr__(self, "documents", sets[0] if len(sets) == 1 else sets)
        if not self.documents or "" in self._document_sets:
            raise InputError(f"task {self.id} summarizes no documents", "name a set, or use: all")
        default = ("base",) if self.documents == "update" else ()
        known_sets = default if self.known is BY_DOCUMENTS else tuple(self.known)
        object.__setattr__(self, "known", known_sets)
        if conflicting_sets := [name for name in known_sets if self.summarizes(name)]:
            message = (
                f"task {self.id} summarizes documents that its reader knows: {conflicting_sets[0]}"
            )
            raise InputError(message, "list a set either under `documents` or under `known`")
        if self.word_limit is not None and self.word_limit < 0:
            message = f"task {self.id} has a limit of {self.word_limit} words"
            raise InputError(message, "give 0 or more")

    @property
    def _document_sets(self) -> tuple[str, ...]:
        return (self.documents,) if isinstance(self.documents, str) else self.documents

    @property
    def is_update(self) -> bool:
        """Whether its reader knows earlier documents."""
        return bool(self.known)

    def summarizes(self, set: str) -> bool:
        """Return whether a set of documents is to be summarized."""
        return self.documents == "all" or set in self._document_sets

    def precedes(self, task: "Task") -> bool:
        """Return whether the reader of another task knows all that this one summarizes."""
        return self.documents != "all" and {*self._document_sets} <= {*task.known}


@dataclass(frozen=True, repr=False)
class Collection:
    """Topics, summaries, scores and pyramids of one evaluation.

    Everything is identified by task, topic and system, never by position. A collection may be
    partial: only scores, only summaries, only pyramids.

    Parameters
    ----------
    name, description, notice
        The notice says what users must know (license, origin).
    tasks
        The declared tasks; summaries may name others.
    scales, measures
        Scales and measures by name, which take precedence over those of `find_measure`.
    categories
        Categories of topics in addition to TAC's.
    pyramids
        The current version of each pyramid, by (task, topic).
    peer_annotations
        Annotated peers by (task, topic, system, assessor, occasion); the last two may be left
        out. An annotation holds the version of the pyramid it was based on.
    preferences
        Which of two summaries people found better.
    versions
        Other versions of pyramids by (task, topic, version).
    left_out, repaired
        What a reader left out and what it repaired, one line each.
    doubts
        What a reader found implausible.
    findings
        All suspicious findings, after the data have been checked.
    source_systems
        The systems of each file or folder that was read, in their order.
    pairing
        How the items of several logs were matched, by task.

    Examples
    --------
    >>> collection = Collection("mine", summaries=(Summary("T1", "A", "Rain.", kind="human"),
    ...                                            Summary("T1", "7", "It rained.")))
    >>> [summary.system for summary in collection.references("T1")]
    ['A']
    >>> [summary.system for summary in collection.peers("T1")]
    ['A', '7']
    """

    name: str
    description: str = ""
    notice: str = ""
    tasks: tuple[Task, ...] = ()
    scales: Mapping[str, Scale] = field(default_factory=dict)
    measures: Mapping[str, Measure] = field(default_factory=dict)
    categories: tuple[Category, ...] = ()
    topics: tuple[Topic, ...] = ()
    summaries: tuple[Summary, ...] = ()
    scores: Scores = field(default_factory=lambda: Scores({}, []))
    pyramids: Mapping[tuple[str, str], Pyramid] = field(default_factory=dict)
    peer_annotations: Mapping[tuple[str, ...], PeerAnnotation] = field(default_factory=dict)
    versions: Mapping[tuple[str, str, str], Pyramid] = field(default_factory=dict)
    preferences: Preferences = field(default_factory=lambda: Preferences({}))
    left_out: tuple[str, ...] = field(default=(), compare=False)
    repaired: tuple[str, ...] = field(default=(), compare=False)
    doubts: tuple[Finding, ...] = field(default=(), compare=False)
    findings: tuple[Finding, ...] | None = field(default=None, compare=False)
    source_systems: tuple[tuple[str, ...], ...] = field(default=(), compare=False)
    pairing: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        scales, measures = merge_scales(self.scales, self.measures)
        object.__setattr__(self, "scales", scales)
        object.__setattr__(self, "measures", measures)
        annotations = {(*key, "", "")[:5]: peer for key, peer in self.peer_annotations.items()}
        object.__setattr__(self, "peer_annotations", annotations)

    @classmethod
    def load(cls, path: str | Path, *, format: str | None = None) -> "Collection":
        """Read a collection in any supported format, and refuse an inconsistent one."""
        from pyramidion.collection.checking import with_findings
        from pyramidion.collection.formats import read_collection

        return with_findings(read_collection(path, format=format), Where(path))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        columns: Mapping[str, str | Sequence[str]] | None = None,
        measures: Mapping[str, str] | Sequence[str] = (),
        name: str = "",
    ) -> "Collection":
        """Create a collection from a data frame with one summary, judgment or both per row.

        Parameters
        ----------
        frame
            A pandas, polars or other eager data frame.
        columns
            The column of each part: ``topic``, ``system``, ``text``, ``reference``, ``document``,
            ``assessor``, ``task``, ``kind``, ``measure``, ``value`` and others. Several columns
            may hold texts, references and documents. Columns with usual names (``id``, ``model``,
            ``prediction``, ``target``, ...) are recognized.
        measures
            The column of each measure; by default every other numeric column.

        Examples
        --------
        >>> import polars
        >>> frame = polars.DataFrame({"id": ["T1", "T1"], "team": ["x", "y"], "coh": [4, 2],
        ...                           "prediction": ["Rain.", "Sun."], "target": ["Rain."] * 2})
        >>> mine = Collection.from_frame(frame, measures={"coherence": "coh"})
        >>> [summary.system for summary in mine.peers("T1")], mine.scores.measures
        (['x', 'y'], ('coherence',))
        """
        from pyramidion.collection._raw import table_from_frame
        from pyramidion.collection.checking import require_consistent, with_findings
        from pyramidion.collection.formats._table import collection_of, find_columns

        raw_table = table_from_frame(frame, name)
        measure_columns = (
            measures if isinstance(measures, Mapping) else {name: name for name in measures}
        )
        collection = collection_of(
            raw_table, find_columns(raw_table, columns or {}, measure_columns)
        )
        require_consistent(collection)
        return with_findings(collection)

    def save(self, path: str | Path, *, format: str | None = None, replace: bool = False) -> None:
        """Write the collection to a file or folder (see `formats.write_collection`)."""
        from pyramidion.collection.formats import write_collection

        write_collection(self, path, format=format, replace=replace)

    def __repr__(self) -> str:
        parts = ", ".join(f"{number:,} {name}" for name, number in self._sizes().items() if number)
        return f"<Collection {self.name or 'without a name'}: {parts or 'empty'}>"

    def _sizes(self) -> dict[str, int]:
        """Count what the collection holds."""
        return {
            "topics": len(self.topic_ids),
            "systems": len(self.systems),
            "summaries": len(self.summaries),
            "scores": len(self.scores),
            "measures": len(self.scores.measures),
            "preferences": len(self.preferences),
            "pyramids": len(self.pyramids),
            "findings": len(self.findings or ()),
        }

    def _repr_html_(self) -> str:
        rows = {**self._sizes(), "measured": ", ".join(self.scores.measures[:12])}
        cells = (
            f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
            for name, value in rows.items()
            if value
        )
        return f"<p><b>Collection {escape(self.name)}</b></p><table>{''.join(cells)}</table>"

    def topic(self, id: str) -> Topic:
        """Return a topic by its id."""
        if id not in self._topics:
            hint = known_names(id, (topic.id for topic in self.topics))
            raise NotFoundError(f"there is no topic {id!r}", hint)
        return self._topics[id]

    @cached_property
    def _topics(self) -> dict[str, Topic]:
        # If an id is repeated, which is reported as an error, the first topic wins.
        return {topic.id: topic for topic in reversed(self.topics)}

    def task(self, id: str) -> Task:
        """Return a task by its id; an undeclared one has no limit."""
        return next((task for task in self.tasks if task.id == id), Task(id))

    def references(self, topic: str, task: str = "") -> tuple[Summary, ...]:
        """Return the references of a topic for a task; refuse an unknown id."""
        return tuple(s for s in self._summaries_of(topic, task) if s.is_reference)

    def peers(self, topic: str, task: str = "") -> tuple[Summary, ...]:
        """Return the summaries of a topic and task that are to be scored."""
        return tuple(s for s in self._summaries_of(topic, task) if s.is_peer)

    def earlier_references(self, topic: str, task: str = "") -> tuple[Summary, ...]:
        """Return the references of the tasks that precede an update."""
        update = self.task(task)
        earlier_tasks = [
            earlier_task.id for earlier_task in self.tasks if earlier_task.precedes(update)
        ]
        groups = (self._by_topic.get((id, topic), []) for id in earlier_tasks)
        return tuple(s for summaries in groups for s in summaries if s.is_reference)

    def documents(self, topic: str, task: str = "") -> tuple[Document, ...]:
        """Return the documents of a topic that a task summarizes."""
        return self._documents_where(topic, self.task(task).summarizes)

    def known_documents(self, topic: str, task: str = "") -> tuple[Document, ...]:
        """Return the documents of a topic that the reader has read before."""
        return self._documents_where(topic, self.task(task).known.__contains__)

    def _documents_where(self, id: str, is_included: Callable[[str], bool]) -> tuple[Document, ...]:
        topic = self._topics.get(id)
        return tuple(d for d in topic.documents if is_included(d.set)) if topic else ()

    def by_topic(self) -> "dict[str, Collection]":
        """Return a collection for each topic, with its texts and pyramids but no scores."""
        fields_by_topic: dict[str, dict[str, Any]] = {}
        for summary in self.summaries:
            fields_by_topic.setdefault(summary.topic, {}).setdefault("summaries", []).append(
                summary
            )
        for id, topic in self._topics.items():
            fields_by_topic.setdefault(id, {})["topics"] = (topic,)
        for name in ("pyramids", "peer_annotations", "versions"):
            for key, value in getattr(self, name).items():
                fields_by_topic.setdefault(key[1], {}).setdefault(name, {})[key] = value
        shared_fields = {
            name: getattr(self, name) for name in ("name", "tasks", "scales", "categories")
        }
        return {
            id: Collection(
                **shared_fields,
                **topic_fields | {"summaries": tuple(topic_fields.get("summaries", ()))},
            )
            for id, topic_fields in fields_by_topic.items()
        }

    def annotations_of(
        self, task: str, topic: str, system: str
    ) -> dict[tuple[str, str], PeerAnnotation]:
        """Return the annotations of a summary by assessor and occasion."""
        return self._annotations.get((task, topic, system), {})

    def annotation(self, task: str, topic: str, system: str) -> PeerAnnotation | None:
        """Return the first annotation of a summary, if there is one."""
        return next(iter(self.annotations_of(task, topic, system).values()), None)

    @cached_property
    def _annotations(self) -> dict[tuple[str, ...], dict[tuple[str, str], PeerAnnotation]]:
        annotations: dict[tuple[str, ...], dict[tuple[str, str], PeerAnnotation]] = {}
        for (*summary, assessor, occasion), peer in self.peer_annotations.items():
            annotations.setdefault(tuple(summary), {})[assessor, occasion] = peer
        return annotations

    @property
    def named_pyramids(self) -> dict[tuple[str, str, str], Pyramid]:
        """Every pyramid by (task, topic, version); the version of the current ones is empty."""
        current_pyramids = {
            (task, topic, ""): pyramid for (task, topic), pyramid in self.pyramids.items()
        }
        return current_pyramids | dict(self.versions)

    def pyramid_versions(self, task: str, topic: str) -> dict[str, Pyramid]:
        """Return every version of a pyramid by name; the current one is called "".

        A version that only annotations have is named by its digest.
        """
        all_pyramids = self.named_pyramids.items()
        versions = {key[2]: pyramid for key, pyramid in all_pyramids if key[:2] == (task, topic)}
        for key, peer in self.peer_annotations.items():
            if key[:2] == (task, topic) and peer.pyramid not in versions.values():
                versions[peer.pyramid.digest[:8]] = peer.pyramid
        return versions

    def _summaries_of(self, topic: str, task: str) -> list[Summary]:
        summaries = self._by_topic.get((task, topic), [])
        if not summaries:
            for kind, id, ids in (("task", task, self.task_ids), ("topic", topic, self.topic_ids)):
                if id not in ids:
                    raise NotFoundError(f"there is no {kind} {id!r}", known_names(id, ids))
        return summaries

    @cached_property
    def _by_topic(self) -> dict[tuple[str, str], list[Summary]]:
        return grouped(((summary.task, summary.topic), summary) for summary in self.summaries)

    @cached_property
    def systems(self) -> dict[str, str]:
        """The kind of each system, machines first, in natural order."""
        kinds = {summary.system: str(summary.kind) for summary in self.summaries}
        columns = self.scores.columns
        rows = zip(columns["system"], columns["kind"], columns["unit"], strict=True)
        for system, kind, unit in dict.fromkeys(rows):
            # Judged sentences of the input do not belong to a system.
            if not (unit and system == "input"):
                kinds.setdefault(system, kind)
        for system in self.preferences.coded.systems:
            kinds.setdefault(system, "machine")
        order = sorted(kinds, key=lambda system: (kinds[system] == "human", natural_order(system)))
        return {system: kinds[system] for system in order}

    @cached_property
    def task_ids(self) -> tuple[str, ...]:
        """Every task that is declared or used."""
        return self._all_ids("task", (task.id for task in self.tasks))

    @cached_property
    def topic_ids(self) -> tuple[str, ...]:
        """Every topic that is declared or used."""
        return self._all_ids("topic", (topic.id for topic in self.topics))

    def _all_ids(self, kind: str, ids: Iterable[str]) -> tuple[str, ...]:
        """Return the tasks or topics that are declared, then those that are only used."""
        used_ids = {getattr(summary, kind) for summary in self.summaries}
        used_ids |= {*self.scores.columns[kind], *self.preferences.columns[kind]}
        index = ("task", "topic").index(kind)
        used_ids |= {key[index] for key in (*self.named_pyramids, *self.peer_annotations)}
        declared_ids = dict.fromkeys(ids)
        return (*declared_ids, *sorted(used_ids - declared_ids.keys(), key=natural_order))

    @cached_property
    def human_measures(self) -> tuple[str, ...]:
        """The measures that people judged: known as such, or with assessors."""
        columns = self.scores.columns
        # Judgments of language models are not human, regardless of the measure.
        is_from_person = ~self.scores.by_model
        assessed_measures = set(columns["measure"][is_from_person & (columns["assessor"] != "")])
        names = self.scores.rows(is_from_person).measures
        definitions = ((name, find_measure(name, self.measures)) for name in names)
        return tuple(
            name
            for name, measure in definitions
            if (measure.human if measure else name in assessed_measures)
        )

    @cached_property
    def data_hash(self) -> str:
        """Eight hexadecimal digits that change when a text, a score or a pyramid does."""
        content = "\0".join(self._content()).encode("utf-8", "surrogatepass")
        return hashlib.sha256(content).hexdigest()[:8]

    @cached_property
    def summary_lines(self) -> list[str]:
        """The summaries as lines of JSON, for both the hash and the file."""
        return [summary.to_line() for summary in self.summaries]

    def _content(self) -> list[str]:
        """List everything that affects results, in a fixed order."""
        return [
            *sorted(topic.to_line() for topic in self.topics),
            *sorted(self.summary_lines),
            *sorted(map("\x1f".join, self.scores.texts())),
            *sorted(f"{key}{pyramid!r}" for key, pyramid in self.pyramids.items()),
            *sorted(
                f"{key if any(key[3:]) else key[:3]}{peer!r}"
                for key, peer in self.peer_annotations.items()
            ),
            *sorted(f"{key}{pyramid!r}" for key, pyramid in self.versions.items()),
            *sorted(self.preferences.lines()),
        ]
