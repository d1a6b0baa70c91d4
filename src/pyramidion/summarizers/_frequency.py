"""Methods that weigh words by frequency: SumBasic and relatives, and KL-Sum."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.questions import option
from pyramidion.summarizers._rewriter import Begin, Rewriting, word_shares
from pyramidion.summarizers._selection import Choice, Limit, Terms, choose_greedily
from pyramidion.summarizers._source import Source
from pyramidion.summarizers._summarizer import Summarizer

Composition = Literal["average", "product", "sum"]

#: Smaller weights are raised to this before taking logarithms.
_MIN_PROBABILITY = 1e-300


@dataclass(frozen=True, slots=True)
class WordChooser:
    """Chooses sentences by the weights of their words."""

    composition: Composition
    tokens: bool = False
    lower: Callable[[Floats], Floats] = lambda weights: weights
    top_word: bool = False

    def choose(
        self, source: Source, limit: Limit, weights: Floats, rewriting: Rewriting | None = None
    ) -> Choice:
        """Choose sentences by the weights of the input's words."""
        wording = source.wording
        rows, words = (wording.rows, wording.ids) if self.tokens else wording.pairs
        sizes = np.bincount(rows, minlength=len(source))
        divisors = np.maximum(sizes, 1)
        current_weights = weights.copy()

        def weigh() -> Floats:
            values = (
                np.log(np.maximum(current_weights, _MIN_PROBABILITY))
                if self.composition == "product"
                else current_weights
            )
            scores = np.bincount(rows, values.take(words), len(source))
            return scores / divisors if self.composition == "average" else scores.astype(np.float64)

        def narrow(is_open: Bools) -> Bools:
            """Return the sentences with the heaviest word that any of them has."""
            presence = source.wording.presence
            is_available = np.asarray(presence.T @ is_open.astype(np.float64)) > 0
            if not is_available.any():
                return is_open
            is_heaviest = is_available & (current_weights >= current_weights[is_available].max())
            return is_open & (np.asarray(presence @ is_heaviest.astype(np.float64)) > 0)

        def add(number: int) -> None:
            self.say(
                rewriting.words_of(number) if rewriting else wording.sentence(number),
                current_weights,
            )

        choice = choose_greedily(
            source,
            limit,
            weigh,
            add,
            allowed=source.candidates & (sizes > 0),
            narrow=narrow if self.top_word else None,
            rewrite=None if rewriting is None else rewriting.by(current_weights),
        )
        if rewriting is None:
            return choice
        return replace(choice, rewritten=rewriting.done, explained=rewriting.explained)

    def say(self, words: npt.NDArray[Any], weights: Floats) -> None:
        """Lower the weights of words (by number) that the summary has now."""
        weights[words] = self.lower(weights[words])

    def after(self, source: Source, taken: Sequence[int], weights: Floats) -> Floats:
        """Return the weights after some sentences are chosen; changes `weights` in place."""
        for number in taken:
            self.say(source.wording.sentence(number), weights)
        return weights


def mix_with_query(source: Source, weights: Floats, share: float) -> Floats:
    """Mix the query's words into a distribution over words."""
    if not source.question or share == 0:
        return weights
    in_query = np.where(source.counts > 0, source.query, 0.0)
    if not in_query.any():
        return weights
    mixed_weights: Floats = (1 - share) * weights + share * in_query / in_query.sum()
    return mixed_weights


_COMPOSITIONS: dict[str, Composition] = {
    "sum-avr": "average",
    "sum-prod": "product",
    "sum-sum": "sum",
}
_COUNT_KINDS = ("types", "tokens")
_SUMBASIC_OPTIONS = {"method": "sum-avr", "context": "squared", "pick": "top-word"}


@dataclass(frozen=True, slots=True)
class FrequencySummarizer(Summarizer):
    r"""The family of context-sensitive, frequency-based summarizers of Nenkova's thesis.

    1. A word's probability is its share of the content words of the input, :math:`p(w) = n/N`.
    2. A sentence S is worth the average (``sum-avr``), the product (``sum-prod``, in logarithms)
       or the sum (``sum-sum``) of the probabilities of its content words:
       :math:`\sum_{w \in S} p(w) / |\{w : w \in S\}|`, :math:`\sum_{w \in S} \log p(w)` or
       :math:`\sum_{w \in S} p(w)`.
    3. The best sentence is taken, and the probability of its words is lowered to ``low``. Steps 2
       and 3 are repeated until the limit is reached.

    The denominator of the average is written as a set, so a word counts once in a sentence
    (``count=types``); with ``count=tokens`` a product is the probability of the sentence.
    ``context=squared`` with ``pick=top-word``, typed ``sumbasic``, is SumBasic: :math:`p(w)` of a
    used word becomes :math:`p(w)^2`, and each sentence must have the word that is most probable at
    the moment.

    Content words are all that are not on the stop list, or with ``words=pos`` verbs (except
    auxiliaries), nouns, adjectives and numbers.

    With a query, :math:`p` is mixed with the distribution of the query's words,
    :math:`(1 - \lambda) p + \lambda q` (SumFocus). In an update, a word keeps the share
    :math:`p / (p + k)` of its probability, where k is its probability in the known texts. With
    ``known=said`` every word of the known texts counts as used once.

    Source: Nenkova (2006), section 4.2. Nenkova, Vanderwende and McKeown (2006). A compositional
    context sensitive multi-document summarizer. SIGIR. Nenkova and Vanderwende (2005). The impact
    of frequency on summarization (SumBasic). Vanderwende, Suzuki, Brockett and Nenkova (2007).
    Beyond SumBasic. Information Processing and Management 43(6) (the query).
    """

    name: ClassVar[str] = "sum-avr"
    title: ClassVar[str] = "SUM_F"
    summary: ClassVar[str] = "sentences with frequent words that the summary does not have yet"
    citation: ClassVar[str] = "Nenkova 2006"
    members: ClassVar[tuple[str, ...]] = (*_COMPOSITIONS, "sumbasic")
    uses: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    method: str = option("sum-avr", "the composition function", choices=tuple(_COMPOSITIONS))
    context: str = option(
        "low",
        "probability of a word after it occurs in the summary",
        choices=("low", "squared", "off"),
    )
    low: float = option(1e-6, "value near 0 for words that occur in the summary", min=0, max=1)
    count: str = option("types", "whether a word counts once per sentence", choices=_COUNT_KINDS)
    words: str = option(
        "stop-list",
        "content words: by the stop list, or by part of speech (nouns, adjectives, numbers, and "
        "verbs except auxiliaries: be, modals, have and do before a verb)",
        choices=("stop-list", "pos"),
    )
    pick: str = option("best", "which sentence is taken next", choices=("best", "top-word"))
    query: float = option(0.2, "weight of the query's words, from 0 to 1", min=0, max=1)
    known: str = option(
        "damped",
        "words that the reader knows: they matter less the more often they occur, or all of them "
        "count as already said",
        choices=("damped", "said", "off"),
    )

    @classmethod
    def read(cls, name: str) -> dict[str, str] | None:
        """Parse the name of any member of the family."""
        if name == "sumbasic":
            return dict(_SUMBASIC_OPTIONS)
        return {"method": name} if name in _COMPOSITIONS else None

    def _call(self) -> str:
        is_sumbasic = all(getattr(self, name) == value for name, value in _SUMBASIC_OPTIONS.items())
        return "sumbasic" if is_sumbasic else self.method

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        own_source = self._read(source)
        return self._chooser.choose(own_source, limit, self._probabilities(own_source))

    def choose_rewriting(self, source: Source, limit: Limit, begin: Begin) -> Choice:
        """Choose sentences, and rewrite each before lowering its words' probabilities."""
        own_source = self._read(source)
        weights = self._probabilities(own_source)
        return self._chooser.choose(own_source, limit, weights, begin())

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Return the words of a sentence with their probabilities.

        Repeated words are listed each time if occurrences count.
        """
        own_source = self._read(source)
        terms = super(FrequencySummarizer, self).explain(own_source, number, taken)
        if self.count == "types":
            return terms
        word_counts = Counter(
            own_source.words[word] for word in own_source.wording.sentence(number).tolist()
        )
        return tuple(term for term in terms for _ in range(word_counts[term[0]]))

    def word_weights(self, source: Source, taken: Sequence[int] = ()) -> Floats:
        """Return each content word's probability after some sentences are chosen."""
        own_source = self._read(source)
        return self._chooser.after(own_source, taken, self._probabilities(own_source))

    def _read(self, source: Source) -> Source:
        return source.by_part_of_speech if self.words == "pos" else source

    @property
    def _chooser(self) -> WordChooser:
        tokens, top_word = self.count == "tokens", self.pick == "top-word"
        return WordChooser(_COMPOSITIONS[self.method], tokens, self._lower, top_word)

    def _lower(self, probabilities: Floats) -> Floats:
        if self.context == "squared":
            return probabilities**2
        # The minimum, so that a rarer word does not become more probable.
        return probabilities if self.context == "off" else np.minimum(probabilities, self.low)

    def _probabilities(self, source: Source) -> Floats:
        input_shares = word_shares(source.counts)
        probabilities = mix_with_query(source, input_shares, self.query)
        if not source.known_texts or self.known == "off":
            return probabilities
        if self.known == "damped":
            known_shares = word_shares(source.known_counts)
            return (
                probabilities
                * input_shares
                / np.where(input_shares > 0, input_shares + known_shares, 1.0)
            )
        is_squared = self.context == "squared"
        lowered_probabilities = (
            probabilities**2 if is_squared else np.minimum(probabilities, self.low)
        )
        return np.where(source.known_counts > 0, lowered_probabilities, probabilities)


@dataclass(frozen=True, slots=True)
class KLSum(Summarizer):
    r"""KL-sum: the summary whose word distribution is closest to the input's.

    The sentence that minimizes :math:`KL(P \parallel Q)` is taken, again and again, where P is the
    distribution of content words in the input and Q the one in the summary, with ``smoothing``
    added to each of its counts. With a query, P is mixed with its words as for ``sum-avr``.

    Source: Haghighi and Vanderwende (2009). Exploring content models for multi-document
    summarization. NAACL.
    """

    name: ClassVar[str] = "kl-sum"
    title: ClassVar[str] = "KL-sum"
    summary: ClassVar[str] = "sentences that together have the word distribution of the input"
    citation: ClassVar[str] = "Haghighi and Vanderwende 2009"
    uses: ClassVar[frozenset[str]] = frozenset({"query"})

    smoothing: float = option(0.01, "constant added to each count", min=1e-9)
    query: float = option(0.2, "weight of the query's words, from 0 to 1", min=0, max=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        table, target_shares = source.table, self.word_weights(source)
        sizes = np.asarray(table.sum(axis=1))
        rows = np.repeat(np.arange(len(source)), np.diff(table.indptr))
        smoothing_sum = self.smoothing * np.count_nonzero(source.counts)
        counts = np.full(len(source.words), self.smoothing)
        negative_entropy = float(
            target_shares @ np.log(np.where(target_shares > 0, target_shares, 1.0))
        )

        def weigh() -> Floats:
            # Only the words of the sentence change the summary's counts.
            old_counts = counts[table.indices]
            gains = target_shares[table.indices] * np.log1p(table.data / old_counts)
            total_gains = np.bincount(rows, weights=gains, minlength=len(source))
            likelihood = float(target_shares @ np.log(counts)) + total_gains
            total = counts.sum() - (len(counts) * self.smoothing - smoothing_sum) + sizes
            return np.where(
                sizes > 0,
                likelihood - np.log(np.maximum(total, 1e-300)) - negative_entropy,
                -np.inf,
            )

        def add(number: int) -> None:
            span = slice(table.indptr[number], table.indptr[number + 1])
            counts[table.indices[span]] += table.data[span]

        return choose_greedily(source, limit, weigh, add)

    def word_weights(self, source: Source, taken: Sequence[int] = ()) -> Floats:
        """Return the distribution of words that the summary should have."""
        return mix_with_query(source, word_shares(source.counts), self.query)
