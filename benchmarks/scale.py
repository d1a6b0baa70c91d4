"""Folders of parts, or one file, on every engine: what clusters cost, workers gain and hold.

Run by ``make bench AREA=scale``; ``OPTIONS="--summaries 1000000"``, ``OPTIONS="--summaries 1000000
--file"``, ``OPTIONS="--summaries 10000000 --short"`` and ``OPTIONS="--summaries 40000 --parts 10000
--short"`` are the sizes of the bars. Summaries are made up. Each run is a program of its own with
processes of its own; CPU time is that of all of them, memory the most that one of them held, and
the time of a pool of processes counts from its start to its end. The clock says little where the
machine has other work to do, so the share of the busiest worker in the work of all of them is given
too: two workers that share the work evenly can be twice as fast as one.
"""

import argparse
import filecmp
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

MOST_OVER, LEAST_GAIN, MOST_MIB = 1.25, 1.6, 2048.0
MANY_PARTS, MOST_CPU = 10_000, 5.0
_TICKS = os.sysconf("SC_CLK_TCK")


class Run(NamedTuple):
    """What one run took."""

    clock: float
    cpu: float
    worker_cpu: float
    mib: float


def made_up(folder: Path, summaries: int, parts: int, *, short: bool) -> None:
    """Write parts of summaries with two references each."""
    rng = random.Random(0)
    words = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 9))) for _ in range(5_000)]
    # Texts that are drawn are as good as new ones, and quicker to have.
    texts = [" ".join(rng.choices(words, k=8 if short else 60)) for _ in range(2_000)]
    folder.mkdir()
    for part in range(parts):
        rows = range(part * summaries // parts, (part + 1) * summaries // parts)
        with (folder / f"part-{part:05}.jsonl").open("w") as stream:
            for row in rows:
                peer, *references = rng.sample(texts, 2 if short else 3)
                record = {"topic": f"T{row // 4}", "system": "ABCD"[row % 4], "peer": peer}
                stream.write(json.dumps(record | {"references": references}) + "\n")


def held(pid: int) -> float:
    """Return the most memory that a living process held, in MiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def used(pid: int) -> float:
    """Return the CPU seconds of a living process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def children(pid: int) -> list[int]:
    """List the processes that a process started."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(pid) for pid in listed.read_text().split()] if listed.exists() else []


def run(source: Path, target: Path, *engine: str, workers: tuple[int, ...] = ()) -> Run:
    """Score a folder, and look at the processes that do it while they live."""
    command = [sys.executable, "-m", "pyramidion", "score", str(source), "-o", str(target),
               "-m", "rouge-1,rouge-2,rouge-l", *engine]  # fmt: skip
    before, begun = {pid: used(pid) for pid in workers}, time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen: dict[int, tuple[float, float]] = {}
    while True:
        pid, status, total = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        for worker in workers or children(process.pid):
            try:
                seen[worker] = used(worker) - before.get(worker, 0.0), held(worker)
            except OSError:
                continue
        time.sleep(0.05)
    if status:
        raise SystemExit(f"{' '.join(command)}: exit code {os.waitstatus_to_exitcode(status)}")
    clock = time.perf_counter() - begun
    for worker in workers:
        seen[worker] = used(worker) - before[worker], held(worker)
    cpu = total.ru_utime + total.ru_stime + sum(seen[pid][0] for pid in workers)
    busiest = max((seconds for seconds, _ in seen.values()), default=cpu)
    most = max([total.ru_maxrss / 1024, *(mib for _, mib in seen.values())])
    return Run(clock, cpu, busiest, most)


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Start a scheduler and workers on this machine, each a process; give address and numbers."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"

    def start(kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments,
                   "--host", "127.0.0.1", "--no-dashboard"]  # fmt: skip
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    every = [start("scheduler", "--port", address.rpartition(":")[2])]
    one_thread = ("--nthreads", "1", "--nworkers", "1", "--no-nanny")
    every += [start("worker", address, *one_thread) for _ in range(workers)]
    try:
        _wait_for(address, workers)
        yield address, tuple(process.pid for process in every[1:])
    finally:
        for process in reversed(every):
            process.terminate()
            process.wait()


def _wait_for(address: str, workers: int) -> None:
    from distributed import Client

    with Client(address, timeout=60) as client:
        client.wait_for_workers(workers, timeout=60)


def same(first: Path, second: Path) -> bool:
    """Return whether two files, or all files of two folders, are the same, byte by byte."""
    if first.is_file():
        return filecmp.cmp(first, second, shallow=False)
    names = [str(path.relative_to(first)) for path in first.rglob("*") if path.is_file()]
    _, mismatch, errors = filecmp.cmpfiles(first, second, names, shallow=False)
    return not mismatch and not errors


def verdict_line(bar: str, value: float, limit: float, *, most: bool = True) -> str:
    good = value <= limit if most else value >= limit
    return f"{bar}: {value:.2f} ({'at most' if most else 'at least'} {limit:g}) " + (
        "passed" if good else "MISSED"
    )


def most_cpu(runs: dict[str, Run]) -> float:
    """Return the CPU seconds of the most expensive run without a cluster."""
    return max(usage.cpu for name, usage in runs.items() if not name.startswith("dask"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--summaries", type=int, default=200_000)
    parser.add_argument("--parts", type=int, default=16)
    parser.add_argument("--short", action="store_true", help="eight words and one reference")
    parser.add_argument("--file", action="store_true", help="put all summaries into one file")
    parser.add_argument("--only", choices=("cores", "dask"), help="run on one engine only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, ending = Path(folder, "in"), ""
        made_up(
            source, options.summaries, 1 if options.file else options.parts, short=options.short
        )
        if options.file:
            source, ending = source / "part-00000.jsonl", ".csv"
        runs: dict[str, Run] = {}
        if options.parts >= MANY_PARTS:
            runs["in this process"] = run(source, Path(folder, "here1"))
        for workers in (1, 2) if options.only != "dask" else ():
            engine_options = ("--engine", "cores", "--workers", str(workers))
            runs[f"cores, {workers}"] = run(
                source, Path(folder, f"cores{workers}{ending}"), *engine_options
            )
        for count in (1, 2) if options.only != "cores" else ():
            with cluster(count) as (address, pids):
                engine_options = ("--engine", "dask", "--scheduler", address)
                runs[f"dask, {count}"] = run(
                    source, Path(folder, f"dask{count}{ending}"), *engine_options, workers=pids
                )
        outputs = sorted(Path(folder).glob(f"[cdh]*[12]{ending}"))
        alike = all(same(outputs[0], other) and same(other, outputs[0]) for other in outputs[1:])
    cut = "one file" if options.file else f"{options.parts} parts"
    print(f"{options.summaries:,} summaries in {cut}, {os.cpu_count()} cores, ", end="")
    print(f"load {os.getloadavg()[0]:.1f}")
    print(f"{'engine, workers':18}{'clock s':>9}{'CPU s':>9}{'busiest':>9}{'MiB':>8}")
    for name, usage in runs.items():
        print(f"{name:18}{usage.clock:9.1f}{usage.cpu:9.1f}{usage.worker_cpu:9.1f}{usage.mib:8.0f}")
    print("identical output" if alike else "DIFFERENT OUTPUT")
    if "cores, 2" in runs and "dask, 2" in runs:
        over = runs["dask, 2"].cpu / runs["cores, 2"].cpu
        print(verdict_line("CPU time of Dask relative to all cores", over, MOST_OVER))
    for kind in ("cores", "dask"):
        if f"{kind}, 2" in runs:
            usage, two = runs[f"{kind}, 1"], runs[f"{kind}, 2"]
            clocked, shared = usage.clock / two.clock, usage.worker_cpu / two.worker_cpu
            print(
                verdict_line(
                    f"{kind}: two workers relative to one, wall-clock time",
                    clocked,
                    LEAST_GAIN,
                    most=False,
                )
            )
            print(
                verdict_line(
                    f"{kind}: CPU time of the busiest worker", shared, LEAST_GAIN, most=False
                )
            )
    if options.parts >= MANY_PARTS:
        print(verdict_line("CPU s of many parts, on this machine", most_cpu(runs), MOST_CPU))
    print(verdict_line("MiB per process", max(usage.mib for usage in runs.values()), MOST_MIB))


if __name__ == "__main__":
    main()
