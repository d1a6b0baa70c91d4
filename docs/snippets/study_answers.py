"""Study the demonstration collection, as the commands do."""

from pyramidion.demo import load_demo
from pyramidion.studies import content_units, lognormal, utility

demo = load_demo()
for answer in (
    content_units(demo),
    utility(demo, sentences=4),
    lognormal(demo, topic=["P01", "P02"], task="A"),
):
    print(answer.tables[-1].to_text())
