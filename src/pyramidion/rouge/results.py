"""Scores of many summaries: computed, averaged, streamed."""

import math
import os
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, count, islice
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import full_measure_name
from pyramidion.collection.stream import StreamItem
from pyramidion.errors import DataWarning, InputError
from pyramidion.questions import Signature
from pyramidion.questions.options import word_of
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart, Result, create_frame, signed
from pyramidion.rendering.table import Table
from pyramidion.rouge import _perl as perl
from pyramidion.rouge._rouge import Rouge, measures_of
from pyramidion.rouge.counting import (
    Counts,
    Pairs,
    RougeReading,
    Variant,
    all_item_counts,
    count_all,
    group_means,
    item_counts,
    score_all,
    score_counts,
)
from pyramidion.rouge.items import (
    Items,
    TextInput,
    align_items,
    count_wrapped,
    match_references,
    read_items,
    require_shape,
    wrap_texts,
)
from pyramidion.stats.inputs import count_of_resamples, share
from pyramidion.text.encoding import (
    OTHER_SCRIPT_SHARE,
    expanded,
    has_no_word,
    other_letters,
    tokenizer_for,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pyramidion.rendering.charts import Picture

RESAMPLES = 9999
PERL_RESAMPLES = 1000
_MAX_RESAMPLED_ITEMS = 10_000
_NO_INTERVAL = "Scores that are all the same, or of one item, have no interval."


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its confidence interval.

    Parameters
    ----------
    mean, low, high
        The mean and the ends of the interval.
    n
        The number of items.

    Examples
    --------
    >>> Mean(0.5, 0.4, 0.6, 10).n
    10
    """

    mean: float
    low: float
    high: float
    n: int


def perl_means(
    values: Floats, *, confidence_level: float = 0.95, n_resamples: int = PERL_RESAMPLES
) -> list[Mean]:
    """Average as ROUGE-1.5.5 does: the mean of bootstrap means, with its percentiles."""
    _require_valid(values, confidence_level, n_resamples)
    means = perl.bootstrap_means(values, n_resamples)
    # 0.58 * 100 is slightly less than 58, and the script truncates.
    intervals = [perl.interval(column, round(100 * confidence_level, 9)) for column in means.T]
    return [Mean(*interval, len(values)) for interval in intervals]


def sample_means(
    values: Floats,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = RESAMPLES,
    rng: np.random.Generator | int | None = 0,
) -> list[Mean]:
    """Average, with percentile bootstrap intervals, or normal ones for very many items.

    Scores that are all the same, such as a single one, have no interval.
    """
    _require_valid(values, confidence_level, n_resamples)
    # Average contiguous columns one by one, so that a mean does not depend on the other columns.
    means = np.array([column.mean() for column in values.T.copy()])
    tail = (1 - confidence_level) / 2
    if len(values) > _MAX_RESAMPLED_ITEMS:
        half_width = NormalDist().inv_cdf(1 - tail) * values.std(0) / math.sqrt(len(values))
        low, high = means - half_width, means + half_width
    else:
        draw: Callable[..., Any] = np.random.default_rng(rng).integers
        resampled_means = bootstrap_means(values, n_resamples, partial(draw, len(values)))
        low, high = np.quantile(resampled_means, [tail, 1 - tail], axis=0)
    is_constant = values.min(axis=0) == values.max(axis=0)
    low, high = (np.where(is_constant, np.nan, bound) for bound in (low, high))
    rows = zip(means.tolist(), low.tolist(), high.tolist(), strict=True)
    return [Mean(mean, lower_end, upper_end, len(values)) for mean, lower_end, upper_end in rows]


def _require_valid(values: Floats, confidence_level: float, n_resamples: int) -> None:
    if not len(values):
        raise InputError("nothing was scored, so there is no mean", hint="add items")
    share(confidence_level, "confidence_level")
    count_of_resamples(n_resamples)


def bootstrap_means(values: Floats, resamples: int, draw: Callable[..., Ints]) -> Floats:
    """Average resampled rows, in blocks to save memory; `draw` takes a size."""
    n_items, columns = len(values), values.T.copy()
    block_size = max(1, 500_000 // n_items)
    means = []
    for start in range(0, resamples, block_size):
        indices = draw(size=(min(block_size, resamples - start), n_items))
        means.append(np.stack([np.take(column, indices).mean(1) for column in columns], axis=1))
    return np.concatenate(means)


@dataclass(frozen=True, repr=False)
class RougeScores:
    """Scores of many summaries.

    Parameters
    ----------
    rouge
        The variants and options.
    ids
        The items, in order; a range if they have no ids.
    statistics
        Sufficient statistics: the counts of each item, by the variant's measure.
    owners
        The item of each row of counts, if an item has several rows whose scores are averaged
        (``models="mean"`` or ``"jackknife"``).

    Examples
    --------
    >>> from pyramidion.rouge import Rouge
    >>> rouge = Rouge(n=1, l=False)
    >>> scores = rouge.score({"T1": "It rained."}, {"T1": ["Rain fell.", "It rained"]})
    >>> scores["rouge-1-r"].tolist()
    [0.5]
    >>> scores.as_dict()["T1"]["rouge-1-f"]
    0.5
    """

    rouge: Rouge
    ids: Sequence[object]
    statistics: Mapping[str, Counts]
    owners: Ints | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, measure: str) -> Floats:
        """Return one measure's scores, in the order of the ids."""
        name = full_measure_name(measure, self._columns)
        if name not in self._columns:
            computed_text = ", ".join(self.rouge.measures)
            raise InputError(f"{measure!r} was not computed", hint=f"available: {computed_text}")
        return self._columns[name]

    @cached_property
    def _columns(self) -> dict[str, Floats]:
        alpha, statistics = self.rouge.alpha, self.statistics
        names = measures_of(tuple(statistics))
        if self.rouge.exact:
            exact_columns = (
                perl.score_exactly(counts, alpha=alpha) for counts in statistics.values()
            )
            columns = [column for scores in exact_columns for column in scores]
        else:
            columns = list(score_all(statistics, alpha=alpha).reshape(len(names), -1))
        if self.owners is not None:
            columns = [group_means(self.owners, column, len(self)) for column in columns]
        return dict(zip(names, columns, strict=True))

    @cached_property
    def result(self) -> Result[dict[str, Any]]:
        """The means of all measures with their intervals, and every item's scores."""
        means = list(self.means().items())
        if len(self) == 1:  # the script prints an interval of width 0
            means = [(name, replace(mean, low=math.nan, high=math.nan)) for name, mean in means]
        rows = tuple((name, mean.mean, mean.low, mean.high, mean.n) for name, mean in means)
        note = _NO_INTERVAL if any(math.isnan(mean.low) for _, mean in means) else ""
        headings = ("measure", "mean", "low", "high", "n")
        table = Table(headings, rows, "Means with 95% intervals", note, name="means")
        return Result(
            command="rouge",
            signature=self.signature,
            values=[dict(zip(headings, row, strict=True)) for row in rows],
            tables=[table],
            charts=[Chart("means", partial(_means_chart, means), "Means with 95% intervals.")],
        )

    @property
    def signature(self) -> Signature:
        """Everything needed to reproduce the scores."""
        return signed(str(self.rouge), tok=word_of(self.rouge.tokenizer or "rouge"))

    @property
    def left_out(self) -> tuple[str, ...]:
        """Always empty: invalid input raises an error instead."""
        return self.result.left_out

    def __str__(self) -> str:
        return str(self.result)

    def __repr__(self) -> str:
        names = (f"{name}-f" for name in self.statistics) if len(self) else ()
        means = ", ".join(f"{name} {self[name].mean():.4f}" for name in names)
        return f"<RougeScores of {counted(len(self), 'item')}: {means or 'none'}>"

    def _repr_html_(self) -> str:
        return self.result._repr_html_()

    def to_frame(
        self,
        name: Literal["scores", "means"] = "scores",
        *,
        library: Literal["pandas", "polars"] | None = None,
    ) -> Any:
        """Return every item's scores, or the means, as a data frame."""
        if name == "means":
            return self.result.to_frame(library=library)
        columns = {measure: self[measure].tolist() for measure in self.rouge.measures}
        return create_frame({"id": list(self.ids), **columns}, library)

    def to_dict(self) -> dict[str, Any]:
        """Return the means as in the JSON output."""
        return self.result.to_dict()

    def to_csv(self) -> str:
        """Return the means as CSV."""
        return self.result.to_csv()

    def to_latex(self) -> str:
        """Return the means as LaTeX."""
        return self.result.to_latex()

    def to_html(self) -> str:
        """Return the means as HTML."""
        return self.result.to_html()

    def plot(self, kind: str | None = None) -> "Figure | Picture":
        """Draw the means with their intervals."""
        return self.result.plot(kind)

    def as_dict(self) -> dict[object, dict[str, float]]:
        """Return each item's scores by measure."""
        names = self.rouge.measures
        rows = zip(self.ids, *(self[name].tolist() for name in names), strict=True)
        return {id: dict(zip(names, row, strict=True)) for id, *row in rows}

    def mean(
        self,
        measure: str,
        *,
        confidence_level: float = 0.95,
        n_resamples: int | None = None,
        rng: np.random.Generator | int | None = 0,
    ) -> Mean:
        """Average a measure over items, with a bootstrap interval over items.

        In exact mode this is what ROUGE-1.5.5 prints: the mean of bootstrap means and its
        percentiles, drawn with Perl's generator from the items sorted by id as text (items without
        ids are numbered from 1, as in a list for ``-z``).

        Parameters
        ----------
        measure
            A name such as ``rouge-2-r``.
        confidence_level
            Confidence level of the interval (``-c``, as a fraction).
        n_resamples
            Number of resamples; by default 9,999, in exact mode 1,000 (``-r``).
        rng
            Random generator or seed; ignored in exact mode.

        Examples
        --------
        >>> from pyramidion.rouge import Rouge
        >>> scores = Rouge(n=1).score(["a b", "c d"], [["a b"], ["c e"]])
        >>> scores.mean("rouge-1-f").mean
        0.75
        """
        return self._means((measure,), confidence_level, n_resamples, rng)[0]

    def means(
        self,
        *,
        confidence_level: float = 0.95,
        n_resamples: int | None = None,
        rng: np.random.Generator | int | None = 0,
    ) -> dict[str, Mean]:
        """Average all measures, each with its interval.

        Examples
        --------
        >>> from pyramidion.rouge import Rouge
        >>> means = Rouge(n=1).score(["a b", "c d"], [["a b"], ["c e"]]).means()
        >>> means["rouge-1-f"]
        Mean(mean=0.75, low=0.5, high=1.0, n=2)
        """
        names = self.rouge.measures
        means = self._means(names, confidence_level, n_resamples, rng)
        return dict(zip(names, means, strict=True))

    def _means(
        self, measures: Sequence[str], level: float, n_resamples: int | None, rng: Any
    ) -> list[Mean]:
        values = np.stack([self[measure] for measure in measures], axis=1)
        if self.rouge.exact:
            resamples = PERL_RESAMPLES if n_resamples is None else n_resamples
            perl_values = values[self._perl_order]
            return perl_means(perl_values, confidence_level=level, n_resamples=resamples)
        resamples = RESAMPLES if n_resamples is None else n_resamples
        return sample_means(values, confidence_level=level, n_resamples=resamples, rng=rng)

    @cached_property
    def _perl_order(self) -> list[int]:
        """The order of the items by ``evaluation.peer`` as text, for any peer."""
        has_numbers = isinstance(self.ids, range)
        names = [f"{row + 1 if has_numbers else id}." for row, id in enumerate(self.ids)]
        return sorted(range(len(names)), key=names.__getitem__)


def _means_chart(means: Sequence[tuple[str, Mean]]) -> "Picture":
    from pyramidion.rendering.charts.rows import PanelRow, RowPanel, row_panels_picture

    rows = tuple(PanelRow(name, mean.mean, mean.low, mean.high) for name, mean in means)
    note, panels = "means with 95% intervals", [RowPanel("", rows)]
    return row_panels_picture(panels, title="ROUGE", note=note, label="mean", mark_kind="points")


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """The counts of each peer with each of its references, for every variant."""

    rouge: Rouge
    pairs: Pairs
    counts: Mapping[Variant, Counts]
    peer_words: Ints
    names: Sequence[str]

    def scores(
        self, ids: Sequence[object], chosen_pairs: Pairs | None = None, rows: Any = None
    ) -> RougeScores:
        """Score items, combining their references as `models` specifies."""
        pairs = self.pairs if chosen_pairs is None else chosen_pairs
        if self.rouge.models not in ("mean", "jackknife"):
            return RougeScores(self.rouge, ids, self.of_items(pairs, rows))
        rows = np.arange(len(pairs.items)) if rows is None else rows
        pair_rows, sets, owners = _reference_sets(pairs.items, self.rouge.models == "jackknife")
        selected_pairs = Pairs(pairs.peers[pair_rows], pairs.models[pair_rows], sets, len(owners))
        return RougeScores(self.rouge, ids, self.of_items(selected_pairs, rows[pair_rows]), owners)

    def of_items(self, chosen_pairs: Pairs | None = None, rows: Any = None) -> Mapping[str, Counts]:
        """Combine the references of each item."""
        pairs = self.pairs if chosen_pairs is None else chosen_pairs
        if rows is None and not self.rouge.exact and self.rouge.models == "average":
            return all_item_counts(self.counts, pairs)
        rows = slice(None) if rows is None else rows
        all_counts = self.counts.items()
        return {
            variant.measure: self._combine(counts, pairs, variant, rows)
            for variant, counts in all_counts
        }

    def _combine(self, counts: Counts, pairs: Pairs, variant: Variant, rows: Any) -> Counts:
        counts = counts[rows]
        rule = "average" if self.rouge.models in ("mean", "jackknife") else self.rouge.models
        if not self.rouge.exact:
            selection_scores = (
                score_counts(counts, alpha=self.rouge.alpha).f if rule == "best-f" else None
            )
            return item_counts(counts, pairs, rule, recall=selection_scores)
        owners = self.pairs.items[rows]
        totals = perl.combine_exactly(
            counts,
            pairs,
            variant,
            rule,
            peer_words=self.peer_words[rows],
            name_of=lambda row: self.names[owners[row]],
        )
        return perl.with_float_counts(totals)


def _reference_sets(items: Ints, jackknife: bool) -> tuple[Ints, Ints, Ints]:
    """Make a set of each reference, or for the jackknife of all references but each.

    Returns the pairs in sets, the set of each, and the item of each set. The pairs of an item are
    adjacent, and an item's only reference is not left out.
    """
    if not jackknife:
        return np.arange(len(items)), np.arange(len(items)), items
    sizes = np.bincount(items)
    starts = np.cumsum(sizes) - sizes
    # Every pair has a set: the others of its item, or itself if there are none.
    sets, pairs = expanded(starts[items], sizes[items])
    is_in_set = (pairs != sets) | (sizes[items][sets] == 1)
    return pairs[is_in_set], sets[is_in_set], items


def count_pairs(
    rouge: Rouge, items: Items, *, threads: int = 1, reading: RougeReading | None = None
) -> ItemCounts:
    """Count every variant for every peer and reference."""
    _require_threads(threads)
    reading = read_items(rouge, items) if reading is None else reading
    pairs = items.pairs()
    counter = perl.count_exactly if rouge.exact else count_all
    counts = counter(reading, pairs, rouge.variants, threads=threads)
    return ItemCounts(rouge, pairs, counts, reading.flat_lengths[pairs.peers], items.names)


def score_texts(
    rouge: Rouge,
    peers: str | Mapping[Any, TextInput] | Sequence[TextInput],
    references: str | Mapping[Any, Sequence[TextInput]] | Sequence[TextInput | Sequence[TextInput]],
    *,
    threads: int = 1,
) -> RougeScores:
    """Score peers against references given by id, or as lists of the same length and order."""
    ids: Sequence[object]
    names: Iterable[str]
    if isinstance(peers, list) and isinstance(references, list):
        require_shape(peers, references)
        names = (f"item {number}" for number in count())
        ids, texts, reference_lists = range(len(peers)), peers, references
    elif isinstance(peers, Mapping) and isinstance(references, Mapping):
        reference_lists = match_references(peers, references)
        ids, texts, names = tuple(peers), list(peers.values()), map(repr, peers)
    else:
        given_lists = ([peers], [references]) if isinstance(peers, str) else (peers, references)
        texts, reference_lists = (
            _require_list("peers", given_lists[0]),
            _require_list("references", given_lists[1]),
        )
        return score_texts(rouge, texts, reference_lists, threads=threads)
    return _count_batch(
        rouge, texts, reference_lists, names, threads=threads, choose_tokenizer=True
    ).scores(ids)


def _count_batch(
    rouge: Rouge,
    peers: Sequence[TextInput],
    references: Sequence[Any],
    names: Iterable[str],
    *,
    threads: int = 1,
    choose_tokenizer: bool = False,
) -> ItemCounts:
    """Count while reading the texts if the kernels support it, which they nearly always do."""
    _require_threads(threads)
    encoded_texts, items = wrap_texts(rouge, peers, references), None
    if encoded_texts is None:
        items = align_items(peers, references, names)
    if (
        choose_tokenizer
        and rouge.tokenizer in (None, "rouge")
        and not (encoded_texts and encoded_texts.ascii)
    ):
        rouge = _with_tokenizer(rouge, items.texts if items else _distinct_texts(peers, references))
    if encoded_texts is not None and rouge.tokenizer in (None, "rouge"):
        count_array = count_wrapped(rouge, encoded_texts, peers, references, threads)
        if count_array is not None:
            pairs = Pairs(encoded_texts.items, encoded_texts.items, encoded_texts.items, len(peers))
            return ItemCounts(rouge, pairs, count_array, encoded_texts.items, ())
    if items is None:
        items = align_items(peers, references, names)
    return count_pairs(rouge, items, threads=threads)


def _distinct_texts(peers: Iterable[TextInput], references: Iterable[Any]) -> list[TextInput]:
    """Return the distinct peers and the distinct references."""
    text_lists = (
        (reference,) if isinstance(reference, str | bytes) else reference
        for reference in references
    )
    groups = (peers, chain.from_iterable(text_lists))
    keys = (
        (text if isinstance(text, str | bytes) else tuple(text) for text in texts)
        for texts in groups
    )
    return [text for texts in keys for text in dict.fromkeys(texts)]


def _require_threads(threads: int) -> None:
    if threads < 1:
        raise InputError(f"threads is {threads}", hint="give a whole number of at least 1")


def _with_tokenizer(rouge: Rouge, texts: Sequence[TextInput]) -> Rouge:
    """Choose a tokenizer for the texts if none is set; bytes are not examined."""
    tokenizer: Any = rouge.tokenizer
    share = other_letters(text for text in texts if not isinstance(text, bytes))
    chosen_tokenizer = tokenizer_for(share, tokenizer, fixed=rouge.exact)
    n_without_words = sum(map(has_no_word, texts)) if 0 < share < OTHER_SCRIPT_SHARE else 0
    if n_without_words:
        note = (
            f"{counted(n_without_words, 'text')} of {len(texts)} without a word in ASCII letters:"
        )
        note += " the rouge tokenizer finds nothing there; use the unicode tokenizer"
        warnings.warn(note, DataWarning, stacklevel=5)
    return rouge if chosen_tokenizer == tokenizer else replace(rouge, tokenizer=chosen_tokenizer)


def _require_list(name: str, texts: Any) -> list[Any]:
    if isinstance(texts, Mapping):
        raise InputError("peers and references must both be given by id, or both be lists")
    if isinstance(texts, str | bytes):
        raise InputError(f"{name} is a single text", hint="put it in a list: [text]")
    if not isinstance(texts, Iterable) or isinstance(texts, Set):
        raise InputError(f"{name} is {texts!r:.40}", hint="give a list, or texts by id")
    return list(texts)


#: Items per batch: enough to share references and vocabulary, few enough for the cache.
BATCH_SIZE = 1000


@dataclass(frozen=True, slots=True)
class ScoredBatch:
    """Items with their scores, one row per item, one column per measure."""

    items: tuple[StreamItem, ...]
    values: Floats


def score_stream(
    items: Iterable[StreamItem],
    rouge: Rouge,
    *,
    batch_size: int = BATCH_SIZE,
    threads: int | None = None,
) -> Iterator[ScoredBatch]:
    """Score items batch by batch, in their order."""
    if batch_size < 1 or (threads is not None and threads < 1):
        message = f"batches of {batch_size} on {threads} threads"
        raise InputError(message, hint="give whole numbers of at least 1")
    workers = threads or os.cpu_count() or 1
    parts = batches(items, batch_size)
    if workers == 1:
        yield from (_score_batch(batch, rouge) for batch in parts)
        return
    with ThreadPoolExecutor(workers) as pool:
        waiting_batches: deque[Future[ScoredBatch]] = deque()
        for batch in parts:
            waiting_batches.append(pool.submit(_score_batch, batch, rouge))
            if len(waiting_batches) > workers:
                yield waiting_batches.popleft().result()
        while waiting_batches:
            yield waiting_batches.popleft().result()


def batches(
    items: Iterable[StreamItem], size: int | None = BATCH_SIZE
) -> Iterator[tuple[StreamItem, ...]]:
    """Yield tuples of `size` items, or a single tuple of all items."""
    iterator = iter(items)
    while batch := tuple(islice(iterator, size)):
        yield batch


def _score_batch(batch: tuple[StreamItem, ...], rouge: Rouge) -> ScoredBatch:
    peers, references = [item.peer for item in batch], [item.references for item in batch]
    item_counts = _count_batch(rouge, peers, references, (item.name for item in batch))
    scores = item_counts.scores(range(len(batch)))
    values = np.stack([scores[measure] for measure in rouge.measures], axis=1)
    return ScoredBatch(batch, values)
