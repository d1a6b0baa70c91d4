"""Figures, for people with the extra ``plot``: drawn with matplotlib, written as SVG, PDF or PNG.

Each function takes results and gives a figure; `save` writes it:

>>> import tempfile
>>> from pyramidion.collection import ScoreMatrix
>>> matrix = ScoreMatrix([[1, 2], [3, 4]], ["T1", "T2"], ["7", "8"], measure="responsiveness")
>>> with tempfile.TemporaryDirectory() as folder:
...     save(score_matrix_figure(matrix), f"{folder}/scores.pdf").name
'scores.pdf'
"""

from pyramidion.report.charts.style import FIGURE_FORMS, FigureForm, render, save
from pyramidion.report.figures.power import power_figure
from pyramidion.report.figures.ranking import ranking_figure
from pyramidion.report.figures.score_matrix import score_matrix_figure
from pyramidion.report.figures.significance import significance_figure
from pyramidion.report.figures.tukey import tukey_figure
from pyramidion.report.figures.win_tie_loss import win_tie_loss_figure

__all__ = [
    "FIGURE_FORMS",
    "FigureForm",
    "power_figure",
    "ranking_figure",
    "render",
    "save",
    "score_matrix_figure",
    "significance_figure",
    "tukey_figure",
    "win_tie_loss_figure",
]
