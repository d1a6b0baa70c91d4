"""What tests of metrics share."""

from hypothesis import strategies as st

from pyramidion.metrics import ScoringBatch, parse_metric

# Words too short to be stemmed and on no stop list, and two that are on it.
WORDS = ("kab", "lom", "rix", "tev", "zun")
STOP_WORDS = ("it", "was")

sentence = st.lists(st.sampled_from(WORDS + STOP_WORDS), max_size=7).map(" ".join)
text = st.lists(sentence, max_size=6).map(tuple)
texts = st.lists(text, min_size=1, max_size=5)


def scores(name, cases):
    """Score every case with a metric as it is typed."""
    metric = parse_metric(name)
    return metric.score(metric.statistics(cases))


def score(name, peer, references=(), **others):
    """Score one summary."""
    others = {what: [own] for what, own in others.items()}
    [value] = scores(name, ScoringBatch.of_texts([peer], [list(references)], **others))
    return value
