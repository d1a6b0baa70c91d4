"""Power curves: R's simulation, the textbook statistics, and section 3.7's settings."""

import inspect
import json
import math

import numpy as np
import pytest
from scipy import stats

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._power import power_curve, table_statistics
from support import GOLD

# R 4.2.2, base functions: a simulation of 12,000 and 4,000 samples.
CASE = json.loads((GOLD / "stats" / "power.json").read_text("utf-8"))["cases"]["small"]
INPUTS, OUTPUTS = CASE["inputs"], CASE["outputs"]["monte_carlo"]
ORDER = ("w", "t", "welch")
EFFECTS = {"iid": None, "document_random_effects": INPUTS["p_d"]}
STEPS = (0, 0.1, 0.2, 0.3)


@pytest.fixture(scope="module", params=EFFECTS)
def both(request):
    curve = power_curve(
        INPUTS["p_M"],
        INPUTS["p_H"],
        p_documents=EFFECTS[request.param],
        topics=INPUTS["n"],
        t=STEPS,
    )
    return curve, OUTPUTS[request.param], request.param


def test_gold_of_power(both):
    curve, gold, _ = both
    for i, t in enumerate(STEPS[1:], start=1):
        for place, name in enumerate(ORDER):
            p = gold[f"power_t{t}"][place]
            noise = 3.5 * math.sqrt(p * (1 - p) * (1 / 4000 + 1 / curve.n_resamples)) + 0.01
            assert curve.tests[name].calibrated[i] == pytest.approx(p, abs=noise)


def test_gold_of_cutoffs(both):
    curve, gold, _ = both
    for place, name in enumerate(ORDER):
        # The standard error of a 95 % quantile of 12,000 normal values is 0.02.
        assert curve.tests[name].cutoff == pytest.approx(gold["cutoff95"][place], abs=0.08)


def test_size(both):
    curve, _, effects = both
    for test in curve.tests.values():
        assert 0.035 < test.calibrated[0] <= 0.05
        assert test.nominal[0] == test.size
    assert curve.tests["t"].size == pytest.approx(0.05, abs=0.005)
    # Statistics specification, section 4, point 10.
    expected = 0.05 if effects == "iid" else 0.003
    assert curve.tests["welch"].size == pytest.approx(expected, abs=0.005)


def test_nominal_power_shows_the_gain_of_pairing(both):
    curve, _, effects = both
    if effects == "iid":
        return
    # Statistics specification, section 4, point 10: 0.25 and 0.05 at t = 0.2.
    assert curve.tests["t"].nominal[2] == pytest.approx(0.25, abs=0.02)
    assert curve.tests["welch"].nominal[2] == pytest.approx(0.05, abs=0.02)


def test_power_rises(both):
    for test in both[0].tests.values():
        assert (np.diff(test.calibrated) > 0).all()


def test_settings_of_section_3_7_are_the_defaults():
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(power_curve).parameters.items()
    }
    assert defaults["topics"] == 60
    assert (defaults["n_null"], defaults["n_resamples"]) == (50_000, 10_000)
    assert defaults["t"] == pytest.approx(np.arange(0, 0.81, 0.05))
    assert (defaults["alternative"], defaults["confidence_level"]) == ("greater", 0.95)


@pytest.mark.parametrize("scale", [[1.0, 2, 3, 4, 5], [0.0, 0.1, 0.3, 0.4, 1.2]])
def test_statistics_of_tables_equal_those_of_samples(scale):
    rng = np.random.default_rng(0)
    scale = np.array(scale)
    first, second = rng.integers(0, 5, (2, 40, 30))
    counts = np.array(
        [np.bincount(5 * a + b, minlength=25) for a, b in zip(first, second, strict=True)], float
    )
    found, freedom = table_statistics(counts, scale)
    for row, (x, y) in enumerate(zip(scale[first], scale[second], strict=True)):
        z = np.round(y - x, 9)
        ranks = stats.rankdata(np.abs(z[z != 0])) * np.sign(z[z != 0])
        welch = stats.ttest_ind(y, x, equal_var=False)
        expected = (ranks.sum() / np.sqrt(np.sum(ranks**2)), stats.ttest_rel(y, x).statistic)
        assert found[:, row] == pytest.approx((*expected, welch.statistic), rel=1e-9, abs=1e-12)
        assert freedom[row] == pytest.approx(welch.df, rel=1e-9)


def test_statistics_without_variance():
    # All (1, 1); all (1, 2); all (2, 1).
    counts = np.array([[5.0, 0, 0, 0], [0, 5, 0, 0], [0, 0, 5, 0]])
    found, freedom = table_statistics(counts, np.array([1.0, 2.0]))
    assert found[:, 0].tolist() == [0, 0, 0]
    assert found[1:, 1].tolist() == [np.inf, np.inf]
    assert found[1:, 2].tolist() == [-np.inf, -np.inf]
    assert found[0, 1] == -found[0, 2] > 0
    assert freedom.tolist() == [1, 1, 1]


def test_equal_distributions_have_no_power():
    p = [0.2, 0.5, 0.3]
    curve = power_curve(p, p, t=[0, 0.5, 1], n_null=20_000)
    for test in curve.tests.values():
        assert test.calibrated == pytest.approx(0.05, abs=0.012)


def test_two_sided():
    one, two = (
        power_curve(INPUTS["p_M"], INPUTS["p_H"], t=[0.2], alternative=side, n_null=20_000)
        for side in ("greater", "two-sided")
    )
    down = power_curve(INPUTS["p_H"], INPUTS["p_M"], t=[0.2], n_null=20_000)
    for name in ORDER:
        assert one.tests[name].calibrated[0] > two.tests[name].calibrated[0] > 0.2
        assert down.tests[name].calibrated[0] < 0.01
        assert two.tests[name].size == pytest.approx(0.05, abs=0.01)


def test_a_linear_change_of_the_scale_changes_nothing():
    plain, other = (
        power_curve([0.5, 0.3, 0.2], [0.1, 0.3, 0.6], values=v, t=[0.4], n_null=999, n_resamples=99)
        for v in ([1, 2, 3], [0.1, 0.2, 0.3])
    )
    for name in ORDER:
        assert plain.tests[name].calibrated == other.tests[name].calibrated
        assert plain.tests[name].cutoff == pytest.approx(other.tests[name].cutoff)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"p_human": [0.5, 0.6]}, InputError, "sums to 1.1"),
        ({"p_human": [1.5, -0.5]}, InputError, "negative"),
        ({"p_human": [0.2, 0.3, 0.5]}, ShapeError, "2 probabilities and `p_human` 3"),
        ({"t": [0, 1.5]}, InputError, "`t` is 1.5"),
        ({"t": []}, InputError, "at least 1"),
        ({"topics": 1}, InputError, "`topics` is 1"),
        ({"values": [1, 1]}, ShapeError, "one per probability, 2 in total"),
        ({"alternative": "less"}, InputError, "greater, two-sided"),
        ({"confidence_level": 1}, InputError, "between 0 and 1"),
        ({"n_null": 0}, InputError, "`n_resamples` is 0"),
        ({"p_documents": [[0.5, 0.5], [0.2, 0.9]]}, InputError, "`p_documents[1]` sums to 1.1"),
        ({"p_documents": np.empty((0, 2))}, InputError, "no document"),
        ({"p_documents": [[0.2, 0.3, 0.5]]}, ShapeError, "`p_documents[0]` 3"),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error) as caught:
        power_curve(**({"p_machine": [0.5, 0.5], "p_human": [0.1, 0.9]} | arguments))
    assert message in str(caught.value)


@pytest.mark.parametrize("t", [[0.0], [0.5]])
def test_undefined_document_effects(t):
    # Reading 29: p_M . p_d = 0.
    with pytest.raises(InputError, match=r"p_documents\[1\].*p_M \. p_d = 0"):
        power_curve([1, 0], [0.5, 0.5], p_documents=[[0.5, 0.5], [0, 1]], t=t)
