"""Mistakes with judges, scores and columns, each with the line that names it; and sound designs."""

import csv
import gzip
import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from pyramidion import compare
from pyramidion.checks.plausibility import implausible_data
from pyramidion.cli.runtime import run
from pyramidion.collection import Collection
from pyramidion.collection.sources import read_source
from pyramidion.errors import DataNote

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
MARKS = ("coherence",)


def judged(*, topics=40, systems=4, judges=3, noise=0.7, measures=MARKS, seed=0):
    """Make marks from 1 to 5 by judges who agree."""
    rng = np.random.default_rng(seed)
    level, rows = 0.7 * rng.normal(size=topics), []
    for topic in range(topics):
        for system in range(systems):
            quality = 3 + level[topic] + 0.5 * system - 0.8 + 0.6 * rng.normal()
            for judge in range(judges):
                drawn_marks = quality + noise * rng.normal(size=len(measures))
                marks = np.clip(np.rint(drawn_marks), 1, 5).astype(int).tolist()
                names = {
                    "topic": f"T{topic:02}",
                    "system": f"sys{system}",
                    "assessor": f"ann{judge}",
                }
                rows.append(names | dict(zip(measures, marks, strict=True)))
    return rows


def scored(*, topics=40, systems=4, names=("rouge", "bert"), seed=0):
    """Make fractions by metrics that agree."""
    rng = np.random.default_rng(seed)
    level, rows = 0.06 * rng.normal(size=topics), []
    for topic in range(topics):
        for system in range(systems):
            quality = 0.4 + level[topic] + 0.02 * system + 0.04 * rng.normal()
            values = np.clip(quality + 0.02 * rng.normal(size=len(names)), 0.01, 0.99).round(4)
            ids = {"topic": f"T{topic:02}", "system": f"sys{system}"}
            rows.append(ids | dict(zip(names, values.tolist(), strict=True)))
    return rows


def changed(rows, which, column, new):
    """Change a column in the rows that satisfy a condition."""
    return [
        {**row, column: new(row[column])} if which(number, row) else row
        for number, row in enumerate(rows)
    ]


def by_one(change, **options):
    """Change the scores of one judge of several."""
    return lambda: changed(
        judged(**options), lambda _, row: row["assessor"] == "ann1", "coherence", change
    )


def every(number, column, new, rows=judged):
    return lambda: changed(rows(), lambda n, _: n % number == 3, column, lambda _: new)


def renamed(rows, **names):
    return [{names.get(key, key): value for key, value in row.items()} for row in rows]


def moved(rows, column, which, by):
    """Take a column from some rows before."""
    return [
        {**row, column: rows[(number - by) % len(rows)][column]} if which(row) else row
        for number, row in enumerate(rows)
    ]


def with_total(name, column):
    """Add means over topics or systems as a further one."""
    rows = scored()
    rest = "system" if column == "topic" else "topic"
    totals = []
    for key in dict.fromkeys(row[rest] for row in rows):
        same = [row for row in rows if row[rest] == key]
        means = {m: round(float(np.mean([row[m] for row in same])), 4) for m in ("rouge", "bert")}
        totals.append({column: name, rest: key, **means})
    return rows + totals


def in_events():
    """Make metrics whose differences are alike within events of five topics."""
    rng, rows = np.random.default_rng(3), scored()
    shift = {(event, f"sys{k}"): 0.06 * rng.normal() for event in range(8) for k in range(4)}
    for row in rows:
        event = int(row["topic"][1:]) // 5
        row["event"], row["bert"] = f"E{event}", round(row["bert"] + shift[event, row["system"]], 4)
    return rows


def without(rows, *columns):
    return [{key: value for key, value in row.items() if key not in columns} for row in rows]


def lacking_topics():
    rows = renamed(without(scored(), "topic"), system="Flavor")
    return [{"summary": f"text {number}", **row} for number, row in enumerate(rows)]


def averaged():
    """Make averages over three judges."""
    rows = judged(judges=3)
    return [
        {**without([row], "assessor")[0],
         "coherence": round(sum(r["coherence"] for r in rows[n : n + 3]) / 3, 2)}
        for n, row in enumerate(rows) if n % 3 == 0
    ]  # fmt: skip


RANDOM = np.random.default_rng(5)
WORDS = {1: "1 - bad", 2: "2 - poor", 3: "3 - fair", 4: "4 - good", 5: "5 - perfect"}
TWO = ("coherence", "fluency")
#: The mistake, and what the line about it must hold.
MISTAKES = {
    "a reversed scale": (
        by_one(lambda v: 6 - v), "assessor ann1: coherence has a correlation", "--reverse ann1"),
    "one of two reversed": (
        by_one(lambda v: 6 - v, judges=2), "assessors ann0 and ann1", "--reverse"),
    "a constant judge": (by_one(lambda _: 3), "assessor ann1: gives 3 to all 160 summaries"),
    "a judge out of 100": (by_one(lambda v: 20 * v), "judges on different scales: assessor ann1"),
    "a judge out of 10": (by_one(lambda v: 2 * v), "judges on different scales: assessor ann1"),
    "z-scores": (
        by_one(lambda v: round((v - 3) / 1.1, 3)), "judges on different scales: assessor ann1"),
    "fractions of 5": (by_one(lambda v: v / 5), "judges on different scales: assessor ann1"),
    "half of the topics out of 100": (
        lambda: changed(judged(), lambda _, r: r["assessor"] == "ann1" and r["topic"] > "T20",
                        "coherence", lambda v: 20 * v),
        "assessor ann1: ", "are not on the scale of the others",
    ),
    "a judge for each row": (
        lambda: [{**row, "assessor": f"HIT{n:04}"} for n, row in enumerate(judged())],
        "one judge for each row: assessors HIT0000",
    ),
    "random scores": (
        by_one(lambda _: int(RANDOM.integers(1, 6))),
        "judge who agrees with nobody: assessor ann1",
    ),
    "the same for all systems": (
        lambda: [{**row, "coherence": 1 + int(row["topic"][1:]) % 5} if row["assessor"] == "ann1"
                 else row for row in judged()],
        "judge with one score for each topic: assessor ann1",
    ),
    "a judge shifted by a summary": (
        lambda: moved(judged(), "coherence", lambda row: row["assessor"] == "ann1", 3),
        "judge shifted by a row: assessor ann1",
    ),
    "a judge of one system": (
        lambda: [r for r in judged() if r["assessor"] != "ann1" or r["system"] == "sys2"],
        "judge of one system: assessor ann1",
    ),
    "9 for nothing": (every(40, "coherence", 9), "coherence: 9 among", "--missing coherence=9"),
    "-1 for nothing": (every(40, "coherence", -1), "coherence: -1 among", "--missing coherence=-1"),
    "0 for nothing": (every(40, "coherence", 0), "coherence: 0 among", "--missing coherence=0"),
    "0 of a metric": (every(30, "bert", 0, scored), "bert: 0 among", "--missing bert=0"),
    "0 in whole rows": (
        lambda: [{**r, "coherence": 0, "fluency": 0} if n % 20 == 3 else r
                 for n, r in enumerate(judged(judges=1, measures=TWO))],
        "zero for every measure: measures coherence, fluency",
    ),
    "per cent in some topics": (
        lambda: changed(scored(), lambda _, r: r["topic"] > "T30", "bert", lambda v: 100 * v),
        "percentages among fractions: topics T31, ", "bert is up to",
    ),
    "per cent in some cells": (
        lambda: changed(scored(), lambda n, _: n % 17 == 3, "bert", lambda v: 100 * v),
        "percentages among fractions: bert: 10 scores",
    ),
    "a row of averages": (
        lambda: with_total("AVERAGE", "topic"), "topic AVERAGE", "--exclude AVERAGE"),
    "a mean of the systems": (
        lambda: with_total("mean", "system"), "system mean", "--exclude mean"),
    "a nameless mean": (lambda: with_total("zz", "system"), "system zz: its rouge is the mean of"),
    "a shifted column": (
        lambda: moved(scored(names=("rouge", "bert", "bleurt")), "bert", lambda _: True, 1),
        "measure shifted by a row: measure bert",
    ),
    "a shifted system": (
        lambda: moved(scored(seed=1), "bert", lambda row: row["system"] == "sys1", 4),
        "system shifted by a topic: system sys1",
    ),
    "one score a system": (
        lambda: [{**r, "elo": 990.5 + 10 * int(r["system"][3])} for r in scored()],
        "one score for each system: elo",
    ),
    "one score a topic": (
        lambda: [{**r, "size": 100 + 7 * int(r["topic"][1:]) % 83} for r in scored()],
        "one score for each topic: size",
    ),
    "one score for all": (
        lambda: [{**r, "flag": 3} for r in scored()], "measure that never varies: flag"),
    "numbered rows": (
        lambda: [{**r, "num": n} for n, r in enumerate(scored())],
        "num: from 0 to 159", "row numbers",
    ),
    "times": (
        lambda: [{**r, "sent": 1_700_000_000 + 977 * n % 9973} for n, r in enumerate(scored())],
        "sent: from 17000", "times in seconds",
    ),
    "systems merged": (
        lacking_topics, "systems merged into one: column Flavor", "--columns system=Flavor"),
    "decimal commas": (
        lambda: [{**r, "bert": str(r["bert"]).replace(".", ",")} for r in scored()],
        "column bert: ", "instead of the comma",
    ),
    "numbers with words": (
        lambda: [{**r, "fluency": WORDS[r["fluency"]]} for r in judged(measures=TWO)],
        "column fluency: ", "write the number only",
    ),
    "marks out of 5": (
        lambda: [{**r, "fluency": f"{r['fluency']}/5"} for r in judged(measures=TWO)],
        "column fluency: ", "before the slash",
    ),
    "per cent signs": (
        lambda: [{**r, "bert": f"{100 * r['bert']:.1f}%"} for r in scored()],
        "column bert: ", "percent sign",
    ),
    "words": (
        lambda: [{**r, "fluency": WORDS[r["fluency"]][4:]} for r in judged(measures=TWO)],
        "column fluency: ", "instead of words",
    ),
    "a measure copied": (
        lambda: [{**r, "fluency": r["coherence"]} for r in judged()],
        "measures coherence and fluency: they are the same",
    ),
    "a system copied": (
        lambda: [*scored(), *({**r, "system": "new"} for r in scored() if r["system"] == "sys2")],
        "systems sys2 and new: the same rouge",
    ),
    "a system that failed": (
        lambda: changed(scored(), lambda _, r: r["system"] == "sys1", "bert", lambda _: 0),
        "system with the lowest score throughout: system sys1",
    ),
    "a typo": (
        lambda: changed(scored(), lambda n, _: n == 17, "bert", lambda v: 1000 * v),
        "score far from all others: bert", "(T04, sys1)",
    ),
    "rows taken for topics": (
        lambda: [{**r, "topic": f"R{n}"} for n, r in enumerate(scored())],
        "topics of one system each: topics R0, ", "--columns topic=",
    ),
    "a system of z-scores": (
        lambda: changed(
            scored(), lambda _, r: r["system"] == "sys1", "bert", lambda v: v / 0.08 - 5.5),
        "system on another scale: system sys1",
    ),
    "a system out of 10": (
        lambda: changed(judged(), lambda _, r: r["system"] == "sys2", "coherence", lambda v: 2 * v),
        "system on another scale: system sys2",
    ),
    "per cent in a task": (
        lambda: [{**r, "task": "A"} for r in scored(names=("bert",))]
        + [{**r, "task": "B", "bert": 100 * r["bert"]} for r in scored(names=("bert",))],
        "tasks on different scales: measure bert",
    ),
    "an unusual placeholder": (every(30, "bert", -100, scored), "bert: -100 among", "--missing"),
    "9 among averages": (
        lambda: changed(averaged(), lambda n, _: n % 40 == 3, "coherence", lambda _: 9),
        "coherence: 9 among", "--missing coherence=9",
    ),
    "9 among averages of marks up to 7": (
        lambda: changed(
            changed(averaged(), lambda *_: True, "coherence", lambda v: round(v + 2 * (v > 4), 2)),
            lambda n, _: n % 40 == 3, "coherence", lambda _: 9,
        ),
        "coherence: 9 among scores from 1 to 7", "--missing coherence=9",
    ),
    "numbers too large below zero": (
        lambda: changed(scored(), lambda n, _: n == 30, "bert", lambda _: -1e200),
        "bert: -1e+200 is too large to compute with",
    ),
    "0 among averages": (
        lambda: changed(averaged(), lambda n, r: r["system"] == "sys2" and n % 3 == 0,
                        "coherence", lambda _: 0),
        "coherence: 0 among", "system sys2", "--missing coherence=0",
    ),
    "a constant system": (
        lambda: changed(scored(), lambda _, r: r["system"] == "sys1", "bert", lambda _: 0.4),
        "system with the same score throughout: system sys1",
    ),
    "a sorted system": (
        lambda: [*(r for r in scored() if r["system"] != "sys1"), *(
            {**r, "bert": 0.3 + n / 100}
            for n, r in enumerate(r for r in scored() if r["system"] == "sys1"))],
        "system with sorted scores: system sys1",
    ),
    "an oracle": (
        lambda: scored() + [
            {"topic": t, "system": "top",
             **{m: max(r[m] for r in scored() if r["topic"] == t) for m in ("rouge", "bert")}}
            for t in sorted({r["topic"] for r in scored()})],
        "best of all systems as a system: system top", "--exclude top",
    ),
    "a count of judges": (
        lambda: [{**r, "n_judges": 2 + (n % 7 > 0)} for n, r in enumerate(scored())],
        "measure that is no score: n_judges", "counts of judgments",
    ),
    "a judge who stopped": (
        lambda: changed(judged(), lambda _, r: r["assessor"] == "ann1" and r["topic"] > "T20",
                        "coherence", lambda _: 3),
        "assessor ann1: gives 3 for ", "to each of the last 7",
    ),
    "a unit in some rows": (
        lambda: changed(scored(), lambda n, _: n % 2, "bert", lambda v: f"{v} pts"),
        "column bert: ", "without 'pts'",
    ),
    "missing means filled with the mean": (
        lambda: changed(averaged(), lambda n, r: r["system"] == "sys1" and n % 12 == 1,
                        "coherence", lambda _: 3.218765),
        "score that is repeated: coherence", "3.2187", "system sys1",
    ),
    "a metric that was cut off": (
        lambda: changed(scored(), lambda *_: True, "bert", lambda v: min(v, 0.4123)),
        "score that is repeated: bert", "cut off",
    ),
    "missing scores filled with the one above": (
        lambda: [
            row | {"bert": scored()[n - 4 * (int(row["topic"][1:]) % 4)]["bert"]}
            if row["system"] == "sys1" else row for n, row in enumerate(scored())],
        "system with repeated scores: system sys1", "bert",
    ),
    "a topic under two names": (
        lambda: scored(systems=6) + [
            row | {"topic": "T99"} for row in scored(systems=6) if row["topic"] == "T07"],
        "topics with identical scores: topics T07 and T99",
    ),
    "lost decimal points": (
        lambda: changed(averaged(), lambda n, _: n % 40 == 1, "coherence", lambda v: 100 * v),
        "score far from all others: coherence", "typo",
    ),
    "deviations": (
        lambda: [{**r, "bert_sd": round(0.01 + n % 7 / 90, 4)} for n, r in enumerate(scored())],
        "measure that is no score: bert_sd", "deviations",
    ),
    "a rounded system": (
        lambda: changed(scored(), lambda _, r: r["system"] == "sys1", "bert",
                        lambda v: round(v, 1)),
        "scores rounded differently: system sys1",
    ),
    "a judge of extremes": (
        by_one(lambda v: 5 if v > 3 else 1), "judge who skips scores: assessor ann1", "2, 3, 4"),
    "a judge who gave up": (
        lambda: changed(judged(systems=8), lambda _, r: r["assessor"] == "ann1" and
                        r["topic"] > "T25", "coherence", lambda _: int(RANDOM.integers(1, 6))),
        "judge who stopped agreeing: assessor ann1", "give up",
    ),
    "the median as a judge": (
        lambda: judged() + [
            row | {"assessor": "adjudicated", "coherence": sorted(
                r["coherence"] for r in judged()[n : n + 3])[1]}
            for n, row in enumerate(judged()) if n % 3 == 0],
        "total among judges: assessor adjudicated", "median",
    ),
    "a judge with one score for two measures": (
        lambda: [row | {"fluency": row["coherence"]} if row["assessor"] == "ann1" else row
                 for row in judged(measures=TWO)],
        "judge with one score for two measures: assessor ann1", "fluency", "coherence",
    ),
    "a judge with a mail address": (
        lambda: changed(judged(), lambda n, r: r["assessor"] == "ann1" and n % 4 == 0, "assessor",
                        lambda v: f"{v}@example.org"),
        "spelled in two ways: assessor 'ann1' and 'ann1@example.org'",
    ),
    "a measure with and without a hyphen": (
        lambda: [
            {"topic": r["topic"], "system": r["system"], "value": r["rouge"],
             "measure": "rouge1" if r["system"] == "sys1" else "rouge-1"} for r in scored()],
        "spelled in two ways: measure 'rouge1' and 'rouge-1'",
    ),
    "topics in clusters": (in_events, "topics in clusters: column event", "--cluster event"),
    "topics without a reference": (
        lambda: changed(scored(), lambda _, r: r["topic"] < "T04", "bert", lambda _: 0),
        "topics with one score for all systems: topics T00", "same bert",
    ),
    "the answers of a judge filled with their mean": (
        lambda: changed(judged(), lambda n, r: r["assessor"] == "ann1" and n % 9 == 1, "coherence",
                        lambda _: 3.47),
        "score that is repeated: coherence", "3.47", "ann1",
    ),
    "a judge from 0 to 10 beside others from 0 to 100": (
        lambda: changed(
            changed(judged(), lambda *_: True, "coherence", lambda v: 25 * (v - 1)),
            lambda _, r: r["assessor"] == "ann1", "coherence", lambda v: v / 10),
        "judges on different scales: assessor ann1",
    ),
}  # fmt: skip


def written(rows, folder):
    file = folder / "table.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        table = csv.DictWriter(out, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    return file


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named(name, tmp_path):
    build, *parts = MISTAKES[name]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        findings = read_source(written(build(), tmp_path)).findings or ()
    lines = [str(warning.message) for warning in warned]
    lines += [f"{f.kind}: {f.subject}: {f.message}" for f in findings]
    assert any(all(part in line for part in parts) for line in lines), lines


def test_a_judge_whose_summaries_nobody_else_judged_is_noted(tmp_path):
    rows = [
        row | {"assessor": "dora"} if row["topic"] > "T29" else row
        for row in judged()
        if row["topic"] <= "T29" or row["assessor"] == "ann0"
    ]
    notes = [
        f for f in implausible_data(read_quietly(written(rows, tmp_path))) if f.severity == "note"
    ]
    assert any(f.subject == "assessor dora" and "nobody else" in f.message for f in notes)


def test_the_head_of_a_column_says_which_values_are_better(tmp_path):
    rows = renamed(judged(), coherence="coherence (1 = best)")
    (result,) = compare(read_quietly(written(rows, tmp_path)), n_resamples=99)
    ranked = [row.system for row in result.systems]
    assert ranked == ["sys0", "sys1", "sys2", "sys3"]


def test_one_topic_and_one_system_are_read_by_the_name_of_the_column(tmp_path):
    for rows in (scored(topics=1), scored(systems=1)):
        collection = read_quietly(written(renamed(rows, topic="doc"), tmp_path))
        assert set(collection.topic_ids) == {row["topic"] for row in rows}


def test_empty_cells_of_topics_are_named_in_the_refusal(tmp_path, capsys):
    rows = changed(scored(), lambda n, _: n % 4, "topic", lambda _: "")
    assert run(["compare", str(written(renamed(rows, topic="doc"), tmp_path))]) == 2
    assert "`doc` is empty in 120 of 160 rows" in capsys.readouterr().err


def yes_or_no(rows):
    return [{**row, "coherence": int(row["coherence"] > 2)} for row in rows]


def some(rows, share, seed=0):
    rng = np.random.default_rng(seed)
    return [row for row in rows if rng.random() < share]


def crowd(rows, size, seed=0):
    rng = np.random.default_rng(seed)
    return [{**r, "assessor": f"{r['assessor']}w{rng.integers(size)}"} for r in rows]


def of_systems(measure, values, topics=12):
    """Return a row for each topic and system; `values` are called with both numbers."""
    return [
        {"topic": f"T{t:02}", "system": f"sys{s}", measure: value(t)}
        for t in range(topics)
        for s, value in enumerate(values)
    ]


SOUND = {
    "marks": judged,
    "shares of few words": lambda: of_systems(
        "overlap", [lambda t: t % 5 / 4, lambda t: t / 11 if t % 2 else t % 5 / 4]
    ),
    "a composite on few topics": lambda: of_systems(
        "score", 6 * [lambda t: (0.916667, 0.95, 0.95, 0.933333)[t]] + 2 * [lambda _: 0.283333], 4
    ),
    "weights of errors": lambda: of_systems(
        "mqm", [lambda t: (0, 0.1, 1, 0, 5)[t % 5], lambda t: (0.1, 1, 0)[t % 3], lambda t: t % 2]
    ),
    "outputs of a fixed length": lambda: of_systems("length", [lambda _: 8, lambda _: 12]),
    "a system that is wrong throughout": lambda: of_systems(
        "exact", [lambda _: 0, lambda t: int(t % 3 > 0), lambda t: int(t % 4 > 0)], 20
    ),
    "two systems on three topics": lambda: judged(systems=2, topics=3, judges=2),
    "low agreement": lambda: judged(noise=3),
    "a crowd": lambda: crowd(judged(noise=1.5), 20),
    "yes and no": lambda: yes_or_no(judged()),
    "yes and no of few": lambda: yes_or_no(judged(judges=1, topics=12)),
    "the ceiling": lambda: changed(judged(), lambda *_: True, "coherence", lambda v: min(v + 2, 5)),
    "a lenient judge": by_one(lambda v: min(v + 1, 5)),
    "a severe judge": by_one(lambda v: max(v - 2, 1)),
    "half points": by_one(lambda v: v - 0.5 * (v == 4)),
    "from -2 to 2": lambda: changed(judged(), lambda *_: True, "coherence", lambda v: v - 3),
    "from 0 to 4": lambda: changed(judged(), lambda *_: True, "coherence", lambda v: v - 1),
    "better or worse": lambda: changed(
        judged(), lambda *_: True, "coherence", lambda v: (v > 3) - (v < 3)
    ),
    "unbalanced": lambda: [
        r for r in judged(judges=4)
        if int(r["topic"][1:]) % 4 == (int(r["assessor"][3]) + int(r["system"][3]) // 2) % 4
    ],
    "a judge for each topic": lambda: [
        r for r in judged(judges=5, systems=8) if int(r["topic"][1:]) % 5 == int(r["assessor"][3])
    ],
    "averages": averaged,
    "averages from 0": lambda: changed(
        averaged(), lambda *_: True, "coherence", lambda v: round(v - 1, 2)
    ),
    "three measures": lambda: judged(judges=1, measures=(*TWO, "relevance")),
    "metrics": scored,
    "metrics of few topics": lambda: scored(topics=3, systems=2),
    "per cent throughout": lambda: changed(scored(), lambda *_: True, "bert", lambda v: 100 * v),
    "log-likelihoods": lambda: changed(scored(), lambda *_: True, "bert", lambda v: -300 * v),
    "near the ceiling": lambda: changed(scored(), lambda *_: True, "bert", lambda v: 0.85 + v / 8),
    "a bad system": lambda: changed(
        scored(), lambda _, r: r["system"] == "sys1", "bert", lambda v: round(v / 50, 4)
    ),
    "a system with higher fractions, of no scale": lambda: changed(
        changed(scored(), lambda *_: True, "bert", lambda v: round(1.2 + 4 * v, 3)),
        lambda _, r: r["system"] == "sys1", "bert", lambda v: round(v + 2.8, 3),
    ),
    "categories": lambda: [{**r, "style": f"c{int(r['topic'][1:]) % 8}"} for r in scored()],
}  # fmt: skip
#: What is true of unbalanced or unsigned data, but no mistake.
EXPECTED = ("missing scores", "human measure taken for a metric", "assumed direction")


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_found_in_sound_designs(name, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        collection = read_source(written(SOUND[name](), tmp_path))
    findings = [f for f in implausible_data(collection) if f.kind not in EXPECTED]
    kinds = {finding.kind for finding in findings if finding.severity != "note"}
    assert kinds | {f.kind for f in findings if f.kind == "scores rounded differently"} == set()


@pytest.mark.parametrize(
    ("part", "column", "old", "rows"),
    [
        ("system", "Checkpoint", "system", scored), ("system", "ckpt", "system", scored),
        ("system", "LLM", "system", scored), ("assessor", "who", "assessor", judged),
        ("assessor", "labeler", "assessor", judged), ("assessor", "Reviewer", "assessor", judged),
        ("assessor", "participant", "assessor", judged), ("topic", "doc", "topic", judged),
        ("topic", "question", "topic", scored), ("topic", "sample_id", "topic", judged),
    ],
)  # fmt: skip
def test_less_usual_names_are_recognized_by_their_content(part, column, old, rows, tmp_path):
    plain = read_quietly(written(rows(topics=12), tmp_path))
    file = written(renamed(rows(topics=12), **{old: column}), tmp_path)
    with pytest.warns(DataNote, match=f"{part}={column}"):
        other = read_source(file)
    assert plain.scores.columns[old].tolist() == other.scores.columns[old].tolist()


def read_quietly(source):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_source(source)


def test_ids_are_not_measures(tmp_path):
    file = written([{**r, "hit_id": 7 * n % 1009} for n, r in enumerate(scored())], tmp_path)
    assert set(read_quietly(file).scores.measures) == {"rouge", "bert"}


def test_an_unknown_column_of_systems_is_named_in_the_refusal(tmp_path, capsys):
    file = written(renamed(without(scored(), "topic"), system="Flavor"), tmp_path)
    assert run(["compare", str(file)]) == 2
    assert "if Flavor names them, add --columns system=Flavor" in capsys.readouterr().err


def test_repeated_rows_are_refused_as_such(tmp_path, capsys):
    file = written([*scored(), scored()[5]], tmp_path)
    assert run(["compare", str(file)]) == 2
    assert "lines 7 and 162 are the same; remove repeated rows" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "words"), [("gpt-4o", "language model"), ("test", "test account")]
)
def test_judges_who_are_no_people_are_noted(name, words, tmp_path):
    extra = [{**row, "assessor": name} for row in judged()[:12:3]]
    findings = read_quietly(written([*judged(), *extra], tmp_path)).findings
    assert any(f.subject == f"assessor {name}" and words in f.message for f in findings)
    assert not any(words in f.message for f in read_quietly(written(judged(), tmp_path)).findings)


def test_a_judge_who_judged_twice_is_named_in_the_refusal(tmp_path, capsys):
    row = judged()[1]
    file = written([*judged(), {**row, "coherence": row["coherence"] % 5 + 1}], tmp_path)
    assert run(["compare", str(file)]) == 2
    assert "both by assessor ann1; if that was on two occasions" in capsys.readouterr().err


def test_a_table_without_a_head_is_refused_as_such(tmp_path, capsys):
    file = written(scored(), tmp_path)
    file.write_text(file.read_text().split("\n", 1)[1])
    assert run(["compare", str(file)]) == 2
    assert "the first line seems to be data, not names of columns: T00" in capsys.readouterr().err


def test_findings_carry_their_fix_and_their_rows(tmp_path):
    file = written(MISTAKES["a reversed scale"][0](), tmp_path)
    collection = read_quietly(file)
    finding = next(f for f in collection.findings if f.kind == "judge with a reversed scale")
    assert finding.repairs[0].flag == "--reverse ann1"
    assert set(collection.scores.columns["assessor"][finding.rows]) == {"ann1"}
    assert min(finding.bars, key=lambda bar: bar[1])[0] == "ann1"


# One published measure of realsumm gives a system the scores of another, as its README says.
SETS = {
    "summeval": (), "squality": (), "summeval_op": (), "pyreval_crypto": (),
    "realsumm": ("systems with identical scores",),
    "summhay": ("missing scores",), "summedits": ("missing scores",),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", SETS)
def test_open_sets_are_sound(name):
    file = DATA / f"{name}.jsonl.gz"
    if not file.exists():
        pytest.skip("../shared/data is not here")
    collection = read_quietly(file)
    kinds = {f.kind for f in implausible_data(replace_texts(collection)) if f.severity != "note"}
    assert kinds <= {*SETS[name]}


@pytest.mark.long
@pytest.mark.parametrize("name", ["summeval", "squality", "summeval_op", "summhay"])
def test_parts_of_open_sets_are_sound(name):
    file = DATA / f"{name}.jsonl.gz"
    if not file.exists():
        pytest.skip("../shared/data is not here")
    scores, rng = read_quietly(file).scores, np.random.default_rng(0)
    kinds = []
    for _ in range(60):
        rows = np.ones(len(scores), dtype=bool)
        for column, most in (("topic", 50), ("system", 6), ("measure", 4)):
            names = scores.distinct(column)
            some_names = rng.permutation(names)[: rng.integers(2, most)].tolist()
            rows &= np.isin(scores.columns[column].astype(str), some_names)
        if rows.any():
            findings = implausible_data(Collection("part", scores=scores.rows(rows)))
            kinds += [f.kind for f in findings if f.severity != "note"]
    allowed = {"missing scores", "topics of one system each", "score off its scale"}
    assert len([kind for kind in kinds if kind not in allowed]) <= 1


def test_measures_that_are_not_used_raise_no_warning(tmp_path, capsys):
    rows = changed(scored(), lambda n, _: n % 9 == 0, "bert", lambda _: -999)
    file = str(written(rows, tmp_path))
    assert run(["compare", file, "-m", "rouge", "--resamples", "99"]) == 0
    unused = capsys.readouterr().err
    assert run(["compare", file, "-m", "rouge,bert", "--resamples", "99"]) == 0
    used = capsys.readouterr().err
    assert "bert=" in unused
    assert "-999" not in unused
    assert "-999" in used


def replace_texts(collection):
    """Keep only the scores, since texts have checks of their own."""
    return Collection(collection.name, scores=collection.scores, measures=collection.measures)


def test_real_judges_with_a_mistake_are_found():
    file = DATA / "summeval.jsonl.gz"
    if not file.exists():
        pytest.skip("../shared/data is not here")
    rows = []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            ids = {"topic": record["topic"], "system": record["system"]}
            rows += [
                {**ids, "assessor": score["assessor"], "coherence": score["value"]}
                for score in record["assessor_scores"]
                if score["name"] == "coherence" and score["assessor"].startswith("expert")
            ]
    turned = [
        {**row, "coherence": 6 - row["coherence"]} if row["assessor"] == "expert2" else row
        for row in rows
    ]
    import pandas

    with pytest.warns(match="reversed scale: assessor expert2"):
        compare(Collection.from_frame(pandas.DataFrame(turned)))
