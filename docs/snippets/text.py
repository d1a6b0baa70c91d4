"""Split text into tokens, stems and sentences."""

from pyramidion.text import split_sentences, stem, tokenize

print(tokenize("Café prices rose 3.75%"))
print(tokenize("Café prices rose 3.75%", "unicode"))
print(stem("governmental"))
print(split_sentences("Sen. H. Clay spoke at 11 p.m. Nobody listened."))
