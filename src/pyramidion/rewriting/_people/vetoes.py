"""Reasons not to change a sentence, a person, a mention or an epithet."""

import re
from collections.abc import Sequence
from typing import Final

from pyramidion.rewriting._articles import is_balanced
from pyramidion.rewriting._people.descriptions import copula_of, in_apposition
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._people.names import (
    gender_of,
    in_capitals,
    is_age,
    is_headline,
    is_title,
    name_words,
    read_name,
    signs_of,
    touches,
)
from pyramidion.rewriting._people.table import PeopleTable
from pyramidion.rewriting._status.bodies import country_names
from pyramidion.rewriting._word_lists import bare, first_names, folded, word_list
from pyramidion.text import STOP_WORDS, ParsedSentence
from pyramidion.text.parsing import FINITE_TAGS, ParsedWord
from pyramidion.text.quotations import Quotations

# Sentences

_MAX_SENTENCE_WORDS: Final = 400
_ODD_PUNCTUATION: Final = re.compile(
    r",\s*,|  |\s[,.;:!?](?!\S)|\.\.(?!\.)|,[.;:!?]|\(\s|\s\)|^\W*[,;]"
)


def skip_reason(sentence: ParsedSentence) -> str:
    """Return why a sentence is left unchanged; empty if it may be changed."""
    if in_capitals(sentence.text):
        return "all in capitals"
    if not is_balanced(sentence.text):
        return "quotation marks or brackets are not balanced"
    if sentence.words and not any(word.tag in {"VERB", "AUX"} for word in sentence.words):
        return "it has no verb"
    if is_headline(sentence):
        return "it is a headline"
    if len(sentence.words) > _MAX_SENTENCE_WORDS:
        return f"more than {_MAX_SENTENCE_WORDS} words"
    return ""


def is_sound(before: str, after: str) -> bool:
    """Check that a change adds no faults to a sentence."""
    was_capital, is_capital = (
        next(filter(str.isalpha, text), "").isupper() for text in (before, after)
    )
    return (
        len(_ODD_PUNCTUATION.findall(after)) <= len(_ODD_PUNCTUATION.findall(before))
        and is_balanced(before) <= is_balanced(after)
        and was_capital <= is_capital
        and before[-1:] == after[-1:]
    )


# People

_PERSONAL_SIGNS: Final = frozenset(
    {"title", "role before", "role and comma before", "age", "who", "suffix", "apposition"}
)
_ACTING_SIGNS: Final = frozenset({"speaks", "acts", "parser says person", "initial"})
_IMPERSONAL_SIGNS: Final = frozenset({"the", "which"})
_THING_SIGNS: Final = frozenset({"parser says place", "parser says organization"})


#: A caption runs into its credit: *Ann Orr Image: city council*.
_CREDIT_ENDINGS: Final = (" File", " Image", " Images", " Photo")


def doubt_about(person: Person, table: PeopleTable) -> str:
    """Return why a person is left out; empty if there is no doubt."""
    if person.unsure:
        return person.unsure
    if not table.is_corroborated(person):
        return "a name without corroboration"
    if not _is_person(person, table) or person.name.endswith(_CREDIT_ENDINGS):
        return f"{person.name} may not be a person"
    return _shared_name_reason(person, table)


def _is_person(person: Person, table: PeopleTable) -> bool:
    """Check whether there is enough evidence that a name is not a company's or a place's."""
    signs = [signs_of(mention) for mention in table.mentions(person) if mention.head]
    all_signs: frozenset[str] = frozenset().union(*signs)
    n_things = sum(not mention_signs.isdisjoint(_THING_SIGNS) for mention_signs in signs)
    if 2 * n_things > len(signs) or all_signs & _IMPERSONAL_SIGNS:
        return False
    # Companies also speak, but are not referred to as *she*.
    is_gendered_actor = gender_of(read_name(person.name).first) and all_signs & _ACTING_SIGNS
    has_pronoun = any(description.kind == "pronoun" for description in person.descriptions)
    return bool(all_signs & _PERSONAL_SIGNS) or bool(is_gendered_actor and has_pronoun)


def _shared_name_reason(person: Person, table: PeopleTable) -> str:
    """Return who or what else has the last name, as a reason; empty if nobody does."""
    last_name = folded(person.last_name).split()[-1]
    other = next((bearer for bearer in table.bearers(last_name) if bearer is not person), None)
    if other is not None:
        return f"{person.last_name} is also in the name of {other.name}"
    person_words = {word for mention in person.mentions for word in name_words(mention.name)}
    for text in sorted(table.longer_names(last_name)):
        if not person_words.issuperset(name_words(text)):
            return f"{person.last_name} is also in {text}"
    if last_name in table.things or last_name in country_names():
        return f"{person.last_name} is also a place, a thing or a family"
    if last_name in table.families:
        return f"{person.last_name} may also be a relative of {person.name}"
    # *Mr. Lock* is not Mary Lock.
    titles = set[str]().union(*(mention.title_words for mention in person.mentions))
    genders = {kind for kind in ("female", "male") if titles & word_list(f"{kind}_titles")}
    genders |= {gender_of(read_name(person.name).first)} - {""}
    return f"{person.last_name} may be two people" if len(genders) > 1 else ""


# Mentions

_CONJUNCTIONS: Final = frozenset({"and", "or", "&", "plus", "nor"})
_MARKS_BEFORE_NAME: Final = frozenset("\"'“”‘’`([—–-/") | {"``", "''", "--"}
_OPENING_TAGS: Final = frozenset({"ADP", "ADV", "AUX", "CCONJ", "DET", "PRON", "SCONJ", "VERB"})
_BRACKETS: Final = frozenset(
    {"(", "[", ")", "]", "/", ":", "'", "‘", "@", "#", "-", "–", "—", "--"}
)
_NAMING_WORDS: Final = frozenset(
    {"is", "was", "named", "called", "nicknamed", "as", "are", "were", "be"}
)


def is_untouchable(mention: Mention, quotations: Quotations) -> bool:
    """Check whether a mention must not change: quoted, addressed, part of a longer name, etc."""
    sentence, begin, last = mention.sentence, mention.phrase_first, mention.last
    words = sentence.words
    titles = mention.title_words
    next_words = [word.text.lower() for word in words[last + 1 : last + 4]]
    return (
        not mention.head
        or mention.form == "nickname"
        # *Mr Justice Ashe*.
        or ("Justice" in titles and not word_list("courtesy").isdisjoint(titles))
        or quotations.overlap(sentence, words[begin].start, words[last].end)
        # If the name occurs earlier in the sentence, that is the first mention.
        or (mention.form == "last" and words[last].text in {word.text for word in words[:begin]})
        # *Conway's Game of Life*.
        or (mention.possessive and sentence.text_at(last + 2)[:1].isupper())
        or sentence.text_at(begin - 1).lower() in _BRACKETS | word_list("naming")
        or sentence.text_at(last + 1) in {"&", "/", "-", "–", "@", ":"}
        # *Dr. Nelson, you are doing a great job*.
        or (next_words[:1] == [","] and not {"you", "your", "i", "we"}.isdisjoint(next_words))
        or is_cut_off(mention)
        or _may_continue(mention)
        or _shares_title(mention)
    )


def is_predicate(mention: Mention) -> bool:
    """Check whether the name is a predicate: *the winner is Boyle*."""
    return mention.sentence.text_at(mention.premodified_first - 1) in _NAMING_WORDS


def in_list(mention: Mention) -> bool:
    """Return whether a name is in a list or coordinated with another."""
    previous_word = mention.sentence.text_at(mention.phrase_first - 1)
    following_word = mention.sentence.text_at(mention.last + 1)
    if previous_word in _CONJUNCTIONS or following_word in _CONJUNCTIONS:
        return True
    # *Orr, Ann Vale and others*; not *Orr, R-Maine, said*.
    next_words = mention.sentence.words[mention.last + 2 : mention.last + 3]
    has_name = any(word.text[0].isupper() and word.tag == "PROPN" for word in next_words)
    return following_word == "," and (
        previous_word == "," or (has_name and mention.post != "apposition")
    )


def must_stay_long(mention: Mention, *, was_described: bool) -> bool:
    """Check whether a name must not be shortened: it is described, explains, or is in a list.

    If the person was already described, an office or calling before the name need not stay.
    """
    words, has_office = mention.sentence.words, mention.external or mention.opening
    opening = mention.sentence.text_at(mention.phrase_first).lower() if mention.opening else "the"
    may_be_deleted = was_described and opening == "the" and has_whole_premodifier(mention)
    if has_office and not (may_be_deleted and names_calling(words[mention.first - 1])):
        return True
    is_honored = not mention.title_words.isdisjoint(word_list("honorifics") | word_list("royal"))
    is_postmodified = mention.post in {"prepositional", "other"}
    explains = is_predicate(mention) or in_apposition(mention)
    if is_postmodified or is_honored or in_list(mention) or explains:
        return True
    # *The Notorious Bettie Page* is a film.
    previous_words = words[: mention.phrase_first][-1:]
    return any(word.text[0].isupper() and word.start > 0 for word in previous_words)


def has_whole_premodifier(mention: Mention) -> bool:
    """Return whether a mention has premodifiers, and they certainly begin where they seem to."""
    words, first = mention.sentence.words, mention.premodified_first
    begin = mention.phrase_first
    # *Sitting President Orr*, *relatively unknown actor Orr*; not *have chosen President Orr*.
    previous_word, second_previous_word = words[max(begin - 1, 0)], words[max(begin - 2, 0)]
    is_participle = (
        previous_word.fine in {"VBN", "VBG"}
        and second_previous_word.tag != "AUX"
        and not mention.opening
    )
    is_doubtful = begin > 0 and (is_participle or previous_word.tag == "ADV")
    if not mention.premodifiers or is_doubtful or is_cut_off(mention):
        return False
    # *In a state of emergency President Orr declared*: *emergency* is not part of her title.
    follows_of = words[first].tag == "NOUN" and mention.sentence.text_at(begin - 1) == "of"
    has_title = first + 1 < mention.first and words[first + 1].text[0].isupper()
    return not (follows_of and has_title and words[first].text[0].islower())


def may_be_described(mention: Mention) -> bool:
    """Check whether an epithet can be inserted before a name that is not yet described."""
    return (mention.post == "none" or is_age(mention.postmodifier)) and not (
        mention.opening
        or mention.possessive
        or mention.premodifiers
        or in_list(mention)
        or mention.sentence.text_at(mention.last + 1) == "et"
        or in_apposition(mention)
        or copula_of(mention) is not None
        or is_predicate(mention)
    )


def _may_continue(mention: Mention) -> bool:
    """Check whether a name may be longer: *Orr Stadium*, *Orr No. 4*."""
    words, next_index = mention.sentence.words, mention.last + 1
    if next_index >= len(words) or words[next_index].text in word_list("never"):
        return False
    text, is_noun = (
        words[next_index].text,
        words[next_index].tag == "NOUN" and mention.post_first <= 0,
    )
    return text[0].isupper() or text[0].isdigit() or is_noun


def is_cut_off(mention: Mention) -> bool:
    """Check whether premodifiers are incomplete: *Health and Welfare Secretary Orr*."""
    words, begin = mention.sentence.words, mention.phrase_first
    if begin < 1:
        return False
    if (
        (touches(words, begin) and words[begin - 1].text not in _MARKS_BEFORE_NAME)
        # *Self-proclaimed general Orr*.
        or (touches(words, begin - 1) and words[begin - 2].text == "-")
        or (not mention.opening and _is_nominal(words, begin - 1))
    ):
        return True
    if begin < 2 or not mention.premodifiers:
        return False
    previous_word, second_previous_word, opening = (
        words[begin - 1].text,
        words[begin - 2],
        words[begin],
    )
    if previous_word == "of":
        are_capitalized = opening.text[0].isupper() and second_previous_word.text[0].isupper()
        return are_capitalized and not is_title(opening.text)
    return previous_word in {"and", "&", ","} and _may_be_coordinated(second_previous_word, opening)


def _may_be_coordinated(second_previous_word: ParsedWord, opening: ParsedWord) -> bool:
    """Recognize *founder and CEO Orr*, *Apple and Google adviser Orr*; not *Boyle and Sen. Orr*."""
    text = second_previous_word.text
    return (
        text.lower() in word_list("describing") | word_list("roles")
        or text in word_list("offices")
        or (len(text) > 1 and text.isupper())
        or (second_previous_word.tag in {"NOUN", "ADJ"} and second_previous_word.fine != "NNS")
        or is_title(text)
        or {second_previous_word.entity, opening.entity} <= {"place", "organization"}
    )


def _is_nominal(words: Sequence[ParsedWord], index: int) -> bool:
    """Return whether a word may belong to the phrase that follows: *six-time*, *No. 1*."""
    word = words[index]
    if not word.text[0].isalnum() or (
        word.text.endswith("day") and word.text in word_list("never")
    ):
        return False
    if word.tag in {"NOUN", "PROPN", "ADJ", "NUM", "X", "SYM"} or word.text in word_list("roles"):
        return True
    is_capitalized = word.text[0].isupper() and word.text.lower() not in STOP_WORDS
    return is_capitalized and (index > 0 or word.tag not in _OPENING_TAGS)


def _shares_title(mention: Mention) -> bool:
    """Return whether several people share a title or last name: *Mr. and Mrs. Clark*."""
    words, begin = mention.sentence.words, mention.phrase_first
    plural_titles, premodifiers = word_list("plural_titles"), words[begin : mention.first]
    if any(bare(word.text) in plural_titles or word.fine == "NNS" for word in premodifiers):
        return True
    if begin < 2 or words[begin - 1].text not in _CONJUNCTIONS:
        return False
    previous_words, previous_text = words[max(begin - 5, 0) : begin - 1], words[begin - 2].text
    if (is_title(previous_text) and len(previous_text) > 1) or previous_text in first_names():
        return True
    if any(bare(word.text) in plural_titles for word in previous_words):
        return True
    # *players Raheem Sterling and Jordan Ibe*: a noun before the first name describes both.
    index = begin - 2
    while index > 0 and words[index].text[0].isupper():
        index -= 1
    text = words[index].text
    is_plural = words[index].fine == "NNS" or (
        text.endswith("s") and text[:-1] in word_list("roles")
    )
    return index < begin - 2 and is_plural


# Epithets

_MAX_EPITHET_WORDS: Final = 6
_FORMER_WORDS: Final = frozenset({"former", "formerly", "ex", "then", "ousted", "deposed"})


def is_unusable_epithet(mention: Mention, quotations: Quotations) -> bool:
    """Check whether an epithet cannot be used elsewhere: quoted, listed, hypothetical."""
    words = mention.sentence.words
    end = words[max(mention.last, mention.post_last)].end
    lowercase_words = {word.text.lower() for word in words}
    return (
        is_untouchable(mention, quotations)
        or bool(skip_reason(mention.sentence))
        or in_list(mention)
        or quotations.overlap(mention.sentence, words[mention.phrase_first].start, end)
        or not lowercase_words.isdisjoint(word_list("hypothetical") | {"?"})
    )


def is_former_office(mention: Mention, person: Person) -> bool:
    """Check whether an office may be over: elsewhere it is *former President Orr*."""
    return not is_former_mention(mention) and any(map(is_former_mention, person.mentions))


#: *Resigned*, *has stepped down*, *was sacked* at the start of three words.
_LEFT_OFFICE: Final = re.compile(
    r"(?:(?:has|had) )?(?:resigned|retired|quit|stepped (?:down|aside))(?!\S)"
    r"|(?:was|has been|had been) (?:dismissed|deposed|fired|ousted|removed|sacked|voted out)(?!\S)"
)


def left_office(mention: Mention) -> bool:
    """Check whether a sentence says that the person it names has left an office."""
    return is_followed_by(mention, _LEFT_OFFICE)


def is_followed_by(mention: Mention, pattern: re.Pattern[str]) -> bool:
    """Check whether a verb follows a name or its postmodifier."""
    words, next_index = mention.sentence.words, mention.last + 1
    begin = mention.phrase_first
    # *The wife of Orr died*, *from Orr to Ann Vale (and others) died*.
    if begin > 0 and words[begin - 1].tag == "ADP":
        return False
    verb_indices = (next_index, mention.post_last + 2, mention.post_first + 1)
    return any(
        pattern.match(" ".join(word.text for word in words[index : index + 3]))
        for index in (verb_indices if mention.post_last >= 0 else verb_indices[:1])
    )


def is_former_mention(mention: Mention) -> bool:
    """Check whether the words around a name say that an office is over."""
    words = mention.sentence.words[max(mention.phrase_first - 1, 0) : mention.first]
    context = " ".join([*(word.text for word in words), *mention.postmodifier.split()[:3]])
    return not _FORMER_WORDS.isdisjoint(context.lower().replace("-", " ").split())


def is_claim(words: Sequence[ParsedWord]) -> bool:
    """Return whether words judge, claim, or depend on their context."""
    word_parts = [part for word in words for part in word.text.lower().split("-")]
    lowercase_words = [word.text.lower() for word in words]
    claim_words = (
        word_list("claims") | word_list("deictic") | word_list("pronouns") | word_list("passing")
    )
    claim_words |= word_list("relations") | {
        "not",
        "no",
        "old",
        "late",
        "ex",
        "one",
        "year",
        "then",
    }
    return (
        len(words) > _MAX_EPITHET_WORDS
        or not claim_words.isdisjoint([*word_parts, *lowercase_words])
        # *Co-author Ann Orr*: only the other sentence says of what.
        or lowercase_words[0].startswith("co-")
        or any(map(_is_opinion, words))
    )


def _is_opinion(word: ParsedWord) -> bool:
    """Check whether a word is not part of an office or calling, such as an evaluative adjective."""
    text = word.text
    if not text[0].isalnum() or word.fine in FINITE_TAGS or word.fine in {"RB", "JJS", "JJR"}:
        return text not in {"'s", "’s", ",", "-", "&"}
    if text[0].isupper() or text in word_list("plain_adjectives") | word_list("roles"):
        return False
    return word.tag not in {"NOUN", "PROPN", "ADP", "DET", "PART"}


def names_calling(word: ParsedWord) -> bool:
    """Return whether a word names an office or calling."""
    vague_words = word_list("vague") | word_list("claims") | word_list("passing")
    is_role = word.text.lower() in word_list("roles") - vague_words and word.fine not in {
        "NNS",
        "NNPS",
    }
    return is_role or (is_title(word.text) and bare(word.text) not in word_list("courtesy"))
