"""What other packages add through entry points, on the installable example."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "plugin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Install the example into a folder of its own, offline."""
    target = tmp_path_factory.mktemp("installed")
    source = tmp_path_factory.mktemp("source")
    for file in EXAMPLE.iterdir():
        (source / file.name).write_bytes(file.read_bytes())
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target")
    command = [sys.executable, "-m", "pip", "install", *options, str(target), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def call(installed, tmp_path):
    """Run the program with the example installed; return its exit code and what it printed."""

    def run(*arguments):
        command = [sys.executable, "-m", "pyramidion", *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": str(installed)}
        return subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    return run


def test_the_example_adds_a_command_a_metric_a_format_and_a_test(call, tmp_path):
    words = {"a": "rain fell", "b": "ships sank"}
    rows = [
        f"T{n} | {name} | {text}{' again' * n}" for n in range(5) for name, text in words.items()
    ]
    (tmp_path / "mine.bars").write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = call("longest", "mine.bars", "--top", 1, "--format", "json", "--names", "names.txt")
    listed = json.loads(done.stdout)
    assert [(row["topic"], row["system"]) for row in listed["results"]] == [("T4", "a")]
    assert done.stderr == "wrote names.txt\n"
    assert (tmp_path / "names.txt").read_text() == "a\n"

    done = call("score", "mine.bars", "-m", "varied-words", "-o", "scores.csv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "scores.csv").read_text().splitlines()[1].endswith(",1")

    done = call("compare", "scores.csv", "--test", "sign", "--format", "json")
    assert done.returncode == 0, done.stderr
    [result] = json.loads(done.stdout)["results"]
    assert (result["test"], result["comparisons"][0]["p"]) == ("sign", 1.0)


def test_the_example_adds_a_rubric(call, tmp_path):
    (tmp_path / "mine.bars").write_text("T1 | a | rain fell\n", encoding="utf-8")
    judge = (
        "judge",
        "mine.bars",
        "--model",
        "http://localhost:1/v1",
        "--dry-run",
        "--format",
        "json",
    )
    done = call(*judge, "--rubric", "brevity")
    assert done.returncode == 0, done.stderr
    assert "avoid words that it does not need" in done.stdout
    done = call(*judge, "--rubric", "brevety")
    assert done.returncode == 2
    assert "did you mean brevity?" in done.stderr


def test_the_help_lists_what_the_example_adds(call):
    assert "List the longest summaries" in call("--help").stdout
    assert "varied-words" in call("metrics").stdout
    assert "bars" in call("describe", "nowhere", "--from", "nothing").stderr
