"""The public names, and the modules they are loaded from."""

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
