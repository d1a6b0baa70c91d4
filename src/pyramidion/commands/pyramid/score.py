"""``pyramidion pyramid score``."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.collection.formats.scores import require_scores_file, write_scores
from pyramidion.collection.questions import option
from pyramidion.commands._command import Command, Output
from pyramidion.pyramid import score


@dataclass(frozen=True, slots=True)
class ScoreTable(Output):
    """A file for the scores of every summary."""

    output: Path | None = option(
        None, "Write every summary's scores here, as .csv, .tsv, .jsonl or .parquet, for "
        "`pyramidion compare`.", flags=("--output", "-o"), metavar="FILE",
    )  # fmt: skip

    def prepare(self) -> None:
        """Refuse a name that no table of scores can have."""
        require_scores_file(self.output)

    def write(self, result: Any) -> Iterator[str]:
        """Write the table."""
        if self.output is not None:
            write_scores(result.to_scores(), self.output)
            yield f"wrote {self.output}"


COMMAND = Command(score, doing="scoring {source}", outputs=(ScoreTable,))
