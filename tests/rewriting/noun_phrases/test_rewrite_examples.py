"""Small examples of `pyramidion.rewriting._noun_phrases.rewrite`, worked by hand."""

from pyramidion.rewriting._articles import Articles, ParsedSentence
from pyramidion.rewriting._noun_phrases.rewrite import (
    OwnWording,
    PhraseClasses,
    RawSession,
    composed,
)


def test_composed():
    assert composed([0.2, 0.4], "sum") > composed([0.2, 0.4], "average")
    assert composed([], "average") == 0.0


def test_sentences_without_phrases_stay():
    classes = PhraseClasses(Articles((ParsedSentence("Go!", ()),)))
    own = OwnWording(classes, "sum", lambda one, other: True)
    for session in (own, RawSession(classes)):
        assert session.rewrite(0, lambda text: [], 100).text == "Go!"
