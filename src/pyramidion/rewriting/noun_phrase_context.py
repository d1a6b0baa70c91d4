"""What the summary says before a noun phrase is read."""

from dataclasses import dataclass

from pyramidion.rewriting.referring import Referring

__all__ = ["Context"]


@dataclass(frozen=True, slots=True)
class Context:
    """What the summary says before a phrase is read.

    Parameters
    ----------
    target
        The phrase that may be replaced.
    elsewhere
        The words that count in the rest of its sentence, as stems.
    said
        Those of the sentences that are read before.
    said_of_it
        Those of the sentences that are read before and are about the same thing.
    told
        Those of all sentences chosen so far.
    mentioned
        Whether a sentence that is read before, or the part of its own sentence before it, is
        about the same thing already.
    described
        Whether a sentence that is read before tells what that is.
    beside
        Whether its own sentence is about the same thing elsewhere.
    changing
        The words before a person's name that articles do not agree in.
    dropping
        Whether what stands between commas may be dropped though it was not said.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.rewriting.phrases import NounPhrase
    >>> phrase = NounPhrase(ParsedSentence("", ()), 0, 0, 0, 0, "definite")
    >>> Context(Referring(phrase, "ferry")).mentioned
    False
    """

    target: Referring
    elsewhere: frozenset[str] = frozenset()
    said: frozenset[str] = frozenset()
    said_of_it: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    mentioned: bool = False
    described: bool = False
    beside: bool = False
    changing: frozenset[str] = frozenset()
    dropping: bool = False
