"""The matrices that a question reads."""

from pyramidion.comparison.measure_tables import read_matrices
from pyramidion.demo import load_demo


def test_measures_that_cannot_be_compared_are_left_out_and_counted():
    matrices, left_out = read_matrices(load_demo(), [], [])
    assert [(matrix.measure, matrix.task) for matrix in matrices] == [
        ("readability", "A"),
        ("readability", "B"),
        ("responsiveness", "A"),
        ("responsiveness", "B"),
    ]
    assert left_out == ["relative-utility, task A: 1 system, which cannot be compared"]
