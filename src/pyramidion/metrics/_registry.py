"""The registered metrics, and those of a run."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from pyramidion.collection._ids import split_names
from pyramidion.collection._options import Registry, option_name, split_name
from pyramidion.errors import InputError
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
from pyramidion.metrics._own import own_metric
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

#: Names of earlier versions, still found in saved models and scripts.
RENAMED = {
    "bigram-unnormalised": "bigram-unnormalized",
    "term-overlap-normalised": "term-overlap-normalized",
    "neighbour-cosine": "neighbor-cosine",
}


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
    own = own_metric(text)
    if own is not None:
        return own
    name, bracket, options = text.partition("(")
    return _REGISTRY.parse(RENAMED.get(name.strip(), name) + bracket + options)


def parse_metrics(text: str) -> tuple[Metric, ...]:
    """Read metrics separated by commas, each different one once.

    Examples
    --------
    >>> [str(metric) for metric in parse_metrics("rouge-2, bleu(n=2,stem), rouge-2-f")]
    ['rouge-2-f', 'bleu(n=2,stem)']
    """
    found = tuple(dict.fromkeys(map(parse_metric, split_names(text))))
    if not found:
        raise InputError("no metric is named", hint="try -m rouge-1,rouge-2,rouge-l")
    return found


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
    for text in _expanded(names):
        metric = parse_metric(text)
        taken = {parameter.name for parameter in fields(metric)} & given.keys()
        if not isinstance(metric, RougeMeasure):
            taken &= {"tokenizer"}
        unused -= taken
        typed = {option_name(word) for word in split_name(text)[1]}
        own = replace(metric, **{name: given[name] for name in taken - typed})
        columns.setdefault(own, metric.spelled(typed & taken))
    if not columns:
        raise InputError("no metric is named", hint="try -m rouge-1,rouge-2,rouge-l")
    for name in unused:
        hint = "give other metrics theirs in brackets, like bleu(n=2)"
        raise InputError(f"{name} is an option of ROUGE, and the run has no measure of ROUGE", hint)
    return {column: metric for metric, column in columns.items()}


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
