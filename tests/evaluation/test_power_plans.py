"""Plans of evaluations: what is planned for, and topics, judges and runs weighed by cost."""

import json
import math

import numpy as np
import pandas as pd
import pytest

import pyramidion
from pyramidion.errors import InputError

RNG = np.random.default_rng(5)


def judged(topics=60, systems=4, judges=3, spread=1.0, noise=2.0, runs=1, between=0.0):
    """Scores with known variances: system on topic, run of it, judge of that."""
    shape = (topics, systems, runs, judges)
    values = (
        RNG.normal(size=(topics, 1, 1, 1))
        + np.arange(systems)[None, :, None, None] / 2
        + spread * RNG.normal(size=(topics, systems, 1, 1))
        + between * RNG.normal(size=(topics, systems, runs, 1))
        + 3 * RNG.normal(size=(topics, 1, 1, judges))  # severity on a topic cancels
        + noise * RNG.normal(size=shape)
    )
    names = ("topic", "system", "run", "assessor")
    index = pd.MultiIndex.from_product([map(str, range(n)) for n in shape], names=names)
    frame = pd.DataFrame({"value": values.ravel()}, index=index).reset_index()
    return frame.assign(measure="quality", kind="machine")


def test_variances_are_found_again():
    parts = pyramidion.power(judged(topics=600), difference=0.5)[0].components
    assert parts is not None
    # The variances of `judged`: 1 and 4.
    assert (parts.topic, parts.judgment) == (pytest.approx(1, abs=0.2), pytest.approx(4, rel=0.1))
    assert (parts.judges, parts.runs) == (3, 1)
    assert math.isnan(parts.run)


def test_runs_are_told_from_judges():
    parts = pyramidion.power(judged(topics=600, runs=3, between=1.5), difference=0.5)[0].components
    assert parts is not None
    # The variances of `judged`: 1, 2.25 and 4.
    assert parts.topic == pytest.approx(1, abs=0.3)
    assert parts.run == pytest.approx(2.25, rel=0.15)
    assert parts.judgment == pytest.approx(4, rel=0.1)


def test_the_pilots_design_needs_what_was_planned():
    plan = pyramidion.power(judged(), difference=0.7)[0]
    (same,) = (design for design in plan.designs if design.judges == 3)
    assert same.topics == plan.plan.typical.topics
    assert same.cost == same.topics * 4 * 3
    fewer = [design.topics for design in plan.designs]
    assert fewer == sorted(fewer, reverse=True)


def test_topics_or_judges():
    cheap = pyramidion.power(judged(), difference=0.7)
    assert cheap[0].cheapest.judges == 1
    assert "More topics are cheaper than more judges" in str(cheap)
    # By theory √(40 / (4 · 1) · 4 / 1) = 6 judges are best; five are the most that is tried.
    dear = pyramidion.power(judged(), difference=0.7, cost_topic=40)
    assert dear[0].cheapest.judges >= 4
    assert "More judges are worth their cost" in str(dear)
    costs = [design.cost for design in dear[0].designs]
    assert dear[0].designs[0].cost == dear[0].designs[0].topics * (40 + 4)
    assert min(costs) == dear[0].cheapest.cost


def test_without_repetition_there_is_nothing_to_weigh():
    plan = pyramidion.power(judged(judges=1), difference=0.7)[0]
    assert (plan.components, plan.designs, plan.cheapest) == (None, (), None)


def test_more_systems_and_stricter_corrections_need_more_topics():
    pilot = judged(judges=1)
    needed = [
        pyramidion.power(pilot, difference=1, **options)[0].plan.typical.topics
        for options in (
            {"correction": "none"}, {"systems": 3}, {}, {"correction": "holm"}, {"systems": 30},
        )
    ]  # fmt: skip
    assert needed == sorted(needed)
    assert len(set(needed)) >= 4


def test_json_says_what_was_planned():
    result = pyramidion.power(judged(), difference=0.7, systems=9, test="wilcoxon")
    (record,) = json.loads(result.to_json())["results"]
    assert (record["difference"], record["systems"], record["shrinkage"]) == (0.7, 9, 1)
    assert (record["test"], record["correction"], record["direction"]) == (
        "wilcoxon", "maxt", "higher",
    )  # fmt: skip
    assert record["low"] < record["needed"] < record["high"]
    assert [design["judges"] for design in record["designs"]] == [1, 2, 3, 4, 5]
    assert "pilot_power" not in record["comparisons"][0]
    assert record["comparisons"][0]["planned"] == 0.7


def test_the_better_system_stands_first_also_where_lower_is_better():
    pilot = judged(judges=1)
    for lower, first in (((), "3"), (("quality",), "0")):
        pair = pyramidion.power(pilot, lower_is_better=lower)[0].pairs[0]
        assert (pair.a, pair.difference > 0) == (first, not lower)


def test_a_difference_that_is_none():
    with pytest.raises(InputError, match="difference is 0; give a number above 0"):
        pyramidion.power(judged(), difference=0)


def test_a_terminal_shows_the_first_pairs_and_files_have_all():
    result = pyramidion.power(judged(topics=10, systems=13, judges=1), difference=1)
    (table,) = (table for table in result.tables if table.name == "pairs")
    assert (len(table.rows), len(table.complete.rows)) == (60, 78)
    assert "18 more rows" in table.note
    assert len(result.to_frame("pairs", library="pandas")) == 78
    assert result.to_csv().count("quality,") == 79


def test_only_what_varies_is_weighed():
    table = pyramidion.power(judged(topics=10), difference=1).tables[1]
    assert table.columns == ("judges per summary", "topics needed", "cost")
    table = pyramidion.power(judged(topics=10, runs=2, judges=1), difference=1).tables[1]
    assert table.columns == ("runs per system", "topics needed", "cost")
    assert "runs" in table.note
    assert "judges" not in table.note


def test_a_pilot_that_shows_nothing_says_so():
    # Two systems that are equal but for signs that alternate from topic to topic.
    same = pd.DataFrame({"x": [1.0, 2, 1, 2], "y": [2.0, 1, 2, 1]})
    for pilot, said in ((same, True), (judged(judges=1, systems=4, noise=0.5), False)):
        plan = pyramidion.power(pilot)
        assert (plan[0].plan.shrinkage == 0) == said
        assert ("no larger than chance" in plan.tables[0].note) == said


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
def test_a_pilot_that_nothing_can_be_planned_from():
    flat = pd.DataFrame({"x": [1.0] * 4, "y": [1.0] * 4})
    with pytest.raises(InputError, match="all scores are equal, so nothing can be planned"):
        pyramidion.power(flat, difference=0.1)
    apart = pd.DataFrame({"x": [1.0, 2, 3, None, None], "y": [None, None, 3.0, 4, 6]})
    with pytest.raises(InputError, match="no two systems share two topics"):
        pyramidion.power(apart, difference=0.1)


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
def test_only_measures_that_can_be_planned_are():
    pilot = judged(topics=6, judges=1)
    both = pd.concat([pilot, pilot.assign(measure="flat", value=1.0)])
    result = pyramidion.power(both, difference=1)
    assert [one.matrix.measure for one in result] == ["quality"]
    assert result.left_out == ("flat: all scores are equal, so nothing can be planned",)
    assert not any("flat" in str(table.rows) for table in result.tables)


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
def test_pilot_topics_are_those_that_systems_share():
    some = pd.DataFrame({"x": [1.0, 2, 3, 5, None, None], "y": [None, 3.0, 1, 4, 6, 2]})
    result = pyramidion.power(some, difference=1)
    assert result[0].pairs[0].n == 3
    place = result.tables[0].columns.index("pilot topics")
    assert [str(row[place]) for row in result.tables[0].rows] == ["3"]


def scores_of_runs(size, topics, systems, runs, difference=0.0, seed=0):
    """Scores, evaluations first: run SD .05 on all topics alike, noise SD .05, no system:topic."""
    rng = np.random.default_rng(seed)
    place = np.zeros((systems, 1))
    place[0] = difference
    return (
        rng.normal(scale=0.1, size=(size, topics, 1, 1))
        + place
        + rng.normal(scale=0.05, size=(size, 1, systems, runs))
        + rng.normal(scale=0.05, size=(size, topics, systems, runs))
    )


def pilot_of_runs(values):
    names = ("topic", "system", "run")
    index = pd.MultiIndex.from_product([map(str, range(n)) for n in values.shape], names=names)
    frame = pd.DataFrame({"value": values.ravel()}, index=index).reset_index()
    return frame.assign(measure="quality", kind="machine")


RUNS = pilot_of_runs(scores_of_runs(1, 20, 12, 40)[0])


def test_what_runs_do_on_all_topics_is_a_variance_of_its_own():
    parts = pyramidion.power(RUNS, difference=0.05)[0].components
    assert parts.between_runs == pytest.approx(0.05**2, rel=0.2)
    assert parts.run == pytest.approx(0.05**2, rel=0.1)
    assert parts.topic < 1e-4
    variance, freedom = parts.error(np.array([25.0]), 1, 4, 2)
    assert variance[0] == pytest.approx(
        2 * (parts.between_runs / 4 + parts.topic / 25 + parts.run / 4 / 25)
    )
    # Nearly all of it is known from the runs of the two systems.
    assert freedom[0] == pytest.approx(6, abs=0.3)
    # One run says nothing of others.
    assert parts.error(np.array([25.0]), 1, 1, 2)[1] == 0


def test_unequal_numbers_of_runs_and_topics():
    chance = np.random.default_rng(8)
    kept = RUNS[chance.random(len(RUNS)) < 0.7]
    parts = pyramidion.power(kept, difference=0.05)[0].components
    assert parts.between_runs == pytest.approx(0.05**2, rel=0.25)


def test_topics_do_not_average_runs_out():
    result = pyramidion.power(RUNS, difference=0.05, systems=2)
    needed = {design.runs: design.topics for design in result[0].designs}
    # Even without noise, 2 * .05² / R is too much for a difference of .05.
    assert all(math.isinf(needed[runs]) for runs in (1, 2, 5, 10))
    assert result[0].cheapest.runs >= 15
    note = next(table for table in result.tables if table.name == "designs").note
    assert "runs, on all topics alike" in note
    assert "no number of topics suffices" in note
    assert "--model lmm" in note
    assert "More topics are cheaper" not in note
    assert "taken as all there are" in result.tables[0].note
    small = pyramidion.power(RUNS, difference=0.005)
    assert small[0].cheapest is None
    assert "With up to 50 runs a system, no number of topics suffices" in str(small)


def test_runs_that_differ_by_topic_only_are_averaged_out_by_topics():
    means = RUNS.groupby(["system", "run"])["value"].transform("mean")
    result = pyramidion.power(RUNS.assign(value=RUNS["value"] - means), difference=0.05)
    assert result[0].components.between_runs == 0
    assert result[0].cheapest.runs == 1
    assert "More topics are cheaper than more runs" in str(result)
    assert "--model lmm" not in str(result)


def test_the_design_with_runs_keeps_its_word():
    from scipy import stats

    design = pyramidion.power(RUNS, difference=0.05, systems=2)[0].cheapest
    shape = 1500, int(design.topics), 2, design.runs
    rates = {}
    for difference in (0.0, 0.05):
        values = scores_of_runs(*shape, difference=difference, seed=2)
        # Without system:topic, this is what the mixed model amounts to.
        first, second = values.mean(axis=1).transpose(1, 0, 2)
        rates[difference] = np.mean(stats.ttest_ind(first, second, axis=1).pvalue < 0.05)
    assert rates[0.0] == pytest.approx(0.05, abs=0.02)
    assert 0.76 < rates[0.05] < 0.92
    # Tests of averages are no tests of systems.
    one, other = scores_of_runs(*shape, seed=2).mean(axis=3).transpose(2, 0, 1)
    assert np.mean(stats.ttest_rel(one, other, axis=1).pvalue < 0.05) > 0.4
