"""``pyramidion report``."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.collection._options import option
from pyramidion.commands._command import Command, Output
from pyramidion.evaluation._compare.page import report_page


@dataclass(frozen=True, slots=True)
class ReportFile(Output):
    """Where the page goes."""

    output: Path = option(
        Path("report.html"), "HTML file to write.", flags=("--output", "-o"), metavar="FILE"
    )

    def write(self, result: Any) -> Iterator[str]:
        """Write the page."""
        yield f"wrote {result.save(self.output)}"


COMMAND = Command(report_page, doing="comparing {source}", outputs=(ReportFile,), answers=False)
