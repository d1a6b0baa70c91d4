"""Preferences from tables to a ranking, and what is refused or marked."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pyramidion.collection import Collection, Preference, Preferences
from pyramidion.comparison import PreferenceRanking, power, preferences
from pyramidion.errors import InputError
from pyramidion.stats import krippendorff_alpha

HEAD = "topic,first,second,choice,assessor,sides"


def written(path: Path, *rows: str, head: str = HEAD) -> Path:
    path.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    return path


def ranked(table: object, **options: object) -> PreferenceRanking:
    return preferences(table, **options)[0]


def sample(topics: int = 12) -> Preferences:
    rng = np.random.default_rng(5)
    liked = {"x": 1.0, "y": 0.2, "z": -0.8}
    rows = []
    for topic in range(topics):
        for a, b in (("x", "y"), ("y", "z"), ("z", "x")):
            for judge in "KLM":
                for sides in ("", "swapped"):
                    shown = 0.4 if sides == "" else -0.4
                    eta = liked[a] - liked[b] + shown + rng.logistic()
                    choice = "first" if eta > 0.4 else "second" if eta < -0.4 else "tie"
                    rows.append(Preference(f"T{topic}", a, b, choice, assessor=judge, sides=sides))
    return Preferences.from_records(rows)


def test_a_ranking_tells_rates_circles_agreement_and_sides() -> None:
    table = sample()
    ranking = ranked(table, elo=20)
    assert [system.result.system for system in ranking.systems] == ["x", "y", "z"]
    first = ranking.systems[0]
    won = first.wins + first.ties / 2
    assert first.win_rate == pytest.approx(won / (first.wins + first.ties + first.losses))
    assert first.win_low < first.win_rate < first.win_high
    assert ranking.comparison.comparisons[1].a == "x"
    assert ranking.comparison.significant(ranking.comparison.comparisons[1])
    assert 0 < ranking.fit.position < 1
    assert ranking.triads.number == 1
    assert ranking.triads.circular == 0
    assert [assessor.swapped for assessor in ranking.assessors] == [36] * 3
    # By its own function: each assessor is a coder, with a tie where the two orders disagree.
    items = {
        (preference.topic, frozenset((preference.first, preference.second))): dict[str, int]()
        for preference in table
    }
    for preference in table:
        message = items[preference.topic, frozenset((preference.first, preference.second))]
        value = {"first": 1, "tie": 0, "second": -1}[preference.choice]
        message[preference.assessor] = message.get(preference.assessor, 0) + value
    both = [[sign * np.sign(value) for value in values.values()] for values in items.values()
            for sign in (1, -1)]  # fmt: skip
    expected = krippendorff_alpha(np.array(both, float).T, level="nominal").value
    assert ranking.alpha == pytest.approx(expected)
    assert ranking.elo[0].low < ranking.elo[0].mean < ranking.elo[0].high


def test_one_assessor_agrees_with_nobody_but_ranks() -> None:
    rows = [preference for preference in sample() if preference.assessor == "K"]
    result = preferences(Preferences.from_records(rows))
    assert np.isnan([result[0].agreement, result[0].alpha]).all()
    assert result[0].assessors[0].swapped == 36
    assert [system.result.system for system in result[0].systems] == ["x", "y", "z"]
    assert result.left_out == ("win-rate: agreement, since K is the only assessor",)
    unnamed = preferences(
        Preferences.from_records([replace(preference, assessor="") for preference in rows])
    )
    assert unnamed.left_out == ("win-rate: assessor statistics, since the data name no assessors",)


def test_assessors_and_topics_can_be_left_out() -> None:
    rows = [*sample()]
    for name, column in ((rows[0].assessor, "assessor"), (rows[0].topic, "topic")):
        others = [row for row in rows if getattr(row, column) != name]
        without = preferences(sample(), exclude=name)[0]
        expected = preferences(Preferences.from_records(others))[0]
        assert [(s.result.system, s.wins) for s in without.systems] == [
            (s.result.system, s.wins) for s in expected.systems
        ]


def test_circles_are_counted() -> None:
    rows = [Preference(t, a, b, "first", assessor="K") for t in ("T1", "T2")
            for a, b in (("x", "y"), ("y", "z"), ("z", "x"))]  # fmt: skip
    ranking = ranked(Preferences.from_records(rows))
    assert (ranking.triads.number, ranking.triads.circular) == (1, 1)
    assert (ranking.assessors[0].triads, ranking.assessors[0].circular) == (2, 2)
    assert {system.strength for system in ranking.systems} == {0.0}


def test_circles_are_counted_by_assessor_and_topic() -> None:
    """K goes round in circles on one of three topics, L on two, and M on none."""
    around, straight = (("x", "y"), ("y", "z"), ("z", "x")), (("x", "y"), ("y", "z"), ("x", "z"))
    rows = [
        Preference(f"T{topic}", a, b, "first", assessor=assessor)
        for number, assessor in enumerate("MKL")
        for topic in range(3)
        for a, b in (around if topic < number else straight)
    ]
    ranking = ranked(Preferences.from_records(rows))
    counted = {a.assessor: (a.triads, a.circular) for a in ranking.assessors}
    assert counted == {"K": (3, 1), "L": (3, 2), "M": (3, 0)}


def test_what_cannot_be_ranked_is_marked() -> None:
    rows = [Preference(f"T{t}", "x", "y", "first" if t else "second") for t in range(6)]
    rows += [Preference(f"T{t}", "x", "w", "first") for t in range(6)]
    result = preferences(Preferences.from_records(rows))
    assert {system.result.system: system.result.part for system in result[0].systems} == {
        "x": 1, "y": 1, "w": 2,
    }  # fmt: skip
    assert "won every choice against the other" in str(result)
    assert any("without a finite difference" in line for line in result.left_out)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["T1,x,y,better,K,"], "line 2: `choice` is 'better'; write first, second or tie"),
        (
            ["T1,x,y,x,K,", "T2,x,y,y,K,", "T3,x,y,z,K,"],
            "line 4: `choice` is 'z', which is neither x nor y; name one of the two, or write tie",
        ),
        (["T1,x,x,first,K,"], "line 2: x is compared with itself"),
        (["T1,x,y,first,K,", "T1,y,x,first,K,swapped"], "line 3: K chose differently before"),
        (["T1,x,y,first,K,left"], "line 2: `sides` is 'left'; write swapped, unknown"),
        (["T1,x,y,first,K,", "T1,x,z,first,K,", "T2,y,z,first,K,"], "only one assessor"),
    ],
)
def test_bad_input_is_refused_in_one_line(tmp_path: Path, rows: list[str], message: str) -> None:
    with pytest.raises(InputError) as raised:
        preferences(written(tmp_path / "preferences.csv", *rows), assessor_effects=True)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_tables_of_ones_own_and_best_worst_tuples(tmp_path: Path) -> None:
    arena = written(
        tmp_path / "arena.csv", "q1,x,y,model_a,K", "q1,x,z,tie (bothbad),K", "q2,y,x,model_b,L",
        head="question_id,model_a,model_b,winner,judge",
    )  # fmt: skip
    with pytest.warns(match="preferences read as --columns topic=question_id"):
        read = Collection.load(arena).preferences
    assert [preference.choice for preference in read] == ["first", "tie", "second"]
    named = written(
        tmp_path / "mine.csv", "q1,x,y,x", "q1,y,x,tie", "q2,y,x,x", head="q,left one,right one,won"
    )
    mapped = "topic=q,first=left one,second=right one,choice=won"
    assert ranked(named, columns=mapped.split(",")).systems[0].wins == 2
    tuples = tmp_path / "tuples.jsonl"
    line = '{"topic": "T1", "items": ["x", "y", "z", "w"], "best": "y", "worst": "w"}\n'
    tuples.write_text(line, encoding="utf-8")
    table = Collection.load(tuples).preferences
    pairs = {(preference.first, preference.second) for preference in table}
    assert pairs == {("y", "x"), ("y", "z"), ("y", "w"), ("x", "w"), ("z", "w")}
    assert {preference.sides for preference in table} == {"unknown"}


def test_a_collection_keeps_preferences(tmp_path: Path) -> None:
    mine = Collection("mine", preferences=sample(3))
    for name in ("folder", "preferences.jsonl", "preferences.csv"):
        mine.save(tmp_path / name)
        again = Collection.load(tmp_path / name)
        assert again.preferences == mine.preferences
        assert again.data_hash == mine.data_hash


def test_power_plans_win_rates() -> None:
    result = power(sample(), difference=0.2)
    assert result[0].matrix.measure == "win-rate"
    assert "The pilot has 18 preferences per topic" in str(result)
    assert 3 < result[0].plan.typical.topics < 60
