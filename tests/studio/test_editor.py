"""The pyramid editor and the annotation of peers in a real browser, by keyboard alone."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from pyramidion.collection import SCU, Contributor, Part, Pyramid
from pyramidion.demo import load_demo
from pyramidion.pyramid.topics import summary_texts
from pyramidion.text import sentence_spans

TOPIC = ("A", "P01")

# Words as the page has them.
WORD = re.compile(r"(?:[^\W\d_]\.){2,}|[$€£¥#@]?\w+(?:['’.,:/&-]\w+)*%?")


def opened(live, collection):
    """An evaluation with the board of one topic."""
    token = live.evaluation(collection)
    return token, live.board(token, TOPIC[1], TOPIC[0])


def stored_pyramid(live, token):
    return live.collection(token).pyramids[TOPIC]


@dataclass
class Keyboard:
    """Presses keys in a page, and counts them by what they are for."""

    page: Any
    used: Counter = field(default_factory=Counter)

    def press(self, what, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.used[what] += 1

    def type(self, what, text):
        self.page.keyboard.insert_text(text)
        self.used[what] += len(text)


@dataclass
class Cursor:
    """Where the cursor stands in a text, and the shortest way to another word."""

    text: str
    index: int = 0

    def __post_init__(self):
        self.words = [(match.start(), match.end()) for match in WORD.finditer(self.text)]
        starts = [start for start, _ in self.words]
        self.sentences = [
            next(n for n, at in enumerate(starts) if at >= first)
            for first, _ in sentence_spans(self.text)
        ]

    def way(self, start):
        """Keys to the word that begins at an offset."""
        target = [first for first, _ in self.words].index(start)
        ways = [(self.index, [])]
        last = len(self.words) - 1
        ways += [(0, ["Home"]), (last, ["End"])]
        after = [word for word in self.sentences if word > self.index]
        before = [word for word in self.sentences[::-1] if word < self.index]
        ways += [(word, ["ArrowDown"] * number) for number, word in enumerate(after, 1)]
        ways += [(word, ["ArrowUp"] * number) for number, word in enumerate(before, 1)]

        def arrows(at):
            return ["ArrowRight" if target > at else "ArrowLeft"] * abs(target - at)

        best = min(([*keys, *arrows(at)] for at, keys in ways), key=len)
        self.index = target
        return best

    def extent(self, end):
        """Keys that choose up to the word that ends at an offset."""
        target = [last for _, last in self.words].index(end)
        by, self.index = target - self.index, target
        return ["Shift+ArrowRight"] * by


def in_order(pyramid, texts, rows):
    """Some units of a pyramid as if it had been made of these texts."""
    empty = Pyramid.from_references(texts, ())
    offset = {}
    for old, new in zip(pyramid.references, empty.references, strict=True):
        text = pyramid.text[old.start : old.end].strip()
        assert text == texts[new.name].strip()
        offset[old.name] = empty.text.index(text, new.start) - pyramid.text.index(text, old.start)

    def moved(contributor):
        by = offset[pyramid.reference_of(contributor)]
        parts = sorted(
            (Part(p.start + by, p.end + by, p.label) for p in contributor.parts), key=start_of
        )
        return Contributor(tuple(parts))

    def start_of(part):
        return part.start

    scus = (
        SCU(str(number), pyramid.scus[row].label, tuple(map(moved, pyramid.scus[row].contributors)))
        for number, row in enumerate(rows, 1)
    )
    return replace(empty, scus=tuple(scus))


def build(page, expected):
    """Build a pyramid from nothing; count the keys."""
    keys = Keyboard(page)
    starts = [
        expected.text.index(expected.text[reference.start : reference.end].strip(), reference.start)
        for reference in expected.references
    ]
    texts = [
        expected.text[reference.start : reference.end].strip() for reference in expected.references
    ]
    cursors = [Cursor(text) for text in texts]
    names = [reference.name for reference in expected.references]
    for unit in expected.scus:
        for contributor in unit.contributors:
            number = names.index(expected.reference_of(contributor))
            keys.press("change the reference", str(number + 1))
            cursor, start = cursors[number], starts[number]
            for part in contributor.parts:
                keys.press("move", *cursor.way(part.start - start))
                keys.press("choose", *cursor.extent(part.end - start), "Space")
        keys.press("make a unit", "n")
        page.locator("dialog input").wait_for()
        keys.type("type a label", unit.label)
        keys.press("make a unit", "Enter")
    return keys.used


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param((0, 1, 7, 12, 13, 19, 20, 21, 22, 23), id="ten units"),
        pytest.param(range(30), id="all units", marks=pytest.mark.long),
    ],
)
def test_a_pyramid_is_built_from_nothing_by_keyboard_alone(live, capsys, rows):
    demo = load_demo()
    texts = summary_texts(demo, references=True)[TOPIC]
    expected = in_order(demo.pyramids[TOPIC], texts, rows)
    evaluation, board = opened(live, replace(demo, pyramids={}))
    page = live.page("Olga", "organizer")
    page.goto(f"/pyramids/{board}")
    page.locator(".words:focus").wait_for()
    used = build(page, expected)
    page.locator("#do-undo:enabled").wait_for()
    page.locator('[aria-level="1"]').nth(len(rows) - 1).wait_for()
    page.get_by_text(f"New unit of weight {len(expected.scus[-1].contributors)}").wait_for()
    assert page.evaluate("document.activeElement.classList.contains('words')")
    page.reload()  # what is shown now comes from the server
    page.locator("[role=treeitem]").first.wait_for()
    pyramid = stored_pyramid(live, evaluation)
    assert pyramid.text == expected.text
    for unit, expected_unit in zip(pyramid.scus, expected.scus, strict=True):
        assert unit == expected_unit
    assert pyramid == expected
    weights = page.locator(".tier").evaluate_all("all => all.map((one) => one.ariaLabel)")
    sizes = Counter(len(unit.contributors) for unit in expected.scus)
    assert weights == [
        f"Weight {w}: {n} unit{'s' * (n > 1)}" for w, n in sorted(sizes.items(), reverse=True)
    ]
    with capsys.disabled():
        contributors = sum(len(unit.contributors) for unit in expected.scus)
        print(f"\n{len(rows)} units of {contributors} contributors: {used.total()} keys", end=" ")
        print(", ".join(f"{number} to {what}" for what, number in used.items()))


def labels(page):
    return page.locator("#units .label").all_inner_texts()


def status_says(page, text):
    """Wait until the line at the bottom says something."""
    page.locator("#status", has_text=text).wait_for()


def at_rest(page):
    """Wait until all is stored and the focus is in a place where one can go on."""
    page.locator("#desk[aria-busy=false]").wait_for(state="attached")
    assert page.evaluate("document.activeElement !== document.body")


def test_units_are_edited_by_keyboard(live):
    evaluation, board = opened(live, load_demo())
    page = live.page("Olga", "organizer")
    page.goto(f"/pyramids/{board}")
    page.locator(".words:focus").wait_for()
    before = stored_pyramid(live, evaluation)
    press = page.keyboard.press

    def units():
        at_rest(page)
        return stored_pyramid(live, evaluation).scus

    for key in ("u", "Home", "l"):
        press(key)
    page.keyboard.insert_text("A ferry burned")
    press("Enter")
    status_says(page, "Label: A ferry burned")
    assert units()[0].label == "A ferry burned"
    press("c")
    page.keyboard.insert_text("from all four")
    press("Control+Enter")
    assert units()[0].comment == "from all four"
    press("Alt+ArrowDown")
    assert [unit.uid for unit in units()[:2]] == ["2", "1"]
    press("m")
    page.keyboard.insert_text("ten people")
    press("Enter")
    status_says(page, "Merged Ten people died")
    assert len(units()) == 29
    for key in ("ArrowRight", "ArrowDown", "Space", "ArrowDown", "Space", "s"):
        press(key)
    page.keyboard.insert_text("Half of it")
    press("Enter")
    status_says(page, "New unit of weight 2")
    assert next(unit for unit in units() if unit.label == "Half of it").uid == "31"
    for key in ("ArrowRight", "v", "Enter"):
        press(key)
    status_says(page, "Moved to:")
    for key in ("ArrowRight", "Delete"):
        press(key)
    status_says(page, "Removed the contributor")
    at_rest(page)
    for key in ("ArrowLeft", "x"):
        press(key)
    status_says(page, "Removed the unit")
    count = len(units())
    # Words chosen in the text replace those of a contributor, or are added to a unit.
    for key in ("ArrowRight", "1", "Home", "Shift+ArrowRight", "Shift+ArrowRight", "e"):
        press(key)
    status_says(page, "The contributor is now: The ferry Maren")
    for key in ("End", "A"):
        press(key)
    page.keyboard.insert_text("inquiry")
    press("Enter")
    status_says(page, "Added 1 contributor to:")
    assert len(units()) == count
    page.keyboard.type("o")
    status_says(page, "of text in no unit")
    assert page.locator(".words .bare").count() > 0
    page.keyboard.type("/oyster beds")
    status_says(page, "matches in the references")
    assert 0 < len(labels(page)) < 5
    press("Enter")
    status_says(page, "Match 1 of")
    press("Escape")
    assert len(labels(page)) == count
    while page.locator("#do-undo:enabled").count():
        press("z")
        at_rest(page)
    assert stored_pyramid(live, evaluation) == before
    press("Z")
    status_says(page, "Redone")
    assert units()[0].label == "A ferry burned"
    press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    press("Escape")
    assert page.evaluate("document.activeElement.classList.contains('words')")


def test_suggested_units_are_accepted_and_refused_by_one_key(live):
    evaluation, board = opened(live, replace(load_demo(), pyramids={}))
    page = live.page("Olga", "organizer")
    page.goto(f"/pyramids/{board}")
    page.locator(".words:focus").wait_for()
    page.keyboard.press("g")
    page.locator("#suggestions li").first.wait_for()
    number = page.locator("#suggestions li").count()
    assert page.locator(".words .maybe").count() > 0
    for key in ("y", "r", "j", "y"):
        page.keyboard.press(key)
    at_rest(page)
    assert page.locator("#suggestions li").count() == number - 3
    assert len(stored_pyramid(live, evaluation).scus) == len(labels(page)) == 2
    page.keyboard.press("g")
    assert page.locator("#suggestions").is_hidden()
    # The same by mouse: a stretch, and another that is kept with it.
    words = page.locator(".words").nth(3).locator("span")

    def drag(first, last):
        words.nth(first).hover()
        page.mouse.down()
        words.nth(last).hover()
        page.mouse.up()

    drag(0, 4)
    page.keyboard.down("Control")
    drag(10, 12)
    page.keyboard.up("Control")
    page.get_by_role("button", name="New unit").click()
    page.keyboard.press("Enter")
    at_rest(page)
    [contributor] = stored_pyramid(live, evaluation).scus[-1].contributors
    assert contributor.label == "Fire broke out...car deck"


def relabel(page, label, *keys):
    for key in ("u", "Home", *keys, "l"):
        page.keyboard.press(key)
    page.keyboard.insert_text(label)
    page.keyboard.press("Enter")


def test_edits_of_a_closed_tab_without_connection_are_merged_later(live):
    evaluation, board = opened(live, load_demo())
    pages = [live.page(name, "organizer") for name in ("Olga", "Otto")]
    for page in pages:
        page.goto(f"/pyramids/{board}")
        page.locator(".words:focus").wait_for()
    first, second = pages
    second.context.set_offline(True)
    relabel(first, "mine")
    at_rest(first)
    # The same unit, another one, and a new one that is edited before it has a number.
    relabel(second, "his")
    relabel(second, "his second", "ArrowDown")
    for key in ("t", "n", "Enter", "l"):
        second.keyboard.press(key)
    second.keyboard.insert_text("his new one")
    second.keyboard.press("Enter")
    second.locator("#notice", has_text="There is no connection").wait_for()
    assert second.locator("#saved").inner_text() == "4 changes not sent yet"
    assert {"his", "his second", "his new one"} <= set(labels(second))
    second.close()
    assert labels(first)[0] == "mine"
    later = second.context.new_page()
    second.context.set_offline(False)
    later.goto(f"/pyramids/{board}")
    notice = later.locator("#notice", has_text="Not stored: Relabel “his”")
    notice.wait_for()
    assert "Olga: Relabel" in notice.inner_text()
    first.locator("#status", has_text="changed by Otto").wait_for()
    now = [unit.label for unit in stored_pyramid(live, evaluation).scus]
    assert (now[0], now[1], now[-1]) == ("mine", "his second", "his new one")
    assert "Also here: Otto" in first.locator("#people").inner_text()
    later.get_by_role("button", name="Store it now").press("Enter")
    notice.wait_for(state="detached")
    later.locator("#desk[aria-busy=false]").wait_for(state="attached")
    now = [unit.label for unit in stored_pyramid(live, evaluation).scus]
    assert (len(now), now[0]) == (31, "his")


def test_a_peer_is_annotated_by_keyboard_and_loses_no_mark_when_units_are_merged(live):
    evaluation, board = opened(live, load_demo())
    sheet = live.assign(evaluation, "Ann", TOPIC[1], "B", task=TOPIC[0], kind="annotate")
    page = live.page("Ann", width=360)
    page.goto(f"/annotate/{sheet}")
    page.locator("#suggestions li").first.wait_for()
    first = page.locator("#suggestions li").first.inner_text()
    assert "same words elsewhere, 90%" in first
    press = page.keyboard.press
    for key in ("y", "y", "r"):
        press(key)
    status_says(page, "Refused.")
    # A choice by search, a discontinuous one, and what is not in the pyramid.
    for key in ("Home", "ArrowDown", "Shift+ArrowRight", "Enter"):
        press(key)
    page.keyboard.insert_text("truck driver")
    press("Enter")
    status_says(page, "Matched with: One truck driver")
    for key in ("End", "Space", "ArrowLeft", "ArrowLeft", "ArrowLeft", "Space", "0"):
        press(key)
    status_says(page, "Not in the pyramid ← ")
    at_rest(page)
    assert "1 not in the pyramid" in page.locator("#score").inner_text()
    press("End")
    press("v")
    page.keyboard.insert_text("fuel")
    press("Enter")
    status_says(page, "Moved to: About 40 tons of fuel leaked")
    press("x")
    status_says(page, "Removed the mark")
    for key in ("z", "z"):
        press(key)
    status_says(page, "can be undone")
    at_rest(page)
    # The pyramid is changed under the annotator's hands.
    olga = live.person("Olga", "organizer")
    for version, into, uid in ((0, "1", "2"), (1, "1", "8")):
        edit = {"edit": "Merge", "into": into, "uid": uid}
        event = {"key": f"merge-{uid}-now", "action": "do", "version": version, "edit": edit}
        assert olga.post(f"/api/desks/{board}", json={"events": [event]}).is_success
    press("Home")
    press("0")
    status_says(page, "Not in the pyramid ← A")
    at_rest(page)
    # A unit is split, and nobody but the annotator can tell where a mark belongs.
    split = {"edit": "Split", "uid": "1", "label": "In the strait", "places": [4, 5], "at": 1}
    event = {"key": "split-it-now", "action": "do", "version": 2, "edit": split}
    assert olga.post(f"/api/desks/{board}", json={"events": [event]}).is_success
    page.reload()
    tasks = page.locator("#tasks li")
    tasks.first.wait_for()
    number = tasks.count()
    page.get_by_role("button", name="Keep it there").first.press("Enter")
    at_rest(page)
    assert tasks.count() == number - 1
    while page.get_by_role("button", name="Move to: In the strait").count():
        page.get_by_role("button", name="Move to: In the strait").first.press("Enter")
        at_rest(page)
    assert page.locator("#tasks").is_hidden()
    page.get_by_role("button", name="Submit").press("Enter")
    status_says(page, "It is submitted.")
    [peer] = live.collection(evaluation).peer_annotations.values()
    assert sum(len(unit.contributors) for unit in peer.scus if unit.uid != "0") == 3
    assert [len(unit.contributors) for unit in peer.scus if unit.uid == "0"] == [2]
    press("t")
    press("0")
    status_says(page, "It is submitted or closed.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
