"""Our summarizers beside sumy's: how good, and how fast.

Run by ``make bench-summarizers``; ``QUICK=--quick`` leaves out the two of sumy's methods that take
minutes. All are generic, given the same sentences and cut off at the same number of words. Speed
is CPU time within one run, from texts to the summary, on clusters of 10 articles of about 500
words made of the demo's sentences; a figure is the best of several runs.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from pyramidion import kernels
from pyramidion.collection.formats import read_collection
from pyramidion.demo import load_demo
from pyramidion.summarizers import Limit, Source, parse_summarizer
from summarizer_inputs import clusters
from summarizer_quality import MEASURES, Compared, Quality, measure_quality
from sumy_methods import summarize_texts

OPINIONS = Path(__file__).resolve().parents[2] / "shared" / "data" / "opinosis_topics.jsonl.gz"
SLOW = ("sumy-kl", "sumy-lsa")

WORDS = 100
CLUSTERS, REPEATS, SUMY_REPEATS = 10, 7, 2
MANY_CLUSTERS, GROWTH, SENTENCES = 1_000, (1, 10, 100), 2_000
LEAST_RATIO, MOST_SECONDS, MOST_GROWTH, MOST_LEXRANK = 30, 60.0, 1.5, 5.0

SELECTED = (
    "The best of each side was found by the scores it is then tested with, ours among more "
    "systems than sumy's: p between the two is no test of systems named beforehand."
)

CONSOLE = Console(width=150)


class Row(NamedTuple):
    """A figure, and the bar it has to pass, if there is one."""

    what: str
    figure: str
    bar: str = ""
    passed: bool | None = None


def quality_table(title: str, quality: Quality) -> None:
    """Print what Tables 4.5 to 4.7 of the thesis show, the best by ROUGE-2 first."""
    columns = ("system", *MEASURES, "sentences", "words", "repetition")
    table = Table(*columns, title=title, title_justify="left")
    if quality.pyramid is not None:
        table.add_column("pyramid")
    compared = [quality.compared(measure) for measure in MEASURES]
    for system in sorted(quality.systems, key=lambda own: -compared[1][own].mean):
        table.add_row(system, *(_cell(own[system]) for own in compared), *_numbers(quality, system))
    CONSOLE.print(table)
    CONSOLE.print(
        "Recall with 95 % intervals and the p of a paired permutation test against the best of "
        "sumy by that measure. Repetition: the share of content words that an earlier sentence has "
        "said. Pyramid: modified score, content units found by similarity.\n"
        f"{SELECTED}\n"
    )


def _cell(found: Compared) -> str:
    against = " best" if found.p is None else f"{found.p:.3f}"
    return f"{found.mean:.3f} ({found.low:.3f}; {found.high:.3f}) {against}"


def _numbers(quality: Quality, system: str) -> Iterator[str]:
    yield f"{quality.mean(quality.sentences, system):.2f}"
    yield f"{quality.mean(quality.words, system):.1f}"
    yield f"{quality.mean(quality.repetition, system):.3f}"
    if quality.pyramid is not None:
        yield f"{quality.mean(quality.pyramid, system):.3f}"


def quality_rows(quality: Quality) -> Iterator[Row]:
    """Compare the best of both sides, and context adjustment with none."""
    for measure in MEASURES[1:]:
        ours, theirs = (quality.best(measure, sumy=side) for side in (False, True))
        found = quality.compared(measure)
        best, other = found[ours], found[theirs]
        figure = f"{ours} {best.mean:.4f}, {theirs} {other.mean:.4f}, p {best.p:.4f}"
        what = f"{measure}: the best of ours, of sumy (both chosen by these scores)"
        yield Row(what, figure, "at least as good", best.mean >= other.mean)
    names = "sum-avr", "sum-avr(context=off)"
    own, without, p = quality.less(quality.repetition, *names)
    figure = f"{own:.3f}, {without:.3f}, p {p:.4f}"
    yield Row("repetition of sum-avr with and without context", figure, "less", own < without)


def cpu_seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def our_seconds(name: str, inputs: list[list[str]], repeats: int = REPEATS) -> float:
    """CPU seconds for an input, from texts to the summary."""
    method = parse_summarizer(name)

    def work() -> None:
        for texts in inputs:
            method.summarize(Source.of_texts(texts), Limit(WORDS, "truncate"))

    return min(cpu_seconds(work) for _ in range(repeats)) / len(inputs)


def sumy_seconds(name: str, inputs: list[list[str]]) -> float:
    def work() -> None:
        for texts in inputs:
            summarize_texts(name, texts, WORDS)

    return min(cpu_seconds(work) for _ in range(SUMY_REPEATS)) / len(inputs)


def beside_sumy() -> Iterator[Row]:
    inputs = list(clusters(CLUSTERS))
    words = sum(len(text.split()) for texts in inputs for text in texts) / len(inputs)
    yield Row("words of a cluster", f"{words:,.0f}")
    for ours, theirs in (("sum-avr", "sumy-sumbasic"), ("lexrank", "sumy-lexrank")):
        own, sumy = our_seconds(ours, inputs), sumy_seconds(theirs, inputs)
        yield Row(f"{ours}: CPU ms a cluster", f"{own * 1000:,.2f}")
        yield Row(f"  {theirs}: CPU ms a cluster", f"{sumy * 1000:,.2f}")
        ratio = sumy / own
        yield Row("  ratio", f"{ratio:,.1f}", f"at least {LEAST_RATIO}", ratio >= LEAST_RATIO)


def many() -> Iterator[Row]:
    """Summarize a thousand clusters as they come."""
    method = parse_summarizer("sum-avr")
    seconds, words = 0.0, 0
    for texts in clusters(MANY_CLUSTERS, seed=1):
        words += sum(len(text.split()) for text in texts)
        seconds += cpu_seconds(lambda own=texts: method.summarize(Source.of_texts(own)))
    what = f"sum-avr, {MANY_CLUSTERS:,} clusters of {words / 1e6:.1f} million words: CPU s"
    yield Row(what, f"{seconds:.1f}", f"under {MOST_SECONDS:.0f}", seconds < MOST_SECONDS)


def growth() -> Iterator[Row]:
    """Summarize inputs of 1, 10 and 100 times as many articles."""
    each = []
    for times in GROWTH:
        [texts] = clusters(1, articles=10 * times)
        seconds = our_seconds("sum-avr", [texts], repeats=3 if times > 10 else REPEATS)
        each.append(seconds / sum(len(text.split()) for text in texts))
        yield Row(f"sum-avr, {10 * times:,} articles: CPU s", f"{seconds:.3f}")
        yield Row("  a word: µs", f"{each[-1] * 1e6:.2f}")
    grown = each[-1] / each[0]
    yield Row(
        "  a word of the most to one of the fewest",
        f"{grown:.2f}",
        f"under {MOST_GROWTH}",
        grown < MOST_GROWTH,
    )


def large_graph() -> Iterator[Row]:
    [texts] = clusters(1, articles=SENTENCES)
    source = Source.of_texts(texts)
    few = [" ".join(source.texts[:SENTENCES])]
    number = len(Source.of_texts(few))
    seconds = our_seconds("lexrank", [few], repeats=3)
    bar = f"under {MOST_LEXRANK:.0f}"
    yield Row(
        f"lexrank, {number:,} sentences: CPU s", f"{seconds:.2f}", bar, seconds < MOST_LEXRANK
    )


def show(title: str, rows: Iterator[Row]) -> bool:
    """Print rows; tell whether all bars are met."""
    table = Table("", title, "bar", "bars met", title_justify="left")
    met = True
    for row in rows:
        verdict = {None: "", True: "bars met: yes", False: "bars met: NO"}[row.passed]
        table.add_row(row.what, row.figure, row.bar, verdict)
        met &= row.passed is not False
    CONSOLE.print(table)
    return met


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"leave out {' and '.join(SLOW)}")
    parser.add_argument("--speed", action="store_true", help="measure speed only")
    arguments = parser.parse_args()
    if kernels.BACKEND != "native":
        print("the native kernels are not in use: nothing to measure", file=sys.stderr)
        return 1
    left_out = SLOW if arguments.quick else ()
    verdicts = [
        show("beside sumy, 10 articles", beside_sumy()),
        show("many clusters", many()),
        show("growth", growth()),
        show("a large graph", large_graph()),
    ]
    if not arguments.speed:
        quality_table(
            "The demo's topics, task A, 100 words",
            measure_quality(load_demo(), "A", 100, left_out=left_out),
        )
        verdicts.append(opinions(left_out))
    return 0 if all(verdicts) else 1


def opinions(left_out: tuple[str, ...]) -> bool:
    if not OPINIONS.exists():
        print(f"{OPINIONS.name} is not beside this checkout: left out", file=sys.stderr)
        return True
    collection = read_collection(OPINIONS)
    [task] = collection.task_ids
    quality = measure_quality(collection, task, 20, left_out=left_out)
    quality_table("Opinosis, 20 words", quality)
    return show("opinosis", quality_rows(quality))


if __name__ == "__main__":
    sys.exit(main())
