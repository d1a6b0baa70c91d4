"""Ask whether metrics find the differences that people find, and what they do not see."""

import numpy as np

from pyramidion import ScoreMatrix, Scores
from pyramidion.evaluation._gap.measure import human_gap
from pyramidion.evaluation._judged import meta_tables
from pyramidion.evaluation._verdicts.combinations import combine
from pyramidion.evaluation._verdicts.study import study_significance

rng = np.random.default_rng(1)
people = np.array([False] * 12 + [True] * 3)
quality = np.linspace(0, 1, 15) + 2 * people + rng.normal(size=(40, 15))
seen = quality - 1.5 * people  # what machines' words show
measures = {
    "pyramid": quality,
    "careful": seen + 0.5 * rng.normal(size=quality.shape),
    "rough": seen + rng.normal(size=quality.shape),
}
topics = [f"T{number}" for number in range(40)]
systems = [*map(str, range(12)), "A", "B", "C"]
scores = Scores.concatenate(
    ScoreMatrix(values, topics, systems, people, measure=name).to_scores()
    for name, values in measures.items()
)

(tables,) = meta_tables(scores, "pyramid")
study = study_significance(tables, top=10)
print(f"{study.chosen.rule}: {study.significant} of {study.pairs} pairs differ")
for one in combine([study], ["careful", "rough"]):
    found = one.agreement
    print(
        f"{one.name}: accuracy {found.accuracy:.2f}, precision {found.precision:.2f}, "
        f"recall {found.recall:.2f}, balanced accuracy {found.balanced_accuracy:.2f}"
    )

for metric in tables.metrics:
    gap = human_gap(tables, metric)
    told = gap.by_metric
    print(
        f"{metric}: people are {gap.gap:.2f} [{gap.low:.2f}, {gap.high:.2f}] above the line; "
        f"{told.person_better} of {told.pairs} pairs told apart"
    )
