"""The table of CLASSY's features."""

import numpy as np
import pytest

from pyramidion.classy._table import TrainingData, feature_groups, feature_set, feature_table
from pyramidion.collection import Collection, Summary, Task
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.metrics import ScoringBatch, parse_metric, score_cases, score_collection

# The rows of Table 5.2 of Rankel (2016), from top to bottom.
ROWS = (
    "R2",
    "SU4",
    "Coverage",
    "Bigrams",
    "Bigrams P2P",
    "Coverage P2P",
    "log2(1+Term Overlap)",
    "Norm Term Overlap",
    "Redundant 1",
    "Redundant 2",
    "Term Entropy",
    "-log2(sent length)",
    "Neg Sent Entropy",
)

PEOPLE = {
    "X": "Heavy rain closed roads. Schools stayed shut.",
    "Y": "Rain closed many roads. Two rivers rose.",
    "Z": "Floods closed roads and schools.",
}
LATER = {
    "X": "The rain stopped. Roads opened again.",
    "Y": "Schools opened again after the rain.",
    "Z": "The rivers fell. Schools opened.",
}
TASKS = (Task("A", documents="base"), Task("B", documents="update"))


def collection():
    summaries = [Summary("T", who, text, task="A", kind="human") for who, text in PEOPLE.items()]
    summaries += [Summary("T", who, text, task="B", kind="human") for who, text in LATER.items()]
    summaries += [Summary("T", "1", "Rain closed roads. Schools opened.", task=t) for t in "AB"]
    return Collection("mine", tasks=TASKS, summaries=tuple(summaries))


def row(table, system):
    return table.features[[summary.system for summary in table.summaries].index(system)]


def test_groups_are_the_rows_of_the_table():
    assert tuple(group.title for group in feature_groups(False)) == ROWS
    assert tuple(group.title for group in feature_groups(True)) == ROWS
    assert [len(group.metrics) for group in feature_groups(False)] == [1] * 13
    assert [len(group.metrics) for group in feature_groups(True)] == [2] * 6 + [1] * 7


def test_columns_read_back():
    for update in (False, True):
        for exact in (False, True):
            for group in feature_groups(update, exact=exact):
                assert tuple(map(parse_metric, group.columns)) == group.metrics


def test_an_updates_pair_is_earlier_first():
    for group in feature_groups(True)[:6]:
        earlier, own = group.metrics
        assert earlier.requirements == {"earlier references"}, group.name
        assert own.requirements == {"references"}, group.name


def test_exact_changes_rouge_alone():
    usual, exact = feature_groups(False), feature_groups(False, exact=True)
    assert [group.columns for group in exact[:2]] == [("rouge-max-2",), ("rouge-max-su4",)]
    assert exact[2:] == usual[2:]


@pytest.mark.parametrize(("task", "columns"), [("A", 13), ("B", 19)])
def test_all_peers(task, columns):
    table = feature_table(collection(), task=task)
    assert [summary.system for summary in table.summaries] == ["X", "Y", "Z", "1"]
    assert {summary.task for summary in table.summaries} == {task}
    assert table.features.shape == (4, columns)
    assert table.complete.all()
    assert table.left_out == ()
    expected = score_collection(
        collection(), [*map(parse_metric, table.feature_names)], jackknife=True
    )
    chosen = [summary.task == task for summary in expected.summaries]
    assert np.array_equal(table.features, expected.values[chosen])


def test_machines_face_as_many_references_as_people():
    table = feature_table(collection(), task="A")
    metric, machine = parse_metric("bigram-p2p"), "Rain closed roads. Schools opened."
    folds = [[text for who, text in PEOPLE.items() if who != left_out] for left_out in PEOPLE]
    each = score_cases(metric, ScoringBatch.of_texts([machine] * 3, folds))
    assert row(table, "1")[table.feature_names.index("bigram-p2p")] == pytest.approx(each.mean())
    others = score_cases(metric, ScoringBatch.of_texts([PEOPLE["X"]], [[PEOPLE["Y"], PEOPLE["Z"]]]))
    assert row(table, "X")[table.feature_names.index("bigram-p2p")] == pytest.approx(others)


def test_no_models():
    table = feature_table(collection(), task="B", peers="no-models")
    assert [summary.system for summary in table.summaries] == ["1"]
    machine = "Rain closed roads. Schools opened."
    cases = ScoringBatch.of_texts([machine], [[*LATER.values()]], earlier=[[*PEOPLE.values()]])
    expected = [score_cases(parse_metric(column), cases)[0] for column in table.feature_names]
    assert table.features[0] == pytest.approx(expected)


def test_without_earlier_references_an_update_cannot_be_scored():
    lacking = tuple(s for s in collection().summaries if s.task == "B")
    with pytest.raises(InputError, match="needs earlier references"):
        feature_table(Collection("mine", tasks=TASKS, summaries=lacking), task="B")


def test_columns_and_groups():
    table = feature_table(collection(), task="B", peers="no-models")
    assert table.group_of.tolist() == [*np.repeat(np.arange(6), 2).tolist(), *range(6, 13)]


def test_other_sets():
    nouveau = feature_set("nouveau", update=True)
    assert nouveau[0].columns == ("rouge-2-r(stem,against=earlier)", "rouge-2-r(stem)")
    assert (len(feature_set("rose")), len(feature_set("family"))) == (8, 65)


def test_rows():
    table = feature_table(collection(), task="A")
    for rows in (np.array([False, True, False, True]), [1, 3]):
        some = table.rows(rows)
        assert isinstance(some, TrainingData)
        assert [summary.system for summary in some.summaries] == ["Y", "1"]
        assert np.array_equal(some.features, table.features[[1, 3]])


def test_what_is_undefined_is_reported():
    summaries = (*collection().summaries, Summary("T", "2", "", task="A"))
    table = feature_table(Collection("mine", tasks=TASKS, summaries=summaries), task="A")
    assert table.complete.tolist() == [True, True, True, True, False]
    assert row(table, "2")[:6].tolist() == [0] * 6
    assert np.isnan(row(table, "2")[6:]).all()
    [line] = table.left_out
    assert line.startswith("term-overlap, term-overlap-normalized, redundancy-1, ... of 1 summary")


def test_known_columns_are_taken_and_progress_is_reported():
    reported = []
    known = {"rouge-2-r(stem)": np.array([7.0])}
    table = feature_table(
        collection(),
        task="A",
        peers="no-models",
        computed=known,
        progress=lambda name, column, left: reported.append((name, left)),
    )
    assert table.features[0, 0] == 7
    assert reported[0] == ("rouge-2-r(stem)", 12)
    assert reported[-1] == ("neg-sentence-entropy", 0)


def test_bad_input():
    with pytest.raises(InputError, match="has summaries of 2 tasks; choose a task: A, B"):
        feature_table(collection())
    with pytest.raises(InputError, match="has summaries of 0 tasks; add summaries"):
        feature_table(Collection("empty"))
    with pytest.raises(InputError, match="no summary for task C; available tasks: A, B"):
        feature_table(collection(), task="C")
    with pytest.raises(InputError, match="no summary by a machine for task A"):
        feature_table(load_demo(), task="A", peers="no-models")


def test_demo():
    initial, update = (feature_table(load_demo(), task=task) for task in "AB")
    assert (initial.features.shape, update.features.shape) == ((24, 13), (24, 19))
    assert initial.complete.all()
    assert update.complete.all()
    # What was known before is said again less than what is new.
    for group in update.groups[:6]:
        earlier, own = update.features[
            :, [update.feature_names.index(column) for column in group.columns]
        ].mean(axis=0)
        assert earlier < own, group.name


def test_no_feature_is_another_one_again():
    values = feature_table(load_demo(), task="A").features
    assert np.linalg.matrix_rank(values - values.mean(axis=0)) == 13
