"""Plans of evaluations: what is planned for, and topics, judges and runs weighed by cost."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import pyramidion
from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.stats import Spreads

pytestmark = pytest.mark.long

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


def test_runs_are_distinguished_from_judges():
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


def test_a_terminal_shows_ten_of_many_pairs_from_near_to_far_and_files_have_all():
    result = pyramidion.power(judged(topics=10, systems=13, judges=1), difference=1)
    (table,) = (table for table in result.tables if table.name == "pairs")
    assert (len(table.rows), len(table.complete.rows)) == (10, 78)
    differences = sorted(abs(pair.difference) for pair in result[0].pairs)
    # Every (77 / 9)th pair.
    steps = [0, 9, 17, 26, 34, 43, 51, 60, 68, 77]
    assert [row[3] for row in table.rows] == pytest.approx([differences[step] for step in steps])
    assert table.note.startswith("10 of 78 pairs, at equal steps from the nearest to the farthest")
    assert len(result.to_frame("pairs", library="pandas")) == 78
    assert result.to_csv().count("quality,") == 79


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
def test_pairs_without_common_topics_are_not_among_those_shown():
    pilot = judged(topics=10, systems=13, judges=1)
    late = pilot["topic"].astype(int) >= 5
    apart = (pilot["system"].isin(["0", "1", "2"]) & late) | ((pilot["system"] == "7") & ~late)
    result = pyramidion.power(pilot[~apart], difference=1)
    differences = [pair.difference for pair in result[0].pairs]
    assert np.isnan(differences).sum() == 3
    (table,) = (table for table in result.tables if table.name == "pairs")
    shown = [abs(row[3]) for row in table.rows]
    assert (len(shown), shown) == (10, sorted(shown))
    assert shown[-1] == pytest.approx(np.nanmax(np.abs(differences)))
    assert table.note.startswith("10 of 78 pairs")
    assert "without the 3 that share no topic" in table.note


def on_a_scale(seed=1):
    """Return scores 1 to 5 that depend on the topic, of three machines and a better person."""
    rng = np.random.default_rng(seed)
    quality = rng.choice([-1.5, 0.0, 1.5], (40, 1)) + np.array([2.0, 2.5, 2.5, 4.0])
    values = np.clip(np.round(quality + rng.normal(scale=0.5, size=quality.shape)), 1, 5)
    return ScoreMatrix(
        values, [f"T{n}" for n in range(40)], ["x", "y", "z", "A"],
        [False, False, False, True], measure="overall",
    )  # fmt: skip


def test_curves_without_and_with_effects_of_topics():
    result = pyramidion.power(on_a_scale().to_scores(), curves=True)
    (record,) = json.loads(result.to_json())["results"]
    plain, effects = record["curves"]
    assert (plain["topic_effects"], effects["topic_effects"]) == (False, True)
    assert plain["t"] == effects["t"] == [step / 20 for step in range(17)]
    # Where topics matter, the unpaired test rejects too rarely, unless its cutoff is calibrated.
    assert plain["tests"]["welch"]["nominal"][0] == pytest.approx(0.05, abs=0.01)
    assert effects["tests"]["welch"]["nominal"][0] < 0.02
    assert effects["tests"]["t"]["nominal"][0] == pytest.approx(0.05, abs=0.01)
    assert effects["tests"]["welch"]["calibrated"][0] == pytest.approx(0.05, abs=0.01)
    tables = [table for table in result.tables if table.name == "curves"]
    assert [row[0] for row in tables[1].rows] == effects["t"]
    assert [row[3] for row in tables[1].rows] == effects["tests"]["welch"]["calibrated"]
    assert "overall,yes,0.05," in result.to_csv()
    assert [chart.about for chart in result.charts] == [
        ("overall", ""), ("overall", "", "topic-effects"),
    ]  # fmt: skip


def test_topics_whose_scores_no_machine_has_are_left_out_and_listed():
    matrix = on_a_scale()
    values = np.where(matrix.human, matrix.values, np.minimum(matrix.values, 4))
    values[0] = [np.nan, np.nan, np.nan, 5]
    result = pyramidion.power(replace(matrix, values=values).to_scores(), curves=True)
    line = "power with effects of topics, overall: 1 topic with scores that no machine has"
    assert line in result.left_out
    assert len(result[0].curves.documents) == 39


def test_curves_are_shown_only_if_asked_for_and_possible():
    scores = on_a_scale().to_scores()
    assert "curves" not in json.loads(pyramidion.power(scores).to_json())["results"][0]
    machines = pyramidion.power(on_a_scale().machines().to_scores(), curves=True)
    assert "curves" not in json.loads(machines.to_json())["results"][0]
    assert "power curve of overall: it needs people" in str(machines.left_out)


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
    for pilot, message in ((same, True), (judged(judges=1, systems=4, noise=0.5), False)):
        plan = pyramidion.power(pilot)
        assert (plan[0].plan.shrinkage == 0) == message
        assert ("no larger than chance" in plan.tables[0].note) == message


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
    assert [comparison.matrix.measure for comparison in result] == ["quality"]
    assert result.left_out == ("flat: all scores are equal, so nothing can be planned",)
    assert not any("flat" in str(table.rows) for table in result.tables)


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
def test_pilot_topics_are_those_that_systems_share():
    some = pd.DataFrame({"x": [1.0, 2, 3, 5, None, None], "y": [None, 3.0, 1, 4, 6, 2]})
    result = pyramidion.power(some, difference=1)
    assert result[0].pairs[0].n == 3
    index = result.tables[0].columns.index("pilot topics")
    assert [str(row[index]) for row in result.tables[0].rows] == ["3"]


def scores_of_runs(size, topics, systems, runs, difference=0.0, seed=0):
    """Scores, evaluations first: run SD .05 on all topics alike, noise SD .05, no system:topic."""
    rng = np.random.default_rng(seed)
    index = np.zeros((systems, 1))
    index[0] = difference
    return (
        rng.normal(scale=0.1, size=(size, topics, 1, 1))
        + index
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
    variance, freedom = parts.design(1, 4).error(25, 2)
    assert variance == pytest.approx(
        2 * (parts.between_runs / 4 + parts.topic / 25 + parts.run / 4 / 25)
    )
    # Nearly all of it is known from the runs of the two systems.
    assert freedom == pytest.approx(6, abs=0.3)
    # One run says nothing of others.
    assert parts.design(1, 1).error(25, 2)[1] == 0


def test_unequal_numbers_of_runs_and_topics():
    chance = np.random.default_rng(8)
    selected = RUNS[chance.random(len(RUNS)) < 0.7]
    parts = pyramidion.power(selected, difference=0.05)[0].components
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
    assert "results hold for these runs only" in result.tables[0].note
    small = pyramidion.power(RUNS, difference=0.005)
    assert small[0].cheapest is None
    assert "With up to 50 runs per system, no number of topics suffices" in str(small)


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


def test_chance_differences_of_runs_rule_out_nothing():
    # Runs that differ by topic only seem to differ on all topics alike in half of all pilots.
    for seed in range(9):
        values = np.random.default_rng(seed).normal(size=(20, 4, 3))
        plan = pyramidion.power(pilot_of_runs(values), difference=0.8)[0]
        if plan.components.between_runs > 0 and not plan.components.runs_differ:
            break
    assert plan.components.between_runs > 0
    assert all(math.isfinite(design.topics) for design in plan.designs if design.runs == 1)
    note = pyramidion.power(pilot_of_runs(values), difference=0.8).tables[1].note
    assert "may be chance" in note
    assert "--model lmm" not in note


def test_equivalence_is_shown_with_the_power_planned_for():
    from scipy import stats

    noise = np.random.default_rng(3).normal(size=(200, 2))
    pilot = pd.DataFrame((noise - noise.mean(axis=0)) / np.std(noise[:, 0] - noise[:, 1], ddof=1))
    for difference in (None, 0.1):
        plan = pyramidion.power(pilot, margin=0.4, difference=difference, test="paired-t")[0]
        n, shift = int(plan.topics[1.0]), difference or 0.0
        z = np.random.default_rng(4).normal(shift, size=(20_000, n))
        t = [(z.mean(axis=1) + s * 0.4) / (z.std(axis=1, ddof=1) / np.sqrt(n)) for s in (1, -1)]
        limit = stats.t.ppf(0.95, n - 1)
        assert np.mean((t[0] > limit) & (t[1] < -limit)) == pytest.approx(0.8, abs=0.015)
        assert plan.pairs[0].planned == shift
    record = pyramidion.power(pilot, margin=0.4).to_dict()["results"][0]
    assert (record["margin"], record["difference"]) == (0.4, 0)


def test_more_pairs_need_more_topics_to_be_equivalent():
    pilot = pd.DataFrame(np.random.default_rng(3).normal(size=(60, 2)))
    needed = {
        (systems, correction): pyramidion.power(
            pilot, margin=0.5, systems=systems, correction=correction
        )[0].topics[1.0]
        for systems in (2, 6)
        for correction in ("maxt", "none")
    }
    assert needed[2, "maxt"] == needed[2, "none"] == needed[6, "none"] < needed[6, "maxt"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 0.3, "difference": 0.3}, "is not within a margin"),
        ({"margin": -1.0}, "margin is -1"),
        ({"margin": 0.3, "test": "wilcoxon"}, "wilcoxon has no margin"),
        ({"model": "lmm", "test": "welch"}, "cannot go together"),
        ({"cluster": "document", "test": "wilcoxon"}, "cannot be planned with clusters"),
        ({"cluster": "half"}, "are in 2 clusters"),
    ],
)
def test_what_cannot_be_planned(options, message):
    frame = judged(topics=12, judges=1)
    number = frame["topic"].astype(int)
    frame = frame.assign(document=(number // 2).astype(str), half=(number // 6).astype(str))
    with pytest.raises(InputError, match=message):
        pyramidion.power(frame, **options)


def clustered_pilot(topics=60, size=4):
    """Two systems whose differences have the variance 2, half of it shared in a cluster."""
    rng = np.random.default_rng(12)
    shared = np.repeat(rng.normal(size=(topics // size, 2)), size, axis=0)
    frame = pd.DataFrame(shared + rng.normal(size=(topics, 2)), columns=["x", "y"])
    frame = frame.assign(topic=[f"T{row}" for row in range(topics)])
    long = frame.melt("topic", var_name="system", value_name="value")
    number = long["topic"].str[1:].astype(int)
    return long.assign(measure="m", document=(number // size).astype(str))


def test_clusters_are_the_sample():
    frame = clustered_pilot()
    with pytest.warns(match="add --cluster document"):
        by_topic = pyramidion.power(frame, difference=0.8, test="paired-t")[0]
    by_cluster = pyramidion.power(frame, difference=0.8, test="paired-t", cluster="document")[0]
    # Clusters of one size are compared by their means: the same plan, four topics each.
    means = frame.groupby(["document", "system"])["value"].mean().unstack()
    alone = pyramidion.power(means, difference=0.8, test="paired-t")[0]
    assert by_cluster.topics[1.0] == 4 * alone.topics[1.0] > by_topic.topics[1.0]
    assert by_cluster.size == 4
    result = pyramidion.power(frame, difference=0.8, cluster="document")
    assert "The sample is clusters, as large as the pilot's" in result.tables[0].note
    assert result.to_dict()["results"][0]["cluster_size"] == 4


def test_a_design_for_a_model_has_the_models_error():
    spreads = Spreads(
        (("system:topic", 0.5), ("system:assessor", 0.2), ("run", 0.1), ("residual", 1.0)),
        judges=4, panel=4, runs=5,
    )  # fmt: skip
    variance, freedom = spreads.error(20, 6)
    assert variance == pytest.approx(2 * (0.5 / 20 + 0.2 / 4 + 0.1 / 5 + 1 / 20 / 4 / 5))
    # Satterthwaite's would be more, but systems x assessors have no more than 5 x 3.
    assert freedom == 15
    alone = Spreads((*spreads.variances[:2], ("residual", 1.0)), judges=4, panel=4)
    assert alone.error(20, 6)[1] == 15
    assert replace(spreads, runs=1).error(20, 6)[1] == 0


def test_a_model_of_single_scores_plans_as_the_paired_t_test():
    frame = judged(topics=80, judges=1, noise=0.5)
    by_test, by_model = (
        pyramidion.power(frame, difference=0.5, systems=2, **options)[0]
        for options in ({"test": "paired-t"}, {"model": "lmm"})
    )
    assert by_model.plan.typical.topics == pytest.approx(by_test.plan.typical.topics, rel=0.03)
    assert by_model.designs == ()
    low, high = by_model.plan.typical.low, by_model.plan.typical.high
    assert low < by_model.plan.typical.topics < high


@pytest.mark.parametrize("model", ["lmm", "ordinal"])
def test_models_weigh_judges_and_topics(model):
    frame = judged(topics=40, systems=3, spread=0.7, noise=1.0)
    frame = frame.assign(value=frame["value"].clip(-3, 3).round())
    result = pyramidion.power(frame, difference=1.0, model=model)
    plan = result[0]
    needed = {design.judges: design.topics for design in plan.designs}
    assert list(needed.values()) == sorted(needed.values(), reverse=True)
    assert needed[3] == max(10, plan.plan.typical.topics)
    record = result.to_dict()["results"][0]
    assert record["test"] == model
    assert set(record["components"]["variances"]) >= {"residual"}
    assert "mixed model" in result.tables[0].note
    guessed = pyramidion.power(frame, model=model, margin=1.5, systems=2)[0]
    assert guessed.plan.typical.difference == 0
