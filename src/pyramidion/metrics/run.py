"""The metrics of a run: what is typed, what the columns are called, what the signature says."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from pyramidion.collection.options import named, split_name
from pyramidion.errors import InputError
from pyramidion.metrics.metric import Metric
from pyramidion.metrics.registry import all_metrics, parse_metric
from pyramidion.metrics.rouge import RougeMeasure, merged
from pyramidion.rouge import Rouge

__all__ = ["ALL", "as_one_rouge", "run_metrics", "run_text", "tokenizers"]

#: Stands for every metric.
ALL = "all"

_ROUGE_DEFAULTS = {parameter.name: parameter.default for parameter in fields(RougeMeasure)}


def run_metrics(
    names: Iterable[str], options: Mapping[str, Any] | None = None
) -> dict[str, Metric]:
    """Read the metrics of a run, by the names of their columns.

    A column has the name that was typed; options of the whole run are told by its signature.

    Parameters
    ----------
    names
        Names of metrics, with options in brackets; ``all`` stands for all that are listed.
    options
        What the measures of ROUGE do where their brackets do not say otherwise. The tokenizer
        is that of every metric that lets one choose.

    Examples
    --------
    >>> metrics = run_metrics(["rouge-2", "rouge-l(stem=off)", "bleu(n=2)"], {"stem": True})
    >>> list(metrics)
    ['rouge-2-f', 'rouge-l-f(stem=off)', 'bleu(n=2)']
    >>> run_text(metrics.values())
    'rouge-2(stem),rouge-l,bleu(n=2)'
    """
    given = {
        name: value for name, value in (options or {}).items() if value != _ROUGE_DEFAULTS[name]
    }
    columns: dict[Metric, str] = {}
    for text in _expanded(names):
        metric = parse_metric(text)
        taken = _taken(metric, given)
        typed = {named(word) for word in split_name(text)[1]}
        own = replace(metric, **{name: taken[name] for name in taken.keys() - typed})
        columns.setdefault(own, metric.spelled(typed & taken.keys()))
    if not columns:
        raise InputError("no metric is named", hint="try -m rouge-1,rouge-2,rouge-l")
    _require_use(given, columns)
    return {column: metric for metric, column in columns.items()}


def _expanded(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name == ALL:
            yield from (own for metric in all_metrics() for own in metric.names())
        else:
            yield name


def _taken(metric: Metric, given: Mapping[str, Any]) -> dict[str, Any]:
    """Give the options of the run that a metric follows."""
    own = {parameter.name for parameter in fields(metric)}
    if not isinstance(metric, RougeMeasure):
        own &= {"tokenizer"}
    return {name: value for name, value in given.items() if name in own}


def _require_use(given: Mapping[str, Any], metrics: Iterable[Metric]) -> None:
    """Refuse an option that would do nothing."""
    used = {name for metric in metrics for name in _taken(metric, given)}
    for name in given.keys() - used:
        raise InputError(
            f"{name} is an option of ROUGE, and the run has no measure of ROUGE",
            hint="give other metrics theirs in brackets, like bleu(n=2)",
        )


def run_text(metrics: Iterable[Metric]) -> str:
    """Write all metrics of a run with all their options, measures of ROUGE together.

    Examples
    --------
    >>> run_text(map(parse_metric, ("rouge-2-r", "bleu", "rouge-l-f", "rouge-2-p")))
    'rouge-2+l,bleu'
    """
    own = list(metrics)
    together = _plain_rouge(own)
    texts = [(own.index(together[0]), str(rouge)) for rouge in merged(together)]
    texts += [(place, str(metric)) for place, metric in enumerate(own) if metric not in together]
    return ",".join(text for _, text in sorted(texts, key=lambda entry: entry[0]))


def as_one_rouge(metrics: Iterable[Metric]) -> Rouge | None:
    """Give the `Rouge` that computes all metrics of a run, if there is one.

    Examples
    --------
    >>> str(as_one_rouge(map(parse_metric, ("rouge-1-r", "rouge-su4"))))
    'rouge-1+su4'
    >>> as_one_rouge([parse_metric("bleu")])
    """
    own = list(metrics)
    measures = _plain_rouge(own)
    found = merged(measures)
    return found[0] if len(measures) == len(own) and len(found) == 1 else None


def tokenizers(metrics: Iterable[Metric]) -> tuple[str, ...]:
    """Give the tokenizers that metrics use.

    Examples
    --------
    >>> tokenizers(map(parse_metric, ("rouge-2(tokenizer=unicode)", "bleu")))
    ('rouge', 'unicode')
    """
    return tuple(sorted({getattr(metric, "tokenizer", "rouge") for metric in metrics}))


def _plain_rouge(metrics: Iterable[Metric]) -> list[RougeMeasure]:
    """Choose the measures of ROUGE that compare with the references."""
    found = (metric for metric in metrics if isinstance(metric, RougeMeasure))
    return [metric for metric in found if metric.against == "references"]
