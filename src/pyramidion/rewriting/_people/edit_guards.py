"""Where a mention may be changed: what stands around it and would be spoiled."""

import re
from collections.abc import Sequence
from typing import Final

from pyramidion.rewriting._articles import ParsedSentence, balanced, quoted_words
from pyramidion.rewriting._people.descriptions import copula_of, in_apposition
from pyramidion.rewriting._people.mention import Mention
from pyramidion.rewriting._people.names import in_capitals, is_age, is_title, touches
from pyramidion.rewriting._word_lists import bare, first_names, words_of
from pyramidion.text._parsing import ParsedWord
from pyramidion.text._tokens import STOP_WORDS

_ODD: Final = re.compile(r",\s*,|  |\s[,.;:!?](?!\S)|\.\.(?!\.)|,[.;:!?]|\(\s|\s\)|^\W*[,;]")


def is_sound(before: str, after: str) -> bool:
    """Tell whether a changed sentence has no faults that it did not have before."""
    if len(_ODD.findall(after)) > len(_ODD.findall(before)):
        return False
    if balanced(before) and not balanced(after):
        return False
    return _opening(before) <= _opening(after) and before[-1:] == after[-1:]


def _opening(text: str) -> bool:
    """Tell whether the first letter is a capital."""
    letter = next((character for character in text if character.isalpha()), "")
    return letter.isupper()


_AND: Final = frozenset({"and", "or", "&", "plus", "nor"})
_BEFORE_NAME: Final = frozenset("\"'“”‘’`([—–-/") | {"``", "''", "--"}
_OPENERS: Final = frozenset({"ADP", "ADV", "AUX", "CCONJ", "DET", "PRON", "SCONJ", "VERB"})
_NAMING: Final = frozenset(
    {"called", "named", "nicknamed", "titled", "dubbed", "christened", "born"}
)
_LONGEST_SENTENCE: Final = 400


def unreadable(sentence: ParsedSentence) -> str:
    """Say why a sentence is left as it is, if it must be."""
    if in_capitals(sentence.text):
        return "all in capitals"
    if not balanced(sentence.text):
        return "quotation marks or brackets do not balance"
    if sentence.words and not any(word.tag in {"VERB", "AUX"} for word in sentence.words):
        return "it has no verb"
    if len(sentence.words) > _LONGEST_SENTENCE:
        return f"more than {_LONGEST_SENTENCE} words"
    return ""


def may_be_changed(mention: Mention) -> bool:
    """Tell whether a mention may be changed: not in a quotation, brackets, or a shared title."""
    begin = mention.phrase_first
    quoted = any(quoted_words(mention.sentence.words)[begin : mention.last + 1])
    if quoted or _is_addressed(mention) or is_styled(mention):
        return False
    before = mention.sentence.text_at(begin - 1).lower()
    if before in {"(", "[", ")", "]", "/", ":", "'", "‘"} | _NAMING or is_cut_off(mention):
        return False
    return not shares_title(mention)


def is_styled(mention: Mention) -> bool:
    """Tell whether a title and a last name belong together: *Lord Ashe*, *Mr Justice Ashe*."""
    titles = [bare(word) for word in mention.premodifier.split()]
    judge = "Justice" in titles and not words_of("courtesy").isdisjoint(titles)
    return mention.form == "last" and (judge or not words_of("peers").isdisjoint(titles))


def is_cut_off(mention: Mention) -> bool:
    """Tell whether the words before a name belong to more: *Health and Welfare Secretary Orr*."""
    words = mention.sentence.words
    begin = mention.phrase_first
    if begin < 1:
        return False
    if touches(tuple(words), begin) and words[begin - 1].text not in _BEFORE_NAME:
        return True
    if not mention.opening and _is_nominal(words, begin - 1):
        return True
    if begin < 2 or not mention.premodifiers:
        return False
    before, earlier, own = words[begin - 1].text, words[begin - 2], words[begin]
    if before == "of":
        return own.text[0].isupper() and not is_title(own.text) and earlier.text[0].isupper()
    return before in {"and", "&"} and _may_be_coordinated(earlier, own)


def _may_be_coordinated(earlier: ParsedWord, own: ParsedWord) -> bool:
    """*co-founder and CEO Orr*, *Apple and Google adviser Orr*; not *Boyle and Sen. Orr*."""
    small = earlier.text.lower()
    if small in words_of("describing") | words_of("roles") or earlier.text in words_of("offices"):
        return True
    initials = len(earlier.text) > 1 and earlier.text.isupper()
    nominal = earlier.tag in {"NOUN", "ADJ"} and earlier.fine != "NNS"
    if initials or nominal or is_title(earlier.text):
        return True
    things = {"place", "organization"}
    return earlier.entity in things and own.entity in things


def _is_nominal(words: Sequence[ParsedWord], place: int) -> bool:
    """Tell whether a word may be a part of the phrase that follows it: *six-time*, *No. 1*."""
    word = words[place]
    if not word.text[0].isalnum() or (word.text.endswith("day") and word.text in words_of("never")):
        return False
    if word.tag in {"NOUN", "PROPN", "ADJ", "NUM", "X", "SYM"} or word.text in words_of("roles"):
        return True
    capital = word.text[0].isupper() and word.text.lower() not in STOP_WORDS
    return capital and (place > 0 or word.tag not in _OPENERS)


def in_list(mention: Mention) -> bool:
    """Tell whether a name stands in a list or beside another."""
    before = mention.sentence.text_at(mention.phrase_first - 1)
    following = mention.sentence.text_at(mention.last + 1)
    return before in _AND or following in _AND or (before == "," and following == ",")


def _is_addressed(mention: Mention) -> bool:
    """*Dr. Nelson, you are doing a great job*."""
    words = mention.sentence.words[mention.last + 1 : mention.last + 4]
    ahead = [word.text.lower() for word in words]
    return ahead[:1] == [","] and not {"you", "your", "i", "we"}.isdisjoint(ahead)


def shares_title(mention: Mention) -> bool:
    """Tell whether a title or last name belongs to several: *Mr. and Mrs. Clark*."""
    words = mention.sentence.words
    begin = mention.phrase_first
    own = words[begin : mention.first]
    if any(bare(word.text) in words_of("plural_titles") or word.fine == "NNS" for word in own):
        return True
    if begin < 2 or words[begin - 1].text not in _AND:
        return mention.form == "nickname" and mention.sentence.text_at(mention.last + 1) in _AND
    earlier = words[max(begin - 5, 0) : begin - 1]
    if is_title(earlier[-1].text) and len(earlier[-1].text) > 1:
        return True
    plural = any(bare(word.text) in words_of("plural_titles") for word in earlier)
    return plural or _after_plural(words, begin) or _first_name_shares(words, begin - 2, mention)


def _after_plural(words: Sequence[ParsedWord], begin: int) -> bool:
    """*players Raheem Sterling and Jordan Ibe*: a noun before the first name describes both."""
    place = begin - 2
    while place > 0 and words[place].text[0].isupper():
        place -= 1
    text = words[place].text
    plural = words[place].fine == "NNS" or (text.endswith("s") and text[:-1] in words_of("roles"))
    return place < begin - 2 and plural


def has_room_for_description(mention: Mention) -> bool:
    """Tell whether a description can be put before a name: nothing else says who it is."""
    if mention.opening or mention.possessive or not mention.head:
        return False
    if in_apposition(mention) or copula_of(mention) is not None:
        return False
    free = mention.post in {"none", "relative clause"} or is_age(mention.postmodifier)
    # *Sterling, who is a forward*.
    clause = mention.sentence.words[mention.post_first : mention.post_first + 3]
    says_who = mention.post == "relative clause" and any(
        word.text in {"is", "was"} for word in clause
    )
    return free and not is_predicate(mention) and not says_who


def is_predicate(mention: Mention) -> bool:
    """Tell whether the name is what a sentence tells: *the winner is Boyle*."""
    before = mention.sentence.text_at(mention.premodified_first - 1)
    return before in {"is", "was", "named", "called", "nicknamed", "as", "are", "were", "be"}


def _first_name_shares(words: Sequence[ParsedWord], place: int, mention: Mention) -> bool:
    """*Josef and Adrian Kell*: the first name before *and* has no last name of its own."""
    alone = place == 0 or not words[place - 1].text[:1].isupper() or is_title(words[place - 1].text)
    return mention.form == "full" and words[place].text in first_names() and alone
