"""The public names, and the modules they are loaded from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pyramidion.checks._check import CheckResult as CheckResult
from pyramidion.checks._description import CollectionDescription as CollectionDescription
from pyramidion.checks._faithful import FaithfulResult as FaithfulResult
from pyramidion.checks._faithful import SystemFaithfulness as SystemFaithfulness
from pyramidion.checks._models import EntailmentChecker as EntailmentChecker
from pyramidion.checks._models import JudgeChecker as JudgeChecker
from pyramidion.checks._models import parse_checker as parse_checker
from pyramidion.checks._people import PeopleCheck as PeopleCheck
from pyramidion.checks._statements import BuiltInChecker as BuiltInChecker
from pyramidion.checks._statements import CheckedSummary as CheckedSummary
from pyramidion.checks._statements import StatementChecker as StatementChecker
from pyramidion.checks._statements import StatementVerdict as StatementVerdict
from pyramidion.checks._statements import SummaryStatement as SummaryStatement
from pyramidion.checks._statements import summary_statements as summary_statements
from pyramidion.collection import Source
from pyramidion.questions import Progress
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

# from pyramidion.checks._faithful import faithful
def faithful(
    source: Source,
    *,
    source_format: str | None = None,
    columns: str | Sequence[str] = (),
    errors: Literal["missing", "zero"] = "missing",
    partial: bool = False,
    shared: bool = False,
    grades: str | Sequence[str] = (),
    exclude: str | Sequence[str] = (),
    checker: str = "built-in",
    labels: str | Path | None = None,
    allow: str | Sequence[str] = (),
    parser: str | None = None,
    seed: int = 0,
    progress: Progress = ...,
    answers: str | Path | None = None,
    parallel: int = 4,
    timeout: float = 300.0,
    price_input: float | None = None,
    price_output: float | None = None,
    dry_run: bool = False,
) -> FaithfulResult: ...
