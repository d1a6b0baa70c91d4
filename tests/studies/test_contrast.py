"""One topic on which a metric prefers machines: Rankel's Table 5.1."""

import pytest

from pyramidion.collection import Collection, ScoreMatrix, Scores, Summary
from pyramidion.errors import InputError, NotFoundError
from pyramidion.studies import contrast

#: Rankel, Table 5.1: pyramid, responsiveness, linguistic quality and ROUGE-2 on D1113C.
TABLE_5_1 = {
    "C": (0.905, 5, 5, 0.0556),
    "3": (0.123, 3, 2, 0.1370),
    "26": (0.238, 3, 3, 0.1369),
    "35": (0.153, 2, 2, 0.1191),
    "13": (0.182, 3, 2, 0.1135),
    "10": (0.209, 2, 3, 0.1059),
}
MEASURES = ("pyramid", "responsiveness", "readability", "rouge-2-r")
#: Others on that topic, whom neither the metric nor people prefer, and a topic without contrast.
OTHERS = {"A": (0.5, 4, 4, 0.2), "40": (0.1, 1, 1, 0.01)}
AGREED = {name: (row[0], *row[1:3], row[0] / 10) for name, row in {**TABLE_5_1, **OTHERS}.items()}


@pytest.fixture
def scores():
    rows = {"D1113": {**TABLE_5_1, **OTHERS}, "D1114": AGREED}
    names = list(rows["D1113"])
    human = [name.isalpha() for name in names]
    return Scores.concatenate(
        [
            ScoreMatrix(
                [[by_name[name][column] for name in names] for by_name in rows.values()],
                list(rows), names, human, measure=measure,
            ).to_scores()
            for column, measure in enumerate(MEASURES)
        ]
    )  # fmt: skip


def test_table_5_1(scores):
    result = contrast(scores, human="pyramid", metrics="rouge-2-r")
    (topic,) = result
    assert (topic.topic, topic.human, topic.metric) == ("D1113", "pyramid", "rouge-2-r")
    shown = {s.system: tuple(s.scores[name] for name in MEASURES) for s in topic.summaries}
    assert list(shown) == list(TABLE_5_1)
    assert shown == TABLE_5_1
    # Of 28 pairs of eight systems 15 are in the same order, by hand.
    assert topic.agreement == pytest.approx((2 * 15 - 28) / 28)
    frame = result.to_frame("contrast", library="pandas")
    assert frame["rouge_2_r"].tolist() == [row[3] for row in TABLE_5_1.values()]
    svg = result.plot("contrast").to_svg()
    assert svg.count(">person<") == svg.count(">26<") == len(MEASURES)
    # Each measure has its own scale: 5 of responsiveness, and a tenth of ROUGE.
    assert all(f">{tick}<" in svg for tick in ("5", "0.1"))


def test_a_topic_and_fewer_machines(scores):
    (topic,) = contrast(scores, human="pyramid", metrics="rouge-2-r", topic="D1114", machines=2)
    assert [s.system for s in topic.summaries] == ["C", "26", "10"]
    assert topic.agreement == pytest.approx(1)
    with pytest.raises(NotFoundError, match="there is no topic 'D1115'"):
        contrast(scores, human="pyramid", metrics="rouge-2-r", topic="D1115")


def test_scores_of_which_lower_is_better_keep_their_signs(scores):
    (topic,) = contrast(
        scores, human="pyramid", metrics="rouge-2-r", topic="D1113",
        lower_is_better="rouge-2-r", machines=1,
    )  # fmt: skip
    assert [(s.system, s.scores["rouge-2-r"]) for s in topic.summaries] == [
        ("C", 0.0556), ("40", 0.01),
    ]  # fmt: skip


def test_texts_of_the_person_and_of_the_machine_that_people_prefer(scores):
    summaries = [
        Summary("D1113", name, f"Text of {name}.", kind="human" if name == "C" else "machine")
        for name in TABLE_5_1
    ]
    mine = Collection("mine", summaries=tuple(summaries), scores=scores)
    result = contrast(mine, human="pyramid", metrics="rouge-2-r")
    (table,) = (table for table in result.tables if table.name == "texts")
    assert table.rows == (("C", "Text of C."), ("26", "Text of 26."))
    assert result[0].preferred == "26"
    lower = contrast(mine, human="pyramid", metrics="rouge-2-r", lower_is_better="pyramid")
    # Of the five machines, the one with the lowest score.
    assert lower[0].preferred == "3"


def test_without_people_there_is_nothing_to_contrast(scores):
    machines = scores.select(kind="machine")
    with pytest.raises(InputError, match="no topic has scores of a person and of a machine"):
        contrast(machines, human="pyramid", metrics="rouge-2-r")
