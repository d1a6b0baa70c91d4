"""A third battery of planted mistakes and sound sets, written before reading the checks.

Run by ``make bench AREA=traps`` after the other two, with the same rules and options. None of these
mistakes is in the first two batteries. The sound sets include logs of other evaluation tools.
"""

import base64
import math
from collections import defaultdict
from urllib.parse import quote

import traps
from traps import (
    DATA,
    TARGET,
    Argv,
    Row,
    Rows,
    answers,
    changed,
    compare,
    judged,
    meta,
    records,
    reviews,
    score,
    selected,
    sound,
    spoiled,
    table,
    texts,
    topics_of,
    trap,
    votes,
    wide,
)

traps.TRAPS.clear()


# fmt: off
# Scores.


@trap("scores", "-1 for runs that timed out, on a scale from 0 to 1", "rouge|sysM11",
     r"placeholder|missing|outside|negative|far from|scale")
def _() -> Argv:
    return compare(table(changed(wide(human=False), "rouge", lambda _: -1, lambda i, row:
        row["model"] == "sysM11" and i % 5 == 0)))

@trap("scores", "logarithms of one system's scores", "sysM12",
     r"scale|range|negative|sign|log|off ")
def _() -> Argv:
    return compare(table(changed(wide(human=False), "rouge", lambda x: round(math.log(x + 0.01),
        4), lambda i, row: row["model"] == "sysM12")))

@trap("scores", "four topics had no reference: 0 for every system", r"rouge|topic",
     r"zero|\b0\b|same|identical|constant|placeholder")
def _() -> Argv:
    rows = wide(human=False)
    lost = set(topics_of(rows)[5:9])
    return compare(table(changed(rows, "rouge", lambda _: 0, lambda i, row: row["doc"] in lost)))

@trap("scores", "filled to the right: the first system's scores in ten topics", r"bertscore|topic",
     r"same|identical|copied|constant|equal")
def _() -> Argv:
    rows = wide(human=False)
    late = set(topics_of(rows)[30:])
    first = {r["doc"]: r["bertscore"] for r in rows if r["model"] == "sysM0"}
    return compare(table([r | {"bertscore": first[r["doc"]]} if r["doc"] in late else r for r in
        rows]))

@trap("scores", "edit distances", "levenshtein", r"lower")
def _() -> Argv:
    return compare(table([{"doc": r["doc"], "model": r["model"], "levenshtein": round(300 - 200 *
        r["rouge"])} for r in wide()]))

@trap("scores", "unsupported claims per summary", "unsupported", r"lower")
def _() -> Argv:
    return compare(table([{"doc": r["doc"], "model": r["model"], "unsupported_claims": round(8 -
        1.5 * r["coherence"])} for r in wide()]))

@trap("scores", "one system's metric has one decimal", "sysM11", r"round|decimal|digits")
def _() -> Argv:
    return compare(table(changed(wide(human=False), "rouge", lambda x: round(x, 1), lambda i, row:
        row["model"] == "sysM11")))


# Judges.


@trap("judges", "a judge took two blinded systems for each other", "carl",
     r"swap|exchang|disagree|correl|order|agree|reverse|others")
def _() -> Argv:
    rows = judged()
    mean: dict[str, list[float]] = defaultdict(list)
    for r in rows:
        mean[r["model"]].append(r["coherence"])
    ranked = sorted(mean, key=lambda m: sum(mean[m]) / len(mean[m]))
    turn = {ranked[0]: ranked[-1], ranked[-1]: ranked[0]}
    return ["assessors", table([r | {"model": turn.get(r["model"], r["model"])} if r["judge"] ==
        "carl" else r for r in rows])]

@trap("judges", "a judge's first half pasted into the second half", "carl",
     r"repeat|cop(y|ied|ies)|paste|random|agree|same|correl|half")
def _() -> Argv:
    rows = judged()
    docs = topics_of(rows)
    before = dict(zip(docs[20:], docs[:20], strict=True))
    of = {(r["doc"], r["model"]): r for r in rows if r["judge"] == "carl"}
    return ["assessors", table([of[before[r["doc"]], r["model"]] | {"doc": r["doc"]} if r["judge"]
        == "carl" and r["doc"] in before else r for r in rows])]

@trap("judges", "a judge's missing answers filled with her mean", "carl",
     r"mean|fill|imput|decimal|repeat|same|scale|whole")
def _() -> Argv:
    rows = judged()
    return compare(table(changed(rows, "coherence", lambda _: 3.47, lambda i, row: row["judge"] ==
        "carl" and int(row["doc"], 36) % 3 == 0)))

@trap("judges", "a reviewer from 0 to 10, the others from 0 to 100", "reviewer3", r"scale|range")
def _() -> Argv:
    return ["assessors", table([{"doc": r["topic"], "model": r["system"], "reviewer":
        s["assessor"], "overall": round(s["value"] / 10) if s["assessor"] == "reviewer3" else
        s["value"]} for r in records("squality") for s in r["assessor_scores"] if s["name"] ==
        "overall"])]


# Texts.


@trap("texts", "no space after full stops", TARGET, r"space|sentence|joined|glued")
def _() -> Argv:
    return score(table(spoiled(lambda t, i: t.replace(" . ", ".").replace(". ", "."))))

@trap("texts", "the beginning was cut off: the last 120 characters", TARGET,
     r"begin|cut|start|short|truncat")
def _() -> Argv:
    return score(table(spoiled(lambda t, i: t[-120:])))

@trap("texts", "base64", TARGET, r"base64|encod|words?\b|space|language|nearest|code")
def _() -> Argv:
    return score(table(spoiled(lambda t, i: base64.b64encode(t.encode()).decode())))

@trap("texts", "quotation marks of a broken export", TARGET, r"quot")
def _() -> Argv:
    return score(table(spoiled(lambda t, i: '""' + t.replace("the", '""the""', 1) + '""')))

@trap("texts", "numbers of references instead of references", "gold|reference",
     r"number|\bids?\b|digit|short|words?\b|not text|nearest|common")
def _() -> Argv:
    rows = texts()
    number = {doc: f"ref-{i:05}" for i, doc in enumerate(topics_of(rows))}
    return score(table([r | {"gold": number[r["doc"]]} for r in rows]))

@trap("texts", "code fences around outputs", TARGET, r"fence|```|mark|code")
def _() -> Argv:
    return score(table(spoiled(lambda t, i: f"```text\n{t}\n```")))

@trap("texts", "spaces written as %20", TARGET, r"%20|encod|space|mark|escape")
def _() -> Argv:
    return score(table(spoiled(lambda t, i: quote(t))))

@trap("texts", "several references in one cell", "gold|reference", r"\|\|\||several|split|join")
def _() -> Argv:
    return score(table([{"doc": r["topic"][9:17], "model": r["system"], "summary": r["summary"],
        "gold": " ||| ".join(r["references"][:4])} for r in selected("summeval", 6, 30)]))


# Preferences, metrics, checklists, columns.


@trap("preferences", "how much better, in words", "choice|winner", r"--choices|much|words|not ")
def _() -> Argv:
    rows = votes()[:900]
    how = ("much better", "slightly better", "better")
    return ["preferences", table([r | {"winner": f"{r['winner']} is {how[i % 3]}"} for i, r in
        enumerate(rows)])]

@trap("preferences", "probabilities instead of choices", "choice|winner",
     r"--choices|number|0\.\d|probab|not ")
def _() -> Argv:
    return ["preferences", table([r | {"winner": round((0.6 if r["winner"] == "A" else 0.1) + 0.3
        * (i % 11) / 11, 2)} for i, r in enumerate(votes()[:900])])]

@trap("meta", "the metric was computed on another year's topics", "rouge|topic",
     r"in common|missing|lack|no score|both|same topics")
def _() -> Argv:
    rows = wide()
    people = [{k: r[k] for k in ("doc", "model", "coherence")} for r in rows]
    other = [{"doc": "y2-" + r["doc"], "model": r["model"], "rouge": r["rouge"]} for r in rows]
    return meta([*people, *other], "rouge", "coherence")

@trap("checklists", "probabilities instead of answers", "answer", r"number|yes|0\.\d|--|words")
def _() -> Argv:
    return ["checklists", table([r | {"answer": 0.93 if r["answer"] == "yes" else 0.08} for r in
        answers()])]

@trap("checklists", "a worker's units are numbered from 0", "worker3",
     r"agree|random|shift|unit|others|number")
def _() -> Argv:
    return ["checklists", table([r | {"unit": f"u{int(r['unit'][1:]) - 1}"} if r["assessor"] ==
        "worker3" else r for r in answers()])]

@trap("columns", "the name of the system was never changed", r"model|baseline",
     r"repeat|twice|duplicate|several|same|more than one|two scores")
def _() -> Argv:
    return compare(table([r | {"model": "baseline"} for r in wide()]))


# Sound data.

LOGS = DATA / "eval_logs"


@sound("SummEval: crowd workers, fluency, three systems")
def _() -> Argv:
    return compare(table(judged(3, 20, "fluency", "turker")))

@sound("SummHay: people's coverage, systems by retriever")
def _() -> Argv:
    by: dict[tuple[str, str], list[float]] = defaultdict(list)
    for r in records("summhay"):
        by[r["topic"], r["retriever"]].append(r["scores"]["human_coverage"])
    return compare(table([{"topic": t, "system": s, "coverage": sum(v) / len(v)} for (t, s), v in
        by.items()]))

@sound("REALSumm: every published metric of the abstractive systems")
def _() -> Argv:
    return ["check", table([{"doc": r["topic"], "model": r["system"], **r["scores"]} for r in
        records("realsumm") if r["system"].startswith("abs")])]

@sound("SQuALITY: three dimensions, four reviewers")
def _() -> Argv:
    rows: dict[tuple[str, str, str], Row] = defaultdict(dict)
    for r in records("squality"):
        for s in r["assessor_scores"]:
            rows[r["topic"], r["system"], s["assessor"]][s["name"]] = s["value"]
    return ["assessors", table([{"doc": d, "model": m, "reviewer": a, **v} for (d, m, a), v in
        rows.items()])]

@sound("SQuALITY: long answers with one reference")
def _() -> Argv:
    return score(table([{"doc": r["topic"], "model": r["system"], "summary": r["summary"], "gold":
        r["references"][0]} for r in records("squality") if r["kind"] == "machine"]))

@sound("research papers: annotators' summaries against abstracts")
def _() -> Argv:
    rows: Rows = [{"doc": r["topic"], "model": "annotator", "summary": r["references"][0], "gold":
        r["references"][1]} for r in records("scisumm_topics") if len(r["references"]) > 1]
    return ["check", table(rows)]

@sound("logs: lm_eval, two models and three tasks")
def _() -> Argv:
    return compare(str(LOGS / "lm_eval/logs"))

@sound("logs: inspect, three models")
def _() -> Argv:
    return compare(str(LOGS / "inspect/logs"))

@sound("SummEval: crowd workers against experts")
def _() -> Argv:
    rows = [{"doc": r["topic"], "model": r["system"], **{k: v for k, v in r["scores"].items() if
        k.endswith("relevance")}} for r in selected("summeval", 16, 60, 20)]
    return meta(rows, "turker_relevance", "expert_relevance")

@sound("SQuALITY: choices in the words left, right and tie")
def _() -> Argv:
    words = {"A": "left", "B": "right"}
    return ["preferences", table([r | {"choice": words.get(r["choice"], "tie")} for r in
        reviews("correctness")])]

@sound("REALSumm: recall of three systems as a pilot")
def _() -> Argv:
    return ["power", table([{"doc": r["topic"], "model": r["system"], "recall":
        r["scores"]["human_litepyramid_recall"]} for r in selected("realsumm", 3, 40, 20)])]

@sound("SummEval: one decimal, and the number of words beside it")
def _() -> Argv:
    return compare(table([{"doc": r["topic"], "model": r["system"], "coherence":
        round(r["scores"]["expert_coherence"], 1), "words": len(r["summary"].split())} for r in
        selected("summeval", 7, 45, 30)]))


# fmt: on

if __name__ == "__main__":
    traps.main()
