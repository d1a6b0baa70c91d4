"""Small examples of `pyramidion.rewriting._articles`, worked by hand."""

from pyramidion.rewriting._articles import balanced


def test_balanced():
    assert (balanced('He said "no" (twice).'), balanced('He said "no.')) == (True, False)
