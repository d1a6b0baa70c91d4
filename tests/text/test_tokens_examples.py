"""Small examples of `pyramidion.text.tokens`."""

from pyramidion import kernels
from pyramidion.text.tokens import has_unspaced, lexicon


def test_has_unspaced():
    assert (has_unspaced("東京の夏"), has_unspaced("서울의 여름"), has_unspaced("Été")) == (
        True,
        False,
        False,
    )


def test_lexicon():
    vocabulary = kernels.Vocabulary(lexicon(), stem=True)
    _ = vocabulary.encode(["Geese fly.", "A goose flies."])
    assert vocabulary.words == ["goose", "fly", "a", "goos", "fli"]
