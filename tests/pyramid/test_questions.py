"""The questions about pyramids, asked in Python."""

from functools import partial

import numpy as np
import pytest

from pyramid.reliability_samples import peer_of, pyramid_of, random_membership
from pyramid.score_samples import MINE, PYRAMID
from pyramidion.collection import Collection
from pyramidion.comparison import compare, compare_by_units
from pyramidion.errors import InputError, NotFoundError
from pyramidion.pyramid import agreement, missed, optimal, score, tiers

#: Each question with its tables, its figures, and the number of rows of the first table.
ASKED = {
    "score": (score, ("scores", "systems"), (), 10),
    "tiers": (tiers, ("tiers",), ("tiers",), 10),
    "optimal": (optimal, ("optimal", "examples"), (), 2),
    "missed": (partial(missed, top=1, min_weight=1), ("missed", "missed most"), (), 28),
    "pairs": (compare_by_units, ("counts", "ranking", "pairs"), (), 1),
    "agreement": (
        lambda source: agreement(source, source, every_peer=True),
        ("units", "scores", "peers"), ("agreement",), 6,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_a_result_can_be_held(name):
    ask, table_names, chart_kinds, rows = ASKED[name]
    result = ask(MINE)
    assert result.table_names == table_names
    assert result.chart_kinds == chart_kinds
    assert len(result.to_frame()) == rows
    assert str(result).endswith(str(result.signature))
    for kind in chart_kinds:
        assert result.plot(kind).axes


@pytest.mark.parametrize("name", ASKED)
def test_a_path_and_a_collection_give_the_same(name, tmp_path):
    ask = ASKED[name][0]
    MINE.save(tmp_path / "mine")
    from_path, here = ask(tmp_path / "mine").to_dict(), ask(MINE).to_dict()
    assert from_path["results"] == here["results"]
    assert from_path["left_out"] == here["left_out"] or name == "agreement"


@pytest.mark.parametrize("name", [name for name in ASKED if name != "agreement"])
def test_a_pyramid_alone_will_do(name):
    result = ASKED[name][0](PYRAMID)
    assert "pyramid" in str(result)
    assert result.values


def test_scores_of_pyramids_are_compared():
    scores = score(MINE, references=False).to_scores()
    assert scores.select(measure="pyramid-modified").value.tolist() == [4 / 6, 2 / 6] * 2
    assert compare(scores, measures="pyramid-modified").difference == pytest.approx(1 / 3)


def test_all_missed_units_are_in_the_frame_and_the_first_in_the_table():
    result = missed(MINE, topic="T1", system="7", min_weight=1, top=1)
    assert [unit["uid"] for unit in result[0].missed_units] == ["2", "4", "5"]
    frame = result.to_frame("missed")
    assert list(frame.columns) == ["task", "topic", "system", "weight", "scu", "label"]
    assert frame["scu"].tolist() == ["2", "4", "5"]
    assert len(result.tables[0].rows) == 1


def test_annotators_are_called_as_their_collections():
    rng = np.random.default_rng(1)
    pyramid = pyramid_of(random_membership(rng, 20, 4))
    anna, bert = (
        Collection(name, peer_annotations={("", topic, "7"): peer_of(pyramid, [0, 1])})
        for name, topic in (("anna", "T1"), ("bert", "T1"))
    )
    figure = agreement(anna, bert).plot()
    assert [figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()] == ["anna", "bert"]
    with pytest.raises(InputError, match="there are no annotated peers in it"):
        agreement(anna, Collection("", pyramids={("", "T1"): pyramid}))
    more = Collection("more", peer_annotations={
        ("", topic, "7"): peer_of(pyramid, [0]) for topic in ("T1", "T2")
    })  # fmt: skip
    assert "annotated in more only: 1 (T2, 7)" in agreement(anna, more).left_out


def test_what_is_nowhere_is_refused():
    with pytest.raises(NotFoundError, match="there is no system '9' with content units"):
        score(MINE, system="9")
    with pytest.raises(InputError, match="there are no pyramids, annotated peers or answers"):
        tiers(Collection("empty"))
