"""Small examples of `pyramidion.rewriting._people.document_people`, worked by hand."""

from collections import Counter

from pyramidion.rewriting._articles import ParsedSentence
from pyramidion.rewriting._people.chains import people_in
from pyramidion.rewriting._people.document_people import (
    Known,
    Roster,
    Sighting,
    called,
    is_called_a_body,
    is_introduced_as_relative,
    is_related,
    is_relative,
    names_kin,
    names_relation,
    only_relatives,
    relatives_among,
    shares_surname,
    sightings,
    things_among,
    title_words,
    titles_of,
    without_epithets,
)
from pyramidion.rewriting._people.names import NameSpan, read_name
from pyramidion.text._parsing import ParsedWord


def test_sighting():
    assert Sighting(ParsedSentence("", ()), NameSpan(0, 1, 0, 0), "Ann Orr").name.last == "Orr"


def test_sightings():
    assert sightings([ParsedSentence("", ())]) == []


def test_roster():
    assert Roster([]).people == []


def test_names_relation():
    assert names_relation([ParsedWord("father", "father", "NOUN", 0, "dep")])


def test_names_kin():
    words = [ParsedWord(text, text, "X", 0, "dep") for text in ["a", "mother", "of", "three"]]
    assert (names_kin(words), names_kin(words[:2])) == (False, True)


def test_is_related():
    words = [ParsedWord(text, text, "X", 0, "dep") for text in ["Ann", "Orr", ",", "his", "wife"]]
    assert is_related(words, 0, 1)


def test_is_relative():
    assert is_relative(people_in("His wife, Rosa Vale, left.", "light")[0].mentions[0])


def test_titles_of():
    assert dict(titles_of(Roster([]), [])) == {}


def test_relatives_among():
    assert relatives_among(Roster([]), []) == set()


def test_things_among():
    assert things_among(Roster([]), []) == set()


def test_is_called_a_body():
    text = "Orr , the law firm , won"
    words = tuple(ParsedWord(word, word, "X", 0, "dep") for word in text.split())
    assert is_called_a_body(Sighting(ParsedSentence(text, words), NameSpan(0, 0, 0, 0), "Orr"))


def test_only_relatives():
    assert not (only_relatives([], [], set()))


def test_shares_surname():
    assert shares_surname(Known(read_name("Ann Orr")), [Known(read_name("Tom Orr"))])


def test_title_words():
    assert title_words(Sighting(ParsedSentence("", ()), NameSpan(0, 0, 0, 0), "Orr")) == set()


def test_is_introduced_as_relative():
    words = tuple(ParsedWord(text, text, "X", 0, "dep") for text in ("wife", "Ann", "Orr"))
    own = Sighting(ParsedSentence("wife Ann Orr", words), NameSpan(1, 2, 0, 1), "Ann Orr")
    assert is_introduced_as_relative(own)


def test_without_epithets():
    assert without_epithets([]) == []


def test_called():
    assert called(Known(read_name("Ann Orr"), Counter({"Ann Orr": 1})), []) == "Orr"
