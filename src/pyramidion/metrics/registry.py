"""The registered metrics, and those of a run."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from shlex import quote
from typing import Any

from pyramidion.errors import InputError, NotFoundError
from pyramidion.metrics._auto_pyramid import AutoPyramid
from pyramidion.metrics._basic_elements import BasicElements, RougeBasicElements
from pyramidion.metrics._bigrams import (
    BigramCoverage,
    BigramCoverageP2P,
    BigramP2P,
    BigramUnnormalized,
    Vert,
)
from pyramidion.metrics._copying import Compression, Copied, Extractive, Length, Novelty, Repetition
from pyramidion.metrics._matching import Match
from pyramidion.metrics._metric import Metric
from pyramidion.metrics._models import BartScore, BertScore, Bleurt, LanguageModel, SpacySimilarity
from pyramidion.metrics._ngram_graphs import AutoSummENG, MeMoG
from pyramidion.metrics._own import OwnMetric, UserCode, own_metric
from pyramidion.metrics._readability import (
    Anaphora,
    Monosyllables,
    NegLogSentences,
    ReadabilityIndex,
    SentenceLength,
    SyllablesPerWord,
)
from pyramidion.metrics._rouge import RougeMax, RougeMeasure, merged
from pyramidion.metrics._sentence_terms import (
    NegSentenceEntropy,
    NeighborCosine,
    Redundancy1,
    Redundancy2,
    TermEntropy,
    TermOverlap,
    TermOverlapNormalized,
)
from pyramidion.metrics._term_matrices import CentralWords, LsaMainTopic, LsaTermSignificance
from pyramidion.metrics._translation import Bleu, Chrf, Meteor, Ter
from pyramidion.metrics._word_distributions import (
    CosineInput,
    CosineReferences,
    JensenShannonInput,
    JensenShannonReferences,
    KullbackLeiblerFromInput,
    KullbackLeiblerFromReferences,
    KullbackLeiblerToInput,
    KullbackLeiblerToReferences,
    MultinomialLikelihood,
    SignatureCoverage,
    SignatureShare,
    UnigramLikelihood,
)
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
    RougeMeasure, Bleu, RougeMax, BigramCoverage, BigramUnnormalized, BigramP2P, BigramCoverageP2P,
    Vert, AutoSummENG, MeMoG, LsaMainTopic, LsaTermSignificance, CentralWords,
    JensenShannonReferences, KullbackLeiblerFromReferences, KullbackLeiblerToReferences,
    CosineReferences, JensenShannonInput, KullbackLeiblerFromInput, KullbackLeiblerToInput,
    CosineInput, SignatureCoverage, SignatureShare, MultinomialLikelihood, UnigramLikelihood,
    TermOverlap, TermOverlapNormalized, NeighborCosine, Redundancy1, Redundancy2, TermEntropy,
    NegLogSentences, NegSentenceEntropy, SentenceLength, SyllablesPerWord, Monosyllables, Anaphora,
    Repetition, ReadabilityIndex, Length, Compression, Copied, Novelty, Extractive, BasicElements,
    RougeBasicElements, Chrf, Ter, Meteor, Match, BertScore, Bleurt, SpacySimilarity,
    LanguageModel, BartScore, AutoPyramid,
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
    """Read a metric as it is typed.

    Parameters
    ----------
    text
        Its name, options in brackets; or ``file.py:function`` for one of your own.

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
    """Return the metric of a name: any metric if the user typed it, else as data may name it."""
    if not isinstance(name, UserText):
        return stored_metric(name)
    return own_metric(name) or _REGISTRY.parse(name)


def stored_metric(name: str, *, in_model: bool = False) -> Metric:
    """Return the metric of a name that was read from data.

    It is one of the registry, without options that name something to load; nothing is loaded to
    find it but installed packages. A model's metric cannot be a model.
    """
    hint = f"if you trust it, add -m {quote(name)} (metrics= in Python)"
    if name.rpartition(":")[0].endswith(".py"):
        raise InputError(f"{name} is Python code, which only you can name", hint)
    try:
        metric = _REGISTRY.parse(name)
    except NotFoundError as error:
        hint = f"if it is a metric of your own, add -m FILE.py:{name}; {error.hint}"
        raise NotFoundError(error.what, hint) from None
    if in_model and metric.combines:
        raise InputError(f"{name} is a model, and models cannot contain models", "remove it")
    if loaded := _loaded_by(metric):
        raise InputError(f"the {loaded} of {name} is loaded, so only you can name it", hint)
    return metric


def _loaded_by(metric: Metric) -> str:
    """Return the option of a metric that names something to load, if there is one."""
    in_name = metric.read(metric.to_string().partition("(")[0]) or {}
    for option in option_specs(type(metric)):
        changed = getattr(metric, option.name) != option.default
        if option.loads and changed and option.name not in in_name:
            return option.name
    return ""


def is_metric(name: str) -> bool:
    """Return whether a name is that of a metric; code is one, even if it cannot be loaded."""
    if isinstance(name, UserText) and UserCode.typed(name):
        return True
    try:
        named_metric(name)
    except InputError:
        return False
    return True


def named_metrics(names: Iterable[str]) -> dict[str, Metric]:
    """Return the metrics of a run by their names; models use those that only a user can name."""
    metrics = {name: named_metric(name) for name in names}
    named = user_named(metrics)
    return {name: metric.beside(named) for name, metric in metrics.items()}


def user_named(metrics: Mapping[str, Metric]) -> dict[str, Metric]:
    """Choose the metrics that data cannot name, each as it was typed and as it is printed."""
    special = {
        text: metric
        for text, metric in metrics.items()
        if not metric.combines and (isinstance(metric, OwnMetric) or _loaded_by(metric))
    }
    return special | {str(metric): metric for metric in special.values()}


def parse_metrics(text: str) -> tuple[Metric, ...]:
    """Read metrics separated by commas, each different one once.

    Examples
    --------
    >>> [str(metric) for metric in parse_metrics("rouge-2, bleu(n=2,stem), rouge-2-f")]
    ['rouge-2-f', 'bleu(n=2,stem)']
    """
    metrics = named_metrics(map(UserText, split_names(text)))
    if not metrics:
        raise InputError("no metric is named", hint="try -m rouge-1,rouge-2,rouge-l")
    return tuple(dict.fromkeys(metrics.values()))


#: The name for every metric.
ALL = "all"

_ROUGE_DEFAULTS = {parameter.name: parameter.default for parameter in fields(RougeMeasure)}


def resolve_metrics(
    names: Iterable[str], options: Mapping[str, Any] | None = None
) -> dict[str, Metric]:
    """Read the metrics of a run, by the names of their columns.

    A column is named as it was typed; options of the whole run are in its signature.
    """
    given = {name: own for name, own in (options or {}).items() if own != _ROUGE_DEFAULTS[name]}
    columns: dict[Metric, str] = {}
    unused = set(given)
    typed_as: dict[str, Metric] = {}
    for text in _expanded(names):
        metric = typed_as[text] = named_metric(text)
        taken = {parameter.name for parameter in fields(metric)} & given.keys()
        if not isinstance(metric, RougeMeasure):
            taken &= {"tokenizer"}
        unused -= taken
        typed = {option_name(word) for word in split_name(text)[1]} if taken else set()
        own = replace(metric, **{name: given[name] for name in taken - typed})
        columns.setdefault(own, metric.to_string(typed & taken))
    if not columns:
        raise InputError("no metric is named", hint="try -m rouge-1,rouge-2,rouge-l")
    for name in unused:
        hint = "give other metrics theirs in brackets, like bleu(n=2)"
        raise InputError(f"{name} is an option of ROUGE, and the run has no measure of ROUGE", hint)
    named = user_named(typed_as)
    return {column: metric.beside(named) for metric, column in columns.items()}


def _expanded(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name == ALL:
            for metric in all_metrics():
                yield from metric.names() if metric.in_all else ()
        else:
            yield name


def run_text(metrics: Iterable[Metric]) -> str:
    """Write all metrics of a run with all their options, measures of ROUGE together."""
    own = list(metrics)
    together = _plain_rouge(own)
    texts = [(own.index(together[0]), str(rouge)) for rouge in merged(together)]
    texts += [(place, metric.signed) for place, metric in enumerate(own) if metric not in together]
    return ",".join(text for _, text in sorted(texts, key=lambda entry: entry[0]))


def as_rouges(metrics: Iterable[Metric]) -> tuple[Rouge, ...]:
    """Return the `Rouge` values that compute all metrics of a run; none if one is not ROUGE."""
    own = list(metrics)
    measures = _plain_rouge(own)
    return merged(measures) if len(measures) == len(own) else ()


def tokenizers(metrics: Iterable[Metric]) -> tuple[str, ...]:
    """Return the tokenizers that metrics use."""
    return tuple(sorted({getattr(metric, "tokenizer", None) or "rouge" for metric in metrics}))


def _plain_rouge(metrics: Iterable[Metric]) -> list[RougeMeasure]:
    """Choose the measures of ROUGE that compare with the references."""
    found = (metric for metric in metrics if isinstance(metric, RougeMeasure))
    return [metric for metric in found if metric.against == "references"]
