"""Train the tagger that comes with the package on the treebanks.

Run by ``make train MODEL=tagger`` where the treebanks are at hand; see its ``tagger.md``.
"""

import argparse
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models import learned_lemmatizer, lemma_header, rounded, write_model
from pyramidion.text import english_file
from pyramidion.text._tagging import (
    N_HASHES,
    Batch,
    WordTable,
    batch_of,
    dynamic_hashes,
    hash_numbers,
    static_hashes,
)
from treebanks import Tree, read_treebank

TARGET = english_file("tagger.model", "training")
TRAIN = ("ewt-train", "gum-open-train")
EPOCHS, SEED, TOGETHER = 8, 20, 16
LEAST_PAIR, LEAST_WORD, LEAST_SHARE, LEAST_FEATURE = 10, 4, 0.08, 2
STEP, LEAST_WEIGHT = 0.4, 0.6
# Shares of the sentences that are shown again in capitals, in small letters, and as headlines.
AGAIN = ((0.05, str.upper), (0.03, str.lower), (0.02, lambda word: word[:1].upper() + word[1:]))

Example = tuple[list[str], list[tuple[str, str]]]


def examples(trees: Sequence[Tree]) -> list[Example]:
    """Return words and pairs of tags; a rare pair becomes the usual one of its fine tag."""
    counts = Counter((word.fine, word.tag) for tree in trees for word in tree.words)
    usual: dict[str, tuple[str, str]] = {}
    for pair, _ in counts.most_common():
        usual.setdefault(pair[0], pair)

    def pair_of(fine: str, tag: str) -> tuple[str, str]:
        return (fine, tag) if counts[fine, tag] >= LEAST_PAIR else usual[fine]

    return [
        ([word.text for word in tree.words], [pair_of(word.fine, word.tag) for word in tree.words])
        for tree in trees
    ]


def changed(sentences: Sequence[Example]) -> Iterator[Example]:
    """Show some sentences again with other capitals."""
    draw = random.Random(SEED)
    for words, pairs in sentences:
        chance = draw.random()
        for share, change in AGAIN:
            if 0 <= chance < share:
                yield [change(word) for word in words], pairs
            chance -= share


def ambiguity(sentences: Sequence[Example]) -> dict[str, list[str]]:
    """Group words by the tags they had, each as one text."""
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words, pairs in sentences:
        for word, pair in zip(words, pairs, strict=True):
            counted[word.lower()][" ".join(pair)] += 1
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for word, tags in sorted(counted.items()):
        least = LEAST_SHARE * tags.total()
        if tags.total() >= LEAST_WORD:
            groups["|".join(sorted(t for t, n in tags.items() if n >= least))].append(word)
    return dict(groups)


class Trainer:
    """An averaged perceptron; sentences are learned from some at a time."""

    def __init__(self, sentences: Sequence[Example], classes: dict[str, list[str]]) -> None:
        self.pairs = sorted({pair for _, pairs in sentences for pair in pairs})
        number = {pair: n for n, pair in enumerate(self.pairs)}
        kinds = {word: kind for kind, words in classes.items() for word in words}
        self.batch: Batch = batch_of([words for words, _ in sentences], WordTable(kinds))
        self.word_rows = self.batch.word_rows
        self.gold = np.array([number[pair] for _, pairs in sentences for pair in pairs])
        self.hashes = hash_numbers(range(len(self.pairs) + 1))
        static = static_hashes(self.batch, self.word_rows)
        counts = np.bincount(static.ravel(), minlength=N_HASHES)
        counts += np.bincount(self._with_gold_tags().ravel(), minlength=N_HASHES)
        self.keys = np.flatnonzero(counts >= LEAST_FEATURE)
        self.rows = np.zeros(N_HASHES, np.int32)
        self.rows[self.keys] = np.arange(1, len(self.keys) + 1)
        self.static = self.rows[static]
        self.weights = np.zeros((len(self.keys) + 1, len(self.pairs)), np.float32)
        self.sums = np.zeros_like(self.weights)
        self.steps = 0

    def _with_gold_tags(self) -> Any:
        """Hash features of the tags before, as they are in the treebanks."""
        tags = np.full(len(self.batch.properties), len(self.pairs))
        tags[self.word_rows] = self.gold
        before, second = tags[self.word_rows - 1], tags[self.word_rows - 2]
        return dynamic_hashes(self.batch, self.word_rows, self.hashes[before], self.hashes[second])

    def epoch(self, draw: np.random.Generator) -> int:
        """Go through all sentences, those of like length together; count the errors."""
        firsts = np.cumsum(self.batch.lengths) - self.batch.lengths
        like = np.lexsort((draw.random(len(firsts)), self.batch.lengths))
        groups = [like[k : k + TOGETHER] for k in range(0, len(like), TOGETHER)]
        draw.shuffle(groups)
        return sum(self._group(firsts[group], self.batch.lengths[group]) for group in groups)

    def _group(self, firsts: Any, lengths: Any) -> int:
        errors = 0
        before = second = np.full(len(firsts), len(self.pairs))
        for step in range(lengths.max()):
            longer = lengths > step
            firsts, lengths, before, second = (
                values[longer] for values in (firsts, lengths, before, second)
            )
            best = self._learn(firsts + step, before, second)
            errors += int((best != self.gold[firsts + step]).sum())
            before, second = best, before
        return errors

    def _learn(self, at: Any, before: Any, second: Any) -> Any:
        tags = self.hashes[before], self.hashes[second]
        dynamic_rows = self.rows[dynamic_hashes(self.batch, self.word_rows[at], *tags)]
        rows = np.concatenate([self.static[at], dynamic_rows], axis=1)
        best = self.weights[rows].sum(axis=1).argmax(axis=1)
        self.steps += len(at)
        wrong = best != self.gold[at]
        for features, right, taken in zip(
            rows[wrong], self.gold[at][wrong], best[wrong], strict=True
        ):
            self._move(features, right, 1)
            self._move(features, taken, -1)
        return best

    def _move(self, features: Any, tag: int, by: int) -> None:
        self.weights[features, tag] += by
        self.sums[features, tag] += by * self.steps
        self.weights[0] = self.sums[0] = 0

    def averaged(self) -> Any:
        """Return the weights' averages over all steps, small ones as nothing."""
        mean = self.weights - self.sums / max(self.steps, 1)
        mean[np.abs(mean) < LEAST_WEIGHT] = 0
        return mean


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path, help="the folder of the treebanks' files")
    parser.add_argument("--output", type=Path, default=TARGET)
    options = parser.parse_args()
    trees = [tree for name in TRAIN for tree in read_treebank(options.treebanks, name)]
    sentences = examples(trees)
    classes = ambiguity(sentences)
    trainer = Trainer([*sentences, *changed(sentences)], classes)
    draw = np.random.default_rng(SEED)
    for epoch in range(EPOCHS):
        errors = trainer.epoch(draw)
        print(f"epoch {epoch + 1}: {errors} errors, {time.process_time():.0f} CPU s", flush=True)
    words = [(word.text, word.fine, word.lemma) for tree in trees for word in tree.words]
    header = {
        "pairs": trainer.pairs,
        "classes": {kind: " ".join(members) for kind, members in classes.items()},
        "lemmas": lemma_header(learned_lemmatizer(words)),
        "data": "UD English EWT and the openly licensed genres of UD English GUM, training parts",
        "license": "CC BY-SA 4.0",
    }
    weights = rounded(trainer.averaged(), trainer.keys, N_HASHES, step=STEP)
    write_model(options.output, header, weights)
    print(f"{options.output}: {options.output.stat().st_size} bytes, {len(words)} words")


if __name__ == "__main__":
    main()
