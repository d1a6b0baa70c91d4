"""Summaries as answers: what is asked, what is made, what is told."""

from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.collection import Collection, Document, Summary, Task, Topic
from pyramidion.errors import InputError
from pyramidion.report.explaining import Explanation
from pyramidion.report.summaries import MadeSummary, Summaries
from pyramidion.report.summarizing import SummarizeRequest, summarize_answer, write_peers
from pyramidion.rewriting.edits import Replacement
from pyramidion.rewriting.options import RewriteOptions
from pyramidion.summarizers import (
    ChosenSentence,
    Extract,
    Limit,
    Source,
    parse_summarizer,
    summarizer_names,
)
from pyramidion.text import tokenize

RAIN = "Heavy rain flooded the harbor road. The mayor spoke to a crowd. Goats were sold in town."


def topic(id, *texts, **fields):
    documents = tuple(Document(f"d{n}", text) for n, text in enumerate(texts, start=1))
    return Topic(id, documents=documents, **fields)


def test_a_task_that_only_summaries_name_is_asked_where_it_is_used():
    collection = Collection(
        "mine",
        topics=(topic("T1", RAIN), topic("T2", RAIN)),
        summaries=(Summary("T1", "A", "Rain.", "X"), Summary("T2", "A", "Rain.", "Y")),
    )
    request = SummarizeRequest()
    assert request.addresses(collection) == [("X", "T1"), ("Y", "T2")]
    assert SummarizeRequest(tasks=("Y",)).addresses(collection) == [("Y", "T2")]


def test_a_declared_task_is_asked_of_every_topic():
    collection = Collection(
        "mine",
        tasks=(Task("A", word_limit=7),),
        topics=(topic("T1", RAIN), topic("T2", RAIN)),
        summaries=(Summary("T1", "A", "Rain.", "A"),),
    )
    request = SummarizeRequest()
    assert request.addresses(collection) == [("A", "T1"), ("A", "T2")]
    assert request.limit(collection.task("A")).words == 7
    assert SummarizeRequest(words=9).limit(collection.task("A")).words == 9
    assert request.limit(Task("B")).words == 100


def test_notes_are_told_once_with_their_number():
    collection = Collection("mine", topics=(topic("T1", RAIN), topic("T2", RAIN, title="Goats")))
    summaries = Summaries(collection, SummarizeRequest(("first",), words=2))
    for own in collection.topics:
        summaries.add("", own)
    assert summaries.notes() == ["no sentence fits in 2 words: the best is cut off (2 of 2)"]


def test_who_asks_is_told_that_nobody_listens():
    collection = Collection("mine", topics=(topic("T1", RAIN, title="Goats"),))
    for request, notes in (
        (SummarizeRequest(("first",)), []),
        (SummarizeRequest(("first",), query="goats"), ["first takes no notice of the query"]),
        (SummarizeRequest(("sum-avr",), query="goats"), []),
    ):
        summaries = Summaries(collection, request)
        summaries.add("", collection.topics[0])
        assert summaries.notes() == notes


def test_a_query_changes_what_is_chosen(tmp_path):
    (tmp_path / "a.txt").write_text(RAIN)
    texts = [
        summarize_answer([tmp_path / "a.txt"], SummarizeRequest(words=7, query=query)).results[0]
        for query in ("", "When were goats sold?")
    ]
    assert "Goats were sold in town." not in texts[0]["text"]
    assert texts[1]["text"] == "Goats were sold in town."


def test_the_signature_says_how(tmp_path):
    (tmp_path / "a.txt").write_text(RAIN)
    request = SummarizeRequest(("sum-avr", "first"), words=9, fit="stop", order="chosen")
    answer = summarize_answer([tmp_path / "a.txt"], request)
    details = "|words:9|fit:stop|order:chosen|tok:rouge|v"
    assert str(answer.signature).startswith(f"sum-avr,first{details}")


#: Another value of everything that changes a summary.
OTHERWISE = {
    "methods": ("lead",),
    "words": 9,
    "fit": "stop",
    "order": "chosen",
    "context": False,
    "topics": ("T1",),
    "tasks": ("A",),
    "focus": "generic",
    "query": "goats",
    "language": "de",
    "tokenizer": "unicode",
    "all_sentences": True,
    "rewrite": RewriteOptions(("people",), pipeline="light"),
}
#: What changes only what is shown, or what a summary is called.
SHOWN = {"system", "explain", "who"}


def signature_of(**options):
    collection = Collection("mine", tasks=(Task("A"),), topics=(topic("T1", RAIN),))
    summaries = Summaries(collection, SummarizeRequest(**options))
    summaries.add("A", collection.topics[0])
    return str(summaries.signature)


def test_every_option_is_in_the_signature():
    names = {field.name for field in fields(SummarizeRequest)}
    assert names == OTHERWISE.keys() | SHOWN
    plain = signature_of()
    for name, value in OTHERWISE.items():
        assert signature_of(**{name: value}) != plain, name
    for name, value in (("system", "mine"), ("explain", True)):
        assert signature_of(**{name: value}) == plain, name
    asked = signature_of(query="goats\nand rain", topics=("T1",), all_sentences=True)
    assert "|tok:rouge|query:goats and rain|sentences:all|topic:T1|v" in asked


def test_peers_go_into_a_copy(tmp_path):
    Collection("mine", topics=(topic("T1", RAIN),)).save(tmp_path / "mine")
    answer = summarize_answer([tmp_path / "mine"], SummarizeRequest(words=7))
    write_peers(answer, tmp_path / "copy")
    assert Collection.load(tmp_path / "mine").summaries == ()
    assert Collection.load(tmp_path / "copy").summaries == answer.peers
    assert Collection.load(tmp_path / "copy").topics == answer.collection.topics


def test_too_little_memory_is_one_line(monkeypatch):
    collection = Collection("mine", topics=(topic("T1", RAIN),))
    summaries = Summaries(collection, SummarizeRequest(("lexrank",)))

    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(type(parse_summarizer("lexrank")), "summarize", fail)
    summaries.add("", collection.topics[0])
    with pytest.raises(InputError, match="there is too little memory for this method"):
        summaries.require_any()


@given(st.text(max_size=300), st.integers(1, 12), st.sampled_from(["fill", "stop", "truncate"]))
@settings(deadline=None)
def test_any_text_gives_a_summary_within_the_limit_or_a_clear_error(text, words, fit):
    collection = Collection("mine", topics=(Topic("T1", documents=(Document("d", text),)),))
    summaries = Summaries(collection, SummarizeRequest(("sum-avr",), words=words, fit=fit))
    summaries.add("", collection.topics[0])
    if not summaries.peers():
        with pytest.raises(InputError, match="nothing to summarize"):
            summaries.require_any()
        assert not text.strip()
        return
    [peer] = summaries.peers()
    assert 0 < peer.words <= words
    for sentence in peer.text:
        assert " ".join(sentence.split()) in " ".join(text.split())


@pytest.mark.parametrize("name", summarizer_names())
def test_every_method_can_be_explained(name):
    """Whatever a method weighs (words, pairs of words, nothing), there is something to show."""
    texts = [RAIN, "Rain flooded the harbor. The mayor sold goats to a crowd at the harbor road."]
    source = Source.of_texts(texts, query="rain", references=["Rain flooded the road."])
    method = parse_summarizer(name)
    extract = method.summarize(source, Limit(20))
    explanation = Explanation(method, source, extract)
    assert set(explanation.terms) == {sentence.rank for sentence in extract.sentences}
    *_, why = explanation.tables("T1")
    assert len(why.rows) == len(extract.sentences)
    assert all(row[3] for row in why.rows)
    assert all(explanation.terms.values()), "a sentence is chosen for nothing"
    if explanation.weights and name != "hmm-qr":
        words = {own for text in texts for own in tokenize(text)}
        found = {
            part for own in explanation.terms.values() for term, _ in own for part in term.split()
        }
        assert {part.lower() for part in found} <= words | {"position"}


@pytest.mark.parametrize(
    "name",
    ["sum-sum", "sum-sum(count=tokens)", "gistexter", "centroid", "coverage", "oracle", "mmr"],
)
def test_the_terms_of_a_sum_add_up_to_the_score(name):
    """Whatever is added, words or concepts with stop words in them, nothing is missing."""
    texts = [RAIN, "Rain flooded the harbor. The mayor sold goats to a crowd at the harbor road."]
    references = ["Rain flooded the road.", "The mayor sold goats. Goats were sold in town."]
    source = Source.of_texts([*texts, "Ferries burned at a quay in Oslo."], references=references)
    method = parse_summarizer(name)
    extract = method.summarize(source, Limit(40))
    explanation = Explanation(method, source, extract)
    assert len(extract.sentences) > 1
    for sentence in extract.sentences:
        total = sum(weight for _, weight in explanation.terms[sentence.rank])
        assert total == pytest.approx(sentence.score)


def test_nothing_left_is_not_no_weights():
    """What was covered before counts for nothing when a sentence only fills the room."""
    texts = ["Heavy rain fell on Ardel. Late on Monday heavy rain fell.", "Heavy rain fell on us."]
    source = Source.of_texts(texts)
    method = parse_summarizer("coverage")
    extract = method.summarize(source, Limit(12))
    terms = Explanation(method, source, extract).terms
    chosen = {sentence.rank: sentence.score for sentence in extract.sentences}
    assert chosen[2] == 0
    assert sum(weight for _, weight in terms[2]) == 0
    assert "rain fell" not in dict(terms[2])


def test_what_was_rewritten_is_shown():
    change = Replacement(0, 3, "Orr", "Ada Orr", "person", "first mention", "d2", 4)
    shorter = Replacement(9, 20, "the town hall", "it", "noun phrase", "later mention")
    text = "Ada Orr left it."
    sentence = ChosenSentence(
        text, "1", 0, 0.5, 1, rewritten=True, replacements=(change, shorter), before="Orr left ..."
    )
    source = Source.of_texts(["Orr left the town hall."])
    extract = Extract((sentence,), "sum-avr")
    method = parse_summarizer("sum-avr")
    *_, table = Explanation(method, source, extract).tables("T1")
    assert table.title == "T1: what was rewritten"
    assert table.to_records() == [
        {"chosen": 1, "kind": "person", "before": "Orr", "after": "Ada Orr",
         "reason": "first mention", "from": "d2, sentence 5"},
        {"chosen": 1, "kind": "noun phrase", "before": "the town hall", "after": "it",
         "reason": "later mention", "from": ""},
    ]  # fmt: skip
    [told] = MadeSummary("", Topic("T1"), "mine", extract).record["sentences"]
    assert (told["rewritten"], told["cut"], told["before"]) == (True, False, "Orr left ...")
    assert told["replacements"][0]["after"] == "Ada Orr"
    assert told["replacements"][0]["index"] == 4


def test_words_are_shown_as_they_are_written():
    source = Source.of_texts(["Ferries burned. Ferries sank off O'Donnell's Point in 40 minutes."])
    method = parse_summarizer("sum-avr")
    extract = method.summarize(source, Limit(10))
    explanation = Explanation(method, source, extract)
    words = {word for terms in explanation.terms.values() for word, _ in terms}
    assert {"Ferries", "Point", "40"} <= words
    assert explanation.weights[0][0] == "ferries"
