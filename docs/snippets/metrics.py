"""Score a small collection with several metrics."""

from pyramidion import Collection, Summary
from pyramidion.metrics import ScoringBatch, parse_metric, parse_metrics, score_collection

collection = Collection(
    "storm",
    summaries=(
        Summary("T1", "A", "Rain flooded the harbor road on Monday.", kind="human"),
        Summary("T1", "B", "Heavy rain closed a road at the harbor.", kind="human"),
        Summary("T1", "lead", "Rain flooded a road."),
        Summary("T1", "odd", "The mayor spoke."),
    ),
)

# A metric is a value: it prints as its name with options, and is parsed from this text.
metric = parse_metric("bleu(n=2,stem)")
assert str(metric) == "bleu(n=2,stem)"
assert metric == parse_metric("bleu(stem, n=2)")
assert metric.higher_is_better
assert metric.requirements == {"references"}

# All metrics of a run share the tokenized texts. People are compared with other people only.
result = score_collection(collection, parse_metrics("rouge-2-r, js-references, bleu(n=2,stem)"))
for summary, row in zip(result.summaries, result.values.round(2).tolist(), strict=True):
    print(summary.system, dict(zip(result.measures, row, strict=True)))

# Without a collection: texts, and the references they are scored against.
cases = ScoringBatch.of_texts(["Rain flooded a road."], [["Rain flooded the harbor road."]])
statistics = metric.statistics(cases)  # one row per summary, from which the score is computed
assert metric.score(statistics).shape == (1,)
assert metric.score(statistics.sum(axis=0)) == metric.score(statistics)[0]
