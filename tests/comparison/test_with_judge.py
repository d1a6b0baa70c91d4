"""compare --human --judge, and power --judge."""

import numpy as np
import pandas as pd
import pytest

from pyramidion.comparison import compare, power
from pyramidion.errors import DataWarning, InputError, NotFoundError


def frame(human_topics: int = 25, noise: float = 0.4) -> pd.DataFrame:
    rng = np.random.default_rng(8)
    rows = []
    for topic in range(150):
        for system, level in (("x", 0.5), ("y", 0.2), ("z", -0.5)):
            truth = level + rng.normal()
            judge = truth + 0.6 * (system == "z") + noise * rng.normal()
            rows.append((f"T{topic}", system, "judge", judge))
            if topic < human_topics:
                rows.append((f"T{topic}", system, "people", truth))
    return pd.DataFrame(rows, columns=["topic", "system", "measure", "value"])


def test_a_judge_makes_people_more_precise() -> None:
    data = frame()
    result = compare(data, human="people", judge="judge")
    alone = compare(data, measures="people", test="paired-t")
    rows = {system.system: system for system in result[0].judge}
    scores = data[(data.measure == "people") & (data.system == "x")].value
    assert rows["x"].human == pytest.approx(scores.mean())
    assert rows["x"].high - rows["x"].low < 0.7 * (rows["x"].human_high - rows["x"].human_low)
    assert rows["x"].effective > 50
    # The judge likes z, which its own interval does not know.
    assert rows["z"].coverage < 0.5
    assert rows["z"].naive_low > rows["z"].mean
    assert (rows["x"].topics, rows["x"].judge_topics) == (25, 125)
    pair = {(c.a, c.b): c for c in result.comparisons}["x", "z"]
    by_people = next(c for c in alone.comparisons if {c.a, c.b} == {"x", "z"})
    assert pair.p < by_people.p
    assert pair.p_adjusted >= pair.p
    assert {"mean", "effective", "coverage"} <= result.to_dict()["results"][0]["judge"][0].keys()
    assert "judge" in result.table_names
    assert result.systems[0].adjusted == rows["x"].mean


@pytest.mark.parametrize(("gap", "t", "p"), [(0.1, np.nan, np.nan), (0.0, 0.0, 1.0)])
def test_differences_that_are_all_alike_are_no_evidence(gap: float, t: float, p: float) -> None:
    levels = (0.3, 0.7, 5.1)
    rows = [(f"T{topic}", system, measure, level + gap * (system == "x"))
            for topic, level in enumerate(levels) for system in "xy"
            for measure in ("people", "judge")]  # fmt: skip
    data = pd.DataFrame(rows, columns=["topic", "system", "measure", "value"])
    result = compare(data, human="people", judge="judge").comparisons[0]
    alone = compare(data, measures="people", test="paired-t").comparisons[0]
    assert [result.statistic, result.p] == pytest.approx([t, p], nan_ok=True)
    assert [result.statistic, result.p] == pytest.approx([alone.statistic, alone.p], nan_ok=True)
    assert result.note == alone.note


def test_with_missing_scores_intervals_and_notes_are_of_the_means_that_are_shown() -> None:
    data = frame()
    hard = data.topic.isin([f"T{n}" for n in range(15)]) & (data.system == "x")
    data.loc[hard, "value"] -= 3
    removed = hard & (data.measure == "people")
    with pytest.warns(DataWarning, match="missing scores"):
        result = compare(data[~removed], human="people", judge="judge")[0]
    row = {system.system: system for system in result.judge}["x"]
    assert row.topics == 10
    assert (row.human_low + row.human_high) / 2 == pytest.approx(row.human)
    notes = " ".join(result.notes)
    assert "least-squares" not in notes
    assert "each mean is over the topics that the system has" in notes
    assert "Human scores on 10 to 25 topics and those of judge on 125 to 140 more" in notes


def test_that_the_judge_is_not_used_is_said() -> None:
    result = compare(frame(7), human="people", judge="judge")[0]
    assert {system.weight for system in result.judge} == {0.0}
    assert "The judge is not used for 3 of 3 systems" in " ".join(result.notes)
    enough = compare(frame(8), human="people", judge="judge")[0]
    assert not any("is not used" in note for note in enough.notes)


def test_the_note_names_the_level_that_was_asked_for() -> None:
    result = compare(frame(), human="people", judge="judge", confidence_level=0.9)
    assert "judge's own 90% interval" in str(result)


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(InputError, match="--human and --judge must be used together"):
        compare(frame(), judge="judge")
    with pytest.raises(InputError, match="--judge cannot be combined with these options"):
        compare(frame(), human="people", judge="judge", top=2)
    with pytest.raises(NotFoundError, match="there is no measure 'nobody'"):
        compare(frame(), human="people", judge="nobody")


def test_power_tells_what_a_judge_saves() -> None:
    plan = power(frame(40), measures="people", judge="judge", difference=0.5)[0]
    # Noise of .4 beside 1 explains 1 / 1.16 of the variance.
    assert plan.explained == pytest.approx(1 / 1.16, abs=0.06)
    alone = plan.plan.typical.topics
    assert plan.judged[0].topics == alone
    assert plan.judged[-1].topics == pytest.approx(alone * (1 - plan.explained), abs=1)
    with pytest.raises(InputError, match="name it with -m"):
        power(frame(40), judge="judge", difference=0.5)


def ceiling() -> pd.DataFrame:
    """Judgments from 1 to 5 by three people, nearly all 5, and a judge of all topics."""
    rng = np.random.default_rng(5)
    rows = []
    for topic in range(100):
        for system, rate in (("x", 0.0), ("y", 0.05), ("z", 0.4)):
            truth = 5 - 2 * (rng.random() < rate)
            rows.append((f"T{topic}", system, "judge", "", truth - 0.5 + 0.7 * rng.normal()))
            marks = (truth - (rng.random() < 0.02) for _ in range(3 * (topic < 24)))
            rows += [(f"T{topic}", system, "people", f"p{n}", mark) for n, mark in enumerate(marks)]
    data = pd.DataFrame(rows, columns=["topic", "system", "measure", "assessor", "value"])
    return data.assign(pair=[f"c{int(topic[1:]) // 2}" for topic in data.topic])


def test_near_the_end_of_the_scale_intervals_stay_on_it() -> None:
    result = compare(ceiling(), human="people", judge="judge")[0]
    for row in result.judge:
        assert 3 <= row.human_low < row.human_high <= 5
        assert 3 <= row.low < row.high <= 5
        assert row.mean <= 5
    assert len({row.weight for row in result.judge}) == 1


def test_two_topics_do_not_take_a_difference_beyond_the_scale() -> None:
    data = ceiling()
    data = data[(data.measure == "judge") | data.topic.isin(["T4", "T5"])]
    data.loc[data.measure == "judge", "value"] = data.value.round().clip(1, 5)
    with pytest.warns(DataWarning, match="judge: marks from 1 to 5 without assessors"):
        result = compare(data, human="people", judge="judge")[0]
    width = data.value.max() - data.value.min()
    # Judgments by people and judge show how wide the scale is.
    assert all(-width <= pair.low < pair.high <= width for pair in result.comparisons)
    assert max(pair.high for pair in result.comparisons) == width


def test_clusters_of_topics_and_a_judge() -> None:
    data = ceiling()
    plain, clustered = (
        compare(data, human="people", judge="judge", cluster=name)[0] for name in (None, "pair")
    )
    assert (plain.clusters, clustered.clusters) == (0, 50)
    assert [row.human for row in clustered.judge] == [row.human for row in plain.judge]
    assert [row.low for row in clustered.judge] != [row.low for row in plain.judge]
    assert "fewer than 20 clusters judged by people" in " ".join(clustered.notes)
    data["pair"] = "all"
    with pytest.raises(InputError, match="in one cluster, all"):
        compare(data, human="people", judge="judge", cluster="pair")


def test_a_calibrated_judge_is_reported_with_what_it_was_worth_before() -> None:
    data = ceiling()
    result = compare(data, human="people", judge="judge", calibrate="isotonic")
    plain = compare(data, human="people", judge="judge")
    assert "without calibration as" in " ".join(result[0].notes)
    before = {row.system: row.effective for row in plain[0].judge}
    for row in result[0].judge:
        assert row.effective_uncalibrated == pytest.approx(before[row.system], nan_ok=True)
    assert "worth uncalibrated" in str(result)
    assert "worth uncalibrated" not in str(plain)
    assert "calibrate:isotonic" in str(result.signature)
    with pytest.raises(InputError, match="only a judge can be calibrated"):
        compare(data, calibrate="linear")


def test_a_difference_against_the_ranking_is_noted() -> None:
    data = frame(40, noise=0.2)
    # x is far better where only x was judged, and a little worse than y where both were.
    people = data.measure == "people"
    number = data.topic.str[1:].astype(int)
    data.loc[(data.system == "x") & people & (number >= 20), "value"] += 5
    data = data[~((data.system == "y") & people & (number >= 20))]
    data.loc[(data.system == "x") & people & (number < 20), "value"] -= 1
    with pytest.warns(DataWarning, match="missing scores"):
        result = compare(data, human="people", judge="judge")[0]
    assert result.systems[0].system == "x"
    pair = next(pair for pair in result.comparisons if {pair.a, pair.b} == {"x", "y"})
    assert pair.difference < 0
    assert "contradicts the ranking: x and y" in " ".join(result.notes)


def test_the_share_that_a_judge_explains_by_hand() -> None:
    """Differences 1 to 6 of people, 1 2 3 4 6 5 of the judge: r = 1 - 6 * 2 / (6 * 35), and R²
    adjusted for one predictor is 1 - (1 - r²) 5 / 4."""
    rows = [
        {"topic": f"T{topic}", "system": system, "measure": measure, "value": value}
        for measure, values in (("people", [1, 2, 3, 4, 5, 6]), ("judge", [1, 2, 3, 4, 6, 5]))
        for topic, difference in enumerate(values)
        for system, value in (("a", 0.37 * difference), ("b", 0.0))
    ]
    plan = power(pd.DataFrame(rows), measures="people", judge="judge", difference=0.5)[0]
    r = 1 - 12 / 210
    assert plan.explained == pytest.approx(1 - (1 - r * r) * 5 / 4)


def test_a_system_that_people_judged_in_one_cluster_is_left_out() -> None:
    data = ceiling()
    in_one = data.measure.eq("people") & data.system.eq("z") & ~data.topic.isin(["T0", "T1"])
    with pytest.warns(DataWarning, match="z lacks 22 of 24 topics"):
        results = compare(data[~in_one], human="people", judge="judge", cluster="pair")
    result = results[0]
    assert [row.system for row in result.judge] == ["x", "y"]
    assert "z: fewer than two shared clusters of topics of people and judge" in result.left_out


def test_no_adjusted_p_is_smaller_than_the_simulation_can_tell() -> None:
    """Of 20,000 largest statistics, none may reach that of a clear difference: it counts, too."""
    data = frame()
    data.loc[data.system == "z", "value"] -= 10
    pairs = {(c.a, c.b): c for c in compare(data, human="people", judge="judge").comparisons}
    for key in (("x", "z"), ("y", "z")):
        assert pairs[key].p < 1e-6
        assert pairs[key].p_adjusted == pytest.approx(1 / 20_001)


def test_a_given_scale_keeps_means_of_ratings_on_it() -> None:
    rng = np.random.default_rng(3)
    rows = []
    for topic in range(60):
        for system in "xyz":
            # Means of three ratings from 1 to 5, nearly all of them 5.
            people = 5.0 if system == "x" else 5 - rng.integers(0, 3) / 3 * (rng.random() < 0.2)
            rows.append((f"T{topic}", system, "judge", float(rng.integers(3, 6))))
            if topic < 25:
                rows.append((f"T{topic}", system, "people", people))
    data = pd.DataFrame(rows, columns=["topic", "system", "measure", "value"])
    unknown = compare(data, human="people", judge="judge")
    assert "The scale of people is unknown" in " ".join(unknown[0].notes)
    row = next(row for row in unknown[0].judge if row.system == "x")
    assert np.isnan(row.human_low)
    known = compare(data, human="people", judge="judge", scale=(1, 5))
    assert "unknown" not in " ".join(known[0].notes)
    assert "scale:1,5" in str(known.signature)
    for row in known[0].judge:
        assert row.human_low < row.human_high <= 5
        assert row.low < row.high <= 5
    alone = compare(data, measures="people", scale=(1, 5))
    plain = compare(data, measures="people")
    assert max(system.high for system in alone.systems) == 5
    for wide, narrow in zip(alone.comparisons, plain.comparisons, strict=True):
        assert wide.p == narrow.p
        assert wide.high - wide.low > narrow.high - narrow.low
    with pytest.raises(InputError, match="outside 1 to 4; give the ends of the scale"):
        compare(data, measures="people", scale=(1, 4))
