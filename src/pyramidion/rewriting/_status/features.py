"""What references say about a person, and what summaries show: features and labels."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.rewriting._people.mention import Description, Mention, Person
from pyramidion.rewriting._status.bodies import bodies_in

#: The most frequent description words of the thesis' news corpus (section 5.2.4).
FREQUENT_DESCRIPTORS = [
    "president",
    "former",
    "spokesman",
    "sen",
    "dr",
    "chief",
    "coach",
    "attorney",
    "minister",
    "director",
    "gov",
    "rep",
    "leader",
    "secretary",
    "rev",
    "judge",
    "us",
    "general",
    "manager",
    "chairman",
]

#: Spellings of a descriptor that stand for it.
_SPELLINGS = {"senator": "sen", "governor": "gov", "representative": "rep", "reverend": "rev"}
_START, _NAME = "<s>", "</s>"
#: How many words a word's own frequency counts for beside the pairs that were seen.
_UNIGRAMS = 1.0


def description_words(mention: Mention) -> list[str]:
    """Give the words before a name in small letters, without dots.

    Parameters
    ----------
    mention
        A mention by name.

    Examples
    --------
    >>> from pyramidion.rewriting._articles import ParsedSentence
    >>> from pyramidion.text._parsing import ParsedWord
    >>> words = [ParsedWord("U.S.", "U.S.", "PROPN", 1, "modifier", 0),
    ...          ParsedWord("Sen.", "Sen.", "PROPN", 2, "title", 5),
    ...          ParsedWord("Ode", "Ode", "PROPN", 2, "root", 10)]
    >>> sentence = ParsedSentence("U.S. Sen. Ode", tuple(words))
    >>> description_words(Mention(sentence, 2, 2, "last", titles=1, external=1))
    ['us', 'sen']
    """
    words = mention.sentence.words[mention.premodified_first : mention.first]
    plain = (word.text.lower().replace(".", "") for word in words)
    return [word for word in plain if any(map(str.isalnum, word))]


def frequent_descriptors(words: Iterable[str]) -> set[str]:
    """Give the thesis' frequent description words among words.

    Examples
    --------
    >>> sorted(frequent_descriptors(["former", "senator", "flutist"]))
    ['former', 'sen']
    """
    return {_SPELLINGS.get(word, word) for word in words} & {*FREQUENT_DESCRIPTORS}


@dataclass(frozen=True)
class DescriptionModel:
    """How probable words before a name are: pairs of words, eased by the words' own frequency.

    Parameters
    ----------
    pairs
        How often each word followed each other in descriptions, as "word word"; ``<s>`` stands
        before the first word and ``</s>`` for the name.

    Examples
    --------
    >>> model = DescriptionModel.of_descriptions([["prime", "minister"], ["minister"], []])
    >>> model.log10(["minister"]) > model.log10(["flutist"])
    True
    """

    pairs: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for pair, number in self.pairs.items():
            if len(pair.split()) != 2 or not isinstance(number, int) or number < 1:
                raise InputError(
                    f"{pair!r}: {number!r} is no count of a pair of words",
                    hint='write "word word": number',
                )

    @classmethod
    def of_descriptions(cls, descriptions: Iterable[Sequence[str]]) -> "DescriptionModel":
        """Count pairs in descriptions, which are lists of words.

        Parameters
        ----------
        descriptions
            The words before each name; none for a bare name.
        """
        counts = Counter(pair for words in descriptions for pair in _pairs(words))
        return cls(dict(sorted(counts.items())))

    @cached_property
    def _before(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for pair, number in self.pairs.items():
            found[pair.split()[0]] += number
        return found

    @cached_property
    def _after(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for pair, number in self.pairs.items():
            found[pair.split()[1]] += number
        return found

    def log10(self, words: Sequence[str]) -> float:
        """Give the logarithm of a description's probability.

        Parameters
        ----------
        words
            The words before a name, as `description_words` gives them.
        """
        return math.fsum(math.log10(self._probability(pair)) for pair in _pairs(words))

    def _probability(self, pair: str) -> float:
        before, after = pair.split()
        # One more word than was seen shares what is left, so that nothing is impossible.
        single = (self._after[after] + 1) / (sum(self._after.values()) + len(self._after) + 1)
        together = self.pairs.get(pair, 0) + _UNIGRAMS * single
        return together / (self._before[before] + _UNIGRAMS)


def _pairs(words: Sequence[str]) -> list[str]:
    chain = [_START, *words, _NAME]
    return [f"{before} {after}" for before, after in pairwise(chain)]


_ATTACHED = ("apposition", "relative clause")
_SALIENT, _OTHER = "s", "n"


@dataclass(frozen=True, slots=True)
class Labels:
    """What summaries show of a person.

    Parameters
    ----------
    summaries
        How many there are.
    named
        How many of them name the person.
    old_forms
        How many name the person first as somebody whom readers know, see `short_form`; nothing
        where forms were not looked at.
    described
        How many have an apposition or relative clause at the first mention.
    known
        What an annotator says instead of the forms in summaries, if one did.

    Examples
    --------
    >>> labels = Labels(4, named=3, old_forms=2)
    >>> labels.major, labels.hearer_old
    (True, True)
    """

    summaries: int
    named: int = 0
    old_forms: int | None = 0
    described: int = 0
    known: bool | None = None

    @property
    def major(self) -> bool:
        """Whether at least one summary names the person."""
        return self.named > 0

    @property
    def hearer_old(self) -> bool | None:
        """Whether most of those who name the person use a short form; nothing if nobody does."""
        if self.known is not None or self.old_forms is None:
            return self.known
        return 2 * self.old_forms > self.named if self.named else None

    @property
    def postmodified(self) -> bool | None:
        """Whether at least one describes the person after the name; nothing if nobody names."""
        return self.described > 0 if self.named else None


def short_form(mention: Mention) -> bool:
    """Tell whether a first mention takes a person for known.

    It does if it is a title or role and the last name, or the bare full name, and nothing follows
    (section 5.2.3). A country or organization before the title is an introduction.

    Parameters
    ----------
    mention
        The first mention of a text.

    Examples
    --------
    >>> from pyramidion.rewriting._articles import ParsedSentence
    >>> from pyramidion.text._parsing import ParsedWord
    >>> words = (ParsedWord("President", "president", "PROPN", 1, "title", 0),
    ...          ParsedWord("Ode", "Ode", "PROPN", 1, "root", 10))
    >>> sentence = ParsedSentence("President Ode", words)
    >>> short_form(Mention(sentence, 1, 1, "last", titles=1))
    True
    >>> short_form(Mention(sentence, 1, 1, "last"))
    False
    """
    if mention.post != "none":
        return False
    if mention.form == "full":
        return not mention.premodifiers and not mention.opening
    return mention.form == "last" and _titled(mention)


def _titled(mention: Mention) -> bool:
    """Tell whether nothing but a title or role stands before a name; *her friend* is neither."""
    before = range(mention.premodified_first, mention.first)
    bodies = bodies_in(mention.sentence, beside=before)
    return bool(before) and not mention.opening and not any(own.first in before for own in bodies)


def summary_labels(person: Person, summaries: Sequence[str]) -> Labels:
    """Label a person from summaries (section 5.2.3).

    Parameters
    ----------
    person
        Somebody, with all mentions in the summaries, perhaps among others.
    summaries
        The ids under which the summaries were parsed.

    Examples
    --------
    >>> summary_labels(Person("Ode", "Ode", ()), ["A", "B"]).major
    False
    """
    chains = [person.in_document(id) for id in summaries]
    first = [chain[0] for chain in chains if chain]
    heads = [_first_head(chain) for chain in chains if chain]
    return Labels(
        summaries=len(summaries),
        named=len(first),
        old_forms=sum(short_form(mention) for mention in heads if mention is not None),
        described=sum(mention.post in _ATTACHED for mention in heads if mention is not None),
    )


def _first_head(chain: Iterable[Mention]) -> Mention | None:
    """Give the first mention that is about the person, not about *the Bush administration*."""
    return next((mention for mention in chain if mention.head), None)


def gum_labels(salience: str, status: str) -> Labels:
    """Label a person from GUM's annotation of the first mention.

    Parameters
    ----------
    salience
        A letter for each summary: ``s`` if it mentions the person, ``n`` if not; later mentions
        may have an underscore for summaries that only the first one counts for.
    status
        Information status: ``acc:com`` is known to everybody, ``new`` is new; others say neither.

    Examples
    --------
    >>> labels = gum_labels("ssnnn", "new")
    >>> labels.major, labels.named, labels.hearer_old
    (True, 2, False)
    """
    if not salience or set(salience) - {_SALIENT, _OTHER, "_"}:
        raise InputError(f"{salience!r} is no salience", hint="give letters s and n")
    known = {"acc:com": True, "new": False}.get(status)
    return Labels(len(salience), named=salience.count(_SALIENT), old_forms=None, known=known)


#: The features: 0 to 18 in the order of Table 5.1, where "per document" means divided by feature
#: 16; and the share of first mentions that take the person for known, see `short_form`.
FEATURES = (
    "references",
    "references per document",
    "appositions",
    "appositions per document",
    "relative clauses",
    "relative clauses per document",
    "later names",
    "copulas",
    "copulas per document",
    "descriptions",
    "descriptions per document",
    "mean bigram probability",
    "greatest bigram probability",
    "least bigram probability",
    "frequent descriptors",
    "full first names",
    "documents",
    "described first names",
    "described first names per document",
    "short first names",
)

#: The numbers of those that Table 5.1 has.
THESIS = tuple(range(19))

Kind = Literal["apposition", "relative clause", "copula"]


def person_features(person: Person, model: DescriptionModel | None = None) -> Floats:
    """Give the features of a person.

    Numbers are those of Table 5.1. The probabilities (11 to 13) are logarithms to the base 10.
    A later name (6) is one after the first of its document.

    Parameters
    ----------
    person
        Somebody, with all mentions in the documents of an input.
    model
        How probable words before a name are; without it every description is as probable as
        any other of as many words.

    Examples
    --------
    >>> from pyramidion.rewriting._articles import ParsedSentence
    >>> from pyramidion.text._parsing import ParsedWord
    >>> word = ParsedWord("Ode", "Ode", "PROPN", 0, "root")
    >>> texts = [ParsedSentence("Ode", (word,), name, 0) for name in ("d1", "d2")]
    >>> ode = Person("Ode", "Ode", tuple(Mention(text, 0, 0, "last") for text in texts))
    >>> found = dict(zip(FEATURES, person_features(ode).tolist()))
    >>> found["references"], found["references per document"], found["documents"]
    (2.0, 1.0, 2.0)
    """
    documents = len(person.documents)
    initial = person.initial()
    pronouns = sum(own.kind == "pronoun" for own in person.descriptions)
    references = len(person.mentions) + pronouns
    appositions, clauses, copulas = (
        len(descriptions_of(person, kind)) for kind in ("apposition", "relative clause", "copula")
    )
    described = sum(mention.post in _ATTACHED for mention in initial)
    totals = [references, appositions, clauses, copulas, appositions + clauses + copulas, described]
    each = [total / max(documents, 1) for total in totals]
    return np.array(
        [
            *(totals[0], each[0], totals[1], each[1], totals[2], each[2]),
            len(person.mentions) - documents,
            *(totals[3], each[3], totals[4], each[4]),
            *_probabilities(initial, model or DescriptionModel()),
            len(frequent_descriptors(word for own in initial for word in description_words(own))),
            sum(mention.form == "full" for mention in initial) / max(documents, 1),
            documents,
            *(totals[5], each[5]),
            sum(map(short_form, initial)) / max(documents, 1),
        ],
        dtype=np.float64,
    )


def feature_table(people: Iterable[Person], model: DescriptionModel | None = None) -> Floats:
    """Give the features of people, a row for each.

    Examples
    --------
    >>> feature_table([]).shape
    (0, 20)
    """
    rows = [person_features(person, model) for person in people]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(FEATURES))


def descriptions_of(person: Person, kind: Kind) -> list[Description]:
    """Give what is said of a person in appositions, relative clauses or copulas.

    What follows a name counts whether it is among the mentions, the descriptions or both.

    Parameters
    ----------
    person
        Somebody.
    kind
        Which of them.

    Examples
    --------
    >>> descriptions_of(Person("Ode", "Ode", ()), "copula")
    []
    """
    there = [own for own in person.descriptions if own.kind == kind]
    return there + [
        Description(kind, mention.sentence, mention.post_first, mention.post_last)
        for mention in person.mentions
        if mention.post == kind and not any(_overlap(mention, own) for own in there)
    ]


def _overlap(mention: Mention, other: Description) -> bool:
    here, there = mention.sentence, other.sentence
    same = (here.document, here.index) == (there.document, there.index)
    return same and other.first <= mention.post_last and mention.post_first <= other.last


def _probabilities(initial: Sequence[Mention], model: DescriptionModel) -> tuple[float, ...]:
    logs = [model.log10(description_words(mention)) for mention in initial]
    return (sum(logs) / len(logs), max(logs), min(logs)) if logs else (0.0, 0.0, 0.0)
