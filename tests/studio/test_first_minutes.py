"""How long it takes from `pyramidion serve` to the first judgment, in clicks and seconds."""

import re
import time
from collections import Counter

import pytest

from studio.conftest import PASSWORD
from studio.judged import add_work

COUNT = """addEventListener('click', (event) => {
  const { clicks = 0 } = sessionStorage;
  if (event.isTrusted && event.detail) sessionStorage.clicks = Number(clicks) + 1;
}, true);"""
ROWS = "".join(
    f"T{topic},{system},Summary {topic} by {system}.\n" for topic in range(30) for system in "pq"
)


@pytest.mark.long
def test_three_assessors_with_a_scale_of_their_own(live, tmp_path):
    """At most 12 clicks and 60 s; fields are reached by Tab or have the focus already."""
    (tmp_path / "mine.csv").write_text(f"topic,system,text\n{ROWS}")
    link = live.invitation("organizer", "organizer")
    began = time.monotonic()
    organizer, assessor = live.page(), live.page()
    for page in (organizer, assessor):
        page.add_init_script(COUNT)

    organizer.goto(link)
    organizer.keyboard.type(PASSWORD)
    organizer.get_by_role("button", name="Begin").click()
    organizer.get_by_role("link", name="Import a collection").click()
    with organizer.expect_file_chooser() as chooser:
        organizer.locator("#files").click()
    chooser.value.set_files(tmp_path / "mine.csv")
    organizer.get_by_text("Recognized: any table").wait_for()
    while organizer.evaluate("document.activeElement.id") != "judged":
        organizer.keyboard.press("Tab")
    organizer.keyboard.type("overall: 0 to 2")
    organizer.get_by_role("button", name="Import", exact=True).click()
    organizer.get_by_role("link", name="Add people").click()
    organizer.locator("#name:focus").wait_for()
    organizer.keyboard.type("Ann\nBob\nCy")
    organizer.get_by_role("button", name="Add and show links").click()
    links = organizer.get_by_label("Invitation links").input_value()
    organizer.get_by_role("link", name="Assign work").click()
    organizer.get_by_role("button", name="Show the plan").click()
    organizer.get_by_role("button", name="Assign 60 items").click()
    organizer.get_by_role("progressbar", name="Ann: 0 of").wait_for()

    assessor.goto(re.search(r"Ann: (\S+)", links)[1])
    assessor.keyboard.type(PASSWORD)
    assessor.get_by_role("button", name="Begin").click()
    assessor.get_by_role("heading", name="Summary 1 of").wait_for()
    assessor.locator("#judge:not(.loading)").wait_for()
    assessor.get_by_role("button", name="Overall 2").click()
    assessor.get_by_role("button", name="Submit").click()
    assessor.get_by_text("All saved", exact=True).wait_for()
    seconds = time.monotonic() - began
    pages = (organizer, assessor)
    clicks = sum(int(page.evaluate("sessionStorage.clicks")) for page in pages)
    print(f"{clicks} clicks, {seconds:.0f} s")
    assert clicks <= 12
    assert seconds <= 60
    assigned = Counter(id for (id,) in live.rows("assignments", "account_id"))
    assert list(assigned.values()) == [20, 20, 20]
    assert "submit" in [kind for _, _, kind, _ in live.stored_events()]


def test_submit_is_in_view_and_number_fields_work(live):
    live.visit("Ann")
    token = add_work(live, ["Ann"])
    own = {"scale-readability": "", "own": "share", "own-scale": "0 to 100"}
    live.change_settings(token, **own)
    page = live.page("Ann")
    page.goto(f"/judge/{token}")
    page.locator("#judge:not(.loading)").wait_for()
    page.get_by_role("status").get_by_text("Summary 1 of").wait_for()
    box = page.get_by_role("button", name="Submit").bounding_box()
    assert box["y"] + box["height"] <= 800
    page.keyboard.press("3")
    page.keyboard.type("42")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Summary 2 of").wait_for()
    page.get_by_text("All saved", exact=True).wait_for()
    values = [data["value"] for _, _, kind, data in live.stored_events() if kind == "score"]
    assert values == [3, 42]
