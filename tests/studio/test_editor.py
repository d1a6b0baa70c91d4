"""The pyramid editor and the annotation of peers in a real browser, by keyboard alone."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace

import pytest

from pyramidion.collection import SCU, Contributor, Part, Pyramid
from pyramidion.demo import load_demo
from pyramidion.pyramid._topics import summary_texts
from pyramidion.studio._boards import annotated, open_board
from pyramidion.studio._evaluations import add_evaluation
from pyramidion.studio._store import Account, Assignment, Evaluation
from pyramidion.text import sentence_spans

PLACE = ("A", "P01")

# Words as the page has them.
WORD = re.compile(r"(?:[^\W\d_]\.){2,}|[$€£¥#@]?\w+(?:['’.,:/&-]\w+)*%?")


def opened(live, collection):
    """An evaluation with the board of one topic."""
    with live.store.write() as session:
        evaluation = add_evaluation(session, collection)
        return evaluation.id, open_board(session, evaluation, *PLACE).token


def stored(live, evaluation):
    with live.store.read() as session:
        return annotated(session, session.get_one(Evaluation, evaluation))


def assigned(live, evaluation, name, system, kind="annotate"):
    live.visit(name)
    with live.store.write() as session:
        account = session.query(Account).filter_by(name=name).one()
        item = Assignment(
            evaluation_id=evaluation, account_id=account.id, kind=kind, task=PLACE[0],
            topic=PLACE[1], system=system, place=session.query(Assignment).count(),
        )  # fmt: skip
        session.add(item)
        session.flush()
        return item.token


@dataclass
class Keyboard:
    """Presses keys in a page, and counts them by what they are for."""

    page: object
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
    place: int = 0

    def __post_init__(self):
        self.words = [(found.start(), found.end()) for found in WORD.finditer(self.text)]
        starts = [start for start, _ in self.words]
        self.sentences = [
            next(n for n, at in enumerate(starts) if at >= first)
            for first, _ in sentence_spans(self.text)
        ]

    def way(self, start):
        """Keys to the word that begins at an offset."""
        target = [first for first, _ in self.words].index(start)
        ways = [(self.place, [])]
        last = len(self.words) - 1
        ways += [(0, ["Home"]), (last, ["End"])]
        after = [place for place in self.sentences if place > self.place]
        before = [place for place in self.sentences[::-1] if place < self.place]
        ways += [(place, ["ArrowDown"] * number) for number, place in enumerate(after, 1)]
        ways += [(place, ["ArrowUp"] * number) for number, place in enumerate(before, 1)]

        def arrows(at):
            return ["ArrowRight" if target > at else "ArrowLeft"] * abs(target - at)

        best = min(([*keys, *arrows(at)] for at, keys in ways), key=len)
        self.place = target
        return best

    def extent(self, end):
        """Keys that choose up to the word that ends at an offset."""
        target = [last for _, last in self.words].index(end)
        by, self.place = target - self.place, target
        return ["Shift+ArrowRight"] * by


def in_order(pyramid, texts, rows):
    """Some units of a pyramid as if it had been made of these texts."""
    empty = Pyramid.from_references(texts, ())
    offset = {}
    for old, new in zip(pyramid.references, empty.references, strict=True):
        text = pyramid.text[old.start : old.end].strip()
        assert text == texts[new.name].strip()
        offset[old.name] = empty.text.index(text, new.start) - pyramid.text.index(text, old.start)

    def moved(one):
        by = offset[pyramid.reference_of(one)]
        parts = sorted((Part(p.start + by, p.end + by, p.label) for p in one.parts), key=start_of)
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
        expected.text.index(expected.text[own.start : own.end].strip(), own.start)
        for own in expected.references
    ]
    texts = [expected.text[own.start : own.end].strip() for own in expected.references]
    cursors = [Cursor(text) for text in texts]
    names = [own.name for own in expected.references]
    for unit in expected.scus:
        for one in unit.contributors:
            number = names.index(expected.reference_of(one))
            keys.press("change the reference", str(number + 1))
            cursor, start = cursors[number], starts[number]
            for part in one.parts:
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
    texts = summary_texts(demo, references=True)[PLACE]
    expected = in_order(demo.pyramids[PLACE], texts, rows)
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
    made = stored(live, evaluation)[0][PLACE]
    assert made.text == expected.text
    for own, wanted in zip(made.scus, expected.scus, strict=True):
        assert own == wanted
    assert made == expected
    weights = page.locator(".tier").evaluate_all("all => all.map((one) => one.ariaLabel)")
    sizes = Counter(len(unit.contributors) for unit in expected.scus)
    assert weights == [
        f"Weight {w}: {n} unit{'s' * (n > 1)}" for w, n in sorted(sizes.items(), reverse=True)
    ]
    with capsys.disabled():
        contributors = sum(len(unit.contributors) for unit in expected.scus)
        print(f"\n{len(rows)} units of {contributors} contributors: {used.total()} keys", end=" ")
        print(", ".join(f"{number} to {what}" for what, number in used.items()))
