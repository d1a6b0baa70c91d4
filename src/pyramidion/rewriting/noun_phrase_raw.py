"""Noun phrases rewritten as it was published, without guards."""

from dataclasses import dataclass

from pyramidion.rewriting.edits import Replacement, edited
from pyramidion.rewriting.noun_phrase_classes import PhraseClasses
from pyramidion.rewriting.noun_phrase_forms import Form
from pyramidion.rewriting.noun_phrase_sessions import (
    NounPhraseComposition,
    composed,
    overlaps,
    replacement_of,
)
from pyramidion.rewriting.phrases import NounPhrase
from pyramidion.rewriting.rewriter import Rewritten, Weigh
from pyramidion.text import count_words

__all__ = ["RawSession"]


@dataclass(frozen=True)
class RawSession:
    """The algorithm of Nenkova (2006), section 4.3.1, as printed.

    Each maximum noun phrase is replaced by the heaviest phrase with the same head; the weights do
    not change before the whole sentence is rewritten.

    Parameters
    ----------
    classes
        The noun phrases of the input.
    composition
        How phrases are weighed.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import Articles, ParsedSentence
    >>> classes = PhraseClasses(Articles((ParsedSentence("Go!", ()),)), nested=False)
    >>> RawSession(classes).rewrite(0, lambda text: [], 100).text
    'Go!'
    """

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
