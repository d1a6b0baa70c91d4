"""Declare a metric in another package, and check that it is found."""

import sys
import tempfile
from pathlib import Path

from pyramidion.metrics import ScoringBatch, all_metrics, parse_metric

MODULE = '''
from dataclasses import dataclass
import numpy as np
from pyramidion.metrics import Metric

@dataclass(frozen=True, slots=True)
class Letters(Metric):
    """How many letters a summary has."""
    name = "letters"
    title = "letters"
    summary = "how many letters a summary has"

    def statistics(self, cases):
        return np.array([[float(len(cases.texts.plain(peer)))] for peer in cases.peers])
'''

# In pyproject.toml of the other package; installing it writes the file below.
#
#     [project.entry-points."pyramidion.metrics"]
#     letters = "my_metrics:Letters"
ENTRY_POINTS = "[pyramidion.metrics]\nletters = my_metrics:Letters\n"

with tempfile.TemporaryDirectory() as folder:
    installed = Path(folder) / "my_metrics-1.0.dist-info"
    installed.mkdir()
    (installed / "entry_points.txt").write_text(ENTRY_POINTS)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: my-metrics\nVersion: 1.0\n")
    (Path(folder) / "my_metrics.py").write_text(MODULE)
    sys.path.insert(0, folder)
    all_metrics.cache_clear()  # not needed in a new program
    metric = parse_metric("letters")
    sys.path.remove(folder)
    all_metrics.cache_clear()

print(metric.title, metric.score(metric.statistics(ScoringBatch.of_texts(["Rain fell."]))))
