from hypothesis import given
from hypothesis import strategies as st

from collection.strategies import ids
from pyramidion.collection.ids import natural_order


def ordered(*names):
    return sorted(names, key=natural_order)


def test_numbers_stand_in_the_order_of_their_values():
    assert ordered("T10", "T9", "T1") == ["T1", "T9", "T10"]
    assert ordered("D2-10", "D10-1", "D2-9") == ["D2-9", "D2-10", "D10-1"]


def test_numbers_come_before_words():
    assert ordered("A", "10", "", "9", "a") == ["", "9", "10", "A", "a"]


def test_leading_zeros_break_ties_only():
    assert ordered("2", "01", "1", "001", "010") == ["001", "01", "1", "2", "010"]


def test_numbers_of_any_length():
    long = "9" * 5000
    assert ordered("1" + long, long, "8" + long[1:]) == ["8" + long[1:], long, "1" + long]


def test_digits_of_other_scripts_are_letters():
    assert ordered("٣", "3", "x") == ["3", "x", "٣"]


@given(st.lists(ids(), unique=True).flatmap(lambda i: st.tuples(st.just(i), st.permutations(i))))
def test_order_does_not_depend_on_where_one_starts(pair):
    assert ordered(*pair[0]) == ordered(*pair[1])


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_whole_numbers_are_ordered_as_numbers(a, b):
    assert ordered(str(a), str(b)) == [str(number) for number in sorted([a, b])]
