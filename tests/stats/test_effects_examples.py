"""Small examples of `pyramidion.stats._effects`."""

from pyramidion.stats._effects import mean_difference, noncentral_t_cdf, noncentrality


def test_noncentral_t_cdf():
    assert round(noncentral_t_cdf(1.96, 1e6, 0.0), 4) == 0.975
    assert round(noncentral_t_cdf(3.0, 47, 2.0), 6) == 0.826463


def test_noncentrality():
    assert round(noncentrality(3.0, 47, 0.025), 4) == 5.0366


def test_effect():
    assert mean_difference([1, 2, 3], [0, 0, 0]).value == 2.0
