"""What the training of models needs: weights rounded and packed, base forms learned.

The package reads what is written here, see ``pyramidion.text._tagging``.
"""

import json
import lzma
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.text._tagging import MAGIC, MAX_ENDING_LENGTH, Edit, HashedWeights, Lemmatizer


def rounded(
    weights: npt.NDArray[Any], keys: npt.NDArray[Any], hashes: int, *, step: float
) -> HashedWeights:
    """Round weights to whole steps."""
    whole = np.clip(np.rint(weights / step), -127, 127).astype(np.int16)
    used = np.flatnonzero(whole[1:].any(axis=1))
    return HashedWeights.indexed(whole[np.concatenate([[0], used + 1])], keys[used], hashes)


def packed(weights: HashedWeights) -> tuple[dict[str, int], bytes]:
    """Return the size, and what is not 0 as bytes, as `HashedWeights.unpack` reads them."""
    matrix = weights.matrix
    sizes = np.count_nonzero(matrix[1:], axis=1)
    columns = np.nonzero(matrix)[1].astype(np.uint8)
    values = matrix[matrix != 0].astype(np.int8)
    keys = np.diff(np.flatnonzero(weights.rows), prepend=0).astype("<u4")
    # Bytes of one kind side by side are packed better.
    planes = keys.view(np.uint8).reshape(-1, 4).T
    header = {
        "rows": len(keys),
        "values": len(values),
        "classes": matrix.shape[1],
        "hashes": len(weights.rows),
    }
    parts = (planes, sizes.astype(np.uint8), columns, values)
    return header, b"".join(part.tobytes() for part in parts)


def write_model(path: Path, header: Mapping[str, Any], weights: HashedWeights) -> None:
    """Write a model: what there is to know about it, and its weights."""
    size, data = packed(weights)
    head = json.dumps({**header, "weights": size}, ensure_ascii=False, sort_keys=True)
    whole = lzma.compress(head.encode() + b"\n" + data, preset=9 | lzma.PRESET_EXTREME)
    path.write_bytes(MAGIC + whole)


def learned_lemmatizer(lemma_triples: Iterable[tuple[str, str, str]]) -> Lemmatizer:
    """Learn from words, their tags and base forms."""
    counted: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for word, fine, lemma in lemma_triples:
        counted[fine, word.lower()][lemma.lower()] += 1
    best = {key: lemmas.most_common(1)[0][0] for key, lemmas in counted.items()}
    rules = _learned_rules(best)
    plain = Lemmatizer(rules, {})
    words = {
        f"{fine} {word}": lemma
        for (fine, word), lemma in sorted(best.items())
        if plain.lemma(word, fine) != lemma
    }
    return Lemmatizer(rules, words)


def lemma_header(lemmatizer: Lemmatizer) -> dict[str, Any]:
    """Return what JSON holds of base forms, as `Lemmatizer.from_header` reads it."""
    return {"rules": dict(lemmatizer.rules), "words": dict(lemmatizer.words)}


def _learned_rules(best: Mapping[tuple[str, str], str]) -> dict[str, Edit]:
    """Count edits by ending; keep those of an ending that a shorter one does not say."""
    seen: defaultdict[tuple[str, str], Counter[Edit]] = defaultdict(Counter)
    for (fine, word), lemma in best.items():
        edit = _edit(word, lemma)
        for size in range(min(MAX_ENDING_LENGTH, len(word) - 1) + 1):
            seen[fine, word[len(word) - size :]][edit] += 1
    rules: dict[str, Edit] = {}
    for fine, ending in sorted(seen, key=lambda key: (len(key[1]), key)):
        (edit, times), *_ = sorted(seen[fine, ending].items(), key=lambda item: (-item[1], item[0]))
        shorter = (rules.get(f"{fine} {ending[k:]}") for k in range(1, len(ending) + 1))
        inherited = next((edit for edit in shorter if edit), (0, ""))
        if edit != inherited and (times > 1 or not ending):
            rules[f"{fine} {ending}"] = edit
    return rules


def _edit(word: str, lemma: str) -> Edit:
    same = 0
    while same < min(len(word), len(lemma)) and word[same] == lemma[same]:
        same += 1
    return len(word) - same, lemma[same:]
