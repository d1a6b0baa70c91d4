"""Rendering of results: tables as text, CSV, LaTeX, JSON and HTML; charts; pages."""

from pyramidion.rendering.result import FORMS, Chart, Form, Result, signed
from pyramidion.rendering.saving import Savable
from pyramidion.rendering.table import Cell, Table

__all__ = ["FORMS", "Cell", "Chart", "Form", "Result", "Savable", "Table", "signed"]
