"""The page about metrics says what is so."""

import math
import runpy
from pathlib import Path

import numpy as np

from pyramidion.demo import load_demo
from pyramidion.metrics import ScoringBatch, all_metrics, parse_metric

DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_is_what_the_program_prints(capsys):
    runpy.run_path(str(DOCS / "snippets" / "metrics_table.py"))
    printed = capsys.readouterr().out
    page = (DOCS / "metrics.md").read_text(encoding="utf-8")
    assert printed in page, "put what docs/snippets/metrics_table.py prints into docs/metrics.md"


#: The smallest and the largest value of each documented range.
RANGES = {
    "0 to 1": (0, 1),
    "from 0": (0, math.inf),
    "from 1": (1, math.inf),
    "up to 0": (-math.inf, 0),
    "any number": (-math.inf, math.inf),
}


def test_scores_lie_in_the_documented_range():
    """Also where a summary says everything again and again, which sums of overlaps add up."""
    demo = load_demo()
    texts = [s.text for s in demo.summaries if s.topic == demo.topic_ids[0] and s.task == "A"][:4]
    cases = ScoringBatch.of_texts(
        [*texts, " ".join([texts[0]] * 3), "Rain.", ""],
        [texts[:2]] * 7,
        documents=[[texts[0]]] * 7,
        earlier=[texts[2:]] * 7,
    )
    metrics = (parse_metric(name) for kind in all_metrics() for name in kind.names())
    for metric in metrics:
        if not (metric.extra or "parser" in metric.requirements):
            scores = metric.score(metric.statistics(cases))
            low, high = RANGES[metric.bounds]
            # What is added to counts takes a divergence of equal distributions just below 0.
            assert np.nanmin(scores) >= low - 1e-3 * metric.name.startswith("kl-"), str(metric)
            assert np.nanmax(scores) <= high + 1e-9, str(metric)
