"""Count the words of the treebanks: writes the background that topic signatures are compared with.

Run by ``make train MODEL=background`` where the treebanks are at hand; see
``background.md`` of `pyramidion-english`.
"""

import argparse
import gzip
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from pyramidion.text import english_file, tokenize

TARGET = english_file("background.tsv.gz", "training")
TREEBANKS = ("ewt-train", "ewt-dev", "gum-open-train", "gum-open-dev")


def documents(path: Path) -> Iterator[list[str]]:
    """Return the sentences of each document of a treebank."""
    sentences: list[str] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# newdoc") and sentences:
                yield sentences
                sentences = []
            elif line.startswith("# text = "):
                sentences.append(line.removeprefix("# text = "))
    yield sentences


def counted(texts: Iterable[list[str]]) -> tuple[Counter[str], Counter[str], int]:
    """Count words, the documents that have each word, and documents."""
    words: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    number = 0
    for sentences in texts:
        counts = Counter(word for sentence in sentences for word in tokenize(sentence))
        words += counts
        spread.update(counts.keys())
        number += 1
    return words, spread, number


def main() -> None:
    """Write the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("--output", type=Path, default=TARGET)
    arguments = parser.parse_args()
    files = (arguments.treebanks / f"{name}.conllu.gz" for name in TREEBANKS)
    words, spread, number = counted(text for file in files for text in documents(file))
    lines = [f"# documents {number}\n"]
    lines += [f"{word}\t{words[word]}\t{spread[word]}\n" for word in sorted(words)]
    data = gzip.compress("".join(lines).encode(), compresslevel=9, mtime=0)
    arguments.output.write_bytes(data)
    print(f"{number} documents, {words.total()} words, {len(words)} different: {len(data)} bytes")


if __name__ == "__main__":
    main()
