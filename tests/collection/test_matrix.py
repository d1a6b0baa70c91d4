import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from collection.strategies import judgments, matrices, plain_ids
from pyramidion.collection import Judgment, ScoreMatrix, Scores
from pyramidion.errors import InputError, NotFoundError, ShapeError

NAN = float("nan")


def table(*rows, **common):
    return Scores.from_judgments(Judgment(*row, **common) for row in rows)


def matrix_of(*rows, **options):
    return ScoreMatrix.from_scores(table(*rows), "m", **options)


class TestFromScores:
    @given(matrices())
    def test_there_and_back(self, matrix):
        scores = matrix.to_scores()
        assert len(scores) == matrix.values.size - matrix.missing
        assert ScoreMatrix.from_scores(scores, matrix.measure, task=matrix.task) == matrix

    def test_missing_cells_are_nan_and_ids_in_natural_order(self):
        matrix = matrix_of(("T10", "A", "m", 3), ("T2", "7", "m", 1), ("T2", "A", "m", 2))
        assert matrix.topics == ("T2", "T10")
        assert matrix.systems == ("7", "A")
        np.testing.assert_array_equal(matrix.values, [[1, 2], [NAN, 3]])
        assert matrix.missing == 1

    def test_people_are_marked(self):
        scores = Scores.concatenate(
            [table(("T", "A", "m", 1), kind="human"), table(("T", "7", "m", 2))]
        )
        matrix = ScoreMatrix.from_scores(scores, "m")
        assert matrix.systems == ("7", "A")
        assert matrix.human.tolist() == [False, True]

    def test_conflicting_kinds_are_refused(self):
        scores = Scores.concatenate(
            [table(("T", "A", "m", 1), kind="human"), table(("T2", "A", "m", 2))]
        )
        assert refusal(ShapeError, ScoreMatrix.from_scores, scores, "m") == (
            "system 'A' is human in some rows and a machine in others; give it one kind"
        )

    def test_assessors_are_averaged_and_whoever_judged_twice_counts_once(self):
        scores = Scores(
            {
                "topic": ["T"] * 4,
                "system": ["7"] * 4,
                "kind": ["machine"] * 4,
                "measure": ["m"] * 4,
                "assessor": ["K", "K", "L", "M"],
                "occasion": ["1", "2", "", ""],
            },
            [1, 2, 4, 5],
        )
        assert ScoreMatrix.from_scores(scores, "m").values.tolist() == [[3.5]]

    def test_relative_utility_is_averaged_over_sentences_and_judges(self):
        scores = Scores.from_judgments(
            Judgment(topic, "input", "relative-utility", value, unit=unit, assessor=judge)
            for topic, unit, judge, value in [
                ("T1", "d1/1", "K", 10),
                ("T1", "d1/1", "L", 7),
                ("T1", "d1/2", "K", 1),
                ("T2", "d9/1", "K", 5),
            ]
        )
        matrix = ScoreMatrix.from_scores(scores, "relative-utility")
        assert matrix.systems == ("input",)
        assert matrix.values.tolist() == [[6.0], [5.0]]

    def test_coverage_is_averaged_over_model_units(self):
        scores = Scores.from_judgments(
            Judgment("T1", system, "coverage", value, unit=f"B/{unit}")
            for system, values in {"17": [0, 20, 100], "18": [100, 100, 80]}.items()
            for unit, value in enumerate(values, start=1)
        )
        matrix = ScoreMatrix.from_scores(scores, "coverage")
        assert matrix.values.tolist() == [[40.0, pytest.approx(280 / 3)]]

    @given(
        st.lists(judgments(plain_ids()), min_size=1, max_size=30).flatmap(
            lambda rows: st.tuples(st.just(rows), st.permutations(rows))
        )
    )
    def test_order_of_rows_makes_no_difference_to_the_bit(self, pair):
        def changed(row):
            values = row.value if abs(row.value) < 1e300 else 0.1
            return Judgment(row.topic, row.system, "m", values, assessor=row.assessor)

        first, second = (
            ScoreMatrix.from_scores(Scores.from_judgments(map(changed, rows)), "m") for rows in pair
        )
        assert first == second
        assert first.values.tobytes() == second.values.tobytes()

    def test_rounding_does_not_depend_on_the_order_of_rows(self):
        values = [0.1, 0.2, 0.3, 1e16, -1e16]
        means = {
            matrix_of(*(("T", "7", "m", value) for value in np.roll(values, shift))).values[0, 0]
            for shift in range(5)
        }
        assert len(means) == 1

    def test_unknown_measure_names_those_there_are(self):
        scores = table(("T", "7", "rouge-2-r", 1), ("T", "7", "rouge-10-r", 1))
        assert refusal(NotFoundError, ScoreMatrix.from_scores, scores, "rouge-2") == (
            "there is no measure 'rouge-2'; did you mean rouge-2-r or rouge-10-r? "
            "available: rouge-2-r, rouge-10-r"
        )

    def test_several_tasks_are_refused_with_their_names(self):
        scores = Scores.concatenate(table(("T", "7", "m", 1), task=task) for task in ("B", "A", ""))
        assert refusal(InputError, ScoreMatrix.from_scores, scores, "m") == (
            "m has scores for 3 tasks; choose one of '', A, B"
        )
        assert ScoreMatrix.from_scores(scores, "m", task="B").task == "B"
        assert ScoreMatrix.from_scores(scores, "m", task="").task == ""

    def test_one_task_needs_no_choice(self):
        scores = Scores.concatenate(
            [table(("T", "7", "m", 1), task="A"), table(("T", "7", "other", 1), task="B")]
        )
        assert ScoreMatrix.from_scores(scores, "m").task == "A"

    def test_unknown_task_and_collection(self):
        scores = table(("T", "7", "m", 1), task="A")
        assert refusal(NotFoundError, ScoreMatrix.from_scores, scores, "m", task="C") == (
            "there is no task 'C'; available: A"
        )
        assert refusal(NotFoundError, ScoreMatrix.from_scores, scores, "m", collection="9") == (
            "there is no collection '9'; available: ''"
        )

    def test_several_collections(self):
        scores = Scores.concatenate(
            table(("T10", "7", "m", value), ("T2", "7", "m", value), collection=year)
            for year, value in (("2010", 1), ("2009", 2))
        )
        matrix = ScoreMatrix.from_scores(scores, "m")
        assert matrix.topics == ("2009/T2", "2009/T10", "2010/T2", "2010/T10")
        assert matrix.values.ravel().tolist() == [2, 2, 1, 1]
        part = ScoreMatrix.from_scores(scores, "m", collection="2010")
        assert part.topics == ("T2", "T10")
        assert part.values.ravel().tolist() == [1, 1]

    def test_collections_and_topics_that_read_alike_are_not_mixed(self):
        scores = Scores.concatenate(
            [
                table(("b/c", "7", "m", 1), collection="a"),
                table(("c", "7", "m", 2), collection="a/b"),
            ]
        )
        assert refusal(ShapeError, ScoreMatrix.from_scores, scores, "m") == (
            "topic 'a/b/c' occurs twice; rename one"
        )


class TestShape:
    @pytest.mark.parametrize(
        ("values", "topics", "systems", "human", "message"),
        [
            (
                [[1, 2]], ["T1", "T2"], ["7"], None,
                "the values have shape (1, 2), the ids (2, 1); rows are topics, columns systems",
            ),
            (
                [1, 2], ["T1"], ["7", "8"], None,
                "the values have shape (2,), the ids (1, 2); rows are topics, columns systems",
            ),
            (
                [[1, 2]], ["T1"], ["7", "8"], [True],
                "1 marks of people for 2 systems; mark each system true (a person) or false",
            ),
            (
                [[1]], ["T1"], ["7"], True,
                "1 marks of people for 1 systems; mark each system true (a person) or false",
            ),
            ([[1, 2]], ["T1"], ["7", "7"], None, "system '7' occurs twice; rename one"),
            ([[1], [2]], ["T1", "T1"], ["7"], None, "topic 'T1' occurs twice; rename one"),
        ],
    )  # fmt: skip
    def test_misfits(self, values, topics, systems, human, message):
        assert refusal(ShapeError, ScoreMatrix, values, topics, systems, human) == message

    def test_infinite_scores(self):
        assert refusal(InputError, ScoreMatrix, [[np.inf]], ["T"], ["7"]) == (
            "a score is infinite; use NaN for a missing score"
        )

    def test_nobody_is_a_person_unless_said(self):
        assert ScoreMatrix([[1, 2]], ["T"], ["7", "A"]).human.tolist() == [False, False]

    def test_values_are_the_matrixs_own(self):
        values = np.ones((1, 1))
        matrix = ScoreMatrix(values, ["T"], ["7"])
        values[0, 0] = 2
        assert matrix.values.tolist() == [[1.0]]
        with pytest.raises(ValueError, match="read-only"):
            matrix.values[0, 0] = 3

    def test_equality(self):
        matrix = ScoreMatrix([[1, NAN]], ["T"], ["7", "8"], measure="m", task="A")
        assert matrix == ScoreMatrix([[1, NAN]], ["T"], ["7", "8"], measure="m", task="A")
        different = [
            ScoreMatrix([[1, 2]], ["T"], ["7", "8"], measure="m", task="A"),
            ScoreMatrix([[1, NAN]], ["U"], ["7", "8"], measure="m", task="A"),
            ScoreMatrix([[1, NAN]], ["T"], ["7", "9"], measure="m", task="A"),
            ScoreMatrix([[1, NAN]], ["T"], ["7", "8"], [True, False], measure="m", task="A"),
            ScoreMatrix([[1, NAN]], ["T"], ["7", "8"], measure="n", task="A"),
            ScoreMatrix([[1, NAN]], ["T"], ["7", "8"], measure="m", task="B"),
            "matrix",
        ]
        assert all(matrix != other for other in different)

    def test_representation(self):
        matrix = ScoreMatrix([[1, NAN]], ["T"], ["7", "A"], [False, True], measure="m")
        assert repr(matrix) == "<ScoreMatrix m: 1 topics x 2 systems (1 people), 1 missing>"


class TestParts:
    matrix = ScoreMatrix(
        [[1, 2, NAN], [3, NAN, NAN]], ["T1", "T2"], ["7", "A", "B"], [False, True, True]
    )

    def test_means_leave_out_what_is_missing(self):
        np.testing.assert_array_equal(self.matrix.means(), [2, 2, NAN])

    def test_machines(self):
        machines = self.matrix.machines()
        assert machines == ScoreMatrix([[1], [3]], ["T1", "T2"], ["7"])

    def test_take_in_the_given_order(self):
        part = self.matrix.take(topics=["T2", "T1"], systems=["B", "7"])
        assert part == ScoreMatrix([[NAN, 3], [NAN, 1]], ["T2", "T1"], ["B", "7"], [True, False])
        assert self.matrix.take() == self.matrix

    def test_take_nothing(self):
        assert self.matrix.take(systems=[]).values.shape == (2, 0)

    def test_take_keeps_the_names(self):
        named = ScoreMatrix([[1]], ["T"], ["7"], measure="m", task="A").take(topics=["T"])
        assert (named.measure, named.task) == ("m", "A")

    def test_take_what_is_not_there(self):
        assert refusal(NotFoundError, self.matrix.take, systems=["C"]) == (
            "there is no system 'C'; available: 7, A, B"
        )
        assert refusal(NotFoundError, self.matrix.take, topics=["T3"]) == (
            "there is no topic 'T3'; available: T1, T2"
        )

    def test_take_twice(self):
        assert refusal(ShapeError, self.matrix.take, systems=["7", "7"]) == (
            "system '7' occurs twice; rename one"
        )


def test_runs_are_averaged_and_the_scores_kept():
    columns = {"topic": ["T1"] * 4, "system": ["7", "7", "8", "8"], "kind": ["machine"] * 4}
    scores = Scores({**columns, "measure": ["m"] * 4, "run": list("1212")}, [1, 2, 3, 5])
    assert not scores.repeated_keys()
    matrix = ScoreMatrix.from_scores(scores, "m")
    assert matrix.values.tolist() == [[1.5, 4]]
    rows = matrix.take(systems=["8"]).rows
    assert rows is not None
    assert rows.distinct("run") == ("1", "2")
