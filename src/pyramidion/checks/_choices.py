"""Preferences that are implausible: how they are coded, and who chose."""

from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.checks import _thresholds as limits
from pyramidion.checks._kinds import new_finding
from pyramidion.checks._scores import spelled_twice
from pyramidion.checks._series import period_of
from pyramidion.collection import Preferences
from pyramidion.collection.findings import Finding, Severity
from pyramidion.collection.ids import grouped


def choice_findings(preferences: Preferences) -> Iterator[Finding]:
    """Find implausible preferences."""
    if not len(preferences):
        return
    columns, coded_choices = preferences.columns, preferences.coded
    systems = {*columns["first"], *columns["second"]}
    for kind in ("system", "topic", "assessor", "measure"):
        names = systems if kind == "system" else {*columns[kind]}
        yield from spelled_twice(kind, names, {})
    if len(systems) > len(preferences) >= limits.MIN_CHOICES:
        message = (
            f"{len(systems):,} names in {len(preferences):,} choices; are these ids of outputs? "
        )
        message += "Name the columns of systems: --columns first=...,second=..."
        yield new_finding("one system per choice", f"systems {sorted(systems)[0]}, ...", message)
    yield from _ties(coded_choices.outcome)
    yield from _sides(preferences)
    yield from _one_sided_systems(preferences)
    yield from _listed_twice(preferences)
    yield from _apart(preferences)
    yield from _turned_preferences(preferences)
    assessors, codes = np.unique(columns["assessor"].astype(str), return_inverse=True)
    if len(assessors) == len(preferences) >= limits.MIN_CHOICES:
        message = f"each of the {len(preferences):,} choices has its own assessor; is the column "
        message += "an id of the task? Name the assessors with --columns assessor=..."
        subject = f"assessors {assessors[0]}, {assessors[1]}, ..."
        yield new_finding("one assessor per choice", subject, message)
    elif len(assessors) > 1:
        yield from _assessors(preferences, assessors.tolist(), codes)
        numbers = np.bincount(codes)
        if len(assessors) >= limits.MIN_TEXTS and numbers.max() > limits.USUAL_SHARE * len(codes):
            message = f"made {numbers.max():,} of {len(codes):,} choices; {len(assessors) - 1} "
            message += "others made the rest, so results are mostly those of one assessor"
            subject = f"assessor {assessors[numbers.argmax()]}"
            yield new_finding("most choices by one assessor", subject, message)


def _ties(outcome: Ints) -> Iterator[Finding]:
    share = float((outcome == 0).mean())
    if len(outcome) >= limits.MIN_CHOICES and share > limits.MAX_TIES:
        message = f"{share:.0%} of {len(outcome):,} choices are ties; is a value that means one "
        message += "of the two, or no answer, read as a tie? Use --choices to say what the "
        message += "values mean"
        rows = np.flatnonzero(outcome == 0)
        yield new_finding(
            "unusual share of ties", "choices", message, rows=rows, of_preferences=True
        )


def _sides(preferences: Preferences) -> Iterator[Finding]:
    """Find choices that nearly always name the first, or nearly always the second."""
    coded_choices = preferences.coded
    is_decided = (coded_choices.outcome != 0) & coded_choices.order_known
    if is_decided.sum() < limits.MIN_CHOICES:
        return
    share = float((coded_choices.outcome[is_decided] == 1).mean())
    is_first = share >= limits.MIN_ONE_SIDED
    # A system that always stands first may also always win.
    pairs = {
        *zip(
            coded_choices.first[is_decided].tolist(),
            coded_choices.second[is_decided].tolist(),
            strict=True,
        )
    }
    has_both_orders = len(pairs) > 3 or any((b, a) in pairs for a, b in pairs)
    has_both_orders |= share in (0, 1) and len(pairs) > 1
    if (is_first or share <= 1 - limits.MIN_ONE_SIDED) and has_both_orders:
        name = "first" if is_first else "second"
        message = f"the {name} is preferred in {max(share, 1 - share):.0%} of "
        message += f"{int(is_decided.sum()):,} choices; are the winners listed {name}, or does the "
        message += "value mean something else (--choices)? If sides are unknown, say so in a "
        message += "column `sides`"
        yield new_finding("one side always preferred", f"choice {name}", message)


def _one_sided_systems(preferences: Preferences) -> Iterator[Finding]:
    """Note systems that always stand on one side, or are always, or never, preferred."""
    coded, columns = preferences.coded, preferences.columns
    is_decided = coded.outcome != 0
    pairs = {*zip(columns["first"], columns["second"], strict=True)}
    # Pairs that all have one order were listed so, not shown so.
    have_both_orders = any((b, a) in pairs for a, b in pairs)
    for code in np.unique(np.concatenate([coded.first, coded.second])).tolist():
        first, second = coded.first == code, coded.second == code
        number = int((first | second).sum())
        if number < limits.MIN_SIDES:
            continue
        row = int(np.flatnonzero(first | second)[0])
        name = columns["first" if first[row] else "second"][row]
        wins = int((first & (coded.outcome == 1)).sum() + (second & (coded.outcome == -1)).sum())
        both = (first | second) & is_decided
        is_one_sided = number in (first.sum(), second.sum())
        if is_one_sided and coded.order_known.all() and have_both_orders:
            side = "first" if first[row] else "second"
            message = f"it is the {side} of the two in all {number} choices, so position and "
            message += "quality cannot be separated"
            yield new_finding("system always on one side", f"system {name}", message)
        if both.sum() >= limits.MIN_SIDES and wins in (0, both.sum()):
            message = (
                f"it is {'always' if wins else 'never'} preferred ({int(both.sum())} choices); "
            )
            message += "were other choices left out?"
            yield new_finding("system always preferred", f"system {name}", message)


def _listed_twice(preferences: Preferences) -> Iterator[Finding]:
    """Find repeated choices, identical or with the sides swapped and the same answer."""
    total, coded_choices = len(preferences) + preferences.repeated, preferences.coded
    if preferences.repeated >= max(limits.MIN_TEXTS, limits.RARE_SHARE * total):
        message = f"{preferences.repeated} of {total} are the same as an earlier one by the same "
        message += "assessor, and count once; was a part of the file pasted twice?"
        yield new_finding("choices listed twice", "choices", message)
    keys = np.stack([_items(preferences), preferences.codes("assessor")])
    item = np.unique(keys, axis=1, return_inverse=True)[1].reshape(-1)
    in_order, number = coded_choices.first < coded_choices.second, np.bincount(item)
    has_both = (number == 2) & (np.bincount(item, in_order) == 1)
    has_both &= np.bincount(item, coded_choices.order_known) == 2
    answers, decided_counts = (
        np.bincount(item, coded_choices.oriented),
        np.bincount(item, coded_choices.oriented**2),
    )
    is_reversed, decided_counts = (
        (answers**2 == 2 * decided_counts)[has_both],
        decided_counts[has_both],
    )
    if (
        len(is_reversed) >= limits.MIN_CHOICES
        and is_reversed.all()
        and decided_counts.mean() >= limits.USUAL_SHARE
    ):
        message = (
            f"{len(is_reversed)} pairs occur in both orders, always with the same answer; were "
        )
        message += "choices listed again with the sides swapped? They count twice"
        # Assessors may be as consistent as this on a few pairs.
        severity: Severity = "warning" if len(is_reversed) >= limits.MIN_MANY else "note"
        yield new_finding("choices listed twice", "choices", message, severity=severity)


def _apart(preferences: Preferences) -> Iterator[Finding]:
    """Find systems of the same topics that no chain of comparisons connects."""
    coded_choices = preferences.coded
    names = np.unique(np.concatenate([coded_choices.first, coded_choices.second]))
    if len(names) > limits.MIN_MANY:
        return
    group = {name: name for name in names.tolist()}
    for a, b in {*zip(coded_choices.first.tolist(), coded_choices.second.tolist(), strict=True)}:
        old_group, new_group = group[a], group[b]
        group = {name: new_group if label == old_group else label for name, label in group.items()}
    topics = grouped(
        (group[a], t)
        for a, t in zip(
            coded_choices.first.tolist(), preferences.codes("topic").tolist(), strict=True
        )
    )
    if len(topics) > 1:
        first, second = sorted(map(set, topics.values()), key=len)[-2:]
        if len(first & second) >= limits.MIN_TOPICS_TO_COMPARE:
            message = f"there are {len(topics)} groups of systems that were never compared with "
            message += "each other, so nothing says which group is better"
            yield new_finding("systems never compared", "systems", message)


def _turned_preferences(preferences: Preferences) -> Iterator[Finding]:
    """Find pairs in which one system is preferred in the first half of the rows, then the other."""
    coded_preferences = preferences.coded
    for measure in np.unique(preferences.codes("measure")).tolist():
        rows = np.flatnonzero(
            (preferences.codes("measure") == measure) & (coded_preferences.outcome != 0)
        )
        pairs, pair = np.unique(coded_preferences.pair[rows], return_inverse=True)
        is_late = np.arange(len(rows)) >= len(rows) // 2
        turned = []
        for number in range(len(pairs) if len(pairs) <= limits.MIN_MANY else 0):
            halves = [
                coded_preferences.oriented[rows[(pair == number) & is_half]]
                for is_half in (~is_late, is_late)
            ]
            if min(map(len, halves)) < limits.MIN_CHOICES:
                continue
            z = [float(half.mean()) * np.sqrt(len(half)) for half in halves]
            if z[0] * z[1] < 0 and min(map(abs, z)) > limits.REVERSED_CHOICES_Z:
                first = rows[np.flatnonzero(pair == number)[0]]
                turned.append(
                    " and ".join(preferences.columns[s][first] for s in ("first", "second"))
                )
        if turned:
            message = "one is preferred in the first half of the rows, the other in the second; "
            message += "were sides or names swapped in part of the data?"
            yield new_finding("choices that turn around", f"systems {turned[0]}", message)


def _assessors(preferences: Preferences, names: list[str], codes: Ints) -> Iterator[Finding]:
    """Find assessors whose choices are reversed, always ties, or always on one side."""
    coded_choices = preferences.coded
    outcome, numbers = coded_choices.outcome, np.bincount(codes, minlength=len(names))
    ties = np.bincount(codes, weights=outcome == 0, minlength=len(names))
    firsts = np.bincount(codes, weights=outcome == 1, minlength=len(names))
    share_second = float((outcome[outcome != 0] == 1).mean()) if outcome.any() else 0.5
    items, oriented = _items(preferences), coded_choices.oriented.astype(np.float64)
    correlation, n_shared = _agreement(items, oriented, codes, len(names))
    # Of many assessors, some disagree by chance.
    n_tested = max(int((n_shared >= limits.MIN_CHOICES).sum()), 1)
    z_limit = max(
        limits.RANDOM_CHOICES_Z, NormalDist().inv_cdf(1 - limits.MAX_FALSE_ALARMS / n_tested)
    )
    for index, name in enumerate(names):
        number = int(numbers[index])
        if not name or number < limits.MIN_CHOICES:
            continue
        n_decided_choices, kind, rows = (
            number - int(ties[index]),
            "",
            np.flatnonzero(codes == index),
        )
        error, r = 1 / np.sqrt(max(n_shared[index] - 3, 1)), correlation[index]
        z = np.arctanh(np.clip(r, -0.999, 0.999))
        random_share = 0.0
        if z + limits.RANDOM_CHOICES_Z * error < limits.MIN_AGREED_CHOICES:
            is_rest = codes != index
            random_share = _overall(items[is_rest], oriented[is_rest])
        is_reversed = (
            random_share > limits.MIN_AGREED_CHOICES / 2 and r < limits.MAX_REVERSED_CHOICES
        )
        is_random = (
            n_shared[index] >= limits.MIN_SHARED and random_share > limits.MIN_AGREED_CHOICES
        )
        evidence = f"(correlation {r:.2f} on {int(n_shared[index])} choices"
        if is_reversed and z < -limits.REVERSED_CHOICES_Z * error:
            kind = "reversed assessor"
            message = f"chooses against the others {evidence}); are the sides reversed?"
        elif (
            n_decided_choices >= limits.MIN_SIDES
            and firsts[index] in (0, n_decided_choices)
            and 0.2 < share_second < 0.8
        ):
            kind = "assessor who always chooses one side"
            side = "first" if firsts[index] else "second"
            message = f"chose the {side} {n_decided_choices} times out of {n_decided_choices}"
        elif is_random and z + z_limit * error < np.arctanh(random_share) / 2:
            kind = "assessor who agrees with nobody"
            message = (
                f"does not agree with the others {evidence}; theirs: {random_share:.2f}); are the "
            )
            message += "choices random?"
        elif ties[index] > limits.MAX_TIES_OF_ASSESSOR * number and ties.sum() < 0.5 * len(outcome):
            kind = "assessor who always ties"
            message = f"chose a tie {int(ties[index])} times out of {number}"
        elif n_decided_choices >= limits.MIN_SIDES and (
            period := period_of(outcome[rows].astype(np.float64))
        ):
            kind = "assessor with a pattern of choices"
            message = f"chooses sides in a pattern that repeats after {period} choices; were the "
            message += "texts read?"
        if kind:
            yield new_finding(
                kind, f"assessor {name}", message, name, rows=rows, of_preferences=True
            )


def _items(preferences: Preferences) -> Ints:
    """Return the number of the compared pair of summaries in each row."""
    keys = [preferences.coded.pair, *map(preferences.codes, ("task", "topic", "measure"))]
    numbers: Ints = np.unique(np.stack(keys), axis=1, return_inverse=True)[1].reshape(-1)
    return numbers


def _mean_of_rest(items: Ints, outcomes: Floats) -> tuple[Floats, Bools]:
    """Return the mean choice of other assessors on the same pair, and whether there is any."""
    number, total = np.bincount(items)[items], np.bincount(items, weights=outcomes)[items]
    return (total - outcomes) / np.maximum(number - 1, 1), number > 1


def _overall(items: Ints, outcomes: Floats) -> float:
    others_mean, is_shared = _mean_of_rest(items, outcomes)
    return _correlation(outcomes[is_shared], others_mean[is_shared])


def _agreement(items: Ints, outcomes: Floats, codes: Ints, size: int) -> tuple[Floats, Floats]:
    """Return each assessor's correlation with the others, and the number of shared choices."""
    others_mean, is_shared = _mean_of_rest(items, outcomes)
    order = np.argsort(codes[is_shared], kind="stable")
    numbers = np.bincount(codes[is_shared], minlength=size)
    ends = np.cumsum(numbers)[:-1]
    parts = (np.split(choices[is_shared][order], ends) for choices in (outcomes, others_mean))
    return np.array(list(map(_correlation, *parts))), numbers.astype(np.float64)


def _correlation(first: Floats, second: Floats) -> float:
    if len(first) < 3 or first.std() == 0 or second.std() == 0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])
