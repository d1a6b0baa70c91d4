"""Small examples of `pyramidion.rewriting._people.document_people`, worked by hand."""

from collections import Counter

from pyramidion.rewriting._people.document_people import (
    DocumentPeople,
    Known,
    Sighting,
    called,
    sightings,
    without_epithets,
)
from pyramidion.rewriting._people.names import NameSpan, read_name
from pyramidion.text import ParsedSentence


def test_sighting():
    assert Sighting(ParsedSentence("", ()), NameSpan(0, 1, 0, 0), "Ann Orr").name.last == "Orr"


def test_sightings():
    assert sightings([ParsedSentence("", ())]) == []


def test_roster():
    assert DocumentPeople([]).people == []


def test_without_epithets():
    assert without_epithets([]) == []


def test_called():
    assert called(Known(read_name("Ann Orr"), Counter({"Ann Orr": 1})), []) == "Orr"
