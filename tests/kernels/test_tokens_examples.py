"""Small examples of `pyramidion.kernels.tokens`."""

from pyramidion.kernels.tokens import rouge_tokens


def test_rouge_tokens():
    assert rouge_tokens("O'Donnell's café: 3.75% in mid-2027") == [
        "o",
        "donnell",
        "s",
        "caf",
        "3",
        "75",
        "in",
        "mid",
        "2027",
    ]
    assert rouge_tokens(b"caf\xe9 noir") == ["caf", "noir"]
