"""Train the light parser that comes with the package on the treebanks.

Run by ``make train MODEL=tagger``, after ``tools/tagger.py``; see its ``tagger.md``.
Sentences are learned from with the tags that a tagger trained on other sentences gives them.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tagger as tagger_tool
from models import rounded, write_model
from pyramidion.text._light.trees import SHIFT_MOVE, Rows, States, label_hashes, rows_of
from pyramidion.text._tagging import N_HASHES, HashedWeights, Lemmatizer, Tagger, TagPair
from treebanks import Tree, head_of, mentions, read_treebank

FOLDER = tagger_tool.TARGET.parent
FOLDS, FOLD_EPOCHS, BLOCK = 4, 4, 50
ARC_EPOCHS, LABEL_EPOCHS, TOGETHER, SEED = 7, 4, 24, 3
OWN_MOVES = 0.9
LEAST_LABEL = 40
ARC_STEP, LEAST_ARC, LABEL_STEP, LEAST_WEIGHT = 0.8, 2.0, 0.7, 1.5
IMPOSSIBLE = 1e9
LEAST_SEEN, SURE = 2, 0.8


def tagged(trees: Sequence[Tree]) -> list[list[TagPair]]:
    """Tag each part of the trees by a tagger that has not seen it."""
    sentences = tagger_tool.examples(trees)
    part = [number // BLOCK % FOLDS for number in range(len(sentences))]
    predicted: list[list[TagPair]] = [[] for _ in sentences]
    for fold in range(FOLDS):
        seen = [
            sentence for sentence, number in zip(sentences, part, strict=True) if number != fold
        ]
        tagger = quick_tagger(seen, fold)
        places = [index for index, number in enumerate(part) if number == fold]
        tags = tagger.tag([sentences[index][0] for index in places])
        for index, pairs in zip(places, tags, strict=True):
            predicted[index] = pairs
    return predicted


def quick_tagger(sentences: Sequence[tagger_tool.Example], seed: int) -> Tagger:
    """Train a tagger a little."""
    classes = tagger_tool.ambiguity(sentences)
    trainer = tagger_tool.Trainer(sentences, classes)
    draw = np.random.default_rng(seed)
    for _ in range(FOLD_EPOCHS):
        trainer.epoch(draw)
    mean = trainer.averaged()
    weights = rounded(mean, trainer.keys, N_HASHES, step=tagger_tool.STEP)
    kinds = {word: kind for kind, words in classes.items() for word in words}
    return Tagger([TagPair(*pair) for pair in trainer.pairs], kinds, weights, Lemmatizer({}, {}))


def gold_heads(trees: Sequence[Tree], rows: Rows) -> Any:
    """Return the row of each word's head; the root's is the row after the sentence."""
    heads = np.zeros(len(rows.words), np.int64)
    for first, number in zip(rows.first_rows.tolist(), rows.order.tolist(), strict=True):
        words = trees[number].words
        for index, word in enumerate(words):
            heads[first + index] = first + (len(words) if word.head == index else word.head)
    return heads


def portion(rows: Rows, heads: Any, chosen: Any) -> tuple[Rows, Any]:
    """Take sentences that follow each other out of the rows."""
    low = int(rows.first_rows[chosen[0]])
    high = int(rows.first_rows[chosen[-1]] + rows.lengths[chosen[-1]]) + 1
    parts = [np.concatenate([part[:1], part[low:high]]) for part in rows[:3]]
    moved = np.concatenate([[0], np.where(heads[low:high] > 0, heads[low:high] - low + 1, 0)])
    places = rows.first_rows[chosen] - low + 1, rows.lengths[chosen], rows.order[chosen]
    return Rows(*parts, *places), moved


class Averaged:
    """Weights of hashed features and their averages over time."""

    def __init__(self, classes: int) -> None:
        self.weights = np.zeros((N_HASHES, classes), np.float32)
        self.sums = np.zeros_like(self.weights)
        self.steps = 0

    def move(self, features: Any, right: Any, taken: Any) -> None:
        """Learn from errors: a row of features each, what was right and what was taken."""
        for classes, by in ((right, 1), (taken, -1)):
            at = features.ravel(), np.repeat(classes, features.shape[1])
            np.add.at(self.weights, at, by)
            np.add.at(self.sums, at, by * self.steps)

    def hashed(self, step: float, least: float) -> HashedWeights:
        """Return the averages, small ones as nothing."""
        mean = self.weights - self.sums / max(self.steps, 1)
        mean[np.abs(mean) < least] = 0
        mean = np.concatenate([np.zeros((1, mean.shape[1])), mean])
        return rounded(mean, np.arange(N_HASHES), N_HASHES, step=step)


class Oracle:
    """Knows what each move loses of the right tree (Goldberg and Nivre 2013)."""

    def __init__(self, gold: Any) -> None:
        self.gold = gold
        self.waiting = np.bincount(gold, minlength=len(gold))
        self.stacked = np.zeros(len(gold), np.int64)
        self.on_stack = np.zeros(len(gold), np.bool_)

    def costs(self, states: States) -> Any:
        """Count the right heads that each legal move puts out of reach."""
        top, below, front = states.top(), states.top(1), states.front
        head, next_head = self.gold[top], self.gold[front]
        shift = self.stacked[front] + (self.on_stack[next_head] & (next_head != top))
        left = self.waiting[top] + ((head == below) | (head > front))
        right = self.waiting[top] + (head >= front)
        costs = np.stack([shift, left, right], axis=1).astype(float)
        costs[~states.legal_moves()] = IMPOSSIBLE
        return costs

    def note(self, states: States, moves: Any) -> None:
        """Take notice of moves that are about to be made."""
        pushed, popped = states.front[moves == SHIFT_MOVE], states.top()[moves != SHIFT_MOVE]
        self.on_stack[pushed], self.on_stack[popped] = True, False
        np.add.at(self.stacked, self.gold[pushed], 1)
        np.subtract.at(self.waiting, self.gold[pushed], 1)
        np.subtract.at(self.stacked, self.gold[popped], 1)
        self.stacked[0] = self.waiting[0] = 0


def learn_moves(model: Averaged, rows: Rows, gold: Any, draw: Any, *, follow_share: float) -> int:
    """Parse sentences side by side, going the model's own way as often as said."""
    states, oracle, errors = States(rows), Oracle(gold), 0
    oracle.waiting[0] = 0
    for step in range(2 * int(rows.lengths[0])):
        states.keep_first(int(np.searchsorted(-2 * rows.lengths, -step)))
        features, costs = states.features(), oracle.costs(states)
        scores = model.weights[features].sum(axis=1)
        fine = costs <= costs.min(axis=1, keepdims=True)
        taken = np.where(costs < IMPOSSIBLE, scores, -IMPOSSIBLE).argmax(axis=1)
        right = np.where(fine, scores, -IMPOSSIBLE).argmax(axis=1)
        model.steps += 1
        wrong = np.flatnonzero(~fine[np.arange(len(taken)), taken])
        model.move(features[wrong], right[wrong], taken[wrong])
        errors += len(wrong)
        moves = np.where(draw.random(len(taken)) < follow_share, taken, right)
        oracle.note(states, moves)
        states.move(moves)
    return errors


def train_moves(rows: Rows, gold: Any) -> HashedWeights:
    """Learn which moves to make."""
    model, draw = Averaged(3), np.random.default_rng(SEED)
    size = len(rows.lengths)
    for epoch in range(ARC_EPOCHS):
        firsts = draw.permutation(np.arange(0, size, TOGETHER))
        errors = 0
        for first in firsts.tolist():
            some, heads = portion(rows, gold, np.arange(first, min(first + TOGETHER, size)))
            errors += learn_moves(
                model, some, heads, draw, follow_share=OWN_MOVES if epoch else 0.0
            )
        print(f"moves {epoch + 1}: {errors} errors, {time.process_time():.0f} CPU s", flush=True)
    return model.hashed(ARC_STEP, LEAST_ARC)


def labels_of(trees: Sequence[Tree]) -> list[str]:
    """List the relations; rare ones are known without their second part."""
    counts = Counter(word.relation for tree in trees for word in tree.words)
    plain = {name.partition(":")[0] for name in counts}
    return sorted({name for name, number in counts.items() if number >= LEAST_LABEL} | plain)


def train_labels(trees: Sequence[Tree], rows: Rows, gold: Any, names: list[str]) -> HashedWeights:
    """Learn which relation a word has to its head, on the right trees."""
    number = {name: index for index, name in enumerate(names)}
    right = np.zeros(len(gold), np.int64)
    for first, tree_index in zip(rows.first_rows.tolist(), rows.order.tolist(), strict=True):
        for row, word in enumerate(trees[tree_index].words, start=first):
            plain = word.relation.partition(":")[0]
            right[row] = number.get(word.relation, number[plain])
    words, features = label_hashes(rows, gold)
    model, draw = Averaged(len(names)), np.random.default_rng(SEED)
    for epoch in range(LABEL_EPOCHS):
        errors = 0
        for some in np.array_split(draw.permutation(len(words)), len(words) // TOGETHER):
            taken = model.weights[features[some]].sum(axis=1).argmax(axis=1)
            model.steps += 1
            wrong = taken != right[words[some]]
            model.move(features[some][wrong], right[words[some]][wrong], taken[wrong])
            errors += int(wrong.sum())
        print(f"labels {epoch + 1}: {errors} errors, {time.process_time():.0f} CPU s", flush=True)
    return model.hashed(LABEL_STEP, LEAST_WEIGHT)


def roles(trees: Sequence[Tree]) -> str:
    """Return nouns for people, from GUM's mentions."""
    nouns: Counter[tuple[str, bool]] = Counter()
    for tree in trees:
        for first, last, kind in mentions(tree):
            head = tree.words[head_of(tree, first, last)]
            if head.tag == "NOUN" and head.fine == "NN":
                nouns[head.lemma.lower(), kind == "person"] += 1
    return " ".join(
        sorted(
            noun
            for (noun, person), number in nouns.items()
            if person and number >= LEAST_SEEN and number >= SURE * (number + nouns[noun, False])
        )
    )


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path, help="the folder of the treebanks' files")
    parser.add_argument("--output", type=Path, default=FOLDER)
    options = parser.parse_args()
    names = tagger_tool.TRAIN
    trees = [tree for name in names for tree in read_treebank(options.treebanks, name)]
    rows = rows_of([[word.text for word in tree.words] for tree in trees], tagged(trees))
    gold, labels = gold_heads(trees, rows), labels_of(trees)
    card = {"license": "CC BY-SA 4.0", "data": "as of the tagger"}
    model_card = {**card, "labels": labels, "words": {"roles": roles(trees)}}
    for name, header, weights in (
        ("tagger-moves.model", card, train_moves(rows, gold)),
        ("tagger-labels.model", model_card, train_labels(trees, rows, gold, labels)),
    ):
        write_model(options.output / name, header, weights)
        print(f"{options.output / name}: {(options.output / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()
