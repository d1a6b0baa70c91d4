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
from pyramidion.checks._measured import Coded, Measured
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
_BEGINNING = "beginning of the name"
_WRITE_COLUMN = "write it to a column, and name that with --cluster"


def unmeasured_systems(collection: Collection, coded_names: Coded) -> Iterator[Finding]:
    """Find machines without any score for a measure, unlike nearly all others."""
    (systems, system), (measures, measure) = coded_names["system"], coded_names["measure"]
    machine = np.asarray(collection.scores.columns["kind"] == "machine", dtype=bool)
    has_measure = np.zeros((len(measures), len(systems)), dtype=bool)
    has_measure[measure[machine], system[machine]] = True
    has_measure = (
        has_measure[:, has_measure.any(axis=0)] if has_measure.any() else has_measure[:, :0]
    )
    names = [systems[code] for code in np.unique(system[machine]).tolist()]
    lacking_measures = grouped(
        (brief_list([name for name, mark in zip(names, row, strict=True) if not mark]), measures[m])
        for m, row in enumerate(has_measure)
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
    collection: Collection, coded_names: Coded, parts: Iterable[Measured]
) -> Iterator[Finding]:
    """Find measures that repeat, summarize or miss the others."""
    names, table, systems = _side_by_side(collection, coded_names)
    if len(names) < 2 or len(table) < limits.MIN_SCORES:
        return
    copies = []
    # Among many metrics, some are the same by definition.
    few = len(names) <= limits.MAX_FEW_MEASURES
    copies = list(_copies(names, table))
    yield from copies if few else (replace(f, severity="note", repairs=()) for f in copies)
    if few:
        yield from _noise(parts)
        yield from _reversed_marks(names, table)
    yield from _empty_rows(names, table, systems)
    yield from _failed_measures(names, table)
    yield from _sums(names, table)
    yield from _of_other_summaries(names, table, systems)
    if not (few and copies):
        yield from _shifted_measure(names, table)


def _copies(names: list[str], table: Floats) -> Iterator[Finding]:
    """Find measures with the same scores, perhaps on different scales."""
    done_columns: set[int] = set()
    for first, second in combinations(range(len(names)), 2):
        a, b = table[:, first], table[:, second]
        if (
            {first, second} & done_columns
            or not correlation(a[: limits.MAX_SAMPLED_TOPICS], b[: limits.MAX_SAMPLED_TOPICS])
            > 0.999999
            or not correlation(a, b) > 0.999999
            or len(np.unique(a)) <= 3
        ):
            continue
        done_columns.add(second)
        is_same = np.array_equal(a, b, equal_nan=True)
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


def _side_by_side(
    collection: Collection, coded_names: Coded
) -> tuple[list[str], Floats, list[str]]:
    """Return the measures, the mean score of each summary for each measure, and its system."""
    names = coded_names["measure"][0]
    is_whole = ~np.array([bool(unit) for unit in coded_names["unit"][0]], dtype=bool)
    if not 1 < len(names) <= _MAX_MEASURES:
        return [], np.empty((0, 0)), []
    rows = np.flatnonzero(is_whole[coded_names["unit"][1]])
    item = np.zeros(len(rows), np.int64)
    for column in ("task", "topic", "system"):
        item = item * len(coded_names[column][0]) + coded_names[column][1][rows]
    unique_items, first_rows, inverse = np.unique(item, return_index=True, return_inverse=True)
    if len(unique_items) * len(names) > _MAX_CELLS:
        return [], np.empty((0, 0)), []
    position = np.empty(len(unique_items), np.int64)
    position[np.argsort(first_rows)] = np.arange(len(unique_items))
    cells = position[inverse] * len(names) + coded_names["measure"][1][rows]
    count = np.bincount(cells, minlength=len(unique_items) * len(names))
    means = np.full(len(count), np.nan)
    total = np.bincount(cells, collection.scores.value[rows], len(count))
    np.divide(total, count, out=means, where=count > 0)
    means[np.abs(means) > LARGEST_SCORE] = np.nan  # They are reported as such.
    table = means.reshape(-1, len(names))
    is_filled = np.isfinite(table).sum(axis=0) >= 0.8 * len(table)
    is_filled &= ~(np.abs(table) > LARGEST_SCORE).any(axis=0)  # sums and squares overflow
    filled_names = [name for name, mark in zip(names, is_filled, strict=True) if mark]
    system_names = coded_names["system"][0]
    systems = unique_items[np.argsort(position)] % len(system_names)
    return filled_names, table[:, is_filled], [system_names[code] for code in systems.tolist()]


def _empty_rows(names: list[str], table: Floats, systems: Sequence[str]) -> Iterator[Finding]:
    """Find summaries whose marks are all 0 although the scale starts at 1 elsewhere."""
    positive_table = np.where(table == 0, np.nan, table)
    marks = [
        m
        for m in range(len(names))
        if len(np.unique(table[:, m])) > 3
        and np.nanmin(positive_table[:, m], initial=np.inf) >= 1
        and np.nanmax(table[:, m]) <= 10  # percentages of n-grams are 0 together
    ]
    if len(marks) < 2:
        return
    zero = table[:, marks] == 0
    n_every, n_some = zero.all(axis=1).sum(), zero.any(axis=1).sum()
    other_zeros = limits.OTHER_ZEROS[int(n_every >= limits.MIN_SCORES)]
    if (
        n_every >= 3
        and n_some <= other_zeros * n_every
        and n_every <= limits.MAX_ODD_CELLS * len(table)
    ):
        rows = np.flatnonzero(zero.all(axis=1)).tolist()
        who = brief_list([*dict.fromkeys(systems[row] for row in rows)])
        message = f"0 for all of them in {n_every} of {len(table)} summaries (of {who}), 1 or more "
        message += "in nearly all others; "
        message += "does 0 mean that there is no score? Then add --missing 0"
        subject = f"measures {brief_list([names[m] for m in marks])}"
        yield new_finding("zero for every measure", subject, message, "0")


def _failed_measures(names: list[str], table: Floats) -> Iterator[Finding]:
    """Find measures that are 0 for summaries to which a related measure gives usual scores."""
    for m, name in enumerate(names):
        zero, other_rows = table[:, m] == 0, ~np.isnan(table[:, m]) & (table[:, m] != 0)
        is_few = limits.MIN_TEXTS <= zero.sum() <= limits.MAX_ODD_CELLS * len(table)
        if not is_few or len(np.unique(table[:, m])) <= limits.STEPS[1]:
            continue  # 0 is usual among marks and answers.
        related = [k for k in range(len(names)) if k != m and np.isfinite(table[:, k]).all()]
        strengths = {k: correlation(table[other_rows, m], table[other_rows, k]) for k in related}
        best_measure = max(strengths, key=lambda k: np.nan_to_num(strengths[k]), default=m)
        if best_measure == m or not strengths[best_measure] >= limits.MIN_RELATED:
            continue
        ranks = np.searchsorted(np.sort(table[other_rows, best_measure]), table[zero, best_measure])
        if float(ranks.mean()) >= limits.MIN_AS_GOOD * other_rows.sum():
            repair = Repair("missing", f"{name}=0")
            message = f"0 for {int(zero.sum())} summaries, which have normal scores by "
            message += f"{names[best_measure]}, although their correlation is "
            message += f"{strengths[best_measure]:.2f}; did "
            message += f"it fail there? Then add {repair.flag}"
            yield new_finding("zero instead of a score", name, message, repairs=(repair,))


def _of_other_summaries(
    names: list[str], table: Floats, systems: Sequence[str]
) -> Iterator[Finding]:
    """Find a measure that is unrelated to others for one system, but related for all the rest."""
    rows_by_system = {
        name: rows for name, rows in grouped((s, row) for row, s in enumerate(systems)).items()
        if len(rows) >= limits.MIN_PAIRS
    }  # fmt: skip
    if not limits.MIN_SYSTEMS <= len(rows_by_system) <= limits.MIN_MANY or len(names) > 12:
        return
    agreement = np.full((len(names), len(names), len(rows_by_system)), np.nan)
    for (a, b), (s, rows) in product(
        combinations(range(len(names)), 2), enumerate(rows_by_system.values())
    ):
        agreement[a, b, s] = agreement[b, a, s] = correlation(table[rows, a], table[rows, b])
    usual = np.nan_to_num(np.median(agreement, axis=2))
    found: dict[str, tuple[float, Finding]] = {}
    for m, name in enumerate(names):
        other = int(usual[m].argmax())
        if usual[m, other] < limits.MIN_RELATED:
            continue
        for s, (system, rows) in enumerate(rows_by_system.items()):
            r, high = float(agreement[m, other, s]), float(usual[m, other])
            levels = [is_much_lower(r, high, len(rows), z) for z in limits.UNRELATED_Z]
            rest = float(np.delete(np.nan_to_num(agreement[m, :, s]), m).mean())
            if levels[0] and rest < found.get(system, (math.inf,))[0]:
                message = (
                    f"its {name} has a correlation of {r:.2f} with {names[other]}, while that "
                )
                message += f"of others has {high:.2f}; are these scores of other summaries, or in "
                message += "another order?"
                found[system] = rest, new_finding(
                    "measure of other summaries", f"system {system}", message,
                    severity="severe" if levels[1] else "note", measures=(name,),
                )  # fmt: skip
    for _, finding in found.values() if 2 * len(found) < len(rows_by_system) else ():
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


def _sums(names: list[str], table: Floats) -> Iterator[Finding]:
    """Find a measure that is the mean or the sum of others."""
    complete_rows = table[np.isfinite(table).all(axis=1)]
    for m, name in enumerate(names):
        other_columns = [k for k in range(len(names)) if k != m and np.ptp(complete_rows[:, k]) > 0]
        if (
            not _TOTAL_NAME.fullmatch(name.casefold())
            or len(other_columns) < 2
            or len(complete_rows) < 3 * len(names)
        ):
            continue
        spread = float(complete_rows[:, m].std())
        weights = np.linalg.lstsq(complete_rows[:, other_columns], complete_rows[:, m], rcond=None)[
            0
        ]
        error = complete_rows[:, other_columns] @ weights - complete_rows[:, m]
        addends = [
            k for k, weight in zip(other_columns, weights, strict=True) if abs(weight) > 0.02
        ]
        if spread > 0 and len(addends) > 1 and float(np.abs(error).max()) < 0.05 * spread:
            message = f"it is a mean or sum of {brief_list([names[k] for k in addends])}; it adds "
            message += f"no information, but counts in corrections for measures (--exclude {name})"
            yield new_finding("measure computed from others", name, message, name)


def _shifted_measure(names: list[str], table: Floats) -> Iterator[Finding]:
    """Find a measure that correlates better with the others one row before or after."""
    if len(table) < limits.MIN_PAIRS or len(names) > 12:
        return
    gains = {}
    for m in range(len(names)):
        other_columns = [table[:, k] for k in range(len(names)) if k != m]
        correlations_same_row = [abs(correlation(table[:, m], column)) for column in other_columns]
        correlations_before = [
            abs(correlation(table[1:, m], column[:-1])) for column in other_columns
        ]
        correlations_after = [
            abs(correlation(table[:-1, m], column[1:])) for column in other_columns
        ]
        best_correlation, usual_correlation = (
            max(map(_median, (correlations_before, correlations_after))),
            _median(correlations_same_row),
        )
        if is_clearly_higher(best_correlation, usual_correlation, len(table)):
            gains[m] = (best_correlation - usual_correlation, best_correlation, usual_correlation)
    if gains:
        m = max(gains, key=lambda m: gains[m][0])
        _, best_correlation, usual_correlation = gains[m]
        two = len(names) == 2
        subject = f"measures {names[0]} and {names[1]}" if two else f"measure {names[m]}"
        message = f"{'they fit each other' if two else 'it fits the others'} better one row before "
        message += f"or after (correlation {best_correlation:.2f}) than in the same row "
        message += f"({usual_correlation:.2f}); is the "
        yield new_finding("measure shifted by a row", subject, message + "column shifted by a row?")


def repeated_topics(parts: Iterable[Measured]) -> Iterator[Finding]:
    """Find topics with the same scores of all systems by all measures."""
    for of_task in grouped((part.task, part) for part in parts if len(part.table)).values():
        names = of_task[0].names["topic"]
        measures = [part for part in of_task if part.names["topic"] == names]
        table = np.hstack([part.table for part in measures])
        table = table[:, ~np.isnan(table).all(axis=0)]
        if not limits.MIN_TEXTS <= len(table) <= limits.MAX_SAMPLED_SCORES:
            continue
        # Rows of common marks may be equal by chance.
        surprise = sum(map(_surprise, table.T)) - 2 * np.log10(len(table))
        rows_by_scores = grouped((row.tobytes(), t) for t, row in enumerate(table)).values()
        repeated_rows = [
            rows for rows in rows_by_scores
            if len(rows) > 1 and surprise[rows[0]] > limits.ONE_TOPIC_Z
            and len(np.unique(table[rows[0]])) > 2
        ]  # fmt: skip
        if repeated_rows:
            quoted_topics = " and ".join(names[row] for row in repeated_rows[0][:3])
            more_text = (
                f" ({sum(map(len, repeated_rows))} topics repeat others)"
                if len(repeated_rows) > 1
                else ""
            )
            title = brief_list([part.measure for part in measures])
            message = f"every system has the same {title} on them{more_text}; is it one topic?"
            yield new_finding("topics with identical scores", f"topics {quoted_topics}", message)


def _surprise(column: Floats) -> Floats:
    """Return minus the logarithm of each value's share in a column."""
    _, code, number = np.unique(column, return_inverse=True, return_counts=True)
    surprise: Floats = np.log10(len(column) / number)[code]
    return surprise


def _median(values: Iterable[float]) -> float:
    numbers = [value for value in values if not math.isnan(value)]
    return float(np.median(numbers)) if numbers else 0.0


def _noise(parts: Iterable[Measured]) -> Iterator[Finding]:
    """Find measures that neither systems nor topics explain, unlike another measure."""
    for of_task in grouped((part.task, part) for part in parts if len(part.table)).values():
        z_of_parts = [_largest_z(part) for part in of_task]
        if not any(z > limits.EXPLAINED_RATIO for z in z_of_parts):
            continue
        for measured_part, z in zip(of_task, z_of_parts, strict=True):
            if z < limits.MIN_UNEXPLAINED:
                message = "its systems and topics differ no more than by chance, unlike those of "
                message += "other measures; was the column shuffled, or taken from other rows?"
                yield measured_part.finding(
                    "measure that is noise", message, rows=measured_part.rows
                )


def _largest_z(measured_part: Measured) -> float:
    """Return the larger z-score of F tests of systems and of topics; NaN if there are too few."""
    table = measured_part.table
    table = table[:, ~np.isnan(table).all(axis=0)]
    table = table[np.isfinite(table).all(axis=1)]
    varied = len(np.unique(table)) > limits.USUAL_SHARE * table.size
    if len(table) < limits.MIN_PAIRS or table.shape[1] < 3 or not varied:
        return math.nan
    return max(
        _alike((rows - rows.mean(axis=0)).reshape(-1, 1), np.arange(rows.size) // rows.shape[1])[1]
        for rows in (table, table.T)
    )


def _reversed_marks(names: Sequence[str], table: Floats) -> Iterator[Finding]:
    """Find marks that all other marks on the same scale contradict, while those agree."""
    marks = [m for m in range(len(names)) if _is_mark(table[:, m])]
    if len(marks) < 3:
        return
    r = np.array([[correlation(table[:, a], table[:, b]) for a in marks] for b in marks])
    for index, m in enumerate(marks):
        own_correlations = np.delete(r[index], index)
        correlations_of_rest = np.delete(np.delete(r, index, 0), index, 1)[
            np.triu_indices(len(marks) - 1, 1)
        ]
        if (
            own_correlations.max() < limits.MAX_REVERSED
            and np.median(correlations_of_rest) > -limits.MAX_REVERSED
        ):
            message = f"has correlations of {own_correlations.min():.2f} to "
            message += f"{own_correlations.max():.2f} with the other marks, which have "
            message += f"{np.median(correlations_of_rest):.2f} with each other; is its scale "
            message += f"reversed? Then add --reverse {names[m]}"
            repairs = (Repair("reverse", names[m]),)
            yield new_finding("measure with a reversed scale", f"measure {names[m]}", message,
                              repairs=repairs)  # fmt: skip


def _is_mark(column: Floats) -> bool:
    """Return whether scores may be marks from 1 to 5, 7 or 10, or means of them."""
    values = column[np.isfinite(column)]
    low, high = float(values.min(initial=1)), float(values.max(initial=1))
    thirds = values * 6
    return (
        1 <= low < high <= 10 and high > 2 and bool((np.abs(thirds - np.rint(thirds)) < 0.07).all())
    )


def task_findings(parts: Iterable[Measured]) -> Iterator[Finding]:
    """Find measures that are fractions in a task and percentages in another."""
    for measure, tasks in grouped((part.measure, part) for part in parts).items():
        tops = {part.task: float(np.median(part.value)) for part in tasks}
        low, high = min(tops, key=lambda t: tops[t]), max(tops, key=lambda t: tops[t])
        small_values = next(part for part in tasks if part.task == low).value
        fractions = (
            0 <= small_values.min() < small_values.max() <= 1
            and len(np.unique(small_values[:1000])) > 2
        )
        if fractions and tops[high] > max(limits.PERCENT * tops[low], 1):
            message = f"its median is {tops[low]:g} in task {low} and {tops[high]:g} in task {high}"
            message += "; are these percentages?"
            yield new_finding("tasks on different scales", f"measure {measure}", message)


def cluster_findings(collection: Collection, parts: Iterable[Measured]) -> Iterator[Finding]:
    """Find columns that group topics with similar differences between systems."""
    labels = dict(_topic_labels(collection))
    strongest_effects: dict[str, tuple[float, float, Measured, int]] = {}
    for part in parts if labels else ():
        table = part.table
        if not len(table):
            continue
        systems = ~np.isnan(table).all(axis=0)
        rows = np.flatnonzero(np.isfinite(table[:, systems]).all(axis=1))
        table = table[np.ix_(rows, systems)]
        if len(table) < limits.MIN_SCORES or table.shape[1] < 2:
            continue
        deviations = table - table.mean(axis=1, keepdims=True)
        deviations -= deviations.mean(axis=0)
        for column, names in labels.items():
            groups = [names.get(part.names["topic"][row], "") for row in rows.tolist()]
            code = np.unique(groups, return_inverse=True)[1]
            icc, z = _alike(deviations, code)
            if icc >= limits.MIN_CLUSTERED and z > strongest_effects.get(column, (0.0, 0.0))[1]:
                strongest_effects[column] = icc, z, part, int(code.max()) + 1
    for column, (icc, z, part, groups_count) in strongest_effects.items():
        if z > limits.CLUSTER_Z:
            message = f"topics of the same {column} have similar differences of {part.title} "
            message += f"(intra-class correlation {icc:.2f}, {groups_count} clusters), so p-values "
            name = "" if column == _BEGINNING else column
            message += f"are too small; {f'add --cluster {name}' if name else _WRITE_COLUMN}"
            subject, severity = (f"column {name}", "warning") if name else ("topics", "note")
            yield new_finding("topics in clusters", subject, message, name, severity=severity)


def _topic_labels(collection: Collection) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield columns that have one value for each topic, and several topics for some values."""
    scores = collection.scores
    topics = scores.columns["topic"].tolist()
    columns: dict[str, Mapping[str, str]] = {}
    count = len(set(topics))
    for name, column in scores.extra.items():
        if name in scores.columns:
            continue
        values = column.tolist()
        # Most columns have several values for one of the first topics.
        if len({*zip(topics[:1000], values[:1000], strict=True)}) > len({*topics[:1000]}):
            continue
        if not limits.MIN_CLUSTERS <= len(set(values)) <= count / limits.TOPICS_PER_CLUSTER:
            continue
        pairs = set(zip(topics, values, strict=True))
        if len(pairs) == count:
            columns[name] = {topic: str(value or "") for topic, value in pairs}
    parts = {topic: re.split(r"[-_.:/ ]", topic) for topic in dict.fromkeys(topics)}
    if not columns and all(len(p) > 1 and re.search(r"\d", p[0]) for p in parts.values()):
        columns[_BEGINNING] = {topic: split[0] for topic, split in parts.items()}
    fields = {name for topic in collection.topics for name in topic.extra}
    for name in sorted(fields - columns.keys()):
        columns[name] = {topic.id: str(topic.extra.get(name) or "") for topic in collection.topics}
    for name, labels in columns.items():
        max_labels = len(labels) / limits.TOPICS_PER_CLUSTER
        if all(labels.values()) and limits.MIN_CLUSTERS <= len({*labels.values()}) <= max_labels:
            yield name, labels


def _alike(table: Floats, code: "np.typing.NDArray[np.int64]") -> tuple[float, float]:
    """Return the intra-class correlation of rows in groups, and a z-score of its F test."""
    sizes = np.bincount(code)
    groups, topics = len(sizes), len(code)
    if not limits.MIN_CLUSTERS <= groups < topics:
        return 0.0, 0.0
    means = np.stack([np.bincount(code, column) / sizes for column in table.T])
    variance_between = float((sizes * means**2).sum()) / (groups - 1)
    variance_within = float(((table.T - means[:, code]) ** 2).sum()) / (topics - groups)
    if variance_within <= 0:
        return 0.0, 0.0
    f = variance_between / variance_within
    size = (topics - float((sizes**2).sum()) / topics) / (groups - 1)
    groups_term, topics_term = 2 / (9 * (groups - 1)), 2 / (9 * (topics - groups))
    # Paulson's approximation of the F distribution.
    root = f ** (1 / 3)
    z = ((1 - topics_term) * root - (1 - groups_term)) / math.sqrt(
        topics_term * root**2 + groups_term
    )
    return (f - 1) / (f - 1 + size), z
