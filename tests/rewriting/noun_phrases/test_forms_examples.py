"""Small examples of `pyramidion.rewriting._noun_phrases.forms`, worked by hand."""

from pyramidion.rewriting._articles import ParsedSentence
from pyramidion.rewriting._noun_phrases.forms import (
    Form,
    LowercaseWords,
    forms_of,
    is_introduced,
    name_objection,
    raw_form,
)
from pyramidion.rewriting._noun_phrases.phrases import NounPhrase
from pyramidion.rewriting._noun_phrases.referring import Context, Referring
from pyramidion.text._parsing import ParsedWord


def test_lowercase_words():
    words = [
        ParsedWord("Analyst", "analyst", "NOUN", 1, "title"),
        ParsedWord("Korda", "Korda", "PROPN", 1, "root"),
    ]
    assert LowercaseWords().small(words)


def test_form():
    phrase = NounPhrase(ParsedSentence("", ()), 0, 0, 0, 0, "definite")
    assert Form("the ferry", Referring(phrase, "ferry")).words == ("ferri",)


def test_forms_of():
    assert forms_of([]) == []


def test_raw_form():
    rain = ParsedWord("Rain", "rain", "NOUN", 0, "root")
    phrase = NounPhrase(ParsedSentence("Rain", (rain,)), 0, 0, 0, 0, "bare")
    assert raw_form(Referring(phrase, "rain")).text == "Rain"


def test_name_objection():
    phrase = NounPhrase(ParsedSentence("", ()), 0, -1, 0, -1, "name")
    full, last = Referring(phrase, "", ("Ilse", "Korda")), Referring(phrase, "", ("Korda",))
    assert (
        name_objection(Form("Korda", last), Context(full))
        == "the name is shortened before it was read"
    )


def test_is_introduced():
    phrase = NounPhrase(ParsedSentence("", ()), 0, -1, 0, -1, "name")
    assert is_introduced(Referring(phrase, "ferry", ("Maren", "Star")))
