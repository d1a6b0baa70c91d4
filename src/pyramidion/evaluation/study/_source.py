"""What the studies are asked about, and which words count for them."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pyramidion.collection import Collection, Scores, Signature
from pyramidion.collection.checks import require_consistent
from pyramidion.collection.questions import Options, Progress, argument, option
from pyramidion.collection.sources import Source, read_source
from pyramidion.errors import InputError, Where
from pyramidion.evaluation.study._places import StudyPlace, gather_places, require_ids
from pyramidion.text import Tokenizer
from pyramidion.text._encoding import Reading
from pyramidion.text._parsing import Parser, fallback_remark, load_parser


@dataclass(frozen=True, slots=True)
class StudyPart(Options):
    """Which part of a collection a study looks at."""

    topic: tuple[str, ...] = option((), "Which topics, with commas; all by default.")
    task: tuple[str, ...] = option((), "Which tasks, with commas; all by default.")
    source_format: str | None = option(
        None, "Format of the source; guessed by default.", flags=("--from",), metavar="FORMAT"
    )

    def require_in(self, collection: Collection) -> None:
        """Refuse a topic or task that is nowhere in a collection."""
        require_ids(collection, topics=self.topic, tasks=self.task)

    def scores_of(self, collection: Collection) -> Scores:
        """Give the scores of the topics and tasks that are asked for."""
        self.require_in(collection)
        scores = collection.scores
        keep = np.ones(len(scores), dtype=np.bool_)
        for column, wanted in (("topic", self.topic), ("task", self.task)):
            if wanted:
                there = [value in wanted for value in scores.columns[column]]
                keep &= np.array(there, dtype=np.bool_)
        return scores if keep.all() else scores.rows(keep)

    def sign(
        self,
        subject: str,
        collection: Collection,
        *details: tuple[str, object],
        seed: int | None = None,
    ) -> Signature:
        """Sign what a study found; the topics and tasks that were chosen come last."""
        told = tuple((name, str(value)) for name, value in details)
        chosen = (*told, *self.changed("topic", "task"))
        return Signature(f"study-{subject}", data=collection.data_hash, seed=seed, details=chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySource(StudyPart):
    """A collection, and which part of it."""

    source: Source = argument("A collection, in any format.", metavar="SRC")

    def places(self, collection: Collection) -> tuple[list[StudyPlace], list[str]]:
        """Gather the topics that are asked for, and tell what was left out."""
        return gather_places(collection, topics=self.topic, tasks=self.task)

    def read(self) -> Collection:
        """Read the collection."""
        return read_source(self.source, format=self.source_format)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceAndPeers(StudySource):
    """A collection, and more summaries to look at beside its own."""

    peers: Source | None = option(
        None, "More summaries to look at, for instance those `pyramidion summarize` wrote.",
        metavar="FILE",
    )  # fmt: skip

    def read(self) -> Collection:
        """Read the collection, and add the other summaries to it."""
        collection = read_source(self.source, format=self.source_format)
        if self.peers is None:
            return collection
        where = Where(self.peers) if isinstance(self.peers, str | Path) else None
        added = read_source(self.peers).summaries
        if not added:
            raise InputError(
                "there are no summaries in it",
                where=where,
                hint="make some with `pyramidion summarize`",
            )
        both = replace(collection, summaries=(*collection.summaries, *added))
        require_consistent(both, where)
        return both


@dataclass(frozen=True, slots=True)
class CountedWords(Options):
    """Which words count."""

    all_words: bool = option(False, "Count stop words, too.", flags=("--all-words",))
    stem: bool = option(True, "Count all forms of a word as one word.", flags=("--stem/--no-stem",))

    @property
    def name(self) -> str:
        """The words that count, for a signature."""
        return f"{'all' if self.all_words else 'content'} words{', stem' if self.stem else ''}"


@dataclass(frozen=True, slots=True)
class StudyWords(CountedWords):
    """Which words count, and what a word is."""

    tokenizer: Tokenizer = option(
        "unicode", "What splits texts into words: unicode for any script, or rouge."
    )

    @property
    def reading(self) -> Reading:
        """How words are found."""
        return Reading(self.stem, not self.all_words, self.tokenizer)


@dataclass(frozen=True, slots=True)
class MostFrequent(Options):
    """How many most frequent words or content units are looked for."""

    top: tuple[int, ...] = option(
        (5, 8, 12), "How many most frequent ones, with commas.", metavar="NUMBERS", least=1
    )

    def check(self) -> None:
        """Refuse no number at all."""
        if not self.top:
            raise InputError("no number of most frequent ones", hint="give one or more")


@dataclass(frozen=True, slots=True)
class AbsentWords(Options):
    """What a word is worth that the input lacks."""

    absent: float = option(
        0.0005, "A word that the input lacks is as likely as one that is there N times.",
        metavar="N",
    )  # fmt: skip

    def check(self) -> None:
        """Refuse what makes a summary with such a word impossible."""
        if self.absent <= 0:
            raise InputError(f"absent is {self.absent}", hint="give more than 0")


@dataclass(frozen=True, slots=True)
class StudyParser(Options):
    """What parses texts, for studies that look for people."""

    pipeline: str = option(
        "", "What parses: light, or a spaCy pipeline or its folder.", metavar="NAME"
    )
    progress: Progress = option(Progress(), "Who is told how far it is.", typed=False)

    def load(self) -> Parser:
        """Load the parser, and tell if it is not the usual one."""
        if remark := fallback_remark(self.pipeline):
            self.progress.message(remark)
        return load_parser(self.pipeline)
