"""Summaries as JSONL: ``task, topic, system, kind, role, text``."""

from collections.abc import Iterable
from pathlib import Path

from pyramidion.collection._collection import Collection
from pyramidion.collection.formats.base import (
    Format,
    first_record,
    nonzero_counts,
    part_sizes,
    require_part,
)
from pyramidion.collection.measures import is_human
from pyramidion.collection.summaries import Summary
from pyramidion.files.reading import read_records
from pyramidion.files.writing import write_text


def read_summaries(path: str | Path) -> tuple[Summary, ...]:
    """Read summaries, one JSON object per line.

    Examples
    --------
    >>> read_summaries("nowhere.jsonl")
    Traceback (most recent call last):
    pyramidion.errors.NotFoundError: nowhere.jsonl: ...
    """
    return tuple(record.convert(Summary.from_record) for record in read_records(path))


def write_summaries(summaries: Iterable[Summary], path: str | Path) -> None:
    """Write summaries atomically, one JSON object per line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_summaries([Summary("D1", "1", "Rain fell.")], Path(folder) / "peers.jsonl")
    ...     read_summaries(Path(folder) / "peers.jsonl")[0].text
    'Rain fell.'
    """
    write_text(path, "".join(summary.to_line() for summary in summaries))


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    require_part(collection, "summaries")
    write_text(path, "".join(collection.summary_lines))
    return nonzero_counts(part_sizes(collection, "topics", "scores", "pyramids", "annotated peers"))


def _matches(path: Path) -> bool:
    """Recognize summaries; lines with references, documents or scores are a table."""
    record = first_record(path)
    has_human_scores = any(
        isinstance(record[name], int | float) and is_human(name) for name in record
    )
    other_fields = record.keys() & {"reference", "references", "documents"}
    return (
        {"topic", "system", "text"} <= record.keys() and not other_fields and not has_human_scores
    )


FORMAT = Format(
    name="summaries",
    title="summaries, one JSON object per line (task, topic, system, kind, role, text)",
    matches=_matches,
    read=lambda path: Collection(path.name.split(".")[0], summaries=read_summaries(path)),
    write=_write,
    suffixes=("summaries.jsonl",),
)
