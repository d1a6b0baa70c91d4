"""Charts, for people with the extra ``plot``: drawn with matplotlib, written as SVG, PDF or PNG."""

from pyramidion.report.charts.style import FIGURE_FORMS, FigureForm, render, save

__all__ = ["FIGURE_FORMS", "FigureForm", "render", "save"]
