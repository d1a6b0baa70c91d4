"""What an installed package can add to `summarize`: options, rewriting, and further tables."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from pyramidion.questions import Options
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import View
from pyramidion.summarizers._result import Key, titled
from pyramidion.summarizers._selection import Extract, Limit, Order
from pyramidion.summarizers._source import Source
from pyramidion.summarizers._summarizer import Summarizer


@dataclass(frozen=True, slots=True)
class Appendix:
    """Rows that belong to a summary: a table below it, and a list in its JSON record.

    Parameters
    ----------
    key
        What the record calls the list.
    title
        The title of the table.
    view
        The columns.
    rows
        What is listed; without rows there is no table.
    """

    key: str
    title: str
    view: View[Any]
    rows: tuple[Any, ...] = ()

    def tables(self, title: str = "", key: Key = ()) -> tuple[Table, ...]:
        """Return the table of a summary with this title and key, if there are rows."""
        if not self.rows:
            return ()
        about, key = titled(title, self.title), (("table", self.view.name), *key)
        return (self.view.table(self.rows, about, key=key),)

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as JSON records."""
        return self.view.records(self.rows)


@dataclass(frozen=True)
class SummaryMaker:
    """Makes summaries of one input; subclasses rewrite them.

    Parameters
    ----------
    source
        The input.
    """

    source: Source

    def of(self, source: Source) -> Self:
        """Return the same for another view of the input, such as without its question.

        Parameters
        ----------
        source
            The same sentences.
        """
        return replace(self, source=source)

    def summarize(self, method: Summarizer, limit: Limit, *, order: Order = "source") -> Extract:
        """Make a summary.

        Parameters
        ----------
        method, limit, order
            See `Summarizer.summarize`.
        """
        return method.summarize(self.source, limit, order=order)

    def appendices(self, text: str) -> tuple[Appendix, ...]:
        """Return what is to be listed with a summary.

        Parameters
        ----------
        text
            The summary.
        """
        return ()

    @property
    def details(self) -> Iterable[tuple[str, str]]:
        """What a signature says about the programs that were used."""
        return ()


@dataclass(frozen=True, slots=True)
class RewriterOptions(Options):
    """Options of rewriting: none, and nothing is rewritten, unless a package adds its own.

    It declares its subclass as an entry point of the group ``pyramidion.rewriters``. The options
    of that class become options of `summarize_collection` and of the command ``summarize``.
    """

    plugins: ClassVar[str] = "rewriters"
    #: Options that a folder of parts cannot take.
    not_in_parts: ClassVar[tuple[str, ...]] = ()

    @property
    def applied(self) -> tuple[str, ...]:
        """What is done to summaries; the names of their systems end in it."""
        return ()

    @property
    def details(self) -> Iterable[tuple[str, str]]:
        """What a signature says about it: what is not the default."""
        return ()

    @property
    def seed_used(self) -> int | None:
        """The seed, if anything is drawn at random."""
        return None

    def maker(self, source: Source) -> SummaryMaker:
        """Return what makes summaries of an input.

        Parameters
        ----------
        source
            The input.
        """
        return SummaryMaker(source)
