"""Who the people in a summary are, as a table and as data."""

from collections.abc import Sequence
from typing import Any

from pyramidion.report.replacements import place
from pyramidion.report.table import Table
from pyramidion.rewriting.status.who import WhoIs

__all__ = ["who_record", "who_table"]


def who_table(
    people: Sequence[WhoIs], *, title: str = "", key: tuple[tuple[str, str], ...] = ()
) -> Table:
    """Show who people are, and what that was put together from.

    Parameters
    ----------
    people
        The answers.
    title, key
        Which summary it is about, for people and for programs.

    Examples
    --------
    >>> print(who_table([WhoIs("Ada Ode", "Ada Ode is a senator.", ())]).to_csv(), end="")
    name,who,from
    Ada Ode,Ada Ode is a senator.,
    """
    rows = tuple(
        (own.name, own.text, "; ".join(place(one.document, one.index) for one in own.sources))
        for own in people
    )
    name = f"{title}: who is who" if title else "who is who"
    return Table(("name", "who", "from"), rows, title=name, key=key)


def who_record(own: WhoIs) -> dict[str, Any]:
    """Give an answer as data.

    Examples
    --------
    >>> who_record(WhoIs("Ada Ode", "Ada Ode is a senator.", ()))["sources"]
    []
    """
    sources = [{"text": s.text, "document": s.document, "index": s.index} for s in own.sources]
    return {"name": own.name, "text": own.text, "sources": sources}
