"""Parse two sentences, and print words, heads and names."""

from pyramidion.text import load_parser

parser = load_parser("light")  # load_parser() takes the English pipeline if spaCy is installed
[words] = parser.parse(["Sen. Dana Whitfield rejected the plan."])

for word in words:
    print(f"{word.text:10} {word.relation:12} {words[word.head].text:10} {word.entity}")
