"""What tables, charts and file names call things: short, counted, headed."""

import html
import math
from collections import Counter
from collections.abc import Iterable

from pyramidion.errors import visible

_LONGEST_NAME = 36


def counted(number: int, singular: str, many: str = "") -> str:
    """Write a number with its noun."""
    return f"{number:,} {singular if number == 1 else many or singular + 's'}"


def arrowed(measure: str, direction: str) -> str:
    """Write a measure's name with the way in which it gets better."""
    return f"{measure or 'score'} {'↓' if direction == 'lower' else '↑'}"


def headed(what: str, measure: str, task: str) -> str:
    """Write a title: what is shown, of which measure, for which task."""
    about = ", ".join(part for part in (measure, f"task {task}" if task else "") if part)
    return f"{what}: {about}" if about else what


def shown_p(p: float) -> str:
    """Write a p-value in little room."""
    if math.isnan(p):
        return "?"
    if p < 0.001:
        return "<.001"
    return "1" if p > 0.9995 else f"{p:.3f}".lstrip("0")


def written_p(p: float) -> str:
    """Write a p-value in a sentence."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def short_names(names: Iterable[str]) -> list[str]:
    """Put names on one line each, and leave out the middle of long ones if they stay distinct."""
    whole = [" ".join(name.split()) for name in names]
    short = [short_name(name) for name in whole]
    count = Counter(short)
    return [brief if count[brief] == 1 else name for brief, name in zip(short, whole, strict=True)]


def short_name(name: str) -> str:
    """Put a name on one line, and leave out the middle of a long one."""
    line = visible(" ".join(name.split()))
    if len(line) <= _LONGEST_NAME:
        return line
    half = (_LONGEST_NAME - 1) // 2
    return f"{line[: _LONGEST_NAME - 1 - half]}…{line[-half:]}"


def escape(text: str) -> str:
    """Write a text for a page: no tags, and nothing that hides or reverses text."""
    return html.escape(visible(text, keep="\n\t"))
