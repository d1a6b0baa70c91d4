"""What known documents, positions and questions add: ``make bench AREA=summarizer-context``.

ROUGE-2 recall (stemmed) of summaries of equal length, and p of paired permutation tests. A third of
the topics, or of the events of timelines, is held out: decisions are made on the others first.
"""

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from pyramidion.collection import ScoreMatrix
from summarizer_quality import MEASURES, against, ours, score_cases
from summarizer_sets import ASKED, SEVERAL, UPDATES, Case, cases, step_of

#: The method for several documents and for updates, with its option to vary.
METHOD = "coverage(position=2.0,search=auto{})"
KNOWN = (0.25, 0.5, 1.0)
POSITIONS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)
Make = Callable[[Case], Sequence[str]]


def event_of(case_id: str) -> str:
    """Return the event of a step of a timeline."""
    return step_of(case_id).rpartition("-")[0]


def line(title: str, part: Sequence[Case], systems: dict[str, Make], *, clusters: bool) -> None:
    """Print the mean of each system, with p against the first."""
    if not part:
        return
    matrix: ScoreMatrix = score_cases(part, systems)[MEASURES[1]]
    if clusters:
        matrix = replace(matrix, clusters=tuple(map(event_of, matrix.topics)))
    compared = against(matrix, next(iter(systems)))
    cells = [f"{name} {mean:.4f} (p {p:.3f})" for name, (mean, p) in compared.items()]
    print(f"{title:44}{len(part):5} inputs: {', '.join(cells)}", flush=True)


def known() -> None:
    """Compare updates with and without known documents, on all and on held-out events."""
    print("known documents; p against using none, with events as clusters")
    names = {f"known={k:g}": METHOD.format(f",known={k}") for k in KNOWN}
    systems: dict[str, Make] = {name: ours(method) for name, method in names.items()}
    systems["none"] = lambda case: ours(METHOD.format(""))(case.unknowing)
    systems = {"none": systems.pop("none"), **systems}
    for name, words in UPDATES.items():
        # The texts of one person are the references; with four events, the least p is .125.
        read = [case for case in cases("updates", name, words) if case.id.endswith("/3")]
        held_out = [case for case in read if zlib.crc32(event_of(case.id).encode()) % 3 == 0]
        deciding = [case for case in read if case not in held_out]
        for title, part in {"deciding": deciding, "held out": held_out, "all": read}.items():
            head = f"{name}, {title} ({len({event_of(case.id) for case in part})} events)"
            line(head, part, systems, clusters=True)


def positions() -> None:
    """Compare weights of early positions by kind of input, and by its size."""
    print("\nweight of positions; p against 2")
    systems = {f"{p:g}": ours(METHOD.replace("2.0", str(p)).format("")) for p in (2.0, *POSITIONS)}
    for name, words in SEVERAL.items():
        read = cases("several", name, words)
        for held_out in (False, True):
            part = [case for case in read if case.held_out == held_out]
            line(f"{name}, {'held out' if held_out else 'deciding'}", part, systems, clusters=False)
        part = [case for case in read if not case.held_out]
        for what, size in {"documents": _documents, "words per document": _length}.items():
            middle = float(np.median([size(case) for case in part]))
            few = [case for case in part if size(case) <= middle]
            many = [case for case in part if size(case) > middle]
            line(f"{name}, up to {middle:g} {what}", few, systems, clusters=False)
            line(f"{name}, more {what}", many, systems, clusters=False)


def _documents(case: Case) -> float:
    return float(len(case.source.documents))


def _length(case: Case) -> float:
    return float(case.source.lengths.sum()) / _documents(case)


def queries() -> None:
    """Compare summaries with and without the question, for each kind of question."""
    print("\nquestions about a document; p against asking nothing")
    systems: dict[str, Make] = {
        "auto without": lambda case: ours("auto")(_unasked(case)),
        "auto with": ours("auto"),
        "coverage with": ours(METHOD.format("")),
        "lexrank with": ours("lexrank"),
        "mmr with": ours("mmr"),
    }
    for name, words in ASKED.items():
        read = cases("asked", name, words)
        kinds: dict[str, Callable[[Case], bool]] = {
            "all": lambda case: True,
            "with a name": lambda case: bool(re.search(r"\w [A-Z]\w", case.source.question)),
            "without": lambda case: not re.search(r"\w [A-Z]\w", case.source.question),
        }
        for kind, test in kinds.items():
            line(f"{name}, {kind}", [case for case in read if test(case)], systems, clusters=False)


def _unasked(case: Case) -> Case:
    return replace(case, source=replace(case.source, question=""))


if __name__ == "__main__":
    known()
    positions()
    queries()
