"""A conversion, and what became of everything."""

from pathlib import Path

from pyramidion.collection.formats import detect, read_collection, write_collection
from pyramidion.collection.signature import Signature
from pyramidion.errors import InputError, Where
from pyramidion.report.answer import Answer
from pyramidion.report.table import Cell, Table

__all__ = ["convert_answer"]


def convert_answer(
    source: str | Path,
    destination: str | Path,
    *,
    source_format: str | None = None,
    destination_format: str | None = None,
    replace: bool = False,
) -> Answer:
    """Convert a collection from one format to another.

    Parameters
    ----------
    source, destination
        What to read and what to write.
    source_format, destination_format
        The formats' names; guessed if they are not given.
    replace
        Allow an existing folder to be replaced.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Collection, Summary
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("mine", summaries=(Summary("T1", "7", "Rain."),)).save(f"{folder}/mine")
    ...     answer = convert_answer(f"{folder}/mine", f"{folder}/summaries.jsonl")
    >>> answer.results[0]["summaries"]
    1
    """
    _require_apart(Path(source), Path(destination))
    read_as = source_format or detect(source).name
    collection = read_collection(source, format=read_as)
    lost = write_collection(collection, destination, format=destination_format, replace=replace)
    result: dict[str, Cell] = {
        "source": str(source),
        "format": read_as,
        "destination": str(destination),
        "topics": len(collection.topic_ids),
        "summaries": len(collection.summaries),
        "scores": len(collection.scores),
        "pyramids": len(collection.pyramids),
        "annotated peers": len(collection.peer_annotations),
    }
    return Answer(
        command="convert",
        signature=Signature("convert", data=collection.data_hash),
        results=[result],
        tables=(Table(("", "read"), tuple(result.items()), title="Converted"),),
        left_out=(*collection.left_out, *(f"no place in the new format: {line}" for line in lost)),
    )


def _require_apart(source: Path, destination: Path) -> None:
    """Refuse to write a folder over the one that holds the source."""
    if destination.resolve() in source.resolve().parents:
        raise InputError(
            "the source lies in this folder", where=Where(destination), hint="write elsewhere"
        )
