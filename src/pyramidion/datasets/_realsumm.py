"""REALSumm's release: crowd answers to SCUs (CSV) and the systems' outputs (text).

::

    human_annotations/SCUs_and_annotations/SCUs_list.csv
    human_annotations/SCUs_and_annotations/SCU_rating_results_{abs,ext}_systems/*.csv
    selected_docs_for_human_eval/selected_documents.md
    selected_docs_for_human_eval/{abs,ext}/<model>/{out*,ref,src}.txt
    scores_dicts/{abs,ext}.pkl

All but the last can be read, the whole release or a part of it. Pickles are never loaded.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection import Collection
from pyramidion.collection.formats.base import first_bytes
from pyramidion.collection.formats.table_files import read_columns
from pyramidion.collection.ids import grouped
from pyramidion.collection.summaries import Document, Summary, Topic
from pyramidion.datasets._sets import JudgedSet, unit_names
from pyramidion.errors import FormatError, NotFoundError, Where
from pyramidion.files.inputs import is_readable
from pyramidion.files.reading import read_lines, read_text

# The first columns of a table of answers and of the list of SCUs.
_KIND_OF_HEADER = {"Input.eventId,Input.summaryId": "answers", "eventId,questionId": "scus"}

# The text of unused statements; a sheet always has 16.
_BLANK_ANSWER = "BLANK"
_STATEMENT_COLUMN = re.compile(r"Input\.statement_([0-9]+)")
_VALUE_OF_MARK = {"p": 1.0, "n": 0.0}


@dataclass(frozen=True, slots=True)
class Answers:
    """One worker's answers about one summary."""

    topic: str
    system: str
    text: str
    statements: tuple[str, ...]
    marks: tuple[float, ...]
    where: Where


def read_answers(path: Path) -> Iterator[Answers]:
    """Read a table of workers' answers, one row each."""
    required_columns = ("Input.eventId", "Input.summaryId", "Input.summary_text", "Answer.S1Answer")
    for where, row in _rows(path, required_columns):
        # A blank may be between statements; the SCUs are numbered without it.
        matches = (
            _STATEMENT_COLUMN.fullmatch(name) for name, text in row.items() if text != _BLANK_ANSWER
        )
        numbers = sorted(int(match.group(1)) for match in matches if match)
        yield Answers(
            topic=row["Input.eventId"],
            system=row["Input.summaryId"],
            text=row["Input.summary_text"],
            statements=tuple(row[f"Input.statement_{number}"] for number in numbers),
            marks=tuple(
                _mark_value(row.get(f"Answer.S{number}Answer"), number, where) for number in numbers
            ),
            where=where,
        )


def read_scu_texts(path: Path) -> dict[str, list[str]]:
    """Read the list of SCUs: their texts by topic."""
    scus: dict[str, list[str]] = {}
    for _, row in _rows(path, ("eventId", "questionText")):
        texts = scus.setdefault(row["eventId"], [])
        if row["questionText"] != _BLANK_ANSWER:
            texts.append(row["questionText"])
    return scus


def _mark_value(answer: str | None, statement_number: int, where: Where) -> float:
    if answer not in _VALUE_OF_MARK:
        message = f"the answer to statement {statement_number} is {answer!r}"
        raise where.error(message, "it is p (present) or n (not present)")
    return _VALUE_OF_MARK[answer]


def _rows(path: Path, required_columns: Sequence[str]) -> Iterator[tuple[Where, dict[str, str]]]:
    """Read a CSV file's rows; refuse a missing column or an empty field."""
    columns, line_numbers = read_columns(path)
    for name in required_columns:
        if name not in columns:
            raise Where(path, line=1).error(f"column `{name}` is missing", "fetch it again")
        if "" in columns[name]:
            where = Where(path, line=line_numbers[columns[name].index("")])
            raise where.error(f"`{name}` is empty", "fill it in")
    for line, *cells in zip(line_numbers, *columns.values(), strict=True):
        yield Where(path, line=line), dict(zip(columns, cells, strict=True))


_PART_FOLDERS = ("human_annotations", "selected_docs_for_human_eval", "scores_dicts")
_SELECTION_FILE = "selected_documents.md"
# The text in place of outputs that could not be aligned.
_UNALIGNED_TEXT = "### NO MATCH FOUND ###"
_NUMBER_LIST = re.compile(r"\[\s*[0-9]+(?:\s*,\s*[0-9]+)*\s*\]")
_PICKLE_START = re.compile(rb"\x80[\x02-\x05]")
_SENTENCE_TAG = re.compile(r"</?t>")

Text = str | tuple[str, ...]
Key = tuple[str, str]


def read_realsumm(path: str | Path) -> Collection:
    """Read the text files of REALSumm's release: a folder, or one of its CSV files.

    Systems have the names of the release (``t5_out_base``). If a name, such as ``bart_out``, is
    used for an abstractive and an extractive system, these become ``abs_bart_out`` and
    ``ext_bart_out``. Each worker's answer is a row of ``scu-answer``.
    """
    path = Path(path)
    files = grouped((_file_kind(file), file) for file in sorted(_files(path)))
    if not files.keys() & {"answers", "scus", "output"}:
        raise _no_answers_error(path, files)
    judged_set = JudgedSet("realsumm")
    tables = files.get("answers", ())
    sheets = [(_track(table.parent), sheet) for table in tables for sheet in read_answers(table)]
    names = _system_names((track, sheet.system) for track, sheet in sheets)
    answers = grouped(((sheet.topic, names[track, sheet.system]), sheet) for track, sheet in sheets)
    scus: dict[str, list[str]] = {}
    for _, sheet in sheets:
        scus.setdefault(sheet.topic, list(sheet.statements))
    for file in files.get("scus", ()):
        scus.update(read_scu_texts(file))
    outputs, references, articles = _read_outputs(path, files, judged_set)
    for kind, description in (("pickle", "pickles, which are never loaded"), ("", "other files")):
        judged_set.left_out[description] += len(files.get(kind, ()))
    for topic in dict.fromkeys([*scus, *references, *articles]):
        units = [
            {"id": number, "text": text, "weight": 1}
            for number, text in enumerate(scus.get(topic, ()))
        ]
        documents = (Document("d1", articles[topic]),) if articles.get(topic) else ()
        judged_set.add_topic(
            Topic(topic, documents=documents, extra={"scus": units} if units else {})
        )
    for topic, system in dict.fromkeys([*outputs, *answers]):
        summary_sheets = answers.get((topic, system), [])
        first_sheet = summary_sheets[:1]
        text, where = outputs.get((topic, system)) or (first_sheet[0].text, first_sheet[0].where)
        # The text that workers read is kept if it differs from the system's output.
        shown_text = next(
            (sheet.text for sheet in summary_sheets if sheet.text != _plain_text(text)), None
        )
        summary = Summary(topic, system, text, extra={"shown": shown_text} if shown_text else {})
        judged_set.add_peer(summary, (references[topic],) if topic in references else (), where)
        _add_answers(summary, summary_sheets, scus.get(topic, []), judged_set)
    return judged_set.collection()


def _add_answers(
    summary: Summary, sheets: list[Answers], scus: list[str], judged_set: JudgedSet
) -> None:
    for worker, sheet in enumerate(sheets, start=1):
        n_statements = len(sheet.marks)
        if n_statements != len(scus):
            message = f"{n_statements} statements for the {len(scus)} SCUs of topic {summary.topic}"
            raise sheet.where.error(message, "the files must be from the same release")
        judged_set.left_out["sheets with another wording of an SCU"] += (
            list(sheet.statements) != scus
        )
        assessors = [f"worker{worker}"] * n_statements
        judged_set.rows.add(
            summary, ["scu-answer"] * n_statements, sheet.marks, assessors, unit_names(n_statements)
        )


def _files(path: Path) -> Iterator[Path]:
    """List the files of the release; in a checkout, only those of the folders with data."""
    if not path.is_dir():
        yield path
        return
    parts = [part for name in _PART_FOLDERS if (part := path / name).is_dir()]
    for folder in parts or [path]:
        yield from (file for file in folder.rglob("*") if file.is_file())


def _file_kind(file: Path) -> str:
    """Return the kind of a file of the release; empty if it is not about summaries."""
    if file.name == _SELECTION_FILE:
        return "selection"
    if file.suffix == ".txt":
        kinds = {"ref": "references", "src": "articles"}
        return "output" if file.stem.startswith("out") else kinds.get(file.stem, "")
    beginning = first_bytes(file, 64).removeprefix(b"\xef\xbb\xbf")
    if file.suffix in (".pkl", ".pickle") or _PICKLE_START.match(beginning):
        return "pickle"
    return next(
        (kind for header, kind in _KIND_OF_HEADER.items() if beginning.startswith(header.encode())),
        "",
    )


def _no_answers_error(path: Path, files: dict[str, list[Path]]) -> FormatError | NotFoundError:
    if pickles := files.get("pickle"):
        return Where(pickles[0]).error(
            "this is a pickle, which is not loaded, because it can run arbitrary code",
            "read the release's CSV files and outputs, or a file of judged summaries",
        )
    if not path.exists():
        return NotFoundError("there is no such file", "check the path", where=Where(path))
    return Where(path).error(
        "this is not part of REALSumm's release",
        f"name a folder with {', '.join(_PART_FOLDERS[:2])}, or a CSV file of answers",
    )


def _track(folder: Path) -> str:
    """Return whether systems are abstractive or extractive, by the folder's name."""
    return next((track for track in ("abs", "ext") if track in folder.name.split("_")), "")


def _system_names(systems: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Name systems; the track is added only if both tracks have the name."""
    pairs = {*systems}
    counts = Counter(name for _, name in pairs)
    return {
        (track, name): f"{track}_{name}" if track and counts[name] > 1 else name
        for track, name in pairs
    }


def _read_outputs(
    path: Path, files: dict[str, list[Path]], judged_set: JudgedSet
) -> tuple[dict[Key, tuple[Text, Where]], dict[str, str], dict[str, str]]:
    """Read the outputs by topic and system, and the references and articles by topic."""
    outputs: dict[Key, tuple[Text, Where]] = {}
    texts: dict[str, dict[str, str]] = {"references": {}, "articles": {}}
    if "output" not in files:
        return outputs, {}, {}
    if "selection" not in files:
        message = f"there is no {_SELECTION_FILE}, which lists the documents of the outputs"
        raise NotFoundError(message, "read the folder that has it", where=Where(path))
    selection = files["selection"][0]
    numbers = _NUMBER_LIST.search(read_text(selection))
    if not numbers:
        raise Where(selection).error("there is no list of document numbers", "fetch it again")
    topics = [f"cnndm{number}" for number in re.findall("[0-9]+", numbers.group())]
    systems = {
        file: (_track(file.parent.parent), f"{file.parent.name}_{file.stem}")
        for file in files["output"]
    }
    names = _system_names(systems.values())
    for file, system in systems.items():
        for topic, text, where in _read_outputs_of_file(file, topics):
            if text == _UNALIGNED_TEXT:
                judged_set.left_out["outputs that the release could not align"] += 1
            else:
                outputs[topic, names[system]] = text, where
    for kind, text_by_topic in texts.items():
        copies = files.get(kind, [])
        for file in copies[:1]:
            text_by_topic.update(
                (topic, _plain_text(text)) for topic, text, _ in _read_outputs_of_file(file, topics)
            )
        # Most models have their own copy of the same texts, tokenized differently.
        judged_set.left_out[f"further copies of the {kind}"] += len(copies[1:])
    return outputs, texts["references"], texts["articles"]


def _read_outputs_of_file(file: Path, topics: list[str]) -> Iterator[tuple[str, Text, Where]]:
    """Read one text per line, divided into sentences by tags."""
    lines = list(read_lines(file))
    if len(lines) != len(topics):
        hint = f"there must be one for each document of {_SELECTION_FILE}"
        raise Where(file).error(f"{len(lines)} lines for {len(topics)} documents", hint)
    for topic, (number, line) in zip(topics, lines, strict=True):
        pieces = [piece.strip() for piece in _SENTENCE_TAG.split(line)]
        text = pieces[0] if len(pieces) == 1 else tuple(filter(None, pieces))
        yield topic, text, Where(file, line=number)


def _plain_text(text: Text) -> str:
    return text if isinstance(text, str) else " ".join(text)


def is_realsumm(path: Path) -> bool:
    """Recognize a release, a part of it, or a single table."""
    if path.is_dir():
        names = (
            *_PART_FOLDERS,
            _SELECTION_FILE,
            "SCUs_list.csv",
            "SCU_rating_results_*",
            "abs.pkl",
            "ext.pkl",
        )
        return any(True for name in names for _ in path.glob(name))
    return is_readable(path) and _file_kind(path) in ("answers", "scus", "pickle")
