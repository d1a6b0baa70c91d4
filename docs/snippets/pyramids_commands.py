"""Look at a pyramid of the demonstration collection, as the commands do."""

import tempfile

from pyramidion.demo import load_demo
from pyramidion.pyramid._source import Selection
from pyramidion.report.pyramid_missed import pyramid_missed_answer
from pyramidion.report.pyramid_tiers import pyramid_tiers_answer

with tempfile.TemporaryDirectory() as folder:
    load_demo().save(f"{folder}/demo")
    chosen = Selection(tasks=("A",), topics=("P01",), systems=("D",))
    tiers = pyramid_tiers_answer(f"{folder}/demo", chosen, examples=1)
    missed = pyramid_missed_answer(f"{folder}/demo", chosen, top=2)

print(tiers.tables[0].to_text())
print(missed.tables[0].to_text(), end="")
assert len(missed.results[0]["missed"]) == 2
