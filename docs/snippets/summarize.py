"""Summarize two articles, and explain the choice of sentences."""

from pyramidion import summarize
from pyramidion.summarizers import Explanation, Limit, Source, parse_summarizer

articles = [
    "PORT LISLE (HNS) - Heavy rain flooded the harbor road in Ardel. The mayor spoke to a crowd.",
    "Workers opened the harbor road in Ardel again. Goats were sold in the town. Rain!",
]
extract = summarize(articles, words=16, method="sum-avr")
print(extract.text)

# The same in steps, with explanations: the weight of a word falls once it is used.
source = Source.of_texts(articles)
method = parse_summarizer("sum-avr")
assert method.summarize(source, Limit(16)) == extract
explanation = Explanation(method, source, extract)
for rank, terms in explanation.terms.items():
    print(rank, ", ".join(f"{word} {weight:.2g}" for word, weight in terms))

# A method is a value: it prints as its name with options, and is parsed from this text.
squared = parse_summarizer("sum-avr(context=squared)")
assert str(squared) == "sum-avr(context=squared)"
assert extract.words <= 16
