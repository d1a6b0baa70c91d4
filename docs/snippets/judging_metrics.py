"""Ask whether metrics find the differences that people find, and what they do not see."""

import numpy as np

from pyramidion import ScoreMatrix, Scores, gap, verdicts

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

result = verdicts(scores, human="pyramid", top=10, combine="careful,rough")
people_say = result[0].study
assert people_say is not None  # one row is about one task and year
print(f"{people_say.chosen.rule}: {people_say.significant} of {people_say.pairs} pairs differ")
for one in result:
    found = one.agreement
    print(
        f"{one.metric}: accuracy {found.accuracy:.2f}, precision {found.precision:.2f}, "
        f"recall {found.recall:.2f}, balanced accuracy {found.balanced_accuracy:.2f}"
    )

for human_gap in gap(scores, human="pyramid"):
    told = human_gap.by_metric
    print(
        f"{human_gap.metric}: people are {human_gap.gap:.2f} [{human_gap.low:.2f}, "
        f"{human_gap.high:.2f}] above the line; "
        f"{told.person_better} of {told.pairs} pairs told apart"
    )
