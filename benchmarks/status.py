"""Cognitive status on held-out clusters of news, compared with the majority class.

Run by ``make bench AREA=status`` where the open sets are at hand. The clusters are those of
``ecbplus_topics``: people named in leads of articles that were kept out of the input are used in
place of people named in summaries (major). Both events of a seed topic are left out together. The
test flips the signs of the seed topics' differences in right answers (two-sided). Classifiers of
*major* are also applied to the first four documents and to the first one of each cluster left out,
since counts depend on the size of the input, and are trained on these as well (three sizes).
``--save FILE`` trains *major* on all clusters in this way and writes the shipped model with it, as
``make train MODEL=status`` does.
"""

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.collection import Collection, Document, Summary, Topic
from pyramidion.rewriting import (
    NORMALIZED_FEATURES,
    STATUS_FEATURES,
    THESIS_FEATURES,
    StatusModel,
    default_model,
)
from pyramidion.studies import status
from pyramidion.studies._status_training import (
    LEARNERS,
    cross_validate,
    train_status,
    training_set,
    with_statuses,
)

TOPICS = Path(__file__).resolve().parents[2] / "shared" / "data" / "ecbplus_topics.jsonl.gz"
FOLDS, SEED, FLIPS = 10, 0, 20_000
FEATURES = {"Table 5.1": THESIS_FEATURES, "normalized": NORMALIZED_FEATURES}
#: Numbers of documents that inputs are cut to; 0 for all.
SIZES = (0, 4, 1)
#: Features, and the sizes of inputs that are learned from.
WAYS = {
    "Table 5.1": (THESIS_FEATURES, (0,)),
    "normalized": (NORMALIZED_FEATURES, (0,)),
    "normalized, three sizes": (NORMALIZED_FEATURES, SIZES),
}
CONSOLE = Console(width=128)
STATUSES = ("major", "hearer_old")


def read_collection() -> Collection:
    """Read the clusters; leads kept out of the input are their references."""
    with gzip.open(TOPICS, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    topics, leads = [], []
    for record in records:
        texts = enumerate(record["documents"])
        documents = tuple(Document(f"d{number}", text) for number, text in texts)
        topics.append(Topic(record["topic"], documents=documents))
        leads += [
            Summary(record["topic"], f"r{number}", lead, kind="human")
            for number, lead in enumerate(record["references"])
        ]
    return Collection("ECB+", topics=tuple(topics), summaries=tuple(leads))


def flipped(right: Any, base: Any, groups: Sequence[str]) -> float:
    """Test whether more answers are right than by one answer for all."""
    by_group: defaultdict[str, int] = defaultdict(int)
    for correct, other, group in zip(right, base, groups, strict=True):
        by_group[group] += int(correct) - int(other)
    differences = np.array(list(by_group.values()))
    signs = np.random.default_rng(SEED).choice([-1, 1], size=(FLIPS, len(differences)))
    sums = np.abs((signs * differences).sum(axis=1))
    return float((1 + (sums >= abs(differences.sum())).sum()) / (FLIPS + 1))


def p_text(p: float) -> str:
    """Format a p-value."""
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"


def seed_topics(topics: Sequence[str]) -> list[str]:
    """Return the seed topic of each topic: both events of it share people."""
    return [topic.rstrip("ab") for topic in topics]


def row(
    question: str, how: str, answers: Any, truth: Any, topics: Sequence[str], other: str = ""
) -> list[str]:
    """Compare answers with one answer for all."""
    base, right = truth == (truth.mean() > 0.5), answers == truth
    found = truth[answers].sum(), truth.sum()
    cells = (f"{right.mean():.3f}", f"{base.mean():.3f}", f"{found[0]} of {found[1]}")
    p = flipped(right, base, topics)
    return [question.replace("_", "-"), how, str(len(truth)), *cells, p_text(p), other]


def status_rows(examples: Sequence[Any], shipped: Sequence[Any]) -> Iterator[list[str]]:
    """Leave seed topics out in turn, for each question, set of features and learner."""
    model = default_model()
    answers_of: dict[tuple[str, str, str], Any] = {}
    for question in (*STATUSES, "postmodified"):
        if question == "hearer_old":
            labeled = [n for n, e in enumerate(examples) if e.labels.hearer_old is not None]
            answers = np.array([shipped[number].hearer_old for number in labeled])
            truth = np.array([bool(examples[number].labels.hearer_old) for number in labeled])
            topics = seed_topics([examples[number].topic for number in labeled])
            yield row(question, "as shipped (GUM)", answers, truth, topics)
        for name, features in FEATURES.items():
            for learner in LEARNERS:
                data, used = training_set(examples, question, model.descriptions), features
                if question == "postmodified":
                    predicted = {
                        status: answers_of[status, name, learner]
                        for status in ("major", "hearer_old")
                    }
                    data = with_statuses(examples, model, predicted)
                    used = (*features, *range(len(STATUS_FEATURES), data.table.shape[1]))
                truth, topics = np.array(data.truth), seed_topics(data.topics)
                answers = cross_validate(
                    data.table, truth, learner,
                    features=used, groups=topics, folds=FOLDS, seed=SEED,
                ).answers  # fmt: skip
                answers_of[question, name, learner] = answers
                if question == "major":  # see `size_rows`
                    continue
                yield row(question, f"{learner}, {name}", answers, truth, topics)


def smaller(example: Any, size: int) -> Any:
    """Return a person as the first documents of the input show them."""
    if not size:
        return example
    ids, person = {f"d{number}" for number in range(size)}, example.person
    mentions = tuple(m for m in person.mentions if m.sentence.document in ids)
    descriptions = tuple(d for d in person.descriptions if d.sentence.document in ids)
    seen = replace(person, mentions=mentions, descriptions=descriptions)
    return replace(example, person=seen, documents=min(size, example.documents))


def sized_data(examples: Sequence[Any]) -> dict[int, tuple[Any, Any, Any]]:
    """Return features, answers and seed topics of the people of inputs of each size."""
    words, data = default_model().descriptions, {}
    for size in SIZES:
        cut = [smaller(example, size) for example in examples]
        seen = [example for example in cut if example.person.mentions]
        table, truth, topics = training_set(seen, "major", words)
        data[size] = table, np.array(truth), np.array(seed_topics(topics))
    return data


def size_rows(examples: Sequence[Any]) -> Iterator[list[str]]:
    """Predict *major* for inputs of several sizes, of topics that were left out."""
    data = sized_data(examples)
    for size in SIZES:
        _, truth, topics = data[size]
        question = {0: "major", 1: "major, 1 document"}.get(size, f"major, {size} documents")
        for learner in LEARNERS:
            right: list[Any] = []
            for name, (features, sizes) in WAYS.items():
                answers = held_out(data, size, learner, features, sizes)
                right.append(answers == truth)
                other = p_text(flipped(right[-1], right[0], topics)) if right[1:] else ""
                yield row(question, f"{learner}, {name}", answers, truth, topics, other)


def held_out(
    data: Mapping[int, tuple[Any, Any, Any]], size: int, learner: Any,
    features: Sequence[int], sizes: Sequence[int],
) -> Any:  # fmt: skip
    """Answer for inputs of a size, with classifiers that learned from inputs of some sizes."""
    table, truth, topics = data[size]
    answers = np.zeros(len(truth), dtype=np.bool_)
    names = np.random.default_rng(SEED).permutation(np.unique(data[0][2]))
    for part in np.array_split(names, FOLDS):
        others = [~np.isin(data[n][2], part) for n in sizes]
        rows = np.concatenate([data[n][0][other] for n, other in zip(sizes, others, strict=True)])
        yes = np.concatenate([data[n][1][other] for n, other in zip(sizes, others, strict=True)])
        fitted = train_status(rows, yes, learner, features=features, seed=SEED)
        held = np.isin(topics, part)
        answers[held] = fitted.probabilities(table[held]) > 0.5
    return answers


def trained(examples: Sequence[Any]) -> StatusModel:
    """Put a logistic regression for *major*, learned from all clusters, into the shipped model."""
    model, data = default_model(), sized_data(examples)
    truth = data[0][1]
    answers = held_out(data, 0, "linear", NORMALIZED_FEATURES, SIZES)
    card = dict(model.card) | {
        "data_major": "ecbplus_topics: people named in leads kept out of the input",
        "people_major": len(truth),
        "accuracy": {"major": round(float((answers == truth).mean()), 6)},
    }
    rows, yes = (np.concatenate([data[size][part] for size in SIZES]) for part in (0, 1))
    major = train_status(rows, yes, "linear", features=NORMALIZED_FEATURES, seed=SEED)
    share = {"major": round(float(truth.mean()), 6)}
    return replace(model, major=major, majority=dict(model.majority) | share, card=card)


def main() -> int:
    """Print accuracies next to those of the majority class."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", type=Path, metavar="FILE")
    options = parser.parse_args()
    result = status(read_collection(), pipeline="light", folds=FOLDS, seed=SEED)
    findings = result[0]
    if options.save:
        trained(findings.examples).save(options.save)
        return 0
    columns = (
        "question",
        "learned",
        "people",
        "accuracy",
        "one answer",
        "yes found",
        "p",
        "p, 5.1",
    )
    table = Table(*columns)
    rows = status_rows(findings.examples, findings.statuses)
    for cells in (*size_rows(findings.examples), *rows):
        table.add_row(*cells)
    CONSOLE.print(table)
    for shown in result.tables:
        if shown.name in {"affiliation", "nouns", "features"}:
            print(shown.to_text(width=120))
    return 0


if __name__ == "__main__":
    sys.exit(main())
