"""Every command in other environments: never a crash, and the exit code stays the same."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import typer

from pyramidion.cli.app import build_app
from snapshots.cases import CASES, LONG
from snapshots.inputs import provide
from snapshots.recording import OUTPUT, recorded
from snapshots.test_snapshots import _commands

ENVIRONMENTS = {
    "latin-1": ("<&-", {"PYTHONIOENCODING": "latin-1"}),
    "locale C": ("2>&-", {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    "no output": (">&-", {}),
}


def _first_cases():
    """Return the first short case of each command."""
    names = [name for name in CASES if name not in LONG] + list(CASES)
    for command in (*_commands(typer.main.get_command(build_app(()))), "--cite"):
        matching = (name for name in names if f"{CASES[name]} ".startswith(f"{command} "))
        yield from list(matching)[:1]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return tmp_path_factory.mktemp("environments").resolve()


@pytest.mark.long
@pytest.mark.parametrize("name", sorted({*_first_cases()}))
def test_commands_work_in_every_environment(name, inputs):
    provide(CASES[name], inputs)
    snapshot = recorded(name)
    assert snapshot is not None
    code = int(re.search(r"exit code\n(\d+)", snapshot)[1])
    for redirected, environment in ENVIRONMENTS.values():
        shutil.rmtree(inputs / OUTPUT, ignore_errors=True)
        (inputs / OUTPUT).mkdir()
        command = f"{sys.executable} -m pyramidion {CASES[name]} {redirected}"
        done = subprocess.run(
            ["bash", "-c", command], cwd=inputs, env=os.environ | environment,
            capture_output=True, check=False,
        )  # fmt: skip
        assert b"Traceback" not in done.stderr
        # What only standard output could deliver is not delivered where there is none.
        lost = redirected == ">&-" and b"(standard output is closed)" in done.stderr
        assert done.returncode == (2 if lost else code), (redirected, done.stderr)
        assert lost == (redirected == ">&-" and not any((inputs / OUTPUT).iterdir()))
        if redirected != ">&-":
            assert done.stdout.decode(environment.get("PYTHONIOENCODING", "utf-8")) is not None
