"""How figures are written: every form, the same bytes, whole or not at all."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from xml.etree import ElementTree

import matplotlib as mpl
import pytest

from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import compare
from pyramidion.errors import InputError, MissingExtraError, NotFoundError, visible
from pyramidion.rendering import charts
from pyramidion.rendering.charts import Picture, render, save
from pyramidion.rendering.charts.picture import palette
from pyramidion.rendering.charts.style import BLUE, FIGURE_FORMS, GRAY, VERMILLION
from pyramidion.rendering.charts.tiles import PAIR_COLORS
from pyramidion.rendering.page import read_page_file
from rendering.figures.samples import FIGURES, THREE, draw, power, result_of, scores

SVG = "{http://www.w3.org/2000/svg}"

BEGINNINGS = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
ONE_OF_EACH = ["matrix-3", "tukey-3", "power", "ranking-3", "pairs-3", "wins-3"]


@pytest.fixture(scope="module")
def figure():
    return compare(scores(3, 4, 1)).plot("scores")


@pytest.mark.parametrize("form", FIGURE_FORMS)
@pytest.mark.parametrize("upper", [False, True])
def test_the_ending_names_the_form(form, upper, figure, tmp_path):
    name = f"figure.{form}"
    path = save(figure, tmp_path / (name.upper() if upper else name))
    assert path.read_bytes().startswith(BEGINNINGS[form])
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("name", "ending"), [("a.jpg", ".jpg"), ("a", ""), ("a.svg.gz", ".gz")])
def test_an_unknown_ending_is_refused_in_one_line(name, ending, figure, tmp_path):
    with pytest.raises(InputError) as refused:
        save(figure, tmp_path / name)
    assert str(refused.value) == (
        f"{tmp_path / name}: no figure can be written as {ending!r}; "
        "end the name in .svg, .pdf or .png"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(figure, tmp_path):
    with pytest.raises(NotFoundError, match="nowhere does not exist"):
        save(figure, tmp_path / "nowhere" / "a.svg")


@pytest.mark.parametrize("form", FIGURE_FORMS)
@pytest.mark.parametrize("name", ["matrix-3", "power"])
def test_a_failure_leaves_the_old_file_and_nothing_else(form, name, tmp_path):
    path = tmp_path / f"figure.{form}"
    path.write_bytes(b"old")

    def fail(*_):
        raise RuntimeError

    figure = FIGURES[name]()
    if isinstance(figure, Picture):
        figure = replace(figure, marks=type("Broken", (list,), {"__iter__": fail})())
    else:
        figure.axes[-1].draw = fail
    with pytest.raises(RuntimeError):
        save(figure, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        *((name, "svg") for name in ONE_OF_EACH),
        pytest.param("matrix-3", "pdf", marks=pytest.mark.long),
        ("matrix-3", "png"),
    ],
)
def test_the_same_figure_gives_the_same_bytes(name, form):
    first, second = FIGURES[name](), FIGURES[name]()
    once = render(first, form)
    assert render(first, form) == once
    assert render(second, form) == once


def test_another_process_gives_the_same_bytes(figure):
    code = (
        "import sys; from rendering.figures.samples import scores; "
        "from pyramidion.comparison import compare; "
        "from pyramidion.rendering.charts import render; "
        "figure = compare(scores(3, 4, 1)).plot('scores'); "
        "sys.stdout.buffer.write(render(figure, 'svg')); "
        "sys.exit('matplotlib' in sys.modules)"
    )
    environment = {"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": "7", "MPLBACKEND": "svg"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env=environment
    )
    assert done.stdout == render(figure, "svg")


def test_no_form_holds_a_date(figure):
    assert b"dc:date" not in render(figure, "svg")
    assert b"CreationDate" not in render(figure, "pdf")


def test_the_title_is_in_the_file_for_readers_that_cannot_see(figure):
    assert "<title>Scores: rouge-2-r ↑, task A</title>" in render(figure, "svg").decode()


def test_user_settings_neither_matter_nor_change(figure):
    expected = render(figure, "png")
    with mpl.rc_context({"font.size": 30, "axes.grid": True, "lines.linewidth": 9}):
        user_settings = dict(mpl.rcParams)
        assert render(draw("scores", scores(3, 4, 1)), "png") == expected
        assert dict(mpl.rcParams) == user_settings


def test_figures_can_be_drawn_in_threads(figure):
    before, expected = dict(mpl.rcParams), render(figure, "png")
    with ThreadPoolExecutor(4) as pool:
        written = pool.map(lambda _: render(draw("scores", scores(3, 4, 1)), "png"), range(4))
        assert set(written) == {expected}
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("name", ["$x_1$", "a_b^c \\frac", "系统", "two\nlines", "\x07bell", "…"])
def test_any_name_can_be_drawn(name):
    matrix = ScoreMatrix([[1, 2]], [name], [name, "8"], measure=name, task=name)
    svg = ElementTree.fromstring(render(draw("scores", matrix), "svg"))
    shown = {text.text for text in svg.iter(f"{SVG}text")}
    assert visible(" ".join(name.split())) in shown
    assert render(draw("scores", matrix), "png")


def test_names_are_text_and_no_formulas():
    picture = draw("scores", ScoreMatrix([[1, 2]], ["T1"], ["$x$", "8"]))
    labels = picture.to_figure().axes[0].texts
    assert [label.get_text() for label in labels].count("$x$") == 1
    assert not any(label.get_parse_math() for label in labels)


def test_without_matplotlib_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    picture = draw("ranking", result_of(*THREE))
    for use_matplotlib in (
        picture.to_figure,
        lambda: picture.savefig(tmp_path / "ranking.pdf"),
        lambda: draw("power", power(), measure="responsiveness", task="A"),
    ):
        with pytest.raises(MissingExtraError) as missing:
            use_matplotlib()
        assert str(missing.value) == (
            'drawing figures needs an optional dependency; run: pip install "pyramidion[plot]"'
        )
    assert list(tmp_path.iterdir()) == []


def test_pictures_need_no_matplotlib(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    picture = draw("ranking", result_of(*THREE))
    picture.savefig(tmp_path / "ranking.svg")
    svg = (tmp_path / "ranking.svg").read_text(encoding="utf-8")
    assert svg == picture.to_svg() == picture._repr_svg_()
    shown = [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert shown[0] == picture.title
    assert {"A", "7", "8", "machine", "person"} <= {*shown}


def test_both_forms_of_a_picture_say_the_same():
    picture = FIGURES["pairs-3"]()
    svg = [str(text.text) for text in ElementTree.fromstring(picture.to_svg()).iter(f"{SVG}text")]
    assert sorted(svg) == sorted(text.get_text() for text in picture.to_figure().axes[0].texts)


def test_pages_and_figures_have_the_same_colors():
    sheet = read_page_file("blocks.css")
    light, dark = (
        dict(re.findall(r"--(\w+): (#\w+)", part)) for part in sheet.split("@media", 2)[:2]
    )
    assert light.items() <= palette().items()
    # What is not a scale of its own has a color for dark screens, too.
    assert {name for name in light if not re.fullmatch(r"s\d|z", name)} == {*dark}
    shades = (f"s{shade}" for shade in range(10))
    used = {*PAIR_COLORS, *shades, "z", "ink", "soft", "line", "tint", "paper", "on"}
    assert used <= palette().keys()
    assert (palette()["h2"], palette()["l2"], palette()["q"]) == (BLUE, VERMILLION, GRAY)


def test_drawing_a_picture_does_not_import_matplotlib():
    code = "import sys; from pyramidion import compare; compare([3, 5], [1, 4]).plot('ranking'); "
    code += "print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_public_names_are_sorted():
    assert charts.__all__ == sorted(charts.__all__)
