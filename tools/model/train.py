"""Train the English pipeline that comes with the package, and write its figures down.

Run by ``make train MODEL=english`` where the treebanks are at hand; see its ``README.md``.
Word vectors are taken from the pipeline that is there already unless their source is given.
"""

import argparse
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import spacy
from card import figures_of, write_card
from course import WHOLE, Course, train
from finish import finish
from names import read_silver, with_gold_names, with_silver_names
from pipeline import whole_pipeline
from repair import repaired
from treebank import Sentence, read_treebank
from vectors import encoder_vectors, kept_vectors

from pyramidion.text import english_file

HERE = Path(__file__).parent
TARGET = english_file("pipeline", "training")
#: Words that have vectors, and the vectors' width.
WORDS, WIDTH = 14_000, 96


def part(folder: Path, name: str) -> tuple[list[Sentence], list[Sentence]]:
    """Read the train or the dev part of EWT and of GUM, with names."""
    ewt = read_treebank(folder / f"ewt-{name}.conllu.gz")
    gum = read_treebank(folder / f"gum-open-{name}.conllu.gz")
    silver = read_silver(HERE / "silver_names.json.gz")[f"ewt-{name}"]
    fixed: Iterable[Sentence] = map(repaired, gum) if name == "train" else gum
    return with_silver_names(ewt, silver), list(with_gold_names(fixed))


def trained(nlp: Any, sentences: list[Sentence], course: Course, seed: int) -> Any:
    """Train a pipeline, and return it with averaged parameters."""
    averages = train(nlp, sentences, course, seed=seed)
    with tempfile.TemporaryDirectory() as folder, nlp.use_params(averages):
        nlp.to_disk(folder)
        return spacy.load(folder)


def main() -> None:
    """Read, train, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path, help="the folder of EWT's and GUM's files")
    parser.add_argument("--people", type=Path, help="sentences with persons to count on")
    parser.add_argument("--vectors", type=Path, help="the folder of all-MiniLM-L6-v2's weights")
    parser.add_argument("--output", type=Path, default=TARGET)
    parser.add_argument("--rounds", type=int, help="fewer, to try something")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    give_vectors = (
        encoder_vectors(options.vectors, words=WORDS, width=WIDTH)
        if options.vectors
        else kept_vectors(TARGET)
    )
    began = time.process_time()
    ewt, gum = part(options.treebanks, "train")
    nlp = whole_pipeline()
    give_vectors(nlp)
    used = replace(WHOLE, rounds=options.rounds or WHOLE.rounds)
    nlp = trained(nlp, [*ewt, *gum], used, options.seed)
    # The shared layer also learned from names; a separate model recognizes them.
    nlp.remove_pipe("ner")
    finish(nlp, options.output)
    seconds = time.process_time() - began
    measure(options.output, options.treebanks, options.people, seconds=seconds)


def measure(folder: Path, treebanks: Path, people: Path | None, *, seconds: float) -> None:
    """Take the figures, and write them into the data card."""
    dev = dict(zip(("EWT dev", "GUM dev"), part(treebanks, "dev"), strict=True))
    figures = figures_of(spacy.load(folder), dev, people)
    print(write_card(folder, figures, seconds=seconds))


if __name__ == "__main__":
    main()
