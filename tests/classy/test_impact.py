"""What CLASSY learns without the worst assessors."""

import pytest

from judges.assessor_samples import tac_year
from pyramidion.classy._impact import classy_impact, system_correlations
from pyramidion.classy._training import Recipe, Version, plan_training
from pyramidion.collection import Judgment, Scores
from pyramidion.errors import InputError
from pyramidion.judges import WorstFirst


@pytest.fixture(scope="module")
def three_years():
    return [tac_year(str(2009 + n), seed=n, topics=8, tasks=("A",)) for n in range(3)]


def test_classy_is_trained_with_and_without_the_worst(three_years):
    first, second, later = three_years
    version = Version("mine", "readability", ("nonneg",))
    found, left_out = classy_impact(
        (first, second),
        later,
        {"readability": [WorstFirst("alpha", ("D", "C"), (0.1, 0.2))]},
        versions=[version],
        recipe=Recipe(features="rose"),
        n_left_out=2,
    )
    assert [(own.criterion, own.left_out) for own in found if own.peers == "all"] == [
        (None, ()),
        ("alpha", ("D", "C")),
    ]
    assert {own.systems for own in found if own.peers == "no-models"} == {10}
    assert all(0 < own.pearson <= 1 for own in found)
    assert any(line.startswith("2009") for line in left_out), "topics left out are counted"
    # The models are those that `train` gives.
    recipe = Recipe(features="rose", without_assessors=("D", "C"))
    model = (
        plan_training(first, second, versions=[version], peers=["all"], recipe=recipe)
        .run()
        .models[0]
        .model
    )
    own = next(o for o in found if o.peers == "all" and o.criterion)
    assert own.features == model.columns


def test_classy_says_what_it_cannot_do(three_years):
    first, second, later = three_years
    worst = {"readability": [WorstFirst("alpha", tuple("ABCD"), (0.1, 0.2, 0.3, 0.4))]}
    found, left_out = classy_impact(
        (first, second),
        later,
        worst,
        versions=[Version("mine", "readability", ("nonneg",)), Version("other", "charm")],
        recipe=Recipe(features="rose"),
        n_left_out=4,
    )
    assert {own.criterion for own in found} == {None}
    assert any("without A, B, C, D: 2009: no topic is left" in line for line in left_out)
    assert any("other" in line and "charm" in line for line in left_out)
    found, left_out = classy_impact(
        (first, second),
        later,
        {"readability": [WorstFirst("alpha", (), ())]},
        versions=[Version("mine", "readability", ("nonneg",))],
        recipe=Recipe(features="rose"),
    )
    assert "version mine: assessors could not be ranked" in left_out


def test_systems_are_correlated_over_shared_summaries():
    def scores(values):
        rows = [Judgment(t, s, "m", v) for (t, s), v in values.items()]
        return Scores.from_judgments(rows)

    one = scores({("T1", "7"): 1.0, ("T1", "8"): 2.0, ("T2", "7"): 9.0, ("T1", "9"): 3.0})
    other = scores({("T1", "7"): 1.0, ("T1", "8"): 3.0, ("T3", "7"): 9.0, ("T1", "9"): 2.0})
    assert system_correlations(one, other) == (3, pytest.approx(0.5), pytest.approx(0.5))
    lonely = scores({("T1", "7"): 1.0})
    assert system_correlations(lonely, other)[0] == 1
    with pytest.raises(InputError, match="no summary has both"):
        system_correlations(one, Scores({}, []))
