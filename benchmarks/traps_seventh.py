"""A seventh battery, as one table: 123 traps and 25 controls, written before reading any check.

Run by ``make bench AREA=traps``. A trap counts as caught if one line of a finding, a warning or a
refusal names what is affected (first pattern) and the cause (second pattern); see ``traps.py``.
First run, before the checks were read: **86 of 123 caught, alarms in 4 of 25 controls**; seven of
the 86 by a word of another cause, so **79** by a strict reader.
"""

import base64
import json
import math
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import traps
from trap_battery import DATA, Row, control, records, trap, write_csv, write_jsonl

traps.TRAPS.clear()

LOGS = DATA / "eval_logs"
BOTS = [
    *("aspen", "birch", "cedar", "dahlia", "elm", "fern", "ginkgo", "hazel", "iris"),
    *("jasmine", "kapok", "larch", "maple"),
    *(f"zinnia{at}" for at in range(40)),
]
QUALITIES = ("fluency", "relevance", "faithfulness")


# Real data under the names that a stranger would give -----------------------------------------


def named(rows: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    names = list(dict.fromkeys(row["system"] for row in rows))
    topics = list(dict.fromkeys(row["topic"] for row in rows))
    for row in rows:
        item = f"rev-{topics.index(row['topic']) + 1:03d}"
        yield row, {"item": item, "bot": BOTS[names.index(row["system"])]}


def means(systems: int = 8, topics: int = 32) -> list[Row]:
    """Take means of three raters of summaries of reviews, from 1 to 5."""
    rows = records("summeval_op", systems=systems, topics=topics)
    return [
        own | {name: round(row["scores"][f"human_{name}"], 2) for name in QUALITIES}
        for row, own in named(rows)
    ]


def marks(systems: int = 8, topics: int = 32) -> list[Row]:
    """Take the raters' own marks."""
    people = {"rater1": "Ada", "rater2": "Bo", "rater3": "Cem"}
    rows = []
    for row, own in named(records("summeval_op", systems=systems, topics=topics)):
        for person, name in people.items():
            given = {
                mark["name"]: mark["value"]
                for mark in row["assessor_scores"]
                if mark["assessor"] == person and mark["name"] in QUALITIES
            }
            rows.append(own | {"rated_by": name} | given)
    return rows


def crowd(systems: int = 6, topics: int = 50) -> list[Row]:
    """Take the marks of five crowd workers of SummEval."""
    rows = []
    for row, own in named(records("summeval", systems=systems, topics=topics)):
        for at in range(1, 6):
            given = {
                mark["name"]: mark["value"]
                for mark in row["assessor_scores"]
                if mark["assessor"] == f"turker{at}" and mark["name"] in ("coherence", "relevance")
            }
            rows.append(own | {"worker": f"w{at}"} | given)
    return rows


def measured(systems: int = 12, topics: int = 60) -> list[Row]:
    """Take experts' means and four published metrics of SummEval."""
    metrics = {
        "rouge1": "auto_rouge-1_f1",
        "meteor": "auto_METEOR",
        "bertscore": "auto_bertscore_f1",
        "s3": "auto_s3_resp",
    }
    return [
        own
        | {"expert": round(row["scores"]["expert_relevance"], 3)}
        | {name: round(row["scores"][key], 4) for name, key in metrics.items()}
        for row, own in named(records("summeval", systems=systems, topics=topics))
    ]


def exact(systems: int = 5, topics: int = 120) -> list[Row]:
    """Make up right and wrong answers, a score and the latency, as a harness writes them."""
    rng = random.Random(71)
    hard = [rng.gauss(0, 0.2) for _ in range(topics)]
    return [
        {
            "question": f"q{t}",
            "model": BOTS[s],
            "exact_match": int(rng.random() < 0.5 + s / 20 + hard[t]),
            "f1": round(min(1, max(0, rng.gauss(0.6 + s / 30 + hard[t], 0.15))), 3),
            "latency_s": round(rng.lognormvariate(0.3 + s / 8, 0.3), 2),
        }
        for t in range(topics)
        for s in range(systems)
    ]


def texts(systems: int = 6, topics: int = 40, name: str = "summeval") -> list[Row]:
    rows = records(name, systems=systems, topics=topics)
    return [
        {"id": own["item"], "model": own["bot"], "output": row["summary"]}
        | {"reference": row["references"][0]}
        for row, own in named(rows)
    ]


def votes() -> list[Row]:
    """Take choices between headlines."""
    rows = records("headlines_pairwise")
    names = sorted({row[side] for row in rows for side in ("system_a", "system_b")})
    return [
        {
            "article": row["topic"],
            "reader": row["assessor"],
            "left": BOTS[names.index(row["system_a"])],
            "right": BOTS[names.index(row["system_b"])],
            "pick": {"A": "left", "B": "right"}.get(row["choice"], "tie"),
        }
        for row in rows
    ]


def units() -> list[Row]:
    """Take content units of SummHay, answered by people and two models."""
    rows = []
    for row, own in named(records("summhay")):
        answers = {"person": row["scu_coverage"]} | {
            "gpt": row["judge_scu_coverage"]["prompted_gpt-4o"],
            "opus": row["judge_scu_coverage"]["prompted_claude3-opus"],
        }
        for who, given in answers.items():
            for at, value in enumerate(given):
                answer = "yes" if value >= 0.5 else "no"
                rows.append(own | {"who": who, "unit": f"c{at}", "answer": answer})
    return rows


# How they are damaged ----------------------------------------------------------------------------

Change = Callable[[Any, int], Any]


def of(rows: Sequence[Row], **where: Any) -> list[Row]:
    return [row for row in rows if all(row[key] == value for key, value in where.items())]


def put(rows: list[Row], column: str, change: Change, every: int = 1, **where: Any) -> list[Row]:
    """Change each of the rows that fit, or one of ``every``."""
    for at, row in enumerate(of(rows, **where)):
        if at % every == 0:
            row[column] = change(row[column], at)
    return rows


def add(rows: list[Row], column: str, value: Callable[[Row], Any]) -> list[Row]:
    return [row | {column: value(row)} for row in rows]


def moved(rows: list[Row], column: str, by: int = 1, **where: Any) -> list[Row]:
    """Move the cells of a column down."""
    mine = of(rows, **where)
    values = [row[column] for row in mine]
    for row, value in zip(mine, values[-by:] + values[:-by], strict=True):
        row[column] = value
    return rows


def ordered(rows: list[Row], column: str, **where: Any) -> list[Row]:
    """Sort one column."""
    mine = of(rows, **where)
    for row, value in zip(mine, sorted(row[column] for row in mine), strict=True):
        row[column] = value
    return rows


def wide(rows: list[Row], column: str = "relevance") -> list[Row]:
    """Give each system a column."""
    items: dict[str, Row] = {}
    for row in rows:
        items.setdefault(row["item"], {"item": row["item"]})[row["bot"]] = row[column]
    return list(items.values())


def mean(rows: Sequence[Row], column: str) -> float:
    return sum(float(row[column]) for row in rows) / len(rows)


def swapped(rows: list[Row], one: str, other: str, **where: Any) -> list[Row]:
    for row in of(rows, **where):
        row[one], row[other] = row[other], row[one]
    return rows


def by(rows: Sequence[Row], *keys: str) -> dict[tuple[Any, ...], list[Row]]:
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def table(rows: Sequence[Row], command: str = "compare", *more: str) -> Callable[[Path], list[Any]]:
    return lambda folder: [command, write_csv(folder / "export.csv", rows), *more]


def files(command: str, *parts: Sequence[Row]) -> Callable[[Path], list[Any]]:
    return lambda folder: [
        command,
        *(write_csv(folder / f"part{at}.csv", rows) for at, rows in enumerate(parts, 1)),
    ]


def meta(rows: Sequence[Row]) -> Callable[[Path], list[Any]]:
    return table(rows, "meta", "--human", "expert")


def scored(rows: Sequence[Row]) -> Callable[[Path], list[Any]]:
    return lambda folder: ["score", write_jsonl(folder / "outputs.jsonl", rows), "-m", "rouge-1"]


def said(change: Change, every: int = 1, model: str = "cedar", **which: Any) -> Any:
    """Change the texts of a system."""
    return scored(put(texts(**which), "output", change, every, model=model))


def run_of(items: Sequence[str], bots: Sequence[str], seed: int) -> list[Row]:
    rng = random.Random(seed)
    return [
        {"item": item, "bot": bot, "relevance": round(rng.uniform(1, 5), 2)}
        for item in items
        for bot in bots
    ]


def repeated_cells(rows: list[Row], column: str, every: int, **where: Any) -> list[Row]:
    """Fill a gap with the value above it."""
    mine = of(rows, **where)
    for at, row in enumerate(mine):
        if at % every:
            row[column] = mine[at - at % every][column]
    return rows


ITEMS = [f"rev-{at:03d}" for at in range(1, 33)]
RNG = random.Random(7)
CHINESE = "政府周一宣布了新的交通规定警方表示没有人受伤球队以三比一获胜"
CITIES = ("Paris", "Rome", "Cairo", "Lima", "Oslo", "Quito", "Tunis", "Riga")
MASKED = ("the", "in", "of", "to", "and")


def cleaned_of_stop_words(text: str, _: int) -> str:
    return " ".join(word for word in text.split() if word.lower() not in MASKED)


def copied(rows: list[Row], column: str, source: str, target: str, key: str = "item") -> list[Row]:
    """Give one system the cells of another."""
    values = {row[key]: row[column] for row in of(rows, bot=source)}
    return put_from(rows, column, values, key, bot=target)


def put_from(rows: list[Row], column: str, values: Any, key: str, **where: Any) -> list[Row]:
    for row in of(rows, **where):
        row[column] = values[row[key]]
    return rows


def best_of(rows: list[Row]) -> list[Row]:
    """Add a system that is the best of the others for each item."""
    return rows + [
        {"item": item, "bot": "oracle"} | {q: max(row[q] for row in group) for q in QUALITIES}
        for (item,), group in by(rows, "item").items()
    ]


def constant(rows: list[Row], column: str, key: str) -> list[Row]:
    """Give all rows of a group their mean."""
    for group in by(rows, key).values():
        value = round(mean(group, column), 4)
        for row in group:
            row[column] = value
    return rows


def extra(rows: list[Row], who: str, column: str, pick: Callable[[list[Any]], Any]) -> list[Row]:
    """Add a judge whose marks come from those of the others."""
    keys = [key for key in ("item", "bot", "unit") if key in rows[0]]
    more = []
    for group in by(rows, *keys).values():
        row = group[0] | {column: who}
        for quality in set(row) & {*QUALITIES, "coherence"}:
            row[quality] = pick(sorted(mark[quality] for mark in group))
        more.append(row)
    return rows + more


TRAPS: list[tuple[str, str, str, Callable[[], Callable[[Path], list[Any]]]]] = [
    # Scores
    ("ranges in some cells", "relevance", r"range|\d-\d|not read|text",
     lambda: table(put(means(), "relevance", lambda x, _: f"{int(x)}-{int(x) + 1}", 9))),
    ("durations of a stop watch", "latency_s", "duration|time|text|not read|number",
     lambda: table(put(exact(), "latency_s", lambda x, _: f"00:{int(x):02d}"), "compare", "-m",
         "latency_s")),
    ("stars", "relevance", "★|text|not read|number",
     lambda: table(put(means(), "relevance", lambda x, _: "★" * round(x)), "compare", "-m",
         "relevance")),
    ("grades from A to F", "grade", "text|not read|letter|number|word",
     lambda: table(add(means(), "grade", lambda r: "FDCBA"[min(4, int(r["relevance"]) - 1)]),
         "compare", "-m", "grade")),
    ("out of five in one system", "fern|relevance", r"/5|not read|text|fraction",
     lambda: table(put(means(), "relevance", lambda x, _: f"{x}/5", bot="fern"))),
    ("pass and fail in one system", "exact_match|birch", "pass|text|not read|word",
     lambda: table(put(exact(), "exact_match", lambda x, _: ("fail", "pass")[x], model="birch"))),
    ("WAHR and FALSCH", "exact_match", "WAHR|text|not read|word",
     lambda: table(put(exact(), "exact_match", lambda x, _: ("FALSCH", "WAHR")[x]), "compare",
         "-m", "exact_match")),
    ("remarks in cells", "relevance", "text|not read|ok|word",
     lambda: table(put(means(), "relevance", lambda x, _: f"{x} (ok)", 11))),
    ("german thousands", "tokens", r"thousand|decimal|1\.\d|scale|unit|digits|separator",
     lambda: table(add(exact(), "tokens", lambda r: f"1.{RNG.randint(100, 999)}" if RNG.random() <
         0.4 else RNG.randint(300, 999)), "compare", "-m", "tokens")),
    ("infinite losses", "perplexity", "inf",
     lambda: table(add(exact(), "perplexity", lambda r: "inf" if RNG.random() < 0.05 else
         round(RNG.uniform(8, 30), 2)), "compare", "-m", "perplexity")),
    ("one system negated", "cedar", "negativ|sign|scale|opposite|range|outside",
     lambda: table(put(means(), "relevance", lambda x, _: -x, bot="cedar"))),
    ("one system as a share of five", "dahlia", "scale|range|unit|times|never|below|lower|outside",
     lambda: table(put(means(), "relevance", lambda x, _: round(x / 5, 3), bot="dahlia"))),
    ("half of the systems from 0 and half from 1", "scale|aspen|elm|relevance",
         "start|from 0|lowest|from zero|1 lower|one lower|scale",
     lambda: table([r | {"relevance": r["relevance"] - (r["bot"] in BOTS[:3])} for r in crowd()])),
    ("one system sorted", "hazel", "sort|order|other rows|increas|decreas|ascend",
     lambda: table(ordered(means(), "relevance", bot="hazel"))),
    ("a column of the wide table sorted", "ginkgo", "sort|order|increas|ascend",
     lambda: table(ordered(wide(means()), "ginkgo"))),
    ("a column of the wide table one row down", "birch",
         "shift|row|order|other topic|misplaced|shuffl",
     lambda: table(moved(wide(measured(), "rouge1"), "birch"))),
    ("mean and deviation below the wide table", "mean|std", "total|mean|summary|average|deviation",
     lambda: table([*wide(means()), {"item": "mean"} | dict.fromkeys(BOTS[:8], 3.9),
         {"item": "std"} | dict.fromkeys(BOTS[:8], 0.7)])),
    ("a count in the wide table", r"\bn\b|n_ratings",
         "count|constant|same|integer|not a system|scale",
     lambda: table(add(wide(means()), "n_ratings", lambda r: 3))),
    ("a mean in the wide table", "average", "mean|average|others|total",
     lambda: table(add(wide(means()), "average", lambda r: round(sum(v for k,
         v in r.items() if k != "item") / 8, 3)))),
    ("-1 for failures", "f1", "-1|negativ|sentinel|missing|outside|placeholder",
     lambda: table(put(exact(), "f1", lambda x, _: -1, 14))),
    ("gaps filled with the mean", "iris|fern|relevance",
         "same value|fill|imput|constant|repeated|identical|mean",
     lambda: table(put(measured(), "rouge1", lambda x, _: 31.2743, 3, bot="fern"))),
    ("gaps filled from above", "fern", "repeat|fill|same value|above|row|identical",
     lambda: table(repeated_cells(measured(), "rouge1", 4, bot="fern"))),
    ("half of the items run again", "rev-0|item|twice|birch",
         "two scores|twice|repeat|duplicate|more than once|several|differ",
     lambda: table(means() + put(means()[:128], "relevance", lambda x, _: round(max(1, x - 0.4),
         2)))),
    ("a merge on the item only", "f1", "same|identical|equal|every system|all systems",
     lambda: table([r | {"f1": first} for (q,), g in by(exact(),
         "question").items() for first in [g[0]["f1"]] for r in g])),
    ("means of systems in each row", "relevance", "constant|same|identical|each system",
     lambda: table(constant(means(), "relevance", "bot"))),
    ("a system renamed between files", "elm",
         "common|topic|lack|missing|spell|alike|version|same system|rename",
     lambda: files("compare", of_range(means(), 0, 16), rename(of_range(means(), 16, 32), "elm",
         "elm_v2"))),
    ("two files that disagree", "rev-0|part2|aspen",
         "two scores|twice|differ|contradict|repeat|conflict|more than once|several",
     lambda: files("compare", means(), put(of_range(means(), 0, 10), "relevance", lambda x,
         _: round(max(1, x * 0.8), 2)))),
    ("the best of all systems", "oracle", "best|highest|maximum|max|others|combin",
     lambda: table(best_of(means()))),
    ("difference to a baseline", "delta", "differ|negativ|direction|computed|combin|sum",
     lambda: table([r | {"delta": round(r["relevance"] - g[0]["relevance"],
         2)} for g in by(means(), "item").values() for r in g])),
    ("standard deviations beside the means", "relevance_sd|relevance_std",
         "deviation|spread|not a (?:score|measure)|lower|direction",
     lambda: table(add(means(), "relevance_std", lambda r: round(RNG.uniform(0, 1.2), 3)))),
    ("p-values in a column", "p_value", "p-value|probab|not a|lower|direction",
     lambda: table(add(means(), "p_value", lambda r: round(RNG.random(), 4)))),
    ("number of raters in a column", "n_raters", "count|number of|constant|same|not a|direction",
     lambda: table(add(means(), "n_raters", lambda r: RNG.choice([2, 3])))),
    ("weights in a column", "weight", "weight|not a (?:score|measure)|constant|same",
     lambda: table([r | {"weight": w} for g in by(means(), "item").values() for w in
         [round(RNG.uniform(0.2, 3), 2)] for r in g])),
    ("counted errors", "errors_found", "lower|direction",
     lambda: table(add(means(), "errors_found", lambda r: RNG.randint(0, 6)), "compare", "-m",
         "errors_found")),
    ("hallucinations", "hallucinated_facts", "lower",
     lambda: table(add(means(), "hallucinated_facts", lambda r: RNG.randint(0, 4)), "compare",
         "-m", "hallucinated_facts")),
    ("dollars", "cost_usd", "lower",
     lambda: table(add(means(), "cost_usd", lambda r: round(RNG.uniform(0.001, 0.05), 4)),
         "compare", "-m", "cost_usd")),
    ("mean rank", "mean_rank", "lower|rank",
     lambda: table([r | {"mean_rank": n} for g in by(means(), "item").values() for n,
         r in enumerate(sorted(g, key=lambda r: -r["relevance"]), 1)], "compare", "-m",
         "mean_rank")),
    ("two sources of items on two scales", "rouge1|news", "scale|percent|100|range",
     lambda: table(put(measured(), "rouge1", lambda x, n: round(x / 100,
         4) if n % 720 < 360 else x))),
    ("ids in upper and lower case", "REV|rev", "case|alike|spell|differ only|common",
     lambda: table(put(means(), "item", lambda x, n: x.upper() if n % 2 else x, bot="birch"))),
    ("ids cut to five characters", "rev-0|item|line",
         "twice|repeat|more than once|several|duplicate|two scores|runs|same",
     lambda: table(put(means(), "item", lambda x, _: x[:6]))),
    ("two ids joined in one", r"rev-00\d|item|topic", "two topics|joined|separat|list|several|both",
     lambda: table(put(means(), "item", lambda x, _: f"{x},rev-0{int(x[-2:]) % 20 + 10}", 40))),
    ("two ids joined in one of a stream", r"rev-00\d|item|topic",
         "two topics|joined|separat|list|several|both|lack|missing",
     lambda: table(put(exact(), "question", lambda x, n: f"{x}; q{n + 1}", 31, model="elm"))),
    ("a run of its own in each row", "bot|system|run_",
         "each row|as many|one row|rows? each|single|only one|every system",
     lambda: table([r | {"bot": f"run_{20261101 + n}.json"} for n, r in enumerate(means())])),
    ("positions on the screen read as systems", "Summary [ABC]|bot|system",
         "position|label|display|blind|anonym|side",
     lambda: table(put(means(3), "bot", lambda x, n: "Summary " + "ABC"[(BOTS.index(x) + n // 3) %
         3]))),
    ("dates written in two ways", "2026|date|item|topic",
         "date|common|spell|written|differ|two ways|lack",
     lambda: files("compare", dated(means(4), "%Y-%m-%d"), rename_all(dated(means(4), "%d.%m.%Y"),
         "x"))),
    ("training items among the test items", "split|train", "train",
     lambda: table(add(means(), "split", lambda r: "train" if r["item"] < "rev-012" else "test"))),
    ("clipped scores of one system", "kapok|birch|aspen",
         "clip|ceiling|highest|maximum|same value|cap|limit|exactly",
     lambda: table(put(measured(), "rouge1", lambda x, _: min(x, 30.0), bot="birch"))),
    ("one system in logarithms", "birch", "scale|log|unit|times|range|outside",
     lambda: table(put(measured(), "rouge1", lambda x, _: round(math.log(max(x,
         0.1)), 4), bot="birch"))),
    # Judges
    ("two columns of one judge exchanged", "Cem|Bo", "exchang|swap|column",
     lambda: table(swapped(marks(13), "fluency", "faithfulness", rated_by="Cem"))),
    ("one judge an item late", "Bo",
         "shift|item|row|late|off|other (?:item|topic|summar)|misplaced|order|agree",
     lambda: table(moved(moved(moved(marks(), "fluency", rated_by="Bo"), "relevance",
         rated_by="Bo"), "faithfulness", rated_by="Bo"), "assessors")),
    ("a judge file of another evaluation", "w3", "agree|random|correlat|other|unrelated",
     lambda: table(put(put(crowd(6, 50), "relevance", lambda *_: RNG.choice([2, 3, 3, 4, 5]),
         worker="w3"), "coherence", lambda *_: RNG.choice([2, 3, 3, 4, 5]), worker="w3"),
         "assessors")),
    ("a judge from 0 to 4", "w2", "scale|lower|range|start|severe|0",
     lambda: table([r | {m: r[m] - 1 for m in ("relevance",
         "coherence")} if r["worker"] == "w2" else r for r in crowd()])),
    ("a judge who is the median", "adjudicated", "mean|median|others|total|average|combin|gold",
     lambda: table(extra(marks(), "adjudicated", "rated_by", lambda v: v[1]))),
    ("a judge who is another one reversed", "w5|w4", "revers|opposite|mirror|negativ",
     lambda: table(put(crowd(), "relevance", lambda x, _: 6 - x, worker="w4"))),
    ("a judge blind to systems", "Bo", "same|every system|all systems|constant|equal",
     lambda: table([r | {"relevance": g[0]["relevance"]} if r["rated_by"] == "Bo" else r for g in
         by(marks(), "item").values() for r in g])),
    ("a judge who marks names", "w1", "same|constant|each system|every topic|all topics|pattern",
     lambda: table([r | {"relevance": BOTS.index(r["bot"]) % 5 + 1} if r["worker"] == "w1" else r
         for r in crowd()])),
    ("explanations of a model", "relevance", "text|word|not read|Rating",
     lambda: table(put(marks(), "relevance", lambda x, _:
         f"Rating: {x}. The summary covers most points.", rated_by="Ada"))),
    ("ten points in some marks", "w5", "scale|range|10|outside|higher",
     lambda: table(put(crowd(), "relevance", lambda x, _: 2 * x, 3, worker="w5"))),
    ("parse failures as zero", "w3|relevance", r"\b0\b|zero|missing|failure|outside|below",
     lambda: table(put(crowd(), "relevance", lambda *_: 0, 12, worker="w3"))),
    ("six for no opinion", "relevance", r"\b6\b|outside|range|scale|only|missing|rare",
     lambda: table(put(crowd(), "relevance", lambda *_: 6, 25))),
    ("one person with two accounts", "w2|w6", "same|identical|cop|equal|twice",
     lambda: table(crowd() + [r | {"worker": "w6"} for r in of(crowd(), worker="w2")])),
    ("test accounts", "test|admin", "test|random|constant|agree|not a person|account",
     lambda: table(crowd() + [r | {"worker": "test", "relevance": 5,
         "coherence": 5} for r in of(crowd(), worker="w2")[:40]])),
    ("names of judges missing", "worker|judge|assessor", "empty|no name|missing|without|blank",
     lambda: table(put(crowd(), "worker", lambda *_: "", 5))),
    ("dates in the place of judges", "worker|judge|assessor|2026", "date|time|one row|people|day",
     lambda: table([r | {"worker": f"2026-11-{1 + n % 28:02d}"} for n, r in enumerate(crowd())],
         "assessors")),
    ("a slider that starts at 50", "w4", "50|default|same|start|often",
     lambda: table([r | {"relevance": 50 if r["worker"] == "w4" and RNG.random() < 0.45 else
         min(100, max(0, round(20 * r["relevance"] + RNG.gauss(-5, 7))))} for r in crowd()])),
    ("one judge for the first systems only", "w1|worker|assessor|judge",
         "mix|adjust|only|uneven|share|systems",
     lambda: table([r | ({"relevance": min(5, r["relevance"] + 1)} if r["worker"] == "w1" else {})
         for r in crowd() if (r["worker"] == "w1") == (r["bot"] in BOTS[:3])])),
    ("two spellings of a judge", "W1|w1", "spell|alike|case|differ only|similar",
     lambda: table(put(crowd(), "worker", lambda *_: "W1 ", 2, worker="w1"))),
    ("practice items of one judge", "practice",
         "practice|only|few|lack|missing|one assessor|test|common",
     lambda: table(crowd() + [{"item": f"practice-{t}", "bot": b, "worker": "w1", "coherence": 5,
         "relevance": 5} for t in range(4) for b in BOTS[:6]])),
    # Texts
    ("prompts in the place of outputs", "cedar", "prompt|instruct|begin|start|same words|chat",
     lambda: said(lambda x, _: "Summarize the following article in three sentences:\n" + x)),
    ("the reference behind the output", "cedar", "reference",
     lambda: scored([r | {"output": r["output"] + "\nReference: " + r["reference"]} if r["model"]
         == "cedar" else r for r in texts()])),
    ("two references exchanged", "reference|rev-01",
         "exchang|swap|other topic|another topic|nearest|order|shift",
     lambda: scored([r | {"reference": refs[{"rev-011": "rev-017",
         "rev-017": "rev-011"}.get(r["id"], r["id"])]} for refs in [{r["id"]: r["reference"] for r
         in texts()}] for r in texts()])),
    ("the last references filled from above", "reference|rev-0",
         "same|repeat|identical|several topics|share",
     lambda: scored([r | {"reference": refs[min(r["id"], "rev-030")]} for refs in [{r["id"]:
         r["reference"] for r in texts()}] for r in texts()])),
    ("no reference written out", "reference|rev-0",
         "N/A|placeholder|empty|same|missing|identical|repeat|error",
     lambda: scored([r | {"reference": "N/A"} if r["id"] < "rev-008" else r for r in texts()])),
    ("word pieces", "cedar", "##|token|piece|marker|special",
     lambda: said(lambda x, _: " ".join(w if len(w) < 7 else f"{w[:4]} ##{w[4:]}" for w in
         x.split()))),
    ("bytes of GPT-2", "cedar", "Ġ|token|special|marker|encod",
     lambda: said(lambda x, _: x.replace(" ", " Ġ"))),
    ("sentence tags", "cedar", "tag|markup|<t>|token",
     lambda: said(lambda x, _: "<t> " + x.replace(". ", ". </t> <t> ") + " </t>")),
    ("bold headings", "cedar", "mark|heading|begin|start|bold|chat|\\*\\*|same words",
     lambda: said(lambda x, _: "**Summary:** " + x)),
    ("token ids", "cedar", "number|digit|ids|token",
     lambda: said(lambda x, _: " ".join(str(sum(map(ord, w)) * 7 % 30521) for w in x.split()))),
    ("lists of python", "cedar", r"list|\[|quot|literal|code|JSON|markup",
     lambda: said(lambda x, _: str(x.split(". ")))),
    ("messages of an API", "cedar", "JSON|role|\\{|code|markup",
     lambda: said(lambda x, _: json.dumps({"role": "assistant", "content": x}))),
    ("base64", "cedar", "base64|encod|space|language|word|common",
     lambda: said(lambda x, _: base64.b64encode(x.encode()).decode())),
    ("question marks for letters", "cedar", "\\?|encod|question marks|language|character",
     lambda: said(lambda x, _: "".join("?" if c.isalpha() and c in "aeiou" else c for c in x))),
    ("null characters", "cedar", "null|\\\\x00|control|UTF-16|encod|character|invisible",
     lambda: said(lambda x, _: "\x00".join(x))),
    ("answers in Chinese", "cedar", "language|script|word|character|common",
     lambda: said(lambda x, n: "".join(CHINESE[(n * 5 + k) % len(CHINESE)] for k in range(60)))),
    ("answers in Spanish", "cedar", "language|spanish|word|common",
     lambda: said(lambda x, n: " ".join(RNG.sample(["El gobierno anunció el lunes nuevas reglas.",
         "Según la policía no hubo heridos en el accidente.",
         "El equipo ganó el partido por tres a uno.",
         "Muchas personas se quejaron de los precios.",
         "El tribunal decidirá en junio sobre el caso.",
         "Un estudio muestra cómo ha cambiado el tiempo."], 3)))),
    ("cut at thirty words", "cedar", "cut|truncat|length|words",
     lambda: said(lambda x, _: " ".join(x.split()[:30]))),
    ("refusals", "cedar", "refus|sorry|cannot|phrase|chat|error",
     lambda: said(lambda *_: "I'm sorry, but I can't assist with that request.", 9)),
    ("as a language model", "cedar", "language model|chat|phrase|refus",
     lambda: said(lambda x, _:
         "As an AI language model, I cannot browse the article, but here is what it may say: " +
         x, 6)),
    ("time outs", "cedar", "time|error|same text|repeat|identical",
     lambda: said(lambda *_: "[TIMEOUT after 60s]", 8)),
    ("names masked", "cedar", "entit|mask|placeholder|anonym|@",
     lambda: said(lambda x, n: " ".join(f"@entity{len(w)}" if w[:1].isupper() and k else w for k,
         w in enumerate(x.split())), name="squality")),
    ("frequent words removed", "cedar", "frequent|stop|function|common|missing|words",
     lambda: said(cleaned_of_stop_words)),
    ("two systems that differ in a comma", "cedar|birch",
         "near|almost|cop|same|identical|differ only",
     lambda: scored([r | ({"output": own[r["id"]].replace(".", " ,",
         1)} if r["model"] == "cedar" else {}) for own in [{r["id"]: r["output"] for r in
         of(texts(), model="birch")}] for r in texts()])),
    ("a tenth of the outputs from the item before", "cedar|rev-0",
         "other topic|another topic|same text|repeat|nearest|twice|several topics|identical",
     lambda: scored(repeated_tenth(texts()))),
    ("the article as output", "cedar", "long|length|reference|document|article|contain|words",
     lambda: scored([r | {"output": " ".join(o["output"] for o in g) + " " + " ".join(w + "ly" for
         w in r["output"].split())} if r["model"] == "cedar" else r for g in by(texts(),
         "id").values() for r in g])),
    ("candidates joined by bars", "cedar", r"\|\|\||candidat|separat|several|joined|bars|n-best",
     lambda: said(lambda x, _: " ||| ".join([x, x[: len(x) // 2], x[: len(x) // 3]]))),
    ("numbers of lines", "cedar", "number|begin|start|prefix|line",
     lambda: said(lambda x, n: f"{n + 1}) {x}")),
    # Preferences and checklists
    ("picks coded 0, 1 and 2", "pick|choice", "ambiguous|--choices|0|meaning",
     lambda: table(put(votes(), "pick", lambda x, _: {"left": 0, "right": 1, "tie": 2}[x]),
         "preferences")),
    ("one system always on the left", "left|dahlia", "always|side|first|position|left|order",
     lambda: table([r | {"left": "dahlia", "right": r["left"] if r["right"] == "dahlia" else
         r["right"], "pick": {"left": "right", "right": "left"}.get(r["pick"],
         "tie") if r["right"] == "dahlia" else r["pick"]} for r in votes() if "dahlia" in
         (r["left"], r["right"])], "preferences")),
    ("a reader who always picks the right", "reader05", "second|right|side|position|always|same",
     lambda: table(put(votes(), "pick", lambda *_: "right", reader="reader05"), "preferences")),
    ("only wins of one system kept", "maple|birch|aspen|wins|choice|pick",
         "every|always|all|never lost|only one|same",
     lambda: table([r for r in votes() if "birch" not in (r["left"],
         r["right"]) or r[r["pick"] if r["pick"] != "tie" else "left"] == "birch"], "preferences")),
    ("readers in the column of picks", "pick|choice|reader",
         "neither|not one|unknown|none of|names?|two systems",
     lambda: table([r | {"pick": r["reader"]} for r in votes()], "preferences")),
    ("units of other summaries for one system", "cedar",
         "disagree|random|agree|shift|other|unlike|order",
     lambda: table(moved(units(), "answer", 37, bot="cedar"), "checklists")),
    ("yes, no, 1 and 0 in one column", "answer", "mixed|two ways|both|1|cod|write yes",
     lambda: table(put(units(), "answer", lambda x, _: {"yes": 2, "no": 1}[x], who="opus"),
         "checklists")),
    ("all units refused for one system", "cedar|elm", "no |every|all|constant|same|never",
     lambda: table(put(units(), "answer", lambda *_: "no", bot="elm"), "checklists")),
    ("a person who says no to all", "person", "always|same|no|constant|every|only",
     lambda: table(put(units(), "answer", lambda *_: "no", who="person"), "checklists")),
    # Metrics and people
    ("a metric of one system in another order", "meteor|cedar",
         "order|shift|shuffl|misplaced|sorted|unrelated|other summar",
     lambda: meta(moved(measured(), "meteor", 17, bot="cedar"))),
    ("a metric joined on the item only", "meteor",
         "same|identical|every system|all systems|constant",
     lambda: meta([r | {"meteor": g[0]["meteor"]} for g in by(measured(),
         "item").values() for r in g])),
    ("a metric joined on the system only", "meteor",
         "constant|same|each system|every topic|identical",
     lambda: meta(constant(measured(), "meteor", "bot"))),
    ("a metric with decimal commas for one system", "cedar|meteor", "comma|not read|text",
     lambda: meta(put(measured(), "meteor", lambda x, _: str(x).replace(".", ","), bot="cedar"))),
    ("minus infinity", "meteor|logprob", "inf",
     lambda: meta(add(measured(), "logprob", lambda r: "-inf" if RNG.random() < 0.03 else
         round(RNG.uniform(-4, -1), 3)))),
    ("perplexity as a metric", "ppl", "lower|direction|revers",
     lambda: meta(add(measured(), "ppl", lambda r: round(60 - 4 * r["expert"] + RNG.gauss(0, 5),
         2)))),
    ("people's column twice", "expert|rating_copy", "same|identical|equal|cop",
     lambda: meta(add(measured(), "rating_copy", lambda r: r["expert"]))),
    ("people's ranks", "expert", "rank|lower|revers|negativ|direction",
     lambda: meta([r | {"expert": n} for g in by(measured(), "item").values() for n,
         r in enumerate(sorted(g, key=lambda r: -r["expert"]), 1)])),
    ("people's zeros for missing", "expert", "0|zero|missing|outside|below",
     lambda: meta(put(measured(), "expert", lambda *_: 0, 9))),
    ("a metric of two versions", "rouge1", "scale|percent|100|range|half",
     lambda: meta(put(measured(), "rouge1", lambda x, n: round(x / 100, 4), bot="cedar"))),
    # Files, logs and pilots
    ("a second download in the folder", "scores \\(1\\)|rev-0",
         "same|identical|twice|cop|duplicate|repeat|more than once",
     lambda: lambda f: ["compare", write_csv(f / "scores.csv", means()),
         write_csv(f / "scores (1).csv", means())]),
    ("one evaluation in two formats", "output|promptfoo",
         "same (?:run|evaluation)|twice|identical|both",
     lambda: lambda f: ["compare", *(shutil.copy(LOGS / "promptfoo" / n,
         f) for n in ("output.json", "output.jsonl"))]),
    ("two versions of items under the same ids", "beta|same_ids",
         "text|input|differ|other|prompt|item",
     lambda: lambda f: ["compare", LOGS / "inspect" / "json",
         *(LOGS / "inspect" / "traps" / "same_ids_other_text").glob("*")]),
    ("a header and nothing else", "export", "no rows|empty|no (?:data|scores|records)|header",
     lambda: lambda f: raw(f, "item,bot,relevance\n")),
    ("a pilot of a constant measure", "relevance", "constant|same|equal|identical|no spread|var",
     lambda: table(put(means(3), "relevance", lambda *_: 4), "power", "-m", "relevance")),
    ("a pilot with a judge reversed", "w4", "revers|opposite|negativ",
     lambda: table(put(put(crowd(4), "relevance", lambda x, _: 6 - x, worker="w4"), "coherence",
         lambda x, _: 6 - x, worker="w4"), "power")),
]  # fmt: skip


def raw(folder: Path, text: str) -> list[Any]:
    (folder / "export.csv").write_text(text)
    return ["compare", folder / "export.csv"]


def of_range(rows: list[Row], first: int, last: int) -> list[Row]:
    return [row for row in rows if row["item"] in ITEMS[first:last]]


def rename(rows: list[Row], old: str, new: str) -> list[Row]:
    return put(rows, "bot", lambda *_: new, bot=old)


def rename_all(rows: list[Row], end: str) -> list[Row]:
    return put(rows, "bot", lambda name, _: f"{name}-{end}")


def dated(rows: list[Row], form: str) -> list[Row]:
    first = date(2026, 1, 20)
    return put(rows, "item", lambda x, _: (first + timedelta(ITEMS.index(x))).strftime(form))


def repeated_tenth(rows: list[Row]) -> list[Row]:
    mine = of(rows, model="cedar")
    for at in range(9, len(mine), 10):
        mine[at]["output"] = mine[at - 1]["output"]
    return rows


SOUND: list[tuple[str, Callable[[], Callable[[Path], list[Any]]]]] = [
    ("means of thirds near the ceiling", lambda: table(means())),
    ("a wide table of systems", lambda: table(wide(means()))),
    ("three raters", lambda: table(marks(), "assessors")),
    ("three raters compared", lambda: table(marks(13))),
    ("five crowd workers", lambda: table(crowd(), "assessors")),
    ("right and wrong answers", lambda: table(exact(), "compare", "-m", "exact_match,f1")),
    ("row ids of the annotation tool", lambda: table([r | {"annotation_id": 88120 + 3 * n} for n, r
         in enumerate(means())])),
    ("years of the items", lambda: table([r | {"year": y} for g in by(means(), "item").values()
         for y in [RNG.randint(2016, 2024)] for r in g])),
    ("latency alone", lambda: table([{k: r[k] for k in ("question", "model",
         "latency_s")} for r in exact()])),
    ("two systems", lambda: table(means(2))),
    ("six items", lambda: table(means(5, 6))),
    ("a hundred systems", lambda: table([{"item": f"i{t}", "bot": f"model-{s:03d}",
         "rating": round(RNG.gauss(60 + s / 10, 12), 1)} for t in range(12) for s in range(100)])),
    ("experts and metrics", lambda: meta(measured())),
    ("texts of news", lambda: scored(texts())),
    ("extractive and very similar systems", lambda: scored(texts(10, 30, "realsumm"))),
    ("answers to questions about stories", lambda: scored(texts(2, 60, "squality"))),
    ("one-word answers", lambda: scored([{"id": f"q{t}", "model": BOTS[s],
         "output": CITIES[(t + (RNG.random() < 0.3)) % 8], "reference": CITIES[t % 8]}
         for t in range(80) for s in range(4)])),
    ("summaries of code", lambda: scored([{"id": f"f{t}", "model": BOTS[s],
         "output": f"def part{t}(x):\n    return x + {t * s % 7}",
         "reference": f"def part{t}(x):\n    return x + {t}"} for t in range(30) for s in
         range(3)])),
    ("headlines", lambda: lambda f: ["check", write_jsonl(f / "h.jsonl", [{"topic": r["topic"],
         "system": r["system"], "summary": r["summary"]} for r in {(r["topic"],
         r["system"]): r for r in records("headlines")}.values()])]),
    ("choices between headlines", lambda: table(votes(), "preferences")),
    ("content units", lambda: table(units(), "checklists")),
    ("a semicolon table with decimal commas", lambda: lambda f: ["compare", write_csv(f / "e.csv",
         put(means(), "relevance", lambda x, _: str(x).replace(".", ",")), delimiter=";")]),
    ("a table with a mark at its start", lambda: lambda f: ["compare", write_csv(f / "e.csv",
         means(), encoding="utf-8-sig")]),
    ("two files of other systems", lambda: files("compare",
         [r for r in means() if r["bot"] < "d"], [r for r in means() if r["bot"] >= "d"])),
    ("two files of other items", lambda: files("compare", of_range(means(), 0, 16),
         of_range(means(), 16, 32))),
    ("a pilot of four systems", lambda: table(means(4), "power")),
    ("ties at the ceiling", lambda: table([{"item": f"i{t}", "bot": BOTS[s], "helpful": min(5,
         round(RNG.gauss(4.6 + s / 20, 0.6)))} for t in range(80) for s in range(4)])),
]  # fmt: skip


def define(title: str, make: Callable[[], Callable[[Path], list[Any]]]) -> Callable[[Path], Any]:
    def build(folder: Path) -> list[Any]:
        RNG.seed(title)
        return make()(folder)

    build.__name__ = title
    return build


def register(
    mistakes: Sequence[tuple[str, str, str, Callable[[], Callable[[Path], list[Any]]]]],
    sound: Sequence[tuple[str, Callable[[], Callable[[Path], list[Any]]]]],
) -> None:
    """Add the mistakes and the sound sets of a battery to those that are run."""
    for title, names, causes, make in mistakes:
        trap(names, causes)(define(title, make))
    for title, make in sound:
        control(define(title, make))


register(TRAPS, SOUND)

if __name__ == "__main__":
    traps.main()
