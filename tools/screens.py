"""Take pictures of every page of the studio, narrow and wide, light and dark.

The demonstration is opened with every kind of work, and the links of an organizer's and of two
assessors' pages are followed. Of pages that differ in what they show only, one is taken.
"""

import argparse
import re
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import sync_playwright
from sqlalchemy import select
from sqlalchemy.orm import Session

from pyramidion.collection import Contributor, Part
from pyramidion.studio import Store, create_app
from pyramidion.studio._accounts import add_account, begin_visit, invite
from pyramidion.studio._app import COOKIE
from pyramidion.studio._assigning import AssignmentForm, planned, write
from pyramidion.studio._boards import ChangeRequest, board_state, change, open_board
from pyramidion.studio._demo import add_samples, demo_collection
from pyramidion.studio._edits import AddUnit
from pyramidion.studio._evaluations import Settings, TrainingItem, add_evaluation
from pyramidion.studio._modes import MODES, questions_of, with_pyramids
from pyramidion.studio._store import Account, Assignment, Evaluation, Event

LOOKS = {
    f"{width}-{scheme}": {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    for width in (1280, 360)
    for scheme in ("light", "dark")
}
#: Nobody looks at more of a long page.
TALLEST = 2400
# What is not a page, or ends the visit.
_SKIPPED = re.compile(r"/(static|api|logout|backup)|/export/.|\.(zip|csv)$")
_TOKEN = re.compile(r"[\w-]{20,}")


@contextmanager
def demonstration() -> Iterator[tuple[Store, str]]:
    """Open the demonstration at a free port; give its database and address."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as port:
        store = Store(Path(folder, "screens.db"))
        store.upgrade()
        with store.write() as session:
            evaluation = add_evaluation(session, demo_collection())
            add_samples(session, evaluation)
            add_account(session, "Olga", "organizer")
            add_every_kind(session, evaluation)
        server = uvicorn.Server(uvicorn.Config(create_app(store), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [port]})
        thread.start()
        try:
            yield store, f"http://127.0.0.1:{port.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
            store.close()


def add_every_kind(session: Session, evaluation: Evaluation) -> None:
    """Assign all kinds of work to Ann, with training, and build pyramids to adjudicate."""
    ann = add_account(session, "Ann", "assessor")
    settings = Settings.of(evaluation)
    answers = {measure.name: 4.0 for measure in settings.measures}
    known = TrainingItem("A", "P06", "lead", answers, "It says who was convicted, but not when.")
    evaluation.settings = replace(settings, training=(known,)).to_json()
    for kind in ("judge", *MODES, "annotate", "independent"):
        work = AssignmentForm(kind, ("Ann",), ("A",), topics=("P01", "P06"), training=True)
        write(session, evaluation, work, planned(session, evaluation, work), account=ann)
    pyramids = with_pyramids(session, evaluation, ("A", "P01"))
    items = session.scalars(select(Assignment).filter_by(account_id=ann.id, topic="P01"))
    for item in items.all():
        answers = [
            {"measure": q.id, "value": q.measure.points[n % len(q.measure.points)], "guideline": 0}
            for n, q in enumerate(questions_of(pyramids, item), start=item.position)
        ]
        for n, data in enumerate((*answers, {}) if answers and item.position % 2 else ()):
            key, kind = f"picture-{item.id}-{n}", "score" if data else "submit"
            fields = {"assignment_id": item.id, "account_id": ann.id, "key": key}
            session.add(Event(**fields, kind=kind, data=data))
    for number, person in enumerate(session.scalars(select(Account).limit(2)).all()):
        work = AssignmentForm("independent", (person.name,), ("A",), topics=("P01",))
        write(session, evaluation, work, planned(session, evaluation, work))
        board = open_board(session, evaluation, "A", f"P01\t{person.id}")
        text = board_state(session, board).board.pyramid.text
        for unit, label in enumerate(("The ferry burned", "People died", "It had left a port")):
            start = 100 + 40 * (unit + number * (unit > 1))
            part = Part(start, start + 30, text[start : start + 30])
            edit = AddUnit(f"{unit + 1}", label, 0, (Contributor((part,)),))
            change(
                session,
                board,
                ChangeRequest(person.id, f"{unit}-{person.id}", "do", "", unit, edit),
            )
    open_board(session, evaluation, "A", "P01")


def cookie_of(store: Store, name: str) -> str:
    """Log a person in."""
    with store.write() as session:
        return begin_visit(session, session.scalars(select(Account).filter_by(name=name)).one())


def kind_of(path: str) -> str:
    """Name a page by its path, without the token of what it shows."""
    mode = re.search(r"kind=\w+|purpose=", path)
    plain = _TOKEN.sub("", path.partition("?")[0]).strip("/").replace("//", "/")
    plain += f"-{mode[0]}" if mode else ""
    return re.sub(r"\W+", "-", plain) or "start"


def pages(page: Any) -> Iterator[tuple[str, str]]:
    """Follow links from the first page; give one page of each kind, and its path."""
    waiting, seen = ["/"], set[str]()
    for path in waiting:
        if kind_of(path) in seen or _SKIPPED.search(path.partition("?")[0]):
            continue
        seen.add(kind_of(path))
        yield kind_of(path), path
        links = "all => all.map(a => a.pathname + a.search)"
        waiting += page.eval_on_selector_all("a[href^='/']", links)


def settle(page: Any) -> None:
    """Wait until a page has what it shows."""
    page.wait_for_load_state("networkidle")
    if page.locator("#results[data-waiting]").count():
        page.wait_for_selector("#results:not([data-waiting])", timeout=180_000)


def take(page: Any, target: Path) -> None:
    """Take a picture of the whole page, and complain of one that is wider than the window."""
    width = page.viewport_size["width"]
    height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        print(f"{target.name}: {wide} px wide")
    page.screenshot(
        path=target, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": height}
    )


def shoot(browser: Any, address: str, who: tuple[str, str], look: str, folder: Path) -> None:
    """Take all pages of a person in one look."""
    name, cookie = who
    context = browser.new_context(base_url=address, **LOOKS[look])
    context.add_cookies([{"name": COOKIE, "value": cookie, "url": address}] if cookie else [])
    page = context.new_page()
    page.on("pageerror", lambda error: print(f"{page.url}: {error}"))
    for kind, path in pages(page) if cookie else _OUTSIDE:
        page.goto(path)
        settle(page)
        take(page, folder / f"{name.lower()}-{kind}-{look}.png")
    for kind, show in _STEPS.get(name, {}).items():
        show(page)
        settle(page)
        take(page, folder / f"{name.lower()}-{kind}-{look}.png")
    context.close()


def show_plan(page: Any) -> None:
    """Show the plan of a round."""
    page.goto("/")
    page.locator(".cards a").first.click()
    page.get_by_role("link", name="Assign", exact=True).click()
    page.get_by_role("button", name="Show the plan").click()


def show_group_link(page: Any) -> None:
    """Make a group link; the page that it opens is shown to strangers afterwards."""
    page.locator("#limit").fill("5")
    page.get_by_text("Let people register").click()
    page.locator("#consent").fill("We store what you answer, for a study of summaries.")
    page.get_by_role("button", name="Make a group link").click()
    page.goto(page.locator("#link").input_value())


def show_feedback(page: Any) -> None:
    """Judge the training, and show what was expected."""
    page.goto("/")
    page.locator("li", has_text="Judge summaries").get_by_role("link").click()
    page.locator("#summary p").wait_for()
    for key in "r43":  # reopens it in later looks
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.locator("#feedback[open]").wait_for()


def show_files(page: Any) -> None:
    """Check a table before it is imported."""
    page.goto("/evaluations/new")
    table = "topic,system,summary,fluency\nT1,a,Ice melts.,4\nT1,b,The sea rises.,2\n"
    file = {"name": "judged.csv", "mimeType": "text/csv", "buffer": table.encode()}
    page.locator("input[type=file]").first.set_input_files(file)
    page.get_by_role("button", name="Check").click()
    page.locator("#found *").first.wait_for()


#: Pictures of what follows a click, by person.
_STEPS = {
    "Ann": {"feedback": show_feedback},
    "Olga": {"plan": show_plan, "join": show_group_link, "import-check": show_files},
}
_OUTSIDE = [("login", "/login"), ("no-such-page", "/invitation/none")]


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/screens"))
    parser.add_argument("--look", choices=LOOKS, action="append", help="some looks only")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with demonstration() as (store, address), sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--disable-dev-shm-usage"]
        )
        with store.write() as session:
            token = invite(session, add_account(session, "Max", "assessor"))
        _OUTSIDE.append(("invitation", f"/invitation/{token}"))
        people = [
            ("stranger", ""),
            *((name, cookie_of(store, name)) for name in ("Kim", "Ann", "Olga")),
        ]
        for look in arguments.look or LOOKS:
            for who in people:
                shoot(browser, address, who, look, arguments.folder)
        browser.close()
    print(f"{len(list(arguments.folder.glob('*.png')))} pictures in {arguments.folder}")


if __name__ == "__main__":
    main()
