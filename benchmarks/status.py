"""Cognitive status on held-out clusters of news, compared with the majority class.

Run by ``make bench AREA=status`` where the open sets are at hand. The clusters are those of
``ecbplus_topics``: people named in leads of articles that were kept out of the input stand in for
people named in summaries (major). Both events of a seed topic are left out together. The test
flips the signs of the seed topics' differences in right answers (two-sided). Classifiers of *major*
are also applied to the first four documents of each cluster left out, since counts depend on the
size of the input. ``--save FILE`` trains *major* on all clusters and writes the shipped model with
it, as ``make train MODEL=status`` does.
"""

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion._types import Bools, Floats
from pyramidion.rewriting import (
    NORMALIZED_FEATURES,
    STATUS_FEATURES,
    THESIS_FEATURES,
    Articles,
    StatusModel,
    default_model,
    statuses_of,
)
from pyramidion.studies._status import noun_rates
from pyramidion.studies._status_training import (
    LEARNERS,
    STATUSES,
    Example,
    Learner,
    cross_validate,
    examples_of,
    judge_affiliation,
    train_status,
    training_set,
    with_statuses,
)
from pyramidion.text import split_sentences
from pyramidion.text.parsing import load_parser

TOPICS = Path(__file__).resolve().parents[2] / "shared" / "data" / "ecbplus_topics.jsonl.gz"
FOLDS, SEED, FLIPS = 10, 0, 20_000
FEATURES = {"Table 5.1": THESIS_FEATURES, "normalized": NORMALIZED_FEATURES}
SMALL = 4
CONSOLE = Console(width=120)


def read_examples() -> list[Example]:
    """Find the people of all clusters, and whether the leads kept out name them."""
    parser, examples = load_parser("light"), []
    with gzip.open(TOPICS, "rt", encoding="utf-8") as lines:
        for line in lines:
            topic = json.loads(line)
            texts = {f"d{number}": text for number, text in enumerate(topic["documents"])}
            leads = enumerate(topic["references"])
            written = Articles.of_sentences(
                ((f"r{number}", split_sentences(lead)) for number, lead in leads), parser
            )
            inputs = Articles.of_texts(texts, parser)
            examples += examples_of(inputs, written, topic=topic["topic"], task="")
    return examples


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


def row(question: str, how: str, answers: Bools, truth: Bools, topics: Sequence[str]) -> list[str]:
    """Compare answers with one answer for all."""
    base, right = truth == (truth.mean() > 0.5), answers == truth
    found = truth[answers].sum(), truth.sum()
    cells = (f"{right.mean():.3f}", f"{base.mean():.3f}", f"{found[0]} of {found[1]}")
    p = flipped(right, base, topics)
    return [question.replace("_", "-"), how, str(len(truth)), *cells, p_text(p)]


def status_rows(examples: Sequence[Example]) -> Iterator[list[str]]:
    """Leave seed topics out in turn, for each question, set of features and learner."""
    model = default_model()
    shipped = statuses_of(
        (example.person for example in examples), model, [e.documents for e in examples]
    )
    answers_of: dict[tuple[str, str, Learner], Bools] = {}
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
                    predicted = {status: answers_of[status, name, learner] for status in STATUSES}
                    data = with_statuses(examples, model, predicted)
                    used = (*features, *range(len(STATUS_FEATURES), data.table.shape[1]))
                truth, topics = np.array(data.truth), seed_topics(data.topics)
                answers = cross_validate(
                    data.table, truth, learner,
                    features=used, groups=topics, folds=FOLDS, seed=SEED,
                ).answers  # fmt: skip
                answers_of[question, name, learner] = answers
                yield row(question, f"{learner}, {name}", answers, truth, topics)


def smaller(example: Example) -> Example:
    """Return a person as the first documents of the input show them."""
    ids, person = {f"d{number}" for number in range(SMALL)}, example.person
    mentions = tuple(m for m in person.mentions if m.sentence.document in ids)
    descriptions = tuple(d for d in person.descriptions if d.sentence.document in ids)
    seen = replace(person, mentions=mentions, descriptions=descriptions)
    return replace(example, person=seen, documents=min(SMALL, example.documents))


def small_rows(examples: Sequence[Example]) -> Iterator[list[str]]:
    """Apply classifiers of *major* to small inputs; compare both sets of features at the end."""
    words = default_model().descriptions
    table, truth, topics = training_set(examples, "major", words)
    small = [smaller(example) for example in examples]
    named = np.array([bool(example.person.mentions) for example in small])
    small_table = training_set(small, "major", words).table
    yes, groups = np.array(truth), np.array(seed_topics(topics))
    for learner in LEARNERS:
        right = {}
        for name, features in FEATURES.items():
            answers = held_out(table, small_table, yes, groups, learner, features)
            right[name] = (answers == yes)[named]
            how = f"{learner}, {name}"
            yield row("major, 4 documents", how, answers[named], yes[named], list(groups[named]))
        p = flipped(right["normalized"], right["Table 5.1"], list(groups[named]))
        yield [
            "major, 4 documents",
            f"{learner}, normalized against Table 5.1",
            *[""] * 4,
            p_text(p),
        ]


def held_out(
    table: Floats, other: Floats, truth: Bools, groups: Any, learner: Learner, features: Any
) -> Bools:
    """Return answers for the rows of another table, of topics that were left out."""
    answers = np.zeros(len(truth), dtype=np.bool_)
    names = np.random.default_rng(SEED).permutation(np.unique(groups))
    for part in np.array_split(names, FOLDS):
        held = np.isin(groups, part)
        fitted = train_status(table[~held], truth[~held], learner, features=features, seed=SEED)
        answers[held] = fitted.probabilities(other[held]) > 0.5
    return answers


def trained(examples: Sequence[Example]) -> StatusModel:
    """Put a logistic regression for *major*, learned from all clusters, into the shipped model."""
    model = default_model()
    table, truth, topics = training_set(examples, "major", model.descriptions)
    how: dict[str, Any] = {"features": NORMALIZED_FEATURES, "seed": SEED}
    groups = seed_topics(topics)
    held = cross_validate(table, truth, "linear", groups=groups, folds=FOLDS, **how)
    card = dict(model.card) | {
        "data_major": "ecbplus_topics: people named in leads kept out of the input",
        "people_major": len(truth),
        "accuracy": {"major": round(held.judged.accuracy, 6)},
    }
    major = train_status(table, truth, "linear", **how)
    share = {"major": round(sum(truth) / len(truth), 6)}
    return replace(model, major=major, majority=dict(model.majority) | share, card=card)


def main() -> int:
    """Print accuracies next to those of the majority class."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", type=Path, metavar="FILE")
    options = parser.parse_args()
    examples = read_examples()
    if options.save:
        trained(examples).save(options.save)
        return 0
    columns = ("question", "learned", "people", "accuracy", "one answer", "yes found", "p")
    table = Table(*columns)
    for cells in (*status_rows(examples), *small_rows(examples)):
        table.add_row(*cells)
    CONSOLE.print(table)
    statuses = statuses_of(
        (example.person for example in examples), None, [e.documents for e in examples]
    )
    rules = Table("affiliation at first mention, rule", "mentions", "accuracy", "one answer")
    for rule, judged in judge_affiliation(examples, statuses).items():
        rules.add_row(
            str(rule), str(judged.number), f"{judged.accuracy:.3f}", f"{judged.majority:.3f}"
        )
    CONSOLE.print(rules)
    nouns = Table("people called by a noun only", "number", "of")
    for rate in noun_rates(examples, statuses):
        nouns.add_row(rate.rate, str(rate.number), str(rate.of))
    CONSOLE.print(nouns)
    return 0


if __name__ == "__main__":
    sys.exit(main())
