"""Define a new metric: the share of a summary's numbers that occur in a reference."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion.metrics import Metric, Need, Reading, ScoringBatch
from pyramidion.questions import option


@dataclass(frozen=True, slots=True)
class SharedNumbers(Metric):
    """The share of a summary's different numbers that a reference has."""

    name: ClassVar[str] = "shared-numbers"
    title: ClassVar[str] = "shared numbers"
    summary: ClassVar[str] = "share of the summary's numbers that a reference has"
    citation: ClassVar[str] = "this page"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    digits: int = option(1, "the least number of digits", min=1)

    def statistics(self, cases: ScoringBatch) -> np.ndarray:
        """Count the numbers that are shared, and all."""
        reading = Reading(stem=False)
        words = cases.texts.encoded(reading).words
        numbers = np.array([word.isdigit() and len(word) >= self.digits for word in words])
        own = cases.texts.counts(reading)[cases.peers][:, numbers] > 0
        theirs = cases.references.summed(cases.texts.counts(reading))[:, numbers] > 0
        shared = own.multiply(theirs[cases.references.of])
        return np.stack([shared.sum(axis=1), own.sum(axis=1)], axis=1).astype(float)

    def score(self, statistics: np.ndarray) -> np.ndarray:
        """Divide; a summary without numbers has no score."""
        shared, all_numbers = statistics[..., 0], statistics[..., 1]
        return np.where(all_numbers > 0, shared / np.maximum(all_numbers, 1), np.nan)


summaries = ["In 2011 44 topics were judged.", "50 topics.", "Some topics."]
cases = ScoringBatch.of_texts(summaries, [["TAC 2011 had 44 topics.", "There were 44."]] * 3)
metric = SharedNumbers(digits=2)
values = metric.score(metric.statistics(cases))
print(metric, values)
assert values[:2].tolist() == [1.0, 0.0]
assert np.isnan(values[2])
assert SharedNumbers.parse(str(metric)) == metric
