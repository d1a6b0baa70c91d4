"""Labels for tables, charts and file names."""

import html
import math
from collections import Counter
from collections.abc import Iterable

from pyramidion.errors import visible

_MAX_NAME_LENGTH = 36


def counted(number: int, singular: str, plural: str = "") -> str:
    """Format a number with its noun."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def with_arrow(measure: str, direction: str) -> str:
    """Add an arrow to a measure's name that shows which direction is better."""
    return f"{measure or 'score'} {'↓' if direction == 'lower' else '↑'}"


def heading_of(heading: str, measure: str, task: str) -> str:
    """Format a title: the content, the measure and the task."""
    subject = ", ".join(part for part in (measure, f"task {task}" if task else "") if part)
    return f"{heading}: {subject}" if subject else heading


def format_p(p: float) -> str:
    """Format a p-value compactly."""
    if math.isnan(p):
        return "?"
    if p < 0.001:
        return "<.001"
    return "1" if p > 0.9995 else f"{p:.3f}".lstrip("0")


def p_in_sentence(p: float) -> str:
    """Format a p-value for a sentence."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def short_names(names: Iterable[str]) -> list[str]:
    """Shorten names to one line each if they stay distinct."""
    one_line_names = [" ".join(name.split()) for name in names]
    short_forms = [short_name(name) for name in one_line_names]
    counts = Counter(short_forms)
    return [
        short_form if counts[short_form] == 1 else name
        for short_form, name in zip(short_forms, one_line_names, strict=True)
    ]


def short_name(name: str) -> str:
    """Put a name on one line, without the middle of a long one."""
    line = visible(" ".join(name.split()))
    if len(line) <= _MAX_NAME_LENGTH:
        return line
    n_half = (_MAX_NAME_LENGTH - 1) // 2
    return f"{line[: _MAX_NAME_LENGTH - 1 - n_half]}…{line[-n_half:]}"


def escape(text: str) -> str:
    """Escape a text for a page: neutralize tags, and characters that hide or reverse text."""
    return html.escape(visible(text, keep="\n\t"))
