"""The noun phrases of an input by what they are about, and the wordings that each class offers."""

from dataclasses import dataclass
from functools import cached_property

from pyramidion.rewriting.articles import Articles, ParsedSentence
from pyramidion.rewriting.coreference import Coreference, CorefRule, corefer
from pyramidion.rewriting.noun_phrase_forms import Form, forms_of, raw_form
from pyramidion.rewriting.noun_phrase_letters import Letters
from pyramidion.rewriting.phrases import NounPhrase, maximum_phrases, noun_phrases

__all__ = ["PhraseClasses"]


@dataclass(frozen=True)
class PhraseClasses:
    """The noun phrases of an input, and which are about the same thing.

    Parameters
    ----------
    articles
        The input, parsed; its sentences stand in the order of the input.
    coref
        How coreference is told, see `corefer`.
    nested
        Whether phrases within others are compared, too; they offer wordings but are not replaced.

    Examples
    --------
    >>> PhraseClasses(Articles(())).coreference.classes
    ()
    """

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
            letters = Letters.of(sentence.words for sentence in self.articles)
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
