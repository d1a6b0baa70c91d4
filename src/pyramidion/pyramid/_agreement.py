"""How well two people who annotated the same agree: a question and its figure."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import Collection, PeerAnnotation
from pyramidion.collection._checks import address_name
from pyramidion.collection._ids import grouped, natural_orders
from pyramidion.collection._options import argument, option
from pyramidion.collection._questions import Options, question
from pyramidion.collection._sources import Source
from pyramidion.errors import InputError, NotFoundError
from pyramidion.pyramid._agreement_measures import (
    AnnotatedTwice,
    AnnotationAgreement,
    Measure,
    UnitAgreement,
    agreement_of_annotations,
    both_scores,
    compare_scores,
)
from pyramidion.pyramid._cases import PyramidSource, source_notes
from pyramidion.report.charts.curves import Panel, Series, Span, panels_figure
from pyramidion.report.charts.layout import PAD, Space
from pyramidion.report.charts.style import BLUE, GREY, PALE
from pyramidion.report.labels import counted, short_name
from pyramidion.report.result import Chart, Result, signed
from pyramidion.report.table import Table
from pyramidion.report.view import Column, View, data

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MEASURES: tuple[Measure, ...] = ("original", "modified")
_POINT: dict[str, Any] = {
    "color": BLUE, "linestyle": "none", "marker": "o", "markersize": 4.5, "alpha": 0.55,
    "markeredgewidth": 0, "label": "a peer",
}  # fmt: skip
_SAME: dict[str, Any] = {"color": GREY, "linewidth": 0.8, "label": "the same score"}


def annotators_figure(
    pairs: Sequence[AnnotatedTwice],
    *,
    names: tuple[str, str] = ("first annotation", "second annotation"),
    equal_within: float = 0.06,
) -> "Figure":
    """Draw each peer's score by one annotation against the other, small differences as a band."""
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
        legend=(_POINT, _SAME, band),
        ylabel=short_name(names[1]),
        one_scale=True,
    )


def _panel(title: str, scores: Floats, name: str, band: float) -> Panel:
    # A peer with more content units than a reference may score above 1 by the modified score.
    top = float(np.nanmax(scores, initial=1.0))
    ends, limits = np.array([0.0, top]), (-0.03, top + 0.03)
    absolute = compare_scores(*scores).absolute
    return Panel(
        [
            Span(ends, ends - band, ends + band, {"color": PALE, "linewidth": 0}),
            Series(ends, ends, _SAME),
            Series(scores[0], scores[1], _POINT),
        ],
        title,
        "" if math.isnan(absolute) else f"mean |difference| {absolute:.3f}",
        scale={"xlim": limits, "ylim": limits, "xlabel": short_name(name)},
    )


Key = tuple[str, ...]

_HELP = "Peers annotated by {} person: a .pan file, a folder of such files, or a collection."
_UNITS_NOTE = (
    "Does the peer express the content unit, yes or no: every unit of the pyramid in every peer is "
    "a decision, pooled over peers. From weight 2: without units that one reference expresses. "
    "Pi is what the thesis calls kappa."
)
_SCORES_NOTE = (
    "Difference: first less second. p: paired t test, and Wilcoxon's signed ranks, of the "
    "hypothesis that neither person scores higher."
)
_PEERS_NOTE = "Content units found by both and by only one; differences of scores."


@dataclass(frozen=True, slots=True)
class TwoAnnotations(Options):
    """Two sources with the same peers, annotated by two people."""

    first: Source = argument(_HELP.format("one"), metavar="A")
    second: Source = argument(_HELP.format("another"), metavar="B")
    task: tuple[str, ...] = option((), "Tasks to include, comma-separated; all by default.")
    topic: tuple[str, ...] = option((), "Topics to include, comma-separated; all by default.")
    every_peer: bool = option(False, "Also list the agreement on every peer.", flags=("--peers",))
    source_format: str | None = option(
        None, "Format of the sources; detected by default.", flags=("--from",), metavar="FORMAT"
    )

    @property
    def sources(self) -> tuple[PyramidSource, PyramidSource]:
        """Either source, with what is wanted of it."""
        first, second = (
            PyramidSource(one, self.task, self.topic, self.source_format)
            for one in (self.first, self.second)
        )
        return first, second


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """Agreement on a topic (`level` topic), on a peer, or on all of them."""

    level: str
    name: str
    found: AnnotationAgreement


def _unit_record(units: UnitAgreement) -> dict[str, Any]:
    return {**asdict(units), "decisions": units.decisions}


GROUPS: View[GroupAgreement] = View(
    "peers",
    (
        data("level"),
        Column("name", "peer"),
        data("peers", lambda one: one.found.peers),
        data("units", lambda one: _unit_record(one.found.units)),
        data("without_weight_1", lambda one: _unit_record(one.found.shared_units)),
        data("original", lambda one: asdict(one.found.original)),
        data("modified", lambda one: asdict(one.found.modified)),
        Column("", "both", attrgetter("found.units.both")),
        Column("", "only first", attrgetter("found.units.only_first")),
        Column("", "only second", attrgetter("found.units.only_second")),
        Column("", "pi", attrgetter("found.units.pi")),
        Column("", "agreement", attrgetter("found.units.percent")),
        Column("", "original", attrgetter("found.original.difference")),
        Column("", "modified", attrgetter("found.modified.difference")),
    ),
    digits=3,
)


@question
def agreement(options: TwoAnnotations) -> Result[GroupAgreement]:
    """Measure how far two annotators agree on the same peers and pyramids.

    Scott's pi, Cohen's kappa, Krippendorff's alpha and percent agreement on content units, with
    and without those of weight 1, and how far the scores differ.

    Examples
    --------
    >>> from pyramidion.collection import SCU, Contributor, Part, Pyramid
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    >>> said = Contributor((Part(0, 3, "Ice"),))
    >>> one, two = (
    ...     Collection("", peer_annotations={
    ...         ("", "T1", "7"): PeerAnnotation(pyramid, "Ice.", (SCU("1", "", found),))})
    ...     for found in ((said,), ()))
    >>> result = agreement(one, two)
    >>> result[0].found.units.percent, result[0].found.modified.difference
    (0.0, 1.0)
    """
    collections = [source.read() for source in options.sources]
    names = [_source_name(options.first, "the first"), _source_name(options.second, "the second")]
    pairs, left_out = _paired(collections, options, names)
    groups = list(_groups(pairs))
    peers = [
        GroupAgreement("peer", pair.name, agreement_of_annotations([pair]))
        for pair in pairs.values()
    ]
    tables = [_units_table(groups), _scores_table(groups)]
    if options.every_peer:
        tables.append(GROUPS.table(peers, "Peer by peer", _PEERS_NOTE))
    return Result(
        command="pyramid agreement",
        signature=signed("pyramid-agreement", "+".join(one.data_hash for one in collections)),
        values=[*groups, *peers],
        record=GROUPS.record,
        tables=tables,
        left_out=(*_told(collections, names), *left_out, *_undefined(groups)),
        charts=[Chart("agreement", partial(_figure, list(pairs.values()), names))],
    )


def _source_name(source: Source, otherwise: str) -> str:
    if isinstance(source, str | Path):
        return str(source)
    return (source.name if isinstance(source, Collection) else "") or otherwise


def _told(collections: Sequence[Collection], names: Sequence[str]) -> Iterator[str]:
    for collection, name in zip(collections, names, strict=True):
        # Annotations are compared by their own pyramids, which must be the same.
        for line in source_notes(collection, but=("other pyramid",)):
            yield f"{name}: {line}"


def _paired(
    collections: Sequence[Collection], options: TwoAnnotations, names: Sequence[str]
) -> tuple[dict[Key, AnnotatedTwice], list[str]]:
    """Give the peers that both sources have, and tell what only one has."""
    one, two = (collection.peer_annotations for collection in collections)
    for annotations, source in zip((one, two), options.sources, strict=True):
        if not annotations:
            raise InputError(
                "there are no annotated peers in it",
                where=source.where,
                hint="name a .pan file, or a folder or collection that has some",
            )
    if len(one) == len(two) == 1:
        # Two files are compared whatever they are called; their texts must be the same.
        two = dict(zip(one, two.values(), strict=True))
    common = sorted((key for key in one if key in two), key=natural_orders)
    if not common:
        raise InputError(
            f"{names[0]} and {names[1]} have no annotated peer in common",
            hint="name the files of one peer alike: <topic>-<task>-<system>.pan",
        )
    pairs = {key: AnnotatedTwice(one[key], two[key], name=address_name(*key)) for key in common}
    source = options.sources[0]
    source.require(key[:2] for key in pairs)
    kept = {key: pair for key, pair in pairs.items() if source.takes(*key[:2])}
    if not kept:
        raise NotFoundError("no peer is left", hint="ask for fewer tasks or topics")
    return kept, [*_only(one, two, names[0]), *_only(two, one, names[1])]


def _only(
    here: Mapping[Key, PeerAnnotation], there: Mapping[Key, PeerAnnotation], name: str
) -> Iterator[str]:
    lonely = sorted((key for key in here if key not in there), key=natural_orders)
    if lonely:
        shown = "; ".join(address_name(*key) for key in lonely[:3])
        more = "; ..." if len(lonely) > 3 else ""
        yield f"annotated in {name} only: {len(lonely)} ({shown}{more})"


def _groups(pairs: Mapping[Key, AnnotatedTwice]) -> Iterator[GroupAgreement]:
    """Take topic by topic, then all together if there are several."""
    topics = grouped((key[:2], pair) for key, pair in pairs.items())
    for place, own in topics.items():
        yield GroupAgreement("topic", address_name(*place), agreement_of_annotations(own))
    if len(topics) > 1:
        yield GroupAgreement("all", "all", agreement_of_annotations(list(pairs.values())))


def _undefined(groups: Sequence[GroupAgreement]) -> Iterator[str]:
    for group in groups:
        name, found = group.name, group.found
        for what, units in (("", found.units), (" without weight 1", found.shared_units)):
            if units.undefined:
                yield f"{name}: no agreement{what}: {units.undefined}"
            elif units.unanimous:
                yield f"{name}: all decisions{what} are the same; coefficients are 1 by definition"
        for measure, scores in found.scores:
            if scores.undefined:
                yield f"{name}: peers without a {measure} score by both: {scores.undefined}"
            if scores.note and np.isnan(scores.p_t):
                yield f"{name}: {measure} scores: {scores.note}"


def _units_table(groups: Sequence[GroupAgreement]) -> Table:
    names = ("decisions", "pi", "kappa", "alpha", "percent")
    rows = tuple(
        (group.name, group.found.peers, which, *(getattr(units, name) for name in names))
        for group in groups
        for which, units in (
            ("all", group.found.units), ("from weight 2", group.found.shared_units),
        )
    )  # fmt: skip
    heads = ("topic", "peers", "units", *names[:-1], "agreement")
    return Table(heads, rows, "Agreement on content units", _UNITS_NOTE, digits=3, name="units")


def _scores_table(groups: Sequence[GroupAgreement]) -> Table:
    names = ("n", "mean_first", "mean_second", "difference", "absolute", "p_t", "p_wilcoxon")
    rows = tuple(
        (group.name, measure, *(getattr(scores, name) for name in names))
        for group in groups
        for measure, scores in group.found.scores
    )
    heads = ("peers", "first", "second", "difference", "|difference|", "p (t)", "p (W)")
    title = "Differences of scores"
    return Table(("topic", "score", *heads), rows, title, _SCORES_NOTE, name="scores")


def _figure(pairs: Sequence[AnnotatedTwice], names: Sequence[str]) -> "Figure":
    first, second = (Path(name).name for name in names)
    distinct = (first, second) if first != second else ("first annotation", "second annotation")
    return annotators_figure(pairs, names=distinct)
