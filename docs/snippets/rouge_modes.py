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


row("F of 2 shared words of 5 and 6", *both("a b x y z", "a b c d e f", "rouge-1-f"))

line = "rain fell on the harbor road today"
lines = "rain fell on the road\nthe bridge was closed"
row("ROUGE-W-1.2 recall of 7 words against themselves", *both(line, line, "rouge-w-1.2-r", w=1.2))
row("ROUGE-W-1.2 precision of 2 sentences, same", *both(lines, lines, "rouge-w-1.2-p", w=1.2))

limited = both("rain fell", "rain fell on the road", "rouge-1-r", words=2)
row("ROUGE-1 recall, limit of 2 words, reference of 5", *limited)
blank = both(" rain fell", "rain fell", "rouge-1-r", words=2)
row("ROUGE-1 recall, limit of 2 words, a blank before the first", *blank)
lines = "rain fell\nroads shut"
for name in ("1", "l"):
    cut = both(lines, lines, f"rouge-{name}-r", bytes=12)
    row(f"ROUGE-{name.upper()} recall of 19 bytes against themselves, limit of 12", *cut)

prose = both("Rain fell. Roads closed.", ["Roads closed, rain fell."], "rouge-l-f")
row("ROUGE-L F, two sentences on one line, in the reference the other way round", *prose)

demo = load_demo()
own = [s for s in demo.summaries if (s.task, s.system) == ("A", "A")]
peers = {summary.topic: summary.text for summary in own}
references = {
    topic: [r.text for r in demo.references(topic, "A") if r.system != "A"] for topic in peers
}
means = [
    Rouge(n=2, stem=True, exact=exact).score(peers, references).mean("rouge-2-f")
    for exact in (False, True)
]
row("demo, task A, writer A: mean ROUGE-2 F of 3", *(f"{found.mean:.5f}" for found in means))
row("its 95% interval", *(f"{found.low:.5f} to {found.high:.5f}" for found in means))
