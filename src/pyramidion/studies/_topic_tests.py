"""How many pairs tests find, and how often they agree, by the number of topics (Rankel, 8.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations, cycle

import numpy as np

from pyramidion._types import Bools
from pyramidion.collection import ScoreMatrix
from pyramidion.comparison.common import joined, known_mean
from pyramidion.comparison.measure_tables import MeasureInput, scope_name
from pyramidion.comparison.procedures import TestName
from pyramidion.errors import InputError
from pyramidion.meta_evaluation import VerdictOptions
from pyramidion.meta_evaluation._agreement import judge_pairs
from pyramidion.questions import Options, option, question
from pyramidion.rendering.charts import Picture
from pyramidion.rendering.charts.curves import Panel, Series, panels_picture
from pyramidion.rendering.charts.style import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart, FiguresResult, signed
from pyramidion.rendering.table import Table
from pyramidion.stats.pairs import all_pairs

_MIN_TOPICS = 3
_SAMPLE_SIZES = (5, 10, 15, 20, 30, 50, 100)


@dataclass(frozen=True, slots=True)
class TopicTestsOptions(Options):
    """Which tests are compared, and on how many topics."""

    topics: tuple[int, ...] = option(
        (), "Numbers of topics, comma-separated; by default 5, 10, 15, 20, 30, 50 and 100 (if "
        "available), and all.", min=_MIN_TOPICS,
    )  # fmt: skip
    test: tuple[TestName, ...] = option(
        ("unpaired-t", "paired-t", "wilcoxon", "permutation"), "Tests to compare, comma-separated: "
        "permutation, wilcoxon, paired-t, unpaired-t, welch, mc, hb or kruskal.",
    )  # fmt: skip
    samples: int = option(20, "Number of random sets of topics of each size.", min=1, max=10_000)
    alpha: float = option(0.05, "Significance level of the tests.", between=(0, 1))
    n_resamples: int = option(
        2000, "Number of resamples for the tests permutation, mc and hb.",
        flags=("--resamples",), min=1, max=10_000_000,
    )  # fmt: skip
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)

    def sizes(self, n_available: int) -> list[int]:
        """Return the numbers of topics that are available."""
        topic_counts = self.topics or (*_SAMPLE_SIZES, n_available)
        return sorted({size for size in topic_counts if _MIN_TOPICS <= size <= n_available})


@dataclass(frozen=True, slots=True)
class TopicTests:
    """Tests of all pairs of systems on random sets of the same number of topics.

    `significant` is the mean share of pairs that a test finds to differ, `agreement` that of pairs
    on which two tests agree.
    """

    measure: str
    task: str
    topics: int
    samples: int
    pairs: int
    significant: dict[str, float]
    agreement: dict[str, float]


@question
def topic_tests(source: MeasureInput, options: TopicTestsOptions) -> FiguresResult[TopicTests]:
    """Show how many pairs of systems tests find, and agree on, by the number of topics (8.2).

    Pairs are not corrected for their number.

    Examples
    --------
    >>> import numpy as np
    >>> from pyramidion.collection import ScoreMatrix
    >>> values = np.random.default_rng(0).normal(size=(20, 4)) + [0, 0, 1, 2]
    >>> scores = ScoreMatrix(values, map(str, range(20)), "abcd", measure="quality")
    >>> result = topic_tests(scores.to_scores(), test="paired-t,wilcoxon", samples=5)
    >>> [row.topics for row in result], round(result[-1].agreement["paired-t, wilcoxon"], 2)
    ([5, 10, 15, 20], 1.0)
    """
    collection, matrices, left_out = source.read()
    rows = [row for matrix in matrices for row in _test_samples(matrix, options)]
    if not rows:
        problem = f"no measure has {min(options.topics or (_MIN_TOPICS,))} topics and two systems"
        raise InputError(problem, hint="add topics, or choose fewer with --topics")
    return FiguresResult(
        command="study tests",
        signature=signed(
            f"study-tests({joined(options.test)})", collection.data_hash, options.seed,
            measures=joined(row.measure for row in rows), tasks=joined(source.tasks),
            exclude=joined(source.exclude), topics=joined(map(str, options.topics)),
            samples=options.samples, alpha=f"{options.alpha:g}", n=options.n_resamples,
        ),
        values=rows,
        record=asdict,
        tables=[table for matrix in matrices for table in _tables(matrix, rows, options)],
        charts=[chart for matrix in matrices for chart in _charts(matrix, rows)],
        left_out=(*left_out, *(line for m in matrices for line in _missing_notes(m, options))),
    )  # fmt: skip


def _test_samples(matrix: ScoreMatrix, options: TopicTestsOptions) -> Iterator[TopicTests]:
    topic_values = matrix.values[~np.isnan(matrix.values).all(axis=1)]
    if len(matrix.systems) < 2:
        return
    tests = [
        VerdictOptions(
            test=name, alpha=options.alpha, n_test_resamples=options.n_resamples, seed=options.seed
        )
        for name in options.test
    ]
    pairs, rng = all_pairs(len(matrix.systems)), np.random.default_rng(options.seed)
    for size in options.sizes(len(topic_values)):
        samples = 1 if size == len(topic_values) else options.samples
        sample_verdicts = []
        for _ in range(samples):
            topics = np.sort(rng.permutation(len(topic_values))[:size])
            verdicts = [judge_pairs(topic_values[topics], pairs, test) for test in tests]
            sample_verdicts.append([(verdict.signs != 0, verdict.defined) for verdict in verdicts])
        significant_shares: dict[str, float] = {
            name: known_mean([_share(*sample[i]) for sample in sample_verdicts])
            for i, name in enumerate(options.test)
        }
        agreement = {
            f"{options.test[i]}, {options.test[j]}": known_mean(
                [
                    _share(sample[i][0] == sample[j][0], sample[i][1] & sample[j][1])
                    for sample in sample_verdicts
                ]
            )
            for i, j in combinations(range(len(tests)), 2)
        }
        address = matrix.measure, matrix.task
        yield TopicTests(*address, size, samples, len(pairs), significant_shares, agreement)


def _missing_notes(matrix: ScoreMatrix, options: TopicTestsOptions) -> Iterator[str]:
    """Yield a line if there are too few systems or topics, and for each size that is too large."""
    n_available = int((~np.isnan(matrix.values)).any(axis=1).sum())
    scope = scope_name(matrix.measure, matrix.task)
    if len(matrix.systems) < 2 or n_available < _MIN_TOPICS:
        yield f"{scope}: {counted(len(matrix.systems), 'system')}, {counted(n_available, 'topic')}"
    for size in sorted({*options.topics} - {*options.sizes(n_available)}):
        yield f"{scope}: {size} topics, since only {n_available} have scores"


def _share(is_true: Bools, is_defined: Bools) -> float:
    return float(is_true[is_defined].mean()) if is_defined.any() else float("nan")


def _tables(
    matrix: ScoreMatrix, rows: list[TopicTests], options: TopicTestsOptions
) -> Iterator[Table]:
    address = matrix.measure, matrix.task
    shown_rows = [row for row in rows if (row.measure, row.task) == address]
    if not shown_rows:
        return
    name, key = scope_name(*address), (("measure", matrix.measure), ("task", matrix.task))
    note = (
        f"Shares of {shown_rows[0].pairs:,} pairs that differ at {options.alpha:g}, uncorrected; "
        f"means over up to {options.samples} random sets of topics."
    )
    table_rows = tuple((row.topics, row.samples, *row.significant.values()) for row in shown_rows)
    first_columns = ("topics", "sets")
    yield Table(
        (*first_columns, *options.test),
        table_rows,
        f"Significant pairs by {name}",
        note,
        3,
        key,
        "tests",
    )
    if len(options.test) > 1:
        table_rows = tuple((row.topics, row.samples, *row.agreement.values()) for row in shown_rows)
        title, note = f"Agreement of tests by {name}", "Shares of pairs with the same verdict."
        yield Table(
            (*first_columns, *shown_rows[0].agreement), table_rows, title, note, 3, key, "agreement"
        )


_CURVE_STYLES = [(c, m) for m in "osD" for c in (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)]


def _charts(matrix: ScoreMatrix, rows: list[TopicTests]) -> Iterator[Chart]:
    address = matrix.measure, matrix.task
    shown_rows = [row for row in rows if (row.measure, row.task) == address]
    titles = {"significant": "Significant pairs by", "agreement": "Agreement of tests by"}
    for name, title in titles.items():
        if shown_rows and getattr(shown_rows[0], name):
            draw = partial(_draw_curves, shown_rows, name, f"{title} {scope_name(*address)}")
            yield Chart(name, draw, about=tuple(filter(None, address)))


def _draw_curves(rows: Sequence[TopicTests], name: str, title: str) -> Picture:
    """Draw shares of pairs over the number of topics, a curve for each test or two tests."""
    curve_names = getattr(rows[0], name)
    curve_styles = [
        {"label": curve_name, "color": color, "marker": marker, "markersize": 4}
        for curve_name, (color, marker) in zip(curve_names, cycle(_CURVE_STYLES), strict=False)
    ]
    x = [row.topics for row in rows]
    lines = [
        Series(x, [getattr(row, name)[style["label"]] for row in rows], style)
        for style in curve_styles
    ]
    panel = Panel(lines, scale={"xlabel": "topics", "ylim": (0, 1)})
    return panels_picture(
        [panel], title=title, note=f"shares of {rows[0].pairs:,} pairs", panel_size=(4.6, 2.8),
        legend=curve_styles,
    )  # fmt: skip
