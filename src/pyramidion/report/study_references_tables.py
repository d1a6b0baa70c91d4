"""Tables of how texts refer to people, beside those of the thesis."""

from collections.abc import Iterator, Sequence

import numpy as np

from pyramidion._types import Floats
from pyramidion.evaluation.study.reference_models import MODELS, ModelComparison
from pyramidion.evaluation.study.references import FeatureStudy, ReferenceStudy
from pyramidion.report.labels import counted
from pyramidion.report.table import Cell, Table
from pyramidion.rewriting.people.descriptions import chain_listing
from pyramidion.rewriting.people.mention import Person
from pyramidion.rewriting.people.sequences.published import (
    FIRST_WITH_BOTH,
    printed_limit,
    published_chain,
    published_stratified,
)
from pyramidion.rewriting.people.sequences.stratified import PLACES

__all__ = ["FIGURES", "listing_table", "reference_tables"]

#: The figures of the thesis, by feature.
FIGURES = {
    "modification": "Figure 5.4",
    "name form": "Figure 5.5",
    "postmodification": "Figure 5.6",
    "premodifiers": "Figure 5.7",
}

_FIRST, _LIMIT = "(first mention)", "(limit)"
_CHAIN_NOTE = (
    "Each row: what follows a mention of that form; mentions: how many were followed. Low and "
    "high: {level:g}% of bootstrap resamples of documents."
)


def listing_table(people: Sequence[Person]) -> Table:
    """List all references to each person, document by document, as in Figure 5.12.

    Parameters
    ----------
    people
        Everybody, with mentions and descriptions.

    Examples
    --------
    >>> listing_table([]).columns
    ('person', 'document', 'references')
    """
    rows = []
    for person in people:
        _, *lines = chain_listing(person).splitlines()
        named = zip(person.documents, lines, strict=True)
        rows += [(person.name, at, line.removeprefix(f"{at}: ")) for at, line in named]
    note = (
        "IR first mention of a document, CO later one, PR pronoun, AP apposition, RC relative "
        "clause, IS copula."
    )
    title = "How each person is referred to (Figure 5.12)"
    return Table(("person", "document", "references"), tuple(rows), title=title, note=note)


def reference_tables(study: ReferenceStudy) -> tuple[Table, ...]:
    """Write all tables of a study.

    Parameters
    ----------
    study
        What was counted.

    Examples
    --------
    >>> from pyramidion.evaluation.study.reference_people import PeopleFound
    >>> from pyramidion.evaluation.study.references import study_references
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.rewriting.people.mention import Mention, Person
    >>> there = ParsedSentence("", (), "d1", 0)
    >>> forms = ("full", "last", "last")
    >>> lee = Person("Ann Lee", "Lee", tuple(Mention(there, 0, 0, form) for form in forms))
    >>> tables = reference_tables(study_references(PeopleFound((lee,), ("d1",))))
    >>> tables[2].rows[2]
    ('full', 'here', 1, 0.0, 1.0, 0.0)
    """
    chains = [_chain_table(own, thesis=True) for own in study.features]
    if study.not_head.counts.mentions:
        chains.append(_chain_table(study.not_head, thesis=False))
    tables = (_corpus_table(study), *chains, _stratified_table(study))
    compared = [own.comparison for own in study.features if own.comparison is not None]
    return (*tables, _comparison_table(compared)) if compared else tables


def _corpus_table(study: ReferenceStudy) -> Table:
    """Write what the corpus has of people."""
    columns = ("texts", "naming people", "people", "chains", "mentions", "heads", "first is head")
    row = (
        study.documents,
        study.named,
        study.people,
        len(study.chains),
        study.mentions,
        study.heads,
        study.begin_with_head,
    )
    note = "A chain: one person's mentions in one text. Heads: names that are the head of a phrase."
    if study.unsure:
        several = "1 person of these may be" if study.unsure == 1 else f"{study.unsure:,} may be"
        note += f" {several} several: the name is shared."
    return Table(columns, (row,), title="References to people", note=note)


def _chain_table(own: FeatureStudy, *, thesis: bool) -> Table:
    """Write a Markov chain, as Figures 5.4 to 5.7 do, with its limit."""
    chain, limit = own.chain, own.chain.limit()
    rows = list(_chain_rows(own, thesis=thesis))
    note = _CHAIN_NOTE.format(level=100 * own.intervals.confidence_level)
    if thesis:
        note += " What rows of the thesis lack to 1 is shared out."
    if limit.problem:
        note += f" There is no limit: {limit.problem}."
    elif limit.left:
        note += (
            f" Nothing was seen to lead back to {', '.join(limit.left)}, perhaps because there is "
            "little text: --add gives every step a chance."
        )
    if thesis:
        title = f"Markov chain of {chain.feature}: {FIGURES[chain.feature]}"
    else:
        title = f"Markov chain of {chain.feature} where the first mention is not the head"
    return Table(
        ("after", "whose", "mentions", *chain.states),
        tuple(rows),
        title=title,
        note=note,
        digits=3,
        key=(("feature", chain.feature), ("begins", "head" if thesis else "not head")),
    )


def _chain_rows(own: FeatureStudy, *, thesis: bool) -> Iterator[tuple[Cell, ...]]:
    chain, ends = own.chain, own.intervals
    followed = own.counts.transitions.sum(axis=(0, 2)).astype(int).tolist()
    afters = (_FIRST, *chain.states, _LIMIT)
    numbers = (int(own.counts.initial.sum()), *followed, None)
    here = (chain.initial, *chain.transitions, chain.limit().probabilities)
    intervals = (ends.initial, *np.swapaxes(ends.transitions, 0, 1), ends.limit)
    printed = _printed_rows(chain.feature) if thesis else (None,) * len(afters)
    for parts in zip(afters, numbers, here, intervals, printed, strict=True):
        yield from _rows(*parts)


def _printed_rows(feature: str) -> tuple[Floats, ...]:
    chain = published_chain(feature)
    limit = np.array(list(printed_limit(feature).values()))
    return chain.initial, *chain.transitions, limit


def _rows(
    after: str, number: int | None, here: Floats, ends: Floats, printed: Floats | None
) -> Iterator[tuple[Cell, ...]]:
    yield after, "here", number, *here.tolist()
    if not np.isnan(ends).all():
        yield after, "low", None, *ends[0].tolist()
        yield after, "high", None, *ends[1].tolist()
    if printed is not None:
        yield after, "thesis", None, *printed.tolist()


def _stratified_table(study: ReferenceStudy) -> Table:
    """Write the stratified model, as Figure 5.8 does."""
    modification, name_form = study.features[:2]
    printed = published_stratified()
    numbers = modification.counts.positions.sum(axis=(0, 2))
    rows: list[tuple[Cell, ...]] = [("mentions", "here", *map(int, numbers))]
    for own in (modification, study.premodification, name_form):
        rows += _form_rows(own, own.stratified.states, printed[own.chain.feature].probabilities)
    both = np.full((len(PLACES), 1), np.nan)
    both[0] = FIRST_WITH_BOTH
    rows += _form_rows(study.both, ("pre- and postmodified",), both)
    level = 100 * modification.intervals.confidence_level
    return Table(
        ("form", "whose", *PLACES),
        tuple(rows),
        title="Stratified model: Figure 5.8",
        note=f"Each column: of mentions with that number. Low and high: {level:g}% of bootstrap "
        "resamples of documents.",
        digits=3,
    )


def _form_rows(
    own: FeatureStudy, names: Sequence[str], printed: Floats
) -> Iterator[tuple[Cell, ...]]:
    here, ends = own.stratified.probabilities, own.intervals.positions
    for place, name in enumerate(names):
        yield name, "here", *here[:, place].tolist()
        if not np.isnan(ends[..., place]).all():
            yield name, "low", *ends[0, :, place].tolist()
            yield name, "high", *ends[1, :, place].tolist()
        yield name, "thesis", *printed[:, place].tolist()


def _comparison_table(compared: Sequence[ModelComparison]) -> Table:
    """Write how well each model foretells documents that it did not see."""
    rows: list[tuple[Cell, ...]] = []
    for own in compared:
        found = own.differences[-1]
        cells = (found.difference, found.interval.low, found.interval.high, found.p)
        rows.append((own.feature, own.mentions, *own.scores, *cells))
    first = compared[0]
    note = (
        "Mean log-probability of a mention, first to fifth, of documents that were left out, "
        f"{counted(first.folds, 'part')} of {counted(first.documents, 'document')}; "
        f"{first.added:g} is added to each count. Difference: Markov less stratified, with a "
        f"{100 * first.differences[0].interval.confidence_level:g}% bootstrap interval and a "
        "permutation test over documents."
    )
    columns = ("feature", "mentions", *MODELS, "difference", "low", "high", "p")
    return Table(columns, tuple(rows), title="Which model foretells mentions better", note=note)
