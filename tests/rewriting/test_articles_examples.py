"""Small examples of `pyramidion.rewriting._articles`, worked by hand."""

from pyramidion.rewriting._articles import balanced, quoted_words
from pyramidion.text._parsing import ParsedWord


def test_quoted_words():
    said = [ParsedWord(text, text, "X", 0, "dep") for text in ['"', "Go", '"', ",", "he", "said"]]
    assert quoted_words(said) == [True, True, True, False, False, False]


def test_balanced():
    assert (balanced('He said "no" (twice).'), balanced('He said "no.')) == (True, False)
