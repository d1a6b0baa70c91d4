"""Entries that follow from other printed numbers, formulas or worked examples."""

import math
from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from itertools import combinations, permutations
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtr
from scipy.stats import rankdata

from pyramidion._types import Floats
from pyramidion.collection import ten_to_five
from pyramidion.meta_evaluation import Agreement
from pyramidion.stats import robust_regression, spearman
from pyramidion.studies._reproduce.data_folder import DataFolder
from pyramidion.studies._reproduce.printed import (
    COMPUTATIONS,
    NOTHING,
    Computed,
    Printed,
    Values,
    computes,
    documents,
    down,
    match,
)

_PAIRS = math.comb(30, 2)

NOTHING.update({
    "rankel-s3.7.1-settings": "settings of a simulation (`stats.power_curve` takes them)",
    "rankel-s4.2-settings": "a setting (`compare --test mc --resamples 2000`)",
    "rankel-s5.2-pitler": "a result of another work",
    "rankel-s5.4.1-splitter": "said of a program that was not published",
    "rankel-s6.1-kahneman": "a result of another work",
    "nenkova-s2.5-summac": "a result of another work",
    "nenkova-s2.5-tiling": "a result of another work (`study tiling` computes it on your data)",
    "nenkova-s3.3.2-lin": "a result of another work",
    "nenkova-s3.4-factoids": "a result of another work",
    "nenkova-s4.2-unused": "needs the texts of Figures 4.2 and 4.3",
    "nenkova-s4.2-never": "needs the texts of Figures 4.2 and 4.3",
    "nenkova-s4.5-cutoff": "a setting",
    "nenkova-s2.2.1-scale": "a setting",
    "nenkova-5.1": "a list of features in words",
})  # fmt: skip


def _statement(
    name: str, compute: Callable[[], Sequence[float | str | None]], how: str, why: str = ""
) -> None:
    """Register an entry with one column that follows from other entries."""

    def run(printed: Printed, folder: DataFolder) -> Computed:
        return Computed(down(compute()), f"from {how}", why)

    COMPUTATIONS[name] = run


def _value(entry: str, row: int | str, column: int | str = 0) -> float:
    return documents()[entry].value(row, column)


def _column(entry: str, column: int | str = 0) -> list[float]:
    return documents()[entry].column(column)


# Rankel's dissertation


@computes("rankel-2.2")
def _scales(printed: Printed, folder: DataFolder) -> Computed:
    scores = [[ten for ten in range(1, 11) if math.ceil(ten / 2) == five] for five in range(1, 6)]
    ranges = [f"{low}-{high}" for low, high in scores]
    return Computed(down(ranges), "two scores of ten for each of five", missing="words")


@computes("rankel-3.2")
def _midranks(printed: Printed, folder: DataFolder) -> Computed:
    """Rank the scores; without data, those of the printed counts."""
    if not folder.missing(printed.needs):
        matrix = folder.matrix("tac2011", "responsiveness")
        scores = matrix.values[~np.isnan(matrix.values)]
        counts = [float((scores == score).sum()) for score in range(1, 6)]
        how = "from the scores"
    else:
        counts, how = printed.column("count"), "from the printed counts"
    pool = np.repeat(np.arange(5), np.array(counts, int))
    ranks, total = rankdata(pool), sum(counts)
    rows = [
        [
            float(ranks[pool == k].mean()) if n else None,
            None if "printed" in how else n,
            100 * n / total,
        ]
        for k, n in enumerate(counts)
    ]
    return Computed(
        {(i, j): v for i, r in enumerate(rows) for j, v in enumerate(r) if v is not None}, how
    )


def _tables_of(accuracy: str, recall: str, positives: float) -> Iterator[Agreement]:
    """Yield all counts of 435 pairs with the printed accuracy and recall."""
    real, pairs = round(positives), _PAIRS
    for tp in range(real + 1):
        if match(recall, tp / real) != "exact":
            continue
        for tn in range(pairs - real + 1):
            if match(accuracy, (tp + tn) / pairs) == "exact":
                yield Agreement(((0, 0, 0), (0, tn, pairs - real - tn), (0, real - tp, tp)))


_RATIOS = ("accuracy", "precision", "recall", "mean_predictive_value")


@computes("rankel-7.5")
def _aesop(printed: Printed, folder: DataFolder) -> Computed:
    """Find the counts of pairs behind the printed ratios; the blocks of AESOP rows are swapped."""
    positives = [_value("rankel-7.1", "2011", column) for column in range(4)]
    values: dict[tuple[int, int], float] = {}
    for row in range(len(printed.rows)):
        for block in range(4):
            texts = printed.cells[row][4 * block : 4 * block + 4]
            real = positives[(block + 2) % 4 if row < 7 else block]
            ratios = [
                [0.0 if math.isnan(ratio) else ratio for ratio in _ratios(table)]
                for table in _tables_of(texts[0], texts[2], real)
            ]
            best = max(ratios, key=lambda row_ratios: _agreeing(texts, row_ratios), default=None)
            if best is not None:
                values |= {(row, 4 * block + j): ratio for j, ratio in enumerate(best)}
    why = (
        "Pyramid and responsiveness are swapped in the seven AESOP rows: only with the other "
        "measure's significant pairs of Table 7.1 are there whole numbers of pairs. BA is the mean "
        "of the two predictive values."
    )
    how = "whole numbers of pairs, searched for to fit Table 7.1 and the ratios"
    return Computed(values, how, why, basis="fitted")


def _ratios(table: Agreement) -> list[float]:
    return [float(getattr(table, name)) for name in _RATIOS]


def _agreeing(texts: Sequence[str], ratios: Sequence[float]) -> int:
    return sum(match(*pair) == "exact" for pair in zip(texts, ratios, strict=True))


def combined_from_print(printed: Printed, folder: DataFolder) -> Computed:
    """Compute accuracy and BA from precision, recall and the significant pairs of Table 7.1."""
    real = sum(_value("rankel-7.1", year, task) for year in range(3) for task in range(2))
    values: dict[tuple[int, int], float] = {}
    for row in range(len(printed.rows)):
        tp = printed.value(row, "recall") * real
        fp = tp / printed.value(row, "precision") - tp
        tn = 6 * _PAIRS - real - fp
        values[row, 0] = (tp + tn) / (6 * _PAIRS)
        values[row, 3] = (tp / (tp + fp) + tn / (tn + real - tp)) / 2
    why = (
        "BA is the mean of the two predictive values, not balanced accuracy. It is computed here "
        "from rounded ratios and pooled counts; print has means of tasks."
    )
    return Computed(values, "precision and recall as printed, pairs of Table 7.1", why)


@computes("rankel-7.2")
def _contingency(printed: Printed, folder: DataFolder) -> Computed:
    """Name the cell that a pair of each kind is counted in."""
    single = {(1, 1): (2, 2), (1, 0): (2, 1), (0, 1): (1, 2), (0, 0): (1, 1)}
    values: dict[tuple[int, int], str] = {}
    for (actual, predicted), (i, j) in single.items():
        counts = [[0, 0, 0] for _ in range(3)]
        counts[i][j] = 1
        table: Any = tuple(map(tuple, counts))
        names = ("tp", "fp", "fn", "tn")
        (name,) = (name for name in names if getattr(Agreement(table), name))
        values[1 - actual, 1 - predicted] = name.upper()
    return Computed(values, "where `verdicts` counts a pair")


def _scale() -> list[float | str | None]:
    low, high = (ten_to_five(ten) for ten in (1, 10))
    tens = [ten for ten in range(1, 11) if ten_to_five(ten) == high]
    return [f"{round(high - low)}/9", tens[0] if high == 5 else None, 1.0 if low == 1 else None]


def _conditional() -> list[float | str | None]:
    machines, document = (np.array([0.1, 0.3, 0.3, 0.2, 0.1]), np.array([0, 0, 0, 0.5, 0.5]))
    product = machines * document / (machines @ document)
    numbers = ", ".join(f"{p:.3g}" if p else "0.0" for p in product)
    return [None, None, f"({numbers})"]


def _tied() -> list[float | str | None]:
    text = documents()["rankel-s3.2.1-example"].cells[0][0]
    sizes = np.abs([float(number) for number in text.split(", ")])
    return [None, float(rankdata(sizes)[sizes == 4][0])]


def _shares_of_5_1() -> list[float]:
    table = documents()["rankel-5.1"]
    rouge, pyramid = table.column("ROUGE-2"), table.column("pyramid")
    shares = [100 * machine / pyramid[0] for machine in pyramid[1:]]
    return [min(100 * rouge[0] / machine for machine in rouge[1:]), min(shares), max(shares)]


def _fewer() -> list[float]:
    table = documents()["rankel-4.1"]
    both = (
        (table.value(row, 3 * y), table.value(row, 3 * y + 2))
        for row in (2, 3, 4)
        for y in range(3)
    )
    return [float(np.mean([100 * (1 - unpaired / ranks) for unpaired, ranks in both]))]


def _best_variants() -> list[float | None]:
    table = documents()["rankel-7.3"]
    best = [max(table.column(name)) for name in table.columns]
    wanted_columns = (1, 0, 9)
    values: list[float | None] = [100 * best[column] for column in wanted_columns]
    return [*values, 100 * table.value("R4", "pyramid BA"), 100 * best[4], None, None]


def _track(column: int) -> list[float]:
    return _column("rankel-2.1", column)


def _layout_2011() -> list[float]:
    topics, people = _value("rankel-2.1", "2011", 0), _value("rankel-2.1", "2011", 2)
    summaries = sum(_column("rankel-3.2", "count"))
    machines = (summaries - people * topics / 2) / topics
    return [machines + people, machines, topics / 2]


def _layout_2010() -> list[float]:
    topics, machines, people = (_value("rankel-2.1", "2010", column) for column in range(3))
    return [machines + people, machines, people, topics / 2]


_TABLE_2_1 = "Table 2.1"
_statement(
    "rankel-s2.4.1-scale", _scale, "`ten_to_five`", "With 5/9, 10 is mapped to 6 (reading 4)."
)
_statement("rankel-s3.2.1-example", _tied, "midranks")
_statement(
    "rankel-s3.5-settings",
    lambda: [float(signature(robust_regression).parameters["tune"].default), float(ndtri(0.75))],
    "the normal distribution, and `robust_regression`",
)
_statement("rankel-s3.7.1.3-example", _conditional, "the two distributions")
_statement("rankel-s4.3-are", lambda: [3 / math.pi, 108 / 125], "3/pi and 108/125")
_statement(
    "rankel-s4.4-bootstrap",
    _fewer,
    "Table 4.1",
    "Table 4.1 has theoretical cutoffs; print says about ten percent of resampled ones.",
)
_statement("rankel-s5.3.1-ratios", _shares_of_5_1, "Table 5.1", "The text rounds down.")
_statement(
    "rankel-s5.3.1-counts",
    lambda: [None, None, _value("rankel-2.1", "2011", 1)],
    _TABLE_2_1,
    "43 is the number of machines in 2010.",
)
_statement(
    "rankel-s5.5-settings",
    lambda: [
        float(len(documents()["rankel-5.2"].rows)),
        2.0 ** len(documents()["rankel-5.2"].rows) - 1,
        float(len(documents()["rankel-5.2"].columns) + len(documents()["rankel-5.3"].columns)),
    ],
    "the size of Tables 5.2 and 5.3",
)
_statement(
    "rankel-s7.2-settings",
    lambda: [min(_track(0)), max(_track(0)), None, float(_PAIRS)],
    "Table 2.1 and C(30, 2)",
)
_statement("rankel-s7.3-best", _best_variants, "Table 7.3")
_statement("rankel-s7.4-best", lambda: [100 * max(_column("rankel-7.4", "BA"))], "Table 7.4")
_statement("rankel-s3.1-figure", _layout_2011, "Tables 2.1 and 3.2")
_statement("rankel-s4.1-figures", _layout_2010, _TABLE_2_1)
_statement("rankel-s4.1-tukey", lambda: [_value("rankel-2.1", "2010", 0)], _TABLE_2_1)
_statement(
    "rankel-s6.2-identical",
    lambda: [
        None,
        None,
        float(np.mean(_track(0))),
        float(np.mean(_track(1))),
        None,
        None,
        _value("rankel-s6.2-identical", 1) / len(documents()["rankel-6.1"].rows),
    ],
    "Tables 2.1 and 6.1",
    "The text gives round numbers.",
)


# Nenkova's thesis


def _sizes(entry: str) -> Floats:
    """Return the sizes of classes C1 to C7, sets down."""
    printed = documents()[entry]
    return np.array([printed.column(f"C{n}") for n in range(1, 8)]).T


def _class_shares() -> list[float | None]:
    """Compute shares of classes among words counted once a text, and Welch's t."""
    shares = {}
    for entry in ("nenkova-2.5", "nenkova-2.6"):
        sizes = _sizes(entry)
        shares[entry] = sizes / (sizes @ np.arange(1, 8))[:, None]
    first, second = shares.values()
    variances = first.var(axis=0, ddof=1) + second.var(axis=0, ddof=1)
    t = (first.mean(axis=0) - second.mean(axis=0)) / np.sqrt(variances / len(first))
    both = [float(means[n]) for n in (0, 1) for means in (first.mean(axis=0), second.mean(axis=0))]
    p = 2 * float(stdtr(19, -abs(t[1])))
    c7 = [float(second.mean(axis=0)[6]), float(first.mean(axis=0)[6])]
    return [*both, abs(float(t[0])), abs(float(t[1])), p, *c7]


def _vocabularies() -> list[float]:
    values = []
    for entry in ("nenkova-2.5", "nenkova-2.6"):
        sizes = _sizes(entry)
        values += [float((sizes @ np.arange(1, 8)).mean() / 7), float(sizes.sum(axis=1).mean())]
    return values


def _first_set() -> list[float]:
    sizes = _sizes("nenkova-2.5")[0]
    total = float(sizes.sum())
    return [total, float(sizes[0]), 100 * sizes[0] / total, float(sizes[6]), 100 * sizes[6] / total]


def _coverage() -> list[float]:
    single, many = documents()["nenkova-2.1"], documents()["nenkova-2.2"]
    people = [
        [t.value(r, c) for r in range(len(t.rows)) if t.rows[r].isalpha()]
        for t, c in ((single, 0), (many, 1))
    ]
    machines = [many.value(r, 1) for r in range(len(many.rows)) if many.rows[r].isdigit()]
    best = max(single.value(r, 0) for r in range(len(single.rows)) if single.rows[r].isdigit())
    return [
        single.value("1"),
        best,
        many.value("2", 1),
        max(machines),
        *(float(np.mean(p)) for p in people),
    ]


def _quality() -> list[float | None]:
    machines, people = documents()["nenkova-2.3"], documents()["nenkova-2.4"]
    good = min(people.value(q, 3) + people.value(q, 4) for q in range(5))
    below = [100 * sum(machines.value(q, c) for c in range(3)) for q in (2, 3, 4)]
    return [None, None, 100 * good, *below]


def _marks() -> list[float]:
    table = documents()["nenkova-2.7"]
    return [sum(table.value(0, str(mark)) for mark in marks) for marks in ((8, 7, 6, 5), (10, 9))]


def _data_points(models: int) -> float:
    return 3.0 * math.comb(10, 2) * math.comb(8, models)


@computes("nenkova-3.1")
def _points(printed: Printed, folder: DataFolder) -> Computed:
    points = [_data_points(models) for models in range(1, 9)]
    return Computed(down(points, 4), "3 x C(10, 2) x C(8, n)")


@computes("nenkova-3.2")
def _pyramids(printed: Printed, folder: DataFolder) -> Computed:
    return Computed(down([3.0 * math.comb(5, n) for n in range(1, 6)], 1), "3 x C(5, n)")


@computes("nenkova-s3.4-inventories")
def _inventories(printed: Printed, folder: DataFolder) -> Computed:
    """Reverse the first inventory, so that the rank correlation is -1 as the text says."""
    first = printed.column(0)
    turned = first[::-1]
    assert spearman(first, turned).value == -1
    how = "the first inventory in reverse, rank correlation -1"
    return Computed(down(turned, 1), how, basis="fitted")


@computes("nenkova-4.5")
def _sentences(printed: Printed, folder: DataFolder) -> Computed:
    return Computed(down([n / 50 for n in printed.column(0)], 1), "sentences / 50 summaries")


@computes("nenkova-5.3", "nenkova-s5.2.6-newsblaster")
def _f(printed: Printed, folder: DataFolder) -> Computed:
    both = zip(printed.column("precision"), printed.column("recall"), strict=True)
    scores = [2 * p * r / (p + r) for p, r in both]
    return Computed(
        down(scores, 2), "F of precision and recall", "Both parts are rounded in print."
    )


@computes("nenkova-5.4")
def _found(printed: Printed, folder: DataFolder) -> Computed:
    both = zip(printed.column("found"), printed.column("examples"), strict=True)
    return Computed(down([100 * n / total for n, total in both], 2), "found / examples")


@computes("nenkova-5.2")
def _accuracies(printed: Printed, folder: DataFolder) -> Computed:
    labels = documents()["nenkova-s5.2.3-labels"]
    old, new, major, minor = (
        labels.value(n) for n in ("hearer-old", "hearer-new", "major", "minor")
    )
    recall = documents()["nenkova-5.3"].column("recall")
    familiar = (recall[0] * new + recall[1] * old) / (new + old)
    salient = (recall[2] * major + recall[3] * minor) / (major + minor)
    values = {
        (0, 0): salient,
        (0, 1): familiar,
        (1, 0): minor / (major + minor),
        (1, 1): new / (new + old),
    }
    return Computed(values, "counts of 5.2.3 and recalls of Table 5.3")


@computes("nenkova-f5.8")
def _stratified(printed: Printed, folder: DataFolder) -> Computed:
    """Compute complements, and the first mention from the chains of Figures 5.4, 5.5 and 5.7."""
    values: dict[tuple[int, int], float] = {}
    for column in range(5):
        values[1, column] = 1 - printed.value(0, column)
        values[3, column] = 1 - printed.value(2, column)
    values[0, 0] = _value("nenkova-f5.4", "initial", "modification")
    values[2, 0] = 1 - _value("nenkova-f5.7", "initial", "0")
    for row, form in enumerate(("full name", "last name", "nickname")):
        values[4 + row, 0] = _value("nenkova-f5.5", "initial", form)
    return Computed(values, "complements, and Figures 5.4, 5.5 and 5.7")


def _limit(entry: str) -> list[float]:
    """Return the stationary distribution of a printed Markov chain, rows scaled to 1."""
    printed = documents()[entry]
    chain = np.array([printed.column(c) for c in range(len(printed.columns))]).T[1:]
    chain = chain / chain.sum(axis=1, keepdims=True)
    size = len(chain)
    equations = np.vstack([chain.T - np.eye(size), np.ones(size)])
    solution = np.linalg.lstsq(equations, np.append(np.zeros(size), 1.0), rcond=None)[0]
    return [float(p) for p in solution]


def _register_limit(name: str, figure: str) -> None:
    @computes(name)
    def run(printed: Printed, folder: DataFolder) -> Computed:
        limit = _limit(figure)[: len(printed.columns)]
        values: Values = {(0, column): p for column, p in enumerate(limit)}
        why = "The chain is printed with two decimals."
        return Computed(values, f"the limit of the chain in Figure {figure[9:]}", why)


for _name, _figure in (
    ("name", "5.5"),
    ("modification", "5.4"),
    ("premodifiers", "5.7"),
    ("postmodifiers", "5.6"),
):
    _register_limit(f"nenkova-s5.1.5-{_name}", f"nenkova-f{_figure}")


def _critical() -> list[float | None]:
    """Return the smallest rank correlation of five items that is significant, one-sided."""
    ranks = np.arange(5)
    values = np.round(
        [1 - 6 * ((ranks - np.array(order)) ** 2).sum() / 120 for order in permutations(range(5))],
        9,
    )
    return [None, None, min(float(v) for v in set(values.tolist()) if (values >= v).mean() <= 0.05)]


def _optimal() -> list[float]:
    """Count the choices of two of four units that have the same weight."""
    return [float(len(list(combinations(range(4), 2))))]


def _nouns() -> list[float | None]:
    t = documents()["nenkova-s5.2.5-nouns"]
    named_by_others, minor, never, never_minor = (t.value(r) for r in (3, 4, 5, 6))
    total = named_by_others + never
    majors = _value("nenkova-s5.2.3-labels", "major")
    return [
        total,
        100 * total / (total + majors),
        100 * (minor + never_minor) / total,
        None,
        None,
        None,
        None,
        100 * never_minor / never,
    ]


def _major() -> list[float | None]:
    labels, table = documents()["nenkova-s5.2.3-labels"], documents()["nenkova-5.4"]
    minor, major = labels.value("minor"), labels.value("major")
    recalls = [
        n / total for n, total in zip(table.column("found"), table.column("examples"), strict=True)
    ]
    return [
        100 * minor / (minor + major),
        None,
        major,
        sum(table.column("examples")),
        recalls[3],
        recalls[0],
    ]


def _kappas() -> list[float | None]:
    """Compute kappa from agreement and the share of new people."""
    table = documents()["nenkova-s5.2.6-agreement"]
    kappas = []
    for row in (3, 6):
        agreement, new = table.value(row) / 100, table.value(row + 2) / 100
        chance = new**2 + (1 - new) ** 2
        kappas.append((agreement - chance) / (1 - chance))
    return [None] * 4 + [kappas[0], None, None, kappas[1], None]


def _keywords() -> list[float | None]:
    major, minor, missed, right = (_value("nenkova-s5.2.6-keywords", r) for r in (2, 3, 4, 6))
    words = missed + right
    return [
        major + minor,
        words,
        None,
        None,
        None,
        100 * missed / minor,
        None,
        100 * right / major,
        right / major,
        right / words,
    ]


def _input_p() -> list[float | None]:
    """Compute two-sided p-values of the two correlations by t with n - 2 degrees of freedom."""
    table = documents()["nenkova-s6.2-input"]
    n = table.value("summaries")
    values = []
    for row in (0, 2):
        r = table.value(row)
        values.append(2 * float(stdtr(n - 2, -r * math.sqrt((n - 2) / (1 - r * r)))))
    return [None, values[0], None, values[1], None]


def _machines_of_mse() -> list[float | None]:
    table = documents()["nenkova-4.8"]
    scores, ours = table.column("pyramid"), table.value("SUM_Avr", "pyramid")
    return [None, None, float(sum(s > ours for s in scores)), float(sum(s < ours for s in scores))]


def _correlations() -> list[float | None]:
    t = documents()["nenkova-3.5"]
    automatic = [t.value(row, column) for row in range(4) for column in (3, 4)]
    return [
        None,
        t.value(0, 0),
        t.value(4, 4),
        t.value(2, 2),
        t.value(1, 2),
        min(automatic),
        max(automatic),
    ]


def _familiar_newsblaster() -> float:
    """Return the accuracy for the only whole numbers of 107 people that fit the table."""
    table = documents()["nenkova-s5.2.6-newsblaster"]
    best = (math.inf, 0.0)
    for first in range(1, 107):
        recall = table.column("recall")
        right = [round(recall[0] * first), round(recall[1] * (107 - first))]
        wrong = [107 - first - right[1], first - right[0]]
        gaps = [
            abs(n / (n + other) - p)
            for n, other, p in zip(right, wrong, table.column("precision"), strict=True)
            if n + other
        ]
        best = min(best, (sum(gaps), sum(right) / 1.07))
    return best[1]


_LABELS = "nenkova-s5.2.3-labels"
_statement(
    "nenkova-s1.1-change",
    lambda: [100 - _value("nenkova-s4.4-kept", "sum")],
    "the words kept in 4.4",
)
_statement(
    "nenkova-s2.2.2-coverage",
    _coverage,
    "Tables 2.1 and 2.2",
    "Peer 19 has .24 at 100 words, more than peer 28.",
)
_statement("nenkova-s2.3-quality", _quality, "Tables 2.3 and 2.4")
_statement("nenkova-s2.4-set1", _first_set, "Table 2.5")
_statement(
    "nenkova-s2.4-classes",
    _class_shares,
    "Tables 2.5 and 2.6",
    ".1730 is cut off. The two values of C7 cannot be derived from the tables.",
)
_statement(
    "nenkova-s2.4-vocabulary",
    _vocabularies,
    "Tables 2.5 and 2.6",
    "153 is cut off; 580 is a round number.",
)
_statement("nenkova-s2.4-sentences", _marks, "Table 2.7")
_statement("nenkova-s3.1-optimal", _optimal, "C(4, 2)")
_statement("nenkova-s3.1.1-pairs", lambda: [None, 3.0 * math.comb(10, 2)], "3 x C(10, 2)")
_statement(
    "nenkova-s3.1.1-threshold",
    _critical,
    "all orders of five",
    "Values are multiples of .1, so that .85 and .9 are the same cutoff.",
)
_statement("nenkova-s3.2-points", lambda: [None, 3 * _value("nenkova-s3.2-points", 0)], "36 x 3")
_statement(
    "nenkova-s3.3-design",
    lambda: [1 + _value("nenkova-s3.3-design", 2) + 2],
    "a baseline, 24 machines and two people",
)
_statement(
    "nenkova-s3.3.2-difference",
    lambda: [6.0 * _value("nenkova-s3.3-design", "peers")],
    "6 sets x 27 peers",
)
_statement(
    "nenkova-s3.3.2-set324",
    lambda: [abs(_value("nenkova-3.4", "324", c)) for c in (2, 0)],
    "Table 3.4",
)
_statement("nenkova-s3.3.2-correlations", _correlations, "Table 3.5")
_statement(
    "nenkova-s4.2.1-length",
    lambda: [
        _value("nenkova-4.5", "SUM_Sum", 1),
        _value("nenkova-4.5", "SUM_Prod", 1),
        _value("nenkova-4.6", "peer 120", "words") / 50,
    ],
    "Tables 4.5 and 4.6",
    "The sum makes summaries of about two sentences; the average 4.48.",
)
_statement(
    "nenkova-s4.2.1-adjustment",
    lambda: [
        _value("nenkova-4.7", row, column)
        for column in (0, 2)
        for row in ("SUM_Avr", "SUM_AvrNoAdjust")
    ],
    "Table 4.7",
)
_statement("nenkova-s4.2.1-mse", _machines_of_mse, "Table 4.8")
_statement(
    "nenkova-s4.6-scores",
    lambda: [
        _value("nenkova-4.7", "SUM_Avr"),
        _value("nenkova-4.7", "peer 65"),
        _value("nenkova-s4.4-pyramid", 0),
    ],
    "Table 4.7 and the table of 4.4",
    ".4169 rounds to .42.",
)
_statement(
    "nenkova-s5.1.2-both",
    lambda: [
        _value("nenkova-f5.4", 0),
        _value("nenkova-f5.8", "premodified")
        + 1
        - _value("nenkova-f5.6", "initial", "none")
        - _value("nenkova-f5.4", 0),
    ],
    "Figures 5.4, 5.6 and 5.8",
    ".51 + .40 - .76 is .15.",
)
_statement(
    "nenkova-s5.1.5-sampling",
    lambda: [
        _value("nenkova-s5.1.5-name", 0, 1),
        _value("nenkova-s5.1.5-name", 0, 1) + _value("nenkova-s5.1.5-name", 0, 0),
    ],
    "the limit of the form of the name",
)
_statement(
    "nenkova-s5.2.2-people",
    lambda: [
        100 * _value(_LABELS, "major") / (_value(_LABELS, "major") + _value(_LABELS, "minor"))
    ],
    "counts of 5.2.3",
    "258 of 4184 people are 6.2 percent.",
)
_statement(
    _LABELS,
    lambda: [
        None,
        None,
        None,
        _value(_LABELS, 1) + _value(_LABELS, 2),
        _value(_LABELS, 1) + _value(_LABELS, 2),
    ],
    "118 + 140",
)
_statement(
    "nenkova-s5.2.5-major", _major, "counts of 5.2.3 and Table 5.4", "15 of 59 are 25 percent."
)
_statement(
    "nenkova-s5.2.5-nouns", _nouns, "the counts in the text", "22 + 58 of 103 are 78 percent."
)
_statement(
    "nenkova-s5.2.5-familiar",
    lambda: [
        100 * _value(_LABELS, "hearer-new") / _value(_LABELS, "both"),
        100 * (_value("nenkova-5.2", 0, 1) - _value("nenkova-5.2", 1, 1)),
    ],
    "counts of 5.2.3 and Table 5.2",
)
_statement(
    "nenkova-s5.2.5-postmodification",
    lambda: [
        _value("nenkova-s5-references", 2) / _value("nenkova-s5-references", 1),
        66.0 + 85,
        None,
        None,
        None,
        None,
        None,
        100 * 85 / 151,
    ],
    "the counts in the text",
)
_statement(
    "nenkova-s5.2.6-agreement",
    _kappas,
    "agreement and share of new people",
    "Kappa of Newsblaster is .72 for the printed agreement and share.",
)
_statement(
    "nenkova-s5.2.6-accuracy",
    lambda: [_familiar_newsblaster(), 100 * _value("nenkova-5.2", 0, 1)],
    "the precision and recall of 107 people, and Table 5.2",
)
_statement("nenkova-s5.2.6-keywords", _keywords, "the counts in the text")
_statement(
    "nenkova-s5.2.7-premodifiers",
    lambda: [
        None,
        None,
        100 - _value("nenkova-s5.2.7-premodifiers", 0) - _value("nenkova-s5.2.7-premodifiers", 1),
    ],
    "the sum of 100",
)
_statement(
    "nenkova-s5.2.7-rules",
    lambda: [
        139.0 + 133,
        None,
        None,
        None,
        None,
        None,
        None,
        100 * (max(_column("nenkova-5.5")) - _value("nenkova-5.5", "salience")),
    ],
    "the counts in the text and Table 5.5",
)
_statement(
    "nenkova-s6-rule",
    lambda: [100 * max(_column("nenkova-5.5"))],
    "Table 5.5",
    "Table 5.5 has .79.",
)
_statement(
    "nenkova-s6.2-input",
    _input_p,
    "t with n - 2 degrees of freedom",
    "The printed p-values would fit eight or seven summaries.",
)


@computes("nenkova-f5.11")
def _votes(printed: Printed, folder: DataFolder) -> Computed:
    """Count the votes for the original: two in one case, one in each of two others."""
    design = documents()["nenkova-s5.1.4-design"]
    votes = 2 * design.value("without majority") + design.value("with one vote for the original")
    share = 100 * votes / (design.value("summaries") * design.value("judges"))
    return Computed({(0, 1): share}, "the votes of 5.1.4")
