"""``pyramidion study references``."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection._options import option
from pyramidion.commands._command import Command, Output
from pyramidion.commands.study._figure import StudyFigure
from pyramidion.errors import InputError, Where
from pyramidion.evaluation.study import ReferencesResult, references


@dataclass(frozen=True, slots=True)
class ChainsFile(Output):
    """A file for the chains."""

    save: Path | None = option(
        None, "Write the Markov chains to this file, for `rewrite --later sampled --chains`.",
        metavar="FILE.json",
    )  # fmt: skip

    def prepare(self) -> None:
        """Refuse another kind of file."""
        if self.save is not None and self.save.suffix != ".json":
            raise InputError(
                "chains are written as JSON", where=Where(self.save), hint="end the name in .json"
            )

    def write(self, result: ReferencesResult) -> Iterator[str]:  # type: ignore[override]
        """Write the chains."""
        if self.save is not None:
            result.save_chains(self.save)
            yield f"wrote {self.save}"


COMMAND = Command(references, doing="looking for people", outputs=(StudyFigure, ChainsFile))
