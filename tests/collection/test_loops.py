"""Texts that repeat themselves, just enough or not; tables of preferences put together."""

import pytest

from pyramidion.collection import Preference, Preferences
from pyramidion.text.traces import is_doubled, is_looping

OTHERS = "a b c d e f g h i j k l"


def several(phrase, words, more):
    """Repeat a phrase up to so many words, and add others."""
    repeated = (phrase.split() * words)[:words]
    return " ".join(repeated + OTHERS.split()[:more])


@pytest.mark.parametrize(
    ("phrase", "words", "more", "looping"),
    [
        # A word nine times in a row: eight times, it is the same as the one before.
        ("go", 8, 4, False),
        ("go", 9, 3, True),
        # Twelve words are enough.
        ("go", 11, 0, False),
        ("go", 12, 0, True),
        # A phrase of three words four times, and one of eight.
        ("go on now", 11, 1, False),
        ("go on now", 12, 0, True),
        ("p q r s t u v w", 31, 1, False),
        ("p q r s t u v w", 32, 0, True),
        # At most three fifths of the words are different.
        ("go", 9, 12, False),
        ("go", 9, 11, True),
    ],
)
def test_a_text_in_a_loop(phrase, words, more, looping):
    assert is_looping(several(phrase, words, more)) == looping


@pytest.mark.parametrize(
    ("text", "doubled"),
    [
        ("Rain closed the roads of Ardel. " * 2, True),
        ("Rain closed the roads of Ardel. Rain closed the roads of Lisle.", False),
        ("Rain closed all roads ..." * 2, True),
        ("Rain closed the roads ..." * 2, True),
        ("Rain closed the roads .." * 2, False),
    ],
)
def test_a_text_that_is_doubled_has_fifty_characters(text, doubled):
    assert is_doubled(text) == doubled


def test_tables_of_preferences_are_put_together():
    rows = [Preference(f"T{n}", "a", "b", "first", strength=1.0 + n) for n in range(3)]
    one, two, three = (Preferences.from_records([row]) for row in rows)
    empty = Preferences({})
    for tables, expected in (
        ([], []),
        ([empty], []),
        ([empty, one], rows[:1]),
        ([one, two], rows[:2]),
        ([one, empty, two, three], rows),
    ):
        assert list(Preferences.concatenate(tables)) == expected
