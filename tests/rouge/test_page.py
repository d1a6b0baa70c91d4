"""The pages about ROUGE show what their programs print."""

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("program", "page", "rows"), [("rouge_modes", "rouge", 10), ("coming_from", "coming_from", 8)]
)
def test_the_table_of_differences_is_what_the_program_prints(program, page, rows, capsys):
    runpy.run_path(str(DOCS / "snippets" / f"{program}.py"))
    printed = capsys.readouterr().out
    assert printed.count("\n") == rows
    assert printed in (DOCS / f"{page}.md").read_text(encoding="utf-8")


def test_theirs_and_the_same_in_our_own_way_are_the_same():
    table = (
        (DOCS / "coming_from.md")
        .read_text(encoding="utf-8")
        .split("| native interface, default options |")[1]
    )
    rows = [line.split("|")[2:5] for line in table.splitlines() if line.count("|") == 5][1:]
    assert len(rows) == 8
    assert all(theirs == same for theirs, same, _ in rows)
