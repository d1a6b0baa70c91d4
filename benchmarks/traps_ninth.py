"""A ninth, small battery, written after the mistakes of the eighth were added to the checks.

Run by ``make bench AREA=traps``; built like ``traps_eighth.py``. First run: **30 of 36 caught, no
alarm in 8 controls**; three of the 30 by a word of another cause, so **27** by a strict reader.
"""

import codecs
import re

import traps
from trap_battery import write_csv
from traps_eighth import lines, written
from traps_seventh import (
    RNG,
    add,
    by,
    crowd,
    exact,
    marks,
    means,
    measured,
    meta,
    of,
    put,
    register,
    said,
    scored,
    table,
    texts,
    units,
    votes,
)

traps.TRAPS.clear()

FRENCH = [
    "Le gouvernement a annoncé lundi de nouvelles règles.",
    "Selon la police, personne n'a été blessé.",
    "L'équipe a gagné le match trois à un.",
    "Beaucoup de gens se plaignent des prix.",
    "Le tribunal se prononcera en juin.",
]


def ranked(rows, column, **where):
    """Give one system its rank on each item in the place of its score."""
    ranks = {}
    for (item,), group in by(rows, "item").items():
        order = sorted(group, key=lambda row: -row[column])
        ranks.update({(item, row["bot"]): at for at, row in enumerate(order, 1)})
    for row in of(rows, **where):
        row[column] = ranks[row["item"], row["bot"]]
    return rows


def backward(rows, column, **where):
    mine = of(rows, **where)
    values = [row[column] for row in mine][::-1]
    for row, value in zip(mine, values, strict=True):
        row[column] = value
    return rows


TRAPS = [
    ("ranks of one system as scores", "cedar", "rank|scale|range|revers|others",
     lambda: table(ranked(measured(), "rouge1", bot="cedar"))),
    ("nothing but zeros for the last items", "rev-05|rouge1", "0|zero|missing|same",
     lambda: table([r | dict.fromkeys(("rouge1", "meteor", "bertscore", "s3"),
         0) if r["item"] > "rev-054" else r for r in measured()])),
    ("a third of the items three times", "rev-|again|item|topics",
         "same|identical|repeat|copy|one topic",
     lambda: table(measured(8, 20) + [r | {"item": f"again-{k}-{r['item']}"} for k in (1,
         2) for r in measured(8, 20)])),
    ("items and systems exchanged in some rows", "rev-0|aspen|item|bot",
         "lack|missing|exchang|swap|only|one",
     lambda: table([r | {"item": r["bot"], "bot": r["item"]} if n % 25 == 0 else r for n,
         r in enumerate(means())])),
    ("a measure twice in another spelling", "[Rr]elevance", "spell|same|identical|alike|two ways",
     lambda: table(add(means(), "Relevance", lambda r: r["relevance"]))),
    ("a typing error of a thousand", "bertscore", "far|typo|among|range",
     lambda: meta(put(measured(), "bertscore", lambda x, n: x * 1e6 if n == 100 else x))),
    ("signs lost", "s3|score_diff|z_score", "direction|higher|negativ|sign",
     lambda: table(add(measured(), "z_score", lambda r: round(abs(r["expert"] - 3), 3)))),
    ("letters by one judge", "w2|relevance", "letter|text|not a number|not read",
     lambda: table(put(crowd(), "relevance", lambda x, _: "EDCBA"[x - 1], worker="w2"))),
    ("words by one judge", "w2|relevance", "word|text|not a number|not read",
     lambda: table(put(crowd(), "relevance", lambda x, _: ("awful", "bad", "fair", "good",
         "great")[x - 1], worker="w2"))),
    ("a judge in love with one system", "w1", "always|same|5|one system|favor|usual|pattern",
     lambda: table([r | {"relevance": 5, "coherence": 5} if r["worker"] == "w1" and r["bot"] ==
         "birch" else r for r in crowd()])),
    ("the marks of a judge backward", "Cem", "order|agree|random|other|revers",
     lambda: table(backward(backward(backward(marks(), "fluency", rated_by="Cem"), "relevance",
         rated_by="Cem"), "faithfulness", rated_by="Cem"), "assessors")),
    ("all marks entered twice", "line|Ada|rev-0", "same|twice|repeat",
     lambda: table(marks() + marks())),
    ("a judge beyond the scale once a page", "w3", "scale|outside|such as|55",
     lambda: table(put(crowd(), "relevance", lambda x, _: 11 * x, 10, worker="w3"))),
    ("nan in some outputs", "cedar", "nan|nothing|missing|empty",
     lambda: said(lambda *_: "nan", 10)),
    ("the id before each text", "cedar", "begin|number|id|label|prefix",
     lambda: scored([r | {"output": f"{r['id']}: {r['output']}"} if r["model"] == "cedar" else r
         for r in texts()])),
    ("fences of code", "cedar", "```|Markdown|code|fence|mark",
     lambda: said(lambda x, _: f"```\n{x}\n```")),
    ("French in a sixth", "cedar", "French|language",
     lambda: said(lambda *_: " ".join(RNG.sample(FRENCH, 3)), 6)),
    ("digits masked", "cedar", "#|number|digit|mask|placeholder",
     lambda: said(lambda x, _: re.sub(r"\d", "#", x))),
    ("rotated letters", "cedar", "language|letter|words|encod|unlike|belong",
     lambda: said(lambda x, _: codecs.encode(x, "rot13"))),
    ("underscores for blanks", "cedar", "space|_|blank|underscore|joined|path",
     lambda: said(lambda x, _: x.replace(" ", "_"))),
    ("the last sentence three times", "cedar", "repeat|twice|loop|again|doubled",
     lambda: said(lambda x, _: f"{x} {x.split('. ')[-1]} {x.split('. ')[-1]}")),
    ("tags of an answer", "cedar", "tag|markup|<summary>",
     lambda: said(lambda x, _: f"<summary>{x}</summary>")),
    ("labels before the references", "reference", "label|begin|prefix|same",
     lambda: scored([r | {"reference": f"Reference summary: {r['reference']}"} for r in texts()])),
    ("some references in French", "reference", "French|language",
     lambda: scored([r | {"reference": " ".join(FRENCH[n % 2:][:4])} if r["id"] < "rev-012" else r
         for n, r in enumerate(texts())])),
    ("picks left open", "pick|choice|line", "empty|missing|first, second",
     lambda: table(put(votes(), "pick", lambda *_: "", 4), "preferences")),
    ("a third answer", "pick|choice|both_bad|C", "write first|unknown|not one|tie",
     lambda: table(put(votes(), "pick", lambda *_: "C", 9), "preferences")),
    ("partial answers", "answer", "partially|yes, no",
     lambda: table(put(units(), "answer", lambda *_: "partially", 9), "checklists")),
    ("people's scale reversed in the second batch", "expert",
         "revers|half|negativ|turn|direction|batch|first",
     lambda: meta(put(measured(12, 100), "expert", lambda x, n: round(6 - x,
         3) if n >= 600 else x))),
    ("a metric sorted within each system", "meteor", "sort|order|shuffl|noise|unrelated|other",
     lambda: meta([r | {"meteor": v} for g in by(measured(), "bot").values() for r, v in zip(g,
         sorted(x["meteor"] for x in g), strict=True)])),
    ("percent signs in a pilot", "f1", "%|percent",
     lambda: table(put(exact(), "f1", lambda x, _: f"{100 * x:.1f}%", 3), "power", "-m", "f1")),
    ("rows of another length", "line \\d+", "column|cell|field|fewer|more",
     lambda: written("\n".join(f"{line},extra" if n in (30, 31) else line for n,
         line in enumerate(lines(means()))))),
    ("two columns of one name", "relevance",
         "twice|two columns|repeated|same name|more than once|duplicate",
     lambda: written("\n".join(line.replace("fluency", "relevance") for line in lines(means())))),
    ("an empty file", "export", "empty|nothing",
     lambda: written("")),
    ("a list of JSON cut off", "export|line|outputs", "JSON|cut|expected|incomplete|end",
     lambda: written('[{"item": "a", "bot": "x", "relevance": 3}, {"item": "b", "bot": "x", "rele')
         ),
    ("the mean of systems per item twice", "relevance_mean|mean",
         "same|topic|mean|computed|property",
     lambda: table([r | {"relevance_mean": round(sum(x["relevance"] for x in g) / len(g),
         3)} for g in by(means(), "item").values() for r in g])),
    ("a system scored by an older version", "cedar", "scale|round|unit|range|decimal|digits|others",
     lambda: table(put(measured(), "rouge1", lambda x, _: round(x * 0.1, 1), bot="cedar"))),
]  # fmt: skip

SOUND = [
    ("texts as numbers in JSON", lambda: scored([r | {"output": r["output"]} for r in texts(4,
         20)])),
    ("percent in the header", lambda: table([{("accuracy (%)" if k == "exact_match" else k): v for
         k, v in r.items() if k != "latency_s"} for r in exact()])),
    ("marks of a strict judge", lambda: table([r | ({m: max(1, r[m] - 1) for m in ("coherence",
         "relevance")} if r["worker"] == "w2" else {}) for r in crowd()])),
    ("two raters", lambda: table([r for r in marks() if r["rated_by"] != "Cem"], "assessors")),
    ("short headlines with references", lambda: scored([r | {"output":
         " ".join(r["output"].split()[:9]) + ".", "reference":
         " ".join(r["reference"].split()[:9]) + "."} for r in texts()])),
    ("a metric that many items lack", lambda: meta([r | {"extra": r["s3"] if r["item"] < "rev-050"
         else ""} for r in measured()])),
    ("choices of three readers", lambda: table([r for r in votes() if r["reader"] < "reader04"],
         "preferences")),
    ("people and machines", lambda: lambda f: ["compare", write_csv(f / "e.csv",
         [r | {"kind": "human" if r["bot"] == "aspen" else "machine"} for r in means()])]),
]  # fmt: skip

register(TRAPS, SOUND)

if __name__ == "__main__":
    traps.main()
