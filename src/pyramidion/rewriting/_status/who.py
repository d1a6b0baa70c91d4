"""One-sentence descriptions of people, taken from the documents."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pyramidion.rewriting._people.chains import is_possessive
from pyramidion.rewriting._people.edits import epithet_after, epithet_before
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._people.names import is_headline, lower_case_words
from pyramidion.rewriting._people.table import PeopleTable
from pyramidion.rewriting._people.vetoes import (
    doubt_about,
    is_followed_by,
    is_former_mention,
    is_former_office,
    left_office,
    names_calling,
)
from pyramidion.rewriting._status.bodies import bodies_in
from pyramidion.rewriting._status.model import territory_of
from pyramidion.rewriting._word_lists import bare, folded, spelled_title, status_words, word_list
from pyramidion.text import is_stop_word, tokenize
from pyramidion.text.quotations import Quotations

_AN_PREFIXES = ("hour", "honest", "heir", "honor", "honour")
_A_PREFIXES = ("uni", "eu", "one", "once", "use", "usu", "u.s", "u.k", "ubi", "uto", "ura")
_SPELLED_VOWELS = set("AEFHILMNORSX")


def a_or_an(phrase: str) -> str:
    """Return the indefinite article of a phrase."""
    first_word = next(iter(phrase.split()), "")
    lowercase_word = first_word.lower()
    starts_with_vowel = lowercase_word.startswith(_AN_PREFIXES) or (
        lowercase_word.startswith(tuple("aeiou")) and not lowercase_word.startswith(_A_PREFIXES)
    )
    # Initialisms such as *UN* and *U. S.* are spelled out, so the name of the first letter decides;
    # *U.S.* begins like *you*.
    if first_word.isupper() and "." not in first_word[:-1] and len(first_word) > 1:
        starts_with_vowel = first_word[0] in _SPELLED_VOWELS
    return "an" if starts_with_vowel else "a"


_OFFICES_OF_TWO_WORDS = frozenset(
    {"attorney", "district", "postmaster", "secretary", "solicitor", "surgeon"}
)
#: An office before another title, unless both are one: *chairman senator*, not *chief executive*.
_BEFORE_TITLES = frozenset({"chief", "executive", "head", "justice", "secretary"})


def with_article(phrase: str, head: str, *, has_complement: bool) -> str:
    """Add an article to a description."""
    words = phrase.lower().replace("-", " ").split()
    office, previous_word = head.lower(), words[-2:][0]
    needs_article = has_complement and office in status_words("offices")
    if office in {"general", "attorney"} and previous_word in _OFFICES_OF_TWO_WORDS:
        # *Secretary general* is an office, *general* is a rank.
        needs_article = len(words) > 2
    if needs_article and not any(word in status_words("one_of_many") for word in words):
        return f"the {phrase}"
    return f"{a_or_an(phrase)} {phrase}"


_VAGUE_MODIFIERS = frozenset(
    {"prime", "chief", "longtime", "veteran", "current", "new", "study", "lead"}
)


def spelled_premodifier(
    mention: Mention, lowercase_words: frozenset[str] = frozenset()
) -> tuple[str, str]:
    """Return the words before a name as a noun phrase with titles in full, and its main noun."""
    words = mention.sentence.words
    titles = mention.first - mention.titles
    indices = range(mention.premodified_first, mention.first)
    bodies = bodies_in(
        mention.sentence, premodifier_indices=range(mention.premodified_first, titles)
    )
    name_indices = {index for body in bodies for index in range(body.first, body.last + 1)}
    name_indices |= {index for index in indices if _keeps_capital(mention, index)}
    if territory_of(mention):
        name_indices.add(titles - 1)
    opening = words[0].text.lower()
    capitals = {index for index in name_indices if index > 0 or opening not in lowercase_words}
    spelled_words = {index: _spell_word(mention, index, capitals) for index in indices}
    spelled_indices = [index for index in indices if spelled_words[index]]
    if not spelled_indices or _has_two_offices(
        [spelled_words[index].lower() for index in spelled_indices]
    ):
        return "", ""
    head, text = spelled_words[spelled_indices[-1]].lower(), ""
    for index in spelled_indices:
        # Keep *two-term* together.
        needs_space = text and words[index].start > words[index - 1].end
        text += f"{' ' if needs_space else ''}{spelled_words[index]}"
    return with_article(text, head, has_complement=len(spelled_indices) > 1), head


def _has_two_offices(words: list[str]) -> bool:
    """Recognize *committee chairman senator*, which is not a noun phrase without the name."""
    *words_before, last = words
    if last in status_words("ranks") and "chief" in words_before:
        return True
    offices = status_words("offices") - _BEFORE_TITLES
    return not offices.isdisjoint(words_before)


def _spell_word(mention: Mention, index: int, capitals: set[int]) -> str:
    """Return a word before a name as spelled without the name; empty for *Mr.*."""
    text = mention.sentence.words[index].text
    plain_text = text.lower().replace(".", "")
    is_listed_title = any(bare(part) in word_list("titles") for part in text.split("-"))
    is_title = is_listed_title or index >= mention.first - mention.titles
    if plain_text in status_words("empty_titles"):
        return ""
    full_title = spelled_title(plain_text)
    if full_title is not None and (is_title or text.endswith(".")):
        return full_title
    keeps_capital = index in capitals or bare(text) in status_words("capitals")
    following_word = mention.sentence.words[index + 1].text if index + 1 < mention.first else ""
    # *Duke law professor*: not a title, or the noun after it would be capitalized as well.
    keeps_capital |= text in word_list("royal") and following_word.islower()
    office = bare(following_word)
    is_department = office and office in word_list("titles") - status_words("territorial")
    is_lowercase = is_title or index in (0, mention.first - 1) or is_department
    return text.lower() if is_lowercase and not keeps_capital else text


def _keeps_capital(mention: Mention, index: int) -> bool:
    """Return whether a word before a name keeps its capital: *Lumora CEO*, *Uno-X rider*."""
    word = mention.sentence.words[index]
    full_word = mention.sentence.text[word.start :].split(maxsplit=1)[0]
    has_office = any(bare(part) in word_list("titles") for part in full_word.split("-"))
    if word.text.isupper() or (not has_office and any(map(str.isupper, full_word[1:]))):
        return True
    lowercase = word.text.lower()
    common_words = word_list("describing") | word_list("roles") | word_list("bodies")
    common_words |= _OFFICES_OF_TWO_WORDS
    is_known_title = lowercase in common_words or bare(word.text) in word_list(
        "titles"
    ) | word_list("offices")
    following_words = mention.sentence.words[index + 1 : mention.first]
    title_follows = bool(following_words) and following_words[0].text[0].isupper()
    is_proper = word.tag == "PROPN" or word.fine == "NNP" or (word.tag == "ADJ" and title_follows)
    return index == 0 and is_proper and not is_known_title


@dataclass(frozen=True, slots=True)
class Statement:
    """A description of a person in the documents."""

    text: str  # what follows *is*
    head: str  # the main noun
    kind: str
    document: str
    index: int  # of the sentence

    @property
    def content(self) -> frozenset[str]:
        """Its words in lower case, without stop words."""
        words = (word.strip(".,'’").lower() for word in self.text.split())
        plain_words = (word.removesuffix("'s").removesuffix("’s") for word in words)
        return frozenset(word for word in plain_words if word and not is_stop_word(word))


#: What was true in a year, or years before something else, need not be true now.
_PAST_TIME = re.compile(
    r"\b(?:1\d|20)\d\d\b(?!-)|\b(?:year|decade)s? (?:later|earlier|ago|before|after)\b"
    r"|\bwho (?:was|had been)\b"
)


def statements_about(person: Person, quotations: Quotations | None = None) -> list[Statement]:
    """Return the epithets that accompany full names of a person."""
    input_quotations = quotations or Quotations(mention.sentence for mention in person.mentions)
    lowercase_words = lower_case_words(mention.sentence for mention in person.mentions)
    names = {part.lower() for part in person.name.split()}
    statements: list[Statement] = []
    for mention in person.mentions:
        if mention.form != "full" or is_headline(mention.sentence):
            continue
        if is_former_office(mention, person) and not any(map(left_office, person.mentions)):
            continue
        if not is_former_mention(mention) and _PAST_TIME.search(mention.sentence.text):
            continue
        origin = mention.sentence.document, mention.sentence.index
        if epithet_before(mention, input_quotations):
            text, head = spelled_premodifier(mention, lowercase_words)
            statements.append(Statement(text, head, "premodifier", *origin))
        epithet = epithet_after(mention, input_quotations)
        if epithet:
            words = mention.sentence.words[mention.post_first : mention.post_last + 1]
            head = next(word.text.lower() for word in words if names_calling(word))
            statements.append(Statement(epithet, head, "apposition", *origin))
    current_statements = (_up_to_date(statement, person) for statement in statements)
    return [
        statement
        for statement in current_statements
        if statement and names.isdisjoint(statement.content) and not _is_vague(statement)
    ]


def _up_to_date(statement: Statement, person: Person) -> Statement | None:
    """Add *former* to an office that the documents say the person has left."""
    leaving_mentions = list(filter(left_office, person.mentions))
    if not statement.text or not leaving_mentions or statement.text.startswith("a former "):
        return statement if statement.text else None
    if not any(statement.head in mention.sentence.text.lower() for mention in leaving_mentions):
        # Which office is over is not certain.
        return None
    phrase = statement.text.partition(" ")[2]
    return replace(statement, text=f"a former {phrase}")


def _is_vague(statement: Statement) -> bool:
    """Check whether a phrase only names an office: *a mayor*, *a former president*.

    *Former lawyer* may mean the former lawyer of somebody, and *Earl* is a name, too.
    """
    royal = word_list("royal")
    if statement.text == f"a former {statement.head}" or statement.head.title() in royal:
        return True
    is_office = statement.head in status_words("offices") | status_words("little")
    return (
        is_office
        and statement.content <= {statement.head} | status_words("one_of_many") | _VAGUE_MODIFIERS
    )


def _contradicts(statement: Statement, other: Statement) -> bool:
    """Check whether two documents name different ranks, or different things with a noun."""
    names, other_names = (
        {word for word in phrase.text.split()[1:] if word[0].isupper()}
        for phrase in (statement, other)
    )
    same_noun = statement.head == other.head and statement.document != other.document
    ranks = {statement.head, other.head} & status_words("ranks")
    if len(ranks) > 1 and statement.document != other.document:
        return True
    return same_noun and bool(names) and bool(other_names) and names.isdisjoint(other_names)


_DEAD_WORDS = frozenset({"late", "slain", "murdered", "assassinated"})
_KILLED_WORDS = frozenset({"killed", "murdered", "assassinated", "executed", "slain", "buried"})
_DEATH_NOUNS = frozenset(
    {"death", "funeral", "killing", "murder", "assassination", "widow", "widower"}
)
#: *Died*, *has died*, *was killed*, *was found dead* at the start of three words.
_DIED_PATTERN = re.compile(
    r"(?:(?:(?:has|had) )?died|dies)(?!\S)"
    rf"|(?:was|were|has been) (?:{'|'.join(sorted(_KILLED_WORDS))})(?!\S)"
    r"|(?:(?:was|were)(?: \S+)?|has been) dead(?!\S)"
)


def is_dead(person: Person) -> bool:
    """Check whether the documents say that a person died, next to the name: *he* is not proof."""
    return any(map(_mentions_death, person.mentions))


def _mentions_death(mention: Mention) -> bool:
    words, begin, next_index = mention.sentence.words, mention.phrase_first, mention.last + 1
    words_before = [word.text.lower() for word in words[max(begin, 0) : mention.first]]
    if _DEAD_WORDS.intersection(words_before):
        return True
    if (
        words[begin - 1].text == "of"
        and begin > 2
        and words[begin - 2].text.lower() in _DEATH_NOUNS
    ):
        return words[begin - 3].text != "attempted"
    if begin > 0 and words[begin - 1].text in _KILLED_WORDS and words[begin - 1].tag == "VERB":
        return True
    if is_possessive(words, next_index):
        return any(word.text in _DEATH_NOUNS for word in words[next_index + 1 : next_index + 3])
    return is_followed_by(mention, _DIED_PATTERN)


@dataclass(frozen=True, slots=True)
class WhoIs:
    """A sentence that says who a person is.

    Parameters
    ----------
    name
        The person's name.
    text
        The sentence.
    sources
        The statements it is based on.

    Examples
    --------
    >>> WhoIs("Ada Ode", "Ada Ode is a senator.", ()).text
    'Ada Ode is a senator.'
    """

    name: str
    text: str
    sources: tuple[Statement, ...]


def who_is(person: Person, *, quotations: Quotations | None = None) -> WhoIs | None:
    """Describe a person as most documents do; ties go to the most informative phrase.

    There is no answer if the documents have no usable description, all describe the person
    differently, or they disagree on a name in the description (*a Texas senator*, *an Ohio
    senator*).

    Parameters
    ----------
    person
        A person with all mentions in the input.
    quotations
        The quotations of the input; by default those in the sentences that name the person.

    Examples
    --------
    >>> who_is(Person("Ode", "Ode", ())) is None
    True
    """
    statements = statements_about(person, quotations)
    heads = {(statement.head, statement.document) for statement in statements}
    support = Counter(head for head, _ in heads)
    if not statements or (len(support) > 1 and max(support.values()) == 1):
        return None

    def rank(statement: Statement) -> tuple[int, int, int]:
        return support[statement.head], len(statement.content), -len(statement.text)

    best_statement = max(statements, key=rank)
    if any(_contradicts(statement, best_statement) for statement in statements):
        return None
    verb = "was" if is_dead(person) else "is"
    return WhoIs(
        person.name, f"{person.name} {verb} {best_statement.text.rstrip('.')}.", (best_statement,)
    )


def who_is_who(people: Iterable[Person], table: PeopleTable | None = None) -> list[WhoIs]:
    """Describe people; those with doubtful evidence are left out.

    Parameters
    ----------
    people
        People with all mentions in the input.
    table
        All people of the input: those without corroboration, or whose last name others share,
        are left out.

    Examples
    --------
    >>> who_is_who([])
    []
    """
    input_quotations = table.quotations if table else None
    answers = (
        who_is(person, quotations=input_quotations)
        for person in people
        if not (doubt_about(person, table) if table else person.unsure)
    )
    return [answer for answer in answers if answer is not None]


def named_in(people: Iterable[Person], sentences: Iterable[str]) -> list[Person]:
    """Return the people named in a text, in full or by a last name that is theirs alone."""
    persons = list(people)
    text = _without_extra_space(" ".join(sentences))
    last_name_counts = Counter(folded(person.last_name) for person in persons)
    named_people = []
    for person in persons:
        full_mentions = (mention for mention in person.mentions if mention.form == "full")
        names = {person.name, *(mention.name for mention in full_mentions)}
        if last_name_counts[folded(person.last_name)] == 1:
            names.add(person.last_name)
        if any(_without_extra_space(name) in text for name in names):
            named_people.append(person)
    return named_people


def _without_extra_space(text: str) -> str:
    return f" {' '.join(tokenize(folded(text), 'unicode'))} "
