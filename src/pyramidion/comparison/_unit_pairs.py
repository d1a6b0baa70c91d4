"""Pairs of systems compared content unit by content unit (thesis, section 3.2)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Literal

import numpy as np

from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.comparison._compare import CompareOptions, compare_matrix
from pyramidion.comparison._result import ComparisonResult
from pyramidion.comparison._view import comparison_record, counts_table, ranking_table
from pyramidion.comparison.common import numbered
from pyramidion.comparison.measure_tables import scope_name
from pyramidion.comparison.procedures import Correction
from pyramidion.errors import InputError
from pyramidion.pyramid import Case, Hits, SummarySource
from pyramidion.pyramid.cases import first_annotations, stack_hits
from pyramidion.questions import Options, Signature, option, question
from pyramidion.questions.common import correction_option, resamples_option
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Result
from pyramidion.rendering.saving import SCORE_FILE
from pyramidion.rendering.table import Table
from pyramidion.stats import permute_pairs

_NOTE = (
    "n counts content units, the items of the test. Units of a topic are not independent, so p is "
    "often too small and the intervals too narrow; `p by topic` is a permutation test of the "
    "topics' means."
)


@dataclass(frozen=True, slots=True)
class PairSource(SummarySource):
    """The summaries of the systems."""

    system: tuple[str, ...] = option(
        (), "Systems to compare, comma-separated; all by default.", flags=("--systems",)
    )


@dataclass(frozen=True, slots=True)
class UnitTest(Options):
    """How pairs of systems are tested on content units."""

    weighted: bool = option(
        False, "Weight each content unit by its weight in the pyramid.", flags=("--weighted",)
    )
    test: Literal["permutation", "paired-t", "wilcoxon", "mc", "hb"] = option(
        "permutation", "Paired test: permutation, paired-t (as in the thesis), wilcoxon, mc "
        "(Monte Carlo) or hb (hybrid bootstrap).",
    )  # fmt: skip
    correction: Correction = correction_option()
    alpha: float = option(0.05, "Significance level of the tests.", between=(0, 1))
    n_resamples: int = resamples_option(
        9999, "Number of resamples for the tests permutation, mc and hb.", min=None,
        max=10_000_000,
    )  # fmt: skip
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)

    @property
    def measure(self) -> str:
        """The measure's name."""
        return "scu-weight" if self.weighted else "scu"


@dataclass(frozen=True, slots=True)
class UnitComparison:
    """The systems of a task, compared on content units, and each pair's p-value by topics."""

    hits: Hits
    result: ComparisonResult
    p_by_topic: tuple[float, ...]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class UnitComparisons(Result[UnitComparison]):
    """Comparisons on content units, one for each task."""

    saves = (
        replace(
            SCORE_FILE, name="hits", flags=(), help="Write the hits to this file (.csv, .tsv, "
            ".jsonl or .parquet), one row per system and content unit.",
        ),
    )  # fmt: skip

    def to_scores(self) -> Scores:
        """Return the hits as scores, one row per system and content unit."""
        return Scores.concatenate(map(_hit_rows, self.values))


@question
def compare_by_units(source: PairSource, test: UnitTest) -> UnitComparisons:
    """Compare systems by paired tests over content units.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> texts = {"A": "Ice melts.", "B": "Ice melts.", "C": "It is old."}
    >>> pyramid = Pyramid.from_references(texts, [
    ...     ("Ice", {"A": ["Ice"], "B": ["Ice"]}), ("It melts", {"A": ["melts"], "B": ["melts"]}),
    ...     ("It is old", {"C": ["It is old"]})])
    >>> [pair] = compare_by_units(pyramid, system="A,C")[0].result.comparisons
    >>> pair.a, pair.b, pair.n, pair.p
    ('A', 'C', 2, 0.5)
    """
    collection, cases_read = source.read_cases()
    unit_comparisons = [
        _compare_cases(task, [case for case in cases_read.cases if case.task == task], test)
        for task in dict.fromkeys(case.task for case in cases_read.cases)
    ]
    results = [comparison.result for comparison in unit_comparisons]
    details = (
        *source.details, ("items", test.measure), ("correction", results[0].correction),
        ("alpha", f"{test.alpha:g}"), ("n", str(max(result.n_resamples for result in results))),
    )  # fmt: skip
    subject = f"pyramid-pairs({test.test})"
    return UnitComparisons(
        command="pyramid pairs",
        signature=Signature(subject, data=collection.data_hash, seed=test.seed, details=details),
        values=unit_comparisons,
        record=_record,
        tables=(
            counts_table(results),
            *(
                table
                for comparison in unit_comparisons
                for table in (ranking_table(comparison.result), _pairs_table(comparison))
            ),
        ),
        left_out=(
            *cases_read.left_out,
            *first_annotations(cases_read.cases)[1],
            *(line for result in results for line in result.left_out),
        ),
    )


def _compare_cases(task: str, cases: Sequence[Case], test: UnitTest) -> UnitComparison:
    hits = stack_hits(first_annotations(cases)[0], by_weight=test.weighted)
    if len(hits.systems) < 2 or len(hits.uids) < 2:
        name = f"task {task}" if task else "the source"
        sizes_text = (
            f"{counted(len(hits.systems), 'system')} and {counted(len(hits.uids), 'content unit')}"
        )
        raise InputError(f"{name} has {sizes_text}", hint="a pair needs two of each")
    field_names = ("correction", "alpha", "n_resamples", "seed")
    options = CompareOptions((test.test,), **{name: getattr(test, name) for name in field_names})
    result = compare_matrix(_hit_matrix(hits, task, test.measure), options)
    # Missing scores are reported in terms of units below the pairs.
    left_out = tuple(line for line in result.left_out if "missing scores" not in line)
    notes = tuple(note.replace("topic", "content unit") for note in result.notes)
    annotated_result = replace(result, left_out=left_out, notes=notes)
    return UnitComparison(hits, annotated_result, _p_by_topic(hits, result, test))


def _hit_matrix(hits: Hits, task: str, measure: str) -> ScoreMatrix:
    # Different pyramids of a topic may use the same uid for different units.
    names = [f"{topic}/{uid}" for topic, uid in zip(hits.topics, hits.uids, strict=True)]
    times_seen: dict[str, int] = {}
    for row, name in enumerate(names):
        times_seen[name] = times_seen.get(name, 0) + 1
        names[row] = name if times_seen[name] == 1 else f"{name}/{times_seen[name]}"
    return ScoreMatrix(hits.values, names, hits.systems, hits.human, measure=measure, task=task)


def _p_by_topic(hits: Hits, result: ComparisonResult, test: UnitTest) -> tuple[float, ...]:
    """Test the same pairs with topics as items; NaN if there are too few."""
    topics, means = hits.by_topic()
    if len(topics) < 2:
        return (math.nan,) * len(result.comparisons)
    column_by_system = numbered(hits.systems)
    pairs = np.array(
        [(column_by_system[pair.a], column_by_system[pair.b]) for pair in result.comparisons]
    )
    tests = permute_pairs(
        means, pairs=pairs, n_resamples=test.n_resamples, step_down=False, rng=test.seed
    )
    return tuple(tests.p.tolist())


def _hit_rows(comparison: UnitComparison) -> Scores:
    """Return hits as scores, one row per system and unit."""
    hits = comparison.hits
    rows, columns = (~np.isnan(hits.values)).nonzero()
    kinds = ["human" if human else "machine" for human in hits.human]
    texts = {
        "task": [comparison.result.task] * len(rows),
        "topic": [hits.topics[row] for row in rows],
        "unit": [hits.uids[row] for row in rows],
        "system": [hits.systems[column] for column in columns],
        "kind": [kinds[column] for column in columns],
        "measure": [comparison.result.measure] * len(rows),
    }
    return Scores(texts, hits.values[rows, columns])


def _record(comparison: UnitComparison) -> dict[str, Any]:
    record = comparison_record(comparison.result)
    for pair, p in zip(record["comparisons"], comparison.p_by_topic, strict=True):
        pair["p_by_topic"] = p
    return record


def _pairs_table(comparison: UnitComparison) -> Table:
    result = comparison.result
    pair_fields = attrgetter("a", "b", "n", "difference", "statistic", "p", "p_adjusted")
    rows = tuple(
        (
            *pair_fields(pair),
            p,
            "*" if result.significant(pair) else pair.note.replace("topic", "content unit"),
        )
        for pair, p in zip(result.comparisons, comparison.p_by_topic, strict=True)
    )
    columns = ("a", "b", "n", "difference", "statistic", "p", "p adjusted", "p by topic", "")
    key = (("task", result.task), ("measure", result.measure), ("test", result.test))
    title = f"{scope_name('Pairs by content units', result.task)}: {result.test}"
    return Table(columns, rows, title, _NOTE, key=key, name="pairs")
