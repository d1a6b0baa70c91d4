"""Small examples of every metric, computed by hand."""

import math

import numpy as np
import pytest

from pyramidion.metrics import BUILT_IN, ScoringBatch, parse_metric

CHANGED = "Rain closed roads. Roads were closed. Fish rejoiced."
FLOODS = "Floods closed roads. Floods and mud. Floods, mud, roads." * 5

#: Metrics of the summary alone: the summaries, and their scores.
ALONE = [
    ("term-entropy", ["Rain fell. Rain stopped.", "Rain. Rain!"], [1.5, 0]),
    ("neg-sentence-entropy", ["Rain fell. Roads closed.", "Rain fell on closed roads."], [-1, 0]),
    ("term-overlap", [CHANGED], [1.585]),
    ("term-overlap-normalized", [CHANGED], [0.8165]),
    ("neighbor-cosine", ["Rain fell. Rain, rain fell. Fish rejoiced.", "Rain."], [0.4743, None]),
    ("redundancy-1", ["Rain fell. Roads closed.", "Rain fell. Fell rain."], [4, 0]),
    ("redundancy-2", ["Rain fell. Roads closed. Trees leaned.", "Rain fell. Snow."], [4, 0]),
    ("neg-log-sentences", ["Rain fell. Roads closed.", "Snow.", ""], [-1, 0, None]),
    ("sentence-length", ["It's wet. Rain fell all day."], [3]),
    ("syllables-per-word", ["Rain fell on Ohio in 1989."], [1.4]),
    ("monosyllables", ["Rain fell on Ohio in 1989."], [0.8]),
    ("anaphora", ["The mayor said that she would go. That was all."], [1.5]),
    ("anaphora(count=pronouns)", ["The mayor said that she would go. That was all."], [0.5]),
    ("flesch-reading-ease", ["The cat sat on the mat."], [116.145]),
    ("length", ["Rain fell. It rained."], [4]),
    ("repetition-2", ["Rain fell, then rain fell."], [0.25]),
]

#: Metrics that compare with references: the summaries, the references of each, their scores.
REFERENCES = [
    ("rouge-1-r(stem)", ["Rain fell."], ["Rain fell.", "It rained."], [0.75]),
    ("rouge-max-2", ["a b c"], ["a b a b d", "c d"], [0.5]),
    ("rouge-max-2(units=reference)", ["a b c"], ["a b a b d", "c d"], [0.25]),
    ("bleu(n=1)", ["the rain fell"], ["the rain fell today"], [0.7165]),
    ("bigram-coverage", ["a b c a b"], ["a b c", "b c d"], [1.5]),
    ("bigram-unnormalized", ["a b c a b"], ["a b a b", "b c d"], [1.5]),
    ("bigram-unnormalized(models=sum)", ["a b c a b"], ["a b a b", "b c d"], [3]),
    ("bigram-coverage-p2p", ["a b c a b"], ["a b c", "b c d"], [2]),
    ("bigram-coverage-p2p(models=average)", ["a b c a b"], ["a b c", "b c d"], [1.5]),
    ("bigram-p2p", ["a b c a b"], ["a b a b", "b c d"], [2]),
    ("vert-f", ["rain fell today", "snow fell"], ["rain fell today"], [1, 0]),
    ("autosummeng", ["rain fell", "xyz?!"], ["rain fell"], [1, 0]),
    ("memog", ["rain fell"], ["rain fell", "rain fell"], [1]),
    ("central-words", ["Roads closed.", "Rain."], ["Rain flooded roads. Roads closed."],
     [0.5161, 0.2419]),
    ("lsa-main-topic", ["rain fell", "snow"], ["rain fell"], [1, 0]),
    ("lsa-terms", ["rain fell", "snow"], ["rain fell"], [1, 0]),
    ("cosine-references", ["rain fell"], ["rain", "fell"], [1]),
    ("js-references", ["rain fell"], ["rain fell", "rain fell"], [0]),
    ("kl-references-summary", ["rain fell"], ["rain fell"], [0]),
    ("kl-summary-references", ["rain fell"], ["rain fell"], [0]),
    ("rouge-be-hm-r(pipeline=light)", ["The mayor closed a road."],
     ["The mayor closed the broken road."], [0.6667]),
    ("auto-pyramid", ["Ten people died."], ["Ten people died. It rained."], [0.75]),
]  # fmt: skip

#: Metrics that compare with documents: the summaries, the documents of each, their scores.
DOCUMENTS = [
    ("cosine-input", ["rain fell", "snow"], ["rain fell"], [1, 0]),
    ("js-input", ["rain fell", "snow"], ["rain fell"], [0, 1]),
    ("kl-input-summary", ["rain fell", "rain"], ["rain fell"], [0, 4.4832]),
    ("kl-summary-input", ["rain fell"], ["rain fell"], [0]),
    ("multinomial-input", ["rain rain", "rain fell"], ["rain fell"], np.log([0.25, 0.5])),
    ("unigram-input", ["rain rain", "rain"], ["rain fell"], np.log([0.5, 0.5])),
    ("signature-coverage", ["Floods came.", "Mud and flooded roads."], [FLOODS], [0.25, 0.75]),
    ("signature-share", ["Floods came."], ["Floods closed roads. " * 9], [1]),
    ("compression", ["Rain fell."], ["Rain fell on all roads."], [2.5]),
    ("copied-2", ["Rain fell today."], ["Rain fell on roads."], [0.5]),
    ("novelty-1", ["Rain fell today."], ["Rain fell on roads."], [0.3333]),
    ("extractive-coverage", ["Rain fell today."], ["Rain fell on roads."], [0.6667]),
    ("extractive-density", ["Rain fell today."], ["Rain fell on roads."], [1.3333]),
    ("names-supported", ["Ada Lee met Bob Ito.", "Rain fell."], ["Ada Lee left."], [0.5, 1]),
    ("numbers-supported", ["It rose 5 points on Friday."], ["It rose by five."], [0.5]),
    ("quotes-supported", ['He said "rain will fall today".'], ["Rain will fall."], [0.75]),
    ("facts-supported", ["Ada Lee left on Friday."], ["Ada Lee left."], [0.5]),
    ("contiguity", ["Rain fell oddly."], ["Rain fell on roads."], [0.6667]),
    # Two of three words are in runs, two of three content words are in the document.
    ("support", ["Rain fell oddly.", "Fell it."], ["Rain fell on roads."], [0.6667, 0.75]),
]


def check(name, cases, expected):
    metric = parse_metric(name)
    values = [math.nan if value is None else value for value in expected]
    scores = metric.score(metric.statistics(cases))
    np.testing.assert_allclose(scores, values, atol=6e-3 if name == "auto-pyramid" else 6e-5)


@pytest.mark.parametrize(("name", "summaries", "expected"), ALONE)
def test_metrics_of_the_summary_alone(name, summaries, expected):
    check(name, ScoringBatch.of_texts(summaries), expected)


@pytest.mark.parametrize(("name", "summaries", "references", "expected"), REFERENCES)
def test_metrics_that_compare_with_references(name, summaries, references, expected):
    check(name, ScoringBatch.of_texts(summaries, [references] * len(summaries)), expected)


@pytest.mark.parametrize(("name", "summaries", "documents", "expected"), DOCUMENTS)
def test_metrics_that_compare_with_documents(name, summaries, documents, expected):
    cases = ScoringBatch.of_texts(summaries, documents=[documents] * len(summaries))
    check(name, cases, expected)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("su4(stem)", "rouge-su4-f(stem)"),
        ("bert-score-r(layer=9)", "bert-score-r(layer=9)"),
        ("bleurt(tokens=128)", "bleurt(tokens=128)"),
        ("spacy-similarity(model=en_core_web_md)", "spacy-similarity(model=en_core_web_md)"),
        ("lm-input(tokens=512)", "lm-input(tokens=512,prompt=Summary:)"),
        ("bart-score-references(of=other)", "bart-score-references(tokens=1024,of=other)"),
        ("match-input-p", "match-input-p"),
        ("chrf(words=2)", "chrf(words=2)"),
        ("ter(normalized)", "ter(normalized)"),
        ("meteor(alpha=0.8)", "meteor(alpha=0.8)"),
        ("basic-elements(pipeline=en_core_web_sm)", "basic-elements(pipeline=en_core_web_sm)"),
    ],
)
def test_metrics_print_as_they_are_typed(typed, written):
    assert str(parse_metric(typed)) == written


def test_every_metric_has_an_example():
    shown = {type(parse_metric(name)) for name, *_ in (*ALONE, *REFERENCES, *DOCUMENTS)}
    # Those that need a model or a parser are computed elsewhere.
    elsewhere = {kind for kind in BUILT_IN if kind.extra or "parser" in kind.needs}
    assert shown | elsewhere == {*BUILT_IN}
