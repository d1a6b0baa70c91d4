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
    from pyramidion.text._parsing import load_parser as load_parser
    from pyramidion.text._sentences import sentence_spans as sentence_spans
    from pyramidion.text._sentences import split_sentences as split_sentences
    from pyramidion.text._sentences import strip_boilerplate as strip_boilerplate
    from pyramidion.text._tokens import STOP_WORDS as STOP_WORDS
    from pyramidion.text._tokens import TOKENIZERS as TOKENIZERS
    from pyramidion.text._tokens import Tokenizer as Tokenizer
    from pyramidion.text._tokens import count_words as count_words
    from pyramidion.text._tokens import is_stop_word as is_stop_word
    from pyramidion.text._tokens import stem as stem
    from pyramidion.text._tokens import tokenize as tokenize
    from pyramidion.text._tokens import truncate_sentences as truncate_sentences
    from pyramidion.text._tokens import truncate_words as truncate_words
    from pyramidion.text._tokens import words as words

#: The module of each public name; the stop list is a file, and sentences have tables of their own.
_MODULES = {
    "_parsing": "load_parser",
    "_sentences": "sentence_spans split_sentences strip_boilerplate",
    "_tokens": (
        "count_words is_stop_word stem STOP_WORDS tokenize Tokenizer TOKENIZERS "
        "truncate_sentences truncate_words words"
    ),
}

__all__, __getattr__, __dir__ = lazy_front(__name__, _MODULES)
