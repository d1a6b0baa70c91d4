"""How well annotators agree on peers and pyramids: the question and its figure."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations, product
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import Collection, PeerAnnotation, Pyramid
from pyramidion.collection.findings import address_name
from pyramidion.collection.ids import grouped, natural_orders
from pyramidion.collection.pyramids import WeightPolicy
from pyramidion.collection.sources import Source
from pyramidion.errors import InputError, NotFoundError, ShapeError
from pyramidion.pyramid._agreement.peers import (
    AnnotatedTwice,
    AnnotationAgreement,
    Measure,
    UnitAgreement,
    agreement_of_annotations,
    both_scores,
    compare_scores,
    decisions,
    first_different_unit,
)
from pyramidion.pyramid._agreement.pyramids import (
    MIN_MARKED_WORDS,
    Disagreement,
    PyramidAgreement,
    compare_pyramids,
    find_disagreements,
    same_references,
)
from pyramidion.pyramid.cases import PyramidSource, source_notes
from pyramidion.pyramid.topics import every_pyramid
from pyramidion.questions import Options, argument, option, question
from pyramidion.rendering.charts.curves import Panel, Series, Span, panels_figure
from pyramidion.rendering.charts.layout import PAD, Space
from pyramidion.rendering.charts.style import BLUE, GRAY, PALE
from pyramidion.rendering.labels import counted, short_name
from pyramidion.rendering.result import Chart, FigureResult, signed
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import View, columns, data, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MEASURES: tuple[Measure, ...] = ("original", "modified")
_POINT_STYLE: dict[str, Any] = {
    "color": BLUE, "linestyle": "none", "marker": "o", "markersize": 4.5, "alpha": 0.55,
    "markeredgewidth": 0, "label": "a peer",
}  # fmt: skip
_EQUALITY_STYLE: dict[str, Any] = {"color": GRAY, "linewidth": 0.8, "label": "the same score"}


def annotators_figure(
    pairs: Sequence[AnnotatedTwice],
    *,
    names: tuple[str, str] = ("first annotation", "second annotation"),
    equal_within: float = 0.06,
) -> "Figure":
    """Draw each peer's score by one annotation against the other, with a band of equal scores."""
    band = {"facecolor": PALE, "edgecolor": PALE, "label": f"within {equal_within:g}"}
    return panels_figure(
        [
            _panel(f"{measure} score", both_scores(pairs, measure), names[0], equal_within)
            for measure in _MEASURES
        ],
        title="Scores by two annotations",
        note=counted(len(pairs), "peer"),
        side=(2.8, 2.8),
        gap=(0.4, 0),
        space=Space(left=PAD + 0.6, right=PAD + 0.1, above=0.34),
        legend=(_POINT_STYLE, _EQUALITY_STYLE, band),
        ylabel=short_name(names[1]),
        shares_scale=True,
    )


def _panel(title: str, scores: Floats, name: str, half_width: float) -> Panel:
    # The modified score of a peer with more content units than a reference may be above 1.
    axis_end = float(np.nanmax(scores, initial=1.0))
    band_ends, limits = np.array([0.0, axis_end]), (-0.03, axis_end + 0.03)
    absolute_difference = compare_scores(*scores).absolute
    return Panel(
        [
            Span(
                band_ends,
                band_ends - half_width,
                band_ends + half_width,
                {"color": PALE, "linewidth": 0},
            ),
            Series(band_ends, band_ends, _EQUALITY_STYLE),
            Series(scores[0], scores[1], _POINT_STYLE),
        ],
        title,
        "" if math.isnan(absolute_difference) else f"mean |difference| {absolute_difference:.3f}",
        scale={"xlim": limits, "ylim": limits, "xlabel": short_name(name)},
    )


#: The address of a summary: task, topic and system.
Key = tuple[str, ...]

_SOURCE_HELP = "{}: a .pan file, a folder of such files, or a collection."
_UNITS_NOTE = (
    "A decision is whether a peer expresses a content unit of the pyramid; decisions are pooled "
    "over peers. From weight 2: without units that one reference expresses. "
    "Pi is what the thesis calls kappa."
)
_SCORES_NOTE = (
    "Difference: first minus second. r: Pearson's correlation. p: paired t test and Wilcoxon's "
    "signed-rank test of the hypothesis that neither person scores higher."
)
_PEERS_NOTE = "Content units found by both and by only one; differences of scores."
_ALL_ANNOTATORS_NOTE = (
    "Krippendorff's alpha of all annotators, over decisions that two or more of them made."
)
_PYRAMIDS_NOTE = (
    "A decision is whether two words, each in a unit of either pyramid, are in the same unit. "
    "Precision and recall: the share of the second pyramid's pairs, and of the first's, that the "
    "other one also has; F is their harmonic mean."
)
_PYRAMID_SCORES_NOTE = (
    "Modified scores of the references, each by the others, and of peers annotated with both "
    "pyramids. r: Pearson's correlation."
)
_PLACES_NOTE = (
    f"At least {MIN_MARKED_WORDS} words that are marked for a content unit in one peer; the other "
    "peer contains them but is not marked for the unit."
)


@dataclass(frozen=True, slots=True)
class Annotators(Options):
    """One source with annotations by several people, or two sources."""

    first: Source = argument(
        _SOURCE_HELP.format("Peers or pyramids annotated by one or more people"), metavar="A"
    )
    second: Source | None = argument(
        _SOURCE_HELP.format("The same annotated by another person, if A has only one annotator"),
        None,
        metavar="B",
    )
    task: tuple[str, ...] = option((), "Tasks to include, comma-separated; all by default.")
    topic: tuple[str, ...] = option((), "Topics to include, comma-separated; all by default.")
    assessor: tuple[str, ...] = option(
        (), "Annotators to include, comma-separated; all by default."
    )
    every_peer: bool = option(False, "Also list the agreement on every peer.", flags=("--peers",))
    places: bool = option(
        False, "Also list words that are marked for a content unit in one peer and not in another."
    )
    weights: WeightPolicy = option(
        "contributors",
        "Weight of a content unit: contributors (their number, as in DUCView) or references (the "
        "number of different ones, as in the thesis).",
        choices=("contributors", "references"),
    )
    source_format: str | None = option(
        None, "Format of the sources; detected by default.", flags=("--from",), metavar="FORMAT"
    )


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """Agreement on a topic (`level` topic), on a peer, or on all of them."""

    level: str
    name: str
    agreement: AnnotationAgreement
    first: str = ""
    second: str = ""


@dataclass(frozen=True, slots=True)
class AllAnnotators:
    """Agreement of all annotators."""

    annotators: tuple[str, ...]
    summaries: int
    decisions: int
    alpha: float


class _SourceRead(NamedTuple):
    """A source, its name in messages, and the collection that was read from it."""

    name: str
    source: PyramidSource
    collection: Collection


class _Annotator(NamedTuple):
    """One person's annotations on one occasion, by summary."""

    name: str
    peers: dict[Key, PeerAnnotation]


class AnnotatorPair(NamedTuple):
    """Two people, the peers that both annotated, and why others are left out."""

    names: tuple[str, str]
    pairs: dict[Key, AnnotatedTwice]
    left_out: list[str]
    refused: dict[Key, ShapeError]

    @property
    def notes(self) -> list[str]:
        """Notes on what is left out, and why."""
        names = " and ".join(self.short)
        return [*self.left_out, *(f"{names}: {error.what}" for error in self.refused.values())]

    @property
    def short(self) -> tuple[str, str]:
        """Their names; the last part of a path."""
        return Path(self.names[0]).name, Path(self.names[1]).name


def _unit_record(units: UnitAgreement, *fields: str) -> dict[str, Any]:
    return asdict(units) | {name: getattr(units, name) for name in ("decisions", *fields)}


GROUPS: View[GroupAgreement] = View(
    "peers",
    (
        *columns(level="", name="peer", first="annotator", second="and"),
        *columns(of="agreement", peers=""),
        data("units", lambda group: _unit_record(group.agreement.units)),
        data("without_weight_1", lambda group: _unit_record(group.agreement.shared_units)),
        data("original", lambda group: asdict(group.agreement.original)),
        data("modified", lambda group: asdict(group.agreement.modified)),
        *(
            shown(name.replace("_", " "), attrgetter(f"agreement.units.{name}"))
            for name in ("both", "only_first", "only_second", "pi")
        ),
        shown("agreement", attrgetter("agreement.units.percent")),
        shown("original", attrgetter("agreement.original.difference")),
        shown("modified", attrgetter("agreement.modified.difference")),
    ),
    digits=3,
)

PLACES: View[Disagreement] = View(
    "places",
    columns(
        "topic", scu="SCU", label="label", words="words", marked="marked in", unmarked="not in"
    ),
)

Agreement = GroupAgreement | AllAnnotators | PyramidAgreement | Disagreement


@question
def agreement(options: Annotators) -> FigureResult[Agreement]:
    """Measure how well annotators agree on the same peers, and on pyramids of the same references.

    Scott's pi, Cohen's kappa, Krippendorff's alpha and percent agreement on content units, with
    and without those of weight 1, and differences of scores; for two pyramids, agreement on which
    words are in the same content unit.

    Examples
    --------
    >>> from pyramidion.collection import SCU, Contributor, Part, Pyramid
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    >>> ice = Contributor((Part(0, 3, "Ice"),))
    >>> mine = Collection("", peer_annotations={
    ...     ("", "T1", "7", who): PeerAnnotation(pyramid, "Ice.", (SCU("1", "", marks),))
    ...     for who, marks in (("anna", (ice,)), ("bert", ()))})
    >>> result = agreement(mine)
    >>> result[0].first, result[0].agreement.units.percent, result[0].agreement.modified.difference
    ('anna', 0.0, 1.0)
    """
    sources = _read(options)
    pyramids = list(_pyramid_agreements(sources, options.weights))
    disagreements = [
        row
        for _, source, collection in (sources if options.places else ())
        for row in find_disagreements(
            {k: peer for k, peer in collection.peer_annotations.items() if source.takes(*k[:2])}
        )
    ]
    annotators = [_annotators(source, is_only_source=len(sources) == 1) for source in sources]
    pairs = _pairs(annotators, sources, options, is_required=not (pyramids or options.places))
    groups = [group for pair in pairs for group in _groups(pair)]
    peers = [
        GroupAgreement(
            "peer", annotations.name, agreement_of_annotations([annotations]), *pair.short
        )
        for pair in pairs
        for annotations in pair.pairs.values()
    ]
    agreements_of_all = _agreement_of_all(annotators[0], pairs) if len(sources) == 1 else []
    has_several_pairs = len(pairs) > 1
    notes = [
        f"{name}: {line}"
        for name, _, collection in sources
        # Annotations are compared by their own pyramids, which must be the same.
        for line in source_notes(collection, exclude=("other pyramid",))
    ]
    left_out = dict.fromkeys(
        line
        for pair in pairs
        for line in (
            *pair.notes,
            *_undefined_lines(pair, f"{' and '.join(pair.names)}: " * has_several_pairs),
        )
    )
    return FigureResult(
        command="pyramid agreement",
        signature=signed(
            "pyramid-agreement",
            "+".join(source.collection.data_hash for source in sources),
            weights="" if options.weights == "contributors" else options.weights,
        ),
        values=[*groups, *peers, *agreements_of_all, *pyramids, *disagreements],
        record=_record,
        tables=[
            *([_all_annotators_table(agreements_of_all)] if agreements_of_all else []),
            *([_units_table(groups), _scores_table(groups)] if groups else []),
            *([_peers_table(peers)] if options.every_peer else []),
            *([_pyramids_table(pyramids), _pyramid_scores_table(pyramids)] if pyramids else []),
            *([PLACES.table(disagreements, "Places", _PLACES_NOTE)] if options.places else []),
        ],
        left_out=(*notes, *left_out),
        charts=[
            Chart(
                "agreement", partial(_figure, pair), about=pair.short if has_several_pairs else ()
            )
            for pair in pairs
            if pair.pairs
        ],
    )


def _record(value: Agreement) -> dict[str, Any]:
    if isinstance(value, GroupAgreement):
        return GROUPS.record(value)
    if isinstance(value, Disagreement):
        return {"level": "place", **PLACES.record(value)}
    if isinstance(value, AllAnnotators):
        return {"level": "annotators", **asdict(value)}
    across, within = (
        _unit_record(agreement, "precision", "recall", "f")
        for agreement in (value.across, value.within)
    )
    return {
        "level": "pyramids",
        **asdict(value),
        "across": across,
        "within": within,
    }


def _read(options: Annotators) -> list[_SourceRead]:
    sources = []
    for location, fallback_name in ((options.first, "the first"), (options.second, "the second")):
        if location is not None:
            selection = (options.task, options.topic, options.source_format)
            source = PyramidSource(location, *selection, assessor=options.assessor)
            collection_name = location.name if isinstance(location, Collection) else ""
            name = (
                str(location)
                if isinstance(location, str | Path)
                else collection_name or fallback_name
            )
            sources.append(_SourceRead(name, source, source.read()))
    return sources


def _annotators(source: _SourceRead, *, is_only_source: bool) -> list[_Annotator]:
    """Return the annotators of a source, with its name if there are two sources."""
    annotations = source.collection.peer_annotations
    by_person = grouped((key[3:], (key[:3], peer)) for key, peer in annotations.items())
    annotators = []
    for person in sorted(by_person, key=natural_orders):
        assessor, occasion = person
        name = f"{assessor or 'unnamed'} ({occasion})" if occasion else assessor or "unnamed"
        if not is_only_source:
            name = f"{source.name}: {name}" if len(by_person) > 1 else source.name
        annotators.append(_Annotator(name, dict(by_person[person])))
    return annotators


def _pairs(
    annotators: Sequence[Sequence[_Annotator]],
    sources: Sequence[_SourceRead],
    options: Annotators,
    *,
    is_required: bool,
) -> list[AnnotatorPair]:
    """Return the peers that two people annotated, for each pair of people."""
    source = sources[0].source
    for source_annotators, (_, pyramid_source, _) in zip(annotators, sources, strict=True):
        if not source_annotators and is_required:
            message = "there are no annotated peers in it, nor are there two pyramids of the same "
            hint = "name a .pan file, or a folder or collection with annotated peers"
            raise InputError(f"{message}references that differ", hint, where=pyramid_source.where)
    has_one_source = len(annotators) == 1
    annotator_couples = combinations(annotators[0], 2) if has_one_source else product(*annotators)
    pairs = [_annotator_pair(first, second, options) for first, second in annotator_couples]
    pairs_with_notes = [pair for pair in pairs if pair.pairs or pair.notes]
    if not pairs_with_notes and is_required and has_one_source:
        message = "no peer in it was annotated by two people, and no pyramid has another version"
        hint = "name a second source, or annotators: <topic>-<task>-<system>~<assessor>.pan"
        raise InputError(message, hint, where=source.where)
    if not pairs_with_notes and is_required:
        message = f"{sources[0].name} and {sources[1].name} have no annotated peer in common"
        raise InputError(
            message, "give the files of a peer the same name: <topic>-<task>-<system>.pan"
        )
    if any(pair.pairs for pair in pairs_with_notes):
        source.require(key[:2] for pair in pairs_with_notes for key in pair.pairs)
    selected_pairs = [
        pair._replace(
            pairs={
                key: annotations
                for key, annotations in pair.pairs.items()
                if source.takes(*key[:2])
            },
            refused={key: error for key, error in pair.refused.items() if source.takes(*key[:2])},
        )
        for pair in pairs_with_notes
    ]
    if pairs_with_notes and is_required and not any(pair.pairs for pair in selected_pairs):
        refusals = (error for pair in selected_pairs for error in pair.refused.values())
        raise next(refusals, NotFoundError("no peer is left", "choose fewer tasks or topics"))
    return [pair for pair in selected_pairs if pair.pairs or pair.notes]


def _annotator_pair(first: _Annotator, second: _Annotator, options: Annotators) -> AnnotatorPair:
    """Pair the annotations of the same peers, and note peers that only one annotated."""
    first_peers, second_peers = first.peers, second.peers
    if len(first_peers) == len(second_peers) == 1 and options.second is not None:
        # Two files are compared regardless of their names; their texts must be the same.
        second_peers = dict(zip(first_peers, second_peers.values(), strict=True))
    pairs: dict[Key, AnnotatedTwice] = {}
    refusals: dict[Key, ShapeError] = {}
    keys_with_two_pyramids = []
    for key in sorted(first_peers.keys() & second_peers.keys(), key=natural_orders):
        if _has_different_units(first_peers[key].pyramid, second_peers[key].pyramid):
            keys_with_two_pyramids.append(key)
            continue
        try:
            pairs[key] = AnnotatedTwice(
                first_peers[key], second_peers[key], address_name(*key), options.weights
            )
        except ShapeError as error:
            refusals[key] = error
    keys_by_reason = {
        f"annotated in {first.name} only": first_peers.keys() - second_peers.keys()
        if pairs
        else (),
        f"annotated in {second.name} only": second_peers.keys() - first_peers.keys()
        if pairs
        else (),
        f"annotated with two pyramids by {first.name} and {second.name}": keys_with_two_pyramids,
    }
    left_out = []
    for reason, keys in keys_by_reason.items():
        if keys:
            names = [address_name(*key) for key in sorted(keys, key=natural_orders)]
            ellipsis = "; ..." if len(names) > 3 else ""
            left_out.append(f"{reason}: {len(names)} ({'; '.join(names[:3])}{ellipsis})")
    return AnnotatorPair((first.name, second.name), pairs, left_out, refusals)


def _has_different_units(first: Pyramid, second: Pyramid) -> bool:
    """Return whether two pyramids of the same references have different units."""
    return first_different_unit(first, second) is not None and same_references(first, second)


def _groups(pair: AnnotatorPair) -> Iterator[GroupAgreement]:
    """Measure agreement by topic, then on all topics if there are several."""
    topics = grouped((key[:2], annotations) for key, annotations in pair.pairs.items())
    for address, topic_pairs in topics.items():
        agreement = agreement_of_annotations(topic_pairs)
        yield GroupAgreement("topic", address_name(*address), agreement, *pair.short)
    if len(topics) > 1:
        agreement = agreement_of_annotations(list(pair.pairs.values()))
        yield GroupAgreement("all", "all", agreement, *pair.short)


def _agreement_of_all(
    annotators: Sequence[_Annotator], pairs: Sequence[AnnotatorPair]
) -> list[AllAnnotators]:
    """Measure the agreement of all annotators of one source, if there are more than two."""
    keys = dict.fromkeys(key for pair in pairs for key in pair.pairs)
    if len(annotators) < 3 or not keys:
        return []
    from pyramidion.stats import krippendorff_alpha

    answers = []
    for key in keys:
        first_annotation = next(
            annotator.peers[key] for annotator in annotators if key in annotator.peers
        )
        answers.append(
            [_answers(first_annotation, annotator.peers.get(key)) for annotator in annotators]
        )
    answer_table = np.concatenate(answers, axis=1)
    answer_table = answer_table[:, np.count_nonzero(~np.isnan(answer_table), axis=0) > 1]
    alpha = krippendorff_alpha(answer_table, level="nominal").value
    has_no_answers = [bool(np.isnan(row).all()) for row in answer_table]
    names = tuple(
        annotator.name
        for annotator, has_none in zip(annotators, has_no_answers, strict=True)
        if not has_none
    )
    return [AllAnnotators(names, len(keys), answer_table.shape[1], alpha)]


def _answers(first: PeerAnnotation, other: PeerAnnotation | None) -> Floats:
    """Return one person's answers about the units of a pyramid; NaN where there are none."""
    n_units = int(np.count_nonzero(first.pyramid.membership.any(axis=1)))
    no_answers = np.full(n_units, np.nan)
    try:
        return (
            decisions(AnnotatedTwice(first, other))[1].astype(np.float64) if other else no_answers
        )
    except ShapeError:
        return no_answers


def _pyramid_agreements(
    sources: Sequence[_SourceRead], weights: WeightPolicy
) -> Iterator[PyramidAgreement]:
    """Compare pyramids that differ: versions in one source, or those of two sources."""
    addresses = {key: None for source in sources for key in every_pyramid(source.collection)}
    selected_addresses = (key for key in addresses if sources[0].source.takes(*key))
    for address in sorted(selected_addresses, key=natural_orders):
        named_pyramids: list[tuple[str, Pyramid]] = []
        for source in sources:
            versions = list(source.collection.pyramid_versions(*address).items())
            if len(sources) > 1:
                versions = [(Path(source.name).name, pyramid) for _, pyramid in versions[:1]]
            named_pyramids += [(version or "in force", pyramid) for version, pyramid in versions]
        for (first_name, first), (second_name, second) in combinations(named_pyramids, 2):
            if _has_different_units(first, second):
                peers_of_first = _annotated_with(first, address, sources[0].collection)
                peers_of_second = _annotated_with(second, address, sources[-1].collection)
                peers = [
                    (peers_of_first[peer_key], peers_of_second[peer_key])
                    for peer_key in peers_of_first
                    if peer_key in peers_of_second
                ]
                labels = (address_name(*address), first_name, second_name)
                yield compare_pyramids(first, second, labels=labels, peers=peers, weights=weights)


def _annotated_with(
    pyramid: Pyramid, address: tuple[str, str], collection: Collection
) -> dict[Key, PeerAnnotation]:
    """Return the first annotation of each peer with a pyramid."""
    peers: dict[Key, PeerAnnotation] = {}
    for key, peer in collection.peer_annotations.items():
        if key[:2] == address and peer.pyramid == pyramid:
            peers.setdefault(key[:3], peer)
    return peers


def _undefined_lines(pair: AnnotatorPair, prefix: str) -> Iterator[str]:
    for group in _groups(pair):
        name, agreement = f"{prefix}{group.name}", group.agreement
        for suffix, units in (("", agreement.units), (" without weight 1", agreement.shared_units)):
            if units.undefined:
                yield f"{name}: no agreement{suffix}: {units.undefined}"
            elif units.unanimous:
                yield f"{name}: all decisions{suffix} are equal; coefficients are 1 by definition"
        for measure in _MEASURES:
            scores = getattr(agreement, measure)
            if scores.undefined:
                yield f"{name}: peers without a {measure} score by both: {scores.undefined}"
            if scores.note and np.isnan(scores.p_t):
                yield f"{name}: {measure} scores: {scores.note}"


_SCORE_COLUMNS = {
    "mean_first": "first",
    "mean_second": "second",
    "difference": "difference",
    "absolute": "|difference|",
    "correlation": "r",
    "p_t": "p (t)",
    "p_wilcoxon": "p (W)",
}
_score_cells = attrgetter("n", *_SCORE_COLUMNS)


def _annotator_headings(groups: Sequence[GroupAgreement]) -> tuple[str, ...]:
    """Return the headings of the annotator columns, if there are more than two annotators."""
    has_several_pairs = len({(group.first, group.second) for group in groups}) > 1
    return ("annotator", "and") if has_several_pairs else ()


def _peers_table(peers: Sequence[GroupAgreement]) -> Table:
    excluded_columns = () if _annotator_headings(peers) else ("annotator", "and")
    return GROUPS.table(peers, "Peer by peer", _PEERS_NOTE, exclude=excluded_columns)


def _units_table(groups: Sequence[GroupAgreement]) -> Table:
    names = ("decisions", "pi", "kappa", "alpha", "percent")
    annotator_headings, rows = _annotator_headings(groups), []
    for group in groups:
        cells = (
            *(group.first, group.second)[: len(annotator_headings)],
            group.name,
            group.agreement.peers,
        )
        rows.append((*cells, "all", *attrgetter(*names)(group.agreement.units)))
        rows.append((*cells, "from weight 2", *attrgetter(*names)(group.agreement.shared_units)))
    headings = (*annotator_headings, "topic", "peers", "units", *names[:-1], "agreement")
    title = "Agreement on content units"
    return Table(headings, tuple(rows), title, _UNITS_NOTE, digits=3, name="units")


def _scores_table(groups: Sequence[GroupAgreement]) -> Table:
    annotator_headings, rows = _annotator_headings(groups), []
    for group in groups:
        cells = (*(group.first, group.second)[: len(annotator_headings)], group.name)
        rows.append((*cells, "original", *_score_cells(group.agreement.original)))
        rows.append((*cells, "modified", *_score_cells(group.agreement.modified)))
    headings = (*annotator_headings, "topic", "score", "peers", *_SCORE_COLUMNS.values())
    return Table(headings, tuple(rows), "Differences of scores", _SCORES_NOTE, name="scores")


def _all_annotators_table(agreements: Sequence[AllAnnotators]) -> Table:
    rows = tuple(
        (len(agreement.annotators), agreement.summaries, agreement.decisions, agreement.alpha)
        for agreement in agreements
    )
    headings = ("annotators", "peers", "decisions", "alpha")
    return Table(
        headings, rows, "All annotators", _ALL_ANNOTATORS_NOTE, digits=3, name="annotators"
    )


def _pyramids_table(agreements: Sequence[PyramidAgreement]) -> Table:
    names = ("decisions", "precision", "recall", "f", "kappa", "alpha")
    rows = tuple(
        (pair.name, pair.first, pair.second, *pair.units, scope, *attrgetter(*names)(words))
        for pair in agreements
        for scope, words in (("different references", pair.across), ("one reference", pair.within))
    )
    headings = ("topic", "pyramid", "and", "units", "units of 2nd", "words in")
    all_headings = (*headings, "pairs", "precision", "recall", "F", "kappa", "alpha")
    title = "Agreement between pyramids"
    return Table(all_headings, rows, title, _PYRAMIDS_NOTE, digits=3, name="pyramids")


def _pyramid_scores_table(agreements: Sequence[PyramidAgreement]) -> Table:
    rows = tuple(
        (pair.name, pair.first, pair.second, kind, *_score_cells(scores))
        for pair in agreements
        for kind, scores in (("references", pair.references), ("peers", pair.peers))
        if scores.n
    )
    headings = ("topic", "pyramid", "and", "scores of", "n", *_SCORE_COLUMNS.values())
    title = "Scores by either pyramid"
    return Table(headings, rows, title, _PYRAMID_SCORES_NOTE, name="pyramid-scores")


def _figure(pair: AnnotatorPair) -> "Figure":
    annotations = list(pair.pairs.values())
    is_same = pair.short[0] == pair.short[1]
    return (
        annotators_figure(annotations)
        if is_same
        else annotators_figure(annotations, names=pair.short)
    )
