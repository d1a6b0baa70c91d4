"""The look of all pages: one set of tokens, what is in view, and what axe reports."""

import re
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest

from pyramidion.studio._demo import add_samples, demo_collection
from pyramidion.studio._evaluations import add_evaluation
from studio.test_modes import assign_all

STATIC = files("pyramidion.studio").joinpath("static")
STYLES = {path.name: path.read_text() for path in STATIC.iterdir() if path.name.endswith(".css")}
SKIPPED = re.compile(r"/(static|api|logout|backup)|/export/.|\.(zip|csv|html)$")
TOKEN = re.compile(r"[\w-]{20,}")
MODES = ("prefer", "checklist", "unit", "statements")


def test_colors_sizes_and_radii_are_tokens():
    tokens, _, rules = STYLES["studio.css"].partition("[hidden]")
    names = set(re.findall(r"(--[\w-]+):", tokens))
    for name, style in {**STYLES, "studio.css": rules}.items():
        assert not re.findall(r"#[0-9a-f]{3,8}\b|rgb\(", style), name
        assert not re.findall(r"font-size: (?!var)[^;}]*|border-radius: (?!var)[^;}]*", style), name
        used = set(re.findall(r"var\((--[\w-]+)", style))
        assert used - names <= {"--pane-0", "--pane-1", "--pane-2"}, name


@pytest.fixture
def demonstration(live):
    """The demonstration, with every kind of work for Ann."""
    with live.store.write() as session:
        evaluation = add_evaluation(session, demo_collection())
        add_samples(session, evaluation)
        token = evaluation.token
    live.visit("Ann")
    pair = {"prefer": "lead\tfirst", "unit": "\t1"}
    for kind in MODES:
        live.assign(token, "Ann", "P01", pair.get(kind, "lead"), task="A", kind=kind)
    known = {"task": "A", "topic": "P06", "system": "lead", "answer-readability": "4"}
    training = f"/evaluations/{token}/training"
    assert live.organizer.post(training, data=known).status_code == 303
    assign_all(live, token, "judge", ["Ann"], task=["B"], topic=["P02"], training="on")
    return token


def group_link(live, token):
    form = {"kind": "judge", "task": ["A"], "per_topic": 1, "repeats": "0", "limit": "5",
            "consent": "We store what you answer, for a study.", "max_people": "5",
            "action": "link"}  # fmt: skip
    page = live.organizer.post(f"/evaluations/{token}/assign", data=form).text
    return re.search(r"/join/[\w-]+", page)[0]


def pages(page, *further):
    """Follow the links from the first page and others, to one page of each kind."""
    waiting, seen = ["/", *further], set()
    for path in waiting:
        kind = re.sub(TOKEN, "", path.partition("?")[0]) + path[path.find("?kind") :] * (
            "?kind" in path
        )
        if kind in seen or SKIPPED.search(path.partition("?")[0]):
            continue
        seen.add(kind)
        assert page.goto(path).status == (404 if path == "/none" else 200), path
        page.wait_for_load_state("networkidle")
        yield path
        links = "all => all.map(a => a.pathname + a.search)"
        waiting += page.eval_on_selector_all("a[href^='/']", links)


def box(page, selector):
    return page.locator(selector).bounding_box()


def is_in_view(page, selector):
    area, size = box(page, selector), page.viewport_size
    return area is not None and area["y"] >= 0 and area["y"] + area["height"] <= size["height"]


@pytest.mark.long
def test_what_matters_is_in_view(live, demonstration):
    for width in (1280, 360):
        page = live.page("Kim", width=width)
        for path in pages(page):
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            if "/judge/" in path:
                assert is_in_view(page, "#submit")
            if "/annotate/" in path:
                page.locator(".words").first.wait_for()
                assert is_in_view(page, "#stage")
                if width == 1280:
                    assert box(page, "#desk")["y"] <= 130
                    pane, words = box(page, ".texts-part"), box(page, ".words >> nth=0")
                    pitch = page.evaluate(
                        "parseFloat(getComputedStyle(document.querySelector('.words')).lineHeight)"
                    )
                    assert (pane["y"] + pane["height"] - words["y"]) / pitch >= 24


@pytest.mark.long
def test_panes_are_resized_by_keys_and_stay_so(live, demonstration):
    page = live.page("Kim")
    page.goto("/")
    page.get_by_role("link", name="Start").first.click()
    divider = page.get_by_role("separator").first
    divider.wait_for()
    before = box(page, ".texts-part")["width"]
    for _ in range(5):
        divider.press("ArrowLeft")
    after = box(page, ".texts-part")["width"]
    assert after < before - 50
    page.reload()
    divider.wait_for()
    assert abs(box(page, ".texts-part")["width"] - after) < 2
    page.locator("#do-suggest").click()
    page.locator("#suggestions").wait_for()
    assert box(page, "#suggestions")["x"] > after, "beside the text"


AXE = "axe.run().then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html)]))"
#: Buttons that open dialogs.
OPENERS = ("Keys", "New unit", "Add to…", "Comment", "Replace text", "Split", "Move")


def reports(page, seen):
    """What axe reports of a page with everything unfolded, and with each dialog not seen yet."""
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    yield "", page.evaluate(AXE)
    for name in OPENERS:
        opener, dialog = page.get_by_role("button", name=name, exact=True), (page.title(), name)
        if dialog in seen or not opener.count() or not opener.first.is_enabled():
            continue
        seen.add(dialog)
        opener.first.click()
        shown = page.locator("dialog[open], [role=dialog]")
        if shown.count():
            yield name, page.evaluate(AXE)
            page.keyboard.press("Escape")
            shown.first.wait_for(state="hidden")


def show_feedback(page, token):
    """Judge an item of the training."""
    page.goto(f"/judge/{token}")
    page.locator("#judge:not(.loading) #summary p").wait_for()
    for key in "43":
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.locator("#feedback[open]").wait_for()


@pytest.mark.long
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 360])
def test_axe_reports_nothing(live, demonstration, width, dark):
    axe = find_spec("axe_playwright_python")
    if axe is None or not axe.submodule_search_locations:
        pytest.skip("axe is not installed: pip install axe-playwright-python")
    script = Path(axe.submodule_search_locations[0], "axe.min.js").read_text(encoding="utf-8")
    people = {"": "assessor", "Kim": "assessor", "Ann": "assessor", "Olga": "organizer"}
    training = f"/evaluations/{demonstration}/training"
    further = {
        "": [live.invitation("Max"), group_link(live, demonstration), "/none"],
        "Olga": [
            f"/evaluations/{demonstration}/adjudicate/{live.board(demonstration, 'P01', 'A')}",
            *(f"{training}?kind={kind}&task=A&topic=P01" for kind in ("judge", *MODES)),
        ],
    }
    checked, found, dialogs, seen = [], [], set(), set()
    for name, role in people.items():
        page = live.page(name, role, width=width, dark=dark, bypass_csp=True)
        for path in pages(page, *further.get(name, [])):
            if page.locator("#results[data-waiting]").count():
                page.wait_for_selector("#results:not([data-waiting])")
            page.evaluate(script)
            for state, report in reports(page, seen):
                found += [(path, state, *violation) for violation in report]
                dialogs.add(state)
            checked.append(path)
    assert found == []
    assert len(checked) > 30
    assert {"Keys", "New unit"} <= dialogs
    page = live.page("Ann", width=width, dark=dark, bypass_csp=True)
    show_feedback(page, demonstration)
    page.evaluate(script)
    assert page.evaluate(AXE) == []
