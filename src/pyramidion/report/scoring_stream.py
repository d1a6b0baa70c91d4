"""Scoring a stream of items in little memory."""

import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from pyramidion.collection import Scores
from pyramidion.collection.formats.base import first_bytes
from pyramidion.errors import FormatError, InputError
from pyramidion.metrics._system_means import SystemMeans
from pyramidion.metrics.scoring import possible_metrics
from pyramidion.metrics.stream import require_streamable, score_items
from pyramidion.metrics.undefined import UNDEFINED, Undefined
from pyramidion.report.score_request import Scored, ScoreRequest
from pyramidion.rouge.stream import StreamItem, read_stream

__all__ = ["has_no_word", "is_stream", "score_the_stream"]

_ASCII_WORD = re.compile("[A-Za-z0-9]")


def is_stream(path: str | Path) -> bool:
    """Tell a stream by its first line, of which a long text may hide the end.

    Examples
    --------
    >>> is_stream("-"), is_stream(__file__)
    (True, False)
    """
    if str(path) == "-":
        return True
    start = first_bytes(Path(path), 2**20).removeprefix(b"\xef\xbb\xbf")
    line = start.lstrip().split(b"\n", 1)[0]

    def has(name: bytes) -> bool:
        return re.search(rb'"%s"\s*:' % name, line) is not None

    # Sets that people judged have systems and references, too, and a `summary`.
    nearly = has(b"references") and has(b"system") and not has(b"summary")
    return line.startswith(b"{") and (has(b"peer") or nearly)


def score_the_stream(
    source: str | Path, request: ScoreRequest, write: Callable[[Scores], None] | None = None
) -> Scored:
    """Score the items of a stream as they come.

    Parameters
    ----------
    source
        A JSONL file; ``-`` is standard input.
    request
        What to compute.
    write
        Takes the scores, batch by batch.
    """
    if request.jackknife:
        raise InputError(
            "a stream does not say who wrote its references", hint="jackknife a collection"
        )
    metrics, lacking = possible_metrics(request.metrics, require_streamable, skip=request.wants_all)
    means, checked, undefined = SystemMeans(), _Checked(), Undefined()
    items = map(checked, read_stream(source))
    for batch in score_items(items, tuple(metrics.values()), threads=request.threads):
        means.add(batch.items, batch.values)
        for name, column in zip(metrics, batch.values.T, strict=True):
            undefined.add(name, batch.items, np.isnan(column), UNDEFINED)
        if write is not None:
            write(Scores.of_items(batch.items, tuple(metrics), batch.values))
    means.require_any()
    left_out = (*lacking, *undefined.lines())
    return Scored(metrics, means, checked.digest, left_out, checked.wordless)


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
        self.wordless += has_no_word(item.peer)
        # A sum of hashes does not depend on the order of the items.
        content = key + _joined(item.peer, *item.references)
        self._sum += int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big")
        return item

    @property
    def digest(self) -> str:
        return f"{self._sum % 2**32:08x}"


def has_no_word(text: object) -> bool:
    """Tell whether a text that is not empty has no word for the tokenizer rouge.

    Examples
    --------
    >>> has_no_word("東京の夏"), has_no_word("Oslo"), has_no_word("")
    (True, False, False)
    """
    words = text if isinstance(text, str) else " ".join(map(str, cast("Sequence[Any]", text)))
    return bool(words.strip()) and _ASCII_WORD.search(words) is None


def _joined(*texts: object) -> bytes:
    return "\0".join(map(str, texts)).encode("utf-8", "surrogatepass")
