"""Topic signatures of the input in the summary."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.distributions import WordCounts, word_counts
from pyramidion.metrics.metric import Metric, Need, option, share
from pyramidion.metrics.texts import Reading
from pyramidion.text.background import default_background
from pyramidion.text.signatures import SIGNATURE_CUTOFF, signature_weights

__all__ = ["SignatureCoverage", "SignatureShare"]


@dataclass(frozen=True, slots=True)
class SignatureCoverage(Metric):
    r"""The share of the input's topic signature that the summary has.

    The signature is every word of the input with :math:`-2\log\lambda` above ``cutoff`` against
    general English (`signature_weights`); each counts once.

    References
    ----------
    Lin and Hovy (2000). The automated acquisition of topic signatures for text summarization.
    COLING. Louis and Nenkova (2013). Automatically assessing machine summary content without a
    gold standard. Computational Linguistics 39(2).

    Examples
    --------
    >>> document = "Floods closed roads. Floods and mud. Floods, mud, roads." * 5
    >>> summaries = ["Floods came.", "Mud and flooded roads."]
    >>> cases = Cases.of_texts(summaries, documents=[[document]] * 2)
    >>> SignatureCoverage().score(SignatureCoverage().statistics(cases)).round(2).tolist()
    [0.25, 0.75]
    """

    name: ClassVar[str] = "signature-coverage"
    title: ClassVar[str] = "topic-signature coverage"
    summary: ClassVar[str] = "share of the input's signature words that the summary has"
    citation: ClassVar[str] = "Lin and Hovy 2000"
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})

    cutoff: float = option(SIGNATURE_CUTOFF, "words above it are the signature", least=0)
    stem: bool = option(True, "stem words")

    def statistics(self, cases: Cases) -> Floats:
        """Give the two numbers that are divided."""
        reading = Reading(stem=self.stem, stop_words=True)
        words = np.array(cases.texts.encoded(reading).words, dtype=object)
        background = default_background(stem=self.stem, stop_words=True)
        counted = cases.documents.summed(cases.texts.counts(reading)).tocsr()
        chosen = counted.astype(np.float64)
        for row in range(counted.shape[0]):
            own = slice(counted.indptr[row], counted.indptr[row + 1])
            there = words[counted.indices[own]].tolist()
            weights = signature_weights(there, counted.data[own], background)
            chosen.data[own] = weights > self.cutoff
        blocks = word_counts(cases, "input", reading)
        parts, start = [], 0
        for counts in blocks:
            sets = cases.documents.of[start : start + counts.cases][counts.rows]
            found = chosen[sets, counts.words] if len(sets) else np.zeros(0)
            in_signature = np.asarray(found).ravel() > 0
            parts.append(self._divided(counts, in_signature))
            start += counts.cases
        return np.concatenate(parts)

    def _divided(self, counts: WordCounts, in_signature: Bools) -> Floats:
        found = counts.sums(in_signature & (counts.own > 0))
        return np.stack([found, counts.sums(in_signature)], axis=1)

    def score(self, statistics: Floats) -> Floats:
        """Divide."""
        return share(statistics[..., 0], statistics[..., 1])


@dataclass(frozen=True, slots=True)
class SignatureShare(SignatureCoverage):
    """The share of the summary's content words that are in the input's topic signature.

    Every occurrence counts; stop words are left out. See `SignatureCoverage`.

    Examples
    --------
    >>> cases = Cases.of_texts(["Floods came."], documents=[["Floods closed roads. " * 9]])
    >>> SignatureShare().score(SignatureShare().statistics(cases)).tolist()
    [1.0]
    """

    name: ClassVar[str] = "signature-share"
    title: ClassVar[str] = "topic-signature share"
    summary: ClassVar[str] = "share of the summary's content words that are signature words"

    def _divided(self, counts: WordCounts, in_signature: Bools) -> Floats:
        return np.stack([counts.sums(in_signature * counts.own), counts.own_totals], axis=1)
