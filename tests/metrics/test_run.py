"""The metrics of a run: names of columns, options of the whole run, signatures."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from metrics.scored import expanded
from pyramidion import Rouge
from pyramidion.errors import InputError
from pyramidion.metrics import RougeMeasure, all_metrics, parse_metric
from pyramidion.metrics.registry import as_rouges, describe_run, resolve_metrics, tokenizers


def test_columns_are_called_what_was_typed():
    metrics = resolve_metrics(["rouge-2", "su4(stem)", "bleu(n=4)", "bleu(n=2)"])
    assert list(metrics) == ["rouge-2-f", "rouge-su4-f(stem)", "bleu", "bleu(n=2)"]
    assert {name: str(metric) for name, metric in metrics.items()} == {
        name: name for name in metrics
    }


def test_options_of_the_run_are_not_in_the_names():
    options = {"stem": True, "alpha": 0.8, "models": "best", "words": 100, "bytes": None}
    metrics = resolve_metrics(["rouge-2-r", "rouge-l", "bleu"], options)
    assert list(metrics) == ["rouge-2-r", "rouge-l-f", "bleu"]
    assert str(metrics["rouge-2-r"]) == "rouge-2-r(stem,words=100,alpha=0.8,models=best)"
    assert str(metrics["bleu"]) == "bleu"


def test_brackets_overrule_the_run_and_stay_in_the_name():
    names = ["rouge-2", "rouge-2(stem=off)", "rouge-2(words=5)", "rouge-2(words=none)"]
    metrics = resolve_metrics(names, {"stem": True, "words": 9})
    assert {name: str(metric) for name, metric in metrics.items()} == {
        "rouge-2-f": "rouge-2-f(stem,words=9)",
        "rouge-2-f(stem=off)": "rouge-2-f(words=9)",
        "rouge-2-f(words=5)": "rouge-2-f(stem,words=5)",
        "rouge-2-f(words=none)": "rouge-2-f(stem)",
    }


def test_what_is_the_same_metric_is_there_once():
    assert list(resolve_metrics(["rouge-2", "2-f", "rouge-2(stem)"], {"stem": True})) == [
        "rouge-2-f"
    ]


def test_the_tokenizer_is_everybodys():
    metrics = resolve_metrics(["rouge-1", "bleu", "js-references"], {"tokenizer": "unicode"})
    assert tokenizers(metrics.values()) == ("unicode",)
    assert list(metrics) == ["rouge-1-f", "bleu", "js-references"]


def test_all_stands_for_every_name():
    names = [name for metric in all_metrics() if metric.in_all for name in metric.names()]
    metrics = resolve_metrics(["all", "rouge-1-r"])
    assert list(metrics.values()) == [parse_metric(name) for name in (*names, "rouge-1-r")]


@pytest.mark.parametrize(
    ("names", "options", "said"),
    [
        ([], {}, "no metrics were named; try -m rouge-1,rouge-2,rouge-l"),
        (["bleu"], {"stem": True}, "stem is an option of ROUGE, and the run has no ROUGE"),
        (["rouge-1"], {"words": 0}, "rouge: words is 0; give a whole number of at least 1"),
        (["rouge-1"], {"words": 1, "bytes": 1}, "words and bytes cannot be combined"),
        (["rouge-1(words=3)"], {"bytes": 5}, "words and bytes cannot be combined"),
    ],
)
def test_what_cannot_be(names, options, said):
    assert said in refusal(InputError, resolve_metrics, names, options)


def test_texts_of_runs():
    def text(*names):
        return describe_run(map(parse_metric, names))

    assert text("bleu", "rouge-1-r", "rouge-1-p", "rouge-l") == "bleu,rouge-1+l"
    assert text("rouge-w-1.2", "rouge-w-2", "rouge-s4") == "rouge-w-1.2+s4,rouge-w-2"
    assert text("rouge-1", "rouge-1(stem)") == "rouge-1,rouge-1(stem)"
    assert text("rouge-1(against=earlier)", "rouge-1") == "rouge-1-f(against=earlier),rouge-1"
    assert text("rouge-w-0.5(exact)") == "rouge-w-0.5(exact)"


def test_as_few_rouges_as_can_be():
    def few(*names):
        return as_rouges(map(parse_metric, names))

    assert few("rouge-1-r", "rouge-l(stem=off)", "rouge-su4") == (Rouge(n=1, l=True, su=4),)
    assert few("rouge-1", "rouge-2(stem)") == (
        Rouge(n=1, l=False),
        Rouge(n=2, l=False, stem=True),
    )
    assert len(few("rouge-w-1.2", "rouge-w-2", "rouge-1-ns")) == 3
    assert few("rouge-1", "bleu") == few("rouge-1(against=earlier)") == few() == ()


def test_the_short_name_of_content_words():
    short = parse_metric("rouge-1-ns")
    assert str(short) == "rouge-1-ns"
    assert short == parse_metric("rouge-1-r(stem,stop_words)") == parse_metric("R1ns")
    assert str(parse_metric("r1ns(words=9)")) == "rouge-1-ns(words=9)"
    assert str(replace(short, stem=False)) == "rouge-1-r(stop_words)"  # type: ignore[call-arg]
    assert [*resolve_metrics(["rouge-1-r", "rouge-1-ns"], {"stem": True})] == [
        "rouge-1-r",
        "rouge-1-ns",
    ]


ROUGES = st.builds(
    Rouge,
    n=st.lists(st.integers(1, 9), unique=True, max_size=3).map(tuple),
    l=st.just(True),
    w=st.sampled_from([None, 1.2, 2.0]),
    s=st.sampled_from([None, 4, -1]),
    su=st.sampled_from([None, 0, 4]),
    stem=st.booleans(),
    words=st.sampled_from([None, 10]),
    alpha=st.sampled_from([0.5, 1.0]),
    models=st.sampled_from(["average", "best"]),
    exceptions=st.booleans(),
    exact=st.booleans(),
)


@given(ROUGES)
def test_a_rouge_comes_back_from_its_measures(rouge):
    measures = expanded(rouge)
    assert tuple(measure.measure for measure in measures) == rouge.measures
    assert as_rouges(measures) == (rouge,)
    assert all(RougeMeasure.parse(str(measure)) == measure for measure in measures)


def test_basic_elements_of_others_are_not_taken_for_rouge():
    assert RougeMeasure.read("be-hm") is None
    assert RougeMeasure.read("rouge-be-hm") is None
    assert parse_metric("rouge-be-hm").name == "rouge-be"
