"""Which pairs of systems are decided, and what it would cost to decide the others.

Decisions are those of `compare --sequential`: they stay valid when further topics are judged, and
however often somebody looks. So further work is offered for topics without scores of a pair; a
second judgment of the same topic would not add a topic.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from urllib.parse import urlencode

import numpy as np

from pyramidion.collection import Collection, ScoreMatrix
from pyramidion.comparison import ComparisonResult, compare
from pyramidion.rendering.labels import escape
from pyramidion.rendering.page import paragraph
from pyramidion.stats import sequential_topics

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
    #: Topics to judge next, if any are left, and the number of judgments they take.
    topics: tuple[str, ...]
    judgments: int
    #: The number of topics not judged yet, and of the judgments that all needed topics take.
    remaining: int
    cost: float


def undecided_pairs(
    collection: Collection, result: ComparisonResult, matrix: ScoreMatrix, seed: int
) -> list[Undecided]:
    """Plan further topics for the undecided pairs with the clearest differences."""
    ends = matrix.scale or collection.scales[matrix.measure]
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
        topics, n_remaining = _next_topics(collection, matrix, (pair.a, pair.b), n_needed, seed)
        n_missing = sum(
            bool(np.isnan(columns[system][matrix.topics.index(topic)]))
            if topic in matrix.topics else True
            for topic in topics for system in (pair.a, pair.b)
        )  # fmt: skip
        difference = float(differences.mean()) if len(differences) else math.nan
        cost = n_missing + 2 * max(n_needed - len(topics), 0.0)
        undecided_rows.append(
            Undecided(
                pair.a, pair.b, matrix.task, pair.n, difference, n_needed, topics, n_missing,
                n_remaining, cost,
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


def _next_topics(
    collection: Collection, matrix: ScoreMatrix, pair: tuple[str, str], n_needed: float, seed: int
) -> tuple[tuple[str, ...], int]:
    """Return topics with summaries of both systems and no score of one, in random order."""
    topic_sets = [
        {s.topic for s in collection.summaries if (s.system, s.task) == (system, matrix.task)}
        for system in pair
    ]
    columns = [matrix.systems.index(system) for system in pair]
    n_missing: list[int] = np.isnan(matrix.values[:, columns]).sum(axis=1).tolist()
    complete_topics = {
        topic for topic, number in zip(matrix.topics, n_missing, strict=True) if not number
    }
    open_topics = sorted(set.intersection(*topic_sets) - complete_topics)
    Random(f"{seed} next topics").shuffle(open_topics)  # noqa: S311
    number = len(open_topics) if math.isinf(n_needed) else int(n_needed)
    return tuple(open_topics[:number]), len(open_topics)


def decisions(
    scored_collection: Collection, collection: Collection, measure: str, *, address: str,
    seconds: float | None, seed: int,
) -> Iterator[str]:  # fmt: skip
    """Show the decided pairs of a measure, and the cost of deciding the others."""
    comparison = compare(scored_collection, measures=measure, sequential=True)
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
        undecided_rows = undecided_pairs(collection, result, matrix, seed)
        if undecided_rows:
            yield "<h3>Undecided</h3>"
            yield linked_table(
                (
                    "pair",
                    "topics",
                    "difference",
                    "further topics",
                    "not judged yet",
                    "judgments",
                    "hours",
                    "assign",
                ),
                [_row(row, address, seconds) for row in undecided_rows],
            )
        if n_hidden := pairs - len(decided_pairs) - len(undecided_rows):
            yield paragraph(f"{n_hidden} pairs with smaller differences are not listed.", soft=True)
    pace = f"{seconds:.0f} s per judgment, the median so far" if seconds else "not measured yet"
    yield paragraph(
        "Decisions are those of compare --sequential: they hold whenever you check the results, "
        "and remain valid "
        "when further topics are judged. With these further topics, four of five simulated "
        f"evaluations decide the pair, if the difference is the one seen so far. Time: {pace}.",
        soft=True,
    )


def _row(row: Undecided, address: str, seconds: float | None) -> tuple[str, ...]:
    needed_text = f"more than {_MOST_TOPICS:,}" if math.isinf(row.needed) else f"{row.needed:,.0f}"
    is_known = math.isfinite(row.cost)
    hours = f"{row.cost * seconds / 3600:.1f}" if seconds and is_known else "–"
    difference = f"{row.difference:+.3f}" if row.n else "–"
    fields = [("purpose", "tie-break"), ("system", row.a), ("system", row.b)]
    fields += [("task", row.task), *(("topic", topic) for topic in row.topics)]
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
