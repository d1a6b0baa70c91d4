"""Models, rubrics and other small files: one that never ends is refused in a line."""

import shlex

import pytest

from pyramidion.cli.runtime import run
from pyramidion.demo import load_demo


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    load_demo().save(folder / "demo")
    (folder / "s.txt").write_text("Sen. Mary Landrieu won. Landrieu thanked them.\n")
    return folder


@pytest.mark.parametrize(
    ("command", "limit"),
    [
        ("classy models /dev/zero", 64),
        ("classy predict /dev/zero demo", 64),
        ("score demo -m 'classy(model=/dev/zero)'", 64),
        ("score demo -m 'auto-pyramid(model=/dev/zero)'", 64),
        ("summarize demo -m 'hmm-qr(model=/dev/zero)'", 64),
        ("rewrite s.txt -d s.txt --pipeline light --later sampled --chains /dev/zero", 64),
        ("rewrite s.txt -d s.txt --pipeline light --describe new --status /dev/zero", 64),
        ("study status demo --pipeline light --model /dev/zero", 64),
        ("pyramid auto build demo --model /dev/zero", 64),
        ("judge demo --model x --dry-run --rubric /dev/zero", 1),
    ],
)
def test_a_file_without_end_is_refused_in_one_line(folder, monkeypatch, capsys, command, limit):
    monkeypatch.chdir(folder)
    assert run(shlex.split(command)) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("pyramidion: /dev/zero: ")
    assert f"larger than {limit} MiB" in line
