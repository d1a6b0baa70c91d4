import io
import subprocess
import sys

import pandas
import polars
import pytest
from hypothesis import given

from collection.refusals import refusal
from collection.strategies import scores
from pyramidion.collection import Judgment, Scores, scores_from_frame, scores_to_frame
from pyramidion.errors import InputError

CSV = """task,topic,system,kind,measure,assessor,value
,T1,7,machine,responsiveness,1,4
,T1,A,human,rouge-2-r,,0.25
"""
ROWS = [
    Judgment("T1", "7", "responsiveness", 4.0, assessor="1"),
    Judgment("T1", "A", "rouge-2-r", 0.25, kind="human"),
]


@pytest.mark.parametrize("backend", ["pandas", "polars"])
@given(scores=scores())
def test_round_trip(backend, scores):
    frame = scores_to_frame(scores, backend=backend)
    assert tuple(frame.columns) == scores.used_columns
    assert scores_from_frame(frame) == scores


@pytest.mark.parametrize("library", [pandas, polars])
def test_frame_as_the_library_reads_a_file(library):
    # Both make numbers of ids; pandas also makes NaN of what is empty and 1.0 of the 1 beside it.
    assert list(scores_from_frame(library.read_csv(io.StringIO(CSV)))) == ROWS


def test_types_of_columns():
    frame = scores_to_frame(Scores.from_judgments(ROWS))
    assert isinstance(frame, polars.DataFrame)
    assert frame.schema["topic"] == polars.String
    assert frame.schema["value"] == polars.Float64
    assert scores_to_frame(Scores({}, [])).schema == frame.schema


def test_missing_values_of_pandas():
    frame = pandas.DataFrame(
        {
            "topic": ["T1", "T1"],
            "system": ["7", "8"],
            "kind": "machine",
            "measure": pandas.Categorical(["m", "m"]),
            "assessor": pandas.array([3, pandas.NA], dtype="Int64"),
            "time": pandas.to_datetime([None, "2009-01-02 10:00"]),
            "value": [1, 2],
        }
    )
    scores = scores_from_frame(frame)
    assert list(scores.columns["assessor"]) == ["3", ""]
    assert list(scores.columns["time"]) == ["", "2009-01-02T10:00:00"]


def test_further_columns_are_passed_over():
    frame = pandas.read_csv(io.StringIO(CSV)).assign(note="x")
    assert list(scores_from_frame(frame)) == ROWS


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([1.0, float("inf")], "row 2: `value` is inf; leave out rows without a value"),
        (
            ["1", "good"],
            "row 2: `value` is 'good', not a number; write a number, or leave the row out",
        ),
        (
            [True, False],
            "row 1: `value` is True, not a number; write a number, or leave the row out",
        ),
    ],
)
@pytest.mark.parametrize("library", [pandas, polars])
def test_bad_values(library, value, message):
    columns = {
        "topic": ["T", "T"],
        "system": ["7", "8"],
        "kind": ["human"] * 2,
        "measure": ["m"] * 2,
    }
    frame = library.DataFrame({**columns, "value": value})
    assert refusal(InputError, scores_from_frame, frame) == message


def test_missing_column():
    frame = polars.read_csv(io.StringIO(CSV)).drop("topic")
    assert refusal(InputError, scores_from_frame, frame) == (
        "no column of topics is recognized; the columns are: task, system, kind, measure, "
        "assessor, value; name it: Collection.from_frame(frame, columns="
        '{"topic": ..., "system": ..., "text": ...})'
    )


def test_values_without_a_measure_are_scores():
    frame = pandas.read_csv(io.StringIO(CSV)).drop(columns="measure")
    assert scores_from_frame(frame).measures == ("score",)


def test_systems_that_are_numbers():
    frame = pandas.DataFrame([[1, 2], [3, 4]], columns=[7, 8])
    assert list(scores_from_frame(frame).columns["system"]) == ["7", "7", "8", "8"]


def test_a_wide_frame_needs_topics_next_to_its_systems():
    frame = pandas.DataFrame({"place": ["T1"], "system": ["7"], "rouge-2": [0.1]})
    assert "no column of topics is recognized; the columns are: place, system, rouge-2" in refusal(
        InputError, scores_from_frame, frame
    )


@pytest.mark.parametrize("library", [pandas, polars])
def test_missing_scores_have_no_row(library):
    frame = library.DataFrame(
        {"topic": ["T1", "T2"], "system": ["7", "7"], "measure": ["m", "m"], "value": [1.0, None]}
    )
    assert [score.topic for score in scores_from_frame(frame)] == ["T1"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"topic": [1, 1], "who": ["a", "b"], "m": [0.1, 0.2]}, "no column of summaries or scores"),
        ({"topic": [1, 1], "a": [0.1, 0.2], "b": [0.3, 0.4]}, "two scores (0.1 and 0.2) of score"),
        ({"n": [1, 2, 3], "a": [0.1, 0.2, 0.3]}, "the column 'n' numbers the rows; call it topic"),
        ({"place": ["x"], "model": ["a"], "score": ["b"]}, "no column of topics is recognized"),
    ],
)
@pytest.mark.parametrize("library", [pandas, polars])
def test_a_wide_frame_that_may_mean_something_else_is_refused(library, columns, message):
    assert message in refusal(InputError, scores_from_frame, library.DataFrame(columns))


def test_numbers_that_pandas_does_not_take_for_numbers_are_numbers():
    frame = pandas.DataFrame({"a": [0.1, 0.2], "b": pandas.Series([0.3, None], dtype=object)})
    assert [(score.system, score.value) for score in scores_from_frame(frame)] == [
        ("a", 0.1),
        ("a", 0.2),
        ("b", 0.3),
    ]


def test_usual_names_of_columns_are_recognized():
    frame = pandas.DataFrame({"id": [1, 1], "model": ["a", "b"], "bleu": [0.1, 0.2]})
    assert [
        (row.topic, row.system, row.measure, row.value) for row in scores_from_frame(frame)
    ] == [
        ("1", "a", "bleu", 0.1),
        ("1", "b", "bleu", 0.2),
    ]


def test_ids_in_the_index_are_columns():
    frame = pandas.DataFrame({"topic": ["T1", "T2"], "system": ["7", "7"], "m": [0.1, 0.2]})
    indexed = frame.set_index(["topic", "system"])
    assert list(scores_from_frame(indexed)) == list(scores_from_frame(frame))


def test_several_levels_of_columns_are_refused():
    columns = pandas.MultiIndex.from_product([["m", "n"], ["7", "8"]])
    frame = pandas.DataFrame([[0.1, 0.2, 0.3, 0.4]], columns=columns)
    assert "several column levels" in refusal(InputError, scores_from_frame, frame)


def test_half_numbers_are_no_ids():
    frame = polars.read_csv(io.StringIO(CSV)).with_columns(system=polars.lit(7.5))
    assert refusal(InputError, scores_from_frame, frame) == (
        "row 1: `system` is 7.5, not text; write it as text"
    )


@pytest.mark.parametrize(
    "frame",
    [
        polars.read_csv(io.StringIO(CSV)).lazy(),
        pandas.Series([1]),
        pandas.DataFrame([[1, 2]], columns=["topic", "topic"]),
    ],
    ids=["lazy", "series", "repeated column"],
)
def test_values_that_are_not_data_frames(frame):
    message = refusal(InputError, scores_from_frame, frame)
    assert message.startswith("this is not a data frame (")
    assert message.endswith("); pass a pandas or polars DataFrame, collected if it is lazy")


WITHOUT = """
import sys
sys.modules[{backend!r}] = None
from pyramidion.collection import Scores, scores_to_frame
from pyramidion.errors import PyramidionError
try:
    scores_to_frame(Scores({{}}, []), backend={backend!r})
except PyramidionError as error:
    print(type(error).__name__, error, sep=": ")
"""


@pytest.mark.parametrize(
    ("backend", "message"),
    [
        (
            "polars",
            "MissingExtraError: a data frame needs an optional dependency; "
            'run: pip install "pyramidion[frames]"',
        ),
        ("pandas", "InputError: pandas is not installed; run: pip install pandas"),
        ("pyarrow", "InputError: pyarrow is not installed; run: pip install pyarrow"),
    ],
)
def test_library_that_is_not_installed(backend, message):
    program = [sys.executable, "-c", WITHOUT.format(backend=backend)]
    answer = subprocess.run(program, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == message
