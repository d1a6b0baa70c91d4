"""Compare the built-in checks with people's labels of a few summaries."""

from pathlib import Path

from pyramidion import Collection, Summary, Topic, faithful
from pyramidion.collection import Document

TOWNS = ("Ardel", "Brix", "Corin", "Dunmore", "Elva", "Falk", "Gorey", "Hale")
topics, summaries, labels = [], [], ["topic,system,statement,annotator,label"]
for number in range(40):
    town, cost, is_wrong = TOWNS[number % 8], 12 + number, number % 2 == 1
    article = f"Mayor Ada Lee opened the {town} bridge. Engineer Omar Finch paid ${cost} million."
    topics.append(Topic(f"T{number}", documents=(Document("d", article),)))
    texts = {
        "copied": f"Ada Lee opened the {town} bridge.",
        "invented": f"Omar Finch paid ${cost * (1 + is_wrong)} million.",
        "swapped": f"Ada Lee paid ${cost} million.",
    }
    for system, text in texts.items():
        summaries.append(Summary(f"T{number}", system, text))
        is_faithful = system == "copied" or (system == "invented" and not is_wrong)
        if number % 3 == 0:  # people read every third article
            label = "supported" if is_faithful else "unsupported"
            labels.append(f"T{number},{system},1,ann,{label}")
Path("labels.csv").write_text("\n".join(labels), encoding="utf-8")

result = faithful(
    Collection("bridges", topics=tuple(topics), summaries=tuple(summaries)), labels="labels.csv"
)
people = result.people
assert people is not None  # there are labels
for name, figure in people.overall.items():
    print(f"{name}: {figure.text}, within systems {people.within[name].text}")
for share in people.systems:
    print(f"{share.system}: people {share.people.text}, with the checker {share.combined.text}")
