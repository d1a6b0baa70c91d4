"""What scoring gives: counts, scores of every summary, their means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.measures import full_measure_name
from pyramidion.errors import InputError
from pyramidion.rouge import perl
from pyramidion.rouge.averages import PERL_RESAMPLES, RESAMPLES, Mean, perl_means, sample_means
from pyramidion.rouge.counting import Counts
from pyramidion.rouge.rouge import PARTS, Rouge
from pyramidion.rouge.scoring import Scored, score

__all__ = ["RougeScores"]


@dataclass(frozen=True)
class RougeScores:
    """Scores of many summaries.

    Parameters
    ----------
    rouge
        What was computed.
    ids
        The items, in order; a range of numbers if they were given without ids.
    statistics
        Sufficient statistics: for each variant's measure the counts of each item.

    Examples
    --------
    >>> from pyramidion.rouge import Rouge
    >>> rouge = Rouge(n=1, l=False)
    >>> scores = rouge.score({"T1": "It rained."}, {"T1": ["Rain fell.", "It rained"]})
    >>> scores["rouge-1-r"].tolist()
    [0.5]
    >>> scores.as_dict()["T1"]["rouge-1-f"]
    0.5
    """

    rouge: Rouge
    ids: Sequence[object]
    statistics: Mapping[str, Counts]

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, measure: str) -> Floats:
        """Give one measure's scores, in the order of the ids."""
        there = {f"{name}-{part}" for name in self.statistics for part in PARTS}
        full = full_measure_name(measure, there)
        if full not in there:
            computed = ", ".join(self.rouge.measures)
            raise InputError(f"{measure!r} was not computed", hint=f"there are: {computed}")
        name, _, part = full.rpartition("-")
        scored = self._scored[name]
        return {"r": scored.recall, "p": scored.precision, "f": scored.f}[part]

    @cached_property
    def _scored(self) -> dict[str, Scored]:
        rule = perl.exact_scores if self.rouge.exact else score
        return {
            name: rule(counts, alpha=self.rouge.alpha) for name, counts in self.statistics.items()
        }

    def as_dict(self) -> dict[object, dict[str, float]]:
        """Give each item's scores by measure."""
        columns = {measure: self[measure].tolist() for measure in self.rouge.measures}
        return {
            id: {measure: column[row] for measure, column in columns.items()}
            for row, id in enumerate(self.ids)
        }

    def mean(
        self,
        measure: str,
        *,
        confidence_level: float = 0.95,
        n_resamples: int | None = None,
        rng: np.random.Generator | int | None = 0,
    ) -> Mean:
        """Average a measure over items, with a bootstrap interval over items.

        In exact mode this is what ROUGE-1.5.5 prints: the mean of bootstrap means drawn with
        its own generator from the items in the order of their ids as text (items without ids
        are numbered from 1, as in a list for ``-z``), and its own percentiles.

        Parameters
        ----------
        measure
            Such as ``rouge-2-r``.
        confidence_level
            Of the interval (``-c``, as a share).
        n_resamples
            9,999 if not given, in exact mode 1,000 (``-r``).
        rng
            Where chance begins; exact mode has its own generator.

        Examples
        --------
        >>> from pyramidion.rouge import Rouge
        >>> scores = Rouge(n=1).score(["a b", "c d"], [["a b"], ["c e"]])
        >>> scores.mean("rouge-1-f").mean
        0.75
        """
        values, level = self[measure][:, None], confidence_level
        if n_resamples is None:
            n_resamples = PERL_RESAMPLES if self.rouge.exact else RESAMPLES
        if self.rouge.exact:
            ordered = values[self._perl_order]
            return perl_means(ordered, confidence_level=level, n_resamples=n_resamples)[0]
        return sample_means(values, confidence_level=level, n_resamples=n_resamples, rng=rng)[0]

    @cached_property
    def _perl_order(self) -> list[int]:
        """The order of ``evaluation.peer`` as text, whatever the peer."""
        numbered = isinstance(self.ids, range)
        names = [f"{row + 1 if numbered else id}." for row, id in enumerate(self.ids)]
        return sorted(range(len(names)), key=names.__getitem__)
