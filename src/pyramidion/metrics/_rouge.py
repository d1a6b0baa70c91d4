"""ROUGE measures as metrics, and ROUGE with the best reference."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, TypeVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.metrics._cases import ScoringBatch, Sparse, Texts, count_pairs_of_codes
from pyramidion.metrics._metric import Metric, Need, tokenizer_option
from pyramidion.questions import option
from pyramidion.rouge import Rouge, RougeScores, Variant, parse_variant
from pyramidion.rouge._rouge import PARTS, STEMMERS, SentenceRule
from pyramidion.rouge.counting import Counts, ModelRule, Pairs
from pyramidion.rouge.items import Items, read_items
from pyramidion.rouge.results import ItemCounts, count_pairs
from pyramidion.text import Tokenizer
from pyramidion.text.encoding import Reading

#: The references of the summary's task, or of the task before an update.
AGAINST: tuple[str, ...] = ("references", "earlier")


def against_option() -> Any:
    """Declare the option of a metric that compares with references."""
    return option(
        "references", "the references, or those of the task before an update", choices=AGAINST
    )


T = TypeVar("T")

#: The short name of ROUGE-1 recall of stemmed words without stop words, and its options.
R1NS = "rouge-1-ns"
_R1NS_OPTIONS = {"measure": "rouge-1-r", "stem": True, "stop_words": True}


@dataclass(frozen=True, slots=True)
class RougeMeasure(Metric):
    """Recall, precision or F of one variant of ROUGE.

    Names are ``rouge-2-r``, ``rouge-su4-f``, ``rouge-w-1.2-p`` and so on; a bare ``rouge-l`` or
    ``su4`` means F. ``rouge-1-ns`` (or ``r1ns``) is short for ``rouge-1-r(stem,stop_words)``,
    recall of the references' content words: on most judged sets the best variant, or as good. For
    an update, ``against=earlier`` measures how much of it was known before.

    References
    ----------
    Lin (2004). ROUGE: a package for automatic evaluation of summaries. Text Summarization
    Branches Out, ACL workshop.
    """

    name: ClassVar[str] = "rouge"
    title: ClassVar[str] = "ROUGE"
    summary: ClassVar[str] = "n-grams, subsequences or skip-bigrams shared with references"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "affected by length: recall increases with it, precision decreases"
    citation: ClassVar[str] = "Lin 2004"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    members: ClassVar[tuple[str, ...]] = (
        "rouge-1", "rouge-2", "rouge-l", R1NS, "rouge-w-1.2", "rouge-s4", "rouge-su4",
    )  # fmt: skip

    measure: str = option("rouge-2-f", "the variant, and recall, precision or F")
    stem: bool | str = option(False, "stem words, by this stemmer", choices=STEMMERS)
    stop_words: bool = option(False, "leave stop words out")
    words: int | None = option(None, "truncate summaries to this many words", min=1)
    bytes: int | None = option(None, "truncate summaries to this many bytes", min=1)
    alpha: float = option(0.5, "the weight of precision in F", min=0, max=1)
    models: ModelRule = option("average", "how references are combined")
    tokenizer: Tokenizer | None = tokenizer_option()
    exceptions: bool = option(True, "look up irregular words before stemming")
    exact: bool = option(False, "reproduce ROUGE-1.5.5 to the last digit")
    sentences: SentenceRule = option("split", "what counts as a sentence in ROUGE-L and W")
    language: str | None = option(None, "language code of the texts, such as `de`", loads=False)
    against: str = against_option()

    def __post_init__(self) -> None:
        Metric.__post_init__(self)
        object.__setattr__(self, "measure", "-".join(_split_name(self.measure)))
        # `Rouge` refuses conflicting options; a language determines the tokenizer.
        object.__setattr__(self, "tokenizer", self.rouge.tokenizer)

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Parse the name of a variant."""
        if name.lower() in (R1NS, "r1ns"):
            return _R1NS_OPTIONS
        if name.lower().removeprefix("rouge-").startswith("be-"):
            return None
        try:
            return {"measure": "-".join(_split_name(name))}
        except InputError:
            return None

    def _call(self) -> str:
        is_short = all(getattr(self, name) == value for name, value in _R1NS_OPTIONS.items())
        return R1NS if is_short else self.measure

    @property
    def rouge(self) -> Rouge:
        """The `Rouge` that computes it."""
        variant, _ = _split_name(self.measure)
        options = {name: getattr(self, name) for name in _SHARED_FIELDS}
        return Rouge.of((parse_variant(variant),), **options)

    @property
    def _is_averaged(self) -> bool:
        return self.models in ("mean", "jackknife")

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count units of the references, of the summary, and shared ones.

        If scores are averaged over references, return these scores.
        """
        variant, _ = _split_name(self.measure)
        cases = cases.against(self.against)
        pair_counts = _pair_counts(self.rouge, cases)
        rows, references = cases.pairs
        _, _, indices = cases.compared
        pairs = Pairs(cases.peers[rows], references, rows, size=len(cases))
        if self._is_averaged:
            scores = pair_counts.scores(range(len(cases)), pairs, indices)
            table = np.stack([scores[f"{variant}-{part}"] for part in PARTS], axis=1)
        else:
            counts = pair_counts.of_items(pairs, indices)[variant]
            table = np.stack(counts.parts, axis=1)
        table[cases.references.sizes == 0] = np.nan
        return table

    def score(self, statistics: Floats) -> Floats:
        """Return recall, precision or F."""
        variant, part = _split_name(self.measure)
        if self._is_averaged:
            return statistics[..., "rpf".index(part)]
        rows = statistics.reshape(-1, 3)
        rouge = self.rouge
        model, peer, hits = np.nan_to_num(rows).T
        counts = Counts(model, peer, hits, rouge.w or 1.0)
        values = RougeScores(rouge, range(len(rows)), {variant: counts})[self.measure]
        return np.where(np.isnan(rows[:, 0]), np.nan, values).reshape(statistics.shape[:-1])


#: The options that a measure shares with `Rouge`.
_SHARED_FIELDS = tuple({f.name for f in fields(RougeMeasure)} & {f.name for f in fields(Rouge)})


def merge_rouges(measures: Iterable[RougeMeasure]) -> tuple[Rouge, ...]:
    """Return as few `Rouge` values as possible that together compute the measures."""
    variants_by_options: dict[tuple[Rouge, int], list[Variant]] = {}
    seen_counts: Counter[tuple[Rouge, str]] = Counter()
    for rouge in dict.fromkeys(measure.rouge for measure in measures):
        (variant,) = rouge.variants
        options = _without_variants(rouge)
        variants_by_options.setdefault((options, seen_counts[options, variant.family]), []).append(
            variant
        )
        # A Rouge may have several n, but one weight and one gap.
        seen_counts[options, variant.family] += variant.family in ("w", "s", "su")
    families = (
        Rouge.of(variants, exact=rouge.exact)
        for (rouge, _), variants in variants_by_options.items()
    )
    return tuple(
        replace(
            rouge,
            n=merged_rouge.n,
            l=merged_rouge.l,
            w=merged_rouge.w,
            s=merged_rouge.s,
            su=merged_rouge.su,
        )
        for (rouge, _), merged_rouge in zip(variants_by_options, families, strict=True)
    )


def rouge_computing(measure: RougeMeasure, rouges: Iterable[Rouge]) -> Rouge:
    """Return the value of `merged` that computes a measure."""
    options, name = _without_variants(measure.rouge), measure.measure
    return next(
        rouge for rouge in rouges if _without_variants(rouge) == options and name in rouge.measures
    )


def _without_variants(rouge: Rouge) -> Rouge:
    """Return its options without its variants."""
    return replace(rouge, n=(1,), l=False, w=None, s=None, su=None)


def _split_name(name: str) -> tuple[str, str]:
    """Split a name into the variant's full name and the part (F by default)."""
    base, _, part = name.lower().rpartition("-")
    if part not in PARTS or not base:
        base, part = name.lower(), "f"
    return parse_variant(base).measure, part


def _pair_counts(rouge: Rouge, cases: ScoringBatch) -> ItemCounts:
    """Count a variant for every distinct pair, once for recall, precision and F."""
    # The weight of precision changes F but not the counts, unless F selects the reference.
    if rouge.models not in ("best-f", "mean", "jackknife"):
        rouge = replace(rouge, alpha=0.5)

    def count() -> ItemCounts:
        items = _memo(cases, ("items",), lambda: _items(cases))
        # Variants that read texts in the same way share the result.
        reads_sentences = rouge.l or rouge.w is not None
        variant = replace(
            rouge, n=(1,), l=reads_sentences, w=None, s=None, su=None, models="average"
        )
        reading = _memo(cases, ("reading", variant), lambda: read_items(variant, items))
        return count_pairs(rouge, items, threads=cases.threads, reading=reading)

    return _memo(cases, ("counts", rouge), count)


def _memo(cases: ScoringBatch, key: tuple[Hashable, ...], compute: Callable[[], T]) -> T:
    peers, models, _ = cases.compared
    return cases.texts.memo(("rouge", *key, peers.tobytes(), models.tobytes()), compute)


def _items(cases: ScoringBatch) -> Items:
    """Return every distinct pair as an item."""
    rows, _ = cases.pairs
    peers, models, indices = cases.compared
    case_of_pair = dict(zip(indices.tolist(), rows.tolist(), strict=True))
    items = Items()
    for pair, (peer, model) in enumerate(zip(peers.tolist(), models.tolist(), strict=True)):
        texts = cases.texts.original(peer), [cases.texts.original(model)]
        items.add(*texts, cases.names[case_of_pair[pair]])
    return items


#: N-grams up to 9, and words with pairs that have up to 9 words in between.
_VARIANTS = (*"123456789", *(f"su{gap}" for gap in range(10)))


@dataclass(frozen=True, slots=True)
class RougeMax(Metric):
    r"""ROUGE-N or ROUGE-SU as printed in the papers on CLASSY: the best reference counts.

    .. math:: \max_j \frac{\sum_{i \in N} \min(S(i), M_j(i))}{\sum_{i \in N} M_j(i)}

    S(i) and :math:`M_j(i)` count unit i in the summary and in reference j, and N is the set of
    units *of the summary*. So the divisor ignores units that the summary lacks: the score is 1 as
    soon as the summary shares one unit with a reference and has it as often. With
    ``units=reference``, N is the set of units of the reference, and the score is recall.
    ROUGE-1.5.5 adds up matches and units of all references before it divides; use
    ``rouge-2-r(stem)`` for that.

    Units are bigrams for ``rouge-max-2``; words (except the last, as in ROUGE-1.5.5) and pairs with
    at most four words in between for ``rouge-max-su4``. The score is 0 if nothing is shared.

    Source: Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the
    quality of a text summary. Algorithms 5.
    """

    name: ClassVar[str] = "rouge-max"
    title: ClassVar[str] = "ROUGE, best reference"
    summary: ClassVar[str] = "units shared with the best reference, as in CLASSY's papers"
    bounds: ClassVar[str] = "0 to 1"
    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    members: ClassVar[tuple[str, ...]] = ("rouge-max-2", "rouge-max-su4")
    named: ClassVar[tuple[str, ...]] = ("variant",)

    variant: str = option("2", "n, or su and a gap for words and pairs", choices=_VARIANTS)
    stem: bool = option(True, "stem words")
    stop_words: bool = option(False, "leave stop words out")
    tokenizer: Tokenizer | None = tokenizer_option()
    units: str = option(
        "summary", "text whose units the divisor counts", choices=("summary", "reference")
    )
    against: str = against_option()

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Parse ``rouge-max-2``, ``rouge-max-su4`` and the like."""
        prefix, _, variant = name.lower().rpartition("-")
        is_member = prefix == cls.name and variant in _VARIANTS
        return {"variant": variant} if is_member else None

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the number of units shared with the best reference, and the divisor."""
        cases = cases.against(self.against)
        peers, models, indices = cases.compared
        units = _count_units(cases.texts, self.reading, self.variant)
        peer_units, reference_units = units[peers], units[models]
        divisor_units = (
            reference_units
            if self.units == "reference"
            else (peer_units > 0).multiply(reference_units)
        )
        n_shared = peer_units.minimum(reference_units).sum(axis=1).astype(np.float64)[indices]
        divisors = divisor_units.sum(axis=1).astype(np.float64)[indices]
        scores = np.divide(n_shared, divisors, out=np.zeros(len(n_shared)), where=divisors > 0)
        rows, _ = cases.pairs
        # The last pair of a row is its best; of equally good pairs, the first.
        order = np.lexsort((-np.arange(len(rows)), scores, rows))
        best_rows = order[np.flatnonzero(np.diff(rows[order], append=len(cases)))]
        table = np.full((len(cases), 2), np.nan)
        table[rows[best_rows]] = np.stack([n_shared[best_rows], divisors[best_rows]], axis=1)
        return table

    def score(self, statistics: Floats) -> Floats:
        """Divide; 0 by 0 is 0."""
        n_shared, divisors = statistics[..., 0], statistics[..., 1]
        scores = np.where(np.isnan(divisors), np.nan, 0.0)
        return np.divide(n_shared, divisors, out=scores, where=divisors > 0)


def _count_units(texts: Texts, reading: Reading, variant: str) -> Sparse:
    """Count the units of each text: n-grams, or words and pairs of words."""
    if variant.isdecimal():
        return texts.counts(reading, int(variant))
    gap = int(variant.removeprefix("su"))

    def counted() -> Sparse:
        encoded_texts = texts.encoded(reading)
        text_of_word = np.repeat(np.arange(len(encoded_texts)), encoded_texts.lengths)
        ids, size = encoded_texts.ids.astype(np.int64), len(encoded_texts.words)
        # ROUGE-1.5.5 counts every word except the last, and its pairs with the words after it.
        units, owners = [], []
        for distance in range(1, gap + 2):
            is_same_text = text_of_word[distance:] == text_of_word[:-distance]
            first, second = ids[:-distance][is_same_text], ids[distance:][is_same_text]
            units += [size + first * size + second, *([first] if distance == 1 else [])]
            owners += [text_of_word[distance:][is_same_text]] * (2 if distance == 1 else 1)
        pairs = np.concatenate(owners), np.concatenate(units)
        return count_pairs_of_codes(*pairs, n_rows=len(encoded_texts))[0]

    return texts.memo(("rouge_max", reading, gap), counted)
