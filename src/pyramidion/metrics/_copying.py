"""Length of summaries, and how much of them is copied from the documents or repeated."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import Metric, Need, RatioMetric, tokenizer_option
from pyramidion.questions import option
from pyramidion.support import fragments
from pyramidion.text import Tokenizer
from pyramidion.text.encoding import Encoded

Words = npt.NDArray[np.integer[Any]]

#: A pseudo-word between documents, so that no fragment spans two of them.
_GAP_ID = np.array([-1], dtype=np.int32)


@dataclass(frozen=True, slots=True)
class _Surface(RatioMetric):
    """A ratio of two word counts, without stemming and with stop words."""

    descriptive: ClassVar[bool] = True
    citation: ClassVar[str] = "Grusky et al. 2018"
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})

    tokenizer: Tokenizer | None = tokenizer_option()


class Length(_Surface):
    """The number of words of a summary.

    Not a measure of quality but a baseline: on some sets, length alone correlates with judgments as
    well as many metrics do.
    """

    name: ClassVar[str] = "length"
    title: ClassVar[str] = "words"
    summary: ClassVar[str] = "number of words of the summary"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "affected by length"
    citation: ClassVar[str] = "no source"
    needs: ClassVar[frozenset[Need]] = frozenset()

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count words."""
        lengths = cases.texts.encoded(self.reading).lengths
        return lengths[cases.peers][:, None].astype(np.float64)

    score = Metric.score


class Compression(_Surface):
    """Words of the documents per word of the summary; undefined if either has no words.

    Source: Grusky, Naaman and Artzi (2018). Newsroom: a dataset of 1.3 million summaries with
    diverse extractive strategies. NAACL.
    """

    name: ClassVar[str] = "compression"
    title: ClassVar[str] = "compression"
    summary: ClassVar[str] = "words of the documents per word of the summary"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "affected by length"

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count words of documents and summaries."""
        lengths = cases.texts.encoded(self.reading).lengths
        return np.stack([_document_words(cases, lengths), lengths[cases.peers]], axis=1)


def _document_words(cases: ScoringBatch, lengths: Ints) -> Floats:
    """Count the words of each summary's documents; NaN where they have none."""
    cumulative_lengths = np.concatenate([[0.0], np.cumsum(lengths[cases.documents.members])])
    n_words = np.diff(cumulative_lengths[cases.documents.bounds])
    return np.where(n_words > 0, n_words, np.nan)[cases.documents.of]


@dataclass(frozen=True, slots=True)
class _NgramShare(_Surface):
    """A share of the summary's n-grams; the name ends with their length."""

    bounds: ClassVar[str] = "0 to 1"
    named: ClassVar[tuple[str, ...]] = ("n",)

    n: int = option(2, "words of an n-gram", min=1, max=9)

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Parse the number at the end of the name."""
        match = re.fullmatch(rf"{cls.name}-([1-9])", name)
        return {"n": int(match[1])} if match else None


def _member_names(name: str) -> tuple[str, ...]:
    return tuple(f"{name}-{n}" for n in range(1, 5))


class Copied(_NgramShare):
    """The share of a summary's n-grams that occur in one of its documents.

    Repetitions in the summary count, whatever the documents have. A high value means that little is
    made up, but also that little is rephrased: among systems that copy, the share of 4-grams
    correlates with consistency; among language models it often does not. See `Compression` for the
    paper.
    """

    name: ClassVar[str] = "copied"
    title: ClassVar[str] = "n-grams copied"
    summary: ClassVar[str] = "the share of the summary's n-grams that occur in the documents"
    confuses: ClassVar[str] = "affected by copying and length"
    members: ClassVar[tuple[str, ...]] = _member_names("copied")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count the n-grams found in documents, and all n-grams."""
        counts = cases.texts.counts(self.reading, self.n)
        in_documents = cases.documents.summed(counts).sign()
        peers = counts[cases.peers]
        n_copied = peers.multiply(in_documents[cases.documents.of]).sum(axis=1)
        lengths = cases.texts.encoded(self.reading).lengths
        is_missing = np.isnan(_document_words(cases, lengths))
        return np.stack([np.where(is_missing, np.nan, n_copied), peers.sum(axis=1)], axis=1)


class Novelty(Copied):
    """The share of a summary's n-grams that occur in none of its documents: 1 - `Copied`.

    Source: See, Liu and Manning (2017). Get to the point: summarization with pointer-generator
    networks. ACL.
    """

    name: ClassVar[str] = "novelty"
    title: ClassVar[str] = "novel n-grams"
    summary: ClassVar[str] = "the share of the summary's n-grams that no document has"
    citation: ClassVar[str] = "See et al. 2017"
    members: ClassVar[tuple[str, ...]] = _member_names("novelty")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count the n-grams found in no document, and all n-grams."""
        n_copied, n_ngrams = Copied.statistics(self, cases).T
        return np.stack([n_ngrams - n_copied, n_ngrams], axis=1)


class Repetition(_NgramShare):
    """The share of a summary's n-grams that repeat an earlier one.

    1 - distinct n-grams / all n-grams; undefined for fewer than n words. See `Novelty` for the
    paper.
    """

    name: ClassVar[str] = "repetition"
    title: ClassVar[str] = "repeated n-grams"
    summary: ClassVar[str] = "the share of the summary's n-grams that repeat an earlier one"
    confuses: ClassVar[str] = "affected by length"
    citation: ClassVar[str] = "See et al. 2017"
    descriptive: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[frozenset[Need]] = frozenset()
    members: ClassVar[tuple[str, ...]] = _member_names("repetition")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count repeated n-grams, and all n-grams."""
        peers = cases.texts.counts(self.reading, self.n)[cases.peers]
        n_ngrams = peers.sum(axis=1)
        return np.stack([n_ngrams - np.diff(peers.indptr), n_ngrams], axis=1).astype(np.float64)


#: Fragment lengths are summed to this power.
_LENGTH_POWERS = {"coverage": 1, "density": 2}


@dataclass(frozen=True, slots=True)
class Extractive(_Surface):
    """Coverage and density of the fragments that a summary shares with its documents.

    Going from left to right, a fragment is the longest run of words that occurs in a document; the
    next one begins after it. ``extractive-coverage`` is the share of words in fragments;
    ``extractive-density`` is the mean length of a word's fragment over all words (0 for words
    outside), so a summary that copies one sentence has that sentence's length. See `Compression`
    for the paper.
    """

    name: ClassVar[str] = "extractive"
    title: ClassVar[str] = "coverage and density of extracts"
    summary: ClassVar[str] = "words in fragments of the documents, and how long fragments are"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "affected by copying and length"
    members: ClassVar[tuple[str, ...]] = ("extractive-coverage", "extractive-density")
    named: ClassVar[tuple[str, ...]] = ("what",)

    what: str = option("coverage", "coverage or density", choices=tuple(_LENGTH_POWERS))

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Add up powers of the fragments' lengths, and count words."""
        encoded_texts = cases.texts.encoded(self.reading)
        # Computed once for all metrics and folds. Folds number sets of documents differently, so
        # texts are the key.
        fragment_lengths: dict[tuple[int, ...], tuple[int, ...]]
        fragment_lengths = cases.texts.memo(("fragments", self.reading), dict)
        sources: dict[int, Words] = {}
        sums = []
        for peer, set_number in zip(cases.peers.tolist(), cases.documents.of.tolist(), strict=True):
            texts = cases.documents.distinct(set_number).tolist()
            key = (peer, *texts)
            if key not in fragment_lengths:
                if set_number not in sources:
                    sources[set_number] = _join_texts(encoded_texts, texts)
                fragment_lengths[key] = fragments(encoded_texts.text(peer), sources[set_number])
            sums.append(
                sum(length ** _LENGTH_POWERS[self.what] for length in fragment_lengths[key])
            )
        is_missing = np.isnan(_document_words(cases, encoded_texts.lengths))
        return np.stack(
            [np.where(is_missing, np.nan, sums), encoded_texts.lengths[cases.peers]], axis=1
        )


def _join_texts(encoded_texts: Encoded, texts: list[int]) -> Words:
    parts = (part for text in texts for part in (encoded_texts.text(text), _GAP_ID))
    return np.concatenate([_GAP_ID, *parts])
