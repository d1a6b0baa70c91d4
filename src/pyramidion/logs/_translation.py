"""Evaluations of translation: errors marked in MQM, and folders of mt-metrics-eval."""

import re
from collections import Counter
from pathlib import Path

from pyramidion.collection import Collection, Judgment, Measure, Scores
from pyramidion.collection.formats.base import first_bytes, nonzero_counts
from pyramidion.errors import Where
from pyramidion.files.reading import read_lines

_MQM_COLUMNS = ("system", "doc", "seg_id", "rater", "category", "severity")
_PUNCTUATION_CATEGORY, _NONTRANSLATION_CATEGORY = "Fluency/Punctuation", "Non-translation"
_SEVERITY_WEIGHTS = {"Major": 5.0, "Minor": 1.0, "Neutral": 0.0, "No-error": 0.0}


def is_mqm(path: Path) -> bool:
    """Recognize the header of a table of errors."""
    header = first_bytes(path).split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")
    return {*_MQM_COLUMNS} <= {*header.split("\t")}


def _error_weight(category: str, severity: str, where: Where) -> float:
    """Return the weight of an error."""
    if category.startswith(_NONTRANSLATION_CATEGORY):
        return 25.0
    if severity.lower() == "minor" and category.startswith(_PUNCTUATION_CATEGORY):
        return 0.1
    for name, weight in _SEVERITY_WEIGHTS.items():
        if severity.lower() == name.lower():
            return weight
    raise where.error(
        f"the severity is {severity!r}", f"use one of: {', '.join(_SEVERITY_WEIGHTS)}"
    )


def read_mqm(path: Path) -> Collection:
    """Sum the weights of each rater's errors in a segment; lower is better."""
    lines = read_lines(path)
    header = next(lines)[1].split("\t")
    columns = {name: header.index(name) for name in _MQM_COLUMNS}
    sums, documents = Counter[tuple[str, str, str]](), dict[str, str]()
    for number, line in lines:
        cells, where = line.split("\t"), Where(path, line=number)
        if len(cells) != len(header):
            problem = f"the line has {len(cells)} cells, the header {len(header)}"
            raise where.error(problem, "write one cell for each column")
        system, document, segment, rater, category, severity = (
            cells[columns[name]] for name in _MQM_COLUMNS
        )
        sums[system, segment, rater] += _error_weight(category, severity, where)  # type: ignore[assignment]
        documents[segment] = document
    judgments = [
        Judgment(segment, system, "mqm", total, kind=_kind_of_system(system), assessor=rater)
        for (system, segment, rater), total in sums.items()
    ]
    scores = Scores.from_judgments(judgments)
    extra_columns = {"doc": [documents[judgment.topic] for judgment in judgments]}
    return Collection(
        path.name,
        measures={"mqm": Measure(lower_is_better=True, human=True)},
        scores=Scores(scores.columns, scores.value, extra=extra_columns),
    )


def _kind_of_system(system: str) -> str:
    """Return whether a system is a person: references are among the systems."""
    is_reference = re.fullmatch(r"ref(?:erence)?[-_.]?\w?", system, re.IGNORECASE)
    return "human" if is_reference else "machine"


def is_mt_metrics_eval(path: Path) -> bool:
    """Recognize the folders of mt-metrics-eval."""
    return (path / "human-scores").is_dir() and (path / "documents").is_dir()


def read_mt_metrics_eval(path: Path) -> Collection:
    """Read the scores of segments; the position in a system's block is the segment."""
    rows: list[Judgment] = []
    document_names: list[str] = []
    counts = Counter[str]()
    measures: dict[str, Measure] = {}
    for documents_file in sorted((path / "documents").glob("*.docs")):
        language_pair = documents_file.name.removesuffix(".docs")
        documents = [line.split()[:2] for _, line in read_lines(documents_file) if line.strip()]
        if any(len(cells) < 2 for cells in documents):
            raise Where(documents_file).error("a line has no document", "write DOMAIN DOCUMENT")
        files = [*(path / "human-scores").glob(f"{language_pair}.*.seg.score")]
        files += (path / "metric-scores" / language_pair).glob("*.seg.score")
        for file in sorted(files):
            name = file.name.removesuffix(".seg.score").removeprefix(f"{language_pair}.")
            is_human = file.parent.name == "human-scores"
            measures[name] = Measure(lower_is_better=False, human=is_human)
            for system, values in _read_blocks(file, len(documents)).items():
                for number, (value, (_, document)) in enumerate(
                    zip(values, documents, strict=True), start=1
                ):
                    if value is None:
                        counts[f"segments without {name}"] += 1
                        continue
                    kind = _kind_of_system(system)
                    rows.append(
                        Judgment(str(number), system, name, value, task=language_pair, kind=kind)
                    )
                    document_names.append(document)
    scores = Scores.from_judgments(rows)
    return Collection(
        path.name,
        measures=measures,
        scores=Scores(scores.columns, scores.value, extra={"doc": document_names}),
        left_out=nonzero_counts(counts),
    )


def _read_blocks(path: Path, n_segments: int) -> dict[str, list[float | None]]:
    """Return the scores of each system, one for each segment."""
    blocks: dict[str, list[float | None]] = {}
    for number, line in read_lines(path):
        if not line.strip():
            continue
        cells = line.split()
        try:
            value = None if cells[1] == "None" else float(cells[1])
        except (IndexError, ValueError):
            where = Where(path, line=number)
            raise where.error("this is not a system and a score", "write SYSTEM SCORE") from None
        blocks.setdefault(cells[0], []).append(value)
    for system, values in blocks.items():
        if len(values) != n_segments:
            problem = f"{system} has {len(values)} scores for {n_segments} segments"
            raise Where(path).error(problem, "write one for each line of the documents")
    return blocks
