"""Plausible mistakes planted into real data: how many pass unnoticed, and false alarms.

Run by ``make bench AREA=traps``; reads sets in ``../shared/data``. Every trap is a file as a new
user would bring it, and the command that they would type. It is caught if one line of the
output has both a name (a system, judge or column) and a word for the cause; a line that only
reports how columns were read does not count, nor does an error about something else. Sound data are
controls: a ``warning:`` there is a false alarm. The battery was written from the
documentation, without reading the checks; half of the traps are not in any specification.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import contextlib
import csv
import functools
import gzip
import io
import itertools
import json
import random
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pyramidion.cli.runtime import run

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
Row = dict[str, Any]
Rows = list[Row]
Argv = list[str]
SEED = 20261118


class Trap(NamedTuple):
    """A mistake (or, without names and causes, sound data) and how to tell that it was caught."""

    area: str
    title: str
    make: Callable[[], Argv]
    names: str = ""
    causes: str = ""
    described: bool = False
    notes: bool = False


TRAPS: list[Trap] = []


def trap(
    area: str,
    title: str,
    names: str = "",
    causes: str = "",
    described: bool = False,
    notes: bool = False,
) -> Callable[[Callable[[], Argv]], Callable[[], Argv]]:
    """Add a trap; names and causes are regular expressions, of which a line must have both.

    With ``notes``, lines that report how columns were read, or what was computed, count as well:
    the right answer is to read or to compute it so.
    """

    def add(make: Callable[[], Argv]) -> Callable[[], Argv]:
        TRAPS.append(Trap(area, title, make, names, causes, described, notes))
        return make

    return add


# Data, as strangers would bring them.


@functools.cache
def records(name: str) -> Rows:
    """Return the records of a set."""
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def selected(name: str, systems: int, topics: int, first: int = 0) -> Rows:
    """Return the records of the first systems and topics, by topic."""
    everything = records(name)
    some = list(dict.fromkeys(str(row["topic"]) for row in everything))[first : first + topics]
    chosen = sorted({str(row["system"]) for row in everything})[:systems]
    rank = {topic: i for i, topic in enumerate(some)}
    rows = [row for row in everything if row["topic"] in rank and row["system"] in chosen]
    return sorted(rows, key=lambda row: (rank[row["topic"]], row["system"]))


def wide(systems: int = 8, topics: int = 40, human: bool = True, metric: bool = True) -> Rows:
    """Return a row for each summary of SummEval: two human measures, two metrics."""
    rows = []
    for row in selected("summeval", systems, topics):
        scores = row["scores"]
        own: Row = {"doc": row["topic"][9:17], "model": "sys" + row["system"]}
        if human:
            own |= {
                "coherence": round(scores["expert_coherence"], 2),
                "relevance": round(scores["expert_relevance"], 2),
            }
        if metric:
            own |= {
                "rouge": round(scores["auto_rouge-1_f1"] / 100, 4),
                "bertscore": scores["auto_bertscore_f1"],
            }
        rows.append(own)
    return rows


def judged(
    systems: int = 6, topics: int = 40, names: str = "coherence relevance", who: str = "expert"
) -> Rows:
    """Return a row for each summary and judge of SummEval."""
    rows = []
    people = {"expert1": "anna", "expert2": "bela", "expert3": "carl"}
    for row in selected("summeval", systems, topics):
        by: dict[str, Row] = defaultdict(dict)
        for score in row["assessor_scores"]:
            if score["assessor"].startswith(who) and score["name"] in names:
                by[people.get(score["assessor"], score["assessor"])][score["name"]] = score["value"]
        for judge, values in by.items():
            own = {"doc": row["topic"][9:17], "model": "sys" + row["system"], "judge": judge}
            rows.append(own | values)
    return rows


def texts(systems: int = 6, topics: int = 30, name: str = "realsumm") -> Rows:
    """Return a row for each summary with one reference."""
    return [
        {
            "doc": row["topic"][-8:],
            "model": row["system"].removeprefix("abs_").replace("_out", ""),
            "summary": row["summary"],
            "gold": row["references"][0],
        }
        for row in selected(name, systems, topics)
    ]


TARGET = "fast_abs_rl_rerank"


def spoiled(change: Callable[[str, int], str], share: float = 1.0, target: str = TARGET) -> Rows:
    """Return texts with those of a system changed, in all topics or the first ones."""
    rows = [dict(row) for row in texts()]
    mine = [row for row in rows if row["model"] == target]
    for i, row in enumerate(mine[: round(share * len(mine))]):
        row["summary"] = change(row["summary"], i)
    return rows


def changed(
    rows: Rows, column: str, change: Callable[[Any], Any], where: Callable[[int, Row], bool]
) -> Rows:
    """Return rows with a column changed where a condition holds."""
    return [
        row | {column: change(row[column])} if where(i, row) else dict(row)
        for i, row in enumerate(rows)
    ]


def topics_of(rows: Rows) -> list[str]:
    """Return topics in the order of the file."""
    return list(dict.fromkeys(row["doc"] for row in rows))


def moved(
    rows: Rows, column: str, systems: Iterable[str], order: Callable[[list[Any]], list[Any]]
) -> Rows:
    """Return rows with the values of systems in another order over topics."""
    rows = [dict(row) for row in rows]
    for system in systems:
        mine = [row for row in rows if row["model"] == system]
        for row, value in zip(mine, order([row[column] for row in mine]), strict=True):
            row[column] = value
    return rows


def shift(values: list[Any]) -> list[Any]:
    """Shift values by one row."""
    return [values[-1], *values[:-1]]


def shuffle(values: list[Any]) -> list[Any]:
    """Shuffle values."""
    return random.Random(SEED).sample(values, len(values))


def votes(columns: str = "topic annotator model_a model_b winner", n: int | None = None) -> Rows:
    """Return the choices between headlines."""
    names = columns.split()
    rows = records("headlines_pairwise")[:n]
    rows = [row for row in rows if row["choice"] != "neither"]
    keys = ("topic", "assessor", "system_a", "system_b", "choice")
    return [{name: row[key] for name, key in zip(names, keys, strict=True)} for row in rows]


def reviews(question: str = "overall") -> Rows:
    """Return the choices of SQuALITY's reviewers on one question."""
    return [
        {
            "topic": row["topic"],
            "annotator": row["assessor"],
            "system_a": row["system_a"],
            "system_b": row["system_b"],
            "choice": row["choice"],
        }
        for row in records("squality_pairwise")
        if row["name"] == question
    ]


def answers(systems: int = 5, topics: int = 30) -> Rows:
    """Return the answers of workers about content units of REALSumm."""
    rows = []
    for row in selected("realsumm", systems, topics):
        for worker, own in enumerate(row["scu_worker_answers"][:3]):
            for unit, answer in enumerate(own):
                rows.append(
                    {
                        "topic": row["topic"],
                        "system": row["system"][4:],
                        "unit": f"u{unit + 1}",
                        "answer": "yes" if answer else "no",
                        "assessor": f"worker{worker + 1}",
                    }
                )
    return rows


# Files.

FOLDER = [Path()]


def table(
    rows: Rows, name: str = "data.csv", comma: str = ",", encoding: str = "utf-8", head: bool = True
) -> str:
    """Write rows as a table, and return its path."""
    path = FOLDER[0] / name
    columns = list(dict.fromkeys(key for row in rows for key in row))
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, columns, delimiter=comma, restval="")
        if head:
            writer.writeheader()
        writer.writerows(rows)
    return str(path)


def lines(rows: Rows, name: str = "data.jsonl") -> str:
    """Write rows as JSON Lines, and return the path."""
    path = FOLDER[0] / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def stream(rows: Rows) -> str:
    """Write texts as a stream, and return its path."""
    return lines(
        [
            {
                "topic": row["doc"],
                "system": row["model"],
                "peer": row["summary"],
                "references": row["gold"] if isinstance(row["gold"], list) else [row["gold"]],
            }
            for row in rows
        ],
        "stream.jsonl",
    )


def compare(path: str, *options: str) -> Argv:
    """Compare systems, with fewer resamples than by default, since only findings matter."""
    return ["compare", path, "--resamples", "99", *options]


def score(path: str, *options: str) -> Argv:
    """Score texts."""
    return ["score", path, "-m", "rouge-1,rouge-2", *options]


# fmt: off
# One trap after the other, filled: formatted, they would be twice as long.

# Scores.

MISSING = r"placeholder|missing|-999|sentinel|far from|outside|scale|off "


@trap("scores", "-999 in some cells", "coherence|sysM10", MISSING, True)
def _() -> Argv:
    rows = wide(metric=False)
    return compare(table(changed(rows, "coherence", lambda _: -999, lambda i, row: row["model"] ==
        "sysM10" and i % 5 == 0)))

@trap("scores", "99 for no answer on a scale from 1 to 5", "relevance", MISSING + "|99", True)
def _() -> Argv:
    return compare(table(changed(wide(metric=False), "relevance", lambda _: 99, lambda i, row: i in
        (7, 100, 201))))

@trap("scores", "9 for no answer on a scale from 1 to 5", "coherence", MISSING + r"|\b9\b", True)
def _() -> Argv:
    return compare(table(changed(wide(metric=False), "coherence", lambda _: 9, lambda i, row: i in
        (3, 90, 151, 222, 290))))

@trap("scores", "9 among whole numbers from 1 to 5", "coherence", MISSING + r"|\b9\b", True)
def _() -> Argv:
    return compare(table(changed(judged(), "coherence", lambda _: 9, lambda i, row: i in (3, 90,
        251, 422, 590))))

@trap("scores", "0 among whole numbers from 1 to 5", "coherence", MISSING + r"|\b0\b", True)
def _() -> Argv:
    return compare(table(changed(judged(), "coherence", lambda _: 0, lambda i, row: i % 4 == 0 and
        i % 18 > 14)))

@trap("scores", "0 for missing on a scale from 1 to 5", "coherence|sysM12", MISSING + r"|\b0\b",
     True)
def _() -> Argv:
    return compare(table(changed(wide(metric=False), "coherence", lambda _: 0, lambda i, row:
        row["model"] == "sysM12" and i % 3 == 0)))

@trap("scores", "0 for missing metric scores of a system", "bertscore|sysM12", MISSING +
     r"|\b0\b|zero", True)
def _() -> Argv:
    return compare(table(changed(wide(human=False), "bertscore", lambda _: 0, lambda i, row:
        row["model"] == "sysM12" and i % 4 == 0)))


PERCENT = r"percent|×100|100 times|scale|fraction|0 to 1|hundred"


@trap("scores", "percentages in some topics", "rouge", PERCENT, True)
def _() -> Argv:
    rows = wide(human=False)
    some = topics_of(rows)[:10]
    return compare(table(changed(rows, "rouge", lambda x: round(100 * x, 2), lambda i, row:
        row["doc"] in some)))

@trap("scores", "percentages in some cells", "rouge", PERCENT, True)
def _() -> Argv:
    return compare(table(changed(wide(human=False), "rouge", lambda x: 100 * x, lambda i, row: i in
        (4, 77, 140, 233))))

@trap("scores", "percentages of one system", "rouge|sysM11", PERCENT)
def _() -> Argv:
    return compare(table(changed(wide(human=False), "rouge", lambda x: round(100 * x, 2), lambda i,
        row: row["model"] == "sysM11")))


TOTALS = r"total|average|mean of|summary row|aggregate"


@trap("scores", "AVERAGE rows as a topic", "AVERAGE", TOTALS, True)
def _() -> Argv:
    rows = wide(metric=False)
    means = [{"doc": "AVERAGE", "model": system} | {m: round(sum(r[m] for r in rows if r["model"]
        == system) / 40, 3) for m in ("coherence", "relevance")} for system in sorted({r["model"]
        for r in rows})]
    return compare(table([*rows, *means]))

@trap("scores", "a mean over systems as a system", r"\bmean\b", r"total|average|mean of|mean over",
     True)
def _() -> Argv:
    rows = wide(metric=False)
    means = [{"doc": doc, "model": "mean"} | {m: round(sum(r[m] for r in rows if r["doc"] == doc) /
        8, 3) for m in ("coherence", "relevance")} for doc in topics_of(rows)]
    return compare(table([*rows, *means]))

@trap("scores", "a total without a telling name among topics", "zz_corpus", TOTALS)
def _() -> Argv:
    rows = wide(metric=False)
    means = [{"doc": "zz_corpus", "model": system} | {m: sum(r[m] for r in rows if r["model"] ==
        system) / 40 for m in ("coherence", "relevance")} for system in sorted({r["model"] for r in
        rows})]
    return compare(table([*rows, *means]))

@trap("scores", "the best of all systems per topic as a system (oracle)", "oracle|best_of",
     r"best|maximum|oracle|highest|total")
def _() -> Argv:
    rows = wide(human=False)
    best = [{"doc": doc, "model": "oracle"} | {m: max(r[m] for r in rows if r["doc"] == doc) for m
        in ("rouge", "bertscore")} for doc in topics_of(rows)]
    return compare(table([*rows, *best]))

@trap("scores", "a column shifted by one row", "bertscore|rouge", r"shift|row", True)
def _() -> Argv:
    rows = wide(human=False)
    values = shift([row["bertscore"] for row in rows])
    return compare(table([row | {"bertscore": v} for row, v in zip(rows, values, strict=True)]))

@trap("scores", "system means repeated for every topic", "coherence",
     r"constant|same (score|value)|varies|each system", True)
def _() -> Argv:
    rows = wide(metric=False)
    means = {s: round(sum(r["coherence"] for r in rows if r["model"] == s) / 40, 3) for s in
        {r["model"] for r in rows}}
    return compare(table([row | {"coherence": means[row["model"]]} for row in rows]))

@trap("scores", "one system has the same score everywhere", "sysM13",
     r"constant|same (score|value)|identical|all \d+")
def _() -> Argv:
    return compare(table(changed(wide(metric=False), "coherence", lambda _: 4, lambda i, row:
        row["model"] == "sysM13"), name="scores.csv"))

@trap("scores", "ids read as a measure", "sample_no",
     r"\bids?\b|number(s|ed)? rows|row number|count", True)
def _() -> Argv:
    rows = wide(metric=False)
    return compare(table([{"doc": r["doc"], "model": r["model"], "sample_no": i + 1, "coherence":
        r["coherence"]} for i, r in enumerate(rows)]))

@trap("scores", "hash numbers beside scores", "item_hash",
     r"not used: item_hash|\bids\b|not a measure", notes=True)
def _() -> Argv:
    rows = wide(metric=False)
    hashes = {doc: 100000 + random.Random(doc).randrange(900000) for doc in topics_of(rows)}
    return compare(table([r | {"item_hash": hashes[r["doc"]]} for r in rows]))

@trap("scores", "a copied column: two systems with identical scores",
     "sysM14.*sysM15|sysM15.*sysM14", r"identical|same|copy|copies|equal")
def _() -> Argv:
    rows = wide()
    of = {r["doc"]: r for r in rows if r["model"] == "sysM14"}
    return compare(table([of[r["doc"]] | {"model": "sysM15"} if r["model"] == "sysM15" else r for r
        in rows]))

@trap("scores", "two measures with the same values", "relevance",
     r"identical|same|copy|copies|equal")
def _() -> Argv:
    return compare(table([r | {"relevance": r["coherence"]} for r in wide(metric=False)]))

@trap("scores", "decimal commas in some cells", "coherence", r"comma|number|3,|not read")
def _() -> Argv:
    return compare(table(changed(wide(metric=False), "coherence", lambda x: f"{x:.2f}".replace(".",
        ","), lambda i, row: i % 9 == 0)))

@trap("scores", "'4/5' instead of numbers", "coherence", r"/5|number|word|not read", True)
def _() -> Argv:
    return compare(table(changed(wide(metric=False), "coherence", lambda x: f"{round(x)}/5", lambda
        i, row: True)))

@trap("scores", "'4 - good' instead of numbers", "coherence", r"good|number|word|not read", True)
def _() -> Argv:
    words = ["0", "1 - bad", "2 - poor", "3 - fair", "4 - good", "5 - perfect"]
    return compare(table(changed(wide(metric=False), "coherence", lambda x: words[round(x)], lambda
        i, row: True)))

@trap("scores", "one of the measures is in words", "relevance", r"number|word|not read|text", True)
def _() -> Argv:
    words = ["", "bad", "poor", "fair", "good", "perfect"]
    return compare(table(changed(wide(), "relevance", lambda x: words[round(x)], lambda i, row:
        True)))

@trap("scores", "spreadsheet errors in cells", "relevance", r"#DIV|#N/A|number|error")
def _() -> Argv:
    return compare(table(changed(wide(), "relevance", lambda _: "#DIV/0!", lambda i, row: i in (5,
        50, 200))))

@trap("scores", "scores turned into dates by a spreadsheet", "coherence",
     r"date|number|May|not read")
def _() -> Argv:
    return compare(table(changed(wide(), "coherence", lambda _: "3-May", lambda i, row: i % 31 ==
        0)))

@trap("scores", "infinite scores", "rouge", r"\binf|finite")
def _() -> Argv:
    return compare(table(changed(wide(human=False), "rouge", lambda _: "inf", lambda i, row: i in
        (9, 99))))

@trap("scores", "a system spelled in two ways", "sysM10|SYSM10",
     r"spel|two ways|same (name|system)|case")
def _() -> Argv:
    return compare(table(changed(wide(metric=False), "model", str.upper, lambda i, row:
        row["model"] == "sysM10" and i > 150)))

@trap("scores", "topics lost their zeros in one system's file", r"sysM12|topic",
     r"spel|zero|missing|in common|0\d")
def _() -> Argv:
    rows = wide(metric=False)
    number = {doc: f"{i + 1:03}" for i, doc in enumerate(topics_of(rows))}
    rows = [r | {"doc": number[r["doc"]] if r["model"] != "sysM12" else
        number[r["doc"]].lstrip("0")} for r in rows]
    return compare(table(rows))

@trap("scores", "one system lacks its worst topics", "sysM11",
     r"missing|lack|no scores|only|topics")
def _() -> Argv:
    rows = wide(metric=False)
    mine = sorted((r for r in rows if r["model"] == "sysM11"), key=lambda r: r["coherence"])
    worst = {r["doc"] for r in mine[:15]}
    return compare(table([r for r in rows if r["model"] != "sysM11" or r["doc"] not in worst]))

@trap("scores", "a file concatenated with an older one: two scores each", r"sysM\d+|line|row",
     r"repeat|twice|duplicate|two ")
def _() -> Argv:
    rows = wide(metric=False)
    return compare(table([*rows, *changed(rows, "coherence", lambda x: max(1, x - 0.33), lambda i,
        row: i % 4 == 0)]))

@trap("scores", "one system with its sign turned", "rouge|sysM13",
     r"negative|sign|below|scale|revers")
def _() -> Argv:
    return compare(table(changed(wide(human=False), "rouge", lambda x: -x, lambda i, row:
        row["model"] == "sysM13")))

@trap("scores", "word error rates", r"\bwer\b", r"lower", True)
def _() -> Argv:
    return compare(table([{"doc": r["doc"], "model": r["model"], "wer": round(1 - r["rouge"], 4)}
        for r in wide()]))

@trap("scores", "hallucinated facts counted, in several words", "n_hallucinated_facts", r"lower",
     True)
def _() -> Argv:
    return compare(table([{"doc": r["doc"], "model": r["model"], "n_hallucinated_facts": round(5 -
        r["coherence"])} for r in wide()]))

@trap("scores", "ranks, 1 is best", r"\brank", r"lower|rank of|direction")
def _() -> Argv:
    rows = [{"article": r["topic"], "method": r["system"], "run": r["item"]} | {"judge":
        a["assessor"], "rank": a["value"]} for r in records("headlines") for a in
        r["assessor_scores"]]
    return compare(table(rows))

@trap("scores", "post-editing minutes", "edit_minutes", r"lower is")
def _() -> Argv:
    return compare(table([{"doc": r["doc"], "model": r["model"], "edit_minutes": round(6.2 -
        r["coherence"], 1)} for r in wide()]))

@trap("scores", "questions of the same document as topics", "event",
     r"cluster|belong together|group", True)
def _() -> Argv:
    rows = wide(metric=False)
    rng = random.Random(SEED)
    event = {doc: f"ev{i // 5}" for i, doc in enumerate(topics_of(rows))}
    effect: dict[tuple[str, str], float] = defaultdict(lambda: rng.gauss(0, 1.2))
    rows = [{"doc": r["doc"], "event": event[r["doc"]], "model": r["model"], "quality":
        round(r["coherence"] + effect[event[r["doc"]], r["model"]], 2)} for r in rows]
    return compare(table(rows))

@trap("scores", "scores of one system sorted by themselves", "sysM10|rouge",
     r"sort|order|shift|shuffl|row")
def _() -> Argv:
    return compare(table(moved(wide(human=False), "rouge", ["sysM10"], sorted)))

@trap("scores", "metric of one system in another order", "sysM10|rouge",
     r"order|shift|shuffl|row|align")
def _() -> Argv:
    return compare(table(moved(wide(human=False), "rouge", ["sysM10"], shuffle)))

@trap("scores", "how many judges there were, read as a measure", "n_judges",
     r"constant|count|number of|measure")
def _() -> Argv:
    return compare(table([r | {"n_judges": 3 if i % 7 else 2} for i, r in
        enumerate(wide(metric=False))]))

@trap("scores", "seconds since 1970 beside scores", "timestamp",
     r"time=timestamp|not used: timestamp|\bids\b|not a measure", notes=True)
def _() -> Argv:
    return compare(table([r | {"timestamp": 1700000000 + 37 * i} for i, r in
        enumerate(wide(metric=False))]))

@trap("scores", "-999 in the pilot of a plan", "coherence", MISSING, True)
def _() -> Argv:
    return ["power", table(changed(wide(metric=False), "coherence", lambda _: -999, lambda i, row:
        i % 50 == 3))]


# Judges.


def judge_changed(
    column: str,
    judge: str,
    change: Callable[[Any], Any],
    when: Callable[[int], bool] = lambda i: True,
) -> Rows:
    """Return judgments with those of a judge changed."""
    rows = judged()
    number = {doc: i for i, doc in enumerate(topics_of(rows))}
    return changed(
        rows, column, change, lambda i, row: row["judge"] == judge and when(number[row["doc"]])
    )


REVERSED = r"revers|negativ|correlat"
SCALE = r"scale|outside|range|z-score|negative|values"


@trap("judges", "a judge reversed the scale", "bela", REVERSED, True)
def _() -> Argv:
    rows = judge_changed("coherence", "bela", lambda x: 6 - x)
    return ["assessors", table(changed(rows, "relevance", lambda x: 6 - x, lambda i, row:
        row["judge"] == "bela"))]

@trap("judges", "a judge reversed the scale of one measure", "carl", REVERSED, True)
def _() -> Argv:
    return compare(table(judge_changed("relevance", "carl", lambda x: 6 - x)))

@trap("judges", "a judge gave ranks within topics", "carl", REVERSED + "|rank|" + SCALE)
def _() -> Argv:
    rows = judged(names="coherence")
    for doc in topics_of(rows):
        mine = sorted(
            (r for r in rows if r["doc"] == doc and r["judge"] == "carl"),
            key=lambda r: -r["coherence"],
        )
        for i, row in enumerate(mine):
            row["coherence"] = i + 1
    return compare(table(rows))

@trap("judges", "a judge reversed halfway", "bela", REVERSED + "|half|topics")
def _() -> Argv:
    return compare(table(judge_changed("coherence", "bela", lambda x: 6 - x, lambda i: i >= 20)))

@trap("judges", "a judge always says 3", "carl", r"constant|always|same|varies", True)
def _() -> Argv:
    return compare(table(judge_changed("coherence", "carl", lambda _: 3)))

@trap("judges", "a judge stopped reading: 3 from the middle on", "carl",
     r"constant|always|same|half")
def _() -> Argv:
    return compare(table(judge_changed("coherence", "carl", lambda _: 3, lambda i: i >= 18)))

@trap("judges", "a judge from 0 to 100", "anna", SCALE, True)
def _() -> Argv:
    return compare(table(judge_changed("coherence", "anna", lambda x: 25 * (x - 1))))

@trap("judges", "a judge on seven points", "anna", SCALE)
def _() -> Argv:
    return compare(table(judge_changed("coherence", "anna", lambda x: round(1 + 1.5 * (x - 1)))))

@trap("judges", "a judge from 0 to 4", "bela", SCALE, True)
def _() -> Argv:
    return compare(table(judge_changed("coherence", "bela", lambda x: x - 1)))

@trap("judges", "z-scores of one judge", "bela", SCALE, True)
def _() -> Argv:
    return compare(table(judge_changed("coherence", "bela", lambda x: round((x - 3.4) / 1.1, 3))))

@trap("judges", "half of the topics on another scale", "bela", SCALE + "|half|topics", True)
def _() -> Argv:
    return compare(table(judge_changed("coherence", "bela", lambda x: 2 * x, lambda i: i % 2 ==
        0)))

@trap("judges", "a judge on fractions", "carl", SCALE + "|percent|fraction")
def _() -> Argv:
    return ["assessors", table(judge_changed("relevance", "carl", lambda x: (x - 1) / 4))]

@trap("judges", "task ids read as people", "judge|hit",
     r"each row|one (row|judgment|summary)|per row|task id|only once|single", True)
def _() -> Argv:
    return compare(table([r | {"judge": f"hit{1000 + i}"} for i, r in enumerate(judged())]))


def randomized(judge: str) -> Rows:
    rng = random.Random(SEED)
    return judge_changed("coherence", judge, lambda _: rng.choice([1, 2, 3, 4, 5]))


@trap("judges", "a judge at random, compare", "bela",
     r"random|chance|no correlation|correlat|agree", True)
def _() -> Argv:
    return compare(table(randomized("bela")))

@trap("judges", "a judge at random, assessors", "bela", r"random|chance|correlat", True)
def _() -> Argv:
    return ["assessors", table([{k: v for k, v in r.items() if k != "relevance"} for r in
        randomized("bela")])]

@trap("judges", "a judge's rows are shifted by one", "carl", r"random|shift|chance|correlat|row")
def _() -> Argv:
    rows = judged(names="coherence")
    mine = [r for r in rows if r["judge"] == "carl"]
    for row, value in zip(mine, shift([r["coherence"] for r in mine]), strict=True):
        row["coherence"] = value
    return compare(table(rows))

@trap("judges", "a lenient judge saw more of one system", r"judge|assessor|lena",
     r"adjust|differ|unequal|mix", True, notes=True)
def _() -> Argv:
    rng = random.Random(SEED)
    rows = [r for r in judged(systems=2, topics=60, names="coherence") if r["judge"] != "carl"]
    wanted = []
    for row in rows:
        lenient = rng.random() < (0.8 if row["model"] == "sysM0" else 0.2)
        if row["judge"] == ("anna" if lenient else "bela"):
            wanted.append(
                row
                | {
                    "judge": "lena" if lenient else "stef",
                    "coherence": min(5, row["coherence"] + 1) if lenient else row["coherence"],
                }
            )
    return compare(table(wanted))

@trap("judges", "every system has a judge of its own", "sysM|assessor|judge",
     r"confound|own (judge|assessor)|different (judges|assessors|people)|cannot be told",
     True)
def _() -> Argv:
    who = {"sysM0": "anna", "sysM1": "bela", "sysM10": "carl"}
    return compare(table([r for r in judged(systems=3) if who[r["model"]] == r["judge"]]))

@trap("judges", "a judge who saw one system only", "dora",
     r"only|one system|sysM0|confound|adjust|differ")
def _() -> Argv:
    extra = [r | {"judge": "dora", "coherence": 5, "relevance": 5} for r in judged() if r["model"]
        == "sysM0" and r["judge"] == "anna"]
    return compare(table([*judged(), *extra]))

@trap("judges", "a judge copied another", "dora", r"identical|same|copy|copies|equal")
def _() -> Argv:
    return ["assessors", table([*judged(), *(r | {"judge": "dora"} for r in judged() if r["judge"]
        == "anna")])]

@trap("judges", "a judge spelled in two ways", "anna|Anna", r"spel|two ways|same|case")
def _() -> Argv:
    return ["assessors", table(changed(judged(), "judge", lambda _: "Anna ", lambda i, row:
        row["judge"] == "anna" and i % 2 == 0))]

@trap("judges", "the mean of judges as a judge", r"\bmean\b", TOTALS + r"|mean over|means\?")
def _() -> Argv:
    rows = judged(names="coherence")
    by: dict[tuple[str, str], list[float]] = defaultdict(list)
    for r in rows:
        by[r["doc"], r["model"]].append(r["coherence"])
    means = [{"doc": d, "model": m, "judge": "mean", "coherence": round(sum(v) / 3, 2)} for (d, m),
        v in by.items()]
    return ["assessors", table([*rows, *means])]

@trap("judges", "a language model among people", "gpt-4o", r"model|person|people|machine")
def _() -> Argv:
    rng = random.Random(SEED)
    extra = [r | {"judge": "gpt-4o"} | {m: max(1, min(5, r[m] + rng.choice([-1, 0, 0, 1]))) for m
        in ("coherence", "relevance")} for r in judged() if r["judge"] == "anna"]
    return compare(table([*judged(), *extra]))

@trap("judges", "a test account with a few rows", "test", r"few|only|test|\b4 ")
def _() -> Argv:
    extra = [r | {"judge": "test", "coherence": 1, "relevance": 1} for r in judged()[:12:3]]
    return compare(table([*judged(), *extra]))

@trap("judges", "a judge judged twice, differently", "anna", r"repeat|twice|duplicate|two ")
def _() -> Argv:
    extra = [r | {"coherence": r["coherence"] % 5 + 1} for r in judged() if r["judge"] ==
        "anna"][:30]
    return compare(table([*judged(), *extra]))

@trap("judges", "no judge named in a third of the rows", "judge|assessor",
     r"empty|missing|no name|without|blank|not known")
def _() -> Argv:
    return ["assessors", table(changed(judged(), "judge", lambda _: "", lambda i, row: row["judge"]
        == "bela"))]

@trap("judges", "a judge filled in two columns the wrong way round", "bela",
     r"swap|other measure|correlat|exchang|column")
def _() -> Argv:
    rows = judged(names="coherence consistency")
    return compare(table([r | {"coherence": r["consistency"], "consistency": r["coherence"]} if
        r["judge"] == "bela" else r for r in rows]))

@trap("judges", "a reversed judge in the pilot of a plan", "bela", REVERSED, True)
def _() -> Argv:
    rows = judge_changed("coherence", "bela", lambda x: 6 - x)
    return ["power", table([{k: v for k, v in r.items() if k != "relevance"} for r in rows])]


# Texts.

MISMATCH = r"another topic|other topic|shift|shuffl|match|nearest|order|own reference"
MARKS = r"markup|token|tag|mark|special|html|character"


def scored(rows: Rows, command: str = "score") -> Argv:
    path = table(rows, "outputs.csv")
    return (
        score(path)
        if command == "score"
        else ["check", path]
        if command == "check"
        else compare(path, "-m", "rouge-2")
    )


@trap("texts", "a system shifted by one row", TARGET, MISMATCH, True)
def _() -> Argv:
    return scored(moved(texts(), "summary", [TARGET], shift))

@trap("texts", "a system shuffled", TARGET, MISMATCH, True)
def _() -> Argv:
    return scored(moved(texts(), "summary", [TARGET], shuffle), "check")

@trap("texts", "half of a system shifted after a dropped row", TARGET, MISMATCH)
def _() -> Argv:
    return scored(moved(texts(), "summary", [TARGET], lambda v: v[:15] + shift(v[15:])))

@trap("texts", "six topics of thirty exchanged", TARGET, MISMATCH)
def _() -> Argv:
    return scored(moved(texts(), "summary", [TARGET], lambda v: v[:5] + v[5:11][::-1] + v[11:]),
        "check")

@trap("texts", "all references shifted", "reference|gold|all systems|systems", MISMATCH)
def _() -> Argv:
    rows = texts()
    gold = {r["doc"]: r["gold"] for r in rows}
    other = dict(zip(gold, shift(list(gold.values())), strict=True))
    return scored([r | {"gold": other[r["doc"]]} for r in rows])

@trap("texts", "one reference for all topics", "reference|gold",
     r"same|one text|identical|all (\d+ )?topics")
def _() -> Argv:
    return scored([r | {"gold": texts()[0]["gold"]} for r in texts()])

@trap("texts", "one text for all topics", TARGET,
     r"same text|one text|identical|all topics|same summary|\d+ topics", True)
def _() -> Argv:
    return scored(spoiled(lambda _, i: texts()[2]["summary"]))

@trap("texts", "a system duplicates another", TARGET + "|bart",
     r"identical|same|copy|copies|duplicat", True)
def _() -> Argv:
    bart = [r["summary"] for r in texts() if r["model"] == "bart"]
    return scored(spoiled(lambda _, i: bart[i]))

@trap("texts", "two thirds of a system are another's", TARGET,
     r"identical|same|copy|copies|duplicat")
def _() -> Argv:
    bart = [r["summary"] for r in texts() if r["model"] == "bart"]
    return scored(spoiled(lambda _, i: bart[i], 0.67), "check")

@trap("texts", "a system is the reference", TARGET, r"reference", True)
def _() -> Argv:
    gold = [r["gold"] for r in texts() if r["model"] == TARGET]
    return scored(spoiled(lambda _, i: gold[i]))

@trap("texts", "a system is nearly the reference", TARGET, r"reference", True)
def _() -> Argv:
    gold = [r["gold"] for r in texts() if r["model"] == TARGET]
    return scored(spoiled(lambda _, i: " ".join(gold[i].split()[:-2]).replace(" the ", " a ")),
        "check")

@trap("texts", "outputs contain the reference (leaked prompt)", TARGET, r"reference|contain", True)
def _() -> Argv:
    gold = [r["gold"] for r in texts() if r["model"] == TARGET]
    return scored(spoiled(lambda text, i: f"{text} {gold[i]}"))

@trap("texts", "a third of the outputs are the reference", TARGET, r"reference")
def _() -> Argv:
    gold = [r["gold"] for r in texts() if r["model"] == TARGET]
    return scored(spoiled(lambda _, i: gold[i], 0.34))

@trap("texts", "documents given as references", "reference|gold", r"document|long", True)
def _() -> Argv:
    documents = {row["topic"]: " ".join(row["documents"]) for row in records("summeval_op_topics")}
    rows = [{"item": r["topic"], "model": r["system"], "output": r["summary"], "reference":
        documents[r["topic"]]} for r in selected("summeval_op", 6, 32)]
    return score(table(rows))

@trap("texts", "a system put out the whole input", "parrot", r"long|length|document|input|words")
def _() -> Argv:
    rows: Rows = [{"item": r["topic"], "model": r["system"], "output": r["summary"], "reference":
        r["references"][0]} for r in selected("summeval_op", 5, 32)]
    of = {r["item"]: r["reference"] for r in rows}
    rows += [{"item": r["topic"], "model": "parrot", "output": " ".join(r["documents"]),
        "reference": of[r["topic"]]} for r in records("summeval_op_topics")]
    return score(table(rows))


CUT = r"cut|truncat|length|characters|end"


@trap("texts", "cut at 120 characters", TARGET, CUT, True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: text[:120]))

@trap("texts", "cut at 25 words", TARGET, CUT + "|words", True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: " ".join(text.split()[:25])), "check")

@trap("texts", "cut at the first comma", TARGET, CUT + "|short|comma")
def _() -> Argv:
    return scored(spoiled(lambda text, i: text.split(",")[0]))

@trap("texts", "HTML paragraphs", TARGET, MARKS, True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: "".join(f"<p>{s}</p>" for s in text.split(" . "))))

@trap("texts", "Markdown headings and bold type", TARGET, MARKS + "|markdown")
def _() -> Argv:
    return scored(spoiled(lambda text, i: "## Summary\n\n" + "\n".join(f"- **{s}**" for s in
        text.split(" . "))), "check")

@trap("texts", "</s> at the end", TARGET, MARKS, True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: text + " </s>"))

@trap("texts", "chat template tokens", TARGET, MARKS)
def _() -> Argv:
    return scored(spoiled(lambda text, i: f"<|im_start|>assistant\n{text}<|im_end|>"))

@trap("texts", "sentence pieces", TARGET, MARKS + "|▁|piece", True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: "".join("▁" + w for w in text.split())))

@trap("texts", "byte pairs", TARGET, MARKS + "|@@|piece", True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: re.sub(r"(\w{4})(\w{2,})", r"\1@@ \2", text)))

@trap("texts", "word pieces", TARGET, MARKS + "|##|piece")
def _() -> Argv:
    return scored(spoiled(lambda text, i: re.sub(r"(\w{4})(\w{2,})", r"\1 ##\2", text)), "check")

@trap("texts", "treebank brackets and unknown words", TARGET, MARKS + "|-LRB-|unk|bracket")
def _() -> Argv:
    return scored(spoiled(lambda text, i: "-LRB- " + re.sub(r"\b\w{9,}", "<unk>", text) +
        " -RRB- ."))

@trap("texts", "literal \\n", TARGET, r"\\n|line|escape|literal", True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: text.replace(" . ", " .\\n")))

@trap("texts", "mojibake", TARGET, r"mojibake|encod|decod|utf|character", True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: (("“" + text.replace(" ", " – ", 3) + "”") .encode()
        .decode("cp1252", "replace") .replace("\ufffd", "\u009d"))))

@trap("texts", "replacement characters", TARGET, r"replacement|encod|decod|character|\ufffd")
def _() -> Argv:
    return scored(spoiled(lambda text, i: text.replace("e", "\ufffd", 2)))

@trap("texts", "a chat phrase before", TARGET, r"chat|phrase|begin|user", True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: "Sure! Here is a summary of the article: " + text))

@trap("texts", "a chat phrase after", TARGET, r"chat|phrase|end|user")
def _() -> Argv:
    return scored(spoiled(lambda text, i: text +
        " Let me know if you would like me to shorten this further!"))

@trap("texts", "a label before every output", TARGET, r"label|begin|start|same|phrase|prefix")
def _() -> Argv:
    return scored(spoiled(lambda text, i: "TL;DR: " + text), "check")

@trap("texts", "the prompt before every output", TARGET,
     r"prompt|begin|start|same|phrase|prefix|chat")
def _() -> Argv:
    return scored(spoiled(lambda text, i:
        ("You are an editor. Write a brief summary of the article. Summary: " + text)))

@trap("texts", "boilerplate after every output", TARGET, r"boilerplate|same|phrase|web|address")
def _() -> Argv:
    return scored(spoiled(lambda text, i: (text +
        " Click here to read more stories like this at www.example.com")))

@trap("texts", "thoughts of a reasoning model", TARGET, MARKS + "|think|thought|reason")
def _() -> Argv:
    return scored(spoiled(lambda text, i:
        ("<think>Okay, the user wants a short text. I should name who did what.</think> " + text)))

@trap("texts", "error messages in five topics", TARGET, r"error", True)
def _() -> Argv:
    return scored(spoiled(lambda text, i:
        ("RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB" if i % 6 == 0 else text)))

@trap("texts", "errors of a service in four topics", TARGET, r"error|fail|message")
def _() -> Argv:
    return scored(spoiled(lambda text, i:
        ("Error code: 429 - {'error': {'message': 'Rate limit reached for requests'}}" if i % 8 ==
        0 else text)), "check")

@trap("texts", "None in four topics", TARGET, r"None|empty|error|missing", True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: "None" if i % 8 == 1 else text))

@trap("texts", "N/A in four topics", TARGET, r"N/A|empty|error|missing|placeholder")
def _() -> Argv:
    return scored(spoiled(lambda text, i: "N/A" if i % 8 == 1 else text))

@trap("texts", "refusals in four topics", TARGET, r"refus|error|sorry|cannot", True)
def _() -> Argv:
    return scored(spoiled(lambda text, i:
        ("I'm sorry, but I can't help with summarizing this article." if i % 8 == 2 else text)))


def germanized(text: str) -> str:
    names = itertools.cycle(re.findall(r"\w{6,}", text) or ["Berlin"])
    parts = (
        "Nach Angaben der Polizei hat",
        "am Montag eine Erklärung abgegeben, die nicht bestätigt wurde, während",
        "und",
        "sich mit den Behörden über die weiteren Schritte einigten. Für",
        "ist das keine gute Nachricht.",
    )
    return " ".join(f"{part} {next(names)}" for part in parts)


@trap("texts", "a system wrote German", TARGET, r"language|german|\bde\b|" + MISMATCH, True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: germanized(text)))

@trap("texts", "references in German", "reference|gold", r"language|german|\bde\b|" + MISMATCH)
def _() -> Argv:
    return scored([r | {"gold": germanized(r["gold"])} for r in texts()], "check")

@trap("texts", "no spaces between words", TARGET, r"space|word", True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: text.replace(" ", "")))

@trap("texts", "a space after every letter", TARGET, r"space|letter|character|word")
def _() -> Argv:
    return scored(spoiled(lambda text, i: " ".join(text.replace(" ", ""))))

@trap("texts", "nothing but dots in three topics", TARGET, r"empty|no words|without words|nothing",
     True)
def _() -> Argv:
    return scored(spoiled(lambda text, i: "..." if i in (2, 9, 20) else text))

@trap("texts", "empty outputs in a third of the topics", TARGET, r"empty|no words|without")
def _() -> Argv:
    return scored(spoiled(lambda text, i: "" if i % 3 == 0 else text))

@trap("texts", "a decoding loop", TARGET, r"repe|loop|same|again")
def _() -> Argv:
    return scored(spoiled(lambda text, i: " ".join([" ".join(text.split()[:6])] * 15) if i % 2 else
        text))

@trap("texts", "JSON instead of text", TARGET, r"json|brace|markup|code|character|mark")
def _() -> Argv:
    return scored(spoiled(lambda text, i: json.dumps({"summary": text, "confidence": 0.9})))

@trap("texts", "Python lists instead of text", TARGET, r"list|bracket|markup|code|mark")
def _() -> Argv:
    return scored(spoiled(lambda text, i: str(text.split(" . "))))

@trap("texts", "bytes instead of text", TARGET, r"b'|byte|markup|code|mark|quot")
def _() -> Argv:
    return scored(spoiled(lambda text, i: str(text.encode())))

@trap("texts", "HTML entities", TARGET, MARKS + "|entit|&")
def _() -> Argv:
    return scored(spoiled(lambda text, i: ("&quot;" + text.replace(" and ", " &amp; ").replace("'",
        "&#39;") + "&quot;")))

@trap("texts", "paths of files instead of text", TARGET, r"path|file|" + MISMATCH)
def _() -> Argv:
    return scored(spoiled(lambda text, i: f"outputs/fast/{i:03}.txt"))

@trap("texts", "numbers of tokens instead of text", TARGET, r"number|digit|token|" + MISMATCH)
def _() -> Argv:
    return scored(spoiled(lambda text, i: " ".join(str(100 + 37 * len(w) + ord(w[0])) for w in
        text.split())), "check")

@trap("texts", "invisible characters between letters", TARGET,
     r"invisible|zero-width|control|character")
def _() -> Argv:
    return scored(spoiled(lambda text, i: re.sub(r"(\w\w)(\w)", "\\1\u200b\\2", text)))

@trap("texts", "the columns of output and reference exchanged", "reference|gold|column",
     r"swap|exchang|differ|same text|copies|identical|several")
def _() -> Argv:
    return scored([r | {"summary": r["gold"], "gold": r["summary"]} for r in texts()])

@trap("texts", "references missing in some topics", "reference|gold",
     r"empty|no reference|without|missing|lack")
def _() -> Argv:
    rows = texts()
    some = topics_of(rows)[4:9]
    return scored([r | {"gold": ""} if r["doc"] in some else r for r in rows])

@trap("texts", "stream: a system shifted by one row", TARGET, MISMATCH, True)
def _() -> Argv:
    return score(stream(moved(texts(), "summary", [TARGET], shift)))

@trap("texts", "stream: special tokens", TARGET, MARKS, True)
def _() -> Argv:
    return score(stream(spoiled(lambda text, i: f"<s> {text} </s> <pad> <pad>")))

@trap("texts", "stream: one text for all topics", TARGET,
     r"same text|one text|identical|all topics|same summary|\d+ topics", True)
def _() -> Argv:
    return score(stream(spoiled(lambda _, i: texts()[2]["summary"])))

@trap("texts", "stream: a reference is a text, not a list", "references", r"list|text|string")
def _() -> Argv:
    return score(lines([{"topic": r["doc"], "system": r["model"], "peer": r["summary"],
        "references": list(r["gold"])} for r in texts()], "stream.jsonl"))

@trap("texts", "compare -m: a system duplicates another", TARGET + "|bart",
     r"identical|same|copy|copies|duplicat", True)
def _() -> Argv:
    bart = [r["summary"] for r in texts() if r["model"] == "bart"]
    return scored(spoiled(lambda _, i: bart[i]), "compare")

@trap("texts", "compare -m: a system shuffled", TARGET, MISMATCH, True)
def _() -> Argv:
    return scored(moved(texts(), "summary", [TARGET], shuffle), "compare")


# Preferences.


def recoded(rows: Rows, codes: dict[str, Any], column: str = "choice") -> Rows:
    return [row | {column: codes[row[column]]} for row in rows]


@trap("preferences", "choices coded 0 and 1", r"\b0\b", r"choices|tie|first", True)
def _() -> Argv:
    return ["preferences", table(recoded(votes(), {"A": 0, "B": 1}, "winner"))]

@trap("preferences", "choices coded 0, 1 and 2", r"\b0\b", r"choices|tie|first", True)
def _() -> Argv:
    codes = {"A": 0, "B": 1, "neither": 2}
    rows = [{"topic": r["topic"], "judge": r["assessor"], "model_a": r["system_a"]} | {"model_b":
        r["system_b"], "winner": codes[r["choice"]]} for r in records("headlines_pairwise")]
    return ["preferences", table(rows)]

@trap("preferences", "nine in ten choices became ties", r"choices|ties?\b",
     r"\bties?\b.*(%|share|unusual|of \d)|(share|unusual|%).*\bties?\b", True)
def _() -> Argv:
    return ["preferences", table(changed(votes(), "winner", lambda _: "tie", lambda i, row: i % 10
        != 0))]

@trap("preferences", "topics and readers in columns with other names", "article",
     r"topic=article|not used: article", notes=True)
def _() -> Argv:
    return ["preferences", table(votes("article reader model_a model_b winner"))]

@trap("preferences", "a reader always took the left one", "reader03", r"first|left|side|always")
def _() -> Argv:
    return ["preferences", table(changed(votes(), "winner", lambda _: "A", lambda i, row:
        row["annotator"] == "reader03"))]

@trap("preferences", "a reviewer marked the worse one", "reviewer8", REVERSED + "|worse|agree")
def _() -> Argv:
    turn = {"A": "B", "B": "A", "neither": "neither"}
    return ["preferences", table(changed(reviews("correctness"), "choice", lambda c: turn[c],
        lambda i, row: row["annotator"] == "reviewer8"))]

@trap("preferences", "a reviewer at random", "reviewer8", r"random|chance|agree")
def _() -> Argv:
    rng = random.Random(SEED)
    return ["preferences", table(changed(reviews("correctness"), "choice", lambda _:
        rng.choice("AB"), lambda i, row: row["annotator"] == "reviewer8"))]

@trap("preferences", "a headline beside itself", r"gpt3|guidance|manual|original|selection",
     r"itself|same|both")
def _() -> Argv:
    return ["preferences", table([r | {"model_b": r["model_a"]} if i == 17 else r for i, r in
        enumerate(votes())])]

@trap("preferences", "the winner was not in the pair", "pegasus",
     r"neither|not|none|pair|other|one of the two")
def _() -> Argv:
    return ["preferences", table([r | {"winner": "pegasus" if i % 200 == 7 else r["model_a"] if
        r["winner"] == "A" else r["model_b"]} for i, r in enumerate(votes())])]

@trap("preferences", "a system spelled in two ways", "gpt3|GPT3|gpt-3|GPT-3",
     r"spel|two ways|same|case")
def _() -> Argv:
    return ["preferences", table(changed(votes(), "model_a", lambda _: "GPT3", lambda i, row:
        row["model_a"] == "gpt3" and i % 2 == 0))]

@trap("preferences", "two groups of systems that never met",
     r"gpt3|manual|original|parts|groups|systems", r"link|connect|parts|never|compared with",
     notes=True)
def _() -> Argv:
    group = {"gpt3": 0, "original": 0, "manual": 0}
    return ["preferences", table([r for r in votes() if group.get(r["model_a"], 1) ==
        group.get(r["model_b"], 1)])]

@trap("preferences", "everything on the left wins", r"first|side|\bA\b|left|choices",
     r"always|all |every|only")
def _() -> Argv:
    return ["preferences", table([r | {"winner": "A"} for r in votes()])]

@trap("preferences", "the new system always stood on the left", "bart|human|first|left",
     r"always (shown )?(first|left)|position|order|side", notes=True)
def _() -> Argv:
    turn = {"A": "B", "B": "A", "neither": "neither"}
    rows = [r if r["system_a"] == "bart" else r | {"system_a": r["system_b"], "system_b":
        r["system_a"], "choice": turn[r["choice"]]} for r in reviews() if "bart" in (r["system_a"],
        r["system_b"])]
    return ["preferences", table(rows)]

@trap("preferences", "a third of the choices are blank", "winner|choice",
     r"empty|blank|missing|no choice|without|is ''")
def _() -> Argv:
    return ["preferences", table(changed(votes(), "winner", lambda _: "", lambda i, row: i % 3 ==
        0))]

@trap("preferences", "the file was appended to itself",
     r"rows?|preferences|choices|line|reader\d+", r"repeat|twice|duplicate|same|alike")
def _() -> Argv:
    return ["preferences", table(votes() * 2)]

@trap("preferences", "a reader said both", r"reader\d+", r"contradict|differ|both|twice|two")
def _() -> Argv:
    turn = {"A": "B", "B": "A"}
    rows = votes(n=800)
    return ["preferences", table([*rows, *(r | {"winner": turn[r["winner"]]} for r in rows[:9])])]

@trap("preferences", "check: choices coded 0 and 1", r"\b0\b", r"choices|tie|first", True)
def _() -> Argv:
    return ["check", table(recoded(votes(), {"A": 0, "B": 1}, "winner"))]


# Metrics and checklists.


def meta(rows: Rows, metrics: str, human: str = "coherence") -> Argv:
    return ["meta", table(rows), "--human", human, "-m", metrics, "--resamples", "99"]


@trap("meta", "a metric with its sign turned", "bertscore", r"negativ|revers|lower|direction",
     True)
def _() -> Argv:
    return meta(changed(wide(16), "bertscore", lambda x: 1 - x, lambda i, row: True),
        "rouge,bertscore", "relevance")

@trap("meta", "perplexities", "perplexity", r"lower", True)
def _() -> Argv:
    return meta([{**r, "perplexity": round(60 - 50 * r["rouge"], 2)} for r in wide()],
        "rouge,perplexity")

@trap("meta", "-999 in a metric", "bertscore", MISSING, True)
def _() -> Argv:
    return meta(changed(wide(), "bertscore", lambda _: -999, lambda i, row: i % 40 == 3),
        "rouge,bertscore")

@trap("meta", "the metric is a copy of the human scores", "prism",
     r"identical|same|copy|copies|equal")
def _() -> Argv:
    return meta([{**r, "prism": r["coherence"]} for r in wide()], "rouge,prism")

@trap("meta", "a metric that is the same for all systems of a topic", "readability",
     r"constant|same|topic")
def _() -> Argv:
    rows = wide()
    level = {doc: 30 + i % 17 for i, doc in enumerate(topics_of(rows))}
    return meta([{**r, "readability": level[r["doc"]]} for r in rows], "rouge,readability")

@trap("meta", "the metric was computed for other rows", "bertscore|rouge", r"shift|row|order")
def _() -> Argv:
    rows = wide()
    values = shift([row["bertscore"] for row in rows])
    return meta([row | {"bertscore": v} for row, v in zip(rows, values, strict=True)],
        "rouge,bertscore", "relevance")

@trap("checklists", "a worker exchanged yes and no", "worker2", REVERSED + "|agree")
def _() -> Argv:
    turn = {"yes": "no", "no": "yes"}
    return ["checklists", table(changed(answers(), "answer", lambda a: turn[a], lambda i, row:
        row["assessor"] == "worker2"))]

@trap("checklists", "a worker says yes to everything", "worker3",
     r"constant|always|same|every|all ")
def _() -> Argv:
    return ["checklists", table(changed(answers(), "answer", lambda _: "yes", lambda i, row:
        row["assessor"] == "worker3"))]

@trap("checklists", "other words for the answers", "answer", r"ja\b|nein|yes|words")
def _() -> Argv:
    return ["checklists", table(recoded(answers(), {"yes": "ja", "no": "nein"}, "answer"))]

@trap("checklists", "a worker at random", "worker1", r"random|chance|agree|correlat")
def _() -> Argv:
    rng = random.Random(SEED)
    return ["checklists", table(changed(answers(), "answer", lambda _: rng.choice(["yes", "no"]),
        lambda i, row: row["assessor"] == "worker1"))]

@trap("checklists", "units of one system in another order", "fast_abs|bottom_up|unit",
     r"order|shift|agree|match|row")
def _() -> Argv:
    rows = answers()
    mine = [r for r in rows if r["system"].startswith("fast")]
    values = [r["answer"] for r in mine]
    for row, value in zip(mine, shift(values), strict=True):
        row["answer"] = value
    return ["checklists", table(rows)]

@trap("checklists", "units of one system were not asked in half of the topics", "fast_abs|unit",
     r"missing|lack|not asked|no answer|only|without")
def _() -> Argv:
    rows = answers()
    some = list(dict.fromkeys(r["topic"] for r in rows))[:15]
    return ["checklists", table([r for r in rows if not (r["system"].startswith("fast") and
        r["topic"] in some)])]


# Columns and formats.


def renamed(rows: Rows, names: dict[str, str]) -> Rows:
    return [{names.get(key, key): value for key, value in row.items()} for row in rows]


NOT_FOUND = r"column of systems|systems?\b(?!=)"


@trap("columns", "systems in a column with an unknown name", "Variante", NOT_FOUND, True)
def _() -> Argv:
    return compare(table(renamed(wide(metric=False), {"model": "Variante"})))

@trap("columns", "judges in a column with an unknown name", "Beurteiler",
     r"assessor|judge|column|repeat|twice", True)
def _() -> Argv:
    return compare(table(renamed(judged(), {"judge": "Beurteiler"})))

@trap("columns", "systems are numbers in a column with an unknown name", "arm",
     r"system=arm|\bids\b|not a measure", notes=True)
def _() -> Argv:
    rows = wide(metric=False)
    number = {s: i + 1 for i, s in enumerate(sorted({r["model"] for r in rows}))}
    return compare(table([{"doc": r["doc"], "arm": number[r["model"]], "coherence": r["coherence"]}
        for r in rows]))

@trap("columns", "a column for each system", "bart", r"value=bart|system", notes=True)
def _() -> Argv:
    by: dict[str, Row] = defaultdict(dict)
    for r in wide():
        by[r["doc"]][
            {"sysM0": "bart", "sysM1": "pegasus", "sysM10": "t5", "sysM11": "lead3"}.get(
                r["model"], ""
            )
        ] = r["rouge"]
    return compare(table([{"doc": doc} | {k: v for k, v in row.items() if k} for doc, row in
        by.items()]))

@trap("columns", "a table without a head", r"data\.csv|head|column",
     r"head|column names|first (row|line)")
def _() -> Argv:
    return compare(table(wide(metric=False), head=False))

@trap("columns", "a second head with units", r"coherence|line 2|row", r"1-5|number|head|points")
def _() -> Argv:
    return compare(table([{"doc": "id", "model": "name", "coherence": "points 1-5", "relevance":
        "points 1-5"}, *wide(metric=False)]))

@trap("columns", "the index of a data frame as a measure", r"Unnamed|index|first column|column 1",
     r"not used: Unnamed|\bids?\b|ignored|row number|not a measure", notes=True)
def _() -> Argv:
    return compare(table([{"Unnamed: 0": i} | r for i, r in enumerate(wide(metric=False))]))

@trap("columns", "a row with a field too many", r"line|row", r"field|column|value")
def _() -> Argv:
    path = Path(table(wide(metric=False)))
    rows = path.read_text().split("\n")
    rows[30] = rows[30].strip() + ",3.67,ok"
    path.write_text("\n".join(rows))
    return compare(str(path))

@trap("columns", "no topics, only systems and scores", "topic", r"column|no |missing|each row")
def _() -> Argv:
    return compare(table([{"model": r["model"], "coherence": r["coherence"]} for r in wide()]))

@trap("columns", "the file ends in the middle", r"line|row|data\.jsonl",
     r"JSON|end|cut|truncat|parse")
def _() -> Argv:
    path = Path(lines(wide()))
    path.write_text(path.read_text()[:-40])
    return compare(str(path))

@trap("columns", "two columns with the same name", "coherence",
     r"twice|two columns|same name|repeat|duplicate")
def _() -> Argv:
    path = Path(table(wide(metric=False)))
    path.write_text(path.read_text().replace("relevance", "coherence", 1))
    return compare(str(path))

@trap("columns", "a score with a unit in some rows", "coherence", r"pts|number|not read|word")
def _() -> Argv:
    return compare(table(changed(wide(metric=False), "coherence", lambda x: f"{x} pts", lambda i,
        row: i % 2 == 0)))


# Sound data.


def sound(title: str) -> Callable[[Callable[[], Argv]], Callable[[], Argv]]:
    return trap("sound", title)


@sound("SummEval: two systems")
def _() -> Argv:
    return compare(table(wide(systems=2)))

@sound("SummEval: five topics")
def _() -> Argv:
    return compare(table(wide(topics=5)))

@sound("SummEval: judgments of three experts")
def _() -> Argv:
    return ["assessors", table(judged(systems=16, topics=60))]

@sound("SummEval: five crowd workers who hardly agree")
def _() -> Argv:
    return compare(table(judged(who="turker")))

@sound("SummEval: fluency at the ceiling")
def _() -> Argv:
    return compare(table(judged(names="fluency consistency")))

@sound("binary scores")
def _() -> Argv:
    return compare(table([{"doc": r["doc"], "model": r["model"], "correct": int(r["coherence"] >
        3)} for r in wide()]))

@sound("unbalanced but connected judges")
def _() -> Argv:
    rng = random.Random(SEED)
    rows = judged()
    out = {doc: rng.choice(["anna", "bela", "carl"]) for doc in topics_of(rows)}
    return compare(table([r for r in rows if out[r["doc"]] != r["judge"]]))

@sound("SQuALITY: ratings from 0 to 100 by three of four reviewers, human systems")
def _() -> Argv:
    rows = []
    for r in records("squality"):
        by: dict[str, Row] = defaultdict(dict)
        for s in r["assessor_scores"]:
            by[s["assessor"]][s["name"]] = s["value"]
        rows += [
            {"question": r["topic"], "writer": r["system"], "kind": r["kind"], "reviewer": who, **v}
            for who, v in by.items()
        ]
    return compare(table(rows), "--columns",
        "topic=question,system=writer,assessor=reviewer,kind=kind")

@sound("lower is better, declared")
def _() -> Argv:
    return compare(table([{"doc": r["doc"], "model": r["model"], "wer": round(1 - r["rouge"], 4)}
        for r in wide()]), "--lower-is-better", "wer")

@sound("z-scores of a metric, and log-likelihoods")
def _() -> Argv:
    return compare(table([{"doc": r["doc"], "model": r["model"], "rouge_z": round((r["rouge"] -
        0.43) / 0.13, 3), "log_likelihood": round(-120 + 80 * r["bertscore"], 3)} for r in
        wide()]))

@sound("percentages throughout, and three seeds")
def _() -> Argv:
    rng = random.Random(SEED)
    return compare(table([{"doc": r["doc"], "model": r["model"], "run": k, "rouge": round(max(0,
        100 * r["rouge"] + rng.gauss(0, 2)), 2)} for r in wide() for k in (1, 2, 3)]))

@sound("meta: 34 published metrics")
def _() -> Argv:
    rows = [{"doc": r["topic"], "model": r["system"], **{k.replace("auto_", ""): v for k, v in
        r["scores"].items() if not k.startswith("turker")}} for r in selected("summeval", 16, 60)]
    names = [k for k in rows[0] if k not in ("doc", "model") and not k.startswith("expert")]
    return meta(rows, ",".join(names), "expert_relevance")

@sound("REALSumm: texts of all systems, extractive ones among them")
def _() -> Argv:
    return score(stream([{"doc": r["topic"], "model": r["system"], "summary": r["summary"], "gold":
        r["references"]} for r in selected("realsumm", 25, 40)]))

@sound("SummEval: texts with eleven references")
def _() -> Argv:
    return score(stream([{"doc": r["topic"], "model": r["system"], "summary": r["summary"], "gold":
        r["references"]} for r in selected("summeval", 16, 40)]))

@sound("reviews: systems and one reference, people's own summaries left out")
def _() -> Argv:
    rows = [{"item": r["topic"], "model": r["system"], "output": r["summary"], "reference":
        r["references"][0]} for r in records("summeval_op") if r["references"]]
    return ["check", table(rows)]

@sound("REALSumm: two extractive systems, twelve topics")
def _() -> Argv:
    rows = [r for r in selected("realsumm", 25, 12) if r["system"] in ("ext_bart_out",
        "ext_matchsumm_out")]
    return score(table([{"id": r["topic"], "system": r["system"], "output": r["summary"],
        "reference": r["references"][0]} for r in rows]))

@sound("headlines: very short texts, and the editors' own as references")
def _() -> Argv:
    gold = {r["topic"]: r["summary"] for r in records("headlines") if r["system"] == "original"}
    seen: set[tuple[str, str]] = set()
    rows = []
    for r in records("headlines"):
        key = (r["topic"], r["system"])
        if r["system"] != "original" and key not in seen:
            seen.add(key)
            rows.append(
                {
                    "article": r["topic"],
                    "method": r["system"],
                    "headline": r["summary"],
                    "reference": gold[r["topic"]],
                }
            )
    return score(table(rows), "--columns",
        "topic=article,system=method,text=headline,reference=reference")

@sound("long answers: SQuALITY with three or four references, people among systems")
def _() -> Argv:
    return score(stream([{"doc": r["topic"], "model": r["system"], "summary": r["summary"], "gold":
        r["references"]} for r in records("squality")]))


GERMAN = str.maketrans({"c": "k", "y": "ü", "w": "v", "q": "kw"})


@sound("another language for everything")
def _() -> Argv:
    words = {"the": "die", "of": "von", "and": "und", "to": "zu", "in": "im", "is": "ist", "was":
        "war", "with": "mit", "for": "für", "on": "auf", "has": "hat", "have": "haben", "not":
        "nicht", "he": "er", "she": "sie", "his": "sein", "her": "ihr", "a": "ein", "an": "ein",
        "that": "dass", "at": "bei", "by": "durch", "from": "aus", "who": "wer", "are": "sind",
        "be": "sein", "after": "nach", "it": "es"}
    def german(text: str) -> str:
        return re.sub(r"\w+", lambda m: words.get(m[0].lower(), m[0].translate(GERMAN)), text)
    return score(table([r | {"summary": german(r["summary"]), "gold": german(r["gold"])} for r in
        texts()]), "--tokenizer", "unicode")

@sound("summaries of language models with bullet points and citations")
def _() -> Argv:
    return ["check", lines([{"query": r["topic"], "model": r["system"], "summary": r["summary"],
        "coverage": r["scores"]["human_coverage"]} for r in records("summhay")])]

@sound("headlines: choices of readers who hardly agree")
def _() -> Argv:
    return ["preferences", table(votes())]

@sound("arguments: crowd preferences with ties")
def _() -> Argv:
    topic = records("convarg_pairwise")[0]["topic"]
    rows = [{"debate": r["topic"], "worker": r["assessor"], "item_a": r["item_a"], "item_b":
        r["item_b"], "vote": r["choice"]} for r in records("convarg_pairwise") if r["topic"] ==
        topic]
    return ["preferences", table(rows), "--columns",
        "topic=debate,assessor=worker,first=item_a,second=item_b,choice=vote"]

@sound("SQuALITY: choices of four reviewers")
def _() -> Argv:
    return ["preferences", table(reviews())]

@sound("checklists of REALSumm")
def _() -> Argv:
    return ["checklists", table(answers(8, 40))]

@sound("a pilot of two systems for a plan")
def _() -> Argv:
    return ["power", table(wide(systems=2, metric=False))]


# fmt: on
# Counting.

READING = re.compile(r"note: .*read as --")


def called(argv: Argv) -> tuple[int, str, str]:
    """Call the program, and return its exit code, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(argv)
    return code, out.getvalue(), err.getvalue()


def verdict(case: Trap, code: int, out: str, err: str) -> tuple[str, str]:
    """Say whether a trap was caught: one line names what is affected and why."""
    messages = [
        line
        for line in err.splitlines()
        if line.strip() and (case.notes or not READING.match(line))
    ]
    if case.area == "sound":
        alarms = [line for line in messages if line.startswith("warning:")]
        alarms += re.findall(r"^ (?:severe|warning) .*", out, re.M)
        return ("FALSE ALARM" if alarms or code > 1 else "quiet"), ""
    findings = re.findall(r"^ (?:severe|warning|note|error) .*", out, re.M) if code != 2 else []
    reported = [*messages, *(out.splitlines() if case.notes else findings)]
    for line in reported:
        if re.search(case.names, line) and re.search(case.causes, line, re.I):
            return "caught", line
    doubts = [line for line in messages if line.startswith(("warning:", "pyramidion:"))]
    doubts += re.findall(r"^ (?:severe|warning|error) .*", out, re.M)
    return ("named wrongly" if doubts or code == 2 else "SILENT"), ""


def cells(path: str | Path) -> dict[tuple[str, ...], float]:
    """Return the scores of a table with a judge in each row, or of a long table."""
    values = {}
    with Path(path).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if "measure" in row:
                key = (row["topic"], row["system"], row["assessor"], row["measure"])
                values[key] = float(row["value"])
                continue
            for name in ("coherence", "relevance"):
                key = (row["doc"], row["model"], row["judge"], name)
                values[key] = float(row[name])
    return values


def damaged() -> dict[str, Rows]:
    """Return what ``check --fix`` is to repair, by title."""
    both = judge_changed("coherence", "bela", lambda x: 6 - x)
    both = changed(both, "relevance", lambda x: 6 - x, lambda i, row: row["judge"] == "bela")
    mean = [row | {"doc": "AVERAGE", "coherence": 3.4, "relevance": 3.8} for row in judged()[:18]]
    hundred = judge_changed("coherence", "carl", lambda x: 25 * (x - 1))
    one = judge_changed("relevance", "bela", lambda x: 6 - x)
    return {
        "a judge reversed everything": both,
        "a judge reversed one measure of two": one,
        "a judge reversed one measure, another has a scale of her own": changed(
            hundred, "relevance", lambda x: 6 - x, lambda i, row: row["judge"] == "bela"
        ),
        "a judge on another scale for one measure": hundred,
        "-999 in some cells": changed(
            judged(), "coherence", lambda _: -999, lambda i, row: i % 50 == 3
        ),
        "AVERAGE among topics": [*judged(), *mean],
    }


def repairs() -> None:
    """Say how many scores of a repaired copy are those before the damage, wrong or left out."""
    truth = cells(table(judged(), "truth.csv"))
    for title, rows in damaged().items():
        with tempfile.TemporaryDirectory() as folder:
            FOLDER[0] = Path(folder)
            path = table(rows)
            before = {key: value for key, value in cells(path).items() if key in truth}
            copy = FOLDER[0] / "copy.csv"
            called(["check", path, "--fix", "--repaired", str(copy)])
            after = cells(copy) if copy.exists() else before
        wrong = sum(value != truth.get(key) for key, value in after.items())
        damage = sum(truth[key] != value for key, value in before.items())
        lost = sum(before[key] == truth[key] and key not in after for key in before)
        result = "WORSE" if wrong > damage else "not repaired" if wrong else "repaired"
        print(
            f"    {result:13} fix: {title}: {damage} scores were wrong, {wrong} are, "
            f"{lost} right ones are gone"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", default="", help="areas or parts of titles, comma-separated")
    parser.add_argument(
        "--show", action="store_true", help="show what was printed where it counts against us"
    )
    parser.add_argument("--lines", action="store_true", help="show the line that catches a trap")
    parser.add_argument("--keep", type=Path, help="keep the files of every trap in this folder")
    options = parser.parse_args()
    if not DATA.is_dir():
        print("traps: skipped, since ../shared/data is missing")
        return
    wanted = [part for part in options.only.split(",") if part]
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    start = time.process_time()
    for number, case in enumerate(TRAPS, 1):
        if wanted and not any(part == case.area or part in case.title for part in wanted):
            continue
        with tempfile.TemporaryDirectory() as folder:
            FOLDER[0] = options.keep / f"{number:03}" if options.keep else Path(folder)
            FOLDER[0].mkdir(parents=True, exist_ok=True)
            argv = case.make()
            code, out, err = called(argv)
        result, line = verdict(case, code, out, err)
        counts[case.area][result] += 1
        origin = "" if case.area == "sound" or case.described else " (new)"
        print(f"{number:3} {result:13} {case.area}: {case.title}{origin}", flush=True)
        if options.lines and line:
            print(f"      | {' '.join(line.split())[:420]}")
        if options.show and result not in ("caught", "quiet"):
            short = [Path(word).name if os.sep in word else word for word in argv]
            print(f"      $ pyramidion {' '.join(short)}   -> {code}")
            shown = [
                *err.splitlines(),
                *re.findall(r"^ (?:severe|warning|note|error) .*", out, re.M),
            ]
            for line in shown:
                print(
                    "      | "
                    + re.sub(r"\S*" + re.escape(os.sep) + r"(data|outputs|stream)\.", r"\1.", line)[
                        :420
                    ]
                )
    if not wanted or "fix" in wanted:
        with tempfile.TemporaryDirectory() as folder:
            FOLDER[0] = Path(folder)
            repairs()
    print()
    missed = caught = 0
    for area, results in counts.items():
        print(
            f"{area:12} " + ", ".join(f"{name} {count}" for name, count in sorted(results.items()))
        )
        if area != "sound":
            caught += results["caught"]
            missed += sum(results.values()) - results["caught"]
    alarms = counts["sound"]["FALSE ALARM"]
    bar = (
        ""
        if missed <= 0.1 * (missed + caught) and not alarms
        else "  MISSED (at most one in ten, and none)"
    )
    print(
        f"caught {caught} of {caught + missed}, passed or named wrongly {missed}; "
        f"false alarms {alarms} of {sum(counts['sound'].values())}{bar}"
    )
    print(f"{time.process_time() - start:.0f} CPU s")


if __name__ == "__main__":
    main()
