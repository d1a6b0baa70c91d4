"""Small examples of `pyramidion.rewriting._people.chains`, worked by hand."""

from pyramidion.rewriting._people.chains import (
    gender,
    is_possessive,
    people_in,
    possessor_mark,
    pronouns,
    read_mention,
)
from pyramidion.rewriting._people.mention import Person
from pyramidion.rewriting._people.names import NameSpan
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord


def test_read_mention():
    words = [
        ParsedWord(w, w, t, 0, "dep", s)
        for w, t, s in [
            ("Irish", "ADJ", 0),
            ("flutist", "NOUN", 6),
            ("James", "PROPN", 14),
            ("Galway", "PROPN", 20),
        ]
    ]
    sentence = ParsedSentence("Irish flutist James Galway", tuple(words))
    assert read_mention(sentence, NameSpan(2, 3, 0, 2)).premodifier == "Irish flutist"


def test_is_possessive():
    words = [ParsedWord(text, text, "X", 0, "dep", at) for text, at in [("Orr", 0), ("'s", 3)]]
    assert is_possessive(words, 1)


def test_possessor_mark():
    words = [ParsedWord(text, text, "X", 0, "dep") for text in ("boys", "'")]
    assert possessor_mark(words, 1)


def test_gender():
    assert gender(Person("Mary Orr", "Orr", ())) == "female"


def test_pronouns():
    assert pronouns([], []) == []


def test_are_two():
    text = "Jo Lund, 30, sang. Sen. Jo Lund, 71, spoke. Ada Holm, 30, was there."
    assert [person.unsure for person in people_in(text, "light")] == [
        "two people may be called Jo Lund",
        "",
    ]
