"""The exceptions of this package.

::

    PyramidionError
    ├── InputError               the input is invalid (exit code 2)
    │   ├── FormatError          a file does not follow its format
    │   ├── NotFoundError        a file, topic, system or measure does not exist
    │   ├── SeveralError         a single value was requested of a result that has several
    │   └── ShapeError           inputs do not fit together
    └── MissingExtraError        an optional dependency is not installed

Input that may be intended but deserves a look causes a warning: `DataNote` describes how data was
read, `DataWarning` reports implausible data, and `OffScaleWarning` scores off their declared scale,
which the command line refuses. `ClearTextWarning` reports a secret that is sent unencrypted.

Every message says what is wrong, where, and how to fix it, in one line:

>>> error = FormatError("column `value` is missing", where=Where("scores.csv", line=1),
...                     hint="add it to the header")
>>> print(error)
scores.csv, line 1: column `value` is missing; add it to the header
"""

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = [
    "ClearTextWarning",
    "DataNote",
    "DataWarning",
    "FormatError",
    "InputError",
    "MissingExtraError",
    "NotFoundError",
    "OffScaleWarning",
    "PyramidionError",
    "SeveralError",
    "ShapeError",
    "Where",
    "shortened",
    "visible",
]

#: The maximum length of a message; paths and quotations may be arbitrarily long.
MAX_MESSAGE_LENGTH = 300

# The command line puts its name in front of a message.
_MAX_ERROR_LENGTH = MAX_MESSAGE_LENGTH - len("pyramidion: ")

# Control characters, marks that change the writing direction, and lone surrogates.
_INVISIBLE_CHARACTERS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def visible(text: str, *, keep: str = "") -> str:
    r"""Escape characters that a terminal would obey or hide.

    Examples
    --------
    >>> print(visible("red\x1b[31m, \u202eback"))
    red\u001b[31m, \u202eback
    """
    if text.isprintable():
        return text
    return _INVISIBLE_CHARACTERS.sub(
        lambda match: match[0] if match[0] in keep else f"\\u{ord(match[0]):04x}", text
    )


def shortened(text: str, width: int) -> str:
    """Leave out the middle of a text that is longer than `width`.

    Examples
    --------
    >>> shortened("a very long name of a file", 12)
    'a ver...file'
    """
    if len(text) <= width:
        return text
    kept_length = width - 3
    return f"{text[: (kept_length + 1) // 2]}...{text[len(text) - kept_length // 2 :]}"


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Suggest the candidates that resemble a name; empty if there are none."""
    from difflib import get_close_matches

    lowercase_name = name.lower()
    names = {candidate.lower(): candidate for candidate in candidates}
    if lowercase_name in names:
        similar_names = [lowercase_name]
    elif not (similar_names := get_close_matches(lowercase_name, names, cutoff=0.65)):
        is_long_enough = len(lowercase_name) > 1
        similar_names = [other for other in names if is_long_enough and lowercase_name in other]
    suggestions = " or ".join(names[similar_name] for similar_name in similar_names[:3])
    return f"did you mean {suggestions}? " if suggestions else ""


def known_names(name: str, candidates: Iterable[str]) -> str:
    """Return the hint for an unknown name: similar names, and all that exist."""
    names = list(candidates)
    listing = ", ".join(name or repr(name) for name in names) or "none"
    return f"{did_you_mean(name, filter(None, names))}available: {listing}"


@dataclass(frozen=True, slots=True)
class Where:
    """A location: a file, and a line or element in it.

    Parameters
    ----------
    path
        The file, or a stand-in such as ``<stdin>``.
    line
        The line number, starting at 1.
    element
        An identifier inside the file: a topic, an SCU's uid, an XML element.

    Examples
    --------
    >>> str(Where("D0901.pyr", element="scu 13"))
    'D0901.pyr, scu 13'
    """

    path: str | Path
    line: int | None = None
    element: str | None = None

    def __str__(self) -> str:
        parts = [str(self.path)]
        if self.line is not None:
            parts.append(f"line {self.line}")
        if self.element is not None:
            parts.append(self.element)
        return ", ".join(parts)

    def error(self, problem: str, hint: str) -> "FormatError":
        """Create the error for a problem at this location."""
        return FormatError(problem, hint, where=self)


class PyramidionError(Exception):
    """The base class of all errors that this package raises on purpose.

    Parameters
    ----------
    problem
        What is wrong, as a clause without a period.
    hint
        How to fix it.
    where
        The location, if there is one.

    Examples
    --------
    >>> str(PyramidionError("no topics", hint="add topics.jsonl"))
    'no topics; add topics.jsonl'
    """

    def __init__(
        self, problem: str, hint: str | None = None, *, where: Where | None = None
    ) -> None:
        self.what = problem
        self.where = where
        self.hint = hint
        super().__init__(problem)

    def __str__(self) -> str:
        # A message is one readable line, whatever the quoted file contains.
        where, problem, hint = (
            visible(" ".join(part.split()))
            for part in (f"{self.where or ''}", self.what, self.hint or "")
        )
        where, hint = where + ": " * bool(where), "; " * bool(hint) + hint
        if len(where + problem + hint) > _MAX_ERROR_LENGTH:
            where = shortened(where, _MAX_ERROR_LENGTH // 3)
            problem = shortened(
                problem, _MAX_ERROR_LENGTH - len(where) - min(len(hint), _MAX_ERROR_LENGTH // 3)
            )
        return where + problem + shortened(hint, max(0, _MAX_ERROR_LENGTH - len(where + problem)))


class InputError(PyramidionError):
    """The input is invalid."""


class SeveralError(InputError, AttributeError):
    """An attribute of single-value results was requested of a result with several values."""


class FormatError(InputError):
    """A file does not follow its format."""


class NotFoundError(InputError):
    """A file, topic, system or measure does not exist."""


class ShapeError(InputError):
    """Inputs do not fit together."""


class MissingExtraError(PyramidionError):
    """An optional dependency is not installed.

    Parameters
    ----------
    feature
        The feature that needs it, as the subject of a sentence.
    extra
        The extra that installs it.
    package
        The package to install, if it is not part of an extra.

    Examples
    --------
    >>> str(MissingExtraError("reading Parquet", extra="frames"))
    'reading Parquet needs an optional dependency; run: pip install "pyramidion[frames]"'
    """

    def __init__(self, feature: str, *, extra: str = "", package: str = "") -> None:
        needed_text = f"the package {package}" if package else "an optional dependency"
        requirement = package or f'"pyramidion[{extra}]"'
        super().__init__(f"{feature} needs {needed_text}", hint=f"run: pip install {requirement}")


class DataNote(UserWarning):
    """A note on how ambiguous data was read, such as the meaning of columns."""


class DataWarning(DataNote):
    """Something in the data is implausible; results based on it may be wrong."""


class ClearTextWarning(UserWarning):
    """A key is sent over a connection that is not encrypted."""


class OffScaleWarning(DataWarning):
    """A score is off the declared scale of its measure."""


def show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Show a library's warning in one line, once, without its file and line."""
    prefix = "in the computation: " if issubclass(category, RuntimeWarning) else ""
    line = f"note: {prefix}{' '.join(str(message).split())}"
    if line not in _shown_warnings:
        _shown_warnings.add(line)
        print(shortened(visible(line), MAX_MESSAGE_LENGTH), file=sys.stderr)


_shown_warnings: set[str] = set()
