"""Entries that follow from other printed numbers, formulas or worked examples."""

import math
from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from itertools import permutations
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtr
from scipy.stats import rankdata

from pyramidion._types import Floats
from pyramidion.collection import ten_to_five
from pyramidion.meta_evaluation import Agreement
from pyramidion.rewriting.markov import long_run, round_to_sum
from pyramidion.stats import robust_regression, spearman
from pyramidion.studies._reproduce.printed import (
    FROM_DOCUMENTS,
    ComputationRule,
    Grid,
    PrintedEntry,
    compare_with_print,
    documents,
)

_CITED_REASON = "a result of another work"
#: Entries without anything to compute, and what they are instead.
NOT_COMPUTED = {
    **dict.fromkeys(("rankel-s5.2-pitler", "rankel-s6.1-kahneman", "nenkova-s2.5-summac",
                     "nenkova-s3.3.2-lin", "nenkova-s3.4-factoids"), _CITED_REASON),
    "rankel-s3.7.1-settings": "settings of a simulation, which `stats.power_curve` has as defaults",
    "rankel-s4.2-settings": "a setting: `compare --test mc --resamples 2000`",
    "rankel-s5.4.1-splitter": "about a program that was not published",
    "nenkova-s2.1-subjects": "the size of an experiment with people",
    "nenkova-s2.2.1-scale": "a setting",
    "nenkova-s2.5-tiling": f"{_CITED_REASON}; `study tiling` computes it on your data",
    "nenkova-s4.5-cutoff": "a setting",
    "nenkova-s5.1.4-design": "the size of an experiment with people",
    "nenkova-5.1": "a list of features in words",
}  # fmt: skip
#: Entries that need data that no data set contains.
WITHOUT_DATA_SET = dict.fromkeys(
    ("nenkova-s4.2-unused", "nenkova-s4.2-never"), "the texts of Figures 4.2 and 4.3"
)
_N_PAIRS = math.comb(30, 2)
_LABELS_ENTRY = "nenkova-s5.2.3-labels"
#: The columns of Tables 7.4 and 7.5; the last is called balanced accuracy in print.
RATIO_NAMES = ("accuracy", "precision", "recall", "mean_predictive_value")


def _cell(entry: str, row: int | str, column: int | str = 0) -> float:
    return documents()[entry].value(row, column)


def _column(entry: str, column: int | str = 0) -> list[float]:
    return documents()[entry].column(column)


def _percent(part: float, total: float) -> float:
    return 100 * part / total


# Rankel's dissertation


def _possible_agreements(accuracy: str, recall: str, positives: float) -> Iterator[Agreement]:
    """Yield all counts of 435 pairs with the printed accuracy and recall."""
    n_real = round(positives)
    for tp in (n for n in range(n_real + 1) if compare_with_print(recall, n / n_real) == "exact"):
        for tn in range(_N_PAIRS - n_real + 1):
            if compare_with_print(accuracy, (tp + tn) / _N_PAIRS) == "exact":
                yield Agreement(((0, 0, 0), (0, tn, _N_PAIRS - n_real - tn), (0, n_real - tp, tp)))


def _aesop_ratios(entry: PrintedEntry) -> Grid:
    """Find the counts of pairs behind the printed ratios; the blocks of AESOP rows are swapped."""
    grid: list[list[float | None]] = []
    for row, cells in enumerate(entry.cells):
        grid.append([])
        for block in range(4):
            texts = cells[4 * block : 4 * block + 4]
            positives = _cell("rankel-7.1", "2011", (block + 2) % 4 if row < 7 else block)
            tables = _possible_agreements(texts[0], texts[2], positives)
            ratios = [
                [float(np.nan_to_num(getattr(t, name))) for name in RATIO_NAMES] for t in tables
            ]
            exact_counts = [
                sum(m == "exact" for m in map(compare_with_print, texts, row_ratios))
                for row_ratios in ratios
            ]
            grid[-1] += ratios[int(np.argmax(exact_counts))] if ratios else [None] * 4
    return grid


def _combined_ratios(entry: PrintedEntry) -> Grid:
    """Compute accuracy and BA from precision, recall and the significant pairs of Table 7.1."""
    pairs, grid = 6 * _N_PAIRS, []
    n_real = sum(_cell("rankel-7.1", year, task) for year in range(3) for task in range(2))
    for row in range(len(entry.rows)):
        precision, tp = entry.value(row, "precision"), entry.value(row, "recall") * n_real
        tn = pairs - n_real - (tp / precision - tp)
        grid.append([(tp + tn) / pairs, None, None, (precision + tn / (tn + n_real - tp)) / 2])
    return grid


def _contingency_cells(entry: PrintedEntry) -> Grid:
    """Name the cell in which `verdicts` counts a pair of each kind."""

    def cell_name(actual_sign: int, predicted_sign: int) -> str:
        counts: Any = [[0] * 3 for _ in range(3)]
        counts[actual_sign + 1][predicted_sign + 1] = 1
        table = Agreement(counts)
        return next(key.upper() for key in ("tp", "fp", "fn", "tn") if getattr(table, key))

    return [[cell_name(actual, predicted) for predicted in (1, 0)] for actual in (1, 0)]


def tied_ranks(counts: Sequence[float], *, counted: bool) -> Grid:
    """Return midranks and percentages of scores with these counts, and perhaps the counts."""
    pool = np.repeat(np.arange(len(counts)), np.array(counts, int))
    ranks = [float(rankdata(pool)[pool == k].mean()) if n else None for k, n in enumerate(counts)]
    rows = zip(ranks, counts, strict=True)
    return [[rank, n if counted else None, _percent(n, len(pool))] for rank, n in rows]


def shares_of_5_1(rouge: Sequence[float], pyramid: Sequence[float]) -> Grid:
    """Return shares of scores: of the person in machines' ROUGE-2, of machines in its pyramid."""
    shares = [_percent(machine, pyramid[0]) for machine in pyramid[1:]]
    return [min(_percent(rouge[0], machine) for machine in rouge[1:]), min(shares), max(shares)]


def _scale_values(entry: PrintedEntry) -> Grid:
    low, high = ten_to_five(1), ten_to_five(10)
    tens = [ten for ten in range(1, 11) if ten_to_five(ten) == high]
    return [f"{round(high - low)}/9", tens[0], low]


def _conditional_distribution(entry: PrintedEntry) -> Grid:
    machines, document = (np.array([0.1, 0.3, 0.3, 0.2, 0.1]), np.array([0, 0, 0, 0.5, 0.5]))
    product = machines * document / (machines @ document)
    return {2: f"({', '.join(f'{p:.3g}' if p else '0.0' for p in product)})"}


def _tied_rank(entry: PrintedEntry) -> Grid:
    sizes = np.abs([float(number) for number in entry.cells[0][0].split(", ")])
    return {1: float(rankdata(sizes)[sizes == 4][0])}


def _fewer_pairs(entry: PrintedEntry) -> Grid:
    table = documents()["rankel-4.1"]
    cells = [(row, 3 * year) for row in (2, 3, 4) for year in range(3)]
    shares = [
        1 - table.value(r, unpaired_column) / table.value(r, unpaired_column + 2)
        for r, unpaired_column in cells
    ]
    return [100 * float(np.mean(shares))]


def best_variants(cell_value: Callable[[int, int], float]) -> Grid:
    """Return the best values of Table 7.3, as percentages, given its cells; R4 is row 3."""
    best_values = [100 * max(cell_value(row, column) for row in range(8)) for column in range(10)]
    return [best_values[1], best_values[0], best_values[9], 100 * cell_value(3, 9), best_values[4]]


def _layout_2011(entry: PrintedEntry) -> Grid:
    topics, people = _cell("rankel-2.1", "2011", 0), _cell("rankel-2.1", "2011", 2)
    machines = (sum(_column("rankel-3.2", "count")) - people * topics / 2) / topics
    return [machines + people, machines, topics / 2]


def _layout_2010(entry: PrintedEntry) -> Grid:
    topics, machines, people = (_cell("rankel-2.1", "2010", column) for column in range(3))
    return [machines + people, machines, people, topics / 2]


# Nenkova's thesis


def _class_sizes() -> Iterator[Floats]:
    """Yield the sizes of classes C1 to C7 in each set (row), of summaries and of translations."""
    for entry in ("nenkova-2.5", "nenkova-2.6"):
        yield np.array([_column(entry, f"C{n}") for n in range(1, 8)]).T


def _class_shares(entry: PrintedEntry) -> Grid:
    """Compute shares of classes among words counted once a text, and Welch's t."""
    first, second = (sizes / (sizes @ np.arange(1, 8))[:, None] for sizes in _class_sizes())
    variances = first.var(axis=0, ddof=1) + second.var(axis=0, ddof=1)
    t = np.abs(first.mean(axis=0) - second.mean(axis=0)) / np.sqrt(variances / len(first))
    means = [shares.mean(axis=0) for shares in (first, second)]
    group_means = [means[group][n] for n in (0, 1) for group in (0, 1)]
    return [*group_means, t[0], t[1], 2 * stdtr(19, -t[1]), means[1][6], means[0][6]]


def _vocabularies(entry: PrintedEntry) -> Grid:
    means = ((sizes @ np.arange(1, 8) / 7, sizes.sum(axis=1)) for sizes in _class_sizes())
    return [float(values.mean()) for pair in means for values in pair]


def first_set_counts(sizes: Sequence[float]) -> Grid:
    """Count the words of a set, given the sizes of classes C1 to C7."""
    total, single_size, shared_size = float(sum(sizes)), float(sizes[0]), float(sizes[6])
    return [
        total,
        single_size,
        _percent(single_size, total),
        shared_size,
        _percent(shared_size, total),
    ]


def _coverage_scores(entry: PrintedEntry) -> Grid:
    single_reference, many_references = (
        documents()["nenkova-2.1"],
        documents()["nenkova-2.2"],
    )
    kinds = [
        [[t.value(name, c) for name in t.rows if name.isalpha() == people] for people in (0, 1)]
        for t, c in ((single_reference, 0), (many_references, 1))
    ]
    best_scores, means = (
        [max(machines) for machines, _ in kinds],
        [np.mean(people) for _, people in kinds],
    )
    return [
        single_reference.value("1"),
        best_scores[0],
        many_references.value("2", 1),
        best_scores[1],
        *means,
    ]


def _quality_shares(entry: PrintedEntry) -> Grid:
    machines, people = documents()["nenkova-2.3"], documents()["nenkova-2.4"]
    good_share = min(people.value(q, 3) + people.value(q, 4) for q in range(5))
    percent_below = [100 * sum(machines.value(q, c) for c in range(3)) for q in (2, 3, 4)]
    return [None, None, 100 * good_share, *percent_below]


def _mark_counts(entry: PrintedEntry) -> Grid:
    marks = ((8, 7, 6, 5), (10, 9))
    return [sum(_cell("nenkova-2.7", 0, str(mark)) for mark in group) for group in marks]


def _f_scores(entry: PrintedEntry) -> Grid:
    precision_and_recall = zip(entry.column("precision"), entry.column("recall"), strict=True)
    return [{2: 2 * p * r / (p + r)} for p, r in precision_and_recall]


def _accuracies(entry: PrintedEntry) -> Grid:
    n_old, n_new, n_major, n_minor = (_cell(_LABELS_ENTRY, row) for row in (1, 2, 4, 5))
    recall = _column("nenkova-5.3", "recall")
    familiar_recall = (recall[0] * n_new + recall[1] * n_old) / (n_new + n_old)
    salient_recall = (recall[2] * n_major + recall[3] * n_minor) / (n_major + n_minor)
    return [
        [salient_recall, familiar_recall],
        [n_minor / (n_major + n_minor), n_new / (n_new + n_old)],
    ]


def _stratified_shares(entry: PrintedEntry) -> Grid:
    """Compute complements, and the first mention from the chains of Figures 5.4, 5.5 and 5.7."""
    modified_shares, premodified_shares = (
        [entry.value(row, m) for m in range(5)] for row in (0, 2)
    )
    forms = [{0: _cell("nenkova-f5.5", 0, form_index)} for form_index in range(3)]
    first_mentions = [{0: _cell("nenkova-f5.4", 0)}, {0: 1 - _cell("nenkova-f5.7", 0)}]
    complements = [
        [1 - share for share in shares] for shares in (modified_shares, premodified_shares)
    ]
    return [first_mentions[0], complements[0], first_mentions[1], complements[1], *forms]


def _chain_limit(figure: str) -> Callable[[PrintedEntry], Grid]:
    """Return the limit of a printed Markov chain; the missing part of a row is shared out."""

    def limit(entry: PrintedEntry) -> Grid:
        source = documents()[f"nenkova-f{figure}"]
        chain = np.array([source.column(c) for c in range(len(source.columns))]).T[1:]
        return [long_run(round_to_sum(chain)[np.newaxis])[0].tolist()]

    return limit


def _reversed_inventory(entry: PrintedEntry) -> Grid:
    """Reverse the first inventory, so that the rank correlation is -1 as the text says."""
    inventory = entry.column(0)
    assert spearman(inventory, inventory[::-1]).value == -1
    return [{1: value} for value in inventory[::-1]]


def _critical_correlation(entry: PrintedEntry) -> Grid:
    """Return the smallest rank correlation of five items that is significant, one-sided."""
    squares = [sum((a - b) ** 2 for a, b in enumerate(order)) for order in permutations(range(5))]
    values = np.round([1 - 6 * square / 120 for square in squares], 9)
    return {2: min(float(v) for v in set(values.tolist()) if (values >= v).mean() <= 0.05)}


def _noun_counts(entry: PrintedEntry) -> Grid:
    n_by_others, n_minor, n_never_named, n_never_minor = (entry.value(row) for row in (3, 4, 5, 6))
    total, n_major = n_by_others + n_never_named, _cell(_LABELS_ENTRY, "major")
    shares = (_percent(total, total + n_major), _percent(n_minor + n_never_minor, total))
    return {0: total, 1: shares[0], 2: shares[1], 7: _percent(n_never_minor, n_never_named)}


def _major_people(entry: PrintedEntry) -> Grid:
    n_minor, n_major = _cell(_LABELS_ENTRY, "minor"), _cell(_LABELS_ENTRY, "major")
    examples = _column("nenkova-5.4", "examples")
    recalls = [n / m for n, m in zip(_column("nenkova-5.4", "found"), examples, strict=True)]
    return [
        _percent(n_minor, n_minor + n_major),
        None,
        n_major,
        sum(examples),
        recalls[3],
        recalls[0],
    ]


def _kappas(entry: PrintedEntry) -> Grid:
    """Compute kappa from agreement and the share of new people."""
    kappas = {}
    for row in (3, 6):
        agreement, share_new = (entry.value(r) / 100 for r in (row, row + 2))
        chance = share_new**2 + (1 - share_new) ** 2
        kappas[row + 1] = (agreement - chance) / (1 - chance)
    return kappas


def _keyword_counts(entry: PrintedEntry) -> Grid:
    n_major, n_minor, n_missed, n_right = (entry.value(row) for row in (2, 3, 4, 6))
    words, precision = n_missed + n_right, n_right / n_major
    shares = {5: _percent(n_missed, n_minor), 7: 100 * precision, 8: precision, 9: n_right / words}
    return {0: n_major + n_minor, 1: words, **shares}


def _input_p_values(entry: PrintedEntry) -> Grid:
    """Compute two-sided p-values of the two correlations by t with n - 2 degrees of freedom."""
    df, r = entry.value("summaries") - 2, {row: entry.value(row - 1) for row in (1, 3)}
    return {row: 2 * float(stdtr(df, -v * math.sqrt(df / (1 - v * v)))) for row, v in r.items()}


def correlations_of_3_5(cell_value: Callable[[int, int], float]) -> Grid:
    """Return the correlations that the text reads off Table 3.5, given its cells."""
    automatic_values = [cell_value(row, column) for row in range(4) for column in (3, 4)]
    table_values = {
        1: cell_value(0, 0),
        2: cell_value(4, 4),
        3: cell_value(2, 2),
        4: cell_value(1, 2),
    }
    return {**table_values, 5: min(automatic_values), 6: max(automatic_values)}


def _newsblaster_accuracy(entry: PrintedEntry) -> Grid:
    """Infer the accuracy from whole-number counts, out of 107 people, that best fit the table."""
    table = documents()["nenkova-s5.2.6-newsblaster"]
    recall, precision, best_fit = table.column("recall"), table.column("precision"), (math.inf, 0.0)
    for n_old in range(1, 107):
        n_right = [round(recall[0] * n_old), round(recall[1] * (107 - n_old))]
        n_called = [n_right[0] + 107 - n_old - n_right[1], n_right[1] + n_old - n_right[0]]
        fits = zip(n_right, n_called, precision, strict=True)
        gap = sum(abs(n / total - p) for n, total, p in fits if total)
        best_fit = min(best_fit, (gap, sum(n_right) / 1.07))
    return [best_fit[1], 100 * _cell("nenkova-5.2", 0, 1)]


def _mse_counts(entry: PrintedEntry) -> Grid:
    scores, our_score = _column("nenkova-4.8"), _cell("nenkova-4.8", "SUM_Avr")
    return {
        2: sum(score > our_score for score in scores),
        3: sum(score < our_score for score in scores),
    }


_CHAIN_REASON = (
    "The chain is printed with two decimals; a chain that rounds to these values has the printed "
    "limit."
)
ROUNDED_DOWN_REASON = "The text rounds the share of ROUGE-2 down, but not the others."
_PARTS_REASON = "Both parts are rounded in print."
#: How each entry is computed, from what, and why the printed values differ.
_RULES: dict[str, tuple[Callable[[PrintedEntry], Grid], str, str]] = {
    "rankel-2.2": (lambda p: [f"{2 * n - 1}-{2 * n}" for n in range(1, 6)],
                   "two scores of ten for each of five", ""),
    "rankel-3.2": (lambda p: tied_ranks(p.column("count"), counted=False), "the printed counts",
                   ""),
    "rankel-7.2": (_contingency_cells, "where `verdicts` counts a pair", ""),
    "rankel-7.4": (_combined_ratios,
                   "precision and recall as printed, and the numbers of pairs in Table 7.1",
                   "BA is the mean of the two predictive values, not balanced accuracy. It is "
                   "computed from rounded ratios and pooled counts; the printed values are means "
                   "of tasks."),
    "rankel-7.5": (_aesop_ratios, "whole numbers of pairs, chosen to fit Table 7.1 and the ratios",
                   "Pyramid and responsiveness are swapped in the seven AESOP rows: only with the "
                   "other measure's significant pairs of Table 7.1 are there whole numbers of "
                   "pairs. BA is the mean of the two predictive values."),
    "rankel-s2.4.1-scale": (_scale_values, "`ten_to_five`",
        "With 5/9, 10 is mapped to 6 (reading 4)."),
    "rankel-s3.1-figure": (_layout_2011, "Tables 2.1 and 3.2", ""),
    "rankel-s3.2.1-example": (_tied_rank, "midranks", ""),
    "rankel-s3.5-settings": (
        lambda p: [signature(robust_regression).parameters["tune"].default, ndtri(0.75)],
        "the normal distribution, and `robust_regression`", ""),
    "rankel-s3.7.1.3-example": (_conditional_distribution, "the two distributions", ""),
    "rankel-s4.1-figures": (_layout_2010, "Table 2.1", ""),
    "rankel-s4.1-tukey": (lambda p: [_cell("rankel-2.1", "2010")], "Table 2.1", ""),
    "rankel-s4.3-are": (lambda p: [3 / math.pi, 108 / 125], "3/pi and 108/125", ""),
    "rankel-s4.4-bootstrap": (_fewer_pairs, "Table 4.1",
        "Table 4.1 has theoretical cutoffs; print says "
                              "about ten percent of resampled ones."),
    "rankel-s5.3.1-counts": (lambda p: {2: _cell("rankel-2.1", "2011", 1)}, "Table 2.1",
                             "43 is the number of machines in 2010."),
    "rankel-s5.3.1-ratios": (
        lambda p: shares_of_5_1(_column("rankel-5.1", 3), _column("rankel-5.1")), "Table 5.1",
        ROUNDED_DOWN_REASON),
    "rankel-s5.5-settings": (lambda p: [13, 2**13 - 1, sum(
        len(documents()[name].columns) for name in ("rankel-5.2", "rankel-5.3"))],
        "the size of Tables 5.2 and 5.3", ""),
    "rankel-s6.2-identical": (
        lambda p: {2: np.mean(_column("rankel-2.1")), 3: np.mean(_column("rankel-2.1", 1)),
                   6: p.value(1) / len(documents()["rankel-6.1"].rows)},
        "Tables 2.1 and 6.1", "The text gives round numbers."),
    "rankel-s7.2-settings": (
        lambda p: {0: min(_column("rankel-2.1")), 1: max(_column("rankel-2.1")), 3: _N_PAIRS},
        "Table 2.1 and C(30, 2)", ""),
    "rankel-s7.3-best": (lambda p: best_variants(documents()["rankel-7.3"].value), "Table 7.3", ""),
    "rankel-s7.4-best": (lambda p: [100 * max(_column("rankel-7.4", "BA"))], "Table 7.4", ""),
    "nenkova-3.1": (lambda p: [{4: 135 * math.comb(8, n)} for n in range(1, 9)],
                    "3 x C(10, 2) x C(8, n)", ""),
    "nenkova-3.2": (lambda p: [{1: 3 * math.comb(5, n)} for n in range(1, 6)], "3 x C(5, n)", ""),
    "nenkova-4.5": (lambda p: [{1: n / 50} for n in p.column(0)], "sentences / 50 summaries", ""),
    "nenkova-5.2": (_accuracies, "counts of 5.2.3 and recalls of Table 5.3", ""),
    "nenkova-5.3": (_f_scores, "F of precision and recall", _PARTS_REASON),
    "nenkova-5.4": (lambda p: [{2: _percent(n, total)} for n, total in zip(
        p.column("found"), p.column("examples"), strict=True)], "found / examples", ""),
    "nenkova-f5.8": (_stratified_shares, "complements, and Figures 5.4, 5.5 and 5.7", ""),
    # Two votes in one case, one in each of two others, of eleven summaries and four judges.
    "nenkova-f5.11": (lambda p: [{1: _percent(2 + 2, 11 * 4)}], "the votes of 5.1.4", ""),
    "nenkova-s1.1-change": (lambda p: [100 - _cell("nenkova-s4.4-kept", "sum")],
                            "the words kept in 4.4", ""),
    "nenkova-s2.2.2-coverage": (_coverage_scores, "Tables 2.1 and 2.2",
                                "Peer 19 has .24 at 100 words, more than peer 28."),
    "nenkova-s2.3-quality": (_quality_shares, "Tables 2.3 and 2.4", ""),
    "nenkova-s2.4-classes": (_class_shares, "Tables 2.5 and 2.6",
                             ".1730 is truncated. The values of C7 do not follow from the tables."),
    "nenkova-s2.4-sentences": (_mark_counts, "Table 2.7", ""),
    "nenkova-s2.4-set1": (lambda p: first_set_counts(next(_class_sizes())[0].tolist()), "Table 2.5",
        ""),
    "nenkova-s2.4-vocabulary": (_vocabularies, "Tables 2.5 and 2.6",
                                "153 is truncated; 580 is a round number."),
    "nenkova-s3.1-optimal": (lambda p: [math.comb(4, 2)], "C(4, 2)", ""),
    "nenkova-s3.1.1-pairs": (lambda p: {1: 3 * math.comb(10, 2)}, "3 x C(10, 2)", ""),
    "nenkova-s3.1.1-threshold": (_critical_correlation, "all orders of five",
        "Values are multiples of .1, so "
                                 "that .85 and .9 are the same cutoff."),
    "nenkova-s3.2-points": (lambda p: {1: 3 * p.value(0)}, "36 x 3", ""),
    "nenkova-s3.3-design": (lambda p: [3 + p.value(2)], "a baseline, 24 machines and two people",
                            ""),
    "nenkova-s3.3.2-correlations": (lambda p: correlations_of_3_5(documents()["nenkova-3.5"].value),
                                    "Table 3.5", ""),
    "nenkova-s3.3.2-difference": (lambda p: [6 * _cell("nenkova-s3.3-design", "peers")],
                                  "6 sets x 27 peers", ""),
    "nenkova-s3.3.2-set324": (lambda p: [abs(_cell("nenkova-3.4", "324", c)) for c in (2, 0)],
                              "Table 3.4", ""),
    "nenkova-s3.4-inventories": (
        _reversed_inventory, "the first inventory in reverse, rank correlation -1", ""),
    "nenkova-s4.2.1-adjustment": (
        lambda p: [_cell("nenkova-4.7", row, c) for c in (0, 2)
                   for row in ("SUM_Avr", "SUM_AvrNoAdjust")], "Table 4.7", ""),
    "nenkova-s4.2.1-length": (
        lambda p: [_cell("nenkova-4.5", "SUM_Avr", 1), _cell("nenkova-4.5", "SUM_Prod", 1),
                   _cell("nenkova-4.6", "peer 120", "words") / 50],
        "Tables 4.5 and 4.6", "It is the sum, not the average, that makes summaries of about two "
        "sentences (2.36)."),
    "nenkova-s4.2.1-mse": (_mse_counts, "Table 4.8", ""),
    "nenkova-s4.6-scores": (
        lambda p: [_cell("nenkova-4.7", "SUM_Avr"), _cell("nenkova-4.7", "peer 65"),
                   _cell("nenkova-s4.4-pyramid", 0)],
        "Table 4.7 and the table of 4.4", ".4169 rounds to .42."),
    "nenkova-s5.1.2-both": (
        lambda p: [_cell("nenkova-f5.4", 0), _cell("nenkova-f5.8", "premodified") + 1
                   - _cell("nenkova-f5.6", "initial", "none") - _cell("nenkova-f5.4", 0)],
        "Figures 5.4, 5.6 and 5.8", ".51 + .40 - .76 is .15."),
    **{f"nenkova-s5.1.5-{name}": (_chain_limit(figure),
        f"the limit of the chain in Figure {figure}",
                                  _CHAIN_REASON)
       for name, figure in (("name", "5.5"), ("modification", "5.4"), ("premodifiers", "5.7"),
                            ("postmodifiers", "5.6"))},
    "nenkova-s5.1.5-sampling": (
        lambda p: [sum(_cell("nenkova-s5.1.5-name", 0, c) for c in columns)
                   for columns in ((1,), (0, 1))], "the limit of the form of the name", ""),
    "nenkova-s5.2.2-people": (
        lambda p: [_percent(_cell(_LABELS_ENTRY, "major"),
                            _cell(_LABELS_ENTRY, 4) + _cell(_LABELS_ENTRY, 5))],
        "counts of 5.2.3", "258 of 4184 people are 6.2 percent."),
    _LABELS_ENTRY: (lambda p: dict.fromkeys((3, 4), p.value(1) + p.value(2)), "118 + 140", ""),
    "nenkova-s5.2.5-major": (_major_people, "counts of 5.2.3 and Table 5.4",
        "15 of 59 are 25 percent."),
    "nenkova-s5.2.5-nouns": (_noun_counts, "the counts in the text",
        "22 + 58 of 103 are 78 percent."),
    "nenkova-s5.2.5-familiar": (
        lambda p: [_percent(_cell(_LABELS_ENTRY, "hearer-new"), _cell(_LABELS_ENTRY, "both")),
                   100 * (_cell("nenkova-5.2", 0, 1) - _cell("nenkova-5.2", 1, 1))],
        "counts of 5.2.3 and Table 5.2", ""),
    "nenkova-s5.2.5-postmodification": (
        lambda p: {0: _cell("nenkova-s5-references", 2) / _cell("nenkova-s5-references", 1),
                   1: p.value(2) + p.value(3), 7: _percent(p.value(3), p.value(2) + p.value(3))},
        "the counts in the text", ""),
    "nenkova-s5.2.6-accuracy": (_newsblaster_accuracy,
        "the precision and recall of 107 people, and Table "
                                "5.2", ""),
    "nenkova-s5.2.6-agreement": (_kappas, "agreement and share of new people",
                                 "Kappa of Newsblaster is .72 for the printed numbers."),
    "nenkova-s5.2.6-keywords": (_keyword_counts, "the counts in the text", ""),
    "nenkova-s5.2.6-newsblaster": (_f_scores, "F of precision and recall", _PARTS_REASON),
    "nenkova-s5.2.7-premodifiers": (lambda p: {2: 100 - p.value(0) - p.value(1)}, "the sum of 100",
                                    ""),
    "nenkova-s5.2.7-rules": (
        lambda p: {0: p.value("training") + p.value("test"),
                   7: 100 * (max(_column("nenkova-5.5")) - _cell("nenkova-5.5", "salience"))},
        "the counts in the text and Table 5.5", ""),
    "nenkova-s6-rule": (lambda p: [100 * max(_column("nenkova-5.5"))], "Table 5.5",
                        "Table 5.5 has .79."),
    "nenkova-s6.2-input": (_input_p_values, "t with n - 2 degrees of freedom",
                           "The printed p-values would fit eight or seven summaries."),
}  # fmt: skip
FROM_DOCUMENTS.update({name: ComputationRule(*rule) for name, rule in _RULES.items()})
