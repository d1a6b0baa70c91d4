"""A fifth, small battery: new ideas, never tuned on.

Run by ``make bench AREA=traps``. First and only run: **21 of 30 caught, alarms in 3 of 10
controls** (one was a true lack of summaries, one a minus sign that could not be read, one a doubt
about clusters that is a note since).
"""

import random
import re
from pathlib import Path
from typing import Any

import traps
from trap_battery import Row, control, records, trap, write_csv, write_jsonl
from traps_fourth import (
    choices,
    compare_table,
    judged,
    metrics,
    moved,
    of,
    put,
    raw,
    reviewed,
    score_texts,
    scores,
    text_of,
    texts,
)

traps.TRAPS.clear()


def cells(folder: Path, change: Any, system: str = "") -> list[Any]:
    """Change how relevance is written, everywhere or for one system."""
    rows = scores()
    for row in of(rows, system=system) if system else rows:
        row["relevance"] = change(row["relevance"])
    return compare_table(folder, rows)


def ratings(folder: Path, change: Any, command: str = "compare") -> list[Any]:
    """Change Ben's rows."""
    rows = judged(systems=10)
    for row in of(rows, annotator="Ben"):
        row.update(change(row))
    return [command, write_csv(folder / "judgments.csv", rows)]


@trap("topic|dev|test", "common|share|lack|two systems|missing")
def one_system_ran_on_another_split(folder):
    rows = scores()
    for row in rows:
        row["topic"] = ("dev-" if row["system"] == "t5" else "test-") + row["topic"]
    return compare_table(folder, rows)


@trap("relevance", "±|number|text|words")
def deviations_in_the_cells(folder):
    return cells(folder, lambda value: f"{value:.2f} ± 0.3")


@trap("relevance", "\\*|number|text|words")
def stars_of_significance(folder):
    return cells(folder, lambda value: f"{value:.2f}*", "bart")


@trap("relevance", "\\d-\\d|number|text|range")
def ranges_as_ratings(folder):
    return cells(folder, lambda value: f"{int(value)}-{int(value) + 1}")


@trap("relevance", "number|text|:|duration|time")
def durations_in_the_cells(folder):
    return cells(folder, lambda value: f"00:0{int(value)}:12")


@trap("relevance", "1st|2nd|3rd|4th|number|text|ordinal")
def ordinals(folder):
    names = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th"}
    return cells(folder, lambda value: names[round(value)])


@trap("Ben", "scale|range|others")
def judge_in_percent(folder):
    return ratings(folder, lambda row: {"rating": 20 * row["rating"]})


@trap("Ben", "never|scale|extreme|skip|only")
def judge_of_extremes(folder):
    return ratings(folder, lambda row: {"rating": 5 if row["rating"] > 3 else 1})


@trap("annotator|assessor", "empty|missing|no name|unnamed|without")
def half_of_the_judges_have_no_name(folder):
    return ratings(folder, lambda row: {"annotator": ""}, "assessors")


@trap("fluency|Fluency", "two ways|spell|different")
def measure_in_two_spellings(folder):
    return ratings(folder, lambda row: {"dimension": row["dimension"].replace("flu", "Flu")})


@trap("bart", "outputs/bart|spell|two ways|lack|common")
def paths_as_names_in_half(folder):
    rows = scores()
    for row in rows:
        if row["topic"] > "news-019":
            row["system"] = f"outputs/{row['system']}.txt"
    return compare_table(folder, rows)


@trap("topic", "news-", "two ways|spell|different")
def topics_in_capitals_for_one_system(folder):
    rows = scores()
    for row in of(rows, system="t5"):
        row["topic"] = row["topic"].upper()
    return compare_table(folder, rows)


@trap("Ben", "scale|range|others|6")
def judge_with_an_offset(folder):
    return ratings(folder, lambda row: {"rating": row["rating"] + 5})


@trap("header|column|line|row|system")
def second_half_with_other_columns(folder):
    rows = scores()
    turned = [dict(reversed(row.items())) for row in rows[120:]]
    return raw(folder, text_of(rows[:120]) + text_of(turned))


@trap("line|column|header|field|cell")
def header_with_a_column_less(folder):
    head, *lines = text_of(scores()).splitlines()
    return raw(folder, "\n".join([head.partition(",")[2], *lines]) + "\n")


@trap("quot|line")
def quote_never_closed(folder):
    lines = text_of(scores()).splitlines()
    lines[30] = '"' + lines[30]
    return raw(folder, "\n".join(lines) + "\n")


@trap("Average|mean|total")
def average_as_a_system(folder):
    rows = scores()
    means = []
    for topic in dict.fromkeys(row["topic"] for row in rows):
        part = of(rows, topic=topic)
        names = list(part[0])[2:]
        values = {name: round(sum(row[name] for row in part) / len(part), 2) for name in names}
        means.append({"topic": topic, "system": "Average", **values})
    return compare_table(folder, rows + means)


@trap("polaris", "number|begin|line|prefix")
def line_numbers_before_texts(folder):
    return moved(
        folder, lambda part: put(part, [f"{n}\t{r['summary']}" for n, r in enumerate(part, 1)])
    )


@trap("polaris", "topic|reference|two|joined|long")
def two_topics_joined(folder):
    return moved(
        folder,
        lambda part: put(
            part,
            [
                f"{r['summary']} {n['summary']}"
                for r, n in zip(part, part[1:] + part[:1], strict=True)
            ],
        ),
    )


@trap("polaris", "short|words|length|part|cut")
def first_words_only(folder):
    return moved(folder, lambda part: put(part, [" ".join(r["summary"].split()[:3]) for r in part]))


@trap("polaris", "begin|same|prompt|label")
def names_before_texts(folder):
    return moved(
        folder, lambda part: put(part, [f"polaris (v2) output: {r['summary']}" for r in part])
    )


@trap("reference", "markup|HTML|<p>|tag")
def references_with_tags(folder):
    rows = texts()
    for row in rows:
        row["references"] = [f"<p>{text}</p>" for text in row["references"]]
    return score_texts(folder, rows)


@trap("polaris", "twice|repeat|again")
def summary_twice_in_a_row(folder):
    return moved(folder, lambda part: put(part, [f"{r['summary']} {r['summary']}" for r in part]))


@trap("polaris", "Human|turn|chat|Assistant|same|end|markup|token")
def next_turn_of_the_chat(folder):
    turns = ("Thanks!", "Make it shorter.", "What about the second article?", "ok", "More details?")
    return moved(
        folder,
        lambda part: put(
            part, [f"{r['summary']}\n\nHuman: {turns[n % 5]}" for n, r in enumerate(part)]
        ),
    )


@trap("polaris", "letter|alphabet|script|Cyrillic|look|language|words")
def letters_of_another_alphabet(folder):
    table = str.maketrans("aeopc", "\u0430\u0435\u043e\u0440\u0441")
    return moved(folder, lambda part: put(part, [r["summary"].translate(table) for r in part]))


@trap("polaris", "encod|\\?|character|lost")
def marks_lost_in_ascii(folder):
    return moved(
        folder, lambda part: put(part, [re.sub(r"['’\"-]", "?", r["summary"]) for r in part])
    )


@trap("polaris", "same|identical|copied")
def two_thirds_from_another_system(folder):
    rows = texts()
    first, third = list(dict.fromkeys(r["system"] for r in rows))[::2][:2]
    for at, (row, other) in enumerate(
        zip(of(rows, system=third), of(rows, system=first), strict=True)
    ):
        row["system"] = "polaris"
        row["summary"] = other["summary"] if at % 3 else row["summary"]
    return score_texts(folder, rows)


@trap("topic", "empty|missing|without|no ")
def preferences_without_topics_in_part(folder):
    rows = choices()
    for row in rows[::4]:
        row["topic"] = ""
    return ["preferences", write_csv(folder / "choices.csv", rows)]


@trap("bleu|M[0-9]", "scale|percent|100")
def metric_in_percent_for_some(folder):
    rows = metrics()
    name = next(n for n in rows[0] if "rouge" in n)
    for row in rows:
        row["bleu"] = row[name] * (100 if row["system"] in ("M1", "M8", "M11") else 1)
    return ["meta", write_csv(folder / "s.csv", rows), "--human", "human_relevance"]


@trap("Ben", "day|half|agree|correl|last|stopped|gave up")
def judge_tired_after_half(folder):
    rng, rows = random.Random(20), judged(systems=13)
    for row in of(rows, annotator="Ben"):
        if row["product"] > "product19":
            row["rating"] = rng.randint(1, 5)
    return ["assessors", write_csv(folder / "judgments.csv", rows)]


@control
def sound_tabs(folder):
    return compare_table(folder, scores(), delimiter="\t")


@control
def sound_minus_signs(folder):
    rows = [
        row | {"difference": str(round(row["relevance"] - 3, 2)).replace("-", "\u2212")}
        for row in scores()
    ]
    return compare_table(folder, rows)


@control
def sound_partly_shared_judges(folder):
    rows = judged(systems=13)
    chosen = {"Anna": 0, "Ben": 1, "Chloe": 2}
    rows = [r for r in rows if int(r["product"][-2:]) % 3 != chosen[r["annotator"]]]
    return ["compare", write_csv(folder / "judgments.csv", rows)]


@control
def sound_error_counts(folder):
    rng = random.Random(21)
    rows = [
        {"doc": f"d{d}", "system": s, "typos": sum(rng.random() < p for _ in range(30))}
        for d in range(50)
        for s, p in (("a", 0.02), ("b", 0.06), ("c", 0.2))
    ]
    return ["compare", write_csv(folder / "typos.csv", rows), "--lower-is-better", "typos"]


def extracts(name: str) -> list[Row]:
    return [
        {
            "topic": t["topic"],
            "system": system,
            "summary": " ".join(re.split(r"(?<=[.!?])\s", t["documents"][0])[at : at + 3]),
            "references": t["references"][:2],
        }
        for t in records(name)
        for at, system in ((0, "lead"), (3, "next"), (6, "later"))
    ]


@control
def sound_leads(folder):
    return score_texts(folder, [row for row in extracts("ecbplus_topics") if row["summary"]])


@control
def sound_science(folder):
    return score_texts(folder, [row for row in extracts("scisumm_topics") if row["summary"]])


@control
def sound_crowd(folder):
    rows = [r for r in records("convarg_pairwise") if r["topic"] < "c"]
    return ["preferences", write_jsonl(folder / "votes.jsonl", rows)]


@control
def sound_tiny_study(folder):
    rows = [r for r in judged(systems=2, topics=4) if r["annotator"] != "Chloe"]
    return ["compare", write_csv(folder / "judgments.csv", rows)]


@control
def sound_ceiling(folder):
    rng = random.Random(22)
    rows = [
        {"question": f"q{q}", "model": model, "passed": int(rng.random() < p)}
        for q in range(100)
        for model, p in (("step-1000", 0.985), ("step-2000", 0.99), ("step-3000", 1.0))
    ]
    return ["compare", write_csv(folder / "passed.csv", rows)]


@control
def sound_two_reviewers(folder):
    rows = [r for r in reviewed() if r["rater"] in ("reviewer2", "reviewer6")]
    return ["assessors", write_csv(folder / "ratings.csv", rows)]


if __name__ == "__main__":
    traps.main()
