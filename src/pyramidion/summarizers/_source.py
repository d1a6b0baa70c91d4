"""The input of a summarizer: sentences of documents, content words, and the question."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import TAC_CATEGORIES, Category, Collection, Document, Topic
from pyramidion.errors import InputError
from pyramidion.rendering.labels import counted
from pyramidion.summarizers._asides import Asides
from pyramidion.summarizers._readable import Readability
from pyramidion.summarizers._replacements import Replacement
from pyramidion.summarizers.sentences import (
    CandidateRules,
    SourceSentence,
    notes_on,
    reading_for,
    require_ids,
    sentences_of,
    word_counts,
)
from pyramidion.text import english_is_installed
from pyramidion.text._tagging import content_only
from pyramidion.text.encoding import Encoded, Reading, as_sentences, encode

#: ``generic``: no question; ``query``: the topic's title and narrative; ``guided``: these and the
#: aspects of the topic's category.
Focus = Literal["generic", "query", "guided"]

FOCUSES: tuple[Focus, ...] = ("generic", "query", "guided")


def query_of(
    topic: Topic, focus: Focus = "query", categories: Sequence[Category] = TAC_CATEGORIES
) -> str:
    r"""Return the text of a topic's question.

    Parameters
    ----------
    topic
        The topic of the summary.
    focus
        What is asked. A topic without a category has no aspects.
    categories
        All categories.

    Examples
    --------
    >>> topic = Topic("T1", title="Ice in Ardel", category="4")
    >>> query_of(topic), query_of(topic, "generic")
    ('Ice in Ardel', '')
    >>> query_of(topic, "guided").splitlines()[2:4]
    ['why it matters', 'threats to the resource']
    """
    if focus not in FOCUSES:
        raise InputError(f"focus is {focus!r}", hint=f"use {' or '.join(FOCUSES)}")
    if focus == "generic":
        return ""
    lines = [topic.title, topic.narrative]
    if focus == "guided":
        aspects = (
            aspect
            for category in categories
            if category.id == topic.category
            for aspect in category.aspects
        )
        lines += [aspect.description or aspect.name for aspect in aspects]
    return "\n".join(line for line in lines if line)


def require_one_question(focus: Focus) -> None:
    """Raise an error if there is a focus in addition to a query, which replaces it."""
    if focus != "query":
        hint = "use one of them: a query replaces the topic's question"
        raise InputError(f"a query and the focus {focus} cannot be combined", hint=hint)


Content = Literal["stop-list", "pos", "all"]
"""How content words are selected: by the reading, by part of speech, or not at all."""

Ids = npt.NDArray[np.int32]

#: Near duplicates share this much of the content words of the shorter sentence.
_MIN_DUPLICATE_SHARE = 0.7
#: Sentences that state the same fact share this much of their content words, on average.
_MIN_FACT_SHARE = 0.4
#: Minimum number of content words of sentences that are compared.
_MIN_COMPARED_WORDS = 3
#: Minimum number of content words of sentences that state the same fact. Shorter ones share many
#: words without doing so, as in reviews of a product: on Opinosis, comparing them lowered ROUGE-2
#: from .112 to .109.
_MIN_FACT_WORDS = 8

_QUERY_HOME, _KNOWN_HOME, _REFERENCES_HOME = 1, 2, 3


@dataclass(frozen=True, eq=False)
class Wording:
    """Sentences, query, known texts and references as word numbers."""

    encoded: Encoded
    documents: Ints

    @classmethod
    def of(
        cls,
        sentences: Sequence[str],
        documents: Ints,
        query: str = "",
        known_texts: Sequence[str] = (),
        references: Sequence[Sequence[str]] = (),
        reading: Reading | None = None,
        content: Content = "stop-list",
    ) -> "Wording":
        """Encode the words of the sentences, the query, the known texts and the references."""
        select = content_only if content == "pos" else list
        texts = [select(text) for text in (sentences, [query], known_texts, *references)]
        return cls(encode(texts, **asdict(reading or Reading())), documents)

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def words(self) -> Sequence[str]:
        """The words (their stems) by number."""
        return self.encoded.words

    @cached_property
    def starts(self) -> Ints:
        """Where each sentence begins in `ids`, and the end."""
        return self.encoded.sentences[: len(self) + 1]

    @cached_property
    def ids(self) -> Ids:
        """The words of all sentences, one after the other."""
        return self.encoded.ids[: self.starts[-1]]

    @cached_property
    def table(self) -> Any:
        """Occurrences of each word (column) in each sentence (row), as a sparse table."""
        return self._count_table(self.ids, self.starts)

    @cached_property
    def rows(self) -> Ints:
        """The number of the sentence of each of `ids`."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """The sentence and the word of each different word of each sentence."""
        row_starts = self.rows * len(self.words)
        codes = row_starts + self.ids
        codes.sort()
        is_different = np.ones(len(codes), dtype=np.bool_)
        np.not_equal(codes[1:], codes[:-1], out=is_different[1:])
        return self.rows[is_different], (codes - row_starts)[is_different]

    @cached_property
    def presence(self) -> Any:
        """Words (columns) in each sentence (row), as a sparse table of ones."""
        from scipy.sparse import csr_array

        sentences, words = self.pairs
        bounds = np.searchsorted(sentences, np.arange(len(self) + 1))
        shape = (len(self), len(self.words))
        return csr_array((np.ones(len(words)), words, bounds), shape=shape)

    @cached_property
    def counts(self) -> Floats:
        """Occurrences of each word in the documents."""
        return self._count_words(self.ids)

    @cached_property
    def query(self) -> Floats:
        """Occurrences of each word in the query."""
        return self._count_words(self.encoded.text(_QUERY_HOME))

    @cached_property
    def known_counts(self) -> Floats:
        """Occurrences of each word in the known texts."""
        return self._count_words(self.encoded.text(_KNOWN_HOME))

    @cached_property
    def known_table(self) -> Any:
        """Occurrences of each word (column) in each known sentence (row), as a sparse table."""
        first, last = self.encoded.texts[_KNOWN_HOME], self.encoded.texts[_KNOWN_HOME + 1]
        bounds = self.encoded.sentences[first : last + 1]
        return self._count_table(self.encoded.text(_KNOWN_HOME), bounds - bounds[0])

    @cached_property
    def references(self) -> list[list[Ids]]:
        """The words of each sentence of each reference."""
        return [
            self.encoded.sentences_of(index) for index in range(_REFERENCES_HOME, len(self.encoded))
        ]

    def sentence(self, number: int) -> Ids:
        """Return the words of a sentence, in their order."""
        return self.ids[self.starts[number] : self.starts[number + 1]]

    def weighed(self, number: int, weights: Floats) -> tuple[tuple[str, float], ...]:
        """Return the distinct words of a sentence with positive weights, heaviest first."""
        values, words = np.zeros(len(weights)), self.sentence(number)
        values[words] = weights[words]
        return heaviest(self.words, values)

    def _count_table(self, ids: Ids, starts: Ints) -> Any:
        from scipy.sparse import csr_array

        shape = (len(starts) - 1, len(self.words))
        table = csr_array((np.ones(len(ids)), ids.copy(), starts.astype(np.int32)), shape=shape)
        table.sum_duplicates()
        return table

    def _count_words(self, ids: npt.NDArray[Any]) -> Floats:
        return np.bincount(ids, minlength=len(self.words)).astype(np.float64)


def heaviest(
    words: Sequence[str], weights: Floats, limit: int | None = None
) -> tuple[tuple[str, float], ...]:
    """List the words with positive weights, heaviest first."""
    order = np.argsort(-weights, kind="stable")
    order = order[: np.count_nonzero(weights > 0)][:limit]
    return tuple(zip(map(words.__getitem__, order.tolist()), weights[order].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Trim:
    """A sentence before trimming, and the trimmed parts."""

    before: str
    replacements: tuple[Replacement, ...]


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Source:
    """An input: sentences, their words, and the question.

    Parameters
    ----------
    texts
        All sentences of all documents, in the documents' order.
    homes, positions
        The number of each sentence's document, and its position there, from 0.
    lengths
        The number of words of each sentence, as a limit counts them.
    documents
        The documents.
    candidates
        Which sentences may be chosen; see `CandidateRules`.
    reading
        How texts become words.
    question
        The question, if any.
    known_texts
        Sentences that the reader already knows: for an update, those of the base documents.
    references
        Summaries by people, for the method `oracle`.
    left_out, notes
        What was left out, with counts, and remarks on how the input was read.
    content
        How content words are selected; see `by_part_of_speech`.
    readability
        Where candidates may appear in a summary; anywhere by default.
    once
        Whether near duplicates are excluded.
    trims
        What was trimmed off sentences, by number; see `trimmed`.
    uncounted
        Sentences whose words do not count, because they occurred before.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day up north. Roads were flooded there."])
    >>> [sentence.index for sentence in source.sentences], source.table.shape[0]
    ([0, 1], 2)
    """

    texts: tuple[str, ...]
    homes: Ints
    positions: Ints
    lengths: Ints
    documents: tuple[Document, ...]
    candidates: Bools
    reading: Reading = field(default_factory=lambda: Reading(stem=True, stop_words=True))
    question: str = ""
    known_texts: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    content: Content = "stop-list"
    readability: Readability | None = None
    once: bool = False
    trims: Mapping[int, Trim] = field(default_factory=dict)
    uncounted: Bools | None = None

    @classmethod
    def of_texts(cls, texts: Iterable[str], **options: Any) -> "Source":
        """Make an input of plain texts, with ids 1, 2 and so on; see `of_documents`."""
        documents = [Document(str(number), text) for number, text in enumerate(texts, start=1)]
        return cls.of_documents(documents, **options)

    @classmethod
    def of_topic(
        cls,
        collection: Collection,
        topic: Topic,
        task: str = "",
        *,
        focus: Focus = "query",
        **options: Any,
    ) -> "Source":
        """Make an input of a collection's topic: its documents, question and known texts.

        For an update, the earlier documents are known. See `query_of` for `focus` and
        `of_documents` for the other options.
        """
        if options.get("query"):
            require_one_question(focus)
        is_in_collection = task in collection.task_ids and topic.id in collection.topic_ids
        references = collection.references(topic.id, task) if is_in_collection else ()
        context = {
            "query": query_of(topic, focus, (*TAC_CATEGORIES, *collection.categories)),
            "known": [document.text for document in collection.known_documents(topic.id, task)],
            "references": [summary.text for summary in references],
        }
        return cls.of_documents(collection.documents(topic.id, task), **(context | options))

    @classmethod
    def of_documents(
        cls,
        documents: Sequence[Document],
        *,
        query: str = "",
        known: Sequence[str] = (),
        references: Sequence[str | Sequence[str]] = (),
        language: str = "auto",
        reading: Reading | None = None,
        rules: CandidateRules | None = None,
    ) -> "Source":
        """Split documents into sentences, and decide which may be chosen.

        Parameters
        ----------
        documents
            What to summarize.
        query
            The question, if any.
        known
            Texts that the reader already knows.
        references
            Summaries by people, for `oracle`, as texts or as sentences.
        language
            Code of the documents' language; `auto` detects it by script and frequent words.
        reading
            How texts become words; by default `reading_for`.
        rules
            Which sentences may be chosen.
        """
        require_ids(documents)
        original_texts = [document.text for document in documents]
        source_reading, language_notes = reading_for(original_texts, language)
        sentence_lists = [sentences_of(text, source_reading.language) for text in original_texts]
        texts = tuple(text for sentences in sentence_lists for text in sentences)
        if not texts:
            raise InputError("there is nothing to summarize", hint="pass documents with text")
        notes = notes_on(documents, texts)
        if reading is None:
            reading, notes = source_reading, (*language_notes, *notes)
        lengths = word_counts(texts)
        sizes = [len(sentences) for sentences in sentence_lists]
        document_indices = np.repeat(np.arange(len(sentence_lists)), sizes)
        positions = np.arange(len(texts)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        rules, is_english = rules or CandidateRules(), reading.language == "en"
        is_repeated = rules.repeated(texts, positions)
        candidates, left_out = rules.apply(texts, lengths, positions, is_repeated)
        return cls(
            texts,
            document_indices,
            positions,
            lengths,
            tuple(documents),
            candidates,
            reading,
            query,
            tuple(
                text
                for document in known
                for text in sentences_of(document, source_reading.language)
            ),
            tuple(text if isinstance(text, str) else "\n".join(text) for text in references),
            left_out,
            notes,
            readability=rules.readability(
                texts, positions, candidates, english=is_english, repeated=is_repeated
            ),
            once=not rules.repeats,
            # If there are two documents, hardly anything but copies occurs twice.
            uncounted=is_repeated & (lengths >= rules.least_words) & (len(documents) > 2),
        )

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def sentences(self) -> tuple[SourceSentence, ...]:
        """The sentences, with their documents and positions."""
        return tuple(map(self.sentence, range(len(self))))

    @cached_property
    def starts(self) -> dict[str, int]:
        """The number of the first sentence of each document that has any."""
        first_numbers = np.flatnonzero(self.positions == 0).tolist()
        return {self.documents[self.homes[number]].id: number for number in first_numbers}

    def sentence(self, number: int) -> SourceSentence:
        """Return a sentence, with its document and position."""
        document_id = self.documents[self.homes[number]].id
        index, words = int(self.positions[number]), int(self.lengths[number])
        return SourceSentence(self.texts[number], document_id, index, words)

    @cached_property
    def wording(self) -> Wording:
        """The content words."""
        return self.read(self.reading)

    def read(self, reading: Reading, *, references: bool = False) -> Wording:
        """Read the texts in another way, or also the references."""
        sentences = [as_sentences(text) for text in self.references] if references else []
        context = self.question, self.known_texts, sentences, reading, self.content
        texts: Sequence[str] = self.texts
        if self.uncounted is not None and self.uncounted.any():
            pairs = zip(texts, self.uncounted.tolist(), strict=True)
            texts = ["" if is_uncounted else text for text, is_uncounted in pairs]
        return Wording.of(texts, self.homes, *context)

    @property
    def usable(self) -> Bools:
        """The candidates that may be chosen, some of them only after the previous sentence."""
        if self.readability is None:
            return self.candidates
        usable = self.candidates & ~self.readability.unfit
        if self._asides is not None:
            suspects = np.flatnonzero(usable & self._asides.suspects).tolist()
            usable[[number for number in suspects if self._asides.has(number)]] = False
            for number in np.flatnonzero(self.leaning & usable).tolist():
                usable[number] = usable[number - 1]
        return usable

    @property
    def leaning(self) -> Bools:
        """The candidates that may only follow the previous sentence."""
        if self.readability is None:
            return np.zeros(len(self), dtype=np.bool_)
        return self.candidates & self.readability.leaning

    @property
    def passed_over(self) -> tuple[str, ...]:
        """Counts of sentences that may not be chosen, or only after another, by reason."""
        reasons = list(self.left_out)
        n_unusable, n_leaning = int((self.candidates & ~self.usable).sum()), int(self.leaning.sum())
        if n_unusable:
            reasons.append(f"{counted(n_unusable, 'sentence')} that cannot stand alone")
            if self.readability and self.readability.english and not english_is_installed():
                reasons[-1] += " (pip install pyramidion-english recognizes more of them)"
        if n_leaning:
            pronoun = "them" if n_leaning > 1 else "it"
            quantity = counted(n_leaning, "sentence")
            reasons.append(f"{quantity} unless the previous one is included with {pronoun}")
        return tuple(reasons)

    def leans(self, number: int) -> bool:
        """Return whether a sentence may only follow the previous one."""
        return self.readability is not None and self.readability.standing(number) == "leaning"

    def headings(self, start: int) -> int:
        """Count the lines above the article whose document begins with this sentence."""
        return 0 if self.readability is None else self.readability.headings(start)

    def place(self, number: int) -> int:
        """Return the position of a sentence in its article, without the headings above it."""
        position = int(self.positions[number])
        return max(position - self.headings(number - position), 0) if position else 0

    def can_open(self, number: int) -> bool:
        """Return whether a summary may open with a sentence."""
        return self.readability is None or self.readability.can_open(number)

    def may_join(self, number: int, taken: Sequence[int], *, facts: bool = False) -> bool:
        """Return whether a candidate may join those already taken.

        One that reads badly on its own may only follow the previous sentence; near duplicates may
        not join, nor sentences that state the same `facts` if these are compared, too.
        """
        # Comparing words is faster than judging a sentence.
        if self.once and taken and self._is_near_duplicate(number, taken, facts=facts):
            return False
        if self.readability is None:
            return True
        if not self.readability.may_join(number, taken):
            return False
        return self._asides is None or not self._asides.has(number)

    @cached_property
    def _asides(self) -> Asides | None:
        """What pages say about themselves, by the words that their articles do not have."""
        if self.readability is None or self.readability.headlines or not self.readability.english:
            return None
        return Asides(self.readability, self.documents, self.homes, *self.wording.pairs)

    def _is_near_duplicate(self, number: int, taken: Sequence[int], *, facts: bool) -> bool:
        words = self._content_words(number)
        for other_words in map(self._content_words, taken):
            n_shorter = min(len(words), len(other_words))
            n_common = len(words & other_words)
            mean_share = (
                n_common
                * (len(words) + len(other_words))
                / max(2 * len(words) * len(other_words), 1)
            )
            is_same_fact = facts and n_shorter >= _MIN_FACT_WORDS and mean_share >= _MIN_FACT_SHARE
            if n_shorter >= _MIN_COMPARED_WORDS and (
                n_common >= _MIN_DUPLICATE_SHARE * n_shorter or is_same_fact
            ):
                return True
        return False

    def _content_words(self, number: int) -> set[int]:
        key = ("content words", number)
        return self.memo(key, lambda: {*self.wording.sentence(number).tolist()})

    def word_ids(self, text: str) -> Ints:
        """Return the ids of a text's words, without words that are not in the input."""
        ids = self.memo(
            "word ids", lambda: {word: number for number, word in enumerate(self.words)}
        )
        sentences = content_only([text]) if self.content == "pos" else [text]
        encoded_texts = encode([sentences], **asdict(self.reading))
        numbers = (ids.get(encoded_texts.words[id]) for id in encoded_texts.ids.tolist())
        return np.array([number for number in numbers if number is not None], dtype=np.int64)

    def weigher(self, weights: Floats) -> Callable[[str], list[float]]:
        """Return a function that lists the current weights of a text's words."""
        return lambda text: weights[self.word_ids(text)].tolist()

    def memo(self, key: Hashable, make: Callable[[], T]) -> T:
        """Compute something from this input once, and return the same object on later calls.

        Examples
        --------
        >>> source = Source.of_texts(["Rain fell."])
        >>> source.memo("size", lambda: len(source)), source.memo("size", lambda: 7)
        (1, 1)
        """
        if key not in self._memos:
            self._memos[key] = make()
        value: T = self._memos[key]
        return value

    @cached_property
    def _memos(self) -> dict[Hashable, Any]:
        return {}

    @cached_property
    def by_part_of_speech(self) -> "Source":
        """The same input with nouns, verbs, adjectives and numbers as content words.

        If the input is not English, all words count, and a note is added.

        Examples
        --------
        >>> source = Source.of_texts(["Goats have been sold. They will go to Ardel."])
        >>> source.by_part_of_speech.words
        ['goat', 'sell', 'go', 'ardel']
        """
        if self.content != "stop-list":
            return self
        if self.reading.language == "en" and (self.reading.stem or self.reading.stop_words):
            return replace(self, content="pos", reading=replace(self.reading, stop_words=False))
        note = "parts of speech are tagged for English only: all words count"
        return replace(self, content="all", notes=(*self.notes, note))

    @property
    def words(self) -> Sequence[str]:
        """The words (their stems) by number."""
        return self.wording.words

    @property
    def table(self) -> Any:
        """Occurrences of each word (column) in each sentence (row), as a sparse table."""
        return self.wording.table

    @property
    def counts(self) -> Floats:
        """Occurrences of each word in the documents."""
        return self.wording.counts

    @property
    def query(self) -> Floats:
        """Occurrences of each word in the query."""
        return self.wording.query

    @property
    def known_counts(self) -> Floats:
        """Occurrences of each word in the known texts."""
        return self.wording.known_counts
