"""What a parser makes of texts: statements, their parts, and labels that can be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError
from pyramidion.pyramid import build_pyramid
from pyramidion.text import is_stop_word

WORDS = [
    "ice",
    "melts",
    "the",
    "ferry",
    "who",
    "and",
    "to",
    "burned",
    "10",
    "people",
    ",",
    "in",
    ".",
]


def statements(text):
    """Return the parts and the label of each statement: the units of a pyramid of one text."""
    scus = build_pyramid({"A": text}).scus
    return [([part.label for part in scu.contributors[0].parts], scu.label) for scu in scus]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Inspectors had noted 11 faults in January but allowed the ship to sail.",
            [
                (["Inspectors had noted 11 faults"], "Inspectors had noted 11 faults"),
                (["in January"], "Inspectors had noted 11 faults in January"),
                (
                    ["Inspectors", "allowed the ship to sail"],
                    "Inspectors allowed the ship to sail",
                ),
            ],
        ),
        (
            "The fire started on the car deck because a 10-year-old cable failed.",
            [
                (["The fire started on the car deck"], "The fire started on the car deck"),
                (["because a 10-year-old cable failed"], "A 10-year-old cable failed"),
            ],
        ),
        (
            "A bomb exploded in Oslo, killing seven workers.",
            [
                (["A bomb exploded"], "A bomb exploded"),
                (["in Oslo"], "A bomb exploded in Oslo"),
                (["A bomb", "killing seven workers"], "A bomb exploded, killing seven workers"),
            ],
        ),
        (
            "The ship may not sail before its equipment is tested.",
            [
                (["The ship may not sail"], "The ship may not sail"),
                (
                    ["before its equipment is tested"],
                    "The ship may not sail before its equipment is tested",
                ),
            ],
        ),
        (
            "A night ferry, the Maren Star, burned in the Ardel Strait.",
            [
                (["A night ferry"], "A night ferry"),
                (["the Maren Star"], "A night ferry is the Maren Star"),
                (
                    ["A night ferry", "burned in the Ardel Strait"],
                    "A night ferry burned in the Ardel Strait",
                ),
            ],
        ),
    ],
)
def test_predicates_modifiers_and_appositions(text, expected):
    assert statements(text) == expected


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=25).map(" ".join))
def test_every_content_word_is_in_a_statement(text):
    content = {word for word in text.split() if word.isalnum() and not is_stop_word(word)}
    if not content:
        with pytest.raises(InputError, match="the references have no words"):
            build_pyramid({"A": text})
        return
    covered = " ".join(part for parts, _ in statements(text) for part in parts).split()
    assert content <= set(covered)
    assert all(parts and label for parts, label in statements(text))


def test_a_number_is_not_divided():
    assert len(statements("It cost 1,000,000 dollars")) == 1
