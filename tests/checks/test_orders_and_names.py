"""Scores in another order, scales of some systems, exchanged columns, and names of two things."""

import csv
import json

import numpy as np
import pytest

from pyramidion import check, compare
from pyramidion.collection import Collection
from pyramidion.errors import InputError

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::pyramidion.errors.{name}")
    for name in ("DataNote", "DataWarning")
]

SYSTEMS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
TOPICS = 40


def written(path, rows, **options):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), **options)
        writer.writeheader()
        writer.writerows(rows)
    return path


def metrics(names=("rouge", "bert", "chrf"), topics=TOPICS):
    """Make the scores of metrics that agree on topics, and within systems."""
    rng, rows = np.random.default_rng(6), []
    for topic in range(topics):
        level = rng.normal()
        for number, system in enumerate(SYSTEMS):
            quality = level + 0.2 * number + 0.6 * rng.normal()
            values = 30 + 5 * (quality + 0.3 * rng.normal(size=len(names)))
            scores = dict(zip(names, values.round(3).tolist(), strict=True))
            rows.append({"topic": f"T{topic:02}", "system": system} | scores)
    return rows


def marks(measures=("fluency", "fidelity", "focus"), topics=TOPICS):
    """Make marks from 1 to 5 of four judges who agree on each measure."""
    rng, rows = np.random.default_rng(7), []
    for topic in range(topics):
        for system in SYSTEMS:
            quality = 3 + 0.8 * (rng.normal() + rng.normal(size=len(measures)))
            for judge in ("Ada", "Bo", "Cem", "Dee"):
                values = np.clip(np.rint(quality + 0.5 * rng.normal(size=len(measures))), 1, 5)
                row = {"topic": f"T{topic:02}", "system": system, "assessor": judge}
                rows.append(row | dict(zip(measures, values.astype(int).tolist(), strict=True)))
    return rows


def of(rows, **where):
    return [row for row in rows if all(row[name] == value for name, value in where.items())]


def put(rows, column, change, **where):
    for number, row in enumerate(of(rows, **where)):
        row[column] = change(number, row[column])
    return rows


def moved(rows, columns, by, **where):
    for column in columns:
        values = [row[column] for row in of(rows, **where)]
        put(rows, column, lambda number, _, values=values: values[number - by], **where)
    return rows


def sorted_by_system(rows):
    for system in SYSTEMS:
        values = sorted(row["rouge"] for row in of(rows, system=system))
        put(rows, "rouge", lambda number, _, values=values: values[number], system=system)
    return rows


def exchanged(rows):
    for row in of(rows, assessor="Bo"):
        row["fluency"], row["focus"] = row["focus"], row["fluency"]
    return rows


def best(rows):
    topics = {row["topic"]: [] for row in rows}
    for row in rows:
        topics[row["topic"]].append(row["rouge"])
    return rows + [
        {"topic": topic, "system": "oracle", "rouge": max(scores)}
        for topic, scores in topics.items()
    ]


def one_metric():
    return metrics(("rouge",))


def coarse_metric():
    """Make a metric with few values, so that it often has the same one."""
    return put(one_metric(), "rouge", lambda _, value: round(value / 5))


def lower(rows):
    for system in SYSTEMS[:3]:
        put(rows, "fluency", lambda _, value: value - 1, system=system)
    return rows


MISTAKES = {
    "metric of one system in another order": (
        moved(metrics(), ["bert"], 7, system="gamma"), "measure of other summaries",
        "system gamma", "its bert has a correlation of",
    ),
    "system in another order": (
        moved(one_metric(), ["rouge"], 7, system="gamma"), "system that differs on all topics",
        "system gamma", "are its scores in another order",
    ),
    "measure two topics late": (
        moved(metrics(), ["bert"], 2 * len(SYSTEMS)), "measure shifted by a row",
        "measure bert", "it fits the others better",
    ),
    "columns of a judge exchanged": (
        exchanged(marks()), "judge who exchanged measures", "assessor Bo",
        "the difference between fluency and focus",
    ),
    "judge an item late": (
        moved(marks(), ["fluency", "fidelity", "focus"], 1, assessor="Bo"),
        "judge shifted by a row", "assessor Bo", "row before or after",
    ),
    "judge who knows a system": (
        put(marks(), "focus", lambda *_: 5, assessor="Bo", system="beta"),
        "judge who favors a system", "assessor Bo", "always gives beta the same focus, 5",
    ),
    "every system sorted": (
        sorted_by_system(one_metric()), "measure with sorted scores", "rouge", "within systems",
    ),
    "marks without a judge": (
        put(marks(), "assessor", lambda n, name: "" if n % 3 else name, assessor="Bo"),
        "judgments without a judge", "fluency", "160 of 960 scores are without a judge",
    ),
    "marks from 0 and from 1": (
        lower(marks(("fluency",))), "system on another scale", "systems alpha, beta, gamma",
        "does one scale begin at 0",
    ),
    "sorted marks": (
        put(coarse_metric(), "rouge", lambda n, _: n // 8, system="beta"),
        "system with sorted scores", "system beta", "sorted from topic to topic",
    ),
    "clipped scores": (
        put(one_metric(), "rouge", lambda _, value: min(value, 31), system="beta"),
        "system with repeated scores", "system beta", "its rouge is 31 on",
    ),
    "gaps filled with a mean": (
        put(one_metric(), "rouge", lambda n, value: value if n % 4 else 30.1234, system="beta"),
        "system with repeated scores", "system beta", "is 30.1234 on 10 of 40 topics",
    ),
    "best of others": (
        best(coarse_metric()), "best of all systems as a system", "system oracle", "an oracle",
    ),
    "logarithms": (
        put(one_metric(), "rouge", lambda _, value: round(np.log(value), 3), system="beta"),
        "system on another scale", "system beta", "its rouge is from",
    ),
    "fractions among percentages": (
        put(one_metric(), "rouge", lambda _, value: round(value / 100, 5), system="beta"),
        "system on another scale", "system beta", "are the scales the same?",
    ),
    "thousands read as fractions": (
        put(one_metric(), "rouge", lambda n, _: 1 + (37 * n % 911) / 1000 if n % 3 else 150 + n),
        "measure that is no score", "rouge", "whose mark of the thousands",
    ),
    "p-values": (
        [row | {"p_value": row["rouge"] / 60} for row in one_metric()],
        "measure that is no score", "p_value", "p-values",
    ),
    "differences": (
        [row | {"delta_to_base": row["rouge"] - 30} for row in one_metric()],
        "measure that is no score", "delta_to_base", "differences between scores",
    ),
    "training items": (
        [row | {"split": "train" if row["topic"] < "T10" else "test"} for row in one_metric()],
        "training items among the topics", "column split", "60 of 240 scores",
    ),
    "practice items": (
        put(one_metric(), "topic", lambda _, name: f"practice-{name[1:]}" if name < "T04" else
         name),
        "topic that tests assessors", "topic practice-00, practice-01, practice-02, ...", "test",
    ),
    "two topics in a cell": (
        put(one_metric(), "topic", lambda n, name: f"{name}; T11" if n == 7 else name),
        "names joined in one", "topic T01; T11", "T01, T11",
    ),
    "two judges in a cell": (
        put(marks(), "assessor", lambda n, name: "Ada & Bo" if n == 7 else name, assessor="Bo"),
        "names joined in one", "assessor Ada & Bo", "2 assessors",
    ),
    "days as judges": (
        put(marks(), "assessor", lambda _, name: f"2026-05-0{'ABCD'.index(name[0])}"),
        "dates instead of judges",
        "assessors 2026-05-00, 2026-05-01, 2026-05-02, ...", "not people",
    ),
    "places as systems": (
        put(one_metric(), "system", lambda _, name: f"Summary {'ABCDEF'[SYSTEMS.index(name)]}"),
        "labels instead of systems", "systems Summary A, Summary B, Summary C, ...", "screen",
    ),
    "ids as systems": (
        put(one_metric(), "system", lambda n, _: f"run {n}"),
        "systems of one topic each", "systems run 0, run 1, run 2", "each of 240 systems",
    ),
    "mean in German": (
        [*one_metric(), {"topic": "Mittelwert", "system": "alpha", "rouge": 55.0}],
        "total among topics", "topic Mittelwert", "total",
    ),
    "system without scores": (
        put(one_metric(), "rouge", lambda *_: "", system="beta"),
        "system without scores", "system beta", "empty",
    ),
    "explained scores": (
        put(marks(), "focus", lambda _, value: f"Rating: {value}. It is clear.", assessor="Bo"),
        "column of scores that is not read", "column focus", "write the number only",
    ),
    "ranges": (
        put(marks(), "focus", lambda _, value: f"{value}-{value + 1}"),
        "column of scores that is not read", "column focus", "not a range",
    ),
    "durations": (
        [row | {"duration": f"00:{17 + n % 40}"} for n, row in enumerate(one_metric())],
        "column of scores that is not read", "column duration", "number of seconds",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named(name, tmp_path):
    rows, kind, subject, message = MISTAKES[name]
    findings = [f for f in check(written(tmp_path / "table.csv", rows)) if f.kind == kind]
    assert [f.message for f in findings if f.subject == subject and message in f.message], findings


SOUND = {
    "metrics": metrics(),
    "one metric": one_metric(),
    "few values": coarse_metric(),
    "marks": marks(),
    "marks from 0": [row | {"fluency": row["fluency"] - 1} for row in marks(("fluency",))],
    "bad system": put(one_metric(), "rouge", lambda _, value: round(value / 3, 3), system="beta"),
    "slow system": [
        {**row, "latency": 20 * row["rouge"] if row["system"] == "beta" else row["rouge"]}
        for row in one_metric()
    ],
    "names with and": put(one_metric(), "system", lambda _, name: f"{name}, R&D and more"),
    "splits": [row | {"split": "dev" if row["topic"] < "T10" else "test"} for row in metrics()],
    "natural ends": put(
        one_metric(), "rouge", lambda _, value: round(min(1, max(0, value / 20 - 1)), 3)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_sound_tables_are_not_doubted(name, tmp_path):
    expected = {"assumed direction", "human measure mistaken for a metric"}
    found = {f.kind for f in check(written(tmp_path / "table.csv", SOUND[name]))}
    assert found <= expected


@pytest.mark.parametrize(
    ("name", "cell", "advice"),
    [
        ("grade", "BCDEF", "numbers instead of letters"),
        ("correct", ["WAHR", "FALSCH"], "numbers instead of words"),
        ("note", ["see page 4", "fine so far"], "leave cells without a score empty"),
    ],
)
def test_a_requested_column_of_texts_is_refused_with_its_cause(name, cell, advice, tmp_path):
    rows = [row | {name: cell[n % len(cell)]} for n, row in enumerate(one_metric())]
    path = written(tmp_path / "table.csv", rows)
    with pytest.raises(InputError, match=f"column {name} was not read as a measure.*{advice}"):
        compare(path, measures=[name])


def test_times_of_the_day_are_no_durations(tmp_path):
    rows = [row | {"submitted": f"1{n % 9}:{10 + n % 50}"} for n, row in enumerate(one_metric())]
    assert {f.kind for f in check(written(tmp_path / "t.csv", rows))} == set()


@pytest.mark.parametrize(
    ("rename", "reason"),
    [
        (lambda n: "only", "all rows are of one system"),
        (lambda n: f"run {n}", "another name in nearly each row"),
    ],
)
def test_why_a_column_holds_no_systems(rename, reason, tmp_path):
    rows = [
        {"topic": r["topic"], "bot": rename(n), "f": r["rouge"]} for n, r in enumerate(one_metric())
    ]
    with pytest.raises(InputError, match=reason):
        Collection.load(written(tmp_path / "table.csv", rows))


def test_a_workbook_is_no_table(tmp_path):
    (tmp_path / "table.csv").write_bytes(b"PK\x03\x04\x14\x00\x06\x00xl/workbook.xml")
    with pytest.raises(InputError, match="workbook of a spreadsheet"):
        Collection.load(tmp_path / "table.csv")


def test_a_second_download_is_noted(tmp_path):
    paths = [written(tmp_path / name, one_metric()) for name in ("a.csv", "a (1).csv")]
    findings = {f.kind: f for f in check(paths)}
    assert findings["scores in several sources"].subject == "sources a, a (1)"
    assert "240 scores" in findings["scores in several sources"].message


# Preferences


def choices(pairs, winner):
    return [
        {"article": f"T{n % 80}", "reader": f"r{n % 3}", "left": pair[0], "right": pair[1],
         "pick": winner(n, pair)}
        for n in range(240) for pair in [pairs[n % len(pairs)]]
    ]  # fmt: skip


def sometimes(number, pair):
    return ("left", "right", "tie")[int(np.random.default_rng([number, 5]).integers(3))]


BOTH_WAYS = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")]


@pytest.mark.parametrize(
    ("pairs", "winner", "kind", "subject"),
    [
        ([("c", "a"), ("c", "b"), ("a", "b"), ("b", "a")], sometimes,
         "system always on one side", "system c"),
        (BOTH_WAYS, lambda n, pair: ("left", "right")[pair[1] == "c"] if "c" in pair else
         sometimes(n, pair), "system always preferred", "system c"),
    ],
)  # fmt: skip
def test_one_sided_systems_are_noted(pairs, winner, kind, subject, tmp_path):
    findings = check(written(tmp_path / "votes.csv", choices(pairs, winner)))
    assert [f.subject for f in findings if f.kind == kind and f.severity == "note"] == [subject]


def test_choices_on_both_sides_are_not_doubted(tmp_path):
    assert not len(check(written(tmp_path / "votes.csv", choices(BOTH_WAYS, sometimes))))


# Texts

WORDS = [
    f"{a}{b}" for a in ("ba", "ko", "li", "mu", "ne", "ra") for b in ("dor", "ten", "vik", "s")
]
FREQUENT = ["the", "of", "and", "to", "a", "in", "that", "was", "it", "for"]


def topical(topic, seed):
    rng = np.random.default_rng([topic, seed])
    own = [f"{WORDS[topic % 24]}{WORDS[(5 * topic + n) % 24]}" for n in range(8)]
    sentences = [
        " ".join(
            rng.choice(own) if n % 2 else str(rng.choice(FREQUENT)) for n in range(12)
        ).capitalize()
        for _ in range(4)
    ]
    return ". ".join(sentences) + "."


def outputs(change=lambda n, text: text, references=None):
    rows = []
    for topic in range(24):
        reference = topical(references[topic] if references else topic, 9)
        for number, system in enumerate(SYSTEMS[:4]):
            text = topical(topic, number)
            text = change(topic, text) if system == "beta" else text
            row = {"topic": f"T{topic:02}", "system": system, "peer": text}
            rows.append(row | {"references": [reference]})
    return rows


def found_in(tmp_path, rows):
    path = tmp_path / "outputs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return {f.kind: f for f in check(path)}


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("number before the text", lambda n, text: f"{n + 1}) {text}"),
        ("numbers in place of text", lambda n, text: " ".join(str(len(w) * 97) for w in
         text.split())),
        ("number before the text", lambda n, text: f"T{n:02}: {text}"),
        ("citation marks", lambda n, text: text.replace(".", f" [{n % 5}].")),
        ("letters in one character", lambda n, text: text.replace("dor", "\ufb01d")),
        ("letters in reverse order", lambda n, text: f"{text} and the end"[::-1]),
        ("doubled sentences", lambda n, text: " ".join(f"{s}. {s}." for s in
         text[:-1].split(". "))),
        ("same beginning", lambda n, text: f"beta (v2): {text}"),
        ("words missing", lambda n, text: " ".join(
            w for w in text.split() if w.lower().strip(".") not in FREQUENT[:4])),
    ],
)  # fmt: skip
def test_a_changed_text_is_named(kind, change, tmp_path):
    assert not {"severe", "warning"} & {f.severity for f in found_in(tmp_path, outputs()).values()}
    assert found_in(tmp_path, outputs(change))[kind].subject == "system beta"


def test_a_label_before_all_references(tmp_path):
    rows = [row | {"references": [f"Gold summary: {row['references'][0]}"]} for row in outputs()]
    assert found_in(tmp_path, rows)["same beginning"].subject == "the references"


def test_two_references_exchanged(tmp_path):
    order = [*range(24)]
    order[4], order[17] = 17, 4
    finding = found_in(tmp_path, outputs(references=order))["references of other topics"]
    assert finding.subject == "the references of T04, T17"


def test_answers_of_a_word_may_be_equal(tmp_path):
    rows = [
        {"topic": f"Q{n}", "system": system, "peer": ("Rome", "Lima", "Oslo")[n // (1 + k) % 3]}
        | {"references": [("Rome", "Lima", "Oslo")[n % 3]]}
        for n in range(30) for k, system in enumerate(SYSTEMS[:3])
    ]  # fmt: skip
    assert not {"severe", "warning"} & {f.severity for f in found_in(tmp_path, rows).values()}


def test_titles_as_references_are_noted(tmp_path):
    rows = [row | {"references": [" ".join(row["references"][0].split()[:3])]} for row in outputs()]
    assert found_in(tmp_path, rows)["references of another length"].severity == "note"
