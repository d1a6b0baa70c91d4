"""The exceptions, as one small tree.

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
LONGEST = 300

# The command line puts its name in front of a message.
_MAX_LENGTH = LONGEST - len("pyramidion: ")

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
        lambda m: m[0] if m[0] in keep else f"\\u{ord(m[0]):04x}", text
    )


def shortened(text: str, width: int) -> str:
    """Leave out the middle of a text that is too long.

    Examples
    --------
    >>> shortened("a very long name of a file", 12)
    'a ver...file'
    """
    if len(text) <= width:
        return text
    length = width - 3
    return f"{text[: (length + 1) // 2]}...{text[len(text) - length // 2 :]}"


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Suggest the candidates that resemble a name; empty if there are none."""
    from difflib import get_close_matches

    names, text = {candidate.lower(): candidate for candidate in candidates}, name.lower()
    similar_names = [text] if text in names else get_close_matches(text, names, cutoff=0.65)
    similar_names = similar_names or [
        known_name for known_name in names if len(text) > 1 and text in known_name
    ]
    return (
        f"did you mean {' or '.join(names[known_name] for known_name in similar_names[:3])}? "
        if similar_names
        else ""
    )


def known_names(name: str, candidates: Iterable[str]) -> str:
    """Return the hint for an unknown name: similar names, and all that exist."""
    names = list(candidates)
    names_text = ", ".join(name or repr(name) for name in names) or "none"
    return f"{did_you_mean(name, filter(None, names))}available: {names_text}"


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
        if len(where + problem + hint) > _MAX_LENGTH:
            where = shortened(where, _MAX_LENGTH // 3)
            problem = shortened(
                problem, _MAX_LENGTH - len(where) - min(len(hint), _MAX_LENGTH // 3)
            )
        return where + problem + shortened(hint, max(0, _MAX_LENGTH - len(where + problem)))


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
        requirement_text = f"the package {package}" if package else "an optional dependency"
        requirement = package or f'"pyramidion[{extra}]"'
        super().__init__(
            f"{feature} needs {requirement_text}", hint=f"run: pip install {requirement}"
        )


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
    computing = "in the computation: " if issubclass(category, RuntimeWarning) else ""
    line = f"note: {computing}{' '.join(str(message).split())}"
    if line not in _warnings_shown:
        _warnings_shown.add(line)
        print(shortened(visible(line), LONGEST), file=sys.stderr)


_warnings_shown: set[str] = set()
