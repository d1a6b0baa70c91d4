"""Small examples of `pyramidion.kernels.lexicon`."""

from pyramidion.kernels.lexicon import Lexicon


def test_lexicon():
    lexicon = Lexicon({"geese": "goose"}, ["the"])
    assert (lexicon.stem("geese"), lexicon.stem("goose"), lexicon.is_stop_word("the")) == (
        "goose",
        "goos",
        True,
    )


def test_lexicon_stem():
    lexicon = Lexicon({"ran": "run"}, [])
    assert (lexicon.stem("ran"), lexicon.stem("ran", shortest=0)) == ("ran", "run")


def test_lexicon_is_stop_word():
    assert not (Lexicon({}, ["the"]).is_stop_word("pyramid"))
