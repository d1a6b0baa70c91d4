"""Names of persons, places and organizations on documents that were left out in turn, and in news.

Run by ``make bench AREA=names`` where the open sets are at hand. Over the openly licensed genres of
GUM (train and dev) models are trained on all documents but a tenth and tried on that tenth; a name
counts if both ends and the kind are right. Where GUM makes *captain* the head of *captain Harry
Kane* the name counts as marked (``repair.py``), which ``make bench AREA=parsing`` does not do;
without that F is about one point lower. Features were chosen on these documents, so figures are
slightly optimistic. A second row has names of single people only: GUM marks peoples and offices
(*Aztecs*, *Madam Speaker*) as persons, too. On the chains of ECB+ the parsers as they are shipped
are asked for the names of people, and for organizations that they take for people; nothing was
trained on ECB+.
"""

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.text import split_sentences
from pyramidion.text.parsing import ParsedWord, load_parser

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import train_names  # noqa: E402

DATA = ROOT.parent / "shared" / "data"
FOLDS, SEED, LEAST = 10, 0, 75.0
KINDS = ("person", "place", "organization")
_KINDS = ROOT / "benchmarks" / "ecbplus_kinds.txt"
#: What stands before a name within a mention of ECB+.
_TITLES = (
    "Attorney Charger Dr Dr. Gov. Mr Mr. Ms. boss defensive lawyer lineman star stepmom tackle"
)
CONSOLE = Console(width=120)


def left_out(folds: int) -> dict[str, Counter[str]]:
    """Find names in documents by models that have not seen them; count by way of counting."""
    parts = train_names.documents(DATA / "treebanks")
    helpers = train_names.helpers(parts)
    documents = [document for part in train_names.PARTS[1:] for document in parts[part]]
    examples = [train_names.examples_of([document], 1.0) for document in documents]
    order = np.random.default_rng(SEED).permutation(len(documents))
    counts = {"all names": Counter[str](), "names of single people": Counter[str]()}
    for fold in range(folds):
        training = [examples[number] for index, number in enumerate(order) if index % folds != fold]
        model = train_names.train([*training, *helpers])
        for number in order[fold::folds].tolist():
            count(documents[number], model.find(documents[number].text), counts)
    return counts


def count(
    document: train_names.Document, predicted: Sequence[Any], counts: dict[str, Counter[str]]
) -> None:
    """Count names that are right, found, and marked."""
    for (words, tags), marked, predicted_names in zip(
        document.text, document.names, predicted, strict=True
    ):
        expected = {(name.first, name.last - 1, name.type) for name in marked}
        for what, total in counts.items():
            single = what != "all names"
            ours, theirs = (
                {n for n in group if not (single and several(words, tags, n))}
                for group in (set(predicted_names), expected)
            )
            for kind in KINDS:
                total[f"{kind} right"] += sum(n[2] == kind for n in ours & theirs)
                total[f"{kind} found"] += sum(n[2] == kind for n in ours)
                total[f"{kind} marked"] += sum(n[2] == kind for n in theirs)


def several(words: Sequence[str], tags: Sequence[str], name: tuple[int, int, str]) -> bool:
    """Return whether a person's name is a plural, or one word with an article: no single person."""
    first, last, kind = name
    article = first > 0 and first == last and words[first - 1].lower() in ("a", "an", "the")
    return kind == "person" and (tags[last] == "NNPS" or article)


def kinds_of_chains() -> dict[tuple[str, str], str]:
    """Read which chains name a person, and which an organization."""
    rows = [line.split() for line in _KINDS.read_text(encoding="utf-8").splitlines()[1:]]
    return {(topic, chain): kind for kind, topic, chain in rows}


def chain_names(chain: dict[str, Any], kind: str) -> Iterator[tuple[int, int, int]]:
    """Return the mentions that are names: a document's number, start and end.

    A person's name has the first or the last word of the fullest form in common.
    """
    spans_found = []
    for mention in chain["mentions"]:
        text = mention["text"].rstrip("'").removesuffix("'s")
        words, start = text.split(), mention["start"]
        while len(words) > 1 and words[0] in _TITLES.split():
            start += len(words.pop(0)) + 1
        if words and all(re.match(r"[A-Z0-9][\w.'’-]*$", word) for word in words):
            spans_found.append((words, (mention["document"], start, mention["start"] + len(text))))
    forms = Counter(" ".join(words) for words, _ in spans_found if len(words) > 1)
    full = forms.most_common(1)[0][0].split() if forms else []
    for words, span in spans_found:
        same = full and (words[0] == full[0] or words[-1] == full[-1])
        if same or (kind == "organization" and words != ["We"]):
            yield span


def chains(pipeline: str) -> Counter[Any]:
    """Count names of people in ECB+ that are found, and organizations taken for people."""
    parser, counts, kinds = load_parser(pipeline), Counter[Any](), kinds_of_chains()
    with gzip.open(DATA / "ecbplus_clusters.jsonl.gz", "rt", encoding="utf-8") as lines:
        topics = [json.loads(line) for line in lines]
    for topic in topics:
        people = [people_in(text, parser) for text in topic["documents"]]
        for chain in topic["people"]:
            kind = kinds.get((topic["topic"], chain["chain"]), "")
            for document, start, end in chain_names(chain, kind) if kind else ():
                touched = any(a < end and start < b for a, b in people[document])
                counts[kind, "all"] += 1
                counts[kind] += (start, end) in people[document] if kind == "person" else touched
    return counts


def people_in(text: str, parser: Any) -> set[tuple[int, int]]:
    """Find the names of people in an article."""
    begins, sentences, at = [], [], 0
    for line in text.splitlines():
        for sentence in split_sentences(line):
            at = text.index(sentence, at)
            begins.append(at)
            sentences.append(sentence)
            at += len(sentence)
    people = set()
    for begin, words in zip(begins, parser.parse(sentences), strict=True):
        people |= {(begin + a, begin + b) for a, b in spans(words)}
    return people


def spans(words: Sequence[ParsedWord]) -> Iterator[tuple[int, int]]:
    """Return where the names of people stand."""
    for index, word in enumerate(words):
        if word.opens and word.entity == "person":
            last = index
            while last + 1 < len(words) and words[last + 1].entity and not words[last + 1].opens:
                last += 1
            yield word.start, words[last].end


def main() -> int:
    """Print the figures next to their bar."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=FOLDS)
    parser.add_argument("--pipelines", nargs="+", default=["", "light"], metavar="NAME")
    options = parser.parse_args()
    table = Table("counted", *(f"{kind} {what}" for kind in KINDS for what in "PRF"))
    figures = left_out(options.folds)
    for what, counts in figures.items():
        cells = []
        for kind in KINDS:
            right, predicted, marked = (counts[f"{kind} {n}"] for n in ("right", "found", "marked"))
            cells += [right / predicted, right / marked, 2 * right / (predicted + marked)]
        table.add_row(what, *(f"{100 * cell:.1f}" for cell in cells))
    table.title = f"GUM, documents left out in turn ({options.folds} parts), percent"
    CONSOLE.print(table)
    news = Table("parser", "names of people found", "organizations taken for people")
    for pipeline in options.pipelines:
        predicted = chains(pipeline)
        cells = (f"{predicted[n]} of {predicted[n, 'all']}" for n in ("person", "organization"))
        news.add_row(load_parser(pipeline).name, *cells)
    news.title = "ECB+, names in chains"
    CONSOLE.print(news)
    counts = figures["all names"]
    right, both = counts["person right"], counts["person found"] + counts["person marked"]
    passed = 200 * right / both >= LEAST
    CONSOLE.print(f"bar: F {LEAST} for persons: {'passed' if passed else 'MISSED'}")
    return not passed


if __name__ == "__main__":
    sys.exit(main())
