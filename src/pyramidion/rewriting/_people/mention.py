"""Mentions of people, and the parts of a mention."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pyramidion.rewriting._word_lists import bare
from pyramidion.text import ParsedSentence

#: First and last name (perhaps with a middle name or initial), the last name alone, or the first
#: name (or a nickname) alone.
NameForm = Literal["full", "last", "nickname"]

#: What follows the name.
Postmodification = Literal["none", "apposition", "prepositional", "relative clause", "other"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun phrase with a person's name, and its parts as indices of words.

    Parameters
    ----------
    sentence
        The sentence that contains the mention.
    first, last
        The first and last word of the name, without a possessive 's.
    form
        The form of the name.
    middle
        Whether a full name has a middle name or initial.
    titles
        Number of titles right before the name (*Sen.*, *Prime Minister*).
    external
        Number of premodifiers before the titles (*former Treasury* before *Secretary*,
        *Irish flutist*), without a determiner or possessor.
    opening
        Number of words of a determiner or possessor before those (*the*, *her*, *Italy's*).
    post
        The kind of postmodifier.
    post_first, post_last
        The first and last word of the postmodifier, without commas; -1 for none.
    head
        Whether the name is the head of its phrase; not in *the Bush administration*.
    possessive
        Whether the name is a possessor: *Prodi's coalition*.

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
        """The text of the name."""
        return self.sentence.between(self.first, self.last)

    @property
    def premodifiers(self) -> int:
        """The number of titles and other premodifiers."""
        return self.titles + self.external

    @property
    def premodified_first(self) -> int:
        """The first premodifier, or the first word of the name."""
        return self.first - self.premodifiers

    @property
    def phrase_first(self) -> int:
        """The first word of the phrase, including a determiner or possessor."""
        return self.premodified_first - self.opening

    @property
    def premodifier(self) -> str:
        """The text of the premodifiers, without a determiner or possessor."""
        if not self.premodifiers:
            return ""
        return self.sentence.between(self.premodified_first, self.first - 1)

    @property
    def title_words(self) -> set[str]:
        """The words of the premodifiers, without full stops."""
        return {bare(word) for word in self.premodifier.split()}

    @property
    def postmodifier(self) -> str:
        """The text of the postmodifier, without the commas around it."""
        if self.post_first < 0:
            return ""
        return self.sentence.between(self.post_first, self.post_last)

    @property
    def modified(self) -> bool:
        """Whether the name is premodified or postmodified."""
        return self.premodifiers > 0 or self.post != "none"


@dataclass(frozen=True, slots=True)
class Description:
    """A pronoun, or a description of a person next to the name.

    Parameters
    ----------
    kind
        ``pronoun`` (*he*, *her*), ``apposition``, ``relative clause`` or ``copula`` (*X is a
        physicist*): PR, AP, RC and IS of Figure 5.12.
    sentence, first, last
        The sentence, and the first and last word.

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
        """The words of the description."""
        return self.sentence.between(self.first, self.last)


@dataclass(frozen=True, slots=True)
class Person:
    """A person with all mentions and descriptions, in document order.

    Parameters
    ----------
    name
        The fullest name without titles.
    last_name
        The last name, as used in later mentions.
    mentions
        All mentions by name.
    descriptions
        Pronouns, appositions, relative clauses and copulas.
    unsure
        Why the mentions may not all refer to one person; empty if there is no doubt.

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
        """Return the mentions in a document: a chain."""
        return [mention for mention in self.mentions if mention.sentence.document == document]

    def described_by(
        self, kind: Literal["apposition", "relative clause", "copula"]
    ) -> list[Description]:
        """Return the descriptions of a kind, including postmodifiers of mentions, each once."""
        descriptions = [phrase for phrase in self.descriptions if phrase.kind == kind]

        def is_known(mention: Mention) -> bool:
            return any(
                phrase.sentence.key == mention.sentence.key
                and phrase.first <= mention.post_last
                and mention.post_first <= phrase.last
                for phrase in descriptions
            )

        return descriptions + [
            Description(kind, mention.sentence, mention.post_first, mention.post_last)
            for mention in self.mentions
            if mention.post == kind and not is_known(mention)
        ]

    def initial(self) -> list[Mention]:
        """Return the first mention of each document."""
        return [self.in_document(document)[0] for document in self.documents]
