"""Small examples of `pyramidion.rewriting._people.names`, worked by hand."""

from pyramidion.rewriting._people.names import (
    Name,
    NameSpan,
    could_be_one,
    gender_of,
    in_capitals,
    is_age,
    is_initial,
    is_title,
    name_spans,
    read_name,
    signs,
    strength,
    surnames,
    touches,
)
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord


def test_name():
    assert read_name("Yvonne van Gennip").last == "van Gennip"


def test_read_name():
    assert read_name("Andrei D. Sakharov") == Name("Andrei", "D.", "Sakharov")
    assert (read_name("Gustav Hale Jr.").suffix, read_name("Park Sung-ho").last) == ("Jr.", "Park")


def test_could_be_one():
    assert could_be_one(read_name("Bill Clark"), read_name("William J. Clark"))
    assert not (could_be_one(read_name("Josef Kell"), read_name("Adrian Kell")))
    assert could_be_one(read_name("Elena Prieto Salas"), read_name("Elena Prieto"))


def test_surnames():
    assert (surnames(read_name("Elena Prieto Salas")), surnames(read_name("Elena B. Salas"))) == (
        ("salas", "prieto"),
        ("salas",),
    )


def test_is_initial():
    assert (is_initial("K."), is_initial("J.R."), is_initial("Ed")) == (True, True, False)


def test_gender_of():
    assert (gender_of("Mary"), gender_of("Robin")) == ("female", "")


def test_name_span():
    assert NameSpan(1, 2, 1, 0).titles == 1


def test_name_spans():
    words = [
        ParsedWord(w, w, "X", 0, "dep", s)
        for w, s in [("Sen.", 0), ("Mary", 5), ("Landrieu", 10), ("won", 19)]
    ]
    assert (
        repr(name_spans(ParsedSentence("Sen. Mary Landrieu won", tuple(words))))
        == "[NameSpan(first=1, last=2, titles=1, run=0)]"
    )


def test_in_capitals():
    assert (in_capitals("GOVERNOR CASTELLAN RESIGNS"), in_capitals("The FCB said so.")) == (
        True,
        False,
    )


def test_is_title():
    assert (is_title("Sen."), is_title("Governor-elect"), is_title("Linnea")) == (True, True, False)


def test_touches():
    words = [ParsedWord(text, text, "X", 0, "dep", at) for text, at in [("Orr", 0), (",", 3)]]
    assert touches(tuple(words), 1)


def test_signs():
    places = [("Mary", 0), ("Orr", 5), ("said", 9)]
    words = tuple(ParsedWord(word, word, "X", 0, "dep", start) for word, start in places)
    assert sorted(signs(ParsedSentence("Mary Orr said", words), NameSpan(0, 1, 0, 0))) == [
        "first name",
        "speaks",
    ]


def test_strength():
    assert strength({"age", "the"}) == 0


def test_is_age():
    assert (is_age("54"), is_age("1998")) == (True, False)
