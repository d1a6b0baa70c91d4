"""Wrong calls of the kernels that compare texts: an error that says so, compiled or not."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.strategies import summaries_of
from pyramidion.kernels import Summaries

IDS = np.array([1, 2, 3, 1], np.int32)
STARTS = np.array([0, 2, 4])
PEERS, MODELS = np.array([0, 1]), np.array([1, 0])
TEXTS = summaries_of([[[1, 2]], [[3], [1]]])

WRONG = {
    "ids": [
        ([1, 2], TypeError, "ids must be a one-dimensional array of int32"),
        (IDS.astype(np.int64), TypeError, "ids must be a one-dimensional array of int32"),
        (IDS.astype(">i4"), TypeError, "ids must be a one-dimensional array of int32"),
        (IDS.reshape(2, 2), TypeError, "ids must be a one-dimensional array of int32"),
        (np.array(1, np.int32), TypeError, "ids must be a one-dimensional array of int32"),
        (IDS[:3], ValueError, "starts must be ascending, from at least 0 to at most 3"),
        (None, TypeError, "ids must be"),
    ],
    "starts": [
        (STARTS.astype(np.int32), TypeError, "starts must be a one-dimensional array of int64"),
        (np.array([], np.int64), ValueError, "starts must not be empty"),
        (np.array([0, 5, 4]), ValueError, "starts must be ascending, from at least 0 to at most 4"),
        (
            np.array([-1, 2, 4]),
            ValueError,
            "starts must be ascending, from at least 0 to at most 4",
        ),
        (
            np.array([0, 2, 2**62]),
            ValueError,
            "starts must be ascending, from at least 0 to at most 4",
        ),
    ],
    "peers": [
        (np.array([0.0, 1.0]), TypeError, "peers must be a one-dimensional array of int64"),
        (np.array([0, 2]), ValueError, "peers must be from 0 to 1, but one is 2"),
        (np.array([0, -1]), ValueError, "peers must be from 0 to 1, but one is -1"),
        (np.array([0]), ValueError, "there are 1 peers, but 2 models"),
    ],
    "models": [
        (np.array([2**40, 0]), ValueError, f"models must be from 0 to 1, but one is {2**40}"),
        ("models", TypeError, "models must be a one-dimensional array of int64"),
    ],
    "threads": [
        (0, ValueError, "threads must be at least 1, not 0"),
        (-(10**30), ValueError, f"threads must be at least 1, not {-(10**30)}"),
        (1.5, TypeError, "'float' object cannot be interpreted as an integer"),
        (None, TypeError, "'NoneType' object cannot be interpreted as an integer"),
    ],
}
WRONG_CALLS = [(name, *case) for name, cases in WRONG.items() for case in cases]  # type: ignore[attr-defined]
WRONG_SENTENCES = [
    ("sentence_ids", [1], TypeError, "sentence_ids must be a one-dimensional array of int32"),
    ("sentences", np.array([0, 2, 9, 4]), ValueError, "sentences must be ascending"),
    ("sentences", np.array([], np.int64), ValueError, "sentences must not be empty"),
    (
        "texts",
        np.array([0, 1, 4]),
        ValueError,
        "texts must be ascending, from at least 0 to at most 3",
    ),
    ("texts", np.array([0, 3]), ValueError, "2 texts are read flat, 1 as sentences"),
    ("ids", [1], TypeError, "ids must be a one-dimensional array of int32"),
    (
        "starts",
        np.array([0, 2, 5]),
        ValueError,
        "starts must be ascending, from at least 0 to at most 4",
    ),
]


@pytest.mark.parametrize(("name", "wrong", "error", "message"), WRONG_CALLS)
def test_wrong_texts_and_pairs_are_refused(kernel, name, wrong, error, message):
    given = {"ids": IDS, "starts": STARTS, "peers": PEERS, "models": MODELS, "threads": 1}
    given[name] = wrong
    with pytest.raises(error, match=re.escape(message)):
        kernel.ngram_hits(**given, n=2)
    with pytest.raises(error, match=re.escape(message)):
        kernel.skip_hits(**given, gap=4, unigrams=True)


@pytest.mark.parametrize(("name", "wrong", "error", "message"), WRONG_SENTENCES)
def test_wrong_sentences_are_refused(kernel, name, wrong, error, message):
    texts = replace(TEXTS, **{name: wrong})
    with pytest.raises(error, match=re.escape(message)):
        kernel.lcs_hits(texts, PEERS, MODELS)
    with pytest.raises(error, match=re.escape(message)):
        kernel.weighted_lcs_hits(texts, PEERS, MODELS, 1.2)


@pytest.mark.parametrize(
    ("name", "wrong", "error", "message"),
    [case for case in WRONG_CALLS if case[0] in ("peers", "models", "threads")],
)
def test_wrong_pairs_of_summaries_are_refused(kernel, name, wrong, error, message):
    given = {"peers": PEERS, "models": MODELS, "threads": 1}
    given[name] = wrong
    with pytest.raises(error, match=re.escape(message)):
        kernel.lcs_hits(TEXTS, **given)
    with pytest.raises(error, match=re.escape(message)):
        kernel.weighted_lcs_hits(TEXTS, **given, weight=1.2)


def test_summaries_are_asked_for(kernel):
    with pytest.raises(TypeError, match="summaries must be Summaries, not NoneType"):
        kernel.lcs_hits(None, PEERS, MODELS)


@pytest.mark.parametrize(
    ("n", "error", "message"),
    [
        (0, ValueError, "n must be at least 1, not 0"),
        (-(10**30), ValueError, f"n must be at least 1, not {-(10**30)}"),
        (2.0, TypeError, "'float' object cannot be interpreted as an integer"),
        (None, TypeError, "'NoneType' object cannot be interpreted as an integer"),
    ],
)
def test_wrong_sizes_of_ngrams_are_refused(kernel, n, error, message):
    with pytest.raises(error, match=re.escape(message)):
        kernel.ngram_hits(IDS, STARTS, PEERS, MODELS, n)


def test_wrong_gaps_are_refused(kernel):
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        kernel.skip_hits(IDS, STARTS, PEERS, MODELS, 4.0, True)


def test_arrays_may_have_gaps_and_be_read_only(kernel):
    ids = np.repeat(IDS, 2)[::2]
    starts = np.repeat(STARTS, 3)[::3]
    starts.flags.writeable = False
    peers = np.stack([PEERS, MODELS]).T[:, 0]
    expected = kernel.ngram_hits(IDS, STARTS, PEERS, MODELS, 1).tolist()
    assert kernel.ngram_hits(ids, starts, peers, MODELS[::-1][::-1], 1).tolist() == expected
    spread = Summaries(ids, starts, ids, starts, np.arange(6)[::2] // 2)
    tight = Summaries(IDS, STARTS, IDS, STARTS, np.arange(3))
    assert (
        kernel.lcs_hits(spread, peers, MODELS).tolist()
        == kernel.lcs_hits(tight, PEERS, MODELS).tolist()
    )


_INTEGERS = st.integers(-3, 12) | st.sampled_from([2**62, -(2**63), 2**63 - 1])
_NUMBERS = st.lists(_INTEGERS, max_size=5).map(lambda values: np.array(values, np.int64))


@given(_NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS, _INTEGERS)
def test_no_call_crashes(native, starts, sentences, texts, peers, models, number):
    """Whatever is not refused gives as many hits as there are pairs."""
    found = Summaries(IDS, starts, IDS, sentences, texts)
    for call in (
        lambda: native.ngram_hits(IDS, starts, peers, models, number),
        lambda: native.skip_hits(IDS, starts, peers, models, number, True),
        lambda: native.lcs_hits(found, peers, models),
        lambda: native.weighted_lcs_hits(found, peers, models, 1.2, number),
    ):
        try:
            hits = call()
        except ValueError:
            continue
        assert len(hits) == len(peers)


@pytest.mark.parametrize("shift", [-10, 2**31 - 20])
def test_words_may_have_any_numbers(kernel, shift):
    """Texts 1 2 and 3 1 share one word; so do they with other numbers for their words."""
    ids = IDS + np.int32(shift)
    assert kernel.ngram_hits(ids, STARTS, PEERS, MODELS, 1).tolist() == [1, 1]
    assert kernel.skip_hits(ids, STARTS, PEERS, MODELS, 4, True).tolist() == [0, 0]
    texts = Summaries(ids, STARTS, ids, STARTS, np.arange(3))
    assert kernel.lcs_hits(texts, PEERS, MODELS).tolist() == [1, 1]
