"""Irregular forms and stop words, compiled and in Python."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.kernels import lexicon

WORDS = st.text(max_size=8)


def test_a_base_form_is_not_stemmed_again(kernel):
    known = kernel.Lexicon({"geese": "goose"}, [])
    assert known.stem("geese") == "goose"
    assert known.stem("goose") == "goos"


def test_short_words_are_neither_looked_up_nor_stemmed(kernel):
    known = kernel.Lexicon({"ran": "run", "won": "win"}, [])
    assert [known.stem(word) for word in ("ran", "won", "ies", "", "s")] == [
        *("ran", "won", "ies", "", "s")
    ]
    assert known.stem("ran", shortest=0) == "run"
    assert known.stem("ies", shortest=3) == "i"
    assert known.stem("ran", -1) == "run"


def test_a_length_is_counted_in_characters(kernel):
    known = kernel.Lexicon({}, [])
    assert known.stem("éés") == "éés"
    assert known.stem("éééés") == "éééé"


@given(st.dictionaries(WORDS, WORDS), st.lists(WORDS), st.lists(WORDS), st.integers(0, 5))
def test_native_equals_python(native, exceptions, stop_words, others, shortest):
    specified = lexicon.Lexicon(exceptions, stop_words)
    compiled = native.Lexicon(exceptions, stop_words)
    for word in [*exceptions, *stop_words, *others]:
        assert compiled.stem(word, shortest) == specified.stem(word, shortest)
        assert compiled.is_stop_word(word) == specified.is_stop_word(word)


def test_many_words(native):
    forms = {f"form{number}": f"base{number}" for number in range(20_000)}
    compiled = native.Lexicon(forms, forms.values())
    assert all(compiled.stem(form) == base for form, base in forms.items())
    assert all(compiled.is_stop_word(base) for base in forms.values())
    assert not any(compiled.is_stop_word(form) for form in forms)


@pytest.mark.parametrize(("exceptions", "stop_words"), [({1: "a"}, []), ({}, [None])])
def test_words_that_are_not_str_are_refused(native, exceptions, stop_words):
    with pytest.raises(TypeError, match="a word must be str, not"):
        native.Lexicon(exceptions, stop_words)
