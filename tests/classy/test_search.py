"""The exhaustive search against a loop over subsets that calls the statistics."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classy.search_loop import columns_of, loop_fits, loop_values, made_up_year
from pyramidion.classy import METHODS, TrainingData, search_subsets

SINGLES = [[0], [1], [2], [3], [4]]
PAIRS = [[0, 5], [1, 6], [2], [4, 3], [7]]
CRITERIA = ("pearson", "spearman", "kendall")
LEVELS = ("summary", "system", "input")
ONE_OF_EACH = set(zip(CRITERIA, LEVELS, strict=True))


def years(seed=0, **options):
    rng = np.random.default_rng(seed)
    return made_up_year(rng, name="2009", **options), made_up_year(rng, name="2010", **options)


@pytest.fixture(
    scope="module",
    params=[pytest.param(SINGLES, marks=pytest.mark.long), PAIRS],
    ids=["singles", "pairs"],
)
def looped(request):
    groups = request.param
    train, select = years(columns=sum(map(len, groups)))
    return train, select, groups, loop_fits(train, groups, METHODS)


def check_same(found, values):
    np.testing.assert_array_equal(np.isnan(found.values), np.isnan(values))
    np.testing.assert_allclose(found.values, values, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("criterion", "level"),
    [
        pytest.param(*pair, marks=[pytest.mark.long] * (pair not in ONE_OF_EACH))
        for pair in product(CRITERIA, LEVELS)
    ],
)
def test_search_is_the_loop(looped, criterion, level):
    train, select, groups, fits = looped
    found = search_subsets(train, select, groups=groups, criterion=criterion, level=level)
    check_same(found, loop_values(fits, select, groups, METHODS, criterion, level))
    assert (found.criterion, found.level) == (criterion, level)


def test_robust_iterations_are_the_loops(looped):
    train, select, groups, fits = looped
    found = search_subsets(train, select, groups=groups, methods=["robust"])
    expected = [[fits["robust", mask, target][2] for target in range(3)] for mask in range(1, 32)]
    assert found.iterations.tolist() == expected


@pytest.mark.parametrize("rows", [(30, 20), (31, 17)])
def test_scale_of_the_text_is_the_loops(rows):
    train, select = years(seed=5, topics=rows[0], systems=rows[1], columns=3)
    groups = SINGLES[:3]
    fits = loop_fits(train, groups, ("robust",), scale="text")
    found = search_subsets(train, select, methods=("robust",), scale="text")
    check_same(found, loop_values(fits, select, groups, ("robust",), "pearson", "summary"))
    assert found.iterations[-1].tolist() == [fits["robust", 7, target][2] for target in range(3)]


@pytest.mark.parametrize("targets", [1, 2, 5])
def test_any_number_of_targets(targets):
    train, select = years(seed=2, columns=3, targets=targets)
    fits = loop_fits(train, SINGLES[:3], METHODS)
    found = search_subsets(train, select)
    check_same(found, loop_values(fits, select, SINGLES[:3], METHODS, "pearson", "summary"))


@pytest.mark.long
def test_more_observations_than_fit_in_one_piece():
    train, select = years(seed=3, topics=101, systems=31, columns=3)
    fits = loop_fits(train, SINGLES[:3], METHODS)
    for criterion in CRITERIA:
        found = search_subsets(train, select, criterion=criterion)
        check_same(found, loop_values(fits, select, SINGLES[:3], METHODS, criterion, "summary"))


def test_blocks_of_subsets_cover_all_of_them():
    # Seven groups are more than a block of robust fits differs in.
    train, select = years(seed=4, columns=7, targets=1)
    groups = [[column] for column in range(7)]
    fits = loop_fits(train, groups, METHODS)
    found = search_subsets(train, select)
    check_same(found, loop_values(fits, select, groups, METHODS, "pearson", "summary"))


def test_selection_names_groups_and_columns():
    train, select = years(columns=8)
    found = search_subsets(train, select, groups=PAIRS)
    for target in range(3):
        best = {method: found.best(method, target) for method in METHODS}
        for number, method in enumerate(METHODS):
            selection = best[method]
            assert selection.value == np.nanmax(found.values[number, :, target])
            assert list(selection.columns) == columns_of(selection.mask, PAIRS)
            assert sum(1 << group for group in selection.groups) == selection.mask
        assert found.winner(target) == max(best.values(), key=lambda selection: selection.value)


def test_smaller_subset_wins_ties():
    # Positive features that fall as the target rises get 0 alone, and may beside others.
    rng = np.random.default_rng(0)
    quality, noise = rng.normal(size=(2, 60, 1))
    features = np.hstack([9 - quality, 9 + quality, 9 - quality, 9 + noise])
    train = TrainingData(features + rng.normal(size=(60, 4)) / 9, quality + 9)
    select = TrainingData(features + rng.normal(size=(60, 4)) / 9, quality + 9)
    found = search_subsets(train, select, methods=["nonneg"])
    tied = found.masks[found.values[0, :, 0] > np.nanmax(found.values) - 1e-9]
    assert tied.tolist() == [0b0011, 0b0111, 0b1011, 0b1111]
    assert found.best("nonneg", 0).groups == (0, 1)


@pytest.mark.parametrize("methods", [METHODS, METHODS[::-1]])
def test_first_method_wins_ties(methods):
    # Of a single feature only the direction matters, and it rises with the targets.
    train, select = years(columns=5)
    year = [TrainingData(data.features[:, 4:], data.targets) for data in (train, select)]
    found = search_subsets(*year, methods=methods)
    np.testing.assert_allclose(found.values[0], found.values[1], atol=1e-12)
    assert found.winner(0).method == methods[0]


def test_same_input_gives_the_same_bits():
    train, select = years()
    first, second = (search_subsets(train, select, criterion="kendall") for _ in range(2))
    assert first.values.tobytes() == second.values.tobytes()
    assert first.iterations.tobytes() == second.iterations.tobytes()


def reordered(year, order):
    return TrainingData(
        year.features[order],
        year.targets[order],
        systems=year.systems[order],
        topics=year.topics[order],
    )


@given(st.integers(0, 2**32 - 1), st.sampled_from(list(product(CRITERIA, LEVELS))))
def test_order_of_rows_changes_nothing(seed, options):
    rng = np.random.default_rng(seed)
    train, select = years(seed=1, columns=3)
    criterion, level = options
    plain = search_subsets(train, select, criterion=criterion, level=level)
    moved = search_subsets(
        reordered(train, rng.permutation(len(train.features))),
        reordered(select, rng.permutation(len(select.features))),
        criterion=criterion,
        level=level,
    )
    np.testing.assert_allclose(moved.values, plain.values, atol=1e-9)
    assert [moved.winner(t).mask for t in range(3)] == [plain.winner(t).mask for t in range(3)]


@given(st.lists(st.sampled_from([-3.0, 0.25, 8.0]), min_size=3, max_size=3))
def test_scale_and_sign_of_features_change_nothing(factors):
    train, select = years(seed=1, columns=3)
    plain = search_subsets(train, select)
    scaled = search_subsets(
        *(TrainingData(year.features * factors, year.targets) for year in (train, select))
    )
    np.testing.assert_allclose(scaled.values, plain.values, atol=1e-9)
    np.testing.assert_array_equal(scaled.iterations, plain.iterations)


def test_groups_are_numbered_as_given():
    train, select = years(columns=5)
    plain = search_subsets(train, select)
    turned = search_subsets(train, select, groups=SINGLES[::-1])
    mirrored = [int(f"{mask:05b}"[::-1], 2) - 1 for mask in plain.masks]
    np.testing.assert_allclose(turned.values[:, mirrored], plain.values, atol=1e-9)


def test_progress_ends_with_all_fits():
    train, select = years()
    seen = []
    search_subsets(train, select, progress=lambda done, total: seen.append((done, total)))
    done = [number for number, _ in seen]
    assert done == sorted(done)
    assert seen[-1] == (31 * 3 * 3, 31 * 3 * 3)


def test_search_can_be_interrupted():
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search_subsets(*years(), progress=stop)
