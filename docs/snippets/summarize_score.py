"""Summarize the demonstration with two methods, score the summaries, and compare them."""

import tempfile
from pathlib import Path

from pyramidion import compare, summarize_collection
from pyramidion.demo import load_demo
from pyramidion.metrics import score

summaries = summarize_collection(load_demo(), method="sum-avr, random", task="A")
print(summaries[0].text)

with tempfile.TemporaryDirectory() as name:
    scores = Path(name) / "scores.csv"
    score(summaries.to_collection(), metrics="rouge-2-r", stem=True, output=scores)
    result = compare(scores, tasks="A", baseline="random")

means = {system.system: system for system in result.systems}
assert means["sum-avr"].kind == "machine"
assert means["sum-avr"].n == len(load_demo().topics)
[pair] = (pair for pair in result.comparisons if "sum-avr" in (pair.a, pair.b))
assert pair.n == means["sum-avr"].n
