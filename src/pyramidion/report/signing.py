"""What a signature says about what was asked."""

from collections.abc import Iterable

__all__ = ["Details", "named"]

#: Names and values, as `Signature` has them.
Details = tuple[tuple[str, str], ...]


def named(name: str, values: Iterable[object], usual: Iterable[object] = ()) -> Details:
    """Say in a signature what was asked for, unless it is what is always done.

    Parameters
    ----------
    name
        What it is called.
    values
        What was asked for.
    usual
        What is done where nothing is said.

    Examples
    --------
    >>> named("top", (3, 4), (5, 8, 12)), named("topic", ())
    ((('top', '3+4'),), ())
    """
    asked = tuple(values)
    return () if asked == tuple(usual) else ((name, "+".join(map(str, asked))),)
