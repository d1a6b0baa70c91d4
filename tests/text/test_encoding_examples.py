"""Small examples of `pyramidion.text.encoding`."""

from collections import Counter

from pyramidion.text.encoding import (
    SIGNATURE_CUTOFF,
    Background,
    as_sentences,
    default_background,
    encode,
    lines_of,
    log_likelihood_ratios,
    signature_weights,
)


def test_encoded():
    encoded = encode(["Rain fell.", ["It rained.", "Rain!"]], stem=True)
    assert (encoded.words, encoded.ids.tolist(), encoded.lengths.tolist()) == (
        ["rain", "fall", "it"],
        [0, 1, 2, 0, 0],
        [2, 3],
    )
    assert [sentence.tolist() for sentence in encoded.sentences_of(1)] == [[2, 0], [0]]


def test_encode():
    assert encode(["La neige tombe, l'été aussi."], tokenizer="unicode").words == [
        "la",
        "neige",
        "tombe",
        "l",
        "été",
        "aussi",
    ]


def test_lines_of():
    assert (lines_of("Rain fell.\nIt was cold."), lines_of(["Rain fell."])) == (
        ["Rain fell.", "It was cold."],
        ["Rain fell."],
    )


def test_as_sentences():
    assert (as_sentences("Rain fell. It was cold."), as_sentences("Rain fell.\nCold. Wet.")) == (
        ("Rain fell.", "It was cold."),
        ("Rain fell.", "Cold. Wet."),
    )


def test_background():
    background = Background(Counter(rain=3, the=9), Counter(rain=1, the=4), documents=4)
    assert background.total == 12
    assert background.idf(["the", "rain", "flood"]).round(2).tolist() == [0.0, 1.1, 2.2]


def test_default_background():
    assert default_background().counts["the"] > default_background().counts["rain"]
    assert default_background(stem=True).documents == 969


def test_log_likelihood_ratios():
    assert log_likelihood_ratios([10, 1], 100, [10, 10], 1000).round(2).tolist() == [22.91, 0.0]


def test_signature_weights():
    weights = signature_weights(["flood", "the"], [12, 30], default_background())
    assert (weights > SIGNATURE_CUTOFF).tolist() == [True, True]
