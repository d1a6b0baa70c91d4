"""Small examples of `pyramidion.text.parsing`."""

from pyramidion.text.parsing import ParsedWord, fallback_remark, load_parser


def test_parsed_word():
    assert ParsedWord("fell", "fall", "VERB", 1, "root").lemma == "fall"


def test_parser():
    class Flat:
        name = "flat"

        def parse(self, sentences):
            return [[ParsedWord(w, w, "X", 0, "dep") for w in s.split()] for s in sentences]

    assert Flat().parse(["Rain fell."])[0][1].text == "fell."


def test_load_parser():
    assert load_parser("light").name == "light"


def test_fallback_remark():
    assert fallback_remark("light") == ""
