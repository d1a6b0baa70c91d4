"""Words as numbers, compiled and in Python."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion import kernels
from pyramidion.kernels import lexicon, vocabulary

EXCEPTIONS = {"geese": "goose", "flew": "fly"}
STOP_WORDS = ["the", "of"]
# Few words, so that they meet each other; line ends and other scripts among them.
PIECES = st.sampled_from(
    ["the ", "Geese ", "goose", " flew", "flying ", "of", "\n", "-", "é", "語", "x" * 20, "1"]
)
STRINGS = st.lists(PIECES, max_size=12).map("".join)
TEXTS = st.one_of(STRINGS, STRINGS.map(str.encode), st.lists(STRINGS, max_size=4), st.binary())
OPTIONS = st.fixed_dictionaries({"stem": st.booleans(), "stop_words": st.booleans()})


def empty_vocabulary(kernel, **options):
    return kernel.Vocabulary(kernel.Lexicon(EXCEPTIONS, STOP_WORDS), **options)


def specified_and_compiled(native, **options):
    specified = vocabulary.Vocabulary(lexicon.Lexicon(EXCEPTIONS, STOP_WORDS), **options)
    return specified, empty_vocabulary(native, **options)


def assert_same(found, expected):
    for left, right in zip(found, expected, strict=True):
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)


@given(st.lists(TEXTS, max_size=5), st.lists(TEXTS, max_size=3), OPTIONS)
def test_native_equals_python(native, first, second, options):
    specified, compiled = specified_and_compiled(native, **options)
    assert_same(compiled.encode(first), specified.encode(first))
    assert_same(compiled.encode(tuple(second)), specified.encode(tuple(second)))
    assert compiled.words == specified.words
    assert len(compiled) == len(specified) == len(specified.words)


@given(st.lists(st.one_of(STRINGS, st.text(max_size=8))), OPTIONS)
def test_native_equals_python_on_given_words(native, words, options):
    specified, compiled = specified_and_compiled(native, **options)
    assert_same([compiled.encode_words(words)], [specified.encode_words(words)])
    assert compiled.words == specified.words


@given(st.lists(STRINGS, max_size=5), OPTIONS)
def test_encoding_is_tokenizing_dropping_and_stemming(texts, options):
    known = kernels.Lexicon(EXCEPTIONS, STOP_WORDS)
    encoder = kernels.Vocabulary(known, **options)
    ids, sentences, starts = encoder.encode(texts)
    words = encoder.words
    for number, text in enumerate(texts):
        expected = [
            [
                known.stem(word) if options["stem"] else word
                for word in kernels.rouge_tokens(line)
                if not (options["stop_words"] and word in STOP_WORDS)
            ]
            for line in text.split("\n")
        ]
        found = [
            [words[i] for i in ids[sentences[s] : sentences[s + 1]]]
            for s in range(starts[number], starts[number + 1])
        ]
        assert found == expected


def test_words_that_begin_and_end_alike_are_distinguished(kernel):
    middles = [
        "",
        "a",
        "ab",
        "ba",
        "b",
        "aaaaaaa",
        "aaaaaaab",
        "baaaaaaa",
        "a" * 16,
        "a" * 15 + "b",
    ]
    words = [
        *("abababab"[:size] for size in range(1, 9)),
        *(f"aaaaaaaa{middle}aaaaaaaa" for middle in middles),
    ]
    encoder = empty_vocabulary(kernel)
    assert encoder.encode_words(words * 2).tolist() == [*range(len(words))] * 2
    assert encoder.words == words


def test_nothing_to_encode(kernel):
    encoder = empty_vocabulary(kernel)
    ids, sentences, texts = encoder.encode([])
    assert (ids.tolist(), sentences.tolist(), texts.tolist()) == ([], [0], [0])
    assert encoder.encode_words([]).tolist() == []
    assert encoder.words == []


def test_a_list_gives_its_sentences_as_they_are(kernel):
    encoder = empty_vocabulary(kernel)
    _, sentences, texts = encoder.encode([["one\ntwo", b"three"], ("four",), []])
    assert sentences.tolist() == [0, 2, 3, 4]
    assert texts.tolist() == [0, 2, 3, 3]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("abc", "texts must be a sequence of texts, not one str"),
        (b"abc", "texts must be a sequence of texts, not one bytes"),
        (["a", 1.5], "texts[1] must be str, bytes or a list of these, not float"),
        (["a", ["b", None]], "texts[1] must be str, bytes or a list of these, not NoneType"),
        ([{"a": 1}], "texts[0] must be str, bytes or a list of these, not dict"),
    ],
)
def test_wrong_texts_are_refused_and_change_nothing(kernel, texts, message):
    encoder = empty_vocabulary(kernel)
    with pytest.raises(TypeError, match=re.escape(message)):
        encoder.encode(texts)
    assert encoder.words == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("abc", "words must be a sequence of str, not str"),
        (["a", 2], "words[1] must be str, not int"),
    ],
)
def test_wrong_words_are_refused(kernel, words, message):
    encoder = empty_vocabulary(kernel)
    with pytest.raises(TypeError, match=re.escape(message)):
        encoder.encode_words(words)
    assert encoder.words == []


@pytest.mark.parametrize("wrong", [None, 3])
def test_what_cannot_be_iterated_is_refused(kernel, wrong):
    encoder = empty_vocabulary(kernel)
    for encode in (encoder.encode, encoder.encode_words):
        with pytest.raises(TypeError):
            encode(wrong)


def test_a_vocabulary_keeps_its_lexicon_alive(native):
    encoder = native.Vocabulary(native.Lexicon({"geese": "goose"}, []), stem=True)
    encoder.encode(["geese"])
    assert encoder.words == ["goose"]


def test_arrays_outlive_their_vocabulary(native):
    ids, _, _ = empty_vocabulary(native).encode(["a b " * 1000])
    assert ids.tolist() == [0, 1] * 1000


def test_threads_may_share_a_vocabulary(native):
    shared = empty_vocabulary(native, stem=True)
    texts = [f"word{number} of {number % 97} geese\nflew {number % 13}" for number in range(4000)]
    with ThreadPoolExecutor(4) as pool:
        encoded = list(pool.map(lambda start: shared.encode(texts[start::8]), range(8)))
    words = shared.words
    assert len(words) == len(set(words))
    for start, (ids, _, _) in enumerate(encoded):
        alone = vocabulary.Vocabulary(lexicon.Lexicon(EXCEPTIONS, STOP_WORDS), stem=True)
        expected, _, _ = alone.encode(texts[start::8])
        assert [words[i] for i in ids] == [alone.words[i] for i in expected]


def test_a_text_of_megabytes(native):
    encoder = empty_vocabulary(native, stem=True)
    ids, _, _ = encoder.encode([b"\x00\xff" * 2_000_000 + b"end " * 500_000])
    assert encoder.words == ["end"]
    assert ids.size == 500_000


def test_no_text_can_be_made_whose_words_all_fall_into_one_place():
    native = pytest.importorskip("pyramidion.kernels._native", reason="nothing was compiled")
    if not hasattr(native, "hashes_of"):
        pytest.skip("compiled before hashes were told")
    asked = "import sys; sys.path.insert(0, sys.argv[1]); import _native; "
    asked += "print(*_native.hashes_of('rain'))"
    folder = str(Path(native.__file__).parent)
    reported = [
        subprocess.run(
            [sys.executable, "-c", asked, folder], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    # Neither table hashes a word as it did in another process.
    assert all(one != other for one, other in zip(*reported, strict=True))
    assert native.hashes_of("rain") == native.hashes_of("rain") != native.hashes_of("rains")
