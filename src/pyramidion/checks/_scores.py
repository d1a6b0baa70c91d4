"""Scores that are implausible."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import combinations
from math import lgamma

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.checks import _thresholds as limits
from pyramidion.checks._kinds import KINDS, new_finding
from pyramidion.checks._measured import CodedNames, MeasuredPart, likely_scale
from pyramidion.checks._series import correlation, is_much_lower, is_shifted
from pyramidion.checks.structure import are_variants
from pyramidion.collection import INCLUSION, Collection
from pyramidion.collection.findings import Finding, Repair, Severity
from pyramidion.collection.ids import brief_list, grouped, natural_order
from pyramidion.collection.measures import (
    Measure,
    Scale,
    assumed_direction,
    find_measure,
    lacks_direction,
)

# Common placeholders for missing scores.
_PLACEHOLDER_VALUES = (-9999, -999, -99, -9, -1, 9, 77, 88, 99, 999, 9999)
_ADDRESS_COLUMNS = ("task", "topic", "system")
# Names of rows that summarize others, and those that may also be names of something else.
_TOTAL_NAME = re.compile(
    r"(?:grand[ _-]|macro[ _-]?|micro[ _-]?)?(?:averages?|avg|means?|total|sum|std|st\.?dev\.?|sd|"
    r"variance|median|mittelwert|durchschnitt|mittel|gesamt|summe|moyenne|promedio|media|gemiddelde"
    r"|\u00f8)\.?(?:[ _-](?:score|row|of all))?"
)
_POSSIBLE_TOTAL_NAME = re.compile(r"overall|all|summary|aggregate|max|min|count")

# Names of columns that count what scores are based on.
_COUNT_NAME = re.compile(
    r"(n|num|nr|no|count|number)[ _-]?(of[ _-]?)?(judges?|annotators?|raters?|assessors?|workers?|"
    r"judg[e]?ments?|annotations?|ratings?|votes?|references?|refs)"
)


# Names of columns that number what scores come from.
_NUMBERED_NAME = re.compile(
    r"(worker|participant|annotator|rater|assessor|judge|user|session|batch|hit|row|record|line|"
    r"page)[ _-]?(no|nr|num|number|id|idx|index)\.?"
)
# What a spreadsheet makes of long numbers, and of "3-4".
_ROUNDED_NUMBER = re.compile(r"\d[.,]\d+E\+\d+")
_DATE_NAME = re.compile(
    r"\d\d?-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|"
    r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d\d",
    re.IGNORECASE,
)
_TEST_ITEM_NAME = re.compile(
    r"((attention|sanity|catch)[ _-]?(topics?|tasks?)|"
    r"(attention|sanity|catch|control|gold|practice|training|qualification|warm-?up)[ _-]?"
    r"(checks?|questions?|items?|trials?)|(practice|warm-?up|qualification|attention)(?=\W?_?\d))"
    r"[ _-]?\d*",
    re.IGNORECASE,
)
_CHANGED_KIND = "name changed by a spreadsheet"
_ODD_NAMES = (
    (_ROUNDED_NUMBER, _CHANGED_KIND, "numbers in scientific notation have lost digits, so "
     "different ones may have become equal; export the column as text"),
    (_DATE_NAME, _CHANGED_KIND, "ids such as 3-4 became dates; export the column as text"),
    (_TEST_ITEM_NAME, "topic that tests assessors", "judging by its name, it is a test of "
     "assessors' attention, not a topic; leave it out (--exclude)"),
)  # fmt: skip

# Labels of places on the screen, which belong to other systems on each topic.
_POSITION_NAME = re.compile(
    r"(summary|output|response|option|candidate|answer|position)[ _-]?([a-h]|[1-9])|left|right",
    re.IGNORECASE,
)
_DATED_NAME = re.compile(
    r"\d{4}-\d\d-\d\d([T ][\d:.]+)?|\d\d?[./]\d\d?[./]\d{4}|\d\d?:\d\d(:\d\d)?"
)
# Names of several items in one cell are separated by these.
_BETWEEN_NAMES = re.compile(r"\s*(?:[,;|+&/]|\band\b)\s*")

# Names of columns of results of tests and of comparisons.
_TESTED_NAME = re.compile(r"p[ _-]?(val|value)s?|pvals?|significance")
_DELTA_NAME = re.compile(r"(delta|diff)([ _-].+)?|.+[ _-](delta|diff)")

# Names of columns that say how scores of a summary vary.
_SPREAD_NAME = re.compile(r".+[ _-](sd|std|stdev|stddev|var|variance|se|sem|stderr|ci)")


def score_findings(
    measured_part: MeasuredPart, collection: Collection, people: set[str]
) -> Iterator[Finding]:
    """Find implausible scores of a measure."""
    if measured_part.is_large:  # Ranges and means may overflow.
        yield from _scores_off_range(measured_part, collection)
        yield from missing_findings(measured_part, people)
        return
    if noun := _describe_other_content(measured_part):
        ends = f"from {measured_part.value.min():.10g} to {measured_part.value.max():.10g}"
        message = f"{ends}: these seem to be {noun}, not scores; leave out the column "
        message += f"(--exclude {measured_part.measure})"
        yield measured_part.finding("measure that is no score", message, rows=measured_part.rows)
        return
    totals = [*_totals(measured_part), *_computed_system(measured_part)]
    yield from totals
    if totals:
        measured_part = measured_part.without(
            np.concatenate([total.rows for total in totals if total.rows is not None])
        )
    if not len(measured_part.value):
        return
    percentages = list(_percentages(measured_part))
    yield from percentages or _scores_off_range(measured_part, collection)
    scale_checks = (
        _marks_on_other_scales,
        _systems_off_range,
        _systems_in_other_units,
        _two_scales,
        _two_beginnings,
    )
    findings_of_checks = (list(check(measured_part)) for check in scale_checks)
    scale_findings = [] if percentages else next(filter(None, findings_of_checks), [])
    yield from scale_findings
    yield from _series(measured_part)
    yield from _repeated_scores(measured_part)
    yield from missing_findings(measured_part, people)
    yield from _unclaimed_marks(measured_part, collection)
    if len(measured_part.table):
        constant_findings = list(_constant_measure(measured_part))
        yield from constant_findings
        if not (percentages or scale_findings or constant_findings):
            yield from _odd_systems(measured_part, collection)


def name_findings(collection: Collection, coded_names: CodedNames) -> Iterator[Finding]:
    """Find names that differ only in case, spacing and the like."""
    yield from _exchanged_columns(coded_names["topic"][0], coded_names["system"][0])
    for kind in ("measure", "system", "topic", "assessor"):
        names = set(coded_names[kind][0])
        names |= {
            getattr(summary, kind) for summary in collection.summaries if kind in _ADDRESS_COLUMNS
        }
        yield from spelled_twice(kind, names, collection.systems if kind == "system" else {})
        if kind != "measure":
            yield from _odd_names(kind, names)
            yield from _joined_names(kind, names)


def _exchanged_columns(topics: Sequence[str], systems: Sequence[str]) -> Iterator[Finding]:
    """Ask whether the columns of topics and systems were swapped, judging by their names."""
    is_numbered = len({re.sub(r"\d+", "", name) for name in systems}) == 1
    are_names = sum(any(map(str.isdigit, name)) for name in topics) < limits.USUAL_SHARE * len(
        topics
    )
    are_many = len(systems) >= max(limits.MANY_SYSTEMS, 2 * len(topics))
    if are_many and is_numbered and are_names:
        message = f"{len(systems)} systems have numbers such as {systems[0]}, and {len(topics)} "
        message += f"topics have names such as {topics[0]}; were the columns of topics and systems "
        yield new_finding("columns exchanged", f"system {systems[0]}", message + "exchanged?")


def _odd_names(kind: str, names: Set[str]) -> Iterator[Finding]:
    """Find names that a spreadsheet changed, and topics that only test the assessors."""
    for pattern, finding_kind, message in _ODD_NAMES:
        odd_names = sorted(filter(pattern.fullmatch, names), key=natural_order)
        if odd_names and (
            pattern is not _TEST_ITEM_NAME or (kind == "topic" and 2 * len(odd_names) < len(names))
        ):
            # Topics may be days of news.
            all_dates = pattern is _DATE_NAME and len(odd_names) == len(names)
            severity = "note" if all_dates else KINDS[finding_kind].severity
            subject = f"{kind} {brief_list(odd_names)}"
            yield new_finding(finding_kind, subject, message, odd_names[0], severity=severity)


def _joined_names(kind: str, names: Set[str]) -> Iterator[Finding]:
    """Find names of several items in one, of which the others are names by themselves."""
    for name in sorted(names, key=natural_order):
        parts = _BETWEEN_NAMES.split(name)
        if len(parts) > 1 and all(parts) and sum(part in names for part in parts) > len(parts) / 2:
            message = (
                f"it seems to name {len(parts)} {kind}s in one cell, {brief_list(parts)}; write "
            )
            yield new_finding("names joined in one", f"{kind} {name}", message + "a row for each")
    if kind == "system" and len(names) > 1 and all(map(_POSITION_NAME.fullmatch, names)):
        message = "these seem to be labels of places on the screen, which mean another system on "
        message += "each topic; if so, name the column of systems (--columns system=...)"
        yield new_finding(
            "labels instead of systems", f"systems {brief_list(sorted(names))}", message
        )
    given_names = names - {""}
    if kind == "assessor" and len(given_names) > 1 and all(map(_DATED_NAME.fullmatch, given_names)):
        message = "these are dates or times, not people; name another column "
        message += "(--columns assessor=...), or none"
        yield new_finding(
            "dates instead of judges", f"assessors {brief_list(sorted(given_names))}", message
        )


def spelled_twice(kind: str, names: Iterable[str], kinds: Mapping[str, str]) -> Iterator[Finding]:
    """Find names of a kind that differ only in case, spacing and the like."""
    # The writer of a reference may have the letter of a system.
    groups = grouped(
        ((_normalize_name(name, kind), kinds.get(name)), name) for name in names
    ).values()
    spelling_groups = [
        sorted(spellings_of_name, key=natural_order)
        for spellings_of_name in groups
        if len(spellings_of_name) > 1
    ]
    for spellings_of_name in sorted(spelling_groups, key=lambda group: natural_order(group[0])):
        look_alike = len({unicodedata.normalize("NFC", name) for name in spellings_of_name}) < len(
            spellings_of_name
        )
        look_alike |= not all(
            map(str.isprintable, spellings_of_name)
        )  # or differ in what cannot be seen
        spellings = " and ".join(map(ascii if look_alike else repr, spellings_of_name[:3]))
        message = "they are treated as different; use one spelling"
        yield Finding("spelled in two ways", f"{kind} {spellings}", message)


# Cyrillic and Greek letters that look like Latin ones, in lower case.
_LOOKALIKES = str.maketrans("аеорсухіѕјкмтвнαορντκ", "aeopcyxisjkmtbhaopvtk")


def _normalize_name(name: str, kind: str = "") -> str:
    """Normalize case, white space, forms of characters, leading zeros, and marks in names."""
    visible_name = name.strip("'\"`“”‘’ ") or name
    if not visible_name.isascii():  # UTF-8 that was read as Windows-1252, and letters without width
        with suppress(UnicodeError):
            visible_name = visible_name.encode("cp1252").decode()
        visible_name = "".join(
            letter for letter in visible_name if unicodedata.category(letter) != "Cf"
        )
    plain_name = " ".join(unicodedata.normalize("NFKC", visible_name).casefold().split())
    if not plain_name.isascii() and re.search("[a-z]", plain_name):
        plain_name = plain_name.translate(_LOOKALIKES)
    if kind == "assessor":
        plain_name = plain_name.partition("@")[0] or plain_name
    if kind in ("measure", "system"):  # rouge-1 and rouge1, but not 1.1 and 11
        plain_name = re.sub(r"(?<=[^\W\d_])[-_ ](?=\w)", "", plain_name)
    if kind == "topic":
        plain_name = plain_name.replace("_", "-").replace(" ", "-")
        stem = plain_name.removesuffix(".0")
        plain_name = stem if stem.isdecimal() else plain_name
    return plain_name.lstrip("0") if plain_name.isdecimal() else plain_name


def direction_findings(collection: Collection, measures: Set[str]) -> Iterator[Finding]:
    """Note which values are taken to be better if only the name of a measure says so."""
    checked_measures = (
        measure for measure in collection.scores.measures if not measures or measure in measures
    )
    pairs = (
        (assumed_direction(measure, collection.measures), measure) for measure in checked_measures
    )
    reasons = {"lower": "judging by the name", "higher": "since nothing says otherwise"}
    for direction, names in grouped(pairs).items():
        if direction is not None:
            opposite_direction = "higher" if direction == "lower" else "lower"
            repair = Repair(f"{opposite_direction}-is-better", ",".join(names[:3]))
            message = f"{direction} is taken to be better, {reasons[direction]}; {repair.flag} "
            message += "changes this"
            yield new_finding("assumed direction", brief_list(names), message,
                              repairs=(repair,), measures=tuple(names))  # fmt: skip


def _scores_off_range(measured_part: MeasuredPart, collection: Collection) -> Iterator[Finding]:
    """Find scores outside the scale of a measure, or far from all others."""
    if measured_part.measure in collection.scales:
        return  # Scores off a declared scale are reported as such.
    measure = find_measure(measured_part.measure, collection.measures)
    value = measured_part.value
    # Human judgments were on 1 to 10 in some years, so their scale must be declared.
    if measure and measure.scale and not measure.human:
        is_outside = (value < measure.scale.low) | (value > measure.scale.high)
        if is_outside.any():
            yield _outside_scale(measured_part, measure.scale, is_outside)
    elif measured_part.is_large:
        number = value[np.argmax(np.abs(value))]
        yield measured_part.finding("score too large", f"{number:g} is too large to compute with")
    elif placeholder := _placeholder(measured_part):
        number, usual_values = placeholder
        rows = value == number
        repair = Repair("missing", f"{measured_part.measure}={number:g}")
        systems_text = f" {_describe_owners(measured_part, rows)}." if rows.sum() > 1 else ""
        message = (
            f"{number:g} among scores from {usual_values.min():g} to {usual_values.max():g}; is it "
        )
        message += f"a placeholder?{systems_text} Then add --missing {repair.value}"
        yield measured_part.finding("score far from all others", message, severity="severe",
                             repairs=(repair,), rows=measured_part.rows[rows])  # fmt: skip
    else:
        yield from _off_steps(measured_part)


def _placeholder(measured_part: MeasuredPart) -> tuple[float, Floats] | None:
    """Return a number that stands for a missing score, and the other scores."""
    value = measured_part.value
    other_scores = value[~np.isin(value, _PLACEHOLDER_VALUES)]
    if not len(other_scores):
        return None
    low, high = float(other_scores.min()), float(other_scores.max())
    # Halved, since the range of the largest numbers overflows.
    are_marks = high / 2 - low / 2 <= 5 and bool((other_scores == np.rint(other_scores)).all())
    # Means of marks from 1 to 5.
    are_marks |= low >= 1 and 3 < high <= 5
    margin = 1.0 if are_marks else max(high - low, 1.0)
    for candidate in _PLACEHOLDER_VALUES:
        share = float((value == candidate).mean())
        if not 0 < share <= limits.MAX_ODD_CELLS:
            continue
        is_below = candidate < (0 if low >= 0 else low - margin) and (high > 1 or not are_marks)
        # A single 9 may be the end of a longer scale, or of a distribution of counts.
        is_credible = (value == candidate).sum() > 1 or (low >= 1 and high <= 5)
        has_enough = is_credible and len(value) >= limits.MIN_PAIRS
        if is_below or (candidate > high + margin and (candidate > 9 or has_enough)):
            return candidate, other_scores
    for end in (float(value.max()), float(value.min())):
        usual_values = value[value != end]
        min_count = max(limits.MIN_PAIRS, (1 - limits.MAX_ODD_CELLS) * len(value))
        # A placeholder has few decimals, and on few topics, scores repeat.
        topics = np.count_nonzero(np.bincount(measured_part.codes["topic"]))
        is_round = round(end, 2) == end and topics >= limits.MIN_SCORES
        if is_round and (value == end).sum() > 2 and len(usual_values) >= min_count:
            gap = max(float(usual_values.min()) - end, end - float(usual_values.max()))
            if gap > limits.REPEATED_GAP * float(np.ptp(usual_values)) > 0:
                return end, usual_values
    if _is_empty_zero(measured_part):
        return 0, value[value != 0]
    return next(
        (
            (candidate_value, value[value != candidate_value])
            for candidate_value in (9, 0)
            if _off_averages(value, candidate_value)
        ),
        None,
    )


def _is_empty_zero(measured_part: MeasuredPart) -> bool:
    """Return whether zeros are far below all scores, or others gave good scores instead."""
    is_zero = measured_part.value == 0
    usual_values = measured_part.value[~is_zero]
    if not 0 < is_zero.mean() <= limits.MAX_ODD_CELLS or len(np.unique(usual_values[:1000])) < 3:
        return False
    low, high, median_value = (
        float(usual_values.min()),
        float(usual_values.max()),
        float(np.median(usual_values)),
    )
    spread = 1.5 * float(np.median(np.abs(usual_values - median_value)))
    is_frequent = is_zero.sum() > 2 and is_zero.mean() > limits.RARE_ZERO
    is_frequent = is_frequent and len(usual_values) >= limits.MIN_PAIRS
    stands_alone = (
        low >= limits.NEAR_ZERO * median_value > 0 and median_value >= limits.FAR_ZERO * spread > 0
    )
    # Scores with many values that reach down to 0 also have some just above.
    is_varied = len(np.unique(usual_values[:1000])) > limits.MIN_DISTINCT_SHARE * len(
        usual_values[:1000]
    )
    is_often_zero = (
        is_zero.mean() > limits.OFTEN_ZERO
        and (usual_values == np.rint(usual_values)).mean() < limits.USUAL_SHARE
    )
    min_ratio = limits.LOWEST[int(len(usual_values) < limits.MANY_SCORES)]
    is_often_zero &= is_zero.sum() >= limits.MIN_TEXTS
    stands_alone |= is_varied and is_often_zero and low >= min_ratio * median_value > 0
    # Means of marks from 0 to 5 would also be between 0 and 1.
    stands_alone |= (
        low >= 1
        and 3 < high <= 5
        and bool((usual_values != np.rint(usual_values)).mean() > limits.MEANS)
    )
    are_marks = low >= 1 and high <= 10
    return bool(is_frequent and stands_alone) or (
        are_marks and _is_contradicted(measured_part, is_zero)
    )


def _off_averages(value: Floats, number: float) -> bool:
    """Return whether a number is repeated among averages of marks from 1 to 5 or 7."""
    is_number = value == number
    usual_values = value[~is_number]
    if (
        is_number.sum() < 3
        or is_number.mean() > limits.MAX_ODD_CELLS
        or len(usual_values) < limits.MIN_SCORES
    ):
        return False
    if (
        usual_values.min() < 1
        or not 3 < usual_values.max() <= 7
        or (usual_values == np.rint(usual_values)).all()
    ):
        return False
    return _are_averages(usual_values)  # A scale from 0 would have some below 1.


def _are_averages(values: Floats) -> bool:
    """Return whether values may be averages of the marks of a few judges, perhaps rounded."""
    sums = (values * n_judges for n_judges in range(2, 6))
    return any(
        bool((np.abs(multiples - np.rint(multiples)) <= 0.006 * n_judges).all())
        for n_judges, multiples in enumerate(sums, 2)
    )


def _describe_owners(measured_part: MeasuredPart, rows: Bools) -> str:
    """Name the systems, or the judges, that some rows belong to."""
    parts = []
    for column, plural in (("system", "systems"), ("assessor", "assessors")):
        codes = np.unique(measured_part.codes[column][rows]).tolist()
        names = [measured_part.names[column][code] for code in codes]
        if len(names) < len(np.unique(measured_part.codes[column])) and all(names):
            parts.append(f"{plural if len(names) > 1 else column} {brief_list(names)}")
    return f"({int(rows.sum())} scores{': ' * bool(parts)}{', '.join(parts)})"


def _is_contradicted(measured_part: MeasuredPart, is_zero: Bools) -> bool:
    """Return whether others give better scores to summaries with 0 than to the lowest ones."""
    if len(measured_part.judges) < 2 or is_zero.sum() < 3:
        return False
    item_codes = (
        measured_part.codes["topic"] * len(measured_part.names["system"])
        + measured_part.codes["system"]
    )
    counts = np.bincount(item_codes, ~is_zero)
    totals = np.bincount(item_codes, np.where(is_zero, 0.0, measured_part.value))
    values = np.where(is_zero, 0.0, measured_part.value)
    n_nonzero = counts[item_codes] - ~is_zero
    other_means = np.full(len(item_codes), np.nan)
    np.divide(totals[item_codes] - values, n_nonzero, out=other_means, where=n_nonzero > 0)
    is_lowest = measured_part.value == measured_part.value[~is_zero].min()
    with_zero, with_lowest = (
        other_means[is_zero & (n_nonzero > 0)],
        other_means[is_lowest & (n_nonzero > 0)],
    )
    if min(len(with_zero), len(with_lowest)) < 3:
        return False
    error = np.sqrt(with_zero.var() / len(with_zero) + with_lowest.var() / len(with_lowest))
    return bool(with_zero.mean() - with_lowest.mean() > limits.CONTRADICTED_Z * error)


def _outside_scale(measured_part: MeasuredPart, scale: Scale, is_outside: Bools) -> Finding:
    values = measured_part.value[is_outside]
    message = f"{values[np.argmax(np.abs(values))]:g} is not between {scale.low:g} and "
    message += f"{scale.high:g}"
    severity: Severity = "warning"
    if (
        scale.high == 1
        and (measured_part.value > 1).mean() > 0.5
        and measured_part.value.max() <= 100
    ):
        message += "; are these percentages? Divide them by 100"
        # If all scores are percentages, the ranking is the same as with fractions.
        usual_values = measured_part.value[(measured_part.value > 0) & (measured_part.value <= 1)]
        severity = (
            "note"
            if len(usual_values) < limits.MAX_FRACTIONS * len(measured_part.value)
            else "warning"
        )
    elif not is_outside.all():
        message += f" {_describe_owners(measured_part, is_outside)}"
    rows = measured_part.rows[is_outside]
    return measured_part.finding("score outside its range", message, rows=rows, severity=severity)


def _off_steps(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find scores far outside the short rating scale that nearly all others use."""
    value, count = measured_part.counts
    usual_values = value[count >= max(2, 0.01 * count.sum())]
    if (
        not 2 <= len(usual_values) <= 11
        or count[np.isin(value, usual_values)].sum() < 0.9 * count.sum()
    ):
        yield from _scores_beyond_gaps(measured_part)
        return
    low, high = float(usual_values.min()), float(usual_values.max())
    # Halved, since the range of the largest numbers overflows.
    if (
        high / 2 - low / 2 != (len(usual_values) - 1) / 2
        or not np.equal(usual_values, np.round(usual_values)).all()
    ):
        return
    far_values = value[(value < low - (high - low)) | (value > high + (high - low))]
    if len(far_values):
        yield _far_score(measured_part, np.isin(measured_part.value, far_values), low, high)


def _far_score(measured_part: MeasuredPart, rows: Bools, low: float, high: float) -> Finding:
    values = measured_part.value[rows]
    number = values[np.argmax(np.abs(values))]
    first_row = int(np.flatnonzero(rows & (measured_part.value == number))[0])
    cell_names = ", ".join(
        measured_part.names[column][measured_part.codes[column][first_row]]
        for column in ("topic", "system")
    )
    message = f"{number:g} among scores from {low:g} to {high:g}; is it a typo? ({cell_names})"
    if rows.sum() > 1:
        message += f" {_describe_owners(measured_part, rows)}"
    return measured_part.finding(
        "score far from all others", message, rows=measured_part.rows[rows]
    )


def _scores_beyond_gaps(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find scores of other sizes or signs than all others."""
    value = np.sort(measured_part.value)
    if len(value) < limits.MIN_PAIRS:
        return
    max_few = max(1, int(limits.RARE_CELLS * len(value)))
    for sign in (1, -1):
        sorted_values = value if sign == 1 else -value[::-1]
        spans, steps = sorted_values[:-1] - sorted_values[0], np.diff(sorted_values)
        ends = np.flatnonzero((spans > 0) & (steps > limits.FAR_DISTANCE * spans))
        is_far = sign * measured_part.value > sorted_values[ends[0]] if len(ends) else None
        if is_far is not None and (is_far.sum() <= max_few or _is_scattered(measured_part, is_far)):
            usual_values = sign * sorted_values[: ends[0] + 1]
            yield _far_score(
                measured_part, is_far, float(usual_values.min()), float(usual_values.max())
            )
            return
    negative_values, positive_values = value[value < 0], value[value >= 0]
    if 0 < len(negative_values) <= max(1, len(value) // 100):
        low, middle, high = np.quantile(positive_values, (0.1, 0.5, 0.9)).tolist()
        is_far_below = middle - negative_values[-1] > 2 * limits.FAR_ZERO * (high - low) / 2.5
        if is_far_below and low <= -negative_values[0] <= high:
            yield _far_score(
                measured_part,
                measured_part.value < 0,
                float(positive_values[0]),
                float(positive_values[-1]),
            )


def _is_scattered(measured_part: MeasuredPart, rows: Bools) -> bool:
    """Return whether the rows are a limited share of those of every system and of every topic."""
    codes = [measured_part.codes[name] for name in ("system", "topic")]
    # A measure may lack some systems and topics.
    shares = (
        np.bincount(code[rows], minlength=code.max() + 1) / np.maximum(np.bincount(code), 1)
        for code in codes
    )
    return all(share.max() <= limits.MAX_ODD_SHARE for share in shares)


def _percentages(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find systems, topics or single scores in percent while the others are fractions."""
    kind, value = "percentages among fractions", measured_part.value
    is_fraction = (value >= 0) & (value <= 1)
    usual_values = value[is_fraction]
    is_large = (value > 1) & (value <= 100)
    if not is_large.any() or not ((usual_values > 0) & (usual_values < 1)).any():
        return  # Yes and no are not fractions.
    low, median, high = (float(np.quantile(usual_values, level)) for level in (0, 0.5, 1))
    # Where most scores are 0, anything is many times as large as the median.
    min_percentage = max(limits.PERCENT * float(np.median(usual_values[usual_values > 0])), 1)
    # Weights of errors such as .1, 1 and 5 are not a hundred times anything.
    if np.median(value[is_large]) / 100 < np.quantile(
        usual_values[usual_values > 0], limits.RARE_CELLS
    ):
        return
    for column in ("system", "topic", "assessor"):
        groups = measured_part.values_by(column)
        odd_groups = {
            name: values for name, values in groups
            if values.min() >= 0 and values.max() <= 100 and np.median(values) > min_percentage
        }  # fmt: skip
        is_explained = (
            sum(int((values > 1).sum()) for values in odd_groups.values()) >= 0.9 * is_large.sum()
        )
        if (
            not odd_groups
            or len(odd_groups) > limits.MAX_ODD_SHARE * len(groups)
            or not is_explained
        ):
            continue
        for name, values in odd_groups.items() if column != "topic" else ():
            message = (
                f"its {measured_part.title} is up to {values.max():g}, others up to {high:g}; is "
            )
            yield measured_part.about(kind, column, name, message + "it a percentage?")
        if column == "topic":
            message = (
                f"{measured_part.title} is up to {max(v.max() for v in odd_groups.values()):g} on "
            )
            message += (
                f"{len(odd_groups)} of {len(groups)} topics, on others up to {high:g}; are these "
            )
            subject = f"{'topics' if len(odd_groups) > 1 else 'topic'} {brief_list([*odd_groups])}"
            rows = measured_part.rows_of("topic", *odd_groups)
            yield new_finding(kind, subject, message + "percentages?", rows=rows)
        return
    is_percentage = is_large & (value / 100 >= 0.5 * low) & (value / 100 <= max(1.5 * high, 1))
    is_rare = (
        is_fraction.mean() >= 1 - limits.MAX_ODD_CELLS
        and is_percentage.sum() == (~is_fraction).sum()
    )
    if is_rare and median < 0.9 and float(value[is_percentage].min()) > 2 * high:
        message = (
            f"{int(is_percentage.sum())} scores are up to {value[is_percentage].max():g}, others "
        )
        message += "up to "
        message += (
            f"{high:g}; are these percentages? {_describe_owners(measured_part, is_percentage)}"
        )
        yield measured_part.finding(kind, message, rows=measured_part.rows[is_percentage])


def _marks_on_other_scales(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find a system, or topics, with scores far beyond the marks, or means of marks, of others."""
    value = measured_part.value
    if not 5 < value.max() <= 100 or value.min() < 0:
        return
    for end, ratio in ((5, 1.6), (7, 1.6), (10, 3)):
        for column in ("system", "topic"):
            groups = measured_part.values_by(column)
            usual_values = [values for _, values in groups if values.max() <= end]
            odd_groups = {name: values for name, values in groups if values.max() > end}
            if not odd_groups or len(usual_values) < max(2, 0.4 * len(groups)):
                continue
            low, high = min(map(np.min, usual_values)), max(map(np.max, usual_values))
            # Percentages of rare n-grams are between 0 and 10 on most topics.
            are_far_off = all(np.median(values) > ratio * high for values in odd_groups.values())
            are_marks = end == 10 or _are_averages(np.concatenate(usual_values))
            if 1 <= low < high and are_far_off and are_marks:
                scores = np.concatenate([*odd_groups.values()])
                subject = f"{column}s" if len(odd_groups) > 1 else column
                yield new_finding(
                    f"{column} on another scale", f"{subject} {brief_list([*odd_groups])}",
                    _range_message(measured_part, scores, low, high),
                    rows=measured_part.rows_of(column, *odd_groups),
                )  # fmt: skip
                return


def _two_scales(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find marks that begin at 0 on the first topics and at 1 on the later ones, or the reverse."""
    value, topics = measured_part.value, measured_part.codes["topic"]
    end = float(value.max())
    if value.min() != 0 or not 3 <= end <= 10 or (value != np.rint(value)).any():
        return
    with_zero, with_end = (np.unique(topics[value == mark]) for mark in (0, end))
    expected_count = len(with_zero) * len(with_end) / len(np.unique(topics))
    first, last = sorted((with_zero, with_end), key=min)
    if (
        min(len(first), len(last)) >= limits.MIN_TEXTS
        and first.max() < last.min()
        and expected_count > 3
    ):
        name = measured_part.names["topic"][int(last.min())]
        scales = f"0 to {end - 1:g}", f"1 to {end:g}"
        before, after = scales if first is with_zero else reversed(scales)
        message = (
            f"marks seem to be on a scale of {before} at first, and on one of {after} from topic "
            f"{name} "
        )
        message += "on; add 1 to those that begin at 0"
        yield measured_part.finding("topics on two scales", message)


def _two_beginnings(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find systems with marks that begin at 0, while those of the others begin at 1."""
    value, end = measured_part.value, float(measured_part.value.max())
    if value.min() != 0 or not 3 <= end <= 10 or (value != np.rint(value)).any():
        return
    systems = measured_part.values_by("system")
    shares = np.array([float((values == end).mean()) for _, values in systems])
    low_systems = [pair for pair, share in zip(systems, shares, strict=True) if share == 0]
    high_systems = [pair for pair, share in zip(systems, shares, strict=True) if share > 0]
    if min(len(low_systems), len(high_systems)) < 2 or shares[shares > 0].min() < limits.RARE_CELLS:
        return
    low_values, high_values = (
        np.concatenate([values for _, values in group]) for group in (low_systems, high_systems)
    )
    chance = (1 - float((high_values == end).mean())) ** len(low_values)
    is_one_lower = low_values.max() == end - 1 and low_values.min() < high_values.min()
    high_values.sort()
    if (
        is_one_lower
        and chance < limits.MAX_CHANCE
        and _kolmogorov_distance(low_values + 1, high_values)
        < min(limits.MAX_ONE_ADDED, _kolmogorov_distance(low_values, high_values))
    ):
        names = [name for name, _ in low_systems]
        high_names = brief_list([name for name, _ in high_systems])
        message = f"their {measured_part.title} is from {low_values.min():g} to "
        message += f"{low_values.max():g}, that of {high_names} from {high_values[0]:g} to "
        message += f"{end:g}; does one scale begin at 0, and the other at 1?"
        yield new_finding("system on another scale", f"systems {brief_list(names)}", message,
                          rows=measured_part.rows_of("system", *names),
                          severity="note" if low_values.min() else "severe")  # fmt: skip


def _range_message(measured_part: MeasuredPart, values: Floats, low: float, high: float) -> str:
    return (
        f"its {measured_part.title} is from {values.min():g} to {values.max():g}, others from "
        f"{low:g} to {high:g}; are the scales the same?"
    )


def _systems_off_range(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find a system off the others' marks or ratings, or with z-scores among their fractions."""
    systems = [
        (name, scores)
        for name, scores in measured_part.values_by("system")
        if len(scores) >= limits.MIN_SCORES
    ]
    ranges = np.array([(values.min(), values.max()) for _, values in systems])
    are_ratings = np.array(
        [(values == np.rint(values)).all() or _are_averages(values) for _, values in systems]
    )
    has_fractions = np.array([bool((values != np.rint(values)).any()) for _, values in systems])
    for index, (name, values) in enumerate(systems if len(systems) > 2 else ()):
        low, high = np.delete(ranges, index, axis=0).min(), np.delete(ranges, index, axis=0).max()
        are_marks = 1 <= low < high <= 10 and not np.delete(has_fractions, index).any()
        scale_minimum, scale_maximum = likely_scale(low, high)
        is_rated = scale_minimum == 1 and np.delete(are_ratings, index).all()
        spread = values.std()
        is_centered = high <= 1 or (abs(values.mean()) < spread and 0.5 <= spread <= 2)
        is_outside = (
            (values > scale_maximum)
            if are_marks
            else (values < 0) & (0 <= low < high) & is_centered
        )
        is_outside |= is_rated & ((values < scale_minimum) | (values > scale_maximum))
        if float(is_outside.mean()) >= limits.ODD_SYSTEM:
            message = _range_message(measured_part, values, low, high)
            yield measured_part.about("system on another scale", "system", name, message)


def _systems_in_other_units(measured: MeasuredPart) -> Iterator[Finding]:
    """Find systems with 10, 100 or 1000 times the scores of others and the same relative spread."""
    systems = [
        (name, values)
        for name, values in measured.values_by("system")
        if len(values) >= limits.MIN_SCORES
    ]
    medians = np.array([np.median(values) for _, values in systems])
    if len(systems) < 3 or not (medians > 0).all():
        return
    powers = np.rint(np.log10(medians / np.median(medians))).astype(int)
    usual_middles, odd_indices = medians[powers == 0], np.flatnonzero(powers).tolist()
    if not 0 < len(odd_indices) <= limits.OTHER_UNIT * len(systems) or max(
        usual_middles
    ) > limits.MAX_MIDDLE_RATIO * min(usual_middles):
        return
    usual_values = np.sort(
        np.concatenate([systems[k][1] for k in np.flatnonzero(powers == 0).tolist()])
    )
    # Some systems are ten times as slow as others, or write ten times as much.
    measure = find_measure(measured.measure) or Measure()
    min_power = 2 if measure.lower_is_better or lacks_direction(measured.measure) else 1
    for index in odd_indices:
        (name, values), power = systems[index], int(powers[index])
        is_apart = np.quantile(values, 0.1) > usual_values[-1] or (
            np.quantile(values, 0.9) < np.quantile(usual_values, 0.1)
        )
        has_same_spread = (
            _kolmogorov_distance(values / 10.0**power, usual_values) <= limits.SAME_SPREAD
        )
        if (min_power <= power <= 3 or -3 <= power <= -2) and is_apart and has_same_spread:
            message = _range_message(
                measured, values, float(usual_values[0]), float(usual_values[-1])
            )
            # A bad system may score a hundredth of what others do, but not just a fraction.
            are_percentages = values.max() <= 1 < np.median(usual_values)
            severity: Severity = "severe" if power > 0 or are_percentages else "note"
            kind = "system on another scale"
            yield measured.about(kind, "system", name, message, severity=severity)


def _describe_other_content(measured_part: MeasuredPart) -> str:
    """Return what a column is if it has ids, row numbers, times or years; else nothing."""
    value, name = measured_part.value, measured_part.measure.casefold()
    if _SPREAD_NAME.fullmatch(name):
        return "deviations or errors"
    if _TESTED_NAME.fullmatch(name):
        return "p-values"
    if _DELTA_NAME.fullmatch(name) and value.min() < 0 < value.max():
        return "differences between scores"
    if _has_lost_thousands(value):
        return "numbers above 1,000 whose mark of the thousands was read as a decimal point"
    are_whole = len(value) >= limits.MIN_SCORES and bool((value == np.rint(value)).all())
    if _is_running_total(measured_part):
        return "running totals, row numbers, or a column that was sorted by itself"
    return _describe_whole_numbers(value, name) if are_whole else ""


def _has_lost_thousands(value: Floats) -> bool:
    """Return whether 1.234 stands for 1,234 among whole numbers below 1,000."""
    is_whole = value == np.rint(value)
    whole_values, fractions = value[is_whole], value[~is_whole]
    if min(len(whole_values), len(fractions)) < max(
        limits.MIN_TEXTS, limits.RARE_CELLS * len(value)
    ):
        return False
    thousands = np.rint(1000 * fractions)
    has_digits = (
        np.abs(1000 * fractions - thousands).max() < 1e-6 and (thousands % 10 > 0).mean() > 0.5
    )
    median_whole, median_thousand = float(np.median(whole_values)), float(np.median(thousands))
    return bool(
        has_digits
        and np.quantile(whole_values, 0.1) > fractions.max() >= 1
        and whole_values.max() < 1000
        and median_whole < median_thousand < 100 * median_whole
    )


def _describe_whole_numbers(value: Floats, name: str) -> str:
    low, high = float(value.min()), float(value.max())
    if _COUNT_NAME.fullmatch(name):
        return "counts of judgments"
    if _NUMBERED_NAME.fullmatch(name):
        return "numbers of rows or people"
    if (np.diff(value) > 0).all():
        return "row numbers or ids"
    if (low > 1e9 and high < 2.3e9) or (low > 1e12 and high < 2.3e12):
        return f"times in {'seconds' if high < 1e10 else 'milliseconds'} since 1970"
    if low > 19e6 and high < 21.1e6 and ((value % 100 >= 1) & (value % 100 <= 31)).all():
        return "dates"
    if low >= 1950 and high <= 2100:
        return "years"
    if low >= 1000 and len(np.unique(value)) == len(value) and high > 20 * len(value):
        return "ids"
    return ""


def _is_running_total(measured_part: MeasuredPart) -> bool:
    """Return whether scores rise from row to row, although rows are in the order of names."""
    value = measured_part.value
    if len(value) < limits.MIN_PAIRS or not (np.diff(value) >= 0).all() or value[0] == value[-1]:
        return False
    return len(np.unique(value)) > len(value) / 2 and _is_in_order_of_names(measured_part)


def _is_in_order_of_names(measured_part: MeasuredPart) -> bool:
    """Return whether all rows of a system, or of a topic, follow each other."""
    starts = (
        1 + np.count_nonzero(np.diff(measured_part.codes[name])) for name in ("topic", "system")
    )
    is_ordered = (
        n == len(np.unique(measured_part.codes[name]))
        for n, name in zip(starts, ("topic", "system"), strict=True)
    )
    return all(len(measured_part.names[name]) > 2 for name in ("topic", "system")) and any(
        is_ordered
    )


def _series(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find scores that are in order, or rise by a fixed step, although rows are ordered by name."""
    value = measured_part.value
    steps = np.diff(value)
    if len(value) < limits.MIN_PAIRS or not steps.any():
        return
    is_sorted = bool((steps >= 0).all() or (steps <= 0).all())
    # A few marks may be in the order of the systems.
    if (
        is_sorted
        and np.count_nonzero(steps) >= limits.MIN_SCORES
        and _is_in_order_of_names(measured_part)
    ):
        message = "its scores are sorted from row to row, but the rows are not; was the column "
        yield measured_part.finding("measure with sorted scores", message + "sorted by itself?")
        return
    is_same = np.abs(np.diff(steps)) <= 1e-9 * np.abs(value[2:])
    ends = np.flatnonzero(np.diff(np.concatenate([[0], is_same & (steps[1:] != 0), [0]])))
    lengths = ends[1::2] - ends[::2]
    if len(lengths) and lengths.max() >= limits.MIN_SCORES:
        first = int(ends[::2][lengths.argmax()])
        rows = slice(first, first + int(lengths.max()) + 2)
        message = f"{lengths.max() + 2} rows in a row change by {steps[first]:.6g} each, from "
        message += f"{value[first]:g} on; did a spreadsheet fill in a series?"
        yield measured_part.finding(
            "series instead of scores", message, rows=measured_part.rows[rows]
        )


def _repeated_scores(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find a fraction that is repeated where others hardly are, or that has more decimals."""
    value, count = measured_part.counts
    candidates = np.flatnonzero((value != np.rint(value)) & (count > 2))
    if not len(candidates) or len(measured_part.value) < limits.MIN_PAIRS:
        return
    digits = (
        _decimals(measured_part.value, 1 - limits.MAX_ODD_CELLS) + 1
    )  # .5 among 0 and 1 is not finer
    finer_indices = candidates[np.abs(value - np.round(value, digits))[candidates] > 1e-9]
    is_finer = digits < 5 and len(finer_indices) == 1 and not _are_averages(value[finer_indices])
    is_finer = is_finer and count[finer_indices].max() >= limits.MIN_TEXTS
    index = int(
        max(finer_indices if is_finer else candidates, key=lambda value_index: count[value_index])
    )
    repeated_value, n_times, n_scores = value[index], int(count[index]), len(measured_part.value)
    has_many = n_times >= max(limits.MIN_SCORES, limits.RARE_CELLS * n_scores)
    has_many_others = len(value) - 1 >= max(
        limits.MIN_SCORES, limits.MIN_DISTINCT_SHARE * (n_scores - n_times)
    )
    if is_finer or (has_many and has_many_others):
        rows = measured_part.value == repeated_value
        message = (
            f"{repeated_value:g} is repeated {n_times} times, unlike other scores; were scores "
        )
        message += "cut off there, or missing ones filled with it? "
        message += _describe_owners(measured_part, rows)
        yield measured_part.finding(
            "score that is repeated", message, rows=measured_part.rows[rows]
        )


def _totals(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find topics or systems that are means or totals of the others."""
    table = measured_part.table
    span = float(np.ptp(measured_part.value)) if len(table) else 0.0
    for column, scores in (("topic", table), ("system", table.T)) if len(table) else ():
        is_present = ~np.isnan(scores)
        judged_rows = np.flatnonzero(is_present.any(axis=1))
        if len(judged_rows) < 3:
            continue
        zero_filled = np.where(is_present, scores, 0.0)
        n_others = is_present.sum(axis=0) - is_present
        rest_mean = np.full(scores.shape, np.nan)
        np.divide(
            zero_filled.sum(axis=0) - zero_filled, n_others, out=rest_mean, where=n_others > 1
        )
        distances = np.abs(scores - rest_mean)
        has_both = ~np.isnan(distances)
        max_distances, n_compared = (
            np.where(has_both, distances, 0.0).max(axis=1),
            has_both.sum(axis=1),
        )
        unnamed_findings = list[Finding]()
        for row in judged_rows.tolist():
            name = measured_part.names[column][row]
            base_name = name.strip().casefold().strip("*<>[]() ")
            is_called_total, may_be_total = (
                _TOTAL_NAME.fullmatch(base_name),
                _POSSIBLE_TOTAL_NAME.fullmatch(base_name),
            )
            max_distance, min_systems = limits.MAX_NAMED_GAP * span, 1
            if not (is_called_total or may_be_total):
                max_distance, min_systems = limits.MAX_UNNAMED_GAP * span, 4
            is_mean = (
                n_compared[row] >= min_systems and span > 0 and max_distances[row] <= max_distance
            )
            # Without a name, whole numbers may be means by chance.
            if is_mean and not (is_called_total or may_be_total):
                values = scores[row][has_both[row]]
                is_mean = not bool((values == np.rint(values)).all())
            if not (is_called_total or is_mean):
                continue
            message = (
                f"it seems to be a total of the other {column}s ({measured_part.title}), not a "
            )
            message += column
            if is_mean:
                message = (
                    f"its {measured_part.title} is the mean of the other {column}s; it is not a "
                )
                message += column
            message += f": leave it out (--exclude {name})"
            finding = measured_part.about(f"total among {column}s", column, name, message)
            if is_called_total or may_be_total:
                yield finding
            else:
                unnamed_findings.append(finding)
        # Where all are the same, each is the mean of the others.
        yield from unnamed_findings if len(unnamed_findings) == 1 else ()


def _constant_measure(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find a measure that does not vary, or only between systems or topics."""
    table = measured_part.table
    has_system, has_topic = (~np.isnan(table).all(axis=axis) for axis in (0, 1))
    table = table[np.ix_(has_topic, has_system)]
    if len(table) < 5 or table.shape[1] < 2 or len(measured_part.value) < limits.MIN_SCORES:
        return
    n_distinct = len(measured_part.counts[0])
    kind = message = ""
    severity: Severity = "warning"
    if n_distinct == 1:
        kind = "measure that never varies"
        message = f"every score is {measured_part.value[0]:g}, so it cannot distinguish systems"
    elif n_distinct > 2 or len(table) >= limits.MIN_SCORES:
        spread = [np.nanmax(table, axis=axis) - np.nanmin(table, axis=axis) for axis in (0, 1)]
        counts = (~np.isnan(table)).sum(axis=1)
        is_repeated = counts > 1
        shares = measured_part.counts[1] / len(measured_part.value)
        chance = float(shares @ shares) ** float((counts - is_repeated)[is_repeated].sum())
        if not spread[0].any():
            kind = "one score for each system"
            message = f"each system has the same score on all {len(table)} topics; "
            # Outputs may have a fixed length.
            if are_whole := bool((measured_part.value == np.rint(measured_part.value)).all()):
                message += "tests between systems are meaningless"
            else:
                message += "is it a mean that was repeated? Nothing can be tested with it"
            severity = "note" if are_whole else "warning"
        elif (
            is_repeated.sum() >= 5
            and not spread[1][is_repeated].any()
            and chance < limits.MAX_CHANCE
        ):
            kind = "one score for each topic"
            message = "all systems of a topic have the same score; is it a property of the topic?"
    if kind:
        yield measured_part.finding(kind, message, rows=measured_part.rows, severity=severity)


def flat_systems(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find systems with one score throughout, unless it is the highest."""
    table, names = measured_part.table, measured_part.names["system"]
    counts = (~np.isnan(table)).sum(axis=0)
    lowest, highest = float(measured_part.value.min()), float(measured_part.value.max())
    for system in np.flatnonzero(counts >= limits.MIN_SCORES).tolist():
        score = float(np.nanmax(table[:, system]))
        # Copies of the input are faithful throughout, so the highest score is plausible.
        if np.nanmin(table[:, system]) == score < highest:
            other_rows = measured_part.codes["system"] != system
            share = (
                float((measured_part.value[other_rows] == score).mean())
                if other_rows.any()
                else 1.0
            )
            usual_share = limits.MAX_USUAL_SCORE if counts[system] >= limits.MIN_MANY else 0.5
            if share <= usual_share and share ** counts[system] < limits.MAX_CHANCE:
                message = f"every {measured_part.title} is {score:g} ({counts[system]} topics)"
                message += ", the lowest of all" if score == lowest else ", the same score"
                message += "; did it fail, or are its scores missing?"
                kind = f"system with the {'lowest' if score == lowest else 'same'} score throughout"
                # A weak system may be wrong throughout.
                has_few_values = len(measured_part.counts[0]) <= limits.STEPS[1]
                is_weak = score == lowest and has_few_values and counts[system] < limits.MIN_MANY
                severity: Severity = "note" if is_weak else "warning"
                yield measured_part.about(kind, "system", names[system], message, severity=severity)


def _odd_systems(measured_part: MeasuredPart, collection: Collection) -> Iterator[Finding]:
    """Find systems whose scores are constant, copied, shifted by a topic or rounded."""
    table, names = measured_part.table, measured_part.names["system"]
    is_present = ~np.isnan(table)
    long_systems = np.flatnonzero(is_present.sum(axis=0) >= limits.MIN_SCORES).tolist()
    if len(long_systems) < 2 or np.ptp(measured_part.value) == 0:
        return
    yield from flat_systems(measured_part)
    if not collection.summaries:
        yield from _identical_systems(measured_part, long_systems)
    if len(table) >= limits.MIN_PAIRS and not collection.summaries:
        yield from _copied_blocks(measured_part, long_systems)
    yield from _sorted_systems(measured_part, long_systems)
    yield from _normalized_scores(measured_part, long_systems)
    yield from _systems_with_repeated_scores(measured_part, long_systems)
    yield from _capped_systems(measured_part, long_systems)
    yield from _topics_with_one_score(measured_part, long_systems)
    yield from _best_of_all(measured_part, long_systems)
    yield from _systems_apart(measured_part, long_systems)
    reversed_systems = list(_reversed_systems(measured_part, long_systems))
    yield from reversed_systems
    if not reversed_systems:
        yield from unrelated_systems(measured_part)
    if len(long_systems) > 2 and len(table) >= limits.MIN_PAIRS:
        zero_filled, counts = np.where(is_present, table, 0.0), is_present.sum(axis=1)
        for system in long_systems:
            other_means = np.full(len(table), np.nan)
            totals = zero_filled.sum(axis=1) - zero_filled[:, system]
            n_others = counts - is_present[:, system]
            np.divide(totals, n_others, out=other_means, where=n_others > 1)
            if is_shifted(table[:, system], other_means):
                message = (
                    f"its {measured_part.title} fits the previous or next topic better than its "
                )
                message += "own; is the column shifted by a row?"
                yield measured_part.about(
                    "system shifted by a topic", "system", names[system], message
                )
    if not len(measured_part.judges):
        yield from _rounded_system(measured_part, long_systems)


def _systems_with_repeated_scores(
    measured_part: MeasuredPart, long_systems: list[int]
) -> Iterator[Finding]:
    """Find systems that repeat the score of the previous topic."""
    table, names = measured_part.table[:, long_systems], measured_part.names
    n_repeated = (np.diff(table, axis=0) == 0).sum(axis=0)
    for index in np.flatnonzero(
        n_repeated >= max(limits.MIN_TEXTS, limits.UNUSUAL_SHARE * len(table))
    ).tolist():
        shares = np.unique(table[:, index], return_counts=True)[1] / len(table)
        n_by_chance = float(shares @ shares) * len(table)
        usual_repeats = np.median(np.delete(n_repeated, index))
        if (
            usual_repeats <= limits.RARE_SHARE * len(table)
            and n_repeated[index] > limits.MIN_FILLED * n_by_chance
        ):
            message = (
                f"its {measured_part.title} equals that of the previous topic on "
                f"{n_repeated[index]} of "
            )
            message += f"{len(table)} topics, the same score; were missing ones filled?"
            kind = "system with repeated scores"
            yield measured_part.about(kind, "system", names["system"][long_systems[index]], message)


def _capped_systems(measured_part: MeasuredPart, long_systems: list[int]) -> Iterator[Finding]:
    """Find systems that repeat one score among different ones, such as a limit or a mean."""
    values, counts = measured_part.counts
    columns = measured_part.table[:, long_systems].T
    max_repeats = [
        np.unique(column[~np.isnan(column)], return_counts=True)[1].max() for column in columns
    ]
    usual_repeats = limits.MIN_FILLED * np.median(max_repeats)
    for system in long_systems:
        scores = measured_part.table[:, system]
        scores = scores[~np.isnan(scores)]
        own_values, own_counts = np.unique(scores, return_counts=True)
        score, n_repeats = float(own_values[own_counts.argmax()]), int(own_counts.max())
        n_elsewhere = int(counts[values == score].sum()) - n_repeats
        is_end = score in (float(values[0]), float(values[-1]))  # of the scale, perhaps
        if (
            n_repeats >= max(limits.MIN_TEXTS, limits.UNUSUAL_SHARE * len(scores))
            and len(own_values) - 1 >= limits.MIN_DISTINCT_SHARE * (len(scores) - n_repeats)
            and n_elsewhere <= limits.RARE_SHARE * (len(measured_part.value) - len(scores))
            and n_repeats > usual_repeats
            and not is_end
        ):
            name = measured_part.names["system"][system]
            message = (
                f"its {measured_part.title} is {score:g} on {n_repeats} of {len(scores)} topics, "
            )
            message += "but different on all others; were scores clipped there, or missing ones "
            kind = "system with repeated scores"
            yield measured_part.about(kind, "system", name, message + "filled with it?")


def _topics_with_one_score(
    measured_part: MeasuredPart, long_systems: list[int]
) -> Iterator[Finding]:
    """Find topics on which all systems have the same score, although they hardly ever do."""
    table = measured_part.table[:, long_systems]
    is_level = np.ptp(table, axis=1) == 0
    other_scores = np.sort(table[~is_level], axis=1)
    are_few = limits.MIN_TOPICS_TO_COMPARE <= is_level.sum() <= limits.MAX_ODD_CELLS * len(table)
    # Longer n-grams are often missing, also by all systems.
    is_usual = are_few and np.isin(other_scores, table[is_level]).mean() > limits.RARE_SHARE
    if (
        are_few
        and not is_usual
        and len(long_systems) > 3
        and (np.diff(other_scores, axis=1) == 0).mean() <= limits.UNUSUAL_SHARE
    ):
        names = [measured_part.names["topic"][topic] for topic in np.flatnonzero(is_level).tolist()]
        message = (
            f"all {len(long_systems)} systems have the same {measured_part.title} on each, such as "
        )
        message += f"{table[is_level][0, 0]:g}; is it missing there, or was it copied?"
        rows = measured_part.rows_of("topic", *names)
        kind = "topics with one score for all systems"
        yield new_finding(kind, f"topics {brief_list(names)}", message, rows=rows)


def _sorted_systems(measured_part: MeasuredPart, long_systems: list[int]) -> Iterator[Finding]:
    """Find a system whose scores rise or fall from topic to topic, unlike those of others."""
    table, odd_systems = measured_part.table, []
    for system in long_systems:
        steps = np.diff(table[~np.isnan(table[:, system]), system])
        if ((steps >= 0).all() or (steps <= 0).all()) and _is_no_coincidence(table[:, system]):
            odd_systems.append(measured_part.names["system"][system])
    message = (
        f"its {measured_part.title} is sorted from topic to topic, but that of others is not; "
        "was the column sorted by itself?"
    )
    if len(odd_systems) == len(long_systems) > 2:
        message = "the scores of each system are sorted from topic to topic; was the column sorted "
        message += "by itself within systems?"
        yield measured_part.finding("measure with sorted scores", message)
    for name in odd_systems if 2 * len(odd_systems) < len(long_systems) else ():
        yield measured_part.about("system with sorted scores", "system", name, message)


def _is_no_coincidence(scores: Floats) -> bool:
    """Return whether few orders of the scores are sorted."""
    counts = np.unique(scores[~np.isnan(scores)], return_counts=True)[1]
    log_orders = lgamma(counts.sum() + 1) - sum(lgamma(count + 1) for count in counts.tolist())
    return len(counts) > 2 and log_orders > limits.SORTED_ORDERS


def _reversed_systems(measured_part: MeasuredPart, long_systems: list[int]) -> Iterator[Finding]:
    """Find systems with low scores where others, which agree on the topics, have high ones."""
    table = measured_part.table[:, long_systems]
    is_graded = len(np.unique(measured_part.value[:1000])) > 2  # Answers may be opposite.
    for index, system in enumerate(long_systems if len(long_systems) > 2 and is_graded else ()):
        other_scores = np.delete(table, index, axis=1)
        z = _agreement_z_score(table[:, index], other_scores)
        if z > limits.PERHAPS_REVERSED_Z:
            continue
        z_scores = [
            _agreement_z_score(other_scores[:, other], np.delete(other_scores, other, axis=1))
            for other in range(other_scores.shape[1])
        ]
        if np.median(z_scores) < limits.OTHERS_AGREE_Z:
            continue
        values, other_values = table[:, index], np.sort(other_scores[~np.isnan(other_scores)])
        values = values[~np.isnan(values)]
        scale_ends = likely_scale(
            float(measured_part.value.min()), float(measured_part.value.max())
        )
        gain = _kolmogorov_distance(values, other_values) - _kolmogorov_distance(
            sum(scale_ends) - values, other_values
        )
        fits_if_reversed = gain > limits.MIN_TURNED and len(long_systems) > limits.MIN_SYSTEMS
        if z < limits.REVERSED_Z or fits_if_reversed:
            name = measured_part.names["system"][system]
            repair = Repair("reverse", f"{name}={measured_part.measure}")
            message = f"its {measured_part.title} is low where that of others is high; is its "
            message += f"scale reversed? Then add {repair.flag}"
            kind = "system with a reversed scale"
            yield measured_part.about(kind, "system", name, message, repairs=(repair,))


def unrelated_systems(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Note systems that do not follow the topics, although all others do."""
    table = measured_part.table
    long_systems = np.flatnonzero((~np.isnan(table)).sum(axis=0) >= limits.MIN_PAIRS).tolist()
    if not limits.MIN_SYSTEMS < len(long_systems) <= limits.MIN_MANY:
        return
    table = table[:, long_systems]
    n_present, totals = (~np.isnan(table)).sum(axis=1), np.nansum(table, axis=1)
    correlations = np.full(len(long_systems), np.nan)
    for index, scores in enumerate(table.T):
        n_others = n_present - ~np.isnan(scores)
        other_means = np.full(len(table), np.nan)
        other_totals = totals - np.nan_to_num(scores)
        np.divide(other_totals, n_others, out=other_means, where=n_others > 1)
        correlations[index] = correlation(scores, other_means)
    for index, system in enumerate(long_systems):
        other_correlations = np.delete(correlations, index)
        other_correlations = other_correlations[~np.isnan(other_correlations)]
        usual_correlation = float(np.median(other_correlations)) if len(other_correlations) else 0.0
        r, n = float(correlations[index]), int((~np.isnan(table[:, index])).sum())
        values = table[~np.isnan(table[:, index]), index]
        if (
            usual_correlation >= limits.MIN_AGREED
            and is_much_lower(2 * r, usual_correlation, n, limits.UNRELATED_Z[0])
            and _kolmogorov_distance(values, np.sort(np.delete(table, index, axis=1), axis=None))
            < limits.ALIKE
        ):
            name = measured_part.names["system"][system]
            message = (
                f"its {measured_part.title} has a correlation of {r:.2f} with the mean of the "
            )
            message += f"others on {n} topics, while theirs have {usual_correlation:.2f}; are its "
            message += "scores in another order, or of other topics?"
            kind = "system that differs on all topics"
            yield measured_part.about(kind, "system", name, message)


def _agreement_z_score(values: Floats, other_scores: Floats) -> float:
    """Return how many standard errors the correlation with the mean of others is above 0."""
    is_present = ~np.isnan(other_scores)
    mean = np.full(len(other_scores), np.nan)
    np.divide(
        np.nansum(other_scores, axis=1),
        is_present.sum(axis=1),
        out=mean,
        where=is_present.any(axis=1),
    )
    r, n = correlation(values, mean), int((~np.isnan(values + mean)).sum())
    if np.isnan(r) or n < limits.MIN_SCORES:
        return 0.0
    return float(np.arctanh(np.clip(r, -0.999, 0.999)) * np.sqrt(n - 3))


def _kolmogorov_distance(values: Floats, other_values: Floats) -> float:
    """Return the greatest difference between two distributions; `other_values` is sorted."""
    steps, sorted_values = np.unique(np.concatenate([values, other_values])), np.sort(values)
    shares = (
        np.searchsorted(sorted_sample, steps, side="right") / len(sorted_sample)
        for sorted_sample in (sorted_values, other_values)
    )
    return float(np.abs(np.subtract(*shares)).max())


def _best_of_all(measured_part: MeasuredPart, long_systems: list[int]) -> Iterator[Finding]:
    """Find a system that has the best score of the others on every topic."""
    table = measured_part.table[:, long_systems]
    table = table[~np.isnan(table).any(axis=1)]
    if len(table) < limits.MIN_SCORES or len(long_systems) < 4:
        return
    is_best = (table == table.max(axis=1, keepdims=True)).all(axis=0)
    for index in np.flatnonzero(is_best).tolist():
        scores, other_scores = table[:, index], np.delete(table, index, axis=1)
        # Many systems tie at the ceiling, so only scores below it count; a copy of a single other
        # system is reported by another check.
        is_below = scores < table.max()
        is_equal = (other_scores == scores[:, None])[is_below]
        if (
            (scores == other_scores.max(axis=1)).all()
            and (len(np.unique(scores[is_below])) > 4 or is_below.sum() >= limits.MIN_PAIRS)
            and is_equal.mean(axis=0).max() < limits.STYLE_SHARE
        ):
            name = measured_part.names["system"][long_systems[index]]
            message = (
                f"its {measured_part.title} equals the best of all others on each of {len(table)} "
            )
            message += f"topics; is it an oracle? Then leave it out (--exclude {name})"
            yield measured_part.about("best of all systems as a system", "system", name, message)


def _systems_apart(measured_part: MeasuredPart, long_systems: list[int]) -> Iterator[Finding]:
    """Note a system whose scores are beyond those of the others, and much closer, or farther."""
    table, names = measured_part.table[:, long_systems], measured_part.names["system"]
    measure = find_measure(measured_part.measure) or Measure()
    is_bounded = not (measure.lower_is_better or lacks_direction(measured_part.measure))
    lows, highs = np.nanquantile(table, (0.1, 0.9), axis=0)
    for index, system in enumerate(long_systems if len(long_systems) > 3 and is_bounded else ()):
        other_scores = np.delete(table, index, axis=1)
        other_spreads = np.delete(highs - lows, index)
        ratio = float(highs[index] - lows[index]) / max(float(np.median(other_spreads)), 1e-9)
        is_apart = highs[index] < np.delete(lows, index).min() or (
            lows[index] > np.delete(highs, index).max()
        )
        if is_apart and not 1 / limits.OTHER_SPREAD < ratio < limits.OTHER_SPREAD:
            scores = table[~np.isnan(table[:, index]), index]
            other_ends = float(np.nanmin(other_scores)), float(np.nanmax(other_scores))
            message = _range_message(measured_part, scores, *other_ends)
            kind = "system on another scale"
            yield measured_part.about(kind, "system", names[system], message, severity="note")


def _identical_systems(measured_part: MeasuredPart, long_systems: list[int]) -> Iterator[Finding]:
    """Find systems with the same scores on all topics."""
    table, names = measured_part.table, measured_part.names["system"]
    for twin_systems in grouped(
        (table[:, system].tobytes(), system) for system in long_systems
    ).values():
        values = table[:, twin_systems[0]][~np.isnan(table[:, twin_systems[0]])]
        if len(twin_systems) > 1 and len(values) < limits.MIN_PAIRS:
            # On few topics, two systems may have the same marks by chance.
            table_without_twins = np.delete(table, twin_systems[1:], axis=1)
            equal_share = 1.0
            if table_without_twins.shape[1] > 1:
                is_equal = table_without_twins[:, 1:] == table_without_twins[:, :-1]
                equal_share = float(is_equal.mean())
            shares = measured_part.counts[1] / len(measured_part.value)
            if max(equal_share, float(shares @ shares)) ** len(values) > limits.MAX_CHANCE:
                continue
        if len(twin_systems) > 1 and len(np.unique(values)) > (2 if len(values) < 30 else 1):
            system_names = " and ".join(names[system] for system in twin_systems[:3])
            message = (
                f"the same {measured_part.title} on all {len(values)} topics; is it one system?"
            )
            yield Finding("systems with identical scores", f"systems {system_names}", message)


def _copied_blocks(measured_part: MeasuredPart, long_systems: list[int]) -> Iterator[Finding]:
    """Find two systems with the same scores on many topics in a row, but on few other topics."""
    table, names = measured_part.table, measured_part.names
    for first, second in combinations(
        long_systems if len(long_systems) <= limits.MAX_FEW_VALUES else (), 2
    ):
        is_same = table[:, first] == table[:, second]
        if (is_same | np.isnan(table[:, [first, second]]).all(axis=1)).all():
            continue  # twins, which are reported as such
        ends = np.flatnonzero(np.diff(np.concatenate([[0], is_same, [0]])))
        lengths = ends[1::2] - ends[::2]
        max_length = int(lengths.max(initial=0))
        n_by_chance = is_same.mean() ** max_length * len(table)
        if (
            limits.MIN_SCORES <= max_length < len(table)
            and n_by_chance < limits.MAX_CHANCE_OF_BLOCK
        ):
            start = int(ends[::2][lengths.argmax()])
            if len(np.unique(table[start : start + max_length, first])) <= max_length / 2:
                continue  # marks, which are often equal
            message = f"the same {measured_part.title} on {max_length} topics in a row, from "
            message += f"{names['topic'][start]} on; were scores of one copied to the other?"
            pair = f"systems {names['system'][first]} and {names['system'][second]}"
            yield new_finding("block of copied scores", pair, message)


def _normalized_scores(measured_part: MeasuredPart, long_systems: list[int]) -> Iterator[Finding]:
    """Find scores that were normalized within each system."""
    table = measured_part.table[:, long_systems]
    if len(long_systems) < 3 or len(measured_part.counts[0]) < limits.USUAL_SHARE * len(
        measured_part.value
    ):
        return
    spread = float(np.median(np.nanstd(table, axis=0)))
    ends = np.nanmin(table, axis=0), np.nanmax(table, axis=0)
    moments = np.nanmean(table, axis=0), np.nanstd(table, axis=0)
    for (low, high), description in (
        (ends, "lowest and the highest"),
        (moments, "mean and the spread of"),
    ):
        # Scores may reach the natural ends of a scale, but hardly once each.
        at_ends = [(table == end).sum(axis=0) for end in (low, high)]
        are_ends = low is ends[0]
        if are_ends and (np.max(at_ends) > 1 or len(long_systems) <= limits.MIN_SYSTEMS):
            continue
        if max(np.ptp(low), np.ptp(high)) < 0.002 * spread:
            message = f"the {description} {measured_part.title} are the same for all "
            message += f"{len(long_systems)} systems; were "
            message += "scores normalized system by system? That removes the differences"
            yield measured_part.finding("scores normalized by system", message)
            return


def _computed_system(measured_part: MeasuredPart) -> Iterator[Finding]:
    """Find a system whose scores are sums or differences of those of others."""
    table = measured_part.table
    long_systems = np.flatnonzero((~np.isnan(table)).sum(axis=0) >= limits.MIN_SCORES).tolist()
    table = table[:, long_systems][np.isfinite(table[:, long_systems]).all(axis=1)]
    if not 3 <= len(long_systems) <= min(limits.MAX_FEW_VALUES, len(table) // 3):
        return
    table = table[:: max(1, len(table) // limits.FIRST_SAMPLE_SIZE)]
    spread = float(np.median(table.std(axis=0)))
    if len(np.unique(table)) < limits.USUAL_SHARE * table.size:
        return
    for index in reversed(range(len(long_systems))):
        rest_table = np.delete(table, index, axis=1)
        weights, _, rank, _ = np.linalg.lstsq(rest_table, table[:, index], rcond=None)
        error = float(np.abs(rest_table @ weights - table[:, index]).max())
        used_columns = np.flatnonzero(np.abs(weights) > 0.02).tolist()
        are_whole = bool((np.abs(np.abs(weights[used_columns]) - 1) < 0.02).all())
        if (
            are_whole
            and rank == rest_table.shape[1]
            and error < 0.01 * spread
            and len(used_columns) > 1
        ):
            names = [
                measured_part.names["system"][system]
                for system in np.delete(long_systems, index)[used_columns].tolist()
            ]
            name = measured_part.names["system"][long_systems[index]]
            message = f"its {measured_part.title} is computed from {brief_list(names)}; is it a "
            message += "difference or a total, not a system? Then leave it out (--exclude)"
            yield measured_part.about("system computed from others", "system", name, message)
            return


def _decimals(values: Floats, share: float = limits.MIN_ROUNDED_SHARE) -> int:
    for digits in range(5):
        if float((np.abs(values - np.round(values, digits)) < 1e-9).mean()) > share:
            return digits
    return 5


def _rounded_system(measured_part: MeasuredPart, long_systems: list[int]) -> Iterator[Finding]:
    """Find a system whose scores have fewer decimals than all others."""
    digits_by_system = {
        name: _decimals(values) for name, values in measured_part.values_by("system")
    }
    digits = [digits_by_system[measured_part.names["system"][system]] for system in long_systems]
    for index, system in enumerate(long_systems):
        min_digits = min(digits[:index] + digits[index + 1 :])
        is_varied = len(np.unique(measured_part.table[:, system])) > (1 if digits[index] else 3)
        if (
            min_digits < digits[index] + 1 + (digits[index] > 0)
            or digits[index] > 2
            or not is_varied
        ):
            continue
        other_values = measured_part.value[measured_part.codes["system"] != system]
        share = float((np.abs(other_values - np.round(other_values, digits[index])) < 1e-9).mean())
        # Shares of few words, such as 1/4, have few decimals by chance.
        if share ** len(measured_part.table) < limits.MAX_CHANCE:
            name = measured_part.names["system"][system]
            message = f"its {measured_part.title} has {digits[index]} decimals, while that of "
            message += f"others has {min_digits} or more; use unrounded scores"
            yield measured_part.about(
                "scores rounded differently", "system", name, message, rows=None
            )


def missing_findings(measured_part: MeasuredPart, people: set[str]) -> Iterator[Finding]:
    """Find machines without scores on topics that other machines have."""
    codes, names = measured_part.codes, measured_part.names
    is_machine = np.array([name not in people for name in names["system"]], dtype=bool)
    rows = is_machine[codes["system"]]
    has_score = np.zeros((len(names["system"]), len(names["topic"])), dtype=bool)
    has_score[codes["system"][rows], codes["topic"][rows]] = True
    has_topic = has_score.any(axis=0)
    systems = np.flatnonzero(has_score.any(axis=1) & ~has_score[:, has_topic].all(axis=1)).tolist()
    n_missing = {
        names["system"][system]: int((has_topic & ~has_score[system]).sum()) for system in systems
    }
    is_only_score = has_score[:, has_topic].sum(axis=0).max(initial=0) == 1 and len(n_missing) > 1
    if is_only_score and int(has_topic.sum()) >= limits.MIN_SCORES:
        message = (
            f"no topic has {measured_part.title} of two systems; are these ids of rows? Name the "
        )
        message += "column of topics: --columns topic=..."
        topic_names = [names["topic"][topic] for topic in np.flatnonzero(has_topic)[:3]]
        subject = f"topics {brief_list(topic_names)}"
        yield new_finding("topics of one system each", subject, message)
    elif len(names["system"]) >= limits.MIN_PAIRS and has_score.sum(axis=1).max() == 1:
        message = f"each of {len(names['system'])} systems has one score of {measured_part.title}; "
        message += "are these ids of runs or outputs? Name the column: --columns system=..."
        subject = f"systems {brief_list(names['system'][:3])}"
        yield new_finding("systems of one topic each", subject, message)
    elif n_missing:
        examples = brief_list(
            [f"{name} lacks {n_lacking}" for name, n_lacking in n_missing.items()]
        )
        message = f"{examples} of {int(has_topic.sum())} topics that others have"
        is_shared_out = has_score.sum(axis=1).max() < limits.SAMPLED_TOPICS * has_topic.sum()
        topics_of = {
            n_lacking: {*np.flatnonzero(row)}
            for n_lacking, row in zip(names["system"], has_score, strict=True)
        }
        is_shared_out |= are_variants(
            {name: systems for name, systems in topics_of.items() if systems}
        )
        severity: Severity = "note" if is_shared_out else "warning"
        yield measured_part.finding("missing scores", message, severity=severity)


def _unclaimed_marks(measured_part: MeasuredPart, collection: Collection) -> Iterator[Finding]:
    """Find marks on a scale that look like human judgments but are not declared as such."""
    name = measured_part.measure
    measure = find_measure(name, collection.measures) or find_measure(_normalize_name(name))
    steps = measured_part.counts[0]
    # A sheet of `judge --choose` is filled in by people.
    is_claimed = measure or measured_part.judges or INCLUSION in collection.scores.extra
    if is_claimed or len(measured_part.value) < limits.MIN_SCORES:
        return
    is_mark_scale = steps[0] in (0, 1) and 3 <= steps[-1] <= 10
    if is_mark_scale and np.array_equal(steps, np.arange(steps[0], steps[-1] + 1)):
        message = f"marks from {steps[0]:g} to {steps[-1]:g} without assessors are treated as a "
        message += "metric; if people gave them, name them (--columns assessor=...) or declare "
        message += "human = true in collection.toml"
        yield measured_part.finding("human measure mistaken for a metric", message)
