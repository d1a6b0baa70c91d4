"""Training on two years: the papers' procedure, its options and what it refuses."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from classy.tac_years import FEW, MEASURES, OTHERS, tac_years
from pyramidion.classy._fits import METHODS, fit_linear
from pyramidion.classy._models import predict_summaries
from pyramidion.classy._table import TrainingData, feature_set, feature_table
from pyramidion.classy._training import (
    VERSIONS,
    Recipe,
    Version,
    choose_versions,
    parse_human_measures,
    plan_training,
    topic_parts,
)
from pyramidion.collection import Collection, Judgment, Scores, Summary
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError, PyramidionError

SMALL = Recipe(without_features=OTHERS)


def train_models(*years, **options):
    return plan_training(*years, **options).run()


def judgments(year, table, measure):
    rows = TrainingData.of(table.summaries)
    return rows.judged(year, table.summaries[0].task, [measure]).target(measure)


@pytest.fixture(scope="module")
def years():
    return tac_years()


@pytest.fixture(scope="module")
def sixteen(years):
    return train_models(*years, recipe=SMALL)


def without(scores, keep):
    return scores.rows(np.array([keep(row) for row in scores], dtype=bool))


def test_sixteen_models(sixteen):
    models = [trained.model for trained in sixteen.models]
    assert [model.name for model in models] == [
        f"classy/{version}/{task}/{peers}"
        for task in "AB"
        for peers in ("all", "no-models")
        for version in ("8", "25", "23", "6")
    ]
    assert sixteen.left_out == ()
    for model in models:
        version = model.name.split("/")[1]
        assert model.target == dict(zip(("8", "25", "23"), MEASURES, strict=True)).get(
            version, "responsiveness"
        )
        assert version != "6" or model.method == "nonneg"
        assert [year["rows"] for year in model.training["years"]] == (
            [36, 36] if model.peers == "all" else [24, 24]
        )


def test_content_of_updates_comes_in_pairs(sixteen):
    for trained in sixteen.models:
        earlier = [c for c in trained.model.columns if "against=earlier" in c]
        own = [c for c in trained.model.columns if c.startswith(("rouge", "bigram"))]
        assert len(own) == (2 if trained.model.task == "B" else 1) * (len(own) - len(earlier))


def test_a_version_has_the_best_of_its_methods(sixteen):
    """25 and 6 have the same target; 25 may use any method, so it is never chosen for less."""
    value = {t.model.name: t.model.training["value"] for t in sixteen.models}
    for task in "AB":
        for peers in ("all", "no-models"):
            ends = f"{task}/{peers}"
            assert value[f"classy/25/{ends}"] >= value[f"classy/6/{ends}"] - 1e-9


def loop(first, second, targets, groups):
    """Do what the papers describe, one subset after the other."""
    best = None
    for size in range(1, len(groups) + 1):
        for subset in combinations(range(len(groups)), size):
            columns = [column for group in subset for column in groups[group]]
            for method in METHODS:
                together = targets if method == "canon" else [t[:, :1] for t in targets]
                fit = fit_linear(method, first[:, columns], together[0])
                predicted = fit.predict(second[:, columns])
                if np.ptp(predicted) < 1e-9:
                    continue
                found = np.corrcoef(predicted, targets[1][:, 0])[0, 1]
                if best is None or found > best[0] + 1e-9:
                    best = (found, size, method, columns)
    value, _, method, columns = best
    together = targets[1] if method == "canon" else targets[1][:, :1]
    return value, method, columns, fit_linear(method, second[:, columns], together)


@pytest.mark.parametrize(("version", "task"), [("8", "A"), ("25", "B"), ("23", "B")])
def test_it_is_the_procedure_of_the_papers(years, sixteen, version, task):
    """Fit on year 1, choose on year 2, refit on year 2 (Rankel 2016, 5.5), in a plain loop."""
    own = {"8": 0, "25": 1, "23": 2}[version]
    order = [MEASURES[own], *(m for m in MEASURES if m != MEASURES[own])]
    groups = [g for g in feature_set("classy", update=task == "B") if g.name in FEW]
    tables = [feature_table(year, task=task, peers="all", groups=groups) for year in years]
    targets = [
        np.column_stack([judgments(year, table, m) for m in order])
        for year, table in zip(years, tables, strict=True)
    ]
    columns = [np.flatnonzero(tables[0].group_of == g).tolist() for g in range(len(groups))]
    value, method, chosen, fit = loop(tables[0].features, tables[1].features, targets, columns)
    model = next(t.model for t in sixteen.models if t.model.name == f"classy/{version}/{task}/all")
    assert model.training["value"] == pytest.approx(value)
    assert model.method == method
    assert model.columns == tuple(tables[0].feature_names[c] for c in chosen)
    assert model.coefficients == pytest.approx(fit.coefficients, rel=1e-6)
    assert model.constant == pytest.approx(fit.intercept)


def test_signs_are_those_of_the_training_data(years, sixteen):
    """Non-negative weights are of features that were turned to rise with the target in year 2."""
    for trained in sixteen.models:
        model = trained.model
        if model.method != "nonneg":
            continue
        prediction = predict_summaries(
            replace(model, coefficients=(1.0,) * len(model.columns)), years[1]
        )
        target = judgments(years[1], prediction, model.target)
        for column, weight in zip(model.columns, model.coefficients, strict=True):
            single = replace(model, columns=(column,), coefficients=(1.0,), constant=0.0)
            rises = np.corrcoef(predict_summaries(single, years[1]).values, target)[0, 1]
            assert weight == 0 or np.sign(weight) == np.sign(rises)


def test_the_signature_tells_what_it_was_trained_on(years, sixteen):
    training = sixteen.models[0].model.training
    assert [year["data"] for year in training["years"]] == [year.data_hash for year in years]
    assert [year["topics"] for year in training["years"]] == [3, 3]
    assert training["value_is"].endswith("optimistic")
    assert training["criterion"], training["level"] == ("pearson", "summary")
    assert training["tried"] == 3 * 15
    assert training["without_features"] == list(OTHERS)
    assert training["pyramidion"]


def test_order_of_summaries_does_not_matter(years, sixteen):
    turned = [replace(year, summaries=year.summaries[::-1]) for year in years]
    again = train_models(*turned, recipe=SMALL, tasks=["A"], peers=["all"])
    for one, other in zip(sixteen.models, again.models, strict=False):
        assert one.model.columns == other.model.columns
        assert one.model.coefficients == pytest.approx(other.model.coefficients, rel=1e-6)


def test_criterion_and_level(years):
    recipe = replace(SMALL, criterion="kendall", level="system", method="robust")
    model = train_models(*years, recipe=recipe, tasks=["A"], peers=["no-models"]).models[0].model
    assert (model.training["criterion"], model.training["level"]) == ("kendall", "system")
    assert model.method == "robust"
    assert 0 < model.training["value"] <= 1


def test_all_versions_are_meant_by_no_label_and_by_all():
    assert choose_versions([]) == choose_versions(["25", "all"]) == VERSIONS
    assert [version.label for version in choose_versions(["25"])] == ["25"]


def test_canon_sees_all_measures_that_every_summary_has(years):
    recipe = replace(SMALL, method="canon")
    options = {"tasks": ["A"], "peers": ["all"], "versions": choose_versions(["25"])}
    whole = train_models(*years, recipe=recipe, **options).models[0].model
    assert set(whole.training["judged_together"]) == set(MEASURES)

    def keep(row):
        return (row.measure, row.system, row.task) != ("readability", "3", "A")

    fewer = replace(years[0], scores=without(years[0].scores, keep))
    part = train_models(fewer, years[1], recipe=recipe, **options).models[0].model
    assert set(part.training["judged_together"]) == {"responsiveness", "pyramid-modified"}


def test_summaries_without_the_target_are_counted(years):
    def keep(row):
        return (row.measure, row.system) != ("responsiveness", "5")

    fewer = replace(years[1], scores=without(years[1].scores, keep), name="second")
    training = train_models(
        years[0], fewer, recipe=SMALL, tasks=["A"], peers=["all"], versions=VERSIONS[3:]
    )
    assert training.left_out == ("second, task A, all: 3 summaries without responsiveness",)
    assert training.models[0].model.training["years"][1]["rows"] == 33


def test_topics_of_assessors_can_be_left_out(years):
    """Chapter 6: train again without the topics of the most inconsistent assessor."""
    judged = [{row.assessor: row.topic for row in year.scores} for year in years]
    assert {*judged[0], *judged[1]} == {"K", "L"}
    recipe = replace(SMALL, without_assessors=("K",))
    model = train_models(*years, recipe=recipe, tasks=["A"], peers=["all"]).models[0].model
    for year, own in zip(years, model.training["years"], strict=True):
        kept = {row.topic for row in year.scores if row.assessor != "K"}
        assert own["topics"] == len(kept)
        assert own["rows"] == 12 * len(kept)
    assert model.training["without_assessors"] == ["K"]


def test_a_topics_own_assessor_counts_too(years):
    topics = tuple(replace(topic, assessor="M") for topic in years[0].topics[:1])
    year = replace(years[0], topics=(*topics, *years[0].topics[1:]))
    peers = [s for s in year.summaries if s.is_peer and s.task == year.summaries[0].task]
    table = TrainingData.of(peers).judged(year, peers[0].task, ["responsiveness"], ["M"])
    assert table.topics[0] == topics[0].id
    assert np.isnan(table.targets[:, 0]).tolist() == (table.topics == topics[0].id).tolist()


@pytest.mark.parametrize("method", ["regularized", "ranking"])
def test_learners_learn_from_both_years(years, method):
    recipe = Recipe(method=method, features="classy")
    trained = train_models(
        *years, recipe=recipe, versions=VERSIONS[:1], tasks=["A"], peers=["no-models"]
    )
    model = trained.models[0].model
    assert model.name == f"{method}/8/A/no-models"
    assert model.training["chosen"] in trained.models[0].choice.values
    assert (model.training["criterion"], model.training["level"]) == ("kendall", "input")
    assert 0 not in model.coefficients
    # Machines are made better by their number.
    prediction = predict_summaries(model, years[1])
    quality = [int(summary.system) for summary in prediction.summaries]
    assert np.corrcoef(prediction.values, quality)[0, 1] > 0.5


def test_nouveau_rouge_and_rose(years):
    nouveau = train_models(*years, recipe=Recipe(features="nouveau"), tasks=["B"], peers=["all"])
    columns = {column for trained in nouveau.models for column in trained.model.columns}
    assert columns <= {
        f"rouge-{variant}-r(stem{against})"
        for variant in ("2", "su4")
        for against in ("", ",against=earlier")
    }
    assert all(len(trained.model.columns) in (2, 4) for trained in nouveau.models)
    assert nouveau.models[0].model.name == "nouveau/8/B/all"
    with pytest.raises(InputError, match="no earlier references to compare with for task A"):
        train_models(*years, recipe=Recipe(features="nouveau"), tasks=["A"], peers=["all"])


def test_the_family_leaves_out_what_is_often_undefined(years):
    short = tuple(
        replace(s, text="Rain fell on the roads of the town.") if s.system == "1" else s
        for s in years[0].summaries
    )
    recipe = Recipe(method="regularized")
    training = train_models(
        replace(years[0], summaries=short),
        years[1],
        recipe=recipe,
        versions=VERSIONS[:1],
        tasks=["A"],
        peers=["no-models"],
    )
    assert any("neighbor-cosine as a feature, undefined" in line for line in training.left_out)
    assert "neighbor-cosine" not in training.models[0].model.columns
    names = [group.name for group in training.models[0].groups]
    assert "js-input" in names
    assert "neighbor-cosine" not in names


def test_what_cannot_be_trained_is_reported():
    years = list(topic_parts(load_demo(), 2))
    plan = plan_training(*years, recipe=Recipe(features="rose"))
    assert plan.count == 6
    assert len(plan.problems) == 10
    assert sum("has no pyramid-modified or pyramid for task" in line for line in plan.problems) == 2
    assert sum("has no summary by a machine" in line for line in plan.problems) == 8


def judged(texts, values, measure="responsiveness"):
    summaries = [Summary("T1", "A", "Rain fell. It rained.", kind="human", role="reference")]
    summaries += [Summary("T1", str(n), text) for n, text in enumerate(texts)]
    judgments = [Judgment("T1", str(n), measure, value) for n, value in enumerate(values)]
    return Collection("mine", summaries=tuple(summaries), scores=Scores.from_judgments(judgments))


def numbered(count):
    rng = np.random.default_rng(count)
    words = ["rain", "fell", "it", "rained", "on", "roads", "that", "closed", "and", "rivers"]
    return [
        " ".join(f"{' '.join(rng.choice(words, 6))}." for _ in range(int(rng.integers(2, 5))))
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (judged(numbered(5), range(5)), "5 of 5 summaries have responsiveness, too few for 13"),
        (judged(numbered(20), [3] * 20), "responsiveness has the same value in all 20 summaries"),
        (judged(numbered(20), range(20), "clarity"), "has no responsiveness; name yours"),
        (judged(["Rain fell."] * 20, range(20)), "in all 20 summaries of .*no feature is left"),
        (judged([], []), "has no summary|no task in common"),
        (
            replace(judged(numbered(20), range(20)), summaries=tuple(
                Summary("T1", str(n), text) for n, text in enumerate(numbered(20)))),
            "has no references to compare with",
        ),
    ],
    ids=["few rows", "equal targets", "no target", "constant", "no summaries", "no references"],
)  # fmt: skip
def test_bad_years_are_refused(first, said):
    second = judged(numbered(30), range(30))
    options = {"versions": VERSIONS[3:], "peers": ["no-models"]}
    for pair in ((first, second), (second, first)):
        with pytest.raises(PyramidionError, match=said):
            train_models(*pair, **options)


def test_a_constant_feature_is_left_out_and_listed():
    first = judged([text.replace(" ", " zebra ") for text in numbered(20)], range(20))
    second = judged(numbered(30), range(30))
    for pair in ((first, second), (second, first)):
        training = train_models(*pair, versions=VERSIONS[3:], peers=["no-models"])
        (trained,) = training.models
        assert "r2" not in {group.name for group in trained.groups}
        (line,) = (line for line in training.left_out if "feature r2" in line)
        assert "has the same value in all 20 summaries of" in line


def test_what_is_refused_is_refused_before_any_feature_is_computed(years, monkeypatch):
    monkeypatch.setattr("pyramidion.classy._training.feature_table", None)
    fewer = replace(
        years[1], scores=without(years[1].scores, lambda row: "pyramid" not in row.measure)
    )
    with pytest.raises(NotFoundError, match="available: readability, responsiveness"):
        train_models(years[0], fewer, versions=VERSIONS[:1])


def test_the_same_year_twice(years):
    with pytest.raises(InputError, match="both years are the same data"):
        train_models(years[0], years[0])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tasks": ["C"]}, "no summaries of task 'C' in both years; available: 'A', 'B'"),
        ({"recipe": Recipe(without_assessors=("Q",))}, "no assessor 'Q'; available: K, L"),
        ({"recipe": Recipe(without_features=("r3",))}, "no feature 'r3'; available: r2"),
        ({"recipe": Recipe(without_features=(*FEW, *OTHERS))}, "no feature is left"),
        ({"recipe": Recipe(without_assessors=("K", "L"))}, "no topic is left without K, L"),
        ({"versions": []}, "there is nothing to train"),
    ],
)
def test_bad_options(years, options, said):
    with pytest.raises(PyramidionError, match=said):
        train_models(*years, **options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "magic"}, "method is 'magic'; choose one of robust"),
        ({"features": "many"}, "features is 'many'"),
        ({"criterion": "luck"}, "criterion is 'luck'"),
        ({"level": "topic"}, "level is 'topic'"),
        ({"scale": "wide"}, "scale is 'wide'"),
        ({"features": "family"}, "too many features to try every subset; use the method reg"),
    ],
)
def test_bad_recipes(options, said):
    with pytest.raises(PyramidionError, match=said):
        Recipe(**options)


def test_names_of_human_measures():
    assert parse_human_measures([])["pyramid"] == ("pyramid-modified", "pyramid")
    with pytest.raises(InputError, match="'style=4' names no human measure"):
        parse_human_measures(["style=4"])


def test_other_names_of_measures(years):
    renamed = []
    for year in years:
        columns = {name: year.scores.columns[name] for name in ("task", "topic", "system", "kind")}
        measures = [
            "scus" if m == "pyramid-modified" else m for m in year.scores.columns["measure"]
        ]
        renamed.append(
            replace(year, scores=Scores({**columns, "measure": measures}, year.scores.value))
        )
    recipe = replace(SMALL, human=("pyramid=scus",))
    options = {"tasks": ["A"], "peers": ["all"]}
    one = train_models(*renamed, recipe=recipe, versions=VERSIONS[:1], **options).models[0].model
    other = train_models(
        *renamed,
        recipe=replace(SMALL, method="robust"),
        versions=[Version("mine", "scus")],
        **options,
    )
    assert one.target == other.models[0].model.target == "scus"
    assert other.models[0].model.name == "classy/mine/A/all"


def test_parts_share_no_topic(years):
    demo = load_demo()
    parts = list(topic_parts(demo, 4, seed=3))
    topics = [{summary.topic for summary in part.summaries} for part in parts]
    assert sum(map(len, topics)) == len(set.union(*topics)) == 6
    assert sum(len(part.scores) for part in parts) == len(demo.scores)
    assert sum(len(part.pyramids) for part in parts) == len(demo.pyramids)
    with pytest.raises(InputError, match="6 topics cannot be split into 7 parts"):
        list(topic_parts(demo, 7))
