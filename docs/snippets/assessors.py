"""Check whether two assessors are consistent, and which of them is severe."""

from pyramidion import assessors
from pyramidion.collection import Collection, Judgment, Scores, Summary, Topic

# Runs 1 and 2 submit the same summary of every topic, runs 3 and 4 of every second one.
judged = {
    "T1": ("K", (4, 4, 2, 2)),
    "T2": ("K", (5, 5, 3, 1)),
    "T3": ("K", (3, 4, 2, 2)),
    "T4": ("L", (4, 2, 1, 2)),
    "T5": ("L", (2, 2, 1, 4)),
    "T6": ("L", (3, 1, 2, 1)),
}
summaries, judgments, topics = [], [], []
for number, (topic, (assessor, values)) in enumerate(judged.items()):
    topics.append(Topic(topic, category=str(number % 3 + 1), assessor=assessor))
    for run, value in enumerate(values, start=1):
        writer = {2: 1, 4: 3 if number % 2 == 0 else 4}.get(run, run)
        summaries.append(Summary(topic, str(run), f"What {writer} said of {topic}."))
        judgments.append(Judgment(topic, str(run), "readability", float(value)))
year = Collection(
    "2011",
    topics=tuple(topics),
    summaries=tuple(summaries),
    scores=Scores.from_judgments(judgments),
)

result = assessors(year, level="interval")
for own in result:
    print(own.assessor or "all", own.pairs, "pairs", f"alpha {own.alpha.value:.3f}", end=" ")
    print(f"|difference| {own.mean_difference:.2f}", f"equal {own.equal:.0%}")
for severity in result.study.severity[0].assessors:
    print(severity.assessor, f"{severity.effect:+.2f} [{severity.low:+.2f}, {severity.high:+.2f}]")

assert [own.pairs for own in result] == [5, 4, 9]
