"""Show how scores become stable as the pyramids of the demonstration grow."""

from pyramidion.demo import load_demo
from pyramidion.studies import stability

result = stability(load_demo())
together = result.together
for row in together.errors:
    print(row.order, row.points, round(row.p1, 2), round(row.p2, 2), round(row.p3, 2))

# Twelve pyramids of four references: 6 pairs each, and C(2, n) pyramids that contain neither.
assert [row.points for row in together.errors] == [12 * 6 * 2, 12 * 6]
assert together.errors[0].p > together.errors[1].p
assert all(pair.order is not None for topic in result.topics for pair in topic.study.diverging)
