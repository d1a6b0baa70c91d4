"""The registered metrics, and the metrics of a run."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from shlex import quote
from typing import Any

from pyramidion.errors import InputError, NotFoundError, PyramidionError
from pyramidion.metrics import _bigrams, _copying, _models, _readability, _sentence_terms, _support
from pyramidion.metrics import _word_distributions as _words
from pyramidion.metrics._auto_pyramid import AutoPyramid
from pyramidion.metrics._basic_elements import BasicElements, RougeBasicElements
from pyramidion.metrics._matching import Match
from pyramidion.metrics._metric import Metric
from pyramidion.metrics._ngram_graphs import AutoSummENG, MeMoG
from pyramidion.metrics._own import UserCode, UserMetric, user_metric
from pyramidion.metrics._own import function_name as function_name  # noqa: PLC0414
from pyramidion.metrics._rouge import RougeMax, RougeMeasure, merge_rouges
from pyramidion.metrics._term_matrices import CentralWords, LsaMainTopic, LsaTermSignificance
from pyramidion.metrics._translation import Bleu, Chrf, Meteor, Ter
from pyramidion.questions import Registry
from pyramidion.questions.options import (
    UserText,
    option_name,
    option_specs,
    split_name,
    split_names,
)
from pyramidion.rouge import Rouge

#: The metrics of this package, in the order of `pyramidion metrics`.
BUILT_IN: tuple[type[Metric], ...] = (
    RougeMeasure, Bleu, RougeMax,
    _bigrams.BigramCoverage, _bigrams.BigramUnnormalized, _bigrams.BigramP2P,
    _bigrams.BigramCoverageP2P, _bigrams.Vert,
    AutoSummENG, MeMoG, LsaMainTopic, LsaTermSignificance, CentralWords,
    _words.JensenShannonReferences, _words.KullbackLeiblerFromReferences,
    _words.KullbackLeiblerToReferences, _words.CosineReferences, _words.JensenShannonInput,
    _words.KullbackLeiblerFromInput, _words.KullbackLeiblerToInput, _words.CosineInput,
    _words.SignatureCoverage, _words.SignatureShare, _words.MultinomialLikelihood,
    _words.UnigramLikelihood,
    _sentence_terms.TermOverlap, _sentence_terms.TermOverlapNormalized,
    _sentence_terms.NeighborCosine, _sentence_terms.Redundancy1, _sentence_terms.Redundancy2,
    _sentence_terms.TermEntropy, _readability.NegLogSentences, _sentence_terms.NegSentenceEntropy,
    _readability.SentenceLength, _readability.SyllablesPerWord, _readability.Monosyllables,
    _readability.Anaphora, _copying.Repetition, _readability.ReadabilityIndex,
    _copying.Length, _copying.Compression, _copying.Copied, _copying.Novelty, _copying.Extractive,
    _support.NamesSupported, _support.NumbersSupported, _support.QuotesSupported,
    _support.FactsSupported, _support.Contiguity, _support.Support,
    BasicElements, RougeBasicElements, Chrf, Ter, Meteor, Match,
    _models.BertScore, _models.Bleurt, _models.SpacySimilarity, _models.LanguageModel,
    _models.BartScore, AutoPyramid,
)  # fmt: skip

_REGISTRY = Registry(Metric, BUILT_IN, noun="metric", command="metrics")


@cache
def all_metrics() -> tuple[type[Metric], ...]:
    """Return the built-in metrics and those of other packages.

    Examples
    --------
    >>> [metric.name for metric in all_metrics()][:2]
    ['rouge', 'bleu']
    """
    return _REGISTRY.all()


def parse_metric(text: str) -> Metric:
    """Parse a metric as typed by a user.

    Parameters
    ----------
    text
        Its name, with options in brackets; or ``file.py:function`` for your own.

    Examples
    --------
    >>> parse_metric("bleu(n=2,smooth=off)").smooth
    False
    >>> parse_metric("blue")
    Traceback (most recent call last):
    pyramidion.errors.NotFoundError: there is no metric 'blue'; did you mean bleu? ...
    """
    return named_metric(UserText(text))


def named_metric(name: str) -> Metric:
    """Return a metric by name: any metric if the user typed it, else see `stored_metric`."""
    if not isinstance(name, UserText):
        return stored_metric(name)
    return user_metric(name) or _REGISTRY.parse(name)


def stored_metric(name: str) -> Metric:
    """Return a metric by a name that was read from data.

    It must be registered and have no options that name something to load; only installed packages
    are searched.
    """
    hint = f"if you trust it, add -m {quote(name)} (metrics= in Python)"
    if name.rpartition(":")[0].endswith(".py"):
        raise InputError(f"{name} is Python code, which data cannot name", hint)
    try:
        metric = _REGISTRY.parse(name)
    except NotFoundError as error:
        hint = f"if it is a metric of your own, add -m FILE.py:{name}; {error.hint}"
        raise NotFoundError(error.what, hint) from None
    if loading_option := _loaded_option(metric):
        raise InputError(f"the {loading_option} of {name} is loaded, so data cannot name it", hint)
    return metric


def _loaded_option(metric: Metric) -> str:
    """Return the option of a metric that names something to load, if any."""
    named_options = metric.read(metric.to_string().partition("(")[0]) or {}
    for option in option_specs(type(metric)):
        is_changed = getattr(metric, option.name) != option.default
        if option.loads and is_changed and option.name not in named_options:
            return option.name
    return ""


def is_model(name: str) -> bool:
    """Check whether this is the name of a registered metric that combines others, as models do."""
    try:
        return _REGISTRY.parse(name).combines
    except PyramidionError:
        return False


def is_metric(name: str) -> bool:
    """Return whether a name is a metric's; code counts even if it cannot be loaded."""
    if isinstance(name, UserText) and UserCode.parse(name):
        return True
    try:
        named_metric(name)
    except InputError:
        return False
    return True


def named_metrics(names: Iterable[str]) -> dict[str, Metric]:
    """Return the metrics of a run by name; models may use those that only a user can name."""
    metrics = {name: named_metric(name) for name in names}
    typed_metrics = user_named_metrics(metrics)
    return {name: metric.beside(typed_metrics) for name, metric in metrics.items()}


def user_named_metrics(metrics: Mapping[str, Metric]) -> dict[str, Metric]:
    """Select the metrics that data cannot name, by the text that was typed and as printed."""
    user_names = {
        text: metric
        for text, metric in metrics.items()
        if not metric.combines and (isinstance(metric, UserMetric) or _loaded_option(metric))
    }
    return user_names | {str(metric): metric for metric in user_names.values()}


def parse_metrics(text: str) -> tuple[Metric, ...]:
    """Parse metrics separated by commas; duplicates are dropped.

    Examples
    --------
    >>> [str(metric) for metric in parse_metrics("rouge-2, bleu(n=2,stem), rouge-2-f")]
    ['rouge-2-f', 'bleu(n=2,stem)']
    """
    metrics = named_metrics(map(UserText, split_names(text)))
    if not metrics:
        raise InputError("no metrics were named", hint="try -m rouge-1,rouge-2,rouge-l")
    return tuple(dict.fromkeys(metrics.values()))


#: The name for every metric.
ALL = "all"

_ROUGE_DEFAULTS = {parameter.name: parameter.default for parameter in fields(RougeMeasure)}


def resolve_metrics(
    names: Iterable[str], options: Mapping[str, Any] | None = None
) -> dict[str, Metric]:
    """Parse the metrics of a run, by the names of their columns.

    Columns are named as typed; options of the whole run are part of its signature.
    """
    changed_options = {
        name: value for name, value in (options or {}).items() if value != _ROUGE_DEFAULTS[name]
    }
    columns: dict[Metric, str] = {}
    unused_options = set(changed_options)
    metrics_by_text: dict[str, Metric] = {}
    for text in _expand_names(names):
        metric = metrics_by_text[text] = named_metric(text)
        accepted_names = {parameter.name for parameter in fields(metric)} & changed_options.keys()
        if not isinstance(metric, RougeMeasure):
            accepted_names &= {"tokenizer"}
        unused_options -= accepted_names
        typed_options = (
            {option_name(word) for word in split_name(text)[1]} if accepted_names else set()
        )
        configured_metric = replace(
            metric, **{name: changed_options[name] for name in accepted_names - typed_options}
        )
        columns.setdefault(configured_metric, metric.to_string(typed_options & accepted_names))
    if not columns:
        raise InputError("no metrics were named", hint="try -m rouge-1,rouge-2,rouge-l")
    for name in unused_options:
        hint = "put options of other metrics in brackets, as in bleu(n=2)"
        raise InputError(f"{name} is an option of ROUGE, and the run has no ROUGE measure", hint)
    typed_metrics = user_named_metrics(metrics_by_text)
    return {column: metric.beside(typed_metrics) for metric, column in columns.items()}


def _expand_names(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name == ALL:
            for metric in all_metrics():
                yield from metric.names() if metric.in_all else ()
        else:
            yield name


def describe_run(metrics: Iterable[Metric]) -> str:
    """Return the text of a run's metrics with all their options, ROUGE measures merged."""
    metric_list = list(metrics)
    rouge_measures = _plain_rouge(metric_list)
    texts = [
        (metric_list.index(rouge_measures[0]), str(rouge)) for rouge in merge_rouges(rouge_measures)
    ]
    texts += [
        (index, metric.signed)
        for index, metric in enumerate(metric_list)
        if metric not in rouge_measures
    ]
    return ",".join(text for _, text in sorted(texts, key=lambda entry: entry[0]))


def as_rouges(metrics: Iterable[Metric]) -> tuple[Rouge, ...]:
    """Return the `Rouge` values that compute all metrics of a run; none if one is not ROUGE."""
    all_metrics_of_run = list(metrics)
    measures = _plain_rouge(all_metrics_of_run)
    return merge_rouges(measures) if len(measures) == len(all_metrics_of_run) else ()


def tokenizers(metrics: Iterable[Metric]) -> tuple[str, ...]:
    """Return the tokenizers that metrics use."""
    return tuple(sorted({getattr(metric, "tokenizer", None) or "rouge" for metric in metrics}))


def _plain_rouge(metrics: Iterable[Metric]) -> list[RougeMeasure]:
    """Choose the measures of ROUGE that compare with the references."""
    measures = (metric for metric in metrics if isinstance(metric, RougeMeasure))
    return [metric for metric in measures if metric.against == "references"]
