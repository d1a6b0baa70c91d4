"""Where automatic annotations, pyramids and scores are written."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.collection._options import option
from pyramidion.collection.formats._scores import require_scores_file
from pyramidion.commands._command import Output
from pyramidion.errors import InputError, Where
from pyramidion.pyramid._auto import AnnotationForm, AutoResult


@dataclass(frozen=True, slots=True)
class PyramidFolder(Output):
    """A new folder for pyramids."""

    folder: Path | None = option(
        None,
        "Write the pyramids as .pyr files to this new folder.",
        flags=("--output", "-o"),
        metavar="FOLDER",
    )

    def prepare(self) -> None:
        """Refuse a folder that is there, before the work, which may take long."""
        if self.folder is not None and self.folder.exists():
            raise InputError(
                "the folder exists already",
                where=Where(self.folder),
                hint="choose another name or remove it",
            )

    def write(self, result: AutoResult[Any]) -> Iterator[str]:  # type: ignore[override]
        """Write the folder."""
        if self.folder is not None:
            result.found.save(self.folder)
            yield f"wrote {self.folder}"


@dataclass(frozen=True, slots=True)
class AnnotationFiles(PyramidFolder):
    """A new folder for annotations, and a table of their scores."""

    folder: Path | None = option(
        None,
        "Write the annotations of peers to this new folder.",
        flags=("--output", "-o"),
        metavar="FOLDER",
    )
    to: AnnotationForm = option(
        "ducview",
        "Format of the output folder: ducview (.pyr and .pan files) or collection (the whole "
        "source, with these annotations and scores).",
    )
    scores: Path | None = option(
        None, "Write the automatic scores to this file (.csv, .tsv, .jsonl or .parquet)."
    )

    def prepare(self) -> None:
        """Refuse what cannot be written to."""
        PyramidFolder.prepare(self)
        require_scores_file(self.scores)

    def write(self, result: AutoResult[Any]) -> Iterator[str]:  # type: ignore[override]
        """Write the folder and the table."""
        if self.folder is not None:
            result.found.save(self.folder, self.to)
            yield f"wrote {self.folder}"
        if self.scores is not None:
            result.found.save_scores(self.scores)
            yield f"wrote {self.scores}"
