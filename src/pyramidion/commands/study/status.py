"""``pyramidion study status``."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection._options import option
from pyramidion.commands._command import Command, Output
from pyramidion.evaluation.study import StatusResult, status


@dataclass(frozen=True, slots=True)
class ModelFile(Output):
    """A file for a model."""

    save: Path | None = option(
        None, "Train a model on the people in the data, and write it to this file."
    )

    def write(self, result: StatusResult) -> Iterator[str]:  # type: ignore[override]
        """Train the model and write it, of which nothing is told."""
        if self.save is not None:
            result.train_model().save(self.save)
        yield from ()


COMMAND = Command(status, doing="looking for people in {source}", outputs=(ModelFile,))
