"""Train the model of names that comes with the package.

Run by ``make train MODEL=names`` where the treebanks are at hand; see its ``names.md``.
Sentences are learned from with the tags that a tagger trained on other sentences gives them.
"""

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import light_parser
from models import rounded, write_model
from pyramidion.text import english_file
from pyramidion.text._light.name_model import (
    LABELS,
    LOG_STEP,
    NameModel,
    Tagged,
    cases_of,
    listed_names,
)
from pyramidion.text._tagging import (
    N_HASHES,
    grammar_tokens,
    load_tagger,
)
from treebanks import read_treebank as read_trees

HERE = Path(__file__).parent
sys.path.append(str(HERE / "model"))
from names import read_silver, with_gold_names, with_silver_names  # noqa: E402
from repair import repaired  # noqa: E402
from templates import made_sentences  # noqa: E402
from treebank import Name, read_treebank  # noqa: E402
from wide_templates import WideMaker  # noqa: E402
from wordlists import listed  # noqa: E402

TARGET = english_file("names.model", "training")
#: Nothing is learned from the last but tags of taggers.
PARTS = ("ewt-train", "gum-open-train", "gum-open-dev")
EPOCHS, SEED, TOGETHER, RATE, LEAST_SEEN, LEAST_WEIGHT = 5, 1, 64, 0.1, 2, 0.006
#: Weight of an example from the older pipeline, relative to one marked by a person.
SILVER = 0.3
#: Sentences that are made at random, and what they count.
MADE, COMPANIES, MADE_COUNT = 1500, 300, 0.3
COMPANY_NEWS = (
    "{C} said it would cut prices.",
    "{C} cut jobs.",
    "{C} cut its outlook for the bank.",
    "Shares of {C} rose 3 percent on Monday.",
    "The company, {C}, declined to comment.",
    "Analysts at {C} expect a loss.",
    "{C} posted a profit in the second quarter.",
    "{P}, chief executive of {C}, resigned.",
    "{P}, who runs {C}, spoke in public.",
    "{P} of {C} said sales were weak.",
    "{C} hired {P} as chairman.",
    "{C} named {P} to its board.",
    "{P} left {C} in May.",
    "The regulator fined {C} for the leak.",
    "{C}'s profit fell.",
    "A spokesman for {C} denied the report.",
    "{P} bought shares in {C}.",
    "Investors sued {C} and {P}.",
)


class Document(NamedTuple):
    """The tagged sentences of a document, and the names that are marked in each."""

    id: str
    text: list[Tagged]
    names: list[tuple[Name, ...]]


def documents(folder: Path, parts: Sequence[str] = PARTS) -> dict[str, list[Document]]:
    """Read documents, by part; no tagger has seen the sentences that it tags."""
    silver = read_silver(HERE / "model" / "silver_names.json.gz")
    trees = [tree for part in parts for tree in read_trees(folder, part)]
    tags = iter(light_parser.tagged(trees))
    documents_of = {}
    for part in parts:
        sentences = list(read_treebank(folder / f"{part}.conllu.gz"))
        if part in silver:
            sentences = with_silver_names(sentences, silver[part])
        else:
            sentences = list(with_gold_names(map(repaired, sentences)))
        by_id: defaultdict[str, Document] = defaultdict(lambda: Document("", [], []))
        for sentence in sentences:
            id = sentence.id.rpartition("-")[0]
            by_id.setdefault(id, Document(id, [], []))
            fine = [pair.fine for pair in next(tags)]
            by_id[id].text.append(([word.text for word in sentence.words], fine))
            by_id[id].names.append(sentence.names or ())
        documents_of[part] = list(by_id.values())
    return documents_of


def helpers(parts: dict[str, list[Document]]) -> list["Examples"]:
    """Return the examples besides those of GUM: of the older pipeline, and made ones."""
    generated = [
        Document(
            "",
            [([w.text for w in sentence.words], [w.fine for w in sentence.words])],
            [sentence.names or ()],
        )
        for sentence in made_sentences(MADE, random.Random(SEED), WideMaker)
    ]
    generated += [company_sentence(random.Random(SEED + number)) for number in range(COMPANIES)]
    return [examples_of(parts["ewt-train"], SILVER), examples_of(generated, MADE_COUNT)]


@cache
def firms() -> tuple[str, ...]:
    """Return the companies of the lists, but for those of one word that is mostly another name."""
    kinds, several = listed_names()
    single = sorted(word for word, kind in kinds.items() if kind in ("c", "s3c", "g3c", "p3c"))
    return (*(" ".join(words) for names in several.values() for words in names), *single)


def company_sentence(chance: random.Random) -> Document:
    """Make a sentence about a company, a listed or an invented one, and perhaps a person."""
    firm = chance.choice(firms()) if chance.random() < 0.8 else WideMaker(chance).invented()
    firm = " ".join(word[:1].upper() + word[1:] for word in firm.split())
    person = f"{chance.choice(listed('first_names'))} {chance.choice(listed('last_names'))}"
    text = chance.choice(COMPANY_NEWS).format(C=f"[{firm}]", P=f"<{person}>")
    words_kept: list[str] = []
    names: list[Name] = []
    first = 0
    for token in grammar_tokens(text):
        if token.text in ("[", "<"):
            first = len(words_kept)
        elif token.text in ("]", ">"):
            kind = "organization" if token.text == "]" else "person"
            names.append(Name(first, len(words_kept), kind))
        else:
            words_kept.append(token.text)
    tags = [pair.fine for pair in load_tagger().tag([words_kept])[0]]
    return Document("", [(words_kept, tags)], [tuple(names)])


class Examples(NamedTuple):
    """Words with their features, what they are (-1: nobody knows), and how much they count."""

    hashes: Any
    labels: Any
    counts: Any


def examples_of(documents: Sequence[Document], count: float) -> Examples:
    """Look at the words of documents."""
    hashes, labels = [], []
    for document in documents:
        cases = cases_of(document.text)
        marked = {
            (number, index): LABELS.index(f"{'B' if index == name.first else 'I'}{name.type}")
            if name.type
            else -1
            for number, names in enumerate(document.names)
            for name in names
            for index in range(name.first, name.last)
        }
        at = zip(cases.sentences.tolist(), cases.word_indices.tolist(), strict=True)
        labels += [marked.get(position, 0) for position in at]
        hashes.append(cases.hashes)
    return Examples(np.concatenate(hashes), np.array(labels), np.full(len(labels), count))


def train(parts: Sequence[Examples]) -> NameModel:
    """Fit a logistic regression by small steps, each as large as a feature is rare."""
    hashes, labels, counts = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    labeled = labels >= 0
    hashes, right = hashes[labeled], np.eye(len(LABELS), dtype=np.float32)[labels[labeled]]
    counts = counts[labeled].astype(np.float32)[:, None]
    keys = np.flatnonzero(np.bincount(hashes.ravel(), minlength=N_HASHES) >= LEAST_SEEN)
    places = np.zeros(N_HASHES, np.int32)
    places[keys] = np.arange(1, len(keys) + 1)
    rows = places[hashes]
    weights = np.zeros((len(keys) + 1, len(LABELS)), np.float32)
    squares = np.full_like(weights, 0.01)
    draw = np.random.default_rng(SEED)
    for _ in range(EPOCHS):
        for some in np.array_split(draw.permutation(len(rows)), len(rows) // TOGETHER):
            step(weights, squares, rows[some], right[some], counts[some])
    weights[np.abs(weights) < LEAST_WEIGHT] = 0
    return NameModel(rounded(weights, keys, N_HASHES, step=LOG_STEP))


def step(weights: Any, squares: Any, rows: Any, right: Any, counts: Any) -> None:
    """Learn from a few examples (AdaGrad)."""
    scores = weights[rows].sum(axis=1)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    wrong = (shares / shares.sum(axis=1, keepdims=True) - right) * counts
    used, inverse = np.unique(rows, return_inverse=True)
    slopes = np.zeros((len(used), weights.shape[1]), np.float32)
    np.add.at(slopes, inverse.reshape(rows.shape), wrong[:, None, :])
    squares[used] += slopes * slopes
    weights[used] -= RATE * slopes / np.sqrt(squares[used])
    weights[0] = 0


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path, help="the folder of the treebanks' files")
    parser.add_argument("--output", type=Path, default=TARGET)
    options = parser.parse_args()
    parts = documents(options.treebanks)
    model = train([examples_of(parts["gum-open-train"], 1.0), *helpers(parts)])
    card = {"license": "CC BY-SA 4.0", "data": "see names.md"}
    write_model(options.output, card, model.weights)
    size = options.output.stat().st_size
    print(f"{options.output}: {size} bytes, {time.process_time():.0f} CPU s")


if __name__ == "__main__":
    main()
