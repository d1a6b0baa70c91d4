"""Take pictures of every page of the studio, narrow and wide, light and dark.

The demonstration is opened, and the links of an organizer's and of an assessor's pages are
followed. Of pages that differ in what they show only, one is taken.
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
            add_samples(session, add_evaluation(session, demo_collection()))
            add_account(session, "Olga", "organizer")
        server = uvicorn.Server(uvicorn.Config(create_app(store), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [port]})
        thread.start()
        yield store, f"http://127.0.0.1:{port.getsockname()[1]}"
        server.should_exit = True
        thread.join()
        store.close()


def cookie_of(store: Store, name: str) -> str:
    """Log a person in."""
    with store.write() as session:
        return begin_visit(session, session.scalars(select(Account).filter_by(name=name)).one())


def kind_of(path: str) -> str:
    """Name a page by its path, without the token of what it shows."""
    plain = _TOKEN.sub("", path.partition("?")[0]).strip("/").replace("//", "/")
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
        page.wait_for_selector("#results:not([data-waiting])", timeout=60_000)


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
    context.close()


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
        people = [("stranger", ""), *((name, cookie_of(store, name)) for name in ("Kim", "Olga"))]
        for look in arguments.look or LOOKS:
            for who in people:
                shoot(browser, address, who, look, arguments.folder)
        browser.close()
    print(f"{len(list(arguments.folder.glob('*.png')))} pictures in {arguments.folder}")


if __name__ == "__main__":
    main()
