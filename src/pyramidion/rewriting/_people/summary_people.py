"""Who is mentioned in the sentences of a summary, as the documents know them."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from pyramidion.rewriting._articles import Articles, ParsedSentence
from pyramidion.rewriting._people.chains import find_people
from pyramidion.rewriting._people.document_people import is_relative
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._people.names import read_name, surnames
from pyramidion.rewriting._quotations import Quotations
from pyramidion.rewriting._word_lists import bare, folded, words_of


class Named(NamedTuple):
    """A mention, and who is meant."""

    mention: Mention
    person: Person


class PeopleRegister:
    """The people of documents, and of summary sentences that are not in them word by word."""

    def __init__(self, articles: Articles, summary: Sequence[ParsedSentence]) -> None:
        known = {_key(sentence) for sentence in articles}
        foreign = {_key(own): own for own in summary if _key(own) not in known}
        self._foreign = frozenset(foreign)
        self._sentences = (*articles.sentences, *foreign.values())
        self.people = find_people(self._sentences)
        self.quotations = Quotations(self._sentences)

    def in_sentence(self, sentence: ParsedSentence) -> list[Named]:
        """Give who is mentioned in a sentence, in its order."""
        return self._by_sentence.get(_key(sentence), [])

    def first_mentions(self, person: Person) -> list[Mention]:
        """Give the first mention of each document, those of the summary itself left out."""
        own = [
            next((m for m in person.in_document(document) if not self.is_foreign(m)), None)
            for document in person.documents
        ]
        return [mention for mention in own if mention is not None]

    def may_be_another(self, named: Named) -> bool:
        """Tell whether a last name alone may be somebody else's who is named in that document."""
        if named.mention.form == "full":
            return False
        document, person = named.mention.sentence.document, named.person
        told = _roles(named.mention) & _known_roles(person)
        others = [one for one in self.namesakes(person) if not told or told & _known_roles(one)]
        return any(one.in_document(document) and not _is_minor(one, person) for one in others)

    def namesakes(self, person: Person) -> list[Person]:
        """Give those others who may be called by the same last name."""
        own = _called(person)
        return [one for one in self.people if one is not person and own & _called(one)]

    def has_namesake(self, person: Person) -> bool:
        """Tell whether somebody else has the same last name."""
        return bool(self.namesakes(person))

    def needs_first_name(self, person: Person) -> bool:
        """Tell whether a last name alone would be taken for somebody else of the documents."""
        return not all(_is_minor(one, person) for one in self.namesakes(person))

    def is_foreign(self, mention: Mention) -> bool:
        """Tell whether a mention stands in no document."""
        return _key(mention.sentence) in self._foreign

    def is_called_by_last_name(self, person: Person) -> bool:
        """Tell whether documents call somebody by the last name alone, without a title."""
        return any(own.form == "last" and not own.titles and own.head for own in person.mentions)

    @cached_property
    def small_words(self) -> frozenset[str]:
        """The words that the documents write in small letters."""
        texts = (word.text for own in self._sentences for word in own.words)
        small = frozenset(text for text in texts if text.islower())
        return small | words_of("describing") | words_of("roles")

    @cached_property
    def capital_words(self) -> frozenset[str]:
        """The words that the documents write with a capital inside a sentence."""
        texts = (word.text for own in self._sentences for word in own.words[1:])
        return frozenset(text for text in texts if text[0].isupper())

    @cached_property
    def _by_sentence(self) -> dict[tuple[str, int, str], list[Named]]:
        table: dict[tuple[str, int, str], list[Named]] = {}
        for person in self.people:
            for mention in person.mentions:
                table.setdefault(_key(mention.sentence), []).append(Named(mention, person))
        return {key: sorted(own, key=lambda one: one.mention.first) for key, own in table.items()}


def _is_minor(one: Person, person: Person) -> bool:
    """Tell whether one of two with a last name is rarely named, or only as the other's relative."""
    if _is_relative(person):
        return False
    counts = [sum(own.form == "full" for own in each.mentions) for each in (one, person)]
    return 3 * counts[0] <= counts[1] or _is_relative(one)


def _roles(mention: Mention) -> set[str]:
    """Give the words before a name that may tell namesakes apart: *Rep.*, *president*."""
    words = {bare(word) for word in mention.premodifier.split()}
    return words & (words_of("titles") | words_of("roles")) - words_of("courtesy")


def _known_roles(person: Person) -> set[str]:
    full = [own for own in person.mentions if own.form == "full"]
    return {word for own in full for word in _roles(own)}


def _is_relative(person: Person) -> bool:
    told = [is_relative(own) for own in person.initial()]
    return 2 * sum(told) >= len(told)


def _called(person: Person) -> set[str]:
    """Give what may be somebody's last name, as names are compared."""
    return {folded(person.last_name), *surnames(read_name(person.name))}


def _key(sentence: ParsedSentence) -> tuple[str, int, str]:
    return sentence.document, sentence.index, sentence.text
