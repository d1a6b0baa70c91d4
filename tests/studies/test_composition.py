"""Tables 4.5 to 4.7, and n-grams that summaries share with their input, on texts worked by hand."""

from dataclasses import replace

import numpy as np
import pytest

from pyramid.reliability_samples import peer_of, pyramid_of
from pyramidion.collection import Collection, Document, Summary, Topic
from pyramidion.studies import composition, tiling
from support import shared_collection

#: Every method can only take this sentence; it has five words that count.
SENTENCE = "Rain flooded the roads of Oslo on Monday."


@pytest.fixture
def mine():
    topics = [Topic(id, documents=(Document(f"{id}d", SENTENCE),)) for id in ("T1", "T2")]
    people = [Summary(id, "A", SENTENCE, kind="human") for id in ("T1", "T2")]
    peers = [Summary(id, "X", "Rain flooded the roads.") for id in ("T1", "T2")]
    return Collection("mine", topics=tuple(topics), summaries=(*people, *peers))


def rows_of(result, measure):
    return {row.summarizer: row for row in result if row.measure == measure}


def test_methods_are_next_to_the_thesis_and_other_machines(mine):
    result = composition(mine)
    unigrams, bigrams = rows_of(result, "rouge-1-r"), rows_of(result, "rouge-2-r")
    names = ["sum-prod", "sum-avr", "sum-avr(context=off)", "sum-sum"]
    names += [*(f"{name}, all sentences" for name in names), "X"]
    assert list(unigrams) == names
    assert [unigrams[name].mean for name in names] == [*[1] * 8, pytest.approx(3 / 5)]
    # Three of seven bigrams; of four ways to swap two equal differences two are as extreme.
    assert (bigrams["X"].mean, bigrams["X"].p) == (pytest.approx(3 / 7), 0.5)
    sentences = rows_of(result, "sentences")
    assert (sentences["sum-sum"].mean, sentences["sum-sum"].thesis) == (1, 2.36)
    # One reference makes no pyramid.
    assert not rows_of(result, "modified")
    assert "(Table 4.7): no topic has a pyramid" in str(result.left_out)


def test_pyramids_and_annotations_by_hand_go_first(mine):
    pyramid = pyramid_of([[1, 1], [1, 0], [0, 1]])
    peer = peer_of(pyramid, [0, 0, 1], outside=1)
    annotated = replace(
        mine,
        pyramids={("", "T1"): pyramid},
        peer_annotations={("", "T1", "X"): peer},
    )
    result = composition(annotated, topic="T1")
    # Two units that weigh 2 and 1 of three units said, one of which is not in the pyramid: the
    # best three weigh 4, the best two (a reference has two) weigh 3; the first is said twice.
    scores = [rows_of(result, name)["X"].mean for name in ("original", "modified", "repeated")]
    assert scores == [3 / 4, 1.0, 1.0]
    assert "annotated by hand" in str(result)


def test_what_two_sentences_say_is_repeated(mine):
    texts = (SENTENCE, "On Monday the roads of Oslo were flooded by rain.")
    again = (Summary("T1", "Y", texts), Summary("T1", "B", SENTENCE, kind="human"))
    result = composition(replace(mine, summaries=(*mine.summaries, *again)), topic="T1")
    repeated = rows_of(result, "repeated")
    # The flood, and when it was.
    assert (repeated["X"].mean, repeated["Y"].mean) == (0, 2)
    assert "by similarity" in str(result)


def test_all_sentences_may_be_chosen_twice_as_in_the_thesis(mine):
    other = "Nobody had expected such heavy weather in this quiet season."
    documents = [Document(f"d{n}", f"{SENTENCE} {other}") for n in (1, 2)]
    again = Summary("T1", "B", SENTENCE, kind="human")
    repeating = replace(
        mine, topics=(Topic("T1", documents=tuple(documents)),),
        summaries=(*(s for s in mine.summaries if s.topic == "T1"), again),
    )  # fmt: skip
    repeated = rows_of(composition(repeating, words=16), "repeated")
    # Without context nothing else keeps the best sentence, of both documents, from being repeated.
    assert repeated["sum-avr(context=off)"].mean == 0
    assert repeated["sum-avr(context=off), all sentences"].mean > 0
    # Used words lose their weight, so that the second sentence is the other one.
    assert repeated["sum-avr, all sentences"].mean == 0


def test_rules_matter_on_news():
    news = shared_collection("data/ecbplus_topics.jsonl.gz")
    topics = [topic.id for topic in news.topics[:12]]
    result = composition(news, topic=topics)
    sentences, repeated = rows_of(result, "sentences"), rows_of(result, "repeated")
    for name in ("sum-prod", "sum-avr", "sum-avr(context=off)"):
        assert sentences[f"{name}, all sentences"].mean > sentences[name].mean
    name = "sum-avr(context=off)"
    assert repeated[f"{name}, all sentences"].mean > 2 * repeated[name].mean
    # Methods on all sentences are compared with each other.
    assert repeated[f"{name}, all sentences"].p < 0.05
    assert np.isnan(repeated["sum-avr, all sentences"].p)


def test_tiles_are_as_long_as_single_sentences_of_the_input_allow():
    topic = Topic("T1", documents=(Document("d", "Old ice melts. It rains in Oslo. Snow falls."),))
    texts = {
        # 'ice melts' and 'in Oslo' from two sentences; 'melts it' is across an end.
        "A": "Ice melts in Oslo.",
        # A whole sentence, and one whose words come from one in another order.
        "B": "It rains in Oslo. Melts old ice.",
        # Nobody wrote of hail.
        "C": "Melts it hail.",
    }
    people = [Summary("T1", name, text, kind="human") for name, text in texts.items()]
    machine = Summary("T1", "X", "Snow falls.")
    mine = Collection("c", topics=(topic,), summaries=(*people, machine))
    [everybody, machine_row] = tiling(mine)
    # 2 + 2; 4, 1 + 2; 1 + 1 and a word that is absent.
    assert everybody.lengths == (3, 3, 0, 1)
    assert (everybody.sentences, everybody.words) == (4, 14)
    assert everybody.tile == pytest.approx(13 / 7)
    assert everybody.absent == pytest.approx(1 / 14)
    assert (everybody.one_sentence, everybody.whole) == (0.5, 0.25)
    assert (machine_row.summarizer, machine_row.tile, machine_row.whole) == ("X", 2, 1)
