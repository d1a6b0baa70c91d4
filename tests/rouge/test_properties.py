"""What holds of ROUGE whatever the texts."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion import Rouge, kernels
from pyramidion.collection.stream import StreamItem
from pyramidion.errors import DataWarning
from pyramidion.rouge.results import score_stream
from rouge.strategies import items, reference_sets, rouges, texts

ALL = Rouge(n=(1, 2, 3), w=1.2, s=2, su=-1)
MEANS = ("average", "mean", "jackknife")
SYMMETRIC = [v.measure for v in ALL.variants if v.family in ("n", "s", "su")]
sound = rouges(exact=st.just(False))


def scores_of(rouge, peer, references):
    return rouge.score([peer], [references]).as_dict()[0]


@given(sound, items)
def test_scores_are_shares(rouge, item):
    for value in scores_of(rouge, *item).values():
        assert 0 <= value <= 1


@given(rouges(exact=st.just(True)).filter(lambda rouge: rouge.w is None), items)
def test_scores_are_shares_in_exact_mode(rouge, item):
    # ROUGE-L's recall passes 1 with a limit in bytes, ROUGE-W's with weights below 1.
    for name, value in scores_of(rouge, *item).items():
        assert 0 <= value <= 1 or (rouge.bytes and name.startswith("rouge-l"))


@given(sound.filter(lambda rouge: rouge.limit is None), texts, st.integers(1, 3))
def test_identical_texts_score_1_or_have_nothing_to_count(rouge, text, copies):
    result = rouge.score([text], [[text] * copies])
    for variant in rouge.variants:
        has_units = result.statistics[variant.measure].peer[0] > 0
        for part in "rpf":
            assert result[f"{variant.measure}-{part}"].tolist() == [1.0 if has_units else 0.0]


@given(sound.filter(lambda rouge: rouge.limit is None), texts)
def test_what_there_is_to_count(rouge, text):
    result = rouge.score([text], [[text]])
    words = Rouge(
        n=1, l=False, stop_words=rouge.stop_words, tokenizer=rouge.tokenizer
    ).score([text], [[text]]).statistics["rouge-1"].peer[0]  # fmt: skip
    for variant in rouge.variants:
        least = {"n": variant.parameter, "s": 2, "su": 2}.get(variant.family, 1)
        assert (result.statistics[variant.measure].peer[0] > 0) == (words >= int(least))


@given(texts, texts)
def test_exchanging_peer_and_reference_exchanges_recall_and_precision(peer, other):
    forth, back = scores_of(ALL, peer, [other]), scores_of(ALL, other, [peer])
    for name in SYMMETRIC:
        assert forth[f"{name}-r"] == back[f"{name}-p"]
        assert forth[f"{name}-f"] == back[f"{name}-f"]


@given(rouges(), st.sampled_from(MEANS), texts, reference_sets, st.randoms())
def test_the_order_of_references_changes_no_bit(rouge, models, peer, references, random):
    # The script adds ROUGE-W's weights as they come.
    exactly = {"models": "average", "w": None} if rouge.exact else {"models": models}
    rouge = replaced(rouge, **exactly)
    shuffled = references[:]
    random.shuffle(shuffled)
    assert scores_of(rouge, peer, references) == scores_of(rouge, peer, shuffled)


@given(rouges(), texts, reference_sets)
def test_references_given_twice_change_nothing(rouge, peer, references):
    rouge = replaced(rouge, w=None)
    once, twice = (scores_of(rouge, peer, references * times) for times in (1, 2))
    # Means of scores, unlike sums of counts, are rounded.
    assert twice == (pytest.approx(once, rel=1e-15) if rouge.models == "mean" else once)


@given(sound, texts, reference_sets)
def test_the_best_reference_has_the_best_recall(rouge, peer, references):
    best = replaced(rouge, models="best")
    alone = [scores_of(best, peer, [reference]) for reference in references]
    for name, value in scores_of(best, peer, references).items():
        if name.endswith("-r"):
            assert value == max(scores[name] for scores in alone)


@given(sound, texts, reference_sets)
def test_the_average_is_between_the_least_and_the_greatest(rouge, peer, references):
    rouge = replaced(rouge, models="average")
    alone = [scores_of(rouge, peer, [reference]) for reference in references]
    for name, value in scores_of(rouge, peer, references).items():
        if name.endswith("-r"):
            seen = [scores[name] for scores in alone]
            assert min(seen) - 1e-12 <= value <= max(seen) + 1e-12


@given(
    rouges().filter(lambda rouge: not (rouge.exact and rouge.w)),
    st.lists(items, min_size=1, max_size=8),
    st.permutations(range(8)),
)
def test_order_batches_and_threads_change_no_bit(rouge, chosen, order):
    peers, references = zip(*chosen, strict=True)
    whole = rouge.score(peers, references)
    expected = np.stack([whole[measure] for measure in rouge.measures], axis=1)
    threaded = rouge.score(peers, references, threads=3)
    assert all((threaded[m] == whole[m]).all() for m in rouge.measures)
    stream = [
        StreamItem("", f"T{i}", "7", "machine", peer, tuple(texts))
        for i, (peer, texts) in enumerate(chosen)
    ]
    for size, threads in ((1, 1), (3, 1), (3, 2), (1000, 2)):
        batches = list(score_stream(stream, rouge, batch_size=size, threads=threads))
        assert [item for batch in batches for item in batch.items] == stream
        assert (np.concatenate([batch.values for batch in batches]) == expected).all()
    turned = [i for i in order if i < len(chosen)]
    again = rouge.score([peers[i] for i in turned], [references[i] for i in turned])
    for column, measure in enumerate(rouge.measures):
        assert (again[measure] == expected[turned, column]).all()


marks = "Dr. Ito left. He (rain fell. U.S. Senate ? ! “Yes.” no . 1987 É naïve \u2029 p.m. b) \t"
prose = st.lists(st.sampled_from(marks.split(" "))).map(" ".join)
forms = texts | texts.map(lambda text: tuple(text.split("\n"))) | st.just("Caf\u00e9 rain\nfell")
forms |= prose | prose.map(str.lower)
shapes = st.tuples(forms, st.lists(forms, min_size=1, max_size=3) | texts)


@given(sound, st.lists(shapes, max_size=9), st.integers(1, 3), st.booleans())
def test_texts_that_are_compared_while_they_are_read_score_the_same(rouge, chosen, threads, twice):
    peers, references = [peer for peer, _ in chosen], [texts for _, texts in chosen]
    if twice:  # the same objects once more
        peers, references = peers * 2, references * 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        at_once = rouge.score(peers, references, threads=threads)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernels, "GivenTexts", None)
            read_first = rouge.score(peers, references)
    assert at_once.statistics.keys() == read_first.statistics.keys()
    assert all((at_once[m] == read_first[m]).all() for m in rouge.measures)


def replaced(rouge, **changes):
    if "w" in changes and len(rouge.variants) == 1:
        changes["l"] = True
    return replace(rouge, **changes)
