"""Weights of hashed features, few of them, in a small file."""

import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.errors import InputError

__all__ = ["HashedWeights", "read_model", "write_model"]

Scores = npt.NDArray[np.int16]

_MAGIC = b"pyramidion model 1\n"


@dataclass(frozen=True, eq=False)
class HashedWeights:
    """What features that were hashed to numbers say about classes.

    Parameters
    ----------
    matrix
        A row a feature that says anything, after an empty row; a column a class.
    rows
        The row of each hashed feature, 0 for one that says nothing.

    Examples
    --------
    >>> weights = HashedWeights.of(np.array([[0.0, 0.0], [1.0, -2.0]]), np.array([5]), 8, step=0.5)
    >>> weights.score(np.array([[5, 3], [5, 5]])).tolist()
    [[2, -4], [4, -8]]
    """

    matrix: npt.NDArray[np.int16]
    rows: npt.NDArray[np.int32]

    @classmethod
    def of(
        cls, weights: npt.NDArray[Any], keys: npt.NDArray[Any], hashes: int, *, step: float
    ) -> "HashedWeights":
        """Round weights to whole steps.

        Parameters
        ----------
        weights
            An empty row, then a row a feature.
        keys
            The features' hashed numbers, in order.
        hashes
            How many hashed numbers there are.
        step
            What 1 stands for; weights up to 127 steps are kept.
        """
        whole = np.clip(np.rint(weights / step), -127, 127).astype(np.int16)
        used = np.flatnonzero(whole[1:].any(axis=1))
        return cls._placed(whole[np.concatenate([[0], used + 1])], keys[used], hashes)

    @classmethod
    def _placed(
        cls, matrix: npt.NDArray[np.int16], keys: npt.NDArray[Any], hashes: int
    ) -> "HashedWeights":
        rows = np.zeros(hashes, np.int32)
        rows[keys] = np.arange(1, len(keys) + 1)
        return cls(matrix, rows)

    def score(self, hashes: npt.NDArray[Any]) -> Scores:
        """Add up what the features of each case (a row of hashed numbers) say."""
        found = self.rows[hashes]
        total: Scores = self.matrix[found[:, 0]]
        for column in range(1, found.shape[1]):
            total += self.matrix[found[:, column]]
        return total

    def packed(self) -> tuple[dict[str, int], bytes]:
        """Give the size, and what is not 0 as bytes."""
        sizes = np.count_nonzero(self.matrix[1:], axis=1)
        columns = np.nonzero(self.matrix)[1].astype(np.uint8)
        values = self.matrix[self.matrix != 0].astype(np.int8)
        keys = np.diff(np.flatnonzero(self.rows), prepend=0).astype("<u4")
        # Bytes of one kind side by side are packed better.
        planes = keys.view(np.uint8).reshape(-1, 4).T
        header = {
            "rows": len(keys),
            "values": len(values),
            "classes": self.matrix.shape[1],
            "hashes": len(self.rows),
        }
        parts = (planes, sizes.astype(np.uint8), columns, values)
        return header, b"".join(part.tobytes() for part in parts)

    @classmethod
    def unpacked(cls, header: Mapping[str, int], data: bytes) -> "HashedWeights":
        """Read what `packed` wrote."""
        count, values = header["rows"], header["values"]
        flat = np.frombuffer(data, np.uint8)
        planes, sizes, columns, own, _ = np.split(
            flat, np.cumsum([4 * count, count, values, values])
        )
        keys = np.ascontiguousarray(planes.reshape(4, -1).T).view("<u4")[:, 0]
        matrix = np.zeros((count + 1, header["classes"]), np.int16)
        matrix[np.repeat(np.arange(1, count + 1), sizes), columns] = own.view(np.int8)
        return cls._placed(matrix, np.cumsum(keys), header["hashes"])


def write_model(path: Path, header: Mapping[str, Any], weights: HashedWeights) -> None:
    """Write a model: what there is to know about it, and its weights.

    Parameters
    ----------
    path
        The file.
    header
        Anything that JSON holds.
    weights
        The weights.
    """
    size, data = weights.packed()
    head = json.dumps({**header, "weights": size}, ensure_ascii=False, sort_keys=True)
    packed = lzma.compress(head.encode() + b"\n" + data, preset=9 | lzma.PRESET_EXTREME)
    path.write_bytes(_MAGIC + packed)


def read_model(path: Path) -> tuple[dict[str, Any], HashedWeights]:
    """Read a model that `write_model` wrote.

    Parameters
    ----------
    path
        The file.
    """
    try:
        magic, _, packed = path.read_bytes().partition(b"\n")
        if magic + b"\n" != _MAGIC:
            raise ValueError
        head, _, data = lzma.decompress(packed).partition(b"\n")
        header = json.loads(head)
        return header, HashedWeights.unpacked(header["weights"], data)
    except (OSError, ValueError, KeyError, lzma.LZMAError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no model"
        raise InputError(
            f"{path}: a model cannot be read ({reason})",
            hint="install the package again, or make the model anew with `make tagger`",
        ) from None
