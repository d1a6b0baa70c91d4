"""Rewriting of noun phrases: the best of what the input calls a thing, for each chosen sentence."""

from dataclasses import dataclass, field

from pyramidion.errors import InputError
from pyramidion.rewriting.articles import Articles
from pyramidion.rewriting.coreference import RULES, CorefRule
from pyramidion.rewriting.noun_phrase_classes import PhraseClasses
from pyramidion.rewriting.noun_phrase_raw import RawSession
from pyramidion.rewriting.noun_phrase_sessions import (
    COMPOSITIONS,
    GuardedSession,
    NounPhraseComposition,
)
from pyramidion.rewriting.rewriter import ReadsBefore, RewriteInput, RewriteSession, Weigh
from pyramidion.text._parsing import Parser

__all__ = ["NounPhraseRewriter"]


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
        """Begin a summary; the input is parsed once.

        Parameters
        ----------
        source
            What is summarized.
        weigh
            Weighs words as they are before anything is said.
        reads_before
            Tells the order in which chosen sentences will be read.
        """
        classes = self.classes(source)
        if not self.guarded:
            return RawSession(classes, self.composition)
        return GuardedSession(classes, self.composition, weigh, reads_before, people=self.people)

    def classes(self, source: RewriteInput) -> PhraseClasses:
        """Parse an input and find its noun phrases; the last one is kept.

        Parameters
        ----------
        source
            What is summarized.
        """
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
