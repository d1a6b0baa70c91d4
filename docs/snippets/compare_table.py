"""Write one table with two measures, as Markdown."""

from pathlib import Path

from pyramidion import compare
from pyramidion.demo import load_evaluation

result = compare(
    load_evaluation(),
    measures="responsiveness,readability",
    tasks="A",
    peers="machines",
    p_best=True,
)
result.save("table", "paper.md")
print("\n".join(Path("paper.md").read_text(encoding="utf-8").splitlines()[:7]))
