"""A Dask cluster of separate processes: what it makes when they are killed, restarted, or slow."""

import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import threading
import warnings
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial

import pandas as pd
import pytest

import pyramidion
from pyramidion import score_frame
from pyramidion.cli.runtime import run
from pyramidion.engine import DaskCluster, _cluster, run_parts
from pyramidion.engine.jobs import _PartPlan, _run_task, _WholeParts
from pyramidion.errors import InputError
from pyramidion.metrics._frames import ScoreJob
from pyramidion.metrics.registry import resolve_metrics

Client = pytest.importorskip("distributed", reason="needs Dask, of the extra cluster").Client

# Patient, since a cluster takes its time to start on a busy machine.
DASK = ("--engine", "dask", "--connect-timeout", "60")

# Hides the package from a worker, as if it were not installed.
HIDING = """
import sys

class Hiding:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pyramidion":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hiding())
"""

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

    def __init__(self, folder, protocol="tcp"):
        self._folder = folder
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"{protocol}://127.0.0.1:{self.port}"
        self._protocol = protocol
        self.workers = []

    def start(self, workers):
        self.scheduler = self._run("scheduler", "--port", str(self.port))
        self.workers = [self.start_worker() for _ in range(workers)]

    def start_worker(self, *, without_package=False):
        return self._run(
            "worker", self.address, "--nthreads", "1", "--nworkers", "1", "--no-nanny",
            without_package=without_package,
        )  # fmt: skip

    def _run(self, kind, *arguments, without_package=False):
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments,
                   "--host", "127.0.0.1", "--no-dashboard"]  # fmt: skip
        if self._protocol == "tls":
            command += ["--protocol", "tls"]
        environment = dict(os.environ)
        if without_package:
            hiding = self._folder / "hiding"
            hiding.mkdir(exist_ok=True)
            (hiding / "sitecustomize.py").write_text(HIDING)
            environment["PYTHONPATH"] = str(hiding)
        with (self._folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=self._folder, stdout=log, stderr=log, env=environment
            )

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
    running = Cluster(folder)
    yield running
    running.kill()


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
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_cluster_gives_the_same_bytes(cluster, parts, tmp_path, capsys):
    cluster.start(1)
    engine = [*DASK, "--scheduler", cluster.address]
    target = tmp_path / "there"
    assert run(["score", str(parts[0]), "-m", "rouge-2", "-o", str(target), *engine]) == 0
    assert contents(target) == contents(tmp_path / "here")
    assert "60 records" in capsys.readouterr().err
    # The function for data frames as it is, by the cluster's own means.
    frame = pd.DataFrame(items(20))
    scored = partial(score_frame, metrics="rouge-2", summary="peer")
    with Client(cluster.address, set_as_default=False) as client:
        running = client.gather(client.map(scored, [frame[:7], frame[7:]], pure=False))
    pd.testing.assert_frame_equal(pd.concat(running), scored(frame), check_exact=True)
    # One file, whose pieces the worker reads.
    stream = tmp_path / "all.jsonl"
    stream.write_text("".join(json.dumps(record) + "\n" for record in items(60)))
    for name, words in (("whole", []), ("pieces", engine)):
        assert run(["score", str(stream), "-o", f"{tmp_path}/{name}.csv", *words]) == 0
    assert (tmp_path / "whole.csv").read_bytes() == (tmp_path / "pieces.csv").read_bytes()
    capsys.readouterr()
    check = ["engine", "check", *engine[2:], "--folder", str(tmp_path), "--format", "json"]
    assert run(check) == 0
    (worker,) = json.loads(capsys.readouterr().out)["results"]
    assert (worker["package"], worker["folder"], worker["problem"]) == (
        pyramidion.__version__,
        "yes",
        "",
    )
    assert worker["python"] == platform.python_version()
    assert "GiB" in worker["memory"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "all.jsonl", "here", "in", "pieces.csv", "there", "whole.csv",
    ]  # fmt: skip


@pytest.mark.long
def test_a_cluster_without_the_program_is_refused_at_once(cluster, parts, tmp_path, capsys):
    cluster.start(1)
    engine = [*DASK, "--scheduler", cluster.address]
    cluster.workers.append(cluster.start_worker(without_package=True))
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    assert run(["score", str(parts[0]), "-o", f"{tmp_path}/out", *engine]) == 2
    error = capsys.readouterr().err
    host = socket.gethostname()
    assert f"1 of 2 workers (1 on {host}) does not have Pyramidion; run: pip install" in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()
    assert run(["engine", "check", *engine[2:], "--format", "json"]) == 1
    states = json.loads(capsys.readouterr().out)["results"]
    assert sorted(state["package"] for state in states) == [pyramidion.__version__, "missing"]
    assert sorted(state["problem"] for state in states) == ["", "does not have Pyramidion"]


@pytest.mark.long
def test_a_worker_that_joins_later_without_the_program_is_named(cluster, parts, tmp_path):
    from slow_jobs import SlowJob

    cluster.start(1)
    engine = DaskCluster(cluster.address, 60)
    first = (parts[0] / "part-0.jsonl").read_text()
    for number in range(6, 20):
        lines = first.replace('"topic": "', f'"topic": "{number}-')
        (parts[0] / f"part-{number}.jsonl").write_text(lines)

    def progress(*_):
        if len(cluster.workers) == 1:
            cluster.workers.append(cluster.start_worker(without_package=True))
            with Client(cluster.address, set_as_default=False) as client:
                client.wait_for_workers(2, timeout=60)

    job = SlowJob(resolve_metrics(["rouge-2"], {}))
    arguments = (job, str(parts[0]), str(tmp_path / "out"))
    with pytest.raises(InputError, match=r"1 of 2 workers .* does not have Pyramidion"):
        run_parts(*arguments, engine=engine, progress=progress)
    engine.close()
    joined_later = cluster.workers.pop()
    joined_later.kill()
    joined_later.wait()
    engine = DaskCluster(cluster.address, 60)
    report = run_parts(*arguments, engine=engine)
    engine.close()
    assert (report.parts, report.records) == (20, 200)
    assert report.resumed >= 1


@pytest.mark.long
def test_a_worker_that_does_not_see_the_parts_is_named(cluster, parts, monkeypatch):
    cluster.start(1)
    engine = DaskCluster(cluster.address, 60)
    hidden = DaskCluster.states
    # As where each machine has a disk of its own.
    monkeypatch.setattr(
        DaskCluster,
        "states",
        lambda self, *paths: hidden(self, *(f"/elsewhere{path}" for path in paths)),
    )
    with pytest.raises(InputError, match=r"1 of 1 workers .* does not see .*part-0\.jsonl; mount"):
        engine.require_ready(str(parts[0] / "part-0.jsonl"))
    engine.close()


def certificates(folder):
    """Make an authority and a certificate for this machine."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("needs openssl, which makes the certificates")
    options = ["-newkey", "rsa:2048", "-nodes", "-days", "2"]
    names = folder / "names"
    names.write_text("subjectAltName=IP:127.0.0.1\n")
    for command in (
        ["req", "-x509", *options, "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem"],
        ["req", *options, "-subj", "/CN=127.0.0.1", "-keyout", "key.pem", "-out", "request"],
        ["x509", "-req", "-in", "request", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2",
         "-CAcreateserial", "-extfile", "names", "-out", "cert.pem"],
    ):  # fmt: skip
        subprocess.run([openssl, *command], cwd=folder, check=True, capture_output=True)


@pytest.mark.long
def test_a_secure_cluster_is_configured_as_dask_says(parts, tmp_path, monkeypatch, capsys):
    certificates(tmp_path)
    files = {"CA_FILE": "ca.pem"}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        files |= {f"{role}__CERT": "cert.pem", f"{role}__KEY": "key.pem"}
    for name, file in files.items():
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{name}", str(tmp_path / file))
    cluster = Cluster(tmp_path, "tls")
    cluster.start(1)
    try:
        words = ["score", str(parts[0]), "-m", "rouge-2", "--engine", "dask"]
        words += ["--scheduler", cluster.address, "--connect-timeout", "60"]
        program = [sys.executable, "-m", "pyramidion", *words]
        capture = {"capture_output": True, "text": True}
        done = subprocess.run([*program, "-o", tmp_path / "there"], check=False, **capture)
        assert (done.returncode, done.stderr) == (0, f"wrote {tmp_path}/there: 60 records\n")
        assert contents(tmp_path / "there") == contents(tmp_path / "here")
        # Without certificates, and without encryption.
        for address, message in (
            (cluster.address, "cannot connect securely to the scheduler tls://"),
            (cluster.address.replace("tls", "tcp"), "not"),
        ):
            program[program.index("--scheduler") + 1] = address
            program[-1] = "3"
            plain = {n: value for n, value in os.environ.items() if not n.startswith("DASK_")}
            failed = subprocess.run(
                [*program, "-o", tmp_path / "none"], check=False, env=plain, **capture
            )
            assert failed.returncode == 2
            assert message in failed.stderr
            assert failed.stderr.count("\n") == 1
            assert not (tmp_path / "none").exists()
    finally:
        cluster.kill()


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

    engine = DaskCluster(cluster.address, 60)
    job = SlowJob(resolve_metrics(["rouge-2"], {}))
    report = run_parts(
        job, str(parts[0]), str(tmp_path / "there"), engine=engine, progress=progress
    )
    engine.close()
    assert done == [1, 2, 3, 4, 5, 6]
    assert report == parts[1]
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.long
@pytest.mark.parametrize("replaced", [True, False], ids=["replaced", "not replaced"])
def test_the_only_worker_is_killed(cluster, parts, tmp_path, monkeypatch, replaced):
    """The user is told at once; without another worker the run ends, and goes on later."""
    from slow_jobs import SlowJob

    monkeypatch.setattr(_cluster, "_RECONNECT_SECONDS", 60.0 if replaced else 3.0)
    monkeypatch.setattr(_cluster, "_POLL_SECONDS", 0.5)
    cluster.start(1)

    def progress(number, _):
        if number == 2:
            cluster.workers[0].kill()

    def work():
        engine = DaskCluster(cluster.address, 60)
        job = SlowJob(resolve_metrics(["rouge-2"], {}))
        target = str(tmp_path / "there")
        try:
            return run_parts(job, str(parts[0]), target, engine=engine, progress=progress)
        finally:
            engine.restart()

    if replaced:
        monkeypatch.setattr(
            "warnings.showwarning", lambda *_: cluster.workers.append(cluster.start_worker())
        )
        warnings.simplefilter("always")
        report = work()
        assert len(cluster.workers) >= 2
    else:
        with (
            pytest.warns(UserWarning, match="lost all workers of tcp://.*; waiting 3 s"),
            pytest.raises(InputError, match="has no workers; start some, and run the same command"),
        ):
            work()
        finished = len(list((tmp_path / "there" / "_done").iterdir()))
        assert 2 <= finished < 6
        cluster.workers.append(cluster.start_worker())
        report = work()
        assert report.resumed == finished
    assert replace(report, resumed=0) == parts[1]
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_other_versions_do_not_work_together():
    assert _cluster.SameVersions(abs, _cluster.versions())(-1) == 1
    with pytest.raises(InputError, match=r"a worker has pyramidion:.*, this program numpy:1"):
        _cluster.SameVersions(abs, ("numpy:1",))(-1)


@pytest.mark.long
def test_a_part_that_comes_twice_is_written_once(cluster, parts, tmp_path):
    cluster.start(2)
    engine, target = DaskCluster(cluster.address, 60), tmp_path / "there"
    (target / "_done").mkdir(parents=True)
    job = ScoreJob(resolve_metrics(["rouge-2"], {}))
    plan = _PartPlan(job, job.label, str(parts[0]), str(target), "stop")
    tasks = [_WholeParts(plan, (f"part-{n}.jsonl",)) for n in range(6)]
    results = list(engine.map(_run_task, [task for part in tasks for task in (part, part)]))
    engine.close()
    assert results[::2] == results[1::2]
    here = contents(tmp_path / "here")
    assert contents(target) == {
        name: content for name, content in here.items() if name != "_job.json"
    }


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
    outputs = []
    for folder, engine in (("a", []), ("b", [*DASK, "--scheduler", cluster.address])):
        words = [f"{word}-{folder}" if word == "out" else word for word in arguments]
        # ROUGE-1.5.5.pl takes its options first.
        words = [*words[:1], *engine, *words[1:]] if "rouge" in words else [*words, *engine]
        assert run(words) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    if "out" in arguments:
        assert contents(tmp_path / "out-a") == contents(tmp_path / "out-b")


def test_a_scheduler_that_is_not_there_is_reported(parts, tmp_path, capsys):
    words = ["score", str(parts[0]), "-o", f"{tmp_path}/out", "--engine", "dask"]
    # A port that nobody listens on, and one that never answers.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for port in (9, silent.getsockname()[1]):
            address = f"tcp://127.0.0.1:{port}"
            assert run([*words, "--scheduler", address, "--connect-timeout", "0.5"]) == 2
            error = capsys.readouterr().err
            assert f"the scheduler {address} did not answer within 0.5 s" in error
            assert error.count("\n") == 1
            assert not (tmp_path / "out").exists()


def test_something_else_at_the_address_is_reported(capsys):
    def answer(server):
        with suppress(OSError):
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 3)
                connection.recv(2**16)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer, args=(server,))
        thread.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        assert run(["engine", "check", "--scheduler", address, "--connect-timeout", "2"]) == 2
        thread.join()
    assert f"the server at {address} is not a Dask scheduler" in capsys.readouterr().err


@pytest.mark.long
def test_a_scheduler_without_workers_is_reported(cluster):
    cluster.start(0)
    with pytest.raises(InputError, match="has no workers"):
        list(DaskCluster(cluster.address, connect_timeout=10).map(len, ["a"]))


@pytest.mark.parametrize(
    ("silent", "message"),
    [
        ("a", "1 of 3 workers (1 on a) does not answer; check their logs"),
        ("ab", "2 of 4 workers (1 on a, 1 on b) do not answer; check their logs"),
        ("aab", "3 of 5 workers (2 on a, 1 on b) do not answer; check their logs"),
        ("abcde", "(1 on a, 1 on b, 1 on c, 1 on d, 1 on e) do not answer"),
        ("abcdef", "(1 on a, 1 on b, 1 on c, 1 on d, 1 on e, and on 1 more"),
        ("abcdefg", "(1 on a, 1 on b, 1 on c, 1 on d, 1 on e, and on 2 more hosts)"),
    ],
)
def test_workers_with_the_same_problem_are_told_together(silent, message, monkeypatch):
    ready = _cluster.WorkerState("tcp://z", "z", 1, 0, "3.11", _cluster.versions())
    states = [_cluster.WorkerState(f"tcp://{host}", host, 1, 0) for host in silent]
    monkeypatch.setattr(DaskCluster, "states", lambda self, *paths: [ready, *states, ready])
    with pytest.raises(InputError) as error:
        DaskCluster("tcp://127.0.0.1:9").require_ready()
    assert message in str(error.value)
