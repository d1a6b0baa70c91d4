"""Whatever is summarized, rewriting ends, keeps to the limit and leaves whole sentences."""

import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.demo import load_demo
from pyramidion.rewriting import NounPhraseRewriter
from pyramidion.summarizers import Limit, Source, parse_summarizer
from pyramidion.summarizers.sentences import CandidateRules
from pyramidion.text.parsing import load_parser

ANY = CandidateRules.nothing_left_out()


@cache
def sentences():
    source = Source.of_topic(load_demo(), load_demo().topics[4], load_demo().task_ids[0])
    return source.texts


def summary(texts, limit=60, method="sum-avr", **options):
    source = Source.of_texts(texts, rules=ANY)
    rewriter = NounPhraseRewriter(load_parser("light"), **options)
    return parse_summarizer(method).summarize(source, Limit(limit), rewriter=rewriter)


def mangled(text, how):
    return {
        "as it is": text,
        "capitals": text.upper(),
        "open quotation": text.replace('"', "", 1) + ' "',
        "bracketed": f"({text[:-1]}).",
        "open bracket": "( " + text,
        "twice": text[:-1] + " and " + text,
        "no full stop": text.rstrip("."),
        "commas": re.sub(" (?=the )", ", ", text),
        "backwards": " ".join(reversed(text.split())),
    }[how]


HOW = st.sampled_from(
    [
        "as it is",
        "capitals",
        "open quotation",
        "bracketed",
        "open bracket",
        "twice",
        "no full stop",
        "commas",
        "backwards",
    ]
)
TEXTS = st.lists(
    st.tuples(st.integers(0, 25), HOW).map(
        lambda choice: mangled(sentences()[choice[0]], choice[1])
    ),
    min_size=2,
    max_size=8,
)


@settings(max_examples=5)
@given(TEXTS, st.sampled_from(["sum", "average"]))
def test_rewriting_ends_and_keeps_to_the_limit(texts, frw):
    extract = summary([" ".join(texts)], composition=frw)
    assert extract.words <= 60
    assert all(sentence.text.strip() for sentence in extract.sentences)


LONG = "The ferry Maren Star " + "passed the long island of Ardel and " * 71 + "sank."


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        "THE FERRY MAREN STAR SANK. THE FERRY BURNED. THE OLD FERRY SANK.",
        '"The ferry Maren Star sank. The ferry burned," he said. The ferry " sank.',
        "The ferry (the Maren Star sank. The ferry burned.",
        "Went. Gone. Go.",
        "1998 2001 12. 4 5 6.",
        "Der Brand auf der Fähre wurde gelöscht. Die Fähre sank.",
        "...",
    ],
)
def test_bad_input_ends_in_whole_sentences(text):
    extract = summary([text], 600)
    assert all(sentence.text.strip() for sentence in extract.sentences)


@pytest.mark.parametrize("method", ["lead", "lexrank", "coverage", "signature", "sumbasic"])
def test_other_methods_are_rewritten_too(method):
    topic = load_demo().topics[4]
    source = Source.of_topic(load_demo(), topic, load_demo().task_ids[0])
    rewriter = NounPhraseRewriter(load_parser("light"), "average")
    extract = parse_summarizer(method).summarize(source, Limit(100), rewriter=rewriter)
    assert extract.words <= 100
    assert any(sentence.replacements for sentence in extract.sentences)


def test_an_input_is_parsed_once():
    class Counting:
        calls = 0

        def parse(self, sentences):
            self.calls += 1
            return load_parser("light").parse(sentences)

    parser = Counting()
    rewriter = NounPhraseRewriter(parser)
    source = Source.of_texts(["The rail depot burned down. The depot was closed."])
    for _ in range(3):
        parse_summarizer("sum-avr").summarize(source, rewriter=rewriter)
    assert parser.calls == 1
