"""How well people who annotated the same agree: a question and its figure."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import combinations, product
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import Collection, PeerAnnotation
from pyramidion.collection._checks import address_name
from pyramidion.collection._ids import grouped, natural_orders
from pyramidion.collection._options import argument, option
from pyramidion.collection._pyramids import Pyramid, WeightPolicy
from pyramidion.collection._questions import Options, question
from pyramidion.collection._sources import Source
from pyramidion.errors import InputError, NotFoundError, ShapeError
from pyramidion.pyramid._agreement_measures import (
    AnnotatedTwice,
    AnnotationAgreement,
    Measure,
    UnitAgreement,
    agreement_of_annotations,
    both_scores,
    compare_scores,
    decisions,
    other_unit,
)
from pyramidion.pyramid._cases import PyramidSource, source_notes
from pyramidion.pyramid._topics import every_pyramid
from pyramidion.pyramid._two_pyramids import (
    FEWEST_WORDS,
    Place,
    PyramidAgreement,
    compare_pyramids,
    find_places,
    same_references,
)
from pyramidion.report.charts.curves import Panel, Series, Span, panels_figure
from pyramidion.report.charts.layout import PAD, Space
from pyramidion.report.charts.style import BLUE, GRAY, PALE
from pyramidion.report.labels import counted, short_name
from pyramidion.report.result import Chart, Result, signed
from pyramidion.report.table import Table
from pyramidion.report.view import View, columns, data, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MEASURES: tuple[Measure, ...] = ("original", "modified")
_POINT: dict[str, Any] = {
    "color": BLUE, "linestyle": "none", "marker": "o", "markersize": 4.5, "alpha": 0.55,
    "markeredgewidth": 0, "label": "a peer",
}  # fmt: skip
_SAME: dict[str, Any] = {"color": GRAY, "linewidth": 0.8, "label": "the same score"}


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


#: A summary: task, topic and system.
Key = tuple[str, ...]

_HELP = "{}: a .pan file, a folder of such files, or a collection."
_UNITS_NOTE = (
    "Does the peer express the content unit, yes or no: every unit of the pyramid in every peer is "
    "a decision, pooled over peers. From weight 2: without units that one reference expresses. "
    "Pi is what the thesis calls kappa."
)
_SCORES_NOTE = (
    "Difference: first less second. r: Pearson's correlation. p: paired t test, and Wilcoxon's "
    "signed ranks, of the hypothesis that neither person scores higher."
)
_PEERS_NOTE = "Content units found by both and by only one; differences of scores."
_ALL_NOTE = "Krippendorff's alpha of all who annotated a peer, over the decisions of two or more."
_PYRAMIDS_NOTE = (
    "Are two words in one content unit, yes or no: every pair of words that are in a unit of "
    "either pyramid is a decision. Precision and recall: of the second's and of the first's "
    "pairs, the share that the other has, too; F is their harmonic mean."
)
_EITHER_NOTE = (
    "Modified scores of the references, each by the others, and of peers annotated with either "
    "pyramid. r: Pearson's correlation."
)
_PLACES_NOTE = (
    f"The same {FEWEST_WORDS} words or more are marked for a content unit in one peer; the other "
    "peer has them, too, and expresses the unit nowhere."
)


@dataclass(frozen=True, slots=True)
class Annotators(Options):
    """What several people annotated: one source with its annotators, or two sources."""

    first: Source = argument(
        _HELP.format("Peers, or pyramids, annotated by several people, or by one"), metavar="A"
    )
    second: Source | None = argument(
        _HELP.format("The same annotated by another person, if A has one annotator"),
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
        "What a content unit weighs: contributors (as in DUCView) or references (as in the"
        " thesis).",
        choices=("contributors", "references"),
    )
    source_format: str | None = option(
        None, "Format of the sources; detected by default.", flags=("--from",), metavar="FORMAT"
    )

    @property
    def sources(self) -> list[PyramidSource]:
        """The sources, with what is wanted of them."""
        given = [one for one in (self.first, self.second) if one is not None]
        where = (self.task, self.topic, self.source_format)
        return [PyramidSource(one, *where, assessor=self.assessor) for one in given]


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """Agreement on a topic (`level` topic), on a peer, or on all of them."""

    level: str
    name: str
    found: AnnotationAgreement
    first: str = ""
    second: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """Who annotated."""
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class AllAnnotators:
    """How all who annotated the same agree."""

    annotators: tuple[str, ...]
    summaries: int
    decisions: int
    alpha: float


@dataclass(frozen=True, slots=True)
class _Hand:
    """One person's annotations on one occasion, by summary."""

    name: str
    peers: dict[Key, PeerAnnotation] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Two:
    """Two people, the peers that both annotated, and those that only one did."""

    names: tuple[str, str]
    pairs: dict[Key, AnnotatedTwice]
    left_out: tuple[str, ...] = ()
    refused: dict[Key, ShapeError] = field(default_factory=dict)

    @property
    def told(self) -> tuple[str, ...]:
        """What is not compared, and why."""
        who = " and ".join(self.short)
        return (*self.left_out, *(f"{who}: {error.what}" for error in self.refused.values()))

    @property
    def short(self) -> list[str]:
        """Their names; of a path, its end."""
        return [Path(name).name for name in self.names]


def _unit_record(units: UnitAgreement) -> dict[str, Any]:
    return {**asdict(units), "decisions": units.decisions}


GROUPS: View[GroupAgreement] = View(
    "peers",
    (
        *columns(level="", name="peer", first="annotator", second="and"),
        *columns(of="found", peers=""),
        data("units", lambda one: _unit_record(one.found.units)),
        data("without_weight_1", lambda one: _unit_record(one.found.shared_units)),
        data("original", lambda one: asdict(one.found.original)),
        data("modified", lambda one: asdict(one.found.modified)),
        *(
            shown(name.replace("_", " "), attrgetter(f"found.units.{name}"))
            for name in ("both", "only_first", "only_second", "pi")
        ),
        shown("agreement", attrgetter("found.units.percent")),
        shown("original", attrgetter("found.original.difference")),
        shown("modified", attrgetter("found.modified.difference")),
    ),
    digits=3,
)

PLACES: View[Place] = View(
    "places",
    columns(
        "topic", scu="SCU", label="label", words="words", marked="marked in", unmarked="not in"
    ),
)

Agreement = GroupAgreement | AllAnnotators | PyramidAgreement | Place


@question
def agreement(options: Annotators) -> Result[Agreement]:
    """Measure how far annotators agree on the same peers, and on pyramids of the same references.

    Scott's pi, Cohen's kappa, Krippendorff's alpha and percent agreement on content units, with
    and without those of weight 1, and how far the scores differ; of two pyramids, which words they
    take for one content unit.

    Examples
    --------
    >>> from pyramidion.collection import SCU, Contributor, Part, Pyramid
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    >>> said = Contributor((Part(0, 3, "Ice"),))
    >>> mine = Collection("", peer_annotations={
    ...     ("", "T1", "7", who): PeerAnnotation(pyramid, "Ice.", (SCU("1", "", found),))
    ...     for who, found in (("anna", (said,)), ("bert", ()))})
    >>> result = agreement(mine)
    >>> result[0].first, result[0].found.units.percent, result[0].found.modified.difference
    ('anna', 0.0, 1.0)
    """
    collections = [source.read() for source in options.sources]
    names = _source_names(options)
    pyramids = list(_compared_pyramids(collections, names, options))
    places = _found_places(collections, options) if options.places else []
    hands = _hands(collections, names)
    pairs = _paired(hands, options, names, needed=not (pyramids or options.places))
    groups = [group for two in pairs for group in _groups(two)]
    peers = [
        GroupAgreement("peer", pair.name, agreement_of_annotations([pair]), *two.short)
        for two in pairs
        for pair in two.pairs.values()
    ]
    everyone = list(_everyone(hands, pairs))
    tables = [
        *([_all_table(everyone)] if everyone else []),
        *([_units_table(groups), _scores_table(groups)] if groups else []),
        *([_peers_table(peers)] if options.every_peer else []),
        *([_pyramids_table(pyramids), _either_table(pyramids)] if pyramids else []),
        *([PLACES.table(places, "Places", _PLACES_NOTE)] if options.places else []),
    ]
    left_out = dict.fromkeys(
        line
        for two in pairs
        for line in (*two.told, *_undefined(_groups(two), two if len(pairs) > 1 else None))
    )
    return Result(
        command="pyramid agreement",
        signature=signed(
            "pyramid-agreement",
            "+".join(one.data_hash for one in collections),
            weights="" if options.weights == "contributors" else options.weights,
        ),
        values=[*groups, *peers, *everyone, *pyramids, *places],
        record=_record,
        tables=tables,
        left_out=(*_told(collections, names), *left_out),
        charts=[
            _chart(two, tuple(two.short) if len(pairs) > 1 else ()) for two in pairs if two.pairs
        ],
    )


def _record(one: Agreement) -> dict[str, Any]:
    if isinstance(one, GroupAgreement):
        return GROUPS.record(one)
    if isinstance(one, Place):
        return {"level": "place", **PLACES.record(one)}
    if isinstance(one, AllAnnotators):
        return {"level": "annotators", **asdict(one)}
    pairs = {
        name: _unit_record(own.pairs) | {n: getattr(own, n) for n in ("precision", "recall", "f")}
        for name, own in (("across", one.across), ("within", one.within))
    }
    return {"level": "pyramids", **asdict(one), **pairs}


def _source_names(options: Annotators) -> list[str]:
    given = [one for one in (options.first, options.second) if one is not None]
    return [_source_name(*one) for one in zip(given, ("the first", "the second"), strict=False)]


def _source_name(source: Source, otherwise: str) -> str:
    if isinstance(source, str | Path):
        return str(source)
    return (source.name if isinstance(source, Collection) else "") or otherwise


def _told(collections: Sequence[Collection], names: Sequence[str]) -> Iterator[str]:
    for collection, name in zip(collections, names, strict=True):
        # Annotations are compared by their own pyramids, which must be the same.
        for line in source_notes(collection, but=("other pyramid",)):
            yield f"{name}: {line}"


def _hands(collections: Sequence[Collection], names: Sequence[str]) -> list[list[_Hand]]:
    """Return the annotators of each source; the only one of a source is called as it."""
    found = []
    for collection, source in zip(collections, names, strict=True):
        hands: dict[tuple[str, ...], _Hand] = {}
        for key, peer in collection.peer_annotations.items():
            hands.setdefault(key[3:], _Hand(_hand_name(*key[3:]))).peers[key[:3]] = peer
        own = [hands[key] for key in sorted(hands, key=natural_orders)]
        if len(collections) > 1:
            alone = len(own) == 1
            own = [_Hand(source if alone else f"{source}: {o.name}", o.peers) for o in own]
        found.append(own)
    return found


def _hand_name(assessor: str, occasion: str) -> str:
    return " ".join((assessor or "unnamed", *([f"({occasion})"] if occasion else [])))


def _paired(
    hands: Sequence[Sequence[_Hand]], options: Annotators, names: Sequence[str], *, needed: bool
) -> list[_Two]:
    """Return the peers that two people annotated, for any two of them."""
    for own, source in zip(hands, options.sources, strict=True):
        if not own and needed:
            raise InputError(
                "there are no annotated peers in it, nor are there two pyramids of the same "
                "references that differ",
                where=source.where,
                hint="name a .pan file, or a folder or collection that has some",
            )
    couples = list(product(*hands) if len(hands) > 1 else combinations(hands[0], 2))
    pairs = [_two(one, two, options) for one, two in couples]
    found = [two for two in pairs if two.pairs or two.told]
    if not found and needed:
        if len(hands) == 1:
            raise InputError(
                "no peer in it was annotated by two people, and no pyramid has another version",
                where=options.sources[0].where,
                hint="name a second source, or annotators: <topic>-<task>-<system>~<assessor>.pan",
            )
        hint = "name the files of one peer alike: <topic>-<task>-<system>.pan"
        raise InputError(f"{names[0]} and {names[1]} have no annotated peer in common", hint=hint)
    if any(two.pairs for two in found):
        options.sources[0].require(key[:2] for two in found for key in two.pairs)
    kept = [_wanted(two, options.sources[0]) for two in found]
    if found and needed and not any(two.pairs for two in kept):
        refused = [error for two in kept for error in two.refused.values()]
        none = NotFoundError("no peer is left", hint="ask for fewer tasks or topics")
        raise next(iter(refused), none)
    return [two for two in kept if two.pairs or two.told]


def _wanted(two: _Two, source: PyramidSource) -> _Two:
    kept = {key: pair for key, pair in two.pairs.items() if source.takes(*key[:2])}
    refused = {key: error for key, error in two.refused.items() if source.takes(*key[:2])}
    return replace(two, pairs=kept, refused=refused)


def _two(first: _Hand, second: _Hand, options: Annotators) -> _Two:
    """Take what both annotated, and tell what only one did."""
    one, two = first.peers, second.peers
    if len(one) == len(two) == 1 and options.second is not None:
        # Two files are compared whatever they are called; their texts must be the same.
        two = dict(zip(one, two.values(), strict=True))
    common = sorted((key for key in one if key in two), key=natural_orders)
    others = [key for key in common if _other_pyramid(one[key].pyramid, two[key].pyramid)]
    pairs: dict[Key, AnnotatedTwice] = {}
    refused: dict[Key, ShapeError] = {}
    for key in (key for key in common if key not in others):
        try:
            pairs[key] = AnnotatedTwice(one[key], two[key], address_name(*key), options.weights)
        except ShapeError as error:
            refused[key] = error
    left_out = [*_only(one, two, first.name), *_only(two, one, second.name)] if pairs else []
    if others:
        what = f"annotated with two pyramids by {first.name} and {second.name}"
        left_out.append(f"{what}: {_brief(others)}")
    return _Two((first.name, second.name), pairs, tuple(left_out), refused)


def _other_pyramid(first: Pyramid, second: Pyramid) -> bool:
    """Return whether two pyramids have other units, but are of the same references."""
    return other_unit(first, second) is not None and same_references(first, second)


def _only(
    here: dict[Key, PeerAnnotation], there: dict[Key, PeerAnnotation], name: str
) -> Iterator[str]:
    lonely = sorted((key for key in here if key not in there), key=natural_orders)
    if lonely:
        yield f"annotated in {name} only: {_brief(lonely)}"


def _brief(keys: Sequence[Key]) -> str:
    shown = "; ".join(address_name(*key) for key in keys[:3])
    return f"{len(keys)} ({shown}{'; ...' if len(keys) > 3 else ''})"


def _groups(two: _Two) -> Iterator[GroupAgreement]:
    """Take topic by topic, then all together if there are several."""
    topics = grouped((key[:2], pair) for key, pair in two.pairs.items())
    for place, own in topics.items():
        found = agreement_of_annotations(own)
        yield GroupAgreement("topic", address_name(*place), found, *two.short)
    if len(topics) > 1:
        found = agreement_of_annotations(list(two.pairs.values()))
        yield GroupAgreement("all", "all", found, *two.short)


def _everyone(hands: Sequence[Sequence[_Hand]], pairs: Sequence[_Two]) -> Iterator[AllAnnotators]:
    """Measure the agreement of all annotators of one source, where there are more than two."""
    every = hands[0]
    if len(hands) > 1 or len(every) < 3 or not pairs:
        return
    found = []
    for key in dict.fromkeys(key for two in pairs for key in two.pairs):
        first = next(hand.peers[key] for hand in every if key in hand.peers)
        answers = [_answers(first, hand.peers.get(key)) for hand in every]
        found.append(np.array(answers))
    if not found:
        return
    from pyramidion.stats import krippendorff_alpha

    table = np.concatenate(found, axis=1)
    table = table[:, np.count_nonzero(~np.isnan(table), axis=0) > 1]
    alpha = krippendorff_alpha(table, level="nominal").value
    answered = (bool((~np.isnan(row)).any()) for row in table)
    names = tuple(hand.name for hand, there in zip(every, answered, strict=True) if there)
    yield AllAnnotators(names, len(found), table.shape[1], alpha)


def _answers(first: PeerAnnotation, other: PeerAnnotation | None) -> Floats:
    """Return one person's answers about the units of a pyramid; NaN where there are none."""
    size = int(np.count_nonzero(first.pyramid.membership.any(axis=1)))
    unknown = np.full(size, np.nan)
    try:
        return decisions(AnnotatedTwice(first, other))[1].astype(np.float64) if other else unknown
    except ShapeError:
        return unknown


def _compared_pyramids(
    collections: Sequence[Collection], names: Sequence[str], options: Annotators
) -> Iterator[PyramidAgreement]:
    """Compare versions of pyramids in one source, or pyramids of two sources, that differ."""
    source = options.sources[0]
    places = {key: None for one in collections for key in every_pyramid(one)}
    for place in sorted((key for key in places if source.takes(*key)), key=natural_orders):
        versions = [list(one.pyramid_versions(*place).items()) for one in collections]
        if len(versions) == 1:
            named = [(version or "in force", pyramid) for version, pyramid in versions[0]]
            couples = list(combinations(named, 2))
        else:
            here, there = ([own for _, own in one[:1]] for one in versions)
            couples = [
                ((Path(names[0]).name, a), (Path(names[1]).name, b)) for a in here for b in there
            ]
        for (one, first), (two, second) in couples:
            if _other_pyramid(first, second):
                yield compare_pyramids(
                    first,
                    second,
                    about=(address_name(*place), one, two),
                    peers=list(_by_either(collections, place, first, second)),
                    weights=options.weights,
                )


def _by_either(
    collections: Sequence[Collection], place: tuple[str, str], first: Pyramid, second: Pyramid
) -> Iterator[tuple[PeerAnnotation, PeerAnnotation]]:
    """Return the first annotation of each peer with either pyramid."""
    found: list[dict[Key, PeerAnnotation]] = [{}, {}]
    for own, collection, pyramid in zip(
        found, (collections[0], collections[-1]), (first, second), strict=True
    ):
        for key, peer in collection.peer_annotations.items():
            if key[:2] == place and peer.pyramid == pyramid:
                own.setdefault(key[:3], peer)
    yield from ((peer, found[1][key]) for key, peer in found[0].items() if key in found[1])


def _found_places(collections: Sequence[Collection], options: Annotators) -> list[Place]:
    return [
        place
        for source, one in zip(options.sources, collections, strict=True)
        for place in find_places(
            {key: peer for key, peer in one.peer_annotations.items() if source.takes(*key[:2])}
        )
    ]


def _undefined(groups: Iterator[GroupAgreement], two: _Two | None) -> Iterator[str]:
    who = f"{' and '.join(two.names)}: " if two else ""
    for group in groups:
        name, found = f"{who}{group.name}", group.found
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


_SCORES = (
    "n", "mean_first", "mean_second", "difference", "absolute", "correlation", "p_t", "p_wilcoxon"
)  # fmt: skip
_SCORE_HEADS = ("first", "second", "difference", "|difference|", "r", "p (t)", "p (W)")


def _who(groups: Sequence[GroupAgreement]) -> tuple[str, ...]:
    """Return the heads of annotators' names, which tables have where there are more than two."""
    several = len({(group.first, group.second) for group in groups}) > 1
    return ("annotator", "and") if several else ()


def _peers_table(peers: Sequence[GroupAgreement]) -> Table:
    names = () if _who(peers) else ("annotator", "and")
    return GROUPS.table(peers, "Peer by peer", _PEERS_NOTE, exclude=names)


def _units_table(groups: Sequence[GroupAgreement]) -> Table:
    names = ("decisions", "pi", "kappa", "alpha", "percent")
    who, get = _who(groups), attrgetter(*names)
    rows = tuple(
        (*group.names[: len(who)], group.name, group.found.peers, which, *get(units))
        for group in groups
        for which, units in (
            ("all", group.found.units), ("from weight 2", group.found.shared_units),
        )
    )  # fmt: skip
    heads = (*who, "topic", "peers", "units", *names[:-1], "agreement")
    return Table(heads, rows, "Agreement on content units", _UNITS_NOTE, digits=3, name="units")


def _scores_table(groups: Sequence[GroupAgreement]) -> Table:
    who = _who(groups)
    rows = tuple(
        (*group.names[: len(who)], group.name, measure, *map(scores.__getattribute__, _SCORES))
        for group in groups
        for measure, scores in group.found.scores
    )
    title = "Differences of scores"
    heads = (*who, "topic", "score", "peers", *_SCORE_HEADS)
    return Table(heads, rows, title, _SCORES_NOTE, name="scores")


def _all_table(everyone: Sequence[AllAnnotators]) -> Table:
    rows = tuple((len(o.annotators), o.summaries, o.decisions, o.alpha) for o in everyone)
    heads = ("annotators", "peers", "decisions", "alpha")
    return Table(heads, rows, "All annotators", _ALL_NOTE, digits=3, name="annotators")


def _pyramids_table(found: Sequence[PyramidAgreement]) -> Table:
    rows = tuple(
        (
            *(one.name, one.first, one.second, *one.units, which, own.pairs.decisions),
            *(own.precision, own.recall, own.f, own.pairs.kappa, own.pairs.alpha),
        )
        for one in found
        for which, own in (("different references", one.across), ("one reference", one.within))
    )
    heads = (
        *("topic", "pyramid", "and", "units", "units of 2nd", "words in", "pairs"),
        *("precision", "recall", "F", "kappa", "alpha"),
    )
    title = "Agreement of pyramids"
    return Table(heads, rows, title, _PYRAMIDS_NOTE, digits=3, name="pyramids")


def _either_table(found: Sequence[PyramidAgreement]) -> Table:
    rows = tuple(
        (one.name, one.first, one.second, which, *map(own.__getattribute__, _SCORES))
        for one in found
        for which, own in (("references", one.references), ("peers", one.peers))
        if own.n
    )
    heads = ("topic", "pyramid", "and", "scores of", "n", *_SCORE_HEADS)
    title = "Scores by either pyramid"
    return Table(heads, rows, title, _EITHER_NOTE, name="pyramid-scores")


def _chart(two: _Two, about: tuple[str, ...]) -> Chart:
    return Chart("agreement", partial(_figure, list(two.pairs.values()), two.names), about=about)


def _figure(pairs: Sequence[AnnotatedTwice], names: Sequence[str]) -> "Figure":
    first, second = (Path(name).name for name in names)
    distinct = (first, second) if first != second else ("first annotation", "second annotation")
    return annotators_figure(pairs, names=distinct)
