"""Summarize a topic by several methods and for several tasks."""

from pyramidion import summarize
from pyramidion.demo import load_demo
from pyramidion.summarizers import Limit, Source, parse_summarizer

demo = load_demo()
topic = demo.topic("P01")

# One call for texts, documents or a topic.
extract = summarize(topic, words=30, method="hmm-qr", documents="base", focus="generic")
for sentence in extract.sentences:
    print(sentence.document, sentence.index, sentence.text)

# A method is a value: it prints as its name with options.
method = parse_summarizer("sum-avr(context=squared)")
assert method == parse_summarizer(str(method))

# An input is read once for all methods. Readers of the update know the base documents.
update = Source.of_topic(demo, topic, "B", focus="guided")
assert update.known_texts
for name in ("sum-avr", "lexrank", "mmr", "coverage"):
    extract = parse_summarizer(name).summarize(update, Limit(100))
    assert extract.words <= 100
    assert extract.notes == ()

# What a method does not use is reported.
print(parse_summarizer("lead").summarize(update, Limit(100)).notes)
