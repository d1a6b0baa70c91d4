"""Compare the differences that metrics and people find, and measure the gap between them."""

import pandas as pd  # pip install pandas

from pyramidion import gap, verdicts

scores = pd.read_csv("years.csv").query("collection == 2031 and system != 'Kapok'")

result = verdicts(
    scores, human="responsiveness", metrics="rouge-2-r,bleu", top=10, combine="rouge-2-r,bleu"
)
people = result[0].study
assert people is not None  # a row belongs to one task and year
print(f"{people.chosen.rule}: {people.significant} of {people.pairs} pairs differ")
for row in result:
    agreement = row.agreement
    print(
        f"{row.metric}: accuracy {agreement.accuracy:.2f}, precision {agreement.precision:.2f}, "
        f"recall {agreement.recall:.2f}, balanced accuracy {agreement.balanced_accuracy:.2f}"
    )

for row in gap(scores, human="responsiveness", metrics="rouge-2-r,bleu"):
    print(
        f"{row.metric}: people are {row.gap:.2f} [{row.low:.2f}, {row.high:.2f}] above the line; "
        f"significantly better in {row.by_metric.person_better} of {row.by_metric.pairs} pairs"
    )
