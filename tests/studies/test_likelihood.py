"""Likelihood of summaries under their input, and the lognormal model: 4.1 and 6.1."""

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
from pyramidion.metrics import ScoringBatch, UnigramLikelihood
from pyramidion.studies import LognormalFit, fit_lognormal, likelihood, lognormal

PLAIN = {"stem": False, "all_words": True}
ADDED = 0.0005
SENTENCES = ("Ice melts", "Old snow falls on roads")


def collection(**topics):
    """Make a collection from a document and texts by name for each topic; digits are machines."""
    summaries = [
        Summary(id, name, text, kind="machine" if name.isdigit() else "human")
        for id, (_, texts) in topics.items()
        for name, text in texts.items()
    ]
    documents = {id: (Document("d", document),) for id, (document, _) in topics.items()}
    return Collection(
        "c",
        topics=tuple(Topic(id, documents=texts) for id, texts in documents.items()),
        summaries=tuple(summaries),
    )


def by_hand(summary, document):
    """Formula 4.1, with a little added to every word so that none is impossible."""
    counts, input_counts = Counter(summary.split()), Counter(document.split())
    words = set(counts) | set(input_counts)
    total = sum(input_counts.values()) + ADDED * len(words)
    value = log(factorial(sum(counts.values())))
    for word, count in counts.items():
        value += count * log((input_counts[word] + ADDED) / total) - log(factorial(count))
    return value


# Multinomial likelihood


def test_the_answer_says_what_dominates():
    document = "Ice melts and snow falls on old roads."
    people = {name: f"{text} hail." for name, text in zip("AB", SENTENCES, strict=True)}
    machines = {str(n): text for n, text in enumerate((*SENTENCES, "Snow", "Ice"))}
    result = likelihood(collection(T1=(document, {**people, **machines})))
    assert [row.absent for row in result] == [0, 0, 0, 0, 1, 1]
    assert "Absent words and length dominate: they explain" in str(result)
    assert "with 1.0 absent words; machines" in str(result)


def test_length_and_absent_words_are_a_linear_fit():
    """The share of the variance and both slopes of the note, by least squares."""
    document = "rain " * 6 + "snow " * 3 + "hail wind sun fog"
    texts = ("rain", "rain snow", "rain fire", "snow hail rain", "fire smoke", "sun fog rain fire")
    result = likelihood(
        collection(T1=(document, {str(n): text for n, text in enumerate(texts)} | {"A": "rain"})),
        **PLAIN,
    )
    design = np.array([(1, row.words, row.absent) for row in result])
    values = np.array([row.mean for row in result])
    slopes, residuals, *_ = np.linalg.lstsq(design, values)
    share = 1 - residuals[0] / ((values - values.mean()) ** 2).sum()
    assert f"they explain {100 * share:.0f}% of the variance among 7 summaries" in str(result)
    assert f"A word costs {-slopes[1]:.1f}, an absent one {-slopes[2]:.1f} more" in str(result)


TEXTS = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=9).map(" ".join)


@given(TEXTS, TEXTS, TEXTS)
def test_likelihood_is_formula_4_1(document, person, machine):
    result = likelihood(collection(T1=(document, {"A": person, "7": machine})), **PLAIN)
    rows = {row.summarizer: row for row in result}
    assert rows["A"].mean == pytest.approx(by_hand(person, document))
    assert rows["7"].mean == pytest.approx(by_hand(machine, document))
    assert rows["A"].words == len(person.split())
    absent = [word for word in person.split() if word not in document.split()]
    assert rows["A"].absent == len(absent)
    values = [row.mean for row in result]
    assert values == sorted(values, reverse=True)


def test_summaries_are_cut_to_80_words():
    """Table 4.3, page 75: the longer of two summaries is not less likely for that."""
    document = "rain " * 50 + "snow " * 50
    whole, cut = "rain snow " * 60, "rain snow " * 40
    mine = collection(T1=(document, {"A": whole, "B": cut}))
    result = likelihood(mine, **PLAIN)
    first, second = result
    assert first.mean == pytest.approx(second.mean)
    assert first.words == second.words == 80
    assert "Summaries were cut to 80 words. " in str(result)
    assert [row.words for row in likelihood(mine, words=0, **PLAIN)] == [80, 120]
    short = likelihood(collection(T1=(document, {"A": "rain"})), **PLAIN)
    assert "1 summary has fewer, which makes" in str(short)


def test_frequent_words_make_a_summary_likelier():
    document = "rain " * 9 + "snow " * 3 + "hail"
    texts = {"A": "rain rain", "B": "snow snow", "C": "hail hail", "D": "fog fog"}
    result = likelihood(collection(T1=(document, texts)), **PLAIN)
    assert [row.summarizer for row in result] == ["A", "B", "C", "D"]


def test_adjusted_means_are_those_of_a_full_design():
    """B has the topic where everybody is less likely; by topics A and B are alike."""
    easy, hard = "rain rain rain snow", "rain snow fog hail wind sun"
    mine = collection(T1=(easy, {"A": "rain", "C": "rain"}), T2=(hard, {"B": "rain", "C": "rain"}))
    rows = {row.summarizer: row for row in likelihood(mine, **PLAIN)}
    assert rows["A"].mean > rows["C"].mean > rows["B"].mean
    assert rows["A"].adjusted == pytest.approx(rows["B"].adjusted)
    assert rows["C"].adjusted == pytest.approx(rows["C"].mean)


def test_summarizers_without_common_topics_have_no_adjusted_mean():
    mine = collection(T1=("rain", {"A": "rain"}), T2=("snow", {"B": "snow"}))
    result = likelihood(mine, **PLAIN)
    assert all(isnan(row.adjusted) for row in result)
    assert "adjusted means: some summarizers share no topics with the rest" in str(result.left_out)


def test_summaries_without_words_are_counted():
    result = likelihood(collection(T1=("Rain fell.", {"A": "Rain.", "B": "It is."})))
    assert "1 summary without a word that counts" in result.left_out
    assert [row.summarizer for row in result] == ["A"]
    with pytest.raises(InputError, match=r"no summary has a word that counts; .*Latin"):
        likelihood(collection(T1=("雨", {"A": "雨"})))


# The lognormal model


def model(mu, sigma):
    """Return a model of one word, whose spectrum is the probability of each frequency."""
    return LognormalFit(mu, sigma, 1, 1, 1.0, 1.0, False, np.nan, 0, np.nan)


def integral(times, mu, sigma):
    """Integrate a Poisson draw with a lognormal mean by adaptive quadrature."""

    def density(x):
        poisson = scipy_stats.poisson.logpmf(times, np.exp(x))
        return np.exp(poisson + scipy_stats.norm.logpdf(x, mu, sigma))

    points = sorted([float(np.log(max(times, 0.01))), mu])
    return integrate.quad(density, -40, 20, points=points, limit=500, epsabs=0, epsrel=1e-9)[0]


@pytest.mark.parametrize(("mu", "sigma"), [(-1.0, 1.2), (0.5, 0.4), (-3.0, 2.5)])
def test_probabilities_are_integrals(mu, sigma):
    times = [1, 2, 7, 40, 1000]
    spectrum = model(mu, sigma).spectrum(1000)[np.array(times) - 1]
    assert spectrum == pytest.approx([integral(n, mu, sigma) for n in times], rel=1e-8)
    # E[lambda | 0] is P(1) / P(0).
    none = integral(0, mu, sigma)
    assert model(mu, sigma).expected([0])[0] == pytest.approx(spectrum[0] / none, rel=1e-8)


@pytest.mark.parametrize(("mu", "sigma"), [(-1.0, 1.2), (-3.0, 2.5), (2.0, 1.0)])
def test_large_frequencies_are_expanded_well(mu, sigma):
    times = np.array([1001, 1500, 4000])
    spectrum = model(mu, sigma).spectrum(4000)[times - 1]
    assert spectrum == pytest.approx([integral(n, mu, sigma) for n in times], rel=3e-4)
    expected = (times + 1) * model(mu, sigma).spectrum(4001)[times] / spectrum
    assert model(mu, sigma).expected(times) == pytest.approx(expected, rel=1e-3)


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

    def log_likelihood(mu, sigma):
        spectrum, unseen = model(mu, sigma).spectrum(30), model(mu, sigma).expected([0])[0]
        seen = 1 - spectrum[0] / unseen
        return float(np.log(spectrum[np.array(counts) - 1] / seen).sum())

    if not fit.at_bound:
        best = log_likelihood(fit.mu, fit.sigma)
        for mu, sigma in ((0.05, 0), (-0.05, 0), (0, 0.05), (0, -0.05)):
            shifted = log_likelihood(fit.mu + mu, max(fit.sigma + sigma, 0.2))
            assert shifted <= best + 1e-5 or isnan(shifted)
        assert fit.total == pytest.approx(sum(counts), rel=1e-3)
        # V words were seen with probability 1 - P(0) each.
        none = fit.spectrum(1)[0] / fit.expected([0])[0]
        assert fit.vocabulary - none == pytest.approx(len(counts), rel=1e-4)
    seen = np.exp(fit.log_probabilities(counts)).sum()
    unseen = np.exp(fit.log_probabilities([0]))[0] * (fit.vocabulary - fit.seen)
    # The integrals are sums over nodes, good to five digits for the strangest counts.
    assert seen + unseen == pytest.approx(1, abs=1e-5)
    assert (np.diff(fit.expected(np.arange(31))) > 0).all()


def test_a_word_seen_once_was_lucky():
    """The model expects less than one occurrence of it, and some of words that were not seen."""
    fit = fit_lognormal([1] * 50 + [2] * 20 + [3] * 10 + [4] * 7 + [6] * 5 + [9] * 3 + [15])
    unseen, once, *_ = fit.expected([0, 1])
    assert 0 < unseen < once < 1
    assert fit.spectrum(1)[0] == pytest.approx(50, rel=0.05)
    assert (fit.seen, fit.tokens) == (96, 220)


def test_goodness_of_fit_by_hand():
    """Frequencies above 4 are merged; splitting them would leave fewer than five expected words."""
    counts = [1] * 50 + [2] * 20 + [3] * 10 + [4] * 7 + [6] * 5 + [9] * 3 + [15]
    fit = fit_lognormal(counts)
    spectrum = fit.spectrum(14)
    groups = [[1], [2], [3], [4], list(range(5, 16))]
    expected = [sum(spectrum[n - 1] for n in group) for group in groups[:-1]]
    expected.append(len(counts) - sum(expected))
    observed = [sum(counts.count(n) for n in group) for group in groups]
    assert min(expected) >= 5
    statistic = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    assert (fit.chi_square, fit.df) == (pytest.approx(statistic, rel=1e-4), len(groups) - 3)
    assert fit.p == pytest.approx(scipy_stats.chi2.sf(statistic, fit.df), rel=1e-3)


def test_parameters_at_their_bounds_are_reported():
    fit = fit_lognormal([1] * 40 + [500, 900])
    assert fit.at_bound
    with pytest.raises(InputError, match="all words are equally frequent"):
        fit_lognormal([2, 2, 0])


def references(*texts):
    return {f"P{n}": text for n, text in zip("abc", texts, strict=False)}


@given(TEXTS.filter(lambda text: len(set(Counter(text.split()).values())) > 1), TEXTS)
def test_relative_frequencies_are_those_of_the_metric(document, summary):
    """As in the metric unigram-input."""
    [topic] = lognormal(collection(T1=(document, {"A": summary})), **PLAIN)
    metric = UnigramLikelihood(stem=False, stop_words=False)
    cases = ScoringBatch.of_texts([summary], documents=[[document]])
    assert topic.relative == pytest.approx(metric.score(metric.statistics(cases))[0])


def test_models_are_compared_by_what_people_write():
    texts = ("a b b", "a f")
    [topic] = lognormal(collection(T1=("a a a a b b c d e", references(*texts))), **PLAIN)
    assert topic.spectrum.tolist() == [3, 1, 0, 1]
    assert topic.absent == pytest.approx(mean([0, 0.5]))
    logs = {
        word: float(topic.fit.log_probabilities([count])[0])
        for word, count in zip("abcdef", (4, 2, 1, 1, 1, 0), strict=True)
    }
    by_text = [mean(logs[word] for word in text.split()) for text in texts]
    assert topic.lognormal == pytest.approx(mean(by_text))
    assert topic.lognormal_seen == pytest.approx(mean([by_text[0], logs["a"]]))
    # A word that the input lacks is a disaster for relative frequencies only.
    assert topic.relative < topic.lognormal
    first = mean(log((count + ADDED) / (9 + 5 * ADDED)) for count in (4, 2, 2))
    second = log((4 + ADDED) / (9 + 6 * ADDED))
    assert topic.relative_seen == pytest.approx(mean([first, second]))


def test_inputs_without_a_spread_are_left_out():
    flat = ("a b c", references("a"))
    result = lognormal(
        collection(T1=flat, T2=("a a b", references(".")), T3=("a a b", references("a"))), **PLAIN
    )
    assert [topic.name for topic in result] == ["T3"]
    assert result.left_out[:2] == (
        "T1: all words of the input are equally frequent",
        "T2: no reference has a word that counts",
    )
    # A word that only a reference has does not make the input's words differ in frequency.
    elsewhere = collection(T1=("a b c", references("a d")), T3=("a a b", references("a")))
    assert lognormal(elsewhere, **PLAIN).left_out[0] == result.left_out[0]
    with pytest.raises(InputError, match="no topic has frequencies to model: T1"):
        lognormal(collection(T1=flat), **PLAIN)
    with pytest.raises(InputError, match="use a value greater than 0"):
        lognormal(collection(T1=flat), absent=0)
