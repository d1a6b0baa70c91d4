"""Small examples of `pyramidion.stats._verdicts`."""

from pyramidion.stats._verdicts import agreement_on_significance


def test_significance_agreement():
    found = agreement_on_significance([True, False], [False, False])
    assert repr((found.fn, found.recall, found.precision)) == "(1, 0.0, nan)"
