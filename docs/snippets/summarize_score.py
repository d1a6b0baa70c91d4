"""Summarize the demonstration collection by two methods, score the summaries, compare."""

import tempfile
from pathlib import Path

from pyramidion.report.summarizing import SummarizeRequest, summarize_answer

from pyramidion import compare
from pyramidion.demo import load_demo
from pyramidion.metrics import score

with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    load_demo().save(folder / "demo")
    methods = SummarizeRequest(("sum-avr", "random"), tasks=("A",))
    summarize_answer([folder / "demo"], methods, output=folder / "mine")
    score(folder / "mine", measures="rouge-2-r", stem=True, output=folder / "scores.csv")
    result = compare(folder / "scores.csv", tasks="A", baseline="random")

means = {system.system: system for system in result.systems}
assert means["sum-avr"].kind == "machine"
assert means["sum-avr"].n == len(load_demo().topics)
[pair] = (pair for pair in result.comparisons if "sum-avr" in (pair.a, pair.b))
assert pair.n == means["sum-avr"].n
