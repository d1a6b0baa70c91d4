"""References to people by rules 1 and 2 of section 5.1.3 of the thesis, without our guards."""

from collections.abc import Iterator
from typing import Final

from pyramidion.rewriting._people.edits import (
    Describe,
    NameChange,
    last_name_only,
    premodifier_inside,
)
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._people.table import PeopleTable, PersonMention
from pyramidion.rewriting._people.vetoes import has_whole_premodifier
from pyramidion.rewriting._word_lists import folded

#: Postmodifiers after which nothing is added: "blockers", section 5.1.2.
_BLOCKING_POSTMODIFIERS: Final = frozenset({"prepositional", "relative clause", "other"})


def printed_introductions(
    person_mention: PersonMention, table: PeopleTable, describe: Describe | None
) -> Iterator[NameChange]:
    """Return changes of a first mention (rule 1): a description, then the full name only."""
    mention, person = person_mention
    full_mentions = table.full_mentions(person)
    # Like the thesis, which gives *Mendeleev's periodic table*, do not count possessors as heads.
    if mention.form != "last" or not mention.head or mention.possessive or not full_mentions:
        return
    document = mention.sentence.document
    source = next(
        (other for other in full_mentions if other.sentence.document == document), full_mentions[0]
    )
    name = source.name.replace(",", "")
    if mention.post not in _BLOCKING_POSTMODIFIERS and (describe is None or describe(person)):
        premodified_mention = _first_premodified(person_mention, table)
        if premodified_mention is not None:
            premodifier = premodifier_inside(premodified_mention) or premodified_mention.premodifier
            text, begin = f"{premodifier} {name}", mention.premodified_first
            yield _introduction(
                mention, begin, text, "full name and premodifier", premodified_mention
            )
        elif mention.post == "none" and (apposition := _longest_apposition(person_mention, table)):
            is_followed = mention.sentence.text_at(mention.last + 1)[:1].isalnum()
            text = f"{name}, {apposition.postmodifier}{',' if is_followed else ''}"
            yield _introduction(
                mention, mention.first, text, "full name and apposition", apposition
            )
    yield _introduction(mention, mention.first, name, "full name", source)


def _first_premodified(person_mention: PersonMention, table: PeopleTable) -> Mention | None:
    """Return the first mention of the article if it is premodified, else the longest premodifier.

    Figure 5.10 prefers *Democratic Sen.* of the sentence's article to *freshman Democratic Sen.*
    """
    mention, person = person_mention
    article_mentions = (
        table.mentions(person, mention.sentence.document) if mention.sentence.document else []
    )
    if article_mentions and article_mentions[0].head and has_whole_premodifier(article_mentions[0]):
        return article_mentions[0]
    premodified_mentions = (
        other_mention
        for other_mention in table.mentions(person)
        if other_mention.head and has_whole_premodifier(other_mention)
    )
    return max(premodified_mentions, key=lambda other: len(other.premodifier.split()), default=None)


def _longest_apposition(person_mention: PersonMention, table: PeopleTable) -> Mention | None:
    """Return the first mention of an article with the longest apposition."""
    first_mentions = [
        mention
        for mention in person_mention.person.initial()
        if not table.is_only_in_summary(mention.sentence)
    ]
    appositions = (mention for mention in first_mentions if mention.post == "apposition")
    return max(appositions, key=lambda other: len(other.postmodifier.split()), default=None)


def _introduction(
    mention: Mention, begin: int, text: str, reason: str, source: Mention
) -> NameChange:
    words = mention.sentence.words
    if mention.sentence.opens_at(begin):
        text = text[0].upper() + text[1:]
    span = words[begin].start, words[mention.last].end
    return NameChange(*span, text, f"first mention: {reason}", source, reason != "full name")


def printed_shortening(person_mention: PersonMention, table: PeopleTable) -> NameChange | None:
    """Return the change of a later mention to the last name only (rule 2)."""
    mention, person = person_mention
    short_name = table.short_name(person) or person.last_name
    is_place = mention.sentence.words[mention.first].entity == "place"
    if (mention.form == "nickname" and is_place) or _is_shared(person, table):
        return None
    if mention.head:
        begin = mention.phrase_first if has_whole_premodifier(mention) else mention.first
    else:
        begin = mention.first - mention.titles
    has_apposition = mention.post == "apposition"
    change = last_name_only(mention, short_name, begin, apposition=has_apposition)
    return None if change.after == mention.sentence.text[change.start : change.end] else change


def _is_shared(person: Person, table: PeopleTable) -> bool:
    """Return whether somebody else has the same last name."""
    last_name = folded(person.last_name)
    bearers = [
        other_person
        for other_person in table.bearers(last_name.split()[-1])
        if folded(other_person.last_name) == last_name
    ]
    return any(bearer is not person for bearer in bearers)
