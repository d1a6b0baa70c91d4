"""A Dask cluster of separate processes: what it makes when they are killed, restarted, or slow."""

import json
import socket
import subprocess
import sys
import time
from contextlib import closing
from functools import partial

import pandas as pd
import pytest

from pyramidion import score_frame
from pyramidion.cli.runtime import run
from pyramidion.engine import DaskCluster, run_parts
from pyramidion.engine._engines import _loaded
from pyramidion.engine._jobs import _do, _Task
from pyramidion.errors import InputError
from pyramidion.metrics._frames import ScoreJob
from pyramidion.metrics._registry import resolve_metrics

Client = pytest.importorskip("distributed", reason="needs Dask, of the extra cluster").Client

# Slow enough for something to happen in the middle.
SLOW = """
import time
from pyramidion.metrics._frames import ScoreJob

class SlowJob(ScoreJob):
    def __call__(self, records):
        time.sleep(0.2)
        return super().__call__(records)
"""


def items(count):
    return [
        {"topic": f"T{n // 2}", "system": "AB"[n % 2], "references": ["Rain fell on the river."],
         "peer": f"Rain fell on {'the' if n % 3 else 'a'} river {'in ' * (n % 5)}."}
        for n in range(count)
    ]  # fmt: skip


def topics(count):
    texts = ("Rain fell on the river.", "The river rose by a foot.", "It fell again in June.")
    return [
        {"topic": f"T{n}", "documents": [" ".join(texts[n % 3 :] + texts[: n % 3]), texts[n % 2]]}
        for n in range(count)
    ]


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder):
        self._folder = folder
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.workers = []

    def start(self, workers):
        self.scheduler = self._run("scheduler", "--port", str(self.port))
        self.workers = [self._run("worker", self.address, "--nthreads", "1", "--nworkers", "1",
                                  "--no-nanny") for _ in range(workers)]  # fmt: skip

    def _run(self, kind, *arguments):
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments,
                   "--host", "127.0.0.1", "--no-dashboard"]  # fmt: skip
        with (self._folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(command, cwd=self._folder, stdout=log, stderr=log)

    def kill(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.wait()

    def restart(self):
        count = len(self.workers)
        self.kill()
        self.start(count)


@pytest.fixture
def cluster(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "slow_jobs.py").write_text(SLOW)
    monkeypatch.syspath_prepend(folder)
    made = Cluster(folder)
    yield made
    made.kill()


@pytest.fixture
def parts(tmp_path):
    """Six parts of summaries, and what becomes of them in this process."""
    records, source = items(60), tmp_path / "in"
    source.mkdir()
    for number in range(6):
        lines = (json.dumps(record) + "\n" for record in records[number * 10 : number * 10 + 10])
        (source / f"part-{number}.jsonl").write_text("".join(lines))
    report = run_parts(
        ScoreJob(resolve_metrics(["rouge-2"], {})), str(source), str(tmp_path / "here")
    )
    return source, report


def contents(folder):
    """Everything in a folder, byte by byte."""
    every = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in every}


def test_a_cluster_gives_the_same_bytes(cluster, parts, tmp_path, capsys):
    cluster.start(1)
    engine = ["--engine", "dask", "--scheduler", cluster.address]
    target = tmp_path / "there"
    assert run(["score", str(parts[0]), "-m", "rouge-2", "-o", str(target), *engine]) == 0
    assert contents(target) == contents(tmp_path / "here")
    assert "60 records" in capsys.readouterr().err
    # The function for data frames as it is, by the cluster's own means.
    frame = pd.DataFrame(items(20))
    scored = partial(score_frame, measures="rouge-2", summary="peer")
    with Client(cluster.address, set_as_default=False) as client:
        made = client.gather(client.map(scored, [frame[:7], frame[7:]], pure=False))
    pd.testing.assert_frame_equal(pd.concat(made), scored(frame), check_exact=True)


@pytest.mark.long
@pytest.mark.parametrize("happens", ["worker killed", "all restarted", "nothing"])
def test_what_happens_in_the_middle_changes_no_byte(cluster, parts, tmp_path, happens):
    from slow_jobs import SlowJob

    cluster.start(2)
    done = []

    def progress(number, _):
        done.append(number)
        if number == 1 and happens == "worker killed":
            cluster.workers[0].kill()
        if number == 1 and happens == "all restarted":
            cluster.restart()

    engine = DaskCluster(cluster.address)
    job = SlowJob(resolve_metrics(["rouge-2"], {}))
    report = run_parts(
        job, str(parts[0]), str(tmp_path / "there"), engine=engine, progress=progress
    )
    engine.close()
    assert done == [1, 2, 3, 4, 5, 6]
    assert report == parts[1]
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.long
def test_a_part_that_comes_twice_is_written_once(cluster, parts, tmp_path):
    cluster.start(2)
    engine, target = DaskCluster(cluster.address), tmp_path / "there"
    (target / "_done").mkdir(parents=True)
    job = ScoreJob(resolve_metrics(["rouge-2"], {}))
    tasks = [
        _Task(job, job.label, str(parts[0]), str(target), f"part-{n}.jsonl", "stop")
        for n in range(6)
    ]
    made = list(engine.map(_do, [task for one in tasks for task in (one, one)]))
    engine.close()
    assert made[::2] == made[1::2]
    here = contents(tmp_path / "here")
    assert contents(target) == {name: own for name, own in here.items() if name != "_job.json"}


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ["rouge", "-a", "-n", "2", "-d", "in"],
        ["classy", "predict", "classy-2011/6/A/all", "in", "-o", "out"],
        ["pyramid", "auto", "in", "-o", "out"],
        ["summarize", "topics", "-m", "lead,sum-avr,lexrank", "--words", "20", "-o", "out"],
        ["compare", "scores.csv", "--resamples", "30000", "--test", "permutation,mc,hb"],
        ["meta", "scores.csv", "--human", "b"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_command_prints_the_same(cluster, parts, tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    cells = ((t, s, m) for t in range(9) for s in range(5) for m in "abc")
    rows = (f"T{t},{s},{m},{(t * 7 + s * 3 + ord(m)) % 11 + s}\n" for t, s, m in cells)
    (tmp_path / "scores.csv").write_text("topic,system,measure,value\n" + "".join(rows))
    (tmp_path / "topics").mkdir()
    for number, record in enumerate(topics(4)):
        (tmp_path / "topics" / f"part-{number}.jsonl").write_text(json.dumps(record) + "\n")
    cluster.start(2)
    told = []
    for place, engine in (("a", []), ("b", ["--engine", "dask", "--scheduler", cluster.address])):
        words = [f"{word}-{place}" if word == "out" else word for word in arguments]
        # ROUGE-1.5.5.pl takes its options first.
        words = [*words[:1], *engine, *words[1:]] if "rouge" in words else [*words, *engine]
        assert run(words) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    if "out" in arguments:
        assert contents(tmp_path / "out-a") == contents(tmp_path / "out-b")


@pytest.mark.long
def test_a_scheduler_that_is_not_there_is_told(tmp_path, parts, capsys):
    begun = time.monotonic()
    engine = DaskCluster("tcp://127.0.0.1:9", patience=0.5)
    with pytest.raises(Exception, match="does not answer"):
        list(engine.map(len, ["a"]))
    assert time.monotonic() - begun < 20


@pytest.mark.long
def test_a_scheduler_without_workers_is_told(cluster):
    cluster.start(0)
    with pytest.raises(InputError, match="has no workers"):
        list(DaskCluster(cluster.address, patience=10).map(len, ["a"]))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("Error during deserialization of the task graph"), "cannot load this"),
        (ModuleNotFoundError("No module named 'pyramidion'"), "cannot load this program"),
        (RuntimeError("something else"), "something else"),
    ],
)
def test_a_cluster_without_the_program_is_told(error, said):
    def results():
        yield 1
        raise error

    with pytest.raises((InputError, RuntimeError), match=said):
        list(_loaded(results()))
