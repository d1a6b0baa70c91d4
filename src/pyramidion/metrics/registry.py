"""All metrics by name: the built-in ones, and those of other packages.

A new built-in metric is a file in this folder and a line in `BUILT_IN`. Another package
declares an entry point in the group ``pyramidion.metrics`` that gives a class, or a tuple of
classes.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import entry_points

from pyramidion.errors import InputError, NotFoundError
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
from pyramidion.metrics.likelihood import MultinomialLikelihood, UnigramLikelihood
from pyramidion.metrics.lsa import LsaMainTopic, LsaTermSignificance
from pyramidion.metrics.metric import Metric, split_name
from pyramidion.metrics.ngram_graphs import AutoSummENG, MeMoG
from pyramidion.metrics.rouge import RougeMeasure
from pyramidion.metrics.signatures import SignatureCoverage, SignatureShare
from pyramidion.metrics.vert import Vert

__all__ = ["BUILT_IN", "all_metrics", "parse_metric", "parse_metrics"]

#: The metrics of this package, in the order of `pyramidion metrics`.
BUILT_IN: tuple[type[Metric], ...] = (
    RougeMeasure,
    Bleu,
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
)

_GROUP = "pyramidion.metrics"


@cache
def all_metrics() -> tuple[type[Metric], ...]:
    """Give the built-in metrics and those of other packages.

    Examples
    --------
    >>> [metric.name for metric in all_metrics()][:2]
    ['rouge', 'bleu']
    """
    return BUILT_IN + tuple(_of_others())


def _of_others() -> Iterator[type[Metric]]:
    for entry in sorted(entry_points(group=_GROUP), key=lambda entry: entry.name):
        found = entry.load()
        yield from found if isinstance(found, Iterable) else (found,)


def parse_metric(text: str) -> Metric:
    """Read a metric as it is typed.

    Parameters
    ----------
    text
        Its name, options in brackets.

    Examples
    --------
    >>> parse_metric("bleu(n=2,smooth=off)")
    Bleu(n=2, stem=False, smooth=False)
    """
    for kind in all_metrics():
        metric = kind.parse(text)
        if metric is not None:
            return metric
    name, _ = split_name(text)
    raise NotFoundError(f"there is no metric {name!r}", hint="`pyramidion metrics` lists them")


def parse_metrics(text: str) -> tuple[Metric, ...]:
    """Read metrics with commas between them; one that is named twice is there once.

    Examples
    --------
    >>> [str(metric) for metric in parse_metrics("rouge-2, bleu(n=2,stem), rouge-2-f")]
    ['rouge-2-f', 'bleu(n=2,stem)']
    """
    found = tuple(dict.fromkeys(parse_metric(name) for name in _names(text)))
    if not found:
        raise InputError("no metric is named", hint="try -m rouge-1,rouge-2,rouge-l")
    return found


def _names(text: str) -> Iterator[str]:
    """Split at commas outside brackets."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            yield from filter(str.strip, [text[start:place]])
            start = place + 1
    yield from filter(str.strip, [text[start:]])
