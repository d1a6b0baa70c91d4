"""Relative utility: marks of sentences (Table 2.7), and what extracts are worth."""

from itertools import combinations
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pyramidion.collection import Collection, Document, Judgment, Scores, Summary, Topic
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError
from pyramidion.studies import JudgedSentences, utility
from pyramidion.summarizers import CandidateRules, Limit, Source, parse_summarizer

#: Thesis, page 26, Table 2.7: percent of sentences with the mark 10, 9, ..., 0.
TABLE_2_7 = (0.14, 4.68, 17.90, 26.93, 23.58, 11.46, 7.74, 4.26, 2.27, 0.98, 0.20)


def judged(marks, judges="KLM"):
    table = np.asarray(marks, dtype=float)
    units = tuple(f"d/{row}" for row in range(1, len(table) + 1))
    return JudgedSentences("", "T1", units, tuple(judges[: table.shape[1]]), table)


def test_marks_of_table_2_7():
    """Three judges round each sentence's mark; the printed percentages add up to 100.14."""
    marks = np.repeat(np.arange(10, -1, -1), np.rint(np.array(TABLE_2_7) * 100).astype(int))
    away = np.array([0.0, 0.0, 1.0]) * np.where(marks < 10, 1, 0)[:, None]
    counts = judged(marks[:, None] + away).counts
    assert 100 * counts[::-1] / len(marks) * 1.0014 == pytest.approx(TABLE_2_7, abs=0.005)
    shares = 100 * counts / counts.sum()
    # Page 24: 80 % are between 5 and 8, and only 5 % are 9 or 10.
    assert round(shares[5:9].sum()) == 80
    assert round(shares[9:].sum()) == 5


@pytest.mark.parametrize(
    ("marks", "rounded"),
    [((9, 10), 10), ((8, 9), 9), ((0, 1), 1), ((7, 7, 8), 7), ((7, 8, 8), 8), ((4, np.nan), 4)],
)
def test_means_are_rounded_half_up(marks, rounded):
    assert judged([marks]).rounded.tolist() == [rounded]


MARKS = arrays(
    np.int64, st.tuples(st.integers(2, 6), st.integers(2, 3)), elements=st.integers(0, 10)
)


@given(MARKS, st.data())
def test_scores_are_those_of_all_extracts(marks, data):
    """S against the best of all extracts, R as the mean of all, J with ties drawn by lot."""
    topic = judged(marks)
    number = data.draw(st.integers(1, len(marks)))
    chosen = data.draw(st.permutations(range(len(marks))))[:number]
    extracts = list(combinations(range(len(marks)), number))
    utilities = {rows: marks[list(rows)].sum() for rows in extracts}
    best = max(utilities.values())
    extract = topic.score([topic.units[row] for row in chosen])
    assert extract.sentences == number
    if not best:
        assert isnan(extract.score)
        return
    assert extract.score == pytest.approx(utilities[tuple(sorted(chosen))] / best)
    assert extract.random == pytest.approx(np.mean(list(utilities.values())) / best)
    judges = _agreement(marks, extracts)
    if isnan(judges):
        assert isnan(extract.judges)
        return
    assert extract.judges == pytest.approx(judges)
    if judges > extract.random + 1e-9:
        expected = (extract.score - extract.random) / (judges - extract.random)
        assert extract.normalized == pytest.approx(expected)


def _agreement(marks, extracts):
    scores = []
    for a in range(marks.shape[1]):
        utilities = {e: marks[list(e), a].sum() for e in extracts}
        best_of_a = [e for e in extracts if utilities[e] == max(utilities.values())]
        for b in range(marks.shape[1]):
            if a != b:
                top = max(marks[list(e), b].sum() for e in extracts)
                if not top:
                    return float("nan")
                scores.append(np.mean([marks[list(e), b].sum() / top for e in best_of_a]))
    return float(np.mean(scores))


@given(MARKS)
def test_the_best_extract_scores_1_and_judges_who_agree_get_everything(marks):
    topic = judged(marks + 1)
    for number in range(1, len(marks) + 1):
        best = np.argsort(-topic.means, kind="stable")[:number]
        assert topic.score([topic.units[row] for row in best]).score == pytest.approx(1)
    alike = judged(np.repeat(marks[:, :1] + 1, 2, axis=1))
    assert alike.agreement(2) == pytest.approx(1)


def test_one_judge_agrees_with_nobody():
    extract = judged([[9], [3]]).score(["d/1"])
    assert isnan(extract.judges)
    assert isnan(extract.normalized)
    assert extract.score == 1


def rows(*judgments):
    return Scores.from_judgments(
        Judgment(
            topic,
            "input",
            "relative-utility",
            value,
            task="A",
            kind="human",
            assessor=judge,
            unit=unit,
            collection=year,
        )
        for year, topic, unit, judge, value in judgments
    )


def test_judgments_are_gathered_by_topic():
    scores = rows(
        ("", "T10", "d/2", "L", 4.0),
        ("", "T10", "d/10", "K", 6.0),
        ("", "T2", "e/1", "K", 9.0),
        ("", "T10", "d/2", "K", 5.0),
    )
    first, second = utility(scores)[0].topics
    assert (first.name, second.name) == ("T2, task A", "T10, task A")
    assert (second.units, second.judges) == (("d/2", "d/10"), ("K", "L"))
    assert second.rounded.tolist() == [5, 6]
    [only] = utility(scores, topic="T2")[0].topics
    assert only.topic == "T2"


def test_topics_of_different_years_stay_apart():
    scores = rows(("1", "T1", "d/1", "K", 4.0), ("2", "T1", "d/1", "K", 8.0))
    assert [(topic.topic, topic.rounded.tolist()) for topic in utility(scores)[0].topics] == [
        ("1/T1", [4]),
        ("2/T1", [8]),
    ]


def test_repeated_marks_of_a_judge_are_averaged():
    scores = rows(("", "T1", "d/1", "K", 4.0), ("", "T1", "d/1", "K", 8.0))
    assert utility(scores)[0].topics[0].marks.tolist() == [[6]]


def test_bad_judgments_are_errors():
    with pytest.raises(InputError, match="no sentence has a judgment of usefulness"):
        utility(rows(("", "T1", "d/1", "K", 1.0)), measure="usefulness")
    for mark in (11.0, -1.0):
        with pytest.raises(InputError, match=f"sentence d/1 of topic T1 is marked {mark:g}"):
            utility(rows(("", "T1", "d/1", "K", mark)))
    topic = judged([[9], [3]])
    with pytest.raises(NotFoundError, match="T1 has no judged sentence 'd/9'"):
        topic.score(["d/1", "d/9"])
    with pytest.raises(InputError, match="d/1 is in the extract twice"):
        topic.score(["d/1", "d/1"])
    with pytest.raises(InputError, match="the extract has no sentence"):
        topic.score([])


# Extracts

DOCUMENTS = (
    Document("a", "OSLO, May 1 (AP) - Rain fell on the old town all day. Roads were closed.\n\n"
             "Nobody was hurt in the flood of the century."),
    Document("b", "Roads were closed. Ships stayed in the harbour."),
)  # fmt: skip


def collection(documents, *summaries, size=3):
    """Make a collection in which sentences have marks that tell extracts apart."""
    units = [f"{document.id}/{number}" for document in documents for number in range(1, size + 1)]
    marks = [("", "T1", unit, "K", 10 / (row + 1) ** 1.5) for row, unit in enumerate(units)]
    peers = tuple(Summary("T1", f"{n}", text, task="A") for n, text in enumerate(summaries))
    topic = Topic("T1", documents=tuple(documents))
    return Collection("c", topics=(topic,), summaries=peers, scores=rows(*marks))


def assert_same(extract, expected):
    assert (extract.sentences, extract.score) == (expected.sentences, expected.score)


def check_extract(documents, text, units, foreign):
    """Check which sentences of the input the extract has, or how many it has of others."""
    result = utility(collection(documents, text))
    extracts = {value.name: value for value in result[1:]}
    if foreign:
        several = (
            "sentences are not judged sentences"
            if foreign > 1
            else "sentence is not a judged sentence"
        )
        assert f"T1, task A, 0: {foreign} {several} of the input" in result.left_out
    else:
        assert_same(extracts["0"].score, result[0].topics[0].score(units))
        assert extracts["0"].kind == "machine"


@pytest.mark.parametrize(
    ("text", "units", "foreign"),
    [
        ("Roads were closed. Ships stayed in the harbour.", ("a/2", "b/2"), 0),
        ("roads WERE closed!\nShips stayed in the harbour", ("a/2", "b/2"), 0),
        (("Roads were closed.", "Snow fell."), ("a/2",), 1),
        ("Rain fell on the old town all day.", ("a/1",), 0),
        ("Roads were closed. Nobody was hurt in the", ("a/2", "a/3"), 0),
        ("Nobody was hurt in the. Roads were closed.", ("a/2",), 1),
        ("Roads were closed. Roads were closed.", ("a/2",), 0),
        ("Roads were closed. Nobody was", ("a/2",), 1),
        ("Roads were closed. Ships stayed in the harbour.\nSnow fell.", ("a/2", "b/2"), 1),
    ],
)
def test_sentences_are_found_again(text, units, foreign):
    check_extract(DOCUMENTS, text, units, foreign)


BYLINE = Document(
    "c",
    "By INES FALK\n\nTAMSIN, June 19 - Fallen banker Casimir Vorrin was sentenced. He appealed.\n\n"
    "Officials in Tamsin were sentenced. (MORE)",
    date="2031-06-19",
)


@pytest.mark.parametrize(
    ("text", "units", "foreign"),
    [
        # As `summarize` writes it, as the document has it, and cut off.
        (("Fallen banker Casimir Vorrin was sentenced.",), ("c/1",), 0),
        (("TAMSIN, June 19 - Fallen banker Casimir Vorrin was sentenced.",), ("c/1",), 0),
        ("He appealed. TAMSIN, June 19 - Fallen banker Casimir Vorrin was", ("c/2", "c/1"), 0),
        # A byline is no sentence; what only ends like one of the input is another.
        (("By INES FALK", "He appealed."), ("c/2",), 0),
        (("Casimir Vorrin was sentenced.", "He appealed."), ("c/2",), 1),
        (("Yesterday he appealed.", "He appealed."), ("c/2",), 1),
    ],
)
def test_datelines_and_bylines_are_not_counted(text, units, foreign):
    check_extract([BYLINE], text, units, foreign)


def test_sentences_have_the_numbers_that_summarizers_give():
    """Every sentence a summarizer can choose is found, under its own document and index."""
    for topic in load_demo().topics:
        source = Source.of_documents(topic.documents)
        units = [f"{sentence.document}/{sentence.index + 1}" for sentence in source.sentences]
        scores = rows(*(("", topic.id, unit, "K", 5.0) for unit in units))
        summary = Summary(topic.id, "7", source.texts, task="A")
        result = utility(Collection("c", topics=(topic,), summaries=(summary,), scores=scores))
        assert result.left_out == ()
        assert {value.name: value.score.sentences for value in result[1:]} == {
            "first sentences": 5,
            "7": len(units),
        }


def test_first_sentences_are_those_of_the_method_first():
    """The earliest document first, whatever the order in which they are given."""
    late, early = (Document(id, BYLINE.text, date=date) for id, date in
                   (("late", "2031-06-19"), ("early", "2031-06-18")))  # fmt: skip
    check_first([late, early], 3, ("early/1", "late/1", "early/2"))
    source = Source.of_documents([late, early], rules=CandidateRules(0, repeats=True))
    chosen = parse_summarizer("first").summarize(source, Limit(14), order="chosen")
    units = [f"{sentence.document}/{sentence.index + 1}" for sentence in chosen.sentences]
    assert units == ["early/1", "late/1", "early/2"]


def check_first(documents, number, units):
    marks, baseline = utility(collection(documents), sentences=number)
    assert (baseline.name, baseline.kind) == ("first sentences", "baseline")
    assert_same(baseline.score, marks.topics[0].score(units))


def test_first_sentences_come_in_turn():
    check_first(DOCUMENTS, 4, ("a/1", "b/1", "a/2", "b/2"))
    check_first(DOCUMENTS, 99, ("a/1", "b/1", "a/2", "b/2", "a/3"))


def test_what_cannot_be_scored_is_reported():
    """The second document has two sentences, so that its third judged one does not exist."""
    result = utility(collection(DOCUMENTS, "Roads were closed."), sentences=1)
    [line] = result.left_out
    assert line.startswith("T1, task A: 1 judged sentence is not in the documents (b/3); ")
    bare = utility(rows(("", "T1", "d/1", "K", 4.0)))
    assert bare.left_out == ("T1, task A: it has no documents, so extracts cannot be found",)
    assert len(bare) == 1


def test_a_given_extract_is_scored_where_its_first_sentence_is():
    scores = rows(("", "T1", "d/1", "K", 4.0), ("", "T2", "e/1", "K", 4.0))
    extract = utility(scores, extract="e/1")[1]
    assert (extract.name, extract.topic.topic) == ("as given", "T2")
    with pytest.raises(InputError, match="no topic has a judged sentence 'x/1'"):
        utility(scores, extract="x/1")
