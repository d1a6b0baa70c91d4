"""Tied ranks, assessors and categories, kappa of several: `study quality --judgments`."""

import numpy as np
import pytest

from pyramidion.collection import Category, Collection, Judgment, Scores, Topic
from pyramidion.studies import AssessorCategories, RaterKappa, TiedRanks, quality

#: Rankel, Table 3.2: values of responsiveness, tied ranks and counts.
TABLE_3_2 = {1: (150.5, 300), 2: (688.5, 776), 3: (1427.5, 702), 4: (1961.5, 366), 5: (2282.5, 276)}

#: Rankel, Table 3.1: topics of assessors A to H, by category.
TABLE_3_1 = {
    "1": (1, 2, 1, 1, 1, 1, 1, 1),
    "2": (1, 2, 1, 1, 1, 1, 1, 1),
    "3": (2, 1, 1, 1, 2, 1, 1, 1),
    "4": (1, 0, 1, 1, 1, 2, 1, 1),
    "5": (1, 0, 2, 2, 1, 0, 1, 1),
}


def rows_of(kind, result):
    return [row for row in result if isinstance(row, kind)]


def test_tied_ranks_of_table_3_2():
    marks = np.repeat(list(TABLE_3_2), [count for _, count in TABLE_3_2.values()])
    scores = Scores.from_judgments(
        Judgment("T1", f"S{number}", "responsiveness", float(mark))
        for number, mark in enumerate(marks)
    )
    result = quality(scores, judgments=True)
    [ranks] = rows_of(TiedRanks, result)
    printed = dict(zip(ranks.values, zip(ranks.ranks, ranks.counts, strict=True), strict=True))
    assert printed == TABLE_3_2
    shares = result.to_frame("tied-ranks", library="pandas")["percent"]
    # Printed: 12.40, 32.07, 29.01, 15.12 and 11.40 percent; the last is 276 / 2420 = 11.405.
    assert shares.tolist() == pytest.approx([12.40, 32.07, 29.01, 15.12, 11.40], abs=0.006)
    assert any("no topic has both" in line for line in result.left_out)


def test_assessors_and_categories_of_table_3_1():
    cells = [
        (category, assessor, number)
        for category, counts in TABLE_3_1.items()
        for assessor, count in zip("ABCDEFGH", counts, strict=True)
        for number in range(count)
    ]
    assert len(cells) == 44
    names = {cell: f"D{number:02}" for number, cell in enumerate(cells)}
    collection = Collection(
        "tac2011",
        categories=(Category("1", "Accidents"),),
        topics=[Topic(names[cell], category=cell[0], assessor=cell[1]) for cell in cells],
        # Two systems each, and half of the judgments name the assessor themselves.
        scores=Scores.from_judgments(
            Judgment(names[cell], system, "responsiveness", 3.0, assessor=cell[1] * (system == "1"))
            for cell in cells
            for system in "12"
        ),
    )
    [crossed] = rows_of(AssessorCategories, quality(collection, judgments=True))
    assert crossed.topics == tuple(TABLE_3_1.values())
    assert crossed.assessors == tuple("ABCDEFGH")
    assert crossed.categories == ("Accidents", "2", "3", "4", "5")


def test_kappa_of_three_assessors():
    marks = {"1": (5, 5, 5), "2": (5, 5, 1), "3": (1, 1, 5), "4": (1, 1, 1), "5": (2, 3)}
    scores = Scores.from_judgments(
        Judgment("T1", system, "readability", float(mark), assessor=assessor)
        for system, values in marks.items()
        for mark, assessor in zip(values, "XYZ", strict=False)
    )
    result = quality(scores, judgments=True)
    [kappa] = rows_of(RaterKappa, result)
    # Pairs agree in (3 + 1 + 1 + 3) / 12; half of the twelve values are 5, half 1.
    assert (kappa.raters, kappa.summaries) == (3, 4)
    assert (kappa.agreement, kappa.expected, kappa.kappa) == pytest.approx((2 / 3, 1 / 2, 1 / 3))
    assert "kappa, readability: 1 summaries not judged by 3 assessors" in result.left_out


def test_the_option_is_needed():
    scores = Scores.from_judgments([Judgment("T1", "1", "readability", 4.0)])
    assert len(quality(scores)) == 1
    assert len(quality(scores, judgments=True)) == 2
