"""Small examples of `pyramidion.metrics._checkpoint`."""

import tempfile
from pathlib import Path

import numpy as np

from pyramidion.metrics._checkpoint import Checkpoint


def test_kept_columns():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scores.csv.partial"
        Checkpoint(file, "v1", 2).add("bleu", np.array([0.5, np.nan]))
        again = Checkpoint(file, "v1", 2)
    assert repr(again.columns) == "{'bleu': array([0.5, nan])}"
