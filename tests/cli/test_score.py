"""`pyramidion score` as a command."""

import json
import subprocess
import sys

import pytest

from pyramidion import Collection, Summary
from pyramidion.cli import runtime
from pyramidion.collection.formats.scores import read_scores
from pyramidion.demo import load_demo
from pyramidion.metrics import parse_metric

ITEMS = [
    {"topic": "T1", "system": "7", "peer": "Rain fell.", "references": ["Rain fell on roads."]},
    {"topic": "T2", "system": "7", "peer": "The roads.", "references": ["Roads closed."]},
    {"topic": "T1", "system": "8", "peer": "It rained.", "references": ["Rain fell on roads."]},
]
MISSING = "missing summaries: 8: 1 topic that other systems have (T2)"


@pytest.fixture
def stream(tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in ITEMS))
    return str(path)


def run(*arguments):
    return runtime.run(["score", *arguments])


def test_table(stream, capsys):
    assert run(stream, "-m", "rouge-1-p,rouge-l") == 0
    out, err = capsys.readouterr()
    assert err == f"warning: {stream}: {MISSING}\n"
    title, _, header, _, best, last, *_, signature = out.splitlines()
    assert title == "Means [95% intervals]"
    assert header.split() == ["system", "kind", "n", "rouge-1-p", "rouge-l-f"]
    assert best.split()[:4] == ["7", "machine", "2", "0.7500"]
    assert last.split()[:4] == ["8", "machine", "1", "0.0000"]
    assert signature.startswith("rouge-1+l|tok:rouge|v")


def test_json_and_options(stream, capsys):
    options = ["--stem", "--stop-words", "--words", "2", "--alpha", "0.8", "--best", "--seed", "3"]
    assert run(stream, "-m", "rouge-1", *options, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content) == ["command", "signature", "results", "left_out", "findings"]
    assert [finding["code"] for finding in content["findings"]] == ["missing-summaries"]
    assert content["signature"].startswith(
        "rouge-1(stem,stop_words,words=2,alpha=0.8,models=best)|tok:rouge|"
    )
    assert "|seed:3|" in content["signature"]
    assert list(content["results"][0]) == [
        "task", "system", "kind", "measure", "mean", "low", "high", "n", "higher_is_better",
    ]  # fmt: skip


def test_output_is_the_table_of_scores(stream, capsys, tmp_path):
    target = tmp_path / "scores.tsv"
    assert run(stream, "-o", str(target), "--format", "csv") == 0
    out, err = capsys.readouterr()
    assert err == f"wrote {target}\nwarning: {stream}: {MISSING}\n"
    assert out.startswith("task,system,kind,measure,mean,low,high,n\n")
    assert len(target.read_text().splitlines()) == 1 + 3 * 4


def test_a_markdown_file_is_the_printed_answer(stream, capsys, tmp_path):
    target = tmp_path / "answer.md"
    assert run(stream, "-o", str(target)) == 0
    assert capsys.readouterr().out == ""
    assert target.read_text().startswith("**Means [95% intervals]**\n\n| system |")


def test_exact_and_bytes(stream, capsys):
    assert run(stream, "-m", "rouge-1-r", "--exact", "--bytes", "9", "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert content["signature"].startswith("rouge-1(exact,bytes=9)|")
    # The references are cut to nine bytes, too.
    assert content["results"][0]["mean"] == pytest.approx(0.9, abs=0.2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.jsonl"], "no.jsonl: there is no such file or folder"),
        (["-m", "blue", "items.jsonl"], "there is no metric 'blue'; did you mean bleu?"),
        (["-m", "BLEU", "items.jsonl"], "there is no metric 'BLEU'; did you mean bleu?"),
        (["-m", "bleu(n=2", "items.jsonl"], "'bleu(n=2' cannot be read"),
        (["-m", "bleu(x=2)", "items.jsonl"], "bleu has no option 'x'; available: n, stem,"),
        (["-m", "bleu(n=0)", "items.jsonl"], "bleu: n is 0; give a whole number from 1 to 9"),
        (["-m", "rouge-2(measure=rouge-1)", "items.jsonl"], "rouge-2 has no option 'measure'"),
        (
            ["-m", "js-input", "items.jsonl"],
            "js-input needs documents, and no summary of the collection has any",
        ),
        (
            ["-m", "rouge-2(against=earlier)", "items.jsonl"],
            "rouge-2-f(against=earlier) needs earlier references, which streams do not contain",
        ),
        (["-m", "bleu", "--stem", "items.jsonl"], "stem is an option of ROUGE, and the run has"),
        (["-m", "", "items.jsonl"], "no metrics were named"),
        (["--words", "0", "items.jsonl"], "words is 0; give a whole number of at least 1"),
        (["--words", "5", "--bytes", "5", "items.jsonl"], "words and bytes cannot be combined"),
        (["--alpha", "2", "items.jsonl"], "alpha is 2.0; give a number from 0 to 1"),
        (["--tokenizer", "moses", "items.jsonl"], "tokenizer is 'moses'; give rouge or unicode"),
        (["--threads", "0", "items.jsonl"], "threads is 0"),
        (["--seed", "-1", "items.jsonl"], "seed is -1"),
        (["--jackknife", "items.jsonl"], "jackknife a collection"),
        (["items.jsonl", "-o", "no/scores.csv"], "the folder no does not exist"),
        (["items.jsonl", "-o", "scores.xls"], ".xls"),
        (
            ["--exact", "--tokenizer", "unicode", "items.jsonl"],
            "exact mode supports only one tokenizer",
        ),
    ],
)
def test_errors_are_one_line(arguments, message, stream, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
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
    assert done.stderr == f"warning: -: {MISSING}\n"


def test_interruption_leaves_nothing(stream, tmp_path, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(type(parse_metric("bleu")), "statistics", interrupted)
    assert run(stream, "-m", "bleu", "-o", str(tmp_path / "scores.csv")) == 130
    assert "Traceback" not in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["items.jsonl"]


def test_words_the_tokenizer_does_not_know_are_reported(tmp_path, capsys):
    stream = tmp_path / "items.jsonl"
    item = {"topic": "T1", "system": "7", "peer": "東京の夏", "references": ["東京の夏"]}
    stream.write_text(json.dumps(item) + "\n", encoding="utf-8")
    assert run(str(stream), "--tokenizer", "rouge") == 0
    assert "try --tokenizer unicode" in capsys.readouterr().err
    assert run(str(stream)) == 0
    captured = capsys.readouterr()
    assert "using the unicode tokenizer" in captured.err
    assert "|tok:unicode|" in captured.out
    assert run(str(stream), "--tokenizer", "unicode") == 0
    assert "left out" not in capsys.readouterr().err


@pytest.fixture
def collection(tmp_path):
    summaries = (
        Summary("T1", "A", "Rain fell on roads. They were closed.", kind="human"),
        Summary("T1", "B", "Rain closed the roads.", kind="human"),
        Summary("T1", "7", "Rain fell. Roads closed."),
    )
    Collection("mine", summaries=summaries).save(tmp_path / "mine")
    return tmp_path / "mine"


def test_any_metrics_of_a_collection(collection, tmp_path, capsys):
    target = tmp_path / "scores.csv"
    names = "rouge-2,su4,js-references,bleu(n=2,stem)"
    assert run(str(collection), "-m", names, "--stem", "-o", str(target), "--format", "json") == 0
    out, err = capsys.readouterr()
    assert err == f"wrote {target}\n"
    content = json.loads(out)
    assert content["signature"].startswith("rouge-2+su4(stem),js-references,bleu(n=2,stem)|")
    columns = ["rouge-2-f", "rouge-su4-f", "js-references", "bleu(n=2,stem)"]
    assert [result["measure"] for result in content["results"][:4]] == columns
    assert [r["higher_is_better"] for r in content["results"][:4]] == [True, True, False, True]
    assert set(read_scores(target).measures) == set(columns)
    # What was written can be compared by the same names.
    assert runtime.run(["power", str(target), "-m", "bleu(n=2,stem)"]) == 2
    assert "bleu(n=2,stem) has 1 topic" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("js-input", "js-input needs documents, and no summary of the collection has any; add"),
        (
            "rouge-2(against=earlier)",
            "rouge-2-f(against=earlier) needs earlier references, and no summary of the collection "
            "has any; declare a task",
        ),
    ],
)
def test_what_a_collection_lacks_is_reported_before_any_work(
    collection, name, message, capsys, tmp_path
):
    assert run(str(collection), "-m", f"rouge-1,{name}", "-o", str(tmp_path / "s.csv")) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_an_empty_collection(tmp_path, capsys):
    Collection("mine").save(tmp_path / "mine")
    assert run(str(tmp_path / "mine"), "-m", "all") == 2
    assert "the collection has no summaries to score; add peers to it" in capsys.readouterr().err


def test_an_interrupted_run_is_reported_and_continues(collection, tmp_path, monkeypatch, capsys):
    def stop(self, cases):
        raise KeyboardInterrupt

    arguments = [str(collection), "-m", "rouge-1,rouge-2,bleu", "-o", str(tmp_path / "scores.csv")]
    with monkeypatch.context() as patch:
        patch.setattr(type(parse_metric("bleu")), "statistics", stop)
        assert run(*arguments) == 130
    checkpoint = tmp_path / "scores.csv.partial"
    assert capsys.readouterr().err == (
        f"2 of 3 metrics saved in {checkpoint} for the next run\n"
        "pyramidion: interrupted; no half-written file was left behind\n"
    )
    assert run(*arguments) == 0
    assert capsys.readouterr().err == (
        f"resuming: {checkpoint} has 2 of 3 metrics\nwrote {tmp_path / 'scores.csv'}\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "scores.csv"]


@pytest.mark.long
def test_all_metrics_of_the_demo(tmp_path, capsys):
    load_demo().by_topic()["P01"].save(tmp_path / "demo")
    assert run(str(tmp_path / "demo"), "-m", "all", "--format", "csv") == 0
    out, _ = capsys.readouterr()
    measures = {line.split(",")[3] for line in out.splitlines()[1:]}
    assert {"rouge-su4-f", "bleu", "js-input", "js-references"} <= measures


def test_a_terminal_sees_a_bar_that_fills(collection):
    """Under a pseudo-terminal, since nothing is shown otherwise."""
    code = (
        "import pty, sys; "
        f"sys.exit(pty.spawn([sys.executable, '-m', 'pyramidion', 'score', {str(collection)!r}, "
        "'-m', 'rouge-1,rouge-2,bleu']) >> 8)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "scoring" in done.stdout
    assert "3 of 3" in done.stdout
    assert "Means" in done.stdout
