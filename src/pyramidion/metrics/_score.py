"""Score every summary of a collection or a stream, and show each system's means."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import pyramidion
from pyramidion._types import Floats
from pyramidion.collection import Collection, Measure, Scores
from pyramidion.collection._options import argument, option
from pyramidion.collection._questions import Options, Progress, question
from pyramidion.collection._sources import read_source
from pyramidion.collection.formats._scores import require_scores_file, writing_scores
from pyramidion.engine._jobs import PartsOptions, refuse_unheeded
from pyramidion.engine._parts import in_parts, is_parts, is_stream
from pyramidion.errors import FormatError, InputError, NotFoundError, Where
from pyramidion.metrics._checkpoint import Checkpoint
from pyramidion.metrics._frames import score_parts
from pyramidion.metrics._metric import Metric
from pyramidion.metrics._own import OwnMetric
from pyramidion.metrics._registry import ALL, resolve_metrics, run_text, tokenizers
from pyramidion.metrics._scoring import (
    UNDEFINED,
    Undefined,
    possible_metrics,
    require_streamable,
    score_collection,
    score_items,
    seeing,
)
from pyramidion.metrics._system_means import SystemMeans, means_table
from pyramidion.report.labels import counted
from pyramidion.report.result import Result, signed
from pyramidion.rouge._results import BATCH_SIZE, StreamItem, read_stream
from pyramidion.text._encoding import has_no_word, other_letters

_UNREAD = "the tokenizer rouge knows ASCII only; try --tokenizer unicode"


@dataclass(frozen=True, slots=True)
class ScoreOptions(Options):
    """What to score, with which metrics."""

    source: Collection | str | Path = argument(
        "Collection in any format, or a JSONL stream of {topic, system, peer, references}; - "
        "for standard input."
    )
    measures: tuple[str, ...] = option(
        ("rouge-1", "rouge-2", "rouge-l", "rouge-1-ns"),
        "Metrics to compute, comma-separated, such as rouge-2-r, su4, js-input or bleu(n=2), "
        "or all; `pyramidion metrics` lists them. A bare rouge-2 means its F score; rouge-1-ns is "
        "recall of stemmed words without stop words.",
        flags=("--measures", "-m"),
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
        "where many letters of the texts are not ASCII.",
        metavar="NAME",
    )
    language: str | None = option(
        None,
        "ROUGE: language of the texts, such as de; decides the stemmer and the tokenizer.",
        metavar="CODE",
    )
    exact: bool = option(
        False,
        "Reproduce the numbers of ROUGE-1.5.5 to the last digit, including its quirks.",
        flags=("--exact",),
    )
    jackknife: bool = option(
        False,
        "Score machines against all references but one in turn, as people are scored.",
        flags=("--jackknife",),
    )
    source_format: str | None = option(
        None, "Format of the source; detected by default.", flags=("--from",), metavar="FORMAT"
    )
    threads: int | None = option(None, "Number of threads; one per core by default.", min=1)
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)
    output: Path | None = option(
        None,
        "Write the scores of every summary to this file (.csv, .tsv, .jsonl or .parquet); an "
        "interrupted run on a collection resumes where it stopped.",
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
    progress: Progress = option(Progress(), "Receives progress updates.", typed=False)

    def check(self) -> None:
        """Raise an error before the work if its result could not be written."""
        by_path = isinstance(self.source, str | Path)
        if self.add and not (by_path and Path(str(self.source)).is_dir()):
            hint = "make one with `pyramidion convert`, or write the scores with -o"
            raise InputError("scores can be added to a collection folder only", hint)
        if self.output is None or in_parts(self.source):
            return
        if by_path and not self.output.suffix and is_parts(str(self.source)):
            what = "the parts of this folder hold no records that can be scored"
            hint = 'a line is {"topic": "", "system": "", "peer": "", "references": [""]}'
            raise InputError(what, hint, where=Where(str(self.source)))
        require_scores_file(self.output)

    @property
    def metrics(self) -> dict[str, Metric]:
        """The metrics by the name of their column."""
        names = ("stem", "stop_words", "words", "bytes", "alpha", "tokenizer", "exact", "language")
        rouge = {name: getattr(self, name) for name in names}
        return resolve_metrics(
            self.measures, rouge | {"models": "best" if self.best else "average"}
        )

    def writing(self) -> AbstractContextManager[Callable[[Scores], None] | None]:
        """Open the table of scores, if there is one."""
        return nullcontext(None) if self.output is None else writing_scores(self.output)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScoreResult(Result[dict[str, Any]]):
    """Each system's means, and the scores of every summary for `compare`.

    Parameters
    ----------
    scores
        The scores of every summary of a collection; None for a stream, which is not kept.
    """

    scores: Scores | None = None


def _result(
    options: ScoreOptions,
    metrics: Mapping[str, Metric],
    means: SystemMeans,
    data: str,
    left_out: Iterable[str],
    wordless: int,
    scores: Scores | None = None,
) -> ScoreResult:
    """Average the scores, and put the means into a table."""
    records, used = list(means.results(metrics, seed=options.seed)), tokenizers(metrics.values())
    unread = f"the words of {counted(wordless, 'summary', 'summaries')}: {_UNREAD}"
    jackknife = "on" if options.jackknife else ""
    return ScoreResult(
        command="score",
        signature=signed(
            run_text(metrics.values()), data, options.seed, tok="+".join(used), jackknife=jackknife
        ),
        values=records,
        tables=[means_table(records)],
        left_out=(*left_out, *([unread] if wordless and "rouge" in used else [])),
        scores=scores,
    )


@question
def score(options: ScoreOptions, engine: PartsOptions) -> ScoreResult:
    """Score every summary with automatic metrics, and show each system's means.

    A folder of parts (JSONL or Parquet files of stream records) is scored part by part into the
    folder that --output names, on all cores or on a cluster if asked.

    Examples
    --------
    >>> from pyramidion import Collection, Summary
    >>> summaries = (Summary("T1", "A", "It rained.", kind="human"), Summary("T1", "7", "Rain."))
    >>> result = score(Collection("mine", summaries=summaries), measures="rouge-2")
    >>> [(mean["system"], mean["mean"]) for mean in result]
    [('7', 0.0)]
    >>> result.scores
    <Scores: 1 rows, measures rouge-2-f>
    """
    metrics = options.metrics  # typing errors are reported before anything is read
    for metric in metrics.values():
        if isinstance(metric, OwnMetric) and metric.costs:
            options.progress.message(f"{metric}: {metric.costs}")
    by_path = isinstance(options.source, str | Path)
    if by_path and options.source_format is None and in_parts(options.source):
        result = _score_parts(str(options.source), options, metrics, engine)
    elif by_path and options.source_format is None and is_stream(str(options.source)):
        engine.tell_unheeded()
        with options.writing() as write:
            result = _score_stream(str(options.source), options, metrics, write)
    else:
        engine.tell_unheeded()
        collection = read_source(options.source, format=options.source_format)
        whole, collection = collection, _of_tasks(collection, options.tasks)
        with _keeping(collection, options, metrics) as kept, options.writing() as write:
            result = _score_collection(collection, options, metrics, kept, write)
        if options.add:
            _add_scores(whole, result, metrics, options)
    if options.output is not None and not result.in_parts:
        options.progress.message(f"wrote {options.output}")
    return result


def _of_tasks(collection: Collection, tasks: Sequence[str]) -> Collection:
    """Keep the summaries of some tasks."""
    if not tasks:
        return collection
    for task in tasks:
        if task not in collection.task_ids:
            known = ", ".join(name or "''" for name in collection.task_ids)
            raise NotFoundError(f"there is no task {task!r}", f"there are: {known}")
    kept = tuple(summary for summary in collection.summaries if summary.task in tasks)
    return replace(collection, summaries=kept)


def _add_scores(
    whole: Collection, result: ScoreResult, metrics: Mapping[str, Metric], options: ScoreOptions
) -> None:
    """Write the collection again with the new scores, replacing those of the same metrics."""
    assert result.scores is not None
    columns = whole.scores.columns
    computed = {record["measure"] for record in result}
    old = np.isin(columns["measure"], list(computed))
    old &= np.isin(columns["task"], options.tasks) if options.tasks else True
    replaced = int(old.sum())
    scores = Scores.concatenate([whole.scores.rows(~old), result.scores])
    own = {name: one for name, one in metrics.items() if isinstance(one, OwnMetric)}
    lower = [name for name in own if name in computed and not own[name].higher_is_better]
    measures = {**whole.measures, **dict.fromkeys(lower, Measure(lower_is_better=True))}
    replace(whole, scores=scores, measures=measures).save(str(options.source), replace=True)
    again = f", {counted(replaced, 'old one')} replaced" if replaced else ""
    added = counted(len(result.scores), "score")
    options.progress.message(f"added {added} to {options.source}{again}")


def _score_collection(
    collection: Collection,
    options: ScoreOptions,
    metrics: Mapping[str, Metric],
    kept: Checkpoint | None,
    write: Callable[[Scores], None] | None,
) -> ScoreResult:
    done: list[str] = []

    def finished(name: str, column: Floats, left: int) -> None:
        done.append(name)
        options.progress.advance(len(done), len(done) + left)
        if kept is not None and metrics[name].kept_as not in kept.columns:
            kept.add(metrics[name].kept_as, column)

    found = score_collection(
        collection,
        metrics,
        jackknife=options.jackknife,
        threads=options.threads or os.cpu_count() or 1,
        skip=ALL in options.measures,
        known=_known(metrics, kept),
        progress=finished,
        kept=kept,
    )
    means = SystemMeans()
    means.add(found.summaries, found.values)
    means.require_any()
    if write is not None:
        write(found.scores)
    wordless = sum(has_no_word(summary.plain) for summary in found.summaries)
    left_out = (*collection.left_out, *found.left_out)
    data = collection.data_hash
    return _result(options, found.metrics, means, data, left_out, wordless, found.scores)


def _known(metrics: Mapping[str, Metric], kept: Checkpoint | None) -> dict[str, Floats]:
    columns = {} if kept is None else kept.columns
    names = {name: metric.kept_as for name, metric in metrics.items()}
    return {name: columns[kept_as] for name, kept_as in names.items() if kept_as in columns}


@contextmanager
def _keeping(
    collection: Collection, options: ScoreOptions, metrics: Mapping[str, Metric]
) -> Iterator[Checkpoint | None]:
    """Keep finished metrics beside the output while others are computed."""
    slow = [metric for metric in metrics.values() if metric.is_slow]
    if options.output is None or (len(metrics) < 2 and not slow):
        yield None
        return
    path, tell = Path(f"{options.output}.partial"), options.progress.message
    peers = sum(summary.is_peer for summary in collection.summaries)
    # What a column depends on besides its metric.
    jackknife = "|jackknife" if options.jackknife else ""
    signature = f"v{pyramidion.__version__}|data:{collection.data_hash}{jackknife}"
    kept = Checkpoint(path, signature, peers)
    if kept.is_unwritable:
        tell(f"{path} is in the way: nothing is kept if this run is interrupted")
    elif kept.is_stale:
        tell(f"{path} is of another version, other data or options, and not used")
    elif known := _known(metrics, kept):
        tell(f"{len(known)} of {len(metrics)} metrics were finished in {path}")
    for metric in slow:
        if done := kept.items.get(metric.kept_as):
            tell(f"{len(done):,} of {peers:,} summaries were scored by {metric} in {path}")
    try:
        yield kept
    except BaseException:
        finished = len(_known(metrics, kept))
        if (finished or kept.items) and path.exists() and not kept.is_unwritable:
            items = sum(len(kept.items.get(metric.kept_as, ())) for metric in slow)
            more = f" and {counted(items, 'score')} of others" if items else ""
            tell(f"{finished} of {len(metrics)} metrics{more} are kept in {path} for the next run")
        raise
    kept.remove()


def _score_stream(
    source: str,
    options: ScoreOptions,
    asked: Mapping[str, Metric],
    write: Callable[[Scores], None] | None,
) -> ScoreResult:
    """Score the items of a stream one batch at a time, in little memory."""
    refuse_unheeded(options, "tasks", by="a stream")
    if options.jackknife:
        what = "a stream does not say who wrote its references"
        raise InputError(what, hint="jackknife a collection")
    means, checked, undefined = SystemMeans(), _Checked(), Undefined()
    items = checked.all(read_stream(source))
    # A stream is read only once, so its first items decide about the script.
    first = tuple(islice(items, BATCH_SIZE))
    share = other_letters(text for item in first for text in (item.peer, *item.references))
    require = partial(require_streamable, share=share)
    metrics, lacking = possible_metrics(asked, require, skip=ALL in options.measures)
    metrics = {name: seeing(metric, share) for name, metric in metrics.items()}
    every = chain(first, items)
    for batch in score_items(every, tuple(metrics.values()), threads=options.threads):
        means.add(batch.items, batch.values)
        for name, column in zip(metrics, batch.values.T, strict=True):
            undefined.add(name, batch.items, np.isnan(column), UNDEFINED)
        if write is not None:
            write(Scores.of_items(batch.items, tuple(metrics), batch.values))
    means.require_any()
    left_out = (*lacking, *undefined.lines())
    return _result(options, metrics, means, checked.digest, left_out, checked.wordless)


def _score_parts(
    source: str, options: ScoreOptions, asked: Mapping[str, Metric], engine: PartsOptions
) -> ScoreResult:
    """Score a folder of parts, each into a part of the same name."""
    refuse_unheeded(options, "tasks", "add")
    if options.jackknife:
        raise InputError("a folder of parts cannot be jackknifed", hint="jackknife a collection")
    if options.output is not None:
        engine = replace(engine, parts_to=str(options.output))
    found = score_parts(source, asked, engine, skip=ALL in options.measures)
    return ScoreResult(command="score", **found)


class _Checked:
    """Passes items on, raises an error for a repeated one, and hashes them all."""

    def __init__(self) -> None:
        self._recent: dict[int, StreamItem] = {}
        # Sorted, each much shorter than the one before: eight bytes per item.
        self._seen: list[npt.NDArray[np.uint64]] = []
        self._sum = 0
        self.wordless = 0

    def all(self, items: Iterable[StreamItem]) -> Iterator[StreamItem]:
        for item in items:
            address = _joined(item.task, item.topic, item.system)
            key = hashlib.blake2b(address, digest_size=16).digest()
            number = int.from_bytes(key[:8], "big")
            if number in self._recent:
                raise _twice(item)
            self._recent[number] = item
            self.wordless += has_no_word(item.peer)
            # A sum of hashes does not depend on the order of the items.
            content = key + _joined(item.peer, *item.references)
            self._sum += int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big")
            # Before the last of a batch, which is then not scored.
            if len(self._recent) == BATCH_SIZE:
                self._settle()
            yield item
        self._settle()

    def _settle(self) -> None:
        """Look for recent items among all before them."""
        keys = np.array(sorted(self._recent), np.uint64)
        for seen in self._seen:
            places = np.minimum(np.searchsorted(seen, keys), len(seen) - 1)
            known = {*keys[seen[places] == keys].tolist()}
            for number, item in self._recent.items():
                if number in known:
                    raise _twice(item)
        self._recent.clear()
        self._seen += [keys] if len(keys) else []
        while len(self._seen) > 1 and len(self._seen[-2]) < 8 * len(self._seen[-1]):
            self._seen[-2:] = [np.sort(np.concatenate(self._seen[-2:]), kind="stable")]

    @property
    def digest(self) -> str:
        return f"{self._sum % 2**32:08x}"


def _twice(item: StreamItem) -> FormatError:
    hint = "keep one for each task, topic and system"
    return FormatError(f"{item.name} occurs twice", where=item.where, hint=hint)


def _joined(*texts: object) -> bytes:
    return "\0".join(map(str, texts)).encode("utf-8", "surrogatepass")
