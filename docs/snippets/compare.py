"""Compare systems by the judgments in a data frame, and plan the next evaluation."""

import pandas as pd  # pip install pandas

from pyramidion import compare, power

scores = pd.read_csv("years.csv")
people = scores.query("assessor_kind == 'person' and kind == 'machine' and system != 'Kapok'")

result = compare(people)
print(result.conclusion)
for system in result.systems[:3]:
    print(system.rank, system.system, f"{system.mean:.2f}", system.group)

pairs = result.to_frame("pairs")  # also to_dict(), to_csv(), to_latex(), to_html() and str()
picture = result.plot("ranking")  # result.chart_kinds lists the other figures

# Two lists, arrays or Series: the scores of two systems on the same topics, in the same order
means = people.pivot_table(index="topic", columns="system", values="value")
two = compare(means["Elm"], means["Cedar"])
low, high = two.interval
print(f"Elm - Cedar: {two.difference:.2f} [{low:.2f}, {high:.2f}], p = {two.p:.3f}")

plan = power(people, difference=0.3, systems=10)[0].plan.typical  # max-T over 45 pairs
print(f"topics needed: {plan.topics:.0f} [{plan.low:.0f}, {plan.high:.0f}]")

assert pairs["p"].tolist() == [pair.p for pair in result.comparisons]
assert getattr(picture, "title", "") == "Ranking: responsiveness ↑"
