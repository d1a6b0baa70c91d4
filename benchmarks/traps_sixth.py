"""A sixth battery: sets and tables that no earlier one used, written before reading any check.

Run by ``make bench AREA=traps``. First run, before the checks were read: **74 of 110 caught, alarms
in 4 of 22 controls**; six of the 74 by a word of another cause, so **68** by a strict reader. Then
mistakes of the battery itself were corrected (77 of 109, alarms in 1 of 22 with the same checks):
patterns too wide or too narrow, rows that were equal by accident, a reader who judged a pair twice,
a no-break space, which is read as a space, texts that are in lower case anyway, a divergence that
is negated although its name does not say so, a side that real pairs do not vary either. A table
with an index column is read correctly since, so it is sound data now.
"""

import html
import json
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import traps
from trap_battery import DATA, Row, control, records, trap, write_csv, write_jsonl

traps.TRAPS.clear()

LOGS = DATA / "eval_logs"
ENGINES = [
    "atlas",
    "borealis",
    "cobalt",
    "dorado",
    "ember",
    "falcon",
    "gallium",
    "helix",
    "indigo",
    "juniper",
    "krypton",
    "lumen",
    "mica",
    "nimbus",
    "onyx",
    "prism",
]


def grid(systems: int = 10, topics: int = 50) -> list[Row]:
    """SummEval's crowd means on a scale of 0 to 10 with two decimals."""
    rows = records("summeval", systems=systems, topics=topics)
    names = list(dict.fromkeys(row["system"] for row in rows))
    numbers = {topic: at for at, topic in enumerate(dict.fromkeys(row["topic"] for row in rows))}
    return [
        {
            "doc_id": f"wire{numbers[row['topic']]:04d}",
            "summarizer": ENGINES[names.index(row["system"])],
            **{
                name: round((row["scores"][f"turker_{name}"] - 1) * 2.5, 2)
                for name in ("fluency", "coherence", "relevance")
            },
        }
        for row in rows
    ]


def stories(people: Sequence[str] = ()) -> list[Row]:
    """SQuALITY's reviews, from 0 to 100, one row per review."""
    rows = []
    for row in records("squality"):
        for person in dict.fromkeys(mark["assessor"] for mark in row["assessor_scores"]):
            if people and person not in people:
                continue
            marks = {
                mark["name"]: mark["value"]
                for mark in row["assessor_scores"]
                if mark["assessor"] == person
            }
            rows.append(
                {"question": row["topic"], "model": row["system"], "reader": person, **marks}
            )
    return rows


def panel(systems: int = 7, topics: int = 24, judges: int = 5, per: int = 3) -> list[Row]:
    """Make up marks from 1 to 7; each summary has some of the judges, balanced."""
    rng = random.Random(systems * 1000 + topics)
    quality = [rng.gauss(4, 0.8) for _ in range(systems)]
    people = ["Imani", "Jonas", "Keiko", "Lars", "Mirela", "Noor", "Otis", "Priya"][:judges]
    severity = {person: rng.gauss(0, 0.3) for person in people}
    rows = []
    for topic in range(topics):
        level = rng.gauss(0, 0.5)
        for system in range(systems):
            summary = quality[system] + level + rng.gauss(0, 0.6)
            for at in range(per):
                person = people[(topic + system + at) % judges]
                mark = summary + severity[person] + rng.gauss(0, 0.4)
                other = 0.7 * mark + rng.gauss(1.2, 0.6)
                rows.append(
                    {
                        "story": f"k{topic:02d}",
                        "bot": ENGINES[system],
                        "rater": person,
                        "clarity": min(7, max(1, round(mark))),
                        "accuracy": min(7, max(1, round(other))),
                    }
                )
    return rows


def passed(systems: int = 5, topics: int = 150) -> list[Row]:
    """Make up right and wrong answers."""
    rng = random.Random(9)
    rates = [0.55 + 0.05 * at for at in range(systems)]
    hard = [rng.gauss(0, 0.15) for _ in range(topics)]
    return [
        {"case": f"case-{t}", "agent": ENGINES[s], "solved": int(rng.random() < rates[s] + hard[t])}
        for t in range(topics)
        for s in range(systems)
    ]


def measured(systems: int = 14, topics: int = 60) -> list[Row]:
    """REALSumm's human recall and four published metrics, in columns."""
    everything = records("realsumm", systems=systems + 1, topics=topics)
    rows = [row for row in everything if "auto_js-2" in row["scores"]]
    names = list(dict.fromkeys(row["system"] for row in rows))
    table = []
    for row in rows:
        values = {
            key: value
            for key, value in row["scores"].items()
            if key.startswith("auto_") and "js" not in key
        }
        table.append(
            {
                "article": row["topic"],
                "model": ENGINES[names.index(row["system"])],
                "human_recall": row["scores"]["human_litepyramid_recall"],
                **{key.removeprefix("auto_"): round(values[key], 4) for key in sorted(values)[:14]},
            }
        )
    return table


def texts(systems: int = 6, topics: int = 40, name: str = "realsumm") -> list[Row]:
    """Summaries with their references, one per line of a stream."""
    rows = records(name, systems=systems, topics=topics)
    names = list(dict.fromkeys(row["system"] for row in rows))
    return [
        {
            "topic": row["topic"],
            "system": ENGINES[names.index(row["system"])],
            "peer": row["summary"],
            "references": list(row["references"]),
        }
        for row in rows
    ]


def pairs() -> list[Row]:
    """SQuALITY's pairs about the question `overall`, with columns of another name."""
    chosen = {
        (row["topic"], row["assessor"], *sorted((row["system_a"], row["system_b"]))): row
        for row in records("squality_pairwise")
        if row["name"] == "overall"
    }
    return [
        {
            "prompt": row["topic"],
            "annotator": row["assessor"],
            "model_a": row["system_a"],
            "model_b": row["system_b"],
            "winner": {"A": "model_a", "B": "model_b"}.get(row["choice"], "tie"),
        }
        for row in chosen.values()
    ]


def answers(systems: int = 6, topics: int = 25) -> list[Row]:
    """REALSumm's content units, answered by one person each."""
    rows = records("realsumm", systems=systems, topics=topics)
    names = list(dict.fromkeys(row["system"] for row in rows))
    return [
        {
            "topic": row["topic"],
            "system": ENGINES[names.index(row["system"])],
            "assessor": person,
            "unit": f"u{at}",
            "answer": "yes" if label else "no",
        }
        for row in rows
        for person in ("Tess", "Umar")
        for at, label in enumerate(row["scu_labels"])
    ]


def of(rows: Sequence[Row], **values: str) -> list[Row]:
    return [row for row in rows if all(row[key] == value for key, value in values.items())]


def put(rows: Sequence[Row], column: str, change: Callable[[Any], Any], **where: str) -> None:
    """Change the cells of a column, everywhere or in some rows."""
    for row in of(rows, **where):
        row[column] = change(row[column])


def csv_of(folder: Path, rows: Sequence[Row], command: str = "compare", **options: Any) -> list:
    return [command, write_csv(folder / "export.csv", rows, **options)]


def stream(folder: Path, rows: Sequence[Row], command: str = "score") -> list[Any]:
    path = write_jsonl(folder / "outputs.jsonl", rows)
    return [command, path] + (["-m", "rouge-1,rouge-2"] if command == "score" else [])


def meta(folder: Path, rows: Sequence[Row]) -> list[Any]:
    return [*csv_of(folder, rows, "meta"), "--human", "human_recall"]


def spoil(folder: Path, change: Callable[[str, int], str], every: int = 1, **options: Any) -> list:
    """Change the texts of the system `cobalt`."""
    rows = texts(**options)
    for at, row in enumerate(of(rows, system="cobalt")):
        if at % every == 0:
            row["peer"] = change(row["peer"], at)
    return stream(folder, rows)


def lines_of(rows: Sequence[Row]) -> list[str]:
    columns = list(rows[0])
    return [",".join(columns), *(",".join(str(row[c]) for c in columns) for row in rows)]


def raw(folder: Path, lines: Sequence[str], command: str = "compare", **options: Any) -> list[Any]:
    path = folder / "export.csv"
    path.write_text("\n".join(lines) + "\n", **{"encoding": "utf-8", "newline": "", **options})
    return [command, path]


# Scores and columns ------------------------------------------------------------------------------


@trap("relevance|helix", "comma")
def decimal_commas_of_one_system(folder):
    rows = grid()
    put(rows, "relevance", lambda x: str(x).replace(".", ","), summarizer="helix")
    return csv_of(folder, rows)


@trap("tokens", "comma|thousand|not (?:read|a number)")
def thousands_separators_in_some_cells(folder):
    rng = random.Random(1)
    rows = [row | {"tokens": f"{rng.randint(700, 1900):,}"} for row in grid(6, 30)]
    return [*csv_of(folder, rows), "-m", "tokens"]


@trap("falcon", "scale|10 times|range|larger|outside|unit")
def ten_times_for_one_system(folder):
    rows = grid()
    put(rows, "fluency", lambda x: round(x * 10, 1), summarizer="falcon")
    return csv_of(folder, rows)


@trap("ember", "z-score|standard|normali[sz]ed|scale|negative|outside|range")
def z_scores_for_one_system(folder):
    rows = grid()
    put(rows, "coherence", lambda x: round((x - 7) / 1.3, 2), summarizer="ember")
    return csv_of(folder, rows)


@trap("wire00|coherence", "two scores|twice|repeat|duplicate|several|more than once")
def two_exports_one_rounded(folder):
    rows = grid(6, 30)
    rounded = [
        row | {m: round(row[m]) for m in ("fluency", "coherence", "relevance")} for row in rows
    ]
    return csv_of(folder, rows + rounded)


@trap("relevance", "scale|percent|10 times|100 times|half|topics|range")
def second_half_of_topics_from_another_run_in_percent(folder):
    rows = grid()
    for row in rows[len(rows) // 2 :]:
        row["relevance"] = round(row["relevance"] * 10, 1)
    return csv_of(folder, rows)


@trap("dorado-final", "same|identical|equal|duplicate|cop")
def a_system_under_a_new_name(folder):
    rows = grid()
    rows += [row | {"summarizer": "dorado-final"} for row in of(rows, summarizer="dorado")]
    return csv_of(folder, rows)


@trap("Gallium|gallium", "case|spell|alike|similar|same name|differ only")
def a_name_in_two_cases(folder):
    rows = grid()
    for row in of(rows, summarizer="gallium")[25:]:
        row["summarizer"] = "Gallium"
    return csv_of(folder, rows)


@trap("solved|cobalt", "true|false|boolean|text|yes")
def booleans_as_text_for_one_agent(folder):
    rows = passed()
    put(rows, "solved", lambda x: str(bool(x)).upper(), agent="cobalt")
    return csv_of(folder, rows)


@trap("useful", "agree|text|words|not (?:read|a number|numbers)")
def likert_words(folder):
    rng = random.Random(2)
    words = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")
    rows = [row | {"useful": rng.choice(words)} for row in grid(5, 20)]
    return [*csv_of(folder, rows), "-m", "useful"]


@trap("clarity", "date|Mar|spreadsheet")
def marks_turned_into_dates(folder):
    rows = panel()
    for row in rows[::11]:
        row["clarity"] = f"0{row['clarity']}-Mar"
    return csv_of(folder, rows)


@trap("latency", "unit|ms|text|not (?:read|a number|numbers)")
def seconds_and_milliseconds_with_units(folder):
    rng = random.Random(3)
    rows = [
        row
        | {"latency": f"{rng.uniform(0.4, 3):.2f}s" if at % 2 else f"{rng.randint(400, 2900)}ms"}
        for at, row in enumerate(grid(5, 20))
    ]
    return [*csv_of(folder, rows), "-m", "latency"]


@trap("seconds|ember|falcon", "scale|unit|far|times|1000")
def milliseconds_for_two_of_six_systems(folder):
    rng = random.Random(4)
    rows = [
        {
            "item": f"i{t}",
            "system": ENGINES[s],
            "seconds": round(rng.lognormvariate(0.5 + s / 9, 0.3) * (1000 if s > 3 else 1), 2),
        }
        for t in range(40)
        for s in range(6)
    ]
    return csv_of(folder, rows)


@trap("edit_minutes", "lower|direction|higher")
def editing_minutes_as_a_score(folder):
    rng = random.Random(5)
    rows = [row | {"edit_minutes": round(rng.uniform(1, 9), 1)} for row in grid(6, 30)]
    return [*csv_of(folder, rows), "-m", "edit_minutes"]


@trap("line 91", "header|names of columns")
def header_again_in_the_middle(folder):
    lines = lines_of(grid(6, 30))
    return raw(folder, [*lines[:90], lines[0], *lines[90:]])


@trap(
    "Rows exported|last|line \\d+",
    "footer|total|cut off|last",
)
def footer_of_an_export(folder):
    return raw(folder, [*lines_of(grid(6, 30)), "Rows exported: 180,,,,"])


@trap("line 1|above", "comment|above")
def comments_above_the_header(folder):
    return raw(
        folder, ["# exported by annotation tool 2.1", "# 2026-11-02", *lines_of(grid(6, 30))]
    )


@trap("cobalt", "quot|alike|spell|similar|differ only|same name")
def names_with_quotation_marks_in_one_file(folder):
    rows = grid(6, 30)
    for row in of(rows, summarizer="cobalt")[:12]:
        row["summarizer"] = "'cobalt'"
    return csv_of(folder, rows)


@trap("modÃ¨le|modèle", "encod|mojibake|character|alike|spell|UTF|decod")
def a_system_name_garbled_in_one_of_two_files(folder):
    rows = grid(6, 40)
    for row in of(rows, summarizer="cobalt"):
        row["summarizer"] = "modèle-b"
    for row in of(rows, summarizer="modèle-b")[:20]:
        row["summarizer"] = "modÃ¨le-b"
    return csv_of(folder, rows)


@trap("doc_id|summarizer|wire", "swap|exchange|topics?.*system|system.*topic|more systems")
def systems_and_topics_swapped(folder):
    rows = [
        {"doc_id": r["summarizer"], "summarizer": r["doc_id"], "fluency": r["fluency"]}
        for r in grid(6, 60)
    ]
    return csv_of(folder, rows)


@trap("coherence|relevance", "same|identical|equal|cop")
def one_measure_pasted_over_another(folder):
    rows = grid()
    for row in rows:
        row["relevance"] = row["coherence"]
    return csv_of(folder, rows)


@trap("indigo", "zero|0|missing|placeholder")
def zeros_for_failed_runs_of_one_system(folder):
    rows = grid()
    for row in of(rows, summarizer="indigo")[::3]:
        row.update(fluency=0, coherence=0, relevance=0)
    return csv_of(folder, rows)


@trap("borealis", "miss|lack|without|topics|common")
def a_system_without_its_hardest_topics(folder):
    rows = grid()
    hard = sorted(of(rows, summarizer="borealis"), key=lambda row: row["relevance"])[:18]
    return csv_of(folder, [row for row in rows if not any(row is other for other in hard)])


@trap("lead|zero|00|topic|id", "zeros?|common|no topic|differ|join|match")
def leading_zeros_lost_in_one_of_two_files(folder):
    rows = grid(6, 40)
    for row in rows:
        row["doc_id"] = row["doc_id"][4:]
    half = [row for row in rows if row["summarizer"] in ENGINES[:3]]
    other = [row | {"doc_id": str(int(row["doc_id"]))} for row in rows if row not in half]
    return ["compare", write_csv(folder / "a.csv", half), write_csv(folder / "b.csv", other)]


@trap("doc_id|topic|7.0|\\.0", "decimal|float|\\.0|differ|common|join|match|number")
def ids_turned_into_floats_in_one_of_two_files(folder):
    rows = grid(6, 40)
    for row in rows:
        row["doc_id"] = str(int(row["doc_id"][4:]))
    half = [row for row in rows if row["summarizer"] in ENGINES[:3]]
    other = [row | {"doc_id": f"{row['doc_id']}.0"} for row in rows if row not in half]
    return ["compare", write_csv(folder / "a.csv", half), write_csv(folder / "b.csv", other)]


@trap("clarity", "99|88|missing|placeholder|scale|far|outside")
def two_codes_for_no_answer(folder):
    rows = panel()
    for at, row in enumerate(rows):
        if at % 17 == 3:
            row["clarity"] = 99 if at % 2 else 88
    return csv_of(folder, rows)


@trap("place", "lower")
def places_in_a_contest(folder):
    rows = []
    for topic in range(30):
        order = ENGINES[:6]
        random.Random(topic).shuffle(order := list(order))
        rows += [{"topic": f"r{topic}", "system": s, "place": at + 1} for at, s in enumerate(order)]
    return csv_of(folder, rows)


@trap("line \\d+|last|row", "cut|truncat|incomplete|field|column|missing|unterminated|end of")
def a_download_that_broke_off(folder):
    text = "\n".join(lines_of(grid(6, 40)))
    path = folder / "export.csv"
    path.write_text(text[: len(text) * 3 // 4 - 4], encoding="utf-8")
    return ["compare", path]


@trap("export", "web page")
def a_login_page_saved_as_csv(folder):
    return raw(
        folder,
        [
            "<!DOCTYPE html>",
            "<html><head><title>Sign in</title></head>",
            "<body><form></form></body></html>",
        ],
    )


@trap("export", "pointer")
def a_pointer_of_git_lfs(folder):
    return raw(
        folder,
        [
            "version https://git-lfs.github.com/spec/v1",
            "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393",
            "size 12345",
        ],
    )


@trap("fluency", "#DIV/0!|spreadsheet|error")
def division_errors_of_a_spreadsheet(folder):
    rows = grid()
    for row in rows[::23]:
        row["fluency"] = "#DIV/0!"
    return csv_of(folder, rows)


@trap("relevance", "formula|=AVERAGE|text|not (?:read|a number|numbers)")
def formulas_instead_of_values(folder):
    rows = grid()
    for at, row in enumerate(rows[::23]):
        row["relevance"] = f"=AVERAGE(D{at + 2}:F{at + 2})"
    return csv_of(folder, rows)


@trap("solve_rate", "percent|%|scale|100")
def percent_signs_in_some_cells(folder):
    rng = random.Random(6)
    rows = []
    for at, row in enumerate(grid(6, 30)):
        share = rng.uniform(0.2, 0.9)
        rows.append(row | {"solve_rate": f"{share * 100:.0f}%" if at % 5 == 0 else f"{share:.2f}"})
    return [*csv_of(folder, rows), "-m", "solve_rate"]


@trap("atlas", "round|decimal|whole|digits")
def one_system_rounded(folder):
    rows = grid()
    for name in ("fluency", "coherence", "relevance"):
        put(rows, name, round, summarizer="atlas")
    return csv_of(folder, rows)


@trap("created_at|timestamp", "time|date|no score")
def time_stamps_as_a_measure(folder):
    rows = [row | {"created_at": 1763500000 + 37 * at} for at, row in enumerate(grid(6, 30))]
    return [*csv_of(folder, rows), "-m", "created_at"]


@trap("solved", "11|outside|scale|far|only|range")
def a_typing_error_in_a_binary_score(folder):
    rows = passed()
    rows[77]["solved"] = 11
    return csv_of(folder, rows)


@trap("atlas|borealis|cobalt", "scale|start|lowest|1 to 5|0 to 4|never|range")
def half_of_the_systems_marked_from_zero(folder):
    rng = random.Random(8)
    rows = []
    for topic in range(60):
        for at in range(6):
            mark = min(5, max(1, round(rng.gauss(3, 1.2))))
            rows.append({"topic": f"t{topic}", "system": ENGINES[at], "appeal": mark - (at < 3)})
    return csv_of(folder, rows)


@trap("OVERALL|Overall|overall", "total|average|summary|mean")
def a_line_of_means_per_system(folder):
    rows = grid()
    for system in dict.fromkeys(row["summarizer"] for row in rows):
        mine = of(rows, summarizer=system)
        rows.append(
            {"doc_id": "overall", "summarizer": system}
            | {
                m: round(sum(r[m] for r in mine) / len(mine), 2)
                for m in ("fluency", "coherence", "relevance")
            }
        )
    return csv_of(folder, rows)


@trap("juniper", "revers|opposite|negativ|turned")
def a_reversed_scale_of_one_system(folder):
    rows = measured()
    top = max(row["human_recall"] for row in rows)
    put(rows, "human_recall", lambda x: round(top - x, 4), model="juniper")
    return meta(folder, rows)


@trap("onyx|mica|krypton|lumen", "lack|miss|without|empty|only")
def a_system_scored_on_five_topics(folder):
    rows = grid(12, 50)
    kept = [r for r in rows if r["summarizer"] != "krypton" or r["doc_id"] < "wire0005"]
    return csv_of(folder, kept)


@trap("clarity|accuracy", "column|swap|exchange|scale")
def two_columns_swapped_in_the_second_batch(folder):
    rows = [
        row | {"accuracy": row["accuracy"] + 10, "words": 40 + 9 * row["clarity"]}
        for row in panel()
    ]
    for row in rows[len(rows) // 2 :]:
        row["words"], row["clarity"] = row["clarity"], row["words"]
    return csv_of(folder, rows)


# Judges ------------------------------------------------------------------------------------------


@trap("Keiko|Jonas", "same|identical|cop|equal")
def one_rater_copied_another(folder):
    rows = panel(judges=4, per=4)
    for row in of(rows, rater="Keiko"):
        other = of(rows, rater="Jonas", story=row["story"], bot=row["bot"])[0]
        row.update(clarity=other["clarity"], accuracy=other["accuracy"])
    return csv_of(folder, rows, "assessors")


@trap("Lars", "constant|same|always|only")
def one_rater_always_gives_four(folder):
    rows = panel()
    put(rows, "clarity", lambda _: 4, rater="Lars")
    return csv_of(folder, rows)


@trap("Imani", "pattern|series|repeat|increas|order|cycle|run")
def a_column_filled_by_dragging(folder):
    rows = panel()
    for at, row in enumerate(of(rows, rater="Imani")):
        row["clarity"] = 1 + at % 7
    return csv_of(folder, rows)


@trap("Mirela", "revers|negativ|opposite|disagree")
def one_rater_reversed_one_of_two_measures(folder):
    rows = panel()
    put(rows, "accuracy", lambda x: 8 - x, rater="Mirela")
    return csv_of(folder, rows)


@trap("reviewer2", "scale|range|10|lower|times")
def one_reader_on_a_scale_of_ten(folder):
    rows = stories()
    for name in ("correctness", "selection", "overall"):
        put(rows, name, lambda x: round(x / 10), reader="reviewer2")
    return csv_of(folder, rows)


@trap("Noor", "random|agree|correlat|chance|nobody")
def one_rater_at_random(folder):
    rng = random.Random(12)
    rows = panel(judges=6, topics=40, per=4)
    put(rows, "clarity", lambda _: rng.randint(1, 7), rater="Noor")
    return csv_of(folder, rows, "assessors")


@trap("imani|Imani", "case|spell|alike|space|differ only|similar|same name|capital")
def a_rater_with_two_spellings(folder):
    rows = panel()
    for row in of(rows, rater="Imani")[::2]:
        row["rater"] = "imani "
    return csv_of(folder, rows)


@trap("rater|assessor|judge", "confound|own|separate|cannot|each system")
def each_bot_has_its_own_rater(folder):
    rows = panel(systems=5, topics=30, judges=5, per=1)
    names = dict(zip(ENGINES[:5], ("Imani", "Jonas", "Keiko", "Lars", "Mirela"), strict=True))
    for row in rows:
        row["rater"] = names[row["bot"]]
    return csv_of(folder, rows)


@trap("Otis|rater|assessor", "adjust|mix|uneven|share|lenient|more often")
def a_lenient_rater_who_saw_mostly_one_bot(folder):
    rng = random.Random(13)
    rows = []
    for topic in range(50):
        for system in ("atlas", "borealis"):
            likely = 0.8 if system == "atlas" else 0.2
            person = "Otis" if rng.random() < likely else rng.choice(["Noor", "Lars", "Keiko"])
            mark = rng.gauss(4, 0.8) + (1.3 if person == "Otis" else 0)
            rows.append(
                {
                    "story": f"k{topic}",
                    "bot": system,
                    "rater": person,
                    "clarity": min(7, max(1, round(mark))),
                }
            )
    return csv_of(folder, rows)


@trap("average|AVG|consensus", "mean|average|others|total")
def the_average_listed_as_a_rater(folder):
    rows = panel()
    for story, bot in dict.fromkeys((row["story"], row["bot"]) for row in rows):
        mine = of(rows, story=story, bot=bot)
        rows.append(
            {"story": story, "bot": bot, "rater": "consensus"}
            | {m: round(sum(r[m] for r in mine) / len(mine), 2) for m in ("clarity", "accuracy")}
        )
    return csv_of(folder, rows)


@trap(
    "k00|rater|Imani|twice|repeated",
    "twice|repeat|duplicate|contradict|several|more than once|again",
)
def a_batch_judged_twice_with_other_marks(folder):
    rows = panel()
    again = [row | {"clarity": 8 - row["clarity"]} for row in rows[:60]]
    return csv_of(folder, rows + again)


@trap("P1|P2|Imani", "same|identical|cop|equal")
def the_same_judgments_under_anonymous_names(folder):
    rows = panel()
    names = {name: f"P{at}" for at, name in enumerate(dict.fromkeys(r["rater"] for r in rows), 1)}
    other = [row | {"rater": names[row["rater"]]} for row in rows]
    return ["compare", write_csv(folder / "a.csv", rows), write_csv(folder / "b.csv", other)]


@trap("Jonas", "topic|scale|half|from|range|k1|change")
def one_rater_changed_the_scale_half_way(folder):
    rows = panel(topics=40)
    mine = of(rows, rater="Jonas")
    for row in mine[len(mine) // 2 :]:
        row["clarity"] = row["clarity"] * 10
    return csv_of(folder, rows)


@trap("rater|assessor|judge", "one (?:row|judgment|summary)|each|ids|people|many|single")
def hit_ids_read_as_raters(folder):
    rows = [row | {"rater": f"3X{at * 7919:07d}"} for at, row in enumerate(panel())]
    return csv_of(folder, rows, "assessors")


@trap("Priya", "one|only|single|few|system")
def a_rater_who_saw_one_bot_only(folder):
    rows = panel(topics=40)
    for row in of(rows, bot="ember", rater="Jonas"):
        row["rater"] = "Priya"
    return csv_of(folder, rows)


@trap("Keiko", "extreme|only|two values|middle|binary|ends|scale")
def a_rater_who_uses_the_ends_of_the_scale_only(folder):
    rows = panel()
    put(rows, "clarity", lambda x: 1 if x < 4 else 7, rater="Keiko")
    return csv_of(folder, rows, "assessors")


# Texts -------------------------------------------------------------------------------------------


@trap("cobalt", "lower|case|capital")
def one_system_lower_cased_and_tokenized(folder):
    rows = texts(3, 60, "squality")
    for row in of(rows, system="cobalt"):
        row["peer"] = row["peer"].lower().replace(".", " .").replace(",", " ,")
    return stream(folder, rows)


@trap("cobalt", "HTML|entit|escap|markup|&")
def html_escapes(folder):
    return spoil(folder, lambda text, _: html.escape(text.replace("'", '"')) + " &amp; more&nbsp;")


@trap("cobalt", "JSON|brace|\\{|quot|markup")
def answers_left_in_json(folder):
    return spoil(folder, lambda text, _: json.dumps({"summary": text}))


@trap("cobalt", "path|file")
def file_names_instead_of_texts(folder):
    return spoil(folder, lambda _, at: f"outputs/cobalt/{at:05d}.dec.txt")


@trap("cobalt", "other topic|another topic|reference|shift|nearest")
def one_system_joined_one_topic_off(folder):
    rows = texts()
    mine = of(rows, system="cobalt")
    moved = [row["peer"] for row in mine]
    for row, peer in zip(mine, moved[-1:] + moved[:-1], strict=True):
        row["peer"] = peer
    return stream(folder, rows)


@trap("cobalt", "language|german|words|common")
def answers_in_german(folder):
    parts = (
        "Die Regierung hat am Montag neue Regeln für den Verkehr vorgestellt.",
        "Der Sprecher sagte, dass niemand verletzt wurde.",
        "Nach Angaben der Polizei war der Mann nicht bekannt.",
        "Die Mannschaft gewann das Spiel mit drei zu eins.",
        "Viele Menschen haben sich über die Preise beschwert.",
        "Das Gericht wird im Juni über den Fall entscheiden.",
        "Eine Studie zeigt, wie sich das Wetter verändert hat.",
        "Der Konzern will im nächsten Jahr weniger Stellen streichen.",
    )
    rng = random.Random(14)
    return spoil(folder, lambda *_: " ".join(rng.sample(parts, 3)))


@trap("cobalt", "order|revers")
def words_in_reverse_order(folder):
    return spoil(folder, lambda text, _: " ".join(reversed(text.split())))


@trap("cobalt", "repeat|loop|again")
def a_decoder_in_a_loop(folder):
    return spoil(folder, lambda text, _: " ".join(text.split()[:8] * 9), every=2)


@trap("cobalt", "truncat|cut|length|characters")
def texts_cut_at_150_characters(folder):
    return spoil(folder, lambda text, _: text[:150])


@trap("cobalt", "as code|b'|bytes|literal|escape|\\\\")
def python_bytes(folder):
    return spoil(folder, lambda text, _: str(text.encode()))


@trap("cobalt", "%20|URL|percent|encod|escape")
def texts_encoded_for_addresses(folder):
    return spoil(folder, lambda text, _: text.replace(" ", "%20").replace(",", "%2C"))


@trap("cobalt", "think|reason|tag|markup")
def thoughts_of_a_model(folder):
    return spoil(folder, lambda text, _: f"<think>The user wants a short summary.</think>\n{text}")


@trap("cobalt", "prompt|prefix|begin|start|phrase|same words|chat|response|marker")
def the_same_heading_in_every_answer(folder):
    return spoil(folder, lambda text, _: f"### Response:\nSUMMARY OF THE ARTICLE: {text}")


@trap("cobalt", "upper|capital|case")
def one_system_in_capitals(folder):
    return spoil(folder, lambda text, _: text.upper())


@trap("cobalt", "zero-width|invisible|soft hyphen|control|character")
def soft_hyphens(folder):
    return spoil(folder, lambda text, _: " ".join(w[:4] + "\u00ad" + w[4:] for w in text.split()))


@trap("cobalt", "placeholder|TODO|lorem|same text|repeat|identical")
def placeholders_for_some_topics(folder):
    return spoil(folder, lambda *_: "TODO: add summary", every=5)


@trap("cobalt", "error|429|request")
def rate_limits_in_three_topics(folder):
    return spoil(folder, lambda *_: "429 Too Many Requests: please retry after 20s", every=14)


@trap("reference", "other topic|another topic|nearest|shuffl|mix|all systems|every system|order")
def all_references_of_other_topics(folder):
    rows = texts()
    topics = list(dict.fromkeys(row["topic"] for row in rows))
    refs = {row["topic"]: row["references"] for row in rows}
    other = dict(zip(topics, topics[7:] + topics[:7], strict=True))
    for row in rows:
        row["references"] = refs[other[row["topic"]]]
    return stream(folder, rows)


@trap("cobalt|atlas", "cop|same|identical|duplicate")
def a_stale_cache_for_half_of_the_topics(folder):
    rows = texts()
    for row in of(rows, system="cobalt")[:20]:
        row["peer"] = of(rows, system="atlas", topic=row["topic"])[0]["peer"]
    return stream(folder, rows)


@trap("reference|atlas", "same|identical|equal|swap|duplicate")
def outputs_and_references_swapped(folder):
    rows = texts()
    for row in rows:
        row["peer"], row["references"] = row["references"][0], [row["peer"]]
    return stream(folder, rows)


@trap("reference", "same|identical|twice|repeat|duplicate")
def one_reference_listed_twice(folder):
    rows = texts()
    for row in rows:
        row["references"] = row["references"] * 2
    return stream(folder, rows)


@trap("cobalt", "hyphen|line|break|newline")
def words_divided_at_ends_of_lines(folder):
    def divide(text: str, _: int) -> str:
        return " ".join(w[:4] + "-\n" + w[4:] if len(w) > 6 else w for w in text.split())

    return spoil(folder, divide)


@trap("cobalt", "space|words run|without space|joined")
def spaces_lost(folder):
    return spoil(folder, lambda text, _: text.replace(" ", ""))


@trap("cobalt", "Latin|encod|mojibake|character")
def texts_decoded_twice(folder):
    return spoil(
        folder,
        lambda text, _: ("“" + text + "” – café").encode().decode("cp1252", "replace"),
    )


@trap("cobalt", "long|words|reference|length|article|document|contain")
def summary_with_the_other_systems_appended(folder):
    rows = texts()
    for row in of(rows, system="cobalt"):
        row["peer"] = " ".join(r["peer"] for r in of(rows, topic=row["topic"]))
    return stream(folder, rows)


@trap("line \\d+|40|outputs", "cut|truncat|incomplete|JSON|unterminated|invalid")
def a_stream_that_broke_off(folder):
    path = write_jsonl(folder / "outputs.jsonl", texts())
    path.write_text(path.read_text()[:-300])
    return ["score", path, "-m", "rouge-1"]


@trap("cobalt", "topics|miss|lack|without|only")
def a_system_rerun_on_a_third_of_the_topics(folder):
    rows = texts()
    kept = [id(row) for row in of(rows, system="cobalt")[::3]]
    return stream(folder, [r for r in rows if r["system"] != "cobalt" or id(r) in kept])


# Preferences and checklists ----------------------------------------------------------------------


@trap("winner|choice", "0|ambiguous|--choices|meaning|mean")
def winners_coded_zero_and_one(folder):
    rows = pairs()
    put(rows, "winner", lambda x: {"model_a": 0, "model_b": 1}.get(x, 0))
    return csv_of(folder, rows, "preferences")


@trap("reviewer2", "first|side|position|always|same")
def a_reader_who_always_takes_the_first(folder):
    rows = pairs()
    put(rows, "winner", lambda _: "model_a", annotator="reviewer2")
    return csv_of(folder, rows, "preferences")


@trap("itself|same system|bart", "itself|same system|both")
def a_system_against_itself(folder):
    rows = pairs()
    for row in rows[::9]:
        row["model_b"] = row["model_a"]
    return csv_of(folder, rows, "preferences")


@trap("winner|BART", "neither|not one|unknown|none of|not among|two systems|spell|case")
def winners_who_did_not_take_part(folder):
    rows = [
        row
        | {
            "winner": {"model_a": row["model_a"], "model_b": row["model_b"]}.get(
                row["winner"], "tie"
            )
        }
        for row in pairs()
    ]
    for row in rows[::12]:
        row["winner"] = "bart-large-cnn"
    return csv_of(folder, rows, "preferences")


@trap(
    "twice|repeat|again|duplicate|same choice|identical",
    "twice|repeat|again|duplicate|more than once|identical",
)
def an_export_of_choices_twice(folder):
    return csv_of(folder, pairs() * 2, "preferences")


@trap("reviewer\\d+|choice|winner", "contradict|turn|revers|opposite|against")
def one_reader_reversed(folder):
    rows = pairs()
    busiest = max({r["annotator"] for r in rows}, key=lambda a: len(of(rows, annotator=a)))
    put(
        rows,
        "winner",
        lambda x: {"model_a": "model_b", "model_b": "model_a"}.get(x, x),
        annotator=busiest,
    )
    return csv_of(folder, rows, "preferences")


@trap("tie", "tie|share|unusual")
def ties_for_nearly_all(folder):
    rows = pairs()
    for at, row in enumerate(rows):
        row["winner"] = "tie" if at % 12 else row["winner"]
    return csv_of(folder, rows, "preferences")


@trap("answer", "maybe|unknown|not (?:read|one)|yes")
def an_unknown_answer(folder):
    rows = answers()
    for row in rows[::31]:
        row["answer"] = "maybe"
    return csv_of(folder, rows, "checklists")


@trap("Umar", "always|same|yes|only|constant")
def one_person_says_yes_to_everything(folder):
    rows = answers()
    put(rows, "answer", lambda _: "yes", assessor="Umar")
    return csv_of(folder, rows, "checklists")


@trap("Umar", "revers|opposite|disagree|negativ|contradict")
def one_person_says_the_opposite(folder):
    rows = answers()
    put(rows, "answer", lambda x: {"yes": "no", "no": "yes"}[x], assessor="Umar")
    return csv_of(folder, rows, "checklists")


@trap("cobalt", "unit|miss|lack|fewer|without")
def units_missing_for_one_system(folder):
    rows = [r for r in answers() if r["system"] != "cobalt" or r["unit"] < "u3"]
    return csv_of(folder, rows, "checklists")


# Metrics and people ------------------------------------------------------------------------------


def metric(rows: Sequence[Row], at: int = 1) -> str:
    """Return the name of one of the metrics."""
    return [name for name in rows[0] if name not in ("article", "model", "human_recall")][at]


@trap("new_metric", "negativ|revers|direction|lower")
def a_metric_that_counts_errors(folder):
    rows = measured()
    for row in rows:
        row["new_metric"] = round(1 - row[metric(rows)], 4)
    return meta(folder, rows)


@trap("leaked", "same|identical|equal|cop|1\\.0")
def a_metric_that_is_the_human_score(folder):
    rows = measured()
    for row in rows:
        row["leaked"] = round(100 * row["human_recall"], 2)
    return meta(folder, rows)


@trap("joined", "shuffl|other summaries|sorted by|shifted|unrelated|no relation|noise")
def a_metric_pasted_in_another_order(folder):
    rows = measured()
    values = sorted(rows, key=lambda row: (row["model"], row["article"]))
    for row, other in zip(rows, values, strict=True):
        row["joined"] = round(other[metric(rows)] * 1.01, 4)
    return meta(folder, rows)


@trap("failed", "zero|0|miss|placeholder|helix")
def a_metric_with_zero_where_it_failed(folder):
    rows = measured()
    for row in rows:
        row["failed"] = 0 if row["model"] == "helix" else row[metric(rows)]
    return meta(folder, rows)


@trap("sparse", "miss|lack|only|few|empty")
def a_metric_for_a_fifth_of_the_summaries(folder):
    rows = measured()
    for at, row in enumerate(rows):
        row["sparse"] = "" if at % 5 else row[metric(rows)]
    return meta(folder, rows)


@trap("mixed", "scale|percent|100")
def a_metric_in_percent_for_one_model(folder):
    rows = measured()
    for row in rows:
        row["mixed"] = round(row[metric(rows)] * (100 if row["model"] == "ember" else 1), 4)
    return meta(folder, rows)


@trap("shifted", "shift|row|order|join|misplaced")
def a_metric_one_row_down(folder):
    rows = measured()
    values = [row[metric(rows)] for row in rows]
    for row, value in zip(rows, values[-1:] + values[:-1], strict=True):
        row["shifted"] = round(value * 1.01, 4)
    return meta(folder, rows)


# Logs and pilots ---------------------------------------------------------------------------------


@trap("backup", "same run|twice|identical")
def a_log_and_its_copy(folder):
    logs = sorted((LOGS / "inspect" / "logs").glob("*"))
    for at, log in enumerate(logs):
        shutil.copy(log, folder / log.name)
        if at == 0:
            shutil.copy(log, folder / f"backup-{log.name}")
    return ["compare", folder]


@trap("item|row|line", "twice|repeat|duplicate|more than once|same")
def items_twice_in_a_log(folder):
    path = folder / "ragas_alpha.csv"
    lines = (LOGS / "ragas" / "ragas_alpha.csv").read_text().splitlines()
    path.write_text("\n".join([*lines, *lines[1:]]) + "\n")
    return ["compare", path, shutil.copy(LOGS / "ragas" / "ragas_gamma.csv", folder)]


@trap("output", "the same (?:run|evaluation)|twice|cop|identical")
def one_evaluation_in_two_formats(folder):
    return [
        "compare",
        shutil.copy(LOGS / "promptfoo" / "output.json", folder),
        shutil.copy(LOGS / "promptfoo" / "output.csv", folder),
    ]


@trap("topic|pilot|item", "few|too|only|at least|2")
def a_pilot_of_two_topics(folder):
    return csv_of(folder, grid(4, 2), "power")


@trap("AVERAGE|Average", "total|average|mean|summary")
def a_pilot_with_a_line_of_means(folder):
    rows = grid(4, 30)
    rows += [row | {"doc_id": "AVERAGE"} for row in rows[:4]]
    return csv_of(folder, rows, "power")


# Sound data --------------------------------------------------------------------------------------


@control
def crowd_means_from_0_to_10(folder):
    return csv_of(folder, grid())


@control
def reviews_from_0_to_100(folder):
    return csv_of(folder, stories())


@control
def readers_of_stories(folder):
    return csv_of(folder, stories(), "assessors")


@control
def a_balanced_panel(folder):
    return csv_of(folder, panel())


@control
def a_sparse_panel(folder):
    return csv_of(folder, panel(systems=9, topics=40, judges=8, per=1))


@control
def few_topics_many_systems(folder):
    return csv_of(folder, grid(16, 6))


@control
def right_and_wrong(folder):
    return csv_of(folder, passed())


@control
def recall_and_published_metrics(folder):
    return meta(folder, measured())


@control
def summaries_of_stories(folder):
    return stream(folder, texts(3, 60, "squality"))


@control
def summaries_of_news(folder):
    return stream(folder, texts(8, 60))


@control
def everything_lower_cased(folder):
    rows = texts()
    for row in rows:
        row["peer"] = row["peer"].lower()
        row["references"] = [text.lower() for text in row["references"]]
    return stream(folder, rows)


@control
def pairs_of_stories(folder):
    return csv_of(folder, pairs(), "preferences")


@control
def pairs_of_headlines(folder):
    rows = [
        {
            "article": r["topic"],
            "voter": r["assessor"],
            "left": r["system_a"],
            "right": r["system_b"],
            "choice": r["choice"],
        }
        for r in records("headlines_pairwise")
    ]
    return [
        *csv_of(folder, rows, "preferences"),
        "--columns",
        "topic=article,assessor=voter,first=left,second=right,choice=choice",
    ]


@control
def two_people_on_content_units(folder):
    rng = random.Random(15)
    rows = answers()
    for row in of(rows, assessor="Umar"):
        if rng.random() < 0.08:
            row["answer"] = "no" if row["answer"] == "yes" else "yes"
    return csv_of(folder, rows, "checklists")


@control
def language_models_as_judges(folder):
    rows = [
        {
            "topic": r["topic"],
            "system": r["system"],
            "judge": name.removeprefix("judge_prompted_"),
            "coverage": value,
        }
        for r in records("summhay")
        for name, value in r["scores"].items()
        if name.startswith("judge_prompted_")
    ]
    return csv_of(folder, rows, "assessors")


@control
def a_wide_table_with_decimal_commas(folder):
    rows = grid(7, 40)
    table = []
    for topic in dict.fromkeys(row["doc_id"] for row in rows):
        mine = of(rows, doc_id=topic)
        table.append(
            {"topic": topic} | {r["summarizer"]: str(r["fluency"]).replace(".", ",") for r in mine}
        )
    return csv_of(folder, table, delimiter=";", encoding="utf-8-sig")


@control
def index_column_in_a_wide_table(folder):
    rows = grid(6, 40)
    table = []
    for at, topic in enumerate(dict.fromkeys(row["doc_id"] for row in rows)):
        cells = {row["summarizer"]: row["fluency"] for row in of(rows, doc_id=topic)}
        table.append({"Unnamed: 0": at, "topic": topic, **cells})
    return csv_of(folder, table)


@control
def seconds_per_answer(folder):
    rng = random.Random(16)
    rows = [
        {
            "item": f"i{t}",
            "system": ENGINES[s],
            "latency": round(rng.lognormvariate(0.2 + s / 9, 0.4), 3),
        }
        for t in range(60)
        for s in range(5)
    ]
    return csv_of(folder, rows)


@control
def a_pilot(folder):
    return csv_of(folder, grid(5, 15), "power")


@control
def ranks_of_headlines(folder):
    rows = [
        {
            "article": r["topic"],
            "method": r["system"],
            "reader": mark["assessor"],
            "rank": mark["value"],
        }
        for r in records("headlines")
        for mark in r["assessor_scores"]
    ]
    return [*csv_of(folder, rows), "--columns", "topic=article,system=method,assessor=reader"]


@control
def logs_of_two_models(folder):
    return ["compare", shutil.copytree(LOGS / "lm_eval" / "logs", folder / "logs")]


@control
def experts_of_news_with_a_metric(folder):
    rows = []
    for row in records("summeval", systems=12, topics=60):
        rows.append(
            {
                "article": row["topic"],
                "model": row["system"],
                "human_recall": row["scores"]["expert_relevance"],
                **{k: v for k, v in sorted(row["scores"].items()) if k.startswith("auto_rouge")},
            }
        )
    return meta(folder, rows)


@control
def a_checked_panel_of_two(folder):
    return csv_of(folder, panel(systems=4, topics=30, judges=2, per=2), "check")


if __name__ == "__main__":
    traps.main()
