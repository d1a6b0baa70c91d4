"""A fourth battery of traps and sound controls, written before reading any of the checks.

Run by ``make bench AREA=traps``. First run, before the checks were read: **106 of 160 caught by
warnings or refusals, alarms in 2 of 25 controls**. Mistakes of the battery itself were then
corrected (commands without ``--human``, rows that were equal by accident, patterns too narrow, a
control whose person was no longer marked as one): 124 of 160 with the same checks, 9 of them by
notes only. What the checks catch now is not independent of it.
"""

import json
import random
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import pandas as pd

import traps
from trap_battery import DATA, Row, control, records, trap, write_csv, write_jsonl

traps.TRAPS.clear()


def scores(systems: int = 6, topics: int = 40) -> list[Row]:
    """Means of SummEval's experts, one row per topic and system."""
    rows = records("summeval", systems=systems, topics=topics)
    names = {
        topic: f"news-{at:03d}" for at, topic in enumerate(dict.fromkeys(r["topic"] for r in rows))
    }
    systems_seen = list(dict.fromkeys(r["system"] for r in rows))
    labels = dict(
        zip(
            systems_seen,
            ("lead3", "bart", "pegasus", "t5", "gpt2", "pgn", "bertsum", "unilm"),
            strict=False,
        )
    )
    table = []
    for row in rows:
        values = {
            name.removeprefix("expert_"): value
            for name, value in row["scores"].items()
            if name.startswith("expert_")
        }
        extra = (
            {"rouge_1": round(row["scores"].get("auto_rouge_1_f_score", 0.3), 4)} if False else {}
        )
        table.append(
            {"topic": names[row["topic"]], "system": labels[row["system"]], **values, **extra}
        )
    return table


def compare_table(
    folder: Path, rows: Sequence[Row], *options: str, **csv_options: Any
) -> list[Any]:
    return ["compare", write_csv(folder / "scores.csv", rows, **csv_options), *options]


def of(rows: Sequence[Row], **values: str) -> list[Row]:
    return [row for row in rows if all(row[key] == value for key, value in values.items())]


def text_of(rows: Sequence[Row]) -> str:
    columns = list(rows[0])
    return (
        "\n".join([",".join(columns), *(",".join(str(row[c]) for c in columns) for row in rows)])
        + "\n"
    )


def raw(
    folder: Path,
    text: str,
    command: str = "compare",
    name: str = "scores.csv",
    encoding: str = "utf-8",
) -> list[Any]:
    path = folder / name
    path.write_text(text, encoding=encoding, newline="")
    return [command, path]


# Scores ------------------------------------------------------------------------------------------


@trap("pegasus|relevance", "scale|percent|100|range|20")
def system_in_percent(folder):
    rows = scores()
    for row in of(rows, system="pegasus"):
        row["relevance"] = round(20 * row["relevance"], 1)
    return compare_table(folder, rows)


@trap("relevance", "comma|4,")
def decimal_commas_in_one_system(folder):
    rows = scores()
    for row in of(rows, system="t5"):
        row["relevance"] = str(round(row["relevance"], 2)).replace(".", ",")
    return compare_table(folder, rows)


@trap("length|characters", "thousand|comma|1,")
def thousands_separators(folder):
    rows = scores()
    for at, row in enumerate(rows):
        row["characters"] = f"{800 + 13 * (at % 40):,}"
    return compare_table(folder, rows)


@trap("topic|id", "date|Feb|Mar")
def excel_dates_for_ids(folder):
    rows = scores()
    ids = {
        t: f"{1 + at % 12}-{1 + at // 12}"
        for at, t in enumerate(dict.fromkeys(r["topic"] for r in rows))
    }
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    for row in rows:
        row["topic"] = ids[row["topic"]]
        if row["system"] == "t5":
            month, day = map(int, row["topic"].split("-"))
            row["topic"] = f"{day:02d}-{months[month - 1]}"
    return compare_table(folder, rows)


@trap("topic|id", "zero|\\b0+\\d|\\b0\\d")
def leading_zeros_lost(folder):
    rows = scores()
    for row in rows:
        row["topic"] = row["topic"].removeprefix("news-")
        if row["system"] in ("t5", "bart"):
            row["topic"] = str(int(row["topic"]))
    return compare_table(folder, rows)


@trap("topic|id", "scientific|E\\+|digits|rounded")
def scientific_ids(folder):
    rows = scores()
    for row in rows:
        row["topic"] = f"{float(20210512000000 + int(row['topic'][-3:])):.5E}"
    return compare_table(folder, rows)


@trap("Exported|footer|line|row")
def footer_line(folder):
    return raw(folder, text_of(scores()) + "\nExported by Survey Manager on 03/05/2024,,,,,\n")


@trap("header|column|line|row")
def merged_header(folder):
    return raw(folder, ",,Human judgments,,,\n" + text_of(scores()))


@trap("header|repeated|line|row|system")
def header_again_in_the_middle(folder):
    text = text_of(scores())
    lines = text.splitlines()
    return raw(folder, "\n".join([*lines[:100], lines[0], *lines[100:]]) + "\n")


@trap("#DIV/0!|#REF!")
def spreadsheet_errors(folder):
    rows = scores()
    for row in rows[5::9]:
        row["fluency"] = "#DIV/0!"
    return compare_table(folder, rows)


@trap("gpt2|relevance", "\\b0\\b|missing|placeholder")
def zeros_for_missing(folder):
    rows = scores()
    for row in of(rows, system="gpt2")[::4]:
        for name in ("coherence", "consistency", "fluency", "relevance"):
            row[name] = 0
    return compare_table(folder, rows)


@trap("gpt2", "missing|lacks|fewer|absent|topics")
def hard_topics_missing_for_one_system(folder):
    rows = scores()
    worst = sorted(of(rows, system="gpt2"), key=lambda r: r["relevance"])[:15]
    return compare_table(folder, [row for row in rows if row not in worst])


@trap("bart", "bart-v2", "same|identical|equal|copy")
def same_run_under_two_names(folder):
    rows = scores()
    return compare_table(
        folder, rows + [row | {"system": "bart-v2"} for row in of(rows, system="bart")]
    )


@trap("relevance|rouge2|t5", "swap|exchang|scale|range|others|other systems|far")
def columns_swapped_for_one_system(folder):
    rows = scores()
    rng = random.Random(1)
    for row in rows:
        row["rouge2"] = round(max(0, 0.04 * row["relevance"] + rng.gauss(0, 0.04)), 4)
    for row in of(rows, system="t5"):
        row["relevance"], row["rouge2"] = row["rouge2"], row["relevance"]
    return compare_table(folder, rows)


@trap("bleu", "shift|order|unrelated|correlat|row")
def column_shifted_by_a_row(folder):
    rows = scores()
    rng = random.Random(2)
    values = [
        round(9 * row["relevance"] + 5 * row["coherence"] + rng.gauss(0, 5), 2) for row in rows
    ]
    for row, value in zip(rows, values[1:] + values[:1], strict=True):
        row["bleu"] = value
    return compare_table(folder, rows)


@trap("pgn|relevance", "sort|order|monoton|increas|ascend")
def one_system_sorted_by_score(folder):
    rows = scores()
    part = of(rows, system="pgn")
    for row, value in zip(part, sorted(r["relevance"] for r in part), strict=True):
        row["relevance"] = value
    return compare_table(folder, rows)


@trap("Overall|average|mean|total")
def average_rows(folder):
    rows = scores()
    for system in dict.fromkeys(r["system"] for r in rows):
        part = of(rows, system=system)
        rows.append(
            {"topic": "Overall", "system": system}
            | {n: round(mean(r[n] for r in part), 3) for n in list(part[0])[2:]}
        )
    return compare_table(folder, rows)


@trap("Sum|total")
def sums_at_the_end(folder):
    rows = scores()
    for system in dict.fromkeys(r["system"] for r in rows):
        part = of(rows, system=system)
        rows.append(
            {"topic": "Sum", "system": system}
            | {n: round(sum(r[n] for r in part), 3) for n in list(part[0])[2:]}
        )
    return compare_table(folder, rows)


@trap("pooled", "mean|average")
def a_system_that_is_the_mean_of_the_others(folder):
    rows = scores()
    for topic in dict.fromkeys(r["topic"] for r in rows):
        part = of(rows, topic=topic)
        rows.append(
            {"topic": topic, "system": "pooled"}
            | {n: round(mean(r[n] for r in part), 6) for n in list(part[0])[2:]}
        )
    return compare_table(folder, rows)


@trap("news-017|questeval|lead3", "37|far|outl|alone")
def one_outlier_decides(folder):
    rows = scores()
    rng = random.Random(3)
    for row in rows:
        row["questeval"] = round(rng.uniform(0.3, 0.6), 3)
    of(rows, system="lead3", topic="news-017")[0]["questeval"] = 37.2
    return compare_table(folder, rows)


@trap("t5", "round|whole|decimals|digits|precis")
def one_system_rounded(folder):
    rows = scores()
    rng = random.Random(4)
    for row in rows:
        row["bertscore"] = round(0.8 + 0.02 * row["relevance"] + rng.gauss(0, 0.02), 4)
        if row["system"] == "t5":
            row["bertscore"] = round(row["bertscore"], 1)
    return compare_table(folder, rows)


@trap("bart|relevance", "revers|against|negativ|opposite")
def scale_reversed_for_one_system(folder):
    rows = scores()
    for row in of(rows, system="bart"):
        for name in ("coherence", "consistency", "fluency", "relevance"):
            row[name] = round(6 - row[name], 6)
    return compare_table(folder, rows)


def lower(name: str, value: Callable[[Row], float]) -> Callable[[Path], list[Any]]:
    def build(folder: Path) -> list[Any]:
        rows = [
            {"topic": r["topic"], "system": r["system"], name: round(value(r), 3)} for r in scores()
        ]
        return compare_table(folder, rows)

    build.__name__ = f"lower_is_better_{name}"
    return build


for column in (
    "post_edit_seconds",
    "n_errors",
    "err_rate",
    "rank",
    "num_mistakes",
    "KL",
    "edits",
    "omissions",
):
    trap(column, "lower|direction|higher")(lower(column, lambda row: 30 - 5 * row["relevance"]))


@trap("news-", "twice|more than once|duplicate|several|repeated|two")
def retries_counted_twice(folder):
    rows = scores()
    return compare_table(
        folder, rows + [row | {"relevance": 5} for row in of(rows, system="t5")[::3]]
    )


@trap("twice|duplicate|repeated|more than once")
def rows_pasted_twice(folder):
    rows = scores()
    return compare_table(folder, rows + rows[50:110])


@trap("news-\\d+", "same|identical|equal|copy|twice")
def items_repeated_under_new_ids(folder):
    rows = scores()
    return compare_table(
        folder,
        rows + [row | {"topic": row["topic"] + "-b"} for row in rows if row["topic"] < "news-015"],
    )


def clustered(folder: Path, *, named: str) -> list[Any]:
    rng = random.Random(5)
    rows = []
    for story in range(8):
        effects = {system: rng.gauss(0, 0.8) for system in ("a", "b", "c")}
        for question in range(6):
            for system, effect in effects.items():
                topic = (
                    {"topic": f"q{story * 6 + question}", "article": f"story{story}"}
                    if named
                    else {"topic": f"story{story}_q{question}"}
                )
                rows.append(
                    topic | {"system": system, "quality": round(3 + effect + rng.gauss(0, 0.4), 2)}
                )
    return compare_table(folder, rows)


@trap("article", "--cluster")
def clusters_in_a_column(folder):
    return clustered(folder, named="article")


@trap("topic|story", "cluster")
def clusters_in_the_ids(folder):
    return clustered(folder, named="")


@trap("topic", "two systems|share|in common")
def systems_with_different_topics(folder):
    rows = [r for r in scores() if r["system"] in ("bart", "pegasus")]
    return compare_table(
        folder, [r for r in rows if (r["topic"] < "news-020") == (r["system"] == "bart")]
    )


@trap("Unnamed|index|row number")
def pandas_index_as_measure(folder):
    path = folder / "scores.csv"
    pd.DataFrame(scores()).to_csv(path)
    return ["compare", path]


@trap("submitted", "ids|time|row")
def time_stamps_as_measure(folder):
    rows = scores()
    for at, row in enumerate(rows):
        row["submitted"] = 1700000000 + 37 * at
    return compare_table(folder, rows)


@trap("participant|worker_no", "id|constant|not a measure|numbers|measure")
def worker_numbers_as_measure(folder):
    rows = scores()
    rng = random.Random(6)
    for row in rows:
        row["worker_no"] = rng.randrange(1, 40)
    return compare_table(folder, rows)


@trap("GPT-4", "gpt-?4")
def spellings_of_a_system(folder):
    rows = scores()
    for at, row in enumerate(of(rows, system="t5")):
        row["system"] = ("GPT-4", "gpt-4", "GPT4")[at % 3]
    return compare_table(folder, rows)


@trap("bart", "look|character|alike|spelling|Cyrillic|hidden")
def homoglyph_in_a_name(folder):
    rows = scores()
    for row in of(rows, system="bart")[::2]:
        row["system"] = "b\u0430rt"
    return compare_table(folder, rows)


@trap("topic", "empty|missing|no |without")
def topics_missing_in_a_frame(folder):
    frame = pd.DataFrame(scores())
    frame.loc[::7, "topic"] = None
    return ["check", write_csv(folder / "frame.csv", frame.fillna("").to_dict("records"))]


@trap("twice|duplicate|repeated|more than once|merge")
def merge_multiplied_the_rows(folder):
    rows = scores()
    return compare_table(folder, [row for row in rows for _ in range(3)])


@trap("relevance_total|cumul", "cumul|running|increas|order|row")
def running_total(folder):
    rows, total = scores(), 0.0
    for row in rows:
        total += row["relevance"]
        row["relevance_total"] = round(total, 2)
    return compare_table(folder, rows)


@trap("news-011|topic")
def one_topic_on_another_scale(folder):
    rows = scores()
    for row in of(rows, topic="news-011"):
        row["relevance"] = round(10 * row["relevance"], 2)
    return compare_table(folder, rows)


@trap("relevance")
def half_of_the_topics_in_percent(folder):
    rows = scores()
    for row in rows:
        if row["topic"] > "news-019":
            row["relevance"] = round(20 * row["relevance"], 2)
    return compare_table(folder, rows)


@trap("t5|relevance", "z-score|standard|scale|range|negative|below|others")
def one_system_standardized(folder):
    rows = scores()
    part = of(rows, system="t5")
    center = mean(r["relevance"] for r in part)
    for row in part:
        row["relevance"] = round(row["relevance"] - center, 4)
    return compare_table(folder, rows)


@trap("line|row|end|cut")
def file_cut_in_the_middle_of_a_row(folder):
    text = text_of(scores())
    return raw(folder, text[: text.rindex("relevance") if False else len(text) - 26])


@trap("system", "empty|missing|no ")
def merged_cells(folder):
    rows = sorted(scores(), key=lambda r: r["system"])
    last = ""
    for row in rows:
        name, row["system"] = row["system"], "" if row["system"] == last else row["system"]
        last = name
    return compare_table(folder, rows)


@trap("score", "column|twice|header")
def two_columns_of_the_same_name(folder):
    rows = scores()
    lines = [
        "topic,system,score,score",
        *(f"{r['topic']},{r['system']},{r['relevance']},{r['fluency']}" for r in rows),
    ]
    return raw(folder, "\n".join(lines) + "\n")


@trap("f1", "%|percent")
def percent_signs_in_some_rows(folder):
    rows = scores()
    for at, row in enumerate(rows):
        row["f1"] = f"{18 * row['relevance']:.0f}%" if at % 2 else round(0.18 * row["relevance"], 2)
    return compare_table(folder, rows)


@trap("params_m|model_size", "constant|same|each system|every topic")
def model_size_as_measure(folder):
    rows = scores()
    sizes = dict(
        zip(
            ("lead3", "bart", "pegasus", "t5", "gpt2", "pgn"),
            (1, 406, 568, 770, 345, 26),
            strict=True,
        )
    )
    return compare_table(folder, [row | {"params_m": sizes[row["system"]]} for row in rows])


@trap("bleu", "pgn|bart|scale|100|percent")
def two_tools_with_different_scales(folder):
    rows = scores()
    rng = random.Random(7)
    for row in rows:
        row["bleu"] = 0.05 * row["relevance"] + rng.gauss(0, 0.03)
        row["bleu"] = round(row["bleu"] * (100 if row["system"] in ("pgn", "bart", "t5") else 1), 3)
    return compare_table(folder, rows)


# Judges ------------------------------------------------------------------------------------------

NAMES = {"rater1": "Anna", "rater2": "Ben", "rater3": "Chloe"}


def judged(systems: int = 6, topics: int = 32) -> list[Row]:
    """Judgments of reviews' summaries by three people, one row per judgment."""
    return [
        {
            "product": row["topic"],
            "system": row["system"],
            "annotator": NAMES[j["assessor"]],
            "dimension": j["name"],
            "rating": j["value"],
        }
        for row in records("summeval_op", systems=systems, topics=topics)
        for j in row["assessor_scores"]
        if j["name"] in ("fluency", "relevance", "coherence", "specificity")
    ]


def by_judge(
    change: Callable[[Row], Any], *, judge: str = "Ben", command: str = "compare"
) -> Callable[[Path], list[Any]]:
    def build(folder: Path) -> list[Any]:
        rows = judged()
        for row in of(rows, annotator=judge):
            row["rating"] = change(row)
        return [command, write_csv(folder / "judgments.csv", rows)]

    return build


def judge_trap(name: str, *patterns: str, **options: Any) -> Callable[[Callable[[Row], Any]], None]:
    def add(change: Callable[[Row], Any]) -> None:
        build = by_judge(change, **options)
        build.__name__ = name
        trap(*patterns)(build)

    return add


judge_trap("judge_reversed", "Ben", "revers|against|opposite|negativ")(
    lambda row: 6 - row["rating"]
)
judge_trap(
    "judge_reversed_one_dimension", "Ben", "specificity|fluency", "revers|against|negativ|opposite"
)(lambda row: 6 - row["rating"] if row["dimension"] == "specificity" else row["rating"])
judge_trap("judge_straight_lining", "Ben", "constant|same|always|every", command="assessors")(
    lambda row: 4
)
judge_trap("judge_on_ten_points", "Ben", "scale|range|others|out")(lambda row: 2 * row["rating"])
judge_trap("judge_yes_no", "Ben", "scale|range|0|others")(lambda row: int(row["rating"] > 3))
judge_trap("judge_standardized", "Ben", "scale|z-score|range|negativ")(
    lambda row: round((row["rating"] - 3.9) / 0.9, 3)
)
judge_trap("judge_zero_based", "Ben", "scale|range|out|0")(lambda row: row["rating"] - 1)


@trap("Ben|Chloe", "Chloe", "same|identical|equal|cop")
def judge_copied(folder):
    rows = judged()
    for ben, chloe in zip(of(rows, annotator="Ben"), of(rows, annotator="Chloe"), strict=True):
        chloe["rating"] = ben["rating"]
    return ["assessors", write_csv(folder / "judgments.csv", rows)]


@trap("Ben|Chloe", "Chloe", "same|identical|equal|cop")
def judge_nearly_copied(folder):
    rows, rng = judged(), random.Random(8)
    for ben, chloe in zip(of(rows, annotator="Ben"), of(rows, annotator="Chloe"), strict=True):
        chloe["rating"] = ben["rating"] if rng.random() < 0.96 else chloe["rating"]
    return ["compare", write_csv(folder / "judgments.csv", rows)]


@trap("Ben", "only|one system|single")
def judge_of_a_single_system(folder):
    rows = judged()
    first = rows[0]["system"]
    return [
        "compare",
        write_csv(
            folder / "judgments.csv",
            [r for r in rows if r["annotator"] != "Ben" or r["system"] == first],
        ),
    ]


@trap("Chloe", "random|unrelated|no relation|agree|chance|correl")
def judge_at_random(folder):
    rows, rng = judged(), random.Random(9)
    for row in of(rows, annotator="Chloe"):
        row["rating"] = rng.randint(1, 5)
    return ["assessors", write_csv(folder / "judgments.csv", rows)]


@trap("Ben", "pattern|cycle|repeat|random|unrelated|agree|correl|chance")
def judge_clicking_in_a_pattern(folder):
    rows = judged()
    for at, row in enumerate(of(rows, annotator="Ben")):
        row["rating"] = at % 5 + 1
    return ["compare", write_csv(folder / "judgments.csv", rows)]


@trap("Ben", "shift|unrelated|agree|random|correl|chance|row")
def judge_shifted_by_one_item(folder):
    rows = judged()
    for name in ("fluency", "relevance", "coherence", "specificity"):
        part = of(rows, annotator="Ben", dimension=name)
        values = [row["rating"] for row in part]
        for row, value in zip(part, values[1:] + values[:1], strict=True):
            row["rating"] = value
    return ["assessors", write_csv(folder / "judgments.csv", rows)]


@trap("Ben", "dimension|measure|same|identical|halo")
def judge_with_one_value_for_all_dimensions(folder):
    rows = judged()
    first = {
        (r["product"], r["system"]): r["rating"]
        for r in of(rows, annotator="Ben", dimension="relevance")
    }
    for row in of(rows, annotator="Ben"):
        row["rating"] = first[row["product"], row["system"]]
    return ["compare", write_csv(folder / "judgments.csv", rows)]


@trap("gpt-4o", "model|person|people|human")
def model_counted_as_a_person(folder):
    rows = judged()
    for row in of(rows, annotator="Ben"):
        row["annotator"] = "gpt-4o-2024-08-06"
    return ["assessors", write_csv(folder / "judgments.csv", rows)]


@trap("annotator|assessor|judge", "one|each|task|single|id")
def task_ids_as_judges(folder):
    rows = judged()
    for at, row in enumerate(rows):
        row["annotator"] = f"3X{at:05d}QK"
    return ["compare", write_csv(folder / "judgments.csv", rows)]


@trap("final", "mean|average|consensus")
def consensus_among_the_judges(folder):
    rows = judged()
    groups = defaultdict(list)
    for row in rows:
        groups[row["product"], row["system"], row["dimension"]].append(row["rating"])
    rows += [
        dict(zip(("product", "system", "dimension"), key, strict=True))
        | {"annotator": "final", "rating": round(mean(values), 3)}
        for key, values in groups.items()
    ]
    return ["assessors", write_csv(folder / "judgments.csv", rows)]


@trap("Anna", "anna")
def judge_under_two_spellings(folder):
    rows = judged()
    for row in of(rows, annotator="Anna"):
        if row["product"] > "product15":
            row["annotator"] = "anna "
    return ["assessors", write_csv(folder / "judgments.csv", rows)]


@trap("assessor|annotator|Ben|Anna", "adjust|mix|different|more often")
def lenient_judge_for_one_system(folder):
    rows, rng = judged(systems=2), random.Random(10)
    first = rows[0]["system"]
    kept_rows = []
    for row in rows:
        if row["annotator"] == "Ben":
            row["rating"] = min(5, row["rating"] + 1)
        if row["annotator"] != "Chloe" and rng.random() < (
            0.8 if (row["annotator"] == "Ben") == (row["system"] == first) else 0.2
        ):
            kept_rows.append(row)
    return ["compare", write_csv(folder / "judgments.csv", kept_rows)]


@trap("assessor|annotator|judge|Anna|Ben", "confound|each system|different|apart|same system")
def every_system_has_its_judge(folder):
    rows = judged(systems=3)
    pairs = dict(
        zip(dict.fromkeys(r["system"] for r in rows), ("Anna", "Ben", "Chloe"), strict=True)
    )
    return [
        "compare",
        write_csv(
            folder / "judgments.csv", [r for r in rows if pairs[r["system"]] == r["annotator"]]
        ),
    ]


def reviewed() -> list[Row]:
    """Ratings from 0 to 100 by reviewers of stories."""
    ratings = {}
    for row in records("squality_pairwise"):
        for side in "ab":
            ratings[row["topic"], row[f"system_{side}"], row["assessor"], row["name"]] = row[
                f"rating_{side}"
            ]
    return [
        dict(zip(("item", "model", "rater", "aspect"), key, strict=True)) | {"rating": value}
        for key, value in ratings.items()
    ]


@trap("reviewer2", "50|same|default|often")
def slider_left_at_its_default(folder):
    rows, rng = reviewed(), random.Random(11)
    for row in of(rows, rater="reviewer2"):
        row["rating"] = 50 if rng.random() < 0.45 else row["rating"]
    return ["compare", write_csv(folder / "ratings.csv", rows)]


@trap("reviewer2", "revers|half|against|correl|topics|negativ|opposite")
def judge_reversed_in_the_first_half(folder):
    rows = judged(systems=10)
    for row in of(rows, annotator="Ben"):
        row["annotator"] = "reviewer2"
        if row["product"] < "product16":
            row["rating"] = 6 - row["rating"]
    return ["assessors", write_csv(folder / "judgments.csv", rows)]


@trap("Chloe|fluency|Anna", "identical|same|equal")
def judges_already_averaged(folder):
    rows = judged()
    groups = defaultdict(list)
    for row in rows:
        groups[row["product"], row["system"], row["dimension"]].append(row)
    for group in groups.values():
        value = round(mean(row["rating"] for row in group), 2)
        for row in group:
            row["rating"] = value
    return ["assessors", write_csv(folder / "judgments.csv", rows)]


@trap("rating", "Agree|word|number")
def likert_words(folder):
    rows = judged()
    words = ("", "Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree")
    for row in rows:
        row["rating"] = words[row["rating"]]
    return ["compare", write_csv(folder / "judgments.csv", rows)]


@trap("Ben", "twice|more than once|duplicate|repeated|two")
def judge_judged_the_same_twice(folder):
    rows = judged()
    again = [row | {"rating": max(1, row["rating"] - 2)} for row in of(rows, annotator="Ben")[:60]]
    return ["compare", write_csv(folder / "judgments.csv", rows + again)]


@trap("attention|gold|control")
def attention_checks_left_in(folder):
    rows = judged()
    for judge in NAMES.values():
        for system in dict.fromkeys(row["system"] for row in rows):
            for name in ("fluency", "relevance", "coherence", "specificity"):
                rows.append(
                    {
                        "product": "attention_check",
                        "system": system,
                        "annotator": judge,
                        "dimension": name,
                        "rating": 1,
                    }
                )
    return ["compare", write_csv(folder / "judgments.csv", rows)]


@trap("annotator|assessor", "time|date|one|each")
def times_as_judges(folder):
    rows = judged()
    for at, row in enumerate(rows):
        row["annotator"] = f"2024-05-{1 + at % 28:02d}T10:{at % 60:02d}:{at % 53:02d}"
    return ["assessors", write_csv(folder / "judgments.csv", rows)]


@trap("judge", "human", "same|identical|equal|copy")
def judge_scores_copied_from_people(folder):
    rows = [
        {
            "topic": r["topic"],
            "system": r["system"],
            "human_coverage": r["scores"]["human_coverage"],
            "judge_coverage": r["scores"]["human_coverage"],
        }
        for r in records("summhay")
    ]
    return ["meta", write_csv(folder / "judged.csv", rows), "--human", "human_coverage"]


# Texts -------------------------------------------------------------------------------------------


def texts(systems: int = 6, topics: int = 40, source: str = "realsumm") -> list[Row]:
    """Summaries with references."""
    return [
        {
            "topic": r["topic"],
            "system": r["system"].replace("abs_", "").replace("_out", ""),
            "summary": r["summary"],
            "references": r["references"],
        }
        for r in records(source, systems=systems, topics=topics)
    ]


def target(rows: Sequence[Row]) -> list[Row]:
    """Rows of the third system, named polaris."""
    name = list(dict.fromkeys(row["system"] for row in rows))[2]
    part = of(rows, system=name)
    for row in part:
        row["system"] = "polaris"
    return part


def score_texts(folder: Path, rows: Sequence[Row]) -> list[Any]:
    return ["score", write_jsonl(folder / "summaries.jsonl", rows), "-m", "rouge-1"]


def text_trap(name: str, *patterns: str, part: int = 1) -> Callable[[Callable[[str], str]], None]:
    """Change every text, or every part-th, of one system."""

    def add(change: Callable[[str], str]) -> None:
        def build(folder: Path) -> list[Any]:
            rows = texts()
            for row in target(rows)[::part]:
                row["summary"] = change(row["summary"])
            return score_texts(folder, rows)

        build.__name__ = name
        trap("polaris", *patterns)(build)

    return add


GERMAN = """
der die und das ist nicht ein eine mit von auf für den dem werden wurde Stadt Regierung Menschen
nach sich auch bei über haben Jahr Polizei gestern Bericht sagte Sprecher zwischen keine
""".split()


def german(text: str) -> str:
    rng = random.Random(text)
    return " ".join(rng.choice(GERMAN) for _ in text.split()) + "."


text_trap("texts_cut_at_200_characters", "cut|trunc|end|200")(lambda text: text[:200])
text_trap("texts_cut_at_25_words", "cut|trunc|end|25")(lambda text: " ".join(text.split()[:25]))
text_trap("prompt_repeated", "same|begin|prompt|start|opening")(
    lambda text: f"Summarize the following article in three sentences. {text}"
)
text_trap("chat_tokens", "token|markup|<\\|im_end|special")(lambda text: f"{text}<|im_end|>")
text_trap("instruction_tokens", "token|markup|INST|special")(lambda text: f"[INST] {text} [/INST]")
text_trap("html_entities", "entit|&amp;|&#|markup")(
    lambda text: text.replace("'", "&#39;").replace(" and ", " &amp; ")
)
text_trap("mojibake", "encod|â|mojibake")(
    lambda text: text.replace("'", "\u00e2\u20ac\u2122").replace(" - ", " \u00e2\u20ac\u201c ")
)
text_trap("empty_in_a_fifth", "empty|no text", part=5)(lambda text: "")
text_trap("refusals", "refus|sorry|cannot", part=6)(
    lambda text: "I'm sorry, but I can't help with that request."
)
text_trap("rate_limits", "error|rate limit", part=5)(
    lambda text: "Rate limit exceeded. Please try again in 20s."
)
text_trap("json_errors", "error|JSON", part=5)(
    lambda text: '{"error": {"code": 500, "message": "Internal server error"}}'
)
text_trap("json_around_the_text", "JSON|markup|{")(lambda text: json.dumps({"summary": text}))
text_trap("literal_newlines", "\\\\n|newline|line")(lambda text: text.replace(". ", ".\\n"))
text_trap("spaces_lost", "space")(lambda text: text.replace(" ", ""))
text_trap("german_outputs", "language|German|words|reference")(german)
text_trap("loops", "repeat|again|loop")(lambda text: text + " The police said that. " * 12)
text_trap("subwords", "token|##|subword|pieces")(
    lambda text: " ".join(f"{w[:4]} ##{w[4:]}" if len(w) > 5 else w for w in text.split())
)
text_trap("bracket_tokens", "LRB|token|bracket")(lambda text: "-LRB- CNN -RRB- " + text)
text_trap("thoughts", "think|markup|token")(
    lambda text: (
        f"<think>The user wants a summary. I should mention the main points.</think> {text}"
    )
)
text_trap("python_bytes", "b'|bytes|Python|quot")(lambda text: repr(text.encode()))
text_trap("python_lists", "\\[|list|Python|quot|bracket")(lambda text: repr([text]))
text_trap("nan_texts", "nan|None|error|empty", part=4)(lambda text: "nan")
text_trap("url_encoded", "%20|URL|encod|space")(lambda text: text.replace(" ", "%20"))
text_trap("numbers_lost", "number|digit|#")(lambda text: re.sub(r"\d", "#", text))
text_trap("chat_openings", "begin|opening|chat|Here|start")(
    lambda text: f"Certainly! Below is a concise summary of the article:\n\n{text}"
)
text_trap("closing_questions", "end|closing|same|chat|Let me know")(
    lambda text: f"{text} Let me know if you'd like a shorter version!"
)
text_trap("echoed_input", "same|begin|Article|prompt|start|opening")(
    lambda text: f"Article: {text} Summary: {text}"
)
text_trap("stop_words_removed", "words|stop|function|language|missing")(
    lambda text: " ".join(
        w
        for w in text.split()
        if w.lower()
        not in {
            "the",
            "a",
            "an",
            "of",
            "to",
            "in",
            "and",
            "is",
            "was",
            "has",
            "for",
            "on",
            "with",
            "by",
            "at",
            "that",
            "it",
            "have",
            "been",
            "are",
            "were",
            "he",
            "his",
            "from",
            "as",
        }
    )
)
text_trap("words_reversed", "order|revers|words")(lambda text: " ".join(reversed(text.split())))


def moved(folder: Path, change: Callable[[list[Row]], None]) -> list[Any]:
    rows = texts()
    change(target(rows))
    return score_texts(folder, rows)


def put(part: Sequence[Row], values: Iterable[str]) -> None:
    for row, value in zip(part, list(values), strict=True):
        row["summary"] = value


@trap("polaris", "reference|topic|shift|align")
def texts_shifted(folder):
    return moved(folder, lambda part: put(part, [r["summary"] for r in part[1:] + part[:1]]))


@trap("polaris", "reference|topic|shift|align")
def texts_in_the_order_of_their_length(folder):
    return moved(folder, lambda part: put(part, sorted((r["summary"] for r in part), key=len)))


@trap("polaris", "reference|topic|align")
def last_third_misaligned(folder):
    return moved(
        folder, lambda part: put(part[26:], [r["summary"] for r in part[27:] + part[26:27]])
    )


@trap("polaris", "reference|topic|align")
def wrong_file(folder):
    other = [r["summary"] for r in records("summeval_op")[:40]]
    return moved(folder, lambda part: put(part, other))


@trap("polaris", "same|constant|one text|identical")
def constant_text(folder):
    return moved(folder, lambda part: put(part, [part[0]["summary"]] * len(part)))


@trap("polaris", "same|repeated|identical|topics")
def cached_answers_for_a_tenth(folder):
    return moved(
        folder,
        lambda part: put(
            part, [part[0]["summary"] if at % 8 == 5 else r["summary"] for at, r in enumerate(part)]
        ),
    )


@trap("polaris", "reference")
def system_is_the_reference(folder):
    return moved(folder, lambda part: put(part, [r["references"][0] for r in part]))


@trap("polaris", "reference")
def nearly_the_reference(folder):
    return moved(
        folder,
        lambda part: put(
            part, [" ".join(["Reportedly", *r["references"][0].split()[1:]]) for r in part]
        ),
    )


@trap("polaris", "reference")
def reference_inside(folder):
    return moved(
        folder, lambda part: put(part, [f"{r['summary']} {r['references'][0]}" for r in part])
    )


@trap("polaris", "rival", "same|identical|duplicate|equal")
def two_systems_with_one_output(folder):
    rows = texts()
    part = target(rows)
    return score_texts(folder, rows + [row | {"system": "rival"} for row in part])


@trap("reference", "document|long")
def documents_as_references(folder):
    rows = [
        {
            "topic": t["topic"],
            "system": system,
            "summary": " ".join(t["documents"][0].split()[at : at + 60]),
            "references": [" ".join(t["documents"])],
        }
        for t in records("ecbplus_topics")
        for at, system in ((0, "lead"), (40, "body"))
    ]
    return score_texts(folder, rows)


@trap("reference")
def references_shifted_for_everyone(folder):
    rows = texts()
    topics = list(dict.fromkeys(r["topic"] for r in rows))
    refs = {r["topic"]: r["references"] for r in rows}
    following = dict(zip(topics, topics[1:] + topics[:1], strict=True))
    for row in rows:
        row["references"] = refs[following[row["topic"]]]
    return score_texts(folder, rows)


@trap("reference", "cut|trunc|end|255|short")
def references_cut_by_the_spreadsheet(folder):
    rows = texts()
    for row in rows:
        row["references"] = [text[:150] for text in row["references"]]
    return score_texts(folder, rows)


@trap("reference", "same|identical|twice|repeated")
def one_reference_given_twice(folder):
    rows = texts()
    for row in rows:
        row["references"] = row["references"] * 2
    return score_texts(folder, rows)


@trap("reference", "empty|no |without|missing")
def references_empty_for_some(folder):
    rows = texts()
    empty = set(list(dict.fromkeys(r["topic"] for r in rows))[::5])
    for row in rows:
        if row["topic"] in empty:
            row["references"] = [""]
    return score_texts(folder, rows)


@trap("reference", "same|differ|one text|constant|identical")
def one_reference_for_all_topics(folder):
    rows = texts()
    for row in rows:
        row["references"] = rows[0]["references"]
    return score_texts(folder, rows)


@trap("topic|cnndm", "same|identical|twice|repeated")
def topics_repeated(folder):
    rows = texts()
    return score_texts(
        folder, rows + [row | {"topic": row["topic"] + "x"} for row in rows[: len(rows) // 2]]
    )


@trap("summary|reference|swap", "reference|summar")
def summaries_and_references_exchanged(folder):
    rows = records("summeval", systems=5, topics=30)
    return score_texts(
        folder,
        [
            {
                "topic": r["topic"],
                "system": r["system"],
                "summary": r["references"][0],
                "references": [r["summary"]],
            }
            for r in rows
        ],
    )


# Preferences -------------------------------------------------------------------------------------


def choices() -> list[Row]:
    return [
        {
            "topic": r["topic"],
            "judge": r["assessor"],
            "system_a": r["system_a"],
            "system_b": r["system_b"],
            "choice": r["choice"],
        }
        for r in records("squality_pairwise")
        if r["name"] == "overall" or True
        if r["name"] == records("squality_pairwise")[0]["name"]
    ]


def prefer(folder: Path, rows: Sequence[Row]) -> list[Any]:
    return ["preferences", write_csv(folder / "choices.csv", rows)]


def coded(codes: dict[str, Any]) -> Callable[[Path], list[Any]]:
    return lambda folder: prefer(
        folder, [row | {"choice": codes[row["choice"]]} for row in choices()]
    )


def coded_trap(name: str, codes: dict[str, Any], *patterns: str) -> None:
    build = coded(codes)
    build.__name__ = name
    trap("choice", *patterns)(build)


coded_trap("choices_0_1", {"A": 0, "B": 1, "neither": ""}, "--choices|0")
coded_trap("choices_0_1_2", {"A": 0, "B": 1, "neither": 2}, "--choices|0")
coded_trap("choices_true_false", {"A": True, "B": False, "neither": ""}, "--choices|True")
coded_trap("choices_yes_no", {"A": "yes", "B": "no", "neither": "maybe"}, "yes|--choices")
coded_trap("choices_probabilities", {"A": 0.9, "B": 0.2, "neither": 0.5}, "0.9|--choices")


@trap("reviewer2", "first|position|side|always")
def judge_always_chooses_first(folder):
    rows = choices()
    for row in of(rows, judge="reviewer2"):
        row["choice"] = "A"
    return prefer(folder, rows)


@trap("reviewer4|reviewer2", "revers|against|disagree|opposite")
def judge_with_exchanged_sides(folder):
    rows = choices()
    for row in of(rows, judge="reviewer2"):
        row["choice"] = {"A": "B", "B": "A"}.get(row["choice"], row["choice"])
    return prefer(folder, rows)


@trap("reviewer2", "tie|neither")
def judge_who_always_ties(folder):
    rows = choices()
    for row in of(rows, judge="reviewer2"):
        row["choice"] = "neither"
    return prefer(folder, rows)


@trap("bart", "itself|same|both sides")
def system_against_itself(folder):
    rows = choices()
    for row in rows[::5]:
        row["system_b"] = row["system_a"]
    return prefer(folder, rows)


@trap("compared|connected|groups|between")
def systems_never_compared(folder):
    rows = choices()
    other = [
        row | {"system_a": "x-" + row["system_a"], "system_b": "x-" + row["system_b"]}
        for row in rows
    ]
    return prefer(folder, rows + other)


@trap("twice|mirror|swapped|both orders|duplicate|again")
def judgments_doubled_with_exchanged_sides(folder):
    rows = choices()
    mirrored = [
        row
        | {
            "system_a": row["system_b"],
            "system_b": row["system_a"],
            "choice": {"A": "B", "B": "A"}.get(row["choice"], row["choice"]),
        }
        for row in rows
    ]
    return prefer(folder, rows + mirrored)


@trap("twice|duplicate|repeated|more than once")
def judgments_pasted_twice(folder):
    rows = choices()
    return prefer(folder, rows + rows[:90])


@trap("choice", "neither|pair|system|name")
def winner_who_did_not_take_part(folder):
    rows = choices()
    for row in rows:
        row["choice"] = {"A": row["system_a"], "B": row["system_b"]}.get(row["choice"], "tie")
    for row in rows[::6]:
        row["choice"] = "bart-base"
    return prefer(folder, rows)


@trap("tie|neither", "share|most|of all|%|unusual")
def ties_read_for_most(folder):
    rows, rng = choices(), random.Random(12)
    for row in rows:
        row["choice"] = "neither" if rng.random() < 0.85 else row["choice"]
    return prefer(folder, rows)


# Metrics against people --------------------------------------------------------------------------


def metrics() -> list[Row]:
    """Return published metrics and human scores of SummEval."""
    rows = []
    for r in records("summeval", topics=40):
        row = {
            "topic": r["topic"][-6:],
            "system": r["system"],
            "human_relevance": r["scores"]["expert_relevance"],
        }
        row |= {
            name: value
            for name, value in r["scores"].items()
            if name.startswith("auto_") and isinstance(value, int | float)
        }
        rows.append(dict(list(row.items())[:9]))
    return rows


def meta(folder: Path, rows: Sequence[Row], *options: str) -> list[Any]:
    human = next(name for name in rows[0] if name.startswith("human"))
    return ["meta", write_csv(folder / "scores.csv", rows), "--human", human, *options]


def first_metric(rows: Sequence[Row]) -> str:
    return next(name for name in rows[0] if name.startswith("auto_"))


@trap("novelty", "revers|negativ|direction|lower")
def metric_that_runs_backwards(folder):
    rows = metrics()
    name = next(n for n in rows[0] if "rouge" in n)
    return meta(folder, [row | {"novelty": round(1 - row[name], 4)} for row in rows])


@trap("oracle_x", "human|same|identical|equal|copy")
def metric_copied_from_people(folder):
    return meta(
        folder,
        [row | {"oracle_x": round(0.25 * row["human_relevance"] - 0.25, 6)} for row in metrics()],
    )


@trap("flat", "constant|same|no spread|one value|never varies")
def constant_metric(folder):
    return meta(folder, [row | {"flat": 0.5} for row in metrics()])


@trap("rougeLsum", "same|identical|equal")
def metric_twice(folder):
    rows = metrics()
    name = next(n for n in rows[0] if "rouge" in n)
    return meta(folder, [row | {"rougeLsum": row[name]} for row in rows])


@trap("human_rank", "lower|direction|rank|1")
def human_ranks(folder):
    rows = metrics()
    for topic in dict.fromkeys(r["topic"] for r in rows):
        part = sorted(of(rows, topic=topic), key=lambda r: -r["human_relevance"])
        for at, row in enumerate(part):
            row["human_rank"] = at + 1
    for row in rows:
        del row["human_relevance"]
    return meta(folder, rows)


@trap("rouge", "shift|misaligned|order|row|unrelated|topic")
def metric_joined_off_by_one(folder):
    rows = metrics()
    name = next(n for n in rows[0] if "rouge" in n)
    values = [row[name] for row in rows]
    for row, value in zip(rows, values[1:] + values[:1], strict=True):
        row[name] = value
    return meta(folder, rows)


@trap("M11|rouge|auto", "missing|lacks|0\\b")
def metric_missing_for_a_system(folder):
    rows = metrics()
    name = next(n for n in rows[0] if "rouge" in n)
    for row in of(rows, system="M11"):
        row[name] = ""
    return meta(folder, rows)


@trap("M11|rouge|auto", "\\b0\\b|zero|missing")
def metric_zero_for_failures(folder):
    rows = metrics()
    name = next(n for n in rows[0] if "rouge" in n)
    for at, row in enumerate(rows):
        if at % 7 == 3:
            row[name] = 0
    return meta(folder, rows)


@trap("human_overall", "mean|average|parts|sum")
def total_of_the_dimensions(folder):
    rows = []
    for r in records("summeval", topics=40):
        parts = {
            n.replace("expert", "human"): v
            for n, v in r["scores"].items()
            if n.startswith("expert")
        }
        rows.append(
            {
                "topic": r["topic"][-6:],
                "system": r["system"],
                **parts,
                "human_overall": round(mean(parts.values()), 4),
            }
        )
    return ["compare", write_csv(folder / "scores.csv", rows)]


@trap("topic|scores2|no ", "topic|join|match|same")
def scores_joined_with_other_ids(folder):
    rows = metrics()
    first = [{k: r[k] for k in ("topic", "system", "human_relevance")} for r in rows]
    name = next(n for n in rows[0] if "rouge" in n)
    second = [{"topic": f"doc_{r['topic']}", "system": r["system"], name: r[name]} for r in rows]
    return [
        "meta",
        write_csv(folder / "scores1.csv", first),
        write_csv(folder / "scores2.csv", second),
        "--human",
        "human_relevance",
    ]


# Checklists and logs -----------------------------------------------------------------------------


def answers() -> list[Row]:
    return [
        {
            "topic": r["topic"],
            "system": r["system"],
            "unit": f"u{unit}",
            "assessor": f"w{worker}",
            "answer": "yes" if value else "no",
        }
        for r in records("realsumm", systems=5, topics=20)
        for worker, values in enumerate(r["scu_worker_answers"])
        for unit, value in enumerate(values)
    ]


def checklist(folder: Path, rows: Sequence[Row]) -> list[Any]:
    return ["checklists", write_csv(folder / "answers.csv", rows)]


@trap("w1", "yes|always|constant|same")
def checklist_always_yes(folder):
    return checklist(
        folder, [r | {"answer": "yes" if r["assessor"] == "w1" else r["answer"]} for r in answers()]
    )


@trap("w1", "revers|against|opposite|negativ")
def checklist_reversed_by_one(folder):
    flip = {"yes": "no", "no": "yes"}
    return checklist(
        folder,
        [
            r | {"answer": flip[r["answer"]] if r["assessor"] == "w1" else r["answer"]}
            for r in answers()
        ],
    )


@trap("answer", "1|2|code|yes")
def checklist_coded_1_2(folder):
    return checklist(folder, [r | {"answer": 1 if r["answer"] == "yes" else 2} for r in answers()])


@trap("unit|u0|answer", "twice|more than once|duplicate|repeated|two")
def checklist_answered_twice(folder):
    rows = answers()
    return checklist(folder, rows + [r | {"answer": "yes"} for r in rows[:200]])


LM = DATA / "eval_logs" / "lm_eval" / "logs"


def lm_copy(folder: Path, change: Callable[[list[Row]], list[Row]]) -> list[Any]:
    for name in ("alpha", "beta"):
        shutil.copytree(LM / name, folder / name)
    for path in (folder / "beta").glob("samples_news_headline*"):
        path.chmod(0o644)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        path.unlink()
        path.write_text("".join(json.dumps(row) + "\n" for row in change(lines)))
    for path in (*(folder / "alpha").glob("samples*"), *(folder / "beta").glob("samples*")):
        if "headline" not in path.name:
            path.unlink()
    return ["compare", folder / "alpha", folder / "beta"]


@trap("beta|item|doc", "twice|duplicate|repeated|more than once|copies")
def log_with_items_twice(folder):
    return lm_copy(folder, lambda rows: rows + rows[:4])


@trap("beta|items", "shared|only|fewer|missing|of 12|items")
def log_of_a_part(folder):
    return lm_copy(folder, lambda rows: rows[: len(rows) // 2])


@trap("alpha", "same|identical|twice|both|one run|duplicate")
def same_log_twice(folder):
    shutil.copytree(LM / "alpha", folder / "a")
    shutil.copytree(LM / "alpha", folder / "b")
    return ["compare", folder / "a", folder / "b"]


@trap("inspect|beta|prompt", "prompt|differ|task|instruct")
def log_with_another_prompt(folder):
    logs = DATA / "eval_logs" / "inspect"
    return [
        "compare",
        next((logs / "logs").glob("*.eval")),
        next((logs / "traps" / "other_prompt").glob("*.eval")),
    ]


# Sound data --------------------------------------------------------------------------------------


@control
def sound_scores(folder):
    return compare_table(folder, scores())


@control
def sound_scores_with_semicolons_and_blank_columns(folder):
    rows = [
        {k: str(v).replace(".", ",") if isinstance(v, float) else v for k, v in row.items()}
        for row in scores()
    ]
    return compare_table(folder, rows, delimiter=";", encoding="utf-8-sig")


@control
def sound_three_topics(folder):
    return compare_table(folder, scores(systems=3, topics=5))


@control
def sound_judges(folder):
    return ["assessors", write_csv(folder / "judgments.csv", judged())]


@control
def sound_judges_compared(folder):
    return ["compare", write_csv(folder / "judgments.csv", judged(systems=13))]


@control
def sound_one_judge(folder):
    return ["compare", write_csv(folder / "judgments.csv", of(judged(), annotator="Anna"))]


@control
def sound_ratings_to_100(folder):
    return ["compare", write_csv(folder / "ratings.csv", reviewed())]


@control
def sound_texts(folder):
    return score_texts(folder, texts(systems=12))


@control
def sound_texts_of_other_systems(folder):
    return score_texts(
        folder, [r for r in texts(systems=25, topics=60) if r["topic"][-1] in "13579"]
    )


@control
def sound_news_texts(folder):
    return score_texts(
        folder,
        [
            {
                "topic": r["topic"],
                "system": r["system"],
                "summary": r["summary"],
                "references": r["references"],
            }
            for r in records("summeval", systems=16, topics=30)
        ],
    )


@control
def sound_stories(folder):
    return score_texts(
        folder,
        [
            {
                "topic": r["topic"],
                "system": r["system"],
                "summary": r["summary"],
                "references": r["references"],
            }
            for r in records("squality")
            if r["references"] and r["kind"] == "machine"
        ],
    )


@control
def sound_bullet_points(folder):
    return [
        "check",
        write_jsonl(
            folder / "bullets.jsonl",
            [
                {
                    "topic": r["topic"],
                    "system": r["system"],
                    "summary": r["summary"],
                    "human_coverage": r["scores"]["human_coverage"],
                }
                for r in records("summhay")
            ],
        ),
    ]


@control
def sound_headlines(folder):
    rows = [
        {"topic": r["topic"], "system": r["system"] + "-" + r["item"], "summary": r["summary"]}
        for r in records("headlines")
    ]
    return ["check", write_jsonl(folder / "headlines.jsonl", rows)]


@control
def sound_extracts(folder):
    rows = []
    for t in records("opinosis_topics"):
        for name, begin in (("lead", 0), ("middle", 20), ("late", 40)):
            rows.append(
                {
                    "topic": t["topic"],
                    "system": name,
                    "summary": " ".join(t["documents"][begin : begin + 2]),
                    "references": t["references"],
                    "documents": t["documents"],
                }
            )
    return score_texts(folder, rows)


@control
def sound_checkpoints(folder):
    rows = texts(systems=3)
    rng = random.Random(13)
    later = [
        row
        | {
            "system": row["system"] + "-step2000",
            "summary": row["summary"]
            if rng.random() < 0.5
            else " ".join(row["summary"].split()[:-4]) + ".",
        }
        for row in of(rows, system=rows[0]["system"])
    ]
    return score_texts(folder, rows + later)


@control
def sound_preferences(folder):
    return prefer(folder, choices())


@control
def sound_crowd_preferences(folder):
    return [
        "preferences",
        write_jsonl(
            folder / "votes.jsonl",
            [
                r
                | {
                    "system_a": "x" + str(hash(r["item_a"]) % 3) if False else r["item_a"],
                    "system_b": r["item_b"],
                }
                for r in records("headlines_pairwise")
            ],
        ),
    ]


@control
def sound_meta(folder):
    return meta(folder, metrics())


@control
def sound_mqm(folder):
    rng = random.Random(14)
    rows = [
        {
            "segment": f"s{s}",
            "system": system,
            "rater": f"r{s % 3}",
            "mqm": -sum(rng.choices((0, 1, 5), (8, 4, 1), k=3)),
        }
        for s in range(60)
        for system in ("online-a", "online-b", "ref-b")
    ]
    return ["compare", write_csv(folder / "mqm.csv", rows)]


@control
def sound_opinion_scores(folder):
    rng = random.Random(15)
    rows = []
    for clip in range(30):
        ease = rng.gauss(0, 0.3)
        for voice, level in (("tacotron", 3.6), ("vits", 4.1), ("natural", 4.5)):
            for listener in range(6):
                rows.append(
                    {
                        "utterance": f"utt{clip:02d}",
                        "voice": voice,
                        "listener": f"L{listener}",
                        "mos": min(
                            5,
                            max(1, round(level + ease + 0.15 * (listener - 2) + rng.gauss(0, 0.6))),
                        ),
                    }
                )
    return [
        "compare",
        write_csv(folder / "mos.csv", rows),
        "--columns",
        "topic=utterance,system=voice,assessor=listener,value=mos",
    ]


@control
def sound_binary(folder):
    rng = random.Random(16)
    rows = [
        {"question": f"q{q}", "model": m, "correct": int(rng.random() < p)}
        for q in range(80)
        for m, p in (("base", 0.62), ("tuned", 0.71), ("large", 0.97))
    ]
    return ["compare", write_csv(folder / "correct.csv", rows)]


@control
def sound_ranks(folder):
    rows = [
        {"topic": r["topic"], "system": r["system"], "assessor": j["assessor"], "rank": j["value"]}
        for r in records("headlines")
        for j in r["assessor_scores"]
    ]
    return ["compare", write_csv(folder / "ranks.csv", rows), "--lower-is-better", "rank"]


@control
def sound_checklists(folder):
    return checklist(folder, answers())


@control
def sound_logs(folder):
    return ["compare", LM / "alpha", LM / "beta"]


@control
def sound_frame(folder):
    return ["check", write_csv(folder / "frame.csv", scores())]


if __name__ == "__main__":
    traps.main()
