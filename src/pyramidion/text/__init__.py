"""Words and sentences: tokens, stems, stop words, limits, and where sentences end.

>>> from pyramidion.text import stem, tokenize, words
>>> tokenize("The geese flew at 7:45.")
['the', 'geese', 'flew', 'at', '7', '45']
>>> stem("geese")
'goose'
>>> words("The geese flew at 7:45.", stem=True, stop_words=True)
['goose', 'fly', '7', '45']
"""

from typing import TYPE_CHECKING

from pyramidion._lazy import lazy_front

if TYPE_CHECKING:
    from pyramidion.text.boilerplate import strip_boilerplate as strip_boilerplate
    from pyramidion.text.limits import count_words as count_words
    from pyramidion.text.limits import truncate_sentences as truncate_sentences
    from pyramidion.text.limits import truncate_words as truncate_words
    from pyramidion.text.sentences import sentence_spans as sentence_spans
    from pyramidion.text.sentences import split_sentences as split_sentences
    from pyramidion.text.stems import stem as stem
    from pyramidion.text.stems import words as words
    from pyramidion.text.stopwords import STOP_WORDS as STOP_WORDS
    from pyramidion.text.stopwords import is_stop_word as is_stop_word
    from pyramidion.text.tokens import TOKENIZERS as TOKENIZERS
    from pyramidion.text.tokens import Tokenizer as Tokenizer
    from pyramidion.text.tokens import tokenize as tokenize

#: The module of each public name; the stop list is a file, and sentences have tables of their own.
_MODULES = {
    "STOP_WORDS": "stopwords",
    "TOKENIZERS": "tokens",
    "Tokenizer": "tokens",
    "count_words": "limits",
    "is_stop_word": "stopwords",
    "sentence_spans": "sentences",
    "split_sentences": "sentences",
    "stem": "stems",
    "strip_boilerplate": "boilerplate",
    "tokenize": "tokens",
    "truncate_sentences": "limits",
    "truncate_words": "limits",
    "words": "stems",
}

__all__, __getattr__, __dir__ = lazy_front(__name__, _MODULES)
