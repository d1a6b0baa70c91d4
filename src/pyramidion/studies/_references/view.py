"""Records, tables and figures of how texts refer to people, compared with the thesis."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import Collection
from pyramidion.errors import InputError, Where
from pyramidion.questions import argument, question
from pyramidion.rendering.charts.curves import Panel, Series, Span
from pyramidion.rendering.charts.layout import PAD, Page, Space, Style, text_width
from pyramidion.rendering.charts.style import BLUE, GREEN, INK, VERMILLION, in_style
from pyramidion.rendering.charts.tiles import draw_tiles
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Chart, Result, signed
from pyramidion.rendering.saving import Savable
from pyramidion.rendering.table import Cell, Table
from pyramidion.rewriting import Person, chain_record, printed_limit, published_chain, save_chains
from pyramidion.studies._references.counting import (
    FIRST_WITH_BOTH,
    MENTION_ORDINALS,
    published_stratified,
)
from pyramidion.studies._references.measure import (
    MODELS,
    FeatureStudy,
    ModelComparison,
    ReferenceOptions,
    ReferenceStudy,
    gather_people,
    study_references,
)
from pyramidion.studies._references.rates import RATES, RATES_NOTE
from pyramidion.studies._source import STUDY_FIGURE, ParserOptions, StudyPart
from pyramidion.summarizers.articles import read_articles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceArticles(StudyPart):
    """Texts to search for people."""

    sources: tuple[Collection | str | Path, ...] = argument(
        "Texts to study: text files, NIST SGML, JSONL or folders of these, or a collection; - for "
        "standard input.", metavar="SRC...",
    )  # fmt: skip


def _require_json(path: Path) -> None:
    if path.suffix != ".json":
        hint = "end the name in .json"
        raise InputError("chains are written as JSON", where=Where(path), hint=hint)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReferencesResult(Result[ReferenceStudy | FeatureStudy]):
    """How texts refer to people: the corpus, then feature by feature."""

    saves = (
        STUDY_FIGURE,
        Savable(
            "chains_file", "Write the Markov chains to this file, for `rewrite --later sampled "
            "--chains`.", lambda result: result.save_chains, _require_json,
            flags=("--save",), metavar="FILE.json",
        ),
    )  # fmt: skip

    corpus: str
    study: ReferenceStudy

    def save_chains(self, path: str | Path) -> None:
        """Write the chains to a JSON file, for sampling later mentions."""
        card = {
            "corpus": self.corpus,
            "signature": str(self.signature),
            **_corpus_counts(self.study),
        }
        save_chains(path, [feature.chain for feature in self.study.features], card)


@question
def references(
    source: ReferenceArticles, parser: ParserOptions, options: ReferenceOptions
) -> ReferencesResult:
    """Show how texts refer to people at first and later mentions (Figures 5.4-5.8).

    How often people are referred to, at what length, with which words before the name (5.0, 5.2.7).
    For modification, form of the name, postmodification and number of premodifiers: a Markov chain
    with its limit and a stratified model of the first to the fifth mention, compared with those of
    the thesis, and which of them better predicts unseen documents.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Topic
    >>> from pyramidion.studies import references
    >>> text = "Sen. Mary Landrieu won on Tuesday. Landrieu thanked the voters."
    >>> collection = Collection("c", topics=(Topic("T1", documents=(Document("d1", text),)),))
    >>> study = references(collection, pipeline="light").study
    >>> study.people, study.mentions
    (1, 2)
    """
    collection = read_articles(source.sources, format=source.source_format)
    loaded_parser = parser.load()
    advance = parser.progress.advance
    people = gather_people(collection, loaded_parser, source, of=options.texts, advance=advance)
    study = study_references(people, options)
    not_head = [study.not_head] if study.not_head.counts.mentions else []
    return ReferencesResult(
        command="study references",
        signature=signed(
            f"study-references({options.texts})", collection.data_hash, options.seed,
            parser=loaded_parser.name, add=f"{options.add:g}", resamples=options.n_resamples,
        ),
        values=[study, *study.features, *not_head],
        record=partial(_record, study),
        tables=[*_tables(study), *([_list_references(people.people)] if options.people else [])],
        left_out=(*collection.left_out, *people.left_out),
        charts=[Chart("references", partial(references_figure, study))],
        corpus=collection.name,
        study=study,
    )  # fmt: skip


def _corpus_counts(study: ReferenceStudy) -> dict[str, int]:
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


def _record(study: ReferenceStudy, part: ReferenceStudy | FeatureStudy) -> dict[str, Any]:
    if isinstance(part, ReferenceStudy):
        initial_intervals = study.both.intervals.initial
        return {
            "study": "references",
            "part": "corpus",
            **_corpus_counts(study),
            "first_mentions_with_both": {
                "here": study.both.chain.initial[0],
                "low": initial_intervals[0, 0],
                "high": initial_intervals[1, 0],
                "thesis": FIRST_WITH_BOTH,
            },
            "rates": RATES.records(study.rates),
        }
    intervals = part.intervals
    begins_with_head = part is not study.not_head
    return {
        "study": "references",
        "part": "feature",
        **chain_record(part.chain),
        "initial_interval": intervals.initial,
        "transition_intervals": intervals.transitions,
        "limit_interval": intervals.limit,
        "stratified": part.stratified.probabilities,
        "stratified_intervals": intervals.positions,
        "stratified_counts": part.counts.positions.sum(axis=0),
        "confidence_level": intervals.confidence_level,
        "models": part.comparison and _model_record(part.comparison),
        "begins_with_head": begins_with_head,
        "thesis": _printed_record(part.chain.feature) if begins_with_head else None,
    }


def _model_record(comparison: ModelComparison) -> dict[str, Any]:
    return {
        **{name: getattr(comparison, name) for name in ("documents", "folds", "mentions", "added")},
        "log_probability": dict(zip(MODELS, comparison.scores, strict=True)),
        "markov_less": [asdict(difference) for difference in comparison.differences],
    }


def _printed_record(feature: str) -> dict[str, Any]:
    chain = published_chain(feature)
    return {
        "figure": _FEATURE_TITLES[feature][1],
        "initial": chain.initial,
        "transitions": chain.transitions,
        "limit": list(printed_limit(feature).values()),
    }


#: The title of each feature, and its figure in the thesis.
_FEATURE_TITLES = {
    "modification": ("Modification", "5.4"),
    "name form": ("Name", "5.5"),
    "postmodification": ("Postmodification", "5.6"),
    "premodifiers": ("Number of premodifiers", "5.7"),
}
_CHAIN_NOTE = (
    "Each row: what follows a mention of that form; mentions: how many were followed. Low and "
    "high: {level:g}% bootstrap intervals over documents."
)
_LISTING_NOTE = (
    "IR: first mention of a document, CO: later mention, PR: pronoun, AP: apposition, RC: relative "
    "clause, IS: copula."
)


def _tables(study: ReferenceStudy) -> Iterator[Table]:
    yield _corpus_table(study)
    if study.rates:
        texts = counted(study.documents, "text")
        title = f"How often, and how, {texts} refer to people (5.0, 5.2.7)"
        yield RATES.table(study.rates, title, RATES_NOTE)
    for feature in study.features:
        yield _chain_table(feature, thesis=True)
    if study.not_head.counts.mentions:
        yield _chain_table(study.not_head, thesis=False)
    yield _stratified_table(study)
    comparisons = (feature.comparison for feature in study.features)
    if model_comparisons := [comparison for comparison in comparisons if comparison]:
        yield _comparison_table(model_comparisons)


def _list_references(people: Sequence[Person]) -> Table:
    """List all references to each person, document by document, as in Figure 5.12."""
    rows = (
        (person.name, document, " ".join(listed_references(person, document)))
        for person in people
        for document in person.documents
    )
    title = "How each person is referred to (Figure 5.12)"
    columns = ("person", "document", "references")
    return Table(columns, tuple(rows), title, _LISTING_NOTE, name="people")


def _corpus_table(study: ReferenceStudy) -> Table:
    columns = ("texts", "naming people", "people", "chains", "mentions", "heads", "first is head")
    corpus_counts = _corpus_counts(study)
    del corpus_counts["people_unsure"]
    note = "A chain: one person's mentions in one text. Heads: names that head a phrase."
    if study.unsure:
        people = counted(study.unsure, "person", "people")
        note += f" {people} may be several who share a name."
    row = tuple(corpus_counts.values())
    return Table(columns, (row,), "References to people", note, name="corpus")


def _chain_table(feature: FeatureStudy, *, thesis: bool) -> Table:
    """Return a Markov chain as in Figures 5.4 to 5.7, with its limit."""
    chain, limit = feature.chain, feature.chain.limit()
    note = _CHAIN_NOTE.format(level=100 * feature.intervals.confidence_level)
    scope = " where the first mention is not the head"
    if thesis:
        scope = f": Figure {_FEATURE_TITLES[chain.feature][1]}"
        note += " Rows of the thesis are adjusted to add up to 1."
    if limit.problem:
        note += f" There is no limit: {limit.problem}."
    elif limit.left:
        note += (
            f" No transition leads back to {', '.join(limit.left)}, perhaps for lack of text; "
            "--add makes every transition possible."
        )
    return Table(
        ("after", "whose", "mentions", *chain.states), tuple(_chain_rows(feature, thesis=thesis)),
        f"Markov chain of {chain.feature}{scope}", note, 3,
        (("feature", chain.feature), ("begins", "head" if thesis else "not head")), chain.feature,
    )  # fmt: skip


def _chain_rows(feature: FeatureStudy, *, thesis: bool) -> Iterator[tuple[Cell, ...]]:
    chain, intervals_by_row = feature.chain, feature.intervals
    followed_counts = feature.counts.transitions.sum(axis=(0, 2)).astype(int).tolist()
    state_names = ("(first mention)", *chain.states, "(limit)")
    numbers = (int(feature.counts.initial.sum()), *followed_counts, None)
    probabilities = (chain.initial, *chain.transitions, chain.limit().probabilities)
    intervals = (
        intervals_by_row.initial,
        *np.swapaxes(intervals_by_row.transitions, 0, 1),
        intervals_by_row.limit,
    )
    thesis_values = printed_rows(chain.feature) if thesis else (None,) * len(state_names)
    for state_name, number, *value_rows in zip(
        state_names, numbers, probabilities, intervals, thesis_values, strict=True
    ):
        for origin, values in _values_by_origin(*value_rows):
            yield state_name, origin, number if origin == "here" else None, *values


def printed_rows(feature: str) -> tuple[Floats, ...]:
    """Return the thesis's chain: first mentions, transitions from each form, and limit."""
    chain = published_chain(feature)
    return chain.initial, *chain.transitions, np.array(list(printed_limit(feature).values()))


def _values_by_origin(
    probabilities: Floats, interval: Floats, thesis_values: Floats | None
) -> Iterator[tuple[str, list[float]]]:
    """Return numbers with their interval, if any, and those of the thesis."""
    yield "here", probabilities.tolist()
    if not np.isnan(interval).all():
        yield "low", interval[0].tolist()
        yield "high", interval[1].tolist()
    if thesis_values is not None:
        yield "thesis", thesis_values.tolist()


def _stratified_table(study: ReferenceStudy) -> Table:
    """Return the stratified model, as in Figure 5.8."""
    modification, name_form = study.features[:2]
    thesis_models = published_stratified()
    numbers = modification.counts.positions.sum(axis=(0, 2))
    rows: list[tuple[Cell, ...]] = [("mentions", "here", *map(int, numbers))]
    for feature in (modification, study.premodification, name_form):
        thesis = thesis_models[feature.chain.feature].probabilities
        rows += _form_rows(feature, feature.stratified.states, thesis)
    no_values = np.full((len(MENTION_ORDINALS), 1), np.nan)
    no_values[0] = FIRST_WITH_BOTH
    rows += _form_rows(study.both, ("pre- and postmodified",), no_values)
    level = 100 * modification.intervals.confidence_level
    note = (
        f"Each column: mentions with that number. Low and high: {level:g}% bootstrap intervals "
        "over documents."
    )
    title = "Stratified model: Figure 5.8"
    return Table(
        ("form", "whose", *MENTION_ORDINALS), tuple(rows), title, note, digits=3, name="stratified"
    )


def _form_rows(
    feature: FeatureStudy, names: Sequence[str], thesis_values: Floats
) -> Iterator[tuple[Cell, ...]]:
    probabilities, intervals = feature.stratified.probabilities, feature.intervals.positions
    for state, name in enumerate(names):
        for origin, values in _values_by_origin(
            probabilities[:, state], intervals[..., state], thesis_values[:, state]
        ):
            yield name, origin, *values


def _comparison_table(model_comparisons: Sequence[ModelComparison]) -> Table:
    """Return how well each model predicts held-out documents."""
    difference_values = attrgetter("difference", "interval.low", "interval.high", "p")
    rows = tuple(
        (model.feature, model.mentions, *model.scores, *difference_values(model.differences[-1]))
        for model in model_comparisons
    )
    first_study = model_comparisons[0]
    note = (
        "Mean log-probability of a mention, first to fifth, of held-out documents "
        f"({counted(first_study.folds, 'fold')} of {counted(first_study.documents, 'document')}; "
        f"{first_study.added:g} is added to each count). Difference: Markov minus stratified, with "
        f"a {100 * first_study.differences[0].interval.confidence_level:g}% bootstrap interval and "
        "a permutation test over documents."
    )
    columns = ("feature", "mentions", *MODELS, "difference", "low", "high", "p")
    return Table(columns, rows, "Which model predicts mentions better", note, name="models")


_TILE_SIZE = (0.62, 0.36)
_HEAD_HEIGHT, _GAP_INCHES, _PANEL_SIZE = 0.62, 0.35, (2.3, 1.6)
_SHORT_NAMES = {"prepositional": "prep.", "relative clause": "rel. clause", "apposition": "appos."}
_POINT_SHIFT = 0.08
_STATE_STYLES = ((VERMILLION, "o"), (BLUE, "s"), (GREEN, "^"))


@in_style
def references_figure(study: ReferenceStudy) -> "Figure":
    """Draw the chains as tiles, and the stratified model as lines."""
    feature_rows = (study.features[:2], study.features[2:])
    sizes = [[_chain_size(feature) for feature in row] for row in feature_rows]
    widths = [
        sum(margin + label_width for margin, label_width, _ in row) + _GAP_INCHES for row in sizes
    ]
    heights = [_HEAD_HEIGHT + 0.12 + max(height for *_, height in row) for row in sizes]
    plot_size = (
        max(*widths, 3 * (_PANEL_SIZE[0] + 0.5)),
        sum(heights) + _HEAD_HEIGHT + _PANEL_SIZE[1],
    )
    mentions_text = counted(study.features[0].counts.mentions, "mention")
    note = (
        f"{mentions_text} in {counted(study.begin_with_head, 'chain')} that begin with the head of "
        "a phrase. Tiles: the probability of a form (columns) after another (rows); in gray, the "
        "probability in Nenkova's thesis."
    )
    space = Space(left=PAD, right=PAD + 0.1)
    page = Page("References to people", note, plot=plot_size, space=space, legend=_legend())
    top_y = page.bottom + plot_size[1]
    for row, row_sizes, row_height in zip(feature_rows, sizes, heights, strict=True):
        left = PAD
        for feature, (margin, label_width, height) in zip(row, row_sizes, strict=True):
            page.write(
                _FEATURE_TITLES[feature.chain.feature][0],
                (left, top_y - 0.22),
                size=9,
                weight="bold",
            )
            _draw_chain(
                page.axes(left + margin, top_y - _HEAD_HEIGHT - height, label_width, height),
                feature,
            )
            left += margin + label_width + _GAP_INCHES
        top_y -= row_height
    _draw_stratified(page, study)
    return page.figure


def _state_names(feature: FeatureStudy) -> list[str]:
    return [_SHORT_NAMES.get(state, state) for state in feature.chain.states]


def _chain_size(feature: FeatureStudy) -> tuple[float, float, float]:
    """Return the width of the row names, and a chain's width and height, in inches."""
    names = _state_names(feature)
    margin = text_width([*names, "first mention"], size=8) + 0.12
    return margin, len(names) * _TILE_SIZE[0], (len(names) + 2) * _TILE_SIZE[1]


def _draw_chain(axes: "Axes", feature: FeatureStudy) -> None:
    chain = feature.chain
    probabilities = np.vstack([chain.initial, chain.transitions, chain.limit().probabilities])
    thesis = np.vstack(printed_rows(chain.feature))
    draw_tiles(axes, np.ma.masked_invalid(probabilities), cmap="Blues", vmin=0, vmax=1.25)
    for (row, column), value in np.ndenumerate(probabilities):
        text_color, thesis_color = ("white", "#e8e8e8") if value > 0.7 else (INK, "#555555")
        value_text, thesis_text = (
            "–" if np.isnan(value) else f"{value:.2f}",
            f"{thesis[row, column]:.2f}",
        )
        axes.text(
            column, row - 0.18, value_text, ha="center", va="center", size=8, color=text_color
        )
        axes.text(
            column, row + 0.24, thesis_text, ha="center", va="center", size=6.5, color=thesis_color
        )
    names = _state_names(feature)
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names) + 2), ["first mention", *names, "limit"])
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.tick_params(axis="x", labelsize=7)
    for edge in (0.5, len(names) + 0.5):
        axes.axhline(edge, color="white", linewidth=4)


def _draw_stratified(page: Page, study: ReferenceStudy) -> None:
    forms = (
        ("modified", study.features[0], (0,)),
        ("premodified", study.premodification, (0,)),
        ("full, last, nickname", study.features[1], (0, 1, 2)),
    )
    scale = {
        "ylim": (-0.03, 1.03),
        "xticks": range(len(MENTION_ORDINALS)),
        "xticklabels": MENTION_ORDINALS,
    }
    for index, (title, feature, states) in enumerate(forms):
        left, top_y = PAD + 0.4 + index * (_PANEL_SIZE[0] + 0.5), page.bottom + _PANEL_SIZE[1]
        page.write(f"Mentions: {title}", (left - 0.4, top_y + 0.14), size=9, weight="bold")
        # States are shifted so that their intervals do not overlap.
        shifts = {state: _POINT_SHIFT * (state - len(states) // 2) for state in states}
        lines = [line for state in states for line in _state_lines(feature, state, shifts[state])]
        panel = Panel(lines, scale=scale, margins={"x": 0.08}, grid="y")
        panel.draw(page.axes(left, page.bottom, *_PANEL_SIZE))


def _state_lines(feature: FeatureStudy, state: int, shift: float) -> Iterator[Series | Span]:
    color, marker = _STATE_STYLES[state]
    thesis_values = published_stratified()[feature.chain.feature].probabilities[:, state]
    low, high = feature.intervals.positions[:, :, state]
    x, style = np.arange(len(MENTION_ORDINALS)) + shift, {"color": color}
    yield Span(x, low, high, {**style, "linewidth": 3, "alpha": 0.3}, bars=True)
    line_style = {**style, "marker": marker, "markersize": 5, "linewidth": 1.6}
    yield Series(x, feature.stratified.probabilities[:, state], line_style)
    yield Series(x, thesis_values, {**style, "linestyle": ":", "linewidth": 1.2})


def _legend() -> list[Style]:
    line: dict[str, Any] = {"markersize": 5, "linewidth": 1.6}
    names = zip(("full name", "last name", "nickname"), _STATE_STYLES, strict=True)
    return [
        {**line, "color": INK, "marker": "o", "label": "here"},
        {"color": INK, "linewidth": 3, "alpha": 0.3, "label": "interval"},
        {"color": INK, "linestyle": ":", "linewidth": 1.2, "label": "thesis"},
        *({**line, "color": color, "marker": m, "label": name} for name, (color, m) in names),
    ]


#: Besides IR, the first mention in a document, and CO, a later one.
_REFERENCE_CODES = {"pronoun": "PR", "apposition": "AP", "relative clause": "RC", "copula": "IS"}


def listed_references(person: Person, document: str) -> Iterator[str]:
    """Return the references in a document, in order."""
    entries: list[tuple[int, int, str]] = []
    for number, mention in enumerate(person.in_document(document)):
        text = f"[{'CO' if number else 'IR'}] {f'{mention.premodifier} {mention.name}'.strip()}"
        entries.append((mention.sentence.index, mention.first, text))
    for description in person.descriptions:
        if description.sentence.document == document:
            entry = f"[{_REFERENCE_CODES[description.kind]}] {description.text}"
            entries.append((description.sentence.index, description.first, entry))
    return (entry for _, _, entry in sorted(entries))
