"""Texts are read once, and counted as plain Python counts them."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.metrics import Reading, Texts
from pyramidion.text import is_stop_word, split_sentences, stem, tokenize

WORDS = st.sampled_from(["rain", "rained", "the", "of", "roads", "été", "3", "x-ray", "!", "a"])
SENTENCES = st.lists(WORDS, max_size=6).map(" ".join)
TEXTS = st.one_of(SENTENCES, st.lists(SENTENCES, max_size=3).map(tuple))
READINGS = st.builds(
    Reading,
    stem=st.booleans(),
    stop_words=st.booleans(),
    tokenizer=st.sampled_from(["rouge", "unicode"]),
)


def words_of(text, reading):
    """Read a text word by word, without the help of any table."""
    sentences = text if isinstance(text, tuple) else split_sentences(text)
    words = [word for sentence in sentences for word in tokenize(sentence, reading.tokenizer)]
    if reading.stop_words:
        words = [word for word in words if not is_stop_word(word)]
    return [stem(word) for word in words] if reading.stem else words


def filled(given):
    texts = Texts()
    return texts, [texts.number(text) for text in given]


@given(st.lists(TEXTS, max_size=6), READINGS, st.integers(1, 4))
def test_counts_are_those_of_plain_python(given, reading, n):
    texts, numbers = filled(given)
    counters = [
        Counter(tuple(own[i : i + n]) for i in range(len(own) - n + 1))
        for own in (words_of(text, reading) for text in given)
    ]
    # One column for each different n-gram, with its count in each text.
    every = {gram for counter in counters for gram in counter}
    expected = sorted([counter[gram] for counter in counters] for gram in every)
    observed = texts.counts(reading, n)[numbers].toarray().T.tolist()
    assert sorted(observed) == expected


def test_long_grams_of_a_large_vocabulary_do_not_overflow():
    """Numbers of nine words out of a hundred thousand, written one after the other, would."""
    draw = np.random.default_rng(1)
    given = [" ".join(f"w{word}" for word in draw.integers(10**5, size=400)) for _ in range(50)]
    texts, _ = filled(given)
    table = texts.counts(Reading(stem=False), 9)
    assert table.shape[1] == table.sum() == 50 * 392


def test_texts_are_numbered_once():
    texts, numbers = filled(["a b", ("a", "b"), "a b", ("a b",)])
    assert numbers == [0, 1, 0, 2]
    assert [texts.original(number) for number in range(3)] == ["a b", ("a", "b"), ("a b",)]
    assert [texts.plain(number) for number in range(3)] == ["a b", "a b", "a b"]
    assert texts[1] == ("a", "b")


def test_things_are_made_once_until_a_text_is_added():
    texts, _ = filled(["a"])
    made = []

    def make():
        made.append(1)
        return len(made)

    assert [texts.memo("key", make), texts.memo("key", make), texts.memo("other", make)] == [
        1,
        1,
        2,
    ]
    texts.number("a")
    assert texts.memo("key", make) == 1
    texts.number("b")
    assert texts.memo("key", make) == 3
    assert texts.counts(Reading()).shape[0] == 2


def test_a_reading_is_shared():
    texts, _ = filled(["rain fell", "roads closed"])
    encoded = texts.encoded(Reading())
    assert texts.counts(Reading(), 2) is texts.counts(Reading(), 2)
    assert texts.encoded(Reading()) is encoded
    assert texts.encoded(Reading(stem=False)) is not encoded


@pytest.mark.parametrize("n", [1, 2, 9])
def test_no_texts_and_empty_ones(n):
    assert Texts().counts(Reading(), n).shape == (0, 0)
    texts, _ = filled(["", (), ("",)])
    assert texts.counts(Reading(), n).shape == (3, 0)
    assert texts.counts(Reading(), n).sum() == 0


def test_sentences_are_split_once():
    texts, _ = filled(["Rain fell. It was cold.", ""])
    sentences = texts[0]
    assert sentences == ("Rain fell.", "It was cold.")
    texts.encoded(Reading())
    assert texts[0] is sentences
