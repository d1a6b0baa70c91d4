"""What `check` lists, draws and repairs just below and at its limits."""

import numpy as np
import pytest

from pyramidion import check, describe
from pyramidion.collection import Collection, Scores, Summary
from pyramidion.rendering.charts.picture import Box


def prose(words, *seed):
    """Write so many random words of a topic."""
    rng = np.random.default_rng([words, *seed])
    return " ".join(f"w{seed[0]}x{n}" for n in rng.integers(0, 60, words)) + "."


def summarized(sizes, *, topics=6):
    """Return summaries of so many words for each system, and references of twenty."""
    peers = (
        Summary(f"T{t}", system, prose(size, t, number), kind="machine")
        for t in range(topics)
        for number, (system, size) in enumerate(sizes.items())
    )
    references = (
        Summary(f"T{t}", "R", prose(20, t, 99), kind="human", role="reference")
        for t in range(topics)
    )
    return Collection("texts", summaries=(*peers, *references))


def findings_table(result):
    return next(table for table in result.tables if table.name == "findings")


@pytest.mark.parametrize(
    ("words", "question"),
    [
        (80, "do they contain the prompt or the document?"),
        (79, ""),
        (4, ""),
        (3, "was only a part of them read?"),
    ],
)
def test_lengths_are_doubtful_from_four_times_or_less_than_a_seventh_of_the_references(
    words, question
):
    result = check(summarized({"a": 20, "b": 20, "c": words}))
    assert [finding.message.rpartition(": ")[2] for finding in result] == [question] * bool(
        question
    )
    if not question:
        return
    [row] = findings_table(result).rows
    assert row[4:6] == (6, "recall and precision depend on the length")
    [picture] = [chart.draw() for chart in result.charts]
    widths = [mark.width + 0.008 for mark in picture.marks if isinstance(mark, Box)]
    assert np.allclose(np.array(widths) / widths[0], np.array([20, 20, words]) / 20)


def copied(number):
    """Return a system whose first summaries of ten are the references, and one that is sound."""
    summaries = []
    for topic in range(10):
        reference = prose(30, topic, 99)
        text = reference if topic < number else prose(31, topic, 1)
        summaries += [
            Summary(f"T{topic}", "R", reference, kind="human", role="reference"),
            Summary(f"T{topic}", "a", prose(30, topic, 0), kind="machine"),
            Summary(f"T{topic}", "b", text, kind="machine"),
        ]
    return Collection("copied", summaries=tuple(summaries))


@pytest.mark.parametrize(("number", "excluded"), [(8, False), (9, True)])
def test_a_system_is_left_out_of_a_copy_from_nine_tenths_of_its_summaries_on(
    number, excluded, tmp_path
):
    result = check(copied(number), fix=True, repaired=tmp_path / "copy")
    [finding] = result
    assert (finding.fix, len(finding.summaries)) == ("--exclude b", number)
    assert (tmp_path / "copy").exists() == excluded
    if excluded:
        assert {s.system for s in Collection.load(tmp_path / "copy").summaries} == {"R", "a"}
        log = (tmp_path / "copy.log").read_text()
        assert "changed: 10 of 30 summaries were left out" in log
        assert "not repaired" not in log


def measured(**measures):
    """Return scores of three systems for as many topics as there are values for each."""
    rows = [
        (f"T{n // 3}", "xyz"[n % 3], name, value)
        for name, values in measures.items()
        for n, value in enumerate(values)
    ]
    topics, systems, names, values = map(list, zip(*rows, strict=True))
    columns = {"topic": topics, "system": systems, "measure": names}
    return Collection("scored", scores=Scores(columns | {"kind": ["machine"] * len(rows)}, values))


def test_copied_measures_concern_no_row_and_cannot_be_repaired(tmp_path):
    values = np.random.default_rng(5).normal(3, 1, 60).round(2)
    doubtful = np.append(-999.0, values[1:])
    result = check(
        measured(p=values, q=values, r=doubtful), fix=True, repaired=tmp_path / "copy.csv"
    )
    rows = {row[1]: row for row in findings_table(result).rows}
    assert rows["measures with identical scores"][4:] == (
        None, "one measure counts twice", "--exclude q"
    )  # fmt: skip
    log = (tmp_path / "copy.csv.log").read_text()
    lines = [line for line in log.splitlines() if line.startswith("not repaired: ")]
    listed = [finding for finding in result if finding.severity != "note"]
    assert [line.split(": ")[1] for line in lines] == [
        finding.kind for finding in listed if "--missing" not in finding.fix
    ]
    assert "measures with identical scores" in log


def test_means_of_measures_have_three_digits():
    result = describe(measured(m=[1, 2, 2.2, 3, 5, 6.6]))
    table = next(table for table in result.tables if "measure" in table.columns)
    assert table.shown_cell(1 / 3) == "0.333"


@pytest.mark.parametrize(("share", "excluded"), [(1, True), (0.8, False)])
def test_a_constant_system_is_left_out_if_nearly_all_its_scores_are(share, excluded, tmp_path):
    rng = np.random.default_rng(6)
    flat = rng.normal(3, 1, 60).round(3)
    flat[::3] = 2.5
    more = {"q": rng.normal(3, 1, 15).round(3)} if share < 1 else {}
    check(measured(p=flat, **more), fix=True, repaired=tmp_path / "copy.csv")
    copy = tmp_path / "copy.csv"
    assert copy.exists() == excluded
    assert not excluded or "x" not in {row.split(",")[2] for row in copy.read_text().splitlines()}
