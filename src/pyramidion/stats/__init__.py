"""Statistics on arrays; this room has never heard of a summary.

Functions follow SciPy's new style: options are keyword-only, ``rng=`` takes a generator or a
seed, the result is an object. Topics are always the blocks.

>>> from pyramidion.stats import wilcoxon
>>> round(wilcoxon([3, 5, 4, 6, 5], [1, 4, 5, 2, 2]).p, 4)
0.1041
"""

from pyramidion.stats.adjust import adjust_p
from pyramidion.stats.anova import two_way_anova
from pyramidion.stats.bootstrap import bootstrap_interval
from pyramidion.stats.clustered import clustered_correlation
from pyramidion.stats.clustered_bootstrap import (
    clustered_difference_interval,
    clustered_interval,
)
from pyramidion.stats.clustered_permutation import clustered_difference
from pyramidion.stats.correlation import kendall, pearson, spearman
from pyramidion.stats.correlation_intervals import correlation_interval
from pyramidion.stats.correlation_tests import correlation_difference
from pyramidion.stats.effects import (
    cohen_dz,
    hodges_lehmann,
    mean_difference,
    rank_biserial,
    walsh_probability,
)
from pyramidion.stats.efficiency import wilcoxon_efficiency
from pyramidion.stats.friedman import friedman
from pyramidion.stats.kappa import cohen_kappa, percent_agreement, scott_pi
from pyramidion.stats.krippendorff import krippendorff_alpha
from pyramidion.stats.kruskal import kruskal_wallis
from pyramidion.stats.multiple_comparisons import blocked_tukey, mean_rank_tukey
from pyramidion.stats.permutation import permutation_test
from pyramidion.stats.permute_pairs import permute_pairs
from pyramidion.stats.planning import required_topics
from pyramidion.stats.power import power_curve
from pyramidion.stats.resample_pairs import resample_pairs
from pyramidion.stats.resampled_kruskal import resampled_kruskal_wallis
from pyramidion.stats.simultaneous import simultaneous_intervals
from pyramidion.stats.t_tests import paired_t, unpaired_t
from pyramidion.stats.tau_ap import tau_ap
from pyramidion.stats.wilcoxon import wilcoxon

__all__ = [
    "adjust_p",
    "blocked_tukey",
    "bootstrap_interval",
    "clustered_correlation",
    "clustered_difference",
    "clustered_difference_interval",
    "clustered_interval",
    "cohen_dz",
    "cohen_kappa",
    "correlation_difference",
    "correlation_interval",
    "friedman",
    "hodges_lehmann",
    "kendall",
    "krippendorff_alpha",
    "kruskal_wallis",
    "mean_difference",
    "mean_rank_tukey",
    "paired_t",
    "pearson",
    "percent_agreement",
    "permutation_test",
    "permute_pairs",
    "power_curve",
    "rank_biserial",
    "required_topics",
    "resample_pairs",
    "resampled_kruskal_wallis",
    "scott_pi",
    "simultaneous_intervals",
    "spearman",
    "tau_ap",
    "two_way_anova",
    "unpaired_t",
    "walsh_probability",
    "wilcoxon",
    "wilcoxon_efficiency",
]
