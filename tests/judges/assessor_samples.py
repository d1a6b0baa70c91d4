"""Years of judgments as at TAC, with identical summaries, for the tests about assessors."""

from dataclasses import replace

import numpy as np

from pyramidion.collection import Collection, Judgment, Scale, Scores, Summary, Topic
from pyramidion.judges import assessors

MEASURES = ("readability", "responsiveness")


def study(*years, n_resamples=20, **options):
    """The statistics that `assessors` computes."""
    return assessors(years, n_resamples=n_resamples, **options).study


def of(results, collection="2011", measure="readability"):
    """The one result of a year and a measure."""
    (match,) = (r for r in results if (r.collection, r.measure) == (collection, measure))
    return match


def judged(rows, *, summaries=(), topics=(), name="2011", scales=None) -> Collection:
    """Make a collection of rows (topic, system, assessor, value) of readability, or judgments."""
    judgments = [
        row
        if isinstance(row, Judgment)
        else Judgment(row[0], row[1], "readability", float(row[3]), assessor=row[2])
        for row in rows
    ]
    return Collection(
        name,
        scales=scales or {},
        topics=tuple(topics),
        summaries=tuple(summaries),
        scores=Scores.from_judgments(judgments),
    )


def tac_year(
    name="2011",
    *,
    seed=0,
    topics=16,
    assessors="ABCD",
    noise=(0.1, 0.4, 0.8, 1.6),
    severity=(0.0, 0.0, 0.0, 0.0),
    tasks=("A", "B"),
    timed=False,
) -> Collection:
    """Make a year: one assessor a topic, ten machines, two people, and a metric.

    Runs 1 and 2, and runs 5, 6 and 7, often give the same summary. Assessors differ in noise and
    in severity.
    """
    rng = np.random.default_rng(seed)
    quality = np.concatenate([np.linspace(-1.2, 1.0, 10), [1.6, 1.8]])
    systems = [*map(str, range(1, 11)), "X", "Y"]
    declared, texts, rows = [], [], []
    moment = 0
    for number in range(topics):
        topic, judge = f"D{name}{number:02d}", number % len(assessors)
        declared.append(
            Topic(
                topic, category=str((number // len(assessors)) % 5 + 1), assessor=assessors[judge]
            )
        )
        for task in tasks:
            hard = rng.normal(0, 0.4)
            groups, texts_by = _groups(rng), {}
            for system in systems:
                writer = groups.get(system, system)
                rank = systems.index(writer)
                merit = quality[rank] + hard
                if writer not in texts_by:
                    texts_by[writer] = _text(rng, number, writer, 0.4 + 0.2 * quality[rank])
                text = texts_by[writer]
                kind = "human" if system in "XY" else "machine"
                texts.append(Summary(topic, system, text, task=task, kind=kind))
                overlap = 0.1 + 0.02 * merit + 0.001 * (len(writer) + rank % 3)
                rows.append(Judgment(topic, system, "rouge-2-r", overlap, task=task, kind=kind))
                for measure in MEASURES:
                    score = 3 + merit + severity[judge] + rng.normal(0, noise[judge])
                    value = float(np.clip(round(score), 1, 5))
                    row = Judgment(topic, system, measure, value, task=task, kind=kind)
                    moment += 1
                    rows.append(replace(row, time=str(moment)) if timed else row)
    return Collection(
        name,
        scales={measure: Scale(1, 5, 1) for measure in MEASURES},
        topics=tuple(declared),
        summaries=tuple(texts),
        scores=Scores.from_judgments(rows),
    )


def _text(rng, topic, writer, share) -> str:
    """Write sentences with a share of the topic's words; the others are this system's own."""
    sentences = []
    for number in range(int(rng.integers(2, 5))):
        words = [
            f"word{topic}x{n}" if rng.random() < share else f"own{writer}{rng.integers(30)}"
            for n in range(10 * number, 10 * number + int(rng.integers(6, 11)))
        ]
        sentences.append(" ".join(words).capitalize() + ".")
    return " ".join(sentences)


def _groups(rng) -> dict[str, str]:
    """Map runs to the run whose summary they submit."""
    groups = {}
    if rng.random() < 0.8:
        groups |= {"1": "2"}
    if rng.random() < 0.7:
        groups |= {"5": "6", "7": "6"}
    return groups


def renamed(collection, *, topics=None, systems=None, assessors=None, order=None) -> Collection:
    """Rename topics, systems and assessors, and permute rows."""
    topic = (topics or {}).get
    system = (systems or {}).get
    assessor = (assessors or {}).get
    rows = [
        replace(
            row,
            topic=topic(row.topic, row.topic),
            system=system(row.system, row.system),
            assessor=assessor(row.assessor, row.assessor),
        )
        for row in collection.scores
    ]
    texts = [
        replace(text, topic=topic(text.topic, text.topic), system=system(text.system, text.system))
        for text in collection.summaries
    ]
    declared = [
        replace(t, id=topic(t.id, t.id), assessor=assessor(t.assessor, t.assessor))
        for t in collection.topics
    ]
    if order is not None:
        rng = np.random.default_rng(order)
        rows = [rows[index] for index in rng.permutation(len(rows))]
        texts = [texts[index] for index in rng.permutation(len(texts))]
        declared = [declared[index] for index in rng.permutation(len(declared))]
    return replace(
        collection,
        topics=tuple(declared),
        summaries=tuple(texts),
        scores=Scores.from_judgments(rows),
    )
