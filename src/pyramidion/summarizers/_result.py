"""Results of commands that make summaries, and the tables they share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from pyramidion.collection import Collection, Summary
from pyramidion.collection.formats._summaries import write_summaries
from pyramidion.errors import InputError, Where
from pyramidion.report.prose import ProseResult
from pyramidion.report.table import Table
from pyramidion.report.view import Column, View, data, shown
from pyramidion.rewriting._rewriter import Replacement
from pyramidion.rewriting._status.who import WhoIs

Key = tuple[tuple[str, str], ...]


class Made(Protocol):
    """A summary as a collection can have it."""

    @property
    def peer(self) -> Summary:
        """The summary as a peer."""


T = TypeVar("T", bound=Made)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SummaryResult(ProseResult[T]):
    """Summaries to read, and as peers of a collection.

    Parameters
    ----------
    collection
        What was summarized.
    """

    collection: Collection

    @property
    def peers(self) -> tuple[Summary, ...]:
        """The summaries as peers."""
        return tuple(made.peer for made in self.values)

    def to_collection(self) -> Collection:
        """Return what was summarized with the summaries added as peers, ready to be scored."""
        return replace(self.collection, summaries=(*self.collection.summaries, *self.peers))

    def save_peers(self, path: str | Path) -> None:
        """Write the summaries as peers, whole or not at all.

        A file that ends in ``.jsonl`` gets one summary per line; any other name is a new folder
        for the collection with the peers added, ready to be scored.
        """
        if Path(path).suffix == ".jsonl":
            write_summaries(self.peers, path)
        else:
            self.to_collection().save(path, format="collection")


def require_writable(path: str | Path, collection: Collection, systems: Iterable[str]) -> None:
    """Raise an error before the work if peers could not be written to a path."""
    path = Path(path)
    if path.suffix == ".jsonl":
        return
    if path.exists() and (path.is_file() or any(path.iterdir())):
        hint = "name a new folder, or a file that ends in .jsonl"
        raise InputError("this exists already", where=Where(path), hint=hint)
    for name in systems:
        if name in collection.systems:
            raise InputError(
                f"the collection has summaries by {name!r} already",
                hint="give these another name with --system",
            )


WHO: View[WhoIs] = View(
    "who",
    (
        Column("name", "name"),
        Column("text", "who"),
        data(
            "sources",
            lambda own: [
                {"text": one.text, "document": one.document, "index": one.index}
                for one in own.sources
            ],
        ),
        shown("from", lambda own: "; ".join(place(s.document, s.index) for s in own.sources)),
    ),
)


def who_table(people: Sequence[WhoIs], title: str = "", key: Key = ()) -> Table:
    """Return a table of who people are, with the sources."""
    return replace(WHO.table(people, titled(title, "who is who")), key=key)


def replacements_table(
    changes: Iterable[tuple[int, Replacement]], number: str, title: str, key: Key
) -> Table:
    """List replacements, each with the number of its sentence."""
    rows = tuple(
        (at, own.kind, own.before, own.after, own.reason, place(own.document, own.index))
        for at, own in changes
    )
    columns = (number, "kind", "before", "after", "reason", "from")
    about = titled(title, "what was rewritten")
    return Table(columns, rows, title=about, key=key, name="rewritten")


def titled(title: str, about: str) -> str:
    """Return the title of a table, with the summary's title if there are several."""
    return f"{title}: {about}" if title else about


def place(document: str, index: int | None) -> str:
    """Name a sentence of the input, counted from 1; an empty string if there is none."""
    return "" if index is None else f"{document}, sentence {index + 1}"
