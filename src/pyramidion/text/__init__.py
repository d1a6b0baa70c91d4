"""Words and sentences: tokens, stems, stop words, limits, and where sentences end.

>>> from pyramidion.text import stem, tokenize, words
>>> tokenize("The geese flew at 7:45.")
['the', 'geese', 'flew', 'at', '7', '45']
>>> stem("geese")
'goose'
>>> words("The geese flew at 7:45.", stem=True, stop_words=True)
['goose', 'fly', '7', '45']
"""

from typing import TYPE_CHECKING, Any

from pyramidion.text.limits import count_words, truncate_sentences, truncate_words
from pyramidion.text.stems import stem, words
from pyramidion.text.stopwords import is_stop_word
from pyramidion.text.tokens import TOKENIZERS, Tokenizer, tokenize

if TYPE_CHECKING:
    from pyramidion.text.boilerplate import strip_boilerplate
    from pyramidion.text.sentences import sentence_spans, split_sentences
    from pyramidion.text.stopwords import STOP_WORDS

__all__ = [
    "STOP_WORDS",
    "TOKENIZERS",
    "Tokenizer",
    "count_words",
    "is_stop_word",
    "sentence_spans",
    "split_sentences",
    "stem",
    "strip_boilerplate",
    "tokenize",
    "truncate_sentences",
    "truncate_words",
    "words",
]


def __getattr__(name: str) -> Any:
    # The stop list is a file and sentences have tables of their own: both can wait.
    if name == "STOP_WORDS":
        from pyramidion.text import stopwords

        return stopwords.STOP_WORDS
    if name in ("sentence_spans", "split_sentences"):
        from pyramidion.text import sentences

        return getattr(sentences, name)
    if name == "strip_boilerplate":
        from pyramidion.text import boilerplate

        return boilerplate.strip_boilerplate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
