"""How much is read: of files, pipes and standard input, and of what they unpack to."""

import gzip
import io
import os
import sys
import threading

import pytest

from collection.refusals import refusal
from pyramidion.errors import FormatError
from pyramidion.files import inputs, reading
from pyramidion.files.inputs import is_readable, max_unpacked
from pyramidion.files.reading import read_beginning, read_bytes, read_lines


@pytest.fixture
def pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def through(pipe, data):
    """Write to a pipe whose reader comes later."""
    threading.Thread(target=pipe.write_bytes, args=(data,), daemon=True).start()
    return pipe


def test_limits_are_those_that_messages_and_users_know():
    assert inputs.MAX_WHOLE_BYTES == 4 * 1024**3
    assert reading.MAX_LINE_BYTES == reading.MAX_MODEL_BYTES == 64 * 1024**2
    assert reading.MAX_XML_BYTES == 256 * 1024**2
    assert reading.MAX_RUBRIC_BYTES == 1024**2
    # 64 MiB are always allowed, and 400 times the size of what is packed.
    assert max_unpacked(0) == max_unpacked(1) == 64 * 1024**2
    assert max_unpacked(1024**2) == 400 * 1024**2


def test_files_and_pipes_can_be_read_and_folders_cannot(tmp_path, pipe):
    (tmp_path / "a.txt").write_text("a")
    paths = (tmp_path / "a.txt", pipe, tmp_path, tmp_path / "b.txt")
    assert [is_readable(path) for path in paths] == [True, True, False, False]


@pytest.mark.parametrize("way", ["file", "pipe", "standard input"])
def test_a_zipped_input_may_expand_by_the_factor_and_no_more(tmp_path, pipe, monkeypatch, way):
    text, packed = next(
        (text, packed)
        for text in (b"a" * n for n in range(1000, 3000))
        if len(text) % len(packed := gzip.compress(text, mtime=0)) == 0
    )
    monkeypatch.setattr(inputs, "_MAX_EXPANSION", len(text) // len(packed))
    monkeypatch.setattr(inputs, "_MIN_CHECKED_BYTES", 0)
    longer = next(
        packed_longer
        for letter in (b"a", b"b")
        if len(packed_longer := gzip.compress(text + letter, mtime=0)) == len(packed)
    )
    for number, data in enumerate((packed, longer)):
        source = "-" if way == "standard input" else tmp_path / f"{number}.gz"
        if way == "standard input":
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        elif way == "pipe":
            os.mkfifo(source)
            through(source, data)
        else:
            source.write_bytes(data)
        if data is packed:
            assert read_bytes(source) == text
        else:
            assert "it unpacks to more than 0 MiB" in refusal(FormatError, read_bytes, source)


def test_a_pipe_is_read_to_its_end_as_often_as_asked(pipe):
    data = b"".join(b"line %d\n" % number for number in range(30_000))
    assert len(data) > 4 * 2**16
    through(pipe, data)
    assert read_beginning(pipe, 10) == data[:10]
    for _ in range(2):
        assert read_bytes(pipe) == data
    assert [line for _, line in read_lines(pipe)][-1] == "line 29999"


def test_no_more_is_awaited_from_a_pipe_than_was_asked_for(pipe):
    descriptor = os.open(pipe, os.O_RDWR)
    try:
        os.write(descriptor, b"x" * 2**16)
        # Its writer has not closed it: reading on would wait forever.
        assert read_beginning(pipe, 2**10) == b"x" * 2**10
    finally:
        os.close(descriptor)


def test_a_pipe_may_hold_as_much_as_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "MAX_WHOLE_BYTES", 2**20)
    for size in (2**20, 2**20 + 1):
        pipe = tmp_path / str(size)
        os.mkfifo(pipe)
        through(pipe, b"x" * size)
        if size == 2**20:
            assert len(read_bytes(pipe)) == size
        else:
            message = f"{pipe}: the pipe holds more than 1 MiB; save it as a file and read that"
            assert refusal(FormatError, read_bytes, pipe) == message
