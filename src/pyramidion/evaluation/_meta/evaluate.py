"""Which metric can stand in for people: every metric against every human measure asked for."""

from collections.abc import Collection, Sequence

from pyramidion.collection import Scores
from pyramidion.errors import InputError
from pyramidion.evaluation._judged import PEERS, MetaTables, Peers, meta_tables
from pyramidion.evaluation._meta.correlations import correlations_of_metrics
from pyramidion.evaluation._meta.differences import metric_matrices
from pyramidion.evaluation._meta.options import MetaOptions
from pyramidion.evaluation._meta.result import MetaResult
from pyramidion.evaluation.procedures import Correction, MetaTest
from pyramidion.stats.clustered_weights import CorrelationLevel, Over
from pyramidion.stats.correlation_intervals import IntervalMethod
from pyramidion.stats.weighted import Coefficient

__all__ = ["judge_tables", "meta_evaluate"]


def meta_evaluate(  # noqa: PLR0913 - options are keywords
    scores: Scores,
    *,
    human: str | Sequence[str],
    metrics: Sequence[str] = (),
    tasks: Sequence[str] = (),
    lower_is_better: Collection[str] = (),
    peers: Sequence[Peers] = PEERS,
    over: Over = "both",
    method: IntervalMethod = "percentile",
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    tests: Sequence[MetaTest] = ("permutation",),
    levels: Sequence[CorrelationLevel] = (),
    coefficients: Sequence[Coefficient] = (),
    correction: Correction = "maxt",
    alpha: float = 0.05,
    seed: int = 0,
) -> list[MetaResult]:
    """Correlate metrics with human measures, and tell which metrics differ.

    All four coefficients are given at system, input and global level, for all peers and for
    machines only, each with an interval.

    Parameters
    ----------
    scores
        The long table; several assessors of a summary are averaged.
    human
        One human measure, or several.
    metrics
        The metrics; every other measure if none is named.
    tasks
        Which tasks; all that the human measure has if none is named.
    lower_is_better
        Measures of which lower is better, beside the metrics that are known for it. They are
        multiplied by -1, so that a good metric correlates positively.
    peers, over, method, confidence_level, n_resamples, tests, levels, coefficients, correction
        See `MetaOptions`, as for the following.
    alpha
        The level of significance.
    seed
        Where chance begins.

    Returns
    -------
    list of MetaResult
        One for each human measure, collection and task.

    References
    ----------
    D. Deutsch, R. Dror and D. Roth. A statistical analysis of summarization evaluation metrics
    using resampling methods. TACL 9, 2021: BOOT-BOTH and PERM-BOTH.

    Examples
    --------
    >>> import numpy as np
    >>> from pyramidion.collection import ScoreMatrix
    >>> rng = np.random.default_rng(2)
    >>> quality = np.arange(8.0) + rng.normal(size=(12, 8))
    >>> topics, systems = [f"T{i}" for i in range(12)], [str(i) for i in range(8)]
    >>> measures = {"responsiveness": quality, "good": quality + rng.normal(size=(12, 8)),
    ...             "bad": rng.normal(size=(12, 8))}
    >>> scores = Scores.concatenate(ScoreMatrix(values, topics, systems, measure=name).to_scores()
    ...                             for name, values in measures.items())
    >>> result = meta_evaluate(scores, human="responsiveness")[0]
    >>> good = result.correlation("good", level="system", coefficient="pearson")
    >>> good.low < good.value < good.high
    True
    >>> [(m.metric, m.group) for m in result.matrices[0].metrics]
    [('good', 'a'), ('bad', 'b')]
    """
    options = MetaOptions(
        peers=tuple(peers),
        over=over,
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        tests=tuple(tests),
        levels=tuple(levels),
        coefficients=tuple(coefficients),
        correction=correction,
        alpha=alpha,
        seed=seed,
    )
    humans = [human] if isinstance(human, str) else list(dict.fromkeys(human))
    if not humans or "" in humans:
        raise InputError(
            "no human measure is named", hint=f"choose among: {', '.join(scores.measures)}"
        )
    tables = [
        one
        for name in humans
        for one in meta_tables(
            scores,
            name,
            metrics=metrics,
            tasks=tasks,
            lower_is_better=lower_is_better,
            exclude=humans,
        )
    ]
    return [judge_tables(one, options) for one in tables]


def judge_tables(tables: MetaTables, options: MetaOptions) -> MetaResult:
    """Judge the metrics of one table.

    Parameters
    ----------
    tables
        A human measure and metrics side by side.
    options
        How they are judged.
    """
    correlations = correlations_of_metrics(tables, options)
    matrices = metric_matrices(tables, correlations, options)
    return MetaResult(tables, options, correlations, matrices, tables.left_out)
