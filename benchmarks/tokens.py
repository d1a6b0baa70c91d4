"""Tokens per CPU second: the compiled kernels compared with their Python specification.

Run by ``make bench``. Texts are made up from the stop list and the table of irregular forms,
with Zipf's frequencies; each figure is the best of several runs of the same work.
"""

import sys
import time
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.kernels import lexicon, porter, tokens, vocabulary
from pyramidion.text import STOP_WORDS, tokenize
from pyramidion.text import tokens as stems

TEXTS, WORDS = 2_000, 100
REPEATS = 5

PYTHON = SimpleNamespace(
    Lexicon=lexicon.Lexicon,
    Vocabulary=vocabulary.Vocabulary,
    porter_stem=porter.porter_stem,
    rouge_tokens=tokens.rouge_tokens,
)
Kernels = SimpleNamespace | ModuleType


def made_up_texts() -> list[str]:
    """Ten sentences a text, a line each; the same at each run."""
    forms = stems._irregular_forms()
    vocabulary = sorted(STOP_WORDS) + sorted({*forms, *forms.values()})
    frequencies = 1 / np.arange(1, len(vocabulary) + 1)
    rng = np.random.default_rng(0)
    sampled = rng.choice(
        vocabulary, size=(TEXTS, 10, WORDS // 10), p=frequencies / frequencies.sum()
    )
    return ["\n".join(" ".join(line) + "." for line in text) for text in sampled.tolist()]


def cpu_seconds(work: Callable[[], Any], *, repeats: int = REPEATS) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def works(kernels: Kernels, texts: list[str], words: list[str]) -> dict[str, Callable[[], Any]]:
    lexicon = kernels.Lexicon(stems._irregular_forms(), STOP_WORDS)
    full = kernels.Vocabulary(lexicon, stem=True)
    full.encode(texts)
    return {
        "tokens as str": lambda: [kernels.rouge_tokens(text) for text in texts],
        "Porter stems, one call per word": lambda: [kernels.porter_stem(word) for word in words],
        "encode": lambda: kernels.Vocabulary(lexicon).encode(texts),
        "encode, stemmed": lambda: kernels.Vocabulary(lexicon, stem=True).encode(texts),
        "encode, stemmed, no stop words": lambda: kernels.Vocabulary(
            lexicon, stem=True, stop_words=True
        ).encode(texts),
        "encode, stemmed, known words": lambda: full.encode(texts),
    }


def main() -> int:
    texts = made_up_texts()
    words = [word for text in texts for word in tokenize(text)]
    table = Table(title=f"{len(words):,} tokens in {TEXTS:,} texts; million tokens per CPU second")
    for column in ("work", "native", "Python", "ratio"):
        table.add_column(column, justify="left" if column == "work" else "right")
    try:
        from pyramidion.kernels import _native
    except ImportError:
        print("the native kernels are not built: nothing to compare", file=sys.stderr)
        return 1
    compiled, specified = works(_native, texts, words), works(PYTHON, texts, words)
    for name in compiled:
        native = len(words) / cpu_seconds(compiled[name]) / 1e6
        python = len(words) / cpu_seconds(specified[name], repeats=2) / 1e6
        table.add_row(name, f"{native:.1f}", f"{python:.2f}", f"{native / python:.1f}")
    add_unicode(table, texts)
    Console().print(table)
    return 0


def add_unicode(table: Table, texts: list[str]) -> None:
    """Add the other tokenizer, which is Python only, on text that is not all ASCII."""
    accented = [text.replace("e", "é") for text in texts]
    count = sum(len(tokenize(text, "unicode")) for text in accented)
    seconds = cpu_seconds(lambda: [tokenize(text, "unicode") for text in accented])
    table.add_row("unicode tokens as str", "", f"{count / seconds / 1e6:.2f}", "")


if __name__ == "__main__":
    sys.exit(main())
