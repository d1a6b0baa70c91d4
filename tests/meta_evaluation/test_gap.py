"""The gap between people and machines."""

import math
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.text import Text

from meta_evaluation.judging_samples import judged, tables_of
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.comparison.measure_tables import meta_tables
from pyramidion.errors import InputError, NotFoundError
from pyramidion.meta_evaluation._agreement import VerdictOptions
from pyramidion.meta_evaluation._gap import (
    GapOptions,
    centered,
    fit_line,
    gap,
    gap_jackknife,
    gap_samples,
    gaps_of,
    human_gap,
)
from pyramidion.stats import robust_regression, wilcoxon
from support import shared_collection

FEW = GapOptions(n_resamples=50)


def test_the_spread_about_the_line_by_hand():
    # The line through (1, 1), (2, 3), (3, 2) is 1 + x / 2: residuals -1/2, 1, -1/2, and their
    # squares add up to 3/2, over 3 machines less the line's 2 numbers. The person is 3 above it.
    metric = np.array([[1.0, 2.0, 3.0, 4.0]] * 2)
    manual = np.array([[1.0, 3.0, 2.0, 6.0]] * 2)
    found = human_gap(tables_of(manual, {"m": metric}, people=(3,)), "m", options=FEW)
    assert found.spread == pytest.approx(math.sqrt(1.5))
    assert found.standardized == pytest.approx(3 / math.sqrt(1.5))


@pytest.mark.parametrize(("lower", "mark"), [(("errors",), " ↓"), ((), "")])
def test_a_human_measure_that_was_turned_is_marked(lower, mark):
    tables = judged(people=2)
    scores = Scores.concatenate(
        ScoreMatrix(values, tables.topics, tables.systems, tables.people, measure=name).to_scores()
        for name, values in (("errors", -tables.truth), ("good", tables.metrics["good"]))
    )
    result = gap(scores, human="errors", metrics="good", lower_is_better=lower, n_resamples=20)
    (table,) = result.tables
    assert table.title == f"People above the machines' line: errors{mark}"
    assert [row[0] for row in table.rows] == ["good", f"errors{mark}"]
    assert ("↓ lower is better, sign reversed." in table.note) is bool(lower)
    assert result.to_dict()["results"][0]["human_lower_is_better"] is bool(lower)
    texts = [text.get_text() for text in result.plot("gap").findobj(Text)]
    assert f"errors{mark}" in texts
    assert any("sign reversed" in text for text in texts) is bool(lower)


def test_the_smallest_gap_comes_first_whatever_its_sign():
    # The same machines; the line 1 + x / 2 is at 7, 4 and 11 where the person has 6.
    manual = np.array([[1.0, 3.0, 2.0, 6.0]] * 2)
    metrics = {
        name: np.array([[1.0, 2.0, 3.0, person]] * 2)
        for name, person in {"far": 20.0, "under": 6.0, "over": 12.0}.items()
    }
    tables = tables_of(manual, metrics, people=(3,))
    found = gaps_of(tables, FEW, VerdictOptions())
    assert [(own.metric, round(own.gap, 9)) for own in found] == [
        ("over", -1),
        ("under", 2),
        ("far", -5),
    ]


def test_a_gap_by_hand():
    # Machines lie on manual = 1 + 2 metric; people are 0.5 and 1.5 above it.
    metric = np.array([[1.0, 2.0, 3.0, 2.0, 3.0]] * 2)
    manual = 1 + 2 * metric + [0, 0, 0, 0.5, 1.5]
    found = human_gap(tables_of(manual, {"m": metric}, people=(3, 4)), "m", options=FEW)
    assert found.line is not None
    assert (found.line.intercept, found.line.slope) == pytest.approx((1, 2))
    assert found.gap == pytest.approx(1.0)
    assert found.spread == pytest.approx(0, abs=1e-9)
    # The lowest person has 1 + 4 + 0.5.
    assert found.needed == pytest.approx((5.5 - 1) / 2)
    assert found.correlation == pytest.approx(1)
    residuals = [point.residual for point in found.people]
    assert residuals == pytest.approx([0.5, 1.5])
    assert [point.system for point in found.points] == ["s0", "s1", "s2", "s3", "s4"]


@pytest.mark.parametrize("fit", ["ols", "robust"])
def test_the_line_is_that_of_the_machines_alone(fit):
    tables = judged(machines=12, people=4, seed=1)
    found = human_gap(tables, "good", options=GapOptions(fit=fit, n_resamples=20))
    x, y = (np.array([getattr(p, k) for p in found.machines]) for k in ("metric", "manual"))
    if fit == "ols":
        slope, intercept = np.polyfit(x, y, 1)
    else:
        expected = robust_regression(x[:, None], y)
        slope, intercept = expected.coefficients[0], expected.intercept
    assert (found.line.intercept, found.line.slope) == pytest.approx((intercept, slope))
    above = [p.manual - intercept - slope * p.metric for p in found.people]
    assert found.gap == pytest.approx(np.mean(above))
    far = replace(tables, truth=tables.truth + 5 * tables.people)
    moved = human_gap(far, "good", options=GapOptions(fit=fit, n_resamples=20))
    assert moved.line == found.line
    assert moved.gap == pytest.approx(found.gap + 5)


def test_pairs_significant_pairs_one_by_one():
    tables = judged(topics=20, machines=5, people=3, seed=3, gap=0.8)
    tables.truth[:10, 5] = np.nan
    tables.truth[1:, 6] = np.nan
    found = human_gap(tables, "poor", options=FEW)
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
    for told, expected in ((found.by_metric, "metric"), (found.by_manual, "manual")):
        numbers = [told.pairs, told.person_better, told.machine_better]
        assert numbers == counts[expected]
    assert found.by_manual.pairs == 10
    strict = human_gap(tables, "poor", options=FEW, test=VerdictOptions(correction="holm"))
    assert strict.by_manual.person_better <= found.by_manual.person_better


def test_topics_that_people_miss():
    """A person who has the easy half looks better than she is, unless topics are accounted for."""
    hard = np.r_[np.zeros(10), np.full(10, 2.0)][:, None]
    quality = np.array([0.0, 1.0, 2.0, 3.0, 3.0])
    values = quality + hard
    values[:10, 4] = np.nan
    tables = tables_of(values, {"m": quality + np.zeros((20, 1))}, people=(4,))
    plain = human_gap(tables, "m", options=GapOptions(plain=True, n_resamples=20))
    adjusted = human_gap(tables, "m", options=FEW)
    assert plain.gap == pytest.approx(1.0)
    assert adjusted.gap == pytest.approx(0.0, abs=1e-9)
    complete = judged(people=2)
    both = [
        human_gap(complete, "good", options=GapOptions(plain=p, n_resamples=9))
        for p in (False, True)
    ]
    assert both[0].gap == pytest.approx(both[1].gap)


def test_centring_keeps_machines_means():
    values = judged(machines=6, people=2).truth
    people = np.arange(8) > 5
    assert centered(values, people).mean(axis=0) == pytest.approx(values.mean(axis=0))


def test_draws_by_hand():
    tables = judged(topics=8, machines=5, people=2, seed=5)
    x, y = tables.metrics["good"], tables.truth
    samples = gap_samples(x, y, tables.people, GapOptions(n_resamples=30, seed=3))
    rng = np.random.default_rng(3)
    machines = rng.multinomial(5, np.full(5, 1 / 5), 30)
    people = rng.multinomial(2, np.full(2, 1 / 2), 30)
    topics = rng.multinomial(8, np.full(8, 1 / 8), 30)
    for row, found in enumerate(samples):
        rows = np.repeat(np.arange(8), topics[row])
        columns = np.repeat(np.arange(7), [*machines[row], *people[row]])
        mean_x, mean_y = (v[np.ix_(rows, columns)].mean(axis=0) for v in (x, y))
        own = columns > 4
        slope, intercept = np.polyfit(mean_x[~own], mean_y[~own], 1)
        assert found == pytest.approx(np.mean(mean_y[own] - intercept - slope * mean_x[own]))


def test_leaving_one_out_by_hand():
    tables = judged(topics=6, machines=4, people=2, seed=5)
    x, y = tables.metrics["good"], tables.truth
    machines, people, topics = gap_jackknife(x, y, tables.people, GapOptions())

    def gap(rows, columns):
        mean_x, mean_y = (v[np.ix_(rows, columns)].mean(axis=0) for v in (x, y))
        own = np.array(columns) > 3
        line = fit_line(mean_x[~own], mean_y[~own])
        return float(np.mean(mean_y[own] - line.at(mean_x[own])))

    rows, columns = list(range(6)), list(range(6))
    found = [*machines, *people]
    assert found == pytest.approx([gap(rows, [c for c in columns if c != s]) for s in columns])
    assert topics == pytest.approx([gap([r for r in rows if r != t], columns) for t in rows])
    assert len(gap_jackknife(x, y, tables.people, GapOptions(over="inputs"))) == 1


@pytest.mark.parametrize("over", ["inputs", "systems", "both"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("fit", ["ols", "robust"])
def test_intervals_hold_the_gap_and_repeat(over, method, fit):
    tables = judged(machines=10, people=3, seed=2)
    options = GapOptions(fit=fit, over=over, method=method, n_resamples=120, seed=4)
    found = human_gap(tables, "good", options=options)
    assert found.low < found.gap < found.high
    assert found == human_gap(tables, "good", options=options)


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
    first, again = (human_gap(one, "good", options=FEW) for one in (tables, shuffled))
    assert again.gap == pytest.approx(first.gap)
    assert again.line.slope == pytest.approx(first.line.slope)
    assert (again.by_metric, again.by_manual) == (first.by_metric, first.by_manual)


@pytest.mark.parametrize(
    ("machines", "people", "reason"),
    [
        (5, 0, "no person has both scores"),
        (1, 3, "1 machine with both scores, and a line takes 3"),
        (2, 3, "2 machines with both scores, and a line takes 3"),
    ],
)
def test_without_people_or_machines(machines, people, reason):
    found = human_gap(judged(machines=machines, people=people), "good", options=FEW)
    assert found.undefined == reason
    assert math.isnan(found.gap)
    assert found.line is None


def test_a_constant_metric_draws_no_line():
    tables = judged(people=2)
    tables.metrics["good"][:] = 0.1 + 0.2
    found = human_gap(tables, "good", options=FEW)
    assert found.undefined == "all machines have the same mean of good"
    assert math.isnan(found.standardized)


def test_a_falling_line_never_reaches_people():
    tables = judged(people=2)
    turned = replace(tables, metrics={"down": -tables.metrics["good"]})
    assert human_gap(turned, "down", options=FEW).needed == math.inf


def test_bad_input():
    with pytest.raises(NotFoundError, match="there is no metric 'x'; there are: good, poor"):
        human_gap(judged(), "x")
    for wrong in ({"fit": "loess"}, {"over": "years"}, {"method": "fisher"}):
        with pytest.raises(InputError):
            GapOptions(**wrong)


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
    (tables,) = meta_tables(
        Scores.concatenate([source.scores, size]), "relevance", metrics=["length"]
    )
    found = human_gap(tables, "length", options=GapOptions(n_resamples=200))
    assert (len(found.machines), len(found.people)) == (12, 1)
    assert found.by_manual.pairs == 12
    assert (found.by_manual.person_better, found.by_manual.machine_better) == (3, 7)
    assert found.low < found.gap < found.high
