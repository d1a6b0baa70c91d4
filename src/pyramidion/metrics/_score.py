"""Score every summary of a collection or a stream, and show each system's means."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

import pyramidion
from pyramidion._types import Floats
from pyramidion.checks.streams import StreamChecks, repeated_error
from pyramidion.collection import Collection, Measure, Scores, Source
from pyramidion.collection.checking import warn_findings, with_findings
from pyramidion.collection.formats.scores import (
    encode_scores,
    require_scores_file,
    writing_scores,
)
from pyramidion.collection.formats.stream import is_stream, read_stream
from pyramidion.collection.sources import SourceReading
from pyramidion.collection.stream import StreamItem, items_digest
from pyramidion.engine.engines import Engine, require_ready
from pyramidion.engine.jobs import PartsOptions, refuse_ineffective
from pyramidion.engine.parts import absolute, in_parts, is_parts
from pyramidion.engine.pieces import Piece, Unread, cut_for_workers
from pyramidion.errors import FormatError, InputError, NotFoundError, Where
from pyramidion.metrics._checkpoint import Checkpoint
from pyramidion.metrics._frames import DEFAULT_MEASURES, require_separable, score_parts
from pyramidion.metrics._metric import Metric
from pyramidion.metrics._own import UserMetric, function_name
from pyramidion.metrics._plain_texts import read_plain_texts
from pyramidion.metrics._scoring import (
    UNDEFINED_REASON,
    UndefinedCounts,
    possible_metrics,
    require_streamable,
    score_collection,
    score_items,
    with_tokenizer,
)
from pyramidion.metrics.registry import ALL, describe_run, resolve_metrics, tokenizers
from pyramidion.metrics.system_means import SystemMeans, means_table
from pyramidion.questions import Progress, argument, option, question
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Result, signed
from pyramidion.rouge.results import BATCH_SIZE, batches
from pyramidion.text.encoding import has_no_word, other_letters

#: Writes rows of the table of scores, which may already be encoded.
WriteRows = Callable[[bytes | Scores], None]

_ASCII_HINT = "the rouge tokenizer knows ASCII only; try --tokenizer unicode"


@dataclass(frozen=True, slots=True)
class ScoreOptions(SourceReading):
    """What to score, with which metrics."""

    source: Source = argument(
        "Collection in any format, or a JSONL stream of {topic, system, peer, references}; - "
        "for standard input."
    )
    references: tuple[str, ...] = option(
        (),
        "References for plain texts, comma-separated: files with one text per line, like SRC, or "
        "folders with files of the same names.",
        flags=("--references", "-r"),
        metavar="FILES",
    )
    metrics: tuple[str, ...] = option(
        DEFAULT_MEASURES,
        "Metrics to compute, comma-separated, such as rouge-2-r, su4, js-input or bleu(n=2), "
        "or all; `pyramidion metrics` lists them. A bare rouge-2 means its F score; rouge-1-ns is "
        "recall of stemmed words without stop words.",
        flags=("--metrics", "-m", "--measures"),
        code=function_name,
    )
    stem: bool = option(False, "ROUGE: compare stems instead of words.", flags=("--stem",))
    stop_words: bool = option(False, "ROUGE: ignore stop words.", flags=("--stop-words",))
    words: int | None = option(None, "ROUGE: truncate peer summaries to this many words.")
    bytes: int | None = option(None, "ROUGE: truncate peer summaries to this many bytes.")
    alpha: float = option(
        0.5, "ROUGE: weight of precision in the F score, from 0 to 1.", metavar="A"
    )
    best: bool = option(
        False,
        "ROUGE: score against the best reference, instead of averaging over all.",
        flags=("--best",),
    )
    tokenizer: str | None = option(
        None,
        "Tokenizer: rouge (as ROUGE-1.5.5) or unicode (any script); by default rouge, or unicode "
        "if many letters of the texts are not ASCII.",
        metavar="NAME",
    )
    language: str | None = option(
        None,
        "ROUGE: language of the texts, such as de; determines the stemmer and the tokenizer.",
        metavar="CODE",
    )
    exact: bool = option(
        False,
        "Reproduce the numbers of ROUGE-1.5.5 to the last digit, including its errors.",
        flags=("--exact",),
    )
    jackknife: bool = option(
        False,
        "Score machines against all references but one in turn, as people are scored.",
        flags=("--jackknife",),
    )
    threads: int | None = option(None, "Number of threads; one per core by default.", min=1)
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)
    output: Path | None = option(
        None,
        "Write the scores of every summary to this file (.csv, .tsv, .jsonl or .parquet), or the "
        "printed output to FILE.txt, .md or .tex; on a collection, an interrupted run is resumed.",
        flags=("--output", "-o"),
    )
    tasks: tuple[str, ...] = option(
        (), "Tasks to include, comma-separated; all by default.", flags=("--task",)
    )
    add: bool = option(
        False,
        "Store the scores in the collection, which must be a collection folder; scores of the "
        "same metrics are replaced.",
        flags=("--add",),
    )
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)

    def check(self) -> None:
        """Raise an error early if the result could not be written."""
        is_path = isinstance(self.source, str | Path)
        if self.add and not (is_path and Path(str(self.source)).is_dir()):
            hint = "make one with `pyramidion convert`, or write the scores with -o"
            raise InputError("scores can be added to a collection folder only", hint)
        if self.output is None or in_parts(self.source):
            return
        if is_path and not self.output.suffix and is_parts(str(self.source)):
            message = "the parts of this folder contain no records that can be scored"
            hint = 'a line is {"topic": "", "system": "", "peer": "", "references": [""]}'
            raise InputError(message, hint, where=Where(str(self.source)))
        require_scores_file(self.output)

    def with_references(self) -> Any:
        """Return the source, or plain texts with their references."""
        if not self.references:
            return self.source
        if not isinstance(self.source, str | Path):
            hint = "leave out --references, or name a file"
            raise InputError("references from other files are only for plain texts", hint)
        collection = read_plain_texts(Path(self.source), [Path(path) for path in self.references])
        return with_findings(collection, Where(self.source))

    def resolve_metrics(self) -> dict[str, Metric]:
        """Return the metrics by the name of their column."""
        names = ("stem", "stop_words", "words", "bytes", "alpha", "tokenizer", "exact", "language")
        rouge_options = {name: getattr(self, name) for name in names}
        return resolve_metrics(
            self.metrics, rouge_options | {"models": "best" if self.best else "average"}
        )

    @property
    def shows_words(self) -> bool:
        """Whether the table has numbers of words, as the default one does."""
        return self.metrics == DEFAULT_MEASURES

    def writing(self) -> AbstractContextManager[WriteRows | None]:
        """Open the output file, if any."""
        return nullcontext(None) if self.output is None else writing_scores(self.output)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScoreResult(Result[dict[str, Any]]):
    """Each system's means, and the scores of every summary for `compare`.

    Parameters
    ----------
    scores
        The scores of every summary of a collection; None for a stream.
    """

    scores: Scores | None = None


def _result(
    options: ScoreOptions,
    metrics: Mapping[str, Metric],
    means: SystemMeans,
    data: str,
    left_out: Iterable[str],
    n_wordless: int,
    scores: Scores | None = None,
) -> ScoreResult:
    """Average the scores, and put the means into a table."""
    records, tokenizer_names = (
        list(means.results(metrics, seed=options.seed)),
        tokenizers(metrics.values()),
    )
    ascii_note = f"the words of {counted(n_wordless, 'summary', 'summaries')}: {_ASCII_HINT}"
    jackknife = "on" if options.jackknife else ""
    return ScoreResult(
        command="score",
        signature=signed(
            describe_run(metrics.values()),
            data,
            options.seed,
            tok="+".join(tokenizer_names),
            jackknife=jackknife,
        ),
        values=records,
        tables=[means_table(records, means.words(), means.length_note(metrics))],
        left_out=(*left_out, *([ascii_note] if n_wordless and "rouge" in tokenizer_names else [])),
        scores=scores,
    )


@question
def score(options: ScoreOptions, engine: PartsOptions) -> ScoreResult:
    """Score every summary with automatic metrics, and show each system's means.

    A folder of parts (JSONL or Parquet files of stream records) is scored part by part into the
    folder that --output names. With --engine, workers share its parts, a single large file, or the
    topics of a collection.

    Examples
    --------
    >>> from pyramidion import Collection, Summary
    >>> summaries = (Summary("T1", "A", "It rained.", kind="human"), Summary("T1", "7", "Rain."))
    >>> result = score(Collection("mine", summaries=summaries), metrics="rouge-2")
    >>> [(mean["system"], mean["mean"]) for mean in result]
    [('7', 0.0)]
    >>> result.scores
    <Scores: 1 rows, measures rouge-2-f>
    """
    metrics = options.resolve_metrics()  # report typing errors before anything is read
    for metric in metrics.values():
        if isinstance(metric, UserMetric) and metric.costs:
            options.progress.message(f"{metric}: {metric.costs}")
    is_detected = isinstance(options.source, str | Path) and options.source_format in (
        None,
        "stream",
    )
    # A source that is repaired while it is read is held in memory as a whole.
    is_detected = is_detected and not (options.columns or options.exclude or options.references)
    # A stream is scored without its documents.
    needs_documents = any("documents" in metric.needs for metric in metrics.values())
    needs_documents = needs_documents and ALL not in options.metrics
    source = str(options.source)
    if is_detected and in_parts(options.source):
        result = _score_parts(source, options, metrics, engine)
    elif is_detected and not needs_documents and (options.source_format or is_stream(source)):
        with options.writing() as write_rows:
            result = _score_stream(source, options, metrics, engine, write_rows)
    else:
        collection = options.read_source(options.with_references())
        complete_collection, collection = collection, _select_tasks(collection, options.tasks)
        checkpointing = _open_checkpoint(collection, options, metrics)
        with (
            engine.opened() as workers,
            checkpointing as checkpoint,
            options.writing() as write_rows,
        ):
            result = _score_collection(
                collection, options, metrics, workers, checkpoint, write_rows
            )
        if options.add:
            _add_scores(complete_collection, result, metrics, options)
    if options.output is not None and not result.in_parts:
        options.progress.message(f"wrote {options.output}")
    return result


def _select_tasks(collection: Collection, tasks: Sequence[str]) -> Collection:
    """Keep the summaries of some tasks, and the references that came before an update."""
    if not tasks:
        return collection
    for task in tasks:
        if task not in collection.task_ids:
            names = ", ".join(name or "''" for name in collection.task_ids)
            raise NotFoundError(f"there is no task {task!r}", f"tasks: {names}")
    selected_tasks = [collection.task(task) for task in tasks]
    earlier_tasks = {
        task.id
        for task in collection.tasks
        if task.id not in tasks and any(map(task.precedes, selected_tasks))
    }
    summaries = tuple(
        summary if summary.task in tasks else replace(summary, role="reference")
        for summary in collection.summaries
        if summary.task in tasks or (summary.task in earlier_tasks and summary.is_reference)
    )
    return replace(collection, summaries=summaries)


def _add_scores(
    complete_collection: Collection,
    result: ScoreResult,
    metrics: Mapping[str, Metric],
    options: ScoreOptions,
) -> None:
    """Write the collection again with the new scores, replacing those of the same metrics."""
    assert result.scores is not None
    columns = complete_collection.scores.columns
    computed_measures = {record["measure"] for record in result}
    is_replaced = np.isin(columns["measure"], list(computed_measures))
    is_replaced &= np.isin(columns["task"], options.tasks) if options.tasks else True
    n_replaced = int(is_replaced.sum())
    scores = Scores.concatenate([complete_collection.scores.rows(~is_replaced), result.scores])
    lower_is_better = [
        name
        for name, metric in metrics.items()
        if isinstance(metric, UserMetric)
        and name in computed_measures
        and not metric.higher_is_better
    ]
    measures = {
        **complete_collection.measures,
        **dict.fromkeys(lower_is_better, Measure(lower_is_better=True)),
    }
    replace(complete_collection, scores=scores, measures=measures).save(
        str(options.source), replace=True
    )
    suffix = f", {counted(n_replaced, 'old one')} replaced" if n_replaced else ""
    scores_text = counted(len(result.scores), "score")
    options.progress.message(f"added {scores_text} to {options.source}{suffix}")


def _score_collection(
    collection: Collection,
    options: ScoreOptions,
    metrics: Mapping[str, Metric],
    engine: Engine,
    checkpoint: Checkpoint | None,
    write_rows: WriteRows | None,
) -> ScoreResult:
    scored_names: list[str] = []

    def finished(name: str, column: Floats, n_remaining: int) -> None:
        scored_names.append(name)
        options.progress.advance(len(scored_names), len(scored_names) + n_remaining)
        if checkpoint is not None and metrics[name].cache_key not in checkpoint.columns:
            checkpoint.add(metrics[name].cache_key, column)

    collection_scores = score_collection(
        collection,
        metrics,
        jackknife=options.jackknife,
        threads=options.threads or os.cpu_count() or 1,
        skip=ALL in options.metrics,
        computed=_computed_columns(metrics, checkpoint),
        progress=finished,
        checkpoint=checkpoint,
        engine=engine,
    )
    means = SystemMeans()
    word_counts = [len(summary.plain.split()) for summary in collection_scores.summaries]
    means.add(
        collection_scores.summaries,
        collection_scores.values,
        word_counts if options.shows_words else None,
    )
    means.require_any()
    if write_rows is not None:
        write_rows(collection_scores.scores)
    n_wordless = sum(has_no_word(summary.plain) for summary in collection_scores.summaries)
    left_out = (*collection.left_out, *collection_scores.left_out)
    data = collection.data_hash
    return _result(
        options,
        collection_scores.metrics,
        means,
        data,
        left_out,
        n_wordless,
        collection_scores.scores,
    )


def _computed_columns(
    metrics: Mapping[str, Metric], checkpoint: Checkpoint | None
) -> dict[str, Floats]:
    columns = {} if checkpoint is None else checkpoint.columns
    names = {name: metric.cache_key for name, metric in metrics.items()}
    return {name: columns[cache_key] for name, cache_key in names.items() if cache_key in columns}


@contextmanager
def _open_checkpoint(
    collection: Collection, options: ScoreOptions, metrics: Mapping[str, Metric]
) -> Iterator[Checkpoint | None]:
    """Open a checkpoint next to the output file, if there is one and saving is worthwhile."""
    slow_metrics = [metric for metric in metrics.values() if metric.is_slow]
    if options.output is None or (len(metrics) < 2 and not slow_metrics):
        yield None
        return
    path, report = Path(f"{options.output}.partial"), options.progress.message
    n_peers = sum(summary.is_peer for summary in collection.summaries)
    # The signature has everything a column depends on besides its metric.
    jackknife = "|jackknife" if options.jackknife else ""
    signature = f"v{pyramidion.__version__}|data:{collection.data_hash}{jackknife}"
    checkpoint = Checkpoint(path, signature, n_peers)
    if checkpoint.is_unwritable:
        report(f"{path} is an unrelated file, so nothing is saved if this run is interrupted")
    elif checkpoint.is_stale:
        report(f"{path} belongs to another version, other data or options: it is not used")
    elif columns := _computed_columns(metrics, checkpoint):
        report(f"resuming: {path} has {len(columns)} of {len(metrics)} metrics")
    for metric in slow_metrics:
        if saved_scores := checkpoint.items.get(metric.cache_key):
            report(f"resuming: {path} has {len(saved_scores):,} of {n_peers:,} scores of {metric}")
    try:
        yield checkpoint
    except BaseException:
        n_finished = len(_computed_columns(metrics, checkpoint))
        if (n_finished or checkpoint.items) and path.exists() and not checkpoint.is_unwritable:
            n_items = sum(
                len(checkpoint.items.get(metric.cache_key, ())) for metric in slow_metrics
            )
            scores_text = f" and {counted(n_items, 'score')} of others" if n_items else ""
            finished = f"{n_finished} of {len(metrics)} metrics{scores_text}"
            report(f"{finished} saved in {path} for the next run")
        raise
    checkpoint.remove()


def _score_stream(
    source: str,
    options: ScoreOptions,
    requested_metrics: Mapping[str, Metric],
    engine: PartsOptions,
    write_rows: WriteRows | None,
) -> ScoreResult:
    """Score a stream one batch at a time, to limit memory."""
    refuse_ineffective(options, "tasks", source="a stream")
    if options.jackknife:
        message = "a stream does not name the writers of its references"
        raise InputError(message, hint="jackknife a collection")
    totals = _StreamTotals(source)
    pieces = _PeekablePieces(cut_for_workers(source))
    is_in_process = engine.engine == "in-process"
    items = totals.checked_items.all(read_stream(source)) if is_in_process else pieces.items()
    # A stream is read only once, so its first items determine the script.
    first_items = tuple(islice(items, BATCH_SIZE))
    if not first_items:
        raise Where(source).error("the file is empty", "one JSON object per line")
    non_ascii_share = other_letters(
        text for item in first_items for text in (item.peer, *item.references)
    )
    require = partial(require_streamable, share=non_ascii_share)
    metrics, missing_requirements = possible_metrics(
        requested_metrics, require, skip=ALL in options.metrics
    )
    metrics = {name: with_tokenizer(metric, non_ascii_share) for name, metric in metrics.items()}
    suffix = None if options.output is None else options.output.suffix
    if is_in_process:
        row_batches = _ScorePiece(metrics, suffix, options.shows_words).score_items(
            chain(first_items, items), totals, options.threads
        )
        for rows in row_batches:
            if write_rows is not None:
                write_rows(rows)
    else:
        for name, metric in metrics.items():
            require_separable(name, metric, "score them without --engine")
        _score_on_workers(
            source,
            pieces,
            _ScorePiece(metrics, suffix, options.shows_words),
            engine,
            totals,
            write_rows,
        )
    totals.means.require_any()
    left_out, stream_checks = (
        (*missing_requirements, *totals.undefined.lines(metrics)),
        totals.checked_items,
    )
    warn_findings(stream_checks.merge_checks().problems(), Where(source))
    return _result(
        options, metrics, totals.means, stream_checks.digest, left_out, stream_checks.wordless
    )


class _StreamTotals:
    """Totals collected while a stream, or a piece of one, is scored."""

    def __init__(self, source: str | None = None) -> None:
        self.means, self.checked_items, self.undefined = (
            SystemMeans(),
            _CheckedItems(source),
            UndefinedCounts(),
        )

    def add(self, other: "_StreamTotals") -> None:
        """Add the next piece."""
        self.checked_items.add(other.checked_items)
        self.means.join(other.means)
        self.undefined.join(other.undefined)


@dataclass(frozen=True)
class _ScorePiece:
    """Scores a piece of a stream, on a worker."""

    metrics: Mapping[str, Metric]
    suffix: str | None
    shows_words: bool

    def __call__(self, piece: Piece) -> tuple[_StreamTotals, list[bytes | Scores]]:
        """Return its totals, and its rows in the format of the output."""
        totals = _StreamTotals()
        items = totals.checked_items.all(_piece_items(piece))
        with piece.locating():
            rows = list(self.score_items(items, totals, threads=1))
        return totals, [b"".join(rows)] if _are_all_bytes(rows) else rows

    def score_items(
        self, items: Iterable[StreamItem], totals: _StreamTotals, threads: int | None
    ) -> Iterator[bytes | Scores]:
        """Score items batch by batch, and return their rows if there is an output."""
        for batch in score_items(items, tuple(self.metrics.values()), threads=threads):
            peers = (item.peer for item in batch.items) if self.shows_words else ()
            texts = [peer if isinstance(peer, str) else " ".join(peer) for peer in peers]
            words = [len(text.split()) for text in texts]
            totals.means.add(batch.items, batch.values, words or None)
            for name, column in zip(self.metrics, batch.values.T, strict=True):
                totals.undefined.add(name, batch.items, np.isnan(column), UNDEFINED_REASON)
            if self.suffix is not None:
                scores = Scores.of_items(batch.items, tuple(self.metrics), batch.values)
                yield encode_scores(scores, self.suffix)


def _are_all_bytes(pieces: list[bytes | Scores]) -> TypeGuard[list[bytes]]:
    return bool(pieces) and all(isinstance(piece, bytes) for piece in pieces)


class _PeekablePieces:
    """Pieces of a stream; the first ones are read in this process before workers get them."""

    def __init__(self, pieces: Iterator[Piece]) -> None:
        self._pieces = pieces
        self._read: list[Piece] = []

    def items(self) -> Iterator[StreamItem]:
        """Read items in this process."""
        for piece in self._pieces:
            self._read.append(piece)
            with piece.locating():
                yield from _piece_items(piece)

    def __iter__(self) -> Iterator[Piece]:
        return chain(self._read, self._pieces)


def _score_on_workers(
    source: str,
    pieces: _PeekablePieces,
    score_piece: _ScorePiece,
    engine: PartsOptions,
    totals: _StreamTotals,
    write_rows: WriteRows | None,
) -> None:
    """Score the pieces of a stream on workers, and merge what they return."""
    with engine.opened() as workers:
        require_ready(workers, *([] if source == "-" else [absolute(source)]))
        for piece_totals, rows in workers.map(score_piece, pieces):
            totals.add(piece_totals)
            if write_rows is not None:
                for piece_rows in rows:
                    write_rows(piece_rows)


def _piece_items(piece: Piece) -> Iterator[StreamItem]:
    """Read the items of a piece."""
    if not piece.is_parquet:
        yield from read_stream(piece.where.path, piece.lines())
        return
    for record in piece.records():
        if isinstance(record, Unread):
            raise record.error
        yield StreamItem.from_record(record)


def _score_parts(
    source: str,
    options: ScoreOptions,
    requested_metrics: Mapping[str, Metric],
    engine: PartsOptions,
) -> ScoreResult:
    """Score a folder of parts, each into a part of the same name."""
    refuse_ineffective(options, "tasks", "add")
    if options.jackknife:
        raise InputError("a folder of parts cannot be jackknifed", hint="jackknife a collection")
    if options.output is not None:
        engine = replace(engine, parts_to=str(options.output))
    fields = score_parts(source, requested_metrics, engine, skip=ALL in options.metrics)
    return ScoreResult(command="score", **fields)


class _CheckedItems:
    """Passes items on, hashes them, and raises an error for a repeated one."""

    def __init__(self, source: str | None) -> None:
        # None on a worker, which has one piece only: repeats are refused when pieces are merged.
        self._source = source
        self._digest_sum = 0
        self._other_checks: list[StreamChecks] = []
        self.checks = StreamChecks()
        self.wordless = 0

    def all(self, items: Iterable[StreamItem]) -> Iterator[StreamItem]:
        for batch in batches(items, BATCH_SIZE):
            # Repeated items are refused before the batch is scored.
            self.checks.add(batch)
            if self.checks.repeated and self._source is not None:
                raise self._repeated_error(batch)
            self.wordless += sum(map(has_no_word, [item.peer for item in batch]))
            self._digest_sum += items_digest(batch)
            yield from batch

    def add(self, other: "_CheckedItems") -> None:
        """Add items that were checked elsewhere."""
        self._other_checks.append(other.checks)
        self._digest_sum += other._digest_sum
        self.wordless += other.wordless

    def merge_checks(self) -> StreamChecks:
        """Merge all checks, and raise an error for repeated items."""
        if self._other_checks:
            self.checks = StreamChecks.merged([self.checks, *self._other_checks])
            self._other_checks = []
            if self.checks.repeated:
                raise self._repeated_error([])
        return self.checks

    def _repeated_error(self, batch: Sequence[StreamItem]) -> FormatError:
        """Read a file (not standard input) again to name both lines."""
        source = self._source or "-"
        items = read_stream(source) if Path(source).is_file() else batch
        return repeated_error(items, self.checks.repeated, self.checks.repeated_name())

    @property
    def digest(self) -> str:
        return f"{self._digest_sum % 2**32:08x}"
