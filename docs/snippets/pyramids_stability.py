"""How scores settle as the pyramids of the demonstration grow."""

from pyramidion.demo import load_demo
from pyramidion.pyramid import pooled_errors, study_stability

studies = [study_stability(pyramid) for pyramid in load_demo().pyramids.values()]
errors = pooled_errors(study.errors for study in studies)
for row in errors:
    print(row.order, row.points, round(row.p1, 2), round(row.p2, 2), round(row.p3, 2))

# Twelve pyramids of four references: 6 pairs each, and C(2, n) pyramids without either.
assert [row.points for row in errors] == [12 * 6 * 2, 12 * 6]
assert errors[0].p > errors[1].p
assert all(pair.order is not None for study in studies for pair in study.diverging)
