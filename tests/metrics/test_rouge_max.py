"""ROUGE by the formula of the papers on CLASSY."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.scored import WORDS, score, scores
from pyramidion.errors import InputError, NotFoundError
from pyramidion.metrics import ScoringBatch, parse_metric

prose = st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join)
several = st.lists(prose, min_size=1, max_size=4)


def test_worked_example():
    # kab lom is once in the summary and twice in the reference, of whose three bigrams it is two.
    assert score("rouge-max-2", "kab lom", ["kab lom kab lom"]) == 1 / 2
    assert score("rouge-max-2(units=reference)", "kab lom", ["kab lom kab lom"]) == 1 / 3
    # The word kab (lom is the last) and the pair; the reference has kab twice, and the pair
    # twice side by side and once with two words in between.
    assert score("rouge-max-su0", "kab lom", ["kab lom kab lom"]) == 2 / (2 + 2)
    assert score("rouge-max-su4", "kab lom", ["kab lom kab lom"]) == 2 / (2 + 3)


def test_as_printed_one_match_is_enough():
    assert score("rouge-max-2", "kab lom zun", ["kab lom rix tev mip"]) == 1


def test_the_best_reference_counts():
    references = ["kab lom kab lom kab lom", "kab lom kab lom"]
    assert score("rouge-max-2", "kab lom", references) == 1 / 2
    statistics = parse_metric("rouge-max-2").statistics(
        ScoringBatch.of_texts(["kab lom"], [references])
    )
    assert statistics.tolist() == [[1, 2]]


@given(prose, several)
def test_over_the_references_units_it_is_rouge_with_the_best_reference(peer, references):
    for variant in ("1", "2", "3", "su4"):
        own = score(f"rouge-max-{variant}(units=reference)", peer, references)
        expected = score(f"rouge-{variant}-r(stem,models=best)", peer, references)
        assert own == pytest.approx(expected), variant


@given(st.lists(st.tuples(prose, st.lists(prose, max_size=4)), min_size=1, max_size=4))
def test_brute_force(given_cases):
    cases = ScoringBatch.of_texts(
        [peer for peer, _ in given_cases], [references for _, references in given_cases]
    )
    for variant, units in UNITS.items():
        expected = [printed(units, peer, references) for peer, references in given_cases]
        observed = scores(f"rouge-max-{variant}", cases)
        assert observed == pytest.approx(expected, nan_ok=True), variant


@given(prose, several, st.randoms())
def test_order_of_references_changes_nothing(peer, references, random):
    mixed = random.sample(references, len(references))
    assert score("rouge-max-2", peer, references) == score("rouge-max-2", peer, mixed)


def test_degenerate_texts():
    assert np.isnan(score("rouge-max-2", "kab lom"))
    assert score("rouge-max-2", "", ["kab lom"]) == 0
    assert score("rouge-max-su4", "kab", [""]) == 0


def test_names():
    assert str(parse_metric("ROUGE-max-su4".lower())) == "rouge-max-su4"
    name = "rouge-max-3(units=reference)"
    assert str(parse_metric(name)) == name
    for wrong in ("rouge-max-", "rouge-max-0", "rouge-max-l"):
        with pytest.raises(NotFoundError):
            parse_metric(wrong)
    with pytest.raises(InputError, match="units is 'both'; give summary or reference"):
        parse_metric("rouge-max-2(units=both)")


def bigrams(text):
    return Counter(pairwise(text.split()))


def words_and_pairs(text):
    words = text.split()
    pairs = ((a, b) for i, a in enumerate(words) for b in words[i + 1 : i + 6])
    return Counter(words[:-1]) + Counter(pairs)


UNITS = {"2": bigrams, "su4": words_and_pairs}


def printed(units, peer, references):
    own, best = units(peer), -1.0
    for reference in references:
        other = units(reference)
        divisor = sum(other[unit] for unit in own)
        best = max(best, (own & other).total() / divisor if divisor else 0)
    return best if references else np.nan
