"""Rewriting of noun phrases: the best of what the input calls a thing, for each chosen sentence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from pyramidion.errors import InputError
from pyramidion.rewriting._articles import Articles, ParsedSentence, balanced
from pyramidion.rewriting._noun_phrases.coreference import RULES, Coreference, CorefRule, corefer
from pyramidion.rewriting._noun_phrases.forms import (
    Form,
    LowercaseWords,
    forms_of,
    is_introduced,
    raw_form,
)
from pyramidion.rewriting._noun_phrases.guards import (
    form_objection,
    sentence_objection,
    target_objection,
)
from pyramidion.rewriting._noun_phrases.phrases import NounPhrase, maximum_phrases, noun_phrases
from pyramidion.rewriting._noun_phrases.referring import Context, content
from pyramidion.rewriting._rewriter import (
    ReadsBefore,
    Replacement,
    RewriteInput,
    RewriteSession,
    Rewritten,
    Weigh,
    edited,
)
from pyramidion.text import count_words
from pyramidion.text._parsing import Parser


@dataclass(frozen=True)
class PhraseClasses:
    """The noun phrases of an input, and which are about the same thing."""

    articles: Articles
    coref: CorefRule = "names"
    nested: bool = True

    @cached_property
    def phrases(self) -> list[list[NounPhrase]]:
        """The noun phrases of each sentence."""
        find = noun_phrases if self.nested else maximum_phrases
        return [find(sentence) for sentence in self.articles]

    @cached_property
    def coreference(self) -> Coreference:
        """The classes."""
        return corefer((own for found in self.phrases for own in found), self.coref)

    @cached_property
    def forms(self) -> dict[int, list[Form]]:
        """The wordings that each class offers."""
        members = self.coreference.members
        if self.nested:
            letters = LowercaseWords.of(sentence.words for sentence in self.articles)
            return {number: forms_of(own, letters) for number, own in members.items()}
        return {number: [raw_form(one) for one in own] for number, own in members.items()}

    def sentence(self, number: int) -> ParsedSentence:
        """Give a sentence by its number in the input."""
        return self.articles.sentences[number]

    def maximum(self, number: int) -> list[NounPhrase]:
        """Give the maximum noun phrases of a sentence."""
        return [phrase for phrase in self.phrases[number] if not phrase.nested]

    def classes_in(self, number: int) -> set[int]:
        """Give the classes that a sentence has phrases of."""
        found = {self.coreference.class_of(phrase) for phrase in self.phrases[number]}
        return found - {-1}


#: How the weights of a phrase's words make its own.
NounPhraseComposition = Literal["sum", "average"]

COMPOSITIONS: tuple[NounPhraseComposition, ...] = ("sum", "average")

#: How much each word that a phrase gains must weigh on average, as a share of what a word seen
#: once weighs, and up to how much two phrases weigh the same.
_WORTH = 0.6
_SAME = 0.5
#: Weights below this share of the greatest are those of words that are known.
_KNOWN = 0.01
#: By how much an average must grow.
_BETTER = 1.1
#: Words that a phrase may grow by.
_GROWTH = 8


def composed(weights: Sequence[float], composition: NounPhraseComposition) -> float:
    """Give what a phrase weighs by its words."""
    total = float(sum(weights))
    return total if composition == "sum" or not weights else total / len(weights)


@dataclass(frozen=True)
class GuardedSession:
    """A summary in which a phrase is replaced only where the reader will not stumble."""

    classes: PhraseClasses
    composition: NounPhraseComposition
    first_weights: Weigh
    reads_before: ReadsBefore
    people: bool = True
    _texts: dict[int, str] = field(default_factory=dict)

    def rewrite(self, number: int, weigh: Weigh, room: int) -> Rewritten:
        """Rewrite a sentence; see `RewriteSession`."""
        sentence = self.classes.sentence(number)
        text = sentence.text
        changes: list[Replacement] = []
        phrases = [] if sentence_objection(sentence) else self.classes.maximum(number)
        for phrase in phrases:
            change = self._change(number, phrase, changes, weigh)
            if change is None:
                continue
            made = edited(text, [*changes, change])
            if count_words(made) <= max(room, count_words(text)) and balanced(made):
                changes.append(change)
        made = edited(text, changes)
        self._texts[number] = made
        return Rewritten(made, tuple(changes))

    def _change(
        self, number: int, phrase: NounPhrase, changes: Sequence[Replacement], weigh: Weigh
    ) -> Replacement | None:
        """Find the best wording of a phrase, if it is worth a change."""
        own = self.classes.coreference.class_of(phrase)
        if own < 0 or target_objection(phrase) or overlaps(phrase, changes):
            return None
        context = self._context(number, phrase, own, changes)
        if context.target.person and not self.people:
            return None
        fit = [
            form
            for form in self.classes.forms[own]
            if form.text.lower() != phrase.text.lower()
            and count_words(form.text) - count_words(phrase.text) <= _GROWTH
            and not form_objection(form, context)
        ]
        best = self._best(phrase, fit, weigh)
        return None if best is None else _fitted(phrase, best, _reason(context, best))

    def _context(
        self, number: int, phrase: NounPhrase, own: int, changes: Sequence[Replacement]
    ) -> Context:
        text = self.classes.sentence(number).text
        before = edited(text[: phrase.start], [one for one in changes if one.end <= phrase.start])
        before_it = [one for one in self._texts if self.reads_before(one, number)]
        beside = [
            other
            for other in self.classes.phrases[number]
            if self.classes.coreference.class_of(other) == own
            and not (phrase.first <= other.first and other.last <= phrase.last)
        ]
        about_it = [one for one in before_it if own in self.classes.classes_in(one)]
        return Context(
            self.classes.coreference.referring(phrase),
            elsewhere=frozenset(content(before + " " + text[phrase.end :])),
            said=self._said(before_it),
            told=self._said(self._texts),
            said_of_it=self._said(about_it),
            mentioned=bool(about_it) or any(one.last < phrase.first for one in beside),
            described=any(self._introduces(one, own) for one in about_it),
            beside=bool(beside),
            changing=self._changing(own),
            dropping=self.composition == "average",
        )

    def _said(self, numbers: Iterable[int]) -> frozenset[str]:
        return frozenset(word for one in numbers for word in content(self._texts[one]))

    def _introduces(self, number: int, own: int) -> bool:
        """Tell whether a sentence tells what the things of a class are."""
        coreference = self.classes.coreference
        found = [one for one in self.classes.phrases[number] if coreference.class_of(one) == own]
        return any(is_introduced(coreference.referring(one)) for one in found)

    def _changing(self, own: int) -> frozenset[str]:
        """Find the words before a name that not all phrases with such words have."""
        titles = [
            frozenset(content(" ".join(word.text for word in one.phrase.core_words)))
            - frozenset(content(" ".join(one.name)))
            | one.qualifiers
            | one.qualified_after
            for one in self.classes.coreference.members[own]
        ]
        titles = [words for words in titles if words]
        every = frozenset.intersection(*titles) if titles else frozenset()
        return frozenset().union(*titles) - every

    def _best(self, phrase: NounPhrase, forms: Sequence[Form], weigh: Weigh) -> Form | None:
        """Find the heaviest wording, or the shortest of those that weigh the same."""
        mine = composed(weigh(phrase.text), self.composition)
        weighed = {form: composed(weigh(form.text), self.composition) for form in forms}
        same = _SAME * self._least
        top = max(weighed.values(), default=0.0)
        if top <= mine + same:
            equal = [form for form in forms if weighed[form] >= mine - same]
            shorter = [form for form in equal if count_words(form.text) < count_words(phrase.text)]
            return min(shorter, key=lambda form: (len(form.words), form.text), default=None)
        best = [form for form in forms if weighed[form] >= top - same]
        found = min(best, key=lambda form: (count_words(form.text), form.text))
        return found if self._worth_it(phrase, found, mine, weigh) else None

    def _worth_it(self, phrase: NounPhrase, form: Form, mine: float, weigh: Weigh) -> bool:
        gain = composed(weigh(form.text), self.composition) - mine
        if self.composition == "average" and gain < (_BETTER - 1) * mine:
            return False
        added = [word for word in form.words if word not in content(phrase.text)]
        new = sum(weight for word in added for weight in weigh(word))
        return gain > _SAME * self._least and (
            not added or new >= _WORTH * self._least * len(added)
        )

    @cached_property
    def _least(self) -> float:
        """What a word weighs that the input has once."""
        texts = (sentence.text for sentence in self.classes.articles)
        weights = [weight for text in texts for weight in self.first_weights(text)]
        known = _KNOWN * max(weights, default=0.0)
        return min((weight for weight in weights if weight > known), default=0.0)


def overlaps(phrase: NounPhrase, changes: Sequence[Replacement]) -> bool:
    """Tell whether a part of a phrase was replaced already."""
    return any(phrase.start < one.end and one.start < phrase.end for one in changes)


def _reason(context: Context, form: Form) -> str:
    before = set(content(context.target.phrase.text))
    if set(form.words) - before:
        return "says more"
    return "said before" if before - set(form.words) <= context.said else "weighs more on average"


def _fitted(phrase: NounPhrase, form: Form, reason: str) -> Replacement:
    """Fit a wording into the place of a phrase: its first letter, and commas."""
    words = phrase.sentence.words
    after = words[phrase.last + 1] if phrase.last + 1 < len(words) else None
    text, end = form.text, phrase.end
    comma_before = any(word.text == "," for word in phrase.words)
    if form.comma and after is not None and after.text[0].isalnum():
        text += ","
    elif comma_before and not form.comma and after is not None and after.text == ",":
        end = phrase.end if _needs_its_comma(phrase) else after.end
    if phrase.first == 0:
        text = text[:1].upper() + text[1:]
    return replacement_of(phrase, end, text, form, reason)


def _needs_its_comma(phrase: NounPhrase) -> bool:
    """Tell whether the comma after a phrase begins something: *said Vond, drawing laughter*."""
    rest = phrase.sentence.words[phrase.last + 2 :]
    if rest and rest[0].fine == "VBN":
        # A verb is easily taken for a participle: *Vond, 58, testified* has no further comma.
        return "," in [word.text for word in rest]
    return bool(rest) and (rest[0].tag == "CCONJ" or rest[0].fine in ("VBG", "TO"))


def replacement_of(phrase: NounPhrase, end: int, text: str, form: Form, reason: str) -> Replacement:
    """Put a wording in the place of a phrase, up to an end."""
    source = form.own.phrase.sentence
    return Replacement(
        phrase.start,
        end,
        phrase.sentence.text[phrase.start : end],
        text,
        "noun phrase",
        reason,
        source.document,
        source.index,
    )


@dataclass(frozen=True)
class RawSession:
    """The algorithm of Nenkova (2006), section 4.3.1, as printed: heaviest phrase, same head."""

    classes: PhraseClasses
    composition: NounPhraseComposition = "sum"

    def rewrite(self, number: int, weigh: Weigh, room: int) -> Rewritten:
        """Rewrite a sentence; see `RewriteSession`."""
        changes: list[Replacement] = []
        for phrase in self.classes.maximum(number):
            best = self._heaviest(phrase, weigh)
            if not _same_words(best.text, phrase.text) and not overlaps(phrase, changes):
                text = _first_letter(phrase, best)
                changes.append(replacement_of(phrase, phrase.end, text, best, "heaviest"))
        text = self.classes.sentence(number).text
        return Rewritten(edited(text, changes), tuple(changes))

    def _heaviest(self, phrase: NounPhrase, weigh: Weigh) -> Form:
        """Find the heaviest, of equally heavy ones the shortest, of these the one that is there."""
        forms = self.classes.forms[self.classes.coreference.class_of(phrase)]

        def rank(form: Form) -> tuple[float, int, bool, str]:
            weight = composed(weigh(form.text), self.composition)
            another = not _same_words(form.text, phrase.text)
            return -weight, count_words(form.text), another, form.text

        return min(forms, key=rank)


def _same_words(one: str, other: str) -> bool:
    return one.lower() == other.lower()


def _first_letter(phrase: NounPhrase, form: Form) -> str:
    """Write a phrase from elsewhere with the first letter that its new place asks for."""
    first, text = form.own.phrase, form.text
    if phrase.first == 0:
        return text[:1].upper() + text[1:]
    opens = first.first == 0 and first.words[0].tag != "PROPN"
    return text[:1].lower() + text[1:] if opens else text


@dataclass(frozen=True)
class NounPhraseRewriter:
    r"""Replaces noun phrases of chosen sentences by what else the input calls the same thing.

    For each maximum noun phrase of a sentence that was just chosen, all coreferring phrases of the
    input are weighed by the words that count in them, :math:`F_{RW}`: the sum of their weights at
    that moment, which adds what was not said and shortens what was, or the average, which mostly
    shortens. The heaviest takes its place; of equally heavy ones the shortest.

    With guards a phrase is replaced only where the reader will not stumble: number and definiteness
    agree, nothing is dropped that was not read before, nothing is repeated, quoted speech and
    people's changing titles are left alone, and the gain is worth the words. Where there is doubt
    the sentence stays as it is. Without guards this is the algorithm as it was published.

    Parameters
    ----------
    parser
        What parses the sentences, see `load_parser`; or the input parsed already, sentence by
        sentence.
    composition
        :math:`F_{RW}`: ``sum`` or ``average``.
    coref
        How coreference is told, see `corefer`; without guards always by the head.
    guarded
        Whether anything is checked.
    people
        Whether phrases that name people are replaced, too; guards only.

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
    coref: CorefRule = "names"
    guarded: bool = True
    people: bool = True
    _parsed: dict[tuple[str, ...], PhraseClasses] = field(
        default_factory=dict, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.composition not in COMPOSITIONS:
            hint = f"give {' or '.join(COMPOSITIONS)}"
            raise InputError(f"the composition is {self.composition!r}", hint=hint)
        if self.coref not in RULES:
            hint = f"give {' or '.join(RULES)}"
            raise InputError(f"coreference is {self.coref!r}", hint=hint)

    def begin(
        self, source: RewriteInput, weigh: Weigh, reads_before: ReadsBefore
    ) -> RewriteSession:
        """Begin a summary, see `Rewriter.begin`; the input is parsed once."""
        classes = self.classes(source)
        if not self.guarded:
            return RawSession(classes, self.composition)
        return GuardedSession(classes, self.composition, weigh, reads_before, people=self.people)

    def classes(self, source: RewriteInput) -> PhraseClasses:
        """Parse an input and find its noun phrases; the last one is kept."""
        key = tuple(source.texts)
        if key not in self._parsed:
            self._parsed.clear()
            coref = self.coref if self.guarded else "head"
            self._parsed[key] = PhraseClasses(self._articles(source), coref, nested=self.guarded)
        return self._parsed[key]

    def _articles(self, source: RewriteInput) -> Articles:
        if isinstance(self.parser, Articles):
            if [own.text for own in self.parser] != list(source.texts):
                hint = "parse the sentences of the input, or give the parser"
                raise InputError("other sentences were parsed than are summarized", hint=hint)
            return self.parser
        documents: list[tuple[str, list[str]]] = [(own.id, []) for own in source.documents]
        for text, home in zip(source.texts, source.homes, strict=True):
            documents[int(home)][1].append(text)
        return Articles.of_sentences(documents, self.parser)
