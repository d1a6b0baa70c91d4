"""All other tests of the studio on a real PostgreSQL, which is started here."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, text

from studio.test_durability import Server, prepared, report, require_all, work


def _binaries() -> Path:
    on_path = shutil.which("initdb")
    folders = [Path(on_path).parent] if on_path else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    folder = next((folder for folder in folders if (folder / "initdb").exists()), None)
    if folder is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return folder


class PostgreSQL:
    """A server of databases in a folder, which runs as another user if this one is root."""

    def __init__(self, folder: str, *options: str) -> None:
        self.folder, self._binaries, is_root = folder, _binaries(), os.geteuid() == 0
        self._as_user = ["runuser", "-u", "postgres", "--"] if is_root else []
        self._options = " ".join((f"-k {folder} -c listen_addresses=''", *options))
        self.url = f"postgresql+psycopg://postgres@/postgres?host={folder}"
        if is_root:
            shutil.chown(folder, "postgres")
        self._run("initdb", "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C")

    def _run(self, program: str, *options: str) -> None:
        command = [str(self._binaries / program), "-D", f"{self.folder}/data", *options]
        subprocess.run(
            [*self._as_user, *command], check=True, stdout=subprocess.DEVNULL, cwd=self.folder
        )

    def start(self) -> None:
        self._run("pg_ctl", "-w", "-l", f"{self.folder}/log", "-o", self._options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-w", "-m", "fast", "stop")

    def kill(self) -> None:
        """Kill all its processes at once."""
        lock = Path(self.folder, "data", "postmaster.pid")
        first = lock.read_text(encoding="utf-8").split()[0]
        children = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii").split()
        for process in (first, *children):
            with suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)
        # They stay in use where nobody waits for the dead process.
        for file in (lock, *Path(self.folder).glob(".s.PGSQL*.lock")):
            file.unlink()


@pytest.fixture
def folder() -> Iterator[str]:
    """A folder with a short path, as sockets need it."""
    with tempfile.TemporaryDirectory(prefix="pg") as name:
        yield name


@pytest.fixture
def database(folder: str) -> Iterator[PostgreSQL]:
    """A new server of databases that forgets nothing when it is killed."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    server = PostgreSQL(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class BothServers(Server):
    """The studio and its database: the studio, the database or both are killed in turn."""

    def __init__(self, database: PostgreSQL) -> None:
        super().__init__(database.url)
        self._database, self._turn = database, 0

    def start(self) -> None:
        if not self.is_up.is_set():
            super().start()

    def kill(self) -> None:
        self._turn += 1
        if self._turn % 3 != 1:
            self._database.kill()
        if self._turn % 3 != 2:
            super().kill()
        if self._turn % 3 != 1:
            self._database.start()

    def stored_keys(self) -> tuple[str, Counter[str]]:
        with create_engine(self.database, poolclass=NullPool).connect() as connection:
            return "ok", Counter(connection.scalars(text("SELECT key FROM events ORDER BY id")))


@pytest.mark.long
def test_no_judgment_is_lost_or_doubled(database, monkeypatch, request, capsys):
    monkeypatch.setenv("STUDIO_DATABASE", database.url)
    studio = request.getfixturevalue("studio")
    server = BothServers(database)
    writers = prepared(studio, server)
    work(server, writers, 40, server.stored_keys)
    require_all(studio, writers, server.stored_keys())
    with capsys.disabled():
        print(report(40, writers))


@pytest.mark.long
def test_every_flow_works_on_postgresql(database):
    """Set `STUDIO_TESTS` to run some files or tests only."""
    tests = os.environ.get("STUDIO_TESTS", str(Path(__file__).parent)).split()
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "", *tests,
               f"--ignore={__file__}"]  # fmt: skip
    environment = {**os.environ, "STUDIO_DATABASE": database.url}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    print(ran.stdout[-5000:])
    assert ran.returncode == 0, ran.stdout[-5000:] + ran.stderr[-2000:]
