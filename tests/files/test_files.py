import gzip
import io
import os
import platform
import shutil
import stat
import subprocess
import sys
import threading
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from pyramidion.collection.formats import read_collection
from pyramidion.errors import FormatError, InputError, NotFoundError, PyramidionError, Where
from pyramidion.files import inputs, reading
from pyramidion.files import writing as _writing
from pyramidion.files.reading import (
    decode,
    read_all_lines,
    read_beginning,
    read_bytes,
    read_lines,
    read_object,
    read_text,
)
from pyramidion.files.writing import write_bytes, write_text, writing, writing_folder


@pytest.fixture
def file(tmp_path):
    return tmp_path / "a.txt"


def names(folder):
    return sorted(item.name for item in folder.iterdir())


class TestReading:
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_lines_come_without_mark_and_ends(self, file, end, mark, pack):
        file.write_bytes(pack(f"{mark}one{end}{end}dreißig\u2028{end}".encode()))
        assert list(read_lines(file)) == [(1, "one"), (2, ""), (3, "dreißig\u2028")]

    def test_only_the_first_line_may_have_a_mark(self, file):
        file.write_text("one\n\ufefftwo", encoding="utf-8")
        assert list(read_lines(file)) == [(1, "one"), (2, "\ufefftwo")]

    def test_text_has_one_kind_of_line_end(self, file):
        file.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
        assert read_text(file) == "a\nb\nc\n"

    def test_beginning_of_a_zipped_file(self, file):
        file.write_bytes(gzip.compress(b"abcdef", mtime=0))
        assert read_beginning(file, 3) == b"abc"

    def test_standard_input(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\ntwo")))
        assert list(read_lines("-")) == [(1, "one"), (2, "two")]

    def test_latin_1_names_the_line(self, file):
        file.write_bytes(b"one\ntwo\ncaf\xe9\n")
        expected = (
            f"{file}, line 3: byte 0xe9 is not UTF-8; "
            "save the file as UTF-8 (it may be Latin-1 or Windows-1252)"
        )
        assert refusal(FormatError, list, read_lines(file)) == expected
        assert refusal(FormatError, read_text, file) == expected

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
    def test_utf_16_is_named(self, file, encoding):
        text = "\ufeffone\ntwo" if encoding == "utf-16-be" else "one\ntwo"
        file.write_bytes(text.encode(encoding))
        assert refusal(FormatError, list, read_lines(file)) == (
            f"{file}, line 1: the text is UTF-16, not UTF-8; save it as UTF-8"
        )

    def test_decoding_counts_from_the_given_line(self):
        message = refusal(FormatError, decode, b"a\n\xff", Where("x"), first_line=10)
        assert message.startswith("x, line 11: byte 0xff is not UTF-8")
        assert "line 2: byte" in refusal(FormatError, decode, b"\n\xff", Where("x"))

    def test_missing_file(self, file):
        expected = f"{file}: there is no such file; check the path"
        assert refusal(NotFoundError, read_bytes, file) == expected
        assert refusal(NotFoundError, list, read_lines(file)) == expected

    def test_folder_instead_of_a_file(self, tmp_path):
        assert refusal(FormatError, read_bytes, tmp_path) == (
            f"{tmp_path}: this is a folder, not a file; name a file in it"
        )

    def test_file_where_a_folder_should_be(self, file):
        file.write_text("x")
        assert refusal(InputError, read_bytes, file / "b") == (
            f"{file / 'b'}: cannot be read (Not a directory); check path and permissions"
        )

    def test_name_that_cannot_be(self):
        assert refusal(InputError, read_bytes, "a\0b").endswith(
            "cannot be read (embedded null byte); check path and permissions"
        )

    def test_file_that_may_not_be_read(self, file, monkeypatch):
        def forbidden(*_arguments, **_options):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(_writing.Path, "open", forbidden)
        assert refusal(InputError, read_bytes, file) == (
            f"{file}: cannot be read (Permission denied); check path and permissions"
        )

    @pytest.mark.parametrize("damage", ["cut off", "changed"])
    def test_damaged_gzip(self, file, damage):
        data = gzip.compress(os.urandom(1000), mtime=0)
        damaged = data[:-20] if damage == "cut off" else data[:-6] + b"\0\0" + data[-4:]
        file.write_bytes(damaged)
        message = refusal(FormatError, read_bytes, file)
        assert message.startswith(f"{file}: the gzipped data is damaged (")
        assert message.endswith("); fetch the file again")

    def test_line_of_100_megabytes_is_refused_before_it_is_all_read(self, file):
        with file.open("wb") as stream:
            stream.write(b"one\n")
            stream.truncate(100 * 2**20)
        assert refusal(FormatError, list, read_lines(file)) == (
            f"{file}, line 2: the line is longer than 64 MiB; "
            "one record belongs on each line; check that this is the right file"
        )

    def test_line_of_the_greatest_length_is_read(self, file, monkeypatch):
        monkeypatch.setattr(reading, "MAX_LINE_BYTES", 4)
        file.write_bytes(b"abc\nabcd")
        assert [line for _, line in read_lines(file)] == ["abc", "abcd"]
        file.write_bytes(b"abcd\n")
        with pytest.raises(FormatError, match="line 1: the line is longer"):
            list(read_lines(file))

    @pytest.mark.parametrize("most", [3, 100])
    @given(
        data=st.lists(st.sampled_from([b"a", b"\n", b"\r", "é".encode(), b"\xff"])).map(b"".join)
    )
    def test_lines_at_once_are_those_one_by_one(self, tmp_path_factory, data, most):
        file = tmp_path_factory.mktemp("lines") / "a.txt"
        file.write_bytes(data)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(reading, "MAX_LINE_BYTES", most)
            try:
                expected = [line for _, line in read_lines(file)]
            except FormatError:
                # What is wrong first may be found later, and counted in letters.
                return
            assert read_all_lines(file) == expected

    def test_size_limit(self, file):
        file.write_bytes(b"x" * 2**20)
        assert len(read_bytes(file, limit=2**20)) == 2**20
        file.write_bytes(b"x" * (2**20 + 1))
        assert refusal(FormatError, read_bytes, file, limit=2**20) == (
            f"{file}: the file is larger than 1 MiB; split it, or check that it is the right file"
        )

    def test_a_pipe_without_end_is_read_up_to_the_limit(self, tmp_path):
        pipe, taken = tmp_path / "pipe", []
        os.mkfifo(pipe)

        def write():
            with suppress(BrokenPipeError), pipe.open("wb", buffering=0) as stream:
                while True:
                    taken.append(stream.write(b"x" * 2**14))

        # The pipe stays open, since another reader of this process may want more of it.
        threading.Thread(target=write, daemon=True).start()
        with pytest.raises(FormatError, match="larger than 1 MiB"):
            read_object(pipe, limit=2**20)
        # What is in the pipe and in the buffer of the reader was not asked for.
        assert 2**20 < sum(taken) < 2**20 + 2**18

    @given(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r")))
    def test_what_is_written_is_read(self, tmp_path_factory, text):
        file = tmp_path_factory.mktemp("round") / "a.txt"
        write_text(file, "x" + text)
        assert read_text(file) == "x" + text


def test_a_gzipped_file_that_unpacks_without_end_is_refused(file, monkeypatch):
    monkeypatch.setattr(inputs, "_MIN_CHECKED_BYTES", 2**20)
    file.write_bytes(gzip.compress(b"a b\n" * 2**17))
    assert len(read_all_lines(file)) == 2**17
    file.write_bytes(gzip.compress(b"a b\n" * 2**20))
    for read in (read_text, read_all_lines, lambda path: sum(1 for _ in read_lines(path))):
        with pytest.raises(FormatError, match="unpacks to more than 1 MiB"):
            read(file)


class TestWritingFiles:
    def test_file_appears_when_all_is_written(self, file):
        with writing(file) as stream:
            stream.write(b"half")
            stream.flush()
            assert not file.exists()
        assert file.read_bytes() == b"half"
        assert names(file.parent) == ["a.txt"]

    @pytest.mark.parametrize("interruption", [RuntimeError, KeyboardInterrupt])
    @pytest.mark.parametrize("exists", [True, False])
    def test_interruption_leaves_nothing(self, file, interruption, exists):
        if exists:
            file.write_bytes(b"old")

        def interrupted():
            with writing(file) as stream:
                stream.write(b"half")
                raise interruption

        with pytest.raises(interruption):
            interrupted()
        assert names(file.parent) == (["a.txt"] if exists else [])
        assert not exists or file.read_bytes() == b"old"

    def test_existing_file_is_replaced(self, file):
        file.write_bytes(b"old and longer")
        write_bytes(file, b"new")
        assert file.read_bytes() == b"new"
        assert names(file.parent) == ["a.txt"]

    def test_new_file_has_the_usual_permissions(self, file):
        before = os.umask(0o027)
        try:
            write_bytes(file, b"")
        finally:
            os.umask(before)
        assert stat.S_IMODE(file.stat().st_mode) == 0o640

    def test_replaced_file_keeps_its_permissions(self, file):
        file.write_bytes(b"old")
        file.chmod(0o600)
        write_bytes(file, b"new")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600

    def test_write_protected_file_stays(self, file, monkeypatch):
        file.write_bytes(b"old")
        # A superuser may write everything, so the answer of the system is played here.
        monkeypatch.setattr(_writing.os, "access", lambda path, mode: False)
        assert refusal(InputError, write_bytes, file, b"new") == (
            f"{file}: cannot write here (the file is write-protected); write elsewhere"
        )
        assert file.read_bytes() == b"old"

    def test_relative_path_without_a_folder(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        write_text("a.txt", "one")
        assert (tmp_path / "a.txt").read_text() == "one"
        assert names(tmp_path) == ["a.txt"]

    def test_longest_name(self, tmp_path):
        name = "ä" * 127
        write_text(tmp_path / name, "one")
        assert names(tmp_path) == [name]

    def test_name_that_is_too_long(self, tmp_path):
        file = tmp_path / ("a" * 300)
        message = refusal(InputError, write_text, file, "one")
        assert message.endswith("aaa: cannot write here (File name too long); shorten the name")
        assert names(tmp_path) == []

    def test_link_leads_to_the_file(self, tmp_path):
        (tmp_path / "real.txt").write_text("old")
        (tmp_path / "link.txt").symlink_to("real.txt")
        write_text(tmp_path / "link.txt", "new")
        assert (tmp_path / "link.txt").is_symlink()
        assert (tmp_path / "real.txt").read_text() == "new"

    def test_pipe_is_written_and_not_replaced(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            write_bytes(pipe, b"through")
            assert os.read(reader, 100) == b"through"
        finally:
            os.close(reader)
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        assert names(tmp_path) == ["pipe"]

    def test_folder_is_refused(self, tmp_path):
        assert refusal(InputError, write_text, tmp_path, "x") == (
            f"{tmp_path}: this is a folder; name a file to write"
        )

    def test_missing_folder(self, tmp_path):
        file = tmp_path / "nowhere" / "a.txt"
        assert refusal(NotFoundError, write_text, file, "x") == (
            f"{file}: the folder {file.parent} does not exist; create it first"
        )

    def test_file_instead_of_the_folder(self, file):
        file.write_text("x")
        assert refusal(InputError, write_text, file / "b", "x") == (
            f"{file / 'b'}: cannot write here (Not a directory); write elsewhere"
        )

    def test_full_disk(self, file):
        def fill():
            with writing(file):
                raise OSError(28, "No space left on device")

        assert refusal(InputError, fill) == (
            f"{file}: cannot write here (No space left on device); write elsewhere"
        )
        assert names(file.parent) == []

    def test_error_inside_that_has_nothing_to_do_with_the_target(self, file):
        def fail():
            with writing(file):
                raise FileNotFoundError("something else")

        with pytest.raises(FileNotFoundError, match="something else"):
            fail()

    def test_half_a_surrogate_pair(self, file):
        assert refusal(InputError, write_text, file, "smile \ud83d!") == (
            f"{file}: half of a surrogate pair after 'smile ' cannot be written as UTF-8; remove it"
        )
        assert names(file.parent) == []
        for before in ("b" * 20, "b" * 21):
            message = refusal(InputError, write_text, file, f"{before}\ud83d")
            assert f"pair after '{'b' * 20}' cannot" in message

    def test_two_writers_do_not_meet(self, file):
        with writing(file) as first, writing(file) as second:
            first.write(b"first")
            second.write(b"second")
        assert file.read_bytes() == b"first"
        assert names(file.parent) == ["a.txt"]


class TestWritingFolders:
    def fill(self, target, *, replace=False, content="new"):
        with writing_folder(target, replace=replace) as folder:
            write_text(folder / "a.txt", content)

    def test_folder_appears_when_it_is_complete(self, tmp_path):
        target = tmp_path / "new"
        with writing_folder(target) as folder:
            write_text(folder / "a.txt", "one")
            assert not target.exists()
            assert folder.parent == tmp_path
        assert names(tmp_path) == ["new"]
        assert names(target) == ["a.txt"]

    def test_empty_folder_is_filled(self, tmp_path):
        (tmp_path / "new").mkdir()
        self.fill(tmp_path / "new")
        assert names(tmp_path / "new") == ["a.txt"]
        assert names(tmp_path) == ["new"]

    def test_full_folder_is_refused(self, tmp_path):
        target = tmp_path / "old"
        self.fill(target, content="old")
        assert refusal(InputError, self.fill, target) == (
            f"{target}: the folder already exists; choose another name, or replace it with --force"
        )
        assert (target / "a.txt").read_text() == "old"
        assert names(tmp_path) == ["old"]

    def test_replacing(self, tmp_path):
        target = tmp_path / "old"
        self.fill(target, content="old")
        write_text(target / "b.txt", "gone")
        target.chmod(0o750)
        self.fill(target, replace=True)
        assert names(target) == ["a.txt"]
        assert (target / "a.txt").read_text() == "new"
        assert stat.S_IMODE(target.stat().st_mode) == 0o750
        assert names(tmp_path) == ["old"]

    @pytest.mark.parametrize("interruption", [RuntimeError, KeyboardInterrupt])
    def test_interruption_leaves_the_old_folder(self, tmp_path, interruption):
        target = tmp_path / "old"
        self.fill(target, content="old")

        def interrupted():
            with writing_folder(target, replace=True) as folder:
                write_text(folder / "a.txt", "new")
                raise interruption

        with pytest.raises(interruption):
            interrupted()
        assert (target / "a.txt").read_text() == "old"
        assert names(tmp_path) == ["old"]

    def test_interruption_leaves_nothing(self, tmp_path):
        def interrupted():
            with writing_folder(tmp_path / "new") as folder:
                write_text(folder / "a.txt", "new")
                raise RuntimeError

        with pytest.raises(RuntimeError):
            interrupted()
        assert names(tmp_path) == []

    def test_old_folder_comes_back_when_the_new_one_cannot_take_its_place(
        self, tmp_path, monkeypatch
    ):
        target = tmp_path / "old"
        self.fill(target, content="old")
        replace = _writing.Path.replace
        moves = []

        def second_move_fails(source, destination):
            moves.append(source)
            if len(moves) == 2:
                raise OSError(5, "Input/output error")
            return replace(source, destination)

        monkeypatch.setattr(_writing.Path, "replace", second_move_fails)
        monkeypatch.setattr(_writing, "_exchange", lambda first, other: False)
        message = refusal(InputError, self.fill, target, replace=True)
        assert message == f"{target}: cannot write here (Input/output error); write elsewhere"
        assert (target / "a.txt").read_text() == "old"
        assert names(tmp_path) == ["old"]

    @pytest.mark.parametrize("exchanges", [True, False])
    def test_there_is_a_whole_folder_after_a_kill_at_any_rename(self, tmp_path, exchanges):
        # A child process replaces the folder, and is killed before each rename in turn.
        script = f"""
import os, sys
from pyramidion.files import inputs, reading
from pyramidion.files import writing as _writing
at, replace, exchange = int(sys.argv[1]), _writing.Path.replace, _writing._exchange
done = []
def counted(call):
    def move(*paths):
        done.append(call)
        if len(done) == at:
            os.kill(os.getpid(), 9)
        return call(*paths)
    return move
_writing.Path.replace = counted(replace)
_writing._exchange = counted(exchange) if {exchanges} else (lambda one, other: False)
with _writing.writing_folder(sys.argv[2], replace=True) as folder:
    (folder / "a.txt").write_text("new")
"""
        target = tmp_path / "old"
        for at in range(1, 4):
            self.fill(target, replace=True, content="old")
            killed = subprocess.run(
                [sys.executable, "-c", script, str(at), str(target)], check=False
            ).returncode
            with suppress(PyramidionError):
                read_collection(target)  # who reads it finds it, whatever it is
            assert (target / "a.txt").read_text() == ("old" if killed else "new")
            if not killed:
                break
        assert not killed
        self.fill(target, replace=True)
        assert names(tmp_path) == ["old"]

    def test_leftovers_of_processes_at_work_stay(self, file):
        mine = _writing._neighbor(file, _writing._UNFINISHED_SUFFIX)
        elsewhere = file.with_name(".a.txt.otherhost-999999999-0123456789ab.partial")
        for leftover in (mine, elsewhere):
            leftover.write_text("half")
        write_text(file, "whole")
        assert names(file.parent) == sorted([mine.name, elsewhere.name, "a.txt"])

    def test_a_folder_is_not_restored_over_one_that_exists(self, tmp_path):
        """What a process of this machine left that no longer runs."""
        stale = tmp_path / f".old.{platform.node()[:20]}-999999999-{'0' * 12}.replaced"
        self.fill(tmp_path / "old", content="old")
        self.fill(stale, content="stale")
        with writing_folder(tmp_path / "old", replace=True):
            assert (tmp_path / "old" / "a.txt").read_text() == "old"
        shutil.rmtree(tmp_path / "old")
        with writing_folder(tmp_path / "old", replace=True):
            assert (tmp_path / "old" / "a.txt").read_text() == "stale"

    @pytest.mark.skipif(sys.platform != "linux", reason="swaps names as only Linux can")
    def test_names_are_swapped_in_one_step(self, tmp_path, monkeypatch):
        self.fill(tmp_path / "old", content="old")
        moved = []
        monkeypatch.setattr(_writing.Path, "replace", lambda *paths: moved.append(paths))
        self.fill(tmp_path / "old", replace=True)
        assert (tmp_path / "old" / "a.txt").read_text() == "new"
        assert moved == []
        assert names(tmp_path) == ["old"]

    def test_a_link_to_itself_is_refused(self, file):
        file.symlink_to(file)
        assert refusal(InputError, write_text, file, "x") == (
            f"{file}: this link points to itself; remove it, or name another path"
        )

    def test_file_is_refused_even_when_replacing(self, file):
        file.write_text("precious")
        for replace in (False, True):
            assert refusal(InputError, self.fill, file, replace=replace) == (
                f"{file}: this is a file; choose a folder to write to"
            )
        assert file.read_text() == "precious"

    def test_usual_permissions(self, tmp_path):
        before = os.umask(0o027)
        try:
            self.fill(tmp_path / "new")
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o750

    def test_relative_path(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        self.fill("new")
        assert names(tmp_path) == ["new"]

    def test_missing_parent(self, tmp_path):
        target = tmp_path / "nowhere" / "new"
        assert refusal(NotFoundError, self.fill, target) == (
            f"{target}: the folder {target.parent} does not exist; create it first"
        )


def test_many_files_of_a_folder_are_listed_once(tmp_path, monkeypatch):
    """Each looked for leftovers among all others: a thousand files took a million looks."""
    looked = []
    listing = os.scandir
    monkeypatch.setattr(os, "scandir", lambda *paths: looked.append(paths) or listing(*paths))
    with writing_folder(tmp_path / "new") as folder:
        for number in range(20):
            write_text(folder / f"{number}.txt", "x")
    assert len(looked) < 10
    assert len(list((tmp_path / "new").iterdir())) == 20


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_a_killed_process_left_is_swept_up_before_its_parent_notices(tmp_path):
    with subprocess.Popen(["sleep", "60"]) as process:
        name = f".a.txt.{platform.node()[:20]}-{process.pid}-{'0' * 12}.partial"
        (tmp_path / name).write_text("x")
        write_text(tmp_path / "a.txt", "new")
        assert (tmp_path / name).exists()
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        write_text(tmp_path / "a.txt", "newer")
        assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
