"""The words of ROUGE-1.5.5, compiled and in Python."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.kernels import tokens

# Examples of the behavior specification, section 2.4.
SPECIFIED = {
    "3.75%": ["3", "75"],
    "O'Donnell": ["o", "donnell"],
    "1,904": ["1", "904"],
    "mid-2027": ["mid", "2027"],
    "café": ["caf"],
    "naïve": ["na", "ve"],
    "snake_case": ["snake", "case"],
    " - -- ": [],
    "": [],
    # Signs that Unicode rules would lower to ASCII letters: Kelvin, dotted capital I.
    "30\N{KELVIN SIGN}": ["30"],
    "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}zmir": ["zmir"],
    "CR\r\nLF\x00NUL": ["cr", "lf", "nul"],
}


@pytest.mark.parametrize("text", SPECIFIED)
def test_specified_examples(kernel, text):
    assert kernel.rouge_tokens(text) == SPECIFIED[text]


@given(st.binary())
def test_bytes_are_split_as_the_specification_says(text):
    blanked = re.sub(rb"[^A-Za-z0-9-]", b" ", text.replace(b"-", b" - ")).lower()
    expected = [word.decode() for word in blanked.split() if word != b"-"]
    assert tokens.rouge_tokens(text) == expected


@given(st.text())
def test_a_str_stands_for_its_utf8_bytes(text):
    assert tokens.rouge_tokens(text) == tokens.rouge_tokens(text.encode("utf-8", "surrogatepass"))


@given(st.one_of(st.binary(), st.text(), st.text(st.characters(max_codepoint=0xFF))))
def test_native_equals_python(native, text):
    assert native.rouge_tokens(text) == tokens.rouge_tokens(text)


@pytest.mark.parametrize("wide", ["", "é", "語", "\N{GRINNING FACE}", "\ud800"])
def test_native_reads_every_width_of_str(native, wide):
    assert native.rouge_tokens(f"One{wide}TWO three") == tokens.rouge_tokens(f"One{wide}TWO three")


@pytest.mark.parametrize("before", range(18))
def test_native_knows_every_byte_at_every_place(native, before):
    for byte in range(256):
        text = b"AbCdEfGh0123456789"[:before] + bytes([byte]) + b"ijklmnopqrst"
        assert native.rouge_tokens(text) == tokens.rouge_tokens(text)


def test_a_word_of_megabytes(kernel):
    word = "Ab1" * 1_000_000
    assert kernel.rouge_tokens(f"{word} end") == [word.lower(), "end"]


@pytest.mark.parametrize("wrong", [None, 1.5, ["a"], bytearray(b"a")])
def test_what_is_not_text_is_refused(kernel, wrong):
    message = f"text must be str or bytes, not {type(wrong).__name__}"
    with pytest.raises(TypeError, match=re.escape(message)):
        kernel.rouge_tokens(wrong)


def test_letters(kernel):
    assert kernel.ascii_letters([]) == 0
    assert (
        kernel.ascii_letters(["[AZ]`az{@ 0-9\n", "é\u0141\u2019b\U0001f600C", "x" * 1000]) == 1006
    )


@given(st.lists(st.text() | st.text("aZ{é\u2019", min_size=250), max_size=4))
def test_native_letters_equal_python(native, texts):
    assert native.ascii_letters(texts) == tokens.ascii_letters(texts)


def test_letters_of_texts_only(native):
    with pytest.raises(TypeError, match="a text must be str, not bytes"):
        native.ascii_letters([b"a"])
    with pytest.raises(TypeError, match="texts must be a sequence of str"):
        native.ascii_letters(1)
