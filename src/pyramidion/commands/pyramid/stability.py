"""``pyramidion pyramid stability``."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.collection._options import option
from pyramidion.commands._command import Command, Output
from pyramidion.errors import InputError
from pyramidion.pyramid import stability
from pyramidion.report.charts.style import require_figure_file


@dataclass(frozen=True, slots=True)
class StabilityFigures(Output):
    """Files for errors and correlations, and for the scores of one topic's summaries."""

    figure: Path | None = option(
        None, "Draw errors and correlations to this file (.svg, .pdf or .png)."
    )
    scores_figure: Path | None = option(
        None, "Draw the scores of each summary of one topic to this file (.svg, .pdf or .png)."
    )
    pair: tuple[str, ...] = option(
        (), "Draw only the scores of these two summaries.", metavar="A,B"
    )

    def prepare(self) -> None:
        """Refuse, before any work, what cannot be drawn or written."""
        for file in filter(None, (self.figure, self.scores_figure)):
            require_figure_file(file)
        if self.pair and self.scores_figure is None:
            raise InputError(
                "a pair of summaries, and no figure of scores",
                hint="name a file for it with --scores-figure",
            )
        if self.pair and len(set(self.pair)) != 2:
            raise InputError(
                f"{', '.join(self.pair)} is not a pair of summaries",
                hint="name two of them with a comma between",
            )

    def write(self, result: Any) -> Iterator[str]:
        """Draw what is asked for: all of it, or nothing if one cannot be drawn."""
        from pyramidion.report.charts import save

        if self.scores_figure is not None and len(result.topics) > 1:
            raise InputError(
                f"{len(result.topics)} pyramids, and one figure of scores",
                hint="choose one with --topic and --task",
            )
        draw = result.plot_pair if self.pair else lambda: result.plot("scores")
        scores = draw(*self.pair) if self.scores_figure is not None else None
        for file, figure in ((self.figure, None), (self.scores_figure, scores)):
            if file is not None:
                save(figure or result.plot("stability"), file)
                yield f"wrote {file}"


COMMAND = Command(stability, doing="growing pyramids of {source}", outputs=(StabilityFigures,))
