"""Intervals by drawing documents anew."""

import numpy as np
import pytest

from pyramidion.rewriting import NAME_FORM, published_chain
from pyramidion.studies._references.counting import (
    count_sequences,
    document_draws,
    mention_chains,
    sequence_intervals,
)
from rewriting.people.sequences.reference_samples import person, simulated


def counted(*texts):
    people = [person({f"d{n}": codes}, f"Lee{k}") for n, t in enumerate(texts)
              for k, codes in enumerate(t.split("; "))]  # fmt: skip
    return count_sequences(mention_chains(people), NAME_FORM)


def test_intervals_are_those_of_a_loop():
    counts = counted("f0 l0; f0 l0 l0", "l0 l0; f0 f0", "f0 n0 l0", "n0 n0 f0 l0", "f0 l0; f0 f0")
    intervals = sequence_intervals(counts, n_resamples=400, rng=3)
    resamples = np.concatenate(list(document_draws(5, 400, 3)))
    firsts = []
    for draws in resamples:
        rows = [row for row, times in enumerate(draws) for _ in range(int(times))]
        initial = counts.initial[rows].sum(axis=0)
        firsts.append(initial / initial.sum())
    np.testing.assert_allclose(intervals.initial, np.quantile(firsts, [0.025, 0.975], axis=0))
    assert (intervals.initial[0] <= counts.chain().initial).all()
    assert (counts.chain().initial <= intervals.initial[1]).all()


def test_seeds_and_levels():
    counts = counted(*["f0 l0; l0 f0", "f0 f0", "n0 l0 l0"] * 4)
    first, same = (sequence_intervals(counts, rng=1) for _ in range(2))
    np.testing.assert_array_equal(first.transitions, same.transitions)
    narrow = sequence_intervals(counts, rng=1, confidence_level=0.5)
    assert (narrow.initial[1] - narrow.initial[0] < first.initial[1] - first.initial[0]).all()


def test_what_was_never_seen_may_be_there():
    """Four of four, one-sided at 2.5%: the exact binomial interval begins at 0.025 ** (1 / 4)."""
    intervals = sequence_intervals(counted("f0", "f0", "f0", "f0"))
    reach = 0.025**0.25
    np.testing.assert_allclose(intervals.initial, [[reach, 0, 0], [1, 1 - reach, 1 - reach]])


def test_one_document_tells_nothing_of_others():
    intervals = sequence_intervals(counted("f0 l0; l0 l0; n0 f0"))
    for ends in (intervals.initial, intervals.transitions, intervals.positions, intervals.limit):
        assert np.isnan(ends).all()
    # Only one document has somebody's nickname first.
    intervals = sequence_intervals(counted("f0 l0 l0", "f0 l0 f0", "n0 n0 l0 l0"))
    assert np.isnan(intervals.transitions[:, 2]).all()
    assert not np.isnan(intervals.transitions[:, :2]).any()


def test_corpora_drawn_from_a_chain_have_it_in_their_intervals():
    """Nine of ten at least of all probabilities are where they should be."""
    truth = published_chain()
    inside = []
    for seed in range(8):
        corpus = simulated(80, people=3, seed=seed)
        counts = count_sequences(mention_chains(corpus.people), NAME_FORM)
        ends = sequence_intervals(counts, n_resamples=499)
        inside += [
            (ends.initial[0] <= truth.initial) & (truth.initial <= ends.initial[1]),
            *((ends.transitions[0] <= truth.transitions)
              & (truth.transitions <= ends.transitions[1])),
            (ends.limit[0] <= truth.limit().probabilities)
            & (truth.limit().probabilities <= ends.limit[1]),
        ]  # fmt: skip
    assert np.mean(inside) > 0.9


@pytest.mark.parametrize("documents", [1, 7])
def test_draws_are_of_as_many_documents(documents):
    draws = np.concatenate(list(document_draws(documents, 20, 0)))
    assert draws.shape == (20, documents)
    assert (draws.sum(axis=1) == documents).all()
