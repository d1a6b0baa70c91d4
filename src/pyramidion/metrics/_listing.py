"""List the metrics and their requirements, or describe one of them."""

from dataclasses import dataclass
from typing import get_args

from pyramidion.metrics._metric import Metric, Need
from pyramidion.metrics._own import UserMetric
from pyramidion.metrics.registry import all_metrics, named_metric
from pyramidion.questions import Options, argument, question
from pyramidion.rendering.catalog import catalog, catalog_view
from pyramidion.rendering.result import Result
from pyramidion.rendering.view import Column, data, shown


def _needs(metric: type[Metric]) -> list[Need]:
    # A function in a file cannot be found by name, and has no options.
    instance = metric() if issubclass(metric, UserMetric) else named_metric(metric.names()[0])
    return [need for need in get_args(Need) if need in instance.requirements]


def _needs_and_extra(metric: type[Metric]) -> str:
    return ", ".join([*_needs(metric), *([f"[{metric.extra}]"] if metric.extra else [])])


_VIEW = catalog_view(
    "metric",
    "what it measures",
    (
        Column("needs", "needs", _needs, lambda metric: _needs_and_extra(metric) or "–"),
        data("extra"),
        data("higher_is_better"),
        shown("better is", lambda metric: metric.better()),
        Column("range", "range", lambda metric: metric.bounds, lambda metric: metric.bounds or "–"),
        Column("confuses", "weaknesses", None, lambda metric: metric.confuses or "–"),
    ),
)


@dataclass(frozen=True, slots=True)
class MetricName(Options):
    """The metric to describe."""

    name: str | None = argument(
        "Metric to describe; all are listed by default.", None, metavar="[NAME]", code=True
    )


@question
def describe_metrics(metric: MetricName) -> Result[type[Metric]]:
    """List the metrics that `score` computes and what they need, or describe one metric.

    Examples
    --------
    >>> result = describe_metrics("bleu")
    >>> result.to_frame("options", library="pandas")["option"].tolist()[:2]
    ['n', 'stem']
    """

    def facts(kind: type[Metric]) -> tuple[tuple[str, str], ...]:
        return (
            ("needs", _needs_and_extra(kind) or "only the summary"),
            ("better is", kind.better()),
            ("range", kind.bounds or "not known"),
            ("weaknesses", kind.confuses or "nothing known from measurements"),
        )

    name = metric.name
    return catalog(
        "metrics",
        all_metrics() if name is None else (type(named_metric(name)),),
        _VIEW,
        title="Metrics",
        note="`pyramidion metrics NAME` shows more; options go in parentheses: bleu(n=2).",
        wide_columns=("title", "source", "range", "weaknesses"),
        facts=None if name is None else facts,
    )
