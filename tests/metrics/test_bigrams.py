"""Coverage, unnormalized bigrams and their point to point versions."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.scored import WORDS, score, scores
from pyramidion.collection import Collection, Summary, Task
from pyramidion.errors import InputError
from pyramidion.metrics import BUILT_IN, ScoringBatch, parse_metric, score_cases, score_collection

METRICS = ("bigram-coverage", "bigram-unnormalized", "bigram-p2p", "bigram-coverage-p2p")

# Bigrams of the summary: kab lom twice, lom kab, lom rix. The first reference has the first two
# of them (twice and once), the second has lom rix, the third kab lom.
PEER = "kab lom kab lom rix"
REFERENCES = ("kab lom kab lom", "lom rix tev", "kab lom")

prose = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


@pytest.mark.parametrize(
    ("metric", "by_hand"),
    [
        ("bigram-coverage", 2 / 3 + 1 / 3 + 1 / 3),
        ("bigram-unnormalized", (3 + 1 + 1) / 3),
        ("bigram-unnormalized(models=sum)", 3 + 1 + 1),
        ("bigram-coverage(models=best)", 2),
        ("bigram-coverage-p2p", 2),
        ("bigram-p2p", 3),
        ("bigram-coverage-p2p(models=average)", (2 + 1 + 1) / 3),
        ("bigram-p2p(models=average)", (3 + 1 + 1) / 3),
    ],
)
def test_worked_example(metric, by_hand):
    assert score(metric, PEER, REFERENCES) == pytest.approx(by_hand)


def test_sum_is_what_rouge_2_divides():
    bigrams = 3 + 2 + 1
    recall = score("rouge-2-r(stem)", PEER, REFERENCES)
    matches = score("bigram-unnormalized(models=sum)", PEER, REFERENCES)
    assert matches == pytest.approx(bigrams * recall)


def test_bigrams_run_over_the_ends_of_sentences_and_are_stemmed():
    peer, reference = ("It rained.", "Roads closed."), "raining road"
    assert score("bigram-coverage", peer, [reference]) == 1
    assert score("bigram-coverage(stem=off)", peer, [reference]) == 0


def test_stop_words_count_by_default():
    assert score("bigram-coverage", "kab it was", ["it was lom"]) == 1
    assert score("bigram-coverage(stop_words)", "kab it was lom", ["kab was it lom"]) == 1


@pytest.mark.parametrize("metric", [*METRICS, "rouge-max-2"])
def test_other_scripts_need_the_other_tokenizer(metric):
    assert score(metric, "東京の夏", ["東京の冬"]) == 0
    assert score(f"{metric}(tokenizer=unicode)", "東京の夏", ["東京の冬"]) > 0


@pytest.mark.parametrize("metric", METRICS)
def test_degenerate_texts(metric):
    assert np.isnan(score(metric, PEER))
    assert score(metric, "", REFERENCES) == 0
    assert score(metric, "kab", REFERENCES) == 0
    assert score(metric, PEER, ["kab"]) == 0


@given(prose, st.lists(prose, min_size=1, max_size=4), st.randoms())
def test_order_of_references_changes_nothing(peer, references, random):
    mixed = random.sample(references, len(references))
    for metric in METRICS:
        expected = score(metric, peer, references)
        assert score(metric, peer, mixed) == pytest.approx(expected), metric


@given(st.lists(st.tuples(prose, st.lists(prose, max_size=4)), min_size=1, max_size=4))
def test_brute_force(given_cases):
    cases = ScoringBatch.of_texts(
        [peer for peer, _ in given_cases], [references for _, references in given_cases]
    )
    for metric, plain in PLAIN.items():
        expected = [
            plain(peer, references) if references else np.nan for peer, references in given_cases
        ]
        assert scores(metric, cases) == pytest.approx(expected, nan_ok=True), metric


@given(prose, st.lists(prose, min_size=1, max_size=4))
def test_mean_over_references_would_be_coverage_again(peer, references):
    average = score("bigram-coverage-p2p(models=average)", peer, references)
    assert average == pytest.approx(score("bigram-coverage", peer, references))
    average = score("bigram-p2p(models=average)", peer, references)
    assert average == pytest.approx(score("bigram-unnormalized", peer, references))


AGAINST = tuple(
    name
    for kind in BUILT_IN
    for name in kind.names()
    if "earlier" in str(kind.__dataclass_fields__.get("against", ""))
)


def test_which_metrics_can_be_compared_with_earlier_references():
    assert {*METRICS, "rouge-max-2", "rouge-max-su4"} <= set(AGAINST)
    assert any(name.startswith("rouge-2") for name in AGAINST)


@pytest.mark.parametrize("metric", [*METRICS, "rouge-max-2", "rouge-2-r", "rouge-su4-r", "rouge-l"])
def test_earlier_references_stand_in_for_references(metric):
    earlier = f"{metric}(against=earlier)"
    assert parse_metric(earlier).requirements == {"earlier references"}
    assert parse_metric(metric).requirements == {"references"}
    observed = score(earlier, PEER, ["zun"], earlier=REFERENCES)
    assert observed == pytest.approx(score(metric, PEER, REFERENCES))
    assert np.isnan(score(earlier, PEER, REFERENCES))


def update_collection():
    tasks = (Task("A", documents="base"), Task("B", documents="update"))
    people = {"X": REFERENCES[0], "Y": REFERENCES[1], "Z": REFERENCES[2]}
    summaries = [Summary("T", who, text, task="A", kind="human") for who, text in people.items()]
    summaries += [Summary("T", who, "zun", task="B", kind="human") for who in people]
    summaries += [Summary("T", "1", PEER, task="B")]
    return Collection("mine", tasks=tasks, summaries=tuple(summaries))


def test_machines_are_averaged_over_earlier_references_as_over_others():
    metric = parse_metric("bigram-p2p(against=earlier)")
    result = score_collection(update_collection(), [metric], jackknife=True)
    values = {s.key: value for s, [value] in zip(result.summaries, result.values, strict=True)}
    # Without X the best has 1, without Y or Z it is X with 3.
    assert values["B", "T", "1"] == pytest.approx((1 + 3 + 3) / 3)
    assert np.isnan(values["A", "T", "X"])


def test_earlier_references_must_be_there():
    collection = Collection("mine", summaries=update_collection().summaries)
    with pytest.raises(InputError, match="needs earlier references, and no summary"):
        score_collection(collection, [parse_metric("bigram-coverage(against=earlier)")])
    with pytest.raises(InputError, match="against is 'nobody'; give references or earlier"):
        parse_metric("bigram-coverage(against=nobody)")
    with pytest.raises(InputError, match="models is 'worst'; give average or best or sum"):
        parse_metric("bigram-p2p(models=worst)")


def test_jackknifed_maximum_is_the_mean_of_maxima():
    cases = ScoringBatch.of_texts([PEER], [list(REFERENCES)])
    folds = cases.jackknifed(np.array([True]))
    assert score_cases(parse_metric("bigram-coverage-p2p"), cases, folds) == pytest.approx(5 / 3)
    assert score_cases(parse_metric("bigram-coverage"), cases, folds) == pytest.approx(4 / 3)


def bigrams(text):
    return Counter(pairwise(text.split()))


def hits(peer, reference):
    return (bigrams(peer) & bigrams(reference)).total()


def different(peer, reference):
    return len(bigrams(peer).keys() & bigrams(reference).keys())


def coverage(peer, references):
    having = (sum(pair in bigrams(reference) for reference in references) for pair in bigrams(peer))
    return sum(number / len(references) for number in having)


PLAIN = {
    "bigram-coverage": coverage,
    "bigram-unnormalized": lambda peer, own: sum(hits(peer, each) for each in own) / len(own),
    "bigram-p2p": lambda peer, own: max(hits(peer, each) for each in own),
    "bigram-coverage-p2p": lambda peer, own: max(different(peer, each) for each in own),
}
