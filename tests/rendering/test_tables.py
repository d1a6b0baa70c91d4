"""Tables in their four forms."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from pyramidion.rendering import Table

texts = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]), max_size=8)
cells = st.one_of(st.none(), st.integers(-(10**6), 10**6), texts)
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[cells] * width), max_size=5).map(
        lambda rows: Table(tuple(f"c{i}" for i in range(width)), tuple(rows))
    )
)


@given(tables)
def test_csv_reads_back(table):
    rows = list(csv.reader(io.StringIO(table.to_csv(safe=False), newline="")))
    expected = [["" if cell is None else str(cell) for cell in row] for row in table.rows]
    if len(table.columns) > 1:  # a lone empty cell is written as "" and reads back as itself
        assert rows[1:] == expected


@given(tables)
def test_records_have_every_column(table):
    assert all(tuple(record) == table.columns for record in table.to_records())


def test_text_aligns_numbers_right_and_words_left():
    table = Table(
        ("name", "n", "share"), (("a", 5, 0.5), ("long", 12345, None)), title="T", note="N"
    )
    lines = table.to_text().splitlines()
    assert lines[0] == "T"
    assert lines[-1] == "N"
    assert any(line.split() == ["long", "12,345", "–"] for line in lines)
    first, second = (line for line in lines if "0.5000" in line or "12,345" in line)
    assert first.index("5") + 1 == second.index("12,345") + len("12,345")


def test_text_wraps_to_the_width():
    table = Table(("text",), (("word " * 40,),))
    assert max(map(len, table.to_text(width=30).splitlines())) <= 30


def test_text_does_not_read_markup():
    assert "[bold]x[/bold]" in Table(("a",), (("[bold]x[/bold]",),)).to_text()


def test_latex_escapes_everything_special():
    latex = Table(("a_b",), (("50% & $1 #2 {x} ~ ^ \\",),)).to_latex()
    assert r"a\_b \\" in latex
    assert r"50\% \& \$1 \#2 \{x\} \textasciitilde{} \textasciicircum{} \textbackslash{}" in latex


def test_a_wide_table_of_few_rows_is_turned_round():
    table = Table(("task", "a long name", "another long name"), (("A", 1, 2), ("B", 3, None)))
    lines = [line.split() for line in table.to_text(width=24).splitlines() if line.strip()]
    assert lines[0] == ["task", "A", "B"]
    assert any(line[-2:] == ["2", "–"] for line in lines)


def test_csv_has_what_the_rows_have_in_common():
    table = Table(("n",), ((1,),), key=(("task", "A"),))
    assert table.to_csv() == "task,n\nA,1\n"
