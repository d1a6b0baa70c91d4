"""How time and memory of every command grow with the data.

Run by ``make bench AREA=growth``; ``OPTIONS="--times 1 4 10 --by systems"`` chooses. The
demonstration collection, with summaries of eight methods and made-up scores of them, is multiplied:
its topics (``--by topics``) or its machines (``--by systems``) come many times under new names.
Each command is a program of its own. What its CPU time and memory are above those of the smallest
size is fitted by a power of the size above the smallest, on the two largest: what is n log n comes
out at about 1.2. An exponent above ``BAR`` is marked. Commands that take ``--most`` CPU seconds or
more on the third size are run on the second instead of the fourth. Every command that takes data
must be here: the script stops if one is not.

``OPTIONS=--large`` runs commands on tables of scores instead, with 6,400 topics and 10 systems, and
fails if one of them needs more memory than ``MOST_MIB``.
"""

import argparse
import csv
import math
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from typer.main import get_command

from pyramidion.cli.app import build_app
from pyramidion.collection import Collection, Judgment, Scores
from pyramidion.demo import load_demo
from pyramidion.pyramid import auto
from pyramidion.summarizers import summarize_collection

BAR = 1.25
TOPICS, SYSTEMS, PEOPLE, MOST_MIB = 6_400, 10, 2, 500

#: Those that read nothing, or, like the studio, nothing at once.
NO_DATA = {"methods", "metrics", "classy models", "demo", "engine check", "serve"}

_FEW = (
    "--without-features r2,coverage,bigrams-p2p,coverage-p2p,norm-term-overlap,redundant-1,"
    "redundant-2,term-entropy,neg-sentence-entropy"
)
_HUMAN = "--human responsiveness --metric readability"

#: What is typed after `pyramidion`: {c} is the collection, {s} its table of scores, {again} a copy,
#: {other} and {third} have its topics under other names, {rouge}, {peers}, {choices} and {answers}
#: are made of it, {lead} is a system, and {new} is written.
COMMANDS: Mapping[str, str] = {
    "describe": "describe {c}",
    "check": "check {c}",
    "convert": "convert {c} {new}",
    "convert, ROUGE": "convert {c} {new} --to rouge",
    "convert, DUC": "convert {c} {new} --to duc",
    "score": "score {c} -m rouge-2,rouge-l --threads 1",
    "score, all summaries at once": "score {c} -m js-input --threads 1",
    "rouge": "rouge -a -n 2 {rouge}/rouge.xml",
    "summarize": "summarize {c} -m sum-avr",
    "summarize, auto": "summarize {c}",
    "rewrite": "rewrite {peers} -d {c} --pipeline light -o {new}.jsonl",
    "methods, hmm-qr": "methods hmm-qr --train {c} --task A --model {new}",
    "classy train": "classy train {c} {other} --version 25 --task A --peers all " + _FEW,
    "classy predict": "classy predict classy-2011/6/A/all {c} --threads 1",
    "classy evaluate": "classy evaluate {c} {other} {third} --target responsiveness "
    "--features rose --resamples 50",
    "pyramid score": "pyramid score {c}",
    "pyramid units": "pyramid units {c}",
    "pyramid tiers": "pyramid tiers {c}",
    "pyramid optimal": "pyramid optimal {c} --size 4",
    "pyramid missed": "pyramid missed {c}",
    "pyramid pairs": "pyramid pairs {c} --resamples 999",
    "pyramid agreement": "pyramid agreement {c} {again} --peers",
    "pyramid stability": "pyramid stability {c}",
    "pyramid importance": "pyramid importance {c}",
    "pyramid auto score": "pyramid auto {c}",
    "pyramid auto score, matched": "pyramid auto {c} --match",
    "pyramid auto score, similarity": "pyramid auto {c} --by similarity",
    "pyramid auto build": "pyramid auto build {c} -o {new}",
    "pyramid auto fit": "pyramid auto fit {c} -o {new}.json",
    "compare": "compare {s} -m responsiveness --resamples 999",
    "compare, wilcoxon": "compare {s} -m responsiveness --test wilcoxon --correction holm",
    "compare, baseline": "compare {s} -m responsiveness --resamples 999 --baseline {lead}",
    "report": "report {s} -m responsiveness -o {new}.html",
    "power": "power {s} -m responsiveness",
    "preferences": "preferences {choices}",
    "checklists": "checklists {answers}",
    "meta": "meta {s} " + _HUMAN + " --resamples 199",
    "verdicts": "verdicts {s} " + _HUMAN,
    "gap": "gap {s} " + _HUMAN,
    "difficulty": "difficulty {c} -m responsiveness",
    "composite": "composite {s}",
    "judge": "judge {c} --model none --rubric fluency,preference --dry-run",
    "assessors": "assessors {c} --resamples 50",
    "study all": "study all {c}",
    "study vocabulary": "study vocabulary {c}",
    "study tiling": "study tiling {c}",
    "study frequent-words": "study frequent-words {c}",
    "study word-classes": "study word-classes {c}",
    "study likelihood": "study likelihood {c}",
    "study content-units": "study content-units {c}",
    "study composition": "study composition {c}",
    "study quality": "study quality {c}",
    "study systems": "study systems {s} -m responsiveness --resamples 2000",
    "study utility": "study utility {c}",
    "study lognormal": "study lognormal {c}",
    "study references": "study references {c} --pipeline light --resamples 100",
    "study status": "study status {c} --pipeline light --folds 4",
}

_LARGE = "--human responsiveness,readability --metric metric-0,metric-1,metric-2"

#: The same for --large: {s} has scores by two human measures and three metrics, {assessed} those of
#: two people and a model.
LARGE: Mapping[str, str] = {
    "meta": f"meta {{s}} {_LARGE}",
    "gap": f"gap {{s}} {_LARGE}",
    "verdicts": f"verdicts {{s}} {_LARGE}",
    "compare": "compare {s} -m responsiveness",
    "assessors": "assessors {assessed} --resamples 50",
}


def forgotten() -> set[str]:
    """Name the commands that take data and are not run here."""
    run = {name.split(",")[0] for name in COMMANDS}
    return set(_command_names(get_command(build_app()))) - run - NO_DATA


def _command_names(group: Any, prefix: str = "") -> Iterator[str]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _command_names(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}"


class Used(NamedTuple):
    """CPU seconds and MiB; NaN where it took too long or could not be done."""

    cpu: float
    mib: float


NOT_DONE = Used(math.nan, math.nan)


def by_topics(demo: Collection, times: int, mark: str = "x") -> Collection:
    """Return every topic, with all that belongs to it, repeated."""
    columns = demo.scores.columns
    scores = [
        Scores(
            {**columns, "topic": [f"{topic}{mark}{n}" for topic in columns["topic"]]},
            demo.scores.value,
        )
        for n in range(times)
    ]
    return replace(
        demo,
        topics=tuple(replace(t, id=f"{t.id}{mark}{n}") for n in range(times) for t in demo.topics),
        summaries=tuple(
            replace(s, topic=f"{s.topic}{mark}{n}") for n in range(times) for s in demo.summaries
        ),
        pyramids={
            (task, f"{topic}{mark}{n}"): pyramid
            for n in range(times)
            for (task, topic), pyramid in demo.pyramids.items()
        },
        peer_annotations={
            (task, f"{topic}{mark}{n}", *who): annotation
            for n in range(times)
            for (task, topic, *who), annotation in demo.peer_annotations.items()
        },
        scores=Scores.concatenate(scores),
    )


def by_systems(demo: Collection, times: int) -> Collection:
    """Return every machine, repeated; people are unchanged."""
    columns = demo.scores.columns
    machine = columns["kind"] != "human"
    machine_columns = {name: values[machine] for name, values in columns.items()}
    scores = [
        Scores(
            {
                **machine_columns,
                "system": [f"{system}x{n}" for system in machine_columns["system"]],
            },
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
        peer_annotations={
            (task, topic, f"{system}x{n}", *who): annotation
            for n in range(times)
            for (task, topic, system, *who), annotation in demo.peer_annotations.items()
        },
        scores=Scores.concatenate([demo.scores.rows(~machine), *scores]),
    )


def choices(collection: Collection) -> Iterator[tuple[str, ...]]:
    """Make up which of two summaries somebody preferred: each system with the next."""
    rng = random.Random(1)
    yield ("topic", "first", "second", "choice", "assessor")
    for topic in collection.topics:
        systems = sorted({s.system for s in collection.summaries if s.topic == topic.id})
        for first, second in zip(systems, systems[1:] + systems[:1], strict=True):
            choice = rng.choice(("first", "second", "tie"))
            yield (topic.id, first, second, choice, rng.choice("KLM"))


def answers(collection: Collection) -> Iterator[tuple[str, ...]]:
    """Make up what two assessors answer about four units of each summary."""
    rng = random.Random(2)
    yield ("topic", "system", "unit", "answer", "assessor")
    for topic, system in sorted({(s.topic, s.system) for s in collection.summaries}):
        for unit, assessor in ((unit, assessor) for unit in "abcd" for assessor in "KL"):
            yield (topic, system, unit, rng.choice(("yes", "no", "cannot tell")), assessor)


def prepare(collection: Collection, folder: Path) -> dict[str, Path | str]:
    """Write what the commands read; give the places by their names."""
    folder.mkdir()
    lead = next(s.system for s in collection.summaries if s.system.startswith("lead"))
    places: dict[str, Path | str] = {"s": folder / "c" / "scores.csv", "lead": lead}
    places["new"] = folder / "new"
    for name in ("c", "again", "other", "third"):
        places[name] = path = folder / name
        enlarged = collection
        if name in ("other", "third"):
            enlarged = replace(by_topics(collection, 1, name), pyramids={}, peer_annotations={})
        replace(enlarged, name=name).save(path)
    places["rouge"], places["peers"] = rouge, peers = folder / "rouge", folder / "peers.jsonl"
    collection.save(rouge, format="rouge")
    machines = tuple(s for s in collection.summaries if s.kind != "human")
    replace(collection, summaries=machines).save(peers, format="summaries")
    for name, rows in (("choices", choices(collection)), ("answers", answers(collection))):
        places[name] = path = folder / f"{name}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    return places


def run(words: list[str], longest: float) -> Used:
    """Run a command; give what it used."""
    command = [sys.executable, "-m", "pyramidion", *words]
    # Threads of linear algebra that wait for each other use time, too.
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=alone
    )
    assert process.stderr is not None
    watch = threading.Timer(longest, process.kill)
    watch.start()
    messages = process.stderr.read().decode(errors="replace").strip().splitlines()
    _, status, used = os.wait4(process.pid, 0)
    watch.cancel()
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        print(
            f"  {' '.join(words)}: {messages[-1] if messages else 'took too long'}", file=sys.stderr
        )
        return NOT_DONE
    return Used(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def exponent(sizes: Sequence[int], values: Sequence[float], least: float, floor: float) -> float:
    """Fit a power to what is above the smallest size; NaN where there is too little of it."""
    done = [(n, value) for n, value in zip(sizes, values, strict=True) if not math.isnan(value)]
    if len(done) < 3:
        return math.nan
    (n, small), (m, large) = ((n - done[0][0], value - done[0][1]) for n, value in done[-2:])
    if large < least or (small < least and not floor):
        return math.nan
    return math.log(large / max(small, floor)) / math.log(m / n)


def with_machines(demo: Collection) -> Collection:
    """Add summaries of eight methods, scores that are made up, and automatic annotations."""
    methods = "lead,random,sum-avr,sum-sum,lexrank,kl-sum,mmr,centroid"
    summarized = summarize_collection(demo, method=methods).to_collection()
    rng = random.Random(0)
    judged = [
        Judgment(s.topic, s.system, measure, float(rng.randint(1, 5)), s.task, "machine", assessor)
        for s in summarized.summaries
        if s.kind != "human"
        for measure in ("responsiveness", "readability")
        for assessor in "KL"
    ]
    scores = Scores.concatenate([summarized.scores, Scores.from_judgments(judged)])
    annotated = auto(summarized, match=True, which="all").annotations.peers
    return replace(summarized, scores=scores, peer_annotations=annotated)


def measured(words: str, data: Mapping[int, Mapping[str, object]], most: float) -> dict[int, Used]:
    """Run a command on the smallest and a middle size, then on the largest or, if slow, another."""
    first, second, middle, last = sorted(data)
    used: dict[int, Used] = {}
    for step in (first, middle, last):
        slow = step == last and not used[middle].cpu < most
        size = second if slow else step
        used[size] = run(words.format(**data[size]).split(), 40 * most)
    return used


def row(name: str, sizes: Sequence[int], used: Mapping[int, Used]) -> str:
    """Write what a command used, with the exponents of its growth."""
    every = [used.get(size, NOT_DONE) for size in sizes]
    cpu, mib = zip(*every, strict=True)
    # The start needs memory that little data fits into; time shows from the first second on.
    time, memory = exponent(sizes, cpu, 0.3, 0.03), exponent(sizes, mib, 10.0, 0.0)
    cells = "".join(f"{usage.cpu:9.2f}{usage.mib:7.0f}" for usage in every)
    line = f"{name:30}{cells}{time:8.2f}{memory:8.2f}".replace("nan", "  -")
    return f"{line}{' ABOVE' if time > BAR else ''}"


def large_tables(folder: Path) -> dict[str, Path]:
    """Make up scores of systems that differ, with ties, and two people's and a model's."""
    rng = random.Random(0)
    heads = ("topic", "system", "kind", "measure", "value", "assessor", "assessor_kind")
    places = {name: folder / f"{name}.csv" for name in ("s", "assessed")}
    with ExitStack() as stack:
        scores, assessed = (
            csv.writer(stack.enter_context(path.open("w", newline="", encoding="utf-8")))
            for path in places.values()
        )
        scores.writerow(heads)
        assessed.writerow(heads)
        for topic, number in product(range(TOPICS), range(SYSTEMS)):
            kind = "human" if number < PEOPLE else "machine"
            about, quality = (f"D{topic}", f"s{number}", kind), rng.gauss(3 + number / 10, 1)
            for measure in ("responsiveness", "readability"):
                value = min(5, max(1, round(quality + rng.gauss(0, 0.5))))
                scores.writerow((*about, measure, value, "", ""))
            for metric in range(3):
                value = 0.1 + 0.02 * (quality + metric * rng.gauss(0, 0.5))
                scores.writerow((*about, f"metric-{metric}", f"{value:.4f}", "", ""))
            for assessor, whose in (("K", ""), ("L", ""), ("gpt", "model")):
                value = min(5, max(1, round(quality + rng.gauss(0, 0.7))))
                assessed.writerow((*about, "responsiveness", value, assessor, whose))
    return places


def run_large(names: Sequence[str], longest: float) -> bool:
    """Print what commands use on large tables; return whether their memory is within the bar."""
    print(f"{TOPICS:,} topics x {SYSTEMS} systems: CPU seconds, MiB (at most {MOST_MIB})")
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        places = large_tables(Path(folder))
        for name in names:
            used = run(LARGE[name].format(**places).split(), longest)
            passed = used.mib <= MOST_MIB
            fine &= passed
            print(f"{name:30}{used.cpu:9.2f}{used.mib:7.0f} {'passed' if passed else 'ABOVE'}")
    return fine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, nargs=4, default=[1, 4, 10, 100])
    parser.add_argument("--by", choices=("topics", "systems"), default="topics")
    parser.add_argument("--only", nargs="+", choices=list(COMMANDS))
    parser.add_argument("--large", action="store_true", help="run on 6,400 topics x 10 systems")
    parser.add_argument("--most", type=float, default=60, help="CPU seconds of the size before")
    options = parser.parse_args()
    if options.large:
        chosen = [name for name in LARGE if not options.only or name in options.only]
        raise SystemExit(not run_large(chosen, 40 * options.most))
    if forgotten():
        raise SystemExit(f"commands that take data and are not run: {', '.join(forgotten())}")
    grow = by_topics if options.by == "topics" else by_systems
    base, sizes = with_machines(load_demo()), sorted(options.times)
    print(f"Multiples of the demonstration, by {options.by}: CPU seconds, MiB, exponents")
    heads = "".join(f"{f'x{size}':>16}" for size in sizes)
    print(f"{'command':30}{heads}{'time':>8}{'memory':>8}")
    with tempfile.TemporaryDirectory() as folder:
        data = {size: prepare(grow(base, size), Path(folder, f"x{size}")) for size in sizes}
        for number, name in enumerate(options.only or COMMANDS):
            words = COMMANDS[name].replace("{new}", f"{{new}}{number}")
            print(row(name, sizes, measured(words, data, options.most)), flush=True)


if __name__ == "__main__":
    main()
