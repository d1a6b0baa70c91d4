"""Small examples of ROUGE measures."""

from metrics.scored import expanded
from pyramidion.metrics import parse_metric, parse_metrics
from pyramidion.metrics.registry import describe_run
from pyramidion.rouge import Rouge


def test_against_option():
    assert parse_metric("bigram-coverage(against=earlier)").against == "earlier"  # type: ignore[attr-defined]


def test_requirements():
    metric = parse_metric("rouge-2(against=earlier)")
    assert metric.requirements == frozenset({"earlier references"})


def test_expanded():
    assert [str(measure) for measure in expanded(Rouge(n=2, l=False, stem=True))] == [
        "rouge-2-r(stem)",
        "rouge-2-p(stem)",
        "rouge-2-f(stem)",
    ]


def test_merged():
    metrics = parse_metrics("rouge-1-r,rouge-2,rouge-w-1.2,rouge-w-2,rouge-l(stem)")
    assert describe_run(metrics) == "rouge-1+2+w-1.2,rouge-w-2,rouge-l(stem)"
