r"""A lognormal model of word frequencies, beside relative frequencies (thesis, section 6.1).

The relative frequency c/N is the maximum-likelihood estimate of a word's probability. It leaves
nothing for words that did not happen to occur, and too much for those that happened to occur
once. Carroll's model says that expected frequencies are lognormal over the words of a vocabulary,
and that a word's frequency is a Poisson draw:

.. math:: c_w \sim \mathrm{Poisson}(\lambda_w), \qquad \log \lambda_w \sim N(\mu, \sigma^2)

Words with c = 0 are not seen, so :math:`P(c) / (1 - P(0))` is fitted to the others by maximum
likelihood. It gives

- the size of the whole vocabulary, :math:`S = V / (1 - P(0))` for V words seen;
- how many words should occur once, twice, ...: :math:`S P(m)`;
- the expected frequency of a word seen c times, :math:`E[\lambda | c]`, for c = 0 as well, and
  from these, divided by their sum over all S words, probabilities.

References
----------
J. B. Carroll. On sampling from a lognormal model of word-frequency distribution. 1967.
M. G. Bulmer. On fitting the Poisson lognormal distribution to species-abundance data.
Biometrics 30, 1974.
R. H. Baayen. Word frequency distributions. 2001.
"""

from collections.abc import Iterable, Iterator, Sequence
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
from pyramidion.rendering.labels import counted, written_p
from pyramidion.rendering.result import Chart
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, data, shown
from pyramidion.stats import paired_t
from pyramidion.studies._source import AbsentWords, StudyResult, StudySource, StudyWords, TopicWords

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# How far the mean and the standard deviation may go.
_MEANS, _SPREADS = (-25.0, 25.0), (0.2, 6.0)

# Logarithms of frequencies are taken from here on: a word that is expected so seldom is not seen.
_LOWEST = -40.0

# Up to this frequency chances are integrated; above it an expansion is as good.
_INTEGRATED = 1000

# What is expected less often is tested together with its neighbors.
_LEAST_EXPECTED = 5.0


@dataclass(frozen=True, slots=True)
class LognormalFit:
    """A lognormal model of word frequencies.

    Parameters
    ----------
    mu, sigma
        Mean and standard deviation of the logarithms of expected frequencies.
    seen, tokens
        How many different words, and how many words, it was fitted to.
    vocabulary
        How many words there are, those included that did not occur.
    total
        The sum of the expected frequencies of all of them.
    at_bound
        Whether a parameter ended at its bound: the frequencies do not determine it, and the size
        of the vocabulary means nothing.
    chi_square, df, p
        Pearson's test of how many words occur once, twice, ...; NaN where the classes of five
        words and more are too few for it.

    Examples
    --------
    >>> counts = [1] * 50 + [2] * 20 + [3] * 10 + [4] * 7 + [6] * 5 + [9] * 3 + [15]
    >>> fit = fit_lognormal(counts)
    >>> round(fit.mu, 2), round(fit.sigma, 2), round(fit.vocabulary)
    (-0.66, 1.2, 211)
    >>> fit.spectrum(3).round(1).tolist()
    [49.2, 21.2, 10.2]
    >>> fit.expected([0, 1, 2, 15]).round(2).tolist()
    [0.43, 0.86, 1.44, 12.78]
    """

    mu: float
    sigma: float
    seen: int
    tokens: int
    vocabulary: float
    total: float
    at_bound: bool
    chi_square: float
    df: int
    p: float

    def spectrum(self, most: int) -> Floats:
        """Return how many words should occur once, twice, ... up to `most` times."""
        chances = _log_chances(np.arange(1, most + 1), self.mu, self.sigma)
        return self.vocabulary * np.exp(chances)

    def expected(self, counts: npt.ArrayLike) -> Floats:
        r"""Return the frequency to be expected of words seen so often, :math:`E[\lambda | c]`."""
        return _expected(np.asarray(counts, dtype=np.int64), self.mu, self.sigma)

    def log_probabilities(self, counts: npt.ArrayLike) -> Floats:
        """Return the logarithm of the probability of words seen so often.

        Those of the words that were seen, and of as many unseen ones as the vocabulary has, add
        up to 1.
        """
        return np.asarray(np.log(self.expected(counts)) - np.log(self.total))


def fit_lognormal(counts: npt.ArrayLike) -> LognormalFit:
    """Fit the model to how often words occur, by maximum likelihood.

    Raises
    ------
    InputError
        All words are equally frequent, which leaves the spread open.

    Examples
    --------
    >>> fit_lognormal([3, 3, 3, 3])
    Traceback (most recent call last):
    pyramidion.errors.InputError: all words are equally frequent; ...
    """
    given = np.asarray(counts, dtype=np.int64)
    times, words = np.unique(given[given > 0], return_counts=True)
    if len(times) < 2:
        hint = "a model of frequencies needs a longer text"
        raise InputError("all words are equally frequent", hint=hint)
    mu, sigma = _most_likely(times, words)
    seen = int(words.sum())
    vocabulary = seen / float(np.exp(_log_seen(mu, sigma)))
    frequencies = _expected(np.array([0, *times]), mu, sigma)
    limits = ((mu, _MEANS), (sigma, _SPREADS))
    at_bound = any(abs(value - bound) < 1e-3 for value, bounds in limits for bound in bounds)
    return LognormalFit(
        mu, sigma, seen, int(times @ words), vocabulary,
        float(frequencies @ [vocabulary - seen, *words]), at_bound,
        *_goodness(times, words, mu, sigma),
    )  # fmt: skip


def _most_likely(times: Ints, words: Ints) -> tuple[float, float]:
    from scipy.optimize import minimize

    def unlikelihood(parameters: Floats) -> float:
        mu, sigma = parameters.tolist()
        seen = words.sum() * _log_seen(mu, sigma)
        return float(seen - words @ _log_chances(times, mu, sigma)) / int(words.sum())

    logs = np.log(times)
    mean = float(words @ logs / words.sum())
    start = [mean - 0.5, min(max(float(np.sqrt(words @ (logs - mean) ** 2 / words.sum())), 0.5), 3)]
    bounds = [_MEANS, _SPREADS]
    found = minimize(
        unlikelihood, start, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-13, "gtol": 1e-8}
    )
    mu, sigma = found.x.tolist()
    return mu, sigma


def _log_chances(times: Ints, mu: float, sigma: float, *, up_to: int = _INTEGRATED) -> Floats:
    """Return the logarithm of the chance that a word occurs so many times.

    It is integrated over the logarithm of the expected frequency, see `_scale`; for large
    frequencies, where the Poisson draw hardly matters, it is expanded (Bulmer).
    """
    from scipy.special import logsumexp

    chances = np.empty(len(times))
    exact = times <= up_to
    if exact.any():
        x, step = _scale(int(times[exact].max()))
        draws = _log_draws(tuple(times[exact].tolist())) + _log_normal(x, mu, sigma)
        chances[exact] = logsumexp(draws, axis=1) + np.log(step)
    many = times[~exact].astype(np.float64)
    away = np.log(many) - mu
    more = (away**2 / sigma**2 + away - 1) / (2 * many * sigma**2)
    chances[~exact] = _log_normal(np.log(many), mu, sigma) - np.log(many) + np.log1p(more)
    return chances


@lru_cache(maxsize=2)
def _log_draws(times: tuple[int, ...]) -> Floats:
    """Return the logarithms of Poisson chances, which stay the same while a fit goes on."""
    from scipy.special import gammaln

    x, _ = _scale(max(times))
    number = np.array(times)[:, None]
    return number * x - np.exp(x) - gammaln(number + 1)


def _log_seen(mu: float, sigma: float) -> float:
    """Return the logarithm of the chance that a word occurs at all."""
    from scipy.special import logsumexp

    lower, step = _scale(1)
    # However often a word is expected, it is seen once at least.
    x = np.arange(lower[0], max(lower[-1], mu + 9 * sigma), step)
    seen = np.log(-np.expm1(-np.exp(x))) + _log_normal(x, mu, sigma)
    return float(logsumexp(seen) + np.log(step))


@lru_cache(maxsize=16)
def _scale(most: int) -> tuple[Floats, float]:
    """Return evenly spaced logarithms of frequencies, which integrate chances up to `most`.

    Given a frequency c, the logarithm's spread is at least one over the root of c + 1/sigma², and
    the sum over steps of a good half of that is as exact as the numbers are.
    """
    step = 0.6 / np.sqrt(most + _SPREADS[0] ** -2)
    highest = max(np.log(max(most, 1)) + 2.5, 4.5)
    return np.arange(_LOWEST, highest, step), float(step)


def _log_normal(x: Floats, mu: float, sigma: float) -> Floats:
    return np.asarray(-0.5 * ((x - mu) / sigma) ** 2 - np.log(sigma * np.sqrt(2 * np.pi)))


def _expected(counts: Ints, mu: float, sigma: float) -> Floats:
    """Return (c + 1) P(c + 1) / P(c), which is the mean of the expected frequency, given c."""
    different, places = np.unique(counts, return_inverse=True)
    here = _log_chances(different, mu, sigma)
    # Both chances of a pair are found in the same way.
    above = _log_chances(different + 1, mu, sigma, up_to=_INTEGRATED + 1)
    means = np.multiply(different + 1, np.exp(above - here), dtype=np.float64)
    return means[places].reshape(counts.shape)


def _goodness(times: Ints, words: Ints, mu: float, sigma: float) -> tuple[float, int, float]:
    """Test how many words occur once, twice, ..., small classes taken together."""
    from scipy.special import chdtrc

    seen = int(words.sum())
    most = int(min(times.max(), _INTEGRATED))
    found = np.bincount(np.minimum(times, most), words, most + 1)[1:]
    chances = np.exp(_log_chances(np.arange(1, most + 1), mu, sigma) - _log_seen(mu, sigma))
    expected = seen * chances
    expected[-1] = max(seen - float(expected[:-1].sum()), 0.0)
    # Small classes that are neighbors get one number; the last one takes the rest.
    groups, number, sum_of_group = [], 0, 0.0
    for place, value in enumerate(expected.tolist()):
        groups.append(number)
        sum_of_group += value
        left = float(expected[place + 1 :].sum())
        if sum_of_group >= _LEAST_EXPECTED and left >= _LEAST_EXPECTED:
            number, sum_of_group = number + 1, 0.0
    df = number + 1 - 3
    if df < 1:
        return float("nan"), 0, float("nan")
    wanted, seen_in = np.bincount(groups, expected), np.bincount(groups, found)
    chi_square = float(((seen_in - wanted) ** 2 / wanted).sum())
    return chi_square, df, float(chdtrc(df, chi_square))


@dataclass(frozen=True, slots=True, eq=False)
class ModeledTopic:
    """The words of an input, two models of them, and how well they predict references.

    Parameters
    ----------
    name
        The topic.
    spectrum
        How many words of the input occur once, twice, ...
    fit
        The lognormal model.
    relative, lognormal
        The mean log-probability of a word of a reference by relative frequencies and by the
        lognormal model; the mean over references.
    relative_seen, lognormal_seen
        The same for words that the input has; NaN where no reference has one.
    absent
        The share of a reference's words that the input does not have.
    """

    name: str
    spectrum: Ints
    fit: LognormalFit
    relative: float
    lognormal: float
    relative_seen: float
    lognormal_seen: float
    absent: float


def compare_models(
    topics: Iterable[TopicWords], *, absent: float = 0.0005
) -> tuple[list[ModeledTopic], list[str]]:
    """Fit a lognormal model to each input, and compare it with relative frequencies."""
    found, left_out = [], []
    for topic in topics:
        name, counts = topic.place.name, topic.input[topic.input > 0]
        if len(np.unique(counts)) < 2:
            left_out.append(f"{name}: all words of the input are equally frequent")
        elif not topic.references.any():
            left_out.append(f"{name}: no reference has a word that counts")
        else:
            fit = fit_lognormal(counts)
            means = known_means(np.array(list(_of_references(topic, fit, absent))))
            found.append(ModeledTopic(name, np.bincount(counts)[1:], fit, *means.tolist()))
    if not found:
        hint = "give longer documents"
        raise InputError(f"no topic has frequencies to model: {left_out[0]}", hint=hint)
    return found, left_out


def relative_log_probabilities(own: Ints, counts: Ints, absent: float = 0.0005) -> Floats:
    r"""Return the log-probabilities of words by their relative frequencies in the input.

    :math:`(c + \delta) / (N + \delta (V + V_0))`, where V words are in the input and :math:`V_0`
    in the summary alone, as in the metric ``multinomial-input``.
    """
    words = np.count_nonzero((own > 0) | (counts > 0))
    return np.asarray(np.log((counts + absent) / (counts.sum() + absent * words)))


def _of_references(topic: TopicWords, fit: LognormalFit, absent: float) -> Iterator[list[float]]:
    """Return both models' mean log-probabilities for each reference, of all and of seen words."""
    by_lognormal = fit.log_probabilities(topic.input)
    seen = topic.input > 0
    for own in topic.references[topic.references.any(axis=1)]:
        logs = (relative_log_probabilities(own, topic.input, absent), by_lognormal)
        weighed = [(counts, by) for counts in (own, own * seen) for by in logs]
        means = [float(c @ by) / int(c.sum()) if c.any() else np.nan for c, by in weighed]
        yield [*means, float((own * ~seen).sum() / own.sum())]


_FIT: View[ModeledTopic] = View(
    "fits",
    (
        Column("topic", "topic", lambda own: own.name),
        *columns("tokens", of="fit"),
        Column("words", "words", attrgetter("fit.seen")),
        Column("spectrum", "once", show=lambda own: int(own.spectrum[0])),
        *columns("mu", "sigma", of="fit"),
        Column(
            "vocabulary", "vocabulary",
            lambda own: float("nan") if own.fit.at_bound else own.fit.vocabulary,
            lambda own: None if own.fit.at_bound else round(own.fit.vocabulary),
        ),
        *columns(of="fit", chi_square="chi²"),
        Column("df", "df", attrgetter("fit.df"), lambda own: own.fit.df or None),
        *columns("p", of="fit"),
        *map(data, ("relative", "lognormal", "relative_seen", "lognormal_seen", "absent")),
    ),
    digits=2,
)  # fmt: skip
_FITS_NOTE = (
    "Logarithms of expected frequencies are normal with mean mu and standard deviation sigma. "
    "Vocabulary: words there are by the model, seen or not. p: chi-square test of how many words "
    "occur once, twice, ...; small means that the model does not fit."
)
_MODELS_NOTE = (
    "Mean log-probability of a word of a reference, mean over references: the higher, the better "
    "predicted. Seen: of words that the input has. Absent: percent of words it does not have."
)


@question
def lognormal(
    source: StudySource, absent: AbsentWords, words: StudyWords
) -> StudyResult[ModeledTopic]:
    """Fit a lognormal model to the input's words, beside relative frequencies (section 6.1).

    Both models are held against what people write: the better one gives the words of the
    references higher probabilities. Only relative frequencies need --absent.

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
    places, left_out = source.places(collection)
    topics = (TopicWords.of(place, words.reading) for place in places)
    found, unmodeled = compare_models(topics, absent=absent.absent)
    unsized = (
        f"{own.name}, vocabulary: the frequencies do not determine its size"
        for own in found
        if own.fit.at_bound
    )
    tables = [
        _FIT.table(found, "Lognormal models of the input's words", _FITS_NOTE),
        _models_table(found),
    ]
    return source.result(
        "lognormal", collection, found, _FIT.record, tables,
        [Chart("lognormal", partial(lognormal_figure, found))],
        about=words.name, details=[("absent", f"{absent.absent:g}"), ("tok", words.tokenizer)],
        left_out=(*left_out, *unmodeled, *unsized),
    )  # fmt: skip


_MODELS: View[ModeledTopic] = View(
    "models",
    (
        shown("topic", lambda own: own.name),
        *columns("relative", "lognormal"),
        *columns(relative_seen="relative, seen", lognormal_seen="lognormal, seen"),
        shown("absent", lambda own: 100 * own.absent),
    ),
    digits=3,
)


def _models_table(found: Sequence[ModeledTopic]) -> Table:
    table = _MODELS.table(found, "Which model predicts what people write", _MODELS_NOTE)
    if len(found) < 2:
        return table
    means = np.array([row[1:] for row in table.rows], dtype=np.float64).mean(axis=0).tolist()
    test = paired_t([own.lognormal for own in found], [own.relative for own in found])
    tested = f"{test.difference:.3f} (paired t test, {written_p(test.p)})"
    verdict = "" if np.isnan(test.p) else f" Lognormal less relative: {tested}."
    return replace(table, rows=(*table.rows, ("all", *means)), note=table.note + verdict)


_SEEN: dict[str, Any] = {
    "label": "words of the input", "color": BLUE, "linestyle": "none", "marker": "o",
    "markersize": 4.5,
}  # fmt: skip
_MODEL: dict[str, Any] = {"label": "lognormal model", "color": VERMILLION, "linewidth": 1.4}
_RELATIVE: dict[str, Any] = {
    "label": "relative frequency", "color": GRAY, "linewidth": 1.2, "linestyle": "--",
}  # fmt: skip


def lognormal_figure(models: Sequence[ModeledTopic]) -> "Figure":
    """Draw how many words occur m times, and what is expected of a word seen m times."""
    spectra = [own.spectrum for own in models]
    most = max(map(len, spectra))
    # The inputs are added up: how many words occur m times, and should.
    seen = np.sum([np.pad(spectrum, (0, most - len(spectrum))) for spectrum in spectra], axis=0)
    expected = np.sum([own.fit.spectrum(most) for own in models], axis=0)
    times, few = np.arange(1, most + 1), np.arange(int(np.clip(most, 2, 15)) + 1)
    thin = {**_MODEL, "linewidth": 0.9, "alpha": 0.6}
    left = Panel(
        [Series(times, expected, _MODEL), Series(times[seen > 0], seen[seen > 0], _SEEN)],
        scale={
            "xscale": "log", "yscale": "log", "ylim": (0.3, None),
            "xlabel": "times a word occurs", "ylabel": "words",
        },
        more=_set_scales,
    )  # fmt: skip
    right = Panel(
        [
            Series(few, few, _RELATIVE),
            *(Series(few, own.fit.expected(few), thin) for own in models),
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
        legend=(_SEEN, _MODEL, _RELATIVE),
    )


def _set_scales(axes: "Axes") -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for axis in (axes.xaxis, axes.yaxis):
        low, high = axis.get_view_interval()
        # Few decades need marks between the powers of ten.
        axis.set_major_locator(LogLocator(subs=(1.0,) if high / low > 30 else (1.0, 2.0, 5.0)))
        axis.set_minor_formatter(NullFormatter())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.4g}"))
