"""Print the table of metrics in docs/metrics.md."""

from pyramidion.metrics import BUILT_IN, parse_metric

print("| metric | needs | better is | what it measures | source |")
print("|---|---|---|---|---|")
for metric in BUILT_IN:
    names = ", ".join(f"`{name}`" for name in metric.names())
    needs = ", ".join(sorted(parse_metric(metric.names()[0]).requirements))
    print(f"| {names} | {needs} | {metric.better()} | {metric.summary} | {metric.citation} |")
