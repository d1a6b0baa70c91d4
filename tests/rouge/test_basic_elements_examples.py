"""Small examples of `pyramidion.rouge._basic_elements`."""

import numpy as np

from pyramidion.errors import Where
from pyramidion.rouge._basic_elements import (
    BasicElement,
    count_basic_elements,
    parse_basic_elements,
    stemmed,
)
from pyramidion.rouge.counting import Pairs


def test_basic_element():
    assert BasicElement("bridge", "harbor", "nn").relation == "nn"


def test_parse_basic_elements():
    assert (
        repr(parse_basic_elements(b"Bridge|harbor|nn\n", Where("a.be")))
        == "[BasicElement(head='bridge', modifier='harbor', relation='nn')]"
    )


def test_stemmed():
    assert (
        repr(stemmed(BasicElement("bridges", "harbors", "nn")))
        == "BasicElement(head='bridg', modifier='harbor', relation='nn')"
    )


def test_count_basic_elements():
    bridge = BasicElement("bridge", "harbor", "nn")
    pairs = Pairs(np.array([0]), np.array([1]), np.array([0]))
    assert count_basic_elements([[bridge], [bridge, bridge]], pairs, "HM").hits.tolist() == [1.0]
