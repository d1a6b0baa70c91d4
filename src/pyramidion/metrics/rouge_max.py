"""ROUGE by the formula that the papers on CLASSY print."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.metrics.against import against_option, requirement
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.metric import Metric, Need, option
from pyramidion.metrics.sparse import Sparse
from pyramidion.metrics.texts import Reading, Texts
from pyramidion.text import TOKENIZERS, Tokenizer

__all__ = ["RougeMax"]

#: N-grams up to 9, and words with pairs that have up to 9 words in between.
_VARIANTS = (*"123456789", *(f"su{gap}" for gap in range(10)))


@dataclass(frozen=True, slots=True)
class RougeMax(Metric):
    r"""ROUGE-N or ROUGE-SU as the papers on CLASSY print it: the best reference counts.

    .. math:: \max_j \frac{\sum_{i \in N} \min(S(i), M_j(i))}{\sum_{i \in N} M_j(i)}

    S(i) and :math:`M_j(i)` count unit i in the summary and in reference j, and N holds the units
    *of the summary*. So printed, the divisor leaves out what the summary lacks: the quotient is 1
    as soon as the summary has one unit in common with a reference and repeats it as often, and
    falls only for units that a reference has more often. ``units=reference`` takes N as the
    units of the reference, which is recall. ROUGE-1.5.5 adds matches and units of all
    references up before it divides; that is ``rouge-2-r(stem)``, the one to use.

    The name says which units: ``rouge-max-2`` for bigrams, ``rouge-max-su4`` for words (but
    the last, as in ROUGE-1.5.5) and pairs with at most four words in between. The score is 0 if
    nothing is shared.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> cases = Cases.of_texts(["a b c"], [["a b a b d", "c d"]])
    >>> metric = RougeMax.parse("rouge-max-2")
    >>> metric.score(metric.statistics(cases)).tolist()
    [0.5]
    >>> metric = RougeMax.parse("rouge-max-2(units=reference)")
    >>> metric.score(metric.statistics(cases)).tolist()
    [0.25]
    """

    name: ClassVar[str] = "rouge-max"
    title: ClassVar[str] = "ROUGE, best reference"
    summary: ClassVar[str] = "units shared with the best reference, as CLASSY's papers print it"
    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    members: ClassVar[tuple[str, ...]] = ("rouge-max-2", "rouge-max-su4")

    variant: str = option("2", "n, or su and a gap for words and pairs", choices=_VARIANTS)
    stem: bool = option(True, "stem words")
    stop_words: bool = option(False, "leave stop words out")
    tokenizer: Tokenizer = option("rouge", "how words are found", choices=tuple(TOKENIZERS))
    units: str = option(
        "summary", "whose units the divisor counts", choices=("summary", "reference")
    )
    against: str = against_option()

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Read ``rouge-max-2``, ``rouge-max-su4`` and the like."""
        start, _, variant = name.lower().rpartition("-")
        known = start == cls.name and variant in _VARIANTS
        return {"variant": variant} if known else None

    def _call(self) -> str:
        return f"rouge-max-{self.variant}"

    @property
    def requirements(self) -> frozenset[Need]:
        """What this very metric needs."""
        return requirement(self.against)

    def statistics(self, cases: Cases) -> Floats:
        """Give the units shared with the best reference, and those of the divisor."""
        cases = cases.against(self.against)
        _, _, places = cases.compared
        shared, divisors = (column[places] for column in self._of_pairs(cases))
        scores = np.divide(shared, divisors, out=np.zeros(len(shared)), where=divisors > 0)
        rows, _ = cases.pairs
        # The last pair of a row in this order is its best, the first given of equally good ones.
        order = np.lexsort((-np.arange(len(rows)), scores, rows))
        best = order[np.flatnonzero(np.diff(rows[order], append=len(cases)))]
        table = np.full((len(cases), 2), np.nan)
        table[rows[best]] = np.stack([shared[best], divisors[best]], axis=1)
        return table

    def score(self, statistics: Floats) -> Floats:
        """Divide; nothing by nothing is 0."""
        shared, divisors = statistics[..., 0], statistics[..., 1]
        scores = np.where(np.isnan(divisors), np.nan, 0.0)
        return np.divide(shared, divisors, out=scores, where=divisors > 0)

    def _of_pairs(self, cases: Cases) -> tuple[Floats, Floats]:
        """Give numerator and denominator for every different pair."""
        peers, models, _ = cases.compared
        reading = Reading(self.stem, self.stop_words, self.tokenizer)
        table = _units(cases.texts, reading, self.variant)
        own, other = table[peers], table[models]
        shared = own.minimum(other).sum(axis=1)
        counted = other if self.units == "reference" else (own > 0).multiply(other)
        return shared.astype(np.float64), counted.sum(axis=1).astype(np.float64)


def _units(texts: Texts, reading: Reading, variant: str) -> Sparse:
    """Count the units of each text: n-grams, or words and pairs of words."""
    if variant.isdecimal():
        return texts.counts(reading, int(variant))
    gap = int(variant.removeprefix("su"))
    key = ("rouge_max", reading, gap)
    return texts.memo(key, lambda: _words_and_pairs(texts, reading, gap))


def _words_and_pairs(texts: Texts, reading: Reading, gap: int) -> Sparse:
    from scipy.sparse import csr_array

    encoded = texts.encoded(reading)
    owner = np.repeat(np.arange(len(encoded)), encoded.lengths)
    ids, size = encoded.ids.astype(np.int64), len(encoded.words)
    # ROUGE-1.5.5 looks at every word that another one follows, and at those that follow it.
    units, owners = [], []
    for distance in range(1, gap + 2):
        within = owner[distance:] == owner[:-distance]
        first, second = ids[:-distance][within], ids[distance:][within]
        found = [size + first * size + second, *([first] if distance == 1 else [])]
        units += found
        owners += [owner[distance:][within]] * len(found)
    different, numbers = np.unique(np.concatenate(units), return_inverse=True)
    ones = np.ones(len(numbers), dtype=np.int64)
    shape = (len(encoded), len(different))
    table = csr_array((ones, (np.concatenate(owners), numbers)), shape=shape)
    table.sum_duplicates()
    return table
