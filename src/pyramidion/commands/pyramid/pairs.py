"""``pyramidion pyramid pairs``."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.collection._options import option
from pyramidion.collection.formats._scores import require_scores_file, write_scores
from pyramidion.commands._command import Command, Output
from pyramidion.evaluation import compare_by_units


@dataclass(frozen=True, slots=True)
class HitsFile(Output):
    """A file for the vectors of hits."""

    hits: Path | None = option(
        None,
        "Write the hits to this file (.csv, .tsv, .jsonl or .parquet), one row per system "
        "and content unit.",
    )

    def prepare(self) -> None:
        """Refuse a name that no table of scores can have."""
        require_scores_file(self.hits)

    def write(self, result: Any) -> Iterator[str]:
        """Write the table."""
        if self.hits is not None:
            write_scores(result.to_scores(), self.hits)
            yield f"wrote {self.hits}"


COMMAND = Command(compare_by_units, doing="comparing {source}", outputs=(HitsFile,))
