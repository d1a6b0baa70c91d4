"""What the studies share: topics with their texts, options and results."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection, Scores, Summary
from pyramidion.collection.checking import require_consistent
from pyramidion.collection.findings import address_name
from pyramidion.collection.ids import natural_orders
from pyramidion.collection.sources import Source, read_source
from pyramidion.comparison.common import require_known, rows_of
from pyramidion.errors import InputError, Where
from pyramidion.questions import Options, Progress, Signature, argument, option
from pyramidion.questions.common import source_format_option
from pyramidion.rendering.result import Chart, Result
from pyramidion.rendering.saving import FIGURE_FILE, no_message
from pyramidion.rendering.table import Table
from pyramidion.stats.correlation import Correlation
from pyramidion.text import Tokenizer, load_parser, split_sentences
from pyramidion.text.encoding import Reading, encode
from pyramidion.text.parsing import Parser, fallback_remark

T = TypeVar("T")

#: Names of the kinds of summarizers in texts.
KINDS = {"human": "people", "machine": "machines"}
#: The main figure, written without a message.
STUDY_FIGURE = replace(FIGURE_FILE, message=no_message)


class StudyResult(Result[T]):
    """The result of a study, whose figure can be saved."""

    saves = (STUDY_FIGURE,)


@dataclass(frozen=True, slots=True)
class TopicTexts:
    """A topic of a task: its documents, references and machine summaries."""

    task: str
    topic: str
    documents: tuple[str, ...]
    references: tuple[Summary, ...]
    machines: tuple[Summary, ...]

    @property
    def name(self) -> str:
        """The topic and task, for messages."""
        return address_name(self.task, self.topic)

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """All summaries, those by people first."""
        return self.references + self.machines


@dataclass(frozen=True, slots=True, eq=False)
class TopicWords:
    """How often each word occurs in the input and in each summary of a topic."""

    texts: TopicTexts
    words: Sequence[str]
    input: Ints
    references: Ints
    machines: Ints

    @classmethod
    def of(cls, texts: TopicTexts, reading: Reading) -> "TopicWords":
        """Count the words of a topic."""
        plain_texts = ["\n".join(texts.documents), *(summary.plain for summary in texts.summaries)]
        encoded_texts = encode(plain_texts, **asdict(reading))
        n_words, first_machine = len(encoded_texts.words), 1 + len(texts.references)
        rows = [
            np.bincount(encoded_texts.text(n), minlength=n_words) for n in range(len(encoded_texts))
        ]
        table = np.array(rows, dtype=np.int64).reshape(len(encoded_texts), n_words)
        return cls(
            texts, encoded_texts.words, table[0], table[1:first_machine], table[first_machine:]
        )

    def ranked(self, n: int) -> list[int]:
        """Return the most frequent words of the input, the most frequent first."""
        order = np.argsort(-self.input, kind="stable")[:n]
        return [int(word) for word in order if self.input[word]]


def count_words_of(
    topics: Iterable[TopicTexts], reading: Reading
) -> tuple[list[TopicWords], list[str]]:
    """Count the words of topics; topics whose input has no word that counts are left out."""
    topic_words = [TopicWords.of(topic, reading) for topic in topics]
    if not any(words.input.any() for words in topic_words):
        hint = "count all words, or use the unicode tokenizer for other scripts"
        raise InputError("no input has a word that counts", hint=hint)
    wordless_topics = [words.texts.name for words in topic_words if not words.input.any()]
    left_out = [f"{name}: the input has no word that counts" for name in wordless_topics]
    return [words for words in topic_words if words.input.any()], left_out


def sentences_of(summary: Summary) -> list[str]:
    """Return the sentences of a summary, split here if it is a single text."""
    text = summary.text
    return split_sentences(text) if isinstance(text, str) else list(text)


def most_common(values: Iterable[int]) -> int:
    """Return the most frequent number; on ties, the largest."""
    counts = Counter(values)
    return max(counts, key=lambda value: (counts[value], value), default=0)


def correlation_of(
    correlation_function: Callable[..., Correlation],
    x: Floats | Ints,
    y: Floats | Ints,
    n: int,
    reason: str,
) -> Correlation:
    """Correlate numbers; fewer than `n` pairs leave it undefined, for the given reason."""
    if len(x) < n:
        return Correlation(np.nan, np.nan, np.nan, len(x), "t", reason)
    return correlation_function(x, y)


def top_weights(values: npt.ArrayLike, n: int) -> Floats:
    """Assign weight 1 to the `n` largest values; values tied for the last ranks share it.

    Zeros never count.
    """
    counts = np.asarray(values, dtype=np.float64)
    positive_counts = np.sort(counts[counts > 0])[::-1]
    if len(positive_counts) <= n:
        return np.where(counts > 0, 1.0, 0.0)
    cutoff_count = positive_counts[n - 1]
    is_above, is_tied = counts > cutoff_count, counts == cutoff_count
    return np.asarray(is_above + is_tied * ((n - is_above.sum()) / is_tied.sum()))


@dataclass(frozen=True, slots=True)
class StudyPart(Options):
    """Which part of a collection is studied."""

    topic: tuple[str, ...] = option((), "Topics to include, comma-separated; all by default.")
    task: tuple[str, ...] = option((), "Tasks to include, comma-separated; all by default.")
    source_format: str | None = source_format_option("source")

    def includes(self, task: str, topic: str) -> bool:
        """Return whether a topic of a task is included."""
        return topic in (self.topic or (topic,)) and task in (self.task or (task,))

    def require_in(self, collection: Collection) -> None:
        """Raise an error for a topic or task that the collection does not have."""
        topics, tasks = collection.topic_ids, collection.task_ids
        for kind, names, available_names in (
            ("topic", self.topic, topics),
            ("task", self.task, tasks),
        ):
            for name in (name for name in names if name not in available_names):
                require_known(kind, name, list(filter(None, available_names)))

    def scores_of(self, collection: Collection) -> Scores:
        """Return the scores of the included topics and tasks."""
        self.require_in(collection)
        scores = collection.scores
        if not (self.topic or self.task):
            return scores
        is_included = [self.includes(*row) for row in rows_of(scores, "task", "topic")]
        return scores.rows(np.array(is_included, dtype=np.bool_))

    def topics_of(self, collection: Collection) -> tuple[list[TopicTexts], list[str]]:
        """Collect the topics that have both documents and summaries by people."""
        self.require_in(collection)
        keys = {(summary.task, summary.topic) for summary in collection.summaries}
        topics, left_out = [], []
        for task, topic in sorted(keys, key=natural_orders):
            if not self.includes(task, topic):
                continue
            references = collection.references(topic, task)
            machines = [peer for peer in collection.peers(topic, task) if peer.kind == "machine"]
            documents = (document.text for document in collection.documents(topic, task))
            texts = TopicTexts(
                task, topic, tuple(text for text in documents if text.strip()),
                tuple(summary for summary in references if summary.plain.strip()),
                tuple(summary for summary in machines if summary.plain.strip()),
            )  # fmt: skip
            if texts.documents and texts.references:
                topics.append(texts)
            else:
                missing_part = "summary by a person" if texts.documents else "documents"
                left_out.append(f"{texts.name}: it has no {missing_part}")
        if topics:
            return topics, left_out
        if not any(topic.documents for topic in collection.topics):
            hint = "this study compares summaries with their input: add it to topics.jsonl"
            raise InputError(f"no topic of {collection.name} has documents", hint=hint)
        if not left_out:
            raise InputError(f"there are no summaries in {collection.name}", hint="add some")
        suffix = f" (and {len(left_out) - 1} more)" if len(left_out) > 1 else ""
        message = f"no topic has both documents and a summary by a person: {left_out[0]}{suffix}"
        raise InputError(message, hint="add what is missing")

    def sign(
        self,
        subject: str,
        collection: Collection,
        details: Iterable[tuple[str, object]],
        seed: int | None = None,
    ) -> Signature:
        """Return the signature of a study; the chosen topics and tasks come last."""
        detail_items = (
            *((name, str(value)) for name, value in details),
            *self.changed("topic", "task"),
        )
        return Signature(
            f"study-{subject}", data=collection.data_hash, seed=seed, details=detail_items
        )

    def result(
        self,
        study: str,
        collection: Collection,
        values: Sequence[T],
        record: Callable[[T], Mapping[str, Any]],
        tables: Iterable[Table],
        charts: Sequence[Chart],
        *,
        scope: object = "",
        details: Iterable[tuple[str, object]] = (),
        seed: int | None = None,
        left_out: Iterable[str] = (),
    ) -> StudyResult[T]:
        """Return the result of a study; its signature has `scope` in brackets, then `details`."""
        subject = f"{study}({scope})" if scope else study
        return StudyResult(
            command=f"study {study}",
            signature=self.sign(subject, collection, details, seed),
            values=values,
            record=lambda value: {"study": study, **record(value)},
            tables=list(tables),
            left_out=(*collection.left_out, *left_out),
            charts=charts,
        )


#: Every topic of every task.
EVERYTHING = StudyPart()


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySource(StudyPart):
    """A collection, and the part of it to study."""

    source: Source = argument("Collection in any format.", metavar="SRC")

    def read(self) -> Collection:
        """Read the collection."""
        return read_source(self.source, format=self.source_format)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceAndPeers(StudySource):
    """A collection, and further summaries to study."""

    peers: Source | None = option(
        None, "File of further summaries to study, such as one written by `pyramidion summarize`.",
        metavar="FILE",
    )  # fmt: skip

    def read(self) -> Collection:
        """Read the collection, and add the further summaries to it."""
        collection = StudySource.read(self)
        if self.peers is None:
            return collection
        where = Where(self.peers) if isinstance(self.peers, str | Path) else None
        if not (peer_summaries := read_source(self.peers).summaries):
            hint = "make some with `pyramidion summarize`"
            raise InputError("there are no summaries in it", where=where, hint=hint)
        all_summaries = replace(collection, summaries=(*collection.summaries, *peer_summaries))
        require_consistent(all_summaries, where)
        return all_summaries


@dataclass(frozen=True, slots=True)
class CountedWords(Options):
    """Which words count."""

    all_words: bool = option(False, "Count stop words as well.", flags=("--all-words",))
    stem: bool = option(True, "Count all forms of a word as one word.", flags=("--stem/--no-stem",))

    @property
    def name(self) -> str:
        """The words that count, for a signature."""
        return f"{'all' if self.all_words else 'content'} words{', stem' if self.stem else ''}"


@dataclass(frozen=True, slots=True)
class StudyWords(CountedWords):
    """Which words count, and what a word is."""

    tokenizer: Tokenizer = option(
        "unicode", "Tokenizer: unicode (any script) or rouge (as ROUGE-1.5.5)."
    )

    @property
    def reading(self) -> Reading:
        """How words are found."""
        return Reading(self.stem, not self.all_words, self.tokenizer)


@dataclass(frozen=True, slots=True)
class UnstemmedWords(StudyWords):
    """Which words count; by default, each form of a word counts separately."""

    stem: bool = option(
        False, "Count all forms of a word as one word.", flags=("--stem/--no-stem",)
    )


@dataclass(frozen=True, slots=True)
class MostFrequent(Options):
    """How many of the most frequent words or content units are studied."""

    top: tuple[int, ...] = option(
        (5, 8, 12), "Numbers of most frequent items to examine, comma-separated.",
        metavar="NUMBERS", min=1,
    )  # fmt: skip

    def check(self) -> None:
        """Require at least one number."""
        if not self.top:
            raise InputError("no number of most frequent items", hint="give one or more")


@dataclass(frozen=True, slots=True)
class AbsentWordOptions(Options):
    """The count given to words that the input lacks."""

    absent: float = option(
        0.0005, "Count given to a word that does not occur in the input, so that its probability "
        "is not zero.", metavar="N",
    )  # fmt: skip

    def check(self) -> None:
        """Require a positive count; otherwise a summary with such a word is impossible."""
        if self.absent <= 0:
            raise InputError(f"absent is {self.absent}", hint="use a value greater than 0")


@dataclass(frozen=True, slots=True)
class ParserOptions(Options):
    """The parser, for studies of references to people."""

    pipeline: str = option(
        "", "Parser: light (built in), or the name or folder of a spaCy pipeline; Pyramidion's "
        "own pipeline by default.", metavar="NAME",
    )  # fmt: skip
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)

    def load(self) -> Parser:
        """Load the parser, and report a fallback."""
        if remark := fallback_remark(self.pipeline):
            self.progress.message(remark)
        return load_parser(self.pipeline)
