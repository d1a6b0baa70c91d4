"""Make the demonstration's evaluation: twelve systems, three assessors, two years, one model judge.

    python tools/demo_evaluation.py

Everything is invented. Our summarizers write the systems' summaries, except Hazel's: those were
written by hand and are kept. An automatic annotator finds the content units of each summary, and
judgments follow from these, with the errors of each assessor. The truths planted are named below.
Run again, it writes the same files.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.collection import Collection, PeerAnnotation, Summary
from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.demo import load_demo
from pyramidion.metrics import score
from pyramidion.pyramid import Annotator, score_peer, score_reference
from pyramidion.summarizers import summarize_collection
from pyramidion.text import split_sentences

FOLDER = Path(__file__).parents[1] / "src" / "pyramidion" / "demo" / "evaluation"

#: The clear winner, whose summaries are written by hand.
WINNER = "Hazel"
#: Each other system's method, and how well its summaries read compared with their content.
METHODS = {
    "Aspen": ("lead", 0.3), "Birch": ("random", -0.3), "Cedar": ("oracle", 0.0),
    "Dogwood": ("sum-avr", 0.0), "Elm": ("centroid", 0.0), "Fir": ("kl-sum", -0.9),
    "Ginkgo": ("coverage", 0.0), "Iris": ("sum-sum", -0.1), "Juniper": ("signature", 0.0),
    "Kapok": ("sum-avr", 0.0), "Larch": ("first", 0.2),
}  # fmt: skip
#: Two systems that are equally good on every topic whose texts are not published.
TIE, TIED_CONTENT = ("Cedar", "Elm"), 0.66
#: Its sentences come in random order; its summaries stop in the middle; two hand in the same.
SHUFFLED, CUT, IDENTICAL = "Fir", "Iris", ("Dogwood", "Kapok")
PEOPLE = dict.fromkeys("ABCDEFGH", 0.6)

#: Severity and noise of each assessor: Otto is severe, Quinn is the one to doubt.
ASSESSORS = {"Nora": (0.0, 0.45), "Otto": (-0.8, 0.45), "Quinn": (0.0, 1.7)}
#: The model judge is kind, and kinder to long summaries.
JUDGE, KINDNESS, PER_WORD = "minerva", 0.7, 0.012

#: Topics a year that people judged, and further ones that only the model judged.
JUDGED, FURTHER = 20, 40
YEARS = {"2031": ("P01", "P02", "P03"), "2032": ("P04", "P05", "P06")}
METRICS = ("rouge-2-r", "bleu", "js-input")
TASKS = ("A", "B")


@dataclass(frozen=True, slots=True)
class Merit:
    """What a summary deserves: the share of content it has, how it reads, and its length."""

    content: float
    fluency: float
    words: float

    @property
    def responsiveness(self) -> float:
        """The score that an assessor without errors would give."""
        return 0.6 + 4.2 * self.content + 0.4 * self.fluency

    @property
    def readability(self) -> float:
        """The score for how it reads."""
        return 2.9 + 1.8 * self.fluency + 0.6 * self.content


def written_by_hand() -> list[Summary]:
    """Return the summaries that no method made."""
    lines = (FOLDER / "summaries.jsonl").read_text(encoding="utf-8").splitlines()
    records = (record for record in map(json.loads, lines) if record["system"] == WINNER)
    return [Summary(r["topic"], r["system"], r["text"], task=r["task"]) for r in records]


def machine_summaries(demo: Collection, rng: np.random.Generator) -> list[Summary]:
    """Write the summaries of all systems, in order of task, topic and system."""
    summaries = written_by_hand()
    for system, (method, _) in METHODS.items():
        result = summarize_collection(demo, method=(method,)).to_collection()
        for summary in result.summaries:
            if summary.kind == "machine":
                text = changed(system, list(summary.text), rng)
                summaries.append(Summary(summary.topic, system, text, task=summary.task))
    return sorted(summaries, key=lambda summary: summary.key)


def changed(system: str, sentences: list[str], rng: np.random.Generator) -> str:
    """Shuffle or cut a summary, if that is what is wrong with its system."""
    if system == SHUFFLED:
        rng.shuffle(sentences)
    text = " ".join(sentences)
    return " ".join(text.split()[:50]) if system == CUT else text


def annotations(demo: Collection, summaries: Iterable[Summary]) -> dict[Any, PeerAnnotation]:
    """Annotate each summary with the content units that it expresses."""
    annotators = {key: Annotator(pyramid) for key, pyramid in demo.pyramids.items()}
    return {
        summary.key: annotators[summary.task, summary.topic].annotate(summary.plain).annotation
        for summary in summaries
    }


def merits(demo: Collection, peers: Mapping[Any, PeerAnnotation]) -> dict[Any, Merit]:
    """Return what each summary deserves, by task, topic and system."""
    fluency = {WINNER: 0.6, **{system: value for system, (_, value) in METHODS.items()}, **PEOPLE}
    scores = {key: score_peer(peer).modified for key, peer in peers.items()}
    lengths = {key: len(peer.text.split()) for key, peer in peers.items()}
    for summary in demo.summaries:
        pyramid = demo.pyramids[summary.task, summary.topic]
        names = {text.name.rpartition(".")[2]: text.name for text in pyramid.references}
        scores[summary.key] = score_reference(pyramid, names[summary.system]).modified
        lengths[summary.key] = summary.words
    return {key: Merit(value, fluency[key[2]], lengths[key]) for key, value in scores.items()}


def likert(value: float) -> int:
    """Round to the scale from 1 to 5."""
    return int(np.clip(np.rint(value), 1, 5))


def judged(merit: Merit, rng: np.random.Generator) -> Iterator[tuple[str, str, int]]:
    """Return the measure, the assessor and the value of each judgment of a summary."""
    for assessor, (severity, noise) in ASSESSORS.items():
        for measure in ("responsiveness", "readability"):
            value = getattr(merit, measure) + severity + rng.normal(0, noise)
            yield measure, assessor, likert(value)


def by_model(merit: Merit, rng: np.random.Generator) -> int:
    """Return the model's score of a summary."""
    longer = PER_WORD * (merit.words - 90)
    return likert(merit.responsiveness + KINDNESS + longer + rng.normal(0, 0.5))


def judgment_rows(known: Mapping[Any, Merit], rng: np.random.Generator) -> list[list[Any]]:
    """Judge the summaries whose texts are published."""
    rows = []
    for key, merit in sorted(known.items()):
        head = [*key, kind_of(key[2])]
        rows += [
            [*head, measure, assessor, "person", value]
            for measure, assessor, value in judged(merit, rng)
        ]
        rows.append([*head, "responsiveness", JUDGE, "model", by_model(merit, rng)])
    return repeated(rows, rng)


def repeated(rows: list[list[Any]], rng: np.random.Generator) -> list[list[Any]]:
    """Judge identical summaries alike, in most cases; only Quinn does not notice.

    The last five columns of a row are the system's kind, the measure, the assessor, the assessor's
    kind and the value, and those before are the summary's. A metric always gives the same score.
    """
    first, second = IDENTICAL
    values = {(*row[:2], *row[4:6]): row[7] for row in rows if row[2] == first}
    share = {assessor: 0.0 if noise > 1 else 0.9 for assessor, (_, noise) in ASSESSORS.items()}
    return [
        [*row[:7], values[*row[:2], *row[4:6]]]
        if row[2] == second and rng.random() < share.get(row[5], 1.0)
        else row
        for row in rows
    ]


def kind_of(system: str) -> str:
    """Return whether a system is a person or a machine."""
    return "human" if system in PEOPLE else "machine"


def metric_models(collection: Collection, known: Mapping[Any, Merit]) -> dict[str, Any]:
    """Fit each metric to content, apart for people and machines, with the spread around it."""
    result = score(collection, metrics=METRICS)
    rows = [row for row in result.scores if row.task == "A"]
    models: dict[str, Any] = {"values": {(r.topic, r.system, r.measure): r.value for r in rows}}
    for measure in METRICS:
        for kind in ("human", "machine"):
            cells = [row for row in rows if (row.measure, row.kind) == (measure, kind)]
            content = [known["A", row.topic, row.system].content for row in cells]
            values = np.array([row.value for row in cells])
            slope, level = np.polyfit(content, values, 1)
            spread = float(np.std(values - slope * np.array(content) - level))
            models[measure, kind] = float(slope), float(level), spread
    return models


def invented(known: Mapping[Any, Merit], rng: np.random.Generator) -> Iterator[dict[str, Merit]]:
    """Invent what the summaries of further topics deserve."""
    systems = {key[2] for key in known}
    means = {
        system: np.mean(
            [[m.content, m.fluency, m.words] for k, m in known.items() if k[2] == system], 0
        )
        for system in sorted(systems)
    }
    means[TIE[0]][0] = TIED_CONTENT
    means[TIE[1]] = means[TIE[0]]
    while True:
        hard = rng.normal(0, 0.08)
        deserved = {
            system: Merit(
                float(np.clip(c + hard + rng.normal(0, 0.1), 0.02, 0.98)), float(f), float(w)
            )
            for system, (c, f, w) in means.items()
        }
        deserved[IDENTICAL[1]] = deserved[IDENTICAL[0]]
        writers = set(rng.choice(sorted(PEOPLE), 4, replace=False))
        yield {s: merit for s, merit in deserved.items() if s not in PEOPLE or s in writers}


def year_rows(
    published: list[list[Any]],
    known: Mapping[Any, Merit],
    models: Mapping[Any, Any],
    rng: np.random.Generator,
) -> list[list[Any]]:
    """Make the scores of two years, on published topics, judged ones, and the model's."""
    rows: list[list[Any]] = []
    for year, topics in YEARS.items():
        head = [row for row in published if row[0] == "A" and row[1] in topics]
        rows += [[year, *row[1:]] for row in head if row[4] == "responsiveness"]
        for topic, system in sorted({(row[1], row[2]) for row in head}):
            rows += [
                [
                    year,
                    topic,
                    system,
                    kind_of(system),
                    measure,
                    "",
                    "",
                    round(models["values"][topic, system, measure], 4),
                ]
                for measure in METRICS
            ]
        further = invented(known, rng)
        for number in range(len(topics) + 1, JUDGED + FURTHER + 1):
            topic = f"{year[-1]}-{number:02d}"
            for system, merit in next(further).items():
                rows += topic_rows(
                    year, topic, system, merit, models, rng, by_people=number <= JUDGED
                )
    return repeated(rows, rng)


def topic_rows(year, topic, system, merit, models, rng, *, by_people) -> Iterator[list[Any]]:
    """Make the scores of one summary."""
    head = [year, topic, system, kind_of(system)]
    if by_people:
        for measure, assessor, value in judged(merit, rng):
            if measure == "responsiveness":
                yield [*head, measure, assessor, "person", value]
        for measure in METRICS:
            slope, level, spread = models[measure, kind_of(system)]
            value = slope * merit.content + level + rng.normal(0, spread)
            yield [*head, measure, "", "", round(max(value, 0.0), 4)]
    if by_people or kind_of(system) == "machine":
        yield [*head, "responsiveness", JUDGE, "model", by_model(merit, rng)]


def preference_rows(known: Mapping[Any, Merit], rng: np.random.Generator) -> Iterator[list[Any]]:
    """Let two assessors choose between each two machines on each topic."""
    machines = sorted({key[2] for key in known} - set(PEOPLE))
    topics = sorted({key[1] for key in known})
    pairs = [(a, b) for n, a in enumerate(machines) for b in machines[n + 1 :]]
    for number, (topic, pair) in enumerate((t, p) for t in topics for p in pairs):
        for turn in range(2):
            assessor = list(ASSESSORS)[(number + turn) % 3]
            first, second = pair if (number + turn) % 2 else pair[::-1]
            better = (
                known["A", topic, first].responsiveness - known["A", topic, second].responsiveness
            )
            noise = ASSESSORS[assessor][1]
            # Quinn, who reads with less care, leans to what comes first.
            felt = better + rng.normal(0, 1.4 * noise) + 0.5 * (noise > 1)
            choice = "tie" if abs(felt) < 0.25 else ("first" if felt > 0 else "second")
            yield ["A", topic, first, second, choice, assessor]


def answer_rows(
    demo: Collection, peers: Mapping[Any, PeerAnnotation], rng: np.random.Generator
) -> Iterator[list[Any]]:
    """Let two assessors answer whether each summary has the units of three or four references."""
    for (task, topic, system), peer in peers.items():
        if task != "A":
            continue
        pyramid = demo.pyramids[task, topic]
        heavy = {scu.uid for weight, scus in pyramid.tiers().items() if weight >= 3 for scu in scus}
        for scu in peer.scus:
            for assessor in ("Nora", "Otto") if scu.uid in heavy else ():
                slip, answer = rng.random(), bool(scu.contributors)
                word = (
                    "cannot tell" if slip < 0.03 else ("yes" if answer != (slip > 0.95) else "no")
                )
                yield [topic, system, scu.uid, word, assessor]


def write_csv(name: str, head: str, rows: Iterable[Iterable[Any]]) -> None:
    """Write a table."""
    with (FOLDER / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head.split(","))
        writer.writerows(rows)


def write_lines(name: str, records: Iterable[Any]) -> None:
    """Write one JSON value a line."""
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    (FOLDER / name).write_text("".join(lines), encoding="utf-8")


def spans(peer: PeerAnnotation) -> list[list[Any]]:
    """Return the unit of each contributor with the starts and ends of its parts.

    Sentences that express no unit contribute to the entry for content outside the pyramid.
    """
    contributors = [(scu.uid, c.parts) for scu in peer.scus for c in scu.contributors]
    marked = [part for _, parts in contributors for part in parts]
    rest = [
        [NOT_IN_PYRAMID, start, end]
        for start, end in sentence_spans(peer.text)
        if not any(start <= part.start < end for part in marked)
    ]
    ends = [
        [uid, *(n for part in parts for n in (part.start, part.end))] for uid, parts in contributors
    ]
    return [*ends, *rest]


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Return where each sentence of a text starts and ends."""
    start = 0
    for sentence in split_sentences(text):
        start = text.index(sentence, start)
        yield start, start + len(sentence)


def main() -> None:
    """Write all files."""
    rng = np.random.default_rng(2031)
    demo = load_demo()
    summaries = machine_summaries(demo, rng)
    peers = annotations(demo, summaries)
    known = merits(demo, peers)
    rows = judgment_rows(known, rng)
    write_lines(
        "summaries.jsonl",
        (
            {"task": s.task, "topic": s.topic, "system": s.system, "text": s.plain}
            for s in summaries
        ),
    )
    write_lines("annotations.jsonl", ([*key, spans(peer)] for key, peer in peers.items()))
    write_csv("scores.csv", "task,topic,system,kind,measure,assessor,assessor_kind,value", rows)
    write_csv(
        "preferences.csv", "task,topic,first,second,choice,assessor", preference_rows(known, rng)
    )
    write_csv("answers.csv", "topic,system,unit,answer,assessor", answer_rows(demo, peers, rng))
    models = metric_models(replace(demo, summaries=(*demo.summaries, *summaries)), known)
    years = year_rows(rows, known, models, rng)
    write_csv(
        "years.csv", "collection,topic,system,kind,measure,assessor,assessor_kind,value", years
    )


if __name__ == "__main__":
    main()
