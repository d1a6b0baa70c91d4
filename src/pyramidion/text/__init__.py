"""Words and sentences: tokens, stems, stop words, limits, and where sentences end.

>>> from pyramidion.text import stem, tokenize, words
>>> tokenize("The geese flew at 7:45.")
['the', 'geese', 'flew', 'at', '7', '45']
>>> stem("geese")
'goose'
>>> words("The geese flew at 7:45.", stem=True, stop_words=True)
['goose', 'fly', '7', '45']
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
