"""How far two people agree who annotated the same peers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.collection import Collection, PeerAnnotation, Signature
from pyramidion.collection.formats import read_collection
from pyramidion.collection.ids import natural_order
from pyramidion.collection.problems import address_name
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.pyramid._source import PyramidSource, source_notes
from pyramidion.pyramid.agreement import AnnotatedTwice, UnitAgreement
from pyramidion.pyramid.score_agreement import (
    AnnotationAgreement,
    ScoreAgreement,
    TwiceScored,
    agreement_of_annotations,
    score_twice,
)
from pyramidion.report.answer import Answer
from pyramidion.report.pyramid_figure_files import require_figure_file
from pyramidion.report.table import Cell, Table

__all__ = ["AgreementRequest", "agreement_answer"]

Key = tuple[str, str, str]

_UNITS_NOTE = (
    "Does the peer express the content unit, yes or no: every unit of the pyramid in every peer is "
    "a decision, pooled over peers. From weight 2: without units that one reference expresses. "
    "Pi is what the thesis calls kappa."
)
_SCORES_NOTE = (
    "Difference: first less second. p: paired t test, and Wilcoxon's signed ranks, of the "
    "hypothesis that neither person scores higher."
)


@dataclass(frozen=True, slots=True)
class AgreementRequest:
    """What to compare.

    Parameters
    ----------
    every_peer
        Whether each peer has a row of its own.
    topics, tasks
        Take these only; all if none is named.
    source_format
        The sources' format, if it is not to be guessed.

    Examples
    --------
    >>> AgreementRequest().every_peer
    False
    """

    every_peer: bool = False
    topics: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    source_format: str | None = None


@dataclass(frozen=True, slots=True)
class _Twice:
    """Peers that both sources have, scored, and what only one has."""

    scored: dict[Key, TwiceScored]
    left_out: list[str] = field(default_factory=list)

    def topics(self) -> list[tuple[str, list[TwiceScored]]]:
        groups: dict[tuple[str, str], list[TwiceScored]] = {}
        for (task, topic, _), item in self.scored.items():
            groups.setdefault((task, topic), []).append(item)
        return [(address_name(*place), group) for place, group in groups.items()]


def agreement_answer(
    first: str | Path,
    second: str | Path,
    request: AgreementRequest | None = None,
    *,
    figure: str | Path | None = None,
) -> Answer:
    """Compare two people's annotations of the same peers (thesis, Tables 3.3 and 3.4).

    Parameters
    ----------
    first, second
        Sources with annotated peers: the same peers, annotated by two people.
    request
        What to show.
    figure
        A file for a figure of the scores.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import SCU, Contributor, Part, Pyramid
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    >>> said = Contributor((Part(0, 3, "Ice"),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, found in (("one", (said,)), ("two", ())):
    ...         peer = PeerAnnotation(pyramid, "Ice.", (SCU("1", "", found),))
    ...         mine = Collection(name, peer_annotations={("", "T1", "7"): peer})
    ...         mine.save(f"{folder}/{name}", format="ducview")
    ...     answer = agreement_answer(f"{folder}/one", f"{folder}/two")
    >>> answer.results[0]["units"]["percent"], answer.results[0]["modified"]["difference"]
    (0.0, 1.0)
    """
    asked = request or AgreementRequest()
    if figure is not None:
        require_figure_file(figure)
    sources = [read_collection(source, format=asked.source_format) for source in (first, second)]
    twice = _chosen(_paired(sources, (first, second)), asked)
    groups = _groups(twice)
    if figure is not None:
        _draw(list(twice.scored.values()), (Path(first).name, Path(second).name), figure)
    rows = [(name, agreement_of_annotations(group)) for name, group in groups]
    every = _each(twice) if asked.every_peer else []
    return Answer(
        command="pyramid agreement",
        signature=Signature(
            "pyramid-agreement", data="+".join(source.data_hash for source in sources)
        ),
        results=[*_records(rows, "topic"), *_records(_each(twice), "peer")],
        tables=(_units_table(rows), _scores_table(rows), *_peer_tables(every)),
        left_out=(*_told(sources, (first, second)), *twice.left_out, *_undefined(rows)),
    )


def _told(sources: Sequence[Collection], paths: tuple[str | Path, str | Path]) -> Iterator[str]:
    for source, path in zip(sources, paths, strict=True):
        # Annotations are compared by their own pyramids, which must be the same.
        for line in source_notes(source, but=("other pyramid",)):
            yield f"{path}: {line}"


def _chosen(twice: _Twice, asked: AgreementRequest) -> _Twice:
    selection = PyramidSource("", task=asked.tasks, topic=asked.topics)
    selection.require(key[:2] for key in twice.scored)
    kept = {key: item for key, item in twice.scored.items() if selection.takes(*key[:2])}
    if not kept:
        raise NotFoundError("no peer is left", hint="ask for fewer tasks or topics")
    return replace(twice, scored=kept)


def _paired(sources: Sequence[Collection], paths: tuple[str | Path, str | Path]) -> _Twice:
    one, two = (source.peer_annotations for source in sources)
    for annotations, path in zip((one, two), paths, strict=True):
        if not annotations:
            raise InputError(
                "there are no annotated peers in it",
                where=Where(path),
                hint="name a .pan file, or a folder or collection that has some",
            )
    if len(one) == len(two) == 1:
        # Two files are compared whatever they are called; their texts must be the same.
        two = dict(zip(one, two.values(), strict=True))
    common = sorted((key for key in one if key in two), key=_order)
    if not common:
        raise InputError(
            f"{paths[0]} and {paths[1]} have no annotated peer in common",
            hint="name the files of one peer alike: <topic>-<task>-<system>.pan",
        )
    pairs = [AnnotatedTwice(one[key], two[key], name=_name(key)) for key in common]
    left_out = [*_only(one, two, paths[0]), *_only(two, one, paths[1])]
    return _Twice(dict(zip(common, score_twice(pairs), strict=True)), left_out)


def _order(key: Key) -> tuple[object, ...]:
    return tuple(natural_order(part) for part in key)


def _name(key: Key) -> str:
    return address_name(*key)


def _only(
    here: Mapping[Key, PeerAnnotation], there: Mapping[Key, PeerAnnotation], path: str | Path
) -> Iterator[str]:
    lonely = sorted((key for key in here if key not in there), key=_order)
    if lonely:
        shown = "; ".join(map(_name, lonely[:3])) + ("; ..." if len(lonely) > 3 else "")
        yield f"annotated in {path} only: {len(lonely)} ({shown})"


def _groups(twice: _Twice) -> list[tuple[str, list[TwiceScored]]]:
    """Take topic by topic, then all together if there are several."""
    topics = twice.topics()
    everything = [("all", list(twice.scored.values()))]
    return [*topics, *everything] if len(topics) > 1 else topics


def _each(twice: _Twice) -> list[tuple[str, AnnotationAgreement]]:
    return [(_name(key), agreement_of_annotations([item])) for key, item in twice.scored.items()]


def _undefined(rows: Sequence[tuple[str, AnnotationAgreement]]) -> Iterator[str]:
    for name, found in rows:
        for what, units in (("", found.units), (" without weight 1", found.shared_units)):
            if units.undefined:
                yield f"{name}: no agreement{what}: {units.undefined}"
            elif units.unanimous:
                yield f"{name}: all decisions{what} are the same; coefficients are 1 by definition"
        for measure in ("original", "modified"):
            scores: ScoreAgreement = getattr(found, measure)
            if scores.undefined:
                yield f"{name}: peers without a {measure} score by both: {scores.undefined}"
            if scores.note and np.isnan(scores.p_t):
                yield f"{name}: {measure} scores: {scores.note}"


def _units_table(rows: Sequence[tuple[str, AnnotationAgreement]]) -> Table:
    cells = tuple(
        (name, found.peers, which, *_unit_cells(units))
        for name, found in rows
        for which, units in (("all", found.units), ("from weight 2", found.shared_units))
    )
    columns = ("topic", "peers", "units", "decisions", "pi", "kappa", "alpha", "agreement")
    return Table(columns, cells, title="Agreement on content units", note=_UNITS_NOTE, digits=3)


def _unit_cells(units: UnitAgreement) -> tuple[Cell, ...]:
    return units.decisions, units.pi, units.kappa, units.alpha, units.percent


def _scores_table(rows: Sequence[tuple[str, AnnotationAgreement]]) -> Table:
    cells = tuple(
        (name, measure, *_score_cells(getattr(found, measure)))
        for name, found in rows
        for measure in ("original", "modified")
    )
    columns = (
        "topic", "score", "peers", "first", "second", "difference", "|difference|", "p (t)",
        "p (W)",
    )  # fmt: skip
    return Table(columns, cells, title="Differences of scores", note=_SCORES_NOTE)


def _score_cells(scores: ScoreAgreement) -> tuple[Cell, ...]:
    return (
        scores.n,
        scores.mean_first,
        scores.mean_second,
        scores.difference,
        scores.absolute,
        scores.p_t,
        scores.p_wilcoxon,
    )


def _peer_tables(rows: Sequence[tuple[str, AnnotationAgreement]]) -> Iterator[Table]:
    if rows:
        cells = tuple(
            (
                name,
                found.units.both,
                found.units.only_first,
                found.units.only_second,
                found.units.pi,
                found.units.percent,
                found.original.difference,
                found.modified.difference,
            )
            for name, found in rows
        )
        columns = (
            "peer", "both", "only first", "only second", "pi", "agreement", "original", "modified",
        )  # fmt: skip
        note = "Content units found by both and by one only; differences of scores."
        yield Table(columns, cells, title="Peer by peer", note=note, digits=3)


def _records(
    rows: Sequence[tuple[str, AnnotationAgreement]], level: str
) -> Iterator[dict[str, Any]]:
    for name, found in rows:
        yield {
            "level": "all" if name == "all" and level == "topic" else level,
            "name": name,
            "peers": found.peers,
            "units": {**asdict(found.units), "decisions": found.units.decisions},
            "without_weight_1": {
                **asdict(found.shared_units),
                "decisions": found.shared_units.decisions,
            },
            "original": asdict(found.original),
            "modified": asdict(found.modified),
        }


def _draw(scored: Sequence[TwiceScored], names: tuple[str, str], file: str | Path) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.annotators import annotators_figure

    distinct = names if names[0] != names[1] else ("first annotation", "second annotation")
    save(annotators_figure(scored, names=distinct), file)
