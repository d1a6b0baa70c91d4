"""Write a collection in which two programs play judges and mark the sentences of a topic."""

from dataclasses import replace

from pyramidion.collection import Collection, Scores
from pyramidion.summarizers import Source
from pyramidion.text import tokenize

collection = Collection.load("collection")
topic = next(topic for topic in collection.topics if topic.id == "P01")
summaries = [summary for summary in collection.summaries if summary.topic == "P01"]
# A text is one string, or a tuple of sentences.
texts = [s.text if isinstance(s.text, str) else " ".join(s.text) for s in summaries]
rows, marks = [], []
for document in topic.documents:
    for sentence in Source.of_documents([document]).sentences:
        words = {*tokenize(sentence.text)}
        for judge, references in (("first", texts[::2]), ("second", texts[1::2])):
            shared = words & {*tokenize(" ".join(references))}
            marks.append(round(10 * len(shared) / len(words)))
            rows.append(("P01", f"{document.id}/{sentence.index + 1}", judge))
names = ("topic", "unit", "assessor")
columns = {name: [row[number] for row in rows] for number, name in enumerate(names)}
fixed = {"system": ["input"] * len(rows), "kind": ["human"] * len(rows)}
measure = {"measure": ["relative-utility"] * len(rows)}
replace(collection, scores=Scores(columns | fixed | measure, marks)).save("marked")
