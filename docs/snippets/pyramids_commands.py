"""Look at a pyramid of the demonstration collection, as the commands do."""

from pyramidion.demo import load_demo
from pyramidion.pyramid import missed, tiers

collection = load_demo()
found = tiers(collection, task="A", topic="P01", examples=1)
lacking = missed(collection, task="A", topic="P01", system="D", top=2)

print(found.tables[0].to_text(width=96))
print(lacking.tables[0].to_text(width=96), end="")
assert len(lacking[0].missed_units) == 2
