"""Logging in, invitations, and how they are protected."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from pyramidion.errors import InputError
from pyramidion.studio import Store
from pyramidion.studio._accounts import account_named
from studio.conftest import COOKIE, PASSWORD


def test_migrations_make_the_tables_of_the_models(tmp_path, metadata):
    store = Store(tmp_path / "new.db")
    store.upgrade()
    store.upgrade()  # a second time changes nothing
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_file_that_is_not_a_database_is_named(tmp_path):
    (tmp_path / "notes.txt").write_text("no database " * 500)
    with pytest.raises(InputError, match=r"notes\.txt: this database cannot be opened"):
        Store(tmp_path / "notes.txt").upgrade()
    assert (tmp_path / "notes.txt").read_text().startswith("no database")


def test_an_invitation_works_once_and_logs_in(studio):
    browser, link = studio.stranger(), studio.invitation()
    form = browser.get(link)
    assert form.status_code == 200
    assert 'value="Ann"' in form.text
    taken = browser.post(link, data={"name": "Ann B", "password": PASSWORD})
    assert taken.status_code == 303
    assert "httponly" in taken.headers["set-cookie"].lower()
    assert "samesite=lax" in taken.headers["set-cookie"].lower()
    assert "Ann B" in browser.get("/").text
    assert studio.stranger().get(link).status_code == 404
    again = studio.stranger().post(link, data={"name": "Eve", "password": PASSWORD})
    assert again.status_code == 404


def test_an_organizer_who_opens_a_link_is_warned_and_can_return(studio):
    path, browser = studio.invitation(), studio.organizer
    page = browser.get(path).text
    assert "You are logged in as Olga." in page
    form = {"name": "Ann", "password": PASSWORD}
    form["csrf"] = page.partition('name="csrf" value="')[2].partition('"')[0]
    del browser.headers["X-CSRF-Token"]
    assert browser.post(path, data=form).status_code == 303
    page = browser.get("/").text
    assert "Return to Olga" in page
    csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
    assert browser.post("/logout", data={"csrf": csrf}).headers["location"] == "/"
    assert "Import a collection" in browser.get("/").text
    assert "Return to" not in browser.get("/").text


def test_a_new_invitation_ends_the_older_one(studio):
    older, newer = studio.invitation(), studio.invitation()
    assert studio.stranger().get(older).status_code == 404
    assert studio.stranger().get(newer).status_code == 200


def test_secrets_are_kept_as_hashes(studio):
    link, browser = studio.invitation(), studio.stranger()
    browser.post(link, data={"name": "Ann", "password": PASSWORD})
    [(password,)] = studio.rows("accounts", "password_hash")
    assert password.startswith("$argon2id$")
    hashes = studio.rows("invitations", "token_hash") + studio.rows("visits", "token_hash")
    assert len(hashes) == 2
    assert not {link.rpartition("/")[2], browser.cookies[COOKIE]} & {value for (value,) in hashes}


@pytest.mark.parametrize(
    ("name", "password"), [("Ann", "wrong words here"), ("Nobody", PASSWORD), ("Ann", "")]
)
def test_a_wrong_name_and_a_wrong_password_look_alike(studio, name, password):
    studio.register("Ann")
    browser = studio.stranger()
    answer = browser.post("/login", data={"name": name, "password": password or "x"})
    assert answer.status_code == 403
    assert "Name or password is wrong." in answer.text
    assert COOKIE not in browser.cookies


def test_logging_in_and_out(studio):
    studio.register("Ann")
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


@pytest.fixture
def waits(monkeypatch):
    """The seconds that attempts had to wait; nobody waits in tests."""
    seconds: list[float] = []

    async def wait(delay: float) -> None:
        seconds.append(delay)

    monkeypatch.setattr("pyramidion.studio._pages.asyncio.sleep", wait)
    return seconds


def test_attempts_are_slowed_down(studio, waits):
    studio.register("Ann")
    form = {"name": "Ann", "password": "guess " * 3}
    answers = [studio.stranger().post("/login", data=form).status_code for _ in range(12)]
    assert answers == [403] * 10 + [429] * 2
    assert waits[:5] == [0] * 5
    # Each attempt waits for those before it, also if they are sent at once.
    assert [round(seconds) for seconds in waits[5:]] == [1, 3, 7, 15, 30]
    right = {"name": "Bob", "password": PASSWORD}
    studio.register("Bob")
    assert studio.stranger().post("/login", data=right).status_code == 303
    assert waits[-1] == 0


@pytest.mark.parametrize("password", ["1234567890", "Password123!", "aaaaaaaaaaaa", "Ann B 12345"])
def test_passwords_that_are_easy_to_guess_are_refused(studio, password):
    form = {"name": "Ann B", "password": password}
    answer = studio.stranger().post(studio.invitation(), data=form)
    assert answer.status_code == 422
    assert "easy to guess" in answer.text


def test_many_people_come_in_from_one_address(studio):
    names = [f"Person {number}" for number in range(12)]
    for name in names:
        form = {"name": name, "password": PASSWORD}
        assert studio.stranger().post(studio.invitation(name), data=form).status_code == 303
    for name in names:
        form = {"name": name, "password": PASSWORD}
        assert studio.stranger().post("/login", data=form).status_code == 303


def test_whoever_is_refused_locks_nobody_else_out(studio, waits):
    studio.register("Ann")
    for _ in range(20):
        studio.stranger().post("/login", data={"name": "Ann", "password": "guess " * 3})
    elsewhere = TestClient(studio.app, "http://127.0.0.1", client=("10.0.0.7", 1))
    form = {"name": "Ann", "password": PASSWORD}
    assert elsewhere.post("/login", data=form, follow_redirects=False).status_code == 303
    assert waits[-1] == 0
    link = studio.invitation("Bob")  # links cannot be guessed
    form = {"name": "Bob", "password": PASSWORD}
    assert studio.stranger().post(link, data=form).status_code == 303


@pytest.mark.parametrize("typed", ["\u00c9lise", "\u00e9lise", " E\u0301LISE "])
def test_names_are_found_in_any_case_and_coding(studio, typed):
    studio.register("\u00c9lise")
    with pytest.raises(InputError, match="already"):
        studio.register(typed)
    form = {"name": typed, "password": PASSWORD}
    assert studio.stranger().post("/login", data=form).status_code == 303


def test_a_name_is_not_a_formula(studio):
    form = {"name": '=HYPERLINK("http://evil.example")', "password": PASSWORD}
    answer = studio.stranger().post(studio.invitation(), data=form)
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
    chunks = (b"x" * 2**20 for _ in range(4))  # without a Content-Length header
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert studio.stranger().post("/login", content=chunks, headers=form).status_code == 413


def test_names_are_unique_in_any_case_also_in_older_databases(tmp_path):
    store = Store(tmp_path / "older.db")
    store.upgrade("0002")
    row = "INSERT INTO accounts (name, role, password_hash, active, created) VALUES "
    with store.engine.begin() as connection:
        connection.execute(text(row + "('Zoë  Müller', 'assessor', '', true, 0)"))
    store.upgrade()
    with store.read() as session:
        account = account_named(session, "ZOË MÜLLER")
        assert account is not None
        assert account.name == "Zoë  Müller"
    row = row.replace("name,", "name, folded,")
    with pytest.raises(DBAPIError), store.engine.begin() as connection:
        connection.execute(text(row + "('ZOË', 'zoë müller', 'assessor', '', true, 0)"))
    store.close()
