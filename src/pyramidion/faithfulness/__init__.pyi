"""The public names, and the modules they are loaded from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pyramidion.collection import Source
from pyramidion.faithfulness._faithful import FaithfulResult as FaithfulResult
from pyramidion.faithfulness._faithful import SystemFaithfulness as SystemFaithfulness
from pyramidion.faithfulness._models import EntailmentChecker as EntailmentChecker
from pyramidion.faithfulness._models import JudgeChecker as JudgeChecker
from pyramidion.faithfulness._models import parse_checker as parse_checker
from pyramidion.faithfulness._people import PeopleCheck as PeopleCheck
from pyramidion.faithfulness._statements import BuiltInChecker as BuiltInChecker
from pyramidion.faithfulness._statements import CheckedSummary as CheckedSummary
from pyramidion.faithfulness._statements import StatementChecker as StatementChecker
from pyramidion.faithfulness._statements import StatementVerdict as StatementVerdict
from pyramidion.faithfulness._statements import SummaryStatement as SummaryStatement
from pyramidion.faithfulness._statements import summary_statements as summary_statements
from pyramidion.questions import Progress

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.faithfulness._faithful import faithful
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
