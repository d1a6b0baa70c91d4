"""`pyramidion score` as a command."""

import json
import subprocess
import sys

import pytest

from pyramidion.cli import house

ITEMS = [
    {"topic": "T1", "system": "7", "peer": "Rain fell.", "references": ["Rain fell on roads."]},
    {"topic": "T2", "system": "7", "peer": "The roads.", "references": ["Roads closed."]},
    {"topic": "T1", "system": "8", "peer": "It rained.", "references": ["Rain fell on roads."]},
]


@pytest.fixture
def stream(tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in ITEMS))
    return str(path)


def run(*arguments):
    return house.run(["score", *arguments])


def test_table(stream, capsys):
    assert run(stream, "-m", "rouge-1-p,rouge-l") == 0
    out, err = capsys.readouterr()
    assert err == ""
    title, _, header, _, best, last, _, signature = out.splitlines()
    assert title == "Means [95% intervals]"
    assert header.split() == ["system", "kind", "n", "rouge-1-p", "rouge-l-f"]
    assert best.split()[:4] == ["7", "machine", "2", "0.7500"]
    assert last.split()[:4] == ["8", "machine", "1", "0.0000"]
    assert signature.startswith("rouge-1+l|tok:rouge|v")


def test_json_and_options(stream, capsys):
    options = ["--stem", "--stop-words", "--words", "2", "--alpha", "0.8", "--best", "--seed", "3"]
    assert run(stream, "-m", "rouge-1", *options, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content) == ["command", "signature", "results", "left_out"]
    assert content["signature"].startswith(
        "rouge-1(stem,stop_words,words=2,alpha=0.8,models=best)|tok:rouge|"
    )
    assert "|seed:3|" in content["signature"]
    assert list(content["results"][0]) == [
        "task", "system", "kind", "measure", "mean", "low", "high", "n",
    ]  # fmt: skip


def test_output_is_the_table_of_scores(stream, capsys, tmp_path):
    target = tmp_path / "scores.tsv"
    assert run(stream, "-o", str(target), "--format", "csv") == 0
    out, err = capsys.readouterr()
    assert err == f"wrote {target}\n"
    assert out.startswith("task,system,kind,measure,mean,low,high,n\n")
    assert len(target.read_text().splitlines()) == 1 + 3 * 3


def test_exact_and_bytes(stream, capsys):
    assert run(stream, "-m", "rouge-1-r", "--exact", "--bytes", "9", "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert content["signature"].startswith("rouge-1(exact,bytes=9)|")
    # The references are cut to nine bytes, too.
    assert content["results"][0]["mean"] == pytest.approx(0.9, abs=0.2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no.jsonl"], "no.jsonl: there is no such file or folder"),
        (["-m", "bleu", "items.jsonl"], "'bleu' is no variant of ROUGE; try rouge-2"),
        (["-m", "", "items.jsonl"], "no measure is named"),
        (["--words", "0", "items.jsonl"], "words is 0; give a whole number from 1 on"),
        (["--words", "5", "--bytes", "5", "items.jsonl"], "words and bytes exclude each other"),
        (["--alpha", "2", "items.jsonl"], "alpha is 2.0; give a number from 0 to 1"),
        (["--tokenizer", "moses", "items.jsonl"], "tokenizer is 'moses'; give rouge or unicode"),
        (["--threads", "0", "items.jsonl"], "--threads"),
        (["--seed", "-1", "items.jsonl"], "--seed"),
        (["--jackknife", "items.jsonl"], "jackknife a collection"),
        (["items.jsonl", "-o", "no/scores.csv"], "the folder no does not exist"),
        (["items.jsonl", "-o", "scores.xls"], ".xls"),
        (["--exact", "--tokenizer", "unicode", "items.jsonl"], "exact mode knows one tokenizer"),
    ],
)
def test_errors_are_one_line(arguments, said, stream, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["items.jsonl"]


def test_a_pipe(stream):
    """From standard input, through gzip, into a program that stops reading."""
    command = f"gzip -c {stream} | gunzip | {sys.executable} -m pyramidion score - --format csv"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} | head -n 1"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "task,system,kind,measure,mean,low,high,n\n"
    assert done.stderr == ""


def test_interruption_leaves_nothing(stream, tmp_path, monkeypatch, capsys):
    from pyramidion.report import scoring

    def interrupted(*_, **__):
        yield from ()
        raise KeyboardInterrupt

    monkeypatch.setattr(scoring, "score_stream", interrupted)
    assert run(stream, "-o", str(tmp_path / "scores.csv")) == 130
    assert "Traceback" not in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["items.jsonl"]


def test_words_the_tokenizer_does_not_know_are_told(tmp_path, capsys):
    stream = tmp_path / "items.jsonl"
    item = {"topic": "T1", "system": "7", "peer": "東京の夏", "references": ["東京の夏"]}
    stream.write_text(json.dumps(item) + "\n", encoding="utf-8")
    assert run(str(stream)) == 0
    assert "try --tokenizer unicode" in capsys.readouterr().err
    assert run(str(stream), "--tokenizer", "unicode") == 0
    assert "left out" not in capsys.readouterr().err
