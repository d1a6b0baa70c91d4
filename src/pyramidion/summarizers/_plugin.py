"""Extensions of `summarize` by plug-ins: options, rewriting and tables."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from pyramidion.questions import Options
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import View
from pyramidion.summarizers._result import Key, table_title
from pyramidion.summarizers._selection import Extract, Limit, Order
from pyramidion.summarizers._source import Source
from pyramidion.summarizers._summarizer import Summarizer


@dataclass(frozen=True, slots=True)
class Appendix:
    """Rows that belong to a summary: a table below it, and a list in its JSON record.

    Parameters
    ----------
    key
        The key of the list in the record.
    title, view, rows
        The table's title, columns and rows; without rows there is no table.
    """

    key: str
    title: str
    view: View[Any]
    rows: tuple[Any, ...] = ()

    def tables(self, title: str = "", key: Key = ()) -> tuple[Table, ...]:
        """Return the table of a summary with this title and key, if there are rows."""
        if not self.rows:
            return ()
        heading, key = table_title(title, self.title), (("table", self.view.name), *key)
        return (self.view.table(self.rows, heading, key=key),)

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as JSON records."""
        return self.view.records(self.rows)


@dataclass(frozen=True)
class SummaryMaker:
    """Makes summaries of one input; subclasses rewrite them."""

    source: Source

    def of(self, source: Source) -> Self:
        """Return a maker for another version of the same sentences, such as without a question."""
        return replace(self, source=source)

    def summarize(self, method: Summarizer, limit: Limit, *, order: Order = "source") -> Extract:
        """Make a summary; see `Summarizer.summarize`."""
        return method.summarize(self.source, limit, order=order)

    def appendices(self, text: str) -> tuple[Appendix, ...]:
        """Return the appendices of a summary of this text."""
        return ()

    @property
    def details(self) -> Iterable[tuple[str, str]]:
        """Details of a signature: the programs that were used."""
        return ()


@dataclass(frozen=True, slots=True)
class RewriterOptions(Options):
    """Options of rewriting; none unless a plug-in adds its own.

    A plug-in declares a subclass as an entry point of the group ``pyramidion.rewriters``; its
    options become options of `summarize_collection` and of the command ``summarize``.
    """

    plugins: ClassVar[str] = "rewriters"
    #: Options that do not apply to a folder of parts.
    not_in_parts: ClassVar[tuple[str, ...]] = ()

    @property
    def applied(self) -> tuple[str, ...]:
        """Names of the rewriting steps, appended to the names of systems."""
        return ()

    @property
    def details(self) -> Iterable[tuple[str, str]]:
        """Details of a signature: options that are not the default."""
        return ()

    @property
    def seed_used(self) -> int | None:
        """The seed, if anything is drawn at random."""
        return None

    def maker(self, source: Source) -> SummaryMaker:
        """Return the maker of an input's summaries."""
        return SummaryMaker(source)
