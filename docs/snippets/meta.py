"""Judge three metrics against responsiveness, with and without people among the peers."""

import numpy as np

from pyramidion import ScoreMatrix, Scores, meta

rng = np.random.default_rng(1)
people = np.array([False] * 10 + [True] * 3)
quality = np.linspace(0, 1, 13) + 2 * people + rng.normal(size=(20, 13))
measures = {
    "responsiveness": np.clip(np.rint(quality + 2), 1, 5),
    "sees-all": quality + 0.5 * rng.normal(size=quality.shape),
    "sees-machines": quality - 1.5 * people + 0.5 * rng.normal(size=quality.shape),
    "sees-nothing": rng.normal(size=quality.shape),
}
topics = [f"T{number}" for number in range(20)]
systems = [*map(str, range(10)), "A", "B", "C"]
scores = Scores.concatenate(
    ScoreMatrix(values, topics, systems, people, measure=name).to_scores()
    for name, values in measures.items()
)

(result,) = meta(scores, human="responsiveness")
for peers in ("all", "machines"):
    print(peers)
    for metric, found in result.ranked(level="system", coefficient="pearson", peers=peers):
        print(f"  {metric}: {found.value:.2f} [{found.low:.2f}, {found.high:.2f}]")

(matrix,) = (m for m in result.matrices if (m.level, m.peers) == ("input", "all"))
print({rank.metric: rank.group for rank in matrix.metrics})
