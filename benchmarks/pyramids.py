"""Automatic annotation of pyramids beside ROUGE, judged by what people found.

Run by ``make bench-pyramids``; needs ``../shared/data``. On REALSumm the model is fitted and
tested on different topics (five folds, seed 0); on the crypto pyramid, whose students it has never
seen, the model that comes with the package is used. Intervals are 95% bootstrap intervals of the
difference in Kendall's tau-b, over inputs or, for the one input of crypto, over summaries.
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gzip
import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from building_pyramids import building
from pyramidion.collection import Collection
from pyramidion.collection.formats._ducview_files import read_pyramid
from pyramidion.pyramid import Annotator, build_pyramid, fit_similarity, score_peer
from pyramidion.pyramid._auto.fit import SimilarityExample, similarity_examples
from pyramidion.pyramid._auto.model import default_model
from pyramidion.pyramid._scores import Weighing, content_of_peer
from pyramidion.pyramid._units import listed_units
from pyramidion.rouge import Rouge
from pyramidion.stats import clustered_correlation, clustered_difference_interval

Array = np.ndarray[Any, Any]

DATA = Path(__file__).resolve().parents[1] / "../shared/data"
FOLDS, RESAMPLES, SEED = 5, 2_000, 0
ROUGE = [f"rouge-{n}-{part}" for n in (1, 2, "l") for part in "rf"]
MOST_SECONDS, LEAST_KENDALL = 60.0, 0.45
HARD, EXPECTED = "similar: annotation", "similar: expected"
BUILT = "similar, pyramid built: expected"


@dataclass
class Scored:
    """Measures of inputs x systems, and what people said."""

    human: Array
    measures: dict[str, Array] = field(default_factory=dict)

    def put(self, name: str, row: int, column: int, value: float) -> None:
        """Set one cell."""
        self.measures.setdefault(name, np.full(self.human.shape, np.nan))[row, column] = value


@dataclass(frozen=True)
class Realsumm:
    """The collection, its topics and its systems in order."""

    collection: Collection
    task: str
    topics: list[str]
    systems: list[str]
    texts: dict[tuple[str, str], str]
    references: dict[str, dict[str, str]]

    @classmethod
    def read(cls) -> "Realsumm":
        """Read what lies beside the checkout."""
        collection = Collection.load(DATA / "realsumm.jsonl.gz")
        peers = [summary for summary in collection.summaries if summary.role != "reference"]
        task = peers[0].task
        topics = sorted({summary.topic for summary in peers})
        references = {
            topic: {ref.system: ref.plain for ref in collection.references(topic, task)}
            for topic in topics
        }
        texts = {(summary.topic, summary.system): summary.plain for summary in peers}
        return cls(collection, task, topics, sorted({s.system for s in peers}), texts, references)

    def human(self) -> Array:
        """Give the share of units that the majority found."""
        rows = self.collection.scores.select(measure="scu")
        found: dict[tuple[str, str], list[float]] = {}
        names = (rows.columns["topic"], rows.columns["system"], rows.value.tolist())
        for topic, system, value in zip(*names, strict=True):
            found.setdefault((topic, system), []).append(value)
        return np.array(
            [[np.mean(found[topic, system]) for system in self.systems] for topic in self.topics]
        )


def put_rouge(scored: Scored, texts: dict[tuple[int, int], str], references: Any) -> None:
    rouge = Rouge(n=(1, 2), l=True, stem=True)
    own = {key: list(references(key[0])) for key in texts}
    scores = rouge.score(texts, own)
    found = {name: scores[name] for name in ROUGE}
    found["rouge-1-ns"] = Rouge(n=1, stem=True, stop_words=True).score(texts, own)["rouge-1-r"]
    for name, values in found.items():
        for key, value in zip(texts, values, strict=True):
            scored.put(name, *key, float(value))


def realsumm(console: Console) -> tuple[bool, bool]:
    data = Realsumm.read()
    scored = Scored(data.human())
    folds = np.random.default_rng(SEED).permutation(len(data.topics)) % FOLDS
    examples: dict[str, list[SimilarityExample]] = {}
    for topic, example in similarity_examples(data.collection):
        examples.setdefault(topic, []).append(example)
    cpu = {"fit": 0.0, "annotate": 0.0}
    for fold in range(FOLDS):
        start = time.process_time()
        others = np.array(data.topics)[folds != fold].tolist()
        model = fit_similarity(example for topic in others for example in examples[topic])
        fitted = time.process_time()
        for row in np.flatnonzero(folds == fold).tolist():
            annotate_topic(scored, data, row, model)
        annotated = time.process_time()
        for row in np.flatnonzero(folds == fold).tolist():
            annotate_built(scored, data, row, model)
        cpu["fit"] += fitted - start
        cpu["annotate"] += annotated - fitted
    texts = {
        (row, column): data.texts[topic, system]
        for row, topic in enumerate(data.topics)
        for column, system in enumerate(data.systems)
    }
    put_rouge(scored, texts, lambda row: data.references[data.topics[row]].values())
    units = np.array([[len(examples[topic][0].answers)] for topic in data.topics])
    in_units = np.floor(scored.measures["rouge-1-r"] * units + 0.5) / units
    scored.measures["rouge-1-r in whole units"] = in_units
    console.print(table_of(scored, "REALSumm, 100 topics x 25 systems", levels=("system", "input")))
    console.print(
        f"{len(texts):,} summaries annotated in {cpu['annotate']:.1f} CPU seconds; "
        f"{FOLDS} fits in {cpu['fit']:.1f}"
    )
    by_place(console, examples)
    tau = kendall(scored, HARD)
    return cpu["annotate"] < MOST_SECONDS, tau > max(kendall(scored, "rouge-1-r"), LEAST_KENDALL)


def annotate_topic(scored: Scored, data: Realsumm, row: int, model: Any) -> None:
    topic = data.topics[row]
    units = listed_units(data.collection, data.task, topic)
    annotator = Annotator(units, data.references[topic], model=model)
    for column, system in enumerate(data.systems):
        found = annotator.annotate(data.texts[topic, system])
        expressed = content_of_peer(found.annotation).expressed
        scored.put(HARD, row, column, float(expressed.mean()))
        scored.put(EXPECTED, row, column, found.expected_weight / len(expressed))


def annotate_built(scored: Scored, data: Realsumm, row: int, model: Any) -> None:
    """Score by a pyramid that is built from the reference."""
    topic = data.topics[row]
    annotator = Annotator(build_pyramid(data.references[topic], model=model), model=model)
    for column, system in enumerate(data.systems):
        probable = annotator.probabilities(data.texts[topic, system])
        scored.put(BUILT, row, column, float(probable.mean()))


def by_place(console: Console, examples: dict[str, list[SimilarityExample]]) -> None:
    """Show that answers depend on where a unit stood on the form."""
    rates = [
        np.mean([e.answers[n] for own in examples.values() for e in own if len(e.answers) > n])
        for n in range(8)
    ]
    shown = " ".join(f"{rate:.2f}" for rate in rates)
    console.print(f"REALSumm: share of workers who found the 1st, 2nd, ... unit: {shown}")


def crypto(console: Console) -> None:
    with gzip.open(DATA / "pyreval_crypto.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["scores"]]
    pyramid = read_pyramid(DATA / "pyramids/crypto_ducview.pyr")
    weighing = Weighing.of(pyramid.membership)
    references = {ref.name: pyramid.text[ref.start : ref.end] for ref in pyramid.references}
    built = build_pyramid(references)
    for name in ("coverage", "comprehensive"):
        human = np.array([[row["scores"][f"human_pyr_{name}Score"] for row in rows]])
        scored = Scored(human)
        by_hand, by_machine = Annotator(pyramid), Annotator(built)
        for column, row in enumerate(rows):
            found = by_hand.annotate(row["summary"])
            scored.put(HARD, 0, column, score_peer(found.annotation).modified)
            most = weighing.most(weighing.size)
            scored.put(EXPECTED, 0, column, found.expected_weight / most)
            published = row["scores"][f"auto_pyreval_{name}"]
            scored.put("PyrEval, as published", 0, column, published)
            probable = by_machine.probabilities(row["summary"])
            scored.put(BUILT, 0, column, float(probable @ built.weights))
        texts = {(0, column): row["summary"] for column, row in enumerate(rows)}
        put_rouge(scored, texts, lambda _: references.values())
        title = f"crypto, 37 students, DUCView's {name} score"
        console.print(table_of(scored, title, levels=("input",)))


def kendall(scored: Scored, name: str, level: Any = "input") -> float:
    return clustered_correlation(scored.measures[name], scored.human, level=level).value


def table_of(scored: Scored, title: str, *, levels: tuple[Any, ...]) -> Table:
    coefficients: tuple[Any, ...] = ("pearson", "spearman", "kendall")
    heads = [f"{level}\n{name}" for level in levels for name in coefficients]
    table = Table("", *heads, "annotation less this", "expected less this", title=title)
    over: Any = "inputs" if len(scored.human) > 1 else "systems"
    for name, measure in scored.measures.items():
        cells = [
            f"{clustered_correlation(measure, scored.human, level=lv, coefficient=c).value:.3f}"
            for lv in levels
            for c in coefficients
        ]
        for ours in (HARD, EXPECTED):
            found = clustered_difference_interval(
                scored.measures[ours],
                measure,
                scored.human,
                level="input",
                over=over,
                n_resamples=RESAMPLES,
                rng=np.random.default_rng(SEED),
            )
            low, high = found.interval.low, found.interval.high
            shown = f"{found.value:+.3f} [{low:+.3f}, {high:+.3f}]"
            cells.append("" if name == ours else shown)
        table.add_row(name, *cells)
    return table


def main() -> int:
    console = Console(width=170 if not sys.stdout.isatty() else None)
    if not DATA.exists():
        console.print(f"needs {DATA.name} in ../shared beside the checkout")
        return 2
    met = realsumm(console)
    crypto(console)
    building(console)
    console.print(f"model: {default_model()}")
    console.print(f"bars met: {'yes' if all(met) else 'NO'}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
