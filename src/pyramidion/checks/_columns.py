"""What several measures, or other columns of a table, show together."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np

from pyramidion._types import Floats
from pyramidion.checks import _thresholds as limits
from pyramidion.checks._kinds import new_finding
from pyramidion.checks._measured import CodedNames, MeasuredPart
from pyramidion.checks._series import correlation, is_clearly_higher, is_much_lower
from pyramidion.collection import Collection
from pyramidion.collection.findings import Finding, Repair
from pyramidion.collection.ids import brief_list, grouped
from pyramidion.collection.measures import LARGEST_SCORE

_TOTAL_NAME = re.compile(
    r"(.+[ _-])?(mean|average|avg|overall|total|sum|final|aggregate)([ _-](score|rating|quality))?"
)
# Larger tables of summaries by measures are not checked as a whole.
_MAX_MEASURES, _MAX_CELLS = 100, 5_000_000

# The name for groups of topics that come from the beginnings of their names.
_NAME_BEGINNING = "beginning of the name"
_WRITE_COLUMN = "write it to a column, and name that with --cluster"


def unmeasured_systems(collection: Collection, coded_names: CodedNames) -> Iterator[Finding]:
    """Find machines without any score for a measure, unlike nearly all others."""
    (systems, system), (measures, measure) = coded_names["system"], coded_names["measure"]
    is_machine = np.asarray(collection.scores.columns["kind"] == "machine", dtype=bool)
    has_measure = np.zeros((len(measures), len(systems)), dtype=bool)
    has_measure[measure[is_machine], system[is_machine]] = True
    has_measure = (
        has_measure[:, has_measure.any(axis=0)] if has_measure.any() else has_measure[:, :0]
    )
    names = [systems[code] for code in np.unique(system[is_machine]).tolist()]
    lacking_measures = grouped(
        (
            brief_list(
                [name for name, has_scores in zip(names, row, strict=True) if not has_scores]
            ),
            measures[column],
        )
        for column, row in enumerate(has_measure)
        if limits.STYLE_SHARE * len(names) <= row.sum() < len(names)
    )
    for subject, missing_measures in lacking_measures.items():
        measure_names = brief_list(missing_measures)
        message = f"it lacks all scores by {measure_names}, which other systems have; did it fail?"
        yield new_finding(
            "measure without a system",
            f"system {subject}",
            message,
            measures=tuple(missing_measures),
        )


def column_findings(
    collection: Collection, coded_names: CodedNames, parts: Iterable[MeasuredPart]
) -> Iterator[Finding]:
    """Find measures that repeat, summarize or miss the others."""
    names, table, systems = _scores_of_measures(collection, coded_names)
    if len(names) < 2 or len(table) < limits.MIN_SCORES:
        return
    copies = []
    # Among many metrics, some are the same by definition.
    are_few = len(names) <= limits.MAX_FEW_MEASURES
    copies = list(_copied_measures(names, table))
    yield from copies if are_few else (replace(f, severity="note", repairs=()) for f in copies)
    if are_few:
        yield from _noise_measures(parts)
        yield from _reversed_marks(names, table)
    yield from _empty_rows(names, table, systems)
    yield from _failed_measures(names, table)
    yield from _computed_measures(names, table)
    yield from _measures_of_other_summaries(names, table, systems)
    if not (are_few and copies):
        yield from _shifted_measure(names, table, len({*systems}))


def _copied_measures(names: list[str], table: Floats) -> Iterator[Finding]:
    """Find measures with the same scores, perhaps on different scales."""
    copied_columns: set[int] = set()
    for first, second in combinations(range(len(names)), 2):
        first_scores, second_scores = table[:, first], table[:, second]
        if (
            {first, second} & copied_columns
            or not correlation(
                first_scores[: limits.MAX_SAMPLED_TOPICS],
                second_scores[: limits.MAX_SAMPLED_TOPICS],
            )
            > 0.999999
            or not correlation(first_scores, second_scores) > 0.999999
            or len(np.unique(first_scores)) <= 3
        ):
            continue
        copied_columns.add(second)
        is_same = np.array_equal(first_scores, second_scores, equal_nan=True)
        message = f"they are the same for all {len(table)} summaries"
        message += (
            "; was a column copied?" if is_same else ", on different scales; was one computed "
        )
        message += "" if is_same else "from the other?"
        kind = "measures with identical scores"
        repairs = (Repair("exclude", names[second]),) if is_same else ()
        pair = f"measures {names[first]} and {names[second]}"
        severity = "warning" if is_same else "note"
        yield new_finding(kind, pair, message, repairs=repairs, severity=severity)


def _scores_of_measures(
    collection: Collection, coded_names: CodedNames
) -> tuple[list[str], Floats, list[str]]:
    """Return the measures, each summary's mean score per measure, and each summary's system."""
    names = coded_names["measure"][0]
    is_whole_summary = ~np.array([bool(unit) for unit in coded_names["unit"][0]], dtype=bool)
    if not 1 < len(names) <= _MAX_MEASURES:
        return [], np.empty((0, 0)), []
    rows = np.flatnonzero(is_whole_summary[coded_names["unit"][1]])
    item_codes = np.zeros(len(rows), np.int64)
    for column in ("task", "topic", "system"):
        item_codes = item_codes * len(coded_names[column][0]) + coded_names[column][1][rows]
    unique_items, first_rows, inverse = np.unique(
        item_codes, return_index=True, return_inverse=True
    )
    if len(unique_items) * len(names) > _MAX_CELLS:
        return [], np.empty((0, 0)), []
    position = np.empty(len(unique_items), np.int64)
    position[np.argsort(first_rows)] = np.arange(len(unique_items))
    cells = position[inverse] * len(names) + coded_names["measure"][1][rows]
    counts = np.bincount(cells, minlength=len(unique_items) * len(names))
    means = np.full(len(counts), np.nan)
    totals = np.bincount(cells, collection.scores.value[rows], len(counts))
    np.divide(totals, counts, out=means, where=counts > 0)
    means[np.abs(means) > LARGEST_SCORE] = np.nan  # They are reported as such.
    table = means.reshape(-1, len(names))
    is_filled = np.isfinite(table).sum(axis=0) >= 0.8 * len(table)
    is_filled &= ~(np.abs(table) > LARGEST_SCORE).any(axis=0)  # sums and squares overflow
    filled_names = [name for name, has_enough in zip(names, is_filled, strict=True) if has_enough]
    system_names = coded_names["system"][0]
    systems = unique_items[np.argsort(position)] % len(system_names)
    return filled_names, table[:, is_filled], [system_names[code] for code in systems.tolist()]


def _empty_rows(names: list[str], table: Floats, systems: Sequence[str]) -> Iterator[Finding]:
    """Find summaries whose marks are all 0 although the scale starts at 1 elsewhere."""
    positive_table = np.where(table == 0, np.nan, table)
    mark_columns = [
        column
        for column in range(len(names))
        if len(np.unique(table[:, column])) > 3
        and np.nanmin(positive_table[:, column], initial=np.inf) >= 1
        and np.nanmax(table[:, column]) <= 10  # percentages of n-grams are 0 together
    ]
    if len(mark_columns) < 2:
        return
    is_zero = table[:, mark_columns] == 0
    n_all_zero, n_any_zero = is_zero.all(axis=1).sum(), is_zero.any(axis=1).sum()
    max_ratio = limits.OTHER_ZEROS[int(n_all_zero >= limits.MIN_SCORES)]
    if (
        n_all_zero >= 3
        and n_any_zero <= max_ratio * n_all_zero
        and n_all_zero <= limits.MAX_ODD_CELLS * len(table)
    ):
        rows = np.flatnonzero(is_zero.all(axis=1)).tolist()
        system_names = brief_list([*dict.fromkeys(systems[row] for row in rows)])
        message = f"0 for all of them in {n_all_zero} of {len(table)} summaries (of "
        message += f"{system_names}), 1 or more in nearly all others; "
        message += "does 0 mean that there is no score? Then add --missing 0"
        subject = f"measures {brief_list([names[column] for column in mark_columns])}"
        yield new_finding("zero for every measure", subject, message, "0")


def _failed_measures(names: list[str], table: Floats) -> Iterator[Finding]:
    """Find measures that are 0 for summaries to which a related measure gives usual scores."""
    for column, name in enumerate(names):
        is_zero, is_scored = (
            table[:, column] == 0,
            ~np.isnan(table[:, column]) & (table[:, column] != 0),
        )
        is_few = limits.MIN_TEXTS <= is_zero.sum() <= limits.MAX_ODD_CELLS * len(table)
        if not is_few or len(np.unique(table[:, column])) <= limits.STEPS[1]:
            continue  # 0 is usual among marks and answers.
        related_columns = [
            other_column
            for other_column in range(len(names))
            if other_column != column and np.isfinite(table[:, other_column]).all()
        ]
        strengths = {
            other_column: correlation(table[is_scored, column], table[is_scored, other_column])
            for other_column in related_columns
        }
        best_measure = max(
            strengths,
            key=lambda other_column: np.nan_to_num(strengths[other_column]),
            default=column,
        )
        if best_measure == column or not strengths[best_measure] >= limits.MIN_RELATED:
            continue
        ranks = np.searchsorted(
            np.sort(table[is_scored, best_measure]), table[is_zero, best_measure]
        )
        if float(ranks.mean()) >= limits.MIN_AS_GOOD * is_scored.sum():
            repair = Repair("missing", f"{name}=0")
            message = f"0 for {int(is_zero.sum())} summaries, which have normal scores by "
            message += f"{names[best_measure]}, although their correlation is "
            message += f"{strengths[best_measure]:.2f}; did "
            message += f"it fail there? Then add {repair.flag}"
            yield new_finding("zero instead of a score", name, message, repairs=(repair,))


def _measures_of_other_summaries(
    names: list[str], table: Floats, systems: Sequence[str]
) -> Iterator[Finding]:
    """Find a measure that is unrelated to others for one system, but related for all the rest."""
    rows_by_system = {
        name: rows
        for name, rows in grouped((system, row) for row, system in enumerate(systems)).items()
        if len(rows) >= limits.MIN_PAIRS
    }
    if not limits.MIN_SYSTEMS <= len(rows_by_system) <= limits.MIN_MANY or len(names) > 12:
        return
    correlations = np.full((len(names), len(names), len(rows_by_system)), np.nan)
    for (first, second), (index, rows) in product(
        combinations(range(len(names)), 2), enumerate(rows_by_system.values())
    ):
        correlations[first, second, index] = correlations[second, first, index] = correlation(
            table[rows, first], table[rows, second]
        )
    usual_correlations = np.nan_to_num(np.median(correlations, axis=2))
    findings_by_system: dict[str, tuple[float, Finding]] = {}
    for column, name in enumerate(names):
        nearest_column = int(usual_correlations[column].argmax())
        usual_correlation = float(usual_correlations[column, nearest_column])
        if usual_correlation < limits.MIN_RELATED:
            continue
        for index, (system, rows) in enumerate(rows_by_system.items()):
            r = float(correlations[column, nearest_column, index])
            are_lower = [
                is_much_lower(r, usual_correlation, len(rows), min_z)
                for min_z in limits.UNRELATED_Z
            ]
            mean_correlation = float(
                np.delete(np.nan_to_num(correlations[column, :, index]), column).mean()
            )
            if are_lower[0] and mean_correlation < findings_by_system.get(system, (math.inf,))[0]:
                message = f"its {name} has a correlation of {r:.2f} with {names[nearest_column]}, "
                message += f"while that of others has {usual_correlation:.2f}; are these scores of "
                message += "other summaries, or in another order?"
                findings_by_system[system] = mean_correlation, new_finding(
                    "measure of other summaries", f"system {system}", message,
                    severity="severe" if are_lower[1] else "note", measures=(name,),
                )  # fmt: skip
    for _, finding in (
        findings_by_system.values() if 2 * len(findings_by_system) < len(rows_by_system) else ()
    ):
        yield finding


def split_findings(collection: Collection) -> Iterator[Finding]:
    """Note a column that calls some topics training items, and others not."""
    for name, column in collection.scores.extra.items():
        values = np.char.lower(column.astype(str)) if "split" in name.casefold() else column[:0]
        is_training = np.isin(values, ("train", "training"))
        if 0 < is_training.sum() < len(values):
            message = f"{is_training.sum()} of {len(values)} scores are of training items (train); "
            message += "compare on the others only"
            yield new_finding("training items among the topics", f"column {name}", message)


def _computed_measures(names: list[str], table: Floats) -> Iterator[Finding]:
    """Find a measure that is the mean or the sum of others."""
    complete_rows = table[np.isfinite(table).all(axis=1)]
    for column, name in enumerate(names):
        other_columns = [
            other_column
            for other_column in range(len(names))
            if other_column != column and np.ptp(complete_rows[:, other_column]) > 0
        ]
        if (
            not _TOTAL_NAME.fullmatch(name.casefold())
            or len(other_columns) < 2
            or len(complete_rows) < 3 * len(names)
        ):
            continue
        spread = float(complete_rows[:, column].std())
        weights = np.linalg.lstsq(
            complete_rows[:, other_columns], complete_rows[:, column], rcond=None
        )[0]
        error = complete_rows[:, other_columns] @ weights - complete_rows[:, column]
        addend_columns = [
            other_column
            for other_column, weight in zip(other_columns, weights, strict=True)
            if abs(weight) > 0.02
        ]
        if spread > 0 and len(addend_columns) > 1 and float(np.abs(error).max()) < 0.05 * spread:
            addends = brief_list([names[addend_column] for addend_column in addend_columns])
            message = f"it is a mean or sum of {addends}; it adds "
            message += f"no information, but counts in corrections for measures (--exclude {name})"
            yield new_finding("measure computed from others", name, message, name)


def _shifted_measure(names: list[str], table: Floats, n_systems: int) -> Iterator[Finding]:
    """Find a measure that correlates better with the others some rows, or topics, away."""
    lags = range(1, limits.MAX_SHIFT + 1)
    steps = [n for n in {*lags, *(n_systems * lag for lag in lags)} if n < len(table) / 2]
    if len(table) < limits.MIN_PAIRS or len(names) > 12:
        return
    gains = {}
    for column in range(len(names)):
        scores = table[:, column]
        other_columns = [
            table[:, other_column] for other_column in range(len(names)) if other_column != column
        ]
        correlations_same_row = [
            abs(correlation(scores, other_scores)) for other_scores in other_columns
        ]
        usual_correlation = _median(correlations_same_row)
        best_correlation = max(
            _median(abs(correlation(values, other_values)) for values, other_values in pairs)
            for step in steps
            for pairs in (
                [(scores[step:], other_scores[:-step]) for other_scores in other_columns],
                [(scores[:-step], other_scores[step:]) for other_scores in other_columns],
            )
        )
        if is_clearly_higher(best_correlation, usual_correlation, len(table)):
            gain = best_correlation - usual_correlation
            gains[column] = gain, best_correlation, usual_correlation
    if gains:
        shifted_column = max(gains, key=lambda column: gains[column][0])
        _, best_correlation, usual_correlation = gains[shifted_column]
        are_two = len(names) == 2
        subject = (
            f"measures {names[0]} and {names[1]}" if are_two else f"measure {names[shifted_column]}"
        )
        message = (
            f"{'they fit each other' if are_two else 'it fits the others'} better in a row before "
        )
        message += f"or after (correlation {best_correlation:.2f}) than in the same row "
        message += f"({usual_correlation:.2f}); is the "
        yield new_finding("measure shifted by a row", subject, message + "column shifted by a row?")


def repeated_topics(parts: Iterable[MeasuredPart]) -> Iterator[Finding]:
    """Find topics with the same scores of all systems by all measures."""
    for task_parts in grouped((part.task, part) for part in parts if len(part.table)).values():
        names = task_parts[0].names["topic"]
        measures = [part for part in task_parts if part.names["topic"] == names]
        table = np.hstack([part.table for part in measures])
        table = table[:, ~np.isnan(table).all(axis=0)]
        if not limits.MIN_TEXTS <= len(table) <= limits.MAX_SAMPLED_SCORES:
            continue
        # Rows of common marks may be equal by chance.
        surprisal = sum(map(_surprisal, table.T)) - 2 * np.log10(len(table))
        rows_by_scores = grouped((row.tobytes(), t) for t, row in enumerate(table)).values()
        repeated_rows = [
            rows for rows in rows_by_scores
            if len(rows) > 1 and surprisal[rows[0]] > limits.ONE_TOPIC_Z
            and len(np.unique(table[rows[0]])) > 2
        ]  # fmt: skip
        if repeated_rows:
            quoted_topics = " and ".join(names[row] for row in repeated_rows[0][:3])
            suffix = (
                f" ({sum(map(len, repeated_rows))} topics repeat others)"
                if len(repeated_rows) > 1
                else ""
            )
            title = brief_list([part.measure for part in measures])
            message = f"every system has the same {title} on them{suffix}; is it one topic?"
            yield new_finding("topics with identical scores", f"topics {quoted_topics}", message)


def _surprisal(column: Floats) -> Floats:
    """Return minus the logarithm of each value's share in a column."""
    _, codes, counts = np.unique(column, return_inverse=True, return_counts=True)
    surprisal: Floats = np.log10(len(column) / counts)[codes]
    return surprisal


def _median(values: Iterable[float]) -> float:
    numbers = [value for value in values if not math.isnan(value)]
    return float(np.median(numbers)) if numbers else 0.0


def _noise_measures(parts: Iterable[MeasuredPart]) -> Iterator[Finding]:
    """Find measures that neither systems nor topics explain, unlike another measure."""
    for task_parts in grouped((part.task, part) for part in parts if len(part.table)).values():
        z_of_parts = [_largest_z(part) for part in task_parts]
        if not any(z > limits.EXPLAINED_RATIO for z in z_of_parts):
            continue
        for measured_part, z in zip(task_parts, z_of_parts, strict=True):
            if z < limits.MIN_UNEXPLAINED:
                message = "its systems and topics differ no more than by chance, unlike those of "
                message += "other measures; was the column shuffled, or taken from other rows?"
                yield measured_part.finding(
                    "measure that is noise", message, rows=measured_part.rows
                )


def _largest_z(measured_part: MeasuredPart) -> float:
    """Return the larger z-score of F tests of systems and of topics; NaN if there are too few."""
    table = measured_part.table
    table = table[:, ~np.isnan(table).all(axis=0)]
    table = table[np.isfinite(table).all(axis=1)]
    is_varied = len(np.unique(table)) > limits.USUAL_SHARE * table.size
    if len(table) < limits.MIN_PAIRS or table.shape[1] < 3 or not is_varied:
        return math.nan
    return max(
        _intra_class_correlation(
            (rows - rows.mean(axis=0)).reshape(-1, 1), np.arange(rows.size) // rows.shape[1]
        )[1]
        for rows in (table, table.T)
    )


def _reversed_marks(names: Sequence[str], table: Floats) -> Iterator[Finding]:
    """Find marks that all other marks on the same scale contradict, while those agree."""
    mark_columns = [column for column in range(len(names)) if _is_mark(table[:, column])]
    if len(mark_columns) < 3:
        return
    correlations = np.array(
        [
            [correlation(table[:, first], table[:, second]) for first in mark_columns]
            for second in mark_columns
        ]
    )
    for index, column in enumerate(mark_columns):
        own_correlations = np.delete(correlations[index], index)
        correlations_of_rest = np.delete(np.delete(correlations, index, 0), index, 1)[
            np.triu_indices(len(mark_columns) - 1, 1)
        ]
        if (
            own_correlations.max() < limits.MAX_REVERSED
            and np.median(correlations_of_rest) > -limits.MAX_REVERSED
        ):
            message = f"has correlations of {own_correlations.min():.2f} to "
            message += f"{own_correlations.max():.2f} with the other marks, which have "
            message += f"{np.median(correlations_of_rest):.2f} with each other; is its scale "
            message += f"reversed? Then add --reverse {names[column]}"
            repairs = (Repair("reverse", names[column]),)
            yield new_finding("measure with a reversed scale", f"measure {names[column]}", message,
                              repairs=repairs)  # fmt: skip


def _is_mark(column: Floats) -> bool:
    """Return whether scores may be marks from 1 to 5, 7 or 10, or means of them."""
    values = column[np.isfinite(column)]
    low, high = float(values.min(initial=1)), float(values.max(initial=1))
    sixths = values * 6
    return (
        1 <= low < high <= 10 and high > 2 and bool((np.abs(sixths - np.rint(sixths)) < 0.07).all())
    )


def task_findings(parts: Iterable[MeasuredPart]) -> Iterator[Finding]:
    """Find measures that are fractions in a task and percentages in another."""
    for measure, tasks in grouped((part.measure, part) for part in parts).items():
        median_by_task = {part.task: float(np.median(part.value)) for part in tasks}
        low_task, high_task = (
            min(median_by_task, key=lambda t: median_by_task[t]),
            max(median_by_task, key=lambda t: median_by_task[t]),
        )
        small_values = next(part for part in tasks if part.task == low_task).value
        are_fractions = (
            0 <= small_values.min() < small_values.max() <= 1
            and len(np.unique(small_values[:1000])) > 2
        )
        if are_fractions and median_by_task[high_task] > max(
            limits.PERCENT * median_by_task[low_task], 1
        ):
            message = f"its median is {median_by_task[low_task]:g} in task {low_task} and "
            message += f"{median_by_task[high_task]:g} in task {high_task}; are these percentages?"
            yield new_finding("tasks on different scales", f"measure {measure}", message)


def cluster_findings(collection: Collection, parts: Iterable[MeasuredPart]) -> Iterator[Finding]:
    """Find columns that group topics with similar differences between systems."""
    labels = dict(_topic_labels(collection))
    strongest_effects: dict[str, tuple[float, float, MeasuredPart, int]] = {}
    for part in parts if labels else ():
        table = part.table
        if not len(table):
            continue
        has_scores = ~np.isnan(table).all(axis=0)
        rows = np.flatnonzero(np.isfinite(table[:, has_scores]).all(axis=1))
        table = table[np.ix_(rows, has_scores)]
        if len(table) < limits.MIN_SCORES or table.shape[1] < 2:
            continue
        deviations = table - table.mean(axis=1, keepdims=True)
        deviations -= deviations.mean(axis=0)
        for column, names in labels.items():
            groups = [names.get(part.names["topic"][row], "") for row in rows.tolist()]
            group_codes = np.unique(groups, return_inverse=True)[1]
            icc, z = _intra_class_correlation(deviations, group_codes)
            if icc >= limits.MIN_CLUSTERED and z > strongest_effects.get(column, (0.0, 0.0))[1]:
                strongest_effects[column] = icc, z, part, int(group_codes.max()) + 1
    for column, (icc, z, part, n_groups) in strongest_effects.items():
        if z > limits.CLUSTER_Z:
            message = f"topics of the same {column} have similar differences of {part.title} "
            message += f"(intra-class correlation {icc:.2f}, {n_groups} clusters), so p-values "
            name = "" if column == _NAME_BEGINNING else column
            message += f"are too small; {f'add --cluster {name}' if name else _WRITE_COLUMN}"
            subject, severity = (f"column {name}", "warning") if name else ("topics", "note")
            yield new_finding("topics in clusters", subject, message, name, severity=severity)


def _topic_labels(collection: Collection) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield columns that have one value for each topic, and several topics for some values."""
    scores = collection.scores
    topics = scores.columns["topic"].tolist()
    columns: dict[str, Mapping[str, str]] = {}
    n_topics = len(set(topics))
    for name, column in scores.extra.items():
        if name in scores.columns:
            continue
        values = column.tolist()
        # Most columns have several values for one of the first topics.
        if len({*zip(topics[:1000], values[:1000], strict=True)}) > len({*topics[:1000]}):
            continue
        if not limits.MIN_CLUSTERS <= len(set(values)) <= n_topics / limits.TOPICS_PER_CLUSTER:
            continue
        pairs = set(zip(topics, values, strict=True))
        if len(pairs) == n_topics:
            columns[name] = {topic: str(value or "") for topic, value in pairs}
    parts = {topic: re.split(r"[-_.:/ ]", topic) for topic in dict.fromkeys(topics)}
    if not columns and all(
        len(parts_of_name) > 1 and re.search(r"\d", parts_of_name[0])
        for parts_of_name in parts.values()
    ):
        columns[_NAME_BEGINNING] = {topic: name_parts[0] for topic, name_parts in parts.items()}
    fields = {name for topic in collection.topics for name in topic.extra}
    for name in sorted(fields - columns.keys()):
        columns[name] = {topic.id: str(topic.extra.get(name) or "") for topic in collection.topics}
    for name, labels in columns.items():
        max_labels = len(labels) / limits.TOPICS_PER_CLUSTER
        if all(labels.values()) and limits.MIN_CLUSTERS <= len({*labels.values()}) <= max_labels:
            yield name, labels


def _intra_class_correlation(
    table: Floats, group_codes: "np.typing.NDArray[np.int64]"
) -> tuple[float, float]:
    """Return the intra-class correlation of rows in groups, and a z-score of its F test."""
    sizes = np.bincount(group_codes)
    n_groups, n_topics = len(sizes), len(group_codes)
    if not limits.MIN_CLUSTERS <= n_groups < n_topics:
        return 0.0, 0.0
    means = np.stack([np.bincount(group_codes, column) / sizes for column in table.T])
    variance_between = float((sizes * means**2).sum()) / (n_groups - 1)
    variance_within = float(((table.T - means[:, group_codes]) ** 2).sum()) / (n_topics - n_groups)
    if variance_within <= 0:
        return 0.0, 0.0
    f_ratio = variance_between / variance_within
    mean_size = (n_topics - float((sizes**2).sum()) / n_topics) / (n_groups - 1)
    groups_term, topics_term = 2 / (9 * (n_groups - 1)), 2 / (9 * (n_topics - n_groups))
    # Paulson's approximation of the F distribution.
    cube_root = f_ratio ** (1 / 3)
    z = ((1 - topics_term) * cube_root - (1 - groups_term)) / math.sqrt(
        topics_term * cube_root**2 + groups_term
    )
    return (f_ratio - 1) / (f_ratio - 1 + mean_size), z
