"""Subsets that cannot be fitted or scored, near misses, and input that is refused."""

import math

import numpy as np
import pytest

from classy.search_loop import loop_fits, loop_values, made_up_year
from pyramidion.classy import METHODS, TrainingData, search_subsets
from pyramidion.classy._subset_fits import Subsets, judge_subsets
from pyramidion.errors import InputError, ShapeError

pytestmark = pytest.mark.long


def changed(year, column, values):
    features = year.features.copy()
    features[:, column] = values
    return TrainingData(
        features, year.targets, systems=year.systems, topics=year.topics, name=year.name
    )


def years(columns=4, targets=2, **options):
    rng = np.random.default_rng(7)
    options |= {"columns": columns, "targets": targets}
    return made_up_year(rng, name="2009", **options), made_up_year(rng, name="2010", **options)


def check_against_loop(train, select, *, scale="matlab", level="summary"):
    groups = [[column] for column in range(train.features.shape[1])]
    fits = loop_fits(train, groups, METHODS, scale)
    found = search_subsets(train, select, scale=scale, level=level)
    values = loop_values(fits, select, groups, METHODS, "pearson", level)
    np.testing.assert_array_equal(np.isnan(found.values), np.isnan(values))
    np.testing.assert_allclose(found.values, values, rtol=0, atol=1e-9)
    for (method, mask, target), (_, _, iterations) in fits.items():
        if method == "robust":
            assert found.iterations[mask - 1, target] == iterations
    return found


def test_subsets_with_copies_of_a_feature_are_undefined():
    train, select = (changed(year, 3, 2 * year.features[:, 1] - 5) for year in years())
    found = check_against_loop(train, select)
    both = found.masks & 0b1010 == 0b1010
    robust, nonneg, canon = np.isnan(found.values)
    assert (robust == both[:, None]).all()
    assert (canon == both[:, None]).all()
    assert found.undefined[:, 0].tolist() == [4, nonneg[:, 0].sum(), 4]
    assert not nonneg[both].all()
    assert (found.iterations[both] == 0).all()


def test_exact_copies_have_the_fits_of_one_of_them():
    train, select = (changed(year, 3, year.features[:, 1]) for year in years())
    found = check_against_loop(train, select)
    one, two = found.masks & 0b1010 == 0b0010, found.masks & 0b1010 == 0b1010
    np.testing.assert_allclose(found.values[1, two], found.values[1, one], atol=1e-9)


@pytest.mark.parametrize("noise", [0.02, 1e-4, 1e-6])
def test_features_that_nearly_depend_on_others_are_fitted_with_care(noise):
    rng = np.random.default_rng(1)
    train, select = (
        changed(year, 3, year.features[:, 0] + year.features[:, 2] + noise * rng.normal(size=42))
        for year in years()
    )
    found = check_against_loop(train, select)
    assert found.undefined[[0, 2]].max() == 0
    judged = judge_subsets(train, Subsets.of(4, None))
    assert len(judged[1]) == (0 if noise > 0.01 else 2)


def test_weights_that_fall_to_nothing_lower_the_rank():
    train, select = years(topics=20)
    flag, targets = np.zeros(120), train.targets.copy()
    flag[[11, 70]] = 1.0
    targets[[11, 70], 0] += [60, -60]
    train = changed(TrainingData(train.features, targets, name="2009"), 2, flag)
    check_against_loop(train, changed(select, 2, np.arange(120.0)))


def test_weights_that_all_fall_to_nothing_leave_no_fit():
    x, rare = np.tile([-1.0, 1.0], 20), np.where(np.arange(40) < 38, 0.0, 100.0)
    year = TrainingData(x[:, None], rare)
    found = search_subsets(year, year, methods=["robust"], scale="text")
    assert np.isnan(found.values[0, 0, 0])
    assert found.iterations.tolist() == [[0]]


@pytest.mark.parametrize("scale", ["matlab", "text"])
@pytest.mark.parametrize("usual", [0.0, 5.0])
def test_target_that_is_nearly_always_the_same_is_predicted_by_its_usual_value(usual, scale):
    rng = np.random.default_rng(0)
    rare = np.where(np.arange(40) < 38, usual, 100.0)
    year = TrainingData(rng.normal(size=(40, 2)), rare)
    found = search_subsets(year, year, methods=["robust"], scale=scale)
    assert found.undefined.tolist() == [[3]]


def test_target_that_features_explain_fully():
    train, select = years()
    exact = [TrainingData(y.features, y.features @ [1.0, 2, 3, 4]) for y in (train, select)]
    found = search_subsets(*exact)
    assert found.winner(0).value == pytest.approx(1)
    assert found.winner(0).groups == (0, 1, 2, 3)


def test_feature_that_does_not_vary_in_the_second_year_predicts_nothing():
    train, select = years()
    found = check_against_loop(train, changed(select, 1, 0.3))
    assert (np.isnan(found.values[:, 0b0010 - 1])).all()
    assert found.undefined[[0, 2]].tolist() == [[1, 1], [1, 1]]


def test_topics_without_differences_do_not_count():
    train, select = years()
    for column in range(4):
        select.features[:6, column] = column
    select.targets[6:12, 1] = 3
    check_against_loop(train, select, level="input")


def test_rows_of_the_second_year_may_be_few():
    train, select = years()
    few = TrainingData(select.features[:4], select.targets[:4])
    check_against_loop(train, few)


def test_no_subset_with_a_score_is_an_error_of_the_choice():
    train, select = years(columns=1)
    found = search_subsets(train, changed(select, 0, 4.0))
    assert found.undefined.tolist() == [[1, 1]] * 3
    for choose in (lambda: found.winner(1), lambda: found.best("canon", 1)):
        with pytest.raises(InputError, match=r"no subset has a score for method \w+ and target 1"):
            choose()
    with pytest.raises(InputError, match="method canon was not tried; include it in `methods`"):
        search_subsets(train, select, methods=["robust"]).best("canon", 0)


def test_winner_passes_over_methods_without_a_score():
    train, select = years(columns=1)
    # The feature falls as targets rise, and without a constant its coefficient is 0.
    found = search_subsets(train, select, methods=["nonneg", "canon"])
    assert found.undefined.tolist() == [[1, 1], [0, 0]]
    assert found.winner(0).method == "canon"


TRAIN, SELECT = years(columns=3, targets=3)
TWO_SAME = np.column_stack([TRAIN.targets[:, 0], 2 * TRAIN.targets[:, 0] + 1])


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        (
            {"train": TrainingData(TRAIN.features[:4], TRAIN.targets[:4], name="2009")},
            InputError,
            "2009: 4 rows are too few for 3 columns of features; pass at least 5 rows",
        ),
        (
            {"train": changed(TRAIN, 1, 0.1 + 0.2)},
            InputError,
            "2009: feature 1 has the same value in all 42 rows; remove it",
        ),
        (
            {"train": TrainingData(TRAIN.features, np.full((42, 3), 4), target_names="prl")},
            InputError,
            "the data: target p has the same value in all 42 rows; remove it",
        ),
        (
            {"select": TrainingData(SELECT.features, np.full((42, 3), 4), name="2010")},
            InputError,
            "2010: target 0 has the same value in all rows; it cannot be used for selection",
        ),
        (
            {"select": TrainingData(SELECT.features[:, :2], SELECT.targets, name="2010")},
            ShapeError,
            "2009 has 3 features and 2010 has 2; both need the same number",
        ),
        (
            {"select": TrainingData(SELECT.features, SELECT.targets[:, :1], name="2010")},
            ShapeError,
            "2009 has 3 targets and 2010 has 1; both need the same number",
        ),
        (
            {
                "train": TrainingData(TRAIN.features, TWO_SAME, name="2009"),
                "select": TrainingData(TRAIN.features, TWO_SAME),
            },
            InputError,
            "2009: the targets are linearly dependent; remove one, or search without method canon",
        ),
        (
            {"groups": [[0], [1]]},
            InputError,
            "column 2 is in 0 groups; put each column in one group",
        ),
        ({"groups": [[0, 1], [1, 2]]}, InputError, "column 1 is in 2 groups"),
        ({"groups": [[0], [1, 2, 3]]}, InputError, "a group names column 3; there are columns 0"),
        ({"groups": [[0, 1, 2], []]}, InputError, "group 1 has no columns; remove it"),
        ({"methods": []}, InputError, "`methods` is empty or names one twice"),
        ({"methods": ["canon", "canon"]}, InputError, "`methods` is empty or names one twice"),
        ({"methods": ["ridge"]}, InputError, "`methods` is 'ridge'; use one of robust, nonneg"),
        ({"criterion": "tau"}, InputError, "`criterion` is 'tau'; use one of pearson"),
        ({"level": "global"}, InputError, "`level` is 'global'; use one of summary, system"),
        ({"scale": "mad"}, InputError, "`scale` is 'mad'; use one of matlab, text"),
    ],
)
def test_bad_input(changes, error, message):
    with pytest.raises(error, match=message):
        search_subsets(**{"train": TRAIN, "select": SELECT, **changes})


@pytest.mark.parametrize(("level", "what"), [("system", "systems"), ("input", "topics")])
def test_levels_need_labels(level, what):
    plain = TrainingData(SELECT.features, SELECT.targets, name="2010")
    with pytest.raises(InputError, match=f"2010: level {level} needs the {what} of the rows"):
        search_subsets(TRAIN, plain, level=level)


@pytest.mark.parametrize(
    ("level", "labels", "message"),
    [
        ("system", {"systems": ["s"] * 42}, "target 0 has the same mean for all systems"),
        ("input", {"topics": range(42)}, "target 0 has the same value in all rows of each topic"),
    ],
)
def test_levels_need_differences(level, labels, message):
    select = TrainingData(SELECT.features, SELECT.targets, name="2010", **labels)
    with pytest.raises(InputError, match=message):
        search_subsets(TRAIN, select, level=level)


def test_targets_that_depend_on_each_other_do_for_other_methods():
    year = TrainingData(TRAIN.features, TWO_SAME)
    found = search_subsets(year, year, methods=["robust", "nonneg"])
    np.testing.assert_allclose(found.values[0, :, 0], found.values[0, :, 1], atol=1e-9)


def test_too_many_groups():
    rng = np.random.default_rng(0)
    year = TrainingData(rng.normal(size=(50, 17)), rng.normal(size=50))
    with pytest.raises(
        InputError, match="17 groups of 17 columns have 131,071 subsets; use at most 16"
    ):
        search_subsets(year, year)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([[1, math.nan]], [1]), InputError, "`features` has no value .NaN. at position 0, 1"),
        (([[1], [2]], [1, math.nan]), InputError, "the data: row 1 has no value of target 0"),
        (([[1], [2]], [1]), ShapeError, "the data: 2 rows of features and 1 of targets"),
        (([1, 2], [1, 2]), ShapeError, "`features` has 1 dimensions instead of two"),
        (([["a"]], [1]), InputError, "`features` contains something that is not a number"),
    ],
)
def test_bad_training_data(arguments, error, message):
    with pytest.raises(error, match=message):
        TrainingData(*arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"systems": ["a"]}, "2011: 2 rows of features and 1 of systems; pass one per row"),
        ({"topics": ["a"] * 3}, "2011: 2 rows of features and 3 of topics"),
        ({"feature_names": ["a", "b"]}, "2011: 2 names for 1 features; pass one per column"),
        ({"target_names": ["a", "b"]}, "2011: 2 names for 1 targets"),
    ],
)
def test_bad_labels(options, message):
    with pytest.raises(ShapeError, match=message):
        TrainingData([[1], [2]], [1, 2], name="2011", **options)
