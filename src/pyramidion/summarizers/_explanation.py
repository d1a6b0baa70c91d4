"""Why the sentences of a summary were chosen, and what was rewritten in them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pyramidion.report.table import Cell, Table
from pyramidion.summarizers._result import Key, place, replacements_table, titled
from pyramidion.summarizers._selection import ChosenSentence, Extract, Terms
from pyramidion.summarizers._source import Source
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.text import stem, tokenize
from pyramidion.text._tokens import stemmer_for

_LISTED_WEIGHTS = 20
_LISTED_TERMS = 8

Rows = tuple[tuple[Cell, ...], ...]

_CHOSEN = ("chosen", "score", "from", "what counted then", "sentence")


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
        """What made each sentence worth choosing when it was chosen, by its rank.

        Words are spelled as the sentence does.
        """
        numbers = {(own.document, own.index): at for at, own in enumerate(self.source.sentences)}
        said: list[int] = []
        found = {}
        for sentence in self._chosen:
            number = numbers[sentence.document, sentence.index]
            terms = sentence.terms or self.method.explain(self.source, number, tuple(said))
            found[sentence.rank] = self._written(number, terms)
            said.append(number)
        return found

    def tables(self, title: str = "", key: Key = ()) -> tuple[Table, ...]:
        """Show the weights, the sentences as they were chosen, and what was rewritten."""
        chosen = tuple(map(self._why, self._chosen))
        made: tuple[tuple[str, tuple[str, ...], Rows, str], ...] = (
            ("weights", ("word", "weight"), self.weights, "what words weighed at first"),
            ("chosen", _CHOSEN, chosen, "why each sentence was chosen"),
        )
        tables = [
            Table(columns, rows, titled(title, about), key=(("table", name), *key), name=name)
            for name, columns, rows, about in made
            if rows
        ]
        changes = [(own.rank, change) for own in self._chosen for change in own.replacements]
        if changes:
            mine = (("table", "rewritten"), *key)
            tables.append(replacements_table(changes, "chosen", title, mine))
        return tuple(tables)

    @property
    def _chosen(self) -> list[ChosenSentence]:
        return sorted(self.extract.sentences, key=lambda sentence: sentence.rank)

    def _why(self, sentence: ChosenSentence) -> tuple[Cell, ...]:
        return (
            sentence.rank,
            sentence.score,
            place(sentence.document, sentence.index),
            _listed(self.terms[sentence.rank]) or self.method.summary,
            sentence.text,
        )

    def _written(self, number: int, terms: Terms) -> Terms:
        """Return a method's own words about a sentence, spelled as the sentence spells them."""
        # Where no words have weights, what a method says is not about words.
        if not self.extract.weights:
            return terms
        longest = max((label.count(" ") + 1 for label, _ in terms), default=0)
        spelled = self._spelled(self.source.sentences[number].text, longest)
        return tuple((spelled.get(label, label), weight) for label, weight in terms)

    def _spelled(self, text: str, longest: int) -> dict[str, str]:
        """Return words and sequences of words as a text writes them, by their stems."""
        found = [
            (self._stem(token), token if len(token) < len(word) else word)
            for word in (own.strip("\"'“”‘’.,;:!?()[]") for own in text.split())
            for token in tokenize(word, self.source.reading.tokenizer)
        ]
        spelled: dict[str, str] = {}
        for size in range(1, longest + 1):
            for at in range(len(found) - size + 1):
                stems, words = zip(*found[at : at + size], strict=True)
                spelled.setdefault(" ".join(stems), " ".join(words))
        return spelled

    def _stem(self, token: str) -> str:
        reading = self.source.reading
        own = stemmer_for(reading.stem, reading.language)
        if callable(own):
            return own(token)
        return stem(token) if own else token

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


def _listed(terms: Sequence[tuple[str, float]]) -> str:
    # Nothing is added to minus zero, which would be shown with its sign.
    shown = ", ".join(f"{word} {weight + 0.0:.3g}" for word, weight in terms[:_LISTED_TERMS])
    more = len(terms) - _LISTED_TERMS
    return f"{shown} and {more} more" if more > 0 else shown
