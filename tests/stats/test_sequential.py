"""Confidence sequences, against their definition, and by simulation."""

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.stats import confidence_sequence, sequential_topics


def log_capital(x, mean, alpha):
    """Waudby-Smith and Ramdas (2024), hedged capital with predictable plug-in bets, in a loop."""
    seen, up, down = [], 1.0, 1.0
    for t, value in enumerate(x, start=1):
        centers = [(0.5 + sum(seen[:i])) / (i + 1) for i in range(1, t)]
        squares = sum((v - c) ** 2 for v, c in zip(seen, centers, strict=True))
        variance = (0.25 + squares) / t if t > 1 else 0.25
        bet = np.sqrt(2 * np.log(2 / alpha) / (variance * t * np.log(t + 1)))
        up *= 1 + min(bet, 0.9 / mean) * (value - mean)
        down *= 1 - min(bet, 0.9 / (1 - mean)) * (value - mean)
        seen.append(value)
    return np.log((up + down) / 2)


def test_e_values_are_the_capital_of_the_definition():
    values = np.random.default_rng(2).integers(-2, 4, 15).astype(float)
    sequence = confidence_sequence(values, bounds=(-4, 4), confidence_level=0.9)
    x = (values + 4) / 8
    for n in (1, 2, 7, 15):
        assert sequence.log_e[n - 1] == pytest.approx(log_capital(x[:n], 0.5, 0.1))
        # The capital against the ends of the interval has just reached 1/alpha.
        for end in (sequence.low[n - 1], sequence.high[n - 1]):
            if -4 < end < 4:
                reached = max(log_capital(x[:t], (end + 4) / 8, 0.1) for t in range(1, n + 1))
                assert reached == pytest.approx(np.log(10), abs=0.03)


def test_an_interval_excludes_the_null_exactly_when_it_stops():
    rng = np.random.default_rng(4)
    for shift in np.linspace(0, 0.6, 20):
        values = np.clip(rng.normal(shift, 0.5, 60), -1, 1)
        sequence = confidence_sequence(values, bounds=(-1, 1))
        excludes = (sequence.low > 0) | (sequence.high < 0)
        assert (sequence.stop is None) == (not excludes.any())
        if sequence.stop:
            assert np.flatnonzero(excludes)[0] + 1 == sequence.stop
        assert (excludes == (sequence.p <= 0.05)).all()
        assert (np.diff(sequence.low) >= 0).all()
        assert (np.diff(sequence.high) <= 0).all()


def test_values_on_a_larger_scale_and_turned_around_give_the_same():
    values = np.random.default_rng(6).random(30)
    one = confidence_sequence(values, bounds=(0, 1), null=0.5)
    other = confidence_sequence(100 - 100 * values, bounds=(0, 100), null=50)
    assert other.log_e == pytest.approx(one.log_e)
    assert other.low == pytest.approx(100 - 100 * one.high)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5])
def test_the_true_mean_is_ever_excluded_in_at_most_the_promised_share(share):
    # 150 evaluations of 100 topics, stopped at the worst time: 95% within 3 standard errors.
    rng, wrong = np.random.default_rng(7), 0
    for _ in range(150):
        values = (rng.random(100) < share).astype(float)
        sequence = confidence_sequence(values, bounds=(0, 1), null=share)
        wrong += sequence.stop is not None
    assert wrong / 150 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)


def test_planned_topics_are_those_at_which_sequences_stop():
    pilot = np.random.default_rng(8).normal(0, 0.3, 50).clip(-1, 1)
    planned = sequential_topics(pilot, bounds=(-1, 1), difference=0.2, most=200, rng=1)
    rng, shifted = np.random.default_rng(9), (pilot - pilot.mean() + 0.2).clip(-1, 1)
    stops = [
        confidence_sequence(rng.choice(shifted, 200), bounds=(-1, 1)).stop or 200
        for _ in range(100)
    ]
    error = np.std(stops) / np.sqrt(100)
    assert np.minimum(planned, 200).mean() == pytest.approx(np.mean(stops), abs=4 * error)
    assert len(planned) == 1000
    none = sequential_topics(pilot, bounds=(-1, 1), difference=1e-9, most=30, rng=1)
    assert np.isinf(none).mean() > 0.94


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([0, 2], {"bounds": (0, 1), "null": 0.5}, "2 is not between 0 and 1; give the ends"),
        ([0, 1], {"bounds": (1, 0)}, "the bounds are 1 and 0; give the lower one first"),
        ([0, 1], {"bounds": (0, 1)}, "`null` is 0; give a number between 0 and 1"),
    ],
)
def test_impossible_values_and_bounds(values, options, message):
    with pytest.raises(InputError, match=message):
        confidence_sequence(values, **options)
