from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection import Judgment
from pyramidion.collection.measures import Scale
from pyramidion.datasets._duc.tables import (
    column_roles,
    nist_scales,
    read_nist_table,
    read_people,
)
from pyramidion.errors import FormatError, Where


def read(text, name="manual.peer"):
    return read_nist_table(text, Where(f"folder/{name}"))


def values(table):
    return {judgment.measure: judgment.value for judgment in table.judgments}


def test_peers_of_tac_2009_to_2011():
    table = read("D1113-B\t17\t0.286\t5\t1\tC\tC\t0.276\t4\t2\n", "manual.peer.B")
    assert values(table) == {
        "pyramid-modified": 0.286,
        "pyramid-scus": 5,
        "pyramid-repetitions": 1,
        "pyramid-modified-3": 0.276,
        "readability": 4,
        "responsiveness": 2,
    }
    assert {(j.topic, j.task, j.system, j.kind, j.assessor) for j in table.judgments} == {
        ("D1113", "B", "17", "machine", "C")
    }
    assert table.left_out == ()


def test_models_of_tac_2009_to_2011():
    table = read("D1113-A A 16 C C 0.905 5 5", "manual.model.A")
    assert values(table) == {
        "pyramid-scus-3": 16,
        "pyramid-modified-3": 0.905,
        "readability": 5,
        "responsiveness": 5,
    }
    assert table.judgments[0].kind == "human"


def test_peers_and_models_of_tac_2008():
    peers = read("D0801-A 0 0.1 2 0 F 0.09 3 1")
    models = read("D0801-A B 9 F 0.7 5 5", "manual.model")
    assert values(peers)["pyramid-modified-3"] == 0.09
    assert values(models)["pyramid-modified-3"] == 0.7
    assert {j.assessor for j in (*peers.judgments, *models.judgments)} == {"F"}


def test_a_second_person_is_counted():
    table = read("D1113-A 1 0.2 5 0 C C 0.2 4 2\nD1113-A 2 0.2 5 0 C D 0.2 4 2")
    assert table.left_out == ("1 rows of manual.peer that name a second person",)
    assert {judgment.assessor for judgment in table.judgments} == {"C"}


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("content.table", "content-responsiveness"),
        ("overall.table", "responsiveness"),
        ("Responsiveness.table", "responsiveness"),
    ],
)
def test_responsiveness_of_duc_under_a_preface(name, measure):
    text = "Scores\n\ndocset ... score\n-----\nD0601\tA\tB\tC\t4\nD0601\tA\tB\t17\t2\n"
    table = read(text, name)
    assert [(j.system, j.assessor, j.measure, j.value) for j in table.judgments] == [
        ("C", "B", measure, 4),
        ("17", "B", measure, 2),
    ]


def test_the_preface_can_name_the_measure():
    table = read("Content responsiveness\n\nD0601 A B 17 2", "2006.txt")
    assert table.judgments[0].measure == "content-responsiveness"
    assert read("D0601 A B 17 2", "2006.txt") is None


def test_linguistic_quality_of_duc():
    table = read("Quality\nD0601 A B 17 1 4\nD0601 A B 17 5 2", "linguistic_quality.table")
    assert values(table) == {"grammaticality": 4, "coherence": 2}


def test_pyramids_of_duc_2005_to_2007():
    copies = "4 3 5 4 3 2"
    oldest = read(f"301 7 0.3 0.25 6 1 13 4 {copies} none", "processed_pans.txt")
    older = read(f"D0601 07 0.25 6 1 13 Columbia {copies}", "2006_modified_scores.txt")
    newest = read(f"D0701 7 0.25 6 1 {copies}", "2007_modified_scores.txt")
    assert values(oldest) == {"pyramid": 0.3, **values(newest)}
    assert values(older) == values(newest)
    assert values(newest) == {
        "pyramid-modified": 0.25,
        "pyramid-scus": 6,
        "pyramid-repetitions": 1,
    }
    assert [t.judgments[0].topic for t in (oldest, older, newest)] == ["D301", "D0601", "D0701"]
    assert {t.judgments[0].system for t in (oldest, older, newest)} == {"7"}
    assert [t.judgments[0].assessor for t in (oldest, older, newest)] == ["13", "13", ""]
    shortest = read("D0701 7 0.25 6 1 x y", "2007_scores.txt")
    assert values(shortest) == values(newest)
    assert oldest.left_out == ("8 columns of processed_pans.txt that copy other tables",)
    # Those of later years are known; they serve where the tables they copy are missing.
    for table in (older, newest):
        assert [(j.measure, j.value, j.assessor) for j in table.copies] == [
            ("grammaticality", 4, ""),
            ("non-redundancy", 3, ""),
            ("referential-clarity", 5, ""),
            ("focus", 4, ""),
            ("coherence", 3, ""),
            ("content-responsiveness", 2, ""),
        ]
    assert older.people == (("", "D0601", "7", "13", "Columbia"),)
    update = read("D0703-A 7 0.25 6 1 21 22 3", "2007_modified_scores.txt")
    assert update.people == (("A", "D0703", "7", "21", "22"),)
    assert {j.assessor for j in update.judgments} == {"21"}


def test_headers_do_not_hide_what_a_table_is_about():
    text = "Topic\tSelector\tAssessor\tSummarizer\tScore\nD0601\tA\tB\t17\t4\n"
    assert values(read(text, "2006_content.table")) == {"content-responsiveness": 4}
    text = "Topic|Selector|Assessor|Summarizer|Score\n|  |  |  |\nD0601\tA\tB\t17\t4\n"
    assert values(read(text, "2006_content.table")) == {"content-responsiveness": 4}
    text = "Topic\tSelector\tAssessor\tSummarizer\tQuestion\tScore\nD0601\tA\tB\t17\t5\t2\n"
    assert values(read(text, "2006_linguistic_quality.table")) == {"coherence": 2}


def test_who_made_pyramids_and_annotated_peers():
    table = read_people("topic\tcreator\tannotator\nD0701\t7\t9\nD0703-A\t8\n")
    assert table is not None
    assert table.people == (("", "D0701", "", "9", "7"), ("A", "D0703", "", "", "8"))
    assert read_people("Ice melts.\nIt is old.\nRain fell.\n") is None


def test_a_table_with_a_header():
    text = (
        "setID\tpeerID\tmodified score\tLinguistic Quality\trouge-w-1.2-f\tremark\n"
        "D1113C-A\t17\t0.5\t\t-1e-3\tgood\n"
        "\n"
        "D1113C-B\tA\t\t4\t0.2\tbad\n"
    )
    table = read(text, "mine.tsv")
    assert [(j.topic, j.task, j.system, j.measure, j.value) for j in table.judgments] == [
        ("D1113C", "A", "17", "pyramid-modified", 0.5),
        ("D1113C", "A", "17", "rouge-w-1.2-f", -1e-3),
        ("D1113C", "B", "A", "readability", 4),
        ("D1113C", "B", "A", "rouge-w-1.2-f", 0.2),
    ]
    assert table.left_out == ("column `remark` of mine.tsv",)
    assert not table.has_assessors


def test_a_header_with_task_and_assessor_between_blanks():
    table = read("topic task system assessor overall\nrain-1 B lead K 3")
    assert table.judgments == (Judgment("rain-1", "lead", "responsiveness", 3, "B", assessor="K"),)
    assert table.has_assessors


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "Rain fell.",
        "topic system",
        "topic system overall",
        "topic system results\nof the evaluation",
        "topic topic system x\nD0901 D0901 1 2",
        "17 0.15\n18 0.2",
        "1 ROUGE-2 Eval D1113-A.M.100.C.17 R:0.05569 P:0.05928 F:0.05743",
    ],
)
def test_texts_that_are_not_score_tables(text):
    assert read(text, "results.table") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "D0801-A 0 0.1 2 0 F 0.09 3 1\nD0801-A 1 0.1 2",
            "line 2: the row has 4 columns, but the first row has 9; the file may be cut off",
        ),
        (
            "D0801-A 0 0.1 2 0 F 0.09 3 1\nD0801-A 1 0.1 2 0 F 0.09 x 1",
            "line 2: `readability` is 'x'; fix the row",
        ),
        (
            "D0801-A 0 NaN 2 0 F 0.09 3 1",
            "line 1: `pyramid-modified` is 'NaN', not a number; fix or remove the row",
        ),
        (
            "topic system overall\nD0901-A 1 4\nD0901-A 2 four",
            "line 3: `responsiveness` is 'four', not a number; fix or remove the row",
        ),
        ("topic system overall\nD0901-A 1 inf", "line 2: `responsiveness` is 'inf', not a number"),
        ("topic\tsystem\toverall\n\t1\t4", "line 2: the row names no summary; add topic"),
    ],
)
def test_bad_rows(text, message):
    with pytest.raises(FormatError) as error:
        read(text)
    assert str(error.value).startswith(f"folder/manual.peer, {message}")


def test_scales():
    old = Judgment("D0801", "17", "responsiveness", 3)
    wide = Judgment("D0901", "17", "responsiveness", 9)
    metric = Judgment("D0901", "17", "rouge-2-r", 0.1)
    strange = Judgment("rain", "17", "readability", 70)
    assert nist_scales([old, metric, strange]) == {"responsiveness": Scale(1, 5, 1)}
    assert nist_scales([old, wide]) == {"responsiveness": Scale(1, 10, 1)}


def test_names_of_columns():
    assert column_roles(["Docset", "Summarizer", "num_SCUs", "lingqual3"]) == [
        "topic",
        "system",
        "pyramid-scus",
        "referential-clarity",
    ]


@given(st.text())
def test_no_text_breaks_the_reader(text):
    with suppress(FormatError):
        read(text)


@given(
    st.integers(1, 99),
    st.tuples(*[st.floats(0, 1).map(lambda x: round(x, 3))] * 2),
    st.integers(1, 10),
)
def test_rows_are_read_as_they_are_written(system, scores, quality):
    table = read(f"D0901-A {system} {scores[0]} 5 0 A A {scores[1]} {quality} 2")
    by_measure = values(table)
    assert (by_measure["pyramid-modified"], by_measure["pyramid-modified-3"]) == scores
    assert by_measure["readability"] == quality
