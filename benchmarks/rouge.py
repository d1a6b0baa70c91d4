"""ROUGE per CPU second compared with other packages, and its bars.

Run by ``make bench AREA=rouge``; ``make bench AREA=rouge OPTIONS=--long`` streams a million items
too. All ratios are within one run, in CPU time of one thread each; only that of two threads to one
is by the clock, and says so where the machine has other work to do. A figure is the best of several
runs: ours on all items, the slow peers' on a few of them, other ones at each run.
"""

import argparse
import atexit
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from pyramidion import kernels
from pyramidion.collection.formats.stream import read_stream
from pyramidion.rouge import Rouge
from pyramidion.rouge.results import score_stream
from pyramidion.text import tokens as stems
from rouge_items import Item, made_up_items

ITEMS = 2_000
REPEATS = 5
PEER_ITEMS, PEER_REPEATS = 100, 3
STREAMED, LONG = (10_000, 100_000), 1_000_000
ONE_BY_ONE, COMMANDED, PERL_COMMANDED = 500, 50_000, 20_000
CLOCKED, BUSY = 25, 1.5
MEBIBYTE = 2**20

FEW = Rouge(n=(1, 2), l=True, stem=True)
MANY = Rouge(n=(1, 2, 3, 4), l=True, w=1.2, su=4)


class Row(NamedTuple):
    """A figure, and the bar it has to pass, if there is one."""

    what: str
    figure: str
    bar: str = ""
    passed: bool | None = None


def cpu_seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def our_speed(rouge: Rouge, items: list[Item]) -> float:
    """Items per CPU second, from texts to the scores of all measures."""
    peers, references = zip(*items, strict=True)

    def work() -> None:
        scores = rouge.score(peers, references)
        for measure in rouge.measures:
            scores[measure]

    return len(items) / min(cpu_seconds(work) for _ in range(REPEATS))


def peer_speed(score: Callable[[list[Item]], Any], items: list[Item], size: int) -> float:
    parts = [items[run * size : (run + 1) * size] for run in range(PEER_REPEATS)]
    return size / min(cpu_seconds(partial(score, part)) for part in parts)


def with_rouge_score(items: list[Item]) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=True)
    for peer, references in items:
        scorer.score_multi(references, peer)


def with_rouge_metric(items: list[Item]) -> None:
    from rouge_metric import PyRouge

    scorer = PyRouge(
        rouge_n=(1, 2, 3, 4), rouge_l=True, rouge_w=True, rouge_w_weight=1.2, rouge_su=True,
        skip_gap=4, multi_ref_mode="average", mode="individual",
    )  # fmt: skip
    scorer.evaluate([item.peer for item in items], [item.references for item in items])


def beside_peers(items: list[Item]) -> Iterator[Row]:
    for title, rouge, name, score, least in (
        ("ROUGE-1, 2, L, stemmed", FEW, "rouge-score", with_rouge_score, 900),
        ("ROUGE-1 to 4, L, W, SU4", MANY, "rouge-metric", with_rouge_metric, 600),
    ):
        ours, theirs = our_speed(rouge, items), peer_speed(score, items, PEER_ITEMS)
        ratio = ours / theirs
        yield Row(f"{title}: items/s", f"{ours:,.0f}")
        yield Row(f"  {name} on {PEER_ITEMS} of them: items/s", f"{theirs:,.1f}")
        yield Row("  ratio", f"{ratio:,.0f}", f"at least {least}", ratio >= least)


TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]


def drop_in(items: list[Item]) -> Iterator[Row]:
    """Compare the scorer under rouge-score's names with rouge-score's own, call by call."""
    from rouge_score.rouge_scorer import RougeScorer as TheirScorer

    from pyramidion.compat.rouge_scorer import RougeScorer

    theirs, ours = (kind(TYPES, use_stemmer=True) for kind in (TheirScorer, RougeScorer))

    def one_by_one(scorer: Any, part: list[Item]) -> None:
        for peer, references in part:
            scorer.score(references[0], peer)

    def at_once(part: list[Item]) -> None:
        ours.score_batch([references[0] for _, references in part], [peer for peer, _ in part])

    slow = peer_speed(partial(one_by_one, theirs), items, PEER_ITEMS)
    yield Row(f"rouge-score on {PEER_ITEMS} texts, {', '.join(TYPES)}: texts/s", f"{slow:,.1f}")
    ways = {"score, one by one": (partial(one_by_one, ours), 30), "score_batch": (at_once, 200)}
    for name, (work, least) in ways.items():
        ratio = peer_speed(work, items, len(items) // PEER_REPEATS) / slow
        yield Row(f"  {name}: ratio", f"{ratio:,.0f}", f"at least {least}", ratio >= least)


def other_ways(items: list[Item]) -> Iterator[Row]:
    """Score one item a call, with the other tokenizer, with two threads, by the command."""

    def one_by_one() -> None:
        for peer, references in items[:ONE_BY_ONE]:
            scores = FEW.score([peer], [references])
            for measure in FEW.measures:
                scores[measure]

    single = ONE_BY_ONE / min(cpu_seconds(one_by_one) for _ in range(3 * REPEATS))
    yield Row("one item per call: items/s", f"{single:,.0f}", "at least 8,000", single >= 8000)
    other = our_speed(replace(FEW, tokenizer="unicode"), items)
    yield Row("tokenizer unicode: items/s", f"{other:,.0f}", "at least 15,000", other >= 15000)
    # Other objects each time: what is the same object is read once.
    several = [
        Item(f"{peer} ", [f"{reference} " for reference in references])
        for peer, references in items * 4
    ]
    prose = [
        Item(in_prose(peer), [in_prose(reference) for reference in references])
        for peer, references in several
    ]
    yield two_threads("1, 2, L, stemmed", FEW, several)
    # Words drawn at random look like abbreviations more often, which one thread judges.
    yield two_threads("1, 2, L, stemmed, prose", FEW, prose)._replace(bar="", passed=None)
    yield two_threads("1 to 4, L, W, SU4", MANY, several)
    # Peers with three references are lines of 2.5 KB.
    shorter = [Item(in_prose(peer), [*map(in_prose, texts[:3])]) for peer, texts in items]
    score = ("score", "--stem", "-m", "rouge-1,rouge-2,rouge-l")
    yield command_speed(score, items, COMMANDED, 18_000)
    yield command_speed(("rouge", "-a", "-m", "-n", "2"), shorter, PERL_COMMANDED, 15_000)


def in_prose(text: str) -> str:
    """Write lines as sentences, one behind the other."""
    return " ".join(line[:1].upper() + line[1:] for line in text.split("\n"))


def two_threads(title: str, rouge: Rouge, items: list[Item]) -> Row:
    """Compare two threads with one by the clock: the best of runs that take turns."""
    peers, references = zip(*items, strict=True)
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for threads in (1, 2) * CLOCKED:
        start = time.perf_counter()
        rouge.score(peers, references, threads=threads)
        seconds[threads].append(time.perf_counter() - start)
    ratio, load = min(seconds[1]) / min(seconds[2]), os.getloadavg()[0]
    busy = f" (load {load:.1f})" if load > BUSY else ""
    figure = f"{ratio:.2f}{busy}"
    return Row(f"two threads, ROUGE-{title}: ratio", figure, "at least 1.7", ratio >= 1.7)


def command_speed(command: tuple[str, ...], items: list[Item], size: int, least: int) -> Row:
    """Return the items per CPU second of a command on a file of JSONL."""
    command_seconds(command, items, 10)  # compiles it
    speed = size / min(command_seconds(command, items, size) for _ in range(3))
    what = f"pyramidion {command[0]} on {size:,} lines of JSONL: items/s"
    return Row(what, f"{speed:,.0f}", f"at least {least:,}", speed >= least)


def command_seconds(command: tuple[str, ...], items: list[Item], size: int) -> float:
    """Return the CPU seconds of the whole command, the start of Python included."""
    import resource

    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json_lines(items, size))
        file.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "pyramidion", *command, file.name],
            check=True,
            env=as_installed(),
            stdout=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@cache
def as_installed() -> dict[str, str]:
    """Return environment with a cache in which the command is compiled, as an installed one is."""
    directory = tempfile.TemporaryDirectory()
    atexit.register(directory.cleanup)
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    return environment | {"PYTHONPYCACHEPREFIX": directory.name}


def json_lines(items: list[Item], size: int) -> Iterator[str]:
    """Return items without end in different words: each text of each item ends in a number."""
    marked = [
        json.dumps(
            {"topic": "T@", "system": "1"}
            | {"peer": f"{peer} @", "references": [f"{text} @" for text in references]}
        )
        for peer, references in items
    ]
    for number, line in zip(range(size), itertools.cycle(marked), strict=False):
        yield line.replace("@", str(number)) + "\n"


def reading(items: list[Item]) -> Iterator[Row]:
    """Compare reading a stream of JSONL with `json.loads` on the same lines."""
    lines = list(json_lines(items, len(items)))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(lines)
        file.flush()
        ours, theirs = (
            min(cpu_seconds(work) for _ in range(REPEATS))
            for work in (
                lambda: deque(read_stream(file.name), maxlen=0),
                lambda: deque(map(json.loads, lines), maxlen=0),
            )
        )
    yield Row("json.loads: µs/item", f"{theirs / len(items) * 1e6:.1f}")
    ratio = ours / theirs
    yield Row("  read_stream, from a file: ratio", f"{ratio:.2f}", "at most 1.3", ratio <= 1.3)


def above_the_floor(items: list[Item]) -> Iterator[Row]:
    """Compare the whole job with reading and tokenizing alone."""
    lines = list(json_lines(items, len(items)))

    def read() -> list[dict[str, Any]]:
        return [json.loads(line) for line in lines]

    def tokenize() -> None:
        texts = [text for item in read() for text in (item["peer"], *item["references"])]
        kernels.Vocabulary(stems.lexicon(), stem=True).encode(texts)

    def score() -> None:
        items = read()
        FEW.score([item["peer"] for item in items], [item["references"] for item in items])

    times = [min(cpu_seconds(work) for _ in range(REPEATS)) for work in (read, tokenize, score)]
    parts = ("reading JSON", "  and tokenizing (lower bound)", "  and ROUGE-1, 2, L (complete job)")
    for part, seconds in zip(parts, times, strict=True):
        yield Row(f"{part}: µs/item", f"{seconds / len(items) * 1e6:.1f}")
    yield Row("  complete job relative to the lower bound", f"{times[2] / times[1]:.2f}")


def streaming(items: list[Item], sizes: tuple[int, ...]) -> Iterator[Row]:
    """Let a process of its own score items as they come, and ask what it took."""
    microseconds = []
    for size in sizes:
        seconds, peak = streamed(items, size)
        microseconds.append(seconds / size * 1e6)
        yield Row(f"{size:,} items streamed: CPU s", f"{seconds:.1f}")
        yield Row("  per item: µs", f"{microseconds[-1]:.1f}")
        yield Row("  peak memory: MiB", f"{peak:,.0f}", "at most 150", peak <= 150)
    growth = microseconds[-1] / microseconds[0]
    yield Row(
        "  per item, most relative to fewest items", f"{growth:.2f}", "under 1.2", growth < 1.2
    )


def streamed(items: list[Item], size: int) -> tuple[float, float]:
    command = [sys.executable, str(Path(__file__)), "--score-standard-input"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.writelines(json_lines(items, size))
        process.stdin.close()
        scored, seconds, peak = process.stdout.read().split()
    assert int(scored) == size
    return float(seconds), float(peak)


def score_standard_input() -> None:
    start = time.process_time()
    scored = sum(len(batch.items) for batch in score_stream(read_stream("-"), FEW, threads=1))
    print(scored, time.process_time() - start, peak_memory() / MEBIBYTE)


def peak_memory() -> float:
    """Return the most bytes this process has held."""
    status = Path("/proc/self/status")
    if status.exists():
        # What getrusage reports includes the process that started this one.
        return 1024 * int(status.read_text().partition("VmHWM:")[2].split()[0])
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else 1024 * peak)


def show(title: str, rows: Iterator[Row]) -> bool:
    """Print rows; return whether all bars are passed."""
    table = Table("", title, "bar", "", title_justify="left")
    table.columns[1].justify = "right"
    passed = True
    for row in rows:
        verdict = {None: "", True: "passed", False: "MISSED"}[row.passed]
        table.add_row(row.what, row.figure, row.bar, verdict)
        passed &= row.passed is not False
    Console(width=100).print(table)
    return passed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="stream a million items too")
    parser.add_argument("--score-standard-input", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.score_standard_input:
        score_standard_input()
        return 0
    if kernels.BACKEND != "native":
        print("the native kernels are not in use: nothing to measure", file=sys.stderr)
        return 1
    items = made_up_items(ITEMS)
    sizes = (*STREAMED, LONG) if arguments.long else STREAMED
    verdicts = [
        show("compared with peers", beside_peers(items)),
        show("drop-in for rouge-score", drop_in(items)),
        show("other uses", other_ways(items)),
        show("reading JSONL", reading(items)),
        show("lower bound", above_the_floor(items)),
        show("streaming", streaming(items, sizes)),
    ]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
