"""From the texts of items to numbers of words, as a `Rouge` value asks."""

from collections.abc import Sequence
from typing import Any

from pyramidion import kernels
from pyramidion.collection.formats.rouge.files import parse_sentences
from pyramidion.errors import InputError
from pyramidion.rouge.counting import Reading
from pyramidion.rouge.items import Items, TextInput
from pyramidion.rouge.rouge import Rouge
from pyramidion.text import truncate_sentences
from pyramidion.text.encoding import as_sentences, encode, lines_of
from pyramidion.text.stems import lexicon

__all__ = ["as_bytes", "read_items"]


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
    texts = [
        _prepared(rouge, text, is_peer=is_peer)
        for text, is_peer in zip(items.texts, items.is_peer, strict=True)
    ]
    encoded = encode(
        texts,
        tokenizer=rouge.tokenizer,
        stem=rouge.stem,
        stop_words=rouge.stop_words,
        exceptions=rouge.exceptions,
    )
    return Reading.of(encoded.ids, encoded.sentences, encoded.texts)


def _prepared(rouge: Rouge, text: TextInput, *, is_peer: bool) -> Any:
    """Cut a peer, and split prose where sentences matter."""
    if is_peer and rouge.limit is not None:
        text = _cut(rouge, text)
    return _in_sentences(rouge, text) if rouge.l or rouge.w is not None else text


def _vocabulary(rouge: Rouge) -> kernels.Vocabulary:
    known = lexicon(exceptions=rouge.exceptions)
    return kernels.Vocabulary(known, stem=rouge.stem, stop_words=rouge.stop_words)


def _exact_reading(rouge: Rouge, items: Items) -> Reading:
    vocabulary = _vocabulary(rouge)
    texts = [parse_sentences(as_bytes(text), "SPL") for text in items.texts]
    limit = rouge.limit
    if limit is None:
        return Reading.of(*vocabulary.encode(texts))
    ids, sentences, bounds = vocabulary.encode([limit.flat(text) for text in texts])
    if limit.unit == "words":
        return Reading.of(ids, sentences, bounds)
    listed = vocabulary.encode([limit.listed(text) for text in texts])
    return Reading(kernels.Summaries(ids, sentences[bounds], *listed))


def as_bytes(text: TextInput) -> bytes:
    r"""Give a text as the file that ROUGE-1.5.5 would read.

    Examples
    --------
    >>> as_bytes(["It rained.", "Roads closed."])
    b'It rained.\nRoads closed.'
    """
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    return text if isinstance(text, bytes) else b"\n".join(as_bytes(part) for part in text)


def _in_sentences(rouge: Rouge, text: TextInput) -> TextInput:
    """Split prose; a text with line breaks, or a list, is given in sentences already."""
    if not isinstance(text, str | bytes):
        return text
    return as_sentences(_as_text(rouge, text))


def _cut(rouge: Rouge, text: TextInput) -> TextInput:
    lines = [_as_text(rouge, line) for line in lines_of(text)]
    if rouge.words is not None:
        kept = truncate_sentences(lines, rouge.words)
    else:
        assert rouge.bytes is not None
        kept = _first_bytes(lines, rouge.bytes)
    return "\n".join(kept) if isinstance(text, str | bytes) else tuple(kept)


def _first_bytes(lines: Sequence[str], room: int) -> list[str]:
    kept = []
    for line in lines:
        data = as_bytes(line)[:room]
        room -= len(data)
        # Half a character is none.
        kept.append(data.decode("utf-8", "ignore"))
    return kept


def _as_text(rouge: Rouge, text: str | bytes) -> str:
    """Decode bytes; the tokenizer of ROUGE-1.5.5 takes what is no UTF-8 as blanks anyway."""
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8", "strict" if rouge.tokenizer == "unicode" else "replace")
    except UnicodeDecodeError as error:
        raise InputError(
            f"a text is not UTF-8: byte 0x{text[error.start]:02x} at position {error.start}",
            hint="decode it first, or use the tokenizer rouge, which takes any bytes",
        ) from None
