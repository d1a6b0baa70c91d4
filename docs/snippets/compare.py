"""Compare three systems on twelve topics."""

import numpy as np

from pyramidion import ScoreMatrix, compare

rng = np.random.default_rng(1)
difficulty = rng.normal(size=(12, 1))
scores = difficulty + [0.0, 0.1, 1.2] + 0.3 * rng.normal(size=(12, 3))
matrix = ScoreMatrix(scores, [f"T{i}" for i in range(12)], ["lead", "random", "gpt"])

result = compare(matrix)
for system in result.systems:
    print(system.rank, system.system, round(system.mean, 2), system.group)

assert [system.group for system in result.systems] == ["a", "b", "b"]
assert result.counts.significant == 2
