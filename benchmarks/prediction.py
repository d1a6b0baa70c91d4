"""How well metrics and trained models can replace people on sets that they have not seen.

Run by ``make bench AREA=prediction``; reads the open sets with references and judgments in
``../shared/data``. Every set is left out in turn: models learn from the others. R1ns
(``rouge-1-ns``) and the number of words are shown for comparison, as are models trained on other
topics of the set itself (``own set``), which know its systems and its judges. Differences and
intervals are over topics; with length held constant, too. A general model would be shipped only if
it were above R1ns on every set left out. ``--ranking`` trains the slower method, too; ``--csv
FILE`` writes all rows, ``--figure FILE`` draws the first target.
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
from pathlib import Path

from pyramidion.classy import evaluate

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = ("summeval", "realsumm", "summeval_op", "squality", "pyreval_crypto")
TARGETS = (
    "content=relevance,litepyramid-recall,selection,pyr-comprehensiveScore",
    "coherence=coherence",
    "consistency=expert-consistency,faithfulness,correctness",
    "fluency=fluency",
)
#: The ROUGE that papers report, and what is often best.
METRICS = ("rouge-1-f", "rouge-2-r(stem)", "rouge-l-f", "rouge-su4-r(stem)")
METRICS += ("classy-2011/8/A/all", "classy-2011/25/A/no-models")


def main() -> int:
    paths = [path for name in SETS if (path := DATA / f"{name}.jsonl.gz").exists()]
    if len(paths) < 2:
        print(f"{DATA} has fewer than two of {', '.join(SETS)}: nothing to predict")
        return 2
    start = time.process_time()
    methods = ("regularized", *(("ranking",) if "--ranking" in sys.argv else ()))
    result = evaluate(paths, target=TARGETS, metric=METRICS, method=methods, own_set=True)
    print(result)
    if "--csv" in sys.argv:
        Path(sys.argv[sys.argv.index("--csv") + 1]).write_text(result.to_csv(), encoding="utf-8")
    if "--figure" in sys.argv:
        from pyramidion.rendering.charts import save

        save(result.charts[0].draw(), Path(sys.argv[sys.argv.index("--figure") + 1]))
    verdicts = result.tables[-1].rows
    general = [row[:2] for row in verdicts if "," in str(row[1]) and "own" not in str(row[1])]
    shipped = [row[:2] for row in verdicts if row[:2] in general and row[-1] == "yes"]
    print(f"models above R1ns on every set left out: {shipped or 'none'}, of {len(general)}")
    seconds = time.process_time() - start
    print(f"{seconds:.0f} CPU seconds, at most 600: {'passed' if seconds <= 600 else 'MISSED'}")
    return 0 if seconds <= 600 else 1


if __name__ == "__main__":
    sys.exit(main())
