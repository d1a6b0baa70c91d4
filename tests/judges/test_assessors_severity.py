"""How severe assessors are, whether that changes, and how far they agree."""

import json
from dataclasses import replace

import numpy as np
import pytest

from judges.assessor_samples import MEASURES, judged, of, renamed, study, tac_year
from pyramidion.collection import Judgment, Summary, Topic
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError
from pyramidion.judges import assessors
from pyramidion.pyramid import auto
from pyramidion.stats import cohen_kappa, krippendorff_alpha, two_way_anova
from support import GOLD, shared_collection

MANUAL, AUTOMATIC = "pyramid-modified", "pyramid-match"
ANOVA = json.loads((GOLD / "stats" / "anova.json").read_text())["cases"]["assessor_category"]
KRIPPENDORFF = json.loads((GOLD / "stats" / "krippendorff.json").read_text())["cases"]


# Severity


def severity(*years, collection="2011", **options):
    return of(study(*years, **options).severity, collection)


def test_gold_of_assessors_and_categories():
    """The layout of the dissertation's Table 3.1; R's effects, F and p."""
    inputs, expected = ANOVA["inputs"], ANOVA["outputs"]
    rows = [
        (f"T{n}", "7", assessor, value)
        for n, (assessor, value) in enumerate(zip(inputs["assessor"], inputs["y"], strict=True))
    ]
    topics = [Topic(f"T{n}", category=str(c)) for n, c in enumerate(inputs["category"])]
    model = severity(judged(rows, topics=topics))
    assert (model.beside, len(model.assessors)) == ("category", 8)
    assert [row.effect for row in model.assessors] == pytest.approx(expected["assessor_effects"])
    assert sum(row.effect for row in model.assessors) == pytest.approx(0, abs=1e-12)
    assert model.f == pytest.approx(expected["F"][0])
    assert model.p == pytest.approx(expected["p"][0])


def test_intervals_are_those_of_least_squares():
    rng = np.random.default_rng(0)
    labels = list("AABBBCCC"), [1, 2, 1, 2, 2, 1, 1, 2]
    y = rng.normal(3, 1, 8)
    rows = [(f"T{n}", "7", a, v) for n, (a, v) in enumerate(zip(labels[0], y, strict=True))]
    topics = [Topic(f"T{n}", category=str(c)) for n, c in enumerate(labels[1])]
    model = severity(judged(rows, topics=topics), confidence_level=0.9)
    # Sum-to-zero coding; the last effect is minus the sum of the others.
    codes = {"A": (1, 0), "B": (0, 1), "C": (-1, -1)}
    design = np.array([[1, *codes[a], 1 if c == 1 else -1] for a, c in zip(*labels, strict=True)])
    coefficients, rest, *_ = np.linalg.lstsq(design, y, rcond=None)
    covariance = rest[0] / 4 * np.linalg.inv(design.T @ design)
    effects = coefficients[[1, 2]]
    assert [row.effect for row in model.assessors] == pytest.approx([*effects, -effects.sum()])
    # t(4) at 0.95 is 2.131847.
    half = 2.131847 * np.sqrt(np.diag(covariance)[[1, 2]])
    assert [row.high - row.effect for row in model.assessors][:2] == pytest.approx(half, rel=1e-6)


def test_a_topic_counts_once_however_many_summaries_it_has():
    rows = [
        *(("T1", s, "K", v) for s, v in zip("789", (1, 2, 3), strict=True)),
        *(("T2", s, "L", v) for s, v in zip("789", (5, 5, 5), strict=True)),
        ("T3", "7", "L", 3),
    ]
    model = severity(judged(rows), beside="nothing")
    assert [(row.topics, row.mean, row.effect) for row in model.assessors] == [
        (1, 2.0, -1.0),
        (2, 4.0, 1.0),
    ]


def test_assessors_who_share_topics_are_compared_on_them():
    rows = [
        ("T1", "7", "K", 1), ("T1", "7", "L", 2), ("T2", "7", "K", 3), ("T2", "7", "L", 5),
        ("T3", "7", "L", 5),
    ]  # fmt: skip
    model = severity(judged(rows))
    assert model.beside == "topic"
    # L is 1 and 2 higher than K on the topics that both judged.
    assert [row.effect for row in model.assessors] == pytest.approx([-0.75, 0.75])


def test_a_constant_distance_has_no_interval():
    # L is exactly 1 above K on both topics, so that nothing says how this varies.
    rows = [("T1", "7", "K", 1), ("T1", "7", "L", 2), ("T2", "7", "K", 4), ("T2", "7", "L", 5)]
    first, second = severity(judged(rows)).assessors
    assert (first.effect, second.effect) == pytest.approx((-0.5, 0.5))
    assert np.isnan([first.low, first.high, first.p, first.p_adjusted]).all()


def test_one_assessor_has_no_severity():
    model = severity(judged([("T1", "7", "K", 1)]))
    assert (model.assessors, model.undefined) == (
        (),
        "only one assessor, so there is nobody to compare with",
    )


def test_assessors_who_share_no_category():
    topics = [Topic("T1", category="1"), Topic("T2", category="2")]
    year = judged([("T1", "7", "K", 1), ("T2", "7", "L", 2)], topics=topics)
    model = severity(year)
    assert "share no level" in model.undefined
    assert not model.assessors
    assert severity(year, beside="nothing").assessors


def test_constant_judgments_have_no_effects():
    rows = [(f"T{n}", "7", "KL"[n % 2], 4) for n in range(6)]
    model = severity(judged(rows))
    assert [row.effect for row in model.assessors] == [0, 0]
    assert np.isnan(model.assessors[0].p)
    assert model.undefined == "the model leaves no residuals"


def test_unknown_second_factor():
    with pytest.raises(InputError, match="beside is 'task'; choose one of category, topic"):
        assessors(load_demo(), beside="task")


def test_severe_assessors_are_found_also_over_years():
    options = {"severity": (-1.0, 0.0, 0.0, 1.0), "noise": (0.2,) * 4, "topics": 20}
    models = study(*(tac_year(str(y), seed=y, **options) for y in (2010, 2011))).severity
    for collection in ("2010", "2011", None):
        model = of(models, collection)
        effects = {row.assessor: row.effect for row in model.assessors}
        assert effects["A"] < min(effects["B"], effects["C"])
        assert effects["D"] > max(effects["B"], effects["C"])
        assert model.p < 0.05


def test_relabelling_assessors_relabels_their_severity():
    year = tac_year(seed=2)
    other = renamed(year, assessors=dict(zip("ABCD", "DCBA", strict=True)), order=5)
    before, after = (
        {row.assessor: row for row in severity(collection).assessors}
        for collection in (year, other)
    )
    for name, turned in zip("ABCD", "DCBA", strict=True):
        assert before[name].effect == pytest.approx(after[turned].effect)
        assert before[name].low == pytest.approx(after[turned].low)


# Drift


def timed(values, *, systems=None, topics=None, times=None):
    rows = [
        Judgment(
            topics[n] if topics else f"T{n}",
            systems[n] if systems else "7",
            "readability",
            float(value),
            assessor="K",
            time=str(times[n] if times else n),
        )
        for n, value in enumerate(values)
    ]
    return judged(rows)


def drift_of(year):
    return study(year).drift["2011", "readability", "K"]


def test_drift_by_hand():
    # Eight digits are a date, and a date without a time zone is in UTC.
    times = ["2011-08-01", "2011-08-02T02:00:00+02:00", "20110803", "2011-08-04"]
    drift = drift_of(timed([5, 4.5, 4, 3.5], times=times))
    assert drift.slope == pytest.approx(-0.5)
    assert (drift.unit, drift.n, drift.topics) == ("day", 4, 4)
    assert drift.span == pytest.approx(3.0)


def test_numbers_are_times_too():
    drift = drift_of(timed([5, 4, 3], times=["12345678", "12345679", "12345680"]))
    assert (drift.unit, drift.span) == ("1", 2.0)
    assert drift.slope == pytest.approx(-1)


def test_drift_is_computed_within_systems():
    # The better system comes later; each gets the same twice.
    values, systems = [1, 1, 1, 5, 5, 5], list("777888")
    assert drift_of(timed(values, systems=systems)).slope == pytest.approx(0)
    # Each judged once: nothing is left within systems.
    drift = drift_of(timed([1, 2, 3], systems=list("789")))
    assert (drift.slope, drift.within_systems) == (pytest.approx(1), False)


def test_the_error_of_a_slope_is_the_jackknife_over_topics():
    rng = np.random.default_rng(1)
    times, topics = np.arange(12.0), [f"T{n // 3}" for n in range(12)]
    values = 3 - 0.1 * times + rng.normal(0, 0.3, 12)
    drift = drift_of(timed(values, topics=topics, times=times.tolist()))
    slopes = []
    for topic in sorted(set(topics)):
        rest = np.array([name != topic for name in topics])
        slopes.append(np.polyfit(times[rest], values[rest], 1)[0])
    slope = np.polyfit(times, values, 1)[0]
    error = np.sqrt(3 / 4 * np.sum((np.array(slopes) - slope) ** 2))
    assert drift.slope == pytest.approx(slope)
    # t(3) at 0.975 is 3.182446.
    assert drift.high - drift.slope == pytest.approx(3.182446 * error, rel=1e-6)


def test_one_topic_has_the_usual_error():
    values = [1, 3, 2, 5, 4]
    drift = drift_of(timed(values, topics=["T1"] * 5, systems=list("abcde")))
    # lm(y ~ x): slope 0.8, standard error 0.3464; t(3) at 0.975 is 3.182446.
    assert drift.slope == pytest.approx(0.8)
    assert drift.high - drift.slope == pytest.approx(3.182446 * 0.3464102, rel=1e-6)


@pytest.mark.parametrize(
    ("values", "times", "why"),
    [
        ([1, 2, 3], ["", "", ""], "no judgment has a time"),
        ([1, 2, 3], ["1", "2", ""], "fewer than three judgments have a time"),
        ([1, 2, 3], ["1", "1", "1"], "all were made at one time"),
    ],
)
def test_why_there_is_no_drift(values, times, why):
    drift = drift_of(timed(values, times=times))
    assert np.isnan(drift.slope)
    assert drift.undefined == why


def test_times_of_two_kinds():
    with pytest.raises(InputError, match="dates and numbers, such as 2011-08-01 and 1"):
        drift_of(timed([1, 2], times=["2011-08-01", "1"]))


# Several assessors of the same summaries


def agreement(year, **options):
    return of(study(year, **options).agreement)


def test_gold_alpha_of_several_assessors():
    case = KRIPPENDORFF["coders_missing"]
    rows = [
        (f"T{n}", "7", f"coder{coder}", value)
        for coder, values in enumerate(case["inputs"]["coders_by_units"])
        for n, value in enumerate(values)
        if value is not None
    ]
    for level, expected in case["outputs"].items():
        panel_agreement = agreement(judged(rows), level=level)
        assert panel_agreement.alpha == pytest.approx(expected, rel=1e-9)
        assert panel_agreement.items + panel_agreement.alone == 12


def test_pairs_of_assessors():
    values_of = {"K": (1, 2, 3, 3), "L": (1, 3, 3, 5), "M": (2, None, None, 4)}
    rows = [
        (f"T{n}", "7", who, value)
        for who, values in values_of.items()
        for n, value in enumerate(values)
        if value is not None
    ]
    panel_agreement = agreement(judged(rows))
    pairs = {(pair.a, pair.b): pair for pair in panel_agreement.pairs}
    assert [pair.n for pair in pairs.values()] == [4, 2, 2]
    pair, values = pairs["K", "L"], (values_of["K"], values_of["L"])
    assert (pair.equal, pair.difference) == (0.5, -0.75)
    assert pair.kappa == cohen_kappa(*values).value
    assert pair.weighted_kappa == cohen_kappa(*values, weights="quadratic").value
    assert panel_agreement.mean("equal") == pytest.approx((0.5 + 0 + 0) / 3)
    table = np.array(
        [[np.nan if v is None else v for v in values] for values in values_of.values()]
    )
    assert panel_agreement.alpha == krippendorff_alpha(table, level="ordinal").value


def test_occasions_are_averaged_and_units_are_not():
    row = Judgment("T1", "7", "readability", 2.0, assessor="K")
    rows = [
        replace(row, occasion="1"),
        replace(row, occasion="2", value=4.0),
        replace(row, assessor="L", value=3.0),
        replace(row, unit="u", value=1.0),
    ]
    panel_agreement = agreement(judged(rows))
    assert (panel_agreement.items, panel_agreement.alone, panel_agreement.pairs[0].equal) == (
        1,
        1,
        1.0,
    )


def test_nobody_shared_anything():
    panel_agreement = agreement(tac_year())
    assert (panel_agreement.items, panel_agreement.pairs) == (0, ())
    assert panel_agreement.undefined == "no two assessors judged the same"


def test_many_values_have_no_kappa():
    rows = [(f"T{n}", "7", who, n + 0.1) for n in range(20) for who in "KL"]
    panel_agreement = agreement(judged(rows))
    assert np.isnan(panel_agreement.pairs[0].kappa)
    assert np.isnan(panel_agreement.mean("kappa"))
    assert panel_agreement.pairs[0].equal == panel_agreement.alpha == 1.0


def test_constant_judgments_agree():
    rows = [(f"T{n}", "7", who, 4) for n in range(3) for who in "KL"]
    panel_agreement = agreement(judged(rows))
    assert (panel_agreement.alpha, panel_agreement.unanimous, panel_agreement.pairs[0].kappa) == (
        1.0,
        True,
        1.0,
    )
    assert np.isnan(panel_agreement.pairs[0].correlation)


@pytest.mark.long
def test_summeval_experts_agree_more_than_chance():
    data = shared_collection("data/summeval.jsonl.gz")
    results = study(data, measures="expert-coherence").agreement
    panel_agreement = of(results, "summeval", "expert-coherence")
    assert (panel_agreement.items, len(panel_agreement.pairs)) == (1600, 3)
    assert 0.4 < panel_agreement.alpha < 0.7


# Manual minus automatic


@pytest.fixture(scope="module")
def annotated():
    demo = load_demo()
    topics = tuple(replace(t, assessor="KL"[n % 2]) for n, t in enumerate(demo.topics))
    return replace(demo, topics=topics)


def test_annotated_pyramids_give_both_scores(annotated, tmp_path):
    annotated.save(tmp_path / "demo")
    expected = auto(tmp_path / "demo", match=True).values
    results = study(annotated, measures=MANUAL)
    assert results.manual == MANUAL
    by_topic = {(t.task, t.topic): t.difference for t in results.topics}
    for record in expected:
        row = next(d for d in results.differences if d.assessor == record["assessor"])
        assert row.topics == len(record["topics"])
        assert row.difference == pytest.approx(record["difference"])
        for topic in record["topics"]:
            assert by_topic[topic["task"], topic["topic"]] == pytest.approx(topic["difference"])


def test_given_manual_scores_are_kept(annotated):
    row = Judgment("P01", "A", MANUAL, 0.7, task="A", kind="human", assessor="K")
    more = type(annotated.scores).from_judgments([row])
    scores = type(annotated.scores).concatenate([annotated.scores, more])
    results = study(replace(annotated, scores=scores), measures=MANUAL, task="A")
    manual = [row for row in results.panel.judgments if row.topic == "P01"]
    assert [(row.system, row.value) for row in manual] == [("A", 0.7)]
    assert AUTOMATIC in results.panel.metrics.measures
    assert {row.task for row in results.panel.judgments} == {"A"}


def test_without_pyramids_there_are_no_differences():
    assert (study(tac_year()).manual, study(tac_year()).differences) == ("", ())


def test_differences_of_measures_by_hand():
    rows = [
        *(Judgment("T1", s, MANUAL, v, assessor="K") for s, v in (("7", 0.5), ("8", 0.25))),
        *(Judgment("T2", s, MANUAL, v, assessor="K") for s, v in (("7", 0.5), ("9", 0.9))),
        *(Judgment("T1", s, "auto", v) for s, v in (("7", 0.25), ("8", 0.5))),
        Judgment("T2", "7", "auto", 0.1),
        Judgment("T3", "7", "auto", 0.1),
    ]
    results = study(judged(rows), manual=MANUAL, automatic="auto")
    assert [(t.topic, t.n, t.difference) for t in results.topics] == [
        ("T1", 2, 0.0),
        ("T2", 1, pytest.approx(0.4)),
    ]
    (row,) = results.differences
    assert (row.topics, row.summaries, row.difference) == (2, 3, pytest.approx(0.2))
    # t(1) at 0.975 is 12.7062; the standard error of 0 and 0.4 is 0.2.
    assert row.high - row.difference == pytest.approx(12.7062 * 0.2, rel=1e-4)


def test_differences_have_a_table_and_a_picture_for_one_assessor_too():
    rows = [
        *(Judgment("T1", s, MANUAL, v, assessor="K") for s, v in (("7", 0.5), ("8", 0.25))),
        *(Judgment("T1", s, "auto", v) for s, v in (("7", 0.25), ("8", 0.25))),
    ]
    result = assessors(judged(rows), manual=MANUAL, automatic="auto", n_resamples=20)
    [table] = [table for table in result.tables if table.name == "differences"]
    scores = ("manual", "automatic", "manual - automatic")
    assert table.columns == ("assessor", "topics", "summaries", *scores, "low", "high")
    assert table.rows[0][:6] == ("K", 1, 2, 0.375, 0.25, 0.125)
    assert "K (1)" in result.plot().to_svg()


def test_one_topic_has_no_interval_of_the_difference():
    rows = [Judgment("T1", "7", MANUAL, 0.5, assessor="K"), Judgment("T1", "7", "auto", 0.5)]
    results = study(judged(rows), manual=MANUAL, automatic="auto")
    assert np.isnan(results.differences[0].low)


def test_measures_that_are_not_there():
    rows = [Judgment("T1", "7", MANUAL, 0.5, assessor="K"), Judgment("T2", "7", "auto", 0.5)]
    with pytest.raises(NotFoundError, match="there is no measure 'pyramid-match'"):
        study(judged(rows), manual=MANUAL, automatic=AUTOMATIC)
    with pytest.raises(InputError, match="no summary has both pyramid-modified and auto"):
        study(judged(rows), manual=MANUAL, automatic="auto")


# Everything together


def test_missing_statistics_are_reported():
    results = study(judged([("T1", "7", "K", 4)], name="one"))
    assert results.left_out == (
        "one: no summaries, so identical ones cannot be found",
        "one, readability: no severity, only one assessor, so there is nobody to compare with",
    )
    assert (results.manual, results.differences) == ("", ())


def test_what_cannot_be_read_or_compared_is_counted():
    row = Judgment("T1", "7", "readability", 4.0, assessor="K", time="soon")
    year = judged(
        [row, replace(row, assessor="L", time="inf")], summaries=[Summary("T1", "7", "...")]
    )
    left_out = study(year).left_out
    assert "2011: 1 summaries without a word, which are not compared" in left_out
    assert "2 times of judgments that are neither dates nor numbers" in left_out


def test_no_identical_pairs_is_said():
    left_out = study(load_demo()).left_out
    assert any(
        line.endswith("48 summaries is identical to another of its topic") for line in left_out
    )


def test_years_of_different_scales_are_said():
    years = [tac_year("2010", topics=4), tac_year("2011", topics=4)]
    years[1] = replace(years[1], scales={})
    left_out = study(*years).left_out
    # Without a scale of its own a measure has its usual one, which is the same here.
    assert left_out == ()
    years[1] = replace(
        years[1],
        scales=dict.fromkeys(MEASURES, replace(next(iter(years[0].scales.values())), high=10)),
    )
    left_out = study(*years).left_out
    assert "readability: the years have different scales and are not pooled" in left_out


@pytest.mark.parametrize("options", [{"confidence_level": 1.0}, {"n_resamples": 0}])
def test_impossible_options(options):
    with pytest.raises(InputError):
        assessors(load_demo(), **options)


def test_effects_are_those_of_the_model_of_topic_means():
    year = tac_year(seed=4)
    model = of(study(year).severity, measure="responsiveness")
    topics = {topic.id: topic for topic in year.topics}
    rows = year.scores.select(measure="responsiveness")
    means = {topic: np.mean([row.value for row in rows if row.topic == topic]) for topic in topics}
    expected = two_way_anova(
        list(means.values()),
        [topics[topic].assessor for topic in means],
        [topics[topic].category for topic in means],
    )
    assert [row.effect for row in model.assessors] == pytest.approx(expected.first.effects.tolist())
