"""Random configurations and options through ``pyramidion rouge`` and the Perl script.

Run as ``python benchmarks/rouge_fuzz.py ROUGE-1.5.5.pl --data data --runs 500``: name your own
copy of the script, and its folder of data. Every run whose standard output differs in
a byte is reported, with the folder that contains it; the exit code is then 1.
"""

import argparse
import io
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from pyramidion.cli.runtime import run

WORDS = [
    *("a", "b", "c", "d", "the", "of", "rain", "rains", "rained", "geese", "goose", "7", "45"),
    *("mid-2027", "O'Neil", "caf\u00e9", "-", "."),
]
SEPARATORS = [" ", " ", " ", "  ", "\t", "\n", "\n", "\r\n", "\n\n"]
IDS = ["1", "2", "10", "D1", "D1.b", "x-1", "\u00e9", "\u65e5"]
CHOICES = {
    "-n": ["1", "2", "4"],
    "-w": ["1.2", "0.5", "2", "3", "2.5", "7", "20", "3.0"],
    "-2": ["0", "4", "-1"],
    "-f": ["A", "B"],
    "-p": ["0", "0.3", "1"],
    "-t": ["0", "1", "2"],
    "-c": ["90", "99.5"],
    "-r": ["1", "10", "200"],
    "-l": ["1", "5", "30"],
    "-b": ["3", "40", "200"],
}
FLAGS = ["-d", "-m", "-M", "-s", "-x", "-u", "-U"]
EXCLUSIVE = [("-l", "-b"), ("-m", "-M")]


class Difference(NamedTuple):
    """A run whose outputs differ."""

    number: int
    arguments: list[str]


def options(rng: random.Random) -> Iterator[str]:
    chosen = {name for name in (*CHOICES, *FLAGS) if rng.random() < 0.4}
    for first, second in EXCLUSIVE:
        if {first, second} <= chosen:
            chosen.remove(rng.choice([first, second]))
    for name in sorted(chosen):
        yield name
        if name in CHOICES:
            yield rng.choice(CHOICES[name])


def text(rng: random.Random, format: str) -> bytes:
    vocabulary = rng.sample(WORDS, rng.randint(1, len(WORDS)))
    pieces = (rng.choice(vocabulary) + rng.choice(SEPARATORS) for _ in range(rng.randint(0, 60)))
    lines = "".join(pieces).encode().splitlines(keepends=True)
    if format == "SPL":
        return b"".join(lines)
    if format == "ISI":
        return b"".join(b'<S SNTNO="1">%s</S>\n' % line.strip() for line in lines)
    closings = [b"</a>\n", b"\n", b""]
    return b"".join(
        b'<a name="1">[1]</a> <a href="#1" id=1>%s%s' % (line.rstrip(b"\n"), rng.choice(closings))
        for line in lines
    )


def configuration(rng: random.Random, folder: Path) -> str:
    evaluations = []
    for id in rng.sample(IDS, rng.randint(1, 4)):
        format = rng.choice(["SPL", "SPL", "SEE", "ISI"])
        names = {tag: rng.sample(IDS[:5], rng.randint(1, 3)) for tag in "PM"}
        entries = {}
        for tag, ids in names.items():
            files = [f"{tag}{len(evaluations)}.{number}" for number in range(len(ids))]
            for file in files:
                (folder / file).write_bytes(text(rng, format))
            rows = zip(ids, files, strict=True)
            entries[tag] = "".join(f'<{tag} ID="{i}">{file}</{tag}>' for i, file in rows)
        evaluations.append(
            f'<EVAL ID="{id}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
            f'<INPUT-FORMAT TYPE="{format}"/><PEERS>{entries["P"]}</PEERS>'
            f"<MODELS>{entries['M']}</MODELS></EVAL>"
        )
    document = f"<ROUGE-EVAL>{''.join(evaluations)}</ROUGE-EVAL>"
    (folder / "rouge.xml").write_text(document, encoding="utf-8")
    return "rouge.xml"


def ours(arguments: list[str]) -> bytes:
    # Where this command fails the script dies, too, after the same lines.
    with redirect_stdout(io.TextIOWrapper(io.BytesIO())) as out, redirect_stderr(io.StringIO()):
        run(["rouge", *arguments])
    out.flush()
    return out.buffer.getvalue()


def theirs(script: Path, arguments: list[str]) -> bytes:
    command = ["perl", str(script), *arguments]
    return subprocess.run(command, capture_output=True, check=False).stdout


def differences(script: Path, data: Path | None, runs: range, parent: Path) -> Iterator[Difference]:
    data_options = [] if data is None else ["-e", str(data)]
    for number in runs:
        rng = random.Random(number)
        folder = parent / str(number)
        folder.mkdir()
        os.chdir(folder)
        arguments = [*data_options, *options(rng), "-a", configuration(rng, folder)]
        if ours(arguments) != theirs(script, arguments):
            yield Difference(number, arguments)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("script", type=Path, help="your copy of ROUGE-1.5.5.pl")
    parser.add_argument("--data", type=Path, help="its folder of data")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first run, its seed")
    arguments = parser.parse_args()
    script, data = arguments.script.resolve(), arguments.data and arguments.data.resolve()
    runs = range(arguments.first, arguments.first + arguments.runs)
    folder = Path(tempfile.mkdtemp(prefix="rouge-fuzz-"))
    differing = list(differences(script, data, runs, folder))
    for difference in differing:
        print(f"{folder / str(difference.number)}: {' '.join(difference.arguments)}")
    print(f"{len(differing)} of {len(runs)} runs differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
