"""Counts of streams and tables of findings, by hand."""

import json
from itertools import pairwise

import numpy as np
import pytest

from pyramidion import check, describe
from pyramidion.collection import Collection, Scores
from pyramidion.rendering.charts.picture import Box, Text

COLUMNS = ("severity", "finding", "where", "what", "affected", "effect", "fix")


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


def scored(values, **columns):
    """Return scores of as many topics as each of three systems needs."""
    number = len(values)
    names = {
        "topic": [f"T{n // 3}" for n in range(number)],
        "system": ["xyz"[n % 3] for n in range(number)],
        "measure": ["m"] * number,
        "kind": ["machine"] * number,
    }
    return Scores(names | columns, values)


@pytest.mark.parametrize("steps", [11, 12])
def test_a_histogram_has_a_bar_for_each_of_twelve_numbers_or_twelve_bins(steps):
    """With the -999, there are twelve numbers and thirteen."""
    usual = [round(3 + 0.1 * (n % steps), 1) for n in range(59)]
    other = scored(np.full(30, 3.5), measure=["other"] * 30)
    collection = Collection("few", scores=Scores.concatenate([scored([-999, *usual]), other]))
    result = check(collection)
    finding = next(f for f in result if f.fix == "--missing m=-999")
    chart = next(c for c in result.charts if c.caption == f"{finding.subject}: {finding.kind}")
    picture = chart.draw()
    texts = [mark for mark in picture.marks if isinstance(mark, Text)]
    names = {mark.y: mark.text for mark in texts if mark.anchor == "end"}
    boxes = [mark for mark in picture.marks if isinstance(mark, Box)]
    bars = {(names[min(names, key=lambda y: abs(y - b.y - b.height / 2))], b.color): b.width
            for b in boxes}  # fmt: skip
    assert len(names) == 12
    assert picture.title == "m: m"
    if steps == 11:
        assert list(names.values()) == ["-999", *(f"{3 + 0.1 * n:g}" for n in range(11))]
        numbers = {f"{3 + 0.1 * n:g}": usual.count(round(3 + 0.1 * n, 1)) for n in range(11)}
    else:
        edges = [-999 + n * (4.1 + 999) / 12 for n in range(13)]
        between = pairwise(edges)
        assert list(names.values()) == [f"{low:.3g} to {high:.3g}" for low, high in between]
        numbers = {names[max(names)]: 59}
    # Other scores and affected ones have different colors; a bar is as wide as its number.
    lowest = names[min(names)]
    assert bars.keys() == {(lowest, "l2"), *((name, "u") for name in numbers)}
    unit = (bars[lowest, "l2"] + 0.008) / 1
    assert all(bars[n, "u"] + 0.008 == pytest.approx(unit * k) for n, k in numbers.items())


@pytest.mark.parametrize(("style", "excluded"), [(10, True), (11, False)])
def test_a_judge_is_left_out_of_a_copy_from_nine_tenths_of_the_scores_on(style, excluded, tmp_path):
    """M gives 90 times the same score for one measure, and different ones for another."""
    rng = np.random.default_rng(3)
    true = rng.integers(1, 6, 90)
    judged = [scored(true, assessor=["K"] * 90), scored(6 - true // 2, assessor=["L"] * 90),
              scored(np.full(90, 3), assessor=["M"] * 90)]  # fmt: skip
    judged.append(scored(rng.permutation(11)[:style], measure=["style"] * style,
                         assessor=["M"] * style))  # fmt: skip
    collection = Collection("two", scores=Scores.concatenate(judged))
    result = check(collection, fix=True, repaired=tmp_path / "copy.csv")
    assert "--exclude M" in [finding.fix for finding in result]
    log = tmp_path / "copy.csv.log"
    changed = log.read_text() if log.exists() else ""
    assert ("changed: --exclude M" in changed) == excluded


@pytest.mark.parametrize(("topics", "more"), [(66, ""), (67, " and 1 more")])
def test_a_page_lists_two_hundred_rows(topics, more):
    number = 3 * topics
    true = np.random.default_rng(1).integers(1, 6, number)
    judged = [
        scored(value, assessor=[name] * number)
        for name, value in (("K", true), ("L", true + (true == 2)), ("M", 6 - true))
    ]
    result = check(Collection("long", scores=Scores.concatenate(judged)))
    finding = next(f for f in result if f.fix == "--reverse M")
    page = result.page()
    assert f"{number} rows affected" in page
    last = min(200, number) - 1
    assert f"T{last // 3}, {'xyz'[last % 3]} by M, m{more}</p>" in page
    # The page's overview has neither the messages, which its sections have, nor the effects.
    overview = page[: page.index("rows affected")].partition("</thead>")[0]
    assert [overview.count(f">{name}<") for name in COLUMNS] == [1, 1, 1, 0, 1, 0, 1]
    assert finding.message[1:] in page


def test_streams_with_the_same_items_in_another_order_have_the_same_hash(stream, tmp_path):
    lines = stream.read_text().splitlines()
    other, less = tmp_path / "other.jsonl", tmp_path / "less.jsonl"
    other.write_text("\n".join(reversed(lines)))
    less.write_text("\n".join(lines[:2]))
    hashes = [str(describe(path, source_format="stream").signature)
              for path in (stream, other, less)]  # fmt: skip
    assert hashes[0] == hashes[1] != hashes[2]
