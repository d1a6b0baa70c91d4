"""Scores of every summary, and each system's means."""

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pyramidion.collection import Collection, Scores, Signature, Summary
from pyramidion.collection.formats import read_collection
from pyramidion.collection.formats.base import first_bytes
from pyramidion.collection.formats.scores import FORMAT as SCORES
from pyramidion.collection.formats.scores_stream import writing_scores
from pyramidion.collection.ids import natural_order
from pyramidion.errors import FormatError, InputError, Where
from pyramidion.report.answer import Answer
from pyramidion.report.means import means_table
from pyramidion.rouge import Rouge, parse_variant
from pyramidion.rouge.averages import perl_means, sample_means
from pyramidion.rouge.of_collection import score_collection, score_rows
from pyramidion.rouge.rouge import PARTS
from pyramidion.rouge.stream import StreamItem, read_stream, score_stream

__all__ = ["ScoreRequest", "score_answer"]

Floats = npt.NDArray[np.float64]

_ASCII_WORD = re.compile("[A-Za-z0-9]")

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

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise InputError(f"the seed is {self.seed}", hint="give a whole number from 0 on")

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
    _require_form(output)
    if str(source) == "-" or (request.source_format is None and _is_stream(Path(source))):
        systems, data, left_out = _score_stream(source, request, output)
    else:
        collection = read_collection(source, format=request.source_format)
        systems, left_out = _score_collection(collection, request, output)
        data = collection.data_hash
    results = list(systems.results(request))
    details = [("tok", str(request.rouge.tokenizer))]
    if request.jackknife:
        details.append(("jackknife", "on"))
    signature = Signature(str(request.rouge), data=data, seed=request.seed, details=tuple(details))
    return Answer("score", signature, results, (means_table(results),), left_out)


def _require_form(output: str | Path | None) -> None:
    """Refuse a file that could not be written before the work, not after it."""
    if output is not None and Path(output).suffix not in SCORES.suffixes:
        hint = f"use {', '.join(SCORES.suffixes)}"
        raise InputError("no table of scores ends so", where=Where(output), hint=hint)


def _is_stream(path: Path) -> bool:
    """Tell by the first line, of which a long text may hide the end."""
    line = first_bytes(path, 2**20).removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0]

    def has(name: bytes) -> bool:
        return re.search(rb'"%s"\s*:' % name, line) is not None

    return line.startswith(b"{") and (has(b"peer") or (has(b"references") and has(b"system")))


@dataclass
class _Systems:
    """The scores of each system's summaries, as they come."""

    _names: dict[Group, list[str]] = field(default_factory=dict)
    _values: dict[Group, list[Floats]] = field(default_factory=dict)

    def add(self, scored: Sequence[Summary | StreamItem], values: Floats) -> None:
        """Take summaries and their scores, one row each."""
        rows: dict[Group, list[int]] = {}
        for row, item in enumerate(scored):
            group = (item.task, item.system, str(item.kind))
            rows.setdefault(group, []).append(row)
            evaluation = f"{item.topic}-{item.task}" if item.task else item.topic
            self._names.setdefault(group, []).append(f"{evaluation}.{item.system}")
        for group, own in rows.items():
            self._values.setdefault(group, []).append(values[own])

    def results(self, request: ScoreRequest) -> Iterator[dict[str, Any]]:
        """Average, systems in the order of their names, people last."""
        exact = request.rouge.exact
        for task, system, kind in sorted(self._names, key=_place):
            values = self._ordered((task, system, kind))
            means = perl_means(values) if exact else sample_means(values, rng=request.seed)
            for measure, found in zip(request.columns, means, strict=True):
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

    def _ordered(self, group: Group) -> Floats:
        """Put summaries in the order of their names, so that the order they came in is no matter.

        It is the order in which ROUGE-1.5.5 draws from them.
        """
        names = self._names[group]
        order = sorted(range(len(names)), key=names.__getitem__)
        return np.concatenate(self._values[group])[order]


def _place(group: Group) -> Any:
    task, system, kind = group
    return task, kind == "human", natural_order(system)


def _score_collection(
    collection: Collection, request: ScoreRequest, output: str | Path | None
) -> tuple[_Systems, tuple[str, ...]]:
    threads = request.threads or os.cpu_count() or 1
    result = score_collection(
        collection, request.rouge, jackknife=request.jackknife, threads=threads
    )
    values = result.scores.value.reshape(len(result.summaries), -1)[:, _column_order(request)]
    with _writing(output) as write:
        write(score_rows(result.summaries, request.columns, values))
    systems = _Systems()
    systems.add(result.summaries, values)
    wordless = sum(_has_no_word(summary.plain) for summary in result.summaries)
    left_out = (*collection.left_out, *result.left_out, *_wordless_line(wordless, request))
    return systems, left_out


def _column_order(request: ScoreRequest) -> list[int]:
    return [request.rouge.measures.index(measure) for measure in request.columns]


def _score_stream(
    source: str | Path, request: ScoreRequest, output: str | Path | None
) -> tuple[_Systems, str, tuple[str, ...]]:
    if request.jackknife:
        raise InputError(
            "a stream does not say who wrote its references", hint="jackknife a collection"
        )
    order = _column_order(request)
    systems, checked = _Systems(), _Checked()
    items = map(checked, read_stream(source))
    with _writing(output) as write:
        for batch in score_stream(items, request.rouge, threads=request.threads):
            values = batch.values[:, order]
            systems.add(batch.items, values)
            if output is not None:
                write(score_rows(batch.items, request.columns, values))
    return systems, checked.digest, _wordless_line(checked.wordless, request)


def _writing(output: str | Path | None) -> AbstractContextManager[Callable[[Scores], None]]:
    return writing_scores(output) if output is not None else nullcontext(lambda scores: None)


class _Checked:
    """Lets items through, refuses a repeated one, and hashes what it saw."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()
        self._sum = 0
        self.wordless = 0

    def __call__(self, item: StreamItem) -> StreamItem:
        # Sixteen bytes instead of the address keep a million items in little memory.
        key = hashlib.blake2b(_joined(item.task, item.topic, item.system), digest_size=16).digest()
        if key in self._seen:
            raise FormatError(
                f"{item.name} stands there twice",
                where=item.where,
                hint="keep one for each task, topic and system",
            )
        self._seen.add(key)
        self.wordless += _has_no_word(item.peer)
        # A sum of hashes does not depend on the order of the items.
        content = key + _joined(item.peer, *item.references)
        self._sum += int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big")
        return item

    @property
    def digest(self) -> str:
        return f"{self._sum % 2**32:08x}"


def _has_no_word(text: object) -> bool:
    """Tell whether a text that is not empty has no word for the tokenizer rouge."""
    words = text if isinstance(text, str) else " ".join(map(str, cast("Sequence[Any]", text)))
    return bool(words.strip()) and _ASCII_WORD.search(words) is None


def _wordless_line(number: int, request: ScoreRequest) -> tuple[str, ...]:
    if not number or request.rouge.tokenizer != "rouge":
        return ()
    return (
        f"the words of {number} summaries: the tokenizer rouge knows ASCII only; "
        "try --tokenizer unicode",
    )


def _joined(*texts: object) -> bytes:
    return "\0".join(map(str, texts)).encode("utf-8", "surrogatepass")
