"""Capitals in names of organizations, whatever parser tags them, and at the start of sentences."""

import pytest

from pyramidion.rewriting import bodies_in
from rewriting.status.people import sentence


@pytest.mark.parametrize(
    ("text", "tags", "bodies"),
    [
        # Inside a sentence, a capital is a part of a name as a verb, too.
        ("Ode left the Ardel Reform Party", {"Reform": "VERB"}, ["ardel reform party"]),
        # A verb or an adverb that opens a sentence is none; an adjective may be one.
        ("Join Ardel Reform Party", {"Join": "VERB"}, ["ardel reform party"]),
        ("Green Ardel Reform Party", {"Green": "ADJ"}, ["green ardel reform party"]),
        # Between the words of a name, at most two others.
        ("Ode left the University of the Ardel", {}, ["university of the ardel"]),
        ("Ode left the Ardel of Party", {}, []),
    ],
)
def test_words_of_an_organization(text, tags, bodies):
    assert [body.key for body in bodies_in(sentence(text, tags=tags))] == bodies
