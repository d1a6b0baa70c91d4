"""In a real browser: an organizer sets an evaluation up, from files to an export."""

import base64
import io
import zipfile
from pathlib import Path

from pyramidion import demo
from pyramidion.collection import Collection
from studio.judged import items_of, judge

DEMO = Path(demo.__file__).parent / "collection"

# A drop as a browser makes it: files with their contents.
DROP = """([name, data]) => {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name));
  document.getElementById('drop').dispatchEvent(
    new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


def archive():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in DEMO.rglob("*"):
            if path.is_file():
                packed.write(path, Path("demo", path.relative_to(DEMO)))
    return buffer.getvalue()


def test_from_dropped_files_to_an_export(live, tmp_path):
    page = live.page("Olga", "organizer", width=360)
    live.visit("Ann")
    page.goto("/")
    page.get_by_role("link", name="Import a collection").press("Enter")
    page.wait_for_url("**/evaluations/new")  # and everything it loads
    page.evaluate(DROP, ["bad.csv", base64.b64encode("topic\nü".encode("latin-1")).decode()])
    page.get_by_text("is not UTF-8").wait_for()
    page.get_by_label("Or a whole folder").set_input_files(DEMO)
    page.get_by_role("row", name="pyramids 12").wait_for()
    page.evaluate(DROP, ["demo.csv", base64.b64encode(b"topic,system,text\nT,x,Rain.").decode()])
    page.get_by_text("Recognized: any table").wait_for()
    page.evaluate(DROP, ["demo.zip", base64.b64encode(archive()).decode()])
    page.get_by_text("Recognized: a folder with collection.toml").wait_for()
    assert page.get_by_role("row", name="summaries to judge 48").is_visible()
    page.get_by_label("Name", exact=False).first.fill("Spring")
    page.get_by_role("button", name="Import", exact=True).press("Enter")
    page.get_by_role("heading", name="Spring").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    page.get_by_role("link", name="People", exact=True).press("Enter")
    page.get_by_label("Names").fill("Bob")
    page.get_by_role("button", name="Add and show links").press("Enter")
    link = page.get_by_label("Invitation link for Bob")
    link.wait_for()
    page.wait_for_function("link => link === document.activeElement", arg=link.element_handle())
    stranger = live.page()
    stranger.goto(link.input_value())
    assert stranger.get_by_label("Name").input_value() == "Bob"

    page.get_by_role("link", name="Assign", exact=True).press("Enter")
    page.get_by_label("Repeated items").fill("10%")
    page.get_by_role("button", name="Show the plan").press("Enter")
    page.get_by_role("button", name="Assign 52 items").press("Enter")
    page.get_by_role("progressbar", name="Ann: 0 of 26 submitted").wait_for()
    assert len(live.rows("assignments")) == 52
    [(token,)] = live.rows("evaluations", "token")
    item = items_of(live.person("Ann"), token)[0]["token"]
    judge(live, token, "Ann", item, responsiveness=3, readability=4)
    page.wait_for_load_state()  # the script that refreshes progress has run
    # It asks again every ten seconds, and when it is looked at again.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_role("progressbar", name="Ann: 1 of 26 submitted").wait_for()

    page.get_by_role("link", name="Guidelines", exact=True).press("Enter")
    page.get_by_role("link", name="Edit readability").press("Enter")
    page.get_by_label("Text").fill("# Read it\n\n- aloud")
    page.get_by_role("button", name="Save as version 2").press("Enter")
    page.get_by_text("readability, version 2").wait_for()

    page.get_by_role("link", name="Export", exact=True).press("Enter")
    with page.expect_download() as started:
        page.get_by_role("link", name="collection.zip").press("Enter")
    started.value.save_as(tmp_path / "c.zip")
    with zipfile.ZipFile(tmp_path / "c.zip") as packed:
        packed.extractall(tmp_path / "c")
    assert Collection.load(tmp_path / "c").summaries == demo.load_demo().summaries
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
