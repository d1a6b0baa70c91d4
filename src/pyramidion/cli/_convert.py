"""``pyramidion convert``: convert a collection to another format, and report what was lost."""

import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from typing import ParamSpec, TypeVar

from pyramidion.collection import Collection, Judgment
from pyramidion.collection.checking import with_findings
from pyramidion.collection.formats import all_formats, write_collection
from pyramidion.collection.formats.reading import FormatReading, read_as
from pyramidion.collection.sources import ScoreReading
from pyramidion.errors import InputError, PyramidionError, Where
from pyramidion.files.writing import followed
from pyramidion.questions import argument, option, question
from pyramidion.rendering.result import Result, signed
from pyramidion.rendering.table import Cell, Table

_P = ParamSpec("_P")
_R = TypeVar("_R")


@dataclass(frozen=True, slots=True)
class Conversion(ScoreReading):
    """The source and the destination."""

    source: Path = argument("File or folder to read.")
    destination: Path = argument(
        "File or folder to write; a name without an ending becomes a collection folder."
    )
    destination_format: str | None = option(
        None, "Format of the destination; by default, it follows from the name.",
        flags=("--to",), metavar="FORMAT",
    )  # fmt: skip
    measures: tuple[str, ...] = option(
        (), "Columns of measures, as name=column; by default all numeric columns that are not "
        "used otherwise.", metavar="NAME=COLUMN",
    )  # fmt: skip
    dry_run: bool = option(
        False, "Show the first three records as they would be read, and write nothing.",
        flags=("--dry-run",),
    )  # fmt: skip
    force: bool = option(
        False, "Replace the destination folder if it already exists.", flags=("--force",)
    )

    def check(self) -> None:
        """Refuse to overwrite a folder that contains the source."""
        if followed(self.destination) in followed(self.source).parents:
            where = Where(self.destination)
            raise InputError("this folder contains the source", where=where, hint="write elsewhere")


def _listing_formats(run: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add the names of the installed formats to a docstring."""
    names: list[str] = []
    # A broken plug-in is reported when a file is read, not in the help.
    with suppress(PyramidionError):
        names.extend(format.name for format in all_formats())
    run.__doc__ = f"{cleandoc(run.__doc__ or '')} Formats: {', '.join(names)}."
    return run


@question
@_listing_formats
def convert(options: Conversion) -> Result[dict[str, Cell]]:
    """Convert a collection to another format, and count the data that it cannot represent.

    Any CSV, TSV, JSONL or Parquet table with one row per summary or judgment can be read: name its
    columns with --columns and --measures, and try it with --dry-run.
    """
    reading = read_as(
        options.source,
        format=options.source_format,
        requested_columns=options.columns,
        measures=options.measures,
        logs=options.log_settings,
    )
    collection = with_findings(options.repairs.apply(reading.collection), Where(options.source))
    tables = [_mapping_lines(reading, options)] if reading.columns else []
    record: dict[str, Cell] = {
        "source": str(options.source),
        "format": reading.format,
        "destination": str(options.destination),
        "topics": len(collection.topic_ids),
        "summaries": len(collection.summaries),
        "scores": len(collection.scores),
        **({"preferences": len(preferences)} if len(preferences := collection.preferences) else {}),
        "pyramids": len(collection.pyramids),
        "annotated peers": len(collection.peer_annotations),
    }
    if options.dry_run:
        tables.append(_first_records(collection))
        omitted_lines: tuple[str, ...] = ()
    else:
        omitted_lines = write_collection(
            collection,
            options.destination,
            format=options.destination_format,
            replace=options.force,
        )
        tables.append(Table(("", "read"), tuple(record.items()), "Converted", name="converted"))
    return Result(
        command="convert",
        signature=signed("convert", collection.data_hash),
        values=[record],
        tables=tables,
        left_out=(
            *collection.left_out,
            *(f"not stored in the new format: {line}" for line in omitted_lines),
        ),
        mended=collection.repaired,
    )


def _mapping_lines(reading: FormatReading, options: Conversion) -> Table:
    """Show how each column was read, and the options that repeat it."""
    paths = shlex.join([str(options.source), str(options.destination)])
    command = f"pyramidion convert {paths} " if reading.format == "table" else ""
    note = f"To repeat or change this: {command}{reading.flags}"
    return Table(("part", "column"), reading.columns, title="Columns", name="columns", note=note)


def _first_records(collection: Collection) -> Table:
    """Show how the first three summaries, or scores, were read."""
    peers = [summary for summary in collection.summaries if summary.is_peer][:3]
    rows: list[tuple[Cell, ...]] = []
    for number, peer in enumerate(peers, start=1):
        scores = collection.scores.select(task=peer.task, topic=peer.topic, system=peer.system)
        references = collection.references(peer.topic, peer.task)
        documents = collection.documents(peer.topic, peer.task)
        first_records = [
            ("topic", peer.topic),
            ("system", f"{peer.system} ({peer.kind})"),
            ("text", _cut_text(peer.plain)),
            *(("reference", _cut_text(reference.plain)) for reference in references),
            *(("document", _cut_text(document.text)) for document in documents),
            *((score.measure, _format_score(score)) for score in scores),
        ]
        rows += [(number, *part) for part in first_records]
    if not peers:
        for number, preference in zip(range(1, 4), collection.preferences, strict=False):
            names = ("topic", "first", "second", "choice", "measure", "assessor")
            rows += [(number, name, str(getattr(preference, name))) for name in names]
        for number, score in zip(range(1, 4), collection.scores, strict=False):
            rows += [(number, "topic", score.topic), (number, "system", score.system)]
            rows.append((number, score.measure, _format_score(score)))
    return Table(("record", "part", "read as"), tuple(rows), title="First records", name="records")


def _format_score(score: Judgment) -> str:
    return f"{score.value:g}" + (f" by {score.assessor}" if score.assessor else "")


def _cut_text(text: str, length: int = 60) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= length else f"{one_line[: length - 1]}…"
