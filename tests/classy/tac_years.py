"""Two years in the manner of TAC, made of the demonstration: its people, and machines."""

from dataclasses import replace

import numpy as np

from pyramidion.classy import topic_parts
from pyramidion.collection import Collection, Judgment, Scores, Summary
from pyramidion.demo import load_demo
from pyramidion.text import split_sentences

MACHINES = 8
MEASURES = ("pyramid-modified", "responsiveness", "readability")

# Features that keep the search small: 15 subsets.
FEW = ("su4", "bigrams", "term-overlap", "log-sentences")
OTHERS = (
    "r2",
    "coverage",
    "bigrams-p2p",
    "coverage-p2p",
    "norm-term-overlap",
    "redundant-1",
    "redundant-2",
    "term-entropy",
    "neg-sentence-entropy",
)


def machine_text(rng, references, documents, quality):
    """Write some sentences of references, the more the better, and some of the documents."""
    good = [s for text in references for s in split_sentences(text)]
    plain = [s for text in documents for s in split_sentences(text)]
    rng.shuffle(good)
    rng.shuffle(plain)
    wanted = round(5 * quality)
    return " ".join([*good[:wanted], *plain[: 5 - wanted + int(rng.integers(2))]])


def made_up_judgments(rng, summary, quality):
    noise = rng.normal(size=3) / 5
    likert = np.clip(np.rint(1 + 4 * quality + 3 * noise), 1, 5)
    values = (quality + noise[0] / 2, likert[1], likert[2])
    for measure, value in zip(MEASURES, values, strict=True):
        yield Judgment(
            summary.topic,
            summary.system,
            measure,
            float(value),
            task=summary.task,
            kind=summary.kind,
            assessor="K" if summary.topic < "P04" else "L",
        )


def with_machines(collection: Collection, *, seed: int = 0) -> Collection:
    """Add machines, and judgments of everybody."""
    rng = np.random.default_rng(seed)
    machines, judgments = [], []
    for topic in collection.topics:
        for task in ("A", "B"):
            texts = [own.plain for own in collection.references(topic.id, task)]
            documents = [own.text for own in collection.documents(topic.id, task)]
            for number in range(MACHINES):
                quality = number / MACHINES
                text = machine_text(rng, texts, documents, quality)
                machines.append(Summary(topic.id, str(number + 1), text, task=task))
                judgments += made_up_judgments(rng, machines[-1], quality)
    for summary in collection.summaries:
        judgments += made_up_judgments(rng, summary, 0.9)
    return replace(
        collection,
        summaries=(*collection.summaries, *machines),
        scores=Scores.from_judgments(judgments),
        pyramids={},
    )


def tac_years(parts: int = 2) -> list[Collection]:
    """Return years with different topics."""
    return list(topic_parts(with_machines(load_demo()), parts))
