"""Results of commands that make summaries, and shared tables."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pyramidion.collection import Collection, Summary
from pyramidion.collection.formats import write_summaries
from pyramidion.errors import InputError, Where
from pyramidion.files.writing import write_text
from pyramidion.rendering.labels import counted
from pyramidion.rendering.prose import ProseResult
from pyramidion.rendering.result import Form
from pyramidion.rendering.saving import Savable
from pyramidion.rendering.table import Table, markdown_text
from pyramidion.summarizers._replacements import Replacement

Key = tuple[tuple[str, str], ...]


class HasPeer(Protocol):
    """A summary that can become a peer of a collection."""

    @property
    def peer(self) -> Summary:
        """The summary as a peer."""


T = TypeVar("T", bound=HasPeer)

#: Suffixes of files for the printed answer.
_ANSWER_SUFFIXES = (".txt", ".md", ".json", ".csv", ".tex")
#: Suffixes of files that are written instead of the printed answer.
_PAGE_SUFFIXES = (".html", ".htm")
_FILE_SUFFIXES = (".jsonl", *_PAGE_SUFFIXES)


def _is_for_peers(name: str) -> bool:
    """Return whether a path is for peers rather than for the printed answer."""
    path = Path(name)
    if name.endswith("/") or path.suffix in ("", *_FILE_SUFFIXES) or path.is_dir():
        return True
    if path.suffix not in _ANSWER_SUFFIXES:
        message = "this could be a folder or a file"
        hint = f"write {path}/ for a folder, or use a suffix: "
        hint += f"{', '.join((*_FILE_SUFFIXES, *_ANSWER_SUFFIXES))}"
        raise InputError(message, where=Where(path), hint=hint)
    return False


def _require_folder(path: Path) -> None:
    if path.suffix in _FILE_SUFFIXES and not path.parent.is_dir():
        message = f"the folder {path.parent} does not exist"
        raise InputError(message, "create it first", where=Where(path))


#: The summaries, unless --output names a file for the printed answer.
PEERS_FILE = Savable(
    "summaries", "Where to write: FILE.jsonl for the summaries as peers; a new FOLDER/ for the "
    "collection with the summaries, ready for `score`; FILE.html for a page with the articles, in "
    "which each sentence links to its source; FILE.txt, .md, .json, .csv or .tex for the printed "
    "output.", lambda result: result.save_peers, _require_folder,
    flags=("--output", "-o"), metavar="PATH",
    message=lambda result, path: f"wrote {path}: {counted(len(result), 'summary', 'summaries')}",
    for_parts=True, instead_of_answer=_is_for_peers,
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SummaryResult(ProseResult[T]):
    """Summaries to read, and as peers of a collection."""

    saves = (PEERS_FILE,)

    collection: Collection
    #: Returns the summaries with titles and articles, for pages and Markdown.
    sourced: Callable[[], Sequence[tuple[str, Any]]] | None = None

    def iter_render(
        self, form: Form, *, width: int | None = None, styled: bool = False
    ) -> Iterator[str]:
        """Write it piece by piece; Markdown has footnotes that quote the articles."""
        if form != "markdown" or self.sourced is None:
            yield from ProseResult.iter_render(self, form, width=width, styled=styled)
            return
        from pyramidion.summarizers._page import summary_markdown

        yield from summary_markdown(self.sourced())
        yield from (f"{t.to_markdown()}\n" for t in self.tables if t.name != "summary")
        yield f"`{markdown_text(str(self.signature))}`\n"

    def to_page(self) -> str:
        """Return a page with the summaries next to their articles."""
        from pyramidion.summarizers._page import summary_page

        if self.sourced is None:
            hint = "use `summarize` on articles, or another form of output"
            raise InputError("these summaries have no page with their articles", hint=hint)
        return summary_page(self.collection.name, self.sourced(), str(self.signature))

    def closing(self, form: Form) -> Iterator[str]:
        """Return the signature for the terminal, where tables have none."""
        if form == "table":
            yield str(self.signature)

    @property
    def peers(self) -> tuple[Summary, ...]:
        """The summaries as peers."""
        return tuple(summary.peer for summary in self.values)

    def to_collection(self) -> Collection:
        """Return the collection with the summaries added as peers, ready to be scored."""
        return replace(self.collection, summaries=(*self.collection.summaries, *self.peers))

    def save_peers(self, path: str | Path) -> None:
        """Write the summaries as peers, whole or not at all.

        A file that ends in ``.jsonl`` gets one summary per line, and one that ends in ``.html`` is
        a page with the articles (`to_page`); any other name is a new folder
        for the collection with the peers added, ready to be scored.
        """
        if Path(path).suffix == ".jsonl":
            write_summaries(self.peers, path)
        elif Path(path).suffix in _PAGE_SUFFIXES:
            write_text(path, self.to_page())
        else:
            self.to_collection().save(path, format="collection")


def require_writable(path: str | Path, collection: Collection, systems: Iterable[str]) -> None:
    """Raise an error early if peers could not be written to a path."""
    path = Path(path)
    if path.suffix in _FILE_SUFFIXES:
        return
    if path.exists() and (path.is_file() or any(path.iterdir())):
        hint = "name a new folder, or a file that ends in .jsonl"
        raise InputError("this already exists", where=Where(path), hint=hint)
    for name in systems:
        if name in collection.systems:
            raise InputError(
                f"the collection already has summaries by {name!r}",
                hint="choose another name with --system",
            )


def replacements_table(
    changes: Iterable[tuple[int, Replacement]], number: str, title: str, key: Key
) -> Table:
    """List replacements, each with the number of its sentence.

    Parameters
    ----------
    changes
        Pairs of a sentence's number and a replacement.
    number
        The heading of these numbers.
    title, key
        The title of the summary, if there are several, and the key of the table.

    Examples
    --------
    >>> change = Replacement(0, 5, "Rubin", "Robert Rubin", "person", "first mention", "d1", 3)
    >>> replacements_table([(1, change)], "sentence", "", ()).rows
    ((1, 'person', 'Rubin', 'Robert Rubin', 'first mention', 'd1, sentence 4'),)
    """
    rows = tuple(
        (
            index,
            change.kind,
            change.before,
            change.after,
            change.reason,
            sentence_label(change.document, change.index),
        )
        for index, change in changes
    )
    columns = (number, "kind", "before", "after", "reason", "from")
    heading = table_title(title, "what was rewritten")
    return Table(columns, rows, title=heading, key=key, name="rewritten")


def table_title(title: str, subject: str) -> str:
    """Return the title of a table, with the summary's title if there are several."""
    return f"{title}: {subject}" if title else subject


def sentence_label(document: str, index: int | None) -> str:
    """Name a sentence by its document and its number, from 1; empty if there is none.

    Examples
    --------
    >>> sentence_label("d1", 3)
    'd1, sentence 4'
    """
    return "" if index is None else f"{document}, sentence {index + 1}"
