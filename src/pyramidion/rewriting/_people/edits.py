"""Possible edits of references to people: introductions and short names."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from pyramidion.rewriting._people.descriptions import (
    apposition_may_follow,
    can_delete_apposition,
    offset_after_apposition,
    stacked_appositions,
)
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._people.names import is_age, is_initial, is_title, read_name
from pyramidion.rewriting._people.table import PeopleTable, PersonMention
from pyramidion.rewriting._people.vetoes import (
    is_claim,
    is_former_office,
    is_unusable_epithet,
    may_be_described,
    must_stay_long,
    names_calling,
)
from pyramidion.rewriting._word_lists import bare, first_names, folded, word_list
from pyramidion.text import STOP_WORDS, stem
from pyramidion.text.parsing import FINITE_TAGS
from pyramidion.text.quotations import Quotations

#: Decides whether a person is described.
Describe = Callable[[Person], bool]

_MAX_NAME_WORDS: Final = 5
_MAX_APPOSITION_WORDS: Final = 12
_WORDS_BEFORE_TIMES: Final = frozenset({"each", "every", "last", "next", "same", "that", "this"})
_PREPOSITIONS: Final = frozenset({"of", "at", "in", "from", "for", "with", "on"})


@dataclass(frozen=True, slots=True)
class NameChange:
    """A possible change of a mention."""

    start: int
    end: int
    after: str
    reason: str
    source: Mention | None = None  # of the wording
    describes: bool = False  # whether it adds a description


def is_described(mention: Mention) -> bool:
    """Return whether a mention says more of a person than the name, *Mr.* or the age."""
    titles = mention.title_words - word_list("courtesy") - word_list("honorifics")
    return bool(titles) or (mention.post != "none" and not is_age(mention.postmodifier))


def introductions(
    person_mention: PersonMention, table: PeopleTable, describe: Describe | None
) -> Iterator[NameChange]:
    """Yield possible changes of a first mention, the best ones first: epithets, the full name."""
    mention, person = person_mention
    source = _full_name_mention(person_mention, table)
    if source is None or table.is_royal(person):
        return
    name = mention.name if mention.form == "full" else source.name.replace(",", "")
    if may_be_described(mention) and (describe is None or describe(person)):
        for full_mention in _first_in_articles(person_mention, table):
            if is_former_office(full_mention, person):
                continue
            epithet = epithet_before(full_mention, table.quotations)
            if epithet and not _is_redundant(epithet, mention):
                if mention.sentence.opens_at(mention.first - mention.titles):
                    epithet = _capitalize(epithet)
                yield _replace_name(
                    mention, f"{epithet} {name}", "full name and epithet", full_mention
                )
            apposition = epithet_after(full_mention, table.quotations)
            if (
                apposition
                and apposition_may_follow(mention)
                and not _is_redundant(apposition, mention)
            ):
                comma = "," if mention.sentence.text_at(mention.last + 1)[0].isalnum() else ""
                text = f"{name}, {apposition}{comma}"
                yield _replace_name(mention, text, "full name and apposition", full_mention)
    if mention.form == "last":
        yield _replace_name(mention, name, "full name", source)


def shortening(
    person_mention: PersonMention, table: PeopleTable, *, was_described: bool
) -> NameChange | None:
    """Return the change of a later mention to the last name; None if it must stay."""
    mention, person = person_mention
    deletes_apposition = was_described and can_delete_apposition(mention)
    is_short = mention.form == "last" and not (
        deletes_apposition or (was_described and mention.titles)
    )
    if is_short or must_stay_long(mention, was_described=was_described) or table.is_royal(person):
        return None
    short_name = table.short_name(person)
    if not short_name or not (
        _is_last_name_of(short_name, mention.name) or folded(short_name) == folded(mention.name)
    ):
        return None
    return last_name_only(mention, short_name, mention.phrase_first, apposition=deletes_apposition)


def last_name_only(
    mention: Mention, short_name: str, begin: int, *, apposition: bool
) -> NameChange:
    """Replace a mention, from a given word on, with a name; delete its apposition if requested."""
    sentence = mention.sentence
    start, end = sentence.words[begin].start, sentence.words[mention.last].end
    if apposition:
        end = offset_after_apposition(mention)
    if folded(mention.name).endswith(folded(short_name)):
        # As the mention writes it: *de Blasio* within a sentence.
        short_name = " ".join(mention.name.replace(",", "").split()[-len(short_name.split()) :])
    if sentence.opens_at(begin):
        short_name = _capitalize(short_name)
    full_stop = "." if sentence.text[:end].endswith(".") and end == len(sentence.text) else ""
    return NameChange(start, end, short_name + full_stop, "later mention: last name")


def _full_name_mention(person_mention: PersonMention, table: PeopleTable) -> Mention | None:
    """Find the full name for a mention: in its article, or in two with the same title."""
    mention, person = person_mention
    usable_mentions = [m for m in table.full_mentions(person) if _is_good_name(m, mention)]
    same_article_mentions = [
        full_mention
        for full_mention in usable_mentions
        if full_mention.sentence.document == mention.sentence.document
    ]
    if same_article_mentions or mention.form == "full":
        return (same_article_mentions or [mention])[0]
    document = mention.sentence.document
    if not document or (
        table.is_only_in_summary(mention.sentence) and not table.mentions(person, document)
    ):
        return usable_mentions[0] if usable_mentions else None
    titles = _titles(mention)
    same_title_mentions = [
        full_mention for full_mention in usable_mentions if titles & _titles(full_mention)
    ]
    return (
        same_title_mentions[0]
        if len({full_mention.sentence.document for full_mention in same_title_mentions}) > 1
        else None
    )


def _is_good_name(full_mention: Mention, mention: Mention) -> bool:
    """Return whether a full name matches the short one and contains only names."""
    words, name = full_mention.name.split(), read_name(full_mention.name)
    has_shouted_word = any(word.isupper() and len(word) > len("III") for word in words)
    if (
        not 1 < len(words) <= _MAX_NAME_WORDS
        or has_shouted_word
        or not _is_last_name_of(mention.name, full_mention.name)
    ):
        return False
    # *District Atty. Steve Orr*, *President of Argentina Alberto Orr*.
    dotted_words = (word for word in words if word.endswith(".") and not is_initial(word))
    return not (
        any(bare(word) not in word_list("suffixes") for word in dotted_words)
        or full_mention.sentence.text_at(full_mention.phrase_first - 1) == "of"
        or any(
            word.entity == "place"
            for word in full_mention.sentence.words[full_mention.first : full_mention.last + 1]
        )
        or words[0] in word_list("never") - first_names()
        or all(map(is_initial, f"{name.first} {name.middle}".split()))
    )


def _is_last_name_of(short_name: str, name: str) -> bool:
    """Check whether a short name is the last name of a full one."""
    full_name, last_name = read_name(name), folded(short_name)
    is_longer = not full_name.family_first and folded(
        f"{full_name.middle} {full_name.last}"
    ).endswith(f" {last_name}")
    return is_longer or folded(full_name.last) == last_name


def _titles(mention: Mention) -> set[str]:
    titles = {bare(word) for word in mention.premodifier.split() if is_title(word)}
    return titles - word_list("courtesy")


def _first_in_articles(person_mention: PersonMention, table: PeopleTable) -> Iterator[Mention]:
    """Yield the person's first full mention in the article of this mention.

    If it has no such article, in the only article that has a full mention.
    """
    mention, person = person_mention
    document = mention.sentence.document
    if table.mentions(person, document) and document:
        yield from table.full_mentions(person, document)[:1]
        return
    documents = dict.fromkeys(
        full_mention.sentence.document for full_mention in table.full_mentions(person)
    )
    # Several articles may describe a person differently.
    if len(documents) == 1:
        yield from table.full_mentions(person)[:1]


def epithet_before(mention: Mention, quotations: Quotations) -> str:
    """Return the words before a name if they can be used elsewhere: a title, an office."""
    words = mention.sentence.words[mention.premodified_first : mention.first]
    opening = mention.sentence.text_at(mention.phrase_first).lower() if mention.opening else ""
    if not words or opening not in {"", "the"} or mention.opening > 1:
        return ""
    # *This time referee Vale stopped it*.
    if mention.sentence.text_at(mention.phrase_first - 1).lower() in _WORDS_BEFORE_TIMES:
        return ""
    if is_claim(words) or not names_calling(words[-1]) or is_unusable_epithet(mention, quotations):
        return ""
    if all(bare(word.text) in word_list("courtesy") | word_list("honorifics") for word in words):
        return ""
    return premodifier_inside(mention) or ""


def premodifier_inside(mention: Mention) -> str | None:
    """Return the premodifier as written within a sentence; None if its case is uncertain."""
    first = mention.premodified_first
    words = mention.sentence.words[first : mention.first]
    is_all_capitalized = len(words) > 1 and all(word.text[0].isupper() for word in words)
    first_word = words[0].text
    keeps_capital = is_title(first_word) or first_word.isupper() or first_word in word_list("never")
    if is_all_capitalized or keeps_capital or not mention.sentence.opens_at(first):
        return mention.premodifier
    # For other words it is unknown whether they are always capitalized.
    is_common = first_word.lower() in word_list("plain_adjectives") | word_list("roles")
    return first_word[0].lower() + mention.premodifier[1:] if is_common else None


def epithet_after(mention: Mention, quotations: Quotations) -> str:
    """Return an apposition if it can be used elsewhere: *a teacher from Tamsin*."""
    if mention.post != "apposition" or mention.premodifiers:
        return ""
    parts = stacked_appositions(mention.sentence, mention.post_first)
    words = mention.sentence.words
    if len(parts) != 1 or mention.sentence.text_at(parts[0][1] + 1) != ",":
        return ""
    apposition = words[parts[0][0] : parts[0][1] + 1]
    if apposition[0].text not in {"a", "an", "the"} or len(apposition) > _MAX_APPOSITION_WORDS:
        return ""
    head_words = list(takewhile(lambda word: word.text not in _PREPOSITIONS, apposition))
    head_words = [word for word in head_words if word.text not in {"a", "an", "the"}]
    if not head_words or is_claim(head_words) or not names_calling(head_words[-1]):
        return ""
    words_after_head = apposition[1 + len(head_words) :]
    context_words = {
        "this",
        "that",
        "his",
        "her",
        "its",
        "their",
        "who",
        "which",
        "the",
        "and",
        "or",
    }
    allowed_tags = {"ADP", "NOUN", "PROPN", "DET", "PART"}
    if (
        any(
            word.text.lower() in context_words or word.fine in FINITE_TAGS
            for word in words_after_head
        )
        or (
            apposition[0].text == "the"
            and not any(word.text[0].isupper() for word in words_after_head)
        )
        or not all(word.tag in allowed_tags or word.text[0].isupper() for word in words_after_head)
        or is_unusable_epithet(mention, quotations)
    ):
        return ""
    return mention.sentence.between(*parts[0])


def _is_redundant(epithet: str, mention: Mention) -> bool:
    """Check whether the sentence already contains a word of an epithet."""
    rest_of_text = mention.sentence.text.replace(mention.name, " ")
    return not _content_stems(epithet).isdisjoint(_content_stems(rest_of_text))


def _content_stems(text: str) -> set[str]:
    bare_words = (bare(word.strip(",;:\"'”“()")).lower() for word in text.split())
    words = (word.removesuffix("'s").removesuffix("’s") for word in bare_words)
    return {stem(word) for word in words if word and word not in STOP_WORDS}


def _capitalize(text: str) -> str:
    return text[0].upper() + text[1:]


def _replace_name(mention: Mention, text: str, reason: str, source: Mention) -> NameChange:
    """Replace a name, and *Mr.* before it."""
    words, begin, courtesy = mention.sentence.words, mention.first, word_list("courtesy")
    while begin > mention.first - mention.titles and bare(words[begin - 1].text) in courtesy:
        begin -= 1
    start, end = words[begin].start, words[mention.last].end
    if mention.sentence.opens_at(begin):
        text = _capitalize(text)
    describes = reason != "full name"
    return NameChange(start, end, text, f"first mention: {reason}", source, describes)
