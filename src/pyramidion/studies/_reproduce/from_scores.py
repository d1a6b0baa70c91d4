"""Entries that are computed from scores of TAC, through `compare` and `verdicts`."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.comparison import compare
from pyramidion.errors import InputError, NotFoundError
from pyramidion.meta_evaluation import verdicts
from pyramidion.stats import kruskal_wallis, mean_rank_tukey
from pyramidion.studies._reproduce.data_folder import EXCLUDED, DataFolder
from pyramidion.studies._reproduce.from_documents import combined_from_print
from pyramidion.studies._reproduce.printed import COMPUTATIONS, Computed, Printed, computes, grid

_TESTS = ("unpaired-t", "paired-t", "wilcoxon")
_MEASURES = ("linguistic", "responsiveness", "pyramid", "ROUGE-2", "ROUGE-SU4")
_YEARS = ("2008", "2009", "2010", "2011")
_TOP = 30
#: Columns of variants of ROUGE in score tables.
VARIANTS = {
    "R1": "rouge-1-r", "R2": "rouge-2-r", "R3": "rouge-3-r", "R4": "rouge-4-r", "RL": "rouge-l-r",
    "R-SU4": "rouge-su4-r", "R-W-1.2": "rouge-w-1.2-r", "R-BE-HM": "rouge-be-hm-r",
    "RBE": "rouge-be-hm-r",
}  # fmt: skip

Row = list[float | None]


class _Missing:
    """Collects what is missing, so that the rest can be computed."""

    def __init__(self) -> None:
        self.lines: dict[str, None] = {}

    def matrix(self, folder: DataFolder, name: str, measure: str, task: str) -> ScoreMatrix | None:
        """Return scores, or None if they are missing."""
        try:
            return folder.matrix(name, measure, task)
        except NotFoundError as error:
            self.lines[str(error).partition("; did you")[0]] = None
            return None

    def text(self) -> str:
        """Return what is missing."""
        return f"needs {'; '.join(self.lines)}" if self.lines else ""


def _answer(
    values: Mapping[tuple[int, int], float], missing: _Missing, how: str, why: str = ""
) -> Computed:
    """Return what was computed; raise an error if nothing was."""
    if not values:
        raise NotFoundError("; ".join(missing.lines) or "the summaries of this entry")
    return Computed(values, how, why, missing.text(), basis="data")


@computes("rankel-2.1")
def _sizes(printed: Printed, folder: DataFolder) -> Computed:
    """Count topics, machines and people of task A."""
    missing, values = _Missing(), dict[tuple[int, int], float]()
    for row, year in enumerate(_YEARS):
        if matrix := missing.matrix(folder, f"tac{year}", "responsiveness", "A"):
            people = int(matrix.human.sum())
            counts = (len(matrix.topics), len(matrix.systems) - people, people)
            values |= {(row, column): float(n) for column, n in enumerate(counts)}
    return _answer(values, missing, "topics and summarizers of task A")


@computes("rankel-4.1", "rankel-4.2")
def _significant_pairs(printed: Printed, folder: DataFolder) -> Computed:
    """Count the pairs that differ: of all summarizers, or of a person and a machine."""
    missing, values = _Missing(), dict[tuple[int, int], float]()
    mixed = printed.id.endswith("4.2")
    for column, year in enumerate(_YEARS[:3]):
        for row, measure in enumerate(_MEASURES):
            if matrix := missing.matrix(folder, f"tac{year}", measure, "A"):
                for test, count in enumerate(_counts(matrix, year, folder, mixed=mixed)):
                    values[row, 3 * column + test] = count
    how = "task A, pooled variances, zeros dropped, midranks"
    how += ", continuity, 2009 without machines 2 and 3" if folder.as_printed else ""
    why = (
        "Pyramid 2008 under Wilcoxon: 1417 where 1418 is printed, since rounding errors break ties."
        if not mixed and values.get((2, 2)) == 1417
        else ""
    )
    return _answer(values, missing, how, why)


def _counts(matrix: ScoreMatrix, year: str, folder: DataFolder, *, mixed: bool) -> list[float]:
    """Count significant pairs under each test; they are computed once for both tables."""
    key = (year, matrix.measure)
    if key not in folder.counts:
        excluded = EXCLUDED.get(year, ()) if folder.as_printed else ()
        part = matrix.take(systems=[name for name in matrix.systems if name not in excluded])
        results = compare(
            part, test=_TESTS, correction="none", continuity=folder.as_printed, pairs="none"
        )
        folder.counts[key] = [
            (
                float(r.human_machine.significant_uncorrected),
                float(r.counts.significant_uncorrected),
            )
            for r in results
        ]
    return [with_people if mixed else both for with_people, both in folder.counts[key]]


def _best(matrix: ScoreMatrix) -> ScoreMatrix:
    """Return the 30 machines with the best means; ties with the last are not included."""
    machines = matrix.machines()
    order = np.argsort(-np.nan_to_num(machines.means(), nan=-np.inf), kind="stable")[:_TOP]
    return machines.take(systems=[machines.systems[index] for index in order])


@computes("rankel-7.1")
def _best_pairs(printed: Printed, folder: DataFolder) -> Computed:
    """Count the pairs of the 30 best machines that differ by human measures."""
    missing, values = _Missing(), dict[tuple[int, int], float]()
    for row, year in enumerate(_YEARS):
        for column, (measure, task) in enumerate(
            (measure, task) for measure in ("pyramid", "responsiveness") for task in "AB"
        ):
            if matrix := missing.matrix(folder, f"tac{year}", measure, task):
                (result,) = compare(_best(matrix), test="wilcoxon", correction="none", pairs="none")
                values[row, column] = float(result.counts.significant_uncorrected)
    why = (
        "Which machines are the best 30 is not explained where means are tied, as those of "
        "responsiveness are."
    )
    return _answer(values, missing, "Wilcoxon without continuity, exactly 30 machines", why)


def _table(
    folder: DataFolder, years: Sequence[str], measures: Mapping[str, str], missing: _Missing
) -> Scores | None:
    """Join the scores of several years, with measures by the names of the papers."""
    parts = []
    for year in years:
        for name, measure in measures.items():
            for task in "AB":
                if matrix := missing.matrix(folder, f"tac{year}", measure, task):
                    scores = matrix.machines().to_scores()
                    same = {"collection": year, "measure": name, "task": task}
                    filled = {k: np.full(len(scores), v, object) for k, v in same.items()}
                    parts.append(Scores({**scores.columns, **filled}, scores.value))
    return Scores.concatenate(parts) if parts else None


def _judged(scores: Scores | None, human: str, **options: Any) -> list[Any]:
    """Return verdicts about the top 30 by a human measure; nothing if they cannot be had."""
    if scores is None or human not in scores.measures or len(scores.measures) < 2:
        return []
    metrics = [name for name in scores.measures if name not in ("pyramid", "responsiveness")]
    if not metrics:
        return []
    return list(
        verdicts(scores, human=human, metrics=metrics, top=str(_TOP), n_resamples=0, **options)
    )


def _ratio(value: float) -> float:
    """Return a ratio; 0/0 is printed as 0 (reading 3)."""
    return 0.0 if math.isnan(value) else value


@computes("rankel-7.3")
def _variants(printed: Printed, folder: DataFolder) -> Computed:
    """Average the agreement of each variant over years and tasks."""
    names = ("accuracy", "order_accuracy", "precision", "recall", "balanced_accuracy")
    missing, values = _Missing(), dict[tuple[int, int], float]()
    humans = {name: name for name in ("responsiveness", "pyramid")}
    variants = {name: VARIANTS[name] for name in printed.rows}
    table = _table(folder, _YEARS, humans | variants, missing)
    for block, human in enumerate(humans):
        rows = [row for row in _judged(table, human) if row.study is not None]
        for i, name in enumerate(printed.rows):
            if tasks := [row.agreement for row in rows if row.metrics == (name,)]:
                for j, ratio in enumerate(names):
                    numbers = [_ratio(getattr(agreement, ratio)) for agreement in tasks]
                    values[i, 5 * block + j] = float(np.mean(numbers))
    why = (
        "Which words and stems ROUGE counted is not said; ties with the 30th machine are included."
    )
    return _answer(values, missing, "means over years and tasks", why)


@computes("rankel-7.4")
def _combinations(printed: Printed, folder: DataFolder) -> Computed:
    """Judge all combinations of four variants; without data, from the printed ratios."""
    if folder.missing(printed.needs):
        return combined_from_print(printed, folder)
    names, missing = ("R1", "R2", "R4", "RBE"), _Missing()
    variants = {name: VARIANTS[name] for name in names}
    table = _table(folder, _YEARS[:3], {"pyramid": "pyramid"} | variants, missing)
    if missing.lines:
        raise NotFoundError("; ".join(missing.lines))
    rows = _judged(table, "pyramid", combine=names, combine_by="significance")
    by_name = {"_".join(row.metrics): row.agreement for row in rows if row.study is None}
    ratios = ("accuracy", "precision", "recall", "mean_predictive_value")
    cells = [
        [_ratio(getattr(by_name[name], r)) if name in by_name else None for r in ratios]
        for name in printed.rows
    ]
    why = "BA is the mean of the two predictive values; print has means of tasks."
    return Computed(grid(cells), "all pairs of three years and two tasks", why, basis="data")


@computes("rankel-5.1")
def _one_topic(printed: Printed, folder: DataFolder) -> Computed:
    """Look up the scores of six summaries of one topic."""
    missing, values = _Missing(), dict[tuple[int, int], float]()
    for column, measure in enumerate(("pyramid", "responsiveness", "linguistic", "ROUGE-2")):
        matrix = missing.matrix(folder, "tac2011", measure, "A")
        topics = [t for t in matrix.topics if t.upper().startswith("D1113")] if matrix else []
        if matrix is None or not topics:
            continue
        scores = matrix.take(topics=topics[:1])
        for row, name in enumerate(printed.rows):
            if (system := name.split()[-1]) in scores.systems:
                values[row, column] = float(scores.values[0, scores.systems.index(system)])
    return _answer(values, missing, "the scores of the topic")


@computes("rankel-s4.1-kruskal")
def _kruskal(printed: Printed, folder: DataFolder) -> Computed:
    """Compare the topics of 2010, task B, by their mean ranks."""
    matrix = folder.matrix("tac2010", "responsiveness", "B")
    return Computed(
        {(0, 0): kruskal_wallis(matrix.values).p}, "Kruskal-Wallis of the topics", basis="data"
    )


_tukey_from_print = COMPUTATIONS["rankel-s4.1-tukey"]


@computes("rankel-s4.1-tukey")
def _tukey(printed: Printed, folder: DataFolder) -> Computed:
    """Count the topics whose mean rank differs from that of one topic."""
    if folder.missing(printed.needs):
        return _tukey_from_print(printed, folder)
    matrix = folder.matrix("tac2010", "responsiveness", "B")
    chosen = [i for i, topic in enumerate(matrix.topics) if "1032" in topic]
    if not chosen:
        raise NotFoundError("the topic D1032 in tac2010")
    pairs = list(combinations(range(len(matrix.topics)), 2))
    p = mean_rank_tukey(matrix.values).p
    apart = sum(chosen[0] in pair and q < 0.05 for pair, q in zip(pairs, p, strict=True))
    return Computed(
        {(0, 0): float(len(matrix.topics)), (1, 0): float(apart)}, "mean ranks", basis="data"
    )


def _register_layout(name: str, source: str, task: str, topics: bool) -> None:
    """Count summarizers and missing scores of people; without data, as print has them."""
    from_print = COMPUTATIONS[name]

    @computes(name)
    def layout(printed: Printed, folder: DataFolder) -> Computed:
        if folder.missing(printed.needs):
            return from_print(printed, folder)
        matrix = folder.matrix(source, "responsiveness", task)
        people = int(matrix.human.sum())
        unscored = np.isnan(matrix.values[:, matrix.human]).sum(axis=0)
        counts = [len(matrix.systems), len(matrix.systems) - people, *([people] * topics)]
        numbers: list[float | None] = [float(n) for n in counts]
        return Computed(
            grid([[n] for n in (*numbers, float(np.median(unscored)))]), "the scores", basis="data"
        )


_register_layout("rankel-s3.1-figure", "tac2011", "A", topics=False)
_register_layout("rankel-s4.1-figures", "tac2010", "B", topics=True)


@computes("nenkova-2.1")
def _coverage(printed: Printed, folder: DataFolder) -> Computed:
    """Average the coverage of each summarizer, and count its summaries."""
    collection, measure = folder.measure("duc2002", "coverage")
    scores = collection.scores.select(measure=measure)
    cells: list[Row] = []
    for name in printed.rows:
        values = scores.select(system=name).value
        cells.append([float(np.mean(values)), float(len(values))] if len(values) else [None, None])
    return Computed(grid(cells), "means of all summaries", basis="data")


@computes("nenkova-2.3", "nenkova-2.4")
def _quality(printed: Printed, folder: DataFolder) -> Computed:
    """Compute the share of each mark, of machines (2.3) or people (2.4)."""
    kind = "machine" if printed.id.endswith("3") else "human"
    cells: list[Row] = []
    for name in printed.rows:
        collection, measure = folder.measure("duc2005", name)
        values = collection.scores.select(measure=measure, kind=kind).value
        if not len(values):
            raise InputError(f"duc2005 has no scores of {name} by a {kind}")
        cells.append([float((values == mark).mean()) for mark in range(1, 6)])
    return Computed(
        grid(cells), "shares of all marks", "Print cuts off after four decimals.", basis="data"
    )
