"""The two modes side by side: prints the rows of the table on the page about ROUGE."""

from pyramidion import Rouge
from pyramidion.demo import load_demo
from pyramidion.rouge.of_collection import score_collection


def both(peer, reference, measure, **options):
    """Score one summary in both modes."""
    return [
        f"{Rouge(**options, exact=exact).score([peer], [[reference]])[measure][0]:.5f}"
        for exact in (False, True)
    ]


def row(what, sound, exact):
    print(f"| {what} | {sound} | {exact} |")


# F is computed from recall 2/6 and precision 2/5 as they are, not from 0.33333 and 0.40000.
row("F of 2 shared words of 5 and 6", *both("a b x y z", "a b c d e f", "rouge-1-f", n=1))

# The script weighs a reference's length twice.
text = "rain fell on the harbor road today"
row(
    "ROUGE-W-1.2 recall of a text of 7 words against itself",
    *both(text, text, "rouge-w-1.2-r", w=1.2),
)

# The script takes the whole peer as one run.
text = "rain fell on the road\nthe bridge was closed"
row(
    "ROUGE-W-1.2 precision of two sentences against themselves",
    *both(text, text, "rouge-w-1.2-p", w=1.2),
)

# The script cuts references, too.
limited = both("rain fell", "rain fell on the road", "rouge-1-r", words=2)
row("ROUGE-1 recall, limit of 2 words, reference of 5", *limited)

# A blank at the beginning of a line is a word to the script.
row(
    "ROUGE-1 recall, limit of 2 words, peer begins with a blank",
    *both(" rain fell", "rain fell", "rouge-1-r", words=2),
)

# With a limit in bytes the script forgets to add up in ROUGE-L and ROUGE-W.
text = "rain fell\nroads shut"
for name in ("1", "l"):
    row(
        f"ROUGE-{name.upper()} recall of 19 bytes against themselves, limit of 12",
        *both(text, text, f"rouge-{name}-r", bytes=12),
    )

# Prose without line breaks is one sentence to the script.
prose = both("Rain fell. Roads closed.", ["Roads closed, rain fell."], "rouge-l-f")
row("ROUGE-L of two sentences in one line, reference the other way round", *prose)

# The printed average is the mean of 1,000 bootstrap means, always of the same draws.
demo = load_demo()
for what in ("mean", "interval"):
    shown = []
    for exact in (False, True):
        rouge = Rouge(n=2, l=False, stem=True, exact=exact)
        scored = [
            s for s in score_collection(demo, rouge).summaries if (s.task, s.system) == ("A", "A")
        ]
        references = {
            s.topic: [r.text for r in demo.references(s.topic, "A") if r.system != "A"]
            for s in scored
        }
        found = rouge.score({s.topic: s.text for s in scored}, references).mean("rouge-2-f")
        shown.append(
            f"{found.mean:.5f}" if what == "mean" else f"{found.low:.5f} - {found.high:.5f}"
        )
    row(f"demo collection, system A, ROUGE-2 F: {what} of 3", *shown)
