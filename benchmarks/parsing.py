"""Parsers on dev parts of treebanks and on news with persons, in the package's small vocabulary.

Run by ``make bench AREA=parsing OPTIONS=folder``. Every parser is measured through `load_parser`,
as everything else in the package meets it: words, tags, heads and relations on EWT dev and GUM dev
(punctuation left out, a head counts if the word was found at all), names on GUM dev, and the
sentences of ``people.json``; words per CPU second are of the whole parser, best of several runs.
Some patterns of the pipeline's made sentences were written with ``people.json`` in view, so a
second set of ten sentences, ``tests/gold/people_second.json``, is measured as well. The trained
pipeline's figures in the treebanks' own labels are printed by ``make train MODEL=english``.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from pyramidion.text.parsing import RELATIONS, ParsedWord, Parser, load_parser

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools" / "model"))
from names import with_gold_names
from people import people_figures
from treebank import Sentence, read_treebank

REPEATS = 3
SECOND = Path(__file__).resolve().parents[1] / "tests" / "gold" / "people_second.json"
KINDS = ("person", "place", "organization")


def spans(sentence: Sentence) -> list[tuple[int, int]]:
    """Return where the treebank's words begin and end."""
    spans_of_words, start = [], 0
    for word in sentence.words:
        spans_of_words.append((start, start + len(word.text)))
        start += len(word.text) + word.space
    return spans_of_words


def counted(sentence: Sentence, words: Sequence[ParsedWord]) -> Counter[str]:
    """Count what is right in a sentence."""
    by_span = {(word.start, word.end): word for word in words}
    gold = spans(sentence)
    counts = Counter({"words": 0})
    for index, word in enumerate(sentence.words):
        parsed = by_span.get(gold[index])
        counts["found"] += parsed is not None
        counts["tags"] += parsed is not None and parsed.tag == word.upos
        if word.relation == "punct":
            continue
        counts["heads"] += 1
        if parsed is None:
            continue
        above = words[parsed.head]
        right = (above.start, above.end) == gold[word.head]
        relation = "root" if word.head == index else RELATIONS.get(word.relation, word.relation)
        counts["uas"] += right
        counts["las"] += right and parsed.relation == relation
    counts["words"], counts["own"] = len(sentence.words), len(words)
    return counts + named(sentence, words, gold)


def named(
    sentence: Sentence, words: Sequence[ParsedWord], gold: Sequence[tuple[int, int]]
) -> Counter[str]:
    """Count names."""
    counts: Counter[str] = Counter()
    expected = {(gold[n.first][0], gold[n.last - 1][1], n.type) for n in sentence.names or ()}
    predicted = set(names_in(words))
    for kind in KINDS:
        ours, theirs = ({n for n in group if n[2] == kind} for group in (predicted, expected))
        counts[f"{kind} right"] += len(ours & theirs)
        counts[f"{kind} all"] += len(ours) + len(theirs)
    return counts


def names_in(words: Sequence[ParsedWord]) -> Iterator[tuple[int, int, str]]:
    """Return the names of a parsed sentence."""
    for index, word in enumerate(words):
        if word.opens:
            last = index
            while last + 1 < len(words) and words[last + 1].entity and not words[last + 1].opens:
                last += 1
            yield word.start, words[last].end, word.entity


def measured(parser: Parser, sentences: Sequence[Sentence]) -> tuple[Counter[str], float]:
    texts = [sentence.text for sentence in sentences]
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        parsed = parser.parse(texts)
        times.append(time.process_time() - began)
    counts = Counter[str]()
    for sentence, words in zip(sentences, parsed, strict=True):
        counts.update(counted(sentence, words))
    return counts, counts["own"] / min(times)


def figures(counts: Counter[str]) -> list[str]:
    shares = (
        2 * counts["found"] / (counts["words"] + counts["own"]),
        counts["tags"] / counts["words"],
        counts["uas"] / counts["heads"],
        counts["las"] / counts["heads"],
    )
    names = (2 * counts[f"{kind} right"] / max(1, counts[f"{kind} all"]) for kind in KINDS)
    marked = any(counts[f"{kind} all"] for kind in KINDS)
    cells = [f"{100 * share:.1f}" for share in shares]
    return [*cells, *(f"{100 * share:.1f}" if marked else "" for share in names)]


def people_table(title: str, path: Path, parsers: Sequence[Parser]) -> Table:
    """Count what parsers find on sentences with persons."""
    table = Table(title=title)
    for parser in parsers:
        counts = people_figures(parser, path).counts
        if not table.columns:
            for column in ("parser", *counts):
                table.add_column(column)
        table.add_row(parser.name, *(f"{a} of {b}" for a, b in counts.values()))
    return table


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("treebanks", type=Path)
    options.add_argument("--people", type=Path, help="people.json")
    options.add_argument("--pipelines", nargs="+", default=["", "light"], metavar="NAME")
    arguments = options.parse_args()
    ewt = list(read_treebank(arguments.treebanks / "ewt-dev.conllu.gz"))
    gum = list(with_gold_names(read_treebank(arguments.treebanks / "gum-open-dev.conllu.gz")))
    table = Table(title="percent; words per CPU second")
    for column in ("parser", "part", "words", "tags", "UAS", "LAS", *KINDS, "words a CPU s"):
        table.add_column(column, justify="left" if column in ("parser", "part") else "right")
    parsers = [load_parser(pipeline) for pipeline in arguments.pipelines]
    for parser in parsers:
        for part, sentences in (("EWT dev", ewt), ("GUM dev", gum)):
            counts, speed = measured(parser, sentences)
            cells = figures(counts)
            if part == "EWT dev":
                cells[4:] = ["", "", ""]
            table.add_row(parser.name, part, *cells, f"{speed:,.0f}")
    console = Console(width=120)
    console.print(table)
    if arguments.people:
        console.print(people_table("sentences with persons", arguments.people, parsers))
    console.print(people_table("sentences with persons, second set", SECOND, parsers))
    return 0


if __name__ == "__main__":
    sys.exit(main())
