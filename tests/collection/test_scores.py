import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from collection.strategies import judgments, scores
from pyramidion.collection import Collection, Judgment, ScoreMatrix, Scores
from pyramidion.collection.formats.scores import write_scores
from pyramidion.collection.measures import SCALES
from pyramidion.errors import FormatError, InputError, NotFoundError, ShapeError

COLUMNS = ("task", "topic", "system", "kind", "measure", "assessor", "value")
TEXT_COLUMNS = tuple(Scores({}, []).columns)


def table(*rows):
    return Scores.from_judgments(Judgment(*row) for row in rows)


class TestTable:
    @given(st.lists(judgments(), max_size=5))
    def test_rows_go_in_and_come_out(self, rows):
        assert list(Scores.from_judgments(rows)) == rows

    @given(scores().flatmap(lambda s: st.tuples(st.just(s), st.permutations(range(len(s))))))
    def test_equality_does_not_ask_for_the_order(self, pair):
        whole, order = pair
        assert whole.rows(np.array(order, dtype=int)) == whole

    def test_equality_counts(self):
        row = ("T1", "7", "m", 1.0)
        assert table(row) != table(row, row)
        assert table(row) != table(("T1", "7", "m", 2.0))
        assert table(row) != "scores"

    @given(scores(), scores())
    def test_concatenation(self, first, second):
        both = Scores.concatenate([first, second])
        assert list(both) == [*first, *second]

    def test_concatenation_of_nothing(self):
        assert len(Scores.concatenate([])) == 0

    def test_absent_columns_are_empty(self):
        scores = Scores({"topic": ["T1"]}, [1])
        assert all(scores.columns[name][0] == "" for name in TEXT_COLUMNS if name != "topic")

    def test_optional_columns_are_used_when_something_is_in_them(self):
        assert Scores({"topic": ["T1"]}, [1]).used_columns == COLUMNS
        some = Scores({"topic": ["T1", "T2"], "unit": ["", "d/1"], "time": ["9", ""]}, [1, 2])
        assert some.used_columns == (*COLUMNS, "unit", "time")

    def test_numpy_text_is_text(self):
        scores = Scores(
            {"topic": np.array(["T1", "T2"]), "system": list(np.array(["a", "b"]))}, [1, 2]
        )
        assert {type(value) for name in TEXT_COLUMNS for value in scores.columns[name]} == {str}

    def test_values_are_the_tables_own(self):
        values = np.ones(1)
        scores = Scores({"topic": ["T1"]}, values)
        values[0] = 2
        assert scores.value.tolist() == [1.0]
        for column in (scores.value, scores.columns["topic"], scores.columns["task"]):
            with pytest.raises(ValueError, match="read-only"):
                column[0] = column[0]

    def test_null_characters_are_not_dropped(self):
        scores = table(("T1", "7", "m", 1), ("T1", "7", "m\x00", 2))
        assert scores.select(measure="m\x00").value.tolist() == [2]
        assert scores.select(measure="m").value.tolist() == [1]

    def test_values_come_in_natural_order(self):
        assert table(("T10", "7", "m", 1), ("T2", "7", "m", 1)).distinct("topic") == ("T2", "T10")

    def test_representation(self):
        assert repr(Scores({}, [])) == "<Scores: 0 rows, measures none>"

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
    def test_values_are_finite(self, value):
        assert refusal(InputError, Scores, {"topic": ["a", "b"]}, [1, value]) == (
            f"the value in row 2 is {value}; leave out rows without a value"
        )

    def test_unknown_column(self):
        assert refusal(FormatError, Scores, {"note": ["x"]}, [1]).startswith(
            "unknown column `note`; the columns are task, topic, system, kind, measure, assessor,"
        )

    def test_columns_of_different_lengths(self):
        assert refusal(ShapeError, Scores, {"topic": ["a"]}, [1, 2]) == (
            "column `topic` has 1 rows, the values have 2; give one for each value"
        )

    def test_values_in_two_dimensions(self):
        assert refusal(ShapeError, Scores, {}, [[1, 2]]) == (
            "the values have 2 dimensions; give a list"
        )

    @pytest.mark.parametrize("value", [7, None, 1.5, b"a"])
    def test_columns_hold_text(self, value):
        assert refusal(InputError, Scores, {"system": ["a", value]}, [1, 2]) == (
            f"column `system` holds {value!r}, not text; use text"
        )

    def test_kinds(self):
        assert refusal(InputError, Scores, {"kind": ["human", "Human"]}, [1, 2]) == (
            "`kind` is 'Human'; write human or machine"
        )


class TestQuestions:
    def test_select(self):
        scores = table(("T1", "7", "a", 1), ("T1", "8", "b", 2), ("T2", "7", "b", 3))
        assert scores.select(measure="b", topic="T2").value.tolist() == [3]
        assert len(scores.select(measure="c")) == 0

    def test_selected_rows_cannot_be_changed(self):
        scores = table(("T1", "7", "a", 1), ("T2", "7", "b", 2)).select(measure="b")
        with pytest.raises(ValueError, match="read-only"):
            scores.value[0] = 3
        with pytest.raises(ValueError, match="read-only"):
            scores.columns["topic"][0] = "T3"

    def test_require_names_what_is_there(self):
        scores = table(("T1", "7", "readability", 1), ("T1", "7", "pyramid", 1))
        scores.require("measure", "pyramid")
        assert refusal(NotFoundError, scores.require, "measure", "rouge-2") == (
            "there is no measure 'rouge-2'; available: pyramid, readability"
        )
        assert refusal(NotFoundError, scores.require, "task", "A") == (
            "there is no task 'A'; available: ''"
        )
        assert refusal(NotFoundError, Scores({}, []).require, "measure", "m") == (
            "there is no measure 'm'; available: none"
        )

    def test_repeated_keys(self):
        columns = {"topic": ["T1"] * 4, "measure": ["m"] * 4, "assessor": ["K", "L", "K", "K"]}
        assert Scores(columns, [1, 2, 3, 4]).repeated_keys() == [(0, 2), (0, 3)]

    def test_time_and_value_are_not_in_the_key(self):
        assert Scores({"topic": ["T1"] * 2, "time": ["1", "2"]}, [1, 2]).repeated_keys() == [(0, 1)]

    @pytest.mark.parametrize("column", sorted({*TEXT_COLUMNS} - {"time", "assessor_kind"}))
    def test_each_other_column_is_in_the_key(self, column):
        values = ["human", "machine"] if column == "kind" else ["x", "y"]
        assert Scores({column: values}, [1, 1]).repeated_keys() == []

    @given(scores())
    def test_no_repeated_keys(self, scores):
        assert scores.repeated_keys() == []

    def test_incomplete_rows(self):
        columns = {"topic": ["T1", ""], "system": ["7", "7"], "kind": ["machine"] * 2}
        rows = Scores({**columns, "measure": ["m", ""]}, [1, 2]).incomplete_rows()
        assert rows == [(1, "topic"), (1, "measure")]


class TestJudgmentsOfModels:
    """A language model is an assessor that is never averaged with people."""

    ROWS = (("K", "person", 3.0), ("L", "", 4.0), ("gpt", "model", 1.0))

    def scores(self, *rows):
        return Scores.from_judgments(
            Judgment("T1", "7", "fluency", value, assessor=name, assessor_kind=kind)
            for name, kind, value in rows or self.ROWS
        )

    def test_people_alone_make_the_matrix_where_there_are_any(self):
        assert ScoreMatrix.from_scores(self.scores(), "fluency").values.tolist() == [[3.5]]
        alone = self.scores(self.ROWS[2])
        assert ScoreMatrix.from_scores(alone, "fluency").values.tolist() == [[1.0]]

    def test_a_model_is_checked_as_a_metric_is(self):
        apart = Collection("", scores=self.scores().judges_apart())
        assert apart.scores.measures == ("fluency", "fluency@gpt")
        assert apart.human_measures == ("fluency",)
        assert Collection("", scores=self.scores(self.ROWS[2])).human_measures == ()

    def test_the_kind_is_written_and_read(self, tmp_path):
        write_scores(self.scores(), tmp_path / "scores.csv")
        assert Collection.load(tmp_path / "scores.csv").scores == self.scores()

    def test_the_hash_tells_models_and_nothing_else(self):
        plain, person, model = (self.scores(("K", kind, 1.0)) for kind in ("", "person", "model"))
        hashes = [Collection("", scores=scores).data_hash for scores in (plain, person, model)]
        assert hashes[0] == hashes[1] != hashes[2]

    def test_other_kinds_are_refused(self, tmp_path):
        path = tmp_path / "scores.csv"
        path.write_text("topic,system,measure,value,assessor_kind\nT1,7,m,1,robot\n")
        assert refusal(FormatError, Collection.load, path) == (
            f"{path}, line 2: `assessor_kind` is 'robot'; write person or model"
        )


class TestJudgmentsOfUnits:
    def test_relative_utility_of_sentences_by_several_judges(self):
        scores = Scores.from_judgments(
            Judgment("T1", "input", "relative-utility", value, unit=unit, assessor=judge)
            for unit, judge, value in [
                ("d1/1", "K", 10),
                ("d1/1", "L", 7),
                ("d1/2", "K", 0),
                ("d2/1", "L", 3),
            ]
        )
        assert scores.repeated_keys() == []
        assert all(map(SCALES["relative-utility"].allows, scores.value))
        assert scores.distinct("unit") == ("d1/1", "d1/2", "d2/1")
        assert scores.select(unit="d1/1").value.mean() == 8.5

    def test_coverage_of_a_models_units(self):
        scores = Scores.from_judgments(
            Judgment("D30001", "17", "coverage", value, unit=f"B/{number}", assessor="B")
            for number, value in enumerate([0, 20, 40, 60, 80, 100], start=1)
        )
        assert scores.repeated_keys() == []
        assert all(map(SCALES["coverage"].allows, scores.value))
        assert scores.used_columns == (*COLUMNS, "unit")
