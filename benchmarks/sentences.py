"""Sentence splitters side by side: what they get right, and how fast.

Run by ``make bench``. Passages are those of ``tests/gold/sentences*.json``: each is a text and
its sentences. A passage is exact when all its sentences are; boundaries are counted between
the characters that are not white space. With the treebanks next to the checkout, the
boundaries of their documents are counted too. Speed is measured on documents of ten passages
each, in CPU time of one core, by sentences and words of the gold. A peer that is not
installed is left out.

Our rules have met the hard passages: the honest figures for them are those of the first
meeting, which the note in ``sentences_hard.json`` keeps.
"""

import gzip
import importlib
import itertools
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from pyramidion.text import split_sentences

Splitter = Callable[[str], list[str]]
Passage = tuple[str, list[str]]

ROOT = Path(__file__).resolve().parents[1]
TREEBANKS = ROOT.parent / "shared" / "data" / "treebanks"
PASSAGES_A_DOCUMENT = 10
SECONDS = 1.0


def ours() -> Splitter:
    return split_sentences


def sentencex() -> Splitter:
    segment = importlib.import_module("sentencex").segment
    return lambda text: list(segment("en", text))


def pysbd() -> Splitter:
    segment = importlib.import_module("pysbd").Segmenter(language="en", clean=False).segment
    return lambda text: list(segment(text))


def nupunkt() -> Splitter:
    tokenize = importlib.import_module("nupunkt").sent_tokenize
    return lambda text: list(tokenize(text))


def syntok() -> Splitter:
    analyze = importlib.import_module("syntok.segmenter").analyze

    def split(text: str) -> list[str]:
        sentences = itertools.chain.from_iterable(analyze(text))
        return [
            "".join(token.spacing + token.value for token in sentence) for sentence in sentences
        ]

    return split


def gold(name: str) -> list[Passage]:
    passages = json.loads((ROOT / "tests" / "gold" / name).read_text("utf-8"))["boundaries"]
    return [(passage["text"], passage["sentences"]) for passage in passages]


def treebank(name: str) -> list[Passage]:
    """Rebuild the documents of a treebank: sentences, and paragraphs that a blank line parts."""
    documents: list[list[list[str]]] = []
    with gzip.open(TREEBANKS / name, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# newdoc"):
                documents.append([[]])
            elif line.startswith(("# newpar id", "# newpar\n")):
                documents[-1].append([])
            elif line.startswith("# text = "):
                documents[-1][-1].append(line.removeprefix("# text = ").strip())
    return [
        ("\n\n".join(" ".join(part) for part in parts if part), list(itertools.chain(*parts)))
        for parts in documents
    ]


def split_trimmed(split: Splitter, text: str) -> list[str]:
    return [sentence for raw in split(text) if (sentence := raw.strip())]


def boundaries(sentences: list[str]) -> set[int]:
    """Where sentences end, counted in characters that are not white space; the last is left out."""
    lengths = (len("".join(sentence.split())) for sentence in sentences)
    return set(list(itertools.accumulate(lengths))[:-1])


def exact(split: Splitter, passages: list[Passage]) -> int:
    return sum(split_trimmed(split, text) == sentences for text, sentences in passages)


def boundary_f1(split: Splitter, passages: list[Passage]) -> float:
    both = either = 0
    for text, sentences in passages:
        expected, predicted = boundaries(sentences), boundaries(split_trimmed(split, text))
        both += len(expected & predicted)
        either += len(expected) + len(predicted)
    return 2 * both / either


def speed(split: Splitter, documents: list[Passage]) -> tuple[float, float]:
    """Return sentences and words per CPU second."""
    split(documents[0][0])
    sentences = words = 0
    start = time.process_time()
    for text, parts in itertools.cycle(documents):
        split(text)
        sentences += len(parts)
        words += text.count(" ") + 1
        elapsed = time.process_time() - start
        if elapsed > SECONDS:
            return sentences / elapsed, words / elapsed
    raise AssertionError("no documents")


def joined(passages: list[Passage]) -> list[Passage]:
    numbers = range(0, len(passages), PASSAGES_A_DOCUMENT)
    chunks = (passages[number : number + PASSAGES_A_DOCUMENT] for number in numbers)
    return [
        (
            " ".join(text for text, _ in chunk),
            [sentence for _, parts in chunk for sentence in parts],
        )
        for chunk in chunks
    ]


def installed() -> Iterator[tuple[str, Splitter]]:
    for make in (ours, sentencex, pysbd, nupunkt, syntok):
        try:
            yield make.__name__, make()
        except ImportError:
            print(f"{make.__name__} is not installed and left out", file=sys.stderr)


def main() -> int:
    warnings.simplefilter("ignore")
    sets = {"gold": gold("sentences.json"), "hard": gold("sentences_hard.json")}
    banks = {"GUM dev": "gum-open-dev.conllu.gz", "EWT dev": "ewt-dev.conllu.gz"}
    trees = {name: treebank(file) for name, file in banks.items() if (TREEBANKS / file).exists()}
    documents = joined(sets["hard"] + sets["gold"])
    table = Table(title="Sentence splitters; CPU time of one core")
    table.add_column("splitter")
    columns = [f"{name} exact of {len(passages)}" for name, passages in sets.items()]
    columns += [f"{name} F1" for name in (*sets, *trees)]
    for column in (*columns, "sentences/s", "words/s", "speed, ours = 1"):
        table.add_column(column, justify="right")
    our_seconds = 0.0
    for name, split in installed():
        rate, words = speed(split, documents)
        our_seconds = our_seconds or rate
        row = [str(exact(split, passages)) for passages in sets.values()]
        row += [f"{boundary_f1(split, texts):.3f}" for texts in (*sets.values(), *trees.values())]
        table.add_row(name, *row, f"{rate:,.0f}", f"{words:,.0f}", f"{rate / our_seconds:.2f}")
    Console(width=130).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
