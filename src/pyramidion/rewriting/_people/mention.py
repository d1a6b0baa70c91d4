"""Mentions of people: how a text refers to somebody, taken apart."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pyramidion.text import ParsedSentence

#: How a name is given: first and last name (perhaps with a middle name or initial), the last name
#: alone, or the first name (or a nickname) alone.
NameForm = Literal["full", "last", "nickname"]

#: What follows the name.
Postmodification = Literal["none", "apposition", "prepositional", "relative clause", "other"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun phrase with a person's name, taken apart; places are numbers of words.

    Parameters
    ----------
    sentence
        Where it stands.
    first, last
        The name: its first and last word, without a possessive 's.
    form
        How the name is given.
    middle
        Whether a full name has a middle name or initial.
    titles
        How many words right before the name are titles: capitalized words that conventionally
        go with a name (*Sen.*, *Prime Minister*).
    external
        How many premodifying words stand before those (*former Treasury* before *Secretary*,
        *Irish flutist*). A determiner or possessor that opens the phrase is not counted.
    opening
        How many words before those belong to the phrase but describe nobody: a determiner,
        a possessor (*the*, *her*, *Italy's*).
    post
        What follows the name.
    post_first, post_last
        The first and last word of that (commas around it not counted); -1 for none.
    head
        Whether the name is the head of its phrase; not in *the Bush administration*.
    possessive
        Whether it possesses something: *Prodi's coalition*.

    Examples
    --------
    >>> from pyramidion.text import load_parser
    >>> words = load_parser("light").parse(["Sen. Mary Landrieu won."])[0]
    >>> sentence = ParsedSentence("Sen. Mary Landrieu won.", tuple(words), "d1", 0)
    >>> mention = Mention(sentence, 1, 2, "full", titles=1)
    >>> mention.name, mention.premodifier, mention.premodifiers
    ('Mary Landrieu', 'Sen.', 1)
    """

    sentence: ParsedSentence
    first: int
    last: int
    form: NameForm
    middle: bool = False
    titles: int = 0
    external: int = 0
    opening: int = 0
    post: Postmodification = "none"
    post_first: int = -1
    post_last: int = -1
    head: bool = True
    possessive: bool = False

    @property
    def name(self) -> str:
        """The name as it stands there."""
        return self.sentence.between(self.first, self.last)

    @property
    def premodifiers(self) -> int:
        """How many words premodify the name: titles and external ones."""
        return self.titles + self.external

    @property
    def premodified_first(self) -> int:
        """The first premodifying word, or the name's first if there is none."""
        return self.first - self.premodifiers

    @property
    def phrase_first(self) -> int:
        """The first word of the phrase, a determiner or possessor included."""
        return self.premodified_first - self.opening

    @property
    def premodifier(self) -> str:
        """The premodifying words, without a determiner or possessor."""
        if not self.premodifiers:
            return ""
        return self.sentence.between(self.premodified_first, self.first - 1)

    @property
    def postmodifier(self) -> str:
        """What follows the name, without the commas around it."""
        if self.post_first < 0:
            return ""
        return self.sentence.between(self.post_first, self.post_last)

    @property
    def modified(self) -> bool:
        """Whether anything premodifies or postmodifies the name."""
        return self.premodifiers > 0 or self.post != "none"


@dataclass(frozen=True, slots=True)
class Description:
    """What a text says about a person without the name, or around it.

    Parameters
    ----------
    kind
        ``pronoun`` (*he*, *her*), ``apposition``, ``relative clause`` or ``copula`` (*X is a
        physicist*): PR, AP, RC and IS of Figure 5.12.
    sentence, first, last
        Where it stands; both words belong to it.

    Examples
    --------
    >>> Description("pronoun", ParsedSentence("", (), "d1", 4), 0, 0).kind
    'pronoun'
    """

    kind: Literal["pronoun", "apposition", "relative clause", "copula"]
    sentence: ParsedSentence
    first: int
    last: int

    @property
    def text(self) -> str:
        """The words."""
        return self.sentence.between(self.first, self.last)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, with all mentions and descriptions in the order of the documents.

    Parameters
    ----------
    name
        The fullest name without titles: first and last name where both are known.
    last_name
        What later mentions are called by.
    mentions
        All mentions by name.
    descriptions
        Pronouns, appositions, relative clauses and copulas.
    unsure
        Why it is not certain that all are one person, if it is not: for instance because
        another person has the same last name.

    Examples
    --------
    >>> Person("Mary Landrieu", "Landrieu", ()).unsure
    ''
    """

    name: str
    last_name: str
    mentions: tuple[Mention, ...]
    descriptions: tuple[Description, ...] = field(default=())
    unsure: str = ""

    @property
    def documents(self) -> tuple[str, ...]:
        """The ids of the documents that name the person."""
        return tuple(dict.fromkeys(mention.sentence.document for mention in self.mentions))

    def in_document(self, document: str) -> Sequence[Mention]:
        """Return the mentions of one document, in their order: a chain."""
        return [mention for mention in self.mentions if mention.sentence.document == document]

    def described_by(
        self, kind: Literal["apposition", "relative clause", "copula"]
    ) -> list[Description]:
        """Return the descriptions of a kind, and those that follow a mention, each once."""
        descriptions = [
            description for description in self.descriptions if description.kind == kind
        ]

        def is_known(mention: Mention) -> bool:
            key = mention.sentence.document, mention.sentence.index
            return any(
                (description.sentence.document, description.sentence.index) == key
                and description.first <= mention.post_last
                and mention.post_first <= description.last
                for description in descriptions
            )

        return descriptions + [
            Description(kind, mention.sentence, mention.post_first, mention.post_last)
            for mention in self.mentions
            if mention.post == kind and not is_known(mention)
        ]

    def initial(self) -> list[Mention]:
        """Return the first mention of each document."""
        return [self.in_document(document)[0] for document in self.documents]
