"""People with mentions made by hand or by chance, for tests of sequences."""

import numpy as np

from pyramidion.rewriting import Mention, Person, published_chain
from pyramidion.studies._references.measure import PeopleFound
from pyramidion.text import ParsedSentence

FORMS = {"f": "full", "l": "last", "n": "nickname"}


def mention(code, document="d1", index=0):
    """Make a mention of a code: form, number of premodifiers, and letters.

    ``a``, ``p``, ``r`` and ``o`` stand for an apposition, a prepositional phrase, a relative
    clause and others after the name, ``-`` for a name that is not the head: ``f2a``, ``l0-``.
    """
    posts = {"a": "apposition", "p": "prepositional", "r": "relative clause", "o": "other"}
    kinds = [posts[letter] for letter in code[2:] if letter in posts]
    return Mention(
        ParsedSentence("", (), document, index),
        0,
        0,
        FORMS[code[0]],
        external=int(code[1]),
        post=kinds[0] if kinds else "none",
        head="-" not in code,
    )


def person(codes_by_document, name="Lee"):
    """Make a person of codes with spaces between them, for each document."""
    mentions = [
        mention(code, document, index)
        for document, codes in codes_by_document.items()
        for index, code in enumerate(codes.split())
    ]
    return Person(f"Ann {name}", name, tuple(mentions))


def simulated(documents, *, people=4, seed=0, steps=None):
    """Draw people of documents from the thesis's chains, or name forms from other steps.

    `steps` gives the distribution of the name's form from the number of the mention and the form
    before it.
    """
    rng = np.random.default_rng(seed)
    chains = [published_chain(name) for name in ("name form", "premodifiers", "postmodification")]
    ids = [f"T/d{number}" for number in range(documents)]
    persons = []
    for id in ids:
        for number in range(people):
            states, codes = [], []
            for position in range(rng.integers(1, 8)):
                rows = [
                    chain.transitions[state] if position else chain.initial
                    for chain, state in zip(chains, states or (0, 0, 0), strict=True)
                ]
                if steps is not None:
                    rows[0] = np.array(steps(position, states[0] if states else -1))
                states = [int(rng.choice(len(row), p=row)) for row in rows]
                codes.append(f"{'fln'[states[0]]}{states[1]}{('a', '', 'p', 'r', 'o')[states[2]]}")
            persons.append(person({id: " ".join(codes)}, f"Lee{number}"))
    return PeopleFound(tuple(persons), tuple(ids))
