"""Which pairs of systems are decided, and what it would cost to decide the others.

Decisions are those of `compare --sequential`: they stay valid when further topics are judged, and
however often somebody looks. So further work is offered for topics without scores of a pair; a
second judgment of the same topic would not add a topic.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from urllib.parse import urlencode

import numpy as np

from pyramidion.collection import Collection, ScoreMatrix
from pyramidion.collection.ids import grouped
from pyramidion.comparison import ComparisonResult, compare
from pyramidion.rendering.labels import escape
from pyramidion.rendering.page import paragraph
from pyramidion.stats import sequential_topics
from pyramidion.studio._assigning import AssignmentForm, items_of
from pyramidion.studio._modes import count_items

_POWER, _MOST_TOPICS, _SIMULATED = 0.8, 1000, 200
_MAX_PAIRS = 40
_NUMBER = re.compile(r"more than |[-+]?\d[\d,.]*$|–$")


@dataclass(frozen=True)
class Undecided:
    """A pair without a decision; `needed` more topics would probably decide it."""

    a: str
    b: str
    task: str
    n: int
    difference: float
    needed: float
    #: Topics to judge next, if any are left, and the number of items to assign for them.
    topics: tuple[str, ...]
    judgments: int
    #: The number of topics not judged yet, and of the judgments that all needed topics take.
    remaining: int
    cost: float


def undecided_pairs(
    source: "Decidable", result: ComparisonResult, matrix: ScoreMatrix, seed: int
) -> list[Undecided]:
    """Plan further topics for the undecided pairs with the clearest differences."""
    ends = matrix.scale or source.scored.scales[matrix.measure]
    width = ends.high - ends.low
    level = result.alpha / max(len(result.sequence), 1)
    columns = {system: matrix.values[:, n] for n, system in enumerate(matrix.systems)}
    open_pairs = [pair for pair in result.sequence if pair.decided_after is None]
    open_pairs.sort(key=lambda pair: -pair.e_value if pair.n else 0.0)
    undecided_rows = []
    for pair in open_pairs[:_MAX_PAIRS]:
        differences = columns[pair.a] - columns[pair.b]
        differences = differences[~np.isnan(differences)]
        total = _topics_needed(differences, width, level, seed)
        n_needed = max(1.0, total - pair.n)
        new_items, usual = _new_items(source, matrix, (pair.a, pair.b))
        open_topics = sorted(new_items)
        Random(f"{seed} next topics").shuffle(open_topics)  # noqa: S311
        topics = tuple(open_topics[: None if math.isinf(n_needed) else int(n_needed)])
        n_missing = sum(new_items[topic] for topic in topics)
        difference = float(differences.mean()) if len(differences) else math.nan
        cost = n_missing + usual * max(n_needed - len(topics), 0.0)
        undecided_rows.append(
            Undecided(
                pair.a, pair.b, matrix.task, pair.n, difference, n_needed, topics, n_missing,
                len(open_topics), cost,
            )
        )  # fmt: skip
    return undecided_rows


def _topics_needed(
    differences: "np.typing.NDArray[np.float64]", width: float, level: float, seed: int
) -> float:
    """Return after how many topics four of five simulated evaluations would stop."""
    if len(differences) < 2:
        return math.inf
    stops = sequential_topics(
        differences, bounds=(-width, width), difference=float(differences.mean()), alpha=level,
        most=_MOST_TOPICS, n_resamples=_SIMULATED, rng=seed % 2**32,
    )  # fmt: skip
    return float(np.quantile(stops, _POWER, method="higher"))


def _new_items(
    source: "Decidable", matrix: ScoreMatrix, pair: tuple[str, str]
) -> tuple[dict[str, int], float]:
    """Count the items that each topic without a difference of a pair needs, and those of any topic.

    Summaries that have a score already are not counted. Topics without both summaries, and those
    that are used for training, are left out.
    """
    judged: dict[str, set[str]] = defaultdict(set)
    for system in pair:
        has_score = ~np.isnan(matrix.values[:, matrix.systems.index(system)])
        for row in np.flatnonzero(has_score).tolist():
            # A pair of summaries has a row of its own.
            topic, *row_pair = matrix.topics[row].split("\t")
            if not row_pair or set(row_pair) == set(pair):
                judged[topic].add(system)
    work = AssignmentForm(source.kind, tasks=(matrix.task,), systems=pair)
    summaries = (s for s in source.collection.summaries if work.covers(s.task, s.topic, s.system))
    written = grouped((summary.topic, summary.system) for summary in summaries)
    items = grouped((item.topic, item.system) for item in items_of(source.collection, work))
    trained = {
        topic
        for task, topic, system in source.training
        if task == matrix.task and system in items.get(topic, ())
    }
    complete = {
        topic: names
        for topic, names in items.items()
        if set(written[topic]) == set(pair) and topic not in trained
    }
    new_items = {
        topic: len(set(names) - judged[topic])
        for topic, names in complete.items()
        if judged[topic] != set(pair)
    }
    return new_items, fmean(map(len, complete.values())) if complete else 2.0


@dataclass(frozen=True)
class Decidable:
    """Scores of topics by which systems are compared, and the work that gives further ones."""

    scored: Collection
    measure: str
    #: The collection that work is assigned from, and the kind of work.
    collection: Collection
    kind: str
    #: The median time of an item, and the items that are used for training.
    seconds: float | None
    training: Iterable[tuple[str, str, str]] = ()
    #: What else to know about the decisions.
    note: str = ""


def decisions(source: Decidable, *, address: str, seed: int) -> Iterator[str]:
    """Show the decided pairs of systems, and the cost of deciding the others."""
    comparison = compare(source.scored, measures=source.measure, sequential=True)
    unit = count_items(source.kind, 2).partition(" ")[2]
    for result, matrix in zip(comparison, comparison.matrices, strict=True):
        yield f"<h3>Task {escape(matrix.task)}</h3>" if matrix.task else ""
        decided_pairs = [pair for pair in result.sequence if pair.decided_after is not None]
        pairs = len(result.sequence)
        verb = "pair is" if pairs == 1 else "pairs are"
        yield paragraph(f"{len(decided_pairs) or 'None'} of {pairs} {verb} decided.")
        if decided_pairs:
            words = [(p, p.decision.removeprefix("stop: ")) for p in decided_pairs]
            rows = [(f"{p.a} – {p.b}", word, f"{p.decided_after} topics") for p, word in words]
            yield linked_table(("pair", "decision", "after"), rows)
        undecided_rows = undecided_pairs(source, result, matrix, seed)
        if undecided_rows:
            yield "<h3>Undecided</h3>"
            columns = (
                "pair", "topics", "difference", "further topics", "not judged yet",
                f"{unit} to judge", "hours", "assign",
            )  # fmt: skip
            yield linked_table(columns, [_row(row, source, address) for row in undecided_rows])
        if n_hidden := pairs - len(decided_pairs) - len(undecided_rows):
            yield paragraph(f"{n_hidden} pairs with smaller differences are not listed.", soft=True)
    seconds = source.seconds
    pace = f"{seconds:.0f} s per item, the median so far" if seconds else "not measured yet"
    yield paragraph(
        f"{source.note}Decisions are those of compare --sequential: they hold whenever you check "
        "the results, and remain valid "
        "when further topics are judged. With these further topics, four of five simulated "
        f"evaluations decide the pair, if the difference is the one seen so far. Time: {pace}.",
        soft=True,
    )


def _row(row: Undecided, source: Decidable, address: str) -> tuple[str, ...]:
    needed_text = f"more than {_MOST_TOPICS:,}" if math.isinf(row.needed) else f"{row.needed:,.0f}"
    is_known = math.isfinite(row.cost)
    hours = f"{row.cost * source.seconds / 3600:.1f}" if source.seconds and is_known else "–"
    difference = f"{row.difference:+.3f}" if row.n else "–"
    fields = [("kind", source.kind), ("purpose", "tie-break"), ("system", row.a)]
    fields += [("system", row.b), ("task", row.task), *(("topic", topic) for topic in row.topics)]
    link = (
        f'<a class="assign" href="{address}?{escape(urlencode(fields))}">Assign {row.judgments}</a>'
    )
    cells = (
        f"{row.a} – {row.b}", f"{row.n}", difference, needed_text, f"{row.remaining}",
        f"{row.cost:,.0f}" if is_known else "–", hours,
    )  # fmt: skip
    return (*cells, link if row.topics and address else "")


def linked_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose cells may have links; columns of numbers are aligned on the right."""
    alignments = [
        ' class="number"' if all(_NUMBER.match(row[index]) for row in rows) else ""
        for index in range(len(columns))
    ]

    def line(cells: Sequence[str], tag: str) -> str:
        shown = (cell if cell.startswith("<a ") else escape(cell) for cell in cells)
        name = tag.partition(" ")[0]
        return "".join(
            f"<{tag}{alignment}>{cell}</{name}>"
            for alignment, cell in zip(alignments, shown, strict=True)
        )

    head = line(columns, 'th scope="col"')
    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll" role="group" tabindex="0" aria-label="Pairs">{table}</div>'
