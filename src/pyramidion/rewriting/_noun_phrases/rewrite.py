"""Rewriting of noun phrases: by one article's own wording, or as the thesis printed it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final, Literal

from pyramidion.collection._ids import grouped
from pyramidion.errors import InputError
from pyramidion.rewriting._articles import FINITE, Articles, balanced
from pyramidion.rewriting._noun_phrases.phrases import NounPhrase, maximum_phrases
from pyramidion.rewriting._people.vetoes import unreadable
from pyramidion.rewriting._quotations import Quotations
from pyramidion.rewriting._rewriter import (
    ReadsBefore,
    Replacement,
    RewriteInput,
    RewriteSession,
    Rewritten,
    Weigh,
    edited,
)
from pyramidion.rewriting._word_lists import names_people, nouns_of, words_of
from pyramidion.text import count_words, is_stop_word, stem, tokenize
from pyramidion.text._parsing import Parser

#: How the weights of a phrase's words make its own.
NounPhraseComposition = Literal["sum", "average"]

COMPOSITIONS: tuple[NounPhraseComposition, ...] = ("sum", "average")

#: Words that a phrase may grow by, and the longest that is put elsewhere.
_GROWTH: Final = 6
_LONGEST: Final = 10
_ENDINGS: Final = frozenset({"inc", "corp", "co", "ltd", "jr", "sr", "plc", "llc"})


def composed(weights: Sequence[float], composition: NounPhraseComposition) -> float:
    """Return what a phrase weighs by its words."""
    total = float(sum(weights))
    return total if composition == "sum" or not weights else total / len(weights)


@lru_cache(maxsize=20_000)
def content(text: str) -> frozenset[str]:
    """Return the words that count in a text, as stems."""
    return frozenset(stem(word) for word in tokenize(text) if not is_stop_word(word))


def head_of(phrase: NounPhrase) -> str:
    """Return the noun that is the head of a phrase; of a name, its last word."""
    words = phrase.sentence.words
    if words[phrase.head].tag != "PROPN":
        return words[phrase.head].text.lower()
    place = phrase.core
    while place > phrase.head and words[place].text.rstrip(".").lower() in _ENDINGS:
        place -= 1
    return words[place].text.rstrip(".").lower()


@dataclass(frozen=True)
class PhraseClasses:
    """The maximum noun phrases of an input, and those with the same head."""

    articles: Articles

    @cached_property
    def phrases(self) -> list[list[NounPhrase]]:
        """The phrases of each sentence."""
        return [maximum_phrases(sentence) for sentence in self.articles]

    @cached_property
    def members(self) -> dict[str, list[NounPhrase]]:
        """The phrases of each head, in the order of the input."""
        return grouped((head_of(phrase), phrase) for own in self.phrases for phrase in own)

    @cached_property
    def quotations(self) -> Quotations:
        """What is quoted."""
        return Quotations(self.articles)


@dataclass(frozen=True)
class OwnWording:
    """A summary in which a thing is called as its own article calls it elsewhere."""

    classes: PhraseClasses
    composition: NounPhraseComposition
    reads_before: ReadsBefore
    _texts: dict[int, str] = field(default_factory=dict)

    def rewrite(self, number: int, weigh: Weigh, room: int) -> Rewritten:
        """Rewrite a sentence; see `RewriteSession`."""
        sentence = self.classes.articles.sentences[number]
        changes: list[Replacement] = []
        for phrase in () if unreadable(sentence) else self.classes.phrases[number]:
            change = self._change(number, phrase, weigh)
            made = edited(sentence.text, [*changes, change]) if change else ""
            fits = count_words(made) <= max(room, count_words(sentence.text))
            if change and fits and balanced(made):
                changes.append(change)
        self._texts[number] = edited(sentence.text, changes)
        return Rewritten(self._texts[number], tuple(changes))

    def _change(self, number: int, phrase: NounPhrase, weigh: Weigh) -> Replacement | None:
        """Find a better wording, if the article has no other thing of that name."""
        if not self._is_usable(phrase):
            return None
        document, members = phrase.sentence.document, self.classes.members[head_of(phrase)]
        same = [own for own in members if own.sentence.document == document]
        # All are about one thing if none says what a longer one lacks.
        longest = max((content(own.text) for own in same), key=len)
        if not all(content(own.text) <= longest for own in same):
            return None
        usable = filter(self._is_usable, same)
        fit = [own for own in usable if self._may_replace(own, phrase, number)]
        mine = composed(weigh(phrase.text), self.composition)
        better = [own for own in fit if composed(weigh(own.text), self.composition) > mine]
        shorter = [own for own in fit if content(own.text) < content(phrase.text)]
        if better:
            best = max(better, key=lambda own: len(content(own.text)))
        elif shorter:
            best = min(shorter, key=lambda own: len(own.words))
        else:
            return None
        text = best.text
        first = text[:1].upper() if phrase.first == 0 else text[:1].lower()
        reason = "says more" if content(text) > content(phrase.text) else "said before"
        return replacement_of(phrase, best, first + text[1:], reason)

    def _is_usable(self, phrase: NounPhrase) -> bool:
        """Return whether a phrase with *the* can be exchanged, and stands where it may be."""
        words, noun = phrase.words, phrase.sentence.words[phrase.head]
        pointing = nouns_of("pointing") | words_of("pronouns") | words_of("claims")
        return (
            phrase.definiteness == "definite"
            and noun.tag == "NOUN"
            and words[0].text in {"the", "The"}
            and not (phrase.predicate or phrase.coordinated or phrase.unsafe)
            and len(words) <= _LONGEST
            and len(noun.lemma) > 1
            and noun.lemma not in nouns_of("vague")
            and not names_people(noun.lemma)
            # Other phrases may belong to the verb: *blocked the dam with tractors*.
            and (not phrase.postmodified or phrase.sentence.text_at(phrase.core + 1) == "of")
            and not any(
                word.tag == "NUM"
                or word.text[0] in "$€£¥%"
                or word.text in {",", "-", "–", "'s", "’s"}
                or word.fine in FINITE
                or word.text.lower() in pointing
                for word in words
            )
            and not self.classes.quotations.touch(phrase.sentence, phrase.start, phrase.end)
        )

    def _may_replace(self, own: NounPhrase, phrase: NounPhrase, number: int) -> bool:
        """Return whether nothing is lost that was not read, and nothing is said twice."""
        before, after = content(phrase.text), content(own.text)
        if before == after or own.plural != phrase.plural:
            return False
        read = [text for one, text in self._texts.items() if self.reads_before(one, number)]
        said: frozenset[str] = frozenset().union(*map(content, read))
        if after < before:
            return before - after <= said
        text = phrase.sentence.text
        elsewhere = content(f"{text[: phrase.start]} {text[phrase.end :]}")
        if not before < after or not _may_grow(phrase) or (after - before) & (elsewhere | said):
            return False
        earlier = own.sentence.index < phrase.sentence.index
        return earlier and count_words(own.text) - count_words(phrase.text) <= _GROWTH


def _may_grow(phrase: NounPhrase) -> bool:
    """Return whether what follows cannot be read with the end of a longer wording."""
    following = phrase.sentence.words[phrase.last + 1 : phrase.last + 2]
    verb = any(own.tag in {"VERB", "AUX"} and own.relation != "copula" for own in following)
    return verb or all(own.text in {".", ";", "!", "?"} for own in following)


def replacement_of(phrase: NounPhrase, own: NounPhrase, text: str, reason: str) -> Replacement:
    """Put the wording of one phrase in the place of another."""
    source = own.sentence
    place = (source.document, source.index)
    return Replacement(phrase.start, phrase.end, phrase.text, text, "noun phrase", reason, *place)


@dataclass(frozen=True)
class RawSession:
    """The algorithm of Nenkova (2006), section 4.3.1, as printed: heaviest phrase, same head."""

    classes: PhraseClasses
    composition: NounPhraseComposition = "sum"

    def rewrite(self, number: int, weigh: Weigh, room: int) -> Rewritten:
        """Rewrite a sentence; see `RewriteSession`."""
        changes: list[Replacement] = []
        for phrase in self.classes.phrases[number]:
            # The heaviest, then the shortest, then the phrase itself.
            ranked = [
                (
                    -composed(weigh(own.text), self.composition),
                    count_words(own.text),
                    own.text.lower() != phrase.text.lower(),
                    own.text,
                    place,
                )
                for place, own in enumerate(self.classes.members[head_of(phrase)])
            ]
            best = self.classes.members[head_of(phrase)][min(ranked)[-1]]
            overlaps = any(phrase.start < one.end and one.start < phrase.end for one in changes)
            if best.text.lower() == phrase.text.lower() or overlaps:
                continue
            text = best.text
            if phrase.first == 0:
                text = text[:1].upper() + text[1:]
            elif best.first == 0 and best.words[0].tag != "PROPN":
                text = text[:1].lower() + text[1:]
            changes.append(replacement_of(phrase, best, text, "heaviest"))
        text = self.classes.articles.sentences[number].text
        return Rewritten(edited(text, changes), tuple(changes))


@dataclass(frozen=True)
class NounPhraseRewriter:
    r"""Replaces noun phrases of chosen sentences by what else the input calls the same thing.

    With guards a phrase with *the* is exchanged only for another one of its own article, where all
    phrases of that noun are about one thing: for one that says more, if that is new and stood
    before it, or for one that says less, if the rest was read before.

    Without guards this is the algorithm as it was published. For each maximum noun phrase of a
    sentence that was just chosen, all phrases of the input with the same head are weighed by the
    words that count in them, :math:`F_{RW}`: the sum of their weights at that moment, or the
    average. The heaviest takes its place; of equally heavy ones the shortest.

    Parameters
    ----------
    parser
        What parses the sentences, see `load_parser`; or the input parsed already, sentence by
        sentence.
    composition
        :math:`F_{RW}`: ``sum`` or ``average``.
    guarded
        Whether anything is checked.

    References
    ----------
    Nenkova (2006), section 4.3.1.

    Examples
    --------
    >>> from pyramidion.text._parsing import load_parser
    >>> NounPhraseRewriter(load_parser("light"), "average").composition
    'average'
    """

    parser: Parser | Articles
    composition: NounPhraseComposition = "sum"
    guarded: bool = True
    _parsed: dict[tuple[str, ...], PhraseClasses] = field(
        default_factory=dict, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.composition not in COMPOSITIONS:
            hint = f"give {' or '.join(COMPOSITIONS)}"
            raise InputError(f"the composition is {self.composition!r}", hint=hint)

    def begin(
        self, source: RewriteInput, weigh: Weigh, reads_before: ReadsBefore
    ) -> RewriteSession:
        """Begin a summary, see `Rewriter.begin`; the input is parsed once."""
        key = tuple(source.texts)
        if key not in self._parsed:
            self._parsed.clear()
            self._parsed[key] = PhraseClasses(self._articles(source))
        classes = self._parsed[key]
        if not self.guarded:
            return RawSession(classes, self.composition)
        return OwnWording(classes, self.composition, reads_before)

    def _articles(self, source: RewriteInput) -> Articles:
        if isinstance(self.parser, Articles):
            if [own.text for own in self.parser] != list(source.texts):
                hint = "parse the sentences of the input, or give the parser"
                raise InputError("other sentences were parsed than are summarized", hint=hint)
            return self.parser
        return Articles.of_input(source, self.parser)
