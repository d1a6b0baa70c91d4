"""Who somebody is, in one sentence made of what the documents say."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pyramidion.rewriting._articles import FINITE, ParsedSentence
from pyramidion.rewriting._people.chains import is_possessive
from pyramidion.rewriting._people.mention import Description, Mention, Person
from pyramidion.rewriting._status.bodies import bodies_in
from pyramidion.rewriting._status.features import descriptions_of
from pyramidion.rewriting._status.model import StatusModel, statuses_of, territory_of
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


#: Longer ones are no short answer.
_LONGEST = 20
_OTHERS = frozenset({"he", "him", "his", "she", "her", "hers", "himself", "herself"})
_MARKS = frozenset('"“”()[]{}:;–—') | {"--", "''", "``"}
_OPEN_ENDS = ("ADP", "DET", "CCONJ", "SCONJ", "PART", "AUX")
_VICE = frozenset({"prime", "chief", "longtime", "veteran", "current", "new"})
_PEOPLE = frozenset({"one", "child", "fan", "patient", "staff", "star", "state", "victim", "youth"})
_ENDINGS = ("er", "or", "ist", "ian", "man", "woman", "crat", "path", "person")
_AFTER_KNOWN = ("of", "that", "who", "which", "where", "between")
#: *two-time winner*, *three-term governor*.
_TIMES = ("-time", "-term")


def stands_alone(words: Sequence[ParsedWord], *, clause: bool = False) -> bool:
    """Tell whether words mean the same away from their sentence: no *his*, *now*, *the city's*."""
    texts = [word.text.lower() for word in words]
    strange = status_words("pointing") | _OTHERS | _MARKS
    return (
        len(texts) <= _LONGEST
        and strange.isdisjoint(texts)
        and not _known_possessor(words)
        and not (clause and _known_thing(words))
    )


def _known_possessor(words: Sequence[ParsedWord]) -> bool:
    """Find *the city's* mayor: which city it is was said before."""
    return any(
        before.tag == "NOUN" and after.text in ("'s", "’s", "'", "’")
        for before, after in pairwise(words)
    )


def _known_thing(words: Sequence[ParsedWord]) -> bool:
    """Find *the plan*: which one was said before; not *the number of people*."""
    for place, word in enumerate(words[:-1]):
        after = words[place + 2].text if place + 2 < len(words) else ""
        if word.text == "the" and words[place + 1].tag == "NOUN" and after not in _AFTER_KNOWN:
            named = words[place + 3].text if after == "in" and place + 3 < len(words) else after
            return not named[:1].isupper()
    return False


def says_who(head: str, words: Sequence[str]) -> bool:
    """Tell whether a noun says what somebody is: *astronomer*; *friend* only with *of*."""
    plain = head.lower().rpartition("-")[2]
    if plain in words_of("relations"):
        return "of" in words
    if plain.title() in words_of("plural_titles"):
        return False
    people = words_of("roles") | words_of("male_words") | words_of("female_words")
    known = plain in people or plain.title() in words_of("titles") or plain in _PEOPLE
    return known or (plain.endswith(_ENDINGS) and plain not in status_words("things"))


def says_little(head: str, content: Collection[str]) -> bool:
    """Tell whether a phrase names an office and not of what: *a mayor*, *a former president*."""
    plain = head.lower()
    if plain not in status_words("offices") | status_words("little"):
        return False
    more = set(content) - {plain} - status_words("one_of_many") - _VICE
    return not any(not word.endswith(_TIMES) for word in more)


def plural_verb(words: Sequence[ParsedWord]) -> bool:
    """Tell whether a clause speaks of several people: *who leave fields fallow*."""
    verbs = (word for word in words if word.tag in ("VERB", "AUX"))
    first = next(verbs, None)
    return words[0].text.lower() == "who" and first is not None and first.fine == "VBP"


def unfinished(words: Sequence[ParsedWord]) -> bool:
    """Tell whether something is missing: *whom she defeated in*, *the and director*."""
    if not words or words[-1].tag in _OPEN_ENDS or any(word.tag == "CCONJ" for word in words[:2]):
        return True
    return len(words) > 1 and words[-1].tag == "VERB" and words[-2].text == "to"


def denied(sentence: ParsedSentence, head: int) -> bool:
    """Tell whether *X is ...* is denied, supposed or somebody's opinion."""
    words = sentence.words
    # "became a nurse": the noun hangs on the verb.
    top = words[head].head if words[words[head].head].lemma in ("become", "remain") else head
    below = [
        word for place, word in enumerate(words) if word.head in (head, top) and place != word.head
    ]
    helpers = {word.lemma for word in below if word.tag in ("AUX", "PART")} - {"'s", "’s"}
    negative = any(word.lemma in ("not", "never", "n't", "no") for word in below)
    return negative or words[top].relation not in ("root", "conjunct") or not helpers <= {"be"}


_NOUNS = ("NOUN", "PROPN")
_PLURAL = ("NNS", "NNPS")
#: More than these before a name is a parser's mistake.
_MOST = 7


def spelled_premodifier(mention: Mention, small: Collection[str] = ()) -> tuple[str, str] | None:
    """Write the words before a name as a noun phrase, titles in full; give its main noun, too."""
    sentence = mention.sentence
    places = range(mention.premodified_first, mention.first)
    named = _capital_places(mention) | {place for place in places if _is_name(mention, place)}
    opening = sentence.words[0].text.lower()
    capitals = {place for place in named if place > 0 or opening not in small}
    spelled = {place: _spelled(mention, place, capitals) for place in places}
    kept = [place for place in places if spelled[place]]
    words = [sentence.words[place] for place in kept]
    if not kept or len(kept) > _MOST or not mention.head or not stands_alone(words):
        return None
    noun = words[-1].tag in _NOUNS or kept[-1] >= mention.first - mention.titles
    # More than a description was read: *the party ousted Gov. Boyle*.
    verb = any(sentence.words[place].fine in FINITE for place in places)
    if not noun or words[-1].fine in _PLURAL or verb:
        return None
    text = _joined(mention, kept, spelled)
    head = spelled[kept[-1]].lower()
    if not says_who(head, text.lower().split()):
        return None
    return with_article(text, head, of_something=len(kept) > 1), head


def _capital_places(mention: Mention) -> set[int]:
    """Give the places of words before a name that belong to other names."""
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
    """Tell whether a word before a name keeps its capital: *Lumora CEO*, *Uno-X rider*."""
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


_BARE = ("one",)
_RELATIVE = ("who", "whose", "whom", "that", "which")
#: A clause with fewer content words says too little: *who is 88*.
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that an input says of a person."""

    text: str  # follows *is*, or begins with *who*
    head: str  # base form of the main noun; empty for a clause
    kind: str
    document: str
    index: int  # of the sentence that says it

    @property
    def content(self) -> frozenset[str]:
        """Its words but for stop words, in small letters."""
        words = (word.strip(".,'’").lower() for word in self.text.split())
        plain = (word.removesuffix("'s").removesuffix("’s") for word in words)
        return frozenset(word for word in plain if word and not is_stop_word(word))

    @property
    def has_clause(self) -> bool:
        """Whether it holds a relative clause, after which nothing can be joined."""
        return any(word in _RELATIVE for word in self.text.split())

    @property
    def takes_clause(self) -> bool:
        """Whether a clause after it is about the person, not about what follows the head."""
        last = self.text.split()[-1]
        return not self.has_clause and (last.lower() == self.head or last[:1].isupper())


def phrases_about(person: Person) -> list[Statement]:
    """Give noun phrases that say what a person is and can stand alone, from around the names."""
    before = []
    texts = (word.text for mention in person.mentions for word in mention.sentence.words)
    small = {text for text in texts if text.islower()}
    for mention in person.mentions:
        found = spelled_premodifier(mention, small)
        if found is not None:
            place = (mention.sentence.document, mention.sentence.index)
            before.append(Statement(*found, "premodifier", *place))
    after = [_apposition(own) for own in descriptions_of(person, "apposition")]
    copulas = [_copula(own) for own in descriptions_of(person, "copula")]
    said = before + [own for own in (*after, *copulas) if own is not None]
    names = {part.lower() for part in person.name.split()}
    return [
        own
        for own in said
        if names.isdisjoint(own.content) and not says_little(own.head, own.content)
    ]


def clauses_about(person: Person) -> list[Statement]:
    """Give relative clauses that say what a person does."""
    found = [_clause(own) for own in descriptions_of(person, "relative clause")]
    return [own for own in found if own is not None and len(own.content) >= _FEWEST]


def _clause(own: Description) -> Statement | None:
    words = _trimmed(own.sentence, own.first, own.last)
    if not words or words[0].text.lower() not in ("who", "whose"):
        return None
    if not stands_alone(words, clause=True) or plural_verb(words) or unfinished(words):
        return None
    if any(word.lemma == "die" for word in words):
        return None
    text = own.sentence.text[words[0].start : words[-1].end]
    return _statement(text[0].lower() + text[1:], "", own)


def _apposition(own: Description) -> Statement | None:
    words = _trimmed(own.sentence, own.first, own.last)
    # A relative clause may be what cannot stand alone.
    clauses = [place for place, word in enumerate(words) if word.text in _RELATIVE]
    short = words[: clauses[0]] if clauses else []
    if short and not stands_alone(words[len(short) :], clause=True):
        return _one_of_many(_phrase(own, short))
    return _phrase(own, words) or _one_of_many(_phrase(own, short))


def _one_of_many(said: Statement | None) -> Statement | None:
    """Say *a*, not *the*, where the clause is gone that told which one."""
    if said is None or not said.text.startswith("the ") or " of " in said.text:
        return said
    rest = said.text.removeprefix("the ")
    return replace(said, text=f"{a_or_an(rest)} {rest}")


def _copula(own: Description) -> Statement | None:
    words = _trimmed(own.sentence, own.first, own.last)
    while words and words[0].lemma == "be":
        words = words[1:]
    head = _head_of(own.sentence, words)
    if head is None or denied(own.sentence, head):
        return None
    # Without an article it may be a state: "was president for a year".
    return _phrase(own, words) if _has_article(words) else None


def _phrase(own: Description, words: list[ParsedWord]) -> Statement | None:
    """Make a noun phrase with an article of words, if they are one that can stand alone."""
    head = _head_of(own.sentence, words)
    if head is None or not stands_alone(words) or unfinished(words):
        return None
    word = own.sentence.words[head]
    if word.tag not in _NOUNS or word.fine in _PLURAL or word.entity == "person":
        return None
    if not says_who(word.lemma, [own.text.lower() for own in words]):
        return None
    text = own.sentence.text[words[0].start : words[-1].end]
    if not _has_article(words):
        text = with_article(text, word.lemma, of_something=len(words) > 1)
    elif words[0].tag == "DET":
        text = text[0].lower() + text[1:]
    return _statement(text, word.lemma.lower(), own)


def _has_article(words: list[ParsedWord]) -> bool:
    return words[0].tag == "DET" or words[0].text.lower() in _BARE or _possessed(words)


def _possessed(words: list[ParsedWord]) -> bool:
    """Tell whether a phrase begins with a possessor that has a name."""
    ends = (place for place, word in enumerate(words[:5]) if word.text in ("'s", "’s"))
    end = next(ends, 0)
    return 0 < end < len(words) - 1 and all(word.tag == "PROPN" for word in words[:end])


def _trimmed(sentence: ParsedSentence, first: int, last: int) -> list[ParsedWord]:
    """Give words without marks around them, and without an age before the rest."""
    words = list(sentence.words[first : last + 1])
    while words and (words[0].tag == "PUNCT" or words[0].text.isdigit()):
        words.pop(0)
    while words and words[-1].tag == "PUNCT":
        words.pop()
    return words


def _head_of(sentence: ParsedSentence, words: list[ParsedWord]) -> int | None:
    """Give the place of the word that the others depend on: a noun where parsers disagree."""
    places = [place for place, word in enumerate(sentence.words) if word in words]
    outside = [place for place in places if _leads_out(sentence, place, {*places})]
    nouns = (place for place in outside if sentence.words[place].tag in _NOUNS)
    return next(nouns, next(iter(outside), None))


def _leads_out(sentence: ParsedSentence, place: int, inside: set[int]) -> bool:
    word = sentence.words[place]
    return word.tag != "PUNCT" and (word.head not in inside or word.head == place)


def _statement(text: str, head: str, own: Description) -> Statement:
    where = (own.sentence.document, own.sentence.index)
    return Statement(" ".join(text.split()), head, own.kind, *where)


_BEFORE = frozenset({"late", "slain", "murdered", "assassinated"})
_DIED = frozenset({"died", "dies"})
_KILLED = frozenset({"killed", "murdered", "assassinated", "executed", "slain", "buried"})
_DEATH = frozenset({"death", "funeral", "killing", "murder", "assassination", "widow", "widower"})
_FARTHEST = 3


def is_dead(person: Person) -> bool:
    """Tell whether an input says that somebody died."""
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
    killer = words[begin - 1] if begin > 0 else None
    if killer is not None and killer.text in _KILLED and killer.tag == "VERB":
        return True
    if is_possessive(words, mention.last + 1):
        return any(word.text in _DEATH for word in words[mention.last + 2 : mention.last + 4])
    return any(_dies(words, place) for place in _after(mention))


def _after(mention: Mention) -> Iterator[int]:
    """Give the places where a verb of the name may stand."""
    yield mention.last + 1
    if mention.post_last >= 0:
        yield mention.post_last + 2
        yield mention.post_first + 1


def _dies(words: Sequence[ParsedWord], place: int) -> bool:
    """Tell whether *died*, *has died* or *was killed* begins at a place."""
    texts = [word.text for word in words[place : place + _FARTHEST]]
    if not texts:
        return False
    if texts[0] in _DIED or (texts[0] in {"has", "had"} and texts[1:2] == ["died"]):
        return True
    passive = texts[0] in {"was", "were"} or texts[:2] == ["has", "been"]
    rest = texts[2:] if texts[0] == "has" else texts[1:]
    return passive and (bool(_KILLED.intersection(rest[:1])) or "dead" in rest)


#: Two statements that share as much of the shorter one's words say the same.
_SAME = 0.5
#: After more words nothing can be joined with *and*.
_LONG = 7


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


def who_is(person: Person, *, phrases: int = 2, clauses: int = 1) -> WhoIs | None:
    """Tell who a person is: what most documents say first, the more informative of equals.

    Nothing is said twice. There is no answer for somebody of whom the input says nothing that
    can stand alone.

    Parameters
    ----------
    person
        Somebody, with all mentions in the input.
    phrases, clauses
        At most so many noun phrases and relative clauses.

    Examples
    --------
    >>> who_is(Person("Ode", "Ode", ())) is None
    True
    """
    said = clauses_about(person)
    chosen = _ordered(_best(phrases_about(person), phrases), clause=bool(said))
    goes_on = not chosen or chosen[-1].takes_clause
    added = _best(said, clauses, besides=chosen) if goes_on else []
    if not chosen and (not added or " " not in person.name):
        return None
    what = " and ".join(one.text for one in chosen) or "someone"
    does = "".join(f" {'and ' if place else ''}{one.text}" for place, one in enumerate(added))
    verb = "was" if is_dead(person) else "is"
    text = f"{person.name} {verb} {what}{does}".rstrip(".")
    return WhoIs(person.name, f"{text}.", (*chosen, *added))


def who_is_who(people: Iterable[Person], model: StatusModel | None = None) -> list[WhoIs]:
    """Tell who those people are that matter to the story and are new to its readers.

    Parameters
    ----------
    people
        Each with all mentions in the input.
    model
        What tells their status; that of the package if none is given.

    Examples
    --------
    >>> who_is_who([])
    []
    """
    given = list(people)
    wanted = (
        person
        for person, status in zip(given, statuses_of(given, model), strict=True)
        if status.major and not status.hearer_old and not person.unsure
    )
    return [found for person in wanted if (found := who_is(person)) is not None]


def named_in(people: Iterable[Person], sentences: Iterable[str]) -> list[Person]:
    """Give those who are named in a text: in full, or by a last name that nobody else has."""
    given = list(people)
    text = f" {' '.join(_words(' '.join(sentences)))} "
    bearers = Counter(folded(person.last_name) for person in given)
    return [
        person
        for person in given
        if any(f" {' '.join(_words(name))} " in text for name in _names(person, bearers))
    ]


def _names(person: Person, bearers: Counter[str]) -> set[str]:
    """Give the names that can only be one person's."""
    full = {own.name for own in person.mentions if own.form == "full"} | {person.name}
    if person.name == person.last_name or bearers[folded(person.last_name)] == 1:
        return full | {person.last_name}
    return full


def _words(text: str) -> list[str]:
    return tokenize(folded(text), "unicode")


def _ordered(chosen: list[Statement], *, clause: bool) -> list[Statement]:
    """Put last what is long or has a clause, and before a clause what can take it."""

    def rank(one: Statement) -> tuple[bool, bool, bool]:
        return one.has_clause, len(one.text.split()) > _LONG, clause and one.takes_clause

    return sorted(chosen, key=rank)


def _best(
    statements: Sequence[Statement], number: int, *, besides: Sequence[Statement] = ()
) -> list[Statement]:
    """Choose statements that most documents support and that do not repeat each other."""
    support = Counter(head for head, _ in {(_subject(one), one.document) for one in statements})
    order = sorted(
        statements, key=lambda one: (-support[_subject(one)], -len(one.content), len(one.text))
    )
    chosen: list[Statement] = []
    for one in order:
        if len(chosen) < number and not any(_repeats(one, other) for other in (*chosen, *besides)):
            chosen.append(one)
    return chosen


def _subject(one: Statement) -> str:
    """Give what makes two statements support each other."""
    return one.head or one.text


def _repeats(one: Statement, other: Statement) -> bool:
    if one.head and one.head == other.head:
        return True
    fewer = min(len(one.content), len(other.content))
    return not fewer or len(one.content & other.content) >= _SAME * fewer
