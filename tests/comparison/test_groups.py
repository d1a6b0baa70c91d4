"""Letters show exactly which systems cannot be told apart."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion import compare
from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import _result as groups
from pyramidion.comparison._result import group_letters, letter_name, short_letters
from support import GOLD


@st.composite
def patterns(draw, most=7):
    systems = [f"s{i}" for i in range(draw(st.integers(1, most)))]
    pairs = list(itertools.combinations(systems, 2))
    different = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    return systems, {frozenset(pair) for pair in different}


def lettered(systems, different):
    """Letters of each system, from the pairs that differ."""
    pairs = itertools.combinations(systems, 2)
    alike = (pair for pair in pairs if frozenset(pair) not in different)
    letters = group_letters(systems, alike)
    return {name: set(groups._LETTER_PATTERN.findall(letters[name])) for name in systems}


def wrong_pairs(systems, different):
    """Return the pairs that share a letter and differ, or do not and share none."""
    letters = lettered(systems, different)
    return [
        (a, b)
        for a, b in itertools.combinations(systems, 2)
        if bool(letters[a] & letters[b]) == (frozenset((a, b)) in different)
    ]


@given(patterns())
def test_two_share_a_letter_exactly_when_they_do_not_differ(pattern):
    systems, different = pattern
    assert not wrong_pairs(systems, different)
    assert all(lettered(systems, different).values())


def test_letters_share_as_those_of_multcompview():
    # R's multcompView 0.1.8; letters may be named otherwise.
    gold = json.loads((GOLD / "stats" / "mixed_models.json").read_text("utf-8"))["cases"]["letters"]
    systems, p = gold["data"]["systems"], gold["data"]["p"]
    different = {
        frozenset((systems[i], systems[j]))
        for i, j in itertools.combinations(range(len(systems)), 2)
        if p[i][j] < gold["alpha"]
    }
    letters, expected = lettered(systems, different), gold["result"]["multcompView"]
    for a, b in itertools.combinations(systems, 2):
        assert bool(letters[a] & letters[b]) == bool(set(expected[a]) & set(expected[b]))
    assert len(set().union(*letters.values())) == len(set("".join(expected.values())))


@pytest.mark.parametrize("number", [60, 300])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_letters_are_right_for_many_systems(number, share):
    rng = np.random.default_rng(number)
    systems = [f"s{i}" for i in range(number)]
    # Differences grow with the distance in the ranking, with exceptions.
    different = {
        frozenset((systems[i], systems[j]))
        for i, j in itertools.combinations(range(number), 2)
        if (j - i) / number > share + rng.normal() / 50
    }
    letters = lettered(systems, different)
    if len(set().union(*letters.values())) < groups._MAX_LETTERS:
        assert not wrong_pairs(systems, different)
    assert not any(
        letters[a] & letters[b] for a, b in map(tuple, different)
    )  # whatever was left out


def test_a_pattern_with_exponentially_many_groups_needs_few_letters():
    # Each of 100 differs from its partner only: there are 2^50 largest groups.
    systems = [f"s{i}" for i in range(100)]
    different = {frozenset(systems[i : i + 2]) for i in range(0, 100, 2)}
    assert not wrong_pairs(systems, different)
    assert len(set().union(*lettered(systems, different).values())) < 40


def test_letters_by_hand():
    assert group_letters("pqrs", [("p", "q"), ("p", "r"), ("p", "s"), ("q", "s"), ("r", "s")]) == {
        "p": "ab",
        "q": "a",
        "r": "b",
        "s": "ab",
    }


def test_what_letters_leave_out_is_reported(monkeypatch):
    # Of 7 systems that are alike with one other only, each pair needs a letter of its own.
    rng = np.random.default_rng(1)
    values = rng.normal(size=(40, 6)) + np.array([0, 0, 3, 3, 6, 6])
    matrix = ScoreMatrix(values, [f"T{i}" for i in range(40)], list("abcdef"))
    assert not any("zz" in note for note in compare(matrix).notes)
    monkeypatch.setattr(groups, "_MAX_LETTERS", 2)
    (note,) = (note for note in compare(matrix).notes if "zz" in note)
    assert note == ("Letters end at zz: 1 pair is undecided but share no letter; see the pairs.")


def test_who_shares_no_topic_shares_no_letter():
    nan = np.nan
    values = np.array([[5, 5, 1, nan]] * 6 + [[5, 6, nan, 4]] * 6, dtype=float)
    values += np.random.default_rng(0).normal(size=values.shape) / 3
    matrix = ScoreMatrix(values, [f"T{i}" for i in range(12)], list("wxyz"))
    result = compare(matrix)
    letters = {system.system: set(system.group) for system in result.systems}
    assert not letters["y"] & letters["z"]
    assert any(
        note.startswith("1 pair could not be tested:")
        and note.endswith("They share no letter, but need not differ.")
        for note in result.notes
    )


def test_names_go_on_after_z():
    assert [letter_name(n) for n in (0, 25, 26, 27, 52)] == ["a", "z", "(aa)", "(ab)", "(ba)"]


def test_letters_of_120_systems_stay_short_in_tables_and_whole_in_files():
    rng = np.random.default_rng(100)
    scores = rng.normal(size=(60, 1)) + rng.normal(size=(60, 120)) + np.linspace(0, 2, 120)
    systems = [f"s{i}" for i in range(120)]
    matrix = ScoreMatrix(scores, [f"t{i}" for i in range(60)], systems, measure="m")
    result = compare(matrix, test="paired-t", correction="bh", pairs="none")
    ranking = next(table for table in result.tables if table.name == "ranking")
    letters = {row[1]: row[ranking.columns.index("group")] for row in ranking.rows}
    assert max(map(len, letters.values())) <= 20
    whole = {
        system.system: set(groups._LETTER_PATTERN.findall(system.group))
        for system in result.systems
    }
    assert max(map(len, whole.values())) > 20
    # a–m p: the ends of a run and single letters are letters of the system.
    for name, text in letters.items():
        assert set(groups._LETTER_PATTERN.findall(text)) <= whole[name]
        codes = sorted(groups._LETTER_CODES[letter] for letter in whole[name])
        if text.count("–") == 1 and " " not in text:
            assert codes == list(range(codes[0], codes[-1] + 1))
    assert "a–k: all letters from a to k." in ranking.note


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ("abcdefgh", "abcdefgh"),
        ("abcdefghi", "a–i"),
        ("abcegikmo", "a–c egikmo"),
        ("abdfhjlnp", "abdfhjlnp"),
        ("acegikmoqsuwy", "acegikmoqsuwy"),
        ("abcegikmoqsuwy", "a–c egikmoqsuwy"),
    ],
)
def test_many_letters_are_shortened_if_three_follow_each_other(group, expected):
    assert short_letters(group) == expected
