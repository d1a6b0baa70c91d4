"""How time and memory of every command grow with the data.

Run by ``make bench-growth``; ``SIZE="--times 1 10 100 --by systems"`` chooses. The demonstration
collection, with summaries of eight methods and made-up scores of them, is multiplied: its topics
(``--by topics``) or its machines (``--by systems``) come many times under new names. Each command
is a program of its own. What its CPU time and memory are above those of the smallest size is fitted
by a power of the size above the smallest, on the two largest: what is n log n comes out at about
1.2. An exponent above ``BAR`` is marked.
"""

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pyramidion.collection import Collection, Judgment, Scores
from pyramidion.demo import load_demo
from pyramidion.summarizers import summarize_collection

BAR = 1.25
LONGEST = 600.0

#: What is typed after `pyramidion`, with {c} for the collection and {s} for a table of scores.
COMMANDS: Mapping[str, str] = {
    "describe": "describe {c}",
    "convert": "convert {c} {new}",
    "score": "score {c} -m rouge-2,rouge-l --threads 1",
    "score, all summaries at once": "score {c} -m js-input --threads 1",
    "summarize": "summarize {c} -m sum-avr",
    "classy predict": "classy predict classy-2011/6/A/all {c} --threads 1",
    "pyramid score": "pyramid score {c}",
    "pyramid auto": "pyramid auto {c}",
    "compare": "compare {s} -m responsiveness --resamples 999",
    "compare, wilcoxon": "compare {s} -m responsiveness --test wilcoxon --correction holm",
    "report": "report {s} -m responsiveness -o {new}.html",
    "power": "power {s} -m responsiveness",
    "meta": "meta {s} --human responsiveness --metric readability --resamples 199",
    "verdicts": "verdicts {s} --human responsiveness --metric readability",
    "gap": "gap {s} --human responsiveness --metric readability",
    "difficulty": "difficulty {c} -m responsiveness",
    "composite": "composite {s}",
}


class Used(NamedTuple):
    """CPU seconds and MiB; NaN where it took too long or could not be done."""

    cpu: float
    mib: float


def by_topics(demo: Collection, times: int) -> Collection:
    """Give every topic, with all that belongs to it, so many times."""
    columns = demo.scores.columns
    scores = [
        Scores(
            {**columns, "topic": [f"{topic}x{n}" for topic in columns["topic"]]}, demo.scores.value
        )
        for n in range(times)
    ]
    return replace(
        demo,
        topics=tuple(replace(t, id=f"{t.id}x{n}") for n in range(times) for t in demo.topics),
        summaries=tuple(
            replace(s, topic=f"{s.topic}x{n}") for n in range(times) for s in demo.summaries
        ),
        pyramids={
            (task, f"{topic}x{n}"): own
            for n in range(times)
            for (task, topic), own in demo.pyramids.items()
        },
        peer_annotations={},
        scores=Scores.concatenate(scores),
    )


def by_systems(demo: Collection, times: int) -> Collection:
    """Give every machine so many times; people stay as they are."""
    columns = demo.scores.columns
    machine = columns["kind"] != "human"
    own = {name: values[machine] for name, values in columns.items()}
    scores = [
        Scores(
            {**own, "system": [f"{system}x{n}" for system in own["system"]]},
            demo.scores.value[machine],
        )
        for n in range(times)
    ]
    people = tuple(s for s in demo.summaries if s.kind == "human")
    machines = tuple(
        replace(s, system=f"{s.system}x{n}")
        for n in range(times)
        for s in demo.summaries
        if s.kind != "human"
    )
    return replace(
        demo,
        summaries=(*people, *machines),
        peer_annotations={},
        scores=Scores.concatenate([demo.scores.rows(~machine), *scores]),
    )


def run(words: list[str]) -> Used:
    """Run a command; give what it used."""
    command = [sys.executable, "-m", "pyramidion", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    begun = time.monotonic()
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() - begun > LONGEST:
            process.kill()
        time.sleep(0.02)
    assert process.stderr is not None
    said = process.stderr.read().decode(errors="replace").strip().splitlines()
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        print(f"  {' '.join(words)}: {said[-1] if said else 'took too long'}", file=sys.stderr)
        return Used(math.nan, math.nan)
    return Used(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def exponent(sizes: Sequence[int], values: Sequence[float], least: float) -> float:
    """Fit a power to what is above the smallest size; NaN where there is too little of it."""
    small, large = (value - values[0] for value in values[-2:])
    n, m = (size - sizes[0] for size in sizes[-2:])
    if not (large >= least and n):
        return math.nan
    return math.log(large / max(small, least / 10)) / math.log(m / n)


def with_machines(demo: Collection) -> Collection:
    """Add summaries of eight methods, and scores that are made up."""
    methods = "lead,random,sum-avr,sum-sum,lexrank,kl-sum,mmr,centroid"
    there = summarize_collection(demo, method=methods).to_collection()
    rng = random.Random(0)
    judged = [
        Judgment(s.topic, s.system, measure, float(rng.randint(1, 5)), s.task, "machine")
        for s in there.summaries
        if s.kind != "human"
        for measure in ("responsiveness", "readability")
    ]
    scores = Scores.concatenate([there.scores, Scores.from_judgments(judged)])
    return replace(there, scores=scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--by", choices=("topics", "systems"), default="topics")
    parser.add_argument("--only", nargs="+", choices=list(COMMANDS), default=list(COMMANDS))
    options = parser.parse_args()
    grow = by_topics if options.by == "topics" else by_systems
    found: dict[str, list[Used]] = {name: [] for name in options.only}
    base = with_machines(load_demo())
    with tempfile.TemporaryDirectory() as folder:
        for times in options.times:
            collection = grow(base, times)
            place = Path(folder, f"c{times}")
            collection.save(place)
            for name in options.only:
                new = Path(folder, f"new-{times}-{len(found[name])}-{name.replace(' ', '')}")
                words = COMMANDS[name].split()
                found[name].append(
                    run([word.format(c=place, s=place / "scores.csv", new=new) for word in words])
                )
    print(f"{options.times} times the demonstration, by {options.by}: CPU seconds, MiB, exponents")
    heads = "".join(f"{f'x{times}':>16}" for times in options.times)
    print(f"{'command':30}{heads}{'time':>8}{'memory':>8}")
    for name, every in found.items():
        cpu, mib = zip(*every, strict=True)
        time_, memory = exponent(options.times, cpu, 0.3), exponent(options.times, mib, 10.0)
        cells = "".join(f"{one.cpu:9.2f}{one.mib:7.0f}" for one in every)
        mark = " ABOVE" if time_ > BAR else ""
        print(f"{name:30}{cells}{time_:8.2f}{memory:8.2f}{mark}")


if __name__ == "__main__":
    main()
