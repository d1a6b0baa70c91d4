"""Cognitive status on held-out clusters of news, compared with the majority class.

Run by ``make bench AREA=status`` where the open sets are at hand. The clusters are those of
``ecbplus_topics``: people named in leads of articles that were kept out of the input stand in for
people named in summaries (major). Both events of a seed topic are left out together. The test
flips the signs of the seed topics' differences in right answers (two-sided). ``--save FILE`` trains
*major* on all clusters and writes the shipped model with it, as ``make train MODEL=status`` does.
"""

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.rewriting import (
    THESIS_FEATURES,
    Articles,
    StatusModel,
    default_model,
    people_features,
    statuses_of,
)
from pyramidion.studies._status_training import (
    Example,
    cross_validate,
    examples_of,
    judge_affiliation,
    train_status,
)
from pyramidion.text import split_sentences
from pyramidion.text.parsing import load_parser

TOPICS = Path(__file__).resolve().parents[2] / "shared" / "data" / "ecbplus_topics.jsonl.gz"
FOLDS, SEED, FLIPS = 10, 0, 20_000
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


def status_rows(examples: Sequence[Example]) -> list[list[str]]:
    """Leave seed topics out in turn, for each question and way of learning."""
    model, rows = default_model(), []
    table = people_features([example.person for example in examples], model.descriptions)
    shipped = statuses_of((example.person for example in examples), model)
    for question in ("major", "hearer_old"):
        answers = [getattr(example.labels, question) for example in examples]
        labeled = [number for number, answer in enumerate(answers) if answer is not None]
        truth = np.array([bool(answers[number]) for number in labeled])
        groups = [examples[number].topic.rstrip("ab") for number in labeled]
        base = truth == (truth.mean() > 0.5)
        shipped_answers = np.array([getattr(shipped[number], question) for number in labeled])
        answers_of = {"as shipped": shipped_answers}
        for learner in ("linear", "svm", "tree"):
            answers_of[learner] = cross_validate(
                table[labeled], truth, learner,
                features=THESIS_FEATURES, groups=groups, folds=FOLDS, seed=SEED,
            ).answers  # fmt: skip
        for how, answer in answers_of.items():
            right = answer == truth
            p = flipped(right, base, groups)
            cells = (f"{right.mean():.3f}", f"{base.mean():.3f}", f"{p:.4f}")
            rows.append([question.replace("_", "-"), how, str(len(labeled)), *cells])
    return rows


def trained(examples: Sequence[Example]) -> StatusModel:
    """Put a logistic regression for *major*, learned from all clusters, into the shipped model."""
    model = default_model()
    table = people_features([example.person for example in examples], model.descriptions)
    truth = [example.labels.major for example in examples]
    groups = [example.topic.rstrip("ab") for example in examples]
    held = cross_validate(
        table, truth, "linear", features=THESIS_FEATURES, groups=groups, folds=FOLDS, seed=SEED
    )
    card = dict(model.card) | {
        "data_major": "ecbplus_topics: people named in leads kept out of the input",
        "people_major": len(truth),
        "accuracy": {"major": round(held.judged.accuracy, 6)},
    }
    major = train_status(table, truth, "linear", features=THESIS_FEATURES, seed=SEED)
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
    table = Table("question", "learned", "people", "accuracy", "one answer", "p")
    for row in status_rows(examples):
        table.add_row(*row)
    CONSOLE.print(table)
    statuses = statuses_of((example.person for example in examples), default_model())
    rules = Table("affiliation at first mention, rule", "mentions", "accuracy", "one answer")
    for rule, judged in judge_affiliation(examples, statuses).items():
        rules.add_row(
            str(rule), str(judged.number), f"{judged.accuracy:.3f}", f"{judged.majority:.3f}"
        )
    CONSOLE.print(rules)
    return 0


if __name__ == "__main__":
    sys.exit(main())
