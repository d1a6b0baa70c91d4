"""A signature says what was asked of a study: another question has another signature."""

from dataclasses import fields, replace
from inspect import signature

import pytest

from pyramidion.collection import Scores
from pyramidion.demo import load_demo
from pyramidion.report.study_quality import quality_answer
from pyramidion.report.study_source import StudyRequest
from pyramidion.report.study_systems import SystemsRequest, systems_answer
from pyramidion.report.study_utility import utility_answer

#: Another value of each option of each study.
STUDIES = {
    quality_answer: {"measures": ("readability",)},
    systems_answer: {},
    utility_answer: {"measure": "usefulness", "extract": ("HNS20310412.0031/1",), "sentences": 3},
}
PLAIN = StudyRequest(topics=("P01", "P02"), stem=False)
#: Four people wrote about these.
SHARED = replace(PLAIN, topics=("P01", "P03", "P05"))


@pytest.fixture(scope="module")
def demo():
    collection = load_demo()
    scores = collection.scores
    other = scores.select(measure="relative-utility")
    columns = {**other.columns, "measure": ["usefulness"] * len(other)}
    return replace(collection, scores=Scores.concatenate([scores, Scores(columns, other.value)]))


def signed(study, demo, request=PLAIN, *more, **options):
    return str(study(demo, request, *more, **options).signature)


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.__name__)
def test_options_are_in_the_signature(study, demo):
    given = {"figure", *STUDIES[study]}
    named = {p.name for p in signature(study).parameters.values() if p.kind == p.KEYWORD_ONLY}
    assert named == given
    if not STUDIES[study]:
        return
    plain = signed(study, demo)
    for name, value in STUDIES[study].items():
        assert signed(study, demo, **{name: value}) != plain, name


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.__name__)
def test_topics_and_tasks_are_in_the_signature(study, demo):
    if study is systems_answer:
        asked, fewer = SHARED, SHARED.topics[:2]
    else:
        asked, fewer = PLAIN, PLAIN.topics[:1]
    plain = signed(study, demo, asked)
    assert signed(study, demo, replace(asked, topics=fewer)) != plain
    assert signed(study, demo, replace(asked, tasks=("A",))) != plain


def test_everything_about_systems_is_in_the_signature(demo):
    otherwise = {
        "measures": ("readability",),
        "baseline": "A",
        "confidence_level": 0.9,
        "draws": 200,
        "seed": 1,
    }
    assert {field.name for field in fields(SystemsRequest)} == otherwise.keys()
    few = SystemsRequest(draws=100)
    plain = signed(systems_answer, demo, SHARED, few)
    for name, value in otherwise.items():
        assert signed(systems_answer, demo, SHARED, replace(few, **{name: value})) != plain, name
