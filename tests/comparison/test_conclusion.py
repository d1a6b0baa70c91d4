"""The conclusion in words: p-values are made up, so that every sentence is known beforehand."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from pyramidion.comparison import (
    Comparison,
    ComparisonResult,
    PairCounts,
    SystemResult,
    compare,
)


def concluded(
    means, p, *, baseline=None, alpha=0.05, against=(), direction="higher", equivalent=None
):
    """Conclude from means (best first) and the p-values of pairs; .001 where none is given.

    Pairs of `equivalent`, which has their p-values, are within a margin of 2.
    """
    within = equivalent or {}
    systems = [SystemResult(n, "machine", m, m, m, 9, i, "") for i, (n, m) in enumerate(means)]
    names = [name for name, _ in means]
    pairs = [(o, baseline) for o in names if o != baseline] if baseline else combinations(names, 2)
    value = dict(means)
    comparisons = [
        Comparison(a, b, 9, (value[a] - value[b]) * (-1 if a + b in against else 1), 0.0,
                   p.get(a + b, 0.001), p.get(a + b, 0.001), 0.0, note="no shared topic",
                   p_equivalence_adjusted=within.get(a + b, math.nan),
                   verdict="equivalent" if a + b in within else "")
        for a, b in pairs
    ]  # fmt: skip
    differ = sum(pair.p_adjusted <= alpha for pair in comparisons)
    counts = PairCounts(len(comparisons), differ, differ)
    return ComparisonResult(
        "m", "", "permutation", alpha, "maxt", None, 99, counts, PairCounts(0, 0, 0),
        tuple(systems), tuple(comparisons), baseline=baseline, direction=direction,
        margin=2.0 if within else None,
    ).conclusion  # fmt: skip


FOUR = [("A", 4.0), ("B", 3.0), ("C", 2.0), ("D", 1.0)]
LEFT = "undecided, which does not mean equal"


@pytest.mark.parametrize(
    ("p", "conclusion"),
    [
        ({}, "A leads; it beats B, C and D (p ≤ .001). All 6 pairs differ significantly."),
        (
            {"AB": 0.312, "CD": 0.2, "BD": 0.0123},
            "A and B lead; which of the two is better is undecided (p = .31); both beat C and D "
            f"(p ≤ .012). 4 of 6 pairs differ significantly; 2 are {LEFT}.",
        ),
        (
            {"AB": 0.3, "BC": 0.2, "AC": 0.031},
            "A and B lead; which of the two is better is undecided (p = .30); both beat D "
            "(p ≤ .001); A also beats C (p = .031). 4 of 6 pairs differ significantly; 2 are "
            f"{LEFT}.",
        ),
        (
            {"AB": 0.3, "AC": 0.0502, "BD": 0.00004, "AD": 0.00001, "CD": 0.0001},
            "A and B lead; which of the two is better is undecided (p = .30); both beat D "
            "(p < .001); C is not shown to be worse than A (p = .0502), but B beats it "
            f"(p = .001). 4 of 6 pairs differ significantly; 2 are {LEFT}.",
        ),
        (
            {"AB": 0.3, "AC": 0.2, "BC": 0.0502, "BD": 0.00004, "AD": 0.00001, "CD": 0.0001},
            "A, B and C lead; the other two are not shown to be worse than A (p ≥ .20); all of "
            f"them beat D (p < .001). 3 of 6 pairs differ significantly; 3 are {LEFT}.",
        ),
        (
            {"AB": 0.3, "AC": 0.2, "AD": 0.1, "BC": 0.4},
            "A, B and C lead; the other two are not shown to be worse than A (p ≥ .20); D is not "
            "shown to be worse than A (p = .10), but B and C beat it (p ≤ .001). 2 of 6 pairs "
            f"differ significantly; 4 are {LEFT}.",
        ),
        (
            dict.fromkeys(("AB", "AC", "AD", "BC", "BD", "CD"), 0.07),
            "A has the best mean, but that may be chance. None of the 6 pairs differs "
            f"significantly (p ≥ .070): {LEFT}.",
        ),
        (
            {"AB": math.nan, "CD": 0.5},
            "A leads; it beats C and D (p ≤ .001). 4 of 5 pairs that could be tested differ "
            f"significantly; 1 is {LEFT}.",
        ),
        (
            dict.fromkeys(("AB", "AC", "AD", "BC", "BD", "CD"), math.nan),
            "A has the best mean, but that may be chance. None of the 6 pairs could be tested.",
        ),
    ],
)
def test_leaders_and_the_systems_they_beat(p, conclusion):
    assert concluded(FOUR, p) == conclusion


def test_tied_systems_are_named_together():
    values = np.tile([[1.0], [1.0], [0.5], [0.4]], 3)
    frame = pd.DataFrame(values.T, columns=list("ABCD"), index=["T1", "T2", "T3"])
    text = str(compare(frame))
    assert "A and B have the best mean, but that may be chance" in text


def test_lower_can_be_better():
    upside_down = [("A", 1.0), ("B", 2.0), ("C", 3.0), ("D", 4.0)]
    turned = concluded(upside_down, {"AB": 0.3}, direction="lower")
    assert turned == concluded(FOUR, {"AB": 0.3})


def test_a_pair_that_contradicts_the_ranking_is_reported():
    conclusion = concluded(FOUR, {}, against=("AC",))
    assert "on the topics they share, C did better than A (p = .001)" in conclusion


def test_who_beats_a_leader_against_the_ranking_is_not_a_leader():
    conclusion = concluded(FOUR, {"AB": 0.3, "AC": 0.2}, against=("BC",))
    assert conclusion.startswith("A and B lead;")
    # The line about C explains why B leads anyway.
    assert (
        "C is not shown to be worse than A (p = .20), and did better than B (p = .001)"
        in conclusion
    )


@pytest.mark.parametrize(
    ("p", "conclusion"),
    [
        ({"AC": 0.01}, "A and B are better (p ≤ .010) and D is worse (p = .001)"),
        ({"AC": 0.6, "BC": 0.6, "DC": 0.6}, "No system is shown to be better or worse"),
    ],
)
def test_against_a_baseline(p, conclusion):
    assert concluded(FOUR, p, baseline="C").startswith(f"{conclusion} than the baseline C.")


@pytest.mark.parametrize(
    ("p", "conclusion"),
    [
        (0.02, "A beats B by 1 on average (p = .020)."),
        (0.31, f"A is ahead of B by 1 on average, but that may be chance (p = .31): {LEFT}."),
        (math.nan, "A and B could not be tested: no shared topic."),
    ],
)
def test_two_systems(p, conclusion):
    assert concluded(FOUR[:2], {"AB": p}) == conclusion


def test_names_keep_their_case_and_numbers_are_called_systems():
    assert concluded([("bart", 2.0), ("t5", 1.0)], {}).startswith("bart beats t5 by 1")
    seven = [(str(n), 9.0 - n) for n in range(7)]
    conclusion = (
        "System 0 leads; it beats all 6 others (p ≤ .001). All 21 pairs differ significantly."
    )
    assert concluded(seven, {}) == conclusion
    assert concluded(seven, {f"0{n}": 0.5 for n in range(1, 7)}) == (
        "System 0 ranks first, but none of the 6 others is shown to be worse (p ≥ .50); system 1 "
        "beats the most, systems 2, 3, 4, 5 and 6 (p ≤ .001). 15 of 21 pairs differ "
        f"significantly; 6 are {LEFT}."
    )


def test_many_that_are_not_shown_to_be_worse_are_counted():
    seven = [(name, float(9 - index)) for index, name in enumerate("ABCDEFG")]
    some = {f"A{name}": 0.5 for name in "BCDEF"} | {f"B{name}": 0.5 for name in "CDEFG"}
    conclusion = concluded(seven, some | {"CD": 0.5, "AG": 0.04})
    assert conclusion.startswith(
        "A ranks first, but 5 of the 6 others are not shown to be worse (p ≥ .50); it beats G "
        "(p = .040); C beats the most, E, F and G (p ≤ .001). "
    )


def test_the_answer_has_it():
    result = compare([3, 5, 4, 6, 5, 4], [1, 4, 2, 2, 3, 3])
    # All six differences are positive: 2 of 64 signs are as extreme.
    assert result.conclusion == "A beats B by 2 on average (p = .031)."
    assert result.to_dict()["results"][0]["conclusion"] == result.conclusion
    assert f"\n{result.conclusion}\nSignificant at 0.05" in str(result)


def test_leaders_are_the_first_of_the_ranking():
    # D differs from nobody; C is beaten, so D, below it, does not lead.
    p = {"AB": 0.4, "AD": 0.3, "BD": 0.2, "CD": 0.6}
    conclusion = concluded(FOUR, p)
    assert conclusion.startswith("A and B lead;")
    assert "D is not shown to be worse than A (p = .30)" in conclusion


def test_a_p_value_of_one_is_not_a_bound():
    conclusion = concluded(FOUR, dict.fromkeys(("AB", "AC", "AD", "BC", "BD", "CD"), 1.0))
    assert "(p > .99)" in conclusion
    assert "1.00" not in conclusion


def test_of_several_comparisons_each_ranking_has_its_conclusion():
    frame = pd.DataFrame({"topic": [*"abcdef"] * 2, "system": ["x"] * 6 + ["y"] * 6,
                          "one": [1.5, 2, 3, 4, 5, 6, 2, 1.5, 3, 4, 6, 5],
                          "two": np.arange(12) + 0.5})  # fmt: skip
    result = compare(frame, correction="none")
    counts, first, _, second, _ = result.tables
    assert counts.note == "Significant at 0.05 without correction for the number of pairs."
    for table, comparison in zip((first, second), result, strict=True):
        assert table.note.startswith(f"{comparison.conclusion}\n")
        assert "--" not in table.note.split("\n")[0]
    assert result[0].conclusion in compare(frame, measures="one").tables[0].note


@pytest.mark.parametrize(
    ("p", "equivalent", "conclusion"),
    [
        (
            {"AB": 0.4},
            {"AB": 0.0009},
            "A and B lead; both are equivalent within 2 (p < .001); both beat C and D "
            "(p ≤ .001). 5 of 6 pairs differ significantly; 1 is equivalent within 2 (p < .001).",
        ),
        (
            {"AB": 0.4, "AC": 0.3, "BC": 0.2},
            {"AB": 0.001, "AC": 0.02},
            "A, B and C lead; the others are to A equivalent within 2 (p ≤ .020); all of them "
            "beat D (p ≤ .001). 3 of 6 pairs differ significantly; 2 are equivalent within 2 "
            f"(p ≤ .020); 1 is {LEFT}.",
        ),
        (
            {"AB": 0.01, "CD": 0.01},
            {"AB": 0.001, "CD": 0.01},
            "A and B lead; both are equivalent within 2 (p ≤ .001); both beat C and D "
            "(p ≤ .001). 2 of 6 pairs are equivalent within 2 (p ≤ .010), all of them though "
            "significantly different; 4 more differ significantly.",
        ),
        (
            {"AB": 0.01, "CD": 0.4, "BC": 0.2, "BD": 0.2, "AD": 0.2, "AC": 0.03},
            {"AB": 0.03},
            "A and B lead; both are equivalent within 2 (p ≤ .030); A beats C (p = .030); D is "
            "not shown to be worse than A (p = .20). 1 of 6 pairs is equivalent within 2 "
            "(p ≤ .030), though significantly different; 1 more differs significantly; 4 are "
            f"{LEFT}.",
        ),
        (
            {},
            {"AB": 0.02, "BC": 0.02, "CD": 0.02, "AC": 0.04, "BD": 0.01, "AD": 0.001},
            "A has the best mean, but every significant difference is within 2. 6 of 6 pairs are "
            "equivalent within 2 (p ≤ .040), all of them though significantly different.",
        ),
    ],
)
def test_pairs_within_a_margin_have_the_largest_of_their_p_values(p, equivalent, conclusion):
    assert concluded(FOUR, p, equivalent=equivalent) == conclusion


def test_of_five_leaders_four_are_not_shown_to_be_worse_and_of_six_they_are_counted():
    many = [(name, float(9 - index)) for index, name in enumerate("ABCDEFGHIJK")]
    tied = {a + b: 0.5 for a, b in combinations("ABCDE", 2)}
    assert concluded(many[:9], tied).startswith(
        "A, B, C, D and E lead; the other four are not shown to be worse than A (p ≥ .50); all "
        "of them beat all 4 others (p ≤ .001). "
    )
    assert "all of them beat F, G and H (p ≤ .001)" in concluded(many[:8], tied)
    tied |= {f"{name}F": 0.5 for name in "ABCDE"}
    assert concluded(many, tied).startswith(
        "A ranks first, but 5 of the 10 others are not shown to be worse (p ≥ .50); it beats G, "
        "H, I, J and K (p ≤ .001). "
    )
    assert concluded(many[:7], {}, baseline="G").startswith(
        "A, B, C, D and 2 more are better (p ≤ .001) than the baseline G."
    )
    assert concluded(many[:6], {}, baseline="F").startswith("A, B, C, D and E are better")


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (0.0009, "p < .001"),
        (0.001, "p = .001"),
        (0.05, "p = .050"),
        (0.0501, "p = .0501"),
        (0.0996, "p = .100"),
        (0.1, "p = .10"),
        (0.994, "p = .99"),
        (0.995, "p > .99"),
    ],
)
def test_p_values_have_as_many_digits_as_they_need(p, shown):
    assert f"({shown})" in concluded(FOUR[:2], {"AB": p})
