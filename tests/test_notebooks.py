"""Results and collections in notebooks: pictures, one screen of HTML, and frames of any library."""

import json
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import pyramidion
from pyramidion.demo import load_demo
from pyramidion.errors import InputError

TEXTS = {
    "id": ["T1", "T1", "T2", "T2", "T3", "T3"],
    "model": ["a", "b"] * 3,
    "prediction": [
        "It rained.",
        "Rain fell today.",
        "Sun.",
        "The sun shone.",
        "Snow.",
        "It snowed.",
    ],
    "reference": ["It rained today."] * 2 + ["The sun shone."] * 2 + ["Snow fell today."] * 2,
    "fluency": [3, 4, 2, 5, 3, 4],
}
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "lists": dict}
pytestmark = pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")


@pytest.mark.parametrize("library", FRAMES)
def test_texts_in_frames_and_lists_are_scored(library):
    result = pyramidion.score(FRAMES[library](TEXTS), metrics="rouge-1")
    means = {row["system"]: row["mean"] for row in result}
    assert means.keys() == {"a", "b"}
    same = pyramidion.score(
        pyramidion.Collection.from_frame(pd.DataFrame(TEXTS)), metrics="rouge-1"
    )
    assert {row["system"]: row["mean"] for row in same} == means


@pytest.mark.parametrize(("library", "returned"), [("pandas", pd), ("polars", pl), ("lists", pd)])
def test_frames_come_back_in_the_library_that_was_given(library, returned):
    result = pyramidion.compare(FRAMES[library](TEXTS))
    assert isinstance(result.to_frame(), returned.DataFrame)
    assert isinstance(result.to_frame(library="polars"), pl.DataFrame)


def test_lists_in_the_values_are_frames_wherever_they_are_attributes():
    result = pyramidion.compare(TEXTS, measures="fluency")
    frame = result.to_frame("systems")
    assert frame["system"].tolist() == [system.system for system in result.systems] == ["b", "a"]
    assert frame["measure"].tolist() == ["fluency"] * 2
    assert result.to_frame("comparisons")["p"].tolist() == [result.p]
    choices = [["T1", "a", "b", "first"], ["T2", "a", "b", "second"], ["T3", "a", "b", "first"]]
    columns = ("topic", "first", "second", "choice")
    preferred = pyramidion.preferences(pl.DataFrame(choices, schema=columns, orient="row"))
    assert preferred.to_frame("systems")["system"].to_list() == ["a", "b"]
    with pytest.raises(InputError, match=r"available: .*ranking, .*systems, comparisons"):
        result.to_frame("nothing")


@pytest.mark.parametrize(
    ("function", "option", "hint"),
    [
        (pyramidion.score, "measures", "did you mean metrics"),
        (pyramidion.meta, "measures", "did you mean metrics"),
        (pyramidion.compare, "metrics", "did you mean measures"),
        (pyramidion.assessors, "metric", "did you mean metrics"),
    ],
)
def test_measures_exist_and_metrics_are_computed(function, option, hint):
    with pytest.raises(TypeError, match=hint):
        function(TEXTS, **{option: "rouge-1"})


def test_names_of_systems_are_not_data():
    with pytest.raises(InputError, match=r"'b' is not a list of scores; .*compare\(data\)"):
        pyramidion.compare("a", "b")


def test_predictions_and_references_as_in_other_libraries():
    texts = {
        "predictions": ["Rain fell.", "Sun."],
        "references": [["Rain fell.", "Rain."], ["Sun."]],
    }
    [mean] = pyramidion.score(texts, metrics="rouge-1-r")
    assert (mean["mean"], mean["n"]) == (1.0, 2)


def test_a_missing_text_is_listed():
    texts = TEXTS | {"prediction": [None, *TEXTS["prediction"][1:]]}
    result = pyramidion.score(texts, metrics="rouge-1")
    assert "1 without a text: T1, a" in result.left_out


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(InputError, match="different lengths: id 2, a 3"):
        pyramidion.compare({"id": ["T1", "T2"], "a": [1, 2, 3]})


def test_a_collection_fits_on_a_screen():
    collection = load_demo()
    assert len(repr(collection)) < 200
    assert "topics" in repr(collection)
    html = collection._repr_html_()
    assert len(html) < 2000
    assert html.count("<tr>") > 4


def test_markup_in_names_is_escaped():
    html = pyramidion.Collection("<script>x</script>")._repr_html_()
    assert "<script>" not in html


@pytest.mark.parametrize("kind", ["ranking", "scores"])
def test_every_plot_has_a_picture(kind):
    result = pyramidion.compare(load_demo(), measures=["responsiveness"], tasks=["A"])
    plot = result.plot(kind)
    pictures = [getattr(plot, name) for name in ("_repr_png_", "_repr_svg_") if hasattr(plot, name)]
    assert pictures
    assert len(pictures[0]()) > 1000


@pytest.mark.long
def test_jupyter_displays_pictures(tmp_path):
    """Run in a real notebook, where an object without a picture would be shown as text."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    cells = [
        "import pyramidion\nfrom pyramidion.demo import load_demo\ncollection = load_demo()",
        "result = pyramidion.compare(collection, measures=['responsiveness'], tasks=['A'])\nresult",
        "result.plot('ranking')",
        "result.plot('scores').to_figure()",
        "collection",
    ]
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": tmp_path}}
    ).execute()
    shown = [
        {kind for output in cell.outputs for kind in output.get("data", {})}
        for cell in notebook.cells
    ]
    Path(tmp_path / "run.json").write_text(json.dumps([sorted(kinds) for kinds in shown]))
    assert "text/html" in shown[1]
    assert shown[2] & {"image/png", "image/svg+xml"}
    assert shown[3] & {"image/png", "image/svg+xml"}
    assert "text/html" in shown[4]


NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_of_the_documentation_run(path, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": tmp_path}}
    nbclient.NotebookClient(notebook, timeout=300, resources=resources).execute()
    assert all(cell.outputs for cell in notebook.cells if cell.cell_type == "code")
