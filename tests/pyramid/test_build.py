"""Pyramids built from references alone: their rules, and their likeness to those made by hand."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.checks import find_problems
from pyramidion.collection import Collection, Summary
from pyramidion.collection.formats.ducview.files import read_pyramid, write_pyramid
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.pyramid import build_pyramid, score_reference
from pyramidion.pyramid._auto.build import group_segments, segment_similarity
from pyramidion.pyramid.similarity import Wordings, default_similarity
from pyramidion.stats import pearson

WORDS = ["ice", "melts", "melted", "the", "ferry", "burned", "10", "people", "died", ",", "."]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=25).map(lambda w: f"It {' '.join(w)}")
REFERENCES = {
    "A": "The ferry caught fire in the strait, and ten people died. No alarm rang.",
    "B": "Ten people died when the ferry burned. The captain was questioned for six hours.",
    "C": "An alarm never rang, as all passengers said.",
}


class TestRules:
    def test_what_several_say_weighs_more(self):
        pyramid = build_pyramid(REFERENCES)
        heaviest = pyramid.scus[0]
        assert pyramid.weight(heaviest) == 2
        assert pyramid.weights.tolist() == sorted(pyramid.weights.tolist(), reverse=True)
        together = {tuple(c.label for c in scu.contributors) for scu in pyramid.scus}
        assert ("ten people died", "Ten people died") in together
        assert ("No alarm rang", "An alarm never rang, as all passengers said") in together

    @given(st.lists(TEXTS, min_size=1, max_size=4))
    def test_the_pyramid_passes_the_checks(self, texts):
        references = {f"R{number}": text for number, text in enumerate(texts)}
        if not any(word in text for text in texts for word in WORDS if word not in "the,."):
            return
        pyramid = build_pyramid(references)
        summaries = tuple(Summary("T", name, text) for name, text in references.items())
        collection = Collection("mine", summaries=summaries, pyramids={("", "T"): pyramid})
        about = [p for p in find_problems(collection) if "pyramid" in p.subject]
        assert about == []
        parts = [p for scu in pyramid.scus for c in scu.contributors for p in c.parts]
        assert all(pyramid.text[part.start : part.end] == part.label for part in parts)
        # A statement may repeat the subject of another one, but not all of it.
        contributors = [c.parts for scu in pyramid.scus for c in scu.contributors]
        assert len(set(contributors)) == len(contributors)

    @given(TEXTS.filter(lambda text: "ice" in text), st.integers(2, 4))
    def test_equal_references_agree_in_everything(self, text, number):
        pyramid = build_pyramid({f"R{n}": text for n in range(number)})
        assert set(pyramid.weights.tolist()) == {number}

    def test_is_written_and_read_like_one_made_by_hand(self, tmp_path):
        pyramid = build_pyramid(REFERENCES)
        write_pyramid(pyramid, tmp_path / "T.pyr")
        assert read_pyramid(tmp_path / "T.pyr").scus == pyramid.scus

    def test_the_label_is_the_most_central_contributor(self):
        pyramid = build_pyramid(
            {"A": "Ten people died.", "B": "Ten people died there.", "C": "Nobody but ten died."}
        )
        assert pyramid.scus[0].label == "Ten people died"

    @pytest.mark.parametrize("references", [{}, {"A": ""}, {"A": "... of the"}])
    def test_references_without_words_are_refused(self, references):
        with pytest.raises(InputError, match="the references have no words"):
            build_pyramid(references)


class TestGroups:
    @given(st.integers(1, 4), st.integers(1, 4), st.randoms(use_true_random=False))
    def test_two_references_are_paired_as_well_as_can_be(self, first, second, random):
        alike = np.array([[random.random() for _ in range(second)] for _ in range(first)])
        size = first + second
        table = np.eye(size)
        table[:first, first:], table[first:, :first] = alike, alike.T
        owners = np.repeat([0, 1], [first, second])
        groups = group_segments(table, owners, threshold=0.3)
        gains = np.maximum(alike - 0.3, 0)
        small, large = sorted((gains, gains.T), key=len)
        best = max(
            sum(small[row, column] for row, column in enumerate(chosen))
            for chosen in permutations(range(large.shape[0]), len(small))
        )
        together = groups[:first, None] == groups[first:]
        assert (gains * together).sum() == pytest.approx(best)

    @given(st.integers(2, 4), st.integers(1, 4), st.integers(0, 10_000))
    def test_no_group_has_two_segments_of_an_owner(self, owners, each, seed):
        rng = np.random.default_rng(seed)
        alike = rng.random((owners * each, owners * each))
        of_owner = np.repeat(np.arange(owners), each)
        groups = group_segments((alike + alike.T) / 2, of_owner, threshold=0.4)
        pairs = set(zip(groups.tolist(), of_owner.tolist(), strict=True))
        assert len(pairs) == len(groups)


@pytest.mark.long
class TestQuality:
    def test_references_score_much_as_by_pyramids_made_by_hand(self):
        """Within pyramids; ``make bench AREA=pyramids`` prints it with other topics' thresholds."""
        scores = []
        for by_hand in load_demo().pyramids.values():
            texts = {r.name: by_hand.text[r.start : r.end].strip() for r in by_hand.references}
            built = build_pyramid(texts)
            modified = [
                [score_reference(pyramid, name).modified for name in texts]
                for pyramid in (by_hand, built)
            ]
            scores.append(np.array(modified) - np.mean(modified, axis=1, keepdims=True))
        hand, machine = np.concatenate(scores, axis=1)
        assert pearson(hand, machine).value == pytest.approx(0.70, abs=0.05)


def test_the_share_of_weight_in_common_is_the_mean_of_both_directions():
    wordings = Wordings.of([["Ten people died"], ["Ten people were killed"], ["It rained"]])
    similar = segment_similarity(wordings, default_similarity())
    assert similar[0].round(2).tolist() == [1.0, 0.5, 0.0]


def test_a_group_has_one_segment_of_an_owner_at_most():
    alike = np.array([[1.0, 0.2, 0.9], [0.2, 1.0, 0.4], [0.9, 0.4, 1.0]])
    assert group_segments(alike, np.array([0, 0, 1]), threshold=0.3).tolist() == [0, 1, 0]
