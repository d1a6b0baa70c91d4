"""Large files in pieces: the same bytes as in one process, wherever they are cut."""

import gzip
import io
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from pyramidion import score
from pyramidion.cli.runtime import run
from pyramidion.demo import load_demo
from pyramidion.engine import Cores, run_parts
from pyramidion.engine import jobs as _jobs
from pyramidion.engine import pieces as _pieces
from pyramidion.engine.engines import map_in_order
from pyramidion.engine.jobs import StreamJob
from pyramidion.errors import FormatError, InputError
from pyramidion.files import reading as _reading
from pyramidion.files import writing as _writing
from pyramidion.metrics import RougeMeasure

# The texts are made up, and belong to no topic.
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*(one text for all topics|of other topics|unlike their topics|of several topics)"
)

CORES = ("--engine", "cores")


class CountWords(StreamJob):
    """Counts the words of each summary."""

    one_to_one, label, measures = True, "words", ("words",)

    def of_items(self, items):
        return [item.address | {"words": len(item.peer.split())} for item in items]


def items(count, start=0):
    return [
        {"topic": f"T{n // 3}", "system": "ABC"[n % 3], "references": ["Rain fell on the river."],
         "peer": f"Rain {'fell ' * (n % 4)}on {'the' if n % 5 else 'a'} river {n}."}
        for n in range(start, start + count)
    ]  # fmt: skip


def written(path, records):
    """Write records in the form that a name says."""
    lines = "".join(json.dumps(record) + "\n" for record in records).encode()
    if path.suffix == ".parquet":
        pl.DataFrame(records).write_parquet(path, row_group_size=7)
    else:
        path.write_bytes(gzip.compress(lines, mtime=0) if path.suffix == ".gz" else lines)
    return path


def contents(folder):
    """Everything in a folder, byte by byte."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(autouse=True)
def counted(monkeypatch):
    """Cut files into pieces of a few lines, and count what workers, here, are asked to do."""
    for module, name, size in (
        (_pieces, "PIECE_BYTES", 900),
        (_pieces, "_MIN_PIECE_BYTES", 900),
        (_pieces, "_SENT_PIECE_BYTES", 500),
        (_jobs, "PIECE_BYTES", 900),
        (_jobs, "_MAX_PACKED_BYTES", 100),
    ):
        monkeypatch.setattr(module, name, size)
    calls = []

    def in_this_process(_, function, parts):
        function = pickle.loads(pickle.dumps(function))
        for part in parts:
            calls.append(str(part))
            yield pickle.loads(pickle.dumps(function(pickle.loads(pickle.dumps(part)))))

    monkeypatch.setattr(Cores, "map", in_this_process)
    return calls


@pytest.mark.parametrize("form", [".csv", ".tsv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".parquet"])
def test_a_file_gives_the_same_bytes_in_pieces(tmp_path, counted, capsys, ending, form):
    source = written(tmp_path / f"all{ending}", items(40))
    printed = []
    for name, engine in (("whole", ()), ("pieces", CORES)):
        words = ["score", str(source), "-o", f"{tmp_path}/{name}{form}", *engine]
        assert run([*words, "-m", "rouge-1,rouge-2,length", "--format", "json"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert (tmp_path / f"whole{form}").read_bytes() == (tmp_path / f"pieces{form}").read_bytes()
    assert len(counted) > 3


def test_standard_input_is_sent_in_pieces(tmp_path, counted, monkeypatch, capsys):
    source = written(tmp_path / "all.jsonl", items(40))
    printed = []
    for words in (["score", str(source)], ["score", "-", *CORES]):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(source.read_bytes())))
        assert run(words) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert len(counted) > 3


def test_rouge_counts_a_file_in_pieces(tmp_path, counted, capsysbinary):
    source = written(tmp_path / "all.jsonl", items(40))
    printed = []
    for engine in ((), CORES):
        assert run(["rouge", "-a", "-n", "2", "-d", *engine, str(source)]) == 0
        printed.append(capsysbinary.readouterr().out)
    assert printed[0] == printed[1]
    assert len(counted) > 3


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz"])
@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"topic": "cut', "line 30: this is not JSON"),
        (b'{"topic": "T", "system": "A", "peer": 7, "references": ["x"]}', "line 30: `peer` is 7"),
        (b'{"peer": "caf\xe9"}', "line 30: byte 0xe9 is not UTF-8"),
        (b"\xef\xbb\xbf{}", "line 30: this is not JSON"),
        (json.dumps(items(2)[1]).encode(), "line 30: topic T0, system B occurs twice"),
    ],
    ids=["cut", "peer", "bytes", "mark", "twice"],
)
def test_an_error_names_the_line_of_the_file(tmp_path, counted, capsys, ending, line, message):
    lines = [json.dumps(record).encode() for record in items(40)]
    text = b"\n".join([*lines[:28], b"", line, *lines[28:]])
    source = tmp_path / f"all{ending}"
    source.write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    for engine in ((), CORES):
        counted.clear()
        assert run(["score", str(source), "-o", f"{tmp_path}/out.csv", *engine]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.startswith(f"pyramidion: {source}, ")
        assert not list(tmp_path.glob("*out.csv*"))


def test_a_byte_order_mark_and_a_missing_line_end_are_no_matter(tmp_path, counted):
    text = "\n".join(json.dumps(record) for record in items(42))
    (tmp_path / "all.jsonl").write_bytes(b"\xef\xbb\xbf" + text.encode() + b"\n\n \n")
    usual, parallel = (score(tmp_path / "all.jsonl", engine=e) for e in ("in-process", "cores"))
    assert usual.to_json() == parallel.to_json()


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_an_empty_stream_is_refused(tmp_path, monkeypatch, capsys, content):
    errors = []
    for engine in ((), CORES):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert run(["score", "-", "-o", f"{tmp_path}/out.csv", *engine]) == 2
        errors.append(capsys.readouterr().err)
    assert errors == ["pyramidion: -: the file is empty; one JSON object per line\n"] * 2


def test_a_metric_of_all_summaries_cannot_be_shared_out(tmp_path, monkeypatch, capsys):
    source = written(tmp_path / "all.jsonl", items(9))
    monkeypatch.setattr(RougeMeasure, "per_case", False)
    assert run(["score", str(source), "-m", "rouge-1", *CORES]) == 2
    assert "needs all summaries at once; score them without --engine" in capsys.readouterr().err


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".parquet"])
def test_a_large_part_among_small_ones_is_cut(tmp_path, counted, ending):
    source = tmp_path / "in"
    source.mkdir()
    for name, records in (("a", items(2)), ("b", items(40, 2)), ("c", items(3, 42))):
        written(source / f"{name}{ending}", records)
    job = CountWords()
    here = run_parts(job, str(source), str(tmp_path / "here"))
    done = []

    def progress(*numbers):
        done.append(numbers)

    parallel = run_parts(
        job, str(source), str(tmp_path / "there"), engine=Cores(2), progress=progress
    )
    assert here == parallel
    assert contents(tmp_path / "here") == contents(tmp_path / "there")
    assert len(counted) > 5
    assert done == [(1, 3), (2, 3), (3, 3)]
    # What is finished is not done again, by whatever engine.
    counted.clear()
    again = run_parts(job, str(source), str(tmp_path / "here"), engine=Cores(2))
    assert (again.resumed, counted) == (3, [])


@pytest.mark.filterwarnings("ignore:.*missing summaries")
@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz"])
def test_records_of_a_cut_part_are_set_aside_with_their_lines(tmp_path, counted, ending):
    source = tmp_path / "in"
    source.mkdir()
    lines = [json.dumps(record) for record in items(40)]
    for row in (3, 17, 18, 39):
        lines[row] = lines[row][:-9] if row % 2 else '{"topic": "T", "system": "A"}\n'
    text = "\n".join(lines).encode()
    (source / f"b{ending}").write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    for name, engine in (("here", "in-process"), ("there", "cores")):
        score(source, output=tmp_path / name, engine=engine, on_error="report")
    assert contents(tmp_path / "here") == contents(tmp_path / "there")
    aside = (tmp_path / "there" / "_errors" / f"b{ending}.jsonl").read_text().splitlines()
    assert [json.loads(entry)["line"] for entry in aside] == [4, 18, 19, 41]
    counted.clear()
    with pytest.raises(FormatError, match=r"line 4: this is not JSON"):
        score(source, output=tmp_path / "stopped", engine="cores")
    assert len(counted) > 1
    assert sorted(path.name for path in (tmp_path / "stopped").iterdir()) == ["_done", "_job.json"]


def test_a_part_that_changes_while_it_is_read_is_refused(tmp_path, counted):
    source = tmp_path / "in"
    source.mkdir()
    part = written(source / "a.jsonl", items(40))

    engine, usual = Cores(2), Cores.map

    def changing(engine, function, tasks):
        for number, result in enumerate(usual(engine, function, tasks)):
            if number == 2:
                os.utime(part, ns=(1, 1))
            yield result

    engine.map = changing.__get__(engine)
    job = CountWords()
    with pytest.raises(InputError, match="this part changed while it was read"):
        run_parts(job, str(source), str(tmp_path / "out"), engine=engine)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["_done", "_job.json"]


def documents(count):
    """Return topics with documents, one per record."""
    sentence = "The river rose by {} feet on {} and flooded {} houses in the old town."
    return [
        {"topic": f"T{n}", "title": f"Flood {n}",
         "documents": [sentence.format(n, day, n + 2) for day in ("Monday", "Friday")]}
        for n in range(count)
    ]  # fmt: skip


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".parquet"])
@pytest.mark.parametrize(
    ("words", "form"),
    [
        (["classy", "predict", "classy-2011/6/A/all"], ".csv"),
        (["pyramid", "auto"], ""),
        (["summarize", "-m", "lead,lexrank"], ".jsonl"),
    ],
    ids=["predict", "auto", "summarize"],
)
def test_topics_of_a_file_give_the_same_bytes_on_workers(
    tmp_path, counted, capsys, words, form, ending
):
    records = documents(9) if words[0] == "summarize" else items(27)
    source = written(tmp_path / f"all{ending}", records)
    printed = []
    for name, engine in (("whole", ()), ("topics", CORES)):
        (tmp_path / name).mkdir()
        target = tmp_path / name / f"out{form}"
        assert run([*words, str(source), "-o", str(target), "--format", "json", *engine]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert contents(tmp_path / "whole") == contents(tmp_path / "topics") != {}
    assert len(counted) > 3


def test_explanations_and_failed_topics_are_the_same_on_workers(tmp_path, counted, capsys):
    records = [*documents(5), {"topic": "T9", "documents": [" "]}]
    source = written(tmp_path / "all.jsonl", records)
    printed = []
    for engine in ((), CORES):
        assert run(["summarize", str(source), "--explain", "-m", "sum-avr", *engine]) == 0
        printed.append(capsys.readouterr())
    assert printed[0] == printed[1]
    assert "T9" in printed[0].err
    assert counted


@pytest.mark.parametrize(
    ("jackknife", "tasks"), [pytest.param(False, (), marks=pytest.mark.long), (True, "A")]
)
def test_every_metric_scores_topics_as_it_scores_all_of_them(counted, jackknife, tasks):
    """The demonstration has documents, updates and pyramids."""
    options = {"metrics": "all", "jackknife": jackknife, "tasks": tasks}
    whole, topics = (score(load_demo(), engine=name, **options) for name in ("in-process", "cores"))
    assert whole.to_json() == topics.to_json()
    assert list(whole.scores) == list(topics.scores)
    assert len(counted) > 3


def test_an_engine_has_no_effect_on_matching(tmp_path, capsys):
    load_demo().save(tmp_path / "mine")
    assert run(["pyramid", "auto", str(tmp_path / "mine"), "--match", *CORES]) == 0
    assert "--engine cores has no effect here" in capsys.readouterr().err


class TestTogether:
    """Many small parts are saved together, and each of them completely or not at all."""

    @pytest.fixture
    def source(self, tmp_path):
        folder = tmp_path / "in"
        folder.mkdir()
        for number, record in enumerate(items(30)):
            written(folder / f"part-{number:02}.jsonl", [record])
        return folder

    def test_small_parts_are_synced_together(self, tmp_path, source, monkeypatch):
        synced = []
        together = _writing._sync_together
        monkeypatch.setattr(
            _writing,
            "_sync_together",
            lambda files, folders: (synced.append(len(files)), together(files, folders)),
        )
        score(source, output=tmp_path / "out")
        # Results and reports; the last ones are single, so that workers end together.
        assert len(synced) < 2 * 30
        assert sum(synced) == 2 * 30
        assert max(synced) > 3

    def test_nothing_has_its_name_before_it_is_on_the_disk(self, tmp_path, source, monkeypatch):
        named = []

        def fail(files, folders):
            named.extend(path for path in (tmp_path / "out").glob("part-*"))
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(_writing, "_sync_together", fail)
        with pytest.raises(InputError, match="cannot write here"):
            score(source, output=tmp_path / "out")
        assert not named
        assert [path.name for path in (tmp_path / "out").rglob("*") if path.is_file()] == [
            "_job.json"
        ]

    def test_a_result_without_its_report_is_done_again(self, tmp_path, source):
        """As after a power cut, when names were on the disk and reports were not, or only begun."""
        usual = score(source, output=tmp_path / "out")
        before = contents(tmp_path / "out")
        done = sorted((tmp_path / "out" / "_done").iterdir())
        for number, report in enumerate(done[:10]):
            report.write_bytes(report.read_bytes()[: 40 * number])
        for report in done[10:15]:
            report.unlink()
        assert score(source, output=tmp_path / "out").to_json() == usual.to_json()
        assert contents(tmp_path / "out") == before

    def test_what_a_killed_process_left_is_removed(self, tmp_path, source):
        with subprocess.Popen([sys.executable, "-c", ""]) as ended:
            pass
        score(source, output=tmp_path / "out")
        name = _writing._neighbor_name("part-00.jsonl", "0" * 12, ".partial")
        stale = tmp_path / "out" / name.replace(str(os.getpid()), str(ended.pid))
        running = tmp_path / "out" / name
        for path in (stale, running):
            path.write_text("{")
        score(source, output=tmp_path / "out")
        assert (stale.exists(), running.exists()) == (False, True)

    def test_parts_before_an_error_are_saved(self, tmp_path, source):
        (source / "part-04.jsonl").write_text("{")
        with pytest.raises(FormatError, match=r"part-04\.jsonl, line 1"):
            score(source, output=tmp_path / "out")
        names = [f"part-0{number}.jsonl" for number in range(4)]
        assert sorted(path.name for path in (tmp_path / "out").glob("part-*")) == names
        assert sorted(path.stem for path in (tmp_path / "out" / "_done").iterdir()) == names

    def test_the_one_of_several_parts_that_kills_workers_is_named(self):
        class Lost(Exception):  # noqa: N818
            pass

        class Several(list):
            @property
            def single(self):
                return [Several([name]) for name in self] if len(self) > 1 else []

        def submit(part):
            def result():
                if "c" in part:
                    raise Lost
                return [name.upper() for name in part]

            return SimpleNamespace(result=result, cancel=lambda: None)

        results = map_in_order(submit, [Several("ab"), Several("dce")], 1, (Lost,), lambda: None)
        assert next(results) == ["A", "B"]
        with pytest.raises(InputError, match=r"workers were lost 3 times on \['c'\]"):
            next(results)


def test_pieces_cover_a_file_once(tmp_path):
    for ending in (".jsonl", ".jsonl.gz", ".parquet"):
        source = written(tmp_path / f"all{ending}", items(40))
        pieces = list(_pieces.cut_file(str(source)))
        assert len(pieces) > 3
        records = [record.data for piece in pieces for record in piece.records()]
        assert records == items(40)
        lines = [record.where.line for record in _pieces.Piece(str(source)).records()]
        assert lines == list(range(1, 41))


def test_a_line_of_any_length_is_in_one_piece(tmp_path, monkeypatch):
    monkeypatch.setattr(_reading, "MAX_LINE_BYTES", 2000)
    lines = [b"a" * 100, b"b" * 5000, b"c" * 100, b"d" * 3000]
    for packed in (False, True):
        path = Path(tmp_path, "long.jsonl")
        text = b"\n".join(lines)
        path.write_bytes(gzip.compress(text) if packed else text)
        numbered = [line for piece in _pieces.cut_file(str(path)) for line in piece.lines()]
        assert [line[:1] for _, line in numbered] == [b"a", b"b", b"c", b"d"]


def test_blank_lines_in_small_parts_double_nothing(tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    for number in range(0, 24, 3):
        lines = [json.dumps(record) for record in items(3, number)]
        (source / f"{number:02}.jsonl").write_text(("\n" * 1500).join(lines) + "\n")
    job = CountWords()
    for name, engine in (("here", None), ("there", Cores(2))):
        report = run_parts(job, str(source), str(tmp_path / name), engine=engine)
        assert report.records == 24
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


@pytest.mark.parametrize("damaged", ['{"size": 1}', "[]", "[1]", '{"checks": {"pairs": "AAA="}}'])
def test_a_damaged_report_is_made_again(tmp_path, damaged):
    source = tmp_path / "in"
    source.mkdir()
    written(source / "a.jsonl", items(6))
    job = CountWords()
    whole = run_parts(job, str(source), str(tmp_path / "out"))
    report = tmp_path / "out" / "_done" / "a.jsonl.json"
    saved = json.loads(report.read_text())
    broken = json.loads(damaged)
    report.write_text(json.dumps({**saved, **broken} if isinstance(broken, dict) else broken))
    again = run_parts(job, str(source), str(tmp_path / "out"))
    assert (again.records, again.resumed) == (whole.records, 0)


class Summed(CountWords):
    """Counts the words of all summaries of a part together."""

    one_to_one = False

    def of_items(self, items):
        return [items[0].address | {"words": sum(len(item.peer.split()) for item in items)}]


def test_small_parts_are_joined_only_for_jobs_that_answer_record_by_record(tmp_path):
    """A job that sums its part up answers once for each part, however small."""
    source = tmp_path / "in"
    source.mkdir()
    for name in "abc":
        written(source / f"{name}.jsonl", items(2, start=10 * ord(name)))
    run_parts(Summed(), str(source), str(tmp_path / "out"))
    lines = {p.name: p.read_text().count("\n") for p in (tmp_path / "out").glob("*.jsonl")}
    assert lines == {"a.jsonl": 1, "b.jsonl": 1, "c.jsonl": 1}
