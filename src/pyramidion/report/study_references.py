"""How texts refer to people again and again, beside the thesis: Figures 5.4 to 5.8."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from pyramidion.collection import Collection, Signature
from pyramidion.collection._articles import read_articles
from pyramidion.errors import InputError, Where
from pyramidion.evaluation.study.reference_models import MODELS, ModelComparison
from pyramidion.evaluation.study.reference_people import TextKind, gather_people
from pyramidion.evaluation.study.references import (
    FeatureStudy,
    ReferenceOptions,
    ReferenceStudy,
    study_references,
)
from pyramidion.report.answer import Answer
from pyramidion.report.pyramid_figure_files import require_figure_file
from pyramidion.report.study_references_tables import FIGURES, listing_table, reference_tables
from pyramidion.report.study_source import StudyRequest
from pyramidion.rewriting.people.sequences.files import chain_record, save_chains
from pyramidion.rewriting.people.sequences.published import (
    FIRST_WITH_BOTH,
    printed_limit,
    published_chain,
)
from pyramidion.stats.inputs import choice
from pyramidion.text.parsing import load_parser

__all__ = ["references_answer"]

Progress = Callable[[int, int], None]


def references_answer(
    sources: Sequence[str | Path] | Collection,
    request: StudyRequest | None = None,
    *,
    of: str = "documents",
    pipeline: str = "",
    options: ReferenceOptions | None = None,
    figure: str | Path | None = None,
    save: str | Path | None = None,
    listing: bool = False,
    show: Progress = lambda done, total: None,
) -> Answer:
    """Tell how texts refer to people: first, again, and in the long run.

    Parameters
    ----------
    sources
        A collection, or texts and folders, as `read_articles` takes them.
    request
        Which topics and tasks.
    of
        ``documents``, or ``summaries`` for those that people wrote.
    pipeline
        What parses the texts; see `load_parser`.
    options
        How sure to be.
    figure
        A file for a figure.
    save
        A file for the chains, JSON; `read_chains` reads it.
    listing
        Whether to list all references to each person, as in Figure 5.12.
    show
        Is told how many topics are done, and of how many.

    Examples
    --------
    >>> from pyramidion.collection import Document, Topic
    >>> text = "Sen. Mary Landrieu won on Tuesday. Landrieu thanked the voters."
    >>> collection = Collection("c", topics=(Topic("T1", documents=(Document("d1", text),)),))
    >>> answer = references_answer(collection, pipeline="light")
    >>> answer.results[0]["people"], answer.results[0]["mentions"]
    (1, 2)
    """
    asked, chance = request or StudyRequest(), options or ReferenceOptions()
    choice(of, "of", TextKind)
    if figure is not None:
        require_figure_file(figure)
    if save is not None:
        _require_json(save)
    collection = _read(sources, asked)
    parser = load_parser(pipeline)
    kind = cast("TextKind", of)
    found = gather_people(
        collection, parser, of=kind, topics=asked.topics, tasks=asked.tasks, show=show
    )
    study = study_references(found, chance)
    signature = Signature(
        f"study-references({of})",
        data=collection.data_hash,
        seed=chance.seed,
        details=(
            ("parser", parser.name),
            ("add", f"{chance.add:g}"),
            ("resamples", str(chance.n_resamples)),
        ),
    )
    if figure is not None:
        _draw(study, figure)
    if save is not None:
        card = {"corpus": collection.name, "signature": str(signature), **_corpus(study)}
        save_chains(save, [own.chain for own in study.features], card)
    return Answer(
        command="study references",
        signature=signature,
        results=list(_records(study)),
        tables=(*reference_tables(study), *([listing_table(found.people)] if listing else [])),
        left_out=(*collection.left_out, *found.left_out),
    )


def _require_json(path: str | Path) -> None:
    if Path(path).suffix != ".json":
        raise InputError(
            "chains are written as JSON", where=Where(path), hint="end the name in .json"
        )


def _read(sources: Sequence[str | Path] | Collection, request: StudyRequest) -> Collection:
    if isinstance(sources, Collection):
        return sources
    return read_articles(sources, format=request.source_format)


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


def _records(study: ReferenceStudy) -> Iterator[dict[str, Any]]:
    both = study.both
    yield {
        "study": "references",
        "part": "corpus",
        **_corpus(study),
        "first_mentions_with_both": {
            "here": both.chain.initial[0],
            "low": both.intervals.initial[0, 0],
            "high": both.intervals.initial[1, 0],
            "thesis": FIRST_WITH_BOTH,
        },
    }
    for own in study.features:
        yield {**_record(own), "begins_with_head": True, "thesis": _printed(own)}
    if study.not_head.counts.mentions:
        yield {**_record(study.not_head), "begins_with_head": False, "thesis": None}


def _record(own: FeatureStudy) -> dict[str, Any]:
    ends = own.intervals
    compared = own.comparison
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
        "models": None if compared is None else _models(compared),
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


def _printed(own: FeatureStudy) -> dict[str, Any]:
    chain = published_chain(own.chain.feature)
    return {
        "figure": FIGURES[chain.feature].removeprefix("Figure "),
        "initial": chain.initial,
        "transitions": chain.transitions,
        "limit": list(printed_limit(chain.feature).values()),
    }


def _draw(study: ReferenceStudy, file: str | Path) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.references import references_figure

    save(references_figure(study), file)
