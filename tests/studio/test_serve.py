"""`pyramidion serve`: how it starts and ends, and its error messages."""

import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from http.client import HTTPConnection
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
import uvicorn
from sqlalchemy import text

from pyramidion.cli.runtime import run
from pyramidion.questions import Progress
from pyramidion.studio import Store, serve

COMMAND = (sys.executable, "-m", "pyramidion", "serve", "--port", "0")


class Running:
    """The studio in a separate process."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        self.lines: list[str] = []

    def wait(self) -> str:
        """Wait until it is open; give its address."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line)
            if match := re.match(r"The studio is open at (http://\S+)", line):
                return match[1]
        raise AssertionError("".join(self.lines))

    def end(self, number: int) -> tuple[int, str]:
        """Send it a signal; return its exit code and further output."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out + err

    @property
    def most_memory(self) -> int:
        """The most it ever used, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        match = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert match is not None
        return int(match[1]) // 1024


@pytest.fixture
def running(tmp_path):
    """Start studios; those still running at the end are killed."""
    started: list[Running] = []

    def start(*arguments: str) -> Running:
        started.append(Running(*arguments, folder=tmp_path))
        return started[-1]

    yield start
    for studio in started:
        studio.process.kill()
        studio.process.communicate()


def links(studio: Running) -> list[str]:
    return re.findall(r"http://\S+/invitation/\S+", "".join(studio.lines))


def entries(studio: Running) -> list[str]:
    return re.findall(r"http://\S+/enter/\S+", "".join(studio.lines))


def entered(link: str) -> tuple[str, str]:
    """Open a link of the demonstration; return the cookie and the first page."""
    jar = CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    with opener.open(link) as answer:
        page = answer.read().decode()
    [cookie] = jar
    return f"{cookie.name}={cookie.value}", page


def logged_in(link: str, name: str) -> tuple[str, str]:
    """Accept an invitation; return the cookie and the first page."""
    jar = CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    data = urllib.parse.urlencode({"name": name, "password": "several good words"}).encode()
    with opener.open(link, data) as answer:
        page = answer.read().decode()
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar), page


@pytest.mark.long
def test_the_demo_opens_and_ends_cleanly(running):
    demo = running("--demo")
    address = demo.wait()
    first, kim, lee = entries(demo)
    assert "Evaluations" in entered(first)[1]
    assert "Evaluations" in entered(first)[1]  # again, after a reload
    cookie, page = entered(kim)
    assert "demonstration" in page
    with pytest.raises(urllib.error.HTTPError, match="404") as refused:
        urllib.request.urlopen(f"{address}/enter/guessed")
    refused.value.close()
    refused_early(address, cookie)
    assert demo.end(signal.SIGINT) == (0, "")
    assert len({first, kim, lee}) == 3


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_link_is_printed_until_it_was_used(running, number):
    for time_of_start in range(3):
        studio = running()
        studio.wait()
        printed = links(studio)
        if time_of_start == 1:
            logged_in(printed[0], "Olga")
        assert len(printed) == (time_of_start < 2)
        assert studio.end(number) == (0, "")


def refused_early(address: str, cookie: str) -> None:
    """A gigabyte is refused before it is sent."""
    connection = HTTPConnection(address.removeprefix("http://"), timeout=10)
    connection.putrequest("POST", "/evaluations/import")
    connection.putheader("Cookie", cookie)
    connection.putheader("Content-Length", str(2**30))
    connection.endheaders(b"x")
    answer = connection.getresponse()
    assert answer.status == 413
    assert b"Send at most 256 MB." in answer.read()
    connection.close()


@pytest.mark.long
def test_a_gigabyte_in_pieces_is_refused_and_fills_no_memory(running):
    demo = running("--demo")
    address = demo.wait()
    cookie, page = entered(entries(demo)[0])
    csrf = page.partition('name="csrf" content="')[2].partition('"')[0]
    before = demo.most_memory
    for headers in ({"X-CSRF-Token": csrf}, {}):
        status = sent_in_pieces(address, {"Cookie": cookie, **headers})
        assert status == 413
    assert demo.most_memory - before < 64
    with urllib.request.urlopen(f"{address}/login") as answer:  # it lives on
        assert answer.status == 200
    assert demo.end(signal.SIGTERM)[0] == 0


def sent_in_pieces(address: str, headers: dict[str, str]) -> int:
    """Send a gigabyte as a file in a form, without Content-Length."""
    connection = HTTPConnection(address.removeprefix("http://"), timeout=60)
    connection.putrequest("POST", "/evaluations/import")
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.putheader("Content-Type", "multipart/form-data; boundary=cut")
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()
    head = b'--cut\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'
    try:
        for piece in (head, *[bytes(2**20)] * 1024):
            connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
    except (BrokenPipeError, ConnectionResetError):
        time.sleep(0.1)
    with connection.getresponse() as answer:
        connection.close()
        return answer.status


def printed_by_serve(monkeypatch, database: Path, **options: str) -> list[str]:
    """Messages of `serve`, which stops before it answers requests."""
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: sockets[0].close())
    messages: list[str] = []
    progress = Progress(message=messages.append)
    serve(database=str(database), port=0, progress=progress, **options)
    return messages


@pytest.mark.parametrize(
    ("host", "name"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("localhost",) * 2],
)
def test_printed_links_can_be_opened_on_this_computer(monkeypatch, tmp_path, host, name):
    [line] = printed_by_serve(monkeypatch, tmp_path / "a.db", host=host)
    assert re.fullmatch(
        rf"Organizer, choose a password: http://{re.escape(name)}:\d+/invitation/[\w-]+", line
    )


def one_line(capsys, *arguments: str) -> str:
    assert run(["serve", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_a_busy_port(capsys, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])
        message = one_line(capsys, "--port", port, "--database", str(tmp_path / "a.db"))
    assert f"port {port} of 127.0.0.1 cannot be used" in message
    assert "--port" in message


def test_a_folder_that_is_not_there(capsys, tmp_path):
    message = one_line(capsys, "--database", str(tmp_path / "none" / "a.db"))
    assert "this database cannot be opened (unable to open database file)" in message


def test_a_database_of_a_newer_version(capsys, tmp_path):
    store = Store(tmp_path / "a.db")
    store.upgrade()
    with store.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    message = one_line(capsys, "--database", str(tmp_path / "a.db"))
    assert "a newer version of Pyramidion created this database; upgrade Pyramidion" in message


@pytest.mark.parametrize("address", ["postgresql+none://host/name", "nonsense://host/name"])
def test_an_address_of_no_database(capsys, address):
    assert "cannot connect to this database URL" in one_line(capsys, "--database", address)


def test_without_the_extra(capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "pyramidion.studio._start", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert 'run: pip install "pyramidion[web]"' in one_line(capsys)


def test_a_new_link_for_a_forgotten_password(capsys, monkeypatch, tmp_path):
    database = tmp_path / "studio.db"
    printed_by_serve(monkeypatch, database)
    store = Store(database)
    with store.write() as session:
        session.execute(
            text("UPDATE accounts SET name = 'Olga', folded = 'olga', password_hash = 'forgotten'")
        )
    store.close()
    assert printed_by_serve(monkeypatch, database) == []
    [line] = printed_by_serve(monkeypatch, database, link="olga")
    assert line.startswith("Olga, choose a password: http://127.0.0.1:")
    message = one_line(capsys, "--database", str(database), "--port", "0", "--link", "Olgo")
    assert "there is no account 'Olgo'; did you mean Olga?" in message
