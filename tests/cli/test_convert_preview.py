"""What `convert --dry-run` shows: the first three records, and the beginnings of long texts."""

import pytest

from pyramidion.cli.runtime import run
from pyramidion.collection import Collection, Scores, Summary


def shown(source, tmp_path, capsys):
    """Read the rows of the table of records."""
    assert (
        run(["convert", str(source), str(tmp_path / "new"), "--dry-run", "--format", "markdown"])
        == 0
    )
    assert not (tmp_path / "new").exists()
    lines = capsys.readouterr().out.partition("First records")[2].splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    return [(int(number), *rest) for number, *rest in rows if number.isdecimal()]


@pytest.mark.parametrize("number", [2, 4])
def test_the_first_three_summaries(number, tmp_path, capsys):
    texts = ["x" * 60, "y" * 61, "z " * 40, "short"]
    peers = (
        Summary(f"T{n}", "s", text, kind="machine", role="peer") for n, text in enumerate(texts)
    )
    source = tmp_path / "source"
    Collection("c", summaries=tuple(peers)[:number]).save(source)
    rows = shown(source, tmp_path, capsys)
    assert [(n, text) for n, part, text in rows if part == "text"] == [
        (1, "x" * 60), (2, f"{'y' * 59}…"), (3, f"{'z ' * 29}z…"),
    ][:number]  # fmt: skip
    assert [text for n, part, text in rows if part == "topic"] == ["T0", "T1", "T2"][:number]
    assert rows[1] == (1, "system", "s (machine)")


def test_the_first_three_scores(tmp_path, capsys):
    columns = {
        "topic": ["a", "b", "c", "d"],
        "system": [*"stuv"],
        "kind": ["machine"] * 4,
        "measure": ["m"] * 4,
        "assessor": ["", "K", "", ""],
    }
    source = tmp_path / "scores.csv"
    Collection("c", scores=Scores(columns, [1, 2.5, 3, 4])).save(source)
    assert [row for row in shown(source, tmp_path, capsys) if row[1] != "system"] == [
        (1, "topic", "a"), (1, "m", "1"), (2, "topic", "b"), (2, "m", "2.5 by K"),
        (3, "topic", "c"), (3, "m", "3"),
    ]  # fmt: skip
