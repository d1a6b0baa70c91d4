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
from pyramidion.evaluation import report_page
from pyramidion.report.charts.rows import Look, Rows, rows_figure
from pyramidion.report.page import Section, chart_blocks, render_page, table_block
from pyramidion.report.result import Chart
from pyramidion.report.svg import interval_mark, parts_bar, rows_picture, tiles_picture
from pyramidion.report.table import Table

LOOKS = {"near": Look("near", "#0072b2")}


def rows(names, values):
    return Rows(names, values, [v - 1 for v in values], [v + 1 for v in values], LOOKS,
                ["near"] * len(names))  # fmt: skip


def chart(name):
    draw = partial(rows_figure, rows([name, "b"], [1.0, 2.0]), title="T", note="", xlabel="x")
    return Chart("rows", draw, "What it shows.", ("m",))


@pytest.fixture(scope="module")
def page():
    """Seven systems, 30 topics, five measures; the names are as bad as can be."""
    rng = np.random.default_rng(8)
    topics = [f"T{number}" for number in range(30)]
    systems = ["<b>&", 'a"b', "a-name-that-is-longer-than-anyone-would-like-to-read", *"cdef"]
    frame = pd.DataFrame(
        [
            (topic, system, "machine", f"m{measure}", round(rng.normal() + place / 3, 2))
            for measure in range(5)
            for topic in topics
            for place, system in enumerate(systems)
        ],
        columns=["topic", "system", "kind", "measure", "value"],
    )
    return report_page(frame, n_resamples=199).to_html()


def inside(html, tag):
    (found,) = re.findall(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
    return found


def test_the_policy_allows_the_pages_own_style_and_script_only(page):
    (policy,) = re.findall('Content-Security-Policy" content="([^"]*)"', page)
    for tag, what in (("style", "style-src"), ("script", "script-src")):
        digest = b64encode(sha256(inside(page, tag).encode()).digest()).decode()
        assert f"{what} 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert "unsafe" not in policy


def test_no_figure_needs_what_the_policy_forbids(page):
    (block,) = chart_blocks([chart("<i>&")])
    figures = render_page("T", [Section("S", (block,))], lead="", signature="")
    for html in (page, figures):
        tags = re.findall(r"<\w[^>]*>", re.sub(r"<(style|script)>.*?</\1>", "", html, flags=re.S))
        assert not [tag for tag in tags if re.search(r"\s(style|on\w+)=", tag)]
        assert html.count("<style>") == html.count("<script>") == 1
        assert not re.search(r"(src|href)=\"?(?!#|data:)\w", html)
    assert "&lt;i&gt;&amp;</text>" in block


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
    html = report_page(frame, margin=0.5, n_resamples=999).to_html()
    assert "equivalent within 0.5" in html
    assert html.count('aria-label="beats 0, equivalent 1, undecided 0, loses to 1') == 2
    assert html.count('<text class="c e"') == 2


def test_names_are_text(page):
    assert "<b>" not in page
    assert "&lt;b&gt;&amp;" in page


def test_tiles_of_a_color_are_one_path():
    codes = np.array([[0, 1], [-1, 1]])
    drawn = tiles_picture(codes, (["<r>", "s"], ["漢字", "d"]), ("h0", "l0"), about="p",
                          texts={(0, 1): "<.001"})  # fmt: skip
    assert 'class=h0 d="M0 0h.94"' in drawn
    assert 'class=l0 d="M1 0h.94M1 1h.94"' in drawn
    assert ">&lt;r&gt;</text>" in drawn
    assert ">&lt;.001</text>" in drawn


def test_marks_without_a_value_and_without_a_spread():
    assert interval_mark(float("nan"), 0, 1, (0, 1)) == ""
    assert 'd="M60 7H60"' in interval_mark(2, float("nan"), float("nan"), (2, 2))
    assert 'd="M4 7H116"' in interval_mark(0.5, 0, 1, (0, 1))
    assert "class=h2" not in parts_bar([("h2", 0), ("u", 3)], "none")
    assert "<text" in rows_picture(Rows(["a"], [1.0], [1.0], [1.0], LOOKS, ["near"]),
                                   {"near": "q"}, label="rank")  # fmt: skip


def test_a_scale_has_round_numbers():
    drawn = rows_picture(rows(["a", "b"], [1.0, 9.0]), {"near": "q"}, label="rank")
    assert re.findall(r"<text class=c [^>]*>([^<]*)<", drawn) == [
        "0",
        "2",
        "4",
        "6",
        "8",
        "10",
        "rank",
    ]


def test_pictures_stand_where_they_are_put():
    table = Table(("a", "b"), (("x", 0.123456789), ("y", None)))
    block = table_block(table, drawn={"drawn": ["<svg>1</svg>", "<svg>2</svg>"]}, place=1)
    assert '<tr><td>x<td><svg>1</svg><td data-key="0.1234568">0.1235</tr>' in block
    assert '<tr><td>y<td><svg>2</svg><td data-key="">–</tr>' in block


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_a_phone_shows_it_without_scrolling_sideways(page, scheme, tmp_path):
    sync = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    browser_path = shutil.which("chromium")
    if browser_path is None:
        pytest.skip("needs Chromium")
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    said = []

    def look():
        with sync.sync_playwright() as p:
            browser = p.chromium.launch(
                executable_path=browser_path, args=["--disable-dev-shm-usage"]
            )
            shown = browser.new_page(viewport={"width": 360, "height": 640}, color_scheme=scheme)
            shown.on("console", lambda message: said.append(message.text))
            shown.goto((tmp_path / "page.html").as_uri())
            shown.click("nav a")
            shown.click("a[href='#s4']")
            assert shown.evaluate("document.getElementById('s4').open")
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
    assert said == []


def test_a_matrix_keeps_its_clusters():
    values = np.random.default_rng(3).normal(size=(8, 3))
    topics = [f"T{row}" for row in range(8)]
    given = ScoreMatrix(values, topics, list("xyz"), measure="m", clusters=tuple("aabbccdd"))
    html = report_page(given).to_html()
    assert "Topics belong to 4 clusters" in html
    assert "4 clusters of topics, not 8 topics, are independent" in html
    assert "see --margin" not in html
    assert "--pairs all" not in html
