"""Studies of the demonstration collection, as the commands do them."""

from pyramidion.demo import load_demo
from pyramidion.report.study_lognormal import lognormal_answer
from pyramidion.report.study_source import StudyRequest
from pyramidion.report.study_units import units_answer
from pyramidion.report.study_utility import utility_answer

demo = load_demo()
for answer in (
    units_answer(demo),
    utility_answer(demo, sentences=4),
    lognormal_answer(demo, StudyRequest(topics=("P01", "P02"), tasks=("A",))),
):
    print(answer.tables[-1].to_text())
