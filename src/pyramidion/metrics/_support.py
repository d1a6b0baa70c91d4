"""How much of what a summary says is in its documents, without a model."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import Metric, Need, share
from pyramidion.rendering.labels import counted
from pyramidion.support import SourceIndex, SupportCounts, support_counts

_UNDEFINED_SCORE = (np.nan, np.nan)


@dataclass(frozen=True, slots=True)
class _Support(Metric):
    """A metric that compares a summary with its documents; English only."""

    needs_english: ClassVar[bool] = True
    bounds: ClassVar[str] = "0 to 1"
    citation: ClassVar[str] = "no source"
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})

    #: The counts that are supported, and the whole; without a whole, a score.
    parts: ClassVar[tuple[str, ...]]
    whole: ClassVar[tuple[str, ...]] = ()

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return how much is supported, and how much there is to check."""
        rows = [
            _UNDEFINED_SCORE if counts is None else self._part_and_whole(counts)
            for counts in _counts(cases)
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, 2)

    def _part_and_whole(self, counts: SupportCounts) -> tuple[float, float]:
        part, total = (
            sum(getattr(counts, name) for name in names) for names in (self.parts, self.whole)
        )
        return part, total if self.whole else 1


def _counts(cases: ScoringBatch) -> list[SupportCounts | None]:
    """Compare each summary with its documents, once for all metrics and folds."""
    sources = cases.texts.memo("support sources", dict[tuple[int, ...], SourceIndex])
    counts_by_texts = cases.texts.memo("support counts", dict[tuple[int, ...], SupportCounts])
    rows: list[SupportCounts | None] = []
    for row, peer in enumerate(cases.peers.tolist()):
        documents = tuple(dict.fromkeys(cases.documents[row].tolist()))
        if documents and documents not in sources:
            sources[documents] = SourceIndex(map(cases.texts.original, documents))
        if documents and (peer, *documents) not in counts_by_texts:
            summary = cases.texts.original(peer)
            counts_by_texts[peer, *documents] = support_counts(sources[documents], summary)
        rows.append(counts_by_texts[peer, *documents] if documents else None)
    return rows


class _Share(_Support):
    """A share that is 1 where there is nothing to check, which is reported."""

    things: ClassVar[str]

    def score(self, statistics: Floats) -> Floats:
        """Divide; 1 where there is nothing to check."""
        part, total = statistics[..., 0], statistics[..., 1]
        return np.where(total == 0, 1.0, share(part, np.nan_to_num(total)))

    def remark(self, cases: ScoringBatch) -> str:
        """Count the summaries with nothing to check."""
        n_empty = int((self.statistics(cases)[:, 1] == 0).sum())
        total = counted(len(cases), "summary", "summaries")
        return f"{self}: {n_empty} of {total} have no {self.things} and score 1" if n_empty else ""


class NamesSupported(_Share):
    """The share of a summary's names that its documents have.

    A name has support if each of its words is in the documents, in the same or a related form
    (Britain, British, UK), or is an abbreviation of their words. A name without support is *not in
    the source*; it may still be true. A name of the source in the wrong place is invisible. English
    only.
    """

    name: ClassVar[str] = "names-supported"
    title: ClassVar[str] = "names in the documents"
    summary: ClassVar[str] = "the share of the summary's names that the documents have"
    confuses: ClassVar[str] = "cannot see rearranged facts; flags world knowledge"
    things: ClassVar[str] = "names"
    parts: ClassVar[tuple[str, ...]] = ("supported_names",)
    whole: ClassVar[tuple[str, ...]] = ("names",)


class NumbersSupported(_Share):
    """The share of a summary's numbers, weekdays and months that its documents have.

    Numbers may be rounded where the summary says *about*, *nearly*, *more than* and the like. A
    number without support is *not in the source*; it may still be true, for example a total. A
    number of the source in the wrong place is invisible. English only.
    """

    name: ClassVar[str] = "numbers-supported"
    title: ClassVar[str] = "numbers in the documents"
    summary: ClassVar[str] = "the share of numbers and dates that the documents have"
    confuses: ClassVar[str] = "cannot see rearranged facts; flags inferred dates"
    things: ClassVar[str] = "numbers"
    parts: ClassVar[tuple[str, ...]] = ("supported_numbers",)
    whole: ClassVar[tuple[str, ...]] = ("numbers",)


class QuotesSupported(_Share):
    """The share of a summary's quoted words that are quoted as the documents have them.

    Only words in quotations of at least two words are counted; a word has support if it is part of
    a run of at least three words of the documents (two, in a quotation of two words).
    """

    name: ClassVar[str] = "quotes-supported"
    title: ClassVar[str] = "quotations in the documents"
    summary: ClassVar[str] = "the share of quoted words that are quoted as in the documents"
    confuses: ClassVar[str] = "does not check who said it"
    things: ClassVar[str] = "quotations"
    parts: ClassVar[tuple[str, ...]] = ("supported_quoted",)
    whole: ClassVar[tuple[str, ...]] = ("quoted",)


class FactsSupported(_Share):
    """The share of a summary's names and numbers that its documents have.

    See `NamesSupported` and `NumbersSupported`: a flag means *not in the source*, and rearranged
    facts are invisible.
    """

    name: ClassVar[str] = "facts-supported"
    title: ClassVar[str] = "names and numbers in the documents"
    summary: ClassVar[str] = "the share of names and numbers that the documents have"
    confuses: ClassVar[str] = "cannot see rearranged facts; flags world knowledge"
    things: ClassVar[str] = "names or numbers"
    parts: ClassVar[tuple[str, ...]] = ("supported_names", "supported_numbers")
    whole: ClassVar[tuple[str, ...]] = ("names", "numbers")


class _Copying(_Support):
    """A score that rewards copying."""

    confuses: ClassVar[str] = "affected by copying: do not rank language models by it"
    # Among language models it is unrelated to faithfulness, so that neither direction is better.
    descriptive: ClassVar[bool] = True


class Contiguity(_Copying):
    """How little the documents' text was cut up: 1 for whole sentences, 0 for unrelated words.

    1 - (fragments - sentences + uncovered words) / words, over stems, with the fragments of
    `Extractive`. It rewards copying: among older systems it agrees with judgments of consistency,
    but do not rank language models by it, since a faithful paraphrase uses new words. Rearranged
    facts are nearly invisible.
    """

    name: ClassVar[str] = "contiguity"
    title: ClassVar[str] = "contiguity"
    summary: ClassVar[str] = "how little the documents' text was cut up and changed"
    parts: ClassVar[tuple[str, ...]] = ("contiguity",)


class Support(_Copying):
    """How much of a summary is worded as in its documents, times its supported names and numbers.

    The mean of two shares (of words in runs of the documents' words, long runs counting more, and
    of content words that the documents have) times `FactsSupported`. It rewards copying: do not
    rank language models by it. Rearranged facts are nearly invisible.
    """

    name: ClassVar[str] = "support"
    title: ClassVar[str] = "support by the documents"
    summary: ClassVar[str] = "wording shared with the documents, times facts-supported"
    parts: ClassVar[tuple[str, ...]] = ("support",)
