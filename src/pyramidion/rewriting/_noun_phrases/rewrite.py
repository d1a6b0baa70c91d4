"""Rewriting of noun phrases: Nenkova (2006), section 4.3.1."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError
from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._noun_phrases.phrases import NounPhrase, maximum_phrases
from pyramidion.summarizers import Replacement, RewriteSession, Rewritten, Source, Weigh, edited
from pyramidion.text import count_words
from pyramidion.text.parsing import Parser

#: How the weights of words are combined into the weight of a phrase.
NounPhraseComposition = Literal["sum", "average"]

_NAME_SUFFIXES: Final = frozenset({"inc", "corp", "co", "ltd", "jr", "sr", "plc", "llc"})


def phrase_weight(weights: Sequence[float], composition: NounPhraseComposition) -> float:
    """Combine the weights of the words of a phrase."""
    total = float(sum(weights))
    return total if composition == "sum" or not weights else total / len(weights)


def head_of(phrase: NounPhrase) -> str:
    """Return the head noun of a phrase, or the last word of a name."""
    words = phrase.sentence.words
    if words[phrase.head].tag != "PROPN":
        return words[phrase.head].text.lower()
    index = phrase.core
    while index > phrase.head and words[index].text.rstrip(".").lower() in _NAME_SUFFIXES:
        index -= 1
    return words[index].text.rstrip(".").lower()


@dataclass(frozen=True)
class PhraseClasses:
    """The maximum noun phrases of an input, grouped by head."""

    articles: Articles

    @cached_property
    def phrases(self) -> list[list[NounPhrase]]:
        """The phrases of each sentence."""
        return [maximum_phrases(sentence) for sentence in self.articles]

    @cached_property
    def members(self) -> dict[str, list[NounPhrase]]:
        """The phrases of each head, in input order."""
        return grouped((head_of(phrase), phrase) for phrases in self.phrases for phrase in phrases)


@dataclass(frozen=True)
class NounPhraseSession:
    """A summary whose noun phrases are replaced by the heaviest ones with the same head."""

    classes: PhraseClasses
    composition: NounPhraseComposition = "sum"

    def rewrite(self, number: int, weigh: Weigh, room: int) -> Rewritten:
        """Rewrite a sentence; see `RewriteSession`."""
        changes: list[Replacement] = []
        for phrase in self.classes.phrases[number]:
            # Prefer the heaviest phrase, then the shortest, then the original one.
            ranked_phrases = [
                (
                    -phrase_weight(weigh(candidate.text), self.composition),
                    count_words(candidate.text),
                    candidate.text.lower() != phrase.text.lower(),
                    candidate.text,
                    index,
                )
                for index, candidate in enumerate(self.classes.members[head_of(phrase)])
            ]
            best_phrase = self.classes.members[head_of(phrase)][min(ranked_phrases)[-1]]
            overlaps = any(
                phrase.start < earlier_change.end and earlier_change.start < phrase.end
                for earlier_change in changes
            )
            if best_phrase.text.lower() == phrase.text.lower() or overlaps:
                continue
            text = best_phrase.text
            if phrase.first == 0:
                text = text[:1].upper() + text[1:]
            elif best_phrase.first == 0 and best_phrase.words[0].tag != "PROPN":
                text = text[:1].lower() + text[1:]
            start, end, source = phrase.start, phrase.end, best_phrase.sentence
            origin = (source.document, source.index)
            change = Replacement(start, end, phrase.text, text, "noun phrase", "heaviest", *origin)
            changes.append(change)
        text = self.classes.articles.sentences[number].text
        return Rewritten(edited(text, changes), tuple(changes))


@dataclass(frozen=True)
class NounPhraseRewriter:
    r"""Replaces noun phrases of chosen sentences by other phrases of the input with the same head.

    The weight :math:`F_{RW}` of a phrase is the sum or average of the current weights of its words.
    Each maximum noun phrase of a chosen sentence is replaced by the heaviest phrase with the same
    head; ties go to the shortest.

    Parameters
    ----------
    parser
        A parser, see `load_parser`, or the parsed input.
    composition
        :math:`F_{RW}`: ``sum`` or ``average``.

    References
    ----------
    Nenkova (2006), section 4.3.1.

    Examples
    --------
    >>> from pyramidion.text import load_parser
    >>> NounPhraseRewriter(load_parser("light"), "average").composition
    'average'
    """

    parser: Parser | Articles
    composition: NounPhraseComposition = "sum"
    _parsed: dict[tuple[str, ...], PhraseClasses] = field(
        default_factory=dict, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.composition not in ("sum", "average"):
            raise InputError(f"the composition is {self.composition!r}", hint="give sum or average")

    def begin(self, source: Source) -> RewriteSession:
        """Begin a summary; see `Rewriter.begin`. The input is parsed once."""
        key = tuple(source.texts)
        if key not in self._parsed:
            self._parsed.clear()
            self._parsed[key] = PhraseClasses(self._articles(source))
        return NounPhraseSession(self._parsed[key], self.composition)

    def _articles(self, source: Source) -> Articles:
        if isinstance(self.parser, Articles):
            if [sentence.text for sentence in self.parser] != list(source.texts):
                hint = "parse the sentences of the input, or give the parser"
                raise InputError("the parsed sentences do not belong to the input", hint=hint)
            return self.parser
        return Articles.of_input(source, self.parser)
