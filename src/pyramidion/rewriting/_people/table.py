"""The people of a topic: their mentions, names and corroboration."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import dropwhile
from typing import Final, NamedTuple

from pyramidion.collection.ids import grouped
from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._people.chains import find_people
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._people.names import (
    Run,
    capital_runs,
    is_headline,
    is_title,
    lower_case_words,
    name_words,
)
from pyramidion.rewriting._word_lists import bare, first_names, folded, word_list
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import Key, ParsedWord
from pyramidion.text.quotations import Quotations


class PersonMention(NamedTuple):
    """A mention and its person."""

    mention: Mention
    person: Person


class PeopleTable:
    """The people of documents and of a summary of them."""

    def __init__(self, articles: Articles, summary: Sequence[ParsedSentence] = ()) -> None:
        self._document_keys = {sentence.key for sentence in articles}
        foreign_sentences = {
            sentence.key: sentence for sentence in summary if not self.holds(sentence)
        }
        self._summary_keys = frozenset(foreign_sentences)
        self._sentences = (*articles.sentences, *foreign_sentences.values())
        self.people = find_people(self._sentences)
        self.quotations = Quotations(self._sentences)

    def in_sentence(self, sentence: ParsedSentence) -> list[PersonMention]:
        """Return the mentions in a sentence, in order."""
        return self._by_sentence.get(sentence.key, [])

    def holds(self, sentence: ParsedSentence) -> bool:
        """Return whether a sentence is from a document."""
        return sentence.key in self._document_keys

    def is_only_in_summary(self, sentence: ParsedSentence) -> bool:
        """Return whether a sentence is from the summary only."""
        return sentence.key in self._summary_keys

    def mentions(self, person: Person, document: str = "") -> list[Mention]:
        """Return a person's mentions in the documents, or in one of them."""
        return [
            mention
            for mention in person.mentions
            if not self.is_only_in_summary(mention.sentence)
            and document in ("", mention.sentence.document)
        ]

    def full_mentions(self, person: Person, document: str = "") -> list[Mention]:
        """Return the mentions by full name, except in headlines."""
        return [
            mention
            for mention in self.mentions(person, document)
            if mention.form == "full" and mention.head and not is_headline(mention.sentence)
        ]

    def short_name(self, person: Person) -> str:
        """Return the most frequent form of the last name."""
        mentions = self.mentions(person)
        by_last_name = (mention for mention in mentions if mention.form == "last")
        name_counts = Counter(
            mention.name for mention in by_last_name if mention.head and not mention.titles
        )
        return max(sorted(name_counts), key=name_counts.__getitem__, default="")

    def is_royal(self, person: Person) -> bool:
        """Check whether a person has a royal or noble title: *Pope John Paul*."""
        noble_titles = word_list("royal") | word_list("peers")
        return any(not noble_titles.isdisjoint(mention.title_words) for mention in person.mentions)

    def is_corroborated(self, person: Person) -> bool:
        """Check whether one document has the full and the short name, or two have the full one."""
        full_documents = {mention.sentence.document for mention in self.full_mentions(person)}
        by_last_name = (mention for mention in self.mentions(person) if mention.form == "last")
        short_documents = {mention.sentence.document for mention in by_last_name}
        return len(full_documents) > 1 or not full_documents.isdisjoint(short_documents)

    def bearers(self, word: str) -> list[Person]:
        """Return the people with a folded word in their names."""
        return self._bearers.get(word, [])

    def longer_names(self, word: str) -> Collection[str]:
        """Return the names of several words that contain a folded word."""
        return self._longer_names.get(word, ())

    @cached_property
    def things(self) -> frozenset[str]:
        """Names that are used like places, things or families: *in Lincoln*, *the Hilton*."""
        return frozenset(name for sentence in self._sentences for name in _things_in(sentence))

    @cached_property
    def families(self) -> frozenset[str]:
        """Last names that relatives who are named by first name may share."""
        previous_sentences = (None, *self._sentences)
        pairs = zip(self._sentences, previous_sentences, strict=False)
        return frozenset(
            name
            for sentence, previous_sentence in pairs
            for name in _families_in(sentence, previous_sentence)
        )

    @cached_property
    def _bearers(self) -> dict[str, list[Person]]:
        pairs: list[tuple[str, Person]] = []
        for person in self.people:
            texts = {person.name, person.last_name, *(mention.name for mention in person.mentions)}
            pairs += ((word, person) for word in {w for text in texts for w in name_words(text)})
        return grouped(pairs)

    @cached_property
    def _longer_names(self) -> dict[str, set[str]]:
        names_by_word: dict[str, set[str]] = defaultdict(set)
        lowercase_words = lower_case_words(self._sentences)
        for sentence in self._sentences:
            for run in () if is_headline(sentence) else capital_runs(sentence.words):
                words = _plain_name(sentence, run, lowercase_words)
                for name in words if len(words) > 1 else ():
                    names_by_word[folded(name)].add(" ".join(words))
        return names_by_word

    @cached_property
    def _by_sentence(self) -> dict[Key, list[PersonMention]]:
        pairs: list[PersonMention] = []
        for person in self.people:
            pairs += (PersonMention(mention, person) for mention in person.mentions)
        sorted_pairs = sorted(pairs, key=lambda pair: pair.mention.first)
        return grouped((pair.mention.sentence.key, pair) for pair in sorted_pairs)


def _plain_name(sentence: ParsedSentence, run: Run, lowercase_words: frozenset[str]) -> list[str]:
    """Return the words of a run that belong to a name; none for *the Orr campaign*."""
    first = run[0][0]
    if sentence.text_at(first - 1).lower() == "the":
        return []
    texts = [text for _, _, text in run]
    if sentence.opens_at(first) and texts[0].lower() in lowercase_words | word_list("describing"):
        texts = texts[1:]
    for index in range(len(texts) - 2, -1, -1):
        if is_title(texts[index]) and texts[index] not in first_names():
            texts = texts[index + 1 :]
            break
    texts = list(dropwhile(_is_description, texts))
    while texts and texts[-1] in word_list("never"):
        texts = texts[:-1]
    return [text for text in texts if bare(text) not in word_list("suffixes")]


def _is_description(text: str) -> bool:
    word_lists = (word_list("roles"), word_list("describing"), word_list("relations"))
    is_title_like = is_title(text) or text in word_list("never") or text.isupper()
    return is_title_like or any(text.lower() in words for words in word_lists)


_PLACE_SUFFIXES: Final = ("-based", "-area", "-born", "-bound")
_LOCATIVE_WORDS: Final = frozenset({"in", "at", "near", "into", "outside", "the"})
_CONTINUING_MARKS: Final = frozenset({"'s", "’s", "'", "’", "-", "–"})
_NAME_TAGS: Final = frozenset({"NOUN", "PROPN", "ADJ", "NUM", "PART", "VERB"})


def _things_in(sentence: ParsedSentence) -> Iterator[str]:
    words = sentence.words
    for index in range(len(words)):
        text, previous_word = words[index].text, sentence.text_at(index - 1).lower()
        next_words = sentence.words[index + 1 : index + 2]
        if not text[0].isupper():
            continue
        if previous_word == "the" and text.endswith("s") and len(text) > 3:
            yield folded(text[:-1])
        if any(word.text.lower() in word_list("families") for word in next_words):
            yield folded(text)
        joined_word = sentence.text[words[index].start :].split(maxsplit=1)[0]
        if joined_word.rstrip(",.;").endswith(_PLACE_SUFFIXES):
            yield folded(text.split("-")[0])
        name_continues = any(
            word.tag in _NAME_TAGS or word.text in _CONTINUING_MARKS for word in next_words
        )
        if (previous_word in _LOCATIVE_WORDS and not name_continues) or _names_town(
            sentence, index
        ):
            yield folded(text)


_POSSESSIVE_PRONOUNS: Final = frozenset({"his", "her", "their"})


def _families_in(
    sentence: ParsedSentence, previous_sentence: ParsedSentence | None
) -> Iterator[str]:
    """Read *Orr's widow, Ann,* and *his son Tom*: *Orr* may be Ann or Tom from now on."""
    words = sentence.words
    for index, word in enumerate(words):
        if word.text not in word_list("kin") or not _first_name_follows(sentence, index + 1):
            continue
        words_before = [other.text.lower() for other in words[max(index - 3, 0) : index]]
        if not _CONTINUING_MARKS.isdisjoint(words_before):
            yield from _capitalized_words(words[:index][-6:])
        elif not _POSSESSIVE_PRONOUNS.isdisjoint(words_before):
            nearby_words = (
                previous_sentence.words
                if previous_sentence and previous_sentence.document == sentence.document
                else ()
            )
            yield from _capitalized_words((*nearby_words, *words[:index]))


def _capitalized_words(words: Sequence[ParsedWord]) -> Iterator[str]:
    return (folded(word.text) for word in words if word.text[0].isupper())


def _first_name_follows(sentence: ParsedSentence, index: int) -> bool:
    """Return whether a first name alone follows, perhaps after a comma."""
    index += sentence.text_at(index) == ","
    name, next_text = sentence.text_at(index), sentence.text_at(index + 1)
    return name[:1].isupper() and name.isalpha() and not next_text[:1].isupper()


def _names_town(sentence: ParsedSentence, index: int) -> bool:
    """Return whether a name is a town followed by its region: *of Allen, Texas*."""
    if not index or sentence.words[index - 1].tag != "ADP" or sentence.text_at(index + 1) != ",":
        return False
    return any(
        word.text[0].isupper() and word.entity != "person"
        for word in sentence.words[index + 2 : index + 3]
    )
