"""The page: what its policy allows, what stands first, and how it fits a phone."""

import re
import shutil
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256

import numpy as np
import pandas as pd
import pytest

from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import report
from pyramidion.rendering.charts.bars import BarPart, bar_marks
from pyramidion.rendering.charts.curves import Panel, Series, panels_figure
from pyramidion.rendering.charts.layout import Space
from pyramidion.rendering.charts.picture import (
    Box,
    Dot,
    KeyEntry,
    Line,
    NumberLine,
    Picture,
    Text,
    Tiles,
    interval_marks,
)
from pyramidion.rendering.charts.rows import Rows, rows_picture
from pyramidion.rendering.page import Section, chart_blocks, render_page, table_block
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Table

BLUE_DOT = KeyEntry("machine", "h2", "o")
LOOKS = {"near": KeyEntry("near", "q", "o")}


def rows(names, values):
    return Rows(names, values, [v - 1 for v in values], [v + 1 for v in values], LOOKS,
                ["near"] * len(names))  # fmt: skip


def ranking_block(values, names=("a", "b")):
    return rows_picture(rows(names, values), title="T", note="", xlabel="rank")


def charts(name):
    """Return a chart that is a picture and one that matplotlib draws."""
    panel = Panel([Series([1, 2], [2, 1], {})], title=name)
    figure = partial(panels_figure, [panel], title="T", space=Space())
    return [
        Chart("rows", partial(ranking_block, [1.0, 2.0], [name, "b"]), "What it shows.", ("m",)),
        Chart("curves", figure, "What it shows.", ("m",)),
    ]


@pytest.fixture(scope="module")
def page():
    """Seven systems, 30 topics, five measures; the names are as bad as can be."""
    rng = np.random.default_rng(8)
    topics = [f"T{number}" for number in range(30)]
    systems = ["<b>&", 'a"b', "a-name-that-is-longer-than-anyone-would-like-to-read", *"cdef"]
    frame = pd.DataFrame(
        [
            (topic, system, "machine", f"m{measure}", round(rng.normal() + number / 3, 2))
            for measure in range(5)
            for topic in topics
            for number, system in enumerate(systems)
        ],
        columns=["topic", "system", "kind", "measure", "value"],
    )
    return report(frame, n_resamples=199).to_html()


def inside(html, tag):
    (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
    return content


def test_the_policy_allows_the_pages_own_style_and_script_only(page):
    (policy,) = re.findall('Content-Security-Policy" content="([^"]*)"', page)
    for tag, what in (("style", "style-src"), ("script", "script-src")):
        digest = b64encode(sha256(inside(page, tag).encode()).digest()).decode()
        assert f"{what} 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert "unsafe" not in policy


def test_no_figure_needs_what_the_policy_forbids(page):
    blocks = tuple(chart_blocks(charts("<i>&")))
    figures = render_page("T", [Section("S", blocks)], lead="", signature="")
    for html in (page, figures):
        tags = re.findall(r"<\w[^>]*>", re.sub(r"<(style|script)>.*?</\1>", "", html, flags=re.S))
        assert not [tag for tag in tags if re.search(r"\s(style|on\w+)=", tag)]
        assert html.count("<style>") == html.count("<script>") == 1
        assert not re.search(r"(src|href)=\"?(?!#|data:)\w", html)
    assert all("&lt;i&gt;&amp;</text>" in block for block in blocks)


def test_the_conclusion_stands_first_then_the_ranking(page):
    places = [page.index(part) for part in ("<h1>", "class=conclusion", "ranks first in", "<table")]
    assert places == sorted(places)
    assert "<h1>7 systems by 5 measures</h1>" in page
    assert page.count("<dt>") == 5
    assert "Undecided does not mean equal." in page


def test_all_but_the_first_rankings_are_folded(page):
    assert page.count("<details class=part") == 2
    assert page.count("<summary>Every pair at a glance</summary>") == 5


def test_equivalent_pairs_are_not_shown_as_undecided():
    rng = np.random.default_rng(2)
    hard = rng.normal(size=(40, 1))
    frame = pd.DataFrame(hard + [0, 0.01, 3] + rng.normal(size=(40, 3)) / 10, columns=list("xyz"))
    html = report(frame, margin=0.5, n_resamples=999).to_html()
    assert "equivalent within 0.5" in html
    assert html.count('aria-label="beats 0, equivalent 1, undecided 0, loses to 1') == 2
    pairs = html.partition("Every pair at a glance")[2].partition("</figure>")[0]
    assert pairs.count("var(--e)") == 1
    (tiles,) = re.findall(r'<path stroke="var\(--e\)" d="([^"]*)"', pairs)
    assert tiles.count("M") == 2


def test_names_are_text(page):
    assert "<b>" not in page
    assert "&lt;b&gt;&amp;" in page


def test_marks_that_look_the_same_are_one_element():
    tiles = Tiles(0, 0, (0.25, 0.25), np.array([[0, 1], [-1, 1]]), ("h0", "l0"))
    lines = [Line(0, y, 1, 0, "h2", 1.5) for y in (0, 1)]
    different = [
        Box(0, 0, 1, 0.5, "u"),
        Dot(1, 1, "l2"),
        Text(1, 1, "<r>", 9),
        Text(1, 2, "漢字", 9),
    ]
    svg = Picture("p", "", [tiles, *lines, *different], (2, 2)).to_inline()
    assert '<path stroke="var(--h0)" d="M0 0h.96"/>' in svg
    assert '<path stroke="var(--l0)" d="M1 0h.96M1 1h.96"/>' in svg
    assert '<path stroke="var(--h2)" stroke-width="2" d="M0 0l96 0M0 96l96 0"/>' in svg
    assert '<path fill="var(--u)" d="M0 0h96v48h-96z"/>' in svg
    assert svg.count("<g ") == 2
    assert ">&lt;r&gt;</text>" in svg
    assert 'role="img" aria-label="p"' in svg


def test_marks_without_a_value_and_without_a_spread():
    nan = float("nan")
    assert [*interval_marks((nan, 0, 1), NumberLine(0, 1, 0, 1), 0, BLUE_DOT)] == []
    assert [*interval_marks((2, nan, nan), NumberLine(2, 2, 0, 1), 0, BLUE_DOT)] == [
        Dot(0.5, 0, "h2")
    ]
    line, _ = interval_marks((0.5, 0, 1), NumberLine(0, 1, 0.25, 2), 0, BLUE_DOT)
    assert (line.x, line.across) == (0.25, 2)
    parts = [BarPart("better", "h2", "on"), BarPart("undecided", "u", "ink")]
    bar = bar_marks([0, 3], parts, NumberLine(0, 3, 0, 1), 0, 0.1, size=8)
    assert {mark.color for mark in bar} == {"u", "ink"}
    alone = rows_picture(
        Rows(["a"], [1.0], [1.0], [1.0], LOOKS, ["near"]), title="", note="", xlabel="rank"
    )
    assert "<text" in alone.to_inline()


def test_a_scale_has_round_numbers():
    texts = [mark for mark in ranking_block([1.0, 9.0]).marks if isinstance(mark, Text)]
    assert [mark.text for mark in texts if mark.anchor == "middle"] == [
        "0",
        "2",
        "4",
        "6",
        "8",
        "10",
        "rank",
    ]
    assert NumberLine(0, 3, 0, 1).ticks(whole_numbers=True) == [0, 1, 2, 3]
    assert NumberLine(0, 1e-7, 0, 1).ticks() == pytest.approx([0, 2e-8, 4e-8, 6e-8, 8e-8, 1e-7])
    assert NumberLine(5, 5, 0, 1).ticks() == [5]


def test_pictures_stand_where_they_are_put():
    table = Table(("a", "b"), (("x", 0.123456789), ("y", None)))
    block = table_block(
        table, drawings={"drawn": ["<svg>1</svg>", "<svg>2</svg>"]}, n_leading_columns=1
    )
    assert '<tr><td>x<td><svg>1</svg><td data-key="0.1234568">0.1235</tr>' in block
    assert '<tr><td>y<td><svg>2</svg><td data-key="">–</tr>' in block


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_a_phone_shows_it_without_scrolling_sideways(page, scheme, tmp_path):
    sync = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    browser_path = shutil.which("chromium")
    if browser_path is None:
        pytest.skip("needs Chromium")
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    messages = []

    def look():
        with sync.sync_playwright() as p:
            browser = p.chromium.launch(
                executable_path=browser_path, args=["--disable-dev-shm-usage"]
            )
            shown = browser.new_page(viewport={"width": 360, "height": 640}, color_scheme=scheme)
            shown.on("console", lambda message: messages.append(message.text))
            shown.goto((tmp_path / "page.html").as_uri())
            shown.click("nav a")
            shown.click("a[href='#s4']")
            shown.wait_for_function("document.getElementById('s4').open")
            shown.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
            assert shown.evaluate("document.documentElement.scrollWidth") == 360
            first = "#s0 tbody tr:first-child td:nth-child(2)"
            before = shown.inner_text(first)
            shown.click("#s0 th:nth-child(3) button")
            assert shown.inner_text(first) != before
            browser.close()

    # Playwright runs once a thread, and other tests may have it running in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(look).result()
    assert messages == []


def test_a_matrix_keeps_its_clusters():
    values = np.random.default_rng(3).normal(size=(8, 3))
    topics = [f"T{row}" for row in range(8)]
    matrix = ScoreMatrix(values, topics, list("xyz"), measure="m", clusters=tuple("aabbccdd"))
    html = report(matrix).to_html()
    assert "Topics belong to 4 clusters" in html
    assert "4 clusters of topics, not 8 topics, are independent" in html
    assert "see --margin" not in html
    assert "--pairs all" not in html
