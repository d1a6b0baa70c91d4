"""Fails if the candidate may be worse than the baseline by 0.02 or more on any measure."""

from pyramidion import compare


def test_no_regression():
    gate = compare(["baseline", "candidate"], gate=True, margin=0.02).gate
    assert gate.passed, gate.conclusion
