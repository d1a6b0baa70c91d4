"""Small examples of `pyramidion.metrics._word_distributions`."""

from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._word_distributions import word_counts
from pyramidion.text.encoding import Reading


def test_word_counts():
    cases = ScoringBatch.of_texts(["Rain, rain."], [["Rain fell.", "It rained."]])
    counts = next(word_counts(cases, "references", Reading()))
    assert (counts.peer.tolist(), counts.other.tolist(), counts.other_totals.tolist()) == (
        [0.0, 0.0, 2.0],
        [1.0, 1.0, 2.0],
        [4.0],
    )
