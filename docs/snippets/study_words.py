"""How people summarize the demonstration's topics: which words they share, and how frequent."""

from pyramidion.demo import load_demo
from pyramidion.evaluation.study import (
    count_words_of,
    frequency_classes,
    frequent_words,
    gather_places,
    input_classes,
    reference_sets,
)
from pyramidion.text.encoding import Reading

demo = load_demo()
classes = frequency_classes(reference_sets(demo))
print("probability of classes 1 to 4:", classes.probabilities.mean(axis=0).round(3))
print("words of 1 to 4 references:", classes.growth.mean(axis=0).round(1))

places, left_out = gather_places(demo)
topics, _ = count_words_of(places, Reading(stem=True, stop_words=True))
for row in frequent_words(topics):
    print(row.summarizer, [round(100 * share, 1) for share in row.shares])
print("frequency of classes 0 to 4:", input_classes(topics).mean_frequencies.round(2))
assert left_out == []
