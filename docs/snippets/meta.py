"""Judge metrics against responsiveness, with and without people among the peers."""

import pandas as pd  # pip install pandas

from pyramidion import meta

scores = pd.read_csv("years.csv").query("collection == 2031 and system != 'Kapok'")

(result,) = meta(scores, human="responsiveness")
for peers in ("all", "machines"):
    print(peers)
    for metric, found in result.ranked(level="system", coefficient="pearson", peers=peers):
        print(f"  {metric}: {found.value:.2f} [{found.low:.2f}, {found.high:.2f}]")

(matrix,) = (m for m in result.matrices if (m.level, m.peers) == ("input", "all"))
print({rank.metric: rank.group for rank in matrix.metrics})
