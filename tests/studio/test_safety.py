"""What protects people and judgments: nothing is changed unseen, no secret is told."""

import logging
import sqlite3

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError
from starlette.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pyramidion.demo import load_demo
from pyramidion.studio._accounts import accept, add_account, invite
from pyramidion.studio._app import COOKIE
from pyramidion.studio._evaluations import add_evaluation
from pyramidion.studio._store import Account, Assignment, BoardChange, BoardRow, Event

DEMO = load_demo()
PASSWORD = "several good words"


@pytest.fixture
def judged(studio):
    """Something that was judged, and a board that was changed."""
    with studio.store.write() as session:
        who, evaluation = add_account(session, "Ann", "assessor"), add_evaluation(session, DEMO)
        own = {"evaluation_id": evaluation.id, "task": "A", "topic": "P01"}
        item = Assignment(**own, account_id=who.id, kind="judge", system="A", place=0)
        board = BoardRow(**own)
        session.add_all([item, board])
        session.flush()
        by = {"account_id": who.id, "key": "k", "data": {}}
        session.add(Event(**by, assignment_id=item.id, kind="submit"))
        session.add(BoardChange(**by, board_id=board.id, version=1, action="do"))


@pytest.mark.parametrize("table", ["events", "board_changes"])
@pytest.mark.parametrize("change", ["UPDATE {} SET at = 0", "DELETE FROM {}"])
def test_the_database_refuses_to_change_what_was_judged(studio, judged, table, change):
    with pytest.raises(DBAPIError, match="only ever added"), studio.store.write() as session:
        session.execute(text(change.format(table)))
    with studio.store.read() as session:
        kept = session.query({"events": Event, "board_changes": BoardChange}[table])
        assert kept.filter_by(at=0).count() == 0
        assert kept.count() == 1


def test_no_secret_is_told_in_a_log(studio, caplog):
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.INFO, "sqlalchemy")  # every statement; rows only if debugged itself
    with studio.store.write() as session:
        invitation = invite(session, add_account(session, "Bob", "assessor"))
    browser = studio.stranger()
    browser.get(f"/invitation/{invitation}")
    browser.post(f"/invitation/{invitation}", data={"name": "Bob", "password": PASSWORD})
    first = browser.cookies[COOKIE]
    browser.post("/login", data={"name": "Bob", "password": "a wrong password"})
    browser.post("/login", data={"name": "Bob", "password": PASSWORD})
    page = browser.get("/").text
    csrf = page.partition('name="csrf" content="')[2].partition('"')[0]
    browser.post("/logout", data={"csrf": csrf})
    with studio.store.read() as session:
        kept = session.query(Account).filter_by(name="Bob").one().password_hash
    assert "SELECT" in caplog.text  # it does tell what happens
    for secret in (PASSWORD, "a wrong password", first, browser.cookies.get(COOKIE, first), kept,
                   invitation, csrf):  # fmt: skip
        # Of an address that is asked for, only a client logs the path.
        own = [one for one in caplog.records if not one.name.startswith("httpx")]
        assert not any(secret in one.getMessage() for one in own)


def test_an_error_of_the_database_does_not_tell_what_was_written(studio):
    with studio.store.write() as session:
        add_account(session, "Ann", "assessor")
    with pytest.raises(DBAPIError) as told, studio.store.write() as session:
        session.add(Account(name="Ann", role="assessor", password_hash="a secret hash"))
    assert "a secret hash" not in str(told.value)


def behind_a_proxy(studio, **headers) -> TestClient:
    """A browser before a proxy on the same machine, which hands requests on by HTTP."""
    app = ProxyHeadersMiddleware(studio.app, trusted_hosts="127.0.0.1")
    return TestClient(
        app, base_url="http://studio.example", client=("127.0.0.1", 5000), headers=headers,
        follow_redirects=False,
    )  # fmt: skip


def test_cookies_travel_by_https_only(studio):
    with studio.store.write() as session:
        accept(session, invite(session, add_account(session, "Ann", "assessor")), PASSWORD)
    secure = {"X-Forwarded-Proto": "https", "Origin": "https://studio.example"}
    who = {"name": "Ann", "password": PASSWORD}
    answer = behind_a_proxy(studio, **secure).post("/login", data=who)
    assert answer.status_code == 303
    assert "secure" in answer.headers["set-cookie"].lower()
    plain = behind_a_proxy(studio)
    assert "only by HTTPS" in plain.get("/login").text
    assert "secure" in plain.post("/login", data=who).headers["set-cookie"].lower()
    assert "only by HTTPS" not in studio.stranger().get("/login").text


def test_who_is_behind_a_proxy_is_told_apart(studio):
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
    # Whoever looked for the secret among the files would miss it, and say so.
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
