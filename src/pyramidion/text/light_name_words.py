"""What names are made of: words that tell them, and sentences that are asked about them."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pyramidion.text.grammar_tokens import Token
from pyramidion.text.tagger_features import is_all_capitals
from pyramidion.text.tagging import TagPair

__all__ = ["LightName", "NamedSentence", "name_words"]


@dataclass(frozen=True, slots=True)
class LightName:
    """A name in a sentence.

    Parameters
    ----------
    first, last
        The places of its first and last word.
    kind
        ``person``, ``place``, ``organization``, or nothing where that is not known.
    title
        The place of the last word of what stands before a person's name (*Prime Minister*), or
        -1 if nothing does.
    title_first
        The place of its first word.

    Examples
    --------
    >>> len(LightName(2, 3, "person", title=1))
    2
    """

    first: int
    last: int
    kind: str = ""
    title: int = -1
    title_first: int = -1

    def __len__(self) -> int:
        return self.last - self.first + 1


@cache
def name_words() -> Mapping[str, frozenset[str]]:
    """Read the words that tell names, by kind.

    Examples
    --------
    >>> "Sen." in name_words()["titles"], "Ada" in name_words()["given"]
    (True, True)
    """
    text = (files("pyramidion.text") / "data" / "names.toml").read_text(encoding="utf-8")
    return {kind: frozenset(words.split()) for kind, words in tomllib.loads(text).items()}


@dataclass(frozen=True, eq=False)
class NamedSentence:
    """A tagged sentence, with what is asked about its words.

    Parameters
    ----------
    texts, lower
        The words, and in small letters.
    pairs
        Their tags.
    glued
        Whether nothing stands between a word and the one before it.
    capitals
        Whether the whole sentence is in capitals.

    Examples
    --------
    >>> own = NamedSentence.of([Token("ADA", 0), Token("LEFT", 4)], [TagPair("NNP", "PROPN")] * 2)
    >>> own.text(0), own.text(5), own.is_proper(0)
    ('Ada', '', True)
    """

    texts: tuple[str, ...]
    lower: tuple[str, ...]
    pairs: Sequence[TagPair]
    glued: tuple[bool, ...]
    capitals: bool

    @classmethod
    def of(cls, tokens: Sequence[Token], pairs: Sequence[TagPair]) -> "NamedSentence":
        """Take a tagged sentence."""
        texts = tuple(token.text for token in tokens)
        glued = tuple(
            number > 0 and tokens[number - 1].end == token.start
            for number, token in enumerate(tokens)
        )
        lower = tuple(text.lower() for text in texts)
        return cls(texts, lower, pairs, glued, is_all_capitals(texts))

    def __len__(self) -> int:
        return len(self.texts)

    def text(self, place: int) -> str:
        """Give a word, with capitals as in names; nothing outside the sentence."""
        if not 0 <= place < len(self.texts):
            return ""
        return self.texts[place].capitalize() if self.capitals else self.texts[place]

    def is_proper(self, place: int) -> bool:
        """Whether it is tagged as a name's word, or is a given name."""
        if not 0 <= place < len(self.texts):
            return False
        if self.pairs[place].fine in {"NNP", "NNPS"}:
            return self.text(place)[:1].isupper()
        if self.texts[place].endswith(".") and self.text(place) in name_words()["titles"]:
            return True
        return place > 0 and not self.capitals and self.texts[place] in name_words()["given"]
