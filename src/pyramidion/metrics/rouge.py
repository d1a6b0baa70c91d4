"""ROUGE, one measure at a time."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.metrics.against import against_option, requirement
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.metric import Metric, Need, option
from pyramidion.rouge import Rouge, Variant, parse_variant
from pyramidion.rouge.counting import Counts, Pairs
from pyramidion.rouge.items import Items
from pyramidion.rouge.reading import read_items
from pyramidion.rouge.results import RougeScores
from pyramidion.rouge.rouge import PARTS
from pyramidion.rouge.score import PairCounts, count_pairs
from pyramidion.text import TOKENIZERS, Tokenizer

__all__ = ["RougeMeasure", "expanded", "merged"]

Made = TypeVar("Made")

#: The options that a measure shares with `Rouge`.
_SHARED = (
    "stem",
    "stop_words",
    "words",
    "bytes",
    "alpha",
    "models",
    "tokenizer",
    "exceptions",
    "exact",
)


@dataclass(frozen=True, slots=True)
class RougeMeasure(Metric):
    """Recall, precision or F of one variant of ROUGE.

    The name says which: ``rouge-2-r``, ``rouge-su4-f``, ``rouge-w-1.2-p``; a bare ``rouge-l``
    or ``su4`` means F. For an update, ``against=earlier`` tells how much of it was known.

    References
    ----------
    Lin (2004). ROUGE: a package for automatic evaluation of summaries. Text Summarization
    Branches Out, ACL workshop.

    Examples
    --------
    >>> str(RougeMeasure.parse("su4(stem)"))
    'rouge-su4-f(stem)'
    >>> cases = Cases.of_texts(["Rain fell."], [["Rain fell.", "It rained."]])
    >>> metric = RougeMeasure.parse("rouge-1-r(stem)")
    >>> metric.score(metric.statistics(cases)).tolist()
    [0.75]
    """

    name: ClassVar[str] = "rouge"
    title: ClassVar[str] = "ROUGE"
    summary: ClassVar[str] = "n-grams, subsequences or skip-bigrams shared with references"
    citation: ClassVar[str] = "Lin 2004"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    members: ClassVar[tuple[str, ...]] = (
        "rouge-1",
        "rouge-2",
        "rouge-l",
        "rouge-w-1.2",
        "rouge-s4",
        "rouge-su4",
    )

    measure: str = option("rouge-2-f", "the variant, and recall, precision or F")
    stem: bool = option(False, "stem words")
    stop_words: bool = option(False, "leave stop words out")
    words: int | None = option(None, "cut summaries to so many words", least=1)
    bytes: int | None = option(None, "cut summaries to so many bytes", least=1)
    alpha: float = option(0.5, "the weight of precision in F", least=0, most=1)
    models: str = option("average", "how references are combined", choices=("average", "best"))
    tokenizer: Tokenizer = option("rouge", "how words are found", choices=tuple(TOKENIZERS))
    exceptions: bool = option(True, "look irregular words up before stemming")
    exact: bool = option(False, "ROUGE-1.5.5's numbers to the digit")
    against: str = against_option()

    def __post_init__(self) -> None:
        Metric.__post_init__(self)
        object.__setattr__(self, "measure", "-".join(_split(self.measure)))
        # What does not go together is refused at once.
        _ = self.rouge

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Read any variant's name."""
        if name.lower().removeprefix("rouge-").startswith("be-"):
            return None
        try:
            return {"measure": "-".join(_split(name))}
        except InputError:
            return None

    def _call(self) -> str:
        return self.measure

    @property
    def requirements(self) -> frozenset[Need]:
        """What this very measure needs."""
        return requirement(self.against)

    @property
    def rouge(self) -> Rouge:
        """The `Rouge` that computes it."""
        variant, _ = _split(self.measure)
        options = {name: getattr(self, name) for name in _SHARED}
        return Rouge.of((parse_variant(variant),), **options)

    def statistics(self, cases: Cases) -> Floats:
        """Give the units in the references, in the summary, and those they share."""
        variant, _ = _split(self.measure)
        cases = cases.against(self.against)
        counted = _pair_counts(self.rouge, cases)
        rows, references = cases.pairs
        _, _, places = cases.compared
        pairs = Pairs(cases.peers[rows], references, rows, size=len(cases))
        counts = counted.of_items(pairs, places)[variant]
        table = np.stack(counts.parts, axis=1)
        table[cases.references.sizes == 0] = np.nan
        return table

    def score(self, statistics: Floats) -> Floats:
        """Give recall, precision or F."""
        flat = statistics.reshape(-1, 3)
        variant, _ = _split(self.measure)
        rouge = self.rouge
        model, peer, hits = np.nan_to_num(flat).T
        counts = Counts(model, peer, hits, rouge.w or 1.0)
        values = RougeScores(rouge, range(len(flat)), {variant: counts})[self.measure]
        return np.where(np.isnan(flat[:, 0]), np.nan, values).reshape(statistics.shape[:-1])


def expanded(rouge: Rouge) -> tuple[RougeMeasure, ...]:
    """Give the single measures of a `Rouge`, in its order.

    Examples
    --------
    >>> [str(measure) for measure in expanded(Rouge(n=2, l=False, stem=True))]
    ['rouge-2-r(stem)', 'rouge-2-p(stem)', 'rouge-2-f(stem)']
    """
    options = {name: getattr(rouge, name) for name in _SHARED}
    return tuple(RougeMeasure(measure, **options) for measure in rouge.measures)


def merged(measures: Iterable[RougeMeasure]) -> tuple[Rouge, ...]:
    """Bring measures together that one `Rouge` computes; as few as there can be.

    Examples
    --------
    >>> names = ("rouge-1-r", "rouge-2", "rouge-w-1.2", "rouge-w-2", "rouge-l(stem)")
    >>> [str(rouge) for rouge in merged(map(RougeMeasure.parse, names))]
    ['rouge-1+2+w-1.2', 'rouge-w-2', 'rouge-l(stem)']
    """
    groups: dict[tuple[Rouge, int], list[Variant]] = {}
    seen: Counter[tuple[Rouge, str]] = Counter()
    for rouge in dict.fromkeys(measure.rouge for measure in measures):
        (variant,) = rouge.variants
        options = replace(rouge, n=(1,), l=False, w=None, s=None, su=None)
        groups.setdefault((options, seen[options, variant.family]), []).append(variant)
        # A Rouge has any number of n, but one weight and one gap.
        seen[options, variant.family] += variant.family in ("w", "s", "su")
    return tuple(_with_variants(options, own) for (options, _), own in groups.items())


def _with_variants(rouge: Rouge, variants: Iterable[Variant]) -> Rouge:
    own = Rouge.of(variants, exact=rouge.exact)
    return replace(rouge, n=own.n, l=own.l, w=own.w, s=own.s, su=own.su)


def _split(name: str) -> tuple[str, str]:
    """Split a name into the variant's full name and the part of it, F if there is none."""
    base, _, part = name.lower().rpartition("-")
    if part not in PARTS or not base:
        base, part = name.lower(), "f"
    return parse_variant(base).measure, part


def _pair_counts(rouge: Rouge, cases: Cases) -> PairCounts:
    """Count a variant for every different pair, once for recall, precision and F."""
    # The weight of precision changes F, not the counts.
    rouge = replace(rouge, alpha=0.5)
    return _memo(cases, ("counts", rouge), lambda: _counted(rouge, cases))


def _counted(rouge: Rouge, cases: Cases) -> PairCounts:
    items = _memo(cases, ("items",), lambda: _items(cases))
    # Variants that read texts in the same way share the reading.
    in_sentences = rouge.l or rouge.w is not None
    way = replace(rouge, n=(1,), l=in_sentences, w=None, s=None, su=None, models="average")
    reading = _memo(cases, ("reading", way), lambda: read_items(way, items))
    return count_pairs(rouge, items, threads=cases.threads, reading=reading)


def _memo(cases: Cases, what: tuple[Hashable, ...], make: Callable[[], Made]) -> Made:
    peers, models, _ = cases.compared
    return cases.texts.memo(("rouge", *what, peers.tobytes(), models.tobytes()), make)


def _items(cases: Cases) -> Items:
    """Give every different pair as an item of its own."""
    rows, _ = cases.pairs
    peers, models, places = cases.compared
    names = dict(zip(places.tolist(), rows.tolist(), strict=True))
    items = Items()
    for place, (peer, model) in enumerate(zip(peers.tolist(), models.tolist(), strict=True)):
        texts = cases.texts.given(peer), [cases.texts.given(model)]
        items.add(*texts, cases.names[names[place]])
    return items
