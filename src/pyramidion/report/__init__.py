"""How results look: tables as text, CSV, LaTeX, JSON and HTML; charts; pages."""

from pyramidion.report.result import FORMS, Chart, Form, Result
from pyramidion.report.table import Cell, Table

__all__ = ["FORMS", "Cell", "Chart", "Form", "Result", "Table"]
