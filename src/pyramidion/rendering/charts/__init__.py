"""Charts: rows, tiles and bars as pictures; all others, with the extra ``plot``, by matplotlib."""

from pyramidion.rendering.charts.picture import Picture
from pyramidion.rendering.charts.style import FIGURE_FORMS, FigureForm, render, save

__all__ = ["FIGURE_FORMS", "FigureForm", "Picture", "render", "save"]
