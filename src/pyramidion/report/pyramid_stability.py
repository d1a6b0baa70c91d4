"""How many references a pyramid needs, over all topics of a collection."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pyramidion.collection import Collection, Signature
from pyramidion.collection.formats import read_collection
from pyramidion.errors import InputError
from pyramidion.pyramid._source import source_notes
from pyramidion.pyramid.stability.study import StabilitySettings, study_stability
from pyramidion.pyramid.topics import TopicSummaries, gather_topics
from pyramidion.pyramid.units import reference_writers
from pyramidion.report.answer import Answer
from pyramidion.report.pyramid_stability_figures import StabilityFigures
from pyramidion.report.pyramid_stability_tables import (
    StudiedTopic,
    Together,
    stability_records,
    stability_tables,
)

__all__ = ["StabilityRequest", "stability_answer"]


@dataclass(frozen=True, slots=True)
class StabilityRequest:
    """What to study.

    Parameters
    ----------
    settings
        The settings of the study.
    topics, tasks
        Take these only; all if none is named.
    every_score
        Whether the scores of each summary at each order are a table, too.
    source_format
        The source's format; guessed if it is not given.

    Examples
    --------
    >>> StabilityRequest(topics=("T1",)).settings.apart
    0.1
    """

    settings: StabilitySettings = field(default_factory=StabilitySettings)
    topics: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    every_score: bool = False
    source_format: str | None = None


def stability_answer(
    source: str | Path,
    request: StabilityRequest | None = None,
    *,
    figures: StabilityFigures | None = None,
) -> Answer:
    """Study how scores settle as pyramids grow (thesis, 3.1.1).

    Parameters
    ----------
    source
        A collection with pyramids, in any format.
    request
        What to study.
    figures
        Where figures are written.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "One. Two.", "B": "One. Two.", "C": "One.", "D": "Three."},
    ...     [("1", {"A": ["One"], "B": ["One"], "C": ["One"]}),
    ...      ("2", {"A": ["Two"], "B": ["Two"]}), ("3", {"D": ["Three"]})])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("mine", pyramids={("", "T1"): pyramid}).save(f"{folder}/mine")
    ...     answer = stability_answer(f"{folder}/mine")
    >>> [row["points"] for row in answer.results[0]["errors"]]
    [12, 6]
    """
    asked = request or StabilityRequest()
    if figures is not None:
        figures.require()
    collection = read_collection(source, format=asked.source_format)
    places = gather_topics(collection, topics=asked.topics, tasks=asked.tasks)
    studied, left_out = _studied(places, asked.settings)
    together = Together(tuple(studied))
    if figures is not None:
        figures.write(together, asked.settings)
    return Answer(
        command="pyramid stability",
        signature=_signature(collection, asked.settings),
        results=stability_records(together),
        tables=tuple(stability_tables(together, asked.settings, every_score=asked.every_score)),
        left_out=(
            *source_notes(collection, but=("other pyramid", "empty pyramid")),
            *dict.fromkeys(left_out),
        ),
    )


def _studied(
    places: Sequence[TopicSummaries], settings: StabilitySettings
) -> tuple[list[StudiedTopic], list[str]]:
    studied: list[StudiedTopic] = []
    left_out = [line for place in places for line in place.left_out]
    for place in places:
        obstacle = _obstacle(place, settings)
        if obstacle:
            left_out.append(f"{place.name}: {obstacle}")
        else:
            left_out += [f"{place.name}, {name}: {_WRITER}" for name in _writers(place, settings)]
            studied.append(_study(place, settings))
            left_out += [f"{place.name}: {note}" for note in studied[-1].study.notes]
    if not studied:
        raise InputError(
            f"no pyramid can be studied ({left_out[-1]})",
            hint="it takes two references that share a pyramid, or annotated peers of it",
        )
    return studied, left_out


_WRITER = "a reference of the pyramid, so that its annotation as a peer is not taken"


def _study(place: TopicSummaries, settings: StabilitySettings) -> StudiedTopic:
    writers = set(_writers(place, settings))
    peers = {name: peer for name, peer in place.peers.items() if name not in writers}
    try:
        study = study_stability(place.pyramid, peers, settings=settings)
    except InputError as error:
        raise InputError(
            f"{place.name}: {error.what}", where=error.where, hint=error.hint
        ) from None
    return StudiedTopic(place.task, place.topic, study)


def _obstacle(place: TopicSummaries, settings: StabilitySettings) -> str:
    references = len(place.pyramid.references)
    if references < 2:
        return f"the pyramid has {references} reference{'s' if references != 1 else ''}"
    if not place.pyramid.membership.any():
        return "the pyramid has no content unit that a reference expresses"
    if settings.which == "peers" and not set(place.peers) - set(reference_writers(place.pyramid)):
        return "no peer is annotated"
    return ""


def _writers(place: TopicSummaries, settings: StabilitySettings) -> Iterator[str]:
    """Name annotated peers that are references of the pyramid, which must not score themselves."""
    if settings.which != "references":
        writers = reference_writers(place.pyramid)
        yield from (name for name in place.peers if name in writers)


def _signature(collection: Collection, settings: StabilitySettings) -> Signature:
    held = "half" if settings.held_out is None else str(settings.held_out)
    details = [
        ("of", settings.which),
        ("equal", f"{settings.equal_within:g}"),
        ("apart", f"{settings.apart:g}"),
        ("ranked", held),
        ("splits", str(settings.splits)),
        ("most", str(settings.most)),
    ]
    if settings.repetition:
        details.append(("repetition", str(settings.repetition)))
    return Signature(
        f"pyramid-stability({settings.score})",
        data=collection.data_hash,
        seed=settings.seed,
        details=tuple(details),
    )
