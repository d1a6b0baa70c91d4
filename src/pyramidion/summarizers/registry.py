"""All summarizers by name: the built-in ones, and those of other packages.

A new built-in summarizer is a file in this folder and a line in `BUILT_IN`. Another package
declares an entry point in the group ``pyramidion.methods`` that gives a class, or a tuple of
classes.
"""

from functools import cache

from pyramidion.collection.registry import Registry
from pyramidion.summarizers.baselines import First, Lead, Random
from pyramidion.summarizers.centroid import Centroid
from pyramidion.summarizers.clusters import SentenceClusters
from pyramidion.summarizers.coverage import ConceptCoverage
from pyramidion.summarizers.frequency import FrequencySummarizer
from pyramidion.summarizers.hmm_qr import HmmQr
from pyramidion.summarizers.kl_sum import KLSum
from pyramidion.summarizers.lexrank import LexRank
from pyramidion.summarizers.mmr import MaximalMarginalRelevance
from pyramidion.summarizers.oracle import Oracle
from pyramidion.summarizers.signature import LiteGistexter, SignatureSummarizer
from pyramidion.summarizers.summarizer import Summarizer

__all__ = ["BUILT_IN", "all_summarizers", "parse_summarizer", "summarizer_names"]

#: The summarizers of this package.
BUILT_IN: tuple[type[Summarizer], ...] = (
    FrequencySummarizer,
    Lead,
    First,
    Random,
    SignatureSummarizer,
    LiteGistexter,
    HmmQr,
    Centroid,
    LexRank,
    SentenceClusters,
    MaximalMarginalRelevance,
    KLSum,
    ConceptCoverage,
    Oracle,
)


_REGISTRY = Registry(Summarizer, BUILT_IN, noun="method", command="methods")


@cache
def all_summarizers() -> tuple[type[Summarizer], ...]:
    """Give the built-in summarizers and those of other packages.

    Examples
    --------
    >>> [kind.name for kind in all_summarizers()][:2]
    ['sum-avr', 'lead']
    """
    return _REGISTRY.all()


def summarizer_names() -> tuple[str, ...]:
    """Give the name of every summarizer.

    Examples
    --------
    >>> summarizer_names()[:2]
    ('sum-avr', 'sum-prod')
    """
    return tuple(name for kind in all_summarizers() for name in kind.names())


def parse_summarizer(text: str) -> Summarizer:
    """Read a summarizer as it is typed.

    Parameters
    ----------
    text
        Its name, options in brackets.

    Examples
    --------
    >>> str(parse_summarizer("sum-prod(context=off)"))
    'sum-prod(context=off)'
    """
    return _REGISTRY.parse(text)
