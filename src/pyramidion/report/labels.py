"""What tables, charts and file names call things: short, counted, headed."""

import html
import math
from collections import Counter
from collections.abc import Iterable

from pyramidion.collection._ids import file_stem
from pyramidion.errors import visible

_LONGEST_NAME = 36


def counted(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> counted(1, "topic"), counted(2, "person", "people")
    ('1 topic', '2 people')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def arrowed(measure: str, direction: str) -> str:
    """Write a measure's name with the way in which it gets better.

    Examples
    --------
    >>> arrowed("js-input", "lower"), arrowed("", "higher")
    ('js-input ↓', 'score ↑')
    """
    return f"{measure or 'score'} {'↓' if direction == 'lower' else '↑'}"


def headed(what: str, measure: str, task: str) -> str:
    """Write a title: what is shown, of which measure, for which task.

    Examples
    --------
    >>> headed("Ranking", "rouge-2-r", "A"), headed("Ranking", "", "")
    ('Ranking: rouge-2-r, task A', 'Ranking')
    """
    about = ", ".join(part for part in (measure, f"task {task}" if task else "") if part)
    return f"{what}: {about}" if about else what


def shown_p(p: float) -> str:
    """Write a p-value in little room.

    Examples
    --------
    >>> [shown_p(p) for p in (0.0123, 0.0004, 1.0, math.nan)]
    ['.012', '<.001', '1', '?']
    """
    if math.isnan(p):
        return "?"
    if p < 0.001:
        return "<.001"
    return "1" if p > 0.9995 else f"{p:.3f}".lstrip("0")


def written_p(p: float) -> str:
    """Write a p-value in a sentence.

    Examples
    --------
    >>> written_p(0.01234), written_p(1e-9)
    ('p = 0.0123', 'p < 0.0001')
    """
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def short_names(names: Iterable[str]) -> list[str]:
    """Put names on one line each, and leave out the middle of long ones if they stay distinct.

    Examples
    --------
    >>> short_names(["7", "a-system-with-a-very-long-name-and-options-v2"])
    ['7', 'a-system-with-a-ve…me-and-options-v2']
    """
    whole = [" ".join(name.split()) for name in names]
    short = [short_name(name) for name in whole]
    count = Counter(short)
    return [brief if count[brief] == 1 else name for brief, name in zip(short, whole, strict=True)]


def short_name(name: str) -> str:
    """Put a name on one line, and leave out the middle of a long one.

    Examples
    --------
    >>> short_name("a-system-with-a-very-long-name-and-options-v2")
    'a-system-with-a-ve…me-and-options-v2'
    """
    line = visible(" ".join(name.split()))
    if len(line) <= _LONGEST_NAME:
        return line
    half = (_LONGEST_NAME - 1) // 2
    return f"{line[: _LONGEST_NAME - 1 - half]}…{line[-half:]}"


def figure_stem(*parts: str) -> str:
    """Join what a figure shows into the name of its file, without its ending.

    Examples
    --------
    >>> figure_stem("classy/25", "", "gap")
    'classy_25-gap'
    """
    return file_stem(*parts)


def escape(text: str) -> str:
    """Write a text for a page: no tags, and nothing that hides or turns what stands there.

    Examples
    --------
    >>> escape('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return html.escape(visible(text, keep="\n\t"))
