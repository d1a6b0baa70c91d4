"""Tokens, stems and sentences."""

from pyramidion.text import split_sentences, stem, tokenize

assert tokenize("Café prices rose 3.75%") == ["caf", "prices", "rose", "3", "75"]
assert tokenize("Café prices rose 3.75%", "unicode")[0] == "café"
assert stem("governmental") == "govern"
assert split_sentences("Sen. H. Clay spoke at 11 p.m. Nobody listened.") == [
    "Sen. H. Clay spoke at 11 p.m.",
    "Nobody listened.",
]
