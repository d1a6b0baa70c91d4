"""The public names, and the modules they are loaded from."""

from pyramidion.text._english import english_file as english_file
from pyramidion.text._english import english_is_installed as english_is_installed
from pyramidion.text.parsing import ParsedSentence as ParsedSentence
from pyramidion.text.parsing import load_parser as load_parser
from pyramidion.text.sentences import sentence_spans as sentence_spans
from pyramidion.text.sentences import split_sentences as split_sentences
from pyramidion.text.sentences import strip_boilerplate as strip_boilerplate
from pyramidion.text.tokens import STOP_WORDS as STOP_WORDS
from pyramidion.text.tokens import TOKENIZERS as TOKENIZERS
from pyramidion.text.tokens import Tokenizer as Tokenizer
from pyramidion.text.tokens import count_words as count_words
from pyramidion.text.tokens import is_stop_word as is_stop_word
from pyramidion.text.tokens import stem as stem
from pyramidion.text.tokens import tokenize as tokenize
from pyramidion.text.tokens import truncate_sentences as truncate_sentences
from pyramidion.text.tokens import truncate_words as truncate_words
from pyramidion.text.tokens import words as words
