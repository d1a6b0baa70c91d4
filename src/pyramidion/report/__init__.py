"""How answers look: tables as text, CSV, LaTeX and JSON."""

from pyramidion.report.answer import FORMS, Answer, Form
from pyramidion.report.table import Cell, Table

__all__ = ["FORMS", "Answer", "Cell", "Form", "Table"]
