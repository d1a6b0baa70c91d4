"""A course of training for all parts of the pipeline."""

import random
import time
from dataclasses import dataclass
from typing import Any

from documents import examples_of, varied
from spacy.training.batchers import minibatch_by_words
from templates import made_sentences
from thinc.api import Adam, fix_random_seed
from treebank import Sentence

__all__ = ["WHOLE", "Course", "train"]

RATE = 0.001


@dataclass(frozen=True, slots=True)
class Course:
    """How often sentences are seen, how many are made for each round, how much is dropped.

    ``warming`` is the number of words after which steps have their full size.
    """

    rounds: int
    generated: int
    drop: float
    warming: int = 0


WHOLE = Course(rounds=12, generated=1100, drop=0.15, warming=30_000)


def train(nlp: Any, sentences: list[Sentence], course: Course, *, seed: int) -> Any:
    """Train a pipeline; give the averages of its parameters over all steps."""
    began = time.process_time()
    fix_random_seed(seed)
    chance = random.Random(seed)
    first = [*sentences, *made_sentences(3000, random.Random(0))]
    nlp.initialize(lambda: list(examples_of(nlp, first)))
    optimizer = Adam(RATE, L2=0.01, grad_clip=1.0, use_averages=True)
    for number in range(course.rounds):
        generated = made_sentences(course.generated, chance)
        batch = [varied(sentence, chance) for sentence in (*sentences, *generated)]
        chance.shuffle(batch)
        losses = _round(nlp, optimizer, batch, course, number)
        loss_text = ", ".join(f"{name} {value:,.0f}" for name, value in losses.items())
        print(
            f"round {number + 1}, {time.process_time() - began:,.0f} CPU s: {loss_text}", flush=True
        )
    return optimizer.averages


def _round(
    nlp: Any, optimizer: Any, sentences: list[Sentence], course: Course, number: int
) -> dict[str, float]:
    """Go once over all sentences, in greater steps later on and at a falling rate."""
    losses: dict[str, float] = {}
    words = sum(len(sentence.words) for sentence in sentences)
    size = int(600 + 900 * min(1, number / 4))
    done = 0
    batches = minibatch_by_words(
        examples_of(nlp, sentences), size=size, tolerance=0.2, discard_oversize=False
    )
    for batch in batches:
        seen = number * words + done
        warm = min(1, seen / course.warming + 0.05) if course.warming else 1
        left = 1 - 0.95 * min(1, (number + done / words) / course.rounds)
        optimizer.learn_rate = RATE * warm * left
        nlp.update(batch, sgd=optimizer, drop=course.drop, losses=losses)
        done += sum(len(example.reference) for example in batch)
    return losses
