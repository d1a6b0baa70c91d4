"""A signature says what was asked of a study: another question has another signature."""

from dataclasses import replace
from inspect import signature

import pytest

from pyramidion.collection import Scores, Summary
from pyramidion.demo import load_demo
from pyramidion.studies import (
    composition,
    content_units,
    frequent_words,
    likelihood,
    lognormal,
    quality,
    systems,
    tiling,
    utility,
    vocabulary,
    word_classes,
)

#: What studies are asked first, and another value of each option; four people wrote about each
#: of these topics.
PLAIN = {"topic": "P01,P03", "task": "A", "stem": False, "n_resamples": 100}
WORDS = {"all_words": True, "stem": True, "tokenizer": "rouge"}
STUDIES = {
    composition: {"words": 50},
    content_units: {"top": 3},
    frequent_words: {"top": 3, "brackets": 2, **WORDS},
    likelihood: {"words": 50, "absent": 0.1, "all_words": True, "stem": True},
    lognormal: {"absent": 0.1, **WORDS},
    quality: {"measures": "readability", "judgments": True},
    systems: {
        "measures": "readability",
        "baseline": "A",
        "confidence_level": 0.9,
        "n_resamples": 200,
        "seed": 1,
    },
    tiling: {**WORDS, "all_words": False},
    utility: {"measure": "usefulness", "extract": "HNS20310412.0031/1", "sentences": 3},
    vocabulary: {"texts": 3, **WORDS},
    word_classes: WORDS,
}
#: Options that say where the data are, which have a hash of their own.
DATA = {"source", "sources", "source_format", "peers", "against"}


@pytest.fixture(scope="module")
def demo():
    """The collection, with judgments of sentences under another name, too."""
    collection = load_demo()
    scores = collection.scores
    other = scores.select(measure="relative-utility")
    columns = {**other.columns, "measure": ["usefulness"] * len(other)}
    return replace(collection, scores=Scores.concatenate([scores, Scores(columns, other.value)]))


def signed(study, source, **options):
    parameters = signature(study).parameters
    keywords = {name: value for name, value in {**PLAIN, **options}.items() if name in parameters}
    return str(study(source, **keywords).signature)


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.__name__)
def test_everything_that_is_asked_is_in_the_signature(study, demo):
    otherwise = {"topic": "P01,P05", "task": "A,B", **STUDIES[study]}
    assert signature(study).parameters.keys() - DATA == otherwise.keys()
    plain = signed(study, demo)
    for name, value in otherwise.items():
        assert signed(study, demo, **{name: value}) != plain, name


def test_more_summaries_are_other_data(demo):
    more = Summary("P01", "7", "A ferry burned.", task="A")
    both = replace(demo, summaries=(*demo.summaries, more))
    assert signed(frequent_words, both) != signed(frequent_words, demo)
    peers = replace(demo, summaries=(more,))
    assert signed(frequent_words, demo, peers=peers) == signed(frequent_words, both)


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
    first_set, two, three = (tmp_path / name for name in "123")
    first = vocabulary([first_set, two], against=[three])
    second = vocabulary(first_set, against=[two, three])
    assert str(first.signature) != str(second.signature)
