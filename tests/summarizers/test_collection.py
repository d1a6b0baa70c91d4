"""Summaries as answers: what is asked, what is made, what is told."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection import Collection, Document, Summary, Task, Topic
from pyramidion.engine.jobs import PartsOptions
from pyramidion.errors import InputError
from pyramidion.questions import Progress
from pyramidion.questions.options import option_specs
from pyramidion.summarizers import (
    CandidateRules,
    ChosenSentence,
    Explanation,
    Extract,
    Limit,
    Replacement,
    RewriterOptions,
    Source,
    TopicSummary,
    parse_summarizer,
    summarize_collection,
    summarizer_names,
)
from pyramidion.text import tokenize

DECLARED: Any = summarize_collection  # the front declares a plain function
OPTIONS = DECLARED.groups["options"]
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
    options = OPTIONS()
    assert options.addresses(collection) == [("X", "T1"), ("Y", "T2")]
    assert OPTIONS(task=("Y",)).addresses(collection) == [("Y", "T2")]


def test_a_declared_task_is_asked_of_every_topic():
    collection = Collection(
        "mine",
        tasks=(Task("A", word_limit=7),),
        topics=(topic("T1", RAIN), topic("T2", RAIN)),
        summaries=(Summary("T1", "A", "Rain.", "A"),),
    )
    options = OPTIONS()
    assert options.addresses(collection) == [("A", "T1"), ("A", "T2")]
    assert options.limit(collection.task("A")).words == 7
    assert OPTIONS(words=9).limit(collection.task("A")).words == 9
    assert options.limit(Task("B")).words == 100


def reported(collection, **options):
    lines = []
    summarize_collection(collection, progress=Progress(message=lines.append), **options)
    return lines


def test_notes_are_reported_once_with_their_number():
    collection = Collection("mine", topics=(topic("T1", RAIN), topic("T2", RAIN, title="Goats")))
    lines = reported(collection, method="first", words=2)
    assert lines == ["no sentence fits in 2 words, so the best is cut off (2 of 2)"]


def test_an_ignored_query_is_reported():
    collection = Collection("mine", topics=(topic("T1", RAIN, title="Goats"),))
    assert reported(collection, method="first") == []
    with_query = reported(collection, method="first", query="goats")
    assert with_query == ["first ignores the query"]
    assert reported(collection, method="sum-avr", query="goats") == []


def test_a_query_changes_what_is_chosen(tmp_path):
    (tmp_path / "a.txt").write_text(RAIN)
    texts = [
        summarize_collection(tmp_path / "a.txt", words=7, query=query)[0].text
        for query in ("", "When were goats sold?")
    ]
    assert "Goats were sold in town." not in texts[0]
    assert texts[1] == "Goats were sold in town."


def test_the_signature_says_how(tmp_path):
    (tmp_path / "a.txt").write_text(RAIN)
    result = summarize_collection(
        tmp_path / "a.txt", method="sum-avr,first", words=9, fit="stop", order="chosen"
    )
    details = "|words:9|fit:stop|order:chosen|tok:rouge|v"
    assert str(result.signature).startswith(f"sum-avr,first{details}")


def test_files_of_one_call_make_a_topic_and_commas_are_part_of_names(tmp_path):
    for name in ("a, b.txt", "c.txt"):
        (tmp_path / name).write_text(RAIN)
    result = summarize_collection([tmp_path / "a, b.txt", str(tmp_path / "c.txt")], words=7)
    assert [own.id for own in result.collection.topics[0].documents] == ["a, b", "c"]


#: Another value of everything that changes a summary, and what it takes to have an effect.
OTHERWISE = {
    "method": {"method": "lead"},
    "words": {"words": 9},
    "fit": {"fit": "stop"},
    "order": {"order": "chosen"},
    "no_context": {"method": "sum-avr", "no_context": True},
    "topic": {"topic": "T1"},
    "task": {"task": "A"},
    "focus": {"focus": "generic"},
    "query": {"query": "goats"},
    "language": {"language": "de"},
    "tokenizer": {"tokenizer": "unicode"},
    "all_sentences": {"all_sentences": True},
    "dangling": {"dangling": True},
    "trim": {"trim": "ages"},
    "stories": {"stories": True},
    "on_unsupported": {"method": "llm", "dry_run": True, "on_unsupported": "ask"},
    "allow": {"method": "llm", "dry_run": True, "allow": "Ardel"},
}
#: What changes only what is shown or where, or what a summary is called.
SHOWN = {
    "system", "explain", "citations", "peers", "dry_run", "answers", "parallel", "timeout",
    "price_input", "price_output", *(one.name for one in option_specs(PartsOptions)),
}  # fmt: skip
#: What is read: its hash is in the signature, or the names of the files.
READ = {"source", "update_of", "source_format"}


def signature_of(**options):
    collection = Collection("mine", tasks=(Task("A"),), topics=(topic("T1", RAIN),))
    return str(summarize_collection(collection, **options).signature)


def test_every_option_is_in_the_signature():
    # A package that adds options has its own test of them.
    question: Any = summarize_collection  # the front declares a plain function
    groups = {**question.groups, "rewriting": RewriterOptions}
    names = {one.name for group in groups.values() for one in option_specs(group)}
    assert names == OTHERWISE.keys() | SHOWN | READ
    signatures = {name: signature_of(**options) for name, options in OTHERWISE.items()}
    assert len({signature_of(), *signatures.values()}) == 1 + len(signatures)
    for name, value in (("system", "mine"), ("explain", True)):
        assert signature_of(**{name: value}) == signature_of(), name
    with_query = signature_of(query="goats\nand rain", topic="T1", all_sentences=True)
    assert "|tok:rouge|query:goats and rain|sentences:all|topic:T1|v" in with_query


def test_peers_go_into_a_copy(tmp_path):
    Collection("mine", topics=(topic("T1", RAIN),)).save(tmp_path / "mine")
    result = summarize_collection(tmp_path / "mine", words=7)
    result.save_peers(tmp_path / "copy")
    assert Collection.load(tmp_path / "mine").summaries == ()
    assert Collection.load(tmp_path / "copy").summaries == result.peers
    assert Collection.load(tmp_path / "copy").topics == result.collection.topics


def test_too_little_memory_is_one_line(monkeypatch):
    collection = Collection("mine", topics=(topic("T1", RAIN),))

    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(type(parse_summarizer("lexrank")), "summarize", fail)
    with pytest.raises(InputError, match="there is not enough memory for this method"):
        summarize_collection(collection, method="lexrank")


@given(st.text(max_size=300), st.integers(1, 12), st.sampled_from(["fill", "stop", "truncate"]))
def test_any_text_gives_a_summary_within_the_limit_or_a_clear_error(text, words, fit):
    collection = Collection("mine", topics=(Topic("T1", documents=(Document("d", text),)),))
    if not text.strip():
        with pytest.raises(InputError, match="nothing to summarize"):
            summarize_collection(collection, words=words, fit=fit)
        return
    [peer] = summarize_collection(collection, words=words, fit=fit).peers
    assert 0 < peer.words <= words
    for sentence in peer.text:
        assert " ".join(sentence.split()) in " ".join(text.split())


@pytest.mark.parametrize("name", [name for name in summarizer_names() if name != "llm"])
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
        observed = {
            part for own in explanation.terms.values() for term, _ in own for part in term.split()
        }
        assert {part.lower() for part in observed} <= words | {"position"}


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
    source = Source.of_texts(texts, rules=CandidateRules(repeats=True))
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
        {"table": "rewritten", "chosen": 1, "kind": "person", "before": "Orr",
         "after": "Ada Orr", "reason": "first mention", "from": "d2, sentence 5"},
        {"table": "rewritten", "chosen": 1, "kind": "noun phrase", "before": "the town hall",
         "after": "it", "reason": "later mention", "from": ""},
    ]  # fmt: skip
    [reported] = TopicSummary("", Topic("T1"), "mine", extract).record()["sentences"]
    assert (reported["rewritten"], reported["cut"], reported["before"]) == (
        True,
        False,
        "Orr left ...",
    )
    assert reported["replacements"][0]["after"] == "Ada Orr"
    assert reported["replacements"][0]["index"] == 4


def test_words_are_shown_as_they_are_written():
    source = Source.of_texts(["Ferries burned. Ferries sank off O'Donnell's Point in 40 minutes."])
    method = parse_summarizer("sum-avr")
    extract = method.summarize(source, Limit(10))
    explanation = Explanation(method, source, extract)
    words = {word for terms in explanation.terms.values() for word, _ in terms}
    assert {"Ferries", "Point", "40"} <= words
    assert explanation.weights[0][0] == "ferries"
