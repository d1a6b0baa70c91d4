"""Where the words of a text begin and end, and units called 0."""

from dataclasses import replace

import pytest

from pyramidion.demo import load_demo
from pyramidion.pyramid.topics import locate_words, without_zero_uid


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("One, two2", [("one", 0, 3), ("two2", 5, 9)]),
        # A combining mark belongs to the letter before it; without one, it is no word.
        ("cafe\u0301 no\u0301n", [("café", 0, 5), ("nón", 6, 10)]),
        ("\u0301abc", [("abc", 1, 4)]),
        # Characters that are words by themselves.
        ("ab東京cd", [("ab", 0, 2), ("東", 2, 3), ("京", 3, 4), ("cd", 4, 6)]),
        # Characters that a word may contain without ending.
        ("a\u200dbé", [("abé", 0, 4)]),
        ("\u200bé", [("é", 1, 2)]),
        ("é\u200d", [("é", 0, 1)]),
        ("don’t (é)", [("don", 0, 3), ("t", 4, 5), ("é", 7, 8)]),
    ],
)
def test_words_have_their_place_in_the_text(text, words):
    assert [
        (word.text.replace("\u200d", ""), word.start, word.end) for word in locate_words(text)
    ] == words


def test_a_unit_called_0_gets_the_first_free_number():
    pyramid = load_demo().pyramids["A", "P01"]
    assert without_zero_uid(pyramid) == (pyramid, [])
    names = ["0", "1", "3", *(f"u{n}" for n in range(len(pyramid.scus) - 3))]
    scus = tuple(replace(s, uid=uid) for s, uid in zip(pyramid.scus, names, strict=True))
    renamed, [note] = without_zero_uid(replace(pyramid, scus=scus))
    assert [scu.uid for scu in renamed.scus] == ["2", *names[1:]]
    assert note.startswith("SCU 0 is called 2 in annotations")
