"""Show which words people share in the demonstration, and how frequent these words are."""

from pyramidion.demo import load_demo
from pyramidion.studies import FrequentShares, frequent_words, vocabulary, word_classes

demo = load_demo()
[study] = vocabulary(demo)
classes = study.groups[0].classes
print("probability of classes 1 to 4:", classes.probabilities.mean(axis=0).round(3))
print("words of 1 to 4 references:", classes.growth.mean(axis=0).round(1))

for row in frequent_words(demo, tokenizer="rouge").of_type(FrequentShares):
    print(row.summarizer, [round(100 * share, 1) for share in row.shares])
[found] = word_classes(demo, tokenizer="rouge")
print("frequency of classes 0 to 4:", found.mean_frequencies.round(2))
