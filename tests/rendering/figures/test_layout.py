"""No text overlaps another or leaves its figure."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from pyramidion.collection import ScoreMatrix
from pyramidion.rendering.charts import Picture
from pyramidion.rendering.charts.layout import (
    label_size,
    label_step,
    row_pitch,
    text_width,
    wrap_text,
)
from pyramidion.rendering.charts.picture import Box, Line, Tiles
from pyramidion.rendering.charts.style import style_context
from pyramidion.rendering.labels import short_names
from rendering.figures import (
    samples,
    test_assessors,
    test_judging,
    test_metrics,
    test_pyramid,
    test_pyramid_reliability,
    test_references,
    test_study,
)
from rendering.figures.geometry import RECORDED, geometry
from rendering.figures.reading import names
from rendering.figures.samples import draw, scores

#: The boxes of an SVG and of all its texts.
BOXES = """() => [...document.querySelectorAll("svg, text")].map(element => {
    const box = element.getBoundingClientRect();
    return [element.textContent, box.left, box.top, box.right, box.bottom];
})"""

#: Every figure, small and large, by the name of its module and its own.
FIGURES = {
    f"{module.__name__.rpartition('.')[2].removeprefix('test_')}-{name}": draw
    for module in (
        samples,
        test_assessors,
        test_judging,
        test_metrics,
        test_pyramid,
        test_pyramid_reliability,
        test_references,
        test_study,
    )
    for name, draw in module.FIGURES.items()
}


def as_figure(drawing):
    return drawing.to_figure() if isinstance(drawing, Picture) else drawing


def drawn_texts(figure):
    """Find the texts that are really drawn, with their boxes in pixels."""
    boxes = []
    draw_text = Text.draw

    def spy(self, renderer, *args, **options):
        if self.get_visible() and self.get_text().strip():
            boxes.append((self.get_text(), self.get_window_extent()))
        return draw_text(self, renderer, *args, **options)

    with style_context(), patch.object(Text, "draw", spy):
        figure.draw_without_rendering()
    return boxes


def overlapping(texts):
    boxes = np.array([box.extents for _, box in texts])
    low, high = boxes[:, None, :2], boxes[:, None, 2:]
    # Half a pixel of a hundredth of an inch is rounding.
    apart = ((low + 0.5 >= high.swapaxes(0, 1)) | (high - 0.5 <= low.swapaxes(0, 1))).any(axis=2)
    np.fill_diagonal(apart, val=True)
    return [(texts[i][0], texts[j][0]) for i, j in np.argwhere(~apart)]


def is_inside(mark, size):
    """Return whether a mark begins and ends on the page, with a hair's breadth for rounding."""
    match mark:
        case Box(width=across, height=down) | Line(across=across, down=down):
            pass
        case Tiles(cell=(width, height), codes=codes):
            down, across = codes.shape[0] * height, codes.shape[1] * width
        case _:
            across = down = 0
    ends = zip((mark.x, mark.y), (mark.x + across, mark.y + down), size, strict=True)
    return all(-0.02 <= position <= limit + 0.02 for *pair, limit in ends for position in pair)


def is_large(name):
    return any(word in name for word in ("-66", "-many", "-much", "-ten"))


def _figure(name):
    return pytest.param(name, marks=[pytest.mark.long] if is_large(name) else [])


GEOMETRY = json.loads(RECORDED.read_bytes())


@pytest.mark.parametrize("name", [_figure(name) for name in FIGURES])
def test_no_text_overlaps_and_none_is_cut_off(name):
    drawing = FIGURES[name]()
    if isinstance(drawing, Picture):
        assert [mark for mark in drawing.marks if not is_inside(mark, drawing.size)] == []
    figure = as_figure(drawing)
    if not is_large(name):
        parts = geometry(drawing if isinstance(drawing, Picture) else figure)
        assert parts == pytest.approx(GEOMETRY[name], rel=1e-5, abs=0.02)
    texts = drawn_texts(figure)
    assert len(texts) > 3
    assert overlapping(texts) == []
    page = figure.bbox
    outside = [text for text, box in texts if not (page.x0 <= box.x0 and box.x1 <= page.x1)]
    outside += [text for text, box in texts if not (page.y0 <= box.y0 and box.y1 <= page.y1)]
    assert outside == []


def test_the_check_for_overlaps_finds_one():
    figure = as_figure(FIGURES["samples-matrix-3"]())
    figure.text(0.03, 0.94, "on top of the title")
    assert overlapping(drawn_texts(figure))


@pytest.mark.long
def test_no_text_of_an_svg_overlaps_in_a_browser():
    sync = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    if (browser_path := shutil.which("chromium")) is None:
        pytest.skip("needs Chromium")
    drawings = {name: draw() for name, draw in FIGURES.items()}
    pictures = {name: d.to_svg() for name, d in drawings.items() if isinstance(d, Picture)}
    boxes = {}

    def look():
        with sync.sync_playwright() as p:
            browser = p.chromium.launch(
                executable_path=browser_path, args=["--disable-dev-shm-usage"]
            )
            tab = browser.new_page(viewport={"width": 3000, "height": 3000})
            for name, svg in pictures.items():
                tab.set_content(f"<body style='margin:0'>{svg.partition('?>')[2]}")
                boxes[name] = tab.evaluate(BOXES)
            browser.close()

    # Playwright runs once a thread, and other tests may have it running in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(look).result()
    assert len(boxes) > 20
    for name, shown in boxes.items():
        whole, *texts = [(text, Bbox([[x, y], [right, low]])) for text, x, y, right, low in shown]
        # Boxes of letters are as high as the font, which is more than their ink.
        inner = [(text, Bbox([[b.x0, b.y0 + 2], [b.x1, b.y1 - 2]])) for text, b in texts]
        assert overlapping(inner) == [], name
        outside = [text for text, box in texts if box.x0 < 0 or box.x1 > whole[1].x1]
        assert outside == [], name


@pytest.mark.parametrize("factor", [1e-6, 1e-3, 1, 1e6])
def test_numbers_of_any_size_fit(factor):
    matrix = scores(5, 4, 1)
    matrix = ScoreMatrix(matrix.values * factor, matrix.topics, matrix.systems, matrix.human)
    assert overlapping(drawn_texts(draw("scores", matrix).to_figure())) == []


@pytest.mark.long
def test_many_rows_stay_on_a_page_of_bearable_size():
    topics, systems = map(str, range(400)), map(str, range(200))
    picture = draw("scores", ScoreMatrix(np.eye(400, 200), list(topics), list(systems)))
    figure = picture.to_figure()
    width, height = figure.get_size_inches()
    assert width < 27
    assert height < 27
    assert names(picture)[:3] == ["0", "2", "4"]
    assert overlapping(drawn_texts(figure)) == []


@given(st.integers(1, 2000))
def test_labels_fit_their_rows(count):
    pitch = row_pitch(count)
    assert count * pitch <= 24.000001
    assert label_size(pitch) <= pitch * label_step(pitch) * 72


@given(st.lists(st.text(max_size=60), unique_by=lambda name: " ".join(name.split())))
def test_shortened_names_stay_distinct(names):
    assert len(set(short_names(names))) == len(names)


def test_names_that_differ_in_the_middle_are_kept_whole():
    names = [f"a-name-that-is-quite-long-{i}-and-goes-on-at-length" for i in (1, 2)]
    assert short_names(names) == names
    assert short_names(names[:1])[0] == "a-name-that-is-qui…goes-on-at-length"


@given(st.text(st.characters(categories=["L", "Nd", "Zs"], max_codepoint=255), max_size=80))
def test_wrapping_keeps_every_letter_and_the_width(text):
    with style_context():
        lines = wrap_text(text, 1.0, size=9)
        assert "".join("".join(lines).split()) == "".join(text.split())
        assert text_width(lines, size=9) <= 1.0
