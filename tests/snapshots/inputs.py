"""What the cases read: made once a session, in a folder that the commands run in."""

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from classy.tac_years import tac_years, with_machines
from judges.assessor_samples import tac_year
from pyramidion.collection import Collection, Scores, Summary
from pyramidion.collection.formats.scores import read_scores
from pyramidion.demo import load_demo
from pyramidion.summarizers import summarize_collection
from snapshots.recording import run_command

SCORES = Path(__file__).with_name("scores.csv")

ARTICLE = """NEW ORLEANS (HNS) - Republican candidate Suzanne Haik Terrell drew level with \
Democratic Sen. Mary Landrieu on Monday, five days before Louisiana votes.

Terrell, the state elections commissioner, told supporters in Monroe that the seat could be won. \
Landrieu spent the day in Shreveport.

President Bush campaigned for Terrell on Tuesday. Bush called her a friend of taxpayers.
"""
SUMMARY = """Terrell had 56 percent of the vote to 31 percent for Landrieu in the north.
A poll shows the race between Democratic Sen. Mary Landrieu and her challenger, Suzanne Haik \
Terrell, to be dead even.
"""


def provide(case: str, folder: Path) -> None:
    """Make the inputs that a case names, where they are not there yet."""
    for word in shlex.split(case):
        name = word.split("/")[0]
        if name in INPUTS and not (folder / name).exists():
            INPUTS[name](folder / name)


def _demo(path: Path) -> None:
    load_demo().save(path)


def _machines(path: Path) -> None:
    methods = (
        "lead", "first", "random", "sum-avr", "sum-avr(context=off)", "lexrank", "coverage",
    )  # fmt: skip
    summarize_collection(load_demo(), method=methods).to_collection().save(path)


def _judged(path: Path) -> None:
    """People and machines of the demonstration, judged, with scores of metrics beside."""
    collection = with_machines(load_demo())
    collection = replace(collection, pyramids=load_demo().pyramids)
    plain, table = path.with_name("unscored"), path.with_name("metrics.csv")
    collection.save(plain)
    measures = "rouge-1-r,rouge-2-r,rouge-su4-r,bleu,js-input,js-references,sentence-length"
    run = run_command(["score", str(plain), "-m", measures, "-o", str(table)])
    assert run.code == 0, run.err
    scored = read_scores(table)
    # The last digits, and with them the hash of the data, depend on the machine.
    scored = Scores(scored.columns, scored.value.round(12), extra=scored.extra)
    both = Scores.concatenate((collection.scores, scored))
    replace(collection, scores=both).save(path)


def _scores(path: Path) -> None:
    """People and machines, holes, ties, three assessors, and a measure of which less is better."""
    path.write_bytes(SCORES.read_bytes())


def _years(path: Path) -> None:
    """The same in two collections: topics up to T5 are of one year."""
    head, *rows = SCORES.read_text().splitlines()
    early = {f"T{number}" for number in range(1, 6)}
    lines = [f"{2008 if row.split(',')[1] in early else 2009},{row}" for row in rows]
    path.write_text("\n".join([f"collection,{head}", *lines]) + "\n")


def _clustered(path: Path) -> None:
    """Scores with a column that puts two topics in a row in one document."""
    head, *rows = SCORES.read_text().splitlines()
    documents = (f"D{(int(row.split(',')[1][1:]) + 1) // 2}" for row in rows)
    lines = (f"{row},{document}" for row, document in zip(rows, documents, strict=True))
    path.write_text("\n".join([f"{head},document", *lines]) + "\n")


def _odd(path: Path) -> None:
    """A task with a measure that is the same for all, and a machine with a single topic."""
    head, *rows = SCORES.read_text().splitlines()
    cells = [row.split(",") for row in rows if row.startswith("A,")]
    kept_rows = [row for row in cells if row[2] != "8" or row[1] == "T1"]
    kept_rows += [[*row[:4], "flat", "", "0.5"] for row in kept_rows if row[4] == "rouge-2-r"]
    path.write_text("\n".join([head, *map(",".join, kept_rows)]) + "\n")


def _assessed(path: Path) -> None:
    """A year as at TAC, where systems hand in identical summaries, one assessor a topic."""
    tac_year(seed=1, topics=8, timed=True).save(path)


def _assessed_year(number: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        tac_year(str(number), seed=number, topics=8, tasks=("A",)).save(path)

    return make


def _year(number: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        tac_years(3)[number].save(path)

    return make


def _source(path: Path, name: str) -> Path:
    """Make an input that another one is made of."""
    if not path.with_name(name).exists():
        INPUTS[name](path.with_name(name))
    return path.with_name(name)


def _annotated(*options: str) -> Callable[[Path], None]:
    """Make two annotations of the same machines, by two automatic annotators."""

    def make(path: Path) -> None:
        source = _source(path, "machines")
        arguments = [
            "pyramid",
            "auto",
            str(source),
            *options,
            "--topic",
            "P01,P02",
            "-o",
            str(path),
        ]
        run = run_command(arguments)
        assert run.code == 0, run.err

    return make


def _peers(path: Path) -> None:
    demo = load_demo()
    lead = [
        Summary(topic.id, "lead", demo.documents(topic.id, task)[-1].text, task=task).truncated(100)
        for topic in demo.topics
        for task in "AB"
    ]
    Collection("peers", summaries=tuple(lead)).save(path, format="summaries")


def _text(content: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text(content, encoding="utf-8")

    return write


def _articles(path: Path) -> None:
    path.mkdir()
    for document in load_demo().documents("P05", "A"):
        (path / f"{document.id}.txt").write_text(document.text, encoding="utf-8")


def _rouge(path: Path) -> None:
    """A configuration for ROUGE with its files."""
    source = _source(path, "machines")
    run = run_command(["convert", str(source), str(path), "--to", "rouge"])
    assert run.code == 0, run.err


def _choices(path: Path) -> None:
    """Choices between three systems on eight topics, by two judges, each shown both ways."""
    rows = ["topic,first,second,choice,assessor,sides"]
    for number in range(96):
        topic, position = divmod(number, 12)
        pair = ("x,y", "y,z", "z,x")[position % 3]
        judge, sides = "KL"[position // 6], ("", "swapped")[position // 3 % 2]
        choice = ("first", "first", "second", "tie", "second")[(7 * number + topic) % 11 % 5]
        rows.append(f"T{topic},{pair},{choice},{judge},{sides}")
    path.write_text("\n".join([*rows, "T1,z,w,first,K,", ""]), encoding="utf-8")


def _answers(path: Path) -> None:
    """Answers of two judges about four units of two systems on six topics."""
    words = ("yes", "no", "yes", "cannot tell", "yes", "no", "no")
    rows = [
        f"T{topic},{system},{unit},{words[(5 * topic + 3 * unit + step + turn) % 7]},{judge}"
        for topic in range(6) for step, system in enumerate("xy")
        for unit in range(4) for turn, judge in enumerate("KL"[: 1 + (topic + unit) % 3])
    ]  # fmt: skip
    text = "\n".join(["topic,system,unit,answer,assessor", *rows, ""])
    path.write_text(text, encoding="utf-8")


def _models(path: Path) -> None:
    """Three people and two language models, one asked twice, on four systems and six topics."""
    rows = ["topic,system,measure,assessor,assessor_kind,occasion,value"]
    for number in range(24):
        topic, system = divmod(number, 4)
        score = 1 + (system + topic % 2 + number % 3 // 2) % 5
        for index, name in enumerate("KLM"):
            value = min(5, score + (number + index) % 3 // 2)
            rows.append(f"T{topic},s{system},fluency,{name},person,,{value}")
        for occasion in (1, 2):
            kind = min(5, score + 1 - (number + occasion) % 5 // 4)
            rows.append(f"T{topic},s{system},fluency,kind,model,{occasion},{kind}")
        rows.append(f"T{topic},s{system},fluency,wild,model,1,{1 + (7 * number) % 5}")
    path.write_text("\n".join([*rows, ""]), encoding="utf-8")


def _stream(path: Path) -> None:
    """A scoring stream with an empty peer, a missing one, and differing references."""
    records = []
    for topic in range(5):
        references = [f"Rain fell on town {topic}.", f"It rained all day in town {topic}."]
        for system in "xyz":
            peer = "" if (topic, system) == (3, "y") else f"Rain in town {topic}, says {system}."
            item_references = ["The sun shone."] if (topic, system) == (2, "z") else references
            record = {
                "topic": f"T{topic}",
                "system": system,
                "peer": peer,
                "references": item_references,
            }
            records.append(record)
    lines = (json.dumps(record) for record in records[:-1])
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


#: What makes each input, by the name of its file or folder.
INPUTS: dict[str, Callable[[Path], None]] = {
    "demo": _demo,
    "machines": _machines,
    "judged": _judged,
    "scores.csv": _scores,
    "clustered.csv": _clustered,
    "years.csv": _years,
    "odd.csv": _odd,
    "assessed": _assessed,
    "assessed-2009": _assessed_year(2009),
    "assessed-2010": _assessed_year(2010),
    "assessed-2011": _assessed_year(2011),
    "2009": _year(0),
    "2010": _year(1),
    "2011": _year(2),
    "matched": _annotated("--match"),
    "similar": _annotated("--by", "similarity"),
    "peers.jsonl": _peers,
    "article.txt": _text(ARTICLE),
    "summary.txt": _text(SUMMARY),
    "articles": _articles,
    "rouge": _rouge,
    "choices.csv": _choices,
    "answers.csv": _answers,
    "models.csv": _models,
    "stream.jsonl": _stream,
}
