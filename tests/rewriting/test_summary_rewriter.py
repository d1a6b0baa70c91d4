"""Summaries that are rewritten, ours and anybody's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from pyramidion import summarize
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.rewriting import RewriteOptions, SummaryRewriter
from pyramidion.summarizers import Limit, Source, parse_summarizer, summarizer_names
from pyramidion.text import count_words

ARREST = (
    "The arrest in London of former dictator Tomas Aldana was widely discussed in the British "
    "press on Monday. The arrest followed a request by a Spanish judge.",
    "The arrest of Aldana surprised the government in Santiago.",
)
LIGHT = RewriteOptions(("people",), pipeline="light")
METHODS = [name for name in summarizer_names() if name not in ("llm", "oracle")]


def rewriter(texts, *kinds, **options):
    return SummaryRewriter(Source.of_texts(texts), RewriteOptions(kinds, **options))


@pytest.fixture(scope="module")
def demo():
    return load_demo()


def test_noun_phrases_say_more_at_first_and_less_later():
    """The manner of Nenkova (2006), section 4.3, sentences 1 and 2."""
    summary = [
        "The arrest caused an international controversy.",
        "The arrest in London of former dictator Tomas Aldana was debated for weeks.",
    ]
    rewritten = rewriter(ARREST, "np", pipeline="light").rewrite(summary)
    assert rewritten.sentences[0].text.startswith("The arrest in London of former dictator")
    [change] = rewritten.sentences[0].replacements[:1]
    assert (change.before, change.kind, change.reason) == ("The arrest", "noun phrase", "heaviest")


def test_nothing_to_rewrite_is_the_plain_summary(demo):
    source = Source.of_topic(demo, demo.topics[0], "A")
    method = parse_summarizer("sum-avr")
    plain = method.summarize(source, Limit(60))
    summary_rewriter = SummaryRewriter(source, RewriteOptions())
    assert summary_rewriter.summarize(method, Limit(60)) == plain
    assert tuple(summary_rewriter.details) == ()


@pytest.mark.parametrize(
    "kinds",
    [
        ("people", "np"),
        *(pytest.param((kind,), marks=pytest.mark.long) for kind in ("people", "np")),
    ],
)
def test_the_limit_holds_for_every_topic(demo, kinds):
    for topic in demo.topics:
        source = Source.of_topic(demo, topic, "A")
        summary_rewriter = SummaryRewriter(source, RewriteOptions(kinds, pipeline="light"))
        for words in (25, 60, 100):
            extract = summary_rewriter.summarize(parse_summarizer("sum-avr"), Limit(words))
            assert 0 < extract.words <= words
            assert len({sentence.rank for sentence in extract.sentences}) == len(extract.sentences)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_can_be_rewritten(demo, name):
    source = Source.of_topic(demo, demo.topics[3], "A")
    extract = SummaryRewriter(source, LIGHT).summarize(parse_summarizer(name), Limit(80))
    assert 0 < extract.words <= 80
    for sentence in extract.sentences:
        assert sentence.rewritten == bool(sentence.replacements or sentence.cut)
        assert sentence.rewritten == bool(sentence.before)
        assert sentence.before != sentence.text


def test_first_mentions_fit_the_limit(demo):
    topic = next(topic for topic in demo.topics if topic.id == "P04")
    source = Source.of_topic(demo, topic, "A")
    extract = SummaryRewriter(source, LIGHT).summarize(parse_summarizer("sum-avr"), Limit(100))
    assert "Samira Toll said" in extract.text
    assert extract.words <= 100
    assert not any("no room" in note for note in extract.notes)


def test_the_order_of_documents_changes_nothing(demo):
    topic = demo.topics[4]
    documents = demo.documents(topic.id, "A")
    texts = {
        SummaryRewriter(
            Source.of_documents(order), RewriteOptions(("people", "np"), pipeline="light")
        )
        .summarize(parse_summarizer("sum-avr"), Limit(100), order="chosen")
        .text
        for order in (documents, documents[::-1])
    }
    assert len(texts) == 1


def test_who_describes_only_people_in_the_summary(demo):
    topic = next(topic for topic in demo.topics if topic.id == "P06")
    summary_rewriter = SummaryRewriter(Source.of_topic(demo, topic, "A"), LIGHT)
    assert {answer.name for answer in summary_rewriter.who("Castellan won the election.")} <= {
        "Linnea Castellan"
    }
    assert summary_rewriter.who("Rain fell.") == []


def test_another_view_of_the_same_sentences_is_not_parsed_again(demo):
    source = Source.of_topic(demo, demo.topics[0], "A")
    first = SummaryRewriter(source, LIGHT)
    other = first.of(Source.of_topic(demo, demo.topics[0], "A", focus="generic"))
    assert other.articles is first.articles
    assert other.source is not first.source


def test_from_python_in_one_call():
    texts = ["Gov. Ada Ode of Ardel resigned on Monday. Ode said on Tuesday that she was ill."]
    extract = summarize(texts, words=9, rewrite=LIGHT, method="random(seed=1)")
    assert count_words(extract.text) <= 9
    message = refusal(InputError, summarize, texts, rewrite="verbs")
    assert message.startswith("rewrite is 'verbs'; choose one of np")


@given(st.lists(st.text(max_size=80), min_size=1, max_size=4))
def test_any_text_can_be_rewritten(sentences):
    rewritten = rewriter(ARREST, "people", "np", pipeline="light").rewrite(sentences)
    assert len(rewritten.sentences) == len(sentences)
    for before, after in zip(sentences, rewritten.sentences, strict=True):
        assert after.text == before or after.replacements


def test_a_limit_stops_longer_phrases():
    sentences = ["The arrest caused an international controversy."]
    rewritten = rewriter(ARREST, "np", pipeline="light").rewrite(sentences, words=7)
    assert [sentence.text for sentence in rewritten.sentences] == sentences
    longer = rewriter(ARREST, "np", pipeline="light").rewrite(sentences)
    assert count_words(longer.sentences[0].text) > 7


def test_a_summary_that_is_too_long_is_reported():
    rewritten = rewriter(ARREST, "np", pipeline="light").rewrite(["The arrest was late."], words=2)
    assert rewritten.notes == (
        "the summary has 4 words, more than 2: rewriting does not cut sentences",
    )


@pytest.mark.parametrize("kinds", [("np",), ("people", "np")])
def test_what_words_weighed_is_reported_as_it_was_when_rewriting(demo, kinds):
    """Section 4.3.1, step 5: the words of the rewritten sentence fall, not those of the input."""
    method = parse_summarizer("sum-avr")
    options = RewriteOptions(kinds, composition="sum", pipeline="light")
    for topic in demo.topics:
        source = Source.of_topic(demo, topic, "A")
        extract = SummaryRewriter(source, options).summarize(method, Limit(100))
        # If nothing was rewritten, terms are listed afterwards.
        for sentence in (sentence for sentence in extract.sentences if sentence.terms):
            weights = [weight for _, weight in sentence.terms]
            assert sentence.score == pytest.approx(sum(weights) / len(weights), abs=1e-5)


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("Ode closed the harbor road because of the storm.", "Bert Ode"),
        ("Ode praised the court for its patience with lawyers.", "Ada Ode"),
    ],
)
def test_a_sentence_is_of_the_document_that_it_shares_most_words_with(sentence, other):
    """The name means the Ode of that document; the Ode of the other one makes it ambiguous."""
    texts = [
        "Mayor Ada Ode of Ardel spoke on Monday. Ode closed the harbor road because of the storm.",
        "Judge Bert Ode of Lisle wrote a report. Ode praised the court for its patience with "
        "lawyers.",
    ]
    rewritten = rewriter(texts, "people", pipeline="light").rewrite([sentence])
    assert rewritten.notes == (f"Ode is also in the name of {other}: left unchanged",)
