"""Protection of people and judgments: stored events never change, and no secret leaks."""

import logging
import sqlite3

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError, OperationalError
from starlette.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pyramidion.demo import load_demo
from studio.conftest import COOKIE, PASSWORD
from studio.judged import event as judging_event
from studio.judged import send


@pytest.fixture
def judged(studio):
    """A studio with one event and one change of a board."""
    token = studio.evaluation(load_demo())
    item = studio.assign(token, "Ann", "P01", "A", task="A")
    comment = judging_event(item, "comment", text="good")
    assert send(studio.person("Ann"), token, comment).is_success
    edit = {"edit": "AddUnit", "label": "New", "at": 0}
    path = f"/api/desks/{studio.board(token, 'P01', 'A')}"
    body = {"events": [{"key": "a-new-key", "action": "do", "edit": edit}]}
    assert studio.organizer.post(path, json=body).is_success


@pytest.mark.parametrize("table", ["events", "board_changes"])
@pytest.mark.parametrize("change", ["UPDATE {} SET at = 0", "DELETE FROM {}"])
def test_the_database_refuses_to_change_what_was_judged(studio, judged, table, change):
    with pytest.raises(DBAPIError, match="only ever added"), studio.store.write() as session:
        session.execute(text(change.format(table)))
    [(time,)] = studio.rows(table, "at")
    assert time > 0


def test_no_secret_is_logged(studio, caplog):
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.INFO, "sqlalchemy")  # every statement; rows only if debugged itself
    link, browser = studio.invitation("Bob"), studio.stranger()
    browser.get(link)
    browser.post(link, data={"name": "Bob", "password": PASSWORD})
    first = browser.cookies[COOKIE]
    browser.post("/login", data={"name": "Bob", "password": "a wrong password"})
    browser.post("/login", data={"name": "Bob", "password": PASSWORD})
    page = browser.get("/").text
    csrf = page.partition('name="csrf" content="')[2].partition('"')[0]
    browser.post("/logout", data={"csrf": csrf})
    [(password_hash,)] = studio.rows("accounts", "password_hash")
    assert "SELECT" in caplog.text
    # The path of a request is logged by the client only.
    records = [record for record in caplog.records if not record.name.startswith("httpx")]
    for secret in (PASSWORD, "a wrong password", first, browser.cookies.get(COOKIE, first),
                   password_hash, link.rpartition("/")[2], csrf):  # fmt: skip
        assert not any(secret in record.getMessage() for record in records)


def test_a_database_error_does_not_show_values(studio):
    studio.person("Ann")
    columns = "name, role, password_hash, active, created"
    copy = f"INSERT INTO accounts ({columns}) VALUES ('Ann', :r, :h, true, 0)"
    with pytest.raises(DBAPIError) as refused, studio.store.write() as session:
        session.execute(text(copy), {"r": "assessor", "h": "a secret hash"})
    assert "a secret hash" not in str(refused.value)


def behind_a_proxy(studio, **headers) -> TestClient:
    """A browser that reaches the studio through a local proxy, which forwards plain HTTP."""
    app = ProxyHeadersMiddleware(studio.app, trusted_hosts="127.0.0.1")
    return TestClient(
        app, base_url="http://studio.example", client=("127.0.0.1", 5000), headers=headers,
        follow_redirects=False,
    )  # fmt: skip


def test_cookies_travel_by_https_only(studio):
    studio.register("Ann")
    secure = {"X-Forwarded-Proto": "https", "Origin": "https://studio.example"}
    form = {"name": "Ann", "password": PASSWORD}
    answer = behind_a_proxy(studio, **secure).post("/login", data=form)
    assert answer.status_code == 303
    assert "secure" in answer.headers["set-cookie"].lower()
    plain = behind_a_proxy(studio)
    assert "only over HTTPS" in plain.get("/login").text
    assert "secure" in plain.post("/login", data=form).headers["set-cookie"].lower()
    assert "only over HTTPS" not in studio.stranger().get("/login").text


def test_attempts_through_a_proxy_are_counted_per_client(studio, monkeypatch):
    async def wait(_seconds: float) -> None:
        """Do not wait in a test."""

    monkeypatch.setattr("pyramidion.studio._pages.asyncio.sleep", wait)

    def tried(address):
        client = behind_a_proxy(studio, **{"X-Forwarded-For": address})
        return client.post("/login", data={"name": address, "password": "x" * 10}).status_code

    assert [tried("10.0.0.1") for _ in range(11)] == [403] * 10 + [429]
    assert tried("10.0.0.2") == 403


def test_forms_of_another_coding_are_refused(studio):
    kind = {"Content-Type": 'multipart/form-data; boundary=x; charset="unicode_escape"'}
    parts = (
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n\\ud800\r\n'
        for name in ("csrf", "name", "password")
    )
    body = "".join(parts) + "--x--\r\n"
    for client in (studio.stranger(), studio.person("Ann")):
        client.headers.pop("X-CSRF-Token", None)
        assert client.post("/login", content=body, headers=kind).status_code == 415


def test_files_of_assessors_are_not_read(studio):
    ann = studio.person("Ann")
    del ann.headers["X-CSRF-Token"]
    # Reading the form would find no CSRF token and answer 403.
    assert ann.post("/evaluations/import", files={"files": b"x"}).status_code == 404
    del studio.organizer.headers["X-CSRF-Token"]
    assert studio.organizer.post("/evaluations/import", files={"files": b"x"}).status_code == 403


def test_a_database_that_is_busy_may_be_asked_again(studio, caplog):
    if not studio.store.url.startswith("sqlite"):
        pytest.skip("locks a file of SQLite")
    browser = studio.organizer
    event.listen(
        studio.store.engine, "checkout",
        lambda connection, *_: connection.execute("PRAGMA busy_timeout = 0"),
    )  # fmt: skip
    other = sqlite3.connect(studio.store.url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answer = browser.post("/logout")
    other.close()
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "locked" in caplog.text
    assert browser.post("/logout").status_code == 303


def test_a_full_disk_is_reported_as_one(studio, monkeypatch):
    full = OperationalError("", {}, sqlite3.OperationalError("database or disk is full"))

    def refuse(*_arguments: object) -> None:
        raise full

    monkeypatch.setattr("pyramidion.studio._pages.work_of", refuse)
    answer = studio.person("Ann").get("/")
    assert answer.status_code == 507
    assert "disk of the studio is full" in answer.json()["error"]
