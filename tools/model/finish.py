"""Save a trained pipeline: its description, and only the strings that it needs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import srsly
from pipeline import whole_pipeline
from spacy.attrs import LOWER
from spacy.strings import StringStore

__all__ = ["finish"]

DESCRIPTION = {
    "name": "pyramidion-english",
    "version": "1",
    "spacy_version": ">=3.8.0,<3.9.0",
    "description": "English words, tags, trees and lemmas for news",
    "author": "The Pyramidion authors",
    "license": "CC BY-SA 4.0",
}
_BRANCHES = ("prefix_tree", "suffix_tree")


def finish(nlp: Any, folder: Path) -> None:
    """Save; documents next to the pipeline stay."""
    nlp.to_disk(folder)
    strings = _keep_needed_trees(folder / "trainable_lemmatizer")
    _keep_needed_strings(nlp, folder, strings)
    # spaCy reads by which form of a word vectors are found, but does not write it.
    srsly.write_json(folder / "vocab" / "vectors.cfg", {"mode": "default", "attr": LOWER})
    path = folder / "meta.json"
    meta = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(meta | DESCRIPTION, indent=1) + "\n", encoding="utf-8")


def _keep_needed_strings(nlp: Any, folder: Path, needed: set[int]) -> None:
    """Leave out the words of the treebanks, among which are addresses of people."""
    needed = needed | {StringStore([label])[label] for label in _labels(nlp)}
    needed |= set(nlp.vocab.vectors.keys())
    blank = whole_pipeline()
    path = folder / "vocab" / "strings.json"
    strings = json.loads(path.read_text(encoding="utf-8"))
    store = nlp.vocab.strings
    needed_strings = [s for s in strings if store[s] in needed or s in blank.vocab.strings]
    path.write_text(json.dumps(sorted(needed_strings), ensure_ascii=False), encoding="utf-8")


def _labels(nlp: Any) -> Iterator[str]:
    for name, part in nlp.pipeline:
        yield name
        for label in getattr(part, "labels", ()):
            yield str(label)
            # Morphology is written as POS=NOUN, moves as B-person, lifted arcs as a||b.
            for mark in ("=", "-", "||"):
                yield from str(label).split(mark)


def _keep_needed_trees(folder: Path) -> set[int]:
    """Leave out trees of the lemmatizer that no label uses; give the strings of the others."""
    trees = srsly.read_msgpack(folder / "trees")["trees"]
    settings = srsly.read_json(folder / "cfg")
    needed = sorted(_reached(trees, settings["labels"]))
    places = {old: new for new, old in enumerate(needed)}
    needed_trees = [
        {
            name: places.get(value, value) if name in _BRANCHES else value
            for name, value in tree.items()
        }
        for tree in (trees[number] for number in needed)
    ]
    settings["labels"] = [places[label] for label in settings["labels"]]
    srsly.write_msgpack(folder / "trees", {"trees": needed_trees})
    srsly.write_json(folder / "cfg", settings)
    return {tree[name] for tree in needed_trees for name in ("orig", "subst") if name in tree}


def _reached(trees: list[dict[str, int]], labels: list[int]) -> set[int]:
    waiting, seen = list(labels), set[int]()
    while waiting:
        number = waiting.pop()
        # A branch that is not there has a number that no tree has.
        if number not in seen and number < len(trees):
            seen.add(number)
            waiting.extend(trees[number][name] for name in _BRANCHES if name in trees[number])
    return seen
