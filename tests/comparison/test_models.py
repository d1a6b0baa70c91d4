"""Systems compared by mixed models: gold of R, random effects, runs, and data without a fit."""

import json
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import compare, report
from pyramidion.errors import DataNote, InputError
from pyramidion.questions import Progress
from pyramidion.stats import adjust_p
from rendering.figures.reading import texts
from support import GOLD

# R 4.2.2, lme4 1.1.31 lmer and ordinal 2022.11.16 clmm.
CASES = json.loads((GOLD / "stats" / "mixed_models.json").read_text(encoding="utf-8"))["cases"]


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", DataNote)  # some cases lack scores on purpose
        yield


def frame(name):
    return pd.DataFrame(CASES[name]["data"]).rename(columns={"y": "value", "o": "value"})


def made_up(seed=0, *, cell=0.0, taste=0.0, shape=(4, 12, 3)):
    """Make scores of systems, topics and assessors, with effects of cells and of tastes."""
    rng = np.random.default_rng(seed)
    system, topic, assessor = np.indices(shape).reshape(3, -1)
    value = rng.normal(size=shape[1])[topic] + 0.5 * rng.normal(size=len(topic))
    value += cell * rng.normal(size=shape[:2])[system, topic]
    value += taste * rng.normal(size=(shape[0], shape[2]))[system, assessor]
    names = {"system": system, "topic": topic, "assessor": assessor}
    return pd.DataFrame(
        {**{k: [f"{k[0]}{i}" for i in v] for k, v in names.items()}, "value": value}
    )


@pytest.mark.parametrize("name", ["crossed_complete", "crossed_missing", "runs"])
def test_linear_gold(name):
    expected, result = CASES[name]["result"], compare(frame(name), model="lmm").only
    assert list(result.model.means.values()) == pytest.approx(
        [*expected["fixed"].values()], abs=1e-4
    )
    errors = list(result.model.standard_errors.values())
    assert errors == pytest.approx([*expected["se"].values()], abs=1e-4)
    assert result.model.log_likelihood == pytest.approx(expected["reml_loglik"], abs=1e-4)
    variances = {**expected["variance"], "residual": expected["variance"]["Residual"]}
    variances["run"] = variances.get("sr")
    assert result.model.variances == pytest.approx(
        {key: variances[key] for key in result.model.variances}, rel=1e-3
    )
    assert {s.system: s.adjusted for s in result.systems} == result.model.means
    assert [s.adjusted for s in result.systems] == sorted(result.model.means.values(), reverse=True)


@pytest.mark.parametrize("name", ["ordinal_topic", "ordinal_crossed"])
def test_ordinal_gold(name):
    expected = CASES[name]["result"]
    result = compare(frame(name), model="ordinal", random=list(expected["sd"])).only
    assert result.model.thresholds == pytest.approx(expected["thresholds"], abs=1e-4)
    effects, errors = (
        {f"system{key}": value for key, value in values.items() if key != "s01"}
        for values in (result.model.effects, result.model.effect_errors)
    )
    assert effects == pytest.approx(expected["effects"], abs=1e-4)
    assert errors == pytest.approx(expected["se"], abs=1e-4)
    assert result.model.log_likelihood == pytest.approx(expected["loglik"], abs=1e-4)
    variances = {key: value**2 for key, value in expected["sd"].items()}
    assert result.model.variances == pytest.approx(variances, rel=1e-3)


def test_pairs_letters_and_correction():
    result = compare(frame("runs"), model="lmm")
    assert [(s.system, s.group) for s in result.systems] == [
        ("s04", "a"), ("s03", "a"), ("s02", "b"), ("s01", "b"),
    ]  # fmt: skip
    assert result.correction == "mvt"
    pair = next(pair for pair in result.comparisons if (pair.a, pair.b) == ("s03", "s01"))
    # From the gold: the variance of a difference is 2 (0.04903 / 4 + 0.45523 / 60).
    assert pair.statistic == pytest.approx(1.001305 / 0.199224, rel=1e-4)
    holm = compare(frame("runs"), model="lmm", correction="holm")
    assert holm.correction == "holm"
    assert all(
        h.p_adjusted >= m.p for h, m in zip(holm.comparisons, result.comparisons, strict=True)
    )


def test_lower_is_better_turns_the_ranking():
    result = compare(frame("runs"), model="lmm", lower_is_better="score")
    assert [s.system for s in result.systems] == ["s01", "s02", "s03", "s04"]
    assert result.comparisons[0].difference < 0


def test_a_baseline_and_fewer_systems():
    result = compare(frame("runs"), model="lmm", baseline="s01", exclude="s04")
    assert {(pair.a, pair.b) for pair in result.comparisons} == {("s03", "s01"), ("s02", "s01")}
    assert set(result.only.model.means) == {"s01", "s02", "s03"}


def test_matrices_and_lists_have_topics_only():
    a, b = [3, 5, 4, 6, 5, 4, 5], [1, 4, 2, 3, 3, 3, 1]
    listed = compare(a, b, model="lmm")
    assert listed.only.model.formula == "score ~ 0 + system + (1 | topic)"
    # Two systems on the same topics: the paired t test.
    assert listed.p == pytest.approx(compare(a, b, test="paired-t").p, rel=1e-3)
    matrix = ScoreMatrix(np.column_stack([a, b]), [f"T{n}" for n in range(7)], ["A", "B"])
    assert compare(matrix, model="lmm").p == pytest.approx(listed.p)


@pytest.mark.parametrize(
    ("effects", "name", "message"),
    [
        ({"cell": 1.0}, "system:topic", "Scores of one summary are alike"),
        ({"taste": 1.0}, "system:assessor", "Scores of one system by one assessor are alike"),
    ],
)
@pytest.mark.parametrize("model", ["lmm", "ordinal"])
def test_interactions_that_the_data_show_are_random_effects(model, effects, name, message):
    data = made_up(**effects)
    if model == "ordinal":
        data["value"] = np.digitize(data["value"], [-1.5, -0.5, 0.5, 1.5])
    result = compare(data, model=model)
    assert name in result.only.model.variances
    assert any(note.startswith(message) for note in result.notes)
    plain = compare(data, model=model, random="topic,assessor")
    assert set(plain.only.model.variances) - {"residual"} == {"topic", "assessor"}
    assert "|random:topic+assessor|" in str(plain.signature)
    assert min(p.p for p in plain.comparisons) < min(p.p for p in result.comparisons)


@pytest.mark.parametrize(
    ("model", "seed"), [("lmm", 1), pytest.param("ordinal", 2, marks=pytest.mark.long)]
)
def test_p_values_of_several_models_can_be_had_from_each(model, seed):
    data = made_up(seed, cell=0.15)
    if model == "ordinal":
        data["value"] = np.digitize(data["value"], [-1.5, -0.5, 0.5, 1.5])
    result = compare(data, model=model)
    message = next(
        note for note in result.notes if note.startswith("P-values are the largest of 3")
    )
    flags = [f"--random topic,assessor{more}" for more in ("", ",system:topic", ",system:assessor")]
    assert all(f"({option})" in message for option in flags)
    assert "perhaps" not in message
    alone = [compare(data, model=model, random=option.split()[1]) for option in flags]
    by_formula = {single.only.model.formula: single for single in alone}
    for number, pair in enumerate(result.comparisons):
        formula = result.only.model.pair_formulas[number]
        assert formula in message or formula in result.notes[0]
        places = [{(p.a, p.b): p for p in single.comparisons} for single in alone]
        assert pair.p == pytest.approx(max(p[pair.a, pair.b].p for p in places), rel=1e-6)
        same = {(p.a, p.b): p for p in by_formula[formula].comparisons}[pair.a, pair.b]
        for name in ("difference", "statistic", "p", "p_adjusted", "effect"):
            assert getattr(pair, name) == pytest.approx(getattr(same, name), rel=1e-6)
        error = result.only.model.pair_errors[number]
        assert pair.statistic == pytest.approx(pair.difference / error, rel=1e-9)


def test_the_interval_of_a_pair_is_the_models():
    rng = np.random.default_rng(1)
    a, b = rng.integers(1, 6, size=(2, 12)).tolist()
    result = compare(a, b, model="ordinal")
    (low, high), (error,) = result.interval, result.only.model.pair_errors
    assert (low + high) / 2 == pytest.approx(result.difference)
    assert 2 < (high - low) / 2 / error < 2.5  # t with few degrees of freedom
    a, b = [3, 5, 4, 6, 5, 4, 5], [1, 4, 2, 3, 3, 3, 1]
    linear = compare(a, b, model="lmm")
    assert linear.interval == pytest.approx(compare(a, b, test="paired-t").interval, rel=1e-3)


def test_interactions_that_the_data_do_not_show_are_not():
    assert set(compare(made_up(), model="lmm").only.model.variances) == {
        "topic", "assessor", "residual",
    }  # fmt: skip


def test_clusters_of_topics_are_random_effects():
    rng = np.random.default_rng(2)
    topics = [f"t{number:02}" for number in range(30)]
    values = rng.normal(size=(30, 3)) + 2 * np.repeat(rng.normal(size=(6, 3)), 5, axis=0)
    matrix = ScoreMatrix(
        values, topics, list("ABC"), clusters=[t[1] + "x" * (t[2] > "4") for t in topics]
    )
    result = compare(matrix, model="lmm")
    assert {"cluster", "system:cluster"} < set(result.only.model.variances)
    # Six clusters of three systems: 18 levels less 3, however many topics there are.
    alone = compare(replace(matrix, clusters=()), model="lmm")
    assert min(p.p for p in result.comparisons) > min(p.p for p in alone.comparisons)
    assert (result.only.clusters, alone.only.clusters) == (6, 0)
    # To name other random effects does not make topics of one cluster independent.
    named = compare(matrix, model="lmm", random="topic")
    assert {"cluster", "system:cluster"} < set(named.only.model.variances)
    assert min(p.p for p in named.comparisons) > min(p.p for p in alone.comparisons)
    page = report(matrix, model="lmm", random="topic").to_html()
    assert "6 clusters: clusters and their interactions with systems are random effects" in page


def test_runs_are_averaged_and_their_variance_is_reported():
    result = compare(frame("runs"))
    # The variance of gold: 0.0490 of 1.0892.
    assert result.notes[0].startswith(
        "The 4 runs of each system were averaged. The variance between runs is 0.049, 5% of"
    )
    single_run = frame("runs").query("run == 1")
    assert (
        compare(single_run).notes[0]
        == "Each system has one run, so how much runs differ is unknown."
    )
    without = compare(single_run.drop(columns="run"))
    assert not any("run" in note for note in without.notes)
    assert [s.mean for s in without.systems] == [s.mean for s in compare(single_run).systems]


def test_conclusions_are_about_runs_that_were_averaged():
    assert compare(frame("runs")).conclusion.startswith("For these runs: ")
    single_run = compare(frame("runs").query("run == 1"))
    model = compare(frame("runs"), model="lmm")
    assert "for these runs" not in f"{single_run.conclusion} {model.conclusion}".lower()
    assert '"runs":' not in single_run.to_json()


def test_assessors_who_were_averaged_are_reported():
    scores = frame("runs").query("run == 1").drop(columns="run")
    judged = pd.concat([scores.assign(assessor=name) for name in "KLM"])
    note = "Scores are means over up to 3 assessors; results hold for these assessors. The models"
    assert any(message.startswith(note) for message in compare(judged).notes)
    for alone in (scores, scores.assign(assessor="K")):
        assert "assessors" not in " ".join(compare(alone).notes)


def test_runs_of_single_scores_say_nothing_of_their_variance():
    data = made_up(shape=(3, 8, 1)).drop(columns="assessor")
    note = "Each score has its own run, so how much runs differ is unknown."
    assert compare(data.assign(run=data["topic"])).notes[0] == note


def test_pages_and_records_say_which_model():
    page = report(frame("crossed_missing"), model="lmm").to_html()
    assert "linear mixed model" in page
    assert "Journal of Statistical Software" in page
    assert "were averaged" not in page
    record = compare(frame("crossed_missing"), model="lmm").to_dict()
    assert "(1 | assessor)" in json.dumps(record)
    assert '"model"' not in json.dumps(compare(frame("crossed_missing")).to_dict())


def test_ranking_charts_of_ordinal_models_show_log_odds():
    charts = compare(frame("ordinal_crossed"), model="ordinal").charts
    chart_figure = next(chart for chart in charts if chart.kind == "ranking").draw()
    assert "log odds of score ↑" in texts(chart_figure)


def test_differences_and_margins_of_ordinal_models_are_said_to_be_log_odds():
    rng = np.random.default_rng(1)
    a, b = rng.integers(1, 6, size=(2, 60)).tolist()
    result = compare(a, b, model="ordinal", margin=1.5)
    assert f"by {abs(result.difference):.4g} log odds" in result.conclusion
    assert "equivalent within 1.5 log odds" in result.conclusion
    assert "on average" not in str(result)
    assert "The margin of 1.5 is also in log odds, odds that differ by a factor of 4.48." in (
        result.notes
    )
    _, ranking, pairs = result.tables
    assert "adjusted mean (log odds) ↑" in ranking.columns
    assert {"difference (log odds)", "verdict"} < set(pairs.columns)
    assert pairs.rows[0][-2] == "equivalent within 1.5 log odds"
    assert "difference" in pairs.to_records()[0]  # as programs know it
    page = report(a, b, model="ordinal", margin=1.5).to_html()
    assert "within 1.5 log odds (Schuirmann 1987)" in page
    linear = compare(a, b, model="lmm", margin=1.5)
    assert "log odds" not in str(linear)


@pytest.mark.parametrize("steps", [(0, 0, 0, 0), (0, 1, 2, 2)], ids=["all alike", "by system"])
@pytest.mark.parametrize("by_topic", [0, 1], ids=["constant", "sums"])
def test_scores_without_residuals_are_tested_by_permutation(steps, by_topic):
    data = made_up()
    system, topic = (data[name].str[1:].astype(int) for name in ("system", "topic"))
    data["value"] = 3 + np.array(steps)[system] + by_topic * topic
    result, permuted = compare(data, model="lmm"), compare(data)
    assert str(result.comparisons) == str(permuted.comparisons)
    assert result.only.test == "permutation"
    assert result.notes[0].endswith("tested by the linear model; this is the permutation test.")
    assert result.conclusion == permuted.conclusion


@pytest.mark.parametrize("model", ["lmm", "ordinal"])
def test_named_effects_without_one_that_the_data_show_are_reported(model):
    data = made_up(cell=1.0)
    if model == "ordinal":
        data["value"] = np.digitize(data["value"], [-1.5, -0.5, 0.5, 1.5])
    without = compare(data, model=model, random="topic,assessor")
    message = "which --random omits, so p-values are too small; add system:topic"
    assert any(message in note and "% of the variance" in note for note in without.notes)
    every = compare(data, model=model, random="topic,assessor,system:topic")
    assert not any("--random omits" in note for note in every.notes)


def test_systems_that_nothing_tells_from_their_assessors_are_refused():
    data = made_up(shape=(3, 12, 1))
    separate = data.assign(assessor="of " + data["system"])
    with pytest.raises(InputError, match="s0 and s1 were judged by one assessor each"):
        compare(separate, model="lmm")
    named = compare(separate, model="lmm", random="topic")
    assert any("confounded" in note for note in named.notes)
    shared = data.assign(assessor="K")
    assert not any("confounded" in note for note in compare(shared, model="lmm").notes)


def test_systems_judged_almost_only_by_different_assessors_are_compared_within_assessors():
    rng = np.random.default_rng(4)
    data = made_up(shape=(2, 20, 1))
    first = (data["system"] == "s0") ^ (data["topic"] == "t3")
    data["assessor"] = np.where(first, "K", "L")
    data["value"] = rng.normal(size=40) + 1.0 * first
    result = compare(data, model="lmm")
    (formula,) = result.only.model.pair_formulas
    assert formula == "score ~ 0 + system + assessor + (1 | topic)"
    assert any("judged almost only by different assessors" in note for note in result.notes)
    plain = compare(data, model="lmm", random="topic")
    assert plain.comparisons[0].p < 0.05 < result.comparisons[0].p
    assert any("judged almost only by different assessors" in note for note in plain.notes)


def test_shares_of_ordinal_variances_count_the_scale_below():
    result = compare(frame("ordinal_crossed"), model="ordinal", random="topic,assessor")
    topic, assessor = (result.only.model.variances[name] for name in ("topic", "assessor"))
    share = topic / (topic + assessor + np.pi**2 / 3)
    assert f"topic {topic:.4g} ({share:.0%})" in result.notes[1]
    assert "residual 3.29 (" in result.notes[1]


def test_progress_of_models_is_reported_for_each_measure():
    data, seen = made_up(), []
    two = pd.concat([data.assign(measure=name) for name in ("m", "n")])
    progress = Progress(lambda done, total: seen.append(done / total))
    compare(two, model="lmm", progress=progress)
    assert seen == sorted(seen)
    assert (len(set(seen)), seen[-1]) == (6, 1)  # two interactions are tried for each


@pytest.mark.parametrize("correction", ["maxt", "holm", "bh"])
def test_models_of_several_measures_are_corrected_together(correction):
    data = [made_up(seed, taste=0.3).assign(measure=f"m{seed}") for seed in range(3)]
    options = {"model": "lmm", "correction": correction}
    together = compare(pd.concat(data), family="measures", **options)
    apart = compare(pd.concat(data), **options)
    pairs, alone = (
        [p for comparison in results for p in comparison.comparisons]
        for results in (together, apart)
    )
    assert [p.p for p in pairs] == [p.p for p in alone]
    # The multivariate t distribution of one measure knows nothing of another's pairs.
    expected = adjust_p([p.p for p in alone], method="bh" if correction == "bh" else "holm")
    assert [p.p_adjusted for p in pairs] == pytest.approx(expected.tolist())
    assert {comparison.correction for comparison in together} == {
        "bh" if correction == "bh" else "holm"
    }
    assert all("18 pairs of 3 measures" in " ".join(comparison.notes) for comparison in together)


def test_systems_without_a_shared_topic_are_reported():
    data = made_up()
    data["topic"] = data["topic"] + np.where(data["system"] < "s2", "x", "y")
    result = compare(data, model="lmm")
    assert any(note.startswith("Systems that share no topic") for note in result.notes)
    assert {system.part for system in result.systems} == {1}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "lmm", "test": "wilcoxon"}, "cannot go together"),
        ({"random": "topic"}, "only models have random effects"),
        ({"model": "lmm", "random": "run"}, "the scores have no run"),
        ({"model": "ordinal"}, "too many for a scale of judgments"),
    ],
)
def test_refused(options, message):
    with pytest.raises(InputError, match=message):
        compare(made_up(), **options)


def test_separated_judgments_are_refused_in_one_line():
    data = made_up()
    data["value"] = data["system"].str[1].astype(int)
    with pytest.raises(InputError, match=r"separated perfectly.*use a permutation test"):
        compare(data, model="ordinal")
    # That is what helps.
    assert compare(data).counts.significant == 6


def test_one_topic_is_refused_and_one_assessor_is_reported():
    data = made_up()
    with pytest.raises(InputError, match="only one topic"):
        compare(data.query("topic == 't1'"), model="lmm")
    single_assessor = compare(data.query("assessor == 'a1'"), model="lmm")
    assert "Assessor has no random effect: it has only one level." in single_assessor.notes
