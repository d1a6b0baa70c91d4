"""REALSumm's own release: crowd answers to SCUs (CSV) and the systems' outputs (text).

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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pyramidion.collection._collection import Collection
from pyramidion.collection._files import read_lines, read_text
from pyramidion.collection._ids import grouped
from pyramidion.collection._summaries import Document, Summary, Topic
from pyramidion.collection.formats._base import Format, first_bytes
from pyramidion.collection.formats._judged_sets import JudgedSet, unit_names
from pyramidion.collection.formats._scores import read_columns
from pyramidion.errors import FormatError, NotFoundError, Where

#: How a table of answers begins: one row for each summary and worker.
ANSWERS_HEADER = "Input.eventId,Input.summaryId"

#: How the list of SCUs begins.
SCUS_HEADER = "eventId,questionId"

# Sheets have room for 16 statements; what is not needed says so.
_BLANK = "BLANK"
_STATEMENT = re.compile(r"Input\.statement_([0-9]+)")
_MARKS = {"p": 1.0, "n": 0.0}


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
    needed = ("Input.eventId", "Input.summaryId", "Input.summary_text", "Answer.S1Answer")
    for where, row in _rows(path, needed):
        # A blank can stand between statements; the SCUs are numbered without it.
        matches = (_STATEMENT.fullmatch(name) for name, text in row.items() if text != _BLANK)
        numbers = sorted(int(match.group(1)) for match in matches if match)
        yield Answers(
            topic=row["Input.eventId"],
            system=row["Input.summaryId"],
            text=row["Input.summary_text"],
            statements=tuple(row[f"Input.statement_{number}"] for number in numbers),
            marks=tuple(_mark(row.get(f"Answer.S{n}Answer"), n, where) for n in numbers),
            where=where,
        )


def read_scu_texts(path: Path) -> dict[str, list[str]]:
    """Read the list of SCUs: their texts by topic."""
    found: dict[str, list[str]] = {}
    for _, row in _rows(path, ("eventId", "questionText")):
        texts = found.setdefault(row["eventId"], [])
        if row["questionText"] != _BLANK:
            texts.append(row["questionText"])
    return found


def _mark(answer: str | None, number: int, where: Where) -> float:
    if answer not in _MARKS:
        what = f"the answer to statement {number} is {answer!r}"
        raise where.error(what, "it is p (present) or n (not present)")
    return _MARKS[answer]


def _rows(path: Path, needed: Sequence[str]) -> Iterator[tuple[Where, dict[str, str]]]:
    """Read a CSV file's rows, refuse a missing column and an empty field."""
    columns, lines = read_columns(path)
    for name in needed:
        if name not in columns:
            raise Where(path, line=1).error(f"column `{name}` is missing", "fetch it again")
        if "" in columns[name]:
            where = Where(path, line=lines[columns[name].index("")])
            raise where.error(f"`{name}` is empty", "fill it in")
    for line, *cells in zip(lines, *columns.values(), strict=True):
        yield Where(path, line=line), dict(zip(columns, cells, strict=True))


_PARTS = ("human_annotations", "selected_docs_for_human_eval", "scores_dicts")
_SELECTION = "selected_documents.md"
# What the release writes where a system's output could not be aligned.
_UNALIGNED = "### NO MATCH FOUND ###"
_NUMBERS = re.compile(r"\[\s*[0-9]+(?:\s*,\s*[0-9]+)*\s*\]")
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_SENTENCE_TAG = re.compile(r"</?t>")

Text = str | tuple[str, ...]
Key = tuple[str, str]


@dataclass
class _Release:
    """What was found, by topic and system or by topic."""

    outputs: dict[Key, tuple[Text, Where]] = field(default_factory=dict)
    answers: dict[Key, list[Answers]] = field(default_factory=dict)
    scus: dict[str, list[str]] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)
    articles: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)


def read_realsumm(path: str | Path) -> Collection:
    """Read what is text in REALSumm's release: a folder, or one of its CSV files.

    Notes
    -----
    Systems are named as the release names them (``t5_out_base``). One name, ``bart_out``,
    stands for an abstractive and an extractive system; where both are there they become
    ``abs_bart_out`` and ``ext_bart_out``. Each worker's answer is a row of ``scu-answer``.
    """
    path = Path(path)
    files = grouped((_kind(file), file) for file in sorted(_files(path)))
    if not files.keys() & {"answers", "scus", "output"}:
        raise _nothing(path, files)
    release = _Release()
    _read_answers(files.get("answers", []), release)
    for file in files.get("scus", []):
        release.scus.update(read_scu_texts(file))
    _read_outputs(path, files, release)
    for kind, what in (("pickle", "pickles, which are never loaded"), ("", "other files")):
        release.left_out[what] += len(files.get(kind, []))
    return _collection(release)


def _files(path: Path) -> Iterator[Path]:
    """List the files of the release; of a whole checkout only the parts with data."""
    if not path.is_dir():
        yield path
        return
    parts = [part for name in _PARTS if (part := path / name).is_dir()]
    for folder in parts or [path]:
        yield from (file for file in folder.rglob("*") if file.is_file())


def _kind(file: Path) -> str:
    """Return what a file of the release is, nothing for one that says nothing of summaries."""
    if file.name == _SELECTION:
        return "selection"
    if file.suffix == ".txt":
        known = {"ref": "references", "src": "articles"}
        return "output" if file.stem.startswith("out") else known.get(file.stem, "")
    head = first_bytes(file, 64).removeprefix(b"\xef\xbb\xbf")
    if file.suffix in (".pkl", ".pickle") or _PICKLE.match(head):
        return "pickle"
    headers = {ANSWERS_HEADER: "answers", SCUS_HEADER: "scus"}
    return next((kind for start, kind in headers.items() if head.startswith(start.encode())), "")


def _nothing(path: Path, files: dict[str, list[Path]]) -> FormatError | NotFoundError:
    if pickles := files.get("pickle"):
        return Where(pickles[0]).error(
            "this is a pickle, and loading one can run any program: it is never done",
            "read the release's CSV files and outputs, or a file of judged summaries",
        )
    if not path.exists():
        return NotFoundError("there is no such file", "check the path", where=Where(path))
    return Where(path).error(
        "this is not part of REALSumm's release",
        f"name a folder with {', '.join(_PARTS[:2])}, or a CSV file of answers",
    )


def _read_answers(files: list[Path], release: _Release) -> None:
    read = [(_track(file.parent.name), answers) for file in files for answers in read_answers(file)]
    shared = _shared({(track, answers.system) for track, answers in read})
    for track, answers in read:
        system = _named(track, answers.system, shared)
        release.answers.setdefault((answers.topic, system), []).append(answers)
        release.scus.setdefault(answers.topic, list(answers.statements))


def _track(folder: str) -> str:
    """Tell abstractive from extractive systems by the folder's name."""
    return next((track for track in ("abs", "ext") if track in folder.split("_")), "")


def _shared(systems: set[tuple[str, str]]) -> set[str]:
    """Find the names that stand for an abstractive and an extractive system."""
    return {name for name, number in Counter(name for _, name in systems).items() if number > 1}


def _named(track: str, system: str, shared: set[str]) -> str:
    return f"{track}_{system}" if track and system in shared else system


def _read_outputs(path: Path, files: dict[str, list[Path]], release: _Release) -> None:
    outputs = files.get("output", [])
    if not outputs:
        return
    if not (selections := files.get("selection")):
        what = f"there is no {_SELECTION}, which says what the lines of the outputs are about"
        raise NotFoundError(what, "read the folder that has it", where=Where(path))
    topics = _topics(selections[0])
    systems = [(_track(f.parent.parent.name), f"{f.parent.name}_{f.stem}") for f in outputs]
    shared = _shared({*systems})
    for file, (track, system) in zip(outputs, systems, strict=True):
        for topic, text, where in _lines(file, topics):
            if text == _UNALIGNED:
                release.left_out["outputs that the release could not align"] += 1
            else:
                release.outputs[topic, _named(track, system, shared)] = text, where
    for kind, found in (("references", release.references), ("articles", release.articles)):
        copies = files.get(kind, [])
        for file in copies[:1]:
            found.update((topic, _plain(text)) for topic, text, _ in _lines(file, topics))
        # Most models bring their own copy of the same texts, tokenized in their own way.
        release.left_out[f"further copies of the {kind}"] += len(copies[1:])


def _topics(selection: Path) -> list[str]:
    """Read which documents the lines of the outputs are about."""
    match = _NUMBERS.search(read_text(selection))
    if not match:
        raise Where(selection).error("there is no list of document numbers", "fetch it again")
    return [f"cnndm{number}" for number in re.findall("[0-9]+", match.group())]


def _lines(file: Path, topics: list[str]) -> Iterator[tuple[str, Text, Where]]:
    """Read one text a line, divided into sentences where tags do so."""
    lines = list(read_lines(file))
    if len(lines) != len(topics):
        hint = f"there must be one for each document of {_SELECTION}"
        raise Where(file).error(f"{len(lines)} lines for {len(topics)} documents", hint)
    for topic, (number, line) in zip(topics, lines, strict=True):
        pieces = [piece.strip() for piece in _SENTENCE_TAG.split(line)]
        text = pieces[0] if len(pieces) == 1 else tuple(filter(None, pieces))
        yield topic, text, Where(file, line=number)


def _plain(text: Text) -> str:
    return text if isinstance(text, str) else " ".join(text)


def _collection(release: _Release) -> Collection:
    judged = JudgedSet("realsumm", left_out=release.left_out)
    for topic in dict.fromkeys([*release.scus, *release.references, *release.articles]):
        judged.add_topic(_topic(topic, release))
    for key in dict.fromkeys([*release.outputs, *release.answers]):
        _add_peer(key, release, judged)
    return judged.collection()


def _topic(id: str, release: _Release) -> Topic:
    texts = enumerate(release.scus.get(id, []))
    scus = [{"id": number, "text": text, "weight": 1} for number, text in texts]
    article = release.articles.get(id, "")
    documents = (Document("d1", article),) if article else ()
    return Topic(id, documents=documents, extra={"scus": scus} if scus else {})


def _add_peer(key: Key, release: _Release, judged: JudgedSet) -> None:
    topic, system = key
    answers = release.answers.get(key, [])
    summary, where = _summary(topic, system, release.outputs.get(key), answers)
    references = (release.references[topic],) if topic in release.references else ()
    judged.add_peer(summary, references, where)
    for worker, given in enumerate(answers, start=1):
        size = len(given.marks)
        if size != len(release.scus[topic]):
            what = f"{size} statements for the {len(release.scus[topic])} SCUs of topic {topic}"
            raise given.where.error(what, "the files must be of one release")
        otherwise = list(given.statements) != release.scus[topic]
        judged.left_out["sheets that word an SCU otherwise"] += otherwise
        assessors = [f"worker{worker}"] * size
        judged.rows.add(summary, ["scu-answer"] * size, given.marks, assessors, unit_names(size))


def _summary(
    topic: str, system: str, output: tuple[Text, Where] | None, answers: list[Answers]
) -> tuple[Summary, Where]:
    """Prefer the system's output; what the workers read is kept where it differs."""
    if output is None:
        return Summary(topic, system, answers[0].text), answers[0].where
    text, where = output
    shown = next((given.text for given in answers if given.text != _plain(text)), None)
    return Summary(topic, system, text, extra={"shown": shown} if shown else {}), where


def _matches(path: Path) -> bool:
    if path.is_dir():
        names = (*_PARTS, _SELECTION, "SCUs_list.csv", "SCU_rating_results_*", "abs.pkl", "ext.pkl")
        return any(True for name in names for _ in path.glob(name))
    return path.is_file() and _kind(path) in ("answers", "scus", "pickle")


FORMAT = Format(
    name="realsumm",
    title="REALSumm's release (answers to SCUs, system outputs; never its pickles)",
    matches=_matches,
    read=read_realsumm,
)
