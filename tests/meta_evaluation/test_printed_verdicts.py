"""Tables 7.4 and 7.5 of the dissertation: which confusion tables can be behind printed ratios.

Two decimals of accuracy, precision and recall leave few whole numbers, so that one can tell what
a row was computed from and what its column BA holds. Readings 1 and 2 of the statistics
specification (section 4) are checked.
"""

import json
import math

import numpy as np
import pytest

from pyramidion.meta_evaluation import Agreement
from support import GOLD

# Derived from the dissertation's tables by arithmetic.
SEED = json.loads((GOLD / "stats" / "seed_values.json").read_text(encoding="utf-8"))["cases"]
CASE = SEED["table_7_4_7_5_checks"]

# Table 7.1, row 2011: significant pairs of 435 by Pyramid A and B, Responsiveness A and B.
POSITIVES = tuple(
    CASE["inputs"]["positives_2011"][name] for name in ("PyrA", "PyrB", "RespA", "RespB")
)
PAIRS = CASE["inputs"]["pairs"]
SWAPPED = (2, 3, 0, 1)

# Table 7.5: Acc, P, R and BA for Pyramid A and B, Responsiveness A and B; rows of AESOP metrics.
AESOP = """
.60 .02 .60 .50  .84 .03 .18 .50  .61 .14 .64 .54  .70 .21 .22 .52
.59 .01 .20 .50  .79 .07 .55 .53  .66 .18 .79 .58  .64 .17 .24 .49
.44 .01 .60 .50  .48 .02 .36 .50  .52 .13 .77 .55  .43 .13 .36 .46
.78 .01 .20 .50  .76 .06 .55 .52  .76 .23 .69 .60  .67 .22 .29 .52
.69 .01 .20 .50  .77 .07 .64 .53  .82 .29 .74 .63  .60 .15 .24 .47
.60 .01 .40 .50  .70 .06 .82 .53  .69 .20 .79 .59  .60 .22 .42 .52
.73 .01 .20 .50  .80 .01 .09 .49  .79 .25 .72 .61  .72 .31 .39 .58
"""

# Table 7.5, rows of combinations of ROUGE: R1-R2-R4-RBE, R1-R4-RBE, all.
COMBINED = """
.89 .40 .44 .67  .76 .27 .17 .55  .88 .00 .00 .49  .91 .03 .09 .50
.89 .40 .44 .67  .77 .35 .24 .59  .88 .00 .00 .49  .90 .03 .09 .50
.89 .40 .44 .67  .75 .26 .16 .54  .88 .00 .00 .49  .91 .04 .09 .51
"""

# Table 7.1, columns Pyr A and Pyr B, rows 2008 to 2010: the pairs that Table 7.4 is about.
PYRAMID_2008_2010 = 82 + 109 + 146 + 190 + 165 + 139
PAIRS_2008_2010 = 6 * 435

# Table 7.4: Acc, Prec, Rec and BA of combinations of ROUGE.
TABLE_7_4 = {
    "R1_R2_R4_RBE": (0.76, 0.77, 0.36, 0.76),
    "R1_R4_RBE": (0.76, 0.76, 0.36, 0.76),
    "R2_R4_RBE": (0.76, 0.74, 0.40, 0.75),
    "R4_RBE": (0.76, 0.73, 0.41, 0.75),
    "R1_R2_R4": (0.76, 0.71, 0.40, 0.74),
    "R1_R4": (0.75, 0.70, 0.40, 0.73),
    "R2_R4": (0.75, 0.68, 0.44, 0.73),
    "R1_R2_RBE": (0.75, 0.66, 0.48, 0.72),
    "R2_RBE": (0.75, 0.64, 0.52, 0.72),
    "R4": (0.74, 0.62, 0.47, 0.70),
    "R1_RBE": (0.74, 0.62, 0.49, 0.70),
    "R1_R2": (0.73, 0.57, 0.62, 0.70),
    "RBE": (0.73, 0.57, 0.58, 0.68),
    "R2": (0.71, 0.53, 0.69, 0.68),
    "R1": (0.62, 0.43, 0.69, 0.63),
}

# Half a unit of the last printed decimal, whichever way a five was rounded.
HALF = 0.005 + 1e-9


def agreement(tp, fp, fn, tn):
    return Agreement(((0, 0, 0), (0, tn, fp), (0, fn, tp)))


def is_printed(value, printed):
    # A ratio 0/0 stands as 0 in the tables (reading 3).
    return abs((0.0 if math.isnan(value) else value) - printed) <= HALF


def around(share, whole):
    """Return the whole numbers whose share of the whole is printed so."""
    return range(
        max(0, math.ceil((share - HALF) * whole)),
        min(whole, math.floor((share + HALF) * whole)) + 1,
    )


def fitting(cell, positives, pairs):
    """Find all agreements with the printed accuracy, precision and recall."""
    accuracy, precision, recall, _ = cell
    right = [
        (tp, correct - tp)
        for tp in around(recall, positives)
        for correct in around(accuracy, pairs)
    ]
    agreements = [
        agreement(tp, pairs - positives - tn, positives - tp, tn)
        for tp, tn in right
        if 0 <= tn <= pairs - positives
    ]
    assert all(
        is_printed(a.accuracy, accuracy) and is_printed(a.recall, recall) for a in agreements
    )
    return [a for a in agreements if is_printed(a.precision, precision)]


def cells(text):
    """Return the cells of Table 7.5, each with the number of its block."""
    numbers = np.array(text.split(), dtype=float).reshape(-1, 4, 4)
    return [(cell, block) for row in numbers for block, cell in enumerate(row)]


def tables_of(text, order=(0, 1, 2, 3)):
    return [(cell, fitting(cell, POSITIVES[order[block]], PAIRS)) for cell, block in cells(text)]


def fits(tables, name):
    """Count the cells whose BA is printed as a tables' value of this name."""
    return sum(
        any(is_printed(getattr(a, name), cell[3]) for a in agreements)
        for cell, agreements in tables
    )


def test_table_7_5_needs_swapped_blocks():
    labelled, swapped, combined = tables_of(AESOP), tables_of(AESOP, SWAPPED), tables_of(COMBINED)
    assert CASE["outputs"] == {
        "aesop_rows_feasible_as_labelled": sum(bool(agreements) for _, agreements in labelled),
        "aesop_rows_feasible_with_pyr_resp_swapped": sum(
            bool(agreements) for _, agreements in swapped
        ),
        "cells": len(labelled),
        "combination_cells_feasible_as_labelled": sum(
            bool(agreements) for _, agreements in combined
        ),
    }
    assert len(combined) == 12


def test_table_7_5_prints_mean_predictive_values():
    tables = [*tables_of(AESOP, SWAPPED), *tables_of(COMBINED)]
    # Reading 1: 36 of 40.
    assert (fits(tables, "mean_predictive_value"), len(tables)) == (36, 40)
    assert fits(tables, "balanced_accuracy") < 10


@pytest.fixture(scope="module")
def table_7_4():
    return {
        name: fitting(cell, PYRAMID_2008_2010, PAIRS_2008_2010) for name, cell in TABLE_7_4.items()
    }


def test_table_7_4_prints_mean_predictive_values(table_7_4):
    assert all(table_7_4.values())
    fitted = {
        name: fits([(TABLE_7_4[name], agreements)], "mean_predictive_value")
        for name, agreements in table_7_4.items()
    }
    assert [name for name, fit in fitted.items() if not fit] == ["R1"]
    # Reading 1: the best row's .76 is impossible by the formula, which allows .68 at recall .36.
    best = table_7_4["R1_R2_R4_RBE"]
    assert not any(is_printed(a.balanced_accuracy, 0.76) for a in best)
    tp = round(0.36 * PYRAMID_2008_2010)
    negatives = PAIRS_2008_2010 - PYRAMID_2008_2010
    perfect = agreement(tp, 0, PYRAMID_2008_2010 - tp, negatives)
    assert perfect.balanced_accuracy == pytest.approx(0.68, abs=0.005)


def test_balanced_accuracy_turns_table_7_4_round(table_7_4):
    ranges = {
        name: (
            min(a.balanced_accuracy for a in agreements),
            max(a.balanced_accuracy for a in agreements),
        )
        for name, agreements in table_7_4.items()
    }
    # Reading 1: .705, .701 and .653 by the formula.
    for name, value in (("R2", 0.705), ("R1_R2", 0.701), ("R1_R2_R4_RBE", 0.653)):
        low, high = ranges[name]
        assert low - 0.0005 <= value <= high + 0.0005
    best_two = {name for name, _ in sorted(ranges.items(), key=lambda item: -item[1][1])[:2]}
    assert best_two == {"R2", "R1_R2"}
    assert min(ranges[name][0] for name in best_two) > ranges["R1_R2_R4_RBE"][1]
