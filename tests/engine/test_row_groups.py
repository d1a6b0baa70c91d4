"""Parquet files are cut at their row groups, whatever their footers say."""

import random
from itertools import accumulate, pairwise

import polars as pl
import pytest

from pyramidion import score
from pyramidion.cli.runtime import run
from pyramidion.engine import Cores, _row_groups, pieces
from pyramidion.errors import InputError

ROWS = [
    {"topic": f"T{n // 2}", "system": "AB"[n % 2],
     "peer": f"Rain fell on river{n // 2}, up {n * n} cm.",
     "references": [f"Rain fell on the river{n // 2}.", f"Town{n // 2} had rain."]}
    for n in range(100)
]  # fmt: skip


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    monkeypatch.setattr(Cores, "map", lambda _, function, tasks: map(function, tasks))


@pytest.fixture
def cut(monkeypatch):
    """Cut a file into pieces with this share of its bytes, and return their bounds."""

    def bounds(path, share):
        monkeypatch.setattr(pieces, "_MIN_PIECE_BYTES", 4 * share * path.stat().st_size)
        return [(piece.start, piece.stop) for piece in pieces.cut_file(str(path))]

    return bounds


def saved(tmp_path, rows=ROWS, **options):
    path = tmp_path / "all.parquet"
    pl.DataFrame(rows).write_parquet(path, compression="uncompressed", **options)
    return path


@pytest.mark.parametrize("size", [1, 7, 30, 50, 99])
def test_each_group_is_a_piece(tmp_path, cut, size):
    expected = [(start, min(start + size, 100)) for start in range(0, 100, size)]
    assert cut(saved(tmp_path, row_group_size=size), size / 200) == expected


@pytest.mark.parametrize(("rows", "size"), [(100, 7), (3, 100), (100, 100), (0, 5)])
def test_pieces_begin_with_groups_that_arrow_reports(tmp_path, cut, rows, size):
    arrow = pytest.importorskip("pyarrow", reason="needs Arrow: pip install pyarrow")
    from pyarrow.parquet import read_metadata, write_table

    schema, path = arrow.Table.from_pylist(ROWS).schema, tmp_path / "all.parquet"
    write_table(arrow.Table.from_pylist(ROWS[:rows], schema=schema), path, row_group_size=size)
    metadata = read_metadata(path)
    sizes = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    ends = list(accumulate(sizes)) or [0]
    assert cut(path, size / 200) == list(pairwise([0, *ends]))


def test_small_groups_are_joined_and_only_a_huge_one_is_cut(tmp_path, cut):
    huge = range(50, 60)
    more = {n: "".join(f" Day {n}-{day} had rain." for day in range(300)) for n in huge}
    rows = [row | {"peer": row["peer"] + more.get(n, "")} for n, row in enumerate(ROWS)]
    path = saved(tmp_path, rows, row_group_size=10)
    # Most of the bytes are in the huge group.
    ranges = cut(path, 0.1)
    assert [start for start, _ in ranges] == [0, *(stop for _, stop in ranges[:-1])]
    assert ranges[-1][1] == 100
    assert ranges[0] == (0, 50)
    assert sum(start % 10 > 0 for start, _ in ranges) > 4
    assert all(start in huge for start, _ in ranges if start % 10)
    usual, parallel = (
        score(path, metrics="rouge-1", engine=name) for name in ("in-process", "cores")
    )
    assert usual.to_json() == parallel.to_json()


def test_one_huge_group_is_shared_out_evenly(tmp_path, cut):
    assert cut(saved(tmp_path), 0.2) == [(n, n + 20) for n in range(0, 100, 20)]


def test_a_group_a_few_times_the_size_of_a_piece_is_not_cut(tmp_path, cut):
    assert cut(saved(tmp_path), 0.26) == [(0, 100)]


def test_a_footer_with_too_many_values_gives_slices_of_rows(tmp_path, cut, monkeypatch):
    path = saved(tmp_path, row_group_size=7)
    usual = score(path, metrics="rouge-1").to_json()
    monkeypatch.setattr(_row_groups, "_MAX_FOOTER_VALUES", 50)
    assert cut(path, 0.2) == [(n, n + 20) for n in range(0, 100, 20)]
    assert score(path, metrics="rouge-1", engine="cores").to_json() == usual


def test_a_damaged_footer_never_loses_rows(tmp_path, cut):
    path = saved(tmp_path, row_group_size=7)
    data = path.read_bytes()
    generator = random.Random(35)
    length = int.from_bytes(data[-8:-4], "little")
    heights = []
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(generator.randint(1, 3)):
            position = generator.randrange(len(data) - 8 - length, len(data) - 4)
            damaged[position] = generator.randrange(256)
        path.write_bytes(damaged)
        try:
            ranges = cut(path, 0.1)
        except InputError:
            heights.append(None)
            continue
        heights.append(pl.scan_parquet(path).select(pl.len()).collect().item())
        assert [start for start, _ in ranges] == [0, *(stop for _, stop in ranges[:-1])]
        assert ranges[-1][1] == heights[-1]
    assert 0 < heights.count(None) < 150


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-200], "this is not a readable Parquet file"),
        (lambda data: data[:-8] + b"\xff" * 4 + b"PAR1", "this is not a readable Parquet file"),
        (lambda data: data[:-600] + bytes(592) + data[-8:], "this is not a readable Parquet file"),
        # Files with encrypted footers begin and end with this mark (Parquet's Encryption.md).
        (lambda data: b"PARE" + data[4:-4] + b"PARE", "this Parquet file is encrypted; write it"),
    ],
    ids=["truncated", "length", "zeros", "encrypted"],
)
@pytest.mark.parametrize("engine", [(), ("--engine", "cores")])
def test_a_damaged_file_is_refused_in_one_line(tmp_path, capsys, engine, damage, message):
    path = saved(tmp_path, row_group_size=7)
    path.write_bytes(damage(path.read_bytes()))
    assert run(["score", str(path), "-m", "rouge-1", *engine]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"pyramidion: {path}: {message}")
    assert error.count("\n") == 1
