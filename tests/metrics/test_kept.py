"""What an interrupted run has finished: whole lines, of the same data, or nothing."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.metrics._checkpoint import Checkpoint

SIGNATURE = "v1|data:3f2a0c11"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "scores.csv.partial"


def kept(path, signature=SIGNATURE, size=2):
    return Checkpoint(path, signature, size)


def test_nothing_is_written_before_the_first_column(path):
    columns = kept(path)
    assert columns.columns == {}
    assert not columns.is_stale
    assert not columns.is_unwritable
    columns.remove()
    assert not path.exists()


def test_columns_are_lines_and_read_back(path):
    columns = kept(path)
    columns.add("bleu", np.array([0.1, np.nan]))
    columns.add("rouge-2-f(stem)", np.array([1 / 3, 2e-300]))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines == [
        {"unfinished": SIGNATURE},
        {"metric": "bleu", "values": [0.1, None]},
        {"metric": "rouge-2-f(stem)", "values": [1 / 3, 2e-300]},
    ]
    again = kept(path).columns
    assert list(again) == ["bleu", "rouge-2-f(stem)"]
    assert again["rouge-2-f(stem)"].tolist() == [1 / 3, 2e-300]
    assert np.isnan(again["bleu"][1])


@given(st.lists(st.floats(allow_infinity=False), min_size=1, max_size=5))
def test_every_number_comes_back_to_the_last_bit(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("kept") / "a.partial"
    column = np.array(values)
    kept(path, size=len(values)).add("m", column)
    back = kept(path, size=len(values)).columns["m"]
    np.testing.assert_array_equal(back, column)


def test_it_goes_away_when_the_table_is_there(path):
    columns = kept(path)
    columns.add("bleu", np.zeros(2))
    columns.remove()
    assert not path.exists()


@pytest.mark.parametrize("cut", range(1, 40))
def test_half_a_line_is_forgotten_and_the_file_repaired(path, cut):
    columns = kept(path)
    columns.add("a", np.array([1.0, 2.0]))
    whole = path.read_bytes()
    columns.add("b", np.array([3.0, 4.0]))
    line = path.read_bytes()[len(whole) :]
    path.write_bytes(whole + line[: min(cut, len(line) - 2)])
    again = kept(path)
    assert list(again.columns) == ["a"]
    again.add("c", np.array([5.0, 6.0]))
    assert list(kept(path).columns) == ["a", "c"]


@pytest.mark.parametrize(
    "line",
    [
        b"[1, 2]",
        b"\xff\xfe",
        b'{"metric": "b"}',
        b'{"metric": 3, "values": [1, 2]}',
        b'{"metric": "b", "values": [1]}',
        b'{"metric": "b", "values": [1, "x"]}',
        b'{"metric": "b", "values": [1, [2]]}',
        b'{"metric": "b", "values": {"0": 1, "1": 2}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_line_is_forgotten(path, line):
    kept(path).add("a", np.array([1.0, 2.0]))
    path.write_bytes(path.read_bytes() + line + b"\n")
    assert list(kept(path).columns) == ["a"]


def test_another_run_is_seen_and_replaced_by_the_first_column(path):
    kept(path).add("a", np.zeros(2))
    before = path.read_bytes()
    other = kept(path, "v2|data:3f2a0c11")
    assert other.is_stale
    assert other.columns == {}
    assert path.read_bytes() == before
    other.add("b", np.ones(2))
    assert list(kept(path, "v2|data:3f2a0c11").columns) == ["b"]


@pytest.mark.parametrize("content", [b"", b"my notes\n", b'{"a": 1}\n', b'{"unfinished": 1}\n'])
def test_what_is_not_ours_is_left_alone(path, content):
    path.write_bytes(content)
    columns = kept(path)
    assert columns.is_unwritable
    columns.add("a", np.zeros(2))
    columns.remove()
    assert path.read_bytes() == content


def test_a_folder_in_the_way_is_left_alone(path):
    path.mkdir()
    columns = kept(path)
    assert columns.is_unwritable
    columns.add("a", np.zeros(2))
    columns.remove()
    assert path.is_dir()
