"""Summaries of topics, to read or to score."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pyramidion.collection import Collection, Summary
from pyramidion.collection._articles import read_articles
from pyramidion.collection.formats.summaries import write_summaries
from pyramidion.collection.questions import Progress as Watcher
from pyramidion.errors import InputError, Where
from pyramidion.report.summaries import Summaries
from pyramidion.report.summarize_request import SummarizeRequest
from pyramidion.report.summary_text import TextAnswer

__all__ = ["SummarizeRequest", "SummaryAnswer", "Watcher", "summarize_answer", "write_peers"]


@dataclass(frozen=True, slots=True)
class SummaryAnswer(TextAnswer):
    """Summaries as an answer, and as peers of a collection.

    Parameters
    ----------
    peers
        The summaries as peers.
    collection
        What was summarized.

    Examples
    --------
    >>> from pyramidion.collection import Signature
    >>> SummaryAnswer("summarize", Signature("sum-avr"), [], ()).peers
    ()
    """

    peers: tuple[Summary, ...] = ()
    collection: Collection | None = None


def summarize_answer(
    paths: Sequence[str | Path],
    request: SummarizeRequest,
    *,
    known: Sequence[str | Path] = (),
    format: str | None = None,
    output: str | Path | None = None,
    watcher: Watcher | None = None,
) -> SummaryAnswer:
    """Summarize articles, or the topics of a collection.

    Parameters
    ----------
    paths, known, format
        What is read, see `read_articles`.
    request
        How it is summarized.
    output
        Where the summaries are written as peers, see `write_peers`; nowhere if not given.
    watcher
        Who looks on.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "a.txt"
    ...     _ = file.write_text("Heavy rain fell on Ardel. Goats were sold there as well.")
    ...     answer = summarize_answer([file], SummarizeRequest(words=5))
    >>> answer.results[0]["text"], answer.results[0]["words"]
    ('Heavy rain fell on Ardel.', 5)
    """
    watch = watcher or Watcher()
    collection = read_articles(paths, known=known, format=format)
    if output is not None:
        _require_writable(collection, request, Path(output))
    summaries = Summaries(collection, request)
    addresses = request.addresses(collection)
    for done, (task, topic) in enumerate(addresses, start=1):
        summaries.add(task, collection.topic(topic))
        watch.advance(done, len(addresses))
    summaries.require_any(Where(", ".join(map(str, paths))))
    answer = _answer(summaries)
    for line in summaries.notes():
        watch.message(line)
    if output is not None:
        write_peers(answer, output)
    return answer


def _answer(summaries: Summaries) -> SummaryAnswer:
    return SummaryAnswer(
        "summarize",
        summaries.signature,
        summaries.results(),
        summaries.tables(),
        summaries.left_out(),
        peers=summaries.peers(),
        collection=summaries.collection,
    )


def write_peers(answer: SummaryAnswer, path: str | Path) -> None:
    """Write summaries as peers, whole or not at all.

    Parameters
    ----------
    answer
        The summaries.
    path
        A file that ends in ``.jsonl`` gets them one a line; any other name is a new folder, which
        gets the collection with the peers added to it, ready to be scored.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Signature
    >>> from pyramidion.collection.formats import read_collection
    >>> answer = SummaryAnswer("summarize", Signature("lead"), [], (),
    ...                        peers=(Summary("T1", "lead", ("Rain fell.",)),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_peers(answer, f"{folder}/mine")
    ...     read_collection(f"{folder}/mine").systems
    {'lead': 'machine'}
    """
    collection = answer.collection or Collection("summaries")
    if _is_lines(Path(path)):
        write_summaries(answer.peers, path)
    else:
        both = replace(collection, summaries=(*collection.summaries, *answer.peers))
        both.save(path, format="collection")


def _is_lines(path: Path) -> bool:
    return path.suffix == ".jsonl"


def _require_writable(collection: Collection, request: SummarizeRequest, path: Path) -> None:
    """Refuse what could not be written before the work, not after it."""
    if _is_lines(path):
        return
    if path.exists() and (path.is_file() or any(path.iterdir())):
        hint = "name a new folder, or a file that ends in .jsonl"
        raise InputError("this exists already", where=Where(path), hint=hint)
    for method in request.summarizers:
        if (name := request.system_of(method)) in collection.systems:
            raise InputError(
                f"the collection has summaries by {name!r} already",
                hint="give these another name with --system",
            )
