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

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError

__all__ = ["LognormalFit", "fit_lognormal"]

# How far the mean and the standard deviation may go.
_MEANS, _SPREADS = (-25.0, 25.0), (0.2, 6.0)

# Logarithms of frequencies are taken from here on: a word that is expected so seldom is not seen.
_LOWEST = -40.0

# Up to this frequency chances are integrated; above it an expansion is as good.
_INTEGRATED = 1000

# What is expected less often is tested together with its neighbours.
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
        Whether a parameter ran as far as it may: the frequencies do not tell it, and the size of
        the vocabulary means nothing.
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
        """Give how many words should occur once, twice, ... up to `most` times."""
        chances = _log_chances(np.arange(1, most + 1), self.mu, self.sigma)
        sizes: Floats = self.vocabulary * np.exp(chances)
        return sizes

    def expected(self, counts: npt.ArrayLike) -> Floats:
        r"""Give the frequency to be expected of words seen so often, :math:`E[\lambda | c]`.

        Parameters
        ----------
        counts
            How often words were seen, 0 included.
        """
        return _expected(np.asarray(counts, dtype=np.int64), self.mu, self.sigma)

    def log_probabilities(self, counts: npt.ArrayLike) -> Floats:
        """Give the logarithm of the probability of words seen so often.

        Those of the words that were seen, and of as many unseen ones as the vocabulary has, add
        up to 1.

        Parameters
        ----------
        counts
            How often words were seen; 0 is the probability of one word that was not.
        """
        logs: Floats = np.log(self.expected(counts)) - np.log(self.total)
        return logs


def fit_lognormal(counts: npt.ArrayLike) -> LognormalFit:
    """Fit the model to how often words occur, by maximum likelihood.

    Parameters
    ----------
    counts
        The frequency of each word; zeros are not seen.

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
        raise InputError(
            "all words are equally frequent", hint="a model of frequencies needs a longer text"
        )
    mu, sigma = _most_likely(times, words)
    seen = int(words.sum())
    vocabulary = seen / float(np.exp(_log_seen(mu, sigma)))
    frequencies = _expected(np.array([0, *times]), mu, sigma)
    return LognormalFit(
        mu,
        sigma,
        seen,
        int(times @ words),
        vocabulary,
        float(frequencies @ [vocabulary - seen, *words]),
        _is_at_bound(mu, sigma),
        *_goodness(times, words, mu, sigma),
    )


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


def _is_at_bound(mu: float, sigma: float) -> bool:
    limits = ((mu, _MEANS), (sigma, _SPREADS))
    return any(abs(value - bound) < 1e-3 for value, bounds in limits for bound in bounds)


def _log_chances(times: Ints, mu: float, sigma: float, *, up_to: int = _INTEGRATED) -> Floats:
    """Give the logarithm of the chance that a word occurs so many times."""
    chances = np.empty(len(times))
    exact = times <= up_to
    chances[exact] = _integrated(times[exact], mu, sigma)
    chances[~exact] = _expanded(times[~exact].astype(np.float64), mu, sigma)
    return chances


def _integrated(times: Ints, mu: float, sigma: float) -> Floats:
    """Integrate over the logarithm of the expected frequency; see `_scale`."""
    from scipy.special import logsumexp

    if not len(times):
        return np.empty(0)
    x, step = _scale(int(times.max()))
    draws = _log_draws(tuple(times.tolist())) + _log_normal(x, mu, sigma)
    chances: Floats = logsumexp(draws, axis=1) + np.log(step)
    return chances


@lru_cache(maxsize=2)
def _log_draws(times: tuple[int, ...]) -> Floats:
    """Give the logarithms of Poisson chances, which stay the same while a fit goes on."""
    from scipy.special import gammaln

    x, _ = _scale(max(times))
    number = np.array(times)[:, None]
    logs: Floats = number * x - np.exp(x) - gammaln(number + 1)
    return logs


def _expanded(times: Floats, mu: float, sigma: float) -> Floats:
    """Expand the chance for large frequencies, where the Poisson draw hardly matters (Bulmer)."""
    away = np.log(times) - mu
    more = (away**2 / sigma**2 + away - 1) / (2 * times * sigma**2)
    chances: Floats = _log_normal(np.log(times), mu, sigma) - np.log(times) + np.log1p(more)
    return chances


def _log_seen(mu: float, sigma: float) -> float:
    """Give the logarithm of the chance that a word occurs at all."""
    from scipy.special import logsumexp

    lower, step = _scale(1)
    # However often a word is expected, it is seen once at least.
    x = np.arange(lower[0], max(lower[-1], mu + 9 * sigma), step)
    seen = np.log(-np.expm1(-np.exp(x))) + _log_normal(x, mu, sigma)
    return float(logsumexp(seen) + np.log(step))


@lru_cache(maxsize=16)
def _scale(most: int) -> tuple[Floats, float]:
    """Give evenly spaced logarithms of frequencies, which integrate chances up to `most`.

    Given a frequency c, the logarithm's spread is at least one over the root of c + 1/sigma², and
    the sum over steps of a good half of that is as exact as the numbers are.
    """
    step = 0.6 / np.sqrt(most + _SPREADS[0] ** -2)
    highest = max(np.log(max(most, 1)) + 2.5, 4.5)
    return np.arange(_LOWEST, highest, step), float(step)


def _log_normal(x: Floats, mu: float, sigma: float) -> Floats:
    logs: Floats = -0.5 * ((x - mu) / sigma) ** 2 - np.log(sigma * np.sqrt(2 * np.pi))
    return logs


def _expected(counts: Ints, mu: float, sigma: float) -> Floats:
    """Give (c + 1) P(c + 1) / P(c), which is the mean of the expected frequency, given c."""
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
    groups = _grouped(expected)
    df = int(groups[-1]) + 1 - 3
    if df < 1:
        return float("nan"), 0, float("nan")
    wanted, there = np.bincount(groups, expected), np.bincount(groups, found)
    chi_square = float(((there - wanted) ** 2 / wanted).sum())
    return chi_square, df, float(chdtrc(df, chi_square))


def _grouped(expected: Floats) -> Ints:
    """Give small classes that are neighbours one number; the last takes the rest."""
    groups, number, gathered = [], 0, 0.0
    for place, value in enumerate(expected.tolist()):
        groups.append(number)
        gathered += value
        left = float(expected[place + 1 :].sum())
        if gathered >= _LEAST_EXPECTED and left >= _LEAST_EXPECTED:
            number, gathered = number + 1, 0.0
    return np.array(groups)
