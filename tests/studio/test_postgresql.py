"""All other tests of the studio on a real PostgreSQL, which is started here."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


def _binaries() -> Path:
    on_path = shutil.which("initdb")
    folders = [Path(on_path).parent] if on_path else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    folder = next((folder for folder in folders if (folder / "initdb").exists()), None)
    if folder is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return folder


@pytest.fixture
def database() -> Iterator[str]:
    """The address of a new database; the server refuses to run as root."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    binaries, is_root = _binaries(), os.geteuid() == 0
    as_user = ["runuser", "-u", "postgres", "--"] if is_root else []
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        if is_root:
            shutil.chown(folder, "postgres")

        def run(program: str, *options: str) -> None:
            command = [*as_user, str(binaries / program), "-D", f"{folder}/data", *options]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

        run("initdb", "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        run("pg_ctl", "-w", "-l", f"{folder}/log", "-o", options, "start")
        try:
            yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-w", "-m", "fast", "stop")


@pytest.mark.long
def test_every_flow_works_on_postgresql(database):
    """Set `STUDIO_TESTS` to run some files or tests only."""
    tests = os.environ.get("STUDIO_TESTS", str(Path(__file__).parent)).split()
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", *tests,
               f"--ignore={__file__}"]  # fmt: skip
    environment = {**os.environ, "STUDIO_DATABASE": database}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    print(ran.stdout[-5000:])
    assert ran.returncode == 0, ran.stdout[-5000:] + ran.stderr[-2000:]
