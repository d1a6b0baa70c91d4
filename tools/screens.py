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
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import sync_playwright
from sqlalchemy import select

from pyramidion.studio import Store, create_app
from pyramidion.studio._accounts import add_account, begin_visit, invite
from pyramidion.studio._app import COOKIE
from pyramidion.studio._demo import add_samples, demo_collection
from pyramidion.studio._evaluations import add_evaluation
from pyramidion.studio._store import Account

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
            add_account(session, "Ann", "assessor")
        server = uvicorn.Server(uvicorn.Config(create_app(store), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [port]})
        thread.start()
        try:
            yield store, f"http://127.0.0.1:{port.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
            store.close()


def post(page: Any, path: str, fields: Any, **options: Any) -> str:
    """Send a form, or JSON to the API, as the person of a page."""
    csrf = page.locator("meta[name=csrf]").get_attribute("content")
    kind = "data" if path.startswith("/api/") else "form"
    answer = page.request.post(path, headers={"X-CSRF-Token": csrf}, **{kind: fields}, **options)
    assert answer.ok, answer.text()
    text: str = answer.text()
    return text


def add_every_kind(organizer: Any, ann: Any) -> None:
    """Assign all kinds of work to Ann, with training, and let her answer half of it."""
    for page in (organizer, ann):
        page.goto("/")
    address = organizer.locator(".cards a").first.get_attribute("href")
    known = {"task": "A", "topic": "P06", "system": "lead", "note": "It does not say when."}
    answers = {"answer-responsiveness": "4", "answer-readability": "4"}
    post(organizer, f"{address}/training", {**known, **answers})
    pair = {**known, "kind": "prefer", "system": "first\tlead", "answer-preference": "-1"}
    post(organizer, f"{address}/training", pair)
    post(organizer, f"{address}/pyramids", {"task": "A", "topic": "P01"})
    for kind in ("judge", *_MODES, "independent"):
        form = {"kind": kind, "person": "Ann", "topic": "P01", "training": "on"}
        form |= {"task": "B" if kind == "judge" else "A", "repeats": "0", "writers": "on"}
        plan = post(organizer, f"{address}/assign", {**form, "action": "look"})
        shown = re.search('name="fingerprint" value="(.*?)"', plan)
        assert shown, kind
        form |= {"action": "write", "fingerprint": shown[1]}
        post(organizer, f"{address}/assign", form)
    api = f"/api/judge/{str(address).rpartition('/')[2]}"
    for kind in _MODES:
        for item in ann.request.get(f"{api}?kind={kind}").json()["items"][::2]:
            text = ann.request.get(f"{api}/items/{item['token']}").json()
            events: list[dict[str, Any]] = [
                {"kind": "score", "measure": question["id"], "value": answer[0]}
                for n, question in enumerate(text["questions"])
                for answer in question["answers"][n % len(question["answers"]) :][:1]
            ]
            keys = ({"key": f"{item['token']}-{n}", "item": item["token"]} for n in range(999))
            sent = [
                key | event for key, event in zip(keys, (*events, {"kind": "submit"}), strict=False)
            ]
            post(ann, f"{api}/events", {"events": sent})


_MODES = ("prefer", "checklist", "unit", "statements")


def cookie_of(store: Store, name: str) -> str:
    """Log a person in."""
    with store.write() as session:
        return begin_visit(session, session.scalars(select(Account).filter_by(name=name)).one())


def page_of(browser: Any, address: str, cookie: str, **look: Any) -> Any:
    """Open a page of a person, or of a stranger without a cookie."""
    context = browser.new_context(base_url=address, **look)
    context.add_cookies([{"name": COOKIE, "value": cookie, "url": address}] if cookie else [])
    return context.new_page()


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
    page = page_of(browser, address, cookie, **LOOKS[look])
    page.on("pageerror", lambda error: print(f"{page.url}: {error}"))
    for kind, path in pages(page) if cookie else _OUTSIDE:
        page.goto(path)
        settle(page)
        take(page, folder / f"{name.lower()}-{kind}-{look}.png")
    for kind, show in _STEPS.get(name, {}).items():
        show(page)
        settle(page)
        take(page, folder / f"{name.lower()}-{kind}-{look}.png")
    page.context.close()


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
    page.locator("#all").evaluate("part => { part.open = true; }")
    page.locator("#items button").first.click()
    page.locator("#judge:not(.loading) #summary p").wait_for()
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
        cookies = dict(people)
        add_every_kind(*(page_of(browser, address, cookies[name]) for name in ("Olga", "Ann")))
        for look in arguments.look or LOOKS:
            for who in people:
                shoot(browser, address, who, look, arguments.folder)
        browser.close()
    print(f"{len(list(arguments.folder.glob('*.png')))} pictures in {arguments.folder}")


if __name__ == "__main__":
    main()
