"""Names of tests and corrections, and which correction a test can have."""

import pytest

from pyramidion.comparison.procedures import (
    CORRECTION_TEXTS,
    CORRECTIONS,
    META_TEST_TEXTS,
    META_TESTS,
    PAIRED_TESTS,
    RESAMPLING_TESTS,
    STATISTIC_TESTS,
    TESTS,
    effective_correction,
    fallback_note,
    named_correction,
)
from pyramidion.comparison.procedures import describe_test as text_of_test


def test_every_name_has_its_words():
    for test in (*TESTS, "lmm", "ordinal", "bradley-terry", "ppi"):
        assert text_of_test(test).name
        assert text_of_test(test).method
    assert tuple(META_TEST_TEXTS) == META_TESTS
    assert tuple(CORRECTION_TEXTS) == (*CORRECTIONS, "mvt", "tukey")
    assert set(STATISTIC_TESTS) < set(RESAMPLING_TESTS) < set(PAIRED_TESTS) < set(TESTS)


@pytest.mark.parametrize("test", ["unpaired-t", "welch", "williams", "steiger", "zou", "meng"])
def test_holm_takes_the_place_of_max_t_where_nothing_is_swapped(test):
    assert effective_correction("maxt", test) == "holm"
    assert fallback_note("maxt", test).startswith(f"{test} ")
    for correction in ("holm", "bh", "none"):
        assert effective_correction(correction, test) == correction
        assert fallback_note(correction, test) == ""


@pytest.mark.parametrize("test", PAIRED_TESTS)
def test_paired_tests_keep_every_correction(test):
    for correction in CORRECTIONS:
        assert effective_correction(correction, test) == correction
        assert fallback_note(correction, test) == ""


def test_max_t_of_mean_ranks_is_called_tukeys():
    assert named_correction("maxt", "kruskal") == "tukey"
    assert named_correction("holm", "kruskal") == "holm"
    assert named_correction("maxt", "welch") == "holm"
