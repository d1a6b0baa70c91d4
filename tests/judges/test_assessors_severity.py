"""How severe assessors are, whether that changes, and how far they agree."""

import json
from dataclasses import replace

import numpy as np
import pytest

from judges.assessor_samples import MEASURES, judged, renamed, tac_year
from pyramidion.collection import Judgment, Summary, Topic
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError
from pyramidion.judges._consistency import panel_agreement
from pyramidion.judges._panel import StudyOptions, gather_panel
from pyramidion.judges._severity import (
    AUTOMATIC,
    MANUAL,
    annotated_scores,
    assessor_differences,
    assessor_drift,
    assessor_severity,
    topic_differences,
)
from pyramidion.judges._study import study_assessors
from pyramidion.pyramid import auto
from pyramidion.stats import cohen_kappa, krippendorff_alpha, two_way_anova
from support import GOLD, shared_collection

ANOVA = json.loads((GOLD / "stats" / "anova.json").read_text())["cases"]["assessor_category"]
KRIPPENDORFF = json.loads((GOLD / "stats" / "krippendorff.json").read_text())["cases"]


# Severity


def test_gold_of_assessors_and_categories():
    """The layout of the dissertation's Table 3.1; R's effects, F and p."""
    given, expected = ANOVA["inputs"], ANOVA["outputs"]
    rows = [
        (f"T{n}", "7", assessor, value)
        for n, (assessor, value) in enumerate(zip(given["assessor"], given["y"], strict=True))
    ]
    topics = [Topic(f"T{n}", category=str(c)) for n, c in enumerate(given["category"])]
    model = assessor_severity(gather_panel([judged(rows, topics=topics)]), "2011", "readability")
    assert (model.beside, len(model.assessors)) == ("category", 8)
    assert [own.effect for own in model.assessors] == pytest.approx(expected["assessor_effects"])
    assert sum(own.effect for own in model.assessors) == pytest.approx(0, abs=1e-12)
    assert model.f == pytest.approx(expected["F"][0])
    assert model.p == pytest.approx(expected["p"][0])


def test_intervals_are_those_of_least_squares():
    rng = np.random.default_rng(0)
    labels = list("AABBBCCC"), [1, 2, 1, 2, 2, 1, 1, 2]
    y = rng.normal(3, 1, 8)
    rows = [(f"T{n}", "7", a, v) for n, (a, v) in enumerate(zip(labels[0], y, strict=True))]
    topics = [Topic(f"T{n}", category=str(c)) for n, c in enumerate(labels[1])]
    panel = gather_panel([judged(rows, topics=topics)])
    model = assessor_severity(panel, "2011", "readability", StudyOptions(confidence_level=0.9))
    # Sum-to-zero coding; the last effect is minus the sum of the others.
    codes = {"A": (1, 0), "B": (0, 1), "C": (-1, -1)}
    design = np.array([[1, *codes[a], 1 if c == 1 else -1] for a, c in zip(*labels, strict=True)])
    coefficients, rest, *_ = np.linalg.lstsq(design, y, rcond=None)
    covariance = rest[0] / 4 * np.linalg.inv(design.T @ design)
    effects = coefficients[[1, 2]]
    assert [own.effect for own in model.assessors] == pytest.approx([*effects, -effects.sum()])
    # t(4) at 0.95 is 2.131847.
    half = 2.131847 * np.sqrt(np.diag(covariance)[[1, 2]])
    assert [own.high - own.effect for own in model.assessors][:2] == pytest.approx(half, rel=1e-6)


def test_a_topic_counts_once_however_many_summaries_it_has():
    rows = [
        *(("T1", s, "K", v) for s, v in zip("789", (1, 2, 3), strict=True)),
        *(("T2", s, "L", v) for s, v in zip("789", (5, 5, 5), strict=True)),
        ("T3", "7", "L", 3),
    ]
    panel = gather_panel([judged(rows)])
    model = assessor_severity(panel, "2011", "readability", StudyOptions(beside="nothing"))
    assert [(own.topics, own.mean, own.effect) for own in model.assessors] == [
        (1, 2.0, -1.0),
        (2, 4.0, 1.0),
    ]


def test_assessors_who_share_topics_are_compared_on_them():
    rows = [
        ("T1", "7", "K", 1), ("T1", "7", "L", 2), ("T2", "7", "K", 3), ("T2", "7", "L", 5),
        ("T3", "7", "L", 5),
    ]  # fmt: skip
    model = assessor_severity(gather_panel([judged(rows)]), "2011", "readability")
    assert model.beside == "topic"
    # L is 1 and 2 higher than K on the topics that both judged.
    assert [own.effect for own in model.assessors] == pytest.approx([-0.75, 0.75])


def test_one_assessor_has_no_severity():
    model = assessor_severity(gather_panel([judged([("T1", "7", "K", 1)])]), "2011", "readability")
    assert (model.assessors, model.undefined) == (
        (),
        "only one assessor, so nobody to compare with",
    )


def test_assessors_who_share_no_category():
    topics = [Topic("T1", category="1"), Topic("T2", category="2")]
    panel = gather_panel([judged([("T1", "7", "K", 1), ("T2", "7", "L", 2)], topics=topics)])
    model = assessor_severity(panel, "2011", "readability")
    assert "share no level" in model.undefined
    assert not model.assessors
    assert assessor_severity(panel, "2011", "readability", StudyOptions(beside="nothing")).assessors


def test_constant_judgments_have_no_effects():
    rows = [(f"T{n}", "7", "KL"[n % 2], 4) for n in range(6)]
    model = assessor_severity(gather_panel([judged(rows)]), "2011", "readability")
    assert [own.effect for own in model.assessors] == [0, 0]
    assert np.isnan(model.assessors[0].p)
    assert model.undefined == "the model leaves no residuals"


def test_unknown_second_factor():
    with pytest.raises(InputError, match="beside is 'task'; choose one of category, topic"):
        StudyOptions(beside="task")


def test_severe_assessors_are_found_also_over_years():
    options = {"severity": (-1.0, 0.0, 0.0, 1.0), "noise": (0.2,) * 4, "topics": 20}
    panel = gather_panel([tac_year(str(y), seed=y, **options) for y in (2010, 2011)])
    for collection in ("2010", "2011", None):
        model = assessor_severity(panel, collection, "readability")
        effects = {own.assessor: own.effect for own in model.assessors}
        assert effects["A"] < min(effects["B"], effects["C"])
        assert effects["D"] > max(effects["B"], effects["C"])
        assert model.p < 0.05


def test_relabelling_assessors_relabels_their_severity():
    year = tac_year(seed=2)
    other = renamed(year, assessors=dict(zip("ABCD", "DCBA", strict=True)), order=5)
    one, two = (
        {
            own.assessor: own
            for own in assessor_severity(gather_panel([which]), "2011", "readability").assessors
        }
        for which in (year, other)
    )
    for name, turned in zip("ABCD", "DCBA", strict=True):
        assert one[name].effect == pytest.approx(two[turned].effect)
        assert one[name].low == pytest.approx(two[turned].low)


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
    return gather_panel([judged(rows)])


def drift_of(panel):
    return assessor_drift(panel, "2011", "readability", "K")


def test_drift_by_hand():
    panel = timed([5, 4.5, 4, 3.5], times=["2011-08-01", "2011-08-02", "2011-08-03", "2011-08-04"])
    found = drift_of(panel)
    assert found.slope == pytest.approx(-0.5)
    assert (found.unit, found.n, found.span, found.topics) == ("day", 4, 3.0, 4)


def test_drift_is_told_within_systems():
    # The better system comes later; each gets the same twice.
    values, systems = [1, 1, 1, 5, 5, 5], list("777888")
    assert drift_of(timed(values, systems=systems)).slope == pytest.approx(0)
    # Each judged once: nothing is left within systems.
    found = drift_of(timed([1, 2, 3], systems=list("789")))
    assert (found.slope, found.within_systems) == (pytest.approx(1), False)


def test_the_error_of_a_slope_is_the_jackknife_over_topics():
    rng = np.random.default_rng(1)
    times, topics = np.arange(12.0), [f"T{n // 3}" for n in range(12)]
    values = 3 - 0.1 * times + rng.normal(0, 0.3, 12)
    found = drift_of(timed(values, topics=topics, times=times.tolist()))
    slopes = []
    for topic in sorted(set(topics)):
        kept = np.array([own != topic for own in topics])
        slopes.append(np.polyfit(times[kept], values[kept], 1)[0])
    slope = np.polyfit(times, values, 1)[0]
    error = np.sqrt(3 / 4 * np.sum((np.array(slopes) - slope) ** 2))
    assert found.slope == pytest.approx(slope)
    # t(3) at 0.975 is 3.182446.
    assert found.high - found.slope == pytest.approx(3.182446 * error, rel=1e-6)


def test_one_topic_has_the_usual_error():
    values = [1, 3, 2, 5, 4]
    found = drift_of(timed(values, topics=["T1"] * 5, systems=list("abcde")))
    # lm(y ~ x): slope 0.8, standard error 0.3464; t(3) at 0.975 is 3.182446.
    assert found.slope == pytest.approx(0.8)
    assert found.high - found.slope == pytest.approx(3.182446 * 0.3464102, rel=1e-6)


@pytest.mark.parametrize(
    ("values", "times", "why"),
    [
        ([1, 2, 3], ["", "", ""], "no judgment carries a time"),
        ([1, 2, 3], ["1", "2", ""], "fewer than three judgments carry a time"),
        ([1, 2, 3], ["1", "1", "1"], "all were made at one time"),
    ],
)
def test_why_there_is_no_drift(values, times, why):
    found = drift_of(timed(values, times=times))
    assert np.isnan(found.slope)
    assert found.undefined == why


def test_times_of_two_kinds():
    with pytest.raises(InputError, match="dates and numbers, such as 2011-08-01 and 1"):
        drift_of(timed([1, 2], times=["2011-08-01", "1"]))


# Several assessors of the same


def test_gold_alpha_of_several_assessors():
    case = KRIPPENDORFF["coders_missing"]
    rows = [
        (f"T{n}", "7", f"coder{coder}", value)
        for coder, values in enumerate(case["inputs"]["coders_by_units"])
        for n, value in enumerate(values)
        if value is not None
    ]
    panel = gather_panel([judged(rows)])
    for level, expected in case["outputs"].items():
        found = panel_agreement(panel, "2011", "readability", level=level)
        assert found.alpha == pytest.approx(expected, rel=1e-9)
        assert found.items + found.alone == 12


def test_pairs_of_assessors():
    given = {"K": (1, 2, 3, 3), "L": (1, 3, 3, 5), "M": (2, None, None, 4)}
    rows = [
        (f"T{n}", "7", who, value)
        for who, values in given.items()
        for n, value in enumerate(values)
        if value is not None
    ]
    found = panel_agreement(gather_panel([judged(rows)]), "2011", "readability")
    pairs = {(pair.a, pair.b): pair for pair in found.pairs}
    assert [pair.n for pair in pairs.values()] == [4, 2, 2]
    one = pairs["K", "L"]
    assert (one.equal, one.difference) == (0.5, -0.75)
    assert one.kappa == cohen_kappa(given["K"], given["L"]).value
    assert one.weighted_kappa == cohen_kappa(given["K"], given["L"], weights="quadratic").value
    assert found.mean("equal") == pytest.approx((0.5 + 0 + 0) / 3)
    table = np.array([[np.nan if v is None else v for v in values] for values in given.values()])
    assert found.alpha == krippendorff_alpha(table, level="ordinal").value


def test_occasions_are_averaged_and_units_are_not():
    row = Judgment("T1", "7", "readability", 2.0, assessor="K")
    rows = [
        replace(row, occasion="1"),
        replace(row, occasion="2", value=4.0),
        replace(row, assessor="L", value=3.0),
        replace(row, unit="u", value=1.0),
    ]
    found = panel_agreement(gather_panel([judged(rows)]), "2011", "readability")
    assert (found.items, found.alone, found.pairs[0].equal) == (1, 1, 1.0)


def test_nobody_shared_anything():
    found = panel_agreement(gather_panel([tac_year()]), "2011", "readability")
    assert (found.items, found.pairs) == (0, ())
    assert found.undefined == "no two assessors judged the same"


def test_many_values_have_no_kappa():
    rows = [(f"T{n}", "7", who, n + 0.1) for n in range(20) for who in "KL"]
    found = panel_agreement(gather_panel([judged(rows)]), "2011", "readability")
    assert np.isnan(found.pairs[0].kappa)
    assert np.isnan(found.mean("kappa"))
    assert found.pairs[0].equal == found.alpha == 1.0


def test_constant_judgments_agree():
    rows = [(f"T{n}", "7", who, 4) for n in range(3) for who in "KL"]
    found = panel_agreement(gather_panel([judged(rows)]), "2011", "readability")
    assert (found.alpha, found.unanimous, found.pairs[0].kappa) == (1.0, True, 1.0)
    assert np.isnan(found.pairs[0].correlation)


@pytest.mark.long
def test_summeval_experts_agree_more_than_chance():
    panel = gather_panel([shared_collection("data/summeval.jsonl.gz")])
    found = panel_agreement(panel, "summeval", "expert-coherence")
    assert (found.items, len(found.pairs)) == (1600, 3)
    assert 0.4 < found.alpha < 0.7


# Manual minus automatic


@pytest.fixture(scope="module")
def annotated():
    demo = load_demo()
    topics = tuple(replace(t, assessor="KL"[n % 2]) for n, t in enumerate(demo.topics))
    return replace(demo, topics=topics)


def test_annotated_pyramids_give_both_scores(annotated, tmp_path):
    annotated.save(tmp_path / "demo")
    expected = auto(tmp_path / "demo", match=True).values
    study = study_assessors([annotated], StudyOptions(measures=(MANUAL,), n_resamples=20))
    assert study.manual == MANUAL
    by_topic = {(t.task, t.topic): t.difference for t in study.topics}
    for record in expected:
        own = next(o for o in study.differences if o.assessor == record["assessor"])
        assert own.topics == len(record["topics"])
        assert own.difference == pytest.approx(record["difference"])
        for topic in record["topics"]:
            assert by_topic[topic["task"], topic["topic"]] == pytest.approx(topic["difference"])


def test_given_manual_scores_are_kept(annotated):
    row = Judgment("P01", "A", MANUAL, 0.7, task="A", kind="human", assessor="K")
    more = type(annotated.scores).from_judgments([row])
    scores = type(annotated.scores).concatenate([annotated.scores, more])
    found = annotated_scores(replace(annotated, scores=scores), tasks=["A"])
    assert {r.measure for r in found if r.topic == "P01"} == {AUTOMATIC}
    assert {r.task for r in found} == {"A"}


def test_no_pyramids_and_no_such_task(annotated):
    assert len(annotated_scores(tac_year())) == 0
    assert len(annotated_scores(annotated, tasks=["Z"])) == 0


def test_differences_of_measures_by_hand():
    rows = [
        *(Judgment("T1", s, MANUAL, v, assessor="K") for s, v in (("7", 0.5), ("8", 0.25))),
        *(Judgment("T2", s, MANUAL, v, assessor="K") for s, v in (("7", 0.5), ("9", 0.9))),
        *(Judgment("T1", s, "auto", v) for s, v in (("7", 0.25), ("8", 0.5))),
        Judgment("T2", "7", "auto", 0.1),
        Judgment("T3", "7", "auto", 0.1),
    ]
    panel = gather_panel([judged(rows)])
    topics = topic_differences(panel, MANUAL, "auto")
    assert [(t.topic, t.n, t.difference) for t in topics] == [
        ("T1", 2, 0.0),
        ("T2", 1, pytest.approx(0.4)),
    ]
    (own,) = assessor_differences(topics)
    assert (own.topics, own.summaries, own.difference) == (2, 3, pytest.approx(0.2))
    # t(1) at 0.975 is 12.7062; the standard error of 0 and 0.4 is 0.2.
    assert own.high - own.difference == pytest.approx(12.7062 * 0.2, rel=1e-4)


def test_one_topic_has_no_interval_of_the_difference():
    rows = [Judgment("T1", "7", MANUAL, 0.5, assessor="K"), Judgment("T1", "7", "auto", 0.5)]
    found = topic_differences(gather_panel([judged(rows)]), MANUAL, "auto")
    assert np.isnan(assessor_differences(found)[0].low)


def test_measures_that_are_not_there():
    rows = [Judgment("T1", "7", MANUAL, 0.5, assessor="K"), Judgment("T2", "7", "auto", 0.5)]
    panel = gather_panel([judged(rows)])
    with pytest.raises(NotFoundError, match="there is no measure 'pyramid-match'"):
        topic_differences(panel, MANUAL, AUTOMATIC)
    with pytest.raises(InputError, match="no summary has both pyramid-modified and auto"):
        topic_differences(panel, MANUAL, "auto")


# Everything together


def test_what_is_not_known_is_said():
    study = study_assessors([judged([("T1", "7", "K", 4)], name="one")])
    assert study.left_out == (
        "one: no summaries, so that identical ones cannot be found",
        "one, readability: no severity, only one assessor, so nobody to compare with",
    )
    assert (study.manual, study.differences) == ("", ())


def test_what_cannot_be_read_or_compared_is_counted():
    row = Judgment("T1", "7", "readability", 4.0, assessor="K", time="soon")
    year = judged([row, replace(row, assessor="L")], summaries=[Summary("T1", "7", "...")])
    left_out = study_assessors([year]).left_out
    assert "2011: 1 summaries without a word, which are not compared" in left_out
    assert "2 times of judgments that are neither dates nor numbers" in left_out


def test_no_identical_pairs_is_said():
    left_out = study_assessors([load_demo()]).left_out
    assert any(
        line.endswith("48 summaries is identical to another of its topic") for line in left_out
    )


def test_years_of_different_scales_are_said():
    years = [tac_year("2010", topics=4), tac_year("2011", topics=4)]
    years[1] = replace(years[1], scales={})
    left_out = study_assessors(years, StudyOptions(n_resamples=20)).left_out
    # Without a scale of its own a measure has its usual one, which is the same here.
    assert left_out == ()
    years[1] = replace(
        years[1],
        scales=dict.fromkeys(MEASURES, replace(next(iter(years[0].scales.values())), high=10)),
    )
    left_out = study_assessors(years, StudyOptions(n_resamples=20)).left_out
    assert "readability: the years have different scales and are not pooled" in left_out


@pytest.mark.parametrize("asked", [{"confidence_level": 1.0}, {"n_resamples": 0}])
def test_impossible_options(asked):
    with pytest.raises(InputError):
        StudyOptions(**asked)


def test_effects_are_those_of_the_model_of_topic_means():
    year = tac_year(seed=4)
    study = study_assessors([year], StudyOptions(n_resamples=20))
    topics = {topic.id: topic for topic in year.topics}
    rows = year.scores.select(measure="responsiveness")
    means = {topic: np.mean([row.value for row in rows if row.topic == topic]) for topic in topics}
    expected = two_way_anova(
        list(means.values()),
        [topics[topic].assessor for topic in means],
        [topics[topic].category for topic in means],
    )
    found = next(own for own in study.severity if own.measure == "responsiveness")
    assert [own.effect for own in found.assessors] == pytest.approx(expected.first.effects.tolist())
