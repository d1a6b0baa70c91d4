"""What scoring gives: counts, scores of every summary, their means."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.measures import full_measure_name
from pyramidion.collection.signature import Signature
from pyramidion.errors import InputError
from pyramidion.report.result import Chart, Result, made_frame, signed
from pyramidion.report.table import Table
from pyramidion.rouge import perl
from pyramidion.rouge.averages import PERL_RESAMPLES, RESAMPLES, Mean, perl_means, sample_means
from pyramidion.rouge.counting import Counts
from pyramidion.rouge.rouge import PARTS, Rouge
from pyramidion.rouge.scoring import Scored, score

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["RougeScores"]


@dataclass(frozen=True, repr=False)
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

    @cached_property
    def result(self) -> Result[dict[str, Any]]:
        """The means of all measures with their intervals, and every item's scores."""
        means = [(measure, self.mean(measure)) for measure in self.rouge.measures]
        if len(self) == 1:
            # A bootstrap of one item would show an interval without width.
            means = [(name, replace(own, low=math.nan, high=math.nan)) for name, own in means]
        rows = tuple((name, own.mean, own.low, own.high, own.n) for name, own in means)
        note = "" if len(self) > 1 else "One item has no interval."
        heads = ("measure", "mean", "low", "high", "n")
        table = Table(heads, rows, "Means with 95% intervals", note, name="means")
        return Result(
            command="rouge",
            signature=signed(str(self.rouge), tok=self.rouge.tokenizer),
            values=[dict(zip(heads, row, strict=True)) for row in rows],
            tables=[table],
            charts=[Chart("means", partial(_means_chart, means), "Means with 95% intervals.")],
        )

    @property
    def signature(self) -> Signature:
        """What one must know to get the same scores again."""
        return self.result.signature

    @property
    def left_out(self) -> tuple[str, ...]:
        """What was not scored: nothing, for wrong input is refused."""
        return self.result.left_out

    def __str__(self) -> str:
        return str(self.result)

    def __repr__(self) -> str:
        return repr(self.result)

    def _repr_html_(self) -> str:
        return self.result._repr_html_()

    def to_frame(
        self,
        name: Literal["scores", "means"] = "scores",
        *,
        library: Literal["pandas", "polars"] | None = None,
    ) -> Any:
        """Give every item's scores, or the means, as a data frame."""
        if name == "means":
            return self.result.to_frame(library=library)
        columns = {measure: self[measure].tolist() for measure in self.rouge.measures}
        return made_frame({"id": list(self.ids), **columns}, library)

    def to_dict(self) -> dict[str, Any]:
        """Give the means as the object that JSON has."""
        return self.result.to_dict()

    def to_csv(self) -> str:
        """Write the means as CSV."""
        return self.result.to_csv()

    def to_latex(self) -> str:
        """Write the means for LaTeX."""
        return self.result.to_latex()

    def to_html(self) -> str:
        """Write the means as HTML."""
        return self.result.to_html()

    def plot(self, kind: str | None = None) -> "Figure":
        """Draw the means with their intervals."""
        return self.result.plot(kind)

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


def _means_chart(means: Sequence[tuple[str, Mean]]) -> "Figure":
    from pyramidion.report.charts.rows import PanelRow, RowPanel, row_panels_figure

    rows = tuple(PanelRow(name, own.mean, own.low, own.high) for name, own in means)
    return row_panels_figure(
        [RowPanel("", rows)],
        title="ROUGE",
        note="means with 95% intervals",
        label="mean",
        form="points",
    )
