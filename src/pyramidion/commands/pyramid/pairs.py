"""``pyramidion pyramid pairs``."""

from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection._options import option
from pyramidion.commands._command import Command, ScoreFile
from pyramidion.evaluation import compare_by_units


@dataclass(frozen=True, slots=True)
class HitsFile(ScoreFile):
    """A file for the vectors of hits."""

    hits: Path | None = option(
        None,
        "Write the hits to this file (.csv, .tsv, .jsonl or .parquet), one row per system "
        "and content unit.",
    )


COMMAND = Command(compare_by_units, doing="comparing {source}", outputs=(HitsFile,))
