"""Composite scores: the question and its tables."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pyramidion.collection import Collection, Scores
from pyramidion.collection.questions import Options, option, question
from pyramidion.errors import InputError
from pyramidion.evaluation._composite.compose import Composite, Separation, compose
from pyramidion.evaluation._judged import MetaTables, meta_tables
from pyramidion.evaluation._matrices import Measured
from pyramidion.evaluation._meta.labels import named_metric
from pyramidion.evaluation._pair_verdicts import VerdictOptions
from pyramidion.report.result import Chart, Result, signed
from pyramidion.report.table import Cell, Table
from pyramidion.report.view import View, shown

_MOST_SHOWN = 8
_WITH_PEOPLE = ("significant (h-m)", "pairs (h-m)")


@dataclass(frozen=True, slots=True)
class CompositeOptions(Options):
    """How measures are composed."""

    components: int | None = option(None, "Number of components to keep; all by default.", least=1)
    within_topics: bool = option(
        False, "Take each topic's mean out of the measures first.", flags=("--within-topics",)
    )
    lower_is_better: tuple[str, ...] = option(
        (), "Measures for which less is better, beside those known for it."
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CompositeResult(Result[Composite]):
    """The components of each task, and their scores."""

    @property
    def scores(self) -> Scores:
        """The components' scores of every summary, for `compare`, `meta_evaluate` and others."""
        return composite_scores(self.values)


class _Told(NamedTuple):
    """A measure or component, and how well it separates systems."""

    composite: Composite
    own: Separation

    @property
    def share(self) -> float | None:
        shares = {part.name: part.share for part in self.composite.components}
        return shares.get(self.own.measure)


SEPARATION: View[_Told] = View(
    "separation",
    (
        shown("measure", lambda told: named_metric(told.own.measure, told.composite.negated)),
        shown("share of the variance", lambda told: told.share),
        shown("significant", lambda told: told.own.significant),
        shown("pairs", lambda told: told.own.pairs),
        shown("significant (h-m)", lambda told: told.own.human_machine_significant),
        shown("pairs (h-m)", lambda told: told.own.human_machine_pairs),
        shown("F", lambda told: told.own.f),
        shown("df", lambda told: told.own.df),
        shown("residual df", lambda told: told.own.residual_df),
    ),
    digits=3,
)


@question
def composite(source: Measured, options: CompositeOptions, test: VerdictOptions) -> CompositeResult:
    """Combine measures into principal components, and test how well they separate systems.

    The measures are standardised over all summaries that have every one of them. Components and
    single measures are compared by how many pairs of systems they tell apart.

    Examples
    --------
    >>> import numpy as np
    >>> from pyramidion import ScoreMatrix, Scores
    >>> rng = np.random.default_rng(0)
    >>> quality = rng.normal(size=(20, 6)) + np.arange(6)
    >>> scores = Scores.concatenate(
    ...     ScoreMatrix(quality + rng.normal(size=(20, 6)), [f"T{i}" for i in range(20)],
    ...                 list("uvwxyz"), measure=name).to_scores()
    ...     for name in ("content", "form")
    ... )
    >>> result = composite(scores)
    >>> [round(part.share, 2) for part in result[0].components]
    [0.87, 0.13]
    >>> result.scores.measures
    ('pc1', 'pc2')
    """
    collection, matrices, left_out = source.read()
    names = list(dict.fromkeys(matrix.measure for matrix in matrices))
    tables = _tables_of(collection, names, source, options)
    found = [
        compose(
            one,
            options=test,
            components=options.components,
            within_topics=options.within_topics,
        )
        for one in tables
    ]
    absent = (line for one in tables for line in one.left_out if "no scores there" in line)
    signature = signed(
        "composite(pca)", collection.data_hash, test.seed, measures=len(found[0].measures),
        centred="topics" if options.within_topics else "", test=test.label,
        correction=test.effective_correction, alpha=f"{test.alpha:g}",
    )  # fmt: skip
    return CompositeResult(
        command="composite",
        signature=signature,
        values=found,
        record=_record,
        tables=[show(one) for one in found for show in (loadings_table, separation_table)],
        left_out=(*left_out, *absent, *(line for one in found for line in one.left_out)),
        charts=[chart for one in found for chart in _charts(one)],
    )


def _tables_of(
    collection: Collection, names: list[str], source: Measured, options: CompositeOptions
) -> list[MetaTables]:
    if len(names) < 2:
        raise InputError(f"there is one measure, {names[0]}", hint="a composite takes two or more")
    return meta_tables(
        collection.scores,
        names[0],
        metrics=names[1:],
        tasks=source.tasks,
        lower_is_better=options.lower_is_better,
        declared=collection.measures,
    )


def composite_scores(found: Iterable[Composite]) -> Scores:
    """Give the components' scores as a long table."""
    tables = []
    for one in found:
        for component in one.components:
            table = component.scores.to_scores()
            where = np.full(len(table), one.collection, dtype=object)
            tables.append(Scores({**table.columns, "collection": where}, table.value))
    return Scores.concatenate(tables)


def loadings_table(one: Composite) -> Table:
    """Show how each measure correlates with the first components."""
    parts = one.components[:_MOST_SHOWN]
    loadings = np.stack([component.loadings for component in parts], axis=1)
    shares: tuple[Cell, ...] = ("share of the variance", *(part.share for part in parts))
    names = (named_metric(name, one.negated) for name in one.measures)
    rows = (shares, *((name, *row) for name, row in zip(names, loadings.tolist(), strict=True)))
    hidden = len(one.components) - len(parts)
    note = "Correlation of each measure with each component."
    note += f" {hidden} more components are in the JSON." if hidden > 0 else ""
    columns = ("measure", *(part.name for part in parts))
    title = one.title("Principal components")
    return Table(columns, rows, title, note, digits=3, key=_key(one), name="loadings")


def separation_table(one: Composite) -> Table:
    """Show how many pairs of systems each component and measure tells apart, the most first."""
    options = one.options
    note = (
        f"On {one.summaries:,} summaries that have all measures. Pairs of systems that differ at "
        f"{options.alpha:g} under {options.label}, correction: {options.effective_correction}. "
        "F of systems, with topics as blocks."
    )
    ordered = sorted(one.separations, key=lambda own: -own.significant)
    with_people = any(own.human_machine_pairs for own in ordered)
    return SEPARATION.table(
        [_Told(one, own) for own in ordered],
        one.title("How well systems are told apart"),
        note,
        exclude=() if with_people else _WITH_PEOPLE,
        key=_key(one),
    )


def _key(one: Composite) -> tuple[tuple[str, str], ...]:
    return (("collection", one.collection), ("task", one.task))


def _record(one: Composite) -> dict[str, Any]:
    return {
        "task": one.task,
        "collection": one.collection,
        "measures": one.measures,
        "lower_is_better": one.negated,
        "summaries": one.summaries,
        "test": one.options.label,
        "correction": one.options.effective_correction,
        "alpha": one.options.alpha,
        "components": [
            {
                "name": part.name,
                "share": part.share,
                "loadings": dict(zip(one.measures, part.loadings.tolist(), strict=True)),
                "weights": dict(zip(one.measures, part.weights.tolist(), strict=True)),
            }
            for part in one.components
        ],
        "separations": [asdict(own) for own in one.separations],
    }


def _charts(one: Composite) -> Iterator[Chart]:
    from pyramidion.evaluation._composite.chart import loadings_figure, separation_figure

    about = (one.collection, one.task)
    caption = "Correlation of each measure with each component."
    yield Chart("loadings", partial(loadings_figure, one), caption, about)
    caption = "Pairs of systems that each component and each measure tells apart."
    yield Chart("separation", partial(separation_figure, one), caption, about)
