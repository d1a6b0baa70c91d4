"""Small examples of `pyramidion.rewriting._status.model`, worked by hand."""

import numpy as np

from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._status.model import Linear, Tree, territory_of
from pyramidion.studies._affiliations import affiliations_in, can_postmodify
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord


def test_linear():
    model = Linear((0,), (2.0,), (1.0,), (3.0,), 0.0)
    assert model.probabilities(np.array([[2.0, 7.0], [4.0, 7.0]])).round(3).tolist() == [0.5, 0.998]


def test_tree():
    model = Tree((0, -1, -1), (2.5, 0.0, 0.0), (1, 0, 0), (2, 0, 0), (0.4, 0.1, 0.9))
    assert model.probabilities(np.array([[2.0], [3.0]])).tolist() == [0.1, 0.9]


def test_affiliations_in():
    words = (
        ParsedWord("Soviet", "soviet", "ADJ", 2, "modifier", 0),
        ParsedWord("President", "president", "PROPN", 2, "title", 7),
        ParsedWord("Ode", "Ode", "PROPN", 2, "root", 17, "NNP", "person", True),
    )
    sentence = ParsedSentence("Soviet President Ode", words)
    assert affiliations_in(Mention(sentence, 2, 2, "last", titles=1, external=1)) == [
        "soviet union"
    ]


def test_territory_of():
    words = (
        ParsedWord("Ardmere", "ardmere", "PROPN", 2, "modifier", 0),
        ParsedWord("Gov.", "gov.", "PROPN", 2, "title", 8),
        ParsedWord("Ode", "Ode", "PROPN", 2, "root", 13),
    )
    assert (
        territory_of(
            Mention(ParsedSentence("Ardmere Gov. Ode", words), 2, 2, "last", titles=1, external=1)
        )
        == "ardmere"
    )


def test_can_postmodify():
    assert not (can_postmodify(Person("Ode", "Ode", ())))
