"""An eighth, small battery of other ideas, written after the checks of the seventh were added.

Run by ``make bench AREA=traps``. It uses the data and the ways of damaging them of
``traps_seventh.py``; how a trap counts as caught was fixed before the first run: **27 of 42
caught, alarms in 1 of 10 controls**, one of the 27 by a word of another cause. Then a trap that is
sound data became a control, and a control whose systems had the same scores was corrected.
"""

import traps
from trap_battery import write_csv
from traps_seventh import (
    BOTS,
    ITEMS,
    QUALITIES,
    RNG,
    add,
    by,
    crowd,
    exact,
    marks,
    mean,
    means,
    measured,
    meta,
    moved,
    of,
    put,
    register,
    said,
    scored,
    swapped,
    table,
    texts,
    units,
    votes,
)

traps.TRAPS.clear()

GERMAN = {"item": "Thema", "bot": "System", "fluency": "Flüssigkeit", "relevance": "Relevanz"}


def lines(rows):
    names = list(rows[0])
    return [",".join(names), *(",".join(str(row[name]) for name in names) for row in rows)]


def written(text, command="compare", encoding="utf-8"):
    def make(folder):
        (folder / "export.csv").write_text(text, encoding=encoding)
        return [command, folder / "export.csv"]

    return make


def sorted_as_text(rows, column, **where):
    """Give one system its scores in the order of its ids as texts."""
    mine = of(rows, **where)
    order = sorted(range(len(mine)), key=str)
    values = [mine[at][column] for at in order]
    for row, value in zip(mine, values, strict=True):
        row[column] = value
    return rows


ANNA = "Ada"
TRAPS = [
    # Scores
    ("two measures exchanged for one system", "cedar",
         "exchang|swap|column|other|scale|order|range",
     lambda: table(swapped(add(means(), "length", lambda r: 40 + 9 * r["relevance"]), "relevance",
         "length", bot="cedar"))),
    ("ids of one system sorted as texts", "cedar", "order|other topic|shuffl|sorted",
     lambda: table(sorted_as_text(measured(12, 60), "rouge1", bot="cedar"))),
    ("thousands with blanks", "tokens", "text|not read|number|thousand|space",
     lambda: table(add(exact(), "tokens", lambda r:
         f"{RNG.randint(1, 9)} {RNG.randint(100, 999)}"), "compare", "-m", "tokens")),
    ("points after the numbers", "relevance", "pts|number only|not a number",
     lambda: table(put(means(), "relevance", lambda x, _: f"{x} pts"))),
    ("lists of marks in cells", "relevance", "list|\\[|not a number|number",
     lambda: table(put(means(), "relevance", lambda x, _: f"[{x}, {x}, 4]"), "compare", "-m",
         "relevance")),
    ("question marks for missing", "relevance", "\\?|not a number|empty",
     lambda: table(put(means(), "relevance", lambda *_: "?", 9))),
    ("mean rows in German", "Mittelwert", "total|mean|average",
     lambda: table(means() + [{"item": "Mittelwert", "bot": b} | {q: round(mean(g, q),
         2) for q in QUALITIES} for (b,), g in by(means(), "bot").items()])),
    ("a row of units below the header", "line 2|fluency|relevance|item",
         "number|not read|1-5|unit|header",
     lambda: written("\n".join([lines(means())[0], "(id),(name),(1-5),(1-5),(1-5)",
         *lines(means())[1:]]))),
    ("a confidence read as a measure", "confidence", "direction|higher|not a|judge",
     lambda: table(add(means(), "confidence", lambda r: round(RNG.random(), 2)))),
    ("numbers of words as quality", "n_words|word_count", "direction|higher|count|length",
     lambda: table(add(means(), "word_count", lambda r: RNG.randint(30, 150)))),
    ("a system twice with a number", "cedar \\(2\\)|cedar", "same|identical|one system",
     lambda: table(means() + [r | {"bot": "cedar (2)"} for r in of(means(), bot="cedar")])),
    ("a system without any score", "cedar", "lack|miss|no score|without|empty",
     lambda: table([r | dict.fromkeys(QUALITIES, "") if r["bot"] == "cedar" else r for r in
         means()])),
    ("half of the items in per mille", "rouge1|rev-", "scale|percent|unit|times|10",
     lambda: table(put(measured(), "rouge1", lambda x, n: round(10 * x, 2) if n % 2 else x))),
    ("tables glued with their headers", "line \\d+|item|header", "header|names of columns|repeated",
     lambda: written("\n".join([*lines(means(4)), "\ufeff" + lines(means(4))[0],
         *lines([r | {"bot": r["bot"] + "-b"} for r in means(4)])[1:]]))),
    ("a spreadsheet saved under another name", "export",
         "Excel|spreadsheet|ZIP|binary|not text|format",
     lambda: written("PK\x03\x04\x14\x00\x06\x00[Content_Types].xml\x00\x01\x02",
         encoding="latin-1")),
    ("minus signs behind numbers", "delta|relevance", "number|minus|not read",
     lambda: table(put(means(), "relevance", lambda x, _: f"{x}-", 3))),
    ("scores of the last run of all", "aspen|same|systems", "same|identical|one system",
     lambda: table([r | {q: g[-1][q] for q in QUALITIES} for g in by(means(),
         "item").values() for r in g])),
    # Judges
    ("a judge of three marks among five", "w2", "scale|never|skip|range|only",
     lambda: table([r | {m: {1: 1, 2: 1, 3: 2, 4: 3, 5: 3}[r[m]] for m in ("coherence",
         "relevance")} if r["worker"] == "w2" else r for r in crowd()])),
    ("two judges in one cell", "Ada & Bo|Ada, Bo|Ada", "joined|two|several|cell|and",
     lambda: table(put(marks(), "rated_by", lambda *_: "Ada & Bo", 7, rated_by="Bo"))),
    ("addresses of judges in one half", "ada|Ada", "spell|alike|same|similar",
     lambda: table(put(marks(), "rated_by", lambda *_: "ada@lab.org", 2, rated_by="Ada"))),
    ("a judge filled with threes", "w4", "3|usual|default|filled|often",
     lambda: table(put(crowd(), "relevance", lambda x, n: 2 if n % 5 < 4 else x, worker="w4"))),
    ("a judge of ones and fives", "Bo", "never|skip|scale|only|agree",
     lambda: table(put(marks(), "relevance", lambda x, n: 5 if x > 3 else 1, rated_by="Bo"),
         "assessors")),
    ("a judge copied from the topic before", "w3", "same|cop|repeat|shift|agree",
     lambda: table(moved(moved(crowd(), "relevance", 6, worker="w3"), "coherence", 6,
         worker="w3"), "assessors")),
    ("marks of a judge standardized", "Cem", "z-score|scale|whole|fraction",
     lambda: table(put(marks(), "relevance", lambda x, _: round((x - 4) / 0.8, 3),
         rated_by="Cem"))),
    # Texts
    ("sentences twice", "cedar", "twice|repeat|doubled",
     lambda: said(lambda x, _: " ".join(s + ". " + s + "." for s in x.rstrip(".").split(". ")))),
    ("citation marks", "cedar", "\\[\\d|citation|mark|footnote",
     lambda: said(lambda x, n: x.replace(".", f" [{n % 7 + 1}]."))),
    ("characters in reverse order", "cedar", "revers|order|letters|words|language|unlike",
     lambda: said(lambda x, _: x[::-1])),
    ("a template for each topic", "cedar", "same|begin|template|prompt",
     lambda: said(lambda x, _:
         f"This article is about {x.split()[0]} and describes what happened there recently.")),
    ("empty outputs for a fifth", "cedar", "empty|missing",
     lambda: said(lambda *_: "", 5)),
    ("ligatures", "cedar", "ligature|character|letter|ﬁ|decompos|form",
     lambda: said(lambda x, _: x.replace("fi", "ﬁ").replace("fl", "ﬂ").replace("ff", "ﬀ"))),
    ("cut at the first comma", "cedar", "cut|short|part|length|words",
     lambda: said(lambda x, _: x.split(",")[0])),
    ("a link behind each text", "cedar", "end|same|footer|link|URL|http",
     lambda: said(lambda x, n: f"{x} Read more at https://news.example.org/story/{n}")),
    ("references that say see above", "reference", "same|nothing|repeat|identical|short",
     lambda: scored([r | {"reference": "See above."} if r["id"] > "rev-030" else r for r in
         texts()])),
    ("titles as references", "reference", "short|length|words|title|headline",
     lambda: scored([r | {"reference": " ".join(r["reference"].split()[:3])} for r in texts()])),
    ("stories of another set", "cedar", "topic|unlike|belong|no words",
     lambda: scored([r | ({"output": other} if r["model"] == "cedar" else {}) for others in
         [[o["output"] for o in texts(1, 40, "squality")]] for g in by(texts(),
         "model").values() for r, other in zip(g, others, strict=True)])),
    # Preferences, checklists, metrics, pilots
    ("sides exchanged in the second half", "choice|systems|pick|aspen|birch",
         "half|exchang|turn|swap|second",
     lambda: table([r | ({"pick": {"left": "right", "right": "left"}.get(r["pick"],
         "tie")} if n > 1900 else {}) for n, r in enumerate(sorted(votes(),
         key=lambda r: r["reader"]))], "preferences")),
    ("one reader votes fifty times on a pair", "reader01|choices",
         "twice|repeat|same|count once|listed",
     lambda: table(votes() + [r for r in of(votes(), reader="reader01")[:30] for _ in range(50)],
         "preferences")),
    ("all units answered by the same for all", "gpt", "always|same|yes|constant|scale",
     lambda: table(put(units(), "answer", lambda *_: "yes", who="gpt"), "checklists")),
    ("a metric that contains the human score", "leak|expert",
         "same|computed|mean|identical|cop|sum",
     lambda: meta(add(measured(), "leak", lambda r: round(0.999 * r["expert"] + 0.001 *
         r["rouge1"] / 100, 6)))),
    ("a metric of the topic after next", "meteor",
         "shift|order|row|unrelated|other summar|noise|shuffl",
     lambda: meta(moved(measured(), "meteor", 24))),
    ("a pilot of one system", "system|aspen", "one system|two systems|at least|only",
     lambda: table(means(1), "power")),
]  # fmt: skip

SOUND = [
    ("German names of columns", lambda: lambda f: ["compare", write_csv(f / "e.csv",
         [{GERMAN[k]: str(v).replace(".", ",") for k, v in r.items() if k in GERMAN} for r in
         means()], delimiter=";"), "--columns", "topic=Thema,system=System"]),
    ("tabs in a table", lambda: lambda f: ["compare", write_csv(f / "e.tsv", means(),
         delimiter="\t")]),
    ("three seeds of two systems", lambda: table([r | {"bot": f"{r['bot']}-seed{s}"}
         | {q: round(min(5, max(1, r[q] + RNG.gauss(0, 0.2))), 2) for q in QUALITIES}
         for r in means(2) for s in range(3)])),
    ("blanks behind the ids of one system",
     lambda: table(put(means(), "item", lambda x, _: f"{x}\u00a0", bot="cedar"))),
    ("a weak system", lambda: table([r | ({q: round(1 + (r[q] - 1) * 0.3,
         2) for q in QUALITIES} if r["bot"] == "cedar" else {}) for r in means()])),
    ("a lenient judge", lambda: table([r | ({m: min(5, r[m] + 1) for m in ("coherence",
         "relevance")} if r["worker"] == "w2" else {}) for r in crowd()])),
    ("names with commas and and", lambda: table([r | {"bot": {"aspen": "Smith, Lee and Wu",
         "birch": "R&D-2"}.get(r["bot"], r["bot"])} for r in means()])),
    ("answers of two words", lambda: scored([{"id": f"q{t}", "model": BOTS[s],
         "output": f"person {t if RNG.random() < 0.7 else t + 1}",
         "reference": f"person {t}"} for t in range(60) for s in range(3)])),
    ("dates as ids", lambda: table(put(means(), "item", lambda x,
         _: f"2026-03-{ITEMS.index(x) % 28 + 1:02d}-{ITEMS.index(x)}"))),
    ("stories with dialogue", lambda: scored(texts(2, 50, "squality"))),
    ("readers of headlines compared", lambda: table(votes(), "preferences")),
]  # fmt: skip

register(TRAPS, SOUND)

if __name__ == "__main__":
    traps.main()
