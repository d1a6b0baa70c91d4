"""All summarizers by name. A new one is a file in this folder and a line in `BUILT_IN`."""

from difflib import get_close_matches

from pyramidion.collection.options import split_name
from pyramidion.errors import NotFoundError
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

__all__ = ["BUILT_IN", "parse_summarizer", "summarizer_names"]

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


def summarizer_names() -> tuple[str, ...]:
    """Give the name of every summarizer.

    Examples
    --------
    >>> summarizer_names()[:2]
    ('sum-avr', 'sum-prod')
    """
    return tuple(name for kind in BUILT_IN for name in kind.names())


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
    for kind in BUILT_IN:
        found = kind.parse(text)
        if found is not None:
            return found
    name, _ = split_name(text)
    near = get_close_matches(name, summarizer_names(), 1) or summarizer_names()
    raise NotFoundError(f"there is no method {name!r}", hint=f"try {', '.join(near)}")
