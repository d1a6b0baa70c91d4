"""Build a pyramid from quotations, and score a peer and the references."""

from pyramidion.collection import SCU, Collection, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.pyramid import missed, optimal, score

references = {
    "A": "The ferry caught fire. Ten people died. The captain was questioned.",
    "B": "A fire on a ferry killed ten. The sprinklers did not work.",
    "C": "Ten died when a ferry burned. No alarm was heard.",
}
pyramid = Pyramid.from_references(
    references,
    [
        ("A ferry burned", {"A": ["ferry caught fire"], "B": ["fire on a ferry"],
                            "C": ["ferry burned"]}),
        ("Ten people died", {"A": ["Ten people died"], "B": ["killed ten"], "C": ["Ten died"]}),
        ("The captain was questioned", {"A": ["The captain was questioned"]}),
        ("The sprinklers did not work", {"B": ["The sprinklers did not work"]}),
        ("No alarm was heard", {"C": ["No alarm was heard"]}),
    ],
)  # fmt: skip

text = "A ferry burned. The captain was questioned. It was cold."


def said(words: str) -> tuple[Contributor, ...]:
    start = text.index(words)
    return (Contributor((Part(start, start + len(words), words),)),)


peer = PeerAnnotation(
    pyramid,
    text,
    (
        SCU("1", "(3) A ferry burned", said("ferry burned")),
        SCU("3", "(1) The captain was questioned", said("captain was questioned")),
        SCU("0", "All non-matching SCUs go here", said("It was cold")),
    ),
)
mine = Collection("ferry", pyramids={("", "T1"): pyramid}, peer_annotations={("", "T1", "7"): peer})

for one in score(mine):
    found = one.scores
    print(
        f"{one.case.system}: D {found.weight}, Max {found.max}, modified {found.modified:.3f}, "
        f"original {found.original:.3f}, precision {found.precision:.2f}, recall {found.recall:.2f}"
    )

[diagnosis] = missed(mine, system="7")
print("missed:", [unit["label"] for unit in diagnosis.missed_units])
best = optimal(mine, size=4)[0].best
print(f"{best.count} optimal summaries of 4 units weigh {best.max}")
assert best.examples(1) == [(0, 1, 2, 3)]
