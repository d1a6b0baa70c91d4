"""A studio for tests: a database in a file, and people who are logged in.

`studio` answers requests without a network. `live` is a real server with a real browser, skipped
where Chromium is missing. If the environment variable `STUDIO_DATABASE` has the URL of a PostgreSQL
database, `studio` uses it and removes everything in it. Only this module sets up database rows
directly; tests send requests and read exports.
"""

import csv
import io
import os
import shutil
import socket
import tempfile
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")
pytest.importorskip("argon2", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="requests to the studio need httpx2")

import uvicorn
from anyio.from_thread import BlockingPortal, start_blocking_portal
from argon2 import PasswordHasher
from fastapi.testclient import TestClient
from sqlalchemy import event, text

from pyramidion.collection import Collection
from pyramidion.studio import Store, _accounts, create_app
from pyramidion.studio._accounts import accept, add_account, begin_visit, invite, visit_of
from pyramidion.studio._evaluations import add_evaluation
from pyramidion.studio._store import Account, Assignment, Base, Evaluation, Event, Role

COOKIE = "pyramidion"
PASSWORD = "several good words"


@dataclass
class Studio:
    """A studio with its database, and browsers that are logged in."""

    store: Store
    app: Any
    portal: BlockingPortal | None = None
    people: dict[str, TestClient] = field(default_factory=dict)

    def stranger(self) -> TestClient:
        """A browser that is not logged in."""
        client = TestClient(self.app, base_url="http://127.0.0.1", follow_redirects=False)
        client.portal = self.portal
        return client

    def person(self, name: str, role: Role = "assessor") -> TestClient:
        """A browser in which a person is logged in; it sends the CSRF token."""
        if name not in self.people:
            token, csrf = self.visit(name, role)
            client = self.stranger()
            client.cookies.set(COOKIE, token)
            client.headers["X-CSRF-Token"] = csrf
            self.people[name] = client
        return self.people[name]

    def visit(self, name: str, role: Role = "assessor") -> tuple[str, str]:
        """The cookie and the CSRF token of a new visit; a missing person is added."""
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

    def invitation(self, name: str = "Ann", role: Role = "assessor") -> str:
        """The path of a new invitation link; a missing person is added."""
        with self.store.write() as session:
            account = session.query(Account).filter_by(name=name).one_or_none()
            return f"/invitation/{invite(session, account or add_account(session, name, role))}"

    def register(self, name: str = "Ann") -> None:
        """Add a person who has chosen `PASSWORD`."""
        with self.store.write() as session:
            accept(session, invite(session, add_account(session, name, "assessor")), PASSWORD)

    def evaluation(self, collection: Collection, name: str = "") -> str:
        """Import a collection; return the token of the evaluation."""
        with self.store.write() as session:
            return add_evaluation(session, collection, name=name).token

    def assign(
        self, token: str, name: str, topic: str, system: str = "", *, task: str = "",
        kind: str = "judge", occasion: int = 0,
    ) -> str:  # fmt: skip
        """Assign one item to a person, who is added if missing; return its token."""
        with self.store.write() as session:
            account = session.query(Account).filter_by(name=name).one_or_none()
            account = account or add_account(session, name, "assessor")
            evaluation = session.query(Evaluation).filter_by(token=token).one()
            item = Assignment(
                evaluation_id=evaluation.id, account_id=account.id, kind=kind, task=task,
                topic=topic, system=system, occasion=occasion,
                position=session.query(Assignment).count(),
            )  # fmt: skip
            session.add(item)
            session.flush()
            return item.token

    def board(self, token: str, topic: str, task: str = "") -> str:
        """Open the pyramid of a topic; return the token of its board."""
        path = f"/evaluations/{token}/pyramids"
        answer = self.organizer.post(path, data={"task": task, "topic": topic})
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"].rpartition("/")[2])

    def export(self, token: str, name: str) -> bytes:
        """Download an export."""
        answer = self.organizer.get(f"/evaluations/{token}/export/{name}")
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-disposition"].endswith(f'-{name}"')
        return bytes(answer.content)

    def collection(self, token: str) -> Collection:
        """The exported collection, with everything submitted so far."""
        with tempfile.TemporaryDirectory() as folder:
            with zipfile.ZipFile(io.BytesIO(self.export(token, "collection.zip"))) as archive:
                archive.extractall(folder)
            return Collection.load(folder)

    def events(self, token: str) -> list[dict[str, str]]:
        """The rows of the exported table of events."""
        return list(csv.DictReader(io.StringIO(self.export(token, "events.csv").decode())))

    def change_settings(self, token: str, **fields: str) -> None:
        """Change settings; measures and switches that are not named stay as they are."""
        form = {"scale-responsiveness": "1-5", "scale-readability": "1-5", "is_open": "on",
                "suggestions": "on", **fields}  # fmt: skip
        form = {name: value for name, value in form.items() if value}
        answer = self.organizer.post(f"/evaluations/{token}/settings", data=form)
        assert answer.status_code == 303, answer.text

    def stored_events(self) -> list[tuple[int, str, str, dict[str, Any]]]:
        """Position of the item, key, kind and data of every event, in the order they came."""
        with self.store.read() as session:
            events = session.query(Event).order_by(Event.id)
            return [(e.assignment.position, e.key, e.kind, e.data) for e in events]

    def rows(self, table: str, columns: str = "*") -> list[tuple[Any, ...]]:
        """The rows of a table of the database."""
        with self.store.read() as session:
            query = text(f"SELECT {columns} FROM {table} ORDER BY id")
            return [tuple(row) for row in session.execute(query)]


@dataclass
class Live(Studio):
    """A studio that listens at an address, with a browser before it."""

    address: str = ""
    browser: Any = None
    contexts: list[Any] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def page(
        self, name: str = "", role: Role = "assessor", *, width: int = 1280, dark: bool = False,
        bypass_csp: bool = False,
    ) -> Any:  # fmt: skip
        """A page of a new browser, with a person logged in if a name is given.

        Script errors and violations of the content security policy make the test fail at the end.
        """
        context = self.browser.new_context(
            base_url=self.address, color_scheme="dark" if dark else "light",
            viewport={"width": width, "height": 800}, accept_downloads=True, bypass_csp=bypass_csp,
        )  # fmt: skip
        context.set_default_timeout(30_000)
        self.contexts.append(context)
        if name:
            token, _ = self.visit(name, role)
            context.add_cookies([{"name": COOKIE, "value": token, "url": self.address}])
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self._heard(message.text))
        return page

    def _heard(self, text: str) -> None:
        if "Content Security Policy" in text:
            self.complaints.append(text)


@pytest.fixture(scope="session", autouse=True)
def quick_hashes() -> Iterator[None]:
    """Hash passwords quickly; those of tests need not be safe."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_accounts, "_HASHER", quick)
        patch.setattr(_accounts, "_DUMMY_HASH", quick.hash("nobody"))
        yield


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with empty tables, to be copied."""
    path = tmp_path_factory.mktemp("studio") / "empty.db"
    store = Store(path)
    store.upgrade()
    store.close()
    return path


@pytest.fixture(scope="session")
def metadata() -> Any:
    """The tables as the models declare them."""
    return Base.metadata


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """The event loop of all requests, which would otherwise start one each."""
    with start_blocking_portal() as started:
        yield started


@pytest.fixture
def studio(tmp_path: Path, empty_database: Path, portal: BlockingPortal) -> Iterator[Studio]:
    if address := os.environ.get("STUDIO_DATABASE"):
        store = Store(address)
        with store.engine.begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        store.upgrade()
    else:
        store = Store(shutil.copy(empty_database, tmp_path / "studio.db"))
        event.listen(store.engine, "connect", _without_waiting)
    yield Studio(store, create_app(store), portal)
    store.close()


def _without_waiting(connection: Any, _record: Any) -> None:
    """Leave it to the system when the database reaches the disk."""
    connection.execute("PRAGMA synchronous=OFF")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    executable = shutil.which("chromium") or shutil.which("google-chrome")
    if executable is None:
        pytest.skip("no chromium found: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(
            executable_path=executable, args=["--disable-dev-shm-usage"]
        )
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
        live_studio = Live(
            studio.store, studio.app, studio.portal, address=address, browser=browser
        )
        yield live_studio
        for context in live_studio.contexts:
            context.close()
        server.should_exit = True
        thread.join()
    assert live_studio.complaints == []
