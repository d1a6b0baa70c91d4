"""From the texts of items to numbers of words, as a `Rouge` value asks."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from pyramidion import kernels
from pyramidion.rouge.counting import Reading
from pyramidion.rouge.items import Items, TextInput
from pyramidion.rouge.rouge import Rouge
from pyramidion.text import split_sentences, tokenize, truncate_sentences, truncate_words
from pyramidion.text.stems import lexicon

__all__ = ["read_items"]


def read_items(rouge: Rouge, items: Items) -> Reading:
    """Tokenize the texts of items.

    Parameters
    ----------
    rouge
        How texts are read.
    items
        The texts.

    Examples
    --------
    >>> items = Items()
    >>> items.add("It rained.", ["Rain fell."], "T1")
    >>> read_items(Rouge(), items).flat_lengths.tolist()
    [2, 2]
    """
    if rouge.exact:
        return _exact_reading(rouge, items)
    texts: Sequence[Any] = items.texts
    if rouge.words is not None or rouge.bytes is not None:
        texts = [
            _cut(rouge, text) if is_peer else text
            for text, is_peer in zip(texts, items.is_peer, strict=True)
        ]
    if rouge.l or rouge.w is not None:
        texts = [_in_sentences(text) for text in texts]
    return Reading.of(*_encoded(rouge, texts))


def _vocabulary(rouge: Rouge) -> kernels.Vocabulary:
    known = lexicon(exceptions=rouge.exceptions)
    return kernels.Vocabulary(known, stem=rouge.stem, stop_words=rouge.stop_words)


def _encoded(rouge: Rouge, texts: Sequence[Any]) -> kernels.Encoding:
    vocabulary = _vocabulary(rouge)
    if rouge.tokenizer == "rouge":
        return vocabulary.encode(texts)
    ids, sentence_ends, text_ends = [np.empty(0, np.int32)], [0], [0]
    for text in texts:
        for sentence in _lines(text):
            ids.append(vocabulary.encode_words(tokenize(sentence, rouge.tokenizer)))
            sentence_ends.append(sentence_ends[-1] + len(ids[-1]))
        text_ends.append(len(sentence_ends) - 1)
    return np.concatenate(ids), np.array(sentence_ends), np.array(text_ends)


def _exact_reading(rouge: Rouge, items: Items) -> Reading:
    vocabulary = _vocabulary(rouge)
    texts = [[_as_bytes(line) for line in _lines(text) if line] for text in items.texts]
    limit = rouge.limit
    if limit is None:
        return Reading.of(*vocabulary.encode(texts))
    ids, sentences, bounds = vocabulary.encode([limit.flat(text) for text in texts])
    if limit.unit == "words":
        return Reading.of(ids, sentences, bounds)
    listed = vocabulary.encode([limit.listed(text) for text in texts])
    return Reading(kernels.Summaries(ids, sentences[bounds], *listed))


def _as_bytes(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def _lines(text: Any) -> Sequence[str | bytes]:
    if isinstance(text, str):
        return text.split("\n")
    return text.split(b"\n") if isinstance(text, bytes) else text


def _in_sentences(text: TextInput) -> TextInput:
    """Split prose; a text with line breaks, or a list, is given in sentences already."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    if not isinstance(text, str) or "\n" in text.strip():
        return text
    return _split(text)


@cache
def _split(text: str) -> tuple[str, ...]:
    return tuple(split_sentences(text))


def _cut(rouge: Rouge, text: Any) -> Any:
    if rouge.words is not None:
        if isinstance(text, str):
            return truncate_words(text, rouge.words)
        return tuple(truncate_sentences([_as_text(part) for part in _lines(text)], rouge.words))
    assert rouge.bytes is not None
    room, kept = rouge.bytes, []
    for line in _lines(text):
        data = _as_bytes(line)[: max(room, 0)]
        room -= len(data)
        kept.append(data.decode("utf-8", "ignore"))
    return tuple(kept)


def _as_text(part: str | bytes) -> str:
    return part if isinstance(part, str) else part.decode("utf-8", "replace")
