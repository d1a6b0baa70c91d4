"""Print the table of metrics in docs/metrics.md."""

from pyramidion.metrics import BUILT_IN, parse_metric

print("| metric | needs | better is | range | weaknesses | what it measures | source |")
print("|---|---|---|---|---|---|---|")
for metric in BUILT_IN:
    names = ", ".join(f"`{name}`" for name in metric.names())
    needs = sorted(parse_metric(metric.names()[0]).requirements)
    requirements = ", ".join([*needs, *([f"`[{metric.extra}]`"] if metric.extra else [])])
    facts = (names, requirements, metric.better(), metric.bounds, metric.confuses)
    print("|", *" | ".join((*facts, metric.summary, metric.citation)).split(), "|")
