"""Leave out the less consistent of three assessors, and rank systems again."""

from pyramidion import assessors
from pyramidion.collection import Collection, Judgment, Scores

# Each assessor judged five systems on their own topic, on two occasions.
judged = {
    "K": ((1, 2, 3, 4, 5), (1, 2, 3, 4, 4)),
    "L": ((2, 1, 3, 5, 4), (2, 2, 3, 4, 4)),
    "M": ((5, 4, 3, 3, 4), (3, 5, 2, 4, 4)),
}
rows = [
    Judgment(
        f"topic of {assessor}", str(system), "readability", float(value),
        assessor=assessor, occasion=occasion,
    )
    for assessor, occasions in judged.items()
    for occasion, values in zip(("first", "second"), occasions, strict=True)
    for system, value in enumerate(values, start=1)
]  # fmt: skip
result = assessors(Collection("2011", scores=Scores.from_judgments(rows)), impact=True)
for step in result.impacts[0].steps:
    without = ", ".join(step.left_out) or "nobody"
    print(f"without {without}: r = {step.pearson:.3f}, rho = {step.spearman:.3f}", end="")
    print(f", any {len(step.left_out)}: {step.chance.pearson:.3f}" if step.chance else "")

assert [step.topics for step in result.impacts[0].steps] == [3, 2, 1]
