"""Array types shared by all packages."""

import numpy as np
import numpy.typing as npt

__all__ = ["Bools", "Floats", "Ints", "Pairs", "Signs"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

#: Rows of two column indices.
Pairs = npt.NDArray[np.intp]

#: 1, 0 or -1.
Signs = npt.NDArray[np.int8]
