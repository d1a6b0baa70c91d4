"""Leave out the less consistent of three assessors, and rank systems again."""

from pyramidion.collection import Collection, Judgment, Scores
from pyramidion.evaluation.assessors.impact import assessor_impact
from pyramidion.evaluation.assessors.panel import gather_panel
from pyramidion.evaluation.assessors.worst import WorstFirst

judged = {"K": (1, 2, 3, 4, 5), "L": (2, 1, 3, 5, 4), "M": (5, 4, 3, 3, 4)}
rows = [
    Judgment(f"topic of {assessor}", str(system), "readability", float(value), assessor=assessor)
    for assessor, values in judged.items()
    for system, value in enumerate(values, start=1)
]
panel = gather_panel([Collection("2011", scores=Scores.from_judgments(rows))])
worst = WorstFirst("alpha", ("M", "L", "K"), (0.49, 0.72, 0.93))
for step in assessor_impact(panel, "2011", "readability", worst).steps:
    without = ", ".join(step.left_out) or "nobody"
    print(f"without {without}: r = {step.pearson:.3f}, rho = {step.spearman:.3f}", end="")
    print(f", any {len(step.left_out)}: {step.chance.pearson:.3f}" if step.chance else "")

assert step.topics == 1
