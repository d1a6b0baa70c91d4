"""``pyramidion composite``."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.collection._options import option
from pyramidion.collection.formats._scores import write_scores
from pyramidion.commands._command import Command, FigureFolder, Output
from pyramidion.evaluation._composite import composite, composite_scores
from pyramidion.report.result import Result


@dataclass(frozen=True, slots=True)
class ScoresFile(Output):
    """A file for the components' scores."""

    scores: Path | None = option(
        None,
        "Write the component scores of every summary to this file (.csv, .tsv, .jsonl or "
        ".parquet).",
        metavar="FILE",
    )

    def write(self, result: Result[Any]) -> Iterator[str]:
        """Write the scores."""
        if self.scores is not None:
            write_scores(composite_scores(result), self.scores)
            yield f"wrote {self.scores}"


COMMAND = Command(
    composite, doing="composing the measures of {source}", outputs=(FigureFolder, ScoresFile)
)
