"""Methods that weigh sentences by the input's topic signature."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, cast

import numpy as np

from pyramidion._types import Floats
from pyramidion.questions import option
from pyramidion.summarizers._frequency import Composition, WordChooser
from pyramidion.summarizers._rewriter import Begin
from pyramidion.summarizers._selection import Choice, Limit, choose_ranked
from pyramidion.summarizers._source import Source
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.text.encoding import (
    SIGNATURE_CUTOFF,
    Background,
    Reading,
    default_background,
    log_likelihood_ratios,
)


@lru_cache(maxsize=8)
def _read(background: Background, reading: Reading) -> tuple[Background, int]:
    """Process a background like the input, and count its words."""
    if reading.stop_words:
        background = background.without_stop_words()
    background = background.stemmed() if reading.stem and reading.language == "en" else background
    return background, background.total


def signature_of(source: Source, background: Background | None = None) -> Floats:
    r"""Return :math:`-2\log\lambda` of each word of an input against general English.

    It is 0 for words that are not more frequent than in general English. The background has stop
    words only if the input is read with them.
    """
    general_background, total = _read(background or default_background(), source.reading)
    counts, number = general_background.counts_of(list(source.words)), int(source.counts.sum())
    ratios = log_likelihood_ratios(source.counts, number, counts, total)
    return np.where(source.counts > 0, np.maximum(ratios, 0.0), 0.0)


@dataclass(frozen=True, slots=True)
class SignatureSummarizer(Summarizer):
    r"""Sentences with many words of the topic signature.

    The signature has every word with :math:`-2\log\lambda` above ``cutoff``
    (`log_likelihood_ratios`). The score of a sentence is the average or the sum of the weights of
    its distinct words; words outside the signature have weight 0 but count in an average. Once the
    summary has a word, its weight is 0, unless ``context=off``.

    Source: Lin and Hovy (2000). The automated acquisition of topic signatures for text
    summarization. COLING.
    """

    name: ClassVar[str] = "signature"
    title: ClassVar[str] = "topic signature"
    summary: ClassVar[str] = "sentences with words far more frequent than in general English"
    citation: ClassVar[str] = "Lin and Hovy 2000"

    cutoff: float = option(SIGNATURE_CUTOFF, "minimum ratio of words in the signature", min=0)
    compose: str = option("average", "score of a sentence", choices=("average", "sum"))
    weight: str = option("ratio", "weight of a word: its ratio, or 1", choices=("ratio", "one"))
    context: str = option(
        "on", "whether a word counts less after it occurs in the summary", choices=("on", "off")
    )

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        return self._chooser.choose(source, limit, self.word_weights(source))

    def choose_rewriting(self, source: Source, limit: Limit, begin: Begin) -> Choice:
        """Choose sentences, and rewrite each before lowering its words' weights."""
        weights = self.word_weights(source)
        return self._chooser.choose(source, limit, weights, begin())

    def word_weights(self, source: Source, taken: Sequence[int] = ()) -> Floats:
        """Return the weights of the signature's words."""
        ratios = signature_of(source)
        weights = np.where(ratios > self.cutoff, ratios if self.weight == "ratio" else 1.0, 0.0)
        return self._chooser.after(source, taken, weights)

    @property
    def _chooser(self) -> WordChooser:
        kept_weight = float(self.context == "off")
        return WordChooser(
            cast("Composition", self.compose), lower=lambda weights: weights * kept_weight
        )


@dataclass(frozen=True, slots=True)
class LiteGistexter(Summarizer):
    r"""Lite-GISTexter: the sum of signature weights, and a rule of novelty.

    The weight of a word is its :math:`-2\log\lambda`, that of a sentence the sum over its distinct
    words. In the order of weights, a sentence is taken if it adds more signature terms (words above
    ``cutoff``) than it shares with the summary.

    Source: Lacatusu, Hickl, Harabagiu and Nezda (2004). Lite-GISTexter at DUC 2004, as described in
    Nenkova (2006), section 4.5.
    """

    name: ClassVar[str] = "gistexter"
    title: ClassVar[str] = "Lite-GISTexter"
    summary: ClassVar[str] = "sentences with many signature words, most of them new to the summary"
    citation: ClassVar[str] = "Lacatusu et al. 2004"

    cutoff: float = option(SIGNATURE_CUTOFF, "minimum ratio of words in the signature", min=0)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        ratios = signature_of(source)
        presence = source.wording.presence
        is_covered = np.zeros(len(ratios), dtype=np.bool_)

        def brings_more(number: int, taken: list[int]) -> bool:
            words = presence.indices[presence.indptr[number] : presence.indptr[number + 1]]
            terms = words[ratios[words] > self.cutoff]
            n_new = int(np.count_nonzero(~is_covered[terms]))
            if taken and len(terms) - n_new >= n_new:
                return False
            is_covered[terms] = True
            return True

        return choose_ranked(source, limit, np.asarray(presence @ ratios), brings_more)

    def word_weights(self, source: Source, taken: Sequence[int] = ()) -> Floats:
        """Return the words' ratios, which are constant."""
        return signature_of(source)
