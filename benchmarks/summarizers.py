"""Our summarizers compared with sumy's: quality and speed.

Run by ``make bench AREA=summarizers``; ``OPTIONS=--quick`` leaves out the two of sumy's methods
that take minutes. All are generic, given the same sentences and cut off at the same number of
words. Speed is CPU time within one run, from texts to the summary, on clusters of 10 articles of
about 500 words made of the demo's sentences; a figure is the mean over inputs of the best of
several runs.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from pyramidion import kernels
from pyramidion.demo import load_demo
from pyramidion.summarizers import Limit, Source, parse_summarizer, summarizer_names
from summarizer_inputs import clusters
from summarizer_quality import (
    MEASURES,
    Compared,
    Quality,
    against,
    measure_quality,
    ours,
    score_cases,
    sumys,
)
from summarizer_sets import SEVERAL, cases
from sumy_methods import SUMY, summarize_texts

SLOW = ("sumy-kl", "sumy-lsa")

WORDS = 100
CLUSTERS, REPEATS, SUMY_REPEATS = 10, 20, 3
MANY_CLUSTERS, GROWTH, SENTENCES = 1_000, (1, 10, 100), 2_000
MOST_SECONDS, MOST_GROWTH, MOST_LEXRANK, MOST_ARTICLES = 60.0, 1.5, 5.0, 3.0
#: Our method, sumy's, and how many times faster ours must be.
RATIOS = (
    ("sum-avr", "sumy-sumbasic", 40),
    ("lexrank", "sumy-lexrank", 90),
    ("auto", "sumy-lexrank", 5),
)
ALPHA = 0.05

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
    for system in sorted(quality.systems, key=lambda system: -compared[1][system].mean):
        table.add_row(
            system,
            *(_cell(measure_results[system]) for measure_results in compared),
            *_numbers(quality, system),
        )
    CONSOLE.print(table)
    CONSOLE.print(
        "Recall with 95 % intervals and the p of a paired permutation test against the best of "
        "sumy by that measure. Repetition: the share of content words that an earlier sentence has "
        "said. Pyramid: modified score, content units found by similarity.\n"
        f"{SELECTED}\n"
    )


def _cell(compared: Compared) -> str:
    against = " best" if compared.p is None else f"{compared.p:.3f}"
    return f"{compared.mean:.3f} ({compared.low:.3f}; {compared.high:.3f}) {against}"


def _numbers(quality: Quality, system: str) -> Iterator[str]:
    yield f"{quality.mean(quality.sentences, system):.2f}"
    yield f"{quality.mean(quality.words, system):.1f}"
    yield f"{quality.mean(quality.repetition, system):.3f}"
    if quality.pyramid is not None:
        yield f"{quality.mean(quality.pyramid, system):.3f}"


def open_sets(left_out: tuple[str, ...]) -> bool:
    """Compare ``auto`` with every method on the open sets of several documents."""
    names = [name for name in summarizer_names() if name not in ("llm", "oracle")]
    systems = {name: ours(name) for name in names} | {
        name: sumys(name) for name in SUMY if name not in left_out
    }
    sets = {name: cases("several", name, words) for name, words in SEVERAL.items()}
    scores = {name: score_cases(cases, systems) for name, cases in sets.items() if cases}
    if not scores:
        return True
    met = True
    for measure in MEASURES[1:]:
        compared = {name: against(matrices[measure], "auto") for name, matrices in scores.items()}
        means = {
            system: sum(results[system][0] for results in compared.values()) / len(compared)
            for system in systems
        }
        table = Table("", *compared, "mean over sets", title=f"{measure}, p against auto")
        for system in sorted(systems, key=lambda system: -means[system]):
            cells = (
                f"{mean:.4f} {p:.3f}"
                for mean, p in (results[system] for results in compared.values())
            )
            table.add_row(system, *cells, f"{means[system]:.4f}")
        CONSOLE.print(table)
        met &= show(measure, _open_rows(compared, means))
    return met


def _open_rows(
    compared: dict[str, dict[str, tuple[float, float]]], means: dict[str, float]
) -> Iterator[Row]:
    best = max((system for system in means if system != "auto"), key=means.__getitem__)
    figure = f"{means['auto']:.4f}, {best} {means[best]:.4f}"
    yield Row(
        "mean over sets: auto, the best other", figure, "at or above", means["auto"] >= means[best]
    )
    for name, results in compared.items():
        above = [
            f"{system} {mean:.4f} p {p:.3f}"
            for system, (mean, p) in results.items()
            if mean > results["auto"][0] and p < ALPHA
        ]
        what = f"{name}: significantly above auto"
        yield Row(what, ", ".join(above) or "none", "none", not above)


def cpu_seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def seconds_each(work: Callable[[list[str]], Any], inputs: list[list[str]], repeats: int) -> float:
    """CPU seconds for an input: the best of several runs of each, so that load matters little."""
    runs = [[cpu_seconds(partial(work, texts)) for texts in inputs] for _ in range(repeats)]
    return sum(map(min, zip(*runs, strict=True))) / len(inputs)


def our_seconds(name: str, inputs: list[list[str]], repeats: int = REPEATS) -> float:
    """CPU seconds for an input, from texts to the summary."""
    method = parse_summarizer(name)

    def work(texts: list[str]) -> None:
        method.summarize(Source.of_texts(texts), Limit(WORDS, "truncate"))

    return seconds_each(work, inputs, repeats)


def sumy_seconds(name: str, inputs: list[list[str]]) -> float:
    return seconds_each(lambda texts: summarize_texts(name, texts, WORDS), inputs, SUMY_REPEATS)


def beside_sumy() -> Iterator[Row]:
    inputs = list(clusters(CLUSTERS))
    words = sum(len(text.split()) for texts in inputs for text in texts) / len(inputs)
    yield Row("words per cluster", f"{words:,.0f}")
    sumy = {theirs: sumy_seconds(theirs, inputs) for theirs in {pair[1] for pair in RATIOS}}
    for name, theirs, least in RATIOS:
        our_time = our_seconds(name, inputs)
        yield Row(f"{name}: CPU ms per cluster", f"{our_time * 1000:,.2f}")
        yield Row(f"  {theirs}: CPU ms per cluster", f"{sumy[theirs] * 1000:,.2f}")
        ratio = sumy[theirs] / our_time
        yield Row("  ratio", f"{ratio:,.1f}", f"at least {least}", ratio >= least)


def articles() -> Iterator[Row]:
    """Summarize a thousand articles, together and one by one."""
    [texts] = clusters(1, articles=1000)
    for what, inputs in (
        ("one input of", [texts]),
        ("separate inputs,", [[text] for text in texts]),
    ):
        seconds = our_seconds("auto", inputs, repeats=2) * len(inputs)
        bar = f"at most {MOST_ARTICLES:.0f}"
        yield Row(
            f"auto, {what} 1,000 articles: CPU s", f"{seconds:.2f}", bar, seconds <= MOST_ARTICLES
        )


def many() -> Iterator[Row]:
    """Summarize a thousand clusters as they come."""
    method = parse_summarizer("sum-avr")
    seconds, words = 0.0, 0
    for texts in clusters(MANY_CLUSTERS, seed=1):
        words += sum(len(text.split()) for text in texts)
        seconds += cpu_seconds(lambda inputs=texts: method.summarize(Source.of_texts(inputs)))
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
        yield Row("  per word: µs", f"{each[-1] * 1e6:.2f}")
    grown = each[-1] / each[0]
    yield Row(
        "  per word, most relative to fewest words",
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
    """Print rows; return whether all bars are met."""
    table = Table("", title, "bar", "", title_justify="left")
    met = True
    for row in rows:
        verdict = {None: "", True: "passed", False: "MISSED"}[row.passed]
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
        show("compared with sumy, 10 articles", beside_sumy()),
        show("a thousand articles", articles()),
        show("many clusters", many()),
        show("growth", growth()),
        show("a large graph", large_graph()),
    ]
    if not arguments.speed:
        quality_table(
            "The demo's topics, task A, 100 words",
            measure_quality(load_demo(), "A", 100, left_out=left_out),
        )
        verdicts.append(open_sets(left_out))
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
