"""The public names, and the modules they are loaded from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pyramidion.checks._check import CheckResult as CheckResult
from pyramidion.checks._description import CollectionDescription as CollectionDescription
from pyramidion.checks.plausibility import find_problems as find_problems
from pyramidion.collection import Source
from pyramidion.rendering import Result

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.checks._check import check
def check(
    source: Source | Sequence[Source],
    *,
    fix: bool = False,
    repaired: str | Path | None = None,
    source_format: str | None = None,
    columns: str | Sequence[str] = (),
    errors: Literal["missing", "zero"] = "missing",
    partial: bool = False,
    shared: bool = False,
    grades: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    reverse: str | Sequence[str] = (),
    missing: str | Sequence[str] = (),
    lower_is_better: str | Sequence[str] = (),
    higher_is_better: str | Sequence[str] = (),
    choices: str | Sequence[str] = (),
) -> CheckResult: ...

# from pyramidion.checks._description import describe
def describe(
    source: Source | Sequence[Source],
    *,
    source_format: str | None = None,
    columns: str | Sequence[str] = (),
    errors: Literal["missing", "zero"] = "missing",
    partial: bool = False,
    shared: bool = False,
    grades: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    reverse: str | Sequence[str] = (),
    missing: str | Sequence[str] = (),
    lower_is_better: str | Sequence[str] = (),
    higher_is_better: str | Sequence[str] = (),
) -> Result[CollectionDescription]: ...
