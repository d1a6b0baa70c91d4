"""All metrics by name: the built-in ones, and those of other packages.

A new built-in metric is a file in this folder and a line in `BUILT_IN`. Another package
declares an entry point in the group ``pyramidion.metrics`` that gives a class, or a tuple of
classes.
"""

from functools import cache

from pyramidion.collection.ids import split_names
from pyramidion.collection.registry import Registry
from pyramidion.errors import InputError
from pyramidion.metrics.anaphora import Anaphora
from pyramidion.metrics.basic_elements import BasicElements
from pyramidion.metrics.bigrams import (
    BigramCoverage,
    BigramCoverageP2P,
    BigramP2P,
    BigramUnnormalised,
)
from pyramidion.metrics.bleu import Bleu
from pyramidion.metrics.centrality import CentralWords
from pyramidion.metrics.cosine import CosineInput, CosineReferences
from pyramidion.metrics.divergence import (
    JensenShannonInput,
    JensenShannonReferences,
    KullbackLeiblerFromInput,
    KullbackLeiblerFromReferences,
    KullbackLeiblerToInput,
    KullbackLeiblerToReferences,
)
from pyramidion.metrics.entropy import NegSentenceEntropy, TermEntropy
from pyramidion.metrics.flow import NeighbourCosine, TermOverlap, TermOverlapNormalised
from pyramidion.metrics.likelihood import MultinomialLikelihood, UnigramLikelihood
from pyramidion.metrics.lsa import LsaMainTopic, LsaTermSignificance
from pyramidion.metrics.metric import Metric
from pyramidion.metrics.ngram_graphs import AutoSummENG, MeMoG
from pyramidion.metrics.redundancy import Redundancy1, Redundancy2
from pyramidion.metrics.rouge import RougeMeasure
from pyramidion.metrics.rouge_be import RougeBasicElements
from pyramidion.metrics.rouge_max import RougeMax
from pyramidion.metrics.sentence_length import SentenceLength
from pyramidion.metrics.sentence_number import NegLogSentences
from pyramidion.metrics.signatures import SignatureCoverage, SignatureShare
from pyramidion.metrics.syllables_per_word import Monosyllables, SyllablesPerWord
from pyramidion.metrics.vert import Vert

__all__ = ["BUILT_IN", "all_metrics", "parse_metric", "parse_metrics"]

#: The metrics of this package, in the order of `pyramidion metrics`.
BUILT_IN: tuple[type[Metric], ...] = (
    RougeMeasure,
    Bleu,
    RougeMax,
    BigramCoverage,
    BigramUnnormalised,
    BigramP2P,
    BigramCoverageP2P,
    Vert,
    AutoSummENG,
    MeMoG,
    LsaMainTopic,
    LsaTermSignificance,
    CentralWords,
    JensenShannonReferences,
    KullbackLeiblerFromReferences,
    KullbackLeiblerToReferences,
    CosineReferences,
    JensenShannonInput,
    KullbackLeiblerFromInput,
    KullbackLeiblerToInput,
    CosineInput,
    SignatureCoverage,
    SignatureShare,
    MultinomialLikelihood,
    UnigramLikelihood,
    TermOverlap,
    TermOverlapNormalised,
    NeighbourCosine,
    Redundancy1,
    Redundancy2,
    TermEntropy,
    NegLogSentences,
    NegSentenceEntropy,
    SentenceLength,
    SyllablesPerWord,
    Monosyllables,
    Anaphora,
    BasicElements,
    RougeBasicElements,
)

_REGISTRY = Registry(Metric, BUILT_IN, noun="metric", command="metrics")


@cache
def all_metrics() -> tuple[type[Metric], ...]:
    """Give the built-in metrics and those of other packages.

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
        Its name, options in brackets.

    Examples
    --------
    >>> parse_metric("bleu(n=2,smooth=off)").smooth
    False
    >>> parse_metric("blue")
    Traceback (most recent call last):
    pyramidion.errors.NotFoundError: there is no metric 'blue'; did you mean bleu? ...
    """
    return _REGISTRY.parse(text)


def parse_metrics(text: str) -> tuple[Metric, ...]:
    """Read metrics with commas between them; one that is named twice is there once.

    Examples
    --------
    >>> [str(metric) for metric in parse_metrics("rouge-2, bleu(n=2,stem), rouge-2-f")]
    ['rouge-2-f', 'bleu(n=2,stem)']
    """
    found = tuple(dict.fromkeys(map(parse_metric, split_names(text))))
    if not found:
        raise InputError("no metric is named", hint="try -m rouge-1,rouge-2,rouge-l")
    return found
