"""Small examples of `pyramidion.rouge._rouge`."""

from pyramidion.rouge._rouge import LengthLimit


def test_limit():
    assert LengthLimit(3, "words").flat([b"Rain fell.", b"Roads closed early."]) == [
        b"Rain fell.",
        b"Roads",
    ]
