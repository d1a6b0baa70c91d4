"""compare --sequential and power --sequential."""

import json

import numpy as np
import pandas as pd
import pytest

from pyramidion import compare, power
from pyramidion.collection import ScoreMatrix
from pyramidion.errors import DataWarning, InputError
from pyramidion.stats import confidence_sequence

LEVELS = {"A": 0.6, "B": -0.5, "C": 0.4}


def judgments(topics=60, times=True):
    rng, rows = np.random.default_rng(3), []
    for topic in range(topics):
        base = rng.integers(2, 5)
        for system, level in LEVELS.items():
            moved = (rng.random() < abs(level)) * np.sign(level)
            value = np.clip(base + rng.choice([-1, 0, 1]) + moved, 1, 5)
            rows.append((f"T{topic:02}", system, float(value), f"2026-01-01T00:{topic:02}"))
    columns = ["topic", "system", "responsiveness", "time"]
    return pd.DataFrame(rows, columns=columns).drop(columns=[] if times else ["time"])


def differences(frame, a, b):
    wide = frame.pivot(index="topic", columns="system", values="responsiveness")
    return (wide[a] - wide[b]).to_numpy()


def test_pairs_are_those_of_confidence_sequences_at_a_corrected_level():
    frame = judgments()
    result = compare(frame, sequential=True)
    assert result.only.test == "sequential"
    assert result.correction == "holm"
    for pair, path in zip(result.comparisons, result.only.sequence, strict=True):
        z = differences(frame, pair.a, pair.b)
        expected = confidence_sequence(z, bounds=(-4, 4), confidence_level=1 - 0.05 / 3)
        assert (pair.low, pair.high) == pytest.approx((expected.low[-1], expected.high[-1]))
        assert pair.p == pytest.approx(expected.p[-1])
        assert path.low == pytest.approx(expected.low)
        assert path.topics[0] == "T00"
        if path.decided_after:
            # Holm's procedure stops no later than Bonferroni's.
            assert path.decided_after <= expected.stop
            assert path.decision == "stop: B is worse"
    assert {path.decided_after is None for path in result.only.sequence} == {True, False}
    assert result.notes[0] == "2 of 3 pairs are decided; go on for the others, or stop at any time."
    record = json.loads(result.to_json())["results"][0]
    assert record["sequence"][0]["decision"] == result.only.sequence[0].decision
    assert "stop: B is worse" in result.to_csv()
    assert "A − B" in result.plot("sequence").to_svg()


def test_two_systems_are_told_when_to_stop():
    frame = judgments()
    wide = frame.pivot(index="topic", columns="system", values="responsiveness")
    result = compare(wide["A"], wide["B"], sequential=True, scale=(1, 5))
    after = confidence_sequence(differences(frame, "A", "B"), bounds=(-4, 4)).stop
    assert result.notes[0] == f"Stop: B is worse, decided after {after} of 60 topics."
    few = compare(wide["A"][:8], wide["B"][:8], sequential=True, scale=(1, 5))
    assert few.notes[0] == "Go on: 8 topics do not show a difference yet."
    low, high = few.interval
    assert low < 0 < high


def test_topics_are_taken_by_time():
    frame = judgments()
    shuffled = frame.sample(frac=1, random_state=0)
    by_time, as_they_are = compare(frame, sequential=True), compare(shuffled, sequential=True)
    assert by_time.only.sequence == as_they_are.only.sequence
    assert "Topics are taken by the time of their last score." in by_time.notes[1]
    without = compare(shuffled.drop(columns="time"), sequential=True)
    assert without.only.sequence[0].topics[0] == shuffled.topic.iloc[0]
    assert "Topics are taken in the order of the table." in without.notes[1]


@pytest.mark.parametrize("correction", ["none", "bh", "holm"])
def test_missing_scores_and_corrections_agree_with_intervals(correction):
    frame = judgments().sample(frac=0.9, random_state=1)
    with pytest.warns(DataWarning, match="missing scores"):
        result = compare(frame, sequential=True, correction=correction)
    for pair in result.comparisons:
        excludes = pair.low > 0 or pair.high < 0
        assert excludes <= result.only.significant(pair)
        if correction != "holm":
            assert excludes == result.only.significant(pair)
    assert result.only.counts.significant > 0


def test_equal_systems_are_called_different_in_at_most_the_promised_share():
    # Four equal systems, 30 topics, stopped when any pair differs: at most .05 + 3 errors of 60.
    rng, wrong = np.random.default_rng(11), 0
    topics, systems = [f"T{i}" for i in range(30)], list("wxyz")
    for _ in range(60):
        values = rng.integers(1, 6, (30, 4)).astype(float)
        matrix = ScoreMatrix(values, topics, systems, measure="responsiveness")
        sequence = compare(matrix, sequential=True, scale=(1, 5)).only.sequence
        wrong += any(pair.decided_after for pair in sequence)
    assert wrong / 60 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 60)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 0.1}, "--sequential and --margin cannot go together; leave one"),
        ({"test": "wilcoxon"}, "--sequential and --test wilcoxon cannot go together"),
        ({"model": "lmm"}, "--sequential and --model cannot go together"),
        ({"family": "measures"}, "--sequential and --family cannot go together"),
        ({"scale": (1, 3)}, "responsiveness has a score of 4, outside 1 to 3; give the ends"),
        ({"scale": (5, 1)}, "--scale needs two numbers, the lower one first; such as 1,5"),
    ],
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises(InputError, match=message):
        compare(judgments(5), sequential=True, **options)


def test_an_unknown_scale_must_be_given():
    frame = judgments(5).rename(columns={"responsiveness": "mine"})
    with pytest.raises(InputError, match="the scale of mine is unknown, and --sequential needs it"):
        compare(frame, sequential=True)
    with pytest.raises(InputError, match="only plans for --sequential take a scale; add"):
        power(frame, scale=(1, 5), difference=0.5)
    assert compare(frame, sequential=True, scale=(1, 5)).comparisons


def test_power_plans_when_it_stops():
    plan = power(judgments(), sequential=True, difference=0.6, correction="none")[0]
    expected = plan.sequential
    assert expected.level == 0.05
    assert expected.median <= expected.by_power
    assert expected.stopped > 0.99
    assert plan.plan.typical.topics == expected.fixed
    # Corrected for the pairs of ten systems, it takes more.
    more = power(judgments(), sequential=True, difference=0.6, systems=10)[0].sequential
    assert more.level == pytest.approx(0.05 / 45)
    assert more.expected > expected.expected
    with pytest.raises(InputError, match="--sequential and --margin cannot go together"):
        power(judgments(), sequential=True, margin=0.5)
