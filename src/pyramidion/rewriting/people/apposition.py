"""Names and appositions: which of them explains the other, and what may be put in or taken out."""

from typing import Final

from pyramidion.rewriting.articles import ParsedSentence
from pyramidion.rewriting.people.clauses import FINITE
from pyramidion.rewriting.people.mention import Mention
from pyramidion.rewriting.people.words import words_of
from pyramidion.text._parsing import ParsedWord

__all__ = ["apposition_may_follow", "closing_commas", "explains_somebody_new", "in_apposition"]

_AND: Final = frozenset({"and", "or", "&", "plus", "nor"})
_ENDS: Final = frozenset({".", "!", "?", ";"})
_AFTER_APPOSITION: Final = frozenset({"ADP", "PART"})


def explains_somebody_new(mention: Mention) -> bool:
    """Tell whether a name explains an indefinite phrase: *one tourist, Ann Orr*.

    Parameters
    ----------
    mention
        A mention.

    Examples
    --------
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> text = "One tourist, Ann Vale, saw it all."
    >>> explains_somebody_new(people_in(text, "light")[0].mentions[0])
    True
    """
    if not in_apposition(mention):
        return False
    begin = mention.phrase_first
    near = {word.text.lower() for word in mention.sentence.words[max(begin - 7, 0) : begin - 1]}
    return bool(near & {"a", "an", "one", "another", "some"})


def in_apposition(mention: Mention) -> bool:
    """Tell whether a name explains a noun before it: *her Republican challenger, Terrell*.

    Parameters
    ----------
    mention
        A mention.

    Examples
    --------
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> in_apposition(people_in("His lawyer, Rosa Vale, left.", "light")[0].mentions[0])
    True
    """
    words = mention.sentence.words
    begin = mention.phrase_first
    if begin < 2 or words[begin - 1].text != ",":
        return False
    known = words_of("roles") | words_of("relations") | words_of("female_words")
    known |= words_of("male_words") | {"child", "person"}
    near = words[max(begin - 7, 0) : begin - 1]
    relation = any(words[at].relation == "apposition" for at in range(begin, mention.last + 1))
    return relation or any(word.text.lower() in known for word in near)


def apposition_may_follow(mention: Mention) -> bool:
    """Tell whether an apposition can be put after a name without confusing what follows.

    Parameters
    ----------
    mention
        A first mention.

    Examples
    --------
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> apposition_may_follow(people_in("Judge Rosa Vale left.", "light")[0].mentions[0])
    True
    """
    words, after = mention.sentence.words, mention.last + 1
    begin = mention.premodified_first
    if mention.post != "none" or after >= len(words):
        return False
    following = words[after]
    before = words[begin - 1] if begin else None
    if before is not None and before.text in _AND | {",", "that", "as", "-"}:
        return False
    return following.text in _ENDS or (
        following.tag in {"VERB", "AUX"} and following.fine in FINITE
    )


def closing_commas(mention: Mention) -> tuple[int, int, str] | None:
    """Tell what to take out with an apposition, and what to leave in its place.

    Parameters
    ----------
    mention
        A mention with an apposition.

    Returns
    -------
    tuple of int, int and str, or None
        Where the part begins and ends in the sentence's text, and what stands there instead;
        nothing if the apposition must stay.

    Examples
    --------
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> closing_commas(people_in("Rosa Vale, 54, left.", "light")[0].mentions[0])
    (9, 14, '')
    """
    sentence, words = mention.sentence, mention.sentence.words
    comma, after = mention.post_first - 1, mention.post_last + 1
    if comma != mention.last + 1 or words[comma].text != ",":
        return None
    start = words[comma].start
    if after >= len(words):
        return None
    if words[after].text in _ENDS:
        return start, words[after].start, ""
    if words[after].text != "," or after + 1 >= len(words):
        return None
    following = words[after + 1]
    if _verb_of_name(following) or following.tag in _AFTER_APPOSITION:
        if in_apposition(mention):
            return start, words[after].start, ""
        # The comma before an introduction's end must stay: After meeting Orr, 54, he left.
        return None if _introduced(sentence, mention) else (start, words[after].end, "")
    return None


def _verb_of_name(word: ParsedWord) -> bool:
    return word.tag in {"VERB", "AUX"} and word.fine in FINITE


def _introduced(sentence: ParsedSentence, mention: Mention) -> bool:
    """Tell whether a mention stands in an introducing phrase that its comma may close."""
    first = sentence.words[0]
    before = sentence.words[: mention.first]
    opened = first.tag in {"ADP", "SCONJ", "ADV", "VERB"} and mention.first > 0
    return opened and not any(word.text == "," for word in before)
