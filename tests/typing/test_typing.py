"""Type checkers report every wrong call of a public function, and nothing in correct ones.

`make lint` runs these tests right after mypy, whose cache they use.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CALLS = Path(__file__).parent
CHECKOUT = CALLS.parents[1]
PROGRAMS = Path(sys.executable).parent
WRONG = CALLS / "wrong_calls.py"

pytestmark = pytest.mark.long


def marked_lines() -> list[str]:
    lines = WRONG.read_text(encoding="utf-8").splitlines()
    return [f"{WRONG.name}:{n}" for n, line in enumerate(lines, 1) if line.endswith("# wrong")]


def run(program: str, *arguments: str | Path) -> str:
    """Return what a type checker prints; it exits with 1 if it reports something."""
    command = [PROGRAMS / program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=CHECKOUT)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def reported(errors: Iterator[tuple[str, int]]) -> list[str]:
    return [f"{Path(file).name}:{line}" for file, line in errors]


def test_mypy_reports_the_wrong_calls_only():
    printed = run("mypy", "--output=json", WRONG, CALLS / "correct_calls.py")
    messages = map(json.loads, printed.splitlines())
    errors = ((m["file"], m["line"]) for m in messages if m["severity"] == "error")
    assert reported(errors) == marked_lines()


def test_pyright_reports_the_wrong_calls_only():
    if not (PROGRAMS / "basedpyright").exists():
        pytest.skip("basedpyright is not installed")
    options = ("--pythonpath", sys.executable, "--outputjson")
    # Snippets of the documentation are checked as well.
    printed = run("basedpyright", "--project", CALLS / "pyrightconfig.json", *options)
    messages = json.loads(printed)["generalDiagnostics"]
    errors = ((message["file"], message["range"]["start"]["line"] + 1) for message in messages)
    assert reported(errors) == marked_lines()
