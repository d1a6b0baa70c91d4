"""SUM_F: sentences weighed by the probability of their words in the input."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.options import option
from pyramidion.rewriting._rewriter import Rewriter
from pyramidion.summarizers.extract import Extract, Limit
from pyramidion.summarizers.ordering import Order
from pyramidion.summarizers.rewriter import Begin
from pyramidion.summarizers.selection import Choice
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.summarizer import Summarizer
from pyramidion.summarizers.word_weights import Composition, WordChooser, focused

__all__ = ["FrequencySummarizer"]

_COMPOSITIONS: dict[str, Composition] = {
    "sum-avr": "average",
    "sum-prod": "product",
    "sum-sum": "sum",
}
_SUMBASIC = {"method": "sum-avr", "context": "squared", "pick": "top-word"}


@dataclass(frozen=True, slots=True)
class FrequencySummarizer(Summarizer):
    r"""The family of context-sensitive, frequency-based summarizers of Nenkova's thesis.

    1. A word's probability is its share of the content words of the input, :math:`p(w) = n/N`.
    2. A sentence S is worth the average (``sum-avr``), the product (``sum-prod``, in logarithms)
       or the sum (``sum-sum``) of the probabilities of its content words:
       :math:`\sum_{w \in S} p(w) / |\{w : w \in S\}|`, :math:`\sum_{w \in S} \log p(w)` or
       :math:`\sum_{w \in S} p(w)`.
    3. The best sentence is taken, and the probability of its words is lowered to ``low``: what
       was said matters less. With 2 again until the limit is reached.

    The denominator of the average is written as a set, so a word counts once in a sentence
    (``count=types``); ``count=tokens`` is the other reading, under which a product is the
    probability of the sentence. ``context=squared`` with ``pick=top-word``, typed ``sumbasic``,
    is SumBasic: once said, :math:`p(w)` becomes :math:`p(w)^2`, and each sentence must have the
    word that is most probable at the moment.

    Content words are told by the stop list, or with ``words=pos`` by their part of speech: verbs,
    nouns, adjectives and numbers count, auxiliaries do not.

    With a query, :math:`p` is mixed with the distribution of the query's words,
    :math:`(1 - \lambda) p + \lambda q` (SumFocus). What an update's reader knows counts as said
    in proportion to how much it says it: a word keeps the share :math:`p / (p + k)` of its
    probability, where k is its probability in what is known. With ``known=said`` every word in it
    counts as said once.

    References
    ----------
    Nenkova (2006), section 4.2. Nenkova, Vanderwende and McKeown (2006). A compositional context
    sensitive multi-document summarizer. SIGIR. Nenkova and Vanderwende (2005). The impact of
    frequency on summarization (SumBasic). Vanderwende, Suzuki, Brockett and Nenkova (2007).
    Beyond SumBasic. Information Processing and Management 43(6) (the query).

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell on Ardel. Rain flooded Ardel. Goats were sold."])
    >>> FrequencySummarizer().choose(source, Limit(5)).numbers
    (0,)
    """

    name: ClassVar[str] = "sum-avr"
    title: ClassVar[str] = "SUM_F"
    summary: ClassVar[str] = "sentences of words that are frequent in the input and not yet said"
    citation: ClassVar[str] = "Nenkova 2006"
    members: ClassVar[tuple[str, ...]] = (*_COMPOSITIONS, "sumbasic")
    heeds: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    method: str = option("sum-avr", "the composition function", choices=tuple(_COMPOSITIONS))
    context: str = option(
        "low", "what becomes of a probability once said", choices=("low", "squared", "off")
    )
    low: float = option(1e-6, "the value near 0 that a word gets once it is said", least=0, most=1)
    count: str = option(
        "types", "how often a word counts in a sentence", choices=("types", "tokens")
    )
    words: str = option(
        "stop-list",
        "how content words are told: by the stop list, or as verbs (but auxiliaries: be, modals, "
        "have and do before a verb), nouns, adjectives and numbers",
        choices=("stop-list", "pos"),
    )
    pick: str = option("best", "which sentence is taken", choices=("best", "top-word"))
    query: float = option(0.2, "the part that a query's words get", least=0, most=1)
    known: str = option(
        "damped",
        "how what the reader knows is taken: its words matter less the more it says them, or all "
        "of them count as said",
        choices=("damped", "said", "off"),
    )

    @classmethod
    def read(cls, name: str) -> dict[str, str] | None:
        """Read any member's name."""
        if name == "sumbasic":
            return dict(_SUMBASIC)
        return {"method": name} if name in _COMPOSITIONS else None

    def _call(self) -> str:
        basic = all(getattr(self, name) == value for name, value in _SUMBASIC.items())
        return "sumbasic" if basic else self.method

    def summarize(
        self,
        source: Source,
        limit: Limit | None = None,
        *,
        order: Order = "source",
        rewriter: Rewriter | None = None,
    ) -> Extract:
        """Make a summary, see `Summarizer.summarize`."""
        made = super(FrequencySummarizer, self).summarize
        return made(self._read(source), limit, order=order, rewriter=rewriter)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        own = self._read(source)
        return self._chooser.choose(own, limit, self._probabilities(own))

    def choose_rewriting(self, source: Source, limit: Limit, begin: Begin) -> Choice:
        """Choose sentences, and rewrite each before its words' probabilities fall."""
        own = self._read(source)
        weights = self._probabilities(own)
        return self._chooser.choose(own, limit, weights, begin(weights))

    def weights_after(
        self, source: Source, said: Sequence[int], most: int | None = None
    ) -> tuple[tuple[str, float], ...]:
        """Give the words' probabilities once some sentences are said."""
        return super(FrequencySummarizer, self).weights_after(self._read(source), said, most)

    def explain(
        self, source: Source, number: int, said: Sequence[int] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Give the words of a sentence and their probabilities; as often as they count."""
        own = self._read(source)
        terms = super(FrequencySummarizer, self).explain(own, number, said)
        if self.count == "types":
            return terms
        times = Counter(own.words[word] for word in own.wording.sentence(number).tolist())
        return tuple(term for term in terms for _ in range(times[term[0]]))

    def word_weights(self, source: Source, said: Sequence[int] = ()) -> Floats:
        """Give each content word's probability, once some sentences are said."""
        own = self._read(source)
        probabilities = self._probabilities(own)
        for number in said:
            self._chooser.say(own, number, probabilities)
        return probabilities

    def _read(self, source: Source) -> Source:
        """Tell content words as asked; the words by number are those of what this gives."""
        return source.by_part_of_speech if self.words == "pos" else source

    @property
    def _chooser(self) -> WordChooser:
        return WordChooser(
            _COMPOSITIONS[self.method],
            tokens=self.count == "tokens",
            said=self._said,
            top_word=self.pick == "top-word",
        )

    def _said(self, probabilities: Floats) -> Floats:
        if self.context == "squared":
            return probabilities**2
        # A word that is rarer than that is not made more probable by being said.
        return probabilities if self.context == "off" else np.minimum(probabilities, self.low)

    def _probabilities(self, source: Source) -> Floats:
        probabilities = _shares(source.counts)
        probabilities = focused(source, probabilities, self.query)
        if not source.known_texts or self.known == "off":
            return probabilities
        if self.known == "damped":
            now, before = _shares(source.counts), _shares(source.known)
            return probabilities * now / np.where(now > 0, now + before, 1.0)
        squared = self.context == "squared"
        said = probabilities**2 if squared else np.minimum(probabilities, self.low)
        return np.where(source.known > 0, said, probabilities)


def _shares(counts: Floats) -> Floats:
    return counts / max(float(counts.sum()), 1.0)
