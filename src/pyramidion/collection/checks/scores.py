"""Scores that are implausible."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection._collection import Collection
from pyramidion.collection.checks import thresholds as limits
from pyramidion.collection.checks.finding import Finding, Repair, Severity
from pyramidion.collection.checks.measured import Coded, Measured, likely_scale
from pyramidion.collection.checks.series import is_shifted
from pyramidion.collection.ids import brief_list, grouped, natural_order
from pyramidion.collection.measures import Scale, assumed_direction, find_measure

# Common placeholders for missing scores.
_SENTINELS = (-9999, -999, -99, -9, -1, 9, 77, 88, 99, 999, 9999)
_ADDRESS = ("task", "topic", "system")
# Names of rows that summarize others, and those that may also be names of something else.
_TOTAL = re.compile(
    r"(?:grand[ _-]|macro[ _-]?|micro[ _-]?)?(?:averages?|avg|means?|total|sum|std|st\.?dev\.?|sd|"
    r"variance|median)\.?(?:[ _-](?:score|row|of all))?"
)
_PERHAPS_TOTAL = re.compile(r"overall|all|summary|aggregate|max|min|count")

# Names of columns that count what scores rest on.
_COUNT = re.compile(
    r"(n|num|nr|no|count|number)[ _-]?(of[ _-]?)?(judges?|annotators?|raters?|assessors?|workers?|"
    r"judg[e]?ments?|annotations?|ratings?|votes?|references?|refs)"
)


def score_findings(
    measured: Measured, collection: Collection, people: set[str]
) -> Iterator[Finding]:
    """Find implausible scores of a measure."""
    if measured.is_large:  # Ranges and means may overflow.
        yield from _off_range(measured, collection)
        yield from missing_findings(measured, people)
        return
    if numbers := _not_scores(measured):
        yield numbers
        return
    totals = list(_totals(measured))
    yield from totals
    if totals:
        measured = measured.without(np.concatenate([t.rows for t in totals if t.rows is not None]))
    if not len(measured.value):
        return
    percentages = list(_percentages(measured))
    yield from percentages
    if not percentages:
        yield from _off_range(measured, collection)
    marks = list(_other_marks(measured)) or list(_other_range(measured))
    yield from marks
    yield from missing_findings(measured, people)
    yield from _undeclared_human_marks(measured, collection)
    if len(measured.table):
        constant = list(_constant(measured))
        yield from constant
        if not (percentages or marks or constant):
            yield from _odd_systems(measured, collection)


def name_findings(collection: Collection, coded: Coded) -> Iterator[Finding]:
    """Find names that differ only in case, spacing and the like."""
    for kind in ("measure", "system", "topic", "assessor"):
        names = set(coded[kind][0])
        names |= {getattr(summary, kind) for summary in collection.summaries if kind in _ADDRESS}
        yield from spelled_twice(kind, names, collection.systems if kind == "system" else {})


def spelled_twice(kind: str, names: Iterable[str], kinds: Mapping[str, str]) -> Iterator[Finding]:
    """Find names of a kind that differ only in case, spacing and the like."""
    ordered = sorted(names, key=natural_order)
    # The writer of a reference may have the letter of a system.
    keys = ((_plain(name), kinds.get(name)) for name in ordered)
    for spellings in grouped(zip(keys, ordered, strict=True)).values():
        if len(spellings) > 1:
            differs_in_encoding = len(
                {unicodedata.normalize("NFC", name) for name in spellings}
            ) < len(spellings)
            shown = " and ".join(map(ascii if differs_in_encoding else repr, spellings[:3]))
            message = "they are treated as different; use one spelling"
            yield Finding("spelled in two ways", f"{kind} {shown}", message)


def _plain(name: str) -> str:
    """Normalize case, white space, forms of characters and leading zeros."""
    normalized = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    return normalized.lstrip("0") if normalized.isdecimal() else normalized


def direction_findings(collection: Collection) -> Iterator[Finding]:
    """Note the assumed direction of measures that do not declare one."""
    pairs = ((assumed_direction(m, collection.measures), m) for m in collection.scores.measures)
    reasons = {"lower": "judging by the name", "higher": "by default"}
    opposite_flags = {"lower": "higher-is-better", "higher": "lower-is-better"}
    for direction, names in grouped(pairs).items():
        if direction is not None:
            repair = Repair(opposite_flags[direction], ",".join(names[:3]))
            message = f"{direction} is taken to be better, {reasons[direction]}; "
            message += f"{repair.flag} changes this"
            subject = brief_list(names)
            yield Finding("assumed direction", subject, message, severity="note", repairs=(repair,))


def _off_range(measured: Measured, collection: Collection) -> Iterator[Finding]:
    """Find scores outside the scale of a measure, or far from all others."""
    if measured.measure in collection.scales:
        return  # Scores off a declared scale are reported as such.
    measure = find_measure(measured.measure, collection.measures)
    value = measured.value
    # Human judgments were on 1 to 10 in some years, so their scale must be declared.
    if measure and measure.scale and not measure.human:
        outside = (value < measure.scale.low) | (value > measure.scale.high)
        if outside.any():
            yield _outside(measured, measure.scale, outside)
        return
    if measured.is_large:
        message = f"{value[np.argmax(np.abs(value))]:g} is too large to compute with"
        yield Finding("score too large", measured.title, message)
        return
    if placeholder := _placeholder(measured):
        yield placeholder
        return
    for number in (9, 0):
        if _is_among_averages(value, number):
            remaining = value[value != number]
            yield _placeholder_finding(
                measured, number, float(remaining.min()), float(remaining.max())
            )
            return
    yield from _off_steps(measured)


def _placeholder(measured: Measured) -> Finding | None:
    """Find a number that stands for a missing score."""
    value = measured.value
    plausible = value[~np.isin(value, _SENTINELS)]
    if not len(plausible):
        return None
    low, high = float(plausible.min()), float(plausible.max())
    # Halved, since the range of the largest numbers overflows.
    marks = high / 2 - low / 2 <= 5 and bool((plausible == np.rint(plausible)).all())
    # Means of marks from 1 to 5.
    marks |= low >= 1 and 3 < high <= 5
    width = 1.0 if marks else max(high - low, 1.0)
    for number in _SENTINELS:
        share = float((value == number).mean())
        if not 0 < share <= limits.ODD_CELLS:
            continue
        is_below = number < (0 if low >= 0 else low - width) and (high > 1 or not marks)
        # A single 9 may be the end of a longer scale, or of a distribution of counts.
        is_frequent = (value == number).sum() > 1 or (low >= 1 and high <= 5)
        is_above = number > high + width and (number > 9 or (is_frequent and len(value) >= 20))
        if is_below or is_above:
            return _placeholder_finding(measured, number, low, high)
    for number in (value.max(), value.min()):
        nonzero = value[value != number]
        if (value == number).sum() > 2 and len(nonzero) >= max(
            2 * limits.MIN_SCORES, 0.7 * len(value)
        ):
            low, high = float(nonzero.min()), float(nonzero.max())
            if max(low - number, number - high) > 2 * (high - low) > 0:
                return _placeholder_finding(measured, float(number), low, high)
    zero = value == 0
    nonzero = value[~zero]
    if not 0 < zero.mean() <= limits.ODD_CELLS or len(np.unique(nonzero[:1000])) < 3:
        return None
    low, high = float(nonzero.min()), float(nonzero.max())
    # Zeros are far below everything, or others gave good scores to the same summaries.
    middle = float(np.median(nonzero))
    spread = 1.5 * float(np.median(np.abs(nonzero - middle)))
    is_frequent = zero.sum() > 2 and zero.mean() > limits.RARE_ZERO
    is_frequent = is_frequent and len(nonzero) >= limits.MIN_PAIRS
    is_isolated = is_frequent and low >= 0.4 * middle > 0 and middle >= limits.FAR_ZERO * spread > 0
    # Means of marks from 0 to 5 would also be between 0 and 1.
    is_isolated |= (
        is_frequent
        and low >= 1
        and 3 < high <= 5
        and bool((nonzero != np.rint(nonzero)).mean() > 0.2)
    )
    if is_isolated or (low >= 1 and _contradicted(measured, zero)):
        return _placeholder_finding(measured, 0, low, high)
    return None


def _is_among_averages(value: Floats, number: float) -> bool:
    """Return whether a number is repeated among averages of marks from 1 to 5 or 7."""
    is_number = value == number
    remaining = value[~is_number]
    if (
        is_number.sum() < 3
        or is_number.mean() > limits.ODD_CELLS
        or len(remaining) < limits.MIN_SCORES
    ):
        return False
    if (
        remaining.min() < 1
        or not 3 < remaining.max() <= 7
        or (remaining == np.rint(remaining)).all()
    ):
        return False
    # Averages over a few judges, perhaps rounded; a scale from 0 would have some below 1.
    return any(
        bool((np.abs(remaining * n - np.rint(remaining * n)) <= 0.006 * n).all())
        for n in range(2, 6)
    )


def _placeholder_finding(measured: Measured, number: float, low: float, high: float) -> Finding:
    rows = measured.value == number
    message = f"{number:g} among scores from {low:g} to {high:g}; is it a placeholder?"
    if rows.sum() > 1:
        message += f" {_names_of_rows(measured, rows)}."
    message += f" Then add --missing {measured.measure}={number:g}"
    return Finding(
        "score far from all others", measured.title, message, severity="severe",
        effect="means of the affected systems are far off",
        repairs=(Repair("missing", f"{measured.measure}={number:g}"),), rows=measured.rows[rows],
    )  # fmt: skip


def _names_of_rows(measured: Measured, rows: Bools) -> str:
    """Name the systems, or the judges, that some rows belong to."""
    parts = []
    for column, plural in (("system", "systems"), ("assessor", "assessors")):
        codes = np.unique(measured.codes[column][rows]).tolist()
        names = [measured.names[column][code] for code in codes]
        if len(names) < len(np.unique(measured.codes[column])) and all(names):
            parts.append(f"{plural if len(names) > 1 else column} {brief_list(names)}")
    return f"({int(rows.sum())} scores{': ' * bool(parts)}{', '.join(parts)})"


def _contradicted(measured: Measured, zero: Bools) -> bool:
    """Return whether others give better scores to summaries with 0 than to the lowest ones."""
    if len(measured.judges) < 2 or zero.sum() < 3:
        return False
    item = measured.codes["topic"] * len(measured.names["system"]) + measured.codes["system"]
    count = np.bincount(item, ~zero)
    total = np.bincount(item, np.where(zero, 0.0, measured.value))
    values = np.where(zero, 0.0, measured.value)
    other_counts = count[item] - ~zero
    others_mean = np.full(len(item), np.nan)
    np.divide(total[item] - values, other_counts, out=others_mean, where=other_counts > 0)
    lowest = measured.value == measured.value[~zero].min()
    with_zero, with_lowest = (
        others_mean[zero & (other_counts > 0)],
        others_mean[lowest & (other_counts > 0)],
    )
    if min(len(with_zero), len(with_lowest)) < 3:
        return False
    error = np.sqrt(with_zero.var() / len(with_zero) + with_lowest.var() / len(with_lowest))
    return bool(with_zero.mean() - with_lowest.mean() > 2.5 * error)


def _outside(measured: Measured, scale: Scale, outside: Bools) -> Finding:
    values = measured.value[outside]
    worst = values[np.argmax(np.abs(values))]
    message = f"{worst:g} is not between {scale.low:g} and {scale.high:g}"
    severity: Severity = "warning"
    if scale.high == 1 and (measured.value > 1).mean() > 0.5 and measured.value.max() <= 100:
        message += "; are these percentages? Divide them by 100"
        # Percentages throughout rank as fractions do.
        within = measured.value[(measured.value > 0) & (measured.value <= 1)]
        severity = "note" if len(within) < 0.05 * len(measured.value) else "warning"
    elif not outside.all():
        message += f" {_names_of_rows(measured, outside)}"
    rows = measured.rows[outside]
    kind = "score outside its range"
    return Finding(kind, measured.title, message, rows=rows, severity=severity)


def _off_steps(measured: Measured) -> Iterator[Finding]:
    """Find a score far from a scale of few steps that nearly all scores are on."""
    value, count = np.unique(measured.value, return_counts=True)
    frequent = value[count >= max(2, 0.01 * count.sum())]
    if not 2 <= len(frequent) <= 11 or count[np.isin(value, frequent)].sum() < 0.9 * count.sum():
        yield from _gaps(measured)
        return
    low, high = float(frequent.min()), float(frequent.max())
    # Halved, since the range of the largest numbers overflows.
    if (
        high / 2 - low / 2 != (len(frequent) - 1) / 2
        or not np.equal(frequent, np.round(frequent)).all()
    ):
        return
    outliers = value[(value < low - (high - low)) | (value > high + (high - low))]
    if len(outliers):
        yield _far_finding(measured, float(outliers[np.argmax(np.abs(outliers))]), low, high)


def _far_finding(measured: Measured, number: float, low: float, high: float) -> Finding:
    rows = np.flatnonzero(measured.value == number)
    codes, names = measured.codes, measured.names
    where = ", ".join(names[name][codes[name][rows[0]]] for name in ("topic", "system"))
    message = f"{number:g} among scores from {low:g} to {high:g}; is it a typo?"
    return Finding(
        "score far from all others",
        measured.title,
        f"{message} ({where})",
        rows=measured.rows[rows],
    )


def _gaps(measured: Measured) -> Iterator[Finding]:
    """Find scores of other sizes or signs than all others."""
    value = np.sort(measured.value)
    n_extreme = max(1, len(value) // 100)
    if len(value) < limits.MIN_PAIRS:
        return
    for remaining, number in ((value[:-n_extreme], value[-1]), (value[n_extreme:], value[0])):
        low, high = float(remaining[0]), float(remaining[-1])
        gap = number - high if number > high else low - number
        if high > low and gap > limits.FAR_DISTANCE * (high - low):
            yield _far_finding(measured, float(number), low, high)
            return
    negative, positive = value[value < 0], value[value >= 0]
    if 0 < len(negative) <= n_extreme:
        low, middle, high = np.quantile(positive, (0.1, 0.5, 0.9)).tolist()
        is_far = middle - negative[-1] > 2 * limits.FAR_ZERO * (high - low) / 2.5
        if is_far and low <= -negative[0] <= high:
            yield _far_finding(
                measured, float(negative[0]), float(positive[0]), float(positive[-1])
            )


def _percentages(measured: Measured) -> Iterator[Finding]:
    """Find systems, topics or single scores in per cent while the others are fractions."""
    value = measured.value
    is_fraction = (value >= 0) & (value <= 1)
    fractions = value[is_fraction]
    is_percentage = (value > 1) & (value <= 100)
    if not is_percentage.any() or not ((fractions > 0) & (fractions < 1)).any():
        return  # Yes and no are not fractions.
    low, median, high = (float(np.quantile(fractions, q)) for q in (0, 0.5, 1))
    # Where most scores are 0, anything is many times as large as the median.
    limit = max(20 * float(np.median(fractions[fractions > 0])), 1)
    for column, title in (("system", "system"), ("topic", "topics"), ("assessor", "assessor")):
        groups = measured.values_by(column)
        percent_groups = [
            (name, values) for name, values in groups
            if values.min() >= 0 and values.max() <= 100 and np.median(values) > limit
        ]  # fmt: skip
        explained_rows = (
            sum(int((values > 1).sum()) for _, values in percent_groups)
            >= 0.9 * is_percentage.sum()
        )
        if not percent_groups or len(percent_groups) > 0.6 * len(groups) or not explained_rows:
            continue
        if column != "topic":
            for name, values in percent_groups:
                message = f"its {measured.title} is up to {values.max():g}, others up to "
                message += f"{high:g}; is it a percentage?"
                rows = measured.rows_of(column, name)
                yield _percentage(f"{title} {name}", message, rows)
            return
        names = [name for name, _ in percent_groups]
        highest = max(values.max() for _, values in percent_groups)
        message = f"{measured.title} is up to {highest:g} on {len(percent_groups)} of "
        message += f"{len(groups)} topics, on others up to {high:g}; are these percentages?"
        subject = f"{'topics' if len(names) > 1 else 'topic'} {brief_list(names)}"
        yield _percentage(subject, message, measured.rows[np.isin(measured.codes["topic"], [
            measured.names["topic"].index(name) for name in names])])  # fmt: skip
        return
    fits = is_percentage & (value / 100 >= 0.5 * low) & (value / 100 <= max(1.5 * high, 1))
    is_rare = is_fraction.mean() >= 1 - limits.ODD_CELLS and fits.sum() == (~is_fraction).sum()
    if is_rare and median < 0.9 and float(value[fits].min()) > 2 * high:
        message = f"{int(fits.sum())} scores are up to {value[fits].max():g}, others up to "
        message += f"{high:g}; are these percentages? {_names_of_rows(measured, fits)}"
        yield _percentage(measured.title, message, measured.rows[fits])


def _percentage(subject: str, message: str, rows: object) -> Finding:
    return Finding(
        "percentages among fractions", subject, message, severity="severe",
        effect="a score counts a hundred times", rows=np.asarray(rows),
    )  # fmt: skip


def _other_marks(measured: Measured) -> Iterator[Finding]:
    """Find a system, or topics, with scores up to 100 if all others have marks up to 10."""
    value = measured.value
    if not 10 < value.max() <= 100 or value.min() < 0:
        return
    for column in ("system", "topic"):
        groups = measured.values_by(column)
        maxima = np.array([values.max() for _, values in groups])
        marks = maxima <= 10
        if marks.all() or marks.sum() < 2 or marks.mean() < 0.4 or maxima[marks].max() <= 1:
            continue
        other_values = np.concatenate(
            [values for mark, (_, values) in zip(marks, groups, strict=True) if mark]
        )
        low, high = other_values.min(), other_values.max()
        other_groups = [
            (name, values) for mark, (name, values) in zip(marks, groups, strict=True) if not mark
        ]
        if not all(np.median(values) > 3 * high for _, values in other_groups):
            continue
        lowest, highest = (
            min(v.min() for _, v in other_groups),
            max(v.max() for _, v in other_groups),
        )
        names = [name for name, _ in other_groups]
        message = f"its {measured.title} is from {lowest:g} to {highest:g}, others from {low:g} to "
        message += f"{high:g}; are the scales the same?"
        noun = f"{column}s" if len(names) > 1 else column
        codes = [measured.names[column].index(name) for name in names]
        yield Finding(
            f"{column} on another scale", f"{noun} {brief_list(names)}", message,
            severity="severe", rows=measured.rows[np.isin(measured.codes[column], codes)],
        )  # fmt: skip
        return


def _other_range(measured: Measured) -> Iterator[Finding]:
    """Find a system off the marks, or with z-scores among the fractions, of all others."""
    systems = [(name, values) for name, values in measured.values_by("system") if len(values) >= 10]
    ends = np.array([(values.min(), values.max()) for _, values in systems])
    for index, (name, values) in enumerate(systems if len(systems) > 2 else ()):
        low, high = np.delete(ends, index, axis=0).min(), np.delete(ends, index, axis=0).max()
        others_values = measured.value[
            measured.codes["system"] != measured.names["system"].index(name)
        ]
        marks = 1 <= low < high <= 10 and bool((others_values == np.rint(others_values)).all())
        scale_end = likely_scale(low, high)[1]
        outside = (values > scale_end) if marks else (values < 0) & (0 <= low < high <= 1)
        if float(outside.mean()) >= limits.ODD_SYSTEM:
            message = f"its {measured.title} is from {values.min():g} to {values.max():g}, others "
            message += f"from {low:g} to {high:g}; are the scales the same?"
            rows = measured.rows_of("system", name)
            yield Finding("system on another scale", f"system {name}", message, severity="severe",
                          rows=rows)  # fmt: skip


def _not_scores(measured: Measured) -> Finding | None:
    """Find a column of ids, row numbers, times or years."""
    value = measured.value
    if len(value) < limits.MIN_SCORES or not (value == np.rint(value)).all():
        return None
    low, high = float(value.min()), float(value.max())
    kind = "counts of judgments" if _COUNT.fullmatch(measured.measure.casefold()) else ""
    if kind:
        pass
    elif (np.diff(value) > 0).all():
        kind = "row numbers or ids"
    elif (low > 1e9 and high < 2.3e9) or (low > 1e12 and high < 2.3e12):
        kind = "times in seconds since 1970" if high < 1e10 else "times in milliseconds since 1970"
    elif low > 19e6 and high < 21.1e6 and ((value % 100 >= 1) & (value % 100 <= 31)).all():
        kind = "dates"
    elif low >= 1950 and high <= 2100:
        kind = "years"
    elif low >= 1000 and len(np.unique(value)) == len(value) and high > 20 * len(value):
        kind = "ids"
    if not kind:
        return None
    message = f"from {low:.10g} to {high:.10g}: these seem to be {kind}, not scores; leave the "
    message += f"column out (--exclude {measured.measure})"
    return Finding(
        "measure that is no score", measured.title, message,
        effect="it is ranked and tested like a score",
        repairs=(Repair("exclude", measured.measure),), rows=measured.rows,
    )  # fmt: skip


def _totals(measured: Measured) -> Iterator[Finding]:
    """Find topics or systems that are means or totals of the others."""
    table = measured.table
    if not len(table):
        return
    span = float(np.ptp(measured.value))
    for column, axis in (("topic", 0), ("system", 1)):
        scores, names = (table, measured.names["topic"]) if axis == 0 else (
            table.T, measured.names["system"])  # fmt: skip
        present = ~np.isnan(scores)
        used = np.flatnonzero(present.any(axis=1))
        if len(used) < 3:
            continue
        filled = np.where(present, scores, 0.0)
        rest_count = present.sum(axis=0) - present
        rest_mean = np.full(scores.shape, np.nan)
        np.divide(filled.sum(axis=0) - filled, rest_count, out=rest_mean, where=rest_count > 1)
        without_name = list[Finding]()
        for row in used.tolist():
            name = names[row]
            plain_name = name.strip().casefold().strip("*<>[]() ")
            is_total, may_be_total = (
                _TOTAL.fullmatch(plain_name),
                _PERHAPS_TOTAL.fullmatch(plain_name),
            )
            shared = ~np.isnan(scores[row] - rest_mean[row])
            gaps = np.abs(scores[row] - rest_mean[row])[shared]
            limit = 0.03 * span if is_total or may_be_total else 1e-3 * span
            is_enough = len(gaps) >= (1 if is_total or may_be_total else 4)
            is_mean = is_enough and span > 0 and bool((gaps <= limit).all())
            # Without a name, whole numbers may be means by chance.
            if is_mean and not (is_total or may_be_total):
                is_mean = not bool((scores[row][shared] == np.rint(scores[row][shared])).all())
            if not (is_total or is_mean):
                continue
            others_name = f"other {column}s"
            message = f"its {measured.title} is the mean of the {others_name}; it is no {column}"
            if not is_mean:
                message = f"it seems to be a total of the {others_name} ({measured.title}), not a "
                message += column
            message += f": leave it out (--exclude {name})"
            finding = Finding(
                f"total among {column}s", f"{column} {name}", message, severity="severe",
                effect=f"it is compared like any other {column}",
                repairs=(Repair("exclude", name),), rows=measured.rows_of(column, name),
            )  # fmt: skip
            if is_total or may_be_total:
                yield finding
            else:
                without_name.append(finding)
        # Where all are the same, each is the mean of the others.
        yield from without_name if len(without_name) == 1 else ()


def _constant(measured: Measured) -> Iterator[Finding]:
    """Find a measure that does not vary, or only between systems or topics."""
    table = measured.table
    systems, topics = (~np.isnan(table).all(axis=axis) for axis in (0, 1))
    table = table[np.ix_(topics, systems)]
    if len(table) < 5 or table.shape[1] < 2 or len(measured.value) < limits.MIN_SCORES:
        return
    distinct = len(np.unique(measured.value))
    kind = message = ""
    if distinct == 1:
        kind = "measure that never varies"
        message = f"every score is {measured.value[0]:g}; it cannot tell systems apart"
    elif distinct > 2 or len(table) >= limits.MIN_SCORES:
        spread = [np.nanmax(table, axis=axis) - np.nanmin(table, axis=axis) for axis in (0, 1)]
        has_several = (~np.isnan(table)).sum(axis=1) > 1
        if not spread[0].any():
            kind = "one score for each system"
            message = f"each system has the same score on all {len(table)} topics; is it a mean "
            message += "that was repeated? Nothing can be tested with it"
        elif has_several.sum() >= 5 and not spread[1][has_several].any():
            kind = "one score for each topic"
            message = "all systems of a topic have the same score; is it a property of the topic?"
    if kind:
        yield Finding(
            kind, measured.title, message, effect="comparisons by it mean nothing",
            repairs=(Repair("exclude", measured.measure),), rows=measured.rows,
        )  # fmt: skip


def _odd_systems(measured: Measured, collection: Collection) -> Iterator[Finding]:
    """Find systems whose scores are constant, copied, shifted by a topic or rounded."""
    table, names = measured.table, measured.names["system"]
    present = ~np.isnan(table)
    counts, lowest = present.sum(axis=0), float(measured.value.min())
    candidates = np.flatnonzero(counts >= limits.MIN_SCORES).tolist()
    if len(candidates) < 2 or len(np.unique(measured.value)) == 1:
        return
    highest = float(measured.value.max())
    for system in candidates:
        score = float(np.nanmax(table[:, system]))
        # Copies of the input are faithful throughout, so the highest score is plausible.
        if np.nanmin(table[:, system]) == score < highest:
            others_mask = measured.codes["system"] != system
            share = (
                float((measured.value[others_mask] == score).mean()) if others_mask.any() else 1.0
            )
            if share <= 0.5 and share ** counts[system] < limits.CHANCE:
                message = f"every {measured.title} is {score:g} ({counts[system]} topics)"
                message += ", the lowest of all" if score == lowest else ", the same score"
                message += "; did it fail, or are its scores missing?"
                name, description = names[system], "lowest" if score == lowest else "same"
                yield Finding(
                    f"system with the {description} score throughout", f"system {name}", message,
                    repairs=(Repair("exclude", name),), rows=measured.rows_of("system", name),
                )  # fmt: skip
    if len(table) >= limits.MIN_PAIRS and not collection.summaries:
        yield from _identical_systems(measured, candidates)
    yield from _sorted(measured, candidates)
    yield from _oracle_systems(measured, candidates)
    if len(candidates) > 2 and len(table) >= limits.MIN_PAIRS:
        filled, count = np.where(present, table, 0.0), present.sum(axis=1)
        for system in candidates:
            others_mask = np.full(len(table), np.nan)
            total = filled.sum(axis=1) - filled[:, system]
            others_count = count - present[:, system]
            np.divide(total, others_count, out=others_mask, where=others_count > 1)
            if is_shifted(table[:, system], others_mask):
                message = f"its {measured.title} fits the topic before or after better than its "
                message += "own; is the column shifted by a row?"
                yield Finding(
                    "system shifted by a topic", f"system {names[system]}", message,
                    severity="severe", effect="differences are between different topics",
                    rows=measured.rows_of("system", names[system]),
                )  # fmt: skip
    if not len(measured.judges):
        yield from _rounded(measured, candidates)


def _sorted(measured: Measured, systems: list[int]) -> Iterator[Finding]:
    """Find a system whose scores rise or fall from topic to topic, unlike those of others."""
    table, sorted_topics = measured.table, []
    for system in systems:
        steps = np.diff(table[~np.isnan(table[:, system]), system])
        rising, falling = bool((steps >= 0).all()), bool((steps <= 0).all())
        if (rising or falling) and np.count_nonzero(steps) >= limits.MIN_SCORES:
            sorted_topics.append(system)
    for system in sorted_topics if 2 * len(sorted_topics) < len(systems) else ():
        name = measured.names["system"][system]
        message = f"its {measured.title} is sorted from topic to topic, that of others is not; "
        message += "was the column sorted by itself?"
        yield Finding(
            "system with sorted scores", f"system {name}", message, severity="severe",
            effect="differences are between different topics",
            rows=measured.rows_of("system", name),
        )  # fmt: skip


def _oracle_systems(measured: Measured, systems: list[int]) -> Iterator[Finding]:
    """Find a system that has the best score of the others on every topic."""
    table = measured.table[:, systems]
    table = table[~np.isnan(table).any(axis=1)]
    if len(table) < limits.MIN_SCORES or len(systems) < 4:
        return
    for index, system in enumerate(systems):
        scores, other_scores = table[:, index], np.delete(table, index, axis=1)
        ties = other_scores == scores[:, None]
        # At a ceiling, many systems have the best score; a copy has those of one system.
        varied = len(np.unique(scores)) > 5 and ties.mean(axis=0).max() < 0.9
        if varied and (scores == other_scores.max(axis=1)).all() and ties.sum() < 1.5 * len(table):
            name = measured.names["system"][system]
            message = f"its {measured.title} is the best of all others on each of {len(table)} "
            message += f"topics; is it an oracle? Then leave it out (--exclude {name})"
            yield Finding("best of all systems as a system", f"system {name}", message,
                          repairs=(Repair("exclude", name),),
                          rows=measured.rows_of("system", name))  # fmt: skip


def _identical_systems(measured: Measured, systems: list[int]) -> Iterator[Finding]:
    """Find systems with the same scores on all topics."""
    table, names = measured.table, measured.names["system"]
    for group in grouped((table[:, system].tobytes(), system) for system in systems).values():
        if len(group) < 2:
            continue
        values = table[:, group[0]][~np.isnan(table[:, group[0]])]
        if len(np.unique(values)) > (2 if len(values) < 30 else 1):
            shown = " and ".join(names[system] for system in group[:3])
            message = f"the same {measured.title} on all {len(values)} topics; is it one system?"
            yield Finding("systems with identical scores", f"systems {shown}", message)


def _rounded(measured: Measured, long: list[int]) -> Iterator[Finding]:
    """Find a system whose scores have fewer decimals than all others."""

    def decimals(values: Floats) -> int:
        for digits in range(5):
            if float((np.abs(values - np.round(values, digits)) < 1e-9).mean()) > 0.97:
                return digits
        return 5

    by_system = {name: decimals(values) for name, values in measured.values_by("system")}
    digits = [by_system[measured.names["system"][system]] for system in long]
    for system, own_digits in zip(long, digits, strict=True):
        remaining = list(digits)
        remaining.remove(own_digits)
        varied = len(np.unique(measured.table[:, system])) > (2 if own_digits else 5)
        if own_digits + 2 <= min(remaining) and own_digits < 3 and varied:
            name = measured.names["system"][system]
            message = f"its {measured.title} has {own_digits} decimals, that of others "
            message += f"{min(remaining)} or more; use unrounded scores"
            yield Finding("scores rounded differently", f"system {name}", message, severity="note")


def missing_findings(measured: Measured, people: set[str]) -> Iterator[Finding]:
    """Find machines without scores on topics that other machines have."""
    codes, names = measured.codes, measured.names
    machine = np.array([name not in people for name in names["system"]], dtype=bool)
    rows = machine[codes["system"]]
    scored = np.zeros((len(names["system"]), len(names["topic"])), dtype=bool)
    scored[codes["system"][rows], codes["topic"][rows]] = True
    topics = scored.any(axis=0)
    incomplete = np.flatnonzero(scored.any(axis=1) & ~scored[:, topics].all(axis=1)).tolist()
    missing_counts = {
        names["system"][system]: int((topics & ~scored[system]).sum()) for system in incomplete
    }
    is_single = scored[:, topics].sum(axis=0).max(initial=0) == 1 and len(missing_counts) > 1
    if is_single and int(topics.sum()) >= limits.MIN_SCORES:
        message = f"no topic has {measured.title} of two systems; are these ids of rows? Name the "
        message += "column of topics: --columns topic=..."
        subject = f"topics {brief_list([names['topic'][t] for t in np.flatnonzero(topics)[:3]])}"
        yield Finding("topics of one system each", subject, message, severity="severe",
                      effect="no two systems can be compared")  # fmt: skip
    elif missing_counts:
        shown = brief_list([f"{name} lacks {n}" for name, n in missing_counts.items()])
        message = f"{shown} of {int(topics.sum())} topics that others have"
        is_shared_out = scored.sum(axis=1).max() < limits.SAMPLED_TOPICS * topics.sum()
        severity: Severity = "note" if is_shared_out else "warning"
        yield Finding("missing scores", measured.title, message, severity=severity)


def _undeclared_human_marks(measured: Measured, collection: Collection) -> Iterator[Finding]:
    """Find marks on a scale that look like human judgments but are not declared as such."""
    name = measured.measure
    measure = find_measure(name, collection.measures) or find_measure(_plain(name))
    steps = np.unique(measured.value)
    if measure or measured.judges or len(measured.value) < limits.MIN_SCORES:
        return
    marks = steps[0] in (0, 1) and 3 <= steps[-1] <= 10
    if marks and np.array_equal(steps, np.arange(steps[0], steps[-1] + 1)):
        message = f"marks from {steps[0]:g} to {steps[-1]:g} without assessors are treated as a "
        message += "metric; if people gave them, name them (--columns assessor=...) or declare "
        message += "human = true in collection.toml"
        yield Finding("human measure mistaken for a metric", measured.title, message)
