"""Large jobs: sums, parts, engines, and data frames."""

import gzip
import json
import math
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
import warnings
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion import score, score_frame
from pyramidion.cli.runtime import run
from pyramidion.engine import ExactSums, open_engine
from pyramidion.engine.engines import map_in_order
from pyramidion.engine.parts import address_of
from pyramidion.errors import FormatError, InputError
from pyramidion.files import reading as _reading
from pyramidion.files import writing as _writing
from pyramidion.metrics import metric, parse_metric

# The texts are made up, and belong to no topic.
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*(one text for all topics|of other topics|unlike their topics|of several topics)"
)

WORDS = ["rain", "fell", "on", "the", "river", "and", "it", "rose", "by", "a", "foot"]


# Some systems lack topics that others have, which is reported.
INCOMPLETE = pytest.mark.filterwarnings("ignore:.*missing summaries")


def items(count, seed=1):
    rng = np.random.default_rng(seed)

    def text(size):
        return " ".join(rng.choice(WORDS, size))

    references = [text(9) for _ in range(0, count, 3)]
    return [
        {
            "topic": f"T{n // 3}", "system": "ABC"[n % 3], "peer": text(8),
            "references": [references[n // 3]],
        }
        for n in range(count)
    ]  # fmt: skip


def folder_of(path, records, parts, ending=".jsonl"):
    path.mkdir()
    for number, numbers in enumerate(np.array_split(np.arange(len(records)), parts)):
        rows = [records[row] for row in numbers]
        target = path / f"part-{number:03}{ending}"
        if ending == ".parquet":
            pl.DataFrame(rows).write_parquet(target)
        else:
            target.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), max_size=30))
def test_sums_are_exact_in_any_order_and_grouping(values):
    whole = ExactSums.of(np.array(values, dtype=float))
    parts = [ExactSums.of(np.array(values[at::3], dtype=float)) for at in range(3)]
    assert sum(parts, ExactSums()) == whole
    assert ExactSums.from_list(json.loads(json.dumps(whole.to_list()))) == whole
    if values:
        assert whole.mean == float(sum(map(Fraction, values)) / len(values))


def test_intervals_are_students():
    # By hand: mean 3.75, squared deviations 28.75; tables of Student's t have 3.182 for 3 df.
    half = 3.182 * math.sqrt(28.75 / 3 / 4)
    interval = ExactSums.of(np.array([1.0, 2.0, math.nan, 4.0, 8.0])).interval()
    assert interval == pytest.approx((3.75 - half, 3.75 + half), abs=1e-3)


def test_parts_give_the_same_however_they_are_cut(tmp_path):
    records = items(39)
    results, contents = [], []
    for parts in (1, 3):
        source = folder_of(tmp_path / f"in{parts}", records, parts)
        target = tmp_path / f"out{parts}"
        results.append(score(source, output=target))
        contents.append(b"".join(p.read_bytes() for p in sorted(target.glob("*.jsonl"))))
    assert results[0].to_json() == results[1].to_json()
    assert contents[0] == contents[1]
    stream = tmp_path / "all.jsonl"
    stream.write_text("".join(json.dumps(record) + "\n" for record in records))
    usual = {(r["system"], r["measure"]): r["mean"] for r in score(stream)}
    means = {(r["system"], r["measure"]): r["mean"] for r in results[0]}
    assert means == pytest.approx(usual, abs=1e-12)


def test_parquet_has_the_same_scores(tmp_path):
    folders = [folder_of(tmp_path / e[1:], items(9), 2, e) for e in (".jsonl", ".parquet")]
    results = [score(folder, output=tmp_path / f"{folder.name}-out") for folder in folders]
    assert list(results[0]) == list(results[1])
    frame = pl.read_parquet(tmp_path / "parquet-out" / "part-000.parquet")
    assert frame.columns[:3] == ["topic", "system", "kind"]


def test_a_finished_part_is_not_done_again(tmp_path, capsys):
    source, target = folder_of(tmp_path / "in", items(12), 3), tmp_path / "out"
    first = score(source, output=target)
    before = {path: path.stat().st_mtime_ns for path in target.glob("*.jsonl")}
    (target / "part-001.jsonl").unlink()
    (target / "_done" / "part-001.jsonl.json").unlink()
    assert run(["score", str(source), "-o", str(target), "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["results"] == json.loads(first.to_json())["results"]
    assert "2 of 3 parts were finished by an earlier run" in err
    again = {path: path.stat().st_mtime_ns for path in target.glob("*.jsonl")}
    assert [p.name for p in before if before[p] != again[p]] == ["part-001.jsonl"]
    with pytest.raises(InputError, match="this folder was written with other options"):
        score(source, output=target, metrics="rouge-3")
    (target / "part-002.jsonl").unlink()
    score(source, output=target)
    assert (target / "part-002.jsonl").is_file()


@pytest.mark.parametrize("other", ["in/.", "in/out", "{0}/in", "link", "file://{0}/in"])
def test_results_never_lie_among_the_parts(tmp_path, monkeypatch, other):
    if "://" in other:
        pytest.importorskip("fsspec", reason="needs fsspec, of the extra cluster")
    monkeypatch.chdir(tmp_path)
    source = folder_of(tmp_path / "in", items(6), 2)
    (tmp_path / "link").symlink_to(source)
    before = [path.read_bytes() for path in sorted(source.iterdir())]
    with pytest.raises(InputError, match="the output folder is in the folder of parts"):
        score("in", output=other.format(tmp_path))
    assert before == [path.read_bytes() for path in sorted(source.iterdir())]


def test_a_folder_of_something_else_is_not_written_to(tmp_path):
    source, other = (folder_of(tmp_path / name, items(6), 2) for name in ("in", "other"))
    with pytest.raises(InputError, match=r"part-000\.jsonl exists and was not"):
        score(source, output=other)
    assert json.loads((other / "part-000.jsonl").read_text().splitlines()[0])["peer"]


def test_results_of_a_part_that_is_gone_are_reported(tmp_path):
    source, target = folder_of(tmp_path / "in", items(6), 3), tmp_path / "out"
    score(source, output=target)
    (source / "part-002.jsonl").unlink()
    with pytest.raises(InputError, match=r"part-002\.jsonl was made from a part that no longer"):
        score(source, output=target)


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataNote")
@INCOMPLETE
def test_the_script_is_detected_from_the_same_records_however_parts_are_cut(tmp_path):
    russian = {"topic": "R", "system": "A", "peer": ["дождь шёл"], "references": ["дождь шёл"]}
    records = [russian, *items(12)]
    tokenizers = [
        score(folder_of(tmp_path / f"in{parts}", records, parts), output=tmp_path / f"out{parts}")
        for parts in (1, 13)
    ]
    assert tokenizers[0].to_json() == tokenizers[1].to_json()
    foreign = folder_of(tmp_path / "all", [{**russian, "topic": topic} for topic in "RST"], 1)
    assert "tok:unicode" in str(score(foreign, output=tmp_path / "foreign").signature)


def rewrite(path, text):
    """Write a file anew, a second later."""
    written = path.stat().st_mtime_ns
    path.write_text(text)
    os.utime(path, ns=(written, written + 10**9))


def test_a_part_is_known_by_its_content(tmp_path):
    source, target = folder_of(tmp_path / "in", items(12), 3), tmp_path / "out"
    score(source, output=target)
    before = (target / "part-001.jsonl").stat().st_mtime_ns
    rewrite(source / "part-001.jsonl", text := (source / "part-001.jsonl").read_text())
    score(source, output=target)
    assert (target / "part-001.jsonl").stat().st_mtime_ns == before
    rewrite(source / "part-001.jsonl", text.replace("rain", "fell", 1))
    with pytest.raises(InputError, match=r"part-001\.jsonl was made from other data"):
        score(source, output=target)


@INCOMPLETE
def test_a_poisonous_record_is_reported_or_set_aside(tmp_path):
    records = items(8)
    records[5] = {"topic": "T9", "system": "A", "peer": 7, "references": ["x"]}
    source = folder_of(tmp_path / "in", records, 1)
    with (source / "part-000.jsonl").open("a") as stream:
        stream.write('{"topic": "cut')
    with pytest.raises(FormatError, match="line 9: this is not JSON"):
        score(source, output=tmp_path / "stopped")
    result = score(source, output=tmp_path / "out", on_error="report")
    assert result.left_out == (f"2 records that cannot be used, in {tmp_path}/out/_errors",)
    aside = (tmp_path / "out" / "_errors" / "part-000.jsonl.jsonl").read_text().splitlines()
    entries = [json.loads(line) for line in aside]
    assert [entry["line"] for entry in entries] == [6, 9]
    assert entries[0]["record"]["topic"] == "T9"
    assert "`peer`" in entries[0]["error"]
    assert entries[1]["text"] == '{"topic": "cut'
    assert not any(str(tmp_path) in entry["error"] for entry in entries)
    assert len((tmp_path / "out" / "part-000.jsonl").read_text().splitlines()) == 7


@pytest.mark.parametrize("address_format", ["{}", "file://{}"], ids=["path", "address"])
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b'{"peer": "caf\xe9"}', "byte 0xe9 is not UTF-8"),
        (b'{"peer": "' + b"rain " * 500 + b'"}', "the line is longer than 0 MiB"),
        (b'{"peer": ' + b"9" * 80 + b"[" * 80, "this is not JSON"),
    ],
    ids=["bytes", "length", "cut"],
)
def test_any_line_can_be_set_aside(tmp_path, monkeypatch, address_format, bad, message):
    pytest.importorskip("fsspec", reason="needs fsspec, of the extra cluster")
    monkeypatch.setattr(_reading, "MAX_LINE_BYTES", 1000)
    source = folder_of(tmp_path / "in", items(9), 1)
    lines = (source / "part-000.jsonl").read_bytes().splitlines()
    (source / "part-000.jsonl").write_bytes(b"\n".join([*lines[:4], bad, *lines[4:]]))
    address = address_format.format(source)
    with pytest.raises(FormatError, match=f"line 5: {message}"):
        score(address, output=tmp_path / "stopped")
    result = score(address, output=tmp_path / "out", on_error="report")
    assert sum(mean["n"] for mean in result if mean["measure"] == "rouge-1-f") == 9
    (entry,) = (tmp_path / "out" / "_errors" / "part-000.jsonl.jsonl").read_text().splitlines()
    assert message in json.loads(entry)["error"]
    assert json.loads(entry)["text"] == bad[:1000].decode(errors="backslashreplace")


def test_topics_set_aside_are_counted(tmp_path, capsys):
    texts = ["The ferry burned in the strait on Monday.", "Ten people died in the fire there."]
    records = [{"topic": "T1", "documents": texts}, {"topic": "T2", "documents": []}]
    source = folder_of(tmp_path / "in", records, 1)
    arguments = ["summarize", str(source), "-o", f"{tmp_path}/out", "--on-error", "report"]
    assert run(arguments) == 0
    message = capsys.readouterr().err
    assert f"left out: 1 record that cannot be used, in {tmp_path}/out/_errors" in message


def test_units_that_weigh_nothing_give_no_score(tmp_path):
    letters = {"topic": "T1", "system": "A", "peer": "a b.", "references": [["a b.", "c"], "x"]}
    records = [letters, *items(2)]
    source = folder_of(tmp_path / "in", records, 1)
    assert run(["pyramid", "auto", str(source), "-o", f"{tmp_path}/out"]) == 0
    first, *_ = (tmp_path / "out" / "part-000.jsonl").read_text().splitlines()
    assert json.loads(first)["auto-pyramid"] is None


def test_one_summary_has_no_interval(tmp_path):
    result = score(folder_of(tmp_path / "in", items(1), 1), output=tmp_path / "out")
    assert "nan" not in str(result)
    assert [mean["n"] for mean in result][:1] == [1]


def test_nothing_usable_is_an_error(tmp_path):
    source = folder_of(tmp_path / "in", [{**record, "peer": 7} for record in items(3)], 1)
    with pytest.raises(InputError, match=r"no record of these parts can be used; .*_errors"):
        score(source, output=tmp_path / "out", on_error="report")


def test_a_part_whose_results_are_gone_is_done_again(tmp_path):
    source, target = folder_of(tmp_path / "in", items(12), 3), tmp_path / "out"
    score(source, output=target)
    before = {path.name: path.read_bytes() for path in target.glob("*.jsonl")}
    (target / "part-000.jsonl").unlink()
    (target / "part-001.jsonl").write_text("")
    score(source, output=target)
    assert {path.name: path.read_bytes() for path in target.glob("*.jsonl")} == before


def test_a_link_to_nothing_is_not_a_part_to_pass_over(tmp_path):
    source = folder_of(tmp_path / "in", items(6), 2)
    (source / "part-009.jsonl").symlink_to("nowhere")
    with pytest.raises(
        InputError, match=r"part-009\.jsonl: this part is neither a file nor a link"
    ):
        score(source, output=tmp_path / "out")


@INCOMPLETE
def test_a_run_that_an_error_stopped_goes_on_with_it_set_aside(tmp_path):
    records = items(12)
    records[-1] = {"topic": "T9", "system": "A", "peer": 7, "references": ["x"]}
    source, target = folder_of(tmp_path / "in", records, 3), tmp_path / "out"
    with pytest.raises(FormatError):
        score(source, output=target)
    assert len(list(target.glob("*.jsonl"))) == 2
    before = {path: path.stat().st_mtime_ns for path in target.glob("*.jsonl")}
    result = score(source, output=target, on_error="report")
    assert result.left_out == (f"1 record that cannot be used, in {target}/_errors",)
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())
    fresh = score(source, output=tmp_path / "fresh", on_error="report")
    assert list(result) == list(fresh)
    # Finished with an error set aside is not finished for who wants to stop at it.
    with pytest.raises(FormatError):
        score(source, output=target)


@INCOMPLETE
def test_a_line_that_is_not_utf8_is_set_aside(tmp_path):
    source = folder_of(tmp_path / "in", items(3), 1)
    with (source / "part-000.jsonl").open("ab") as stream:
        stream.write(
            b'{"topic": "caf\xe9"}\n' + json.dumps({**items(1)[0], "topic": "T7"}).encode()
        )
    result = score(source, output=tmp_path / "out", on_error="report")
    assert result.left_out == (f"1 record that cannot be used, in {tmp_path}/out/_errors",)
    assert len((tmp_path / "out" / "part-000.jsonl").read_text().splitlines()) == 4


@INCOMPLETE
def test_a_metric_of_ones_own_may_fail_on_a_record(tmp_path):
    (tmp_path / "own.py").write_text(
        "def few(peer, references):\n    return 1 / len(peer.split())\n"
    )
    records = items(5)
    records[3]["peer"] = " "
    source = folder_of(tmp_path / "in", records, 1)
    measure = f"{tmp_path}/own.py:few"
    with pytest.raises(InputError, match=r"part-000.jsonl, line 4: .*division by zero"):
        score(source, output=tmp_path / "stopped", metrics=measure)
    result = score(source, output=tmp_path / "out", metrics=measure, on_error="report")
    assert result.left_out == (f"1 record that cannot be used, in {tmp_path}/out/_errors",)
    entry = json.loads((tmp_path / "out" / "_errors" / "part-000.jsonl.jsonl").read_text())
    assert (entry["line"], entry["record"]) == (4, records[3])


ODD = """
import os, sys

class NeedsTwo(Exception):
    def __init__(self, one, two):
        super().__init__("odd")

def needs_two(peer): raise NeedsTwo(1, 2)
def unsendable(peer):
    error = ValueError("bad")
    error.sent = lambda: 0
    raise error
def leaves(peer): sys.exit("bye")
def closes(peer): raise GeneratorExit
def stops(peer): raise StopIteration
def without_end(peer): return without_end(peer)
def no_memory(peer): raise MemoryError
def no_space(peer): raise OSError(28, "No space left")
def long(peer): raise ValueError("x" * 100_000 + chr(27) + "[31m\\nmore")
def text(peer): return "high"
def several(peer): return [1, 2]
def huge(peer): return 10 ** 400
def dies(peer): os._exit(3)
"""

FAILING = {
    "needs_two": "NeedsTwo: odd", "unsendable": "ValueError: bad", "leaves": "SystemExit: bye",
    "closes": "GeneratorExit", "stops": "StopIteration", "without_end": "RecursionError",
    "no_memory": "MemoryError", "no_space": "No space left", "long": "ValueError: xxx",
    "text": "returned 'high'", "several": "returned [1, 2]", "huge": "returned 1000",
}  # fmt: skip


def odd_run(tmp_path, name, *engine):
    """Score a folder by a metric that fails, and return the exit code and the target."""
    (tmp_path / "odd.py").write_text(ODD)
    source = folder_of(tmp_path / "in", items(6), 2)
    target = tmp_path / "out"
    words = ["score", str(source), "-o", str(target), "-m", f"{tmp_path}/odd.py:{name}"]
    return run([*words, *engine]), target


@pytest.mark.parametrize("name", FAILING)
def test_a_metric_that_fails_oddly_is_named_with_the_record(tmp_path, capsys, name):
    code, target = odd_run(tmp_path, name)
    error = capsys.readouterr().err
    assert code == 2
    assert FAILING[name] in error
    assert "part-000.jsonl, line 1: metric" in error
    assert "\x1b" not in error
    assert error.count("\n") == 1
    assert len(error) < 1500
    assert {path.name for path in target.iterdir()} == {"_done", "_job.json"}


@pytest.mark.long
@pytest.mark.parametrize("name", ["needs_two", "unsendable", "leaves", "closes", "dies"])
def test_a_metric_that_fails_oddly_on_a_worker_leaves_no_traceback(tmp_path, capfd, name):
    code, target = odd_run(tmp_path, name, "--engine", "cores", "--workers", "1")
    error = capfd.readouterr().err
    lost = f"workers were lost 3 times on {tmp_path}/in/part-000.jsonl"
    assert code == 2
    assert (lost if name == "dies" else FAILING[name]) in error
    assert "Traceback" not in error
    assert error.count("\n") == 1
    assert {path.name for path in target.iterdir()} == {"_done", "_job.json"}


@pytest.mark.parametrize("length", [200, 250, 251, 255])
def test_names_of_parts_may_be_long(tmp_path, length, capsys):
    source = folder_of(tmp_path / "in", items(6), 1)
    (source / "part-000.jsonl").rename(source / f"{'x' * (length - 6)}.jsonl")
    code = run(["score", str(source), "-o", f"{tmp_path}/out", "-m", "rouge-1"])
    error = capsys.readouterr().err
    # The report on a part has its name and another ending.
    assert code == (0 if length <= 250 else 2)
    assert code == 0 or "File name too long); shorten the name" in error
    assert not list((tmp_path / "out").rglob("*.partial"))


def test_names_of_topics_and_systems_may_be_long(tmp_path, capsys):
    name = "é" * 50_000
    records = [{**item, "topic": f"{name}{item['topic']}", "system": name + item["system"]}
               for item in items(6)]  # fmt: skip
    source = folder_of(tmp_path / "in", records, 2)
    whole = tmp_path / "all.jsonl"
    whole.write_text("".join(part.read_text() for part in sorted(source.iterdir())))
    for words in ([str(source), "-o", f"{tmp_path}/out"], [str(whole), "-o", f"{tmp_path}/o.csv"]):
        assert run(["score", *words, "-m", "rouge-1"]) == 0
        assert len(capsys.readouterr().err) < 5000


def test_what_killed_workers_left_is_removed_when_a_run_is_interrupted(tmp_path, capsys):
    """A metric stands for a worker that is killed while it writes, and then for Ctrl-C."""
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    name = _writing._neighbor_name("part-001.jsonl", "0" * 12, ".partial")
    left = tmp_path / "out" / name.replace(f"-{os.getpid()}-", f"-{ended.pid}-")
    (tmp_path / "odd.py").write_text(
        f"def killed(peer):\n    open({str(left)!r}, 'w').close()\n    raise KeyboardInterrupt\n"
    )
    source = folder_of(tmp_path / "in", items(6), 2)
    words = ["score", str(source), "-o", f"{tmp_path}/out", "-m", f"{tmp_path}/odd.py:killed"]
    assert run(words) == 130
    assert "interrupted; no half-written file was left behind" in capsys.readouterr().err
    assert not list((tmp_path / "out").rglob("*.partial"))


def test_scores_by_other_code_are_not_taken_for_finished(tmp_path):
    module, source = tmp_path / "own.py", folder_of(tmp_path / "in", items(6), 2)
    module.write_text("def few(peer):\n    return len(peer)\n")
    score(source, output=tmp_path / "out", metrics=f"{module}:few")
    few = parse_metric(f"{module}:few")
    assert pickle.loads(pickle.dumps(few)) == few
    module.write_text("def few(peer):\n    return 2 * len(peer)\n")
    with pytest.raises(InputError, match="this folder was written with other options"):
        score(source, output=tmp_path / "out", metrics=f"{module}:few")


def test_a_metric_that_stands_nowhere_cannot_be_sent(tmp_path):
    @metric(name="here-only")
    def here_only(peer):
        return 1.0

    with pytest.raises(InputError, match="put its function into a file"):
        pickle.dumps(parse_metric("here-only"))


def test_parts_of_something_else_are_called_that(tmp_path):
    source = folder_of(tmp_path / "in", [{"id": "T1", "model": "A", "text": "Rain fell."}], 1)
    with pytest.raises(InputError, match="the parts of this folder contain no records"):
        score(source, output=tmp_path / "out")


def topics(count):
    """Make records to summarize, of sentences that can be told apart."""
    rng = np.random.default_rng(3)
    return [
        {"topic": f"T{n}", "references": ["Rain fell."], "documents": [
            " ".join(" ".join(rng.choice(WORDS, 9)).capitalize() + "." for _ in range(6))
        ] * (1 + n % 2)}
        for n in range(count)
    ]  # fmt: skip


#: Commands that work on folders of parts, with what they take and their output.
COMMANDS = {
    "predict": (["classy", "predict", "classy-2011/6/A/all"], items(13), "classy-2011/6/A/all"),
    "auto": (["pyramid", "auto"], items(13), "auto-pyramid"),
    "summarize": (["summarize", "--method", "lead,sum-avr", "--words", "20"], topics(5), "words"),
    "score": (["score", "-m", "rouge-2"], items(13), "rouge-2-f"),
}


def ran(arguments, source, target, *engine):
    """Run a command over parts, and give the bytes of what it makes, in their order."""
    assert run([*arguments, str(source), "-o", str(target), *engine]) == 0
    return b"".join(path.read_bytes() for path in sorted(target.glob("*.jsonl")))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_gives_the_same_however_parts_are_cut(name, tmp_path, capsys):
    arguments, records, measure = COMMANDS[name]
    printed, written = [], []
    for parts in (1, 4):
        source = folder_of(tmp_path / f"in{parts}", records, parts)
        written.append(ran(arguments, source, tmp_path / f"out{parts}"))
        printed.append(capsys.readouterr().out)
    assert written[0] == written[1]
    assert printed[0] == printed[1]
    lines = [json.loads(line) for line in written[0].splitlines()]
    assert [line["topic"] for line in lines][:: 2 if name == "summarize" else 1] == [
        record["topic"] for record in records
    ]
    assert all(line[measure] is not None for line in lines)
    # Finished parts are not made again.
    assert ran(arguments, tmp_path / "in4", tmp_path / "out4") == written[0]
    assert "4 of 4 parts were finished by an earlier run" in capsys.readouterr().err


def test_parts_have_the_numbers_of_the_whole(tmp_path):
    """What parts give is what the same summaries have in one stream, and one by one."""
    records = items(13)
    source = folder_of(tmp_path / "in", records, 3)
    answers = {}
    for name in ("predict", "auto"):
        lines = ran(COMMANDS[name][0], source, tmp_path / name).splitlines()
        answers[name] = [json.loads(line)[COMMANDS[name][2]] for line in lines]
    frame = pd.DataFrame(records)
    scored = score_frame(frame, "classy-2011/6/A/all,auto-pyramid", summary="peer")
    assert answers["predict"] == pytest.approx(scored["classy-2011/6/A/all"].tolist(), abs=1e-12)
    assert answers["auto"] == pytest.approx(scored["auto-pyramid"].tolist(), abs=1e-12)


@pytest.mark.parametrize("letters", ["-a -n 2 -w 1.2 -2 4 -U -d -m", "-a -t 1 -n 1", "-t 2 -n 2"])
def test_rouge_prints_the_same_of_parts(letters, tmp_path, capsysbinary):
    fsspec = pytest.importorskip("fsspec", reason="needs fsspec, of the extra cluster")
    records = [{**record, "system": f"{record['system']}é"} for record in items(21)]
    source = folder_of(tmp_path / "in", records, 3)
    for path in source.iterdir():
        fsspec.filesystem("memory").pipe_file(f"/rouge/{path.name}", path.read_bytes())
    stream = tmp_path / "all.jsonl"
    stream.write_text("".join(json.dumps(record) + "\n" for record in records))
    printed = []
    for data in (stream, source, "memory://rouge"):
        peer = [] if "-a" in letters else ["Bé"]
        assert run(["rouge", *letters.split(), str(data), *peer]) == 0
        printed.append(capsysbinary.readouterr().out)
    assert printed[0] == printed[1] == printed[2]
    assert b"Average_R" in printed[0] or b"H_count" in printed[0]


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataNote")
def test_rouge_looks_at_the_script_of_all_parts(tmp_path, capsys):
    records = [{**record, "peer": "дождь", "references": ["дождь"]} for record in items(1)] + items(
        20
    )[1:]
    for parts in (1, 20):
        source = folder_of(tmp_path / f"in{parts}", records, parts)
        assert run(["rouge", "-a", "-n", "1", str(source)]) == 0
    printed = capsys.readouterr().out
    assert printed[: len(printed) // 2] == printed[len(printed) // 2 :]
    assert run(["rouge", "-a", "-n", "1", str(folder_of(tmp_path / "all", records[:1], 1))]) == 2


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("predict", ["--task", "A"]),
        ("auto", ["--topic", "T1"]),
        ("summarize", ["--topic", "T1"]),
        ("summarize", ["--explain"]),
    ],
)
def test_options_that_parts_do_not_heed_are_refused(name, options, tmp_path, capsys):
    arguments, records, _ = COMMANDS[name]
    source = folder_of(tmp_path / "in", records, 1)
    assert run([*arguments, str(source), "-o", str(tmp_path / "out"), *options]) == 2
    assert f"{options[0]} has no effect on a folder of parts" in capsys.readouterr().err


def test_parts_whose_first_line_is_cut_are_parts(tmp_path):
    source = folder_of(tmp_path / "in", items(6), 2)
    first = source / "part-000.jsonl"
    first.write_text('{"topic": "T0", "sys\n' + first.read_text())
    with pytest.raises(FormatError, match="line 1: this is not JSON"):
        score(source, output=tmp_path / "out")
    result = score(source, output=tmp_path / "kept", on_error="report")
    assert result.left_out == (f"1 record that cannot be used, in {tmp_path}/kept/_errors",)


@pytest.mark.parametrize(
    "address", ["s3://bucket/folder", "file:///srv/parts", "gcs+x://bucket", "parts/of: a"]
)
def test_addresses_survive_being_taken_for_paths(address):
    assert address_of(str(Path(address))) == address


def test_addresses_are_folders_too(tmp_path):
    fsspec = pytest.importorskip("fsspec", reason="needs fsspec, of the extra cluster")
    records = items(27)
    here = folder_of(tmp_path / "in", records[:9], 2)
    memory = fsspec.filesystem("memory")
    packed = folder_of(tmp_path / "frames", records[9:18], 1, ".parquet")
    lines = "".join(json.dumps(record) + "\n" for record in records[18:])
    (here / "z.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    for path in (*here.iterdir(), *packed.iterdir()):
        memory.pipe_file(f"/parts/in/{path.name}", path.read_bytes())
    shutil.copy(packed / "part-000.parquet", here)
    usual = score(here, output=tmp_path / "out")
    result = score("memory://parts/in", output="memory://parts/out")
    assert result.to_json() == usual.to_json()
    names = [path.name for path in here.iterdir()]
    assert len(names) == 4
    for name in names:
        assert memory.cat(f"/parts/out/{name}") == (tmp_path / "out" / name).read_bytes()
    assert score("memory://parts/in", output="memory://parts/out").to_json() == usual.to_json()
    memory.pipe_file("/parts/in/part-000.jsonl", (here / "part-001.jsonl").read_bytes())
    with pytest.raises(InputError, match=r"part-000\.jsonl was made from other data"):
        score("memory://parts/in", output="memory://parts/out")


BLANK_LINES = (b" " * 2**20 + b"\n") * 65


class TestAddressesOfDamagedFiles:
    """What is elsewhere is read as carefully as what is here."""

    @pytest.fixture
    def memory(self):
        fsspec = pytest.importorskip("fsspec", reason="needs fsspec, of the extra cluster")
        return fsspec.filesystem("memory")

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("a.jsonl", lambda: b'{"a": "\xff"}\n', "byte 0xff is not UTF-8"),
            ("a.jsonl.gz", lambda: gzip.compress(b"{}\n" * 99)[:-9], "the gzipped data is damaged"),
            ("a.jsonl.gz", lambda: gzip.compress(BLANK_LINES), "unpacks to more than 64 MiB"),
            ("a.parquet", lambda: b"PAR1 and no more", "not a readable Parquet file"),
        ],
        ids=["bytes", "cut off", "bomb", "no table"],
    )
    def test_damage_is_reported(self, memory, name, content, message):
        data = content()
        memory.pipe_file(f"/damaged{len(data)}/{name}", data)
        with pytest.raises(InputError, match=message):
            score(f"memory://damaged{len(data)}", output="memory://nowhere")

    def test_nothing_half_written_is_left(self, memory):
        lines = [json.dumps(record) + "\n" for record in items(3000)]
        memory.pipe_file("/cut/in/part-0.jsonl", "".join([*lines, "{\n"]).encode())
        with pytest.raises(FormatError, match="line 3001: this is not JSON"):
            score("memory://cut/in", output="memory://cut/out")
        assert not memory.exists("/cut/out/part-0.jsonl")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "a folder of parts needs an output folder"),
        (("-o", "out.csv"), "out.csv: the output of a folder of parts must be a folder"),
        (("-o", "out", "--engine", "dask"), "the engine dask needs a scheduler"),
        (("-o", "out", "--engine", "cores", "--scheduler", "tcp://x"), "cores takes no scheduler"),
        (("-o", "out", "--engine", "moon"), "moon"),
        (("-o", "out", "--workers", "2"), "the engine in-process starts no workers"),
        (("-o", "in"), "the output folder is in the folder of parts"),
        (("-o", "out", "--task", "A"), "--task has no effect on a folder of parts"),
        (("-o", "out", "--add"), "--add has no effect on a folder of parts"),
    ],
)
def test_bad_engines_are_one_line(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    folder_of(tmp_path / "in", items(3), 1)
    assert run(["score", "in", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("address", ["moon", "x://y:1", "tcp://host"])
def test_a_scheduler_has_an_address(tmp_path, capsys, address):
    pytest.importorskip("distributed", reason="needs Dask, of the extra cluster")
    source, target = folder_of(tmp_path / "in", items(3), 1), tmp_path / "out"
    engine = ["--engine", "dask", "--scheduler", address]
    assert run(["score", str(source), "-o", str(target), *engine]) == 2
    assert f"{address} is not a scheduler's address" in capsys.readouterr().err
    assert not target.exists()


def test_rouge_takes_no_engine_behind_the_folder(tmp_path, capsys):
    source = folder_of(tmp_path / "in", items(3), 1)
    assert run(["rouge", "-a", "-n", "1", str(source), "--engine", "cores"]) == 2
    assert "--engine has no effect here; put options before" in capsys.readouterr().err


def test_links_in_a_circle_hold_no_results(tmp_path):
    source = folder_of(tmp_path / "in", items(3), 1)
    (tmp_path / "here").symlink_to("there")
    (tmp_path / "there").symlink_to("here")
    assert run(["score", str(source), "-o", f"{tmp_path}/here"]) == 2


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_frames_are_scored_row_by_row(library):
    rows = [{"summary": record["peer"], "references": record["references"]} for record in items(9)]

    def scored(records):
        return score_frame(library(records), "rouge-2-r,rouge-l", stem=True)

    whole, parts = scored(rows), [scored(rows[at : at + 4]) for at in (0, 4, 8)]
    assert list(whole.columns) == ["summary", "references", "rouge-2-r", "rouge-l-f"]
    assert whole["rouge-l-f"].to_list() == [v for p in parts for v in p["rouge-l-f"].to_list()]


def test_a_row_is_rounded_alike_whatever_rows_are_next_to_it():
    rows = [
        {"summary": record["peer"], "references": [other["peer"]], "documents": [other["peer"] * 3]}
        for record, other in zip(items(40), items(40, seed=2), strict=True)
    ]
    measures = (
        "rouge-2,js-references,kl-references-summary,js-input,kl-summary-input,cosine-input,"
        "cosine-references,lsa-main-topic,lsa-terms,central-words,term-entropy,"
        "classy-2011/8/A/all,classy-2011/6/A/all"
    )
    whole = score_frame(pd.DataFrame(rows), measures, documents="documents")
    parts = [
        score_frame(pd.DataFrame(rows[at : at + 7]), measures, documents="documents")
        for at in range(0, 40, 7)
    ]
    pd.testing.assert_frame_equal(pd.concat(parts, ignore_index=True), whole, check_exact=True)


def test_polars_runs_it_as_it_is():
    rows = pl.DataFrame({"summary": ["Rain fell.", "It rose."], "references": [["Rain."], ["It."]]})
    schema = {**rows.schema, "rouge-1-r": pl.Float64}
    lazy = rows.lazy().map_batches(
        lambda frame: score_frame(frame, "rouge-1-r"), schema=schema, streamable=True
    )
    assert (
        lazy.filter(pl.col("rouge-1-r") == 1).collect()["summary"].to_list()
        == rows["summary"].to_list()
    )
    grouped = rows.group_by("summary", maintain_order=True)
    scored = grouped.map_groups(lambda frame: score_frame(frame, "rouge-1-r"))
    assert scored.equals(lazy.collect())


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_frames_of_a_stream_are_scored_and_what_is_missing_is_not(library):
    rows = {"peer": ["rain", None, "rain"], "references": [["rain", None], ["None"], None]}
    scored = score_frame(library(rows), "rouge-1-r,length")
    assert np.isnan(scored["rouge-1-r"].to_numpy()).tolist() == [False, True, True]
    assert np.isnan(scored["length"].to_numpy()).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("peer", "references", "message"),
    [
        (5, ["rain"], "row 0: `summary` has 5, which is not text"),
        ("rain", [5.0], "row 0: `references` has 5.0, which is not text"),
        ("rain", 7, "row 0: `references` has 7, which is not text"),
    ],
)
def test_frames_refuse_values_that_are_not_text(peer, references, message):
    with pytest.raises(InputError, match=message):
        score_frame(pd.DataFrame({"summary": [peer], "references": [references]}), "rouge-1-r")


def test_sentences_of_a_frame_are_one_summary():
    frame = pd.DataFrame({"summary": [["It rains.", "It pours."]], "references": ["It pours."]})
    assert score_frame(frame, "rouge-1-r")["rouge-1-r"].tolist() == [1]


def test_frames_refuse_what_would_depend_on_the_part():
    frame = pd.DataFrame({"summary": ["дождь"], "references": [["дождь"]]})
    with pytest.raises(InputError, match='tokenizer="unicode"'):
        score_frame(frame, "rouge-1")
    assert score_frame(frame, "rouge-1", tokenizer="unicode")["rouge-1-f"].tolist() == [1.0]
    with pytest.raises(InputError, match="no column 'peer'"):
        score_frame(frame, "rouge-1", summary="peer")


def _killed_once(path):
    """Kill the process that does it the first time."""
    mark = Path(path)
    if not mark.exists():
        mark.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return mark.name


def _always_killed(_):
    os.kill(os.getpid(), signal.SIGKILL)


class LostError(Exception):
    """Stands for what an engine raises when its workers are lost."""


class Pool:
    """Stands for two processes; a deadly part is lost with what the other one works on."""

    def __init__(self, deadly):
        self.deadly = deadly
        self.restart()

    def restart(self):
        self.broken, self.queue, self.done = False, [], set()

    def submit(self, part):
        if self.broken:
            raise LostError
        self.queue.append(part)
        return SimpleNamespace(result=partial(self.result, part), cancel=lambda: None)

    def result(self, part):
        while part not in self.done:
            now, self.queue = self.queue[:2], self.queue[2:]
            self.broken = self.broken or not self.deadly.isdisjoint(now)
            if self.broken:
                raise LostError
            self.done.update(now)
        return -part


def test_the_part_that_kills_its_workers_is_named():
    pool = Pool({5})
    results = map_in_order(pool.submit, range(9), 1, (LostError,), pool.restart)
    assert list(islice(results, 5)) == [0, -1, -2, -3, -4]
    with pytest.raises(InputError, match="workers were lost 3 times on 5"):
        next(results)


@pytest.mark.long
def test_a_lost_worker_is_replaced(tmp_path):
    with open_engine("cores", workers=2) as engine:
        names = [str(tmp_path / f"{n}") for n in range(5)]
        assert list(engine.map(_killed_once, names[:1] * 2)) == ["0", "0"]
        with pytest.raises(InputError, match="were lost 3 times"):
            list(engine.map(_always_killed, [1]))


def _killed_while_others_work(path):
    """Kill the process of one part the first time, while another part is worked on."""
    if path.endswith("0"):
        time.sleep(0.3)
        return _killed_once(path)
    time.sleep(1)
    return Path(path).name


@pytest.mark.long
def test_a_worker_that_is_lost_while_others_work_is_replaced(tmp_path):
    names = [str(tmp_path / f"{n}") for n in range(6)]
    with open_engine("cores", workers=2) as engine:
        assert list(engine.map(_killed_while_others_work, names)) == list("012345")


def _slept(path):
    from pyramidion.files.writing import writing

    with writing(path) as stream:
        stream.write(b"half")
        time.sleep(60)


SLEEPER = """
import sys
from pyramidion.cli.runtime import _ending_cleanly
from pyramidion.engine import open_engine
from test_engine import _slept
if __name__ == "__main__":
    with _ending_cleanly([]), open_engine("cores", workers=2) as engine:
        list(engine.map(_slept, sys.argv[1:]))
"""


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_the_program(tmp_path, number):
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    (tmp_path / "out").mkdir()
    files = [str(tmp_path / "out" / name) for name in "ab"]
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    program = subprocess.Popen(
        [sys.executable, tmp_path / "sleeper.py", *files], env=os.environ | {"PYTHONPATH": path},
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    started = Path(f"/proc/{program.pid}/task/{program.pid}/children")
    while len(list((tmp_path / "out").iterdir())) < 2:
        time.sleep(0.1)
    children = started.read_text().split()
    program.send_signal(number)
    program.wait(20)
    end = time.monotonic() + 10
    while any(Path("/proc", pid).exists() for pid in children) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(Path("/proc", pid).exists() for pid in children)
    if number == signal.SIGTERM:
        assert not list((tmp_path / "out").iterdir())


@pytest.mark.long
def test_cores_give_the_same_bytes(tmp_path):
    source = folder_of(tmp_path / "in", items(30), 4)
    local = score(source, output=tmp_path / "here", metrics="rouge-2")
    parallel = score(
        source, output=tmp_path / "there", metrics="rouge-2", engine="cores", workers=2
    )
    assert local.to_dict()["results"] == parallel.to_dict()["results"]
    for path in (tmp_path / "here").rglob("*.json*"):
        assert (
            path.read_bytes()
            == (tmp_path / "there" / path.relative_to(tmp_path / "here")).read_bytes()
        )


#: Rows whose scores depend on nothing else, wherever engines cut them.
FRAME = [{"summary": record["peer"], "references": record["references"]} for record in items(84)]


@pytest.mark.long
def test_ray_scores_a_dataset():
    ray = pytest.importorskip("ray", reason="needs Ray: pip install ray")
    data = pytest.importorskip("ray.data", reason="needs Ray Data: pip install 'ray[data]'")
    usual = score_frame(pd.DataFrame(FRAME), "rouge-2,rouge-l")
    # Its own thread keeps a file open until the interpreter ends.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        try:
            parts = data.from_pandas(pd.DataFrame(FRAME)).repartition(5)
            scored = parts.map_batches(
                lambda frame: score_frame(frame, "rouge-2,rouge-l"), batch_format="pandas"
            ).to_pandas()
        finally:
            ray.shutdown()
    for measure in ("rouge-2-f", "rouge-l-f"):
        by_text = dict(zip(scored["summary"], scored[measure], strict=True))
        assert [by_text[row["summary"]] for row in FRAME] == usual[measure].tolist()


@pytest.mark.long
def test_spark_scores_a_frame(tmp_path, monkeypatch):
    sql = pytest.importorskip("pyspark.sql", reason="needs Spark: pip install pyspark")
    if shutil.which("java") is None:
        pytest.skip("needs Java, which Spark runs on")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    usual = score_frame(pd.DataFrame(FRAME), "rouge-2,rouge-l")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        spark = builder.config("spark.local.dir", str(tmp_path)).getOrCreate()
        try:
            frame = spark.createDataFrame(FRAME, "summary string, references array<string>")
            schema = (
                "summary string, references array<string>, `rouge-2-f` double, `rouge-l-f` double"
            )
            scored = (
                frame.repartition(5)
                .mapInPandas(
                    lambda parts: (score_frame(frame, "rouge-2,rouge-l") for frame in parts), schema
                )
                .collect()
            )
        finally:
            spark.stop()
    for measure in ("rouge-2-f", "rouge-l-f"):
        by_text = {row["summary"]: row[measure] for row in scored}
        assert [by_text[row["summary"]] for row in FRAME] == usual[measure].tolist()
