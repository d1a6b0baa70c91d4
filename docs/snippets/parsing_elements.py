"""Compare the heads and modifiers of two summaries."""

from pyramidion.metrics import ScoringBatch, parse_metric

metric = parse_metric("basic-elements(pipeline=light)")
cases = ScoringBatch.of_texts(["Police arrested two men."], [["Two men were arrested."]])
print(metric.score(metric.statistics(cases)).tolist())
