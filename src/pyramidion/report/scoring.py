"""Scores of every summary, and each system's means."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from pyramidion.collection import Scores, Signature
from pyramidion.collection.formats import read_collection
from pyramidion.collection.formats.scores import FORMAT as SCORES
from pyramidion.collection.formats.scores_stream import writing_scores
from pyramidion.errors import InputError, Where
from pyramidion.metrics._system_means import means_table
from pyramidion.metrics.run import run_text, tokenizers
from pyramidion.report.answer import Answer
from pyramidion.report.score_request import Scored, ScoreRequest, Watcher
from pyramidion.report.scoring_collection import keeping, score_the_collection
from pyramidion.report.scoring_stream import is_stream, score_the_stream

__all__ = ["ScoreRequest", "Watcher", "score_answer"]


def score_answer(
    source: str | Path,
    request: ScoreRequest,
    *,
    output: str | Path | None = None,
    watcher: Watcher | None = None,
) -> Answer:
    """Score a collection or a stream.

    Parameters
    ----------
    source
        A collection in any format, or a JSONL stream of items.
    request
        What to compute.
    output
        Where every summary's scores are written, if anywhere. Finished metrics of an interrupted
        run on a collection are kept beside it, in a file that ends in ``.partial``.
    watcher
        Who looks on.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Collection, Summary
    >>> summaries = (Summary("T1", "A", "It rained.", kind="human"), Summary("T1", "7", "Rain."))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("mine", summaries=summaries).save(f"{folder}/mine")
    ...     answer = score_answer(f"{folder}/mine", ScoreRequest(("rouge-2",)))
    >>> [(result["system"], result["mean"]) for result in answer.results]
    [('7', 0.0)]
    """
    _require_form(output)
    # What is typed wrongly is told before anything is read.
    _ = request.metrics
    if str(source) == "-" or (request.source_format is None and is_stream(source)):
        with _writing(output) as write:
            scored = score_the_stream(source, request, write)
    else:
        scored = _score_collection(source, request, output, watcher or Watcher())
    return _answer(scored, request)


def _score_collection(
    source: str | Path, request: ScoreRequest, output: str | Path | None, watcher: Watcher
) -> Scored:
    collection = read_collection(source, format=request.source_format)
    with keeping(output, collection, request, watcher) as kept, _writing(output) as write:
        return score_the_collection(collection, request, kept=kept, write=write, watcher=watcher)


def _answer(scored: Scored, request: ScoreRequest) -> Answer:
    metrics = scored.metrics.values()
    results = list(scored.means.results(scored.metrics, seed=request.seed))
    details = [("tok", "+".join(tokenizers(metrics)))]
    if request.jackknife:
        details.append(("jackknife", "on"))
    signature = Signature(
        run_text(metrics), data=scored.data, seed=request.seed, details=tuple(details)
    )
    left_out = (*scored.left_out, *_wordless_line(scored))
    return Answer("score", signature, results, (means_table(results),), left_out)


def _require_form(output: str | Path | None) -> None:
    """Refuse a file that could not be written before the work, not after it."""
    if output is not None and Path(output).suffix not in SCORES.suffixes:
        hint = f"use {', '.join(SCORES.suffixes)}"
        raise InputError("no table of scores ends so", where=Where(output), hint=hint)


def _writing(
    output: str | Path | None,
) -> AbstractContextManager[Callable[[Scores], None] | None]:
    return writing_scores(output) if output is not None else nullcontext(None)


def _wordless_line(scored: Scored) -> tuple[str, ...]:
    if not scored.wordless or "rouge" not in tokenizers(scored.metrics.values()):
        return ()
    counted = "1 summary" if scored.wordless == 1 else f"{scored.wordless} summaries"
    return (
        f"the words of {counted}: the tokenizer rouge knows ASCII only; try --tokenizer unicode",
    )
