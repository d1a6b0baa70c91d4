"""A studio for tests: its database in a file, and people who are logged in."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")
pytest.importorskip("argon2", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="requests to the studio need httpx2")

from fastapi.testclient import TestClient

from pyramidion.studio import Store, create_app
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
            with self.store.write() as session:
                account = session.query(Account).filter_by(name=name).one_or_none()
                token = begin_visit(session, account or add_account(session, name, role))
                session.flush()
                visit = visit_of(session, token)
                assert visit is not None
                csrf = visit.csrf
            client = self.stranger()
            client.cookies.set(COOKIE, token)
            client.headers["X-CSRF-Token"] = csrf
            self.people[name] = client
        return self.people[name]

    @property
    def organizer(self) -> TestClient:
        return self.person("Olga", "organizer")


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    store = Store(tmp_path / "studio.db")
    store.upgrade()
    yield Studio(store, create_app(store))
    store.close()
