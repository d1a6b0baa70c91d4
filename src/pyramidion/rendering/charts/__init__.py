"""Charts: rows, tiles and bars are built in; all others need matplotlib (the extra ``plot``)."""

from pyramidion.rendering.charts.picture import Picture
from pyramidion.rendering.charts.style import FIGURE_FORMS, FigureForm, render, save

__all__ = ["FIGURE_FORMS", "FigureForm", "Picture", "render", "save"]
