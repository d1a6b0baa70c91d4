"""The figures of a study of stability, as files."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.errors import InputError
from pyramidion.pyramid.stability.study import StabilitySettings
from pyramidion.report.pyramid_figure_files import require_figure_file
from pyramidion.report.pyramid_stability_tables import Together

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["StabilityFigures"]


@dataclass(frozen=True, slots=True)
class StabilityFigures:
    """Where the figures of a study are written, if anywhere.

    Parameters
    ----------
    errors
        A file for errors and rank correlations by order.
    scores
        A file for the scores of each summary of one topic by order.
    pair
        Two summaries, which alone are drawn there.

    Examples
    --------
    >>> StabilityFigures(pair=("A", "B")).require()
    Traceback (most recent call last):
    pyramidion.errors.InputError: a pair of summaries, and no figure of scores; ...
    """

    errors: Path | None = None
    scores: Path | None = None
    pair: tuple[str, ...] = ()

    def require(self) -> None:
        """Refuse, before any work, what cannot be drawn or written."""
        for file in (self.errors, self.scores):
            if file is not None:
                require_figure_file(file)
        if self.pair and self.scores is None:
            raise InputError(
                "a pair of summaries, and no figure of scores",
                hint="name a file for it with --scores-figure",
            )
        if self.pair and len(set(self.pair)) != 2:
            raise InputError(
                f"{', '.join(self.pair)} is no pair of summaries",
                hint="name two of them with a comma between",
            )

    def write(self, together: Together, settings: StabilitySettings) -> None:
        """Draw the figures that are asked for.

        Parameters
        ----------
        together
            The topics.
        settings
            What was studied.
        """
        from pyramidion.report.charts.style import save
        from pyramidion.report.figures.stability import stability_figure, study_note

        scores = None if self.scores is None else self._scores_figure(together)
        if self.errors is not None:
            points = sum(row.points for row in together.errors)
            figure = stability_figure(
                together.errors,
                together.correlations,
                resampled=together.resampled,
                note=study_note(settings.score, len(together.topics), points),
            )
            save(figure, self.errors)
        if scores is not None and self.scores is not None:
            save(scores, self.scores)

    def _scores_figure(self, together: Together) -> "Figure":
        from pyramidion.report.figures.growing_scores import (
            growing_pair_figure,
            growing_scores_figure,
        )

        if len(together.topics) > 1:
            raise InputError(
                f"{len(together.topics)} pyramids, and one figure of scores",
                hint="choose one with --topic and --task",
            )
        topic = together.topics[0]
        if self.pair:
            first, second = self.pair
            return growing_pair_figure(topic.study, first, second, title=topic.name)
        return growing_scores_figure(topic.study, title=topic.name)
