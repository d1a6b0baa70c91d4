"""BOOT-SYSTEMS, BOOT-INPUTS and BOOT-BOTH against R and against one resample at a time."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.clustered import (
    clustered_correlation,
    clustered_difference_interval,
    clustered_interval,
)
from pyramidion.stats.correlation_tests import fisher_interval
from support import GOLD

# R 4.2.2 base, after Deutsch, Dror and Roth 2021, with given resamples.
CASE = json.loads((GOLD / "stats" / "clustered_correlations.json").read_text(encoding="utf-8"))[
    "cases"
]["small"]
BOOT = [name for name in CASE["outputs"] if name.startswith("boot_")]
LEVELS = ("system", "input", "global")
COEFFICIENTS = ("pearson", "spearman", "kendall", "tau_ap")
OVER = ("systems", "inputs", "both")


def given_indices(over, systems, inputs):
    chosen = {"system_indices": systems, "input_indices": inputs}
    unused = {"systems": "input_indices", "inputs": "system_indices"}.get(over)
    return {name: rows for name, rows in chosen.items() if name != unused}


@pytest.mark.parametrize("name", BOOT)
def test_gold(name):
    _, over, level, coefficient = name.split("_")
    data, want = CASE["inputs"], CASE["outputs"][name]
    indices = given_indices(
        over,
        np.array(data["system_indices_1_based"]) - 1,
        np.array(data["input_indices_1_based"]) - 1,
    )
    linear, hazen = (
        clustered_interval(
            data["metric1"],
            data["manual"],
            level=level,
            coefficient=coefficient,
            over=over,
            quantiles=quantiles,
            **indices,
        )
        for quantiles in ("linear", "hazen")
    )
    found = {
        "first5": linear.samples[:5].tolist(),
        "n_undefined": [linear.undefined],
        "ci95_type7": [linear.interval.low, linear.interval.high],
        "ci95_type5": [hazen.interval.low, hazen.interval.high],
    }
    assert found.keys() == want.keys()
    for key, expected in want.items():
        assert found[key] == pytest.approx(np.atleast_1d(expected).tolist(), rel=1e-9), key


@st.composite
def resampled_tables(draw):
    inputs, systems = draw(st.integers(1, 6)), draw(st.integers(2, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    metric = rng.integers(6, size=(inputs, systems)) / 3
    human = rng.integers(1, 5, size=(inputs, systems)).astype(float)
    human[rng.random(human.shape) < draw(st.sampled_from((0.0, 0.3)))] = np.nan
    return (
        metric,
        human,
        rng.integers(systems, size=(4, systems)),
        rng.integers(inputs, size=(4, inputs)),
    )


@given(
    resampled_tables(),
    st.sampled_from(LEVELS),
    st.sampled_from(COEFFICIENTS),
    st.sampled_from(OVER),
)
def test_each_resample_is_a_table_of_its_own(tables, level, coefficient, over):
    metric, human, systems, inputs = tables
    options = {"level": level, "coefficient": coefficient}
    found = clustered_interval(
        metric, human, **options, over=over, **given_indices(over, systems, inputs)
    )
    everything = np.arange(metric.shape[0]), np.arange(metric.shape[1])
    expected = []
    for drawn_systems, drawn_inputs in zip(systems, inputs, strict=True):
        rows = everything[0] if over == "systems" else drawn_inputs
        columns = everything[1] if over == "inputs" else drawn_systems
        pick = np.ix_(rows, columns)
        expected.append(clustered_correlation(metric[pick], human[pick], **options).value)
    assert found.samples.tolist() == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert found.undefined == sum(map(math.isnan, expected))
    assert found.value == pytest.approx(
        clustered_correlation(metric, human, **options).value, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("over", OVER)
def test_bca(level, over):
    data = CASE["inputs"]
    options = {"level": level, "over": over, "n_resamples": 300}
    percentile, bca = (
        clustered_interval(data["metric1"], data["manual"], **options, method=method)
        for method in ("percentile", "bca")
    )
    assert (percentile.samples == bca.samples).all()
    left_out = []
    metric, human = np.array(data["metric1"]), np.array(data["manual"])
    for axis, name in ((1, "systems"), (0, "inputs")):
        if over in (name, "both"):
            values = np.array(
                [
                    clustered_correlation(
                        np.delete(metric, i, axis), np.delete(human, i, axis), level=level
                    ).value
                    for i in range(metric.shape[axis])
                ]
            )
            left_out.append((values.mean() - values) * (len(values) - 1) / len(values))
    influence = np.concatenate(left_out)
    acceleration = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    assert bca.bca.acceleration == pytest.approx(acceleration, abs=1e-9)
    assert bca.interval.low != percentile.interval.low


@pytest.mark.parametrize(("level", "n"), [("system", 8), ("input", 8), ("global", 160)])
def test_fisher(level, n):
    data = CASE["inputs"]
    result = clustered_interval(data["metric1"], data["manual"], level=level, method="fisher")
    assert result.interval == fisher_interval(result.value, n, "kendall")


def test_difference_is_paired():
    data = CASE["inputs"]
    options = {"level": "input", "n_resamples": 50, "rng": 3}
    tables = [data[name] for name in ("metric1", "metric2", "manual")]
    first, second = (clustered_interval(table, tables[2], **options) for table in tables[:2])
    found = clustered_difference_interval(*tables, **options)
    assert found.value == pytest.approx(first.value - second.value, abs=1e-12)
    assert found.samples == pytest.approx(first.samples - second.samples, abs=1e-12)
    turned = clustered_difference_interval(tables[1], tables[0], tables[2], **options)
    assert (turned.interval.low, turned.interval.high) == pytest.approx(
        (-found.interval.high, -found.interval.low), abs=1e-12
    )
    copy = clustered_difference_interval(tables[0], tables[0], tables[2], **options)
    assert (copy.value, copy.interval.low, copy.interval.high) == (0.0, 0.0, 0.0)
    bca = clustered_difference_interval(*tables, **options, method="bca")
    assert bca.interval.low < bca.value < bca.interval.high


def test_seeds():
    data = CASE["inputs"]
    one, two, other = (
        clustered_interval(
            data["metric1"], data["manual"], level="system", n_resamples=20, rng=seed
        ).samples
        for seed in (None, 0, 1)
    )
    assert (one == two).all()
    assert (one != other).any()


def test_bad_input():
    metric, human = [[1, 2, 3], [2, 1, 3]], [[1, 3, 2], [1, 2, 3]]

    def interval(**options):
        return clustered_interval(metric, human, level="input", **options)

    with pytest.raises(InputError, match="`input_indices` needs resampling over both"):
        interval(over="systems", input_indices=[[0, 1]])
    with pytest.raises(ShapeError, match="2 resamples of systems and 1 of inputs"):
        interval(system_indices=[[0, 1, 2], [0, 0, 0]], input_indices=[[0, 1]])
    with pytest.raises(ShapeError, match="`system_indices` has the shape"):
        interval(over="systems", system_indices=[[0, 1]])
    with pytest.raises(InputError, match="`over` is 'topics'"):
        interval(over="topics")
    with pytest.raises(InputError, match="`n_resamples` is -1"):
        interval(n_resamples=-1)
    with pytest.raises(InputError, match="`method` is 'student'"):
        interval(method="student")
    with pytest.raises(InputError, match="no Fisher interval"):
        interval(method="fisher", coefficient="tau_ap")
    with pytest.raises(InputError, match="`method` is 'fisher'"):
        clustered_difference_interval(metric, metric, human, level="input", method="fisher")
