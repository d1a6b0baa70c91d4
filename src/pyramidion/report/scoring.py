"""Scores of every summary, and each system's means."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.collection import Collection, Scores, Signature
from pyramidion.collection.formats import read_collection
from pyramidion.collection.formats.base import first_bytes
from pyramidion.collection.formats.scores_stream import writing_scores
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError
from pyramidion.report.answer import Answer
from pyramidion.report.tables import Table
from pyramidion.rouge import Rouge, parse_variant
from pyramidion.rouge.of_collection import score_collection
from pyramidion.rouge.results import perl_mean, sample_mean
from pyramidion.rouge.rouge import PARTS
from pyramidion.rouge.stream import ScoredBatch, StreamItem, read_stream, score_stream

__all__ = ["ScoreRequest", "score_answer"]

Floats = npt.NDArray[np.float64]

#: Task, system and kind: what a mean is taken over.
Group = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """What to compute and how.

    Parameters
    ----------
    measures
        Names such as ``rouge-2`` (which means F) or ``rouge-su4-r``.
    options
        The options of `Rouge` beside its variants.
    jackknife
        See `score_collection`.
    source_format
        The source's format; guessed if it is not given.
    threads
        All cores if not given; no score depends on it.
    seed
        Where the bootstrap begins.

    Examples
    --------
    >>> str(ScoreRequest(("rouge-2-r", "rouge-2"), {"stem": True}).rouge)
    'rouge-2(stem)'
    """

    measures: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    jackknife: bool = False
    source_format: str | None = None
    threads: int | None = None
    seed: int = 0

    @property
    def columns(self) -> tuple[str, ...]:
        """The measures with recall, precision or F at their end."""
        return tuple(dict.fromkeys(f"{parse_variant(n).measure}-{p}" for n, p in self._parts()))

    @property
    def rouge(self) -> Rouge:
        """The ROUGE that computes them all."""
        if not self.measures:
            raise InputError("no measure is named", hint="try -m rouge-1,rouge-2,rouge-l")
        variants = dict.fromkeys(parse_variant(name) for name, _ in self._parts())
        return Rouge.of(tuple(variants), **self.options)

    def _parts(self) -> Iterator[tuple[str, str]]:
        for measure in self.measures:
            name, _, part = measure.lower().rpartition("-")
            yield (name, part) if part in PARTS and name else (measure, "f")


def score_answer(
    source: str | Path, request: ScoreRequest, *, output: str | Path | None = None
) -> Answer:
    """Score a collection or a stream.

    Parameters
    ----------
    source
        A collection in any format, or a JSONL stream of items.
    request
        What to compute.
    output
        Where every summary's scores are written, if anywhere.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Summary
    >>> summaries = (Summary("T1", "A", "It rained.", kind="human"), Summary("T1", "7", "Rain."))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("mine", summaries=summaries).save(f"{folder}/mine")
    ...     answer = score_answer(f"{folder}/mine", ScoreRequest(("rouge-2",)))
    >>> [(result["system"], result["mean"]) for result in answer.results]
    [('7', 0.0)]
    """
    if str(source) == "-" or _is_stream(Path(source)):
        means, data, left_out = _score_stream(source, request, output)
    else:
        collection = read_collection(source, format=request.source_format)
        means, left_out = _score_collection(collection, request, output)
        data = collection.data_hash
    rouge = request.rouge
    results = list(_results(means, request))
    details = (("tok", rouge.tokenizer), *((("jackknife", "on"),) if request.jackknife else ()))
    signature = Signature(str(rouge), data=data, seed=request.seed, details=details)
    return Answer("score", signature, results, tuple(_tables(results, request)), left_out)


def _is_stream(path: Path) -> bool:
    head = first_bytes(path, 2**20).lstrip()
    return head.startswith(b"{") and b'"peer"' in head and b'"references"' in head


def _score_collection(
    collection: Collection, request: ScoreRequest, output: str | Path | None
) -> tuple[dict[Group, Floats], tuple[str, ...]]:
    result = score_collection(
        collection, request.rouge, jackknife=request.jackknife, threads=request.threads or 1
    )
    wanted = np.isin(result.scores.columns["measure"].astype(str), request.columns)
    scores = result.scores.rows(wanted)
    if output is not None:
        with writing_scores(output) as write:
            write(scores)
    groups: dict[Group, list[int]] = {}
    for row, summary in enumerate(result.summaries):
        groups.setdefault((summary.task, summary.system, summary.kind), []).append(row)
    order = _column_order(request)
    values = result.scores.value.reshape(len(result.summaries), -1)[:, order]
    means = {group: values[rows] for group, rows in groups.items()}
    return means, (*collection.left_out, *result.left_out)


def _column_order(request: ScoreRequest) -> list[int]:
    return [request.rouge.measures.index(measure) for measure in request.columns]


def _score_stream(
    source: str | Path, request: ScoreRequest, output: str | Path | None
) -> tuple[dict[Group, Floats], str, tuple[str, ...]]:
    order = _column_order(request)
    gathered: dict[Group, list[Floats]] = {}
    checked = _Checked()
    items = map(checked, read_stream(source))
    target = writing_scores(output) if output is not None else nullcontext(_ignore)
    with target as write:
        for batch in score_stream(items, request.rouge, threads=request.threads):
            values = batch.values[:, order]
            groups: dict[Group, list[int]] = {}
            for row, item in enumerate(batch.items):
                groups.setdefault((item.task, item.system, item.kind), []).append(row)
            for group, rows in groups.items():
                gathered.setdefault(group, []).append(values[rows])
            if output is not None:
                write(_rows(batch, values, request.columns))
    means = {group: np.concatenate(parts) for group, parts in gathered.items()}
    return means, checked.digest, ()


def _ignore(scores: Scores) -> None:
    """Write nowhere."""


class _Checked:
    """Lets items through, refuses a repeated one, and hashes what it saw."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()
        self._hash = hashlib.blake2b(digest_size=4)

    def __call__(self, item: StreamItem) -> StreamItem:
        address = "\0".join((item.task, item.topic, item.system))
        # Sixteen bytes instead of the address keep a million items in little memory.
        key = hashlib.blake2b(address.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if key in self._seen:
            raise InputError(
                f"topic {item.topic}, system {item.system} stands there twice",
                hint="keep one for each task, topic and system",
            )
        self._seen.add(key)
        self._hash.update(key)
        for text in (item.peer, *item.references):
            self._hash.update(str(text).encode("utf-8", "surrogatepass"))
        return item

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def _rows(batch: ScoredBatch, values: Floats, measures: tuple[str, ...]) -> Scores:
    width = len(measures)

    def column(read: Callable[[StreamItem], str]) -> list[str]:
        return [text for item in batch.items for text in [read(item)] * width]

    columns = {
        "task": column(lambda item: item.task),
        "topic": column(lambda item: item.topic),
        "system": column(lambda item: item.system),
        "kind": column(lambda item: item.kind),
        "measure": list(measures) * len(batch.items),
    }
    return Scores(columns, values.ravel())


def _results(means: dict[Group, Floats], request: ScoreRequest) -> Iterator[dict[str, Any]]:
    order = sorted(
        means, key=lambda group: (group[0], group[2] == "human", natural_order(group[1]))
    )
    for task, system, kind in order:
        for column, measure in enumerate(request.columns):
            values = means[task, system, kind][:, column]
            found = (
                perl_mean(values) if request.rouge.exact else sample_mean(values, rng=request.seed)
            )
            yield {
                "task": task,
                "system": system,
                "kind": kind,
                "measure": measure,
                "mean": found.mean,
                "low": found.low,
                "high": found.high,
                "n": found.n,
            }


def _tables(results: list[dict[str, Any]], request: ScoreRequest) -> Iterator[Table]:
    """Make one table a task: systems down, measures across, the best first."""
    for task in dict.fromkeys(result["task"] for result in results):
        rows: dict[str, dict[str, Any]] = {}
        for result in results:
            if result["task"] == task:
                rows.setdefault(result["system"], {"n": result["n"], "kind": result["kind"]})
                rows[result["system"]][result["measure"]] = result
        first = request.columns[0]
        ordered = sorted(rows.items(), key=lambda row: -row[1][first]["mean"])
        cells = tuple(
            (system, row["kind"], row["n"], *_cells(row, request.columns))
            for system, row in ordered
        )
        columns = (
            "system",
            "kind",
            "n",
            *(f for m in request.columns for f in (m, "95% interval")),
        )
        title = f"Task {task}" if task else "Means"
        yield Table(columns, cells, title=title)


def _cells(row: dict[str, Any], columns: tuple[str, ...]) -> Iterator[float | str]:
    for measure in columns:
        result = row[measure]
        yield result["mean"]
        yield f"{result['low']:.4f}-{result['high']:.4f}"
