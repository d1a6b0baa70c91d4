"""Raw columns, as files and data frames give them, checked and made a table of scores."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyramidion.collection.scores import TEXT_COLUMNS, Scores
from pyramidion.collection.summaries import KINDS
from pyramidion.errors import FormatError, Where

__all__ = ["REQUIRED_COLUMNS", "scores_from_columns"]

#: Columns a table of scores cannot do without.
REQUIRED_COLUMNS = ("topic", "system", "kind", "measure", "value")

_VALUES = {"kind": " with human or machine on each row"}

# Makes the error for a row: which, what is wrong, how to mend it.
_Failure = Callable[[int, str, str], FormatError]


def scores_from_columns(
    columns: dict[str, list[Any]],
    *,
    where: Where | None = None,
    lines: Sequence[int] | None = None,
    row_names: str = "line",
) -> Scores:
    """Check columns of raw values and make a table of them.

    Parameters
    ----------
    columns
        Lists of equal length; text columns hold text or whole numbers, `value` numbers or
        text that reads as a number.
    where, lines, row_names
        How to name a row in a message: its file, its line, and the word before the number.

    Examples
    --------
    >>> scores_from_columns({"topic": ["T1"], "system": [7], "kind": ["machine"],
    ...                      "measure": ["m"], "value": ["0.5"]}).value.tolist()
    [0.5]
    """

    def fail(row: int, what: str, hint: str) -> FormatError:
        number = lines[row] if lines is not None else row + 1
        if where is not None and row_names == "line":
            return FormatError(what, where=Where(where.path, line=number), hint=hint)
        return FormatError(f"{row_names} {number}: {what}", where=where, hint=hint)

    for name in REQUIRED_COLUMNS:
        if name not in columns:
            seen = ", ".join(columns) or "none"
            raise FormatError(
                f"column `{name}` is missing",
                where=where,
                hint=f"add it{_VALUES.get(name, '')}; there are: {seen}",
            )
    texts = {name: _texts(columns[name], name, fail) for name in TEXT_COLUMNS if name in columns}
    for row, kind in enumerate(texts["kind"]):
        if kind not in KINDS:
            raise fail(row, f"`kind` is {kind!r}", "write human or machine")
    value = [_value(value, row, fail) for row, value in enumerate(columns["value"])]
    return Scores(texts, value)


def _texts(values: list[Any], name: str, fail: _Failure) -> list[str]:
    texts = values
    if set(map(type, values)) - {str}:
        texts = [_text(value, name, row, fail) for row, value in enumerate(values)]
    for text in dict.fromkeys(texts):
        if not text and name in REQUIRED_COLUMNS:
            raise fail(texts.index(text), f"`{name}` is empty", "fill it in")
        if "\n" in text or "\r" in text:
            hint = "take it out; a quotation mark may be open"
            raise fail(texts.index(text), f"`{name}` has a line break", hint)
    return texts


def _text(value: Any, name: str, row: int, fail: _Failure) -> str:
    if isinstance(value, str):
        return str(value)
    if value is None:
        return ""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return str(value)
    raise fail(row, f"`{name}` is {value!r}, not text", "write it as text")


def _value(value: Any, row: int, fail: _Failure) -> float:
    try:
        # Python would read 1_0 as ten and true as one.
        if isinstance(value, bool | np.bool_) or (isinstance(value, str) and "_" in value):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError):
        shown = "empty" if value in ("", None) else f"{value!r}, not a number"
        raise fail(row, f"`value` is {shown}", "write a number, or leave the row out") from None
    except OverflowError:
        raise fail(row, "`value` is too large", "write a number below 1e308") from None
    if not math.isfinite(number):
        raise fail(row, f"`value` is {value!r}", "leave the row out where nothing is known")
    return number
