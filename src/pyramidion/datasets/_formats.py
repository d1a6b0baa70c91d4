"""The formats of published evaluation sets; their readers are loaded when they are called."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pyramidion.collection.formats import format_named
from pyramidion.collection.formats.base import (
    Format,
    first_bytes,
    first_record,
    load_on_call,
)

_load_function = partial(load_on_call, __package__)


def _recognize_fields(*names: str) -> Callable[[Path], bool]:
    """Return a function that looks for fields in the first line of a JSONL file."""
    return lambda path: {*names} <= first_record(path).keys()


SUMMEVAL = Format(
    name="summeval",
    title="SummEval's release (model_annotations.aligned.jsonl)",
    matches=_recognize_fields("id", "decoded", "model_id"),
    read=_load_function("_summeval", "read_summeval"),
    before="ducview",
    tables=False,
)

_DISTINCTIVE_FIELDS = {
    "dataset", "references", "scores", "assessor_scores", "scu_labels", "sentences",
}  # fmt: skip


def _is_judged(path: Path) -> bool:
    keys = first_record(path).keys()
    if {"topic", "scus"} <= keys:
        return True
    if {"topic", "documents"} <= keys and not keys & {"scores", "assessor_scores", "scu_labels"}:
        # If it also has texts of systems, it is a table.
        return not format_named("table").matches(path)
    # Other tables may use these names, but not with fields that only judged summaries have.
    is_plain = keys <= {"topic", "task", "system", "kind", "summary"}
    return {"topic", "system", "summary"} <= keys and (is_plain or bool(keys & _DISTINCTIVE_FIELDS))


JUDGED = Format(
    name="judged",
    title="judged summaries, one per line with references, scores and single judgments (JSONL)",
    matches=_is_judged,
    read=_load_function("_judged", "read_judged"),
    write=_load_function("_judged", "write_judged"),
    suffixes=("judged.jsonl", "judged.jsonl.gz"),
    before="ducview",
    tables=False,
)

ROSE = Format(
    name="rose",
    title="RoSE's summaries with atomic content units (JSONL with reference_acus)",
    matches=_recognize_fields("reference_acus", "annotations"),
    read=_load_function("_units", "read_rose"),
    before="ducview",
    tables=False,
)

LITE23 = Format(
    name="lite23pyramid",
    title="Lite2-3Pyramid's folder: SCUs.txt, references.txt, labels/, summaries/",
    matches=lambda path: (path / "SCUs.txt").is_file(),
    read=_load_function("_units", "read_lite"),
    before="ducview",
    tables=False,
)

LITEPYRAMIDS = Format(
    name="litepyramids",
    title="LitePyramids' list of units (CSV: eventId, questionId, questionText, ...)",
    matches=_load_function("_units", "is_litepyramids"),
    read=_load_function("_units", "read_litepyramids"),
    before="ducview",
)

PYREVAL = Format(
    name="pyreval",
    title="PyrEval's pyramid (.pyr with <Pyramid>): units and their weights, without texts",
    matches=lambda path: re.search(rb"<Pyramid[\s>]", first_bytes(path)) is not None,
    read=_load_function("_units", "read_pyreval"),
    before="ducview",
    tables=False,
)

NUGGETS = Format(
    name="nuggets",
    title="an answer key with a nugget per line: QUESTION NUMBER vital|okay TEXT",
    matches=_load_function("_units", "are_nuggets"),
    read=_load_function("_units", "read_nuggets"),
    before="ducview",
)

REALSUMM = Format(
    name="realsumm",
    title="REALSumm's release (answers to SCUs, system outputs; never its pickles)",
    matches=_load_function("_realsumm", "is_realsumm"),
    read=_load_function("_realsumm", "read_realsumm"),
    before="ducview",
)

DUC = Format(
    name="duc",
    title="a DUC or TAC folder: D0901-A.M.100.A.17, articles in SGML, topics, NIST's tables",
    matches=_load_function("_duc.format", "is_duc"),
    read=_load_function("_duc.format", "read_duc"),
    write=_load_function("_duc.format", "write_duc"),
    tables=False,
)
