"""Pyramids without annotators compared with ROUGE, on sets that their model has never seen.

Run by ``make bench AREA=pyramids``; needs ``../shared/data``. For REALSumm the model is fitted to
SummHay and the other way round; the crypto pyramid, whose data trains nothing, is tried with the
model that comes with the package, and so are the references of the demo. R1ns is
``rouge-1-r(stem,stop_words)`` against the references, or against the units themselves where there
are none (SummHay). Intervals are 95% bootstrap intervals of the difference in Kendall's tau-b
within topics, over topics or, for the one topic of crypto, over summaries.

Probabilities are calibrated as `pyramid auto` and the studio do it where people annotated summaries
of a topic: on a random half of them, and compared with what people found in the other half; halves
take turns, in ten random splits (seeds 0 to 9, fixed in advance).
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gzip
import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from building_pyramids import building
from pyramidion.collection import Collection
from pyramidion.collection.formats.ducview.files import read_pyramid
from pyramidion.demo import load_demo
from pyramidion.pyramid import (
    Annotator,
    Calibration,
    SimilarityModel,
    build_pyramid,
    fit_similarity,
)
from pyramidion.pyramid._auto.fit import similarity_examples
from pyramidion.pyramid.content_units import (
    TopicUnits,
    Weighing,
    answered_units,
    content_of_peer,
    listed_units,
    score_weighed,
)
from pyramidion.pyramid.similarity import default_similarity
from pyramidion.rouge import Rouge
from pyramidion.stats import clustered_correlation, clustered_difference_interval

Array = np.ndarray[Any, Any]

DATA = Path(__file__).resolve().parents[1] / "../shared/data"
RESAMPLES, SEED = 2_000, 0
AUTO, HARD, BUILT, R1NS = "auto-pyramid", "annotated", "units from references alone", "R1ns"
#: CPU milliseconds for a summary on a real pyramid.
MOST_MILLISECONDS = 3.0
#: Distance of probabilities from observed rates, and random halves.
MOST_APART, SPLITS = 0.05, 10


@dataclass
class Scored:
    """Measures of topics x systems, NaN where a system is not there, and what people said."""

    human: Array
    measures: dict[str, Array] = field(default_factory=dict)

    def put(self, name: str, row: int, column: int, value: float) -> None:
        """Set one cell."""
        self.measures.setdefault(name, np.full(self.human.shape, np.nan))[row, column] = value


@dataclass(frozen=True)
class Judged:
    """A set with answers about units: topics, and each topic's systems in order."""

    name: str
    collection: Collection
    task: str
    peers: Mapping[str, Mapping[str, str]]

    @classmethod
    def read(cls, name: str) -> "Judged":
        """Read the data next to the checkout."""
        collection = Collection.load(DATA / f"{name}.jsonl.gz")
        peers: dict[str, dict[str, str]] = {}
        for summary in collection.summaries:
            if summary.is_peer:
                peers.setdefault(summary.topic, {})[summary.system] = summary.plain
        return cls(name, collection, collection.summaries[0].task, peers)

    def human(self) -> Array:
        """Return the share of units that people found."""
        width = max(map(len, self.peers.values()))
        shares = np.full((len(self.peers), width), np.nan)
        scores = self.collection.scores
        for row, (topic, topic_peers) in enumerate(self.peers.items()):
            answers = scores.select(measure="scu", topic=topic)
            systems = answers.columns["system"]
            for column, system in enumerate(topic_peers):
                shares[row, column] = answers.value[systems == system].mean()
        return shares

    def scored(self, model: SimilarityModel) -> Scored:
        """Score all summaries with a model, and with R1ns."""
        scored = Scored(self.human())
        for row, (topic, topic_peers) in enumerate(self.peers.items()):
            units = listed_units(self.collection, self.task, topic)
            texts = {r.system: r.plain for r in self.collection.references(topic, self.task)}
            score_topic(
                scored, row, topic_peers, Annotator(units, texts, model=model), units.weighing
            )
            if texts:
                built = build_pyramid(texts, model=model)
                put_built(scored, row, topic_peers, Annotator(built, model=model, built=True))
            put_r1ns(scored, row, topic_peers, list(texts.values()) or [" ".join(units.labels)])
        return scored


def score_topic(
    scored: Scored, row: int, peers: Mapping[str, str], annotator: Annotator, weighing: Weighing
) -> None:
    most = weighing.most(weighing.size)
    for column, text in enumerate(peers.values()):
        annotation = annotator.annotate(text)
        scored.put(AUTO, row, column, annotation.expected_weight / most)
        hard = score_weighed(content_of_peer(annotation.annotation), weighing)
        scored.put(HARD, row, column, hard.modified)


def put_built(scored: Scored, row: int, peers: Mapping[str, str], annotator: Annotator) -> None:
    for column, text in enumerate(peers.values()):
        scored.put(BUILT, row, column, annotator.expected_weight(text))


def put_r1ns(scored: Scored, row: int, peers: Mapping[str, str], references: list[str]) -> None:
    rouge = Rouge(n=(1,), stem=True, stop_words=True)
    recalls = rouge.score(peers, dict.fromkeys(peers, references))["rouge-1-r"]
    for column, value in enumerate(recalls):
        scored.put(R1NS, row, column, float(value))


def crypto(model: SimilarityModel) -> tuple[Scored, Scored, float]:
    """Score the students by coverage and comprehensive scores; return the minimum CPU time."""
    with gzip.open(DATA / "pyreval_crypto.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["scores"]]
    pyramid = read_pyramid(DATA / "pyramids/crypto_ducview.pyr")
    texts = {ref.name: pyramid.text[ref.start : ref.end] for ref in pyramid.references}
    peers = {row["system"]: row["summary"] for row in rows}
    sets, cpu = [], float("inf")
    for name in ("coverage", "comprehensive"):
        scored = Scored(np.array([[row["scores"][f"human_pyr_{name}Score"] for row in rows]]))
        annotator = Annotator(pyramid, model=model)
        start = time.process_time()
        score_topic(scored, 0, peers, annotator, TopicUnits.of(pyramid).weighing)
        cpu = min(cpu, 1000 * (time.process_time() - start) / len(peers))
        built = build_pyramid(texts, model=model)
        put_built(scored, 0, peers, Annotator(built, model=model, built=True))
        put_r1ns(scored, 0, peers, list(texts.values()))
        for column, row in enumerate(rows):
            published = row["scores"][f"auto_pyreval_{name}"]
            scored.put("PyrEval, as published", 0, column, published)
        sets.append(scored)
    return sets[0], sets[1], cpu


def calibration(console: Console, calibrations: Mapping[str, Calibration]) -> bool:
    """Print Brier scores next to the base rate's; return whether all are below."""
    heads = ("answers", "found", "expected", "ratio", "Brier", "base rate's", "")
    table = Table("left-out set", *heads, title="Probabilities on sets that were not fitted to")
    for name, calibration in calibrations.items():
        share, mean = float(calibration.answers.mean()), float(calibration.probable.mean())
        verdict = "passed" if calibration.brier < calibration.base_rate else "MISSED"
        numbers = (
            f"{x:.3f}"
            for x in (share, mean, mean / share, calibration.brier, calibration.base_rate)
        )
        table.add_row(name, f"{len(calibration.answers):,}", *numbers, verdict)
    console.print(table)
    return all(calibration.brier < calibration.base_rate for calibration in calibrations.values())


def halves(judged: Judged, model: SimilarityModel) -> Calibration:
    """Calibrate on half of each topic's summaries, and return probabilities in the others."""
    pairs = []
    cases = {(case.topic, case.system): case for case in answered_units(judged.collection)}
    for topic, texts in judged.peers.items():
        units = listed_units(judged.collection, judged.task, topic)
        references = {r.system: r.plain for r in judged.collection.references(topic, judged.task)}
        answers = {
            system: (text, cases[topic, system].content.expressed.astype(float))
            for system, text in texts.items()
        }
        for seed in range(SPLITS):
            systems = np.random.default_rng(seed).permutation(list(texts)).tolist()
            for half, rest in ((systems[::2], systems[1::2]), (systems[1::2], systems[::2])):
                annotated = {system: answers[system] for system in half}
                annotator = Annotator(units, references, model=model, answers=annotated)
                pairs += [(annotator.probabilities(texts[s]), answers[s][1]) for s in rest]
    return Calibration.joined(pairs)


def reliability(console: Console, calibrations: Mapping[str, Calibration]) -> bool:
    """Print probabilities and observed rates; return whether all are within .05."""
    heads = ("probability", "answers", "mean", "observed", "difference", "")
    table = Table("set", *heads, title="Calibrated on the other half of the summaries")
    met = True
    for name, calibration in calibrations.items():
        bins = [(low / 5, low / 5 + 0.2) for low in range(5)] + [(0.7, 1.0), (0.0, 1.0)]
        for low, high in bins:
            mask = (calibration.probable >= low) & (calibration.probable < high + (high == 1))
            number = int(mask.sum())
            mean, rate = calibration.probable[mask].mean(), calibration.answers[mask].mean()
            close = abs(mean - rate) <= MOST_APART
            met &= close
            shown = "all" if (low, high) == (0, 1) else f"{low:.1f} to {high:.1f}"
            verdict = "passed" if close else "MISSED"
            table.add_row(name, shown, f"{number:,}", f"{mean:.3f}", f"{rate:.3f}",
                          f"{mean - rate:+.3f}", verdict)  # fmt: skip
    console.print(table)
    return met


def ranking(console: Console, sets: Mapping[str, Scored]) -> bool:
    """Print correlations within topics; return whether R1ns is nowhere clearly above."""
    coefficients: tuple[Any, ...] = ("pearson", "spearman", "kendall")
    table = Table("set", "measure", *coefficients, "less R1ns", "", title="Within topics")
    met = True
    for name, scored in sets.items():
        over: Any = "inputs" if len(scored.human) > 1 else "systems"
        for measure, values in scored.measures.items():
            cells = [
                clustered_correlation(values, scored.human, level="input", coefficient=c).value
                for c in coefficients
            ]
            difference, verdict = "", ""
            if measure != R1NS:
                interval = clustered_difference_interval(
                    values, scored.measures[R1NS], scored.human, level="input", over=over,
                    n_resamples=RESAMPLES, rng=np.random.default_rng(SEED),
                )  # fmt: skip
                low, high = interval.interval.low, interval.interval.high
                difference = f"{interval.value:+.3f} [{low:+.3f}, {high:+.3f}]"
            if measure in (AUTO, BUILT):
                verdict = "above" if low > 0 else "level" if high >= 0 else "BELOW"
                met &= high >= 0
            table.add_row(name, measure, *(f"{c:.3f}" for c in cells), difference, verdict)
    console.print(table)
    return met


def examples_of(collection: Collection) -> list[Any]:
    return [example for _, example in similarity_examples(collection)]


def timed(what: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    return what(), time.process_time() - start


def main() -> int:
    console = Console(width=150 if not sys.stdout.isatty() else None)
    if not DATA.exists():
        console.print(f"needs {DATA.name} in ../shared next to the checkout")
        return 2
    sets = {name: Judged.read(name) for name in ("realsumm", "summhay")}
    examples = {name: examples_of(judged.collection) for name, judged in sets.items()}
    fitted_on = {"realsumm": "summhay", "summhay": "realsumm"}
    models, cpu = timed(lambda: {n: fit_similarity(examples[o]) for n, o in fitted_on.items()})
    console.print(f"models fitted in {cpu:.0f} CPU seconds")
    shipped = default_similarity()
    pyramid = read_pyramid(DATA / "pyramids/crypto_ducview.pyr")
    tried = {
        "crypto, references": Collection("crypto", pyramids={("", "crypto"): pyramid}),
        "demo, references": load_demo(),
    }
    calibrations = {name: Calibration.of(examples[name], models[name]) for name in sets}
    calibrations |= {
        name: Calibration.of(examples_of(collection), shipped) for name, collection in tried.items()
    }
    bars = {"Brier below the base rate on every left-out set": calibration(console, calibrations)}
    bars["probabilities within .05 of observed rates on left-out halves"] = reliability(
        console, {name: halves(judged, models[name]) for name, judged in sets.items()}
    )
    ranked = {name: judged.scored(models[name]) for name, judged in sets.items()}
    coverage, comprehensive, milliseconds = crypto(shipped)
    ranked |= {"crypto, coverage": coverage, "crypto, comprehensive": comprehensive}
    bars["auto-pyramid above R1ns or level on every set"] = ranking(console, ranked)
    bars[f"{milliseconds:.1f} CPU ms a summary on a real pyramid, at most 3"] = (
        milliseconds <= MOST_MILLISECONDS
    )
    building(console, sets["realsumm"].collection, pyramid, DATA)
    console.print(f"model: {shipped}")
    for bar, met in bars.items():
        console.print(f"{bar}: {'passed' if met else 'MISSED'}")
    return 0 if all(bars.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
