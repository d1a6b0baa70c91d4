"""A signature says what was asked of a study: another question has another signature."""

from dataclasses import fields, replace
from inspect import signature

import pytest

from pyramidion.collection import Scores, Summary
from pyramidion.demo import load_demo
from pyramidion.report.study_likelihood import likelihood_answer
from pyramidion.report.study_lognormal import lognormal_answer
from pyramidion.report.study_quality import quality_answer
from pyramidion.report.study_source import StudyRequest
from pyramidion.report.study_systems import SystemsRequest, systems_answer
from pyramidion.report.study_units import units_answer
from pyramidion.report.study_utility import utility_answer
from pyramidion.report.study_vocabulary import vocabulary_answer
from pyramidion.report.study_words import frequent_words_answer, word_classes_answer

#: Another value of each option of each study.
STUDIES = {
    frequent_words_answer: {"tops": (3,)},
    likelihood_answer: {"limit": 50, "absent": 0.1},
    lognormal_answer: {"absent": 0.1},
    quality_answer: {"measures": ("readability",)},
    systems_answer: {},
    units_answer: {"tops": (3,)},
    utility_answer: {"measure": "usefulness", "extract": ("HNS20310412.0031/1",), "sentences": 3},
    vocabulary_answer: {"texts": 3},
    word_classes_answer: {},
}
#: Which words count, for the studies that count them.
WORDS = {"all_words": True, "stem": True, "tokenizer": "rouge"}
BY_WORDS = (frequent_words_answer, lognormal_answer, vocabulary_answer, word_classes_answer)
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
    given = {"figure", "against", *STUDIES[study]}
    named = {p.name for p in signature(study).parameters.values() if p.kind == p.KEYWORD_ONLY}
    assert named | {"against"} == given
    if not STUDIES[study]:
        return
    plain = signed(study, demo)
    for name, value in STUDIES[study].items():
        assert signed(study, demo, **{name: value}) != plain, name


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.__name__)
def test_topics_tasks_and_words_are_in_the_signature(study, demo):
    if study is systems_answer:
        asked, fewer = SHARED, SHARED.topics[:2]
    else:
        asked, fewer = PLAIN, PLAIN.topics[:1]
    plain = signed(study, demo, asked)
    assert signed(study, demo, replace(asked, topics=fewer)) != plain
    assert signed(study, demo, replace(asked, tasks=("A",))) != plain
    if study in BY_WORDS:
        for name, value in WORDS.items():
            assert signed(study, demo, replace(PLAIN, **{name: value})) != plain, name
    if study is likelihood_answer:
        assert signed(study, demo, replace(PLAIN, all_words=True)) != plain
        assert signed(study, demo, replace(PLAIN, stem=True)) != plain


def test_more_summaries_are_other_data(demo):
    more = Summary("P01", "7", "A ferry burned.", task="A")
    both = replace(demo, summaries=(*demo.summaries, more))
    assert signed(frequent_words_answer, both) != signed(frequent_words_answer, demo)


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


def test_sets_on_the_other_side_are_other_data(tmp_path):
    """The same three sets, compared in two ways."""
    for name, texts in {
        "1": ("Ice.", "Ice!"),
        "2": ("Sea.", "Sun."),
        "3": ("Sea.", "Ice."),
    }.items():
        (tmp_path / name).mkdir()
        for number, text in enumerate(texts):
            (tmp_path / name / f"{number}.txt").write_text(text)
    one, two, three = (tmp_path / name for name in "123")
    first = vocabulary_answer([one, two], against=[three])
    second = vocabulary_answer([one], against=[two, three])
    assert str(first.signature) != str(second.signature)
