"""ROUGE-BE with elements that a parser finds."""

import numpy as np
import pytest

from collection.refusals import refusal
from pyramidion.errors import InputError
from pyramidion.metrics import ScoringBatch, parse_metric

PEER = "The mayor closed the harbor road. The town sold the rusty ferry."
REFERENCES = ["The mayor closed the road.", "The mayor closed the broken harbor road."]


def scored(name, peer=PEER, references=REFERENCES):
    cases = ScoringBatch.of_texts([peer], [references])
    metric = parse_metric(f"{name}(pipeline=light)")
    return float(metric.score(metric.statistics(cases))[0])


def test_heads_and_modifiers_by_hand():
    # The pairs of the first reference are (close, mayor) and (close, road).
    # Of the references' 2 + 4 pairs the summary has 2 + 3, and it has 6 pairs for each of them.
    assert scored("rouge-be-hm-r") == pytest.approx(5 / 6)
    assert scored("rouge-be-hm-p") == pytest.approx(5 / 12)


#: Counts of `pyramidion rouge -3` for the same elements: of the references, the summary, shared.
COUNTS = {
    "h": (8, 16, 7),
    "hm": (6, 12, 5),
    "hmr": (6, 12, 5),
    "hm1": (14, 28, 12),
    "hmr1": (6, 12, 5),
    "hmr2": (14, 28, 12),
}


@pytest.mark.parametrize(("mode", "counts"), COUNTS.items())
def test_counts_are_those_of_files_of_elements(mode, counts):
    model, peer, hits = counts
    recall, precision = hits / model, hits / peer
    assert scored(f"rouge-be-{mode}-r") == pytest.approx(recall)
    assert scored(f"rouge-be-{mode}-p") == pytest.approx(precision)
    assert scored(f"rouge-be-{mode}") == pytest.approx(
        2 * recall * precision / (recall + precision)
    )
    assert 0 < recall < 1


def test_the_same_text_has_all_and_another_none():
    assert scored("rouge-be-hmr-f", PEER, [PEER]) == 1
    assert scored("rouge-be-hm-f", PEER, ["Goats were sold at a market."]) == 0


def test_nothing_to_compare_with_is_not_a_score():
    cases = ScoringBatch.of_texts([PEER], [[]])
    values = parse_metric("rouge-be-hm(pipeline=light)").statistics(cases)
    assert np.isnan(values).all()


def test_stems_meet_where_lemmas_differ():
    cases = ScoringBatch.of_texts(["The flooding continued."], [["Floods continued."]])
    metrics = [parse_metric(f"rouge-be-h-r({own}pipeline=light)") for own in ("", "stem,")]
    plain, stemmed = (metric.score(metric.statistics(cases))[0] for metric in metrics)
    assert stemmed > plain


def test_an_unknown_mode_is_refused():
    message = refusal(InputError, parse_metric, "rouge-be-xyz")
    assert "not a mode of ROUGE-BE; try rouge-be-h" in message
