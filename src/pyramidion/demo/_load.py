"""The embedded collection, and the evaluation of twelve systems on it."""

import json
import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection, Contributor, Part, PeerAnnotation, Pyramid, Summary
from pyramidion.collection.checking import with_findings
from pyramidion.collection.pyramids import unannotated_entries
from pyramidion.errors import DataWarning

_COLLECTION_FOLDER = Path(__file__).with_name("collection")

#: The files of the evaluation; `tools/demo_evaluation.py` makes them.
EVALUATION = Path(__file__).with_name("evaluation")


def load_demo() -> Collection:
    """Load the embedded collection.

    Six topics as at TAC (one for each category and one about a person), each with four base and
    four update articles, four references per task, manual pyramids, and judgments of the
    references.

    Examples
    --------
    >>> demo = load_demo()
    >>> len(demo.topics), len(demo.summaries), len(demo.pyramids)
    (6, 48, 12)
    """
    demo_collection = _load()
    # A caller may change the result; the next caller gets another one.
    copies: dict[str, Any] = {
        name: dict(getattr(demo_collection, name))
        for name in ("scales", "measures", "pyramids", "peer_annotations", "versions")
    }
    return replace(demo_collection, **copies)


@cache
def _load() -> Collection:
    return Collection.load(_COLLECTION_FOLDER, format="collection")


def load_evaluation() -> Collection:
    """Load the embedded collection with an evaluation of twelve invented systems.

    Three assessors and a language model judged all summaries, the machines' summaries are
    annotated with content units, and assessors chose between every two machines. Hazel is the
    clear winner, Cedar and Elm are tied, Dogwood and Kapok submitted the same summaries, and the
    assessor Quinn is not to be trusted.

    Examples
    --------
    >>> evaluation = load_evaluation()
    >>> machines = {s.system for s in evaluation.summaries if s.kind == "machine"}
    >>> len(machines), len(evaluation.peer_annotations), len(evaluation.preferences)
    (12, 144, 792)
    """
    demo = load_demo()
    machines = {
        (record["task"], record["topic"], record["system"]): Summary(**record)
        for record in _records("summaries.jsonl")
    }
    evaluation = replace(
        demo,
        findings=None,
        name="The Pyramidion demonstration evaluation",
        description="Twelve invented systems on the demonstration collection, judged by three "
        "assessors and a language model, with annotated peers and preferences.",
        summaries=(*demo.summaries, *machines.values()),
        scores=_read_demo_table("scores.csv").scores,
        preferences=_read_demo_table("preferences.csv").preferences,
        peer_annotations={
            (task, topic, system): _annotation(
                demo.pyramids[task, topic], machines[task, topic, system].plain, spans
            )
            for task, topic, system, spans in _records("annotations.jsonl")
        },
    )
    return with_findings(evaluation, warn=False)


def _read_demo_table(name: str) -> Collection:
    """Read a table, without a warning about what is planted in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Collection.load(EVALUATION / name)


def _records(name: str) -> list[Any]:
    return [*map(json.loads, (EVALUATION / name).read_text(encoding="utf-8").splitlines())]


def _annotation(pyramid: Pyramid, text: str, contributors: list[Any]) -> PeerAnnotation:
    """Rebuild an annotation from each contributor's unit, and the starts and ends of its parts."""
    by_unit: dict[str, list[Contributor]] = {}
    for uid, *ends in contributors:
        parts = (
            Part(start, end, text[start:end])
            for start, end in zip(ends[::2], ends[1::2], strict=True)
        )
        by_unit.setdefault(uid, []).append(Contributor(tuple(parts)))
    entries = unannotated_entries(pyramid.scus, pyramid.weights.tolist())
    scus = (replace(entry, contributors=tuple(by_unit.get(entry.uid, ()))) for entry in entries)
    return PeerAnnotation(pyramid, text, tuple(scus))
