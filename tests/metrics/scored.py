"""What tests of metrics share."""

from dataclasses import fields

from hypothesis import strategies as st

from pyramidion.metrics import RougeMeasure, ScoringBatch, parse_metric
from pyramidion.rouge import Rouge

# Words too short to be stemmed and on no stop list, and two that are on it.
WORDS = ("kab", "lom", "rix", "tev", "zun")
STOP_WORDS = ("it", "was")

sentence = st.lists(st.sampled_from(WORDS + STOP_WORDS), max_size=7).map(" ".join)
text = st.lists(sentence, max_size=6).map(tuple)
texts = st.lists(text, min_size=1, max_size=5)


def expanded(rouge):
    """Return the single measures of a `Rouge`, in its order."""
    shared = {f.name for f in fields(RougeMeasure)} & {f.name for f in fields(Rouge)}
    options = {name: getattr(rouge, name) for name in shared}
    return tuple(RougeMeasure(measure, **options) for measure in rouge.measures)


def scores(name, cases):
    """Score every case with a metric as it is typed."""
    metric = parse_metric(name)
    return metric.score(metric.statistics(cases))


def score(name, peer, references=(), **sides):
    """Score one summary."""
    sides = {side: [texts] for side, texts in sides.items()}
    [value] = scores(name, ScoringBatch.of_texts([peer], [list(references)], **sides))
    return value
