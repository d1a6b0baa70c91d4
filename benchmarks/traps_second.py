"""A second battery of planted mistakes and sound sets, written before reading the checks.

Run by ``make bench AREA=traps`` after ``traps.py``, with the same rules and options. None of these
mistakes is in the first battery. The sound sets are honest conversions of ``../shared/data``:
other splits, few systems, single topics, wide and long tables, scores of model judges.
"""

import random
from collections import defaultdict

import traps
from traps import (
    SEED,
    TARGET,
    Argv,
    Row,
    Rows,
    answers,
    changed,
    compare,
    judge_changed,
    judged,
    lines,
    meta,
    moved,
    records,
    renamed,
    reviews,
    score,
    scored,
    selected,
    sound,
    spoiled,
    stream,
    table,
    texts,
    topics_of,
    trap,
    votes,
    wide,
)

traps.TRAPS.clear()
SPELLED = r"spel|two ways|same|missing|lack|in common|only|\.txt"


def half(rows: Rows) -> set[str]:
    """Return the second half of the topics."""
    topics = topics_of(rows)
    return set(topics[len(topics) // 2 :])


# fmt: off
# Scores.


@trap("scores", "missing scores filled with the mean of the column", "coherence|sysM1",
     r"same (score|value)|repeat|filled|imput|identical|mean")
def _() -> Argv:
    rows = wide(metric=False)
    gone = [r["model"] == "sysM10" and i % 3 == 0 for i, r in enumerate(rows)]
    rest = [r["coherence"] for r, is_gone in zip(rows, gone, strict=True) if not is_gone]
    return compare(table(changed(rows, "coherence", lambda _: round(sum(rest) / len(rest), 6),
        lambda i, row: gone[i])))

@trap("scores", "missing scores filled with the score above", "bertscore|sysM11",
     r"same (score|value)|repeat|filled|identical|constant|row")
def _() -> Argv:
    def filled(values: list[float]) -> list[float]:
        return [values[i - i % 4] for i in range(len(values))]
    return compare(table(moved(wide(human=False), "bertscore", ["sysM11"], filled)))

@trap("scores", "one system's scores are rounded to whole numbers", "sysM12",
     r"round|whole|decimal|scale|digits")
def _() -> Argv:
    return compare(table(changed(wide(metric=False), "coherence", round, lambda i, row:
        row["model"] == "sysM12")))

@trap("scores", "a metric was cut off at .4", "rouge",
     r"cap|ceiling|highest|maximum|largest|same|cut off")
def _() -> Argv:
    return compare(table(changed(wide(human=False), "rouge", lambda x: min(x, 0.4), lambda i, row:
        True)))

@trap("scores", "a topic twice under two ids", r"copy17|topic", r"identical|same|copy|copies|twice")
def _() -> Argv:
    rows = wide()
    doc = topics_of(rows)[17]
    return compare(table([*rows, *(r | {"doc": "copy17"} for r in rows if r["doc"] == doc)]))

@trap("scores", "one system's topics are names of files", r"sysM12|topic", SPELLED)
def _() -> Argv:
    return compare(table(changed(wide(metric=False), "doc", lambda d: f"{d}.txt", lambda i, row:
        row["model"] == "sysM12")))

@trap("scores", "lost decimal points in four cells", "coherence",
     r"far from|outside|scale|off |percent|placeholder|hundred")
def _() -> Argv:
    return compare(table(changed(wide(metric=False), "coherence", lambda x: round(100 * x), lambda
        i, row: i in (11, 77, 150, 240))))

@trap("scores", "standard deviations of judges as a measure", "coherence_sd",
     r"lower|spread|deviation|not a measure|direction")
def _() -> Argv:
    rng = random.Random(SEED)
    return compare(table([r | {"coherence_sd": round(abs(rng.gauss(0.6, 0.3)), 3)} for r in
        wide(metric=False)]))

@trap("scores", "p-values beside scores", "p_value", r"lower|not a measure|direction")
def _() -> Argv:
    rng = random.Random(SEED)
    return compare(table([r | {"p_value": round(rng.random(), 4)} for r in wide(metric=False)]))

@trap("scores", "a measure is called differently in one system's rows", r"rouge.?1",
     r"only|missing|lack|spel|no scores")
def _() -> Argv:
    return compare(table([{"doc": r["doc"], "model": r["model"], "metric": "rouge1" if r["model"]
        == "sysM10" else "rouge-1", "score": r["rouge"]} for r in wide()]))

@trap("scores", "mistakes per 100 words", "mistakes_per_100_words", r"lower")
def _() -> Argv:
    return compare(table([{"doc": r["doc"], "model": r["model"], "mistakes_per_100_words": round(9
        - 1.5 * r["coherence"], 2)} for r in wide()]))

@trap("scores", "negative log-likelihoods", r"\bnll", r"lower")
def _() -> Argv:
    return compare(table([{"doc": r["doc"], "model": r["model"], "nll": round(4 - 3 * r["rouge"],
        3)} for r in wide()]))

@trap("scores", "two systems exchanged in half of the topics", "sysM0|sysM12",
     r"exchang|swap|half|label|agree|topics")
def _() -> Argv:
    rows = wide()
    late = half(rows)
    turn = {"sysM0": "sysM12", "sysM12": "sysM0"}
    return compare(table([r | {"model": turn.get(r["model"], r["model"])} if r["doc"] in late else
        r for r in rows]))


# Judges.


@trap("judges", "the median of the judges as a judge", "adjudicated",
     r"median|mean|total|average|of the others")
def _() -> Argv:
    by: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for r in judged():
        by[r["doc"], r["model"]].append(r)
    middle = [{"doc": d, "model": m, "judge": "adjudicated"} | {k: sorted(r[k] for r in rs)[1] for
        k in ("coherence", "relevance")} for (d, m), rs in by.items()]
    return ["assessors", table([*judged(), *middle])]

@trap("judges", "a judge used only 1 and 5", "carl", r"scale|only|values|two ")
def _() -> Argv:
    rows = judge_changed("coherence", "carl", lambda x: 5 if x > 3 else 1)
    return ["assessors", table(rows)]

@trap("judges", "a judge gave every measure the same score", "bela",
     r"same|identical|equal|copy|copies")
def _() -> Argv:
    return ["assessors", table([r | {"relevance": r["coherence"]} if r["judge"] == "bela" else r
        for r in judged()])]

@trap("judges", "a judge alone with her topics", "dora",
     r"overlap|alone|nobody|no other|only|in common")
def _() -> Argv:
    rows = judged()
    late = set(topics_of(rows)[30:])
    return ["assessors", table([r | {"judge": "dora"} if r["doc"] in late else r for r in rows if
        r["doc"] not in late or r["judge"] == "anna"])]

@trap("judges", "a judge gave up after two thirds and clicked at random", "carl",
     r"random|chance|correlat|topics|agree")
def _() -> Argv:
    rng = random.Random(SEED)
    rows = judged(systems=16)
    late = set(topics_of(rows)[26:])
    return ["assessors", table([r | {"coherence": rng.randint(1, 5), "relevance": rng.randint(1,
        5)} if r["judge"] == "carl" and r["doc"] in late else r for r in rows])]

@trap("judges", "a judge with her mail address in some rows", "anna", SPELLED)
def _() -> Argv:
    return ["assessors", table(changed(judged(), "judge", lambda _: "anna@example.org", lambda i,
        row: row["judge"] == "anna" and i % 4 == 0))]


# Texts.


@trap("texts", "words hyphenated at the ends of lines", TARGET, r"hyphen|line|word")
def _() -> Argv:
    def broken(text: str, _: int) -> str:
        return "\n".join(text[i : i + 50] + ("-" if text[i + 49 : i + 51].isalpha() else "") for i
            in range(0, len(text), 50))
    return scored(spoiled(broken))

@trap("texts", "headlines instead of summaries", TARGET, r"short|words|length|cut|truncat")
def _() -> Argv:
    return scored(spoiled(lambda text, i: " ".join(text.split()[: 5 + i % 3])))

@trap("texts", "every output is there twice", TARGET, r"repe|twice|loop|same|again")
def _() -> Argv:
    return scored(spoiled(lambda text, i: f"{text} {text}"))

@trap("texts", "three candidates of the beam in one cell", TARGET,
     r"separat|\|\|\||repe|candidate|mark|twice")
def _() -> Argv:
    def beam(text: str, i: int) -> str:
        words = text.split()
        return " ||| ".join((text, " ".join(words[:-3]), " ".join(words[2:])))
    return scored(spoiled(beam))

@trap("texts", "lines of a log before every output", TARGET, r"log|begin|start|prefix|same|mark")
def _() -> Argv:
    return scored(spoiled(lambda text, i: f"[INFO] 2026-03-{1 + i % 28:02} 12:{i:02}:07 decoded: "
        + text))

@trap("texts", "two topics have the same reference", r"reference|gold|topic",
     r"same|identical|copy|copies|share|also references of")
def _() -> Argv:
    rows = texts()
    docs = topics_of(rows)
    gold = next(r["gold"] for r in rows if r["doc"] == docs[3])
    return scored([r | {"gold": gold} if r["doc"] == docs[4] else r for r in rows])

@trap("texts", "references still to be written", r"reference|gold",
     r"TODO|placeholder|empty|same|one text|identical")
def _() -> Argv:
    rows = texts()
    some = topics_of(rows)[5:10]
    return scored([r | {"gold": "TODO"} if r["doc"] in some else r for r in rows])

@trap("texts", "'Summary not available.' in five topics", TARGET,
     r"error|placeholder|same text|one text|identical|topics")
def _() -> Argv:
    return scored(spoiled(lambda text, i: "Summary not available." if i % 6 == 1 else text))

@trap("texts", "the model wrote the next example of the prompt", TARGET,
     r"prompt|label|phrase|example|chat|same|mark")
def _() -> Argv:
    rows = [r["summary"] for r in texts() if r["model"] == "bart"]
    return scored(spoiled(lambda text, i: f"{text}\n\nArticle: {rows[i - 1]}\nSummary:"))

@trap("texts", "digits masked as in a training corpus", TARGET, r"digit|number|#|mask|mark")
def _() -> Argv:
    masked = str.maketrans("0123456789", "##########")
    return scored(spoiled(lambda text, i: text.translate(masked)))


# Preferences, meta and checklists.


@trap("preferences", "winners in capitals", "GPT3|ORIGINAL|MANUAL|GUIDANCE|SELECTION|winner",
     r"spel|case|neither|not one|pair")
def _() -> Argv:
    return ["preferences", table([r | {"winner": r["model_a" if r["winner"] == "A" else
        "model_b"].upper()} for r in votes()])]

@trap("preferences", "five points from left to right", "winner|choice", r"--choices|scale|\b5\b")
def _() -> Argv:
    rng = random.Random(SEED)
    return ["preferences", table([r | {"winner": rng.choice([1, 2]) if r["winner"] == "A" else
        rng.choice([4, 5])} for r in votes()])]

@trap("preferences", "outputs instead of systems in the pairs", r"system|model_a|pair",
     r"once|each|\bids?\b|distinct|few|many")
def _() -> Argv:
    return ["preferences", table([r | {"model_a": f"{r['model_a']}-{2 * i}", "model_b":
        f"{r['model_b']}-{2 * i + 1}"} for i, r in enumerate(votes()[:600])])]

@trap("meta", "a metric failed for half of the systems and says 0", "bertscore",
     r"\b0\b|zero|missing|constant|same")
def _() -> Argv:
    failed = ("sysM0", "sysM1", "sysM10", "sysM11")
    return meta(changed(wide(), "bertscore", lambda _: 0, lambda i, row: row["model"] in failed),
        "rouge,bertscore")

@trap("meta", "the metric of each system is another system's", "rouge",
     r"order|negativ|revers|system|row|shift")
def _() -> Argv:
    rows = wide()
    names = sorted({r["model"] for r in rows})
    following = dict(zip(names, names[1:] + names[:1], strict=True))
    of = {(r["doc"], r["model"]): r["rouge"] for r in rows}
    return meta([r | {"rouge": of[r["doc"], following[r["model"]]]} for r in rows],
        "rouge,bertscore")

@trap("checklists", "answers coded 1 and 2", "answer", r"\b2\b|yes|no\b|words|--")
def _() -> Argv:
    return ["checklists", table([r | {"answer": 1 if r["answer"] == "yes" else 2} for r in
        answers()])]

@trap("checklists", "a system's summaries were not shown: no everywhere", "fast_abs",
     r"constant|always|same|every|all |no\b")
def _() -> Argv:
    return ["checklists", table([r | {"answer": "no"} if r["system"].startswith("fast") else r for
        r in answers()])]


# Columns.


@trap("columns", "the head says that 1 is best", r"coherence", r"lower|direction|1 ?= ?best")
def _() -> Argv:
    rows = [r | {"coherence": round(6 - r["coherence"], 2)} for r in wide(metric=False)]
    return compare(table(renamed(rows, {"coherence": "coherence (1=best)"})))

@trap("columns", "merged cells: the topic only in the first row of a block", r"doc|topic",
     r"empty|blank|missing|no topic|without")
def _() -> Argv:
    rows = wide(metric=False)
    return compare(table([r | {"doc": r["doc"] if i % 8 == 0 else ""} for i, r in
        enumerate(rows)]))

@trap("columns", "rows that are marked as excluded", "include",
     r"flag|measure|not used: include|constant|0 and 1|exclude", notes=True)
def _() -> Argv:
    rng = random.Random(SEED)
    return compare(table([r | {"include": int(rng.random() < 0.9)} for r in wide(metric=False)]))

@trap("columns", "three judges in one cell", "coherence", r"number|not read|several|;|text")
def _() -> Argv:
    by: dict[tuple[str, str], list[str]] = defaultdict(list)
    for r in judged():
        by[r["doc"], r["model"]].append(str(r["coherence"]))
    return compare(table([{"doc": d, "model": m, "coherence": ";".join(v)} for (d, m), v in
        by.items()]))

@trap("columns", "a column for each crowd worker, read as measures", "turker",
     r"people|assessor|human")
def _() -> Argv:
    rows = []
    for r in selected("summeval", 8, 30):
        own: Row = {"doc": r["topic"], "model": r["system"]}
        own |= {s["assessor"]: s["value"] for s in r["assessor_scores"] if s["name"] ==
            "relevance" and s["assessor"].startswith("turker")}
        rows.append(own)
    return compare(table(rows))


# Sound data.


def op_rows(systems: int = 20, people: bool = False) -> Rows:
    """Return the ratings of opinion summaries, a row for each rater or for each summary."""
    rows = []
    chosen = sorted({r["system"] for r in records("summeval_op")})[:systems]
    for r in records("summeval_op"):
        if r["system"] not in chosen:
            continue
        own = {"product": r["topic"], "model": r["system"]}
        by: dict[str, Row] = defaultdict(dict)
        for s in r["assessor_scores"]:
            by[s["assessor"]][s["name"]] = s["value"]
        rows += [own | {"rater": who} | v for who, v in by.items()] if people else [own | {k[6:]: v
            for k, v in r["scores"].items() if k.startswith("human_")}]
    return rows


@sound("opinion summaries: seven measures, all systems")
def _() -> Argv:
    return compare(table(op_rows()))

@sound("opinion summaries: three raters, six systems")
def _() -> Argv:
    return compare(table(op_rows(6, people=True)))

@sound("opinion summaries: raters, by assessors")
def _() -> Argv:
    return ["assessors", table(op_rows(people=True))]

@sound("opinion summaries: ten products, check")
def _() -> Argv:
    return ["check", table([r for r in op_rows(people=True) if r["product"] < "product10"])]

@sound("SummEval: the last forty topics, other names of columns")
def _() -> Argv:
    rows = [{"Article": r["topic"], "System": r["system"], **{k[7:].title(): round(v, 3) for k, v
        in r["scores"].items() if k.startswith("expert_")}} for r in selected("summeval", 16, 40,
        60)]
    return compare(table(rows, comma=";"))

@sound("SummEval: a column for each system")
def _() -> Argv:
    by: dict[str, Row] = defaultdict(dict)
    for r in wide():
        by[r["doc"]][r["model"]] = r["relevance"]
    return compare(table([{"topic": doc} | row for doc, row in by.items()]))

@sound("SummEval: a long table of four measures and eight judges")
def _() -> Argv:
    return ["check", table([{"topic": r["topic"], "system": r["system"], "assessor": s["assessor"],
        "measure": s["name"], "value": s["value"]} for r in selected("summeval", 10, 25, 30) for s
        in r["assessor_scores"]])]

@sound("SummEval: one topic, sixteen systems")
def _() -> Argv:
    return ["check", table([{"doc": r["topic"], "model": r["system"], **{k[5:]: v for k, v in
        r["scores"].items() if k.startswith("auto_rouge")}} for r in selected("summeval", 16, 1)])]

@sound("SummEval: two experts, three systems, twelve topics")
def _() -> Argv:
    return ["assessors", table([r for r in judged(3, 12) if r["judge"] != "bela"])]

@sound("SummEval: all 34 metrics of five systems, check")
def _() -> Argv:
    return ["check", table([{"doc": r["topic"], "model": r["system"], **{k[5:]: v for k, v in
        r["scores"].items() if k.startswith("auto_")}} for r in selected("summeval", 5, 100)])]

@sound("SummEval: the texts of the last topics, three references")
def _() -> Argv:
    return ["check", stream([{"doc": r["topic"], "model": r["system"], "summary": r["summary"],
        "gold": r["references"][:3]} for r in selected("summeval", 16, 30, 70)])]

@sound("SummHay: six model judges as assessors")
def _() -> Argv:
    rows = [{"query": r["topic"], "model": r["system"], "judge": k[6:], "coverage": v} for r in
        records("summhay") for k, v in r["scores"].items() if k.startswith("judge_")]
    return ["assessors", table(rows), "--columns",
        "topic=query,system=model,assessor=judge"]

@sound("SummHay: model judges against people")
def _() -> Argv:
    rows = [{"doc": r["topic"], "model": r["system"], **r["scores"]} for
        r in records("summhay")]
    names = sorted({k for r in rows for k in r if k.startswith("judge_")})
    return meta(rows, ",".join(names), "human_coverage")

@sound("REALSumm: recall of content units by three workers")
def _() -> Argv:
    return compare(table([{"doc": r["topic"], "model": r["system"], "worker": s["assessor"],
        "recall": s["value"]} for r in selected("realsumm", 10, 50) for s in r["assessor_scores"]]))

@sound("REALSumm: extractive systems, the last topics")
def _() -> Argv:
    return ["check", table([{"id": r["topic"], "system": r["system"], "output": r["summary"],
        "reference": r["references"][0]} for r in selected("realsumm", 25, 40, 60) if
        r["system"].startswith("ext")])]

@sound("REALSumm: one system and its references")
def _() -> Argv:
    return score(table([r for r in texts(topics=60) if r["model"] == "bart"]))

@sound("SQuALITY: two systems and people, overall ratings")
def _() -> Argv:
    return compare(table([{"doc": r["topic"], "model": r["system"], "reviewer": s["assessor"],
        "overall": s["value"]} for r in records("squality") for s in r["assessor_scores"] if
        s["name"] == "overall"]))

@sound("SQuALITY: choices by name of the system")
def _() -> Argv:
    rows = reviews("selection")
    return ["preferences", table([r | {"choice": r["system_a"] if r["choice"] == "A" else
        r["system_b"] if r["choice"] == "B" else "tie"} for r in rows])]

@sound("headlines: ranks turned into scores")
def _() -> Argv:
    by: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for r in records("headlines"):
        for s in r["assessor_scores"]:
            by[r["topic"], r["system"], s["assessor"]].append(7 - s["value"])
    return compare(table([{"doc": d, "model": m, "reader": a, "points": sum(v) / len(v)} for (d, m,
        a), v in by.items()]))

@sound("headlines: choices coded 1 and 2")
def _() -> Argv:
    return ["preferences", table([r | {"winner": 1 if r["winner"] == "A" else 2} for r in
        votes()[:900]])]

@sound("student summaries of one article with five references")
def _() -> Argv:
    return ["check", lines([{"topic": r["topic"], "system": r["system"], "summary": r["summary"],
        "references": r["references"]} for r in records("pyreval_crypto") if r["references"] and
        r.get("role") == "peer"])]

@sound("SummEdits: faithful or not, by domain and kind of edit")
def _() -> Argv:
    return ["check", table([{"document": r["topic"], "model": r["system"], "faithful":
        r["scores"]["human_faithful"]} for r in records("summedits") if r["task"] == "news"])]

@sound("arguments: another debate, workers with few choices each")
def _() -> Argv:
    topics = list(dict.fromkeys(r["topic"] for r in records("convarg_pairwise")))
    return ["preferences", table([{"topic": r["topic"], "worker": r["assessor"], "first":
        r["item_a"], "second": r["item_b"], "choice": r["choice"]} for r in
        records("convarg_pairwise") if r["topic"] == topics[5]])]

@sound("checklists: two systems, two workers")
def _() -> Argv:
    return ["checklists", table([r for r in answers(2, 50) if r["assessor"] != "worker3"])]


# fmt: on

if __name__ == "__main__":
    traps.main()
