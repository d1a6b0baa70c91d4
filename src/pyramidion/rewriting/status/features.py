"""What the form of references says about a person: the features of Table 5.1, and one more."""

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from pyramidion._types import Floats
from pyramidion.rewriting.people.mention import Description, Mention, Person
from pyramidion.rewriting.status.descriptors import (
    DescriptionModel,
    description_words,
    frequent_descriptors,
)
from pyramidion.rewriting.status.labels import short_form

__all__ = ["FEATURES", "THESIS", "descriptions_of", "feature_table", "person_features"]

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
_ATTACHED = ("apposition", "relative clause")


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
    >>> from pyramidion.rewriting.articles import ParsedSentence
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
