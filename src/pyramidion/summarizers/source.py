"""What is summarized: the sentences of documents, and the words that count in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.collection import Collection, Document, Topic
from pyramidion.errors import InputError
from pyramidion.summarizers.candidates import CandidateRules
from pyramidion.text import count_words, split_sentences
from pyramidion.text.encoding import Encoded, Reading, encode

__all__ = ["Source", "SourceSentence"]

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a document.

    Parameters
    ----------
    text
        The sentence, without a dateline or other boilerplate.
    document
        The document's id.
    index
        Its place in the document, from 0.
    words
        How many words it has, as a limit counts them.

    Examples
    --------
    >>> SourceSentence("Rain fell.", "d1", 0, 2).words
    2
    """

    text: str
    document: str
    index: int
    words: int


@dataclass(frozen=True, eq=False)
class Source:
    """An input: sentences, their words, and what is asked.

    Parameters
    ----------
    sentences
        All sentences of all documents, in the documents' order.
    documents
        The documents.
    candidates
        Which sentences may stand in a summary, see `CandidateRules`.
    encoded
        The words that count, a text a sentence; the last texts are the query and what is known.
    reading
        How words were found.
    left_out
        What was not considered, counted.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day up north. Roads were flooded there."])
    >>> [sentence.index for sentence in source.sentences], source.table.shape[0]
    ([0, 1], 2)
    """

    sentences: tuple[SourceSentence, ...]
    documents: tuple[Document, ...]
    candidates: Bools
    encoded: Encoded
    reading: Reading = field(default_factory=lambda: Reading(stem=True, stop_words=True))
    left_out: tuple[str, ...] = ()

    @classmethod
    def of_texts(cls, texts: Iterable[str], **options: Any) -> "Source":
        """Make an input of plain texts, called 1, 2 and so on; see `of_documents`."""
        documents = [Document(str(number), text) for number, text in enumerate(texts, start=1)]
        return cls.of_documents(documents, **options)

    @classmethod
    def of_topic(
        cls, collection: Collection, topic: Topic, task: str = "", **options: Any
    ) -> "Source":
        """Make an input of a collection's topic: its documents, its question, what is known.

        Parameters
        ----------
        collection, topic, task
            Which documents; for an update the base documents are known.
        options
            See `of_documents`.
        """
        update = collection.task(task).documents == "update"
        return cls.of_documents(
            collection.documents(topic.id, task),
            query=f"{topic.title}\n{topic.narrative}".strip(),
            known=[document.text for document in topic.documents_of("base")] if update else (),
            **options,
        )

    @classmethod
    def of_documents(
        cls,
        documents: Sequence[Document],
        *,
        query: str = "",
        known: Sequence[str] = (),
        reading: Reading | None = None,
        rules: CandidateRules | None = None,
    ) -> "Source":
        """Split documents into sentences and number their words.

        Parameters
        ----------
        documents
            What is to be summarized.
        query
            What is asked, if anything.
        known
            Texts whose content the reader knows already.
        reading
            How words are found: stemmed and without stop words unless it says otherwise.
        rules
            Which sentences may stand in a summary.
        """
        sentences = tuple(
            SourceSentence(text, document.id, index, count_words(text))
            for document in documents
            for index, text in enumerate(split_sentences(document.text, boilerplate="strip"))
        )
        if not sentences:
            raise InputError("there is nothing to summarize", hint="give documents with text")
        reading = reading or Reading(stem=True, stop_words=True)
        texts = [(sentence.text,) for sentence in sentences]
        encoded = encode(
            [*texts, (query,), tuple(known)],
            tokenizer=reading.tokenizer,
            stem=reading.stem,
            stop_words=reading.stop_words,
        )
        candidates, left_out = (rules or CandidateRules()).apply([s.text for s in sentences])
        return cls(sentences, tuple(documents), candidates, encoded, reading, left_out)

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def words(self) -> Sequence[str]:
        """The words (their stems) by number."""
        return self.encoded.words

    @cached_property
    def table(self) -> Any:
        """How often each sentence (row) has each word (column), as a sparse table."""
        from scipy.sparse import csr_array

        starts = self.encoded.starts[: len(self) + 1]
        ids = self.encoded.ids[: starts[-1]]
        shape = (len(self), len(self.words))
        table = csr_array((np.ones(len(ids)), ids, starts), shape=shape)
        table.sum_duplicates()
        return table

    @cached_property
    def counts(self) -> Floats:
        """How often the documents have each word."""
        return self._counted(self.encoded.ids[: self.encoded.starts[len(self)]])

    @cached_property
    def query(self) -> Floats:
        """How often the query has each word."""
        return self._counted(self.encoded.text(len(self)))

    @cached_property
    def known(self) -> Floats:
        """How often the known texts have each word."""
        return self._counted(self.encoded.text(len(self) + 1))

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """How many words each sentence has, as a limit counts them."""
        return np.array([sentence.words for sentence in self.sentences], dtype=np.int64)

    def _counted(self, ids: npt.NDArray[np.int32]) -> Floats:
        return np.bincount(ids, minlength=len(self.words)).astype(np.float64)
