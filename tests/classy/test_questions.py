"""`train`, `predict` and `models` as functions: collections in, results out."""

import numpy as np
import pytest

from classy.tac_years import OTHERS, tac_years
from pyramidion.classy import LinearModel, models, predict, train
from pyramidion.classy._training import VERSIONS, Recipe, plan_training
from pyramidion.collection._questions import Progress
from pyramidion.errors import InputError

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


def test_files_are_written_and_told(years, tmp_path):
    file, told = tmp_path / "model.json", []
    result = train(years=years[:2], output=file, progress=Progress(message=told.append), **ONLY)
    assert LinearModel.load(file) == result[0]
    assert told == [f"wrote {file}"]


@pytest.mark.parametrize("count", [1, 3])
def test_two_years_are_two(years, count):
    with pytest.raises(InputError, match=f"years has {count} values; give 2"):
        train(years=years[:count], **ONLY)


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
