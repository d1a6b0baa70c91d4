"""Letters show exactly which systems cannot be told apart."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from pyramidion.evaluation._compare import result as groups
from pyramidion.evaluation._compare.result import group_letters, letter_name


@st.composite
def patterns(draw, most=7):
    systems = [f"s{i}" for i in range(draw(st.integers(1, most)))]
    pairs = list(itertools.combinations(systems, 2))
    different = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    return systems, {frozenset(pair) for pair in different}


@given(patterns())
def test_two_share_a_letter_exactly_when_they_do_not_differ(pattern):
    systems, different = pattern
    letters = group_letters(systems, lambda a, b: frozenset((a, b)) in different)
    for a, b in itertools.combinations(systems, 2):
        assert bool(set(letters[a]) & set(letters[b])) == (frozenset((a, b)) not in different)


def test_many_letters_become_runs_of_neighbours():
    systems = [f"s{i}" for i in range(60)]

    def differ(a, b):
        return (int(a[1:]) ^ int(b[1:])).bit_count() % 2 == 1

    letters = group_letters(systems, differ)
    names = {s: set(letters[s].replace("(", " ").replace(")", " ").split()) for s in systems}
    for a, b in itertools.combinations(systems, 2):
        if names[a] & names[b] - set("abcdefghijklmnopqrstuvwxyz"):
            assert not differ(a, b)


def test_runs_by_hand(monkeypatch):
    def differ(a, b):
        return {a, b} == {"q", "r"}

    assert group_letters("pqrs", differ) == {"p": "ab", "q": "a", "r": "b", "s": "ab"}
    # Neighbors only: p and q, then r and s; that p and r do not differ is lost.
    monkeypatch.setattr(groups, "_MOST_LETTERS", 1)
    assert group_letters("pqrs", differ) == {"p": "a", "q": "a", "r": "b", "s": "b"}


def test_names_go_on_after_z():
    assert [letter_name(n) for n in (0, 25, 26, 27, 52)] == ["a", "z", "(aa)", "(ab)", "(ba)"]
