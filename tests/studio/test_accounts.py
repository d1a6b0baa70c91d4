"""Logging in, invitations, and what protects them."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from fastapi.testclient import TestClient

from pyramidion.errors import InputError
from pyramidion.studio import Store
from pyramidion.studio._accounts import accept, add_account, invite
from pyramidion.studio._app import COOKIE
from pyramidion.studio._store import Account, Base, Invitation, Visit

PASSWORD = "several good words"


def invited(studio, name="Ann", role="assessor"):
    with studio.store.write() as session:
        return invite(session, add_account(session, name, role))


def test_migrations_make_the_tables_of_the_models(tmp_path):
    store = Store(tmp_path / "new.db")
    store.upgrade()
    store.upgrade()  # a second time changes nothing
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "notes.txt").write_text("no database " * 500)
    with pytest.raises(InputError, match=r"notes\.txt: this database cannot be opened"):
        Store(tmp_path / "notes.txt").upgrade()
    assert (tmp_path / "notes.txt").read_text().startswith("no database")


def test_an_invitation_works_once_and_logs_in(studio):
    browser, token = studio.stranger(), invited(studio)
    asked = browser.get(f"/invitation/{token}")
    assert asked.status_code == 200
    assert 'value="Ann"' in asked.text
    taken = browser.post(f"/invitation/{token}", data={"name": "Ann B", "password": PASSWORD})
    assert taken.status_code == 303
    assert "httponly" in taken.headers["set-cookie"].lower()
    assert "samesite=lax" in taken.headers["set-cookie"].lower()
    assert "Ann B" in browser.get("/").text
    assert studio.stranger().get(f"/invitation/{token}").status_code == 404
    again = studio.stranger().post(
        f"/invitation/{token}", data={"name": "Eve", "password": PASSWORD}
    )
    assert again.status_code == 404


def test_an_organizer_who_opens_a_link_is_warned_and_may_go_on(studio):
    path, browser = f"/invitation/{invited(studio)}", studio.organizer
    page = browser.get(path).text
    assert "You are logged in as Olga." in page
    form = {"name": "Ann", "password": PASSWORD}
    form["csrf"] = page.partition('name="csrf" value="')[2].partition('"')[0]
    del browser.headers["X-CSRF-Token"]
    assert browser.post(path, data=form).status_code == 303


def test_a_new_invitation_ends_the_older_one(studio):
    token = invited(studio)
    with studio.store.write() as session:
        newer = invite(session, session.query(Account).filter_by(name="Ann").one())
    assert studio.stranger().get(f"/invitation/{token}").status_code == 404
    assert studio.stranger().get(f"/invitation/{newer}").status_code == 200


def test_secrets_are_kept_as_hashes(studio):
    token = invited(studio)
    browser = studio.stranger()
    browser.post(f"/invitation/{token}", data={"name": "Ann", "password": PASSWORD})
    with studio.store.read() as session:
        account = session.query(Account).filter_by(name="Ann").one()
        assert account.password_hash.startswith("$argon2id$")
        kept = {row.token_hash for row in session.query(Invitation)} | {
            row.token_hash for row in session.query(Visit)
        }
    assert kept.isdisjoint({token, browser.cookies[COOKIE]})


@pytest.mark.parametrize(
    ("name", "password"), [("Ann", "wrong words here"), ("Nobody", PASSWORD), ("Ann", "")]
)
def test_a_wrong_name_and_a_wrong_password_look_alike(studio, name, password):
    with studio.store.write() as session:
        accept(session, invite(session, add_account(session, "Ann", "assessor")), PASSWORD)
    browser = studio.stranger()
    answer = browser.post("/login", data={"name": name, "password": password or "x"})
    assert answer.status_code == 403
    assert "Name or password is wrong." in answer.text
    assert COOKIE not in browser.cookies


def test_logging_in_and_out(studio):
    with studio.store.write() as session:
        accept(session, invite(session, add_account(session, "Ann", "assessor")), PASSWORD)
    browser = studio.stranger()
    assert browser.get("/").headers["location"] == "/login"
    assert browser.post("/login", data={"name": "ann", "password": PASSWORD}).status_code == 303
    page = browser.get("/").text
    csrf = page.partition('name="csrf" content="')[2].partition('"')[0]
    assert browser.post("/logout").status_code == 403  # without the secret of the page
    assert browser.get("/login").headers["location"] == "/"
    cookie = browser.cookies[COOKIE]
    assert browser.post("/logout", data={"csrf": csrf}).status_code == 303
    browser.cookies.set(COOKIE, cookie)
    assert browser.get("/").headers["location"] == "/login"


def test_too_many_attempts_are_refused(studio):
    answers = [
        studio.stranger().post("/login", data={"name": "Ann", "password": f"{guess}" * 10})
        for guess in range(12)
    ]
    assert [answer.status_code for answer in answers] == [403] * 10 + [429] * 2


def test_many_people_come_in_from_one_address(studio):
    names = [f"Person {number}" for number in range(12)]
    for name in names:
        form = {"name": name, "password": PASSWORD}
        link = invited(studio, name)
        assert studio.stranger().post(f"/invitation/{link}", data=form).status_code == 303
    for name in names:
        form = {"name": name, "password": PASSWORD}
        assert studio.stranger().post("/login", data=form).status_code == 303


def test_whoever_is_refused_locks_nobody_else_out(studio):
    with studio.store.write() as session:
        accept(session, invite(session, add_account(session, "Ann", "assessor")), PASSWORD)
    for _ in range(10):
        studio.stranger().post("/login", data={"name": "Eve", "password": "guess " * 3})
    for _ in range(10):
        wrong = studio.stranger().post("/login", data={"name": "Ann", "password": "guess " * 3})
        assert wrong.status_code == 429
    elsewhere = TestClient(studio.app, "http://127.0.0.1", client=("10.0.0.7", 1))
    form = {"name": "Ann", "password": PASSWORD}
    assert elsewhere.post("/login", data=form, follow_redirects=False).status_code == 303


@pytest.mark.parametrize("typed", ["\u00c9lise", "\u00e9lise", " E\u0301LISE "])
def test_names_are_found_in_any_case_and_coding(studio, typed):
    with studio.store.write() as session:
        accept(session, invite(session, add_account(session, "\u00c9lise", "assessor")), PASSWORD)
        with pytest.raises(InputError, match="already"):
            add_account(session, typed, "assessor")
    form = {"name": typed, "password": PASSWORD}
    assert studio.stranger().post("/login", data=form).status_code == 303


def test_a_name_is_no_formula(studio):
    link = invited(studio)
    form = {"name": '=HYPERLINK("http://evil.example")', "password": PASSWORD}
    answer = studio.stranger().post(f"/invitation/{link}", data=form)
    assert answer.status_code == 422
    assert "cannot begin with =" in answer.text


def test_another_site_is_refused(studio):
    refused = studio.organizer.post("/logout", headers={"Origin": "https://evil.example"})
    assert refused.status_code == 403


def test_every_answer_has_a_strict_policy(studio):
    for path in ("/login", "/nothing", "/static/studio.css", "/api/nothing"):
        headers = studio.stranger().get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-frame-options"] == "DENY"


def test_long_requests_are_refused(studio):
    answer = studio.stranger().post("/login", content=b"x" * (3 * 2**20))
    assert answer.status_code == 413
    chunks = (b"x" * 2**20 for _ in range(4))  # no length is told before
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert studio.stranger().post("/login", content=chunks, headers=form).status_code == 413
