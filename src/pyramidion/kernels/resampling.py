"""Bootstrap sums with the random numbers of Perl, which has used drand48 since version 5.20.

This is the readable specification of the compiled function of the same name, and the
fallback if nothing was compiled.
"""

from collections.abc import Iterator

import numpy as np

from pyramidion._types import Floats, Ints

__all__ = ["bootstrap_sums", "draws"]

_MULTIPLIER = np.uint64(0x5DEECE66D)
_INCREMENT = np.uint64(0xB)
_MODULUS_MASK = np.uint64((1 << 48) - 1)
_SEED_LOW_BITS = np.uint64(0x330E)


def bootstrap_sums(columns: Floats, resamples: int) -> Floats:
    """Sum resampled rows in the order drawn; resample `s` uses drand48 seeded with `s`."""
    sums = np.zeros((resamples, columns.shape[1]))
    for rows in draws(len(columns), resamples):
        sums += columns[rows]
    return sums


def draws(size: int, resamples: int) -> Iterator[Ints]:
    """Yield `size` draws, each with one row index per resample."""
    state = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) | _SEED_LOW_BITS
    for _ in range(size):
        state = (state * _MULTIPLIER + _INCREMENT) & _MODULUS_MASK
        yield (state.astype(np.float64) / 2.0**48 * size).astype(np.int64)
