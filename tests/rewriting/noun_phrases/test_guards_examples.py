"""Small examples of `pyramidion.rewriting._noun_phrases.guards`, worked by hand."""

from pyramidion.rewriting._articles import ParsedSentence
from pyramidion.rewriting._noun_phrases.forms import Form
from pyramidion.rewriting._noun_phrases.guards import (
    form_objection,
    sentence_objection,
    target_objection,
)
from pyramidion.rewriting._noun_phrases.phrases import NounPhrase
from pyramidion.rewriting._noun_phrases.referring import Context, Referring


def test_sentence_objection():
    assert (
        sentence_objection(ParsedSentence('He said "no.', ()))
        == "quotation marks or brackets are not closed"
    )


def test_target_objection():
    phrase = NounPhrase(ParsedSentence("", ()), 0, 0, 0, 0, "indefinite")
    assert target_objection(phrase) == "it is indefinite"


def test_form_objection():
    phrase = NounPhrase(ParsedSentence("", ()), 0, 0, 0, 0, "definite")
    form = Form(
        "the ferries",
        Referring(NounPhrase(ParsedSentence("", ()), 0, 0, 0, 0, "definite", plural=True), "ferry"),
    )
    assert (
        form_objection(form, Context(Referring(phrase, "ferry")))
        == "one is singular, the other plural"
    )
