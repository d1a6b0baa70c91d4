"""Records and tables of how texts refer to people, beside those of the thesis."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import Collection
from pyramidion.collection._articles import read_articles
from pyramidion.collection.questions import argument, question
from pyramidion.evaluation.study._references.measure import (
    FeatureStudy,
    ReferenceOptions,
    ReferenceStudy,
    gather_people,
    study_references,
)
from pyramidion.evaluation.study._references.models import MODELS, ModelComparison
from pyramidion.evaluation.study._source import StudyParser, StudyPart
from pyramidion.report.labels import counted
from pyramidion.report.result import Chart, Result, signed
from pyramidion.report.table import Cell, Table
from pyramidion.rewriting._people.descriptions import chain_listing
from pyramidion.rewriting._people.mention import Person
from pyramidion.rewriting._people.published_sequences import (
    FIRST_WITH_BOTH,
    chain_record,
    printed_limit,
    published_chain,
    published_stratified,
    save_chains,
)
from pyramidion.rewriting._people.sequences import PLACES


@dataclass(frozen=True, slots=True, kw_only=True)
class Articles(StudyPart):
    """Texts to look for people in."""

    sources: tuple[Collection | str | Path, ...] = argument(
        "Texts, NIST's SGML, JSONL or folders of them; or a collection; - is standard input.",
        metavar="SRC...",
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReferencesResult(Result[ReferenceStudy | FeatureStudy]):
    """How texts refer to people: the corpus, then feature by feature.

    Parameters
    ----------
    corpus
        The name of what was read.
    study
        All that was found.
    """

    corpus: str
    study: ReferenceStudy

    def save_chains(self, path: str | Path) -> None:
        """Write the chains to a JSON file, from which later mentions can be drawn."""
        card = {"corpus": self.corpus, "signature": str(self.signature), **_corpus(self.study)}
        save_chains(path, [own.chain for own in self.study.features], card)


@question
def references(
    source: Articles, parser: StudyParser, options: ReferenceOptions
) -> ReferencesResult:
    """Show how texts refer to people at first and later mentions (Figures 5.4-5.8).

    Modification, form of the name, what follows the name, and how many words stand before it: a
    Markov chain with its limit, and a stratified model of the first to the fifth mention, beside
    those of the thesis; which of them foretells documents better that it did not see.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Topic
    >>> from pyramidion.evaluation.study import references
    >>> text = "Sen. Mary Landrieu won on Tuesday. Landrieu thanked the voters."
    >>> collection = Collection("c", topics=(Topic("T1", documents=(Document("d1", text),)),))
    >>> study = references(collection, pipeline="light").study
    >>> study.people, study.mentions
    (1, 2)
    """
    collection = read_articles(source.sources, format=source.source_format)
    parsing = parser.load()
    found = gather_people(
        collection, parsing, of=options.texts, topics=source.topic, tasks=source.task,
        advance=parser.progress.advance,
    )  # fmt: skip
    study = study_references(found, options)
    not_head = [study.not_head] if study.not_head.counts.mentions else []
    return ReferencesResult(
        command="study references",
        signature=signed(
            f"study-references({options.texts})", collection.data_hash, options.seed,
            parser=parsing.name, add=f"{options.add:g}", resamples=options.draws,
        ),
        values=[study, *study.features, *not_head],
        record=partial(_record, study),
        tables=[*_tables(study), *([_listing(found.people)] if options.people else [])],
        left_out=(*collection.left_out, *found.left_out),
        charts=[Chart("references", partial(_figure, study))],
        corpus=collection.name,
        study=study,
    )  # fmt: skip


def _figure(study: ReferenceStudy) -> Any:
    from pyramidion.evaluation.study._references.chart import references_figure

    return references_figure(study)


def _corpus(study: ReferenceStudy) -> dict[str, int]:
    return {
        "documents": study.documents,
        "documents_naming_people": study.named,
        "people": study.people,
        "people_unsure": study.unsure,
        "chains": len(study.chains),
        "mentions": study.mentions,
        "heads": study.heads,
        "chains_beginning_with_head": study.begin_with_head,
    }


def _record(study: ReferenceStudy, own: ReferenceStudy | FeatureStudy) -> dict[str, Any]:
    if isinstance(own, ReferenceStudy):
        initial = study.both.intervals.initial
        return {
            "study": "references",
            "part": "corpus",
            **_corpus(study),
            "first_mentions_with_both": {
                "here": study.both.chain.initial[0],
                "low": initial[0, 0],
                "high": initial[1, 0],
                "thesis": FIRST_WITH_BOTH,
            },
        }
    ends = own.intervals
    head = own is not study.not_head
    return {
        "study": "references",
        "part": "feature",
        **chain_record(own.chain),
        "initial_interval": ends.initial,
        "transition_intervals": ends.transitions,
        "limit_interval": ends.limit,
        "stratified": own.stratified.probabilities,
        "stratified_intervals": ends.positions,
        "stratified_counts": own.counts.positions.sum(axis=0),
        "confidence_level": ends.confidence_level,
        "models": None if own.comparison is None else _models(own.comparison),
        "begins_with_head": head,
        "thesis": _printed(own.chain.feature) if head else None,
    }


def _models(compared: ModelComparison) -> dict[str, Any]:
    return {
        "documents": compared.documents,
        "folds": compared.folds,
        "mentions": compared.mentions,
        "added": compared.added,
        "log_probability": dict(zip(MODELS, compared.scores, strict=True)),
        "markov_less": [asdict(difference) for difference in compared.differences],
    }


def _printed(feature: str) -> dict[str, Any]:
    chain = published_chain(feature)
    return {
        "figure": _FIGURES[feature].removeprefix("Figure "),
        "initial": chain.initial,
        "transitions": chain.transitions,
        "limit": list(printed_limit(feature).values()),
    }


#: The figures of the thesis, by feature.
_FIGURES = {
    "modification": "Figure 5.4",
    "name form": "Figure 5.5",
    "postmodification": "Figure 5.6",
    "premodifiers": "Figure 5.7",
}
_CHAIN_NOTE = (
    "Each row: what follows a mention of that form; mentions: how many were followed. Low and "
    "high: {level:g}% of bootstrap resamples of documents."
)
_LISTING_NOTE = (
    "IR first mention of a document, CO later one, PR pronoun, AP apposition, RC relative clause, "
    "IS copula."
)


def _tables(study: ReferenceStudy) -> Iterator[Table]:
    yield _corpus_table(study)
    for own in study.features:
        yield _chain_table(own, thesis=True)
    if study.not_head.counts.mentions:
        yield _chain_table(study.not_head, thesis=False)
    yield _stratified_table(study)
    compared = [own.comparison for own in study.features if own.comparison is not None]
    if compared:
        yield _comparison_table(compared)


def _listing(people: Sequence[Person]) -> Table:
    """List all references to each person, document by document, as in Figure 5.12."""
    rows = []
    for person in people:
        _, *lines = chain_listing(person).splitlines()
        named = zip(person.documents, lines, strict=True)
        rows += [(person.name, at, line.removeprefix(f"{at}: ")) for at, line in named]
    title = "How each person is referred to (Figure 5.12)"
    columns = ("person", "document", "references")
    return Table(columns, tuple(rows), title, _LISTING_NOTE, name="people")


def _corpus_table(study: ReferenceStudy) -> Table:
    columns = ("texts", "naming people", "people", "chains", "mentions", "heads", "first is head")
    numbers = _corpus(study)
    del numbers["people_unsure"]
    note = "A chain: one person's mentions in one text. Heads: names that are the head of a phrase."
    if study.unsure:
        several = "1 person of these may be" if study.unsure == 1 else f"{study.unsure:,} may be"
        note += f" {several} several: the name is shared."
    row = tuple(numbers.values())
    return Table(columns, (row,), "References to people", note, name="corpus")


def _chain_table(own: FeatureStudy, *, thesis: bool) -> Table:
    """Write a Markov chain, as Figures 5.4 to 5.7 do, with its limit."""
    chain, limit = own.chain, own.chain.limit()
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
    which = f": {_FIGURES[chain.feature]}" if thesis else " where the first mention is not the head"
    return Table(
        ("after", "whose", "mentions", *chain.states),
        tuple(_chain_rows(own, thesis=thesis)),
        title=f"Markov chain of {chain.feature}{which}",
        note=note,
        digits=3,
        key=(("feature", chain.feature), ("begins", "head" if thesis else "not head")),
        name=chain.feature,
    )


def _chain_rows(own: FeatureStudy, *, thesis: bool) -> Iterator[tuple[Cell, ...]]:
    chain, ends = own.chain, own.intervals
    followed = own.counts.transitions.sum(axis=(0, 2)).astype(int).tolist()
    afters = ("(first mention)", *chain.states, "(limit)")
    numbers = (int(own.counts.initial.sum()), *followed, None)
    here = (chain.initial, *chain.transitions, chain.limit().probabilities)
    intervals = (ends.initial, *np.swapaxes(ends.transitions, 0, 1), ends.limit)
    printed = printed_rows(chain.feature) if thesis else (None,) * len(afters)
    for after, number, *rows in zip(afters, numbers, here, intervals, printed, strict=True):
        for whose, values in _beside(*rows):
            yield after, whose, number if whose == "here" else None, *values


def printed_rows(feature: str) -> tuple[Floats, ...]:
    """Give the thesis' chain: its first mentions, what follows each form, and its limit."""
    chain = published_chain(feature)
    limit = np.array(list(printed_limit(feature).values()))
    return chain.initial, *chain.transitions, limit


def _beside(
    here: Floats, ends: Floats, printed: Floats | None
) -> Iterator[tuple[str, list[float]]]:
    """Give numbers with their interval, if they have one, and those of the thesis."""
    yield "here", here.tolist()
    if not np.isnan(ends).all():
        yield "low", ends[0].tolist()
        yield "high", ends[1].tolist()
    if printed is not None:
        yield "thesis", printed.tolist()


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
    note = (
        f"Each column: of mentions with that number. Low and high: {level:g}% of bootstrap "
        "resamples of documents."
    )
    title = "Stratified model: Figure 5.8"
    return Table(("form", "whose", *PLACES), tuple(rows), title, note, digits=3, name="stratified")


def _form_rows(
    own: FeatureStudy, names: Sequence[str], printed: Floats
) -> Iterator[tuple[Cell, ...]]:
    here, ends = own.stratified.probabilities, own.intervals.positions
    for place, name in enumerate(names):
        for whose, values in _beside(here[:, place], ends[..., place], printed[:, place]):
            yield name, whose, *values


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
    title = "Which model foretells mentions better"
    return Table(columns, tuple(rows), title, note, name="models")
