"""Summaries in one call."""

from dataclasses import replace

import pytest

import pyramidion
from pyramidion import summarize
from pyramidion.collection import Document, Topic
from pyramidion.errors import InputError
from pyramidion.summarizers import CandidateRules, Source, parse_summarizer
from pyramidion.text.encoding import Reading
from summarizers.inputs import ANY

RAIN, GOATS = "Heavy rain fell on Ardel today.", "Goats were sold at the market."
TOPIC = Topic(
    "T1",
    title="Goats",
    documents=(Document("a", f"{RAIN} Ardel has never seen rain."), Document("b", GOATS, "update")),
)


@pytest.mark.parametrize(
    "given",
    [
        f"{RAIN} {GOATS}",
        [RAIN, GOATS],
        (text for text in (RAIN, GOATS)),
        [Document("a", RAIN), Document("b", GOATS)],
        Document("a", f"{RAIN} {GOATS}"),
        Source.of_texts([RAIN, GOATS]),
    ],
    ids=["text", "texts", "iterator", "documents", "document", "source"],
)
def test_whatever_holds_text(given):
    assert summarize(given).text.splitlines() == [RAIN, GOATS]


def test_options_reach_their_places():
    assert summarize([RAIN, GOATS], words=6, query="goats", method="sum-avr").text == GOATS
    assert summarize([RAIN, GOATS], words=6, method="first").text == RAIN
    assert summarize([RAIN, GOATS], words=7, method="first", fit="truncate").words == 7
    assert summarize([RAIN, GOATS], method=parse_summarizer("lead"), order="chosen").text == (
        f"{GOATS}\n{RAIN}"
    )
    assert summarize(["Rain. Rain!"], rules=ANY, words=1).text == "Rain."
    reading = Reading(stem=False, stop_words=False, tokenizer="unicode")
    assert summarize([RAIN], reading=reading).words == 6
    assert (
        summarize(["Es regnete den ganzen Tag."], language="de")
        .notes[0]
        .startswith("the language is German (de)")
    )


def test_topics():
    assert summarize(TOPIC, words=6, method="mmr(query=0.9)").text == GOATS
    assert summarize(TOPIC, words=6, focus="generic").text != GOATS
    assert summarize(TOPIC, documents="base", method="first").text.startswith("Heavy")
    assert summarize(TOPIC, words=6, documents="update").text == GOATS
    seen = summarize(TOPIC, documents="update", method="lead").notes
    assert "lead ignores what the reader already knows" in seen
    assert summarize(TOPIC, words=6, query="rain").text != GOATS


def test_what_cannot_be_summarized_is_refused():
    with pytest.raises(InputError, match="int cannot be summarized; pass texts or documents"):
        summarize([1, 2])
    with pytest.raises(InputError, match="Document, str cannot be summarized"):
        summarize(["Rain.", Document("a", "Mud.")])
    with pytest.raises(InputError, match="a source takes no query; pass them when"):
        summarize(Source.of_texts([RAIN]), query="goats")
    with pytest.raises(InputError, match="nothing to summarize"):
        summarize([])
    with pytest.raises(InputError, match="the method is 3; pass a name such as auto"):
        summarize(RAIN, method=3)
    with pytest.raises(InputError, match="documents is 'nope'; use all or base or update"):
        summarize(TOPIC, documents="nope")
    for options in ({"documents": "base"}, {"documents": "nope"}, {"focus": "guided"}):
        with pytest.raises(InputError, match="only a topic has a focus and sets of documents"):
            summarize(RAIN, **options)
    with pytest.raises(InputError, match="a query and the focus generic cannot be combined"):
        summarize(TOPIC, focus="generic", query="goats")


def test_what_has_no_effect_is_reported():
    chosen = "auto: hmm-qr for one document and a question"
    assert summarize(RAIN, query="zebra").notes == (
        "the query has no effect: none of its words occur in the input",
        chosen,
    )
    assert summarize(RAIN, query="rain").notes == (chosen,)
    assert summarize(RAIN, query="zebra", method="lead").notes == ("lead ignores the query",)
    guided = summarize(TOPIC, focus="guided", method="mmr").notes
    assert guided == ("the topic has no category, so it has no aspects",)
    assert summarize(replace(TOPIC, category="4"), focus="guided", method="mmr").notes == ()
    message = "oracle does not cut off sentences: it takes whole sentences that fit"
    made = [
        summarize([RAIN, GOATS], words=8, method="oracle", fit=fit, references=[GOATS])
        for fit in ("truncate", "fill", "stop")
    ]
    assert [message in own.notes for own in made] == [True, False, False]
    assert all(own.words == 6 for own in made)


def test_coverage_fills_its_room_with_a_sentence_that_is_cut_off():
    made = {
        fit: summarize([RAIN, GOATS], words=8, method="coverage", fit=fit)
        for fit in ("truncate", "fill", "stop")
    }
    assert {fit: own.words for fit, own in made.items()} == {"truncate": 8, "fill": 6, "stop": 6}
    assert made["truncate"].sentences[-1].cut


@pytest.mark.parametrize(
    ("given", "options", "method"),
    [
        ([RAIN, GOATS], {}, "coverage(position=2.0,search=auto)"),
        ([RAIN, ""], {}, "lead"),
        ([RAIN], {"query": "goats"}, "hmm-qr"),
        ([RAIN], {"known": [GOATS]}, "coverage(position=2.0,search=auto)"),
        (["Rain fell on the harbor road. " * 400], {}, "hmm-qr"),
    ],
)
def test_the_default_is_chosen_for_the_input_and_reported(given, options, method):
    extract = summarize(given, words=10, **options)
    assert extract.method == method
    assert extract.notes[-1].startswith(f"auto: {method} for ")
    assert extract.text == summarize(given, words=10, method=method, **options).text


def test_it_is_a_public_name():
    assert pyramidion.summarize is summarize
    assert CandidateRules().least_words == 5
