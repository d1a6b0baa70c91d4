"""``pyramidion convert``: a collection from one format to another, and what became of it."""

from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection._options import argument, option
from pyramidion.collection._questions import Options, question
from pyramidion.collection.formats import detect, read_collection, write_collection
from pyramidion.commands._command import Command
from pyramidion.errors import InputError, Where
from pyramidion.report.result import Result, signed
from pyramidion.report.table import Cell, Table


@dataclass(frozen=True, slots=True)
class Conversion(Options):
    """What is converted into what."""

    source: Path = argument("File or folder to read.")
    destination: Path = argument(
        "File or folder to write; a name without an ending becomes a collection folder."
    )
    source_format: str | None = option(
        None, "Format of the source; detected by default.", flags=("--from",), metavar="FORMAT"
    )
    destination_format: str | None = option(
        None, "Format of the destination; by default from its name.",
        flags=("--to",), metavar="FORMAT",
    )  # fmt: skip
    force: bool = option(
        False, "Replace the destination folder if it already exists.", flags=("--force",)
    )

    def check(self) -> None:
        """Refuse to write a folder over the one that holds the source."""
        if self.destination.resolve() in self.source.resolve().parents:
            raise InputError(
                "the source lies in this folder",
                where=Where(self.destination),
                hint="write elsewhere",
            )


@question
def convert(asked: Conversion) -> Result[dict[str, Cell]]:
    """Convert a collection to another format, and count what that format cannot hold.

    Formats: collection, scores, pyramids, summaries, summeval, judged, realsumm, ducview, rouge,
    duc.
    """
    read_as = asked.source_format or detect(asked.source).name
    collection = read_collection(asked.source, format=read_as)
    lost = write_collection(
        collection, asked.destination, format=asked.destination_format, replace=asked.force
    )
    found: dict[str, Cell] = {
        "source": str(asked.source),
        "format": read_as,
        "destination": str(asked.destination),
        "topics": len(collection.topic_ids),
        "summaries": len(collection.summaries),
        "scores": len(collection.scores),
        "pyramids": len(collection.pyramids),
        "annotated peers": len(collection.peer_annotations),
    }
    return Result(
        command="convert",
        signature=signed("convert", collection.data_hash),
        values=[found],
        tables=[Table(("", "read"), tuple(found.items()), title="Converted", name="converted")],
        left_out=(*collection.left_out, *(f"no place in the new format: {line}" for line in lost)),
    )


COMMAND = Command(convert, doing="converting {source}")
