"""Small examples of `pyramidion.rewriting._status.bodies`, worked by hand."""

from pyramidion.rewriting._status.bodies import (
    bodies_in,
    body_key,
    country_names,
    is_organization_word,
    plain_name,
)
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord


def test_country_names():
    assert (country_names()["us"], country_names()["britain"]) == (
        "united states",
        "united kingdom",
    )


def test_plain_name():
    assert plain_name("U.S.") == "us"


def test_body_key():
    assert (body_key("the U.S."), body_key("Narrows Line Inc."), body_key("Britain's")) == (
        "united states",
        "narrows line",
        "united kingdom",
    )


def test_is_organization_word():
    assert (is_organization_word("Party"), is_organization_word("party")) == (True, False)


def test_bodies_in():
    words = (
        ParsedWord("English", "english", "ADJ", 1, "modifier", 0),
        ParsedWord("voters", "voter", "NOUN", 1, "root", 8),
    )
    assert [body.key for body in bodies_in(ParsedSentence("English voters", words))] == ["england"]
