"""Limits in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError
from pyramidion.text import count_words, truncate_sentences, truncate_words

TEXTS = st.text(st.sampled_from("ab-é語 \t\n\r\xa0"))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" \n\t ", 0),
        ("mid-2027", 1),
        ("one - two", 3),
        ("  one\n\ntwo\r\nthree  ", 3),
        ("non\xa0breaking", 1),
        ("$212.5 million", 2),
    ],
)
def test_count_words(text, count):
    assert count_words(text) == count


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("one two three", 2, "one two"),
        ("  one \n two  three", 2, "  one \n two"),
        ("one two\n", 2, "one two\n"),
        ("one two\n", 3, "one two\n"),
        ("one", 0, ""),
        ("", 5, ""),
        (" ", 1, " "),
    ],
)
def test_truncate_words(text, limit, expected):
    assert truncate_words(text, limit) == expected


def test_the_limit_is_100_words_by_default():
    text = "word " * 101
    assert truncate_words(text) == ("word " * 100).rstrip()
    assert truncate_sentences([text]) == [("word " * 100).rstrip()]


@given(TEXTS, st.integers(0, 8))
def test_a_cut_text_is_a_beginning_with_as_many_words_as_may_stay(text, limit):
    cut = truncate_words(text, limit)
    assert text.startswith(cut)
    assert count_words(cut) == min(limit, count_words(text))
    assert truncate_words(cut, limit) == cut


@pytest.mark.parametrize(
    ("sentences", "limit", "expected"),
    [
        (["a b c.", "d e f.", "g."], 5, ["a b c.", "d e"]),
        (["a b c.", "d e f.", "g."], 6, ["a b c.", "d e f."]),
        (["a b c.", "d e f.", "g."], 7, ["a b c.", "d e f.", "g."]),
        (["a", "", "b"], 2, ["a", "", "b"]),
        (["a", "", "b"], 1, ["a"]),
        (["a"], 0, []),
        ([], 3, []),
        (("a b", "c"), 2, ["a b"]),
    ],
)
def test_truncate_sentences(sentences, limit, expected):
    assert truncate_sentences(sentences, limit) == expected


@given(st.lists(TEXTS), st.integers(0, 8))
def test_sentences_are_cut_where_their_text_is(sentences, limit):
    cut = truncate_sentences(sentences, limit)
    whole = truncate_words("\n".join(sentences), limit)
    assert "\n".join(cut).split() == whole.split()


@pytest.mark.parametrize("cut", [truncate_words, truncate_sentences])
def test_a_negative_limit_is_refused(cut):
    with pytest.raises(InputError, match="a limit of -1 words; give a number of at least 0"):
        cut("one", -1)
