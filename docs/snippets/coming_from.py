"""Print the rows of the table in docs/coming_from.md."""

from pyramidion import Rouge
from pyramidion.compat import evaluate_rouge, rouge_scorer, torchmetrics_rouge
from pyramidion.demo import load_demo

prediction = "Storms closed a harbor road.\nGeese use it every day."
references = [
    "The geese used the harbor road.\nIt was closed for days.",
    "Storms closed the road by the harbor. Geese used it.",
]
one_line = "Geese use it every day. Storms closed a harbor road."


def rouge(measure, peer=prediction, own=references, **options):
    """Score one summary in our way."""
    return Rouge(**options).score([peer], [own])[measure][0]


def row(what, theirs, same, usual):
    print(f"| {what} | {theirs:.4f} | {same:.4f} | {usual:.4f} |")


types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
scorer = rouge_scorer.RougeScorer(types, use_stemmer=True)
first, best = scorer.score(references[0], prediction), scorer.score_multi(references, prediction)
nltk = {"stem": "nltk", "own": references[:1]}
row(
    "rouge-score, `score`, rouge1 F, stemmed",
    first["rouge1"].fmeasure,
    rouge("rouge-1-f", **nltk),
    rouge("rouge-1-f", stem=True, own=references[:1]),
)
row(
    "the same, rougeL",
    first["rougeL"].fmeasure,
    rouge("rouge-l-f", sentences="whole", **nltk),
    rouge("rouge-l-f", stem=True, own=references[:1]),
)
row(
    "the same, rougeLsum",
    first["rougeLsum"].fmeasure,
    rouge("rouge-l-f", sentences="lines", **nltk),
    rouge("rouge-l-f", stem=True, own=references[:1]),
)
unsplit = rouge_scorer.RougeScorer(["rougeLsum"]).score(references[1], one_line)["rougeLsum"]
row(
    "rougeLsum of texts on one line",
    unsplit.fmeasure,
    rouge("rouge-l-f", one_line, references[1:], sentences="lines"),
    rouge("rouge-l-f", one_line, references[1:]),
)
row(
    "rouge-score, `score_multi`, rouge2 F, two references",
    best["rouge2"].fmeasure,
    rouge("rouge-2-f", stem="nltk", models="best-f"),
    rouge("rouge-2-f", stem=True),
)
demo = load_demo()
peers = [summary for summary in demo.summaries if summary.task == "A" and summary.is_peer]
texts = [s.plain for s in peers], [demo.references(s.topic, "A")[0].plain for s in peers]
found = evaluate_rouge.compute(predictions=texts[0], references=texts[1])["rouge2"]
sample = Rouge(n=2).score(*texts).mean("rouge-2-f")
row(f"evaluate, rouge2 of {len(peers)} texts", found, found, sample.mean)
torch = torchmetrics_rouge.rouge_score(prediction, references, accumulate="avg")
row(
    'torchmetrics, `rouge1_recall`, `accumulate="avg"`',
    torch["rouge1_recall"],
    rouge("rouge-1-r", models="mean"),
    rouge("rouge-1-r"),
)
row(
    "pyrouge, ROUGE-W-1.2 recall",
    rouge("rouge-w-1.2-r", w=1.2, exact=True),
    rouge("rouge-w-1.2-r", w=1.2, exact=True),
    rouge("rouge-w-1.2-r", w=1.2),
)
