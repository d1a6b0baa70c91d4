"""What a trained model says of its training, and the progress of predictions."""

from dataclasses import replace

import pytest

from classy.tac_years import OTHERS, tac_years
from pyramidion.classy import predict, train
from pyramidion.collection import Scores
from pyramidion.questions import Progress

ONLY = {"task": "A", "peers": "no-models", "without_features": OTHERS, "method": "nonneg"}


@pytest.fixture(scope="module")
def trained():
    """Train on two years, of which the second calls the measure something else."""
    first, second = tac_years(2)
    judged = [
        replace(score, measure="quality") if score.measure == "responsiveness" else score
        for score in second.scores
    ]
    years = first, replace(second, scores=Scores.from_judgments(judged))
    [model] = train(years=years, target="content=responsiveness,quality", **ONLY)
    return first, model


def test_measures_of_the_last_year_were_judged_together(trained):
    assert trained[1].training["judged_together"] == ["quality"]


def test_progress_of_a_prediction_counts_features_from_one(trained):
    collection, model = trained
    steps = []
    predict(model, collection, progress=Progress(lambda *step: steps.append(step)))
    number = len(model.columns)
    assert steps == [(done, number) for done in range(1, number + 1)]
