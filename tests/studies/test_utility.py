"""Relative utility: marks of sentences (Table 2.7), and what extracts are worth."""

from itertools import combinations
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pyramidion.collection import Document, Judgment, Scores, Summary
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError
from pyramidion.studies._source import StudyPart
from pyramidion.studies._utility import (
    JudgedSentences,
    SentenceFinder,
    first_sentences,
    gather_utility,
    numbered_sentences,
)
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
    found = judged(marks[:, None] + away).counts
    assert 100 * found[::-1] / len(marks) * 1.0014 == pytest.approx(TABLE_2_7, abs=0.005)
    shares = 100 * found / found.sum()
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
    worth = {own: marks[list(own)].sum() for own in extracts}
    best = max(worth.values())
    found = topic.score([topic.units[row] for row in chosen])
    if not best:
        assert isnan(found.score)
        return
    assert found.score == pytest.approx(worth[tuple(sorted(chosen))] / best)
    assert found.random == pytest.approx(np.mean(list(worth.values())) / best)
    judges = _agreement(marks, extracts)
    if isnan(judges):
        assert isnan(found.judges)
        return
    assert found.judges == pytest.approx(judges)
    if judges > found.random + 1e-9:
        expected = (found.score - found.random) / (judges - found.random)
        assert found.normalized == pytest.approx(expected)


def _agreement(marks, extracts):
    scores = []
    for a in range(marks.shape[1]):
        own = {e: marks[list(e), a].sum() for e in extracts}
        best_of_a = [e for e in extracts if own[e] == max(own.values())]
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
    found = judged([[9], [3]]).score(["d/1"])
    assert isnan(found.judges)
    assert isnan(found.normalized)
    assert found.score == 1


def rows(*given_):
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
        for year, topic, unit, judge, value in given_
    )


def test_judgments_are_gathered_by_topic():
    scores = rows(
        ("", "T10", "d/2", "L", 4.0),
        ("", "T10", "d/10", "K", 6.0),
        ("", "T2", "e/1", "K", 9.0),
        ("", "T10", "d/2", "K", 5.0),
    )
    first, second = gather_utility(scores)
    assert (first.name, second.name) == ("T2, task A", "T10, task A")
    assert (second.units, second.judges) == (("d/2", "d/10"), ("K", "L"))
    assert second.rounded.tolist() == [5, 6]
    [only] = gather_utility(scores, StudyPart(topic=("T2",)))
    assert only.topic == "T2"


def test_topics_of_different_years_stay_apart():
    found = gather_utility(rows(("1", "T1", "d/1", "K", 4.0), ("2", "T1", "d/1", "K", 8.0)))
    assert [(topic.topic, topic.rounded.tolist()) for topic in found] == [
        ("1/T1", [4]),
        ("2/T1", [8]),
    ]


def test_bad_judgments_are_told():
    with pytest.raises(InputError, match="no sentence has a judgment of relative-utility"):
        gather_utility(Scores({}, []))
    with pytest.raises(InputError, match="sentence d/1 of topic T1 is marked 11"):
        gather_utility(rows(("", "T1", "d/1", "K", 11.0)))
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
    assert SentenceFinder(DOCUMENTS).find(Summary("T1", "7", text)) == (units, foreign)


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
    assert SentenceFinder([BYLINE]).find(Summary("T1", "7", text)) == (units, foreign)


def test_sentences_have_the_numbers_that_summarizers_give():
    """Every sentence a summarizer can choose is found, under its own document and index."""
    for topic in load_demo().topics:
        source = Source.of_documents(topic.documents)
        units = [f"{own.document}/{own.index + 1}" for own in source.sentences]
        assert [unit for unit, _ in numbered_sentences(topic.documents)] == units
        assert SentenceFinder(topic.documents).find(Summary(topic.id, "7", source.texts)) == (
            tuple(units),
            0,
        )


def test_first_sentences_are_those_of_the_method_first():
    """The earliest document first, whatever the order in which they are given."""
    late, early = (Document(id, BYLINE.text, date=date) for id, date in
                   (("late", "2031-06-19"), ("early", "2031-06-18")))  # fmt: skip
    taken = first_sentences([late, early], 3)
    assert taken == ("early/1", "late/1", "early/2")
    source = Source.of_documents([late, early], rules=CandidateRules(0, repeats=True))
    chosen = parse_summarizer("first").summarize(source, Limit(14), order="chosen")
    assert tuple(f"{own.document}/{own.index + 1}" for own in chosen.sentences) == taken


def test_first_sentences_come_in_turn():
    assert first_sentences(DOCUMENTS, 4) == ("a/1", "b/1", "a/2", "b/2")
    assert first_sentences(DOCUMENTS, 99)[-1] == "a/3"
    assert first_sentences([], 3) == ()
