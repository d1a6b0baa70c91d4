"""What another project can add: a command, a metric, a format, a pair test and a rubric."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from pyramidion.collection import Collection, Summary
from pyramidion.collection.formats import Format
from pyramidion.comparison import PairTest
from pyramidion.metrics import SingleMetric
from pyramidion.questions import CommandSpec, Options, argument, option, question
from pyramidion.rendering import Cell, Result, Savable, Table, signed


@dataclass(frozen=True, slots=True)
class LongestOptions(Options):
    """Options of the command, which become flags and keyword arguments."""

    source: Path = argument("Collection to read.")
    top: int = option(3, "Number of summaries to list.", min=1)


def _names_writer(result: Result[dict[str, Cell]]) -> Callable[[Path], object]:
    text = "".join(f"{row['system']}\n" for row in result)
    return lambda path: path.write_text(text, encoding="utf-8")


class LongestResult(Result[dict[str, Cell]]):
    """The answer, with the files that can be saved of it: `longest SRC --names FILE`."""

    saves = (Savable("names", "Write the names of the systems to this file.", _names_writer),)


@question
def longest(options: LongestOptions) -> LongestResult:
    """List the longest summaries of a collection."""
    collection = Collection.load(options.source)
    sizes = [(s.topic, s.system, len(s.plain.split())) for s in collection.summaries]
    rows = sorted(sizes, key=lambda row: -row[2])[: options.top]
    columns = ("topic", "system", "words")
    table = Table(columns, tuple(rows), title="Longest summaries")
    values = [dict(zip(columns, row, strict=True)) for row in rows]
    signature = signed("longest", collection.data_hash)
    return LongestResult(command="longest", signature=signature, values=values, tables=[table])


LONGEST = "List the longest summaries of a collection."
COMMANDS = (CommandSpec("longest", "pyramidion_example:longest", LONGEST, heading="Data"),)


@dataclass(frozen=True, slots=True)
class VariedWords(SingleMetric):
    """The share of different words among a summary's words."""

    name: ClassVar[str] = "varied-words"
    title: ClassVar[str] = "varied words"
    summary: ClassVar[str] = "share of different words"

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Score one summary."""
        words = summary.lower().split()
        return len(set(words)) / len(words) if words else np.nan


def _read_lines(path: Path) -> Collection:
    """Read one summary per line: topic, system and text, separated by bars."""
    rows = (line.split("|", 2) for line in path.read_text(encoding="utf-8").splitlines())
    return Collection(path.stem, summaries=tuple(Summary(*map(str.strip, row)) for row in rows))


LINES = Format("bars", "topic | system | text", lambda path: path.suffix == ".bars", _read_lines)


def _sign_test(first: np.ndarray, second: np.ndarray) -> tuple[float, float, float]:
    # Every command loads this module, and SciPy's tests take half a second.
    from scipy.stats import binomtest

    wins, losses = int((first > second).sum()), int((first < second).sum())
    p = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    return wins - losses, p, (wins - losses) / len(first)


SIGN_TEST = PairTest("sign test", "the sign test was used (Arbuthnott 1710)", _sign_test)

BREVITY = "scale: 1 to 5\n\nHow well does the summary avoid words that it does not need?"
