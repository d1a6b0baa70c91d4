"""Small examples of `pyramidion.rouge._rouge`."""

from pyramidion.rouge._rouge import Limit


def test_limit():
    assert Limit(3, "words").flat([b"Rain fell.", b"Roads closed early."]) == [
        b"Rain fell.",
        b"Roads",
    ]
