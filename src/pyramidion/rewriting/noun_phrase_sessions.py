"""A summary whose noun phrases are rewritten sentence by sentence, with guards and without."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from pyramidion.rewriting.edits import Replacement, edited
from pyramidion.rewriting.noun_phrase_classes import PhraseClasses
from pyramidion.rewriting.noun_phrase_context import Context
from pyramidion.rewriting.noun_phrase_forms import Form
from pyramidion.rewriting.noun_phrase_guards import form_objection
from pyramidion.rewriting.noun_phrase_names import is_introduced
from pyramidion.rewriting.noun_phrase_targets import sentence_objection, target_objection
from pyramidion.rewriting.phrases import NounPhrase
from pyramidion.rewriting.quotations import balanced
from pyramidion.rewriting.referring import content
from pyramidion.rewriting.rewriter import ReadsBefore, Rewritten, Weigh
from pyramidion.text import count_words

__all__ = ["COMPOSITIONS", "GuardedSession", "NounPhraseComposition", "composed"]

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
    """Give what a phrase weighs by its words.

    Parameters
    ----------
    weights
        Of the words that count in it.
    composition
        Their sum or average.

    Examples
    --------
    >>> composed([0.2, 0.4], "sum") > composed([0.2, 0.4], "average"), composed([], "average")
    (True, 0.0)
    """
    total = float(sum(weights))
    return total if composition == "sum" or not weights else total / len(weights)


@dataclass(frozen=True)
class GuardedSession:
    """A summary in which a phrase is replaced only where the reader will not stumble.

    Parameters
    ----------
    classes
        The noun phrases of the input.
    composition
        How phrases are weighed.
    first_weights
        What words weigh before anything is said.
    reads_before
        Tells the order in which chosen sentences will be read.
    people
        Whether phrases that name people are replaced, too.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import Articles, ParsedSentence
    >>> classes = PhraseClasses(Articles((ParsedSentence("Go!", ()),)))
    >>> session = GuardedSession(classes, "sum", lambda text: [], lambda one, other: True)
    >>> session.rewrite(0, lambda text: [], 100).text
    'Go!'
    """

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
