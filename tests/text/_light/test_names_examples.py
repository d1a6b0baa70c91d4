"""Small examples of `pyramidion.text._light.names`, worked by hand."""

from pyramidion.text._light.names import NamedSentence, NameFinder, NameKinds, name_words
from pyramidion.text._tagging import TagPair, Token


def test_name_words():
    assert ("Sen." in name_words()["titles"], "Ada" in name_words()["given"]) == (True, True)


def test_named_sentence():
    own = NamedSentence.of([Token("ADA", 0), Token("LEFT", 4)], [TagPair("NNP", "PROPN")] * 2)
    assert (own.text(0), own.text(5), own.is_proper(0)) == ("Ada", "", True)


def test_name_kinds():
    kinds = NameKinds()
    assert (kinds.is_role("co-founder"), kinds.is_title("Judge"), kinds.is_title("Snow")) == (
        True,
        True,
        False,
    )


def test_name_finder():
    tokens = [Token("Sen.", 0), Token("Ada", 5), Token("Lee", 9), Token("left", 13)]
    pairs = [TagPair("NNP", "PROPN")] * 3 + [TagPair("VBD", "VERB")]
    assert (
        repr(NameFinder().find([tokens], [pairs]))
        == "[[LightName(first=1, last=2, kind='person', title=0, title_first=0)]]"
    )
