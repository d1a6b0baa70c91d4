"""The rules every command follows: streams, exit codes, one line for an error."""

import json
import os
import re
import subprocess
import sys

import pytest

from pyramidion.cli import ask, runtime
from pyramidion.cli._list import HEADINGS, command_specs
from pyramidion.cli.runtime import print_result
from pyramidion.collection import Collection
from pyramidion.errors import InputError
from pyramidion.questions import Signature, load_object
from pyramidion.rendering.result import Result
from pyramidion.rendering.table import Table


@pytest.fixture
def answer():
    table = Table(("topic", "mean"), (("T1", 0.25), ("T2", None)), title="Means")
    return Result(
        command="try", signature=Signature("try"), values=[{"mean": float("nan")}],
        tables=[table], left_out=("1 topic",),
    )  # fmt: skip


def run(*arguments):
    return runtime.run(list(arguments))


def test_data_goes_to_stdout_and_talk_to_stderr(answer, capsys):
    assert print_result(answer, "csv") == 0
    out, err = capsys.readouterr()
    assert out == "topic,mean\nT1,0.25\nT2,\n"
    assert err == "left out: 1 topic\n"


def test_json_is_one_object_without_nan(answer, capsys):
    print_result(answer, "json")
    content = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert list(content) == ["command", "signature", "results", "left_out"]
    assert content["results"] == [{"mean": None}]
    assert content["left_out"] == ["1 topic"]


def test_table_ends_with_the_signature(answer, capsys):
    print_result(answer, "table")
    assert capsys.readouterr().out.splitlines()[-1].startswith("try|v")


def test_latex_escapes_and_is_signed(answer, capsys):
    print_result(answer, "latex")
    out = capsys.readouterr().out
    assert out.startswith("% try|v")
    assert r"T2 & -- \\" in out


def test_a_no_is_exit_code_1(answer):
    no = Result(command="try", signature=answer.signature, values=[], tables=[], ok=False)
    assert print_result(no, "json") == 1


def test_output_is_written_whole_or_not_at_all(answer, tmp_path, capsys):
    target = tmp_path / "a.csv"
    print_result(answer, "csv", target)
    assert target.read_text() == answer.render("csv")
    assert capsys.readouterr().out == ""
    with pytest.raises(InputError, match="does not exist"):
        print_result(answer, "csv", tmp_path / "no" / "a.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["describ"], "No such command 'describ'"),
        (["describe"], "Missing argument 'COLLECTION'"),
        (["describe", "nowhere"], "nowhere: there is no such file or folder; check the path"),
        (["describe", "x", "--format", "xml"], "'xml'"),
        (["describe", "--nonsense"], "--nonsense"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("pyramidion: ")
    assert message in err


def test_help_version_and_citations(capsys):
    assert run("--version") == 0
    assert capsys.readouterr().out.startswith("pyramidion 0.")
    assert run("--cite") == 0
    assert capsys.readouterr().out.count("@") == 6
    assert run("describe", "--help") == 0
    assert "exit code is 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "headings"),
    [("gap", ["Reading the data"]), ("judge", ["People's labels", "The model"])],
)
def test_options_stand_under_the_heading_of_the_option_or_its_group(command, headings, capsys):
    assert run(command, "--help") == 0
    shown = re.findall("╭─ (.*?) ─", capsys.readouterr().out)
    assert shown == ["Arguments", "Options", *headings]


@pytest.mark.parametrize("spec", command_specs(), ids=lambda spec: spec.name)
def test_help_begins_with_the_summary_and_shows_no_types(spec, capsys):
    assert run(*spec.name.split(), "--help") == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert load_object(spec.question).__doc__.startswith(spec.summary)
    assert "<" not in shown.replace("<=", "")


def test_help_lists_commands_under_headings(capsys):
    assert run("--help") == 0
    shown = capsys.readouterr().out
    places = [shown.index(f"─ {heading} ─") for heading in HEADINGS]
    assert places == sorted(places)
    assert "─ Commands ─" not in shown
    assert "<bool>" not in shown


def test_no_arguments_show_the_help(capsys):
    assert run() == 2
    out, err = capsys.readouterr()
    assert "Usage" in out + err
    assert "(try --help)" not in err


def test_a_full_disk_is_one_line():
    command = f"{sys.executable} -m pyramidion --cite > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "could not be written" in done.stderr


def test_the_help_says_what_to_type_after_an_option(capsys):
    assert run("compare", "--help") == 0
    out = capsys.readouterr().out
    for option, kind in (("task", "NAMES"), ("test", "NAMES"), ("peers", "NAME"), ("seed", "N")):
        assert re.search(rf"--{option}\s+{kind}\s", out), option


def test_a_crash_is_one_line_and_no_answer(monkeypatch, capsys):
    from pyramidion.collection import formats

    def crash(*_, **__):
        raise ValueError("a\nb" + "x" * 1000)

    monkeypatch.setattr(formats, "read_collection", crash)
    assert run("describe", "anything", "--from", "collection") == 70
    err = capsys.readouterr().err
    assert err.startswith("pyramidion: this is a bug (ValueError: a")
    assert "x, test_runtime.py line" in err, "where it was raised"
    # 120 characters, of which the end of a line is escaped as six.
    assert len(err.partition("bug (")[2].partition(", test_runtime")[0]) == 125
    assert err.count("\n") == 1
    assert len(err) < 300


@pytest.mark.parametrize("typed", [["--" + "x" * 1000], ["describe", "x" * 1000]])
def test_what_is_typed_does_not_make_a_line_too_long(typed, capsys):
    assert run(*typed) == 2
    assert len(capsys.readouterr().err) <= 301


def test_termination_cleans_up_like_an_interruption(tmp_path):
    script = f"""
import os, signal, sys
from pyramidion.cli import ask, runtime
from pyramidion.collection import formats
def end(*_, **__):
    from pyramidion.files.writing import writing_folder
    with writing_folder({str(tmp_path / "mine")!r}):
        os.kill(os.getpid(), signal.SIGTERM)
formats.read_collection = end
sys.exit(runtime.run(["describe", "anything", "--from", "collection"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 143
    assert done.stderr == "pyramidion: terminated; no half-written file was left behind\n"
    assert list(tmp_path.iterdir()) == []


def test_what_could_not_be_removed_is_named(monkeypatch, capsys):
    from pyramidion.collection import formats
    from pyramidion.files import writing

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "left_behind_paths", ["/somewhere/.mine.partial"])
    monkeypatch.setattr(formats, "read_collection", interrupt)
    assert run("describe", "anything", "--from", "collection") == 130
    assert "interrupted; remove what could not be cleaned up: /some" in capsys.readouterr().err


def test_interruption_is_one_line(monkeypatch, capsys):
    from pyramidion.collection import formats

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(formats, "read_collection", interrupt)
    assert run("describe", "anything", "--from", "collection") == 130
    assert "interrupted; no half-written file" in capsys.readouterr().err


def test_a_closed_pipe_is_not_an_error(tmp_path):
    command = f"{sys.executable} -m pyramidion --cite | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "@software{pyramidion,\n"
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("pyramidion de", {"demo", "describe"}), ("pyramidion gap --res", {"--resamples"})],
)
def test_completion_is_offered(typed, offered):
    environment = {**os.environ, "_PYRAMIDION_COMPLETE": "complete_bash"}
    environment |= {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = subprocess.run(
        [sys.executable, "-m", "pyramidion"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stdout.split()) == offered


def test_a_reader_that_has_seen_enough_is_not_a_failure():
    command = [sys.executable, "-m", "pyramidion", "metrics"]
    # The reader is gone before the first table is written.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait() == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


@pytest.mark.parametrize("brief", [True, False])
@pytest.mark.parametrize("number", [3, 4])
def test_more_than_three_lines_of_what_was_left_out_are_abbreviated(answer, brief, number, capsys):
    lines = tuple(f"topic {n}" for n in range(number))

    class Shown(Result):
        """A result, brief or not."""

    Shown.brief = brief
    shown_fields = {"signature": answer.signature, "values": [], "tables": answer.tables}
    print_result(Shown(command="try", left_out=lines, **shown_fields), "csv")
    shown = [f"left out: {line}" for line in lines]
    if brief and number == 4:
        shown = ["left out: topic 0 ... and 3 more lines, all in JSON (left_out)"]
    assert capsys.readouterr().err.splitlines() == shown


def test_an_interrupt_of_a_command_that_another_one_runs_ends_both(tmp_path, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "scores.csv").write_text("system,topic,m\na,1,2\nb,1,3\n", encoding="utf-8")
    monkeypatch.setattr(Collection, "load", interrupted)
    monkeypatch.setattr("pyramidion.collection.sources.read_source", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ask(["compare", str(tmp_path / "scores.csv")])
