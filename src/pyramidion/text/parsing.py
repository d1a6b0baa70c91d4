"""Grammar behind one small interface: words with their heads, whatever program found them.

A parser is any spaCy pipeline that tags, lemmatizes and parses (the extra ``nlp``). Labels of
both schemes in use (Universal Dependencies, and ClearNLP's of older pipelines) become one small
vocabulary, see `RELATIONS`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from pyramidion.errors import MissingExtraError, NotFoundError

__all__ = ["RELATIONS", "ParsedWord", "Parser", "load_parser", "parsed_words"]

#: What labels of parsers become; all others keep their name.
RELATIONS: Mapping[str, str] = {
    "nsubj": "subject",
    "nsubj:pass": "object",
    "nsubjpass": "object",
    "obj": "object",
    "dobj": "object",
    "iobj": "object",
    "dative": "object",
    "amod": "modifier",
    "nmod": "modifier",
    "nmod:poss": "modifier",
    "poss": "modifier",
    "nummod": "modifier",
    "compound": "modifier",
    "advmod": "modifier",
    "obl": "modifier",
    "pobj": "modifier",
    "appos": "apposition",
    "acl:relcl": "relative clause",
    "relcl": "relative clause",
    "flat": "name",
    "flat:name": "name",
}


@dataclass(frozen=True, slots=True)
class ParsedWord:
    """A word of a parsed sentence.

    Parameters
    ----------
    text, lemma
        As it stands there, and its base form.
    tag
        Its part of speech in Universal Dependencies' letters: ``NOUN``, ``VERB``.
    head
        The place of the word it depends on; its own place if it is the root.
    relation
        How, see `RELATIONS`.
    start
        Where it begins in its sentence.
    fine
        Its part of speech in the Penn Treebank's letters: ``NNP``, ``VBD``.
    entity
        ``person``, ``place`` or ``organization`` for a word of such a name, nothing for others.
    opens
        Whether a name begins here.

    Examples
    --------
    >>> ParsedWord("fell", "fall", "VERB", 1, "root").lemma
    'fall'
    """

    text: str
    lemma: str
    tag: str
    head: int
    relation: str
    start: int = 0
    fine: str = ""
    entity: str = ""
    opens: bool = False

    @property
    def end(self) -> int:
        """Where it ends in its sentence."""
        return self.start + len(self.text)


class Parser(Protocol):
    """Anything that parses sentences.

    Examples
    --------
    >>> class Flat:
    ...     def parse(self, sentences):
    ...         return [[ParsedWord(w, w, "X", 0, "dep") for w in s.split()] for s in sentences]
    >>> Flat().parse(["Rain fell."])[0][1].text
    'fell.'
    """

    def parse(self, sentences: Sequence[str]) -> list[list[ParsedWord]]:
        """Parse sentences one by one.

        Parameters
        ----------
        sentences
            Texts that were split into sentences already.
        """


@cache
def load_parser(pipeline: str = "") -> Parser:
    """Load a spaCy pipeline as a parser.

    Parameters
    ----------
    pipeline
        Its name or folder; the first installed English one if none is given.
    """
    try:
        import spacy
    except ImportError:
        raise MissingExtraError("parsing", extra="nlp") from None
    installed = sorted(spacy.util.get_installed_models())
    chosen = pipeline or next((name for name in installed if name.startswith("en")), "")
    try:
        return _SpacyParser(spacy.load(chosen)) if chosen else _refuse("", installed)
    except OSError:
        return _refuse(pipeline, installed)


def _refuse(pipeline: str, installed: Sequence[str]) -> Parser:
    wanted = f"no spaCy pipeline {pipeline!r}" if pipeline else "no English spaCy pipeline"
    raise NotFoundError(
        f"there is {wanted}",
        hint=f"install one or name a folder; there are: {', '.join(installed) or 'none'}",
    )


class _SpacyParser:
    """A spaCy pipeline."""

    def __init__(self, pipeline: Any) -> None:
        self._pipeline = pipeline

    def parse(self, sentences: Sequence[str]) -> list[list[ParsedWord]]:
        """Parse sentences one by one."""
        return [parsed_words(document) for document in self._pipeline.pipe(sentences)]


def parsed_words(document: Any) -> list[ParsedWord]:
    """Read what spaCy found in a sentence."""
    return [
        ParsedWord(
            token.text,
            (token.lemma_ or token.text).lower(),
            token.pos_,
            token.head.i - document[0].i,
            RELATIONS.get(token.dep_, token.dep_.lower()),
        )
        for token in document
        if not token.is_space
    ]
