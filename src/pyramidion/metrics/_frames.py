"""Scores of data frames and of folders of parts, independent of how these are split."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, TypeVar, cast

import numpy as np

import pyramidion
from pyramidion._types import Floats
from pyramidion.collection.ids import grouped
from pyramidion.collection.stream import StreamItem
from pyramidion.engine.jobs import PartsOptions, StreamJob
from pyramidion.engine.pieces import first_records
from pyramidion.errors import InputError
from pyramidion.files.reading import Record
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import Metric
from pyramidion.metrics._scoring import (
    UNDEFINED_REASON,
    possible_metrics,
    require_streamable,
    score_cases,
    score_items,
    with_tokenizer,
)
from pyramidion.metrics.registry import describe_run, resolve_metrics, tokenizers
from pyramidion.metrics.system_means import means_table, require_any
from pyramidion.questions.options import UserText, split_names
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import signed
from pyramidion.rouge.results import BATCH_SIZE
from pyramidion.text.encoding import OTHER_SCRIPT_SHARE, other_letters

AnyFrame = TypeVar("AnyFrame")

#: The first determines the order of systems: R1ns agrees best with people on most sets.
DEFAULT_MEASURES = ("rouge-1-ns", "rouge-1", "rouge-2", "rouge-l")


@dataclass(frozen=True)
class ScoreJob(StreamJob):
    """Scores records of a stream, each a peer and its references."""

    #: One output per record, so that several parts can be scored at once.
    one_to_one: ClassVar[bool] = True

    metrics: Mapping[str, Metric]

    def __post_init__(self) -> None:
        for name, metric in self.metrics.items():
            require_separable(name, metric)

    @property
    def label(self) -> str:
        """What the scores depend on, including the code and models of other packages."""
        keys = "+".join(metric.cache_key for metric in self.metrics.values())
        return f"{describe_run(self.metrics.values())}|{keys}|v{pyramidion.__version__}"

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the scores."""
        return tuple(self.metrics)

    def of_items(self, items: Sequence[StreamItem]) -> list[dict[str, Any]]:
        """Score each item: its address and its scores."""
        values = _item_values(items, tuple(self.metrics.values()))
        rows = np.where(np.isnan(values), cast("Any", None), values).tolist()
        item_rows = zip(items, rows, strict=True)
        return [item.address | dict(zip(self.metrics, row, strict=True)) for item, row in item_rows]


def score_parts(
    source: str,
    requested_metrics: Mapping[str, Metric],
    engine: PartsOptions,
    *,
    skip: bool = False,
) -> dict[str, Any]:
    """Score a folder of parts, each into a part of the same name; return the fields of a result."""
    # As in a stream, the first records determine the script.
    first_items = (
        record for record in first_records(source, BATCH_SIZE) if isinstance(record, Record)
    )
    non_ascii_share = other_letters(text for record in first_items for text in _texts(record))
    require = partial(require_streamable, share=non_ascii_share)
    metrics, missing_requirements = possible_metrics(requested_metrics, require, skip=skip)
    job = ScoreJob(
        {name: with_tokenizer(metric, non_ascii_share) for name, metric in metrics.items()}
    )
    report = engine.run(job, source)
    directions = {name: metric.higher_is_better for name, metric in metrics.items()}
    means = report.means(job.measures)
    records = [mean | {"higher_is_better": directions[mean["measure"]]} for mean in means]
    require_any(mean["n"] for mean in records)
    undefined_lines = []
    for measure, counts in grouped((mean["measure"], mean["n"]) for mean in records).items():
        if n_undefined := report.records - sum(counts):
            undefined_lines.append(
                f"{measure} of {counted(n_undefined, 'summary', 'summaries')} {UNDEFINED_REASON}"
            )
    tokenizer_names, data = tokenizers(job.metrics.values()), f"{report.digest:016x}"
    return {
        "signature": signed(
            describe_run(job.metrics.values()), data, tok="+".join(tokenizer_names)
        ),
        "values": records,
        "tables": [means_table(records)],
        "left_out": (*missing_requirements, *undefined_lines, *engine.left_out(report)),
        "in_parts": True,
    }


def _texts(record: Record) -> Iterator[str | list[str]]:
    """Return the texts of a possibly malformed record."""
    references = record.data.get("references")
    for text in (record.data.get("peer"), *(references if isinstance(references, list) else ())):
        if isinstance(text, str | list):
            yield text


def _item_values(items: Sequence[StreamItem], metrics: Sequence[Metric]) -> Floats:
    values = [batch.values for batch in score_items(items, metrics, threads=1)]
    return np.concatenate(values) if values else np.empty((0, len(metrics)))


def require_separable(
    name: str, metric: Metric, hint: str = "score them in one piece, without parts"
) -> None:
    """Raise an error for a metric whose scores depend on the other summaries."""
    if not metric.per_case:
        raise InputError(f"{name} needs all summaries at once", hint)


def score_frame(
    frame: AnyFrame,
    metrics: str | Iterable[str] = DEFAULT_MEASURES,
    *,
    summary: str = "summary",
    references: str = "references",
    documents: str | None = None,
    **options: Any,
) -> AnyFrame:
    """Score the rows of a data frame: return it with a column for each metric.

    A row's scores depend on the row only, so engines may split data at will: pass this function to
    `mapInPandas` of Spark, `map_batches` of Ray Data or `map_partitions` of Dask.

    Parameters
    ----------
    frame
        A data frame of pandas, polars, or another library that narwhals supports.
    metrics
        Metrics, as in `pyramidion.score`.
    summary
        The column of summaries, texts or lists of sentences; if it does not exist, `peer`. A
        missing summary has no scores.
    references
        The column of references: a text or a list of texts in each row; it may be missing if no
        metric needs it.
    documents
        The column of source documents, for metrics that need them.
    **options
        Options of ROUGE, such as ``stem=True`` or ``tokenizer="unicode"``.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"summary": ["Rain fell."], "references": [["It rained.", "Rain."]]})
    >>> score_frame(frame, "rouge-1-r")["rouge-1-r"].round(3).tolist()
    [0.333]
    """
    import narwhals.stable.v2 as nw

    names = split_names(metrics) if isinstance(metrics, str) else metrics
    metrics_by_name = resolve_metrics(map(UserText, names), dict(options))
    table: Any = nw.from_native(cast("Any", frame), eager_only=True)
    if summary == "summary" not in table.columns and "peer" in table.columns:
        summary = "peer"  # as in a stream
    needs_references = any(
        "references" in need for metric in metrics_by_name.values() for need in metric.requirements
    )
    reads_references = needs_references or references in table.columns
    for name in (summary, *[references] * reads_references, *([documents] if documents else [])):
        if name not in table.columns:
            hint = f"columns: {', '.join(table.columns)}"
            raise InputError(f"there is no column {name!r}", hint)
    peers = ["\n".join(texts) for texts in _column_texts(table, summary)]
    reference_lists = _column_texts(table, references) if reads_references else [[] for _ in peers]
    sources = _column_texts(table, documents) if documents else []
    metrics_by_name = _with_fixed_tokenizer(
        metrics_by_name, [*peers, *(text for texts in reference_lists for text in texts)]
    )
    columns = _columns(metrics_by_name, peers, reference_lists, sources)
    is_missing = np.array(table[summary].is_null().to_list(), dtype=bool)
    series = [
        nw.new_series(
            name,
            np.where(is_missing, np.nan, column).tolist(),
            nw.Float64,
            backend=table.implementation,
        )
        for name, column in columns.items()
    ]
    return cast("AnyFrame", table.with_columns(*series).to_native())


def _column_texts(frame: Any, name: str) -> list[list[str]]:
    """Return the texts of each row; raise an error for other values."""
    rows: list[list[str]] = []
    for cell, is_missing in zip(
        frame[name].to_list(), frame[name].is_null().to_list(), strict=True
    ):
        cells = cell if isinstance(cell, Iterable) and not isinstance(cell, str) else [cell]
        texts = [] if is_missing else [text for text in cells if text is not None]
        for text in texts:
            if not isinstance(text, str):
                message = f"row {len(rows)}: `{name}` has {text!r:.40}, which is not text"
                raise InputError(message, "pass texts")
        rows.append(texts)
    return rows


def _with_fixed_tokenizer(metrics: Mapping[str, Metric], texts: Sequence[str]) -> dict[str, Metric]:
    """Set the tokenizer independently of the texts, which may be only a part of the data."""
    for name, metric in metrics.items():
        require_separable(name, metric)
    tokenizer_names = [getattr(metric, "tokenizer", "unicode") for metric in metrics.values()]
    is_ascii_only = any(metric.ascii_only for metric in metrics.values()) or any(
        tokenizer_name in (None, "rouge") for tokenizer_name in tokenizer_names
    )
    if is_ascii_only and (non_ascii_share := other_letters(texts)) >= OTHER_SCRIPT_SHARE:
        message = f"{non_ascii_share:.0%} of the letters are not ASCII, and the rouge tokenizer "
        message += "ignores them"
        raise InputError(message, hint='use another: tokenizer="unicode"')
    return {name: with_tokenizer(metric, 0.0) for name, metric in metrics.items()}


def _columns(
    metrics: Mapping[str, Metric],
    peers: Sequence[str],
    references: Sequence[Sequence[str]],
    documents: Sequence[Sequence[str]],
) -> dict[str, Floats]:
    if not peers:
        return {name: np.empty(0) for name in metrics}
    if not documents and all(references):
        pairs = enumerate(zip(peers, references, strict=True))
        items = [
            StreamItem("", str(number), "", "machine", peer, tuple(texts))
            for number, (peer, texts) in pairs
        ]
        return dict(zip(metrics, _item_values(items, tuple(metrics.values())).T, strict=True))
    cases = ScoringBatch.of_texts(peers, references, documents=documents)
    return {name: score_cases(metric, cases) for name, metric in metrics.items()}
