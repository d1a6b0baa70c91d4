"""Small examples of `pyramidion.rewriting._word_lists`, worked by hand."""

from pyramidion.rewriting._word_lists import (
    bare,
    folded,
    short_forms,
    spelled_title,
    status_words,
    word_list,
)


def test_words_of():
    assert ("Sen" in word_list("titles"), "leader" in word_list("roles")) == (True, True)


def test_short_forms():
    assert sorted(short_forms()["Will"]) == ["Bill", "Billy", "Liam", "Will", "William", "Willie"]


def test_bare():
    assert bare("Sen.") == "Sen"


def test_folded():
    assert (folded("João Sørensen"), folded("Orbán") == folded("ORBAN")) == ("joao sorensen", True)


def test_status_words():
    assert "Party" in status_words("organizations")


def test_spelled_title():
    assert (spelled_title("gov"), spelled_title("chief")) == ("governor", None)
