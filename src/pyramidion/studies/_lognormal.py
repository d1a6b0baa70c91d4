r"""A lognormal model of word frequencies, compared with relative frequencies (section 6.1).

The relative frequency c/N underestimates words that did not happen to occur, and overestimates
those that occurred once. In Carroll's model, expected frequencies are lognormal over the words of
a vocabulary, and a word's frequency is a Poisson draw:

.. math:: c_w \sim \mathrm{Poisson}(\lambda_w), \qquad \log \lambda_w \sim N(\mu, \sigma^2)

Words with c = 0 are not seen, so :math:`P(c) / (1 - P(0))` is fitted to the others by maximum
likelihood. It gives

- the size of the whole vocabulary, :math:`S = V / (1 - P(0))` for V words seen;
- how many words should occur once, twice, ...: :math:`S P(m)`;
- the expected frequency of a word seen c times, :math:`E[\lambda | c]`, also for c = 0;
  divided by their sum over all S words, these are probabilities.

References
----------
J. B. Carroll. On sampling from a lognormal model of word-frequency distribution. 1967.
M. G. Bulmer. On fitting the Poisson lognormal distribution to species-abundance data.
Biometrics 30, 1974.
R. H. Baayen. Word frequency distributions. 2001.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.comparison.common import known_means
from pyramidion.errors import InputError
from pyramidion.questions import question
from pyramidion.rendering.charts.curves import Panel, Series, panels_figure
from pyramidion.rendering.charts.layout import PAD, Space
from pyramidion.rendering.charts.style import BLUE, GRAY, VERMILLION
from pyramidion.rendering.labels import counted, p_in_sentence
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, data, shown
from pyramidion.stats import paired_t
from pyramidion.studies._source import (
    AbsentWordOptions,
    StudyResult,
    StudySource,
    StudyWords,
    TopicWords,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Bounds of the mean and the standard deviation.
_MEAN_BOUNDS, _SPREAD_BOUNDS = (-25.0, 25.0), (0.2, 6.0)

# The lowest logarithm of a frequency: rarer words never occur.
_MIN_LOG_FREQUENCY = -40.0

# Probabilities are integrated up to this frequency; above it an expansion is as good.
_MAX_INTEGRATED_COUNT = 1000

# Classes with fewer expected words are merged in the test.
_MIN_EXPECTED_WORDS = 5.0


@dataclass(frozen=True, slots=True)
class LognormalFit:
    """A lognormal model of word frequencies, and Pearson's test of its fit.

    Examples
    --------
    >>> counts = np.repeat((1, 2, 3, 4, 6, 9, 15), (50, 20, 10, 7, 5, 3, 1))
    >>> fit = fit_lognormal(counts)
    >>> round(fit.mu, 2), round(fit.sigma, 2), round(fit.vocabulary)
    (-0.66, 1.2, 211)
    >>> fit.spectrum(3).round(1).tolist()
    [49.2, 21.2, 10.2]
    >>> fit.expected([0, 1, 2, 15]).round(2).tolist()
    [0.43, 0.86, 1.44, 12.78]
    """

    mu: float  #: mean of the logarithms of expected frequencies
    sigma: float  #: their standard deviation
    seen: int  #: different words that it was fitted to
    tokens: int  #: words that it was fitted to
    vocabulary: float  #: estimated number of different words, seen or not
    total: float  #: sum of their expected frequencies
    at_bound: bool  #: a parameter ended at its bound, and the vocabulary is meaningless
    chi_square: float  #: NaN with too few classes of at least five words
    df: int
    p: float

    def spectrum(self, most: int) -> Floats:
        """Return the expected number of words that occur once, twice, ... up to `most` times."""
        log_probabilities = _log_count_probabilities(np.arange(1, most + 1), self.mu, self.sigma)
        return self.vocabulary * np.exp(log_probabilities)

    def expected(self, counts: npt.ArrayLike) -> Floats:
        r"""Return the expected frequency of words with these counts, :math:`E[\lambda | c]`."""
        return _expected_frequencies(np.asarray(counts, dtype=np.int64), self.mu, self.sigma)

    def log_probabilities(self, counts: npt.ArrayLike) -> Floats:
        """Return the log-probability of words with these counts.

        The probabilities of all words of the vocabulary, seen or not, add up to 1.
        """
        return np.asarray(np.log(self.expected(counts)) - np.log(self.total))


def fit_lognormal(counts: npt.ArrayLike) -> LognormalFit:
    """Fit the model to word counts by maximum likelihood.

    Equally frequent words are an error, since they do not determine the spread.

    Examples
    --------
    >>> fit_lognormal([3, 3, 3, 3])
    Traceback (most recent call last):
    pyramidion.errors.InputError: all words are equally frequent; ...
    """
    table = np.asarray(counts, dtype=np.int64)
    times, words = np.unique(table[table > 0], return_counts=True)
    if len(times) < 2:
        hint = "a model of frequencies needs a longer text"
        raise InputError("all words are equally frequent", hint=hint)
    mu, sigma = _fit_parameters(times, words)
    n_words = int(words.sum())
    vocabulary = n_words / float(np.exp(_log_seen(mu, sigma)))
    frequencies = _expected_frequencies(np.array([0, *times]), mu, sigma)
    parameter_bounds = ((mu, _MEAN_BOUNDS), (sigma, _SPREAD_BOUNDS))
    is_at_bound = any(
        abs(value - bound) < 1e-3 for value, bounds in parameter_bounds for bound in bounds
    )
    return LognormalFit(
        mu, sigma, n_words, int(times @ words), vocabulary,
        float(frequencies @ [vocabulary - n_words, *words]), is_at_bound,
        *_goodness_of_fit(times, words, mu, sigma),
    )  # fmt: skip


def _fit_parameters(times: Ints, words: Ints) -> tuple[float, float]:
    from scipy.optimize import minimize

    n_words = int(words.sum())

    def negative_log_likelihood(parameters: Floats) -> float:
        mu, sigma = parameters.tolist()
        return (
            _log_seen(mu, sigma)
            - float(words @ _log_count_probabilities(times, mu, sigma)) / n_words
        )

    def slopes(parameters: Floats) -> Floats:
        mu, sigma = parameters.tolist()
        return np.asarray(_seen_slopes(mu, sigma) - _slopes(times, mu, sigma) @ words / n_words)

    logs = np.log(times)
    mean = float(words @ logs / words.sum())
    start = [mean - 0.5, min(max(float(np.sqrt(words @ (logs - mean) ** 2 / words.sum())), 0.5), 3)]
    bounds = [_MEAN_BOUNDS, _SPREAD_BOUNDS]
    optimum = minimize(
        negative_log_likelihood,
        start,
        method="L-BFGS-B",
        jac=slopes,
        bounds=bounds,
        options={"ftol": 1e-13, "gtol": 1e-8},
    )
    is_inside = all(
        low < value < high for value, (low, high) in zip(optimum.x, bounds, strict=True)
    )
    mu, sigma = (_refine_minimum(slopes, optimum.x) if is_inside else optimum.x).tolist()
    return mu, sigma


def _refine_minimum(slopes: Callable[[Floats], Floats], minimum: Floats) -> Floats:
    """Refine a minimum by Newton steps: where its value is flat, its slopes still change."""
    for _ in range(4):
        second_derivatives = [
            slopes(minimum + step) - slopes(minimum - step) for step in 1e-5 * np.eye(2)
        ]
        step_taken = np.linalg.solve(np.array(second_derivatives) / 2e-5, slopes(minimum))
        if not np.abs(step_taken).max() < 0.01:
            break
        minimum = minimum - step_taken
    return minimum


def _log_count_probabilities(
    times: Ints, mu: float, sigma: float, *, up_to: int = _MAX_INTEGRATED_COUNT
) -> Floats:
    """Return the log-probability that a word occurs this many times.

    It is integrated over the logarithm of the expected frequency (`_log_frequency_grid`); for large
    frequencies, where the Poisson draw hardly matters, Bulmer's expansion is used.
    """
    from scipy.special import logsumexp

    log_probabilities = np.empty(len(times))
    is_exact = times <= up_to
    if is_exact.any():
        x, step = _log_frequency_grid(int(times[is_exact].max()))
        log_terms = _log_poisson(tuple(times[is_exact].tolist())) + _log_normal(x, mu, sigma)
        log_probabilities[is_exact] = logsumexp(log_terms, axis=1) + np.log(step)
    large_times = times[~is_exact].astype(np.float64)
    distance = np.log(large_times) - mu
    correction = (distance**2 / sigma**2 + distance - 1) / (2 * large_times * sigma**2)
    log_probabilities[~is_exact] = (
        _log_normal(np.log(large_times), mu, sigma) - np.log(large_times) + np.log1p(correction)
    )
    return log_probabilities


def _slopes(times: Ints, mu: float, sigma: float) -> Floats:
    """Return the derivatives of `_log_count_probabilities` by mu and sigma."""
    slopes, is_exact = np.empty((2, len(times))), times <= _MAX_INTEGRATED_COUNT
    if is_exact.any():
        x, _ = _log_frequency_grid(int(times[is_exact].max()))
        log_terms = _log_poisson(tuple(times[is_exact].tolist())) + _log_normal(x, mu, sigma)
        slopes[:, is_exact] = _mean_slopes(log_terms, x, mu, sigma)
    large_times = times[~is_exact].astype(np.float64)
    distance, scale = np.log(large_times) - mu, 2 * large_times * sigma**2
    squared_z = distance**2 / sigma**2
    correction = (squared_z + distance - 1) / scale
    changes = (2 * distance / sigma**2 + 1) / scale, 2 * (correction + squared_z / scale) / sigma
    slopes[:, ~is_exact] = distance / sigma**2, (squared_z - 1) / sigma
    slopes[:, ~is_exact] -= np.array(changes) / (1 + correction)
    return slopes


def _mean_slopes(logs: Floats, x: Floats, mu: float, sigma: float) -> Floats:
    """Return the derivatives of the logarithm of a sum over x, by mu and sigma."""
    from scipy.special import softmax

    shares, z = softmax(logs, axis=-1), (x - mu) / sigma
    return np.array([shares @ z, shares @ (z**2 - 1)]) / sigma


@lru_cache(maxsize=2)
def _log_poisson(times: tuple[int, ...]) -> Floats:
    """Return the logarithms of Poisson probabilities, which stay the same during a fit."""
    from scipy.special import gammaln

    x, _ = _log_frequency_grid(max(times))
    counts = np.array(times)[:, None]
    return counts * x - np.exp(x) - gammaln(counts + 1)


def _log_seen(mu: float, sigma: float) -> float:
    """Return the log-probability that a word occurs at all."""
    from scipy.special import logsumexp

    return float(logsumexp(_seen_logs(mu, sigma)[0]) + np.log(_log_frequency_grid(1)[1]))


def _seen_slopes(mu: float, sigma: float) -> Floats:
    """Return the derivatives of `_log_seen` by mu and sigma."""
    return _mean_slopes(*_seen_logs(mu, sigma), mu, sigma)


def _seen_logs(mu: float, sigma: float) -> tuple[Floats, Floats]:
    """Return the logarithms whose sum over x is the probability that a word occurs, and x."""
    first_log, step = _log_frequency_grid(1)
    # A word occurs at least once however frequent it is, so that the range grows with mu.
    x = np.arange(first_log[0], max(first_log[-1], mu + 9 * sigma), step)
    return np.log(-np.expm1(-np.exp(x))) + _log_normal(x, mu, sigma), x


@lru_cache(maxsize=16)
def _log_frequency_grid(max_count: int) -> tuple[Floats, float]:
    """Return evenly spaced logarithms of frequencies to integrate probabilities up to `max_count`.

    Given a frequency c, the logarithm's spread is at least one over the root of c + 1/sigma²; with
    steps of about half of that, the sum is exact to rounding.
    """
    step = 0.6 / np.sqrt(max_count + _SPREAD_BOUNDS[0] ** -2)
    max_log = max(np.log(max(max_count, 1)) + 2.5, 4.5)
    return np.arange(_MIN_LOG_FREQUENCY, max_log, step), float(step)


def _log_normal(x: Floats, mu: float, sigma: float) -> Floats:
    return np.asarray(-0.5 * ((x - mu) / sigma) ** 2 - np.log(sigma * np.sqrt(2 * np.pi)))


def _expected_frequencies(counts: Ints, mu: float, sigma: float) -> Floats:
    """Return (c + 1) P(c + 1) / P(c), the mean of the expected frequency given c."""
    distinct_counts, count_indices = np.unique(counts, return_inverse=True)
    log_p = _log_count_probabilities(distinct_counts, mu, sigma)
    # Both probabilities of a ratio are computed in the same way.
    log_p_above = _log_count_probabilities(
        distinct_counts + 1, mu, sigma, up_to=_MAX_INTEGRATED_COUNT + 1
    )
    means = np.multiply(distinct_counts + 1, np.exp(log_p_above - log_p), dtype=np.float64)
    return means[count_indices].reshape(counts.shape)


def _goodness_of_fit(times: Ints, words: Ints, mu: float, sigma: float) -> tuple[float, int, float]:
    """Test how many words occur once, twice, ..., merging small classes."""
    from scipy.special import chdtrc

    n_words = int(words.sum())
    max_time = int(min(times.max(), _MAX_INTEGRATED_COUNT))
    observed = np.bincount(np.minimum(times, max_time), words, max_time + 1)[1:]
    probabilities = np.exp(
        _log_count_probabilities(np.arange(1, max_time + 1), mu, sigma) - _log_seen(mu, sigma)
    )
    expected_counts = n_words * probabilities
    expected_counts[-1] = max(n_words - float(expected_counts[:-1].sum()), 0.0)
    # Neighboring small classes get one number; the last one takes the remainder.
    groups, group, group_sum = [], 0, 0.0
    for index, value in enumerate(expected_counts.tolist()):
        groups.append(group)
        group_sum += value
        remaining_count = float(expected_counts[index + 1 :].sum())
        if group_sum >= _MIN_EXPECTED_WORDS and remaining_count >= _MIN_EXPECTED_WORDS:
            group, group_sum = group + 1, 0.0
    df = group + 1 - 3
    if df < 1:
        return float("nan"), 0, float("nan")
    expected_by_group, observed_by_group = (
        np.bincount(groups, expected_counts),
        np.bincount(groups, observed),
    )
    chi_square = float(((observed_by_group - expected_by_group) ** 2 / expected_by_group).sum())
    return chi_square, df, float(chdtrc(df, chi_square))


@dataclass(frozen=True, slots=True, eq=False)
class ModeledTopic:
    """The words of an input, and the mean log-probability of references under two models."""

    name: str  #: the topic
    spectrum: Ints  #: how many words of the input occur once, twice, ...
    fit: LognormalFit
    relative: float  #: by relative frequencies
    lognormal: float
    relative_seen: float  #: of words that the input has
    lognormal_seen: float
    absent: float  #: share of words that the input lacks


def compare_models(
    topics: Iterable[TopicWords], absent: float
) -> tuple[list[ModeledTopic], list[str]]:
    """Fit a lognormal model to each input, and compare it with relative frequencies."""
    models, left_out = [], []
    for topic in topics:
        name, counts = topic.texts.name, topic.input[topic.input > 0]
        if len(np.unique(counts)) < 2:
            left_out.append(f"{name}: all words of the input are equally frequent")
        elif not topic.references.any():
            left_out.append(f"{name}: no reference has a word that counts")
        else:
            fit = fit_lognormal(counts)
            means = known_means(np.array(list(_reference_log_probabilities(topic, fit, absent))))
            models.append(ModeledTopic(name, np.bincount(counts)[1:], fit, *means.tolist()))
    if not models:
        hint = "give longer documents"
        raise InputError(f"no topic has frequencies to model: {left_out[0]}", hint=hint)
    return models, left_out


def _reference_log_probabilities(
    topic: TopicWords, fit: LognormalFit, absent: float
) -> Iterator[list[float]]:
    """Return both models' mean log-probabilities for each reference, of all and of seen words."""
    lognormal_logs = fit.log_probabilities(topic.input)
    is_in_input = topic.input > 0
    for reference in topic.references[topic.references.any(axis=1)]:
        # As in the metric `multinomial-input`.
        total = topic.input.sum() + absent * np.count_nonzero(is_in_input | (reference > 0))
        logs = (np.log((topic.input + absent) / total), lognormal_logs)
        weighted_models = [
            (counts, log_p) for counts in (reference, reference * is_in_input) for log_p in logs
        ]
        means = [
            float(word_counts @ log_p) / int(word_counts.sum()) if word_counts.any() else np.nan
            for word_counts, log_p in weighted_models
        ]
        yield [*means, float((reference * ~is_in_input).sum() / reference.sum())]


_FIT_VIEW: View[ModeledTopic] = View(
    "fits",
    (
        Column("topic", "topic", lambda topic: topic.name),
        *columns("tokens", of="fit"),
        Column("words", "words", attrgetter("fit.seen")),
        Column("spectrum", "once", show=lambda topic: int(topic.spectrum[0])),
        *columns("mu", "sigma", of="fit"),
        Column(
            "vocabulary", "vocabulary",
            lambda topic: float("nan") if topic.fit.at_bound else topic.fit.vocabulary,
            lambda topic: None if topic.fit.at_bound else round(topic.fit.vocabulary),
        ),
        *columns(of="fit", chi_square="chi²"),
        Column("df", "df", attrgetter("fit.df"), lambda topic: topic.fit.df or None),
        *columns("p", of="fit"),
        *map(data, ("relative", "lognormal", "relative_seen", "lognormal_seen", "absent")),
    ),
    digits=2,
)  # fmt: skip
_FITS_NOTE = (
    "Logarithms of expected frequencies are normal with mean mu and standard deviation sigma. "
    "Vocabulary: estimated number of words, seen or not. p: chi-square test of how many words "
    "occur once, twice, ...; a small p means that the model does not fit."
)
_MODELS_NOTE = (
    "Mean log-probability of a word of a reference, mean over references; higher is better. Seen: "
    "of words that the input has. Absent: percentage of words that it lacks."
)


@question
def lognormal(
    source: StudySource, absent: AbsentWordOptions, words: StudyWords
) -> StudyResult[ModeledTopic]:
    """Compare a lognormal model of the input's words with relative frequencies (section 6.1).

    The better model gives the words of the references higher probabilities. Only relative
    frequencies need --absent.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> topic = Topic("T1", documents=(Document("d", "Ice, ice, ice and snow. Snow, rain, hail."),))
    >>> person = Summary("T1", "A", "Ice.", kind="human")
    >>> mine = Collection("c", topics=(topic,), summaries=(person,))
    >>> lognormal(mine)[0].fit.seen
    4
    """
    collection = source.read()
    topics, left_out = source.topics_of(collection)
    topic_words = (TopicWords.of(topic, words.reading) for topic in topics)
    models, unmodeled_lines = compare_models(topic_words, absent.absent)
    unsized_lines = (
        f"{model.name}, vocabulary: the frequencies do not determine its size"
        for model in models
        if model.fit.at_bound
    )
    tables = [
        _FIT_VIEW.table(models, "Lognormal models of the input's words", _FITS_NOTE),
        _models_table(models),
    ]
    return source.result(
        "lognormal", collection, models, _FIT_VIEW.record, tables,
        [Chart("lognormal", partial(lognormal_figure, models))],
        scope=words.name, details=[("absent", f"{absent.absent:g}"), ("tok", words.tokenizer)],
        left_out=(*left_out, *unmodeled_lines, *unsized_lines),
    )  # fmt: skip


_MODEL_VIEW: View[ModeledTopic] = View(
    "models",
    (
        shown("topic", lambda topic: topic.name),
        *columns("relative", "lognormal"),
        *columns(relative_seen="relative, seen", lognormal_seen="lognormal, seen"),
        shown("absent", lambda topic: 100 * topic.absent),
    ),
    digits=3,
)


def _models_table(models: Sequence[ModeledTopic]) -> Table:
    table = _MODEL_VIEW.table(models, "Which model predicts the words people use", _MODELS_NOTE)
    if len(models) < 2:
        return table
    means = np.array([row[1:] for row in table.rows], dtype=np.float64).mean(axis=0).tolist()
    test = paired_t([model.lognormal for model in models], [model.relative for model in models])
    test_text = f"{test.difference:.3f} (paired t test, {p_in_sentence(test.p)})"
    verdict = "" if np.isnan(test.p) else f" Lognormal minus relative: {test_text}."
    return replace(table, rows=(*table.rows, ("all", *means)), note=table.note + verdict)


_SEEN_STYLE: dict[str, Any] = {
    "label": "words of the input", "color": BLUE, "linestyle": "none", "marker": "o",
    "markersize": 4.5,
}  # fmt: skip
_MODEL_STYLE: dict[str, Any] = {"label": "lognormal model", "color": VERMILLION, "linewidth": 1.4}
_FREQUENCY_STYLE: dict[str, Any] = {
    "label": "relative frequency", "color": GRAY, "linewidth": 1.2, "linestyle": "--",
}  # fmt: skip


def lognormal_figure(models: Sequence[ModeledTopic]) -> "Figure":
    """Draw how many words occur m times, and the expected frequency of a word seen m times."""
    spectra = [model.spectrum for model in models]
    max_frequency = max(map(len, spectra))
    pooled_spectrum = np.sum(
        [np.pad(spectrum, (0, max_frequency - len(spectrum))) for spectrum in spectra], axis=0
    )
    expected_spectrum = np.sum([model.fit.spectrum(max_frequency) for model in models], axis=0)
    times, low_counts = (
        np.arange(1, max_frequency + 1),
        np.arange(int(np.clip(max_frequency, 2, 15)) + 1),
    )
    line_style = {**_MODEL_STYLE, "linewidth": 0.9, "alpha": 0.6}
    left = Panel(
        [Series(times, expected_spectrum, _MODEL_STYLE), Series(times[pooled_spectrum > 0],
        pooled_spectrum[pooled_spectrum > 0], _SEEN_STYLE)],
        scale={
            "xscale": "log", "yscale": "log", "ylim": (0.3, None),
            "xlabel": "times a word occurs", "ylabel": "words",
        },
        more=_set_scales,
    )  # fmt: skip
    right = Panel(
        [
            Series(low_counts, low_counts, _FREQUENCY_STYLE),
            *(Series(low_counts, model.fit.expected(low_counts), line_style) for model in models),
        ],
        scale={"xlabel": "times a word occurs", "ylabel": "times it is expected"},
        ticks={"axis": "x", "integer": True},
    )
    return panels_figure(
        [left, right],
        title="A lognormal model of word frequencies",
        note=f"words of {counted(len(models), 'input')}; right: a line for each",
        side=(2.7, 2.6),
        gap=(0.75, 0),
        space=Space(left=PAD + 0.55, right=PAD + 0.1, above=0.12),
        legend=(_SEEN_STYLE, _MODEL_STYLE, _FREQUENCY_STYLE),
    )


def _set_scales(axes: "Axes") -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for axis in (axes.xaxis, axes.yaxis):
        low, high = axis.get_view_interval()
        # Few decades need ticks between the powers of ten.
        axis.set_major_locator(LogLocator(subs=(1.0,) if high / low > 30 else (1.0, 2.0, 5.0)))
        axis.set_minor_formatter(NullFormatter())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.4g}"))
