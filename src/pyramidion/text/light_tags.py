"""Tags that the rest of a sentence rules out: *reporters questioned the mayor* has a main verb."""

from collections.abc import Sequence

from pyramidion.text.grammar_tokens import Token
from pyramidion.text.tagging import TagPair

__all__ = ["with_main_verb"]

_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_BEFORE_NOUNS = frozenset({"CD", "DT", "JJ", "PRP$"}) | _NOUNS
_OBJECTS = _BEFORE_NOUNS | {"PRP"}
#: Words that begin no object, though their tags may say so.
_TIMES = frozenset({"last", "next", "this", "that", "each", "every", "early", "late"})
#: Where another clause may begin: tags, and words.
_CLAUSE_TAGS = frozenset({",", ":", "CC", "WDT", "WP", "WP$", "WRB"})
_CLAUSE_WORDS = frozenset({"after", "as", "because", "before", "if", "since", "that", "while"})


def with_main_verb(tokens: Sequence[Token], pairs: Sequence[TagPair]) -> Sequence[TagPair]:
    """Take a participle after a sentence's first noun for the verb that the sentence lacks.

    Parameters
    ----------
    tokens, pairs
        The words of a sentence, and their tags.

    Examples
    --------
    >>> tokens = [Token("Police", 0), Token("jailed", 7), Token("two", 14), Token("men", 18)]
    >>> pairs = [TagPair("NNS", "NOUN"), TagPair("VBN", "VERB"), TagPair("CD", "NUM")]
    >>> with_main_verb(tokens, [*pairs, TagPair("NNS", "NOUN")])[1]
    TagPair(fine='VBD', tag='VERB')
    """
    place = _after_first_noun(pairs)
    if _may_be_verb(tokens, pairs, place) and _has_object(tokens, pairs, place):
        return [*pairs[:place], TagPair("VBD", "VERB"), *pairs[place + 1 :]]
    return pairs


def _after_first_noun(pairs: Sequence[TagPair]) -> int:
    """Give the place after the nouns that a sentence begins with, 0 if it does not."""
    place = 0
    while place < len(pairs) and pairs[place].fine in _BEFORE_NOUNS - _NOUNS:
        place += 1
    first = place
    while place < len(pairs) and pairs[place].fine in _NOUNS:
        place += 1
    return place if place > first else 0


def _may_be_verb(tokens: Sequence[Token], pairs: Sequence[TagPair], place: int) -> bool:
    """Whether it looks like a past tense; an adjective does only after a plural."""
    if not 0 < place < len(pairs) - 1:
        return False
    text = tokens[place].text
    if not text.endswith("ed") or not text.islower():
        return False
    fine, before = pairs[place].fine, pairs[place - 1].fine
    return fine == "VBN" or (fine == "JJ" and before == "NNS")


def _has_object(tokens: Sequence[Token], pairs: Sequence[TagPair], place: int) -> bool:
    """Whether an object follows, and no other verb in the same clause."""
    after = place + 1
    if pairs[after].fine not in _OBJECTS or tokens[after].text.lower() in _TIMES:
        return False
    for token, (fine, _) in zip(tokens[after:], pairs[after:], strict=True):
        if fine in _CLAUSE_TAGS or token.text.lower() in _CLAUSE_WORDS:
            return True
        if fine in _FINITE:
            return False
    return True
