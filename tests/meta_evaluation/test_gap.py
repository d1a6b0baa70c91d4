"""The gap between people and machines."""

import math
from dataclasses import replace

import numpy as np
import pytest

from meta_evaluation.judging_samples import as_scores, judged, tables_of
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.errors import InputError, NotFoundError
from pyramidion.meta_evaluation import gap
from pyramidion.stats import robust_regression, wilcoxon
from pyramidion.stats.bootstrap import interval_of_samples
from support import shared_collection


def gap_of(tables, metric, **options):
    """Measure the gap of one metric."""
    options = {"n_resamples": 50, **options}
    (result,) = gap(as_scores(tables), human=tables.human, metrics=metric, **options)
    return result


def test_the_spread_about_the_line_by_hand():
    # The line through (1, 1), (2, 3), (3, 2) is 1 + x / 2: residuals -1/2, 1, -1/2, and their
    # squares add up to 3/2, over 3 machines less the line's 2 numbers. The person is 3 above it.
    metric = np.array([[1.0, 2.0, 3.0, 4.0]] * 2)
    manual = np.array([[1.0, 3.0, 2.0, 6.0]] * 2)
    gap_row = gap_of(tables_of(manual, {"m": metric}, people=(3,)), "m")
    assert gap_row.spread == pytest.approx(math.sqrt(1.5))
    assert gap_row.standardized == pytest.approx(3 / math.sqrt(1.5))


@pytest.mark.parametrize(
    ("human", "lower", "mark"),
    # The name of a measure that nobody declares may say that lower is better.
    [("blots", ("blots",), " ↓"), ("blots", (), ""), ("errors", (), " ↓")],
)
def test_a_human_measure_that_was_turned_is_marked(human, lower, mark):
    tables = judged(people=2)
    scores = Scores.concatenate(
        ScoreMatrix(values, tables.topics, tables.systems, tables.people, measure=name).to_scores()
        for name, values in ((human, -tables.truth), ("good", tables.metrics["good"]))
    )
    result = gap(scores, human=human, metrics="good", lower_is_better=lower, n_resamples=20)
    (table,) = result.tables
    assert table.title == f"People above the machines' line: {human}{mark}"
    assert [row[0] for row in table.rows] == ["good", f"{human}{mark}"]
    assert ("↓ lower is better, sign reversed." in table.note) is bool(mark)
    assert result.to_dict()["results"][0]["human_lower_is_better"] is bool(mark)
    drawing = result.plot("gap").to_svg()
    assert f"{human}{mark}" in drawing
    assert ("sign reversed" in drawing) is bool(mark)


def test_the_smallest_gap_comes_first_whatever_its_sign():
    # The same machines; the line 1 + x / 2 is at 7, 4 and 11 where the person has 6.
    manual = np.array([[1.0, 3.0, 2.0, 6.0]] * 2)
    metrics = {
        name: np.array([[1.0, 2.0, 3.0, person]] * 2)
        for name, person in {"far": 20.0, "under": 6.0, "over": 12.0}.items()
    }
    tables = tables_of(manual, metrics, people=(3,))
    result = gap(as_scores(tables), human="pyramid", n_resamples=50)
    assert [(row.metric, round(row.gap, 9)) for row in result] == [
        ("over", -1),
        ("under", 2),
        ("far", -5),
    ]


def test_a_gap_by_hand():
    # Machines lie on manual = 1 + 2 metric; people are 0.5 and 1.5 above it.
    metric = np.array([[1.0, 2.0, 3.0, 2.0, 3.0]] * 2)
    manual = 1 + 2 * metric + [0, 0, 0, 0.5, 1.5]
    gap_row = gap_of(tables_of(manual, {"m": metric}, people=(3, 4)), "m")
    assert gap_row.line is not None
    assert (gap_row.line.intercept, gap_row.line.slope) == pytest.approx((1, 2))
    assert gap_row.gap == pytest.approx(1.0)
    assert gap_row.spread == pytest.approx(0, abs=1e-9)
    # The lowest person has 1 + 4 + 0.5.
    assert gap_row.needed == pytest.approx((5.5 - 1) / 2)
    assert gap_row.correlation == pytest.approx(1)
    residuals = [point.residual for point in gap_row.people]
    assert residuals == pytest.approx([0.5, 1.5])
    assert [point.system for point in gap_row.points] == ["s0", "s1", "s2", "s3", "s4"]


@pytest.mark.parametrize("fit", ["ols", "robust"])
def test_the_line_is_that_of_the_machines_alone(fit):
    tables = judged(machines=12, people=4, seed=1)
    gap_row = gap_of(tables, "good", fit=fit)
    x, y = (np.array([getattr(p, k) for p in gap_row.machines]) for k in ("metric", "manual"))
    if fit == "ols":
        slope, intercept = np.polyfit(x, y, 1)
    else:
        expected = robust_regression(x[:, None], y)
        slope, intercept = expected.coefficients[0], expected.intercept
    assert (gap_row.line.intercept, gap_row.line.slope) == pytest.approx((intercept, slope))
    above = [p.manual - intercept - slope * p.metric for p in gap_row.people]
    assert gap_row.gap == pytest.approx(np.mean(above))
    far = replace(tables, truth=tables.truth + 5 * tables.people)
    moved = gap_of(far, "good", fit=fit)
    assert (moved.line.intercept, moved.line.slope) == pytest.approx((intercept, slope))
    assert moved.gap == pytest.approx(gap_row.gap + 5)


def test_pairs_significant_pairs_one_by_one():
    tables = judged(topics=20, machines=5, people=3, seed=3, gap=0.8)
    tables.truth[:10, 5] = np.nan
    tables.truth[1:, 6] = np.nan
    gap_row = gap_of(tables, "poor")
    counts = {"metric": [0, 0, 0], "manual": [0, 0, 0]}
    both = ~np.isnan(tables.truth)
    for name, values in (("manual", tables.truth), ("metric", tables.metrics["poor"])):
        for person in (5, 6, 7):
            for machine in range(5):
                rows = both[:, person] & both[:, machine]
                if rows.sum() < 2:
                    continue
                test = wilcoxon(values[rows, person], values[rows, machine])
                counts[name][0] += 1
                counts[name][1] += test.p <= 0.05 and test.w_signed > 0
                counts[name][2] += test.p <= 0.05 and test.w_signed < 0
    for counted_pairs, expected in ((gap_row.by_metric, "metric"), (gap_row.by_manual, "manual")):
        numbers = [counted_pairs.pairs, counted_pairs.person_better, counted_pairs.machine_better]
        assert numbers == counts[expected]
    assert gap_row.by_manual.pairs == 10
    strict = gap_of(tables, "poor", correction="holm")
    assert strict.by_manual.person_better <= gap_row.by_manual.person_better


def test_topics_that_people_miss():
    """A person who has the easy half looks better than she is, unless topics are accounted for."""
    hard = np.r_[np.zeros(10), np.full(10, 2.0)][:, None]
    quality = np.array([0.0, 1.0, 2.0, 3.0, 3.0])
    values = quality + hard
    values[:10, 4] = np.nan
    tables = tables_of(values, {"m": quality + np.zeros((20, 1))}, people=(4,))
    plain = gap_of(tables, "m", plain=True)
    adjusted = gap_of(tables, "m")
    assert plain.gap == pytest.approx(1.0)
    assert adjusted.gap == pytest.approx(0.0, abs=1e-9)
    complete = judged(people=2)
    both = [gap_of(complete, "good", plain=plain) for plain in (False, True)]
    assert both[0].gap == pytest.approx(both[1].gap)


def hand_gap(tables, rows, columns):
    """Fit a line to the means of some machines, and average how far people are above it."""
    x, y = (v[np.ix_(rows, columns)].mean(axis=0) for v in (tables.metrics["good"], tables.truth))
    human = tables.people[columns]
    slope, intercept = np.polyfit(x[~human], y[~human], 1)
    return float(np.mean(y[human] - intercept - slope * x[human]))


@pytest.mark.parametrize("over", ["inputs", "systems", "both"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_by_hand(method, over):
    tables = judged(topics=8, machines=5, people=2, seed=5)
    rng, topics, systems = np.random.default_rng(3), range(8), range(7)
    drawn_systems = np.ones((60, 7), int)
    if over != "inputs":
        drawn_systems = np.hstack([rng.multinomial(n, np.full(n, 1 / n), 60) for n in (5, 2)])
    drawn_topics = np.ones((60, 8), int)
    if over != "systems":
        drawn_topics = rng.multinomial(8, np.full(8, 1 / 8), 60)
    samples = [
        hand_gap(tables, np.repeat(topics, rows), np.repeat(systems, columns))
        for rows, columns in zip(drawn_topics, drawn_systems, strict=True)
    ]
    without_topic = [hand_gap(tables, [*{*topics} - {t}], [*systems]) for t in topics]
    without_system = [hand_gap(tables, [*topics], [*{*systems} - {s}]) for s in systems]
    jackknife = [np.array(part) for part in (without_system[:5], without_system[5:])]
    jackknife = [*(jackknife if over != "inputs" else []), np.array(without_topic)]
    expected = interval_of_samples(
        hand_gap(tables, [*topics], [*systems]), np.array(samples),
        lambda: jackknife[: None if over != "systems" else 2],
        method=method, confidence_level=0.95, quantiles="linear",
    ).interval  # fmt: skip
    row = gap_of(tables, "good", plain=True, method=method, over=over, n_resamples=60, seed=3)
    assert (row.low, row.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("over", ["inputs", "systems", "both"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("fit", ["ols", "robust"])
def test_intervals_hold_the_gap_and_repeat(over, method, fit):
    tables = judged(machines=10, people=3, seed=2)
    options = {"fit": fit, "over": over, "method": method, "n_resamples": 120, "seed": 4}
    gap_row = gap_of(tables, "good", **options)
    assert gap_row.low < gap_row.gap < gap_row.high
    assert gap_row == gap_of(tables, "good", **options)


def test_order_and_names_change_nothing():
    tables = judged(machines=7, people=3, seed=8)
    order = np.random.default_rng(0).permutation(10)
    shuffled = replace(
        tables,
        systems=tuple(f"x{i}" for i in order),
        people=tables.people[order],
        truth=tables.truth[::-1, order],
        metrics={name: values[::-1, order] for name, values in tables.metrics.items()},
    )
    first, again = (gap_of(each, "good") for each in (tables, shuffled))
    assert again.gap == pytest.approx(first.gap)
    assert again.line.slope == pytest.approx(first.line.slope)
    assert (again.by_metric, again.by_manual) == (first.by_metric, first.by_manual)


@pytest.mark.parametrize(
    ("machines", "people", "reason"),
    [
        (5, 0, "no person has both scores"),
        (1, 3, "1 machine with both scores, but a line needs 3"),
        (2, 3, "2 machines with both scores, but a line needs 3"),
    ],
)
def test_without_people_or_machines(machines, people, reason):
    with pytest.raises(InputError, match=f"pyramid, task A and good: {reason}"):
        gap_of(judged(machines=machines, people=people), "good")


@pytest.mark.parametrize("fit", ["ols", "robust"])
@pytest.mark.parametrize("value", [0.1 + 0.2, 1e9 / 3, 1e-9 / 3])
def test_a_constant_metric_draws_no_line(value, fit):
    tables = judged(people=2)
    tables.metrics["good"][:] = value
    result = gap(as_scores(tables), human="pyramid", n_resamples=50, fit=fit)
    assert [row.metric for row in result] == ["poor", "good"]
    assert result[1].undefined == "all machines have the same mean of good"
    assert "good, task A: all machines have the same mean of good" in result.left_out
    assert result[1].line is None
    assert math.isnan(result[1].gap)
    assert math.isnan(result[1].standardized)


def test_a_falling_line_never_reaches_people():
    tables = judged(people=2)
    turned = replace(tables, metrics={"down": -tables.metrics["good"]})
    assert gap_of(turned, "down").needed == math.inf


def test_bad_input():
    with pytest.raises(NotFoundError, match="there is no measure 'x'; available: good, poor"):
        gap_of(judged(people=2), "x")
    for wrong in ({"fit": "loess"}, {"over": "years"}, {"method": "fisher"}):
        with pytest.raises(InputError):
            gap_of(judged(people=2), "good", **wrong)


def test_opinions():
    """SummEval-OP: twelve machines and one person; people did not write the best summaries."""
    source = shared_collection("data/summeval_op.jsonl.gz")
    lengths = [(s.topic, s.system, str(s.kind), float(len(s.plain))) for s in source.summaries]
    topics, systems, kinds, values = zip(*lengths, strict=True)
    size = Scores(
        {
            "task": ["multi-doc-reviews"] * len(values),
            "topic": topics,
            "system": systems,
            "kind": kinds,
            "measure": ["length"] * len(values),
        },
        values,
    )
    scores = Scores.concatenate([source.scores, size])
    (gap_row,) = gap(scores, human="relevance", metrics="length", n_resamples=200)
    assert (len(gap_row.machines), len(gap_row.people)) == (12, 1)
    assert gap_row.by_manual.pairs == 12
    assert (gap_row.by_manual.person_better, gap_row.by_manual.machine_better) == (3, 7)
    assert gap_row.low < gap_row.gap < gap_row.high
