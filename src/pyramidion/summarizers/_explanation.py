"""Why the sentences of a summary were chosen, and what was rewritten in them."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pyramidion.rendering.table import Table
from pyramidion.summarizers._result import Key, replacements_table, sentence_label, table_title
from pyramidion.summarizers._selection import ChosenSentence, Extract, Terms
from pyramidion.summarizers._source import Source
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.text import stem, tokenize
from pyramidion.text.tokens import stemmer_for

_MAX_LISTED_WEIGHTS = 20
_MAX_LISTED_TERMS = 8

_CHOSEN_COLUMNS = ("chosen", "score", "from", "what counted at that point", "sentence")


@dataclass(frozen=True)
class Explanation:
    """Explains why the sentences of a summary were chosen.

    Parameters
    ----------
    method, source, extract
        The summary, its input and the method that made it.

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
        """The words that mattered, in their most frequent form, heaviest first."""
        forms = self._forms
        return tuple(
            (" ".join(forms.get(part, part) for part in label.split()), weight)
            for label, weight in self.extract.weights[:_MAX_LISTED_WEIGHTS]
        )

    @cached_property
    def terms(self) -> dict[int, tuple[tuple[str, float], ...]]:
        """The terms of each sentence when it was chosen, by rank, spelled as in the sentence."""
        numbers = {(s.document, s.index): index for index, s in enumerate(self.source.sentences)}
        earlier_numbers: list[int] = []
        terms = {}
        for sentence in self._chosen_sentences:
            number = numbers[sentence.document, sentence.index]
            explained_terms = sentence.terms or self.method.explain(
                self.source, number, tuple(earlier_numbers)
            )
            # Without word weights, terms are not words.
            if self.extract.weights:
                explained_terms = self._spell_terms(number, explained_terms)
            terms[sentence.rank] = explained_terms
            earlier_numbers.append(number)
        return terms

    def tables(self, title: str = "", key: Key = ()) -> tuple[Table, ...]:
        """Return tables of the weights, the chosen sentences, and what was rewritten."""
        tables = []
        if self.weights:
            subject = table_title(title, "initial word weights")
            own_key = (("table", "weights"), *key)
            columns = ("word", "weight")
            tables.append(Table(columns, self.weights, subject, key=own_key, name="weights"))
        rows = tuple(
            (
                sentence.rank,
                sentence.score,
                sentence_label(sentence.document, sentence.index),
                _list_terms(self.terms[sentence.rank]) or self.method.summary,
                sentence.text,
            )
            for sentence in self._chosen_sentences
        )
        if rows:
            subject = table_title(title, "why each sentence was chosen")
            own_key = (("table", "chosen"), *key)
            tables.append(Table(_CHOSEN_COLUMNS, rows, subject, key=own_key, name="chosen"))
        changes = [(s.rank, change) for s in self._chosen_sentences for change in s.replacements]
        if changes:
            own_key = (("table", "rewritten"), *key)
            tables.append(replacements_table(changes, "chosen", title, own_key))
        return tuple(tables)

    @property
    def _chosen_sentences(self) -> list[ChosenSentence]:
        return sorted(self.extract.sentences, key=lambda sentence: sentence.rank)

    def _spell_terms(self, number: int, terms: Terms) -> Terms:
        """Spell stems and sequences of stems as in a sentence."""
        words = [word.strip("\"'“”‘’.,;:!?()[]") for word in self.source.texts[number].split()]
        tokens = [
            (self._stem(token), token if len(token) < len(word) else word)
            for word in words
            for token in tokenize(word, self.source.reading.tokenizer)
        ]
        max_words = max((label.count(" ") + 1 for label, _ in terms), default=0)
        spellings: dict[str, str] = {}
        for size in range(1, max_words + 1):
            for index in range(len(tokens) - size + 1):
                stems, forms = zip(*tokens[index : index + size], strict=True)
                spellings.setdefault(" ".join(stems), " ".join(forms))
        return tuple((spellings.get(label, label), weight) for label, weight in terms)

    @cached_property
    def _stem(self) -> Callable[[str], str]:
        reading = self.source.reading
        stemmer = stemmer_for(reading.stem, reading.language)
        if callable(stemmer):
            return stemmer
        return stem if stemmer else str

    @cached_property
    def _forms(self) -> dict[str, str]:
        """The most frequent form of each stem in the input."""
        tokenizer = self.source.reading.tokenizer
        counts = Counter(token for text in self.source.texts for token in tokenize(text, tokenizer))
        forms: dict[str, str] = {}
        for token, _ in counts.most_common():
            forms.setdefault(self._stem(token), token)
        return forms


def _list_terms(terms: Sequence[tuple[str, float]]) -> str:
    # Adding 0.0 turns -0 into 0.
    term_list = ", ".join(
        f"{word} {weight + 0.0:.3g}" for word, weight in terms[:_MAX_LISTED_TERMS]
    )
    n_hidden = len(terms) - _MAX_LISTED_TERMS
    return f"{term_list} and {n_hidden} more" if n_hidden > 0 else term_list
