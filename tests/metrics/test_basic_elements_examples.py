"""Small examples of `pyramidion.metrics._basic_elements`."""

from pyramidion.metrics._basic_elements import (
    BasicElements,
    basic_elements,
    parsed_elements,
    parser_for,
)
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.text.parsing import ParsedWord, load_parser


def test_basic_elements():
    rain = ParsedWord("Rain", "rain", "NOUN", 1, "subject")
    fell = ParsedWord("fell", "fall", "VERB", 1, "root")
    assert [(e.head, e.modifier, e.relation) for e in basic_elements([rain, fell])] == [
        ("fall", "rain", "subject"),
        ("rain", "nil", "nil"),
        ("fall", "nil", "nil"),
    ]


def test_parsed_elements():
    cases = ScoringBatch.of_texts(["Heavy rain fell."], [["Roads flooded."]])
    assert parsed_elements(cases, load_parser("light"))[0][0].head == "rain"


def test_parser_for():
    assert parser_for(BasicElements(), "light").name == "light"
