"""The stop list."""

from pathlib import Path

import pytest

from pyramidion import text
from pyramidion.text import STOP_WORDS, is_stop_word, tokenize
from pyramidion.text import tokens as stopwords
from support import shared_file

FILE = Path(stopwords.__file__).parent / "data" / "stopwords-598.txt"


def test_the_list_is_the_specified_one():
    assert FILE.read_bytes() == shared_file("spec/stopwords-598.txt").read_bytes()


def test_the_list_has_598_lines_and_596_words():
    lines = FILE.read_text(encoding="ascii").splitlines()
    assert len(lines) == 598
    assert len(STOP_WORDS) == 596
    assert sorted(word for word in STOP_WORDS if lines.count(word) > 1) == ["may", "would"]


def test_53_of_its_words_never_match_a_token():
    # Section 3.1 of the specification: those with an apostrophe or a full stop.
    assert sum(tokenize(word) != [word] for word in STOP_WORDS) == 53


@pytest.mark.parametrize("word", ["the", "The", "reuters", "ap", "jan"])
def test_stop_words(word):
    assert is_stop_word(word)


@pytest.mark.parametrize("word", ["", "pyramid", "geese"])
def test_other_words(word):
    assert not is_stop_word(word)


def test_it_is_read_once():
    assert text.STOP_WORDS is stopwords.STOP_WORDS is text.STOP_WORDS


@pytest.mark.parametrize("module", [text, stopwords])
def test_what_a_module_does_not_have_it_does_not_invent(module):
    with pytest.raises(AttributeError, match="has no attribute 'STOPWORDS'"):
        _ = module.STOPWORDS
