"""Fails if the candidate may be worse than the baseline by 0.02 or more on any measure."""

from pyramidion import compare


def test_no_regression():
    result = compare(["baseline", "candidate"], gate=True, margin=0.02)
    assert result.ok, str(result)
