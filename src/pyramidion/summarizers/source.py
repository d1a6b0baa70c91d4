"""What is summarized: the sentences of documents, and the words that count in them."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Collection, Document, Topic
from pyramidion.collection.aspects import TAC_CATEGORIES
from pyramidion.errors import InputError
from pyramidion.summarizers.candidates import CandidateRules
from pyramidion.summarizers.documents import (
    SourceSentence,
    notes_on,
    require_ids,
    sentences_of,
)
from pyramidion.summarizers.languages import reading_for
from pyramidion.summarizers.lengths import word_counts
from pyramidion.summarizers.tasks import Focus, query_of, require_one_question
from pyramidion.summarizers.wording import Content, Wording
from pyramidion.text._encoding import Encoded, Reading, as_sentences

__all__ = ["Source", "SourceSentence"]

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class Source:
    """An input: sentences, their words, and what is asked.

    Parameters
    ----------
    texts
        All sentences of all documents, in the documents' order.
    homes, places
        The number of each sentence's document, and its place there, from 0.
    lengths
        How many words each sentence has, as a limit counts them.
    documents
        The documents.
    candidates
        Which sentences may stand in a summary, see `CandidateRules`.
    reading
        How words are found.
    question
        What is asked, if anything.
    known_texts
        Sentences whose content the reader knows already: for an update, the base documents'.
    references
        Summaries by people, for the one method that may look at them.
    left_out
        What was not considered, counted.
    notes
        What there is to say about how it was read.
    content
        How content words are told, see `by_part_of_speech`.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day up north. Roads were flooded there."])
    >>> [sentence.index for sentence in source.sentences], source.table.shape[0]
    ([0, 1], 2)
    """

    texts: tuple[str, ...]
    homes: Ints
    places: Ints
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

    @classmethod
    def of_texts(cls, texts: Iterable[str], **options: Any) -> "Source":
        """Make an input of plain texts, called 1, 2 and so on; see `of_documents`."""
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
        """Make an input of a collection's topic: its documents, its question, what is known.

        Parameters
        ----------
        collection, topic, task
            Which documents; for an update the base documents are known.
        focus
            What is asked, see `query_of`.
        options
            See `of_documents`.
        """
        if options.get("query"):
            require_one_question(focus)
        update = collection.task(task).documents == "update"
        there = task in collection.task_ids and topic.id in collection.topic_ids
        references = collection.references(topic.id, task) if there else ()
        given = {
            "query": query_of(topic, focus, (*TAC_CATEGORIES, *collection.categories)),
            "known": [own.text for own in topic.documents_of("base")] if update else (),
            "references": [summary.text for summary in references],
        }
        return cls.of_documents(collection.documents(topic.id, task), **(given | options))

    @classmethod
    def of_documents(
        cls,
        documents: Sequence[Document],
        *,
        query: str = "",
        known: Sequence[str] = (),
        references: Sequence[str] = (),
        language: str | None = None,
        reading: Reading | None = None,
        rules: CandidateRules | None = None,
    ) -> "Source":
        """Split documents into sentences, and see which may be chosen.

        Parameters
        ----------
        documents
            What is to be summarized.
        query
            What is asked, if anything.
        known
            Texts whose content the reader knows already.
        references
            Summaries by people, for `oracle`.
        language
            Code of the documents' language; English, unless they look different, if it is not
            given.
        reading
            How words are found; as `reading_for` says if it is not given.
        rules
            Which sentences may stand in a summary.
        """
        require_ids(documents)
        split = [sentences_of(document.text, language) for document in documents]
        texts = tuple(text for own in split for text in own)
        if not texts:
            raise InputError("there is nothing to summarize", hint="give documents with text")
        notes = notes_on(documents, texts)
        if reading is None:
            reading, more = reading_for((document.text for document in documents), language)
            notes = (*more, *notes)
        lengths = word_counts(texts)
        sizes = [len(own) for own in split]
        homes = np.repeat(np.arange(len(split)), sizes)
        places = np.arange(len(texts)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        candidates, left_out = (rules or CandidateRules()).apply(texts, lengths, places)
        return cls(
            texts,
            homes,
            places,
            lengths,
            tuple(documents),
            candidates,
            reading,
            query,
            tuple(text for document in known for text in sentences_of(document, language)),
            tuple(references),
            left_out,
            notes,
        )

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def sentences(self) -> tuple[SourceSentence, ...]:
        """The sentences, with where they come from."""
        return tuple(map(self.sentence, range(len(self))))

    def sentence(self, number: int) -> SourceSentence:
        """Give a sentence, with where it comes from."""
        document = self.documents[self.homes[number]].id
        index, words = int(self.places[number]), int(self.lengths[number])
        return SourceSentence(self.texts[number], document, index, words)

    @cached_property
    def wording(self) -> Wording:
        """The words that count."""
        return self.read(self.reading)

    def read(self, reading: Reading, *, references: bool = False) -> Wording:
        """Find words in another way, or with those of the references.

        Parameters
        ----------
        reading
            How words are found.
        references
            Whether the references are read, too.
        """
        sentences = [as_sentences(text) for text in self.references] if references else []
        return Wording.of(
            self.texts,
            self.homes,
            query=self.question,
            known=self.known_texts,
            references=sentences,
            reading=reading,
            content=self.content,
        )

    def memo(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Make something of this input once, and give it again to whoever asks.

        Parameters
        ----------
        key
            What it is, with everything beside the input that it depends on.
        make
            Makes it.

        Examples
        --------
        >>> source = Source.of_texts(["Rain fell."])
        >>> source.memo("size", lambda: len(source)), source.memo("size", lambda: 7)
        (1, 1)
        """
        if key not in self._memos:
            self._memos[key] = make()
        made: Made = self._memos[key]
        return made

    @cached_property
    def _memos(self) -> dict[Hashable, Any]:
        return {}

    @cached_property
    def by_part_of_speech(self) -> "Source":
        """The same input, in which nouns, verbs, adjectives and numbers count, and all of them.

        Where it is not read as English that cannot be told: all words count then, and the notes
        say so.

        Examples
        --------
        >>> source = Source.of_texts(["Goats have been sold. They will go to Ardel."])
        >>> source.by_part_of_speech.words
        ['goat', 'sell', 'go', 'ardel']
        """
        if self.content != "stop-list":
            return self
        if self.reading.stem or self.reading.stop_words:
            return replace(self, content="pos", reading=replace(self.reading, stop_words=False))
        note = "parts of speech are told for English only: all words count"
        return replace(self, content="all", notes=(*self.notes, note))

    @cached_property
    def encoded(self) -> Encoded:
        """The words that count, a text a sentence."""
        own = self.wording
        return Encoded(own.ids, own.starts, np.arange(len(self) + 1), own.words)

    @property
    def words(self) -> Sequence[str]:
        """The words (their stems) by number."""
        return self.wording.words

    @property
    def table(self) -> Any:
        """How often each sentence (row) has each word (column), as a sparse table."""
        return self.wording.table

    @property
    def counts(self) -> Floats:
        """How often the documents have each word."""
        return self.wording.counts

    @property
    def query(self) -> Floats:
        """How often the query has each word."""
        return self.wording.query

    @property
    def known(self) -> Floats:
        """How often the known texts have each word."""
        return self.wording.known
