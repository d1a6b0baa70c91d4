"""Opposites of the source's words, and predicates negated on one side only."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from pyramidion.support._words import key_of, lines_of, root_of
from pyramidion.text.parsing import ParsedWord

Roots = frozenset[str]


@cache
def opposites() -> dict[str, tuple[tuple[Roots, Roots], ...]]:
    """Return for each stem the sides that contain it, each with its opposite side."""
    pairs_by_root: dict[str, tuple[tuple[Roots, Roots], ...]] = {}
    for line in lines_of("opposites.txt"):
        left, right = (frozenset(map(root_of, side.split())) for side in line.split("|"))
        for side, other_side in ((left, right), (right, left)):
            for root in side:
                pairs_by_root[root] = (*pairs_by_root.get(root, ()), (side, other_side))
    return pairs_by_root


def has_opposite(root: str, roots: Roots) -> bool:
    """Return whether a text has an opposite of a word but neither the word nor a synonym."""
    pairs = opposites().get(root, ())
    return any(opposite_side & roots for _, opposite_side in pairs) and not any(
        side & roots for side, _ in pairs
    )


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: Verbs that say too little for their negation to be compared.
_LIGHT_VERBS: Final = _word_set(
    "be have do get go make take come give let keep put seem become say think know want need "
    "try use look see feel tell ask mean can could may might must shall should will would"
)
_NEGATION_WORDS: Final = _word_set(
    "not n't never no neither nor cannot without nobody nothing none hardly"
)
#: Words that govern a verb and negate it: *failed to pay*, *denied paying*, *unable to pay*.
_NEGATING_VERBS: Final = _word_set(
    "unable fail failed deny denied refuse refused decline avoid prevent"
)
_PREDICATE_TAGS: Final = frozenset({"VERB"})
_NEGATIVE_DETERMINERS: Final = _word_set("no neither nor nothing nobody none")
#: Words before a verb, and around it, among which a negation is looked for.
_MAX_WORDS_BEFORE: Final = 3
_MAX_NEAR_WORDS: Final = 12


def predicates(words: Sequence[ParsedWord]) -> Iterator[tuple[int, str, bool]]:
    """Yield the predicates of a sentence: index, stem, and whether they are negated."""
    for index, word in enumerate(words):
        if (
            word.tag in _PREDICATE_TAGS
            and word.lemma.lower() not in _LIGHT_VERBS
            and word.text.isalpha()
        ):
            yield index, root_of(key_of(word.lemma)), _is_negated(words, index)


def _is_negated(words: Sequence[ParsedWord], verb: int) -> bool:
    """Return whether a negation depends on a verb or directly precedes it, or governs it."""
    words_before = words[max(verb - _MAX_WORDS_BEFORE, 0) : verb]
    lowercase_words = [word.text.lower() for word in words_before]
    for distance, text in enumerate(reversed(lowercase_words)):
        if text in _NEGATION_WORDS or text.endswith("n't"):
            return True
        if words_before[-1 - distance].tag in ("PUNCT", "VERB", "CCONJ"):
            break
    nearby_words = words[max(verb - _MAX_NEAR_WORDS, 0) : verb + _MAX_NEAR_WORDS]
    dependents = {id(child) for child in nearby_words if child.head == verb}
    for child in nearby_words:
        # *Did not pay*, *paid no fine* and *neither he nor she paid*.
        text, head = child.text.lower(), words[child.head]
        if text in _NEGATION_WORDS and (
            child.head == verb or (text in _NEGATIVE_DETERMINERS and id(head) in dependents)
        ):
            return True
    if verb + 1 < len(words) and words[verb + 1].text.lower() in _NEGATION_WORDS:
        return True  # *pleaded not guilty*
    governing_word = words[words[verb].head]
    is_governed = governing_word is not words[verb] and words[verb].relation == "clause"
    if is_governed and governing_word.lemma.lower() in _NEGATING_VERBS:
        return True
    return any(text in _NEGATING_VERBS for text in lowercase_words)
