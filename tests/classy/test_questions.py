"""`train`, `predict` and `models` as functions: collections in, results out."""

from dataclasses import replace

import numpy as np
import pytest

from classy.tac_years import OTHERS, tac_years
from pyramidion.classy import LinearModel, fit_linear, models, predict, train
from pyramidion.classy._table import FeatureGroup, feature_table, within_topics
from pyramidion.classy._training import VERSIONS, Recipe, plan_training
from pyramidion.collection import Scores
from pyramidion.errors import InputError
from pyramidion.questions import Progress

ONLY = {"version": "25", "task": "A", "peers": "no-models", "without_features": OTHERS}


@pytest.fixture(scope="module")
def years():
    return tac_years(3)


@pytest.fixture(scope="module")
def trained(years):
    return train(years=years[:2], **ONLY)


def test_models_are_those_of_the_training(years, trained):
    (model,) = trained
    expected = plan_training(
        *years[:2], versions=VERSIONS[1:2], tasks=["A"], peers=["no-models"],
        recipe=Recipe(without_features=OTHERS),
    ).run()  # fmt: skip
    assert model == expected.models[0].model
    assert trained.training.models[0].search is not None
    assert trained.to_frame().model.tolist() == [model.name]
    assert trained.plot("search").axes[0].get_title(loc="left").startswith(model.target)


def test_what_was_trained_predicts(years, trained):
    (model,) = trained
    result = predict(model, years[2])
    (prediction,) = result
    scores = result.to_scores()
    assert scores.measures == (model.name,)
    assert len(scores) == len(prediction.values)
    means = result.to_frame("means", library="pandas")
    best = prediction.values[[s.system == means.system[0] for s in prediction.summaries]]
    assert means["mean"][0] == pytest.approx(np.mean(best))
    assert set(result.to_frame("correlations", library="pandas").level) == {"system", "input"}


def test_files_are_written_and_reported(years, tmp_path):
    file, reported, steps = tmp_path / "model.json", [], []
    progress = Progress(lambda *step: steps.append(step), reported.append)
    result = train(years=years[:2], output=file, progress=progress, **ONLY)
    totals = {total for _, total in steps}
    assert all(0 <= done <= total for done, total in steps)
    assert steps[-1] == (max(totals), max(totals)), "it ends where it said that it would"
    before = [done for done, total in steps if done < total]
    assert len(before) > len(steps) - 3, "and not before"
    assert LinearModel.load(file) == result[0]
    assert reported == [f"wrote {file}"]


def renamed(year, old, new):
    """Call a measure something else, on another scale."""
    judged = [
        replace(own, measure=new, value=20 * own.value) if own.measure == old else own
        for own in year.scores
    ]
    return replace(year, scores=Scores.from_judgments(judged))


@pytest.mark.parametrize("other", ["responsiveness", "quality"])
def test_any_number_of_sets(years, other):
    """Fitted on the first two, chosen on the last, fitted again on the last two."""
    sets = (years[0], renamed(years[1], "responsiveness", other), years[2])
    only = {key: value for key, value in ONLY.items() if key != "version"}
    result = train(years=sets, target=f"content=responsiveness,{other}", method="nonneg", **only)
    (model,) = result
    described = model.training["years"]
    assert [own["measure"] for own in described] == ["responsiveness", other, "responsiveness"]
    columns, judged = [], []
    for year, own in zip(sets[1:], described[1:], strict=True):
        groups = [FeatureGroup("all", "", model.metrics)]
        table = feature_table(year, task="A", peers="no-models", groups=groups)
        scores = year.scores.select(task="A", measure=own["measure"])
        found = {(row.topic, row.system): row.value for row in scores}
        values = np.array([found[s.topic, s.system] for s in table.summaries])
        if other == "quality":
            values = within_topics(values[:, None], [s.topic for s in table.summaries])[:, 0]
        columns.append(table.features)
        judged.append(values)
    fit = fit_linear("nonneg", np.concatenate(columns), np.concatenate(judged)[:, None])
    assert model.coefficients == pytest.approx(fit.coefficients)


def test_standardized_within_topics_by_hand():
    """What is missing stays so; a topic without any value of a column has no mean."""
    nan = np.nan
    columns = np.array([[1, nan, 5, 2], [3, nan, 5, nan], [nan, nan, 5, 4], [7, 8, 9, 9.0]])
    expected = [[-1, nan, 0, -1], [1, nan, 0, nan], [nan, nan, 0, 1], [0, 0, 0, 0]]
    assert np.array_equal(within_topics(columns, ["A", "A", "A", "B"]), expected, equal_nan=True)


def test_one_set_is_for_learners(years):
    with pytest.raises(InputError, match="1 years are too few; pass two or more"):
        train(years=years[:1], **ONLY)
    only = {key: value for key, value in ONLY.items() if key != "without_features"}
    assert len(train(years=years[:1], method="regularized", features="rose", **only)) == 1


def test_a_learner_has_no_search_to_plot(years):
    result = train(years=years[:2], method="ranking", features="classy", **ONLY)
    with pytest.raises(InputError, match="nothing to draw"):
        result.plot()


def test_models_are_listed_or_shown(trained):
    listed = models()
    assert (len(listed), listed.table_names) == (16, ("models",))
    shown = models(trained[0])
    assert shown.table_names == ("coefficients", "years")
    coefficients = shown.to_frame("coefficients", library="pandas").coefficient.tolist()
    assert coefficients[:-1] == list(trained[0].coefficients)
