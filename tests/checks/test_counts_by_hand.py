"""Counts of streams and tables of findings, by hand."""

import json

import numpy as np
import pytest

from pyramidion import check, describe
from pyramidion.collection import Collection, Scores


@pytest.fixture
def stream(tmp_path):
    """Two topics: one machine on both, a person on one, and three references of four words."""
    items = [
        ("t1", "m", "machine", "one two three", ["a b c d", "e f g h"]),
        ("t1", "p", "human", "one two three four five", ["a b c d", "e f g h"]),
        ("t2", "m", "machine", "one", ["i j k l"]),
    ]
    names = ("topic", "system", "kind", "peer", "references")
    lines = [json.dumps(dict(zip(names, item, strict=True))) for item in items]
    path = tmp_path / "small.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_a_stream_is_counted(stream):
    [described] = describe(stream, source_format="stream")
    assert (described.topics, described.documents, described.scores) == (2, 0, 0)
    assert described.summaries == 3 + 3
    [task] = described.tasks
    assert (task.topics, task.documents, task.pyramids, task.scus) == (2, 0, 0, 0)
    assert (task.machines, task.references, task.peers) == (1, 3, 3)
    # One person is a peer, and a topic has at most two references.
    assert task.people == 1 + 2
    # 3 + 5 + 1 words of peers, 3 × 4 of references.
    assert task.mean_words == pytest.approx(21 / 6)


def placeholders(measures):
    """Return scores of three systems, with one -999 for each of several measures."""
    rng = np.random.default_rng(1)
    rows = [(f"T{t}", s, m) for m in measures for t in range(20) for s in "xyz"]
    values = np.round(rng.normal(3, 0.5, len(rows)), 2)
    values[:: 20 * 3] = -999
    columns = {
        "topic": [row[0] for row in rows],
        "system": [row[1] for row in rows],
        "measure": [row[2] for row in rows],
        "kind": ["machine"] * len(rows),
    }
    return Collection("many", scores=Scores(columns, values))


@pytest.mark.parametrize(("number", "listed"), [(5, 5), (6, 5)])
def test_findings_of_one_kind_are_summed_up_after_five(number, listed):
    result = check(placeholders([f"m{n}" for n in range(number)]))
    kind = next(f.kind for f in result if f.repairs and f.repairs[0].option == "missing")
    table = next(table for table in result.tables if table.name == "findings")
    rows = [row for row in table.rows if row[1] == kind]
    assert len([row for row in rows if row[0]]) == listed
    rest = [row for row in rows if not row[0]]
    assert [row[3] for row in rest] == ["the same"] * (number > 5)
    for row in rows[:listed]:
        assert row[4] == 1
        assert row[6].startswith("--missing")


def test_the_page_marks_what_is_affected():
    """Sixty scores, of which one is -999: in twelve bins, the lowest has it."""
    result = check(placeholders(["m"]))
    number, finding = next(
        (n, f) for n, f in enumerate(result) if f.repairs and f.repairs[0].option == "missing"
    )
    name = f"{number + 1}-{finding.code}"
    chart = next(chart for chart in result.charts if chart.name == name)
    assert chart.caption == f"{finding.subject}: {finding.kind}"
    page = result.page()
    assert "1 row affected" in page
    assert "Check of many" in page
