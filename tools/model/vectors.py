"""Word vectors: the first layer of a small sentence encoder, shortened by principal components."""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from spacy.vectors import Vectors

__all__ = ["encoder_vectors", "kept_vectors"]

_TENSOR = "embeddings.word_embeddings.weight"


def encoder_vectors(folder: Path, *, words: int, width: int) -> Callable[[Any], None]:
    """Take the vectors of the most frequent words, whatever their capitals."""
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    table = _read(folder / "model.safetensors", _TENSOR)
    # The vocabulary is ordered by frequency after its letters.
    rows = [i for i, word in enumerate(vocabulary) if word.isalpha() and word.isascii()][:words]
    chosen = _shortened(table[rows], width)
    return lambda nlp: _give(nlp, [vocabulary[i] for i in rows], chosen)


def kept_vectors(folder: Path) -> Callable[[Any], None]:
    """Take the vectors of a pipeline."""
    vectors = spacy.load(folder).vocab.vectors
    strings = vectors.strings
    words = sorted((row, strings[key]) for key, row in vectors.key2row.items())
    return lambda nlp: _give(nlp, [word for _, word in words], vectors.data)


def _give(nlp: Any, words: list[str], data: Any) -> None:
    keys = [nlp.vocab.strings.add(word) for word in words]
    nlp.vocab.vectors = Vectors(
        strings=nlp.vocab.strings, data=data, keys=keys, name="words", attr="LOWER"
    )


def _read(path: Path, name: str) -> Any:
    """Read a table of a safetensors file."""
    with path.open("rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        entry = json.loads(file.read(size))[name]
        first, last = entry["data_offsets"]
        file.seek(8 + size + first)
        return np.frombuffer(file.read(last - first), dtype=np.float32).reshape(entry["shape"])


def _shortened(table: Any, width: int) -> Any:
    centered = table - table.mean(axis=0)
    _, _, axes = np.linalg.svd(centered, full_matrices=False)
    short = centered @ axes[:width].T
    return (short / np.linalg.norm(short, axis=1, keepdims=True)).astype(np.float32)
