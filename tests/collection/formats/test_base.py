import gzip
from pathlib import Path

import pytest

from collection.refusals import refusal
from pyramidion.collection.formats.base import first_bytes, first_record, nonzero_counts
from pyramidion.errors import InputError


@pytest.fixture
def file(tmp_path):
    return tmp_path / "a"


class TestFirstBytes:
    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_beginning(self, file, pack):
        file.write_bytes(pack(b"abcdef"))
        assert first_bytes(file, 3) == b"abc"
        assert first_bytes(file) == b"abcdef"

    def test_nothing(self, tmp_path, file):
        assert first_bytes(tmp_path) == b""
        assert first_bytes(file) == b""
        file.write_bytes(gzip.compress(b"abc", mtime=0)[:12])
        assert first_bytes(file) == b""

    def test_file_that_may_not_be_read(self, file, monkeypatch):
        file.write_bytes(b"abc")

        def forbidden(*_arguments, **_options):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", forbidden)
        assert refusal(InputError, first_bytes, file) == (
            f"{file}: cannot be read (Permission denied); check path and permissions"
        )


class TestFirstRecord:
    @pytest.mark.parametrize(
        ("content", "record"),
        [
            ('{"a": 1}\n{"b": 2}', {"a": 1}),
            ('\ufeff\n  \n{"a": 1}\r\n', {"a": 1}),
            ("[1]", {}),
            ("text", {}),
            ("", {}),
            ('{"a": ', {}),
            ('{"a": ' + "[" * 100_000, {}),
            ('{"a": ' + "9" * 5000 + "}", {}),
        ],
    )
    def test_first_line(self, file, content, record):
        file.write_text(content, encoding="utf-8")
        assert first_record(file) == record

    def test_long_lines_are_read_up_to_a_limit(self, file, monkeypatch):
        file.write_text('{"a": "' + "x" * 2**20 + '"}\n{"a": "y"}')
        assert len(first_record(file)["a"]) == 2**20
        monkeypatch.setattr("pyramidion.collection.formats.base._MAX_LINE_BYTES", 2**20 + 1)
        file.write_text('{"b": "' + "x" * 2**20 + '"}\n{"a": "y"}')
        assert first_record(file) == {}


def test_counted_says_what_is_there():
    assert nonzero_counts({"topics": 2, "scores": 0, "annotated peers": 1}) == (
        "2 topics",
        "1 annotated peers",
    )
