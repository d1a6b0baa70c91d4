"""A checker of statements compared with people's labels."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Judgment
from pyramidion.collection.findings import address_name
from pyramidion.collection.formats.table_files import read_raw
from pyramidion.collection.ids import brief_list, grouped, natural_order
from pyramidion.errors import InputError, Where
from pyramidion.faithfulness._statements import MEASURE, CheckedSummary
from pyramidion.rendering.labels import counted
from pyramidion.rendering.table import Table
from pyramidion.stats import krippendorff_alpha, prediction_powered_means

_N_RESAMPLES: Final = 2000
#: With fewer sets of documents, resampling them says little.
_MIN_LABELS: Final = 8
#: Scores are compared to this many digits.
_ROUNDED_DIGITS: Final = 3
_MAX_BINS: Final = 5
#: The columns of a table of labels, and their other names.
_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "topic": ("topic",),
    "system": ("system",),
    "label": ("label", "value", "supported"),
    "task": ("task",),
    "statement": ("statement", "unit", "sentence"),
    "annotator": ("annotator", "assessor"),
    "measure": ("measure",),
    "kind_of_assessor": ("assessor_kind",),
}
_REQUIRED_COLUMNS: Final = ("topic", "system", "label")
#: The values of the words that people write; NaN for *cannot tell*.
_VALUE_OF_LABEL: Final = {
    "supported": 1.0, "yes": 1.0, "true": 1.0, "1": 1.0, "1.0": 1.0,
    "unsupported": 0.0, "no": 0.0, "false": 0.0, "0": 0.0, "0.0": 0.0,
    "cannot tell": np.nan, "0.5": np.nan,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class StatementLabel:
    """What a person says about a statement (number or text), or a summary."""

    task: str
    topic: str
    system: str
    statement: str
    annotator: str
    value: float


def read_labels(path: Path) -> tuple[list[StatementLabel], list[str]]:
    """Read a table of labels; also count the rows that are not labels."""
    raw_table = read_raw(path)
    columns = {
        part: next((raw_table.columns[name] for name in names if name in raw_table.columns), None)
        for part, names in _COLUMNS.items()
    }
    for part in _REQUIRED_COLUMNS:
        if columns[part] is None:
            hint = "name the columns topic, system, statement, annotator and label"
            raise InputError(f"there is no column `{part}`", hint, where=Where(path))
    cells = {part: column or [""] * len(raw_table.row_numbers) for part, column in columns.items()}
    labels: list[StatementLabel] = []
    skipped_rows = Counter[str]()
    for number, row in zip(raw_table.row_numbers, zip(*cells.values(), strict=True), strict=True):
        parts = dict(zip(cells, ("" if c is None else str(c).strip() for c in row), strict=True))
        word = parts.pop("label").casefold()
        measure, kind = parts.pop("measure"), parts.pop("kind_of_assessor")
        if reason := _not_a_label(measure, kind, word):
            skipped_rows[reason] += 1
            continue
        if word not in _VALUE_OF_LABEL:
            hint = "write supported, unsupported or cannot tell"
            raise InputError(f"a label is {word!r}", hint, where=Where(path, number))
        labels.append(StatementLabel(**parts, value=_VALUE_OF_LABEL[word]))
    lines = [
        f"{counted(count, 'row')} of {path.name}: {skip_reason}"
        for skip_reason, count in skipped_rows.items()
    ]
    if not labels:
        message = "; ".join(["there are no labels by people", *lines])
        raise InputError(message, "add labels to it", where=Where(path))
    return labels, lines


def _not_a_label(measure: str, kind_of_assessor: str, word: str) -> str:
    """Return why a row is not a person's label, if so."""
    if measure not in ("", MEASURE):
        return f"of measures other than {MEASURE}"
    # These include the verdicts to be checked.
    if kind_of_assessor == "model":
        return "by models, not people"
    return "without a label" if word in ("", "nan") else ""


@dataclass(frozen=True, slots=True)
class LabeledItem:
    """Statements that people labeled together, and the labels by annotator."""

    checked: CheckedSummary
    statements: tuple[int, ...]
    labels: Mapping[str, float]

    @property
    def score(self) -> float:
        """The lowest score of its statements: all must be supported."""
        return min(self.checked.verdicts[number].score for number in self.statements)

    @property
    def is_flagged(self) -> bool:
        """Whether one of its statements is unsupported."""
        answers = (self.checked.verdicts[number].answer for number in self.statements)
        return "unsupported" in answers

    @property
    def value(self) -> float:
        """What most people say; NaN for a tie, or if they cannot tell."""
        votes = [value for value in self.labels.values() if not np.isnan(value)]
        mean = sum(votes) / len(votes) if votes else 0.5
        return float(mean > 0.5) if mean != 0.5 else np.nan

    @property
    def unit(self) -> str:
        """Its name in a table of scores: empty for a whole summary."""
        is_all = len(self.statements) == len(self.checked.statements)
        return "" if is_all else "+".join(str(number + 1) for number in self.statements)

    def judgments(self, checker: str) -> Iterator[Judgment]:
        """Return the labels and the checker's score."""
        for annotator, value in self.labels.items():
            if not np.isnan(value):
                yield self.checked.judgment(value, annotator, "", self.unit)
        yield self.checked.judgment(self.score, checker, "model", self.unit)


def are_whole(items: Sequence[LabeledItem]) -> bool:
    """Return whether people labeled whole summaries, which the checker then judges, too."""
    return bool(items) and all(not item.unit for item in items)


def match_labels(
    labels: Sequence[StatementLabel], checked_summaries: Iterable[CheckedSummary]
) -> tuple[list[LabeledItem], list[str]]:
    """Find the statements that labels are about; count the labels that match none."""
    summaries: dict[tuple[str, str], list[CheckedSummary]] = grouped(
        ((c.summary.topic, c.summary.system), c) for c in checked_summaries
    )
    items: dict[tuple[int, tuple[int, ...]], tuple[CheckedSummary, dict[str, float]]] = {}
    names_by_reason: dict[str, list[str]] = {}
    for label in labels:
        candidates = [
            c
            for c in summaries.get((label.topic, label.system), ())
            if label.task in ("", c.summary.task)
        ]
        numbers = _statements_of(label.statement, candidates[0]) if len(candidates) == 1 else ()
        if numbers:
            _, values = items.setdefault((id(candidates[0]), numbers), (candidates[0], {}))
            _require_same(values.get(label.annotator, label.value), label)
            values[label.annotator] = label.value
        else:
            reason = "no such statement" if candidates else "no summary that was checked"
            reason = "several tasks: add a column `task`" if len(candidates) > 1 else reason
            name = address_name(label.task, label.topic, label.system)
            names_by_reason.setdefault(reason, []).append(name)
    lines = [
        f"{counted(len(names), 'label')}: {reason} ({brief_list([*dict.fromkeys(names)])})"
        for reason, names in names_by_reason.items()
    ]
    matches = items.items()
    return [LabeledItem(c, numbers, values) for (_, numbers), (c, values) in matches], lines


def _require_same(value: float, label: StatementLabel) -> None:
    """Refuse two different labels by the same annotator."""
    if np.array_equal(value, label.value, equal_nan=True):
        return
    labels_text = (
        f"{label.annotator!r} labels" if label.annotator else "an annotator without a name labels"
    )
    subject = f"statement {label.statement!r}" if label.statement else "the summary"
    name = address_name(label.task, label.topic, label.system)
    hint = "give each person a name in the column `annotator`, or remove all but one of these rows"
    raise InputError(
        f"{labels_text} {subject} of {name} more than once, with different answers", hint
    )


def _statements_of(statement: str, checked_summary: CheckedSummary) -> tuple[int, ...]:
    """Return the statements that a label is about: by number, text, or all of a summary."""
    every = range(len(checked_summary.statements))
    if not statement:
        return tuple(every)
    if re.fullmatch(r"\d+(\+\d+)*", statement):
        numbers = tuple(int(number) - 1 for number in statement.split("+"))
        return numbers if all(number in every for number in numbers) else ()
    text = _plain_text(statement)
    if matching_numbers := tuple(
        n for n in every if _plain_text(checked_summary.statements[n].text) == text
    ):
        return matching_numbers
    # A longer text, such as a sentence, stands for the statements in it.
    summary = checked_summary.summary.plain
    spans = (checked_summary.statements[n].parts for n in every)
    are_inside = (
        all(_plain_text(summary[start:end]) in text for start, end in parts) and bool(parts)
        for parts in spans
    )
    return tuple(n for n, is_inside in zip(every, are_inside, strict=True) if is_inside)


def _plain_text(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!?")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its interval, which resamples documents."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, draws: Floats) -> "Figure":
        """Return the first value with the percentiles of the others."""
        numbers = draws[1:][~np.isnan(draws[1:])]
        ends = np.quantile(numbers, [0.025, 0.975]) if len(numbers) else (np.nan, np.nan)
        return cls(float(draws[0]), float(ends[0]), float(ends[1]))

    @property
    def text(self) -> str:
        """The figure as tables show it."""
        if np.isnan(self.value):
            return "–"
        ends = "" if np.isnan(self.low) else f" [{self.low:.3f}, {self.high:.3f}]"
        return f"{self.value:.3f}{ends}"


@dataclass(frozen=True, slots=True)
class SupportBin:
    """Items with similar scores, and the share that people find supported."""

    score: float
    items: int
    supported: Figure


@dataclass(frozen=True, slots=True)
class SystemShare:
    """The share of a system's statements (or summaries) that are supported.

    `people` uses the labels alone, `combined` also the checker's verdicts on everything else.
    """

    task: str
    system: str
    topics: int
    labeled: int
    people: Figure
    combined: Figure
    checker: float
    effective_topics: float


@dataclass(frozen=True, slots=True)
class PeopleCheck:
    """A checker compared with people.

    Parameters
    ----------
    items, documents, undecided
        Labeled statements (or summaries), sets of documents, and items on which people are divided
        or cannot tell, which count in no figure.
    share
        The share of items that people find supported.
    overall, within
        AUC, balanced accuracy, precision of flags and kappa: over all items, and averaged within
        systems.
    alpha
        Krippendorff's alpha of the annotators; NaN if there is one.
    calibration, calibration_error
        People's labels by score of the checker, and the mean distance.
    systems
        Prediction-powered estimates by system.

    Examples
    --------
    >>> from pyramidion.demo import load_demo  # doctest: +SKIP
    >>> faithful("mine", labels="labels.csv").people.overall["AUC"].value  # doctest: +SKIP
    0.81
    """

    items: int
    documents: int
    undecided: int
    share: float
    overall: Mapping[str, Figure]
    within: Mapping[str, Figure]
    alpha: float
    calibration: tuple[SupportBin, ...]
    calibration_error: Figure
    systems: tuple[SystemShare, ...]

    def tables(self) -> list[Table]:
        """Return its tables."""
        rows = [(name, f.text, self.within[name].text) for name, f in self.overall.items()]
        rows += [("calibration error", self.calibration_error.text, "–")]
        rows += [("alpha of people", f"{self.alpha:.3f}", "–")] * (not np.isnan(self.alpha))
        is_few = self.documents < _MIN_LABELS
        intervals = "Too few for intervals" if is_few else "Intervals (95%) resample documents"
        note = (
            f"{counted(self.items, 'item')} of {counted(self.documents, 'set')} of documents, "
            f"{self.share:.1%} supported by people; undecided and left out: {self.undecided}. "
            f"{intervals}. Within systems: averaged over systems, since much "
            "of an AUC may only reflect which system wrote the text."
        )
        heads = ("figure", "all", "within systems")
        title = "Checked against people"
        figures = Table(heads, tuple(rows), title, note, name="people")
        bins = tuple((f"{b.score:.2f}", b.items, b.supported.text) for b in self.calibration)
        heads = ("score", "items", "supported by people [95%]")
        calibration = Table(heads, bins, "Calibration", name="calibration")
        return [figures, calibration, *self._system_tables()]

    def _system_tables(self) -> Iterator[Table]:
        rows = tuple(
            (s.task or "–", s.system, s.topics, s.labeled, s.people.text, s.combined.text,
             f"{s.checker:.3f}", f"{s.effective_topics:.0f}")
            for s in self.systems
        )  # fmt: skip
        heads = (
            "task", "system", "topics", "labeled", "people [95%]", "people and checker [95%]",
            "checker", "worth",
        )  # fmt: skip
        note = (
            "Share supported, prediction-powered: valid no matter how inaccurate the checker is, "
            "if the labeled topics are a random sample. Worth: the number of topics that people "
            "alone would have to label."
        )
        if rows:
            yield Table(heads, rows, "Supported, by people and checker", note, name="shares")


def check_with_people(
    items: Sequence[LabeledItem], checked_summaries: Sequence[CheckedSummary], seed: int
) -> PeopleCheck:
    """Compare a checker with people's labels."""
    clear_items = [item for item in items if not np.isnan(item.value)]
    if not clear_items:
        raise InputError("no label says supported or unsupported", "add labels that do")
    ids = dict.fromkeys(id(item.checked.source) for item in clear_items)
    sources = {source: number for number, source in enumerate(ids)}
    clusters = np.array([sources[id(item.checked.source)] for item in clear_items])
    n = len(sources)
    counts = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), _N_RESAMPLES)
    # The first row is the sample itself.
    weights = np.vstack([np.ones(n), counts[: _N_RESAMPLES * (n >= _MIN_LABELS)]])
    values = np.array([item.value for item in clear_items])
    scores = np.round([item.score for item in clear_items], _ROUNDED_DIGITS)
    flags = np.array([item.is_flagged for item in clear_items])
    columns = values, scores, flags, clusters
    systems = [(item.checked.summary.task, item.checked.summary.system) for item in clear_items]
    overall_figures = _figures(*columns, weights)
    bins, error = _calibration(values, scores, clusters, weights)
    return PeopleCheck(
        len(clear_items), n, len(items) - len(clear_items), float(values.mean()),
        {name: Figure.of(draws) for name, draws in overall_figures.items()},
        {name: Figure.of(draws) for name, draws in _within(columns, systems, weights).items()},
        _alpha(items), bins, error, tuple(_shares(items, checked_summaries)),
    )  # fmt: skip


def _sums(marks: Floats, clusters: Ints, weights: Floats) -> Floats:
    """Sum columns under each row of weights of clusters."""
    sums = np.zeros((weights.shape[1], marks.shape[1]))
    np.add.at(sums, clusters, marks)
    totals: Floats = weights @ sums
    return totals


def _divide(part: Floats, total: Floats) -> Floats:
    return np.asarray(np.divide(part, total, out=np.full(part.shape, np.nan), where=total > 0))


def _figures(
    values: Floats, scores: Floats, flags: Any, clusters: Ints, weights: Floats
) -> dict[str, Floats]:
    """Return each figure under each row of weights."""
    is_level = (scores[:, None] == np.unique(scores)).astype(np.float64)
    positive_sums = _sums(is_level * values[:, None], clusters, weights)
    negative_sums = _sums(is_level * (1 - values[:, None]), clusters, weights)
    n_good, n_bad = positive_sums.sum(axis=1), negative_sums.sum(axis=1)
    wins = (positive_sums * (np.cumsum(negative_sums, axis=1) - negative_sums / 2)).sum(axis=1)
    table = np.column_stack([flags & (values == 0), flags & (values == 1)]).astype(np.float64)
    hits, alarms = _sums(table, clusters, weights).T
    n, n_flagged = n_good + n_bad, hits + alarms
    by_chance = _divide(n_flagged * n_bad + (n - n_flagged) * n_good, n**2)
    agreement = _divide(hits + n_good - alarms, n)
    return {
        "AUC": _divide(wins, n_good * n_bad),
        "balanced accuracy": (_divide(hits, n_bad) + 1 - _divide(alarms, n_good)) / 2,
        "precision of flags": _divide(hits, n_flagged),
        "kappa": _divide(agreement - by_chance, 1 - by_chance),
    }


def _within(
    columns: tuple[Any, ...], systems: Sequence[tuple[str, str]], weights: Floats
) -> dict[str, Floats]:
    """Average figures of single systems, weighted by their pairs of good and bad items."""
    sums: dict[str, Floats] = {}
    totals: dict[str, Floats] = {}
    rows_of = grouped((system, row) for row, system in enumerate(systems))
    for rows in rows_of.values():
        part = [column[rows] for column in columns]
        pairs = part[0].sum() * (1 - part[0]).sum()
        for name, draws in _figures(part[0], part[1], part[2], part[3], weights).items():
            is_known = ~np.isnan(draws)
            sums[name] = sums.get(name, 0.0) + pairs * np.where(is_known, draws, 0.0)
            totals[name] = totals.get(name, 0.0) + pairs * is_known
    return {name: _divide(sums[name], totals[name]) for name in sums}


def _calibration(
    values: Floats, scores: Floats, clusters: Ints, weights: Floats
) -> tuple[tuple[SupportBin, ...], Figure]:
    levels = np.unique(scores)
    edges = levels[1:]
    if len(levels) > _MAX_BINS:
        edges = np.unique(np.quantile(scores, np.linspace(0, 1, _MAX_BINS + 1)[1:-1]))
    bin_of = np.searchsorted(edges, scores, side="right")
    marks = (bin_of[:, None] == np.unique(bin_of)).astype(np.float64)
    n = _sums(marks, clusters, weights)
    people = _divide(_sums(marks * values[:, None], clusters, weights), n)
    means = _divide(_sums(marks * scores[:, None], clusters, weights), n)
    error = _divide(np.nansum(n * np.abs(people - means), axis=1), n.sum(axis=1))
    bins = tuple(
        SupportBin(float(means[0, k]), int(n[0, k]), Figure.of(people[:, k]))
        for k in range(marks.shape[1])
    )
    return bins, Figure.of(error)


def _alpha(items: Sequence[LabeledItem]) -> float:
    """Return the agreement of the annotators on the three labels."""
    names = list(dict.fromkeys(name for item in items for name in item.labels))
    table = np.full((len(names), len(items)), np.nan)
    for column, item in enumerate(items):
        for name, value in item.labels.items():
            table[names.index(name), column] = 0.5 if np.isnan(value) else value
    if not ((~np.isnan(table)).sum(axis=0) > 1).any():
        return np.nan
    return krippendorff_alpha(table, level="nominal").value


def _shares(
    items: Sequence[LabeledItem], checked_summaries: Sequence[CheckedSummary]
) -> Iterator[SystemShare]:
    """Estimate the share of each system, for tasks in which people labeled two topics of it."""
    is_whole = are_whole(items)
    people = grouped((id(item.checked), item.value) for item in items if not np.isnan(item.value))
    for task, group in grouped(
        (c.summary.task, c) for c in checked_summaries if c.verdicts
    ).items():
        topics = list(dict.fromkeys(c.summary.topic for c in group))
        # Topics with the same documents count as one.
        labeled_summaries = {(c.summary.system, id(c.source)) for c in group if id(c) in people}
        label_counts = Counter(system for system, _ in labeled_summaries)
        systems = sorted((s for s, number in label_counts.items() if number > 1), key=natural_order)
        human, judge = np.full((2, len(topics), len(systems)), np.nan)
        clusters = np.zeros(len(topics), np.int64)
        sources: dict[int, int] = {}
        for c in group:
            row = topics.index(c.summary.topic)
            clusters[row] = sources.setdefault(id(c.source), len(sources))
            if c.summary.system in systems:
                cell = row, systems.index(c.summary.system)
                scores = [verdict.score for verdict in c.verdicts]
                judge[cell] = min(scores) if is_whole else np.mean(scores)
                if id(c) in people:
                    human[cell] = np.mean(people[id(c)])
        if systems:
            estimates = prediction_powered_means(human, judge, clusters)
            for name, e, column in zip(systems, estimates, judge.T, strict=True):
                yield SystemShare(
                    task, name, int((~np.isnan(column)).sum()), e.n,
                    Figure(e.human_mean, *e.human_interval(scale=(0.0, 1.0))),
                    Figure(e.mean, *e.interval(scale=(0.0, 1.0))), e.judge_mean, e.effective_n,
                )  # fmt: skip
