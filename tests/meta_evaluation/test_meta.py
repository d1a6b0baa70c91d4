"""Judging metrics: against plain loops, and what must not change."""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from pyramidion import meta_evaluate
from pyramidion.collection import Collection, Measure, ScoreMatrix, Scores, Summary
from pyramidion.comparison.measure_tables import meta_tables
from pyramidion.errors import DataWarning, InputError, NotFoundError, ShapeError
from pyramidion.stats import (
    adjust_p,
    clustered_correlation,
    clustered_difference,
    clustered_interval,
    corrected_correlation,
    correlation_difference,
    person_topics,
)
from support import shared_collection

LEVELS = ("system", "input", "global")
COEFFICIENTS = ("pearson", "spearman", "kendall", "tau_ap")
OVER = ("systems", "inputs", "both")
SCIPY = {
    "pearson": scipy_stats.pearsonr,
    "spearman": scipy_stats.spearmanr,
    "kendall": scipy_stats.kendalltau,
}
TOPICS, SYSTEMS, PEOPLE = 9, 8, np.array([False] * 6 + [True] * 2)
QUICK = {"n_resamples": 39, "test": ()}


def made_up(seed=0, *, missing=0.0, distinct=None):
    """Make a human measure and three metrics, people better than machines."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(0, 2, SYSTEMS) + 3 * PEOPLE
    human = quality + rng.normal(size=(TOPICS, SYSTEMS))
    tables = {
        "human": human,
        "good": human + 0.5 * rng.normal(size=human.shape),
        "fair": human + 2.0 * rng.normal(size=human.shape),
        "poor": rng.normal(size=human.shape),
    }
    for table in tables.values():
        table[rng.random(table.shape) < missing] = np.nan
        if distinct is not None:
            table[:] = np.round(table / distinct)
    return tables


def long_table(tables, *, topics=None, systems=None, task="A", people=PEOPLE):
    topics = topics or [f"T{i}" for i in range(TOPICS)]
    systems = systems or [f"s{i}" for i in range(SYSTEMS)]
    return Scores.concatenate(
        ScoreMatrix(values, topics, systems, people, measure=name, task=task).to_scores()
        for name, values in tables.items()
    )


def judged(tables, **options):
    return meta_evaluate(long_table(tables), human="human", **{**QUICK, **options})[0]


def by_hand(metric, human, level, coefficient):
    """Correlate with scipy, a pair of values at a time."""
    both = ~np.isnan(metric) & ~np.isnan(human)

    def correlation(x, y):
        if len(x) < 2 or np.ptp(x) < 1e-12 or np.ptp(y) < 1e-12:
            return math.nan
        return SCIPY[coefficient](x, y)[0]

    if level == "global":
        return correlation(metric[both], human[both])
    if level == "input":
        by_topic = [correlation(m[b], h[b]) for m, h, b in zip(metric, human, both, strict=True)]
        defined = [value for value in by_topic if not math.isnan(value)]
        return np.mean(defined) if defined else math.nan
    scored = [column for column in range(both.shape[1]) if both[:, column].any()]
    means = [[t[both[:, c], c].mean() for c in scored] for t in (metric, human)]
    return correlation(*map(np.array, means))


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("distinct", [None, 1.0])
def test_values_are_those_of_plain_loops(missing, distinct):
    tables = made_up(3, missing=missing, distinct=distinct)
    result = judged(tables)
    for name in ("good", "fair", "poor"):
        assert len(result.correlations[name]) == 24
        for row in result.correlations[name]:
            selected = ~PEOPLE if row.peers == "machines" else PEOPLE | True
            metric, human = tables[name][:, selected], tables["human"][:, selected]
            if row.coefficient == "tau_ap":
                options = {"level": row.level, "coefficient": row.coefficient}
                want = clustered_correlation(metric, human, **options).value
            else:
                want = by_hand(metric, human, row.level, row.coefficient)
            assert row.value == pytest.approx(want, abs=1e-12, nan_ok=True), row


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("method", ["percentile", "bca", "fisher"])
def test_intervals_are_those_of_clustered_interval(over, method):
    tables = made_up(1)
    result = judged(tables, over=over, method=method, confidence_level=0.9, seed=4)
    for level, coefficient in product(LEVELS, COEFFICIENTS):
        row = result.correlation("fair", level=level, coefficient=coefficient)
        if (method, coefficient) == ("fisher", "tau_ap"):
            assert math.isnan(row.low)
            assert row.undefined == "tau_ap has no Fisher interval"
            continue
        want = clustered_interval(
            tables["fair"],
            tables["human"],
            level=level,
            coefficient=coefficient,
            over=over,
            method=method,
            confidence_level=0.9,
            n_resamples=39,
            rng=4,
        )
        assert (row.low, row.high) == pytest.approx((want.interval.low, want.interval.high))
        assert (row.n, row.undefined_resamples) == (want.correlation.n, want.undefined)


def test_a_metric_that_some_systems_lack_is_resampled_among_the_others():
    tables = made_up(2)
    tables["fair"][:, 2] = np.nan
    tables["fair"][4] = np.nan
    result = judged(tables, seed=1, method="percentile")
    selected = np.ix_(np.arange(TOPICS) != 4, np.arange(SYSTEMS) != 2)
    want = clustered_interval(
        tables["fair"][selected],
        tables["human"][selected],
        level="input",
        coefficient="kendall",
        n_resamples=39,
        rng=1,
    )
    row = result.correlation("fair", level="input", coefficient="kendall")
    assert (row.value, row.low, row.high) == pytest.approx(
        (want.value, want.interval.low, want.interval.high)
    )
    assert (row.n, row.left_out) == (8, TOPICS + SYSTEMS - 1)
    assert result.left_out == (
        "fair, task A: summaries with human but no score: 16; with a score but no human: 0",
    )


def test_metrics_that_lack_as_many_scores_share_a_line():
    tables = made_up()
    for name in ("good", "poor"):
        tables[name][:, 0] = np.nan
    (line,) = judged(tables).left_out
    assert line.startswith("2 metrics such as good, task A: summaries with human but no score: 9")


def test_human_scores_that_are_constant_within_a_topic_are_counted():
    tables = made_up()
    tables["human"][[1, 5]] = 3.0
    row = judged(tables).correlation("good", level="input", coefficient="pearson")
    assert (row.n, row.undefined_inputs) == (TOPICS - 2, 2)
    tables["human"][:] = 3.0
    result = judged(tables)
    row = result.correlation("good", level="input", coefficient="kendall")
    assert math.isnan(row.value)
    assert row.undefined == "within every input, all metric scores or all human scores are equal"
    assert (row.n, row.undefined_inputs) == (0, TOPICS)


def test_a_constant_human_measure_leaves_pairs_undefined_and_ungrouped():
    tables = made_up()
    tables["human"][:] = 3.0
    answer = meta_evaluate(
        long_table(tables), human="human", n_resamples=39, test="permutation", levels="input"
    )
    (result,) = answer
    for pair in result.matrices[0].pairs:
        assert math.isnan(pair.p)
        assert pair.note == "a correlation is undefined"
    groups = [rank.group for rank in result.matrices[0].metrics]
    assert sorted(groups) == ["a", "b", "c"][: len(groups)]
    table = next(table for table in answer.tables if table.name == "pairs")
    # A letter would suggest a difference.
    assert {row[2:5] for row in table.rows} == {("undefined", None, None)}


def test_one_system_with_both_scores():
    tables = made_up()
    tables["poor"][:, 1:] = np.nan
    result = judged(tables, test=("permutation", "williams"))
    assert {row.undefined for row in result.correlations["poor"]} == {
        "1 system with both scores; two are needed"
    }
    notes = {pair.note for m in result.matrices for pair in m.pairs if "poor" in (pair.a, pair.b)}
    assert notes == {
        "systems with all three scores: 1",
        "systems with all three scores: 1; 4 are needed",
    }
    good = result.correlation("good", level="system", coefficient="pearson")
    assert not math.isnan(good.value)
    assert result.matrices[0].metrics[-1].metric == "poor"


def test_a_single_peer_is_not_a_table():
    scores = long_table(
        {name: table[:, :1] for name, table in made_up().items()}, systems=["s0"], people=[False]
    )
    result = meta_evaluate(scores, human="human", **QUICK)[0]
    assert {row.undefined for row in result.correlations["good"]} == {
        "1 system with both scores; two are needed"
    }


def test_machines_only_is_without_people():
    tables = made_up()
    both = judged(tables)
    machines = {name: table[:, ~PEOPLE] for name, table in tables.items()}
    scores = long_table(machines, systems=[f"s{i}" for i in range(6)], people=PEOPLE[~PEOPLE])
    alone = meta_evaluate(scores, human="human", **QUICK)[0]
    for name, rows in both.correlations.items():
        want = [row for row in rows if row.peers == "machines"]
        # Without people both peer sets are the same.
        for peers in ("all", "machines"):
            machine_rows = [row for row in alone.correlations[name] if row.peers == peers]
            assert [(r.value, r.low, r.high) for r in machine_rows] == [
                (r.value, r.low, r.high) for r in want
            ]


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize(("level", "coefficient"), [("system", "pearson"), ("input", "kendall")])
def test_permutation_tests_are_those_of_clustered_difference(over, level, coefficient):
    tables = made_up(5, missing=0.1)
    result = judged(
        tables,
        test=("permutation",),
        levels=(level,),
        coefficients=(coefficient,),
        over=over,
        correction="holm",
        alpha=0.2,
        n_resamples=99,
        seed=2,
    )
    matrix = result.matrices[0]
    for pair in matrix.pairs:
        want = clustered_difference(
            tables[pair.a],
            tables[pair.b],
            tables["human"],
            level=level,
            coefficient=coefficient,
            over=over,
            n_resamples=99,
            rng=2,
        )
        assert (pair.difference, pair.p) == pytest.approx((want.difference, want.p))
    adjusted = adjust_p([pair.p for pair in matrix.pairs])
    assert [pair.p_adjusted for pair in matrix.pairs] == pytest.approx(adjusted.tolist())


@pytest.mark.parametrize("correction", ["maxt", "maxt-single"])
def test_max_t_takes_the_largest_of_the_same_swaps(correction):
    tables = made_up(6)
    result = judged(
        tables, test=("permutation",), levels=("input",), n_resamples=199, correction=correction
    )
    differences = [
        clustered_difference(
            tables[pair.a], tables[pair.b], tables["human"], level="input", n_resamples=199
        )
        for pair in result.matrices[0].pairs
    ]
    spread = [np.sqrt(np.mean(test.samples**2)) for test in differences]
    swapped = np.array(
        [np.abs(test.samples) / s for test, s in zip(differences, spread, strict=True)]
    )
    observed = np.array(
        [abs(test.difference) / s for test, s in zip(differences, spread, strict=True)]
    )
    expected: list[float] = []
    falling = np.argsort(observed)[::-1]
    for index, own in enumerate(falling):
        # Step-down leaves out the pairs that differ more.
        left = falling[index:] if correction == "maxt" else falling
        extreme = np.count_nonzero(swapped[left].max(axis=0) >= observed[own] - 1e-9)
        expected.append(max((extreme + 1) / 200, *expected[-1:], 0.0))
    for own, p in zip(falling, expected, strict=True):
        pair = result.matrices[0].pairs[own]
        assert pair.p_adjusted == pytest.approx(max(pair.p, p))


@pytest.mark.parametrize("test", ["williams", "steiger", "zou", "meng"])
def test_tests_on_system_means(test):
    tables = made_up(7)
    result = judged(tables, test=(test,))
    matrix = result.matrices[0]
    assert (matrix.level, matrix.coefficient, matrix.correction) == ("system", "pearson", "holm")
    assert matrix.notes == (f"{test} swaps nothing, so Holm's correction replaces max-T.",)
    for pair in matrix.pairs:
        a, b, human = (tables[name].mean(axis=0) for name in (pair.a, pair.b, "human"))
        want = correlation_difference(a, b, human, test=test)
        assert (pair.difference, pair.p) == pytest.approx((want.difference, want.p))
        assert (pair.low, pair.high) == pytest.approx((want.interval.low, want.interval.high))
        assert pair.first >= pair.second


@pytest.mark.long
def test_swaps_are_raised_for_a_stepwise_correction():
    rng = np.random.default_rng(1)
    human = rng.normal(size=(20, 12)) + np.arange(12)
    tables = {"human": human, "twin": human + 0.01, "copy": 2 * human}
    tables |= {f"m{i}": rng.normal(size=human.shape) for i in range(6)}
    scores = long_table(
        tables,
        topics=[f"T{i}" for i in range(20)],
        systems=[f"s{i}" for i in range(12)],
        people=[False] * 12,
    )
    options = {"human": "human", "levels": ("input",), "n_resamples": 99, "peers": ("all",)}
    (matrix,) = meta_evaluate(scores, correction="holm", **options)[0].matrices
    # 28 pairs at 0.05 need 559 swaps; a pair that is far from significant keeps its own 99.
    assert matrix.n_resamples == 559
    assert {pair.n_resamples for pair in matrix.pairs} == {99, 559}
    assert all((pair.p <= 0.05) == (pair.n_resamples == 559) for pair in matrix.pairs)
    assert "raised from 99 to 559" in matrix.notes[0]
    assert sum(map(matrix.significant, matrix.pairs)) >= 12
    (plain,) = meta_evaluate(scores, correction="none", **options)[0].matrices
    assert plain.notes == ()


def test_equal_metrics_share_a_group_and_a_worse_one_does_not():
    tables = made_up(8)
    tables["same"] = 3 * tables["good"] - 1
    result = judged(tables, test=("permutation",), levels=("global",), n_resamples=499)
    ranks = {rank.metric: rank for rank in result.matrices[0].metrics}
    assert ranks["good"].group == ranks["same"].group
    assert ranks["good"].rank == ranks["same"].rank == 1
    assert not set(ranks["good"].group) & set(ranks["poor"].group)
    pair = next(p for p in result.matrices[0].pairs if {p.a, p.b} == {"good", "same"})
    assert pair.p == pair.p_adjusted == 1


@cache
def judged_in_order(**options):
    return meta_evaluate(long_table(made_up(9, missing=0.1, distinct=0.5)), **options)[0]


@given(st.randoms(use_true_random=False))
@settings(max_examples=4, deadline=None)
def test_the_order_of_the_rows_changes_nothing(random):
    scores = long_table(made_up(9, missing=0.1, distinct=0.5))
    order = list(range(len(scores)))
    random.shuffle(order)
    options = {"human": "human", "n_resamples": 39, "levels": ("input",)}
    after = meta_evaluate(scores.rows(np.array(order)), **options)[0]
    before = judged_in_order(**options)
    assert repr(before.correlations) == repr(after.correlations)
    assert repr(before.matrices) == repr(after.matrices)


@cache
def judged_in_place():
    return judged(made_up(10, missing=0.1, distinct=0.5))


@given(st.randoms(use_true_random=False))
@settings(max_examples=4, deadline=None)
def test_other_names_and_places_change_no_value(random):
    tables = made_up(10, missing=0.1, distinct=0.5)
    rows, columns = list(range(TOPICS)), list(range(SYSTEMS))
    random.shuffle(rows)
    random.shuffle(columns)
    moved = {name: table[np.ix_(rows, columns)] for name, table in tables.items()}
    scores = long_table(
        moved,
        topics=[f"x{i}" for i in range(TOPICS)],
        systems=[f"y{i}" for i in range(SYSTEMS)],
        people=PEOPLE[columns],
    )
    before, after = judged_in_place(), meta_evaluate(scores, human="human", **QUICK)[0]
    for name, correlations in before.correlations.items():
        for a, b in zip(correlations, after.correlations[name], strict=True):
            assert a.value == pytest.approx(b.value, abs=1e-12, nan_ok=True)
            counts = ("n", "undefined_inputs", "left_out")
            assert [getattr(a, c) for c in counts] == [getattr(b, c) for c in counts]


def test_the_scale_of_a_metric_does_not_matter():
    tables = made_up(11)
    options = {"test": ("permutation",), "levels": ("system",)}
    before = judged(tables, **options)
    after = judged({**tables, "fair": 100 + 7 * tables["fair"]}, **options)
    for a, b in zip(before.correlations["fair"], after.correlations["fair"], strict=True):
        assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high))
    for a, b in zip(before.matrices[0].pairs, after.matrices[0].pairs, strict=True):
        assert (a.a, a.p) == (b.a, pytest.approx(b.p))


def test_lower_is_better_is_turned():
    tables = made_up(12)
    plain = judged(tables)
    turned = judged({**tables, "fair": -tables["fair"]}, lower_is_better=["fair"])
    assert turned.tables.negated == ("fair",)
    assert repr(turned.correlations["fair"]) == repr(plain.correlations["fair"])
    # A metric of this package that is known for it, and one that nobody knows.
    named = {"human": tables["human"], "js-references": -tables["good"], "mine": -tables["good"]}
    with pytest.warns(DataWarning, match="against people: mine: .* --lower-is-better mine$"):
        result = judged(named)
    assert result.tables.negated == ("js-references",)
    values = [
        result.correlation(name, level="system", coefficient="pearson").value
        for name in ("js-references", "mine")
    ]
    assert values[0] > 0.9
    assert values[1] == pytest.approx(-values[0])


@pytest.mark.long
def test_one_result_for_each_human_measure_collection_and_task():
    parts = []
    for collection, task in (("2010", "A"), ("2011", "A"), ("2011", "B")):
        scores = long_table(made_up(int(collection)), task=task)
        columns = {**scores.columns, "collection": [collection] * len(scores)}
        parts.append(Scores(columns, scores.value))
    scores = Scores.concatenate(parts)
    results = meta_evaluate(scores, human=["human", "fair"], **QUICK)
    assert [(r.human, r.tables.collection, r.task) for r in results] == [
        (human, *index)
        for human in ("human", "fair")
        for index in (("2010", "A"), ("2011", "A"), ("2011", "B"))
    ]
    # A human measure is no metric, and a year is not mixed with another.
    assert set(results[0].correlations) == {"good", "poor"}
    assert len(results[0].tables.topics) == TOPICS
    chosen = meta_evaluate(scores, human="human", tasks=["B"], metrics=["good"], **QUICK)
    assert [(r.task, set(r.correlations)) for r in chosen] == [("B", {"good"})]


def test_a_metric_without_scores_in_a_task_is_reported():
    first, second = made_up(1), made_up(2)
    del second["poor"]
    scores = Scores.concatenate([long_table(first), long_table(second, task="B")])
    results = meta_evaluate(scores, human="human", **QUICK)
    assert set(results[1].correlations) == {"fair", "good"}
    assert results[1].left_out == ("poor, task B: no scores there",)


def test_a_bare_rouge_name_means_its_f():
    tables = made_up()
    tables["rouge-2-f"] = tables.pop("fair")
    assert set(judged(tables, metrics=["rouge-2"]).correlations) == {"rouge-2-f"}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"human": "nobody"}, NotFoundError, "there is no measure 'nobody'; available: fair, good"),
        ({"metrics": ["god"]}, NotFoundError, "there is no measure 'god'"),
        ({"metrics": ["human"]}, InputError, "human is the human measure; name other metrics"),
        ({"tasks": ["C"]}, NotFoundError, "there is no task 'C'"),
        (
            {"human": []},
            InputError,
            "no human measure is named; choose with --human",
        ),
        ({"lower_is_better": ["x"]}, NotFoundError, "there is no measure 'x'"),
        ({"levels": ["summary"]}, InputError, "level is 'summary'"),
        ({"coefficients": ["tau"]}, InputError, "coefficient is 'tau'"),
        ({"peers": []}, InputError, "no peer set is named"),
        ({"test": ["williams"], "levels": ["input"]}, InputError, "williams is a test at system"),
        ({"test": ["zou"], "coefficients": ["tau_ap"]}, InputError, "zou does not support tau_ap"),
        ({"n_resamples": 0}, InputError, "resamples is 0"),
        ({"test": ["permutation"], "n_resamples": 9}, InputError, "9 resamples cannot show"),
        ({"alpha": 1.5}, InputError, "alpha is 1.5"),
        ({"seed": -1}, InputError, "seed is -1"),
    ],
)
def test_bad_options(options, error, message):
    with pytest.raises(error, match=message.replace("(", r"\(")):
        meta_evaluate(long_table(made_up()), **{"human": "human", **QUICK, **options})


def test_a_measure_alone_has_no_metrics():
    with pytest.raises(InputError, match="there is no measure other than human; add scores of a"):
        meta_evaluate(long_table({"human": made_up()["human"]}), human="human")


@pytest.mark.parametrize(
    "elsewhere", [{"task": "B"}, {"topics": [f"of another year {n}" for n in range(TOPICS)]}]
)
def test_a_metric_that_is_never_next_to_the_human_measure(elsewhere):
    tables = made_up()
    other = long_table({"poor": tables.pop("poor")}, **elsewhere)
    scores = Scores.concatenate([long_table(tables), other])
    with pytest.raises(NotFoundError, match="poor and human never score the same summaries"):
        meta_evaluate(scores, human="human", metrics=["poor"])


def test_a_system_of_two_kinds():
    tables = made_up()
    good = long_table({"good": tables.pop("good")}, people=[True] * SYSTEMS)
    scores = Scores.concatenate([long_table(tables), good])
    with pytest.raises(ShapeError, match="'s0' is human under one measure and a machine under"):
        meta_tables(scores, "human")


def test_what_is_shown_first():
    tables = {name: made_up()[name] for name in ("human", "good", "poor")}

    def columns(**options):
        result = meta_evaluate(long_table(tables), human="human", peers="all", **options)
        return result.tables[0].columns[1:]

    usual = ("system Kendall", "input Kendall")
    assert columns(n_resamples=39) == usual
    both = columns(n_resamples=39, test="permutation,williams")
    assert both == (*usual, "system Pearson")
    assert columns(**QUICK, levels="global") == ("global Kendall",)


def published(name):
    return shared_collection(f"data/{name}.jsonl.gz").scores


def test_summeval_rouge_2_and_expert_relevance():
    # ../shared/data/README.md: system-level Pearson of ROUGE-2 with expert relevance is 0.64.
    result = meta_evaluate(
        published("summeval"),
        human="expert-relevance",
        metrics=["auto-rouge-2-f1"],
        method="fisher",
        test=(),
    )[0]
    row = result.correlation("auto-rouge-2-f1", level="system", coefficient="pearson")
    assert round(row.value, 2) == 0.64
    assert (row.n, row.left_out) == (16, 0)


def test_realsumm_rouge_2_and_scu_recall():
    # ../shared/data/README.md: system-level Pearson of ROUGE-2 with SCU recall is 0.96.
    result = meta_evaluate(
        published("realsumm"),
        human="scu-recall",
        metrics=["auto-rouge-2-recall"],
        method="fisher",
        test=(),
    )[0]
    row = result.correlation("auto-rouge-2-recall", level="system", coefficient="pearson")
    assert round(row.value, 2) == 0.96


def residuals(values, lengths):
    """What a straight line through the lengths leaves of the values."""
    design = np.stack([np.ones_like(lengths), lengths], axis=1)
    return values - design @ np.linalg.lstsq(design, values, rcond=None)[0]


def with_words(tables, seed=5):
    rng = np.random.default_rng(seed)
    words = np.round(100 + 30 * rng.normal(size=(TOPICS, SYSTEMS)) + 10 * tables["human"])
    return {**tables, "words": words}


@pytest.mark.parametrize("seed", range(4))
def test_the_default_interval_contains_its_estimate(seed):
    # The same values at other topics: means are equal, but those of resampled topics are not.
    rng = np.random.default_rng(seed)
    human = 0.5 * rng.normal(size=30) + rng.normal(size=(20, 30))
    scores = long_table(
        {"human": human, "good": human[::-1]},
        topics=[f"T{i}" for i in range(20)],
        systems=[f"s{i}" for i in range(30)],
        people=np.zeros(30, bool),
    )
    default, percentile = (
        meta_evaluate(scores, human="human", n_resamples=200, test=(), **options)[0]
        for options in ({}, {"method": "percentile"})
    )
    assert all(row.low <= row.value <= row.high for row in default.correlations["good"])
    system = {"level": "system", "coefficient": "kendall"}
    assert default.correlation("good", **system).high == 1.0
    assert percentile.correlation("good", **system).high < 0.9


def test_human_measures_are_judged_as_metrics_only_if_named():
    tables = made_up()
    tables = {"human": tables["human"], "style": tables["good"], "rouge-2-r": tables["fair"],
              "responsiveness": tables["poor"]}  # fmt: skip
    plain = long_table(tables)
    assessor = np.where(plain.columns["measure"] == "style", "judge A", "").astype(object)
    scores = Scores({**plain.columns, "assessor": assessor}, plain.value)
    result = meta_evaluate(scores, human="human", **QUICK)
    assert set(result[0].correlations) == {"rouge-2-r"}
    assert set(result[0].humans) == {"style", "responsiveness"}
    assert result.left_out[0] == (
        "human measures, which are evaluated only if named with --metric: responsiveness, style"
    )
    named = meta_evaluate(scores, human="human", metrics=["style"], **QUICK)
    assert set(named[0].correlations) == {"style"}
    declared = Collection("c", scores=scores, measures={"style": Measure(human=False)})
    assert set(meta_evaluate(declared, human="human", **QUICK)[0].correlations) == {
        "rouge-2-r",
        "style",
    }
    with pytest.raises(InputError, match="no measure other than human that is not human"):
        meta_evaluate(scores.rows(plain.columns["measure"] != "rouge-2-r"), human="human", **QUICK)


def test_human_measures_correlate_with_each_other():
    tables = made_up(4)
    tables = {"human": tables["human"], "readability": tables["fair"], "bleu": tables["poor"]}
    result = meta_evaluate(long_table(tables), human="human,readability", **QUICK)
    for comparison, other in zip(result, ("readability", "human"), strict=True):
        for level in LEVELS:
            row = comparison.correlation(other, level=level, coefficient="kendall")
            want = by_hand(tables["human"], tables["readability"], level, "kendall")
            assert row.value == pytest.approx(want, abs=1e-12)
    records = result.to_dict()["humans"]
    assert [(row["human"], row["other"]) for row in records] == [
        ("human", "readability"),
        ("readability", "human"),
    ]
    assert "humans" in result.table_names
    assert len(result.to_frame("humans")) == 2 * 24


@pytest.mark.parametrize("level", LEVELS)
def test_partial_correlations_are_those_of_residuals(level):
    tables = with_words(made_up(6))
    result = judged(tables, control="length", peers="all")
    for name in ("good", "fair", "poor"):
        row = result.correlation(name, level=level, coefficient="pearson")
        metric, human, words = (tables[key] for key in (name, "human", "words"))
        if level == "system":
            metric, human, words = (table.mean(axis=0)[None] for table in (metric, human, words))
        elif level == "global":
            metric, human, words = (table.reshape(1, -1) for table in (metric, human, words))
        want = np.mean(
            [
                scipy_stats.pearsonr(residuals(m, w), residuals(h, w))[0]
                for m, h, w in zip(metric, human, words, strict=True)
            ]
        )
        assert row.value == pytest.approx(want, abs=1e-9)
        assert row.plain == pytest.approx(by_hand(tables[name], tables["human"], level, "pearson"))
        assert row.low <= row.value <= row.high


@pytest.mark.parametrize("coefficient", ["spearman", "kendall"])
def test_rank_correlations_hold_length_constant_by_the_formula(coefficient):
    # Kendall, Rank Correlation Methods, 4th edition, 8.3: the formula is that of Pearson's r.
    tables = with_words(made_up(7))
    result = judged(tables, control="length", peers="all")
    row = result.correlation("fair", level="system", coefficient=coefficient)
    means = [tables[name].mean(axis=0) for name in ("fair", "human", "words")]
    xy, xz, yz = (SCIPY[coefficient](means[i], means[j])[0] for i, j in ((0, 1), (0, 2), (1, 2)))
    assert row.value == pytest.approx((xy - xz * yz) / math.sqrt((1 - xz**2) * (1 - yz**2)))


@pytest.mark.long
def test_constant_lengths_change_nothing():
    tables = made_up(8)
    plain = judged(tables)
    held = judged({**tables, "words": np.full((TOPICS, SYSTEMS), 100.0)}, control="length")
    for row, other in zip(plain.correlations["good"], held.correlations["good"], strict=True):
        if row.coefficient == "tau_ap":
            assert other.undefined == "tau_ap has no partial correlation"
        else:
            assert (other.value, other.low, other.high) == (row.value, row.low, row.high)


def test_a_metric_that_is_the_length_has_no_partial_correlation():
    result = judged(with_words(made_up()), control="length")
    row = result.correlation("words", level="system", coefficient="kendall")
    assert math.isnan(row.value)
    assert row.undefined == "length explains the metric or the human score completely"


def test_control_takes_texts_and_refuses_what_it_cannot_do():
    tables = made_up()
    scores = long_table(tables)
    summaries = tuple(
        Summary(f"T{t}", f"s{s}", "word " * (s + 2 * t + 1), task="A")
        for t, s in product(range(TOPICS), range(SYSTEMS))
    )
    (evaluation,) = meta_evaluate(
        Collection("c", scores=scores, summaries=summaries), human="human", control="length",
        **QUICK,
    )  # fmt: skip
    assert evaluation.tables.lengths[1].tolist() == [s + 3 for s in range(SYSTEMS)]
    with pytest.raises(InputError, match="lengths are unknown: there are no texts"):
        judged(tables, control="length")
    with pytest.raises(InputError, match="tau_ap cannot hold length constant"):
        judged(with_words(tables), control="length", coefficients="tau_ap")
    with pytest.raises(InputError, match="williams cannot hold length constant"):
        judged(with_words(tables), control="length", test="williams")


@pytest.mark.parametrize("level", LEVELS)
def test_tests_hold_length_constant(level):
    tables = with_words(made_up(9))
    result = judged(
        tables, control="length", test="permutation", levels=level, metrics=("good", "poor"),
        peers="all", n_resamples=99,
    )  # fmt: skip
    (pair,) = result.matrices[0].pairs
    values = [
        result.correlation(name, level=level, coefficient="kendall").value
        for name in (pair.a, pair.b)
    ]
    assert [pair.first, pair.second] == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize(("sign", "shown"), [(1, "long (0."), (-1, "long (-0.")])
@pytest.mark.filterwarnings("ignore:metric that runs against people")
def test_the_table_warns_of_metrics_that_are_nearly_the_length(sign, shown):
    tables = with_words(made_up())
    rng = np.random.default_rng(0)
    tables["long"] = sign * (tables["words"] + rng.normal(size=(TOPICS, SYSTEMS)))
    scores = long_table({name: table for name, table in tables.items() if name != "words"})
    summaries = tuple(
        Summary(f"T{t}", f"s{s}", "word " * int(tables["words"][t, s]), task="A")
        for t, s in product(range(TOPICS), range(SYSTEMS))
    )
    result = meta_evaluate(
        Collection("c", scores=scores, summaries=summaries), human="human", **QUICK
    )
    text = str(result)
    assert f"nearly the number of words: {shown}" in text
    assert "good (" not in text
    record = next(row for row in result.to_dict()["results"] if row["metric"] == "long")
    assert sign * record["length"][0]["metric"] > 0.9
    human = by_hand(tables["words"], tables["human"], "system", "kendall")
    assert record["length"][0]["human"] == pytest.approx(human)


def test_among_many_summaries_only_what_is_shown_is_resampled():
    # 20 systems on 50 topics, and 50,001 resamples: just above the limit of 50 million.
    rng = np.random.default_rng(3)
    human = rng.normal(size=(50, 20)) + np.arange(20) / 5
    tables = {"human": human, "good": human + rng.normal(size=human.shape)}
    scores = long_table(
        tables, topics=[f"T{i}" for i in range(50)], systems=[f"s{i}" for i in range(20)],
        people=np.zeros(20, bool),
    )  # fmt: skip
    options = {"levels": "system", "coefficients": "pearson", "method": "percentile"}
    (result,) = meta_evaluate(scores, human="human", n_resamples=50_001, test=(), **options)
    for row in result.correlations["good"]:
        if (row.level, row.coefficient) == ("system", "pearson"):
            few = clustered_interval(
                tables["good"], human, level="system", coefficient="pearson", over="both",
                method="percentile", n_resamples=2000, rng=1,
            )  # fmt: skip
            assert (row.low, row.high) == pytest.approx(
                (few.interval.low, few.interval.high), abs=0.01
            )
        else:
            assert not math.isnan(row.value)
            assert math.isnan(row.low)
            assert row.undefined.startswith("no interval: with this many summaries")


def test_the_table_of_agreement_says_that_it_is_not_corrected():
    text = str(meta_evaluate(long_table(made_up()), human="human", **QUICK))
    assert "tested by wilcoxon, α = 0.05, not corrected for their number" in text


def test_observed_and_corrected_correlations_of_system_means_are_reported_together():
    rng = np.random.default_rng(3)
    tables = made_up()
    people = [tables["human"] + rng.normal(size=tables["human"].shape) for _ in range(3)]
    parts = [long_table({"human": table}) for table in people]
    judged = [
        Scores({**part.columns, "assessor": np.full(len(part.value), name, object)}, part.value)
        for part, name in zip(parts, "KLM", strict=True)
    ]
    scores = Scores.concatenate([*judged, long_table({"good": tables["good"]})])
    result = meta_evaluate(scores, human="human", **QUICK)
    (record,) = result.to_dict()["results"]
    every, machines = record["system_means"]
    assert (every["peers"], machines["peers"]) == ("all", "machines")
    row = result[0].correlation("good", level="system", coefficient="pearson")
    assert (every["observed"], every["low"], every["high"]) == (row.value, row.low, row.high)
    mean = np.mean(people, axis=0)
    direct = corrected_correlation(tables["good"], mean)
    assert every["corrected"] == pytest.approx(direct.value)
    assert every["corrected_low"] == pytest.approx(direct.interval.low)
    worth = person_topics(dict(zip("KLM", people, strict=True)), tables["good"])
    assert every["person_topics"] == pytest.approx(worth.topics)
    assert every["people"] == 3
    text = str(result)
    assert "observed means" in text
    assert "corrected for noise" in text
    assert "one of 3 people correlate with the others' as well" in text


def test_no_interval_is_stretched_to_its_estimate():
    # Of means of few topics, resamples correlate less than the means themselves.
    rng = np.random.default_rng(0)
    quality = 0.5 * rng.normal(size=30)
    noise = rng.normal(size=(2, 20, 30))
    scores = long_table(
        {"human": quality + noise[0], "good": quality + noise[0] + 0.1 * noise[1]},
        topics=[f"T{i}" for i in range(20)],
        systems=[f"s{i}" for i in range(30)],
        people=np.zeros(30, bool),
    )
    bca, jackknife = (
        meta_evaluate(scores, human="human", n_resamples=200, test=(), method=method)[0]
        .correlation("good", level="system", coefficient="kendall")
        for method in ("bca", "jackknife")
    )  # fmt: skip
    assert bca.low != bca.value != bca.high
    assert jackknife.low < jackknife.value < jackknife.high
