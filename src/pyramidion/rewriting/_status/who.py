"""Who somebody is, in one sentence of what the documents say."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pyramidion.rewriting._people.chains import is_possessive
from pyramidion.rewriting._people.edits import epithet_after, epithet_before
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._people.names import is_headline
from pyramidion.rewriting._people.table import PeopleTable
from pyramidion.rewriting._people.vetoes import doubt, is_bygone, names_calling
from pyramidion.rewriting._quotations import Quotations
from pyramidion.rewriting._status.bodies import bodies_in
from pyramidion.rewriting._status.model import territory_of
from pyramidion.rewriting._word_lists import bare, folded, spelled_title, status_words, words_of
from pyramidion.text import is_stop_word, tokenize
from pyramidion.text._parsing import ParsedWord

_AN = ("hour", "honest", "heir", "honor", "honour")
_A = ("uni", "eu", "one", "once", "use", "usu", "u.s", "u.k", "ubi", "uto", "ura")
_SPELLED_VOWELS = set("AEFHILMNORSX")


def a_or_an(phrase: str) -> str:
    """Choose the article that goes with a phrase's sound."""
    first = next(iter(phrase.split()), "")
    if len(first) > 1 and first.isupper() and "." not in first:
        vowel = first[0] in _SPELLED_VOWELS
    else:
        low = first.lower()
        vowel = low.startswith(_AN) or (low[:1] in tuple("aeiou") and not low.startswith(_A))
    return "an" if vowel else "a"


def with_article(phrase: str, head: str, *, of_something: bool) -> str:
    """Put an article before a description."""
    words = phrase.lower().replace("-", " ").split()
    single = head.lower() in status_words("offices") and of_something
    if single and not any(word in status_words("one_of_many") for word in words):
        return f"the {phrase}"
    return f"{a_or_an(phrase)} {phrase}"


_VICE = frozenset({"prime", "chief", "longtime", "veteran", "current", "new", "study", "lead"})


def spelled_premodifier(mention: Mention, small: frozenset[str] = frozenset()) -> tuple[str, str]:
    """Write the words before a name as a noun phrase, titles in full; give its main noun, too."""
    sentence = mention.sentence
    places = range(mention.premodified_first, mention.first)
    named = _capital_places(mention) | {place for place in places if _is_name(mention, place)}
    opening = sentence.words[0].text.lower()
    capitals = {place for place in named if place > 0 or opening not in small}
    spelled = {place: _spelled(mention, place, capitals) for place in places}
    kept = [place for place in places if spelled[place]]
    if not kept:
        return "", ""
    head = spelled[kept[-1]].lower()
    text = _joined(mention, kept, spelled)
    return with_article(text, head, of_something=len(kept) > 1), head


def _capital_places(mention: Mention) -> set[int]:
    """Return the places of words before a name that belong to other names."""
    places = range(mention.premodified_first, mention.first - mention.titles)
    bodies = bodies_in(mention.sentence, beside=places)
    found = {place for own in bodies for place in range(own.first, own.last + 1)}
    return found | ({mention.first - mention.titles - 1} if territory_of(mention) else set())


def _spelled(mention: Mention, place: int, capitals: set[int]) -> str:
    """Spell a word before a name as it stands in a sentence on its own; nothing for *Mr.*."""
    text = mention.sentence.words[place].text
    plain = text.lower().replace(".", "")
    named = any(bare(part) in words_of("titles") for part in text.split("-"))
    is_title = named or place >= mention.first - mention.titles
    if plain in status_words("empty_titles"):
        return ""
    if is_title or text.endswith("."):
        full = spelled_title(plain)
        if full is not None:
            return full
    keeps = place in capitals or bare(text) in status_words("capitals")
    office = place + 1 < mention.first and bare(mention.sentence.words[place + 1].text)
    department = office and office in words_of("titles") - status_words("territorial")
    return text.lower() if (is_title or place == 0 or department) and not keeps else text


def _is_name(mention: Mention, place: int) -> bool:
    """Return whether a word before a name keeps its capital: *Lumora CEO*, *Uno-X rider*."""
    word = mention.sentence.words[place]
    whole = mention.sentence.text[word.start :].split(maxsplit=1)[0]
    if word.text.isupper() or any(map(str.isupper, whole[1:])):
        return True
    small = word.text.lower()
    known = words_of("describing") | words_of("roles") | words_of("bodies")
    listed = small in known or bare(word.text) in words_of("titles") | words_of("offices")
    following = mention.sentence.words[place + 1 : mention.first]
    title_follows = bool(following) and following[0].text[0].isupper()
    proper = word.tag == "PROPN" or word.fine == "NNP" or (word.tag == "ADJ" and title_follows)
    return place == 0 and proper and not listed


def _joined(mention: Mention, kept: list[int], spelled: dict[int, str]) -> str:
    """Join words as they stand, so that *two-term* is one."""
    words, text = mention.sentence.words, ""
    for place in kept:
        apart = text and words[place].start > words[place - 1].end
        text += f"{' ' if apart else ''}{spelled[place]}"
    return text


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that an input says of a person."""

    text: str  # follows *is*
    head: str  # the main noun
    kind: str
    document: str
    index: int  # of the sentence that says it

    @property
    def content(self) -> frozenset[str]:
        """Its words but for stop words, in small letters."""
        words = (word.strip(".,'’").lower() for word in self.text.split())
        plain = (word.removesuffix("'s").removesuffix("’s") for word in words)
        return frozenset(word for word in plain if word and not is_stop_word(word))


def statements_about(person: Person, quotations: Quotations | None = None) -> list[Statement]:
    """Give what documents say somebody is where they give the full name, as epithets are taken."""
    quoted = quotations or Quotations(own.sentence for own in person.mentions)
    texts = (word.text for mention in person.mentions for word in mention.sentence.words)
    small = frozenset(text for text in texts if text.islower())
    names = {part.lower() for part in person.name.split()}
    return [
        said
        for mention in person.mentions
        if mention.form == "full" and not is_headline(mention.sentence)
        if not is_bygone(mention, person)
        for said in _said_in(mention, quoted, small)
        if names.isdisjoint(said.content) and not _says_little(said)
    ]


def _said_in(mention: Mention, quoted: Quotations, small: frozenset[str]) -> Iterator[Statement]:
    place = mention.sentence.document, mention.sentence.index
    if epithet_before(mention, quoted):
        text, head = spelled_premodifier(mention, small)
        if text:
            yield Statement(text, head, "premodifier", *place)
    after = epithet_after(mention, quoted)
    if after:
        words = mention.sentence.words[mention.post_first : mention.post_last + 1]
        head = next(word.text.lower() for word in words if names_calling(word))
        yield Statement(after, head, "apposition", *place)


def _says_little(said: Statement) -> bool:
    """Return whether a phrase names an office and not of what: *a mayor*, *a former president*."""
    if said.head not in status_words("offices") | status_words("little"):
        return False
    return said.content <= {said.head} | status_words("one_of_many") | _VICE


_BEFORE = frozenset({"late", "slain", "murdered", "assassinated"})
_DIED = frozenset({"died", "dies"})
_KILLED = frozenset({"killed", "murdered", "assassinated", "executed", "slain", "buried"})
_DEATH = frozenset({"death", "funeral", "killing", "murder", "assassination", "widow", "widower"})
_FARTHEST = 3


def is_dead(person: Person) -> bool:
    """Return whether an input says that somebody died."""
    return any(_is_told(own) for own in person.mentions) or any(
        own.kind == "pronoun" and _dies(own.sentence.words, own.last + 1)
        for own in person.descriptions
    )


def _is_told(mention: Mention) -> bool:
    words = mention.sentence.words
    begin = mention.phrase_first
    before = [word.text.lower() for word in words[max(begin, 0) : mention.first]]
    if _BEFORE.intersection(before):
        return True
    if words[begin - 1].text == "of" and begin > 2 and words[begin - 2].text.lower() in _DEATH:
        return words[begin - 3].text != "attempted"
    killer = words[begin - 1] if begin > 0 else None
    if killer is not None and killer.text in _KILLED and killer.tag == "VERB":
        return True
    if is_possessive(words, mention.last + 1):
        return any(word.text in _DEATH for word in words[mention.last + 2 : mention.last + 4])
    return any(_dies(words, place) for place in _after(mention))


def _after(mention: Mention) -> Iterator[int]:
    """Return the places where a verb of the name may stand."""
    yield mention.last + 1
    if mention.post_last >= 0:
        yield mention.post_last + 2
        yield mention.post_first + 1


def _dies(words: Sequence[ParsedWord], place: int) -> bool:
    """Return whether *died*, *has died* or *was killed* begins at a place."""
    texts = [word.text for word in words[place : place + _FARTHEST]]
    if not texts:
        return False
    if texts[0] in _DIED or (texts[0] in {"has", "had"} and texts[1:2] == ["died"]):
        return True
    passive = texts[0] in {"was", "were"} or texts[:2] == ["has", "been"]
    rest = texts[2:] if texts[0] == "has" else texts[1:]
    return passive and (bool(_KILLED.intersection(rest[:1])) or "dead" in rest)


@dataclass(frozen=True, slots=True)
class WhoIs:
    """A sentence that tells who somebody is.

    Parameters
    ----------
    name
        Who.
    text
        The sentence.
    sources
        What it is made of, and where that stands in the input.

    Examples
    --------
    >>> WhoIs("Ada Ode", "Ada Ode is a senator.", ()).text
    'Ada Ode is a senator.'
    """

    name: str
    text: str
    sources: tuple[Statement, ...]


def who_is(person: Person, *, quotations: Quotations | None = None) -> WhoIs | None:
    """Return who a person is: what most documents say, the most informative of equals.

    There is no answer where documents say nothing that can stand alone, or where each says
    something else.

    Parameters
    ----------
    person
        Somebody, with all mentions in the input.
    quotations
        What is quoted in the input; by default what is quoted in the sentences that name the
        person.

    Examples
    --------
    >>> who_is(Person("Ode", "Ode", ())) is None
    True
    """
    said = statements_about(person, quotations)
    support = Counter(head for head, _ in {(own.head, own.document) for own in said})
    if not said or (len(support) > 1 and max(support.values()) == 1):
        return None
    best = min(said, key=lambda own: (-support[own.head], -len(own.content), len(own.text)))
    verb = "was" if is_dead(person) else "is"
    return WhoIs(person.name, f"{person.name} {verb} {best.text.rstrip('.')}.", (best,))


def who_is_who(people: Iterable[Person], table: PeopleTable | None = None) -> list[WhoIs]:
    """Return who people are, where there is no doubt about them.

    Parameters
    ----------
    people
        Each with all mentions in the input.
    table
        All people of the input: somebody who is not corroborated there, or whose last name is
        also another's, is left out.

    Examples
    --------
    >>> who_is_who([])
    []
    """
    quoted = table.quotations if table else None
    sure = (own for own in people if not (doubt(own, table) if table else own.unsure))
    return [found for own in sure if (found := who_is(own, quotations=quoted)) is not None]


def named_in(people: Iterable[Person], sentences: Iterable[str]) -> list[Person]:
    """Return those who are named in a text: in full, or by a last name that nobody else has."""
    given = list(people)
    text = f" {' '.join(_words(' '.join(sentences)))} "
    bearers = Counter(folded(person.last_name) for person in given)
    return [
        person
        for person in given
        if any(f" {' '.join(_words(name))} " in text for name in _names(person, bearers))
    ]


def _names(person: Person, bearers: Counter[str]) -> set[str]:
    """Return the names that can only be one person's."""
    full = {own.name for own in person.mentions if own.form == "full"} | {person.name}
    if person.name == person.last_name or bearers[folded(person.last_name)] == 1:
        return full | {person.last_name}
    return full


def _words(text: str) -> list[str]:
    return tokenize(folded(text), "unicode")
