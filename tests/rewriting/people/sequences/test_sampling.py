"""Forms drawn by chance."""

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.rewriting import (
    MarkovChain,
    later_form,
    printed_limit,
    published_chain,
    sampled_forms,
)

FORMS = ("full", "last", "nickname")


class Drawn:
    """Gives the numbers it was given."""

    def __init__(self, *numbers):
        self._numbers = iter(numbers)

    def random(self):
        return next(self._numbers)


@pytest.mark.parametrize(
    ("number", "form"),
    [
        # Thesis, section 5.1.5: where the last name ends, and the full name.
        (0.0, "last"),
        (0.8645, "last"),
        (0.8647, "full"),
        (0.9483, "full"),
        (0.9485, "nickname"),
        (0.99999, "nickname"),
    ],
)
def test_a_number_gives_the_form_of_section_5_1_5(number, form):
    assert later_form(Drawn(number)) == form


@pytest.mark.parametrize(
    ("chain", "limit"),
    [
        (None, printed_limit()),
        (published_chain(), published_chain().limit().as_dict()),
        (MarkovChain.of_counts("name form", FORMS, [1, 1, 1], [[1, 1, 1], [2, 1, 1], [1, 0, 1]]),
         {"full": 3 / 7, "last": 4 / 21, "nickname": 8 / 21}),
    ],
)  # fmt: skip
def test_forms_are_as_frequent_as_their_limit(chain, limit):
    n = 20_000
    forms = sampled_forms(5, n, chain)
    for form in FORMS:
        error = (limit[form] * (1 - limit[form]) / n) ** 0.5
        assert abs(forms.count(form) / n - limit[form]) < 4 * error


def test_a_seed_gives_the_same_forms():
    assert sampled_forms(3, 50) == sampled_forms(3, 50)
    assert sampled_forms(3, 80)[:50] == sampled_forms(3, 50)
    assert sampled_forms(3, 50) != sampled_forms(4, 50)
    # Frozen: a summary that was made with a seed is made again.
    assert sampled_forms(7, 12) == ["last", "full", "last", "last", "last", "full", *["last"] * 6]


def test_one_number_is_drawn_for_a_form():
    rng, other = np.random.default_rng(1), np.random.default_rng(1)
    later_form(rng)
    other.random()
    assert rng.random() == other.random()


@pytest.mark.parametrize(
    "limiting",
    [
        {"full": 0.5, "last": 0.5},
        {"full": 0.5, "last": 0.5, "nickname": 0.5},
        {"full": 1.5, "last": -0.5, "nickname": 0.0},
        {"full": 0.1, "last": 0.9, "first": 0.0},
        {"full": float("nan"), "last": 0.9, "nickname": 0.0},
    ],
)
def test_what_are_no_probabilities_is_refused(limiting):
    with pytest.raises(InputError, match="are not probabilities of name forms"):
        later_form(np.random.default_rng(0), limiting)


def test_chains_without_a_limit_are_refused():
    chain = MarkovChain.of_counts("name form", FORMS, [1, 0, 0], np.zeros((3, 3)))
    with pytest.raises(InputError, match="to draw from: nobody is mentioned twice"):
        sampled_forms(0, 1, chain)
    # Few nicknames, each followed by one: all mentions would be nicknames.
    few = MarkovChain.of_counts("name form", FORMS, [9, 0, 0], [[1, 8, 1], [1, 9, 0], [0, 0, 2]])
    with pytest.raises(InputError, match="lead back to full, last; count more text"):
        sampled_forms(0, 1, few)
    # Last names ever after are a rule of the thesis.
    rule = MarkovChain.of_counts("name form", FORMS, [9, 0, 0], [[1, 8, 0], [0, 9, 0], [0, 0, 0]])
    assert sampled_forms(0, 3, rule) == ["last"] * 3
    with pytest.raises(InputError, match="are not probabilities of name forms"):
        sampled_forms(0, 1, published_chain("modification"))
