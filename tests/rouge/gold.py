"""The gold runs of ROUGE-1.5.5, see tests/gold/rouge-1.5.5/README.md."""

import json
import re
import tarfile
from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection.formats._rouge import InputFormat, parse_sentences, read_rouge_config
from support import GOLD

FOLDER = GOLD / "rouge-1.5.5"

_RECORD = re.compile(r"(\S+) ROUGE-(\S+) Eval (.+)\.(\S+) R:(\S+) P:(\S+) F:(\S+)")
_AVERAGE = re.compile(
    r"(\S+) ROUGE-(\S+) Average_([RPF]): (\S+) \((\S+)%-conf.int. (\S+) - (\S+)\)"
)


@dataclass(frozen=True)
class Run:
    """A run of the script: its name, its command line and its exit code."""

    name: str
    arguments: tuple[str, ...]
    rc: int
    group: str = ""
    kind: str = ""
    env: tuple[tuple[str, str], ...] = ()
    unordered: bool = False

    @property
    def is_of_the_163(self) -> bool:
        return not self.name.startswith(("plain", "random", "edge"))

    @property
    def options(self) -> dict[str, str]:
        """Its options, those without a value as an empty text."""
        from getopt import getopt

        pairs, _ = getopt(list(self.arguments), "ac:de:f:hHl:b:mMn:p:sr:t:2:3:uUvw:xz:", ["x="])
        return {name.lstrip("-"): value for name, value in pairs}


def _runs(manifest: str) -> list[Run]:
    lines = (FOLDER / manifest).read_text(encoding="utf-8").splitlines()
    rows = map(json.loads, lines)
    return [
        Run(
            **{
                **row,
                "arguments": tuple(row["arguments"]),
                "env": tuple(row.get("env", {}).items()),
            }
        )
        for row in rows
    ]


RUNS = _runs("manifest.jsonl")
EDGES = _runs("edges.jsonl")


def unpack(folder: Path, archive: str = "gold.tar.xz") -> Path:
    with tarfile.open(FOLDER / archive) as opened:
        opened.extractall(folder, filter="data")
    return folder


def printed(folder: Path, name: str) -> str:
    """Return a run's standard output."""
    return (folder / "raw" / f"{name}.out").read_bytes().decode("latin-1")


def records(output: str) -> dict[tuple[str, str, str], tuple[float, float, float]]:
    """Return recall, precision and F by peer, variant and evaluation."""
    scores = {}
    for line in output.splitlines():
        if match := _RECORD.fullmatch(line):
            peer, variant, evaluation, _, *numbers = match.groups()
            scores[peer, variant, evaluation] = tuple(map(float, numbers))
    return scores


def averages(output: str) -> dict[tuple[str, str, str], tuple[str, str, str]]:
    """Return mean, low and high as they are printed, by peer, variant and R, P or F."""
    means = {}
    for line in output.splitlines():
        if match := _AVERAGE.fullmatch(line):
            peer, variant, part, mean, _, low, high = match.groups()
            means[peer, variant, part] = (mean, low, high)
    return means


def evaluations(config: str) -> list[tuple[str, dict[str, list[bytes]], list[list[bytes]]]]:
    """Return each evaluation's id, its peers' sentences by id, and its models' sentences."""
    return [
        (
            evaluation.id,
            {file.id: sentences(file.path, evaluation.input_format) for file in evaluation.peers},
            [sentences(file.path, evaluation.input_format) for file in evaluation.models],
        )
        for evaluation in read_rouge_config(config).evaluations
    ]


def sentences(path: Path, form: InputFormat = "SPL") -> list[bytes]:
    """Return the sentences of a file."""
    return parse_sentences(path.read_bytes(), form)
