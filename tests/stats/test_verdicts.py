"""Agreement on significance against R, and what must hold for any verdicts."""

import json
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._paired_tests import wilcoxon
from pyramidion.stats._verdicts import agreement_on_significance, all_must_agree
from support import GOLD

# R 4.2.2 base: signed-rank tests of all pairs of systems, and the counts by their definitions.
CASES = json.loads((GOLD / "stats" / "agreement.json").read_text(encoding="utf-8"))["cases"]
BLOCKS = [
    (case, block)
    for case in CASES
    for block in CASES[case]["outputs"]
    if block.startswith(("metric", "all_agree"))
]
NAMES = {
    "TP": "tp",
    "FP": "fp",
    "FN": "fn",
    "TN": "tn",
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "balanced_accuracy_formula": "balanced_accuracy",
    "npv": "negative_predictive_value",
    "mean_ppv_npv": "mean_predictive_value",
    "direction_conflicts": "direction_conflicts",
}


def signed_rank_tests(scores):
    """Test all pairs of columns; give p-values and the signs of W+ - W-."""
    pairs = combinations(np.array(scores).T, 2)
    found = [wilcoxon(x, y, zeros="drop", method="normal") for x, y in pairs]
    return np.array([w.p for w in found]), np.sign([w.w_plus - w.w_minus for w in found])


def gold_verdicts(case):
    out = CASES[case]["outputs"]
    p, signs = np.array([out["p_manual"], *out["p_auto"]]), [out["sign_manual"], *out["sign_auto"]]
    return p < CASES[case]["inputs"]["alpha"], np.array(signs)


@pytest.mark.parametrize("case", CASES)
def test_gold_tests(case):
    inputs, out = CASES[case]["inputs"], CASES[case]["outputs"]
    gold = [(out["p_manual"], out["sign_manual"])]
    gold += zip(out["p_auto"], out["sign_auto"], strict=True)
    for scores, (p, signs) in zip([inputs["manual"], *inputs["auto"]], gold, strict=True):
        found_p, found_signs = signed_rank_tests(scores)
        assert found_p == pytest.approx(p, rel=1e-9)
        assert found_signs.tolist() == signs


@pytest.mark.parametrize(("case", "block"), BLOCKS)
def test_gold(case, block):
    verdicts, signs = gold_verdicts(case)
    numbers = [int(part) for part in block.replace("metric", "_").split("_") if part.isdigit()]
    found = agreement_on_significance(
        verdicts[0],
        all_must_agree(verdicts[numbers], signs=signs[numbers]),
        manual_signs=signs[0],
        automatic_signs=signs[numbers[0]],
    )
    expected = CASES[case]["outputs"][block]
    assert {name: getattr(found, NAMES[name]) for name in expected} == pytest.approx(
        {name: math.nan if value is None else value for name, value in expected.items()},
        rel=1e-9,
        nan_ok=True,
    )


def test_gold_is_complete():
    assert len(BLOCKS) == 7
    others = {"p_manual", "sign_manual", "p_auto", "sign_auto"}
    assert {block for _, block in BLOCKS} | others == set(CASES["small"]["outputs"])


verdict = st.tuples(st.booleans(), st.sampled_from((-1, 1)))
both = st.lists(st.tuples(verdict, verdict), min_size=1, max_size=30)


def compare(pairs):
    (manual, up), (automatic, up_too) = (
        zip(*side, strict=True) for side in zip(*pairs, strict=True)
    )
    return agreement_on_significance(manual, automatic, manual_signs=up, automatic_signs=up_too)


@given(both)
def test_definition(pairs):
    found = compare(pairs)
    kinds = [(a, b) for (a, _), (b, _) in pairs]
    counts = [kinds.count(kind) for kind in ((1, 1), (0, 1), (1, 0), (0, 0))]
    assert [found.tp, found.fp, found.fn, found.tn] == counts
    signed = [(a * s, b * t) for (a, s), (b, t) in pairs]
    table = tuple(tuple(signed.count((i, j)) for j in (-1, 0, 1)) for i in (-1, 0, 1))
    assert found.three_way == table
    assert found.direction_conflicts == sum(i * j == -1 for i, j in signed)
    ratios = {
        "precision": [b == a for a, b in kinds if b],
        "recall": [b == a for a, b in kinds if a],
        "specificity": [b == a for a, b in kinds if not a],
        "negative_predictive_value": [b == a for a, b in kinds if not b],
    }
    for name, right in ratios.items():
        expected = sum(right) / len(right) if right else math.nan
        assert getattr(found, name) == pytest.approx(expected, nan_ok=True)


@given(both)
def test_swapping_transposes(pairs):
    one, other = compare(pairs), compare([(b, a) for a, b in pairs])
    assert other.three_way == tuple(zip(*one.three_way, strict=True))
    assert (other.tp, other.fp, other.fn, other.tn) == (one.tp, one.fn, one.fp, one.tn)
    assert (other.accuracy, other.direction_conflicts) == (one.accuracy, one.direction_conflicts)
    swapped = (other.precision, other.balanced_accuracy)
    assert swapped == pytest.approx((one.recall, one.mean_predictive_value), nan_ok=True)


@given(both, st.randoms(use_true_random=False))
def test_order_of_pairs_and_systems_does_not_matter(pairs, random):
    found = compare(pairs)
    # As text, because NaN differs from itself.
    assert repr(compare(random.sample(pairs, len(pairs)))) == repr(found)
    turned = compare([((a, -s), (b, -t)) for (a, s), (b, t) in pairs])
    assert turned.three_way == tuple(row[::-1] for row in found.three_way[::-1])
    assert (turned.tp, turned.direction_conflicts) == (found.tp, found.direction_conflicts)


@given(st.lists(verdict, min_size=1))
def test_identical_verdicts(verdicts):
    found = compare([(v, v) for v in verdicts])
    assert (found.accuracy, found.fp, found.fn, found.direction_conflicts) == (1, 0, 0, 0)


def test_undefined_ratios():
    nothing = agreement_on_significance([False, False], [False, False])
    assert (nothing.specificity, nothing.negative_predictive_value) == (1, 1)
    undefined = ("precision", "recall", "balanced_accuracy", "mean_predictive_value")
    assert all(math.isnan(getattr(nothing, name)) for name in undefined)
    assert (nothing.direction_conflicts, nothing.three_way) == (None, None)


@given(st.data(), st.integers(1, 4), st.integers(1, 8))
def test_all_must_agree(data, measures, pairs):
    row = st.lists(verdict, min_size=pairs, max_size=pairs)
    cells = np.array(data.draw(st.lists(row, min_size=measures, max_size=measures)))
    verdicts, signs = cells[..., 0].astype(bool), cells[..., 1]
    unsigned, signed = all_must_agree(verdicts), all_must_agree(verdicts, signs=signs)
    for j in range(pairs):
        assert unsigned[j] == all(verdicts[:, j])
        assert signed[j] == (all(verdicts[:, j]) and len(set(signs[:, j])) == 1)
    order = data.draw(st.permutations(range(measures)))
    assert all_must_agree(verdicts[order], signs=signs[order]).tolist() == signed.tolist()
    assert all_must_agree(verdicts[:1]).tolist() == verdicts[0].tolist()


YES = [True, True]


@pytest.mark.parametrize(
    ("manual", "automatic", "signs", "error", "message"),
    [
        (YES, [True], {}, ShapeError, "`manual` has 2 verdicts and `automatic` 1"),
        ([], [], {}, ShapeError, "`manual` has the shape \\(0,\\)"),
        (YES, [YES], {}, ShapeError, "`automatic` has the shape"),
        (True, True, {}, ShapeError, "`manual` has the shape"),
        ([YES, [True]], YES, {}, ShapeError, "`manual` has rows of different lengths"),
        ([0.01, 0.2], YES, {}, InputError, "`manual` holds something other than True and False"),
        (YES, [1, 0], {}, InputError, "`automatic` holds something other"),
        (YES, [True, None], {}, InputError, "`automatic` holds something other"),
        (YES, ["yes", "no"], {}, InputError, "`automatic` holds something other"),
        (YES, YES, {"manual_signs": [1, 1]}, InputError, "only one of the measures has signs"),
    ],
)
def test_bad_verdicts(manual, automatic, signs, error, message):
    with pytest.raises(error, match=message):
        agreement_on_significance(manual, automatic, **signs)


@pytest.mark.parametrize(
    ("signs", "error", "message"),
    [
        ([1], ShapeError, "`automatic_signs` has the shape \\(1,\\)"),
        ([1, 2], InputError, "other than -1, 0 and 1"),
        ([1, math.nan], InputError, "other than -1, 0 and 1"),
        (["+", "-"], InputError, "other than -1, 0 and 1"),
        ([True, True], InputError, "other than -1, 0 and 1"),
        ([1, 0], InputError, "is 0 at position 1, where the difference is significant"),
    ],
)
def test_bad_signs(signs, error, message):
    with pytest.raises(error, match=message):
        agreement_on_significance(YES, YES, manual_signs=[1, 1], automatic_signs=signs)


def test_bad_combinations():
    with pytest.raises(ShapeError, match="`verdicts` has the shape \\(2,\\); give a row"):
        all_must_agree(YES)
    with pytest.raises(ShapeError, match="`verdicts` has the shape \\(0,\\)"):
        all_must_agree([])
    with pytest.raises(ShapeError, match="`verdicts` has rows of different lengths"):
        all_must_agree([YES, [True]])
    with pytest.raises(InputError, match="`verdicts` holds something other"):
        all_must_agree([[1, 0]])
    with pytest.raises(ShapeError, match="`signs` has the shape"):
        all_must_agree([YES], signs=[1, 1])
    with pytest.raises(InputError, match="`signs` is 0 at position 0, 1"):
        all_must_agree([YES], signs=[[1, 0]])
