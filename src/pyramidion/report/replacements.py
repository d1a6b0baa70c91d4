"""What was rewritten in a summary, as a table."""

from collections.abc import Iterable

from pyramidion.report.table import Table
from pyramidion.rewriting.edits import Replacement

__all__ = ["place", "replacements_table"]

Key = tuple[tuple[str, str], ...]

_COLUMNS = ("kind", "before", "after", "reason", "from")


def replacements_table(
    changes: Iterable[tuple[int, Replacement]],
    *,
    number: str = "sentence",
    title: str = "",
    key: Key = (),
) -> Table:
    """List replacements, each with the number of its sentence.

    Parameters
    ----------
    changes
        What was replaced in which sentence.
    number
        What those numbers are called.
    title, key
        Which summary it is about, for people and for programs.

    Examples
    --------
    >>> change = Replacement(0, 3, "Ode", "Ada Ode", "person", "first mention", "d1", 0)
    >>> print(replacements_table([(1, change)]).to_csv(), end="")
    sentence,kind,before,after,reason,from
    1,person,Ode,Ada Ode,first mention,"d1, sentence 1"
    """
    rows = tuple(
        (at, own.kind, own.before, own.after, own.reason, place(own.document, own.index))
        for at, own in changes
    )
    name = f"{title}: what was rewritten" if title else "what was rewritten"
    return Table((number, *_COLUMNS), rows, title=name, key=key)


def place(document: str, index: int | None) -> str:
    """Name a sentence of the input, counted from 1; nothing where there is none.

    Examples
    --------
    >>> place("d1", 0), place("", None)
    ('d1, sentence 1', '')
    """
    return "" if index is None else f"{document}, sentence {index + 1}"
