"""Likelihood of summaries under their input, and a lognormal model beside: 4.1 and 6.1."""

from collections import Counter
from math import factorial, isnan, log
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate
from scipy import stats as scipy_stats

from pyramidion.collection import Collection, Document, Summary, Topic
from pyramidion.errors import InputError
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._word_distributions import MultinomialLikelihood, UnigramLikelihood
from pyramidion.studies._likelihood import Explained, likelihood, study_likelihood
from pyramidion.studies._lognormal import (
    _log_chances,
    _log_seen,
    compare_models,
    fit_lognormal,
    relative_log_probabilities,
)
from pyramidion.studies._source import AbsentWords, TopicTask, TopicWords
from pyramidion.text.encoding import Reading

PLAIN = MultinomialLikelihood(stem=False, stop_words=False)
ADDED = 0.0005
TOLD = ("Ice melts", "Old snow falls on roads")


def place(topic, document, people, machines=()):
    return TopicTask(
        "",
        topic,
        (document,),
        tuple(Summary(topic, name, text, kind="human") for name, text in people),
        tuple(Summary(topic, name, text) for name, text in machines),
    )


def by_hand(summary, document):
    """Formula 4.1, with so much added to every word that none is impossible."""
    own, there = Counter(summary.split()), Counter(document.split())
    words = set(own) | set(there)
    total = sum(there.values()) + ADDED * len(words)
    value = log(factorial(sum(own.values())))
    for word, count in own.items():
        value += count * log((there[word] + ADDED) / total) - log(factorial(count))
    return value


# Multinomial likelihood


def test_absent_words_and_length_are_told_apart():
    """Each summary's value is 2 - 3 words - 8 absent words, but for the last."""
    rows = [(words, absent) for words in (4, 6, 9) for absent in (0, 1, 3)]
    values = np.array([(2 - 3 * w - 8 * a, w, 0, a) for w, a in rows])
    found = Explained.of(values)
    assert (found.share, found.per_word, found.per_absent) == pytest.approx((1, -3, -8))
    values[-1, 0] += 30
    assert Explained.of(values).share < 0.99


def test_the_answer_says_what_dominates():
    topic = Topic("T1", documents=(Document("d", "Ice melts and snow falls on old roads."),))
    people = [Summary("T1", n, f"{t} hail.", kind="human") for n, t in zip("AB", TOLD, strict=True)]
    machines = [Summary("T1", str(n), text) for n, text in enumerate((*TOLD, "Snow", "Ice"))]
    result = likelihood(Collection("c", topics=(topic,), summaries=(*people, *machines)))
    assert [row.absent for row in result] == [0, 0, 0, 0, 1, 1]
    assert "Absent words and length dominate: they explain" in str(result)
    assert "with 1.0 absent words; machines" in str(result)


TEXTS = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=9).map(" ".join)


@given(TEXTS, TEXTS, TEXTS)
def test_likelihood_is_formula_4_1(document, person, machine):
    study = study_likelihood(
        [place("T1", document, [("A", person)], [("7", machine)])], metric=PLAIN
    )
    found = {row.summarizer: row for row in study.summarizers}
    assert found["A"].mean == pytest.approx(by_hand(person, document))
    assert found["7"].mean == pytest.approx(by_hand(machine, document))
    assert found["A"].words == len(person.split())
    values = [row.mean for row in study.summarizers]
    assert values == sorted(values, reverse=True)


def test_summaries_are_cut_to_80_words():
    """Table 4.3, page 75: the longer of two summaries is not less likely for that."""
    document = "rain " * 50 + "snow " * 50
    whole, cut = "rain snow " * 60, "rain snow " * 40
    study = study_likelihood([place("T1", document, [("A", whole), ("B", cut)])], metric=PLAIN)
    first, second = study.summarizers
    assert first.mean == pytest.approx(second.mean)
    assert first.words == second.words == 80
    assert (study.limit, study.short) == (80, 0)
    uncut = study_likelihood(
        [place("T1", document, [("A", whole), ("B", cut)])], limit=0, metric=PLAIN
    )
    assert [row.words for row in uncut.summarizers] == [80, 120]
    short = study_likelihood([place("T1", document, [("A", "rain")])], metric=PLAIN)
    assert short.short == 1


def test_frequent_words_make_a_summary_likelier():
    document = "rain " * 9 + "snow " * 3 + "hail"
    texts = [("A", "rain rain"), ("B", "snow snow"), ("C", "hail hail"), ("D", "fog fog")]
    study = study_likelihood([place("T1", document, texts)], metric=PLAIN)
    assert [row.summarizer for row in study.summarizers] == ["A", "B", "C", "D"]


def test_adjusted_means_are_those_of_a_full_design():
    """B has the topic where everybody is less likely; by topics A and B are alike."""
    easy, hard = "rain rain rain snow", "rain snow fog hail wind sun"
    people = [("A", "rain"), ("C", "rain")], [("B", "rain"), ("C", "rain")]
    study = study_likelihood(
        [place("T1", easy, people[0]), place("T2", hard, people[1])], metric=PLAIN
    )
    found = {row.summarizer: row for row in study.summarizers}
    assert found["A"].mean > found["C"].mean > found["B"].mean
    assert found["A"].adjusted == pytest.approx(found["B"].adjusted)
    assert found["C"].adjusted == pytest.approx(found["C"].mean)


def test_summarizers_who_share_nothing_have_no_adjusted_mean():
    study = study_likelihood(
        [place("T1", "rain", [("A", "rain")]), place("T2", "snow", [("B", "snow")])], metric=PLAIN
    )
    assert all(isnan(row.adjusted) for row in study.summarizers)


def test_summaries_without_words_are_counted():
    study = study_likelihood([place("T1", "Rain fell.", [("A", "Rain."), ("B", "It is.")])])
    assert study.undefined == 1
    assert [row.summarizer for row in study.summarizers] == ["A"]
    with pytest.raises(InputError, match=r"no summary has a word that counts; .*Latin"):
        study_likelihood([place("T1", "雨", [("A", "雨")])])
    with pytest.raises(InputError, match="there is no summary"):
        study_likelihood([])


# The lognormal model


@pytest.mark.parametrize(("mu", "sigma"), [(-1.0, 1.2), (0.5, 0.4), (-3.0, 2.5)])
@pytest.mark.parametrize("times", [0, 1, 2, 7, 40, 1000])
def test_chances_are_integrals(mu, sigma, times):
    """Against adaptive quadrature of a Poisson draw with a lognormal mean."""

    def density(x):
        drawn = scipy_stats.poisson.logpmf(times, np.exp(x))
        return np.exp(drawn + scipy_stats.norm.logpdf(x, mu, sigma))

    points = sorted([float(np.log(max(times, 0.01))), mu])
    value, _ = integrate.quad(density, -40, 20, points=points, limit=500, epsabs=0, epsrel=1e-9)
    assert np.exp(_log_chances(np.array([times]), mu, sigma)[0]) == pytest.approx(value, rel=1e-8)


@pytest.mark.parametrize(("mu", "sigma"), [(-1.0, 1.2), (-3.0, 2.5), (2.0, 1.0)])
def test_large_frequencies_are_expanded_well(mu, sigma):
    times = np.array([1001, 1500, 4000])
    expanded = _log_chances(times, mu, sigma)
    assert expanded == pytest.approx(_log_chances(times, mu, sigma, up_to=5000), abs=3e-4)


@pytest.mark.parametrize(("mu", "sigma"), [(-1.0, 1.2), (0.5, 0.3), (3.0, 2.5), (-9.0, 4.0)])
def test_what_is_not_seen_is_the_chance_of_zero(mu, sigma):
    unseen = np.exp(_log_chances(np.array([0]), mu, sigma)[0])
    assert np.exp(_log_seen(mu, sigma)) == pytest.approx(1 - unseen, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(
    ("mu", "sigma"), [(-0.5, 1.3), (1.0, 0.8), pytest.param(-2.0, 2.0, marks=pytest.mark.long)]
)
def test_parameters_are_found_again(mu, sigma):
    rng = np.random.default_rng(5)
    words = 30_000
    fit = fit_lognormal(rng.poisson(np.exp(rng.normal(mu, sigma, words))))
    assert fit.mu == pytest.approx(mu, abs=0.1)
    assert fit.sigma == pytest.approx(sigma, abs=0.05)
    assert fit.vocabulary == pytest.approx(words, rel=0.07)
    assert fit.p > 0.001
    assert not fit.at_bound


COUNTS = st.lists(st.integers(1, 30), min_size=8, max_size=60).filter(lambda c: len(set(c)) > 2)


@given(COUNTS)
def test_the_fit_is_a_maximum_and_gives_back_all_tokens(counts):
    """At the maximum the expected frequencies of all words add up to the tokens seen."""
    fit = fit_lognormal(counts)
    times, words = np.unique(counts, return_counts=True)

    def likelihood(mu, sigma):
        return float(words @ _log_chances(times, mu, sigma)) - len(counts) * _log_seen(mu, sigma)

    best = likelihood(fit.mu, fit.sigma)
    if not fit.at_bound:
        for mu, sigma in ((0.05, 0), (-0.05, 0), (0, 0.05), (0, -0.05)):
            assert likelihood(fit.mu + mu, max(fit.sigma + sigma, 0.2)) <= best + 1e-6
        assert fit.total == pytest.approx(sum(counts), rel=1e-3)
    seen = np.exp(fit.log_probabilities(counts)).sum()
    unseen = np.exp(fit.log_probabilities([0]))[0] * (fit.vocabulary - fit.seen)
    # The integrals are sums over nodes, good to five digits for the strangest counts.
    assert seen + unseen == pytest.approx(1, abs=1e-5)
    expected = fit.expected(np.arange(31))
    assert (np.diff(expected) > 0).all()


def test_a_word_seen_once_was_lucky():
    """The model expects less than one occurrence of it, and some of words that were not seen."""
    fit = fit_lognormal([1] * 50 + [2] * 20 + [3] * 10 + [4] * 7 + [6] * 5 + [9] * 3 + [15])
    unseen, once, *_ = fit.expected([0, 1])
    assert 0 < unseen < once < 1
    assert fit.spectrum(1)[0] == pytest.approx(50, rel=0.05)


def test_a_spread_that_runs_away_is_told():
    fit = fit_lognormal([1] * 40 + [500, 900])
    assert fit.at_bound
    with pytest.raises(InputError, match="all words are equally frequent"):
        fit_lognormal([2, 2, 0])


def topic(document, *references, name="T1"):
    return TopicWords.of(
        place(name, document, [(f"P{n}", text) for n, text in enumerate(references)]),
        Reading(stem=False),
    )


@given(TEXTS, TEXTS)
def test_relative_frequencies_are_those_of_the_metric(document, summary):
    """As the metric unigram-input has them."""
    counted = topic(document, summary)
    own = counted.references[0]
    logs = relative_log_probabilities(own, counted.input)
    metric = UnigramLikelihood(stem=False, stop_words=False)
    cases = ScoringBatch.of_texts([summary], documents=[[document]])
    assert own @ logs / own.sum() == pytest.approx(metric.score(metric.statistics(cases))[0])


def test_models_are_compared_by_what_people_write():
    counted = topic("a a a a b b c d e", "a b b", "a f")
    [found], left_out = compare_models([counted])
    assert left_out == []
    assert found.spectrum.tolist() == [3, 1, 0, 1]
    assert found.absent == pytest.approx(mean([0, 0.5]))
    words = [word for text in ("a b b", "a f") for word in text.split()]
    logs = {
        word: float(found.fit.log_probabilities([count])[0])
        for word, count in zip("abcdef", (4, 2, 1, 1, 1, 0), strict=True)
    }
    by_text = [mean(logs[word] for word in text.split()) for text in ("a b b", "a f")]
    assert len(words) == 5
    assert found.lognormal == pytest.approx(mean(by_text))
    assert found.lognormal_seen == pytest.approx(mean([by_text[0], logs["a"]]))
    # A word that the input lacks is a disaster for relative frequencies only.
    assert found.relative < found.lognormal


def test_inputs_without_a_spread_are_left_out():
    flat, wordless = topic("a b c", "a"), topic("a a b", ".", name="T2")
    found, left_out = compare_models([flat, wordless, topic("a a b", "a", name="T3")])
    assert [own.name for own in found] == ["T3"]
    assert left_out == [
        "T1: all words of the input are equally frequent",
        "T2: no reference has a word that counts",
    ]
    with pytest.raises(InputError, match="no topic has frequencies to model: T1"):
        compare_models([flat])
    with pytest.raises(InputError, match="give more than 0"):
        AbsentWords(absent=0)
