"""Without the package of models and word counts for English."""

import sys
from dataclasses import replace

import pytest

from pyramidion import summarize
from pyramidion.demo import load_demo
from pyramidion.errors import MissingExtraError
from pyramidion.metrics import score
from pyramidion.summarizers import Source, summarize_collection
from pyramidion.text import english_file, load_parser


@pytest.fixture(autouse=True)
def _no_english(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyramidion_english", None)


def test_the_package_is_named():
    message = "tagging needs the package pyramidion-english; run: pip install pyramidion-english"
    with pytest.raises(MissingExtraError, match=message):
        english_file("tagger.model", "tagging")
    with pytest.raises(MissingExtraError, match="pyramidion-english"):
        load_parser.__wrapped__("light").parse(["Rain fell."])
    with pytest.raises(MissingExtraError, match="cosine-input needs the package"):
        score(load_demo(), metrics="cosine-input")


def test_defaults_do_not_need_it():
    demo = load_demo()
    assert summarize_collection(demo, words=50)
    assert score(demo)


def test_pages_are_summarized_without_it():
    page = "Rain flooded Ardel on Monday. The roads were closed. Two men were rescued by goats."
    page += " The mayor said that the harbor was closed. Boats had sunk. Nobody was hurt there."
    page += "\n\nThe Very Long Way Home For Goats Of Ardel\n\nShows Made By Our Staff Every Day."
    source = Source.of_texts([page, page.replace("Monday", "Tuesday")])
    assert not source.usable[6]
    assert any("pip install pyramidion-english" in reason for reason in source.passed_over)


def test_the_default_method_for_one_document_does_not_need_it():
    sentence = "Rain fell on the valley of number {} for {} days before the river rose again. "
    story = "".join(sentence.format(number, 2 * number) for number in range(150))
    (chosen,) = summarize(story, words=30).notes
    assert chosen == (
        "auto: mmr for one document of more than 2,000 words "
        "(hmm-qr did better in the comparison; it needs pip install pyramidion-english)"
    )
    (chosen,) = summarize(story[:3000], words=30, query="valley 17").notes
    assert chosen.startswith("auto: lexrank for one document and a question (hmm-qr did better")


def test_all_metrics_are_those_that_can_be_computed():
    demo = load_demo()
    summaries = tuple(summary for summary in demo.summaries if summary.topic == "P01")
    names = {row["measure"] for row in score(replace(demo, summaries=summaries), metrics="all")}
    assert "rouge-2-f" in names
    assert not {"cosine-input", "signature-share"} & names
