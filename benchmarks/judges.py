"""Language models as judges on open sets, and whether the checks of `assessors` hold.

What `docs/judging_with_models.md` quotes. Usage: python benchmarks/judges.py [--simulations 1000]
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from pyramidion.collection import Collection, Scores
from pyramidion.judges import assessors

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def summhay() -> None:
    """Six judges compared with people: what each may be used for, and why."""
    result = assessors(SHARED / "summhay.jsonl.gz")
    measures = ("use", "thresholds", "judges", "scale", "replaced")
    for table in (table for table in result.tables if table.name in measures):
        print(table.to_text())


def writers() -> None:
    """Take the nine models that wrote the summaries as systems: rankings and verdicts."""
    data = Collection.load(SHARED / "summhay.jsonl.gz")
    wrote = {
        (summary.topic, summary.system): summary.extra["generator"] for summary in data.summaries
    }
    rows = data.scores.select(measure="coverage")
    names = zip(rows.columns["topic"], rows.columns["system"], strict=True)
    columns = {**rows.columns, "unit": rows.columns["system"], "system": [wrote[n] for n in names]}
    result = assessors(Collection("writers", scores=Scores(columns, rows.value)))
    for table in (table for table in result.tables if table.name in ("judges", "replaced")):
        print(table.to_text())


def crowd() -> None:
    """SummEval's crowd workers compared with its experts: who passes the alternative test."""
    data = Collection.load(SHARED / "summeval.jsonl.gz")
    rows = data.scores.rows(data.scores.columns["assessor"] != "")
    names = [name.partition("-")[2] for name in rows.columns["measure"]]
    rows = Scores({**rows.columns, "measure": names}, rows.value)
    heads = "measure      worker    passes 0.2 / 0.15 / 0.1   r within topics       r of systems"
    print(f"{heads}         a person's place")
    for measure in ("coherence", "consistency", "fluency", "relevance"):
        for worker in [f"turker{number}" for number in range(1, 6)]:
            panel = ["expert1", "expert2", "expert3", worker]
            panel_rows = rows.rows(np.isin(rows.columns["assessor"], panel)).select(measure=measure)
            set_ = replace(data, scores=panel_rows)
            checks = [_one(set_, worker, epsilon) for epsilon in (0.2, 0.15, 0.1)]
            passed = " / ".join("yes" if check.alternative.passed else "no " for check in checks)
            r, systems = checks[0].within_topics.text, checks[0].between_systems.text
            place = "/".join(check.answers()["a person's place"] for check in checks)
            print(f"{measure:12} {worker:9} {passed:25} {r:21} {systems:20} {place}")


def _one(data: Collection, judge: str, epsilon: float):
    [check] = assessors(data, judges=judge, epsilon=epsilon, n_resamples=1).judges
    return check


def simulated(count: int, topics: int, rng: np.random.Generator) -> Iterator[Collection]:
    """Give sets in which a judge errs by topic and system, and likes length by 0.1 a 100 words."""
    systems = 10
    quality = np.linspace(-1, 1, systems)
    for _ in range(count):
        words = rng.uniform(0.5, 3, (topics, systems))
        truth = 3 + quality + rng.normal(0, 0.5, (topics, 1)) + rng.normal(0, 0.6, words.shape)
        error = rng.normal(0, 0.3, (topics, 1)) + rng.normal(0, 0.5, words.shape)
        judge = truth + 0.2 + 0.1 * (words - 1.75) + error
        yield _collection({"people": truth, "words": 100 * words, "judge": judge})


def _collection(tables) -> Collection:
    topic, system = np.indices(tables["people"].shape)
    size = topic.size
    parts = [("quality", "K", "", "people"), ("quality", "model", "model", "judge"),
             ("words", "", "", "words")]  # fmt: skip
    columns = {
        "topic": [f"T{t}" for t in topic.ravel()] * 3, "kind": ["machine"] * 3 * size,
        "system": [f"S{s}" for s in system.ravel()] * 3,
        "measure": [part[0] for part in parts for _ in range(size)],
        "assessor": [part[1] for part in parts for _ in range(size)],
        "assessor_kind": [part[2] for part in parts for _ in range(size)],
    }  # fmt: skip
    return Collection("set", scores=Scores(columns, np.concatenate(
        [tables[part[3]].ravel() for part in parts])))  # fmt: skip


def coverage(count: int, topics: int) -> None:
    """How often intervals hold what is true: bias 0.2, length 0.1, and the correlation."""
    rng = np.random.default_rng(1)
    # Within topics people vary by quality and noise, the judge by length and error, too.
    spread = np.linspace(-1, 1, 10).var(ddof=1) + 0.36
    more = spread + 0.25 + 0.01 * 2.5**2 / 12
    true = {"bias": 0.2, "length": 0.1, "within_topics": np.sqrt(spread / more)}
    held = dict.fromkeys(true, 0)
    for data in simulated(count, topics, rng):
        [check] = assessors(data, n_resamples=1).judges
        for name, value in true.items():
            estimate = getattr(check, name)
            held[name] += estimate.low <= value <= estimate.high
    for name, number in held.items():
        share = number / count
        verdict = "passed" if share >= 0.92 else "MISSED"
        print(f"{topics} topics, {name:14} coverage {share:.3f} (at least .92: {verdict})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=1000)
    arguments = parser.parse_args()
    summhay()
    writers()
    crowd()
    for topics in (20, 50):
        coverage(arguments.simulations, topics)
