"""Words as small integers, for loops that compare them by the million.

This is the readable specification of the compiled class of the same name, and the
fallback if nothing was compiled.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from pyramidion._types import Ints
from pyramidion.kernels.lexicon import Lexicon
from pyramidion.kernels.tokens import rouge_tokens

__all__ = ["Encoding", "Text", "Vocabulary"]

Encoding = tuple[npt.NDArray[np.int32], Ints, Ints]
"""The result of `Vocabulary.encode`: word ids, starts of sentences, starts of texts."""

Text = str | bytes | list[str] | list[bytes] | tuple[str | bytes, ...]
"""A text: its lines are its sentences, or it is a list of sentences."""

_DROPPED_ID = -1


class Vocabulary:
    """Numbers words from 0 in the order of their first appearance.

    Words with the same stem have the same number. A vocabulary grows with every text it encodes;
    texts can be compared if the same vocabulary encoded them.
    """

    __slots__ = ("_forms", "_ids", "_lexicon", "_stem", "_stop_words")

    def __init__(self, lexicon: Lexicon, *, stem: bool = False, stop_words: bool = False) -> None:
        self._lexicon = lexicon
        self._stem = stem
        self._stop_words = stop_words
        self._forms: dict[str, int] = {}
        self._ids: dict[str, int] = {}

    @property
    def words(self) -> list[str]:
        """The words (or their stems, if stemming is on), in the order of their numbers."""
        return list(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def encode(self, texts: Sequence[Text]) -> Encoding:
        """Tokenize many texts as ROUGE-1.5.5 does and number their words."""
        ids: list[int] = []
        sentence_starts, text_starts = [0], [0]
        for sentences in _sentences_of_each(texts):
            for sentence in sentences:
                ids.extend(self._encode_tokens(rouge_tokens(sentence)))
                sentence_starts.append(len(ids))
            text_starts.append(len(sentence_starts) - 1)
        return _int32_array(ids), _int64_array(sentence_starts), _int64_array(text_starts)

    def encode_words(self, words: Sequence[str]) -> npt.NDArray[np.int32]:
        """Encode words from another tokenizer."""
        if isinstance(words, str | bytes):
            raise TypeError(f"words must be a sequence of str, not {type(words).__name__}")
        for position, word in enumerate(words):
            if not isinstance(word, str):
                raise TypeError(f"words[{position}] must be str, not {type(word).__name__}")
        return _int32_array(self._encode_tokens(words))

    def _encode_tokens(self, words: Iterable[str]) -> list[int]:
        return [word_id for word in words if (word_id := self._word_id(word)) != _DROPPED_ID]

    def _word_id(self, word: str) -> int:
        word_id = self._forms.get(word)
        if word_id is None:
            word_id = self._forms[word] = self._new_form(word)
        return word_id

    def _new_form(self, word: str) -> int:
        if self._stop_words and self._lexicon.is_stop_word(word):
            return _DROPPED_ID
        stem = self._lexicon.stem(word) if self._stem else word
        return self._ids.setdefault(stem, len(self._ids))


def _sentences_of_each(texts: Iterable[Text]) -> list[Sequence[str | bytes]]:
    """Check all texts before encoding any, so that an invalid one changes nothing."""
    if isinstance(texts, str | bytes):
        raise TypeError(f"texts must be a sequence of texts, not one {type(texts).__name__}")
    return [_sentences(text, position) for position, text in enumerate(texts)]


def _sentences(text: Text, position: int) -> Sequence[str | bytes]:
    if isinstance(text, str):
        return text.split("\n")
    if isinstance(text, bytes):
        return text.split(b"\n")
    if not isinstance(text, list | tuple):
        raise _text_type_error(text, position)
    for sentence in text:
        if not isinstance(sentence, str | bytes):
            raise _text_type_error(sentence, position)
    return text


def _text_type_error(value: object, position: int) -> TypeError:
    return TypeError(
        f"texts[{position}] must be str, bytes or a list of these, not {type(value).__name__}"
    )


def _int32_array(values: list[int]) -> npt.NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def _int64_array(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int64)
