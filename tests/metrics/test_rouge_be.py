"""ROUGE-BE with elements that a parser finds."""

import numpy as np
import pytest

from collection.refusals import refusal
from pyramidion.errors import InputError
from pyramidion.metrics import ScoringBatch, parse_metric
from pyramidion.metrics._basic_elements import parsed_elements
from pyramidion.rouge._basic_elements import count_basic_elements
from pyramidion.rouge.counting import Pairs
from pyramidion.text.parsing import load_parser

PEER = "The mayor closed the harbor road. The town sold the rusty ferry."
REFERENCES = ["The mayor closed the road.", "The mayor closed the broken harbor road."]


def scored(name, peer=PEER, references=REFERENCES):
    cases = ScoringBatch.of_texts([peer], [references])
    metric = parse_metric(f"{name}(pipeline=light)")
    return float(metric.score(metric.statistics(cases))[0])


def test_heads_and_modifiers_by_hand():
    elements = parsed_elements(ScoringBatch.of_texts([PEER], [REFERENCES]), load_parser("light"))
    pairs = {(e.head, e.modifier) for e in elements[1] if e.modifier != "nil"}
    assert pairs == {("close", "mayor"), ("close", "road")}
    # Of the references' 2 + 4 pairs the summary has 2 + 3, and it has 6 pairs for each of them.
    assert scored("rouge-be-hm-r") == pytest.approx(5 / 6)
    assert scored("rouge-be-hm-p") == pytest.approx(5 / 12)


@pytest.mark.parametrize("mode", ["h", "hm", "hmr", "hm1", "hmr1", "hmr2"])
def test_counts_are_those_of_files_of_elements(mode):
    cases = ScoringBatch.of_texts([PEER], [REFERENCES])
    elements = parsed_elements(cases, load_parser("light"))
    pairs = Pairs(np.array([0, 0]), np.array([1, 2]), np.array([0, 0]))
    counts = count_basic_elements(elements, pairs, mode.upper())
    model, peer, hits = (float(own.sum()) for own in counts.parts)
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


def test_nothing_to_compare_with_is_no_score():
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
