"""Means adjusted for assessors: where their mix differs between systems, and only there."""

import json

import numpy as np
import pytest

from pyramidion import compare
from pyramidion.cli.runtime import run
from pyramidion.collection import Collection, ScoreMatrix, Scores
from pyramidion.collection.formats import write_scores
from pyramidion.errors import InputError
from pyramidion.stats import linear_mixed_model

NAMES = ("topic", "system", "assessor", "value")


def table(rows, extra=None, **columns):
    values = dict(zip(NAMES, zip(*rows, strict=True), strict=True))
    fixed = {"measure": ["quality"] * len(rows), "kind": ["machine"] * len(rows)}
    texts = {name: list(values[name]) for name in NAMES[:3]} | fixed | columns
    return Scores(texts, list(values["value"]), extra=extra)


def collection(rows, **columns):
    return Collection("c", scores=table(rows, **columns))


def uneven(topics=60, seed=3, shares=(0.8, 0.2), gap=0.0):
    """Judge two systems by a lenient assessor with these probabilities, else by a strict one."""
    rng, rows = np.random.default_rng(seed), []
    for topic, level in enumerate(rng.normal(size=topics)):
        for system, share in zip("AB", shares, strict=True):
            assessor = "lenient" if rng.random() < share else "strict"
            score = 5 + level + 1.5 * (assessor == "lenient") + gap * (system == "B")
            rows.append((f"T{topic}", system, assessor, score + rng.normal()))
    return rows


def complete(topics=20, seed=0):
    rng = np.random.default_rng(seed)
    return [
        (f"T{t}", s, a, float(rng.integers(1, 6)))
        for t in range(topics) for s in "ABC" for a in ("p", "q", "r")
    ]  # fmt: skip


def only(source, **options):
    return compare(source, **options).only


def least_squares(rows):
    """Fit system + topic + assessor by dummies, the textbook way."""
    names = [sorted({row[column] for row in rows}) for column in range(3)]
    design = np.array([
        [*(row[1] == name for name in names[1]), *(row[0] == name for name in names[0][1:]),
         *(row[2] == name for name in names[2][1:])]
        for row in rows
    ], dtype=float)  # fmt: skip
    effects = np.linalg.lstsq(design, np.array([row[3] for row in rows]), rcond=None)[0]
    return effects[0] - effects[1]


def test_a_lenient_assessor_does_not_make_a_winner():
    rows = uneven()
    result = only(collection(rows))
    bare = only(collection(rows, assessor=[""] * len(rows)))
    assert bare.comparisons[0].p < 0.01
    assert result.comparisons[0].p > 0.05
    assert result.adjusted
    assert not bare.adjusted
    assert sum("adjusted for assessors" in note for note in result.notes) == 1


def test_the_difference_is_that_of_least_squares():
    rows = uneven(topics=15)
    pair = only(collection(rows)).comparisons[0]
    sign = 1 if pair.a == "A" else -1
    assert pair.difference == pytest.approx(sign * least_squares(rows))
    means = {s.system: s.adjusted for s in only(collection(rows)).systems}
    assert means["A"] - means["B"] == pytest.approx(least_squares(rows))


def test_topics_without_all_systems_count_as_least_squares_counts_them():
    """Three systems, of which each topic has between one and three."""
    rng, rows = np.random.default_rng(11), []
    for topic in range(30):
        for number in range(1 + topic % 3):
            system = "ABC"[(topic + number) % 3]
            assessor = "pqr"[rng.integers(3)]
            score = 5 + rng.normal() + ("pqr".index(assessor) - "ABC".index(system))
            rows.append((f"T{topic}", system, assessor, score))
    systems = {s.system: s for s in only(collection(rows)).systems}
    # Deviations are multiplied by system, which moves the means of incomplete tables a little.
    difference = systems["A"].adjusted - systems["B"].adjusted
    assert difference == pytest.approx(least_squares(rows), rel=2e-3)
    assert [s.n for s in systems.values()] == [20] * 3


@pytest.mark.parametrize("topics", [12, 40])
def test_errors_grow_with_what_the_effects_of_assessors_cost(topics):
    """The formula in the documentation, from the residuals and errors of textbook fits."""
    rows = uneven(topics=topics)
    pair = only(collection(rows), test="paired-t").comparisons[0]
    value = np.array([row[3] for row in rows])
    lenient = np.array([row[2] == "lenient" for row in rows], dtype=float)
    blocks = np.array([[row[0] == f"T{t}" for t in range(topics)] for row in rows], dtype=float)
    second = np.array([row[1] == "B" for row in rows], dtype=float)
    plain = np.column_stack([second, blocks])
    full = np.column_stack([second, lenient, blocks])
    effects = np.linalg.lstsq(full, value, rcond=None)[0]
    freedom = len(rows) - plain.shape[1]
    variance = [np.linalg.pinv(design.T @ design)[0, 0] for design in (plain, full)]
    factor = np.sqrt(freedom / (freedom - 1) * variance[1] / variance[0])
    adjusted = value - lenient * effects[1]
    error = factor * (adjusted[1::2] - adjusted[::2]).std(ddof=1) / np.sqrt(topics)
    assert abs(pair.statistic) == pytest.approx(abs(effects[0]) / error)


def test_plain_means_are_shown_beside_the_adjusted_ones():
    rows = uneven()
    systems = {s.system: s for s in only(collection(rows)).systems}
    for name in "AB":
        assert systems[name].mean == pytest.approx(np.mean([r[3] for r in rows if r[1] == name]))
        assert systems[name].low < systems[name].adjusted < systems[name].high


def test_a_true_difference_is_found():
    assert only(collection(uneven(gap=3.0))).comparisons[0].p < 0.001


def test_the_standard_error_is_near_that_of_blocks():
    rows = uneven(topics=200)
    pair = only(collection(rows), test="paired-t").comparisons[0]
    value = np.array([row[3] for row in rows])
    codes = {n: [row[i] for row in rows] for i, n in enumerate(NAMES[:3])}
    random = {"topic": np.unique(codes["topic"], return_inverse=True)[1],
              "assessor": np.unique(codes["assessor"], return_inverse=True)[1]}  # fmt: skip
    model = linear_mixed_model(value, codes["system"], random=random, blocks=("assessor",))
    error = model.pairwise().standard_errors[0]
    assert abs(pair.difference / pair.statistic) == pytest.approx(error, rel=0.15)


@pytest.mark.parametrize("what", ["complete", "one assessor for each topic", "pairs of assessors"])
def test_balanced_designs_do_not_change_by_a_digit(what):
    rows = complete()
    if what == "one assessor for each topic":
        rows = [row for row in rows if row[2] == "pqr"[int(row[0][1:]) % 3]]
    if what == "pairs of assessors":
        rows = [row for row in rows if row[2] != "pqr"[int(row[0][1:]) % 3]]
    named, bare = only(collection(rows)), only(ScoreMatrix.from_scores(table(rows), "quality"))
    values = ScoreMatrix.from_scores(table(rows), "quality")
    plain = only(ScoreMatrix(values.values, values.topics, values.systems, measure="quality"))
    assert named.comparisons == bare.comparisons == plain.comparisons
    for system, other in zip(named.systems, plain.systems, strict=True):
        assert (system.system, system.mean, system.adjusted, system.group) == (
            other.system, other.mean, other.adjusted, other.group
        )  # fmt: skip
    assert not named.adjusted


def test_occasions_and_runs_count_as_in_plain_means():
    # The second occasion of an assessor does not change the mix.
    rows = complete()
    again = [row for row in rows if row[1] == "A" and row[2] == "p"]
    occasion = [""] * len(rows) + ["later"] * len(again)
    assert not only(collection([*rows, *again], occasion=occasion)).adjusted
    runs = [str(n % 2) for n in range(len(rows))]
    assert not only(collection(rows, run=runs)).adjusted


def test_clusters_and_families_use_the_adjusted_values():
    rows = uneven()
    clusters = [f"C{int(row[0][1:]) // 3}" for row in rows]
    clustered = only(collection(rows, extra={"event": clusters}), cluster="event")
    assert clustered.adjusted
    assert clustered.comparisons[0].difference == only(collection(rows)).comparisons[0].difference
    both = Scores.concatenate([
        table(rows), table(uneven(seed=4), measure=["clarity"] * len(rows))
    ])  # fmt: skip
    results = compare(Collection("c", scores=both), family="measures").values
    assert all(result.adjusted and result.comparisons[0].p_adjusted > 0.01 for result in results)


def test_systems_with_assessors_of_their_own_are_refused(tmp_path, capsys):
    rows = [(t, s, {"A": "p", "B": "q"}[s], v) for t, s, _, v in uneven()]
    with pytest.raises(InputError, match="A and B were judged by one assessor each"):
        compare(collection(rows))
    write_scores(table(rows), tmp_path / "scores.csv")
    assert run(["compare", str(tmp_path / "scores.csv")]) == 2
    assert "systems and assessors are confounded" in capsys.readouterr().err
    teams = [(t, s, {"A": "pq", "B": "rs"}[s][int(t[1:]) % 2], v) for t, s, _, v in uneven()]
    with pytest.raises(InputError, match="A and B were judged by different assessors"):
        compare(collection(teams))


def test_only_confounded_pairs_are_refused(tmp_path, capsys):
    rows = [(t, s, "q" if s == "C" else "p", v) for t, s, a, v in complete() if a == "p"]
    result = only(collection(rows))
    undefined = {(pair.a, pair.b) for pair in result.comparisons if np.isnan(pair.p)}
    assert len(undefined) == 2
    assert all("C" in pair for pair in undefined)
    assert {pair.note for pair in result.comparisons if np.isnan(pair.p)} == {
        "judged by different assessors"
    }
    assert [system.part for system in result.systems] == [1, 1, 2]
    write_scores(table(rows), tmp_path / "scores.csv")
    assert run(["compare", str(tmp_path / "scores.csv"), "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)["results"][0]
    assert sum(pair["p"] is None for pair in record["comparisons"]) == 2


def test_a_crowd_of_strangers_is_averaged():
    rng = np.random.default_rng(0)
    rows = [(t, s, f"w{rng.integers(60)}", v) for t, s, _, v in uneven()]
    result = only(collection(rows))
    assert not result.adjusted
    assert any("too few summaries to adjust for" in note for note in result.notes)


def test_two_systems_on_three_topics_are_compared():
    rows = uneven(topics=3)
    assert only(collection(rows)).comparisons[0].n == 3


@pytest.mark.long
def test_equal_systems_seldom_differ():
    # 300 runs: a rate of .05 is below .09 with probability .999.
    share = np.mean([
        only(collection(uneven(20, seed)), n_resamples=199).comparisons[0].p <= 0.05
        for seed in range(300)
    ])  # fmt: skip
    assert share < 0.09
