"""How long a summary is, how much of it is copied from its documents, and how much repeated."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection._options import option
from pyramidion.metrics._cases import ScoringBatch, Sparse
from pyramidion.metrics._metric import Metric, Need, RatioMetric, tokenizer_option
from pyramidion.text import Tokenizer
from pyramidion.text._encoding import Encoded, Reading

#: Stands between two documents, so that no fragment reaches from one into the next.
_GAP = -1


@dataclass(frozen=True, slots=True)
class _Surface(RatioMetric):
    """A ratio of two counts of words as they stand: not stemmed, stop words included."""

    tokenizer: Tokenizer | None = tokenizer_option()

    def encoded(self, cases: ScoringBatch) -> Encoded:
        """Return all texts as numbers of words."""
        return cases.texts.encoded(self.reading)


@dataclass(frozen=True, slots=True)
class Length(_Surface):
    """The number of words of a summary.

    No measure of quality, but the rival that others must beat: word count alone correlates with
    judgments of some sets as well as many metrics do.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["Rain fell. It rained."])
    >>> Length().score(Length().statistics(cases)).tolist()
    [4.0]
    """

    name: ClassVar[str] = "length"
    title: ClassVar[str] = "words"
    summary: ClassVar[str] = "how many words the summary has"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "length"
    citation: ClassVar[str] = "no source"
    descriptive: ClassVar[bool] = True

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count words."""
        return self.encoded(cases).lengths[cases.peers][:, None].astype(np.float64)

    score = Metric.score


@dataclass(frozen=True, slots=True)
class Compression(_Surface):
    """Words of the documents for each word of the summary.

    A summary without words, or without words in its documents, has no score.

    References
    ----------
    Grusky, Naaman and Artzi (2018). Newsroom: a dataset of 1.3 million summaries with diverse
    extractive strategies. NAACL.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["Rain fell."], documents=[["Rain fell on all roads."]])
    >>> Compression().score(Compression().statistics(cases)).tolist()
    [2.5]
    """

    name: ClassVar[str] = "compression"
    title: ClassVar[str] = "compression"
    summary: ClassVar[str] = "words of the documents for each word of the summary"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "length"
    citation: ClassVar[str] = "Grusky et al. 2018"
    descriptive: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count words of documents and summaries."""
        lengths = self.encoded(cases).lengths
        return np.stack([_document_words(cases, lengths), lengths[cases.peers]], axis=1)


def _document_words(cases: ScoringBatch, lengths: Ints) -> Floats:
    """Count the words of each summary's documents; NaN where they have none."""
    sums = np.concatenate([[0.0], np.cumsum(lengths[cases.documents.members])])
    words = np.diff(sums[cases.documents.bounds])
    return np.where(words > 0, words, np.nan)[cases.documents.of]


@dataclass(frozen=True, slots=True)
class _NgramShare(_Surface):
    """A share of the summary's n-grams; the last part of the name says how long they are."""

    n: int = option(2, "words of an n-gram", min=1, max=9)

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Read the number at the end of the name."""
        found = re.fullmatch(rf"{cls.name}-([1-9])", name)
        return {"n": int(found[1])} if found else None

    def _call(self) -> str:
        return f"{self.name}-{self.n}"

    def counts(self, cases: ScoringBatch) -> Sparse:
        """Count the n-grams of all texts."""
        return cases.texts.counts(self.reading, self.n)


def _members(name: str) -> tuple[str, ...]:
    return tuple(f"{name}-{n}" for n in range(1, 5))


@dataclass(frozen=True, slots=True)
class Copied(_NgramShare):
    """The share of a summary's n-grams that stand in one of its documents.

    An n-gram counts as often as the summary has it, however often the documents do. High values
    mean that little can be made up, and that little is in the writer's own words: among systems
    that copy, the share of 4-grams goes with consistency; among language models, often not.

    References
    ----------
    Grusky, Naaman and Artzi (2018). Newsroom: a dataset of 1.3 million summaries with diverse
    extractive strategies. NAACL.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["Rain fell today."], documents=[["Rain fell on roads."]])
    >>> metric = Copied(n=2)
    >>> str(metric), metric.score(metric.statistics(cases)).tolist()
    ('copied-2', [0.5])
    """

    name: ClassVar[str] = "copied"
    title: ClassVar[str] = "n-grams copied"
    summary: ClassVar[str] = "the share of the summary's n-grams that stand in the documents"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "copying, length"
    citation: ClassVar[str] = "Grusky et al. 2018"
    descriptive: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})
    members: ClassVar[tuple[str, ...]] = _members("copied")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count the n-grams that documents have, and all."""
        counts = self.counts(cases)
        source = cases.documents.summed(counts).sign()
        own = counts[cases.peers]
        copied = own.multiply(source[cases.documents.of]).sum(axis=1)
        lacking = np.isnan(_document_words(cases, self.encoded(cases).lengths))
        return np.stack([np.where(lacking, np.nan, copied), own.sum(axis=1)], axis=1)


@dataclass(frozen=True, slots=True)
class Novelty(Copied):
    """The share of a summary's n-grams that stand in none of its documents.

    What `Copied` leaves: the two add up to 1.

    References
    ----------
    See, Liu and Manning (2017). Get to the point: summarization with pointer-generator
    networks. ACL.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["Rain fell today."], documents=[["Rain fell on roads."]])
    >>> Novelty(n=1).score(Novelty(n=1).statistics(cases)).round(4).tolist()
    [0.3333]
    """

    name: ClassVar[str] = "novelty"
    title: ClassVar[str] = "novel n-grams"
    summary: ClassVar[str] = "the share of the summary's n-grams that no document has"
    citation: ClassVar[str] = "See et al. 2017"
    members: ClassVar[tuple[str, ...]] = _members("novelty")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count the n-grams that no document has, and all."""
        copied, own = Copied.statistics(self, cases).T
        return np.stack([own - copied, own], axis=1)


@dataclass(frozen=True, slots=True)
class Repetition(_NgramShare):
    """The share of a summary's n-grams that it had before.

    1 - different n-grams / all n-grams. A text of fewer than n words has no score.

    References
    ----------
    See, Liu and Manning (2017). Get to the point: summarization with pointer-generator
    networks. ACL.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["Rain fell, then rain fell."])
    >>> Repetition(n=2).score(Repetition(n=2).statistics(cases)).tolist()
    [0.25]
    """

    name: ClassVar[str] = "repetition"
    title: ClassVar[str] = "repeated n-grams"
    summary: ClassVar[str] = "the share of the summary's n-grams that it had before"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "length"
    citation: ClassVar[str] = "See et al. 2017"
    higher_is_better: ClassVar[bool] = False
    members: ClassVar[tuple[str, ...]] = _members("repetition")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count repeated n-grams, and all."""
        own = self.counts(cases)[cases.peers]
        every = own.sum(axis=1)
        return np.stack([every - np.diff(own.indptr), every], axis=1).astype(np.float64)


#: What is made of the fragments' lengths: their sum, or the sum of their squares.
_POWERS = {"coverage": 1, "density": 2}


@dataclass(frozen=True, slots=True)
class Extractive(_Surface):
    """What follows from the fragments that a summary shares with its documents, word by word.

    From left to right, the longest run of words that stands in a document is a fragment; the
    next one begins behind it. A fragment lies within one document. ``extractive-coverage`` is
    the share of words in fragments; ``extractive-density`` the mean, over all words, of the
    length of a word's fragment, 0 for a word in none: an extract of one whole sentence has the
    sentence's length.

    References
    ----------
    Grusky, Naaman and Artzi (2018). Newsroom: a dataset of 1.3 million summaries with diverse
    extractive strategies. NAACL.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["Rain fell today."], documents=[["Rain fell on roads."]])
    >>> for metric in (Extractive(what="coverage"), Extractive(what="density")):
    ...     print(metric, metric.score(metric.statistics(cases)).round(4).tolist())
    extractive-coverage [0.6667]
    extractive-density [1.3333]
    """

    name: ClassVar[str] = "extractive"
    title: ClassVar[str] = "coverage and density of extracts"
    summary: ClassVar[str] = "how many words are in fragments of the documents, and how long these"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "copying, length"
    citation: ClassVar[str] = "Grusky et al. 2018"
    descriptive: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})
    members: ClassVar[tuple[str, ...]] = ("extractive-coverage", "extractive-density")

    what: str = option("coverage", "coverage or density", choices=tuple(_POWERS))

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Read which of the two."""
        return {"what": name.rpartition("-")[2]} if name in cls.members else None

    def _call(self) -> str:
        return f"{self.name}-{self.what}"

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Add up powers of the fragments' lengths, and count words."""
        encoded = self.encoded(cases)
        lacking = np.isnan(_document_words(cases, encoded.lengths))
        fragments = _all_fragments(cases, encoded, self.reading)
        sums = [sum(run ** _POWERS[self.what] for run in own) for own in fragments]
        lengths = encoded.lengths[cases.peers]
        return np.stack([np.where(lacking, np.nan, sums), lengths], axis=1)


def _all_fragments(
    cases: ScoringBatch, encoded: Encoded, reading: Reading
) -> Iterator[tuple[int, ...]]:
    """Return the lengths of each summary's fragments, found once for all metrics and folds."""
    # Sets of documents have other numbers in other folds, so their texts are the key.
    kept: dict[tuple[int, ...], tuple[int, ...]] = cases.texts.memo(("fragments", reading), dict)
    sources: dict[int, Ints] = {}
    for peer, number in zip(cases.peers.tolist(), cases.documents.of.tolist(), strict=True):
        texts = cases.documents.different(number)
        key = (peer, *texts.tolist())
        if key not in kept:
            if number not in sources:
                sources[number] = _joined(encoded, texts)
            kept[key] = fragments(_words(encoded, peer), sources[number])
        yield kept[key]


def _words(encoded: Encoded, text: int) -> Ints:
    return encoded.ids[encoded.starts[text] : encoded.starts[text + 1]].astype(np.int64)


def _joined(encoded: Encoded, texts: Ints) -> Ints:
    gap = np.array([_GAP], dtype=np.int64)
    return np.concatenate([gap, *(part for own in texts for part in (_words(encoded, own), gap))])


def fragments(words: Ints, source: Ints) -> tuple[int, ...]:
    """Return the lengths of the longest runs of words, from left to right, that the source has."""
    longest = np.zeros(len(words), dtype=np.int64)
    # Runs that begin at each word of the source, for the last word of the summary, then for the
    # word before it, and so on: one longer than those at the next word.
    runs = np.zeros(len(source), dtype=np.int64)
    for place in range(len(words) - 1, -1, -1):
        runs[:-1] = runs[1:] + 1
        runs *= source == words[place]
        longest[place] = runs.max()
    found, place = [], 0
    while place < len(words):
        if longest[place]:
            found.append(int(longest[place]))
        place += max(1, int(longest[place]))
    return tuple(found)
