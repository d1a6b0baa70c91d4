"""What `score` is asked, and what it has found before it is put into tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyramidion.metrics import Metric
from pyramidion.metrics._system_means import SystemMeans
from pyramidion.metrics.run import ALL, run_metrics
from pyramidion.stats.inputs import checked_seed

__all__ = ["ScoreRequest", "Scored", "Watcher"]


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """What to compute and how.

    Parameters
    ----------
    measures
        Names such as ``rouge-2`` (which means F), ``rouge-su4-r`` or ``bleu(n=2)``; ``all`` stands
        for every metric that the collection has everything for.
    options
        What the measures of ROUGE do where their brackets do not say otherwise, see
        `run_metrics`.
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
    >>> request = ScoreRequest(("rouge-2-r", "rouge-2"), {"stem": True})
    >>> request.columns, str(request.metrics["rouge-2-f"])
    (('rouge-2-r', 'rouge-2-f'), 'rouge-2-f(stem)')
    """

    measures: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    jackknife: bool = False
    source_format: str | None = None
    threads: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        checked_seed(self.seed)

    @property
    def metrics(self) -> dict[str, Metric]:
        """The metrics by the name of their column."""
        return run_metrics(self.measures, self.options)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.metrics)

    @property
    def wants_all(self) -> bool:
        """Whether every metric is meant that can be computed."""
        return ALL in self.measures


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who looks on while scores are computed.

    Parameters
    ----------
    show
        Is told how many metrics are done, and of how many.
    tell
        Is told in words what a person should know meanwhile.

    Examples
    --------
    >>> Watcher().show(1, 2)
    """

    show: Callable[[int, int], None] = lambda done, total: None
    tell: Callable[[str], None] = lambda message: None


@dataclass(frozen=True, slots=True)
class Scored:
    """What was found.

    Parameters
    ----------
    metrics
        What was computed, by the name of its column.
    means
        The scores, by system.
    data
        The hash of the data.
    left_out
        What was not scored, counted.
    wordless
        How many summaries have a text, but no word for ROUGE's tokenizer.

    Examples
    --------
    >>> Scored({}, SystemMeans(), "3f2a0c11").left_out
    ()
    """

    metrics: Mapping[str, Metric]
    means: SystemMeans
    data: str
    left_out: tuple[str, ...] = ()
    wordless: int = 0
