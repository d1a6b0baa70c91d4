"""Small examples of `pyramidion.rewriting._noun_phrases.rewrite`, worked by hand."""

from pyramidion.rewriting._articles import Articles, ParsedSentence
from pyramidion.rewriting._noun_phrases.rewrite import (
    GuardedSession,
    PhraseClasses,
    RawSession,
    composed,
)


def test_phrase_classes():
    assert PhraseClasses(Articles(())).coreference.classes == ()


def test_composed():
    assert (
        composed([0.2, 0.4], "sum") > composed([0.2, 0.4], "average"),
        composed([], "average"),
    ) == (True, 0.0)


def test_guarded_session():
    classes = PhraseClasses(Articles((ParsedSentence("Go!", ()),)))
    session = GuardedSession(classes, "sum", lambda text: [], lambda one, other: True)
    assert session.rewrite(0, lambda text: [], 100).text == "Go!"


def test_raw_session():
    classes = PhraseClasses(Articles((ParsedSentence("Go!", ()),)), nested=False)
    assert RawSession(classes).rewrite(0, lambda text: [], 100).text == "Go!"
