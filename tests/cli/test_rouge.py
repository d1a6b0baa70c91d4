"""`pyramidion rouge` as a command; its output is tested in tests/rouge/test_perl_gold.py."""

import io
import json
import re
import sys

import pytest

from pyramidion.cli import runtime


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["-H"], ["-n", "2", "-h"]])
def test_help(arguments, capsys):
    assert runtime.run(["rouge", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for letter in "anxw23uUmMslbfptcrdzevhH":
        assert re.search(rf"(?:^| )-{letter}\b", out, re.MULTILINE), letter
    assert "--exceptions off" in out


def test_help_fits_eighty_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    runtime.run(["rouge", "-h"])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert "\\b" not in "".join(lines)
    assert "-z FORMAT    a list of files, not a configuration: SPL, SEE, ISI, SIMPLE" in lines
    assert "-t 0|1|2     average scores; average counts; print counts" in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no configuration is named"),
        (["-a", "no.xml"], "no.xml: there is no such file"),
        (["-n", "x", "-a", "no.xml"], "-n x: expected a number"),
        (["-z", "SPL", "no.txt"], "no.txt: there is no such file"),
    ],
)
def test_errors_are_one_line(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert runtime.run(["rouge", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pyramidion: ")
    assert message in err
    assert err.count("\n") == 1


def test_warnings_go_to_standard_error(capsys, tmp_path):
    stream = tmp_path / "a.jsonl"
    stream.write_text(
        '{"topic": "T1", "system": "7", "peer": "a", "references": ["a"]}\n'
        '{"topic": "T2", "system": "8", "peer": "a", "references": ["a"]}\n'
    )
    assert runtime.run(["rouge", "-n1", "-x", str(stream), "7"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1] == "7 ROUGE-1 Average_R: 1.00000 (95%-conf.int. 1.00000 - 1.00000)"
    assert err == "pyramidion: peer 7 is missing from evaluation T2: skipped\n"


def test_ids_of_a_stream_are_written_in_utf_8(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    record = {"topic": "T1", "system": "é", "peer": "a", "references": ["a"]}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    assert runtime.run(["rouge", "-n1", "-x", "-a", str(tmp_path / "a.jsonl")]) == 0
    lines = sys.stdout.buffer.getvalue().decode("utf-8").splitlines()
    assert lines[1].startswith("é ROUGE-1 Average_R: 1.00000")
