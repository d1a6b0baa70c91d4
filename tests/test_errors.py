"""The tree of errors and its messages."""

from pyramidion import errors
from pyramidion.errors import FormatError, PyramidionError, Where


def test_every_error_is_in_the_tree_that_the_docstring_draws():
    for name in errors.__all__:
        kind = getattr(errors, name)
        if isinstance(kind, type) and issubclass(kind, Exception):
            assert issubclass(kind, PyramidionError | UserWarning)
            assert name in errors.__doc__


def test_a_message_is_one_line_whatever_it_quotes():
    error = FormatError("a\nb\r\nc", where=Where("x\ny", line=3), hint="d\te")
    assert str(error) == "x y, line 3: a b c; d e"


def test_a_message_can_be_read_at_once_whatever_it_quotes():
    where = Where("folder/" * 100 + "scores.csv", line=3)
    message = str(FormatError("a column " + "x" * 10_000, "add it " * 100, where=where))
    assert len(f"pyramidion: {message}") <= 300
    assert "scores.csv, line 3: a column x" in message
    assert "x; add it" in message
