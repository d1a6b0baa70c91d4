"""Columns whose names only suggest what they hold are read if they look like it."""

import pytest

from pyramidion import compare
from pyramidion.collection import Collection
from pyramidion.errors import FormatError, InputError


def written(path, names, topics):
    rows = (
        f"T{topic},{name},{(7 * topic + 3 * number) % 5 + 0.5}\n"
        for topic in range(topics)
        for number, name in enumerate(names)
    )
    path.write_text("topic,variant,quality\n" + "".join(rows))
    return path


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("names", "topics", "systems"),
    [
        (["a", "b"], 4, True),
        (["a", "b"], 2, True),
        (["a", "b"], 1, False),
        (["a"], 4, False),
        (["a" * 60, "b"], 4, True),
        (["a" * 61, "b"], 4, False),
    ],
)
def test_variants_are_systems_if_they_are_short_and_repeated(names, topics, systems, tmp_path):
    path = written(tmp_path / "table.csv", names, topics)
    if systems:
        assert sorted(Collection.load(path).scores.distinct("system")) == names
    else:
        with pytest.raises(FormatError, match="no column of summaries or scores is recognized"):
            Collection.load(path)


def table_of(path, cell):
    """Write scores of two systems; `cell` writes those of the quality."""
    rows = [
        f"T{topic},{name},{cell(topic)},{topic % 4}"
        for topic in range(30)
        for name in ("bart", "lead")
    ]
    path.write_text("\n".join(["topic,system,quality,other", *rows]))
    return path


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("cell", "advice"),
    [
        (
            lambda n: f'"{n % 5},5"' if n < 5 else n % 5,
            "write a decimal point instead of the comma",
        ),
        (lambda n: "#DIV/0!" if n == 5 else n % 5, "a spreadsheet wrote a formula or its error"),
        (lambda n: f"=A{n}+B{n}" if n < 4 else n % 5, "a spreadsheet wrote a formula or its error"),
        (lambda n: f"{n}ms" if n % 2 else f"{n}.5s", "write the number only"),
        (lambda n: ("poor", "good")[n % 2], "write numbers instead of words"),
    ],
)
def test_a_measure_that_is_asked_for_and_not_read_is_explained(cell, advice, tmp_path):
    message = f"column quality was not read as a measure: line [0-9]+ has .*{advice}"
    with pytest.raises(InputError, match=message):
        compare(table_of(tmp_path / "s.csv", cell), measures=["quality"])


@pytest.mark.filterwarnings("ignore")
def test_an_index_column_of_a_wide_table_is_not_a_system(tmp_path):
    (tmp_path / "w.csv").write_text(
        "Unnamed: 0,topic,bart,lead\n" + "".join(f"{n},T{n},{n}.5,{n % 4}\n" for n in range(5))
    )
    assert Collection.load(tmp_path / "w.csv").scores.distinct("system") == ("bart", "lead")


@pytest.mark.filterwarnings("ignore")
def test_preferences_have_topics_and_assessors_with_likely_names(tmp_path):
    rows = [f"p{n},{who},bart,lead,bart\n" for n in range(5) for who in ("ann", "ben")]
    (tmp_path / "p.csv").write_text("prompt,reviewer,model_a,model_b,winner\n" + "".join(rows))
    columns = Collection.load(tmp_path / "p.csv").preferences.columns
    assert ({*columns["topic"]}, {*columns["assessor"]}) == (
        {f"p{n}" for n in range(5)},
        {"ann", "ben"},
    )


_ROWS = "T1,bart,3\nT2,bart,4\nT3,bart,5\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!DOCTYPE html>\n<html></html>\n", "this is a web page, not a table"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "a pointer of Git LFS"),
        (f"# made today\ntopic,system,a\n{_ROWS}", "line 2: .*remove comments and titles above"),
        (f"topic,system,a\n{_ROWS}Total,3\n", "line 5: .*if the last line is a footer, remove it"),
        (f"topic,system,a\nT1,3\n{_ROWS}", "line 2: .*a field with a comma lacks quotation marks"),
        (
            f"topic,system,a\n{_ROWS}Rows: 3,,\n",
            "`system` is empty; fill it in, or remove the line",
        ),
        (f"topic,system,a\nT1,,3\n{_ROWS}", "`system` is empty; fill it in"),
    ],
)
def test_what_is_no_table_says_what_it_is(text, message, tmp_path):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        Collection.load(tmp_path / "t.csv")
