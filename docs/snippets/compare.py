"""Compare three systems on twelve topics."""

import numpy as np
import pandas as pd

from pyramidion import compare, power

rng = np.random.default_rng(1)
difficulty = rng.normal(size=(12, 1))
scores = difficulty + [0.0, 0.1, 1.2] + 0.3 * rng.normal(size=(12, 3))
frame = pd.DataFrame(scores, columns=["lead", "random", "gpt"])  # a row a topic

result = compare(frame)
for system in result.systems:
    print(system.rank, system.system, round(system.mean, 2), system.group)

pairs = result.to_frame("pairs")  # also: to_dict(), to_csv(), to_latex(), to_html(), str()
picture = result.plot("ranking")  # shown by a notebook; result.chart_kinds lists others

two = compare(frame["gpt"], frame["lead"])  # two lists, arrays or Series: the same topics in order
low, high = two.interval
print(f"{two.difference:.2f} [{low:.2f}, {high:.2f}], p = {two.p:.4f}")

plan = power(frame, difference=0.3, systems=10)[0].plan.typical  # for max-T over 45 pairs
print(f"topics: {plan.topics:.0f} [{plan.low:.0f}, {plan.high:.0f}]")

assert [system.group for system in result.systems] == ["a", "b", "b"]
assert result.counts.significant == 2
assert pairs["p"].tolist() == [pair.p for pair in result.comparisons]
assert getattr(picture, "title", "") == "Ranking: score ↑"
assert two.p < 0.001 < low < two.difference < high
