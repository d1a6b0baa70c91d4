"""Does a summary say what its source does not? The built-in checks, on labels and planted errors.

Run by ``make bench AREA=support`` (``--protocol`` also asks the small language model of the tests,
which shows only that the steps work); reads SummEdits and Wikinews in ``../shared/data``. One of
the three domains was held out before any rule was tuned, and is marked. Intervals resample
documents, since edits of one summary are alike. Errors are planted into faithful summaries and into
extracts: names and numbers that the source does not have, negations, and names of the source in
each other's places, which no check is expected to see.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gzip
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion import faithful
from pyramidion.collection import Collection, Document, Summary, Topic
from pyramidion.support import SourceIndex, support_counts
from pyramidion.text import split_sentences

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
#: Fixed before tuning. The first run on it missed the bar of precision: *YoY* and *COVID-19*, each
#: in one document, were taken for a name and a number. Both were fixed after looking at it.
HELD_OUT = ("ectsum",)
FIRST_RUN = "balanced accuracy .750, precision .887"
SEED = 42
RESAMPLES = 500
KINDS = ("name", "number", "quotation", "opposite", "negation")
GUARD = ("name", "number", "opposite", "negation")
#: Balanced accuracy on the same eight domains of SummEdits (Laban et al. 2023), not measured here.
PUBLISHED = {
    "GPT-4": 0.832,
    "ChatGPT": 0.725,
    "QAFactEval": 0.674,
    "SummaC-Conv": 0.571,
    "DAE": 0.554,
}
WORDS = 640

Rows = list[dict[str, Any]]
console = Console(width=110, highlight=False)
missed: list[str] = []


def bar(what: str, value: float, limit: float, *, most: bool = False) -> None:
    """Print a figure, its bar, and whether it was met."""
    met = value <= limit if most else value >= limit
    missed.extend([what] * (not met))
    sign = "<=" if most else ">="
    print(f"  {what:<58} {value:.3f}  bar {sign} {limit:g}  {'met' if met else 'MISSED'}")


def read(name: str) -> Rows:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def kinds_in(source: SourceIndex, text: str) -> set[str]:
    """Return the kinds of spans that are not in the source."""
    spans = source.unsupported_in(split_sentences(text, newlines="sentence"))
    return {span.kind for sentence in spans for span in sentence}


def interval(rows: Rows, figure: Callable[[Rows], float]) -> tuple[float, float]:
    """Resample documents."""
    by_topic = defaultdict(list)
    for row in rows:
        by_topic[row["topic"]].append(row)
    groups, rng = list(by_topic.values()), np.random.default_rng(SEED)
    figures = []
    for _ in range(RESAMPLES):
        sample = rng.integers(len(groups), size=len(groups))
        figures.append(figure([row for number in sample for row in groups[number]]))
    low, high = np.nanquantile(figures, [0.025, 0.975])
    return float(low), float(high)


def rates(rows: Rows, kinds: Iterable[str]) -> tuple[float, float, float, float]:
    """Return the shares of faithful and unfaithful texts flagged, accuracy and precision."""
    kinds = set(kinds)
    flagged = np.array([bool(row["kinds"] & kinds) for row in rows])
    faithful = np.array([row["scores"]["human_faithful"] == 1 for row in rows])
    alarms = float(flagged[faithful].mean()) if faithful.any() else np.nan
    hits = float(flagged[~faithful].mean()) if not faithful.all() else np.nan
    precision = float((~faithful)[flagged].mean()) if flagged.any() else np.nan
    return alarms, hits, (1 - alarms + hits) / 2, precision


def auc(rows: Rows, measure: str) -> float:
    """Return how often a faithful text scores above an unfaithful one."""
    faithful = [row[measure] for row in rows if row["scores"]["human_faithful"] == 1]
    other = [row[measure] for row in rows if row["scores"]["human_faithful"] == 0]
    pairs = np.subtract.outer(faithful, other)
    return float((pairs > 0).mean() + (pairs == 0).mean() / 2)


def labeled() -> tuple[Rows, dict[str, SourceIndex]]:
    """Check SummEdits, and print the figures by domain."""
    rows, sources = read("summedits"), {}
    started = time.process_time()
    for row in rows:
        if row["topic"] not in sources:
            sources[row["topic"]] = SourceIndex(row["documents"])
    words = sum(
        len(text.split()) for r in {r["topic"]: r for r in rows}.values() for text in r["documents"]
    )
    per_document = 1000 * (time.process_time() - started) * WORDS / words
    started = time.process_time()
    for row in rows:
        row["kinds"] = kinds_in(sources[row["topic"]], row["summary"])
    per_summary = 1000 * (time.process_time() - started) / len(rows)
    for row in rows:
        counts = support_counts(sources[row["topic"]], row["summary"])
        row |= {"contiguity": counts.contiguity, "support": counts.support}
    domains = {
        task: [row for row in rows if row["task"] == task]
        for task in sorted({r["task"] for r in rows})
    }
    by_domain(domains | {"all": rows})
    aucs(domains)
    held_out = [row for row in rows if row["task"] in HELD_OUT]
    print("Bars on SummEdits")
    for kind, alarms, hits in (("name", 0.005, 0.075), ("number", 0.05, 0.17)):
        values = rates(rows, [kind])
        bar(f"{kind}s, faithful texts flagged", values[0], alarms, most=True)
        bar(f"{kind}s, unfaithful texts flagged", values[1], hits)
    values = rates(held_out, GUARD)
    print(f"  On {', '.join(HELD_OUT)}, before anybody had looked at it: {FIRST_RUN}")
    bar("guard, balanced accuracy, domain that was held out", values[2], 0.60)
    bar("guard, precision, domain that was held out", values[3], 0.90)
    bar("CPU ms per summary", per_summary, 10, most=True)
    bar(f"CPU ms per {WORDS}-word document", per_document, 50, most=True)
    return rows, sources


def by_domain(domains: dict[str, Rows]) -> None:
    title = "SummEdits: share of texts flagged, faithful / unfaithful"
    table = Table(
        title=title, caption="Intervals (95%) resample documents. guard = all kinds but quotations."
    )
    for name in ("domain", "texts", "documents", *KINDS, "guard", "accuracy", "precision"):
        table.add_column(name)
    for task, rows in domains.items():
        cells = ["{:.3f} / {:.3f}".format(*rates(rows, [kind])[:2]) for kind in KINDS]
        alarms, hits, accuracy, precision = rates(rows, GUARD)
        low, high = interval(rows, lambda sample: rates(sample, GUARD)[2])
        table.add_row(
            task + " (tuned on others)" * (task in HELD_OUT), str(len(rows)),
            str(len({row["topic"] for row in rows})), *cells, f"{alarms:.3f} / {hits:.3f}",
            f"{accuracy:.3f} [{low:.3f}, {high:.3f}]", f"{precision:.3f}",
        )  # fmt: skip
    Console(width=200, highlight=False).print(table)
    listed = ", ".join(f"{name} {value:.3f}" for name, value in PUBLISHED.items())
    print(f"Balanced accuracy as published, on eight domains (not measured here): {listed}\n")


def aucs(domains: dict[str, Rows]) -> None:
    print(
        "AUC of scores that reward copying, by domain: .5 is chance, so never rank writers by them"
    )
    for measure in ("contiguity", "support"):
        values = {task: auc(rows, measure) for task, rows in domains.items()}
        listed = ", ".join(f"{task} {value:.3f}" for task, value in values.items())
        print(f"  {measure:<12} {listed}; mean {np.mean(list(values.values())):.3f}")
    print()


# Planted errors

NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})+")
NUMBER = re.compile(r"(?<![\d.,$£€:-])\d{2,4}(?![\d.,:%-]|\w)")
AUXILIARY = re.compile(r"\b(is|was|are|were|has|have|had|will|would|can|could)\b(?! not)")

Plant = Callable[[str, str, random.Random, list[str]], str | None]


def foreign_name(text: str, source: str, rng: random.Random, names: list[str]) -> str | None:
    """Replace a name by one from another source."""
    places = list(NAME.finditer(text))
    foreign = [name for name in names if not any(word in source for word in name.split())]
    if not places or not foreign:
        return None
    place = rng.choice(places)
    return text[: place.start()] + rng.choice(foreign) + text[place.end() :]


def foreign_number(text: str, source: str, rng: random.Random, names: list[str]) -> str | None:
    """Replace a number by one of as many digits that the source does not have.

    After words such as *about* and *more than*, some of them count as rounded.
    """
    places = list(NUMBER.finditer(text))
    if not places:
        return None
    place = rng.choice(places)
    low = 10 ** (len(place[0]) - 1)
    absent = [n for n in range(low + 1, 10 * low) if str(n) not in source and n % 10]
    return text[: place.start()] + str(rng.choice(absent)) + text[place.end() :]


def negation(text: str, source: str, rng: random.Random, names: list[str]) -> str | None:
    """Put *not* after an auxiliary."""
    places = list(AUXILIARY.finditer(text))
    if not places:
        return None
    place = rng.choice(places)
    return f"{text[: place.end()]} not{text[place.end() :]}"


def swap(text: str, source: str, rng: random.Random, names: list[str]) -> str | None:
    """Put two names of a text in each other's places."""
    inside = list(dict.fromkeys(NAME.findall(text)))
    if len(inside) < 2:
        return None
    first, second = rng.sample(inside, 2)
    return text.replace(first, "\0").replace(second, first).replace("\0", second)


PLANTS: dict[str, tuple[Plant, str]] = {
    "foreign name": (foreign_name, "name"),
    "foreign number": (foreign_number, "number"),
    "negation": (negation, "negation"),
    "swapped names": (swap, "name"),
}


def extracts(number: int = 200) -> Iterable[tuple[str, str, SourceIndex]]:
    """Yield three consecutive sentences of articles."""
    rng = random.Random(SEED)
    for row in read("wikinews_clusters")[:number]:
        document = row["documents"][0]
        text = document if isinstance(document, str) else document["text"]
        sentences = split_sentences(text)
        first = rng.randrange(max(len(sentences) - 2, 1))
        yield " ".join(sentences[first : first + 3]), text, SourceIndex([text])


def planted(rows: Rows, sources: dict[str, SourceIndex]) -> None:
    """Plant errors, and print how many are found and how many sound texts are flagged."""
    faithful = {
        row["summary"]: (" ".join(row["documents"]), sources[row["topic"]])
        for row in rows
        if row["scores"]["human_faithful"] == 1
    }
    sets = {
        "faithful summaries": [(text, *place) for text, place in faithful.items()],
        "extracts": list(extracts()),
    }
    names = sorted(
        {name for texts in sets.values() for text, _, _ in texts for name in NAME.findall(text)}
    )
    table = Table(title="Planted errors: share found, and share of the same texts flagged without")
    for name in ("texts", "error", "planted", "found [95%]", "false alarms", "found by any kind"):
        table.add_column(name)
    sound = {text: kinds_in(source, text) for texts in sets.values() for text, _, source in texts}
    pooled: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for title, texts in sets.items():
        for error, (plant, kind) in PLANTS.items():
            rng, results = random.Random(SEED), []
            for text, original, source in texts:
                changed = plant(text, original, rng, names)
                if changed is not None:
                    after, before = kinds_in(source, changed), sound[text]
                    results.append((kind in after, kind in before, bool(after), original))
            rates_of = [(hit, alarm, anything) for hit, alarm, anything, _ in results]
            found, alarms, anything = np.array(rates_of, dtype=float).mean(axis=0)
            hits = [{"topic": original, "hit": hit} for hit, _, _, original in results]
            low, high = interval(hits, lambda sample: float(np.mean([r["hit"] for r in sample])))
            pooled[error] += [(hit, alarm) for hit, alarm, _, _ in results]
            table.add_row(
                title, error, str(len(results)), f"{found:.3f} [{low:.3f}, {high:.3f}]",
                f"{alarms:.3f}", f"{anything:.3f}",
            )  # fmt: skip
    console.print(table)
    print("Bars on planted errors")
    for error, limit in (("foreign name", 0.85), ("foreign number", 0.90)):
        found, alarms = np.array(pooled[error], dtype=float).mean(axis=0)
        bar(f"{error}, found", found, limit)
        bar(f"{error}, false alarms", alarms, 0.05, most=True)
    flagged = [text for text, _, _ in sets["extracts"] if sound[text]]
    sentences = [
        sentence.text
        for source in (*sources.values(), *(source for _, _, source in sets["extracts"]))
        for sentence in source.sentences
        if source.unsupported(sentence.text)
    ]
    bar(f"extracts of {len(sets['extracts'])} flagged", len(flagged), 0, most=True)
    bar("sentences of their own source flagged", len(sentences), 0, most=True)


def collection_of(rows: Rows) -> Collection:
    """Return labeled texts as a collection; each edit of a document is a system."""
    documents = {row["topic"]: row["documents"] for row in rows}
    topics = tuple(
        Topic(topic, documents=tuple(Document(str(n), text) for n, text in enumerate(texts)))
        for topic, texts in documents.items()
    )
    summaries = tuple(Summary(r["topic"], str(n), r["summary"]) for n, r in enumerate(rows))
    return Collection("summedits", topics=topics, summaries=summaries)


def by_statement(rows: Rows, **options: Any) -> Any:
    """Check with the command `faithful`, and compare its verdicts with people's labels."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.csv"
        lines = [f"{r['topic']},{n},{r['scores']['human_faithful']}" for n, r in enumerate(rows)]
        path.write_text("\n".join(["topic,system,label", *lines]), encoding="utf-8")
        return faithful(collection_of(rows), labels=path, **options)


def statements(rows: Rows) -> None:
    """Print how well statement verdicts predict people's labels of whole summaries."""
    print("Verdicts of `pyramidion faithful` (lowest of a summary's statements), by domain")
    for task in sorted({row["task"] for row in rows}):
        people = by_statement([row for row in rows if row["task"] == task]).people
        figures = ", ".join(f"{name} {figure.text}" for name, figure in people.overall.items())
        print(f"  {task}: {figures}; calibration error {people.calibration_error.text}")
        shares = (f"{b.supported.text} of {b.items} at {b.score:g}" for b in people.calibration)
        print(f"    called supported by people, by score: {', '.join(shares)}")


def protocol(rows: Rows, number: int = 4) -> None:
    """Ask the small local model of the tests: this shows that the steps work, and nothing else."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    import pytest

    try:
        # The module of the tests, which is named like this one.
        running = import_module("support").small_language_model()
    except pytest.skip.Exception as reason:
        print(f"\nThe small local model was not asked: {reason}")
        return
    sample = [row for row in rows if row["task"] == "news"][:number]
    checker = f"judge(url={running.listening_address}/v1,context=300,max_tokens=100)"
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder) / "answers.jsonl"
        result = by_statement(sample, checker=checker, answers=answers, parallel=1)
    counts = sum((system.statements for system in result), Counter[str]())
    print("\nPROTOCOL TEST ONLY, a model of 135 million parameters that cannot judge:")
    print(f"  {result.checker}: {dict(counts)}; {'; '.join(result.left_out) or 'all answers read'}")


def main() -> None:
    """Print everything."""
    if not (DATA / "summedits.jsonl.gz").exists():
        sys.exit(f"needs {DATA}/summedits.jsonl.gz")
    rows, sources = labeled()
    planted(rows, sources)
    statements(rows)
    if "--protocol" in sys.argv:
        protocol(rows)
    print(f"\nMISSED: {', '.join(missed)}" if missed else "\nall bars met")


main()
