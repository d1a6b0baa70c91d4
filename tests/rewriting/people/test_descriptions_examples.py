"""Small examples of `pyramidion.rewriting._people.descriptions`, worked by hand."""

from pyramidion.rewriting._people.chains import people_in
from pyramidion.rewriting._people.descriptions import (
    apposition_close,
    apposition_end,
    apposition_may_follow,
    clause_end,
    copula_of,
    described,
    goes_on,
    in_adjectives,
    in_apposition,
    postmodifier,
    stacked,
)
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord


def test_clause_end():
    tags = [
        ("who", "PRON", "WP"),
        ("won", "VERB", "VBD"),
        (",", "PUNCT", ","),
        ("left", "VERB", "VBD"),
    ]
    assert clause_end([ParsedWord(w, w, t, 0, "dep", 0, f) for w, t, f in tags], 0) == 1


def test_goes_on():
    assert goes_on([ParsedWord("won", "win", "VERB", 0, "root", 0, "VBD")], 0)


def test_apposition_close():
    tags = [("a", "DET"), ("nurse", "NOUN"), (",", "PUNCT"), ("left", "VERB")]
    assert apposition_close([ParsedWord(w, w, t, 0, "dep") for w, t in tags], 0) == 1


def test_in_adjectives():
    tags = [("a", "DET"), ("quiet", "ADJ"), (",", "PUNCT"), ("patient", "ADJ")]
    assert in_adjectives([ParsedWord(w, w, t, 0, "dep") for w, t in tags], 0, 2)


def test_postmodifier():
    text = "Ann Orr, 54, won."
    words = [ParsedWord(w, w, "X", 0, "dep", text.index(w)) for w in ["Ann", "Orr"]]
    words += [
        ParsedWord(w, w, "X", 0, "dep", s)
        for w, s in [(",", 7), ("54", 9), (",", 11), ("won", 13), (".", 16)]
    ]
    assert postmodifier(ParsedSentence(text, tuple(words)), 2) == ("apposition", 3, 3)


def test_stacked():
    text = "Ann Orr, 54, won."
    places = [("Ann", 0), ("Orr", 4), (",", 7), ("54", 9), (",", 11), ("won", 13), (".", 16)]
    words = tuple(ParsedWord(word, word, "X", 0, "dep", start) for word, start in places)
    assert stacked(ParsedSentence(text, words), 3) == [(3, 3)]


def test_apposition_end():
    text = "Ann Orr, 54, won."
    places = [("Ann", 0), ("Orr", 4), (",", 7), ("54", 9), (",", 11), ("won", 13), (".", 16)]
    words = tuple(ParsedWord(word, word, "X", 0, "dep", start) for word, start in places)
    assert apposition_end(ParsedSentence(text, words), 3) == 3


def test_in_apposition():
    assert in_apposition(people_in("His lawyer, Rosa Vale, left.", "light")[0].mentions[0])


def test_apposition_may_follow():
    assert apposition_may_follow(people_in("Judge Rosa Vale left.", "light")[0].mentions[0])


def test_described():
    assert described(Person("Ann Orr", "Orr", ())).descriptions == ()


def test_copula_of():
    words = [
        ParsedWord(w, w, t, 0, "dep", s)
        for w, t, s in [
            ("Orr", "PROPN", 0),
            ("is", "AUX", 4),
            ("a", "DET", 7),
            ("nurse", "NOUN", 9),
        ]
    ]
    assert (
        copula_of(Mention(ParsedSentence("Orr is a nurse", tuple(words)), 0, 0, "last")).text
        == "a nurse"
    )
