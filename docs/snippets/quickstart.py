"""Check a data frame of judgments, compare the systems, and check metrics against people."""

import pandas as pd  # pip install pandas

from pyramidion import check, compare, meta

names = {"story": "topic", "team": "system", "output": "text", "gold": "reference"}
judged = pd.read_csv("judged.csv").rename(columns={**names, "rater": "assessor"})

# Is anything wrong with the data?
for finding in check(judged):
    print(f"{finding.severity}: {finding.subject}: {finding.message}")
judged = judged.query("system not in ['Iris', 'Kapok']")

# Which system is best, and how certain is that?
result = compare(judged, measures="content")
print(result.conclusion)
print(result.to_frame("systems")[["rank", "system", "mean", "low", "high", "group"]].round(2))

# Would ROUGE have ranked the systems as the raters did?
(evaluated,) = meta(judged, metrics="rouge-2,su4", human="content")
for metric, found in evaluated.ranked(level="system", coefficient="kendall", peers="all"):
    print(f"{metric}: {found.value:.2f} [{found.low:.2f}, {found.high:.2f}]")
