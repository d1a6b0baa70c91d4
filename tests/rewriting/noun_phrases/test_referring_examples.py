"""Small examples of `pyramidion.rewriting._noun_phrases.referring`, worked by hand."""

from pyramidion.rewriting._articles import ParsedSentence
from pyramidion.rewriting._noun_phrases.phrases import NounPhrase, maximum_phrases
from pyramidion.rewriting._noun_phrases.referring import (
    Referring,
    content,
    contradict,
    is_courtesy,
    is_role,
    is_title,
    referring,
    tells_office,
)
from pyramidion.text._parsing import ParsedWord


def test_is_courtesy():
    assert (is_courtesy("Ms."), is_courtesy("Dr.")) == (True, False)


def test_is_role():
    assert (is_role("Analyst"), is_role("Governor")) == (True, False)


def test_is_title():
    assert (is_title("Sen."), is_title("prosecutor"), is_title("Maren")) == (True, True, False)


def test_tells_office():
    assert (tells_office(["Water", "Minister"]), tells_office(["trumpeter"])) == (True, True)
    assert not (tells_office(["Lt.", "Col."]))


def test_content():
    assert content("the burning boats of the line") == ("burn", "boat", "line")


def test_referring():
    the = ParsedWord("the", "the", "DET", 2, "determiner", 0)
    rail = ParsedWord("rail", "rail", "NOUN", 2, "modifier", 4)
    depot = ParsedWord("depot", "depot", "NOUN", 2, "root", 9)
    own = referring(maximum_phrases(ParsedSentence("the rail depot", (the, rail, depot)))[0])
    assert (own.noun, sorted(own.adjectives)) == ("depot", ["rail"])


def test_contradict():
    phrase = NounPhrase(ParsedSentence("", ()), 0, 0, 0, 0, "definite")
    first = Referring(phrase, "blast", adjectives=frozenset({"first"}))
    second = Referring(phrase, "blast", adjectives=frozenset({"second"}))
    assert (contradict(first, second), contradict(first, first)) == (True, False)
