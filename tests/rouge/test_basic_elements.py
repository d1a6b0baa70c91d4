"""Basic elements: one a line, head|modifier|relation."""

import numpy as np
import pytest

from collection.refusals import refusal
from pyramidion.errors import FormatError, Where
from pyramidion.rouge._basic_elements import (
    BasicElement,
    count_basic_elements,
    parse_basic_elements,
    stem_element,
)
from pyramidion.rouge.counting import Pairs
from pyramidion.text.tokens import lexicon

WHERE = Where("a.be")


def test_lower_case_is_asciis_only():
    assert parse_basic_elements("ÉTÉ|NIL|Nn\r\n".encode("latin-1"), WHERE) == [
        BasicElement("ÉtÉ", "nil", "nn\r")
    ]
    assert parse_basic_elements(b"", WHERE) == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a|b|c\na|b\n", "a.be, line 2: 2 fields instead of head|modifier|relation"),
        (b"a|b|c|d", "a.be, line 1: 4 fields"),
        (b"a|b|", "a.be, line 1: 2 fields"),
        (b"||", "a.be, line 1: 0 fields"),
        (b"a|b|c\n\n", "a.be, line 2: 0 fields"),
        (b"\n", "a.be, line 1: 0 fields"),
    ],
)
def test_lines_that_are_none(data, message):
    assert message in refusal(FormatError, parse_basic_elements, data, WHERE)


@pytest.mark.parametrize(
    ("head", "stem"),
    [
        ("cars", "car"),
        ("car", "car"),
        ("bus", "bus"),
        ("ab cars", "ab car"),
        ("new  yorkers", "new yorker"),
        (" cars", " car"),
        ("geese", "goose"),
        ("...--", "...--"),
        ("à cars", "à car"),
        ("foo\xa0cars", "foo\xa0car"),
    ],
)
def test_stemming(head, stem):
    element = stem_element(BasicElement(head, "cars", "cars"))
    assert element == BasicElement(stem, "car", "cars")


def test_stemming_without_exceptions():
    assert (
        stem_element(BasicElement("geese", "nil", "nil"), lexicon(exceptions=False)).head == "gees"
    )


@pytest.mark.parametrize(
    ("mode", "counts"),
    [
        # model, peer, hits
        ("H", (1, 2, 1)),
        ("HM", (2, 1, 1)),
        ("HMR", (2, 1, 0)),
        ("HM1", (3, 3, 2)),
        ("HMR1", (2, 1, 0)),
        ("HMR2", (3, 3, 1)),
    ],
)
def test_what_counts(mode, counts):
    peer = parse_basic_elements(b"rain|nil|nil\nrain|nil|nil\nroad|flooded|mod\n", WHERE)
    model = parse_basic_elements(b"rain|nil|nil\nroad|flooded|obj\nroad|wet|mod\n", WHERE)
    pairs = Pairs(np.array([0]), np.array([1]), np.array([0]))
    observed = count_basic_elements([peer, model], pairs, mode)
    assert tuple(part.item() for part in observed.parts) == counts
