"""Why the sentences of a summary were chosen: what their words weighed at that moment."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pyramidion.report.tables import Table
from pyramidion.summarizers import Extract, Source, Summarizer
from pyramidion.text import stem, tokenize

__all__ = ["Explanation"]

_LISTED_WEIGHTS = 20
_LISTED_TERMS = 8


@dataclass(frozen=True)
class Explanation:
    """A summary, and what is needed to say how it came about.

    Parameters
    ----------
    method, source, extract
        Who made which summary of what.

    Examples
    --------
    >>> from pyramidion.summarizers import Limit, parse_summarizer
    >>> source = Source.of_texts(["Heavy rain fell on Ardel. Rain flooded Ardel. Goats were sold."])
    >>> method = parse_summarizer("sum-avr")
    >>> explanation = Explanation(method, source, method.summarize(source, Limit(5)))
    >>> [(word, round(weight, 2)) for word, weight in explanation.terms[1]]
    [('rain', 0.22), ('Ardel', 0.22), ('Heavy', 0.11), ('fell', 0.11)]
    """

    method: Summarizer
    source: Source
    extract: Extract

    @cached_property
    def weights(self) -> tuple[tuple[str, float], ...]:
        """The words that mattered, as the input mostly writes them, the heaviest first."""
        forms = self._forms
        return tuple(
            (" ".join(forms.get(part, part) for part in label.split()), weight)
            for label, weight in self.extract.weights[:_LISTED_WEIGHTS]
        )

    @cached_property
    def terms(self) -> dict[int, tuple[tuple[str, float], ...]]:
        """The words of each sentence with what they weighed when it was chosen, by its rank."""
        numbers = {(own.document, own.index): at for at, own in enumerate(self.source.sentences)}
        chosen = sorted(self.extract.sentences, key=lambda sentence: sentence.rank)
        said: list[int] = []
        found = {}
        for sentence in chosen:
            number = numbers[sentence.document, sentence.index]
            weights = dict(self.method.weights_after(self.source, said) or self.extract.weights)
            found[sentence.rank] = self._terms_of(number, weights)
            said.append(number)
        return found

    def tables(self, title: str = "") -> tuple[Table, ...]:
        """Show the weights and the sentences as they were chosen.

        Parameters
        ----------
        title
            Which summary it is.
        """
        name = f"{title}: " if title else ""
        rows = tuple(
            (
                sentence.rank,
                sentence.score,
                f"{sentence.document}, sentence {sentence.index + 1}",
                _listed(self.terms[sentence.rank]) or self.method.summary,
                sentence.text,
            )
            for sentence in sorted(self.extract.sentences, key=lambda sentence: sentence.rank)
        )
        columns = ("chosen", "score", "from", "what its words weighed then", "sentence")
        why = Table(columns, rows, title=f"{name}why each sentence was chosen")
        if not self.weights:
            return (why,)
        first = Table(("word", "weight"), self.weights, title=f"{name}what words weighed at first")
        return first, why

    def _terms_of(self, number: int, weights: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
        """Find the words, or sequences of words, of a sentence that have a weight."""
        words = [self.source.words[id] for id in self.source.wording.sentence(number)]
        spelled = self._spelled(self.source.sentences[number].text)
        longest = max((label.count(" ") + 1 for label in weights), default=0)
        found = {
            label: " ".join(spelled.get(word, word) for word in label.split())
            for size in range(1, longest + 1)
            for label in _runs(words, size)
            if label in weights
        }
        pairs = ((spelling, weights[label]) for label, spelling in found.items())
        return tuple(sorted(pairs, key=lambda pair: -pair[1]))

    def _spelled(self, text: str) -> dict[str, str]:
        """Give the words of a text as they are written there, by their stems."""
        spelled: dict[str, str] = {}
        for word in _written_words(text):
            for token in tokenize(word, self.source.reading.tokenizer):
                spelled.setdefault(self._stem(token), token if len(token) < len(word) else word)
        return spelled

    def _stem(self, token: str) -> str:
        return stem(token) if self.source.reading.stem else token

    @cached_property
    def _forms(self) -> dict[str, str]:
        """The form of each stem that the input has most."""
        tokenizer = self.source.reading.tokenizer
        counts = Counter(
            token for own in self.source.sentences for token in tokenize(own.text, tokenizer)
        )
        forms: dict[str, str] = {}
        for token, _ in counts.most_common():
            forms.setdefault(self._stem(token), token)
        return forms


def _written_words(text: str) -> list[str]:
    return [word.strip("\"'“”‘’.,;:!?()[]") for word in text.split()]


def _runs(words: Sequence[str], size: int) -> list[str]:
    return [" ".join(words[at : at + size]) for at in range(len(words) - size + 1)]


def _listed(terms: Sequence[tuple[str, float]]) -> str:
    shown = ", ".join(f"{word} {weight:.3g}" for word, weight in terms[:_LISTED_TERMS])
    more = len(terms) - _LISTED_TERMS
    return f"{shown} and {more} more" if more > 0 else shown
