"""Print the rows of the table in docs/rouge.md, for both modes."""

from pyramidion import Rouge
from pyramidion.demo import load_demo


def both(peer, reference, measure, **options):
    """Score one summary against one reference in both modes."""
    return [
        f"{Rouge(**options, exact=exact).score([peer], [[reference]])[measure][0]:.5f}"
        for exact in (False, True)
    ]


def row(what, sound, exact):
    print(f"| {what} | {sound} | {exact} |")


row(
    "F of 2 shared words, in texts of 5 and 6 words", *both("a b x y z", "a b c d e f", "rouge-1-f")
)

line = "rain fell on the harbor road today"
lines = "rain fell on the road\nthe bridge was closed"
weighted = both(line, line, "rouge-w-1.2-r", w=1.2)
row("ROUGE-W-1.2 recall of 7 words, compared with themselves", *weighted)
weighted = both(lines, lines, "rouge-w-1.2-p", w=1.2)
row("ROUGE-W-1.2 precision of 2 sentences, compared with themselves", *weighted)

limited = both("rain fell", "rain fell on the road", "rouge-1-r", words=2)
row("ROUGE-1 recall, limit of 2 words, reference of 5", *limited)
blank = both(" rain fell", "rain fell", "rouge-1-r", words=2)
row("ROUGE-1 recall, limit of 2 words, a blank before the first", *blank)
lines = "rain fell\nroads shut"
for name in ("1", "l"):
    cut = both(lines, lines, f"rouge-{name}-r", bytes=12)
    row(f"ROUGE-{name.upper()} recall of 19 bytes, compared with themselves, limit of 12", *cut)

prose = both("Rain fell. Roads closed.", ["Roads closed, rain fell."], "rouge-l-f")
row("ROUGE-L F of two sentences on one line, in reverse order in the reference", *prose)

demo = load_demo()
summaries = [s for s in demo.summaries if (s.task, s.system) == ("A", "A")]
peers = {summary.topic: summary.text for summary in summaries}
references = {
    topic: [r.text for r in demo.references(topic, "A") if r.system != "A"] for topic in peers
}
means = [
    Rouge(n=2, stem=True, exact=exact).score(peers, references).mean("rouge-2-f")
    for exact in (False, True)
]
row("demo, task A, writer A: mean ROUGE-2 F of 3", *(f"{mean.mean:.5f}" for mean in means))
row("its 95% interval", *(f"{mean.low:.5f} to {mean.high:.5f}" for mean in means))
