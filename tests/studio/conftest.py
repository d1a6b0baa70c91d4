"""A studio for tests: its database in a file, and people who are logged in.

`studio` answers requests without a network. `live` is a real server with a real browser before
it, skipped where there is none. Where the environment variable `STUDIO_DATABASE` has the address
of a PostgreSQL database, `studio` uses that; whatever is in it is removed.
"""

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")
pytest.importorskip("argon2", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="requests to the studio need httpx2")

import uvicorn
from argon2 import PasswordHasher
from fastapi.testclient import TestClient
from sqlalchemy import text

from pyramidion.studio import Store, _accounts, create_app
from pyramidion.studio._accounts import add_account, begin_visit, visit_of
from pyramidion.studio._app import COOKIE
from pyramidion.studio._store import Account, Role


@dataclass
class Studio:
    """A studio with its database, and browsers that are logged in."""

    store: Store
    app: Any
    people: dict[str, TestClient] = field(default_factory=dict)

    def stranger(self) -> TestClient:
        """A browser that is not logged in."""
        return TestClient(self.app, base_url="http://127.0.0.1", follow_redirects=False)

    def person(self, name: str, role: Role = "assessor") -> TestClient:
        """A browser in which a person is logged in; it sends the visit's secret."""
        if name not in self.people:
            token, csrf = self.visit(name, role)
            client = self.stranger()
            client.cookies.set(COOKIE, token)
            client.headers["X-CSRF-Token"] = csrf
            self.people[name] = client
        return self.people[name]

    def visit(self, name: str, role: Role = "assessor") -> tuple[str, str]:
        """The cookie and the secret of a new visit of a person, who is added where missing."""
        with self.store.write() as session:
            account = session.query(Account).filter_by(name=name).one_or_none()
            token = begin_visit(session, account or add_account(session, name, role))
            session.flush()
            visit = visit_of(session, token)
            assert visit is not None
            return token, visit.csrf

    @property
    def organizer(self) -> TestClient:
        return self.person("Olga", "organizer")


@dataclass
class Live(Studio):
    """A studio that listens at an address, with a browser before it."""

    address: str = ""
    browser: Any = None
    contexts: list[Any] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def page(
        self, name: str = "", role: Role = "assessor", *, width: int = 1280, dark: bool = False
    ) -> Any:
        """A page of a new browser in which a person is logged in, or nobody.

        `goto("/path")` goes to the studio's address. Errors of scripts, and what the policy of
        the page forbids, let the test fail in the end.
        """
        context = self.browser.new_context(
            base_url=self.address, color_scheme="dark" if dark else "light",
            viewport={"width": width, "height": 800}, accept_downloads=True,
        )  # fmt: skip
        context.set_default_timeout(30_000)
        self.contexts.append(context)
        if name:
            token, _ = self.visit(name, role)
            context.add_cookies([{"name": COOKIE, "value": token, "url": self.address}])
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self._heard(said.text))
        return page

    def _heard(self, text: str) -> None:
        if "Content Security Policy" in text:
            self.complaints.append(text)


@pytest.fixture(scope="session", autouse=True)
def quick_hashes() -> Iterator[None]:
    """Passwords of tests need not resist anybody."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_accounts, "_HASHER", quick)
        patch.setattr(_accounts, "_NOBODY", quick.hash("nobody"))
        yield


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the tables and nothing in them, to be copied."""
    path = tmp_path_factory.mktemp("studio") / "empty.db"
    store = Store(path)
    store.upgrade()
    store.close()
    return path


@pytest.fixture
def studio(tmp_path: Path, empty_database: Path) -> Iterator[Studio]:
    if address := os.environ.get("STUDIO_DATABASE"):
        store = Store(address)
        with store.engine.begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        store.upgrade()
    else:
        store = Store(shutil.copy(empty_database, tmp_path / "studio.db"))
    yield Studio(store, create_app(store))
    store.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no chromium found: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=found, args=["--disable-dev-shm-usage"])
        yield started
        started.close()


@pytest.fixture
def live(studio: Studio, browser: Any) -> Iterator[Live]:
    """A studio behind a real server, and a browser."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(
            studio.app, log_level="warning", access_log=False, timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        made = Live(studio.store, studio.app, address=address, browser=browser)
        yield made
        for context in made.contexts:
            context.close()
        server.should_exit = True
        thread.join()
    assert made.complaints == []
