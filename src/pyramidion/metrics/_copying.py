"""How long a summary is, how much of it is copied from its documents, and how much repeated."""

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
from pyramidion.text import Tokenizer
from pyramidion.text.encoding import Encoded

Words = npt.NDArray[np.integer[Any]]

#: Separates documents, so that no fragment reaches from one into the next.
_GAP = np.array([-1], dtype=np.int32)


@dataclass(frozen=True, slots=True)
class _Surface(RatioMetric):
    """A ratio of two counts of plain words: not stemmed, stop words included."""

    descriptive: ClassVar[bool] = True
    citation: ClassVar[str] = "Grusky et al. 2018"
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})

    tokenizer: Tokenizer | None = tokenizer_option()


class Length(_Surface):
    """The number of words of a summary.

    Not a measure of quality, but a baseline to beat: on some sets, length alone correlates with
    judgments as well as many metrics do.
    """

    name: ClassVar[str] = "length"
    title: ClassVar[str] = "words"
    summary: ClassVar[str] = "how many words the summary has"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "length"
    citation: ClassVar[str] = "no source"
    needs: ClassVar[frozenset[Need]] = frozenset()

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count words."""
        lengths = cases.texts.encoded(self.reading).lengths
        return lengths[cases.peers][:, None].astype(np.float64)

    score = Metric.score


class Compression(_Surface):
    """Words of the documents per word of the summary.

    A summary without words, or without words in its documents, has no score.

    References
    ----------
    Grusky, Naaman and Artzi (2018). Newsroom: a dataset of 1.3 million summaries with diverse
    extractive strategies. NAACL.
    """

    name: ClassVar[str] = "compression"
    title: ClassVar[str] = "compression"
    summary: ClassVar[str] = "words of the documents for each word of the summary"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "length"

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count words of documents and summaries."""
        lengths = cases.texts.encoded(self.reading).lengths
        return np.stack([_document_words(cases, lengths), lengths[cases.peers]], axis=1)


def _document_words(cases: ScoringBatch, lengths: Ints) -> Floats:
    """Count the words of each summary's documents; NaN where they have none."""
    sums = np.concatenate([[0.0], np.cumsum(lengths[cases.documents.members])])
    words = np.diff(sums[cases.documents.bounds])
    return np.where(words > 0, words, np.nan)[cases.documents.of]


@dataclass(frozen=True, slots=True)
class _NgramShare(_Surface):
    """A share of the summary's n-grams; the name ends with their length."""

    bounds: ClassVar[str] = "0 to 1"
    named: ClassVar[tuple[str, ...]] = ("n",)

    n: int = option(2, "words of an n-gram", min=1, max=9)

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Read the number at the end of the name."""
        found = re.fullmatch(rf"{cls.name}-([1-9])", name)
        return {"n": int(found[1])} if found else None


def _members(name: str) -> tuple[str, ...]:
    return tuple(f"{name}-{n}" for n in range(1, 5))


class Copied(_NgramShare):
    """The share of a summary's n-grams that occur in one of its documents.

    An n-gram counts as often as the summary has it, however often the documents do. A high value
    means that little is made up, and little is in the writer's own words: among systems that copy,
    the share of 4-grams goes with consistency; among language models, often not.

    References
    ----------
    Grusky, Naaman and Artzi (2018). Newsroom: a dataset of 1.3 million summaries with diverse
    extractive strategies. NAACL.
    """

    name: ClassVar[str] = "copied"
    title: ClassVar[str] = "n-grams copied"
    summary: ClassVar[str] = "the share of the summary's n-grams that occur in the documents"
    confuses: ClassVar[str] = "copying, length"
    members: ClassVar[tuple[str, ...]] = _members("copied")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count the n-grams that documents have, and all."""
        counts = cases.texts.counts(self.reading, self.n)
        source = cases.documents.summed(counts).sign()
        own = counts[cases.peers]
        copied = own.multiply(source[cases.documents.of]).sum(axis=1)
        lengths = cases.texts.encoded(self.reading).lengths
        lacking = np.isnan(_document_words(cases, lengths))
        return np.stack([np.where(lacking, np.nan, copied), own.sum(axis=1)], axis=1)


class Novelty(Copied):
    """The share of a summary's n-grams that occur in none of its documents: 1 - `Copied`.

    References
    ----------
    See, Liu and Manning (2017). Get to the point: summarization with pointer-generator
    networks. ACL.
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


class Repetition(_NgramShare):
    """The share of a summary's n-grams that repeat an earlier one.

    1 - different n-grams / all n-grams. A text of fewer than n words has no score.

    References
    ----------
    See, Liu and Manning (2017). Get to the point: summarization with pointer-generator
    networks. ACL.
    """

    name: ClassVar[str] = "repetition"
    title: ClassVar[str] = "repeated n-grams"
    summary: ClassVar[str] = "the share of the summary's n-grams that repeat an earlier one"
    confuses: ClassVar[str] = "length"
    citation: ClassVar[str] = "See et al. 2017"
    descriptive: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = False
    needs: ClassVar[frozenset[Need]] = frozenset()
    members: ClassVar[tuple[str, ...]] = _members("repetition")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count repeated n-grams, and all."""
        own = cases.texts.counts(self.reading, self.n)[cases.peers]
        every = own.sum(axis=1)
        return np.stack([every - np.diff(own.indptr), every], axis=1).astype(np.float64)


#: The power of the fragments' lengths that is added up.
_POWERS = {"coverage": 1, "density": 2}


@dataclass(frozen=True, slots=True)
class Extractive(_Surface):
    """Coverage and density of the fragments that a summary shares with its documents.

    A fragment is the longest run of words, from left to right, that occurs in a document; the next
    one begins after it. ``extractive-coverage`` is the share of words in fragments;
    ``extractive-density`` the mean, over all words, of the length of a word's fragment, 0 for a
    word in none: an extract of one whole sentence has the sentence's length.

    References
    ----------
    Grusky, Naaman and Artzi (2018). Newsroom: a dataset of 1.3 million summaries with diverse
    extractive strategies. NAACL.
    """

    name: ClassVar[str] = "extractive"
    title: ClassVar[str] = "coverage and density of extracts"
    summary: ClassVar[str] = "words in fragments of the documents, and how long fragments are"
    bounds: ClassVar[str] = "from 0"
    confuses: ClassVar[str] = "copying, length"
    members: ClassVar[tuple[str, ...]] = ("extractive-coverage", "extractive-density")
    named: ClassVar[tuple[str, ...]] = ("what",)

    what: str = option("coverage", "coverage or density", choices=tuple(_POWERS))

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Add up powers of the fragments' lengths, and count words."""
        encoded = cases.texts.encoded(self.reading)
        # Found once for all metrics and folds; these number sets of documents differently, so the
        # texts are the key.
        kept: dict[tuple[int, ...], tuple[int, ...]]
        kept = cases.texts.memo(("fragments", self.reading), dict)
        sources: dict[int, Words] = {}
        sums = []
        for peer, number in zip(cases.peers.tolist(), cases.documents.of.tolist(), strict=True):
            texts = cases.documents.different(number).tolist()
            key = (peer, *texts)
            if key not in kept:
                if number not in sources:
                    sources[number] = _joined(encoded, texts)
                kept[key] = fragments(encoded.text(peer), sources[number])
            sums.append(sum(run ** _POWERS[self.what] for run in kept[key]))
        lacking = np.isnan(_document_words(cases, encoded.lengths))
        table = [np.where(lacking, np.nan, sums), encoded.lengths[cases.peers]]
        return np.stack(table, axis=1)


def _joined(encoded: Encoded, texts: list[int]) -> Words:
    parts = (part for text in texts for part in (encoded.text(text), _GAP))
    return np.concatenate([_GAP, *parts])


def fragments(words: Words, source: Words) -> tuple[int, ...]:
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
