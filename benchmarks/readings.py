"""What CLASSY's published models make of people and machines, by how their features are read.

Run by ``make bench AREA=readings``; reads open sets with several references in ``../shared/data``.
The papers leave open how references come together in the features of shared bigrams and in ROUGE,
and whether stop words count there (docs/readings.md, 31 to 34). References are people's summaries:
each is judged by the others, as people were at TAC. Machines are this program's summarizers, by all
references but one in turn; in SQuALITY's judged set they are those that were judged.

A gap is the mean of people minus that of machines, in standard deviations of the machines' means
(of their summaries, where there are two machines). ROUGE-2's is shown as well: a reading may not
put people below machines where ROUGE does not.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.classy import models as classy_models
from pyramidion.collection import Collection, Summary
from pyramidion.collection.formats import read_collection
from pyramidion.metrics import BigramCounts, Metric, RougeMeasure, parse_metric, score_collection
from pyramidion.summarizers import summarize

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
METHODS = ("lead", "first", "random", "sum-avr", "sum-prod", "centroid", "lexrank", "mmr")
METHODS += ("coverage", "occams", "submodular", "kl-sum")
# Words of a summary, and how many topics are enough.
WRITTEN = {"ecbplus": (100, 53), "opinosis": (20, 30), "squality": (225, 30)}
MODELS = {"8, 25": "8", "23": "23", "6": "6"}

#: ROUGE, Coverage, Bigrams and P2P by references: average, best or sum; stop words left out.
READINGS: dict[str, tuple[str, str, str, str, bool]] = {
    "chosen": ("average", "sum", "average", "best", True),
    "stop words kept": ("average", "sum", "average", "best", False),
    "ROUGE by the best": ("best", "sum", "average", "best", True),
    "Coverage averaged": ("average", "average", "average", "best", True),
    "both, as for task B": ("best", "average", "average", "best", True),
    "P2P averaged": ("average", "sum", "average", "average", True),
    "Bigrams by the best": ("average", "sum", "best", "best", True),
    "Bigrams summed": ("average", "sum", "sum", "best", True),
    "Bigrams summed, Coverage averaged": ("average", "average", "sum", "best", True),
}


def read_as(metric: Metric, reading: tuple[str, str, str, str, bool]) -> Metric:
    rouge, coverage, bigrams, alone, stop_words = reading
    if isinstance(metric, RougeMeasure):
        return replace(metric, models=rouge)
    if not isinstance(metric, BigramCounts):
        return metric
    models = bigrams if metric.name == "bigram-unnormalized" else coverage
    models = alone if metric.name.endswith("-p2p") else models
    return replace(metric, models=models, stop_words=stop_words)


def written(name: str) -> Collection:
    """Let machines write what people wrote."""
    words, most = WRITTEN[name]
    with gzip.open(DATA / f"{name}_topics.jsonl.gz", "rt", encoding="utf-8") as lines:
        return Collection(name, summaries=tuple(_summaries(lines, words, most)))


def _summaries(lines: Any, words: int, most: int) -> Iterator[Summary]:
    for record in (json.loads(line) for line, _ in zip(lines, range(most), strict=False)):
        topic, people = record["topic"], record["references"]
        if len(people) < 3:
            continue
        for number, text in enumerate(people):
            yield Summary(topic, f"person {number}", text, kind="human", role="both")
        texts = [
            document if isinstance(document, str) else document["text"]
            for document in record["documents"]
        ]
        for method in METHODS:
            yield Summary(topic, method, summarize(texts, words=words, method=method).text)


def gap(systems: Any, kinds: Any, values: Any) -> float:
    """Return how far people stand above machines."""
    people, machines = values[kinds == "human"], values[kinds == "machine"]
    machine_names = systems[kinds == "machine"]
    means = [np.nanmean(machines[machine_names == name]) for name in np.unique(machine_names)]
    spread = np.std(means) if len(means) > 2 else np.nanstd(machines)
    return float((np.nanmean(people) - np.nanmean(machines)) / spread)


def gaps(collection: Collection) -> tuple[float, dict[tuple[str, str], float]]:
    models = {
        name: next(iter(classy_models(f"classy-2011/{version}/A/all")))
        for name, version in MODELS.items()
    }
    columns = {
        (reading, name): [str(read_as(metric, how)) for metric in model.metrics]
        for reading, how in READINGS.items()
        for name, model in models.items()
    }
    rouge = "rouge-2-r(stem)"
    metrics = dict.fromkeys([rouge, *(column for some in columns.values() for column in some)])
    parsed = {name: parse_metric(name) for name in metrics}
    table = score_collection(collection, parsed, jackknife=True)
    labels = [np.array([getattr(s, of) for s in table.summaries]) for of in ("system", "kind")]
    index_of = {name: number for number, name in enumerate(table.metrics)}
    gap_of = {
        key: gap(
            *labels,
            models[key[1]].predict(table.values[:, [index_of[column] for column in some]]),
        )
        for key, some in columns.items()
    }
    return gap(*labels, table.values[:, index_of[rouge]]), gap_of


def main() -> int:
    sets: dict[str, Callable[[], Collection]] = {
        name: (lambda reading=name: written(reading))
        for name in WRITTEN
        if (DATA / f"{name}_topics.jsonl.gz").exists()
    }
    if (DATA / "squality.jsonl.gz").exists():
        sets["squality, judged"] = lambda: read_collection(DATA / "squality.jsonl.gz")
    if not sets:
        print(f"{DATA} has none of the sets: nothing to compare")
        return 2
    wrong = []
    for name, read in sets.items():
        rouge, gap_of = gaps(read())
        print(f"{name}: people above machines, in standard deviations; ROUGE-2 {rouge:.2f}")
        for reading in READINGS:
            cells = "  ".join(f"{model} {gap_of[reading, model]:7.2f}" for model in MODELS)
            print(f"  {reading:34}{cells}")
        lowest = min(gap_of["chosen", model] for model in MODELS)
        wrong += [name] if rouge > 0 >= lowest else []
    print(f"people below machines because of the chosen reading: {', '.join(wrong) or 'nowhere'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
