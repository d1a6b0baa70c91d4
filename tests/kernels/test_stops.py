"""Where sentences end, compiled and in Python."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.kernels import stops
from pyramidion.text import sentences as _sentences

#: What the compiled kernel tells itself, what it asks about, and what stands around it.
WORDS = """the rain fell Ardel goats sold said Mr Dr St Co Inc No p.m U.S a.m J e.g 5 19 2027 3.5
WHO year-end naïve Imré “ ” " ( ) ' , ; : . . . . ! ? … 。 a) b. 1. $1.8 iPad"""
BLANKS = st.sampled_from(["", " ", " ", " ", "  ", "\n", "\u00a0", ". ", '." ', ".”"])
TEXTS = st.lists(st.tuples(st.sampled_from(WORDS.split()), BLANKS))


def split(kernel, text, language):
    splitter = _sentences._Splitter(text, language)
    return kernel.Stops(*_sentences._stop_rules(language)).split(
        text, [(0, len(text))], caseless=splitter.is_caseless, judge=splitter.ends_at
    )


@given(TEXTS, st.sampled_from(["en", "de", "el"]))
def test_native_equals_python(native, pieces, language):
    text = "".join(word + blank for word, blank in pieces).strip()
    for own in (text, text.lower(), text.replace(" .", "."), text + "\N{GRINNING FACE}"):
        assert split(native, own, language) == split(stops, own, language)


def test_native_does_not_ask_about_what_is_plain(native):
    text = (
        'Rain fell on Ardel. At 3.5 p.m., Mr. Ito said. "It was wet." Goats (they were '
        "two. No more) sold. In Jan. 2027 he met Dr. Roe at the fair? It is over."
    )
    asked = []

    def judge(begin, place, end):
        asked.append(text[begin : place + 1])
        return -place

    spans = native.Stops(_sentences._stop_rules("en")[0], ".?").split(
        text, [(0, len(text))], caseless=False, judge=judge
    )
    assert asked == ["In Jan. 2027 he met Dr. Roe at the fair?"]
    assert [text[begin:end] for begin, end in spans] == [
        "Rain fell on Ardel.",
        "At 3.5 p.m., Mr. Ito said.",
        '"It was wet."',
        "Goats (they were two. No more) sold.",
        "In Jan. 2027 he met Dr. Roe at the fair? It is over.",
    ]


@pytest.mark.parametrize("answer", [10**6, -(10**6), 0])
def test_native_stays_within_the_text_whatever_the_judge_returns(native, answer):
    stop = native.Stops({}, "!")
    assert stop.split("Oh! No! I", [(0, 9)], caseless=False, judge=lambda *_: answer)[-1][1] == 9
    with pytest.raises(IndexError, match="outside of its text"):
        stop.split("Oh!", [(0, 4)], caseless=False, judge=lambda *_: answer)


def test_every_mark_before_the_last_character_is_asked_about_in_order():
    """Neighbors and a mark at the very beginning, too, where no sentence ends."""
    text, asked = "!a!!b?!c! D?", []

    def judge(begin, place, end):
        asked.append((begin, place, end))
        return place + 1 if place == 8 else -place

    spans = stops.Stops({}, "!?").split(text, [(0, 12)], caseless=False, judge=judge)
    assert asked == [(0, place, 12) for place in (0, 2, 3, 5, 6, 8)]
    assert spans == [(0, 9), (10, 12)]
