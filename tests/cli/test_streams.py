"""Every encoding, and streams that are closed, pipes or gzipped: the answer is delivered."""

import gzip
import io
import json
import os
import re
import shlex
import subprocess
import sys
import threading
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.cli import runtime
from pyramidion.cli.streams import ESCAPED, READABLE
from pyramidion.errors import show_warning

C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
STREAM = '{"topic": "T1", "system": "a", "peer": "Rain fell.", "references": ["Rain."]}\n'


@pytest.fixture
def folder(tmp_path):
    names = ("é–─", "日本", "😀")
    rows = [f"T{n},{name},müsli,{n + k}" for n in range(3) for k, name in enumerate(names)]
    table = "\n".join(["topic,system,measure,value", *rows, ""])
    (tmp_path / "ö.csv").write_text(table, encoding="utf-8")
    (tmp_path / "stream.jsonl").write_text(STREAM, encoding="utf-8")
    return tmp_path


def shell(command, folder, **environment):
    """Run a command line in a shell, in which `pyramidion` is the program."""
    program = f"{shlex.quote(sys.executable)} -m pyramidion"
    ours = {"PYTHONIOENCODING", "PYTHONUTF8", "PYTHONCOERCECLOCALE", "LC_ALL"}
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        ["bash", "-c", re.sub(r"\bpyramidion\b", program, command)],
        cwd=folder, env=inherited | {"LC_ALL": "C.UTF-8"} | environment, capture_output=True,
        check=False,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr
    assert done.returncode != 70
    return done


COMPARE = "pyramidion compare ö.csv -m müsli --resamples 99 --format {form}"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_json_is_the_same_object_in_every_encoding(encoding, folder, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(warnings, "showwarning", show_warning)
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as ending:
        runtime.main(shlex.split(COMPARE.format(form="json"))[1:])
    assert ending.value.code == 0
    require_answer(stream.buffer.getvalue().decode(encoding))


@pytest.mark.parametrize(
    ("environment", "encoding"), [({}, "utf-8"), ({"PYTHONIOENCODING": "ascii"}, "ascii")]
)
def test_json_is_the_same_object_in_the_locale_c(environment, encoding, folder):
    done = shell(COMPARE.format(form="json"), folder, **C_LOCALE, **environment)
    assert done.returncode == 0, done.stderr
    require_answer(done.stdout.decode(encoding))


def require_answer(text):
    answer = json.loads(text)
    (compared,) = answer["results"]
    assert {system["system"] for system in compared["systems"]} == {"é–─", "日本", "😀"}
    assert compared["measure"] == "müsli"


def test_tables_and_messages_fall_back_to_ascii_and_escapes(folder):
    done = shell(COMPARE.format(form="table"), folder, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("ascii")
    assert "-----" in text
    assert "\\u2500" not in text
    assert "\\u65e5\\u672c" in text
    error = shell("pyramidion describe –é–", folder, PYTHONIOENCODING="latin-1")
    assert error.returncode == 2
    message = "pyramidion: -é-: there is no such file or folder; check the path\n"
    assert error.stderr == message.encode("latin-1")


def test_files_are_named_in_the_locale_c(folder):
    done = shell("pyramidion convert ö.csv ü.jsonl --to scores", folder, **C_LOCALE)
    assert done.returncode == 0, done.stderr
    assert "müsli" in (folder / "ü.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("command", "code", "out", "err"),
    [
        ("pyramidion metrics js-input 2>&- <&-", 0, "js-input", ""),
        ("pyramidion metrics js-input 2>/dev/full", 0, "js-input", ""),
        ("pyramidion metrics js-input -o m.json >&- 2>&- <&-; cat m.json", 0, "js-input", ""),
        ("pyramidion convert ö.csv c.jsonl --to scores >&-", 0, "", "was not printed"),
        ("pyramidion --version >&-", 2, "", "could not be written (standard output is closed)\n"),
        ("pyramidion --nonsense >&- 2>&-", 2, "", ""),
        ("pyramidion score - <&-", 2, "", "standard input is closed; redirect a file"),
    ],
)
def test_closed_streams(command, code, out, err, folder):
    done = shell(command, folder)
    assert done.returncode == code, done.stderr
    assert out in done.stdout.decode()
    assert bool(out) == bool(done.stdout)
    assert err in done.stderr.decode()
    assert bool(err) == bool(done.stderr)


def test_pipes_and_gzipped_input(folder, capsys):
    assert (
        runtime.run(["score", str(folder / "stream.jsonl"), "-m", "rouge-1", "--format", "csv"])
        == 0
    )
    scored = capsys.readouterr().out
    assert "rouge-1" in scored
    for command in (
        "gzip -c stream.jsonl | pyramidion score -",
        "pyramidion score <(gzip -c stream.jsonl)",
    ):
        done = shell(f"{command} -m rouge-1 --format csv", folder)
        assert done.stdout.decode() == scored


@given(st.text())
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "shift_jis", "utf-8"])
def test_what_an_encoding_lacks_is_escaped_as_in_json(encoding, text):
    dumped = json.dumps(text, ensure_ascii=False)
    assert json.loads(dumped.encode(encoding, ESCAPED).decode(encoding)) == text
    assert text.encode(encoding, READABLE).decode(encoding) is not None


@pytest.mark.parametrize("words", ["describe -", "convert - mine", "pyramid auto -"])
def test_every_command_reads_standard_input(folder, words):
    """As it reads a file, also if it is gzipped."""
    lines = [json.loads(STREAM) | {"topic": f"T{number}"} for number in range(3)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "stdin.jsonl").write_text(text)
    command = f"pyramidion {words} --format json"
    packed = shell(f"gzip -c stdin.jsonl | {command}", folder)
    assert packed.returncode == 0
    assert b'"topic' in packed.stdout
    if words == "describe -":
        assert shell(f"cat stdin.jsonl | {command}", folder).stdout == packed.stdout


def test_a_named_pipe_is_read_like_a_file(tmp_path, capsys):
    rows = [f"T{n},{system},fluency,{n}" for n in range(3) for system in "ab"]
    content = gzip.compress("\n".join(["topic,system,measure,value", *rows, ""]).encode())
    (tmp_path / "scores.csv.gz").write_bytes(content)
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(content,))
    writer.start()
    shown = []
    for name in ("pipe", "scores.csv.gz"):
        assert runtime.run(["describe", str(tmp_path / name), "--format", "csv"]) == 0
        shown.append(capsys.readouterr().out.replace("pipe", "scores"))
    writer.join()
    assert shown[0] == shown[1]


def test_an_endless_device_is_refused(capsys):
    assert runtime.run(["describe", "/dev/zero", "--from", "scores"]) == 2
    assert "the line is longer than 64 MiB" in capsys.readouterr().err
    assert runtime.run(["describe", "/dev/null"]) == 2
    assert "the file is empty" in capsys.readouterr().err


def test_notes_are_as_short_as_errors(tmp_path, capsys):
    columns = ",".join(f"{'x' * 30}{n}" for n in range(40))
    rows = [f"T{n},a,Rain fell.,{','.join(['1'] * 40)}" for n in range(3)]
    table = tmp_path / "wide.csv"
    table.write_text("\n".join([f"topic,system,text,{columns}", *rows, ""]), encoding="utf-8")
    assert runtime.run(["describe", str(table)]) in (0, 1)
    lines = capsys.readouterr().err.splitlines()
    assert any(line.startswith("note: ") and "--columns changes this" in line for line in lines)
    assert max(map(len, lines)) <= 300


def test_warnings_of_libraries_are_one_line_without_paths(capsys):
    for _ in range(2):
        show_warning("overflow\n encountered", RuntimeWarning, "/lib/numpy.py", 7)
    assert capsys.readouterr().err == "note: in the computation: overflow encountered\n"


@pytest.mark.parametrize(
    ("command", "code"),
    [("describe", 1), ("assessors", 2), ("study systems", 2), ("compare", 2), ("convert", 0)],
)
def test_values_near_the_largest_number_are_computed_or_refused(command, code, tmp_path, capsys):
    values = ("1e308", "-1.5e308", "1.7e308")
    rows = [
        f"T{n},s{k},fluency,{judge},{values[(n + k) % 3]}"
        for n in range(4) for k in range(3) for judge in "KL"
    ]  # fmt: skip
    table = tmp_path / "large.csv"
    header = "topic,system,measure,assessor,value"
    table.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    target = [str(tmp_path / "c.jsonl"), "--to", "scores"] if command == "convert" else []
    # A warning of NumPy is an error in tests.
    arguments = [*command.split(), str(table), *target, "--accept-out-of-range"]
    assert runtime.run(arguments) == code
    out, err = capsys.readouterr()
    assert ("too large to compute with; keep scores below 1e+50" in err) == (code == 2)
    assert command != "describe" or "e+308" in out


def test_rules_and_bars_of_every_kind_are_written_in_ascii():
    """The blocks Box Drawing (2500 to 257F) and Block Elements (2580 to 259F) of Unicode."""
    assert "\u2500\u2503\u257f".encode("ascii", READABLE) == b"-|+"
    assert "\u2580\u259f".encode("ascii", READABLE) == b"##"
    assert "\u25a0\u24ff".encode("ascii", READABLE) == rb"\u25a0\u24ff"
