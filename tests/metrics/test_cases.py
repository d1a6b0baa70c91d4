"""What metrics score: summaries, each with what it is scored against."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from collection.refusals import refusal
from pyramidion import Collection, Summary
from pyramidion.collection import Document, Task, Topic
from pyramidion.errors import ShapeError
from pyramidion.metrics import ScoringBatch, TextSets

LISTS = st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=8)
TABLES = st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=6, max_size=6)


def lists_of(sets):
    """Return the texts of each case, as they were given."""
    return [sets[case].tolist() for case in range(len(sets))]


@given(LISTS)
def test_sets_are_what_was_given(lists):
    sets = TextSets.of_lists(lists)
    assert lists_of(sets) == lists
    assert sets.n_distinct == len({tuple(texts) for texts in lists})
    assert sets.sizes.tolist() == [len(texts) for texts in lists]


@given(LISTS)
def test_pairs_are_every_case_with_every_text(lists):
    cases, texts = TextSets.of_lists(lists).pairs()
    expected = [(case, text) for case, own in enumerate(lists) for text in own]
    assert list(zip(cases.tolist(), texts.tolist(), strict=True)) == expected


@given(LISTS, TABLES)
def test_sums_and_maxima_are_those_of_plain_python(lists, table):
    sets = TextSets.of_lists(lists)
    rows = csr_array(np.array(table, dtype=np.int64))
    summed, greatest = sets.summed(rows), sets.greatest(rows)
    assert summed.shape == greatest.shape == (sets.n_distinct, 4)
    assert summed.has_sorted_indices
    for number in range(sets.n_distinct):
        own = [table[text] for text in sets.distinct(number).tolist()]
        columns = list(zip(*own, strict=True)) if own else [(0,)] * 4
        assert summed.toarray()[number].tolist() == [sum(column) for column in columns]
        assert greatest.toarray()[number].tolist() == [max(column) for column in columns]


def test_texts_are_there_once_and_peers_find_theirs():
    cases = ScoringBatch.of_texts(["a", "b", "a"], [["b"], ["c", "a"], ["b"]])
    assert len(cases) == 3
    assert len(cases.texts) == 3
    assert [cases.texts.plain(peer) for peer in cases.peers.tolist()] == ["a", "b", "a"]
    assert cases.references.n_distinct == 2
    assert cases.documents.sizes.tolist() == cases.earlier.sizes.tolist() == [0, 0, 0]
    assert cases.names == ["summary 0", "summary 1", "summary 2"]


@pytest.mark.parametrize("what", ["references", "documents", "earlier"])
def test_lists_of_another_length_are_refused(what):
    message = refusal(ShapeError, ScoringBatch.of_texts, ["a", "b"], **{what: [["c"]]})
    assert message == (
        f"2 summaries, but 1 lists of {what}; pass one list per summary, in the same order"
    )
    message = refusal(ShapeError, ScoringBatch.of_texts, ["a"], **{what: ["c"]})
    assert message == f"{what} of summary 0 must be a list, not a text; put it in one"


TEXTS = st.sampled_from(["a", "b", "c", ("a", "b")])
PEERS_WITH_REFERENCES = st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=3)), max_size=6)


@given(PEERS_WITH_REFERENCES)
def test_compared_pairs_are_different_and_lead_back(items):
    cases = ScoringBatch.of_texts(
        [peer for peer, _ in items], [references for _, references in items]
    )
    rows, references = cases.pairs
    peers, models, places = cases.compared
    assert len({*zip(peers.tolist(), models.tolist(), strict=True)}) == len(peers)
    assert peers[places].tolist() == cases.peers[rows].tolist()
    assert models[places].tolist() == references.tolist()


@given(PEERS_WITH_REFERENCES, st.randoms(use_true_random=False))
def test_means_and_maxima_over_references(items, draw):
    cases = ScoringBatch.of_texts(
        [peer for peer, _ in items], [references for _, references in items]
    )
    values = [draw.random() for _ in cases.pairs[0]]
    means = cases.mean_over_references(np.array(values, dtype=float))
    greatest = cases.greatest_over_references(np.array(values, dtype=float))
    place = 0
    for row, (_, own) in enumerate(items):
        mine = values[place : place + len(own)]
        place += len(own)
        assert means[row] == pytest.approx(sum(mine) / len(own)) if own else np.isnan(means[row])
        assert greatest[row] == max(mine) if own else np.isnan(greatest[row])


@given(PEERS_WITH_REFERENCES, st.data())
def test_jackknifed_cases_leave_out_each_reference_in_turn(items, data):
    references = [references for _, references in items]
    cases = ScoringBatch.of_texts([peer for peer, _ in items], references, documents=references)
    size = len(items)
    chosen = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    folds = cases.jackknifed(np.array(chosen, dtype=bool))
    expected = []
    for row, own in enumerate(lists_of(cases.references)):
        if chosen[row] and len(own) > 1:
            expected += [(row, own[:k] + own[k + 1 :]) for k in range(len(own))]
        else:
            expected.append((row, own))
    observed = zip(folds.owners.tolist(), lists_of(folds.references), strict=True)
    assert list(observed) == expected
    for fold, owner in enumerate(folds.owners.tolist()):
        assert folds.peers[fold] == cases.peers[owner]
        assert folds.names[fold] == cases.names[owner]
        assert lists_of(folds.documents)[fold] == lists_of(cases.documents)[owner]
    assert folds.texts is cases.texts
    # What was computed for pairs once serves both.
    for ours, theirs in zip(cases.compared[:2], folds.compared[:2], strict=True):
        assert ours.tolist() == theirs.tolist()


def update_collection():
    """Two tasks; three people wrote for both, a fourth for the update only."""
    people = [(task, writer) for task in "AB" for writer in "XYZ"] + [("B", "W")]
    return Collection(
        "x",
        tasks=(Task("A", documents="base"), Task("B", documents="update")),
        topics=(
            Topic("T", documents=(Document("d1", "base text"), Document("d2", "new", "update"))),
        ),
        summaries=(
            *(
                Summary("T", writer, f"{writer}{task}", task, kind="human")
                for task, writer in people
            ),
            Summary("T", "7", "machine", task="A"),
            Summary("T", "7", "machine", task="B"),
            Summary("U", "7", "elsewhere", task="B"),
        ),
    )


def named(cases, sets):
    return [[cases.texts.plain(text) for text in texts] for texts in lists_of(sets)]


def test_a_collection_gives_each_summary_what_belongs_to_it():
    collection = update_collection()
    cases = ScoringBatch.of_collection(collection, collection.summaries, threads=3)
    assert cases.threads == 3
    place = {summary.key: row for row, summary in enumerate(collection.summaries)}
    references = named(cases, cases.references)
    assert references[place["A", "T", "X"]] == ["YA", "ZA"]
    assert references[place["B", "T", "7"]] == ["XB", "YB", "ZB", "WB"]
    assert references[place["B", "U", "7"]] == []
    documents = named(cases, cases.documents)
    assert documents[place["A", "T", "7"]] == ["base text"]
    assert documents[place["B", "T", "X"]] == ["new"]
    assert documents[place["B", "U", "7"]] == []
    earlier = named(cases, cases.earlier)
    assert earlier[place["A", "T", "X"]] == []
    assert earlier[place["B", "T", "7"]] == ["XA", "YA", "ZA"]
    # A person is not compared with what the same person wrote before.
    assert earlier[place["B", "T", "X"]] == ["YA", "ZA"]
    assert earlier[place["B", "T", "W"]] == ["XA", "YA", "ZA"]


def test_folds_leave_out_a_writer_altogether():
    collection = update_collection()
    machine = [s for s in collection.summaries if s.key == ("B", "T", "7")]
    folds = ScoringBatch.of_collection(collection, machine).jackknifed(np.array([True]))
    assert named(folds, folds.references) == [
        ["YB", "ZB", "WB"], ["XB", "ZB", "WB"], ["XB", "YB", "WB"], ["XB", "YB", "ZB"],
    ]  # fmt: skip
    assert named(folds, folds.earlier) == [
        ["YA", "ZA"], ["XA", "ZA"], ["XA", "YA"], ["XA", "YA", "ZA"],
    ]  # fmt: skip


def test_the_only_earlier_reference_stays():
    collection = update_collection()
    kept = tuple(s for s in collection.summaries if s.key not in {("A", "T", "Y"), ("A", "T", "Z")})
    collection = Collection("x", tasks=collection.tasks, summaries=kept)
    machine = [s for s in kept if s.key == ("B", "T", "7")]
    folds = ScoringBatch.of_collection(collection, machine).jackknifed(np.array([True]))
    assert named(folds, folds.earlier) == [["XA"]] * 4


def test_earlier_references_can_take_the_place_of_references():
    cases = ScoringBatch.of_texts(["a"], [["b"]], earlier=[["c", "d"]])
    assert named(cases, cases.against("earlier").references) == [["c", "d"]]
    assert cases.against("references") is cases
