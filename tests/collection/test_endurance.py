"""Writing where it goes wrong: a full disk, a closed folder, a killed or a second process."""

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pyramidion.cli.runtime import run
from pyramidion.collection.formats import read_collection
from pyramidion.demo import load_demo

SWAP = """
import sys
from dataclasses import replace
from pathlib import Path
from pyramidion.demo import load_demo

demo, place = load_demo(), Path(sys.argv[1])
print("ready", flush=True)
while True:
    for name in ("first", "second"):
        replace(demo, name=name).save(place, replace=True)
"""

FILL = """
import sys
from pyramidion.files.writing import writing

for _ in range(int(sys.argv[3])):
    with writing(sys.argv[1]) as stream:
        for _ in range(200):
            stream.write(sys.argv[2].encode() * 1000)
"""


def started(code, *arguments, **options):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def only(folder, name):
    """Tell that nothing else is left beside a file."""
    return [path.name for path in Path(folder).iterdir()] == [name]


@pytest.mark.long
def test_a_full_disk_leaves_the_old_file(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("old")

    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    process = started(FILL, target, "x", 1, preexec_fn=small)
    errors = process.communicate()[1].decode()
    assert process.returncode == 1
    assert "File too large" in errors.splitlines()[-1]
    assert target.read_text() == "old"
    assert only(tmp_path, "out.txt")


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder that nobody can write to")
@pytest.mark.parametrize("output", ["scores.csv", "answer.json", "collection"])
def test_a_closed_folder_is_reported_in_one_line(tmp_path, capsys, output):
    # Root may write anywhere but here.
    closed = Path("/proc/self") if os.geteuid() == 0 else tmp_path
    if closed == tmp_path:
        tmp_path.chmod(0o500)
    demo = str(Path(load_demo.__code__.co_filename).parent / "collection")
    arguments = {
        "scores.csv": ["score", demo, "-m", "rouge-1", "-o"],
        "answer.json": ["describe", demo, "--format", "json", "-o"],
        "collection": ["convert", demo],
    }[output]
    assert run([*arguments, str(closed / output)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert re.search("could not be written|cannot be|Permission denied", err)


@pytest.mark.long
def test_a_killed_process_leaves_the_old_or_the_new_folder(tmp_path):
    folder, rng = tmp_path / "mine", random.Random(1)
    replace(load_demo(), name="first").save(folder)
    whole = read_collection(folder).data_hash
    seen = set()
    for _ in range(12):
        process = started(SWAP, folder)
        assert process.stdout.readline() == b"ready\n"
        time.sleep(rng.uniform(0, 0.6))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        collection = read_collection(folder)
        assert collection.data_hash == whole
        seen.add(collection.name)
    assert seen <= {"first", "second"}
    # What killed processes left is swept up by the next one that writes here.
    replace(load_demo(), name="third").save(folder, replace=True)
    assert read_collection(folder).name == "third"
    assert only(tmp_path, "mine")


@pytest.mark.long
def test_two_processes_do_not_interleave(tmp_path):
    target = tmp_path / "out.txt"
    whole = {letter: letter * 200_000 for letter in "ab"}
    processes = [started(FILL, target, letter, 40) for letter in whole]
    read = 0
    while any(process.poll() is None for process in processes):
        if target.exists():
            assert target.read_text() in whole.values()
            read += 1
    for process in processes:
        assert process.communicate()[1] == b""
    assert read > 5
    assert only(tmp_path, "out.txt")
