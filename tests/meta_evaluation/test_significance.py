"""Agreement on significance: R's numbers, brute force, and what must never change it."""

import json
import math
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meta_evaluation.judging_samples import judged, tables_of
from pyramidion.comparison import compare
from pyramidion.comparison.measure_tables import meta_tables
from pyramidion.errors import InputError, NotFoundError
from pyramidion.meta_evaluation._agreement import (
    Agreement,
    Costs,
    VerdictOptions,
    judge_pairs,
    pool_agreements,
    silent_utility,
    verdict_utility,
)
from pyramidion.meta_evaluation._significance import (
    agreement_intervals,
    combine,
    study_significance,
    top_systems,
)
from support import GOLD, shared_collection

# R 4.2.2 base: signed-rank tests of all pairs of systems, and the counts by their definitions.
CASES = json.loads((GOLD / "stats" / "agreement.json").read_text(encoding="utf-8"))["cases"]
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


def gold_study(case):
    inputs = CASES[case]["inputs"]
    metrics = {f"metric{i}": values for i, values in enumerate(inputs["auto"], start=1)}
    options = VerdictOptions(alpha=inputs["alpha"])
    return study_significance(tables_of(inputs["manual"], metrics), options=options)


@pytest.mark.parametrize("case", CASES)
def test_gold(case):
    study, out = gold_study(case), CASES[case]["outputs"]
    agreements = {
        combination.metrics: combination.agreement
        for combination in combine([study], list(study.metrics))
    }
    checked = 0
    for block, expected in out.items():
        if not block.startswith(("metric", "all_agree")):
            continue
        members = [int(part) for part in block.replace("metric", "_").split("_") if part.isdigit()]
        agreement = agreements[tuple(f"metric{number}" for number in sorted(members))]
        values = {name: getattr(agreement, NAMES[name]) for name in expected}
        gold = {name: math.nan if value is None else value for name, value in expected.items()}
        assert values == pytest.approx(gold, rel=1e-9, nan_ok=True)
        checked += 1
    assert checked == 7


def brute_force(tables, metric, *, top, alpha=0.05):
    """Do it by hand: sort, test each pair with SciPy, count."""
    from scipy.stats import wilcoxon

    systems = sorted(np.flatnonzero(~tables.people), key=lambda s: -np.nanmean(tables.truth[:, s]))[
        :top
    ]

    def verdict(values, a, b):
        both = ~np.isnan(values[:, a]) & ~np.isnan(values[:, b])
        z = values[both, a] - values[both, b]
        z = z[z != 0]
        if not len(z):
            return 0
        ranks = np.argsort(np.argsort(np.abs(z)))
        sign = np.sign(np.sum(np.sign(z) * (ranks + 1)))
        p = wilcoxon(z, method="approx", correction=False).pvalue
        return int(sign) if p <= alpha else 0

    cells, right, ordered = [], 0, 0
    for a, b in combinations(systems, 2):
        cells.append((verdict(tables.truth, a, b), verdict(tables.metrics[metric], a, b)))
        signs = [
            np.sign(np.nanmean(v[:, a]) - np.nanmean(v[:, b]))
            for v in (tables.truth, tables.metrics[metric])
        ]
        ordered += signs[0] != 0
        right += signs[0] == signs[1] != 0
    table = tuple(tuple(cells.count((i, j)) for j in (-1, 0, 1)) for i in (-1, 0, 1))
    return table, ordered, right


@pytest.mark.parametrize("top", [None, 5])
@pytest.mark.parametrize("metric", ["good", "poor"])
def test_brute_force(top, metric):
    tables = judged(people=3, seed=4)
    agreement = study_significance(tables, top=top).agreements[metric]
    table, ordered, right = brute_force(tables, metric, top=top)
    assert (agreement.three_way, agreement.order_pairs, agreement.order_right) == (
        table,
        ordered,
        right,
    )
    assert agreement.undefined == 0


@pytest.mark.parametrize("test", ["permutation", "wilcoxon", "paired-t", "unpaired-t", "welch",
                                  "mc", "hb"])  # fmt: skip
@pytest.mark.parametrize("correction", ["none", "holm", "bh", "maxt"])
def test_verdicts_are_those_of_compare(test, correction):
    from pyramidion.collection import ScoreMatrix

    tables = judged(topics=12, machines=5, seed=3)
    matrix = ScoreMatrix(tables.truth, tables.topics, tables.systems)
    result = compare(matrix, test=test, correction=correction, n_resamples=999, seed=5)
    options = VerdictOptions(test=test, correction=correction, n_test_resamples=999, seed=5)
    order = [tables.systems.index(system.system) for system in result.systems]
    pairs = np.array(list(combinations(order, 2)))
    verdicts = judge_pairs(tables.truth, pairs, options)
    assert verdicts.p == pytest.approx([c.p_adjusted for c in result.comparisons], rel=1e-9)
    assert np.count_nonzero(verdicts.signs) == result.counts.significant


scores = st.integers(0, 3)


@given(
    st.integers(2, 5).flatmap(
        lambda systems: st.lists(
            st.lists(st.tuples(scores, scores), min_size=systems, max_size=systems),
            min_size=5,
            max_size=9,
        )
    ),
    st.randoms(use_true_random=False),
)
def test_order_and_names_change_nothing(rows, random):
    both = np.array(rows, dtype=float)
    # Equal manual means would leave the direction to the order of the systems.
    manual = both[..., 0] + np.arange(both.shape[1]) / 97
    tables = tables_of(manual, {"m": both[..., 1]})
    study = study_significance(tables)
    topics, systems = list(range(len(both))), list(range(both.shape[1]))
    random.shuffle(topics)
    random.shuffle(systems)
    names = [f"other{random.random()}" for _ in systems]
    shuffled = replace(
        tables,
        systems=tuple(names),
        truth=manual[np.ix_(topics, systems)],
        metrics={"m": both[..., 1][np.ix_(topics, systems)]},
    )
    again = study_significance(shuffled)
    assert again.agreements == study.agreements
    assert again.significant == study.significant


def test_ties_with_the_last_system_are_taken_along():
    manual = np.tile([5.0, 3, 4, 3, 1], (4, 1))
    tables = tables_of(manual, {"m": manual})
    assert top_systems(tables, top=3).systems == ("s0", "s2", "s1", "s3")
    assert top_systems(tables, top=3).rule == "top 3 of 5 machines and 1 tied with the last"
    exact = top_systems(tables, top=3, exactly=True)
    assert (exact.systems, exact.rule) == (("s0", "s2", "s1"), "top 3 of 5 machines")
    assert study_significance(tables, top=3, exactly=True).pairs == 3
    assert top_systems(tables, top=2).systems == ("s0", "s2")
    assert top_systems(tables, top=99).rule == "all 5 machines"
    # Means of the same numbers in another order differ by rounding noise only.
    noisy = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]])
    assert len(top_systems(tables_of(noisy, {}), top=1).systems) == 2


def test_people_are_peers_only_if_asked_for():
    tables = judged(machines=4, people=2)
    assert len(study_significance(tables).chosen.systems) == 4
    assert len(study_significance(tables, peers="all").chosen.systems) == 6


def test_a_metric_that_lacks_systems():
    tables = judged(machines=6)
    tables.metrics["good"][:, 2] = np.nan
    tables.metrics["good"][3, 1] = np.nan
    study = study_significance(tables)
    agreement = study.agreements["good"]
    assert (agreement.n, agreement.undefined) == (10, 5)
    assert study.agreements["poor"].n == 15
    assert "good, task A: 1 of 6 systems have no score, such as s2" in study.left_out
    assert "good, task A: 1 missing scores; pairs use shared topics" in study.left_out
    assert "good, task A: 5 of 15 pairs have no verdict" in study.left_out
    both = combine([study], ["good", "poor"])[-1].agreement
    assert (both.n, both.undefined) == (10, 5)


def test_topics_that_nobody_judged_do_not_count():
    tables = judged(topics=20)
    tables.truth[15:] = np.nan
    study = study_significance(tables)
    less = replace(
        tables,
        topics=tables.topics[:15],
        truth=tables.truth[:15],
        metrics={name: values[:15] for name, values in tables.metrics.items()},
    )
    assert study.agreements == study_significance(less).agreements
    assert study.topics == 15
    assert "good, task A: 5 topics without a score of pyramid" in study.left_out


def test_constant_measures_find_nothing():
    tables = judged()
    tables.metrics["good"][:] = 0.5
    agreement = study_significance(tables).agreements["good"]
    assert (agreement.tp, agreement.fp, agreement.order_right) == (0, 0, 0)
    assert math.isnan(agreement.precision)
    assert agreement.recall == 0
    tables.truth[:] = 3.0
    nothing = study_significance(tables).agreements["poor"]
    assert math.isnan(nothing.recall)
    assert math.isnan(nothing.order_accuracy)
    assert math.isnan(nothing.balanced_accuracy)


def test_too_few_systems():
    with pytest.raises(InputError, match="pyramid, task A: 1 machine; add machines, or include"):
        study_significance(judged(machines=1, people=4))
    with pytest.raises(InputError, match="0 machines"):
        study_significance(judged(machines=0, people=3))
    with pytest.raises(InputError, match="number of top systems is 0"):
        study_significance(judged(), top=0)
    with pytest.raises(InputError, match="`peers` is 'people'"):
        study_significance(judged(), peers="people")


def test_options_are_checked():
    for wrong in ({"test": "sign"}, {"correction": "sidak"}, {"alpha": 1.5}, {"seed": -1}):
        with pytest.raises(InputError):
            VerdictOptions(**wrong)
    with pytest.raises(InputError, match="10 resamples cannot show"):
        study_significance(judged(), options=VerdictOptions("permutation", n_test_resamples=10))


def test_utility():
    agreement = Agreement(((1, 2, 1), (3, 10, 4), (0, 5, 4)))
    costs = Costs(missed=1, false=2, reversed=5, found=-1, neither=-0.5)
    assert verdict_utility(agreement, costs) == pytest.approx(-(7 + 2 * 7 + 5 * 1 - 5 - 5) / 30)
    assert verdict_utility(agreement, Costs(0, 0, 0, -1, -1)) == pytest.approx((5 + 10) / 30)
    assert str(Costs.parse(str(costs))) == str(costs)
    for wrong in ("lost=1", "missed=", "missed=x", "missed=nan"):
        with pytest.raises(InputError):
            Costs.parse(wrong)


def test_conflicts_are_errors_if_direction_counts():
    agreement = Agreement(((1, 2, 1), (3, 10, 4), (0, 5, 4)))
    assert agreement.accuracy == pytest.approx(16 / 30)
    assert agreement.directed_accuracy == pytest.approx(15 / 30)
    assert agreement.record()["directed_accuracy"] == agreement.directed_accuracy


def test_pooling_adds_up():
    studies = [study_significance(judged(seed=seed)) for seed in range(3)]
    parts = [study.agreements["poor"] for study in studies]
    together = pool_agreements(parts)
    for name in ("n", "tp", "fp", "fn", "tn", "direction_conflicts", "order_pairs", "order_right"):
        assert getattr(together, name) == sum(getattr(part, name) for part in parts)
    assert pool_agreements([]).n == 0


def combined_by_hand(studies, names, by="direction"):
    """Look at each pair: all metrics must say the same.

    By significance, metrics that contradict each other find what people do not: the opposite of
    their difference, or one (written as up) where they find none.
    """
    cells = []
    for study in studies:
        manual = study.manual
        for pair in range(study.pairs):
            metrics = [study.metrics[name] for name in names]
            if manual.defined[pair] and all(v.defined[pair] for v in metrics):
                signs, people = {int(v.signs[pair]) for v in metrics}, int(manual.signs[pair])
                contradictory = by == "significance" and signs == {-1, 1}
                odd = (-people or 1) if contradictory else 0
                cells.append((people, signs.pop() if len(signs) == 1 else odd))
    return tuple(tuple(cells.count((i, j)) for j in (-1, 0, 1)) for i in (-1, 0, 1))


def test_every_combination_by_hand():
    rng = np.random.default_rng(6)
    studies = []
    for seed in range(2):
        tables = judged(machines=6, seed=seed)
        more = {
            f"m{i}": tables.truth + rng.normal(0, 0.6 * i, tables.truth.shape) for i in range(3)
        }
        more["m2"][:, 1] = np.nan
        studies.append(study_significance(replace(tables, metrics={**tables.metrics, **more})))
    names = ["good", "poor", "m0", "m1", "m2"]
    combinations = combine(studies, names)
    assert len(combinations) == 2**5 - 1
    assert [combination.metrics for combination in combinations[:5]] == [(name,) for name in names]
    for combination in combinations:
        assert combination.agreement.three_way == combined_by_hand(studies, combination.metrics), (
            combination.metrics
        )
        assert combination.agreement.n + combination.agreement.undefined == 30
    turned = {
        **studies[0].metrics,
        "turned": study_significance(
            replace(judged(machines=6), metrics={"turned": -judged(machines=6).metrics["good"]})
        ).metrics["turned"],
    }
    contradicting = replace(studies[0], metrics=turned)
    [both] = combine([contradicting], ["good", "turned"], combine_by="significance")[2:]
    by_hand = combined_by_hand([contradicting], ["good", "turned"], "significance")
    assert both.agreement.three_way == by_hand
    assert both.agreement.direction_conflicts > 0
    # With each metric more, never more differences are found (reading 24).
    positives = {
        frozenset(combination.metrics): combination.agreement
        for combination in combinations
        if "m2" not in combination.metrics
    }
    for smaller, larger in product(positives, positives):
        if smaller < larger:
            least, most = positives[larger], positives[smaller]
            assert least.tp + least.fp <= most.tp + most.fp


def test_combinations_are_refused():
    study = study_significance(judged())
    with pytest.raises(NotFoundError, match="there is no metric 'best'; available: good, poor"):
        combine([study], ["good", "best"])
    with pytest.raises(InputError, match="no metrics to combine are named"):
        combine([study], [])
    with pytest.raises(InputError, match="17 metrics have 131,071 combinations"):
        combine([study], [str(number) for number in range(17)])


def test_intervals_hold_the_ratios_and_repeat():
    study = study_significance(judged(machines=10))
    intervals = agreement_intervals([study], n_resamples=200)
    assert intervals == agreement_intervals([study], n_resamples=200)
    for metric, agreement in study.agreements.items():
        for name, interval in intervals[metric].items():
            assert 0 <= interval.low <= getattr(agreement, name) <= interval.high <= 1


def test_intervals_by_hand():
    study = study_significance(judged(machines=6))
    manual, metric = study.manual.signs, study.metrics["poor"].signs
    pairs = {frozenset(pair): row for row, pair in enumerate(study.chosen.pairs.tolist())}
    rng = np.random.default_rng([7, 0])
    accuracies = []
    for times in rng.multinomial(6, np.full(6, 1 / 6), 100):
        columns = np.repeat(np.arange(6), times).tolist()
        rows = [pairs[frozenset(pair)] for pair in combinations(columns, 2) if len({*pair}) == 2]
        accuracies.append(np.mean([(manual[row] != 0) == (metric[row] != 0) for row in rows]))
    intervals = agreement_intervals([study], n_resamples=100, seed=7)["poor"]["accuracy"]
    expected = np.quantile(accuracies, [0.025, 0.975])
    assert [intervals.low, intervals.high] == pytest.approx(expected.tolist())


def test_summeval():
    # Counted again with SciPy's signed-rank test, pair by pair.
    source = shared_collection("data/summeval.jsonl.gz")
    metrics = ["auto-rouge-1-recall", "auto-rouge-2-recall", "auto-rouge-4-recall"]
    (tables,) = meta_tables(source.scores, "expert-relevance", metrics=metrics)
    study = study_significance(tables, top=8)
    assert (study.pairs, study.topics) == (28, 100)
    for metric in metrics:
        table, ordered, right = brute_force(tables, metric, top=8)
        agreement = study.agreements[metric]
        counted = (
            agreement.tp,
            agreement.fp,
            agreement.fn,
            agreement.tn,
            agreement.order_pairs,
            agreement.order_right,
        )
        expected = Agreement(table, ordered, right)
        assert counted == (
            expected.tp, expected.fp, expected.fn, expected.tn, ordered, right
        )  # fmt: skip
    assert study_significance(tables).significant == 92


@pytest.mark.long
def test_realsumm():
    # Counted again with SciPy's signed-rank test on the 24 systems that have published scores.
    source = shared_collection("data/realsumm.jsonl.gz")
    metrics = ["auto-rouge-1-recall", "auto-rouge-2-recall"]
    (tables,) = meta_tables(source.scores, "litepyramid-recall", metrics=metrics)
    included = np.array([system != "abs_bart_out" for system in tables.systems])
    less = replace(
        tables,
        systems=tuple(np.array(tables.systems)[included]),
        people=tables.people[included],
        truth=tables.truth[:, included],
        metrics={name: values[:, included] for name, values in tables.metrics.items()},
    )
    for metric in metrics:
        agreement = study_significance(tables).agreements[metric]
        expected = Agreement(*brute_force(less, metric, top=None))
        assert (agreement.tp, agreement.fp, agreement.fn, agreement.tn) == (
            expected.tp, expected.fp, expected.fn, expected.tn
        )  # fmt: skip
        assert agreement.order_right == expected.order_right


def test_what_never_finding_anything_is_worth_by_hand():
    # People tell 5 + 2 of 16 pairs apart, and 3 + 6 not: (7 * 1 + 9 * 0.5) / 16 = 0.71875.
    agreement = Agreement(((0, 0, 0), (1, 6, 2), (1, 2, 4)))
    assert (agreement.tp, agreement.fn, agreement.fp, agreement.tn) == (5, 2, 3, 6)
    assert silent_utility(agreement, Costs(missed=1, neither=0.5)) == -0.71875
    silent = Agreement(((0, 1, 0), (0, 4, 0), (0, 2, 0)))
    assert silent_utility(silent, Costs()) == verdict_utility(silent, Costs())
