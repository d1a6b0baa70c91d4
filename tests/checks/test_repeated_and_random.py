"""Repeated, random and damaged data that `check` names, each beside sound data that it passes."""

import csv
import json
import warnings

import numpy as np
import pytest

from pyramidion import check, score
from pyramidion.errors import DataWarning, InputError

# Notes on how columns were read.
pytestmark = pytest.mark.filterwarnings("ignore::pyramidion.errors.DataNote")

SYSTEMS = ("alpha", "beta", "gamma", "delta")


def severities(*sources):
    """Return the severity of each kind of finding."""
    return {finding.kind: finding.severity for finding in check(*sources).values}


def table(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def marks(*, judges=3, topics=40, low=1, high=5, measures=("coherence",), noise=0.7):
    """Make the marks of judges who agree."""
    rng, rows = np.random.default_rng(4), []
    middle, width = (low + high) / 2, (high - low) / 5
    for topic in range(topics):
        for number, system in enumerate(SYSTEMS):
            quality = middle + width * (0.5 * number - 0.8 + 0.9 * rng.normal())
            for judge in range(judges):
                names = {"topic": f"T{topic:02}", "system": system, "assessor": f"ann{judge}"}
                values = quality + noise * width * rng.normal(size=len(measures))
                whole = np.clip(np.rint(values), low, high).astype(int).tolist()
                rows.append(names | dict(zip(measures, whole, strict=True)))
    return rows


def fractions(topics=40, names=("rouge", "bert"), of=lambda n: f"T{n:02}"):
    """Make the scores of metrics that agree."""
    rng, rows = np.random.default_rng(2), []
    for topic in range(topics):
        level = 0.06 * rng.normal()
        for number, system in enumerate(SYSTEMS):
            values = 0.4 + level + 0.02 * number + 0.04 * rng.normal(size=len(names))
            scores = dict(zip(names, values.round(4).tolist(), strict=True))
            rows.append({"topic": of(topic), "system": system, **scores})
    return rows


def by_one(change, **options):
    """Change the marks of one judge, from their number and value."""
    rows, number = marks(**options), 0
    for row in rows:
        if row["assessor"] == "ann1":
            row["coherence"] = change(number, row["coherence"])
            number += 1
    return rows


def some_topics(name, which):
    return fractions(of=lambda n: name(n) if n in which else f"T{n:02}")


def copied_topic():
    rows = fractions()
    rows[4:8] = [row | {"topic": "T01"} for row in rows[:4]]
    return rows


def running():
    rows = sorted(fractions(names=("rouge",)), key=lambda row: row["topic"])
    for number, row in enumerate(rows):
        row["rouge"] = round(0.1 + number * 0.37, 2)
    return rows


def of_slider(stays):
    """Change nothing, or give a judge of a scale to 100 the score 50 often."""
    return by_one(lambda n, v: 50 if n % 5 < stays else v, low=0, high=100)


def random_judge(noise):
    rng = np.random.default_rng(7)
    rows = marks(measures=("coherence", "fluency", "relevance"), noise=noise, topics=25)
    for row in rows:
        if row["assessor"] == "ann1":
            row |= {m: int(rng.integers(1, 6)) for m in ("coherence", "fluency", "relevance")}
    return rows


def agreed():
    rows = marks(low=1, high=7)
    return [{**row, "coherence": rows[n - n % 3]["coherence"]} for n, row in enumerate(rows)]


DAY = [f"{day}-Apr" for day in range(1, 31)] + [f"{day}-May" for day in range(1, 31)]
SESSION = [row | {"session no": n % 7 + 3} for n, row in enumerate(fractions())]
#: The data, the kind of finding, and its severity; none if the data are sound.
CASES = {
    "dates among ids": (
        some_topics(DAY.__getitem__, {3, 4}), "name changed by a spreadsheet", "severe"),
    "all topics are days": (
        some_topics(DAY.__getitem__, range(40)), "name changed by a spreadsheet", "note"),
    "rounded ids": (
        some_topics("1.2{}E+11".format, {3, 4}), "name changed by a spreadsheet", "severe"),
    "plain ids": (fractions(), "name changed by a spreadsheet", None),
    "attention checks": (
        some_topics("attention check {}".format, {3, 4}), "topic that tests assessors", "warning"),
    "topics of training": (
        some_topics("training topic {}".format, {3, 4}), "topic that tests assessors", None),
    "a topic twice": (copied_topic(), "topics with identical scores", "warning"),
    "different topics": (fractions(), "topics with identical scores", None),
    "marks repeat by chance": (marks(judges=1), "topics with identical scores", None),
    "a Cyrillic letter": (
        [row | {"system": "аlpha"} if n == 0 else row for n, row in enumerate(fractions())],
        "spelled in two ways", "warning"),
    "a running total": (running(), "measure that is no score", "warning"),
    "numbers of sessions": (SESSION, "measure that is no score", "warning"),
    "real scores": (fractions(), "measure that is no score", None),
    "1 to 5 again and again": (
        by_one(lambda n, _: n % 5 + 1), "judge with a pattern of scores", "severe"),
    "agreeing judges": (marks(), "judge with a pattern of scores", None),
    "a slider that stays": (of_slider(2), "judge with a usual score", "warning"),
    "sliders that move": (of_slider(0), "judge with a usual score", None),
    "all say the same": (agreed(), "judges with identical scores", "warning"),
    "some say the same": (marks(low=1, high=7), "judges with identical scores", None),
    "from 0 to 4": (by_one(lambda _, v: v - 1), "judges on different scales", "severe"),
    "never the highest": (by_one(lambda _, v: min(v, 4)), "judges on different scales", None),
    "random throughout": (random_judge(1.0), "judge who agrees with nobody", "warning"),
    "noisy throughout": (
        marks(measures=("coherence", "fluency", "relevance"), noise=1.0, topics=25),
        "judge who agrees with nobody", None),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_scores(name, tmp_path):
    rows, kind, severity = CASES[name]
    assert severities(table(tmp_path / "scores.csv", rows)).get(kind) == severity


@pytest.mark.parametrize(
    ("name", "severity"), [("doc{:02}", "severe"), ("x{:02}.other", "note"), ("T{:02}", None)]
)
def test_sources_of_different_topics(name, severity, tmp_path):
    start = 100 * (severity == "note")
    other = fractions(names=("meteor",), of=lambda n: name.format(n + start))
    sources = table(tmp_path / "a.csv", fractions()), table(tmp_path / "b.csv", other)
    assert severities(sources).get("sources of different topics") == severity


def choices(pairs, *, topics=40):
    """Make choices, the better system of which is first in the alphabet, with some errors."""
    rng, rows = np.random.default_rng(3), []
    for topic in range(topics):
        for a, b in pairs:
            names = {"topic": f"T{topic}", "assessor": f"ann{topic % 3}"}
            rows.append(names | {"system_a": a, "system_b": b, "choice": "AB"[rng.random() < 0.3]})
    return rows


def turned(rows, consistent=1.0):
    """Exchange the sides."""
    rng, other = np.random.default_rng(3), {"A": "B", "B": "A"}
    return [
        row | {"system_a": row["system_b"], "system_b": row["system_a"],
               "choice": other[row["choice"]] if rng.random() < consistent else row["choice"]}
        for row in rows
    ]  # fmt: skip


CHAIN = [("alpha", "beta"), ("beta", "gamma"), ("gamma", "delta")]
ALL = choices(CHAIN)


@pytest.mark.parametrize(
    ("rows", "kind", "severity"),
    [
        (ALL + ALL[:10], "choices listed twice", "warning"),
        (ALL + turned(ALL), "choices listed twice", "warning"),
        (ALL + turned(ALL[:60]), "choices listed twice", "note"),
        (ALL + turned(ALL, 0.9), "choices listed twice", None),
        (ALL, "choices listed twice", None),
        (choices(CHAIN[::2]), "systems never compared", "severe"),
        (ALL, "systems never compared", None),
    ],
)
def test_choices(rows, kind, severity, tmp_path):
    assert severities(table(tmp_path / "choices.csv", rows)).get(kind) == severity


NOUNS = ["river", "bridge", "council", "mayor", "storm", "harbor", "museum", "train", "garden"]
FRAME = "The {} of the {} was on the {} in the {} and it is with the {} that a {} was for {}."


def texts(change=lambda _topic, _system, text: text, *, systems=SYSTEMS, topics=20):
    """Make summaries, and two references of each topic."""
    rng, records = np.random.default_rng(6), []

    def text(topic):
        nouns = [f"{noun}{topic}" for noun in rng.choice(NOUNS, 7, replace=False)]
        return " ".join(FRAME.format(*rng.permutation(nouns)) for _ in range(2))

    for topic in range(topics):
        written = [change(topic, f"R{n}", text(topic)) for n in range(2)]
        records += [
            {"topic": f"T{topic}", "system": system, "peer": change(topic, system, text(topic)),
             "references": written}
            for system in systems
        ]  # fmt: skip
    return records


def stripped(_, system, text):
    """Leave out what a list of stop words has."""
    words = [word for word in text.split() if len(word) > 4 or word[0].isdigit()]
    return " ".join(words) if system == "beta" else text


def cut(_, system, text):
    return text[:90] if system.startswith("R") else text


def versions(name):
    """Let a system have nearly the summaries of the first one."""
    records = texts(systems=("alpha-1", name, "gamma"))
    first = {row["topic"]: row["peer"] for row in records if row["system"] == "alpha-1"}
    return [
        row | {"peer": f"{first[row['topic']][:-1]} now."} if row["system"] == name else row
        for row in records
    ]


@pytest.mark.parametrize(
    ("records", "kind", "severity"),
    [
        (texts(stripped), "words missing", "severe"),
        (texts(), "words missing", None),
        (texts(cut), "truncated texts", "severe"),
        (texts(), "truncated texts", None),
        (versions("alpha-2"), "nearly identical systems", "note"),
        (versions("beta"), "nearly identical systems", "warning"),
    ],
)
def test_texts(records, kind, severity, tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert severities(path).get(kind) == severity


@pytest.mark.parametrize("number", [1, 2])
def test_references_listed_twice(number, tmp_path):
    """Scores of a stream count each reference, while `check` reads equal ones once."""
    records = [row | {"references": row["references"][:1] * number} for row in texts()]
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score(path, metrics=["rouge-1"])
    message = "20 of 20 topics have the same reference twice"
    assert any(message in str(warning.message) for warning in caught) == (number == 2)


def test_a_large_stream_is_checked_on_a_sample_of_each_system(tmp_path):
    """Lengths, ends and styles of whole systems show in a sample of more than 400 texts."""

    def changes(_, system, text):
        if system == "alpha":
            return f"{text} Copyright by the news agency."
        if system == "beta":
            return f'"{text}"'
        return text

    records = texts(changes, topics=450, systems=("alpha", "beta"))
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    subjects = {(finding.kind, finding.subject) for finding in check(path).values}
    assert ("same ending", "system alpha") in subjects
    assert ("quotation marks around", "system beta") in subjects


# Damaged cells and names


def refused(path):
    with pytest.raises(InputError) as refusal:
        check(path)
    return str(refusal.value)


def with_cells(tmp_path, column, change, rows=None):
    rows = rows or marks()
    cells = [change(number, row[column]) for number, row in enumerate(rows)]
    changed = [row | {column: cell} for row, cell in zip(rows, cells, strict=True)]
    return table(tmp_path / "marks.csv", changed)


@pytest.mark.parametrize(
    ("column", "change", "cause"),
    [
        ("coherence", lambda n, value: "EDCBA"[value - 1], "numbers instead of letters"),
        ("coherence", lambda n, value: f"{20 * value}%" if n % 9 else value / 5, "without '%'"),
        ("coherence", lambda n, value: f"0{value}-May", "made dates of scores"),
        ("coherence", lambda n, value: "coherence" if n == 50 else value, "columns are repeated"),
        ("coherence", lambda n, value: f"1,{200 + 37 * n % 700}", "commas between thousands"),
        ("assessor", lambda n, name: "" if n % 3 else name, "rows name no assessor"),
        ("topic", lambda n, name: f"1.2345{n // 24}E+18", "rounded number in scientific"),
    ],
)
def test_refusals_name_the_cause(tmp_path, column, change, cause):
    assert cause in refused(with_cells(tmp_path, column, change))


def test_marks_of_a_merge_conflict_are_named(tmp_path):
    path = table(tmp_path / "marks.csv", marks())
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[9:9] = ["<<<<<<< HEAD"]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert "merge conflict" in refused(path)


def test_a_column_of_fractions_does_not_name_judges(tmp_path):
    rows = [row | {"judge": row["bert"]} for row in fractions()]
    result = check(table(tmp_path / "scores.csv", rows))
    assert "system with one judge" not in {finding.kind for finding in result.values}


@pytest.mark.parametrize(
    ("column", "rename"),
    [
        ("system", lambda n, name: f"{name}\u200b" if name == "beta" and n % 2 else name),
        ("topic", lambda n, name: f"news_{name}" if n % 4 == 1 else f"news-{name}"),
    ],
)
def test_spellings_that_look_alike_are_named(tmp_path, column, rename):
    rows = fractions()
    path = with_cells(tmp_path, column, lambda n, name: rename(n + n // 4, name), rows)
    assert severities(path)["spelled in two ways"] == "warning"


# Columns and systems that a spreadsheet or a script changed


def scored(change):
    """Make scores, each changed from its number and its row."""
    rows = fractions()
    return [row | {"rouge": change(number, row)} for number, row in enumerate(rows)]


def by_system(change):
    """Make scores, those of each system changed together."""
    rows = fractions()
    for system in SYSTEMS:
        own = [row for row in rows if row["system"] == system]
        for row, value in zip(own, change([row["rouge"] for row in own]), strict=True):
            row["rouge"] = value
    return rows


def sorted_column():
    values = sorted((row["rouge"] for row in fractions()), reverse=True)
    return scored(lambda number, row: values[number])


def shuffled_column():
    values = np.random.default_rng(8).permutation([row["rouge"] for row in fractions()]).tolist()
    return [
        row | {"rouge": values[n], "f": row["bert"] + 0.01} for n, row in enumerate(fractions())
    ]


def copied_block():
    rows = fractions()
    for alpha, beta in zip(rows[40:100:4], rows[41:100:4], strict=True):
        beta |= {"rouge": alpha["rouge"], "bert": alpha["bert"]}
    return rows


def wide(change):
    rows = fractions()
    topics = (rows[start : start + 4] for start in range(0, len(rows), 4))
    return [
        {"topic": four[0]["topic"]} | change({row["system"]: row["rouge"] for row in four})
        for four in topics
    ]


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("measure with sorted scores", sorted_column()),
        (
            "series instead of scores",
            scored(lambda n, row: 0.3 + n / 100 if 40 <= n < 60 else row["rouge"]),
        ),
        (
            "score far from all others",
            scored(lambda n, row: 1000 * row["rouge"] if n % 11 == 5 else row["rouge"]),
        ),
        (
            "scores normalized by system",
            by_system(lambda own: [(value - min(own)) / np.ptp(own) for value in own]),
        ),
        (
            "scores normalized by system",
            by_system(lambda own: [(value - np.mean(own)) / np.std(own) for value in own]),
        ),
        ("measure that is noise", shuffled_column()),
        ("block of copied scores", copied_block()),
        (
            "system computed from others",
            wide(lambda scores: scores | {"change": scores["beta"] - scores["alpha"]}),
        ),
        (
            "system computed from others",
            wide(lambda s: {"x": s["alpha"], "y": s["beta"], "z": s["beta"] - s["alpha"]}),
        ),
        (
            "measures with identical scores",
            scored(lambda n, row: round(100 * row["bert"], 2)),
        ),
        (
            "measure with a reversed scale",
            [
                row | {"fluency": 6 - row["fluency"]}
                for row in marks(measures=("coherence", "fluency", "relevance"))
            ],
        ),
        (
            "topic on another scale",
            [
                row | {"coherence": row["coherence"] * (3 if row["topic"] < "T08" else 1)}
                for row in marks(judges=1, low=2)
            ],
        ),
    ],
)  # fmt: skip
def test_changed_scores_are_named(tmp_path, kind, rows):
    assert kind in severities(table(tmp_path / "scores.csv", rows))


@pytest.mark.parametrize(
    "rows",
    [
        fractions(),
        sorted(fractions(), key=lambda row: row["rouge"]),  # a ranking, with its names
        wide(dict),
        marks(measures=("coherence", "fluency", "relevance")),
        scored(lambda n, row: 100 * row["rouge"]),
    ],
)
def test_sound_scores_are_not_doubted(tmp_path, rows):
    assert "warning" not in (found := severities(table(tmp_path / "scores.csv", rows)).values())
    assert "severe" not in found


def test_a_few_marks_may_be_in_the_order_of_the_systems(tmp_path):
    rows = [row | {"rouge": int(row["system"] != "delta")} for row in fractions()]
    rows.sort(key=lambda row: row["rouge"], reverse=True)
    assert "measure with sorted scores" not in severities(table(tmp_path / "marks.csv", rows))


# Texts of another column, topic or form


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("label before the text", lambda n, name, text: f"{n}\tOutput:\t{text}"),
        ("unknown words", lambda n, name, text: f"@entity3 said {text}"),
        ("questions", lambda n, name, text: f"What is said about {text.split()[0]}?"),
    ],
)
def test_changed_texts_are_named(tmp_path, kind, changes):
    def changed(number, system, text):
        return changes(number, system, text) if system == "alpha" else text

    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in texts(changed)))
    assert kind in severities(path)


def test_copies_may_differ_in_punctuation(tmp_path):
    records = {(row["topic"], row["system"]): row for row in texts()}
    for (topic, system), row in records.items():
        if system == "beta":
            row["peer"] = records[topic, "alpha"]["peer"].replace(".", " .")
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in records.values()))
    assert "nearly identical systems" in severities(path)


def test_exchanged_columns_are_named(tmp_path):
    rows = [
        {"topic": row["topic"], "system": row["system"], "summary": row["references"][0],
         "reference": row["peer"]}
        for row in texts()
    ]  # fmt: skip
    result = check(table(tmp_path / "texts.csv", rows))
    found = {finding.kind: finding.message for finding in result.values}
    assert "were the two columns exchanged" in found["differing references"]


def test_plain_texts_are_doubted_like_others(tmp_path):
    rows = [row for row in texts() if row["system"] == "alpha"]
    peers = [row["peer"].replace("\n", " ") for row in rows]
    references = [row["references"][0].replace("\n", " ") for row in rows]
    for name, lines in (("out.txt", peers[1:] + peers[:1]), ("gold.txt", references)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    with pytest.warns(DataWarning, match="rows shifted by one"):
        score(tmp_path / "out.txt", references=str(tmp_path / "gold.txt"), metrics=["rouge-1"])


# Choices


def judged_choices(change=lambda number, row: row, judges=8):
    """Make choices between three systems, the last of which is mostly the best."""
    rng, rows = np.random.default_rng(3), []
    for topic in range(20):
        for judge in range(judges):
            for first, second in ((0, 1), (2, 1), (0, 2)):
                better = "A" if first + rng.normal() > second + rng.normal() else "B"
                row = {"topic": f"T{topic}", "assessor": f"ann{judge}", "choice": better}
                row |= {"system_a": SYSTEMS[first], "system_b": SYSTEMS[second]}
                rows.append(change(len(rows), row))
    return rows


def exchanged(number, row):
    sides = {"system_a": row["system_b"], "system_b": row["system_a"]}
    return row | (sides if number < 240 else {})


def test_choices_that_are_called_labels_need_their_meaning(tmp_path):
    rows = [row | {"label": int(row.pop("choice") == "B")} for row in judged_choices()]
    assert "--choices" in refused(table(tmp_path / "choices.csv", rows))


def test_sound_choices_are_not_doubted(tmp_path):
    assert not severities(table(tmp_path / "choices.csv", judged_choices()))


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("choices that turn around", judged_choices(exchanged)),
        (
            "most choices by one assessor",
            [
                row
                for n, row in enumerate(judged_choices())
                if row["assessor"] == "ann1" or n % 11 == 0
            ],
        ),
    ],
)
def test_changed_choices_are_named(tmp_path, kind, rows):
    assert kind in severities(table(tmp_path / "choices.csv", rows))


def test_choices_are_compared_with_the_mean_of_the_others(tmp_path):
    """However many the others are: two in half of the topics, five in the rest."""
    rows = [
        {"topic": f"T{n}", "assessor": f"ann{judge}", "system_a": "x", "system_b": "y",
         "choice": "AB"[(n // 2 + (judge == 0)) % 2]}
        for n in range(40) for judge in range(3 + 3 * (n % 2))
    ]  # fmt: skip
    found = {f.kind: f for f in check(table(tmp_path / "choices.csv", rows)).values}
    assert "(correlation -1.00 on 40 choices)" in found["reversed assessor"].message


def test_a_pattern_of_choices_is_named(tmp_path):
    rows, seen = judged_choices(), 0
    for row in rows:
        if row["assessor"] == "ann1":
            row["choice"], seen = "AB"[seen % 2], seen + 1
    found = severities(table(tmp_path / "choices.csv", rows))
    assert found.keys() & {"assessor with a pattern of choices", "assessor who agrees with nobody"}


# Marks on two scales, and sources that do not fit


def test_a_default_in_the_middle_of_the_scale_is_named(tmp_path):
    rows = by_one(lambda number, value: 2 if number % 6 else value, low=1, high=6)
    assert "judge with a usual score" in severities(table(tmp_path / "marks.csv", rows))


def test_marks_from_0_on_later_topics_are_named(tmp_path):
    rows = marks(noise=1.5)
    for row in rows:
        row["coherence"] -= row["topic"] >= "T20"
    assert "topics on two scales" in severities(table(tmp_path / "marks.csv", rows))
    assert "topics on two scales" not in severities(table(tmp_path / "low.csv", marks(low=0)))


@pytest.mark.parametrize(
    ("kind", "column", "rename"),
    [
        ("topics numbered differently", "topic", lambda name: str(int(name) + 1)),
        ("sources of different systems", "system", lambda name: f"model_{name}"),
        ("sources of different topics", "topic", lambda name: f"news{name}"),
    ],
)
def test_sources_that_do_not_fit_are_named(tmp_path, kind, column, rename):
    rows = fractions(of=str)
    parts = [
        [{key: row[key] for key in ("topic", "system", measure)} for row in rows]
        for measure in ("rouge", "bert")
    ]
    for row in parts[1]:
        row[column] = rename(row[column])
    paths = [table(tmp_path / f"{n}.csv", part) for n, part in enumerate(parts)]
    assert severities(paths)[kind] == "severe"
