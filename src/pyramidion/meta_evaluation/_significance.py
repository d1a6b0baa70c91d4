"""Agreement on significance: whether a metric finds the differences that people find.

As in chapter 7 of the dissertation, every pair of the top systems is tested on the manual scores
and on the metric's.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from pyramidion._types import Bools, Floats, Ints, Pairs, Signs
from pyramidion.collection.ids import grouped
from pyramidion.comparison.common import known_means, ratios, require_known
from pyramidion.comparison.measure_tables import MetaTables, Peers, best_columns, scope_name
from pyramidion.errors import InputError
from pyramidion.meta_evaluation._agreement import (
    Agreement,
    PairVerdicts,
    VerdictOptions,
    judge_pairs,
    pool_agreements,
    three_way_counts,
    three_way_table,
)
from pyramidion.rendering.labels import counted
from pyramidion.stats.bootstrap import percentile_interval
from pyramidion.stats.inputs import Interval, check_choice
from pyramidion.stats.mean_intervals import influences
from pyramidion.stats.pairs import dense_ranks, multiply

#: Each metric doubles the number of combinations: 65,535 are enough.
MAX_COMBINED_METRICS = 16

#: What combined metrics must agree on.
CombineBy = Literal["direction", "significance"]

# Draws x pairs in a block.
_BLOCK_VALUES = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class TopSystems:
    """The chosen systems, best first, their columns in the tables, and the rule."""

    systems: tuple[str, ...]
    columns: Pairs
    rule: str

    @property
    def pairs(self) -> Pairs:
        """Every pair, as two indices of `systems`, the better one first."""
        return np.stack(np.triu_indices(len(self.systems), 1), axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class MeasureVerdicts(PairVerdicts):
    """A measure's verdicts on the pairs of a study.

    `order` is which system of each pair has the better mean (1, -1, or 0 if equal), `ordered`
    whether both have one.
    """

    measure: str
    order: Signs
    ordered: Bools


@dataclass(frozen=True, slots=True, eq=False)
class SignificanceStudy:
    """The verdicts of a manual measure, taken as true, and of metrics on the same pairs."""

    manual: MeasureVerdicts
    metrics: Mapping[str, MeasureVerdicts]
    task: str
    collection: str
    chosen: TopSystems
    options: VerdictOptions
    topics: int
    left_out: tuple[str, ...] = ()

    @property
    def block(self) -> str:
        """The collection and the task."""
        return " ".join(part for part in (self.collection, self.task) if part)

    @property
    def pairs(self) -> int:
        """The number of pairs of systems."""
        return len(self.manual.order)

    @property
    def significant(self) -> int:
        """The number of pairs that differ significantly by the manual measure (Table 7.1)."""
        return int(np.count_nonzero(self.manual.signs))

    @property
    def agreements(self) -> dict[str, Agreement]:
        """Each metric's agreement with the manual measure."""
        return {
            name: _agreement_with_manual(self.manual, metric)
            for name, metric in self.metrics.items()
        }


@dataclass(frozen=True, slots=True)
class Combination:
    """Metrics that must all find a difference, and their agreement with people."""

    metrics: tuple[str, ...]
    agreement: Agreement

    @property
    def point(self) -> tuple[float, float]:
        """Recall and precision."""
        return self.agreement.recall, self.agreement.precision


def study_significance(
    tables: MetaTables,
    *,
    options: VerdictOptions | None = None,
    top: int | None = None,
    peers: Peers = "machines",
    exactly: bool = False,
) -> SignificanceStudy:
    """Return the verdicts of a manual measure and of metrics on every pair of the top systems.

    Topics without manual scores do not count, and systems without scores of a metric have no
    verdict by it.
    """
    options = options or VerdictOptions()
    ranked_top = top_systems(tables, top=top, peers=peers, exactly=exactly)
    require_pairs(tables, ranked_top, peers)
    has_people = np.logical_or.reduce(~np.isnan(tables.truth), axis=1)
    table_part = np.ix_(has_people, ranked_top.columns)
    manual_verdicts = _measure_verdicts(
        tables.human, tables.truth[table_part], ranked_top.pairs, options
    )
    metrics = {
        name: _measure_verdicts(name, values[table_part], ranked_top.pairs, options)
        for name, values in tables.metrics.items()
    }
    left_out_notes = tuple(
        _left_out_notes(tables, ranked_top, has_people, [manual_verdicts, *metrics.values()])
    )
    study_key = tables.task, tables.collection
    return SignificanceStudy(
        manual_verdicts,
        metrics,
        *study_key,
        ranked_top,
        options,
        int(has_people.sum()),
        left_out_notes,
    )


def require_pairs(tables: MetaTables, ranked_top: TopSystems, peers: Peers) -> None:
    """Raise an error if there are fewer than two systems to compare."""
    if len(ranked_top.systems) < 2:
        name = scope_name(tables.human, tables.task, tables.collection)
        kind, hint = "system", "add systems"
        if peers == "machines":
            kind, hint = "machine", "add machines, or include people (peers: all)"
        raise InputError(f"{name}: {counted(len(ranked_top.systems), kind)}", hint=hint)


def _measure_verdicts(
    measure: str, values: Floats, pairs: Pairs, options: VerdictOptions
) -> MeasureVerdicts:
    """Test pairs of systems, and compare their means up to rounding."""
    verdicts = judge_pairs(values, pairs, options)
    means = known_means(values)
    has_score = ~np.isnan(means)
    ranks = dense_ranks(np.where(has_score, means, 0.0)).astype(np.int64)
    first, second = pairs.T
    is_ordered = has_score[first] & has_score[second]
    order = np.where(is_ordered, np.sign(ranks[first] - ranks[second]), 0).astype(np.int8)
    return MeasureVerdicts(verdicts.signs, verdicts.defined, verdicts.p, measure, order, is_ordered)


def _agreement_with_manual(manual_verdicts: MeasureVerdicts, metric: MeasureVerdicts) -> Agreement:
    is_defined = manual_verdicts.defined & metric.defined
    is_ordered = manual_verdicts.ordered & metric.ordered & (manual_verdicts.order != 0)
    return Agreement(
        three_way_counts(manual_verdicts.signs[is_defined], metric.signs[is_defined]),
        order_pairs=int(np.count_nonzero(is_ordered)),
        order_right=int(
            np.count_nonzero(manual_verdicts.order[is_ordered] == metric.order[is_ordered])
        ),
        undefined=int(np.count_nonzero(~is_defined)),
    )


def _left_out_notes(
    tables: MetaTables,
    ranked_top: TopSystems,
    has_people: Bools,
    verdicts: Sequence[MeasureVerdicts],
) -> Iterator[str]:
    all_tables = {tables.human: tables.truth, **tables.metrics}
    for verdict in verdicts:
        values = all_tables[verdict.measure]
        name = scope_name(verdict.measure, tables.task, tables.collection)
        is_present = ~np.isnan(values[np.ix_(has_people, ranked_top.columns)])
        unscored_columns = np.flatnonzero(~is_present.any(axis=0))
        if len(unscored_columns):
            yield (
                f"{name}: {len(unscored_columns)} of {len(ranked_top.systems)} systems have no "
                f"score, such as {ranked_top.systems[unscored_columns[0]]}"
            )
        if n_missing := int((~is_present).sum()) - len(unscored_columns) * len(is_present):
            yield f"{name}: {n_missing} missing scores; pairs use shared topics"
        if n_undefined := int(np.count_nonzero(~verdict.defined)):
            yield f"{name}: {n_undefined} of {len(verdict.order)} pairs have no verdict"
        if n_unjudged := int((~np.isnan(values[~has_people])).any(axis=1).sum()):
            yield f"{name}: {n_unjudged} topics without a score of {tables.human}"


def top_systems(
    tables: MetaTables,
    *,
    top: int | None = None,
    peers: Peers = "machines",
    exactly: bool = False,
) -> TopSystems:
    """Return the systems with the highest human means; all by default.

    Those tied with the last one are included, unless the number is to be taken exactly.
    If scores are missing, systems are ranked by least-squares means.
    """
    check_choice(peers, "peers", Peers)
    if top is not None and top < 1:
        raise InputError(f"the number of top systems is {top}", hint="give 1 or more, or all")
    is_excluded = tables.people if peers == "machines" else np.zeros_like(tables.people)
    means = influences(np.where(is_excluded, np.nan, tables.truth)).means
    columns = best_columns(means, top, exactly)
    n_top, n_available = len(columns), int(np.count_nonzero(~np.isnan(means)))
    kind = "machines" if peers == "machines" else "systems"
    rule = f"all {n_top} {kind}"
    if top is not None and n_top < n_available:
        tied_note = f" and {n_top - top} tied with the last" if n_top > top else ""
        rule = f"top {top} of {n_available} {kind}{tied_note}"
    return TopSystems(tuple(tables.systems[column] for column in columns), columns, rule)


def pooled_agreements(studies: Iterable[SignificanceStudy]) -> dict[str, Agreement]:
    """Add up each metric's counts over the studies that have it."""
    agreements_by_metric = grouped(
        metric_agreement for study in studies for metric_agreement in study.agreements.items()
    )
    return {
        metric: pool_agreements(agreements) for metric, agreements in agreements_by_metric.items()
    }


def combine(
    studies: Sequence[SignificanceStudy],
    metrics: Sequence[str],
    *,
    combine_by: CombineBy = "direction",
) -> tuple[Combination, ...]:
    """Evaluate every subset of up to 16 metrics, as the dissertation's Table 7.4 does.

    A combination finds a difference if all of its metrics find it in the same direction or, by
    significance, in any: a pair on which its metrics contradict each other is then significant, as
    in the text of the dissertation, and a direction conflict if people find it, too. This is an
    intersection-union test (Berger, Technometrics 24(4), 1982): it keeps the level without
    correction and loses power, so precision tends to rise and recall to fall with each metric
    (reading 24). A pair without a verdict of a metric is undefined for its combinations.

    The metrics that find a pair are the bits of a number, and the pairs found by all metrics of a
    subset are a sum over its supersets, computed for all subsets in one pass per metric.
    """
    if not (names := list(dict.fromkeys(metrics))):
        raise InputError("no metrics to combine are named", hint="name two or more")
    if len(names) > MAX_COMBINED_METRICS:
        message = f"{len(names)} metrics have {2 ** len(names) - 1:,} combinations"
        raise InputError(message, hint=f"name {MAX_COMBINED_METRICS} metrics at most")
    check_choice(combine_by, "combine_by", CombineBy)
    tables = np.zeros((4, 3, 1 << len(names)), dtype=np.int64)
    for study in studies:
        tables += _verdict_table(study, names)
    # Add the columns of all supersets to each set's column.
    for bit in range(len(names)):
        halves = tables.reshape(12, -1, 2, 1 << bit)
        halves[:, :, 0] += halves[:, :, 1]
    n_pairs = sum(study.pairs for study in studies)
    return tuple(
        Combination(
            tuple(names[bit] for bit in bits),
            _combined_agreement(tables, bits, n_pairs, combine_by),
        )
        for length in range(1, len(names) + 1)
        for bits in combinations(range(len(names)), length)
    )


def _verdict_table(study: SignificanceStudy, names: Sequence[str]) -> Ints:
    """Count pairs by manual verdict and the set of metrics that say up, down, either or any."""
    for name in names:
        require_known("metric", name, study.metrics)
    manual_verdicts = study.manual
    signs = np.stack([study.metrics[name].signs for name in names])
    is_defined = np.stack([study.metrics[name].defined for name in names])
    n_sets, positions = 1 << len(names), np.arange(len(names))[:, None]
    tables = []
    for mask in (signs > 0, signs < 0, signs != 0, is_defined):
        # The metrics in the mask are the bits of a number.
        bits = (mask.astype(np.int64) << positions).sum(axis=0)
        cell_codes = (manual_verdicts.signs.astype(np.int64) + 1) * n_sets + bits
        tables.append(
            np.bincount(cell_codes[manual_verdicts.defined], minlength=3 * n_sets).reshape(
                3, n_sets
            )
        )
    return np.array(tables, dtype=np.int64)


def _combined_agreement(
    tables: Ints, bits: tuple[int, ...], n_pairs: int, combine_by: CombineBy
) -> Agreement:
    n_positive, n_negative, n_either, n_defined = tables[..., sum(1 << bit for bit in bits)]
    counts = np.stack([n_negative, n_defined - n_positive - n_negative, n_positive], axis=1)
    if combine_by == "significance":
        n_contradictory = n_either - n_positive - n_negative
        counts[:, 1] -= n_contradictory
        # They conflict with people's verdict, since one of the metrics does.
        counts[[0, 1, 2], [2, 2, 0]] += n_contradictory
    return Agreement(three_way_table(counts), undefined=n_pairs - int(n_defined.sum()))


def agreement_intervals(
    studies: Sequence[SignificanceStudy], *, n_resamples: int = 1000, seed: int = 0
) -> dict[str, dict[str, Interval]]:
    """Return 95% percentile intervals of the ratios of agreements, over draws of systems.

    Pairs that share a system are not independent, so systems are resampled, not pairs: a pair
    counts as often as its first system times its second. Verdicts do not change, so the intervals
    do not reflect topics. Systems are drawn in each study, the same for all metrics, and counts
    added up. Draws in which a ratio is undefined do not count.
    """
    counts: dict[str, Floats] = {}
    for index, study in enumerate(studies):
        for metric, metric_counts in _drawn_counts(study, n_resamples, [seed, index]):
            counts[metric] = counts.get(metric, 0.0) + metric_counts
    return {
        metric: {name: percentile_interval(values) for name, values in _named_ratios(*rows)}
        for metric, rows in counts.items()
    }


def _drawn_counts(
    study: SignificanceStudy, n_resamples: int, seed: list[int]
) -> Iterator[tuple[str, Floats]]:
    """Count tp, fp, fn, tn, ordered pairs and rightly ordered ones of each metric and draw."""
    n_systems = len(study.chosen.systems)
    first, second = study.chosen.pairs.T
    masks = [
        mask for metric in study.metrics.values() for mask in _pair_masks(study.manual, metric)
    ]
    mask_table = np.stack(masks).astype(np.float32)
    rng = np.random.default_rng(seed)
    counts = np.empty((len(mask_table), n_resamples))
    step = max(1, _BLOCK_VALUES // len(first))
    for start in range(0, n_resamples, step):
        n_draws = min(step, n_resamples - start)
        draw_counts = (
            rng.multinomial(n_systems, np.full(n_systems, 1 / n_systems), n_draws)
            .astype(np.float32)
            .T
        )
        # Single precision represents such counts exactly.
        counts[:, start : start + n_draws] = multiply(
            mask_table, draw_counts[first] * draw_counts[second]
        )
    yield from zip(study.metrics, np.split(counts, len(study.metrics)), strict=True)


def _pair_masks(manual_verdicts: MeasureVerdicts, metric: MeasureVerdicts) -> Iterator[Bools]:
    """Mark the pairs of each kind."""
    is_defined, is_significant, is_predicted = (
        manual_verdicts.defined & metric.defined,
        manual_verdicts.signs != 0,
        metric.signs != 0,
    )
    yield is_defined & is_significant & is_predicted
    yield is_defined & ~is_significant & is_predicted
    yield is_defined & is_significant & ~is_predicted
    yield is_defined & ~is_significant & ~is_predicted
    is_ordered = manual_verdicts.ordered & metric.ordered & (manual_verdicts.order != 0)
    yield is_ordered
    yield is_ordered & (manual_verdicts.order == metric.order)


def _named_ratios(
    tp: Floats, fp: Floats, fn: Floats, tn: Floats, n_ordered: Floats, n_right: Floats
) -> Iterator[tuple[str, Floats]]:
    precision, recall = ratios(tp, tp + fp), ratios(tp, tp + fn)
    yield "accuracy", ratios(tp + tn, tp + fp + fn + tn)
    yield "precision", precision
    yield "recall", recall
    yield "balanced_accuracy", (recall + ratios(tn, tn + fp)) / 2
    yield "mean_predictive_value", (precision + ratios(tn, tn + fn)) / 2
    yield "order_accuracy", ratios(n_right, n_ordered)
